/* SPDX-License-Identifier: MIT */
/* Association of two columns. Chi-squared and the Gini reduction are those of a split; here are the
 * expected counts, Quetelet's indices, the correlation ratio, and the two-sample test of
 * Kolmogorov and Smirnov, whose exact tail counts lattice paths: of all orders of a + b values, the
 * share whose path leaves the band of the observed distance. */
#include "stats/contingency.h"

#include "base/functions.h"
#include "base/memory.h"
#include "stats/distributions.h"
#include "stats/impurity.h"

#include <math.h>

#define MOST_EXACT 4e6

cairn_status cairn_contingency_make(cairn_context *ctx, cairn_contingency *out, const double *cells,
                                    size_t n_rows, size_t n_columns)
{
    cairn_split_scores scores;
    size_t rows = 0, columns = 0;
    *out = (cairn_contingency){.cells = cells, .n_rows = n_rows, .n_columns = n_columns};
    CHECK(SCRATCH(ctx, &out->row_totals, n_rows + 1));
    CHECK(SCRATCH(ctx, &out->column_totals, n_columns + 1));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) {
            double cell = cells[i * n_columns + j];
            out->row_totals[i] += cell;
            out->column_totals[j] += cell;
            out->total += cell;
        }
    for (size_t i = 0; i < n_rows; i++) rows += out->row_totals[i] > 0;
    for (size_t j = 0; j < n_columns; j++) columns += out->column_totals[j] > 0;
    cairn_split_scores_of(&scores, cells, n_rows, n_columns, 0);
    out->chi_squared = out->total > 0 ? scores.chi_squared : NAN;
    out->degrees = scores.degrees;
    out->p_value =
        scores.degrees ? cairn_chi2_upper(scores.chi_squared, (double)scores.degrees) : NAN;
    out->share = out->total > 0 ? scores.chi_squared_share : NAN;
    out->gini_reduction = out->total > 0 ? scores.gini_reduction : NAN;
    double least = (double)(rows < columns ? rows : columns);
    out->cramer_v = least > 1 ? fmin(sqrt(out->share / (least - 1)), 1) : NAN;
    out->least_expected = INFINITY;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) {
            double expected = cairn_contingency_expected(out, i, j);
            if (!(expected > 0)) continue;
            out->n_cells++;
            out->n_small_expected += expected < 5;
            out->least_expected = fmin(out->least_expected, expected);
        }
    if (!out->n_cells) out->least_expected = NAN;
    return CAIRN_OK;
}

double cairn_contingency_expected(const cairn_contingency *t, size_t row, size_t column)
{
    return t->total > 0 ? t->row_totals[row] * t->column_totals[column] / t->total : NAN;
}

double cairn_quetelet_relative(const cairn_contingency *t, size_t row, size_t column)
{
    double expected = cairn_contingency_expected(t, row, column);
    return expected > 0 ? t->cells[row * t->n_columns + column] / expected - 1 : NAN;
}

double cairn_quetelet_absolute(const cairn_contingency *t, size_t row, size_t column)
{
    if (!(t->row_totals[row] > 0)) return NAN;
    return t->cells[row * t->n_columns + column] / t->row_totals[row] -
           t->column_totals[column] / t->total;
}

/* -- numbers by groups -- */

static bool counts_in(const double *values, const int32_t *codes, const double *weights,
                      size_t n_groups, size_t i)
{
    return isfinite(values[i]) && codes[i] >= 0 && (size_t)codes[i] < n_groups &&
           (!weights || weights[i] > 0);
}

/* Any value that counts: differences to it keep the digits that sums of large numbers lose. */
static double origin_of(const double *values, const int32_t *codes, const double *weights,
                        size_t n_groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (counts_in(values, codes, weights, n_groups, i)) return values[i];
    return 0;
}

/* Mean (less the origin) and variance inside the groups, in two passes. */
static void group_parts(cairn_group_stats *groups, size_t n_groups, const double *values,
                        const int32_t *codes, const double *weights, size_t n, double origin)
{
    for (size_t g = 0; g < n_groups; g++) groups[g] = (cairn_group_stats){0};
    for (size_t i = 0; i < n; i++) {
        if (!counts_in(values, codes, weights, n_groups, i)) continue;
        double w = weights ? weights[i] : 1;
        groups[codes[i]].weight += w;
        groups[codes[i]].mean += w * (values[i] - origin);
    }
    for (size_t g = 0; g < n_groups; g++) groups[g].mean /= groups[g].weight;
    for (size_t i = 0; i < n; i++) {
        if (!counts_in(values, codes, weights, n_groups, i)) continue;
        double d = values[i] - origin - groups[codes[i]].mean;
        groups[codes[i]].variance += (weights ? weights[i] : 1) * d * d;
    }
    for (size_t g = 0; g < n_groups; g++) groups[g].variance /= groups[g].weight;
}

void cairn_correlation_ratio_of(cairn_correlation_ratio *out, cairn_group_stats *groups,
                                size_t n_groups, const double *values, const int32_t *codes,
                                const double *weights, size_t n)
{
    double origin = origin_of(values, codes, weights, n_groups, n);
    group_parts(groups, n_groups, values, codes, weights, n, origin);
    *out = (cairn_correlation_ratio){0};
    for (size_t g = 0; g < n_groups; g++) {
        if (!(groups[g].weight > 0)) continue;
        out->n_groups++;
        out->total += groups[g].weight;
        out->mean += groups[g].weight * groups[g].mean;
        out->within += groups[g].weight * groups[g].variance;
    }
    out->mean /= out->total;
    out->within /= out->total;
    for (size_t g = 0; g < n_groups; g++) {
        double d = groups[g].mean - out->mean;
        if (groups[g].weight > 0) out->between += groups[g].weight * d * d;
    }
    out->between /= out->total;
    for (size_t g = 0; g < n_groups; g++) groups[g].mean += origin;
    out->mean += origin;
    if (!(out->total > 0)) out->within = out->between = NAN;
    out->variance = out->within + out->between;
    out->eta_squared = out->variance > 0 ? out->between / out->variance : NAN;
    double df1 = (double)out->n_groups - 1, df2 = out->total - (double)out->n_groups;
    bool testable = df1 > 0 && df2 > 0 && out->variance > 0;
    out->f = testable ? (out->between / df1) / (out->within / df2) : NAN;
    out->p_value = testable ? cairn_f_upper(out->f, df1, df2) : NAN;
}

/* -- two samples -- */

double cairn_kolmogorov_upper(double x)
{
    double sum = 0;
    if (isnan(x)) return NAN;
    if (x <= 0) return 1;
    if (x < 1.18) { /* the other form converges at once for small x */
        double t = cairn_exp(-M_PI * M_PI / (8 * x * x));
        for (int k = 1; k <= 19; k += 2) sum += cairn_pow(t, (double)k * k);
        return 1 - sqrt(2 * M_PI) / x * sum;
    }
    for (int k = 1; k <= 20; k++) sum += (k % 2 ? 2 : -2) * cairn_exp(-2 * (double)k * k * x * x);
    return sum;
}

/* The share of paths from (0,0) to (a,b) in steps of one that touch or leave the band
 * |i / a - j / b| < distance: out[j] is the share of paths to (i, j) that have, so the next column
 * follows from this one with i / (i + j) and j / (i + j) as chances of the last step. */
static cairn_status exact_tail(cairn_context *ctx, double *out, size_t a, size_t b, double distance)
{
    SCOPED_SCRATCH(ctx);
    double *left;
    double limit = distance - 1e-10;
    CHECK(SCRATCH(ctx, &left, b + 1));
    for (size_t i = 0; i <= a; i++)
        for (size_t j = 0; j <= b; j++) {
            double gap = fabs((double)i / (double)a - (double)j / (double)b);
            if (gap >= limit)
                left[j] = 1;
            else if (i == 0)
                left[j] = j == 0 ? 0 : left[j - 1];
            else if (j > 0)
                left[j] = ((double)i * left[j] + (double)j * left[j - 1]) / (double)(i + j);
        }
    *out = left[b];
    return CAIRN_OK;
}

cairn_status cairn_ks_test(cairn_context *ctx, cairn_ks *out, const cairn_sample *a,
                           const cairn_sample *b)
{
    double below_a = 0, below_b = 0, n_a = (double)a->n, n_b = (double)b->n;
    *out = (cairn_ks){.distance = NAN, .at = NAN, .p_value = NAN};
    if (!a->n || !b->n) return CAIRN_OK;
    out->distance = 0;
    for (size_t i = 0, j = 0; i < a->n || j < b->n;) {
        double x = i == a->n   ? b->values[j]
                   : j == b->n ? a->values[i]
                               : fmin(a->values[i], b->values[j]);
        for (; i < a->n && a->values[i] == x; i++) below_a += a->weights ? a->weights[i] : 1;
        for (; j < b->n && b->values[j] == x; j++) below_b += b->weights ? b->weights[j] : 1;
        double gap = fabs(below_a / a->total - below_b / b->total);
        if (gap <= out->distance) continue;
        out->distance = gap;
        out->at = x;
    }
    out->exact = n_a * n_b <= MOST_EXACT && n_a <= 1e5 && n_b <= 1e5;
    if (out->exact)
        CHECK(exact_tail(ctx, &out->p_value, a->n, b->n, out->distance));
    else
        out->p_value = cairn_kolmogorov_upper(out->distance * sqrt(n_a * n_b / (n_a + n_b)));
    if (out->distance == 0) out->p_value = 1;
    return CAIRN_OK;
}
