/* SPDX-License-Identifier: MIT */
/* The BLAS routines that the reference LAPACK inside the library calls, by their Fortran names, are
 * defined in blas2.c and blas3.c; this is what linalg.c must do for them. Fortran passes no
 * context, so the calling thread keeps their working memory at hand. */
#ifndef CAIRN_KERNELS_BLAS_H
#define CAIRN_KERNELS_BLAS_H

#include "base/context.h"

typedef struct cairn_blas_buffer {
    size_t longest;  /* row or column of any operand */
    double *product; /* for matmul_alone */
    double *square;  /* a block on the diagonal */
    double *old;     /* a row or column of blocks */
    double *vectors; /* 2 x longest */
    cairn_context *ctx;
    double work;          /* since it was asked whether to go on: numbers multiplied */
    cairn_status stopped; /* why not */
} cairn_blas_buffer;

/* Of this thread, valid between cairn_blas_prepare and the release of its scratch. */
extern _Thread_local cairn_blas_buffer cairn_blas;

/* Before LAPACK is called on matrices of at most `longest` rows and columns: working memory from
 * the context's scratch. */
CAIRN_CHECKED cairn_status cairn_blas_prepare(cairn_context *ctx, size_t longest);

/* Before so many numbers are multiplied: whether the caller of the library wants to stop. LAPACK
 * cannot be left, but with products that do nothing it soon comes to its end. */
bool cairn_blas_stops(double work);
/* After LAPACK: fails when it was stopped, and what it gave is useless. */
CAIRN_CHECKED cairn_status cairn_blas_end(void);

#endif
