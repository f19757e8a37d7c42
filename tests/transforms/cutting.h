/* SPDX-License-Identifier: MIT */
/* For tests of transforms that look at classes: tables from arrays, recipes with their reports. */
#ifndef CAIRN_TESTS_CUTTING_H
#define CAIRN_TESTS_CUTTING_H

#include "support/unit.h"
#include "model/chain.h"
#include <math.h>

static const char *const two_classes[] = {"-", "+"};

/* x, and a target of two classes given as "+-+-". */
static inline cairn_table *class_table(cairn_context *ctx, const double *x, const char *classes)
{
    cairn_table *table;
    int32_t codes[4000];
    size_t n = strlen(classes);
    for (size_t i = 0; i < n; i++) codes[i] = classes[i] == '+' ? 1 : classes[i] == '-' ? 0 : -1;
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", codes, two_classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

static inline void add_weights(cairn_context *ctx, cairn_table *table, const double *weights)
{
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "weight", weights));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "weight", CAIRN_WEIGHT));
}

/* Fit one transform with steps and description; NULL outs are not wanted. */
static inline cairn_status run_recipe(cairn_context *ctx, const cairn_table *table,
                                      const char *spec, cairn_table **made, cairn_report **report)
{
    const char *const with[] = {spec, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model = NULL;
    cairn_table *out = NULL;
    options.with = with;
    if (report) assert_ok(ctx, cairn_report_new(ctx, report));
    if (report) options.steps = *report;
    cairn_status status = cairn_recipe_fit(ctx, &model, &out, table, &options);
    if (status == CAIRN_OK && report) assert_ok(ctx, cairn_model_describe(ctx, *report, model));
    if (status != CAIRN_OK && report) cairn_report_free(*report);
    if (made && status == CAIRN_OK)
        *made = out;
    else
        cairn_table_free(out);
    cairn_model_free(model);
    return status;
}

/* The level of a cell, "?" when missing. */
static inline const char *level_at(const cairn_table *table, const char *column, size_t row)
{
    ptrdiff_t at = cairn_table_find(table, column);
    assert_true(at >= 0);
    return cairn_level_name(table->slots[at].column, table->slots[at].column->codes[row]);
}

static inline double number_at(const cairn_table *table, const char *column, size_t row)
{
    ptrdiff_t at = cairn_table_find(table, column);
    assert_true(at >= 0);
    return cairn_table_numbers(table, (size_t)at)[row];
}

static inline void assert_value(cairn_report *report, const char *name, double wanted)
{
    double value;
    if (!cairn_report_number(report, name, &value)) fail_msg("there is no value %s", name);
    bool same = isnan(wanted)
                    ? isnan(value)
                    : value == wanted || fabs(value - wanted) <= 1e-12 * fmax(1, fabs(wanted));
    if (!same) fail_msg("%s is %.17g, not %.17g", name, value, wanted);
}

#endif
