/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka with its prerequisites, and a context per test. */
#ifndef CAIRN_TESTS_UNIT_H
#define CAIRN_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/context.h"

/* Assert success and show the library's message otherwise. */
#define assert_ok(ctx, call)                                                                       \
    do {                                                                                           \
        cairn_status status_ = (call);                                                             \
        if (status_ != CAIRN_OK) fail_msg("%s: %s", #call, cairn_message(ctx));                    \
    } while (0)

/* Assert a failure of one kind whose message contains `part`. */
#define assert_fails(ctx, call, wanted, part)                                                      \
    do {                                                                                           \
        cairn_status status_ = (call);                                                             \
        if (status_ != (wanted)) fail_msg("%s: status %d, not %d", #call, status_, wanted);        \
        if (!strstr(cairn_message(ctx), part))                                                     \
            fail_msg("message '%s' lacks '%s'", cairn_message(ctx), part);                         \
    } while (0)

static inline int setup_context(void **state)
{
    cairn_context *ctx = NULL;
    if (cairn_context_new(&ctx, NULL)) return -1;
    *state = ctx;
    return 0;
}

static inline int teardown_context(void **state)
{
    cairn_context_free(*state);
    return 0;
}

/* A test with a fresh context in *state. */
#define context_test(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, setup_context, teardown_context)

#endif
