/* SPDX-License-Identifier: MIT */
/* Standardise: x' = (x - mean) / deviation for every number feature, fitted on the training rows.
 *
 * The deviation divides by n (the default) or by n - 1. A constant column has deviation 0 and
 * becomes 0 everywhere. Missing cells stay missing and do not count. Cost: two passes per
 * column. */
#include "transforms/columns.h"
#include <math.h>
#include <string.h>

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

typedef struct standardise_state {
    cairn_map names;    /* of the scaled columns */
    double *means;      /* names.n */
    double *deviations; /* names.n; 1 for a constant column */
} standardise_state;

static double deviation_of(const cairn_moments *m, int divisor)
{
    double below = divisor == DIVISOR_N ? m->weight : m->weight - 1;
    double deviation = below > 0 ? sqrt(m->squares / below) : 0;
    /* what rounding leaves of a constant column is not a spread */
    bool constant = m->low == m->high || deviation <= 1e-15 * fabs(m->mean);
    return constant ? 0 : deviation;
}

static cairn_status standardise_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const standardise_params *p = job->params;
    standardise_state *s = model;
    cairn_status status;
    size_t n, *chosen, index;
    TRY(cairn_choose_features(ctx, job->view, "standardise", p->columns, cairn_fits_number,
                              "a number column", &chosen, &n));
    TRY(NEW(ctx, &s->means, n));
    TRY(NEW(ctx, &s->deviations, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        cairn_moments m;
        TRY(cairn_column_moments(ctx, job->view, chosen[i], &m));
        TRY(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        double deviation = deviation_of(&m, p->divisor);
        s->means[index] = isnan(m.mean) ? 0 : m.mean;
        s->deviations[index] = deviation > 0 ? deviation : 1;
    }
done:
    return status;
}

static cairn_status scale_column(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                                 double mean, double deviation)
{
    cairn_status status;
    cairn_column *column = NULL;
    TRY(cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows));
    for (size_t i = 0; i < from->n_rows; i++)
        column->numbers[i] = (from->numbers[i] - mean) / deviation;
    column->n_missing = from->n_missing;
    *out = column;
done:
    return status;
}

static cairn_status standardise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                      const void *params, const cairn_table *table)
{
    (void)params;
    const standardise_state *s = state;
    cairn_status status;
    cairn_table *copy = NULL;
    TRY(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        TRY(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        TRY(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_NUMBER));
        TRY(scale_column(ctx, &column, copy->slots[at].column, s->means[i], s->deviations[i]));
        cairn_table_replace_column(copy, at, column);
    }
    *out = copy;
    return CAIRN_OK;
done:
    cairn_table_free(copy);
    return status;
}

static void standardise_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const standardise_state *s = state;
    cairn_report_formula(out, "x' = (x − mean) / deviation");
    cairn_report_table_begin(out, "Scaling", 0);
    cairn_report_column(out, "column", 'l');
    cairn_report_column(out, "mean", 'r');
    cairn_report_column(out, "deviation", 'r');
    for (size_t i = 0; i < s->names.n; i++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->names, i));
        cairn_report_cell(out, cairn_map_key(&s->names, i));
        cairn_report_cell_number(out, s->means[i], 0, "standardise.%s.mean", key);
        cairn_report_cell_number(out, s->deviations[i], 0, "standardise.%s.deviation", key);
    }
    cairn_report_table_end(out);
}

static cairn_status standardise_archive(cairn_archive *a, void *state)
{
    standardise_state *s = state;
    cairn_status status;
    TRY(cairn_archive_map(a, "names", &s->names));
    TRY(cairn_archive_reals(a, "means", &s->means, s->names.n));
    TRY(cairn_archive_reals(a, "deviations", &s->deviations, s->names.n));
done:
    return status;
}

static void standardise_clear(void *state)
{
    standardise_state *s = state;
    cairn_map_clear(&s->names);
    cairn_free(s->means);
    cairn_free(s->deviations);
}

const cairn_transform cairn_standardise = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "standardise",
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
    .state_size = sizeof(standardise_state),
    .fit = standardise_fit,
    .apply = standardise_apply,
    .describe = standardise_describe,
    .archive = standardise_archive,
    .clear = standardise_clear,
};
