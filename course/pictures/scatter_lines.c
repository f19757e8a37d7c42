/* SPDX-License-Identifier: MIT */
/* Typed lines over a scatter plot. */
#include "pictures/scatter_lines.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cairn_status cairn_typed_lines_read(cairn_context *ctx, cairn_typed_line **out, size_t *n,
                                    const char *lines, const char *option)
{
    cairn_vectors planes;
    *n = 0;
    CHECK(cairn_planes_read(ctx, &planes, option, lines, "line "));
    if (!planes.n) return SCRATCH(ctx, out, 1);
    CHECK(cairn_planes_check(ctx, &planes, 2, option));
    CHECK(SCRATCH(ctx, out, planes.n + 1));
    for (; *n < planes.n; ++*n) {
        const double *plane = cairn_plane(&planes, *n);
        (*out)[*n] = (cairn_typed_line){planes.names[*n], {plane[0], plane[1]}, -plane[2]};
    }
    return CAIRN_OK;
}

double cairn_line_value(const cairn_typed_line *line, const double *at)
{
    return line->w[0] * at[0] + line->w[1] * at[1] - line->t;
}

/* The corners and, in order around the window, the places where the line crosses its sides. `side`
 * 0 keeps the crossings alone, +1 and -1 the corners on that side as well. */
static size_t cut_window(const cairn_typed_line *line, const cairn_window_box *box, int side,
                         double *x, double *y)
{
    const double corner[4][2] = {{box->low[0], box->low[1]},
                                 {box->high[0], box->low[1]},
                                 {box->high[0], box->high[1]},
                                 {box->low[0], box->high[1]}};
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        double from = cairn_line_value(line, a), to = cairn_line_value(line, b);
        if (side && side * from >= 0) x[n] = a[0], y[n++] = a[1];
        if ((from < 0) == (to < 0)) continue;
        double share = from / (from - to);
        x[n] = a[0] + share * (b[0] - a[0]);
        y[n++] = a[1] + share * (b[1] - a[1]);
    }
    return n;
}

bool cairn_line_draw(cairn_figure *figure, const cairn_typed_line *line,
                     const cairn_window_box *window, bool dashed)
{
    double x[8], y[8];
    size_t n = cut_window(line, window, 0, x, y);
    if (n != 2) return false;
    if (dashed)
        cairn_figure_dashed(figure, line->name, x, y, 2);
    else
        cairn_figure_line(figure, line->name, x, y, 2);
    return true;
}

void cairn_line_half_planes(cairn_figure *figure, const cairn_typed_line *line,
                            const cairn_window_box *window, int32_t above, int32_t below)
{
    double x[8], y[8];
    for (int side = 1; side >= -1; side -= 2) {
        size_t n = cut_window(line, window, side, x, y);
        if (n > 2) cairn_figure_side(figure, side > 0 ? above : below, 0.16, x, y, n);
    }
}

/* The foot of a point on the line. */
static void foot_of(const cairn_typed_line *line, const double *at, double foot[2])
{
    double scale = fmax(fabs(line->w[0]), fabs(line->w[1]));
    double a = line->w[0] / scale, b = line->w[1] / scale;
    double share = (a * at[0] + b * at[1] - line->t / scale) / (a * a + b * b);
    foot[0] = at[0] - share * a;
    foot[1] = at[1] - share * b;
}

void cairn_line_normal(cairn_figure *figure, const cairn_typed_line *line,
                       const cairn_window_box *window)
{
    double middle[2], foot[2], length = cairn_hypot(line->w[0], line->w[1]), reach = INFINITY;
    for (int i = 0; i < 2; i++) {
        middle[i] = (window->low[i] + window->high[i]) / 2;
        reach = fmin(reach, 0.2 * (window->high[i] - window->low[i]));
    }
    foot_of(line, middle, foot);
    double x[2] = {foot[0], foot[0] + reach * line->w[0] / length};
    double y[2] = {foot[1], foot[1] + reach * line->w[1] / length};
    cairn_figure_arrow(figure, NULL, x, y, 2);
    cairn_figure_label(figure, x[1], y[1], "w");
}

void cairn_line_perpendicular(cairn_figure *figure, const cairn_typed_line *line, const double *at)
{
    double foot[2];
    char text[CAIRN_NUMBER_SIZE + 8] = "d = ";
    foot_of(line, at, foot);
    double x[2] = {at[0], foot[0]}, y[2] = {at[1], foot[1]};
    cairn_number_format(text + strlen(text), cairn_hypot(x[1] - x[0], y[1] - y[0]), 4);
    cairn_figure_dashed(figure, NULL, x, y, 2);
    cairn_figure_label(figure, (x[0] + x[1]) / 2, (y[0] + y[1]) / 2, text);
}
