/* SPDX-License-Identifier: MIT */
/* The vertical view of transactions, for steps: the list of transactions of every item, and the
 * sets as intersections of such lists. */
#include "items/items.h"

enum { SHOWN_SETS = 40, SHOWN_TRANSACTIONS = 40 };

/* Whether transaction i holds the items, which ascend. */
static bool holds(const cairn_transactions *t, size_t i, const int32_t *items, size_t n)
{
    size_t at = 0;
    for (size_t j = t->starts[i]; at < n && j < t->starts[i + 1]; j++)
        at += t->items[j] == items[at];
    return at == n;
}

/* Numbers of the transactions that hold the items, the first ones when there are many. */
static void list_holders(cairn_report *out, const cairn_transactions *t, const int32_t *items,
                         size_t n, cairn_text *text)
{
    size_t found = 0;
    text->length = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (!holds(t, i, items, n)) continue;
        if (found++ == SHOWN_TRANSACTIONS) {
            cairn_text_add(text, " ...");
            break;
        }
        cairn_text_addf(text, "%s%u", found > 1 ? " " : "", t->rows[i] + 1);
    }
    cairn_report_cell(out, cairn_text_string(text));
}

static void begin_table(cairn_report *out, const char *first)
{
    cairn_report_table_of(out, NULL, SHOWN_SETS, "llr", first, "transactions", "support");
}

static void show_intersections(cairn_report *out, const cairn_mining *m, const cairn_itemsets *sets,
                               cairn_text *text)
{
    cairn_report_step_begin(out, "Lists of larger sets, each from its prefix and one more item");
    begin_table(out, "set");
    for (size_t i = 0; i < sets->n && cairn_report_row_wanted(out); i++) {
        const int32_t *items = sets->items + sets->starts[i];
        size_t n = sets->starts[i + 1] - sets->starts[i];
        if (n < 2) continue;
        text->length = 0;
        cairn_items_add(text, m->t, items, n);
        cairn_report_cell(out, cairn_text_string(text));
        list_holders(out, m->t, items, n, text);
        cairn_report_cell_number(out, (double)sets->supports[i], 0, NULL);
    }
    cairn_report_step_end(out);
}

void cairn_show_lists(const cairn_mining *m, const cairn_itemsets *sets)
{
    cairn_report *out = m->options->steps;
    cairn_text text = cairn_text_start(m->ctx);
    if (!out) return;
    cairn_report_step_begin(out, "The transactions of every frequent item");
    begin_table(out, "item");
    for (size_t i = 0; i < m->n_items && cairn_report_row_wanted(out); i++) {
        cairn_report_cell(out, cairn_map_key(&m->t->names, (size_t)m->item[i]));
        list_holders(out, m->t, &m->item[i], 1, &text);
        cairn_report_cell_number(out, (double)m->supports[i], 0, "list%zu.support", i + 1);
    }
    cairn_report_step_end(out);
    show_intersections(out, m, sets, &text);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}
