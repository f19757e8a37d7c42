/* SPDX-License-Identifier: MIT */
/* cairn compute version-boxes: the boxes with sides along the axes that hold all positive points
 * and no negative one, by their two boundaries: the tightest box and all largest ones. */
#include "compute/concepts/shape_figures.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>

typedef struct boxes_params {
    int sides;
    const char *positive, *box, *predict;
    int64_t limit;
    int show, marks;
    bool shade;
} boxes_params;

enum { SIDES_BOTH, SIDES_OPEN, SIDES_CLOSED };

static const cairn_choice side_choices[] = {
    {"both", SIDES_BOTH, "the tightest box with its sides, the largest ones without"},
    {"open", SIDES_OPEN, "no box has its sides: the tightest one is a limit that is not reached"},
    {"closed", SIDES_CLOSED, "every box has its sides: the largest ones are not reached"},
    {NULL, 0, NULL}};

enum { SHOW_BOTH, SHOW_TIGHTEST, SHOW_LARGEST, SHOW_NONE };

static const cairn_choice show_choices[] = {
    {"both", SHOW_BOTH, "the tightest box S and the largest boxes G"},
    {"tightest", SHOW_TIGHTEST, "the smallest box around the positive points"},
    {"largest", SHOW_LARGEST, "all largest boxes without a negative point"},
    {"none", SHOW_NONE, "the points and the typed boxes alone"},
    {NULL, 0, NULL}};

static const cairn_param boxes_table[] = {
    CAIRN_PARAM_CHOICE(boxes_params, sides, "both", side_choices,
                       "whether points on a side belong to a box"),
    CAIRN_PARAM(boxes_params, positive, NULL, NULL, "the class inside the boxes"),
    {.name = "box",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(boxes_params, box),
     .help = "a box to look at: low,high of each column in turn, -inf and inf without a bound",
     .repeated = true},
    {.name = "predict",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(boxes_params, predict),
     .help = "a new point to decide: its numbers separated by commas",
     .repeated = true},
    CAIRN_PARAM(boxes_params, limit, "20000", "[1,1000000]",
                "most of the largest boxes; finding n of them takes up to n^2 comparisons"),
    CAIRN_PARAM_CHOICE(boxes_params, show, "both", show_choices, "boundaries in the picture"),
    CAIRN_PARAM(boxes_params, shade, "yes", NULL, "shade the region between S and G",
                .when = "show=both"),
    CAIRN_PARAM_CHOICE(boxes_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

/* One column of a box: "34 <= price <= 47", "price < 66", "any price". */
static void side_text(char *out, size_t size, const char *column, const double *side, bool closed)
{
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    const char *sign = closed ? "<=" : "<";
    cairn_number_format(low, side[0], CAIRN_SHORTEST);
    cairn_number_format(high, side[1], CAIRN_SHORTEST);
    if (isinf(side[0]) && isinf(side[1]))
        snprintf(out, size, "any");
    else if (isinf(side[0]))
        snprintf(out, size, "%s %s %s", column, sign, high);
    else if (isinf(side[1]))
        snprintf(out, size, "%s %s %s", low, sign, column);
    else
        snprintf(out, size, "%s %s %s %s %s", low, sign, column, sign, high);
}

static void box_cells(cairn_report *out, const cairn_shape_data *data, const double *box,
                      bool closed, const char *name)
{
    for (size_t j = 0; j < data->points.d; j++) {
        char text[256];
        const char *key = cairn_report_key(out, data->columns[j]);
        side_text(text, sizeof text, data->columns[j], box + 2 * j, closed);
        cairn_report_cell(out, text);
        cairn_report_hidden(out, box[2 * j], "%s.%s.low", name, key);
        cairn_report_hidden(out, box[2 * j + 1], "%s.%s.high", name, key);
    }
}

/* Open and closed boxes have the same sides but differ in whether S and G themselves belong to
 * the space, which the notes say. */
static void show_boundaries(cairn_report *out, const cairn_shape_data *data, const double *special,
                            const cairn_boxes *general, int sides)
{
    cairn_report_table_of(out, "The tightest box S and the largest boxes G", 0, "l", "");
    for (size_t j = 0; j < data->points.d; j++) cairn_report_column(out, data->columns[j], 'l');
    if (special) {
        cairn_report_cell(out, "S");
        box_cells(out, data, special, sides != SIDES_OPEN, "s");
    }
    for (size_t g = 0; g < general->n; g++) {
        char name[32];
        snprintf(name, sizeof name, "g%zu", g + 1);
        cairn_report_cellf(out, "G%zu", g + 1);
        box_cells(out, data, general->sides + g * general->width, sides == SIDES_CLOSED, name);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)general->n, "g.count");
    if (sides == SIDES_OPEN && special)
        cairn_report_note(out,
                          "An open box does not hold the points on its own sides: S is the limit "
                          "of the boxes that do hold all positive points, and none of them.");
    if (sides == SIDES_CLOSED)
        cairn_report_note(out,
                          "A closed box with the sides of one of G would hold a negative point: "
                          "G is the limit of the boxes that do not, and none of them.");
}

/* Negative points in the tightest box; the first of them is what empties the version space. */
static size_t show_inside(cairn_report *out, const cairn_shape_data *data, const double *special)
{
    const cairn_labelled *points = &data->points;
    size_t inside = 0, first = 0;
    for (size_t i = 0; i < points->n && special; i++) {
        if (points->positive[i] ||
            !cairn_box_holds(special, points->d, points->x + i * points->d, true))
            continue;
        if (!inside++) first = i;
    }
    cairn_report_value(out, "negative points in the tightest box", (double)inside,
                       "negatives_inside");
    cairn_report_hidden(out, inside > 0, "empty");
    if (!inside) return 0;
    size_t positive = cairn_box_blame(points, first);
    cairn_report_note(out,
                      "No box fits: whatever holds the positive points up to row %s also holds the "
                      "negative row %s.",
                      data->names[positive], data->names[first]);
    cairn_report_hidden_word(out, data->names[positive], "collapsed.positive");
    cairn_report_hidden_word(out, data->names[first], "collapsed.negative");
    return inside;
}

/* The row of the class whose value of column j is `side`; NULL = none. */
static const char *row_at(const cairn_shape_data *data, size_t j, double side, bool positive)
{
    const cairn_labelled *points = &data->points;
    for (size_t i = 0; i < points->n; i++)
        if (points->positive[i] == positive && points->x[i * points->d + j] == side)
            return data->names[i];
    return NULL;
}

/* Each side of a box with the row that it stands at. */
static void work_box(cairn_report *out, const cairn_shape_data *data, const char *name,
                     const double *box, bool positive)
{
    for (size_t j = 0; j < data->points.d; j++)
        for (size_t end = 0; end < 2; end++) {
            double side = box[2 * j + end];
            const char *row = row_at(data, j, side, positive);
            cairn_report_cell(out, j + end ? "" : name);
            cairn_report_cell(out, data->columns[j]);
            cairn_report_cell(out, positive ? end ? "greatest +" : "least +"
                                   : end    ? "below"
                                            : "above");
            cairn_report_cell_number(out, side, 0, NULL);
            cairn_report_cell(out, isinf(side) ? "no negative in the way" : row ? row : "");
        }
}

/* Which rows the sides of S and G stand at: S reaches to the outermost positives, a side of G to a
 * negative that would be inside otherwise. */
static void work(cairn_report *out, const cairn_shape_data *data, const double *special,
                 const cairn_boxes *general)
{
    cairn_report_step_begin(out, "The rows at the sides");
    cairn_report_table_of(out, "Sides", 0, "lllrl", "box", "column", "side", "at", "row");
    if (special) work_box(out, data, "S", special, true);
    for (size_t g = 0; g < general->n && cairn_report_row_wanted(out); g++) {
        char name[32];
        snprintf(name, sizeof name, "G%zu", g + 1);
        work_box(out, data, name, general->sides + g * general->width, false);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Boxes that were typed. */
static cairn_status look_at(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data,
                            const cairn_boxes *general, const boxes_params *p)
{
    const cairn_labelled *points = &data->points;
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, p->box, &lines));
    cairn_report_table_of(out, "Boxes that were given", 0, "lrrll", "box", "positive missed",
                          "negative inside", "consistent", "largest");
    for (size_t b = 0; lines[b]; b++) {
        double *box;
        size_t n, missed = 0, inside = 0;
        bool largest = false;
        CHECK(cairn_list_numbers(ctx, "box", lines[b], &box, &n));
        if (n != 2 * points->d)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{box %s}: %zu numbers; low and high of %zu columns "
                             "are %zu",
                             lines[b], n, points->d, 2 * points->d));
        for (size_t i = 0; i < points->n; i++) {
            bool holds = cairn_box_holds(box, points->d, points->x + i * points->d,
                                         p->sides == SIDES_CLOSED);
            missed += points->positive[i] && !holds;
            inside += !points->positive[i] && holds;
        }
        for (size_t g = 0; g < general->n && !largest; g++)
            largest = cairn_box_within(general->sides + g * general->width, box, points->d);
        bool consistent = !missed && !inside;
        cairn_report_cell(out, lines[b]);
        cairn_report_cell_number(out, (double)missed, 0, "box%zu.missed", b + 1);
        cairn_report_cell_number(out, (double)inside, 0, "box%zu.inside", b + 1);
        cairn_report_cell_word(out, consistent ? "yes" : "no", "box%zu.consistent", b + 1);
        cairn_report_cell_word(out, consistent && largest ? "yes" : "no", "box%zu.largest", b + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* A point in S is in all boxes, one in no box of G in none; between them the boxes disagree. This
 * does not depend on which sides belong to the boxes: an open box that holds all positive points
 * also holds S with its sides, and one with its sides that holds the point and S lies in an open
 * one of G, since the nearest negative point is some way off. */
static cairn_status predict(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data,
                            const double *special, const cairn_boxes *general, const char *typed)
{
    const char *const *lines;
    size_t d = data->points.d;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    cairn_report_table_of(out, "New points: yes or no when all boxes agree", 0, "ll", "point",
                          "answer");
    for (size_t i = 0; lines[i]; i++) {
        double *x;
        size_t n;
        bool some = false;
        CHECK(cairn_list_numbers(ctx, "predict", lines[i], &x, &n));
        if (n != d)
            CHECK(
                cairn_fail(ctx, CAIRN_USAGE, "{predict %s}: a point has %zu numbers", lines[i], d));
        for (size_t g = 0; g < general->n && !some; g++)
            some = cairn_box_holds(general->sides + g * general->width, d, x, false);
        bool all = special && cairn_box_holds(special, d, x, true);
        cairn_report_cell(out, lines[i]);
        cairn_report_cell_word(out, all ? "yes" : some ? "unknown" : "no", "predict%zu", i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Points of two columns, the boundaries that are asked for and the typed boxes. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_shape_data *data, const double *special,
                                const cairn_boxes *general, const boxes_params *p)
{
    cairn_boxes typed = {0};
    cairn_boxes_look look = {
        .special = p->show == SHOW_BOTH || p->show == SHOW_TIGHTEST ? special : NULL,
        .general = p->show == SHOW_BOTH || p->show == SHOW_LARGEST ? general : NULL,
        .typed = &typed,
        .shade = p->shade && p->show == SHOW_BOTH,
        .marking = (cairn_marking)p->marks};
    cairn_status status = cairn_boxes_read(ctx, &typed, p->box, 2);
    if (status == CAIRN_OK) status = cairn_boxes_figure(ctx, out, data, &look);
    cairn_boxes_clear(&typed);
    return status;
}

static cairn_status boxes_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const boxes_params *p = job->params;
    cairn_shape_data data;
    cairn_boxes general = {0};
    cairn_status status;
    double special[4];
    TRY(cairn_shape_data_read(ctx, &data, job->table, 2, p->positive, job->what));
    if (!data.points.n) TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to draw"));
    bool any = cairn_box_tightest(special, &data.points), inside = false;
    for (size_t i = 0; i < data.points.n && any; i++)
        inside = inside || (!data.points.positive[i] &&
                            cairn_box_holds(special, 2, data.points.x + 2 * i, true));
    if (!inside)
        TRY(cairn_boxes_largest(ctx, &general, &data.points, any ? special : NULL,
                                (size_t)p->limit));
    TRY(make_figure(ctx, out, &data, any ? special : NULL, inside ? NULL : &general, p));
done:
    cairn_boxes_clear(&general);
    return status;
}

static cairn_status boxes_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const boxes_params *p = job->params;
    cairn_shape_data data;
    SCOPED(cairn_boxes_clear) cairn_boxes general = {0};
    cairn_figure *figure;
    double *special;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 0, p->positive, job->what));
    cairn_report_heading(out, 1, "Boxes for '%s = %s'", data.target, data.positive);
    CHECK(SCRATCH(ctx, &special, 2 * data.points.d));
    if (!cairn_box_tightest(special, &data.points)) special = NULL;
    if (show_inside(out, &data, special)) return CAIRN_OK;
    CHECK(cairn_boxes_largest(ctx, &general, &data.points, special, (size_t)p->limit));
    if (job->steps) work(out, &data, special, &general);
    show_boundaries(out, &data, special, &general, p->sides);
    if (p->box) CHECK(look_at(ctx, out, &data, &general, p));
    if (p->predict) CHECK(predict(ctx, out, &data, special, &general, p->predict));
    if (data.points.d == 2 && data.points.n) {
        CHECK(make_figure(ctx, &figure, &data, special, &general, p));
        cairn_report_figure(out, figure);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_boxes = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-boxes",
              .also = "axis-parallel rectangles, most specific rectangle, most general "
                      "rectangle",
              .title = "Boxes that hold one class only",
              .summary =
                  "For any number of number columns and two classes: the boxes with sides "
                  "along the axes that hold every positive point and no negative one. Shows "
                  "the tightest of them and all largest ones, which may be unbounded; reports "
                  "which negative row makes it impossible; checks boxes that are typed; "
                  "decides new points when all boxes agree; draws two columns.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute version-boxes @family-car --box 27,66,170,290",
              .params = boxes_table,
              .params_size = sizeof(boxes_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "version-boxes",
                .also = "axis-parallel rectangles",
                .title = "Boxes that hold one class only",
                .summary =
                    "Points of two number columns with the tightest box around the positive "
                    "ones, the largest boxes that hold them and no negative point (dashed), "
                    "and the region between shaded; typed boxes are drawn as hypotheses. "
                    "When a negative point lies in the tightest box there is no largest one.",
                .example = "cairn draw version-boxes @family-car --out cars.svg",
                .params = boxes_table,
                .params_size = sizeof(boxes_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = boxes_run,
    .draw = boxes_draw,
};
