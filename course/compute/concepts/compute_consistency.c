/* SPDX-License-Identifier: MIT */
/* cairn compute consistency: typed rules held against the rows of a table.
 *
 * A rule is consistent when it gives every row its class. A rule with free parameters is tried with
 * all values that make a difference: a parameter stands alone on one side of a comparison, so only
 * the values of the other side in the rows matter, what lies between two neighbours of them and
 * what lies beyond. The values with the least error are told as ranges, which are exact. */
#include "model/calculator.h"
#include "typed/concept_data.h"
#include "typed/rule_text.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "data/column.h"
#include "data/expression.h"
#include "base/map.h"
#include "compute/concepts/free_parameters.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- shortest rule -- */

/* The shortest consistent rules.
 *
 * What a rule says about the rows is a vector of bits. Rules of one condition are the values of the
 * columns and their opposites; rules of k conditions join one of i and one of k - i by AND or OR.
 * Of all rules with the same vector and the same columns one is kept, the first, so every vector is
 * met first at its shortest. The search ends with the first length at which the vector of the
 * classes turns up. */

enum { MOST_LENGTH = 24, MOST_WORDS = 1 << 24, MOST_FOUND = 50, TRIES_PER_RULE = 30 };

typedef struct part {
    char sign;        /* = and ! for a condition, & and | */
    uint32_t a, b;    /* column and value, or the two rules that are joined */
    uint64_t columns; /* that it is about */
} part;

typedef struct search {
    cairn_context *ctx;
    const cairn_concept_data *data;
    size_t *rows, n_rows; /* different examples */
    size_t words;
    cairn_map vectors; /* words of the rows and one of the columns: the number of the rule */
    part *parts;
    size_t capacity;
    size_t first[MOST_LENGTH + 2]; /* rule of each length */
    uint64_t *target, *work;
    uint32_t *found;
    size_t n_found;
    size_t most;
    double limit, tried;
} search;

static const uint64_t *vector_of(const search *s, size_t rule)
{
    /* keys are copied one behind the other with a zero byte between: not aligned */
    memcpy(s->work + 2 * (s->words + 1), cairn_map_key(&s->vectors, rule),
           s->words * sizeof *s->work);
    return s->work + 2 * (s->words + 1);
}

/* Add the rule whose vector and columns are in s->work, unless it is there. */
static cairn_status add_rule(search *s, part p)
{
    size_t at, before = s->vectors.n;
    uint64_t any = 0;
    bool all = true;
    for (size_t w = 0; w < s->words; w++) {
        any |= s->work[w];
        all = all && s->work[w] == s->work[3 * (s->words + 1) + w];
    }
    if (!any || all) return CAIRN_OK; /* says the same about every row */
    s->work[s->words] = p.columns;
    CHECK(cairn_map_add(s->ctx, &s->vectors, (const char *)s->work,
                        (s->words + 1) * sizeof *s->work, &at));
    if (s->vectors.n == before) return CAIRN_OK;
    CHECK(GROW(s->ctx, &s->parts, &s->capacity, s->vectors.n));
    s->parts[at] = p;
    if (s->n_found < MOST_FOUND && memcmp(s->work, s->target, s->words * sizeof *s->work) == 0)
        s->found[s->n_found++] = (uint32_t)at;
    return CAIRN_OK;
}

static cairn_status add_conditions(search *s)
{
    const cairn_domain *domain = &s->data->domain;
    for (size_t j = 0; j < domain->n; j++)
        for (size_t v = 0; v < domain->attributes[j].n_values; v++)
            for (int opposite = 0; opposite < 1 + (domain->attributes[j].n_values > 2);
                 opposite++) {
                memset(s->work, 0, s->words * sizeof *s->work);
                for (size_t i = 0; i < s->n_rows; i++) {
                    const int32_t *codes = cairn_example(&s->data->examples, domain, s->rows[i]);
                    bool is = (size_t)codes[j] == v;
                    if (is != opposite) s->work[i / 64] |= (uint64_t)1 << i % 64;
                }
                CHECK(add_rule(
                    s, (part){opposite ? '!' : '=', (uint32_t)j, (uint32_t)v, (uint64_t)1 << j}));
            }
    return CAIRN_OK;
}

static bool is_full(const search *s)
{
    return (double)s->vectors.n > s->limit || s->tried > TRIES_PER_RULE * s->limit ||
           s->vectors.n > MOST_WORDS / (s->words + 1);
}

/* All rules of this length. */
static cairn_status add_length(search *s, size_t length)
{
    uint64_t *first = s->work + s->words + 1;
    for (size_t i = 1; 2 * i <= length && !is_full(s); i++)
        for (size_t a = s->first[i]; a < s->first[i + 1] && !is_full(s); a++) {
            size_t k = length - i, from = k == i ? a + 1 : s->first[k];
            CHECK(cairn_tick(s->ctx, "rules", (double)s->vectors.n, s->limit));
            memcpy(first, vector_of(s, a), s->words * sizeof *first);
            for (size_t b = from; b < s->first[k + 1] && !is_full(s); b++) {
                /* Join rules a and b by both signs. */
                uint64_t columns = s->parts[a].columns | s->parts[b].columns;
                s->tried++;
                if ((size_t)__builtin_popcountll(columns) > s->most) continue;
                const uint64_t *second = vector_of(s, b);
                for (size_t w = 0; w < s->words; w++) s->work[w] = first[w] & second[w];
                CHECK(add_rule(s, (part){'&', (uint32_t)a, (uint32_t)b, columns}));
                second = vector_of(s, b);
                for (size_t w = 0; w < s->words; w++) s->work[w] = first[w] | second[w];
                CHECK(add_rule(s, (part){'|', (uint32_t)a, (uint32_t)b, columns}));
            }
        }
    return CAIRN_OK;
}

/* -- words -- */

/* Names and texts as expressions write them. */
static void add_quoted(cairn_text *out, const char *text, char quote)
{
    cairn_text_add_char(out, quote);
    for (; *text; text++) {
        if (*text == quote) cairn_text_add_char(out, quote);
        cairn_text_add_char(out, *text);
    }
    cairn_text_add_char(out, quote);
}

static bool is_plain(const char *name)
{
    bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
    for (const char *c = name; *c && plain; c++)
        plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                (*c >= '0' && *c <= '9');
    return plain;
}

/* Brackets only where AND and OR meet; names that are no plain words are quoted so that the rule
 * can be typed again. */
static void add_words(cairn_text *out, const search *s, size_t rule, char around)
{
    const part *p = &s->parts[rule];
    if (p->sign == '=' || p->sign == '!') {
        const cairn_attribute *a = &s->data->domain.attributes[p->a];
        if (is_plain(a->name))
            cairn_text_add(out, a->name);
        else
            add_quoted(out, a->name, '`');
        cairn_text_add(out, p->sign == '=' ? " = " : " != ");
        if (a->numbers)
            cairn_text_add(out, a->values[p->b]);
        else
            add_quoted(out, a->values[p->b], '"');
        return;
    }
    bool brackets = around && around != p->sign;
    if (brackets) cairn_text_add_char(out, '(');
    add_words(out, s, p->a, p->sign);
    cairn_text_add(out, p->sign == '&' ? " AND " : " OR ");
    add_words(out, s, p->b, p->sign);
    if (brackets) cairn_text_add_char(out, ')');
}

/* -- all together -- */

static cairn_status start_search(cairn_context *ctx, search *s)
{
    const cairn_examples *e = &s->data->examples;
    CHECK(cairn_examples_distinct(ctx, &s->rows, &s->n_rows, &s->data->domain, e));
    s->words = s->n_rows / 64 + 1;
    CHECK(SCRATCH(ctx, &s->target, s->words));
    CHECK(SCRATCH(ctx, &s->work, 4 * (s->words + 1)));
    CHECK(SCRATCH(ctx, &s->found, MOST_FOUND));
    for (size_t i = 0; i < s->n_rows; i++) {
        s->work[3 * (s->words + 1) + i / 64] |= (uint64_t)1 << i % 64;
        if (e->positive[s->rows[i]]) s->target[i / 64] |= (uint64_t)1 << i % 64;
    }
    return CAIRN_OK;
}

/* The same instance in both classes: no rule can tell them apart. */
static cairn_status find_contradiction(cairn_context *ctx, cairn_report *out, const search *s,
                                       bool *found)
{
    const cairn_examples *e = &s->data->examples;
    const cairn_domain *domain = &s->data->domain;
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    size_t *first, at;
    *found = false;
    CHECK(SCRATCH(ctx, &first, s->n_rows));
    for (size_t i = 0; i < s->n_rows && !*found; i++) {
        size_t before = seen.n;
        CHECK(cairn_map_add(ctx, &seen, (const char *)cairn_example(e, domain, s->rows[i]),
                            domain->n * sizeof *e->codes, &at));
        *found = seen.n == before;
        if (!*found) {
            first[at] = s->rows[i];
            continue;
        }
        cairn_report_note(out,
                          "No rule is consistent: %s and %s are the same instance with different "
                          "classes.",
                          e->names[first[at]], e->names[s->rows[i]]);
        cairn_report_hidden(out, 0, "shortest.count");
    }
    return CAIRN_OK;
}

/* Rules without a condition; false when one is needed. */
static bool show_trivial(cairn_report *out, const search *s)
{
    const cairn_examples *e = &s->data->examples;
    size_t positives = 0;
    for (size_t i = 0; i < s->n_rows; i++) positives += e->positive[s->rows[i]];
    if (positives && positives < s->n_rows) return false;
    cairn_report_word(out, "shortest consistent rule", positives ? "true" : "false", "shortest1");
    cairn_report_hidden(out, 1, "shortest.count");
    return true;
}

/* Ends at the first length with a consistent rule, when {limit} is full, or when no longer rule
 * can say anything new: twice the last length that did. */
static cairn_status run_search(cairn_context *ctx, cairn_report *out, search *s)
{
    size_t length = 1, last = 1;
    bool contradicted;
    CHECK(start_search(ctx, s));
    CHECK(find_contradiction(ctx, out, s, &contradicted));
    if (contradicted || show_trivial(out, s)) return CAIRN_OK;
    CHECK(add_conditions(s));
    s->first[2] = s->vectors.n;
    while (!s->n_found && !is_full(s) && length < MOST_LENGTH && length < 2 * last) {
        CHECK(add_length(s, ++length));
        s->first[length + 1] = s->vectors.n;
        if (s->first[length + 1] > s->first[length]) last = length;
    }
    if (s->n_found) {
        /* All shortest rules are listed, as none of them is better by length. */
        cairn_status status = CAIRN_OK;
        cairn_report_table_of(out, "Shortest consistent rules", 0, "rlrr", "", "rule", "conditions",
                              "columns");
        for (size_t i = 0; i < s->n_found; i++) {
            cairn_text text = cairn_text_start(ctx);
            add_words(&text, s, s->found[i], 0);
            cairn_report_cells(out, "- shortest$1 shortest$1.conditions shortest$1.columns", i + 1,
                               cairn_text_string(&text), length,
                               __builtin_popcountll(s->parts[s->found[i]].columns));
            status = cairn_text_status(&text);
            cairn_text_clear(&text);
            if (status) return status;
        }
        CHECK(status);
    }
    cairn_report_hidden(out, (double)s->n_found, "shortest.count");
    cairn_report_value(out, "different functions looked at", (double)s->vectors.n,
                       "shortest.functions");
    if (!s->n_found && is_full(s))
        cairn_report_note(
            out,
            "No rule of at most %zu conditions is consistent. The search ended there, "
            "after %zu functions: {features} chooses columns, {limit} allows more.",
            length - 1, s->vectors.n);
    else if (!s->n_found)
        cairn_report_note(out, "No rule about at most %zu columns is consistent%s.", s->most,
                          length == MOST_LENGTH ? " that has no more than 24 conditions" : "");
    return CAIRN_OK;
}

/* Rules of at most `most` columns; about `limit` different functions are looked at. */
static cairn_status shortest_rules(cairn_context *ctx, cairn_report *out,
                                   const cairn_concept_data *data, size_t most, double limit)
{
    cairn_status status;
    search s = {.ctx = ctx, .data = data, .most = most, .limit = limit};
    if (data->domain.n > 64)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{search rules} takes at most 64 columns, and there are %zu; choose with "
                          "{features}",
                          data->domain.n);
    status = run_search(ctx, out, &s);
    cairn_map_clear(&s.vectors);
    cairn_free(s.parts);
    return status;
}

typedef struct consistency_params {
    const char *rule, *free, *positive, *predict;
    int search, most;
    double limit;
} consistency_params;

enum { SEARCH_NONE, SEARCH_CONJUNCTIONS, SEARCH_FEATURES, SEARCH_RULES };

static const cairn_choice search_choices[] = {
    {"none", SEARCH_NONE, "only the rules that were given"},
    {"conjunctions", SEARCH_CONJUNCTIONS, "all consistent conjunctions, the shortest first"},
    {"features", SEARCH_FEATURES,
     "the smallest sets of columns on which some rule is consistent, whatever its form"},
    {"rules", SEARCH_RULES, "the shortest consistent rules of conditions with AND, OR and NOT"},
    {NULL, 0, NULL}};

static const cairn_param consistency_table[] = {
    {.name = "rule",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(consistency_params, rule),
     .help = "a rule \"IF condition THEN class ELSE class\" or a condition for the positive class",
     .repeated = true},
    CAIRN_PARAM(consistency_params, free, NULL, NULL,
                "names in the rules that are free parameters, separated by commas"),
    CAIRN_PARAM(consistency_params, positive, NULL, NULL,
                "the class of rows that fulfil a condition"),
    {.name = "predict",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(consistency_params, predict),
     .help = "a new row: its values in the order of the features, separated by commas; what all "
             "best values of one free parameter say of it, or that they disagree",
     .repeated = true},
    CAIRN_PARAM_CHOICE(consistency_params, search, "none", search_choices,
                       "look for consistent rules"),
    CAIRN_PARAM(consistency_params, most, "3", "[1,10]", "most columns of a set or of a rule",
                .when = "search=features|rules"),
    CAIRN_PARAM(consistency_params, limit, "1e6", "[1,1e9]",
                "most hypotheses, sets or combinations of parameters to try"),
    CAIRN_PARAM_END,
};

typedef struct checked {
    const cairn_table *table;
    cairn_view view;
    cairn_classes all;
    int8_t *classes; /* 1 positive, 0 not, -1 without a class */
    const char *positive;
    const char **names; /* of the rows */
    double *truth;      /* of the rule at hand, per row */
} checked;

/* What the rule says where the condition holds and where it does not. */
typedef struct verdict {
    bool then_positive;
    const char *yes, *no;
} verdict;

/* A rule without THEN speaks of the positive class; without ELSE the other class is meant if
 * there are two, else it only says "other". */
static cairn_status find_verdict(cairn_context *ctx, verdict *out, const cairn_rule *rule,
                                 const checked *c)
{
    *out = (verdict){.then_positive = true, .yes = c->positive, .no = rule->no};
    if (rule->yes) {
        if (cairn_find_class(&c->all, rule->yes) < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "the target '%s' has no class '%s'",
                              c->view.target_name, rule->yes);
        out->yes = rule->yes;
        out->then_positive = cairn_same(rule->yes, c->positive);
    }
    if (rule->no && cairn_find_class(&c->all, rule->no) < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "the target '%s' has no class '%s'",
                          c->view.target_name, rule->no);
    if (rule->no && cairn_same(rule->no, out->yes))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a rule with the class '%s' behind THEN and ELSE says "
                          "nothing",
                          rule->no);
    for (size_t k = 0; k < c->all.n && !out->no && c->all.n == 2; k++)
        if (!cairn_same(c->all.names[k], out->yes)) out->no = c->all.names[k];
    if (!out->no) out->no = "other";
    return CAIRN_OK;
}

/* Whether the rule is wrong about row i; a condition without a value is. */
static bool is_wrong(const checked *c, const verdict *v, size_t i)
{
    if (c->classes[i] < 0) return false;
    if (isnan(c->truth[i])) return true;
    return (c->truth[i] == 1) == v->then_positive ? c->classes[i] != 1 : c->classes[i] != 0;
}

static size_t count_wrong(const checked *c, const verdict *v)
{
    size_t n = 0;
    for (size_t i = 0; i < c->view.rows.n; i++) n += is_wrong(c, v, i);
    return n;
}

/* -- rules without parameters -- */

static const char *answer(const verdict *v, double truth)
{
    return isnan(truth) ? "undecided" : truth == 1 ? v->yes : v->no;
}

enum { GRID_X = 100, GRID_Y = 120 };

/* The middles of the cells of a grid over the two number columns, as a table. */
static cairn_status grid_table(cairn_context *ctx, cairn_table **out, const checked *c,
                               double sides[2][2])
{
    static const size_t cells[2] = {GRID_X, GRID_Y};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, GRID_X * GRID_Y));
    for (size_t j = 0; j < 2; j++) {
        const double *numbers = c->view.features[j]->numbers;
        double low = INFINITY, high = -INFINITY;
        cairn_column *column;
        for (size_t i = 0; i < c->view.rows.n; i++) {
            if (!isfinite(numbers[i])) continue;
            low = fmin(low, numbers[i]);
            high = fmax(high, numbers[i]);
        }
        double buffer = high > low ? 0.05 * (high - low) : 1;
        sides[j][0] = low - buffer;
        sides[j][1] = (high - low + 2 * buffer) / (double)cells[j];
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, GRID_X * GRID_Y));
        for (size_t i = 0; i < GRID_X * GRID_Y; i++) {
            double at = (double)(j ? i % GRID_Y : i / GRID_Y) + 0.5;
            column->numbers[i] = sides[j][0] + at * sides[j][1];
        }
        CHECK(cairn_table_add_column(ctx, table, c->view.names[j], CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Where the rule says the positive class: runs of cells of each column of the grid. */
static void add_areas(cairn_figure *figure, const double *truth, const verdict *v,
                      double sides[2][2])
{
    for (size_t a = 0; a < GRID_X; a++)
        for (size_t b = 0; b < GRID_Y; b++) {
            size_t first = b;
            while (b < GRID_Y && truth[a * GRID_Y + b] == v->then_positive)
                b++; /* NaN is neither */
            if (b == first) continue;
            double x[2] = {sides[0][0] + (double)a * sides[0][1],
                           sides[0][0] + (double)(a + 1) * sides[0][1]};
            double low = sides[1][0] + (double)first * sides[1][1];
            double high = sides[1][0] + (double)b * sides[1][1];
            cairn_figure_area(figure, 0, x, (double[2]){low, low}, (double[2]){high, high}, 2);
        }
}

/* The rows of two number columns and where the rule is positive, for pages. Rules about anything
 * else have no picture. */
static cairn_status draw_rule(cairn_context *ctx, cairn_report *out, const checked *c,
                              const char *condition, const verdict *v, const char *title)
{
    cairn_status status;
    cairn_table *grid = NULL;
    cairn_figure *figure;
    double *truth, sides[2][2];
    int32_t *group;
    char positive[80];
    if (c->view.n_features != 2 || c->view.features[0]->kind != CAIRN_NUMBER ||
        c->view.features[1]->kind != CAIRN_NUMBER || !c->view.rows.n)
        return CAIRN_OK;
    TRY(grid_table(ctx, &grid, c, sides));
    if (!isfinite(sides[0][0] + sides[1][0])) goto done; /* a column without numbers */
    TRY(SCRATCH(ctx, &truth, GRID_X * GRID_Y));
    TRY(SCRATCH(ctx, &group, c->view.rows.n));
    status = cairn_rule_evaluate(ctx, truth, condition, grid, true);
    if (status == CAIRN_USAGE) { /* it is about other columns as well */
        status = CAIRN_OK;
        goto done;
    }
    if (status) goto done;
    for (size_t i = 0; i < c->view.rows.n; i++) group[i] = c->classes[i] < 0 ? -1 : !c->classes[i];
    snprintf(positive, sizeof positive, "%s = %s", c->view.target_name, c->positive);
    TRY(cairn_figure_new(ctx, &figure, "rule", title));
    cairn_figure_axes(figure, c->view.names[0], c->view.names[1]);
    cairn_figure_x_range(figure, sides[0][0], sides[0][0] + GRID_X * sides[0][1]);
    cairn_figure_y_range(figure, sides[1][0], sides[1][0] + GRID_Y * sides[1][1]);
    add_areas(figure, truth, v, sides);
    cairn_figure_points(figure, c->view.features[0]->numbers, c->view.features[1]->numbers, group,
                        c->view.rows.n, (const char *const[]){positive, "other"}, 2);
    cairn_report_page_figure(out, figure);
done:
    cairn_table_free(grid);
    return status;
}

/* h(x) beside c(x) for every row, with the values of the features as far as they fit. */
static void work_rows(cairn_report *out, const checked *c, const verdict *v, size_t number)
{
    enum { MOST = 6 };
    size_t n = c->view.n_features < MOST ? c->view.n_features : MOST;
    cairn_report_step_begin(out, "The rule about every row");
    cairn_report_table_of(out, "h(x) beside c(x)", 0, "l", "row");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, c->view.names[j], 'l');
    cairn_report_columns(out, "lll", "c(x)", "h(x)", "h(x) = c(x)");
    for (size_t i = 0; i < c->view.rows.n; i++) {
        bool wrong = is_wrong(c, v, i), known = c->classes[i] >= 0;
        cairn_report_cell(out, c->names[i]);
        for (size_t j = 0; j < n; j++) {
            const cairn_column *column = c->view.features[j];
            char text[64];
            cairn_column_cell(column, i, text, sizeof text);
            cairn_report_cell(out, text);
        }
        cairn_report_cells(out, NULL, known ? c->all.names[c->all.codes[i]] : "?",
                           answer(v, c->truth[i]));
        if (wrong) cairn_report_row_mark(out);
        cairn_report_cell_word(out,
                               !known  ? ""
                               : wrong ? "no"
                                       : "yes",
                               "rule%zu.agrees%zu", number, i + 1);
    }
    if (n < c->view.n_features)
        cairn_report_note(out, "The first %zu of %zu features are shown.", n, c->view.n_features);
    cairn_report_step_end(out);
}

/* A rule with nothing to choose: what it says about every row, which rows it gets wrong, and
 * about new rows where some are given. */
static cairn_status check_rule(cairn_context *ctx, cairn_report *out, const checked *c,
                               const char *text, size_t number, const cairn_table *fresh,
                               bool steps)
{
    cairn_rule rule;
    verdict v;
    SCOPED(cairn_text_clear) cairn_text wrong = cairn_text_start(ctx);
    double *answers;
    CHECK(cairn_rule_read(ctx, &rule, text, c->table));
    CHECK(find_verdict(ctx, &v, &rule, c));
    CHECK(cairn_rule_evaluate(ctx, c->truth, rule.condition, c->table, true));
    size_t errors = count_wrong(c, &v), shown = 0;
    for (size_t i = 0; i < c->view.rows.n; i++) {
        cairn_report_hidden_word(out, answer(&v, c->truth[i]), "rule%zu.row%zu", number, i + 1);
        if (is_wrong(c, &v, i) && shown++ < 50)
            cairn_text_addf(&wrong, "%s%s", shown > 1 ? " " : "", c->names[i]);
    }
    cairn_report_heading(out, 2, "%s", text);
    cairn_report_value(out, "rows that it gets wrong", (double)errors, "rule%zu.errors", number);
    if (errors)
        cairn_report_word(out, "namely", cairn_text_string(&wrong), "rule%zu.wrong", number);
    if (steps) work_rows(out, c, &v, number);
    cairn_report_word(out, "consistent", errors ? "no" : "yes", "rule%zu.consistent", number);
    if (fresh) {
        CHECK(SCRATCH(ctx, &answers, fresh->n_rows));
        CHECK(cairn_rule_evaluate(ctx, answers, rule.condition, fresh, true));
        for (size_t i = 0; i < fresh->n_rows; i++) {
            char label[48];
            snprintf(label, sizeof label, "new row %zu", i + 1);
            cairn_report_word(out, label, answer(&v, answers[i]), "rule%zu.predict%zu", number,
                              i + 1);
        }
    }
    CHECK(cairn_text_status(&wrong));
    return draw_rule(ctx, out, c, rule.condition, &v, text);
}

/* -- free parameters -- */

enum { TRIES_PER_LIMIT = 1000 }; /* rows that may be looked at, in units of --limit */

typedef struct parameter {
    const char *name;
    double *critical;           /* ascending */
    size_t n_critical, n_cells; /* below, at, between ..., above: 2 n + 1 */
    size_t at;                  /* the cell that is tried */
    size_t first_best;          /* its cell in the first combination with the least error */
    cairn_column *column;
    bool *best; /* cells with the least error for some values of the others */
    size_t mentions;
    double
        *own; /* what it is compared with in each row, ascending, missing last: rows x mentions */
} parameter;

/* The other side of the comparison in which token i stands alone. */
static cairn_status other_side(cairn_context *ctx, const char **out, const char *text,
                               const cairn_token *tokens, size_t n, size_t i)
{
    bool left = i + 1 < n && tokens[i + 1].kind == CAIRN_TOKEN_RELATION;
    bool right = i && tokens[i - 1].kind == CAIRN_TOKEN_RELATION;
    const cairn_token *outer =
        left ? (i ? &tokens[i - 1] : NULL) : (i + 1 < n ? &tokens[i + 1] : NULL);
    bool alone = !outer || outer->kind == CAIRN_TOKEN_WORD ||
                 outer->kind == (left ? CAIRN_TOKEN_OPEN : CAIRN_TOKEN_CLOSE);
    size_t first = left ? i + 2 : i - 2; /* past the end when nothing is there */
    if (left == right || !alone || first >= n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the parameter '%s' must stand alone on one side of a comparison, as in "
                          "\"x + y >= %s\"",
                          tokens[i].name, tokens[i].name);
    int depth = 0;
    size_t last = first;
    for (size_t k = first; k < n; left ? k++ : k--) { /* k-- wraps round at the beginning */
        const cairn_token *t = &tokens[k];
        if (t->kind == (left ? CAIRN_TOKEN_OPEN : CAIRN_TOKEN_CLOSE)) depth++;
        if (t->kind == (left ? CAIRN_TOKEN_CLOSE : CAIRN_TOKEN_OPEN) && --depth < 0) break;
        if (depth == 0 && cairn_ends_side(t)) break;
        last = k;
    }
    size_t begin = tokens[left ? first : last].begin, end = tokens[left ? last : first].end;
    char *copy;
    CHECK(SCRATCH(ctx, &copy, end - begin + 1));
    memcpy(copy, text + begin, end - begin);
    *out = copy;
    return CAIRN_OK;
}

/* Sort what the parameter is compared with in each row; equal ones count once. */
static void sort_own(parameter *p, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        double *own = p->own + r * p->mentions;
        size_t n = 0, kept = 0;
        for (size_t k = 0; k < p->mentions; k++)
            if (isfinite(own[k])) own[n++] = own[k];
        if (n) qsort(own, n, sizeof *own, cairn_by_number);
        for (size_t k = 0; k < n; k++)
            if (!k || own[k] != own[kept - 1]) own[kept++] = own[k];
        for (size_t k = kept; k < p->mentions; k++) own[k] = NAN;
    }
}

/* The values that the parameter is compared with in the rows. */
static cairn_status find_critical(cairn_context *ctx, parameter *p, const char *condition,
                                  const checked *c)
{
    cairn_token *tokens;
    size_t n, done = 0, kept = 0, rows = c->view.rows.n;
    CHECK(cairn_rule_tokens(ctx, condition, &tokens, &n));
    for (size_t i = 0; i < n; i++)
        p->mentions += tokens[i].kind == CAIRN_TOKEN_NAME && cairn_same(tokens[i].name, p->name);
    CHECK(SCRATCH_EACH(ctx, cairn_product(p->mentions, rows) + 1, &p->critical, &p->own));
    for (size_t i = 0; i < n; i++) {
        const char *side;
        if (tokens[i].kind != CAIRN_TOKEN_NAME || !cairn_same(tokens[i].name, p->name)) continue;
        CHECK(other_side(ctx, &side, condition, tokens, n, i));
        CHECK(cairn_rule_evaluate(ctx, c->truth, side, c->table, false));
        for (size_t r = 0; r < rows; r++) {
            p->own[r * p->mentions + done] = c->truth[r];
            if (isfinite(c->truth[r])) p->critical[p->n_critical++] = c->truth[r];
        }
        done++;
    }
    sort_own(p, rows);
    if (p->n_critical) qsort(p->critical, p->n_critical, sizeof *p->critical, cairn_by_number);
    for (size_t i = 0; i < p->n_critical; i++)
        if (!i || p->critical[i] != p->critical[kept - 1]) p->critical[kept++] = p->critical[i];
    p->n_critical = kept;
    p->n_cells = 2 * kept + 1;
    return SCRATCH(ctx, &p->best, p->n_cells);
}

/* A number of the cell. */
static double cell_value(const parameter *p, size_t cell)
{
    size_t i = cell / 2;
    if (cell % 2) return p->critical[i];
    if (!p->n_critical) return 0;
    if (!i) return p->critical[0] - 1;
    if (i == p->n_critical) return p->critical[i - 1] + 1;
    return cairn_number_between(p->critical[i - 1], p->critical[i]);
}

static void set_cell(parameter *p, size_t cell)
{
    double value = cell_value(p, cell);
    p->at = cell;
    for (size_t i = 0; i < p->column->n_rows; i++) p->column->numbers[i] = value;
}

/* The place of a number among the ascending critical ones. */
static size_t find_place(const parameter *p, double x)
{
    size_t low = 0, high = p->n_critical;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->critical[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The run of cells in which row r says the same: below its k-th own number, at it, between it and
 * the next ... (step 2 k, 2 k + 1, ...). False when the row has no such run. */
static bool find_run(const parameter *p, size_t r, size_t step, size_t *first, size_t *last,
                     double *value)
{
    const double *own = p->own + r * p->mentions;
    size_t k = step / 2, n = 0;
    while (n < p->mentions && isfinite(own[n])) n++;
    if (k > n || (step % 2 && k == n)) return false;
    *first = *last = step % 2 ? 2 * find_place(p, own[k]) + 1 : 0;
    if (step % 2) {
        *value = own[k];
        return true;
    }
    *first = k ? 2 * find_place(p, own[k - 1]) + 2 : 0;
    *last = k < n ? 2 * find_place(p, own[k]) : p->n_cells - 1;
    *value = n == 0   ? 0
             : k == 0 ? own[0] - fabs(own[0]) - 1
             : k == n ? own[n - 1] + fabs(own[n - 1]) + 1
                      : cairn_number_between(own[k - 1], own[k]);
    return true;
}

/* The wrong rows at each cell of a parameter, the others being as they are: each row is asked once
 * for every run of cells in which it says the same. */
static cairn_status sweep(cairn_context *ctx, const parameter *p, const cairn_expression *e,
                          const checked *c, const verdict *v, double *wrong)
{
    cairn_faults faults = {{0}, {0}};
    size_t first, last, rows = c->view.rows.n;
    double value;
    memset(wrong, 0, (p->n_cells + 1) * sizeof *wrong);
    for (size_t step = 0; step <= 2 * p->mentions; step++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t r = 0; r < rows; r++)
            if (find_run(p, r, step, &first, &last, &value)) p->column->numbers[r] = value;
        CHECK(cairn_expression_numbers(ctx, e, c->truth, &faults));
        for (size_t r = 0; r < rows; r++) {
            if (!is_wrong(c, v, r) || !find_run(p, r, step, &first, &last, &value)) continue;
            wrong[first]++;
            wrong[last + 1]--;
        }
    }
    for (size_t i = 1; i < p->n_cells; i++) wrong[i] += wrong[i - 1];
    return CAIRN_OK;
}

static bool next_cell(parameter *list, size_t n)
{
    for (size_t k = n; k-- > 0;) {
        bool more = list[k].at + 1 < list[k].n_cells;
        set_cell(&list[k], more ? list[k].at + 1 : 0);
        if (more) return true;
    }
    return false;
}

typedef struct fit {
    double errors;
    double n_best; /* combinations of cells with so few */
} fit;

/* Try all combinations of the other parameters with all cells of the last; marks in each what can
 * be best. */
static cairn_status try_cells(cairn_context *ctx, fit *out, parameter *list, size_t n,
                              const cairn_table *table, const char *condition, const checked *c,
                              const verdict *v)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    parameter *last = &list[n - 1];
    double *wrong;
    *out = (fit){INFINITY, 0};
    for (size_t k = 0; k < n; k++) set_cell(&list[k], 0);
    CHECK(SCRATCH(ctx, &wrong, last->n_cells + 1));
    CHECK(cairn_expression_new(ctx, &e, condition, table));
    if (cairn_expression_type(e) != CAIRN_VALUE_TRUTH)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "'%s' is no condition: nothing is compared", condition));
    do {
        CHECK(sweep(ctx, last, e, c, v, wrong));
        for (size_t i = 0; i < last->n_cells; i++) {
            if (wrong[i] > out->errors) continue;
            if (wrong[i] < out->errors) {
                *out = (fit){wrong[i], 0};
                for (size_t k = 0; k < n; k++) {
                    memset(list[k].best, 0, list[k].n_cells);
                    list[k].first_best = list[k].at;
                }
                last->first_best = i;
            }
            out->n_best++;
            last->best[i] = true;
            for (size_t k = 0; k + 1 < n; k++) list[k].best[list[k].at] = true;
        }
    } while (next_cell(list, n - 1));
    return CAIRN_OK;
}

typedef struct range {
    double low, high;
    bool low_open, high_open;
} range;

/* The values of the cells from `first` to `last`. */
static range cells_range(const parameter *p, size_t first, size_t last)
{
    bool low_open = first % 2 == 0, high_open = last % 2 == 0;
    return (range){
        .low = !low_open ? p->critical[first / 2]
               : first   ? p->critical[first / 2 - 1]
                         : -INFINITY,
        .high = !high_open || last / 2 < p->n_critical ? p->critical[last / 2] : INFINITY,
        .low_open = low_open,
        .high_open = high_open,
    };
}

/* The run of best cells that begins at `first`; returns the cell behind it. */
static size_t find_range(const parameter *p, size_t first, range *out)
{
    size_t last = first;
    while (last + 1 < p->n_cells && p->best[last + 1]) last++;
    *out = cells_range(p, first, last);
    return last + 1;
}

static void add_range(cairn_text *out, const char *name, const range *r)
{
    if (r->low == r->high) {
        cairn_text_addf(out, "%s = ", name);
        cairn_text_add_number(out, r->low, CAIRN_SHORTEST);
        return;
    }
    if (isinf(r->low) && isinf(r->high)) cairn_text_add(out, "any ");
    if (isfinite(r->low)) {
        cairn_text_add_number(out, r->low, CAIRN_SHORTEST);
        cairn_text_add(out, r->low_open ? " < " : " <= ");
    }
    cairn_text_add(out, name);
    if (isfinite(r->high)) {
        cairn_text_add(out, r->high_open ? " < " : " <= ");
        cairn_text_add_number(out, r->high, CAIRN_SHORTEST);
    }
}

/* The same for each parameter. */
static cairn_status work_parameters(cairn_context *ctx, cairn_report *out, parameter *list,
                                    size_t n, const cairn_table *table, const char *condition,
                                    const checked *c, const verdict *v, size_t number)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    CHECK(cairn_expression_new(ctx, &e, condition, table));
    for (size_t k = 0; k < n; k++) {
        /* The wrong rows for every value of parameter k that makes a difference, the others at
         * the first of their best values. */
        parameter *p = &list[k];
        double *wrong;
        CHECK(SCRATCH(ctx, &wrong, p->n_cells + 1));
        for (size_t m = 0; m < n; m++) set_cell(&list[m], list[m].first_best);
        CHECK(sweep(ctx, p, e, c, v, wrong));
        cairn_report_step_begin(out, "Every value of %s that makes a difference", p->name);
        for (size_t m = 0; m < n; m++)
            if (m != k)
                cairn_report_value(out, list[m].name, cell_value(&list[m], list[m].first_best),
                                   NULL);
        cairn_report_table_of(out, "Wrong rows", 0, "lr", p->name, "wrong rows");
        for (size_t i = 0; i < p->n_cells; i++) {
            SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
            range r = cells_range(p, i, i);
            add_range(&text, p->name, &r);
            CHECK(cairn_text_status(&text));
            cairn_report_cell(out, cairn_text_string(&text));
            if (p->best[i]) cairn_report_row_mark(out);
            cairn_report_cell_number(out, wrong[i], 0, "rule%zu.%s.cell%zu", number,
                                     cairn_report_key(out, p->name), i + 1);
        }
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* Ranges of single parameters; whether all their combinations are as good is told by comparing
 * their product with the number of best combinations. */
static cairn_status show_ranges(cairn_context *ctx, cairn_report *out, const parameter *list,
                                size_t n, const fit *f, size_t number)
{
    cairn_status status = CAIRN_OK;
    double product = 1;
    for (size_t k = 0; k < n; k++) {
        cairn_text text = cairn_text_start(ctx);
        const char *key = cairn_report_key(out, list[k].name);
        range r;
        double cells = 0;
        size_t runs = 0;
        for (size_t i = 0; i < list[k].n_cells; i++) cells += list[k].best[i];
        product *= cells;
        for (size_t i = 0; i < list[k].n_cells;) {
            if (!list[k].best[i]) {
                i++;
                continue;
            }
            i = find_range(&list[k], i, &r);
            if (runs++) cairn_text_add(&text, " or ");
            add_range(&text, list[k].name, &r);
            cairn_report_hidden(out, r.low, "rule%zu.%s.low", number, key);
            cairn_report_hidden(out, r.high, "rule%zu.%s.high", number, key);
            cairn_report_hidden(out, r.low_open, "rule%zu.%s.low_open", number, key);
            cairn_report_hidden(out, r.high_open, "rule%zu.%s.high_open", number, key);
        }
        cairn_report_word(out, list[k].name, cairn_text_string(&text), "rule%zu.%s", number, key);
        status = cairn_text_status(&text);
        cairn_text_clear(&text);
        if (status) goto done;
    }
    cairn_report_hidden(out, product == f->n_best, "rule%zu.independent", number);
    if (n > 1)
        cairn_report_note(out,
                          product == f->n_best
                              ? "The ranges are independent: every combination is as good."
                              : "The ranges depend on each other: not every combination of their "
                                "values is as good.");
done:
    return status;
}

/* -- new rows and a free parameter -- */

/* What rules with the best values say of one new row. */
typedef struct said {
    bool yes, no, nothing;
} said;

/* Ask the rule about all new rows with one value of the parameter. */
static cairn_status ask_value(cairn_context *ctx, said *out, double *answers, cairn_column *column,
                              double value, const char *condition, const cairn_table *table)
{
    size_t n = table->n_rows;
    for (size_t i = 0; i < n; i++) column->numbers[i] = value;
    CHECK(cairn_rule_evaluate(ctx, answers, condition, table, true));
    for (size_t i = 0; i < n; i++) {
        out[i].nothing |= isnan(answers[i]);
        out[i].yes |= answers[i] == 1;
        out[i].no |= answers[i] == 0;
    }
    return CAIRN_OK;
}

/* Ask with every value that makes a difference: a best cell is cut where a new row changes its
 * answer, at the numbers in `own` (ascending, n). */
static cairn_status ask_cell(cairn_context *ctx, said *out, double *answers, const parameter *p,
                             size_t cell, const double *own, size_t n, cairn_column *column,
                             const char *condition, const cairn_table *table)
{
    range r = cells_range(p, cell, cell);
    double low = r.low, value = cell_value(p, cell);
    bool cut = false;
    for (size_t i = 0; i < n && cell % 2 == 0; i++) {
        if (!(own[i] > r.low && own[i] < r.high)) continue;
        value = isinf(low) ? own[i] - fabs(own[i]) - 1 : cairn_number_between(low, own[i]);
        CHECK(ask_value(ctx, out, answers, column, value, condition, table));
        CHECK(ask_value(ctx, out, answers, column, own[i], condition, table));
        low = own[i];
        cut = true;
    }
    if (cut) value = isinf(r.high) ? low + fabs(low) + 1 : cairn_number_between(low, r.high);
    return ask_value(ctx, out, answers, column, value, condition, table);
}

/* New rows under all values of a single free parameter that are as good as any. */
static cairn_status show_asked(cairn_context *ctx, cairn_report *out, const parameter *p,
                               const char *condition, const cairn_table *fresh, const verdict *v,
                               size_t number)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column *column;
    checked c = {.table = fresh, .view = {.rows = cairn_all_rows(fresh)}};
    parameter other = {.name = p->name};
    said *answers;
    CHECK(SCRATCH_EACH(ctx, fresh->n_rows, &c.truth, &answers));
    CHECK(find_critical(ctx, &other, condition, &c));
    CHECK(cairn_table_share(ctx, &table, fresh));
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, fresh->n_rows));
    CHECK(cairn_table_add_column(ctx, table, p->name, CAIRN_FEATURE, column));
    for (size_t i = 0; i < p->n_cells; i++)
        if (p->best[i])
            CHECK(ask_cell(ctx, answers, c.truth, p, i, other.critical, other.n_critical, column,
                           condition, table));
    for (size_t i = 0; i < fresh->n_rows; i++) {
        char label[48], word[160];
        const said *a = &answers[i];
        snprintf(label, sizeof label, "new row %zu", i + 1);
        snprintf(word, sizeof word, "%.60s or %.60s, by %.20s", v->yes, v->no, p->name);
        cairn_report_word(out, label,
                          a->nothing        ? "undecided"
                          : a->yes && a->no ? word
                          : a->yes          ? v->yes
                                            : v->no,
                          "rule%zu.predict%zu", number, i + 1);
    }
    return CAIRN_OK;
}

/* Parameters become columns of a copy of the table, so that the same evaluation serves them; the
 * last one needs no loop of its own and does not count in the limit. */
static cairn_status fit_rule(cairn_context *ctx, cairn_report *out, const checked *checked_rows,
                             const char *text, size_t number, const consistency_params *p,
                             char **names, size_t n, const cairn_table *new_rows, bool steps)
{
    OWNED(cairn_table_free) cairn_table *table = NULL, *rows = NULL, *fresh = NULL;
    checked own = *checked_rows, *c = &own;
    parameter *list;
    cairn_rule rule;
    verdict v;
    fit f;
    double combinations = 1;
    CHECK(cairn_rule_read(ctx, &rule, text, c->table));
    CHECK(find_verdict(ctx, &v, &rule, c));
    if (new_rows && n > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{predict}: the rule '%s' has %zu free parameters, and new rows are "
                          "answered with one at the most; put numbers in the place of the others",
                          text, n);
    CHECK(SCRATCH(ctx, &list, n));
    CHECK(cairn_table_share(ctx, &rows, c->table));
    if (new_rows) CHECK(cairn_table_share(ctx, &fresh, new_rows));
    CHECK(cairn_free_parameters(ctx, &rule.condition, names, n,
                                &(cairn_rule_grounds){rows, fresh, 0}));
    own.table = rows;
    CHECK(cairn_table_share(ctx, &table, rows));
    for (size_t k = 0; k < n; k++) {
        list[k].name = names[k];
        CHECK(find_critical(ctx, &list[k], rule.condition, c));
        CHECK(cairn_column_new(ctx, &list[k].column, CAIRN_NUMBER, c->table->n_rows));
        CHECK(cairn_table_add_column(ctx, table, names[k], CAIRN_FEATURE, list[k].column));
        if (k + 1 < n) combinations *= (double)list[k].n_cells;
    }
    if (combinations * (double)c->view.rows.n > TRIES_PER_LIMIT * p->limit) {
        char size[CAIRN_NUMBER_SIZE];
        cairn_number_format(size, combinations, 6);
        CHECK(cairn_fail(
            ctx, CAIRN_USAGE,
            "the rule '%s' has %s combinations of the parameters but the last, each held "
            "against %zu rows, which takes too long; fix some of them, use fewer rows, or "
            "allow more with {limit}",
            text, size, c->view.rows.n));
    }
    CHECK(try_cells(ctx, &f, list, n, table, rule.condition, c, &v));
    cairn_report_heading(out, 2, "%s", text);
    cairn_report_value(out, "least number of wrong rows", f.errors, "rule%zu.errors", number);
    cairn_report_word(out, "consistent", f.errors > 0 ? "no" : "yes", "rule%zu.consistent", number);
    if (steps) CHECK(work_parameters(ctx, out, list, n, table, rule.condition, c, &v, number));
    CHECK(show_ranges(ctx, out, list, n, &f, number));
    return fresh ? show_asked(ctx, out, list, rule.condition, fresh, &v, number) : CAIRN_OK;
}

/* -- new rows -- */

/* A column for the new rows with the levels of the old one. */
static cairn_status fresh_column(cairn_context *ctx, cairn_column **out, const cairn_column *like,
                                 const char *name, size_t n)
{
    if (like->kind != CAIRN_NUMBER && like->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{predict}: the column '%s' holds neither numbers nor "
                          "levels; leave it out with {ignore}",
                          name);
    CHECK(cairn_column_new(ctx, out, like->kind, n));
    for (size_t v = 0; like->kind == CAIRN_LEVEL && v < like->names.n; v++) {
        const char *level = cairn_map_key(&like->names, v);
        size_t index;
        CHECK(cairn_map_add(ctx, &(*out)->names, level, strlen(level), &index));
    }
    return CAIRN_OK;
}

/* Typed rows become a table with the columns of the features, so that rules are evaluated on
 * them in the same way. */
static cairn_status fresh_rows(cairn_context *ctx, cairn_table **out, const checked *c,
                               const char *typed)
{
    const char *const *lines;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t n = 0;
    CHECK(cairn_list_lines(ctx, typed, &lines));
    while (lines[n]) n++;
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < c->view.n_features; j++) {
        CHECK(fresh_column(ctx, &column, c->view.features[j], c->view.names[j], n));
        for (size_t i = 0; i < n; i++) {
            char **cells;
            size_t n_cells;
            CHECK(cairn_list_split(ctx, lines[i], &cells, &n_cells));
            if (n_cells != c->view.n_features)
                CHECK(cairn_fail(ctx, CAIRN_USAGE,
                                 "{predict %s}: %zu values; a row has %zu, one for each feature",
                                 lines[i], n_cells, c->view.n_features));
            const char *text = cells[j];
            const char *name = c->view.names[j];
            if (column->kind == CAIRN_NUMBER) {
                if (cairn_number_parse(text, strlen(text), &column->numbers[i])) continue;
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{predict}: '%s' is no number for the column '%s'", text, name);
            }
            column->codes[i] = (int32_t)cairn_map_find(&column->names, text, strlen(text));
            if (column->codes[i] >= 0) continue;
            return cairn_fail(ctx, CAIRN_USAGE, "{predict}: the column '%s' has no value '%s'",
                              name, text);
        }
        cairn_column *given = column;
        column = NULL;
        CHECK(cairn_table_add_column(ctx, table, c->view.names[j], CAIRN_FEATURE, given));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- searches -- */

/* All consistent conjunctions, the shortest first; of equal length the more general one. */
static cairn_status search_conjunctions(cairn_context *ctx, cairn_report *out,
                                        const consistency_params *p, const cairn_table *table)
{
    cairn_concept_option option = {p->positive, CAIRN_UNSEEN_SINGLE, CAIRN_NOTATION_LITERALS};
    cairn_concept_data data;
    SCOPED(cairn_boundaries_clear) cairn_boundaries b = {0};
    SCOPED(cairn_concepts_clear) cairn_concepts sorted = {0};
    SCOPED(cairn_concepts_clear) cairn_concepts members = {0};
    CHECK(cairn_concept_data_read(ctx, &data, &option, false, false, table, "compute consistency"));
    members.width = sorted.width = data.domain.n;
    CHECK(cairn_boundaries_start(ctx, &b, &data.domain));
    for (size_t i = 0; i < data.examples.n; i++)
        CHECK(cairn_boundaries_add(ctx, &b, &data.domain,
                                   cairn_example(&data.examples, &data.domain, i),
                                   data.examples.positive[i]));
    if (!b.collapsed)
        CHECK(cairn_version_members(ctx, &members, &data.domain, &data.examples, b.special,
                                    p->limit));
    for (size_t length = 0; length <= data.domain.n; length++) {
        size_t before = sorted.n;
        for (size_t i = members.n; i-- > 0;)
            if (cairn_concept_conditions(&data.domain, cairn_concepts_at(&members, i)) == length)
                CHECK(
                    cairn_concepts_add(ctx, &sorted, &data.domain, cairn_concepts_at(&members, i)));
        cairn_report_hidden(out, (double)(sorted.n - before), "conjunction.length%zu", length);
    }
    CHECK(cairn_concepts_show(ctx, out, &data, &sorted,
                              "Consistent conjunctions, the shortest first", "conjunction"));
    if (!sorted.n) cairn_report_note(out, "No conjunction is consistent.");
    return CAIRN_OK;
}

typedef struct keyed {
    uint64_t key;
    bool positive;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Whether rows that agree in the chosen columns always agree in the class. */
static bool determines(const cairn_concept_data *data, const size_t *chosen, size_t n, keyed *work)
{
    const cairn_examples *e = &data->examples;
    for (size_t i = 0; i < e->n; i++) {
        const int32_t *codes = cairn_example(e, &data->domain, i);
        work[i] = (keyed){0, e->positive[i]};
        for (size_t k = 0; k < n; k++)
            work[i].key = work[i].key * (CAIRN_CONCEPT_VALUES + 1) + (uint64_t)codes[chosen[k]];
    }
    if (e->n) qsort(work, e->n, sizeof *work, by_key);
    for (size_t i = 1; i < e->n; i++)
        if (work[i].key == work[i - 1].key && work[i].positive != work[i - 1].positive)
            return false;
    return true;
}

/* The next choice of n ascending places below `all`; false at the end. */
static bool next_choice(size_t *chosen, size_t n, size_t all)
{
    for (size_t k = n; k-- > 0;)
        if (chosen[k] + (n - k) < all) {
            chosen[k]++;
            for (size_t m = k + 1; m < n; m++) chosen[m] = chosen[m - 1] + 1;
            return true;
        }
    return false;
}

/* Sets are tried by size, so all that are found are smallest; a set determines the class when
 * equal cells never have different classes. */
static cairn_status search_features(cairn_context *ctx, cairn_report *out,
                                    const consistency_params *p, const cairn_table *table)
{
    cairn_concept_option option = {p->positive, CAIRN_UNSEEN_SINGLE, CAIRN_NOTATION_LITERALS};
    cairn_concept_data data;
    cairn_status status;
    keyed *work;
    size_t *chosen, found = 0;
    double tried = 0;
    TRY(cairn_concept_data_read(ctx, &data, &option, false, false, table, "compute consistency"));
    TRY(SCRATCH(ctx, &work, data.examples.n));
    TRY(SCRATCH(ctx, &chosen, (size_t)p->most));
    cairn_report_table_of(out, "Smallest sets of columns that determine the class", 0, "l",
                          "columns");
    for (size_t n = 1; n <= (size_t)p->most && n <= data.domain.n && !found; n++) {
        for (size_t k = 0; k < n; k++) chosen[k] = k;
        do {
            if (++tried > p->limit)
                TRY(cairn_fail(ctx, CAIRN_USAGE,
                               "there are more sets of %zu columns than may be tried; lower {most} "
                               "or raise {limit}",
                               n));
            TRY(cairn_tick(ctx, NULL, 0, 0));
            if (!determines(&data, chosen, n, work)) continue;
            cairn_text text = cairn_text_start(ctx);
            for (size_t k = 0; k < n; k++)
                cairn_text_addf(&text, "%s%s", k ? ", " : "",
                                data.domain.attributes[chosen[k]].name);
            cairn_report_cell_word(out, cairn_text_string(&text), "features%zu", ++found);
            status = cairn_text_status(&text);
            cairn_text_clear(&text);
            if (status) goto done;
        } while (next_choice(chosen, n, data.domain.n));
    }
    cairn_report_hidden(out, (double)found, "features.count");
    if (!found)
        cairn_report_note(out, "No set of at most %d columns determines the class.", p->most);
done:
    return status;
}

static cairn_status search_rules(cairn_context *ctx, cairn_report *out, const consistency_params *p,
                                 const cairn_table *table)
{
    cairn_concept_option option = {p->positive, CAIRN_UNSEEN_SINGLE, CAIRN_NOTATION_LITERALS};
    cairn_concept_data data;
    CHECK(cairn_concept_data_read(ctx, &data, &option, false, false, table, "compute consistency"));
    return shortest_rules(ctx, out, &data, (size_t)p->most, p->limit);
}

/* -- all together -- */

/* Only names that a rule mentions are free in it; a rule without any is checked as it stands. */
static cairn_status check_rules(cairn_context *ctx, cairn_report *out, const checked *c,
                                const consistency_params *p, bool steps)
{
    const char *const *rules;
    OWNED(cairn_table_free) cairn_table *fresh = NULL;
    char **free_names = NULL, **names;
    size_t n_free = 0, n;
    CHECK(cairn_list_lines(ctx, p->rule, &rules));
    if (p->free) CHECK(cairn_list_split(ctx, p->free, &free_names, &n_free));
    for (size_t k = 0; k < n_free; k++)
        if (cairn_table_find(c->table, free_names[k]) >= 0)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{free}: '%s' is a column of the table",
                             free_names[k]));
    if (p->predict) CHECK(fresh_rows(ctx, &fresh, c, p->predict));
    for (size_t r = 0; rules[r]; r++) {
        /* The parameters that a rule mentions. */
        const char *text = rules[r];
        cairn_token *tokens;
        size_t n_tokens;
        n = 0;
        CHECK(SCRATCH(ctx, &names, n_free + 1));
        CHECK(cairn_rule_tokens(ctx, text, &tokens, &n_tokens));
        for (size_t k = 0; k < n_free; k++)
            for (size_t i = 0; i < n_tokens; i++)
                if (tokens[i].kind == CAIRN_TOKEN_NAME &&
                    cairn_same(tokens[i].name, free_names[k])) {
                    (names)[(n)++] = free_names[k];
                    break;
                }
        if (n)
            CHECK(fit_rule(ctx, out, c, rules[r], r + 1, p, names, n, fresh, steps));
        else
            CHECK(check_rule(ctx, out, c, rules[r], r + 1, fresh, steps));
    }
    return CAIRN_OK;
}

/* Checks typed rules, searches for some, or both; at least one of them must be asked for. */
static cairn_status consistency_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    const consistency_params *p = job->params;
    checked c = {.table = job->table};
    if (!job->table) return cairn_fail(ctx, CAIRN_USAGE, "'compute consistency' needs a table");
    if (!p->rule && p->search == SEARCH_NONE)
        return cairn_fail(ctx, CAIRN_USAGE, "give a {rule}, or let one be found with {search}");
    CHECK(cairn_view_make(ctx, &c.view, job->table, cairn_all_rows(job->table)));
    CHECK(cairn_read_classes(ctx, &c.all, &c.view, "compute consistency"));
    CHECK(cairn_read_positive(ctx, &c.view, p->positive, "compute consistency", &c.classes,
                              &c.positive));
    CHECK(cairn_row_names(ctx, job->table, &c.names));
    CHECK(SCRATCH(ctx, &c.truth, c.view.rows.n));
    cairn_report_heading(out, 1, "Rules for '%s = %s'", c.view.target_name, c.positive);
    if (p->rule) CHECK(check_rules(ctx, out, &c, p, job->steps));
    if (p->search == SEARCH_CONJUNCTIONS) CHECK(search_conjunctions(ctx, out, p, job->table));
    if (p->search == SEARCH_FEATURES) CHECK(search_features(ctx, out, p, job->table));
    if (p->search == SEARCH_RULES) CHECK(search_rules(ctx, out, p, job->table));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_consistency = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "consistency",
              .also = "consistent hypothesis, complete and consistent, coverage of a rule",
              .about = "evaluating instances on a hypothesis",
              .title = "Rules held against data",
              .summary = "Typed rules such as IF score1 + score2 >= 60 THEN Pass ELSE Fail: which "
                         "rows they get wrong and what they say about new rows. Free parameters "
                         "(--free M) get the exact ranges in which the rule is consistent, or has "
                         "the fewest errors. --search lists all consistent conjunctions, the "
                         "shortest rules of any form, or the smallest sets of columns on which a "
                         "rule can be consistent at all.",
              .references = "Mitchell: Machine Learning, 1997, chapter 2",
              .example = "cairn compute consistency @pass-fail --positive Pass --free M --rule "
                         "'score1 + score2 >= M'",
              .params = consistency_table,
              .params_size = sizeof(consistency_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = consistency_run,
};
