/* SPDX-License-Identifier: MIT */
/* A number that is not finite is found wherever it stands, and none elsewhere. */
#include "kernels/row_finite.h"
#include "support/unit.h"
#include <float.h>
#include <math.h>

enum { MOST = 70 };

static void test_row_finite__finds_the_odd_one_anywhere(void **state)
{
    static const double odd[] = {INFINITY, -INFINITY, NAN};
    static const double even[] = {0, -0.0, DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, -1.5};
    cairn_row_finite is_finite = cairn_row_finite_check();
    (void)state;
    for (size_t n = 0; n <= MOST; n++) {
        double *x = test_malloc((n + 1) * sizeof *x); /* nothing behind the row is looked at */
        for (size_t i = 0; i < n; i++) x[i] = even[i % (sizeof even / sizeof *even)];
        x[n] = NAN;
        assert_true(is_finite(x, n));
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
                double kept = x[i];
                x[i] = odd[k];
                assert_false(is_finite(x, n));
                x[i] = kept;
            }
        test_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_finite__finds_the_odd_one_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
