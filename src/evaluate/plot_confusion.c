/* SPDX-License-Identifier: MIT */
/* Coloured grids. */
#include "evaluate/plot_confusion.h"

cairn_status cairn_plot_confusion(cairn_context *ctx, cairn_figure **out, const double *cells,
                                  const char *const *names, size_t n)
{
    cairn_figure *figure;
    cairn_status status = cairn_figure_new(ctx, &figure, "confusion", "Confusion table");
    if (status) return status;
    cairn_figure_heat(figure, cells, names, n, names, n);
    cairn_figure_axes(figure, "predicted", "actual");
    *out = figure;
    return CAIRN_OK;
}
