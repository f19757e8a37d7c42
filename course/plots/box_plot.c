/* SPDX-License-Identifier: MIT */
/* Box plots. */
#include "plots/box_plot.h"

#include "base/memory.h"

#include <math.h>

static const double half = 0.3, pinch = 0.15, cap = 0.12;

void cairn_five_numbers_of(cairn_five_numbers *out, const cairn_sample *sample,
                           cairn_quantile_rule rule, double reach)
{
    *out = (cairn_five_numbers){.sample = *sample};
    cairn_summarise(&out->s, sample, CAIRN_DIVISOR_N_1, rule);
    const cairn_summary *s = &out->s;
    double beyond = reach > 0 ? reach * s->iqr : INFINITY;
    out->fence_low = s->q1 - beyond;
    out->fence_high = s->q3 + beyond;
    out->low = out->high = NAN;
    for (size_t i = 0; i < sample->n; i++) {
        double x = sample->values[i];
        out->n_below += x < out->fence_low;
        out->n_above += x > out->fence_high;
        if (x < out->fence_low || x > out->fence_high) continue;
        if (isnan(out->low)) out->low = x;
        out->high = x;
    }
    /* quartiles between values can lie outside all values that the fences leave */
    out->low = fmin(out->low, s->q1);
    out->high = fmax(out->high, s->q3);
    double notch = 1.57 * s->iqr / sqrt(sample->size);
    out->notch_low = s->median - notch;
    out->notch_high = s->median + notch;
}

double cairn_boxes_width(size_t n)
{
    return fmin(fmax(300, 110 + 60 * (double)n), 1600);
}

/* The box, with or without notches, as a closed shape. */
static void add_box(cairn_figure *figure, const cairn_five_numbers *b, double at, int32_t group,
                    bool notches)
{
    const cairn_summary *s = &b->s;
    double left = at - half, right = at + half;
    if (!notches) {
        cairn_figure_shape(figure, group, (double[]){left, right, right, left, left},
                           (double[]){s->q1, s->q1, s->q3, s->q3, s->q1}, 5);
        return;
    }
    const double x[] = {left, right, right,      at + pinch, right, right,
                        left, left,  at - pinch, left,       left};
    const double y[] = {s->q1, s->q1,         b->notch_low, s->median,    b->notch_high, s->q3,
                        s->q3, b->notch_high, s->median,    b->notch_low, s->q1};
    cairn_figure_shape(figure, group, x, y, 11);
}

static void add_whiskers(cairn_figure *figure, const cairn_five_numbers *b, double at)
{
    const double ends[][2] = {{b->s.q1, b->low}, {b->s.q3, b->high}};
    for (int i = 0; i < 2; i++) {
        cairn_figure_guide(figure, (double[]){at, at}, ends[i], 2);
        cairn_figure_guide(figure, (double[]){at - cap, at + cap},
                           (double[]){ends[i][1], ends[i][1]}, 2);
    }
}

/* Values outside the whiskers, or with `all` every value, as points of their group. */
static cairn_status add_points(cairn_context *ctx, cairn_figure *figure,
                               const cairn_five_numbers *boxes, size_t n, bool all)
{
    size_t count = 0, buffer = 0;
    double *x, *y;
    int32_t *groups;
    for (size_t g = 0; g < n; g++) buffer += boxes[g].sample.n;
    CHECK(SCRATCH_EACH(ctx, buffer, &x, &y, &groups));
    for (size_t g = 0; g < n; g++)
        for (size_t i = 0; i < boxes[g].sample.n; i++) {
            double value = boxes[g].sample.values[i];
            if (!all && value >= boxes[g].fence_low && value <= boxes[g].fence_high) continue;
            x[count] = (double)g;
            y[count] = value;
            groups[count++] = (int32_t)g;
        }
    if (count) cairn_figure_points(figure, x, y, groups, count, NULL, 0);
    return CAIRN_OK;
}

cairn_status cairn_plot_boxes(cairn_context *ctx, cairn_figure **out,
                              const cairn_five_numbers *boxes, const char *const *names, size_t n,
                              cairn_box_look look)
{
    bool first = true;
    CHECK(cairn_figure_new(ctx, out, "box", NULL));
    cairn_figure_size(*out, cairn_boxes_width(n), 340);
    for (size_t g = 0; g < n; g++) {
        const cairn_five_numbers *b = &boxes[g];
        const char *name = names ? names[g] : "";
        double at = (double)g;
        cairn_figure_x_names(*out, &name, 1);
        if (!b->sample.n) continue;
        add_whiskers(*out, b, at);
        add_box(*out, b, at, (int32_t)g, look.notches);
        double reach = look.notches ? pinch : half;
        cairn_figure_thick(*out, NULL, (double[]){at - reach, at + reach},
                           (double[]){b->s.median, b->s.median}, 2);
        if (look.means) cairn_figure_mark(*out, first ? "mean" : NULL, at, b->s.mean);
        first = false;
    }
    return add_points(ctx, *out, boxes, n, look.points);
}
