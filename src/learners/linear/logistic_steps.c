/* SPDX-License-Identifier: MIT */
/* Newton's iterations as a lecturer writes them: probabilities of the rows, gradient, Hessian,
 * step, and the checks that hold at the optimum. Everything is in the columns' own units. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/linear/logistic_steps.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { STEP_ROWS = 50, STEP_TERMS = 60, MATRIX_WEIGHTS = 12, STEP_CLASSES = 12 };

const char *cairn_logistic_class(const cairn_logistic_data *d, size_t k)
{
    return cairn_level_name(d->x.view->target, d->classes[k]);
}

cairn_status cairn_logistic_raw_slopes(cairn_context *ctx, const cairn_logistic_fit *fit,
                                       double *out)
{
    const cairn_logistic_data *d = fit->data;
    double *slopes;
    CHECK(SCRATCH_RAW(ctx, &slopes, d->x.width * d->stride + 1));
    for (size_t j = 0; j < d->x.width * d->stride; j++)
        slopes[j] = fit->place.gradient[j] - fit->scored.ridges[j / d->stride] * fit->place.x[j];
    cairn_matrix_raw_slopes(&d->x, slopes, d->stride, d->n_vectors, out);
    return CAIRN_OK;
}

/* -- one iteration -- */

typedef struct shown {
    cairn_report *out;
    const cairn_logistic_fit *fit;
    const cairn_logistic_data *d;
    cairn_text room;
    size_t number; /* of the iteration, from 1 */
} shown;

/* "x1", or "C1.x1" when there are several vectors, as part of a value's name. */
static const char *weight_key(shown *s, size_t t, size_t k)
{
    const cairn_logistic_data *d = s->d;
    const char *key = "intercept";
    if (t < d->x.n_terms)
        key = cairn_term_key(s->out, cairn_term_name(&s->room, d->schema, d->x.n_dense, t));
    if (d->n_vectors == 1) return key;
    cairn_text name = cairn_text_start(s->room.ctx);
    cairn_text_addf(&name, "%s.%s", cairn_report_key(s->out, cairn_logistic_class(d, k)), key);
    s->room.length = 0;
    cairn_text_add(&s->room, cairn_text_string(&name));
    if (s->room.status == CAIRN_OK) s->room.status = name.status;
    cairn_text_clear(&name);
    return cairn_text_string(&s->room);
}

/* A slope of the loss by term t, 0 where it is no more than the rounding of its sum. */
static double clean_slope(const cairn_logistic_data *d, size_t t, double slope)
{
    double size = t < d->x.n_dense ? 1 / d->x.scale[t] + fabs(d->x.shift[t]) : 1;
    return fabs(slope) <= 4 * DBL_EPSILON * d->total * size ? 0 : slope;
}

/* Terms in the order of the tables: the intercept first. */
static size_t term_at(const cairn_logistic_data *d, size_t i)
{
    return d->x.ones ? (i == 0 ? d->x.n_terms : i - 1) : i;
}

/* One Newton step in full: the new weight is the old one plus the step, which solves the
 * equations of the Hessian below. */
static void show_weights(shown *s, const double *w, const double *slopes, const double *step)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors;
    cairn_report_table_begin(s->out, NULL, STEP_TERMS);
    if (m > 1) cairn_report_column(s->out, "class", 'l');
    cairn_report_columns(s->out, "lrrrr", "term", "w", "gradient of E", "step", "new w");
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < d->x.width && i < STEP_TERMS; i++) {
            size_t t = term_at(d, i), at = t * m + k;
            if (m > 1) cairn_report_cell(s->out, cairn_logistic_class(d, k));
            cairn_report_cell(s->out, t == d->x.n_terms
                                          ? "intercept"
                                          : cairn_term_name(&s->room, d->schema, d->x.n_dense, t));
            const char *key = weight_key(s, t, k);
            cairn_report_cell_number(s->out, w[at], 0, "iteration%zu.w.%s", s->number, key);
            cairn_report_cell_number(s->out, clean_slope(d, t, slopes[at]), 0,
                                     "iteration%zu.gradient.%s", s->number, key);
            cairn_report_cell_number(s->out, step[at], 0, "iteration%zu.step.%s", s->number, key);
            cairn_report_cell_number(s->out, w[at] + step[at], 0, "iteration%zu.new.%s", s->number,
                                     key);
        }
    cairn_report_table_end(s->out);
}

/* Entry of the Hessian in the columns' own units: x = z / scale + shift. */
static double raw_curvature(const cairn_logistic_fit *fit, size_t t, size_t k, size_t u, size_t l)
{
    const cairn_logistic_data *d = fit->data;
    size_t m = d->n_vectors, all = d->x.width * m;
    double a = t < d->x.n_dense ? 1 / d->x.scale[t] : 1,
           b = u < d->x.n_dense ? 1 / d->x.scale[u] : 1;
    double p = t < d->x.n_dense ? d->x.shift[t] : 0, q = u < d->x.n_dense ? d->x.shift[u] : 0;
    const double *h = fit->place.hessian;
    double sum = a * b * h[(t * m + k) * all + u * m + l];
    if (!d->x.ones) return sum;
    size_t c = d->x.n_terms;
    return sum + p * b * h[(c * m + k) * all + u * m + l] +
           a * q * h[(t * m + k) * all + c * m + l] + p * q * h[(c * m + k) * all + c * m + l];
}

/* Rows and columns are numbered class by class with the intercept first, like the weights above. */
static void show_hessian(shown *s)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors, all = d->x.width * m;
    if (all > MATRIX_WEIGHTS) {
        cairn_report_paragraph(s->out, "The Hessian has %zu × %zu entries and is not shown.", all,
                               all);
        return;
    }
    cairn_report_table_of(s->out, "Hessian H", 0, "l", "");
    for (size_t j = 0; j < all; j++)
        cairn_report_column(s->out, weight_key(s, term_at(d, j % d->x.width), j / d->x.width), 'r');
    for (size_t i = 0; i < all; i++) {
        cairn_report_cell(s->out, weight_key(s, term_at(d, i % d->x.width), i / d->x.width));
        for (size_t j = 0; j < all; j++)
            cairn_report_cell_number(s->out,
                                     raw_curvature(s->fit, term_at(d, i % d->x.width),
                                                   i / d->x.width, term_at(d, j % d->x.width),
                                                   j / d->x.width),
                                     0, "iteration%zu.hessian.%zu.%zu", s->number, i, j);
    }
    cairn_report_table_end(s->out);
}

/* Scores of row i; probabilities follow them in `p`. */
static double row_scores(const shown *s, size_t i, double *z, double *a, double *p)
{
    const cairn_logistic_data *d = s->d;
    double margin;
    cairn_matrix_rows(&d->x, i, 1, z);
    for (size_t k = 0; k < d->n_vectors; k++) {
        a[k] = 0;
        for (size_t t = 0; t < d->x.width; t++) a[k] += z[t] * s->fit->place.x[t * d->stride + k];
        p[k] = a[k];
    }
    double loss = cairn_softmax(p, d->n_vectors, d->pinned, (size_t)d->answers[i], &margin);
    if (d->pinned) {
        p[d->n_vectors] = 1;
        for (size_t k = 0; k < d->n_vectors; k++) p[d->n_vectors] -= p[k];
        if (d->n_vectors == 1) p[1] = 1 / (1 + cairn_exp(a[0]));
    }
    return loss;
}

/* The end of a table of the first rows, and how many are not in it. */
static void end_rows(const shown *s)
{
    size_t n = s->d->x.n;
    cairn_report_table_end(s->out);
    if (n > STEP_ROWS)
        cairn_report_paragraph(s->out, "and %zu more row%s", n - STEP_ROWS,
                               n - STEP_ROWS == 1 ? "" : "s");
}

/* Two classes: score, probability, what is left, and the weight in the Hessian. */
static cairn_status show_activations(cairn_context *ctx, shown *s)
{
    const cairn_logistic_data *d = s->d;
    double *z, a[1], p[2];
    CHECK(SCRATCH(ctx, &z, d->x.width + 1));
    cairn_report_table_begin(s->out, "Rows", STEP_ROWS);
    static const char *const heads[] = {"row", "y", "a = w·x", "p = 1/(1+e⁻ᵃ)", "y − p", "p(1−p)"};
    for (size_t i = 0; i < 6; i++) cairn_report_column(s->out, heads[i], 'r');
    for (size_t i = 0; i < d->x.n && i < STEP_ROWS; i++) {
        size_t number = cairn_view_row(d->x.view, i) + 1;
        double y = d->answers[i] == 0;
        row_scores(s, i, z, a, p);
        cairn_report_cellf(s->out, "%zu", number);
        cairn_report_cell_number(s->out, y, 0, NULL);
        cairn_report_cell_number(s->out, a[0], 0, "iteration%zu.a.%zu", s->number, number);
        cairn_report_cell_number(s->out, p[0], 0, "iteration%zu.p.%zu", s->number, number);
        cairn_report_cell_number(s->out, y - p[0], 0, NULL);
        cairn_report_cell_number(s->out, p[0] * p[1], 0, NULL);
    }
    end_rows(s);
    return CAIRN_OK;
}

/* More classes: the probabilities at the weights of this iteration. */
static cairn_status show_probabilities(cairn_context *ctx, shown *s)
{
    const cairn_logistic_data *d = s->d;
    double *z, *a, *p;
    if (d->n_classes > STEP_CLASSES) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &z, d->x.width + 1));
    CHECK(SCRATCH(ctx, &a, d->n_classes + 1));
    CHECK(SCRATCH(ctx, &p, d->n_classes + 1));
    cairn_report_table_of(s->out, "Probabilities p of the rows", STEP_ROWS, "rl", "row",
                          d->x.view->target_name);
    for (size_t k = 0; k < d->n_classes; k++)
        cairn_report_column(s->out, cairn_logistic_class(d, k), 'r');
    for (size_t i = 0; i < d->x.n && i < STEP_ROWS; i++) {
        size_t number = cairn_view_row(d->x.view, i) + 1;
        row_scores(s, i, z, a, p);
        cairn_report_cellf(s->out, "%zu", number);
        cairn_report_cell(s->out, cairn_logistic_class(d, (size_t)d->answers[i]));
        for (size_t k = 0; k < d->n_classes; k++)
            cairn_report_cell_number(s->out, p[k], 0, "iteration%zu.p.%zu.%s", s->number, number,
                                     cairn_report_key(s->out, cairn_logistic_class(d, k)));
    }
    end_rows(s);
    return CAIRN_OK;
}

/* What the first iteration says about all of them. */
static void show_formulas(const shown *s)
{
    const cairn_logistic_fit *fit = s->fit;
    const cairn_logistic_data *d = s->d;
    if (d->n_vectors == 1) {
        cairn_report_paragraph(s->out, "y is 1 for the class '%s' and 0 for '%s'.",
                               cairn_logistic_class(d, 0), cairn_logistic_class(d, 1));
        cairn_report_formula(s->out, "E = −Σ [y ln p + (1−y) ln(1−p)]");
        cairn_report_formula(s->out, "gradient = Xᵀ(p − y),  H = Xᵀ R X,  R = diag(p(1−p)),  "
                                     "step = −H⁻¹ · gradient");
    } else {
        cairn_report_formula(s->out, "p_k = exp(a_k) / Σ_j exp(a_j),  a_k = w_k·x");
        cairn_report_formula(s->out, "E = −Σ ln p(class of the row)");
        cairn_report_formula(s->out, "gradient_k = Xᵀ(p_k − y_k),  H_kl = Xᵀ R_kl X,  "
                                     "R_kl = diag(p_k ([k = l] − p_l)),  step = −H⁻¹ · gradient");
        if (d->pinned)
            cairn_report_paragraph(s->out,
                                   "y_k is 1 in the rows of class k. Only differences between "
                                   "classes matter, so the last class, '%s', has weights 0.",
                                   cairn_logistic_class(d, d->n_classes - 1));
        else
            cairn_report_paragraph(s->out, "y_k is 1 in the rows of class k. Every class has "
                                           "weights; the penalty settles what the same number "
                                           "added to all of them would leave open.");
    }
    if (fit->ridge > 0)
        cairn_report_paragraph(s->out, "The penalty adds λ·w to the gradient and λ to the "
                                       "diagonal of H, except for the intercept.");
    if (fit->lasso > 0)
        cairn_report_paragraph(s->out, "With an L1 penalty the step minimises the quadratic "
                                       "model plus the penalty by coordinate descent.");
}

cairn_status cairn_logistic_show_iteration(cairn_context *ctx, const cairn_logistic_fit *fit,
                                           const double *change)
{
    const cairn_logistic_data *d = fit->data;
    size_t size = (d->x.n_terms + 1) * d->n_vectors;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    shown s = {fit->steps, fit, d, cairn_text_start(ctx), fit->progress.iterations + 1};
    double *w, *slopes, *step;
    cairn_status status;
    TRY(SCRATCH(ctx, &w, size));
    TRY(SCRATCH(ctx, &slopes, size));
    TRY(SCRATCH(ctx, &step, size));
    cairn_logistic_raw(fit, fit->place.x, w);
    cairn_logistic_raw(fit, change, step);
    TRY(cairn_logistic_raw_slopes(ctx, fit, slopes));
    cairn_report_step_begin(s.out, "Iteration %zu", s.number);
    if (s.number == 1) show_formulas(&s);
    if (fit->place.taken > 0 && fit->place.taken < 1)
        cairn_report_paragraph(s.out,
                               "Of the last step only 1/%ld was taken: the whole would not have "
                               "lowered the objective.",
                               lround(1 / fit->place.taken));
    if (d->n_vectors == 1)
        TRY(show_activations(ctx, &s));
    else
        TRY(show_probabilities(ctx, &s));
    cairn_report_value(s.out, "cross-entropy E", fit->scored.sum, "iteration%zu.cross_entropy",
                       s.number);
    cairn_report_value(s.out, "log-likelihood", -fit->scored.sum, "iteration%zu.log_likelihood",
                       s.number);
    if (fit->ridge > 0 || fit->lasso > 0)
        cairn_report_value(s.out, "with the penalty", fit->place.value, "iteration%zu.objective",
                           s.number);
    if (d->x.width) show_weights(&s, w, slopes, step);
    show_hessian(&s);
    cairn_report_value(s.out, "expected fall of the objective", fit->progress.expected,
                       "iteration%zu.expected", s.number);
    cairn_report_step_end(s.out);
done:
    if (status == CAIRN_OK) status = s.room.status;
    cairn_text_clear(&s.room);
    cairn_scratch_release(ctx, mark);
    return status;
}

void cairn_logistic_show_curve(const cairn_logistic_fit *fit, const char *what)
{
    cairn_report *out = fit->steps;
    const char *word = what ? what : "iteration";
    cairn_report_step_begin(out, "Cross-entropy per %s", word);
    cairn_report_table_of(out, NULL, STEP_ROWS, "rrr", what ? word : "iterations",
                          "cross-entropy E", "fall");
    for (size_t i = 0; i < fit->progress.n_history; i++) {
        cairn_report_cellf(out, "%zu", i);
        if (what)
            cairn_report_cell_number(out, fit->progress.history[i], 0, "%s%zu.cross_entropy", what,
                                     i);
        else
            cairn_report_cell_number(out, fit->progress.history[i], 0, NULL);
        double fall = i ? fit->progress.history[i - 1] - fit->progress.history[i] : 0;
        bool rounding = fabs(fall) <= 16 * DBL_EPSILON * fabs(fit->progress.history[i]);
        if (i)
            cairn_report_cell_number(out, rounding ? 0 : fall, 4, NULL);
        else
            cairn_report_cell(out, "");
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- the end -- */

/* At the optimum these sums are 0: observed and expected totals of each term agree. */
static void show_checks(shown *s, const double *slopes)
{
    const cairn_logistic_data *d = s->d;
    size_t m = d->n_vectors;
    cairn_report_table_begin(s->out, "Σ (y − p) x of every term", STEP_TERMS);
    if (m > 1) cairn_report_column(s->out, "class", 'l');
    cairn_report_columns(s->out, "lr", "term", "sum");
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < d->x.width && i < STEP_TERMS; i++) {
            size_t t = term_at(d, i);
            if (m > 1) cairn_report_cell(s->out, cairn_logistic_class(d, k));
            cairn_report_cell(s->out, t == d->x.n_terms
                                          ? "intercept"
                                          : cairn_term_name(&s->room, d->schema, d->x.n_dense, t));
            cairn_report_cell_number(s->out, 0 - clean_slope(d, t, slopes[t * m + k]), 4,
                                     "check.moment.%s", weight_key(s, t, k));
        }
    cairn_report_table_end(s->out);
}

cairn_status cairn_logistic_show_rows(cairn_context *ctx, const cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    shown s = {fit->steps, fit, d, cairn_text_start(ctx), fit->progress.iterations};
    double *z, *a, *p, *slopes;
    cairn_status status;
    TRY(SCRATCH(ctx, &z, d->x.width + 1));
    TRY(SCRATCH(ctx, &a, d->n_classes + 1));
    TRY(SCRATCH(ctx, &p, d->n_classes + 1));
    TRY(SCRATCH(ctx, &slopes, (d->x.n_terms + 1) * d->n_vectors));
    TRY(cairn_logistic_raw_slopes(ctx, fit, slopes));
    cairn_report_step_begin(s.out, "Probabilities of the rows, and checks");
    cairn_report_table_of(s.out, NULL, STEP_ROWS, "rl", "row", d->x.view->target_name);
    for (size_t k = 0; k < d->n_classes; k++)
        cairn_report_column(s.out, cairn_logistic_class(d, k), 'r');
    cairn_report_column(s.out, "−ln p", 'r');
    for (size_t i = 0; i < d->x.n && i < STEP_ROWS; i++) {
        size_t number = cairn_view_row(d->x.view, i) + 1;
        double loss = row_scores(&s, i, z, a, p);
        cairn_report_cellf(s.out, "%zu", number);
        cairn_report_cell(s.out, cairn_logistic_class(d, (size_t)d->answers[i]));
        for (size_t k = 0; k < d->n_classes; k++)
            cairn_report_cell_number(s.out, p[k], 0, "p.%zu.%s", number,
                                     cairn_report_key(s.out, cairn_logistic_class(d, k)));
        cairn_report_cell_number(s.out, loss, 0, "loss.%zu", number);
    }
    cairn_report_table_end(s.out);
    if (d->x.n > STEP_ROWS)
        cairn_report_paragraph(s.out, "and %zu more row%s", d->x.n - STEP_ROWS,
                               d->x.n - STEP_ROWS == 1 ? "" : "s");
    if (fit->ridge == 0 && fit->lasso == 0)
        cairn_report_paragraph(s.out, "At the optimum Σ (y − p) x = 0 for every term; for the "
                                      "intercept this says that the mean probability of a class is "
                                      "its share of the rows.");
    else
        cairn_report_paragraph(s.out, "With a penalty Σ (y − p) x is what the penalty pulls: λ·w "
                                      "for L2, at most λ in size for L1, 0 for the intercept.");
    if (d->x.width) show_checks(&s, slopes);
    cairn_report_step_end(s.out);
done:
    if (status == CAIRN_OK) status = s.room.status;
    cairn_text_clear(&s.room);
    cairn_scratch_release(ctx, mark);
    return status;
}
