/* SPDX-License-Identifier: MIT */
/* An allocator that fails the n-th allocation, and a loop that fails each one in turn.
 *
 *     static cairn_status work(cairn_context *ctx, void *data) {...frees all it made...}
 *     assert_survives_allocation_failures(work, data);
 *
 * With n = 1, 2, ... the work must return CAIRN_NO_MEMORY with a message and leak nothing, until an
 * n is reached that it no longer gets to. */
#ifndef CAIRN_TESTS_FAIL_ALLOC_H
#define CAIRN_TESTS_FAIL_ALLOC_H

#include "support/unit.h"
#include <stdlib.h>

typedef struct fail_state {
    long countdown; /* atomic; allocations until the failing one */
    long live;      /* atomic; blocks not yet released */
    long failures;
} fail_state;

static inline int fail_now(fail_state *s)
{
    int now = __atomic_sub_fetch(&s->countdown, 1, __ATOMIC_RELAXED) == 0;
    if (now) __atomic_add_fetch(&s->failures, 1, __ATOMIC_RELAXED);
    return now;
}

static inline void *fail_allocate(size_t size, void *data)
{
    fail_state *s = data;
    void *block = fail_now(s) ? NULL : malloc(size);
    if (block) __atomic_add_fetch(&s->live, 1, __ATOMIC_RELAXED);
    return block;
}

static inline void *fail_resize(void *block, size_t size, void *data)
{
    fail_state *s = data;
    if (fail_now(s)) return NULL;
    void *moved = realloc(block, size);
    if (!block && moved) __atomic_add_fetch(&s->live, 1, __ATOMIC_RELAXED);
    return moved;
}

static inline void fail_release(void *block, void *data)
{
    fail_state *s = data;
    if (block) __atomic_sub_fetch(&s->live, 1, __ATOMIC_RELAXED);
    free(block);
}

/* Run `work` with the n-th allocation failing; true when it got that far. */
static inline int run_failing(cairn_status (*work)(cairn_context *, void *), void *data, long n)
{
    fail_state s = {.countdown = n};
    cairn_allocator allocator = {fail_allocate, fail_resize, fail_release, &s};
    cairn_context *ctx = NULL;
    cairn_status status = cairn_context_new(&ctx, &allocator);
    if (status == CAIRN_OK) {
        cairn_context_set_threads(ctx, 1);
        status = work(ctx, data);
        if (s.failures && status == CAIRN_NO_MEMORY && !*cairn_message(ctx))
            fail_msg("failing allocation %ld left no message", n);
        cairn_context_free(ctx);
    }
    if (s.failures && status != CAIRN_NO_MEMORY)
        fail_msg("failing allocation %ld gave status %d", n, status);
    if (!s.failures && status != CAIRN_OK) fail_msg("the work itself failed: status %d", status);
    if (s.live) fail_msg("failing allocation %ld leaked %ld blocks", n, s.live);
    return s.failures > 0;
}

/* How many allocations fail one by one. The work has one thread, in which the thread sanitizer,
 * with which everything takes ten times as long, finds nothing: there it is a few of them. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FAIL_FEW 1
#endif
#endif
#ifdef FAIL_FEW
enum { FAIL_EACH = 10, FAIL_SHARE = 4 };
#else
enum { FAIL_EACH = 200, FAIL_SHARE = 50 };
#endif

/* Fail each of the first allocations, then ever fewer of the later ones: trying them all would take
 * time with the square of their number. */
static inline void assert_survives_allocation_failures(cairn_status (*work)(cairn_context *,
                                                                            void *),
                                                       void *data)
{
    long n = 1;
    while (run_failing(work, data, n)) n += 1 + (n > FAIL_EACH ? n / FAIL_SHARE : 0);
    assert_true(n > 1);
}

#endif
