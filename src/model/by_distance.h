/* SPDX-License-Identifier: MIT */
/* Learners that work by distances (rows/distances.h). */
#ifndef CAIRN_MODEL_BY_DISTANCE_H
#define CAIRN_MODEL_BY_DISTANCE_H

/* What a learner that compares rows by this distance accepts (CAIRN_ACCEPTS_...): the kinds of
 * columns, missing cells and texts that the distance takes, weights, a matrix of distances in place
 * of rows; it wants scaling where the scale matters. */
unsigned cairn_distance_accepts(const char *spec);

#endif
