/* SPDX-License-Identifier: MIT */
/* Reading results and differences for the calculators of tests. */
#include "typed/results.h"

#include "base/memory.h"

#include "base/text.h"
#include "data/row_names.h"

#include <math.h>
#include <string.h>

const cairn_choice cairn_exactness_choices[] = {
    {"auto", CAIRN_EXACT_AUTO, "exact for small samples"},
    {"yes", CAIRN_EXACT_YES, "count all cases, or fail when there are too many"},
    {"no", CAIRN_EXACT_NO, "by the limiting distribution"},
    {0},
};

const cairn_choice cairn_columns_choices[] = {
    {"auto", CAIRN_COLUMNS_AUTO,
     "differences where they are named by the pairs of three or more, such as a_b, a_c and b_c"},
    {"results", CAIRN_COLUMNS_RESULTS, "the results of a learner each"},
    {"differences", CAIRN_COLUMNS_DIFFERENCES, "differences of two learners each"},
    {0},
};

cairn_status cairn_typed_count(cairn_context *ctx, double *count, const char *option, double n)
{
    char given[CAIRN_NUMBER_SIZE], rows[CAIRN_NUMBER_SIZE], taken[CAIRN_NUMBER_SIZE];
    double rate = *count;
    if (isnan(rate) || isnan(n) || rate == floor(rate)) return CAIRN_OK;
    cairn_number_format(given, rate, CAIRN_SHORTEST);
    cairn_number_format(rows, n, CAIRN_SHORTEST);
    if (rate > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s} is a count of the %s rows and whole, not %s; a rate is below 1, or "
                          "written in per cent",
                          option, rows, given);
    *count = rate * n;
    if (fabs(*count - round(*count)) < 1e-9 * n) *count = round(*count);
    cairn_number_format(taken, *count, 6);
    cairn_warn(ctx, "{%s} %s is no count and is taken as the rate of %s rows: {%s %s}", option,
               given, rows, option, taken);
    return CAIRN_OK;
}

static bool is_result(const cairn_slot *slot)
{
    return slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
}

/* Ranks stand beside the results that they rank: whole or halves, from 1 to at most the number of
 * rows (of one column) or of columns (of a row), under a name that says so. */
static bool is_rank(const cairn_slot *slot)
{
    double most = 0, n = (double)slot->column->n_rows;
    if (!cairn_name_says(slot->name, "rank") && !cairn_name_says(slot->name, "ranks")) return false;
    for (size_t i = 0; i < slot->column->n_rows; i++) {
        double x = slot->column->numbers[i];
        if (!(x >= 1 && x <= n && 2 * x == floor(2 * x))) return false;
        most = fmax(most, x);
    }
    return most > 1;
}

/* Leave ranks out where results stand beside them, and say so. */
static cairn_status leave_ranks(cairn_context *ctx, bool *used, const cairn_table *table)
{
    size_t n_ranks = 0, n = 0;
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        used[j] = is_result(slot);
        n += used[j];
        if (!used[j] || slot->chosen == CAIRN_ROLE_SAID || !is_rank(slot)) continue;
        cairn_text_addf(&names, "%s'%s'", n_ranks++ ? ", " : "", slot->name);
    }
    CHECK(cairn_text_status(&names));
    if (!n_ranks || n_ranks == n) return CAIRN_OK;
    for (size_t j = 0; j < table->n_columns; j++)
        if (used[j] && table->slots[j].chosen != CAIRN_ROLE_SAID && is_rank(&table->slots[j]))
            used[j] = false;
    cairn_warn(ctx,
               "%s hold%s ranks and no results: left out; {features} names the columns to "
               "take",
               cairn_text_string(&names), n_ranks == 1 ? "s" : "");
    return CAIRN_OK;
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
    bool *used;
    *out = (cairn_results){.n = table->n_rows};
    CHECK(SCRATCH(ctx, &used, table->n_columns + 1));
    CHECK(leave_ranks(ctx, used, table));
    for (size_t j = 0; j < table->n_columns; j++) out->k += used[j];
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
        if (!used[j]) continue;
        out->names[at] = table->slots[j].name;
        CHECK(copy_column(ctx, out, &table->slots[j], at++));
    }
    return CAIRN_OK;
}

/* Whether the column is called a_b, a-b, "a − b" or the like of two names; they are its halves. */
static bool is_pair(const char *name, size_t halves[2][2])
{
    static const char *const marks[] = {" − ", " - ", "−", "-", "_", NULL};
    for (size_t m = 0; marks[m]; m++) {
        const char *at = strstr(name, marks[m]);
        size_t skip = strlen(marks[m]), length = strlen(name);
        if (!at || at == name || !at[skip] || strstr(at + skip, marks[m])) continue;
        halves[0][0] = 0, halves[0][1] = (size_t)(at - name);
        halves[1][0] = (size_t)(at - name) + skip, halves[1][1] = length - halves[1][0];
        return true;
    }
    return false;
}

/* Number columns that are called by all pairs of some names, three or more, hold differences: that
 * is how a table of them is headed, and results of learners are not. */
static bool named_by_pairs(const cairn_results *r)
{
    enum { MOST = 16 };
    const char *names[MOST];
    size_t lengths[MOST], n = 0;
    for (size_t j = 0; j < r->k; j++) {
        size_t halves[2][2];
        if (!is_pair(r->names[j], halves)) return false;
        for (size_t h = 0; h < 2; h++) {
            const char *half = r->names[j] + halves[h][0];
            size_t i = 0, length = halves[h][1];
            while (i < n && (lengths[i] != length || memcmp(names[i], half, length))) i++;
            if (i < n) continue;
            if (n == MOST) return false;
            names[n] = half, lengths[n++] = length;
        }
    }
    return n >= 3 && r->k == n * (n - 1) / 2;
}

bool cairn_are_differences(cairn_context *ctx, const cairn_results *r, int columns)
{
    if (columns != CAIRN_COLUMNS_AUTO) return columns == CAIRN_COLUMNS_DIFFERENCES;
    if (named_by_pairs(r)) {
        cairn_warn(ctx, "the columns are named by pairs and are taken as differences of two "
                        "learners each; {columns results} takes them as results");
        return true;
    }
    for (size_t j = 0; j < r->k; j++) {
        bool below = false, above = false;
        for (size_t i = 0; i < r->n; i++) {
            below |= r->values[i * r->k + j] < 0;
            above |= r->values[i * r->k + j] > 0;
        }
        if (!below || !above) return false;
    }
    if (r->k > 1)
        cairn_warn(ctx, "all columns hold numbers of both signs and are taken as results; "
                        "{columns differences} takes each as differences of two learners");
    return false;
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
    if (results.k > 1 && named_by_pairs(&results))
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "the %zu columns of numbers are named by pairs, so that each holds "
                         "differences; {features %s} chooses one of them",
                         results.k, results.names[0]));
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
