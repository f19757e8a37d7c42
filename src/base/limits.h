/* SPDX-License-Identifier: MIT */
/* The limits of a context and its children: their names, how they are set by a text, and what a
 * refusal says. */
#ifndef CAIRN_BASE_LIMITS_H
#define CAIRN_BASE_LIMITS_H

#include "base/context.h"
#include "cairn/limits.h"

enum { CAIRN_N_LIMITS = CAIRN_LIMIT_WORK + 1 };

typedef struct cairn_limits {
    uint64_t most[CAIRN_N_LIMITS];
} cairn_limits;

/* The defaults. */
cairn_limits cairn_limits_usual(void);
/* All limits of a context, to be kept and put back. */
cairn_limits cairn_limits_now(const cairn_context *ctx);
void cairn_limits_restore(cairn_context *ctx, const cairn_limits *limits);

/* Set those that a text names: "columns=5000,cell=1M". */
CAIRN_CHECKED cairn_status cairn_limits_read(cairn_context *ctx, const char *text);

/* "the limit of columns is 10; raise it by {limits columns=12}": the end of the message of a
 * refusal. `needed` is the least that would do, 0 = not known. Valid as long as what cairn_say
 * gives. */
const char *cairn_limit_said(cairn_context *ctx, cairn_limit which, uint64_t needed);

#endif
