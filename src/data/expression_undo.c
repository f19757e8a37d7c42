/* SPDX-License-Identifier: MIT */
/* From the root of the tree down to the column: what a node does to the part that holds the column
 * is undone by one step or two. */
#include "data/expression_undo.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/expression_node.h"
#include <math.h>
#include <string.h>

typedef struct undoing {
    cairn_context *ctx;
    const cairn_expression *e;
    cairn_undo *out;
} undoing;

static const cairn_node *node_at(const undoing *u, uint32_t number)
{
    return &u->e->nodes[number];
}

static cairn_status refuse(const undoing *u, const cairn_node *node, const char *why)
{
    return cairn_fail_place(u->ctx, u->e->text, node->at,
                            "this cannot be undone to bring answers back%s; the left side is a "
                            "function of one column that stands in it once, such as log(y), "
                            "sqrt(y), I(y^2) or I((y - 3) / 10)",
                            why);
}

/* A number, also with a sign before it. */
static bool is_number(const undoing *u, const cairn_node *node, double *out)
{
    bool minus = node->op == OP_NEGATE;
    if (minus) node = node_at(u, node->child);
    if (node->op != OP_NUMBER) return false;
    *out = minus ? -node->number : node->number;
    return isfinite(*out);
}

static cairn_status add_step(undoing *u, const cairn_node *node, cairn_undo_kind kind,
                             double number)
{
    if (u->out->n == CAIRN_MOST_UNDO) return refuse(u, node, ", as it is too long");
    u->out->steps[u->out->n++] = (cairn_undo_step){kind, number};
    return CAIRN_OK;
}

/* x^c: the root, with a sign where the power keeps it. */
static cairn_status undo_power(undoing *u, const cairn_node *node, double power)
{
    bool odd = power == floor(power) && fmod(power, 2) != 0;
    if (power == 0) return refuse(u, node, ", as it is always 1");
    return add_step(u, node, odd ? CAIRN_UNDO_ODD_POWER : CAIRN_UNDO_POWER, 1 / power);
}

/* c^x: the logarithm to this base. */
static cairn_status undo_base(undoing *u, const cairn_node *node, double base)
{
    if (!(base > 0) || base == 1) return refuse(u, node, "");
    CHECK(add_step(u, node, CAIRN_UNDO_LOG, 0));
    return add_step(u, node, CAIRN_UNDO_DIVIDE, cairn_log(base));
}

/* Two parts, of which one is the number c; `first` = it stands on the left. */
static cairn_status undo_pair(undoing *u, const cairn_node *node, double c, bool first)
{
    if (c == 0 && (node->op == OP_MULTIPLY || node->op == OP_DIVIDE))
        return refuse(u, node, ", as it is always the same");
    switch (node->op) {
    case OP_ADD: return add_step(u, node, CAIRN_UNDO_ADD, -c);
    case OP_SUBTRACT: return add_step(u, node, first ? CAIRN_UNDO_FROM : CAIRN_UNDO_ADD, c);
    case OP_MULTIPLY: return add_step(u, node, CAIRN_UNDO_DIVIDE, c);
    case OP_DIVIDE: return add_step(u, node, first ? CAIRN_UNDO_INTO : CAIRN_UNDO_TIMES, c);
    case OP_POWER: return first ? undo_base(u, node, c) : undo_power(u, node, c);
    default: return refuse(u, node, "");
    }
}

static cairn_status undo_function(undoing *u, const cairn_node *node)
{
    static const struct {
        const char *name;
        cairn_undo_kind kind;
        double number;
    } known[] = {
        {"log", CAIRN_UNDO_EXP, 0},        {"log2", CAIRN_UNDO_BASE, 2},
        {"log10", CAIRN_UNDO_BASE, 10},    {"log1p", CAIRN_UNDO_EXPM1, 0},
        {"exp", CAIRN_UNDO_LOG, 0},        {"expm1", CAIRN_UNDO_LOG1P, 0},
        {"sqrt", CAIRN_UNDO_POWER, 2},     {"square", CAIRN_UNDO_POWER, 0.5},
        {"cbrt", CAIRN_UNDO_ODD_POWER, 3},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(node->function->name, known[i].name) == 0)
            return add_step(u, node, known[i].kind, known[i].number);
    return refuse(u, node, "");
}

/* The step of a node, and the part below it that holds the column. */
static cairn_status undo_node(undoing *u, const cairn_node *node, uint32_t *below)
{
    double c = 0;
    *below = node->child;
    if (node->op == OP_NEGATE) return add_step(u, node, CAIRN_UNDO_FROM, 0);
    if (node->op == OP_ONE) return undo_function(u, node);
    if (node->n_children != 2) return refuse(u, node, "");
    uint32_t left = node->child, right = node_at(u, left)->next;
    bool first = is_number(u, node_at(u, left), &c);
    if (!first && !is_number(u, node_at(u, right), &c)) return refuse(u, node, "");
    *below = first ? right : left;
    return undo_pair(u, node, c, first);
}

cairn_status cairn_expression_undo(cairn_context *ctx, cairn_undo *out, char **column,
                                   const char *text)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    *out = (cairn_undo){0};
    CHECK(cairn_expression_read(ctx, &e, text));
    undoing u = {ctx, e, out};
    uint32_t at = e->root;
    while (node_at(&u, at)->op != OP_COLUMN) CHECK(undo_node(&u, node_at(&u, at), &at));
    const cairn_node *found = node_at(&u, at);
    CHECK(SCRATCH(ctx, column, found->length + 1));
    memcpy(*column, cairn_node_word(e, found), found->length);
    return CAIRN_OK;
}

static double undo_step(const cairn_undo_step *step, double v)
{
    double c = step->number;
    switch (step->kind) {
    case CAIRN_UNDO_ADD: return v + c;
    case CAIRN_UNDO_FROM: return c - v;
    case CAIRN_UNDO_TIMES: return v * c;
    case CAIRN_UNDO_DIVIDE: return v / c;
    case CAIRN_UNDO_INTO: return c / v;
    case CAIRN_UNDO_POWER: return cairn_pow(v < 0 ? 0 : v, c);
    case CAIRN_UNDO_ODD_POWER: return copysign(cairn_pow(fabs(v), c), v);
    case CAIRN_UNDO_BASE: return cairn_pow(c, v);
    case CAIRN_UNDO_EXP: return cairn_exp(v);
    case CAIRN_UNDO_EXPM1: return cairn_expm1(v);
    case CAIRN_UNDO_LOG: return cairn_log(v);
    default: return cairn_log1p(v);
    }
}

double cairn_undo_of(const cairn_undo *undo, double value)
{
    for (size_t i = 0; i < undo->n; i++) value = undo_step(&undo->steps[i], value);
    return value;
}

/* What stands before the value of a step, and behind it. */
static void add_side(cairn_text *out, const cairn_undo_step *step, bool outermost, bool before)
{
    static const struct {
        const char *sign;
        bool ahead; /* the number stands before it */
    } forms[] = {
        [CAIRN_UNDO_ADD] = {" + ", false},     [CAIRN_UNDO_FROM] = {" - ", true},
        [CAIRN_UNDO_TIMES] = {" * ", true},    [CAIRN_UNDO_DIVIDE] = {" / ", false},
        [CAIRN_UNDO_INTO] = {" / ", true},     [CAIRN_UNDO_POWER] = {"^", false},
        [CAIRN_UNDO_ODD_POWER] = {"^", false}, [CAIRN_UNDO_BASE] = {"^", true},
    };
    static const char *const functions[] = {[CAIRN_UNDO_EXP] = "exp(",
                                            [CAIRN_UNDO_EXPM1] = "expm1(",
                                            [CAIRN_UNDO_LOG] = "log(",
                                            [CAIRN_UNDO_LOG1P] = "log1p("};
    char number[CAIRN_NUMBER_SIZE];
    if (step->kind >= CAIRN_UNDO_EXP) {
        cairn_text_add(out, before ? functions[step->kind] : ")");
        return;
    }
    bool minus = step->kind == CAIRN_UNDO_ADD && step->number < 0;
    const char *sign = minus ? " - " : forms[step->kind].sign;
    cairn_number_format(number, minus ? -step->number : step->number, CAIRN_SHORTEST);
    if (before && !outermost) cairn_text_add(out, "(");
    if (before && forms[step->kind].ahead) cairn_text_addf(out, "%s%s", number, sign);
    if (!before && !forms[step->kind].ahead) cairn_text_addf(out, "%s%s", sign, number);
    if (!before && !outermost) cairn_text_add(out, ")");
}

void cairn_undo_add(cairn_text *out, const cairn_undo *undo, const char *name)
{
    for (size_t i = undo->n; i-- > 0;) add_side(out, &undo->steps[i], i + 1 == undo->n, true);
    cairn_text_add(out, name);
    for (size_t i = 0; i < undo->n; i++) add_side(out, &undo->steps[i], i + 1 == undo->n, false);
}
