/* SPDX-License-Identifier: MIT */
/* Limits on what a stranger's file or expression may ask for. They hold for everything that is done
 * with a context, modules included; a refusal names the limit, its value and how to raise it. */
#ifndef CAIRN_LIMITS_H
#define CAIRN_LIMITS_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* New ones are added at the end. */
typedef enum cairn_limit {
    CAIRN_LIMIT_COLUMNS,    /* columns of a table */
    CAIRN_LIMIT_LEVELS,     /* levels of a column that is read */
    CAIRN_LIMIT_CELL,       /* bytes of a cell that is read */
    CAIRN_LIMIT_DEPTH,      /* brackets inside each other, in an expression or a formula */
    CAIRN_LIMIT_EXPRESSION, /* bytes of an expression, a formula or a term */
    CAIRN_LIMIT_UNPACKED,   /* bytes that a compressed file or a workbook unpacks to */
    CAIRN_LIMIT_WORK        /* steps of work that grows faster than the data; 2^30 take a second */
} cairn_limit;

/* Set a limit; 0 sets its default again. Fails with CAIRN_USAGE where there is no such limit or it
 * cannot be set that high: the largest value of each is in docs/limits.md. Memory and threads are
 * limited by cairn_context_set_memory and cairn_context_set_threads. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_context_set_limit(cairn_context *ctx, cairn_limit which,
                                                             uint64_t value);

/* The value of a limit; 0 when there is no such limit. */
CAIRN_API uint64_t cairn_context_limit(const cairn_context *ctx, cairn_limit which);

#ifdef __cplusplus
}
#endif
#endif
