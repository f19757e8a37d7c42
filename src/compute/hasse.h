/* SPDX-License-Identifier: MIT */
/* Pictures of an order: the more general stands higher, and lines join neighbours. */
#ifndef CAIRN_COMPUTE_HASSE_H
#define CAIRN_COMPUTE_HASSE_H

#include "draw/figure.h"

enum { CAIRN_HASSE_MOST = 32 }; /* nodes that can still be read */

typedef struct cairn_hasse {
    size_t n;
    const char *const *texts; /* n */
    const bool *above;        /* n x n: i is more general than k, and not the same */
    const int32_t *groups;    /* n; NULL = all alike */
    const char *const *group_names;
    size_t n_groups;
} cairn_hasse;

/* Whether k stands directly below i. */
bool cairn_hasse_joined(const cairn_hasse *order, size_t i, size_t k);
CAIRN_CHECKED cairn_status cairn_hasse_figure(cairn_context *ctx, cairn_figure **out,
                                              const cairn_hasse *order, const char *name,
                                              const char *title);

#endif
