/* SPDX-License-Identifier: MIT */
/* Losses of a margin z = class (+1 or -1) times score: what a score costs that is on the right side
 * (z > 0) or the wrong one. All are 1 at z = 0. */
#ifndef CAIRN_STATS_LOSSES_H
#define CAIRN_STATS_LOSSES_H

#include "entry/entry.h"

typedef enum cairn_loss {
    CAIRN_LOSS_ZERO_ONE,        /* 1 if z <= 0 */
    CAIRN_LOSS_HINGE,           /* max(0, 1 - z) */
    CAIRN_LOSS_LOGISTIC,        /* log2(1 + e^-z) */
    CAIRN_LOSS_EXPONENTIAL,     /* e^-z */
    CAIRN_LOSS_SQUARED,         /* (1 - z)^2 */
    CAIRN_LOSS_SQUARED_ONE_SIDE /* the same, 0 above z = 1 */
} cairn_loss;
enum { CAIRN_N_LOSSES = CAIRN_LOSS_SQUARED_ONE_SIDE + 1 };

/* `log_base` is of the logistic loss: 2 makes it 1 at z = 0. NaN for NaN. */
double cairn_margin_loss(cairn_loss loss, double z, double log_base);
/* "zero_one", "hinge" ... and a title. */
const char *cairn_loss_name(cairn_loss loss);
const char *cairn_loss_title(cairn_loss loss);

/* Bases of logarithms, for an option --log: 2, e, 10. */
extern const cairn_choice cairn_log_choices[];
double cairn_log_base(int choice);

#endif
