/* SPDX-License-Identifier: MIT */
/* The rule that integrates products of paths. */
#include "explain/tree_paths.h"
#include "support/unit.h"
#include <math.h>

/* Powers up to 2 n − 1 are integrated exactly: 1 / (k + 1). */
static void test_gauss__powers_are_exact(void **state)
{
    cairn_context *ctx = *state;
    const size_t sizes[] = {1, 2, 3, 5, 8, 13, 40};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        cairn_gauss_rule rule;
        assert_ok(ctx, cairn_gauss_make(ctx, &rule, sizes[s]));
        for (size_t k = 0; k < 2 * sizes[s]; k++) {
            double sum = 0;
            for (size_t i = 0; i < rule.n; i++) {
                double power = rule.weights[i];
                for (size_t j = 0; j < k; j++) power *= rule.points[i];
                sum += power;
            }
            assert_true(fabs(sum * (double)(k + 1) - 1) < 1e-13);
        }
    }
}

static void test_gauss__points_lie_inside(void **state)
{
    cairn_context *ctx = *state;
    cairn_gauss_rule rule;
    assert_ok(ctx, cairn_gauss_make(ctx, &rule, 300));
    for (size_t i = 0; i < rule.n; i++) {
        assert_true(rule.points[i] > 0 && rule.points[i] < 1 && rule.weights[i] > 0);
        assert_true(i == 0 || rule.points[i] > rule.points[i - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_gauss__powers_are_exact),
        context_test(test_gauss__points_lie_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
