/* SPDX-License-Identifier: MIT */
/* cairn draw surface: a number over the plane of two others, seen in space: typed functions,
 * Gaussian densities, planes, and what models predict (numbers, or the probability of a class),
 * with the rows of a table around them. Several surfaces are panels, side by side on the same axes:
 * the true plane, the fitted one, another model. A point beside a plane gets its perpendicular. */
#include "plots/scene.h"
#include "pictures/slice.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"
#include "typed/plane_gaussian.h"
#include "typed/shown.h"
#include "typed/typed_functions.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct surface_params {
    const char *function, *gaussian, *plane, *fit, *with, *model, *x, *y, *of_class, *point;
    const cairn_params *transforms; /* what `with` stands for */
    double low, high, y_low, y_high, turn, tilt;
    int64_t grid, columns;
    bool points, residuals;
} surface_params;

#define SURFACE_TEXTS(FIELD, HELP, ...)                                                            \
    {                                                                                              \
        .name = #FIELD, .type = CAIRN_TYPE_TEXT, .offset = offsetof(surface_params, FIELD),        \
        .help = HELP, .repeated = true, __VA_ARGS__                                                \
    }

static const cairn_param surface_table[] = {
    SURFACE_TEXTS(function, "an expression of x and y, perhaps with a name: 'true=x+y'",
                  .often = true),
    SURFACE_TEXTS(gaussian, "the density of a Gaussian: mean of x, mean of y, sd of x, sd of y and "
                            "correlation, such as 0,0,1,1,0.8"),
    SURFACE_TEXTS(plane, "a plane a,b,c,d: a x + b y + c z + d = 0, where c is not 0"),
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(surface_params, fit),
     .help = "with data: a learner that is fitted to the two columns",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(
        surface_params, "a transform in front of the learners, such as calibrate or basis:squares",
        .when = "fit"),
    SURFACE_TEXTS(model, "with data: a model file; other features are held at their mean or most "
                         "common value"),
    CAIRN_PARAM(surface_params, of_class, NULL, NULL,
                "classifiers: the class whose probability is drawn; the positive one of two if not "
                "given"),
    CAIRN_PARAM_AS(surface_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: the first column; the first number column if not given"),
    CAIRN_PARAM_AS(surface_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: the second column; the second number column if not given"),
    CAIRN_PARAM(surface_params, points, "yes", NULL, "with data: draw the rows at their target"),
    CAIRN_PARAM(surface_params, residuals, "no", NULL,
                "with data: lines from the rows to the surface"),
    CAIRN_PARAM_AS(surface_params, point, CAIRN_TYPE_LIST, NULL,
                   "a point x,y,z with its perpendicular to each plane", .when = "plane"),
    CAIRN_PARAM(surface_params, low, CAIRN_NOT_GIVEN, NULL,
                "where x begins; from the data, else -3"),
    CAIRN_PARAM(surface_params, high, CAIRN_NOT_GIVEN, NULL, "where x ends; else 3"),
    CAIRN_PARAM(surface_params, y_low, CAIRN_NOT_GIVEN, NULL, "where y begins"),
    CAIRN_PARAM(surface_params, y_high, CAIRN_NOT_GIVEN, NULL, "where y ends"),
    CAIRN_PARAM(surface_params, turn, "-35", "[-360,360]", "degrees about the upright axis"),
    CAIRN_PARAM(surface_params, tilt, "28", "[0,90]", "degrees from the side (0) to above (90)"),
    CAIRN_PARAM(surface_params, grid, "24", "[2,100]", "faces along each side"),
    CAIRN_PARAM(surface_params, columns, "3", "[1,20]", "panels in a row"),
    CAIRN_PARAM_END,
};

enum { MOST_SURFACES = 12, MOST_ROWS = 3000 };
enum { WIDTH = 480, HEIGHT = 380, PANEL_WIDTH = 340, PANEL_HEIGHT = 290 };

/* One surface: the one that is set says what it is. */
typedef struct surface {
    const char *title;
    const char *expression;
    const cairn_plane_gaussian *gaussian;
    const double *plane; /* a, b, c, d */
    cairn_model *model;  /* owned */
    size_t class;        /* whose probability is the height */
    double *z;           /* grid + 1 squared */
} surface;

/* The rows that are drawn. */
typedef struct surface_rows {
    double *x, *y, *z;
    int32_t *group;
    size_t n;
} surface_rows;

typedef struct space {
    cairn_context *ctx;
    const surface_params *p;
    const cairn_table *table;
    cairn_model_slice slice; /* the columns and the table, for models */
    surface list[MOST_SURFACES];
    size_t n;
    const double *point; /* NULL = none */
    bool scores;         /* heights of classes are scores, not probabilities */
    cairn_scene scene;   /* ranges and names of the axes, without pieces */
    double *x, *y;       /* of the grid */
    surface_rows rows;
} space;

static void clear_space(space *s)
{
    for (size_t i = 0; i < s->n; i++) cairn_model_free(s->list[i].model);
}

/* -- what is drawn -- */

static cairn_status add_surface(space *s, surface **out, const char *title)
{
    if (s->n == MOST_SURFACES)
        return cairn_fail(s->ctx, CAIRN_USAGE, "at most %d surfaces are drawn", MOST_SURFACES);
    *out = &s->list[s->n++];
    **out = (surface){.title = title};
    return CAIRN_OK;
}

/* Functions, Gaussians and planes, in this order; an upright plane has no height and is refused. */
static cairn_status add_typed(space *s)
{
    cairn_typed_function *functions;
    const char *const *gaussians;
    cairn_vectors planes = {0};
    surface *one;
    size_t n;
    CHECK(cairn_functions_read(s->ctx, &functions, &n, s->p->function));
    for (size_t i = 0; i < n; i++) {
        CHECK(add_surface(s, &one, functions[i].name));
        one->expression = functions[i].expression;
    }
    CHECK(cairn_list_lines(s->ctx, s->p->gaussian, &gaussians));
    for (size_t i = 0; gaussians[i]; i++) {
        cairn_plane_gaussian *gaussian;
        CHECK(SCRATCH(s->ctx, &gaussian, 1));
        CHECK(cairn_plane_gaussian_read(s->ctx, gaussian, gaussians[i]));
        CHECK(add_surface(s, &one, gaussians[i]));
        one->gaussian = gaussian;
    }
    CHECK(cairn_planes_read(s->ctx, &planes, "plane", s->p->plane, "plane "));
    if (planes.n) CHECK(cairn_planes_check(s->ctx, &planes, 3, "plane"));
    for (size_t i = 0; i < planes.n; i++) {
        CHECK(add_surface(s, &one, planes.names[i]));
        one->plane = cairn_plane(&planes, i);
        if (one->plane[2] == 0)
            return cairn_fail(s->ctx, CAIRN_USAGE,
                              "{plane}: '%s' stands upright (c is 0), so it has no height over x "
                              "and y",
                              planes.names[i]);
    }
    return CAIRN_OK;
}

/* Learners that are fitted here, then models from files; both need the table that is drawn. */
static cairn_status add_models(space *s)
{
    const char *const *specs, *const *files;
    surface *one;
    CHECK(cairn_list_lines(s->ctx, s->p->fit, &specs));
    CHECK(cairn_list_lines(s->ctx, s->p->model, &files));
    if ((specs[0] || files[0]) && !s->table)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{%s} needs data", specs[0] ? "fit" : "model");
    for (size_t i = 0; specs[i]; i++) {
        CHECK(add_surface(s, &one, specs[i]));
        CHECK(cairn_slice_fit(s->ctx, &one->model, s->table, s->slice.x, s->slice.y, specs[i],
                              s->p->transforms));
        CHECK(cairn_slice_class(s->ctx, &one->class, one->model, s->p->of_class));
    }
    for (size_t i = 0; files[i]; i++) {
        CHECK(add_surface(s, &one, files[i]));
        CHECK(cairn_model_load(s->ctx, &one->model, files[i]));
        CHECK(cairn_slice_class(s->ctx, &one->class, one->model, s->p->of_class));
    }
    return CAIRN_OK;
}

/* -- heights -- */

static cairn_status model_heights(space *s, const surface *one, const cairn_places *at, double *out)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_model_slice slice = s->slice;
    slice.model = one->model;
    CHECK(cairn_slice_ask(s->ctx, &said, &slice, at, (cairn_predict_wants){.scores = true}));
    if (!said.numbers && !said.scores)
        return cairn_fail(s->ctx, CAIRN_USAGE, "'%s' predicts neither numbers nor probabilities",
                          one->title);
    s->scores |= !said.numbers && !cairn_scores_are_probabilities(&said);
    for (size_t i = 0; i < at->n; i++)
        out[i] = said.numbers ? said.numbers[i] : said.scores[i * said.n_classes + one->class];
    return CAIRN_OK;
}

static cairn_status heights(space *s, const surface *one, const cairn_places *at, double *out)
{
    static const char *const names[] = {"x", "y"};
    const double *columns[] = {at->x, at->y};
    if (one->model) return model_heights(s, one, at, out);
    if (one->expression)
        return cairn_function_values(s->ctx, out, one->expression,
                                     &(cairn_variables){names, columns, 2, at->n}, "function");
    for (size_t i = 0; i < at->n; i++) {
        double x = at->x[i], y = at->y[i];
        const double *w = one->plane;
        out[i] = w ? -(w[0] * x + w[1] * y + w[3]) / w[2]
                   : cairn_exp(cairn_plane_gaussian_log_density(one->gaussian, x, y));
    }
    return CAIRN_OK;
}

/* The places of the grid, row by row. */
static cairn_status make_grid(space *s)
{
    size_t side = (size_t)s->p->grid + 1, n = side * side;
    CHECK(SCRATCH_RAW_EACH(s->ctx, n, &s->x, &s->y));
    for (size_t k = 0; k < n; k++) {
        size_t column = k % side, row = k / side;
        double across = (double)column / (double)(side - 1);
        double along = (double)row / (double)(side - 1);
        s->x[k] = s->scene.low[0] + (s->scene.high[0] - s->scene.low[0]) * across;
        s->y[k] = s->scene.low[1] + (s->scene.high[1] - s->scene.low[1]) * along;
    }
    return CAIRN_OK;
}

/* -- rows and ranges -- */

/* Rows stand at the number of their target, or at 1 and 0 for the class that is drawn and the
 * others. */
static cairn_status read_rows(space *s)
{
    ptrdiff_t target = s->table ? cairn_table_role_column(s->table, CAIRN_TARGET) : -1;
    if (target < 0 || (!s->p->points && !s->p->residuals)) return CAIRN_OK;
    const cairn_column *column = s->table->slots[target].column;
    const double *x = cairn_table_numbers(s->table, s->slice.x);
    const double *y = cairn_table_numbers(s->table, s->slice.y);
    surface_rows *r = &s->rows;
    const surface *first = &s->list[0];
    if (!column->numbers && !(first->model && column->codes)) return CAIRN_OK;
    size_t most = s->table->n_rows < MOST_ROWS ? s->table->n_rows : MOST_ROWS;
    CHECK(SCRATCH_EACH(s->ctx, most + 1, &r->x, &r->y, &r->z, &r->group));
    for (size_t i = 0; i < s->table->n_rows && r->n < most; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]) || cairn_column_is_missing(column, i)) continue;
        char cell[200];
        r->x[r->n] = x[i];
        r->y[r->n] = y[i];
        r->group[r->n] = 1;
        if (column->numbers) {
            r->z[r->n] = column->numbers[i];
        } else {
            const cairn_field *field = cairn_model_target(first->model);
            size_t length = cairn_column_cell(column, i, cell, sizeof cell);
            if (length >= sizeof cell) continue;
            int64_t code = cairn_map_find(&field->names, cell, length);
            r->z[r->n] = code == (int64_t)first->class;
            r->group[r->n] = (int32_t)code;
        }
        if (isfinite(r->z[r->n])) r->n++;
    }
    if (s->table->n_rows > MOST_ROWS) cairn_warn(s->ctx, "the first %d rows are drawn", MOST_ROWS);
    return CAIRN_OK;
}

/* x and y from the data or from -3 to 3, with the point and its feet; what is given comes last. */
static cairn_status set_floor(space *s)
{
    cairn_scene *v = &s->scene;
    const double given[2][2] = {{s->p->low, s->p->high}, {s->p->y_low, s->p->y_high}};
    for (int k = 0; k < 2; k++) v->low[k] = s->table ? INFINITY : -3, v->high[k] = -v->low[k];
    if (s->table) {
        cairn_model_slice range = s->slice;
        range.n = 1;
        CHECK(cairn_slice_range(s->ctx, &range));
        for (int k = 0; k < 2; k++) {
            v->low[k] = range.low[k];
            v->high[k] = range.low[k] + range.step[k];
        }
    }
    v->low[2] = INFINITY, v->high[2] = -INFINITY;
    if (s->point) cairn_scene_include(v, s->point);
    for (int k = 0; k < 2; k++) {
        if (!isnan(given[k][0])) v->low[k] = given[k][0];
        if (!isnan(given[k][1])) v->high[k] = given[k][1];
    }
    return cairn_check_ends(s->ctx, v->low, v->high);
}

/* The heights of all surfaces and rows, so that panels have one scale. */
static cairn_status set_heights(space *s)
{
    size_t n = (size_t)(s->p->grid + 1) * (size_t)(s->p->grid + 1);
    cairn_scene *v = &s->scene;
    for (size_t i = 0; i < s->n; i++) {
        CHECK(SCRATCH_RAW(s->ctx, &s->list[i].z, n));
        CHECK(heights(s, &s->list[i], &(cairn_places){s->x, s->y, n}, s->list[i].z));
        for (size_t k = 0; k < n; k++)
            cairn_scene_include(v, (double[]){s->x[k], s->y[k], s->list[i].z[k]});
    }
    for (size_t i = 0; i < s->rows.n; i++)
        cairn_scene_include(v, (double[]){s->rows.x[i], s->rows.y[i], s->rows.z[i]});
    if (v->low[2] > v->high[2] || !isfinite(v->high[2] - v->low[2]))
        return cairn_fail(s->ctx, CAIRN_USAGE, "there is no height to draw over these axes");
    if (v->low[2] == v->high[2]) v->low[2] -= 1, v->high[2] += 1;
    return CAIRN_OK;
}

/* -- drawing -- */

static cairn_status add_rows(space *s, cairn_scene *scene, const surface *one)
{
    const surface_rows *r = &s->rows;
    double *z;
    CHECK(SCRATCH_RAW(s->ctx, &z, r->n + 1));
    if (s->p->residuals) CHECK(heights(s, one, &(cairn_places){r->x, r->y, r->n}, z));
    for (size_t i = 0; i < r->n; i++) {
        const double dot[3] = {r->x[i], r->y[i], r->z[i]};
        double line[2][3] = {{r->x[i], r->y[i], r->z[i]}, {r->x[i], r->y[i], 0}};
        line[1][2] = z[i];
        if (s->p->residuals) CHECK(cairn_scene_add(s->ctx, scene, -1, 1, line, 2));
        if (s->p->points) CHECK(cairn_scene_add(s->ctx, scene, r->group[i], 1, &dot, 1));
    }
    return CAIRN_OK;
}

/* The foot of the point on the plane, the line to it, and its length. */
static cairn_status add_perpendicular(space *s, cairn_scene *scene, cairn_figure *figure,
                                      const surface *one)
{
    const double *w = one->plane, *at = s->point;
    double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    double share = cairn_plane_value(w, at, 3) / square, line[2][3], x, y;
    char text[CAIRN_NUMBER_SIZE + 8] = "d = ";
    for (int k = 0; k < 3; k++) {
        line[0][k] = at[k];
        line[1][k] = at[k] - share * w[k];
    }
    cairn_number_format(text + strlen(text), fabs(share) * sqrt(square), 4);
    CHECK(cairn_scene_add(s->ctx, scene, 1, 1, line, 2));
    CHECK(cairn_scene_add(s->ctx, scene, 1, 1, line, 1));
    CHECK(cairn_scene_add(s->ctx, scene, 3, 1, line + 1, 1));
    const double middle[3] = {(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2,
                              (line[0][2] + line[1][2]) / 2};
    cairn_scene_place(scene, middle, &x, &y);
    cairn_figure_label(figure, x, y, text);
    return CAIRN_OK;
}

/* The classes that rows have, for the legend. */
static cairn_status add_names(space *s, cairn_figure *figure)
{
    const cairn_field *target = s->list[0].model ? cairn_model_target(s->list[0].model) : NULL;
    const char **names;
    if (!s->rows.n || !s->p->points || !target || target->kind != CAIRN_LEVEL) return CAIRN_OK;
    CHECK(SCRATCH(s->ctx, &names, target->names.n + 1));
    for (size_t k = 0; k < target->names.n; k++) names[k] = cairn_map_key(&target->names, k);
    cairn_figure_points(figure, NULL, NULL, NULL, 0, names, target->names.n);
    return CAIRN_OK;
}

static cairn_status draw_one(space *s, cairn_figure **out, const surface *one)
{
    SCOPED(cairn_scene_clear) cairn_scene scene = s->scene;
    scene.width = s->n > 1 ? PANEL_WIDTH : WIDTH;
    scene.height = s->n > 1 ? PANEL_HEIGHT : HEIGHT;
    CHECK(cairn_figure_new(s->ctx, out, "surface", one->title));
    CHECK(cairn_scene_surface(s->ctx, &scene, s->x, s->y, one->z, (size_t)s->p->grid + 1));
    CHECK(add_rows(s, &scene, one));
    if (s->point && one->plane) CHECK(add_perpendicular(s, &scene, *out, one));
    cairn_scene_draw(&scene, *out);
    return one == &s->list[s->n - 1] ? add_names(s, *out) : CAIRN_OK;
}

static cairn_status draw_all(space *s, cairn_figure **out)
{
    if (s->n == 1) {
        CHECK(draw_one(s, out, &s->list[0]));
        cairn_figure_size(*out, WIDTH, HEIGHT);
        return CAIRN_OK;
    }
    CHECK(cairn_figure_new(s->ctx, out, "surface", s->table ? s->table->source : NULL));
    for (size_t i = 0; i < s->n; i++) {
        cairn_figure *panel = NULL;
        cairn_status status = draw_one(s, &panel, &s->list[i]);
        if (panel) cairn_figure_size(panel, PANEL_WIDTH, PANEL_HEIGHT);
        if (panel) cairn_figure_panel(*out, panel);
        CHECK(status);
    }
    cairn_figure_columns(*out, (size_t)s->p->columns);
    return CAIRN_OK;
}

/* Names of the axes: those of the columns, and what is predicted. */
static void name_axes(space *s)
{
    ptrdiff_t target = s->table ? cairn_table_role_column(s->table, CAIRN_TARGET) : -1;
    bool numbers = target >= 0 && s->table->slots[target].column->numbers;
    s->scene.names[0] = s->table ? s->table->slots[s->slice.x].name : "x";
    s->scene.names[1] = s->table ? s->table->slots[s->slice.y].name : "y";
    s->scene.names[2] = s->list[0].gaussian ? "density"
                        : numbers           ? s->table->slots[target].name
                        : s->list[0].model  ? (s->scores ? "score" : "probability")
                                            : "z";
}

static cairn_status read_point(space *s)
{
    double *numbers;
    size_t n;
    if (!s->p->point) return CAIRN_OK;
    CHECK(cairn_list_numbers(s->ctx, "point", s->p->point, &numbers, &n));
    bool right = n == 3;
    for (size_t i = 0; i < n && right; i++) right = isfinite(numbers[i]);
    if (!right)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{point %s}: three numbers x,y,z are needed",
                          s->p->point);
    s->point = numbers;
    return CAIRN_OK;
}

static cairn_status surface_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const surface_params *p = job->params;
    SCOPED(clear_space) space s = {.ctx = ctx, .p = p, .table = job->table};
    s.scene.turn = p->turn;
    s.scene.tilt = p->tilt;
    s.slice = (cairn_model_slice){.table = job->table, .n = 1};
    if (job->table) CHECK(cairn_slice_columns(ctx, &s.slice, p->x, p->y));
    CHECK(add_typed(&s));
    CHECK(add_models(&s));
    CHECK(read_point(&s));
    if (s.n == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "nothing to draw: type a {function}, a {gaussian} or a {plane}, or name "
                          "data and a learner with {fit}");
    s.scene.equal = s.point != NULL;
    CHECK(read_rows(&s));
    CHECK(set_floor(&s));
    CHECK(make_grid(&s));
    CHECK(set_heights(&s));
    name_axes(&s);
    return draw_all(&s, out);
}

const cairn_calculator cairn_picture_surface = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "surface",
         .also = "3-D plot, regression plane, Gaussian density surface, probability surface, "
                 "point-to-plane distance",
         .title = "Surfaces over two columns",
         .summary =
             "A number over two others, seen in space: typed functions, Gaussian densities, "
             "planes, or what learners and models predict from two columns, with the rows of the "
             "table at their target. Several surfaces stand side by side on the same axes. A "
             "point beside a plane is drawn with its perpendicular.",
         .example = "cairn draw surface --gaussian 0,0,1,1,0 --gaussian 0,0,1,1,0.8 --out g.svg",
         .params = surface_table,
         .params_size = sizeof(surface_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = surface_draw,
};
