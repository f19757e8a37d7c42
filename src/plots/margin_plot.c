/* SPDX-License-Identifier: MIT */
/* Pictures of margins: see margin_plot.h. */
#include "plots/margin_plot.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>

/* How different the ranges of the axes may be for one unit to be as long on both. */
static const double most_different = 5;

static double at(const cairn_margin_scene *s, size_t point, size_t axis)
{
    return axis < s->stride ? s->points[point * s->stride + axis] : 0;
}

static void find_range(cairn_margin_scene *s, size_t axis)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        low = fmin(low, at(s, i, axis));
        high = fmax(high, at(s, i, axis));
    }
    double buffer = high > low ? 0.12 * (high - low) : 1;
    s->low[axis] = low - buffer;
    s->high[axis] = high + buffer;
}

/* Where the line meets the border of the picture: two ends, or none. */
static bool clip(const cairn_margin_scene *s, const double *plane, double level, double *x,
                 double *y)
{
    double norm = cairn_hypot(plane[0], plane[1]), first = -INFINITY, last = INFINITY;
    if (!(norm > 0)) return false;
    double a = plane[0] / norm, b = plane[1] / norm, c = (level - plane[2]) / norm;
    double from[2] = {a * c, b * c}, along[2] = {-b, a};
    for (size_t k = 0; k < 2; k++) {
        if (fabs(along[k]) < 1e-12) {
            if (from[k] < s->low[k] || from[k] > s->high[k]) return false;
            continue;
        }
        double one = (s->low[k] - from[k]) / along[k], other = (s->high[k] - from[k]) / along[k];
        first = fmax(first, fmin(one, other));
        last = fmin(last, fmax(one, other));
    }
    for (size_t e = 0; e < 2; e++) {
        x[e] = from[0] + (e ? last : first) * along[0];
        y[e] = from[1] + (e ? last : first) * along[1];
    }
    return first < last;
}

/* Where the line runs past the points, the frame grows along the axis on which less is missing; a
 * line that is very far off would leave a dot of them. */
static void hold_line(cairn_margin_scene *s, double level)
{
    const double farthest = 6; /* frames */
    double x[2], y[2], least = INFINITY, reached = NAN;
    size_t axis = 0;
    if (clip(s, s->plane, level, x, y)) return;
    for (size_t k = 0; k < 2; k++) {
        double other = s->low[!k] / 2 + s->high[!k] / 2, size = s->high[k] - s->low[k];
        double there = (level - s->plane[2] - s->plane[!k] * other) / s->plane[k];
        double missing = there < s->low[k] ? s->low[k] - there : there - s->high[k];
        if (!(missing / size < least)) continue;
        least = missing / size, reached = there, axis = k;
    }
    if (!(least <= farthest)) return;
    double buffer = 0.06 * (s->high[axis] - s->low[axis]);
    s->low[axis] = fmin(s->low[axis], reached - buffer);
    s->high[axis] = fmax(s->high[axis], reached + buffer);
}

cairn_status cairn_margin_start(cairn_context *ctx, cairn_figure **out, cairn_margin_scene *scene,
                                const char *name, const char *title)
{
    double *x, *y, ratio;
    CHECK(SCRATCH_EACH(ctx, scene->n, &x, &y));
    find_range(scene, 0);
    find_range(scene, 1);
    for (int level = -1; scene->plane && level <= 1; level++) hold_line(scene, level);
    for (size_t i = 0; i < scene->n; i++) {
        x[i] = at(scene, i, 0);
        y[i] = at(scene, i, 1);
    }
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_size(*out, 480, 400);
    cairn_figure_axes(*out, scene->x, scene->y);
    cairn_figure_x_range(*out, scene->low[0], scene->high[0]);
    cairn_figure_y_range(*out, scene->low[1], scene->high[1]);
    ratio = (scene->high[0] - scene->low[0]) / (scene->high[1] - scene->low[1]);
    scene->equal = ratio < most_different && ratio > 1 / most_different;
    if (scene->equal) cairn_figure_equal_axes(*out);
    cairn_figure_points(*out, x, y, scene->groups, scene->n, scene->group_names, scene->n_groups);
    return CAIRN_OK;
}

void cairn_margin_line(cairn_figure *figure, const cairn_margin_scene *scene, const double *plane,
                       const char *label)
{
    double x[2], y[2];
    if (clip(scene, plane, 0, x, y)) cairn_figure_line(figure, label, x, y, 2);
}

void cairn_margin_street(cairn_figure *figure, const cairn_margin_scene *scene, const double *plane,
                         double level, const char *label)
{
    double x[6], y[6];
    size_t n = 0;
    for (int side = -1; side <= 1; side += 2) {
        if (!clip(scene, plane, side * level, x + n, y + n)) continue;
        x[n + 2] = y[n + 2] = NAN;
        n += 3;
    }
    if (n) cairn_figure_beside(figure, label, x, y, n - 1);
}

void cairn_margin_perpendicular(cairn_figure *figure, const cairn_margin_scene *scene,
                                const double *plane, double level, size_t point)
{
    double squared = plane[0] * plane[0] + plane[1] * plane[1];
    double x[2] = {at(scene, point, 0)}, y[2] = {at(scene, point, 1)};
    double by = (level - (plane[0] * x[0] + plane[1] * y[0] + plane[2])) / squared;
    x[1] = x[0] + by * plane[0];
    y[1] = y[0] + by * plane[1];
    if (isfinite(by)) cairn_figure_guide(figure, x, y, 2);
}

void cairn_margin_ring(cairn_figure *figure, const cairn_margin_scene *scene, size_t point,
                       const char *name)
{
    cairn_figure_mark(figure, NULL, at(scene, point, 0), at(scene, point, 1));
    if (name) cairn_figure_label(figure, at(scene, point, 0), at(scene, point, 1), name);
}

/* Three strokes that cross in a point. */
static void draw_asterisk(cairn_figure *figure, const cairn_margin_scene *s, double x, double y)
{
    static const double strokes[3][2] = {{0, 1}, {0.87, 0.5}, {0.87, -0.5}};
    double width = 0.024 * (s->high[0] - s->low[0]), height = 0.024 * (s->high[1] - s->low[1]);
    if (s->equal) width = height = fmin(width, height);
    for (size_t k = 0; k < 3; k++)
        cairn_figure_thick(figure, NULL,
                           (double[]){x - width * strokes[k][0], x + width * strokes[k][0]},
                           (double[]){y - height * strokes[k][1], y + height * strokes[k][1]}, 2);
}

cairn_status cairn_margin_means(cairn_context *ctx, cairn_figure *figure,
                                const cairn_margin_scene *scene)
{
    double *sums;
    CHECK(SCRATCH(ctx, &sums, cairn_product(scene->n_groups, 3)));
    for (size_t i = 0; i < scene->n; i++) {
        if (scene->groups[i] < 0) continue;
        double *own = sums + 3 * (size_t)scene->groups[i];
        own[0] += at(scene, i, 0);
        own[1] += at(scene, i, 1);
        own[2]++;
    }
    for (size_t k = 0; k < scene->n_groups; k++)
        if (sums[3 * k + 2] > 1)
            draw_asterisk(figure, scene, sums[3 * k] / sums[3 * k + 2],
                          sums[3 * k + 1] / sums[3 * k + 2]);
    return CAIRN_OK;
}
