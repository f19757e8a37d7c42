/* SPDX-License-Identifier: MIT */
/* cairn draw regions: what a model says over the plane of two of its features, whatever transforms
 * stand between: so the boundary of a linear model over squares is drawn back as a circle. A grid
 * of cells is predicted with the other features held: numbers at their mean, levels at their most
 * common one, or where --at puts them. Classes and clusters become areas: the cells beside a border
 * are divided further and predicted again, so that no steps are seen. Shaded by probability, an
 * area falls into grades of the share by which its class is ahead of even odds. A number target
 * becomes lines of equal predicted value, each crossing a side of a cell where the line through
 * both ends has the value. Learners that are named are fitted to the two columns, a panel each. */
#include "pictures/slice.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"
#include "wrappers/members.h"
#include "wrappers/output_codes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHADE_CLASSES, SHADE_PROBABILITY, SHADE_NONE };

typedef struct regions_params {
    const char *x, *y, *at, *levels, *fit, *with, *of_class;
    const cairn_params *transforms; /* what `with` stands for */
    int64_t grid;
    int shade, columns;
    bool ambiguous, members;
} regions_params;

static const cairn_choice shades[] = {
    {"classes", SHADE_CLASSES, "one colour for each class"},
    {"probability", SHADE_PROBABILITY, "the stronger, the surer: even odds are white"},
    {"none", SHADE_NONE, "borders alone"},
    {NULL, 0, NULL}};

static const cairn_param regions_table[] = {
    CAIRN_PARAM_AS(
        regions_params, x, CAIRN_TYPE_COLUMNS, NULL,
        "column along the horizontal axis; of the numbers that the model uses most if not "
        "given"),
    CAIRN_PARAM_AS(regions_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; of the numbers that the model uses most if not "
                   "given"),
    CAIRN_PARAM_CHOICE(regions_params, shade, "classes", shades, "how areas are coloured",
                       .often = true),
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(regions_params, fit),
     .help = "without a model: a learner that is fitted to the two columns, such as knn:k=5; "
             "several are drawn side by side",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(
        regions_params, "a transform in front of the learners, such as calibrate or basis:squares",
        .when = "fit"),
    CAIRN_PARAM(regions_params, columns, "3", "[1,20]", "panels in a row", .when = "fit"),
    CAIRN_PARAM(regions_params, ambiguous, "no", NULL,
                "grey, too, where a model says that its answer is ambiguous, as one-vs-rest and "
                "one-vs-one do"),
    CAIRN_PARAM(
        regions_params, members, "no", NULL,
        "the boundary of every model inside one-vs-rest, one-vs-one or output-codes, and of "
        "the first twenty members of adaboost, bagging, vote and boost-three"),
    CAIRN_PARAM(regions_params, at, NULL, NULL,
                "where other columns are held, such as petal_length=4,size=small; mean or most "
                "common value if not given"),
    CAIRN_PARAM(regions_params, levels, NULL, NULL,
                "values whose lines are drawn: of number targets half-way between the two if the "
                "target has two values, else five, if not given; of classes the probabilities of "
                "one class, none if not given"),
    CAIRN_PARAM(regions_params, of_class, NULL, NULL,
                "the class whose probabilities the lines are of; the positive one of two if not "
                "given",
                .when = "levels"),
    CAIRN_PARAM(regions_params, grid, "160", "[10,1000]", "cells along each axis"),
    CAIRN_PARAM_END,
};

enum { FINER = 4, MOST_CELLS = 1200, GRADES = 8, MOST_PANELS = 30, MANY_CLASSES = 8 };

/* What a model says: cell (i, j) has the place j n + i. */
typedef struct region_grid {
    cairn_model_slice plane;
    double *numbers;         /* what is predicted in every cell: numbers */
    double *chances;         /* or the probability of one class, for lines; NULL = not wanted */
    size_t of_class;         /* that class */
    cairn_model_slice lines; /* the grid of the chances */
    int32_t *codes;          /* or classes, or GRADES of each; -1 = no answer */
    int32_t grades;          /* 1, or GRADES */
    double lead;             /* greatest lead of a score, where they are no probabilities; else 0 */
    bool torn;               /* most cells lie beside a border */
    const regions_params *p; /* borrowed */
} region_grid;

/* The class that a code stands for, and the codes that answers of a model become. */
static int32_t class_of(const region_grid *g, int32_t code)
{
    return code < 0 ? -1 : code / g->grades;
}

/* By how much the score of the answer is ahead of the next one. */
static double lead_of(const cairn_prediction *said, size_t k)
{
    const double *scores = said->scores + k * said->n_classes;
    double next = -INFINITY;
    if (said->codes[k] < 0) return 0;
    for (size_t c = 0; c < said->n_classes; c++)
        if (c != (size_t)said->codes[k]) next = fmax(next, scores[c]);
    return scores[said->codes[k]] - next;
}

/* Scores that do not sum to 1 everywhere are no probabilities: areas are then graded by the lead of
 * the largest score, in parts of the greatest lead. */
static void judge_scores(cairn_context *ctx, region_grid *g, const cairn_prediction *said)
{
    double most = 0;
    if (cairn_scores_are_probabilities(said)) return;
    for (size_t k = 0; k < said->n_rows; k++) most = fmax(most, lead_of(said, k));
    if (!(most > 0)) return;
    g->lead = most;
    cairn_warn(ctx,
               "the scores of %s are no probabilities: areas are graded by the lead of the "
               "largest score",
               cairn_model_learner(g->plane.model));
}

/* Whether the model says of its answer that others are as good. */
static bool is_ambiguous(const cairn_prediction *said, size_t k)
{
    ptrdiff_t at = said->extra ? cairn_table_find(said->extra, "ambiguous") : -1;
    const double *flags = at < 0 ? NULL : cairn_table_numbers(said->extra, (size_t)at);
    return flags && flags[k] > 0;
}

static int32_t code_of(const region_grid *g, const cairn_prediction *said, size_t k)
{
    int32_t code = said->codes[k];
    double n = (double)said->n_classes, ahead = 1;
    if (code < 0 || is_ambiguous(said, k)) return -1;
    if (g->grades > 1 && said->scores && said->n_classes > 1)
        ahead = g->lead > 0
                    ? lead_of(said, k) / g->lead
                    : (said->scores[k * said->n_classes + (size_t)code] - 1 / n) / (1 - 1 / n);
    double grade = floor(fmin(fmax(ahead, 0), 1) * g->grades);
    return code * g->grades + (int32_t)fmin(grade, g->grades - 1);
}

static cairn_predict_wants wants_of(const region_grid *g)
{
    return (cairn_predict_wants){.scores = g->grades > 1 || g->p->levels, .extra = g->p->ambiguous};
}

/* What the model answers at every place of the grid; levels of a class need its probabilities. */
static cairn_status predict_grid(cairn_context *ctx, region_grid *g)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    size_t n = g->plane.n * g->plane.n;
    bool lines = g->p->levels != NULL;
    CHECK(cairn_slice_ask_all(ctx, &said, &g->plane, wants_of(g)));
    if (lines && said.codes && !said.scores)
        return cairn_fail(ctx, CAIRN_USAGE, "{levels}: this model gives no probabilities");
    if (lines && said.codes) CHECK(SCRATCH_RAW(ctx, &g->chances, n));
    g->lines = g->plane;
    if (g->grades > 1 && said.codes && said.scores) judge_scores(ctx, g, &said);
    if (said.numbers) CHECK(SCRATCH_RAW(ctx, &g->numbers, n));
    if (said.codes) CHECK(SCRATCH_RAW(ctx, &g->codes, n));
    for (size_t k = 0; k < n; k++) {
        if (said.numbers) g->numbers[k] = said.numbers[k];
        if (said.codes) g->codes[k] = code_of(g, &said, k);
        if (g->chances && said.scores)
            g->chances[k] = said.scores[k * said.n_classes + g->of_class];
    }
    return CAIRN_OK;
}

/* -- areas of classes -- */

static int32_t code_at(const region_grid *g, size_t i, size_t j)
{
    return g->codes[j * g->plane.n + i];
}

/* Whether one of the cells around has another class. */
static bool is_beside_border(const region_grid *g, size_t i, size_t j)
{
    for (size_t b = j ? j - 1 : 0; b <= j + 1 && b < g->plane.n; b++)
        for (size_t a = i ? i - 1 : 0; a <= i + 1 && a < g->plane.n; a++)
            if (code_at(g, a, b) != code_at(g, i, j)) return true;
    return false;
}

/* Put a grid with FINER times as many cells along a side in the place of g. */
static cairn_status refine(cairn_context *ctx, region_grid *g)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    region_grid fine = *g;
    bool *beside;
    size_t n, next = 0;
    cairn_places asked;
    /* The cells beside a border, as a flag each; `n` counts them. */
    n = 0;
    CHECK(SCRATCH_RAW(ctx, &beside, g->plane.n * g->plane.n));
    for (size_t j = 0; j < g->plane.n; j++)
        for (size_t i = 0; i < g->plane.n; i++)
            n += (beside)[j * g->plane.n + i] = is_beside_border(g, i, j);
    g->torn = n > g->plane.n * g->plane.n / 2;
    if (n == 0 || g->torn || g->plane.n * FINER > MOST_CELLS) return CAIRN_OK;
    fine.plane.n *= FINER;
    for (int axis = 0; axis < 2; axis++) fine.plane.step[axis] /= FINER;
    CHECK(cairn_places_new(ctx, &asked, n * FINER * FINER));
    CHECK(SCRATCH_RAW(ctx, &fine.codes, fine.plane.n * fine.plane.n));
    for (size_t j = 0; j < fine.plane.n; j++)
        for (size_t i = 0; i < fine.plane.n; i++)
            if (beside[j / FINER * g->plane.n + i / FINER])
                cairn_places_add(&asked, cairn_slice_centre(&fine.plane, 0, i),
                                 cairn_slice_centre(&fine.plane, 1, j));
    CHECK(cairn_slice_ask(ctx, &said, &g->plane, &asked, wants_of(g)));
    for (size_t j = 0; j < fine.plane.n; j++)
        for (size_t i = 0; i < fine.plane.n; i++)
            fine.codes[j * fine.plane.n + i] = beside[j / FINER * g->plane.n + i / FINER]
                                                   ? code_of(g, &said, next++)
                                                   : code_at(g, i / FINER, j / FINER);
    *g = fine;
    return CAIRN_OK;
}

/* The end of the run of cells with this class that begins at row j of column i. */
static size_t run_end(const region_grid *g, size_t i, size_t j)
{
    size_t end = j + 1;
    while (end < g->plane.n && code_at(g, i, end) == code_at(g, i, j)) end++;
    return end;
}

/* A band under way: x, low, high, two points per column of cells. */
typedef struct band {
    double *x, *low, *high;
    size_t n;
} band;

/* The run of class `code` in column i that lies beside the cells from..to and is not yet drawn;
 * false when there is none. */
static bool next_run(const region_grid *g, const bool *drawn, size_t i, int32_t code, size_t *from,
                     size_t *to)
{
    for (size_t j = 0; i < g->plane.n && j < *to; j = run_end(g, i, j)) {
        size_t end = run_end(g, i, j);
        if (end <= *from || code_at(g, i, j) != code || drawn[j * g->plane.n + i]) continue;
        *from = j;
        *to = end;
        return true;
    }
    return false;
}

/* Runs of neighbouring columns are joined as far as they go, so that an area is few pieces. */
static cairn_status draw_areas(cairn_context *ctx, cairn_figure *figure, const region_grid *g)
{
    band b;
    bool *drawn, named = false;
    CHECK(SCRATCH_RAW_EACH(ctx, 2 * g->plane.n, &b.x, &b.low, &b.high));
    CHECK(SCRATCH(ctx, &drawn, g->plane.n * g->plane.n));
    for (size_t i = 0; i < g->plane.n; i++) {
        for (size_t j = 0; j < g->plane.n; j++) {
            int32_t code = code_at(g, i, j);
            if (drawn[j * g->plane.n + i]) continue;
            size_t from = j, to = run_end(g, i, j), at = i;
            b.n = 0;
            do {
                for (size_t side = 0; side < 2; side++) {
                    b.x[b.n] = cairn_slice_edge(&g->plane, 0, at + side);
                    b.low[b.n] = cairn_slice_edge(&g->plane, 1, from);
                    b.high[b.n++] = cairn_slice_edge(&g->plane, 1, to);
                }
                for (size_t k = from; k < to; k++) drawn[k * g->plane.n + at] = true;
                at++;
            } while (next_run(g, drawn, at, code, &from, &to));
            /* The area of one class, or of one grade of it: graded ones reach from nearly white
             * to strong. What has no answer is grey, and named in the legend once. */
            double grade = (double)(code % g->grades);
            if (code < 0) {
                cairn_figure_shade(figure, named ? NULL : "no answer", -1, 0.45, b.x, b.low, b.high,
                                   b.n);
                named = true;
            } else if (g->grades > 1) {
                cairn_figure_shade(figure, NULL, class_of(g, code),
                                   0.04 + 0.46 * grade / (GRADES - 1), b.x, b.low, b.high, b.n);
            } else {
                cairn_figure_area(figure, code, b.x, b.low, b.high, b.n);
            }
        }
    }
    return CAIRN_OK;
}

/* -- lines -- */

/* Whether the side between cell k of line `at` and the same cell of the next line is a border;
 * lines are columns of cells (axis 0) or rows of them. */
static bool is_border(const region_grid *g, int axis, size_t at, size_t k)
{
    int32_t here = axis == 0 ? code_at(g, at, k) : code_at(g, k, at);
    int32_t next = axis == 0 ? code_at(g, at + 1, k) : code_at(g, k, at + 1);
    return class_of(g, here) != class_of(g, next);
}

/* The sides of cells that lie on a border and are part of no line yet: those along y (axis 0) and
 * along x (axis 1), k along line `at` at the place at n + k. */
typedef struct border_sides {
    const region_grid *g;
    bool *waits[2];
    size_t n_waiting;
} border_sides;

static cairn_status find_sides(cairn_context *ctx, border_sides *s)
{
    size_t n = s->g->plane.n;
    CHECK(SCRATCH_EACH(ctx, n * n, &s->waits[0], &s->waits[1]));
    for (int axis = 0; axis < 2; axis++)
        for (size_t at = 0; at + 1 < n; at++)
            for (size_t k = 0; k < n; k++)
                s->n_waiting += s->waits[axis][at * n + k] = is_border(s->g, axis, at, k);
    return CAIRN_OK;
}

/* Go from a corner of cells along a side that waits: 0 right, 1 up, 2 left, 3 down. */
static bool walk_side(border_sides *s, size_t corner[2], unsigned direction)
{
    size_t n = s->g->plane.n, along = direction % 2, axis = 1 - along, back = direction / 2;
    if (corner[axis] == 0 || corner[axis] == n || corner[along] == (back ? 0 : n)) return false;
    bool *waits = &s->waits[axis][(corner[axis] - 1) * n + corner[along] - back];
    if (!*waits) return false;
    *waits = false;
    s->n_waiting--;
    corner[along] = corner[along] + 1 - 2 * back;
    return true;
}

static void add_corner(const border_sides *s, cairn_places *p, const size_t corner[2])
{
    cairn_places_add(p, cairn_slice_edge(&s->g->plane, 0, corner[0]),
                     cairn_slice_edge(&s->g->plane, 1, corner[1]));
}

/* The line that begins at a corner, if one does: on as long as a side waits, straight on where
 * borders cross, with a place at each turn. */
static void follow_border(border_sides *s, cairn_places *p, size_t i, size_t j)
{
    static const unsigned turns[] = {0, 1, 3};
    size_t corner[2] = {i, j}, before[2];
    unsigned direction = 0, turn;
    while (direction < 4 && !walk_side(s, corner, direction)) direction++;
    if (direction == 4) return;
    add_corner(s, p, (size_t[]){i, j});
    for (;;) {
        memcpy(before, corner, sizeof before);
        for (turn = 0; turn < 3 && !walk_side(s, corner, (direction + turns[turn]) % 4);) turn++;
        if (turn) add_corner(s, p, before);
        if (turn == 3) break;
        direction = (direction + turns[turn]) % 4;
    }
    cairn_places_add(p, NAN, NAN);
}

/* Where answers of neighbouring cells differ, as few lines. */
static cairn_status collect_borders(cairn_context *ctx, cairn_places *out, const region_grid *g)
{
    border_sides s = {.g = g};
    CHECK(find_sides(ctx, &s));
    CHECK(cairn_places_new(ctx, out, 3 * s.n_waiting));
    for (size_t i = 0; i <= g->plane.n && s.n_waiting; i++)
        for (size_t j = 0; j <= g->plane.n && s.n_waiting;) {
            size_t before = s.n_waiting;
            follow_border(&s, out, i, j);
            if (s.n_waiting == before) j++;
        }
    return CAIRN_OK;
}

/* A line of equal value through the centres of the cells. */
static cairn_status draw_level(cairn_context *ctx, cairn_figure *figure,
                               const cairn_model_slice *plane, const double *values,
                               const char *what, double value)
{
    char label[CAIRN_NUMBER_SIZE + 80];
    snprintf(label, sizeof label, "%.60s ", what);
    const cairn_contour_grid grid = {values,
                                     plane->n,
                                     plane->n,
                                     cairn_slice_centre(plane, 0, 0),
                                     cairn_slice_centre(plane, 1, 0),
                                     plane->step[0],
                                     plane->step[1]};
    cairn_number_format(label + strlen(label), value, 4);
    return cairn_contour_add(ctx, figure, label, &grid, &value, 1);
}

/* A target of two numbers is a coded class, whose boundary is half-way; any other gets five lines
 * over the range of predictions. */
static cairn_status choose_levels(cairn_context *ctx, const region_grid *g, const char *wanted,
                                  const double *target, size_t n_rows, double **out, size_t *n)
{
    enum { LINES = 5 };
    double low = INFINITY, high = -INFINITY, value[2];
    if (wanted) return cairn_list_numbers(ctx, cairn_say(ctx, "{levels}"), wanted, out, n);
    CHECK(SCRATCH(ctx, out, LINES));
    *n = 1;
    if (target && cairn_two_values(target, n_rows, value)) {
        **out = (value[0] + value[1]) / 2;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < g->plane.n * g->plane.n; i++) {
        low = fmin(low, g->numbers[i]);
        high = fmax(high, g->numbers[i]);
    }
    *n = LINES;
    for (size_t k = 0; k < LINES; k++)
        (*out)[k] = low + (high - low) * (double)(k + 1) / (LINES + 1);
    return CAIRN_OK;
}

/* -- the rows -- */

/* Names of what the areas say. */
static cairn_status area_names(cairn_context *ctx, const char ***out, const cairn_model *model,
                               size_t n)
{
    const cairn_field *target = cairn_model_target(model);
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t k = 0; k < n; k++) {
        char *name;
        if (target && k < target->names.n) {
            (*out)[k] = cairn_map_key(&target->names, k);
            continue;
        }
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "cluster %zu", k + 1);
        (*out)[k] = name;
    }
    return CAIRN_OK;
}

/* The class of every row in the model's numbering, -1 where the table does not say; clusters are
 * those that the model puts the rows in. */
static cairn_status row_codes(cairn_context *ctx, int32_t **out, const cairn_model_slice *plane)
{
    const cairn_table *table = plane->table;
    const cairn_field *field = cairn_model_target(plane->model);
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_match match;
    CHECK(SCRATCH(ctx, out, table->n_rows));
    if (!field) {
        CHECK(cairn_model_predict_rows(ctx, &said, plane->model, table, cairn_all_rows(table),
                                       (cairn_predict_wants){0}, &match));
        memcpy(*out, said.codes, table->n_rows * sizeof **out);
        return CAIRN_OK;
    }
    ptrdiff_t at = cairn_table_find(table, field->name);
    for (size_t i = 0; i < table->n_rows; i++) {
        char cell[200];
        (*out)[i] = -1;
        if (at < 0 || cairn_column_is_missing(table->slots[at].column, i)) continue;
        size_t length = cairn_column_cell(table->slots[at].column, i, cell, sizeof cell);
        if (length < sizeof cell) (*out)[i] = (int32_t)cairn_map_find(&field->names, cell, length);
    }
    return CAIRN_OK;
}

/* Colours come again after eight classes: then each is written into its area, at the cell that lies
 * deepest in it. */
static cairn_status write_names(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                const char *const *names, size_t n_classes)
{
    size_t n = g->plane.n, *best;
    uint32_t *depth;
    CHECK(SCRATCH(ctx, &best, n_classes));
    CHECK(SCRATCH_RAW(ctx, &depth, n * n));
    for (size_t k = 0; k < n_classes; k++) best[k] = SIZE_MAX;
    /* Steps to the next border, from two sides and then from the other two. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0; at < n * n; at++) {
            size_t k = pass ? n * n - 1 - at : at, i = k % n, j = k / n;
            bool rim = i == 0 || j == 0 || i + 1 == n || j + 1 == n;
            if (rim || is_beside_border(g, i, j)) {
                depth[k] = 1;
                continue;
            }
            uint32_t a = pass ? depth[k + 1] : depth[k - 1], b = pass ? depth[k + n] : depth[k - n];
            uint32_t least = (a < b ? a : b) + 1;
            if (!pass || least < depth[k]) depth[k] = least;
        }
    for (size_t k = 0; k < n * n; k++) {
        int32_t class = class_of(g, g->codes[k]);
        if (class >= 0 && (best[class] == SIZE_MAX || depth[k] > depth[best[class]]))
            best[class] = k;
    }
    for (size_t c = 0; c < n_classes; c++)
        if (best[c] != SIZE_MAX)
            cairn_figure_text(figure, cairn_slice_centre(&g->plane, 0, best[c] % n),
                              cairn_slice_centre(&g->plane, 1, best[c] / n), 'c', names[c]);
    return CAIRN_OK;
}

/* Names of the classes go into the legend of one panel only. */
static cairn_status draw_classes(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                 bool legend)
{
    const cairn_table *table = g->plane.table;
    int32_t *codes, most = -1;
    const char **names;
    CHECK(row_codes(ctx, &codes, &g->plane));
    for (size_t i = 0; i < g->plane.n * g->plane.n; i++)
        if (class_of(g, g->codes[i]) > most) most = class_of(g, g->codes[i]);
    for (size_t i = 0; i < table->n_rows; i++)
        if (codes[i] > most) most = codes[i];
    CHECK(area_names(ctx, &names, g->plane.model, (size_t)(most + 1)));
    if (g->p->shade != SHADE_NONE) CHECK(draw_areas(ctx, figure, g));
    /* Where most cells lie beside a border, lines would hide all else. */
    cairn_places p;
    if (!g->torn) {
        CHECK(collect_borders(ctx, &p, g));
        cairn_figure_guide(figure, p.x, p.y, p.n);
    }
    cairn_figure_points(figure, cairn_table_numbers(table, g->plane.x),
                        cairn_table_numbers(table, g->plane.y), codes, table->n_rows,
                        legend ? names : NULL, legend ? (size_t)(most + 1) : 0);
    if (most >= MANY_CLASSES && g->p->shade != SHADE_NONE)
        CHECK(write_names(ctx, figure, g, names, (size_t)most + 1));
    if (g->chances && g->of_class <= (size_t)most) {
        /* Lines of equal probability of one class. */
        const char *class = names[g->of_class];
        char what[80];
        double *levels;
        size_t n;
        CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{levels}"), g->p->levels, &levels, &n));
        snprintf(what, sizeof what, "P(%.60s)", class);
        for (size_t k = 0; k < n; k++)
            CHECK(draw_level(ctx, figure, &g->lines, g->chances, what, levels[k]));
    }
    return CAIRN_OK;
}

/* Rows of a target with two values are coloured by them, as this is classification by regression;
 * the lines are where the model predicts a level. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_figure *figure, const region_grid *g)
{
    const cairn_table *table = g->plane.table;
    const cairn_field *field = cairn_model_target(g->plane.model);
    ptrdiff_t at = field ? cairn_table_find(table, field->name) : -1;
    const double *target = at < 0 ? NULL : cairn_table_numbers(table, (size_t)at);
    double *levels, value[2];
    size_t n;
    int32_t *codes = NULL;
    char words[2][CAIRN_NUMBER_SIZE];
    const char *names[] = {words[0], words[1]};
    CHECK(choose_levels(ctx, g, g->p->levels, target, table->n_rows, &levels, &n));
    if (target && cairn_two_values(target, table->n_rows, value)) {
        CHECK(SCRATCH(ctx, &codes, table->n_rows));
        for (size_t i = 0; i < table->n_rows; i++)
            codes[i] = isnan(target[i]) ? -1 : target[i] != value[0];
        for (size_t k = 0; k < 2; k++) cairn_number_format(words[k], value[k], CAIRN_SHORTEST);
    }
    cairn_figure_points(figure, cairn_table_numbers(table, g->plane.x),
                        cairn_table_numbers(table, g->plane.y), codes, table->n_rows,
                        codes ? names : NULL, codes ? 2 : 0);
    for (size_t k = 0; k < n; k++)
        CHECK(draw_level(ctx, figure, &g->plane, g->numbers, "predicted", levels[k]));
    return CAIRN_OK;
}

enum { MOST_MEMBERS = 20, NAMED_MEMBERS = 6, VOTE_FINER = 4 }; /* votes jump, scores do not */

/* The members of an ensemble, or NULL. */
static const cairn_members *members_of(const cairn_model *model)
{
    const cairn_members *members = cairn_bagging_members(model);
    if (!members) members = cairn_vote_members(model);
    if (!members) members = cairn_adaboost_members(model);
    return members ? members : cairn_boost_three_members(model);
}

/* Where a model changes its mind, with so many places along the side of a cell. */
static cairn_status find_boundary(cairn_context *ctx, cairn_contour *out, const region_grid *g,
                                  const cairn_model *model, size_t finer)
{
    cairn_model_slice slice = g->lines;
    slice.model = model;
    slice.n *= finer;
    for (int axis = 0; axis < 2; axis++) slice.step[axis] /= (double)finer;
    return cairn_slice_boundary(ctx, out, &slice);
}

/* Where a picture stands: the panels have one legend, that of the last. */
typedef enum place { ALONE, A_PANEL, LAST_PANEL } place;

/* The boundaries of members that vote, and over them that of the vote. Few members of a picture
 * that stands alone are named; many, and those of panels, whose members differ, are lines of one
 * look. */
static cairn_status draw_voters(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                const cairn_members *members, place at)
{
    cairn_contour line;
    bool few = at == ALONE && members->n <= NAMED_MEMBERS;
    for (size_t i = 0; i < members->n && i < MOST_MEMBERS; i++) {
        const cairn_model *model = members->models[i];
        char label[64];
        CHECK(find_boundary(ctx, &line, g, model, 1));
        snprintf(label, sizeof label, "member %zu: %.40s", i + 1, cairn_model_learner(model));
        if (line.n && few)
            cairn_figure_dashed(figure, label, line.x, line.y, line.n);
        else if (line.n)
            cairn_figure_guide(figure, line.x, line.y, line.n);
    }
    CHECK(find_boundary(ctx, &line, g, g->plane.model, VOTE_FINER));
    if (line.n)
        cairn_figure_thick(figure, at != A_PANEL ? "together" : NULL, line.x, line.y, line.n);
    return CAIRN_OK;
}

/* The models inside a wrapper, each with its own boundary between two classes or groups. */
static cairn_status draw_members(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                 place at)
{
    const cairn_model *model = g->plane.model;
    const char *name = cairn_model_learner(model);
    const cairn_members *members = members_of(model);
    if (members && !g->numbers) return draw_voters(ctx, figure, g, members, at);
    if (!cairn_same(name, "one-vs-rest") && !cairn_same(name, "one-vs-one") &&
        !cairn_same(name, "output-codes"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{members}: %s has no models with boundaries inside; one-vs-rest, "
                          "one-vs-one, output-codes, adaboost, bagging, vote and boost-three of "
                          "classes have",
                          name);
    const cairn_many_model *many = model->state;
    cairn_job job = cairn_model_job(model);
    for (size_t i = 0; i < many->matrix.n_models && i < MOST_MEMBERS; i++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        SCOPED(cairn_text_clear) cairn_text other = cairn_text_start(ctx);
        cairn_model_slice slice = g->lines;
        cairn_contour line;
        slice.model = many->models[i];
        CHECK(cairn_slice_boundary(ctx, &line, &slice));
        cairn_many_side(&label, many, &job, i, 1);
        cairn_many_side(&other, many, &job, i, -1);
        CHECK(cairn_text_status(&other));
        cairn_text_addf(&label, " | %s", cairn_text_string(&other));
        CHECK(cairn_text_status(&label));
        if (line.n)
            cairn_figure_dashed(figure, at != A_PANEL ? cairn_text_string(&label) : NULL, line.x,
                                line.y, line.n);
    }
    return CAIRN_OK;
}

/* A panel is called by its learner; else what is shown, of which data, and what is held. */
static cairn_status name_figure(cairn_context *ctx, cairn_figure **out,
                                const cairn_model_slice *plane, const char *title, place at)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_field *target = cairn_model_target(plane->model);
    if (at != ALONE) return cairn_figure_new(ctx, out, "regions", title);
    cairn_text_addf(&text, "What %s says%s%s", title ? title : cairn_model_learner(plane->model),
                    target ? " of " : "", target ? target->name : "");
    CHECK(cairn_text_status(&text));
    CHECK(cairn_figure_new(ctx, out, "regions", cairn_text_string(&text)));
    text.length = 0;
    if (plane->table->source) cairn_text_addf(&text, "%s; ", plane->table->source);
    CHECK(cairn_slice_held(ctx, plane, &text));
    if (text.length > 1 && text.bytes[text.length - 2] == ';') text.bytes[text.length -= 2] = 0;
    CHECK(cairn_text_status(&text));
    cairn_figure_subtitle(*out, cairn_text_string(&text));
    if (target) cairn_figure_legend_title(*out, target->name);
    return CAIRN_OK;
}

/* One picture of one model; borders between classes are refined where neighbouring cells differ. */
static cairn_status draw_model(cairn_context *ctx, cairn_figure **out, const regions_params *p,
                               cairn_model_slice plane, const char *title, place at)
{
    region_grid g = {.plane = plane, .p = p, .grades = p->shade == SHADE_PROBABILITY ? GRADES : 1};
    const cairn_table *table = plane.table;
    if (!cairn_model_learner(plane.model))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "this file holds a recipe of transforms, which predicts nothing");
    CHECK(cairn_slice_class(ctx, &g.of_class, plane.model, p->of_class));
    CHECK(predict_grid(ctx, &g));
    if (!g.numbers) CHECK(refine(ctx, &g));
    CHECK(name_figure(ctx, out, &plane, title, at));
    cairn_figure_axes(*out, table->slots[g.plane.x].name, table->slots[g.plane.y].name);
    cairn_figure_x_range(*out, g.plane.low[0], cairn_slice_edge(&g.plane, 0, g.plane.n));
    cairn_figure_y_range(*out, g.plane.low[1], cairn_slice_edge(&g.plane, 1, g.plane.n));
    CHECK(g.numbers ? draw_numbers(ctx, *out, &g) : draw_classes(ctx, *out, &g, at != A_PANEL));
    return p->members ? draw_members(ctx, *out, &g, at) : CAIRN_OK;
}

/* The learner of one panel, fitted to the two columns alone. */
static cairn_status add_panel(cairn_context *ctx, cairn_figure *all, const regions_params *p,
                              cairn_model_slice plane, const char *spec, bool last)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    CHECK(cairn_slice_fit(ctx, &model, plane.table, plane.x, plane.y, spec, p->transforms));
    plane.model = model;
    CHECK(draw_model(ctx, &panel, p, plane, spec, last ? LAST_PANEL : A_PANEL));
    cairn_figure_size(panel, 330, 290);
    cairn_figure_panel(all, TAKE(panel));
    return cairn_figure_status(all);
}

/* One learner fills the whole figure; of several each gets a panel, the last with the legend. */
static cairn_status draw_fits(cairn_context *ctx, cairn_figure **out, const regions_params *p,
                              cairn_model_slice plane)
{
    const char *const *specs;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    size_t n = 0;
    CHECK(cairn_list_lines(ctx, p->fit, &specs));
    while (specs[n]) n++;
    if (n > MOST_PANELS)
        return cairn_fail(ctx, CAIRN_USAGE, "{fit}: at most %d panels are drawn", MOST_PANELS);
    if (n == 1) {
        CHECK(cairn_slice_fit(ctx, &model, plane.table, plane.x, plane.y, specs[0], p->transforms));
        plane.model = model;
        return draw_model(ctx, out, p, plane, specs[0], ALONE);
    }
    CHECK(cairn_figure_new(ctx, out, "regions", plane.table->source));
    for (size_t i = 0; i < n; i++) CHECK(add_panel(ctx, *out, p, plane, specs[i], i + 1 == n));
    cairn_figure_columns(*out, (size_t)p->columns);
    return CAIRN_OK;
}

static cairn_status regions_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const regions_params *p = job->params;
    cairn_model_slice plane = {
        .table = job->table, .model = job->model, .at = p->at, .n = (size_t)p->grid};
    if (!job->model == !p->fit)
        return cairn_fail(ctx, CAIRN_USAGE,
                          job->model ? "either a model or {fit}, not both"
                                     : "name a model before the data, or a learner with {fit}");
    CHECK(cairn_slice_columns(ctx, &plane, p->x, p->y));
    CHECK(cairn_slice_range(ctx, &plane));
    return p->fit ? draw_fits(ctx, out, p, plane) : draw_model(ctx, out, p, plane, NULL, ALONE);
}

const cairn_calculator cairn_picture_regions = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "regions",
         .also = "decision boundary, decision regions, decision surface",
         .title = "What a model says over two features",
         .summary =
             "Colours the plane of two number features by the class or cluster that a model "
             "gives there, or by its probability, with the rows of a table on top; what a model "
             "rejects is grey. A number target becomes lines of "
             "equal predicted value, and one that has two values the line half-way between "
             "them. The model's transforms are applied to every place, so boundaries are "
             "drawn back in the space of the input: squares give circles and ellipses. Other "
             "features are held at their mean or most common value, or where --at says. Without a "
             "model, --fit fits learners to the two columns and draws them side by side.",
         .example = "cairn fit tree @iris --save iris.cairn && cairn draw regions iris.cairn "
                    "@iris --x petal_length --y petal_width --out regions.svg",
         .params = regions_table,
         .params_size = sizeof(regions_params)},
    .arguments = "[MODEL] DATA",
    .takes_model = true,
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = regions_draw,
};
