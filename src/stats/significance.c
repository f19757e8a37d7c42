/* SPDX-License-Identifier: MIT */
/* Tests of one or two proportions, and of two learners by their differences. */
#include "base/memory.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include <stdio.h>
#include "base/number.h"
#include "stats/significance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* -- intervals for a proportion -- */

static bool is_valid(double successes, double n, double level)
{
    return successes >= 0 && successes <= n && isfinite(n) && level > 0 && level < 1;
}

cairn_interval cairn_wilson_interval(double successes, double n, double level)
{
    if (!is_valid(successes, n, level)) return (cairn_interval){NAN, NAN};
    if (n == 0) return (cairn_interval){0, 1};
    double z = cairn_normal_quantile_upper((1 - level) / 2), square = z * z;
    double failures = n - successes, wide = n + square;
    double middle = (successes + square / 2) / wide;
    double half = z / wide * sqrt(successes / n * failures + square / 4);
    /* the ends of none and all are exact, whatever the rounding */
    double low = successes == 0 ? 0 : fmax(middle - half, 0);
    double high = failures == 0 ? 1 : fmin(middle + half, 1);
    return (cairn_interval){low, high};
}

cairn_interval cairn_exact_interval(double successes, double n, double level)
{
    if (!is_valid(successes, n, level)) return (cairn_interval){NAN, NAN};
    double tail = (1 - level) / 2, failures = n - successes;
    double low = successes == 0 ? 0 : cairn_beta_quantile(tail, successes, failures + 1);
    double high = failures == 0 ? 1 : cairn_beta_quantile_upper(tail, successes + 1, failures);
    return (cairn_interval){low, high};
}

const char *cairn_share_interval(double share, double n, double level, cairn_interval *out)
{
    double spread = n * share * (1 - share);
    if (n < 30 || spread < 5) {
        *out = cairn_exact_interval(share * n, n, level);
        return "exact binomial";
    }
    double reach = cairn_normal_quantile(0.5 + level / 2) * sqrt(share * (1 - share) / n);
    *out = (cairn_interval){fmax(0, share - reach), fmin(1, share + reach)};
    return "normal";
}

static double two_sided_normal(double z)
{
    return fmin(1, 2 * cairn_normal_upper(fabs(z)));
}

/* -- ranks -- */

typedef struct ranked {
    double value;
    size_t at;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Mid-ranks. Values above the first of a group by no more than a `share` of it belong to it. */
static cairn_status rank_groups(cairn_context *ctx, double *out, const double *values, size_t n,
                                double share, double *ties)
{
    SCOPED_SCRATCH(ctx);
    ranked *sorted;
    *ties = 0;
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) sorted[i] = (ranked){values[i], i};
    qsort(sorted, n, sizeof *sorted, compare_ranked);
    for (size_t i = 0, end; i < n; i = end) {
        double first = sorted[i].value, last = share > 0 ? first + share * fabs(first) : first;
        for (end = i + 1; end < n && sorted[end].value <= last;) end++;
        double t = (double)(end - i);
        for (size_t j = i; j < end; j++) out[sorted[j].at] = (double)(i + 1 + end) / 2;
        *ties += t * t * t - t;
    }
    return CAIRN_OK;
}

cairn_status cairn_rank_values(cairn_context *ctx, double *out, const double *values, size_t n,
                               double *ties)
{
    return rank_groups(ctx, out, values, n, 0, ties);
}

/* -- proportions -- */

/* Sum of the chances of all counts that are no likelier than x: walk in from the far end, where
 * they rise. */
static double exact_two_sided(double x, double n, double p)
{
    double limit = cairn_binomial_mass(x, n, p) * (1 + 1e-7), mean = n * p;
    if (x == mean) return 1;
    bool above = x > mean;
    double low = above ? -1 : ceil(mean) - 1, high = above ? floor(mean) + 1 : n + 1, middle;
    /* the last count of the other side, seen from its end, that is unlikely enough: between low and
     * high, until no number lies between them (above 2^53 neighbours are not 1 apart) */
    while ((middle = floor(low + (high - low) / 2)) > low && middle < high) {
        bool unlikely = cairn_binomial_mass(middle, n, p) <= limit;
        *(above == unlikely ? &low : &high) = middle;
    }
    double own = above ? cairn_binomial_upper(x - 1, n, p) : cairn_binomial_lower(x, n, p);
    double other = above ? (low < 0 ? 0 : cairn_binomial_lower(low, n, p))
                         : cairn_binomial_upper(high - 1, n, p);
    return fmin(1, own + other);
}

void cairn_proportion_test_of(cairn_proportion_test *out, double successes, double n, double p0)
{
    *out = (cairn_proportion_test){.estimate = successes / n, .deviation = sqrt(p0 * (1 - p0) / n)};
    double off = out->estimate - p0;
    out->z = out->deviation > 0 ? off / out->deviation : off == 0 ? NAN : copysign(INFINITY, off);
    out->p_lower = cairn_normal_lower(out->z);
    out->p_upper = cairn_normal_upper(out->z);
    out->p_two = isnan(out->z) ? NAN : two_sided_normal(out->z);
    out->exact_lower = cairn_binomial_lower(successes, n, p0);
    out->exact_upper = successes > 0 ? cairn_binomial_upper(successes - 1, n, p0) : 1;
    out->exact_two = exact_two_sided(successes, n, p0);
}

void cairn_difference_of(cairn_difference *out, double e1, double n1, double e2, double n2,
                         double level)
{
    double deviation = sqrt(e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2), d = e1 - e2;
    double z = cairn_normal_quantile_upper((1 - level) / 2);
    *out = (cairn_difference){.difference = d, .deviation = deviation};
    out->z = deviation > 0 ? d / deviation : d == 0 ? NAN : copysign(INFINITY, d);
    out->p_two = isnan(out->z) ? NAN : two_sided_normal(out->z);
    double share = (e1 * n1 + e2 * n2) / (n1 + n2);
    double pooled = sqrt(share * (1 - share) * (1 / n1 + 1 / n2));
    out->pooled_z = pooled > 0 ? d / pooled : NAN;
    out->pooled_p = isnan(out->pooled_z) ? NAN : two_sided_normal(out->pooled_z);
    out->least_expected = fmin(n1, n2) * fmin(share, 1 - share);
    out->interval.low = fmax(-1, d - z * deviation);
    out->interval.high = fmin(1, d + z * deviation);
}

/* -- two learners -- */

void cairn_mcnemar_of(cairn_mcnemar *out, double b, double c)
{
    double n = b + c, apart = fabs(b - c), least = fmin(b, c);
    *out = (cairn_mcnemar){NAN, NAN, NAN, NAN, 1, NAN};
    if (!(n > 0)) return;
    double less = fmax(apart - 1, 0);
    out->statistic = apart * apart / n;
    out->corrected_statistic = less * less / n;
    out->p = cairn_chi2_upper(out->statistic, 1);
    out->corrected_p = cairn_chi2_upper(out->corrected_statistic, 1);
    double tail = cairn_binomial_lower(least, n, 0.5);
    out->exact_p = fmin(1, 2 * tail);
    out->mid_p = b == c ? 1 - cairn_binomial_mass(least, n, 0.5) / 2
                        : 2 * tail - cairn_binomial_mass(least, n, 0.5);
}

static double squares_about(const double *x, size_t n, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    return squares;
}

/* Squared distances, as a share of the squared values, that are rounding and nothing else. */
#define SAME_SQUARES 1e-28

void cairn_t_test_of(cairn_t_test *out, const double *differences, size_t n, double share,
                     double level)
{
    *out = (cairn_t_test){.n = n, .df = (double)n - 1, .mean = NAN};
    out->deviation = out->error = out->t = out->p_two = out->p_lower = out->p_upper = NAN;
    out->interval = (cairn_interval){NAN, NAN};
    if (n > 0) {
        double sum = 0, rest = 0;
        for (size_t i = 0; i < n; i++) sum += differences[i];
        double mean = sum / (double)n;
        for (size_t i = 0; i < n; i++) rest += differences[i] - mean; /* what rounding lost */
        out->mean = mean + rest / (double)n;
    }
    if (n < 2) return;
    double squares = squares_about(differences, n, out->mean);
    if (squares <= SAME_SQUARES * (double)n * out->mean * out->mean) squares = 0;
    out->deviation = sqrt(squares / out->df);
    out->error = out->deviation * sqrt(1 / (double)n + share);
    if (out->error > 0) out->t = out->mean / out->error; /* without a spread there is no scale */
    double half = cairn_t_quantile_upper((1 - level) / 2, out->df) * out->error;
    out->interval = (cairn_interval){out->mean - half, out->mean + half};
    if (isnan(out->t)) return;
    out->p_lower = cairn_t_lower(out->t, out->df);
    out->p_upper = cairn_t_upper(out->t, out->df);
    out->p_two = fmin(1, 2 * cairn_t_upper(fabs(out->t), out->df));
}

void cairn_five_by_two_of(cairn_five_by_two *out, const double differences[10])
{
    double variances = 0, squares = 0;
    for (int i = 0; i < 5; i++) {
        double a = differences[2 * i], b = differences[2 * i + 1];
        variances += (a - b) * (a - b) / 2;
        squares += a * a + b * b;
    }
    *out = (cairn_five_by_two){NAN, NAN, NAN, NAN};
    if (variances <= SAME_SQUARES * squares) return; /* both ways the same in every halving */
    out->t = differences[0] / sqrt(variances / 5);
    out->p_t = fmin(1, 2 * cairn_t_upper(fabs(out->t), 5));
    out->f = squares / (2 * variances);
    out->p_f = cairn_f_upper(out->f, 10, 5);
}

/* -- Wilcoxon -- */

enum { MOST_EXACT = 500 }; /* counting sums of signs takes n^3 steps */
/* Sizes that differ by less are the same but for rounding: 0.85 - 0.8 and 0.75 - 0.7 are tied. */
#define SAME_SIZE 1e-10

/* Chances of each sum of the doubled ranks that get a plus. Scratch; *top is the largest sum. */
static cairn_status sum_chances(cairn_context *ctx, double **out, size_t *top, const double *ranks,
                                size_t n)
{
    double *chances, all = 0;
    size_t reached = 0;
    for (size_t i = 0; i < n; i++) all += 2 * ranks[i];
    CHECK(SCRATCH(ctx, &chances, (size_t)all + 1));
    chances[0] = 1;
    for (size_t i = 0; i < n; i++) {
        size_t step = (size_t)(2 * ranks[i]);
        reached += step;
        for (size_t s = reached + 1; s-- > 0;)
            chances[s] = (chances[s] + (s >= step ? chances[s - step] : 0)) / 2;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    *out = chances;
    *top = reached;
    return CAIRN_OK;
}

static cairn_status exact_wilcoxon(cairn_context *ctx, cairn_wilcoxon *w, const double *ranks,
                                   double alpha)
{
    double *chances, below = 0;
    size_t top;
    CHECK(sum_chances(ctx, &chances, &top, ranks, w->n));
    w->p_exact = 0;
    w->critical = -1;
    for (size_t s = 0; s <= top; s++) {
        below += chances[s];
        if (chances[s] > 0 && 2 * below <= alpha * (1 + 1e-12)) w->critical = (double)s / 2;
        if ((double)s <= 2 * w->statistic) w->p_exact = fmin(1, 2 * below);
    }
    return CAIRN_OK;
}

/* The differences that are not 0, by size; `places` says where they came from. */
static size_t gather_sizes(double *sizes, size_t *places, const double *differences, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (differences[i] != 0) {
            places[kept] = i;
            sizes[kept++] = fabs(differences[i]);
        }
    return kept;
}

static void normal_wilcoxon(cairn_wilcoxon *w, double ties)
{
    double n = (double)w->n, mean = n * (n + 1) / 4;
    double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
    w->z = variance > 0 ? (w->statistic - mean) / sqrt(variance) : NAN;
    w->p_normal = isnan(w->z) ? 1 : two_sided_normal(w->z);
}

cairn_status cairn_wilcoxon_of(cairn_context *ctx, cairn_wilcoxon *out, double *ranks,
                               const double *differences, size_t n, double alpha,
                               cairn_exactness exactness)
{
    SCOPED_SCRATCH(ctx);
    double *sizes, *own, ties;
    size_t *places;
    *out = (cairn_wilcoxon){.p_exact = NAN, .critical = NAN};
    CHECK(SCRATCH_EACH(ctx, n + 1, &sizes, &own, &places));
    out->n = gather_sizes(sizes, places, differences, n);
    out->zeros = n - out->n;
    CHECK(rank_groups(ctx, own, sizes, out->n, SAME_SIZE, &ties));
    out->tied = ties > 0;
    for (size_t i = 0; ranks && i < n; i++) ranks[i] = 0;
    for (size_t i = 0; i < out->n; i++) {
        *(differences[places[i]] > 0 ? &out->positive : &out->negative) += own[i];
        if (ranks) ranks[places[i]] = own[i];
    }
    out->statistic = fmin(out->positive, out->negative);
    normal_wilcoxon(out, ties);
    out->exact = exactness == CAIRN_EXACT_YES || (exactness == CAIRN_EXACT_AUTO && out->n < 25);
    if (out->exact && out->n > MOST_EXACT)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "the exact test counts the signs of at most %d differences, and there are "
                         "%zu; leave out {exact}",
                         MOST_EXACT, out->n));
    if (out->n <= MOST_EXACT) CHECK(exact_wilcoxon(ctx, out, own, alpha));
    out->p = out->exact ? out->p_exact : out->p_normal;
    return CAIRN_OK;
}

cairn_status cairn_wilcoxon_lower(cairn_context *ctx, double *out, double w, size_t n)
{
    SCOPED_SCRATCH(ctx);
    double *ranks, *chances;
    size_t top;
    *out = 0;
    if (n > MOST_EXACT)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d differences can be counted, not %zu",
                          MOST_EXACT, n);
    CHECK(SCRATCH(ctx, &ranks, n + 1));
    for (size_t i = 0; i < n; i++) ranks[i] = (double)i + 1;
    CHECK(sum_chances(ctx, &chances, &top, ranks, n));
    for (size_t s = 0; s <= top && (double)s <= 2 * w; s++) *out += chances[s];
    return CAIRN_OK;
}

cairn_status cairn_holm(cairn_context *ctx, double *adjusted, const double *p, size_t n)
{
    SCOPED_SCRATCH(ctx);
    ranked *sorted;
    double highest = 0;
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) sorted[i] = (ranked){p[i], i};
    qsort(sorted, n, sizeof *sorted, compare_ranked);
    for (size_t i = 0; i < n; i++) {
        highest = fmax(highest, fmin(1, (double)(n - i) * sorted[i].value));
        adjusted[sorted[i].at] = highest;
    }
    return CAIRN_OK;
}

const cairn_choice cairn_corrections[] = {
    {"none", CAIRN_CORRECT_NONE, "p as it is"},
    {"bonferroni", CAIRN_CORRECT_BONFERRONI, "p times the number of tests"},
    {"holm", CAIRN_CORRECT_HOLM, "the smallest times their number, the next times one less ..."},
    {"fdr", CAIRN_CORRECT_FDR,
     "share of wrong ones among those called significant (Benjamini and Hochberg)"},
    {NULL, 0, NULL},
};

static cairn_status false_discovery_rate(cairn_context *ctx, double *corrected, const double *p,
                                         size_t n)
{
    SCOPED_SCRATCH(ctx);
    ranked *sorted;
    double least = 1;
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) sorted[i] = (ranked){p[i], i};
    if (n) qsort(sorted, n, sizeof *sorted, compare_ranked);
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, sorted[i].value * (double)n / (double)(i + 1));
        corrected[sorted[i].at] = least;
    }
    return CAIRN_OK;
}

cairn_status cairn_correct_p(cairn_context *ctx, double *corrected, const double *p, size_t n,
                             cairn_correction correction)
{
    if (correction == CAIRN_CORRECT_HOLM) return cairn_holm(ctx, corrected, p, n);
    if (correction == CAIRN_CORRECT_FDR) return false_discovery_rate(ctx, corrected, p, n);
    for (size_t i = 0; i < n; i++)
        corrected[i] = correction == CAIRN_CORRECT_NONE ? p[i] : fmin(1, p[i] * (double)n);
    return CAIRN_OK;
}

/* Friedman's test with its followers.
 *
 * Each of n data sets ranks k learners; if they were alike, every order of a row's ranks would be
 * equally likely. The exact distribution of the rank sums is built row by row as a table from
 * sorted sums (doubled, so that shared ranks stay whole) to chances; that is feasible while the
 * sums fit a 64-bit key and the table stays small. */

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
    /* All orders of 0 .. k-1, by inserting each next number everywhere. */
    size_t n = 1;
    for (size_t i = 2; i <= job.k; i++) n *= i;
    job.n_orders = n;
    CHECK(SCRATCH(ctx, &job.orders, n * job.k));
    for (size_t o = 0; o < n; o++) {
        uint8_t *order = job.orders + o * job.k;
        size_t rest = o;
        for (size_t i = 0; i < job.k; i++) {
            size_t place = rest % (i + 1);
            rest /= i + 1;
            memmove(order + place + 1, order + place, i - place);
            order[place] = (uint8_t)i;
        }
    }
    for (int i = 0; i < 2; i++) {
        CHECK(SCRATCH_EACH(ctx, MOST_STATES, &job.tables[i].keys, &job.tables[i].chances));
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
    double *transposed, ties;
    CHECK(SCRATCH(ctx, &transposed, k));
    memset(averages, 0, k * sizeof *averages);
    for (size_t i = 0; i < out->n; i++) {
        for (size_t j = 0; j < k; j++)
            transposed[j] = lower_better ? values[i * k + j] : -values[i * k + j];
        CHECK(cairn_rank_values(ctx, ranks + i * k, transposed, k, &ties));
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

/* What follows from the ranks: the exact tail unless it is not wanted, and the p-value to use. */
static cairn_status finish_friedman(cairn_context *ctx, cairn_friedman *out, const double *ranks,
                                    double alpha, cairn_exactness exactness)
{
    double n = (double)out->n, k = (double)out->k;
    out->statistic = out->overall > 0 ? out->between / out->overall : 0;
    out->p_chi2 = cairn_chi2_upper(out->statistic, k - 1);
    out->critical_chi2 = cairn_chi2_quantile_upper(alpha, k - 1);
    double left = n * (k - 1) - out->statistic;
    out->f = left > 1e-12 * n * k ? (n - 1) * out->statistic / left : INFINITY;
    out->p_f = n > 1 ? cairn_f_upper(out->f, k - 1, (k - 1) * (n - 1)) : NAN;
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

void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name)
{
    char text[200], a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(a, interval.low, 4);
    cairn_number_format(b, interval.high, 4);
    cairn_number_format(percent, 100 * level, 4);
    snprintf(text, sizeof text, "%s to %s (%s%%%s%s)", a, b, percent, how ? ", " : "",
             how ? how : "");
    cairn_report_word(out, "  interval", text, NULL);
    cairn_report_hidden(out, interval.low, "%s.low", name);
    cairn_report_hidden(out, interval.high, "%s.high", name);
}
