/* SPDX-License-Identifier: MIT */
/* What support vector machines show: of a solved machine, where the history knows every row, the
 * multipliers, the boundary in several forms, margins, slacks, groups and the conditions of the
 * optimum; as pictures, over two features the boundary with the bounds of the street (curves for
 * kernels that are not linear), support vectors with their row numbers, perpendiculars and slacks,
 * and the class means, over one feature, for numbers, the curve with its tube; and of problems of a
 * few rows the work on the board: the dual problem with its numbers, its solution, weights,
 * intercept, slacks, both objectives, and for two and three points in the plane the construction
 * with compasses. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "draw/contour.h"
#include "decompose/linalg.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm_fit.h"
#include "learners/linear/weights.h"
#include "model/chain.h"
#include "plots/margin_plot.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a solved machine says of its rows, worked out from the history. */
typedef struct svm_shown {
    const cairn_svm_model *model;
    const cairn_svm_machine *one; /* whose rows the history kept */
    const cairn_svm_params *params;
    const cairn_job *job;
    const char *const *terms; /* names of the model's terms */
    const char *prefix;       /* of value names: "", or "machine2." */
    size_t k;                 /* number of the machine */
    bool numbers;
    double norm;      /* ‖w‖ in the space of the kernel */
    double tolerance; /* within which a row is on the margin */
} svm_shown;

/* α = 0, 0 < α < C, α = C. */
typedef enum { CAIRN_SVM_ZERO, CAIRN_SVM_INSIDE, CAIRN_SVM_AT_BOUND } svm_group;

/* -- of a solved machine -- */

enum { MOST_FACTOR = 1000 };

static cairn_status make_prefix(cairn_context *ctx, const char **out, size_t n, size_t k)
{
    char *prefix;
    CHECK(SCRATCH(ctx, &prefix, 40));
    if (n > 1) snprintf(prefix, 40, "machine%zu.", k + 1);
    *out = prefix;
    return CAIRN_OK;
}

/* Scratch. `one` must have its rows. */
static cairn_status svm_shown_of(cairn_context *ctx, svm_shown *out, const cairn_svm_model *model,
                                 const cairn_svm_history *history, const cairn_job *job, size_t k)
{
    const cairn_svm_machine *one = &history->machines[k];
    double squared = 0, size = 1;
    *out = (svm_shown){.model = model,
                       .one = one,
                       .params = job->params,
                       .job = job,
                       .k = k,
                       .numbers = model->task == CAIRN_REGRESS};
    for (size_t i = 0; i < one->n; i++)
        squared += one->betas[i] * (one->scores[i] - model->constants[k]);
    out->norm = sqrt(fmax(squared, 0));
    for (size_t i = 0; i < one->n; i++) size = fmax(size, fabs(one->targets[i]));
    out->tolerance = fmax(1e-8 * size, one->gap);
    CHECK(make_prefix(ctx, &out->prefix, history->n_machines, k));
    return cairn_term_names(ctx, &out->terms, job->schema);
}

/* α = 0, 0 < α < C, α = C. */
static svm_group svm_group_of(const svm_shown *s, size_t i)
{
    double alpha = fabs(s->one->betas[i]);
    if (alpha <= 1e-8 * fmin(1, s->one->bounds[i])) return CAIRN_SVM_ZERO;
    if (s->params->loss == CAIRN_SVM_SQUARED) return CAIRN_SVM_INSIDE;
    return alpha >= s->one->bounds[i] * (1 - 1e-12) ? CAIRN_SVM_AT_BOUND : CAIRN_SVM_INSIDE;
}

/* y f(x) of a class. */
static double svm_functional(const svm_shown *s, size_t i)
{
    return s->one->targets[i] * s->one->scores[i];
}

/* Number of the target less the score. */
static double svm_residual(const svm_shown *s, size_t i)
{
    return s->one->targets[i] - s->one->scores[i];
}

/* ξ; what is no more than rounding is 0. */
static double svm_slack(const svm_shown *s, size_t i)
{
    double over = s->numbers ? fabs(svm_residual(s, i)) - s->one->rho : 1 - svm_functional(s, i);
    return over > s->tolerance ? over : 0;
}

static bool svm_on_margin(const svm_shown *s, size_t i)
{
    double over = s->numbers ? fabs(svm_residual(s, i)) - s->one->rho : 1 - svm_functional(s, i);
    return fabs(over) <= s->tolerance;
}

/* "ok", "on margin", "in margin", "on boundary", "misclassified"; of numbers "in tube", "on tube",
 * "outside". */
static const char *svm_state(const svm_shown *s, size_t i)
{
    double functional = svm_functional(s, i);
    if (svm_on_margin(s, i)) return s->numbers ? "on tube" : "on margin";
    if (svm_slack(s, i) == 0) return s->numbers ? "in tube" : "ok";
    if (s->numbers) return "outside";
    if (fabs(functional) <= s->tolerance) return "on boundary";
    return functional > 0 ? "in margin" : "misclassified";
}

/* What the primal problem comes to, the dual value, and Σ ξ. */
static double svm_slack_sum(const svm_shown *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->one->n; i++) sum += svm_slack(s, i);
    return sum;
}

/* The bounds of C S^k are the weights times C k S^(k-1), with S the sum of the slacks: so Σ bound ξ
 * is k times the cost, and what the dual takes off k - 1 times. */
static double svm_primal(const svm_shown *s)
{
    double cost = 0;
    bool squared = s->params->loss == CAIRN_SVM_SQUARED;
    for (size_t i = 0; i < s->one->n; i++) {
        double slack = svm_slack(s, i);
        if (slack > 0) cost += s->one->bounds[i] * (squared ? slack * slack : slack);
    }
    cost /= s->params->slack_power;
    return s->norm * s->norm / 2 + cost;
}

static double svm_dual(const svm_shown *s)
{
    double sum = -s->norm * s->norm / 2;
    for (size_t i = 0; i < s->one->n; i++)
        sum += s->one->betas[i] * s->one->targets[i] -
               s->numbers * s->one->rho * fabs(s->one->betas[i]);
    for (size_t i = 0; s->params->loss == CAIRN_SVM_SQUARED && i < s->one->n; i++)
        sum -= s->one->betas[i] * s->one->betas[i] / (4 * s->one->bounds[i]);
    for (size_t i = 0; s->params->slack_power > 1 && i < s->one->n; i++) {
        double k = s->params->slack_power, slack = svm_slack(s, i);
        if (slack > 0) sum -= (k - 1) / k * s->one->bounds[i] * slack;
    }
    return sum;
}

/* How far a row is from what its group asks for: α = 0 outside or on the margin, 0 < α < C on it,
 * α = C on it or inside. */
static double kkt_of(const svm_shown *s, size_t i)
{
    double over = s->numbers ? fabs(svm_residual(s, i)) - s->one->rho : 1 - svm_functional(s, i);
    if (s->params->loss == CAIRN_SVM_SQUARED)
        return fabs(fmax(over, 0) - fabs(s->one->betas[i]) / (2 * s->one->bounds[i]));
    switch (svm_group_of(s, i)) {
    case CAIRN_SVM_ZERO: return fmax(over, 0);
    case CAIRN_SVM_INSIDE: return fabs(over);
    case CAIRN_SVM_AT_BOUND: return fmax(-over, 0);
    }
    return 0;
}

/* Largest violation of the Kuhn-Tucker conditions of the rows, and whose it is. */
static double svm_kkt(const svm_shown *s, size_t *row)
{
    double worst = 0;
    *row = 0;
    for (size_t i = 0; i < s->one->n; i++)
        if (kkt_of(s, i) > worst) {
            worst = kkt_of(s, i);
            *row = i;
        }
    return worst;
}

/* Whether the two objectives meet, but for rounding and what rows within the tolerance leave. */
static bool svm_gap_is_closed(const svm_shown *s, double primal, double dual)
{
    double allowed = 1e-6 * primal, unit = s->numbers ? fmax(1, s->one->rho) : 1;
    bool width = s->numbers && s->params->type == CAIRN_SVM_NU; /* it costs, too */
    for (size_t i = 0; i < s->one->n; i++) {
        double alpha = fabs(s->one->betas[i]), bound = s->one->bounds[i];
        allowed += s->tolerance * unit * (isfinite(bound) ? fmax(alpha, bound - alpha) : alpha);
        if (width) allowed += 1e-6 * s->params->nu * bound * s->one->rho;
    }
    return fabs(primal - dual) <= allowed;
}

/* Weight of a term, 0 where it is rounding; only of linear machines. */
static double svm_weight(const svm_shown *s, size_t term)
{
    double weight = s->model->weights[term * s->model->n_machines + s->k];
    return fabs(weight) > 1e-14 * s->norm ? weight : 0;
}

/* w, then the constant, times the least factor that makes whole numbers of the weights; false where
 * no small one does. n_terms + 1 numbers. */
static bool svm_integers(const svm_shown *s, double *out)
{
    size_t n = s->model->n_terms;
    double least = INFINITY, first = 0;
    for (size_t t = 0; t < n; t++) {
        double size = fabs(svm_weight(s, t));
        if (size > 1e-9 * s->norm) least = fmin(least, size);
        if (size > 1e-9 * s->norm && first == 0) first = svm_weight(s, t);
    }
    if (isinf(least)) return false;
    for (int factor = 1; factor <= MOST_FACTOR; factor++) {
        double by = factor / least * (first < 0 ? -1 : 1);
        bool whole = true;
        for (size_t t = 0; whole && t < n; t++) {
            out[t] = round(svm_weight(s, t) * by);
            whole = fabs(svm_weight(s, t) * by - out[t]) <= 1e-7 && fabs(out[t]) <= 1e4;
        }
        out[n] = s->model->constants[s->k] * by;
        if (whole) return true;
    }
    return false;
}

/* "w·x − t = 0" with the numbers put in; `level` is on the right side, NaN = there is none. */
static void svm_add_equation(cairn_text *text, const svm_shown *s, const double *plane,
                             double level)
{
    bool any = false;
    double size = fabs(plane[s->model->n_terms]);
    for (size_t t = 0; t < s->model->n_terms; t++) size = fmax(size, fabs(plane[t]));
    for (size_t t = 0; t < s->model->n_terms; t++)
        if (fabs(plane[t]) > 1e-12 * size) cairn_add_term(text, &any, plane[t], s->terms[t], true);
    if (fabs(plane[s->model->n_terms]) > 1e-12 * size || !any)
        cairn_add_term(text, &any, plane[s->model->n_terms], NULL, false);
    if (isnan(level)) return;
    cairn_text_add(text, " = ");
    cairn_text_add_number(text, level, 6);
}

/* Name of a row, as the table has it: its number. `buffer` has 24 bytes. */
static const char *svm_row_name(const svm_shown *s, size_t i, char *buffer)
{
    snprintf(buffer, 24, "%d", (int)s->one->rows[i] + 1);
    return buffer;
}

/* -- pictures -- */

enum { GRID = 90, CURVE = 200, NAMED = 40, STREET_ROWS = 60 };

/* The only machine of a model, if its points were kept. */
static const cairn_svm_machine *machine_of(const cairn_svm_model *m, const cairn_job *job)
{
    const cairn_svm_history *history = job->history;
    if (!history || history->n_machines != 1 || !history->machines[0].points) return NULL;
    size_t wanted = m->task == CAIRN_REGRESS ? 1 : 2;
    const cairn_svm_machine *one = &history->machines[0];
    return m->n_terms == wanted && one->n_coordinates == wanted ? one : NULL;
}

/* Scores at places of the plane, n x n_terms numbers. */
static cairn_status score_places(cairn_context *ctx, const cairn_svm_model *m, const double *places,
                                 size_t n, double *out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_view view;
    double *column;
    CHECK(SCRATCH(ctx, &column, n));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t t = 0; t < m->n_terms; t++) {
        for (size_t i = 0; i < n; i++) column[i] = places[i * m->n_terms + t];
        CHECK(cairn_table_put_numbers(ctx, table, t ? "y" : "x", column));
    }
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return cairn_svm_scores(ctx, m, &view, out);
}

/* The name of a column, and whether its units are those of the data. */
static cairn_status axis_title(cairn_context *ctx, const char **out, const svm_shown *s,
                               size_t term)
{
    double value = 1;
    char *title;
    *out = s->terms[term];
    if (!s->job->described || !cairn_chain_restore(s->job->described, *out, &value))
        return CAIRN_OK;
    CHECK(SCRATCH(ctx, &title, strlen(*out) + 16));
    snprintf(title, strlen(*out) + 16, "%s, scaled", *out);
    *out = title;
    return CAIRN_OK;
}

/* Curves of score 0 and of ±1 by a grid over the picture. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure,
                                const cairn_margin_scene *scene, const cairn_svm_model *m)
{
    double *places, *scores;
    cairn_contour line = {0}, street = {0}, other = {0};
    cairn_contour_grid grid = {.nx = GRID, .ny = GRID, .x = scene->low[0], .y = scene->low[1]};
    grid.dx = (scene->high[0] - scene->low[0]) / (GRID - 1);
    grid.dy = (scene->high[1] - scene->low[1]) / (GRID - 1);
    CHECK(SCRATCH(ctx, &places, (size_t)2 * GRID * GRID));
    CHECK(SCRATCH(ctx, &scores, (size_t)GRID * GRID));
    for (size_t i = 0; i < (size_t)GRID * GRID; i++) {
        size_t across = i % GRID, up = i / GRID;
        places[2 * i] = grid.x + grid.dx * (double)across;
        places[2 * i + 1] = grid.y + grid.dy * (double)up;
    }
    CHECK(score_places(ctx, m, places, (size_t)GRID * GRID, scores));
    grid.values = scores;
    CHECK(cairn_contour_trace(ctx, &line, &grid, 0));
    CHECK(cairn_contour_trace(ctx, &street, &grid, 1));
    CHECK(cairn_contour_trace(ctx, &other, &grid, -1));
    CHECK(cairn_contour_join(ctx, &street, &other));
    if (line.n) cairn_figure_line(figure, "boundary", line.x, line.y, line.n);
    if (street.n) cairn_figure_beside(figure, "street", street.x, street.y, street.n);
    return CAIRN_OK;
}

/* Linear machines have lines and distances; others curves, along which no distance is straight. */
static cairn_status draw_classes(cairn_context *ctx, cairn_figure **out, const svm_shown *s)
{
    const cairn_svm_model *m = s->model;
    /* Classes have the colours that they have in other pictures: by their places. */
    size_t n_names = (size_t)(m->plus[0] > m->minus[0] ? m->plus[0] : m->minus[0]) + 1;
    double plane[3] = {0};
    const char **names;
    int32_t *groups;
    CHECK(SCRATCH(ctx, &names, n_names));
    CHECK(SCRATCH(ctx, &groups, s->one->n));
    for (size_t k = 0; k < n_names; k++) names[k] = cairn_schema_class(s->job->schema, (int32_t)k);
    for (size_t i = 0; i < s->one->n; i++)
        groups[i] = s->one->targets[i] < 0 ? m->minus[0] : m->plus[0];
    for (size_t t = 0; m->weights && t < 3; t++)
        plane[t] = t < 2 ? svm_weight(s, t) : m->constants[s->k];
    cairn_margin_scene scene = {.points = s->one->points,
                                .n = s->one->n,
                                .stride = 2,
                                .groups = groups,
                                .group_names = names,
                                .n_groups = n_names,
                                .plane = m->weights ? plane : NULL};
    CHECK(axis_title(ctx, &scene.x, s, 0));
    CHECK(axis_title(ctx, &scene.y, s, 1));
    CHECK(cairn_margin_start(ctx, out, &scene, "margin", "Boundary, street and support vectors"));
    if (m->weights) {
        /* Of two and three points also the lines of the construction: between points of both
         * classes, and between the two of one class. */
        cairn_figure *figure = *out;
        const double *p = s->one->points;
        for (size_t i = 0; s->one->n <= 3 && i < s->one->n; i++)
            for (size_t j = i + 1; j < s->one->n; j++)
                cairn_figure_faint(figure, (double[]){p[2 * i], p[2 * j]},
                                   (double[]){p[2 * i + 1], p[2 * j + 1]}, 2);
        /* The line, the bounds of its street, distances of the rows on it, and slacks of those
         * beyond. */
        cairn_margin_line(figure, &scene, plane, "boundary");
        cairn_margin_street(figure, &scene, plane, 1, "street");
        for (size_t i = 0; s->one->n <= STREET_ROWS && i < s->one->n; i++) {
            if (svm_slack(s, i) > 0)
                cairn_margin_perpendicular(figure, &scene, plane, s->one->targets[i], i);
            else if (svm_group_of(s, i) != CAIRN_SVM_ZERO)
                cairn_margin_perpendicular(figure, &scene, plane, 0, i);
        }
    } else {
        CHECK(draw_curves(ctx, *out, &scene, m));
    }
    cairn_figure *figure = *out;
    char buffer[24];
    size_t n = 0;
    for (size_t i = 0; i < s->one->n; i++) n += svm_group_of(s, i) != CAIRN_SVM_ZERO;
    for (size_t i = 0; i < s->one->n; i++)
        if (svm_group_of(s, i) != CAIRN_SVM_ZERO)
            cairn_margin_ring(figure, &scene, i, n <= NAMED ? svm_row_name(s, i, buffer) : NULL);
    return cairn_margin_means(ctx, *out, &scene);
}

/* The curve and the tube around it. */
static cairn_status draw_tube(cairn_context *ctx, cairn_figure *figure, const svm_shown *s,
                              double low, double high)
{
    double *x, *f, *both, *side;
    CHECK(SCRATCH_EACH(ctx, CURVE, &x, &f));
    CHECK(SCRATCH_EACH(ctx, 2 * CURVE + 1, &both, &side));
    for (size_t i = 0; i < CURVE; i++) x[i] = low + (high - low) * (double)i / (CURVE - 1);
    CHECK(score_places(ctx, s->model, x, CURVE, f));
    cairn_figure_line(figure, "f(x)", x, f, CURVE);
    for (size_t i = 0; i < CURVE; i++) {
        both[i] = x[i];
        both[CURVE + 1 + i] = x[i];
        side[i] = f[i] + s->one->rho;
        side[CURVE + 1 + i] = f[i] - s->one->rho;
    }
    both[CURVE] = side[CURVE] = NAN;
    cairn_figure_beside(figure, "tube", both, side, 2 * CURVE + 1);
    return CAIRN_OK;
}

/* Rows outside of the tube have a line down or up to the curve. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_figure **out, const svm_shown *s)
{
    static const char *const names[] = {"rows"};
    const double *x = s->one->points, *t = s->one->targets;
    double low = INFINITY, high = -INFINITY;
    const char *title;
    char buffer[24];
    CHECK(cairn_figure_new(ctx, out, "tube", "Curve, tube and support vectors"));
    CHECK(axis_title(ctx, &title, s, 0));
    cairn_figure_axes(*out, title, cairn_schema_target(s->job->schema)->name);
    cairn_figure_points(*out, x, t, NULL, s->one->n, names, 1);
    for (size_t i = 0; i < s->one->n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        if (svm_slack(s, i) > 0)
            cairn_figure_guide(*out, (double[]){x[i], x[i]}, (double[]){t[i], s->one->scores[i]},
                               2);
    }
    CHECK(draw_tube(ctx, *out, s, low, high));
    for (size_t i = 0; i < s->one->n; i++) {
        if (svm_group_of(s, i) == CAIRN_SVM_ZERO) continue;
        cairn_figure_mark(*out, NULL, x[i], t[i]);
        if (s->one->n <= NAMED) cairn_figure_label(*out, x[i], t[i], svm_row_name(s, i, buffer));
    }
    return CAIRN_OK;
}

static cairn_status make(cairn_context *ctx, cairn_figure **out, const void *model,
                         const cairn_job *job, bool numbers)
{
    const cairn_svm_model *m = model;
    svm_shown shown;
    *out = NULL;
    if ((m->task == CAIRN_REGRESS) != numbers || !machine_of(m, job)) return CAIRN_OK;
    CHECK(svm_shown_of(ctx, &shown, m, job->history, job, 0));
    return numbers ? draw_numbers(ctx, out, &shown) : draw_classes(ctx, out, &shown);
}

static cairn_status make_margin(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    return make(ctx, out, model, job, false);
}

static cairn_status make_tube(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    return make(ctx, out, model, job, true);
}

const cairn_model_figure cairn_svm_figures[] = {
    {.name = "margin", .make = make_margin},
    {.name = "tube", .make = make_tube},
    {0},
};

static void svm_draw(cairn_report *out, const cairn_svm_model *m, const cairn_job *job)
{
    for (const cairn_model_figure *figure = cairn_svm_figures; figure->name; figure++) {
        cairn_figure *made = NULL;
        cairn_status status = figure->make(cairn_report_context(out), &made, m, job);
        cairn_describe_figure(out, status, &made, true);
    }
}

/* -- the description -- */

enum { TABLE_ROWS = 50, LISTED_ROWS = 30 };

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "the rest" : cairn_schema_class(job->schema, code);
}

/* -- the boundary -- */

/* The intercept as the conventions write it, and where it may lie. */
static void show_intercept(cairn_report *out, const svm_shown *s)
{
    bool minus = s->params->intercept == CAIRN_SVM_MINUS && !s->numbers;
    double constant = s->model->constants[s->k], low = s->one->top, high = s->one->bottom;
    if (minus) {
        double other = low;
        constant = -constant;
        low = -high;
        high = -other;
    }
    /* scores of classes are about 1 */
    if (!s->numbers) constant = cairn_number_left(constant, 1);
    cairn_report_value(out,
                       minus        ? "t in w·x − t"
                       : s->numbers ? "w0 in w·x + w0"
                                    : "b in w·x + b",
                       constant, "%sintercept", s->prefix);
    cairn_report_hidden(out, low, "%sintercept.low", s->prefix);
    cairn_report_hidden(out, high, "%sintercept.high", s->prefix);
    if (!(high - low > 1e-9 * fmax(1, fabs(constant)))) return;
    char from[CAIRN_NUMBER_SIZE], to[CAIRN_NUMBER_SIZE];
    cairn_number_format(from, low, 6);
    cairn_number_format(to, high, 6);
    cairn_report_note(out,
                      "No row has 0 < α < C, so that every intercept from %s to %s is optimal; the "
                      "middle is taken.",
                      from, to);
}

/* Weights of a linear machine, and the equation with them and with whole numbers. */
static cairn_status show_equation(cairn_context *ctx, cairn_report *out, const svm_shown *s)
{
    size_t n = s->model->n_terms;
    double *plane;
    CHECK(SCRATCH(ctx, &plane, n + 1));
    cairn_report_table_of(out, "Weights", TABLE_ROWS, "lr", "term", "w");
    for (size_t t = 0; t < n; t++) {
        plane[t] = svm_weight(s, t);
        cairn_report_cell(out, s->terms[t]);
        cairn_report_cell_number(out, plane[t], 0, "%sw.%s", s->prefix,
                                 cairn_term_key(out, s->terms[t]));
    }
    cairn_report_table_end(out);
    plane[n] = s->model->constants[s->k];
    if (n > 20) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    svm_add_equation(&text, s, plane, s->numbers ? NAN : 0);
    CHECK(cairn_text_status(&text));
    cairn_report_word(out, s->numbers ? "f(x)" : "boundary", cairn_text_string(&text), "%sequation",
                      s->prefix);
    if (s->numbers || !svm_integers(s, plane)) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text whole = cairn_text_start(ctx);
    svm_add_equation(&whole, s, plane, 0);
    CHECK(cairn_text_status(&whole));
    cairn_report_word(out, "in small whole numbers", cairn_text_string(&whole), "%sequation.whole",
                      s->prefix);
    for (size_t t = 0; t <= n; t++)
        cairn_report_hidden(out, plane[t], "%swhole.%s", s->prefix,
                            t < n ? cairn_term_key(out, s->terms[t]) : "constant");
    return CAIRN_OK;
}

/* -- the rows -- */

typedef bool (*row_test)(const svm_shown *s, size_t i);

static bool is_zero(const svm_shown *s, size_t i)
{
    return svm_group_of(s, i) == CAIRN_SVM_ZERO;
}
static bool is_inside(const svm_shown *s, size_t i)
{
    return svm_group_of(s, i) == CAIRN_SVM_INSIDE;
}
static bool is_bound(const svm_shown *s, size_t i)
{
    return svm_group_of(s, i) == CAIRN_SVM_AT_BOUND;
}
static bool is_vector(const svm_shown *s, size_t i)
{
    return s->params->sv == CAIRN_SVM_ON_MARGIN ? svm_on_margin(s, i) : !is_zero(s, i);
}
static bool is_other_margin_point(const svm_shown *s, size_t i)
{
    return is_zero(s, i) && svm_on_margin(s, i);
}
static bool is_wrong(const svm_shown *s, size_t i)
{
    return svm_functional(s, i) < -s->tolerance;
}

/* "2, 3": the rows of which something holds, and how many. */
static void show_list(cairn_report *out, const svm_shown *s, const char *label, const char *name,
                      row_test holds)
{
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(cairn_report_context(out));
    size_t n = 0;
    char buffer[24];
    for (size_t i = 0; i < s->one->n; i++) {
        if (!holds(s, i)) continue;
        if (n < LISTED_ROWS)
            cairn_text_addf(&list, "%s%s", n ? ", " : "", svm_row_name(s, i, buffer));
        n++;
    }
    if (n > LISTED_ROWS) cairn_text_addf(&list, ", ... (%zu)", n);
    cairn_report_word(out, label, n ? cairn_text_string(&list) : "none", "%s%s", s->prefix, name);
    cairn_report_hidden(out, (double)n, "%s%s.n", s->prefix, name);
    cairn_report_failed(out, cairn_text_status(&list));
}

static const char *group_name(const svm_shown *s, size_t i)
{
    switch (svm_group_of(s, i)) {
    case CAIRN_SVM_ZERO: return "0";
    case CAIRN_SVM_INSIDE: return "free";
    case CAIRN_SVM_AT_BOUND: return "C";
    }
    return "";
}

/* α, score, distance, slack, group and state of every row of two classes. */
static void show_class_rows(cairn_report *out, const svm_shown *s)
{
    char buffer[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "y", "α", "f(x)", "y f(x)",
                          "distance", "ξ", "α is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = svm_row_name(s, i, buffer);
        cairn_report_cells(out, NULL, row, s->one->targets[i]);
        cairn_report_cell_number(out, fabs(s->one->betas[i]), 0, "%salpha.%s", s->prefix, row);
        cairn_report_cell_number(out, s->one->scores[i], 0, "%sscore.%s", s->prefix, row);
        cairn_report_cell_number(out, svm_functional(s, i), 0, "%sfunctional.%s", s->prefix, row);
        cairn_report_cell_number(out, s->one->scores[i] / s->norm, 0, "%sdistance.%s", s->prefix,
                                 row);
        cairn_report_cell_number(out, svm_slack(s, i), 0, "%sslack.%s", s->prefix, row);
        cairn_report_cell_word(out, group_name(s, i), "%sgroup.%s", s->prefix, row);
        cairn_report_cell_word(out, svm_state(s, i), "%sstate.%s", s->prefix, row);
    }
    cairn_report_table_end(out);
}

/* The multipliers a (below the row) and a' of every row of numbers. */
static void show_number_rows(cairn_report *out, const svm_shown *s)
{
    char buffer[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "t", "f(x)", "t − f(x)", "a",
                          "a'", "ξ", "a is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = svm_row_name(s, i, buffer);
        double beta = s->one->betas[i];
        cairn_report_cells(out, NULL, row, s->one->targets[i]);
        cairn_report_cell_number(out, s->one->scores[i], 0, "%sscore.%s", s->prefix, row);
        cairn_report_cell_number(out, svm_residual(s, i), 0, "%sresidual.%s", s->prefix, row);
        cairn_report_cell_number(out, fmax(beta, 0), 0, "%sa.%s", s->prefix, row);
        cairn_report_cell_number(out, fmax(-beta, 0), 0, "%sa_prime.%s", s->prefix, row);
        cairn_report_hidden(out, beta, "%sbeta.%s", s->prefix, row);
        cairn_report_cell_number(out, svm_slack(s, i), 0, "%sslack.%s", s->prefix, row);
        cairn_report_cell_word(out, group_name(s, i), "%sgroup.%s", s->prefix, row);
        cairn_report_cell_word(out, svm_state(s, i), "%sstate.%s", s->prefix, row);
    }
    cairn_report_table_end(out);
}

/* d+ and d−: how far the rows of a class lie from the boundary in the mean, and on which side. */
static void show_mean_distances(cairn_report *out, const svm_shown *s)
{
    cairn_report_table_of(out, "Mean distance from the boundary", 0, "lr", "class",
                          "signed distance");
    for (int side = 1; side >= -1; side -= 2) {
        double sum = 0, n = 0;
        for (size_t i = 0; i < s->one->n; i++) {
            if (s->one->targets[i] != side) continue;
            sum += s->one->scores[i] / s->norm;
            n++;
        }
        const char *name =
            class_name(s->job, side > 0 ? s->model->plus[s->k] : s->model->minus[s->k]);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, sum / n, 6, "%smean_distance.%s", s->prefix,
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
}

/* -- the conditions -- */

/* Both objectives side by side: they are equal at the optimum and nowhere else. A violation is a
 * part of the margin, which is 1, or of half the range of the numbers. */
static void show_conditions(cairn_report *out, const svm_shown *s)
{
    size_t worst;
    double sum = 0, size = 0, violation = svm_kkt(s, &worst), unit = 1;
    double primal = svm_primal(s), dual = svm_dual(s), low = INFINITY, high = -INFINITY;
    char buffer[24];
    for (size_t i = 0; i < s->one->n; i++) {
        sum += s->one->betas[i];
        size += fabs(s->one->betas[i]);
        low = fmin(low, s->one->targets[i]);
        high = fmax(high, s->one->targets[i]);
    }
    if (s->numbers) unit = fmax(1, fmax(s->one->rho, (high - low) / 2));
    cairn_report_value(out, s->numbers ? "Σ ξ" : "soft error Σ ξ", svm_slack_sum(s), "%ssoft_error",
                       s->prefix);
    if (!s->one->indefinite)
        cairn_report_value(out, "primal objective", primal, "%sprimal", s->prefix);
    cairn_report_value(out, "dual objective", dual, "%sdual", s->prefix);
    if (s->one->indefinite)
        cairn_report_note(out, "The kernel has negative eigenvalues on these rows: the problem is "
                               "not convex, and its two objectives need not meet.");
    cairn_report_hidden(out, fabs(sum), "%skkt.sum", s->prefix);
    cairn_report_value(out, "largest violation of the Kuhn-Tucker conditions", violation,
                       "%skkt.violation", s->prefix);
    if (violation > s->tolerance * unit)
        cairn_report_word(out, "its row", svm_row_name(s, worst, buffer), "%skkt.row", s->prefix);
    bool gap = s->one->indefinite || svm_gap_is_closed(s, primal, dual);
    bool fulfilled = violation <= 100 * s->tolerance * unit && fabs(sum) <= 1e-6 * size && gap;
    cairn_report_word(out, "conditions", fulfilled ? "fulfilled" : "violated", "%skkt", s->prefix);
}

/* svm_report.c: all of the above as a report. */
static void svm_show(cairn_report *out, const svm_shown *s)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    if (!s->numbers && s->model->n_machines > 1)
        cairn_report_heading(out, 3, "%s against %s", class_name(s->job, s->model->plus[s->k]),
                             class_name(s->job, s->model->minus[s->k]));
    if (!s->numbers)
        cairn_report_word(out, "class with y = 1", class_name(s->job, s->model->plus[s->k]),
                          "%splus", s->prefix);
    if (s->model->weights) cairn_report_failed(out, show_equation(ctx, out, s));
    show_intercept(out, s);
    /* Both conventions have their names; the chosen one is called the margin. */
    double half = 1 / s->norm, full = 2 / s->norm;
    bool whole = s->params->margin == CAIRN_SVM_FULL;
    cairn_report_value(out, "‖w‖", s->norm, "%snorm", s->prefix);
    if (!s->numbers && s->norm > 0) {
        if (s->model->weights)
            cairn_report_value(out, "distance of the boundary from the origin, t/‖w‖",
                               -s->model->constants[s->k] / s->norm + 0.0, "%sorigin_distance",
                               s->prefix);
        cairn_report_value(out, whole ? "half of the street, 1/‖w‖" : "margin 1/‖w‖", half,
                           "%smargin.half", s->prefix);
        cairn_report_value(out, whole ? "margin (street) 2/‖w‖" : "street 2/‖w‖", full,
                           "%smargin.full", s->prefix);
        cairn_report_hidden(out, whole ? full : half, "%smargin", s->prefix);
    }
    bool margin = s->params->sv == CAIRN_SVM_ON_MARGIN;
    show_list(out, s, margin ? "support vectors (on the margin)" : "support vectors (α > 0)",
              "support", is_vector);
    if (!margin)
        show_list(out, s, s->numbers ? "on the tube with α = 0" : "on the margin with α = 0",
                  "margin_points", is_other_margin_point);
    show_list(out, s, "α = 0", "alpha.zero", is_zero);
    show_list(out, s, "0 < α < C", "alpha.inside", is_inside);
    show_list(out, s, "α = C", "alpha.bound", is_bound);
    if (!s->numbers) show_list(out, s, "misclassified", "wrong", is_wrong);
    if (s->numbers)
        show_number_rows(out, s);
    else
        show_class_rows(out, s);
    if (!s->numbers && s->norm > 0 && s->model->minus[s->k] >= 0) show_mean_distances(out, s);
    show_conditions(out, s);
}

/* -- all machines -- */

/* What the forms with ν have found: the width of the tube, or the margin in the units of their
 * multipliers. */
static void show_found(cairn_report *out, const cairn_svm_model *m, const cairn_svm_params *params,
                       const cairn_svm_machine *one, size_t k, bool alone)
{
    const char *name = m->task == CAIRN_REGRESS ? "epsilon" : "rho";
    if (params->type == CAIRN_SVM_C) return;
    cairn_report_hidden(out, one->rho, "machine%zu.%s", k + 1, name);
    if (alone) cairn_report_hidden(out, one->rho, "%s", name);
}

/* Vectors, bounds and the course of every machine. */
static void show_machines(cairn_report *out, const cairn_svm_model *m,
                          const cairn_svm_history *history, const cairn_job *job)
{
    cairn_report_table_of(out, "Machines", TABLE_ROWS, "llrrrrr", "class", "against", "rows",
                          "support vectors", "at the bound", "constant", "steps");
    for (size_t k = 0; k < history->n_machines; k++) {
        const cairn_svm_machine *one = &history->machines[k];
        cairn_report_prefix(out, "machine%zu", k + 1);
        cairn_report_cells(out, "- - @.rows @.vectors @.bound @.constant:6 @.steps",
                           m->n_classes ? class_name(job, m->plus[k]) : "numbers",
                           m->n_classes ? class_name(job, m->minus[k]) : "", (double)one->n,
                           (double)one->n_vectors, (double)one->n_bound, m->constants[k],
                           (double)one->steps);
        show_found(out, m, job->params, one, k, history->n_machines == 1);
        cairn_report_hidden(out, -one->value, "machine%zu.dual", k + 1);
        cairn_report_hidden(out, one->gap, "machine%zu.gap", k + 1);
    }
    cairn_report_table_end(out);
}

/* Machines that ended before they were good enough. */
static void note_unfinished(cairn_report *out, const cairn_svm_history *history,
                            const cairn_svm_params *params)
{
    size_t n = 0;
    double gap = 0;
    for (size_t k = 0; k < history->n_machines; k++) {
        if (history->machines[k].converged) continue;
        n++;
        if (history->machines[k].gap > gap) gap = history->machines[k].gap;
    }
    cairn_report_hidden(out, n == 0, "converged");
    if (!n) return;
    if (params->protocol == CAIRN_PROTOCOL_ONLINE) {
        cairn_report_note(out, "Every row was seen once: the certificate says how far that is from "
                               "the optimum, to which {protocol random} and {protocol batch} go "
                               "on.");
        return;
    }
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, gap, 3);
    cairn_report_note(out,
                      "Not converged: %zu of %zu machines stopped at a violation of up to %s. "
                      "Raise {max-iter}, lower {c} or scale the columns.",
                      n, history->n_machines, number);
}

/* Machines whose rows the history kept, as far as a page holds them. */
static void show_rows_of_machines(cairn_report *out, const cairn_svm_model *m,
                                  const cairn_svm_history *history, const cairn_job *job)
{
    svm_shown shown;
    if (history->n_machines > 3) return;
    for (size_t k = 0; k < history->n_machines; k++) {
        if (!history->machines[k].rows || history->machines[k].n > CAIRN_SVM_PAGE) continue;
        cairn_status made = svm_shown_of(cairn_report_context(out), &shown, m, history, job, k);
        cairn_report_failed(out, made);
        if (!made) svm_show(out, &shown);
    }
}

/* Linear machines of many rows keep their weights only; how many rows they rest on the history
 * knows. */
static double count_vectors(const cairn_svm_model *m, const cairn_svm_history *history)
{
    size_t most = m->vectors.n;
    for (size_t k = 0; history && !m->vectors.n && k < history->n_machines; k++)
        if (history->machines[k].n_vectors > most) most = history->machines[k].n_vectors;
    return (double)most;
}

void cairn_svm_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const cairn_svm_history *history = job->history;
    cairn_report_heading(out, 2, "Support vector machine");
    cairn_kernel_show(out, &m->kernel, m->n_terms);
    cairn_report_value(out, "support vectors", count_vectors(m, history), "vectors");
    if (m->n_classes && m->n_present == 1 && !m->n_machines)
        cairn_report_note(out, "There is one class only; every row gets it.");
    if (!history) return;
    double dual = 0;
    size_t steps = 0;
    for (size_t k = 0; k < history->n_machines; k++) {
        dual -= history->machines[k].value;
        steps += history->machines[k].steps;
    }
    cairn_report_value(out, "dual objective", dual, "dual");
    cairn_report_value(out, "steps", (double)steps, "steps");
    if (history->n_machines) show_machines(out, m, history, job);
    show_rows_of_machines(out, m, history, job);
    svm_draw(out, m, job);
    note_unfinished(out, history, job->params);
}

enum { MATRIX_ROWS = 12, FORM_ROWS = 6, BOARD_TERMS = 12, LINES = 20, MACHINES = 3 };

typedef struct board {
    svm_shown shown;
    const double *gram; /* n x n; NULL of more rows than a page holds */
    const double *rows; /* n x n_terms, in the units that the learner sees */
    size_t n, p;
} board;

static const double *row(const board *b, size_t i)
{
    return b->rows + i * b->p;
}

static double target(const board *b, size_t i)
{
    return b->shown.one->targets[i];
}

static double alpha(const board *b, size_t i)
{
    return fabs(b->shown.one->betas[i]);
}

/* -- the dual problem -- */

/* A matrix over the rows, with names of its cells. */
static void show_matrix(cairn_report *out, const board *b, const char *title, const char *name,
                        bool labels)
{
    char buffer[24];
    cairn_report_table_of(out, title, MATRIX_ROWS, "l", "row");
    for (size_t j = 0; j < b->n; j++)
        cairn_report_column(out, svm_row_name(&b->shown, j, buffer), 'r');
    for (size_t i = 0; i < b->n; i++) {
        cairn_report_cell(out, svm_row_name(&b->shown, i, buffer));
        for (size_t j = 0; j < b->n; j++) {
            double sign = labels ? target(b, i) * target(b, j) : 1;
            cairn_report_cell_number(out, sign * b->gram[i * b->n + j], 0, "%s%s.%zu.%zu",
                                     b->shown.prefix, name, i + 1, j + 1);
        }
    }
    cairn_report_table_end(out);
}

/* "5 a1² − 22 a1 a2 + 25 a2²", the quadratic form of a few rows. */
static void add_form(cairn_text *text, const board *b)
{
    bool any = false;
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = i; j < b->n; j++) {
            double value = (i == j ? 1 : 2) * target(b, i) * target(b, j) * b->gram[i * b->n + j];
            if (value == 0) continue;
            cairn_text_add(text, any ? value < 0 ? " − " : " + " : value < 0 ? "−" : "");
            any = true;
            cairn_text_add_number(text, fabs(value), 6);
            if (i == j)
                cairn_text_addf(text, " a%zu²", i + 1);
            else
                cairn_text_addf(text, " a%zu a%zu", i + 1, j + 1);
        }
    if (!any) cairn_text_add_char(text, '0');
}

/* The formula; of few rows the matrices, of very few the function written out. */
static void show_dual(cairn_report *out, const board *b)
{
    bool hard = isinf(b->shown.params->c);
    SCOPED(cairn_text_clear) cairn_text form = cairn_text_start(cairn_report_context(out));
    cairn_report_step_begin(out, "The dual problem");
    if (b->shown.numbers)
        cairn_report_formula(out, "most of Σ (aᵢ − a'ᵢ) tᵢ − ε Σ (aᵢ + a'ᵢ) − ½ Σ (aᵢ − a'ᵢ)(aⱼ − "
                                  "a'ⱼ) k(xᵢ, xⱼ),  Σ (aᵢ − a'ᵢ) = 0,  0 ≤ aᵢ, a'ᵢ ≤ C");
    else
        cairn_report_formula(out, "most of Σ aᵢ − ½ Σ aᵢ aⱼ yᵢ yⱼ k(xᵢ, xⱼ)%s,  Σ aᵢ yᵢ = 0,  %s",
                             b->shown.params->loss == CAIRN_SVM_SQUARED ? " − Σ aᵢ² / 4C"
                             : b->shown.params->slack_power > 1 ? " − (k − 1) C (Σ ξ)ᵏ"
                                                                : "",
                             hard || b->shown.params->loss == CAIRN_SVM_SQUARED ? "aᵢ ≥ 0"
                             : b->shown.params->slack_power > 1 ? "0 ≤ aᵢ ≤ C k (Σ ξ)ᵏ⁻¹"
                                                                : "0 ≤ aᵢ ≤ C");
    if (b->gram) {
        show_matrix(out, b, "Kernel values k(xᵢ, xⱼ)", "gram", false);
        if (!b->shown.numbers)
            show_matrix(out, b, "With labels, yᵢ yⱼ k(xᵢ, xⱼ)", "gram_labels", true);
    }
    if (b->n <= FORM_ROWS && b->gram && !b->shown.numbers) {
        for (size_t i = 0; i < b->n; i++) cairn_text_addf(&form, "%sa%zu", i ? " + " : "", i + 1);
        cairn_text_add(&form, " − ½ (");
        add_form(&form, b);
        cairn_text_add(&form, "),   ");
        /* "a1 − a2 + a3 = 0". */
        for (size_t i = 0; i < b->n; i++)
            cairn_text_addf(&form, "%sa%zu",
                            target(b, i) < 0 ? i ? " − " : "−"
                            : i              ? " + "
                                             : "",
                            i + 1);
        cairn_text_add(&form, " = 0");
        cairn_report_formula(out, "most of %s", cairn_text_string(&form));
        cairn_report_failed(out, cairn_text_status(&form));
    }
    cairn_report_step_end(out);
}

/* Where all derivatives vanish; a negative multiplier there shows why a >= 0 must be asked for. */
static cairn_status show_stationary(cairn_context *ctx, cairn_report *out, const board *b)
{
    double *a;
    bool negative = false, known;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    if (b->shown.numbers || b->n > FORM_ROWS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &a, b->n + 1));
    /* The equations of a stationary point, H a + λ y = 1 and y·a = 0; `a` gets n + 1 numbers.
     * False when they have not one solution. */
    size_t n = b->n, width = n + 1;
    double *matrix, condition;
    CHECK(SCRATCH(ctx, &matrix, cairn_product(width, width)));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            matrix[i * width + j] = target(b, i) * target(b, j) * b->gram[i * n + j];
        matrix[i * width + n] = matrix[n * width + i] = target(b, i);
        a[i] = 1;
    }
    a[n] = 0;
    CHECK(cairn_solve(ctx, matrix, width, a, 1, &condition));
    known = condition > 1e-13;
    if (!known) return CAIRN_OK;
    cairn_report_step_begin(out, "Where all derivatives vanish");
    for (size_t i = 0; i < b->n; i++) {
        cairn_text_addf(&list, "%sa%zu = ", i ? ",  " : "", i + 1);
        cairn_text_add_number(&list, a[i], 6);
        negative = negative || a[i] < -1e-12;
        cairn_report_hidden(out, a[i], "%sstationary.%zu", b->shown.prefix, i + 1);
    }
    CHECK(cairn_text_status(&list));
    cairn_report_formula(out, "%s", cairn_text_string(&list));
    if (negative)
        cairn_report_paragraph(out, "A multiplier is negative, which the problem forbids: this is "
                                    "no solution. It is at 0 instead, and its row is no support "
                                    "vector.");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- the solution -- */

/* w_j = Σ a y x_j, term by term over the support vectors. */
static cairn_status show_weights(cairn_context *ctx, cairn_report *out, const board *b)
{
    double *numbers;
    CHECK(SCRATCH(ctx, &numbers, cairn_product(b->n, 2)));
    cairn_report_step_begin(out, "The weights");
    cairn_report_formula(out, b->shown.numbers ? "w = Σ (aᵢ − a'ᵢ) xᵢ" : "w = Σ aᵢ yᵢ xᵢ");
    for (size_t t = 0; t < b->p; t++) {
        size_t n = 0;
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        for (size_t i = 0; i < b->n; i++) {
            if (alpha(b, i) == 0) continue;
            numbers[2 * n] = b->shown.one->betas[i];
            numbers[2 * n++ + 1] = row(b, i)[t];
        }
        cairn_text_addf(&label, "w(%s)", b->shown.terms[t]);
        cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", numbers, 2, n,
                                svm_weight(&b->shown, t));
        CHECK(cairn_text_status(&label));
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* What is left of two numbers, 0 where it is their rounding. */
static double less(double a, double b)
{
    return fabs(a - b) > 1e-13 * (fabs(a) + fabs(b)) ? a - b : 0;
}

/* From every free support vector; they agree. */
static void show_constant(cairn_report *out, const board *b)
{
    const svm_shown *s = &b->shown;
    bool minus = s->params->intercept == CAIRN_SVM_MINUS && !s->numbers;
    char buffer[24], label[48];
    size_t n = 0;
    cairn_report_step_begin(out, "The intercept");
    cairn_report_formula(out, "%s",
                         s->numbers
                             ? "w0 = t − ε − Σ (aⱼ − a'ⱼ) k(xⱼ, x)  where 0 < a < C;  t + ε − ... "
                               "where 0 < a' < C"
                         : minus ? "t = Σ aⱼ yⱼ k(xⱼ, x) − y  where 0 < a < C"
                                 : "b = y − Σ aⱼ yⱼ k(xⱼ, x)  where 0 < a < C");
    for (size_t i = 0; i < b->n; i++) {
        double score = s->one->scores[i] - s->model->constants[s->k], y = target(b, i);
        if (!s->numbers) score = cairn_number_left(score, 1);
        if (svm_group_of(s, i) != CAIRN_SVM_INSIDE || n++ >= LINES) continue;
        snprintf(label, sizeof label, "row %s", svm_row_name(s, i, buffer));
        if (s->numbers && s->one->betas[i] > 0)
            cairn_report_worked(out, label, "# − # − # = #", y, s->one->rho, score,
                                y - s->one->rho - score);
        else if (s->numbers)
            cairn_report_worked(out, label, "# + # − # = #", y, s->one->rho, score,
                                y + s->one->rho - score);
        else if (minus)
            cairn_report_worked(out, label, "# − # = #", score, y, less(score, y));
        else
            cairn_report_worked(out, label, "# − # = #", y, score, less(y, score));
    }
    if (!n)
        cairn_report_worked(out, minus ? "t" : "b", "no row is free: between # and #, middle #",
                            minus ? -s->one->bottom : s->one->top,
                            minus ? -s->one->top : s->one->bottom,
                            minus ? -s->model->constants[s->k] : s->model->constants[s->k]);
    cairn_report_step_end(out);
}

/* The bounds of the street are where the score is 1 and -1. */
static cairn_status show_street(cairn_context *ctx, cairn_report *out, const board *b)
{
    const svm_shown *s = &b->shown;
    double *plane;
    CHECK(SCRATCH(ctx, &plane, b->p + 1));
    for (size_t t = 0; t < b->p; t++) plane[t] = svm_weight(s, t);
    plane[b->p] = s->model->constants[s->k];
    cairn_report_step_begin(out, "The street");
    cairn_report_worked_sum(out, "‖w‖²", "#²", plane, 1, b->p, s->norm * s->norm);
    cairn_report_worked(out, "margin 1/‖w‖", "1 / # = #", s->norm, 1 / s->norm);
    cairn_report_worked(out, "street 2/‖w‖", "2 / # = #", s->norm, 2 / s->norm);
    for (int side = 1; side >= -1; side--) {
        SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
        svm_add_equation(&line, s, plane, side);
        CHECK(cairn_text_status(&line));
        cairn_report_formula(out, "%s: %s",
                             side > 0   ? "H+"
                             : side < 0 ? "H−"
                                        : "H",
                             cairn_text_string(&line));
        cairn_report_hidden_word(out, cairn_text_string(&line), "%sstreet.%s", s->prefix,
                                 side > 0   ? "plus"
                                 : side < 0 ? "minus"
                                            : "middle");
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* ξ = max(0, 1 − y f) of the rows, and both objectives. */
static void show_objectives(cairn_report *out, const board *b)
{
    const svm_shown *s = &b->shown;
    double squared = s->norm * s->norm, slacks = svm_slack_sum(s), sum = 0;
    char buffer[24], label[48];
    size_t lines = 0;
    cairn_report_step_begin(out, "Slacks, and the two objectives");
    for (size_t i = 0; i < b->n; i++) {
        sum += s->one->betas[i] * target(b, i);
        if (b->n > LINES && (svm_slack(s, i) == 0 || lines >= LINES)) continue;
        lines++;
        snprintf(label, sizeof label, "ξ (row %s)", svm_row_name(s, i, buffer));
        if (s->numbers)
            cairn_report_worked(out, label, "max(0, |#| − #) = #", svm_residual(s, i), s->one->rho,
                                svm_slack(s, i));
        else
            cairn_report_worked(out, label, "max(0, 1 − #) = #", svm_functional(s, i),
                                svm_slack(s, i));
    }
    if (slacks > 0)
        cairn_report_worked(out, "primal", "½ · # + cost of the slacks = ½ · # + # = #", squared,
                            squared, svm_primal(s) - squared / 2, svm_primal(s));
    else
        cairn_report_worked(out, "primal", "½ · # = #", squared, svm_primal(s));
    if (s->numbers)
        cairn_report_worked(out, "dual", "# − ε · # − ½ · # = #", sum,
                            (sum - squared / 2 - svm_dual(s)) / (s->one->rho > 0 ? s->one->rho : 1),
                            squared, svm_dual(s));
    else if (s->params->slack_power > 1 || s->params->loss == CAIRN_SVM_SQUARED)
        cairn_report_worked(out, "dual", "# − ½ · # − # = #", sum, squared,
                            sum - squared / 2 - svm_dual(s), svm_dual(s));
    else
        cairn_report_worked(out, "dual", "# − ½ · # = #", sum, squared, svm_dual(s));
    cairn_report_step_end(out);
}

/* -- with compasses -- */

/* The plane in the middle between a and b, at a right angle to their line: f is 1 at a. */
static void bisect(const double *a, const double *b, double plane[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], squared = x * x + y * y;
    plane[0] = 2 * x / squared;
    plane[1] = 2 * y / squared;
    plane[2] = 1 - plane[0] * a[0] - plane[1] * a[1];
}

static void tell_line(cairn_report *out, const board *b, const double *plane, const char *what)
{
    const svm_shown *s = &b->shown;
    double off = fabs(plane[2] - s->model->constants[s->k]), size = 1 + fabs(plane[2]);
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(cairn_report_context(out));
    for (size_t t = 0; t < 2; t++) off = fmax(off, fabs(plane[t] - svm_weight(s, t)));
    svm_add_equation(&line, s, plane, 0);
    cairn_report_paragraph(out, "%s", what);
    cairn_report_formula(out, "%s", cairn_text_string(&line));
    cairn_report_word(out, "the same line", off <= 1e-8 * size ? "yes" : "no", "%sgeometry",
                      s->prefix);
    cairn_report_failed(out, cairn_text_status(&line));
}

/* Three points, one of them, A, alone in its class: the line midway between A and the line through
 * the others, as long as the foot of the perpendicular from A lies between them; else the bisector
 * of A and the nearer one. */
static void show_three(cairn_report *out, const board *b)
{
    double sum = target(b, 0) + target(b, 1) + target(b, 2), plane[3], foot[2];
    size_t a = 0;
    while (target(b, a) * sum > 0) a++;
    const double *p = row(b, a), *q = row(b, (a + 1) % 3), *r = row(b, (a + 2) % 3);
    double along[2] = {r[0] - q[0], r[1] - q[1]};
    double squared = along[0] * along[0] + along[1] * along[1];
    double part = squared > 0 ? ((p[0] - q[0]) * along[0] + (p[1] - q[1]) * along[1]) / squared : 0;
    bool inside = part >= 0 && part <= 1;
    part = fmax(0, fmin(1, part));
    foot[0] = q[0] + part * along[0];
    foot[1] = q[1] + part * along[1];
    if (target(b, a) > 0)
        bisect(p, foot, plane);
    else
        bisect(foot, p, plane);
    cairn_report_hidden(out, part, "%sgeometry.foot", b->shown.prefix);
    cairn_report_hidden_word(out, inside ? "yes" : "no", "%sgeometry.inside", b->shown.prefix);
    tell_line(out, b, plane,
              inside ? "The foot of the perpendicular from the single point lies between the two "
                       "others: the line midway between that point and the parallel through them:"
                     : "The foot of the perpendicular from the single point lies outside of the "
                       "segment between the two others, so that the line midway to their parallel "
                       "would be wrong: the bisector to the nearer of them:");
}

static void show_geometry(cairn_report *out, const board *b)
{
    bool same = true;
    for (size_t i = 1; i < b->n; i++) same = same && target(b, i) == target(b, 0);
    if (b->p != 2 || b->n < 2 || b->n > 3 || same || !isinf(b->shown.params->c)) return;
    cairn_report_step_begin(out, "Checked by elementary geometry");
    if (b->n == 2) {
        /* Two points: their perpendicular bisector. */
        double plane[3];
        size_t plus = target(b, 0) > 0 ? 0 : 1;
        bisect(row(b, plus), row(b, 1 - plus), plane);
        tell_line(out, b, plane, "The perpendicular bisector of the two points:");
    } else
        show_three(out, b);
    cairn_report_step_end(out);
}

/* -- all of it -- */

/* The matrix and the rows of a machine, scratch. */
static cairn_status read_board(cairn_context *ctx, board *b, const cairn_svm_fitting *f,
                               const cairn_svm_problem *problem)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows own = {0};
    const cairn_kernel_rows *rows = &f->rows;
    double *gram, *read;
    b->n = problem->n;
    b->p = rows->n_terms;
    if (b->n > MATRIX_ROWS) return CAIRN_OK;
    if (problem->which) {
        CHECK(cairn_kernel_rows_keep(ctx, &own, &f->rows, problem->which, problem->n));
        rows = &own;
    }
    CHECK(SCRATCH_RAW(ctx, &gram, cairn_product(b->n, b->n) + 1));
    CHECK(SCRATCH(ctx, &read, cairn_product(b->n, b->p) + 1));
    CHECK(cairn_kernel_gram(ctx, &f->kernel, rows, false, gram));
    for (size_t i = 0; i < b->n; i++) cairn_kernel_rows_read(rows, i, read + i * b->p);
    b->gram = gram;
    b->rows = read;
    return CAIRN_OK;
}

/* In the order of a lecture: problem, solution, what follows from it, and the check. */
static cairn_status show_board(cairn_context *ctx, cairn_report *out, const board *b)
{
    bool linear = b->shown.model->weights && b->p <= BOARD_TERMS && b->gram;
    const cairn_svm_model *m = b->shown.model;
    if (m->n_machines > 1)
        cairn_report_paragraph(out, "Machine %zu, with y = 1 for %s:", b->shown.k + 1,
                               cairn_schema_class(b->shown.job->schema, m->plus[b->shown.k]));
    show_dual(out, b);
    CHECK(show_stationary(ctx, out, b));
    /* Multipliers that are not 0; of numbers the one that is not. */
    char buffer[24], label[40];
    size_t lines = 0;
    cairn_report_step_begin(out, "Its solution");
    for (size_t i = 0; i < b->n && lines < LINES; i++) {
        double beta = b->shown.one->betas[i];
        if (beta == 0) continue;
        lines++;
        snprintf(label, sizeof label, "%s (row %s)",
                 !b->shown.numbers ? "a"
                 : beta > 0        ? "a"
                                   : "a'",
                 svm_row_name(&b->shown, i, buffer));
        cairn_report_worked(out, label, "#", fabs(beta));
    }
    cairn_report_paragraph(out, lines < LINES
                                    ? "All other multipliers are 0."
                                    : "Further multipliers stand in the table of the rows.");
    cairn_report_step_end(out);
    if (linear) CHECK(show_weights(ctx, out, b));
    show_constant(out, b);
    if (linear && !b->shown.numbers) CHECK(show_street(ctx, out, b));
    show_objectives(out, b);
    if (linear && !b->shown.numbers) show_geometry(out, b);
    return CAIRN_OK;
}

cairn_status cairn_svm_show_steps(cairn_context *ctx, const cairn_svm_model *m,
                                  const cairn_svm_fitting *f)
{
    cairn_report *out = f->job->steps;
    const cairn_svm_history *history = f->job->history;
    if (!out || !history) return CAIRN_OK;
    for (size_t k = 0; k < history->n_machines && k < MACHINES; k++) {
        board b = {.n = 0};
        SCOPED_SCRATCH(ctx);
        if (!history->machines[k].rows) continue;
        CHECK(svm_shown_of(ctx, &b.shown, m, history, f->job, k));
        CHECK(read_board(ctx, &b, f, &f->machines[k]));
        CHECK(show_board(ctx, out, &b));
    }
    return CAIRN_OK;
}
