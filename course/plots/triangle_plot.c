/* SPDX-License-Identifier: MIT */
/* The probability triangle. Class 1 is the lower left corner, 2 the lower right, 3 the top. */
#include "plots/triangle_plot.h"

#include "base/memory.h"

#include <math.h>

enum { MOST_ROWS = 5000 };
#define HEIGHT 0.86602540378443865 /* of the triangle of side 1 */

static void place(const double *p, double *x, double *y)
{
    double sum = p[0] + p[1] + p[2];
    *x = sum > 0 ? (p[1] + p[2] / 2) / sum : NAN;
    *y = sum > 0 ? p[2] * HEIGHT / sum : NAN;
}

/* From the point where all weighted scores are equal to the middle of each side, where two are. */
static void draw_decisions(cairn_figure *f, const double *w, bool dashed, const char *label)
{
    double x[9], y[9], inverse[3];
    for (int i = 0; i < 3; i++) {
        if (!(w[i] > 0)) return;
        inverse[i] = 1 / w[i];
    }
    for (int out = 0; out < 3; out++) {
        double side[3] = {inverse[0], inverse[1], inverse[2]};
        side[out] = 0;
        place(inverse, &x[3 * out], &y[3 * out]);
        place(side, &x[3 * out + 1], &y[3 * out + 1]);
        x[3 * out + 2] = y[3 * out + 2] = NAN;
    }
    if (dashed)
        cairn_figure_dashed(f, label, x, y, 9);
    else
        cairn_figure_line(f, label, x, y, 9);
}

static cairn_status draw_rows(cairn_context *ctx, cairn_figure *f, const double *p,
                              const int32_t *classes, size_t n, const char *const *names)
{
    size_t step = n / MOST_ROWS + 1, m = 0;
    double *x, *y;
    int32_t *group;
    CHECK(SCRATCH_EACH(ctx, n / step + 1, &x, &y, &group));
    for (size_t i = 0; i < n; i += step) {
        place(p + 3 * i, &x[m], &y[m]);
        group[m++] = classes[i];
    }
    cairn_figure_points(f, x, y, group, m, names, 3);
    return CAIRN_OK;
}

cairn_status cairn_plot_triangle(cairn_context *ctx, cairn_figure **out, const double *p,
                                 const int32_t *classes, size_t n, const char *const *names,
                                 const double *weights)
{
    const double corner_x[4] = {0, 1, 0.5, 0}, corner_y[4] = {0, 0, HEIGHT, 0};
    cairn_figure *f;
    cairn_status status = cairn_figure_new(ctx, &f, "triangle", "Probabilities of three classes");
    if (status) return status;
    cairn_figure_size(f, 460, 420);
    cairn_figure_equal_axes(f);
    cairn_figure_no_axes(f);
    cairn_figure_x_range(f, -0.08, 1.08);
    cairn_figure_y_range(f, -0.08, 0.98);
    cairn_figure_guide(f, corner_x, corner_y, 4);
    status = draw_rows(ctx, f, p, classes, n, names);
    draw_decisions(f, (const double[]){1, 1, 1}, true, "equal weights");
    if (weights) draw_decisions(f, weights, false, "adjusted weights");
    cairn_figure_label(f, -0.04, -0.05, names[0]);
    cairn_figure_label(f, 1.0, -0.05, names[1]);
    cairn_figure_label(f, 0.5, HEIGHT + 0.05, names[2]);
    if (status == CAIRN_OK) status = cairn_figure_status(f);
    if (status == CAIRN_OK)
        *out = f;
    else
        cairn_figure_free(f);
    return status;
}
