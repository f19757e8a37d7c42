/* SPDX-License-Identifier: MIT */
/* What the operations of a program do (runtime.h), as operators of ONNX in doubles over all rows of
 * a batch. Where ONNX has no operator for doubles, a few others stand for it. */
#include "base/functions.h"
#include "export/onnx.h"
#include <math.h>
#include <string.h>

static int is_missing(cairn_onnx_graph *g, int x)
{
    return cairn_onnx_one(g, "IsNaN", x);
}

static int as_number(cairn_onnx_graph *g, int truth)
{
    return cairn_onnx_cast(g, truth, ONNX_DOUBLE);
}

static int sum_along(cairn_onnx_graph *g, int x)
{
    return cairn_onnx_along(g, "ReduceSum", x);
}

/* A whole number of a column as places in a vector. */
static int places_of(cairn_onnx_graph *g, int column)
{
    static const int64_t flat[] = {-1};
    return cairn_onnx_shaped(g, cairn_onnx_cast(g, column, ONNX_INT64), flat, 1);
}

/* Rows of a table of n columns, by a column of their numbers. */
static int rows_of(cairn_onnx_graph *g, const double *table, size_t n_rows, size_t n, int column)
{
    return cairn_onnx_gather(g, cairn_onnx_numbers(g, table, n_rows, n), places_of(g, column), 0);
}

static int vector_of(cairn_onnx_graph *g, const double *values, size_t n)
{
    return cairn_onnx_numbers(g, values, 0, n);
}

/* The transposed table, n_rows x n_columns before; scratch. */
static double *transposed(cairn_onnx_graph *g, const double *table, size_t n_rows, size_t n_columns)
{
    double *out;
    if (!ONNX_ROOM(g, &out, cairn_product(n_rows, n_columns) + 1)) return NULL;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) out[j * n_rows + i] = table[i * n_columns + j];
    return out;
}

/* x times the transposed table of n_out rows. */
static int product(cairn_onnx_graph *g, int x, const double *table, size_t n_out, size_t n_in)
{
    const double *turned = transposed(g, table, n_out, n_in);
    if (!turned) return x;
    return cairn_onnx_two(g, "MatMul", x, cairn_onnx_numbers(g, turned, n_in, n_out));
}

/* -- cells one by one -- */

static int add_fill(cairn_onnx_graph *g, const cairn_operation *op)
{
    int x = cairn_onnx_inputs(g, op);
    return cairn_onnx_where(g, is_missing(g, x), vector_of(g, op->numbers[0], op->n_out), x);
}

static int add_scale(cairn_onnx_graph *g, const cairn_operation *op)
{
    int t[6], x = cairn_onnx_inputs(g, op);
    for (size_t i = 0; i < 6; i++) t[i] = vector_of(g, op->numbers[i], op->n_out);
    int gap = cairn_onnx_two(g, "Sub", cairn_onnx_two(g, "Mul", x, t[0]), t[1]);
    int y = cairn_onnx_two(g, "Mul", t[3], cairn_onnx_two(g, "Div", gap, t[2]));
    int below = cairn_onnx_where(g, cairn_onnx_two(g, "Greater", y, t[5]), t[5], y);
    return cairn_onnx_where(g, cairn_onnx_two(g, "Less", y, t[4]), t[4], below);
}

static int add_affine(cairn_onnx_graph *g, const cairn_operation *op)
{
    int constants = vector_of(g, op->numbers[0], op->n_out);
    if (op->n_in == 0) return cairn_onnx_spread(g, constants, op->n_out);
    int x = cairn_onnx_inputs(g, op);
    if (op->n_numbers[2]) x = cairn_onnx_two(g, "Sub", x, vector_of(g, op->numbers[2], op->n_in));
    return cairn_onnx_two(g, "Add", product(g, x, op->numbers[1], op->n_out, op->n_in), constants);
}

/* The f-th factors of all outputs at once; an output with fewer takes the column of ones. */
static int add_products(cairn_onnx_graph *g, const cairn_operation *op)
{
    const int32_t *starts = op->codes[0];
    int64_t *at;
    int32_t most = 0;
    int parts[] = {op->n_in ? cairn_onnx_inputs(g, op) : g->zeros, 0};
    if (!ONNX_ROOM(g, &at, op->n_out + 1)) return g->zeros;
    parts[1] = cairn_onnx_two(g, "Add", g->zeros, cairn_onnx_number(g, 1));
    int x = cairn_onnx_join(g, parts, 2, 1);
    int out = cairn_onnx_spread(g, vector_of(g, op->numbers[0], op->n_out), op->n_out);
    for (size_t k = 0; k < op->n_out; k++)
        if (starts[k + 1] - starts[k] > most) most = starts[k + 1] - starts[k];
    size_t ones = op->n_in ? op->n_in : 1;
    for (int32_t f = 0; f < most; f++) {
        for (size_t k = 0; k < op->n_out; k++)
            at[k] = starts[k] + f < starts[k + 1] ? op->codes[1][starts[k] + f] : (int64_t)ones;
        out = cairn_onnx_two(g, "Mul", out,
                             cairn_onnx_gather(g, x, cairn_onnx_wholes(g, at, op->n_out), 1));
    }
    return out;
}

static int add_lookup(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = (size_t)op->sizes[0], k = op->n_out;
    double *table;
    if (!ONNX_ROOM(g, &table, (n + 1) * k + 1)) return g->zeros;
    if (n > 0 && k > 0) memcpy(table, op->numbers[0], n * k * sizeof *table);
    memcpy(table + n * k, op->numbers[1], k * sizeof *table);
    int x = cairn_onnx_inputs(g, op), all = cairn_onnx_number(g, (double)n);
    int known =
        cairn_onnx_two(g, "And", cairn_onnx_two(g, "GreaterOrEqual", x, cairn_onnx_number(g, 0)),
                       cairn_onnx_two(g, "Less", x, all));
    return rows_of(g, table, n + 1, k, cairn_onnx_where(g, known, x, all));
}

/* The cuts below a number are counted; it is one of the known values where its own place counts. */
static int add_cuts(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = (size_t)op->sizes[0];
    double *counts;
    int x = cairn_onnx_inputs(g, op), none = cairn_onnx_number(g, NAN);
    if (!ONNX_ROOM(g, &counts, n + 1)) return g->zeros;
    if (n == 0)
        return op->sizes[1] ? cairn_onnx_two(g, "Mul", x, none)
                            : cairn_onnx_where(g, is_missing(g, x), none, g->zeros);
    for (size_t i = 0; i < n; i++) counts[i] = !op->codes[0][i];
    int at = vector_of(g, op->numbers[0], n), flags = vector_of(g, counts, n);
    int equal = as_number(g, cairn_onnx_two(g, "Equal", x, at));
    int above = as_number(g, cairn_onnx_two(g, "Greater", x, at));
    int count =
        sum_along(g, cairn_onnx_two(g, "Add", above, cairn_onnx_two(g, "Mul", equal, flags)));
    int gone = is_missing(g, x);
    if (op->sizes[1]) {
        int found = cairn_onnx_two(g, "Sub", equal, cairn_onnx_two(g, "Mul", equal, flags));
        int lost = cairn_onnx_two(g, "Less", sum_along(g, found), cairn_onnx_number(g, 1));
        gone = cairn_onnx_two(g, "Or", gone, lost);
    }
    return cairn_onnx_where(g, gone, none, count);
}

static int add_blank(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = (size_t)op->sizes[0];
    int gone = as_number(g, is_missing(g, cairn_onnx_slots(g, op->in, n)));
    int any = cairn_onnx_two(g, "Greater", cairn_onnx_along(g, "ReduceMax", gone),
                             cairn_onnx_number(g, 0));
    return cairn_onnx_where(g, any, vector_of(g, op->numbers[0], op->n_out),
                            cairn_onnx_slots(g, op->in + n, op->n_out));
}

static int plus(cairn_onnx_graph *g, int x, double more)
{
    return cairn_onnx_two(g, "Add", x, cairn_onnx_number(g, more));
}

static int times(cairn_onnx_graph *g, int x, double factor)
{
    return cairn_onnx_two(g, "Mul", x, cairn_onnx_number(g, factor));
}

/* ln gamma of numbers from 1 on: Stirling's series, 14 steps further on where that is not far. */
static int log_gamma(cairn_onnx_graph *g, int x)
{
    static const double series[] = {1.0 / 156,  -691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                                    1.0 / 1260, -1.0 / 360,      1.0 / 12};
    int large = cairn_onnx_two(g, "Greater", x, cairn_onnx_number(g, 1e6)),
        one = cairn_onnx_number(g, 1);
    int shift = x, far = cairn_onnx_where(g, large, x, plus(g, x, 14));
    for (int i = 1; i < 14; i++) shift = cairn_onnx_two(g, "Mul", shift, plus(g, x, i));
    shift = cairn_onnx_where(g, large, one, shift);
    int inverse = cairn_onnx_two(g, "Div", one, far),
        square = cairn_onnx_two(g, "Mul", inverse, inverse);
    int sum = cairn_onnx_number(g, series[0]);
    for (size_t i = 1; i < sizeof series / sizeof *series; i++)
        sum = plus(g, cairn_onnx_two(g, "Mul", sum, square), series[i]);
    int main = cairn_onnx_two(g, "Mul", plus(g, far, -0.5), cairn_onnx_one(g, "Log", far));
    int rest = plus(g, cairn_onnx_two(g, "Sub", cairn_onnx_two(g, "Mul", sum, inverse), far),
                    0.9189385332046728);
    return cairn_onnx_two(g, "Sub", cairn_onnx_two(g, "Add", main, rest),
                          cairn_onnx_one(g, "Log", shift));
}

/* -- formulas -- */

/* The exponential less 1, and the logarithm of 1 more: what rounding took from the argument of the
 * one is given back by the other. */
static int exp_less_1(cairn_onnx_graph *g, int x)
{
    int one = cairn_onnx_number(g, 1), u = cairn_onnx_one(g, "Exp", x);
    int y = cairn_onnx_two(g, "Mul", cairn_onnx_two(g, "Sub", u, one),
                           cairn_onnx_two(g, "Div", x, cairn_onnx_one(g, "Log", u)));
    int end = cairn_onnx_two(g, "Sub", u, one);
    int far = cairn_onnx_two(g, "Greater", cairn_onnx_one(g, "Abs", x), cairn_onnx_number(g, 30));
    return cairn_onnx_where(g, cairn_onnx_two(g, "Equal", u, one), x,
                            cairn_onnx_where(g, far, end, y));
}

/* The operator of the name answers to eight digits only. */
static int hyperbolic_tangent(cairn_onnx_graph *g, int x)
{
    int e = exp_less_1(g, times(g, cairn_onnx_one(g, "Abs", x), -2));
    return cairn_onnx_two(g, "Mul", cairn_onnx_one(g, "Sign", x),
                          cairn_onnx_one(g, "Neg", cairn_onnx_two(g, "Div", e, plus(g, e, 2))));
}

static int log_of_1_more(cairn_onnx_graph *g, int x)
{
    int one = cairn_onnx_number(g, 1), u = cairn_onnx_two(g, "Add", x, one),
        log_u = cairn_onnx_one(g, "Log", u);
    int y = cairn_onnx_two(g, "Mul", log_u,
                           cairn_onnx_two(g, "Div", x, cairn_onnx_two(g, "Sub", u, one)));
    int far = cairn_onnx_two(g, "Greater", cairn_onnx_one(g, "Abs", x), cairn_onnx_number(g, 1e9));
    return cairn_onnx_where(g, cairn_onnx_two(g, "Equal", u, one), x,
                            cairn_onnx_where(g, far, log_u, y));
}

/* The angle of a number: of its inverse where it is above 1, of half the angle three times, and
 * then by the series. */
static int arc_tangent(cairn_onnx_graph *g, int x)
{
    int one = cairn_onnx_number(g, 1), size = cairn_onnx_one(g, "Abs", x);
    int large = cairn_onnx_two(g, "Greater", size, one);
    int y = cairn_onnx_where(g, large, cairn_onnx_two(g, "Div", one, size), size);
    for (int i = 0; i < 3; i++) {
        int root = cairn_onnx_one(g, "Sqrt",
                                  cairn_onnx_two(g, "Add", cairn_onnx_two(g, "Mul", y, y), one));
        y = cairn_onnx_two(g, "Div", y, cairn_onnx_two(g, "Add", root, one));
    }
    int square = cairn_onnx_two(g, "Mul", y, y), sum = cairn_onnx_number(g, 1.0 / 25);
    for (int n = 23; n > 0; n -= 2)
        sum = cairn_onnx_two(g, "Sub", cairn_onnx_number(g, 1.0 / n),
                             cairn_onnx_two(g, "Mul", sum, square));
    y = cairn_onnx_two(g, "Mul", cairn_onnx_two(g, "Mul", sum, y), cairn_onnx_number(g, 8));
    y = cairn_onnx_where(g, large,
                         cairn_onnx_two(g, "Sub", cairn_onnx_number(g, 1.5707963267948966), y), y);
    return cairn_onnx_where(g, cairn_onnx_two(g, "Less", x, cairn_onnx_number(g, 0)),
                            cairn_onnx_one(g, "Neg", y), y);
}

/* The angle of the point (x, y); of the origin 0. */
static int angle_of(cairn_onnx_graph *g, int y, int x)
{
    int zero = cairn_onnx_number(g, 0), pi = cairn_onnx_number(g, 3.141592653589793);
    int angle = arc_tangent(g, cairn_onnx_two(g, "Div", y, x));
    int below = cairn_onnx_two(g, "Less", y, zero);
    int turned = cairn_onnx_where(g, below, cairn_onnx_two(g, "Sub", angle, pi),
                                  cairn_onnx_two(g, "Add", angle, pi));
    angle = cairn_onnx_where(g, cairn_onnx_two(g, "Less", x, zero), turned, angle);
    int none = cairn_onnx_two(g, "And", cairn_onnx_two(g, "Equal", x, zero),
                              cairn_onnx_two(g, "Equal", y, zero));
    return cairn_onnx_where(g, none, zero, angle);
}

static int error_function(cairn_onnx_graph *g, int x)
{
    int a = cairn_onnx_one(g, "Abs", x), square = cairn_onnx_two(g, "Mul", a, a), term = a, sum = a,
        rest;
    int e =
        times(g, cairn_onnx_one(g, "Exp", cairn_onnx_one(g, "Neg", square)), 1.1283791670955126);
    int small = cairn_onnx_two(g, "Less", a, cairn_onnx_number(g, 2.5));
    for (int n = 1; n < 50; n++) {
        term = cairn_onnx_two(g, "Mul", term, times(g, square, 2.0 / (2 * n + 1)));
        sum = cairn_onnx_two(g, "Add", sum, term);
    }
    rest = cairn_onnx_where(g, small, cairn_onnx_number(g, 2.5), a);
    int safe = rest;
    for (int n = 60; n > 0; n--)
        rest = cairn_onnx_two(g, "Add", safe,
                              cairn_onnx_two(g, "Div", cairn_onnx_number(g, n / 2.0), rest));
    int far = plus(g, times(g, cairn_onnx_two(g, "Div", times(g, e, 0.5), rest), -1), 1);
    int y = cairn_onnx_where(g, small, cairn_onnx_two(g, "Mul", e, sum), far);
    return cairn_onnx_two(g, "Mul", cairn_onnx_one(g, "Sign", x), y);
}

/* ln gamma of any number, by what it is at x + 1, and of numbers below 1/2 by that of 1 - x. */
static int log_gamma_of(cairn_onnx_graph *g, int x)
{
    int half = cairn_onnx_number(g, 0.5), low = cairn_onnx_two(g, "Less", x, half);
    int y = cairn_onnx_where(g, low, cairn_onnx_two(g, "Sub", cairn_onnx_number(g, 1), x), x);
    int up = cairn_onnx_two(g, "Sub", log_gamma(g, plus(g, y, 1)), cairn_onnx_one(g, "Log", y));
    up = cairn_onnx_where(g, cairn_onnx_two(g, "Less", y, cairn_onnx_number(g, 20)), up,
                          log_gamma(g, y));
    int sine = cairn_onnx_one(g, "Abs", cairn_onnx_one(g, "Sin", times(g, x, 3.141592653589793)));
    int turned = cairn_onnx_two(
        g, "Sub",
        cairn_onnx_one(g, "Log",
                       cairn_onnx_two(g, "Div", cairn_onnx_number(g, 3.141592653589793), sine)),
        up);
    int whole = cairn_onnx_two(g, "Equal", cairn_onnx_one(g, "Floor", x), x);
    int pole = cairn_onnx_two(g, "And", whole,
                              cairn_onnx_two(g, "LessOrEqual", x, cairn_onnx_number(g, 0)));
    return cairn_onnx_where(g, pole, cairn_onnx_number(g, INFINITY),
                            cairn_onnx_where(g, low, turned, up));
}

/* 1 and 2 where whole, halves away from 0. */
static int half_up(cairn_onnx_graph *g, int x)
{
    int a = cairn_onnx_one(g, "Abs", x), whole = cairn_onnx_one(g, "Floor", a);
    int up = cairn_onnx_two(g, "GreaterOrEqual", cairn_onnx_two(g, "Sub", a, whole),
                            cairn_onnx_number(g, 0.5));
    return cairn_onnx_two(g, "Mul", cairn_onnx_one(g, "Sign", x),
                          cairn_onnx_where(g, up, plus(g, whole, 1), whole));
}

static int truncated(cairn_onnx_graph *g, int x)
{
    return cairn_onnx_two(g, "Mul", cairn_onnx_one(g, "Sign", x),
                          cairn_onnx_one(g, "Floor", cairn_onnx_one(g, "Abs", x)));
}

/* Functions of one number, in the order of cairn_formula_functions. */
static int function_of(cairn_onnx_graph *g, int which, int x)
{
    static const char *const operators[] = {
        [0] = "Abs",  [1] = "Sign", [2] = "Sqrt",   [5] = "Exp",   [7] = "Log",
        [11] = "Sin", [12] = "Cos", [24] = "Floor", [25] = "Ceil", [26] = NULL,
    };
    int one = cairn_onnx_number(g, 1), zero = cairn_onnx_number(g, 0), e;
    if (operators[which]) return cairn_onnx_one(g, operators[which], x);
    switch (which) {
    case 3: return cairn_onnx_two(g, "Mul", x, x);
    case 4:
        e = cairn_onnx_two(g, "Pow", cairn_onnx_one(g, "Abs", x), cairn_onnx_number(g, 1.0 / 3));
        return cairn_onnx_two(g, "Mul", cairn_onnx_one(g, "Sign", x), e);
    case 6: return exp_less_1(g, x);
    case 8:
        return cairn_onnx_two(g, "Div", cairn_onnx_one(g, "Log", x),
                              cairn_onnx_number(g, cairn_log(2)));
    case 9:
        return cairn_onnx_two(g, "Div", cairn_onnx_one(g, "Log", x),
                              cairn_onnx_number(g, cairn_log(10)));
    case 10: return log_of_1_more(g, x);
    case 13:
        return cairn_onnx_two(g, "Div", cairn_onnx_one(g, "Sin", x), cairn_onnx_one(g, "Cos", x));
    case 14:
    case 15:
        e = cairn_onnx_two(g, "Mul", cairn_onnx_two(g, "Sub", one, x),
                           cairn_onnx_two(g, "Add", one, x));
        e = cairn_onnx_one(g, "Sqrt", e);
        return which == 14 ? angle_of(g, x, e) : angle_of(g, e, x);
    case 16: return arc_tangent(g, x);
    case 17:
        e = exp_less_1(g, x);
        return times(g, cairn_onnx_two(g, "Add", e, cairn_onnx_two(g, "Div", e, plus(g, e, 1))),
                     0.5);
    case 18:
        e = cairn_onnx_one(g, "Exp", x);
        return times(g, cairn_onnx_two(g, "Add", e, cairn_onnx_two(g, "Div", one, e)), 0.5);
    case 19: return hyperbolic_tangent(g, x);
    case 20:
        return cairn_onnx_two(g, "Div", one,
                              plus(g, cairn_onnx_one(g, "Exp", cairn_onnx_one(g, "Neg", x)), 1));
    case 21: return cairn_onnx_where(g, cairn_onnx_two(g, "Greater", x, zero), x, zero);
    case 22: return error_function(g, x);
    case 23: return log_gamma_of(g, x);
    default: return truncated(g, x);
    }
}

static int is_finite(cairn_onnx_graph *g, int x)
{
    return cairn_onnx_two(g, "Less", cairn_onnx_one(g, "Abs", x), cairn_onnx_number(g, INFINITY));
}

/* What is not finite though its numbers are is missing. */
static int finite_or_none(cairn_onnx_graph *g, int y, int were_finite)
{
    int bad = cairn_onnx_two(g, "And", were_finite, cairn_onnx_one(g, "Not", is_finite(g, y)));
    return cairn_onnx_where(g, bad, cairn_onnx_number(g, NAN), y);
}

static int compute_one(cairn_onnx_graph *g, int what, int x)
{
    if (what == CAIRN_DO_MISSING) return as_number(g, is_missing(g, x));
    if (what == CAIRN_DO_NOT)
        return cairn_onnx_where(
            g, is_missing(g, x), x,
            as_number(g, cairn_onnx_two(g, "Equal", x, cairn_onnx_number(g, 0))));
    if (what == CAIRN_DO_FINITE)
        return cairn_onnx_where(g, is_finite(g, x), x, cairn_onnx_number(g, NAN));
    return finite_or_none(g, function_of(g, what - CAIRN_DO_ONE, x), is_finite(g, x));
}

/* Division and remainder by 0 are missing. */
static int compute_quotient(cairn_onnx_graph *g, int what, int x, int y)
{
    int none = cairn_onnx_two(g, "Equal", y, cairn_onnx_number(g, 0)),
        z = cairn_onnx_two(g, "Div", x, y);
    if (what == CAIRN_DO_MOD)
        z = cairn_onnx_two(g, "Sub", x, cairn_onnx_two(g, "Mul", y, cairn_onnx_one(g, "Floor", z)));
    return cairn_onnx_where(g, none, cairn_onnx_number(g, NAN), z);
}

/* Rounded to so many decimals. */
static int compute_round(cairn_onnx_graph *g, int x, int digits)
{
    int zero = cairn_onnx_number(g, 0), whole = truncated(g, digits);
    int scale = cairn_onnx_two(g, "Pow", cairn_onnx_number(g, 10), cairn_onnx_one(g, "Abs", whole));
    int behind = cairn_onnx_two(g, "Greater", whole, zero);
    int scaled = cairn_onnx_where(g, behind, cairn_onnx_two(g, "Mul", x, scale),
                                  cairn_onnx_two(g, "Div", x, scale));
    int rounded = half_up(g, scaled);
    int y = cairn_onnx_where(g, behind, cairn_onnx_two(g, "Div", rounded, scale),
                             cairn_onnx_two(g, "Mul", rounded, scale));
    int far = cairn_onnx_two(g, "Or", cairn_onnx_two(g, "Greater", whole, cairn_onnx_number(g, 15)),
                             cairn_onnx_one(g, "Not", is_finite(g, scaled)));
    return cairn_onnx_where(g, far, x, y);
}

static int compute_two(cairn_onnx_graph *g, int what, int x, int y)
{
    static const char *const relations[] = {"Equal",       "Equal",   "Less",
                                            "LessOrEqual", "Greater", "GreaterOrEqual"};
    int z = x;
    if (what == CAIRN_DO_SUBTRACT) {
        z = cairn_onnx_two(g, "Sub", x, y);
    } else if (what == CAIRN_DO_MULTIPLY) {
        z = cairn_onnx_two(g, "Mul", x, y);
    } else if (what == CAIRN_DO_DIVIDE || what == CAIRN_DO_MOD) {
        z = compute_quotient(g, what, x, y);
    } else if (what == CAIRN_DO_POWER) {
        int finite = cairn_onnx_two(g, "And", is_finite(g, x), is_finite(g, y));
        z = finite_or_none(g, cairn_onnx_two(g, "Pow", x, y), finite);
    } else if (what == CAIRN_DO_HYPOT) {
        int sum = cairn_onnx_two(g, "Add", cairn_onnx_two(g, "Mul", x, x),
                                 cairn_onnx_two(g, "Mul", y, y));
        z = cairn_onnx_one(g, "Sqrt", sum);
    } else if (what == CAIRN_DO_ATAN2) {
        z = angle_of(g, x, y);
    } else if (what == CAIRN_DO_ROUND) {
        z = compute_round(g, x, y);
    } else {
        z = cairn_onnx_two(g, relations[what - CAIRN_DO_EQUAL], x, y);
        if (what == CAIRN_DO_UNEQUAL) z = cairn_onnx_one(g, "Not", z);
        z = as_number(g, z);
    }
    int gone = cairn_onnx_two(g, "Or", is_missing(g, x), is_missing(g, y));
    return cairn_onnx_where(g, gone, cairn_onnx_number(g, NAN), z);
}

/* One more number of a sum, least, greatest, count, first, and, or. */
static int compute_join(cairn_onnx_graph *g, int what, int x, int y)
{
    int none = cairn_onnx_number(g, NAN);
    if (what == CAIRN_DO_SUM || what == CAIRN_DO_COUNT) return cairn_onnx_two(g, "Add", x, y);
    if (what == CAIRN_DO_COALESCE) return cairn_onnx_where(g, is_missing(g, x), y, x);
    if (what == CAIRN_DO_MIN || what == CAIRN_DO_MAX) {
        int better = cairn_onnx_two(g, what == CAIRN_DO_MIN ? "Less" : "Greater", y, x);
        return cairn_onnx_where(g, cairn_onnx_two(g, "Or", is_missing(g, y), better), y, x);
    }
    int decides = cairn_onnx_number(g, what == CAIRN_DO_AND ? 0 : 1);
    int other = cairn_onnx_number(g, what == CAIRN_DO_AND ? 1 : 0);
    int decided = cairn_onnx_two(g, "Or", cairn_onnx_two(g, "Equal", x, decides),
                                 cairn_onnx_two(g, "Equal", y, decides));
    int gone = cairn_onnx_two(g, "Or", is_missing(g, x), is_missing(g, y));
    return cairn_onnx_where(g, decided, decides, cairn_onnx_where(g, gone, none, other));
}

/* Variance of the last n numbers, dividing by n - 1. */
static int compute_variance(cairn_onnx_graph *g, const int *x, size_t n)
{
    int sum = x[0], squares = 0;
    if (n < 2) return cairn_onnx_two(g, "Add", g->zeros, cairn_onnx_number(g, NAN));
    for (size_t i = 1; i < n; i++) sum = cairn_onnx_two(g, "Add", sum, x[i]);
    int mean = cairn_onnx_two(g, "Div", sum, cairn_onnx_number(g, (double)n));
    for (size_t i = 0; i < n; i++) {
        int away = cairn_onnx_two(g, "Sub", x[i], mean),
            square = cairn_onnx_two(g, "Mul", away, away);
        squares = i ? cairn_onnx_two(g, "Add", squares, square) : square;
    }
    return cairn_onnx_two(g, "Div", squares, cairn_onnx_number(g, (double)n - 1));
}

static int compute_many(cairn_onnx_graph *g, int what, const int *x, size_t n)
{
    if (what == CAIRN_DO_VARIANCE) return compute_variance(g, x, n);
    if (what == CAIRN_DO_IF) {
        int chosen = cairn_onnx_where(g, cairn_onnx_two(g, "Equal", x[0], cairn_onnx_number(g, 1)),
                                      x[1], x[2]);
        return cairn_onnx_where(g, is_missing(g, x[0]), x[0], chosen);
    }
    if (what >= CAIRN_DO_MISSING) return compute_one(g, what, x[0]);
    if (what >= CAIRN_DO_SUBTRACT) return compute_two(g, what, x[0], x[1]);
    int y = 0;
    for (size_t i = 0; i < n; i++) {
        int next = x[i];
        if (what == CAIRN_DO_COUNT)
            next = as_number(g, cairn_onnx_one(g, "Not", is_missing(g, next)));
        y = i ? compute_join(g, what, y, next) : next;
    }
    return y;
}

/* The stack holds tensors of one column. */
static int add_compute(cairn_onnx_graph *g, const cairn_operation *op)
{
    int *stack, *out, top = 0;
    if (!ONNX_ROOM(g, &stack, (size_t)op->sizes[0] + 1) || !ONNX_ROOM(g, &out, op->n_out + 1))
        return g->zeros;
    for (size_t i = 0; i < (size_t)op->sizes[0]; i++) {
        int what = op->codes[0][2 * i], with = op->codes[0][2 * i + 1];
        if (what == CAIRN_DO_SLOT) {
            stack[top++] = cairn_onnx_slots(g, op->in + with, 1);
        } else if (what == CAIRN_DO_NUMBER) {
            stack[top++] =
                cairn_onnx_two(g, "Add", g->zeros, cairn_onnx_number(g, op->numbers[0][with]));
        } else if (what == CAIRN_DO_WRITE) {
            out[with] = stack[--top];
        } else {
            top -= with - 1;
            stack[top - 1] = compute_many(g, what, stack + top - 1, (size_t)with);
        }
    }
    return cairn_onnx_join(g, out, op->n_out, 1);
}

/* -- times -- */

static int floor_div(cairn_onnx_graph *g, int x, double by)
{
    return cairn_onnx_one(g, "Floor", cairn_onnx_two(g, "Div", x, cairn_onnx_number(g, by)));
}

/* Days from 1970-01-01 to the first of January. */
static int new_year(cairn_onnx_graph *g, int year)
{
    int y = plus(g, year, -1);
    int leaps = cairn_onnx_two(g, "Sub", floor_div(g, y, 4), floor_div(g, y, 100));
    int days = cairn_onnx_two(g, "Add", times(g, y, 365),
                              cairn_onnx_two(g, "Add", leaps, floor_div(g, y, 400)));
    return plus(g, days, -719162);
}

static int remainder_of(cairn_onnx_graph *g, int x, double by)
{
    return cairn_onnx_two(g, "Sub", x, times(g, floor_div(g, x, by), by));
}

/* Days from the Monday of the year's first week to a day. */
static int in_weeks(cairn_onnx_graph *g, int year, int days)
{
    int first = new_year(g, year), weekday = remainder_of(g, plus(g, first, 3), 7);
    int late = cairn_onnx_two(g, "Greater", weekday, cairn_onnx_number(g, 3));
    return cairn_onnx_two(g, "Add", cairn_onnx_two(g, "Sub", days, first),
                          cairn_onnx_where(g, late, plus(g, weekday, -7), weekday));
}

static int is_leap(cairn_onnx_graph *g, int year)
{
    int by4 = cairn_onnx_two(g, "Equal", remainder_of(g, year, 4), cairn_onnx_number(g, 0));
    int by100 = cairn_onnx_two(g, "Equal", remainder_of(g, year, 100), cairn_onnx_number(g, 0));
    int by400 = cairn_onnx_two(g, "Equal", remainder_of(g, year, 400), cairn_onnx_number(g, 0));
    return cairn_onnx_two(g, "Or", cairn_onnx_two(g, "And", by4, cairn_onnx_one(g, "Not", by100)),
                          by400);
}

/* The year by its average length, and one more or less; the month by the last days of the months
 * before it. */
static int add_calendar(cairn_onnx_graph *g, const cairn_operation *op)
{
    static const double ends[] = {31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    static const double lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const double later[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    int p[CAIRN_PARTS], t = cairn_onnx_inputs(g, op), none = cairn_onnx_number(g, NAN);
    int bad = cairn_onnx_one(
        g, "Not",
        cairn_onnx_two(g, "And",
                       cairn_onnx_two(g, "GreaterOrEqual", t, cairn_onnx_number(g, -62135596800.0)),
                       cairn_onnx_two(g, "Less", t, cairn_onnx_number(g, 253402300800.0))));
    t = cairn_onnx_where(g, bad, cairn_onnx_number(g, 0), t);
    int days = floor_div(g, t, 86400), rest = cairn_onnx_two(g, "Sub", t, times(g, days, 86400));
    int year = plus(g, floor_div(g, plus(g, days, 719162), 365.2425), 1);
    for (int step = 0; step < 2; step++) {
        int over = cairn_onnx_two(g, "Greater", new_year(g, year), days);
        int under = cairn_onnx_two(g, "LessOrEqual", new_year(g, plus(g, year, 1)), days);
        year = cairn_onnx_two(g, "Add", year,
                              cairn_onnx_two(g, "Sub", as_number(g, under), as_number(g, over)));
    }
    int leap = as_number(g, is_leap(g, year));
    int day = cairn_onnx_two(g, "Sub", days, new_year(g, year));
    int before = cairn_onnx_two(g, "Add", vector_of(g, ends, 11),
                                cairn_onnx_two(g, "Mul", leap, vector_of(g, later, 11)));
    int passed = as_number(g, cairn_onnx_two(g, "GreaterOrEqual", day, before));
    int month = sum_along(g, passed);
    int length = cairn_onnx_two(
        g, "Add", rows_of(g, lengths, 12, 1, month),
        cairn_onnx_two(g, "Mul", leap,
                       as_number(g, cairn_onnx_two(g, "Equal", month, cairn_onnx_number(g, 1)))));
    int parts[] = {g->zeros, before};
    int starts = cairn_onnx_two(
        g, "Mul", cairn_onnx_join(g, parts, 2, 1),
        as_number(g, cairn_onnx_two(g, "LessOrEqual", cairn_onnx_join(g, parts, 2, 1), day)));
    int start = cairn_onnx_along(g, "ReduceMax", starts);
    int of = cairn_onnx_where(
        g, cairn_onnx_two(g, "Less", in_weeks(g, year, days), cairn_onnx_number(g, 0)),
        plus(g, year, -1), year);
    int next = cairn_onnx_two(g, "GreaterOrEqual", in_weeks(g, plus(g, year, 1), days),
                              cairn_onnx_number(g, 0));
    of = cairn_onnx_where(g, next, plus(g, year, 1), of);
    int last = plus(g, new_year(g, plus(g, of, 1)), -4);
    int hour = floor_div(g, rest, 3600);
    int in_hour = cairn_onnx_two(g, "Sub", rest, times(g, hour, 3600)),
        minute = floor_div(g, in_hour, 60);
    p[CAIRN_PART_YEAR] = year;
    p[CAIRN_PART_QUARTER] = plus(g, floor_div(g, month, 3), 1);
    p[CAIRN_PART_MONTH] = plus(g, month, 1);
    p[CAIRN_PART_WEEK] = plus(g, floor_div(g, in_weeks(g, of, days), 7), 1);
    p[CAIRN_PART_DAY] = plus(g, cairn_onnx_two(g, "Sub", day, start), 1);
    p[CAIRN_PART_WEEKDAY] = plus(g, remainder_of(g, plus(g, days, 3), 7), 1);
    p[CAIRN_PART_YEARDAY] = plus(g, day, 1);
    p[CAIRN_PART_WEEKEND] = as_number(
        g, cairn_onnx_two(g, "GreaterOrEqual", p[CAIRN_PART_WEEKDAY], cairn_onnx_number(g, 6)));
    p[CAIRN_PART_HOUR] = hour;
    p[CAIRN_PART_MINUTE] = minute;
    p[CAIRN_PART_SECOND] = cairn_onnx_two(g, "Sub", in_hour, times(g, minute, 60));
    p[CAIRN_PART_WEEKS] = plus(g, floor_div(g, in_weeks(g, of, last), 7), 1);
    p[CAIRN_PART_DAYS] = length;
    p[CAIRN_PART_YEARDAYS] = plus(g, leap, 365);
    return cairn_onnx_where(g, bad, none, cairn_onnx_join(g, p, CAIRN_PARTS, 1));
}

/* -- places -- */

enum {
    APART_SQUARES,
    APART_ABSOLUTE,
    APART_POWERS,
    APART_LARGEST,
    APART_DIFFER,
    APART_CANBERRA,
    APART_GOWER
};

/* Distances of every row from n places, column by column, as runtime.h has them. */
static int apart(cairn_onnx_graph *g, const cairn_operation *op, const double *places, size_t n,
                 int kind, const double *power, const double *factors)
{
    const double *turned = transposed(g, places, n, op->n_in);
    int sum = cairn_onnx_spread(g, cairn_onnx_number(g, 0), n), known = g->zeros, x = 0,
        largest = 0;
    bool powers = kind == APART_POWERS || kind == APART_LARGEST;
    for (int pass = powers ? 0 : 1; turned && pass < (kind == APART_LARGEST ? 1 : 2); pass++)
        for (size_t j = 0; j < op->n_in; j++) {
            int place = vector_of(g, turned + j * n, n);
            x = cairn_onnx_slots(g, op->in + j, 1);
            int gap = cairn_onnx_one(g, "Abs", cairn_onnx_two(g, "Sub", x, place)), add = gap;
            int differs =
                as_number(g, cairn_onnx_one(g, "Not", cairn_onnx_two(g, "Equal", x, place)));
            if (pass == 0) {
                int more = cairn_onnx_two(g, "Or",
                                          cairn_onnx_two(g, "Greater", gap, j ? largest : g->zeros),
                                          is_missing(g, gap));
                largest = cairn_onnx_where(g, more, gap, j ? largest : sum);
                continue;
            }
            if (kind == APART_SQUARES) add = cairn_onnx_two(g, "Mul", gap, gap);
            if (kind == APART_POWERS)
                add = cairn_onnx_two(g, "Pow", cairn_onnx_two(g, "Div", gap, largest),
                                     cairn_onnx_number(g, power[0]));
            if (kind == APART_DIFFER) add = differs;
            if (kind == APART_CANBERRA) {
                int size = cairn_onnx_two(g, "Add", cairn_onnx_one(g, "Abs", x),
                                          cairn_onnx_one(g, "Abs", place));
                int same = cairn_onnx_two(g, "Equal", x, place);
                add = cairn_onnx_where(g, same, g->zeros, cairn_onnx_two(g, "Div", gap, size));
            }
            if (kind == APART_GOWER) {
                int gone = is_missing(g, gap);
                add = factors[j] > 0 ? times(g, gap, factors[j]) : differs;
                add = cairn_onnx_where(g, gone, g->zeros, add);
                known =
                    cairn_onnx_two(g, "Add", known, as_number(g, cairn_onnx_one(g, "Not", gone)));
            }
            sum = cairn_onnx_two(g, "Add", sum, add);
        }
    if (kind == APART_LARGEST) return largest;
    if (kind == APART_GOWER) return cairn_onnx_two(g, "Div", sum, known);
    if (kind != APART_POWERS) return sum;
    int root = cairn_onnx_two(g, "Mul", largest,
                              cairn_onnx_two(g, "Pow", sum, cairn_onnx_number(g, 1 / power[0])));
    return cairn_onnx_where(g, cairn_onnx_two(g, "Greater", largest, cairn_onnx_number(g, 0)), root,
                            largest);
}

static int add_nearest(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = (size_t)op->sizes[0];
    int far = cairn_onnx_number(g, INFINITY);
    int d = apart(g, op, op->numbers[0], n, APART_SQUARES, NULL, NULL);
    d = cairn_onnx_where(g, is_missing(g, d), far, d);
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "axis", 1);
    cairn_onnx_attribute_int(&along, "select_last_index", op->sizes[1] != 0);
    int best = as_number(g, cairn_onnx_node(g, "ArgMin", &along, 1, d));
    int parts[] = {best, cairn_onnx_one(g, "Sqrt", cairn_onnx_along(g, "ReduceMin", d))};
    return cairn_onnx_join(g, parts, 2, 1);
}

/* How many neighbours there can be. */
static size_t asked(const cairn_operation *op)
{
    return (size_t)(op->sizes[1] < op->sizes[0] ? op->sizes[1] : op->sizes[0]);
}

/* Weights by distance of the nearest; those that are not there have none. */
static int weights_by_distance(cairn_onnx_graph *g, const cairn_operation *op, int d, int there)
{
    int kind = op->sizes[4], zero = cairn_onnx_number(g, 0), one = cairn_onnx_number(g, 1), w[2];
    double width = op->numbers[3][1];
    int first = cairn_onnx_columns(g, d, 0, 1);
    if (kind == 0) return cairn_onnx_where(g, there, one, zero);
    if (kind == 3) {
        /* of those that are there, the last is the farthest */
        int wide = isnan(width)
                       ? cairn_onnx_along(g, "ReduceMax", cairn_onnx_where(g, there, d, zero))
                       : cairn_onnx_number(g, width);
        int u = cairn_onnx_where(g, cairn_onnx_two(g, "Greater", wide, zero),
                                 cairn_onnx_two(g, "Div", d, wide), zero);
        int square = cairn_onnx_two(g, "Mul", u, u), y;
        int cube = cairn_onnx_two(g, "Sub", one, cairn_onnx_two(g, "Mul", square, u));
        if (op->sizes[5] == 0)
            y = cairn_onnx_one(g, "Exp", times(g, square, -0.5));
        else if (op->sizes[5] == 1)
            y = cairn_onnx_two(g, "Sub", one, square);
        else if (op->sizes[5] == 2)
            y = cairn_onnx_two(g, "Mul", cube, cairn_onnx_two(g, "Mul", cube, cube));
        else
            y = cairn_onnx_two(g, "Sub", one, u);
        if (op->sizes[5] != 0) y = cairn_onnx_where(g, cairn_onnx_two(g, "Less", u, one), y, zero);
        return cairn_onnx_where(g, there, y, zero);
    }
    int exact = cairn_onnx_two(g, "Equal", first, zero);
    int same = as_number(g, cairn_onnx_two(g, "Equal", d, zero));
    for (int scaled = 0; scaled < 2; scaled++) {
        w[scaled] =
            cairn_onnx_where(g, exact, same, cairn_onnx_two(g, "Div", scaled ? first : one, d));
        if (kind == 2) w[scaled] = cairn_onnx_two(g, "Mul", w[scaled], w[scaled]);
        w[scaled] = cairn_onnx_where(g, there, w[scaled], zero);
    }
    int most = cairn_onnx_along(g, "ReduceMax", w[0]);
    return cairn_onnx_where(g, is_finite(g, most), w[0], w[1]);
}

/* Weights of the first `used` neighbours with those of their rows. */
static int weights_of(cairn_onnx_graph *g, const cairn_operation *op, int d, int at, int there,
                      size_t used)
{
    size_t k = asked(op), n = (size_t)op->sizes[0];
    int zero = cairn_onnx_number(g, 0);
    if (used < k) {
        d = cairn_onnx_columns(g, d, 0, used);
        at = cairn_onnx_columns(g, at, 0, used);
        there = cairn_onnx_columns(g, there, 0, used);
    }
    int w = weights_by_distance(g, op, d, there);
    int none = cairn_onnx_one(
        g, "Not", cairn_onnx_two(g, "Greater", cairn_onnx_along(g, "ReduceMax", w), zero));
    w = cairn_onnx_where(g, none, as_number(g, there), w);
    if (!op->n_numbers[2]) return w;
    int rows = cairn_onnx_gather(g, vector_of(g, op->numbers[2], n), at, 0);
    return cairn_onnx_two(g, "Mul", w, cairn_onnx_where(g, there, rows, zero));
}

/* Shares of the classes of the neighbours with these weights. */
static int shares_of(cairn_onnx_graph *g, const cairn_operation *op, int at, int w, size_t used)
{
    size_t classes = (size_t)op->sizes[2], n = (size_t)op->sizes[0], k = asked(op);
    int *sums;
    int64_t *codes;
    if (!ONNX_ROOM(g, &sums, classes + 1) || !ONNX_ROOM(g, &codes, n + 1)) return g->zeros;
    for (size_t i = 0; i < n; i++) codes[i] = op->codes[0][i];
    if (used < k) at = cairn_onnx_columns(g, at, 0, used);
    int of = cairn_onnx_gather(g, cairn_onnx_wholes(g, codes, n), at, 0);
    for (size_t c = 0; c < classes; c++) {
        int64_t class[] = {(int64_t)c};
        int mine = as_number(g, cairn_onnx_two(g, "Equal", of, cairn_onnx_wholes(g, class, 1)));
        sums[c] = sum_along(g, cairn_onnx_two(g, "Mul", mine, w));
    }
    int total = sum_along(g, w);
    return cairn_onnx_two(g, "Div", cairn_onnx_join(g, sums, classes, 1), total);
}

/* Classes that have the largest share, as 1 and 0. */
static int tied_of(cairn_onnx_graph *g, int shares)
{
    int most = plus(g, cairn_onnx_along(g, "ReduceMax", shares), -1e-12);
    return as_number(g, cairn_onnx_two(g, "GreaterOrEqual", shares, most));
}

static int first_of(cairn_onnx_graph *g, int flags)
{
    return as_number(g, cairn_onnx_along(g, "ArgMax", flags));
}

/* The class; ties: 0 = the class of the nearest, 1 = fewer neighbours, 2 = the first class. */
static int neighbours_class(cairn_onnx_graph *g, const cairn_operation *op, int d, int at,
                            int there, int shares)
{
    size_t k = asked(op), n = (size_t)op->sizes[0];
    int tied = tied_of(g, shares), code = first_of(g, tied);
    int several = cairn_onnx_two(g, "Greater", sum_along(g, tied), cairn_onnx_number(g, 1));
    if (op->sizes[6] == 2) return code;
    if (op->sizes[6] == 0) {
        int64_t *codes;
        if (!ONNX_ROOM(g, &codes, n + 1)) return code;
        for (size_t i = 0; i < n; i++) codes[i] = op->codes[0][i];
        int of = cairn_onnx_gather(g, cairn_onnx_wholes(g, codes, n), at, 0);
        cairn_text along = cairn_text_start(g->nodes.ctx);
        cairn_onnx_attribute_int(&along, "axis", 1);
        int among = cairn_onnx_node(g, "GatherElements", &along, 2, tied, of);
        among = cairn_onnx_two(g, "Mul", among, as_number(g, there));
        along = cairn_text_start(g->nodes.ctx);
        cairn_onnx_attribute_int(&along, "axis", 1);
        int nearest = cairn_onnx_node(g, "GatherElements", &along, 2, of,
                                      cairn_onnx_along(g, "ArgMax", among));
        return cairn_onnx_where(g, several, as_number(g, nearest), code);
    }
    /* With fewer and fewer: the most neighbours that decide, or the nearest alone. */
    for (size_t used = 1; used <= k; used++) {
        int some =
            used == k ? shares : shares_of(g, op, at, weights_of(g, op, d, at, there, used), used);
        int best = tied_of(g, some), single = first_of(g, best);
        int decides = cairn_onnx_two(g, "Equal", sum_along(g, best), cairn_onnx_number(g, 1));
        code = used == 1 ? single : cairn_onnx_where(g, decides, single, code);
    }
    return code;
}

static int add_neighbours(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = (size_t)op->sizes[0], k = asked(op);
    int64_t count[] = {(int64_t)k};
    int none = cairn_onnx_number(g, NAN), zero = cairn_onnx_number(g, 0);
    int d = apart(g, op, op->numbers[0], n, op->sizes[3], op->numbers[3], op->numbers[4]);
    int lost = is_missing(g, d);
    d = cairn_onnx_where(g, lost, cairn_onnx_number(g, INFINITY), d);
    cairn_text how = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&how, "axis", 1);
    cairn_onnx_attribute_int(&how, "largest", 0);
    int best = cairn_onnx_pair(g, "TopK", &how, d, cairn_onnx_wholes(g, count, 1)), at = best + 1;
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "axis", 1);
    int there =
        cairn_onnx_one(g, "Not",
                       cairn_onnx_cast(g,
                                       cairn_onnx_node(g, "GatherElements", &along, 2,
                                                       cairn_onnx_cast(g, lost, ONNX_INT64), at),
                                       ONNX_BOOL));
    d = op->sizes[7] ? cairn_onnx_one(g, "Sqrt", best) : best;
    int some =
        cairn_onnx_two(g, "Greater", cairn_onnx_along(g, "ReduceMax", as_number(g, there)), zero);
    int w = weights_of(g, op, d, at, there, k);
    if (!op->sizes[2]) {
        int targets = cairn_onnx_gather(g, vector_of(g, op->numbers[1], n), at, 0);
        int sum =
            sum_along(g, cairn_onnx_two(g, "Mul", w, cairn_onnx_where(g, there, targets, zero)));
        return cairn_onnx_where(g, some, cairn_onnx_two(g, "Div", sum, sum_along(g, w)), none);
    }
    int shares = shares_of(g, op, at, w, k);
    int code = neighbours_class(g, op, d, at, there, shares);
    int parts[] = {cairn_onnx_where(g, some, shares, none),
                   cairn_onnx_where(g, some, code, cairn_onnx_number(g, -1))};
    return cairn_onnx_join(g, parts, 2, 1);
}

/* -- kernels and densities -- */

static int add_kernels(cairn_onnx_graph *g, const cairn_operation *op)
{
    const double *p = op->numbers[3];
    size_t n = (size_t)op->sizes[0], kernel = (size_t)op->sizes[1];
    int value;
    if (n == 0) return cairn_onnx_spread(g, vector_of(g, op->numbers[2], op->n_out), op->n_out);
    if (kernel == 2 || kernel == 3) {
        bool absolute = kernel == 3 && op->sizes[3];
        value =
            apart(g, op, op->numbers[0], n, absolute ? APART_ABSOLUTE : APART_SQUARES, NULL, NULL);
        if (kernel == 3 && !absolute) value = cairn_onnx_one(g, "Sqrt", value);
        value = cairn_onnx_one(g, "Exp", times(g, value, -p[0]));
    } else {
        value = product(g, cairn_onnx_inputs(g, op), op->numbers[0], n, op->n_in);
        if (kernel != 0)
            value = plus(g, cairn_onnx_two(g, "Mul", value, cairn_onnx_unfused(g, p[1])), p[2]);
        int dot = value;
        for (int i = 1; kernel == 1 && i < op->sizes[2]; i++)
            value = cairn_onnx_two(g, "Mul", value, dot);
        if (kernel == 4) value = hyperbolic_tangent(g, dot);
    }
    return cairn_onnx_two(g, "Add", product(g, value, op->numbers[1], op->n_out, n),
                          vector_of(g, op->numbers[2], op->n_out));
}

static int add_normal(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t k = op->n_out;
    const double far = 1e140;
    int x = cairn_onnx_inputs(g, op), centres = vector_of(g, op->numbers[0], k);
    int rates = vector_of(g, op->numbers[1], k), bases = vector_of(g, op->numbers[2], k);
    int d = cairn_onnx_two(g, "Mul", cairn_onnx_two(g, "Sub", x, centres), rates);
    int near = cairn_onnx_two(g, "Sub", bases, cairn_onnx_two(g, "Mul", d, d));
    int gap = cairn_onnx_one(g, "Abs",
                             cairn_onnx_two(g, "Sub", times(g, x, 0.5), times(g, centres, 0.5)));
    int away = cairn_onnx_two(g, "Add", cairn_onnx_one(g, "Log", gap),
                              cairn_onnx_one(g, "Log", times(g, rates, 2)));
    away = times(g, plus(g, away, 1 - cairn_log(far)), far * far);
    int beyond =
        cairn_onnx_two(g, "GreaterOrEqual", cairn_onnx_one(g, "Abs", d), cairn_onnx_number(g, far));
    int y = cairn_onnx_where(g, beyond, cairn_onnx_two(g, "Sub", bases, away), near);
    return cairn_onnx_where(g, is_missing(g, x), cairn_onnx_number(g, 0), y);
}

/* The last two dimensions from `from` on, of a tensor of three. */
static int corner(cairn_onnx_graph *g, int a, int row, int row_end, int column, int column_end)
{
    int64_t begin[] = {row, column}, end[] = {row_end, column_end}, axes[] = {1, 2};
    return cairn_onnx_node(g, "Slice", NULL, 4, a, cairn_onnx_wholes(g, begin, 2),
                           cairn_onnx_wholes(g, end, 2), cairn_onnx_wholes(g, axes, 2));
}

/* One class: the covariance of the cells that are there is eliminated column by column, those that
 * are not being columns of the unit matrix, with a gap of 0. */
static int gaussian_of(cairn_onnx_graph *g, const cairn_operation *op, int x, size_t c)
{
    static const int64_t column[] = {0, -1, 1}, row[] = {0, 1, -1};
    size_t p = op->n_in;
    const double *own = op->numbers[2] + (op->sizes[0] == 1 ? 0 : c * p * p);
    double *unit, *spread;
    if (!ONNX_ROOM(g, &unit, p * p + 1) || !ONNX_ROOM(g, &spread, p + 1)) return g->zeros;
    for (size_t j = 0; j < p; j++) unit[j * p + j] = 1;
    for (size_t j = 0; j < p; j++) spread[j] = own[j * p + j];
    int zero = cairn_onnx_number(g, 0);
    int varies = cairn_onnx_two(g, "Greater", vector_of(g, spread, p), zero);
    int there = cairn_onnx_two(g, "And", cairn_onnx_one(g, "Not", is_missing(g, x)), varies);
    int z = cairn_onnx_two(g, "Sub", x, vector_of(g, op->numbers[1] + c * p, p));
    z = cairn_onnx_shaped(g, cairn_onnx_where(g, there, z, zero), column, 3);
    int both = cairn_onnx_two(g, "And", cairn_onnx_shaped(g, there, column, 3),
                              cairn_onnx_shaped(g, there, row, 3));
    int a = cairn_onnx_where(g, both, cairn_onnx_numbers(g, own, p, p),
                             cairn_onnx_numbers(g, unit, p, p));
    int sum = plus(g, times(g, sum_along(g, as_number(g, there)), -0.9189385332046727),
                   op->numbers[0][c]);
    for (int left = (int)p; left > 0; left--) {
        static const int64_t flat[] = {-1, 1};
        int pivot = corner(g, a, 0, 1, 0, 1), first = corner(g, z, 0, 1, 0, 1);
        int least = cairn_onnx_number(g, 2.3e-308);
        pivot = cairn_onnx_where(g, cairn_onnx_two(g, "Greater", pivot, least), pivot, least);
        int roots = times(g, cairn_onnx_one(g, "Log", pivot), 0.5);
        int square = cairn_onnx_two(g, "Div", cairn_onnx_two(g, "Mul", first, first), pivot);
        int minus = cairn_onnx_two(g, "Add", roots, times(g, square, 0.5));
        sum = cairn_onnx_two(g, "Sub", sum, cairn_onnx_shaped(g, minus, flat, 2));
        if (left == 1) break;
        int below = cairn_onnx_two(g, "Div", corner(g, a, 1, left, 0, 1), pivot);
        int beside = corner(g, a, 0, 1, 1, left);
        z = cairn_onnx_two(g, "Sub", corner(g, z, 1, left, 0, 1),
                           cairn_onnx_two(g, "Mul", below, first));
        a = cairn_onnx_two(g, "Sub", corner(g, a, 1, left, 1, left),
                           cairn_onnx_two(g, "MatMul", below, beside));
    }
    return sum;
}

static int add_gaussians(cairn_onnx_graph *g, const cairn_operation *op)
{
    int *classes, x = cairn_onnx_inputs(g, op);
    if (!ONNX_ROOM(g, &classes, op->n_out + 1)) return g->zeros;
    for (size_t c = 0; c < op->n_out; c++) classes[c] = gaussian_of(g, op, x, c);
    return cairn_onnx_join(g, classes, op->n_out, 1);
}

/* Heights of the kernel at u, which every value of a class has. */
static int heights_of(cairn_onnx_graph *g, int kernel, int u)
{
    static const double reaches[] = {9, 2.23606797749979, 2.449489742783178, 1.7320508075688772};
    double reach = reaches[kernel];
    int size = cairn_onnx_one(g, "Abs", u),
        share = cairn_onnx_two(g, "Div", size, cairn_onnx_number(g, reach)), y;
    int within = cairn_onnx_two(g, kernel == 1 || kernel == 2 ? "Less" : "LessOrEqual", share,
                                cairn_onnx_number(g, 1));
    if (kernel == 0)
        y = times(g, cairn_onnx_one(g, "Exp", times(g, cairn_onnx_two(g, "Mul", u, u), -0.5)),
                  0.3989422804014327);
    else if (kernel == 1)
        y = times(g, plus(g, times(g, cairn_onnx_two(g, "Mul", share, share), -1), 1),
                  0.75 / reach);
    else if (kernel == 2)
        y = times(g, plus(g, times(g, share, -1), 1), 1 / reach);
    else
        y = cairn_onnx_number(g, 0.5 / reach);
    return cairn_onnx_where(g, within, y, cairn_onnx_number(g, 0));
}

static int add_kernel(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t k = op->n_out;
    const int32_t *starts = op->codes[0];
    int *out, x = cairn_onnx_inputs(g, op), all = g->zeros;
    if (!ONNX_ROOM(g, &out, k + 1)) return g->zeros;
    for (size_t c = 0; c < k; c++) {
        size_t from = (size_t)starts[c], n = (size_t)(starts[c + 1] - starts[c]);
        double total = 0;
        if (n == 0) continue;
        for (size_t i = 0; i < n; i++) total += op->numbers[1][from + i];
        int u = cairn_onnx_two(g, "Sub", x, vector_of(g, op->numbers[0] + from, n));
        u = cairn_onnx_two(g, "Div", u, cairn_onnx_number(g, op->numbers[2][c]));
        int h = cairn_onnx_two(g, "Mul", heights_of(g, op->sizes[0], u),
                               vector_of(g, op->numbers[1] + from, n));
        out[c] = cairn_onnx_two(g, "Div", sum_along(g, h),
                                cairn_onnx_number(g, total * op->numbers[2][c]));
        all = cairn_onnx_two(g, "Add", all, times(g, out[c], op->numbers[3][c]));
    }
    for (size_t c = 0; c < k; c++)
        if (starts[c] == starts[c + 1]) out[c] = all;
    int y = cairn_onnx_join(g, out, k, 1), floor = cairn_onnx_number(g, op->numbers[4][0]);
    y = cairn_onnx_one(g, "Log",
                       cairn_onnx_where(g, cairn_onnx_two(g, "Greater", y, floor), y, floor));
    return cairn_onnx_where(g, is_missing(g, x), cairn_onnx_number(g, 0), y);
}

/* Counts times logarithms; those that are infinite are looked at apart, since 0 times them is 0. */
static int add_counts(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t k = op->n_out, n = op->n_in;
    double *logs, *never;
    if (!ONNX_ROOM(g, &logs, n * k + 1) || !ONNX_ROOM(g, &never, n * k + 1)) return g->zeros;
    if (n == 0) return cairn_onnx_spread(g, cairn_onnx_number(g, 0), k);
    for (size_t i = 0; i < n * k; i++) {
        never[i] = isinf(op->numbers[0][i]) != 0;
        logs[i] = never[i] > 0 ? 0 : op->numbers[0][i];
    }
    int x = cairn_onnx_inputs(g, op), zero = cairn_onnx_number(g, 0);
    int counts = cairn_onnx_two(g, "And", cairn_onnx_two(g, "Greater", x, zero), is_finite(g, x));
    int clean = cairn_onnx_where(g, counts, x, zero), some = as_number(g, counts);
    int out = cairn_onnx_two(g, "MatMul", clean, cairn_onnx_numbers(g, logs, n, k));
    int lost = cairn_onnx_two(g, "MatMul", some, cairn_onnx_numbers(g, never, n, k));
    out = cairn_onnx_where(g, cairn_onnx_two(g, "Greater", lost, zero),
                           cairn_onnx_number(g, -INFINITY), out);
    if (!op->sizes[0]) return out;
    int each = cairn_onnx_where(g, counts, log_gamma(g, plus(g, clean, 1)), zero);
    int orders =
        cairn_onnx_two(g, "Sub", log_gamma(g, plus(g, sum_along(g, clean), 1)), sum_along(g, each));
    return cairn_onnx_two(g, "Add", out, orders);
}

/* -- scores and decisions -- */

static int add_votes(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t k = op->n_out, n = op->n_in;
    double *plus_of, *minus_of, *both, *present;
    if (!ONNX_ROOM(g, &plus_of, n * k + 1) || !ONNX_ROOM(g, &minus_of, n * k + 1) ||
        !ONNX_ROOM(g, &both, n * k + 1) || !ONNX_ROOM(g, &present, k + 1) || n == 0)
        return cairn_onnx_spread(g, cairn_onnx_number(g, 0), k);
    for (size_t i = 0; i < n; i++) {
        plus_of[i * k + (size_t)op->codes[0][i]] = 1;
        minus_of[i * k + (size_t)op->codes[1][i]] = 1;
    }
    for (size_t i = 0; i < n * k; i++) both[i] = plus_of[i] - minus_of[i];
    for (size_t c = 0; c < k; c++) present[c] = op->codes[2][c];
    int x = cairn_onnx_inputs(g, op), zero = cairn_onnx_number(g, 0);
    int yes = cairn_onnx_two(g, "GreaterOrEqual", x, zero);
    int votes = cairn_onnx_two(
        g, "Add",
        cairn_onnx_two(g, "MatMul", as_number(g, yes), cairn_onnx_numbers(g, plus_of, n, k)),
        cairn_onnx_two(g, "MatMul", as_number(g, cairn_onnx_one(g, "Not", yes)),
                       cairn_onnx_numbers(g, minus_of, n, k)));
    int sums = cairn_onnx_two(g, "MatMul", x, cairn_onnx_numbers(g, both, n, k));
    int share =
        cairn_onnx_two(g, "Div", sums, times(g, plus(g, cairn_onnx_one(g, "Abs", sums), 1), 3));
    votes = cairn_onnx_two(g, "Add", votes, cairn_onnx_where(g, is_finite(g, sums), share, zero));
    int known = cairn_onnx_two(g, "Greater", vector_of(g, present, k), zero);
    int least = cairn_onnx_along(g, "ReduceMin",
                                 cairn_onnx_where(g, known, votes, cairn_onnx_number(g, INFINITY)));
    int below = cairn_onnx_two(g, "Sub", plus(g, least, -1), cairn_onnx_one(g, "Abs", least));
    return cairn_onnx_where(g, known, votes, below);
}

static int add_sum(cairn_onnx_graph *g, const cairn_operation *op)
{
    int64_t shape[] = {0, (int64_t)(op->n_in / op->n_out), (int64_t)op->n_out}, axis[] = {1};
    cairn_text along = cairn_text_start(g->nodes.ctx);
    if (op->n_in == 0) return cairn_onnx_spread(g, cairn_onnx_number(g, 0), op->n_out);
    cairn_onnx_attribute_int(&along, "keepdims", 0);
    return cairn_onnx_node(g, "ReduceSum", &along, 2,
                           cairn_onnx_shaped(g, cairn_onnx_inputs(g, op), shape, 3),
                           cairn_onnx_wholes(g, axis, 1));
}

/* The columns put at their places among n, zeros elsewhere. */
static int placed(cairn_onnx_graph *g, const cairn_operation *op, int x, size_t n_columns)
{
    int64_t *at;
    int parts[] = {x, g->zeros};
    if (!ONNX_ROOM(g, &at, op->n_out + 1)) return x;
    for (size_t k = 0; k < op->n_out; k++) at[k] = (int64_t)n_columns;
    for (size_t i = 0; i < n_columns; i++) at[op->codes[0][i]] = (int64_t)i;
    return cairn_onnx_gather(g, cairn_onnx_join(g, parts, 2, 1),
                             cairn_onnx_wholes(g, at, op->n_out), 1);
}

static int add_softmax(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = op->n_in + (op->sizes[0] != 0);
    int parts[2], n_parts = 0, none = cairn_onnx_number(g, -INFINITY);
    if (op->n_in) parts[n_parts++] = cairn_onnx_inputs(g, op);
    if (op->sizes[0]) parts[n_parts++] = g->zeros;
    if (n == 0 && op->n_numbers[0])
        return cairn_onnx_spread(g, vector_of(g, op->numbers[0], op->n_out), op->n_out);
    int x = cairn_onnx_join(g, parts, (size_t)n_parts, 1);
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "axis", -1);
    int out = placed(g, op, cairn_onnx_node(g, "Softmax", &along, 1, x), n);
    if (!op->n_numbers[0]) return out;
    int impossible = cairn_onnx_two(g, "Equal", cairn_onnx_along(g, "ReduceMax", x), none);
    return cairn_onnx_where(g, impossible, vector_of(g, op->numbers[0], op->n_out), out);
}

static int add_logistic(cairn_onnx_graph *g, const cairn_operation *op)
{
    int a = cairn_onnx_inputs(g, op), one = cairn_onnx_number(g, 1);
    int e = cairn_onnx_one(g, "Exp", cairn_onnx_one(g, "Neg", cairn_onnx_one(g, "Abs", a)));
    int sum = cairn_onnx_two(g, "Add", one, e), large = cairn_onnx_two(g, "Div", one, sum);
    int small = cairn_onnx_two(g, "Div", e, sum);
    int up = cairn_onnx_two(g, "GreaterOrEqual", a, cairn_onnx_number(g, 0));
    int parts[] = {cairn_onnx_where(g, up, large, small), cairn_onnx_where(g, up, small, large)};
    return placed(g, op, cairn_onnx_join(g, parts, 2, 1), 2);
}

/* The plateau that a score belongs to is found by counting those that end below it. */
static int calibrated_pieces(cairn_onnx_graph *g, const cairn_operation *op, int x)
{
    size_t n = (size_t)op->sizes[1];
    int highs = vector_of(g, op->numbers[1], n), one = cairn_onnx_number(g, 1),
        zero = cairn_onnx_number(g, 0);
    int passed = sum_along(g, as_number(g, cairn_onnx_two(g, "Less", highs, x)));
    int last = cairn_onnx_number(g, (double)n - 1);
    int here = cairn_onnx_where(g, cairn_onnx_two(g, "Less", passed, last), passed, last);
    int before = cairn_onnx_two(g, "Sub", here, one);
    before = cairn_onnx_where(g, cairn_onnx_two(g, "Less", before, zero), zero, before);
    int low = rows_of(g, op->numbers[0], n, 1, here),
        from = rows_of(g, op->numbers[1], n, 1, before);
    int value = rows_of(g, op->numbers[2], n, 1, here);
    int earlier = rows_of(g, op->numbers[2], n, 1, before);
    int gap = cairn_onnx_two(g, "Sub", low, from), step, between;
    if (op->sizes[0] == 1) {
        step = cairn_onnx_two(g, "Less", x, cairn_onnx_two(g, "Add", from, times(g, gap, 0.5)));
        between = cairn_onnx_where(g, step, earlier, value);
    } else {
        step = cairn_onnx_two(g, "Div", cairn_onnx_two(g, "Sub", x, from), gap);
        between = cairn_onnx_two(
            g, "Add", earlier,
            cairn_onnx_two(g, "Mul", step, cairn_onnx_two(g, "Sub", value, earlier)));
    }
    int plain = cairn_onnx_two(g, "Or", cairn_onnx_two(g, "GreaterOrEqual", x, low),
                               cairn_onnx_two(g, "Equal", passed, zero));
    return cairn_onnx_where(g, plain, value, between);
}

static int add_calibrate(cairn_onnx_graph *g, const cairn_operation *op)
{
    const double *c = op->numbers[3];
    int x = cairn_onnx_inputs(g, op), least = cairn_onnx_number(g, 1e-15),
        one = cairn_onnx_number(g, 1), y = x;
    int e, rest = cairn_onnx_two(g, "Sub", one, x);
    switch (op->sizes[0]) {
    case 2:
        e = cairn_onnx_one(g, "Exp", times(g, plus(g, x, -c[1]), -c[0]));
        y = cairn_onnx_two(g, "Div", one,
                           plus(g, cairn_onnx_two(g, "Div", e, cairn_onnx_number(g, c[2])), 1));
        break;
    case 3:
        e = cairn_onnx_one(g, "Exp", cairn_onnx_one(g, "Neg", plus(g, times(g, x, c[0]), c[1])));
        y = cairn_onnx_two(g, "Div", one, plus(g, e, 1));
        break;
    case 4:
        y = cairn_onnx_one(g, "Log",
                           cairn_onnx_where(g, cairn_onnx_two(g, "Less", x, least), least, x));
        rest = cairn_onnx_one(
            g, "Log", cairn_onnx_where(g, cairn_onnx_two(g, "Less", rest, least), least, rest));
        y = plus(g, cairn_onnx_two(g, "Sub", times(g, y, c[0]), times(g, rest, c[1])), c[2]);
        y = cairn_onnx_two(g, "Div", one,
                           plus(g, cairn_onnx_one(g, "Exp", cairn_onnx_one(g, "Neg", y)), 1));
        break;
    case 5: y = cairn_onnx_spread(g, cairn_onnx_number(g, c[0]), 1); break;
    default: y = calibrated_pieces(g, op, x);
    }
    return cairn_onnx_where(g, is_missing(g, x), x, y);
}

static int add_shares(cairn_onnx_graph *g, const cairn_operation *op)
{
    int x = cairn_onnx_inputs(g, op), sum = sum_along(g, x);
    int none = cairn_onnx_two(g, "Equal", sum, cairn_onnx_number(g, 0));
    return cairn_onnx_where(g, none, vector_of(g, op->numbers[0], op->n_out),
                            cairn_onnx_two(g, "Div", x, sum));
}

static int add_decide(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t n = op->n_in, positive = (size_t)op->sizes[1];
    double threshold = op->numbers[1][0], reject = op->numbers[1][1];
    int x = cairn_onnx_inputs(g, op), best, score;
    int costs = cairn_onnx_two(g, "MatMul", x, cairn_onnx_numbers(g, op->numbers[0], n, n));
    if (op->sizes[0]) {
        score = cairn_onnx_columns(g, x, positive, positive + 1);
        best = cairn_onnx_where(
            g, cairn_onnx_two(g, "GreaterOrEqual", score, cairn_onnx_number(g, threshold)),
            cairn_onnx_number(g, (double)positive), cairn_onnx_number(g, 1 - (double)positive));
    } else {
        score = cairn_onnx_columns(g, costs, 0, 1);
        best = as_number(g, cairn_onnx_along(g, "ArgMin", costs));
    }
    if (!isnan(reject)) {
        cairn_text along = cairn_text_start(g->nodes.ctx);
        cairn_onnx_attribute_int(&along, "axis", 1);
        int cost = cairn_onnx_node(g, "GatherElements", &along, 2, costs,
                                   cairn_onnx_cast(g, best, ONNX_INT64));
        int dear = cairn_onnx_two(g, "Greater", cost, cairn_onnx_number(g, reject));
        best = cairn_onnx_where(g, dear, cairn_onnx_number(g, -2), best);
    }
    return cairn_onnx_where(g, is_missing(g, score), cairn_onnx_number(g, -1), best);
}

/* The first largest; where the first is missing nothing is larger. */
static int add_largest(cairn_onnx_graph *g, const cairn_operation *op)
{
    if (op->n_in == 0) return plus(g, g->zeros, -1);
    int x = cairn_onnx_inputs(g, op), lost = is_missing(g, cairn_onnx_columns(g, x, 0, 1));
    int known = cairn_onnx_where(g, is_missing(g, x), cairn_onnx_number(g, -INFINITY), x);
    int best = as_number(g, cairn_onnx_along(g, "ArgMax", known));
    return cairn_onnx_where(g, lost, cairn_onnx_number(g, op->sizes[0] ? -1 : 0), best);
}

/* -- rules -- */

/* Whether each condition holds, as 1 and 0. */
static int conditions_of(cairn_onnx_graph *g, const cairn_operation *op, size_t n)
{
    static const char *const relations[] = {"Equal",       "Equal",   "Less",
                                            "LessOrEqual", "Greater", "GreaterOrEqual"};
    int *holds;
    if (!ONNX_ROOM(g, &holds, n + 1)) return g->zeros;
    for (size_t c = 0; c < n; c++) {
        const int32_t *condition = op->codes[1] + 3 * c;
        int relation = condition[1], x = cairn_onnx_slots(g, op->in + condition[0], 1);
        int gone = is_missing(g, x), y;
        if (relation == 6) {
            holds[c] = as_number(g, gone);
            continue;
        }
        if (condition[2] && relation < 2) {
            y = cairn_onnx_two(g, "Less", cairn_onnx_number(g, 1), cairn_onnx_number(g, 0));
            for (int32_t l = op->codes[2][c]; l < op->codes[2][c + 1]; l++)
                y = cairn_onnx_two(
                    g, "Or", y,
                    cairn_onnx_two(g, "Equal", x, cairn_onnx_number(g, op->codes[3][l])));
        } else {
            y = cairn_onnx_two(g, relations[relation], x, cairn_onnx_number(g, op->numbers[0][c]));
        }
        if (relation == 1) y = cairn_onnx_one(g, "Not", y);
        holds[c] = as_number(g, cairn_onnx_two(g, "And", y, cairn_onnx_one(g, "Not", gone)));
    }
    return cairn_onnx_join(g, holds, n, 1);
}

/* Which rules fire, the last of all excepted: all of its conditions hold. */
static int rules_that_fire(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t rules = (size_t)op->sizes[0] - 1, n = (size_t)op->codes[0][rules];
    double *members, *wanted;
    if (!ONNX_ROOM(g, &members, n * rules + 1) || !ONNX_ROOM(g, &wanted, rules + 1))
        return g->zeros;
    for (size_t r = 0; r < rules; r++)
        for (int32_t c = op->codes[0][r]; c < op->codes[0][r + 1]; c++) {
            members[(size_t)c * rules + r] = 1;
            wanted[r]++;
        }
    int met = n ? cairn_onnx_two(g, "MatMul", conditions_of(g, op, n),
                                 cairn_onnx_numbers(g, members, n, rules))
                : cairn_onnx_spread(g, cairn_onnx_number(g, 0), rules);
    return as_number(g, cairn_onnx_two(g, "Equal", met, vector_of(g, wanted, rules)));
}

/* Shares of several rules together: of their counts, or the mean of the shares. */
static int rules_join(cairn_onnx_graph *g, const cairn_operation *op, int fired, int n)
{
    size_t rules = (size_t)op->sizes[0] - 1, k = (size_t)op->sizes[1];
    double *stated;
    if (!ONNX_ROOM(g, &stated, rules + 1)) return fired;
    for (size_t r = 0; r < rules; r++) stated[r] = op->codes[5][r] >= 0;
    int zero = cairn_onnx_number(g, 0);
    int counts =
        cairn_onnx_two(g, "MatMul", fired, cairn_onnx_numbers(g, op->numbers[2], rules, k));
    if (op->sizes[2] != 3) counts = cairn_onnx_two(g, "Div", counts, n);
    int total = sum_along(g, counts);
    int mean = cairn_onnx_two(
        g, "Div",
        cairn_onnx_two(g, "MatMul", fired, cairn_onnx_numbers(g, op->numbers[1], rules, k)), n);
    int said = cairn_onnx_two(
        g, "Greater", sum_along(g, cairn_onnx_two(g, "Mul", fired, vector_of(g, stated, rules))),
        zero);
    int none = cairn_onnx_one(g, "Not", cairn_onnx_two(g, "Greater", total, zero));
    int smooth = cairn_onnx_two(g, "Div", plus(g, counts, op->numbers[4][0]),
                                plus(g, total, op->numbers[4][1]));
    return cairn_onnx_where(g, cairn_onnx_two(g, "Or", said, none), mean, smooth);
}

static int add_rules(cairn_onnx_graph *g, const cairn_operation *op)
{
    size_t rules = (size_t)op->sizes[0], k = (size_t)op->sizes[1];
    int one = cairn_onnx_number(g, 1), first, out, several = 0;
    if (rules > 1) {
        int fired = rules_that_fire(g, op), n = sum_along(g, fired);
        int parts[] = {fired, plus(g, g->zeros, 1)};
        first = as_number(g, cairn_onnx_along(g, "ArgMax", cairn_onnx_join(g, parts, 2, 1)));
        out = rows_of(g, op->numbers[1], rules, k, first);
        several = cairn_onnx_two(g, "Greater", n, one);
        if (op->sizes[2] >= 2) out = cairn_onnx_where(g, several, rules_join(g, op, fired, n), out);
        for (int32_t p = 0; op->sizes[2] == 4 && p < op->sizes[3]; p++) {
            double *pattern;
            if (!ONNX_ROOM(g, &pattern, rules)) return out;
            for (size_t r = 0; r + 1 < rules; r++)
                pattern[r] = op->codes[6][(size_t)p * (rules - 1) + r];
            int other = cairn_onnx_one(
                g, "Abs", cairn_onnx_two(g, "Sub", fired, vector_of(g, pattern, rules - 1)));
            int same = cairn_onnx_two(g, "Less", sum_along(g, other), one);
            out = cairn_onnx_where(g, same, vector_of(g, op->numbers[3] + (size_t)p * k, k), out);
        }
    } else {
        first = g->zeros;
        out = cairn_onnx_spread(g, vector_of(g, op->numbers[1], k), k);
    }
    int code = as_number(g, cairn_onnx_along(g, "ArgMax", out));
    if (op->sizes[2] == 0) {
        double *labels;
        if (!ONNX_ROOM(g, &labels, rules)) return out;
        for (size_t r = 0; r < rules; r++) labels[r] = op->codes[4][r];
        code = rows_of(g, labels, rules, 1, first);
    }
    int both[] = {out, code};
    return cairn_onnx_join(g, both, 2, 1);
}

/* -- all of them -- */

static int add_constant(cairn_onnx_graph *g, const cairn_operation *op)
{
    return cairn_onnx_spread(g, vector_of(g, op->numbers[0], op->n_out), op->n_out);
}

int cairn_onnx_operation(cairn_onnx_graph *g, const cairn_operation *op)
{
    static int (*const adders[CAIRN_OP_KINDS])(cairn_onnx_graph *, const cairn_operation *) = {
        [CAIRN_OP_CONSTANT] = add_constant,
        [CAIRN_OP_FILL] = add_fill,
        [CAIRN_OP_SCALE] = add_scale,
        [CAIRN_OP_AFFINE] = add_affine,
        [CAIRN_OP_PRODUCTS] = add_products,
        [CAIRN_OP_COMPUTE] = add_compute,
        [CAIRN_OP_CALENDAR] = add_calendar,
        [CAIRN_OP_LOOKUP] = add_lookup,
        [CAIRN_OP_CUTS] = add_cuts,
        [CAIRN_OP_TREES] = cairn_onnx_trees,
        [CAIRN_OP_RULES] = add_rules,
        [CAIRN_OP_NEAREST] = add_nearest,
        [CAIRN_OP_NEIGHBOURS] = add_neighbours,
        [CAIRN_OP_KERNELS] = add_kernels,
        [CAIRN_OP_VOTES] = add_votes,
        [CAIRN_OP_NORMAL] = add_normal,
        [CAIRN_OP_GAUSSIANS] = add_gaussians,
        [CAIRN_OP_KERNEL] = add_kernel,
        [CAIRN_OP_COUNTS] = add_counts,
        [CAIRN_OP_SUM] = add_sum,
        [CAIRN_OP_SOFTMAX] = add_softmax,
        [CAIRN_OP_LOGISTIC] = add_logistic,
        [CAIRN_OP_CALIBRATE] = add_calibrate,
        [CAIRN_OP_SHARES] = add_shares,
        [CAIRN_OP_DECIDE] = add_decide,
        [CAIRN_OP_LARGEST] = add_largest,
        [CAIRN_OP_BLANK] = add_blank,
    };
    return adders[op->kind](g, op);
}
