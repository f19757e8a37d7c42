/* SPDX-License-Identifier: MIT */
/* cairn draw residuals: what a regression of any learner leaves of the target, row by row: against
 * the predicted values, against a column, in the order of the rows, and beside a normal
 * distribution. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/sort_by.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>

enum { PART_ALL, PART_PREDICTED, PART_COLUMN, PART_ORDER, PART_NORMAL };

typedef struct residuals_params {
    int part;
    const char *x;
} residuals_params;

static const cairn_choice parts[] = {
    {"all", PART_ALL, "all of them, a panel each"},
    {"predicted", PART_PREDICTED, "against the predicted values: curvature, growing spread"},
    {"column", PART_COLUMN, "against a column: what the model missed of it"},
    {"order", PART_ORDER, "in the order of the rows: errors that go together"},
    {"normal", PART_NORMAL, "in order of size, against quantiles of a normal distribution"},
    {NULL, 0, NULL}};

static const cairn_param residuals_table[] = {
    CAIRN_PARAM_CHOICE(residuals_params, part, "all", parts, "which plot"),
    CAIRN_PARAM_AS(residuals_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "the column; the first number column that the model learned from if not given",
                   .when = "part=all|column"),
    CAIRN_PARAM_END,
};

/* The first column of numbers that the model learned from, where none is named. */
static const char *first_learned(const cairn_model *model, const cairn_table *table)
{
    for (size_t f = 0; f < model->schema.n_fields; f++) {
        const cairn_field *field = &model->schema.fields[f];
        ptrdiff_t at = field->role == CAIRN_FEATURE ? cairn_table_find(table, field->name) : -1;
        if (at >= 0 && cairn_table_numbers(table, (size_t)at)) return field->name;
    }
    return NULL;
}

/* Rows with a target, an answer and a number in the column. */
typedef struct residuals {
    size_t n;
    double *predicted, *errors, *column, *order;
    const char *x_name, *target;
} residuals;

/* Errors are targets less answers; rows that lack either are left out, the others keep their
 * numbers. */
static cairn_status read_residuals(cairn_context *ctx, residuals *out, const cairn_compute_job *job)
{
    const residuals_params *p = job->params;
    const cairn_table *table = job->table;
    SCOPED(cairn_prediction_clear) cairn_prediction answers = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {0};
    size_t column, target;
    if (cairn_model_task(job->model) != CAIRN_REGRESS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "residuals are those of numbers, and the model of %s answers classes; "
                          "see 'draw confusion'",
                          cairn_model_learner(job->model));
    *out = (residuals){.target = cairn_model_target(job->model)->name};
    CHECK(cairn_table_get(ctx, table, out->target, &target));
    const char *name = p->x ? p->x : first_learned(job->model, table);
    CHECK(cairn_picture_numbers(ctx, &column, table, "x", name, 0));
    const double *actual = cairn_table_numbers(table, target);
    const double *x = cairn_table_numbers(table, column);
    if (!actual)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' holds no numbers", out->target);
    out->x_name = table->slots[column].name;
    CHECK(cairn_model_predict_rows(ctx, &answers, job->model, table, cairn_all_rows(table), wants,
                                   &match));
    CHECK(SCRATCH_EACH(ctx, table->n_rows + 1, &out->predicted, &out->errors, &out->column,
                       &out->order));
    for (size_t i = 0; i < table->n_rows; i++) {
        double e = actual[i] - answers.numbers[i];
        if (!isfinite(e)) continue;
        out->predicted[out->n] = answers.numbers[i];
        out->errors[out->n] = e;
        out->column[out->n] = x[i];
        out->order[out->n++] = (double)i + 1;
    }
    if (out->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has both a target and an answer");
    return CAIRN_OK;
}

/* Sorted residuals against the quantiles that a normal sample of so many would have. */
static cairn_status draw_normal(cairn_context *ctx, cairn_figure *figure, const residuals *r)
{
    double *x, *y, mean = 0, squares = 0;
    CHECK(SCRATCH_EACH(ctx, r->n, &x, &y));
    for (size_t i = 0; i < r->n; i++) {
        y[i] = r->errors[i];
        mean += y[i] / (double)r->n;
        x[i] = cairn_normal_quantile(((double)i + 0.5) / (double)r->n);
    }
    qsort(y, r->n, sizeof *y, cairn_by_number);
    for (size_t i = 0; i < r->n; i++) squares += (y[i] - mean) * (y[i] - mean);
    double sd = sqrt(squares / (double)r->n), ends[2] = {x[0], x[r->n - 1]};
    double line[2] = {mean + sd * ends[0], mean + sd * ends[1]};
    cairn_figure_axes(figure, "quantile of the normal distribution", "residual");
    cairn_figure_points(figure, x, y, NULL, r->n, NULL, 0);
    cairn_figure_dashed(figure, "normal", ends, line, 2);
    return CAIRN_OK;
}

/* One of the plots; *out is a figure of its own. */
static cairn_status draw_part(cairn_context *ctx, cairn_figure **out, const residuals *r, int part)
{
    static const char *const names[] = {"", "predicted", "column", "order", "normal"};
    static const char *const titles[] = {
        "", "Residuals against predicted values", "Residuals against a column",
        "Residuals in the order of the rows", "Normal plot of the residuals"};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const double *x = part == PART_PREDICTED ? r->predicted
                      : part == PART_COLUMN  ? r->column
                                             : r->order;
    const char *title = part == PART_PREDICTED ? "predicted value"
                        : part == PART_COLUMN  ? r->x_name
                                               : "row";
    CHECK(cairn_figure_new(ctx, &figure, names[part], titles[part]));
    if (part == PART_NORMAL) {
        CHECK(draw_normal(ctx, figure, r));
    } else {
        cairn_figure_axes(figure, title, "residual");
        cairn_figure_rule_y(figure, NULL, 0);
        cairn_figure_points(figure, x, r->errors, NULL, r->n, NULL, 0);
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status residuals_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    const residuals_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    residuals r;
    CHECK(read_residuals(ctx, &r, job));
    if (p->part != PART_ALL) return draw_part(ctx, out, &r, p->part);
    CHECK(cairn_figure_new(ctx, &all, "residuals", "Residuals"));
    for (int part = PART_PREDICTED; part <= PART_NORMAL; part++) {
        cairn_figure *panel = NULL;
        CHECK(draw_part(ctx, &panel, &r, part));
        cairn_figure_size(panel, 360, 270);
        cairn_figure_panel(all, panel);
    }
    cairn_figure_columns(all, 2);
    CHECK(cairn_figure_status(all));
    *out = TAKE(all);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_residuals = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "residuals",
         .also = "residual plot, normal plot, Q-Q plot, normal probability plot, residual checks",
         .title = "What a regression leaves",
         .summary =
             "Residuals (target less prediction) of a model on rows that have the target: against "
             "the predicted values, where curvature and growing spread show, against a column, in "
             "the order of the rows, where errors that go together show, and as a normal plot. For "
             "the model of any learner that answers numbers.",
         .example = "cairn fit linear @used-cars --target price --save cars.cairn && cairn draw "
                    "residuals cars.cairn @used-cars --out residuals.svg",
         .params = residuals_table,
         .params_size = sizeof(residuals_params)},
    .arguments = "MODEL DATA",
    .needs_model = true,
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = residuals_draw,
};
