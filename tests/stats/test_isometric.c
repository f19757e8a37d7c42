/* SPDX-License-Identifier: MIT */
/* Values of points in coverage space. */
#include "stats/isometric.h"
#include "support/unit.h"

#include <math.h>

static double value(const char *name, double p, double n, double positives, double negatives)
{
    const cairn_isometric *m = cairn_isometric_find(name);
    assert_non_null(m);
    return m->value(p, n, positives, negatives);
}

static void test_isometric__values(void **state)
{
    (void)state;
    assert_true(fabs(value("accuracy", 8, 2, 10, 10) - 0.8) < 1e-12);
    assert_true(fabs(value("recall", 8, 2, 10, 20) - 0.85) < 1e-12);
    assert_true(fabs(value("precision", 8, 2, 10, 10) - 0.8) < 1e-12);
    assert_true(isnan(value("precision", 0, 0, 10, 10)));
    assert_true(fabs(value("laplace", 8, 2, 10, 10) - 0.75) < 1e-12);
    assert_true(fabs(value("f", 8, 2, 10, 10) - 0.8) < 1e-12);
    assert_true(fabs(value("gini", 8, 2, 10, 10) - 0.32) < 1e-12);
    assert_true(isnan(value("gini", 0, 0, 10, 10)));
    assert_true(fabs(value("gain", 8, 2, 10, 10) - (1 - 0.7219280948873623)) < 1e-12);
    assert_true(fabs(value("gini-gain", 10, 6, 10, 10) - (0.5 - 0.375)) < 1e-12);
    assert_true(value("gain", 5, 5, 10, 10) == 0);
    assert_true(value("gain", 0, 0, 10, 10) == 0);
    assert_null(cairn_isometric_find("beauty"));
}

/* The root of Gini stays with its choice when a class becomes ten times as frequent. */
static void test_isometric__inflated_classes(void **state)
{
    (void)state;
    assert_true(value("gain", 8, 2, 10, 10) > value("gain", 10, 6, 10, 10));
    assert_true(value("gain", 80, 2, 100, 10) < value("gain", 100, 6, 100, 10));
    assert_true(value("sqrtgini-gain", 8, 2, 10, 10) < value("sqrtgini-gain", 10, 6, 10, 10));
    assert_true(value("sqrtgini-gain", 80, 2, 100, 10) < value("sqrtgini-gain", 100, 6, 100, 10));
}

static void test_isometric__planes(void **state)
{
    (void)state;
    cairn_isometric_plane rates = {cairn_isometric_find("accuracy"), 10, 40, 40, 10};
    assert_true(fabs(cairn_isometric_at(&rates, 0.25, 0.5) - (5 + 30) / 50.0) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isometric__values),
        cmocka_unit_test(test_isometric__inflated_classes),
        cmocka_unit_test(test_isometric__planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
