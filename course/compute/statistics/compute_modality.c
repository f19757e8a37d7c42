/* SPDX-License-Identifier: MIT */
/* cairn compute modality: the peaks of a histogram, of a kernel density, of a mixture of normals or
 * of a known distribution, and the lowest places between them (antimodes). */
#include "typed/numbers.h"

#include "base/memory.h"
#include "stats/density.h"
#include "stats/distributions.h"
#include "stats/frequency.h"
#include "report/table_rows.h"

#include <math.h>

typedef enum method { BY_DENSITY, BY_HISTOGRAM } method;
typedef enum known { NONE, NORMAL, STUDENT, CHI_SQUARED } known;

typedef struct modality_params {
    cairn_numbers_options numbers;
    int method, distribution;
    cairn_bin_options bins;
    cairn_density_options density;
    const char *mixture;
    double prominence, df;
} modality_params;

static const cairn_choice methods[] = {{"density", BY_DENSITY, "of a kernel density"},
                                       {"histogram", BY_HISTOGRAM, "of the bins"},
                                       {NULL, 0, NULL}};
static const cairn_choice distributions[] = {{"none", NONE, "numbers are given"},
                                             {"normal", NORMAL, "the standard normal"},
                                             {"t", STUDENT, "Student's t with --df"},
                                             {"chi-squared", CHI_SQUARED, "chi-squared with --df"},
                                             {NULL, 0, NULL}};

static const cairn_param modality_table[] = {
    CAIRN_PARAM_GROUP(modality_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_CHOICE(modality_params, method, "density", methods, "whose peaks are counted"),
    CAIRN_PARAM(modality_params, prominence, "0", "[0,1)",
                "a peak must rise over the valleys beside it by more than this share of the "
                "highest"),
    CAIRN_PARAM(modality_params, mixture, NULL, NULL,
                "a mixture of normals instead of numbers: weight,mean,sd of each, separated by "
                "semicolons"),
    CAIRN_PARAM_CHOICE(modality_params, distribution, "none", distributions,
                       "a known distribution instead of numbers"),
    CAIRN_PARAM(modality_params, df, "3", "(0,inf)", "degrees of freedom",
                .when = "distribution=t|chi-squared"),
    CAIRN_PARAM_GROUP(modality_params, bins, cairn_bin_params, .when = "method=histogram"),
    CAIRN_PARAM_GROUP(modality_params, density, cairn_density_params, .when = "method=density"),
    CAIRN_PARAM_END,
};

enum { GRID = 2001 };

/* A curve, or the bins of a histogram, whose peaks are wanted. */
typedef struct curve {
    double *x, *y; /* n points; of a histogram the middles of the bins and their counts */
    size_t n;
    cairn_bins bins; /* n = 0 unless it is a histogram */
    cairn_normal_mixture mixture;
    const cairn_sample *sample; /* of a kernel density */
    double bandwidth;
    cairn_density_kernel kernel;
    int distribution;
    double df;
    bool is_time; /* x */
} curve;

static cairn_status height_at(cairn_context *ctx, double *out, const curve *c, double x)
{
    if (c->sample) return cairn_density_at(ctx, out, c->sample, c->bandwidth, c->kernel, &x, 1);
    if (c->distribution == NORMAL)
        *out = cairn_normal_density(x);
    else if (c->distribution == STUDENT)
        *out = cairn_t_density(x, c->df);
    else if (c->distribution == CHI_SQUARED)
        *out = cairn_chi2_density(x, c->df);
    else
        *out = cairn_mixture_density(&c->mixture, x);
    return CAIRN_OK;
}

/* The place of a peak or valley: the middle of its level stretch, refined on a smooth curve. */
static cairn_status locate(cairn_context *ctx, const curve *c, const cairn_peak *peak, double sign,
                           double *at, double *height)
{
    size_t before = peak->first ? peak->first - 1 : 0;
    size_t after = peak->last + 1 < c->n ? peak->last + 1 : c->n - 1;
    if (c->distribution != NONE) {
        /* Known distributions say themselves where their peak is. */
        *at = c->distribution == CHI_SQUARED ? fmax(c->df - 2, 0) : 0;
        *height = INFINITY; /* chi-squared with less than two degrees of freedom */
        if (c->distribution == CHI_SQUARED && c->df < 2) return CAIRN_OK;
        return height_at(ctx, height, c, *at);
    }
    *height = peak->height;
    *at = c->bins.n ? (c->bins.edges[peak->first] + c->bins.edges[peak->last + 1]) / 2
                    : (c->x[peak->first] + c->x[peak->last]) / 2;
    if (c->bins.n || before == peak->first || after == peak->last) return CAIRN_OK;
    if (c->mixture.n) {
        /* A turn of a mixture: where its slope, which has `sign` at the lower end, changes sign.
         * A maximum itself can be told from its neighbours to half the digits only. */
        double low = c->x[before];
        double high = c->x[after];
        for (int i = 0; i < 200; i++) {
            *at = low + (high - low) / 2;
            double slope = sign * cairn_mixture_slope(&c->mixture, *at);
            if (slope == 0 || *at == low || *at == high) break;
            *(slope > 0 ? &low : &high) = *at;
        }
        return height_at(ctx, height, c, *at);
    }
    /* Narrow the place of a turn of the curve down by the golden section. */
    double low = c->x[before];
    double high = c->x[after];
    const double golden = (sqrt(5) - 1) / 2;
    double a = high - golden * (high - low), b = low + golden * (high - low), fa, fb;
    CHECK(height_at(ctx, &fa, c, a));
    CHECK(height_at(ctx, &fb, c, b));
    for (int i = 0; i < 60 && high - low > 1e-12 * (fabs(low) + fabs(high) + 1e-300); i++) {
        if (sign * fa > sign * fb) {
            high = b, b = a, fb = fa;
            a = high - golden * (high - low);
            CHECK(height_at(ctx, &fa, c, a));
        } else {
            low = a, a = b, fa = fb;
            b = low + golden * (high - low);
            CHECK(height_at(ctx, &fb, c, b));
        }
    }
    *at = (low + high) / 2;
    return height_at(ctx, height, c, *at);
}

/* A peak or antimode of a histogram is a run of bins, of a curve a point that is located between
 * the places computed. */
static cairn_status show_list(cairn_context *ctx, cairn_report *out, const curve *c,
                              const cairn_peak *list, size_t n, bool peaks, cairn_figure *figure)
{
    if (!n) return CAIRN_OK;
    cairn_report_table_of(out, peaks ? "Peaks (modes)" : "Lowest places between them (antimodes)",
                          n + 1, "r", "at");
    if (c->bins.n) cairn_report_column(out, "bin from", 'r');
    if (c->bins.n) cairn_report_column(out, "to", 'r');
    cairn_report_column(out, c->bins.n ? "count" : "density", 'r');
    for (size_t i = 0; i < n; i++) {
        const char *name = peaks ? "peak" : "antimode";
        double at, height;
        CHECK(locate(ctx, c, &list[i], peaks ? 1 : -1, &at, &height));
        cairn_report_cell_number(out, at, 8, "%s.%zu", name, i + 1);
        if (c->bins.n) {
            cairn_report_prefix(out, "%s.%zu", name, i + 1);
            cairn_report_cells(out, "@.low @.high", c->bins.edges[list[i].first],
                               c->bins.edges[list[i].last + 1]);
        }
        cairn_report_cell_number(out, height, 8, "%s.%zu.height", name, i + 1);
        bool seen = isfinite(height);
        if (peaks && seen) cairn_figure_mark(figure, i ? NULL : "peak", at, height);
        if (!peaks) cairn_figure_rule_x(figure, i ? NULL : "antimode", at);
    }
    return CAIRN_OK;
}

/* Peaks lower than a share of the highest above their surroundings are taken as noise; between
 * two peaks there is one antimode. */
static cairn_status show_peaks(cairn_context *ctx, cairn_report *out, const curve *c,
                               const char *name, double prominence, bool steps)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_peak *peaks, *valleys;
    double most = 0;
    CHECK(SCRATCH_EACH(ctx, c->n / 2 + 1, &peaks, &valleys));
    for (size_t i = 0; i < c->n; i++) most = fmax(most, c->y[i]);
    size_t n = cairn_find_peaks(peaks, valleys, c->y, c->n, prominence * most);
    if (steps) {
        /* Every place where the curve turns, before small turns are taken as noise. */
        cairn_report_step_begin(out, "Every turn of the curve");
        cairn_report_worked(out, "least prominence", "share · highest = # · # = #", prominence,
                            most, prominence * most);
        cairn_report_table_of(out, NULL, 0, "rrl", "at", c->bins.n ? "count" : "density", "turn");
        double before = 0; /* the last change that was one */
        for (size_t i = 0; i < c->n; i++) {
            double next = i + 1 < c->n ? c->y[i + 1] : -INFINITY, change = next - c->y[i];
            if (change == 0) continue;
            bool turn = i == 0 ? change < 0 : (before > 0) != (change > 0) && before != 0;
            double at = c->bins.n ? (c->bins.edges[i] + c->bins.edges[i + 1]) / 2 : c->x[i];
            if (turn && !(i + 1 == c->n && before < 0)) {
                cairn_report_cells(out, NULL, at, c->y[i],
                                   change < 0 ? "up, then down: a peak" : "down, then up");
            }
            before = change;
        }
        cairn_report_paragraph(out, "A peak counts when it rises by the least prominence above the "
                                    "lowest places beside it.");
        cairn_report_step_end(out);
    }
    cairn_report_value(out, "peaks", (double)n, "peaks");
    cairn_report_word(out, "shape", cairn_modality_name(n), "modality");
    CHECK(cairn_figure_new(ctx, &figure, "modality", NULL));
    cairn_figure_axes(figure, name, c->bins.n ? "count" : "density");
    if (c->is_time) cairn_figure_scales(figure, CAIRN_SCALE_TIME, CAIRN_SCALE_LINEAR);
    if (c->bins.n)
        cairn_figure_histogram(figure, NULL, c->bins.edges, c->y, c->n);
    else
        cairn_figure_line(figure, NULL, c->x, c->y, c->n);
    CHECK(show_list(ctx, out, c, peaks, n, true, figure));
    CHECK(show_list(ctx, out, c, valleys, n ? n - 1 : 0, false, figure));
    cairn_report_figure(out, figure);
    figure = NULL;
    return CAIRN_OK;
}

/* -- where the curve comes from -- */

/* Four standard deviations around each part cover all that can be seen of the curve. */
static cairn_status make_mixture(cairn_context *ctx, cairn_normal_mixture *out, const char *text,
                                 double *low, double *high)
{
    double *cells, sum = 0;
    size_t columns;
    CHECK(cairn_read_matrix(ctx, "mixture", text, &cells, &out->n, &columns));
    if (columns != 3)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{mixture}: each part is weight,mean,sd, but the first "
                          "has %zu numbers",
                          columns);
    CHECK(SCRATCH_EACH(ctx, out->n, &out->weights, &out->means, &out->sds));
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < out->n; i++) {
        const double *part = cells + 3 * i;
        if (!(part[0] >= 0 && part[2] > 0 && isfinite(part[1])))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{mixture}: part %zu needs a weight of 0 or more and a sd above 0",
                              i + 1);
        out->weights[i] = part[0];
        out->means[i] = part[1];
        out->sds[i] = part[2];
        sum += part[0];
        *low = fmin(*low, part[1] - 4 * part[2]);
        *high = fmax(*high, part[1] + 4 * part[2]);
    }
    if (!(sum > 0)) return cairn_fail(ctx, CAIRN_USAGE, "{mixture}: the weights are all 0");
    for (size_t i = 0; i < out->n; i++) out->weights[i] /= sum;
    return CAIRN_OK;
}

static cairn_status histogram_curve(cairn_context *ctx, curve *c, const cairn_bin_options *options,
                                    const cairn_sample *sample)
{
    CHECK(cairn_bins_make(ctx, &c->bins, options, sample));
    c->n = c->bins.n;
    CHECK(SCRATCH(ctx, &c->y, c->n));
    cairn_bins_count(c->y, &c->bins, sample);
    return CAIRN_OK;
}

static cairn_status density_curve(cairn_context *ctx, curve *c, const modality_params *p,
                                  const cairn_sample *sample)
{
    c->sample = sample;
    CHECK(cairn_bandwidth_get(ctx, &c->bandwidth, sample, &p->density, NULL));
    c->kernel = (cairn_density_kernel)p->density.kernel;
    c->n = GRID;
    CHECK(SCRATCH_EACH(ctx, c->n, &c->x, &c->y));
    cairn_density_grid(c->x, c->n, sample, c->bandwidth, 3);
    return cairn_density_at(ctx, c->y, sample, c->bandwidth, c->kernel, c->x, c->n);
}

static cairn_status sample_curve(cairn_context *ctx, curve *c, const modality_params *p,
                                 const cairn_sample *sample)
{
    return p->method == BY_HISTOGRAM ? histogram_curve(ctx, c, &p->bins, sample)
                                     : density_curve(ctx, c, p, sample);
}

/* The peaks of one group in a row of the table. */
static cairn_status show_group(cairn_context *ctx, cairn_report *out, const modality_params *p,
                               const cairn_numbers *numbers, size_t g)
{
    SCOPED_SCRATCH(ctx);
    const char *key = cairn_report_key(out, numbers->groups[g]);
    SCOPED(cairn_text_clear) cairn_text places = cairn_text_start(ctx);
    cairn_sample sample;
    cairn_peak *peaks, *valleys;
    curve c = {0};
    double most = 0, at, height;
    size_t n = 0;
    CHECK(cairn_numbers_sample(ctx, &sample, numbers, (int32_t)g));
    if (sample.n) CHECK(sample_curve(ctx, &c, p, &sample));
    CHECK(SCRATCH_EACH(ctx, c.n / 2 + 1, &peaks, &valleys));
    for (size_t i = 0; i < c.n; i++) most = fmax(most, c.y[i]);
    if (c.n) n = cairn_find_peaks(peaks, valleys, c.y, c.n, p->prominence * most);
    cairn_report_cells(out, "- by.$1.n by.$1.peaks by.$1.modality", numbers->groups[g], sample.n, n,
                       n ? cairn_modality_name(n) : "n/a");
    for (size_t i = 0; i < n; i++) {
        CHECK(locate(ctx, &c, &peaks[i], 1, &at, &height));
        if (i) cairn_text_add(&places, ", ");
        cairn_text_add_number(&places, at, 6);
        cairn_report_hidden(out, at, "by.%s.peak.%zu", key, i + 1);
    }
    cairn_report_cell(out, cairn_text_string(&places));
    return cairn_text_status(&places);
}

/* Numbers first need a histogram or a density; how many peaks there are depends on its width,
 * which is shown. */
static cairn_status of_numbers(cairn_context *ctx, cairn_report *out, const modality_params *p,
                               const cairn_table *table, bool steps)
{
    cairn_numbers numbers;
    cairn_sample sample;
    curve c = {0};
    CHECK(cairn_numbers_get(ctx, &numbers, &p->numbers, table, "modality"));
    CHECK(cairn_numbers_sample(ctx, &sample, &numbers, -1));
    if (!sample.n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no values, so no peaks", numbers.name);
    cairn_report_heading(out, 1, "Peaks of %s", numbers.name);
    CHECK(sample_curve(ctx, &c, p, &sample));
    c.is_time = numbers.is_time;
    if (p->method == BY_HISTOGRAM)
        cairn_report_value(out, "bins", (double)c.bins.n, "bins");
    else
        cairn_report_value(out, "bandwidth", c.bandwidth, "bandwidth");
    CHECK(show_peaks(ctx, out, &c, numbers.name, p->prominence, steps));
    if (numbers.codes) {
        cairn_report_table_of(out, "By group", 0, "lrrll", "group", "values", "peaks", "shape",
                              "at");
        for (size_t g = 0; g < numbers.n_groups; g++) CHECK(show_group(ctx, out, p, &numbers, g));
    }
    return CAIRN_OK;
}

/* One source at a time: numbers, a mixture or a known distribution. */
static cairn_status modality_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const modality_params *p = job->params;
    curve c = {.distribution = p->distribution, .df = p->df};
    double low, high;
    bool numbers = job->table || p->numbers.values.text;
    if (numbers + (p->mixture != NULL) + (p->distribution != NONE) != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute modality' needs one of {values}, DATA, "
                          "{mixture} and {distribution}");
    if (numbers) return of_numbers(ctx, out, p, job->table, job->steps);
    if (p->mixture) {
        CHECK(make_mixture(ctx, &c.mixture, p->mixture, &low, &high));
        cairn_report_heading(out, 1, "Peaks of a mixture of %zu normal densities", c.mixture.n);
        cairn_report_formula(out, "f(x) = Σ weight · φ((x − mean) / sd) / sd");
        if (c.mixture.n > 1)
            cairn_report_paragraph(out, "Parts need not show as peaks: two normals of the same sd "
                                        "and weight have one peak until their means are more than "
                                        "two sd apart.");
    } else {
        /* The range that holds nearly all of a known distribution. */
        low = p->distribution == CHI_SQUARED ? (p->df < 2 ? 1e-3 : 0) : -5;
        high = p->distribution == CHI_SQUARED ? cairn_chi2_quantile(0.999, p->df) : 5;
        cairn_report_heading(out, 1, "Peaks of the %s distribution",
                             distributions[p->distribution].name);
        cairn_report_paragraph(out, "It has one peak whatever its parameters are.");
    }
    c.n = GRID;
    CHECK(SCRATCH_EACH(ctx, c.n, &c.x, &c.y));
    for (size_t i = 0; i < c.n; i++) {
        c.x[i] = low + (high - low) * (double)i / (GRID - 1);
        CHECK(height_at(ctx, &c.y[i], &c, c.x[i]));
    }
    return show_peaks(ctx, out, &c, "x", p->prominence, job->steps);
}

const cairn_calculator cairn_compute_modality = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "modality",
              .also = "modes, bimodal, peaks",
              .about = "multimodal distribution, unimodal distribution, multi-modal",
              .title = "Peaks of a distribution",
              .summary =
                  "Number, place and height of the peaks (modes) of a histogram or a kernel "
                  "density of numbers, of a mixture of normal densities, or of the normal, t and "
                  "chi-squared distributions, which have one; and the antimodes between them.",
              .references = "Silverman: Density Estimation for Statistics and Data Analysis, 1986",
              .example = "cairn compute modality @mixture",
              .params = modality_table,
              .params_size = sizeof(modality_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = modality_run,
};
