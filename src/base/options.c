/* SPDX-License-Identifier: MIT */
#include "base/options.h"
#include "base/context.h"
#include <stdio.h>
#include <string.h>

/* A size beyond this many bytes more than ours is no newer version but memory that nobody set. */
enum { MOST_MORE = 4096, NAME_SIZE = 80 };

static size_t size_of(const void *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

/* "CAIRN_FIT_OPTIONS" of "cairn_fit_options": what the macro that begins them starts with. */
static void write_macro(char *out, size_t size, const char *name)
{
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++)
        out[n] = (char)(name[n] >= 'a' && name[n] <= 'z' ? name[n] - 'a' + 'A' : name[n]);
    out[n] = 0;
}

/* The number of bytes behind ours up to the last one that is set. */
static size_t unknown_bytes(const char *given, size_t size, size_t own_size)
{
    while (size > own_size && given[size - 1] == 0) size--;
    return size > own_size ? size - own_size : 0;
}

cairn_status cairn_options_take(cairn_context *ctx, void *own, size_t own_size, const void *given,
                                const char *name)
{
    if (!given) return CAIRN_OK;
    size_t size = size_of(given);
    if (size < sizeof size || size > own_size + MOST_MORE) {
        char macro[NAME_SIZE];
        write_macro(macro, sizeof macro, name);
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "the field size of a %s is %zu, which is that of no version; begin it with "
            "%s_INIT, or set it to sizeof(%s)",
            name, size, macro, name);
    }
    if (unknown_bytes(given, size, own_size))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a %s of %zu bytes sets fields that this version of the library (%s, %zu "
                          "bytes) does not know; leave them 0, or use a newer library",
                          name, size, cairn_version(), own_size);
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return CAIRN_OK;
}

void cairn_options_give(void *given, const void *own, size_t own_size)
{
    size_t size = size_of(given), n = size < own_size ? size : own_size;
    if (n > sizeof size)
        memcpy((char *)given + sizeof size, (const char *)own + sizeof size, n - sizeof size);
}

bool cairn_options_fill(void *given, const void *own, size_t own_size)
{
    size_t size = size_of(given);
    if (size < sizeof size) return false;
    cairn_options_give(given, own, own_size);
    if (size > own_size) memset((char *)given + own_size, 0, size - own_size);
    return true;
}
