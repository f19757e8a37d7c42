/* SPDX-License-Identifier: MIT */
/* Standardise: x' = (x - mean) / deviation for every number feature, fitted on the training rows.
 *
 * The deviation divides by n (the default) or by n - 1. A constant column has deviation 0 and
 * becomes 0 everywhere. Missing cells stay missing and do not count. Cost: two passes per
 * column. */
#include "data/ledger.h"
#include "report/table_rows.h"
#include "transforms/affine.h"
#include <math.h>

typedef enum { DIVISOR_N, DIVISOR_N_MINUS_1 } divisor_choice;

typedef struct standardise_params {
    const char *columns;
    int divisor; /* divisor_choice */
} standardise_params;

static const cairn_choice divisors[] = {
    {"n", DIVISOR_N, "the sum of squares over the number of rows"},
    {"n-1", DIVISOR_N_MINUS_1, "over one less, as in descriptive statistics"},
    {0},
};

static const cairn_param standardise_param_table[] = {
    CAIRN_PARAM_AS(standardise_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to scale; all number features when not given"),
    CAIRN_PARAM_CHOICE(standardise_params, divisor, "n", divisors, "divisor of the variance"),
    CAIRN_PARAM_END,
};

static cairn_status standardise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const standardise_params *p = job->params;
    cairn_affine *s = state;
    size_t n, *chosen;
    CHECK(cairn_choose_features(ctx, job->view, "standardise", p->columns, cairn_fits_number,
                                "a number column", &chosen, &n));
    CHECK(cairn_affine_new(ctx, s, n));
    for (size_t i = 0; i < n; i++) {
        cairn_moments m;
        CHECK(cairn_column_moments(ctx, job->view, chosen[i], &m));
        CHECK(cairn_affine_add(ctx, s, job->view->names[chosen[i]], m.mean,
                               cairn_deviation(&m, p->divisor == DIVISOR_N_MINUS_1)));
    }
    return CAIRN_OK;
}

static const cairn_affine_scale plain = {1, -INFINITY, INFINITY};

static cairn_status standardise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                      const void *params, const cairn_table *table)
{
    (void)params;
    return cairn_affine_table(ctx, out, state, plain, table, false);
}

static cairn_status standardise_promise(cairn_context *ctx, cairn_table **out, void *state,
                                        const void *params, const cairn_table *table)
{
    (void)params;
    return cairn_affine_table(ctx, out, state, plain, table, true);
}

static cairn_status standardise_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    (void)job;
    return cairn_affine_lower(out, state, plain);
}

static bool standardise_restore(const void *state, const void *params, const char *column,
                                double *value)
{
    (void)params;
    return cairn_affine_restore(state, 1, column, value);
}

static void standardise_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const cairn_affine *s = state;
    cairn_report_formula(out, "x' = (x − mean) / deviation");
    cairn_report_table_of(out, "Scaling", 0, "lrr", "column", "mean", "deviation");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->names, i));
        cairn_report_prefix(out, "standardise.%s", key);
        cairn_report_cells(out, "- @.mean @.deviation", cairn_map_key(&s->names, i), s->centres[i],
                           s->spreads[i]);
    }
    cairn_report_table_end(out);
}

static void write_columns(cairn_ledger *out, const void *state, const cairn_job *job)
{
    (void)job;
    cairn_affine_write(out, state);
}

static const cairn_learned standardise_tables[] = {
    CAIRN_LEARNED("standardise.columns", "column: mean that is taken off, deviation to divide by",
                  write_columns),
    CAIRN_LEARNED_END};

static const cairn_kept standardise_keeps[] = CAIRN_AFFINE_KEEPS("means", "deviations");

const cairn_transform cairn_standardise = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "standardise",
              .also = "z-score, z-scores, standardisation, centring, unit variance, StandardScaler",
              .title = "Standardise",
              .summary =
                  "Brings every number column to mean 0 and deviation 1, so that columns measured "
                  "in large units do not outweigh the others. Mean and deviation are those of the "
                  "training rows; they are kept in the model and applied to new rows. A constant "
                  "column becomes 0.",
              .references = "Han, Kamber and Pei, Data Mining",
              .example = "cairn fit kmeans @iris --clusters 3 --with standardise",
              .params = standardise_param_table,
              .params_size = sizeof(standardise_params)},
    .state_size = sizeof(cairn_affine),
    .tables = standardise_tables,
    .scales = true,
    .fit = standardise_fit,
    .apply = standardise_apply,
    .apply_fitted = standardise_promise,
    .lower = standardise_lower,
    .restore = standardise_restore,
    .describe = standardise_describe,
    .keeps = standardise_keeps,
};
