/* SPDX-License-Identifier: MIT */
/* Support vector machines on the board: the dual problem with its numbers, its solution, weights,
 * intercept, slacks, both objectives, and for two and three points in the plane the construction
 * with compasses. For problems of a few rows. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "kernels/linalg.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm_fit.h"
#include "learners/kernel/svm_shown.h"
#include "rows/matrix.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Support vector machines: what the report says of them. Where the history knows every row: the
 * multipliers, the boundary in several forms, margins, slacks, groups and the conditions of the
 * optimum. */

enum { TABLE_ROWS = 50, LISTED_ROWS = 30 };

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "the rest" : cairn_schema_class(job->schema, code);
}

/* -- the boundary -- */

/* The intercept as the conventions write it, and where it may lie. */
static void show_intercept(cairn_report *out, const cairn_svm_shown *s)
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
static cairn_status show_equation(cairn_context *ctx, cairn_report *out, const cairn_svm_shown *s)
{
    size_t n = s->model->n_terms;
    double *plane;
    CHECK(SCRATCH(ctx, &plane, n + 1));
    cairn_report_table_of(out, "Weights", TABLE_ROWS, "lr", "term", "w");
    for (size_t t = 0; t < n; t++) {
        plane[t] = cairn_svm_weight(s, t);
        cairn_report_cell(out, s->terms[t]);
        cairn_report_cell_number(out, plane[t], 0, "%sw.%s", s->prefix,
                                 cairn_term_key(out, s->terms[t]));
    }
    cairn_report_table_end(out);
    plane[n] = s->model->constants[s->k];
    if (n > 20) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    cairn_svm_add_equation(&text, s, plane, s->numbers ? NAN : 0);
    CHECK(cairn_text_status(&text));
    cairn_report_word(out, s->numbers ? "f(x)" : "boundary", cairn_text_string(&text), "%sequation",
                      s->prefix);
    if (s->numbers || !cairn_svm_integers(s, plane)) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text whole = cairn_text_start(ctx);
    cairn_svm_add_equation(&whole, s, plane, 0);
    CHECK(cairn_text_status(&whole));
    cairn_report_word(out, "in small whole numbers", cairn_text_string(&whole), "%sequation.whole",
                      s->prefix);
    for (size_t t = 0; t <= n; t++)
        cairn_report_hidden(out, plane[t], "%swhole.%s", s->prefix,
                            t < n ? cairn_term_key(out, s->terms[t]) : "constant");
    return CAIRN_OK;
}

/* -- the rows -- */

typedef bool (*row_test)(const cairn_svm_shown *s, size_t i);

static bool is_zero(const cairn_svm_shown *s, size_t i)
{
    return cairn_svm_group_of(s, i) == CAIRN_SVM_ZERO;
}
static bool is_inside(const cairn_svm_shown *s, size_t i)
{
    return cairn_svm_group_of(s, i) == CAIRN_SVM_INSIDE;
}
static bool is_bound(const cairn_svm_shown *s, size_t i)
{
    return cairn_svm_group_of(s, i) == CAIRN_SVM_AT_BOUND;
}
static bool is_vector(const cairn_svm_shown *s, size_t i)
{
    return s->params->sv == CAIRN_SVM_ON_MARGIN ? cairn_svm_on_margin(s, i) : !is_zero(s, i);
}
static bool is_other_margin_point(const cairn_svm_shown *s, size_t i)
{
    return is_zero(s, i) && cairn_svm_on_margin(s, i);
}
static bool is_wrong(const cairn_svm_shown *s, size_t i)
{
    return cairn_svm_functional(s, i) < -s->tolerance;
}

/* "2, 3": the rows of which something holds, and how many. */
static void show_list(cairn_report *out, const cairn_svm_shown *s, const char *label,
                      const char *name, row_test holds)
{
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(cairn_report_context(out));
    size_t n = 0;
    char buffer[24];
    for (size_t i = 0; i < s->one->n; i++) {
        if (!holds(s, i)) continue;
        if (n < LISTED_ROWS)
            cairn_text_addf(&list, "%s%s", n ? ", " : "", cairn_svm_row_name(s, i, buffer));
        n++;
    }
    if (n > LISTED_ROWS) cairn_text_addf(&list, ", ... (%zu)", n);
    cairn_report_word(out, label, n ? cairn_text_string(&list) : "none", "%s%s", s->prefix, name);
    cairn_report_hidden(out, (double)n, "%s%s.n", s->prefix, name);
    cairn_report_failed(out, cairn_text_status(&list));
}

static const char *group_name(const cairn_svm_shown *s, size_t i)
{
    switch (cairn_svm_group_of(s, i)) {
    case CAIRN_SVM_ZERO: return "0";
    case CAIRN_SVM_INSIDE: return "free";
    case CAIRN_SVM_AT_BOUND: return "C";
    }
    return "";
}

/* α, score, distance, slack, group and state of every row of two classes. */
static void show_class_rows(cairn_report *out, const cairn_svm_shown *s)
{
    char buffer[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "y", "α", "f(x)", "y f(x)",
                          "distance", "ξ", "α is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = cairn_svm_row_name(s, i, buffer);
        cairn_report_cell(out, row);
        cairn_report_cell_number(out, s->one->targets[i], 0, NULL);
        cairn_report_cell_number(out, fabs(s->one->betas[i]), 0, "%salpha.%s", s->prefix, row);
        cairn_report_cell_number(out, s->one->scores[i], 0, "%sscore.%s", s->prefix, row);
        cairn_report_cell_number(out, cairn_svm_functional(s, i), 0, "%sfunctional.%s", s->prefix,
                                 row);
        cairn_report_cell_number(out, s->one->scores[i] / s->norm, 0, "%sdistance.%s", s->prefix,
                                 row);
        cairn_report_cell_number(out, cairn_svm_slack(s, i), 0, "%sslack.%s", s->prefix, row);
        cairn_report_cell_word(out, group_name(s, i), "%sgroup.%s", s->prefix, row);
        cairn_report_cell_word(out, cairn_svm_state(s, i), "%sstate.%s", s->prefix, row);
    }
    cairn_report_table_end(out);
}

/* The multipliers a (below the row) and a' of every row of numbers. */
static void show_number_rows(cairn_report *out, const cairn_svm_shown *s)
{
    char buffer[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "t", "f(x)", "t − f(x)", "a",
                          "a'", "ξ", "a is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = cairn_svm_row_name(s, i, buffer);
        double beta = s->one->betas[i];
        cairn_report_cell(out, row);
        cairn_report_cell_number(out, s->one->targets[i], 0, NULL);
        cairn_report_cell_number(out, s->one->scores[i], 0, "%sscore.%s", s->prefix, row);
        cairn_report_cell_number(out, cairn_svm_residual(s, i), 0, "%sresidual.%s", s->prefix, row);
        cairn_report_cell_number(out, fmax(beta, 0), 0, "%sa.%s", s->prefix, row);
        cairn_report_cell_number(out, fmax(-beta, 0), 0, "%sa_prime.%s", s->prefix, row);
        cairn_report_hidden(out, beta, "%sbeta.%s", s->prefix, row);
        cairn_report_cell_number(out, cairn_svm_slack(s, i), 0, "%sslack.%s", s->prefix, row);
        cairn_report_cell_word(out, group_name(s, i), "%sgroup.%s", s->prefix, row);
        cairn_report_cell_word(out, cairn_svm_state(s, i), "%sstate.%s", s->prefix, row);
    }
    cairn_report_table_end(out);
}

/* d+ and d−: how far the rows of a class lie from the boundary in the mean, and on which side. */
static void show_mean_distances(cairn_report *out, const cairn_svm_shown *s)
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
static void show_conditions(cairn_report *out, const cairn_svm_shown *s)
{
    size_t worst;
    double sum = 0, size = 0, violation = cairn_svm_kkt(s, &worst), unit = 1;
    double primal = cairn_svm_primal(s), dual = cairn_svm_dual(s), low = INFINITY, high = -INFINITY;
    char buffer[24];
    for (size_t i = 0; i < s->one->n; i++) {
        sum += s->one->betas[i];
        size += fabs(s->one->betas[i]);
        low = fmin(low, s->one->targets[i]);
        high = fmax(high, s->one->targets[i]);
    }
    if (s->numbers) unit = fmax(1, fmax(s->one->rho, (high - low) / 2));
    cairn_report_value(out, s->numbers ? "Σ ξ" : "soft error Σ ξ", cairn_svm_slack_sum(s),
                       "%ssoft_error", s->prefix);
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
        cairn_report_word(out, "its row", cairn_svm_row_name(s, worst, buffer), "%skkt.row",
                          s->prefix);
    bool gap = s->one->indefinite || cairn_svm_gap_is_closed(s, primal, dual);
    bool fulfilled = violation <= 100 * s->tolerance * unit && fabs(sum) <= 1e-6 * size && gap;
    cairn_report_word(out, "conditions", fulfilled ? "fulfilled" : "violated", "%skkt", s->prefix);
}

/* svm_report.c: all of the above as a report. */
static void cairn_svm_show(cairn_report *out, const cairn_svm_shown *s)
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
        cairn_report_cell(out, m->n_classes ? class_name(job, m->plus[k]) : "numbers");
        cairn_report_cell(out, m->n_classes ? class_name(job, m->minus[k]) : "");
        cairn_report_cell_number(out, (double)one->n, 0, "machine%zu.rows", k + 1);
        cairn_report_cell_number(out, (double)one->n_vectors, 0, "machine%zu.vectors", k + 1);
        cairn_report_cell_number(out, (double)one->n_bound, 0, "machine%zu.bound", k + 1);
        cairn_report_cell_number(out, m->constants[k], 6, "machine%zu.constant", k + 1);
        cairn_report_cell_number(out, (double)one->steps, 0, "machine%zu.steps", k + 1);
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
    cairn_svm_shown shown;
    if (history->n_machines > 3) return;
    for (size_t k = 0; k < history->n_machines; k++) {
        if (!history->machines[k].rows || history->machines[k].n > CAIRN_SVM_PAGE) continue;
        cairn_status made =
            cairn_svm_shown_of(cairn_report_context(out), &shown, m, history, job, k);
        cairn_report_failed(out, made);
        if (!made) cairn_svm_show(out, &shown);
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
    cairn_svm_draw(out, m, job);
    note_unfinished(out, history, job->params);
}

enum { MATRIX_ROWS = 12, FORM_ROWS = 6, BOARD_TERMS = 12, LINES = 20, MACHINES = 3 };

typedef struct board {
    cairn_svm_shown shown;
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
        cairn_report_column(out, cairn_svm_row_name(&b->shown, j, buffer), 'r');
    for (size_t i = 0; i < b->n; i++) {
        cairn_report_cell(out, cairn_svm_row_name(&b->shown, i, buffer));
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
                                cairn_svm_weight(&b->shown, t));
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
    const cairn_svm_shown *s = &b->shown;
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
        if (cairn_svm_group_of(s, i) != CAIRN_SVM_INSIDE || n++ >= LINES) continue;
        snprintf(label, sizeof label, "row %s", cairn_svm_row_name(s, i, buffer));
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
    const cairn_svm_shown *s = &b->shown;
    double *plane;
    CHECK(SCRATCH(ctx, &plane, b->p + 1));
    for (size_t t = 0; t < b->p; t++) plane[t] = cairn_svm_weight(s, t);
    plane[b->p] = s->model->constants[s->k];
    cairn_report_step_begin(out, "The street");
    cairn_report_worked_sum(out, "‖w‖²", "#²", plane, 1, b->p, s->norm * s->norm);
    cairn_report_worked(out, "margin 1/‖w‖", "1 / # = #", s->norm, 1 / s->norm);
    cairn_report_worked(out, "street 2/‖w‖", "2 / # = #", s->norm, 2 / s->norm);
    for (int side = 1; side >= -1; side--) {
        SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
        cairn_svm_add_equation(&line, s, plane, side);
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
    const cairn_svm_shown *s = &b->shown;
    double squared = s->norm * s->norm, slacks = cairn_svm_slack_sum(s), sum = 0;
    char buffer[24], label[48];
    size_t lines = 0;
    cairn_report_step_begin(out, "Slacks, and the two objectives");
    for (size_t i = 0; i < b->n; i++) {
        sum += s->one->betas[i] * target(b, i);
        if (b->n > LINES && (cairn_svm_slack(s, i) == 0 || lines >= LINES)) continue;
        lines++;
        snprintf(label, sizeof label, "ξ (row %s)", cairn_svm_row_name(s, i, buffer));
        if (s->numbers)
            cairn_report_worked(out, label, "max(0, |#| − #) = #", cairn_svm_residual(s, i),
                                s->one->rho, cairn_svm_slack(s, i));
        else
            cairn_report_worked(out, label, "max(0, 1 − #) = #", cairn_svm_functional(s, i),
                                cairn_svm_slack(s, i));
    }
    if (slacks > 0)
        cairn_report_worked(out, "primal", "½ · # + cost of the slacks = ½ · # + # = #", squared,
                            squared, cairn_svm_primal(s) - squared / 2, cairn_svm_primal(s));
    else
        cairn_report_worked(out, "primal", "½ · # = #", squared, cairn_svm_primal(s));
    if (s->numbers)
        cairn_report_worked(out, "dual", "# − ε · # − ½ · # = #", sum,
                            (sum - squared / 2 - cairn_svm_dual(s)) /
                                (s->one->rho > 0 ? s->one->rho : 1),
                            squared, cairn_svm_dual(s));
    else if (s->params->slack_power > 1 || s->params->loss == CAIRN_SVM_SQUARED)
        cairn_report_worked(out, "dual", "# − ½ · # − # = #", sum, squared,
                            sum - squared / 2 - cairn_svm_dual(s), cairn_svm_dual(s));
    else
        cairn_report_worked(out, "dual", "# − ½ · # = #", sum, squared, cairn_svm_dual(s));
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
    const cairn_svm_shown *s = &b->shown;
    double off = fabs(plane[2] - s->model->constants[s->k]), size = 1 + fabs(plane[2]);
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(cairn_report_context(out));
    for (size_t t = 0; t < 2; t++) off = fmax(off, fabs(plane[t] - cairn_svm_weight(s, t)));
    cairn_svm_add_equation(&line, s, plane, 0);
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
                 cairn_svm_row_name(&b->shown, i, buffer));
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
        CHECK(cairn_svm_shown_of(ctx, &b.shown, m, history, f->job, k));
        CHECK(read_board(ctx, &b, f, &f->machines[k]));
        CHECK(show_board(ctx, out, &b));
    }
    return CAIRN_OK;
}
