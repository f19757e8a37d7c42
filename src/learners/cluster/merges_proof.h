/* SPDX-License-Identifier: MIT */
/* Proofs of trees of clusters: that merges have the heights of what they join, that nothing nearer
 * was there to be joined, and that heights rise where the linkage promises it. Shared by
 * `hierarchy` and `hdbscan`. */
#ifndef CAIRN_LEARNERS_MERGES_PROOF_H
#define CAIRN_LEARNERS_MERGES_PROOF_H

#include "learners/cluster/hierarchy.h"

typedef struct cairn_merges_asked {
    const cairn_dendrogram *tree;
    const cairn_distance_rows *rows; /* its leaves */
    cairn_linkage linkage;
    const double *core; /* a distance is no less than these of its two rows; NULL = 0 */
    bool splits;        /* made by splitting: heights are those of the linkage, or for complete
                           linkage of the wider part, but nearer clusters may be apart */
} cairn_merges_asked;

/* A NULL certificate is nobody who asks. */
CAIRN_CHECKED cairn_status cairn_merges_prove(cairn_context *ctx, cairn_certificate *out,
                                              const cairn_merges_asked *asked);

#endif
