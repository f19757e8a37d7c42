/* SPDX-License-Identifier: MIT */
/* Losses of linear scores with their whole Hessian: one pass over the rows gives loss, gradient
 * X's and Hessian, whose block for the scores k and l is X' diag(c_kl) X, where s and c are the
 * slopes and curvatures of the loss.
 *
 * Cost of a pass: n m^2 / 2 multiplications for one score and m terms, about K^2 / 2 times that
 * for K scores. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "rows/scored.h"
#include "rows/tiles.h"

#include <math.h>
#include <string.h>

/* Losses of linear scores for conjugate gradients: the scores of all rows are kept, a product with
 * the Hessian is X'(C X v) with the curvatures C of the rows, about the cost of a gradient: two
 * multiplications per entry of the rows and score, split over blocks of rows (X v) and over ranges
 * of terms (X'r) that do not depend on the number of threads. */

typedef enum {
    PASS_LOSS,    /* scores of weights, losses, gradient */
    PASS_MOVED,   /* the same from scores that are there */
    PASS_PRODUCT, /* of the Hessian with a direction */
    PASS_DIAGONAL /* of the Hessian */
} pass_kind;

typedef struct cairn_scored_sparse {
    double *kept;    /* n x stride: what the loss keeps of the rows */
    double *work;    /* n x stride: slopes, curvatures */
    double *scores;  /* n x stride: X theta */
    double *along;   /* n x stride: X v of the last product */
    double *lift;    /* n x stride: X step */
    double *buffers; /* a worker's pieces */
    size_t buffer_size;
    double *partial; /* sums of the blocks of rows: head, number columns, intercept */
    size_t partial_size;
    double *sums; /* three for every range of terms */
    /* of the pass at hand */
    pass_kind kind;
    const double *from; /* weights or direction */
    double *to;         /* gradient or product */
    double t;           /* part of the step */
    const cairn_finish *finish;
} sparse;

/* -- passes over the rows -- */

/* X times the weights or direction at hand, for the rows of a block. */
static void make_scores(const cairn_scored *s, double *out, size_t block, size_t begin, size_t n,
                        double *z)
{
    const cairn_row_matrix *m = s->matrix;
    const double *from = s->sparse->from;
    size_t stride = s->stride;
    out += begin * stride;
    const double *last = m->ones ? from + m->n_terms * stride : NULL;
    for (size_t i = 0; i < n && m->n_dense; i += m->piece) {
        size_t rows = n - i < m->piece ? n - i : m->piece;
        cairn_matrix_dense(m, begin + i, rows, z);
        cairn_rows_product(out + i * stride, stride, z, m->n_dense, rows, m->n_dense, from, stride,
                           stride, z + s->sparse->buffer_size - m->product);
    }
    if (!m->n_dense) memset(out, 0, n * stride * sizeof *out);
    for (size_t i = 0; last && i < n; i++)
        for (size_t k = 0; k < stride; k++) out[i * stride + k] += last[k];
    if (m->n_bags) cairn_tile_times(m, block, from, out, stride);
}

/* The curvatures of some rows times u, or their diagonals. */
static void bend_rows(const cairn_scored *s, size_t first, size_t n, const double *kept,
                      const double *u, double *out)
{
    if (s->loss->bend)
        s->loss->bend(s->loss->data, first, n, kept, u, s->stride, out);
    else
        for (size_t i = 0; i < n; i++) out[i] = kept[i] * u[i];
}

static void diagonal_rows(const cairn_scored *s, size_t first, size_t n, double *buffer)
{
    size_t stride = s->stride;
    const double *kept = s->sparse->kept + first * stride;
    double *out = s->sparse->work + first * stride;
    if (!s->loss->curve) {
        memcpy(out, kept, n * sizeof *out);
        return;
    }
    for (size_t k = 0; k < s->loss->n_scores; k++) {
        s->loss->curve(s->loss->data, first, n, kept, stride, k, k, buffer);
        for (size_t i = 0; i < n; i++) out[i * stride + k] = buffer[i];
    }
}

/* The share of the rows in the sums of the number columns and the intercept. */
static void add_dense(const cairn_scored *s, double *sums, size_t begin, size_t n, double *z)
{
    const cairn_row_matrix *m = s->matrix;
    const double *work = s->sparse->work;
    size_t stride = s->stride;
    for (size_t i = 0; i < n && m->n_dense; i += m->piece) {
        size_t rows = n - i < m->piece ? n - i : m->piece;
        cairn_matrix_dense(m, begin + i, rows, z);
        for (size_t j = 0; s->sparse->kind == PASS_DIAGONAL && j < rows * m->n_dense; j++)
            z[j] *= z[j];
        cairn_transposed_product_add(sums, stride, z, m->n_dense, work + (begin + i) * stride,
                                     stride, rows, m->n_dense, stride,
                                     z + s->sparse->buffer_size - m->product);
    }
    double *last = sums + m->n_dense * stride;
    for (size_t i = begin; m->ones && i < begin + n; i++)
        for (size_t k = 0; k < stride; k++) last[k] += work[i * stride + k];
}

/* Loss, slope and curvature of a block of rows at x + t step, from the rows' scores alone. */
static void along_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_scored *s = data;
    const sparse *p = s->sparse;
    size_t stride = s->stride, m = s->loss->n_scores, piece = s->matrix->piece;
    double *a = p->buffers + (size_t)worker * p->buffer_size, *kept = a + piece * stride;
    double *slopes = kept + piece * stride, *bent = slopes + piece * stride;
    double *sums = p->partial + block * p->partial_size, slope = 0, curve = 0;
    double head[1 + CAIRN_SCORED_COUNTS] = {0};
    for (size_t first = begin; first < end; first += piece) {
        size_t n = end - first < piece ? end - first : piece, at = first * stride;
        for (size_t j = 0; j < n * stride; j++) a[j] = p->scores[at + j] + p->t * p->lift[at + j];
        s->loss->rows(s->loss->data, first, n, a, stride, kept, slopes, head);
        bend_rows(s, first, n, kept, p->lift + at, bent);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i * stride; j < i * stride + m; j++) {
                slope += slopes[j] * p->lift[at + j];
                curve += bent[j] * p->lift[at + j];
            }
    }
    sums[0] = head[0];
    sums[1] = slope;
    sums[2] = curve;
}

/* Value, slope and curvature at t along a step: scores are linear in t, so no pass over the matrix
 * is needed, and the ridge is a parabola. */
static cairn_status along(cairn_context *ctx, void *data, const double *x, const double *step,
                          double t, double out[3])
{
    cairn_scored *s = data;
    const cairn_row_matrix *m = s->matrix;
    sparse *p = s->sparse;
    double work = 50 * (double)(m->n * s->loss->n_scores), ridge[3] = {0};
    p->t = t;
    CHECK(cairn_blocks_sized(ctx, m->n, m->block, work, along_block, s));
    memset(out, 0, 3 * sizeof *out);
    for (size_t b = 0; b < m->n_blocks; b++)
        for (size_t i = 0; i < 3; i++) out[i] += p->partial[b * p->partial_size + i];
    for (size_t i = 0; i < m->width; i++)
        for (size_t j = i * s->stride; s->ridges[i] > 0 && j < (i + 1) * s->stride; j++) {
            ridge[0] += s->ridges[i] * x[j] * x[j] / 2;
            ridge[1] += s->ridges[i] * x[j] * step[j];
            ridge[2] += s->ridges[i] * step[j] * step[j] / 2;
        }
    out[0] += ridge[0] + t * (ridge[1] + t * ridge[2]);
    out[1] += ridge[1] + 2 * t * ridge[2];
    out[2] += 2 * ridge[2];
    return CAIRN_OK;
}

/* The four passes over the rows differ in what they compute from the scores; all end in sums over
 * the dense columns. */
static void row_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_scored *s = data;
    sparse *p = s->sparse;
    size_t n = end - begin, at = begin * s->stride;
    double *sums = p->partial + block * p->partial_size;
    double *z = p->buffers + (size_t)worker * p->buffer_size;
    memset(sums, 0, p->partial_size * sizeof *sums);
    if (p->kind == PASS_LOSS) make_scores(s, p->scores, block, begin, n, z);
    if (p->kind == PASS_PRODUCT) make_scores(s, p->along, block, begin, n, z);
    if (p->kind == PASS_LOSS || p->kind == PASS_MOVED)
        s->loss->rows(s->loss->data, begin, n, p->scores + at, s->stride, p->kept + at,
                      p->work + at, sums);
    else if (p->kind == PASS_PRODUCT)
        bend_rows(s, begin, n, p->kept + at, p->along + at, p->work + at);
    else
        diagonal_rows(s, begin, n, z);
    add_dense(s, sums + s->head, begin, n, z);
}

/* The ridge's part of a stretch of terms of a product, and the solver's work with it. */
static void finish_terms(const cairn_scored *s, size_t first, size_t last, double sums[3])
{
    const sparse *p = s->sparse;
    size_t stride = s->stride;
    for (size_t t = first; t < last; t++)
        for (size_t j = t * stride; s->ridges[t] > 0 && j < (t + 1) * stride; j++)
            p->to[j] += s->ridges[t] * p->from[j];
    if (p->finish) p->finish->function(p->finish->data, first * stride, last * stride, sums);
}

/* X'r for a range of items, one block of rows after the other. */
static void item_range(void *data, size_t range, size_t begin, size_t end, int worker)
{
    const cairn_scored *s = data;
    sparse *p = s->sparse;
    size_t first, last;
    (void)worker;
    (void)end;
    (void)begin;
    cairn_range_transposed(s->matrix, range, p->work, p->to, s->stride, p->kind == PASS_DIAGONAL);
    if (p->kind != PASS_PRODUCT) return;
    cairn_range_of(s->matrix, range, &first, &last);
    memset(p->sums + 3 * range, 0, 3 * sizeof *p->sums);
    finish_terms(s, first, last, p->sums + 3 * range);
}

/* One pass: `from` are weights (PASS_LOSS) or a direction, `to` the gradient, product or
 * diagonal. */
static cairn_status pass(cairn_context *ctx, cairn_scored *s, pass_kind kind, const double *from,
                         double *to)
{
    const cairn_row_matrix *m = s->matrix;
    sparse *p = s->sparse;
    double head[1 + CAIRN_SCORED_COUNTS] = {0};
    p->kind = kind;
    p->from = from;
    p->to = to;
    CHECK(cairn_blocks(ctx, m->n, m->block, row_block, s));
    /* Sums of the blocks of rows in block order: the head, the number columns, the intercept. */
    size_t stride = s->stride, dense = m->n_dense * stride;
    double *last = p->to + m->n_terms * stride;
    memset(p->to, 0, dense * sizeof *p->to);
    if (m->ones) memset(last, 0, stride * sizeof *last);
    for (size_t b = 0; b < m->n_blocks; b++) {
        const double *part = p->partial + b * p->partial_size, *sums = part + s->head;
        for (size_t i = 0; i < s->head; i++) head[i] += part[i];
        for (size_t i = 0; i < dense; i++) p->to[i] += sums[i];
        for (size_t k = 0; m->ones && k < stride; k++) last[k] += sums[dense + k];
    }
    if (m->n_bags) CHECK(cairn_blocks(ctx, m->n_ranges, 1, item_range, s));
    s->products++;
    if (kind != PASS_LOSS && kind != PASS_MOVED) return CAIRN_OK;
    s->sum = head[0];
    memcpy(s->counts, head + 1, (s->head - 1) * sizeof *head);
    return CAIRN_OK;
}

/* -- the objective -- */

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

static cairn_status look_sparse(cairn_context *ctx, void *data, const double *theta, double *value,
                                double *gradient, double *hessian)
{
    cairn_scored *s = data;
    (void)hessian;
    CHECK(pass(ctx, s, PASS_LOSS, theta, gradient));
    *value = s->sum + cairn_scored_ridge(s, theta, gradient);
    return CAIRN_OK;
}

static cairn_status times(cairn_context *ctx, void *data, const double *v, double *product,
                          const cairn_finish *finish, double sums[3])
{
    cairn_scored *s = data;
    const cairn_row_matrix *m = s->matrix;
    sparse *p = s->sparse;
    p->finish = finish;
    CHECK(pass(ctx, s, PASS_PRODUCT, v, product));
    memset(sums, 0, 3 * sizeof *sums);
    finish_terms(s, 0, m->n_dense, sums);
    finish_terms(s, m->n_terms, m->width, sums);
    for (size_t r = 0; m->n_bags && r < m->n_ranges; r++)
        for (size_t i = 0; i < 3; i++) sums[i] += p->sums[3 * r + i];
    return CAIRN_OK;
}

static cairn_status diagonal(cairn_context *ctx, void *data, double *out)
{
    cairn_scored *s = data;
    CHECK(pass(ctx, s, PASS_DIAGONAL, NULL, out));
    for (size_t t = 0; t < s->matrix->width; t++)
        for (size_t k = 0; k < s->stride; k++)
            out[t * s->stride + k] =
                k < s->loss->n_scores ? out[t * s->stride + k] + s->ridges[t] : 0;
    return CAIRN_OK;
}

static void follow(void *data, double part)
{
    cairn_scored *s = data;
    size_t size = s->matrix->n * s->stride;
    if (part == 0)
        memset(s->sparse->lift, 0, size * sizeof *s->sparse->lift);
    else
        cairn_axpy(s->sparse->lift, part, s->sparse->along, size);
}

static cairn_status move(cairn_context *ctx, void *data, const double *x, double t, double *value,
                         double *gradient)
{
    cairn_scored *s = data;
    cairn_axpy(s->sparse->scores, t, s->sparse->lift, s->matrix->n * s->stride);
    CHECK(pass(ctx, s, PASS_MOVED, NULL, gradient));
    *value = s->sum + cairn_scored_ridge(s, x, gradient);
    return CAIRN_OK;
}

/* All memory of the solver is taken here, after it was compared with the limit; the passes allocate
 * nothing. */
static cairn_status sparse_buffer(cairn_context *ctx, cairn_scored *s)
{
    const cairn_row_matrix *m = s->matrix;
    sparse *p = s->sparse;
    size_t rows = cairn_product(m->n, s->stride), size = cairn_product(m->width, s->stride);
    CHECK(cairn_memory_check(ctx, 8 * (5 * (double)rows + 10 * (double)size), "conjugate gradients",
                             cairn_say(ctx, "use fewer columns or classes, or raise {memory}")));
    p->partial_size = s->head + 3 + (m->n_dense + 1) * s->stride;
    p->buffer_size = m->piece * (4 * s->stride > m->n_dense ? 4 * s->stride : m->n_dense) +
                     m->block +
                     m->product; /* a piece of rows or of scores, or a block of curvatures */
    CHECK(SCRATCH_EACH(ctx, rows + 1, &p->kept, &p->work, &p->scores, &p->along, &p->lift));
    CHECK(SCRATCH(ctx, &p->buffers, cairn_product((size_t)cairn_workers(ctx), p->buffer_size)));
    CHECK(SCRATCH_RAW(ctx, &p->partial, cairn_product(m->n_blocks + 1, p->partial_size)));
    CHECK(SCRATCH(ctx, &p->sums, 3 * m->n_ranges + 1));
    return cairn_tiles_square(ctx, s->matrix);
}

cairn_status cairn_scored_sparse_open(cairn_context *ctx, cairn_scored *s,
                                      cairn_objective *objective)
{
    CHECK(SCRATCH(ctx, &s->sparse, 1));
    CHECK(sparse_buffer(ctx, s));
    objective->look = look_sparse;
    objective->times = times;
    objective->diagonal = diagonal;
    objective->follow = follow;
    objective->along = along;
    objective->move = move;
    return CAIRN_OK;
}

size_t cairn_scored_buffer(size_t n_scores)
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
    double *scores = piece->buffer, *kept = scores + n * m, *slopes = kept + n * m;
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
        cairn_transposed_product_add(gradient, m, piece->z, width, slopes, m, n, width, m,
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
