/* SPDX-License-Identifier: MIT */
/* What the tests of sources share: reading, looking at cells, counting warnings, cancelling. */
#ifndef CAIRN_TESTS_SOURCE_H
#define CAIRN_TESTS_SOURCE_H

#include "support/unit.h"
#include "data/table.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static inline cairn_table *read_source(cairn_context *ctx, const char *path, const char *kinds)
{
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t = NULL;
    o.kinds = kinds;
    assert_ok(ctx, cairn_table_read(ctx, &t, path, &o));
    return t;
}

static inline void assert_refused(cairn_context *ctx, const char *path, cairn_status wanted,
                                  const char *part)
{
    cairn_table *t = NULL;
    assert_fails(ctx, cairn_table_read(ctx, &t, path, NULL), wanted, part);
    assert_null(t);
}

static inline const cairn_column *column_of(const cairn_table *t, const char *name)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column '%s'", name);
    return t->slots[at].column;
}

static inline const char *cell(const cairn_table *t, const char *name, size_t row)
{
    static char text[4][200];
    static int at;
    at = (at + 1) % 4;
    cairn_table_cell(t, (size_t)cairn_table_find(t, name), row, text[at], sizeof text[at]);
    return text[at];
}

static inline void keep_warning(cairn_log_level level, const char *message, void *data)
{
    if (level == CAIRN_LOG_WARNING) snprintf(data, 400, "%s", message);
}

/* Of the processor: a machine that has much else to do takes longer. */
static inline double seconds_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void *cancel_soon(void *ctx)
{
    usleep(200000);
    cairn_context_cancel(ctx);
    return NULL;
}

/* A query that would take very long is given up soon after somebody asked for it. */
static inline void assert_cancelled(cairn_context *ctx, const char *path)
{
    pthread_t thread;
    cairn_table *t = NULL;
    double begun = seconds_used();
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, ctx), 0);
    cairn_status status = cairn_table_read(ctx, &t, path, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(status, CAIRN_CANCELLED);
    assert_null(t);
    assert_true(seconds_used() - begun < 5);
}

#endif
