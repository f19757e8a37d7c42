/* SPDX-License-Identifier: MIT */
/* Expressions as a whole: making, freeing, faults and assignments. */
#include "data/expression_node.h"

#include "base/hash.h"

#include <string.h>

void cairn_expression_free(cairn_expression *e)
{
    if (!e) return;
    cairn_free(e->text);
    cairn_free(e->nodes);
    cairn_text_clear(&e->words);
    cairn_free(e);
}

cairn_status cairn_expression_read(cairn_context *ctx, cairn_expression **out, const char *text)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    CHECK(NEW(ctx, &e, 1));
    e->words = cairn_text_start(ctx);
    CHECK(cairn_copy_text(ctx, &e->text, text, strlen(text)));
    CHECK(cairn_expression_parse(ctx, e));
    *out = TAKE(e);
    return CAIRN_OK;
}

cairn_status cairn_expression_new(cairn_context *ctx, cairn_expression **out, const char *text,
                                  const cairn_table *table)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    CHECK(cairn_expression_read(ctx, &e, text));
    CHECK(cairn_expression_bind(ctx, e, table));
    *out = TAKE(e);
    return CAIRN_OK;
}

cairn_status cairn_expression_check(cairn_context *ctx, const char *text)
{
    cairn_expression *e = NULL;
    cairn_status status = cairn_expression_read(ctx, &e, text);
    cairn_expression_free(e);
    return status;
}

cairn_status cairn_expression_names(cairn_context *ctx, cairn_map *out, const char *text)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    size_t number;
    CHECK(cairn_expression_read(ctx, &e, text));
    for (size_t i = 0; i < e->n_nodes; i++) {
        const cairn_node *node = &e->nodes[i];
        if (node->op == OP_COLUMN)
            CHECK(cairn_map_add(ctx, out, cairn_text_string(&e->words) + node->word, node->length,
                                &number));
    }
    return CAIRN_OK;
}

/* That the whole is one call is seen in the tree, so that the text from the first bracket to the
 * last is its argument. */
cairn_status cairn_expression_argument(cairn_context *ctx, const char **out, const char *text,
                                       const char *function)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    char *inside;
    *out = NULL;
    CHECK(cairn_expression_read(ctx, &e, text));
    const cairn_node *root = &e->nodes[e->root];
    if (root->op != OP_ONE || strcmp(root->function->name, function) != 0) return CAIRN_OK;
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    size_t blanks = strspn(text, " \t");
    if (!begin || !end || strncmp(text + blanks, function, strlen(function)) != 0) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &inside, (size_t)(end - begin)));
    memcpy(inside, begin + 1, (size_t)(end - begin) - 1);
    *out = inside;
    return CAIRN_OK;
}

cairn_value_type cairn_expression_type(const cairn_expression *e)
{
    return e->nodes[e->root].type;
}

/* What a value is: the number of a column whose times it is like, or one of these. */
enum { NO_TIME = -1, SOME_TIME = -2, MISSING_TIME = -3 };

static ptrdiff_t time_of(const cairn_expression *e, uint32_t number);

/* Of values that are all times (or missing) the first; NO_TIME when one is not. */
static ptrdiff_t common_time(const cairn_expression *e, uint32_t first)
{
    ptrdiff_t found = MISSING_TIME;
    for (uint32_t i = first; i != CAIRN_NO_NODE; i = e->nodes[i].next) {
        ptrdiff_t time = time_of(e, i);
        if (time == NO_TIME) return NO_TIME;
        if (time != MISSING_TIME && found < 0 && found != time)
            found = found == MISSING_TIME || time >= 0 ? time : found;
    }
    return found == MISSING_TIME ? NO_TIME : found;
}

/* Which column's way of writing a computed time follows, or that it is no time at all: a difference
 * of two times is a length, a time plus a number is a time. */
static ptrdiff_t time_of(const cairn_expression *e, uint32_t number)
{
    const cairn_node *node = &e->nodes[number];
    uint32_t child = node->child, next = child == CAIRN_NO_NODE ? child : e->nodes[child].next;
    ptrdiff_t left, right;
    switch (node->op) {
    case OP_COLUMN:
        return e->table->slots[node->column].column->kind == CAIRN_TIME ? node->column : NO_TIME;
    case OP_DATE:
    case OP_TO_TIME: return SOME_TIME;
    case OP_MISSING: return MISSING_TIME;
    case OP_ADD:
    case OP_SUBTRACT:
        left = time_of(e, child);
        right = time_of(e, next);
        if (left != NO_TIME && right != NO_TIME) return NO_TIME; /* a length of time */
        return left != NO_TIME || node->op == OP_SUBTRACT ? left : right;
    case OP_IF: return common_time(e, next);
    case OP_COALESCE:
    case OP_MIN:
    case OP_MAX:
    case OP_MEAN:
    case OP_CLAMP: return common_time(e, child);
    default: return NO_TIME;
    }
}

bool cairn_expression_is_time(const cairn_expression *e, const char **pattern)
{
    ptrdiff_t time = time_of(e, e->root);
    *pattern = time >= 0 ? e->table->slots[time].column->pattern : NULL;
    return time != NO_TIME && time != MISSING_TIME;
}

void cairn_expression_reads(const cairn_expression *e, bool *used)
{
    for (size_t i = 0; i < e->n_nodes; i++)
        if (e->nodes[i].column >= 0) used[e->nodes[i].column] = true;
}

void cairn_expression_salt(cairn_expression *e, const char *salt)
{
    e->salt = cairn_hash(salt, strlen(salt), 0);
}

/* -- faults -- */

void cairn_faults_add(cairn_faults *to, const cairn_faults *from)
{
    for (int i = 0; i < CAIRN_N_FAULTS; i++) {
        if (from->n[i] && (!to->n[i] || from->first[i] < to->first[i]))
            to->first[i] = from->first[i];
        to->n[i] += from->n[i];
    }
}

size_t cairn_faults_total(const cairn_faults *faults)
{
    size_t total = 0;
    for (int i = 0; i < CAIRN_N_FAULTS; i++) total += faults->n[i];
    return total;
}

const char *cairn_fault_name(cairn_fault fault)
{
    static const char *const names[] = {
        [CAIRN_FAULT_DIVISION] = "division by zero",
        [CAIRN_FAULT_LOGARITHM] = "logarithm of a number that is not positive",
        [CAIRN_FAULT_ROOT] = "square root of a negative number",
        [CAIRN_FAULT_POWER] = "a negative number to a power that is not whole",
        [CAIRN_FAULT_DOMAIN] = "a function outside its domain",
        [CAIRN_FAULT_NUMBER] = "a text that is no number",
        [CAIRN_FAULT_TIME] = "no such date or time",
        [CAIRN_FAULT_INFINITE] = "a result that is too large"};
    return fault >= 0 && fault < CAIRN_N_FAULTS ? names[fault] : "?";
}

void cairn_faults_warn(cairn_context *ctx, const char *what, const cairn_faults *faults)
{
    for (int i = 0; i < CAIRN_N_FAULTS; i++)
        if (faults->n[i])
            cairn_warn(ctx, "%s: %zu row%s: %s, so the value is missing (first in row %zu)", what,
                       faults->n[i], faults->n[i] == 1 ? "" : "s", cairn_fault_name((cairn_fault)i),
                       faults->first[i] + 1);
}

/* -- name = expression -- */

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

cairn_status cairn_assignment_split(cairn_context *ctx, const char *text, char **name,
                                    char **expression)
{
    const char *from = skip_blanks(text), *to, *equals;
    char close = *from == '`' ? '`' : *from == '[' ? ']' : *from == '"' ? '"' : 0;
    if (close) {
        to = strchr(++from, close);
        equals = to ? skip_blanks(to + 1) : NULL;
    } else {
        equals = to = strchr(from, '=');
        while (to && to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    }
    if (!equals || *equals != '=' || to == from || equals[1] == '=')
        return cairn_fail_place(ctx, text, (size_t)(from - text),
                                "a formula reads name = expression");
    size_t length = (size_t)(to - from);
    const char *rest = skip_blanks(equals + 1);
    CHECK(SCRATCH(ctx, name, length + 1));
    CHECK(SCRATCH(ctx, expression, strlen(rest) + 1));
    memcpy(*name, from, length);
    memcpy(*expression, rest, strlen(rest));
    return CAIRN_OK;
}
