/* SPDX-License-Identifier: MIT */
/* Limits: one row for each. They lie in the heap, which a context shares with its children. */
#include "base/call.h"
#include "base/limits.h"
#include "base/heap.h"
#include "base/number.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_SIZE = 32, PART_SIZE = 64 };

/* The largest values are those that the program can keep: codes of levels have 31 bits, lengths of
 * names 32, and every bracket takes some of the stack. */
static const struct {
    const char *name;
    uint64_t usual, largest;
    bool bytes;
} limits[CAIRN_N_LIMITS] = {
    [CAIRN_LIMIT_COLUMNS] = {"columns", 1000000, INT32_MAX, false},
    [CAIRN_LIMIT_LEVELS] = {"levels", 10000000, INT32_MAX, false},
    [CAIRN_LIMIT_CELL] = {"cell", UINT64_C(64) << 20, UINT64_C(2) << 30, true},
    [CAIRN_LIMIT_DEPTH] = {"depth", 150, 500, false},
    [CAIRN_LIMIT_EXPRESSION] = {"expression", UINT64_C(64) << 10, UINT64_C(16) << 20, true},
    [CAIRN_LIMIT_UNPACKED] = {"unpacked", UINT64_C(64) << 30, UINT64_C(1) << 60, true},
    [CAIRN_LIMIT_WORK] = {"work", UINT64_C(4) << 40, UINT64_C(1) << 60, true},
};

static bool is_limit(cairn_limit which)
{
    return (unsigned)which < CAIRN_N_LIMITS;
}

cairn_limits cairn_limits_usual(void)
{
    cairn_limits usual;
    for (size_t i = 0; i < CAIRN_N_LIMITS; i++) usual.most[i] = limits[i].usual;
    return usual;
}

cairn_limits cairn_limits_now(const cairn_context *ctx)
{
    return *cairn_heap_limits(ctx->heap);
}

void cairn_limits_restore(cairn_context *ctx, const cairn_limits *kept)
{
    *cairn_heap_limits(ctx->heap) = *kept;
}

uint64_t cairn_context_limit(const cairn_context *ctx, cairn_limit which)
{
    return is_limit(which) ? cairn_heap_limits(ctx->heap)->most[which] : 0;
}

/* Bytes in the largest unit that leaves no rest, as they can be typed. */
static void show_value(char out[VALUE_SIZE], cairn_limit which, uint64_t value)
{
    static const char units[] = "KMGT";
    size_t unit = 0;
    while (limits[which].bytes && value && value % 1024 == 0 && unit < strlen(units)) {
        value /= 1024;
        unit++;
    }
    snprintf(out, VALUE_SIZE, "%" PRIu64 "%.*s", value, unit ? 1 : 0, unit ? units + unit - 1 : "");
}

cairn_status cairn_context_set_limit(cairn_context *ctx, cairn_limit which, uint64_t value)
{
    PUBLIC_CALL(ctx);
    if (!is_limit(which))
        return cairn_fail(ctx, CAIRN_USAGE, "there is no limit with the number %d", (int)which);
    if (value > limits[which].largest) {
        char largest[VALUE_SIZE];
        show_value(largest, which, limits[which].largest);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{limits %s=%" PRIu64 "} is too large; at most %s is possible",
                          limits[which].name, value, largest);
    }
    cairn_heap_limits(ctx->heap)->most[which] = value ? value : limits[which].usual;
    return CAIRN_OK;
}

/* Both texts have a mark: without one cairn_say would hand out the text itself, which ends here. */
const char *cairn_limit_said(cairn_context *ctx, cairn_limit which, uint64_t needed)
{
    char text[CAIRN_SAID_SIZE], now[VALUE_SIZE], then[VALUE_SIZE];
    uint64_t value = cairn_context_limit(ctx, which), largest = limits[which].largest;
    uint64_t twice = value > largest / 2 ? largest : 2 * value;
    if (needed < twice) needed = twice;
    show_value(now, which, value);
    show_value(then, which, needed);
    if (needed > largest || needed == value)
        snprintf(text, sizeof text, "the limit of '%s' is %s and {limits} cannot raise it so far",
                 limits[which].name, now);
    else
        snprintf(text, sizeof text, "the limit of '%s' is %s; raise it by {limits %s=%s}",
                 limits[which].name, now, limits[which].name, then);
    return cairn_say(ctx, text);
}

/* -- as a text -- */

static cairn_status refuse_part(cairn_context *ctx, const char *part, size_t length)
{
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{limits}: '%.*s' is no limit with a value above 0, such as columns=5000 or "
                      "cell=1M; there are columns, levels, cell, depth, expression, unpacked "
                      "and work",
                      (int)(length < PART_SIZE ? length : PART_SIZE), part);
}

cairn_status cairn_limits_read(cairn_context *ctx, const char *text)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        char copy[PART_SIZE];
        const char *equals = memchr(text, '=', length);
        size_t value, which = 0;
        if (!equals || length >= sizeof copy) {
            CHECK(refuse_part(ctx, text, length));
        } else {
            memcpy(copy, text, length);
            copy[length] = copy[equals - text] = 0;
            while (which < CAIRN_N_LIMITS && !cairn_same(copy, limits[which].name)) which++;
            if (which == CAIRN_N_LIMITS || !cairn_size_parse(copy + (equals - text) + 1, &value) ||
                !value)
                CHECK(refuse_part(ctx, text, length));
            else
                CHECK(cairn_context_set_limit(ctx, (cairn_limit)which, value));
        }
        text += length;
        if (!*text) return CAIRN_OK;
    }
}
