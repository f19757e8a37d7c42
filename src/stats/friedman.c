/* SPDX-License-Identifier: MIT */
/* Friedman's test with its followers.
 *
 * Each of n data sets ranks k learners; if they were alike, every order of a row's ranks would be
 * equally likely. The exact distribution of the rank sums is built row by row as a table from
 * sorted sums (doubled, so that shared ranks stay whole) to chances; that is feasible while the
 * sums fit a 64-bit key and the table stays small. */
#include "stats/significance.h"

#include "base/memory.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the exact distribution -- */

enum {
    MOST_LEARNERS = 8,        /* k! orders per row */
    MOST_STATES = 1 << 19,    /* places of the table */
    MOST_STEPS = 60 * 1000000 /* states x orders, over all rows */
};

/* Open addressing; an empty place has chance 0. */
typedef struct chance_table {
    uint64_t *keys;
    double *chances;
    size_t n;
} chance_table;

typedef struct exact_job {
    size_t n, k;
    const double *ranks; /* n x k */
    unsigned bits;       /* of a doubled rank sum in a key */
    uint8_t *orders;     /* n_orders x k */
    size_t n_orders;
    chance_table tables[2];
} exact_job;

static uint64_t pack_sums(const exact_job *job, uint32_t *sums)
{
    uint64_t key = 0;
    for (size_t i = 1; i < job->k; i++) { /* sorted, as learners are alike */
        uint32_t sum = sums[i];
        size_t at = i;
        for (; at > 0 && sums[at - 1] > sum; at--) sums[at] = sums[at - 1];
        sums[at] = sum;
    }
    for (size_t i = 0; i + 1 < job->k; i++) key = key << job->bits | sums[i];
    return key;
}

/* The last sum is what the others leave of the total. */
static void unpack_sums(const exact_job *job, uint64_t key, uint32_t total, uint32_t *sums)
{
    uint64_t mask = (UINT64_C(1) << job->bits) - 1;
    for (size_t i = job->k - 1; i-- > 0; key >>= job->bits) {
        sums[i] = (uint32_t)(key & mask);
        total -= sums[i];
    }
    sums[job->k - 1] = total;
}

/* False when the table is too full. */
static bool add_chance(chance_table *table, uint64_t key, double chance)
{
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 45) % MOST_STATES;
    while (table->chances[at] > 0 && table->keys[at] != key) at = (at + 1) % MOST_STATES;
    if (table->chances[at] == 0) {
        if (table->n >= MOST_STATES / 2) return false;
        table->keys[at] = key;
        table->n++;
    }
    table->chances[at] += chance;
    return true;
}

/* All orders of 0 .. k-1, by inserting each next number everywhere. */
static cairn_status list_orders(cairn_context *ctx, exact_job *job)
{
    size_t n = 1;
    for (size_t i = 2; i <= job->k; i++) n *= i;
    job->n_orders = n;
    CHECK(SCRATCH(ctx, &job->orders, n * job->k));
    for (size_t o = 0; o < n; o++) {
        uint8_t *order = job->orders + o * job->k;
        size_t rest = o;
        for (size_t i = 0; i < job->k; i++) {
            size_t place = rest % (i + 1);
            rest /= i + 1;
            memmove(order + place + 1, order + place, i - place);
            order[place] = (uint8_t)i;
        }
    }
    return CAIRN_OK;
}

/* One more row: every state with every order of its ranks. */
static bool add_row(const exact_job *job, const chance_table *from, chance_table *to, size_t row,
                    uint32_t total)
{
    uint32_t doubled[MOST_LEARNERS], old[MOST_LEARNERS] = {0}, sums[MOST_LEARNERS];
    for (size_t i = 0; i < job->k; i++) doubled[i] = (uint32_t)(2 * job->ranks[row * job->k + i]);
    for (size_t s = 0; s < MOST_STATES; s++) {
        if (from->chances[s] == 0) continue;
        double chance = from->chances[s] / (double)job->n_orders;
        unpack_sums(job, from->keys[s], total, old);
        for (size_t o = 0; o < job->n_orders; o++) {
            const uint8_t *order = job->orders + o * job->k;
            for (size_t i = 0; i < job->k; i++) sums[i] = old[i] + doubled[order[i]];
            if (!add_chance(to, pack_sums(job, sums), chance)) return false;
        }
    }
    return true;
}

static double spread_of(const uint32_t *sums, size_t n, size_t k)
{
    double between = 0, middle = (double)(k + 1) / 2;
    for (size_t i = 0; i < k; i++) {
        double off = sums[i] / (2.0 * (double)n) - middle;
        between += off * off;
    }
    return between * (double)n;
}

typedef struct spread_chance {
    double spread, chance;
} spread_chance;

static int by_falling_spread(const void *a, const void *b)
{
    double x = ((const spread_chance *)a)->spread, y = ((const spread_chance *)b)->spread;
    return x > y ? -1 : x < y;
}

/* Tail of the statistic and its critical value from the finished table. */
static cairn_status read_tail(cairn_context *ctx, cairn_friedman *out, const exact_job *job,
                              const chance_table *table, uint32_t total, double alpha)
{
    spread_chance *list;
    uint32_t sums[MOST_LEARNERS];
    size_t n = 0;
    double tail = 0;
    CHECK(SCRATCH(ctx, &list, table->n));
    for (size_t s = 0; s < MOST_STATES; s++) {
        if (table->chances[s] == 0) continue;
        unpack_sums(job, table->keys[s], total, sums);
        list[n++] = (spread_chance){spread_of(sums, job->n, job->k), table->chances[s]};
    }
    qsort(list, n, sizeof *list, by_falling_spread);
    out->p_exact = 0;
    out->critical_exact = INFINITY;
    for (size_t i = 0, end; i < n; i = end) { /* equal spreads but for rounding go together */
        for (end = i; end < n && list[i].spread - list[end].spread <= 1e-9; end++)
            tail += list[end].chance;
        if (tail <= alpha * (1 + 1e-12)) out->critical_exact = list[i].spread / out->overall;
        if (list[i].spread >= out->between - 1e-9) out->p_exact = fmin(1, tail);
    }
    return CAIRN_OK;
}

/* Leaves NaN when there is too much to count. */
static cairn_status exact_friedman(cairn_context *ctx, cairn_friedman *out, const double *ranks,
                                   double alpha)
{
    exact_job job = {.n = out->n, .k = out->k, .ranks = ranks};
    double work = 0;
    uint32_t row_total = (uint32_t)(out->k * (out->k + 1));
    if (out->k > MOST_LEARNERS || out->n > 4000 || !(out->overall > 0)) return CAIRN_OK;
    while ((UINT64_C(1) << job.bits) <= 2 * out->n * out->k) job.bits++;
    if (job.bits * (out->k - 1) > 64) return CAIRN_OK;
    CHECK(list_orders(ctx, &job));
    for (int i = 0; i < 2; i++) {
        CHECK(SCRATCH(ctx, &job.tables[i].keys, MOST_STATES));
        CHECK(SCRATCH(ctx, &job.tables[i].chances, MOST_STATES));
    }
    if (!add_chance(&job.tables[0], 0, 1)) return CAIRN_OK;
    for (size_t row = 0; row < out->n; row++) {
        chance_table *from = &job.tables[row % 2], *to = &job.tables[(row + 1) % 2];
        work += (double)from->n * (double)job.n_orders;
        memset(to->chances, 0, MOST_STATES * sizeof *to->chances);
        to->n = 0;
        if (work > MOST_STEPS || !add_row(&job, from, to, row, (uint32_t)row * row_total))
            return CAIRN_OK;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return read_tail(ctx, out, &job, &job.tables[out->n % 2], (uint32_t)out->n * row_total, alpha);
}

/* -- the test -- */

/* Ranks are within a row and ties share the mean rank; `between` and `overall` are the variances
 * whose quotient is the statistic, ties included. */
static cairn_status rank_rows(cairn_context *ctx, cairn_friedman *out, double *ranks,
                              double *averages, const double *values, bool lower_better)
{
    size_t k = out->k;
    double *turned, ties;
    CHECK(SCRATCH(ctx, &turned, k));
    memset(averages, 0, k * sizeof *averages);
    for (size_t i = 0; i < out->n; i++) {
        for (size_t j = 0; j < k; j++)
            turned[j] = lower_better ? values[i * k + j] : -values[i * k + j];
        CHECK(cairn_rank_values(ctx, ranks + i * k, turned, k, &ties));
        for (size_t j = 0; j < k; j++) {
            double off = ranks[i * k + j] - out->middle;
            averages[j] += ranks[i * k + j];
            out->overall += off * off;
        }
    }
    out->overall /= (double)out->n * (double)(k - 1);
    for (size_t j = 0; j < k; j++) {
        averages[j] /= (double)out->n; /* once: sums of ranks are exact */
        out->between += (double)out->n * (averages[j] - out->middle) * (averages[j] - out->middle);
    }
    return CAIRN_OK;
}

static void asymptotic_friedman(cairn_friedman *out, double alpha)
{
    double n = (double)out->n, k = (double)out->k;
    out->statistic = out->overall > 0 ? out->between / out->overall : 0;
    out->p_chi2 = cairn_chi2_upper(out->statistic, k - 1);
    out->critical_chi2 = cairn_chi2_quantile_upper(alpha, k - 1);
    double left = n * (k - 1) - out->statistic;
    out->f = left > 1e-12 * n * k ? (n - 1) * out->statistic / left : INFINITY;
    out->p_f = n > 1 ? cairn_f_upper(out->f, k - 1, (k - 1) * (n - 1)) : NAN;
}

/* What follows from the ranks: the exact tail unless it is not wanted, and the p-value to use. */
static cairn_status finish_friedman(cairn_context *ctx, cairn_friedman *out, const double *ranks,
                                    double alpha, cairn_exactness exactness)
{
    asymptotic_friedman(out, alpha);
    if (exactness != CAIRN_EXACT_NO) CHECK(exact_friedman(ctx, out, ranks, alpha));
    out->exact = !isnan(out->p_exact);
    if (exactness == CAIRN_EXACT_YES && !out->exact)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu learners over %zu data sets have too many orders to count them all; "
                         "leave out {exact}",
                         out->k, out->n));
    out->p = out->exact ? out->p_exact : out->p_chi2;
    return CAIRN_OK;
}

static cairn_status start_friedman(cairn_context *ctx, cairn_friedman *out, size_t n, size_t k)
{
    *out = (cairn_friedman){.n = n, .k = k, .middle = (double)(k + 1) / 2};
    out->p_exact = out->critical_exact = NAN;
    if (n >= 1 && k >= 2) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "Friedman's test compares two or more learners over at least one data set, "
                      "not %zu over %zu",
                      k, n);
}

cairn_status cairn_friedman_of(cairn_context *ctx, cairn_friedman *out, double *ranks,
                               double *averages, const double *values, size_t n, size_t k,
                               bool lower_better, double alpha, cairn_exactness exactness)
{
    SCOPED_SCRATCH(ctx);
    CHECK(start_friedman(ctx, out, n, k));
    CHECK(rank_rows(ctx, out, ranks, averages, values, lower_better));
    return finish_friedman(ctx, out, ranks, alpha, exactness);
}

cairn_status cairn_friedman_averages(cairn_context *ctx, cairn_friedman *out,
                                     const double *averages, size_t n, size_t k, double alpha,
                                     cairn_exactness exactness)
{
    SCOPED_SCRATCH(ctx);
    double *ranks;
    CHECK(start_friedman(ctx, out, n, k));
    CHECK(SCRATCH(ctx, &ranks, cairn_product(n, k)));
    for (size_t i = 0; i < n * k; i++) ranks[i] = (double)(i % k) + 1;
    for (size_t j = 0; j < k; j++) {
        double off = averages[j] - out->middle, spread = (double)j + 1 - out->middle;
        out->between += (double)n * off * off;
        out->overall += spread * spread / (double)(k - 1);
    }
    return finish_friedman(ctx, out, ranks, alpha, exactness);
}

/* -- which ones differ -- */

double cairn_nemenyi_q(size_t k, double alpha)
{
    return cairn_studentized_quantile_upper(alpha, (double)k, INFINITY) / sqrt(2.0);
}

double cairn_dunn_q(size_t k, double alpha)
{
    return cairn_normal_quantile_upper(alpha / (2 * ((double)k - 1)));
}

static double rank_error(size_t k, size_t n)
{
    return sqrt((double)k * ((double)k + 1) / (6 * (double)n));
}

double cairn_critical_difference(double q, size_t k, size_t n)
{
    return q * rank_error(k, n);
}

double cairn_nemenyi_p(double difference, size_t k, size_t n)
{
    double range = fabs(difference) / rank_error(k, n) * sqrt(2.0);
    return cairn_studentized_upper(range, (double)k, INFINITY);
}

double cairn_dunn_p(double difference, size_t k, size_t n)
{
    double z = fabs(difference) / rank_error(k, n);
    return fmin(1, ((double)k - 1) * 2 * cairn_normal_upper(z));
}

size_t cairn_rank_groups(const double *averages, size_t k, double critical, size_t *order,
                         size_t *first, size_t *last)
{
    size_t n = 0, reached = 0;
    for (size_t i = 0; i < k; i++) {
        size_t at = i;
        for (; at > 0 && averages[order[at - 1]] > averages[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < k; i++) {
        size_t end = i;
        while (end + 1 < k &&
               averages[order[end + 1]] - averages[order[i]] <= critical * (1 + 1e-12))
            end++;
        if (end == i || (n && end <= reached)) continue;
        first[n] = i;
        last[n++] = reached = end;
    }
    return n;
}
