/* SPDX-License-Identifier: MIT */
/* What the verbs that judge (evaluate, compare, tune) share: costs, measures, one picture of
 * many. */
#ifndef CAIRN_COMMAND_JUDGING_H
#define CAIRN_COMMAND_JUDGING_H

#include "command/command.h"
#include "evaluate/evaluate.h"

/* The costs of the options --costs, --cost-fn and --cost-fp into *out, or where none are given
 * those of the settings of a learner that has some (`learner` may be NULL). Borrowed. */
CAIRN_CHECKED cairn_status cairn_command_costs(cairn_command *command, cairn_judge_options *out,
                                               const cairn_params *learner);

/* What the answers of a model about rows of known class cost, as values training.cost and
 * training.baseline_cost; nothing when no costs are given. `learner` as above. */
CAIRN_CHECKED cairn_status cairn_command_report_cost(cairn_command *command,
                                                     const cairn_params *learner,
                                                     const cairn_model *model,
                                                     const cairn_judged *judged);

/* The resampling of an option exists and its parameters are in range. */
CAIRN_CHECKED cairn_status cairn_command_resampling(cairn_command *command, const char *option,
                                                    const char *spec);

/* --test FILE: the rows of the file behind those of the table, in its columns and coding, and in
 * *by the resampling that learns from the table and tests on the file (scratch). Levels and items
 * that the table has not are missing there, as they are for a model that meets them, which is
 * warned of. */
CAIRN_CHECKED cairn_status cairn_command_add_test(cairn_command *command, cairn_table **table,
                                                  const char *path, const char **by);
/* The row of the options; `S` has the field `test`. */
#define CAIRN_TEST_FILE(S)                                                                         \
    CAIRN_PARAM_AS(S, test, CAIRN_TYPE_FILE, NULL,                                                 \
                   "judge by the rows of this file, and learn from all of DATA")

/* Measures that are named, separated by commas, exist (NULL = none are named). Their common task,
 * 0 when there is none, goes to *task (may be NULL). */
CAIRN_CHECKED cairn_status cairn_command_measures(cairn_command *command, const char *list,
                                                  cairn_task *task);

/* "svg", "png" or "pdf" by the ending of a path; NULL when it is none of these. */
const char *cairn_picture_format(const char *path);
/* "-.svg", "-.png", "-.pdf": a picture that goes to standard output. */
bool cairn_out_is_standard(const char *path);
/* Write a figure to the picture file that --out names; nothing is left to print. On standard output
 * it is the document. */
CAIRN_CHECKED cairn_status cairn_command_write_picture(cairn_command *command,
                                                       const cairn_figure *figure,
                                                       const char *path);

/* Run `fill` and keep only the figure of that name of what it reports, for the terminal or for
 * --out; without a name, and when --out is no picture, all is kept. A picture file without a name
 * gets the first figure. */
CAIRN_CHECKED cairn_status cairn_command_figure(cairn_command *command, const char *name,
                                                cairn_status (*fill)(cairn_command *command));

#endif
