/* SPDX-License-Identifier: MIT */
/* The order by density: worked out by hand on a line; valleys of two densities. */
#include "support/learn.h"

static void assert_values(const fitted *f, const char *what, const double *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%zu", what, i + 1);
        assert_value(f->report, name, wanted[i], 1e-12);
    }
}

/* min-points 2: the core distance is the distance to the nearest. From 0 on the next is always the
 * neighbour to the right, until 20 is reached from 6 over 14. */
static void test_optics__a_line_by_hand(void **state)
{
    static const double line[] = {0, 20, 1, 3, 6, 22};
    static const double order[] = {1, 3, 4, 5, 2, 6}, core[] = {1, 2, 1, 2, 3, 2};
    static const double reach[] = {INFINITY, 14, 1, 2, 3, 2};
    fitted f = fit_numbers(*state, "optics:min-points=2,cut=3", "x", line, 6, 1, NULL);
    assert_values(&f, "order", order, 6);
    assert_values(&f, "core", core, 6);
    assert_values(&f, "reach", reach, 6);
    assert_values(&f, "assign", (const double[]){1, 2, 1, 1, 1, 2}, 6);
    drop(&f);
    f = fit_numbers(*state, "optics:min-points=2,eps=2.5,cut=2.5", "x", line, 6, 1, NULL);
    assert_values(&f, "assign", (const double[]){1, 2, 1, 1, 0, 2}, 6);
    assert_value(f.report, "core.5", INFINITY, 0);
    drop(&f);
}

/* Eight points 0.1 apart and eight points 1 apart: slopes find both. */
static void test_optics__valleys_of_two_densities(void **state)
{
    double line[16], wanted[16];
    for (size_t i = 0; i < 8; i++) {
        line[i] = 0.1 * (double)i;
        line[8 + i] = 10 + (double)i;
    }
    for (size_t i = 0; i < 16; i++) wanted[i] = i < 8 ? 1 : 2;
    fitted f = fit_numbers(*state, "optics:min-points=3", "x", line, 16, 1, NULL);
    assert_value(f.report, "clusters", 2, 0);
    assert_values(&f, "assign", wanted, 16);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_optics__a_line_by_hand),
        context_test(test_optics__valleys_of_two_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
