/* SPDX-License-Identifier: MIT */
/* Support vector machines: what can be set, and the record.
 *
 * Problem, for classes y = ±1: minimise |w|²/2 + C Σ ξ_i where y_i f(x_i) >= 1 - ξ_i and ξ_i >= 0,
 * with f(x) = w·φ(x) + b; for numbers ξ_i is how far y_i is from f(x_i) beyond epsilon. The dual
 * problem knows the rows by their kernel values only: solve/pairs.h. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "decompose/linalg.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"
#include "learners/kernel/svm_fit.h"
#include "learners/linear/weights.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "solve/dual_rows.h"
#include "stats/class_weights.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Support vector machines of a given matrix: whether it can be one of kernel values. */

enum { MOST_EIGEN = 3000 };
#define ROUNDING 1e-8

static double value_of(const cairn_kernel_rows *rows, size_t i, size_t j)
{
    return rows->dense[i * rows->n_terms + (size_t)rows->columns[j]];
}

/* The matrix whose eigenvalues are wanted; n = 0 where none are. */
static cairn_status copy_matrix(cairn_context *ctx, const cairn_svm_fitting *f, double **out,
                                size_t *n)
{
    const cairn_kernel_rows *rows = &f->rows;
    bool given = rows->layout == CAIRN_KERNEL_VALUES;
    bool sigmoid = !given && cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_SIGMOID;
    *n = (given && rows->n <= MOST_EIGEN) || (sigmoid && rows->n <= CAIRN_SVM_EXACT) ? rows->n : 0;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(*n, *n) + 1));
    if (sigmoid && *n) return cairn_kernel_gram(ctx, &f->kernel, rows, false, *out);
    for (size_t i = 0; i < *n; i++)
        for (size_t j = 0; j < *n; j++) (*out)[i * *n + j] = value_of(rows, i, j);
    return CAIRN_OK;
}

cairn_status cairn_svm_check_gram(cairn_context *ctx, cairn_svm_fitting *f)
{
    size_t n;
    double *copy, *values;
    char least[CAIRN_NUMBER_SIZE], most[CAIRN_NUMBER_SIZE];
    SCOPED_SCRATCH(ctx);
    CHECK(copy_matrix(ctx, f, &copy, &n));
    if (n == 0) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &values, n));
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, n));
    if (values[n - 1] >= -ROUNDING * fmax(fabs(values[0]), fabs(values[n - 1]))) return CAIRN_OK;
    f->least_eigenvalue = values[n - 1];
    cairn_number_format(least, values[n - 1], 6);
    cairn_number_format(most, values[0], 6);
    if (f->rows.layout != CAIRN_KERNEL_VALUES || f->params->go_on) {
        cairn_warn(ctx,
                   "svm: the matrix of kernel values is not positive semidefinite: its eigenvalues "
                   "go from %s to %s, so that the problem is not convex; what is found fulfils the "
                   "conditions, but there may be other solutions, and the two objectives need not "
                   "meet",
                   least, most);
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the matrix is not positive semidefinite: its smallest eigenvalue is %s, so "
                      "it holds the values of no kernel and the problem may have no single "
                      "solution; mend it, or give {go-on}",
                      least);
}

/* Support vector machines as a program: the scores of the machines, then what they say together. */

/* Weights of the linear kernel lie term by term. */
static cairn_status lower_linear(const cairn_svm_model *m, cairn_program *p, int32_t *out)
{
    size_t n, k = m->n_machines;
    double *weights;
    int32_t *in;
    CHECK(cairn_program_terms(p, &in, &n));
    if (n != m->n_terms)
        return cairn_program_refuse(p, "its columns are not those it has weights for");
    CHECK(SCRATCH(p->ctx, &weights, cairn_product(n, k) + 1));
    for (size_t s = 0; s < k; s++)
        for (size_t t = 0; t < n; t++) weights[s * n + t] = m->weights[t * k + s];
    return cairn_lower_affine(p, in, n, k, m->weights + n * k, weights, NULL, out);
}

/* svm_lower.c */
static cairn_status cairn_svm_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_svm_model *m = model;
    int32_t first = 0, *in;
    (void)job;
    if (m->task == CAIRN_CLASSIFY && (m->n_present < 2 || (m->n_machines == 1 && m->n_classes > 2)))
        return cairn_program_refuse(out, "some class had no training row");
    if (m->weights)
        CHECK(lower_linear(m, out, &first));
    else
        CHECK(cairn_kernel_lower(out, &m->kernel, &m->vectors, m->betas, m->n_machines,
                                 m->constants, &first));
    if (m->task == CAIRN_REGRESS) {
        out->answer.number = first;
        return CAIRN_OK;
    }
    if (m->n_machines == 1) return cairn_kernel_lower_classes(out, first, 1, m->plus[0]);
    CHECK(SCRATCH(out->ctx, &in, m->n_machines));
    for (size_t k = 0; k < m->n_machines; k++) in[k] = first + (int32_t)k;
    if (m->minus[0] >= 0) {
        cairn_operation *op;
        int32_t *present;
        CHECK(cairn_program_add(out, CAIRN_OP_VOTES, in, m->n_machines, m->n_classes, &op));
        cairn_op_work(out, op, m->n_classes);
        CHECK(cairn_op_copy_codes(out, op, 0, m->plus, m->n_machines));
        CHECK(cairn_op_copy_codes(out, op, 1, m->minus, m->n_machines));
        CHECK(cairn_op_codes(out, op, 2, m->n_classes, &present));
        for (size_t c = 0; c < m->n_present; c++) present[m->classes[c]] = 1;
        out->answer.scores = op->out;
        return CAIRN_OK;
    }
    if (m->n_present != m->n_classes)
        return cairn_program_refuse(out, "some class had no training row");
    /* One machine for every class: each has its own score. */
    double *places, *zeros;
    size_t k = m->n_machines;
    CHECK(SCRATCH(out->ctx, &places, cairn_product(m->n_classes, k) + 1));
    CHECK(SCRATCH(out->ctx, &zeros, m->n_classes + 1));
    for (size_t s = 0; s < k; s++) places[(size_t)m->plus[s] * k + s] = 1;
    return cairn_lower_affine(out, in, k, m->n_classes, zeros, places, NULL, &out->answer.scores);
}

/* Why a support vector machine answers as it does: the terms of its score, of the columns where the
 * kernel is linear, else of the support vectors; of several machines their scores and votes. */

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "the rest" : cairn_schema_class(job->schema, code);
}

/* The training rows that the support vectors of the only machine are, from 0, where the history
 * knows them; else NULL. */
static cairn_status vector_rows(cairn_context *ctx, uint32_t **out, const cairn_svm_model *m,
                                const cairn_job *job)
{
    const cairn_svm_history *history = job->history;
    size_t n = 0;
    *out = NULL;
    if (!history || history->n_machines != 1 || !history->machines[0].rows) return CAIRN_OK;
    const cairn_svm_machine *one = &history->machines[0];
    uint32_t *rows;
    CHECK(SCRATCH(ctx, &rows, m->vectors.n + 1));
    for (size_t i = 0; i < one->n; i++) {
        size_t at = n;
        if (one->betas[i] == 0) continue;
        if (n++ == m->vectors.n) return CAIRN_OK; /* a history of another model */
        for (; at > 0 && rows[at - 1] > (uint32_t)one->rows[i]; at--) rows[at] = rows[at - 1];
        rows[at] = (uint32_t)one->rows[i];
    }
    if (n == m->vectors.n) *out = rows;
    return CAIRN_OK;
}

/* The only machine: what its score says, and the terms that it is the sum of. */
static cairn_status explain_one(cairn_context *ctx, cairn_report *out, const cairn_svm_model *m,
                                const cairn_job *job, size_t row)
{
    double *weights;
    uint32_t *rows;
    if (m->task == CAIRN_CLASSIFY)
        cairn_report_paragraph(out, "A score of 0 or more is class %s, one below is %s.",
                               class_name(job, m->plus[0]), class_name(job, m->minus[0]));
    if (!m->weights) {
        CHECK(vector_rows(ctx, &rows, m, job));
        cairn_kernel_explain_score(out, &m->kernel, &m->vectors, m->betas, m->constants[0], rows,
                                   job, row);
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &weights, m->n_terms + 1));
    for (size_t t = 0; t < m->n_terms; t++) weights[t] = m->weights[t];
    cairn_linear_explain_row(out, job, row, weights, m->constants[0], m->n_terms);
    return CAIRN_OK;
}

/* Scores of all machines, and whom each of them votes for. */
static cairn_status explain_votes(cairn_context *ctx, cairn_report *out, const cairn_svm_model *m,
                                  const cairn_job *job, size_t row)
{
    uint32_t at = (uint32_t)cairn_view_row(job->view, row);
    cairn_view one = *job->view;
    double *scores, *votes;
    bool pairs = m->minus[0] >= 0;
    one.rows = (cairn_rows){.indices = &at, .n = 1};
    CHECK(SCRATCH(ctx, &scores, m->n_machines));
    CHECK(SCRATCH(ctx, &votes, m->n_classes));
    CHECK(cairn_svm_scores(ctx, m, &one, scores));
    cairn_report_table_of(out, "Machines", 0, "llrl", "class", "against", "score",
                          pairs ? "vote" : "");
    for (size_t k = 0; k < m->n_machines; k++) {
        int32_t choice = scores[k] >= 0 ? m->plus[k] : m->minus[k];
        cairn_report_prefix(out, "machine%zu", k + 1);
        cairn_report_cells(out, "- - @.score", class_name(job, m->plus[k]),
                           class_name(job, m->minus[k]), scores[k], class_name(job, choice));
        if (choice >= 0) votes[choice]++;
    }
    cairn_report_table_end(out);
    if (!pairs) return CAIRN_OK;
    cairn_report_table_of(out, "Votes", 0, "lr", "class", "votes");
    for (size_t c = 0; c < m->n_present; c++) {
        const char *name = class_name(job, m->classes[c]);
        cairn_report_cells(out, "- votes.$1", name, votes[m->classes[c]]);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* svm_explain.c */
static void cairn_svm_explain(cairn_report *out, const void *model, const cairn_job *job,
                              size_t row)
{
    const cairn_svm_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    if (m->n_machines == 0)
        cairn_report_paragraph(out, "There was one class only; every row gets it.");
    else
        cairn_report_failed(out, m->n_machines == 1 ? explain_one(ctx, out, m, job, row)
                                                    : explain_votes(ctx, out, m, job, row));
}

/* Support vector machines in the model file: the machines, and the history of them. */

enum { MOST_CLASSES = 1 << 20, MOST_MACHINES = 1 << 28 };

static cairn_status check_code(cairn_archive *a, const cairn_svm_model *m, int32_t code, bool rest)
{
    if (code >= (rest ? -1 : 0) && code < (int32_t)m->n_classes) return CAIRN_OK;
    return cairn_archive_damaged(a, "class %d is not a class", code);
}

/* Which classes the machines tell apart; with one class there is no machine. */
static cairn_status archive_classes(cairn_archive *a, cairn_svm_model *m)
{
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, MOST_CLASSES));
    CHECK(cairn_archive_size(a, "n_present", &m->n_present, m->n_classes));
    CHECK(cairn_archive_size(a, "n_machines", &m->n_machines, MOST_MACHINES));
    CHECK(cairn_archive_ints(a, "classes", &m->classes, m->n_present));
    CHECK(cairn_archive_ints(a, "plus", &m->plus, m->n_classes ? m->n_machines : 0));
    CHECK(cairn_archive_ints(a, "minus", &m->minus, m->n_classes ? m->n_machines : 0));
    for (size_t c = 0; c < m->n_present; c++) CHECK(check_code(a, m, m->classes[c], false));
    for (size_t k = 0; m->n_classes && k < m->n_machines; k++) {
        CHECK(check_code(a, m, m->plus[k], false));
        CHECK(check_code(a, m, m->minus[k], true));
        if ((m->minus[k] < 0) != (m->minus[0] < 0))
            CHECK(cairn_archive_damaged(a, "the machines disagree about what they tell apart"));
    }
    if (m->n_machines == 1 && m->n_present > 1 && m->minus[0] < 0)
        return cairn_archive_damaged(a, "one machine cannot tell %zu classes from the rest",
                                     m->n_present);
    return CAIRN_OK;
}

/* Weights stand in the file only for a linear kernel; other models answer from their vectors. */
static cairn_status cairn_svm_archive(cairn_archive *a, void *model)
{
    cairn_svm_model *m = model;
    int32_t task = (int32_t)m->task;
    bool linear = m->weights != NULL;
    CHECK(cairn_archive_int(a, "task", &task));
    if (task != CAIRN_CLASSIFY && task != CAIRN_REGRESS)
        CHECK(cairn_archive_damaged(a, "it neither classifies nor predicts numbers"));
    m->task = (cairn_task)task;
    CHECK(archive_classes(a, m));
    CHECK(cairn_archive_size(a, "n_terms", &m->n_terms, UINT32_MAX));
    CHECK(cairn_kernel_archive(a, &m->kernel));
    CHECK(cairn_kernel_rows_archive(a, &m->kernel, &m->vectors));
    CHECK(cairn_archive_reals(a, "betas", &m->betas, cairn_product(m->n_machines, m->vectors.n)));
    CHECK(cairn_archive_reals(a, "constants", &m->constants, m->n_machines));
    CHECK(cairn_archive_bool(a, "linear", &linear));
    if (!linear) return CAIRN_OK;
    return cairn_archive_reals(a, "weights", &m->weights,
                               cairn_product(m->n_terms + 1, m->n_machines));
}

/* Whether the machines fit the task and the target, and the vectors the columns. */
static cairn_status cairn_svm_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    bool classes = job->task == CAIRN_CLASSIFY;
    if (m->task != job->task || (classes && m->n_classes != job->n_classes))
        return cairn_archive_damaged(a, "the machines were made for another target");
    if (classes ? m->n_present == 0 || (m->n_present > 1 && !m->n_machines)
                : m->n_machines != 1 || m->n_classes)
        return cairn_archive_damaged(a, "there are %zu machines", m->n_machines);
    if (m->weights) CHECK(cairn_terms_check(a, job->schema, m->n_terms));
    if (m->weights && !m->vectors.n) return CAIRN_OK;
    return m->n_machines ? cairn_kernel_rows_check(a, job, &m->vectors) : CAIRN_OK;
}

static void cairn_svm_clear(void *model)
{
    cairn_svm_model *m = model;
    FREE_EACH(m->classes, m->plus, m->minus);
    cairn_kernel_rows_clear(&m->vectors);
    FREE_EACH(m->betas, m->constants, m->weights);
    *m = (cairn_svm_model){0};
}

/* -- the history -- */

/* Rows are kept for reports of small machines alone; a file that claims more than are shown is
 * damaged. */
static cairn_status archive_rows(cairn_archive *a, cairn_svm_machine *one)
{
    bool rows = one->rows != NULL;
    CHECK(cairn_archive_bool(a, "has_rows", &rows));
    if (!rows) return CAIRN_OK;
    if (one->n > CAIRN_SVM_SHOWN) CHECK(cairn_archive_damaged(a, "it keeps too many rows"));
    CHECK(cairn_archive_ints(a, "rows", &one->rows, one->n));
    for (size_t i = 0; i < one->n; i++)
        if (one->rows[i] < 0 || one->rows[i] == INT32_MAX)
            CHECK(cairn_archive_damaged(a, "it keeps a row that is none"));
    CHECK(cairn_archive_reals(a, "targets", &one->targets, one->n));
    CHECK(cairn_archive_reals(a, "row_betas", &one->betas, one->n));
    CHECK(cairn_archive_reals(a, "scores", &one->scores, one->n));
    CHECK(cairn_archive_reals(a, "bounds", &one->bounds, one->n));
    CHECK(cairn_archive_size(a, "n_coordinates", &one->n_coordinates, 2));
    if (!one->n_coordinates) return CAIRN_OK;
    return cairn_archive_reals(a, "points", &one->points,
                               cairn_product(one->n, one->n_coordinates));
}

static cairn_status archive_machine(cairn_archive *a, cairn_svm_machine *one)
{
    CHECK(cairn_archive_size(a, "n", &one->n, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_vectors", &one->n_vectors, one->n));
    CHECK(cairn_archive_size(a, "n_bound", &one->n_bound, one->n));
    CHECK(cairn_archive_size(a, "n_free", &one->n_free, 2 * one->n));
    CHECK(cairn_archive_real(a, "value", &one->value));
    CHECK(cairn_archive_real(a, "gap", &one->gap));
    CHECK(cairn_archive_real(a, "top", &one->top));
    CHECK(cairn_archive_real(a, "bottom", &one->bottom));
    CHECK(cairn_archive_real(a, "rho", &one->rho));
    CHECK(cairn_archive_size(a, "steps", &one->steps, SIZE_MAX));
    CHECK(cairn_archive_bool(a, "converged", &one->converged));
    if (cairn_archive_version(a) >= 17)
        CHECK(cairn_archive_bool(a, "indefinite", &one->indefinite));
    return archive_rows(a, one);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_svm_history *history = data;
    CHECK(cairn_archive_size(a, "n_told", &history->n_machines,
                             ((const cairn_svm_model *)model)->n_machines));
    if (cairn_archive_reading(a))
        CHECK(NEW(cairn_archive_context(a), &history->machines, history->n_machines));
    for (size_t k = 0; k < history->n_machines; k++)
        CHECK(archive_machine(a, &history->machines[k]));
    return CAIRN_OK;
}

static void clear_history(void *data)
{
    cairn_svm_history *history = data;
    for (size_t k = 0; history->machines && k < history->n_machines; k++) {
        cairn_svm_machine *one = &history->machines[k];
        FREE_EACH(one->rows, one->targets, one->betas, one->scores, one->bounds, one->points);
    }
    cairn_free(history->machines);
    *history = (cairn_svm_history){0};
}

const cairn_history cairn_svm_story = {.size = sizeof(cairn_svm_history),
                                       .archive = archive_history,
                                       .clear = clear_history,
                                       .reports = 0};

/* Linear support vector machines of many rows: eight machines at a time, row by row. The constant
 * is the weight of a column of ones. */

/* Epochs at most: so many visits of rows, but not fewer than these. */
enum { MOST_VISITS = 20000000, LEAST_EPOCHS = 1000 };

typedef struct linear_fit {
    cairn_svm_fitting *f;
    cairn_svm_model *m;
    cairn_sparse_rows rows;
    double *costs; /* n */
    bool fine;     /* no tolerance was given, and the rows are few */
} linear_fit;

/* What is not 0 in the rows, and a 1 behind it. */
static cairn_status read_rows(cairn_context *ctx, linear_fit *l)
{
    const cairn_svm_fitting *f = l->f;
    cairn_view part = *f->job->view;
    cairn_row_matrix x;
    size_t *terms, buffer = 0, at = 0;
    double *values;
    part.rows = (cairn_rows){.indices = f->places, .n = f->n};
    CHECK(cairn_matrix_open(ctx, &x, &part, &(cairn_matrix_options){.apart = true}));
    CHECK(SCRATCH_RAW_EACH(ctx, x.n_terms + 1, &terms, &values));
    CHECK(SCRATCH_RAW(ctx, &l->rows.starts, f->n + 1));
    for (size_t i = 0; i < f->n; i++) buffer += cairn_matrix_entries(&x, i, terms, values) + 1;
    CHECK(SCRATCH_RAW_EACH(ctx, buffer + 1, &l->rows.items, &l->rows.values));
    for (size_t i = 0; i < f->n; i++) {
        size_t n = cairn_matrix_entries(&x, i, terms, values);
        double square = 0;
        l->rows.starts[i] = at;
        terms[n] = x.n_terms, values[n] = 1;
        for (size_t e = 0; e <= n; e++, at++) {
            l->rows.items[at] = (int32_t)terms[e];
            l->rows.values[at] = values[e];
            square += values[e] * values[e];
        }
        if (!isfinite(square)) return cairn_matrix_refuse(ctx, &x, NULL);
    }
    l->rows.starts[f->n] = at;
    l->rows.n = f->n;
    l->rows.n_terms = x.n_terms + 1;
    l->m->n_terms = x.n_terms;
    return CAIRN_OK;
}

/* The side of every row in the machines first .. first + n - 1. */
static void set_signs(const cairn_svm_fitting *f, size_t first, size_t n, int8_t *signs)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t l = 0; l < n; l++) {
            int32_t plus = f->plus[first + l], minus = f->minus[first + l], code = f->codes[i];
            signs[i * CAIRN_LANES + l] = code == plus ? 1 : minus < 0 || code == minus ? -1 : 0;
        }
}

/* Both objectives of machine k of the lanes and the conditions of its rows, from rows, weights and
 * multipliers alone; the constant counts in |w|. */
static cairn_status prove(cairn_context *ctx, const cairn_dual_rows *d, size_t k,
                          const cairn_quad *exact, cairn_svm_proof *out, double *allowed)
{
    const cairn_sparse_rows *x = d->rows;
    long double primal = 0, dual = 0, left = 0, buffer = 0, largest = 0, *sums;
    cairn_quad *exact_sums;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &sums, x->n_terms + 1));
    CHECK(SCRATCH(ctx, &exact_sums, exact ? x->n_terms + 1 : 1));
    out->rounded = 0;
    for (size_t i = 0; i < x->n; i++) largest = fmaxl(largest, d->alphas[i * CAIRN_LANES + k]);
    for (size_t i = 0; i < x->n; i++) {
        double y = d->signs[i * CAIRN_LANES + k], alpha = d->alphas[i * CAIRN_LANES + k];
        double c = d->costs[i], size = 0;
        long double over = 1;
        if (y == 0) continue;
        for (size_t e = x->starts[i]; e < x->starts[i + 1]; e++) {
            double term = d->weights[(size_t)x->items[e] * CAIRN_LANES + k] * x->values[e];
            sums[x->items[e]] += (long double)alpha * y * x->values[e];
            if (exact) exact_sums[x->items[e]] += exact[i] * x->values[e];
            over -=
                (long double)y * d->weights[(size_t)x->items[e] * CAIRN_LANES + k] * x->values[e];
            size += fabs(term);
        }
        out->rounded = fmax(out->rounded, 4 * DBL_EPSILON * size);
        long double slack = fmaxl(over, 0), wanted = 2 * c * slack;
        primal += d->squared ? c * slack * slack : c * slack;
        dual += d->squared ? alpha - (long double)alpha * alpha / (4 * c) : alpha;
        buffer += d->squared ? fmaxl(alpha, wanted) : over < 0 ? alpha : c - alpha;
        left = fmaxl(left, d->squared ? fminl(fabsl(alpha - wanted) / (largest + c),
                                              fabsl(slack - alpha / (2 * c)))
                           : over < 0 ? fminl(alpha / (largest + DBL_MIN), -over)
                                      : fminl((c - alpha) / c, over));
        if (alpha < 0 || (!d->squared && alpha > c)) left = INFINITY;
    }
    for (size_t t = 0; t < x->n_terms; t++) {
        long double w = d->weights[t * CAIRN_LANES + k], v = exact ? exact_sums[t] : sums[t];
        primal += w * w / 2;
        dual -= v * v / 2;
    }
    *allowed = (double)(buffer * d->tolerance / primal);
    out->primal = (double)primal, out->dual = (double)dual;
    out->whole = (double)primal;
    out->gap = (double)(fabsl(primal - dual) / primal);
    out->conditions = (double)left;
    return CAIRN_OK;
}

/* A machine of few rows as a problem of svm_exact.c: its first point takes what β add up to. */
static cairn_status open_few(cairn_context *ctx, const cairn_dual_rows *d, size_t k,
                             cairn_svm_problem *m, double **points)
{
    const cairn_sparse_rows *x = d->rows;
    m->n = 1;
    CHECK(SCRATCH(ctx, &m->which, x->n + 1));
    for (size_t i = 0; i < x->n; i++)
        if (d->signs[i * CAIRN_LANES + k]) m->which[m->n++] = (uint32_t)i;
    CHECK(SCRATCH_EACH(ctx, m->n, &m->targets, &m->bounds, &m->betas, &m->rest));
    CHECK(SCRATCH(ctx, &m->weights, x->n_terms));
    CHECK(SCRATCH(ctx, points, cairn_product(m->n, x->n_terms)));
    m->bounds[0] = INFINITY;
    for (size_t r = 1; r < m->n; r++) {
        size_t i = m->which[r];
        m->targets[r] = d->signs[i * CAIRN_LANES + k];
        m->bounds[r] = d->costs[i];
        for (size_t e = x->starts[i]; e < x->starts[i + 1]; e++)
            (*points)[r * x->n_terms + (size_t)x->items[e]] = x->values[e];
    }
    return CAIRN_OK;
}

static bool is_proved(const cairn_svm_proof *proof)
{
    return proof->gap <= CAIRN_SVM_ROUNDING && proof->conditions <= CAIRN_SVM_ROUNDING;
}

/* Machines of few rows that row after row came to no end are finished by an active set; where
 * rounding of the scores costs too much, by one that keeps clear of the margin. Rows that are seen
 * once are not: what one pass leaves is what was asked for. */
static cairn_status finish_few(cairn_context *ctx, const linear_fit *l, cairn_dual_rows *d,
                               size_t k, cairn_svm_proof *proof)
{
    const cairn_sparse_rows *x = d->rows;
    double *points, allowed;
    cairn_quad *exact;
    cairn_svm_problem m = {.n = 0};
    if (!l->fine || d->protocol == CAIRN_PROTOCOL_ONLINE || is_proved(proof) ||
        x->n >= CAIRN_SVM_EXACT_MOST || x->n_terms > CAIRN_SVM_EXACT_MOST)
        return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(open_few(ctx, d, k, &m, &points));
    CHECK(SCRATCH(ctx, &exact, x->n + 1));
    for (int round = 0; round < 2 && !is_proved(proof); round++) {
        double clear = round && !d->squared ? proof->rounded : 0;
        memset(m.betas, 0, m.n * sizeof *m.betas);
        CHECK(cairn_svm_finish_rows(ctx, l->f, &m, points, x->n_terms, clear));
        for (size_t r = 1; r < m.n; r++) {
            d->alphas[m.which[r] * CAIRN_LANES + k] = m.targets[r] * m.betas[r];
            exact[m.which[r]] = m.exact[r];
        }
        for (size_t t = 0; t < x->n_terms; t++) d->weights[t * CAIRN_LANES + k] = m.weights[t];
        CHECK(prove(ctx, d, k, exact, proof, &allowed));
        d->gaps[k] = 0;
        d->converged[k] = true;
    }
    return CAIRN_OK;
}

/* The weights of some machines, and what is told of them. */
static cairn_status take(cairn_context *ctx, linear_fit *l, cairn_dual_rows *d, size_t first)
{
    size_t count = l->f->n_machines;
    for (size_t k = 0; k < d->n_lanes; k++) {
        cairn_svm_problem *one = &l->f->machines[first + k];
        cairn_svm_machine *reported = &one->reported;
        double allowed;
        CHECK(prove(ctx, d, k, NULL, &one->proof, &allowed));
        CHECK(finish_few(ctx, l, d, k, &one->proof));
        one->proof.bound = fmax(CAIRN_SVM_ROUNDING, 2 * d->tolerance);
        one->proof.gap_bound = fmax(CAIRN_SVM_ROUNDING, l->fine ? 0 : allowed);
        one->limited = !d->converged[k] || one->proof.gap > one->proof.gap_bound;
        for (size_t t = 0; t < l->rows.n_terms; t++)
            l->m->weights[t * count + first + k] = d->weights[t * CAIRN_LANES + k];
        one->constant = d->weights[(l->rows.n_terms - 1) * CAIRN_LANES + k];
        reported->top = reported->bottom = one->constant;
        reported->value = -one->proof.dual;
        reported->gap = d->gaps[k];
        reported->steps = d->epochs[k];
        reported->converged = !one->limited;
        reported->rho = 1;
        for (size_t i = 0; i < l->rows.n; i++) {
            double alpha = d->alphas[i * CAIRN_LANES + k];
            bool bound = !d->squared && alpha >= d->costs[i];
            reported->n += d->signs[i * CAIRN_LANES + k] != 0;
            reported->n_vectors += alpha > 0;
            reported->n_bound += alpha > 0 && bound;
            reported->n_free += alpha > 0 && !bound;
        }
    }
    return CAIRN_OK;
}

/* Eight machines. */
static cairn_status fit_lanes(cairn_context *ctx, void *data, size_t group)
{
    linear_fit *l = data;
    const cairn_svm_params *p = l->f->params;
    size_t first = group * CAIRN_LANES, left = l->f->n_machines - first;
    int8_t *signs;
    SCOPED_SCRATCH(ctx);
    cairn_dual_rows d = {.what = "svm",
                         .rows = &l->rows,
                         .costs = l->costs,
                         .squared = p->loss == CAIRN_SVM_SQUARED,
                         .protocol = (cairn_protocol)p->protocol,
                         .tolerance = l->fine ? 1e-10 : cairn_svm_tolerance(p, l->rows.n)};
    d.n_lanes = left < CAIRN_LANES ? left : CAIRN_LANES;
    d.most =
        MOST_VISITS / (l->rows.n + 1) > LEAST_EPOCHS ? MOST_VISITS / (l->rows.n + 1) : LEAST_EPOCHS;
    if (d.most > (size_t)p->max_iter) d.most = (size_t)p->max_iter;
    CHECK(SCRATCH(ctx, &signs, cairn_product(l->rows.n, CAIRN_LANES) + 1));
    CHECK(SCRATCH_RAW(ctx, &d.alphas, cairn_product(l->rows.n, CAIRN_LANES) + 1));
    CHECK(SCRATCH_RAW(ctx, &d.weights, cairn_product(l->rows.n_terms, CAIRN_LANES) + 1));
    set_signs(l->f, first, d.n_lanes, signs);
    d.signs = signs;
    CHECK(cairn_dual_rows_solve(ctx, &d, 0));
    return take(ctx, l, &d, first);
}

cairn_status cairn_svm_fit_linear(cairn_context *ctx, cairn_svm_model *model, cairn_svm_fitting *f)
{
    linear_fit l = {.f = f, .m = model};
    l.fine = f->params->tolerance == 0 && f->n <= CAIRN_SVM_FINE;
    CHECK(read_rows(ctx, &l));
    CHECK(SCRATCH_RAW(ctx, &l.costs, f->n + 1));
    for (size_t i = 0; i < f->n; i++) l.costs[i] = f->params->c * f->weights[i];
    CHECK(NEW(ctx, &model->weights, cairn_product(l.rows.n_terms, f->n_machines) + 1));
    return cairn_tasks(ctx, cairn_block_count(f->n_machines, CAIRN_LANES), fit_lanes, &l);
}

static const cairn_choice types[] = {
    {"c", CAIRN_SVM_C, "the errors cost C; numbers: beyond epsilon"},
    {"nu", CAIRN_SVM_NU,
     "nu bounds the share of errors from above and of support vectors from below"},
    {"one-class", CAIRN_SVM_ONE_CLASS,
     "a target of one class, or none: rows that are unlike it are rejected, in training about the "
     "share nu"},
    {0},
};
static const cairn_choice schemes[] = {
    {"pairs", CAIRN_SVM_PAIRS, "a machine for every two classes; they vote"},
    {"rest", CAIRN_SVM_REST,
     "a machine for every class against all others; the largest score wins"},
    {0},
};
static const cairn_choice solvers[] = {
    {"auto", CAIRN_SVM_AUTO,
     "exact up to 200 rows of a machine; else primal for linear machines of up to 300 columns, "
     "rows "
     "for linear ones of classes and more than 20,000 rows, pairs for all others"},
    {"exact", CAIRN_SVM_EXACTLY, "an active set, exact but for rounding; up to 1,000 rows"},
    {"pairs", CAIRN_SVM_BY_PAIRS, "two rows at a time, any kernel"},
    {"primal", CAIRN_SVM_BY_PRIMAL,
     "linear kernel: Newton's method over the weights, for many rows and fewer columns"},
    {"rows", CAIRN_SVM_BY_ROWS,
     "classes and linear kernel: row by row; the constant is a column of ones and counts in |w|"},
    {0},
};
static const cairn_choice protocols[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all rows, again and again, as {solver} says"},
    {"random", CAIRN_PROTOCOL_RANDOM,
     "a row at a time, drawn with repeats, as {solver rows}: classes and {kernel linear}"},
    {"online", CAIRN_PROTOCOL_ONLINE, "the same with every row once, in order"},
    {0},
};
static const cairn_choice losses[] = {
    {"hinge", CAIRN_SVM_HINGE, "C Σ ξ"},
    {"squared", CAIRN_SVM_SQUARED, "C Σ ξ², by {solver primal} or {solver rows}"},
    {0},
};
static const cairn_choice sides[] = {
    {"minus", CAIRN_SVM_MINUS, "the boundary is written w·x − t = 0"},
    {"plus", CAIRN_SVM_PLUS, "w·x + b = 0"},
    {0},
};
static const cairn_choice margins[] = {
    {"half", CAIRN_SVM_HALF, "from the boundary to the nearest row, 1/|w|"},
    {"full", CAIRN_SVM_FULL, "the width of the street, 2/|w|"},
    {0},
};
static const cairn_choice biases[] = {
    {"free", CAIRN_SVM_FREE, "mean over the free support vectors, else the middle of the interval"},
    {"midpoint", CAIRN_SVM_MIDPOINT, "middle between the extreme scores of the two classes"},
    {"first", CAIRN_SVM_FIRST, "the first free support vector"},
    {0},
};
static const cairn_choice whos[] = {
    {"alpha", CAIRN_SVM_ALPHA, "rows with α > 0"},
    {"margin", CAIRN_SVM_ON_MARGIN, "all rows on the margin"},
    {0},
};

static const cairn_choice preset_choices[] = {
    {"none", 0, "every option as it is given"},
    {"hard", 1, "no errors are allowed: hard margin"},
    {0},
};
static const cairn_setting hard_settings[] = {{"c", "inf"}, {NULL, NULL}};
static const cairn_setting *const preset_settings[] = {NULL, hard_settings};

static const cairn_param svm_params[] = {
    CAIRN_PARAM(cairn_svm_params, c, "1", "(0,inf]",
                "cost C of an error; inf = hard margin, no errors", .when = "!type=one-class",
                .often = true),
    CAIRN_KERNEL(cairn_svm_params),
    CAIRN_PARAM_CHOICE(cairn_svm_params, type, "c", types, "what is asked of the errors",
                       .often = true),
    CAIRN_PARAM(cairn_svm_params, nu, "0.5", "(0,1]", "share of errors and support vectors",
                .when = "type=nu|one-class"),
    CAIRN_PARAM(cairn_svm_params, epsilon, "0.1", "[0,inf)",
                "numbers: half the width of the tube in which errors cost nothing",
                .when = "type=c", .often = true),
    CAIRN_PARAM(cairn_svm_params, class_weight, NULL, NULL,
                "balanced = every class counts the same, or a factor of C per class in their "
                "order, such as 1,5"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, classes, "pairs", schemes,
                       "more than two classes: what the machines tell apart"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, loss, "hinge", losses, "what errors cost",
                       .when = "type=c"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, solver, "auto", solvers, "how the solution is found"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, protocol, "batch", protocols, "which rows are taken",
                       .when = "solver=auto|rows"),
    CAIRN_PARAM(cairn_svm_params, tolerance, "0", "[0,1)",
                "largest violation of the optimality conditions at the end; 0 = 1e-7 up to 5,000 "
                "rows of a machine, else 0.001"),
    CAIRN_PARAM(cairn_svm_params, max_iter, "10000000", "[1,inf)", "most steps of a machine"),
    CAIRN_PARAM(
        cairn_svm_params, cache, "0", "[0,inf)",
        "megabytes for rows of the kernel matrix; 0 = 100, or 1024 rows where these are more"),
    CAIRN_PARAM(cairn_svm_params, shrinking, "yes", NULL,
                "set rows aside that are likely to stay as they are"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, intercept, "minus", sides,
                       "on which side the intercept is written"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, margin, "half", margins, "what is called the margin"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, bias_from, "free", biases,
                       "which rows the intercept is taken from"),
    CAIRN_PARAM_CHOICE(cairn_svm_params, sv, "alpha", whos,
                       "which rows are called support vectors"),
    CAIRN_PARAM(cairn_svm_params, slack_power, "1", "[1,10]",
                "power k of the slacks' sum: C (Σ ξ)^k is what errors cost"),
    CAIRN_PARAM(cairn_svm_params, go_on, "no", NULL,
                "go on with a given matrix that has negative eigenvalues",
                .when = "kernel=precomputed"),
    {.name = "preset",
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(cairn_svm_params, preset),
     .initial = "none",
     .choices = preset_choices,
     .presets = preset_settings,
     .help = "a well-known way of learning; an option that is given by itself counts more"},
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_svm_params *p = values;
    CHECK(cairn_kernel_check(ctx, &p->kernel));
    return cairn_class_weights_check(ctx, "{class-weight}", p->class_weight, "balanced");
}

static unsigned svm_accepts(const void *params)
{
    const cairn_svm_params *p = params;
    return cairn_kernel_accepts(&p->kernel) | CAIRN_ACCEPTS_ONE_CLASS |
           (p->type == CAIRN_SVM_ONE_CLASS ? CAIRN_WANTS_ONE_CLASS : 0);
}

static cairn_model_size svm_size(const void *model)
{
    const cairn_svm_model *m = model;
    double each = m->weights ? (double)m->n_terms + 1 : (double)m->vectors.n + 1;
    return (cairn_model_size){.parameters = each * (double)m->n_machines, .grows = !m->weights};
}

static double svm_pieces(const void *model)
{
    return (double)((const cairn_svm_model *)model)->vectors.n;
}

static const cairn_output svm_outputs[] = {
    {"distance", "classes: signed distance from the boundary in the space of the kernel, of two "
                 "classes positive on the side of the positive one; of more from the nearest "
                 "boundary around the answer"},
    {0},
};

const cairn_learner cairn_svm = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "svm",
            .also = "support vector machine, SVC, SVR, maximum margin classifier, nu-SVC "
                    "(type=nu), support vector regression, kernel SVM, one-class SVM "
                    "(type=one-class), SMO, sequential minimal optimisation, LinearSVC, NuSVC "
                    "(type=nu), OneClassSVM (type=one-class), ksvm, libsvm",
            .about = "constrained minimisation, constrained optimisation, novelty detection, "
                     "outlier detection, optimal separating hyperplane, soft "
                     "margin hyperplane, slack variable, dual formulation, Kuhn-Tucker conditions, "
                     "KKT, Lagrange multipliers, maximal margin, soft margin",
            .title = "Support vector machine",
            .summary =
                "Separates two classes by the boundary with the widest margin, in the space of a "
                "kernel; errors cost C each, by how far they are on the wrong side. More classes "
                "are told apart in pairs, which vote, or one against the rest. Numbers are fitted "
                "by a tube of half width epsilon, outside of which errors cost C. The answer is a "
                "sum over the support vectors, the rows on the margin or beyond it. Columns are "
                "standardised first unless --scale says otherwise.",
            .references = "Cortes and Vapnik, Support-vector networks (1995); Schölkopf, Smola, "
                          "Williamson and Bartlett, New support vector algorithms (2000); Fan, "
                          "Chen and Lin, Working set selection using second order information for "
                          "training support vector machines (2005)",
            .example = "cairn fit svm @iris --kernel rbf --c 10",
            .params = svm_params,
            .params_size = sizeof(cairn_svm_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "c=0.1,1,10,100\n"
             "gamma=0.01,0.1,1",
    .accepts = CAIRN_KERNEL_ACCEPTS | CAIRN_ACCEPTS_ONE_CLASS,
    .accepts_with = svm_accepts,
    .traits =
        CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING | CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_svm_model),
    .tables = cairn_svm_tables,
    .history = &cairn_svm_story,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = svm_outputs,
    .fit = cairn_svm_fit,
    .lower = cairn_svm_lower,
    .predict = cairn_svm_predict,
    .describe = cairn_svm_describe,
    .explain = cairn_svm_explain,
    .figures = cairn_svm_figures,
    .archive = cairn_svm_archive,
    .check = cairn_svm_check,
    .clear = cairn_svm_clear,
    .size = svm_size,
    .pieces = svm_pieces,
    .pieces_name = "support vectors",
};
