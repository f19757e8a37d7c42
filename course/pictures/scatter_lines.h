/* SPDX-License-Identifier: MIT */
/* Lines a x + b y + c = 0 over a scatter plot: typed ones, their half-planes, their normal vectors
 * and the perpendiculars of points. */
#ifndef CAIRN_PICTURES_SCATTER_LINES_H
#define CAIRN_PICTURES_SCATTER_LINES_H

#include "draw/figure.h"

typedef struct cairn_typed_line {
    const char *name;
    double w[2], t; /* w x = t, w is not 0 */
} cairn_typed_line;

/* The corners of what a plot shows. */
typedef struct cairn_window_box {
    double low[2], high[2];
} cairn_window_box;

/* The lines "NAME=a,b,c" or "a,b,c" of a parameter that may be given several times, as hyperplanes
 * are typed (typed/vectors.h); scratch. */
CAIRN_CHECKED cairn_status cairn_typed_lines_read(cairn_context *ctx, cairn_typed_line **out,
                                                  size_t *n, const char *lines, const char *option);

/* The part of the line inside the window; false where it passes by. A line without a name is not
 * in the legend. */
bool cairn_line_draw(cairn_figure *figure, const cairn_typed_line *line,
                     const cairn_window_box *window, bool dashed);
/* Both sides, in the colours of the groups: where w x > t, and where it is less. */
void cairn_line_half_planes(cairn_figure *figure, const cairn_typed_line *line,
                            const cairn_window_box *window, int32_t above, int32_t below);
/* w as an arrow from the place of the line that is nearest to the middle of the window. */
void cairn_line_normal(cairn_figure *figure, const cairn_typed_line *line,
                       const cairn_window_box *window);
/* From a point to its foot on the line, with the distance |w x - t| / |w| beside it. */
void cairn_line_perpendicular(cairn_figure *figure, const cairn_typed_line *line, const double *at);
/* w x - t */
double cairn_line_value(const cairn_typed_line *line, const double *at);

#endif
