/* SPDX-License-Identifier: MIT */
/* The rows that count. */
#ifndef CAIRN_ROWS_USED_H
#define CAIRN_ROWS_USED_H

#include "data/view.h"

/* The view without its rows of weight 0, for methods that keep or pair rows; the row set is
 * scratch, or the view's own. */
CAIRN_CHECKED cairn_status cairn_view_used(cairn_context *ctx, cairn_view *out,
                                           const cairn_view *view);

#endif
