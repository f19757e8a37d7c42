/* SPDX-License-Identifier: MIT */
/* The proof of a mixture: its log-likelihood once more, row by row, from the parameters alone
 * (stats/plain_normal.h), and how far the parameters are from where EM stands still. Rows with gaps
 * are worked on through the covariances of what is there; the E step goes through the inverses.
 *
 * One pass over the rows, at about the cost of a few E steps. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/density/mixture.h"
#include "parallel/parallel.h"
#include "stats/plain_normal.h"

#include <math.h>

enum { BLOCK = 4096 };

/* Sums of a block: the log-likelihood, the sizes of its terms, and of each component its share and,
 * in each column, Σ r (z − m) and Σ r |z − m|. */
enum { LOG, SIZE, SHARES };

typedef struct buffer {
    double *z, *logs, *y; /* d, k, d */
    cairn_plain_normal part;
} buffer;

typedef struct proving {
    const cairn_mixture_model *m;
    const cairn_mixture_rows *rows;
    cairn_plain_normal *laws; /* k: of rows without gaps */
    double *spreads;          /* without covariances: k x d, all variances */
    double *bases;            /* k: ln of the weights, less those of the units */
    double *level_logs;       /* n_levels x k */
    buffer *buffers;          /* of the workers */
    double *partial;          /* blocks x n_sums */
    size_t n_sums;
} proving;

static const double *spread_of(const proving *p, size_t c)
{
    const cairn_mixture_model *m = p->m;
    if (!cairn_mixture_is_matrix(m)) return p->spreads + c * m->d;
    return cairn_mixture_spreads(m) + (m->form == CAIRN_MIXTURE_FULL ? c * m->d * m->d : 0);
}

/* A row's part of the sums. */
static void add_row(const proving *p, buffer *to, size_t row, double *sums)
{
    const cairn_mixture_model *m = p->m;
    double weight = p->rows->weights[row];
    /* ln of weight and density of every component. */
    bool gaps = false;
    cairn_mixture_read(p->rows, row, to->z);
    for (size_t j = 0; j < m->d; j++) gaps |= isnan(to->z[j]);
    for (size_t c = 0; c < m->k; c++) {
        cairn_plain_normal law = gaps ? to->part : p->laws[c];
        if (gaps && (c == 0 || m->form != CAIRN_MIXTURE_TIED)) {
            cairn_plain_normal_set(&to->part, spread_of(p, c), to->z);
            law = to->part;
        }
        law.y = to->y;
        to->logs[c] = cairn_log(m->values[c]) +
                      cairn_plain_normal_log(&law, to->z, cairn_mixture_means(m) + c * m->d);
        for (size_t i = 0; i < law.n; i++) to->logs[c] -= p->bases[law.at[i]];
    }
    for (size_t j = 0; j < p->rows->n_level_columns; j++) {
        int32_t code = cairn_mixture_level(p->rows, j, row);
        if (code < 0) continue;
        size_t at = (p->rows->level_starts[j] + (size_t)code) * m->k;
        for (size_t c = 0; c < m->k; c++) to->logs[c] += p->level_logs[at + c];
    }
    double log = cairn_plain_shares(to->logs, m->k);
    sums[LOG] += weight * log;
    sums[SIZE] += weight * (1 + fabs(log));
    for (size_t c = 0; c < m->k; c++) {
        double r = weight * to->logs[c], *of = sums + SHARES + c * (1 + 2 * m->d);
        of[0] += r;
        for (size_t j = 0; j < m->d; j++) {
            double off = r * (to->z[j] - cairn_mixture_means(m)[c * m->d + j]);
            of[1 + 2 * j] += off;
            of[2 + 2 * j] += fabs(off);
        }
    }
}

static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    for (size_t i = begin; i < end; i++)
        if (p->rows->weights[i] > 0)
            add_row(p, p->buffers + worker, i, p->partial + block * p->n_sums);
}

/* What does not change from row to row: factors of the covariances, and logarithms. */
static cairn_status make_laws(cairn_context *ctx, proving *p)
{
    const cairn_mixture_model *m = p->m;
    bool matrix = cairn_mixture_is_matrix(m);
    CHECK(SCRATCH(ctx, &p->laws, m->k));
    CHECK(SCRATCH(ctx, &p->bases, m->d + 1));
    CHECK(SCRATCH(ctx, &p->level_logs, cairn_product(m->n_levels, m->k) + 1));
    CHECK(SCRATCH(ctx, &p->spreads, matrix ? 1 : cairn_product(m->k, m->d) + 1));
    for (size_t i = 0; i < m->k * m->d && !matrix; i++)
        p->spreads[i] = cairn_mixture_covariance(m, i / m->d, i % m->d, i % m->d);
    for (size_t c = 0; c < m->k; c++) {
        if (c > 0 && m->form == CAIRN_MIXTURE_TIED) {
            p->laws[c] = p->laws[0];
            continue;
        }
        CHECK(cairn_plain_normal_make(ctx, p->laws + c, m->d, !matrix));
        cairn_plain_normal_set(p->laws + c, spread_of(p, c), NULL);
    }
    for (size_t j = 0; j < m->d; j++) p->bases[j] = cairn_log(m->scale[j]);
    for (size_t i = 0; i < m->n_levels * m->k; i++)
        p->level_logs[i] = cairn_log(cairn_mixture_levels(m)[i]);
    return CAIRN_OK;
}

static cairn_status make_buffers(cairn_context *ctx, proving *p)
{
    const cairn_mixture_model *m = p->m;
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &p->buffers, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(SCRATCH_EACH(ctx, m->d + 1, &p->buffers[i].z, &p->buffers[i].y));
        CHECK(SCRATCH(ctx, &p->buffers[i].logs, m->k));
        if (!p->rows->plain)
            CHECK(cairn_plain_normal_make(ctx, &p->buffers[i].part, m->d,
                                          !cairn_mixture_is_matrix(m)));
    }
    p->n_sums = SHARES + cairn_product(m->k, 1 + 2 * m->d);
    return SCRATCH(ctx, &p->partial,
                   cairn_product(cairn_block_count(p->rows->n, BLOCK), p->n_sums) + 1);
}

/* Where EM stands still the weights are the shares, and rows pull at no mean; told only, since a
 * run ends by what an iteration gains. Sums of columns with gaps are not numbers. */
static double steepness(const cairn_mixture_model *m, const double *sums)
{
    double total = 0, most = 0;
    for (size_t c = 0; c < m->k; c++) total += sums[SHARES + c * (1 + 2 * m->d)];
    for (size_t c = 0; c < m->k; c++) {
        const double *of = sums + SHARES + c * (1 + 2 * m->d);
        most = fmax(most, fabs(of[0] / total - m->values[c]));
        for (size_t j = 0; j < m->d; j++)
            if (of[2 + 2 * j] > 0) most = fmax(most, fabs(of[1 + 2 * j]) / of[2 + 2 * j]);
    }
    return most;
}

cairn_status cairn_mixture_prove(cairn_context *ctx, cairn_certificate *out,
                                 const cairn_mixture_model *m, const cairn_mixture_rows *rows,
                                 const cairn_em_result *result, const cairn_progress *progress)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.m = m, .rows = rows};
    double *sums;
    if (!out) return CAIRN_OK;
    CHECK(make_laws(ctx, &p));
    CHECK(make_buffers(ctx, &p));
    CHECK(SCRATCH(ctx, &sums, p.n_sums));
    double work = (double)rows->n * (double)m->k * (double)(m->d * m->d + 1);
    CHECK(cairn_blocks_sized(ctx, rows->n, BLOCK, work, add_block, &p));
    for (size_t b = 0; b < cairn_block_count(rows->n, BLOCK); b++)
        for (size_t i = 0; i < p.n_sums; i++) sums[i] += p.partial[b * p.n_sums + i];
    cairn_em_again again = {sums[LOG], sums[SIZE], cairn_plain_normal_rounding(p.laws, NULL, m->k)};
    cairn_em_certify(out, result, progress, &again);
    cairn_certify(out, CAIRN_PROOF_GRADIENT, steepness(m, sums), INFINITY);
    return CAIRN_OK;
}
