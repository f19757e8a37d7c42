/* SPDX-License-Identifier: MIT */
/* Costs of columns: read from the option itself, "blood=5,age=0.1", or from a file of two columns,
 * name and cost. A column that is not named costs 1. */
#include "learners/tree/grow/tree_costs.h"
#include "base/functions.h"
#include "base/number.h"
#include "data/table.h"
#include <math.h>
#include <string.h>

static const cairn_choice cost_rules[] = {
    {"squared", CAIRN_COST_SQUARED, "s² / cost"},
    {"powers", CAIRN_COST_POWERS, "(2^s − 1) / (cost + 1)^w, w being --cost-weight"},
    {"ratio", CAIRN_COST_RATIO, "s / cost"},
    {NULL, 0, NULL},
};

const cairn_param cairn_cost_group[] = {
    CAIRN_PARAM(cairn_cost_params, attribute_costs, NULL, NULL,
                "what asking a column costs, such as blood=5,age=0.1, or a file with a column of "
                "names and one of costs; others cost 1"),
    CAIRN_PARAM_CHOICE(cairn_cost_params, cost_rule, "squared", cost_rules,
                       "how the cost lowers the score s (gain, ratio or χ²/n) of a column",
                       .when = "attribute_costs"),
    CAIRN_PARAM(cairn_cost_params, cost_weight, "1", "[0,1]",
                "how much costs count, from 0 (not at all) to 1",
                .when = "attribute_costs,cost_rule=powers"),
    CAIRN_PARAM_END,
};

const char *cairn_cost_formula(cairn_cost_rule rule)
{
    static const char *const formulas[] = {
        [CAIRN_COST_SQUARED] = "s² / cost",
        [CAIRN_COST_POWERS] = "(2^s − 1) / (cost + 1)^w",
        [CAIRN_COST_RATIO] = "s / cost",
    };
    return formulas[rule];
}

static const char *feature_name(size_t i, const void *data)
{
    const cairn_view *view = data;
    return i < view->n_features ? view->names[i] : NULL;
}

static cairn_status set_cost(cairn_context *ctx, double *costs, const cairn_view *view,
                             const char *name, double cost)
{
    if (!(cost > 0) || !isfinite(cost)) {
        char shown[CAIRN_NUMBER_SIZE];
        cairn_number_format(shown, cost, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{attribute-costs}: the cost of '%s' is %s; costs are positive numbers",
                          name, shown);
    }
    for (size_t c = 0; c < view->n_features; c++)
        if (strcmp(view->names[c], name) == 0) {
            costs[c] = cost;
            return CAIRN_OK;
        }
    const char *near = cairn_nearest_word(name, feature_name, view);
    return cairn_fail(ctx, CAIRN_USAGE, "{attribute-costs}: there is no feature '%s'%s%s%s", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* "blood=5,age=0.1" */
static cairn_status read_pairs(cairn_context *ctx, double *costs, const cairn_view *view,
                               const char *list)
{
    char **items;
    size_t n;
    CHECK(cairn_list_split(ctx, list, &items, &n));
    for (size_t i = 0; i < n; i++) {
        char *equals = strrchr(items[i], '=');
        double cost;
        if (!equals || !cairn_number_parse(equals + 1, strlen(equals + 1), &cost))
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{attribute-costs}: '%s' should read column=cost, such as age=0.5",
                             items[i]));
        *equals = 0;
        CHECK(set_cost(ctx, costs, view, items[i], cost));
    }
    return CAIRN_OK;
}

/* Cell of a level or text column, scratch. */
static cairn_status name_at(cairn_context *ctx, const cairn_column *column, size_t row,
                            const char **out)
{
    char *name;
    if (column->kind == CAIRN_LEVEL) {
        *out = cairn_level_name(column, column->codes[row]);
        return CAIRN_OK;
    }
    size_t length = column->starts[row + 1] - column->starts[row];
    CHECK(SCRATCH(ctx, &name, length + 1));
    memcpy(name, column->bytes + column->starts[row], length);
    *out = name;
    return CAIRN_OK;
}

/* A table: the first column that is no number has the names, the first number column the costs. */
static cairn_status read_file(cairn_context *ctx, double *costs, const cairn_view *view,
                              const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_column *names = NULL, *numbers = NULL;
    CHECK(cairn_table_read(ctx, &table, path, NULL));
    for (size_t i = table->n_columns; i-- > 0;) {
        const cairn_column *column = table->slots[i].column;
        if (column->kind == CAIRN_NUMBER) numbers = column;
        if (column->kind == CAIRN_LEVEL || column->kind == CAIRN_TEXT) names = column;
    }
    if (!names || !numbers)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: a file of costs has a column of names and a column of numbers",
                         path));
    for (size_t i = 0; i < cairn_table_rows(table); i++) {
        const char *name;
        if (cairn_column_is_missing(names, i))
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: row %zu has no name", path, i + 1));
        CHECK(name_at(ctx, names, i, &name));
        CHECK(set_cost(ctx, costs, view, name, numbers->numbers[i]));
    }
    return CAIRN_OK;
}

cairn_status cairn_costs_of(cairn_context *ctx, double **out, const cairn_view *view,
                            const char *text)
{
    CHECK(SCRATCH(ctx, out, view->n_features));
    for (size_t c = 0; c < view->n_features; c++) (*out)[c] = 1;
    if (strchr(text, '='))
        CHECK(read_pairs(ctx, *out, view, text));
    else
        CHECK(read_file(ctx, *out, view, text));
    return CAIRN_OK;
}

double cairn_cost_score(cairn_cost_rule rule, double score, double cost, double weight)
{
    switch (rule) {
    case CAIRN_COST_SQUARED: return score * fabs(score) / cost;
    case CAIRN_COST_POWERS: return (cairn_exp2(score) - 1) / cairn_pow(cost + 1, weight);
    case CAIRN_COST_RATIO: break;
    }
    return score / cost;
}

cairn_status cairn_tree_read_costs(cairn_context *ctx, cairn_grow_options *options,
                                   const cairn_cost_params *params, const cairn_job *job)
{
    const cairn_view *view = job->view;
    double *costs;
    if (!params->attribute_costs) return CAIRN_OK;
    if (job->task == CAIRN_REGRESS && params->cost_rule == CAIRN_COST_POWERS)
        CHECK(
            cairn_fail(ctx, CAIRN_USAGE,
                       "{cost-rule powers} needs a gain in bits, and '%s' is a number; use squared "
                       "or ratio",
                       view->target_name));
    CHECK(cairn_costs_of(ctx, &costs, view, params->attribute_costs));
    options->costs = costs;
    options->cost_rule = (cairn_cost_rule)params->cost_rule;
    options->cost_weight = params->cost_weight;
    return CAIRN_OK;
}
