/* SPDX-License-Identifier: MIT */
/* cairn compute itemsets: sets of items that occur together often enough. */
#include "model/calculator.h"
#include "typed/transaction_data.h"

#include <math.h>
#include <string.h>

enum { SETS_ALL, SETS_CLOSED, SETS_MAXIMAL };

typedef struct itemset_params {
    double support;
    int algorithm, sets;
    int max_size, min_size;
    bool empty, estimate, force;
    const char *covers, *present, *with;
    const cairn_params *transforms;
} itemset_params;

static const cairn_choice set_choices[] = {
    {"all", SETS_ALL, "every frequent set"},
    {"closed", SETS_CLOSED, "those that no larger set with the same support contains"},
    {"maximal", SETS_MAXIMAL, "those that no larger frequent set contains"},
    {NULL, 0, NULL},
};

static const cairn_param itemset_table[] = {
    CAIRN_PARAM(itemset_params, support, "0.1", "(0,inf)", CAIRN_SUPPORT_HELP),
    CAIRN_PARAM_CHOICE(itemset_params, algorithm, "auto", cairn_miner_choices,
                       "how supports are counted; all find the same sets in the same order"),
    CAIRN_PARAM_CHOICE(itemset_params, sets, "all", set_choices, "which of the frequent sets"),
    CAIRN_PARAM(itemset_params, max_size, "0", "[0,inf)", "most items of a set; 0 = no limit"),
    CAIRN_PARAM(itemset_params, min_size, "0", "[0,inf)", "least items of a set"),
    CAIRN_PARAM(itemset_params, empty, "no", NULL,
                "the empty set as well, which all transactions hold"),
    CAIRN_PARAM(itemset_params, covers, NULL, NULL,
                "items separated by commas: list the transactions that hold all of them, and what "
                "else these have in common"),
    CAIRN_PARAM(itemset_params, present, NULL, NULL, CAIRN_PRESENT_HELP),
    CAIRN_ITEMS_WITH(itemset_params),
    CAIRN_PARAM(itemset_params, estimate, "no", NULL,
                "say about how many sets there are instead of finding them"),
    CAIRN_PARAM(itemset_params, force, "no", NULL,
                "go on however many sets there are, as long as there is memory"),
    CAIRN_PARAM_END,
};

/* -- report -- */

enum { SHOWN_SETS = 20, NAMED_SETS = 200 };

/* Nothing is frequent: say what is the most frequent. */
static cairn_status show_nothing(cairn_context *ctx, cairn_report *out, const cairn_transactions *t)
{
    uint64_t *supports;
    size_t most = 0;
    CHECK(SCRATCH(ctx, &supports, t->n_items + 1));
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++)
            supports[t->items[j]] += t->counts ? t->counts[i] : 1;
    for (size_t i = 0; i < t->n_items; i++)
        if (supports[i] > supports[most]) most = i;
    if (t->n_items)
        cairn_report_note(out, "No item is so frequent; the most frequent is %s with %llu.",
                          cairn_map_key(&t->names, most), (unsigned long long)supports[most]);
    return CAIRN_OK;
}

/* The sets to show first: the largest support, of equal ones the smaller set, then as found. */
static bool shows_first(const cairn_itemsets *s, size_t a, size_t b)
{
    if (s->supports[a] != s->supports[b]) return s->supports[a] > s->supports[b];
    size_t size_a = s->starts[a + 1] - s->starts[a], size_b = s->starts[b + 1] - s->starts[b];
    return size_a != size_b ? size_a < size_b : a < b;
}

static void sift(const cairn_itemsets *s, size_t *heap, size_t n, size_t at)
{
    size_t x = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) { /* the last to show on top */
        if (child + 1 < n && shows_first(s, heap[child], heap[child + 1])) child++;
        if (!shows_first(s, x, heap[child])) break;
        heap[at] = heap[child];
    }
    heap[at] = x;
}

/* Numbers of the first sets to show, in order. */
static size_t choose_shown(const cairn_itemsets *s, size_t *out, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (n < most) {
            out[n++] = i;
            for (size_t at = n / 2; n == most && at-- > 0;) sift(s, out, n, at);
        } else if (shows_first(s, i, out[0])) {
            out[0] = i;
            sift(s, out, n, 0);
        }
    }
    if (n < most)
        for (size_t at = n / 2; at-- > 0;) sift(s, out, n, at);
    for (size_t end = n; end > 1; end--) {
        size_t top = out[0];
        out[0] = out[end - 1];
        out[end - 1] = top;
        sift(s, out, end - 1, 0);
    }
    return n;
}

static void show_sizes(cairn_report *out, const cairn_itemsets *s)
{
    size_t counts[65] = {0}, largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t n = s->starts[i + 1] - s->starts[i];
        counts[n < 64 ? n : 64]++;
        if (n > largest) largest = n;
    }
    cairn_report_table_of(out, "Sets by their size", (size_t)-1, "rr", "items", "sets");
    for (size_t n = 0; n <= largest && n < 64; n++) {
        if (!counts[n]) continue;
        cairn_report_cells(out, "- size$1", n, counts[n]);
    }
}

/* The supports of the first sets as bars, on pages. */
static cairn_status draw_sets(cairn_context *ctx, cairn_report *out, const char *const *names,
                              const double *supports, size_t n)
{
    cairn_figure *figure = NULL;
    if (!n) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, "itemsets", "The most frequent sets"));
    cairn_figure_axes(figure, NULL, "transactions that hold the set");
    cairn_figure_bars(figure, NULL, names, supports, n);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* The first sets by support; the same ones are drawn. */
static cairn_status show_sets(cairn_context *ctx, cairn_report *out, const cairn_transactions *t,
                              const cairn_itemsets *s)
{
    const char *names[SHOWN_SETS];
    double supports[SHOWN_SETS];
    size_t drawn = 0;
    size_t shown[NAMED_SETS], n = choose_shown(s, shown, s->n < NAMED_SETS ? s->n : SHOWN_SETS);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_report_table_of(out, "Sets by their support", SHOWN_SETS, "lrr", "set", "support",
                          "share");
    if (s->marks) cairn_report_column(out, "is", 'l');
    for (size_t i = 0; i < n; i++) {
        size_t at = shown[i], size = s->starts[at + 1] - s->starts[at];
        text.length = 0;
        cairn_items_add(&text, t, s->items + s->starts[at], size);
        CHECK(cairn_text_status(&text));
        if (drawn < SHOWN_SETS) {
            char *name;
            CHECK(SCRATCH(ctx, &name, text.length + 1));
            memcpy(name, cairn_text_string(&text), text.length);
            supports[drawn] = (double)s->supports[at];
            names[drawn++] = name;
        }
        cairn_report_cells(out, "- support.$1", cairn_text_string(&text), s->supports[at],
                           (double)s->supports[at] / (double)t->total);
        if (s->marks)
            cairn_report_cell(out, s->marks[at] & CAIRN_SET_MAXIMAL  ? "maximal"
                                   : s->marks[at] & CAIRN_SET_CLOSED ? "closed"
                                                                     : "");
    }
    if (s->n > n)
        cairn_report_note(out, "%zu more sets are not shown; {out FILE.csv} writes all of them.",
                          s->n - n);
    return draw_sets(ctx, out, names, supports, drawn);
}

/* Transactions that hold all of the named items, and the items that all of these have. */
static cairn_status show_cover(cairn_context *ctx, cairn_report *out, const cairn_transactions *t,
                               const char *list)
{
    char **names;
    size_t n, held = 0;
    uint64_t support = 0;
    uint8_t *wanted;
    size_t *common;
    SCOPED(cairn_text_clear) cairn_text closure = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text rows = cairn_text_start(ctx);
    CHECK(cairn_list_split(ctx, list, &names, &n));
    CHECK(SCRATCH_EACH(ctx, t->n_items + 1, &wanted, &common));
    for (size_t i = 0; i < n; i++) {
        int64_t item = cairn_map_find(&t->names, names[i], strlen(names[i]));
        if (item < 0)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{covers}: there is no item '%s'", names[i]));
        wanted[item] = 1;
    }
    for (size_t i = 0; i < t->n; i++) {
        size_t found = 0;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++) found += wanted[t->items[j]];
        if (found < n) continue;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++) common[t->items[j]]++;
        cairn_text_addf(&rows, "%s%u", held++ ? "," : "", t->rows[i] + 1);
        support += t->counts ? t->counts[i] : 1;
    }
    for (size_t i = 0; held && i < t->n_items; i++)
        if (common[i] == held)
            cairn_text_addf(&closure, "%s%s", closure.length ? ", " : "",
                            cairn_map_key(&t->names, i));
    cairn_report_word(out, "transactions that hold them", cairn_text_string(&rows), "covered");
    cairn_report_value(out, "how many", (double)held, "covered.n");
    if (t->counts)
        cairn_report_value(out, "with their weights", (double)support, "covered.support");
    cairn_report_word(out, "items that all of these have (closure)", cairn_text_string(&closure),
                      "closure");
    CHECK(cairn_text_status(&rows));
    return cairn_text_status(&closure);
}

/* -- the table for --out -- */

/* Names that hold blanks: the items as a text with something else between them. */
static cairn_status add_texts(cairn_context *ctx, cairn_table *table, const cairn_transactions *t,
                              const cairn_itemsets *s, const char *between)
{
    cairn_column *given;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_column_new(ctx, &column, CAIRN_TEXT, s->n));
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = s->starts[i]; k < s->starts[i + 1]; k++)
            cairn_text_addf(&text, "%s%s", k > s->starts[i] ? between : "",
                            cairn_map_key(&t->names, (size_t)s->items[k]));
        column->starts[i + 1] = text.length;
    }
    CHECK(cairn_text_status(&text));
    CHECK(NEW_RAW(ctx, &column->bytes, text.length + 1));
    memcpy(column->bytes, cairn_text_string(&text), text.length + 1);
    given = TAKE(column);
    return cairn_table_add_column(ctx, table, "items", CAIRN_FEATURE, given);
}

/* Sets are bags where the names of the items allow it; names with blanks need another separator,
 * and the note says which. */
static cairn_status make_result(cairn_context *ctx, cairn_report *report, cairn_table **out,
                                cairn_transactions *t, cairn_itemsets *s)
{
    const char *between = cairn_item_separator(t, " ");
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column *given;
    OWNED(cairn_column_drop) cairn_column *numbers = NULL;
    CHECK(cairn_table_new(ctx, &table, s->n));
    CHECK(cairn_column_new(ctx, &numbers, CAIRN_NUMBER, s->n));
    for (size_t i = 0; i < s->n; i++) numbers->numbers[i] = (double)s->supports[i];
    if (strcmp(between, " ") == 0) {
        /* A bag column, which takes over the sets' arrays and the names of the items. */
        cairn_column *bags;
        CHECK(cairn_column_new(ctx, &bags, CAIRN_BAG, 0));
        cairn_free(bags->starts);
        bags->n_rows = s->n;
        bags->starts = s->starts;
        bags->items = s->items;
        bags->names = t->names;
        s->starts = NULL;
        s->items = NULL;
        t->names = (cairn_map){0};
        CHECK(cairn_table_add_column(ctx, table, "items", CAIRN_FEATURE, bags));
    } else {
        CHECK(add_texts(ctx, table, t, s, between));
        cairn_report_note(
            report, "Names of items hold blanks: in the file '%s' stands between items.", between);
    }
    given = TAKE(numbers);
    CHECK(cairn_table_add_column(ctx, table, "support", CAIRN_FEATURE, given));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The empty set is counted by every miner and dropped again unless asked for, so that numbers
 * agree whichever is used. */
static cairn_status itemsets_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const itemset_params *p = job->params;
    SCOPED(cairn_transactions_clear) cairn_transactions t = {0};
    SCOPED(cairn_itemsets_clear) cairn_itemsets sets = {0};
    cairn_mine_options options = {.miner = (cairn_miner)p->algorithm,
                                  .most = (size_t)p->max_size,
                                  .empty = p->empty,
                                  .marks = p->sets != SETS_ALL,
                                  .force = p->force};
    CHECK(cairn_read_present(ctx, &t, job->table, p->present, p->transforms));
    CHECK(cairn_support_count(ctx, &options.support, p->support, t.total));
    cairn_report_heading(out, 1, "Frequent item sets");
    cairn_note_target_items(out, job->table);
    if (p->estimate) {
        double about;
        CHECK(cairn_mine_estimate(ctx, &about, &t, &options));
        cairn_show_transactions(out, &t, options.support, "");
        cairn_report_value(out, "frequent sets, about", about, "frequent.estimate");
        cairn_report_note(out,
                          "From random ways down the search tree: right on average, and seldom "
                          "wrong by more than a factor of three.");
        return CAIRN_OK;
    }
    if (job->steps) options.steps = out;
    CHECK(cairn_mine(ctx, &sets, &t, &options));
    bool empty = sets.n && sets.starts[1] == 0; /* it was looked for in any case */
    size_t found = sets.n - (empty && !p->empty);
    cairn_itemsets_keep(&sets,
                        p->sets == SETS_CLOSED    ? CAIRN_SET_CLOSED
                        : p->sets == SETS_MAXIMAL ? CAIRN_SET_MAXIMAL
                                                  : 0,
                        (size_t)p->min_size > 0 ? (size_t)p->min_size
                        : p->empty              ? 0
                                                : 1);
    cairn_show_transactions(out, &t, options.support, "");
    cairn_report_word(out, "algorithm", cairn_miner_name(sets.miner), "algorithm");
    cairn_report_value(out, "frequent sets", (double)found, "frequent");
    if (p->sets != SETS_ALL)
        cairn_report_value(out, p->sets == SETS_CLOSED ? "closed sets" : "maximal sets",
                           (double)sets.n, "sets");
    if (found == (empty && p->empty)) CHECK(show_nothing(ctx, out, &t));
    show_sizes(out, &sets);
    CHECK(show_sets(ctx, out, &t, &sets));
    if (p->covers) CHECK(show_cover(ctx, out, &t, p->covers));
    if (job->result) CHECK(make_result(ctx, out, job->result, &t, &sets));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_itemsets = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "itemsets",
         .also = "Apriori (algorithm=apriori), frequent itemsets, frequent item sets, "
                 "FP-growth (algorithm=fp-growth), FP-tree, Eclat (algorithm=eclat), support, "
                 "frequent pattern mining",
         .title = "Frequent item sets",
         .summary =
             "Finds the sets of items that occur together in at least so many transactions. "
             "Data may be baskets (one transaction per line), a table of 0 and 1, or an "
             "ordinary table, whose cells are then items such as outlook=sunny. All, closed "
             "or maximal sets; several algorithms that find the same. --out FILE.csv writes all "
             "sets.",
         .references = "Agrawal, Srikant: Fast algorithms for mining association rules, VLDB "
                       "1994; Zaki: Scalable algorithms for association mining, 2000; Han, "
                       "Pei, Yin: Mining frequent patterns without candidate generation, 2000",
         .example = "cairn compute itemsets @baskets --support 3 --steps --algorithm apriori",
         .params = itemset_table,
         .params_size = sizeof(itemset_params)},
    .arguments = "DATA",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .baskets = true,
    .run = itemsets_run,
};
