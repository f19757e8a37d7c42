/* SPDX-License-Identifier: MIT */
/* Support vector machines: what the report says of them. Where the account knows every row: the
 * multipliers, the boundary in several forms, margins, slacks, groups and the conditions of the
 * optimum. */
#include "learners/kernel/svm_shown.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "learners/kernel/kernel_method.h"
#include "rows/matrix.h"

#include <math.h>

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

/* Both conventions have their names; the chosen one is called the margin. */
static void show_margin(cairn_report *out, const cairn_svm_shown *s)
{
    double half = 1 / s->norm, full = 2 / s->norm;
    bool whole = s->params->margin == CAIRN_SVM_FULL;
    cairn_report_value(out, "‖w‖", s->norm, "%snorm", s->prefix);
    if (s->numbers || !(s->norm > 0)) return;
    cairn_report_value(out, whole ? "half of the street, 1/‖w‖" : "margin 1/‖w‖", half,
                       "%smargin.half", s->prefix);
    cairn_report_value(out, whole ? "margin (street) 2/‖w‖" : "street 2/‖w‖", full, "%smargin.full",
                       s->prefix);
    cairn_report_hidden(out, whole ? full : half, "%smargin", s->prefix);
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
    char room[24];
    for (size_t i = 0; i < s->one->n; i++) {
        if (!holds(s, i)) continue;
        if (n < LISTED_ROWS)
            cairn_text_addf(&list, "%s%s", n ? ", " : "", cairn_svm_row_name(s, i, room));
        n++;
    }
    if (n > LISTED_ROWS) cairn_text_addf(&list, ", ... (%zu)", n);
    cairn_report_word(out, label, n ? cairn_text_string(&list) : "none", "%s%s", s->prefix, name);
    cairn_report_hidden(out, (double)n, "%s%s.n", s->prefix, name);
    cairn_report_failed(out, cairn_text_status(&list));
}

static void show_groups(cairn_report *out, const cairn_svm_shown *s)
{
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
    char room[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "y", "α", "f(x)", "y f(x)",
                          "distance", "ξ", "α is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = cairn_svm_row_name(s, i, room);
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
    char room[24];
    cairn_report_table_of(out, "Rows", TABLE_ROWS, "lrrrrrrll", "row", "t", "f(x)", "t − f(x)", "a",
                          "a'", "ξ", "a is", "");
    for (size_t i = 0; i < s->one->n; i++) {
        const char *row = cairn_svm_row_name(s, i, room);
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

/* -- the conditions -- */

/* Both objectives side by side: they are equal at the optimum and nowhere else. A violation is a
 * part of the margin, which is 1, or of half the range of the numbers. */
static void show_conditions(cairn_report *out, const cairn_svm_shown *s)
{
    size_t worst;
    double sum = 0, size = 0, violation = cairn_svm_kkt(s, &worst), unit = 1;
    double primal = cairn_svm_primal(s), dual = cairn_svm_dual(s), low = INFINITY, high = -INFINITY;
    char room[24];
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
        cairn_report_word(out, "its row", cairn_svm_row_name(s, worst, room), "%skkt.row",
                          s->prefix);
    bool gap = s->one->indefinite || cairn_svm_gap_is_closed(s, primal, dual);
    bool fulfilled = violation <= 100 * s->tolerance * unit && fabs(sum) <= 1e-6 * size && gap;
    cairn_report_word(out, "conditions", fulfilled ? "fulfilled" : "violated", "%skkt", s->prefix);
}

void cairn_svm_show(cairn_report *out, const cairn_svm_shown *s)
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
    show_margin(out, s);
    show_groups(out, s);
    if (s->numbers)
        show_number_rows(out, s);
    else
        show_class_rows(out, s);
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
                          const cairn_svm_account *account, const cairn_job *job)
{
    cairn_report_table_of(out, "Machines", TABLE_ROWS, "llrrrrr", "class", "against", "rows",
                          "support vectors", "at the bound", "constant", "steps");
    for (size_t k = 0; k < account->n_machines; k++) {
        const cairn_svm_machine *one = &account->machines[k];
        cairn_report_cell(out, m->n_classes ? class_name(job, m->plus[k]) : "numbers");
        cairn_report_cell(out, m->n_classes ? class_name(job, m->minus[k]) : "");
        cairn_report_cell_number(out, (double)one->n, 0, "machine%zu.rows", k + 1);
        cairn_report_cell_number(out, (double)one->n_vectors, 0, "machine%zu.vectors", k + 1);
        cairn_report_cell_number(out, (double)one->n_bound, 0, "machine%zu.bound", k + 1);
        cairn_report_cell_number(out, m->constants[k], 6, "machine%zu.constant", k + 1);
        cairn_report_cell_number(out, (double)one->steps, 0, "machine%zu.steps", k + 1);
        show_found(out, m, job->params, one, k, account->n_machines == 1);
        cairn_report_hidden(out, -one->value, "machine%zu.dual", k + 1);
        cairn_report_hidden(out, one->gap, "machine%zu.gap", k + 1);
    }
    cairn_report_table_end(out);
}

/* Machines that ended before they were good enough. */
static void note_unfinished(cairn_report *out, const cairn_svm_account *account)
{
    size_t n = 0;
    double gap = 0;
    for (size_t k = 0; k < account->n_machines; k++) {
        if (account->machines[k].converged) continue;
        n++;
        if (account->machines[k].gap > gap) gap = account->machines[k].gap;
    }
    cairn_report_hidden(out, n == 0, "converged");
    if (!n) return;
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, gap, 3);
    cairn_report_note(out,
                      "Not converged: %zu of %zu machines stopped at a violation of up to %s. "
                      "Raise {max-iter}, lower {c} or scale the columns.",
                      n, account->n_machines, number);
}

/* Machines whose rows the account kept, as far as a page holds them. */
static void show_rows_of_machines(cairn_report *out, const cairn_svm_model *m,
                                  const cairn_svm_account *account, const cairn_job *job)
{
    cairn_svm_shown shown;
    if (account->n_machines > 3) return;
    for (size_t k = 0; k < account->n_machines; k++) {
        if (!account->machines[k].rows || account->machines[k].n > CAIRN_SVM_PAGE) continue;
        cairn_status made =
            cairn_svm_shown_of(cairn_report_context(out), &shown, m, account, job, k);
        cairn_report_failed(out, made);
        if (!made) cairn_svm_show(out, &shown);
    }
}

/* Linear machines of many rows keep their weights only; how many rows they rest on the account
 * knows. */
static double count_vectors(const cairn_svm_model *m, const cairn_svm_account *account)
{
    size_t most = m->vectors.n;
    for (size_t k = 0; account && !m->vectors.n && k < account->n_machines; k++)
        if (account->machines[k].n_vectors > most) most = account->machines[k].n_vectors;
    return (double)most;
}

void cairn_svm_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const cairn_svm_account *account = job->account;
    cairn_report_heading(out, 2, "Support vector machine");
    cairn_kernel_show(out, &m->kernel, m->n_terms);
    cairn_report_value(out, "support vectors", count_vectors(m, account), "vectors");
    if (m->n_classes && m->n_present == 1 && !m->n_machines)
        cairn_report_note(out, "There is one class only; every row gets it.");
    if (!account) return;
    double dual = 0;
    size_t steps = 0;
    for (size_t k = 0; k < account->n_machines; k++) {
        dual -= account->machines[k].value;
        steps += account->machines[k].steps;
    }
    cairn_report_value(out, "dual objective", dual, "dual");
    cairn_report_value(out, "steps", (double)steps, "steps");
    if (account->n_machines) show_machines(out, m, account, job);
    show_rows_of_machines(out, m, account, job);
    cairn_svm_draw(out, m, job);
    note_unfinished(out, account);
}
