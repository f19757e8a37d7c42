/* SPDX-License-Identifier: MIT */
/* Pictures of an order: the more general stands higher, and lines join neighbours. */
#ifndef CAIRN_PLOTS_HASSE_H
#define CAIRN_PLOTS_HASSE_H

#include "draw/figure.h"

enum {
    CAIRN_HASSE_MOST = 60,   /* nodes that a report still draws */
    CAIRN_HASSE_LIMIT = 1000 /* nodes that are drawn when asked for */
};

typedef struct cairn_hasse {
    size_t n;
    const char *const *texts; /* n; lines separated by \n */
    const bool *above;        /* n x n: i is more general than k, and not the same */
    const int32_t *groups;    /* n colours; NULL = all alike */
    const char *const *group_names;
    size_t n_groups;
    const char *none_is;   /* what nodes of group -1 are, for the legend; NULL = not said */
    const int *sides;      /* n outlines as in draw/figure.h; NULL = boxes */
    const bool *strong;    /* n; NULL = none is */
    const char *strong_is; /* what that means, for the legend */
    const int *ranks;      /* n least rows from the bottom; NULL = as low as can be */
    const size_t *path;    /* n_path nodes, the most special first; NULL = none */
    size_t n_path;
} cairn_hasse;

/* The diagram with a legend of what it tells apart; links that follow from others are left out. */
CAIRN_CHECKED cairn_status cairn_hasse_figure(cairn_context *ctx, cairn_figure **out,
                                              const cairn_hasse *order, const char *name,
                                              const char *title);

#endif
