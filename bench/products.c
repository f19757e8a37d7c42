/* SPDX-License-Identifier: MIT */
/* One product or decomposition, timed: by the library when compiled with OURS, else by OpenBLAS.
 *
 *     products CASE THREADS     prints {"seconds": ..., "cpu": ..., "quality": ...}
 *
 * CAIRN_KERNELS and OPENBLAS_CORETYPE choose what is compared with what. */
#include "cairn/base.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5 };

#ifdef OURS
#define EITHER(our_call, their_call) must(our_call)
#else
#include <cblas.h>

void dsyevr_(const char *, const char *, const char *, const int *, double *, const int *,
             const double *, const double *, const int *, const int *, const double *, int *,
             double *, double *, const int *, int *, double *, const int *, int *, const int *,
             int *, size_t, size_t, size_t);
void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *,
             const int *, int *, const int *, int *, size_t, size_t);
void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *,
             const int *, double *, const int *, double *, const int *, int *, int *, size_t);
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);
void dgelsy_(const int *, const int *, const int *, double *, const int *, double *, const int *,
             int *, const double *, int *, double *, const int *, int *);
void dgelsd_(const int *, const int *, const int *, double *, const int *, double *, const int *,
             double *, const double *, int *, double *, const int *, int *, int *);

static double *work;
static int *integers;
#define EITHER(our_call, their_call) ((void)&p, their_call)
#endif

#ifdef OURS
static cairn_context *ctx;
#endif
static double *a, *b, *c, *source, *values, *vectors;
static float *fa, *fb, *fc;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *buffer(size_t n, size_t size)
{
    void *block = aligned_alloc(64, (n * size + 63) / 64 * 64);
    if (!block) exit(1);
    return block;
}

static double *reals(size_t n)
{
    double *x = buffer(n, sizeof *x);
    unsigned long long s = 88172645463325252ULL;
    for (size_t i = 0; i < n; i++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        x[i] = (double)(s >> 11) * 0x1p-53 - 0.5;
    }
    return x;
}

static float *floats(size_t n)
{
    double *x = reals(n);
    float *f = buffer(n, sizeof *f);
    for (size_t i = 0; i < n; i++) f[i] = (float)x[i];
    free(x);
    return f;
}

#ifdef OURS
static void must(cairn_status status)
{
    if (status) exit(1);
}
#endif

static void gram_double(void)
{
    cairn_matmul p = {.m = 784, .n = 784, .k = 60000, .a = a, .a_i = 1, .a_k = 784, .b = a};
    p.b_k = 784, p.b_j = 1, p.c = c, p.c_i = 784, p.alpha = 1, p.upper = true;
    EITHER(cairn_matmul_run(ctx, &p),
           cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, 784, 60000, 1, a, 784, 1, c, 784));
}

static void gram_float(void)
{
    cairn_matmul_floats p = {.m = 784, .n = 784, .k = 60000, .a = fa, .a_i = 1, .a_k = 784};
    p.b = fa, p.b_k = 784, p.b_j = 1, p.c = fc, p.c_i = 784, p.alpha = 1, p.upper = true;
    EITHER(cairn_matmul_floats_run(ctx, &p),
           cblas_ssyrk(CblasRowMajor, CblasUpper, CblasTrans, 784, 60000, 1, fa, 784, 1, fc, 784));
}

static void cross_double(void)
{
    cairn_matmul p = {.m = 50, .n = 50, .k = 800000, .a = a, .a_i = 1, .a_k = 50, .b = b};
    p.b_k = 50, p.b_j = 1, p.c = c, p.c_i = 50, p.alpha = 1;
    EITHER(cairn_matmul_run(ctx, &p), cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, 50, 50,
                                                  800000, 1, a, 50, b, 50, 1, c, 50));
}

/* 1,024 queries against 60,000 rows, 4,096 of these at a time */
static void rows_float(void)
{
    for (size_t j = 0; j < 60000; j += 4096) {
        size_t here = 60000 - j < 4096 ? 60000 - j : 4096;
        const float *rows = fa + j * 784;
        cairn_matmul_floats p = {.m = 1024, .n = here, .k = 784, .a = fb, .a_i = 784, .a_k = 1};
        p.b = rows, p.b_k = 1, p.b_j = 784, p.c = fc, p.c_i = 4096, p.alpha = 1, p.set = true;
        EITHER(cairn_matmul_floats_run(ctx, &p),
               cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 1024, (int)here, 784, 1, fb,
                           784, rows, 784, 0, fc, 4096));
    }
}

static void square_double(void)
{
    cairn_matmul p = {.m = 2000, .n = 2000, .k = 2000, .a = a, .a_i = 2000, .a_k = 1, .b = b};
    p.b_k = 2000, p.b_j = 1, p.c = c, p.c_i = 2000, p.alpha = 1;
    EITHER(cairn_matmul_run(ctx, &p), cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2000,
                                                  2000, 2000, 1, a, 2000, b, 2000, 1, c, 2000));
}

/* `count` eigenvectors of the largest eigenvalues of 784 x 784 */
static void eigen(int count)
{
    memcpy(a, source, 784 * 784 * sizeof *a);
#ifdef OURS
    must(cairn_symmetric_top(ctx, values, vectors, a, 784, (size_t)count));
#else
    int n = 784, low = n - count + 1, found, info, size = 2000000, more = 100000;
    double none = 0;
    dsyevr_("V", "I", "L", &n, a, &n, &none, &none, &low, &n, &none, &found, values, vectors, &n,
            integers + more, work, &size, integers, &more, &info, 1, 1, 1);
#endif
}

static void some_vectors(void)
{
    eigen(50);
}

static void all_vectors(void)
{
    memcpy(a, source, 784 * 784 * sizeof *a);
#ifdef OURS
    must(cairn_symmetric_eigen(ctx, values, vectors, a, 784));
#else
    int n = 784, size = 2000000, more = 100000, info;
    dsyevd_("V", "L", &n, a, &n, values, work, &size, integers, &more, &info, 1, 1);
#endif
}

static void singular(void)
{
    memcpy(a, source, 400000 * sizeof *a);
#ifdef OURS
    must(cairn_svd(ctx, values, c, vectors, a, 2000, 200));
#else
    int m = 2000, n = 200, size = 2000000, info;
    dgesdd_("S", &m, &n, a, &m, values, c, &m, vectors, &n, work, &size, integers, &info, 1);
#endif
}

static void cholesky(void)
{
    memcpy(a, source, 4000000 * sizeof *a);
#ifdef OURS
    size_t pivot;
    must(cairn_cholesky_large(ctx, a, 2000, &pivot));
#else
    int n = 2000, info;
    dpotrf_("L", &n, a, &n, &info, 1);
#endif
}

/* 2,000 rows of `columns` columns, with exchanges of columns, and their least squares */
static void solve_tall(int columns)
{
    memcpy(a, source, 2000 * (size_t)columns * sizeof *a);
    memcpy(c, source + 3000000, 2000 * sizeof *c);
#ifdef OURS
    size_t rank;
    must(cairn_qr_least_squares(ctx, values, NULL, &rank, a, c, 2000, (size_t)columns, 0));
#else
    int m = 2000, one = 1, rank, info, size = 2000000;
    double least = 1e-13;
    memset(integers, 0, (size_t)columns * sizeof *integers);
    dgelsy_(&m, &columns, &one, a, &m, c, &m, integers, &least, &rank, work, &size, &info);
#endif
}

static void pivoted(void)
{
    solve_tall(500);
}

static void least_squares(void)
{
    solve_tall(100);
}

static void shortest(void)
{
    memcpy(a, source, 400000 * sizeof *a);
    memcpy(c, source + 3000000, 2000 * sizeof *c);
#ifdef OURS
    size_t rank;
    must(cairn_svd_least_squares(ctx, values, NULL, &rank, a, c, 2000, 200, 0));
#else
    int m = 2000, n = 200, one = 1, rank, info, size = 2000000;
    double least = 1e-13;
    dgelsd_(&m, &n, &one, a, &m, c, &m, values, &least, &rank, work, &size, integers, &info);
#endif
}

static const struct {
    const char *name;
    void (*run)(void);
    double flops;  /* 0 = a decomposition */
    size_t square; /* of the source matrix, made symmetric */
    double ridge;
} cases[] = {{"gram", gram_double, 60000. * 784 * 785, 0, 0},
             {"gram-float", gram_float, 60000. * 784 * 785, 0, 0},
             {"cross", cross_double, 2. * 800000 * 2500, 0, 0},
             {"rows-float", rows_float, 2. * 1024 * 60000 * 784, 0, 0},
             {"square", square_double, 2. * 8e9, 0, 0},
             {"eigen-some", some_vectors, 0, 784, 0},
             {"eigen-all", all_vectors, 0, 784, 0},
             {"svd", singular, 0, 0, 0},
             {"cholesky", cholesky, 0, 2000, 2000},
             {"qr-pivoted", pivoted, 0, 0, 0},
             {"least-squares", least_squares, 0, 0, 0},
             {"shortest", shortest, 0, 0, 0}};

static void prepare(size_t square, double ridge)
{
    a = reals(60000 * 784), b = reals(800000 * 50), c = reals(2000 * 2000);
    fa = floats(60000 * 784), fb = floats(1024 * 784), fc = floats(1024 * 4096);
    source = reals(2000 * 2000), values = reals(2000), vectors = reals(784 * 784);
#ifndef OURS
    work = reals(2000000), integers = buffer(200000, sizeof *integers);
#endif
    for (size_t i = 0; i < square; i++) {
        for (size_t j = 0; j < i; j++) source[i * square + j] = source[j * square + i];
        source[i * square + i] += ridge;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int threads = strcmp(argv[2], "2") == 0 ? 2 : 1;
#ifdef OURS
    must(cairn_context_new(&ctx, NULL));
    cairn_context_set_threads(ctx, threads);
#else
    openblas_set_num_threads(threads);
#endif
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        double best = INFINITY, least = INFINITY;
        if (strcmp(cases[t].name, argv[1]) != 0) continue;
        prepare(cases[t].square, cases[t].ridge);
        for (int round = 0; round < ROUNDS; round++) {
            usleep(60000); /* idle workers spin for a while */
            double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
            cases[t].run();
            best = fmin(best, seconds(CLOCK_MONOTONIC) - wall);
            least = fmin(least, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        }
        printf("{\"seconds\": %.6f, \"cpu\": %.6f, \"quality\": \"", best, least);
        if (cases[t].flops > 0) printf("%.1f GFLOP/s", cases[t].flops / best * 1e-9);
        puts("\"}");
        return 0;
    }
    return 2;
}
