/* SPDX-License-Identifier: MIT */
/* The shortest tree over all rows by mutual reachability: what of single linkage is left when rows
 * that lie alone are kept apart. */
#ifndef CAIRN_LEARNERS_SPANNING_H
#define CAIRN_LEARNERS_SPANNING_H

#include "learners/cluster/dense_rows.h"
#include "stats/dendrogram.h"

/* joins (n - 1): a minimum spanning tree whose lengths are max(core(a), core(b), d(a, b)), in no
 * particular order. The search must be made. Fails (CAIRN_BAD_DATA) when two rows cannot be
 * compared. Lengths are the same whatever the method and the number of threads. */
CAIRN_CHECKED cairn_status cairn_spanning_tree(cairn_context *ctx, const cairn_density *density,
                                               const double *core, cairn_join *joins);

/* The method for few columns, by a tree of boxes that the search has. */
CAIRN_CHECKED cairn_status cairn_spanning_by_tree(cairn_context *ctx, const cairn_density *density,
                                                  const double *core, cairn_join *joins);

#endif
