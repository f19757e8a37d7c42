/* SPDX-License-Identifier: MIT */
/* Memory of the library: owned blocks, growing arrays, and scratch that a call gives back whole.
 *
 * Invariants: a block knows the heap it came from, so cairn_free() needs no context and objects
 * may outlive theirs; a failed allocation sets the context's message; sizes are checked for
 * overflow; a count of 0 gives a valid pointer. The macros take the ADDRESS of the pointer:
 *
 *     TRY(NEW(ctx, &model->centres, k * d));      zeroed, freed by cairn_free
 *     TRY(SCRATCH(ctx, &order, n_rows));          zeroed, released with the scratch mark
 *     TRY(GROW(ctx, &items, &capacity, n + 1));   keeps what was there */
#ifndef CAIRN_BASE_MEMORY_H
#define CAIRN_BASE_MEMORY_H

#include "base/context.h"

#define NEW(ctx, out, count)         cairn_new(ctx, out, count, sizeof **(out), true)
#define NEW_RAW(ctx, out, count)     cairn_new(ctx, out, count, sizeof **(out), false)
#define RESIZE(ctx, out, count)      cairn_resize(ctx, out, count, sizeof **(out))
#define GROW(ctx, out, capacity, n)  cairn_grow(ctx, out, capacity, n, sizeof **(out))
#define SCRATCH(ctx, out, count)     cairn_scratch(ctx, out, count, sizeof **(out), true)
#define SCRATCH_RAW(ctx, out, count) cairn_scratch(ctx, out, count, sizeof **(out), false)

/* `out` is the address of a pointer. On failure it is left alone. */
CAIRN_CHECKED cairn_status cairn_new(cairn_context *ctx, void *out, size_t count, size_t size,
                                     bool zeroed);

/* Change the size of a block from cairn_new (or NULL); new bytes are not set. */
CAIRN_CHECKED cairn_status cairn_resize(cairn_context *ctx, void *out, size_t count, size_t size);

/* Make room for `needed` items, growing by half or more; new bytes are not set. */
CAIRN_CHECKED cairn_status cairn_grow(cairn_context *ctx, void *out, size_t *capacity,
                                      size_t needed, size_t size);

/* Free a block from cairn_new, cairn_resize or cairn_grow; NULL is accepted. */
void cairn_free(void *block);
static inline void cairn_free_owned(void *owned)
{
    cairn_free(*(void **)owned);
}

/* Count bytes that another library holds for us as if they came from cairn_new, until cairn_free of
 * what is handed out, which holds nothing and cannot be resized. */
CAIRN_CHECKED cairn_status cairn_count(cairn_context *ctx, void *out, size_t bytes);

/* A large block from cairn_new will be written all over: large pages make that cheaper. Only a
 * hint; call it before the block is touched. */
void cairn_expect_dense(void *block);

/* Copy `length` bytes of text and end it with a zero byte. */
CAIRN_CHECKED cairn_status cairn_copy_text(cairn_context *ctx, char **out, const char *text,
                                           size_t length);

/* Product of two sizes, SIZE_MAX when it overflows (which no allocation can satisfy). */
size_t cairn_product(size_t a, size_t b);

/* Scratch: memory that is given back whole. Blocks are aligned to 64 bytes. Not for use by several
 * threads at once: take slices before a parallel region, or use a child context. */
typedef struct cairn_scratch_mark {
    cairn_scratch_chunk *chunk;
    size_t used;
} cairn_scratch_mark;

CAIRN_CHECKED cairn_status cairn_scratch(cairn_context *ctx, void *out, size_t count, size_t size,
                                         bool zeroed);
cairn_scratch_mark cairn_scratch_now(const cairn_context *ctx);
void cairn_scratch_release(cairn_context *ctx, cairn_scratch_mark mark);

/* Give back at the end of the block what it takes from scratch after this line. */
typedef struct cairn_scratch_scope {
    cairn_context *ctx;
    cairn_scratch_mark mark;
} cairn_scratch_scope;

static inline void cairn_scratch_leave(cairn_scratch_scope *scope)
{
    cairn_scratch_release(scope->ctx, scope->mark);
}

#define SCOPED_SCRATCH(context)                                                                    \
    SCOPED(cairn_scratch_leave)                                                                    \
    __attribute__((unused))                                                                        \
    cairn_scratch_scope scratch_scope = {(context), cairn_scratch_now(context)}

/* Bytes that the library holds now through this context's heap. */
size_t cairn_memory_in_use(const cairn_context *ctx);
/* The most that it held at once since the peak was last reset. */
size_t cairn_memory_peak(const cairn_context *ctx);
void cairn_memory_reset_peak(cairn_context *ctx);

/* The limit that cairn_context_set_memory set; 0 = none. */
size_t cairn_memory_limit(const cairn_context *ctx);

/* Bytes that can still be had: the limit of the context, the machine's available memory, the
 * control group's and the process's limits, whichever is least. */
size_t cairn_memory_available(const cairn_context *ctx);

/* Refuse work that would need more than there is: "<what> needs about 3.1 GB, 1.2 GB are
 * available; <advice>". `advice` is a clause such as "raise --memory or use fewer columns". */
CAIRN_CHECKED cairn_status cairn_memory_check(cairn_context *ctx, double bytes, const char *what,
                                              const char *advice);

/* MACRO(X, Y, item) for each of at most 16 items, with commas between them. */
#define CAIRN_EACH(M, X, Y, ...)                                                                   \
    CAIRN_EACH_PICK(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)         \
    (M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, COUNT, ...)                \
    CAIRN_EACH_##COUNT
#define CAIRN_EACH_1(M, X, Y, a)       M(X, Y, a)
#define CAIRN_EACH_2(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_1(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_3(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_2(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_4(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_3(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_5(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_4(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_6(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_5(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_7(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_6(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_8(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_7(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_9(M, X, Y, a, ...)  M(X, Y, a), CAIRN_EACH_8(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_10(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_9(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_11(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_10(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_12(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_11(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_13(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_12(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_14(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_13(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_15(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_14(M, X, Y, __VA_ARGS__)
#define CAIRN_EACH_16(M, X, Y, a, ...) M(X, Y, a), CAIRN_EACH_15(M, X, Y, __VA_ARGS__)

/* Several blocks: FREE_EACH(m->codes, m->sizes); */
#define FREE_EACH(...)              (CAIRN_EACH(CAIRN_FREE_ONE, , , __VA_ARGS__))
#define CAIRN_FREE_ONE(X, Y, block) cairn_free(block)

/* Several arrays of the same length, until one cannot be had:
 *
 *     CHECK(SCRATCH_EACH(ctx, n, &lower, &upper, &codes)); */
#define SCRATCH_EACH(ctx, count, ...)     CAIRN_ALLOCATE_EACH(SCRATCH, ctx, count, __VA_ARGS__)
#define SCRATCH_RAW_EACH(ctx, count, ...) CAIRN_ALLOCATE_EACH(SCRATCH_RAW, ctx, count, __VA_ARGS__)
#define NEW_EACH(ctx, count, ...)         CAIRN_ALLOCATE_EACH(NEW, ctx, count, __VA_ARGS__)
#define NEW_RAW_EACH(ctx, count, ...)     CAIRN_ALLOCATE_EACH(NEW_RAW, ctx, count, __VA_ARGS__)
#define CAIRN_ALLOCATE_EACH(ALLOCATE, ctx, count, ...)                                             \
    __extension__({                                                                                \
        cairn_context *each_ctx = (ctx);                                                           \
        size_t each_count = (count);                                                               \
        cairn_status each_status = CAIRN_OK;                                                       \
        CAIRN_EACH(CAIRN_ALLOCATE_NEXT, ALLOCATE, , __VA_ARGS__);                                  \
        each_status;                                                                               \
    })
#define CAIRN_ALLOCATE_NEXT(ALLOCATE, Y, array)                                                    \
    each_status = each_status ? each_status : ALLOCATE(each_ctx, array, each_count)

#endif
