/* SPDX-License-Identifier: MIT */
/* The proof of what Baum and Welch learned: the log-likelihood of all sequences once more, by the
 * forward recursion as on the board, a step at a time, with densities of its own. One pass, at
 * about the cost of an E step; sequences side by side. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/sequence/hmm_learn.h"
#include "parallel/parallel.h"
#include "stats/plain_normal.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 16 }; /* sequences */

typedef struct room {
    double *alpha, *next; /* n_states */
    double *y;            /* n_numbers */
    cairn_plain_normal part;
} room;

typedef struct proving {
    const cairn_hmm *m;
    const cairn_hmm_data *data;
    cairn_plain_normal *laws; /* n_states */
    room *rooms;              /* of the workers */
    cairn_em_again *found;    /* of the sequences */
} proving;

/* ln of what state i gives to the vector x. */
static double normal_log(const proving *p, room *to, size_t i, const double *x)
{
    size_t d = p->m->n_numbers;
    cairn_plain_normal law = p->laws[i];
    bool gaps = false;
    for (size_t j = 0; j < d; j++) gaps |= isnan(x[j]);
    if (gaps) {
        cairn_plain_normal_set(&to->part, p->m->covariance + i * d * d, x);
        law = to->part;
    }
    law.y = to->y;
    return cairn_plain_normal_log(&law, x, p->m->mean + i * d);
}

/* ln b_i of a step. */
static double emission(const proving *p, room *to, size_t i, size_t step)
{
    const cairn_hmm *m = p->m;
    if (m->n_numbers) return normal_log(p, to, i, p->data->numbers + step * m->n_numbers);
    int32_t symbol = p->data->symbols[step];
    return symbol < 0 ? 0 : cairn_log(m->emit[i * m->n_symbols + (size_t)symbol]);
}

/* Shares of the states behind each step, and the logarithms of what they are shares of. */
static cairn_em_again recall(const proving *p, room *to, size_t sequence)
{
    const cairn_hmm *m = p->m;
    cairn_em_again sum = {0};
    size_t n = m->n_states, begin = p->data->begins[sequence], end = p->data->begins[sequence + 1];
    for (size_t t = begin; t < end; t++) {
        memcpy(to->next, m->start, n * sizeof *to->next);
        if (t > begin) memset(to->next, 0, n * sizeof *to->next);
        for (size_t i = 0; i < n && t > begin; i++)
            for (size_t j = 0; j < n; j++) to->next[j] += to->alpha[i] * m->move[i * n + j];
        for (size_t i = 0; i < n; i++)
            to->alpha[i] = cairn_log(to->next[i]) + emission(p, to, i, t);
        double log = cairn_plain_shares(to->alpha, n);
        sum.log_likelihood += log;
        sum.size += 1 + fabs(log);
    }
    return sum;
}

static void recall_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    (void)block;
    for (size_t i = begin; i < end; i++) p->found[i] = recall(p, p->rooms + worker, i);
}

static cairn_status make_room(cairn_context *ctx, proving *p)
{
    size_t n = p->m->n_states, d = p->m->n_numbers, workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &p->found, p->data->n + 1));
    CHECK(SCRATCH(ctx, &p->laws, n));
    for (size_t i = 0; i < n && d; i++) {
        CHECK(cairn_plain_normal_make(ctx, p->laws + i, d, false));
        cairn_plain_normal_set(p->laws + i, p->m->covariance + i * d * d, NULL);
    }
    CHECK(SCRATCH(ctx, &p->rooms, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(SCRATCH(ctx, &p->rooms[i].alpha, n));
        CHECK(SCRATCH(ctx, &p->rooms[i].next, n));
        CHECK(SCRATCH(ctx, &p->rooms[i].y, d + 1));
        if (d) CHECK(cairn_plain_normal_make(ctx, &p->rooms[i].part, d, false));
    }
    return CAIRN_OK;
}

/* Pseudo-counts are a prior, whose logarithm belongs to what rises. */
static void add_prior(cairn_em_again *sum, const cairn_hmm *m, double smooth)
{
    if (!(smooth > 0)) return;
    for (size_t i = 0; i < m->n_states; i++) {
        double log = 0;
        for (size_t j = 0; j < m->n_states; j++) log += cairn_log(m->move[i * m->n_states + j]);
        for (size_t j = 0; j < m->n_symbols; j++) log += cairn_log(m->emit[i * m->n_symbols + j]);
        sum->log_likelihood += smooth * log;
        sum->size += smooth * fabs(log);
    }
}

cairn_status cairn_hmm_again(cairn_context *ctx, cairn_em_again *out, const cairn_hmm *m,
                             const cairn_hmm_data *data, double smooth)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.m = m, .data = data};
    double cells = (double)(m->n_states + m->n_numbers);
    CHECK(make_room(ctx, &p));
    *out = (cairn_em_again){
        0, 0, cairn_plain_normal_rounding(p.laws, m->mean, m->n_numbers ? m->n_states : 0)};
    add_prior(out, m, smooth);
    CHECK(cairn_blocks_sized(ctx, data->n, BLOCK,
                             (double)data->begins[data->n] * cells * (double)m->n_states,
                             recall_block, &p));
    for (size_t i = 0; i < data->n; i++) {
        double weight = data->weights ? data->weights[i] : 1;
        if (!(weight > 0)) continue;
        out->log_likelihood += weight * p.found[i].log_likelihood;
        out->size += weight * p.found[i].size;
    }
    return CAIRN_OK;
}
