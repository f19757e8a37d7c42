/* SPDX-License-Identifier: MIT */
/* From text to a tree, by recursive descent: one function per line of the grammar in
 * docs/expressions.md, lowest precedence first. Nesting is limited, so that no text can use up the
 * stack; a mistake is shown with its place. */
#include "data/expression_node.h"

#include "base/limits.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 1000 }; /* of the tree, which a long sum makes deep as well */

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_TEXT,  /* in quotes */
    TOKEN_NAME,  /* a bare word */
    TOKEN_QUOTED /* a column name in backticks or brackets */
    /* any other token is the byte itself, or one of those below */
} token_kind;

enum { TOKEN_LESS_EQUAL = 256, TOKEN_GREATER_EQUAL, TOKEN_UNEQUAL };

typedef struct parser {
    cairn_context *ctx;
    cairn_expression *e;
    const char *text;
    size_t next;         /* byte behind the token */
    int kind;            /* token_kind or symbol */
    size_t at, last;     /* where the token and the one before it (its end) lie */
    double number;       /* TOKEN_NUMBER */
    size_t word, length; /* TOKEN_TEXT, NAME, QUOTED: in e->words */
    uint64_t nesting;    /* brackets, functions, signs inside each other while reading */
} parser;

/* -- nodes -- */

cairn_status cairn_node_new(cairn_context *ctx, cairn_expression *e, cairn_op op, size_t at,
                            uint32_t *out)
{
    cairn_status status = GROW(ctx, &e->nodes, &e->capacity, e->n_nodes + 1);
    if (status) return status;
    e->nodes[e->n_nodes] = (cairn_node){.op = op,
                                        .at = at,
                                        .end = at,
                                        .depth = 1,
                                        .column = -1,
                                        .child = CAIRN_NO_NODE,
                                        .next = CAIRN_NO_NODE};
    *out = (uint32_t)e->n_nodes++;
    return CAIRN_OK;
}

void cairn_node_adopt(cairn_expression *e, uint32_t parent, uint32_t child)
{
    cairn_node *node = &e->nodes[parent];
    if (node->n_children++)
        e->nodes[node->last].next = child;
    else
        node->child = child;
    node->last = child;
    if (e->nodes[child].depth + 1 > node->depth) node->depth = e->nodes[child].depth + 1;
}

/* -- tokens -- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* From the opening quote at p->at to the closing one; a doubled quote stands for itself. */
static cairn_status read_quoted(parser *p, char close, token_kind kind, const char *what)
{
    const char *text = p->text;
    size_t i = p->at + 1;
    p->word = p->e->words.length;
    for (;; i++) {
        if (!text[i])
            return cairn_fail_place(p->ctx, text, p->at, "this %s is not closed by %c", what,
                                    close);
        if (text[i] == close && text[i + 1] != close) break;
        if (text[i] == close) i++;
        cairn_text_add_char(&p->e->words, text[i]);
    }
    p->length = p->e->words.length - p->word;
    cairn_text_add_char(&p->e->words, 0);
    CHECK(cairn_text_status(&p->e->words));
    p->kind = kind;
    p->next = i + 1;
    return CAIRN_OK;
}

static cairn_status read_number(parser *p)
{
    const char *text = p->text,
               *end = cairn_number_scan(text + p->at, text + strlen(text), &p->number);
    if (!end) return cairn_fail_place(p->ctx, text, p->at, "this is not a number");
    if (is_letter(*end) || *end == '.')
        return cairn_fail_place(p->ctx, text, (size_t)(end - text),
                                "a number ends here, but letters follow; a product is written "
                                "with *, and a column name that begins with a digit in "
                                "`backticks`");
    p->kind = TOKEN_NUMBER;
    p->next = (size_t)(end - text);
    return CAIRN_OK;
}

/* One or two bytes. */
static cairn_status read_symbol(parser *p)
{
    static const struct {
        const char *bytes;
        int kind;
    } pairs[] = {{"<=", TOKEN_LESS_EQUAL},
                 {">=", TOKEN_GREATER_EQUAL},
                 {"!=", TOKEN_UNEQUAL},
                 {"<>", TOKEN_UNEQUAL},
                 {"==", '='},
                 {"**", '^'}};
    static const struct {
        const char *bytes, *ours;
    } foreign[] = {{"&", "and"}, {"|", "or"}, {"!", "not"}};
    const char *at = p->text + p->at;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strncmp(at, pairs[i].bytes, 2) == 0) {
            p->kind = pairs[i].kind;
            p->next = p->at + 2;
            return CAIRN_OK;
        }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (*at == *foreign[i].bytes)
            return cairn_fail_place(p->ctx, p->text, p->at, "write '%s' in place of '%c'",
                                    foreign[i].ours, *at);
    if (!strchr("+-*/^%=<>(),:", *at))
        return cairn_fail_place(p->ctx, p->text, p->at,
                                "'%c' has no meaning here; texts stand in quotes, column names "
                                "with such letters in `backticks`",
                                (unsigned char)*at < 32 ? ' ' : *at);
    p->kind = (unsigned char)*at;
    p->next = p->at + 1;
    return CAIRN_OK;
}

/* Reads the next token; `last` keeps the end of the one before for messages that point at what is
 * missing there. */
static cairn_status advance(parser *p)
{
    const char *text = p->text;
    p->last = p->next;
    p->at = p->next;
    while (text[p->at] && strchr(" \t\r\n", text[p->at])) p->at++;
    char c = text[p->at];
    p->next = p->at;
    p->kind = TOKEN_END;
    if (!c) return CAIRN_OK;
    if (is_digit(c) || (c == '.' && is_digit(text[p->at + 1]))) return read_number(p);
    if (c == '"' || c == '\'') return read_quoted(p, c, TOKEN_TEXT, "text");
    if (c == '`') return read_quoted(p, c, TOKEN_QUOTED, "column name");
    if (c == '[') return read_quoted(p, ']', TOKEN_QUOTED, "column name");
    if (!is_letter(c)) return read_symbol(p);
    while (is_letter(text[p->next]) || is_digit(text[p->next]) || text[p->next] == '.') p->next++;
    p->kind = TOKEN_NAME;
    const char *bytes = text + p->at;
    size_t length = p->next - p->at;
    p->word = p->e->words.length;
    p->length = length;
    cairn_text_add_bytes(&p->e->words, bytes, length);
    cairn_text_add_char(&p->e->words, 0);
    return cairn_text_status(&p->e->words);
}

static bool is_word(const parser *p, const char *word)
{
    return p->kind == TOKEN_NAME && p->next - p->at == strlen(word) &&
           memcmp(p->text + p->at, word, p->next - p->at) == 0;
}

static const char *const keywords[] = {"and",     "or",      "not",  "in",    "is",
                                       "between", "missing", "true", "false", NULL};

static bool is_keyword(const parser *p)
{
    for (const char *const *k = keywords; *k; k++)
        if (is_word(p, *k)) return true;
    return false;
}

/* "expected WHAT, but 'x' stands here" */
static cairn_status unexpected(const parser *p, const char *what)
{
    char word[32] = "";
    size_t n = p->next - p->at, cells;
    if (p->kind == TOKEN_END)
        return cairn_fail_place(p->ctx, p->text, p->at, "%s is expected, but the text ends", what);
    for (const char *const *k = keywords; p->kind == TOKEN_NAME && *k; k++)
        if (strlen(*k) == n && !is_keyword(p)) {
            size_t same = 0;
            while (same < n &&
                   ((unsigned char)p->text[p->at + same] | 32) == (unsigned char)(*k)[same])
                same++;
            if (same == n)
                return cairn_fail_place(p->ctx, p->text, p->at, "'%s' is written in small letters",
                                        *k);
        }
    if (n >= sizeof word) /* cut between letters */
        for (n = 0; n + 4 < sizeof word - 4;) n += cairn_text_letter(p->text + p->at + n, &cells);
    memcpy(word, p->text + p->at, n);
    return cairn_fail_place(p->ctx, p->text, p->at, "%s is expected, but '%s%s' stands here", what,
                            word, n < p->next - p->at ? "..." : "");
}

static cairn_status expect(parser *p, int kind, const char *what)
{
    if (p->kind != kind) return unexpected(p, what);
    return advance(p);
}

/* -- the grammar -- */

static cairn_status parse_expression(parser *p, uint32_t *out);
static cairn_status parse_sum(parser *p, uint32_t *out);

static cairn_status deeper(parser *p)
{
    uint64_t most = cairn_context_limit(p->ctx, CAIRN_LIMIT_DEPTH);
    if (++p->nesting <= most) return CAIRN_OK;
    return cairn_fail_place(p->ctx, p->text, p->at,
                            "the expression is nested more than %" PRIu64 " deep here; compute "
                            "parts of it as columns of their own (%s)",
                            most, cairn_limit_said(p->ctx, CAIRN_LIMIT_DEPTH, 0));
}

/* A node with up to two children that are there already. */
static cairn_status make(parser *p, cairn_op op, size_t at, uint32_t left, uint32_t right,
                         uint32_t *out)
{
    uint32_t node;
    CHECK(cairn_node_new(p->ctx, p->e, op, at, &node));
    cairn_node_adopt(p->e, node, left);
    if (right != CAIRN_NO_NODE) cairn_node_adopt(p->e, node, right);
    if (p->e->nodes[node].depth > MOST_DEPTH)
        return cairn_fail_place(p->ctx, p->text, at,
                                "the expression has more than %d steps in a row here; compute "
                                "parts of it as columns of their own",
                                MOST_DEPTH);
    *out = node;
    return CAIRN_OK;
}

static cairn_status leaf(parser *p, cairn_op op, uint32_t *out)
{
    CHECK(cairn_node_new(p->ctx, p->e, op, p->at, out));
    cairn_node *node = &p->e->nodes[*out];
    node->number = p->number;
    node->word = p->word;
    node->length = p->length;
    node->end = p->next;
    return advance(p);
}

/* An argument: an expression, `*`, or `first:last`. */
static cairn_status parse_argument(parser *p, uint32_t *out)
{
    uint32_t last = CAIRN_NO_NODE;
    size_t at = p->at;
    if (p->kind == '*') return leaf(p, OP_ALL, out);
    CHECK(parse_expression(p, out));
    if (p->kind != ':') return CAIRN_OK;
    if (p->e->nodes[*out].op != OP_COLUMN)
        return cairn_fail_place(p->ctx, p->text, p->at,
                                "a range of columns is written first:last, with two names");
    CHECK(advance(p));
    if ((p->kind != TOKEN_NAME && p->kind != TOKEN_QUOTED) || is_keyword(p))
        return unexpected(p, "the last column of the range");
    CHECK(leaf(p, OP_COLUMN, &last));
    return make(p, OP_RANGE, at, *out, last, out);
}

static const char *function_candidate(size_t i, const void *data)
{
    (void)data;
    const cairn_function *function = cairn_function_at(i);
    return function ? function->name : NULL;
}

/* name(argument, ...); the opening bracket is the token. */
static cairn_status parse_call(parser *p, size_t at, size_t word, size_t length, uint32_t *out)
{
    uint32_t call, argument = CAIRN_NO_NODE;
    const char *name = cairn_text_string(&p->e->words) + word;
    const cairn_function *function = cairn_function_find(name, length);
    if (!function) {
        const char *near = cairn_nearest_word(name, function_candidate, NULL);
        return cairn_fail_place(p->ctx, p->text, at, "there is no function '%s'%s%s%s", name,
                                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    CHECK(deeper(p));
    CHECK(cairn_node_new(p->ctx, p->e, function->op, at, &call));
    p->e->nodes[call].function = function;
    CHECK(advance(p));
    while (p->kind != ')') {
        CHECK(parse_argument(p, &argument));
        cairn_node_adopt(p->e, call, argument);
        if (p->kind == ')') break;
        CHECK(expect(p, ',', "a comma or a closing bracket"));
        if (p->kind == ')') return unexpected(p, "another argument");
    }
    p->e->nodes[call].end = p->next;
    /* Whether so many arguments suit the function; the message names its form. */
    const cairn_node *node = &p->e->nodes[call];
    const char *form = node->function->arguments;
    size_t least = 0, most = 0;
    bool any = false;
    for (; *form; form++) {
        any |= *form == '*';
        most += *form != '*';
        least += *form >= 'a' && *form <= 'z';
    }
    if (!(node->n_children >= least) || !((any || node->n_children <= most))) {
        char count[64];
        if (any || least < most)
            snprintf(count, sizeof count, any ? "at least %zu" : "%zu to %zu", least, most);
        else
            snprintf(count, sizeof count, "%zu", least);
        CHECK(cairn_fail_place(p->ctx, p->text, node->at, "%s takes %s argument%s, not %u (%s)",
                               node->function->name, count, most == 1 && !any ? "" : "s",
                               node->n_children, node->function->help));
    }
    CHECK(advance(p));
    p->nesting--;
    *out = call;
    return CAIRN_OK;
}

/* What binds strongest: a literal, a name, or an expression in brackets, whose depth is limited
 * because the parser calls itself. */
static cairn_status parse_atom(parser *p, uint32_t *out)
{
    if (p->kind == TOKEN_NUMBER) return leaf(p, OP_NUMBER, out);
    if (p->kind == TOKEN_TEXT) return leaf(p, OP_TEXT, out);
    if (is_word(p, "missing")) return leaf(p, OP_MISSING, out);
    if (is_word(p, "true") || is_word(p, "false")) {
        p->number = is_word(p, "true");
        return leaf(p, OP_TRUTH, out);
    }
    if ((p->kind == TOKEN_NAME && !is_keyword(p)) || p->kind == TOKEN_QUOTED) {
        size_t at = p->at, word = p->word, length = p->length, end = p->next;
        bool quoted = p->kind == TOKEN_QUOTED;
        CHECK(advance(p));
        if (p->kind == '(' && !quoted) return parse_call(p, at, word, length, out);
        CHECK(cairn_node_new(p->ctx, p->e, OP_COLUMN, at, out));
        cairn_node *node = &p->e->nodes[*out];
        node->word = word;
        node->length = length;
        node->end = end;
        return CAIRN_OK;
    }
    if (p->kind != '(')
        return unexpected(p, "a number, a text in quotes, a column or an opening bracket");
    CHECK(deeper(p));
    CHECK(advance(p));
    CHECK(parse_expression(p, out));
    CHECK(expect(p, ')', "a closing bracket"));
    p->nesting--;
    return CAIRN_OK;
}

/* A sign binds less than a power: -x^2 is -(x^2); the exponent may have one: 2^-1. */
static cairn_status parse_unary(parser *p, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    size_t at = p->at;
    CHECK(deeper(p));
    if (p->kind == '+') {
        CHECK(advance(p));
        CHECK(parse_unary(p, out));
    } else if (p->kind == '-') {
        CHECK(advance(p));
        CHECK(parse_unary(p, out));
        CHECK(make(p, OP_NEGATE, at, *out, CAIRN_NO_NODE, out));
    } else {
        CHECK(parse_atom(p, out));
        at = p->at;
        if (p->kind == '^') {
            CHECK(advance(p));
            CHECK(parse_unary(p, &right));
            CHECK(make(p, OP_POWER, at, *out, right, out));
        }
    }
    p->nesting--;
    return CAIRN_OK;
}

static cairn_status parse_product(parser *p, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    CHECK(parse_unary(p, out));
    while (p->kind == '*' || p->kind == '/' || p->kind == '%') {
        cairn_op op = p->kind == '*' ? OP_MULTIPLY : p->kind == '/' ? OP_DIVIDE : OP_MOD;
        size_t at = p->at;
        CHECK(advance(p));
        CHECK(parse_unary(p, &right));
        CHECK(make(p, op, at, *out, right, out));
    }
    return CAIRN_OK;
}

static cairn_status parse_sum(parser *p, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    CHECK(parse_product(p, out));
    while (p->kind == '+' || p->kind == '-') {
        cairn_op op = p->kind == '+' ? OP_ADD : OP_SUBTRACT;
        size_t at = p->at;
        CHECK(advance(p));
        CHECK(parse_product(p, &right));
        CHECK(make(p, op, at, *out, right, out));
    }
    return CAIRN_OK;
}

/* The relation that the token stands for, or 0. */
static cairn_op relation_of(const parser *p)
{
    switch (p->kind) {
    case '=': return OP_EQUAL;
    case TOKEN_UNEQUAL: return OP_UNEQUAL;
    case '<': return OP_LESS;
    case TOKEN_LESS_EQUAL: return OP_LESS_EQUAL;
    case '>': return OP_GREATER;
    case TOKEN_GREATER_EQUAL: return OP_GREATER_EQUAL;
    default: return (cairn_op)0;
    }
}

static cairn_status parse_relation(parser *p, uint32_t left, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    size_t at = p->at;
    cairn_op op = relation_of(p);
    CHECK(advance(p));
    CHECK(parse_sum(p, &right));
    CHECK(make(p, op, at, left, right, out));
    if (relation_of(p))
        return cairn_fail_place(p->ctx, p->text, p->at,
                                "comparisons are not chained: write a < b and b < c, or b "
                                "between a and c");
    return CAIRN_OK;
}

/* x in (a, b, c); the token is `in`. */
static cairn_status parse_in(parser *p, uint32_t left, uint32_t *out)
{
    uint32_t item = CAIRN_NO_NODE;
    size_t at = p->at;
    CHECK(advance(p));
    CHECK(expect(p, '(', "an opening bracket before the list"));
    CHECK(deeper(p));
    CHECK(make(p, OP_IN, at, left, CAIRN_NO_NODE, out));
    for (;;) {
        CHECK(parse_sum(p, &item));
        cairn_node_adopt(p->e, *out, item);
        if (p->kind == ')') break;
        CHECK(expect(p, ',', "a comma or a closing bracket"));
    }
    CHECK(advance(p));
    p->nesting--;
    return CAIRN_OK;
}

static cairn_status parse_between(parser *p, uint32_t left, uint32_t *out)
{
    uint32_t low = CAIRN_NO_NODE, high = CAIRN_NO_NODE;
    size_t at = p->at;
    CHECK(advance(p));
    CHECK(parse_sum(p, &low));
    if (!is_word(p, "and")) return unexpected(p, "'and' with the upper end");
    CHECK(advance(p));
    CHECK(parse_sum(p, &high));
    CHECK(make(p, OP_BETWEEN, at, left, low, out));
    cairn_node_adopt(p->e, *out, high);
    return CAIRN_OK;
}

static cairn_status parse_is(parser *p, uint32_t left, uint32_t *out)
{
    size_t at = p->at;
    CHECK(advance(p));
    bool negated = is_word(p, "not");
    if (negated) CHECK(advance(p));
    if (!is_word(p, "missing"))
        return unexpected(p, negated ? "'missing'" : "'missing' or 'not missing'");
    CHECK(advance(p));
    CHECK(make(p, OP_IS_MISSING, at, left, CAIRN_NO_NODE, out));
    if (negated) CHECK(make(p, OP_NOT, at, *out, CAIRN_NO_NODE, out));
    return CAIRN_OK;
}

static cairn_status parse_comparison(parser *p, uint32_t *out)
{
    CHECK(parse_sum(p, out));
    if (relation_of(p)) return parse_relation(p, *out, out);
    if (is_word(p, "is")) return parse_is(p, *out, out);
    bool negated = is_word(p, "not");
    size_t at = p->at;
    if (negated) CHECK(advance(p));
    if (is_word(p, "in"))
        CHECK(parse_in(p, *out, out));
    else if (is_word(p, "between"))
        CHECK(parse_between(p, *out, out));
    else if (negated)
        return unexpected(p, "'in' or 'between'");
    if (negated) CHECK(make(p, OP_NOT, at, *out, CAIRN_NO_NODE, out));
    return CAIRN_OK;
}

static cairn_status parse_not(parser *p, uint32_t *out)
{
    size_t at = p->at;
    if (!is_word(p, "not")) return parse_comparison(p, out);
    CHECK(deeper(p));
    CHECK(advance(p));
    CHECK(parse_not(p, out));
    CHECK(make(p, OP_NOT, at, *out, CAIRN_NO_NODE, out));
    p->nesting--;
    return CAIRN_OK;
}

static cairn_status parse_and(parser *p, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    CHECK(parse_not(p, out));
    while (is_word(p, "and")) {
        size_t at = p->at;
        CHECK(advance(p));
        CHECK(parse_not(p, &right));
        CHECK(make(p, OP_AND, at, *out, right, out));
    }
    return CAIRN_OK;
}

static cairn_status parse_expression(parser *p, uint32_t *out)
{
    uint32_t right = CAIRN_NO_NODE;
    CHECK(parse_and(p, out));
    while (is_word(p, "or")) {
        size_t at = p->at;
        CHECK(advance(p));
        CHECK(parse_and(p, &right));
        CHECK(make(p, OP_OR, at, *out, right, out));
    }
    return CAIRN_OK;
}

cairn_status cairn_expression_parse(cairn_context *ctx, cairn_expression *e)
{
    parser p = {.ctx = ctx, .e = e, .text = e->text};
    size_t length = strlen(e->text), valid = cairn_utf8_check(e->text, length);
    if (length > cairn_context_limit(ctx, CAIRN_LIMIT_EXPRESSION))
        return cairn_fail(ctx, CAIRN_USAGE, "an expression of %zu bytes is too long: %s", length,
                          cairn_limit_said(ctx, CAIRN_LIMIT_EXPRESSION, length));
    if (valid < length)
        return cairn_fail(ctx, CAIRN_USAGE, "byte %zu of the expression is not UTF-8", valid + 1);
    CHECK(advance(&p));
    if (p.kind == TOKEN_END) return cairn_fail(ctx, CAIRN_USAGE, "the expression is empty");
    CHECK(parse_expression(&p, &e->root));
    if (p.kind != TOKEN_END) return unexpected(&p, "an operator or the end");
    return CAIRN_OK;
}
