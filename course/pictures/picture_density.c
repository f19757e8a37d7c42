/* SPDX-License-Identifier: MIT */
/* cairn draw density: the kernel density of a number column, one curve per class when there are
 * classes; a histogram below and the normal density of the same mean and deviation beside it show
 * what the kernel smooths and what a normal would miss. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "data/schema.h"
#include "learners/density/mixture.h"
#include "stats/density.h"
#include "stats/distributions.h"
#include "stats/frequency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct density_params {
    const char *column, *colour;
    cairn_list iterations;
    cairn_density_options kernel;
    cairn_bin_options bins;
    bool histogram, normal, peaks, joint;
    int log;
    double prominence;
} density_params;

static const cairn_param density_table[] = {
    CAIRN_PARAM_AS(density_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(density_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: one curve per level, or none; the target if not given"),
    CAIRN_PARAM_CELLS(
        density_params, iterations, WHOLE, NULL, "[0,100000]",
        "with a mixture: the curve after so many iterations of EM, too, such as 0,1,5"),
    CAIRN_PARAM(density_params, histogram, "no", NULL, "show a histogram of the same area below"),
    CAIRN_PARAM(density_params, normal, "no", NULL,
                "add the normal density of the same mean and sd"),
    CAIRN_PARAM_CHOICE(density_params, log, "auto", cairn_picture_logs,
                       "the scale along the horizontal axis"),
    CAIRN_PARAM(density_params, joint, "no", NULL,
                "scale each class by its share of the rows, so that they add up"),
    CAIRN_PARAM(density_params, peaks, "no", NULL, "mark the peaks and the places between them"),
    CAIRN_PARAM(density_params, prominence, "0.02", "[0,1)",
                "a marked peak rises by more than this share of the highest", .when = "peaks"),
    CAIRN_PARAM_GROUP(density_params, kernel, cairn_density_params),
    CAIRN_PARAM_GROUP(density_params, bins, cairn_bin_params, .when = "histogram"),
    CAIRN_PARAM_END,
};

enum { CURVE = 401 };

typedef struct density_work {
    const density_params *p;
    cairn_figure *figure;
    const double *values, *weights;
    size_t n_rows;
    double total; /* weight of all rows that have a value */
    bool logs;    /* values are logarithms */
} density_work;

static cairn_status mark_peaks(cairn_context *ctx, const density_work *w, const double *x,
                               const double *y)
{
    cairn_peak *peaks, *valleys;
    double most = 0;
    CHECK(SCRATCH_EACH(ctx, CURVE, &peaks, &valleys));
    for (size_t i = 0; i < CURVE; i++) most = fmax(most, y[i]);
    size_t n = cairn_find_peaks(peaks, valleys, y, CURVE, w->p->prominence * most);
    for (size_t i = 0; i < n; i++)
        cairn_figure_mark(w->figure, i ? NULL : "peak", x[peaks[i].first], peaks[i].height);
    for (size_t i = 0; i + 1 < n; i++)
        cairn_figure_rule_x(w->figure, i ? NULL : "antimode", x[valleys[i].first]);
    return CAIRN_OK;
}

static cairn_status add_normal(const density_work *w, const cairn_sample *sample, const double *x,
                               double scale, const char *label)
{
    double y[CURVE];
    cairn_summary s;
    cairn_summarise(&s, sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
    if (!(s.sd > 0)) return CAIRN_OK;
    for (size_t i = 0; i < CURVE; i++)
        y[i] = scale * cairn_normal_density((x[i] - s.mean) / s.sd) / s.sd;
    cairn_figure_dashed(w->figure, label, x, y, CURVE);
    return CAIRN_OK;
}

/* A class without a curve stands in the legend like the others. */
static void leave_out(const density_work *w, const cairn_groups *groups, int32_t group)
{
    const double nowhere = NAN;
    if (group < 0) return;
    cairn_figure_line(w->figure, groups->names[group], &nowhere, &nowhere, 1);
    cairn_figure_in_group(w->figure, group);
}

/* The curve of one class, or of all rows (group -1). */
static cairn_status add_curve(cairn_context *ctx, const density_work *w, const cairn_groups *groups,
                              int32_t group)
{
    SCOPED_SCRATCH(ctx);
    double x[CURVE], y[CURVE];
    cairn_sample sample;
    CHECK(cairn_sample_make(ctx, &sample, w->values, w->weights, w->n_rows,
                            (cairn_part){group >= 0 ? groups->codes : NULL, group}));
    if (!sample.n) {
        leave_out(w, groups, group);
        return CAIRN_OK;
    }
    double bandwidth = cairn_bandwidth(&sample, &w->p->kernel);
    if (isnan(bandwidth) && group >= 0) {
        cairn_warn(
            ctx, "the values of '%s' are all equal, so it has no curve; {bandwidth X} gives it one",
            groups->names[group]);
        leave_out(w, groups, group);
        return CAIRN_OK;
    }
    CHECK(cairn_bandwidth_get(ctx, &bandwidth, &sample, &w->p->kernel, NULL));
    double scale = w->p->joint ? sample.total / w->total : 1;
    cairn_density_grid(x, CURVE, &sample, bandwidth, 3);
    CHECK(cairn_density_at(ctx, y, &sample, bandwidth, (cairn_density_kernel)w->p->kernel.kernel, x,
                           CURVE));
    for (size_t i = 0; i < CURVE; i++) y[i] *= scale;
    for (size_t i = 0; w->logs && i < CURVE; i++) x[i] = cairn_pow(10, x[i]);
    bool alone = group < 0 && !w->p->normal && !w->p->histogram;
    cairn_figure_line(w->figure,
                      group >= 0 ? groups->names[group]
                      : alone    ? NULL
                                 : "kernel density",
                      x, y, CURVE);
    if (group >= 0) cairn_figure_in_group(w->figure, group);
    if (w->p->normal) CHECK(add_normal(w, &sample, x, scale, group <= 0 ? "normal density" : NULL));
    if (w->p->peaks) CHECK(mark_peaks(ctx, w, x, y));
    return CAIRN_OK;
}

static cairn_status add_histogram(cairn_context *ctx, const density_work *w,
                                  const cairn_sample *sample)
{
    cairn_bins bins;
    double *heights;
    CHECK(cairn_bins_show(ctx, &bins, &w->p->bins, sample));
    CHECK(SCRATCH(ctx, &heights, bins.n));
    cairn_bins_count(heights, &bins, sample);
    for (size_t i = 0; i < bins.n; i++)
        heights[i] /= sample->total * (bins.edges[i + 1] - bins.edges[i]);
    cairn_figure_histogram(w->figure, "histogram", bins.edges, heights, bins.n);
    return CAIRN_OK;
}

/* -- of a mixture -- */

/* The density of one column by a mixture, w->x in the units of the data; a component alone where
 * `only` is one. */
static void mixture_curve(const cairn_mixture_model *m, size_t j, size_t only, const double *x,
                          double *y)
{
    for (size_t i = 0; i < CURVE; i++) y[i] = 0;
    for (size_t c = 0; c < m->k; c++) {
        double mean = cairn_mixture_mean_in_units(m, c, j), sd;
        if (only < m->k && only != c) continue;
        sd = sqrt(cairn_mixture_covariance_in_units(m, c, j, j));
        for (size_t i = 0; i < CURVE; i++)
            y[i] += m->values[c] * cairn_normal_density((x[i] - mean) / sd) / sd;
    }
}

/* The same mixture learned from the rows again, with so many iterations. */
static cairn_status add_iteration(cairn_context *ctx, const density_work *w,
                                  const cairn_compute_job *job, size_t j, int iterations,
                                  const double *x, double *y)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    char text[24], label[40];
    snprintf(text, sizeof text, "%d", iterations);
    snprintf(label, sizeof label, "after %d iteration%s", iterations, iterations == 1 ? "" : "s");
    CHECK(cairn_params_copy(ctx, &params, job->model->params));
    CHECK(cairn_params_set(ctx, params, "max-iter", text));
    CHECK(cairn_model_fit(ctx, &model, params, job->table, &options));
    mixture_curve(model->state, j, SIZE_MAX, x, y);
    cairn_figure_line(w->figure, label, x, y, CURVE);
    return CAIRN_OK;
}

/* The mixture and its components over one of its columns, beside the rows as a histogram; before
 * them the curves of earlier iterations. */
static cairn_status draw_mixture(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const density_params *p = job->params;
    const cairn_mixture_model *m = job->model->state;
    cairn_picture_column c;
    double x[CURVE], y[CURVE], low, high;
    size_t j = 0, at = 0, n = 0;
    bool found = false;
    if (strcmp(cairn_model_learner(job->model), "mixture") != 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'draw density' takes a model of mixture, whose curves it draws; %s has "
                          "none of a column",
                          cairn_model_learner(job->model));
    if (!m->d) return cairn_fail(ctx, CAIRN_USAGE, "the mixture has no number column to draw");
    const cairn_field *field;
    while (!found && (field = cairn_schema_next_feature(&job->model->schema, &at))) {
        if (field->kind != CAIRN_NUMBER) continue;
        found = !p->column || cairn_same(field->name, p->column);
        if (!found) n++;
    }
    if (!found)
        return cairn_fail(ctx, CAIRN_USAGE, "{column}: '%s' is no number column of the mixture",
                          p->column);
    j = n;
    CHECK(cairn_picture_column_of(ctx, &c, job->table, field->name, "none"));
    CHECK(cairn_picture_new(ctx, out, "density", job->table, "%s as a mixture of %zu component%s",
                            field->name, m->k, m->k == 1 ? "" : "s"));
    density_work w = {.p = p, .figure = *out, .total = c.sample.total};
    cairn_figure_axes(*out, c.name, "density");
    CHECK(add_histogram(ctx, &w, &c.sample));
    low = c.sample.values[0], high = c.sample.values[c.sample.n - 1];
    double buffer = 0.1 * (high > low ? high - low : 1);
    for (size_t i = 0; i < CURVE; i++)
        x[i] = low - buffer + (high - low + 2 * buffer) * (double)i / (CURVE - 1);
    for (size_t i = 0; i < p->iterations.n; i++)
        CHECK(add_iteration(ctx, &w, job, j, (int)p->iterations.values[i], x, y));
    mixture_curve(m, j, SIZE_MAX, x, y);
    cairn_figure_thick(*out, "mixture", x, y, CURVE);
    for (size_t k = 0; k < m->k && m->k > 1; k++) {
        char label[32];
        snprintf(label, sizeof label, "component %zu", k + 1);
        mixture_curve(m, j, k, x, y);
        cairn_figure_dashed(*out, label, x, y, CURVE);
    }
    cairn_figure_y_range(*out, 0, NAN);
    return cairn_figure_status(*out);
}

static cairn_status density_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const density_params *p = job->params;
    cairn_picture_column c;
    if (job->model) return draw_mixture(ctx, out, job);
    if (p->iterations.text)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{iterations} are those of a mixture, which stands before the data: cairn "
            "draw density MODEL DATA");
    CHECK(cairn_picture_column_of(ctx, &c, job->table, p->column, p->colour));
    CHECK(cairn_picture_new(ctx, out, "density", job->table, "Density of %s", c.name));
    cairn_picture_legend(*out, &c.groups);
    bool logs, own = p->histogram || p->normal || p->peaks || p->kernel.bandwidth > 0;
    double cut;
    CHECK(cairn_picture_unskew(ctx, &c, own && p->log == CAIRN_LOG_AUTO ? CAIRN_LOG_NO : p->log,
                               &logs, &cut, *out));
    if (logs && own)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{log yes} draws the kernel density of the logarithms alone; leave out "
                          "{histogram}, {normal}, {peaks} and {bandwidth}");
    density_work w = {.p = p, .values = c.values, .weights = c.weights, .n_rows = c.n_rows};
    w.total = c.sample.total;
    w.figure = *out;
    cairn_figure_axes(*out, c.name, logs ? "density per power of ten" : "density");
    w.logs = logs;
    if (!isnan(cut)) cairn_figure_x_range(*out, c.sample.values[0], cut);
    cairn_figure_scales(*out, c.scale, CAIRN_SCALE_LINEAR);
    if (p->histogram) CHECK(add_histogram(ctx, &w, &c.sample));
    for (size_t g = 0; g < c.groups.n; g++) CHECK(add_curve(ctx, &w, &c.groups, (int32_t)g));
    if (!c.groups.n) CHECK(add_curve(ctx, &w, &c.groups, -1));
    cairn_figure_y_range(*out, 0, NAN);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_density = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "density",
         .also = "density plot, KDE, smoothed histogram",
         .title = "Density curves of a column",
         .summary =
             "The kernel density of a number column, one curve per class when there is a "
             "target with levels; with a histogram and the normal density of the same mean "
             "and deviation for comparison, and with its peaks and antimodes marked. Of a mixture "
             "that stands before the data its curve and those of its components, and with "
             "--iterations how it came about.",
         .references = "Silverman: Density Estimation for Statistics and Data Analysis, 1986",
         .example = "cairn draw density @mixture --histogram --normal",
         .params = density_table,
         .params_size = sizeof(density_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .takes_model = true,
    .reads = CAIRN_READS_ROLES,
    .draw = density_draw,
};
