/* SPDX-License-Identifier: MIT */
/* Memberships by distances: shares by hand, rows on exemplars, what has no answer. */
#include "stats/memberships.h"
#include "support/unit.h"
#include <math.h>

static void assert_shares(const double *got, const double *wanted, size_t k)
{
    for (size_t c = 0; c < k; c++) assert_true(fabs(got[c] - wanted[c]) < 1e-12);
}

static void test_memberships__fuzzy(void **state)
{
    double u[3];
    (void)state;
    cairn_memberships_fuzzy(u, (const double[]){1, 4}, 2, 2);
    assert_shares(u, (const double[]){0.8, 0.2}, 2);
    cairn_memberships_fuzzy(u, (const double[]){1, 4}, 2, 3); /* roots: 1 and 1/2 */
    assert_shares(u, (const double[]){2.0 / 3, 1.0 / 3}, 2);
    cairn_memberships_fuzzy(u, (const double[]){0, 5, 0}, 3, 2);
    assert_shares(u, (const double[]){0.5, 0, 0.5}, 3);
    cairn_memberships_fuzzy(u, (const double[]){1, INFINITY}, 2, 2);
    assert_shares(u, (const double[]){1, 0}, 2);
    cairn_memberships_fuzzy(u, (const double[]){1, NAN}, 2, 2);
    assert_true(isnan(u[0]) && isnan(u[1]));
}

static void test_memberships__bell(void **state)
{
    double u[2], far = exp(-3.0 / 8);
    (void)state;
    cairn_memberships_bell(u, (const double[]){1, 4}, 2, 2); /* exp(-(4 - 1) / (2 · 4)) */
    assert_shares(u, (const double[]){1 / (1 + far), far / (1 + far)}, 2);
    cairn_memberships_bell(u, (const double[]){1e300, 2e300}, 2, 1e-3);
    assert_shares(u, (const double[]){1, 0}, 2);
}

static void test_memberships__harden(void **state)
{
    (void)state;
    assert_int_equal(cairn_membership_harden((const double[]){0.4, 0.51, 0.09}, 3), 1);
    assert_int_equal(cairn_membership_harden((const double[]){0.5, 0.5}, 2), 0);
    assert_int_equal(cairn_membership_harden((const double[]){0.5, NAN}, 2), -1);
    assert_int_equal(cairn_membership_harden(NULL, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memberships__fuzzy),
        cmocka_unit_test(test_memberships__bell),
        cmocka_unit_test(test_memberships__harden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
