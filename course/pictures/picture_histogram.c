/* SPDX-License-Identifier: MIT */
/* cairn draw histogram: how the values of a number column are spread, with the classes stacked on
 * each other when there are classes. A kernel density, the normal density of the same mean and
 * deviation, and densities that are typed can lie over it, and cut points can be marked. Bins of
 * unequal width show the count per unit, so that areas can be compared. */
#include "pictures/picture.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/density.h"
#include "stats/distributions.h"
#include "stats/frequency.h"
#include "stats/laws.h"
#include "typed/typed_functions.h"

#include <math.h>

typedef struct histogram_params {
    const char *column, *colour, *mark_at;
    cairn_bin_options bins;
    cairn_density_options kernel;
    bool stacked, density, normal;
    int log;
    const char *law, *function;
    cairn_list parameters;
} histogram_params;

static const cairn_param histogram_table[] = {
    CAIRN_PARAM_AS(histogram_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(histogram_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: one histogram per level, or none; the target if not given"),
    CAIRN_PARAM(histogram_params, stacked, "yes", NULL,
                "classes stand on each other; no = they overlap"),
    CAIRN_PARAM_CHOICE(histogram_params, log, "auto", cairn_picture_logs,
                       "the scale along the horizontal axis"),
    CAIRN_PARAM(histogram_params, density, "no", NULL, "lay the kernel density over it"),
    CAIRN_PARAM(histogram_params, normal, "no", NULL,
                "lay the normal density of the same mean and sd over it"),
    CAIRN_PARAM(histogram_params, law, NULL, NULL,
                "lay a density with typed parameters over it: normal, exponential, gamma, poisson "
                "... (compute distribution)",
                .often = true),
    CAIRN_PARAM_CELLS(histogram_params, parameters, NUMBERS, NULL, NULL,
                      "the parameters of that law, such as 5,2 of a normal mean and sd; 0 and 1 "
                      "where it has a standard form and none are given",
                      .when = "law", .often = true),
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(histogram_params, function),
     .help = "lay a typed density over it, an expression of x such as 'exp(-x)' or "
             "'waiting=0.5*exp(-x/2)'; repeat it for more",
     .repeated = true,
     .often = true},
    CAIRN_PARAM_AS(histogram_params, mark_at, CAIRN_TYPE_LIST, NULL,
                   "mark these cut points on the axis"),
    CAIRN_PARAM_GROUP(histogram_params, bins, cairn_bin_params),
    CAIRN_PARAM_GROUP(histogram_params, kernel, cairn_density_params, .when = "density"),
    CAIRN_PARAM_END,
};

enum { CURVE = 241 };

static bool equally_wide(const cairn_bins *bins)
{
    double width = bins->edges[1] - bins->edges[0];
    for (size_t i = 1; i < bins->n; i++)
        if (fabs(bins->edges[i + 1] - bins->edges[i] - width) > 1e-9 * width) return false;
    return true;
}

/* Counts, or counts per unit where the widths differ. */
static cairn_status add_series(cairn_context *ctx, cairn_figure *figure, const cairn_bins *bins,
                               const cairn_sample *sample, const char *label, bool logs)
{
    double *counts, *edges = bins->edges;
    bool equal = equally_wide(bins);
    CHECK(SCRATCH(ctx, &counts, bins->n));
    cairn_bins_count(counts, bins, sample);
    for (size_t i = 0; i < bins->n && !equal; i++) counts[i] /= bins->edges[i + 1] - bins->edges[i];
    if (logs) {
        CHECK(SCRATCH(ctx, &edges, bins->n + 1));
        for (size_t i = 0; i <= bins->n; i++) edges[i] = cairn_pow(10, bins->edges[i]);
    }
    cairn_figure_histogram(figure, label, edges, counts, bins->n);
    return CAIRN_OK;
}

static cairn_status add_groups(cairn_context *ctx, cairn_figure *figure, const cairn_bins *bins,
                               const double *values, const double *weights, size_t n,
                               const cairn_groups *groups, bool logs)
{
    for (size_t g = 0; g < groups->n; g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_sample part;
        CHECK(cairn_sample_make(ctx, &part, values, weights, n,
                                (cairn_part){groups->codes, (int32_t)g}));
        CHECK(add_series(ctx, figure, bins, &part, groups->names[g], logs));
        cairn_figure_in_group(figure, (int32_t)g);
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

/* Counts of the law at each place, for an area of the bars. A discrete law has its places at whole
 * numbers. */
static cairn_status add_law(cairn_context *ctx, cairn_figure *figure, const histogram_params *p,
                            double *x, size_t n, double area)
{
    const cairn_law *law = cairn_law_find(p->law);
    double a = 0, b = 1, *y, low = x[0], high = x[n - 1];
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    if (!law)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{law}: '%s' is none that has a density of one number; 'cairn help "
                          "distribution' has them",
                          p->law);
    bool standard = law->standard && !p->parameters.text;
    if (!standard && p->parameters.n != law->n_parameters)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has %s: {parameters %s}", law->name,
                          law->n_parameters == 1 ? "one parameter" : "two parameters",
                          law->parameters);
    if (!standard) a = p->parameters.values[0];
    if (!standard && law->n_parameters > 1) b = p->parameters.values[1];
    if (!cairn_law_takes(law, a, b))
        return cairn_fail(ctx, CAIRN_USAGE, "{parameters}: there is no %s of %s", law->name,
                          standard ? "0,1" : p->parameters.text);
    if (law->discrete && high - low < CURVE) {
        n = 0;
        for (double at = ceil(low); at <= high; at++) x[n++] = at;
    }
    CHECK(SCRATCH(ctx, &y, n + 1));
    for (size_t i = 0; i < n; i++) {
        y[i] = area * law->density(x[i], a, b);
        if (!isfinite(y[i])) y[i] = NAN;
    }
    cairn_text_addf(&label, "%s(", law->name);
    cairn_text_add_number(&label, a, 4);
    if (law->n_parameters > 1 || standard) cairn_text_add_char(&label, ',');
    if (law->n_parameters > 1 || standard) cairn_text_add_number(&label, b, 4);
    cairn_text_add_char(&label, ')');
    CHECK(cairn_text_status(&label));
    cairn_figure_line(figure, cairn_text_string(&label), x, y, n);
    return CAIRN_OK;
}

/* Typed densities where there are bars: beyond them an expression may not mean what was meant. */
static cairn_status add_functions(cairn_context *ctx, cairn_figure *figure, const char *lines,
                                  const cairn_bins *bins, double area)
{
    static const char *const names[] = {"x"};
    cairn_typed_function *functions;
    size_t n_functions, n = CURVE;
    double *x, *y, low = bins->edges[0], high = bins->edges[bins->n];
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    for (size_t i = 0; i < n; i++) x[i] = low + (high - low) * (double)i / (CURVE - 1);
    CHECK(cairn_functions_read(ctx, &functions, &n_functions, lines));
    for (size_t k = 0; k < n_functions; k++) {
        const cairn_variables variables = {names, (const double *const[]){x}, 1, n};
        CHECK(cairn_function_values(ctx, y, functions[k].expression, &variables, "function"));
        for (size_t i = 0; i < n; i++) {
            char at[CAIRN_NUMBER_SIZE];
            cairn_number_format(at, x[i], 6);
            if (y[i] < 0)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{function}: '%s' is negative at x = %s, so it is no density",
                                  functions[k].expression, at);
            y[i] = isfinite(y[i]) ? area * y[i] : NAN;
        }
        cairn_figure_line(figure, functions[k].name, x, y, n);
    }
    return CAIRN_OK;
}

/* Bins of different widths show rows per unit, since heights would mislead; groups share the bins
 * of all rows. */
static cairn_status histogram_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    const histogram_params *p = job->params;
    cairn_picture_column c;
    cairn_bins bins;
    bool curves = p->density || p->normal || p->law || p->function, logs;
    bool own = curves || p->mark_at || p->bins.cuts || p->bins.bin_width > 0;
    double cut;
    CHECK(cairn_picture_column_of(ctx, &c, job->table, p->column, p->colour));
    CHECK(cairn_picture_new(ctx, out, "histogram", job->table, "Histogram of %s", c.name));
    cairn_picture_legend(*out, &c.groups);
    CHECK(cairn_picture_unskew(ctx, &c, own && p->log == CAIRN_LOG_AUTO ? CAIRN_LOG_NO : p->log,
                               &logs, &cut, *out));
    if (logs && own)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{log yes} counts the logarithms alone; leave out curves, {mark-at}, {cuts} "
            "and {bin-width}");
    if (!isnan(cut)) c.sample.n = cairn_sample_place(&c.sample, cut, true);
    CHECK(cairn_bins_show(ctx, &bins, &p->bins, &c.sample));
    bool equal = equally_wide(&bins);
    cairn_figure_axes(*out, c.name,
                      c.weights ? (equal ? "weight" : "weight per unit")
                                : (equal ? "rows" : "rows per unit"));
    cairn_figure_scales(*out, c.scale, CAIRN_SCALE_LINEAR);
    if (p->stacked && c.groups.n > 1) cairn_figure_stacked(*out);
    if (c.groups.n)
        CHECK(add_groups(ctx, *out, &bins, c.values, c.weights, c.n_rows, &c.groups, logs));
    else
        CHECK(add_series(ctx, *out, &bins, &c.sample, NULL, logs));
    if (curves) {
        /* The curves over it, scaled to the area of the bars. */
        cairn_figure *figure = *out;
        double x[CURVE], y[CURVE], bandwidth;
        double area = c.sample.total * (equally_wide(&bins) ? bins.edges[1] - bins.edges[0] : 1);
        cairn_summary s;
        CHECK(cairn_bandwidth_get(ctx, &bandwidth, &c.sample, &p->kernel, NULL));
        cairn_density_grid(x, CURVE, &c.sample, bandwidth, 2.5);
        if (p->density) {
            CHECK(cairn_density_at(ctx, y, &c.sample, bandwidth,
                                   (cairn_density_kernel)p->kernel.kernel, x, CURVE));
            for (size_t i = 0; i < CURVE; i++) y[i] *= area;
            cairn_figure_line(figure, "kernel density", x, y, CURVE);
        }
        cairn_summarise(&s, &c.sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
        if (p->normal && s.sd > 0) {
            for (size_t i = 0; i < CURVE; i++)
                y[i] = area * cairn_normal_density((x[i] - s.mean) / s.sd) / s.sd;
            cairn_figure_dashed(figure, "normal density", x, y, CURVE);
        }
        if (p->function) CHECK(add_functions(ctx, figure, p->function, &bins, area));
        if (p->law) CHECK(add_law(ctx, figure, p, x, CURVE, area));
    }
    if (p->mark_at) {
        cairn_figure *figure = *out;
        const char *list = p->mark_at;
        double *cuts;
        size_t n;
        CHECK(cairn_list_numbers(ctx, "mark-at", list, &cuts, &n));
        for (size_t i = 0; i < n; i++) cairn_figure_rule_x(figure, i ? NULL : "cut point", cuts[i]);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_histogram = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "histogram",
         .also = "histogram, distribution of a column, histogram with a density",
         .title = "How the values of a column are spread",
         .summary =
             "Counts of a number column in bins, the classes stacked on each other when there "
             "is a target with levels. Bins are given by their edges, width or number; a "
             "kernel density, a normal density and densities that are typed, by name or as "
             "expressions of x, can be laid over, cut points marked.",
         .references = "Sturges: The Choice of a Class Interval, JASA 21, 1926",
         .example = "cairn draw histogram @iris --column petal_length --mark-at 2.45,4.75",
         .params = histogram_table,
         .params_size = sizeof(histogram_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = histogram_draw,
};
