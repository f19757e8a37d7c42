/* SPDX-License-Identifier: MIT */
/* cairn compute errors: how far predicted numbers are from the actual ones. */
#include "model/calculator.h"

#include "base/memory.h"
#include "typed/numbers.h"
#include "typed/shown.h"
#include "data/view.h"
#include "stats/distributions.h"
#include "stats/errors.h"

#include <math.h>
#include <stdio.h>

typedef struct errors_params {
    const char *actual, *predicted;
    cairn_list values, predictions;
    double level;
} errors_params;

static const cairn_param errors_table[] = {
    CAIRN_PARAM_AS(errors_params, actual, CAIRN_TYPE_COLUMNS, NULL,
                   "columns of the actual numbers; the target if not given"),
    CAIRN_PARAM_AS(errors_params, predicted, CAIRN_TYPE_COLUMNS, NULL,
                   "columns of the predicted numbers, as many; 'predicted' if not given"),
    CAIRN_PARAM_CELLS(errors_params, values, NUMBERS, NULL, NULL,
                      "actual numbers as a typed list, in place of DATA"),
    CAIRN_PARAM_CELLS(errors_params, predictions, NUMBERS, NULL, NULL,
                      "predicted numbers as a typed list"),
    CAIRN_PARAM(errors_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_END,
};

enum { N_ROWS = 11 };

/* One column of the table per target. */
static void show_errors(cairn_report *out, const cairn_errors *errors, const char *const *names,
                        size_t n)
{
    static const char *const labels[N_ROWS] = {"rows",
                                               "sum of squared errors",
                                               "half of it",
                                               "mean squared error (by n)",
                                               "root of it (RMS)",
                                               "mean absolute error",
                                               "  in % of the target's range",
                                               "largest absolute error",
                                               "mean error (bias)",
                                               "mean relative error",
                                               "R²"};
    static const char *const keys[N_ROWS] = {"rows", "sse",      "half_sse",    "mse",
                                             "rmse", "mae",      "mae_percent", "largest",
                                             "bias", "relative", "r2"};
    cairn_report_table_of(out, "Errors", (size_t)-1, "l", "measure");
    for (size_t t = 0; t < n; t++) cairn_report_column(out, names[t], 'r');
    for (size_t i = 0; i < N_ROWS; i++) {
        cairn_report_cell(out, labels[i]);
        for (size_t t = 0; t < n; t++) {
            const cairn_errors *e = &errors[t];
            const double values[N_ROWS] = {(double)e->n, e->sse,      e->half_sse,    e->mse,
                                           e->rmse,      e->mae,      e->mae_percent, e->largest,
                                           e->bias,      e->relative, e->r2};
            if (n == 1)
                cairn_report_cell_number(out, values[i], 0, "%s", keys[i]);
            else
                cairn_report_cell_number(out, values[i], 0, "%s.%s", keys[i],
                                         cairn_report_key(out, names[t]));
        }
    }
}

/* Intervals of the means by Student's t; that of the root is the root of that of the squares. */
static void show_intervals(cairn_report *out, const cairn_errors *errors, const char *const *names,
                           size_t n, double level)
{
    static const char *const heads[] = {"mean", "low", "high"};
    static const char *const labels[] = {"mean squared error", "root of it (RMS)",
                                         "mean absolute error", "mean error (bias)"};
    static const char *const keys[] = {"mse", "rmse", "mae", "bias"};
    cairn_begin_intervals(out, "Intervals", level);
    cairn_report_column(out, "measure", 'l');
    if (n > 1) cairn_report_column(out, "target", 'l');
    for (size_t i = 0; i < 3; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t t = 0; t < n; t++) {
        const cairn_errors *e = &errors[t];
        double k = e->weight > 1 ? cairn_t_quantile(0.5 + level / 2, e->weight - 1) : NAN;
        const double means[] = {e->mse, e->rmse, e->mae, e->bias};
        const double halves[] = {k * e->mse_error, k * e->mse_error, k * e->mae_error,
                                 k * e->bias_error};
        for (size_t i = 0; i < 4; i++) {
            double centre = i == 1 ? e->mse : means[i];
            double low = centre - halves[i], high = centre + halves[i];
            if (i < 3) low = low < 0 ? 0 : low;
            if (i == 1) low = sqrt(low), high = sqrt(high);
            const char *key = n > 1 ? cairn_report_key(out, names[t]) : "";
            cairn_report_cell(out, labels[i]);
            if (n > 1) cairn_report_cell(out, names[t]);
            cairn_report_prefix(out, "%s%s%s", keys[i], n > 1 ? "." : "", key);
            cairn_report_cells(out, "- @.low @.high", means[i], low, high);
        }
    }
}

/* Row by row: the error, its square and its size; then the sums and what is made of them. Rows
 * without one of the numbers do not count. */
static void show_work(cairn_report *out, const cairn_errors *e, const char *name,
                      const double *actual, const double *predicted, const double *weights,
                      size_t n)
{
    double absolute = e->mae * e->weight, sum = e->bias * e->weight;
    cairn_report_step_begin(out, "%s: row by row", name);
    cairn_report_table_of(out, NULL, 0, "rrrrrr", "row", "actual", "predicted", "error", "squared",
                          "absolute");
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        double off = predicted[i] - actual[i];
        if (isnan(off) || (weights && !(weights[i] > 0))) continue;
        cairn_report_cells(out, "- - - steps.error.$1", i + 1, actual[i], predicted[i], off,
                           off * off, fabs(off));
    }
    if (weights) cairn_report_paragraph(out, "Sums and means count each row by its weight.");
    cairn_report_worked(out, "mean squared error", "Σ error² / n = # / # = #", e->sse, e->weight,
                        e->mse);
    cairn_report_worked(out, "root of it", "√# = #", e->mse, e->rmse);
    cairn_report_worked(out, "mean absolute error", "Σ |error| / n = # / # = #", absolute,
                        e->weight, e->mae);
    cairn_report_worked(out, "bias", "Σ error / n = # / # = #", sum, e->weight, e->bias);
    if (e->r2 < 1)
        cairn_report_worked(out, "R²", "1 − Σ error² / Σ (actual − mean)² = 1 − # / # = #", e->sse,
                            e->sse / (1 - e->r2), e->r2);
    cairn_report_step_end(out);
}

static cairn_status typed_errors(cairn_context *ctx, cairn_report *out, const errors_params *p,
                                 bool steps)
{
    cairn_errors e;
    const double *actual = p->values.values, *predicted = p->predictions.values;
    size_t n = p->values.n;
    if (!actual || !predicted)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute errors' needs DATA, or {values} with {predictions}");
    if (n != p->predictions.n)
        return cairn_fail(ctx, CAIRN_USAGE, "{values} has %zu numbers and {predictions} %zu", n,
                          p->predictions.n);
    cairn_errors_of(&e, actual, predicted, NULL, n);
    show_errors(out, &e, (const char *const[]){"typed"}, 1);
    show_intervals(out, &e, (const char *const[]){"typed"}, 1, p->level);
    if (steps) show_work(out, &e, "The errors", actual, predicted, NULL, n);
    return CAIRN_OK;
}

/* Numbers of a column, or a failure that names it. */
static cairn_status numbers_of(cairn_context *ctx, const double **out, const cairn_table *table,
                               const char *name, const char *option)
{
    size_t at;
    cairn_status status = cairn_table_get(ctx, table, name, &at);
    if (status) return status;
    return cairn_number_column(ctx, out, table, at, option);
}

/* Several targets are judged one by one and then together; columns are paired in the order in
 * which they are named. */
static cairn_status table_errors(cairn_context *ctx, cairn_report *out, const errors_params *p,
                                 const cairn_table *table, bool steps)
{
    char **actual, **predicted;
    size_t n, n_predicted;
    cairn_errors *errors;
    cairn_view view;
    const char *target = p->actual;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    if (!target) target = view.target_name;
    if (!target)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the actual numbers with {actual}");
    CHECK(cairn_list_split(ctx, target, &actual, &n));
    CHECK(
        cairn_list_split(ctx, p->predicted ? p->predicted : "predicted", &predicted, &n_predicted));
    if (n != n_predicted)
        return cairn_fail(ctx, CAIRN_USAGE, "{actual} names %zu columns and {predicted} %zu", n,
                          n_predicted);
    CHECK(SCRATCH(ctx, &errors, n));
    for (size_t t = 0; t < n; t++) {
        const double *a, *b;
        CHECK(numbers_of(ctx, &a, table, actual[t], "actual"));
        CHECK(numbers_of(ctx, &b, table, predicted[t], "predicted"));
        cairn_errors_of(&errors[t], a, b, view.row_weights, table->n_rows);
        if (errors[t].n < table->n_rows)
            cairn_report_note(out, "'%s': %zu rows without one of the numbers are left out.",
                              actual[t], table->n_rows - errors[t].n);
    }
    show_errors(out, errors, (const char *const *)actual, n);
    show_intervals(out, errors, (const char *const *)actual, n, p->level);
    if (n > 1) {
        /* All targets together: sums add up, means are over all numbers. */
        double sse = 0, absolute = 0, weight = 0;
        for (size_t t = 0; t < n; t++) {
            sse += errors[t].sse;
            absolute += errors[t].mae * errors[t].weight;
            weight += errors[t].weight;
        }
        cairn_report_value(out, "all targets: sum of squared errors", sse, "total.sse");
        cairn_report_value(out, "half of it", sse / 2, "total.half_sse");
        cairn_report_value(out, "mean squared error", sse / weight, "total.mse");
        cairn_report_value(out, "root of it (RMS of output errors)", sqrt(sse / weight),
                           "total.rmse");
        cairn_report_value(out, "mean absolute error", absolute / weight, "total.mae");
    }
    for (size_t t = 0; steps && t < n; t++) {
        const double *a, *b;
        CHECK(numbers_of(ctx, &a, table, actual[t], "actual"));
        CHECK(numbers_of(ctx, &b, table, predicted[t], "predicted"));
        show_work(out, &errors[t], actual[t], a, b, view.row_weights, table->n_rows);
    }
    return CAIRN_OK;
}

static cairn_status errors_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_report_heading(out, 1, "Errors of predicted numbers");
    cairn_report_formula(out, "error = predicted − actual");
    CHECK(job->table ? table_errors(ctx, out, job->params, job->table, job->steps)
                     : typed_errors(ctx, out, job->params, job->steps));
    cairn_report_paragraph(out, "Least squares is what maximum likelihood asks for when the errors "
                                "are normal with one variance; absolute errors belong to the "
                                "Laplace distribution, relative errors to targets that spread over "
                                "orders of magnitude.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_errors = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "errors",
              .also = "residuals, mean absolute error, mean squared error, RMSE, regression "
                      "measures, R squared",
              .title = "Errors of predicted numbers",
              .summary = "Sum of squared errors and half of it, mean squared error and its root, "
                         "mean absolute error in the target's units and in per cent of its range, "
                         "bias, relative error and R², with intervals of the means, for one "
                         "target or several. From typed lists, from columns, or from a model and "
                         "data.",
              .references = "Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, "
                            "2009, chapter 2",
              .example = "cairn compute errors --values 1,2,3 --predictions 1.1,1.9,3.5",
              .params = errors_table,
              .params_size = sizeof(errors_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_NUMBERS,
    .run = errors_run,
};
