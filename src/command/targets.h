/* SPDX-License-Identifier: MIT */
/* Commands on several targets, and on targets with several labels per row. */
#ifndef CAIRN_COMMAND_TARGETS_H
#define CAIRN_COMMAND_TARGETS_H

#include "command/command.h"
#include "evaluate/evaluate.h"

/* The targets of a table. */
typedef struct cairn_targets {
    size_t n;
    const char *labels; /* the column whose labels they are, borrowed from the table; NULL = none */
    const char *mark;   /* what stands between labels */
    const bool *unknown; /* rows that have labels which the model does not know; NULL = none */
} cairn_targets;

/* Count the targets; labels of the only one (--label-mark, or a bag) are parted first. */
CAIRN_CHECKED cairn_status cairn_targets_find(cairn_command *command, cairn_targets *out,
                                              cairn_table *table);
/* Put multi-target around the learner, which then knows the labels and takes targets with one
 * class only. Scratch. */
CAIRN_CHECKED cairn_status cairn_targets_wrap(cairn_command *command, const cairn_targets *targets,
                                              cairn_fit_options *options);
/* Whether the learner takes all targets into one model (a tree with --together), which answers the
 * first of them: then it is wrapped for the others' sake, and evaluated with each of them in
 * front. */
bool cairn_targets_together(const cairn_params *params);
/* Part the labels of new data as the model's training data was; nothing for other models. */
CAIRN_CHECKED cairn_status cairn_targets_match(cairn_command *command, cairn_targets *out,
                                               const cairn_model *model, cairn_table *table);

/* Evaluate target number `target`, the only one of `table`; with `out` (may be NULL) judge it. */
typedef cairn_status (*cairn_target_estimate)(cairn_command *command, void *data, size_t target,
                                              const cairn_table *table, cairn_evaluation *e,
                                              cairn_report *out);
/* One target after the other, each in a section of its own unless they are labels, then all of
 * them together; --out gets the predictions of all when it names a data file. */
CAIRN_CHECKED cairn_status cairn_targets_evaluate(cairn_command *command,
                                                  const cairn_targets *targets, cairn_table *table,
                                                  cairn_undefined undefined,
                                                  cairn_target_estimate estimate, void *data);

#endif
