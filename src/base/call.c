/* SPDX-License-Identifier: MIT */
#include "base/call.h"

#if defined(__x86_64__)

enum { STANDARD = 0x1F80 }; /* round to nearest, nothing flushed, nothing trapped, no flags */

unsigned cairn_arithmetic_standard(void)
{
    unsigned before = __builtin_ia32_stmxcsr();
    if (before != STANDARD) __builtin_ia32_ldmxcsr(STANDARD);
    return before;
}

void cairn_arithmetic_set(unsigned arithmetic)
{
    __builtin_ia32_ldmxcsr(arithmetic);
}

#else

unsigned cairn_arithmetic_standard(void)
{
    return 0;
}

void cairn_arithmetic_set(unsigned arithmetic)
{
    (void)arithmetic;
}

#endif

cairn_call cairn_call_begin(cairn_context *ctx)
{
    cairn_call call = {.ctx = ctx};
    if (ctx->calls++ == 0) call.arithmetic = cairn_arithmetic_standard();
    return call;
}

void cairn_call_end(cairn_call *call)
{
    cairn_context *ctx = call->ctx;
    int reported = CAIRN_STOP_REPORTED;
    if (--ctx->calls > 0) return;
    cairn_arithmetic_set(call->arithmetic);
    if (ctx->cancelled == &ctx->own_cancelled)
        __atomic_compare_exchange_n(ctx->cancelled, &reported, CAIRN_STOP_NONE, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
