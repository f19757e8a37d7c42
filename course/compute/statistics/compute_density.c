/* SPDX-License-Identifier: MIT */
/* cairn compute density: three estimates of the density of the same numbers side by side, a
 * histogram, a kernel estimate and a normal density, at some points and as curves. */
#include "typed/numbers.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "stats/density.h"
#include "stats/distributions.h"
#include "stats/frequency.h"

#include <math.h>
#include <stdlib.h>

typedef struct density_params {
    cairn_numbers_options numbers;
    cairn_list at;
    int divisor;
    cairn_density_options kernel;
    cairn_bin_options bins;
} density_params;

static const cairn_param density_table[] = {
    CAIRN_PARAM_GROUP(density_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_CELLS(density_params, at, NUMBERS, NULL, NULL,
                      "points, such as 1,2.5,4; eleven from the least to the largest value if not "
                      "given"),
    CAIRN_PARAM_CHOICE(density_params, divisor, "n-1", cairn_divisors,
                       "divisor of the variance of the normal density"),
    CAIRN_PARAM_GROUP(density_params, kernel, cairn_density_params),
    CAIRN_PARAM_GROUP(density_params, bins, cairn_bin_params),
    CAIRN_PARAM_END,
};

enum { POINTS = 11, CURVE = 401, INTEGRAL = 4001 };

/* The three estimates for one sample. */
typedef struct estimates {
    const cairn_sample *sample;
    cairn_bins bins;
    double *heights; /* bins.n */
    double bandwidth;
    cairn_density_kernel kernel;
    double mean, sd;
} estimates;

static cairn_status estimate(cairn_context *ctx, estimates *e, const cairn_sample *sample,
                             const density_params *p, const char *name)
{
    cairn_summary s;
    *e = (estimates){.sample = sample, .kernel = (cairn_density_kernel)p->kernel.kernel};
    CHECK(cairn_bins_make(ctx, &e->bins, &p->bins, sample));
    CHECK(SCRATCH(ctx, &e->heights, e->bins.n));
    cairn_bins_count(e->heights, &e->bins, sample);
    for (size_t i = 0; i < e->bins.n; i++)
        e->heights[i] /= sample->total * (e->bins.edges[i + 1] - e->bins.edges[i]);
    CHECK(cairn_bandwidth_get(ctx, &e->bandwidth, sample, &p->kernel, name));
    cairn_summarise(&s, sample, (cairn_divisor)p->divisor, CAIRN_QUANTILE_LINEAR);
    e->mean = s.mean;
    e->sd = s.sd;
    return CAIRN_OK;
}

static double histogram_at(const estimates *e, double x)
{
    ptrdiff_t bin = cairn_bins_find(&e->bins, x);
    return bin < 0 ? 0 : e->heights[bin];
}

static double normal_at(const estimates *e, double x)
{
    return e->sd > 0 ? cairn_normal_density((x - e->mean) / e->sd) / e->sd : NAN;
}

static cairn_status find_points(cairn_context *ctx, double **out, size_t *n,
                                const density_params *p, const cairn_sample *sample)
{
    double low = sample->values[0], high = sample->values[sample->n - 1];
    if (p->at.text) {
        *n = p->at.n;
        CHECK(cairn_list_or(ctx, out, &p->at, "at", *n, "points", 0));
        if (*n) qsort(*out, *n, sizeof **out, cairn_by_number);
        return CAIRN_OK;
    }
    *n = POINTS;
    CHECK(SCRATCH(ctx, out, POINTS));
    for (size_t i = 0; i < POINTS; i++) (*out)[i] = low + (high - low) * (double)i / (POINTS - 1);
    return CAIRN_OK;
}

static cairn_status show_points(cairn_context *ctx, cairn_report *out, const estimates *e,
                                const double *points, size_t n)
{
    double *kernel;
    CHECK(SCRATCH(ctx, &kernel, n + 1));
    CHECK(cairn_density_at(ctx, kernel, e->sample, e->bandwidth, e->kernel, points, n));
    cairn_report_table_of(out, "Densities", 200, "rrrr", "x", "histogram", "kernel", "normal");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, points[i], 0, "x.%zu", i + 1);
        cairn_report_cell_number(out, histogram_at(e, points[i]), 0, "histogram.%zu", i + 1);
        cairn_report_cell_number(out, kernel[i], 0, "kernel.%zu", i + 1);
        cairn_report_cell_number(out, normal_at(e, points[i]), 0, "normal.%zu", i + 1);
    }
    return CAIRN_OK;
}

/* The histogram below, the others over it as far as the kernel reaches. */
static cairn_status draw_curves(cairn_context *ctx, cairn_report *out, const estimates *e,
                                const cairn_numbers *numbers)
{
    cairn_status status;
    cairn_figure *figure = NULL;
    double x[CURVE], y[CURVE];
    TRY(cairn_figure_new(ctx, &figure, "densities", NULL));
    cairn_figure_axes(figure, numbers->name, "density");
    if (numbers->is_time) cairn_figure_scales(figure, CAIRN_SCALE_TIME, CAIRN_SCALE_LINEAR);
    cairn_figure_histogram(figure, "histogram", e->bins.edges, e->heights, e->bins.n);
    cairn_density_grid(x, CURVE, e->sample, e->bandwidth, 3);
    status = cairn_density_at(ctx, y, e->sample, e->bandwidth, e->kernel, x, CURVE);
    cairn_figure_line(figure, "kernel", x, y, CURVE);
    for (size_t i = 0; i < CURVE; i++) y[i] = normal_at(e, x[i]);
    if (e->sd > 0) cairn_figure_dashed(figure, "normal", x, y, CURVE);
    cairn_figure_y_range(figure, 0, NAN);
    cairn_report_figure(out, figure);
done:
    return status;
}

/* The three estimates at the first points with their numbers put in. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const estimates *e,
                              const double *points, size_t n)
{
    enum { MOST_WORKED = 5 };
    size_t shown = n < MOST_WORKED ? n : MOST_WORKED;
    double kernel[MOST_WORKED], total = e->sample->total;
    CHECK(cairn_density_at(ctx, kernel, e->sample, e->bandwidth, e->kernel, points, shown));
    for (size_t i = 0; i < shown; i++) {
        char text[CAIRN_NUMBER_SIZE];
        double x = points[i];
        ptrdiff_t bin = cairn_bins_find(&e->bins, x);
        cairn_number_format(text, x, 6);
        cairn_report_step_begin(out, "The density at %s", text);
        if (bin >= 0) {
            double width = e->bins.edges[bin + 1] - e->bins.edges[bin];
            cairn_report_worked(out, "histogram", "n in the bin / (n · width) = # / (# · #) = #",
                                e->heights[bin] * total * width, total, width, e->heights[bin]);
        }
        cairn_report_worked(out, "kernel", "Σ k((x − xᵢ) / h) / (n h) = # / (# · #) = #",
                            kernel[i] * total * e->bandwidth, total, e->bandwidth, kernel[i]);
        if (e->sd > 0)
            cairn_report_worked(out, "normal",
                                "φ((x − mean) / sd) / sd = φ((# − #) / #) / # = # / # = #", x,
                                e->mean, e->sd, e->sd, cairn_normal_density((x - e->mean) / e->sd),
                                e->sd, normal_at(e, x));
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* Differential entropies of the three densities, and the entropy of the column cut into bins. */
static cairn_status show_entropy(cairn_context *ctx, cairn_report *out, const estimates *e)
{
    double kernel, histogram = 0, bins = 0;
    double normal = e->sd > 0 ? cairn_log2(2 * M_PI * M_E * e->sd * e->sd) / 2 : NAN;
    /* − ∫ f log2 f of the kernel estimate, by trapezoids over all that is not 0. */
    double *x = NULL, *y = NULL, sum = 0;
    kernel = NAN;
    if (e->bandwidth > 0) {
        CHECK(SCRATCH_RAW_EACH(ctx, INTEGRAL, &x, &y));
        cairn_density_grid(x, INTEGRAL, e->sample, e->bandwidth, 8);
        CHECK(cairn_density_at(ctx, y, e->sample, e->bandwidth, e->kernel, x, INTEGRAL));
        for (size_t i = 0; i < INTEGRAL; i++) {
            double width = (x[i < INTEGRAL - 1 ? i + 1 : i] - x[i > 0 ? i - 1 : i]) / 2;
            if (y[i] > 0) sum -= width * y[i] * cairn_log2(y[i]);
        }
        kernel = sum;
    }
    for (size_t i = 0; i < e->bins.n; i++) {
        double p = e->heights[i] * (e->bins.edges[i + 1] - e->bins.edges[i]);
        if (!(p > 0)) continue;
        histogram -= p * cairn_log2(e->heights[i]);
        bins -= p * cairn_log2(p);
    }
    cairn_report_heading(out, 3, "Entropy in bits");
    cairn_report_formula(out, "h(f) = − ∫ f(x) log₂ f(x) dx;  normal: ½ log₂(2πe σ²);  histogram: "
                              "− Σ p log₂(p / width);  bins: H = − Σ p log₂ p");
    cairn_report_value(out, "differential entropy of the normal density", normal, "entropy.normal");
    cairn_report_value(out, "of the kernel density", kernel, "entropy.kernel");
    cairn_report_value(out, "of the histogram", histogram, "entropy.histogram");
    cairn_report_value(out, "entropy of the bins", bins, "entropy.bins");
    return CAIRN_OK;
}

/* One sample, all numbers or those of a group: what was estimated, values at points, curves. */
static cairn_status show_sample(cairn_context *ctx, cairn_report *out, const density_params *p,
                                const cairn_sample *sample, const cairn_numbers *numbers,
                                bool steps)
{
    estimates e;
    double *points;
    size_t n;
    CHECK(estimate(ctx, &e, sample, p, numbers->name));
    CHECK(find_points(ctx, &points, &n, p, sample));
    cairn_report_value(out, "values", (double)sample->n, "n");
    cairn_report_value(out, "bins", (double)e.bins.n, "bins");
    cairn_report_value(out, "width of the first bin", e.bins.edges[1] - e.bins.edges[0], "width");
    cairn_report_value(out, "bandwidth", e.bandwidth, "bandwidth");
    cairn_report_value(out, "mean", e.mean, "mean");
    cairn_report_value(out, "standard deviation", e.sd, "sd");
    cairn_note_overflow(out, e.sd);
    CHECK(show_points(ctx, out, &e, points, n));
    if (steps) CHECK(show_work(ctx, out, &e, points, n));
    CHECK(show_entropy(ctx, out, &e));
    return draw_curves(ctx, out, &e, numbers);
}

/* Each group in a report of its own, so that the names of its values get the group in front. */
static cairn_status density_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const density_params *p = job->params;
    cairn_numbers numbers;
    cairn_status status;
    TRY(cairn_numbers_get(ctx, &numbers, &p->numbers, job->table, "density"));
    cairn_report_heading(out, 1, "Density of %s", numbers.name);
    cairn_report_formula(out, "histogram: n in the bin / (n · width);  kernel: Σ k((x − xᵢ) / h) / "
                              "(n h);  normal: mean and standard deviation of the values");
    cairn_report_paragraph(
        out, "Kernel: %s, bandwidth by %s.", cairn_density_kernels[p->kernel.kernel].name,
        cairn_say(cairn_report_context(out),
                  p->kernel.bandwidth > 0 ? "{bandwidth}"
                                          : cairn_bandwidth_rules[p->kernel.bandwidth_rule].name));
    for (int32_t g = numbers.codes ? 0 : -1; g < (numbers.codes ? (int32_t)numbers.n_groups : 0);
         g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_report *part = NULL;
        cairn_sample sample;
        TRY(cairn_numbers_sample(ctx, &sample, &numbers, g));
        if (!sample.n && g < 0)
            TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: every value is missing", numbers.name));
        if (!sample.n) continue;
        TRY(cairn_report_new(ctx, &part));
        if (g >= 0) cairn_report_heading(part, 2, "%s", numbers.groups[g]);
        status = show_sample(ctx, part, p, &sample, &numbers, job->steps);
        if (g >= 0)
            cairn_report_append(out, part, cairn_report_key(out, numbers.groups[g]));
        else
            cairn_report_append(out, part, NULL);
        cairn_report_free(part);
        TRY(status);
        cairn_scratch_release(ctx, mark);
    }
done:
    return status;
}

const cairn_calculator cairn_compute_density = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "density",
              .also = "KDE, kernel density estimate, Parzen window, density estimation, "
                      "histogram density",
              .title = "Density estimates of numbers",
              .summary =
                  "Three estimates of the density that the same numbers come from: a histogram "
                  "whose bars have the area 1, a kernel estimate with a bandwidth by rule or by "
                  "hand, and the normal density of their mean and deviation; at chosen points and "
                  "as curves, per group as well, with the differential entropy of each and the "
                  "entropy of the column when it is cut into the bins. The learner bayes uses the "
                  "same estimates per "
                  "class, 'cairn draw density' draws them.",
              .references = "Silverman: Density Estimation for Statistics and Data Analysis, 1986",
              .example = "cairn compute density @mixture --bins 8",
              .params = density_table,
              .params_size = sizeof(density_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = density_run,
};
