/* SPDX-License-Identifier: MIT */
/* What models keep of types that have functions of their own: KEEP_PART(model, metric,
 * .part = &cairn_kept_metric). */
#ifndef CAIRN_MODEL_KEPT_PARTS_H
#define CAIRN_MODEL_KEPT_PARTS_H

#include "base/kept.h"

extern const cairn_kept_part cairn_kept_model; /* a cairn_model *, which is owned */
extern const cairn_kept_part cairn_kept_link;
extern const cairn_kept_part cairn_kept_metric;
extern const cairn_kept_part cairn_kept_points;
extern const cairn_kept_part cairn_kept_distance_rows;
extern const cairn_kept_part cairn_kept_dendrogram;
extern const cairn_kept_part cairn_kept_calibration;

#endif
