/* SPDX-License-Identifier: MIT */
/* Orders whose lines have a direction; the rest of orders is in figure.h. */
#ifndef CAIRN_DRAW_ORDER_H
#define CAIRN_DRAW_ORDER_H

#include "draw/figure.h"

/* Lines are arrows from the upper node to the lower one. */
void cairn_figure_order_arrows(cairn_figure *figure);

#endif
