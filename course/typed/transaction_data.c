/* SPDX-License-Identifier: MIT */
#include "typed/transaction_data.h"

#include "base/number.h"
#include "model/chain.h"
#include <math.h>
#include <string.h>

const cairn_choice cairn_miner_choices[] = {
    {"auto", CAIRN_MINE_AUTO, "eclat for dense data, lists for sparse data"},
    {"apriori", CAIRN_MINE_APRIORI, "level by level, candidates joined from smaller sets"},
    {"breadth", CAIRN_MINE_BREADTH, "level by level, every set extended by every later item"},
    {"eclat", CAIRN_MINE_ECLAT, "depth first, transactions of the items intersected as bits"},
    {"fp-growth", CAIRN_MINE_FP_GROWTH, "depth first in a tree of the transactions"},
    {"lists", CAIRN_MINE_LISTS, "depth first in projected lists of the transactions"},
    {NULL, 0, NULL},
};

cairn_status cairn_items_transform(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   const cairn_params *transforms)
{
    *out = NULL;
    return transforms ? cairn_transforms_run(ctx, out, table, transforms, NULL) : CAIRN_OK;
}

cairn_status cairn_read_present(cairn_context *ctx, cairn_transactions *out,
                                const cairn_table *table, const char *present,
                                const cairn_params *transforms)
{
    cairn_view view;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    if (!table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "transactions are needed: baskets, a table of 0 and 1, or a table of "
                          "levels");
    CHECK(cairn_items_transform(ctx, &made, table, transforms));
    if (made) table = made;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return cairn_transactions_present(ctx, out, &view, present);
}

cairn_status cairn_support_count(cairn_context *ctx, uint64_t *out, double support, uint64_t total)
{
    char number[CAIRN_NUMBER_SIZE];
    if (support < 1) {
        *out = (uint64_t)ceil(support * (double)total * (1 - 1e-12));
        if (*out < 1) *out = 1;
        return CAIRN_OK;
    }
    cairn_number_format(number, support, 6);
    if (support != floor(support))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{support %s} is neither a share below 1 nor a whole number of "
                          "transactions",
                          number);
    if (support > (double)total)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{support %s} is more than the %llu transactions",
                          number, (unsigned long long)total);
    *out = (uint64_t)support;
    return CAIRN_OK;
}

static bool in_a_name(const cairn_transactions *t, const char *separator)
{
    for (size_t i = 0; i < t->n_items; i++)
        if (strstr(cairn_map_key(&t->names, i), separator)) return true;
    return false;
}

const char *cairn_item_separator(const cairn_transactions *t, const char *usual)
{
    static const char *const others[] = {" & ", "; ", " | ", ", ", " && ", " || ", "\t"};
    if (!in_a_name(t, usual)) return usual;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!in_a_name(t, others[i])) return others[i];
    return usual;
}

void cairn_note_target_items(cairn_report *out, const cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0) return;
    cairn_report_note(out,
                      "'%s' is the target, so its items are left out; they take part in a file "
                      "where no {target} is named.",
                      table->slots[at].name);
    cairn_report_hidden_word(out, table->slots[at].name, "items.left_out");
}

void cairn_show_transactions(cairn_report *out, const cairn_transactions *t, uint64_t support,
                             const char *prefix)
{
    size_t cells = t->n ? t->starts[t->n] : 0;
    cairn_report_value(out, "transactions", (double)t->total, "%stransactions", prefix);
    cairn_report_value(out, "items", (double)t->n_items, "%sitems", prefix);
    cairn_report_value(out, "items of a transaction, on average",
                       t->n ? (double)cells / (double)t->n : NAN, "%sitems.mean", prefix);
    cairn_report_value(out, "least support", (double)support, "%ssupport.least", prefix);
}
