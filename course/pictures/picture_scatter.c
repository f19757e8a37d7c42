/* SPDX-License-Identifier: MIT */
/* cairn draw scatter: two number columns against each other, coloured by a level column; and over
 * them lines that separate the classes: typed ones, or the boundaries of models and of learners
 * that are fitted to the two columns; class means, half-planes, normal vectors, query points and
 * their perpendiculars. Several tables are drawn side by side. */
#include "pictures/slice.h"
#include "pictures/scatter_lines.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"
#include "plots/number_line.h"
#include "plots/skew.h"

#include <math.h>
#include <stdio.h>

typedef struct scatter_params {
    const char *x, *y, *colour, *label, *line, *dotted, *fit, *with, *model, *query;
    const cairn_params *transforms; /* what `with` stands for */
    int marks;
    bool half_planes, normal, means, equal;
} scatter_params;

static const cairn_choice scatter_marks[] = {
    {"hollow", CAIRN_MARKING_HOLLOW, "hollow and solid dots"},
    {"signs", CAIRN_MARKING_SIGNS, "plus and minus"},
    {"shapes", CAIRN_MARKING_SHAPES, "a shape for each class"},
    {"names", CAIRN_MARKING_NAMES, "every point is its label, in the colour of its class"},
    {0},
};

#define SCATTER_LINES(FIELD, HELP, ...)                                                            \
    {                                                                                              \
        .name = #FIELD, .type = CAIRN_TYPE_TEXT, .offset = offsetof(scatter_params, FIELD),        \
        .help = HELP, .repeated = true, __VA_ARGS__                                                \
    }

static const cairn_param scatter_table[] = {
    CAIRN_PARAM_AS(scatter_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(scatter_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_AS(scatter_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column that chooses the colours, or none; the target if not given"),
    CAIRN_PARAM_CHOICE(scatter_params, marks, "shapes", scatter_marks,
                       "how the first two classes are marked"),
    CAIRN_PARAM(
        scatter_params, label, NULL, NULL,
        "what stands beside every point, or is its mark: row for its number, or the name of "
        "a column"),
    SCATTER_LINES(line,
                  "a boundary a,b,c: the line a x + b y + c = 0, perhaps with a name in front, "
                  "such as 'A=1,2,-3'",
                  .often = true),
    SCATTER_LINES(dotted, "the same as a dashed line"),
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(scatter_params, fit),
     .help = "a learner that is fitted to the two columns; its boundary is drawn",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(scatter_params,
                           "a transform in front of the learners, such as basis:squares",
                           .when = "fit"),
    SCATTER_LINES(model, "a model file whose boundary is drawn"),
    SCATTER_LINES(query, "a point x,y without a class, drawn as a square, with its perpendiculars "
                         "to typed lines"),
    CAIRN_PARAM(scatter_params, half_planes, "no", NULL, "shade both sides of the first typed line",
                .when = "line"),
    CAIRN_PARAM(scatter_params, normal, "no", NULL, "draw the normal vector w = (a, b) of lines",
                .when = "line"),
    CAIRN_PARAM(scatter_params, means, "no", NULL,
                "mark the mean of every class; of two, with the line between them"),
    CAIRN_PARAM(scatter_params, equal, "no", NULL,
                "one unit is as long on x as on y, so that right angles look right; always with "
                "normals and perpendiculars"),
    CAIRN_PARAM_END,
};

enum { MOST_LABELS = 300, GRID = 200, MOST_QUERIES = 50 };

/* One panel. */
typedef struct scatter {
    cairn_context *ctx;
    const scatter_params *p;
    const cairn_table *table;
    size_t at[2];
    const double *x, *y;
    cairn_groups groups;
    cairn_typed_line *lines, *dotted;
    size_t n_lines, n_dotted;
    double (*queries)[2];
    size_t n_queries;
    cairn_window_box window;
} scatter;

/* -- reading -- */

static cairn_status read_queries(scatter *s)
{
    const char *const *lines;
    CHECK(cairn_list_lines(s->ctx, s->p->query, &lines));
    CHECK(SCRATCH(s->ctx, &s->queries, MOST_QUERIES));
    for (; lines[s->n_queries]; s->n_queries++) {
        double *numbers;
        size_t n;
        const char *line = lines[s->n_queries];
        CHECK(cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{query}"), line, &numbers, &n));
        if (n != 2 || !isfinite(numbers[0]) || !isfinite(numbers[1]))
            return cairn_fail(s->ctx, CAIRN_USAGE, "{query %s}: two numbers x,y are needed", line);
        if (s->n_queries == MOST_QUERIES)
            return cairn_fail(s->ctx, CAIRN_USAGE, "{query}: at most %d points", MOST_QUERIES);
        s->queries[s->n_queries][0] = numbers[0];
        s->queries[s->n_queries][1] = numbers[1];
    }
    return CAIRN_OK;
}

/* -- drawing -- */

/* The class that most of the rows on one side of the line have; -1 when there are none. */
static cairn_status common_class(scatter *s, const cairn_typed_line *line, int side, int32_t *out)
{
    size_t *counts;
    *out = -1;
    CHECK(SCRATCH(s->ctx, &counts, s->groups.n + 1));
    for (size_t i = 0; i < s->table->n_rows && s->groups.codes; i++) {
        double value = side * cairn_line_value(line, (double[]){s->x[i], s->y[i]});
        if (s->groups.codes[i] >= 0 && value > 0) counts[s->groups.codes[i]]++;
    }
    for (size_t k = 0; k < s->groups.n; k++)
        if (counts[k] && (*out < 0 || counts[k] > counts[*out])) *out = (int32_t)k;
    return CAIRN_OK;
}

/* Half-planes take the class that is most common on either side of the first line. A line
 * outside the axes is warned of, a dotted one is not. */
static cairn_status draw_lines(scatter *s, cairn_figure *figure)
{
    int32_t above, below;
    if (s->p->half_planes) {
        CHECK(common_class(s, &s->lines[0], 1, &above));
        CHECK(common_class(s, &s->lines[0], -1, &below));
        cairn_line_half_planes(figure, &s->lines[0], &s->window, above, below);
    }
    for (size_t i = 0; i < s->n_lines; i++) {
        if (!cairn_line_draw(figure, &s->lines[i], &s->window, false))
            cairn_warn(s->ctx, "{line}: '%s' passes by the points, outside the axes",
                       s->lines[i].name);
        if (s->p->normal) cairn_line_normal(figure, &s->lines[i], &s->window);
    }
    for (size_t i = 0; i < s->n_dotted; i++)
        (void)cairn_line_draw(figure, &s->dotted[i], &s->window, true);
    for (size_t q = 0; q < s->n_queries; q++) {
        for (size_t i = 0; i < s->n_lines; i++)
            cairn_line_perpendicular(figure, &s->lines[i], s->queries[q]);
        cairn_figure_square(figure, q ? NULL : "query", s->queries[q][0], s->queries[q][1]);
    }
    return CAIRN_OK;
}

/* Unweighted means of the complete rows of each class. */
static void draw_means(const scatter *s, cairn_figure *figure)
{
    double x[2] = {0, 0}, y[2] = {0, 0};
    size_t n_groups = s->groups.n ? s->groups.n : 1, seen = 0;
    for (size_t k = 0; k < n_groups; k++) {
        double sum_x = 0, sum_y = 0;
        size_t n = 0;
        for (size_t i = 0; i < s->table->n_rows; i++) {
            bool own = !s->groups.codes || s->groups.codes[i] == (int32_t)k;
            if (!own || !isfinite(s->x[i]) || !isfinite(s->y[i])) continue;
            sum_x += s->x[i], sum_y += s->y[i];
            n++;
        }
        if (!n) continue;
        x[seen % 2] = sum_x / (double)n;
        y[seen % 2] = sum_y / (double)n;
        cairn_figure_mark(figure, seen ? NULL : "mean", x[seen % 2], y[seen % 2]);
        seen++;
    }
    if (seen == 2) cairn_figure_dashed(figure, NULL, x, y, 2);
}

static cairn_status draw_boundary(scatter *s, cairn_figure *figure, const cairn_model *model,
                                  const char *label)
{
    cairn_contour line;
    cairn_model_slice plane = {
        .table = s->table, .model = model, .x = s->at[0], .y = s->at[1], .n = GRID};
    for (int axis = 0; axis < 2; axis++) {
        plane.low[axis] = s->window.low[axis];
        plane.step[axis] = (s->window.high[axis] - s->window.low[axis]) / GRID;
    }
    CHECK(cairn_slice_boundary(s->ctx, &line, &plane));
    if (line.n) cairn_figure_line(figure, label, line.x, line.y, line.n);
    return CAIRN_OK;
}

/* Boundaries of the learners and of the model files that were named. */
static cairn_status draw_boundaries(scatter *s, cairn_figure *figure)
{
    const char *const *specs, *const *files;
    CHECK(cairn_list_lines(s->ctx, s->p->fit, &specs));
    CHECK(cairn_list_lines(s->ctx, s->p->model, &files));
    for (size_t i = 0; specs[i]; i++) {
        OWNED(cairn_model_free) cairn_model *model = NULL;
        CHECK(cairn_slice_fit(s->ctx, &model, s->table, s->at[0], s->at[1], specs[i],
                              s->p->transforms));
        CHECK(draw_boundary(s, figure, model, specs[i]));
    }
    for (size_t i = 0; files[i]; i++) {
        OWNED(cairn_model_free) cairn_model *model = NULL;
        CHECK(cairn_model_load(s->ctx, &model, files[i]));
        CHECK(draw_boundary(s, figure, model, files[i]));
    }
    return CAIRN_OK;
}

/* The number of a row, or its cell of the column. */
static void label_of(const scatter *s, bool rows, size_t at, size_t i, char text[64])
{
    if (rows)
        (void)snprintf(text, 64, "%zu", i + 1);
    else if (cairn_column_cell(s->table->slots[at].column, i, text, 64) >= 64)
        text[63] = '\0';
    if (!isfinite(s->x[i]) || !isfinite(s->y[i])) *text = '\0';
}

/* The names of all rows at the place of row i in place of their mark, grey where their classes
 * differ; nothing when an earlier row is there. */
static cairn_status draw_name(scatter *s, cairn_figure *figure, bool rows, size_t at, size_t i)
{
    SCOPED(cairn_text_clear) cairn_text all = cairn_text_start(s->ctx);
    const int32_t *groups = s->groups.codes;
    int32_t group = groups ? groups[i] : 0;
    char text[64];
    for (size_t k = 0; k < s->table->n_rows; k++) {
        if (s->x[k] != s->x[i] || s->y[k] != s->y[i]) continue;
        if (k < i) return CAIRN_OK;
        label_of(s, rows, at, k, text);
        if (*text) cairn_text_addf(&all, "%s%s", all.length ? ", " : "", text);
        if (groups && groups[k] != group) group = -1;
    }
    CHECK(cairn_text_status(&all));
    if (all.length) cairn_figure_named(figure, s->x[i], s->y[i], group, cairn_text_string(&all));
    return CAIRN_OK;
}

/* Numbers of rows, or cells of a column, beside the points or in their place. */
static cairn_status draw_labels(scatter *s, cairn_figure *figure)
{
    size_t at = 0;
    bool rows = !s->p->label || cairn_same(s->p->label, "row");
    char text[64] = "";
    if (!rows) CHECK(cairn_table_get(s->ctx, s->table, s->p->label, &at));
    if (s->table->n_rows > MOST_LABELS)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{label}: at most %d points can be labelled, not %zu", MOST_LABELS,
                          s->table->n_rows);
    for (size_t i = 0; i < s->table->n_rows; i++) {
        if (s->p->marks == CAIRN_MARKING_NAMES) {
            CHECK(draw_name(s, figure, rows, at, i));
            continue;
        }
        label_of(s, rows, at, i, text);
        if (*text) cairn_figure_label(figure, s->x[i], s->y[i], text);
    }
    return CAIRN_OK;
}

/* Whether something asks for a window of its own rather than for the range of the points. */
static bool has_lines(const scatter *s)
{
    return s->n_lines || s->n_dotted || s->p->fit || s->p->model;
}

/* Axes get equal units also where right angles are shown: at normals and perpendiculars of
 * queries. */
static cairn_status draw_panel(scatter *s, cairn_figure *figure, bool legend)
{
    const scatter_params *p = s->p;
    cairn_figure_axes(figure, s->table->slots[s->at[0]].name, s->table->slots[s->at[1]].name);
    cairn_figure_scales(figure, cairn_picture_scale(s->table, s->at[0]),
                        cairn_picture_scale(s->table, s->at[1]));
    if (!has_lines(s) && !s->n_queries && !p->equal && !p->normal &&
        cairn_picture_scale(s->table, s->at[1]) == CAIRN_SCALE_LINEAR &&
        cairn_picture_scale(s->table, s->at[0]) == CAIRN_SCALE_LINEAR)
        CHECK(cairn_skew_frame(s->ctx, figure, s->y, s->table->n_rows, true));
    cairn_figure_marking(figure, (cairn_marking)p->marks);
    if (p->equal || p->normal || (s->n_queries && s->n_lines)) cairn_figure_equal_axes(figure);
    if (has_lines(s)) {
        cairn_figure_x_range(figure, s->window.low[0], s->window.high[0]);
        cairn_figure_y_range(figure, s->window.low[1], s->window.high[1]);
    }
    cairn_figure_points(figure, s->x, s->y, s->groups.codes, s->table->n_rows,
                        legend ? s->groups.names : NULL, legend ? s->groups.n : 0);
    CHECK(draw_lines(s, figure));
    CHECK(draw_boundaries(s, figure));
    if (p->means) draw_means(s, figure);
    if (p->label || p->marks == CAIRN_MARKING_NAMES) CHECK(draw_labels(s, figure));
    return CAIRN_OK;
}

/* One table is the picture itself, several are its panels. */
static cairn_status scatter_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    size_t n = job->tables.n;
    if (n > 1) CHECK(cairn_figure_new(ctx, out, "scatter", NULL));
    for (size_t i = 0; i < n; i++) {
        scatter s = {.ctx = ctx, .p = job->params, .table = job->tables.list[i]};
        OWNED(cairn_figure_free) cairn_figure *panel = NULL;
        CHECK(cairn_picture_pair(s.ctx, s.at, s.table, s.p->x, s.p->y));
        CHECK(cairn_picture_groups(s.ctx, &s.groups, s.table, s.p->colour));
        CHECK(cairn_typed_lines_read(s.ctx, &s.lines, &s.n_lines, s.p->line, "line"));
        CHECK(cairn_typed_lines_read(s.ctx, &s.dotted, &s.n_dotted, s.p->dotted, "dotted"));
        CHECK(read_queries(&s));
        s.x = cairn_table_numbers(s.table, s.at[0]);
        s.y = cairn_table_numbers(s.table, s.at[1]);
        /* What the axes show: rows and queries with a margin. */
        for (int axis = 0; axis < 2; axis++) {
            const double *values = axis ? s.y : s.x;
            double low = INFINITY, high = -INFINITY;
            for (size_t j = 0; j < s.table->n_rows; j++)
                if (isfinite(values[j])) low = fmin(low, values[j]), high = fmax(high, values[j]);
            for (size_t j = 0; j < s.n_queries; j++)
                low = fmin(low, s.queries[j][axis]), high = fmax(high, s.queries[j][axis]);
            if (low > high) low = 0, high = 1;
            double pad = high > low ? 0.08 * (high - low) : 1;
            s.window.low[axis] = low - pad;
            s.window.high[axis] = high + pad;
        }
        CHECK(cairn_picture_new(ctx, &panel, "scatter", s.table, "%s over %s",
                                s.table->slots[s.at[1]].name, s.table->slots[s.at[0]].name));
        cairn_picture_legend(panel, &s.groups);
        if (n > 1) cairn_figure_size(panel, 360, 300);
        CHECK(draw_panel(&s, panel, true));
        if (n > 1)
            cairn_figure_panel(*out, TAKE(panel));
        else
            *out = TAKE(panel);
    }
    if (n > 1) cairn_figure_columns(*out, 3);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_scatter = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "scatter",
         .also = "scatter plot, scatterplot, x against y, linear boundary, separating line, "
                 "half-planes",
         .title = "Two columns against each other",
         .summary =
             "One point per row, two number columns as its place, the levels of a third (the "
             "target unless --colour names another) as colour and mark. Over them any number of "
             "boundaries: typed lines with their half-planes and normal vectors, the boundaries "
             "of learners that are fitted to the two columns, or of model files; class means, "
             "and query points with their distances from the lines. Several tables are drawn "
             "side by side.",
         .example = "cairn draw scatter @iris --x petal_length --y petal_width",
         .params = scatter_table,
         .params_size = sizeof(scatter_params)},
    .arguments = "DATA ...",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .draw = scatter_draw,
};
