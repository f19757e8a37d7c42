/* SPDX-License-Identifier: MIT */
/* How well predictions agree with a target that is there: a few lines for fit and predict. */
#ifndef CAIRN_COMMAND_SCORES_H
#define CAIRN_COMMAND_SCORES_H

#include "command/command.h"

/* Agreement on the training rows, marked as optimistic; of a clustering its shape, where rows are
 * few. */
CAIRN_CHECKED cairn_status cairn_report_training(cairn_command *command, const cairn_model *model,
                                                 const cairn_table *table);

/* One remark about predictions for a table that also holds the target; nothing otherwise. The
 * values are put into the report. */
CAIRN_CHECKED cairn_status cairn_remark_scores(cairn_command *command, const cairn_model *model,
                                               const cairn_table *table,
                                               const cairn_prediction *prediction);

#endif
