/* SPDX-License-Identifier: MIT */
/* Generalised least squares: numpy's (X'V⁻¹X)⁻¹X'V⁻¹y for series, groups and a given matrix, ρ
 * that is estimated, weights, refusals. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include <unistd.h>

/* x, y, t, g */
static const double rows[] = {1, 2, 3.1,  0, 2, 1, 3.9, 0, 3, 5, 9.2,  0, 4, 3, 8,    1,
                              5, 8, 14.1, 1, 6, 2, 9.8, 2, 7, 7, 15.3, 2, 8, 1, 10.2, 2};

static cairn_status fit_groups(cairn_context *ctx, fitted *f, const char *spec)
{
    cairn_status status = table_of(ctx, &f->table, "x y t g", rows, 8, 4);
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, f->table, "g", CAIRN_GROUP);
    if (status == CAIRN_OK) status = learn(ctx, &f->model, &f->report, f->table, spec, "t", NULL);
    return status;
}

static void test_gls__series(void **state)
{
    fitted f = {0};
    assert_ok(*state, fit_groups(*state, &f, "gls:rho=0.5"));
    assert_value(f.report, "coefficient.x", 1.1483082057774192, 1e-11);
    assert_value(f.report, "coefficient.y", 0.9777973587294282, 1e-11);
    assert_value(f.report, "coefficient.intercept", 0.39366152606744453, 1e-10);
    assert_value(f.report, "error.x", 0.09505074701138085, 1e-10);
    assert_value(f.report, "error.intercept", 0.5236185296239051, 1e-10);
    drop(&f);
    assert_ok(*state, fit_groups(*state, &f, "gls"));
    assert_value(f.report, "rho", -0.31519003643228777, 1e-8);
    assert_value(f.report, "coefficient.y", 1.0375477462802596, 1e-8);
    assert_value(f.report, "error.intercept", 0.2907727403164016, 1e-8);
    drop(&f);
}

static void test_gls__groups(void **state)
{
    fitted f = {0};
    assert_ok(*state, fit_groups(*state, &f, "gls:errors=groups,rho=0.3"));
    assert_value(f.report, "coefficient.x", 1.133443642259047, 1e-11);
    assert_value(f.report, "coefficient.intercept", 0.4413326937439659, 1e-10);
    assert_value(f.report, "error.y", 0.05940734318526045, 1e-10);
    drop(&f);
    assert_ok(*state, fit_groups(*state, &f, "gls:errors=groups"));
    assert_value(f.report, "rho", -0.4995, 1e-12);
    assert_value(f.report, "coefficient.x", 1.1401152339742353, 1e-10);
    drop(&f);
}

/* The file of the matrix, of which the largest entry beside the diagonal is given. */
static void write_matrix(char *path, double first, double last)
{
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out, "a,b,c,d,e,f,g,h\n");
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int low = i < j ? i : j, far = i < j ? j - i : i - j;
            double value = far == 0 ? 1 : far == 1 ? first + (last - first) * low / 6 : 0;
            fprintf(out, "%.17g%c", value, j == 7 ? '\n' : ',');
        }
    fclose(out);
}

static void test_gls__given_matrix(void **state)
{
    char path[] = "/tmp/cairn-gls-XXXXXX.csv", wrong[] = "/tmp/cairn-gls-XXXXXX.csv", spec[200];
    fitted f = {0};
    write_matrix(path, 0.1, 0.5);
    snprintf(spec, sizeof spec, "gls:errors=matrix,matrix=%s", path);
    assert_ok(*state, fit_groups(*state, &f, spec));
    assert_value(f.report, "coefficient.x", 1.1480144143038977, 1e-11);
    assert_value(f.report, "coefficient.intercept", 0.4618144569932796, 1e-10);
    assert_value(f.report, "error.intercept", 0.3707370885088152, 1e-10);
    drop(&f);
    write_matrix(wrong, 0.9, 1.5);
    snprintf(spec, sizeof spec, "gls:errors=matrix,matrix=%s", wrong);
    assert_int_equal(fit_groups(*state, &f, spec), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "positive definite"));
    drop(&f);
    assert_int_equal(fit_groups(*state, &f, "gls:errors=matrix"), CAIRN_USAGE);
    drop(&f);
    unlink(path);
    unlink(wrong);
}

/* Without correlation it is weighted least squares. */
/* Columns that differ by little, but by more than rounding, count. */
static void test_gls__columns_that_nearly_depend(void **state)
{
    static const int signs[] = {1, -1, -1, 1, 1, 1, -1, -1};
    double cells[8 * 3];
    for (int i = 0; i < 8; i++) {
        cells[3 * i] = i / 8.0;
        cells[3 * i + 1] = 3 - 2 * cells[3 * i] + ldexp(signs[i], -40);
        cells[3 * i + 2] = signs[i];
    }
    fitted f = fit_numbers(*state, "gls:rho=0.5", "x z t", cells, 8, 3, "t");
    assert_value(f.report, "sse", 0, 1e-3);
    drop(&f);
}

static void test_gls__weights(void **state)
{
    static const double line[] = {1, 1, 1, 2, 2, 1, 3, 1.3, 1, 4, 3.75, 1, 5, 2.25, 4};
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x t w", line, 5, 3));
    assert_ok(*state, learn(*state, &f.model, &f.report, f.table, "gls:rho=0", "t", "w"));
    assert_value(f.report, "coefficient.intercept", 1.067857142857142, 1e-12);
    assert_value(f.report, "coefficient.x", 0.28357142857142886, 1e-12);
    assert_value(f.report, "sse", 3.2574642857142857, 1e-12);
    drop(&f);
}

static void test_gls__needs_groups(void **state)
{
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x y t g", rows, 8, 4));
    assert_int_equal(learn(*state, &f.model, &f.report, f.table, "gls:errors=groups", "t", NULL),
                     CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "group"));
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    (void)data;
    cairn_status status = fit_groups(ctx, &f, "gls:errors=groups");
    drop(&f);
    return status;
}

static void test_gls__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_gls__series),
        context_test(test_gls__columns_that_nearly_depend),
        context_test(test_gls__groups),
        context_test(test_gls__given_matrix),
        context_test(test_gls__weights),
        context_test(test_gls__needs_groups),
        context_test(test_gls__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
