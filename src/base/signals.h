/* SPDX-License-Identifier: MIT */
/* Writing to a pipe that nobody reads any more, or past the limit of a file's size, sends the
 * process a signal that ends it unless the program thought of it. Around what writes, these signals
 * are held back in the calling thread, and those that came because of it are taken away again: the
 * failure is a status, and the program's handlers and masks stay as they are. */
#ifndef CAIRN_BASE_SIGNALS_H
#define CAIRN_BASE_SIGNALS_H

#include "base/context.h"
#include <signal.h>

typedef struct cairn_signals {
    sigset_t mask;    /* before */
    sigset_t waiting; /* that were not delivered before */
} cairn_signals;

#define HOLD_SIGNALS()                                                                             \
    SCOPED(cairn_signals_back)                                                                     \
    __attribute__((unused)) cairn_signals held_signals = cairn_signals_hold()

cairn_signals cairn_signals_hold(void);
void cairn_signals_back(cairn_signals *held);

#endif
