/* SPDX-License-Identifier: MIT */
/* Where the branches of a dendrogram stand, before it is known how large a step is. */
#ifndef CAIRN_DRAW_DENDROLAYOUT_H
#define CAIRN_DRAW_DENDROLAYOUT_H

#include "draw/figure_data.h"

/* All of scratch memory. Places count the room of one leaf. */
typedef struct cairn_dendro_layout {
    const cairn_dendro *tree;
    size_t n;
    double *place;       /* n: of its line */
    double *first, *end; /* n: the room of all that lies under it */
    double width;        /* room of all ends */
    int *ends;           /* n_ends branches in their order */
    size_t n_ends;
    double *levels; /* n_levels heights of joins, ascending, each once: the steps of ranks */
    size_t n_levels;
    double low, high; /* of all heights, and 0 */
} cairn_dendro_layout;

CAIRN_CHECKED cairn_status cairn_dendro_place(cairn_context *ctx, cairn_dendro_layout *out,
                                              const cairn_dendro *tree);
/* The height as a number of levels: 0 is the ends', 1 the lowest join's; between levels in
 * proportion. */
double cairn_dendro_rank(const cairn_dendro_layout *layout, double height);

#endif
