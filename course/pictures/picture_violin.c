/* SPDX-License-Identifier: MIT */
/* cairn draw violin: the density of a number column by group, mirrored, with the quartiles. */
#include "typed/numbers.h"

#include "pictures/picture.h"

#include "base/memory.h"
#include "plots/box_plot.h"
#include "plots/skew.h"
#include "stats/density.h"

#include <math.h>

typedef struct violin_params {
    cairn_numbers_options numbers;
    cairn_density_options kernel;
    int scale, quantile;
    bool box;
} violin_params;

enum { SCALE_AREA, SCALE_WIDTH, SCALE_COUNT };

static const cairn_choice scale_choices[] = {
    {"area", SCALE_AREA, "every violin has the same area"},
    {"width", SCALE_WIDTH, "every violin is as wide as the others at its widest place"},
    {"count", SCALE_COUNT, "areas are as the rows of the groups"},
    {NULL, 0, NULL},
};

static const cairn_param violin_table[] = {
    CAIRN_PARAM_GROUP(violin_params, numbers, cairn_numbers_params),
    CAIRN_PARAM_CHOICE(violin_params, scale, "area", scale_choices, "what is equal"),
    CAIRN_PARAM(violin_params, box, "yes", NULL, "draw the quartiles and the median inside"),
    CAIRN_PARAM_CHOICE(violin_params, quantile, "linear", cairn_quantile_rules,
                       "how quartiles are read between the values", .when = "box"),
    CAIRN_PARAM_GROUP(violin_params, kernel, cairn_density_params),
    CAIRN_PARAM_END,
};

enum { STEPS = 121 };

/* One violin: the density on its grid from the least to the largest value. */
typedef struct violin {
    double at[STEPS], density[STEPS], widest;
} violin;

static cairn_status measure(cairn_context *ctx, violin *out, const cairn_sample *sample,
                            const violin_params *p)
{
    double bandwidth = cairn_bandwidth(sample, &p->kernel);
    if (isnan(bandwidth)) return CAIRN_OK; /* equal values have no shape */
    cairn_density_grid(out->at, STEPS, sample, bandwidth, 0);
    CHECK(cairn_density_at(ctx, out->density, sample, bandwidth,
                           (cairn_density_kernel)p->kernel.kernel, out->at, STEPS));
    for (size_t i = 0; i < STEPS; i++) {
        if (p->scale == SCALE_COUNT) out->density[i] *= sample->total;
        out->widest = fmax(out->widest, out->density[i]);
    }
    return CAIRN_OK;
}

/* Up on one side, down on the other. */
static void add_shape(cairn_figure *figure, const violin *v, double place, int32_t group,
                      double unit)
{
    double x[2 * STEPS + 1], y[2 * STEPS + 1];
    for (size_t i = 0; i < STEPS; i++) {
        size_t back = 2 * STEPS - 1 - i;
        x[i] = place - unit * v->density[i];
        x[back] = place + unit * v->density[i];
        y[i] = y[back] = v->at[i];
    }
    x[2 * STEPS] = x[0];
    y[2 * STEPS] = y[0];
    cairn_figure_shape(figure, group, x, y, 2 * STEPS + 1);
}

static void add_quartiles(cairn_figure *figure, const cairn_sample *sample, double place, int rule)
{
    cairn_five_numbers f;
    cairn_five_numbers_of(&f, sample, (cairn_quantile_rule)rule, 1.5);
    cairn_figure_guide(figure, (double[]){place, place}, (double[]){f.low, f.high}, 2);
    cairn_figure_thick(figure, NULL, (double[]){place, place}, (double[]){f.s.q1, f.s.q3}, 2);
    cairn_figure_thick(figure, NULL, (double[]){place - 0.07, place + 0.07},
                       (double[]){f.s.median, f.s.median}, 2);
}

/* A group without rows keeps its name and place. Violins have one width each, or share the scale
 * of the widest. */
static cairn_status violin_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const violin_params *p = job->params;
    cairn_numbers numbers;
    cairn_sample *samples;
    violin *violins;
    const char *by;
    size_t n;
    double widest = 0;
    CHECK(cairn_grouped_numbers(ctx, &numbers, &p->numbers, job->table, "violin", &by));
    CHECK(cairn_group_samples(ctx, &samples, &n, &numbers));
    CHECK(SCRATCH(ctx, &violins, n));
    for (size_t g = 0; g < n; g++) {
        if (samples[g].n) CHECK(measure(ctx, &violins[g], &samples[g], p));
        widest = fmax(widest, violins[g].widest);
    }
    CHECK(cairn_picture_new(ctx, out, "violin", job->table,
                            by && *by ? "Density of %s by %s" : "Density of %s", numbers.name, by));
    cairn_figure_size(*out, cairn_boxes_width(n), 340);
    cairn_figure_axes(*out, by, numbers.name);
    if (numbers.is_time)
        cairn_figure_scales(*out, CAIRN_SCALE_LINEAR, CAIRN_SCALE_TIME);
    else
        CHECK(cairn_skew_frame(ctx, *out, numbers.values, numbers.n, false));
    for (size_t g = 0; g < n; g++) {
        const char *name = numbers.codes ? numbers.groups[g] : "";
        double most = p->scale == SCALE_WIDTH ? violins[g].widest : widest;
        cairn_figure_x_names(*out, &name, 1);
        if (!samples[g].n) continue;
        if (violins[g].widest > 0) add_shape(*out, &violins[g], (double)g, (int32_t)g, 0.42 / most);
        if (p->box) add_quartiles(*out, &samples[g], (double)g, p->quantile);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_violin = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "violin",
                .also = "violin plot, density by group",
                .title = "Violin plot of a column",
                .summary =
                    "The kernel density of a number column on both sides of a line, one shape for "
                    "each level of --by, or of a target that holds levels, with the quartiles as a "
                    "bar, the median across it and the whiskers of a box plot inside. 'cairn "
                    "compute box' and 'cairn compute density' have the numbers.",
                .references = "Hintze, Nelson: Violin Plots: A Box Plot-Density Trace Synergism, "
                              "The American Statistician 52, 1998",
                .example = "cairn draw violin @iris --column petal_length",
                .params = violin_table,
                .params_size = sizeof(violin_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = violin_draw,
};
