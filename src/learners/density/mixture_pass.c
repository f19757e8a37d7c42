/* SPDX-License-Identifier: MIT */
/* The E step and what the M step needs of it in one pass over the rows: nothing is kept of a row.
 *
 * Blocks of rows have sums of their own, which are added in order. A chunk's responsibilities r
 * give N = Σ r, Σ r z and Σ r z z' (or Σ r z²) of all components while its rows are in the
 * cache. */
#include "base/memory.h"
#include "kernels/lane_rows.h"
#include "kernels/kernels.h"
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
    out->n_moments = cairn_product(out->scorer.n_pairs, m->k);
    out->n_sums = 1 + out->n_moments + cairn_product(m->n_levels, m->k);
    plan_blocks(out);
    out->n_rooms = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &out->rooms, out->n_rooms));
    for (size_t i = 0; i < out->n_rooms; i++)
        CHECK(cairn_mixture_room_make(ctx, out->rooms + i, &out->scorer));
    CHECK(SCRATCH_EACH(ctx, cairn_mixture_size(m), &out->best, &out->before));
    CHECK(SCRATCH(ctx, &out->sums, out->n_sums));
    CHECK(SCRATCH(ctx, &out->ends, cairn_mixture_starts(params)));
    for (size_t i = 0; i < rows->n; i++) out->weight += rows->weights[i];
    return SCRATCH(ctx, &out->partial, cairn_product(out->n_blocks, out->n_sums));
}

/* The chunk's share of the log-likelihood. */
static double add_logs(size_t n, const cairn_mixture_room *room)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (room->weights[i] > 0) sum += room->weights[i] * room->logs[i];
    return sum;
}

/* Weights of the rows as responsibilities of the components that are given. */
static void share_hard(const int32_t *hard, size_t k, size_t n, cairn_mixture_room *room)
{
    memset(room->scores, 0, k * CAIRN_MIXTURE_CHUNK * sizeof *room->scores);
    for (size_t i = 0; i < n; i++)
        room->scores[(size_t)hard[i] * CAIRN_MIXTURE_CHUNK + i] = room->weights[i];
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
static void add_incomplete(const cairn_mixture_run *run, size_t row, cairn_mixture_room *room,
                           double *moments)
{
    size_t n_gaps, d = run->m->d, w = run->scorer.n_pairs;
    cairn_mixture_read(run->rows, row, room->row);
    for (size_t c = 0; c < run->m->k; c++) {
        double r = room->shares[c], *to = moments + c * w;
        if (!(r > 0)) continue;
        (void)cairn_mixture_fill(&run->scorer, c, room, &n_gaps);
        if (cairn_mixture_is_matrix(run->m))
            add_filled_matrix(run, r, n_gaps, room, to);
        else
            add_filled_columns(run, c, r, room, to);
        cairn_axpy(to + w - d - 1, r, room->filled, d);
        to[w - 1] += r;
    }
}

/* Row i of the chunk by itself: its levels, and its moments where it has gaps; those it then has
 * no share in any more. */
static void add_row(const cairn_mixture_run *run, size_t row, size_t i, cairn_mixture_room *room,
                    double *sums)
{
    const cairn_mixture_rows *rows = run->rows;
    size_t k = run->m->k;
    double *counts = sums + 1 + run->n_moments;
    for (size_t c = 0; c < k; c++) room->shares[c] = room->scores[c * CAIRN_MIXTURE_CHUNK + i];
    for (size_t j = 0; j < rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(rows, j, row);
        if (code >= 0)
            cairn_axpy(counts + (rows->level_starts[j] + (size_t)code) * k, 1, room->shares, k);
    }
    if (!room->incomplete[i]) return;
    add_incomplete(run, row, room, sums + 1);
    for (size_t c = 0; c < k; c++) room->scores[c * CAIRN_MIXTURE_CHUNK + i] = 0;
}

static void add_chunk(const cairn_mixture_run *run, size_t first, size_t n,
                      cairn_mixture_room *room, double *sums)
{
    const cairn_mixture_scorer *s = &run->scorer;
    size_t padded = cairn_mixture_chunk(s, run->rows, first, n, room, true);
    if (run->hard) share_hard(run->hard + first, run->m->k, n, room);
    sums[0] += add_logs(n, room);
    bool simple = run->rows->plain && run->rows->n_level_columns == 0;
    for (size_t i = 0; !simple && i < n; i++) add_row(run, first + i, i, room, sums);
    cairn_component_sums(sums + 1, room->scores, room->z, CAIRN_MIXTURE_CHUNK, padded, run->m->k,
                         s->left, s->right, s->n_pairs);
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
    cairn_mixture_room *rooms;
} answering;

/* The first largest responsibility of each row. */
static void find_largest(int32_t *codes, size_t k, size_t n, const cairn_mixture_room *room)
{
    for (size_t i = 0; i < n; i++) {
        const double *r = room->scores + i;
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
    cairn_mixture_room *room = a->rooms + worker;
    size_t k = a->scorer.m->k;
    (void)block;
    for (size_t i = begin; i < end; i += CAIRN_MIXTURE_CHUNK) {
        size_t n = end - i < CAIRN_MIXTURE_CHUNK ? end - i : CAIRN_MIXTURE_CHUNK;
        (void)cairn_mixture_chunk(&a->scorer, a->rows, i, n, room, false);
        for (size_t row = 0; out->scores && row < n; row++)
            for (size_t c = 0; c < k; c++)
                out->scores[(i + row) * k + c] = room->scores[c * CAIRN_MIXTURE_CHUNK + row];
        if (out->logs) memcpy(out->logs + i, room->logs, n * sizeof *room->logs);
        if (out->codes) find_largest(out->codes + i, k, n, room);
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
    double work = (double)rows->n * (double)m->k * (double)a.scorer.n_pairs;
    return cairn_blocks_sized(ctx, rows->n, LEAST_BLOCK, work, answer_block, &a);
}
