/* SPDX-License-Identifier: MIT */
/* What a fitted logistic or softmax regression looks like in a report: weights with their
 * statistics, boundary, quality, checks, warnings, the path of strengths, pictures; and the reasons
 * for one prediction. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "learners/linear/logistic.h"
#include "learners/linear/logistic_steps.h"
#include "learners/linear/path_figures.h"
#include "learners/linear/weights.h"
#include "model/explain.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Newton's iterations as a lecturer writes them: probabilities of the rows, gradient, Hessian,
 * step, and the checks that hold at the optimum. Everything is in the columns' own units. */

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
    cairn_text buffer;
    size_t number; /* of the iteration, from 1 */
} shown;

/* "x1", or "C1.x1" when there are several vectors, as part of a value's name. */
static const char *weight_key(shown *s, size_t t, size_t k)
{
    const cairn_logistic_data *d = s->d;
    const char *key = "intercept";
    if (t < d->x.n_terms)
        key = cairn_term_key(s->out, cairn_term_name(&s->buffer, d->schema, d->x.n_dense, t));
    if (d->n_vectors == 1) return key;
    cairn_text name = cairn_text_start(s->buffer.ctx);
    cairn_text_addf(&name, "%s.%s", cairn_report_key(s->out, cairn_logistic_class(d, k)), key);
    s->buffer.length = 0;
    cairn_text_add(&s->buffer, cairn_text_string(&name));
    if (s->buffer.status == CAIRN_OK) s->buffer.status = name.status;
    cairn_text_clear(&name);
    return cairn_text_string(&s->buffer);
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
static void steps_show_weights(shown *s, const double *w, const double *slopes, const double *step)
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
            cairn_report_cell(s->out, t == d->x.n_terms ? "intercept"
                                                        : cairn_term_name(&s->buffer, d->schema,
                                                                          d->x.n_dense, t));
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
static double steps_row_scores(const shown *s, size_t i, double *z, double *a, double *p)
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
        steps_row_scores(s, i, z, a, p);
        cairn_report_prefix(s->out, "iteration%zu", s->number);
        cairn_report_cells(s->out, "- - @.a.$1 @.p.$1", number, y, a[0], p[0], y - p[0],
                           p[0] * p[1]);
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
    CHECK(SCRATCH_EACH(ctx, d->n_classes + 1, &a, &p));
    cairn_report_table_of(s->out, "Probabilities p of the rows", STEP_ROWS, "rl", "row",
                          d->x.view->target_name);
    for (size_t k = 0; k < d->n_classes; k++)
        cairn_report_column(s->out, cairn_logistic_class(d, k), 'r');
    for (size_t i = 0; i < d->x.n && i < STEP_ROWS; i++) {
        size_t number = cairn_view_row(d->x.view, i) + 1;
        steps_row_scores(s, i, z, a, p);
        cairn_report_cells(s->out, NULL, number, cairn_logistic_class(d, (size_t)d->answers[i]));
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
    TRY(SCRATCH_EACH(ctx, size, &w, &slopes, &step));
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
    if (d->x.width) steps_show_weights(&s, w, slopes, step);
    show_hessian(&s);
    cairn_report_value(s.out, "expected fall of the objective", fit->progress.expected,
                       "iteration%zu.expected", s.number);
    cairn_report_step_end(s.out);
done:
    if (status == CAIRN_OK) status = s.buffer.status;
    cairn_text_clear(&s.buffer);
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
    for (size_t i = 0; i < fit->progress.n_values; i++) {
        cairn_report_cellf(out, "%zu", i);
        if (what)
            cairn_report_cell_number(out, fit->progress.values[i], 0, "%s%zu.cross_entropy", what,
                                     i);
        else
            cairn_report_cell_number(out, fit->progress.values[i], 0, NULL);
        double fall = i ? fit->progress.values[i - 1] - fit->progress.values[i] : 0;
        bool rounding = fabs(fall) <= 16 * DBL_EPSILON * fabs(fit->progress.values[i]);
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
static void steps_show_checks(shown *s, const double *slopes)
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
            cairn_report_cell(s->out, t == d->x.n_terms ? "intercept"
                                                        : cairn_term_name(&s->buffer, d->schema,
                                                                          d->x.n_dense, t));
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
    TRY(SCRATCH_EACH(ctx, d->n_classes + 1, &a, &p));
    TRY(SCRATCH(ctx, &slopes, (d->x.n_terms + 1) * d->n_vectors));
    TRY(cairn_logistic_raw_slopes(ctx, fit, slopes));
    cairn_report_step_begin(s.out, "Probabilities of the rows, and checks");
    cairn_report_table_of(s.out, NULL, STEP_ROWS, "rl", "row", d->x.view->target_name);
    for (size_t k = 0; k < d->n_classes; k++)
        cairn_report_column(s.out, cairn_logistic_class(d, k), 'r');
    cairn_report_column(s.out, "−ln p", 'r');
    for (size_t i = 0; i < d->x.n && i < STEP_ROWS; i++) {
        size_t number = cairn_view_row(d->x.view, i) + 1;
        double loss = steps_row_scores(&s, i, z, a, p);
        cairn_report_cells(s.out, NULL, number, cairn_logistic_class(d, (size_t)d->answers[i]));
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
    if (d->x.width) steps_show_checks(&s, slopes);
    cairn_report_step_end(s.out);
done:
    if (status == CAIRN_OK) status = s.buffer.status;
    cairn_text_clear(&s.buffer);
    cairn_scratch_release(ctx, mark);
    return status;
}

enum {
    MOST_WEIGHTS = 2000,
    NAMED_WEIGHTS = 100000,
    TOP_WEIGHTS = 20,
    EQUATION_TERMS = 20,
    CURVE_PLACES = 121
};

typedef struct page {
    cairn_report *out;
    const cairn_logistic_model *m;
    const cairn_logistic_history *history; /* NULL = how it came about is not known */
    const double *errors;                  /* of the weights; NULL = none, or not known */
    const cairn_logistic_params *params;
    const cairn_job *job;
    const cairn_map *names; /* of the classes */
    cairn_text buffer;
    double sign;   /* -1 when the exponent belongs to the other class */
    size_t beyond; /* first term whose odds ratio is beyond all numbers; n_terms + 1 = none */
} page;

static const char *class_name(const page *g, size_t k)
{
    return cairn_map_key(g->names, (size_t)g->m->classes[k]);
}

static const char *term_name(page *g, size_t t)
{
    if (t == g->m->n_terms) return "intercept";
    return cairn_term_name(&g->buffer, g->job->schema, g->m->n_dense, t);
}

static double weight(const page *g, size_t t, size_t k)
{
    return g->sign * g->m->weights[t * g->m->n_vectors + k];
}

/* -- weights -- */

/* "x", or "CLASS.x" when classes have vectors of their own; `name` is that of term t. */
static void row_key(page *g, cairn_text *key, const char *name, size_t t, size_t k)
{
    key->length = 0;
    if (g->m->n_vectors > 1)
        cairn_text_addf(key, "%s.", cairn_report_key(g->out, class_name(g, k)));
    cairn_text_add(key, t == g->m->n_terms ? "intercept" : cairn_term_key(g->out, name));
}

/* e^w, undefined where that is beyond all numbers. */
static double odds_ratio(double w)
{
    double odds = cairn_exp(w);
    return isinf(odds) ? NAN : odds;
}

/* Notes in `beyond` the first term whose odds ratio is no number any more; the page says once
 * what that means. */
static void show_weight(page *g, cairn_text *buffer, size_t t, size_t k)
{
    const cairn_logistic_model *m = g->m;
    cairn_report *out = g->out;
    double w = weight(g, t, k);
    if (m->n_vectors > 1) cairn_report_cell(out, class_name(g, k));
    cairn_report_cell(out, term_name(g, t));
    row_key(g, buffer, term_name(g, t), t, k);
    const char *key = cairn_text_string(buffer);
    cairn_report_cell_number(out, w, 6, "coefficient.%s", key);
    if (g->errors) {
        double error = g->errors[t * m->n_vectors + k], z = w / error;
        double reach = cairn_normal_quantile((1 + g->params->level) / 2) * error;
        cairn_report_cell_number(out, error, 5, "se.%s", key);
        cairn_report_cell_number(out, z, 4, "z.%s", key);
        cairn_report_cell_number(out, 2 * cairn_normal_upper(fabs(z)), 3, "p.%s", key);
        cairn_report_cell_number(out, w - reach, 5, "low.%s", key);
        cairn_report_cell_number(out, w + reach, 5, "high.%s", key);
        cairn_report_hidden(out, odds_ratio(w - reach), "odds_low.%s", key);
        cairn_report_hidden(out, odds_ratio(w + reach), "odds_high.%s", key);
    }
    cairn_report_cell_number(out, odds_ratio(w), 5, "odds.%s", key);
    if (isnan(odds_ratio(w)) && g->beyond == m->n_terms + 1) g->beyond = t;
}

/* The terms with the largest weights of class k, in falling order; ties in their own order. */
static size_t rank_terms(const page *g, size_t k, size_t order[TOP_WEIGHTS])
{
    const cairn_logistic_model *m = g->m;
    double sizes[TOP_WEIGHTS] = {0};
    size_t n = 0;
    for (size_t t = 0; t < m->n_terms; t++) {
        double size = fabs(m->weights[t * m->n_vectors + k]);
        size_t at = n;
        while (at > 0 && size > sizes[at - 1]) at--;
        if (at == TOP_WEIGHTS) continue;
        if (n < TOP_WEIGHTS) n++;
        for (size_t i = n - 1; i > at; i--) {
            sizes[i] = sizes[i - 1];
            order[i] = order[i - 1];
        }
        sizes[at] = size;
        order[at] = t;
    }
    return n;
}

/* With many terms only the largest weights of each class are shown, but all are named for tests
 * and lessons. */
static cairn_status show_weights(cairn_context *ctx, page *g)
{
    const cairn_logistic_model *m = g->m;
    static const char *const heads[] = {"std error", "z", "p", "low", "high"};
    bool all = (m->n_terms + 1) * m->n_vectors <= MOST_WEIGHTS;
    SCOPED(cairn_text_clear) cairn_text buffer = cairn_text_start(ctx);
    cairn_report_table_begin(g->out, all ? "Weights" : "Largest weights", MOST_WEIGHTS);
    if (m->n_vectors > 1) cairn_report_column(g->out, "class", 'l');
    cairn_report_columns(g->out, "lr", "term", "coefficient");
    for (size_t i = 0; i < 5 && g->errors; i++) cairn_report_column(g->out, heads[i], 'r');
    cairn_report_column(g->out, "odds ratio", 'r');
    for (size_t k = 0; k < m->n_vectors; k++) {
        size_t order[TOP_WEIGHTS], n = all ? m->n_terms : rank_terms(g, k, order);
        if (m->intercept) show_weight(g, &buffer, m->n_terms, k);
        for (size_t i = 0; i < n; i++) show_weight(g, &buffer, all ? i : order[i], k);
    }
    cairn_report_table_end(g->out);
    if (!all) {
        /* Weights that are too many for the table are values still; more than that only a file
         * holds. */
        SCOPED_SCRATCH(ctx);
        const char *const *names;
        if (m->n_terms * m->n_vectors > NAMED_WEIGHTS) {
            cairn_report_paragraph(
                g->out, "There are %zu weights; exporting it as text writes all of them.",
                m->n_terms * m->n_vectors);
        } else {
            CHECK(cairn_term_names(ctx, &names, g->job->schema));
            for (size_t k = 0; k < m->n_vectors; k++)
                for (size_t t = 0; t < m->n_terms; t++) {
                    row_key(g, &buffer, names[t], t, k);
                    cairn_report_hidden(g->out, weight(g, t, k), "coefficient.%s",
                                        cairn_text_string(&buffer));
                }
        }
    }
    return cairn_text_status(&buffer);
}

/* Says against what a weight is to be read: the pinned class, the interval's level, or a penalty
 * that leaves no standard errors. */
static void explain_weights(const page *g)
{
    const cairn_logistic_model *m = g->m;
    char level[CAIRN_NUMBER_SIZE];
    cairn_number_format(level, 100 * g->params->level, 6);
    if (m->pinned && m->n_vectors > 1)
        cairn_report_paragraph(g->out,
                               "Weights are relative to the last class, '%s', whose weights are "
                               "0.",
                               class_name(g, m->n_present - 1));
    if (g->errors) cairn_note_filled(g->out, g->job);
    if (g->errors)
        cairn_report_paragraph(g->out,
                               "low and high are the ends of %s %% intervals; p is the chance of a "
                               "z at least as far from 0 if the weight were 0 (two-sided). The "
                               "odds ratio e^w is the factor by which the odds grow when the "
                               "feature grows by 1.",
                               level);
    else if (g->history && g->history->ridge + g->history->lasso > 0)
        cairn_report_paragraph(g->out, "A penalty pulls the weights towards 0, so there are no "
                                       "standard errors and tests.");
}

/* With weights of classes the likelihood is not that of the rows. */
static void note_class_weights(const page *g)
{
    const char *given = g->params->class_weight;
    if (!given) return;
    bool balanced = cairn_same(given, "balanced");
    cairn_report_note(
        g->out,
        "Classes are weighted (%s%s): the number of rows, the share of right answers "
        "and the cross-entropy below count a row as often as its class is worth%s.",
        balanced ? "balanced: all of them sum to the same" : given,
        balanced ? "" : ", in the order of the classes",
        cairn_say(cairn_report_context(g->out),
                  g->errors ? ", and standard errors, tests and AIC take that for real rows: "
                              "where a rare class is raised they are too small; 'evaluate "
                              "{by boot}' tells how much such fits differ"
                            : ""));
}

/* Odds ratios that are no numbers: the unit of the column is far too large for its values. */
static void note_beyond(page *g)
{
    if (g->beyond > g->m->n_terms) return;
    cairn_report_note(g->out,
                      "Odds ratios that are n/a, that of '%s' for one, are e^w with a w above 709, "
                      "which is more than the largest number: one unit of the column is far more "
                      "than its values differ by, or the values are far from 0. {with standardise} "
                      "gives weights per standard deviation.",
                      term_name(g, g->beyond));
}

/* -- equations -- */

/* Score of class k as text: its first terms that are not 0. */
static void sum_text(page *g, cairn_text *text, size_t k)
{
    const cairn_logistic_model *m = g->m;
    bool any = false;
    size_t n = 0;
    for (size_t t = 0; t < m->n_terms && n <= EQUATION_TERMS; t++) {
        if (weight(g, t, k) == 0) continue;
        if (n++ < EQUATION_TERMS)
            cairn_add_term(text, &any, weight(g, t, k), term_name(g, t), false);
        else
            cairn_text_add(text, " + …");
    }
    if (m->intercept) {
        cairn_add_term(text, &any, weight(g, m->n_terms, k), NULL, false);
    } else if (!any) {
        cairn_text_add(text, "0");
    }
}

/* The boundary is where the score is 0; signs and threshold follow the notation that was asked
 * for, as books differ. */
static void show_equations(page *g)
{
    const cairn_logistic_model *m = g->m;
    cairn_text text = cairn_text_start(g->buffer.ctx);
    bool minus = g->params->intercept == CAIRN_INTERCEPT_MINUS;
    if (m->n_vectors == 1) {
        cairn_report_formula(g->out, "P(%s) = 1 / (1 + exp(%sa)),  a = w·x%s", class_name(g, 0),
                             g->sign < 0 ? "" : "−",
                             !m->intercept ? ""
                             : minus       ? " − t"
                                           : " + w₀");
        cairn_text_add(&text, "a = ");
        sum_text(g, &text, 0);
        cairn_report_formula(g->out, "%s", cairn_text_string(&text));
        cairn_text_add(&text, " = 0");
        const char *boundary = text.length > 4 ? cairn_text_string(&text) + 4 : "";
        if (m->n_terms <= 4)
            cairn_report_word(g->out, "boundary (P = 1/2)", boundary, "boundary");
        else
            cairn_report_hidden_word(g->out, boundary, "boundary");
        if (m->intercept) {
            double w0 = weight(g, m->n_terms, 0);
            cairn_report_value(g->out, minus ? "t" : "w₀", minus ? -w0 : w0, "%s",
                               minus ? "threshold" : "intercept");
            cairn_report_hidden(g->out, minus ? w0 : -w0, "%s", minus ? "intercept" : "threshold");
            if (m->n_terms == 1 && m->weights[0] != 0)
                cairn_report_value(g->out, "boundary at", -w0 / weight(g, 0, 0), "boundary.at");
        }
    } else {
        cairn_report_formula(g->out, "P(k) = exp(a_k) / Σ_j exp(a_j),  a_k = w_k·x%s",
                             !m->intercept ? ""
                             : minus       ? " − t_k"
                                           : " + w_k0");
        for (size_t k = 0; k < m->n_vectors && m->n_terms <= EQUATION_TERMS && k < 12; k++) {
            text.length = 0;
            sum_text(g, &text, k);
            cairn_report_word(g->out, class_name(g, k), cairn_text_string(&text), "score.%s",
                              cairn_report_key(g->out, class_name(g, k)));
        }
    }
    cairn_report_failed(g->out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* -- quality -- */

/* Weights that are free: terms that depend on others are not. */
static double free_weights(const page *g)
{
    const cairn_logistic_model *m = g->m;
    double n = m->intercept ? 1 : 0;
    for (size_t t = 0; t < m->n_terms; t++) n += !g->history->aliased[t];
    return n * (double)m->n_vectors;
}

/* AIC, BIC and the likelihood ratio need weights of maximum likelihood, so they are left out
 * with a penalty, separable classes or weights by hand. */
static void show_quality(const page *g)
{
    const cairn_logistic_model *m = g->m;
    const cairn_logistic_history *history = g->history;
    cairn_report *out = g->out;
    cairn_report_heading(out, 3, "Quality of the fit");
    cairn_report_value(out, "rows", history->total, "rows");
    cairn_report_value(out, "log-likelihood", -history->loss, "log_likelihood");
    cairn_report_value(out, "cross-entropy E", history->loss, "cross_entropy");
    cairn_report_value(out, "per row", history->loss / history->total, "cross_entropy.mean");
    if (history->ridge > 0 || history->lasso > 0)
        cairn_report_value(out, "with the penalty", history->objective, "objective");
    cairn_report_value(out, "right on the training rows", history->accuracy, "training.accuracy");
    cairn_report_hidden(out, 2 * history->loss, "deviance");
    cairn_report_hidden(out, 2 * history->null_loss, "null_deviance");
    cairn_report_value(out, "cross-entropy of the shares alone", history->null_loss,
                       "cross_entropy.null");
    cairn_report_value(out, "pseudo R² (McFadden)",
                       history->null_loss > 0 ? 1 - history->loss / history->null_loss : NAN,
                       "pseudo_r2");
    bool fitted =
        history->solver != CAIRN_LOGISTIC_ASCENT && history->solver != CAIRN_LOGISTIC_GIVEN;
    if (history->ridge > 0 || history->lasso > 0 || !fitted || history->separation) return;
    double n = free_weights(g), null = m->intercept ? (double)m->n_vectors : 0;
    double chi2 = 2 * (history->null_loss - history->loss), df = n - null;
    cairn_report_value(out, "AIC", 2 * history->loss + 2 * n, "aic");
    cairn_report_value(out, "BIC", 2 * history->loss + n * cairn_log(history->total), "bic");
    if (!(df > 0)) return;
    cairn_report_value(out, "likelihood ratio χ² against the shares alone", chi2, "chi_squared");
    cairn_report_hidden(out, df, "chi_squared.df");
    double p = cairn_chi2_upper(fmax(0, chi2), df);
    cairn_report_value(out, "its p", p, "chi_squared.p");
    /* their earlier names */
    cairn_report_hidden(out, chi2, "chi2");
    cairn_report_hidden(out, df, "chi2.df");
    cairn_report_hidden(out, p, "chi2.p");
}

static void show_checks(const page *g)
{
    const cairn_logistic_model *m = g->m;
    const cairn_logistic_history *history = g->history;
    if (!m->intercept || m->n_present > 50) return;
    cairn_report_table_of(g->out,
                          history->solver == CAIRN_LOGISTIC_GIVEN
                              ? "Shares of the rows and mean probabilities"
                              : "At the optimum mean probabilities are shares",
                          0, "lrr", "class", "share of the rows", "mean probability");
    for (size_t k = 0; k < m->n_present; k++) {
        cairn_report_cells(g->out, "- check.share.$1:6 check.mean_p.$1:6", class_name(g, k),
                           history->shares[k], history->means[k]);
    }
    cairn_report_table_end(g->out);
}

/* Whether it converged, and what is left of the slope if not, tells whether the weights can be
 * trusted. */
static void show_way(const page *g)
{
    const cairn_logistic_model *m = g->m;
    const cairn_logistic_history *history = g->history;
    static const char *const solvers[] = {
        "", "Newton's method (IRLS)", "Newton's method by conjugate gradients", "gradient ascent"};
    static const char *const kinds[] = {"", "none", "L2", "L1", "elastic"};
    bool ascent = history->solver == CAIRN_LOGISTIC_ASCENT;
    if (history->solver == CAIRN_LOGISTIC_GIVEN) {
        cairn_report_word(g->out, "weights", "given by hand", "solver");
        cairn_report_hidden(g->out, history->moment, "check.slope");
        return;
    }
    bool slopes =
        history->solver == CAIRN_LOGISTIC_NEWTON && history->products > 2 * history->iterations + 8;
    cairn_report_word(g->out, "solved by",
                      slopes
                          ? "Newton's method (IRLS) from where gradients alone (L-BFGS) led, as a "
                            "Hessian of so many classes is dear"
                          : solvers[history->solver],
                      "solver");
    cairn_report_value(g->out, ascent ? "epochs" : "iterations", (double)history->iterations,
                       "iterations");
    if (history->solver == CAIRN_LOGISTIC_CG || slopes)
        cairn_report_value(g->out, "passes over the rows", (double)history->products, "passes");
    cairn_report_word(g->out, "converged", history->converged ? "yes" : "no", "converged");
    if (history->converged) /* rounding and nothing else */
        cairn_report_hidden(g->out, history->moment, "check.slope");
    else
        cairn_report_value(g->out, "largest slope of the objective", history->moment,
                           "check.slope");
    cairn_report_hidden(g->out, history->expected, "expected_fall");
    cairn_report_word(g->out, "penalty", kinds[history->penalty], "penalty");
    if (history->ridge > 0 || history->lasso > 0) {
        cairn_report_value(g->out, "strength λ", history->ridge + history->lasso, "strength");
        double n = 0;
        for (size_t j = 0; j < m->n_terms * m->n_vectors; j++) n += m->weights[j] != 0;
        if (history->lasso > 0) cairn_report_value(g->out, "weights other than 0", n, "nonzero");
    }
}

/* -- warnings -- */

static void show_relations(const page *g)
{
    size_t k = 0;
    if (!g->history->relations) return;
    cairn_report_note(g->out, "Some columns depend on those before them, so that their weights are "
                              "not determined by the data. They were left out (weight 0); "
                              "probabilities are not affected.");
    for (const char *line = g->history->relations; *line; k++) {
        int length = (int)strcspn(line, "\n");
        char *copy = NULL;
        cairn_report_formula(g->out, "%.*s", length, line);
        cairn_status status = cairn_copy_text(g->buffer.ctx, &copy, line, (size_t)length);
        cairn_report_failed(g->out, status);
        if (status == CAIRN_OK) cairn_report_hidden_word(g->out, copy, "relation%zu", k + 1);
        cairn_free(copy);
        line += length + (line[length] == '\n');
    }
}

/* Weights of separable classes have no finite optimum, whatever is printed; the note names the
 * columns and what was done instead. */
static void show_separation(const page *g)
{
    const cairn_logistic_history *history = g->history;
    if (!history->separation) return;
    bool whole = history->separation == CAIRN_SEPARATION_COMPLETE;
    const char *columns = history->separators ? history->separators : "the intercept";
    bool several = strstr(columns, ", ");
    cairn_report_hidden_word(g->out, whole ? "complete" : "quasi-complete", "separation");
    cairn_report_hidden_word(g->out, columns, "separation.columns");
    cairn_report_note(g->out,
                      whole ? "The classes can be separated without an error by %s%s%s. The "
                              "likelihood then grows for ever as the weights grow: there are no "
                              "weights of maximum likelihood."
                            : "The classes can be separated up to rows on the boundary by %s%s%s "
                              "(quasi-complete separation). The likelihood then grows for ever "
                              "with their weights: there are no weights of maximum likelihood.",
                      several ? "a combination of " : "", columns, several ? "" : " alone");
    if (history->forced) {
        char strength[CAIRN_NUMBER_SIZE];
        cairn_number_format(strength, history->ridge, 6);
        cairn_report_note(g->out,
                          "A ridge of strength %s was used instead, of the weights times the "
                          "spreads of their columns. Choose a {lambda} (or {lambda cv}), or leave "
                          "the columns out that give the answer away; {if-separable stop} or fail "
                          "does otherwise.",
                          strength);
    } else
        cairn_report_note(g->out, "The weights below are those at which this was noticed; their "
                                  "size means nothing, so they have no standard errors, and there "
                                  "is no AIC, BIC or likelihood ratio test. Give a {lambda} for "
                                  "an optimum.");
}

/* Classes that have no weights of their own because they have no rows. */
static void note_absent(const page *g)
{
    size_t absent = g->m->n_classes - g->m->n_present;
    if (absent == 0) return;
    cairn_report_hidden(g->out, (double)absent, "classes.absent");
    cairn_report_note(g->out,
                      "%zu of the %zu classes ha%s no row to learn from; their probability is 0.",
                      absent, g->m->n_classes, absent == 1 ? "s" : "ve");
}

/* A solver that ended before it was done. */
static void note_unsettled(const page *g)
{
    const cairn_logistic_history *history = g->history;
    if (history->converged || (history->separation && !history->forced)) return;
    if (history->solver == CAIRN_LOGISTIC_ASCENT && history->accuracy == 1 &&
        history->penalty == CAIRN_PENALTY_NONE)
        cairn_report_note(g->out,
                          "Gradient ascent ended after %zu epochs with every training row on its "
                          "right side: the classes can be separated, the likelihood grows for ever "
                          "with the weights, and more epochs do not settle them. A {lambda} "
                          "gives an optimum.",
                          history->iterations);
    else if (history->solver == CAIRN_LOGISTIC_ASCENT)
        cairn_report_note(g->out,
                          "Gradient ascent ended after %zu epochs before it settled; more "
                          "{epochs}, another {eta}, or {with standardise} bring it nearer "
                          "to the optimum, {solver newton} finds it.",
                          history->iterations);
    else
        cairn_report_note(g->out,
                          "It did not converge in %zu iterations: the weights are not yet "
                          "those of the optimum. Raise {max-iter}, bring the columns to "
                          "one scale ({with standardise}), or give a larger {lambda}.",
                          history->iterations);
}

/* -- path -- */

static void open_page(page *g, cairn_report *out, const void *model, const cairn_job *job)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    *g = (page){.out = out, .m = model, .history = job->history, .job = job};
    g->params = job->params;
    g->buffer = cairn_text_start(cairn_report_context(out));
    g->names = &job->schema->fields[target].names;
    g->errors = g->history ? g->history->errors : NULL;
    g->sign = g->params->logit_sign && g->m->n_vectors == 1 ? -1 : 1;
    g->beyond = g->m->n_terms + 1;
}

/* The lines are named by term, and by class where there are several. */
static cairn_status draw_path(cairn_context *ctx, page *g, cairn_figure **out)
{
    const cairn_logistic_model *m = g->m;
    const cairn_logistic_history *history = g->history;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    size_t n = history->n_path * history->n_traced;
    const char **names;
    double *values;
    CHECK(SCRATCH(ctx, &names, history->n_traced + 1));
    CHECK(SCRATCH(ctx, &values, n + 1));
    for (size_t i = 0; i < n; i++) values[i] = g->sign * history->traces[i];
    for (size_t j = 0; j < history->n_traced; j++) {
        size_t t = (size_t)history->traced[j] / m->n_vectors,
               k = (size_t)history->traced[j] % m->n_vectors;
        label.length = 0;
        cairn_text_add(&label, term_name(g, t));
        if (m->n_vectors > 1) cairn_text_addf(&label, " (%s)", class_name(g, k));
        CHECK(cairn_text_status(&g->buffer));
        CHECK(cairn_text_status(&label));
        char *name;
        CHECK(SCRATCH_RAW(ctx, &name, label.length + 1));
        memcpy(name, cairn_text_string(&label), label.length + 1);
        names[j] = name;
    }
    cairn_path_lines lines = {.n = history->n_path, .n_lines = history->n_traced};
    lines.strengths = history->path_strengths;
    lines.values = values;
    lines.names = names;
    lines.title = "Weights over the strength of the penalty";
    lines.y_title = "weight";
    lines.used = history->ridge + history->lasso;
    return cairn_path_figure(ctx, out, &lines);
}

static cairn_status make_path(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    const cairn_logistic_history *history = job->history;
    page g;
    if (!history || history->n_path < 2 || !history->n_traced) return CAIRN_OK;
    open_page(&g, NULL, model, job);
    g.buffer = cairn_text_start(ctx);
    cairn_status status = draw_path(ctx, &g, out);
    cairn_text_clear(&g.buffer);
    return status;
}

static cairn_status make_validation(cairn_context *ctx, cairn_figure **out, const void *model,
                                    const cairn_job *job)
{
    const cairn_logistic_history *history = job->history;
    (void)model;
    if (!history || history->n_path < 2 || !history->path_held) return CAIRN_OK;
    cairn_validation_curve curve = {.n = history->n_path, .chosen = history->chosen};
    curve.strengths = history->path_strengths;
    curve.means = history->path_held;
    curve.errors = history->path_errors;
    curve.title = "Cross-entropy of held-out rows";
    curve.y_title = "cross-entropy per row";
    return cairn_validation_figure(ctx, out, &curve);
}

const cairn_model_figure cairn_logistic_figures[] = {
    {.name = "path", .make = make_path},
    {.name = "validation", .make = make_validation},
    {.name = NULL},
};

/* -- pictures -- */

static cairn_status draw_curve(cairn_context *ctx, const page *g)
{
    const cairn_logistic_history *history = g->history;
    cairn_figure *figure = NULL;
    double *x;
    CHECK(SCRATCH(ctx, &x, history->n_curve));
    for (size_t i = 0; i < history->n_curve; i++) x[i] = (double)i;
    bool ascent = history->solver == CAIRN_LOGISTIC_ASCENT;
    CHECK(cairn_figure_new(ctx, &figure, "training",
                           ascent ? "Cross-entropy per epoch" : "Cross-entropy per iteration"));
    cairn_figure_axes(figure, ascent ? "epoch" : "iteration", "cross-entropy E");
    cairn_figure_line(figure, NULL, x, history->curve, history->n_curve);
    cairn_report_page_figure(g->out, figure);
    return CAIRN_OK;
}

/* The probability over the only feature, with the rows at 0 and 1. */
static cairn_status draw_probability(cairn_context *ctx, page *g)
{
    const cairn_logistic_model *m = g->m;
    const cairn_logistic_history *history = g->history;
    double x[CURVE_PLACES], y[CURVE_PLACES], first = INFINITY, last = -INFINITY;
    double w = m->weights[0], w0 = m->weights[1];
    cairn_figure *figure = NULL;
    for (size_t i = 0; i < history->n_sample; i++) {
        first = fmin(first, history->inputs[i]);
        last = fmax(last, history->inputs[i]);
    }
    for (int i = 0; i < CURVE_PLACES; i++) {
        x[i] = first + (last - first) * i / (CURVE_PLACES - 1);
        y[i] = 1 / (1 + cairn_exp(-(w * x[i] + w0)));
    }
    CHECK(cairn_figure_new(ctx, &figure, "probability", "Rows and fitted probability"));
    g->buffer.length = 0;
    cairn_text_addf(&g->buffer, "P(%s)", class_name(g, 0));
    cairn_text name = cairn_text_start(ctx);
    cairn_figure_axes(figure, cairn_term_name(&name, g->job->schema, m->n_dense, 0),
                      cairn_text_string(&g->buffer));
    cairn_report_failed(g->out, cairn_text_status(&name));
    cairn_text_clear(&name);
    cairn_figure_points(figure, history->inputs, history->outcomes, NULL, history->n_sample, NULL,
                        0);
    cairn_figure_line(figure, "logistic regression", x, y, CURVE_PLACES);
    cairn_figure_rule_y(figure, NULL, 0.5);
    double at = w != 0 ? -w0 / w : NAN;
    if (at > first && at < last) cairn_figure_rule_x(figure, "boundary", at);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

/* How it came about: quality, way, path, pictures. */
static cairn_status show_history(cairn_context *ctx, page *g)
{
    const cairn_logistic_history *history = g->history;
    cairn_figure *figure = NULL;
    show_quality(g);
    show_way(g);
    show_checks(g);
    /* The chosen strength is marked; its held-out cross-entropy stands beside its error, since
     * neighbours within one error are as good. */
    if (history->n_path) {
        cairn_report_table_of(g->out, "Path of strengths", 1000, "rrr", "λ", "cross-entropy",
                              "weights other than 0");
        if (history->path_held) cairn_report_column(g->out, "held-out, per row", 'r');
        if (history->path_held) cairn_report_column(g->out, "its error", 'r');
        for (size_t i = 0; i < history->n_path; i++) {
            if (i == history->chosen) cairn_report_row_mark(g->out);
            cairn_report_prefix(g->out, "path%zu", i + 1);
            cairn_report_cells(g->out, "@.strength:5 @.cross_entropy:6 @.nonzero:8",
                               history->path_strengths[i], history->path_losses[i],
                               history->path_sizes[i]);
            if (!history->path_held) continue;
            cairn_report_cell_number(g->out, history->path_held[i], 6, "path%zu.held_out", i + 1);
            cairn_report_cell_number(g->out, history->path_errors[i], 3, "path%zu.error", i + 1);
        }
        cairn_report_table_end(g->out);
        if (history->chosen < history->n_path)
            cairn_report_value(g->out, "chosen by cross-validation: λ",
                               history->path_strengths[history->chosen], "path.chosen");
    }
    cairn_describe_figure(g->out, make_path(ctx, &figure, g->m, g->job), &figure, false);
    cairn_describe_figure(g->out, make_validation(ctx, &figure, g->m, g->job), &figure, false);
    if (history->n_sample > 1) CHECK(draw_probability(ctx, g));
    return history->n_curve > 2 ? draw_curve(ctx, g) : CAIRN_OK;
}

void cairn_logistic_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || cairn_schema_role(job->schema, CAIRN_TARGET) < 0) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    page g;
    cairn_status status = CAIRN_OK;
    open_page(&g, out, model, job);
    cairn_report_heading(out, 2,
                         g.m->n_vectors == 1 ? "Logistic regression" : "Softmax regression");
    if (g.history) show_separation(&g);
    if (g.history) show_relations(&g);
    note_absent(&g);
    if (g.history) note_unsettled(&g);
    show_equations(&g);
    TRY(show_weights(ctx, &g));
    if (g.m->n_present == 2) cairn_class_planes_show_place(out, g.m);
    cairn_class_planes_show_raw(out, model, job);
    explain_weights(&g);
    note_class_weights(&g);
    note_beyond(&g);
    if (g.history) TRY(show_history(ctx, &g));
    TRY(cairn_text_status(&g.buffer));
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&g.buffer);
    cairn_scratch_release(ctx, mark);
}

/* -- reasons -- */

/* The row's terms that are not 0. */
static size_t row_terms(const cairn_logistic_model *m, const cairn_view *view, size_t i,
                        size_t *terms, double *values, const char **names)
{
    size_t row = cairn_view_row(view, i), n = 0, dense = 0, start = m->n_dense;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        if (column->kind != CAIRN_BAG) {
            terms[n] = dense++;
            names[n] = view->names[j];
            values[n++] = column->numbers[row];
            continue;
        }
        for (size_t e = column->starts[row]; e < column->starts[row + 1]; e++) {
            terms[n] = start + (size_t)column->items[e];
            values[n] = column->amounts ? column->amounts[e] : 1;
            n += terms[n] < m->n_terms;
        }
        start += column->names.n;
    }
    return n;
}

/* Scores of all classes that occur; the pinned one has 0. */
static void row_scores(const cairn_logistic_model *m, const size_t *terms, const double *values,
                       size_t n, double *scores)
{
    for (size_t k = 0; k < m->n_vectors; k++) {
        scores[k] = m->weights[m->n_terms * m->n_vectors + k];
        for (size_t e = 0; e < n; e++)
            scores[k] += values[e] * m->weights[terms[e] * m->n_vectors + k];
    }
    if (m->pinned) scores[m->n_vectors] = 0;
}

/* Weight of term t for class k; the pinned class has none. */
static double class_weight(const cairn_logistic_model *m, size_t t, size_t k)
{
    return k < m->n_vectors ? m->weights[t * m->n_vectors + k] : 0;
}

/* `names` has those of the number columns. */
static void show_contributions(cairn_context *ctx, page *g, size_t n, const size_t *terms,
                               const double *values, const char **names, size_t best, size_t next)
{
    const cairn_logistic_model *m = g->m;
    double *weights, *centres = NULL;
    cairn_status status;
    TRY(SCRATCH(ctx, &weights, n + 1));
    if (g->job->means) TRY(SCRATCH(ctx, &centres, n + 1));
    for (size_t e = 0; e < n; e++) {
        if (centres && terms[e] < m->n_dense) centres[e] = g->job->means[terms[e]];
        weights[e] = class_weight(m, terms[e], best) - class_weight(m, terms[e], next);
        if (terms[e] < m->n_dense) continue;
        names[e] = term_name(g, terms[e]);
        char *copy; /* the name lies in the room */
        size_t length = strlen(names[e]);
        TRY(SCRATCH(ctx, &copy, length + 1));
        memcpy(copy, names[e], length);
        names[e] = copy;
    }
    cairn_report_paragraph(g->out,
                           "Why '%s' and not '%s': what is added to the logarithm of their "
                           "odds.",
                           class_name(g, best), class_name(g, next));
    double constant = class_weight(m, m->n_terms, best) - class_weight(m, m->n_terms, next);
    cairn_explain_terms(g->out, g->job,
                        &(cairn_sum_terms){names, weights, values, centres, n, constant});
done:
    cairn_report_failed(g->out, status);
}

void cairn_logistic_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_logistic_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || cairn_schema_role(job->schema, CAIRN_TARGET) < 0) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    page g;
    size_t *terms, best = 0, next = 1;
    double *values, *scores, sum = 0;
    const char **names;
    cairn_status status;
    open_page(&g, out, model, job);
    TRY(SCRATCH_EACH(ctx, m->n_terms + 1, &terms, &names, &values));
    TRY(SCRATCH(ctx, &scores, m->n_present + 1));
    size_t n = row_terms(m, job->view, row, terms, values, names);
    row_scores(m, terms, values, n, scores);
    if (scores[1] > scores[0]) best = 1, next = 0;
    for (size_t k = 2; k < m->n_present; k++)
        if (scores[k] > scores[best])
            next = best, best = k;
        else if (scores[k] > scores[next])
            next = k;
    for (size_t k = 0; k < m->n_present; k++) sum += cairn_exp(scores[k] - scores[best]);
    show_contributions(ctx, &g, n, terms, values, names, best, next);
    cairn_report_value(out, "probability", 1 / sum, "probability");
    cairn_report_hidden(out, cairn_exp(scores[next] - scores[best]) / sum, "probability.next");
    TRY(cairn_text_status(&g.buffer));
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&g.buffer);
    cairn_scratch_release(ctx, mark);
}
