/* SPDX-License-Identifier: MIT */
/* The shortest consistent rules.
 *
 * What a rule says about the rows is a vector of bits. Rules of one condition are the values of the
 * columns and their opposites; rules of k conditions join one of i and one of k - i by AND or OR.
 * Of all rules with the same vector and the same columns one is kept, the first, so every vector is
 * met first at its shortest. The search ends with the first length at which the vector of the
 * classes turns up. */
#include "compute/concepts/shortest_rule.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

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

/* Join rules a and b by both signs. */
static cairn_status join_rules(search *s, size_t a, size_t b, const uint64_t *first)
{
    uint64_t columns = s->parts[a].columns | s->parts[b].columns;
    s->tried++;
    if ((size_t)__builtin_popcountll(columns) > s->most) return CAIRN_OK;
    const uint64_t *second = vector_of(s, b);
    for (size_t w = 0; w < s->words; w++) s->work[w] = first[w] & second[w];
    CHECK(add_rule(s, (part){'&', (uint32_t)a, (uint32_t)b, columns}));
    second = vector_of(s, b);
    for (size_t w = 0; w < s->words; w++) s->work[w] = first[w] | second[w];
    return add_rule(s, (part){'|', (uint32_t)a, (uint32_t)b, columns});
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
            for (size_t b = from; b < s->first[k + 1] && !is_full(s); b++)
                CHECK(join_rules(s, a, b, first));
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

/* All shortest rules are listed, as none of them is better by length. */
static cairn_status show_found(cairn_context *ctx, cairn_report *out, const search *s,
                               size_t length)
{
    cairn_status status = CAIRN_OK;
    cairn_report_table_of(out, "Shortest consistent rules", 0, "rlrr", "", "rule", "conditions",
                          "columns");
    for (size_t i = 0; i < s->n_found; i++) {
        cairn_text text = cairn_text_start(ctx);
        add_words(&text, s, s->found[i], 0);
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_word(out, cairn_text_string(&text), "shortest%zu", i + 1);
        cairn_report_cell_number(out, (double)length, 0, "shortest%zu.conditions", i + 1);
        cairn_report_cell_number(out, __builtin_popcountll(s->parts[s->found[i]].columns), 0,
                                 "shortest%zu.columns", i + 1);
        status = cairn_text_status(&text);
        cairn_text_clear(&text);
        if (status) return status;
    }
    cairn_report_table_end(out);
    return status;
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
    if (s->n_found) CHECK(show_found(ctx, out, s, length));
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

cairn_status cairn_shortest_rules(cairn_context *ctx, cairn_report *out,
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
