/* SPDX-License-Identifier: MIT */
/* Refusals of work that needs too much; see base/need.h. */
#include "base/need.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Steps that a processor takes in an hour, at a billion in a second. */
#define HOUR_STEPS 3.6e12

static cairn_status refuse_matrix(cairn_context *ctx, size_t rows, size_t columns, size_t size,
                                  const char *what, const char *instead)
{
    char needed[CAIRN_NUMBER_SIZE], there[CAIRN_NUMBER_SIZE], limit[CAIRN_NUMBER_SIZE];
    const char *said = cairn_say(ctx, instead);
    cairn_size_format(limit, (double)cairn_memory_limit(ctx));
    cairn_size_format(needed, (double)rows * (double)columns * (double)size);
    cairn_size_format(there, (double)cairn_memory_available(ctx));
    return cairn_fail(ctx, CAIRN_NO_MEMORY,
                      "%s, %zu x %zu numbers, needs about %s of memory, %s%s%s are available; "
                      "raise {memory}, or %s",
                      what, rows, columns, needed, there,
                      cairn_memory_limit(ctx) ? " of the limit of " : "",
                      cairn_memory_limit(ctx) ? limit : "", said);
}

/* One item more than there are, so that none are no mistake. */
static size_t cells_of(size_t rows, size_t columns)
{
    size_t cells = cairn_product(rows, columns);
    return cells < SIZE_MAX ? cells + 1 : cells;
}

cairn_status cairn_scratch_matrix(cairn_context *ctx, void *out, size_t rows, size_t columns,
                                  size_t size, const char *what, const char *instead)
{
    cairn_status status = cairn_scratch(ctx, out, cells_of(rows, columns), size, true);
    return status == CAIRN_NO_MEMORY ? refuse_matrix(ctx, rows, columns, size, what, instead)
                                     : status;
}

cairn_status cairn_new_matrix(cairn_context *ctx, void *out, size_t rows, size_t columns,
                              size_t size, const char *what, const char *instead)
{
    cairn_status status = cairn_new(ctx, out, cells_of(rows, columns), size, true);
    return status == CAIRN_NO_MEMORY ? refuse_matrix(ctx, rows, columns, size, what, instead)
                                     : status;
}

cairn_status cairn_need_matrix(cairn_context *ctx, size_t rows, size_t columns, size_t size,
                               const char *what, const char *instead)
{
    double bytes = (double)rows * (double)columns * (double)size;
    return bytes <= (double)cairn_memory_available(ctx)
               ? CAIRN_OK
               : refuse_matrix(ctx, rows, columns, size, what, instead);
}

/* As "3 hours", "12 days", "40 years": the number, and the unit is handed out. */
static const char *say_time(char out[CAIRN_NUMBER_SIZE], double steps)
{
    double hours = steps / HOUR_STEPS, days = hours / 24, years = days / 365.25;
    cairn_number_format(out, years > 2 ? years : days > 2 ? days : hours, 2);
    return years > 2 ? "years" : days > 2 ? "days" : "hours";
}

/* As a limit that can be typed: in the largest unit, rounded up. */
static uint64_t whole_units(double steps)
{
    uint64_t unit = 1;
    if (steps > 1e18) return UINT64_MAX;
    while (unit < (UINT64_C(1) << 40) && steps > 1024 * (double)unit) unit *= 1024;
    return ((uint64_t)steps / unit + 1) * unit;
}

cairn_status cairn_need_work(cairn_context *ctx, double steps, const char *what,
                             const char *instead)
{
    char shown[CAIRN_NUMBER_SIZE], time[CAIRN_NUMBER_SIZE];
    if (steps <= (double)cairn_context_limit(ctx, CAIRN_LIMIT_WORK)) return CAIRN_OK;
    cairn_number_format(shown, steps, 2);
    const char *unit = say_time(time, steps);
    const char *limit = cairn_limit_said(ctx, CAIRN_LIMIT_WORK, whole_units(steps));
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s takes about %s steps, %s %s or so; %s, or %s", what,
                      shown, time, unit, limit, cairn_say(ctx, instead));
}

cairn_status cairn_need_said(cairn_context *ctx, cairn_status status, const char *instead,
                             const char *format, ...)
{
    static const char begin[] = "out of memory: ";
    char what[CAIRN_SAID_SIZE], rest[CAIRN_MESSAGE_SIZE];
    va_list arguments;
    if (status != CAIRN_NO_MEMORY || !cairn_starts_with(ctx->message, begin)) return status;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    memcpy(rest, ctx->message, sizeof rest);
    bool raises = strchr(rest, ';'); /* "...; raise {memory}" */
    return cairn_fail(ctx, status, "%s: %s%s%s", what, rest, raises ? ", or " : "; ",
                      cairn_say(ctx, instead));
}
