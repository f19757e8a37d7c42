/* SPDX-License-Identifier: MIT */
/* The work behind ROC curves, with the numbers put in: shared by the calculators of rankings and of
 * calibration. */
#ifndef CAIRN_PLOTS_CURVE_STEPS_H
#define CAIRN_PLOTS_CURVE_STEPS_H

#include "report/table_rows.h"
#include "stats/ranking.h"

/* The area twice: as a sum of trapezoids under the curve, and as the share of pairs that are ranked
 * correctly. */
void cairn_steps_auc(cairn_report *out, const cairn_ranking *ranking);
/* The hull segment by segment: which neighbours violate the order and are pooled. */
CAIRN_CHECKED cairn_status cairn_steps_hull(cairn_context *ctx, cairn_report *out,
                                            const cairn_ranking *ranking, bool keep_collinear);

#endif
