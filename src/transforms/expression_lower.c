/* SPDX-License-Identifier: MIT */
/* Expressions as instructions. What a condition or number says of one column of levels is computed
 * for every level here and looked up there, so that programs need no texts. */
#include "transforms/expression_lower.h"
#include "base/memory.h"
#include "data/column.h"
#include "data/expression_node.h"
#include "transforms/computing.h"
#include <math.h>
#include <string.h>

typedef struct lowering {
    cairn_program *p;
    cairn_context *ctx;
    const cairn_expression *e;
    const int32_t *slots;
    cairn_computing c;
} lowering;

/* Operations that are one instruction; 0 arguments = as many as the node has. */
static const struct {
    cairn_op op;
    int instruction;
} instructions[] = {
    {OP_ADD, CAIRN_DO_SUM},
    {OP_SUBTRACT, CAIRN_DO_SUBTRACT},
    {OP_MULTIPLY, CAIRN_DO_MULTIPLY},
    {OP_DIVIDE, CAIRN_DO_DIVIDE},
    {OP_MOD, CAIRN_DO_MOD},
    {OP_POWER, CAIRN_DO_POWER},
    {OP_ATAN2, CAIRN_DO_ATAN2},
    {OP_HYPOT, CAIRN_DO_HYPOT},
    {OP_EQUAL, CAIRN_DO_EQUAL},
    {OP_UNEQUAL, CAIRN_DO_UNEQUAL},
    {OP_LESS, CAIRN_DO_LESS},
    {OP_LESS_EQUAL, CAIRN_DO_LESS_EQUAL},
    {OP_GREATER, CAIRN_DO_GREATER},
    {OP_GREATER_EQUAL, CAIRN_DO_GREATER_EQUAL},
    {OP_IS_MISSING, CAIRN_DO_MISSING},
    {OP_NOT, CAIRN_DO_NOT},
    {OP_AND, CAIRN_DO_AND},
    {OP_OR, CAIRN_DO_OR},
    {OP_SUM, CAIRN_DO_SUM},
    {OP_MIN, CAIRN_DO_MIN},
    {OP_MAX, CAIRN_DO_MAX},
    {OP_VARIANCE, CAIRN_DO_VARIANCE},
    {OP_COUNT, CAIRN_DO_COUNT},
    {OP_IF, CAIRN_DO_IF},
    {OP_COALESCE, CAIRN_DO_COALESCE},
};

static cairn_status put(lowering *l, uint32_t number);

static const cairn_node *node_at(const lowering *l, uint32_t number)
{
    return &l->e->nodes[number];
}

static uint32_t next_of(const lowering *l, uint32_t number)
{
    return node_at(l, number)->next;
}

/* Of levels that are counted only their being there matters. */
static cairn_status put_children(lowering *l, const cairn_node *node)
{
    for (uint32_t i = node->child; i != CAIRN_NO_NODE; i = next_of(l, i)) {
        const cairn_node *child = node_at(l, i);
        bool counted = node->op == OP_COUNT && child->op == OP_COLUMN;
        if (counted && l->slots[child->column] >= 0)
            cairn_computing_slot(&l->c, l->slots[child->column]);
        else
            CHECK(put(l, i));
    }
    return CAIRN_OK;
}

static cairn_status put_column(lowering *l, const cairn_node *node)
{
    if (l->slots[node->column] < 0)
        return cairn_program_refuse(l->p, "a program cannot read its column '%s'",
                                    l->e->table->slots[node->column].name);
    cairn_computing_slot(&l->c, l->slots[node->column]);
    return CAIRN_OK;
}

/* x >= low and x <= high. */
static cairn_status put_between(lowering *l, const cairn_node *node)
{
    uint32_t low = next_of(l, node->child);
    CHECK(put(l, node->child));
    CHECK(put(l, low));
    cairn_computing_do(&l->c, CAIRN_DO_GREATER_EQUAL, 2);
    CHECK(put(l, node->child));
    CHECK(put(l, next_of(l, low)));
    cairn_computing_do(&l->c, CAIRN_DO_LESS_EQUAL, 2);
    cairn_computing_do(&l->c, CAIRN_DO_AND, 2);
    return CAIRN_OK;
}

/* Equal to one of a list. */
static cairn_status put_in(lowering *l, const cairn_node *node)
{
    cairn_computing_number(&l->c, 0);
    for (uint32_t i = next_of(l, node->child); i != CAIRN_NO_NODE; i = next_of(l, i)) {
        CHECK(put(l, node->child));
        CHECK(put(l, i));
        cairn_computing_do(&l->c, CAIRN_DO_EQUAL, 2);
        cairn_computing_do(&l->c, CAIRN_DO_OR, 2);
    }
    return CAIRN_OK;
}

/* x, but not outside low to high. */
static cairn_status put_clamp(lowering *l, const cairn_node *node)
{
    uint32_t low = next_of(l, node->child);
    CHECK(put(l, node->child));
    CHECK(put(l, low));
    cairn_computing_do(&l->c, CAIRN_DO_MAX, 2);
    CHECK(put(l, next_of(l, low)));
    cairn_computing_do(&l->c, CAIRN_DO_MIN, 2);
    return CAIRN_OK;
}

/* Part of the time in a column. */
static cairn_status put_part(lowering *l, const cairn_node *node)
{
    static const char *const parts[] = {"year",    "quarter", "month", "week",   "day",   "weekday",
                                        "yearday", "",        "hour",  "minute", "second"};
    const cairn_node *time = node_at(l, node->child);
    cairn_operation *op;
    int32_t part = 0;
    if (time->op != OP_COLUMN || l->slots[time->column] < 0)
        return cairn_program_refuse(l->p, "%s() is of something that is no column",
                                    node->function->name);
    while (strcmp(parts[part], node->function->name) != 0) part++;
    CHECK(cairn_program_add(l->p, CAIRN_OP_CALENDAR, &l->slots[time->column], 1, CAIRN_PARTS, &op));
    cairn_computing_slot(&l->c, op->out + part);
    return CAIRN_OK;
}

/* Numbers that take more than one instruction. */
static cairn_status put_several(lowering *l, const cairn_node *node)
{
    cairn_computing *c = &l->c;
    if (node->op == OP_NEGATE) cairn_computing_number(c, -1);
    CHECK(put_children(l, node));
    switch (node->op) {
    case OP_NEGATE: cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2); break;
    case OP_MEAN:
        cairn_computing_do(c, CAIRN_DO_SUM, node->n_children);
        cairn_computing_number(c, node->n_children);
        cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
        break;
    case OP_SD:
        cairn_computing_do(c, CAIRN_DO_VARIANCE, node->n_children);
        (void)cairn_computing_function(c, "sqrt");
        break;
    case OP_ROUND:
        if (node->n_children < 2) cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_ROUND, 2);
        break;
    case OP_TO_TRUTH:
        cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_UNEQUAL, 2);
        break;
    default: break; /* OP_TO_NUMBER: what is one already */
    }
    return CAIRN_OK;
}

static cairn_status refuse(lowering *l, const cairn_node *node)
{
    return cairn_program_refuse(l->p, "there is no operation for '%s'",
                                node->function ? node->function->name : "texts");
}

static cairn_status put_function(lowering *l, const cairn_node *node)
{
    CHECK(put_children(l, node));
    return cairn_computing_function(&l->c, node->function->name) ? CAIRN_OK : refuse(l, node);
}

/* An operation that is one instruction on its children. */
static cairn_status put_plain(lowering *l, const cairn_node *node)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        if (instructions[i].op != node->op) continue;
        CHECK(put_children(l, node));
        cairn_computing_do(&l->c, instructions[i].instruction, node->n_children);
        return CAIRN_OK;
    }
    return refuse(l, node);
}

/* The value of a node on the top of the stack. */
static cairn_status put(lowering *l, uint32_t number)
{
    const cairn_node *node = node_at(l, number);
    if (node->type == CAIRN_VALUE_TEXT) return refuse(l, node);
    if (node->level >= 0 && node->child != CAIRN_NO_NODE) {
        /* What the node is for every level of its only column, as a table. */
        size_t n = l->e->table->slots[node->level].column->names.n;
        int32_t slot;
        void *values;
        if (l->slots[node->level] < 0)
            return cairn_program_refuse(l->p, "a program cannot read its column '%s'",
                                        l->e->table->slots[node->level].name);
        CHECK(cairn_expression_levels(l->ctx, l->e, number, &values));
        const double *numbers = values;
        CHECK(cairn_lower_lookup(l->p, l->slots[node->level], n, 1, numbers, numbers + n, &slot));
        cairn_computing_slot(&l->c, slot);
        return CAIRN_OK;
    }
    switch (node->op) {
    case OP_NUMBER:
    case OP_TRUTH: cairn_computing_number(&l->c, node->number); return CAIRN_OK;
    case OP_MISSING: cairn_computing_number(&l->c, NAN); return CAIRN_OK;
    case OP_PI: cairn_computing_number(&l->c, 3.14159265358979323846); return CAIRN_OK;
    case OP_COLUMN: return put_column(l, node);
    case OP_BETWEEN: return put_between(l, node);
    case OP_IN: return put_in(l, node);
    case OP_CLAMP: return put_clamp(l, node);
    case OP_ONE: return put_function(l, node);
    case OP_TIME_PART: return put_part(l, node);
    case OP_NEGATE:
    case OP_MEAN:
    case OP_SD:
    case OP_ROUND:
    case OP_TO_NUMBER:
    case OP_TO_TRUTH: return put_several(l, node);
    default: return put_plain(l, node);
    }
}

/* Chance and row numbers are no functions of the row. */
static cairn_status refuse_chance(cairn_program *p, const cairn_expression *e)
{
    for (size_t i = 0; i < e->n_nodes; i++)
        if (e->nodes[i].op >= OP_ROW && e->nodes[i].op <= OP_NORMAL)
            return cairn_program_refuse(p, "%s() is no function of a row",
                                        e->nodes[i].function->name);
    return CAIRN_OK;
}

cairn_status cairn_lower_expression(cairn_program *program, const cairn_expression *e,
                                    const int32_t *slots, int32_t *out)
{
    lowering l = {.p = program, .ctx = program->ctx, .e = e, .slots = slots};
    l.c = cairn_computing_start(program);
    CHECK(refuse_chance(program, e));
    CHECK(put(&l, e->root));
    if (node_at(&l, e->root)->op != OP_COLUMN) cairn_computing_do(&l.c, CAIRN_DO_FINITE, 1);
    cairn_computing_write(&l.c);
    return cairn_computing_end(&l.c, out);
}
