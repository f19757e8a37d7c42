/* SPDX-License-Identifier: MIT */
/* cairn draw percentiles: the share of values at or below each value, with the quartiles, the
 * median and the mean, and look-ups in both directions. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/time.h"
#include "stats/summary.h"

#include <math.h>

typedef struct percentiles_params {
    const char *column, *colour, *at, *percents;
    int quantile;
    bool marks;
} percentiles_params;

static const cairn_param percentiles_table[] = {
    CAIRN_PARAM_AS(percentiles_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column; the first one if not given"),
    CAIRN_PARAM_AS(percentiles_params, colour, CAIRN_TYPE_COLUMNS, "none",
                   "level column: one curve per level, or none"),
    CAIRN_PARAM(percentiles_params, marks, "yes", NULL,
                "mark the quartiles, the median and the mean"),
    CAIRN_PARAM_AS(percentiles_params, at, CAIRN_TYPE_LIST, NULL,
                   "numbers to look up: the share at or below each"),
    CAIRN_PARAM_AS(percentiles_params, percents, CAIRN_TYPE_LIST, NULL,
                   "per cents to look up: the value at each"),
    CAIRN_PARAM_CHOICE(percentiles_params, quantile, "linear", cairn_quantile_rules,
                       "how percentiles are read between the values"),
    CAIRN_PARAM_END,
};

enum { MOST_STEPS = 1500 };

/* A staircase: level until a value, then up. Very many steps are thinned. */
static cairn_status add_stairs(cairn_context *ctx, cairn_figure *figure, const cairn_sample *sample,
                               const char *label)
{
    double *x, *y;
    size_t n = 0, step = sample->n / MOST_STEPS + 1;
    CHECK(SCRATCH_EACH(ctx, 2 * (MOST_STEPS + 3), &x, &y));
    double before = 0, weight = 0;
    for (size_t i = 0; i < sample->n; i++) {
        weight += sample->weights ? sample->weights[i] : 1;
        bool last = i + 1 == sample->n;
        if (!last && (sample->values[i + 1] == sample->values[i] || i % step)) continue;
        x[n] = x[n + 1] = sample->values[i];
        y[n] = before;
        before = y[n + 1] = 100 * (last ? 1 : weight / sample->total);
        n += 2;
        if (n >= 2 * (size_t)(MOST_STEPS + 2)) break;
    }
    cairn_figure_line(figure, label, x, y, n);
    return CAIRN_OK;
}

/* A broken line from one axis over the curve to the other; the legend says what is read off. */
static cairn_status look_up(cairn_context *ctx, cairn_figure *figure, const char *label, double x,
                            double percent, double low, const char *pattern)
{
    const double xs[] = {x, x, low}, ys[] = {0, percent, percent};
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, label);
    if (*label) cairn_text_add_char(&text, ' ');
    if (pattern) {
        char time[CAIRN_TIME_SIZE];
        cairn_time_format(time, x, pattern);
        cairn_text_add(&text, time);
    } else
        cairn_text_add_number(&text, x, 4);
    cairn_text_add(&text, ": ");
    cairn_text_add_number(&text, percent, 3);
    cairn_text_add(&text, "%");
    cairn_figure_dashed(figure, cairn_text_string(&text), xs, ys, 3);
    cairn_status status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

/* Reads the curve both ways: from a value to its share of rows (at, mean) and from a per cent to
 * its value (quartiles, percents). */
static cairn_status add_look_ups(cairn_context *ctx, cairn_figure *figure,
                                 const cairn_sample *sample, const percentiles_params *p,
                                 const char *pattern)
{
    cairn_quantile_rule rule = (cairn_quantile_rule)p->quantile;
    cairn_summary s;
    double *list, low = sample->values[0];
    size_t n;
    cairn_summarise(&s, sample, CAIRN_DIVISOR_N_1, rule);
    if (p->marks) {
        CHECK(look_up(ctx, figure, "Q1", s.q1, 25, low, pattern));
        CHECK(look_up(ctx, figure, "median", s.median, 50, low, pattern));
        CHECK(look_up(ctx, figure, "Q3", s.q3, 75, low, pattern));
        CHECK(look_up(ctx, figure, "mean", s.mean, 100 * cairn_sample_share(sample, s.mean), low,
                      pattern));
    }
    if (p->at) {
        CHECK(cairn_list_numbers(ctx, "at", p->at, &list, &n));
        for (size_t i = 0; i < n; i++)
            CHECK(look_up(ctx, figure, "", list[i], 100 * cairn_sample_share(sample, list[i]), low,
                          pattern));
    }
    if (p->percents) {
        CHECK(cairn_list_numbers(ctx, "percents", p->percents, &list, &n));
        for (size_t i = 0; i < n; i++) {
            if (!(list[i] >= 0 && list[i] <= 100))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{percents} lie in 0 .. 100, but number %zu does not", i + 1);
            CHECK(look_up(ctx, figure, "", cairn_sample_quantile(sample, list[i] / 100, rule),
                          list[i], low, pattern));
        }
    }
    return CAIRN_OK;
}

static cairn_status add_groups(cairn_context *ctx, cairn_figure *figure, const double *values,
                               const double *weights, size_t n, const cairn_groups *groups)
{
    for (size_t g = 0; g < groups->n; g++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        cairn_sample part;
        CHECK(cairn_sample_make(ctx, &part, values, weights, n,
                                (cairn_part){groups->codes, (int32_t)g}));
        if (part.n)
            CHECK(add_stairs(ctx, figure, &part, groups->names[g]));
        else
            cairn_figure_line(figure, groups->names[g], (const double[]){NAN},
                              (const double[]){NAN}, 1);
        cairn_figure_in_group(figure, (int32_t)g);
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

static cairn_status percentiles_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    const percentiles_params *p = job->params;
    cairn_picture_column c;
    CHECK(cairn_picture_column_of(ctx, &c, job->table, p->column, p->colour));
    CHECK(cairn_picture_new(ctx, out, "percentiles", job->table, "Percentiles of %s", c.name));
    cairn_picture_legend(*out, &c.groups);
    cairn_figure_size(*out, 520, 360);
    cairn_figure_axes(*out, c.name, "per cent at or below");
    cairn_figure_scales(*out, c.scale, CAIRN_SCALE_LINEAR);
    cairn_figure_y_range(*out, 0, 100);
    if (c.groups.n)
        CHECK(add_groups(ctx, *out, c.values, c.weights, c.n_rows, &c.groups));
    else
        CHECK(add_stairs(ctx, *out, &c.sample, NULL));
    return add_look_ups(ctx, *out, &c.sample, p, c.pattern);
}

const cairn_calculator cairn_picture_percentiles = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "percentiles",
         .also = "quantile plot, ogive, cumulative distribution, ECDF",
         .title = "Percentile plot",
         .summary =
             "The share of a column's values at or below each value, with the quartiles, the "
             "median and the mean marked and where they lie; numbers and per cents can be "
             "looked up in both directions.",
         .references = "Cleveland: The Elements of Graphing Data, 1985",
         .example = "cairn draw percentiles @iris --column petal_length --at 5",
         .params = percentiles_table,
         .params_size = sizeof(percentiles_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = percentiles_draw,
};
