/* SPDX-License-Identifier: MIT */
/* Structs of options that begin with their size, of callers older and newer than the library. */
#ifndef CAIRN_BASE_OPTIONS_H
#define CAIRN_BASE_OPTIONS_H

#include "cairn/base.h"

/* Put what the caller set of its options over `own`, which holds the defaults and whose size stays
 * that of the library. `given` NULL means the defaults. A smaller struct, of an older program, sets
 * the fields that it has; of a larger one, of a newer program, the bytes that are not known here
 * must be 0. Else, and when the size is 0 or one that no version has, it fails with CAIRN_USAGE;
 * `name` is the type, "cairn_fit_options". */
CAIRN_CHECKED cairn_status cairn_options_take(cairn_context *ctx, void *own, size_t own_size,
                                              const void *given, const char *name);

/* The other way, for structs that a call fills: as many bytes as the caller's struct has, its size
 * left alone. */
void cairn_options_give(void *given, const void *own, size_t own_size);

/* The same for structs that hold nothing but what the call says: fields that are not known here
 * become 0. False when there is not even room for the size. */
bool cairn_options_fill(void *given, const void *own, size_t own_size);

/* Whether the caller's struct is long enough to have the field. */
#define CAIRN_OPTIONS_HAVE(given, field)                                                           \
    ((given)->size >= offsetof(__typeof__(*(given)), field) + sizeof((given)->field))

#endif
