/* SPDX-License-Identifier: MIT */
/* Matrix products against sums in long double, and their bits against checksums that hold for every
 * processor and every number of threads: run once per variant, chosen through the environment. A
 * checksum that changes means that the order of a sum has changed, and with it every result that
 * docs/same-bits.md promises. */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "kernels/products.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t number_state;

static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return (double)(number_state >> 11) * 0x1p-52 - 1;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t n) /* FNV-1a */
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static void *buffer_for(size_t n, size_t size)
{
    void *block = malloc((n ? n : 1) * size);
    assert_non_null(block);
    return block;
}

enum {
    GRAM,       /* upper triangle of A'A, added */
    CROSS,      /* A'B, added */
    ROWS,       /* A B' */
    PLAIN,      /* 0.5 A B, added, C with gaps */
    DISTANCE,   /* of rows */
    GAUSSIAN,   /* of rows */
    POLYNOMIAL, /* of rows */
    LAPLACIAN,  /* of rows */
    TANH,       /* of rows */
    N_KINDS
};

static const struct {
    size_t m, n, k;
} shapes[] = {{0, 3, 5},    {3, 0, 5},      {2, 3, 0},       {1, 1, 1},      {3, 7, 5},
              {6, 16, 32},  {17, 33, 300},  {15, 40, 417},   {129, 65, 257}, {100, 37, 1000},
              {1, 100, 64}, {100, 1, 9000}, {20, 20, 15001}, {5, 40, 13000}};

enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* One product of each kind, alone or on the context's threads, and the plain sum that an element
 * must be near to. */
#define KINDS(real, product, epsilon)                                                              \
    typedef struct {                                                                               \
        size_t m, n, k, c_i;                                                                       \
        real *a, *b, *c, *start, *a_norms, *b_norms;                                               \
    } product##_case;                                                                              \
                                                                                                   \
    static product##_case product##_make(size_t m, size_t n, size_t k)                             \
    {                                                                                              \
        size_t side = (m > n ? m : n) + 3;                                                         \
        product##_case t = {m, n, k, side, NULL, NULL, NULL, NULL, NULL, NULL};                    \
        number_state = 88172645463325252u + 1000003 * m + 1009 * n + k;                            \
        t.a = buffer_for(m * k, sizeof(real)), t.b = buffer_for(n * k, sizeof(real));              \
        t.c = buffer_for(side * side, sizeof(real)),                                               \
        t.start = buffer_for(side * side, sizeof(real));                                           \
        t.a_norms = buffer_for(m, sizeof(real)), t.b_norms = buffer_for(n, sizeof(real));          \
        for (size_t i = 0; i < m * k; i++) t.a[i] = (real)draw();                                  \
        for (size_t i = 0; i < n * k; i++) t.b[i] = (real)draw();                                  \
        if (m && n) memcpy(t.b, t.a, k * sizeof(real)); /* a distance that must be 0 */            \
        for (size_t i = 0; i < side * side; i++) t.start[i] = (real)draw();                        \
        product##_norms(t.a_norms, t.a, m, k), product##_norms(t.b_norms, t.b, n, k);              \
        return t;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static void product##_drop(product##_case *t)                                                  \
    {                                                                                              \
        free(t->a), free(t->b), free(t->c), free(t->start), free(t->a_norms), free(t->b_norms);    \
    }                                                                                              \
                                                                                                   \
    /* A is m x k (k x m for GRAM and CROSS), B is n x k (k x n for CROSS and PLAIN). */           \
    static product product##_of(const product##_case *t, int kind)                                 \
    {                                                                                              \
        bool transposed = kind == GRAM || kind == CROSS,                                           \
             by_rows = kind == ROWS || kind >= DISTANCE;                                           \
        product p = {.m = t->m, .n = kind == GRAM ? t->m : t->n, .k = t->k, .a = t->a};            \
        p.b = kind == GRAM ? t->a : t->b, p.c = t->c, p.c_i = t->c_i, p.alpha = 1;                 \
        p.a_i = transposed ? 1 : t->k, p.a_k = transposed ? t->m : 1;                              \
        p.b_k = by_rows ? 1 : p.n, p.b_j = by_rows ? t->k : 1;                                     \
        p.upper = kind == GRAM, p.set = by_rows;                                                   \
        if (kind == PLAIN) p.alpha = (real)0.5;                                                    \
        if (kind < DISTANCE) return p;                                                             \
        p.finish = (cairn_product_finish)(kind - DISTANCE + CAIRN_FINISH_DISTANCE);                \
        p.a_norms = t->a_norms, p.b_norms = t->b_norms, p.degree = 3;                              \
        p.gamma = (real)0.25 / (real)(t->k ? t->k : 1), p.shift = 1;                               \
        return p;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static uint64_t product##_run_one(cairn_context *ctx, product##_case *t, int kind)             \
    {                                                                                              \
        product p = product##_of(t, kind);                                                         \
        memcpy(t->c, t->start, t->c_i * t->c_i * sizeof(real));                                    \
        if (ctx) {                                                                                 \
            assert_ok(ctx, product##_run(ctx, &p));                                                \
        } else {                                                                                   \
            real *buffer = buffer_for(product##_buffer(p.m, p.n, p.k), sizeof(real));              \
            product##_alone(&p, buffer);                                                           \
            free(buffer);                                                                          \
        }                                                                                          \
        return mix(14695981039346656037u, t->c, t->c_i * t->c_i * sizeof(real));                   \
    }                                                                                              \
                                                                                                   \
    static void product##_check(const product##_case *t, int kind, size_t i, size_t j)             \
    {                                                                                              \
        product p = product##_of(t, kind);                                                         \
        double got = (double)t->c[i * t->c_i + j];                                                 \
        long double sum = 0, size = 0, start = t->start[i * t->c_i + j];                           \
        if (i >= p.m || j >= p.n || (p.upper && j < i)) {                                          \
            assert_true(got == (double)start); /* not a part of C */                               \
            return;                                                                                \
        }                                                                                          \
        for (size_t k = 0; k < p.k; k++) {                                                         \
            long double x = p.a[i * p.a_i + k * p.a_k], y = p.b[k * p.b_k + j * p.b_j];            \
            bool apart = kind == DISTANCE || kind == GAUSSIAN || kind == LAPLACIAN;                \
            sum += apart ? (x - y) * (x - y) : x * y;                                              \
            size += apart ? x * x + y * y : fabsl(x * y);                                          \
        }                                                                                          \
        sum *= (long double)p.alpha;                                                               \
        if (!p.set) sum += start, size += fabsl(start);                                            \
        if (kind == GAUSSIAN) sum = expl(-(long double)p.gamma * sum), size = 1;                   \
        if (kind == POLYNOMIAL) sum = powl(p.gamma * sum + 1, 3), size = 8;                        \
        if (kind == LAPLACIAN) sum = expl(-(long double)p.gamma * sqrtl(sum)), size = 1;           \
        if (kind == TANH) sum = tanhl(p.gamma * sum + 1), size = 1;                                \
        double error = (double)fabsl(sum - (long double)got);                                      \
        if (!(error <= 16 * (double)(epsilon) * (double)size))                                     \
            fail_msg("kind %d, %zu x %zu, k %zu: c[%zu][%zu] is %.9g, not %.9g", kind, p.m, p.n,   \
                     p.k, i, j, got, (double)sum);                                                 \
    }

KINDS(double, cairn_matmul, DBL_EPSILON)
KINDS(float, cairn_matmul_floats, FLT_EPSILON)

static void test_products__are_near_the_plain_sums(void **state)
{
    cairn_context *ctx = *state;
    for (size_t s = 0; s < N_SHAPES; s++) {
        cairn_matmul_case t = cairn_matmul_make(shapes[s].m, shapes[s].n, shapes[s].k);
        cairn_matmul_floats_case f =
            cairn_matmul_floats_make(shapes[s].m, shapes[s].n, shapes[s].k);
        size_t step = 1 + t.c_i * t.c_i * t.k / 400000;
        for (int kind = 0; kind < N_KINDS; kind++) {
            cairn_matmul_run_one(kind & 1 ? ctx : NULL, &t, kind);
            cairn_matmul_floats_run_one(kind & 1 ? ctx : NULL, &f, kind);
            for (size_t at = 0; at < t.c_i * t.c_i; at += step) {
                cairn_matmul_check(&t, kind, at / t.c_i, at % t.c_i);
                cairn_matmul_floats_check(&f, kind, at / t.c_i, at % t.c_i);
            }
        }
        cairn_matmul_drop(&t), cairn_matmul_floats_drop(&f);
    }
}

/* What every processor must give: doubles and floats of each shape, all kinds. */
static const uint64_t promised[N_SHAPES][2] = {
    {0x1e440044552fbba8, 0x2b60683566f64bc4}, {0xf0e0a74639d3dfe8, 0x79b1933b3e1baf49},
    {0x3e95758aa5bf245c, 0x78cc58ec7afa78a3}, {0xc7755c8fea797ab0, 0xae550d6f887bafc2},
    {0xbbbf5d489c34f96c, 0x88730358334c006b}, {0x4493d5b00c3cfde4, 0xcfc9f8818dfa4928},
    {0x824a67649e0760a8, 0x0eba647ebab391be}, {0x95feee17555b2098, 0xae2a45040ec49525},
    {0x658a86b63fb205d4, 0x53ddca48f3cb11be}, {0xa6187e56ba60e2a0, 0xb58574b94b0809dc},
    {0xbac29d2cacf9a238, 0x8a147e2403a46715}, {0x50ebdb15d63846bc, 0x7bde45f357547bb1},
    {0xf071b28079f095cb, 0x8126bf7f62e6e46d}, {0x1b917a0e824312ed, 0x6a4552e3489821bc},
};

static void test_products__have_the_promised_bits(void **state)
{
    cairn_context *ctx = *state;
    size_t wrong = 0;
    for (size_t s = 0; s < N_SHAPES; s++) {
        uint64_t hash[2] = {0, 0};
        cairn_matmul_case t = cairn_matmul_make(shapes[s].m, shapes[s].n, shapes[s].k);
        cairn_matmul_floats_case f =
            cairn_matmul_floats_make(shapes[s].m, shapes[s].n, shapes[s].k);
        for (int kind = 0; kind < N_KINDS; kind++) {
            uint64_t first = 0, first_float = 0;
            for (int run = 0; run < 3; run++) {
                cairn_context_set_threads(ctx, 1 << run);
                uint64_t now = cairn_matmul_run_one(ctx, &t, kind);
                uint64_t now_float = cairn_matmul_floats_run_one(ctx, &f, kind);
                if (run == 0) first = now, first_float = now_float;
                assert_true(now == first && now_float == first_float);
            }
            uint64_t alone = cairn_matmul_run_one(NULL, &t, kind);
            if (shapes[s].k <= 12896) assert_true(alone == first); /* else blocks of k are added */
            hash[0] = mix(mix(hash[0], &first, sizeof first), &alone, sizeof alone);
            hash[1] = mix(hash[1], &first_float, sizeof first_float);
        }
        cairn_matmul_drop(&t), cairn_matmul_floats_drop(&f);
        if (hash[0] == promised[s][0] && hash[1] == promised[s][1]) continue;
        wrong++;
        print_error("%zu x %zu, k %zu has other bits: {0x%016llx, 0x%016llx},\n", shapes[s].m,
                    shapes[s].n, shapes[s].k, (unsigned long long)hash[0],
                    (unsigned long long)hash[1]);
    }
    assert_int_equal(wrong, 0);
}

static void test_products__the_distance_to_oneself_is_zero(void **state)
{
    (void)state;
    cairn_matmul_case t = cairn_matmul_make(33, 40, 784);
    cairn_matmul_floats_case f = cairn_matmul_floats_make(33, 40, 784);
    cairn_matmul_run_one(NULL, &t, DISTANCE), cairn_matmul_floats_run_one(NULL, &f, DISTANCE);
    assert_true(t.c[0] == 0 && f.c[0] == 0);
    cairn_matmul_run_one(NULL, &t, GAUSSIAN), cairn_matmul_floats_run_one(NULL, &f, GAUSSIAN);
    assert_true(t.c[0] == 1 && f.c[0] == 1);
    cairn_matmul_drop(&t), cairn_matmul_floats_drop(&f);
}

static void test_products__missing_numbers_stay_missing(void **state)
{
    cairn_context *ctx = *state;
    cairn_matmul_case t = cairn_matmul_make(9, 20, 50);
    t.a[2 * 50 + 7] = NAN;
    cairn_matmul_norms(t.a_norms, t.a, 9, 50);
    for (int kind = ROWS; kind < N_KINDS; kind++) {
        cairn_matmul_run_one(ctx, &t, kind);
        for (size_t j = 0; j < 20; j++)
            assert_true(isnan(t.c[2 * t.c_i + j]) && !isnan(t.c[3 * t.c_i + j]));
    }
    cairn_matmul_drop(&t);
}

static void test_nearest_rows__are_the_nearest(void **state)
{
    enum { M = 150, N = 1100, K = 7 };
    cairn_context *ctx = *state;
    double *a = buffer_for(M * K, sizeof *a), *b = buffer_for(N * K, sizeof *b), distances[M];
    size_t nearest[M];
    number_state = 88172645463325252u;
    for (size_t i = 0; i < M * K; i++) a[i] = draw();
    for (size_t i = 0; i < N * K; i++) b[i] = draw();
    memcpy(b + 1090 * K, a, K * sizeof *b), memcpy(b + 40 * K, a, K * sizeof *b); /* a tie */
    a[3 * K] = NAN;
    cairn_context_set_threads(ctx, 2);
    assert_ok(ctx, cairn_nearest_rows(ctx, nearest, distances, a, M, b, N, K));
    assert_true(nearest[0] == 40 && distances[0] == 0);
    assert_true(nearest[3] == 0 && isinf(distances[3]));
    for (size_t i = 0; i < M; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++) sum += pow(a[i * K + k] - b[j * K + k], 2);
            least = sum < least ? sum : least;
        }
        if (i != 3) assert_true(fabs(distances[i] - least) < 1e-13);
    }
    assert_ok(ctx, cairn_nearest_rows(ctx, nearest, distances, a, 2, b, 0, K));
    assert_true(nearest[1] == 0 && isinf(distances[1]));
    free(a), free(b);
}

/* A product on threads and one that is split along k. */
static cairn_status run_both(cairn_context *ctx, void *data)
{
    cairn_matmul p = cairn_matmul_of(data, ROWS), q = cairn_matmul_of(data, CROSS);
    cairn_context_set_threads(ctx, 2);
    q.m = q.n = 3, q.k = 15000, q.a_k = q.b_k = 3;
    CHECK(cairn_matmul_run(ctx, &p));
    CHECK(cairn_matmul_run(ctx, &q));
    return CAIRN_OK;
}

static void test_products__survive_failing_allocations(void **state)
{
    (void)state;
    cairn_matmul_case t = cairn_matmul_make(200, 300, 300);
    assert_survives_allocation_failures(run_both, &t);
    cairn_matmul_drop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_products__are_near_the_plain_sums),
        context_test(test_products__have_the_promised_bits),
        context_test(test_products__the_distance_to_oneself_is_zero),
        context_test(test_products__missing_numbers_stay_missing),
        context_test(test_nearest_rows__are_the_nearest),
        cmocka_unit_test(test_products__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
