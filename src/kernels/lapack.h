/* SPDX-License-Identifier: MIT */
/* The LAPACK routines that we call, by their Fortran names: every argument by address, matrices by
 * columns, and for each character argument its length at the end. For linalg.c only. */
#ifndef CAIRN_KERNELS_LAPACK_H
#define CAIRN_KERNELS_LAPACK_H

#include <stddef.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpocon_(const char *uplo, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info, size_t, size_t);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
             const double *a, const int *lda, double *b, const int *ldb, int *info, size_t, size_t,
             size_t);
void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
             const int *ldb, double *s, const double *rcond, int *rank, double *work,
             const int *lwork, int *iwork, int *info);
void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
             const int *ldb, int *jpvt, const double *rcond, int *rank, double *work,
             const int *lwork, int *info);
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t, size_t);
void dsytrd_(const char *uplo, const int *n, double *a, const int *lda, double *d, double *e,
             double *tau, double *work, const int *lwork, int *info, size_t);
void dsterf_(const int *n, double *d, double *e, int *info);
void dstemr_(const char *jobz, const char *range, const int *n, double *d, double *e,
             const double *vl, const double *vu, const int *il, const int *iu, int *m, double *w,
             double *z, const int *ldz, const int *nzc, int *isuppz, int *tryrac, double *work,
             const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
void dormtr_(const char *side, const char *uplo, const char *trans, const int *m, const int *n,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info, size_t, size_t, size_t);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t);

#endif
