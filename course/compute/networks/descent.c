/* SPDX-License-Identifier: MIT */
/* Derivatives that are not typed are differences of four values around a place, exact but for
 * rounding up to powers of four; where one of them is missing, of two values near it. An adaptive
 * step that does not lower f is taken back and tried again, shorter. */
#include "compute/networks/descent.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/expression.h"
#include "data/view.h"
#include "typed/numbers.h"
#include "typed/shown.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WHOLE, ROW, MOST_VARIABLES = 100, MOST_HALVINGS = 200 };

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

#define P cairn_descent_params
const cairn_param cairn_descent_table[] = {
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
    CAIRN_PARAM_AS(P, rate, CAIRN_TYPE_LIST, "0.1",
                   "learning rates, separated by commas: a path from every start, and a panel each",
                   .often = true),
    CAIRN_PARAM_CHOICE(P, schedule, "constant", schedules, "how the rate goes on"),
    CAIRN_PARAM(P, grow, "1.2", "[1,10]",
                "factor of the rate after a step that lowers the function",
                .when = "schedule=adaptive"),
    CAIRN_PARAM(P, shrink, "0.5", "(0,1)", "factor of the rate after a step that does not",
                .when = "schedule=adaptive"),
    CAIRN_PARAM(P, iterations, "20", "[1,100000]", "most steps of a path", .often = true),
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
    switch ((cairn_squares)s->p->cost) {
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
    CHECK(SCRATCH(s->ctx, &names, all));
    CHECK(SCRATCH(s->ctx, &columns, all));
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

cairn_status cairn_descent_values(const cairn_descent *s, double *out, const double *const *places,
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
    CHECK(cairn_descent_values(s, value, (const double *const *)places, 1));
    if (s->slopes) return derive(s, at, gradient);
    bool by_row = s->n_rows && s->p->update == ROW;
    size_t row = by_row ? step % s->n_rows : 0;
    return differ(s, at, &(question){row, by_row ? row + 1 : s->n_rows, NULL}, gradient);
}

/* By what −(t − o) ∂o/∂w is multiplied in the cost of one row. */
static double row_factor(const cairn_descent *s, size_t row)
{
    double weight = s->weights ? s->weights[row] : 1;
    switch ((cairn_squares)s->p->cost) {
    case CAIRN_SQUARES_HALF: return weight;
    case CAIRN_SQUARES_SUM: return 2 * weight;
    case CAIRN_SQUARES_MEAN:
    case CAIRN_SQUARES_ROOT: break;
    }
    return 2;
}

cairn_status cairn_descent_look_at_row(const cairn_descent *s, cairn_descent_row *out,
                                       const double *at, size_t row)
{
    double **places;
    question output = {row, row + 1, s->p->function}, net = {row, row + 1, s->net};
    *out = (cairn_descent_row){.target = s->targets[row], .net = NAN, .factor = row_factor(s, row)};
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
static double curvature_of(const cairn_descent_path *path, size_t i, size_t d)
{
    double change = 0, length = 0;
    for (size_t k = 0; k < d; k++) {
        double step = path->at[(i + 1) * d + k] - path->at[i * d + k];
        change += step * (path->gradient[(i + 1) * d + k] - path->gradient[i * d + k]);
        length += step * step;
    }
    return change / length;
}

/* The next place, by the rate that path->rates has for it; an adaptive rate is shortened until f
 * falls. False where no step does. */
static cairn_status step_from(const cairn_descent *s, cairn_descent_path *path, size_t i,
                              bool *moved)
{
    const double *at = path->at + i * s->d, *gradient = path->gradient + i * s->d;
    double *next = path->at + (i + 1) * s->d, *columns[MOST_VARIABLES], value;
    *moved = true;
    for (int tries = 0; tries < MOST_HALVINGS; tries++) {
        for (size_t k = 0; k < s->d; k++) {
            next[k] = at[k] - path->rates[i] * gradient[k];
            columns[k] = &next[k];
        }
        if (s->p->schedule != CAIRN_RATE_ADAPTIVE) return CAIRN_OK;
        CHECK(cairn_descent_values(s, &value, (const double *const *)columns, 1));
        if (value < path->value[i]) return CAIRN_OK;
        path->taken_back++;
        path->rates[i] *= s->p->shrink;
    }
    *moved = false;
    return CAIRN_OK;
}

static cairn_status make_room(const cairn_descent *s, cairn_descent_path *out)
{
    size_t most = (size_t)s->p->iterations + 1;
    CHECK(SCRATCH_RAW(s->ctx, &out->at, cairn_product(most, s->d)));
    CHECK(SCRATCH_RAW(s->ctx, &out->gradient, cairn_product(most, s->d)));
    CHECK(SCRATCH_RAW(s->ctx, &out->value, most));
    CHECK(SCRATCH_RAW(s->ctx, &out->rates, most));
    if (s->n_rows && s->p->update == ROW) CHECK(SCRATCH_RAW(s->ctx, &out->rows, most));
    return CAIRN_OK;
}

static double rate_of(const cairn_descent *s, const cairn_descent_path *path, size_t i)
{
    switch ((cairn_rate_schedule)s->p->schedule) {
    case CAIRN_RATE_CONSTANT: break;
    case CAIRN_RATE_DECREASING: return path->rate / (double)(i + 1);
    case CAIRN_RATE_ADAPTIVE: return i ? path->rates[i - 1] * s->p->grow : path->rate;
    }
    return path->rate;
}

/* Whether the path ends at place i, which has been looked at, and why. Slopes that are nothing but
 * the rounding of f count as 0; with an update per row that of one row says nothing of an end. */
static bool is_end(const cairn_descent *s, cairn_descent_path *path, size_t i)
{
    static const double far = 1e100, rounding = 1e-13;
    double slope = largest(path->gradient + i * s->d, s->d);
    double size = largest(path->at + i * s->d, s->d), f = fabs(path->value[i]);
    if (size > far || f > far)
        path->ending = CAIRN_DESCENT_AWAY;
    else if (!path->rows && slope <= fmax(s->p->tolerance, rounding * f / fmax(1, size)))
        path->ending = CAIRN_DESCENT_LEVEL;
    else if (i == (size_t)s->p->iterations)
        path->ending = CAIRN_DESCENT_STEPS;
    else
        return false;
    return true;
}

/* Steps that raised f, and how bent f is along the one to speak of. */
static void judge(cairn_descent_path *path, size_t d)
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

cairn_status cairn_descend(const cairn_descent *s, cairn_descent_path *out, const double *start,
                           double rate)
{
    bool moved = true;
    out->rate = rate;
    CHECK(make_room(s, out));
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

static cairn_status read_rates(cairn_descent *s)
{
    CHECK(cairn_list_numbers(s->ctx, "rate", s->p->rate, &s->rates, &s->n_rates));
    bool right = s->n_rates && s->n_rates <= CAIRN_MOST_RATES;
    for (size_t i = 0; i < s->n_rates; i++) right &= s->rates[i] > 0 && isfinite(s->rates[i]);
    if (right) return CAIRN_OK;
    return cairn_fail(s->ctx, CAIRN_USAGE, "{rate %s}: one to %d positive numbers", s->p->rate,
                      CAIRN_MOST_RATES);
}

static cairn_status read_ends(cairn_descent *s)
{
    const cairn_descent_params *p = s->p;
    s->low[0] = p->low;
    s->high[0] = p->high;
    s->low[1] = isnan(p->y_low) ? p->low : p->y_low;
    s->high[1] = isnan(p->y_high) ? p->high : p->y_high;
    return cairn_check_ends(s->ctx, s->low, s->high);
}

/* The names that the function reads: those of columns, and those that are to be found. */
static cairn_status read_names(cairn_descent *s, const cairn_table *table)
{
    const char **all;
    size_t n;
    CHECK(cairn_function_names(s->ctx, &all, &n, s->p->function, "function"));
    CHECK(SCRATCH(s->ctx, &s->columns, n + 1));
    CHECK(SCRATCH(s->ctx, &s->values, n + 1));
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
    CHECK(SCRATCH(s->ctx, &typed, s->d));
    CHECK(SCRATCH(s->ctx, &differences, s->d));
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

cairn_status cairn_descent_read(cairn_context *ctx, cairn_descent *out,
                                const cairn_compute_job *job)
{
    *out = (cairn_descent){.ctx = ctx, .p = job->params};
    CHECK(read_ends(out));
    CHECK(read_names(out, job->table));
    if (job->table) CHECK(read_rows(out, job->table));
    if (job->table) CHECK(cairn_expression_argument(ctx, &out->net, out->p->function, "sigmoid"));
    CHECK(read_starts(out));
    CHECK(read_rates(out));
    return read_slopes(out);
}
