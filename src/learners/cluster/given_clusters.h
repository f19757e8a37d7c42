/* SPDX-License-Identifier: MIT */
/* Clusters and rows that a user names by number. */
#ifndef CAIRN_LEARNERS_GIVEN_CLUSTERS_H
#define CAIRN_LEARNERS_GIVEN_CLUSTERS_H

#include "data/view.h"

/* The clusters of {given}, "1,1,2", from 0, one for each of n rows and none above k; scratch. Fails
 * (CAIRN_BAD_DATA) naming the number that is none. */
CAIRN_CHECKED cairn_status cairn_given_clusters(cairn_context *ctx, int32_t **out, size_t n,
                                                size_t k, const char *given);
/* The same for the rows of the view that have weight; the numbers are those of all its rows. */
CAIRN_CHECKED cairn_status cairn_given_used(cairn_context *ctx, int32_t **out,
                                            const cairn_view *view, size_t k, const char *given);

#endif
