/* SPDX-License-Identifier: MIT */
/* Hasse diagrams: a node stands one level above the highest of those below it. */
#include "compute/hasse.h"

#include "base/memory.h"
#include "base/text.h"

/* Lines begin above the text of the lower node, so that they do not cross it. */
#define ABOVE_TEXT 0.36

bool cairn_hasse_joined(const cairn_hasse *order, size_t i, size_t k)
{
    if (!order->above[i * order->n + k]) return false;
    for (size_t m = 0; m < order->n; m++)
        if (order->above[i * order->n + m] && order->above[m * order->n + k]) return false;
    return true;
}

/* Levels from the bottom: the length of the longest chain below. Returns the number of levels. */
static size_t find_levels(const cairn_hasse *order, size_t *level)
{
    size_t top = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < order->n; i++)
            for (size_t k = 0; k < order->n; k++)
                if (order->above[i * order->n + k] && level[i] < level[k] + 1) {
                    level[i] = level[k] + 1;
                    changed = true;
                }
    }
    for (size_t i = 0; i < order->n; i++)
        if (level[i] > top) top = level[i];
    return top + 1;
}

typedef struct places {
    size_t *level;
    double *x, *y;
    double width; /* of the widest level, in points */
    size_t n_levels;
} places;

/* The nodes of a level side by side, each with the room that its text needs. */
static cairn_status find_places(cairn_context *ctx, places *out, const cairn_hasse *order)
{
    cairn_status status;
    double *widths;
    TRY(SCRATCH(ctx, &out->level, order->n));
    TRY(SCRATCH(ctx, &out->x, order->n));
    TRY(SCRATCH(ctx, &out->y, order->n));
    out->n_levels = find_levels(order, out->level);
    TRY(SCRATCH(ctx, &widths, out->n_levels));
    for (size_t i = 0; i < order->n; i++) {
        double need = 6.2 * (double)cairn_text_width(order->texts[i]) + 24, *w;
        w = &widths[out->level[i]];
        out->x[i] = *w + need / 2;
        out->y[i] = (double)out->level[i];
        *w += need;
        if (*w > out->width) out->width = *w;
    }
    for (size_t i = 0; i < order->n; i++) out->x[i] += (out->width - widths[out->level[i]]) / 2;
done:
    return status;
}

cairn_status cairn_hasse_figure(cairn_context *ctx, cairn_figure **out, const cairn_hasse *order,
                                const char *name, const char *title)
{
    cairn_status status;
    places p = {0};
    TRY(find_places(ctx, &p, order));
    TRY(cairn_figure_new(ctx, out, name, title));
    cairn_figure_no_axes(*out);
    cairn_figure_size(*out, p.width < 360 ? 480 : p.width + 120, 90 + 70 * (double)p.n_levels);
    cairn_figure_x_range(*out, 0, p.width);
    cairn_figure_y_range(*out, -0.4, (double)p.n_levels - 0.4);
    for (size_t i = 0; i < order->n; i++)
        for (size_t k = 0; k < order->n; k++) {
            double x[2] = {p.x[i], p.x[k]}, y[2] = {p.y[i] - 0.05, p.y[k] + ABOVE_TEXT};
            if (cairn_hasse_joined(order, i, k)) cairn_figure_guide(*out, x, y, 2);
        }
    cairn_figure_points(*out, p.x, p.y, order->groups, order->n, order->group_names,
                        order->n_groups);
    for (size_t i = 0; i < order->n; i++)
        cairn_figure_text(*out, p.x[i], p.y[i] + 0.06, 'c', order->texts[i]);
done:
    return status;
}
