/* SPDX-License-Identifier: MIT */
/* What work needs, said before it begins: memory and steps that grow with the product of two sizes
 * of the data. A refusal names both, what they are for and the way out.
 *
 *     CHECK(SCRATCH_MATRIX(ctx, &scores, n_rows, n_classes,
 *                          "the score of every row for every class", CAIRN_FEWER_CLASSES));
 *     CHECK(cairn_need_work(ctx, 2.0 * epochs * n * k, "comparing every row with every class",
 *                           CAIRN_FEWER_CLASSES)); */
#ifndef CAIRN_BASE_NEED_H
#define CAIRN_BASE_NEED_H

#include "base/memory.h"

/* The way out of what grows with the number of classes. */
#define CAIRN_FEWER_CLASSES                                                                        \
    "merge rare classes or use a learner that takes many, such as bayes, tree or knn"

/* Zeroed scratch for `rows` x `columns` items; where it is not to be had, the message says what it
 * is for: "<what>, 9 x 7 numbers, needs about 504 B of memory, 20 B are available; raise {memory},
 * or <instead>". `instead` may have marks. */
#define SCRATCH_MATRIX(ctx, out, rows, columns, what, instead)                                     \
    cairn_scratch_matrix(ctx, out, rows, columns, sizeof **(out), what, instead)
CAIRN_CHECKED cairn_status cairn_scratch_matrix(cairn_context *ctx, void *out, size_t rows,
                                                size_t columns, size_t size, const char *what,
                                                const char *instead);

/* The same as a block of cairn_new. */
#define NEW_MATRIX(ctx, out, rows, columns, what, instead)                                         \
    cairn_new_matrix(ctx, out, rows, columns, sizeof **(out), what, instead)
CAIRN_CHECKED cairn_status cairn_new_matrix(cairn_context *ctx, void *out, size_t rows,
                                            size_t columns, size_t size, const char *what,
                                            const char *instead);

/* Refuse what would not fit, before other work is done: the same message. */
CAIRN_CHECKED cairn_status cairn_need_matrix(cairn_context *ctx, size_t rows, size_t columns,
                                             size_t size, const char *what, const char *instead);

/* Refuse work of more steps than the limit 'work' allows: "<what> takes about 4e+15 steps, a month
 * or so; the limit of 'work' is 16T; raise it by {limits work=...}, or <instead>". A step is an
 * addition with a multiplication. */
CAIRN_CHECKED cairn_status cairn_need_work(cairn_context *ctx, double steps, const char *what,
                                           const char *instead);

/* The way out of what grows with the table. */
#define CAIRN_SMALLER_TABLE "use fewer rows, columns, or levels of a column"

/* Where memory ended in work that did not foresee it, put what it was in front of "out of memory:
 * ..." and `instead` behind it; other failures, and what was said already, stay as they are.
 * Returns `status`. */
CAIRN_PRINTF(4, 5)
cairn_status cairn_need_said(cairn_context *ctx, cairn_status status, const char *instead,
                             const char *format, ...);

#endif
