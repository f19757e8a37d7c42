/* SPDX-License-Identifier: MIT */
/* Planes from the means of the classes. */
#include "learners/linear/class_metric.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "report/table_rows.h"
#include "rows/slopes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_TERMS = 12, SHOWN_ROWS = 200, MATRIX_TERMS = 5000 };

const cairn_choice cairn_class_metric_choices[] = {
    {"identity", CAIRN_METRIC_IDENTITY, "the basic linear classifier: the nearer mean"},
    {"diagonal", CAIRN_METRIC_DIAGONAL, "variances of the columns: the nearer mean in deviations"},
    {"gram", CAIRN_METRIC_GRAM, "XᵀX, with a 1 before every row; least squares with --count rows"},
    {"covariance", CAIRN_METRIC_COVARIANCE, "covariances of all rows"},
    {"pooled", CAIRN_METRIC_POOLED, "covariances within the classes: Fisher's discriminant"},
    {0},
};
const cairn_choice cairn_threshold_choices[] = {
    {"midpoint", CAIRN_THRESHOLD_MIDPOINT, "halfway between the means of the classes"},
    {"global", CAIRN_THRESHOLD_GLOBAL, "at the mean of all rows"},
    {"tuned", CAIRN_THRESHOLD_TUNED, "where the training rows have the fewest errors"},
    {0},
};

int cairn_class_metric_sums(cairn_class_metric metric)
{
    if (metric == CAIRN_METRIC_IDENTITY) return CAIRN_CLASS_MEANS;
    return metric == CAIRN_METRIC_DIAGONAL ? CAIRN_CLASS_SPREADS : CAIRN_CLASS_SCATTER;
}

cairn_status cairn_class_planes_sums(cairn_context *ctx, cairn_class_sums *out,
                                     const cairn_class_planes *m, const cairn_job *job, int wanted)
{
    int32_t *places;
    if (wanted == CAIRN_CLASS_SCATTER && m->n_terms > MATRIX_TERMS)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "a matrix of %zu x %zu numbers would be needed; take fewer columns "
            "({with select}, {with pca}) or a learner without one, such as perceptron",
            m->n_terms, m->n_terms);
    CHECK(SCRATCH(ctx, &places, m->n_classes + 1));
    for (size_t c = 0; c < m->n_classes; c++) places[c] = -1;
    for (size_t k = 0; k < m->n_present; k++) places[m->classes[k]] = (int32_t)k;
    return cairn_class_sums_of(ctx, out, job->view, places, m->n_present, wanted);
}

/* -- the matrix -- */

cairn_status cairn_class_metric_matrix(cairn_context *ctx, double **out, size_t *n,
                                       const cairn_class_sums *s, cairn_class_metric metric)
{
    size_t p = s->n_terms, width = metric == CAIRN_METRIC_GRAM ? p + 1 : p;
    double *between;
    *out = NULL;
    *n = width;
    if (metric == CAIRN_METRIC_IDENTITY) return CAIRN_OK;
    CHECK(SCRATCH(ctx, out, cairn_product(width, width) + 1));
    for (size_t t = 0; metric == CAIRN_METRIC_DIAGONAL && t < p; t++)
        (*out)[t * p + t] = s->spread[t] / s->total;
    if (metric == CAIRN_METRIC_DIAGONAL) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &between, cairn_product(p, p) + 1));
    if (metric != CAIRN_METRIC_POOLED) cairn_class_sums_between(s, between);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) {
            double sum = s->within[i * p + j] + between[i * p + j];
            if (metric == CAIRN_METRIC_GRAM) sum += s->total * s->mean[i] * s->mean[j];
            (*out)[i * width + j] = metric == CAIRN_METRIC_GRAM ? sum : sum / s->total;
        }
    if (metric != CAIRN_METRIC_GRAM) return CAIRN_OK;
    for (size_t i = 0; i < p; i++)
        (*out)[i * width + p] = (*out)[p * width + i] = s->total * s->mean[i];
    (*out)[p * width + p] = s->total;
    return CAIRN_OK;
}

/* M w − v of one vector, times M where that is singular. */
static cairn_status prove(cairn_context *ctx, cairn_certificate *c, const double *matrix, size_t n,
                          const double *given, const double *found, bool singular)
{
    SCOPED_SCRATCH(ctx);
    double *rest, size = 0, length = 0, side = 0, left = 0;
    CHECK(SCRATCH(ctx, &rest, n));
    for (size_t i = 0; i < n * n; i++) size += matrix[i] * matrix[i];
    for (size_t i = 0; i < n; i++) {
        rest[i] = cairn_dot(matrix + i * n, found, n) - given[i];
        length += found[i] * found[i];
        side += given[i] * given[i];
    }
    for (size_t i = 0; i < n; i++) {
        double one = singular ? cairn_dot(matrix + i * n, rest, n) : rest[i];
        left += one * one;
    }
    double whole = sqrt(size * length) + sqrt(side);
    if (singular) whole *= sqrt(size);
    /* directions that are left out may be as large as a ten-thousand-millionth */
    cairn_certify(c, CAIRN_PROOF_RESIDUAL, whole > 0 ? sqrt(left) / whole : sqrt(left),
                  singular ? 1e-8 : CAIRN_SLOPES_DIRECT);
    return CAIRN_OK;
}

/* Columns are brought to the length 1 first, so that their units do not spoil the condition; one
 * that is 0 gets the weight 0. */
cairn_status cairn_class_metric_solve(cairn_context *ctx, double *a, size_t n, double *v,
                                      size_t n_right, size_t *rank, cairn_certificate *certificate)
{
    double *scale, *copy, *whole, *given, condition;
    size_t pivot, dead = 0;
    *rank = n;
    if (!a || !n) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &scale, n));
    CHECK(SCRATCH_EACH(ctx, cairn_product(n, n), &copy, &whole));
    CHECK(SCRATCH(ctx, &given, cairn_product(n, n_right)));
    for (size_t i = 0; i < n; i++) {
        scale[i] = a[i * n + i] > 0 ? 1 / sqrt(a[i * n + i]) : 0;
        dead += scale[i] == 0;
    }
    for (size_t i = 0; i < n * n; i++) {
        double one = i / n == i % n && scale[i / n] == 0 ? 1 : 0;
        copy[i] = a[i] = one + a[i] * scale[i / n] * scale[i % n];
    }
    for (size_t i = 0; i < n * n_right; i++) given[i] = v[i] *= scale[i % n];
    memcpy(whole, copy, n * n * sizeof *whole);
    CHECK(cairn_cholesky(ctx, a, n, &condition, &pivot));
    if (condition > 1e-13)
        CHECK(cairn_cholesky_solve(ctx, a, n, v, n_right));
    else {
        /* The pseudo-inverse by eigenvalues: directions in which the matrix is 0 are left out. */
        double *values, *vectors, *out;
        CHECK(SCRATCH_EACH(ctx, n + 1, &values, &out));
        CHECK(SCRATCH(ctx, &vectors, cairn_product(n, n) + 1));
        CHECK(cairn_symmetric_eigen(ctx, values, vectors, copy, n));
        for (*rank = 0; *rank < n && values[*rank] > 1e-10 * values[0];) ++*rank;
        for (size_t r = 0; r < n_right; r++) {
            memset(out, 0, n * sizeof *out);
            for (size_t i = 0; i < *rank; i++)
                cairn_axpy(out, cairn_dot(vectors + i * n, v + r * n, n) / values[i],
                           vectors + i * n, n);
            memcpy(v + r * n, out, n * sizeof *out);
        }
    }
    for (size_t r = 0; certificate && r < n_right; r++)
        CHECK(prove(ctx, certificate, whole, n, given + r * n, v + r * n, *rank < n));
    for (size_t i = 0; i < n * n_right; i++) v[i] *= scale[i % n];
    *rank -= dead;
    return CAIRN_OK;
}

/* -- the threshold -- */

typedef struct projection {
    const cairn_class_planes *m;
    cairn_row_matrix x;
    double *out;
} projection;

static void project_piece(void *data, const cairn_piece *piece, double *sums)
{
    const projection *p = data;
    (void)sums;
    cairn_matrix_scores(&p->x, piece, p->m->weights, 1);
    memcpy(p->out + piece->first, piece->buffer, piece->n * sizeof *p->out);
}

cairn_status cairn_class_planes_project(cairn_context *ctx, double **out,
                                        const cairn_class_planes *m, const cairn_view *view)
{
    projection p = {.m = m};
    cairn_matrix_options options = {.apart = true, .n_terms = m->n_terms, .scores = 1};
    cairn_row_sum sum = {.piece = project_piece, .unread = true, .data = &p};
    options.buffer = m->n_dense + 1;
    CHECK(SCRATCH_RAW(ctx, out, view->rows.n + 1));
    p.out = *out;
    CHECK(cairn_matrix_open(ctx, &p.x, view, &options));
    return cairn_matrix_sum(ctx, &p.x, &sum, NULL);
}

typedef struct placed {
    double at, weight; /* weight is negative for rows of the negative class */
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}

/* The cut with the least weight on the wrong side, halfway between two rows; of equally good ones
 * the one that is nearest to `middle`. */
static cairn_status tune_threshold(cairn_context *ctx, const cairn_class_planes *m,
                                   const cairn_job *job, double middle, double *out)
{
    const cairn_view *view = job->view;
    size_t n = view->rows.n;
    double *at, wrong = 0, least, best;
    placed *rows;
    CHECK(cairn_class_planes_project(ctx, &at, m, view));
    CHECK(SCRATCH(ctx, &rows, n + 1));
    for (size_t i = 0; i < n; i++) {
        bool positive = view->target->codes[cairn_view_row(view, i)] == m->classes[0];
        double w = cairn_view_weight(view, i);
        rows[i] = (placed){at[i], positive ? w : -w};
        if (!positive) wrong += w; /* a cut below all rows */
    }
    qsort(rows, n, sizeof *rows, compare_placed);
    least = wrong;
    best = n ? rows[0].at - 1 : 0;
    for (size_t i = 0; i < n; i++) {
        wrong += rows[i].weight;
        if (i + 1 < n && rows[i + 1].at == rows[i].at) continue;
        double cut = i + 1 < n ? rows[i].at / 2 + rows[i + 1].at / 2 : rows[i].at + 1;
        double slack = 1e-12 * (fabs(least) + 1);
        if (wrong > least + slack) continue;
        if (wrong < least - slack || fabs(cut - middle) < fabs(best - middle)) best = cut;
        least = fmin(least, wrong);
    }
    *out = best;
    return CAIRN_OK;
}

cairn_status cairn_class_planes_place(cairn_context *ctx, cairn_class_planes *m,
                                      const cairn_class_sums *s, const cairn_job *job,
                                      cairn_threshold_rule rule)
{
    size_t p = m->n_terms;
    double middle = 0, global = 0, t;
    SCOPED_SCRATCH(ctx);
    m->weights[p] = 0;
    if (!m->intercept) return CAIRN_OK;
    for (size_t j = 0; j < p; j++) {
        middle += m->weights[j] * (s->means[j] + s->means[p + j]) / 2;
        global += m->weights[j] * s->mean[j];
    }
    t = rule == CAIRN_THRESHOLD_GLOBAL ? global : middle;
    if (rule == CAIRN_THRESHOLD_TUNED) CHECK(tune_threshold(ctx, m, job, middle, &t));
    m->weights[p] = -t;
    return CAIRN_OK;
}

/* -- on the board -- */

void cairn_show_class_means(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                            const cairn_class_sums *s)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    size_t shown = s->n_terms < SHOWN_TERMS ? s->n_terms : SHOWN_TERMS;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_table_of(out, "Means", 0, "lr", "class", "rows");
    for (size_t t = 0; t < shown; t++) cairn_report_column(out, names[t], 'r');
    for (size_t k = 0; k <= m->n_present; k++) {
        bool all = k == m->n_present;
        const char *class = all ? NULL : cairn_class_planes_class(m, job, k);
        const double *mean = all ? s->mean : s->means + k * s->n_terms;
        const char *key = all ? "all" : cairn_report_key(out, class);
        cairn_report_cell(out, all ? "all rows" : class);
        cairn_report_cell_number(out, all ? s->total : s->totals[k], 6, "rows.%s", key);
        for (size_t t = 0; t < shown; t++)
            cairn_report_cell_number(out, mean[t], 6, "mean.%s.%s", key,
                                     cairn_term_key(out, names[t]));
    }
    cairn_report_table_end(out);
    cairn_scratch_release(ctx, mark);
}

void cairn_show_term_matrix(cairn_report *out, const char *title, const char *key,
                            const double *matrix, size_t n, const char *const *names)
{
    size_t shown = n < SHOWN_TERMS ? n : SHOWN_TERMS;
    if (!out || !matrix) return;
    cairn_report_table_of(out, title, SHOWN_TERMS, "l", "");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j] ? names[j] : "1", 'r');
    for (size_t i = 0; i < shown; i++) {
        const char *row = names[i] ? cairn_term_key(out, names[i]) : "intercept";
        cairn_report_cell(out, names[i] ? names[i] : "1");
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, matrix[i * n + j], 6, "%s.%s.%s", key, row,
                                     names[j] ? cairn_term_key(out, names[j]) : "intercept");
    }
    cairn_report_table_end(out);
}

cairn_status cairn_show_projections(cairn_context *ctx, cairn_report *out,
                                    const cairn_class_planes *m, const cairn_job *job)
{
    const cairn_view *view = job->view;
    double *scores, constant = m->weights[m->n_terms];
    if (!out || m->n_present != 2) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_class_planes_project(ctx, &scores, m, view));
    cairn_report_table_of(out, "Rows on the line along w", 50, "rlrr", "row", "class", "w·x",
                          "w·x − t");
    for (size_t i = 0; i < view->rows.n && i < SHOWN_ROWS; i++) {
        size_t row = cairn_view_row(view, i);
        cairn_report_cells(out, "- - row$1.projection:6 row$1.score:6", row + 1,
                           cairn_level_name(view->target, view->target->codes[row]),
                           scores[i] - constant, scores[i]);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}
