/* SPDX-License-Identifier: MIT */
/* Expressions as a whole: making, freeing, faults and assignments. */
#include "base/functions.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/expression_node.h"
#include "data/expression_undo.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The functions of the expression language, in the order of the documentation. */

static double sigmoid(double x)
{
    return 1 / (1 + cairn_exp(-x));
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double square(double x)
{
    return x * x;
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

/* A part of a date or time, as a function. */
#define PART_OF(NAME, FIELD)                                                                       \
    static double NAME##_of(const cairn_calendar *c)                                               \
    {                                                                                              \
        return c->FIELD;                                                                           \
    }

PART_OF(year, year)
PART_OF(quarter, quarter)
PART_OF(month, month)
PART_OF(week, week)
PART_OF(day, day)
PART_OF(yearday, day_of_year)
PART_OF(weekday, weekday)
PART_OF(hour, hour)
PART_OF(minute, minute)
PART_OF(second, second)

#define ONE(NAME, FUNCTION, FAULT, HELP)                                                           \
    {                                                                                              \
        NAME, OP_ONE, "n", 'n', FUNCTION, FAULT, HELP, NULL                                        \
    }
#define DOMAIN_OF(NAME, FUNCTION, HELP) ONE(NAME, FUNCTION, CAIRN_FAULT_DOMAIN, HELP)
#define FORM(NAME, OP, ARGUMENTS, RESULT, HELP)                                                    \
    {                                                                                              \
        NAME, OP, ARGUMENTS, RESULT, NULL, CAIRN_FAULT_DOMAIN, HELP, NULL                          \
    }

#define PART(NAME, FUNCTION, HELP)                                                                 \
    {                                                                                              \
        NAME, OP_TIME_PART, "n", 'n', NULL, CAIRN_FAULT_TIME, HELP, FUNCTION                       \
    }

static const cairn_function functions[] = {
    /* numbers */
    DOMAIN_OF("abs", fabs, "abs(x): x without its sign"),
    DOMAIN_OF("sign", sign, "sign(x): -1, 0 or 1"),
    ONE("sqrt", sqrt, CAIRN_FAULT_ROOT, "sqrt(x): the square root"),
    DOMAIN_OF("square", square, "square(x): x times x"),
    DOMAIN_OF("cbrt", cairn_cbrt, "cbrt(x): the cube root"),
    FORM("pow", OP_POWER, "nn", 'n', "pow(x, y): x to the power of y"),
    DOMAIN_OF("exp", cairn_exp, "exp(x): e to the power of x"),
    DOMAIN_OF("expm1", cairn_expm1, "expm1(x): exp(x) - 1, exact for small x"),
    ONE("log", cairn_log, CAIRN_FAULT_LOGARITHM, "log(x): the natural logarithm"),
    ONE("log2", cairn_log2, CAIRN_FAULT_LOGARITHM, "log2(x): the logarithm to base 2"),
    ONE("log10", cairn_log10, CAIRN_FAULT_LOGARITHM, "log10(x): the logarithm to base 10"),
    ONE("log1p", cairn_log1p, CAIRN_FAULT_LOGARITHM, "log1p(x): log(1 + x), exact for small x"),
    DOMAIN_OF("sin", cairn_sin, "sin(x): the sine of an angle in radians"),
    DOMAIN_OF("cos", cairn_cos, "cos(x): the cosine"),
    DOMAIN_OF("tan", cairn_tan, "tan(x): the tangent"),
    DOMAIN_OF("asin", cairn_asin, "asin(x): the angle whose sine is x"),
    DOMAIN_OF("acos", cairn_acos, "acos(x): the angle whose cosine is x"),
    DOMAIN_OF("atan", cairn_atan, "atan(x): the angle whose tangent is x"),
    FORM("atan2", OP_ATAN2, "nn", 'n', "atan2(y, x): the angle of the point (x, y)"),
    DOMAIN_OF("sinh", cairn_sinh, "sinh(x): the hyperbolic sine"),
    DOMAIN_OF("cosh", cairn_cosh, "cosh(x): the hyperbolic cosine"),
    DOMAIN_OF("tanh", cairn_tanh, "tanh(x): the hyperbolic tangent"),
    DOMAIN_OF("sigmoid", sigmoid, "sigmoid(x): 1 / (1 + exp(-x))"),
    DOMAIN_OF("relu", relu, "relu(x): x where it is positive, else 0"),
    DOMAIN_OF("erf", cairn_erf, "erf(x): the error function"),
    DOMAIN_OF("lgamma", cairn_lgamma, "lgamma(x): the logarithm of the gamma function"),
    FORM("hypot", OP_HYPOT, "nn", 'n', "hypot(x, y): the length of the vector (x, y)"),
    DOMAIN_OF("floor", floor, "floor(x): the next whole number below"),
    DOMAIN_OF("ceil", ceil, "ceil(x): the next whole number above"),
    DOMAIN_OF("trunc", trunc, "trunc(x): x without its decimals"),
    FORM("round", OP_ROUND, "nN", 'n', "round(x, digits): rounded, halves away from 0"),
    FORM("mod", OP_MOD, "nn", 'n', "mod(x, y): what is left of x after whole multiples of y"),
    FORM("clamp", OP_CLAMP, "nnn", 'n', "clamp(x, low, high): x, but not outside low to high"),
    FORM("pi", OP_PI, "", 'n', "pi(): 3.14159..."),
    /* several columns */
    FORM("sum", OP_SUM, "n*", 'n', "sum(a, b, ...): the sum over the row"),
    FORM("mean", OP_MEAN, "n*", 'n', "mean(a, b, ...): the mean over the row"),
    FORM("sd", OP_SD, "n*", 'n', "sd(a, b, ...): the standard deviation, dividing by n - 1"),
    FORM("var", OP_VARIANCE, "n*", 'n', "var(a, b, ...): the variance, dividing by n - 1"),
    FORM("min", OP_MIN, "n*", 'n', "min(a, b, ...): the smallest"),
    FORM("max", OP_MAX, "n*", 'n', "max(a, b, ...): the largest"),
    FORM("count", OP_COUNT, "a*", 'n', "count(a, b, ...): how many are not missing"),
    /* choices */
    FORM("if", OP_IF, "baa", 'a', "if(condition, a, b): a where the condition holds, else b"),
    FORM("coalesce", OP_COALESCE, "a*", 'a', "coalesce(a, b, ...): the first not missing"),
    /* rows and chance */
    FORM("row", OP_ROW, "", 'n', "row(): the number of the row, from 1"),
    FORM("rows", OP_ROWS, "", 'n', "rows(): how many rows there are"),
    FORM("uniform", OP_UNIFORM, "NN", 'n', "uniform(low, high): random, 0 to 1 if not given"),
    FORM("normal", OP_NORMAL, "NN", 'n', "normal(mean, sd): random, 0 and 1 if not given"),
    /* texts and levels */
    FORM("length", OP_LENGTH, "t", 'n', "length(text): the number of letters"),
    FORM("lower", OP_LOWER, "t", 't', "lower(text): in small letters"),
    FORM("upper", OP_UPPER, "t", 't', "upper(text): in capital letters"),
    FORM("trim", OP_TRIM, "t", 't', "trim(text): without blanks at both ends"),
    FORM("contains", OP_CONTAINS, "tt", 'b', "contains(text, part): whether part occurs in it"),
    FORM("starts", OP_STARTS, "tt", 'b', "starts(text, part): whether it begins with part"),
    FORM("ends", OP_ENDS, "tt", 'b', "ends(text, part): whether it ends with part"),
    FORM("matches", OP_MATCHES, "tt", 'b',
         "matches(text, pattern): * any letters, ? one letter, [a-c] one of them, [!a-c] another"),
    FORM("concat", OP_CONCAT, "t*", 't', "concat(a, b, ...): one after the other"),
    FORM("part", OP_PART, "tnN", 't', "part(text, from, n): n letters from number from on"),
    FORM("replace", OP_REPLACE, "ttt", 't', "replace(text, old, new): every old by new"),
    /* times */
    PART("year", year_of, "year(time): the year"),
    PART("quarter", quarter_of, "quarter(time): 1 to 4"),
    PART("month", month_of, "month(time): 1 to 12"),
    PART("week", week_of, "week(time): the week of the year, from 1, by ISO 8601"),
    PART("day", day_of, "day(time): the day of the month, from 1"),
    PART("yearday", yearday_of, "yearday(time): the day of the year, from 1"),
    PART("weekday", weekday_of, "weekday(time): 1 for Monday to 7 for Sunday"),
    PART("hour", hour_of, "hour(time): 0 to 23"),
    PART("minute", minute_of, "minute(time): 0 to 59"),
    PART("second", second_of, "second(time): 0 to 59, with its fraction"),
    FORM("date", OP_DATE, "nnn", 'n', "date(year, month, day): a day"),
    FORM("time", OP_TO_TIME, "t", 'n',
         "time(text): the time that is written as \"2026-11-15 14:30\""),
    /* kinds */
    FORM("number", OP_TO_NUMBER, "a", 'n', "number(x): a text, level or truth as a number"),
    FORM("text", OP_TO_TEXT, "a", 't', "text(x): a number or truth as text"),
    FORM("truth", OP_TO_TRUTH, "a", 'b', "truth(x): yes, true and numbers other than 0"),
};

const cairn_function *cairn_function_at(size_t i)
{
    return i < sizeof functions / sizeof *functions ? &functions[i] : NULL;
}

const cairn_function *cairn_function_find(const char *name, size_t length)
{
    const cairn_function *function;
    for (size_t i = 0; (function = cairn_function_at(i)); i++)
        if (strlen(function->name) == length && memcmp(function->name, name, length) == 0)
            return function;
    return NULL;
}

/* From the root of the tree down to the column: what a node does to the part that holds the column
 * is undone by one step or two. */

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
    /* Two parts, of which one is the number c; `first` = it stands on the left. */
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
    static const char *const words[] = {[CAIRN_UNDO_EXP] = "exp(",
                                        [CAIRN_UNDO_EXPM1] = "expm1(",
                                        [CAIRN_UNDO_LOG] = "log(",
                                        [CAIRN_UNDO_LOG1P] = "log1p("};
    char number[CAIRN_NUMBER_SIZE];
    if (step->kind >= CAIRN_UNDO_EXP) {
        cairn_text_add(out, before ? words[step->kind] : ")");
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

/* Checking a tree against a table: names become columns, every node gets its type, ranges of
 * columns become lists. */

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
        const char *name = c->table->slots[i].name;
        CHECK(cairn_node_new(c->ctx, c->e, OP_COLUMN, at, &column));
        cairn_node *node = &c->e->nodes[column];
        node->word = c->e->words.length;
        node->length = strlen(name);
        cairn_text_add_bytes(&c->e->words, name, node->length);
        cairn_text_add_char(&c->e->words, 0);
        CHECK(cairn_text_status(&c->e->words));
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

/* Comparisons need one type; order of ordered levels is that of the levels. */
static cairn_status check_comparison(const checker *c, uint32_t number)
{
    cairn_value_type type = CAIRN_VALUE_ANY;
    CHECK(read_times(c, number));
    CHECK(same_type(c, &c->e->nodes[number], false, &type));
    cairn_node *node = &c->e->nodes[number];
    if (type == CAIRN_VALUE_TEXT &&
        (node->op == OP_EQUAL || node->op == OP_UNEQUAL || node->op == OP_IN)) {
        /* A level that is compared with a constant that it never is: most likely a slip. */
        const cairn_node *column = &c->e->nodes[node->child];
        if (column->op == OP_COLUMN && !(column->level < 0)) {
            const cairn_column *levels = c->table->slots[column->column].column;
            for (uint32_t i = column->next; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
                const cairn_node *word = &c->e->nodes[i];
                const char *text = cairn_node_word(c->e, word);
                if (word->op != OP_TEXT || cairn_map_find(&levels->names, text, word->length) >= 0)
                    continue;
                const char *near = cairn_nearest_word(text, level_candidate, levels);
                cairn_warn(c->ctx, "'%s' is no level of column '%s'%s%s%s", text,
                           cairn_node_word(c->e, column), near ? "; did you mean '" : "",
                           near ? near : "", near ? "'?" : "");
            }
        }
    }
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
        if (wanted == 't') {
            cairn_node *node = &c->e->nodes[i];
            if (node->type == CAIRN_VALUE_ANY) node->type = CAIRN_VALUE_TEXT;
            if (node->type != CAIRN_VALUE_TEXT) {
                cairn_node shown = *node;
                shown.at = leftmost(c, node)->at;
                CHECK(wrong_type(c, &shown, "a text", "text(...) writes numbers as texts"));
            }
        }
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

/* A level without its quotes, as in sex = female: no column has that name, and what it is compared
 * with is a column that has the level. */
static void quote_levels(const checker *c, uint32_t number)
{
    const cairn_node *node = &c->e->nodes[number];
    if (node->op != OP_EQUAL && node->op != OP_UNEQUAL && node->op != OP_IN) return;
    const cairn_node *first = &c->e->nodes[node->child];
    ptrdiff_t at =
        first->op == OP_COLUMN ? cairn_table_find(c->table, cairn_node_word(c->e, first)) : -1;
    if (at < 0 || c->table->slots[at].column->kind != CAIRN_LEVEL) return;
    const cairn_map *levels = &c->table->slots[at].column->names;
    for (uint32_t i = first->next; i != CAIRN_NO_NODE; i = c->e->nodes[i].next) {
        cairn_node *word = &c->e->nodes[i];
        if (word->op != OP_COLUMN) continue;
        const char *name = cairn_node_word(c->e, word);
        if (cairn_table_find(c->table, name) >= 0) continue;
        if (cairn_map_find(levels, name, word->length) < 0) continue;
        word->op = OP_TEXT;
        word->type = CAIRN_VALUE_TEXT;
    }
}

/* Operands are checked before the node, which is judged by what they are. */
static cairn_status check_node(const checker *c, uint32_t number)
{
    if (c->e->nodes[number].op == OP_COLUMN) return check_column(c, &c->e->nodes[number]);
    if (c->e->nodes[number].function) CHECK(expand_ranges(c, number));
    quote_levels(c, number);
    for (uint32_t i = c->e->nodes[number].child; i != CAIRN_NO_NODE; i = c->e->nodes[i].next)
        CHECK(check_node(c, i));
    if (c->e->nodes[number].function)
        CHECK(check_call(c, number));
    else
        CHECK(check_operator(c, number));
    /* Whether a subtree reads one column of levels only: then once per level will do. */
    cairn_node *node = &c->e->nodes[number];
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
    return CAIRN_OK;
}

void cairn_expression_free(cairn_expression *e)
{
    if (!e) return;
    FREE_EACH(e->text, e->nodes);
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
    /* expression_check.c: find columns, decide types, expand ranges. */
    checker c = {ctx, e, table};
    e->table = table;
    CHECK(check_node(&c, e->root));
    if (e->nodes[e->root].type == CAIRN_VALUE_ANY) e->nodes[e->root].type = CAIRN_VALUE_NUMBER;
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

cairn_status cairn_expression_names(cairn_context *ctx, cairn_map *out, const char *text,
                                    bool *more)
{
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    size_t number;
    CHECK(cairn_expression_read(ctx, &e, text));
    for (size_t i = 0; i < e->n_nodes; i++) {
        const cairn_node *node = &e->nodes[i];
        if (more && (node->op == OP_ALL || node->op == OP_RANGE)) *more = true;
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
