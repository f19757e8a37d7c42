/* SPDX-License-Identifier: MIT */
/* Places for the boxes of an order in rows, with few crossing lines and no overlapping boxes. */
#ifndef CAIRN_DRAW_ORDERLAYOUT_H
#define CAIRN_DRAW_ORDERLAYOUT_H

#include "base/context.h"

typedef struct cairn_order_box {
    double width, height; /* in: what it needs */
    int rank;             /* in: least row from the bottom, -1 = as low as can be; out: the row */
    double x, y;          /* out: middle and top; the leftmost box begins at 0 */
} cairn_order_box;

typedef struct cairn_order_link {
    int upper, lower; /* in: boxes */
    double *bends;    /* out: where the line passes the rows between them, from above */
    size_t n_bends;
} cairn_order_link;

typedef struct cairn_order_layout {
    cairn_order_box *boxes;
    size_t n;
    cairn_order_link *links;
    size_t n_links;
    double gap, row_gap;         /* least room between neighbours and between rows */
    double *row_top, *row_depth; /* out: n_rows, the lowest row first */
    size_t n_rows;
    double width, height; /* out */
} cairn_order_layout;

/* Every upper end comes to stand in a higher row than its lower end. Fails when the links go round
 * in a circle. All memory is scratch. */
CAIRN_CHECKED cairn_status cairn_order_place(cairn_context *ctx, cairn_order_layout *order);

#endif
