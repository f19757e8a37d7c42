/* SPDX-License-Identifier: MIT */
/* Curves and chords of impurities.
 *
 * The average impurity of two parts, weighted by their sizes, lies on the straight line between
 * their points on the curve, over the share of the whole, because that share is the average of
 * theirs with the same weights. The curve there is the impurity before the split. With more parts
 * the average lies inside the polygon of their points. */
#include "plots/impurity_plot.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>

const cairn_impurity_curve cairn_impurity_curves[CAIRN_N_IMPURITIES] = {
    {"entropy", "entropy (bits)", "H = − Σ p · log2 p", CAIRN_ENTROPY},
    {"gini", "Gini", "G = 1 − Σ p²", CAIRN_GINI},
    {"minority", "minority class", "M = 1 − max p", CAIRN_MINORITY},
    {"sqrt_gini", "square root of Gini", "R = ½ Σ √(p(1−p))", CAIRN_SQRT_GINI},
};

double cairn_impurity_at(cairn_impurity kind, double p)
{
    const double counts[2] = {p, 1 - p};
    return cairn_impurity_of(kind, counts, 2);
}

static void add_curve(cairn_figure *f, const cairn_impurity_curve *curve, double scale)
{
    enum { POINTS = 201 };
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = i / (double)(POINTS - 1);
        y[i] = cairn_impurity_at(curve->kind, x[i]) * scale;
    }
    cairn_figure_line(f, scale == 1 ? curve->title : "entropy / 2", x, y, POINTS);
}

/* A value with its name, at a place of the plot. */
static void label_value(cairn_figure *f, double x, double y, const char *what, double value)
{
    char text[64], number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, value, 4);
    (void)snprintf(text, sizeof text, "%.24s %.24s", what, number);
    cairn_figure_label(f, x, y, text);
}

/* The parts of a split by their share of the first class. */
typedef struct chord {
    double *share, *height; /* one more than parts, to come back to the first */
    size_t n;
    double whole; /* share of all rows */
} chord;

static cairn_status chord_make(cairn_context *ctx, chord *out, const double *parts, size_t n)
{
    double sum[2] = {0, 0};
    CHECK(SCRATCH_EACH(ctx, n + 1, &out->share, &out->height));
    for (size_t i = 0; i < n; i++) {
        double p = parts[2 * i], all = p + parts[2 * i + 1];
        sum[0] += p;
        sum[1] += all;
        if (!(all > 0)) continue;
        size_t at = out->n++; /* sorted */
        for (; at > 0 && out->share[at - 1] > p / all; at--) out->share[at] = out->share[at - 1];
        out->share[at] = p / all;
    }
    out->whole = sum[0] / sum[1];
    return CAIRN_OK;
}

/* The chord of one curve: named values only where there is one curve. */
static void add_chord(cairn_figure *f, chord *c, const cairn_impurity_curve *curve, double scale,
                      const double *parts, size_t n_parts, bool named)
{
    double after = cairn_impurity_after(curve->kind, parts, n_parts, 2) * scale;
    double before = cairn_impurity_at(curve->kind, c->whole) * scale;
    size_t n = c->n;
    for (size_t i = 0; i < n; i++)
        c->height[i] = cairn_impurity_at(curve->kind, c->share[i]) * scale;
    if (n > 2) { /* a polygon */
        c->share[n] = c->share[0];
        c->height[n] = c->height[0];
    }
    cairn_figure_dashed(f, NULL, c->share, c->height, n > 2 ? n + 1 : n);
    cairn_figure_points(f, c->share, c->height, NULL, n, NULL, 0);
    cairn_figure_arrow(f, named ? "gain" : NULL, (double[]){c->whole, c->whole},
                       (double[]){before, after}, 2);
    cairn_figure_mark(f, named ? "average of the parts" : NULL, c->whole, after);
    if (!named) return;
    label_value(f, c->whole, before, "before", before);
    label_value(f, c->whole, after, "after", after);
    for (size_t i = 0; i < n; i++) label_value(f, c->share[i], c->height[i], "", c->height[i]);
}

cairn_status cairn_impurity_figure(cairn_context *ctx, cairn_figure **out,
                                   const bool chosen[CAIRN_N_IMPURITIES], const double *parts,
                                   size_t n_parts)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    chord c = {0};
    size_t n = 0;
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++) n += chosen[m];
    CHECK(cairn_figure_new(ctx, &f, "impurity",
                           n_parts ? "What a split leaves of the impurity"
                                   : "Impurity of two classes"));
    cairn_figure_axes(f, "share of the first class", "impurity");
    if (n_parts) cairn_figure_size(f, 520, 400);
    if (n_parts) CHECK(chord_make(ctx, &c, parts, n_parts));
    for (size_t m = 0; m < CAIRN_N_IMPURITIES; m++) {
        bool half = cairn_impurity_curves[m].kind == CAIRN_ENTROPY && n > 1;
        if (chosen[m]) add_curve(f, &cairn_impurity_curves[m], half ? 0.5 : 1);
    }
    for (size_t m = 0; m < CAIRN_N_IMPURITIES && n_parts; m++) {
        bool half = cairn_impurity_curves[m].kind == CAIRN_ENTROPY && n > 1;
        if (chosen[m])
            add_chord(f, &c, &cairn_impurity_curves[m], half ? 0.5 : 1, parts, n_parts, n == 1);
    }
    if (n_parts) cairn_figure_rule_x(f, "the whole", c.whole);
    *out = TAKE(f);
    return CAIRN_OK;
}
