/* SPDX-License-Identifier: MIT */
/* A ranking by a learner that is fitted for it. */
#ifndef CAIRN_TYPED_FITTED_RANKING_H
#define CAIRN_TYPED_FITTED_RANKING_H

#include "typed/ranked.h"

/* The learner (a spec) is fitted to two thirds of the rows that have a class and ranks the others
 * by its score of the positive class: the one given, else that of two classes. Scratch. */
CAIRN_CHECKED cairn_status cairn_fitted_ranking(cairn_context *ctx, cairn_ranked *out,
                                                const char *spec, const char *positive,
                                                const cairn_table *table);

#endif
