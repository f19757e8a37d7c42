/* SPDX-License-Identifier: MIT */
#include "model/kept_parts.h"
#include "model/chain.h"
#include "rows/distances.h"
#include "stats/calibration.h"
#include "stats/dendrogram.h"

static void free_model(cairn_model **model)
{
    cairn_model_free(*model);
    *model = NULL;
}

CAIRN_KEPT_PART(cairn_kept_model, cairn_model *, cairn_model_archive, free_model);
CAIRN_KEPT_PART(cairn_kept_link, cairn_link, cairn_link_archive, cairn_link_clear);
CAIRN_KEPT_PART(cairn_kept_metric, cairn_metric, cairn_metric_archive, cairn_metric_clear);
CAIRN_KEPT_PART(cairn_kept_points, cairn_points, cairn_points_archive, cairn_points_clear);
CAIRN_KEPT_PART(cairn_kept_distance_rows, cairn_distance_rows, cairn_distance_rows_archive,
                cairn_distance_rows_clear);
CAIRN_KEPT_PART(cairn_kept_dendrogram, cairn_dendrogram, cairn_dendrogram_archive,
                cairn_dendrogram_clear);
CAIRN_KEPT_PART(cairn_kept_calibration, cairn_calibration, cairn_calibration_archive,
                cairn_calibration_clear);
