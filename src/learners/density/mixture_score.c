/* SPDX-License-Identifier: MIT */
/* Log densities and responsibilities of rows, chunk by chunk.
 *
 * A covariance S = R'R of a component turns into U = R⁻¹ / √2, a triangle (or a diagonal), so that
 * half of (z − m)' S⁻¹ (z − m) is the squared length of z'U + u with u = −m'U.
 *
 * In a row with gaps, what is missing has a normal distribution given the rest, with the precision
 * of its part of S⁻¹. Its mean is put in, which leaves the exponent that of the numbers that are
 * there, because the exponent is least for it. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/lane_rows.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "learners/density/mixture.h"
#include <math.h>
#include <string.h>

static const double log_two_pi = 1.8378770664093454836;
static const double root_half = 0.70710678118654752440;

/* -- from parameters to factors -- */

/* The products of a row that are summed up, in the order in which the M step finds them. */
static void list_pairs(cairn_mixture_scorer *s)
{
    size_t d = s->m->d, n = 0;
    for (size_t a = 0; a < d; a++)
        for (size_t b = a; b < (cairn_mixture_is_matrix(s->m) ? d : a + 1); b++)
            s->left[n] = a, s->right[n++] = b;
    for (size_t a = 0; a <= d; a++) s->left[n] = a, s->right[n++] = d;
}

cairn_status cairn_mixture_scorer_make(cairn_context *ctx, cairn_mixture_scorer *out,
                                       const cairn_mixture_model *m)
{
    bool matrix = cairn_mixture_is_matrix(m);
    const size_t tile = CAIRN_COMPONENT_TILE;
    *out = (cairn_mixture_scorer){.m = m, .width = m->d};
    if (matrix) out->width = (m->d + tile - 1) / tile * tile;
    out->factor_size = matrix ? cairn_product(m->d, out->width) : m->d;
    out->n_pairs = (matrix ? cairn_product(m->d, m->d + 1) / 2 : m->d) + m->d + 1;
    CHECK(SCRATCH_EACH(ctx, out->n_pairs, &out->left, &out->right));
    list_pairs(out);
    CHECK(SCRATCH(ctx, &out->factors, cairn_product(m->k, out->factor_size)));
    CHECK(SCRATCH(ctx, &out->shifts, cairn_product(m->k, out->width)));
    CHECK(SCRATCH(ctx, &out->constants, m->k));
    CHECK(SCRATCH(ctx, &out->precision, matrix ? cairn_product(m->k * m->d, m->d) : 0));
    return SCRATCH(ctx, &out->logs, cairn_product(m->n_levels, m->k));
}

/* The factor of one component's covariance: R⁻¹, and the logarithm of R's determinant. */
static cairn_status invert_factor(cairn_context *ctx, double *inverse, double *log_root,
                                  const double *covariance, size_t d)
{
    double *r, condition;
    size_t pivot;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &r, d * d));
    memcpy(r, covariance, d * d * sizeof *r);
    CHECK(cairn_cholesky(ctx, r, d, &condition, &pivot));
    if (pivot < d)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a covariance of the mixture is not positive definite; raise {floor}");
    *log_root = 0;
    memset(inverse, 0, d * d * sizeof *inverse);
    for (size_t j = 0; j < d; j++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        *log_root += cairn_log(r[j * d + j]);
        inverse[j * d + j] = 1 / r[j * d + j];
        for (size_t i = j; i-- > 0;) {
            double sum = 0;
            for (size_t l = i + 1; l <= j; l++) sum += r[i * d + l] * inverse[l * d + j];
            inverse[i * d + j] = -sum / r[i * d + i];
        }
    }
    return CAIRN_OK;
}

/* Factors and precision of component c, whose R⁻¹ is given. */
static cairn_status set_matrix(cairn_context *ctx, cairn_mixture_scorer *s, size_t c,
                               const double *inverse)
{
    const cairn_mixture_model *m = s->m;
    size_t d = m->d;
    const double *mean = cairn_mixture_means(m) + c * d;
    double *shifts = s->shifts + c * s->width, *precision = s->precision + c * d * d;
    for (size_t j = 0; j < d; j++) shifts[j] = 0;
    for (size_t i = 0; i < d; i++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        double *row = s->factors + c * s->factor_size + i * s->width;
        for (size_t j = 0; j < d; j++) {
            row[j] = inverse[i * d + j] * root_half;
            shifts[j] -= mean[i] * row[j];
        }
        for (size_t j = 0; j < d; j++)
            precision[i * d + j] = cairn_dot(inverse + i * d, inverse + j * d, d);
    }
    return CAIRN_OK;
}

/* Without covariances: the diagonal. */
static void set_columns(cairn_mixture_scorer *s, size_t c)
{
    const cairn_mixture_model *m = s->m;
    for (size_t j = 0; j < m->d; j++) {
        size_t at = c * m->d + j;
        s->factors[at] = root_half / sqrt(cairn_mixture_covariance(m, c, j, j));
        s->shifts[at] = -cairn_mixture_means(m)[at] * s->factors[at];
    }
}

cairn_status cairn_mixture_scorer_set(cairn_context *ctx, cairn_mixture_scorer *s)
{
    const cairn_mixture_model *m = s->m;
    const double *spreads = cairn_mixture_spreads(m), *levels = cairn_mixture_levels(m);
    size_t d = m->d;
    double *inverse, log_root = 0, units = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &inverse, cairn_mixture_is_matrix(m) ? cairn_product(d, d) : 0));
    for (size_t j = 0; j < d; j++) units += cairn_log(m->scale[j]) + 0.5 * log_two_pi;
    for (size_t c = 0; c < m->k; c++) {
        if (m->form == CAIRN_MIXTURE_FULL || (m->form == CAIRN_MIXTURE_TIED && c == 0))
            CHECK(invert_factor(ctx, inverse, &log_root,
                                spreads + (m->form == CAIRN_MIXTURE_FULL ? c * d * d : 0), d));
        if (!cairn_mixture_is_matrix(m)) {
            log_root = 0;
            for (size_t j = 0; j < d; j++)
                log_root += 0.5 * cairn_log(cairn_mixture_covariance(m, c, j, j));
        }
        s->constants[c] = cairn_log(m->values[c]) - log_root - units;
        if (cairn_mixture_is_matrix(m))
            CHECK(set_matrix(ctx, s, c, inverse));
        else
            set_columns(s, c);
    }
    cairn_log_each(s->logs, levels, m->n_levels * m->k);
    return CAIRN_OK;
}

cairn_status cairn_mixture_room_make(cairn_context *ctx, cairn_mixture_room *out,
                                     const cairn_mixture_scorer *s)
{
    size_t d = s->m->d, k = s->m->k, n = CAIRN_MIXTURE_CHUNK;
    CHECK(SCRATCH(ctx, &out->z, cairn_product(d + 1, n)));
    CHECK(SCRATCH(ctx, &out->scores, cairn_product(k, n)));
    CHECK(SCRATCH_EACH(ctx, n, &out->logs, &out->weights));
    CHECK(SCRATCH(ctx, &out->numbers, 2 * n));
    CHECK(SCRATCH(ctx, &out->shares, k));
    CHECK(SCRATCH_EACH(ctx, d, &out->row, &out->filled, &out->solved));
    CHECK(SCRATCH(ctx, &out->block, cairn_mixture_is_matrix(s->m) ? cairn_product(d, d) : 0));
    CHECK(SCRATCH(ctx, &out->gaps, d));
    CHECK(SCRATCH(ctx, &out->incomplete, n));
    for (size_t i = 0; i < n; i++) out->z[d * n + i] = 1;
    return CAIRN_OK;
}

/* -- rows with gaps -- */

/* Lower Cholesky factor of the n x n block in place; the logarithm of its determinant's root. */
static double factor_block(double *a, size_t n)
{
    double log_root = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t l = 0; l < j; l++) sum -= a[i * n + l] * a[j * n + l];
            a[i * n + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j * n + j];
        }
        log_root += cairn_log(a[j * n + j]);
    }
    return log_root;
}

static void solve_block(const double *l, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) b[i] -= l[i * n + j] * b[j];
        b[i] /= l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) b[i] -= l[j * n + i] * b[j];
        b[i] /= l[i * n + i];
    }
}

/* From the lower factor to the inverse of the whole, both triangles. */
static void invert_block(double *l, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        l[j * n + j] = 1 / l[j * n + j];
        for (size_t i = j + 1; i < n; i++) {
            double sum = 0;
            for (size_t t = j; t < i; t++) sum += l[i * n + t] * l[t * n + j];
            l[i * n + j] = -sum / l[i * n + i];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t t = i; t < n; t++) sum += l[t * n + i] * l[t * n + j];
            l[j * n + i] = sum;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) l[i * n + j] = l[j * n + i];
}

/* Fill in what is expected given the rest; room->block becomes its covariance. Returns the
 * logarithm of the root of the precision's determinant. */
static double fill_matrix(const cairn_mixture_scorer *s, size_t c, cairn_mixture_room *room,
                          size_t n)
{
    size_t d = s->m->d;
    const double *p = s->precision + c * d * d, *mean = cairn_mixture_means(s->m) + c * d;
    for (size_t a = 0; a < n; a++) {
        const double *row = p + room->gaps[a] * d;
        room->solved[a] = 0;
        for (size_t j = 0; j < d; j++)
            if (!isnan(room->row[j])) room->solved[a] -= row[j] * (room->row[j] - mean[j]);
        for (size_t b = 0; b < n; b++) room->block[a * n + b] = row[room->gaps[b]];
    }
    double log_root = factor_block(room->block, n);
    solve_block(room->block, n, room->solved);
    for (size_t a = 0; a < n; a++)
        room->filled[room->gaps[a]] = mean[room->gaps[a]] + room->solved[a];
    invert_block(room->block, n);
    return log_root;
}

/* The exponent (z − m)' S⁻¹ (z − m) of the row that was filled. */
static double filled_square(const cairn_mixture_scorer *s, size_t c, const cairn_mixture_room *room)
{
    const cairn_mixture_model *m = s->m;
    const double *mean = cairn_mixture_means(m) + c * m->d;
    double square = 0;
    for (size_t j = 0; j < m->d; j++) {
        double u = room->filled[j] - mean[j], sum = 0;
        if (!cairn_mixture_is_matrix(m)) {
            square += u * u / cairn_mixture_covariance(m, c, j, j);
            continue;
        }
        for (size_t i = 0; i < m->d; i++)
            sum += (room->filled[i] - mean[i]) * s->precision[(c * m->d + j) * m->d + i];
        square += u * sum;
    }
    return square;
}

double cairn_mixture_fill(const cairn_mixture_scorer *s, size_t c, cairn_mixture_room *room,
                          size_t *n_gaps)
{
    const cairn_mixture_model *m = s->m;
    const double *mean = cairn_mixture_means(m) + c * m->d;
    double log_density = s->constants[c];
    size_t n = 0;
    for (size_t j = 0; j < m->d; j++) {
        room->filled[j] = room->row[j];
        if (!isnan(room->row[j])) continue;
        room->filled[j] = mean[j];
        room->gaps[n++] = j;
        log_density += cairn_log(m->scale[j]) + 0.5 * log_two_pi;
        if (!cairn_mixture_is_matrix(m))
            log_density += 0.5 * cairn_log(cairn_mixture_covariance(m, c, j, j));
    }
    *n_gaps = n;
    if (cairn_mixture_is_matrix(m)) log_density -= fill_matrix(s, c, room, n);
    return log_density - 0.5 * filled_square(s, c, room);
}

/* -- chunks -- */

/* A row with gaps becomes zeros; a number beyond all measure is brought to one whose square is a
 * number. */
static void mend_rows(const cairn_mixture_scorer *s, size_t n, cairn_mixture_room *room)
{
    const double largest = 1e140;
    const size_t d = s->m->d;
    for (size_t i = 0; i < n; i++) {
        bool gaps = false;
        for (size_t j = 0; j < d; j++) {
            double *z = room->z + j * CAIRN_MIXTURE_CHUNK + i;
            gaps |= isnan(*z);
            if (fabs(*z) > largest) *z = copysign(largest, *z);
        }
        room->incomplete[i] = gaps;
        for (size_t j = 0; gaps && j < d; j++) room->z[j * CAIRN_MIXTURE_CHUNK + i] = 0;
    }
}

/* z of n rows by columns, zeros behind them up to `padded`. */
static void read_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t first,
                       size_t n, size_t padded, cairn_mixture_room *room)
{
    const uint32_t *indices = rows->view->rows.indices;
    for (size_t j = 0; j < rows->d; j++) {
        double *z = room->z + j * CAIRN_MIXTURE_CHUNK;
        if (indices) cairn_gather(z, rows->columns[j], indices + first, n);
        cairn_standardise_column(z, indices ? z : rows->columns[j] + first, n, rows->shift[j],
                                 rows->inverse[j]);
        for (size_t i = n; i < padded; i++) z[i] = 0;
    }
    for (size_t i = 0; i < padded; i++) room->weights[i] = i < n ? rows->weights[first + i] : 0;
    if (!rows->plain) mend_rows(s, n, room);
}

static void score_numbers(const cairn_mixture_scorer *s, size_t n, cairn_mixture_room *room)
{
    const size_t stride = CAIRN_MIXTURE_CHUNK;
    if (!cairn_mixture_is_matrix(s->m)) {
        cairn_component_columns(room->scores, room->z, stride, n, s->m->d, s->m->k, s->constants,
                                s->factors, s->shifts);
        return;
    }
    for (size_t c = 0; c < s->m->k; c++)
        cairn_component_triangle(room->scores + c * stride, room->z, stride, n, s->m->d,
                                 s->constants[c], s->factors + c * s->factor_size, s->width,
                                 s->shifts + c * s->width);
}

/* Scores of row i of the chunk, which has gaps. */
static void score_gaps(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t row,
                       size_t i, cairn_mixture_room *room)
{
    size_t n_gaps;
    cairn_mixture_read(rows, row, room->row);
    for (size_t c = 0; c < s->m->k; c++)
        room->scores[c * CAIRN_MIXTURE_CHUNK + i] = cairn_mixture_fill(s, c, room, &n_gaps);
}

static void score_levels(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t row,
                         size_t i, cairn_mixture_room *room)
{
    size_t k = s->m->k;
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(rows, j, row);
        if (code < 0) continue;
        const double *logs = s->logs + (rows->level_starts[j] + (size_t)code) * k;
        for (size_t c = 0; c < k; c++) room->scores[c * CAIRN_MIXTURE_CHUNK + i] += logs[c];
    }
}

size_t cairn_mixture_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows,
                           size_t first, size_t n, cairn_mixture_room *room, bool weighted)
{
    const size_t step = CAIRN_COMPONENT_ROWS, padded = (n + step - 1) / step * step;
    read_chunk(s, rows, first, n, padded, room);
    score_numbers(s, padded, room);
    bool simple = rows->plain && rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) {
        if (room->incomplete[i]) score_gaps(s, rows, first + i, i, room);
        score_levels(s, rows, first + i, i, room);
    }
    cairn_component_shares(room->scores, room->logs, CAIRN_MIXTURE_CHUNK, padded, s->m->k,
                           weighted ? room->weights : NULL, room->numbers);
    return padded;
}
