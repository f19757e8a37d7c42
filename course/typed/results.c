/* SPDX-License-Identifier: MIT */
/* Reading results and differences for the calculators of tests. */
#include "typed/results.h"

#include "base/memory.h"

#include <math.h>

const cairn_choice cairn_exactness_choices[] = {
    {"auto", CAIRN_EXACT_AUTO, "exact for small samples"},
    {"yes", CAIRN_EXACT_YES, "count all cases, or fail when there are too many"},
    {"no", CAIRN_EXACT_NO, "by the limiting distribution"},
    {0},
};

static bool is_result(const cairn_slot *slot)
{
    return slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
}

static cairn_status copy_column(cairn_context *ctx, const cairn_results *r, const cairn_slot *slot,
                                size_t at)
{
    for (size_t i = 0; i < r->n; i++) {
        double x = slot->column->numbers[i];
        if (!isfinite(x))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu, column '%s': a result is missing or infinite; every row "
                              "needs one of each learner",
                              i + 1, slot->name);
        r->values[i * r->k + at] = x;
    }
    return CAIRN_OK;
}

cairn_status cairn_results_of(cairn_context *ctx, cairn_results *out, const cairn_table *table,
                              size_t least)
{
    size_t at = 0;
    *out = (cairn_results){.n = table->n_rows};
    for (size_t j = 0; j < table->n_columns; j++) out->k += is_result(&table->slots[j]);
    if (out->k < least)
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "%s: %zu columns of numbers are needed, one for each learner, and there %s "
                       "%zu; {features} chooses them",
                       table->source ? table->source : "the table", least,
                       out->k == 1 ? "is" : "are", out->k));
    CHECK(SCRATCH(ctx, &out->values, cairn_product(out->n, out->k)));
    CHECK(SCRATCH(ctx, &out->names, out->k));
    for (size_t j = 0; j < table->n_columns; j++) {
        if (!is_result(&table->slots[j])) continue;
        out->names[at] = table->slots[j].name;
        CHECK(copy_column(ctx, out, &table->slots[j], at++));
    }
    return CAIRN_OK;
}

cairn_status cairn_differences_of(cairn_context *ctx, double **out, size_t *n, const char *typed,
                                  const cairn_table *table)
{
    cairn_results results;
    if (typed) return cairn_list_numbers(ctx, "differences", typed, out, n);
    if (!table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "name a table with the results of two learners, or type the differences "
                          "with {differences}");
    CHECK(cairn_results_of(ctx, &results, table, 1));
    if (results.k > 2)
        CHECK(cairn_fail(
            ctx, CAIRN_USAGE,
            "there are %zu columns of numbers; {features A,B} chooses the two to compare",
            results.k));
    *n = results.n;
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t i = 0; i < *n; i++)
        (*out)[i] =
            results.k == 1 ? results.values[i] : results.values[2 * i] - results.values[2 * i + 1];
    return CAIRN_OK;
}
