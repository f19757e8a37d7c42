/* SPDX-License-Identifier: MIT */
/* A model that was written by hand, on rows without labels: cairn fit tree rows.csv --given
 * tree.txt --target play, where the rows have no 'play' or none that is known.
 *
 * The classes are the answers that the file names. The model is read twice: first beside labels
 * that stand for any, for the sake of what it says about the rows, then beside these answers as
 * labels, so that its counts tell how many rows get each. */
#ifndef CAIRN_COMMAND_UNLABELLED_H
#define CAIRN_COMMAND_UNLABELLED_H

#include "command/command.h"

/* Before roles are given: makes the target column where --given is set and the table has no known
 * label; *out says whether it did. */
CAIRN_CHECKED cairn_status cairn_unlabelled_make(cairn_command *command, cairn_table *table,
                                                 bool *out);
/* The answers of the model become the labels. */
CAIRN_CHECKED cairn_status cairn_unlabelled_answer(cairn_command *command, cairn_table *table,
                                                   const cairn_model *model);

#endif
