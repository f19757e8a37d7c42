/* SPDX-License-Identifier: MIT */
/* By recursive descent: one function per line of the grammar, each of which gives a list of terms.
 * Nesting and lengths are limited, so that no text can use up the stack or the time. */
#include "model/model_formula.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "data/expression.h"
#include "entry/split.h"
#include <string.h>

enum { MOST_TERMS = 10000 };

/* Terms in the order in which they came, each once, and where each stands by the hash of its
 * variables: a power of a long sum meets the same product again and again. */
typedef struct term_list {
    cairn_formula_term *items;
    uint32_t *slots; /* 2 * room, a power of 2: number of an item and one more; 0 = free */
    size_t n, buffer;
} term_list;

typedef struct parser {
    cairn_context *ctx;
    cairn_model_formula *f;
    const char *text;
    size_t at;
    const char *const *all;
    size_t n_all;
    uint64_t nesting;
} parser;

/* -- lists of terms -- */

/* Room for one more in scratch; what was there is copied. */
static cairn_status grow(cairn_context *ctx, void *items, size_t *buffer, size_t n, size_t size)
{
    char *larger, *before = *(char **)items;
    if (n < *buffer) return CAIRN_OK;
    size_t more = *buffer ? 2 * *buffer : 8;
    CHECK(cairn_scratch(ctx, &larger, more, size, true));
    if (n) memcpy(larger, before, n * size);
    *(char **)items = larger;
    *buffer = more;
    return CAIRN_OK;
}

static bool same_term(const cairn_formula_term *a, const cairn_formula_term *b)
{
    return a->n == b->n &&
           (a->n == 0 || memcmp(a->variables, b->variables, a->n * sizeof *a->variables) == 0);
}

/* The slot in which the term stands, or the free one in which it would. */
static uint32_t *slot_of(const term_list *list, const cairn_formula_term *term)
{
    size_t last = 2 * list->buffer - 1;
    size_t at = cairn_hash(term->variables, term->n * sizeof *term->variables, 0) & last;
    while (list->slots[at] && !same_term(&list->items[list->slots[at] - 1], term))
        at = (at + 1) & last;
    return &list->slots[at];
}

static bool has_term(const term_list *list, const cairn_formula_term *term)
{
    return list->n && *slot_of(list, term);
}

static void put_slots(term_list *list)
{
    memset(list->slots, 0, 2 * list->buffer * sizeof *list->slots);
    for (size_t i = 0; i < list->n; i++) *slot_of(list, &list->items[i]) = (uint32_t)i + 1;
}

static cairn_status add_term(parser *p, term_list *list, const cairn_formula_term *term)
{
    if (has_term(list, term)) return CAIRN_OK;
    if (list->n >= MOST_TERMS)
        return cairn_fail_place(p->ctx, p->text, p->at,
                                "the formula has more than %d terms up to here", MOST_TERMS);
    size_t buffer = list->buffer;
    CHECK(grow(p->ctx, &list->items, &list->buffer, list->n, sizeof *list->items));
    if (list->buffer > buffer) {
        CHECK(SCRATCH(p->ctx, &list->slots, 2 * list->buffer));
        put_slots(list);
    }
    list->items[list->n++] = *term;
    *slot_of(list, term) = (uint32_t)list->n;
    return CAIRN_OK;
}

static cairn_status add_all(parser *p, term_list *list, const term_list *more)
{
    for (size_t i = 0; i < more->n; i++) CHECK(add_term(p, list, &more->items[i]));
    return CAIRN_OK;
}

/* The variables of both, each once and in order. */
static cairn_status cross_terms(parser *p, cairn_formula_term *out, const cairn_formula_term *a,
                                const cairn_formula_term *b)
{
    size_t i = 0, k = 0;
    *out = (cairn_formula_term){0};
    while (i < a->n || k < b->n) {
        bool first = k == b->n || (i < a->n && a->variables[i] <= b->variables[k]);
        int32_t next = first ? a->variables[i++] : b->variables[k++];
        if (out->n && out->variables[out->n - 1] == next) continue;
        if (out->n == CAIRN_MOST_CROSSED)
            return cairn_fail_place(p->ctx, p->text, p->at,
                                    "a product of more than %d variables ends here",
                                    CAIRN_MOST_CROSSED);
        out->variables[out->n++] = next;
    }
    return CAIRN_OK;
}

/* Every term of one list crossed with every term of the other. */
static cairn_status cross_lists(parser *p, term_list *out, const term_list *a, const term_list *b)
{
    cairn_formula_term term;
    for (size_t i = 0; i < a->n; i++) {
        CHECK(cairn_tick(p->ctx, NULL, 0, 0));
        for (size_t k = 0; k < b->n; k++) {
            CHECK(cross_terms(p, &term, &a->items[i], &b->items[k]));
            CHECK(add_term(p, out, &term));
        }
    }
    return CAIRN_OK;
}

/* -- letters -- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char look(parser *p)
{
    while (is_blank(p->text[p->at])) p->at++;
    return p->text[p->at];
}

static bool take(parser *p, const char *word)
{
    look(p);
    if (!cairn_starts_with(p->text + p->at, word)) return false;
    p->at += strlen(word);
    return true;
}

/* The byte that ends what is quoted from `open` on; 0 when it quotes nothing. */
static char closing(char open)
{
    return open == '"' || open == '\'' || open == '`' ? open : open == '[' ? ']' : 0;
}

/* Past a quoted piece that begins at `at`, or past one byte. */
static size_t past(const char *text, size_t at)
{
    char close = closing(text[at]);
    if (!close) return at + 1;
    for (at++; text[at]; at++)
        if (text[at] == close && text[at + 1] != close)
            return at + 1;
        else if (text[at] == close)
            at++;
    return at;
}

/* Bytes without the blanks outside quotes; scratch. */
static cairn_status squeeze(parser *p, char **out, size_t begin, size_t end)
{
    char *to;
    CHECK(SCRATCH(p->ctx, out, end - begin + 1));
    to = *out;
    for (size_t i = begin; i < end;) {
        size_t next = past(p->text, i);
        if (next > end) next = end;
        if (next > i + 1 || !is_blank(p->text[i])) {
            memcpy(to, p->text + i, next - i);
            to += next - i;
        }
        i = next;
    }
    return CAIRN_OK;
}

static cairn_status copy(parser *p, char **out, size_t begin, size_t end)
{
    CHECK(SCRATCH(p->ctx, out, end - begin + 1));
    memcpy(*out, p->text + begin, end - begin);
    return CAIRN_OK;
}

/* -- variables -- */

/* The number of the variable, which is added when it is new. */
static cairn_status keep_variable(parser *p, const cairn_formula_variable *made, int32_t *out)
{
    cairn_model_formula *f = p->f;
    for (size_t i = 0; i < f->n_variables; i++) {
        const cairn_formula_variable *v = &f->variables[i];
        if (v->kind != made->kind || strcmp(v->name, made->name) != 0) continue;
        *out = (int32_t)i;
        return CAIRN_OK;
    }
    CHECK(grow(p->ctx, &f->variables, &f->variables_buffer, f->n_variables, sizeof *made));
    f->variables[f->n_variables] = *made;
    *out = (int32_t)f->n_variables++;
    return CAIRN_OK;
}

static cairn_status add_variable(parser *p, term_list *out, const cairn_formula_variable *made)
{
    cairn_formula_term term = {.n = 1};
    CHECK(keep_variable(p, made, &term.variables[0]));
    return add_term(p, out, &term);
}

/* A column name in backticks or brackets; a doubled mark stands for itself. */
static cairn_status read_quoted(parser *p, char **out)
{
    size_t begin = p->at, end = past(p->text, begin);
    char close = closing(p->text[begin]), *to;
    if (end < begin + 2 || p->text[end - 1] != close)
        return cairn_fail_place(p->ctx, p->text, begin, "this column name is not closed by %c",
                                close);
    CHECK(SCRATCH(p->ctx, out, end - begin));
    to = *out;
    for (size_t i = begin + 1; i + 1 < end; i++) {
        *to++ = p->text[i];
        if (p->text[i] == close) i++;
    }
    p->at = end;
    if (!**out) return cairn_fail_place(p->ctx, p->text, begin, "this column name is empty");
    return CAIRN_OK;
}

/* The bracket that closes the one at p->at. */
static cairn_status find_close(parser *p, size_t *out)
{
    int depth = 0;
    for (size_t i = p->at; p->text[i]; i = past(p->text, i)) {
        depth += p->text[i] == '(' ? 1 : p->text[i] == ')' ? -1 : 0;
        if (depth) continue;
        *out = i;
        return CAIRN_OK;
    }
    return cairn_fail_place(p->ctx, p->text, p->at, "this bracket is not closed by )");
}

/* "x,2", "x,degree=2,raw=TRUE" */
static cairn_status read_poly(parser *p, cairn_formula_variable *v, const char *inside)
{
    char **parts;
    size_t n;
    double degree = 1;
    CHECK(cairn_split_list(p->ctx, inside, &parts, &n));
    for (size_t i = 1; i < n; i++) {
        const char *part = parts[i];
        bool truth = !strcmp(part, "raw=TRUE") || !strcmp(part, "raw=T") ||
                     !strcmp(part, "raw=true") || !strcmp(part, "raw=yes");
        bool no = !strcmp(part, "raw=FALSE") || !strcmp(part, "raw=F") ||
                  !strcmp(part, "raw=false") || !strcmp(part, "raw=no");
        if (truth) v->raw = true;
        if (truth || no) continue;
        if (cairn_starts_with(part, "degree=")) part += 7;
        bool known = cairn_number_parse(part, strlen(part), &degree);
        if (!known || !(degree >= 1 && degree <= CAIRN_MOST_POLY) || degree != (int)degree)
            return cairn_fail_place(p->ctx, p->text, v->at,
                                    "poly(x,degree) or poly(x,degree,raw=TRUE) is meant, with a "
                                    "whole degree from 1 to %d",
                                    CAIRN_MOST_POLY);
    }
    if (n == 0 || !*parts[0])
        return cairn_fail_place(p->ctx, p->text, v->at, "poly() of what? poly(x,2) is meant");
    v->expression = parts[0];
    v->degree = (int)degree;
    return CAIRN_OK;
}

/* A function with its arguments from `begin` on; p->at is at the bracket. */
static cairn_status read_call(parser *p, term_list *out, size_t begin)
{
    size_t length = p->at - begin, open = p->at, close;
    const char *name = p->text + begin;
    cairn_formula_variable v = {.kind = CAIRN_VARIABLE_EXPRESSION, .at = begin};
    CHECK(find_close(p, &close));
    CHECK(squeeze(p, &v.name, begin, close + 1));
    char *inside;
    CHECK(squeeze(p, &inside, open + 1, close));
    p->at = close + 1;
    bool whole = length == 1 && *name == 'I';
    bool offset = length == 6 && !memcmp(name, "offset", 6);
    bool factor = (length == 6 && !memcmp(name, "factor", 6)) ||
                  (length == 9 && !memcmp(name, "as.factor", 9));
    if (length == 4 && !memcmp(name, "poly", 4)) {
        v.kind = CAIRN_VARIABLE_POLY;
        CHECK(read_poly(p, &v, inside));
    } else if (whole || offset || factor) {
        v.kind = factor ? CAIRN_VARIABLE_FACTOR : v.kind;
        CHECK(copy(p, &v.expression, open + 1, close)); /* words such as `and` need their blanks */
    } else {
        CHECK(copy(p, &v.expression, begin, close + 1));
    }
    cairn_status status = cairn_expression_check(p->ctx, v.expression);
    if (status == CAIRN_USAGE) cairn_message_prefix(p->ctx, "formula: %s", v.name);
    CHECK(status);
    if (!offset) return add_variable(p, out, &v);
    cairn_model_formula *f = p->f;
    CHECK(grow(p->ctx, &f->offsets, &f->offsets_buffer, f->n_offsets, sizeof v));
    f->offsets[f->n_offsets++] = v;
    return CAIRN_OK;
}

/* All columns but the target. */
static cairn_status add_dot(parser *p, term_list *out)
{
    p->f->all = true;
    for (size_t i = 0; i < p->n_all; i++) {
        size_t length = strlen(p->all[i]);
        cairn_formula_variable v = {.kind = CAIRN_VARIABLE_COLUMN, .at = p->at - 1};
        if (p->f->target && strcmp(p->all[i], p->f->target) == 0) continue;
        CHECK(SCRATCH(p->ctx, &v.name, length + 1));
        memcpy(v.name, p->all[i], length);
        CHECK(add_variable(p, out, &v));
    }
    return CAIRN_OK;
}

/* -- the grammar -- */

static cairn_status read_sum(parser *p, term_list *out);

static cairn_status read_nested(parser *p, term_list *out)
{
    size_t open = p->at++;
    if (++p->nesting > cairn_context_limit(p->ctx, CAIRN_LIMIT_DEPTH))
        return cairn_fail_place(p->ctx, p->text, open, "brackets are nested too deep: %s",
                                cairn_limit_said(p->ctx, CAIRN_LIMIT_DEPTH, 0));
    CHECK(read_sum(p, out));
    p->nesting--;
    if (take(p, ")")) return CAIRN_OK;
    if (!look(p)) return cairn_fail_place(p->ctx, p->text, open, "this bracket is not closed by )");
    return cairn_fail_place(p->ctx, p->text, p->at, "one of + - * / : ^ or ) is meant here");
}

/* 1 is the constant; 0 takes it away again, which the sum does. */
static cairn_status read_constant(parser *p, term_list *out, bool *none)
{
    size_t begin = p->at;
    cairn_formula_term empty = {0};
    while (is_digit(p->text[p->at]) || p->text[p->at] == '.') p->at++;
    bool one = p->at - begin == 1 && p->text[begin] == '1';
    *none = p->at - begin == 1 && p->text[begin] == '0';
    if (!one && !*none)
        return cairn_fail_place(p->ctx, p->text, begin,
                                "a number in a formula is 1 (a constant term) or 0 (none); "
                                "I(2*x) computes with numbers");
    return add_term(p, out, &empty);
}

/* A blank between name and bracket is refused: a function or a forgotten sign may be meant. */
static cairn_status read_name(parser *p, term_list *out)
{
    size_t begin = p->at;
    cairn_formula_variable v = {.kind = CAIRN_VARIABLE_COLUMN, .at = begin};
    if (p->text[p->at] == '`' || p->text[p->at] == '[') {
        CHECK(read_quoted(p, &v.name));
        return add_variable(p, out, &v);
    }
    while (is_letter(p->text[p->at]) || is_digit(p->text[p->at]) || p->text[p->at] == '.') p->at++;
    size_t end = p->at;
    if (look(p) == '(') {
        p->at = end;
        while (is_blank(p->text[p->at])) p->at++;
        size_t open = p->at;
        if (open == end) return read_call(p, out, begin);
        return cairn_fail_place(p->ctx, p->text, open,
                                "a function has its bracket right behind "
                                "its name; + or * is missing otherwise");
    }
    CHECK(copy(p, &v.name, begin, end));
    return add_variable(p, out, &v);
}

static cairn_status read_atom(parser *p, term_list *out, bool *none)
{
    char c = look(p), next = c ? p->text[p->at + 1] : 0;
    *none = false;
    if (c == '(') return read_nested(p, out);
    if (is_digit(c)) return read_constant(p, out, none);
    if (c == '.' && !is_letter(next) && !is_digit(next)) {
        p->at++;
        return add_dot(p, out);
    }
    if (is_letter(c) || c == '`' || c == '[' || c == '.') return read_name(p, out);
    if (!c) return cairn_fail_place(p->ctx, p->text, p->at, "a term is missing at the end");
    if (c == '~') return cairn_fail_place(p->ctx, p->text, p->at, "a second ~ has no meaning");
    return cairn_fail_place(p->ctx, p->text, p->at,
                            "a term is missing here: a column, log(x), I(x^2), poly(x,2) or the "
                            "like");
}

/* (a+b)^2: all products of up to two of them. */
static cairn_status read_power(parser *p, term_list *out, bool *none)
{
    term_list base = {0};
    CHECK(read_atom(p, &base, none));
    if (!take(p, "^")) return add_all(p, out, &base);
    size_t at = (look(p), p->at), power = 0;
    while (is_digit(p->text[p->at]) && p->at - at < 3)
        power = 10 * power + (size_t)(p->text[p->at++] - '0');
    if (power < 1 || power > CAIRN_MOST_CROSSED || is_letter(p->text[p->at]))
        return cairn_fail_place(p->ctx, p->text, at,
                                "a whole number from 1 to %d is meant behind ^; I(x^2) is the "
                                "square of a column",
                                CAIRN_MOST_CROSSED);
    if (power > 1 && base.n == 1 && base.items[0].n == 1)
        return cairn_fail_place(p->ctx, p->text, at,
                                "in a formula ^ crosses terms, and one column crossed with itself "
                                "is the same column: write I(%.40s^%zu) for its power",
                                p->f->variables[base.items[0].variables[0]].name, power);
    term_list now = base;
    for (size_t k = 1; k < power; k++) {
        term_list next = {0};
        CHECK(add_all(p, &next, &now));
        CHECK(cross_lists(p, &next, &now, &base));
        now = next;
    }
    return add_all(p, out, &now);
}

static cairn_status read_crossed(parser *p, term_list *out, bool *none)
{
    term_list now = {0};
    CHECK(read_power(p, &now, none));
    while (take(p, ":") || take(p, "%in%")) {
        term_list next = {0}, both = {0};
        CHECK(read_power(p, &next, none));
        CHECK(cross_lists(p, &both, &now, &next));
        now = both;
        *none = false;
    }
    return add_all(p, out, &now);
}

/* a/b: what stands left of the stroke, all of it together crossed with b. */
static cairn_status nest(parser *p, term_list *out, const term_list *left, const term_list *right)
{
    term_list joined = {0};
    cairn_formula_term together = {0}, term;
    for (size_t i = 0; i < left->n; i++) {
        CHECK(cross_terms(p, &term, &together, &left->items[i]));
        together = term;
    }
    CHECK(add_term(p, &joined, &together));
    CHECK(add_all(p, out, left));
    return cross_lists(p, out, &joined, right);
}

/* a*b is a + b + a:b, and a/b nests b in a; both are taken from left to right. */
static cairn_status read_product(parser *p, term_list *out, bool *none)
{
    term_list now = {0};
    CHECK(read_crossed(p, &now, none));
    for (;;) {
        term_list next = {0}, both = {0};
        bool star = take(p, "*");
        if (!star && !take(p, "/")) return add_all(p, out, &now);
        CHECK(read_crossed(p, &next, none));
        *none = false;
        if (star) {
            CHECK(add_all(p, &both, &now));
            CHECK(add_all(p, &both, &next));
            CHECK(cross_lists(p, &both, &now, &next));
        } else {
            CHECK(nest(p, &both, &now, &next));
        }
        now = both;
    }
}

/* One variable by itself that the same sum had before is a slip; a*b + a is not. */
static cairn_status refuse_twice(parser *p, term_list *alone, const term_list *next, size_t at)
{
    if (next->n != 1 || next->items[0].n != 1) return CAIRN_OK;
    if (!has_term(alone, &next->items[0])) return add_term(p, alone, &next->items[0]);
    return cairn_fail_place(p->ctx, p->text, at, "'%s' stands twice in this sum; leave one out",
                            p->f->variables[next->items[0].variables[0]].name);
}

/* + adds terms and - takes them away; +0 is -1. */
static cairn_status read_sum(parser *p, term_list *out)
{
    bool minus = take(p, "-"), none;
    term_list alone = {0};
    if (!minus) take(p, "+");
    for (;;) {
        term_list next = {0};
        size_t at = (look(p), p->at);
        CHECK(read_product(p, &next, &none));
        if (!minus) CHECK(refuse_twice(p, &alone, &next, at));
        if (minus != none) {
            size_t kept = 0;
            for (size_t i = 0; i < out->n; i++)
                if (!has_term(&next, &out->items[i])) out->items[kept++] = out->items[i];
            out->n = kept;
            if (out->buffer) put_slots(out);
        } else
            CHECK(add_all(p, out, &next));
        minus = take(p, "-");
        if (!minus && !take(p, "+")) return CAIRN_OK;
    }
}

/* The column left of ~, or the function of one, if there is something. */
static cairn_status read_target(parser *p)
{
    char *name;
    size_t tilde = 0;
    while (p->text[tilde] && p->text[tilde] != '~') tilde = past(p->text, tilde);
    if (!p->text[tilde]) return CAIRN_OK;
    char c = look(p);
    p->f->target_at = p->at;
    size_t begin = p->at;
    if (c == '`' || c == '[') {
        CHECK(read_quoted(p, &name));
    } else {
        while (is_letter(p->text[p->at]) || is_digit(p->text[p->at]) || p->text[p->at] == '.')
            p->at++;
        CHECK(copy(p, &name, begin, p->at));
    }
    if (p->at > begin && take(p, "~")) {
        p->f->target = name;
        return CAIRN_OK;
    }
    if (c == '~') {
        p->at++;
        return CAIRN_OK;
    }
    p->at = tilde + 1;
    /* A function of the target: log(y), I(y^2), y / 10. */
    cairn_model_formula *f = p->f;
    size_t first = begin, last = tilde, close = 0;
    while (last > first && is_blank(p->text[last - 1])) last--;
    CHECK(squeeze(p, &f->target_name, begin, tilde));
    if (cairn_starts_with(p->text + first, "I(")) {
        size_t after = p->at;
        p->at = first + 1;
        CHECK(find_close(p, &close));
        p->at = after;
        if (close + 1 == last) first += 2, last = close;
    }
    CHECK(copy(p, &f->target_expression, first, last));
    cairn_status status =
        cairn_expression_undo(p->ctx, &f->target_undo, &f->target, f->target_expression);
    if (status == CAIRN_USAGE) cairn_message_prefix(p->ctx, "formula: %s", f->target_name);
    return status;
}

/* Terms of fewer variables first, each kind in the order of the text. */
static cairn_status keep_terms(parser *p, const term_list *list)
{
    cairn_model_formula *f = p->f;
    CHECK(SCRATCH(p->ctx, &f->terms, list->n + 1));
    for (size_t order = 0; order <= CAIRN_MOST_CROSSED; order++)
        for (size_t i = 0; i < list->n; i++) {
            if (list->items[i].n != order) continue;
            if (order == 0) f->intercept = true;
            if (order > 0) f->terms[f->n_terms++] = list->items[i];
        }
    return CAIRN_OK;
}

cairn_status cairn_model_formula_read(cairn_context *ctx, cairn_model_formula *out,
                                      const char *text, const char *const *all, size_t n_all)
{
    parser p = {.ctx = ctx, .f = out, .text = text, .all = all, .n_all = n_all};
    term_list terms = {0};
    cairn_formula_term empty = {0};
    *out = (cairn_model_formula){.text = text};
    if (strlen(text) > cairn_context_limit(ctx, CAIRN_LIMIT_EXPRESSION))
        return cairn_fail(ctx, CAIRN_USAGE, "a formula of %zu bytes is too long: %s", strlen(text),
                          cairn_limit_said(ctx, CAIRN_LIMIT_EXPRESSION, strlen(text)));
    CHECK(read_target(&p));
    CHECK(add_term(&p, &terms, &empty));
    CHECK(read_sum(&p, &terms));
    if (look(&p) == ')') return cairn_fail_place(ctx, text, p.at, "this bracket was not opened");
    if (look(&p))
        return cairn_fail_place(ctx, text, p.at, "one of + - * / : ^ is meant here, or the end");
    return keep_terms(&p, &terms);
}

cairn_status cairn_model_formula_of_table(cairn_context *ctx, cairn_model_formula *out,
                                          const char *text, const cairn_table *table)
{
    const char **names;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &names, table->n_columns + 1));
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE) names[n++] = table->slots[i].name;
    return cairn_model_formula_read(ctx, out, text, names, n);
}

/* -- its columns -- */

/* Marks the columns that a variable needs; an unknown one is refused at its place in the text. */
static cairn_status reads_variable(cairn_context *ctx, const cairn_model_formula *f,
                                   const cairn_formula_variable *v, const cairn_table *table,
                                   bool *used)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    cairn_status status;
    size_t column;
    if (v->kind == CAIRN_VARIABLE_COLUMN) {
        ptrdiff_t at = cairn_table_find(table, v->name);
        if (at >= 0) used[at] = true;
        if (at >= 0) return CAIRN_OK;
        status = cairn_table_get(ctx, table, v->name, &column);
        SCOPED(cairn_text_clear) cairn_text said = cairn_text_start(ctx);
        cairn_text_add(&said, cairn_message(ctx));
        CHECK(cairn_text_status(&said));
        return status == CAIRN_USAGE
                   ? cairn_fail_place(ctx, f->text, v->at, "%s", cairn_text_string(&said))
                   : status;
    }
    status = cairn_expression_new(ctx, &e, v->expression, table);
    if (status == CAIRN_USAGE) cairn_message_prefix(ctx, "%s", v->name);
    CHECK(status);
    cairn_expression_reads(e, used);
    return CAIRN_OK;
}

cairn_status cairn_model_formula_reads(cairn_context *ctx, const cairn_model_formula *f,
                                       const cairn_table *table, bool *used)
{
    bool *one;
    ptrdiff_t target = f->target ? cairn_table_find(table, f->target) : -1;
    CHECK(SCRATCH(ctx, &one, table->n_columns + 1));
    for (size_t i = 0; i < f->n_variables + f->n_offsets; i++) {
        const cairn_formula_variable *v =
            i < f->n_variables ? &f->variables[i] : &f->offsets[i - f->n_variables];
        memset(one, 0, table->n_columns);
        CHECK(reads_variable(ctx, f, v, table, one));
        if (target >= 0 && one[target])
            return cairn_fail_place(ctx, f->text, v->at,
                                    "'%s' is the target and cannot stand on the right side too",
                                    f->target);
        for (size_t k = 0; k < table->n_columns; k++) used[k] |= one[k];
    }
    return CAIRN_OK;
}

/* A column that names rows, or was left out, is a feature when the formula names it. */
static cairn_status keep_read(cairn_context *ctx, cairn_table *table, const bool *read)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        cairn_slot *slot = &table->slots[i];
        bool other = slot->role == CAIRN_WEIGHT || slot->role == CAIRN_GROUP;
        if (read[i] && other)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s' is the %s: a column cannot be both; leave it out of the "
                              "formula, or name another one",
                              slot->name, cairn_role_name(slot->role));
        bool open = slot->role == CAIRN_IGNORED || slot->role == CAIRN_ID;
        if (read[i] && open) slot->role = CAIRN_FEATURE;
        if (!read[i] && slot->role == CAIRN_FEATURE) slot->role = CAIRN_IGNORED;
    }
    return CAIRN_OK;
}

cairn_status cairn_model_formula_roles(cairn_context *ctx, cairn_table *table, const char *text)
{
    SCOPED_SCRATCH(ctx);
    cairn_model_formula formula;
    bool *read;
    CHECK(cairn_model_formula_read(ctx, &formula, text, NULL, 0));
    if (formula.target) {
        /* The target takes its role from the column that had it. */
        const char *name = formula.target;
        size_t column;
        CHECK(cairn_table_get(ctx, table, name, &column));
        for (size_t i = 0; i < table->n_columns; i++)
            if (table->slots[i].role == CAIRN_TARGET) table->slots[i].role = CAIRN_FEATURE;
        CHECK(cairn_table_set_role(ctx, table, name, CAIRN_TARGET));
    }
    CHECK(SCRATCH(ctx, &read, table->n_columns + 1));
    CHECK(cairn_model_formula_of_table(ctx, &formula, text, table));
    CHECK(cairn_model_formula_reads(ctx, &formula, table, read));
    return keep_read(ctx, table, read);
}

bool cairn_formula_contrasts(const cairn_model_formula *f, size_t term, int32_t variable)
{
    const cairn_formula_term *t = &f->terms[term];
    if (t->n == 1) return true;
    for (size_t i = 0; i < term; i++) {
        const cairn_formula_term *before = &f->terms[i];
        size_t found = 0;
        for (size_t j = 0; j < t->n; j++)
            for (size_t k = 0; k < before->n && t->variables[j] != variable; k++)
                found += before->variables[k] == t->variables[j];
        if (found == t->n - 1) return true;
    }
    return false;
}
