/* SPDX-License-Identifier: MIT */
/* Memory that several columns share: of a caller, of an Arrow array, or a block of the library's
 * own. It goes when the last of them goes. A single column that borrows needs none of this: it has
 * `release` and `owner` itself. */
#ifndef CAIRN_DATA_LENT_H
#define CAIRN_DATA_LENT_H

#include "data/table.h"

typedef struct cairn_lent cairn_lent;

/* Shared memory with one holder, the caller. `release` gets `owner` when the last holder lets go,
 * or at once when this fails; NULL = nothing is to be done. */
CAIRN_CHECKED cairn_status cairn_lent_new(cairn_context *ctx, cairn_lent **out,
                                          void (*release)(void *owner), void *owner);
void cairn_lent_drop(cairn_lent *lent); /* NULL is accepted */
CAIRN_CAN_OWN(cairn_lent_drop, cairn_lent)

/* One more holder, to be given as `owner` together with cairn_lent_release. */
void *cairn_lent_hold(cairn_lent *lent);
void cairn_lent_release(void *owner);

/* A column of numbers or codes that lie in memory of somebody else's. `release` gets `owner` when
 * the column goes, or at once when this fails; NULL = nothing is to be done. */
CAIRN_CHECKED cairn_status cairn_column_over_numbers(cairn_context *ctx, cairn_column **out,
                                                     const double *numbers, size_t n_rows,
                                                     void (*release)(void *owner), void *owner);
CAIRN_CHECKED cairn_status cairn_column_over_codes(cairn_context *ctx, cairn_column **out,
                                                   const int32_t *codes, size_t n_rows,
                                                   void (*release)(void *owner), void *owner);

#endif
