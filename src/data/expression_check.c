/* SPDX-License-Identifier: MIT */
/* Checking a tree against a table: names become columns, every node gets its type, ranges of
 * columns become lists. */
#include "data/expression_node.h"

#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct checker {
    cairn_context *ctx;
    cairn_expression *e;
    const cairn_table *table;
} checker;

static cairn_status check_node(const checker *c, uint32_t number);

static const char *type_name(cairn_value_type type)
{
    static const char *const names[] = {"a number", "a truth", "a text", "missing"};
    return names[type];
}

/* -- columns -- */

static const char *column_candidate(size_t i, const void *data)
{
    const cairn_table *table = data;
    return i < table->n_columns ? table->slots[i].name : NULL;
}

/* Whether a name can be written without backticks. */
static bool is_bare(const char *name)
{
    for (const char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                      (unsigned char)*c >= 128;
        bool digit = (*c >= '0' && *c <= '9') || *c == '.';
        if (!letter && (!digit || c == name)) return false;
    }
    return *name;
}

/* A column whose name begins like this and goes on with what a bare name cannot hold:
 * sepal-length. */
static const char *longer_name(const cairn_table *table, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < table->n_columns; i++)
        if (strncmp(table->slots[i].name, name, length) == 0 && !is_bare(table->slots[i].name))
            return table->slots[i].name;
    return NULL;
}

static cairn_status no_column(const checker *c, const cairn_node *node, const char *name)
{
    const cairn_function *function = cairn_function_find(name, strlen(name));
    if (function)
        return cairn_fail_place(c->ctx, c->e->text, node->at,
                                "'%s' is a function and needs brackets: %s", name, function->help);
    const char *near = longer_name(c->table, name);
    if (!near) near = cairn_nearest_word(name, column_candidate, c->table);
    const char *quote = near && !is_bare(near) ? "`" : "";
    return cairn_fail_place(c->ctx, c->e->text, node->at, "there is no column '%s'%s%s%s%s%s", name,
                            near ? "; did you mean " : "", quote, near ? near : "", quote,
                            near ? "?" : "");
}

static cairn_status check_column(const checker *c, cairn_node *node)
{
    const char *name = cairn_node_word(c->e, node);
    node->column = cairn_table_find(c->table, name);
    if (node->column < 0) return no_column(c, node, name);
    cairn_kind kind = c->table->slots[node->column].column->kind;
    node->type = kind == CAIRN_NUMBER || kind == CAIRN_TIME ? CAIRN_VALUE_NUMBER : CAIRN_VALUE_TEXT;
    node->level = kind == CAIRN_LEVEL ? node->column : -1;
    node->pure = true;
    if (cairn_kind_is_many(kind))
        return cairn_fail_place(c->ctx, c->e->text, node->at,
                                "column '%s' holds %s, which expressions cannot use", name,
                                cairn_kind_name(kind));
    return CAIRN_OK;
}

/* -- ranges -- */

static cairn_status new_column_node(const checker *c, size_t column, size_t at, uint32_t *out)
{
    const char *name = c->table->slots[column].name;
    CHECK(cairn_node_new(c->ctx, c->e, OP_COLUMN, at, out));
    cairn_node *node = &c->e->nodes[*out];
    node->word = c->e->words.length;
    node->length = strlen(name);
    cairn_text_add_bytes(&c->e->words, name, node->length);
    cairn_text_add_char(&c->e->words, 0);
    return cairn_text_status(&c->e->words);
}

/* The columns that `first:last` or `*` stand for. */
static cairn_status range_ends(const checker *c, uint32_t number, size_t *first, size_t *last)
{
    cairn_node *node = &c->e->nodes[number];
    *first = 0;
    *last = c->table->n_columns - 1;
    if (node->op == OP_ALL) return CAIRN_OK;
    cairn_node *from = &c->e->nodes[node->child], *to = &c->e->nodes[from->next];
    CHECK(check_column(c, from));
    CHECK(check_column(c, to));
    *first = (size_t)from->column;
    *last = (size_t)to->column;
    if (*first > *last)
        return cairn_fail_place(c->ctx, c->e->text, node->at,
                                "column '%s' comes after '%s' in the table; turn the range "
                                "round",
                                cairn_node_word(c->e, from), cairn_node_word(c->e, to));
    return CAIRN_OK;
}

static bool in_all(const cairn_slot *slot)
{
    return slot->role == CAIRN_FEATURE && slot->column->kind == CAIRN_NUMBER;
}

/* Put the columns of a range in its place among the arguments of `parent`. */
static cairn_status expand_range(const checker *c, uint32_t parent, uint32_t range)
{
    size_t first, last, at = c->e->nodes[range].at, n = 0;
    bool all = c->e->nodes[range].op == OP_ALL;
    uint32_t column;
    if (!strchr(c->e->nodes[parent].function->arguments, '*'))
        return cairn_fail_place(c->ctx, c->e->text, at, "%s does not take a list of columns (%s)",
                                c->e->nodes[parent].function->name,
                                c->e->nodes[parent].function->help);
    if (c->table->n_columns == 0)
        return cairn_fail_place(c->ctx, c->e->text, at, "the table has no columns");
    CHECK(range_ends(c, range, &first, &last));
    for (size_t i = first; i <= last; i++) {
        if (all && !in_all(&c->table->slots[i])) continue;
        CHECK(new_column_node(c, i, at, &column));
        cairn_node_adopt(c->e, parent, column);
        n++;
    }
    if (n == 0)
        return cairn_fail_place(c->ctx, c->e->text, at,
                                "the table has no number features for * to stand for");
    return CAIRN_OK;
}

static cairn_status expand_ranges(const checker *c, uint32_t parent)
{
    uint32_t child = c->e->nodes[parent].child, next;
    c->e->nodes[parent].child = CAIRN_NO_NODE;
    c->e->nodes[parent].n_children = 0;
    for (; child != CAIRN_NO_NODE; child = next) {
        cairn_op op = c->e->nodes[child].op;
        next = c->e->nodes[child].next;
        c->e->nodes[child].next = CAIRN_NO_NODE;
        if (op == OP_ALL || op == OP_RANGE)
            CHECK(expand_range(c, parent, child));
        else
            cairn_node_adopt(c->e, parent, child);
    }
    return CAIRN_OK;
}

/* -- types -- */

/* "'age' is a number" with the words of the text. */
static cairn_status wrong_type(const checker *c, const cairn_node *node, const char *wanted,
                               const char *remedy)
{
    return cairn_fail_place(c->ctx, c->e->text, node->at, "%s is needed here, but this is %s%s%s",
                            wanted, type_name(node->type), *remedy ? "; " : "", remedy);
}

/* The operator of a node stands between its children: where its first one begins. */
static const cairn_node *leftmost(const checker *c, const cairn_node *node)
{
    while (!node->function && node->child != CAIRN_NO_NODE && node->op != OP_NEGATE &&
           node->op != OP_NOT)
        node = &c->e->nodes[node->child];
    return node;
}

static cairn_status want_number(const checker *c, uint32_t number)
{
    cairn_node *node = &c->e->nodes[number];
    if (node->type == CAIRN_VALUE_ANY) node->type = CAIRN_VALUE_NUMBER;
    if (node->type != CAIRN_VALUE_TEXT) return CAIRN_OK;
    cairn_node shown = *node;
    shown.at = leftmost(c, node)->at;
    return wrong_type(c, &shown, "a number",
                      node->op == OP_COLUMN ? "number(...) reads texts and levels as numbers" : "");
}

static cairn_status want_truth(const checker *c, uint32_t number)
{
    cairn_node *node = &c->e->nodes[number];
    if (node->type == CAIRN_VALUE_ANY) node->type = CAIRN_VALUE_TRUTH;
    if (node->type == CAIRN_VALUE_TRUTH) return CAIRN_OK;
    cairn_node shown = *node;
    shown.at = leftmost(c, node)->at;
    return wrong_type(c, &shown, "a condition",
                      node->type == CAIRN_VALUE_NUMBER
                          ? "compare it with something, as in x > 0"
                          : "compare it with a text in quotes, or use truth(...)");
}

static cairn_status want_text(const checker *c, uint32_t number)
{
    cairn_node *node = &c->e->nodes[number];
    if (node->type == CAIRN_VALUE_ANY) node->type = CAIRN_VALUE_TEXT;
    if (node->type == CAIRN_VALUE_TEXT) return CAIRN_OK;
    cairn_node shown = *node;
    shown.at = leftmost(c, node)->at;
    return wrong_type(c, &shown, "a text", "text(...) writes numbers as texts");
}

/* The first column of times among the children, or NULL. */
static const cairn_node *time_column(const checker *c, uint32_t number)
{
    for (uint32_t i = c->e->nodes[number].child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        const cairn_node *node = &c->e->nodes[i];
        if (node->op == OP_COLUMN && c->table->slots[node->column].column->kind == CAIRN_TIME)
            return node;
    }
    return NULL;
}

/* A number that is written out, perhaps with a sign. */
static bool is_literal(const checker *c, const cairn_node *node)
{
    while (node->op == OP_NEGATE) node = &c->e->nodes[node->child];
    return node->op == OP_NUMBER;
}

/* A column of times is compared with times that are written as texts: these become numbers. A bare
 * number would be seconds since 1970, which nobody means who writes when > 2030. */
static cairn_status read_times(const checker *c, uint32_t number)
{
    const char *why = NULL;
    const cairn_node *times = time_column(c, number);
    if (!times) return CAIRN_OK;
    for (uint32_t i = c->e->nodes[number].child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        cairn_node *node = &c->e->nodes[i];
        const char *name = cairn_node_word(c->e, times);
        if (is_literal(c, node))
            return cairn_fail_place(c->ctx, c->e->text, node->at,
                                    "'%s' holds times and this is a number; write a time in "
                                    "quotes, such as \"2030-01-01\", compare a part of it, "
                                    "such as year(%s), or give seconds since 1970 as "
                                    "number(%s)",
                                    name, name, name);
        if (node->op != OP_TEXT) continue;
        if (!cairn_time_parse(cairn_node_word(c->e, node), node->length, NULL, &node->number, NULL,
                              &why))
            return cairn_fail_place(c->ctx, c->e->text, node->at,
                                    "a time such as \"2026-11-15 14:30\" is needed here%s%s",
                                    why ? ": " : "", cairn_say(c->ctx, why ? why : ""));
        node->op = OP_NUMBER;
        node->type = CAIRN_VALUE_NUMBER;
    }
    return CAIRN_OK;
}

/* The children of a comparison or a choice are of one type: texts, or numbers and truths. `skip`
 * leaves out the first (the condition of an if). */
static cairn_status same_type(const checker *c, const cairn_node *node, bool skip,
                              cairn_value_type *out)
{
    cairn_value_type type = CAIRN_VALUE_ANY;
    uint32_t first = skip ? c->e->nodes[node->child].next : node->child;
    for (uint32_t i = first; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        cairn_node *child = &c->e->nodes[i];
        if (child->type == CAIRN_VALUE_ANY) continue;
        bool text = child->type == CAIRN_VALUE_TEXT;
        if (type != CAIRN_VALUE_ANY && text != (type == CAIRN_VALUE_TEXT)) {
            cairn_node shown = *child;
            shown.at = leftmost(c, child)->at;
            return wrong_type(c, &shown, text ? "a number" : "a text",
                              text
                                  ? "a text is put in quotes only where it is compared with texts; "
                                    "number(...) reads texts and levels as numbers"
                                  : "levels are compared with texts in quotes, as in code = \"3\"; "
                                    "number(...) reads them as numbers");
        }
        if (type == CAIRN_VALUE_ANY || type == CAIRN_VALUE_TRUTH) type = child->type;
    }
    if (type == CAIRN_VALUE_ANY) type = CAIRN_VALUE_NUMBER;
    for (uint32_t i = first; i != CAIRN_NO_NODE; i = c->e->nodes[i].next)
        if (c->e->nodes[i].type == CAIRN_VALUE_ANY) c->e->nodes[i].type = type;
    *out = type;
    return CAIRN_OK;
}

static const char *level_candidate(size_t i, const void *data)
{
    const cairn_column *column = data;
    return i < column->names.n ? cairn_map_key(&column->names, i) : NULL;
}

/* A level that is compared with a constant that it never is: most likely a slip. */
static void warn_level(const checker *c, const cairn_node *node)
{
    const cairn_node *column = &c->e->nodes[node->child];
    if (column->op != OP_COLUMN || column->level < 0) return;
    const cairn_column *levels = c->table->slots[column->column].column;
    for (uint32_t i = column->next; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        const cairn_node *word = &c->e->nodes[i];
        const char *text = cairn_node_word(c->e, word);
        if (word->op != OP_TEXT || cairn_map_find(&levels->names, text, word->length) >= 0)
            continue;
        const char *near = cairn_nearest_word(text, level_candidate, levels);
        cairn_warn(c->ctx, "'%s' is no level of column '%s'%s%s%s", text,
                   cairn_node_word(c->e, column), near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
}

/* Comparisons need one type; order of ordered levels is that of the levels. */
static cairn_status check_comparison(const checker *c, uint32_t number)
{
    cairn_value_type type = CAIRN_VALUE_ANY;
    CHECK(read_times(c, number));
    CHECK(same_type(c, &c->e->nodes[number], false, &type));
    cairn_node *node = &c->e->nodes[number];
    if (type == CAIRN_VALUE_TEXT &&
        (node->op == OP_EQUAL || node->op == OP_UNEQUAL || node->op == OP_IN))
        warn_level(c, node);
    node->type = CAIRN_VALUE_TRUTH;
    return CAIRN_OK;
}

/* Every argument has the type that the function's form says. */
static cairn_status check_call(const checker *c, uint32_t number)
{
    const cairn_function *function = c->e->nodes[number].function;
    const char *form = function->arguments;
    cairn_value_type shared = CAIRN_VALUE_NUMBER;
    for (uint32_t i = c->e->nodes[number].child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        char wanted = (char)(*form | 32);
        if (form[0] && form[1] != '*') form++;
        if (wanted == 'n') CHECK(want_number(c, i));
        if (wanted == 'b') CHECK(want_truth(c, i));
        if (wanted == 't') CHECK(want_text(c, i));
        if (wanted == 'a' && c->e->nodes[i].type == CAIRN_VALUE_ANY && function->result != 'a')
            c->e->nodes[i].type = CAIRN_VALUE_NUMBER;
    }
    cairn_node *node = &c->e->nodes[number];
    if (function->result == 'a') CHECK(same_type(c, node, function->op == OP_IF, &shared));
    node->type = function->result == 'n'   ? CAIRN_VALUE_NUMBER
                 : function->result == 'b' ? CAIRN_VALUE_TRUTH
                 : function->result == 't' ? CAIRN_VALUE_TEXT
                                           : shared;
    return CAIRN_OK;
}

/* Children have their types by now; `missing` alone fits any type and takes the one that its
 * neighbour needs. */
static cairn_status check_operator(const checker *c, uint32_t number)
{
    cairn_node *node = &c->e->nodes[number];
    uint32_t left = node->child, right = left == CAIRN_NO_NODE ? left : c->e->nodes[left].next;
    switch (node->op) {
    case OP_NUMBER: node->type = CAIRN_VALUE_NUMBER; break;
    case OP_TEXT: node->type = CAIRN_VALUE_TEXT; break;
    case OP_TRUTH: node->type = CAIRN_VALUE_TRUTH; break;
    case OP_MISSING: node->type = CAIRN_VALUE_ANY; break;
    case OP_NOT:
    case OP_AND:
    case OP_OR:
        CHECK(want_truth(c, left));
        if (right != CAIRN_NO_NODE) CHECK(want_truth(c, right));
        node->type = CAIRN_VALUE_TRUTH;
        break;
    case OP_IS_MISSING:
        if (c->e->nodes[left].type == CAIRN_VALUE_ANY) c->e->nodes[left].type = CAIRN_VALUE_NUMBER;
        node->type = CAIRN_VALUE_TRUTH;
        break;
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_BETWEEN:
    case OP_IN: return check_comparison(c, number);
    default:
        CHECK(want_number(c, left));
        if (right != CAIRN_NO_NODE) CHECK(want_number(c, right));
        node->type = CAIRN_VALUE_NUMBER;
        break;
    }
    return CAIRN_OK;
}

/* -- what evaluating may use -- */

static bool can_fault(const cairn_node *node)
{
    switch (node->op) {
    case OP_DIVIDE:
    case OP_MOD:
    case OP_POWER:
    case OP_ONE:
    case OP_TO_NUMBER:
    case OP_TIME_PART:
    case OP_DATE:
    case OP_TO_TIME:
    case OP_ROW:
    case OP_ROWS:
    case OP_UNIFORM:
    case OP_NORMAL: return true;
    default: return false;
    }
}

/* Whether a subtree reads one column of levels only: then once per level will do. */
static void sum_up(const checker *c, cairn_node *node)
{
    node->pure = !can_fault(node);
    node->level = -2;
    for (uint32_t i = node->child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        const cairn_node *child = &c->e->nodes[i];
        node->pure &= child->pure;
        if (node->level == -2)
            node->level = child->level;
        else if (child->level != -2 && child->level != node->level)
            node->level = -1;
    }
}

static cairn_status check_node(const checker *c, uint32_t number)
{
    if (c->e->nodes[number].op == OP_COLUMN) return check_column(c, &c->e->nodes[number]);
    if (c->e->nodes[number].function) CHECK(expand_ranges(c, number));
    for (uint32_t i = c->e->nodes[number].child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next)
        CHECK(check_node(c, i));
    if (c->e->nodes[number].function)
        CHECK(check_call(c, number));
    else
        CHECK(check_operator(c, number));
    sum_up(c, &c->e->nodes[number]);
    return CAIRN_OK;
}

cairn_status cairn_expression_bind(cairn_context *ctx, cairn_expression *e,
                                   const cairn_table *table)
{
    checker c = {ctx, e, table};
    e->table = table;
    CHECK(check_node(&c, e->root));
    if (e->nodes[e->root].type == CAIRN_VALUE_ANY) e->nodes[e->root].type = CAIRN_VALUE_NUMBER;
    return CAIRN_OK;
}
