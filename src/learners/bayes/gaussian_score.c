/* SPDX-License-Identifier: MIT */
/* Scores of rows in blocks: x − centre of all rows of a block, one product with the linear scores
 * of the classes, or one with each factor. Rows with missing cells are done by themselves with the
 * covariance of the cells that are there, which is the density with the others summed over. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/products.h"
#include "learners/bayes/gaussian.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 256, PANEL = 16 };

typedef struct scoring {
    const cairn_gaussian_model *m;
    const cairn_view *view;
    bool linear, missing; /* linear scores will do; some cell is missing */
    double *room;         /* a worker's */
    size_t room_size;
    size_t product; /* numbers that a product works in */
    cairn_gaussian_observed *observed;
    cairn_prediction *to; /* NULL = only scores are wanted */
    double *scores;       /* rows x classes; may be NULL */
    double *density, *error, *discriminant;
    int32_t positive;
} scoring;

double cairn_gaussian_posterior(double *scores, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < n; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < n; c++) sum += scores[c] = cairn_exp(scores[c] - most);
    for (size_t c = 0; c < n; c++) scores[c] /= sum;
    return most + cairn_log(sum);
}

/* -- a row by itself -- */

/* A row that is so far away that squares overflow: only its direction counts, and the class whose
 * density falls slowest gets it. */
static void score_far(const cairn_gaussian_model *m, const double *z, double *out)
{
    size_t p = m->n_columns, k = m->n_classes;
    double largest = 0, best = -INFINITY;
    for (size_t j = 0; j < p; j++)
        if (!m->constant[j]) largest = fmax(largest, fmin(fabs(z[j]), DBL_MAX));
    for (size_t c = 0; c < k; c++) {
        const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
        double score = 0;
        for (size_t j = 0; j < p; j++) {
            double sum = 0;
            for (size_t i = m->diagonal ? j : 0; i <= j; i++) {
                double u = isnan(z[i]) || m->constant[i]
                               ? 0
                               : fmax(-DBL_MAX, fmin(z[i], DBL_MAX)) / largest;
                sum += m->planes ? (i == j) * u * m->planes[j * k + c]
                                 : u * (m->diagonal ? f[j] : f[i * p + j]);
            }
            score += m->planes ? sum : -sum * sum;
        }
        out[c] = m->log_prior[c] > -INFINITY ? score : -INFINITY;
        best = fmax(best, out[c]);
    }
    for (size_t c = 0; c < k; c++) out[c] = out[c] == best ? 0 : -INFINITY;
}

/* -- a block -- */

/* y (n x p, begun) += z M: panels of columns, each of which needs only the rows down to its end. */
static void add_product(const cairn_gaussian_model *m, size_t f, const double *z, size_t n,
                        double *y, double *room)
{
    size_t p = m->n_columns;
    for (size_t from = 0; from < p; from += PANEL) {
        size_t to = from + PANEL < p ? from + PANEL : p;
        cairn_matmul product = {.m = n,
                                .n = to - from,
                                .k = to,
                                .a = z,
                                .a_i = p,
                                .a_k = 1,
                                .b = m->factors + f * p * p + from,
                                .b_k = p,
                                .b_j = 1,
                                .c = y + from,
                                .c_i = p,
                                .alpha = 1};
        cairn_matmul_alone(&product, room);
    }
}

static void score_linear(const scoring *s, const double *z, size_t n, double *out, double *room)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes;
    cairn_matmul product = {.m = n,
                            .n = k,
                            .k = p,
                            .a = z,
                            .a_i = p,
                            .a_k = 1,
                            .b = m->planes,
                            .b_k = k,
                            .b_j = 1,
                            .c = out,
                            .c_i = k,
                            .alpha = 1};
    for (size_t i = 0; i < n; i++) memcpy(out + i * k, m->planes + p * k, k * sizeof *out);
    cairn_matmul_alone(&product, room);
}

/* Squared length of y less an offset. */
static double squares_of(const double *y, const double *offset, size_t n)
{
    double sums[4] = {0};
    size_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (size_t l = 0; l < 4; l++)
            sums[l] += (y[j + l] - offset[j + l]) * (y[j + l] - offset[j + l]);
    for (; j < n; j++) sums[j % 4] += (y[j] - offset[j]) * (y[j] - offset[j]);
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/* Every factor is applied once to all rows of the block. */
static void score_densities(const scoring *s, const double *z, size_t n, double *out, double *y,
                            double *room)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes;
    for (size_t c = 0; c < k; c++) {
        size_t f = cairn_gaussian_factor(m, c);
        bool fresh = c == 0 || m->n_factors > 1;
        if (fresh && m->diagonal)
            for (size_t i = 0; i < n * p; i++) y[i] = z[i] * m->factors[f * p + i % p];
        if (fresh && !m->diagonal) {
            memset(y, 0, n * p * sizeof *y);
            add_product(m, f, z, n, y, room);
        }
        for (size_t i = 0; i < n; i++)
            out[i * k + c] = m->log_bases[c] - squares_of(y + i * p, m->offsets + c * p, p) / 2;
    }
}

/* Rows that the products cannot do. */
static void mend_row(const scoring *s, const double *z, double *out, int worker)
{
    const cairn_gaussian_model *m = s->m;
    bool missing = false, sound = true, any = false;
    for (size_t j = 0; s->missing && j < m->n_columns; j++) missing |= isnan(z[j]) != 0;
    if (missing) cairn_gaussian_observed_scores(m, &s->observed[worker], z, out);
    for (size_t c = 0; c < m->n_classes; c++) {
        sound &= !isnan(out[c]) && out[c] < INFINITY;
        any |= out[c] > -INFINITY;
    }
    if (!sound || !any) score_far(m, z, out);
}

/* Two classes: the positive one less the other; more: the largest less the next. */
static double discriminant_of(const scoring *s, const double *p, size_t n)
{
    double most = 0, next = 0;
    if (n == 2) {
        size_t a = s->positive >= 0 ? (size_t)s->positive : 1;
        return p[a] - p[1 - a];
    }
    for (size_t c = 0; c < n; c++) {
        if (p[c] > most) {
            next = most;
            most = p[c];
        } else {
            next = fmax(next, p[c]);
        }
    }
    return most - next;
}

/* The class, and what else is wanted of the row; exponentials only where they are. */
static void give_row(const scoring *s, double *scores, size_t i)
{
    size_t k = s->m->n_classes, best = 0;
    for (size_t c = 1; c < k; c++)
        if (scores[c] > scores[best]) best = c;
    if (s->to->codes) s->to->codes[i] = (int32_t)best;
    if (!s->to->scores && !s->density) return;
    double density = cairn_gaussian_posterior(scores, k);
    if (s->to->scores) memcpy(s->to->scores + i * k, scores, k * sizeof *scores);
    if (!s->density) return;
    double rest = 0;
    for (size_t c = 0; c < k; c++) rest += c == best ? 0 : scores[c];
    s->density[i] = density;
    s->error[i] = rest;
    s->discriminant[i] = discriminant_of(s, scores, k);
}

/* Rows are moved to the centre first: means that are large beside the deviations cost no digits. */
static void score_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const scoring *s = data;
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes, n = end - begin;
    double *z = s->room + (size_t)worker * s->room_size, *y = z + BLOCK_ROWS * p;
    double *out = y + BLOCK_ROWS * p, *room = out + BLOCK_ROWS * k;
    (void)block;
    cairn_view_block(s->view, begin, n, z);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) z[i * p + j] -= m->centre[j];
    if (s->linear)
        score_linear(s, z, n, out, room);
    else
        score_densities(s, z, n, out, y, room);
    for (size_t i = 0; i < n; i++) {
        mend_row(s, z + i * p, out + i * k, worker);
        if (s->scores) memcpy(s->scores + (begin + i) * k, out + i * k, k * sizeof *out);
        if (s->to) give_row(s, out + i * k, begin + i);
    }
}

/* -- preparing -- */

static cairn_status make_observed(cairn_context *ctx, scoring *s, size_t workers)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns;
    for (size_t f = 0; f < p; f++) s->missing |= s->view->features[f]->n_missing > 0;
    CHECK(SCRATCH(ctx, &s->observed, workers));
    for (size_t w = 0; s->missing && w < workers; w++)
        CHECK(cairn_gaussian_observed_new(ctx, &s->observed[w], m));
    return CAIRN_OK;
}

/* All room is taken before the blocks start, as workers may not allocate. */
static cairn_status score(cairn_context *ctx, scoring *s)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes, workers = (size_t)cairn_workers(ctx);
    size_t n = s->view->rows.n, panel = cairn_matmul_room(BLOCK_ROWS, PANEL, p);
    s->product = cairn_matmul_room(BLOCK_ROWS, k, p);
    if (panel > s->product) s->product = panel;
    s->room_size = cairn_product(BLOCK_ROWS, 2 * p + k) + s->product;
    CHECK(make_observed(ctx, s, workers));
    CHECK(SCRATCH_RAW(ctx, &s->room, cairn_product(workers, s->room_size) + 1));
    double work = (double)n * (double)k * (double)(p + 1) * (s->linear ? 1.0 : (double)(p + 1));
    return cairn_blocks_sized(ctx, n, BLOCK_ROWS, work, score_block, s);
}

cairn_status cairn_gaussian_scores(cairn_context *ctx, double *out, const cairn_gaussian_model *m,
                                   const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = m, .view = view, .scores = out};
    return score(ctx, &s);
}

cairn_status cairn_gaussian_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_gaussian_model *m = model;
    scoring s = {.m = m, .view = job->view, .to = out, .positive = job->positive};
    s.linear = m->planes && !out->extra;
    if (out->extra) {
        CHECK(SCRATCH_RAW(ctx, &s.density, out->n_rows + 1));
        CHECK(SCRATCH_RAW(ctx, &s.error, out->n_rows + 1));
        CHECK(SCRATCH_RAW(ctx, &s.discriminant, out->n_rows + 1));
    }
    CHECK(score(ctx, &s));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_add_numbers(ctx, out->extra, "log_density", s.density));
    CHECK(cairn_table_add_numbers(ctx, out->extra, "error", s.error));
    return cairn_table_add_numbers(ctx, out->extra, "discriminant", s.discriminant);
}
