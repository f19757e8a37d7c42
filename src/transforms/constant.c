/* SPDX-License-Identifier: MIT */
/* Constant: a number column of one value in front of the features: x0 = 1 makes homogeneous
 * coordinates, in which the threshold t of a linear decision is the weight -t of x0 and the
 * boundary goes through the origin. */
#include "transforms/columns.h"
#include <string.h>

typedef struct constant_params {
    const char *name;
    double value;
} constant_params;

static const cairn_param constant_param_table[] = {
    CAIRN_PARAM(constant_params, name, "x0", NULL, "name of the new column"),
    CAIRN_PARAM(constant_params, value, "1", NULL, "its value in every row"),
    CAIRN_PARAM_END,
};

typedef struct constant_state {
    bool fitted;
} constant_state;

static cairn_status constant_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const constant_params *p = job->params;
    constant_state *s = state;
    if (cairn_table_find(job->view->table, p->name) >= 0)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "constant: there is a column '%s' already; choose another name=", p->name);
    s->fitted = true;
    return CAIRN_OK;
}

static cairn_status constant_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                   const void *params, const cairn_table *table)
{
    (void)state;
    const constant_params *p = params;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_column *column;
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows));
    for (size_t i = 0; i < table->n_rows; i++) column->numbers[i] = p->value;
    cairn_column_count_missing(column);
    CHECK(cairn_table_add_column(ctx, made, p->name, CAIRN_FEATURE, column));
    for (size_t i = 0; i < table->n_columns; i++)
        CHECK(cairn_table_add_column(ctx, made, table->slots[i].name, table->slots[i].role,
                                     cairn_column_hold(table->slots[i].column)));
    *out = TAKE(made);
    return CAIRN_OK;
}

static void constant_describe(cairn_report *out, const void *state, const void *params)
{
    (void)state;
    const constant_params *p = params;
    cairn_report_paragraph(out, "Every row gets a first feature '%s' of the same value.", p->name);
    cairn_report_value(out, p->name, p->value, "constant.%s", cairn_report_key(out, p->name));
}

static const cairn_kept constant_keeps[] = {
    KEEP(constant_state, fitted),
    KEEP_END,
};

const cairn_transform cairn_constant = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "constant",
              .also = "bias column, homogeneous coordinates, intercept column",
              .title = "Constant column",
              .summary =
                  "Puts a column of ones (or of another value) in front of the features: "
                  "homogeneous coordinates, in which the intercept or threshold of a linear model "
                  "is a weight like the others.",
              .references = "Flach, Machine Learning",
              .example = "cairn convert @iris iris-homogeneous.csv --with constant",
              .params = constant_param_table,
              .params_size = sizeof(constant_params)},
    .state_size = sizeof(constant_state),
    .fit = constant_fit,
    .apply = constant_apply,
    .lower = cairn_lower_levels,
    .describe = constant_describe,
    .keeps = constant_keeps,
};
