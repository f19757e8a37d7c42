/* SPDX-License-Identifier: MIT */
/* What learners share that compare rows by a kernel (rows/kernel.h). */
#ifndef CAIRN_LEARNERS_KERNEL_METHOD_H
#define CAIRN_LEARNERS_KERNEL_METHOD_H

#include "model/learner.h"
#include "rows/kernel.h"

/* What columns may be like depends on the kernel; for `accepts_with`. */
unsigned cairn_kernel_accepts(const cairn_kernel_params *params);
enum { /* with the usual kernel */
       CAIRN_KERNEL_ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_WEIGHTS |
                              CAIRN_ACCEPTS_GRAM | CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING
};

/* Lines of a description: the kernel, its formula and its numbers, and that gamma is the usual one
 * of so many terms. Values kernel, gamma, factor, offset, degree. */
void cairn_kernel_show(cairn_report *out, const cairn_kernel *kernel, size_t n_terms);

/* For `check`: whether the rows of a model are such rows as the schema has. */
CAIRN_CHECKED cairn_status cairn_kernel_rows_check(cairn_archive *archive, const cairn_job *job,
                                                   const cairn_kernel_rows *rows);

#endif
