/* SPDX-License-Identifier: MIT */
/* cairn compute associations: rules "who has these also has those" between items. */
#include "model/calculator.h"
#include "typed/transaction_data.h"

#include "base/sort_by.h"
#include "data/column.h"
#include "data/grow.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { ORDER_CONFIDENCE, ORDER_LIFT, ORDER_SUPPORT, ORDER_LEVERAGE };

typedef struct association_params {
    double support, confidence, min_lift, level;
    int algorithm, order;
    int max_size, max_head;
    bool empty_body, interesting, only_better, force;
    const char *by, *without, *present, *with;
    const cairn_params *transforms;
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
    CAIRN_PARAM(association_params, interesting, "no", NULL,
                "only rules whose body makes the head likelier: lift above 1"),
    CAIRN_PARAM_CALLED("alpha", association_params, level, CAIRN_NOT_GIVEN, "(0,1]",
                       "drop rules that are not significant at this level (Fisher's exact test)",
                       .was = "level"),
    CAIRN_PARAM(association_params, only_better, "no", NULL,
                "drop rules that are no better than one with a smaller body"),
    CAIRN_PARAM(association_params, empty_body, "yes", NULL,
                "rules without a body, which hold for all: true -> head"),
    CAIRN_PARAM(association_params, max_head, "0", "[0,inf)", "most items of a head; 0 = no limit"),
    CAIRN_PARAM(association_params, max_size, "0", "[0,inf)",
                "most items of body and head together; 0 = no limit"),
    CAIRN_PARAM_CHOICE(association_params, order, "confidence", order_choices,
                       "which rules come first"),
    CAIRN_PARAM(
        association_params, without, NULL, NULL,
        "numbers of rules in the table, or all: list the transactions that have the body of a "
        "rule and not its head, to whom the head can be offered; --out has the lists too"),
    CAIRN_PARAM_AS(association_params, by, CAIRN_TYPE_COLUMNS, NULL,
                   "a column of segments, the target too: rules are looked for in each of them "
                   "by itself"),
    CAIRN_PARAM(association_params, present, NULL, NULL, CAIRN_PRESENT_HELP),
    CAIRN_ITEMS_WITH(association_params),
    CAIRN_PARAM_CHOICE(association_params, algorithm, "auto", cairn_miner_choices,
                       "how frequent sets are found"),
    CAIRN_PARAM(association_params, force, "no", NULL,
                "go on however many frequent sets and rules there are"),
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

enum { SHOWN_RULES = 20, NAMED_RULES = 200, SHOWN_SETS = 200 };

typedef struct found {
    const cairn_transactions *t;
    const cairn_itemsets *sets;
    const cairn_association *rules;
    size_t n;
    const char *between;     /* items */
    const cairn_column *ids; /* of the table; NULL = none */
    const uint8_t *without;  /* n: whether its list is wanted; NULL = none is */
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

/* The usual measures side by side: a high confidence alone may only mean that the head is
 * frequent, which lift and p show. */
static void rule_row(cairn_report *out, const found *f, size_t i, const char *prefix)
{
    const cairn_association *r = &f->rules[i];
    cairn_text body = cairn_text_start(cairn_report_context(out)), head = body;
    add_items(&body, f, r->body);
    add_items(&head, f, r->head);
    cairn_report_prefix(out, "%srule", prefix);
    cairn_report_cells(
        out,
        "- @$1.body @$1.head @$1.support @$1.confidence @$1.lift @$1.leverage @$1.conviction @$1.p",
        i + 1, cairn_text_string(&body), cairn_text_string(&head), r->support, r->confidence,
        r->lift, r->leverage, r->conviction, r->p_value);
    cairn_report_failed(out, cairn_text_status(&body));
    cairn_report_failed(out, cairn_text_status(&head));
    cairn_text_clear(&body);
    cairn_text_clear(&head);
}

/* Steps: every way to part the frequent sets, with the fraction that decides. */
static cairn_status show_candidates(cairn_context *ctx, cairn_report *out, const found *f,
                                    const cairn_rule_options *o)
{
    cairn_rule_options all = {.lift = NAN, .level = NAN, .empty_body = true};
    cairn_association *rules;
    size_t n;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (f->sets->n > SHOWN_SETS) {
        cairn_report_note(out, "More than %d frequent sets: how they are split is not shown.",
                          SHOWN_SETS);
        return CAIRN_OK;
    }
    CHECK(cairn_associations(ctx, &rules, &n, f->t, f->sets, &all));
    cairn_report_step_begin(out, "Every frequent set is split into body and head in all ways");
    cairn_report_table_of(out, NULL, SHOWN_SETS, "lllrl", "who has", "also has", "confidence", "",
                          "enough");
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        const cairn_association *r = &rules[i];
        for (size_t part = 0; part < 2; part++) {
            text.length = 0;
            add_items(&text, f, part ? r->head : r->body);
            cairn_report_cell(out, cairn_text_string(&text));
        }
        cairn_report_cellf(out, "%llu / %llu =", (unsigned long long)r->support,
                           (unsigned long long)r->body_support);
        cairn_report_cells(out, NULL, r->confidence,
                           r->confidence >= o->confidence - 1e-12 ? "yes" : "no");
    }
    cairn_report_step_end(out);
    return cairn_text_status(&text);
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

/* The transactions that have the body of rule r and not its head; returns how many. */
static size_t list_without(cairn_text *text, const found *f, size_t r)
{
    const cairn_association *rule = &f->rules[r];
    size_t n = 0;
    for (size_t i = 0; i < f->t->n; i++) {
        if (!holds(f, i, rule->body) || holds(f, i, rule->head)) continue;
        if (n++) cairn_text_add_char(text, ',');
        /* Row number, or what the id column says. */
        char name[256];
        size_t row = f->t->rows[i];
        if (!f->ids) {
            cairn_text_addf(text, "%zu", row + 1);
            continue;
        }
        cairn_column_cell(f->ids, row, name, sizeof name);
        cairn_text_add(text, name);
    }
    return n;
}

/* Marks of the rules that --without names; NULL when it names none. */
static cairn_status choose_without(cairn_context *ctx, found *f, const char *wanted)
{
    double *numbers, cells = 0;
    uint8_t *chosen;
    size_t n;
    if (!wanted) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &chosen, f->n + 1));
    if (strcmp(wanted, "all") == 0) {
        memset(chosen, 1, f->n);
    } else {
        CHECK(cairn_list_numbers(ctx, "without", wanted, &numbers, &n));
        for (size_t i = 0; i < n; i++) {
            if (!(numbers[i] >= 1 && numbers[i] <= (double)f->n && numbers[i] == floor(numbers[i])))
                CHECK(cairn_fail(ctx, CAIRN_USAGE,
                                 "{without}: numbers of rules in the table, 1 to %zu, or all",
                                 f->n));
            chosen[(size_t)numbers[i] - 1] = 1;
        }
    }
    for (size_t i = 0; i < f->n; i++)
        if (chosen[i]) cells += (double)(f->rules[i].body_support - f->rules[i].support);
    CHECK(cairn_memory_check(ctx, 8 * cells, "the lists of transactions without the heads",
                             cairn_say(ctx, "name fewer rules in {without}")));
    f->without = chosen;
    return CAIRN_OK;
}

/* The rows that contradict a rule, by their id where there is one: in practice they are what the
 * rule is looked up for. */
static cairn_status show_without(cairn_context *ctx, cairn_report *out, const found *f,
                                 const char *prefix)
{
    size_t n = 0, last = 0, shown = 0;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    for (size_t i = 0; f->without && i < f->n; i++)
        if (f->without[i]) n++, last = i;
    if (n == 0) return CAIRN_OK;
    if (n == 1) {
        size_t listed = list_without(&text, f, last);
        cairn_report_word(out,
                          f->ids ? "have the body and not the head"
                                 : "have the body and not the head (rows)",
                          cairn_text_string(&text), "%swithout", prefix);
        cairn_report_value(out, "how many", (double)listed, "%swithout.n", prefix);
        CHECK(cairn_text_status(&text));
        return CAIRN_OK;
    }
    cairn_report_table_of(out, "Who has the body of a rule and not its head", SHOWN_RULES, "rrl",
                          "rule", "how many", f->ids ? "who" : "rows");
    for (size_t i = 0; i < f->n && shown < NAMED_RULES; i++) {
        if (!f->without[i]) continue;
        text.length = 0;
        size_t listed = list_without(&text, f, i);
        CHECK(cairn_text_status(&text));
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        cairn_report_prefix(out, "%srule%zu", prefix, i + 1);
        cairn_report_cells(out, "- @.without.n @.without", i + 1, (double)listed,
                           cairn_text_string(&text));
        shown++;
    }
    return CAIRN_OK;
}

/* -- the table for --out -- */

enum { SEGMENT, BODY, HEAD, NUMBERS, N_NUMBERS = 6, WITHOUT = NUMBERS + N_NUMBERS, N_COLUMNS };

/* The rules of all segments. */
typedef struct rule_table {
    cairn_grow_column columns[N_COLUMNS];
} rule_table;

static rule_table rule_table_start(void)
{
    rule_table t = {0};
    for (size_t c = 0; c < N_COLUMNS; c++)
        t.columns[c].kind = c < NUMBERS ? CAIRN_LEVEL : c < WITHOUT ? CAIRN_NUMBER : CAIRN_TEXT;
    return t;
}

/* The level of a set's text, which is made once per set: the table has it from then on. */
static cairn_status code_set(cairn_context *ctx, cairn_grow_column *column, const found *f,
                             int32_t *codes, size_t set, cairn_text *text)
{
    int32_t *code = &codes[set == SIZE_MAX ? f->sets->n : set];
    size_t index;
    if (!*code) {
        text->length = 0;
        add_items(text, f, set);
        CHECK(cairn_text_status(text));
        CHECK(cairn_map_add(ctx, &column->names, cairn_text_string(text), text->length, &index));
        *code = (int32_t)index + 1;
    }
    return cairn_grow_code(ctx, column, *code - 1);
}

/* One line of the table for {out}; sets of items are levels, since the same ones come up in many
 * rules. */
static cairn_status add_rule(cairn_context *ctx, rule_table *table, const found *f, size_t i,
                             int32_t *const codes[2], cairn_text *text)
{
    const cairn_association *r = &f->rules[i];
    const double values[N_NUMBERS] = {(double)r->support, r->confidence, r->lift,
                                      r->leverage,        r->conviction, r->p_value};
    CHECK(code_set(ctx, &table->columns[BODY], f, codes[0], r->body, text));
    CHECK(code_set(ctx, &table->columns[HEAD], f, codes[1], r->head, text));
    for (size_t c = 0; c < N_NUMBERS; c++)
        CHECK(cairn_grow_number(ctx, &table->columns[NUMBERS + c], values[c]));
    if (!f->without) return CAIRN_OK;
    text->length = 0;
    if (f->without[i]) {
        list_without(text, f, i);
        CHECK(cairn_text_status(text));
        CHECK(
            cairn_grow_text(ctx, &table->columns[WITHOUT], cairn_text_string(text), text->length));
    } else {
        CHECK(cairn_grow_missing(ctx, &table->columns[WITHOUT]));
    }
    return CAIRN_OK;
}

/* Rules of one segment, or of all when it is NULL. */
static cairn_status add_rules(cairn_context *ctx, rule_table *table, const found *f,
                              const char *segment)
{
    int32_t *codes[2];
    size_t code = 0;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_grow_column *segments = &table->columns[SEGMENT];
    for (size_t k = 0; k < 2; k++) CHECK(SCRATCH(ctx, &codes[k], f->sets->n + 1));
    if (segment) CHECK(cairn_map_add(ctx, &segments->names, segment, strlen(segment), &code));
    for (size_t i = 0; i < f->n; i++) {
        if ((i & 4095) == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        if (segment) CHECK(cairn_grow_code(ctx, segments, (int32_t)code));
        CHECK(add_rule(ctx, table, f, i, codes, &text));
    }
    return CAIRN_OK;
}

static cairn_status finish_table(cairn_context *ctx, cairn_table **out, rule_table *rules,
                                 const association_params *p)
{
    static const char *const names[N_COLUMNS] = {NULL,         "body",   "head",     "support",
                                                 "confidence", "lift",   "leverage", "conviction",
                                                 "p",          "without"};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, rules->columns[BODY].n_rows));
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const char *name = c == SEGMENT ? p->by : names[c];
        if ((c == SEGMENT && !p->by) || (c == WITHOUT && !p->without)) continue;
        CHECK(cairn_copy_text(ctx, &rules->columns[c].name, name, strlen(name)));
        CHECK(cairn_grow_finish(ctx, table, &rules->columns[c]));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- picture -- */

/* Support against confidence of the rules that come first, a few with their text, on pages. */
static cairn_status draw_rules(cairn_context *ctx, cairn_report *out, const found *f)
{
    enum { NAMED = 8, DRAWN = 2000 };
    static const char *const groups[] = {"lift above 1", "lift 1 or less"};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    double *x, *y;
    int32_t *group;
    size_t n = f->n < DRAWN ? f->n : DRAWN;
    if (!n) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, n, &x, &y, &group));
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)f->rules[i].support;
        y[i] = f->rules[i].confidence;
        group[i] = !(f->rules[i].lift > 1 + 1e-12);
    }
    CHECK(cairn_figure_new(ctx, &figure, "associations",
                           n < f->n ? "The first 2000 rules by support and confidence"
                                    : "Rules by support and confidence"));
    cairn_figure_axes(figure, "transactions with body and head", "confidence");
    cairn_figure_points(figure, x, y, group, n, groups, 2);
    for (size_t i = 0; i < n && i < NAMED; i++) {
        text.length = 0;
        add_items(&text, f, f->rules[i].body);
        cairn_text_add(&text, " → ");
        add_items(&text, f, f->rules[i].head);
        CHECK(cairn_text_status(&text));
        cairn_figure_label(figure, x[i], y[i], cairn_text_string(&text));
    }
    cairn_report_page_figure(out, figure);
    figure = NULL;
    return CAIRN_OK;
}

/* -- run -- */

/* Rules of some rows of the table; `result` may be NULL, and `segment` when there is only one. */
static cairn_status find_rules(cairn_context *ctx, cairn_report *out, const association_params *p,
                               const cairn_view *view, bool steps, const char *prefix,
                               const char *segment, rule_table *result)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_transactions_clear) cairn_transactions t = {0};
    SCOPED(cairn_itemsets_clear) cairn_itemsets sets = {0};
    cairn_mine_options mining = {
        .miner = (cairn_miner)p->algorithm, .most = (size_t)p->max_size, .force = p->force};
    cairn_rule_options options = {.confidence = p->confidence,
                                  .lift = p->min_lift,
                                  .above_chance = p->interesting,
                                  .most_head = (size_t)p->max_head,
                                  .empty_body = p->empty_body,
                                  .only_better = p->only_better,
                                  .level = p->level,
                                  .force = p->force};
    cairn_association *rules = NULL;
    ptrdiff_t id = cairn_table_role_column(view->table, CAIRN_ID);
    size_t n = 0;
    CHECK(cairn_transactions_present(ctx, &t, view, p->present));
    CHECK(cairn_support_count(ctx, &mining.support, p->support, t.total));
    if (steps) mining.steps = out;
    CHECK(cairn_mine(ctx, &sets, &t, &mining));
    cairn_show_transactions(out, &t, mining.support, prefix);
    cairn_report_value(out, "frequent sets", (double)sets.n, "%sfrequent", prefix);
    CHECK(cairn_associations(ctx, &rules, &n, &t, &sets, &options));
    if (p->order != ORDER_CONFIDENCE) /* equals stay in the order of confidence */
        CHECK(cairn_sort_by(ctx, rules, n, sizeof *rules, comes_first, &p->order));
    found f = {.t = &t,
               .sets = &sets,
               .rules = rules,
               .n = n,
               .between = cairn_item_separator(&t, " & "),
               .ids = id < 0 ? NULL : view->table->slots[id].column};
    if (steps) CHECK(show_candidates(ctx, out, &f, &options));
    static const char *const heads[] = {"supp", "conf", "lift", "leverage", "convict.", "p"};
    cairn_report_value(out, "rules", (double)f.n, "%srules", prefix);
    cairn_report_table_of(out, "Rules", SHOWN_RULES, "rll", "", "who has", "also has");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < f.n && i < NAMED_RULES; i++) rule_row(out, &f, i, prefix);
    if (f.n > NAMED_RULES)
        cairn_report_note(out, "%zu rules in all; {out FILE.csv} writes them.", f.n);
    CHECK(draw_rules(ctx, out, &f));
    CHECK(choose_without(ctx, &f, p->without));
    CHECK(show_without(ctx, out, &f, prefix));
    if (result) CHECK(add_rules(ctx, result, &f, segment));
    return CAIRN_OK;
}

/* The column of segments, whatever its role, and the view without it. */
static cairn_status leave_out(cairn_context *ctx, cairn_view *view, const cairn_table *table,
                              const char *name, const cairn_column **column)
{
    size_t n = 0, at;
    cairn_status status = cairn_table_get(ctx, table, name, &at);
    if (status) {
        cairn_message_prefix(ctx, "{by}");
        return status;
    }
    *column = table->slots[at].column;
    for (size_t c = 0; c < view->n_features; c++) {
        if (view->features[c] == *column) continue;
        view->names[n] = view->names[c];
        view->features[n++] = view->features[c];
    }
    view->n_features = n;
    if ((*column)->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{by %s}: segments are the levels of a column; {kinds \"%s=level\"} or "
                          "{with bins} make levels of numbers",
                          name, name);
    return CAIRN_OK;
}

/* Rules within each group, whose column is left out of the items; groups without rows are passed
 * over. */
static cairn_status rules_by(cairn_context *ctx, cairn_report *out, const association_params *p,
                             const cairn_table *table, cairn_view *view, bool steps,
                             rule_table *result)
{
    const cairn_column *column = NULL;
    uint32_t *rows;
    cairn_view part = *view;
    cairn_status status;
    TRY(leave_out(ctx, &part, table, p->by, &column));
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
            status =
                find_rules(ctx, out, p, &part, steps, cairn_text_string(&prefix), name, result);
        cairn_text_clear(&prefix);
        if (status) goto done;
    }
done:
    return status;
}

/* Transforms may make items of other columns first; the table of rules is kept only where a file
 * is asked for. */
static cairn_status associations_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const association_params *p = job->params;
    const cairn_table *table = job->table;
    cairn_table *made = NULL;
    cairn_view view;
    rule_table rules = rule_table_start(), *result = job->result ? &rules : NULL;
    cairn_status status;
    if (!table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "transactions are needed: baskets, a table of 0 and 1, or a table of "
                          "levels");
    TRY(cairn_items_transform(ctx, &made, table, p->transforms));
    if (made) table = made;
    TRY(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    cairn_report_heading(out, 1, "Association rules");
    cairn_report_formula(out, "confidence = supp(body & head) / supp(body)");
    cairn_report_formula(out, "lift = n · supp(body & head) / (supp(body) · supp(head))");
    cairn_note_target_items(out, table);
    if (p->by)
        TRY(rules_by(ctx, out, p, table, &view, job->steps, result));
    else
        TRY(find_rules(ctx, out, p, &view, job->steps, "", NULL, result));
    if (result) TRY(finish_table(ctx, job->result, &rules, p));
done:
    for (size_t c = 0; c < N_COLUMNS; c++) cairn_grow_clear(&rules.columns[c]);
    cairn_table_free(made);
    return status;
}

const cairn_calculator cairn_compute_associations = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "associations",
         .also =
             "association rules, market basket analysis, confidence, lift, leverage, conviction",
         .about = "recommender system, recommendations",
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
    .reads = CAIRN_READS_ROLES,
    .baskets = true,
    .run = associations_run,
};
