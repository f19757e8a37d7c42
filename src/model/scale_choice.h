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

/* A copy of the transforms (NULL = none), then the one of the choice; a list, freed by the
 * caller. */
CAIRN_CHECKED cairn_status cairn_scaled_with(cairn_context *ctx, const cairn_params *transforms,
                                             int choice, cairn_params **out);

/* Whether the link is about scale and was told to do nothing. */
bool cairn_link_keeps_units(const cairn_link *link);
/* "standardised columns" or "scaled columns", or NULL: the learner saw them in their units. */
const char *cairn_model_scaled(const cairn_model *model);

#endif
