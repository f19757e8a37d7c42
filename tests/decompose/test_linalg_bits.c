/* SPDX-License-Identifier: MIT */
/* Decompositions give the same bits at every level of the kernels: the program runs
 * itself once per level, and each run prints checksums of what it solved. */
#include "support/unit.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t number_state = 88172645463325252u;

static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return (double)(number_state >> 11) * 0x1p-52 - 1;
}

static double *numbers(size_t n)
{
    double *x = malloc((n ? n : 1) * sizeof *x);
    if (!x) exit(1);
    for (size_t i = 0; i < n; i++) x[i] = draw();
    return x;
}

static void show(const char *what, const double *x, size_t n)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < n * sizeof *x; i++)
        hash = (hash ^ ((const unsigned char *)x)[i]) * 1099511628211u;
    printf("%s %016llx\n", what, (unsigned long long)hash);
}

static void must(cairn_status status)
{
    if (status) exit(1);
}

/* X'X + I of random numbers: upper triangle and lower */
static double *definite(cairn_context *ctx, size_t n)
{
    double *x = numbers(n * n), *a = numbers(n * n);
    must(cairn_multiply(ctx, a, x, CAIRN_TRANSPOSED, x, CAIRN_AS_IT_IS, n, n, n));
    for (size_t i = 0; i < n; i++) a[i * n + i] += 1;
    free(x);
    return a;
}

static void solve_definite(cairn_context *ctx, size_t n)
{
    double *a = definite(ctx, n), *b = numbers(3 * n), condition;
    size_t pivot;
    must(cairn_cholesky(ctx, a, n, &condition, &pivot));
    must(cairn_cholesky_solve(ctx, a, n, b, 3));
    must(cairn_cholesky_inverse(ctx, a, n));
    show("cholesky", b, 3 * n), show("condition", &condition, 1), show("inverse", a, n * n);
    free(a), free(b);
}

static void solve_square(cairn_context *ctx, size_t n)
{
    double *a = numbers(n * n), *b = numbers(2 * n), condition;
    must(cairn_solve(ctx, a, n, b, 2, &condition));
    show("elimination", b, 2 * n);
    free(a), free(b);
}

static void solve_tall(cairn_context *ctx, size_t n, size_t p)
{
    double *x = numbers(n * p), *y = numbers(n), *c = numbers(p), *r = calloc(p * p, sizeof *r);
    double *copy = numbers(n * p), *answers = numbers(n), *add = numbers(n * p);
    size_t rank;
    if (!r) exit(1);
    memcpy(copy, x, n * p * sizeof *x), memcpy(answers, y, n * sizeof *y);
    must(cairn_qr_add(ctx, r, add, n, p));
    must(cairn_qr_least_squares(ctx, c, NULL, &rank, x, y, n, p, 0));
    show("qr", r, p * p), show("least squares", c, p);
    must(cairn_svd_least_squares(ctx, c, NULL, &rank, copy, answers, n, p, 0));
    show("shortest", c, p);
    free(x), free(y), free(c), free(r), free(copy), free(answers), free(add);
}

static void decompose(cairn_context *ctx, size_t n, size_t p)
{
    size_t least = n < p ? n : p;
    double *a = definite(ctx, n), *values = numbers(n), *vectors = numbers(n * n);
    double *x = numbers(n * p), *s = numbers(least), *u = numbers(n * least);
    double *v = numbers(least * p);
    must(cairn_symmetric_eigen(ctx, values, vectors, a, n));
    show("values", values, n), show("vectors", vectors, n * n);
    free(a);
    a = definite(ctx, n);
    must(cairn_symmetric_top(ctx, values, vectors, a, n, n / 8));
    show("top", vectors, n / 8 * n);
    must(cairn_svd(ctx, s, u, v, x, n, p));
    show("singular", s, least), show("left", u, n * least), show("right", v, least * p);
    free(a), free(values), free(vectors), free(x), free(s), free(u), free(v);
}

static int print_all(void)
{
    static const size_t sizes[] = {1, 2, 7, 30, 65, 130, 201};
    cairn_context *ctx;
    if (cairn_context_new(&ctx, NULL)) return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i];
        solve_definite(ctx, n);
        solve_square(ctx, n);
        solve_tall(ctx, 3 * n, n);
        decompose(ctx, n, n / 2 + 1);
        decompose(ctx, n, 2 * n);
    }
    cairn_context_free(ctx);
    return 0;
}

static const char *own_name;

/* What a run of this program at a level prints; the caller frees it. */
static char *output_at(const char *level)
{
    enum { MOST = 1 << 16 };
    char command[4096], *out = calloc(MOST, 1);
    assert_non_null(out);
    snprintf(command, sizeof command, "CAIRN_KERNELS=%s '%s' print", level, own_name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = fread(out, 1, MOST - 1, pipe);
    assert_int_equal(pclose(pipe), 0);
    assert_true(n > 1000);
    return out;
}

static void test_linalg__bits_do_not_depend_on_the_level(void **state)
{
    (void)state;
    char *wanted = output_at("generic");
    static const char *const levels[] = {"avx2", "avx512"};
    for (size_t i = 0; i < 2; i++) {
        char *got = output_at(levels[i]);
        assert_string_equal(got, wanted);
        free(got);
    }
    free(wanted);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linalg__bits_do_not_depend_on_the_level),
    };
    if (argc > 1 && strcmp(argv[1], "print") == 0) return print_all();
    own_name = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
