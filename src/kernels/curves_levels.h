/* SPDX-License-Identifier: MIT */
/* Compiles curves_body.h for every level with the type of real_double.h or real_float.h, and what
 * is the same for both types: rows of scores. */
#include "kernels/elementwise.h"
#include "kernels/level.h"
#include "kernels/unroll.h"
#include <math.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "kernels/soft_fma.h"
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAMED(name) JOIN(name, LEVEL)

typedef struct curves {
    void (*exp_each)(REAL *out, const REAL *x, size_t n);
    void (*log_each)(REAL *out, const REAL *x, size_t n);
    void (*tanh_each)(REAL *out, const REAL *x, size_t n);
} curves;

#define LEVEL generic
#define TARGET
#define LANES LANES_128
#include "kernels/curves_body.h"
#undef LEVEL
#undef TARGET
#undef LANES

#if defined(__x86_64__)
#define LEVEL        avx2
#define TARGET       __attribute__((target("avx2,fma")))
#define LANES        LANES_256
#define FUSE_VECTORS _mm256_fmadd
#include "kernels/curves_body.h"
#undef LEVEL
#undef TARGET
#undef LANES
#undef FUSE_VECTORS

#define LEVEL        avx512
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LANES        LANES_512
#define FUSE_VECTORS _mm512_fmadd
#include "kernels/curves_body.h"

static const curves *chosen(void)
{
    static const curves *const all[] = {&curves_generic, &curves_avx2, &curves_avx512};
    return all[cairn_kernel_level()];
}
#else
static const curves *chosen(void)
{
    return &curves_generic;
}
#endif

static REAL largest(const REAL *x, size_t n)
{
    REAL most = -(REAL)HUGE_VAL;
    for (size_t j = 0; j < n; j++) most = x[j] > most ? x[j] : most;
    return most;
}

/* Four running sums, at every level alike. */
static REAL sum_of(const REAL *x, size_t n)
{
    REAL sum[4] = {0};
    for (size_t j = 0; j < n; j++) sum[j % 4] += x[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

enum { SOFTMAX_ROWS = 64 };

/* At most SOFTMAX_ROWS rows. Where they have no gaps between them, one call makes all exponentials:
 * short rows would leave most of a vector unused. */
static void softmax_group(const curves *c, REAL *x, REAL *logs, size_t stride, size_t n,
                          size_t n_columns)
{
    REAL most[SOFTMAX_ROWS], sums[SOFTMAX_ROWS];
    for (size_t i = 0; i < n; i++) {
        REAL *row = x + i * stride;
        most[i] = largest(row, n_columns);
        for (size_t j = 0; j < n_columns; j++) row[j] -= most[i];
        if (stride != n_columns) c->exp_each(row, row, n_columns);
    }
    if (stride == n_columns) c->exp_each(x, x, n * n_columns);
    for (size_t i = 0; i < n; i++) {
        REAL *row = x + i * stride;
        sums[i] = sum_of(row, n_columns);
        for (size_t j = 0; j < n_columns; j++) row[j] /= sums[i];
    }
    if (!logs) return;
    c->log_each(logs, sums, n);
    for (size_t i = 0; i < n; i++) logs[i] += most[i];
}

static void softmax_rows(REAL *x, REAL *logs, size_t stride, size_t n, size_t n_columns)
{
    for (size_t i = 0; i < n; i += SOFTMAX_ROWS)
        softmax_group(chosen(), x + i * stride, logs ? logs + i : NULL, stride,
                      n - i < SOFTMAX_ROWS ? n - i : SOFTMAX_ROWS, n_columns);
}
