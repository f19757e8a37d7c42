/* SPDX-License-Identifier: MIT */
/* The chances of the Durbin-Watson statistic: Imhof's integral over numpy's eigenvalues by
 * scipy. */
#include "stats/durbin_watson.h"
#include "support/unit.h"
#include <math.h>

enum { MOST = 300 };

static double below(cairn_context *ctx, size_t n, double d, size_t k)
{
    double x[MOST * 4], p;
    bool exact;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            x[i * k + j] = j == 0   ? 1
                           : j == 1 ? (double)(i * 7 % 11)
                           : j == 2 ? (double)(i * i % 13)
                                    : (double)(i * 7 % 11) * 3 - 2;
    assert_ok(ctx, cairn_durbin_watson_below(ctx, &p, &exact, x, n, k, d));
    assert_true(exact);
    return p;
}

static void test_durbin_watson__is_imhofs(void **state)
{
    assert_true(fabs(below(*state, 12, 1.1, 3) - 0.02870198619159553) < 1e-12);
    assert_true(fabs(below(*state, 150, 1.75, 3) - 0.06235365862269393) < 1e-12);
    assert_true(fabs(below(*state, 300, 2.2, 3) - 0.9591450385426543) < 1e-12);
}

static void test_durbin_watson__columns_that_others_determine_change_nothing(void **state)
{
    assert_true(fabs(below(*state, 12, 1.1, 4) - 0.02870198619159553) < 1e-12);
}

static void test_durbin_watson__edges(void **state)
{
    assert_true(isnan(below(*state, 2, 1, 2)));
    double one = below(*state, 3, 1, 2); /* of one direction of residuals: it is always above 1 */
    assert_true(one < 1e-8);
    assert_true(isnan(below(*state, 12, NAN, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_durbin_watson__is_imhofs),
        context_test(test_durbin_watson__columns_that_others_determine_change_nothing),
        context_test(test_durbin_watson__edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
