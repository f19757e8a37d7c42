/* SPDX-License-Identifier: MIT */
/* Losses of linear scores with their whole Hessian: one pass over the rows gives loss, gradient
 * X's and Hessian, whose block for the scores k and l is X' diag(c_kl) X, where s and c are the
 * slopes and curvatures of the loss.
 *
 * Cost of a pass: n m^2 / 2 multiplications for one score and m terms, about K^2 / 2 times that
 * for K scores. */
#include "rows/scored.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

size_t cairn_scored_room(size_t n_scores)
{
    return 3 * n_scores + 1;
}

size_t cairn_scored_sum(size_t width, size_t n_scores)
{
    size_t pairs = n_scores * (n_scores + 1) / 2;
    return 1 + CAIRN_SCORED_COUNTS + cairn_product(width, n_scores) +
           cairn_product(pairs, cairn_product(width, width));
}

size_t cairn_scored_stride(size_t n_scores, bool tiles)
{
    return tiles && n_scores > 1 ? (n_scores + 3) / 4 * 4 : n_scores;
}

double cairn_scored_ridge(const cairn_scored *s, const double *theta, double *gradient)
{
    double sum = 0;
    for (size_t t = 0; t < s->matrix->width; t++) {
        double ridge = s->ridges[t], part = 0;
        if (ridge == 0) continue;
        for (size_t k = 0; k < s->loss->n_scores; k++) {
            double w = theta[t * s->stride + k];
            part += ridge * w * w / 2;
            if (gradient) gradient[t * s->stride + k] += ridge * w;
        }
        sum += part;
    }
    return sum;
}

/* Blocks of the Hessian, one for each pair of scores. */
static void add_curvature(const cairn_scored *s, double *blocks, const cairn_piece *piece,
                          const double *kept, double *factors)
{
    size_t m = s->loss->n_scores, width = s->matrix->width;
    if (!s->loss->curve) {
        cairn_gram_add(blocks, NULL, piece->z, width, NULL, kept, piece->n, width);
        return;
    }
    for (size_t k = 0; k < m; k++)
        for (size_t l = k; l < m; l++, blocks += width * width) {
            s->loss->curve(s->loss->data, piece->first, piece->n, kept, m, k, l, factors);
            cairn_gram_add(blocks, NULL, piece->z, width, NULL, factors, piece->n, width);
        }
}

/* Scores, losses, gradient and curvature of a piece while its rows are in the cache; one score
 * needs no matrix product, which is the common case. */
static void look_piece(void *data, const cairn_piece *piece, double *sums)
{
    const cairn_scored *s = data;
    size_t width = s->matrix->width, m = s->loss->n_scores, n = piece->n;
    double *scores = piece->room, *kept = scores + n * m, *slopes = kept + n * m;
    double *gradient = sums + s->head, *factors = slopes + n * m;
    if (m == 1)
        cairn_row_dots(scores, piece->z, width, n, width, s->theta, 0);
    else
        cairn_rows_product(scores, m, piece->z, width, n, width, s->theta, m, m, piece->product);
    s->loss->rows(s->loss->data, piece->first, n, scores, m, kept, slopes, sums);
    if (s->curves) add_curvature(s, gradient + width * m, piece, kept, factors);
    if (!s->slopes) return;
    if (m == 1)
        cairn_gram_add(NULL, gradient, piece->z, width, slopes, NULL, n, width);
    else
        cairn_turned_product_add(gradient, m, piece->z, width, slopes, m, n, width, m,
                                 piece->product);
}

/* The blocks of the Hessian as one matrix of all weights, both triangles, with the ridge. */
static void put_together(const cairn_scored *s, const double *blocks, double *hessian)
{
    size_t width = s->matrix->width, m = s->loss->n_scores, all = width * m, pair = 0;
    for (size_t k = 0; k < m; k++)
        for (size_t l = k; l < m; l++, pair++)
            for (size_t t = 0; t < width; t++)
                for (size_t u = t; u < width; u++) {
                    double value = blocks[pair * width * width + t * width + u];
                    hessian[(t * m + k) * all + u * m + l] = value;
                    hessian[(u * m + l) * all + t * m + k] = value;
                    hessian[(t * m + l) * all + u * m + k] = value;
                    hessian[(u * m + k) * all + t * m + l] = value;
                }
    for (size_t t = 0; t < width; t++)
        for (size_t k = 0; k < m; k++) hessian[(t * m + k) * (all + 1)] += s->ridges[t];
}

/* Terms that are fixed: no slope, and a curvature of their own. */
static void hold_fixed(const cairn_scored *s, double *gradient, double *hessian)
{
    size_t m = s->loss->n_scores, all = s->matrix->width * m;
    for (size_t t = 0; s->fixed && t < s->matrix->width; t++)
        for (size_t k = 0; s->fixed[t] && k < m; k++) {
            size_t at = t * m + k;
            gradient[at] = 0;
            if (!hessian) continue;
            for (size_t j = 0; j < all; j++) hessian[at * all + j] = hessian[j * all + at] = 0;
            hessian[at * (all + 1)] = 1;
        }
}

/* Gradient and Hessian are computed only if asked for, in the same pass as the value; the ridge is
 * added once, outside the sums over rows. */
static cairn_status look(cairn_context *ctx, void *data, const double *theta, double *value,
                         double *gradient, double *hessian)
{
    cairn_scored *s = data;
    size_t m = s->loss->n_scores, all = s->matrix->width * m;
    SCOPED_SCRATCH(ctx);
    cairn_row_sum sum = {.piece = look_piece, .data = s, .size = s->head};
    double *sums;
    s->theta = theta;
    s->slopes = gradient != NULL;
    s->curves = hessian != NULL;
    if (s->slopes) sum.size += all;
    if (s->curves) sum.size += s->n_pairs * s->matrix->width * s->matrix->width;
    CHECK(SCRATCH_RAW(ctx, &sums, sum.size));
    CHECK(cairn_matrix_sum(ctx, s->matrix, &sum, sums));
    s->sum = sums[0];
    memcpy(s->counts, sums + 1, (s->head - 1) * sizeof *sums);
    s->products++;
    if (gradient) memcpy(gradient, sums + s->head, all * sizeof *gradient);
    *value = s->sum + cairn_scored_ridge(s, theta, gradient);
    if (hessian) put_together(s, sums + s->head + all, hessian);
    if (gradient) hold_fixed(s, gradient, hessian);
    return CAIRN_OK;
}

cairn_status cairn_scored_open(cairn_context *ctx, cairn_scored *out, cairn_objective *objective,
                               cairn_row_matrix *matrix, const cairn_row_loss *loss)
{
    size_t m = loss->n_scores;
    *out = (cairn_scored){.matrix = matrix, .loss = loss};
    out->stride = cairn_scored_stride(m, matrix->tiles != NULL);
    out->head = 1 + loss->n_counts;
    out->n_pairs = m * (m + 1) / 2;
    CHECK(SCRATCH(ctx, &out->ridges, matrix->width + 1));
    *objective = (cairn_objective){.n = cairn_product(matrix->width, out->stride), .data = out};
    objective->look = look;
    return matrix->tiles ? cairn_scored_sparse_open(ctx, out, objective) : CAIRN_OK;
}
