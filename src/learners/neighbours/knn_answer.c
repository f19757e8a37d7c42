/* SPDX-License-Identifier: MIT */
/* What the neighbours say: a vote, a mean, or a small model that is fitted to them.
 *
 * A local model is least squares on the neighbours, weighted like a vote, in columns measured from
 * the query, so that its constant is the answer; where a cell is missing, it is flat: the mean.
 * Slopes that the neighbours do not determine (fewer
 * of them than coefficients, or equal numbers) are as small as they can be: the model is flat
 * there, and with one neighbour it is his number. */
#include "base/memory.h"
#include "kernels/linalg.h"
#include "learners/neighbours/knn.h"
#include <math.h>
#include <string.h>

static const double tie_tolerance = 1e-12;

size_t cairn_knn_terms(const cairn_knn_params *params, size_t n_columns)
{
    if (params->local == CAIRN_KNN_MEAN) return 0;
    return 1 + n_columns * (params->local == CAIRN_KNN_POWERS ? (size_t)params->degree : 1);
}

cairn_status cairn_knn_answer_make(cairn_context *ctx, cairn_knn_answer *out,
                                   const cairn_knn_params *params, size_t k, size_t n_classes,
                                   size_t n_columns)
{
    *out = (cairn_knn_answer){0};
    CHECK(SCRATCH(ctx, &out->weights, k));
    CHECK(SCRATCH(ctx, &out->shares, n_classes));
    return SCRATCH(ctx, &out->terms, cairn_knn_terms(params, n_columns));
}

const double *cairn_knn_row(const cairn_knn_model *m, size_t i)
{
    if (m->given || !m->points.places || m->points.width == 0) return NULL;
    return (m->values ? m->values : m->points.places) + i * m->n_columns;
}

/* -- weights -- */

/* By distance alone; `scale` takes the place of 1 where 1/d is beyond all numbers. */
static void weigh_inverse(double *weights, const double *distances, size_t n, double scale,
                          bool square)
{
    for (size_t i = 0; i < n; i++) {
        double w = distances[0] == 0 ? distances[i] == 0 : scale / distances[i];
        weights[i] = square ? w * w : w;
    }
}

static bool all_finite(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

static void weigh_window(double *weights, const cairn_knn_params *p, const double *distances,
                         size_t n)
{
    double width = isnan(p->width) ? distances[n - 1] : p->width;
    for (size_t i = 0; i < n; i++) {
        double u = width > 0 ? distances[i] / width : 0;
        weights[i] = isnan(u) ? 0 : cairn_window_weight((cairn_window)p->window, u);
    }
}

/* Times the weights of the rows. What is large is measured by the largest, so that no sum of
 * weighted targets overflows. */
static void weigh_rows(double *weights, const cairn_knn_model *m, const uint32_t *rows, size_t n)
{
    const double large = 1e150;
    double most = 0, heaviest = m->weights ? 0 : 1;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, weights[i]);
        if (m->weights) heaviest = fmax(heaviest, m->weights[rows[i]]);
    }
    bool scaled = !(most * heaviest * (double)n <= large);
    for (size_t i = 0; i < n; i++) {
        double row = m->weights ? m->weights[rows[i]] : 1;
        weights[i] = scaled ? weights[i] / most * (row / heaviest) : weights[i] * row;
    }
}

/* Weights of the neighbours, with those of their rows. True when equal ones had to be taken. */
static bool weigh(double *weights, const cairn_knn_model *m, const cairn_knn_params *p,
                  const uint32_t *rows, const double *distances, size_t n)
{
    bool square = p->weights == CAIRN_KNN_INVERSE_SQUARE, some = false;
    for (size_t i = 0; i < n; i++) weights[i] = 1;
    if (p->weights == CAIRN_KNN_INVERSE || square) {
        weigh_inverse(weights, distances, n, 1, square);
        if (!all_finite(weights, n)) weigh_inverse(weights, distances, n, distances[0], square);
    } else if (p->weights == CAIRN_KNN_KERNEL) {
        weigh_window(weights, p, distances, n);
    }
    for (size_t i = 0; i < n; i++) some |= weights[i] > 0;
    for (size_t i = 0; !some && i < n; i++) weights[i] = 1;
    weigh_rows(weights, m, rows, n);
    return !some;
}

/* -- votes -- */

/* Shares of the classes; returns how many have the largest. */
static size_t count_votes(cairn_knn_answer *answer, const cairn_knn_model *m, size_t n_classes,
                          const uint32_t *rows, size_t n, size_t *first)
{
    double total = 0, most = 0;
    size_t tied = 0;
    memset(answer->shares, 0, n_classes * sizeof *answer->shares);
    for (size_t i = 0; i < n; i++) {
        answer->shares[m->codes[rows[i]]] += answer->weights[i];
        total += answer->weights[i];
    }
    for (size_t c = 0; c < n_classes; c++) {
        answer->shares[c] /= total;
        most = fmax(most, answer->shares[c]);
    }
    for (size_t c = n_classes; c-- > 0;)
        if (answer->shares[c] >= most - tie_tolerance) tied++, *first = c;
    return tied;
}

/* A tie goes to the first class, to the class of the nearest neighbour, or to fewer neighbours
 * until there is none; the shares stay those of all k. */
static void vote(cairn_knn_answer *answer, const cairn_knn_model *m, const cairn_job *job,
                 const uint32_t *rows, const double *distances, size_t n)
{
    const cairn_knn_params *p = job->params;
    size_t first = 0, tied = count_votes(answer, m, job->n_classes, rows, n, &first);
    double most = answer->shares[first];
    answer->tied = tied > 1 ? tied : 0;
    answer->code = (int32_t)first;
    if (tied == 1 || p->tie == CAIRN_KNN_FIRST) return;
    if (p->tie == CAIRN_KNN_NEAREST) {
        for (size_t i = n; i-- > 0;)
            if (answer->shares[m->codes[rows[i]]] >= most - tie_tolerance)
                answer->code = m->codes[rows[i]];
        return;
    }
    while (tied > 1 && answer->used > 1) {
        answer->used--;
        weigh(answer->weights, m, p, rows, distances, answer->used);
        tied = count_votes(answer, m, job->n_classes, rows, answer->used, &first);
    }
    answer->code = (int32_t)first;
    weigh(answer->weights, m, p, rows, distances, n); /* the shares are those of all k */
    count_votes(answer, m, job->n_classes, rows, n, &first);
}

/* -- local models -- */

/* Columns of the local model, n numbers each, without the constant: powers of the differences from
 * the query, as shares of the largest difference (`scales`, one per column). False when a cell is
 * missing. */
static bool fill_terms(double *x, double *scales, const cairn_knn_model *m, const uint32_t *rows,
                       size_t n, const double *place, size_t powers)
{
    for (size_t j = 0; j < m->n_columns; j++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++) {
            double gap = cairn_knn_row(m, rows[i])[j] - place[j];
            if (isnan(gap)) return false;
            largest = fmax(largest, fabs(gap));
        }
        scales[j] = largest > 0 ? largest : 1;
        for (size_t i = 0; i < n; i++) {
            double part = (cairn_knn_row(m, rows[i])[j] - place[j]) / scales[j], product = 1;
            for (size_t power = 0; power < powers; power++)
                x[(j * powers + power) * n + i] = product *= part;
        }
    }
    return true;
}

/* Take the weighted mean off, multiply by the roots of the weights. Returns the mean. */
static double centre(double *column, const double *weights, size_t n)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i] * column[i];
        total += weights[i];
    }
    for (size_t i = 0; i < n; i++) column[i] = sqrt(weights[i]) * (column[i] - sum / total);
    return sum / total;
}

/* To a largest size of 1, so that small coefficients mean the same for all. Returns the factor. */
static double shrink(double *column, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(column[i]));
    for (size_t i = 0; most > 0 && i < n; i++) column[i] /= most;
    return most > 0 ? most : 1;
}

/* A model that is flat: the mean of the neighbours. */
static double mean_of(const cairn_knn_answer *answer, const cairn_knn_model *m,
                      const uint32_t *rows, size_t n)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        sum += answer->weights[i] * m->targets[rows[i]];
        total += answer->weights[i];
    }
    return sum / total;
}

/* Slopes in the scales of the columns themselves. */
static void unscale(double *slopes, const double *scales, size_t n_columns, size_t powers)
{
    for (size_t j = 0; j < n_columns; j++)
        for (size_t power = 0; power < powers; power++)
            for (size_t times = 0; times <= power; times++) slopes[j * powers + power] /= scales[j];
}

/* Centred and scaled columns keep the least squares well conditioned; singular directions get
 * slope 0 instead of a wild one. */
static cairn_status fit_local(cairn_context *ctx, cairn_knn_answer *answer,
                              const cairn_knn_model *m, const cairn_knn_params *p,
                              const uint32_t *rows, size_t n, const double *place)
{
    SCOPED_SCRATCH(ctx);
    size_t n_slopes = cairn_knn_terms(p, m->n_columns) - 1;
    size_t powers = p->local == CAIRN_KNN_POWERS ? (size_t)p->degree : 1;
    double *x, *y, *means, *sizes, *scales, *slopes = answer->terms + 1;
    CHECK(SCRATCH(ctx, &x, cairn_product(n, n_slopes)));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH_EACH(ctx, n_slopes, &means, &sizes));
    CHECK(SCRATCH(ctx, &scales, m->n_columns));
    answer->flat = !fill_terms(x, scales, m, rows, n, place, powers);
    if (answer->flat) {
        answer->number = mean_of(answer, m, rows, n);
        return CAIRN_OK;
    }
    for (size_t i = 0; i < n; i++) y[i] = m->targets[rows[i]];
    answer->number = centre(y, answer->weights, n);
    for (size_t t = 0; t < n_slopes; t++) {
        means[t] = centre(x + t * n, answer->weights, n);
        sizes[t] = shrink(x + t * n, n);
    }
    CHECK(cairn_svd_least_squares(ctx, slopes, NULL, &answer->rank, x, y, n, n_slopes, 1e-12));
    answer->rank++;
    for (size_t t = 0; t < n_slopes; t++) {
        slopes[t] /= sizes[t];
        answer->number -= slopes[t] * means[t];
    }
    unscale(slopes, scales, m->n_columns, powers);
    answer->terms[0] = answer->number;
    return CAIRN_OK;
}

/* -- the answer -- */

cairn_status cairn_knn_decide(cairn_context *ctx, cairn_knn_answer *answer,
                              const cairn_knn_model *m, const cairn_job *job, const uint32_t *rows,
                              const double *distances, size_t n, const double *place)
{
    const cairn_knn_params *p = job->params;
    answer->used = n;
    answer->tied = 0;
    answer->code = -1;
    answer->number = NAN;
    for (size_t c = 0; c < job->n_classes && m->codes; c++) answer->shares[c] = NAN;
    answer->flat = false;
    if (n == 0) return CAIRN_OK;
    answer->equal = weigh(answer->weights, m, p, rows, distances, n);
    if (job->task == CAIRN_CLASSIFY) {
        vote(answer, m, job, rows, distances, n);
        return CAIRN_OK;
    }
    if (p->local != CAIRN_KNN_MEAN) return fit_local(ctx, answer, m, p, rows, n, place);
    answer->number = mean_of(answer, m, rows, n);
    return CAIRN_OK;
}
