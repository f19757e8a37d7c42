/* SPDX-License-Identifier: MIT */
/* Log densities and responsibilities of rows, chunk by chunk.
 *
 * A covariance S = R'R of component c turns into the factor R⁻¹, so that (z − m)' S⁻¹ (z − m) is
 * the squared length of (z − m)' R⁻¹. The factors of all components stand side by side, with
 * −m' R⁻¹ in a last row, and one product makes those of all rows. Without covariances the exponent
 * is linear in z², z and 1, and the product is the log density itself.
 *
 * In a row with gaps, what is missing has a normal distribution given the rest, with the precision
 * of its part of S⁻¹. Its mean is put in, which leaves the exponent that of the numbers that are
 * there, because the exponent is least for it. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "kernels/products.h"
#include "learners/density/mixture.h"
#include <math.h>
#include <string.h>

static const double log_two_pi = 1.8378770664093454836;

/* -- from parameters to factors -- */

cairn_status cairn_mixture_scorer_make(cairn_context *ctx, cairn_mixture_scorer *out,
                                       const cairn_mixture_model *m)
{
    bool matrix = cairn_mixture_is_matrix(m);
    *out = (cairn_mixture_scorer){.m = m};
    out->width = (matrix ? cairn_product(m->d, m->d + 1) / 2 : m->d) + m->d + 1;
    out->n_products = matrix ? cairn_product(m->k, m->d) : m->k;
    CHECK(SCRATCH(ctx, &out->factors,
                  cairn_product(matrix ? m->d + 1 : out->width, out->n_products)));
    CHECK(SCRATCH(ctx, &out->constants, m->k));
    CHECK(SCRATCH(ctx, &out->precision, matrix ? cairn_product(out->n_products, m->d) : 0));
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

/* Factors, constant and precision of component c, whose R⁻¹ is given. */
static void set_matrix(cairn_mixture_scorer *s, size_t c, const double *inverse)
{
    const cairn_mixture_model *m = s->m;
    size_t d = m->d;
    const double *mean = cairn_mixture_means(m) + c * d;
    double *last = s->factors + d * s->n_products + c * d, *precision = s->precision + c * d * d;
    for (size_t j = 0; j < d; j++) last[j] = 0;
    for (size_t i = 0; i < d; i++) {
        double *row = s->factors + i * s->n_products + c * d;
        for (size_t j = 0; j < d; j++) {
            row[j] = inverse[i * d + j];
            last[j] -= mean[i] * row[j];
        }
        for (size_t j = 0; j < d; j++)
            precision[i * d + j] = cairn_dot(inverse + i * d, inverse + j * d, d);
    }
}

/* Without covariances: the exponent as a sum over z², z and 1. */
static void set_columns(cairn_mixture_scorer *s, size_t c)
{
    const cairn_mixture_model *m = s->m;
    size_t d = m->d, k = m->k;
    double *last = s->factors + 2 * d * k + c;
    *last = s->constants[c];
    for (size_t j = 0; j < d; j++) {
        double v = cairn_mixture_covariance(m, c, j, j), mean = cairn_mixture_means(m)[c * d + j];
        s->factors[j * k + c] = -0.5 / v;
        s->factors[(d + j) * k + c] = mean / v;
        *last -= 0.5 * mean * mean / v;
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
            set_matrix(s, c, inverse);
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
    size_t block = cairn_mixture_is_matrix(s->m) ? cairn_product(d, d) : 0;
    size_t one = cairn_matmul_room(n, s->n_products, block ? d + 1 : s->width);
    size_t two = cairn_matmul_room(k, s->width, n);
    CHECK(SCRATCH(ctx, &out->rows, cairn_product(n, s->width)));
    CHECK(SCRATCH(ctx, &out->products, cairn_product(n, s->n_products)));
    CHECK(SCRATCH(ctx, &out->scores, cairn_product(n, k)));
    CHECK(SCRATCH(ctx, &out->logs, n));
    CHECK(SCRATCH(ctx, &out->row, d));
    CHECK(SCRATCH(ctx, &out->filled, d));
    CHECK(SCRATCH(ctx, &out->solved, d));
    CHECK(SCRATCH(ctx, &out->block, block));
    CHECK(SCRATCH(ctx, &out->gaps, d));
    CHECK(SCRATCH(ctx, &out->incomplete, n));
    return SCRATCH(ctx, &out->matmul, one > two ? one : two);
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
 * number. Returns whether there are gaps. */
static bool mend_row(double *row, size_t width, double *z, size_t d)
{
    const double largest = 1e140;
    bool gaps = false;
    for (size_t j = 0; j < d; j++) {
        gaps |= isnan(z[j]);
        if (fabs(z[j]) > largest) z[j] = copysign(largest, z[j]);
    }
    if (gaps) memset(row, 0, width * sizeof *row);
    return gaps;
}

/* z, 1 and the products of z, which the sums want. */
static void write_rows(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t first,
                       size_t n, cairn_mixture_room *room)
{
    bool matrix = cairn_mixture_is_matrix(s->m);
    size_t d = s->m->d, w = s->width;
    cairn_mixture_read(rows, first, n, room->rows + w - d - 1, w);
    for (size_t i = 0; i < n; i++) {
        double *row = room->rows + i * w, *to = row;
        double *z = row + w - d - 1;
        room->incomplete[i] = !rows->plain && mend_row(row, w, z, d);
        row[w - 1] = !room->incomplete[i];
        for (size_t j = 0; !matrix && j < d; j++) row[j] = z[j] * z[j];
        for (size_t a = 0; matrix && a < d; to += d - a++)
            for (size_t b = a; b < d; b++) to[b - a] = z[a] * z[b];
    }
}

/* Log densities by one product of the rows with the factors. */
static void score_numbers(const cairn_mixture_scorer *s, size_t n, cairn_mixture_room *room)
{
    size_t k = s->m->k, d = s->m->d;
    bool matrix = cairn_mixture_is_matrix(s->m);
    size_t used = matrix ? d + 1 : s->width;
    cairn_matmul product = {.m = n, .n = s->n_products, .k = used};
    product.a = room->rows + s->width - used, product.a_i = s->width, product.a_k = 1;
    product.b = s->factors, product.b_k = s->n_products, product.b_j = 1;
    product.c = matrix ? room->products : room->scores, product.c_i = s->n_products;
    product.alpha = 1, product.set = true;
    cairn_matmul_alone(&product, room->matmul);
    if (!matrix) return;
    cairn_matmul_norms(room->scores, room->products, n * k, d);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++)
            room->scores[i * k + c] = s->constants[c] - 0.5 * room->scores[i * k + c];
}

static void score_gaps(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t row,
                       double *scores, cairn_mixture_room *room)
{
    size_t n_gaps;
    cairn_mixture_read(rows, row, 1, room->row, s->m->d);
    for (size_t c = 0; c < s->m->k; c++) scores[c] = cairn_mixture_fill(s, c, room, &n_gaps);
}

void cairn_mixture_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows,
                         size_t first, size_t n, cairn_mixture_room *room)
{
    size_t k = s->m->k;
    write_rows(s, rows, first, n, room);
    score_numbers(s, n, room);
    bool simple = rows->plain && rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) {
        double *scores = room->scores + i * k;
        if (room->incomplete[i]) score_gaps(s, rows, first + i, scores, room);
        for (size_t c = 0; c < rows->n_level_columns; c++) {
            int32_t code = cairn_mixture_level(rows, c, first + i);
            if (code >= 0)
                cairn_axpy(scores, 1, s->logs + (rows->level_starts[c] + (size_t)code) * k, k);
        }
    }
    cairn_softmax_rows(room->scores, room->logs, k, n, k);
}
