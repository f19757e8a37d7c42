/* SPDX-License-Identifier: MIT */
/* How number columns are brought to a common scale before a learner: the choice that commands and
 * calculators offer, and what a fitted model did. */
#ifndef CAIRN_MODEL_SCALE_CHOICE_H
#define CAIRN_MODEL_SCALE_CHOICE_H

#include "model/model.h"

typedef enum cairn_scale_choice {
    CAIRN_SCALE_AUTO, /* as the learner asks */
    CAIRN_SCALE_NONE,
    CAIRN_SCALE_STANDARDISE,
    CAIRN_SCALE_RANGE,
    CAIRN_SCALE_ROBUST
} cairn_scale_choice;
extern const cairn_choice cairn_scale_choices[];

/* The transforms of `with` (lines, NULL = none), then the one of the choice; ends with NULL,
 * scratch. */
CAIRN_CHECKED cairn_status cairn_scaled_with(cairn_context *ctx, const char *with, int choice,
                                             const char *const **out);

/* "standardised columns" or "scaled columns", or NULL: the learner saw them in their units. */
const char *cairn_model_scaled(const cairn_model *model);

#endif
