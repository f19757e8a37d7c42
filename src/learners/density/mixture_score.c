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
#include "base/number.h"
#include "base/random.h"
#include "entry/probabilities.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "kernels/lane_rows.h"
#include "decompose/linalg.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmeans.h"
#include "learners/density/mixture.h"
#include "base/need.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The E step and what the M step needs of it in one pass over the rows: nothing is kept of a row.
 *
 * Blocks of rows have sums of their own, which are added in order. A chunk's responsibilities r
 * give N = Σ r, Σ r z and Σ r z z' (or Σ r z²) of all components while its rows are in the
 * cache. */

enum { MOST_BLOCKS = 64, LEAST_BLOCK = 1024, MOST_PARTIAL = 1 << 24 };

cairn_status cairn_mixture_run_make(cairn_context *ctx, cairn_mixture_run *out,
                                    const cairn_mixture_rows *rows, cairn_mixture_model *m,
                                    const cairn_mixture_params *params)
{
    *out = (cairn_mixture_run){.rows = rows, .params = params, .m = m};
    CHECK(cairn_mixture_scorer_make(ctx, &out->scorer, m));
    out->n_moments = cairn_product(out->scorer.n_pairs, m->k);
    out->n_sums = 1 + out->n_moments + cairn_product(m->n_levels, m->k);
    /* Blocks by the numbers of rows and sums alone. */
    size_t n = out->rows->n, blocks = MOST_PARTIAL / out->n_sums;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    if (blocks < 1) blocks = 1;
    out->block = (n + blocks - 1) / blocks;
    if (out->block < LEAST_BLOCK) out->block = LEAST_BLOCK;
    out->n_blocks = cairn_block_count(n, out->block);
    out->n_buffers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &out->buffers, out->n_buffers));
    for (size_t i = 0; i < out->n_buffers; i++)
        CHECK(cairn_mixture_buffer_make(ctx, out->buffers + i, &out->scorer));
    CHECK(SCRATCH_EACH(ctx, cairn_mixture_size(m), &out->best, &out->before));
    CHECK(SCRATCH(ctx, &out->sums, out->n_sums));
    CHECK(SCRATCH(ctx, &out->ends, cairn_mixture_starts(params)));
    for (size_t i = 0; i < rows->n; i++) out->weight += rows->weights[i];
    if (params->protocol != CAIRN_PROTOCOL_BATCH) CHECK(SCRATCH(ctx, &out->running, out->n_sums));
    if (params->protocol == CAIRN_PROTOCOL_RANDOM)
        CHECK(SCRATCH_MATRIX(ctx, &out->each, rows->n, out->n_sums,
                             "what every row adds to the sums",
                             "take {protocol batch}, which keeps nothing of a row"));
    return SCRATCH(ctx, &out->partial, cairn_product(out->n_blocks, out->n_sums));
}

/* Weights of the rows as responsibilities of the components that are given. */
static void share_hard(const int32_t *hard, size_t k, size_t n, cairn_mixture_buffer *buffer)
{
    memset(buffer->scores, 0, k * CAIRN_MIXTURE_CHUNK * sizeof *buffer->scores);
    for (size_t i = 0; i < n; i++)
        buffer->scores[(size_t)hard[i] * CAIRN_MIXTURE_CHUNK + i] = buffer->weights[i];
}

/* A filled row of component c with covariances: z z', with what the gaps vary by. */
static void add_filled_matrix(const cairn_mixture_run *run, double r, size_t n_gaps,
                              const cairn_mixture_buffer *buffer, double *to)
{
    size_t d = run->m->d;
    const double *z = buffer->filled;
    for (size_t a = 0; a < d; a++)
        for (size_t b = a; b < d; b++) to[cairn_mixture_pair(d, a, b)] += r * z[a] * z[b];
    for (size_t a = 0; a < n_gaps; a++)
        for (size_t b = a; b < n_gaps; b++)
            to[cairn_mixture_pair(d, buffer->gaps[a], buffer->gaps[b])] +=
                r * buffer->block[a * n_gaps + b];
}

/* Row i of the chunk by itself: its levels, and its moments where it has gaps; those it then has
 * no share in any more. */
static void add_row(const cairn_mixture_run *run, size_t row, size_t i,
                    cairn_mixture_buffer *buffer, double *sums)
{
    const cairn_mixture_rows *rows = run->rows;
    size_t k = run->m->k;
    double *counts = sums + 1 + run->n_moments;
    for (size_t c = 0; c < k; c++) buffer->shares[c] = buffer->scores[c * CAIRN_MIXTURE_CHUNK + i];
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(rows, j, row);
        if (code >= 0)
            cairn_axpy(counts + (rows->level_starts[j] + (size_t)code) * k, 1, buffer->shares, k);
    }
    if (!buffer->incomplete[i]) return;
    /* Moments of a row with gaps: each component expects something else in them. */
    double *moments = sums + 1;
    size_t n_gaps, d = run->m->d, w = run->scorer.n_pairs;
    cairn_mixture_read(run->rows, row, buffer->row);
    for (size_t c = 0; c < run->m->k; c++) {
        double r = buffer->shares[c], *to = moments + c * w;
        if (!(r > 0)) continue;
        (void)cairn_mixture_fill(&run->scorer, c, buffer, &n_gaps);
        if (cairn_mixture_is_matrix(run->m))
            add_filled_matrix(run, r, n_gaps, buffer, to);
        else {
            for (size_t j = 0; j < run->m->d; j++) {
                double z = buffer->filled[j];
                double v = isnan(buffer->row[j]) ? cairn_mixture_covariance(run->m, c, j, j) : 0;
                to[j] += r * (z * z + v);
            }
        }
        cairn_axpy(to + w - d - 1, r, buffer->filled, d);
        to[w - 1] += r;
    }
    for (size_t c = 0; c < k; c++) buffer->scores[c * CAIRN_MIXTURE_CHUNK + i] = 0;
}

static void add_chunk(const cairn_mixture_run *run, size_t first, size_t n,
                      cairn_mixture_buffer *buffer, double *sums)
{
    const cairn_mixture_scorer *s = &run->scorer;
    size_t padded = cairn_mixture_chunk(s, run->rows, first, n, buffer, true);
    if (run->hard) share_hard(run->hard + first, run->m->k, n, buffer);
    /* The chunk's share of the log-likelihood. */
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (buffer->weights[i] > 0) sum += buffer->weights[i] * buffer->logs[i];
    sums[0] += sum;
    bool simple = run->rows->plain && run->rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) add_row(run, first + i, i, buffer, sums);
    cairn_component_sums(sums + 1, buffer->scores, buffer->z, CAIRN_MIXTURE_CHUNK, padded,
                         run->m->k, s->left, s->right, s->n_pairs);
}

static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_mixture_run *run = data;
    double *sums = run->partial + block * run->n_sums;
    memset(sums, 0, run->n_sums * sizeof *sums);
    for (size_t i = begin; i < end; i += CAIRN_MIXTURE_CHUNK) {
        size_t n = end - i < CAIRN_MIXTURE_CHUNK ? end - i : CAIRN_MIXTURE_CHUNK;
        add_chunk(run, i, n, run->buffers + worker, sums);
    }
}

cairn_status cairn_mixture_pass(cairn_context *ctx, cairn_mixture_run *run)
{
    CHECK(cairn_mixture_scorer_set(ctx, &run->scorer));
    double work = (double)run->rows->n * (double)run->n_sums;
    CHECK(cairn_blocks_sized(ctx, run->rows->n, run->block, work, add_block, run));
    memset(run->sums, 0, run->n_sums * sizeof *run->sums);
    for (size_t b = 0; b < run->n_blocks; b++)
        cairn_axpy(run->sums, 1, run->partial + b * run->n_sums, run->n_sums);
    return CAIRN_OK;
}

/* -- row by row --
 *
 * Rows that are drawn have each added something to the sums, which a new look at the row replaces:
 * what EM ends at is where this ends, too (Neal and Hinton, A view of the EM algorithm that
 * justifies incremental, sparse, and other variants, 1998). Rows that are seen once take the place
 * of a share of all that came before, less and less of it (Cappé and Moulines, On-line
 * expectation-maximization for latent data models, 2009). */

/* The share of row number t, in rows of mean weight: small enough at first that a row leaves the
 * covariances of its component whole. */
static double share_of_update(const cairn_mixture_run *run, size_t t)
{
    const double rows_before = 20 * (double)run->m->k, power = 0.7;
    return cairn_pow(rows_before + (double)t, -power);
}

/* Sums over all rows, were they as the parameters say. */
static void expected_sums(const cairn_mixture_run *run, double *sums)
{
    const cairn_mixture_model *m = run->m;
    size_t d = m->d, w = run->scorer.n_pairs;
    double *counts = sums + 1 + run->n_moments;
    for (size_t c = 0; c < m->k; c++) {
        const double *mean = cairn_mixture_means(m) + c * d;
        double *to = sums + 1 + c * w, n = m->values[c] * run->weight;
        for (size_t i = 0; i + d + 1 < w; i++) {
            size_t a = run->scorer.left[i], b = run->scorer.right[i];
            to[i] = n * (cairn_mixture_covariance(m, c, a, b) + mean[a] * mean[b]);
        }
        for (size_t j = 0; j < d; j++) to[w - d - 1 + j] = n * mean[j];
        to[w - 1] = n;
        for (size_t l = 0; l < m->n_levels; l++)
            counts[l * m->k + c] = n * cairn_mixture_levels(m)[l * m->k + c];
    }
}

/* What row i adds to the sums under the parameters of now. */
static cairn_status sums_of_row(cairn_context *ctx, cairn_mixture_run *run, size_t i, double *out)
{
    CHECK(cairn_mixture_scorer_set(ctx, &run->scorer));
    memset(out, 0, run->n_sums * sizeof *out);
    add_chunk(run, i, 1, run->buffers, out);
    return CAIRN_OK;
}

cairn_status cairn_mixture_begin_rows(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    run->updates = 0;
    cairn_random_start(&run->random, cairn_context_seed(ctx), (1u << 21) + start);
    if (!run->each) {
        expected_sums(run, run->running);
        return CAIRN_OK;
    }
    for (size_t i = 0; i < run->rows->n; i++)
        CHECK(sums_of_row(ctx, run, i, run->each + i * run->n_sums));
    return CAIRN_OK;
}

/* The E step of row i, in place of what it added before or of a share of everything, and the M
 * step. */
static cairn_status take_row(cairn_context *ctx, cairn_mixture_run *run, size_t i, double *fresh)
{
    double weight = run->rows->weights[i], *running = run->running;
    if (!(weight > 0)) return CAIRN_OK;
    CHECK(sums_of_row(ctx, run, i, fresh));
    if (run->each) {
        double *before = run->each + i * run->n_sums;
        cairn_axpy(running, -1, before, run->n_sums);
        cairn_axpy(running, 1, fresh, run->n_sums);
        memcpy(before, fresh, run->n_sums * sizeof *before);
    } else {
        double mean = run->weight / (double)run->rows->n;
        double share = fmin(0.5, share_of_update(run, run->updates) * weight / mean);
        for (size_t s = 0; s < run->n_sums; s++)
            running[s] += share * (run->weight / weight * fresh[s] - running[s]);
    }
    run->updates++;
    memcpy(run->sums, running, run->n_sums * sizeof *running);
    return cairn_mixture_step(ctx, run);
}

cairn_status cairn_mixture_take_rows(cairn_context *ctx, cairn_mixture_run *run)
{
    enum { TICK_ROWS = 256 };
    SCOPED_SCRATCH(ctx);
    double *fresh;
    size_t n = run->rows->n;
    CHECK(SCRATCH(ctx, &fresh, run->n_sums));
    if (run->each) memset(run->running, 0, run->n_sums * sizeof *run->running);
    for (size_t i = 0; run->each && i < n; i++)
        cairn_axpy(run->running, 1, run->each + i * run->n_sums, run->n_sums);
    for (size_t r = 0; r < n; r++) {
        if (r % TICK_ROWS == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        size_t i = run->each ? (size_t)cairn_random_below(&run->random, n) : r;
        CHECK(take_row(ctx, run, i, fresh));
    }
    return CAIRN_OK;
}

double cairn_mixture_share(const cairn_mixture_run *run, size_t c)
{
    return run->sums[1 + (c + 1) * run->scorer.n_pairs - 1];
}

double cairn_mixture_sum(const cairn_mixture_run *run, size_t c, size_t j)
{
    return run->sums[1 + (c + 1) * run->scorer.n_pairs - 1 - run->m->d + j];
}

double cairn_mixture_product(const cairn_mixture_run *run, size_t c, size_t a, size_t b)
{
    size_t at = cairn_mixture_is_matrix(run->m) ? cairn_mixture_pair(run->m->d, a, b) : a;
    return run->sums[1 + c * run->scorer.n_pairs + at];
}

/* -- answers -- */

typedef struct answering {
    const cairn_mixture_answer *out;
    const cairn_mixture_rows *rows;
    cairn_mixture_scorer scorer;
    cairn_mixture_buffer *buffers;
} answering;

/* The first largest responsibility of each row. */
static void find_largest(int32_t *codes, size_t k, size_t n, const cairn_mixture_buffer *buffer)
{
    for (size_t i = 0; i < n; i++) {
        const double *r = buffer->scores + i;
        size_t best = 0;
        for (size_t c = 1; c < k; c++)
            if (r[c * CAIRN_MIXTURE_CHUNK] > r[best * CAIRN_MIXTURE_CHUNK]) best = c;
        codes[i] = (int32_t)best;
    }
}

static void answer_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const answering *a = data;
    const cairn_mixture_answer *out = a->out;
    cairn_mixture_buffer *buffer = a->buffers + worker;
    size_t k = a->scorer.m->k;
    (void)block;
    for (size_t i = begin; i < end; i += CAIRN_MIXTURE_CHUNK) {
        size_t n = end - i < CAIRN_MIXTURE_CHUNK ? end - i : CAIRN_MIXTURE_CHUNK;
        (void)cairn_mixture_chunk(&a->scorer, a->rows, i, n, buffer, false);
        for (size_t row = 0; out->scores && row < n; row++)
            for (size_t c = 0; c < k; c++)
                out->scores[(i + row) * k + c] = buffer->scores[c * CAIRN_MIXTURE_CHUNK + row];
        if (out->logs) memcpy(out->logs + i, buffer->logs, n * sizeof *buffer->logs);
        if (out->codes) find_largest(out->codes + i, k, n, buffer);
    }
}

cairn_status cairn_mixture_answers(cairn_context *ctx, const cairn_mixture_answer *out,
                                   const cairn_mixture_model *m, const cairn_mixture_rows *rows)
{
    answering a = {.out = out, .rows = rows};
    size_t n_buffers = (size_t)cairn_workers(ctx);
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_mixture_scorer_make(ctx, &a.scorer, m));
    CHECK(cairn_mixture_scorer_set(ctx, &a.scorer));
    CHECK(SCRATCH(ctx, &a.buffers, n_buffers));
    for (size_t i = 0; i < n_buffers; i++)
        CHECK(cairn_mixture_buffer_make(ctx, a.buffers + i, &a.scorer));
    double work = (double)rows->n * (double)m->k * (double)a.scorer.n_pairs;
    return cairn_blocks_sized(ctx, rows->n, LEAST_BLOCK, work, answer_block, &a);
}

/* The first parameters of a mixture: given ones, a given partition, the clusters of k-means, or
 * drawn rows. Gaps count as the column's mean until the first E step. */

size_t cairn_mixture_starts(const cairn_mixture_params *params)
{
    bool one = params->given || params->start_means || params->protocol == CAIRN_PROTOCOL_ONLINE;
    return one ? 1 : (size_t)params->starts;
}

/* The M step of a partition. */
static cairn_status start_partition(cairn_context *ctx, cairn_mixture_run *run,
                                    const int32_t *groups)
{
    run->hard = groups;
    cairn_status status = cairn_mixture_pass(ctx, run);
    run->hard = NULL;
    CHECK(status);
    return cairn_mixture_step(ctx, run);
}

/* -- k-means -- */

/* The numbers as a table of z in which gaps are 0, for k-means. */
static cairn_status filled_table(cairn_context *ctx, cairn_table **out,
                                 const cairn_mixture_rows *rows)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *z;
    char name[32];
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_table_new(ctx, &table, rows->n));
    CHECK(SCRATCH_RAW(ctx, &z, rows->n));
    for (size_t j = 0; j < rows->d; j++) {
        for (size_t i = 0; i < rows->n; i++) {
            double x = rows->columns[j][cairn_view_row(rows->view, i)];
            z[i] = isnan(x) ? 0 : (x - rows->shift[j]) * rows->inverse[j];
        }
        snprintf(name, sizeof name, "z%zu", j + 1);
        CHECK(cairn_table_put_numbers(ctx, table, name, z));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* A few rounds of k-means from drawn centres. */
static cairn_status start_kmeans(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    enum { ROUNDS = 20 };
    const cairn_mixture_rows *rows = run->rows;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED_SCRATCH(ctx);
    size_t k = run->m->k, empty;
    cairn_kmeans_params params = {.clusters = (int)k, .init = "plusplus", .starts = 1};
    cairn_kmeans_data data;
    cairn_kmeans_run kmeans;
    cairn_view view;
    CHECK(filled_table(ctx, &table, rows));
    CHECK(cairn_view_make(ctx, &view, table, (cairn_rows){.n = rows->n, .weights = rows->weights}));
    CHECK(cairn_kmeans_data_make(ctx, &data, &view, k, false));
    CHECK(cairn_kmeans_run_make(ctx, &kmeans, &data, k, &params));
    CHECK(cairn_kmeans_start(ctx, kmeans.centres, &data, k, &params, start, NULL));
    memset(kmeans.assign, -1, rows->n * sizeof *kmeans.assign);
    CHECK(cairn_kmeans_assign(ctx, &kmeans));
    for (int round = 0; round < ROUNDS && kmeans.changes > 0; round++) {
        cairn_kmeans_move(&kmeans, &empty);
        CHECK(cairn_kmeans_assign(ctx, &kmeans));
    }
    return start_partition(ctx, run, kmeans.assign);
}

/* -- drawn rows -- */

/* Whether two rows have the same cells: components that begin there would stay alike for ever. */
static bool are_alike(const cairn_mixture_rows *rows, size_t a, size_t b)
{
    for (size_t j = 0; j < rows->d; j++) {
        double x = rows->columns[j][cairn_view_row(rows->view, a)];
        double y = rows->columns[j][cairn_view_row(rows->view, b)];
        if (x != y && !(isnan(x) && isnan(y))) return false;
    }
    for (size_t j = 0; j < rows->n_level_columns; j++)
        if (cairn_mixture_level(rows, j, a) != cairn_mixture_level(rows, j, b)) return false;
    return true;
}

/* Whether row number c of a list is like one before it. */
static bool repeats(const cairn_mixture_rows *rows, const size_t *list, size_t c)
{
    for (size_t i = 0; i < c; i++)
        if (are_alike(rows, list[i], list[c])) return true;
    return false;
}

/* Rows of positive weight, no row twice, nor if it can be helped one like another; one stream of
 * random numbers per start. */
static cairn_status start_random(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    enum { MOST_TRIES = 50 };
    cairn_random random;
    size_t *used, n = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &used, run->rows->n));
    for (size_t i = 0; i < run->rows->n; i++)
        if (run->rows->weights[i] > 0) used[n++] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    for (size_t c = 0; c < run->m->k; c++) {
        size_t row = n > c ? 0 : used[cairn_random_below(&random, n)];
        for (int tries = 0; n > c && tries < MOST_TRIES; tries++) {
            size_t at = c + cairn_random_below(&random, n - c);
            row = used[at];
            used[at] = used[c], used[c] = row;
            if (!repeats(run->rows, used, c)) break;
        }
        /* Component c begins at a row: its mean is there, and half of the probability of each
         * column is on the row's level. */
        cairn_mixture_model *m = run->m;
        const cairn_mixture_rows *rows = run->rows;
        double *mean = cairn_mixture_means(m) + c * m->d, *levels = cairn_mixture_levels(m);
        cairn_mixture_read(rows, row, mean);
        for (size_t j = 0; j < m->d; j++)
            if (isnan(mean[j])) mean[j] = 0;
        for (size_t j = 0; j < rows->n_level_columns; j++) {
            int32_t code = cairn_mixture_level(rows, j, row);
            if (code < 0) continue;
            for (size_t l = rows->level_starts[j]; l < rows->level_starts[j + 1]; l++)
                levels[l * m->k + c] *= 0.5;
            levels[(rows->level_starts[j] + (size_t)code) * m->k + c] += 0.5;
        }
    }
    return CAIRN_OK;
}

/* -- given -- */

static cairn_status read_given(cairn_context *ctx, const char *what, const char *text, size_t k,
                               double **out, size_t *n_columns)
{
    size_t n;
    CHECK(cairn_read_matrix(ctx, what, text, out, &n, n_columns));
    if (n == 1 && *n_columns == k) {
        *n_columns = 1;
        return CAIRN_OK;
    }
    if (n != k)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s} has %zu row%s for %zu components; separate them by ;", what, n,
                          n == 1 ? "" : "s", k);
    return CAIRN_OK;
}

/* `z` is the value as it is used. */
static cairn_status check_positive(cairn_context *ctx, const char *what, double value, double z)
{
    char text[CAIRN_NUMBER_SIZE];
    if (z > 0 && isfinite(z)) return CAIRN_OK;
    cairn_number_format(text, value, 6);
    return cairn_fail(ctx, CAIRN_USAGE, "{%s}: %s is not positive, or beyond all measure", what,
                      text);
}

/* Typed variances, one or one per column for each component, brought to the units of z. */
static cairn_status given_variances(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    const char *what = "start-variances";
    double *given, *spreads = cairn_mixture_spreads(m);
    size_t n, d = m->d;
    CHECK(read_given(ctx, what, run->params->start_variances, m->k, &given, &n));
    if (n != 1 && n != d)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{%s} has %zu numbers per component; give one, or one for each of the %zu "
            "number columns",
            what, n, d);
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < d; j++) {
            double v = given[c * n + (n == 1 ? 0 : j)], z = v / m->scale[j] / m->scale[j];
            CHECK(check_positive(ctx, what, v, z));
            if (m->form == CAIRN_MIXTURE_SPHERICAL) spreads[c] = z;
            if (m->form == CAIRN_MIXTURE_DIAGONAL) spreads[c * d + j] = z;
            if (m->form == CAIRN_MIXTURE_TIED) spreads[j * d + j] = z;
            if (m->form == CAIRN_MIXTURE_FULL) spreads[(c * d + j) * d + j] = z;
        }
    return CAIRN_OK;
}

/* Typed weights, which add up to 1. */
static cairn_status given_weights(cairn_context *ctx, cairn_mixture_run *run)
{
    const char *what = "start-weights";
    double *given;
    size_t n, k = run->m->k;
    CHECK(cairn_list_numbers(ctx, what, run->params->start_weights, &given, &n));
    if (n != k)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has %zu numbers for %zu components", what, n, k);
    for (size_t c = 0; c < k; c++) CHECK(check_positive(ctx, what, given[c], given[c]));
    CHECK(cairn_check_probabilities(ctx, what, given, k));
    memcpy(run->m->values, given, k * sizeof *given);
    return CAIRN_OK;
}

/* Means, and variances and weights as far as they are given, all in the units of the columns. */
static cairn_status start_given(cairn_context *ctx, cairn_mixture_run *run)
{
    cairn_mixture_model *m = run->m;
    const char *what = "start-means";
    double *given, *means = cairn_mixture_means(m);
    size_t n;
    SCOPED_SCRATCH(ctx);
    CHECK(read_given(ctx, what, run->params->start_means, m->k, &given, &n));
    if (n != m->d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s} has %zu numbers per component for %zu number columns", what, n,
                          m->d);
    for (size_t i = 0; i < m->k * m->d; i++) {
        means[i] = (given[i] - m->shift[i % m->d]) / m->scale[i % m->d];
        if (!(fabs(means[i]) < 1e100))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: a mean of component %zu is beyond all rows",
                              what, i / m->d + 1);
    }
    if (run->params->start_variances) CHECK(given_variances(ctx, run));
    return run->params->start_weights ? given_weights(ctx, run) : CAIRN_OK;
}

cairn_status cairn_mixture_start(cairn_context *ctx, cairn_mixture_run *run, size_t start)
{
    /* Equal weights, the mean of all rows with their variances, and levels alike: what every
     * start changes. */
    cairn_mixture_model *m = run->m;
    double *spreads = cairn_mixture_spreads(m), *levels = cairn_mixture_levels(m);
    memset(m->values, 0, cairn_mixture_size(m) * sizeof *m->values);
    for (size_t c = 0; c < m->k; c++) m->values[c] = 1 / (double)m->k;
    for (size_t i = 0; i < cairn_mixture_spread_size(m); i++)
        spreads[i] = !cairn_mixture_is_matrix(m) || i / m->d % m->d == i % m->d;
    for (size_t j = 0, at = 0; j < m->n_columns; at += (size_t)m->levels[j++])
        for (size_t l = 0; l < (size_t)m->levels[j] * m->k; l++)
            levels[at * m->k + l] = 1 / (double)m->levels[j];
    if (run->params->start_means) return start_given(ctx, run);
    if (run->params->given) {
        int32_t *groups;
        SCOPED_SCRATCH(ctx);
        CHECK(cairn_given_clusters(ctx, &groups, run->rows->n, run->m->k, run->params->given));
        return start_partition(ctx, run, groups);
    }
    bool once = run->params->protocol == CAIRN_PROTOCOL_ONLINE; /* clusters need all rows */
    if (run->params->init == CAIRN_MIXTURE_KMEANS && run->m->d > 0 && !once)
        return start_kmeans(ctx, run, start);
    return start_random(ctx, run, start);
}

static const double log_two_pi = 1.8378770664093454836;
static const double root_half = 0.70710678118654752440;

/* -- from parameters to factors -- */

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
    /* The products of a row that are summed up, in the order in which the M step finds them. */
    size_t d = out->m->d, n = 0;
    for (size_t a = 0; a < d; a++)
        for (size_t b = a; b < (cairn_mixture_is_matrix(out->m) ? d : a + 1); b++)
            out->left[n] = a, out->right[n++] = b;
    for (size_t a = 0; a <= d; a++) out->left[n] = a, out->right[n++] = d;
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

cairn_status cairn_mixture_buffer_make(cairn_context *ctx, cairn_mixture_buffer *out,
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
static double fill_matrix(const cairn_mixture_scorer *s, size_t c, cairn_mixture_buffer *buffer,
                          size_t n)
{
    size_t d = s->m->d;
    const double *p = s->precision + c * d * d, *mean = cairn_mixture_means(s->m) + c * d;
    for (size_t a = 0; a < n; a++) {
        const double *row = p + buffer->gaps[a] * d;
        buffer->solved[a] = 0;
        for (size_t j = 0; j < d; j++)
            if (!isnan(buffer->row[j])) buffer->solved[a] -= row[j] * (buffer->row[j] - mean[j]);
        for (size_t b = 0; b < n; b++) buffer->block[a * n + b] = row[buffer->gaps[b]];
    }
    double log_root = factor_block(buffer->block, n);
    const double *l = buffer->block;
    double *b = buffer->solved;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) b[i] -= l[i * n + j] * b[j];
        b[i] /= l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) b[i] -= l[j * n + i] * b[j];
        b[i] /= l[i * n + i];
    }
    for (size_t a = 0; a < n; a++)
        buffer->filled[buffer->gaps[a]] = mean[buffer->gaps[a]] + buffer->solved[a];
    invert_block(buffer->block, n);
    return log_root;
}

/* The exponent (z − m)' S⁻¹ (z − m) of the row that was filled. */
static double filled_square(const cairn_mixture_scorer *s, size_t c,
                            const cairn_mixture_buffer *buffer)
{
    const cairn_mixture_model *m = s->m;
    const double *mean = cairn_mixture_means(m) + c * m->d;
    double square = 0;
    for (size_t j = 0; j < m->d; j++) {
        double u = buffer->filled[j] - mean[j], sum = 0;
        if (!cairn_mixture_is_matrix(m)) {
            square += u * u / cairn_mixture_covariance(m, c, j, j);
            continue;
        }
        for (size_t i = 0; i < m->d; i++)
            sum += (buffer->filled[i] - mean[i]) * s->precision[(c * m->d + j) * m->d + i];
        square += u * sum;
    }
    return square;
}

double cairn_mixture_fill(const cairn_mixture_scorer *s, size_t c, cairn_mixture_buffer *buffer,
                          size_t *n_gaps)
{
    const cairn_mixture_model *m = s->m;
    const double *mean = cairn_mixture_means(m) + c * m->d;
    double log_density = s->constants[c];
    size_t n = 0;
    for (size_t j = 0; j < m->d; j++) {
        buffer->filled[j] = buffer->row[j];
        if (!isnan(buffer->row[j])) continue;
        buffer->filled[j] = mean[j];
        buffer->gaps[n++] = j;
        log_density += cairn_log(m->scale[j]) + 0.5 * log_two_pi;
        if (!cairn_mixture_is_matrix(m))
            log_density += 0.5 * cairn_log(cairn_mixture_covariance(m, c, j, j));
    }
    *n_gaps = n;
    if (cairn_mixture_is_matrix(m)) log_density -= fill_matrix(s, c, buffer, n);
    return log_density - 0.5 * filled_square(s, c, buffer);
}

/* -- chunks -- */

/* z of n rows by columns, zeros behind them up to `padded`. */
static void read_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t first,
                       size_t n, size_t padded, cairn_mixture_buffer *buffer)
{
    const uint32_t *indices = rows->view->rows.indices;
    for (size_t j = 0; j < rows->d; j++) {
        double *z = buffer->z + j * CAIRN_MIXTURE_CHUNK;
        if (indices) cairn_gather(z, rows->columns[j], indices + first, n);
        cairn_standardise_column(z, indices ? z : rows->columns[j] + first, n, rows->shift[j],
                                 rows->inverse[j]);
        for (size_t i = n; i < padded; i++) z[i] = 0;
    }
    for (size_t i = 0; i < padded; i++) buffer->weights[i] = i < n ? rows->weights[first + i] : 0;
    if (!rows->plain) {
        /* A row with gaps becomes zeros; a number beyond all measure is brought to one whose
         * square is a number. */
        const double largest = 1e140;
        const size_t d = s->m->d;
        for (size_t i = 0; i < n; i++) {
            bool gaps = false;
            for (size_t j = 0; j < d; j++) {
                double *z = buffer->z + j * CAIRN_MIXTURE_CHUNK + i;
                gaps |= isnan(*z);
                if (fabs(*z) > largest) *z = copysign(largest, *z);
            }
            buffer->incomplete[i] = gaps;
            for (size_t j = 0; gaps && j < d; j++) buffer->z[j * CAIRN_MIXTURE_CHUNK + i] = 0;
        }
    }
}

static void score_numbers(const cairn_mixture_scorer *s, size_t n, cairn_mixture_buffer *buffer)
{
    const size_t stride = CAIRN_MIXTURE_CHUNK;
    if (!cairn_mixture_is_matrix(s->m)) {
        cairn_component_columns(buffer->scores, buffer->z, stride, n, s->m->d, s->m->k,
                                s->constants, s->factors, s->shifts);
        return;
    }
    for (size_t c = 0; c < s->m->k; c++)
        cairn_component_triangle(buffer->scores + c * stride, buffer->z, stride, n, s->m->d,
                                 s->constants[c], s->factors + c * s->factor_size, s->width,
                                 s->shifts + c * s->width);
}

static void score_levels(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows, size_t row,
                         size_t i, cairn_mixture_buffer *buffer)
{
    size_t k = s->m->k;
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(rows, j, row);
        if (code < 0) continue;
        const double *logs = s->logs + (rows->level_starts[j] + (size_t)code) * k;
        for (size_t c = 0; c < k; c++) buffer->scores[c * CAIRN_MIXTURE_CHUNK + i] += logs[c];
    }
}

size_t cairn_mixture_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows,
                           size_t first, size_t n, cairn_mixture_buffer *buffer, bool weighted)
{
    const size_t step = CAIRN_COMPONENT_ROWS, padded = (n + step - 1) / step * step;
    read_chunk(s, rows, first, n, padded, buffer);
    score_numbers(s, padded, buffer);
    bool simple = rows->plain && rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) {
        if (buffer->incomplete[i]) {
            /* Scores of row i of the chunk, which has gaps. */
            size_t row = first + i;
            size_t n_gaps;
            cairn_mixture_read(rows, row, buffer->row);
            for (size_t c = 0; c < s->m->k; c++)
                buffer->scores[c * CAIRN_MIXTURE_CHUNK + i] =
                    cairn_mixture_fill(s, c, buffer, &n_gaps);
        }
        score_levels(s, rows, first + i, i, buffer);
    }
    cairn_component_shares(buffer->scores, buffer->logs, CAIRN_MIXTURE_CHUNK, padded, s->m->k,
                           weighted ? buffer->weights : NULL, buffer->numbers);
    return padded;
}
