/* SPDX-License-Identifier: MIT */
/* Rows drawn from a Bayesian network, and estimates from them. */
#include "stats/bayes_network.h"

#include "base/memory.h"
#include "parallel/parallel.h"

#include <math.h>

enum { SAMPLES = 4096 }; /* of a block, which has a stream of its own */

static int32_t draw_value(const double *p, size_t n, cairn_random *random)
{
    double u = cairn_random_uniform(random), sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        sum += p[i];
        if (p[i] > 0) last = i;
        if (u < sum) return (int32_t)i;
    }
    return (int32_t)last; /* the sum fell short of 1 by rounding */
}

double cairn_network_draw(const cairn_network *net, const size_t *order, const int32_t *evidence,
                          cairn_random *random, int32_t *values)
{
    double weight = 1;
    for (size_t i = 0; i < net->n; i++) {
        size_t v = order[i], k = (size_t)net->n_values[v];
        const double *p =
            cairn_network_table(net, v) + (size_t)cairn_network_row(net, v, values) * k;
        bool fixed = evidence && evidence[v] >= 0;
        values[v] = fixed ? evidence[v] : draw_value(p, k, random);
        if (fixed) weight *= p[values[v]];
    }
    return weight;
}

cairn_status cairn_network_draw_rows(cairn_context *ctx, int32_t **codes, const cairn_network *net,
                                     size_t n_rows, cairn_random *random)
{
    int32_t *values;
    size_t *order;
    CHECK(SCRATCH(ctx, codes, cairn_product(n_rows, net->n) + 1));
    CHECK(SCRATCH(ctx, &values, net->n + 1));
    CHECK(cairn_network_order(ctx, &order, net));
    for (size_t i = 0; i < n_rows; i++) {
        if (i % SAMPLES == 0) CHECK(cairn_tick(ctx, "drawing", (double)i, (double)n_rows));
        cairn_network_draw(net, order, NULL, random, values);
        for (size_t v = 0; v < net->n; v++) (*codes)[v * n_rows + i] = values[v];
    }
    return CAIRN_OK;
}

/* Sums of one block: weights per value, of all, of squares, and how many agreed. */
typedef struct sampling {
    const cairn_network *net;
    const size_t *order;
    const int32_t *evidence;
    size_t variable, n_sums;
    bool weighted;
    uint64_t seed, stream;
    int32_t *values; /* n for each worker */
    double *sums;    /* a row of n_sums for each block */
} sampling;

static bool agrees(const int32_t *values, const int32_t *evidence, size_t n)
{
    for (size_t v = 0; v < n; v++)
        if (evidence[v] >= 0 && values[v] != evidence[v]) return false;
    return true;
}

/* Samples of one block, whose stream makes them the same for any number of threads. */
static void sample_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sampling *s = data;
    const cairn_network *net = s->net;
    size_t k = (size_t)net->n_values[s->variable];
    int32_t *values = s->values + (size_t)worker * net->n;
    double *sums = s->sums + block * s->n_sums;
    cairn_random random;
    cairn_random_start(&random, s->seed, s->stream + block);
    for (size_t i = begin; i < end; i++) {
        double w =
            cairn_network_draw(net, s->order, s->weighted ? s->evidence : NULL, &random, values);
        if (!s->weighted && !agrees(values, s->evidence, net->n)) continue;
        sums[values[s->variable]] += w;
        sums[k] += w;
        sums[k + 1] += w * w;
        sums[k + 2] += 1;
    }
}

cairn_status cairn_network_estimated(cairn_context *ctx, cairn_network_estimate *out,
                                     const cairn_network *net, size_t variable,
                                     const int32_t *evidence, size_t n, bool weighted,
                                     uint64_t stream)
{
    size_t k = (size_t)net->n_values[variable], n_blocks = cairn_block_count(n, SAMPLES), *order;
    sampling s = {.net = net, .evidence = evidence, .variable = variable, .n_sums = k + 3};
    s.weighted = weighted;
    s.seed = cairn_context_seed(ctx);
    s.stream = stream;
    *out = (cairn_network_estimate){0};
    CHECK(cairn_network_order(ctx, &order, net));
    s.order = order;
    CHECK(SCRATCH(ctx, &out->p, k));
    CHECK(SCRATCH(ctx, &s.values, cairn_product((size_t)cairn_workers(ctx), net->n)));
    CHECK(SCRATCH(ctx, &s.sums, cairn_product(n_blocks + 1, s.n_sums)));
    CHECK(cairn_blocks(ctx, n, SAMPLES, sample_block, &s));
    double *all = s.sums + n_blocks * s.n_sums;
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < s.n_sums; i++) all[i] += s.sums[b * s.n_sums + i];
    for (size_t l = 0; l < k; l++) out->p[l] = all[k] > 0 ? all[l] / all[k] : NAN;
    out->weight = all[k];
    out->effective = all[k + 1] > 0 ? all[k] * all[k] / all[k + 1] : 0;
    out->n_agreeing = (size_t)all[k + 2];
    return CAIRN_OK;
}
