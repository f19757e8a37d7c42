/* SPDX-License-Identifier: MIT */
/* Degrees in which a row belongs to clusters, by its distances from their exemplars. They add up to
 * 1, and the nearest exemplar has the largest (the first of equal ones). */
#ifndef CAIRN_STATS_MEMBERSHIPS_H
#define CAIRN_STATS_MEMBERSHIPS_H

#include <stddef.h>
#include <stdint.h>

/* out (k numbers, may be `squares`) from squared distances. A row without distances (NaN) has no
 * memberships.
 *
 * Fuzzy: in proportion to (1 / d²)^(1 / (m - 1)) with the fuzzifier m > 1, as fuzzy c-means has
 * them; a row that lies on exemplars belongs to these alone. With m = 2 they go by 1 / d². */
void cairn_memberships_fuzzy(double *out, const double *squares, size_t k, double fuzzifier);
/* Bell: in proportion to exp(-d² / (2 width²)), width > 0, as equal spherical normal distributions
 * have them. */
void cairn_memberships_bell(double *out, const double *squares, size_t k, double width);

/* The first largest of k numbers; -1 when some is NaN, or k is 0. */
int32_t cairn_membership_harden(const double *memberships, size_t k);

#endif
