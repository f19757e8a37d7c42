/* SPDX-License-Identifier: MIT */
/* Tests of one or two proportions, and of two learners by their differences. */
#include "stats/significance.h"

#include "base/memory.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>

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

static double mean_of(const double *x, size_t n)
{
    double sum = 0, rest = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) rest += x[i] - mean; /* what rounding lost */
    return mean + rest / (double)n;
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
    if (n > 0) out->mean = mean_of(differences, n);
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
    CHECK(SCRATCH(ctx, &sizes, n + 1));
    CHECK(SCRATCH(ctx, &own, n + 1));
    CHECK(SCRATCH(ctx, &places, n + 1));
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
