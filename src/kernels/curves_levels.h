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

/* A row becomes exp(row - most); returns its sum, from which `most` is to be added back. */
static REAL exp_row(const curves *c, REAL *row, size_t n, REAL *most)
{
    *most = largest(row, n);
    for (size_t j = 0; j < n; j++) row[j] -= *most;
    c->exp_each(row, row, n);
    return sum_of(row, n);
}

static void softmax_rows(REAL *x, REAL *logs, size_t stride, size_t n, size_t n_columns)
{
    const curves *c = chosen();
    for (size_t i = 0; i < n; i++) {
        REAL *row = x + i * stride, most, sum = exp_row(c, row, n_columns, &most);
        for (size_t j = 0; j < n_columns; j++) row[j] /= sum;
        if (!logs) continue;
        c->log_each(&logs[i], &sum, 1);
        logs[i] += most;
    }
}
