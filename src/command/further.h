/* SPDX-License-Identifier: MIT */
/* What evaluate can do beyond one estimate: learning curves, sizes of the parts, the rows of every
 * split, the distribution over the splits. */
#ifndef CAIRN_COMMAND_FURTHER_H
#define CAIRN_COMMAND_FURTHER_H

#include "command/command.h"
#include "evaluate/curve.h"
#include "evaluate/spread.h"

typedef struct cairn_further { /* options */
    const char *learning_curve, *shares;
    int runs;
    bool steps;
} cairn_further;

extern const cairn_param cairn_further_params[];

typedef struct cairn_further_work {
    cairn_curve curve;
    cairn_sample_list samples;
    cairn_split_visit visits[2];
    cairn_report *report; /* to follow the judgement */
} cairn_further_work;

/* Refuse the options for a model that is fitted already. */
CAIRN_CHECKED cairn_status cairn_further_refuse(const cairn_command *command);
/* Read the options, before data is read, and put visits into `how`. */
CAIRN_CHECKED cairn_status cairn_further_begin(cairn_command *command, cairn_further_work *work,
                                               const cairn_further *options,
                                               cairn_evaluate_how *how);
/* After the evaluation, while the table is there. */
CAIRN_CHECKED cairn_status cairn_further_finish(cairn_command *command, cairn_further_work *work,
                                                const cairn_further *options,
                                                const cairn_evaluation *e, const cairn_table *table,
                                                const cairn_evaluate_how *how);
void cairn_further_clear(cairn_further_work *work);

#endif
