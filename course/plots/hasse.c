/* SPDX-License-Identifier: MIT */
/* Hasse diagrams: two nodes are joined when one is above the other and none stands between. */
#include "plots/hasse.h"

#include "base/memory.h"

#include <string.h>

/* Whether the path goes from k up to i. */
static bool on_path(const cairn_hasse *order, size_t i, size_t k)
{
    for (size_t at = 1; at < order->n_path; at++)
        if (order->path[at - 1] == k && order->path[at] == i) return true;
    return false;
}

static void add_nodes(cairn_figure *figure, const cairn_hasse *order)
{
    for (size_t i = 0; i < order->n; i++) {
        cairn_order_look look = {.group = order->groups ? order->groups[i] : -1,
                                 .sides = order->sides ? order->sides[i] : 0,
                                 .strong = order->strong && order->strong[i],
                                 .rank = order->ranks ? order->ranks[i] : -1};
        cairn_figure_order_node(figure, order->texts[i], &look);
    }
}

static void add_keys(cairn_figure *figure, const cairn_hasse *order)
{
    for (size_t g = 0; g < order->n_groups; g++) {
        cairn_order_look look = {.group = (int32_t)g};
        bool used = false;
        for (size_t i = 0; i < order->n && !used; i++) used = order->groups[i] == (int32_t)g;
        if (used) cairn_figure_order_key(figure, order->group_names[g], &look);
    }
    bool none = false, strong = false;
    for (size_t i = 0; order->groups && i < order->n; i++) none = none || order->groups[i] < 0;
    if (none && order->none_is)
        cairn_figure_order_key(figure, order->none_is, &(cairn_order_look){.group = -1});
    for (size_t i = 0; order->strong && i < order->n; i++) strong = strong || order->strong[i];
    if (strong && order->strong_is)
        cairn_figure_order_key(figure, order->strong_is,
                               &(cairn_order_look){.group = -1, .strong = true});
    if (order->n_path > 1) cairn_figure_order_key(figure, "path", NULL);
}

cairn_status cairn_hasse_figure(cairn_context *ctx, cairn_figure **out, const cairn_hasse *order,
                                const char *name, const char *title)
{
    bool *below;
    CHECK(SCRATCH(ctx, &below, order->n));
    CHECK(cairn_figure_new(ctx, out, name, title));
    add_nodes(*out, order);
    for (size_t i = 0; i < order->n; i++) {
        /* below[k] = k stands directly below i. */
        const bool *above = order->above + i * order->n;
        memcpy(below, above, order->n * sizeof *below);
        for (size_t m = 0; m < order->n; m++) {
            if (!above[m]) continue;
            const bool *further = order->above + m * order->n;
            for (size_t k = 0; k < order->n; k++) below[k] = below[k] && !further[k];
        }
        for (size_t k = 0; k < order->n; k++) {
            bool path = on_path(order, i, k);
            if (below[k] || path) cairn_figure_order_line(*out, (int)i, (int)k, path);
        }
    }
    add_keys(*out, order);
    return CAIRN_OK;
}
