/* SPDX-License-Identifier: MIT */
/* Computing an expression for all rows.
 *
 * Rows are worked on in blocks of 1024: each node computes a vector for the block from the vectors
 * of its children, so that walking the tree costs next to nothing per row. Numbers and truths are
 * doubles (0, 1, NaN = missing), texts are slices. Where a choice leaves rows aside (if, and, or),
 * a mask keeps what is computed for them from being counted as a fault. A subtree that reads one
 * column of levels is computed once per level and then looked up. Random numbers come from a
 * stream per node and block, tasks are fixed runs of blocks: nothing depends on the threads. */
#include "data/expression_node.h"

#include "base/functions.h"
#include "base/number.h"
#include "base/random.h"
#include "data/column.h"
#include "data/time_pattern.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024, TASK_BLOCKS = 32 };

typedef struct work {
    cairn_context *ctx; /* of the task; its scratch is given back after each block */
    const cairn_expression *e;
    void *const *tables; /* per node: values per level, the last for missing; NULL = none */
    size_t first, n;     /* rows */
    bool levels;         /* rows are levels, the last one a missing cell */
    cairn_faults *faults;
} work;

static cairn_status eval(work *w, uint32_t number, void *out, const uint8_t *active);

static const cairn_node *node_at(const work *w, uint32_t number)
{
    return &w->e->nodes[number];
}

static void note_fault(work *w, cairn_fault fault, size_t i)
{
    if (w->faults->n[fault]++ == 0) w->faults->first[fault] = w->first + i;
}

static bool is_active(const uint8_t *active, size_t i)
{
    return !active || active[i];
}

/* A vector for numbers or texts. */
static cairn_status take(work *w, void *out)
{
    cairn_slice *vector;
    cairn_status status = SCRATCH_RAW(w->ctx, &vector, BLOCK);
    if (status == CAIRN_OK) *(void **)out = vector;
    return status;
}

/* -- leaves -- */

static void fill(double *out, size_t n, double value)
{
    for (size_t i = 0; i < n; i++) out[i] = value;
}

static int32_t code_of(const work *w, const cairn_column *column, size_t i)
{
    size_t row = w->first + i;
    if (!w->levels) return column->codes[row];
    return row < column->names.n ? (int32_t)row : -1;
}

/* Texts and levels become slices into the column, not copies; a missing one has no bytes, an empty
 * one has. */
static void eval_column(const work *w, const cairn_column *column, void *out)
{
    if (column->kind == CAIRN_NUMBER || column->kind == CAIRN_TIME) {
        memcpy(out, column->numbers + w->first, w->n * sizeof(double));
        return;
    }
    cairn_slice *texts = out;
    for (size_t i = 0; i < w->n; i++) {
        size_t row = w->first + i;
        texts[i] = (cairn_slice){0};
        if (column->kind == CAIRN_LEVEL) {
            int32_t code = code_of(w, column, i);
            if (code >= 0)
                texts[i] = (cairn_slice){cairn_map_key(&column->names, (size_t)code),
                                         column->names.lengths[code]};
        } else if (!column->absent || !column->absent[row]) {
            texts[i] = (cairn_slice){column->bytes + column->starts[row],
                                     column->starts[row + 1] - column->starts[row]};
            if (!texts[i].bytes) texts[i].bytes = "";
        }
    }
}

/* Leaves fill whole blocks, although most are constants, so that operators need one loop only. */
static void eval_leaf(work *w, const cairn_node *node, void *out)
{
    cairn_slice *texts = out;
    switch (node->op) {
    case OP_COLUMN: eval_column(w, w->e->table->slots[node->column].column, out); break;
    case OP_TEXT:
        for (size_t i = 0; i < w->n; i++)
            texts[i] = (cairn_slice){cairn_node_word(w->e, node), node->length};
        break;
    case OP_MISSING:
        if (node->type == CAIRN_VALUE_TEXT)
            memset(texts, 0, w->n * sizeof *texts);
        else
            fill(out, w->n, NAN);
        break;
    case OP_PI: fill(out, w->n, 3.14159265358979323846); break;
    case OP_ROWS: fill(out, w->n, (double)w->e->table->n_rows); break;
    case OP_ROW:
        for (size_t i = 0; i < w->n; i++) ((double *)out)[i] = (double)(w->first + i + 1);
        break;
    default: fill(out, w->n, node->number); break;
    }
}

/* -- arithmetic -- */

/* x to the power of y, for the exponents that formulas have most without a call. */
static void raise(work *w, double *x, const double *y, const uint8_t *active)
{
    for (size_t i = 0; i < w->n; i++) {
        double base = x[i], power = y[i];
        double result = power == 2 ? base * base : cairn_pow(base, power);
        if (isnan(base) || isnan(power)) result = NAN; /* not the 1 of 1^NaN and NaN^0 */
        if (!isfinite(result) && isfinite(base) && isfinite(power)) {
            bool zero = base == 0;
            if (is_active(active, i))
                note_fault(w,
                           zero            ? CAIRN_FAULT_DIVISION
                           : isnan(result) ? CAIRN_FAULT_POWER
                                           : CAIRN_FAULT_INFINITE,
                           i);
            result = NAN;
        }
        x[i] = result;
    }
}

static void divide(work *w, double *x, const double *y, bool mod, const uint8_t *active)
{
    for (size_t i = 0; i < w->n; i++) {
        if (y[i] == 0) {
            if (!isnan(x[i]) && is_active(active, i)) note_fault(w, CAIRN_FAULT_DIVISION, i);
            x[i] = NAN;
        } else {
            x[i] = mod ? x[i] - y[i] * floor(x[i] / y[i]) : x[i] / y[i];
        }
    }
}

/* The result replaces x. Division and powers look at `active`, because they can fail and must not
 * count faults in rows that a condition left out. */
static void combine(work *w, cairn_op op, double *x, const double *y, const uint8_t *active)
{
    size_t n = w->n;
    switch (op) {
    case OP_ADD:
        for (size_t i = 0; i < n; i++) x[i] += y[i];
        break;
    case OP_SUBTRACT:
        for (size_t i = 0; i < n; i++) x[i] -= y[i];
        break;
    case OP_MULTIPLY:
        for (size_t i = 0; i < n; i++) x[i] *= y[i];
        break;
    case OP_ATAN2:
        for (size_t i = 0; i < n; i++) x[i] = cairn_atan2(x[i], y[i]);
        break;
    case OP_HYPOT:
        for (size_t i = 0; i < n; i++) x[i] = cairn_hypot(x[i], y[i]);
        break;
    case OP_POWER: raise(w, x, y, active); break;
    default: divide(w, x, y, op == OP_MOD, active); break;
    }
}

/* The vector of a node: a column of numbers as it lies, or computed into `buffer`. */
static cairn_status operand(work *w, uint32_t number, double *buffer, const uint8_t *active,
                            const double **out)
{
    const cairn_node *node = node_at(w, number);
    *out = buffer;
    if (node->op == OP_COLUMN && node->type == CAIRN_VALUE_NUMBER) {
        *out = w->e->table->slots[node->column].column->numbers + w->first;
        return CAIRN_OK;
    }
    return eval(w, number, buffer, active);
}

static cairn_status eval_binary(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *buffer;
    const double *right;
    CHECK(eval(w, node->child, out, active));
    CHECK(take(w, &buffer));
    CHECK(operand(w, node_at(w, node->child)->next, buffer, active, &right));
    combine(w, node->op, out, right, active);
    return CAIRN_OK;
}

/* A function of one number: a result that is not finite although x is, is a fault. */
static cairn_status eval_one(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double (*function)(double) = node->function->one;
    CHECK(eval(w, node->child, out, active));
    for (size_t i = 0; i < w->n; i++) {
        double x = out[i], y = function(x);
        if (isnan(x)) y = NAN;
        if (!isfinite(y) && isfinite(x)) {
            bool large = isinf(y) && node->function->fault == CAIRN_FAULT_DOMAIN;
            if (is_active(active, i))
                note_fault(w, large ? CAIRN_FAULT_INFINITE : node->function->fault, i);
            y = NAN;
        }
        out[i] = y;
    }
    return CAIRN_OK;
}

/* Rounding to `digits` decimals; negative ones round to tens and hundreds. */
static double round_to(double x, double digits)
{
    if (isnan(digits)) return NAN;
    digits = trunc(digits);
    if (digits == 0) return round(x);
    if (digits > 15) return x;
    double scale = cairn_pow(10, fabs(digits));
    if (isinf(scale)) return x * 0;
    double scaled = digits > 0 ? x * scale : x / scale;
    if (!isfinite(scaled)) return x;
    return digits > 0 ? round(scaled) / scale : round(scaled) * scale;
}

static cairn_status eval_round(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *buffer;
    const double *digits;
    CHECK(eval(w, node->child, out, active));
    CHECK(take(w, &buffer));
    fill(buffer, w->n, 0);
    digits = buffer;
    if (node->n_children > 1)
        CHECK(operand(w, node_at(w, node->child)->next, buffer, active, &digits));
    for (size_t i = 0; i < w->n; i++) out[i] = round_to(out[i], digits[i]);
    return CAIRN_OK;
}

/* -- several numbers of a row -- */

static void gather_one(cairn_op op, double *out, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (op == OP_MIN)
            out[i] = isnan(x[i]) || x[i] < out[i] ? x[i] : out[i];
        else if (op == OP_MAX)
            out[i] = isnan(x[i]) || x[i] > out[i] ? x[i] : out[i];
        else
            out[i] += x[i];
    }
}

static cairn_status eval_fold(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *buffer;
    const double *x;
    CHECK(eval(w, node->child, out, active));
    CHECK(take(w, &buffer));
    for (uint32_t i = node_at(w, node->child)->next; i != CAIRN_NO_NODE; i = node_at(w, i)->next) {
        CHECK(operand(w, i, buffer, active, &x));
        gather_one(node->op, out, x, w->n);
    }
    if (node->op == OP_MEAN)
        for (size_t i = 0; i < w->n; i++) out[i] /= (double)node->n_children;
    return CAIRN_OK;
}

/* Squared deviations by updating mean and sum, one argument at a time. */
static cairn_status eval_spread(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *mean, *buffer, k = 0;
    const double *x;
    CHECK(take(w, &mean));
    CHECK(take(w, &buffer));
    fill(mean, w->n, 0);
    fill(out, w->n, 0);
    for (uint32_t c = node->child; c != CAIRN_NO_NODE; c = node_at(w, c)->next) {
        CHECK(operand(w, c, buffer, active, &x));
        k++;
        for (size_t i = 0; i < w->n; i++) {
            double away = x[i] - mean[i];
            mean[i] += away / k;
            out[i] += away * (x[i] - mean[i]);
        }
    }
    for (size_t i = 0; i < w->n; i++) {
        double variance = k > 1 ? out[i] / (k - 1) : NAN;
        out[i] = node->op == OP_SD ? sqrt(variance) : variance;
    }
    return CAIRN_OK;
}

static cairn_status eval_clamp(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *buffer;
    const double *x;
    uint32_t low = node_at(w, node->child)->next;
    CHECK(eval(w, node->child, out, active));
    CHECK(take(w, &buffer));
    CHECK(operand(w, low, buffer, active, &x));
    gather_one(OP_MAX, out, x, w->n);
    CHECK(operand(w, node_at(w, low)->next, buffer, active, &x));
    gather_one(OP_MIN, out, x, w->n);
    return CAIRN_OK;
}

/* Which values of a child are missing. */
static cairn_status eval_absent(work *w, uint32_t child, double *out, const uint8_t *active)
{
    cairn_slice *texts;
    if (node_at(w, child)->type == CAIRN_VALUE_TEXT) {
        CHECK(take(w, &texts));
        CHECK(eval(w, child, texts, active));
        for (size_t i = 0; i < w->n; i++) out[i] = texts[i].bytes == NULL;
    } else {
        CHECK(eval(w, child, out, active));
        for (size_t i = 0; i < w->n; i++) out[i] = isnan(out[i]);
    }
    return CAIRN_OK;
}

static cairn_status eval_count(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *buffer;
    CHECK(take(w, &buffer));
    fill(out, w->n, 0);
    for (uint32_t c = node->child; c != CAIRN_NO_NODE; c = node_at(w, c)->next) {
        CHECK(eval_absent(w, c, buffer, active));
        for (size_t i = 0; i < w->n; i++) out[i] += 1 - buffer[i];
    }
    return CAIRN_OK;
}

/* -- comparisons and logic -- */

static double holds(cairn_op op, int order)
{
    switch (op) {
    case OP_EQUAL: return order == 0;
    case OP_UNEQUAL: return order != 0;
    case OP_LESS: return order < 0;
    case OP_LESS_EQUAL: return order <= 0;
    case OP_GREATER: return order > 0;
    default: return order >= 0;
    }
}

static void compare_numbers(cairn_op op, double *out, const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double a = x[i], b = y[i];
        out[i] = isnan(a) || isnan(b) ? NAN : holds(op, (a > b) - (a < b));
    }
}

static void compare_texts(cairn_op op, double *out, const cairn_slice *x, const cairn_slice *y,
                          size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x[i].bytes && y[i].bytes ? holds(op, cairn_slice_compare(x[i], y[i])) : NAN;
}

/* The column of ordered levels that the node reads, or NULL. */
static const cairn_column *ordered_levels(const work *w, uint32_t number)
{
    const cairn_node *node = node_at(w, number);
    if (node->op != OP_COLUMN) return NULL;
    const cairn_column *column = w->e->table->slots[node->column].column;
    return column->kind == CAIRN_LEVEL && column->ordered ? column : NULL;
}

/* Texts as places in the order of the levels; a text that is no level has no place. */
static void to_places(double *out, const cairn_slice *texts, const cairn_column *levels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t place = -1;
        if (texts[i].bytes) place = cairn_map_find(&levels->names, texts[i].bytes, texts[i].length);
        out[i] = place < 0 ? NAN : (double)place;
    }
}

/* Compare the vectors of two nodes; where one is a column of ordered levels, < and > go by their
 * order. */
static cairn_status eval_relation(work *w, cairn_op op, uint32_t a, uint32_t b, double *out,
                                  const uint8_t *active)
{
    void *x, *y;
    double *left, *right;
    CHECK(take(w, &x));
    CHECK(take(w, &y));
    CHECK(eval(w, a, x, active));
    CHECK(eval(w, b, y, active));
    if (node_at(w, a)->type != CAIRN_VALUE_TEXT) {
        compare_numbers(op, out, x, y, w->n);
        return CAIRN_OK;
    }
    const cairn_column *levels = ordered_levels(w, a);
    if (!levels) levels = ordered_levels(w, b);
    if (levels && op != OP_EQUAL && op != OP_UNEQUAL) {
        CHECK(take(w, &left));
        CHECK(take(w, &right));
        to_places(left, x, levels, w->n);
        to_places(right, y, levels, w->n);
        compare_numbers(op, out, left, right, w->n);
        return CAIRN_OK;
    }
    compare_texts(op, out, x, y, w->n);
    return CAIRN_OK;
}

static void both(double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] == 0 || y[i] == 0 ? 0 : isnan(x[i]) || isnan(y[i]) ? NAN : 1;
}

static void either(double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] == 1 || y[i] == 1 ? 1 : isnan(x[i]) || isnan(y[i]) ? NAN : 0;
}

static cairn_status eval_between(work *w, const cairn_node *node, double *out,
                                 const uint8_t *active)
{
    double *upper;
    uint32_t x = node->child, low = node_at(w, x)->next, high = node_at(w, low)->next;
    CHECK(take(w, &upper));
    CHECK(eval_relation(w, OP_GREATER_EQUAL, x, low, out, active));
    CHECK(eval_relation(w, OP_LESS_EQUAL, x, high, upper, active));
    both(out, upper, w->n);
    return CAIRN_OK;
}

/* One item of a list: equal makes it true, an item that is missing leaves it open. */
static cairn_status eval_in(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    void *x, *item;
    double *equal;
    bool texts = node_at(w, node->child)->type == CAIRN_VALUE_TEXT;
    CHECK(take(w, &x));
    CHECK(take(w, &item));
    CHECK(take(w, &equal));
    CHECK(eval(w, node->child, x, active));
    fill(out, w->n, 0);
    for (uint32_t c = node_at(w, node->child)->next; c != CAIRN_NO_NODE; c = node_at(w, c)->next) {
        CHECK(eval(w, c, item, active));
        if (texts)
            compare_texts(OP_EQUAL, equal, x, item, w->n);
        else
            compare_numbers(OP_EQUAL, equal, x, item, w->n);
        either(out, equal, w->n);
    }
    return CAIRN_OK;
}

/* The rows for which the truth is not `settled` are looked at further. */
static cairn_status mask_open(work *w, const double *truth, double settled, const uint8_t *active,
                              uint8_t **out)
{
    cairn_status status = SCRATCH_RAW(w->ctx, out, BLOCK);
    if (status) return status;
    for (size_t i = 0; i < w->n; i++) (*out)[i] = is_active(active, i) && truth[i] != settled;
    return CAIRN_OK;
}

static cairn_status eval_logic(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *right;
    uint8_t *open;
    bool and = node->op == OP_AND;
    CHECK(take(w, &right));
    CHECK(eval(w, node->child, out, active));
    CHECK(mask_open(w, out, and? 0 : 1, active, &open));
    CHECK(eval(w, node_at(w, node->child)->next, right, open));
    if (and)
        both(out, right, w->n);
    else
        either(out, right, w->n);
    return CAIRN_OK;
}

static void choose(void *out, const void *a, const void *b, const double *condition, size_t n,
                   bool texts)
{
    for (size_t i = 0; i < n; i++) {
        bool unknown = isnan(condition[i]);
        const void *from = condition[i] == 1 ? a : b;
        if (texts)
            ((cairn_slice *)out)[i] = unknown ? (cairn_slice){0} : ((const cairn_slice *)from)[i];
        else
            ((double *)out)[i] = unknown ? NAN : ((const double *)from)[i];
    }
}

/* Both branches are computed for the whole block, each active only in its rows: the other rows'
 * values are not used and their faults not counted. */
static cairn_status eval_if(work *w, const cairn_node *node, void *out, const uint8_t *active)
{
    double *condition;
    void *a, *b;
    uint8_t *yes, *no;
    uint32_t first = node_at(w, node->child)->next;
    CHECK(take(w, &condition));
    CHECK(take(w, &a));
    CHECK(take(w, &b));
    CHECK(eval(w, node->child, condition, active));
    CHECK(SCRATCH_RAW_EACH(w->ctx, BLOCK, &yes, &no));
    for (size_t i = 0; i < w->n; i++) {
        yes[i] = is_active(active, i) && condition[i] == 1;
        no[i] = is_active(active, i) && condition[i] == 0;
    }
    CHECK(eval(w, first, a, yes));
    CHECK(eval(w, node_at(w, first)->next, b, no));
    choose(out, a, b, condition, w->n, node->type == CAIRN_VALUE_TEXT);
    return CAIRN_OK;
}

static cairn_status eval_coalesce(work *w, const cairn_node *node, void *out, const uint8_t *active)
{
    void *next;
    bool texts = node->type == CAIRN_VALUE_TEXT;
    double *absent;
    uint8_t *open;
    CHECK(take(w, &next));
    CHECK(take(w, &absent));
    CHECK(eval(w, node->child, out, active));
    for (uint32_t c = node_at(w, node->child)->next; c != CAIRN_NO_NODE; c = node_at(w, c)->next) {
        for (size_t i = 0; i < w->n; i++)
            absent[i] = texts ? !((cairn_slice *)out)[i].bytes : isnan(((double *)out)[i]);
        CHECK(mask_open(w, absent, 0, active, &open));
        CHECK(eval(w, c, next, open));
        choose(out, next, out, absent, w->n, texts);
    }
    return CAIRN_OK;
}

/* -- chance -- */

/* A stream for each node and block of rows, so that values depend neither on threads nor on other
 * random calls in the expression. */
static cairn_status eval_random(work *w, uint32_t number, double *out, const uint8_t *active)
{
    const cairn_node *node = node_at(w, number);
    cairn_random random;
    double *buffer, *second;
    const double *a, *b;
    bool normal = node->op == OP_NORMAL;
    CHECK(take(w, &buffer));
    CHECK(take(w, &second));
    fill(buffer, w->n, 0);
    fill(second, w->n, 1);
    a = buffer, b = second;
    if (node->n_children > 0) CHECK(operand(w, node->child, buffer, active, &a));
    if (node->n_children > 1) CHECK(operand(w, node_at(w, node->child)->next, second, active, &b));
    uint64_t stream = (w->e->salt + number) * UINT64_C(0x9E3779B97F4A7C15) + w->first / BLOCK;
    cairn_random_start(&random, cairn_context_seed(w->ctx), stream);
    for (size_t i = 0; i < w->n; i++) {
        double x = normal ? cairn_random_normal(&random) : cairn_random_uniform(&random);
        out[i] = normal ? a[i] + b[i] * x : a[i] + (b[i] - a[i]) * x;
    }
    return CAIRN_OK;
}

/* -- texts -- */

/* A test of a missing text is missing, not false, as with comparisons of numbers. */
static cairn_status eval_test(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    cairn_slice *text, *part;
    CHECK(take(w, &text));
    CHECK(take(w, &part));
    CHECK(eval(w, node->child, text, active));
    CHECK(eval(w, node_at(w, node->child)->next, part, active));
    for (size_t i = 0; i < w->n; i++) {
        cairn_slice x = text[i], y = part[i];
        size_t n = y.length;
        out[i] = NAN;
        if (!x.bytes || !y.bytes) continue;
        switch (node->op) {
        case OP_CONTAINS: out[i] = cairn_slice_contains(x, y); break;
        case OP_STARTS: out[i] = n <= x.length && memcmp(x.bytes, y.bytes, n) == 0; break;
        case OP_ENDS:
            out[i] = n <= x.length && memcmp(x.bytes + x.length - n, y.bytes, n) == 0;
            break;
        default: out[i] = cairn_slice_matches(x, y); break;
        }
    }
    return CAIRN_OK;
}

/* Texts as numbers or as times; one that is none is a fault. */
static cairn_status eval_read(work *w, const cairn_node *node, double *out, const uint8_t *active,
                              cairn_fault fault)
{
    cairn_slice *texts;
    CHECK(take(w, &texts));
    CHECK(eval(w, node->child, texts, active));
    for (size_t i = 0; i < w->n; i++) {
        out[i] = NAN;
        if (!texts[i].bytes) continue;
        cairn_slice text = cairn_slice_trim(texts[i]);
        bool is_one = fault == CAIRN_FAULT_NUMBER
                          ? cairn_number_parse(text.bytes, text.length, &out[i])
                          : cairn_time_parse(text.bytes, text.length, NULL, &out[i], NULL, NULL);
        if (is_one) continue;
        out[i] = NAN;
        if (is_active(active, i)) note_fault(w, fault, i);
    }
    return CAIRN_OK;
}

static cairn_status eval_to_number(work *w, const cairn_node *node, double *out,
                                   const uint8_t *active)
{
    if (node_at(w, node->child)->type != CAIRN_VALUE_TEXT) return eval(w, node->child, out, active);
    return eval_read(w, node, out, active, CAIRN_FAULT_NUMBER);
}

/* -- times -- */

static cairn_status eval_time_part(work *w, const cairn_node *node, double *out,
                                   const uint8_t *active)
{
    cairn_calendar calendar;
    CHECK(eval(w, node->child, out, active));
    for (size_t i = 0; i < w->n; i++) {
        double seconds = out[i];
        out[i] = NAN;
        if (cairn_time_parts(seconds, &calendar))
            out[i] = node->function->part(&calendar);
        else if (!isnan(seconds) && is_active(active, i))
            note_fault(w, CAIRN_FAULT_TIME, i);
    }
    return CAIRN_OK;
}

/* A whole number that fits, 0 otherwise: no date has it. */
static int small_whole(double x)
{
    return x == floor(x) && fabs(x) < 1e6 ? (int)x : 0;
}

static cairn_status eval_date(work *w, const cairn_node *node, double *out, const uint8_t *active)
{
    double *month, *day;
    uint32_t second = node_at(w, node->child)->next;
    CHECK(take(w, &month));
    CHECK(take(w, &day));
    CHECK(eval(w, node->child, out, active));
    CHECK(eval(w, second, month, active));
    CHECK(eval(w, node_at(w, second)->next, day, active));
    for (size_t i = 0; i < w->n; i++) {
        bool missing = isnan(out[i]) || isnan(month[i]) || isnan(day[i]);
        out[i] = missing ? NAN
                         : cairn_time_of_date(small_whole(out[i]), small_whole(month[i]),
                                              small_whole(day[i]));
        if (!missing && isnan(out[i]) && is_active(active, i)) note_fault(w, CAIRN_FAULT_TIME, i);
    }
    return CAIRN_OK;
}

static cairn_status eval_of_text(work *w, const cairn_node *node, double *out,
                                 const uint8_t *active)
{
    cairn_slice *texts;
    if (node_at(w, node->child)->type != CAIRN_VALUE_TEXT) { /* truth(number) */
        CHECK(eval(w, node->child, out, active));
        for (size_t i = 0; i < w->n; i++) out[i] = isnan(out[i]) ? NAN : out[i] != 0;
        return CAIRN_OK;
    }
    CHECK(take(w, &texts));
    CHECK(eval(w, node->child, texts, active));
    for (size_t i = 0; i < w->n; i++)
        out[i] = !texts[i].bytes         ? NAN
                 : node->op == OP_LENGTH ? cairn_slice_letters(texts[i])
                                         : cairn_slice_truth(texts[i]);
    return CAIRN_OK;
}

static cairn_status eval_to_text(work *w, const cairn_node *node, cairn_slice *out,
                                 const uint8_t *active)
{
    double *numbers;
    cairn_value_type type = node_at(w, node->child)->type;
    if (type == CAIRN_VALUE_TEXT) return eval(w, node->child, out, active);
    CHECK(take(w, &numbers));
    CHECK(eval(w, node->child, numbers, active));
    for (size_t i = 0; i < w->n; i++) {
        out[i] = (cairn_slice){0};
        if (isnan(numbers[i])) continue;
        if (type == CAIRN_VALUE_NUMBER)
            CHECK(cairn_slice_number(w->ctx, &out[i], numbers[i]));
        else
            out[i] = numbers[i] == 1 ? (cairn_slice){"yes", 3} : (cairn_slice){"no", 2};
    }
    return CAIRN_OK;
}

static cairn_status eval_changed(work *w, const cairn_node *node, cairn_slice *out,
                                 const uint8_t *active)
{
    CHECK(eval(w, node->child, out, active));
    for (size_t i = 0; i < w->n; i++) {
        if (!out[i].bytes) continue;
        if (node->op == OP_TRIM)
            out[i] = cairn_slice_trim(out[i]);
        else
            CHECK(cairn_slice_case(w->ctx, &out[i], out[i], node->op == OP_UPPER));
    }
    return CAIRN_OK;
}

static cairn_status eval_concat(work *w, const cairn_node *node, cairn_slice *out,
                                const uint8_t *active)
{
    cairn_slice *next;
    CHECK(take(w, &next));
    CHECK(eval(w, node->child, out, active));
    for (uint32_t c = node_at(w, node->child)->next; c != CAIRN_NO_NODE; c = node_at(w, c)->next) {
        CHECK(eval(w, c, next, active));
        for (size_t i = 0; i < w->n; i++)
            if (!out[i].bytes || !next[i].bytes)
                out[i] = (cairn_slice){0};
            else
                CHECK(cairn_slice_join(w->ctx, &out[i], out[i], next[i]));
    }
    return CAIRN_OK;
}

static cairn_status eval_part(work *w, const cairn_node *node, cairn_slice *out,
                              const uint8_t *active)
{
    double *from, *n;
    uint32_t second = node_at(w, node->child)->next;
    CHECK(take(w, &from));
    CHECK(take(w, &n));
    fill(n, w->n, INFINITY);
    CHECK(eval(w, node->child, out, active));
    CHECK(eval(w, second, from, active));
    if (node->n_children > 2) CHECK(eval(w, node_at(w, second)->next, n, active));
    for (size_t i = 0; i < w->n; i++)
        if (out[i].bytes) out[i] = cairn_slice_part(out[i], from[i], n[i]);
    return CAIRN_OK;
}

static cairn_status eval_replace(work *w, const cairn_node *node, cairn_slice *out,
                                 const uint8_t *active)
{
    cairn_slice *old, *new;
    uint32_t second = node_at(w, node->child)->next;
    CHECK(take(w, &old));
    CHECK(take(w, &new));
    CHECK(eval(w, node->child, out, active));
    CHECK(eval(w, second, old, active));
    CHECK(eval(w, node_at(w, second)->next, new, active));
    for (size_t i = 0; i < w->n; i++)
        if (!out[i].bytes || !old[i].bytes || !new[i].bytes)
            out[i] = (cairn_slice){0};
        else
            CHECK(cairn_slice_replace(w->ctx, &out[i], out[i], old[i], new[i]));
    return CAIRN_OK;
}

/* -- the tree -- */

static cairn_status eval_texts(work *w, const cairn_node *node, void *out, const uint8_t *active)
{
    switch (node->op) {
    case OP_TO_TEXT: return eval_to_text(w, node, out, active);
    case OP_CONCAT: return eval_concat(w, node, out, active);
    case OP_PART: return eval_part(w, node, out, active);
    case OP_REPLACE: return eval_replace(w, node, out, active);
    default: return eval_changed(w, node, out, active);
    }
}

/* One place leads from operators to what computes them; `out` holds doubles or slices as the
 * checked type of the node says. */
static cairn_status eval_node(work *w, uint32_t number, void *out, const uint8_t *active)
{
    const cairn_node *node = node_at(w, number);
    double *numbers = out;
    switch (node->op) {
    case OP_NEGATE:
    case OP_NOT:
        CHECK(eval(w, node->child, out, active));
        for (size_t i = 0; i < w->n; i++)
            numbers[i] = node->op == OP_NOT ? 1 - numbers[i] : -numbers[i];
        break;
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_MOD:
    case OP_POWER:
    case OP_ATAN2:
    case OP_HYPOT: return eval_binary(w, node, out, active);
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
        return eval_relation(w, node->op, node->child, node_at(w, node->child)->next, out, active);
    case OP_BETWEEN: return eval_between(w, node, out, active);
    case OP_IN: return eval_in(w, node, out, active);
    case OP_IS_MISSING: return eval_absent(w, node->child, out, active);
    case OP_AND:
    case OP_OR: return eval_logic(w, node, out, active);
    case OP_ONE: return eval_one(w, node, out, active);
    case OP_ROUND: return eval_round(w, node, out, active);
    case OP_CLAMP: return eval_clamp(w, node, out, active);
    case OP_SUM:
    case OP_MEAN:
    case OP_MIN:
    case OP_MAX: return eval_fold(w, node, out, active);
    case OP_SD:
    case OP_VARIANCE: return eval_spread(w, node, out, active);
    case OP_COUNT: return eval_count(w, node, out, active);
    case OP_IF: return eval_if(w, node, out, active);
    case OP_COALESCE: return eval_coalesce(w, node, out, active);
    case OP_UNIFORM:
    case OP_NORMAL: return eval_random(w, number, out, active);
    case OP_TO_NUMBER: return eval_to_number(w, node, out, active);
    case OP_TIME_PART: return eval_time_part(w, node, out, active);
    case OP_DATE: return eval_date(w, node, out, active);
    case OP_TO_TIME: return eval_read(w, node, out, active, CAIRN_FAULT_TIME);
    case OP_LENGTH:
    case OP_TO_TRUTH: return eval_of_text(w, node, out, active);
    case OP_CONTAINS:
    case OP_STARTS:
    case OP_ENDS:
    case OP_MATCHES: return eval_test(w, node, out, active);
    default:
        if (node->child == CAIRN_NO_NODE)
            eval_leaf(w, node, out);
        else
            return eval_texts(w, node, out, active);
    }
    return CAIRN_OK;
}

/* What a node used is given back at once, unless it made texts: those lie in scratch. */
static cairn_status eval(work *w, uint32_t number, void *out, const uint8_t *active)
{
    const cairn_node *node = node_at(w, number);
    if (w->tables && w->tables[number]) {
        /* Values per level that were computed before. */
        const void *values = w->tables[number];
        const cairn_column *column = w->e->table->slots[node->level].column;
        size_t missing = column->names.n;
        for (size_t i = 0; i < w->n; i++) {
            int32_t code = code_of(w, column, i);
            size_t at = code < 0 ? missing : (size_t)code;
            if (node->type == CAIRN_VALUE_TEXT)
                ((cairn_slice *)out)[i] = ((const cairn_slice *)values)[at];
            else
                ((double *)out)[i] = ((const double *)values)[at];
        }
        return CAIRN_OK;
    }
    cairn_scratch_mark mark = cairn_scratch_now(w->ctx);
    cairn_status status = eval_node(w, number, out, active);
    if (node->type != CAIRN_VALUE_TEXT) cairn_scratch_release(w->ctx, mark);
    return status;
}

/* -- all rows -- */

typedef struct run {
    const cairn_expression *e;
    void **tables;
    double *numbers;      /* NUMBER, TRUTH */
    cairn_text *bytes;    /* TEXT: per task */
    size_t *lengths;      /* TEXT: per row */
    uint8_t *absent;      /* TEXT: per row */
    cairn_faults *faults; /* per task */
} run;

cairn_status cairn_expression_levels(cairn_context *ctx, const cairn_expression *e, uint32_t number,
                                     void **out)
{
    const cairn_node *node = &e->nodes[number];
    size_t n = e->table->slots[node->level].column->names.n + 1;
    size_t size = node->type == CAIRN_VALUE_TEXT ? sizeof(cairn_slice) : sizeof(double);
    cairn_faults none = {0};
    char *values, *block;
    CHECK(SCRATCH_RAW(ctx, &values, cairn_product(n, size)));
    CHECK(SCRATCH_RAW(ctx, &block, BLOCK * sizeof(cairn_slice)));
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t left = n - first;
        work w = {.ctx = ctx,
                  .e = e,
                  .first = first,
                  .n = left < BLOCK ? left : BLOCK,
                  .levels = true,
                  .faults = &none};
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(eval(&w, number, block, NULL));
        memcpy(values + first * size, block, w.n * size);
    }
    *out = values;
    return CAIRN_OK;
}

/* Subtrees worth a table, from the root down. */
static cairn_status fill_tables(cairn_context *ctx, const cairn_expression *e, uint32_t number,
                                void **tables)
{
    const cairn_node *node = &e->nodes[number];
    if (node->child == CAIRN_NO_NODE) return CAIRN_OK;
    if (node->pure && node->level >= 0 &&
        e->table->slots[node->level].column->names.n < e->table->n_rows / 4)
        return cairn_expression_levels(ctx, e, number, &tables[number]);
    for (uint32_t i = node->child; i != CAIRN_NO_NODE; i = e->nodes[i].next)
        CHECK(fill_tables(ctx, e, i, tables));
    return CAIRN_OK;
}

/* An infinite result is none, unless a column is only copied. */
static void drop_infinite(work *w, double *numbers)
{
    if (node_at(w, w->e->root)->op == OP_COLUMN) return;
    for (size_t i = 0; i < w->n; i++)
        if (isinf(numbers[i])) {
            note_fault(w, CAIRN_FAULT_INFINITE, i);
            numbers[i] = NAN;
        }
}

static cairn_status run_block(work *w, run *r, size_t task, void *block)
{
    const cairn_slice *texts = block;
    if (!r->bytes) {
        CHECK(eval(w, w->e->root, r->numbers + w->first, NULL));
        drop_infinite(w, r->numbers + w->first);
        return CAIRN_OK;
    }
    CHECK(eval(w, w->e->root, block, NULL));
    for (size_t i = 0; i < w->n; i++) {
        r->absent[w->first + i] = !texts[i].bytes;
        r->lengths[w->first + i] = texts[i].length;
        if (texts[i].length) cairn_text_add_bytes(&r->bytes[task], texts[i].bytes, texts[i].length);
    }
    return cairn_text_status(&r->bytes[task]);
}

/* Scratch is given back after every block: an expression needs room for one block at a time,
 * however long the table. */
static cairn_status run_task(cairn_context *ctx, void *data, size_t task)
{
    run *r = data;
    cairn_status status;
    size_t first = task * BLOCK * TASK_BLOCKS, n_rows = r->e->table->n_rows;
    cairn_slice *block;
    if (r->bytes) r->bytes[task] = cairn_text_start(ctx);
    TRY(SCRATCH_RAW(ctx, &block, BLOCK));
    for (size_t b = 0; b < TASK_BLOCKS && first < n_rows; b++, first += BLOCK) {
        size_t left = n_rows - first;
        work w = {.ctx = ctx,
                  .e = r->e,
                  .tables = r->tables,
                  .first = first,
                  .n = left < BLOCK ? left : BLOCK,
                  .faults = &r->faults[task]};
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        TRY(cairn_tick(ctx, NULL, 0, 0));
        status = run_block(&w, r, task, block);
        cairn_scratch_release(ctx, mark);
        if (status) goto done;
    }
done:
    return status;
}

static cairn_status run_all(cairn_context *ctx, run *r, cairn_faults *faults)
{
    size_t n_tasks = cairn_block_count(r->e->table->n_rows, (size_t)BLOCK * TASK_BLOCKS);
    CHECK(SCRATCH(ctx, &r->tables, r->e->n_nodes));
    CHECK(SCRATCH(ctx, &r->faults, n_tasks + 1));
    CHECK(fill_tables(ctx, r->e, r->e->root, r->tables));
    double steps = 4.0 * (double)r->e->table->n_rows * (double)r->e->n_nodes;
    CHECK(cairn_tasks_sized(ctx, n_tasks, steps, run_task, r));
    for (size_t i = 0; faults && i < n_tasks; i++) cairn_faults_add(faults, &r->faults[i]);
    return CAIRN_OK;
}

cairn_status cairn_expression_numbers(cairn_context *ctx, const cairn_expression *e, double *out,
                                      cairn_faults *faults)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    run r = {.e = e, .numbers = out};
    cairn_status status = run_all(ctx, &r, faults);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Texts of which few are different become levels, as when a file is read. */
static cairn_status settle_kind(cairn_context *ctx, cairn_column **column)
{
    OWNED(cairn_column_drop) cairn_column *levels = NULL;
    size_t n = (*column)->n_rows, most = n / 10 > 50 ? n / 10 : 50;
    CHECK(cairn_column_convert(ctx, &levels, *column, CAIRN_LEVEL, "", NULL, NULL, NULL));
    if (levels->names.n <= most) {
        cairn_column_drop(*column);
        *column = TAKE(levels);
    }
    return CAIRN_OK;
}

/* Tasks write their texts into buffers of their own, which are joined in order; then few different
 * values make it a column of levels. */
static cairn_status text_column(cairn_context *ctx, const cairn_expression *e, cairn_column **out,
                                cairn_faults *faults)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_column *column = NULL;
    run r = {.e = e};
    size_t n = e->table->n_rows, n_tasks = cairn_block_count(n, (size_t)BLOCK * TASK_BLOCKS);
    TRY(SCRATCH(ctx, &r.bytes, n_tasks + 1));
    TRY(SCRATCH_RAW_EACH(ctx, n + 1, &r.lengths, &r.absent));
    TRY(run_all(ctx, &r, faults));
    TRY(cairn_column_new(ctx, &column, CAIRN_TEXT, n));
    /* Join the bytes of the tasks into a text column. */
    size_t total = 0, at = 0;
    for (size_t i = 0; i < n_tasks; i++) total += r.bytes[i].length;
    TRY(NEW_RAW(ctx, &column->bytes, total + 1));
    for (size_t i = 0; i < n_tasks; i++) {
        if (r.bytes[i].length) memcpy(column->bytes + at, r.bytes[i].bytes, r.bytes[i].length);
        at += r.bytes[i].length;
    }
    for (size_t i = 0; i < column->n_rows; i++)
        column->starts[i + 1] = column->starts[i] + r.lengths[i];
    for (size_t i = 0; i < column->n_rows; i++)
        if (r.absent[i]) TRY(cairn_column_mark_absent(ctx, column, i));
    cairn_column_count_missing(column);
    TRY(settle_kind(ctx, &column));
    *out = column;
    column = NULL;
done:
    for (size_t i = 0; r.bytes && i < n_tasks; i++) cairn_text_clear(&r.bytes[i]);
    cairn_column_drop(column);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Truths as levels, both declared. */
static cairn_status truth_column(cairn_context *ctx, cairn_column **out, const double *truths,
                                 size_t n)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t index;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, n));
    CHECK(cairn_map_add(ctx, &column->names, "no", 2, &index));
    CHECK(cairn_map_add(ctx, &column->names, "yes", 3, &index));
    column->declared = true;
    for (size_t i = 0; i < n; i++) column->codes[i] = isnan(truths[i]) ? -1 : truths[i] == 1;
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

cairn_status cairn_expression_column(cairn_context *ctx, const cairn_expression *e,
                                     cairn_column **out, cairn_faults *faults)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t n = e->table->n_rows;
    if (cairn_expression_type(e) == CAIRN_VALUE_TEXT) return text_column(ctx, e, out, faults);
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, n));
    CHECK(cairn_expression_numbers(ctx, e, column->numbers, faults));
    if (cairn_expression_type(e) == CAIRN_VALUE_TRUTH) {
        CHECK(truth_column(ctx, out, column->numbers, n));
    } else {
        const char *pattern;
        if (cairn_expression_is_time(e, &pattern)) {
            column->kind = CAIRN_TIME;
            cairn_time_fit_pattern(column->pattern, pattern, column->numbers, n);
        }
        cairn_column_count_missing(column);
        *out = TAKE(column);
    }
    return CAIRN_OK;
}
