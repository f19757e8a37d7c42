/* SPDX-License-Identifier: MIT */
/* cairn compute descent and cairn draw descent: gradient descent step by step, of a typed function
 * or of the cost of a typed model over the rows of a table. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/calculator.h"
#include "data/expression.h"
#include "data/view.h"
#include "typed/numbers.h"
#include "typed/shown.h"
#include "typed/typed_functions.h"
#include "draw/contour.h"
#include "plots/scene.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CAIRN_MOST_STARTS = 8, CAIRN_MOST_RATES = 8 };

typedef enum { CAIRN_RATE_CONSTANT, CAIRN_RATE_DECREASING, CAIRN_RATE_ADAPTIVE } rate_schedule;

typedef enum {
    CAIRN_SQUARES_HALF,
    CAIRN_SQUARES_SUM,
    CAIRN_SQUARES_MEAN,
    CAIRN_SQUARES_ROOT
} squares;

typedef enum { SOLVER_PLAIN, SOLVER_MOMENTUM, SOLVER_ADAM } descent_solver;

typedef enum { CAIRN_DESCENT_FLAT, CAIRN_DESCENT_SURFACE } descent_view;

typedef struct descent_params {
    const char *function, *start, *eta, *slope;
    double low, high, y_low, y_high, turn, tilt, tolerance, grow, shrink;
    int64_t iterations;
    double momentum, beta1, beta2;
    int solver, schedule, view, cost, update;
    bool gradient;
} descent_params;

/* What is minimised, from where, and how fast. All scratch or borrowed. */
typedef struct cairn_descent {
    cairn_context *ctx;
    const descent_params *p;
    const char *const *names; /* d variables */
    size_t d;
    const char *const *slopes; /* d derivatives as expressions; NULL = by differences */
    double *starts;            /* n_starts x d */
    size_t n_starts;
    double *rates; /* n_rates */
    size_t n_rates;
    double low[2], high[2]; /* of the picture */
    /* The rows whose cost f is; none where the function itself is f. */
    const char **columns;  /* n_columns that the function reads */
    const double **values; /* of the columns, n_rows each */
    size_t n_columns, n_rows, n_left_out;
    const char *target; /* its name */
    const char *net;    /* what the sigmoid is taken of, where the function is one; else NULL */
    const double *targets, *weights;
} cairn_descent;

typedef enum {
    CAIRN_DESCENT_STEPS,    /* all of them were done */
    CAIRN_DESCENT_LEVEL,    /* the gradient is as good as 0 */
    CAIRN_DESCENT_AWAY,     /* it has left the numbers, or is far beyond them */
    CAIRN_DESCENT_UNDEFINED /* the function has no value or slope there */
} descent_ending;

/* One path: n places, the start first. */
typedef struct descent_path {
    char name[60];
    double rate; /* of the first step */
    size_t n;
    double *at;          /* n x d */
    double *value;       /* n: f */
    double *gradient;    /* n x d: those by which the step from there went */
    double *rates;       /* n: of the step from there; NaN = there is none */
    double *moved;       /* n x d: v of momentum, m of Adam, after the step from there; else NULL */
    double *squares;     /* n x d: s of Adam, likewise */
    size_t *rows;        /* n: with an update per row the one of the step from there; else NULL */
    size_t rises, first; /* steps after which f is higher, and the first of them, from 1 */
    size_t taken_back;   /* adaptive: steps that were too long */
    double curvature;    /* along the first step that rises, else the last: NaN = unknown */
    descent_ending ending;
} descent_path;

/* A row at a place, for the chain rule: ∂f/∂w = −factor (t − o) ∂o/∂w. */
typedef struct descent_row {
    double target, output;
    double net;     /* what the sigmoid is taken of; NaN where the function is none */
    double *slopes; /* d: derivatives of the net input, or where there is none of the output */
    double factor;
} descent_row;

/* -- descent -- */

/* Derivatives that are not typed are differences of four values around a place, exact but for
 * rounding up to powers of four; where one of them is missing, of two values near it. An adaptive
 * step that does not lower f is taken back and tried again, shorter. */

enum { WHOLE, ROW, MOST_VARIABLES = 100, MOST_HALVINGS = 200 };

static const cairn_choice solvers[] = {
    {"plain", SOLVER_PLAIN, "steps along the gradient"},
    {"momentum", SOLVER_MOMENTUM, "with a part of the step before"},
    {"adam", SOLVER_ADAM, "steps by the size of each slope"},
    {NULL, 0, NULL}};

static const cairn_choice schedules[] = {
    {"constant", CAIRN_RATE_CONSTANT, "the same in every step"},
    {"decreasing", CAIRN_RATE_DECREASING,
     "divided by the number of the step, so that steps add up to any length"},
    {"adaptive", CAIRN_RATE_ADAPTIVE,
     "longer after a step that lowers the function; one that does not is taken back"},
    {NULL, 0, NULL}};

static const cairn_choice views[] = {
    {"flat", CAIRN_DESCENT_FLAT, "the curve of a function of x, contour lines of one of x and y"},
    {"surface", CAIRN_DESCENT_SURFACE, "a function of x and y in space"},
    {NULL, 0, NULL}};

static const cairn_choice costs[] = {{"half", CAIRN_SQUARES_HALF, "half the sum of squared errors"},
                                     {"sse", CAIRN_SQUARES_SUM, "sum of squared errors"},
                                     {"mse", CAIRN_SQUARES_MEAN, "mean squared error"},
                                     {"rms", CAIRN_SQUARES_ROOT, "root of the mean squared error"},
                                     {NULL, 0, NULL}};

static const cairn_choice updates[] = {
    {"whole", WHOLE, "by the cost of all rows"},
    {"row", ROW, "by the cost of one row after the other, over and over"},
    {NULL, 0, NULL}};

#define P descent_params
static const cairn_param descent_table[] = {
    CAIRN_PARAM(P, function, "x^2", NULL,
                "what is minimised: an expression of x, of x and y, or of any names; with DATA the "
                "output of a model, an expression of columns and of names to be found",
                .often = true),
    {.name = "start",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(P, start),
     .help = "where a path begins: a number for each name, which are sorted; five sixths of the "
             "way to the ends of the picture if not given, with DATA at 0",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_AS(P, eta, CAIRN_TYPE_LIST, "0.1",
                   "learning rates, separated by commas: a path from every start, and a panel each",
                   .often = true, .was = "rate"),
    CAIRN_PARAM_CHOICE(P, solver, "plain", solvers, "how a step is made of the gradient",
                       .often = true),
    CAIRN_PARAM(P, momentum, "0.9", "[0,1)", "part of the step before", .when = "solver=momentum"),
    CAIRN_PARAM(P, beta1, "0.9", "[0,1)", "share that the mean of slopes keeps in a step",
                .when = "solver=adam"),
    CAIRN_PARAM(P, beta2, "0.999", "[0,1)", "share that the mean of their squares keeps",
                .when = "solver=adam"),
    CAIRN_PARAM_CHOICE(P, schedule, "constant", schedules, "how the rate goes on"),
    CAIRN_PARAM(P, grow, "1.2", "[1,10]",
                "factor of the rate after a step that lowers the function",
                .when = "schedule=adaptive"),
    CAIRN_PARAM(P, shrink, "0.5", "(0,1)", "factor of the rate after a step that does not",
                .when = "schedule=adaptive"),
    CAIRN_PARAM_CALLED("max_iter", P, iterations, "20", "[1,100000]", "most steps of a path",
                       .often = true, .was = "iterations"),
    CAIRN_PARAM(P, tolerance, "1e-09", "[0,inf)", "end where no derivative is larger than this"),
    {.name = "slope",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(P, slope),
     .help = "the derivative by each name in turn, as an expression; by differences if not given",
     .repeated = true},
    CAIRN_PARAM_CHOICE(P, cost, "half", costs,
                       "with DATA: how the output is held against the target"),
    CAIRN_PARAM_CHOICE(P, update, "whole", updates, "with DATA: what a step goes by"),
    CAIRN_PARAM(P, gradient, "no", NULL,
                "draw the direction of the first step: against the gradient"),
    CAIRN_PARAM_CHOICE(P, view, "flat", views, "how a function of x and y is seen"),
    CAIRN_PARAM(P, low, "-3", NULL, "where x begins in the picture"),
    CAIRN_PARAM(P, high, "3", NULL, "where x ends"),
    CAIRN_PARAM(P, y_low, CAIRN_NOT_GIVEN, NULL, "where y begins; as x if not given"),
    CAIRN_PARAM(P, y_high, CAIRN_NOT_GIVEN, NULL, "where y ends; as x if not given"),
    CAIRN_PARAM(P, turn, "-35", "[-360,360]", "degrees about the upright axis",
                .when = "view=surface"),
    CAIRN_PARAM(P, tilt, "58", "[0,90]", "degrees from the side (0) to above (90)",
                .when = "view=surface"),
    CAIRN_PARAM_END,
};
#undef P

/* -- the function -- */

/* Cost of the rows first .. last - 1, of which `outputs` are what the model says. */
static double cost_of(const cairn_descent *s, const double *outputs, size_t first, size_t last)
{
    double sum = 0, total = 0;
    for (size_t i = first; i < last; i++) {
        double error = s->targets[i] - outputs[i - first], weight = s->weights ? s->weights[i] : 1;
        sum += weight * error * error;
        total += weight;
    }
    switch ((squares)s->p->cost) {
    case CAIRN_SQUARES_HALF: return sum / 2;
    case CAIRN_SQUARES_SUM: return sum;
    case CAIRN_SQUARES_MEAN: return sum / total;
    case CAIRN_SQUARES_ROOT: break;
    }
    return sqrt(sum / total);
}

/* What is asked of the rows first .. last - 1: the cost, or what an expression is in the first. */
typedef struct question {
    size_t first, last;
    const char *expression; /* NULL = the cost */
} question;

/* The answer at place number `at`: the parameters are columns of one value. */
static cairn_status ask_rows(const cairn_descent *s, double *out, const double *const *places,
                             size_t at, const question *q)
{
    size_t first = q->first, n = q->last - first, all = s->n_columns + s->d;
    const char **names, *function = q->expression ? q->expression : s->p->function;
    const double **columns;
    double *outputs, *constant;
    SCOPED_SCRATCH(s->ctx);
    CHECK(SCRATCH_EACH(s->ctx, all, &names, &columns));
    CHECK(SCRATCH_RAW(s->ctx, &outputs, n));
    CHECK(SCRATCH_RAW(s->ctx, &constant, cairn_product(n, s->d)));
    for (size_t j = 0; j < s->n_columns; j++) {
        names[j] = s->columns[j];
        columns[j] = s->values[j] + first;
    }
    for (size_t k = 0; k < s->d; k++) {
        names[s->n_columns + k] = s->names[k];
        columns[s->n_columns + k] = constant + k * n;
        for (size_t i = 0; i < n; i++) constant[k * n + i] = places[k][at];
    }
    CHECK(cairn_function_values(s->ctx, outputs, function,
                                &(cairn_variables){names, columns, all, n}, "function"));
    *out = q->expression ? outputs[0] : cost_of(s, outputs, first, q->last);
    return CAIRN_OK;
}

static cairn_status answers_at(const cairn_descent *s, double *out, const double *const *places,
                               size_t n, const question *q)
{
    if (!s->n_rows)
        return cairn_function_values(s->ctx, out, s->p->function,
                                     &(cairn_variables){s->names, places, s->d, n}, "function");
    for (size_t i = 0; i < n; i++) CHECK(ask_rows(s, &out[i], places, i, q));
    return CAIRN_OK;
}

/* f at n places, NaN where it has no value; d columns of n numbers. */
static cairn_status descent_values(const cairn_descent *s, double *out, const double *const *places,
                                   size_t n)
{
    return answers_at(s, out, places, n, &(question){0, s->n_rows, NULL});
}

/* -- derivatives -- */

/* n copies of a place as d columns. */
static cairn_status copies(const cairn_descent *s, double ***out, const double *at, size_t n)
{
    CHECK(SCRATCH(s->ctx, out, s->d));
    for (size_t k = 0; k < s->d; k++) {
        CHECK(SCRATCH_RAW(s->ctx, &(*out)[k], n));
        for (size_t i = 0; i < n; i++) (*out)[k][i] = at[k];
    }
    return CAIRN_OK;
}

/* Differences over the places h and 2h on both sides. */
static cairn_status differ(const cairn_descent *s, const double *at, const question *q,
                           double *gradient)
{
    static const double wide = 7e-4, narrow = 6e-6;
    double **places, *f;
    size_t n = 6 * s->d;
    CHECK(copies(s, &places, at, n));
    CHECK(SCRATCH_RAW(s->ctx, &f, n));
    for (size_t k = 0; k < s->d; k++) {
        double size = fmax(1, fabs(at[k])), h = wide * size;
        const double moves[6] = {-2 * h, -h, h, 2 * h, -narrow * size, narrow * size};
        for (size_t i = 0; i < 6; i++) places[k][6 * k + i] += moves[i];
    }
    CHECK(answers_at(s, f, (const double *const *)places, n, q));
    for (size_t k = 0; k < s->d; k++) {
        const double *v = f + 6 * k, *x = places[k] + 6 * k;
        gradient[k] = (8 * (v[2] - v[1]) - (v[3] - v[0])) / (6 * (x[2] - x[1]));
        if (!isfinite(gradient[k])) gradient[k] = (v[5] - v[4]) / (x[5] - x[4]);
    }
    return CAIRN_OK;
}

/* The typed derivatives. */
static cairn_status derive(const cairn_descent *s, const double *at, double *gradient)
{
    double **places;
    CHECK(copies(s, &places, at, 1));
    for (size_t k = 0; k < s->d; k++)
        CHECK(cairn_function_values(
            s->ctx, &gradient[k], s->slopes[k],
            &(cairn_variables){s->names, (const double *const *)places, s->d, 1}, "slope"));
    return CAIRN_OK;
}

/* f at a place, and the gradient there by which step number `step` (from 0) goes. */
static cairn_status look(const cairn_descent *s, const double *at, size_t step, double *value,
                         double *gradient)
{
    double **places;
    SCOPED_SCRATCH(s->ctx);
    CHECK(copies(s, &places, at, 1));
    CHECK(descent_values(s, value, (const double *const *)places, 1));
    if (s->slopes) return derive(s, at, gradient);
    bool by_row = s->n_rows && s->p->update == ROW;
    size_t row = by_row ? step % s->n_rows : 0;
    return differ(s, at, &(question){row, by_row ? row + 1 : s->n_rows, NULL}, gradient);
}

/* By what −(t − o) ∂o/∂w is multiplied in the cost of one row. */
static double row_factor(const cairn_descent *s, size_t row)
{
    double weight = s->weights ? s->weights[row] : 1;
    switch ((squares)s->p->cost) {
    case CAIRN_SQUARES_HALF: return weight;
    case CAIRN_SQUARES_SUM: return 2 * weight;
    case CAIRN_SQUARES_MEAN:
    case CAIRN_SQUARES_ROOT: break;
    }
    return 2;
}

/* By differences, which of a function that is linear in its names are exact but for rounding.
 * Scratch. */
static cairn_status descent_look_at_row(const cairn_descent *s, descent_row *out, const double *at,
                                        size_t row)
{
    double **places;
    question output = {row, row + 1, s->p->function}, net = {row, row + 1, s->net};
    *out = (descent_row){.target = s->targets[row], .net = NAN, .factor = row_factor(s, row)};
    CHECK(copies(s, &places, at, 1));
    CHECK(SCRATCH_RAW(s->ctx, &out->slopes, s->d));
    CHECK(answers_at(s, &out->output, (const double *const *)places, 1, &output));
    if (s->net) CHECK(answers_at(s, &out->net, (const double *const *)places, 1, &net));
    return differ(s, at, s->net ? &net : &output, out->slopes);
}

/* -- paths -- */

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = isnan(x[i]) ? INFINITY : fmax(most, fabs(x[i]));
    return most;
}

/* Curvature along the step from place i: how the slope in its direction changes. */
static double curvature_of(const descent_path *path, size_t i, size_t d)
{
    double change = 0, length = 0;
    for (size_t k = 0; k < d; k++) {
        double step = path->at[(i + 1) * d + k] - path->at[i * d + k];
        change += step * (path->gradient[(i + 1) * d + k] - path->gradient[i * d + k]);
        length += step * step;
    }
    return change / length;
}

/* Added to the root of s, which is 0 where no slope has been. */
static const double adam_floor = 1e-8;

/* v ← μv − ηg and x ← x + v; or m ← β₁m + (1 − β₁)g, s ← β₂s + (1 − β₂)g² and
 * x ← x − η m̂ / (√ŝ + ε), m̂ and ŝ without what they lack after few steps. */
static void move_on(const cairn_descent *s, descent_path *path, size_t i, double *next)
{
    const descent_params *p = s->p;
    double decay1 = cairn_pow(p->beta1, (double)i + 1), decay2 = cairn_pow(p->beta2, (double)i + 1);
    for (size_t k = 0; k < s->d; k++) {
        size_t at = i * s->d + k;
        double g = path->gradient[at], x = path->at[at], rate = path->rates[i];
        double before = i ? path->moved[at - s->d] : 0;
        if (p->solver == SOLVER_MOMENTUM) {
            path->moved[at] = p->momentum * before - rate * g;
            next[k] = x + path->moved[at];
            continue;
        }
        double square = i ? path->squares[at - s->d] : 0;
        path->moved[at] = p->beta1 * before + (1 - p->beta1) * g;
        path->squares[at] = p->beta2 * square + (1 - p->beta2) * g * g;
        double m = path->moved[at] / (1 - decay1), r = path->squares[at] / (1 - decay2);
        next[k] = x - rate * m / (sqrt(r) + adam_floor);
    }
}

/* The next place, by the rate that path->rates has for it; an adaptive rate is shortened until f
 * falls. False where no step does. */
static cairn_status step_from(const cairn_descent *s, descent_path *path, size_t i, bool *moved)
{
    const double *at = path->at + i * s->d, *gradient = path->gradient + i * s->d;
    double *next = path->at + (i + 1) * s->d, *columns[MOST_VARIABLES], value;
    *moved = true;
    if (path->moved) {
        move_on(s, path, i, next);
        return CAIRN_OK;
    }
    for (int tries = 0; tries < MOST_HALVINGS; tries++) {
        for (size_t k = 0; k < s->d; k++) {
            next[k] = at[k] - path->rates[i] * gradient[k];
            columns[k] = &next[k];
        }
        if (s->p->schedule != CAIRN_RATE_ADAPTIVE) return CAIRN_OK;
        CHECK(descent_values(s, &value, (const double *const *)columns, 1));
        if (value < path->value[i]) return CAIRN_OK;
        path->taken_back++;
        path->rates[i] *= s->p->shrink;
    }
    *moved = false;
    return CAIRN_OK;
}

static double rate_of(const cairn_descent *s, const descent_path *path, size_t i)
{
    switch ((rate_schedule)s->p->schedule) {
    case CAIRN_RATE_CONSTANT: break;
    case CAIRN_RATE_DECREASING: return path->rate / (double)(i + 1);
    case CAIRN_RATE_ADAPTIVE: return i ? path->rates[i - 1] * s->p->grow : path->rate;
    }
    return path->rate;
}

/* Whether the path ends at place i, which has been looked at, and why. Slopes that are nothing but
 * the rounding of f count as 0; with an update per row that of one row says nothing of an end. */
static bool is_end(const cairn_descent *s, descent_path *path, size_t i)
{
    static const double far = 1e100, rounding = 1e-13;
    double slope = largest(path->gradient + i * s->d, s->d);
    double size = largest(path->at + i * s->d, s->d), f = fabs(path->value[i]);
    bool resting = !path->moved || !i; /* else it may pass where the slope is 0 */
    if (!resting)
        resting =
            largest(path->moved + (i - 1) * s->d, s->d) <= fmax(s->p->tolerance, rounding * size);
    if (size > far || f > far)
        path->ending = CAIRN_DESCENT_AWAY;
    else if (resting && !path->rows && slope <= fmax(s->p->tolerance, rounding * f / fmax(1, size)))
        path->ending = CAIRN_DESCENT_LEVEL;
    else if (i == (size_t)s->p->iterations)
        path->ending = CAIRN_DESCENT_STEPS;
    else
        return false;
    return true;
}

/* Steps that raised f, and how bent f is along the one to speak of. */
static void judge(descent_path *path, size_t d)
{
    static const double rounding = 1e-13;
    path->curvature = NAN;
    for (size_t i = 1; i < path->n; i++) {
        double before = path->value[i - 1];
        if (!(path->value[i] - before > rounding * fabs(before))) continue;
        if (!path->rises++) path->first = i;
    }
    size_t step = path->first ? path->first : path->n - 1;
    if (step && !path->rows) path->curvature = curvature_of(path, step - 1, d);
}

/* The path from a start; fails where that has no slope. Scratch. */
static cairn_status descend(const cairn_descent *s, descent_path *out, const double *start,
                            double rate)
{
    bool moved = true;
    out->rate = rate;
    size_t most = (size_t)s->p->iterations + 1;
    CHECK(SCRATCH_RAW_EACH(s->ctx, cairn_product(most, s->d), &out->at, &out->gradient));
    CHECK(SCRATCH_RAW_EACH(s->ctx, most, &out->value, &out->rates));
    if (s->p->solver != SOLVER_PLAIN)
        CHECK(SCRATCH_EACH(s->ctx, cairn_product(most, s->d), &out->moved, &out->squares));
    if (s->n_rows && s->p->update == ROW) CHECK(SCRATCH_RAW(s->ctx, &out->rows, most));
    memcpy(out->at, start, s->d * sizeof *start);
    for (size_t i = 0;; i++) {
        CHECK(cairn_tick(s->ctx, "descent", (double)i, (double)s->p->iterations));
        CHECK(look(s, out->at + i * s->d, i, &out->value[i], out->gradient + i * s->d));
        if (out->rows) out->rows[i] = i % s->n_rows;
        out->rates[i] = NAN;
        if (!isfinite(out->value[i]) || isinf(largest(out->gradient + i * s->d, s->d))) {
            out->ending = i ? CAIRN_DESCENT_AWAY : CAIRN_DESCENT_UNDEFINED;
            break;
        }
        out->n = i + 1;
        if (is_end(s, out, i)) break;
        out->rates[i] = rate_of(s, out, i);
        CHECK(step_from(s, out, i, &moved));
        if (!moved) {
            out->ending = CAIRN_DESCENT_LEVEL;
            out->rates[i] = NAN;
            break;
        }
    }
    if (!out->n && s->n_rows)
        return cairn_fail(
            s->ctx, CAIRN_BAD_DATA,
            "{start}: the cost of the rows has no value or no slope where the path %s "
            "begins; where columns are huge, scale them down",
            out->name);
    if (!out->n)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{start}: '%s' has no slope where the path %s begins", s->p->function,
                          out->name);
    judge(out, s->d);
    return CAIRN_OK;
}

/* -- reading -- */

/* "x", "x and y", "w0, w1 and w2". */
static void add_names(cairn_text *out, const cairn_descent *s)
{
    for (size_t k = 0; k < s->d; k++)
        cairn_text_addf(out, "%s%s", !k ? "" : k + 1 < s->d ? ", " : " and ", s->names[k]);
}

/* Without a start the path begins near the low corner of the range, or with rows at zero. */
static cairn_status read_starts(cairn_descent *s)
{
    const char *const *lines;
    size_t n;
    CHECK(cairn_list_lines(s->ctx, s->p->start, &lines));
    CHECK(SCRATCH(s->ctx, &s->starts, cairn_product(CAIRN_MOST_STARTS, s->d)));
    for (size_t i = 0; lines[i]; i++) {
        double *numbers;
        SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(s->ctx);
        CHECK(cairn_list_numbers(s->ctx, "start", lines[i], &numbers, &n));
        add_names(&names, s);
        CHECK(cairn_text_status(&names));
        if (n != s->d || isinf(largest(numbers, n)))
            return cairn_fail(s->ctx, CAIRN_USAGE,
                              "{start %s}: %zu finite number%s needed for '%s': %s", lines[i], s->d,
                              s->d == 1 ? " is" : "s are", s->p->function,
                              cairn_text_string(&names));
        if (s->n_starts == CAIRN_MOST_STARTS)
            return cairn_fail(s->ctx, CAIRN_USAGE, "{start}: at most %d paths", CAIRN_MOST_STARTS);
        memcpy(s->starts + s->n_starts++ * s->d, numbers, s->d * sizeof *numbers);
    }
    if (s->n_starts) return CAIRN_OK;
    for (size_t k = 0; k < s->d && !s->n_rows; k++) {
        size_t axis = k ? 1 : 0;
        s->starts[k] = s->low[axis] + (s->high[axis] - s->low[axis]) / 12;
    }
    s->n_starts = 1;
    return CAIRN_OK;
}

/* The names that the function reads: those of columns, and those that are to be found. */
static cairn_status read_names(cairn_descent *s, const cairn_table *table)
{
    const char **all;
    size_t n;
    CHECK(cairn_function_names(s->ctx, &all, &n, s->p->function, "function"));
    CHECK(SCRATCH_EACH(s->ctx, n + 1, &s->columns, &s->values));
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t column = table ? cairn_table_find(table, all[i]) : -1;
        if (column < 0) {
            all[s->d++] = all[i];
            continue;
        }
        CHECK(cairn_number_column(s->ctx, &s->values[s->n_columns], table, (size_t)column,
                                  "function"));
        s->columns[s->n_columns++] = all[i];
    }
    s->names = all;
    if (!s->d)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{function}: '%s' has no name whose value could be looked for; write one "
                          "that is no column, such as w in 'w * x'",
                          s->p->function);
    if (s->d <= MOST_VARIABLES) return CAIRN_OK;
    return cairn_fail(s->ctx, CAIRN_USAGE, "{function}: %zu names are too many; at most %d", s->d,
                      MOST_VARIABLES);
}

/* Rows of which a number is missing are left out. */
static cairn_status keep_rows(cairn_descent *s, const double *targets, const double *weights,
                              size_t n)
{
    double **kept, *target, *weight = NULL;
    CHECK(SCRATCH(s->ctx, &kept, s->n_columns + 1));
    for (size_t j = 0; j < s->n_columns; j++) CHECK(SCRATCH_RAW(s->ctx, &kept[j], n));
    CHECK(SCRATCH_RAW(s->ctx, &target, n));
    if (weights) CHECK(SCRATCH_RAW(s->ctx, &weight, n));
    for (size_t i = 0; i < n; i++) {
        bool whole = isfinite(targets[i]) && (!weights || weights[i] > 0);
        for (size_t j = 0; j < s->n_columns; j++) whole &= isfinite(s->values[j][i]);
        if (!whole) continue;
        for (size_t j = 0; j < s->n_columns; j++) kept[j][s->n_rows] = s->values[j][i];
        if (weights) weight[s->n_rows] = weights[i];
        target[s->n_rows++] = targets[i];
    }
    for (size_t j = 0; j < s->n_columns; j++) s->values[j] = kept[j];
    s->targets = target;
    s->weights = weight;
    s->n_left_out = n - s->n_rows;
    return CAIRN_OK;
}

/* Targets and weights of the table. */
static cairn_status read_rows(cairn_descent *s, const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    const double *targets;
    cairn_view view;
    if (target < 0)
        return cairn_fail(
            s->ctx, CAIRN_USAGE,
            "the cost holds outputs against a target; choose it with {target COLUMN}");
    s->target = table->slots[target].name;
    CHECK(cairn_number_column(s->ctx, &targets, table, (size_t)target, "target"));
    CHECK(cairn_view_make(s->ctx, &view, table, cairn_all_rows(table)));
    CHECK(keep_rows(s, targets, view.row_weights, table->n_rows));
    if (!s->n_rows)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "no row has all numbers that '%s' and the target '%s' need",
                          s->p->function, s->target);
    if (s->p->update == ROW && s->p->cost == CAIRN_SQUARES_ROOT)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{cost rms} is no sum over rows; with {update row} choose half, sse or "
                          "mse");
    return CAIRN_OK;
}

/* Typed derivatives are held against differences at the first start. */
static cairn_status check_slopes(const cairn_descent *s)
{
    double *typed, *differences;
    CHECK(SCRATCH_EACH(s->ctx, s->d, &typed, &differences));
    CHECK(derive(s, s->starts, typed));
    CHECK(differ(s, s->starts, &(question){0}, differences));
    for (size_t k = 0; k < s->d; k++) {
        char a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
        if (!(fabs(typed[k] - differences[k]) > 1e-4 * fmax(1, fabs(differences[k])))) continue;
        cairn_number_format(a, typed[k], 6);
        cairn_number_format(b, differences[k], 6);
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{slope %s}: it is %s at the start, but the function changes there by %s "
                          "for each %s",
                          s->slopes[k], a, b, s->names[k]);
    }
    return CAIRN_OK;
}

static cairn_status read_slopes(cairn_descent *s)
{
    size_t n = 0;
    if (!s->p->slope) return CAIRN_OK;
    CHECK(cairn_list_lines(s->ctx, s->p->slope, &s->slopes));
    while (s->slopes[n]) n++;
    if (s->n_rows)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{slope} is for typed functions; the derivatives of the cost of rows are "
                          "differences");
    if (n != s->d)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{slope} is given %zu times; '%s' needs %zu", n,
                          s->p->function, s->d);
    return check_slopes(s);
}

/* Everything that the parameters say; the table may be NULL. */
static cairn_status descent_read(cairn_context *ctx, cairn_descent *out,
                                 const cairn_compute_job *job)
{
    *out = (cairn_descent){.ctx = ctx, .p = job->params};
    const descent_params *p = out->p;
    out->low[0] = p->low;
    out->high[0] = p->high;
    out->low[1] = isnan(p->y_low) ? p->low : p->y_low;
    out->high[1] = isnan(p->y_high) ? p->high : p->y_high;
    CHECK(cairn_check_ends(out->ctx, out->low, out->high));
    CHECK(read_names(out, job->table));
    if (job->table) CHECK(read_rows(out, job->table));
    if (job->table) CHECK(cairn_expression_argument(ctx, &out->net, out->p->function, "sigmoid"));
    CHECK(read_starts(out));
    CHECK(cairn_list_numbers(out->ctx, "eta", out->p->eta, &out->rates, &out->n_rates));
    bool right = out->n_rates && out->n_rates <= CAIRN_MOST_RATES;
    for (size_t i = 0; i < out->n_rates; i++) right &= out->rates[i] > 0 && isfinite(out->rates[i]);
    if (!right) {
        return cairn_fail(out->ctx, CAIRN_USAGE, "{eta %s}: one to %d positive numbers",
                          out->p->eta, CAIRN_MOST_RATES);
    }
    return read_slopes(out);
}

/* -- descent figure -- */

enum { CURVE = 400, CELLS = 120, ROW_CELLS = 40, FACES = 26 };

/* A path as columns, as far as it stays within a hundred spans of the axes. */
typedef struct drawn_path {
    const char *name;
    const descent_path *whole;
    double *x, *y, *f;
    size_t n;
} drawn_path;

/* "f(x, y)", or the cost of rows. */
static const char *f_title(const cairn_descent *s, char *out, size_t size)
{
    if (s->n_rows)
        snprintf(out, size, "cost");
    else if (s->d > 2)
        snprintf(out, size, "f");
    else
        snprintf(out, size, "f(%.30s%s%.30s)", s->names[0], s->d > 1 ? ", " : "",
                 s->d > 1 ? s->names[1] : "");
    return out;
}

static cairn_status draw_curve(const cairn_descent *s, cairn_figure *figure, bool legend)
{
    double x[CURVE + 1], f[CURVE + 1];
    const double *const places[] = {x};
    char title[80];
    for (int i = 0; i <= CURVE; i++)
        x[i] = s->low[0] + (s->high[0] - s->low[0]) * (double)i / CURVE;
    CHECK(descent_values(s, f, places, CURVE + 1));
    cairn_figure_axes(figure, s->names[0], f_title(s, title, sizeof title));
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= CURVE; i++)
        if (isfinite(f[i])) low = fmin(low, f[i]), high = fmax(high, f[i]);
    if (low < high) cairn_figure_y_range(figure, low - 0.05 * (high - low), high);
    cairn_figure_line(figure, legend ? "f" : NULL, x, f, CURVE + 1);
    return CAIRN_OK;
}

/* Values over a grid of n + 1 places along each side. */
static cairn_status sample(const cairn_descent *s, size_t n, double **x, double **y, double **f)
{
    size_t side = n + 1;
    CHECK(SCRATCH_RAW_EACH(s->ctx, side * side, x, y, f));
    for (size_t k = 0; k < side * side; k++) {
        size_t across = k % side, up = k / side;
        (*x)[k] = s->low[0] + (s->high[0] - s->low[0]) * (double)across / (double)n;
        (*y)[k] = s->low[1] + (s->high[1] - s->low[1]) * (double)up / (double)n;
    }
    const double *const places[] = {*x, *y};
    return descent_values(s, *f, places, side * side);
}

/* Contour lines of the function, denser where the path goes. */
static cairn_status draw_lines(const cairn_descent *s, cairn_figure *figure)
{
    enum { LINES = 12 };
    double *x, *y, *f, levels[LINES], low = INFINITY, high = -INFINITY;
    size_t cells = s->n_rows ? ROW_CELLS : CELLS;
    CHECK(sample(s, cells, &x, &y, &f));
    for (size_t k = 0; k < (cells + 1) * (cells + 1); k++)
        if (isfinite(f[k])) low = fmin(low, f[k]), high = fmax(high, f[k]);
    cairn_contour_levels(levels, LINES, low, high);
    cairn_contour_grid grid = {f,
                               cells + 1,
                               cells + 1,
                               s->low[0],
                               s->low[1],
                               (s->high[0] - s->low[0]) / (double)cells,
                               (s->high[1] - s->low[1]) / (double)cells};
    cairn_figure_axes(figure, s->names[0], s->names[1]);
    cairn_figure_y_range(figure, s->low[1], s->high[1]);
    return low < high ? cairn_contour_add(s->ctx, figure, NULL, &grid, levels, LINES) : CAIRN_OK;
}

static bool is_shown(const cairn_descent *s, const drawn_path *p, size_t i)
{
    return p->x[i] >= s->low[0] && p->x[i] <= s->high[0] && p->y[i] >= s->low[1] &&
           p->y[i] <= s->high[1];
}

/* The steps of a path as lines and dots on the surface, as far as the axes go. */
static cairn_status add_path(const cairn_descent *s, cairn_scene *scene, const drawn_path *p,
                             int32_t group)
{
    for (size_t i = 0; i < p->n && is_shown(s, p, i); i++) {
        double line[2][3] = {{p->x[i], p->y[i], p->f[i]}};
        CHECK(cairn_scene_add(s->ctx, scene, group, 1, line, 1));
        if (i + 1 == p->n || !is_shown(s, p, i + 1)) break;
        line[1][0] = p->x[i + 1];
        line[1][1] = p->y[i + 1];
        line[1][2] = p->f[i + 1];
        CHECK(cairn_scene_add(s->ctx, scene, group, 1, line, 2));
    }
    return CAIRN_OK;
}

/* A flat function gets a height of its own, since a scene without height cannot be drawn. */
static cairn_status draw_surface(const cairn_descent *s, cairn_figure *figure,
                                 const drawn_path *paths)
{
    char title[80];
    SCOPED(cairn_scene_clear)
    cairn_scene scene = {.low = {s->low[0], s->low[1], INFINITY},
                         .high = {s->high[0], s->high[1], -INFINITY},
                         .turn = s->p->turn,
                         .tilt = s->p->tilt,
                         .names = {s->names[0], s->names[1], f_title(s, title, sizeof title)}};
    double *x, *y, *f;
    size_t side = FACES + 1;
    CHECK(sample(s, FACES, &x, &y, &f));
    for (size_t k = 0; k < side * side; k++)
        cairn_scene_include(&scene, (double[]){x[k], y[k], f[k]});
    if (!(scene.low[2] < scene.high[2])) scene.low[2] = 0, scene.high[2] = 1;
    CHECK(cairn_scene_surface(s->ctx, &scene, x, y, f, side));
    for (size_t i = 0; i < s->n_starts; i++) CHECK(add_path(s, &scene, &paths[i], (int32_t)i + 1));
    cairn_scene_draw(&scene, figure);
    return CAIRN_OK;
}

/* The columns of a path: its first two variables and f. */
static cairn_status take_path(const cairn_descent *s, drawn_path *out, const descent_path *whole)
{
    *out = (drawn_path){.name = whole->name, .whole = whole};
    CHECK(SCRATCH_EACH(s->ctx, whole->n, &out->x, &out->y));
    for (bool far = false; out->n < whole->n && !far; out->n++) {
        for (size_t k = 0; k < s->d && k < 2; k++) {
            double at = whole->at[out->n * s->d + k];
            (k ? out->y : out->x)[out->n] = at;
            far |= fabs(at - s->low[k]) > 100 * (s->high[k] - s->low[k]);
        }
    }
    out->f = whole->value;
    return CAIRN_OK;
}

/* The paths of one rate. */
static cairn_status draw_rate(const cairn_descent *s, cairn_figure *figure, const descent_path *all,
                              bool legend)
{
    drawn_path *paths;
    CHECK(SCRATCH(s->ctx, &paths, s->n_starts));
    for (size_t i = 0; i < s->n_starts; i++) CHECK(take_path(s, &paths[i], &all[i]));
    for (size_t i = 0; s->d > 2 && i < s->n_starts; i++) {
        /* f by step, where there are more variables than can be drawn. */
        const drawn_path *p = &paths[i];
        double *steps;
        char title[80];
        CHECK(SCRATCH(s->ctx, &steps, p->whole->n));
        for (size_t j = 0; j < p->whole->n; j++) steps[j] = (double)j;
        cairn_figure_axes(figure, "step", f_title(s, title, sizeof title));
        cairn_figure_line(figure, legend ? p->name : NULL, steps, p->whole->value, p->whole->n);
    }
    if (s->d > 2) return CAIRN_OK;
    if (s->d > 1 && s->p->view == CAIRN_DESCENT_SURFACE) return draw_surface(s, figure, paths);
    cairn_figure_x_range(figure, s->low[0], s->high[0]);
    CHECK(s->d > 1 ? draw_lines(s, figure) : draw_curve(s, figure, legend));
    for (size_t i = 0; i < s->n_starts; i++) {
        const double *heights = s->d > 1 ? paths[i].y : paths[i].f;
        cairn_figure_points(figure, paths[i].x, heights, NULL, paths[i].n, NULL, 0);
        /* The path as an arrow, and where its first step points; only one panel names them. */
        const drawn_path *p = &paths[i];
        if (p->n > 1) cairn_figure_arrow(figure, legend ? p->name : NULL, p->x, heights, p->n);
        cairn_figure_mark(figure, legend ? "start" : NULL, p->x[0], heights[0]);
        if (!s->p->gradient || p->n < 2) continue;
        const double share = 0.18; /* of the span, in the direction of the first step */
        double dx = (p->x[1] - p->x[0]) / (s->high[0] - s->low[0]);
        double dy = s->d > 1 ? (p->y[1] - p->y[0]) / (s->high[1] - s->low[1]) : 0;
        double length = sqrt(dx * dx + dy * dy);
        if (!(length > 0)) continue;
        double x[2] = {p->x[0], p->x[0] + share * dx / length * (s->high[0] - s->low[0])};
        double y[2] = {heights[0], heights[0] + share * dy / length * (s->high[1] - s->low[1])};
        cairn_figure_arrow(figure, legend ? "against the gradient" : NULL, x, y, 2);
    }
    return CAIRN_OK;
}

static cairn_status start_figure(const cairn_descent *s, cairn_figure **out,
                                 const descent_path *first)
{
    char title[160];
    /* "rate 0.1: f = 0.013 after 20 steps"; of several paths the lowest end. */
    size_t size = sizeof title;
    char r[CAIRN_NUMBER_SIZE], f[CAIRN_NUMBER_SIZE];
    double least = INFINITY;
    for (size_t i = 0; i < s->n_starts; i++) least = fmin(least, first[i].value[first[i].n - 1]);
    cairn_number_format(r, first->rate, 4);
    cairn_number_format(f, least, 4);
    if (s->n_starts > 1)
        snprintf(title, size, "rate %s: least f = %s at the ends of %zu paths", r, f, s->n_starts);
    else
        snprintf(title, size, "rate %s: f = %s after %zu steps", r, f, first->n - 1);
    return cairn_figure_new(s->ctx, out, "descent", title);
}

/* The curve, contour lines or surface of a function of one or two numbers with the paths of all
 * starts, a panel for every rate; of more numbers f by step. paths: n_rates x n_starts. */
static cairn_status descent_figure(const cairn_descent *s, cairn_figure **out,
                                   const descent_path *paths)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED_SCRATCH(s->ctx);
    if (s->n_rates == 1) {
        CHECK(start_figure(s, &figure, paths));
        CHECK(draw_rate(s, figure, paths, true));
    } else {
        CHECK(cairn_figure_new(s->ctx, &figure, "descent", s->p->function));
        /* A panel for every rate. */
        for (size_t i = 0; i < s->n_rates; i++) {
            cairn_figure *panel;
            CHECK(start_figure(s, &panel, paths + i * s->n_starts));
            cairn_figure_size(panel, 340, 300);
            cairn_status status = draw_rate(s, panel, paths + i * s->n_starts, i + 1 == s->n_rates);
            cairn_figure_panel(figure, panel);
            CHECK(status);
        }
        cairn_figure_columns(figure, s->n_rates == 4 ? 2 : 3);
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

enum { SHOWN_STEPS = 200, WORKED_STEPS = 3, WORKED_NAMES = 6 };

static const char *const endings[] = {
    [CAIRN_DESCENT_STEPS] = "all steps were done",
    [CAIRN_DESCENT_LEVEL] = "the slope is as good as 0",
    [CAIRN_DESCENT_AWAY] = "it ran away",
    [CAIRN_DESCENT_UNDEFINED] = "there is no slope",
};

/* -- paths -- */

static void name_path(const cairn_descent *s, descent_path *out, const double *start)
{
    size_t used = (size_t)snprintf(out->name, sizeof out->name, "from ");
    for (size_t k = 0; k < s->d; k++) {
        char number[CAIRN_NUMBER_SIZE];
        size_t length = cairn_number_format(number, start[k], 4);
        if (used + length + 5 >= sizeof out->name) {
            snprintf(out->name + used, sizeof out->name - used, "…");
            return;
        }
        used += (size_t)snprintf(out->name + used, sizeof out->name - used, "%s%s", k ? "," : "",
                                 number);
    }
}

static cairn_status make_paths(const cairn_descent *s, descent_path **out)
{
    CHECK(SCRATCH(s->ctx, out, s->n_rates * s->n_starts));
    for (size_t r = 0; r < s->n_rates; r++)
        for (size_t i = 0; i < s->n_starts; i++) {
            descent_path *path = &(*out)[r * s->n_starts + i];
            name_path(s, path, s->starts + i * s->d);
            CHECK(descend(s, path, s->starts + i * s->d, s->rates[r]));
        }
    return CAIRN_OK;
}

static const double *end_of(const cairn_descent *s, const descent_path *path)
{
    return path->at + (path->n - 1) * s->d;
}

static double value_of(const descent_path *path)
{
    return path->value[path->n - 1];
}

/* -- the report -- */

static void show_paths(cairn_report *out, const cairn_descent *s, const descent_path *paths)
{
    cairn_report_table_of(out, "Paths", 0, "rlrr", "path", "start", "rate η", "steps");
    for (size_t k = 0; k < s->d; k++) cairn_report_column(out, s->names[k], 'r');
    cairn_report_columns(out, "rrl", "f", "steps up", "ended because");
    for (size_t i = 0; i < s->n_rates * s->n_starts; i++) {
        const descent_path *path = &paths[i];
        cairn_report_cells(out, "- - path$1.rate path$1.steps", i + 1, path->name + strlen("from "),
                           path->rate, path->n - 1);
        for (size_t k = 0; k < s->d; k++)
            cairn_report_cell_number(out, end_of(s, path)[k], 0, "path%zu.end.%s", i + 1,
                                     cairn_report_key(out, s->names[k]));
        cairn_report_prefix(out, "path%zu", i + 1);
        cairn_report_cells(out, "@.value @.rises @.ended", value_of(path), (double)path->rises,
                           endings[path->ending]);
        cairn_report_hidden(out, (double)path->taken_back, "path%zu.taken_back", i + 1);
        cairn_report_hidden(out, path->curvature, "path%zu.curvature", i + 1);
    }
}

/* The last of the lowest places of a path. */
static size_t lowest_step(const descent_path *path)
{
    size_t best = 0;
    for (size_t t = 1; t < path->n; t++)
        if (path->value[t] <= path->value[best]) best = t;
    return best;
}

/* The lowest place of all paths, which of one that rises is not its end. */
static void show_best(cairn_report *out, const cairn_descent *s, const descent_path *paths)
{
    size_t best = 0, step = lowest_step(&paths[0]);
    for (size_t i = 1; i < s->n_rates * s->n_starts; i++) {
        size_t t = lowest_step(&paths[i]);
        if (!(paths[i].value[t] < paths[best].value[step])) continue;
        best = i;
        step = t;
    }
    cairn_report_value(out, "least value found", paths[best].value[step], "best.value");
    cairn_report_value(out, "on path", (double)(best + 1), "best.path");
    cairn_report_value(out, "after step", (double)step, "best.step");
    for (size_t k = 0; k < s->d; k++)
        cairn_report_value(out, s->names[k], paths[best].at[step * s->d + k], "best.at.%s",
                           cairn_report_key(out, s->names[k]));
}

/* Steps that went up are too long; where f is bent upwards along one, its curvature tells which
 * rates are not. */
static void note_long(cairn_report *out, const descent_path *path, size_t number)
{
    char rate[CAIRN_NUMBER_SIZE], bend[CAIRN_NUMBER_SIZE], most[CAIRN_NUMBER_SIZE];
    if (!path->rises && path->ending != CAIRN_DESCENT_AWAY) return;
    cairn_number_format(rate, path->rate, 4);
    if (path->rows) {
        cairn_report_note(out,
                          "Path %zu: f is higher after %zu of its %zu updates, first after update "
                          "%zu. Steps by one row at a time need not lower the cost of all; where "
                          "it keeps rising, lower the rate %s.",
                          number, path->rises, path->n - 1, path->first, rate);
        return;
    }
    if (!path->rises) {
        cairn_report_note(
            out,
            "Path %zu: the step after its step %zu leaves the numbers: the rate %s is "
            "too long. Lower {eta}, or choose {schedule adaptive}.",
            number, path->n - 1, rate);
        return;
    }
    if (!(path->curvature > 0)) {
        cairn_report_note(out,
                          "Path %zu: steps with the rate %s are too long; f is higher after "
                          "%zu of %zu. Lower {eta}, or choose {schedule adaptive}.",
                          number, rate, path->rises, path->n - 1);
        return;
    }
    cairn_number_format(bend, path->curvature, 4);
    cairn_number_format(most, 2 / path->curvature, 4);
    cairn_report_note(out,
                      "Path %zu: steps with the rate %s are too long; f is higher after %zu of "
                      "%zu, first after step %zu. Along that one its curvature is %s, so that only "
                      "rates below 2/%s = %s lower it there. Lower {eta}, or choose {schedule "
                      "adaptive}.",
                      number, rate, path->rises, path->n - 1, path->first, bend, bend, most);
}

/* Whether two ends are the same minimum: the same f and the same place, but for what steps that
 * became small leave. */
static bool same_end(const cairn_descent *s, const descent_path *a, const descent_path *b)
{
    double apart = 0, size = 1;
    for (size_t k = 0; k < s->d; k++) {
        apart = fmax(apart, fabs(end_of(s, a)[k] - end_of(s, b)[k]));
        size = fmax(size, fabs(end_of(s, a)[k]));
    }
    return apart <= 1e-3 * size;
}

/* Paths that came to rest at different places. */
static void note_minima(cairn_report *out, const cairn_descent *s, const descent_path *paths)
{
    size_t n = s->n_rates * s->n_starts, minima = 0, rested = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = paths[i].ending != CAIRN_DESCENT_LEVEL;
        rested += !known;
        for (size_t j = 0; j < i && !known; j++)
            known = paths[j].ending == CAIRN_DESCENT_LEVEL && same_end(s, &paths[i], &paths[j]);
        minima += !known;
    }
    cairn_report_value(out, "places where paths came to rest", (double)minima, "rests");
    if (minima > 1)
        cairn_report_note(out,
                          "%zu paths came to rest at %zu different places: the function has "
                          "several local minima (or saddles), and where a path ends depends on "
                          "where it starts.",
                          rested, minima);
}

/* v or m and s of a step with their numbers, then the step. */
static void work_move(cairn_report *out, const cairn_descent *s, const descent_path *path, size_t i,
                      size_t k)
{
    const descent_params *p = s->p;
    char label[120];
    size_t at = i * s->d + k;
    double g = path->gradient[at], before = i ? path->moved[at - s->d] : 0, t = (double)i + 1;
    double v = path->moved[at], x = path->at[at], next = path->at[at + s->d];
    if (p->solver == SOLVER_MOMENTUM) {
        snprintf(label, sizeof label, "step %zu: v(%.60s)", i + 1, s->names[k]);
        cairn_report_worked(out, label, "# · # − # · # = #", p->momentum, before, path->rates[i], g,
                            v);
        snprintf(label, sizeof label, "step %zu: %.60s", i + 1, s->names[k]);
        cairn_report_worked(out, label, "# + # = #", x, v, next);
        return;
    }
    double square = i ? path->squares[at - s->d] : 0, r = path->squares[at];
    double lack1 = cairn_pow(p->beta1, t), lack2 = cairn_pow(p->beta2, t);
    double m_hat = v / (1 - lack1), s_hat = r / (1 - lack2);
    snprintf(label, sizeof label, "step %zu: m(%.60s)", i + 1, s->names[k]);
    cairn_report_worked(out, label, "# · # + (1 − #) · # = #", p->beta1, before, p->beta1, g, v);
    snprintf(label, sizeof label, "step %zu: s(%.60s)", i + 1, s->names[k]);
    cairn_report_worked(out, label, "# · # + (1 − #) · #² = #", p->beta2, square, p->beta2, g, r);
    snprintf(label, sizeof label, "step %zu: m̂(%.60s)", i + 1, s->names[k]);
    cairn_report_worked(out, label, "# / (1 − #^#) = #", v, p->beta1, t, m_hat);
    snprintf(label, sizeof label, "step %zu: ŝ(%.60s)", i + 1, s->names[k]);
    cairn_report_worked(out, label, "# / (1 − #^#) = #", r, p->beta2, t, s_hat);
    snprintf(label, sizeof label, "step %zu: %.60s", i + 1, s->names[k]);
    cairn_report_worked(out, label, "# − # · # / (√# + #) = #", x, path->rates[i], m_hat, s_hat,
                        adam_floor, next);
}

/* "x ← x − η ∂f/∂x = 1 − 0.1·2 = 0.8" for every name. */
static void work_step(cairn_report *out, const cairn_descent *s, const descent_path *path, size_t i)
{
    for (size_t k = 0; path->moved && k < s->d && k < WORKED_NAMES; k++)
        work_move(out, s, path, i, k);
    if (path->moved) return;
    for (size_t k = 0; k < s->d && k < WORKED_NAMES; k++) {
        char label[120];
        double at = path->at[i * s->d + k], slope = path->gradient[i * s->d + k];
        snprintf(label, sizeof label, "step %zu: %.60s", i + 1, s->names[k]);
        cairn_report_worked(out, label, "# − # · # = #", at, path->rates[i], slope,
                            path->at[(i + 1) * s->d + k]);
    }
}

/* "∂f/∂w = −(t − o) · o · (1 − o) · x": the chain rule for the row that a step goes by. */
static cairn_status work_row(cairn_report *out, const cairn_descent *s, const descent_path *path,
                             size_t i)
{
    descent_row row;
    char label[120];
    SCOPED_SCRATCH(s->ctx);
    CHECK(descent_look_at_row(s, &row, path->at + i * s->d, path->rows[i]));
    double t = row.target, o = row.output;
    snprintf(label, sizeof label, "step %zu: o of row %zu", i + 1, path->rows[i] + 1);
    if (s->net)
        cairn_report_worked(out, label, "sigmoid(#) = #", row.net, o);
    else
        cairn_report_worked(out, label, "#", o);
    for (size_t k = 0; k < s->d && k < WORKED_NAMES; k++) {
        double gradient = path->gradient[i * s->d + k];
        const double numbers[] = {row.factor, t, o, o, o, row.slopes[k], gradient};
        const double straight[] = {row.factor, t, o, row.slopes[k], gradient};
        bool plain = row.factor == 1;
        snprintf(label, sizeof label, "step %zu: ∂f/∂%.60s", i + 1, s->names[k]);
        if (s->net)
            cairn_report_worked_numbers(out, label,
                                        plain ? "−(# − #) · # · (1 − #) · # = #"
                                              : "−# · (# − #) · # · (1 − #) · # = #",
                                        numbers + plain, 7 - plain);
        else
            cairn_report_worked_numbers(out, label,
                                        plain ? "−(# − #) · # = #" : "−# · (# − #) · # = #",
                                        straight + plain, 5 - plain);
    }
    return CAIRN_OK;
}

/* The chain rule of the cost of one row, with t for its target and o for the output. */
static void show_chain(cairn_report *out, const cairn_descent *s)
{
    const char *factor = s->p->cost != CAIRN_SQUARES_HALF ? "2 · " : "";
    const char *weight = s->weights && s->p->cost != CAIRN_SQUARES_MEAN ? "weight · " : "";
    if (!s->net) {
        cairn_report_formula(out, "∂f/∂x of one row = −%s%s(t − o) · ∂o/∂x,   t: target, o: output",
                             factor, weight);
        return;
    }
    cairn_report_formula(out, "o = sigmoid(net),   net = %s,   o′ = o · (1 − o)", s->net);
    cairn_report_formula(out,
                         "∂f/∂x of one row = −%s%s(t − o) · o · (1 − o) · ∂net/∂x,   t: target",
                         factor, weight);
}

static void show_trace(cairn_report *out, const cairn_descent *s, const descent_path *path,
                       size_t number)
{
    cairn_report_table_of(out, "The path", SHOWN_STEPS, "r", "step");
    if (path->rows) cairn_report_column(out, "by row", 'r');
    for (size_t k = 0; k < s->d; k++) cairn_report_column(out, s->names[k], 'r');
    cairn_report_column(out, "f", 'r');
    for (size_t k = 0; k < s->d; k++) {
        char head[100];
        snprintf(head, sizeof head, "∂f/∂%.60s", s->names[k]);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_column(out, "η", 'r');
    for (size_t i = 0; i < path->n; i++) {
        cairn_report_cellf(out, "%zu", i);
        if (path->rows) cairn_report_cellf(out, "%zu", path->rows[i] + 1);
        for (size_t k = 0; k < s->d; k++)
            cairn_report_cell_number(out, path->at[i * s->d + k], 0, "path%zu.step%zu.at.%s",
                                     number, i, cairn_report_key(out, s->names[k]));
        cairn_report_cell_number(out, path->value[i], 0, "path%zu.step%zu.f", number, i);
        for (size_t k = 0; k < s->d; k++)
            cairn_report_cell_number(out, path->gradient[i * s->d + k], 0,
                                     "path%zu.step%zu.gradient.%s", number, i,
                                     cairn_report_key(out, s->names[k]));
        bool last = isnan(path->rates[i]);
        for (size_t k = 0; path->moved && !last && k < s->d; k++) {
            const char *key = cairn_report_key(out, s->names[k]);
            bool adam = s->p->solver == SOLVER_ADAM;
            cairn_report_hidden(out, path->moved[i * s->d + k],
                                adam ? "path%zu.step%zu.m.%s" : "path%zu.step%zu.v.%s", number, i,
                                key);
            if (adam)
                cairn_report_hidden(out, path->squares[i * s->d + k], "path%zu.step%zu.s.%s",
                                    number, i, key);
        }
        if (last)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, path->rates[i], 0, "path%zu.step%zu.rate", number, i);
    }
}

/* The rule of the rate as it is on the board. */
static const char *rule_of(const cairn_descent *s)
{
    switch ((rate_schedule)s->p->schedule) {
    case CAIRN_RATE_CONSTANT: break;
    case CAIRN_RATE_DECREASING: return "η(t) = η / t";
    case CAIRN_RATE_ADAPTIVE:
        return "η grows after a step that lowers f; else the step is taken back and η shrinks";
    }
    return "η is the same in every step";
}

/* Only the first steps are worked out; the table of the path holds them all. */
static cairn_status work(cairn_report *out, const cairn_descent *s, const descent_path *path,
                         size_t number)
{
    char rate[CAIRN_NUMBER_SIZE];
    cairn_number_format(rate, path->rate, 6);
    cairn_report_step_begin(out, "Path %zu, %s with η = %s", number, path->name, rate);
    cairn_report_formula(out,
                         s->p->solver == SOLVER_PLAIN ? "x ← x − η · ∂f/∂x,   %s"
                         : s->p->solver == SOLVER_MOMENTUM
                             ? "v ← μ v − η · ∂f/∂x,   x ← x + v,   %s"
                             : "m ← β₁ m + (1 − β₁) ∂f/∂x,   s ← β₂ s + (1 − β₂) (∂f/∂x)²,   "
                               "x ← x − η · m̂ / (√ŝ + ε),   m̂ = m / (1 − β₁ᵗ),   "
                               "ŝ = s / (1 − β₂ᵗ),   %s",
                         rule_of(s));
    if (path->rows) show_chain(out, s);
    for (size_t i = 0; i + 1 < path->n && i < WORKED_STEPS; i++) {
        if (path->rows) CHECK(work_row(out, s, path, i));
        work_step(out, s, path, i);
    }
    if (path->n > WORKED_STEPS + 1 || s->d > WORKED_NAMES)
        cairn_report_paragraph(out, "And so on, %zu steps in all: the table has them.",
                               path->n - 1);
    if (path->taken_back)
        cairn_report_paragraph(out, "%zu steps were too long and were taken back.",
                               path->taken_back);
    show_trace(out, s, path, number);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static void show_function(cairn_report *out, const cairn_descent *s)
{
    static const char *const cost_words[] = {
        [CAIRN_SQUARES_HALF] = "f = ½ Σ (%s − output)²",
        [CAIRN_SQUARES_SUM] = "f = Σ (%s − output)²",
        [CAIRN_SQUARES_MEAN] = "f = Σ (%s − output)² / n",
        [CAIRN_SQUARES_ROOT] = "f = √(Σ (%s − output)² / n)",
    };
    cairn_report_heading(out, 1, "Gradient descent");
    if (!s->n_rows) {
        cairn_report_formula(out, "f = %s", s->p->function);
        return;
    }
    cairn_report_formula(out, "output = %s", s->p->function);
    const char *split = strstr(cost_words[s->p->cost], "%s");
    cairn_report_formula(out, "%.*s%s%s", (int)(split - cost_words[s->p->cost]),
                         cost_words[s->p->cost], s->target, split + 2);
    cairn_report_value(out, "rows", (double)s->n_rows, "rows");
    if (s->n_left_out)
        cairn_report_note(out, "Rows that lack a number, and are left out: %zu.", s->n_left_out);
}

/* All paths as a table: path, step, variables, f, rate. */
static cairn_status make_table(const cairn_descent *s, cairn_table **out, const descent_path *paths)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t n = 0, n_paths = s->n_rates * s->n_starts, at = 0;
    double *cells;
    for (size_t i = 0; i < n_paths; i++) n += paths[i].n;
    CHECK(SCRATCH_RAW(s->ctx, &cells, cairn_product(n, s->d + 4)));
    for (size_t i = 0; i < n_paths; i++)
        for (size_t t = 0; t < paths[i].n; t++, at++) {
            cells[at] = (double)(i + 1);
            cells[n + at] = (double)t;
            for (size_t k = 0; k < s->d; k++) cells[(2 + k) * n + at] = paths[i].at[t * s->d + k];
            cells[(2 + s->d) * n + at] = paths[i].value[t];
            cells[(3 + s->d) * n + at] = paths[i].rates[t];
        }
    CHECK(cairn_table_new(s->ctx, &table, n));
    CHECK(cairn_table_put_numbers(s->ctx, table, "(path)", cells));
    CHECK(cairn_table_put_numbers(s->ctx, table, "(step)", cells + n));
    for (size_t k = 0; k < s->d; k++)
        CHECK(cairn_table_put_numbers(s->ctx, table, s->names[k], cells + (2 + k) * n));
    CHECK(cairn_table_put_numbers(s->ctx, table, "(f)", cells + (2 + s->d) * n));
    CHECK(cairn_table_put_numbers(s->ctx, table, "(rate)", cells + (3 + s->d) * n));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* A step that is taken back has no part of the step before. */
static cairn_status descent_check(cairn_context *ctx, const void *values)
{
    const descent_params *p = values;
    if (p->solver != SOLVER_PLAIN && p->schedule == CAIRN_RATE_ADAPTIVE)
        return cairn_fail(ctx, CAIRN_USAGE, "{schedule adaptive} goes with {solver plain}");
    return CAIRN_OK;
}

static cairn_status descent_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_descent s;
    descent_path *paths;
    cairn_figure *figure;
    CHECK(descent_read(ctx, &s, job));
    CHECK(make_paths(&s, &paths));
    size_t n = s.n_rates * s.n_starts;
    show_function(out, &s);
    show_paths(out, &s, paths);
    show_best(out, &s, paths);
    note_minima(out, &s, paths);
    for (size_t i = 0; i < n && s.p->solver == SOLVER_PLAIN; i++) note_long(out, &paths[i], i + 1);
    for (size_t i = 0; i < n && job->steps; i++) CHECK(work(out, &s, &paths[i], i + 1));
    if (job->result) CHECK(make_table(&s, job->result, paths));
    CHECK(descent_figure(&s, &figure, paths));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status descent_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    cairn_descent s;
    descent_path *paths;
    CHECK(descent_read(ctx, &s, job));
    CHECK(make_paths(&s, &paths));
    return descent_figure(&s, out, paths);
}

const cairn_calculator cairn_compute_descent = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "descent",
              .also =
                  "gradient descent, steepest descent, gradient method, learning rate, step size, "
                  "delta rule, cost function, local minimum, momentum, Adam",
              .title = "Gradient descent step by step",
              .summary =
                  "Follows x ← x − η ∂f/∂x on a typed function of any names, from one start or "
                  "several, plain, with momentum or by Adam, with a constant, a decreasing or an "
                  "adaptive rate. With DATA the "
                  "function is the output of a model, such as 'sigmoid(w0 + w1*x1)', and f is "
                  "its cost over the rows, stepped down by all rows at once or by one after the "
                  "other (the delta rule). It says where paths come to rest, and when steps are "
                  "too long, how long they may be.",
              .references = "Cauchy: Méthode générale pour la résolution des systèmes d'équations "
                            "simultanées, 1847; Widrow and Hoff: Adaptive switching circuits, 1960",
              .example =
                  "cairn compute descent --function 'x^2 + 4*y^2' --start 2,1 --eta 0.1 --steps",
              .params = descent_table,
              .params_size = sizeof(descent_params),
              .check = descent_check},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "descent",
         .also = "gradient descent, steepest descent, error surface, learning rate, local minimum",
         .title = "Gradient descent on a function",
         .summary =
             "The path of gradient descent on a typed function: on the curve of a function of x, "
             "on contour lines or on the surface of a function of x and y. Several starts show "
             "that paths end in different minima, several rates stand side by side, from too "
             "short steps to too long ones. With DATA it is the cost of a typed model.",
         .example = "cairn draw descent --function 'x^4 - 3*x^2 + x' --low -2.2 --high 2.2 "
                    "--start 2 --start -0.1 --eta 0.02",
         .params = descent_table,
         .params_size = sizeof(descent_params),
         .check = descent_check},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_WEIGHT,
    .run = descent_run,
    .draw = descent_draw,
};
