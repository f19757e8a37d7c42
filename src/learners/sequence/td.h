/* SPDX-License-Identifier: MIT */
/* Rows of a view as steps of episodes: those with the same cell in the column of groups, in the
 * order of the table; without such a column all rows are one episode. */
#ifndef CAIRN_LEARNERS_SEQUENCE_TD_H
#define CAIRN_LEARNERS_SEQUENCE_TD_H

#include "data/view.h"

typedef struct cairn_episode_rows {
    size_t *order; /* rows of the view, episode by episode; scratch */
    size_t *ends;  /* n: where each ends in order; scratch */
    size_t n;
    ptrdiff_t step; /* the feature that numbers the steps; -1 = none does */
} cairn_episode_rows;

/* Steps that fall within an episode are refused with the row. `step` is the column of steps, of any
 * role; NULL = 'step', if there is one. */
CAIRN_CHECKED cairn_status cairn_episode_rows_read(cairn_context *ctx, cairn_episode_rows *out,
                                                   const cairn_view *view, const char *step);

#endif
