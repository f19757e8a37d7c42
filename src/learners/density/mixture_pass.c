/* SPDX-License-Identifier: MIT */
/* The E step and what the M step needs of it in one pass over the rows: nothing is kept of a row.
 *
 * Blocks of rows have sums of their own, which are added in order. A chunk's responsibilities r
 * give N = Σ r, Σ r z and Σ r z z' (or Σ r z²) of all components by one product with the rows, in
 * which z, 1 and the products of z are written out. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "learners/density/mixture.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { MOST_BLOCKS = 64, LEAST_BLOCK = 1024, MOST_PARTIAL = 1 << 24 };

/* Blocks by the numbers of rows and sums alone. */
static void plan_blocks(cairn_mixture_run *run)
{
    size_t n = run->rows->n, blocks = MOST_PARTIAL / run->n_sums;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    if (blocks < 1) blocks = 1;
    run->block = (n + blocks - 1) / blocks;
    if (run->block < LEAST_BLOCK) run->block = LEAST_BLOCK;
    run->n_blocks = cairn_block_count(n, run->block);
}

cairn_status cairn_mixture_run_make(cairn_context *ctx, cairn_mixture_run *out,
                                    const cairn_mixture_rows *rows, cairn_mixture_model *m,
                                    const cairn_mixture_params *params)
{
    *out = (cairn_mixture_run){.rows = rows, .params = params, .m = m};
    CHECK(cairn_mixture_scorer_make(ctx, &out->scorer, m));
    out->n_moments = cairn_product(out->scorer.width, m->k);
    out->n_sums = 1 + out->n_moments + cairn_product(m->n_levels, m->k);
    plan_blocks(out);
    out->n_rooms = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &out->rooms, out->n_rooms));
    for (size_t i = 0; i < out->n_rooms; i++)
        CHECK(cairn_mixture_room_make(ctx, out->rooms + i, &out->scorer));
    CHECK(SCRATCH(ctx, &out->best, cairn_mixture_size(m)));
    CHECK(SCRATCH(ctx, &out->sums, out->n_sums));
    CHECK(SCRATCH(ctx, &out->ends, cairn_mixture_starts(params)));
    for (size_t i = 0; i < rows->n; i++) out->weight += rows->weights[i];
    return SCRATCH(ctx, &out->partial, cairn_product(out->n_blocks, out->n_sums));
}

/* Responsibilities times weights, and the chunk's share of the log-likelihood. */
static double weigh(const cairn_mixture_run *run, size_t first, size_t n, cairn_mixture_room *room)
{
    size_t k = run->m->k;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double w = run->rows->weights[first + i], *r = room->scores + i * k;
        if (run->hard) {
            memset(r, 0, k * sizeof *r);
            r[run->hard[first + i]] = 1;
        }
        if (w > 0) sum += w * room->logs[i];
        for (size_t c = 0; w != 1 && c < k; c++) r[c] *= w;
    }
    return sum;
}

/* Moments of the rows without gaps, k x width. */
static void add_complete(const cairn_mixture_run *run, size_t n, cairn_mixture_room *room,
                         double *moments)
{
    size_t k = run->m->k, w = run->scorer.width;
    cairn_matmul product = {.m = k, .n = w, .k = n};
    product.a = room->scores, product.a_i = 1, product.a_k = k;
    product.b = room->rows, product.b_k = w, product.b_j = 1;
    product.c = moments, product.c_i = w, product.alpha = 1;
    cairn_matmul_alone(&product, room->matmul);
}

/* A filled row of component c with covariances: z z', with what the gaps vary by. */
static void add_filled_matrix(const cairn_mixture_run *run, double r, size_t n_gaps,
                              const cairn_mixture_room *room, double *to)
{
    size_t d = run->m->d;
    const double *z = room->filled;
    for (size_t a = 0; a < d; a++)
        for (size_t b = a; b < d; b++) to[cairn_mixture_pair(d, a, b)] += r * z[a] * z[b];
    for (size_t a = 0; a < n_gaps; a++)
        for (size_t b = a; b < n_gaps; b++)
            to[cairn_mixture_pair(d, room->gaps[a], room->gaps[b])] +=
                r * room->block[a * n_gaps + b];
}

static void add_filled_columns(const cairn_mixture_run *run, size_t c, double r,
                               const cairn_mixture_room *room, double *to)
{
    for (size_t j = 0; j < run->m->d; j++) {
        double z = room->filled[j];
        double v = isnan(room->row[j]) ? cairn_mixture_covariance(run->m, c, j, j) : 0;
        to[j] += r * (z * z + v);
    }
}

/* Moments of a row with gaps: each component expects something else in them. */
static void add_incomplete(const cairn_mixture_run *run, size_t row, const double *r,
                           cairn_mixture_room *room, double *moments)
{
    size_t n_gaps, d = run->m->d, w = run->scorer.width;
    cairn_mixture_read(run->rows, row, 1, room->row, d);
    for (size_t c = 0; c < run->m->k; c++) {
        if (!(r[c] > 0)) continue;
        (void)cairn_mixture_fill(&run->scorer, c, room, &n_gaps);
        double *to = moments + c * w;
        if (cairn_mixture_is_matrix(run->m))
            add_filled_matrix(run, r[c], n_gaps, room, to);
        else
            add_filled_columns(run, c, r[c], room, to);
        cairn_axpy(to + w - d - 1, r[c], room->filled, d);
        to[w - 1] += r[c];
    }
}

static void add_chunk(const cairn_mixture_run *run, size_t first, size_t n,
                      cairn_mixture_room *room, double *sums)
{
    size_t k = run->m->k;
    const cairn_mixture_rows *rows = run->rows;
    double *counts = sums + 1 + run->n_moments;
    cairn_mixture_chunk(&run->scorer, rows, first, n, room);
    sums[0] += weigh(run, first, n, room);
    add_complete(run, n, room, sums + 1);
    bool simple = rows->plain && rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) {
        const double *r = room->scores + i * k;
        if (room->incomplete[i]) add_incomplete(run, first + i, r, room, sums + 1);
        for (size_t c = 0; c < rows->n_level_columns; c++) {
            int32_t code = cairn_mixture_level(rows, c, first + i);
            if (code >= 0) cairn_axpy(counts + (rows->level_starts[c] + (size_t)code) * k, 1, r, k);
        }
    }
}

static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const cairn_mixture_run *run = data;
    double *sums = run->partial + block * run->n_sums;
    memset(sums, 0, run->n_sums * sizeof *sums);
    for (size_t i = begin; i < end; i += CAIRN_MIXTURE_CHUNK) {
        size_t n = end - i < CAIRN_MIXTURE_CHUNK ? end - i : CAIRN_MIXTURE_CHUNK;
        add_chunk(run, i, n, run->rooms + worker, sums);
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

double cairn_mixture_share(const cairn_mixture_run *run, size_t c)
{
    return run->sums[1 + (c + 1) * run->scorer.width - 1];
}

double cairn_mixture_sum(const cairn_mixture_run *run, size_t c, size_t j)
{
    return run->sums[1 + (c + 1) * run->scorer.width - 1 - run->m->d + j];
}

double cairn_mixture_product(const cairn_mixture_run *run, size_t c, size_t a, size_t b)
{
    size_t at = cairn_mixture_is_matrix(run->m) ? cairn_mixture_pair(run->m->d, a, b) : a;
    return run->sums[1 + c * run->scorer.width + at];
}

/* -- answers -- */

typedef struct answering {
    const cairn_mixture_answer *out;
    const cairn_mixture_rows *rows;
    cairn_mixture_scorer scorer;
    cairn_mixture_room *rooms;
} answering;

static int32_t first_largest(const double *r, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (r[c] > r[best]) best = c;
    return (int32_t)best;
}

static void answer_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const answering *a = data;
    cairn_mixture_room *room = a->rooms + worker;
    size_t k = a->scorer.m->k;
    (void)block;
    for (size_t i = begin; i < end; i += CAIRN_MIXTURE_CHUNK) {
        size_t n = end - i < CAIRN_MIXTURE_CHUNK ? end - i : CAIRN_MIXTURE_CHUNK;
        cairn_mixture_chunk(&a->scorer, a->rows, i, n, room);
        if (a->out->scores)
            memcpy(a->out->scores + i * k, room->scores, n * k * sizeof *room->scores);
        if (a->out->logs) memcpy(a->out->logs + i, room->logs, n * sizeof *room->logs);
        for (size_t r = 0; a->out->codes && r < n; r++)
            a->out->codes[i + r] = first_largest(room->scores + r * k, k);
    }
}

cairn_status cairn_mixture_answers(cairn_context *ctx, const cairn_mixture_answer *out,
                                   const cairn_mixture_model *m, const cairn_mixture_rows *rows)
{
    answering a = {.out = out, .rows = rows};
    size_t n_rooms = (size_t)cairn_workers(ctx);
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_mixture_scorer_make(ctx, &a.scorer, m));
    CHECK(cairn_mixture_scorer_set(ctx, &a.scorer));
    CHECK(SCRATCH(ctx, &a.rooms, n_rooms));
    for (size_t i = 0; i < n_rooms; i++)
        CHECK(cairn_mixture_room_make(ctx, a.rooms + i, &a.scorer));
    double work = (double)rows->n * (double)a.scorer.width * (double)a.scorer.n_products;
    return cairn_blocks_sized(ctx, rows->n, LEAST_BLOCK, work, answer_block, &a);
}
