/* SPDX-License-Identifier: MIT */
/* The simplex method for bounded numbers, on a dense tableau.
 *
 * Numbers outside the basis stand at 0 or at their upper bound. A number of which a change pays
 * enters; it moves until itself or a number of the basis meets a bound. One artificial number per
 * row makes the first basis: a first phase drives their sum to its minimum; where that is 0 they
 * are held at 0 and the second phase goes for the gain. Their columns hold the inverse of the
 * basis, and with it the prices of the rows. Memory: rows x (columns + rows) numbers; a step costs
 * as much. */
#include "solve/constrained.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { STEPS_PER_NUMBER = 200, LEAST_STEPS = 10000, IDLE_STEPS = 20 };

typedef struct tableau {
    const cairn_linear_program *program;
    size_t rows, width;             /* width = columns + rows: artificial numbers come last */
    double *cells;                  /* rows x width */
    double *worth;                  /* width: what a unit more of each is worth */
    double *held;                   /* rows: numbers of the basis */
    double *upper;                  /* width */
    size_t *basis;                  /* rows */
    bool *in_basis, *at_top, *flip; /* width, width, rows: rows whose side was negative */
    size_t idle;                    /* steps in a row that moved nothing */
} tableau;

static double *cell(const tableau *t, size_t row, size_t column)
{
    return &t->cells[row * t->width + column];
}

static cairn_status tableau_new(cairn_context *ctx, tableau *t, const cairn_linear_program *program)
{
    *t = (tableau){
        .program = program, .rows = program->rows, .width = program->columns + program->rows};
    CHECK(SCRATCH(ctx, &t->cells, cairn_product(t->rows, t->width)));
    CHECK(SCRATCH_EACH(ctx, t->width, &t->worth, &t->upper));
    CHECK(SCRATCH_EACH(ctx, t->rows, &t->held, &t->basis));
    CHECK(SCRATCH_EACH(ctx, t->width, &t->in_basis, &t->at_top));
    return SCRATCH(ctx, &t->flip, t->rows);
}

/* The artificial numbers are the basis; sides are made positive. */
static void begin(tableau *t)
{
    size_t columns = t->program->columns;
    for (size_t j = 0; j < t->width; j++)
        t->upper[j] = j < columns && t->program->upper ? t->program->upper[j] : INFINITY;
    for (size_t i = 0; i < t->rows; i++) {
        double sign = t->program->side[i] < 0 ? -1 : 1;
        t->flip[i] = sign < 0;
        t->held[i] = fabs(t->program->side[i]);
        t->basis[i] = columns + i;
        t->in_basis[columns + i] = true;
        *cell(t, i, columns + i) = 1;
        for (size_t j = 0; j < columns; j++)
            *cell(t, i, j) = sign * t->program->matrix[i * columns + j];
    }
}

/* A number whose change pays: the one that pays best, or after many idle steps the first. `tiny`
 * is what counts as nothing. */
static size_t entering(const tableau *t, double tiny)
{
    size_t best = t->width;
    double most = tiny;
    for (size_t j = 0; j < t->width; j++) {
        double pays = t->at_top[j] ? -t->worth[j] : t->worth[j];
        if (t->in_basis[j] || t->upper[j] == 0 || pays <= most) continue;
        best = j;
        if (t->idle > IDLE_STEPS) break;
        most = pays;
    }
    return best;
}

/* The number moves by `far`; it comes into the basis for the one of `row`, or stands at its other
 * bound. */
static void move(tableau *t, size_t column, double direction, double far, size_t row)
{
    double from = t->at_top[column] ? t->upper[column] : 0;
    for (size_t i = 0; i < t->rows; i++)
        t->held[i] = fmax(t->held[i] - direction * far * *cell(t, i, column), 0);
    t->idle = far > 0 ? 0 : t->idle + 1;
    if (row == t->rows) {
        t->at_top[column] = !t->at_top[column];
        return;
    }
    size_t out = t->basis[row];
    t->at_top[out] = direction * *cell(t, row, column) < 0;
    t->in_basis[out] = false;
    t->in_basis[column] = true;
    t->at_top[column] = false;
    double *own = cell(t, row, 0), scale = own[column], factor = t->worth[column];
    for (size_t j = 0; j < t->width; j++) own[j] /= scale;
    for (size_t i = 0; i < t->rows; i++) {
        double by = *cell(t, i, column), *other = cell(t, i, 0);
        if (i == row || by == 0) continue;
        for (size_t j = 0; j < t->width; j++) other[j] -= by * own[j];
        other[column] = 0;
    }
    for (size_t j = 0; j < t->width; j++) t->worth[j] -= factor * own[j];
    t->worth[column] = 0;
    t->basis[row] = column;
    t->held[row] = from + direction * far;
}

/* Steps until no change pays. */
static cairn_status climb(cairn_context *ctx, tableau *t, double tiny, cairn_linear_answer *out)
{
    size_t most = LEAST_STEPS + STEPS_PER_NUMBER * t->width;
    for (; out->steps < most; out->steps++) {
        size_t row, column = entering(t, tiny);
        if (column == t->width) {
            out->ending = CAIRN_ENDING_OPTIMAL;
            return CAIRN_OK;
        }
        if (out->steps % 64 == 0) CHECK(cairn_tick(ctx, "simplex", (double)out->steps, 0));
        double direction = t->at_top[column] ? -1 : 1;
        /* How far the number may go in its direction, and the row of the basis that stops it;
         * t->rows where its own bound does. Infinite = nothing stops it. */
        double far = t->upper[column];
        row = t->rows;
        for (size_t i = 0; i < t->rows; i++) {
            double fall = direction * *cell(t, i, column), buffer;
            if (fabs(fall) <= t->program->tiny) continue;
            buffer = fall > 0 ? t->held[i] : t->upper[t->basis[i]] - t->held[i];
            buffer = fmax(buffer, 0) / fabs(fall);
            bool tie = buffer == far && row < t->rows;
            if (tie && t->idle > IDLE_STEPS)
                tie = t->basis[i] < t->basis[row];
            else if (tie)
                tie = fabs(fall) > fabs(*cell(t, row, column));
            if (buffer < far || tie) {
                far = buffer;
                row = i;
            }
        }
        if (isinf(far)) {
            out->ending = CAIRN_ENDING_UNBOUNDED;
            return CAIRN_OK;
        }
        move(t, column, direction, far, row);
    }
    out->ending = CAIRN_ENDING_LIMIT;
    return CAIRN_OK;
}

/* First phase: every artificial number costs 1. */
static cairn_status find_feasible(cairn_context *ctx, tableau *t, cairn_linear_answer *out)
{
    size_t columns = t->program->columns;
    for (size_t j = 0; j < columns; j++) {
        t->worth[j] = 0;
        for (size_t i = 0; i < t->rows; i++) t->worth[j] += *cell(t, i, j);
    }
    CHECK(climb(ctx, t, 1e-12, out));
    /* What the artificial numbers still sum up to. */
    double sum = 0;
    for (size_t i = 0; i < t->rows; i++)
        if (t->basis[i] >= t->program->columns) sum += t->held[i];
    out->value = sum;
    return CAIRN_OK;
}

/* Second phase: artificial numbers stay at 0, the others gain. */
static cairn_status gain_most(cairn_context *ctx, tableau *t, cairn_linear_answer *out)
{
    size_t columns = t->program->columns;
    const double *gain = t->program->gain;
    double largest = 0;
    for (size_t j = columns; j < t->width; j++) t->upper[j] = 0;
    for (size_t j = 0; j < t->width; j++) {
        t->worth[j] = j < columns ? gain[j] : 0;
        largest = fmax(largest, fabs(t->worth[j]));
    }
    for (size_t i = 0; i < t->rows; i++) {
        double own = t->basis[i] < columns ? gain[t->basis[i]] : 0;
        if (t->basis[i] >= columns) t->held[i] = 0;
        for (size_t j = 0; own != 0 && j < t->width; j++) t->worth[j] -= own * *cell(t, i, j);
    }
    t->idle = 0;
    return climb(ctx, t, 1e-11 * largest, out);
}

/* Numbers, gain and prices of where the tableau stands. */
static cairn_status read_answer(cairn_context *ctx, const tableau *t, cairn_linear_answer *out,
                                bool feasible)
{
    size_t columns = t->program->columns;
    double *x, *prices;
    CHECK(SCRATCH(ctx, &x, columns));
    CHECK(SCRATCH(ctx, &prices, t->rows));
    for (size_t j = 0; j < columns; j++) x[j] = t->at_top[j] ? t->upper[j] : 0;
    for (size_t i = 0; i < t->rows; i++)
        if (t->basis[i] < columns) x[t->basis[i]] = t->held[i];
    for (size_t i = 0; i < t->rows; i++) {
        double price = (feasible ? 0 : -1) - t->worth[columns + i];
        prices[i] = t->flip[i] ? -price : price;
    }
    out->x = x;
    out->prices = prices;
    for (size_t j = 0; feasible && t->program->gain && j < columns; j++)
        out->value += t->program->gain[j] * x[j];
    return CAIRN_OK;
}

/* Column j times the prices, less `of`; `size` is of its terms. */
static cairn_wide worth_of(const cairn_linear_program *p, const cairn_linear_answer *a, size_t j,
                           double of, cairn_wide *size)
{
    cairn_wide sum = -of;
    *size = fabs(of);
    for (size_t i = 0; i < p->rows; i++) {
        cairn_wide term = (cairn_wide)a->prices[i] * p->matrix[i * p->columns + j];
        sum += term;
        *size += fabsl(term);
    }
    return sum;
}

/* What is left of A x = b, each row beside its terms. */
static cairn_wide rows_left(const cairn_linear_program *p, const cairn_linear_answer *a)
{
    cairn_wide left = 0;
    for (size_t i = 0; i < p->rows; i++) {
        cairn_wide sum = -p->side[i], size = fabs(p->side[i]) + p->tiny;
        for (size_t j = 0; j < p->columns; j++) {
            sum += p->matrix[i * p->columns + j] * (cairn_wide)a->x[j];
            size += fabs(p->matrix[i * p->columns + j] * a->x[j]);
        }
        left = fmaxl(left, fabsl(sum) / fmaxl(size, 1));
    }
    return left;
}

/* The proof of an optimum: the constraints hold, and what changes would still gain is nothing
 * beside what there is. Of infeasible constraints: no x in the box makes prices'A x as small as
 * prices'b. */
static void prove(const cairn_linear_program *p, cairn_linear_answer *a)
{
    bool none = a->ending == CAIRN_ENDING_INFEASIBLE;
    cairn_wide left = none ? 0 : rows_left(p, a), gains = 0, least = 0, side = 0, whole = 1, size;
    for (size_t i = 0; i < p->rows; i++) side += (cairn_wide)a->prices[i] * p->side[i];
    for (size_t j = 0; (none || p->gain) && j < p->columns; j++) {
        double upper = p->upper ? p->upper[j] : INFINITY, gain = p->gain && !none ? p->gain[j] : 0;
        cairn_wide worth = worth_of(p, a, j, gain, &size);
        bool loose = isinf(upper);
        if (worth < 0 && loose) left = fmaxl(left, -worth / size);
        if (worth < 0 && !loose) least += worth * upper;
        if (none) continue;
        gains += worth > 0 ? worth * a->x[j] : loose ? 0 : -worth * (upper - a->x[j]);
        whole += fabs(gain * a->x[j]);
    }
    if (none && !(side < least)) left = 1;
    a->left = (double)fmaxl(left, gains / whole);
}

cairn_status cairn_simplex(cairn_context *ctx, cairn_linear_answer *out,
                           const cairn_linear_program *program)
{
    tableau t;
    double scale = 1;
    *out = (cairn_linear_answer){.ending = CAIRN_ENDING_OPTIMAL};
    CHECK(tableau_new(ctx, &t, program));
    begin(&t);
    for (size_t i = 0; i < t.rows; i++) scale = fmax(scale, t.held[i]);
    CHECK(find_feasible(ctx, &t, out));
    bool feasible = out->value <= 4 * program->tiny * scale;
    if (out->ending == CAIRN_ENDING_OPTIMAL && !feasible) out->ending = CAIRN_ENDING_INFEASIBLE;
    if (feasible) {
        out->value = 0;
        if (program->gain && out->ending == CAIRN_ENDING_OPTIMAL) CHECK(gain_most(ctx, &t, out));
    }
    CHECK(read_answer(ctx, &t, out, feasible));
    prove(program, out);
    return CAIRN_OK;
}
