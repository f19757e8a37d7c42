/* SPDX-License-Identifier: MIT */
/* From counts and moments to logarithms of factors.
 *
 * Rules for what the counts leave open:
 *  - a class without a value in some column takes that column's distribution over all classes;
 *  - a value that no class has is skipped, unless smoothing gives it a probability;
 *  - the variance of a class is at least least-variance times that of the whole column, so a column
 *    that is constant within a class still has a density; a column that is constant altogether is
 *    left out of the products;
 *  - a kernel density never falls below 1e-20 of one over the range of the column. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

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

double cairn_bayes_raw_variance(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    double n = part->totals[c] - (m->divisor == CAIRN_DIVISOR_N_1);
    return n > 0 ? part->squares[c] / n : NAN;
}

double cairn_bayes_variance(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    double pooled = part->pooled_variance, own = cairn_bayes_raw_variance(m, part, c);
    double least = fmax(m->least_variance * pooled, fmin(m->least, pooled));
    if (!(part->totals[c] > 0)) return pooled + m->added;
    return (own >= least ? own : least) + m->added;
}

bool cairn_bayes_is_raised(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    return part->density == CAIRN_BAYES_GAUSSIAN && !part->idle && part->totals[c] > 0 &&
           m->added == 0 &&
           !(cairn_bayes_raw_variance(m, part, c) >= cairn_bayes_variance(m, part, c));
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
    CHECK(NEW(ctx, &part->base, m->n_classes));
    CHECK(NEW(ctx, &part->rates, m->n_classes));
    CHECK(NEW(ctx, &part->centres, m->n_classes));
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
    CHECK(NEW(ctx, &m->normal_means, size));
    CHECK(NEW(ctx, &m->normal_rates, size));
    CHECK(NEW(ctx, &m->normal_base, size));
    for (size_t c = 0; c < m->n_classes; c++)
        for (size_t j = 0; j < m->n_normal; j++) {
            const cairn_bayes_part *part = &m->parts[m->normal_parts[j]];
            m->normal_means[c * m->n_normal + j] = part->centres[c];
            m->normal_rates[c * m->n_normal + j] = part->rates[c];
            m->normal_base[c * m->n_normal + j] = part->base[c];
        }
    return CAIRN_OK;
}

void cairn_bayes_clear_tables(cairn_bayes_model *m)
{
    for (size_t i = 0; m->parts && i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        cairn_free(part->logs);
        cairn_free(part->base);
        cairn_free(part->rates);
        cairn_free(part->centres);
        part->logs = part->base = part->rates = part->centres = NULL;
        part->has_musts = part->idle = false;
        part->n_raised = 0;
    }
    cairn_free(m->log_prior);
    cairn_free(m->normal_parts);
    cairn_free(m->normal_means);
    cairn_free(m->normal_rates);
    cairn_free(m->normal_base);
    m->log_prior = m->normal_means = m->normal_rates = m->normal_base = NULL;
    m->normal_parts = NULL;
    m->n_normal = 0;
}

/* The moments over all classes, once for each column and not for each of its classes; and what
 * add-variance adds and least-of-largest asks for: shares of the largest variance of all
 * columns. */
static void find_pooled(cairn_bayes_model *m)
{
    double most = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        if (part->density != CAIRN_BAYES_GAUSSIAN) continue;
        cairn_bayes_pooled(m, part, &part->pooled_mean, &part->pooled_variance);
        if (part->pooled_variance > most) most = part->pooled_variance;
    }
    m->added = m->add_variance > 0 ? m->add_variance * most : 0;
    m->least = m->least_of_largest * most;
}

cairn_status cairn_bayes_make_tables(cairn_context *ctx, cairn_bayes_model *m)
{
    cairn_bayes_clear_tables(m);
    find_pooled(m);
    CHECK(make_prior(ctx, m));
    for (size_t i = 0; i < m->n_parts; i++) CHECK(make_part(ctx, m, &m->parts[i]));
    return join_normals(ctx, m);
}
