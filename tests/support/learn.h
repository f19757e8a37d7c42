/* SPDX-License-Identifier: MIT */
/* For tests of learners: tables from arrays, fitting by a spec, and named values of the report. */
#ifndef CAIRN_TESTS_LEARN_H
#define CAIRN_TESTS_LEARN_H

#include "cairn/cairn.h"
#include "data/table.h"
#include "support/unit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A table of numbers, row-major; `names` are separated by blanks. */
static inline cairn_status table_of(cairn_context *ctx, cairn_table **out, const char *names,
                                    const double *values, size_t n_rows, size_t n_columns)
{
    cairn_table *table = NULL;
    double *column = malloc((n_rows + 1) * sizeof *column);
    char *copy = strdup(names), *rest = NULL;
    cairn_status status = cairn_table_new(ctx, &table, n_rows);
    char *name = strtok_r(copy, " ", &rest);
    for (size_t j = 0; status == CAIRN_OK && j < n_columns; j++) {
        for (size_t i = 0; i < n_rows; i++) column[i] = values[i * n_columns + j];
        status = cairn_table_put_numbers(ctx, table, name, column);
        name = strtok_r(NULL, " ", &rest);
    }
    free(column);
    free(copy);
    if (status != CAIRN_OK)
        cairn_table_free(table);
    else
        *out = table;
    return status;
}

/* For `with`: columns stay in their units, in which results are worked out by hand. */
static const char *const own_units[] = {"scale:method=none", NULL};

/* Fit and describe, columns in their own units; `target` and `weight` may be NULL; `report` gets
 * steps and description. */
static inline cairn_status learn(cairn_context *ctx, cairn_model **model, cairn_report **report,
                                 cairn_table *table, const char *spec, const char *target,
                                 const char *weight)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = cairn_params_new(ctx, &params, spec);
    *model = NULL;
    *report = NULL;
    if (status == CAIRN_OK && target)
        status = cairn_table_set_role(ctx, table, target, CAIRN_TARGET);
    if (status == CAIRN_OK && target) options.task = CAIRN_REGRESS;
    if (status == CAIRN_OK && weight)
        status = cairn_table_set_role(ctx, table, weight, CAIRN_WEIGHT);
    if (status == CAIRN_OK) status = cairn_report_new(ctx, report);
    options.steps = *report;
    options.with = own_units;
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, model, params, table, &options);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, *report, *model);
    cairn_params_free(params);
    if (status != CAIRN_OK) {
        cairn_model_free(*model);
        cairn_report_free(*report);
        *model = NULL;
        *report = NULL;
    }
    return status;
}

/* What was learned, and from what. */
typedef struct fitted {
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
} fitted;

static inline fitted fit_numbers(cairn_context *ctx, const char *spec, const char *names,
                                 const double *values, size_t n_rows, size_t n_columns,
                                 const char *target)
{
    fitted f = {0};
    assert_ok(ctx, table_of(ctx, &f.table, names, values, n_rows, n_columns));
    assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, spec, target, NULL));
    return f;
}

static inline void drop(fitted *f)
{
    cairn_model_free(f->model);
    cairn_report_free(f->report);
    cairn_table_free(f->table);
    *f = (fitted){0};
}

/* A named value must be near `wanted`, relative to its size; NaN wants NaN. */
#define assert_value(report, name, wanted, tolerance)                                              \
    do {                                                                                           \
        double value_ = 0, wanted_ = (wanted);                                                     \
        if (!cairn_report_number(report, name, &value_)) fail_msg("there is no value %s", name);   \
        if (isnan(wanted_) ? !isnan(value_)                                                        \
                           : !(value_ == wanted_ ||                                                \
                               fabs(value_ - wanted_) <= (tolerance)*fmax(1, fabs(wanted_))))      \
            fail_msg("%s is %.17g, not %.17g", name, value_, wanted_);                             \
    } while (0)

#endif
