/* SPDX-License-Identifier: MIT */
/* Memory: every block starts with a small header that names its heap and its size. So freeing
 * needs no context, the library knows how much it holds, and --memory is enforced exactly. */
#include "base/memory.h"
#include "base/heap.h"
#include "base/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <fcntl.h>

/* Under the address sanitizer, scratch that is not handed out is forbidden ground. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { DENSE_BYTES = 4 << 20 }; /* large pages are of no use below */

struct cairn_heap {
    cairn_allocator allocator;
    bool plain;   /* the C library's allocator: calloc can be used */
    size_t limit; /* 0 = none */
    cairn_limits limits;
    size_t in_use;  /* atomic: bytes handed out */
    size_t peak;    /* atomic: most of them at once, since it was last reset */
    size_t holders; /* atomic: contexts plus blocks */
};

typedef struct block_header {
    cairn_heap *heap;
    size_t size; /* as asked for */
} block_header;

_Static_assert(sizeof(block_header) == 16, "blocks must keep malloc's alignment");

static void *plain_allocate(size_t size, void *data)
{
    (void)data;
    return malloc(size);
}

static void *plain_resize(void *block, size_t size, void *data)
{
    (void)data;
    return realloc(block, size);
}

static void plain_release(void *block, void *data)
{
    (void)data;
    free(block);
}

cairn_heap *cairn_heap_new(const cairn_allocator *allocator)
{
    const cairn_allocator plain = {plain_allocate, plain_resize, plain_release, NULL};
    const cairn_allocator *chosen = allocator ? allocator : &plain;
    cairn_heap *heap = chosen->allocate(sizeof *heap, chosen->data);
    if (!heap) return NULL;
    *heap = (cairn_heap){
        .allocator = *chosen, .plain = !allocator, .limits = cairn_limits_usual(), .holders = 1};
    return heap;
}

void cairn_heap_hold(cairn_heap *heap)
{
    __atomic_add_fetch(&heap->holders, 1, __ATOMIC_RELAXED);
}

void cairn_heap_drop(cairn_heap *heap)
{
    if (__atomic_sub_fetch(&heap->holders, 1, __ATOMIC_ACQ_REL) == 0)
        heap->allocator.release(heap, heap->allocator.data);
}

void cairn_heap_set_limit(cairn_heap *heap, size_t bytes)
{
    heap->limit = bytes;
}

cairn_limits *cairn_heap_limits(cairn_heap *heap)
{
    return &heap->limits;
}

size_t cairn_product(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* A number from a small system file; `key` NULL takes the first one. SIZE_MAX when not there. */
static size_t system_number(const char *path, const char *key)
{
    char buffer[4096];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return SIZE_MAX;
    ssize_t got = read(file, buffer, sizeof buffer - 1);
    close(file);
    if (got <= 0) return SIZE_MAX;
    buffer[got] = 0;
    const char *at = key ? strstr(buffer, key) : buffer;
    if (!at) return SIZE_MAX;
    if (key) at += strlen(key);
    while (*at == ' ' || *at == '\t') at++;
    size_t number = 0;
    if (*at < '0' || *at > '9') return SIZE_MAX;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > SIZE_MAX / 16) return SIZE_MAX;
        number = number * 10 + (size_t)(*at - '0');
    }
    return number;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Pages of files count as used by the group, but are given back when memory is short. */
static size_t reclaimable(void)
{
    static const char *const keys[] = {"\ninactive_file ", "\nactive_file "};
    size_t bytes = 0;
    for (int k = 0; k < 2; k++) {
        size_t part = system_number("/sys/fs/cgroup/memory.stat", keys[k]);
        if (part == SIZE_MAX) part = system_number("/sys/fs/cgroup/memory/memory.stat", keys[k]);
        if (part != SIZE_MAX) bytes += part;
    }
    return bytes;
}

static size_t control_group_available(void)
{
    size_t limit = system_number("/sys/fs/cgroup/memory.max", NULL);
    size_t used = system_number("/sys/fs/cgroup/memory.current", NULL);
    if (limit == SIZE_MAX) {
        limit = system_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", NULL);
        used = system_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", NULL);
    }
    if (limit == SIZE_MAX || used == SIZE_MAX) return SIZE_MAX;
    used -= least(used, reclaimable());
    return limit > used ? limit - used : 0;
}

/* Of the machine and the control group. */
static size_t machine_available(bool with_swap)
{
    size_t kilobytes = system_number("/proc/meminfo", "MemAvailable:");
    size_t swap = with_swap ? system_number("/proc/meminfo", "SwapFree:") : 0;
    if (kilobytes == SIZE_MAX) return control_group_available();
    if (swap != SIZE_MAX) kilobytes += swap;
    return least(cairn_product(kilobytes, 1024), control_group_available());
}

static size_t process_available(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    size_t pages = system_number("/proc/self/statm", NULL);
    if (pages == SIZE_MAX) return (size_t)limit.rlim_cur;
    size_t used = cairn_product(pages, (size_t)sysconf(_SC_PAGESIZE));
    return limit.rlim_cur > used ? (size_t)limit.rlim_cur - used : 0;
}

/* The system hands out more memory than it has, and then ends whoever uses it. So each time that
 * the most held at once passes another step, it is asked whether as much is left, with swap. */
enum { CARE_STEP = 64 << 20 };

static bool machine_has(size_t size)
{
    size_t available = machine_available(true);
    return available >= CARE_STEP && size <= available - CARE_STEP;
}

/* Reserve bytes under the limit; false when they would pass it or the machine has no more. */
static bool heap_reserve(cairn_heap *heap, size_t size)
{
    size_t now = __atomic_add_fetch(&heap->in_use, size, __ATOMIC_RELAXED);
    size_t peak = __atomic_load_n(&heap->peak, __ATOMIC_RELAXED);
    bool asks = heap->plain && now > peak && now / CARE_STEP != peak / CARE_STEP;
    if ((heap->limit && now > heap->limit) || (asks && !machine_has(size))) {
        __atomic_sub_fetch(&heap->in_use, size, __ATOMIC_RELAXED);
        return false;
    }
    while (now > peak && !__atomic_compare_exchange_n(&heap->peak, &peak, now, true,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return true;
}

void *cairn_heap_take(cairn_heap *heap, size_t size, bool zeroed)
{
    if (size > SIZE_MAX / 2 || !heap_reserve(heap, size)) return NULL;
    size_t whole = size + sizeof(block_header);
    bool by_calloc = zeroed && heap->plain;
    block_header *block =
        by_calloc ? calloc(1, whole) : heap->allocator.allocate(whole, heap->allocator.data);
    if (!block) {
        __atomic_sub_fetch(&heap->in_use, size, __ATOMIC_RELAXED);
        return NULL;
    }
    if (zeroed && !by_calloc) memset(block, 0, whole);
    *block = (block_header){heap, size};
    cairn_heap_hold(heap);
    return block + 1;
}

/* The header alone, which says how much is to be taken back. */
static void *heap_count(cairn_heap *heap, size_t size)
{
    if (size > SIZE_MAX / 2 || !heap_reserve(heap, size)) return NULL;
    block_header *header = heap->allocator.allocate(sizeof *header, heap->allocator.data);
    if (!header) {
        __atomic_sub_fetch(&heap->in_use, size, __ATOMIC_RELAXED);
        return NULL;
    }
    *header = (block_header){heap, size};
    cairn_heap_hold(heap);
    return header + 1;
}

void cairn_free(void *block)
{
    if (!block) return;
    block_header *header = (block_header *)block - 1;
    cairn_heap *heap = header->heap;
    __atomic_sub_fetch(&heap->in_use, header->size, __ATOMIC_RELAXED);
    heap->allocator.release(header, heap->allocator.data);
    cairn_heap_drop(heap);
}

void cairn_expect_dense(void *block)
{
    const block_header *header = (const block_header *)block - 1;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)block / page * page;
    uintptr_t end = ((uintptr_t)block + header->size + page - 1) / page * page;
    if (header->size < DENSE_BYTES || end <= begin) return;
#ifdef MADV_HUGEPAGE
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#endif
}

static cairn_status no_memory(cairn_context *ctx, size_t size)
{
    char wanted[CAIRN_NUMBER_SIZE], limit[CAIRN_NUMBER_SIZE];
    cairn_size_format(wanted, (double)size);
    cairn_size_format(limit, (double)ctx->heap->limit);
    if (!ctx->heap->limit)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "out of memory: %s more could not be had", wanted);
    /* by now another thread may have given back what was too much, or the machine had no more */
    if (ctx->heap->limit > size && cairn_memory_in_use(ctx) <= ctx->heap->limit - size)
        return cairn_fail(ctx, CAIRN_NO_MEMORY,
                          "out of memory: %s more could not be had within the limit of %s; raise "
                          "{memory}",
                          wanted, limit);
    return cairn_fail(ctx, CAIRN_NO_MEMORY,
                      "out of memory: %s more would pass the limit of %s; raise {memory}", wanted,
                      limit);
}

cairn_status cairn_new(cairn_context *ctx, void *out, size_t count, size_t size, bool zeroed)
{
    size_t bytes = cairn_product(count, size);
    void *block = cairn_heap_take(ctx->heap, bytes, zeroed);
    if (!block) return no_memory(ctx, bytes);
    memcpy(out, &block, sizeof block);
    return CAIRN_OK;
}

cairn_status cairn_count(cairn_context *ctx, void *out, size_t bytes)
{
    void *block = heap_count(ctx->heap, bytes);
    if (!block) return no_memory(ctx, bytes);
    memcpy(out, &block, sizeof block);
    return CAIRN_OK;
}

cairn_status cairn_resize(cairn_context *ctx, void *out, size_t count, size_t size)
{
    void *old;
    memcpy(&old, out, sizeof old);
    if (!old) return cairn_new(ctx, out, count, size, false);
    size_t bytes = cairn_product(count, size);
    block_header *header = (block_header *)old - 1;
    cairn_heap *heap = header->heap;
    size_t before = header->size;
    if (bytes > SIZE_MAX / 2) return no_memory(ctx, bytes);
    if (bytes > before && !heap_reserve(heap, bytes - before)) return no_memory(ctx, bytes);
    header = heap->allocator.resize(header, bytes + sizeof *header, heap->allocator.data);
    if (!header) {
        if (bytes > before) __atomic_sub_fetch(&heap->in_use, bytes - before, __ATOMIC_RELAXED);
        return no_memory(ctx, bytes);
    }
    if (bytes < before) __atomic_sub_fetch(&heap->in_use, before - bytes, __ATOMIC_RELAXED);
    header->size = bytes;
    void *block = header + 1;
    memcpy(out, &block, sizeof block);
    return CAIRN_OK;
}

cairn_status cairn_grow(cairn_context *ctx, void *out, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return CAIRN_OK;
    size_t wanted = *capacity + *capacity / 2 + 8;
    if (wanted < needed) wanted = needed;
    cairn_status status = cairn_resize(ctx, out, wanted, size);
    if (status == CAIRN_OK) *capacity = wanted;
    return status;
}

cairn_status cairn_copy_text(cairn_context *ctx, char **out, const char *text, size_t length)
{
    char *copy;
    cairn_status status = NEW_RAW(ctx, &copy, length + 1);
    if (status) return status;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    *out = copy;
    return CAIRN_OK;
}

/* Scratch: chunks of at least 1 MiB, the newest first; a block that does not fit opens one. */
struct cairn_scratch_chunk {
    cairn_scratch_chunk *older;
    char *start; /* aligned to 64 */
    size_t size, used;
};

/* Most calls need little, so the first chunk of a context is small and each one after it is twice
 * as large, up to the largest. */
enum { SCRATCH_ALIGN = 64, SCRATCH_FIRST = 64 << 10, SCRATCH_CHUNK = 1 << 20 };

static size_t next_chunk_size(const cairn_scratch_chunk *newest)
{
    if (!newest) return SCRATCH_FIRST;
    return newest->size < SCRATCH_CHUNK / 2 ? 2 * newest->size : SCRATCH_CHUNK;
}

static cairn_status scratch_chunk_new(cairn_context *ctx, size_t bytes, bool *is_zero)
{
    size_t usual = next_chunk_size(ctx->chunks), size = bytes > usual ? bytes : usual;
    cairn_scratch_chunk *chunk =
        cairn_heap_take(ctx->heap, sizeof *chunk + SCRATCH_ALIGN + size, *is_zero);
    if (!chunk) return no_memory(ctx, bytes);
    uintptr_t start = (uintptr_t)(chunk + 1);
    start = (start + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    *chunk = (cairn_scratch_chunk){.older = ctx->chunks, .start = (char *)start, .size = size};
    ctx->chunks = chunk;
    ASAN_POISON_MEMORY_REGION(chunk->start, chunk->size);
    return CAIRN_OK;
}

cairn_status cairn_scratch(cairn_context *ctx, void *out, size_t count, size_t size, bool zeroed)
{
    size_t wanted = cairn_product(count, size);
    if (wanted > SIZE_MAX / 4) return no_memory(ctx, wanted);
    size_t bytes = (wanted + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    bool already_zero = false;
    if (!ctx->chunks || ctx->chunks->size - ctx->chunks->used < bytes) {
        already_zero = zeroed && bytes >= SCRATCH_CHUNK;
        cairn_status status = scratch_chunk_new(ctx, bytes, &already_zero);
        if (status) return status;
    }
    void *block = ctx->chunks->start + ctx->chunks->used;
    ctx->chunks->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(block, wanted);
    if (zeroed && !already_zero) memset(block, 0, wanted);
    memcpy(out, &block, sizeof block);
    return CAIRN_OK;
}

cairn_scratch_mark cairn_scratch_now(const cairn_context *ctx)
{
    return (cairn_scratch_mark){ctx->chunks, ctx->chunks ? ctx->chunks->used : 0};
}

void cairn_scratch_release(cairn_context *ctx, cairn_scratch_mark mark)
{
    while (ctx->chunks && ctx->chunks != mark.chunk) {
        cairn_scratch_chunk *older = ctx->chunks->older;
        ASAN_UNPOISON_MEMORY_REGION(ctx->chunks->start, ctx->chunks->size);
        cairn_free(ctx->chunks);
        ctx->chunks = older;
    }
    if (!ctx->chunks) return;
    ASAN_POISON_MEMORY_REGION(ctx->chunks->start + mark.used, ctx->chunks->used - mark.used);
    ctx->chunks->used = mark.used;
}

size_t cairn_memory_in_use(const cairn_context *ctx)
{
    return __atomic_load_n(&ctx->heap->in_use, __ATOMIC_RELAXED);
}

size_t cairn_memory_peak(const cairn_context *ctx)
{
    return __atomic_load_n(&ctx->heap->peak, __ATOMIC_RELAXED);
}

void cairn_memory_reset_peak(cairn_context *ctx)
{
    __atomic_store_n(&ctx->heap->peak, cairn_memory_in_use(ctx), __ATOMIC_RELAXED);
}

size_t cairn_memory_limit(const cairn_context *ctx)
{
    return ctx->heap->limit;
}

/* Below the limit of the context. */
static size_t memory_left(const cairn_context *ctx)
{
    size_t limit = ctx->heap->limit, used = cairn_memory_in_use(ctx);
    return !limit ? SIZE_MAX : limit > used ? limit - used : 0;
}

size_t cairn_memory_available(const cairn_context *ctx)
{
    return least(memory_left(ctx), least(machine_available(false), process_available()));
}

/* What needs less is not worth asking the machine for, which takes seven files of the system. */
enum { SMALL_BYTES = 1 << 20 };

cairn_status cairn_memory_check(cairn_context *ctx, double bytes, const char *what,
                                const char *advice)
{
    if (bytes <= SMALL_BYTES && bytes <= (double)memory_left(ctx)) return CAIRN_OK;
    double available = (double)cairn_memory_available(ctx);
    if (bytes <= available) return CAIRN_OK;
    char needed[CAIRN_NUMBER_SIZE], there[CAIRN_NUMBER_SIZE], limit[CAIRN_NUMBER_SIZE];
    cairn_size_format(needed, bytes);
    cairn_size_format(there, available);
    cairn_size_format(limit, (double)ctx->heap->limit);
    if (ctx->heap->limit)
        return cairn_fail(ctx, CAIRN_NO_MEMORY,
                          "%s needs about %s of memory, %s of the limit of %s are available; %s",
                          what, needed, there, limit, advice);
    return cairn_fail(ctx, CAIRN_NO_MEMORY, "%s needs about %s of memory, %s are available; %s",
                      what, needed, there, advice);
}
