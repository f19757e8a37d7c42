/* SPDX-License-Identifier: MIT */
/* Naive Bayes: the class c that makes
 *
 *     ln P(c) + Σ ln P(x_j | c)
 *
 * largest, columns taken as independent of each other within a class.
 *
 *  1. each column gets a density by its kind, or the one that --density names (bayes_count.c)
 *  2. one pass counts values, words and moments per class (bayes_count.c); more rows can be added
 *     later, which gives what all rows at once would have given
 *  3. counts become probabilities by the smoothing, moments normal densities
 *  4. a row's score is the sum of logarithms; probabilities are exp(score), divided by their sum
 *    
 *
 * Missing cells are skipped in counting and in the sums. Ties go to the first class. A row that is
 * impossible in every class gets the shares of the classes. Cost: rows x columns for fitting, times
 * classes for predicting; kernel densities keep the training values. */
#include "learners/bayes/bayes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From counts and moments to logarithms of factors.
 *
 * Rules for what the counts leave open:
 *  - a class without a value in some column takes that column's distribution over all classes;
 *  - a value that no class has is skipped, unless smoothing gives it a probability;
 *  - the variance of a class is at least least-variance times that of the whole column, so a column
 *    that is constant within a class still has a density; a column that is constant altogether is
 *    left out of the products;
 *  - a kernel density never falls below 1e-20 of one over the range of the column. */

static const double two_pi = 6.283185307179586477;

cairn_smoothing cairn_bayes_smoothing(const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    cairn_smoothing usual = {CAIRN_SMOOTH_NONE, 0};
    if (part->density == CAIRN_BAYES_BERNOULLI) usual.kind = CAIRN_SMOOTH_BITS;
    if (part->density == CAIRN_BAYES_MULTINOMIAL) usual.kind = CAIRN_SMOOTH_LAPLACE;
    if (m->smooth_kind < 0) return usual;
    return (cairn_smoothing){(cairn_smoothing_kind)m->smooth_kind, m->smooth_amount};
}

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* Share of the value over all classes; NaN when there is no row. */
static double overall_share(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t value)
{
    double total = sum_of(part->totals, m->n_classes);
    return total > 0 ? sum_of(part->counts + value * m->n_classes, m->n_classes) / total : NAN;
}

static double probability(const cairn_bayes_model *m, const cairn_bayes_part *part,
                          cairn_smoothing smoothing, size_t value, size_t c)
{
    bool bit = part->density == CAIRN_BAYES_BERNOULLI ||
               (part->density == CAIRN_BAYES_MULTINOMIAL && m->terms == CAIRN_TERMS_DOCUMENTS);
    bool given = smoothing.kind == CAIRN_SMOOTH_M && m->smooth_prior == CAIRN_SMOOTH_OVERALL;
    double prior = given ? overall_share(m, part, value) : 0;
    double p = cairn_smoothed(smoothing, part->counts[value * m->n_classes + c], part->totals[c],
                              bit ? 2 : part->n_values, given ? &prior : NULL, 0);
    return isnan(p) ? overall_share(m, part, value) : p;
}

double cairn_bayes_probability(const cairn_bayes_model *m, const cairn_bayes_part *part,
                               size_t value, size_t c)
{
    return probability(m, part, cairn_bayes_smoothing(m, part), value, c);
}

void cairn_bayes_pooled(const cairn_bayes_model *m, const cairn_bayes_part *part, double *mean,
                        double *variance)
{
    double n = sum_of(part->totals, m->n_classes), sum = 0, squares = 0;
    for (size_t c = 0; c < m->n_classes; c++) sum += part->totals[c] * part->means[c];
    *mean = n > 0 ? sum / n : NAN;
    for (size_t c = 0; c < m->n_classes; c++) {
        double step = part->means[c] - *mean;
        if (part->totals[c] > 0) squares += part->squares[c] + part->totals[c] * step * step;
    }
    *variance = n > 0 ? squares / n : NAN;
}

static double raw_variance(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    double n = part->totals[c] - (m->divisor == CAIRN_DIVISOR_N_1);
    return n > 0 ? part->squares[c] / n : NAN;
}

double cairn_bayes_variance(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    double pooled = part->pooled_variance, own = raw_variance(m, part, c);
    double least = fmax(m->least_variance * pooled, fmin(m->least, pooled));
    if (!(part->totals[c] > 0)) return pooled + m->added;
    return (own >= least ? own : least) + m->added;
}

bool cairn_bayes_is_raised(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    return part->density == CAIRN_BAYES_GAUSSIAN && !part->idle && part->totals[c] > 0 &&
           m->added == 0 && !(raw_variance(m, part, c) >= cairn_bayes_variance(m, part, c));
}

/* The bin is searched by halves; beyond the outermost edges the outermost bins go on. */
static size_t bin_of(const cairn_bayes_part *part, double x)
{
    size_t low = 0, high = part->n_values; /* the bin is one of low .. high - 1 */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        bool above = part->closed_right ? x > part->places[middle] : x >= part->places[middle];
        if (above)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ptrdiff_t cairn_bayes_place(const cairn_bayes_part *part, double x)
{
    if (!part->n_values) return -1;
    if (part->density != CAIRN_BAYES_CATEGORICAL) return (ptrdiff_t)bin_of(part, x);
    size_t low = 0, high = part->n_values;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (part->places[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return part->places[low] == x ? (ptrdiff_t)low : -1;
}

/* -- tables of the parts -- */

/* Levels, values, bins, and words that are drawn. */
static cairn_status make_values(cairn_context *ctx, cairn_bayes_model *m, cairn_bayes_part *part)
{
    size_t k = m->n_classes;
    cairn_smoothing smoothing = cairn_bayes_smoothing(m, part);
    bool drawn = part->density == CAIRN_BAYES_MULTINOMIAL;
    CHECK(NEW(ctx, &part->logs, cairn_product(part->n_values, k)));
    part->idle = !(sum_of(part->totals, k) > 0);
    for (size_t v = 0; v < part->n_values && !part->idle; v++) {
        double width =
            part->density == CAIRN_BAYES_HISTOGRAM ? part->places[v + 1] - part->places[v] : 1;
        double factor = drawn ? m->score_scale : 1 / width, most = 0;
        double *logs = part->logs + v * k;
        for (size_t c = 0; c < k; c++) {
            double p = probability(m, part, smoothing, v, c);
            logs[c] = cairn_log(p * factor);
            most = fmax(most, p);
        }
        for (size_t c = 0; c < k && most == 0; c++) logs[c] = 0; /* no class has it */
    }
    return CAIRN_OK;
}

/* A word that is there or not. For a number logs is ln p and base ln(1 - p). For a bag logs is the
 * change that the word brings, and base what a row without any word gets; a word that is in every
 * row of a class cannot be missing there, which a sum cannot say, so such words are counted apart
 * (has_musts). */
static cairn_status make_bits(cairn_context *ctx, cairn_bayes_model *m, cairn_bayes_part *part)
{
    size_t k = m->n_classes;
    bool counts = m->absent == CAIRN_ABSENT_COUNT, bag = !part->of_numbers;
    cairn_smoothing smoothing = cairn_bayes_smoothing(m, part);
    CHECK(NEW(ctx, &part->logs, cairn_product(part->n_values, k)));
    CHECK(NEW(ctx, &part->base, k));
    part->idle = !(sum_of(part->totals, k) > 0);
    for (size_t v = 0; v < part->n_values && !part->idle; v++)
        for (size_t c = 0; c < k; c++) {
            double p = probability(m, part, smoothing, v, c), absent = counts ? cairn_log1p(-p) : 0;
            bool must = bag && p >= 1 && counts;
            part->logs[v * k + c] = cairn_log(p) - (bag && !must ? absent : 0);
            part->base[c] += must ? 0 : absent;
            part->has_musts |= must;
        }
    return CAIRN_OK;
}

static cairn_status make_normal(cairn_context *ctx, cairn_bayes_model *m, cairn_bayes_part *part)
{
    CHECK(NEW_EACH(ctx, m->n_classes, &part->base, &part->rates, &part->centres));
    part->idle = !(part->pooled_variance > 0) || isinf(part->pooled_variance);
    for (size_t c = 0; c < m->n_classes && !part->idle; c++) {
        double variance = cairn_bayes_variance(m, part, c);
        part->n_raised += cairn_bayes_is_raised(m, part, c);
        part->centres[c] = part->totals[c] > 0 ? part->means[c] : part->pooled_mean;
        part->rates[c] = 1 / sqrt(2 * variance);
        part->base[c] = -0.5 * cairn_log(two_pi * variance);
    }
    return CAIRN_OK;
}

/* A bandwidth for each class; the floor keeps a value far from all others from making a class
 * impossible. */
static cairn_status make_kernel(cairn_context *ctx, cairn_bayes_model *m, cairn_bayes_part *part)
{
    SCOPED_SCRATCH(ctx);
    cairn_density_options options = {
        .kernel = m->kernel, .bandwidth_rule = m->bandwidth_rule, .bandwidth = m->bandwidth};
    size_t at = 0;
    double low = INFINITY, high = -INFINITY;
    CHECK(NEW(ctx, &part->rates, m->n_classes));
    part->idle = !part->n_kept;
    for (size_t c = 0; c < m->n_classes; c++) {
        cairn_sample sample;
        size_t n = (size_t)part->kept_of[c];
        if (!n) continue;
        CHECK(cairn_sample_make(ctx, &sample, part->kept + at, part->kept_weights + at, n,
                                (cairn_part){0}));
        part->rates[c] = cairn_bandwidth(&sample, &options);
        if (isnan(part->rates[c])) /* equal values: a narrow one, so that others are possible */
            part->rates[c] = fmax(fabs(sample.values[0]) * 0.01, 0.01);
        low = fmin(low, part->kept[at]);
        high = fmax(high, part->kept[at + n - 1]);
        at += n;
    }
    part->floor = high > low ? 1e-20 / (high - low) : 1e-20;
    return CAIRN_OK;
}

cairn_status cairn_bayes_kernel_logs(cairn_context *ctx, double *out, const cairn_bayes_model *m,
                                     const cairn_bayes_part *part, const double *points,
                                     size_t n_points)
{
    SCOPED_SCRATCH(ctx);
    size_t k = m->n_classes, at = 0;
    double *densities, total = sum_of(part->totals, k);
    CHECK(SCRATCH(ctx, &densities, n_points + 1));
    for (size_t c = 0; c < k; c++) {
        size_t n = (size_t)part->kept_of[c];
        cairn_sample sample = {
            .values = part->kept + at, .weights = part->kept_weights + at, .n = n};
        if (!n) continue;
        CHECK(cairn_density_at(ctx, densities, &sample, part->rates[c],
                               (cairn_density_kernel)m->kernel, points, n_points));
        for (size_t i = 0; i < n_points; i++) out[i * k + c] = densities[i];
        at += n;
    }
    for (size_t i = 0; i < n_points; i++) {
        double all = 0;
        for (size_t c = 0; c < k; c++)
            if (part->kept_of[c] > 0) all += part->totals[c] / total * out[i * k + c];
        for (size_t c = 0; c < k; c++) {
            double density = part->kept_of[c] > 0 ? out[i * k + c] : all;
            out[i * k + c] = cairn_log(fmax(density, part->floor));
        }
    }
    return CAIRN_OK;
}

static cairn_status make_part(cairn_context *ctx, cairn_bayes_model *m, cairn_bayes_part *part)
{
    switch (part->density) {
    case CAIRN_BAYES_BERNOULLI: return make_bits(ctx, m, part);
    case CAIRN_BAYES_GAUSSIAN: return make_normal(ctx, m, part);
    case CAIRN_BAYES_KERNEL: return make_kernel(ctx, m, part);
    default: return make_values(ctx, m, part);
    }
}

/* Classes without a training row are impossible whatever the prior says. */
static cairn_status make_prior(cairn_context *ctx, cairn_bayes_model *m)
{
    double total = 0;
    CHECK(NEW(ctx, &m->log_prior, m->n_classes));
    for (size_t c = 0; c < m->n_classes; c++) {
        bool seen = m->classes[c] > 0;
        double share = m->prior_kind == CAIRN_PRIOR_EMPIRICAL ? m->classes[c]
                       : m->prior_kind == CAIRN_PRIOR_GIVEN   ? m->given_prior[c]
                                                              : 1;
        m->log_prior[c] = seen ? share : 0;
        total += m->log_prior[c];
    }
    if (m->prior_kind == CAIRN_PRIOR_NONE) total = 1;
    for (size_t c = 0; c < m->n_classes; c++)
        m->log_prior[c] = cairn_log(total > 0 ? m->log_prior[c] / total : 0);
    return CAIRN_OK;
}

/* The Gaussian parts side by side, for the kernel that takes them all at once. */
static cairn_status join_normals(cairn_context *ctx, cairn_bayes_model *m)
{
    CHECK(NEW(ctx, &m->normal_parts, m->n_parts + 1));
    for (size_t i = 0; i < m->n_parts; i++)
        if (m->parts[i].density == CAIRN_BAYES_GAUSSIAN && !m->parts[i].idle)
            m->normal_parts[m->n_normal++] = i;
    size_t size = cairn_product(m->n_classes, m->n_normal);
    CHECK(NEW_EACH(ctx, size, &m->normal_means, &m->normal_rates, &m->normal_base));
    for (size_t c = 0; c < m->n_classes; c++)
        for (size_t j = 0; j < m->n_normal; j++) {
            const cairn_bayes_part *part = &m->parts[m->normal_parts[j]];
            m->normal_means[c * m->n_normal + j] = part->centres[c];
            m->normal_rates[c * m->n_normal + j] = part->rates[c];
            m->normal_base[c * m->n_normal + j] = part->base[c];
        }
    return CAIRN_OK;
}

/* Drops what make_tables makes; the counts stay, so that it can be made anew. */
static void clear_tables(cairn_bayes_model *m)
{
    for (size_t i = 0; m->parts && i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        FREE_EACH(part->logs, part->base, part->rates, part->centres);
        part->logs = part->base = part->rates = part->centres = NULL;
        part->has_musts = part->idle = false;
        part->n_raised = 0;
    }
    FREE_EACH(m->log_prior, m->normal_parts, m->normal_means, m->normal_rates, m->normal_base);
    m->log_prior = m->normal_means = m->normal_rates = m->normal_base = NULL;
    m->normal_parts = NULL;
    m->n_normal = 0;
}

/* -- bayes.c -- */

/* What predictions need is made anew after every fit, update and load, and is not saved. */
static cairn_status make_tables(cairn_context *ctx, cairn_bayes_model *m)
{
    clear_tables(m);
    /* The moments over all classes, once for each column and not for each of its classes; and
     * what add-variance adds and least-of-largest asks for: shares of the largest variance of
     * all columns. */
    double most = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        if (part->density != CAIRN_BAYES_GAUSSIAN) continue;
        cairn_bayes_pooled(m, part, &part->pooled_mean, &part->pooled_variance);
        if (part->pooled_variance > most) most = part->pooled_variance;
    }
    m->added = m->add_variance > 0 ? m->add_variance * most : 0;
    m->least = m->least_of_largest * most;
    CHECK(make_prior(ctx, m));
    for (size_t i = 0; i < m->n_parts; i++) CHECK(make_part(ctx, m, &m->parts[i]));
    return join_normals(ctx, m);
}

/* Scores of rows: the logarithm of prior times factors, for every class.
 *
 * Rows go in blocks over the threads. Gaussian columns without missing cells are taken all at once
 * by a kernel, everything else cell by cell; a missing cell leaves its factor out. Kernel densities
 * are made before, for the distinct values of the rows. */

enum { MOST_BLOCK_ROWS = 256, BLOCK_SCORES = 1 << 18 }; /* of rows x classes */

/* Distances, in spreads of a class, that are squared; many such squares still add up to a
 * number. */
static const double FAR = 1e140;

/* ln of a kernel density at the distinct values that the rows have. */
typedef struct point_table {
    double *points; /* n, ascending */
    double *logs;   /* n x n_classes */
    size_t n;
} point_table;

typedef struct scoring {
    const cairn_bayes_model *m;
    const cairn_view *view;
    size_t block_rows;   /* fewer when there are many classes: room, and time between ticks */
    point_table *tables; /* n_parts; those of other densities are empty */
    double **musts;      /* n_parts: words per class that must be there; NULL = none */
    /* Gaussian columns without missing cells */
    size_t n_dense;
    const double **dense;           /* n_dense columns */
    double *means, *rates, *base;   /* n_classes x n_dense, n_classes x n_dense, n_classes */
    bool *apart;                    /* n_parts: a Gaussian with missing cells here */
    double *sums;                   /* workers x block_rows */
    double *gathered;               /* workers x n_dense x block_rows when rows are chosen */
    const double **gathered_starts; /* workers x n_dense */
    /* what is wanted; any may be NULL */
    double *scores;       /* n x n_classes, ln of prior x factors */
    cairn_prediction *to; /* codes and probabilities */
    double *joint, *evidence;
    double *buffer;     /* workers x block_rows x n_classes */
    size_t *impossible; /* one per block */
    size_t *far;        /* one per block: rows whose squares are no numbers */
} scoring;

/* -- single cells -- */

static double log_factorial(double x)
{
    return cairn_lgamma(x + 1);
}

/* ln(n! / prod x!), the number of orders in which the words can come. */
static double log_orders(double n, double sum_of_logs)
{
    return log_factorial(n) - sum_of_logs;
}

static void add_logs(double *out, const double *logs, double times, size_t k)
{
    for (size_t c = 0; c < k; c++) out[c] += times * logs[c];
}

/* ln of a normal density. Where the square of the distance is beyond all numbers, what is taken off
 * grows with the logarithm of the distance from there on: still a number, and the class to which
 * the value is nearest in its own spread still has the largest. */
static double normal_log(double x, double centre, double rate, double base)
{
    double d = (x - centre) * rate;
    if (fabs(d) < FAR) return base - d * d;
    double beyond = cairn_log(fabs(x / 2 - centre / 2)) + cairn_log(2 * rate) - cairn_log(FAR);
    return base - FAR * FAR * (1 + beyond);
}

static bool add_bag(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                    const cairn_column *column, size_t row)
{
    size_t k = m->n_classes;
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    double n = 0, logs = 0;
    if (column->absent && column->absent[row]) return false;
    if (bits) add_logs(out, part->base, 1, k);
    for (size_t t = column->starts[row]; t < column->starts[row + 1]; t++) {
        double x = column->amounts ? column->amounts[t] : 1;
        if (!(x > 0)) continue;
        add_logs(out, part->logs + (size_t)column->items[t] * k, bits ? 1 : x, k);
        n += x;
        if (m->coefficient && !bits) logs += log_factorial(x);
    }
    if (m->coefficient && !bits)
        for (size_t c = 0; c < k; c++) out[c] += log_orders(n, logs);
    return true;
}

/* Number columns that make one bag. */
static bool add_counts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                       const cairn_view *view, size_t row)
{
    size_t k = m->n_classes;
    double n = 0, logs = 0;
    bool there = false;
    for (size_t j = 0; j < part->n_features; j++) {
        double x = view->features[part->features[j]]->numbers[row];
        there |= !isnan(x);
        if (!(x > 0) || isinf(x)) continue;
        add_logs(out, part->logs + j * k, x, k);
        n += x;
        if (m->coefficient) logs += log_factorial(x);
    }
    if (m->coefficient && there)
        for (size_t c = 0; c < k; c++) out[c] += log_orders(n, logs);
    return there;
}

static bool add_points(double *out, const point_table *table, double x, size_t k)
{
    size_t low = 0, high = table->n;
    if (isnan(x) || !high) return false;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (table->points[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    add_logs(out, table->logs + low * k, 1, k);
    return true;
}

/* Add the logarithms of a part for one row of the table; false = left out. Words that must be there
 * are not looked at. */
static bool add_cell(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                     const cairn_view *view, size_t row, const point_table *table)
{
    const cairn_column *column = view->features[part->features[0]];
    size_t k = m->n_classes;
    if (part->idle) return false;
    if (part->density == CAIRN_BAYES_MULTINOMIAL && part->of_numbers)
        return add_counts(out, m, part, view, row);
    if (!part->of_numbers && part->density != CAIRN_BAYES_CATEGORICAL)
        return add_bag(out, m, part, column, row);
    if (!part->of_numbers) {
        int32_t code = column->codes[row];
        if (code < 0 || (size_t)code >= part->n_values) return false;
        add_logs(out, part->logs + (size_t)code * k, 1, k);
        return true;
    }
    double x = column->numbers[row];
    if (isnan(x)) return false;
    if (part->density == CAIRN_BAYES_KERNEL) return add_points(out, table, x, k);
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        for (size_t c = 0; c < k; c++)
            out[c] += normal_log(x, part->centres[c], part->rates[c], part->base[c]);
        return true;
    }
    if (part->density == CAIRN_BAYES_BERNOULLI) {
        add_logs(out, x > 0 ? part->logs : part->base, 1, k);
        return true;
    }
    ptrdiff_t at = cairn_bayes_place(part, x);
    if (at >= 0) add_logs(out, part->logs + (size_t)at * k, 1, k);
    return at >= 0;
}

/* -- words that must be there -- */

static bool must(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t word, size_t c)
{
    return cairn_bayes_probability(m, part, word, c) >= 1;
}

static void count_musts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < m->n_classes; c++) out[c] += must(m, part, v, c);
}

/* A class in whose rows some word always was is impossible for a row without it. */
static void check_musts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                        const double *musts, const cairn_column *column, size_t row)
{
    if (column->absent && column->absent[row]) return;
    for (size_t c = 0; c < m->n_classes; c++) {
        double left = musts[c];
        for (size_t t = column->starts[row]; t < column->starts[row + 1] && left > 0; t++)
            left -= (!column->amounts || column->amounts[t] > 0) &&
                    must(m, part, (size_t)column->items[t], c);
        if (left > 0) out[c] = -INFINITY;
    }
}

cairn_status cairn_bayes_factors(cairn_context *ctx, double *out, bool *there,
                                 const cairn_bayes_model *m, const cairn_bayes_part *part,
                                 const cairn_view *view, size_t row)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *column = view->features[part->features[0]];
    size_t at = cairn_view_row(view, row), k = m->n_classes;
    point_table table = {0};
    double *musts;
    memset(out, 0, k * sizeof *out);
    if (part->density == CAIRN_BAYES_KERNEL && !part->idle && !isnan(column->numbers[at])) {
        CHECK(SCRATCH(ctx, &table.logs, k));
        CHECK(SCRATCH(ctx, &table.points, 1));
        table.points[0] = column->numbers[at];
        table.n = 1;
        CHECK(cairn_bayes_kernel_logs(ctx, table.logs, m, part, table.points, 1));
    }
    *there = add_cell(out, m, part, view, at, &table);
    if (part->has_musts) {
        CHECK(SCRATCH(ctx, &musts, k));
        count_musts(musts, m, part);
        check_musts(out, m, part, musts, column, at);
    }
    return CAIRN_OK;
}

/* -- blocks of rows -- */

/* Make a row's scores again where the sum of squares left the numbers, or nearly so. */
static void add_far_normals(const scoring *s, double *out, const double *const *columns, size_t row)
{
    size_t g = s->n_dense;
    bool far = false;
    for (size_t c = 0; c < s->m->n_classes; c++) far |= !(out[c] > -FAR * FAR);
    for (size_t c = 0; far && c < s->m->n_classes; c++) {
        out[c] = s->m->log_prior[c] + s->base[c];
        for (size_t j = 0; j < g; j++)
            out[c] += normal_log(columns[j][row], s->means[c * g + j], s->rates[c * g + j], 0);
    }
}

/* The kernel squares distances, which overflow for absurd values; rows where it did are added
 * again cell by cell, with distances that stay in order. */
static void add_normals(const scoring *s, double *out, size_t begin, size_t n, int worker)
{
    size_t k = s->m->n_classes, g = s->n_dense;
    const double **columns = s->dense;
    double *sums = s->sums + (size_t)worker * s->block_rows;
    const uint32_t *rows = s->view->rows.indices;
    if (rows) {
        double *gathered = s->gathered + (size_t)worker * g * s->block_rows;
        columns = s->gathered_starts + (size_t)worker * g;
        for (size_t j = 0; j < g; j++) {
            cairn_gather(gathered + j * s->block_rows, s->dense[j], rows + begin, n);
            columns[j] = gathered + j * s->block_rows;
        }
    }
    bool far = false;
    for (size_t c = 0; c < k; c++) {
        cairn_normal_logs(sums, columns, rows ? 0 : begin, n, g, s->means + c * g,
                          s->rates + c * g);
        for (size_t i = 0; i < n; i++) {
            out[i * k + c] += s->base[c] + sums[i];
            far |= !(sums[i] > -FAR * FAR);
        }
    }
    if (!far) return;
    size_t first = rows ? 0 : begin;
    for (size_t i = 0; i < n; i++) add_far_normals(s, out + i * k, columns, first + i);
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (x[c] > x[best]) best = c;
    return best;
}

double cairn_bayes_posterior(double *scores, const cairn_bayes_model *m)
{
    size_t k = m->n_classes;
    double most = scores[largest(scores, k)], sum = 0;
    if (!(most > -INFINITY)) {
        for (size_t c = 0; c < k; c++) sum += m->classes[c];
        for (size_t c = 0; c < k; c++) scores[c] = m->classes[c] / sum;
        return -INFINITY;
    }
    double log_sum;
    cairn_softmax_rows(scores, &log_sum, k, 1, k);
    return log_sum;
}

/* Hand a row's scores out in the forms that are wanted; returns whether no class is possible. */
static bool give_row(const scoring *s, double *scores, size_t i)
{
    size_t k = s->m->n_classes, best = largest(scores, k);
    bool impossible = !(scores[best] > -INFINITY);
    if (s->scores) memcpy(s->scores + i * k, scores, k * sizeof *scores);
    if (!s->to) return impossible;
    if (s->to->codes) s->to->codes[i] = (int32_t)(impossible ? largest(s->m->classes, k) : best);
    if (s->joint) s->joint[i] = impossible ? NAN : scores[best];
    if (!s->to->scores && !s->evidence) return impossible;
    double evidence = cairn_bayes_posterior(scores, s->m);
    if (s->evidence) s->evidence[i] = impossible ? NAN : evidence;
    if (s->to->scores) memcpy(s->to->scores + i * k, scores, k * sizeof *scores);
    return impossible;
}

/* Counts rows that no class can explain, or only far out, per block: the warning about them must
 * not depend on the threads. */
static void score_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const scoring *s = data;
    const cairn_bayes_model *m = s->m;
    size_t k = m->n_classes, n = end - begin;
    double *out = s->buffer + (size_t)worker * s->block_rows * k;
    for (size_t i = 0; i < n; i++) memcpy(out + i * k, m->log_prior, k * sizeof *out);
    if (s->n_dense) add_normals(s, out, begin, n, worker);
    for (size_t p = 0; p < m->n_parts; p++) {
        const cairn_bayes_part *part = &m->parts[p];
        if (part->density == CAIRN_BAYES_GAUSSIAN && !s->apart[p]) continue;
        for (size_t i = 0; i < n; i++) {
            size_t row = cairn_view_row(s->view, begin + i);
            add_cell(out + i * k, m, part, s->view, row, &s->tables[p]);
            if (s->musts[p])
                check_musts(out + i * k, m, part, s->musts[p], s->view->features[part->features[0]],
                            row);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double best = out[i * k + largest(out + i * k, k)];
        s->far[block] += best < -FAR * FAR / 2 && best > -INFINITY;
        s->impossible[block] += give_row(s, out + i * k, begin + i);
    }
}

/* -- preparing -- */

static cairn_status make_points(cairn_context *ctx, void *data, size_t p)
{
    scoring *s = data;
    const cairn_bayes_part *part = &s->m->parts[p];
    point_table *table = &s->tables[p];
    if (!table->n) return CAIRN_OK;
    return cairn_bayes_kernel_logs(ctx, table->logs, s->m, part, table->points, table->n);
}

/* Room for the distinct values of the rows; the tables are then filled side by side. */
static cairn_status find_points(cairn_context *ctx, scoring *s)
{
    bool any = false;
    CHECK(SCRATCH_EACH(ctx, s->m->n_parts + 1, &s->tables, &s->musts));
    for (size_t p = 0; p < s->m->n_parts; p++) {
        const cairn_bayes_part *part = &s->m->parts[p];
        point_table *table = &s->tables[p];
        if (part->has_musts) {
            CHECK(SCRATCH(ctx, &s->musts[p], s->m->n_classes));
            count_musts(s->musts[p], s->m, part);
        }
        if (part->density != CAIRN_BAYES_KERNEL || part->idle) continue;
        const double *numbers = s->view->features[part->features[0]]->numbers;
        size_t n = 0, distinct = 0;
        CHECK(SCRATCH_RAW(ctx, &table->points, s->view->rows.n + 1));
        for (size_t i = 0; i < s->view->rows.n; i++) {
            double x = numbers[cairn_view_row(s->view, i)];
            if (!isnan(x)) table->points[n++] = x;
        }
        if (n) qsort(table->points, n, sizeof *table->points, cairn_by_number);
        for (size_t i = 0; i < n; i++)
            if (distinct == 0 || table->points[i] != table->points[distinct - 1])
                table->points[distinct++] = table->points[i];
        table->n = distinct;
        CHECK(SCRATCH(ctx, &table->logs, cairn_product(distinct, s->m->n_classes)));
        any = true;
    }
    if (any) CHECK(cairn_tasks(ctx, s->m->n_parts, make_points, s));
    return CAIRN_OK;
}

/* Columns with missing cells cannot go through the kernel that takes all at once; the others are
 * packed so that it reads no gaps. */
static cairn_status find_dense(cairn_context *ctx, scoring *s)
{
    const cairn_bayes_model *m = s->m;
    size_t k = m->n_classes, *of;
    CHECK(SCRATCH(ctx, &s->apart, m->n_parts + 1));
    CHECK(SCRATCH_EACH(ctx, m->n_normal + 1, &s->dense, &of));
    for (size_t j = 0; j < m->n_normal; j++) {
        const cairn_bayes_part *part = &m->parts[m->normal_parts[j]];
        const cairn_column *column = s->view->features[part->features[0]];
        if (column->n_missing) {
            s->apart[m->normal_parts[j]] = true;
        } else {
            of[s->n_dense] = j;
            s->dense[s->n_dense++] = column->numbers;
        }
    }
    CHECK(SCRATCH_EACH(ctx, cairn_product(k, s->n_dense), &s->means, &s->rates));
    CHECK(SCRATCH(ctx, &s->base, k));
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < s->n_dense; j++) {
            s->means[c * s->n_dense + j] = m->normal_means[c * m->n_normal + of[j]];
            s->rates[c * s->n_dense + j] = m->normal_rates[c * m->n_normal + of[j]];
            s->base[c] += m->normal_base[c * m->n_normal + of[j]];
        }
    return CAIRN_OK;
}

/* All room is taken before the blocks start, one piece for each worker, as workers may not
 * allocate. */
static cairn_status score(cairn_context *ctx, scoring *s, size_t *n_impossible, size_t *n_far)
{
    size_t n = s->view->rows.n, workers = (size_t)cairn_workers(ctx), k = s->m->n_classes;
    s->block_rows = MOST_BLOCK_ROWS;
    while (s->block_rows > 1 && s->block_rows * k > BLOCK_SCORES) s->block_rows /= 2;
    size_t blocks = cairn_block_count(n, s->block_rows);
    CHECK(find_points(ctx, s));
    CHECK(find_dense(ctx, s));
    CHECK(SCRATCH_RAW(ctx, &s->sums, workers * s->block_rows));
    CHECK(SCRATCH_RAW(ctx, &s->buffer, cairn_product(workers * s->block_rows, k)));
    CHECK(SCRATCH_EACH(ctx, blocks + 1, &s->impossible, &s->far));
    if (s->view->rows.indices && s->n_dense) {
        CHECK(SCRATCH_RAW(ctx, &s->gathered, cairn_product(workers * s->block_rows, s->n_dense)));
        CHECK(SCRATCH(ctx, &s->gathered_starts, cairn_product(workers, s->n_dense)));
    }
    CHECK(cairn_blocks_sized(ctx, n, s->block_rows, (double)n * (double)(k * (s->m->n_parts + 1)),
                             score_block, s));
    *n_impossible = *n_far = 0;
    for (size_t b = 0; b < blocks; b++) {
        *n_impossible += s->impossible[b];
        *n_far += s->far[b];
    }
    return CAIRN_OK;
}

cairn_status cairn_bayes_scores(cairn_context *ctx, double *out, const cairn_bayes_model *m,
                                const cairn_view *view)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    scoring s = {.m = m, .view = view, .scores = out};
    size_t n_impossible, n_far;
    cairn_status status = score(ctx, &s, &n_impossible, &n_far);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Counts of 0 make a class impossible. */
static void warn_impossible(cairn_context *ctx, const cairn_bayes_model *m, size_t n)
{
    bool counted = false;
    for (size_t i = 0; i < m->n_parts; i++)
        counted |= m->parts[i].n_values &&
                   cairn_bayes_smoothing(m, &m->parts[i]).kind == CAIRN_SMOOTH_NONE;
    cairn_warn(
        ctx, "%zu row%s a probability of 0 in every class and get%s the shares of the classes; %s",
        n, n == 1 ? " has" : "s have", n == 1 ? "s" : "",
        cairn_say(ctx, counted
                           ? "{smooth} laplace in fitting leaves no probability of a level at 0"
                           : "look for numbers that are far beyond those of the training rows"));
}

static cairn_status bayes_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = model, .view = job->view, .to = out};
    size_t n_impossible, n_far;
    if (out->extra) {
        CHECK(SCRATCH_RAW_EACH(ctx, out->n_rows + 1, &s.joint, &s.evidence));
    }
    CHECK(score(ctx, &s, &n_impossible, &n_far));
    out->codes_set = true;
    if (out->extra) {
        CHECK(cairn_table_put_numbers(ctx, out->extra, "log_joint", s.joint));
        CHECK(cairn_table_put_numbers(ctx, out->extra, "log_evidence", s.evidence));
    }
    if (n_impossible) warn_impossible(ctx, s.m, n_impossible);
    if (n_far)
        cairn_warn(ctx,
                   "%zu row%s numbers so far beyond those of the training rows that all classes "
                   "are next to impossible, and get%s the class with the widest spread; look for "
                   "wrong cells",
                   n_far, n_far == 1 ? " has" : "s have", n_far == 1 ? "s" : "");
    return CAIRN_OK;
}

/* Naive Bayes as a program: the logarithms of every part, added up, and made probabilities. A
 * missing cell adds nothing. */

/* The place of a number among the values or between the edges that the part knows. */
static cairn_status lower_place(cairn_program *p, const cairn_bayes_part *part, int32_t in,
                                int32_t *out)
{
    bool exact = part->density == CAIRN_BAYES_CATEGORICAL;
    size_t n = exact ? part->n_values : part->n_values - 1;
    int32_t *below;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CUTS, &in, 1, 1, &op));
    op->sizes[0] = (int32_t)n;
    op->sizes[1] = exact;
    CHECK(cairn_op_codes(p, op, 0, n, &below));
    for (size_t i = 0; i < n; i++) below[i] = exact || part->closed_right;
    CHECK(cairn_op_copy_numbers(p, op, 0, part->places + !exact, n));
    *out = op->out;
    return CAIRN_OK;
}

static cairn_status lower_normal(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_NORMAL, &in, 1, m->n_classes, &op));
    CHECK(cairn_op_copy_numbers(p, op, 0, part->centres, m->n_classes));
    CHECK(cairn_op_copy_numbers(p, op, 1, part->rates, m->n_classes));
    CHECK(cairn_op_copy_numbers(p, op, 2, part->base, m->n_classes));
    *out = op->out;
    return CAIRN_OK;
}

/* An exported program has no grid and adds over every kept value, which a large sample would
 * make useless; so it is refused. */
static cairn_status lower_kernel(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    enum { MOST = 20000 }; /* beyond, densities are made on a grid */
    size_t k = m->n_classes;
    int32_t *starts;
    double *totals, total = 0;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_KERNEL, &in, 1, k, &op));
    CHECK(cairn_op_codes(p, op, 0, k + 1, &starts));
    CHECK(cairn_op_numbers(p, op, 3, k, &totals));
    for (size_t c = 0; c < k; c++) {
        if (part->kept_of[c] > MOST)
            return cairn_program_refuse(p, "its kernel densities have more than %d values", MOST);
        starts[c + 1] = starts[c] + (int32_t)part->kept_of[c];
        total += part->totals[c];
    }
    for (size_t c = 0; c < k; c++) totals[c] = part->totals[c] / total;
    op->sizes[0] = m->kernel;
    CHECK(cairn_op_copy_numbers(p, op, 0, part->kept, part->n_kept));
    CHECK(cairn_op_copy_numbers(p, op, 1, part->kept_weights, part->n_kept));
    CHECK(cairn_op_copy_numbers(p, op, 2, part->rates, k));
    *out = op->out;
    return cairn_op_copy_numbers(p, op, 4, &part->floor, 1);
}

/* A number that is there (above 0) or not. */
static cairn_status lower_bit(cairn_program *p, const cairn_bayes_model *m,
                              const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    size_t k = m->n_classes;
    double *table, *none, zero = 0;
    int32_t below = 1;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CUTS, &in, 1, 1, &op));
    op->sizes[0] = 1;
    CHECK(cairn_op_copy_codes(p, op, 0, &below, 1));
    CHECK(cairn_op_copy_numbers(p, op, 0, &zero, 1));
    CHECK(SCRATCH(p->ctx, &table, 2 * k));
    CHECK(SCRATCH(p->ctx, &none, k));
    for (size_t c = 0; c < k; c++) {
        table[c] = part->base[c];
        table[k + c] = part->logs[c];
    }
    return cairn_lower_lookup(p, op->out, 2, k, table, none, out);
}

/* Number columns that make one bag, or the items of a bag. */
static cairn_status lower_counts(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, const int32_t *features,
                                 int32_t *out)
{
    size_t n = part->of_numbers ? part->n_features : part->n_values;
    int32_t *in;
    cairn_operation *op;
    CHECK(SCRATCH(p->ctx, &in, n + 1));
    for (size_t j = 0; j < n; j++)
        in[j] = part->of_numbers ? features[part->features[j]]
                                 : features[part->features[0]] + (int32_t)j;
    CHECK(cairn_program_add(p, CAIRN_OP_COUNTS, in, n, m->n_classes, &op));
    op->sizes[0] = m->coefficient;
    *out = op->out;
    return cairn_op_copy_numbers(p, op, 0, part->logs, cairn_product(n, m->n_classes));
}

static cairn_status lower_part(cairn_program *p, const cairn_bayes_model *m,
                               const cairn_bayes_part *part, const int32_t *features, int32_t *out)
{
    int32_t in = features[part->features[0]];
    if (part->density == CAIRN_BAYES_MULTINOMIAL) return lower_counts(p, m, part, features, out);
    if (!part->of_numbers && part->density != CAIRN_BAYES_CATEGORICAL)
        return cairn_program_refuse(p, "words that are there or not have no program");
    if (part->of_numbers && part->density == CAIRN_BAYES_GAUSSIAN)
        return lower_normal(p, m, part, in, out);
    if (part->of_numbers && part->density == CAIRN_BAYES_KERNEL)
        return lower_kernel(p, m, part, in, out);
    if (part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI)
        return lower_bit(p, m, part, in, out);
    if (part->of_numbers) CHECK(lower_place(p, part, in, &in));
    /* Levels, or values and bins of a number: a row of logarithms for each. */
    double *none;
    CHECK(SCRATCH(p->ctx, &none, m->n_classes + 1));
    return cairn_lower_lookup(p, in, part->n_values, m->n_classes, part->logs, none, out);
}

/* The model as a program (model/program.h). */
static cairn_status bayes_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_bayes_model *m = model;
    size_t k = m->n_classes, n_parts = 1;
    const int32_t *features;
    int32_t *firsts, *in, sum, *places;
    double *shares, total = 0;
    cairn_operation *op;
    (void)job;
    features = out->slots; /* all columns are features */
    CHECK(SCRATCH(out->ctx, &firsts, m->n_parts + 1));
    CHECK(cairn_lower_constants(out, m->log_prior, k, &firsts[0]));
    for (size_t i = 0; i < m->n_parts; i++)
        if (!m->parts[i].idle && (m->parts[i].n_values || !m->parts[i].places))
            CHECK(lower_part(out, m, &m->parts[i], features, &firsts[n_parts++]));
    CHECK(cairn_lower_sum(out, firsts, n_parts, k, &sum));
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    CHECK(cairn_op_numbers(out, op, 0, k, &shares));
    for (size_t c = 0; c < k; c++) total += m->classes[c];
    for (size_t c = 0; c < k; c++) {
        places[c] = (int32_t)c;
        shares[c] = m->classes[c] / total;
    }
    out->answer.scores = op->out;
    return CAIRN_OK;
}

static const cairn_choice smooth_priors[] = {
    {"uniform", CAIRN_SMOOTH_UNIFORM, "all values alike"},
    {"overall", CAIRN_SMOOTH_OVERALL, "the share of the value in all classes together"},
    {0},
};

static const cairn_choice absents[] = {
    {"count", CAIRN_ABSENT_COUNT, "a word that is not there counts with 1 - p"},
    {"ignore", CAIRN_ABSENT_IGNORE, "only words that are there count"},
    {0},
};

static const cairn_choice term_shares[] = {
    {"occurrences", CAIRN_TERMS_OCCURRENCES, "share of all words of the class"},
    {"documents", CAIRN_TERMS_DOCUMENTS, "share of the rows of the class that have the word"},
    {0},
};

static const cairn_choice logs[] = {
    {"e", 0, "natural logarithms"},
    {"2", 2, "bits"},
    {"10", 10, "decimal logarithms"},
    {0},
};

static const cairn_param bayes_param_table[] = {
    CAIRN_PARAM(cairn_bayes_params, density, NULL, NULL,
                "densities that differ from the usual ones (levels categorical, numbers gaussian, "
                "bags multinomial): categorical, bernoulli, multinomial, gaussian, histogram, "
                "kernel or binned for all columns that can have it, or COLUMN=KIND for one",
                .often = true),
    CAIRN_PARAM(cairn_bayes_params, smooth, "auto", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out by the prior), bits (n + 1) / (N + 2); "
                "auto is none for levels and bins, bits for bernoulli, laplace for multinomial",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, smooth_prior, "uniform", smooth_priors,
                       "how the X cases are shared out", .when = "smooth=m:*"),
    CAIRN_PARAM(cairn_bayes_params, prior, "empirical", NULL,
                "the prior of the classes: empirical (their shares), uniform, none (left out of "
                "the score), or one number per class in the order of the classes, such as 0.7,0.3",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, divisor, "n", cairn_divisors,
                       "gaussian: divisor of the variance",
                       .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, least_variance, "1e-9", "(0,1)",
                "gaussian: the variance of a class is at least this share of the whole column's",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, least_of_largest, "1e-9", "[0,1)",
                "gaussian: it is also at least this share of the largest variance of all columns, "
                "but never more than the column's own over all classes",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, add_variance, "0", "[0,inf)",
                "gaussian: add this share of the largest variance of all columns to every "
                "variance, which smooths columns of small numbers most",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, absent, "count", absents,
                       "what words that are not there do", .when = "density=*bernoulli*",
                       .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, terms, "occurrences", term_shares,
                       "multinomial: what the probability of a word is the share of",
                       .when = "!density=bernoulli"),
    CAIRN_PARAM(cairn_bayes_params, score_scale, "1", "(0,inf)",
                "multinomial: probabilities are multiplied by this inside the logarithm, which "
                "changes scores but no answer; 1000 makes them positive",
                .when = "!density=bernoulli"),
    CAIRN_PARAM(cairn_bayes_params, coefficient, "no", NULL,
                "multinomial: count the orders of the words, n! / (x! y! ...), in the likelihood",
                .when = "!density=bernoulli"),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, log, "e", logs, "base of the scores that are shown"),
    CAIRN_PARAM(cairn_bayes_params, top, "10", "[0,1000]",
                "words per class to show: those that speak most for it"),
    CAIRN_PARAM_GROUP(cairn_bayes_params, kernel, cairn_density_params, .when = "density=*kernel*"),
    CAIRN_PARAM_GROUP(cairn_bayes_params, bins, cairn_bin_params,
                      .when = "density=*histogram*|*binned*"),
    CAIRN_PARAM_END,
};

static cairn_status bayes_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_bayes_model *m = model;
    CHECK(cairn_bayes_plan(ctx, m, job));
    CHECK(cairn_bayes_count(ctx, m, job));
    CHECK(make_tables(ctx, m));
    if (job->steps) cairn_bayes_steps(ctx, m, job);
    return CAIRN_OK;
}

static cairn_status bayes_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_bayes_model *m = model;
    CHECK(cairn_bayes_grow(ctx, m, job));
    CHECK(cairn_bayes_count(ctx, m, job));
    CHECK(make_tables(ctx, m));
    if (job->steps) cairn_bayes_steps(ctx, m, job);
    return CAIRN_OK;
}

/* -- saving and loading -- */

static cairn_status archive_kept(cairn_archive *a, cairn_bayes_part *part, size_t k)
{
    double sum = 0;
    CHECK(cairn_archive_reals(a, "kept_of", &part->kept_of, k));
    CHECK(cairn_archive_size(a, "n_kept", &part->n_kept, (size_t)1 << 40));
    CHECK(cairn_archive_reals(a, "kept", &part->kept, part->n_kept));
    CHECK(cairn_archive_reals(a, "kept_weights", &part->kept_weights, part->n_kept));
    for (size_t c = 0; c < k; c++) {
        double n = part->kept_of[c];
        if (!(n >= 0) || n != floor(n)) CHECK(cairn_archive_damaged(a, "a class has no count"));
        sum += n;
    }
    if (sum != (double)part->n_kept) CHECK(cairn_archive_damaged(a, "values and classes disagree"));
    return CAIRN_OK;
}

/* Arrays are asked for by what the density needs, so the density is checked first: a file with a
 * wrong one would else be read into the wrong arrays. */
static cairn_status archive_part(cairn_archive *a, cairn_bayes_part *part, size_t k,
                                 size_t n_features)
{
    size_t n_places = 0;
    CHECK(cairn_archive_int(a, "density", &part->density));
    CHECK(cairn_archive_bool(a, "of_numbers", &part->of_numbers));
    CHECK(cairn_archive_size(a, "n_features", &part->n_features, n_features));
    CHECK(cairn_archive_ints(a, "features", &part->features, part->n_features));
    CHECK(cairn_archive_size(a, "n_values", &part->n_values, (size_t)1 << 40));
    if (part->density < 0 || part->density >= CAIRN_BAYES_DENSITIES || part->n_features == 0)
        CHECK(cairn_archive_damaged(a, "a column has no density"));
    for (size_t i = 0; i < part->n_features; i++)
        if (part->features[i] < 0 || (size_t)part->features[i] >= n_features)
            CHECK(cairn_archive_damaged(a, "a density belongs to no column"));
    CHECK(cairn_archive_reals(a, "counts", &part->counts, cairn_product(part->n_values, k)));
    CHECK(cairn_archive_reals(a, "totals", &part->totals, k));
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        CHECK(cairn_archive_reals(a, "means", &part->means, k));
        CHECK(cairn_archive_reals(a, "squares", &part->squares, k));
    }
    if (part->density == CAIRN_BAYES_HISTOGRAM || part->density == CAIRN_BAYES_BINNED ||
        (part->density == CAIRN_BAYES_CATEGORICAL && part->of_numbers))
        n_places = part->n_values + 1;
    if (n_places) CHECK(cairn_archive_reals(a, "places", &part->places, n_places));
    CHECK(cairn_archive_bool(a, "closed_right", &part->closed_right));
    if (part->density == CAIRN_BAYES_KERNEL) CHECK(archive_kept(a, part, k));
    return CAIRN_OK;
}

/* What the counts mean depends on these; a value outside its choices would index past a table
 * later, so it is refused here. */
static cairn_status archive_settings(cairn_archive *a, cairn_bayes_model *m)
{
    CHECK(cairn_archive_int(a, "smooth_kind", &m->smooth_kind));
    CHECK(cairn_archive_real(a, "smooth_amount", &m->smooth_amount));
    CHECK(cairn_archive_int(a, "smooth_prior", &m->smooth_prior));
    CHECK(cairn_archive_int(a, "divisor", &m->divisor));
    CHECK(cairn_archive_int(a, "absent", &m->absent));
    CHECK(cairn_archive_int(a, "terms", &m->terms));
    CHECK(cairn_archive_int(a, "kernel", &m->kernel));
    CHECK(cairn_archive_int(a, "bandwidth_rule", &m->bandwidth_rule));
    CHECK(cairn_archive_int(a, "prior_kind", &m->prior_kind));
    CHECK(cairn_archive_size(a, "n_given", &m->n_given, m->n_classes));
    CHECK(cairn_archive_reals(a, "given_prior", &m->given_prior, m->n_given));
    CHECK(cairn_archive_real(a, "least_variance", &m->least_variance));
    if (cairn_archive_version(a) >= 17)
        CHECK(cairn_archive_real(a, "least_of_largest", &m->least_of_largest));
    CHECK(cairn_archive_real(a, "add_variance", &m->add_variance));
    CHECK(cairn_archive_real(a, "score_scale", &m->score_scale));
    CHECK(cairn_archive_real(a, "bandwidth", &m->bandwidth));
    CHECK(cairn_archive_bool(a, "coefficient", &m->coefficient));
    const struct {
        int32_t value, most;
    } choices[] = {{m->smooth_kind == -1 ? 0 : m->smooth_kind, CAIRN_SMOOTH_BITS},
                   {m->smooth_prior, CAIRN_SMOOTH_OVERALL},
                   {m->divisor, CAIRN_DIVISOR_N},
                   {m->absent, CAIRN_ABSENT_IGNORE},
                   {m->terms, CAIRN_TERMS_DOCUMENTS},
                   {m->kernel, CAIRN_DENSITY_UNIFORM},
                   {m->bandwidth_rule, CAIRN_BANDWIDTH_SCOTT},
                   {m->prior_kind, CAIRN_PRIOR_GIVEN}};
    bool known = m->prior_kind != CAIRN_PRIOR_GIVEN || m->n_given == m->n_classes;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        known = known && choices[i].value >= 0 && choices[i].value <= choices[i].most;
    if (!known) CHECK(cairn_archive_damaged(a, "unknown settings"));
    return CAIRN_OK;
}

/* Only counts are kept in the file: logarithms are made from them again, so that more rows can
 * be added to a loaded model. */
static cairn_status bayes_archive(cairn_archive *a, void *model)
{
    cairn_bayes_model *m = model;
    size_t n_parts = m->n_parts;
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_features", &m->n_features, 1 << 28));
    if (m->n_classes == 0) CHECK(cairn_archive_damaged(a, "there is no class"));
    CHECK(cairn_archive_reals(a, "classes", &m->classes, m->n_classes));
    CHECK(archive_settings(a, m));
    CHECK(cairn_archive_size(a, "n_parts", &n_parts, m->n_features));
    size_t capacity = 0;
    for (size_t i = 0; i < n_parts; i++) {
        if (cairn_archive_reading(a)) { /* grows: a wrong count in a file must not take memory */
            CHECK(GROW(cairn_archive_context(a), &m->parts, &capacity, i + 1));
            m->parts[i] = (cairn_bayes_part){0};
            m->n_parts = i + 1;
        }
        CHECK(archive_part(a, &m->parts[i], m->n_classes, m->n_features));
    }
    if (cairn_archive_reading(a)) CHECK(make_tables(cairn_archive_context(a), m));
    return CAIRN_OK;
}

/* Whether a part fits the columns that it looks at. */
static bool fits(const cairn_bayes_part *part, const cairn_field *const *fields)
{
    for (size_t i = 0; i < part->n_features; i++) {
        const cairn_field *field = fields[part->features[i]];
        if (part->of_numbers != (field->kind == CAIRN_NUMBER)) return false;
        if (part->of_numbers) continue;
        bool bag = field->kind == CAIRN_BAG, levels = field->kind == CAIRN_LEVEL;
        bool words =
            part->density == CAIRN_BAYES_BERNOULLI || part->density == CAIRN_BAYES_MULTINOMIAL;
        if (!(bag && words) && !(levels && part->density == CAIRN_BAYES_CATEGORICAL)) return false;
        if (part->n_values != field->names.n) return false;
    }
    bool bins = part->density == CAIRN_BAYES_HISTOGRAM || part->density == CAIRN_BAYES_BINNED;
    if (bins && part->n_values == 0) return false;
    bool together = part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL;
    if (together && part->n_values != part->n_features) return false;
    if (part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI && part->n_values != 1)
        return false;
    return together || part->n_features == 1;
}

static cairn_status bayes_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    const cairn_field **fields;
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    CHECK(cairn_check_columns(a, job, m->n_features));
    CHECK(cairn_bayes_fields(cairn_archive_context(a), &fields, job->schema));
    for (size_t i = 0; i < m->n_parts; i++)
        if (!fits(&m->parts[i], fields))
            CHECK(cairn_archive_damaged(a, "a density does not fit its column"));
    return CAIRN_OK;
}

/* Also frees a model of which only some parts were read, as a damaged file leaves it. */
static void bayes_clear(void *model)
{
    cairn_bayes_model *m = model;
    clear_tables(m);
    for (size_t i = 0; m->parts && i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        FREE_EACH(part->features, part->counts, part->totals, part->means, part->squares,
                  part->places, part->kept, part->kept_weights, part->kept_of);
    }
    FREE_EACH(m->parts, m->classes, m->given_prior);
}

/* Probabilities that were learned: those of a class sum to 1. */
static cairn_model_size bayes_size(const void *model)
{
    const cairn_bayes_model *m = model;
    double k = (double)m->n_classes;
    cairn_model_size size = {k - 1, false};
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        double free = (double)part->n_values - 1;
        if (part->density == CAIRN_BAYES_BERNOULLI) free = (double)part->n_values;
        if (part->density == CAIRN_BAYES_GAUSSIAN) free = 2;
        if (part->density == CAIRN_BAYES_KERNEL) {
            size.parameters += (double)part->n_kept;
            size.grows = true;
        } else {
            size.parameters += k * fmax(free, 0);
        }
    }
    return size;
}

static const cairn_output bayes_outputs[] = {
    {"log_joint", "ln(prior × likelihood) of the class that is answered; empty where every class "
                  "is impossible"},
    {"log_evidence", "ln of the sum of prior × likelihood over the classes: how usual the row is; "
                     "empty where it is 0"},
    {0},
};

const cairn_learner cairn_bayes = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "bayes",
              .also = "naive Bayes, naive Bayes classifier, NB, Gaussian naive Bayes, multinomial "
                      "naive Bayes, Bernoulli naive Bayes, naiveBayes, GaussianNB, MultinomialNB, "
                      "BernoulliNB, CategoricalNB",
              .about = "learning as probability estimation, learning as probabilistic estimation, "
                       "multivariate Bernoulli distribution, multivariate Bernoulli model, "
                       "probabilistic models of categories, class-conditional distribution",
              .title = "Naive Bayes",
              .summary =
                  "Multiplies the prior of a class by the probability of each column's value in "
                  "that class, as if columns were independent within a class, and answers the "
                  "class with the largest product. Levels are counted, numbers get a normal "
                  "density, words of a text (--with bag) are drawn from the bag of the class; "
                  "--density chooses histogram, kernel, binned, Bernoulli and others, column by "
                  "column. Missing cells are skipped. It is fitted in one pass, can take more rows "
                  "later, and is hard to beat for text; its probabilities are often too sure of "
                  "themselves (--with-calibration helps).",
              .references = "Maron: Automatic Indexing, JACM 8, 1961; Domingos and Pazzani: On the "
                            "Optimality of the Simple Bayesian Classifier under Zero-One Loss, "
                            "Machine Learning 29, 1997; McCallum and Nigam: A Comparison of Event "
                            "Models for Naive Bayes Text Classification, 1998; John and Langley: "
                            "Estimating Continuous Distributions in Bayesian Classifiers, 1995",
              .example = "cairn fit bayes @weather --steps",
              .params = bayes_param_table,
              .params_size = sizeof(cairn_bayes_params),
              .check = cairn_bayes_check},
    .tasks = CAIRN_CLASSIFY,
    .space = "smooth=auto,laplace,m:2\n"
             "least-of-largest=1e-9,0.001,0.01,0.1",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_bayes_model),
    .tables = cairn_bayes_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = bayes_outputs,
    .fit = bayes_fit,
    .update = bayes_update,
    .forms = cairn_bayes_forms,
    .lower = bayes_lower,
    .predict = bayes_predict,
    .describe = cairn_bayes_describe,
    .explain = cairn_bayes_explain,
    .sample = cairn_bayes_sample,
    .archive = bayes_archive,
    .check = bayes_check_state,
    .clear = bayes_clear,
    .size = bayes_size,
};
