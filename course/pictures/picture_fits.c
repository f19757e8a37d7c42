/* SPDX-License-Identifier: MIT */
/* cairn draw fits: the same data fitted by settings of growing flexibility, side by side: too
 * simple, about right, too flexible.
 *
 * Numbers as target: the rows over one column and the fitted curve. Classes: the rows over two
 * columns and the borders between the regions that get different answers, found on a grid. Only the
 * columns that are drawn are learned from. The title of a panel has the value on the training rows
 * and by cross-validation. */
#include "pictures/slice.h"

#include "base/memory.h"
#include "base/number.h"
#include "evaluate/space.h"
#include "model/judged_rows.h"
#include "stats/measure.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { CURVE_POINTS = 300, GRID = 120, MOST_PANELS = 6 };

typedef struct fits_params {
    const char *learner, *with, *over, *x, *y;
    const cairn_params *transforms; /* what `with` stands for */
} fits_params;

static const cairn_param fits_table[] = {
    CAIRN_PARAM_AS(fits_params, learner, CAIRN_TYPE_SPEC, NULL,
                   "the learner; tree for classes and linear for numbers when not given",
                   .names = "learner"),
    CAIRN_PARAM_TRANSFORMS(
        fits_params,
        "a transform that comes before the learner; may be given several times, in order; "
        "basis:type=powers for linear when not given"),
    CAIRN_PARAM(fits_params, over, NULL, NULL,
                "the parameter that varies, with a value per panel, such as max-depth=1,3,0 or "
                "basis.degree=1,2,4,9"),
    CAIRN_PARAM_AS(fits_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(fits_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "classes: column along the vertical axis; the second number column if not "
                   "given"),
    CAIRN_PARAM_END,
};

typedef struct fitting {
    cairn_table *table; /* of the drawn columns and the target */
    cairn_groups groups;
    const double *x, *y; /* y is the target of numbers */
    const char *x_name, *y_name;
    size_t columns[2];      /* of x and y */
    double low[2], high[2]; /* of both */
    bool classes;
} fitting;

static void find_range(const double *values, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
    double buffer = *high > *low ? 0.05 * (*high - *low) : 0.5;
    *low -= buffer;
    *high += buffer;
}

/* The columns that are drawn; everything else is turned off. */
static cairn_status choose_columns(cairn_context *ctx, fitting *f, const fits_params *p,
                                   const cairn_table *table)
{
    size_t x, y, n = table->n_rows;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "fits are drawn for a target; name it with {target}"));
    f->classes = table->slots[target].column->kind == CAIRN_LEVEL;
    CHECK(cairn_picture_numbers(ctx, &x, table, "x", p->x, 0));
    y = (size_t)target;
    if (f->classes) {
        CHECK(cairn_picture_numbers(ctx, &y, table, "y", p->y, p->x ? 0 : 1));
        if (!p->y && x == y) CHECK(cairn_picture_numbers(ctx, &y, table, "y", NULL, 1));
        CHECK(cairn_picture_groups(ctx, &f->groups, table, NULL));
    }
    CHECK(cairn_table_share(ctx, &f->table, table));
    for (size_t i = 0; i < f->table->n_columns; i++)
        if (i != x && i != y && i != (size_t)target) f->table->slots[i].role = CAIRN_IGNORED;
    f->table->slots[x].role = CAIRN_FEATURE;
    f->x = cairn_table_numbers(table, x);
    f->y = cairn_table_numbers(table, y);
    if (!f->y) CHECK(cairn_fail(ctx, CAIRN_USAGE, "the target must hold numbers or levels"));
    f->columns[0] = x;
    f->columns[1] = y;
    f->x_name = table->slots[x].name;
    f->y_name = table->slots[y].name;
    find_range(f->x, n, &f->low[0], &f->high[0]);
    find_range(f->y, n, &f->low[1], &f->high[1]);
    if (!isfinite(f->low[0] + f->high[0] + f->low[1] + f->high[1]))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are no numbers to draw"));
    return CAIRN_OK;
}

/* Places along x as a raw table. */
static cairn_status make_places(cairn_context *ctx, cairn_table **out, const fitting *f, double **x,
                                size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(SCRATCH(ctx, x, n));
    for (size_t i = 0; i < n; i++)
        (*x)[i] = f->low[0] + (f->high[0] - f->low[0]) * (double)i / (double)(n - 1);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(cairn_table_put_numbers(ctx, table, f->x_name, *x));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Where the model changes its class. */
static cairn_status draw_borders(cairn_context *ctx, cairn_figure *figure, const fitting *f,
                                 const cairn_model *model)
{
    cairn_contour line;
    cairn_model_slice slice = {
        .table = f->table, .model = model, .x = f->columns[0], .y = f->columns[1], .n = GRID};
    for (int axis = 0; axis < 2; axis++) {
        slice.low[axis] = f->low[axis];
        slice.step[axis] = (f->high[axis] - f->low[axis]) / GRID;
    }
    CHECK(cairn_slice_boundary(ctx, &line, &slice));
    if (line.n) cairn_figure_line(figure, NULL, line.x, line.y, line.n);
    return CAIRN_OK;
}

/* The curve of predicted numbers; what leaves the panel is not drawn. */
static cairn_status draw_curve(cairn_context *ctx, cairn_figure *figure, const fitting *f,
                               const cairn_model *model)
{
    OWNED(cairn_table_free) cairn_table *places = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {0};
    double *x;
    CHECK(make_places(ctx, &places, f, &x, CURVE_POINTS));
    CHECK(cairn_model_predict_rows(ctx, &p, model, places, cairn_all_rows(places),
                                   (cairn_predict_wants){0}, &match));
    for (size_t i = 0; i < CURVE_POINTS; i++)
        if (p.numbers[i] < f->low[1] || p.numbers[i] > f->high[1]) p.numbers[i] = NAN;
    cairn_figure_line(figure, NULL, x, p.numbers, CURVE_POINTS);
    return CAIRN_OK;
}

/* "max-depth=3: 0.96 / 0.94", on the training rows and on held-out ones. */
static cairn_status make_title(cairn_context *ctx, char *out, size_t size, const fitting *f,
                               const cairn_settings *at, const cairn_model *model,
                               const char *label)
{
    cairn_status status;
    cairn_evaluation e = {0};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how how = {
        .by = f->table->n_rows < 20 ? "loo" : "cv:10", .fit = &fit, .training = CAIRN_TRAINING_NO};
    double seen, held = NAN;
    char a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
    cairn_log_function log = ctx->log;
    fit.task = f->classes ? CAIRN_CLASSIFY : CAIRN_REGRESS;
    fit.transforms = at->transforms;
    ctx->log = NULL;
    TRY(cairn_measure_model(ctx, &seen, model, f->table, cairn_all_rows(f->table)));
    status = cairn_evaluate_learner(ctx, &e, at->params, f->table, &how);
    if (status == CAIRN_OK) {
        cairn_judged judged = cairn_evaluation_judged(&e);
        held = cairn_judged_usual(&judged);
    } else if (status != CAIRN_BAD_DATA && status != CAIRN_NO_SOLUTION) {
        goto done;
    }
    cairn_number_format(a, seen, 3);
    cairn_number_format(b, held, 3);
    snprintf(out, size, "%s: %s / %s", label, a, isnan(held) ? "n/a" : b);
    status = CAIRN_OK;
done:
    ctx->log = log;
    cairn_evaluation_clear(&e);
    return status;
}

/* One panel is one value of the varied parameter, fitted anew; only the last has the legend. */
static cairn_status add_panel(cairn_context *ctx, cairn_figure *figure, const fitting *f,
                              const cairn_space *space, size_t i, const cairn_params *params)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_figure *panel = NULL;
    cairn_model *model = NULL;
    cairn_settings at = {0};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    const char *value, *label;
    char title[200], name[40];
    cairn_space_point(space, i, &value);
    TRY(cairn_space_label(ctx, space, &value, &label));
    TRY(cairn_space_settings(ctx, space, &value, params, &at));
    fit.task = f->classes ? CAIRN_CLASSIFY : CAIRN_REGRESS;
    fit.transforms = at.transforms;
    TRY(cairn_model_fit(ctx, &model, at.params, f->table, &fit));
    TRY(make_title(ctx, title, sizeof title, f, &at, model, label));
    snprintf(name, sizeof name, "fit%zu", i + 1);
    TRY(cairn_figure_new(ctx, &panel, name, title));
    bool last = i + 1 == space->axes[0].n;
    cairn_figure_size(panel, 330, 280);
    /* Rows and fit; the classes are named in the last panel only. */
    cairn_figure_axes(panel, f->x_name, f->y_name);
    cairn_figure_x_range(panel, f->low[0], f->high[0]);
    cairn_figure_y_range(panel, f->low[1], f->high[1]);
    cairn_figure_points(panel, f->x, f->y, f->groups.codes, f->table->n_rows,
                        last ? f->groups.names : NULL, f->groups.n);
    TRY(f->classes ? draw_borders(ctx, panel, f, model) : draw_curve(ctx, panel, f, model));
    cairn_figure_panel(figure, panel);
    panel = NULL;
done:
    cairn_figure_free(panel);
    cairn_model_free(model);
    cairn_settings_clear(&at);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Without any options a telling example is drawn: trees of growing depth for classes, polynomials
 * of growing degree for numbers. */
static cairn_status fits_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const fits_params *p = job->params;
    cairn_status status;
    fitting f = {0};
    cairn_params *params = NULL, *powers = NULL;
    cairn_space space;
    TRY(choose_columns(ctx, &f, p, job->table));
    bool plain = !p->learner && !p->with && !p->over;
    const char *learner = p->learner ? p->learner : f.classes ? "tree" : "linear";
    const char *over = p->over ? p->over : f.classes ? "max-depth=1,3,0" : "basis.degree=1,2,4,9";
    if (!plain && !p->over)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{over} says what varies, such as max-depth=1,3,0"));
    if (!p->with && !p->learner && !f.classes)
        TRY(cairn_params_from_spec(ctx, &powers, CAIRN_ENTRY_TRANSFORM, "basis:type=powers"));
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, learner));
    TRY(cairn_space_parse(ctx, &space, over, params, powers ? powers : p->transforms));
    if (space.n != 1 || space.axes[0].n > MOST_PANELS)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "{over} varies one parameter, with at most %d values",
                       MOST_PANELS));
    TRY(cairn_figure_new(ctx, out, "fits",
                         f.classes ? "Accuracy on training / held-out rows"
                                   : "Mean squared error on training / held-out rows"));
    for (size_t i = 0; i < space.axes[0].n; i++) TRY(add_panel(ctx, *out, &f, &space, i, params));
done:
    cairn_params_free(params);
    cairn_params_free(powers);
    cairn_table_free(f.table);
    return status;
}

const cairn_calculator cairn_picture_fits = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "fits",
         .also = "overfitting picture, underfitting, model complexity, degree of a "
                 "polynomial",
         .title = "Too simple, right, too flexible",
         .summary =
             "Fits the same rows with several values of one parameter and draws the fits "
             "side by side: curves over one column for numbers, borders between classes over "
             "two columns. Titles have the value on the training rows and on held-out rows "
             "(ten-fold cross-validation, or one row at a time below 20 rows).",
         .example = "cairn draw fits @iris --x petal_length --y petal_width --out fits.svg",
         .params = fits_table,
         .params_size = sizeof(fits_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = fits_draw,
};
