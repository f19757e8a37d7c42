/* SPDX-License-Identifier: MIT */
/* The heap behind a context: the caller's allocator, the limit and the count of bytes.
 * It lives as long as a context or a block that came from it. For src/base only. */
#ifndef CAIRN_BASE_HEAP_H
#define CAIRN_BASE_HEAP_H

#include "base/limits.h"

/* A heap has one holder at first, and every block that is taken holds it; the last drop frees it.
 * */
cairn_heap *cairn_heap_new(const cairn_allocator *allocator);
void cairn_heap_hold(cairn_heap *heap);
void cairn_heap_drop(cairn_heap *heap);
void cairn_heap_set_limit(cairn_heap *heap, size_t bytes);
/* What all contexts of the heap keep to besides. */
cairn_limits *cairn_heap_limits(cairn_heap *heap);

/* A block of `size` bytes, NULL when there is no memory or the limit is reached. */
void *cairn_heap_take(cairn_heap *heap, size_t size, bool zeroed);

#endif
