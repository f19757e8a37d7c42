/* SPDX-License-Identifier: MIT */
/* What holds for every call of a program into the library, at its outermost end: cancelling ends
 * with the call that it stopped, and arithmetic is that of the C standard whatever the program has
 * set (rounding, numbers near 0 flushed to it), which is put back as it was, flags included. */
#ifndef CAIRN_BASE_CALL_H
#define CAIRN_BASE_CALL_H

#include "base/context.h"

typedef struct cairn_call {
    cairn_context *ctx;
    unsigned arithmetic; /* the caller's */
} cairn_call;

/* The first line of every public function that takes a context and may fail. Public functions may
 * call each other. */
#define PUBLIC_CALL(ctx)                                                                           \
    SCOPED(cairn_call_end)                                                                         \
    __attribute__((unused)) cairn_call public_call = cairn_call_begin(ctx)

cairn_call cairn_call_begin(cairn_context *ctx);
void cairn_call_end(cairn_call *call);

/* Make the arithmetic of this thread that of the C standard; what it was, for cairn_arithmetic_set.
 * For calls without a context and for threads of our own. */
unsigned cairn_arithmetic_standard(void);
void cairn_arithmetic_set(unsigned arithmetic);

#endif
