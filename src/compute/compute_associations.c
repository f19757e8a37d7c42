/* SPDX-License-Identifier: MIT */
/* cairn compute associations: rules "who has these also has those" between items. */
#include "compute/compute.h"
#include "compute/transaction_data.h"

#include "base/order.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

enum { ORDER_CONFIDENCE, ORDER_LIFT, ORDER_SUPPORT, ORDER_LEVERAGE };

typedef struct association_params {
    double support, confidence, min_lift, level;
    int algorithm, order;
    int max_size, max_head;
    bool empty_body, only_better, force;
    const char *by, *without;
} association_params;

static const cairn_choice order_choices[] = {
    {"confidence", ORDER_CONFIDENCE, "the most confident first"},
    {"lift", ORDER_LIFT, "the largest lift first"},
    {"support", ORDER_SUPPORT, "the most frequent first"},
    {"leverage", ORDER_LEVERAGE, "the largest leverage first"},
    {NULL, 0, NULL},
};

static const cairn_param association_table[] = {
    CAIRN_PARAM(association_params, support, "0.1", "(0,inf)", CAIRN_SUPPORT_HELP),
    CAIRN_PARAM(association_params, confidence, "0.6", "[0,1]",
                "least confidence; rules that just reach it count"),
    CAIRN_PARAM(association_params, min_lift, CAIRN_NOT_GIVEN, "[0,inf)", "least lift"),
    CAIRN_PARAM(association_params, level, CAIRN_NOT_GIVEN, "(0,1]",
                "drop rules that are not significant at this level (Fisher's exact test)"),
    CAIRN_PARAM(association_params, only_better, "no", NULL,
                "drop rules that are no better than one with a smaller body"),
    CAIRN_PARAM(association_params, empty_body, "yes", NULL,
                "rules without a body, which hold for all: true -> head"),
    CAIRN_PARAM(association_params, max_head, "0", "[0,inf)", "most items of a head; 0 = no limit"),
    CAIRN_PARAM(association_params, max_size, "0", "[0,inf)",
                "most items of body and head together; 0 = no limit"),
    CAIRN_PARAM_CHOICE(association_params, order, "confidence", order_choices,
                       "which rules come first"),
    CAIRN_PARAM(association_params, without, NULL, NULL,
                "number of a rule in the table: list the transactions that have its body and not "
                "its head, to whom the head can be offered"),
    CAIRN_PARAM_AS(association_params, by, CAIRN_TYPE_COLUMNS, NULL,
                   "a column of segments: rules are looked for in each of them by itself"),
    CAIRN_PARAM_CHOICE(association_params, algorithm, "auto", cairn_miner_choices,
                       "how frequent sets are found"),
    CAIRN_PARAM(association_params, force, "no", NULL,
                "go on however many frequent sets there are"),
    CAIRN_PARAM_END,
};

/* -- order -- */

static double merit_of(const cairn_association *r, int order)
{
    switch (order) {
    case ORDER_LIFT: return r->lift;
    case ORDER_SUPPORT: return (double)r->support;
    case ORDER_LEVERAGE: return r->leverage;
    default: return r->confidence;
    }
}

static bool comes_first(const void *a, const void *b, const void *data)
{
    int order = *(const int *)data;
    return merit_of(a, order) > merit_of(b, order);
}

/* -- report -- */

enum { SHOWN_RULES = 20, NAMED_RULES = 200 };

typedef struct found {
    const cairn_transactions *t;
    const cairn_itemsets *sets;
    const cairn_association *rules;
    size_t n;
    const char *between; /* items */
} found;

static void add_items(cairn_text *text, const found *f, size_t set)
{
    if (set == SIZE_MAX) {
        cairn_text_add(text, "true");
        return;
    }
    const int32_t *items = f->sets->items + f->sets->starts[set];
    for (size_t i = 0; i < f->sets->starts[set + 1] - f->sets->starts[set]; i++)
        cairn_text_addf(text, "%s%s", i ? f->between : "",
                        cairn_map_key(&f->t->names, (size_t)items[i]));
}

static void rule_row(cairn_report *out, const found *f, size_t i, const char *prefix)
{
    const cairn_association *r = &f->rules[i];
    cairn_text body = cairn_text_start(cairn_report_context(out)), head = body;
    add_items(&body, f, r->body);
    add_items(&head, f, r->head);
    cairn_report_cellf(out, "%zu", i + 1);
    cairn_report_cell_word(out, cairn_text_string(&body), "%srule%zu.body", prefix, i + 1);
    cairn_report_cell_word(out, cairn_text_string(&head), "%srule%zu.head", prefix, i + 1);
    cairn_report_cell_number(out, (double)r->support, 0, "%srule%zu.support", prefix, i + 1);
    cairn_report_cell_number(out, r->confidence, 0, "%srule%zu.confidence", prefix, i + 1);
    cairn_report_cell_number(out, r->lift, 0, "%srule%zu.lift", prefix, i + 1);
    cairn_report_cell_number(out, r->leverage, 0, "%srule%zu.leverage", prefix, i + 1);
    cairn_report_cell_number(out, r->conviction, 0, "%srule%zu.conviction", prefix, i + 1);
    cairn_report_cell_number(out, r->p_value, 0, "%srule%zu.p", prefix, i + 1);
    cairn_report_failed(out, cairn_text_status(&body));
    cairn_report_failed(out, cairn_text_status(&head));
    cairn_text_clear(&body);
    cairn_text_clear(&head);
}

static void show_rules(cairn_report *out, const found *f, const char *prefix)
{
    static const char *const heads[] = {"supp", "conf", "lift", "leverage", "convict.", "p"};
    cairn_report_value(out, "rules", (double)f->n, "%srules", prefix);
    cairn_report_table_begin(out, "Rules", SHOWN_RULES);
    cairn_report_column(out, "", 'r');
    cairn_report_column(out, "who has", 'l');
    cairn_report_column(out, "also has", 'l');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < f->n && i < NAMED_RULES; i++) rule_row(out, f, i, prefix);
    cairn_report_table_end(out);
    if (f->n > NAMED_RULES)
        cairn_report_note(out, "%zu rules in all; --out FILE.csv writes them.", f->n);
}

/* -- transactions that a rule is wrong about -- */

static bool holds(const found *f, size_t transaction, size_t set)
{
    if (set == SIZE_MAX) return true;
    const int32_t *items = f->sets->items + f->sets->starts[set];
    size_t n = f->sets->starts[set + 1] - f->sets->starts[set], at = 0;
    for (size_t j = f->t->starts[transaction]; at < n && j < f->t->starts[transaction + 1]; j++)
        at += f->t->items[j] == items[at];
    return at == n;
}

static cairn_status show_without(cairn_context *ctx, cairn_report *out, const found *f,
                                 const char *wanted)
{
    double *numbers;
    size_t n, listed = 0;
    cairn_text rows = cairn_text_start(ctx);
    cairn_status status;
    TRY(cairn_list_numbers(ctx, "without", wanted, &numbers, &n));
    if (n != 1 || numbers[0] < 1 || numbers[0] > (double)f->n || numbers[0] != floor(numbers[0]))
        TRY(cairn_fail(ctx, CAIRN_USAGE, "--without: the number of one of the %zu rules is needed",
                       f->n));
    const cairn_association *r = &f->rules[(size_t)numbers[0] - 1];
    for (size_t i = 0; i < f->t->n; i++)
        if (holds(f, i, r->body) && !holds(f, i, r->head))
            cairn_text_addf(&rows, "%s%u", listed++ ? "," : "", f->t->rows[i] + 1);
    cairn_report_word(out, "have the body and not the head (rows)", cairn_text_string(&rows),
                      "without");
    cairn_report_value(out, "how many", (double)listed, "without.n");
    TRY(cairn_text_status(&rows));
done:
    cairn_text_clear(&rows);
    return status;
}

/* -- the table for --out -- */

static cairn_status add_text(cairn_context *ctx, cairn_table *table, const char *name,
                             const found *f, bool head)
{
    cairn_column *column = NULL, *given;
    cairn_text text = cairn_text_start(ctx);
    size_t code;
    cairn_status status;
    TRY(cairn_column_new(ctx, &column, CAIRN_LEVEL, f->n));
    for (size_t i = 0; i < f->n; i++) {
        text.length = 0;
        add_items(&text, f, head ? f->rules[i].head : f->rules[i].body);
        TRY(cairn_text_status(&text));
        TRY(cairn_map_add(ctx, &column->names, cairn_text_string(&text), text.length, &code));
        column->codes[i] = (int32_t)code;
    }
    given = column;
    column = NULL;
    TRY(cairn_table_add_column(ctx, table, name, CAIRN_FEATURE, given));
done:
    cairn_column_drop(column);
    cairn_text_clear(&text);
    return status;
}

static cairn_status make_result(cairn_context *ctx, cairn_table **out, const found *f)
{
    static const char *const names[] = {"support",  "confidence", "lift",
                                        "leverage", "conviction", "p"};
    cairn_table *table = NULL;
    double *numbers;
    cairn_status status;
    TRY(cairn_table_new(ctx, &table, f->n));
    TRY(add_text(ctx, table, "body", f, false));
    TRY(add_text(ctx, table, "head", f, true));
    TRY(SCRATCH(ctx, &numbers, f->n + 1));
    for (size_t c = 0; c < sizeof names / sizeof *names; c++) {
        for (size_t i = 0; i < f->n; i++) {
            const cairn_association *r = &f->rules[i];
            const double values[] = {(double)r->support, r->confidence, r->lift,
                                     r->leverage,        r->conviction, r->p_value};
            numbers[i] = isinf(values[c]) ? NAN : values[c]; /* tables hold no infinities */
        }
        TRY(cairn_table_add_numbers(ctx, table, names[c], numbers));
    }
    *out = table;
    table = NULL;
done:
    cairn_table_free(table);
    return status;
}

/* -- run -- */

/* Rules of some rows of the table; `result` may be NULL. */
static cairn_status find_rules(cairn_context *ctx, cairn_report *out, const association_params *p,
                               const cairn_view *view, const char *prefix, cairn_table **result)
{
    cairn_transactions t = {0};
    cairn_itemsets sets = {0};
    cairn_mine_options mining = {
        .miner = (cairn_miner)p->algorithm, .most = (size_t)p->max_size, .force = p->force};
    cairn_rule_options options = {.confidence = p->confidence,
                                  .lift = p->min_lift,
                                  .most_head = (size_t)p->max_head,
                                  .empty_body = p->empty_body,
                                  .only_better = p->only_better,
                                  .level = p->level};
    cairn_association *rules = NULL;
    size_t n = 0;
    cairn_status status;
    TRY(cairn_transactions_make(ctx, &t, view));
    TRY(cairn_support_count(ctx, &mining.support, p->support, t.total));
    TRY(cairn_mine(ctx, &sets, &t, &mining));
    cairn_show_transactions(out, &t, mining.support);
    cairn_report_value(out, "frequent sets", (double)sets.n, "%sfrequent", prefix);
    TRY(cairn_associations(ctx, &rules, &n, &t, &sets, &options));
    if (p->order != ORDER_CONFIDENCE) /* equals stay in the order of confidence */
        TRY(cairn_sort_by(ctx, rules, n, sizeof *rules, comes_first, &p->order));
    found f = {&t, &sets, rules, n, cairn_item_separator(&t, " & ")};
    show_rules(out, &f, prefix);
    if (p->without) TRY(show_without(ctx, out, &f, p->without));
    if (result) TRY(make_result(ctx, result, &f));
done:
    cairn_itemsets_clear(&sets);
    cairn_transactions_clear(&t);
    return status;
}

/* The view without the column of segments. */
static cairn_status leave_out(cairn_context *ctx, cairn_view *view, const char *name,
                              const cairn_column **column)
{
    size_t n = 0;
    for (size_t c = 0; c < view->n_features; c++) {
        if (strcmp(view->names[c], name) == 0) {
            *column = view->features[c];
            continue;
        }
        view->names[n] = view->names[c];
        view->features[n++] = view->features[c];
    }
    view->n_features = n;
    if (!*column || (*column)->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE, "--by %s: there is no level column of that name", name);
    return CAIRN_OK;
}

static cairn_status rules_by(cairn_context *ctx, cairn_report *out, const association_params *p,
                             cairn_view *view)
{
    const cairn_column *column = NULL;
    uint32_t *rows;
    cairn_view part = *view;
    cairn_status status;
    TRY(leave_out(ctx, &part, p->by, &column));
    TRY(SCRATCH(ctx, &rows, view->rows.n));
    for (size_t l = 0; l < column->names.n; l++) {
        const char *name = cairn_map_key(&column->names, l);
        cairn_text prefix = cairn_text_start(ctx);
        part.rows.n = 0;
        for (size_t i = 0; i < view->rows.n; i++)
            if (column->codes[cairn_view_row(view, i)] == (int32_t)l)
                rows[part.rows.n++] = (uint32_t)cairn_view_row(view, i);
        part.rows.indices = rows;
        if (part.rows.n == 0) continue;
        cairn_report_heading(out, 2, "%s = %s", p->by, name);
        cairn_text_addf(&prefix, "%s.", cairn_report_key(out, name));
        status = cairn_text_status(&prefix);
        if (status == CAIRN_OK)
            status = find_rules(ctx, out, p, &part, cairn_text_string(&prefix), NULL);
        cairn_text_clear(&prefix);
        if (status) goto done;
    }
done:
    return status;
}

static cairn_status associations_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const association_params *p = job->params;
    cairn_view view;
    cairn_status status;
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "transactions are needed: baskets, a table of 0 and 1, or a table of "
                          "levels");
    TRY(cairn_view_make(ctx, &view, job->table, cairn_all_rows(job->table)));
    cairn_report_heading(out, 1, "Association rules");
    cairn_report_formula(out, "confidence = supp(body & head) / supp(body)");
    cairn_report_formula(out, "lift = n · supp(body & head) / (supp(body) · supp(head))");
    if (p->by)
        TRY(rules_by(ctx, out, p, &view));
    else
        TRY(find_rules(ctx, out, p, &view, "", job->result));
done:
    return status;
}

const cairn_calculator cairn_compute_associations = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "associations",
              .title = "Association rules",
              .summary =
                  "Rules between items of transactions: who has the items of the body also has "
                  "those of the head. From the frequent item sets, with support, confidence, lift, "
                  "leverage, conviction and the p-value of Fisher's test; filters for lift, "
                  "significance and rules that a simpler one makes needless; rules per segment; "
                  "and the list of transactions to whom the head of a rule can be offered.",
              .references = "Agrawal, Srikant: Fast algorithms for mining association rules, VLDB "
                            "1994; Brin, Motwani, Ullman, Tsur: Dynamic itemset counting and "
                            "implication rules, 1997",
              .example = "cairn compute associations @baskets --support 3",
              .params = association_table,
              .params_size = sizeof(association_params)},
    .arguments = "DATA",
    .takes_data = true,
    .run = associations_run,
};
