/* SPDX-License-Identifier: MIT */
/* Rules as text, read and written.
 *
 *     if gills = yes then neg                    a class; its counts come from the rows
 *     else if teeth = many & length <= 4 then pos 0.8        a class and its probability
 *     else if beak = no then odds 4:1            odds of the positive class
 *     otherwise ?                                what the rows say
 *
 * In a set every line begins with "if". */
#include "learners/rules/rules.h"

#include "base/number.h"
#include "data/time.h"
#include <math.h>
#include <string.h>

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    const cairn_job *job;
    bool ordered;
    bool ended; /* the default rule was seen */
} reader;

/* -- reading -- */

cairn_status cairn_conditions_read(cairn_context *ctx, const cairn_given *given,
                                   const cairn_word **words, const cairn_schema *schema,
                                   cairn_condition **out, size_t *n)
{
    const cairn_word *at = *words;
    size_t most = 1;
    *n = 0;
    for (const cairn_word *w = at; w->kind != CAIRN_WORD_LINE && w->kind != CAIRN_WORD_END; w++)
        most += cairn_word_is(w, "&") || cairn_word_is(w, "and");
    CHECK(SCRATCH(ctx, out, most));
    if (cairn_word_is(at, "true") && !(at[1].kind == CAIRN_WORD_SIGN && at[1].text[0] != ':')) {
        *words = at + 1;
        return CAIRN_OK;
    }
    for (;;) {
        if (*n && cairn_word_is(at, "then") && at[1].kind != CAIRN_WORD_SIGN)
            CHECK(cairn_given_fail(ctx, given, at->at, "a condition is expected after '%s'",
                                   at[-1].text));
        CHECK(cairn_given_condition(ctx, given, &at, schema, &(*out)[(*n)++]));
        if (!cairn_word_is(at, "&") && !cairn_word_is(at, "and")) break;
        at++;
    }
    *words = at;
    return CAIRN_OK;
}

static bool number_word(const cairn_word *word, double *out)
{
    return word->kind == CAIRN_WORD_NAME && !word->quoted &&
           cairn_number_parse(word->text, strlen(word->text), out) && isfinite(*out);
}

/* "4:1" */
static cairn_status read_odds(reader *r, const cairn_word **words, cairn_rule_draft *out)
{
    const cairn_word *at = *words;
    double a = 0, b = 0;
    if (!number_word(at, &a) || !cairn_word_is(at + 1, ":") || !number_word(at + 2, &b) || a < 0 ||
        b < 0 || !(a + b > 0) || !isfinite(a + b))
        CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                               "odds are two numbers with a colon between them, such as 4:1"));
    if (r->job->n_classes != 2 || r->job->positive < 0)
        CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                               "odds are for two classes, and the target has %zu; name a class and "
                               "its probability",
                               r->job->n_classes));
    out->stated = r->job->positive;
    out->probability = a / (a + b);
    *words = at + 3;
    return CAIRN_OK;
}

/* A class, a class with its probability, odds, or "?" for the class that most of its rows have. */
static cairn_status read_head(reader *r, const cairn_word **words, cairn_rule_draft *out)
{
    const cairn_word *at = *words;
    double p = 0;
    out->label = out->stated = -1;
    if (cairn_word_is(at, "?")) {
        at++;
    } else if (cairn_word_is(at, "odds") && number_word(at + 1, &p)) {
        at++;
        CHECK(read_odds(r, &at, out));
    } else if (number_word(at, &p) && cairn_word_is(at + 1, ":")) {
        CHECK(read_odds(r, &at, out));
    } else {
        CHECK(cairn_given_class(r->ctx, r->given, at, r->job->schema, &out->label));
        if (number_word(++at, &p)) {
            if (p < 0 || p > 1)
                CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                                       "a probability lies between 0 and 1"));
            if (r->job->n_classes > 1) {
                out->stated = out->label;
                out->probability = p;
            }
            at++;
        }
    }
    *words = at;
    return CAIRN_OK;
}

static cairn_status expected(reader *r, const cairn_word *at, const char *what)
{
    char shown[80];
    return cairn_given_fail(r->ctx, r->given, at->at, "%s is expected here, not %s", what,
                            cairn_word_show(at, shown));
}

/* "else" alone and "otherwise" end the list, and so does a rule without conditions: what follows
 * could never be met. */
static cairn_status read_line(reader *r, const cairn_word **words, cairn_rule_draft *out,
                              bool first)
{
    const cairn_word *at = *words;
    bool rest = false;
    if (r->ended)
        CHECK(cairn_given_fail(r->ctx, r->given, at->at, "nothing can follow 'otherwise'"));
    if (at->kind == CAIRN_WORD_NAME && cairn_word_is(at + 1, ":") && cairn_word_is(at + 2, "if"))
        at += 2; /* a name of the rule */
    if (cairn_word_is(at, "otherwise")) {
        rest = true;
        at++;
        if (cairn_word_is(at, ":")) at++;
    } else if (cairn_word_is(at, "else") && !cairn_word_is(at + 1, "if")) {
        rest = true;
        at++;
    } else {
        bool otherwise = cairn_word_is(at, "else");
        if (otherwise && (!r->ordered || first))
            CHECK(cairn_given_fail(r->ctx, r->given, at->at,
                                   first ? "the first rule begins with 'if'"
                                         : "the rules of a set have no order, so none begins with "
                                           "'else'; rule-list reads ordered rules"));
        at += otherwise;
        if (!cairn_word_is(at, "if")) CHECK(expected(r, at, "'if' or 'otherwise'"));
        at++;
        CHECK(cairn_conditions_read(r->ctx, r->given, &at, r->job->schema, &out->body, &out->n));
        if (!cairn_word_is(at, "then")) CHECK(expected(r, at, "'&' or 'then'"));
        at++;
        rest = out->n == 0;
    }
    CHECK(read_head(r, &at, out));
    if (at->kind != CAIRN_WORD_LINE && at->kind != CAIRN_WORD_END)
        CHECK(expected(r, at, "the end of the line"));
    r->ended |= rest;
    *words = at + (at->kind == CAIRN_WORD_LINE);
    return CAIRN_OK;
}

cairn_status cairn_rules_read(cairn_context *ctx, cairn_rule_draft **out, size_t *n,
                              const cairn_given *given, const cairn_job *job, bool ordered)
{
    reader r = {.ctx = ctx, .given = given, .job = job, .ordered = ordered};
    cairn_word *words = NULL;
    size_t n_lines = 2;
    CHECK(cairn_given_words(ctx, given, &words));
    for (const cairn_word *w = words; w->kind != CAIRN_WORD_END; w++)
        n_lines += w->kind == CAIRN_WORD_LINE;
    if (words[0].kind == CAIRN_WORD_END)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no rule in this file", given->name));
    CHECK(SCRATCH(ctx, out, n_lines));
    *n = 0;
    for (const cairn_word *at = words; at->kind != CAIRN_WORD_END; (*n)++)
        CHECK(read_line(&r, &at, &(*out)[*n], *n == 0));
    if (!r.ended) (*out)[(*n)++] = (cairn_rule_draft){.label = -1, .stated = -1};
    return CAIRN_OK;
}

/* -- writing -- */

static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">=", "="};

static void add_level(cairn_text *out, const cairn_field *field, int32_t level)
{
    cairn_given_add_name(out, field && level >= 0 && (size_t)level < field->names.n
                                  ? cairn_map_key(&field->names, (size_t)level)
                                  : "?");
}

/* What is written here is read again by read_line, so names, times and levels are quoted where
 * they need it. */
static void add_test(cairn_text *out, const cairn_field *field, cairn_relation relation,
                     double number, const int32_t *levels, size_t n)
{
    cairn_given_add_name(out, field ? field->name : "?");
    cairn_text_addf(out, " %s ", signs[relation]);
    if (relation == CAIRN_IS_MISSING) {
        cairn_text_add_char(out, '?');
    } else if (field && field->kind == CAIRN_TIME) {
        char time[CAIRN_TIME_SIZE];
        cairn_time_format(time, number, field->pattern);
        cairn_given_add_name(out, time);
    } else if (field && field->kind != CAIRN_LEVEL) {
        cairn_text_add_number(out, number, CAIRN_SHORTEST);
    } else if (n == 1) {
        add_level(out, field, levels[0]);
    } else {
        for (size_t i = 0; i < n; i++) {
            cairn_text_add(out, i ? ", " : "[");
            add_level(out, field, levels[i]);
        }
        cairn_text_add_char(out, ']');
    }
}

void cairn_condition_add(cairn_text *out, const cairn_condition *c, const cairn_schema *schema)
{
    add_test(out, cairn_schema_feature(schema, c->column), c->relation, c->number, c->levels,
             c->n_levels);
}

static void add_literal(cairn_text *out, const cairn_rules *m, size_t l, const cairn_schema *schema)
{
    add_test(out, cairn_schema_feature(schema, (size_t)m->columns[l]),
             (cairn_relation)m->relations[l], m->numbers[l], m->levels + m->level_starts[l],
             (size_t)(m->level_starts[l + 1] - m->level_starts[l]));
}

void cairn_rule_add_body(cairn_text *out, const cairn_rules *m, size_t rule,
                         const cairn_schema *schema)
{
    if (m->starts[rule] == m->starts[rule + 1]) cairn_text_add(out, "true");
    for (int32_t l = m->starts[rule]; l < m->starts[rule + 1]; l++) {
        if (l > m->starts[rule]) cairn_text_add(out, " & ");
        add_literal(out, m, (size_t)l, schema);
    }
}

void cairn_rule_name(char out[CAIRN_RULE_NAME], const cairn_rules *m, size_t rule)
{
    size_t length = 0;
    if (rule + 1 == m->n_rules) {
        memcpy(out, "rest", 5);
    } else if (m->n_rules <= 27) {
        out[0] = (char)('A' + rule);
        out[1] = 0;
    } else {
        out[length++] = 'R';
        length += cairn_number_format(out + 1, (double)rule + 1, CAIRN_SHORTEST);
        out[length] = 0;
    }
}

void cairn_pattern_add_name(cairn_text *out, const cairn_rules *m, const uint8_t *pattern)
{
    bool any = false;
    size_t last = m->n_rules - 1;
    for (size_t r = 0; (r = cairn_pattern_next(pattern, r, last)) < last; r++) {
        char name[CAIRN_RULE_NAME];
        cairn_rule_name(name, m, r);
        if (any && m->n_rules > 27) cairn_text_add_char(out, ' ');
        cairn_text_add(out, name);
        any = true;
    }
    if (!any) cairn_text_add(out, "none");
}

static void add_counts(cairn_text *out, const cairn_rules *m, size_t rule,
                       const cairn_schema *schema)
{
    const double *counts = cairn_rule_counts(m, rule, false);
    for (size_t l = 0, shown = 0; l < m->n_classes; l++) {
        if (counts[l] == 0) continue;
        cairn_text_addf(out, "%s%s ", shown++ ? ", " : "", cairn_schema_class(schema, (int32_t)l));
        cairn_text_add_number(out, counts[l], 6);
    }
}

static void add_head(cairn_text *out, const cairn_rules *m, size_t rule, const cairn_schema *schema)
{
    int32_t label = m->stated[rule] >= 0 ? m->stated[rule] : m->labels[rule];
    cairn_given_add_name(out, cairn_schema_class(schema, label));
    if (m->stated[rule] >= 0) {
        cairn_text_add_char(out, ' ');
        cairn_text_add_number(out, m->probabilities[rule], CAIRN_SHORTEST);
    }
}

static void add_answer(cairn_text *out, const cairn_rules *m, size_t rule, const cairn_job *job)
{
    add_head(out, m, rule, job->schema);
    cairn_text_add(out, "  # ");
    add_counts(out, m, rule, job->schema);
    cairn_text_add_char(out, '\n');
}

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    for (size_t r = 0; r < m->n_rules; r++) {
        if (r + 1 == m->n_rules) {
            cairn_text_add(out, "otherwise ");
        } else {
            cairn_text_add(out, m->ordered && r > 0 ? "else if " : "if ");
            cairn_rule_add_body(out, m, r, job->schema);
            cairn_text_add(out, " then ");
        }
        add_answer(out, m, r, job);
    }
}

/* A rule that fires is a leaf to the left, the rules that follow are the right branch. */
static void write_tree(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        cairn_rule_add_body(out, m, r, job->schema);
        cairn_text_add(out, "?\n");
        cairn_text_add_repeat(out, ' ', 4 * (r + 1));
        cairn_text_add(out, "yes: ");
        add_answer(out, m, r, job);
        cairn_text_add_repeat(out, ' ', 4 * (r + 1));
        cairn_text_add(out, "no: ");
    }
    add_answer(out, m, m->n_rules - 1, job);
}

/* Quotes and backslashes of names, for Graphviz. */
static void add_escaped(cairn_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') cairn_text_add_char(out, '\\');
        cairn_text_add_char(out, *text);
    }
}

/* Ordered rules as a chain: "yes" leads to the answer, "no" to the next rule. */
static void write_dot(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_rules *m = model;
    SCOPED(cairn_text_clear) cairn_text body = cairn_text_start(out->ctx);
    cairn_text_add(out, "digraph rules {\n    node [shape=box];\n");
    for (size_t r = 0; r < m->n_rules; r++) {
        bool last = r + 1 == m->n_rules;
        body.length = 0;
        cairn_rule_add_body(&body, m, r, job->schema);
        if (!last) {
            cairn_text_addf(out, "    r%zu [label=\"", r + 1);
            add_escaped(out, cairn_text_string(&body));
            cairn_text_add(out, "\", shape=ellipse];\n");
            cairn_text_addf(out, "    r%zu -> a%zu [label=\"yes\"];\n", r + 1, r + 1);
            cairn_text_addf(out, "    r%zu -> %s%zu [label=\"no\"];\n", r + 1,
                            r + 2 == m->n_rules ? "a" : "r", r + 2);
        }
        body.length = 0;
        cairn_text_add(&body, cairn_schema_class(job->schema, m->labels[r]));
        cairn_text_addf(out, "    a%zu [label=\"", r + 1);
        add_escaped(out, cairn_text_string(&body));
        cairn_text_add(out, "\"];\n");
    }
    cairn_text_add(out, "}\n");
    if (out->status == CAIRN_OK) out->status = cairn_text_status(&body);
}

const cairn_export_form cairn_rules_forms[] = {
    {"text", "lines of if and otherwise that --given reads again", write_text},
    {"tree", "the rules in their order as a right-branching tree", write_tree},
    {"dot", "the same tree as a graph for Graphviz", write_dot},
    {NULL, NULL, NULL},
};
