/* SPDX-License-Identifier: MIT */
/* cairn compute descent and cairn draw descent: gradient descent step by step, of a typed function
 * or of the cost of a typed model over the rows of a table. */
#include "compute/networks/descent.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_STEPS = 200, WORKED_STEPS = 3, WORKED_NAMES = 6 };

static const char *const endings[] = {
    [CAIRN_DESCENT_STEPS] = "all steps were done",
    [CAIRN_DESCENT_LEVEL] = "the slope is as good as 0",
    [CAIRN_DESCENT_AWAY] = "it ran away",
    [CAIRN_DESCENT_UNDEFINED] = "there is no slope",
};

/* -- paths -- */

static void name_path(const cairn_descent *s, cairn_descent_path *out, const double *start)
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

static cairn_status make_paths(const cairn_descent *s, cairn_descent_path **out)
{
    CHECK(SCRATCH(s->ctx, out, s->n_rates * s->n_starts));
    for (size_t r = 0; r < s->n_rates; r++)
        for (size_t i = 0; i < s->n_starts; i++) {
            cairn_descent_path *path = &(*out)[r * s->n_starts + i];
            name_path(s, path, s->starts + i * s->d);
            CHECK(cairn_descend(s, path, s->starts + i * s->d, s->rates[r]));
        }
    return CAIRN_OK;
}

static const double *end_of(const cairn_descent *s, const cairn_descent_path *path)
{
    return path->at + (path->n - 1) * s->d;
}

static double value_of(const cairn_descent_path *path)
{
    return path->value[path->n - 1];
}

/* -- the report -- */

static void show_paths(cairn_report *out, const cairn_descent *s, const cairn_descent_path *paths)
{
    cairn_report_table_of(out, "Paths", 0, "rlrr", "path", "start", "rate η", "steps");
    for (size_t k = 0; k < s->d; k++) cairn_report_column(out, s->names[k], 'r');
    cairn_report_columns(out, "rrl", "f", "steps up", "ended because");
    for (size_t i = 0; i < s->n_rates * s->n_starts; i++) {
        const cairn_descent_path *path = &paths[i];
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell(out, path->name + strlen("from "));
        cairn_report_cell_number(out, path->rate, 0, "path%zu.rate", i + 1);
        cairn_report_cell_number(out, (double)(path->n - 1), 0, "path%zu.steps", i + 1);
        for (size_t k = 0; k < s->d; k++)
            cairn_report_cell_number(out, end_of(s, path)[k], 0, "path%zu.end.%s", i + 1,
                                     cairn_report_key(out, s->names[k]));
        cairn_report_cell_number(out, value_of(path), 0, "path%zu.value", i + 1);
        cairn_report_cell_number(out, (double)path->rises, 0, "path%zu.rises", i + 1);
        cairn_report_cell_word(out, endings[path->ending], "path%zu.ended", i + 1);
        cairn_report_hidden(out, (double)path->taken_back, "path%zu.taken_back", i + 1);
        cairn_report_hidden(out, path->curvature, "path%zu.curvature", i + 1);
    }
    cairn_report_table_end(out);
}

/* The last of the lowest places of a path. */
static size_t lowest_step(const cairn_descent_path *path)
{
    size_t best = 0;
    for (size_t t = 1; t < path->n; t++)
        if (path->value[t] <= path->value[best]) best = t;
    return best;
}

/* The lowest place of all paths, which of one that rises is not its end. */
static void show_best(cairn_report *out, const cairn_descent *s, const cairn_descent_path *paths)
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
static void note_long(cairn_report *out, const cairn_descent_path *path, size_t number)
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
            "too long. Lower {rate}, or choose {schedule adaptive}.",
            number, path->n - 1, rate);
        return;
    }
    if (!(path->curvature > 0)) {
        cairn_report_note(out,
                          "Path %zu: steps with the rate %s are too long; f is higher after "
                          "%zu of %zu. Lower {rate}, or choose {schedule adaptive}.",
                          number, rate, path->rises, path->n - 1);
        return;
    }
    cairn_number_format(bend, path->curvature, 4);
    cairn_number_format(most, 2 / path->curvature, 4);
    cairn_report_note(out,
                      "Path %zu: steps with the rate %s are too long; f is higher after %zu of "
                      "%zu, first after step %zu. Along that one its curvature is %s, so that only "
                      "rates below 2/%s = %s lower it there. Lower {rate}, or choose {schedule "
                      "adaptive}.",
                      number, rate, path->rises, path->n - 1, path->first, bend, bend, most);
}

/* Whether two ends are the same minimum: the same f and the same place, but for what steps that
 * became small leave. */
static bool same_end(const cairn_descent *s, const cairn_descent_path *a,
                     const cairn_descent_path *b)
{
    double apart = 0, size = 1;
    for (size_t k = 0; k < s->d; k++) {
        apart = fmax(apart, fabs(end_of(s, a)[k] - end_of(s, b)[k]));
        size = fmax(size, fabs(end_of(s, a)[k]));
    }
    return apart <= 1e-3 * size;
}

/* Paths that came to rest at different places. */
static void note_minima(cairn_report *out, const cairn_descent *s, const cairn_descent_path *paths)
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

/* "x ← x − η ∂f/∂x = 1 − 0.1·2 = 0.8" for every name. */
static void work_step(cairn_report *out, const cairn_descent *s, const cairn_descent_path *path,
                      size_t i)
{
    for (size_t k = 0; k < s->d && k < WORKED_NAMES; k++) {
        char label[120];
        double at = path->at[i * s->d + k], slope = path->gradient[i * s->d + k];
        snprintf(label, sizeof label, "step %zu: %.60s", i + 1, s->names[k]);
        cairn_report_worked(out, label, "# − # · # = #", at, path->rates[i], slope,
                            path->at[(i + 1) * s->d + k]);
    }
}

/* "∂f/∂w = −(t − o) · o · (1 − o) · x": the chain rule for the row that a step goes by. */
static cairn_status work_row(cairn_report *out, const cairn_descent *s,
                             const cairn_descent_path *path, size_t i)
{
    cairn_descent_row row;
    char label[120];
    SCOPED_SCRATCH(s->ctx);
    CHECK(cairn_descent_look_at_row(s, &row, path->at + i * s->d, path->rows[i]));
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

static void show_trace(cairn_report *out, const cairn_descent *s, const cairn_descent_path *path,
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
        if (isnan(path->rates[i]))
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, path->rates[i], 0, "path%zu.step%zu.rate", number, i);
    }
    cairn_report_table_end(out);
}

/* The rule of the rate as it is on the board. */
static const char *rule_of(const cairn_descent *s)
{
    switch ((cairn_rate_schedule)s->p->schedule) {
    case CAIRN_RATE_CONSTANT: break;
    case CAIRN_RATE_DECREASING: return "η(t) = η / t";
    case CAIRN_RATE_ADAPTIVE:
        return "η grows after a step that lowers f; else the step is taken back and η shrinks";
    }
    return "η is the same in every step";
}

static cairn_status work(cairn_report *out, const cairn_descent *s, const cairn_descent_path *path,
                         size_t number)
{
    char rate[CAIRN_NUMBER_SIZE];
    cairn_number_format(rate, path->rate, 6);
    cairn_report_step_begin(out, "Path %zu, %s with η = %s", number, path->name, rate);
    cairn_report_formula(out, "x ← x − η · ∂f/∂x,   %s", rule_of(s));
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
    static const char *const costs[] = {
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
    const char *split = strstr(costs[s->p->cost], "%s");
    cairn_report_formula(out, "%.*s%s%s", (int)(split - costs[s->p->cost]), costs[s->p->cost],
                         s->target, split + 2);
    cairn_report_value(out, "rows", (double)s->n_rows, "rows");
    if (s->n_left_out)
        cairn_report_note(out, "Rows that lack a number, and are left out: %zu.", s->n_left_out);
}

/* All paths as a table: path, step, variables, f, rate. */
static cairn_status make_table(const cairn_descent *s, cairn_table **out,
                               const cairn_descent_path *paths)
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

static cairn_status descent_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_descent s;
    cairn_descent_path *paths;
    cairn_figure *figure;
    CHECK(cairn_descent_read(ctx, &s, job));
    CHECK(make_paths(&s, &paths));
    size_t n = s.n_rates * s.n_starts;
    show_function(out, &s);
    show_paths(out, &s, paths);
    show_best(out, &s, paths);
    note_minima(out, &s, paths);
    for (size_t i = 0; i < n; i++) note_long(out, &paths[i], i + 1);
    for (size_t i = 0; i < n && job->steps; i++) CHECK(work(out, &s, &paths[i], i + 1));
    if (job->result) CHECK(make_table(&s, job->result, paths));
    CHECK(cairn_descent_figure(&s, &figure, paths));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status descent_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    cairn_descent s;
    cairn_descent_path *paths;
    CHECK(cairn_descent_read(ctx, &s, job));
    CHECK(make_paths(&s, &paths));
    return cairn_descent_figure(&s, out, paths);
}

const cairn_calculator cairn_compute_descent = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "descent",
              .also =
                  "gradient descent, steepest descent, gradient method, learning rate, step size, "
                  "delta rule, cost function, local minimum",
              .title = "Gradient descent step by step",
              .summary =
                  "Follows x ← x − η ∂f/∂x on a typed function of any names, from one start or "
                  "several, with a constant, a decreasing or an adaptive rate. With DATA the "
                  "function is the output of a model, such as 'sigmoid(w0 + w1*x1)', and f is "
                  "its cost over the rows, stepped down by all rows at once or by one after the "
                  "other (the delta rule). It says where paths come to rest, and when steps are "
                  "too long, how long they may be.",
              .references = "Cauchy: Méthode générale pour la résolution des systèmes d'équations "
                            "simultanées, 1847; Widrow and Hoff: Adaptive switching circuits, 1960",
              .example =
                  "cairn compute descent --function 'x^2 + 4*y^2' --start 2,1 --rate 0.1 --steps",
              .params = cairn_descent_table,
              .params_size = sizeof(cairn_descent_params)},
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
                    "--start 2 --start -0.1 --rate 0.02",
         .params = cairn_descent_table,
         .params_size = sizeof(cairn_descent_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_WEIGHT,
    .run = descent_run,
    .draw = descent_draw,
};
