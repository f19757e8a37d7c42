/* SPDX-License-Identifier: MIT */
/* Silhouettes as a figure: a bar for every row, sorted within the clusters, with their means. */
#ifndef CAIRN_PLOTS_SILHOUETTE_PLOT_H
#define CAIRN_PLOTS_SILHOUETTE_PLOT_H

#include "draw/figure.h"
#include "stats/clustering.h"

/* `clusters` are those of the rows of s, `names` of its clusters; `rows`, where it is not NULL,
 * names the rows of s themselves and is shown where they are few. The values must be numbers. */
CAIRN_CHECKED cairn_status cairn_silhouette_plot(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_silhouettes *s,
                                                 const int32_t *clusters, const char *const *names,
                                                 const char *const *rows, const char *title);

#endif
