/* SPDX-License-Identifier: MIT */
/* Predictions as a table to write, shared by predict and fit. */
#ifndef CAIRN_COMMAND_PREDICTION_H
#define CAIRN_COMMAND_PREDICTION_H

#include "command/command.h"

/* What --output asks for. */
typedef struct cairn_output_options {
    bool label, scores;
    bool fitted; /* as in cairn_predict_wants */
    bool all_extra;
    char **extra; /* names of further columns; scratch */
    size_t n_extra;
} cairn_output_options;

/* Read a list such as "label,scores,leaf" against what the model's learner gives. */
CAIRN_CHECKED cairn_status cairn_output_parse(cairn_command *command, cairn_output_options *out,
                                              const cairn_model *model, const char *list);

/* Id columns of the raw table, then what was wished for. `match` tells about unseen levels. The
 * prediction itself stays for the caller (cairn_prediction_clear). */
CAIRN_CHECKED cairn_status cairn_predict_table(cairn_command *command, cairn_table **out,
                                               cairn_prediction *prediction,
                                               const cairn_model *model, const cairn_table *table,
                                               const cairn_output_options *options);

#endif
