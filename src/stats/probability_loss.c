/* SPDX-License-Identifier: MIT */
/* Quality of probabilities. Rows with the same vector are found by sorting: the first column is
 * sorted stably, then within equal values the next one, which a sort by the last column first and
 * the first column last does in one sweep of stable sorts. */
#include "stats/probability_loss.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/sort.h"

#include <math.h>
#include <string.h>

double cairn_squared_loss(const double *p, size_t k, size_t actual, double factor)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
        double away = p[i] - (i == actual);
        sum += away * away;
    }
    return factor * sum;
}

double cairn_log_loss(const double *p, size_t actual, double log_base, double least)
{
    double chance = fmin(p[actual] < least ? least : p[actual], 1); /* rounding may exceed 1 */
    double loss = -cairn_log(chance) / cairn_log(log_base);
    return loss == 0 ? 0 : loss;
}

cairn_segment_loss cairn_segment_loss_of(const cairn_probability_segment *s, size_t k,
                                         double factor)
{
    cairn_segment_loss loss = {0};
    double away = 0, spread = 0;
    for (size_t i = 0; i < k; i++) loss.weight += s->counts[i];
    if (!(loss.weight > 0)) return loss;
    for (size_t i = 0; i < k; i++) {
        double q = s->counts[i] / loss.weight;
        away += (s->predicted[i] - q) * (s->predicted[i] - q);
        spread += q * (1 - q);
    }
    loss.calibration = factor * loss.weight * away;
    loss.refinement = factor * loss.weight * spread;
    loss.squared = loss.calibration + loss.refinement;
    return loss;
}

/* The rows that count, in falling order of their vectors. */
static cairn_status order_rows(cairn_context *ctx, uint64_t **out, size_t *n_out, const double *p,
                               const int32_t *actual, const double *weights, size_t n, size_t k)
{
    uint64_t *order, *keys, kept = 0;
    CHECK(SCRATCH_RAW(ctx, &order, n));
    CHECK(SCRATCH_RAW(ctx, &keys, n));
    for (size_t i = 0; i < n; i++) {
        if (actual[i] < 0 || (size_t)actual[i] >= k || (weights && !(weights[i] > 0))) continue;
        for (size_t c = 0; c < k; c++)
            if (isnan(p[i * k + c]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu has no probability for class number %zu", i + 1, c + 1);
        order[kept++] = i;
    }
    for (size_t c = k; c-- > 0;) {
        for (size_t i = 0; i < kept; i++) keys[i] = ~cairn_order_key(p[order[i] * k + c]);
        CHECK(cairn_sort_keys(ctx, keys, order, kept));
    }
    *out = order;
    *n_out = kept;
    return CAIRN_OK;
}

static bool same_vector(const double *a, const double *b, size_t k)
{
    for (size_t c = 0; c < k; c++)
        if (a[c] != b[c]) return false;
    return true;
}

/* Segments of the ordered rows. */
static cairn_status make_segments(cairn_context *ctx, cairn_probability_quality *q,
                                  const uint64_t *order, size_t n, const double *p,
                                  const int32_t *actual, const double *weights, size_t k)
{
    double *counts;
    size_t n_segments = 0;
    for (size_t i = 0; i < n; i++)
        n_segments += i == 0 || !same_vector(p + order[i - 1] * k, p + order[i] * k, k);
    CHECK(SCRATCH(ctx, &q->segments, n_segments));
    CHECK(SCRATCH(ctx, &counts, cairn_product(n_segments, k)));
    for (size_t i = 0; i < n; i++) {
        const double *vector = p + order[i] * k;
        if (i == 0 || !same_vector(p + order[i - 1] * k, vector, k)) {
            q->segments[q->n_segments] =
                (cairn_probability_segment){vector, counts + q->n_segments * k};
            q->n_segments++;
        }
        counts[(q->n_segments - 1) * k + (size_t)actual[order[i]]] +=
            weights ? weights[order[i]] : 1;
    }
    return CAIRN_OK;
}

cairn_status cairn_probability_quality_of(cairn_context *ctx, cairn_probability_quality *out,
                                          const double *p, const int32_t *actual,
                                          const double *weights, size_t n, size_t k, double factor,
                                          double log_base, double least)
{
    cairn_probability_quality q = {0};
    uint64_t *order;
    size_t kept;
    CHECK(order_rows(ctx, &order, &kept, p, actual, weights, n, k));
    CHECK(make_segments(ctx, &q, order, kept, p, actual, weights, k));
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        if (actual[i] < 0 || (size_t)actual[i] >= k || !(w > 0)) continue;
        q.weight += w;
        q.squared += w * cairn_squared_loss(p + i * k, k, (size_t)actual[i], factor);
        q.log_loss += w * cairn_log_loss(p + i * k, (size_t)actual[i], log_base, least);
        q.n_impossible += p[i * k + (size_t)actual[i]] <= 0;
    }
    for (size_t s = 0; s < q.n_segments; s++) {
        cairn_segment_loss loss = cairn_segment_loss_of(&q.segments[s], k, factor);
        q.calibration += loss.calibration;
        q.refinement += loss.refinement;
    }
    q.squared /= q.weight;
    q.log_loss /= q.weight;
    q.calibration /= q.weight;
    q.refinement /= q.weight;
    *out = q;
    return CAIRN_OK;
}
