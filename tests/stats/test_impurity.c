/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "stats/impurity.h"
#include <math.h>

static void assert_close(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void test_impurity__of_two_classes(void **state)
{
    (void)state;
    const double counts[2] = {1, 3};
    assert_close(cairn_entropy(counts, 2), 0.8112781244591328);
    assert_close(cairn_gini(counts, 2), 0.375);
    assert_close(cairn_minority(counts, 2), 0.25);
    assert_close(cairn_sqrt_gini(counts, 2), sqrt(3) / 4);
}

static void test_impurity__of_many_classes(void **state)
{
    (void)state;
    const double even[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    assert_close(cairn_entropy(even, 8), 3);
    assert_close(cairn_gini(even, 8), 7.0 / 8);
    assert_close(cairn_minority(even, 8), 7.0 / 8);
    assert_close(cairn_sqrt_gini(even, 8), 4 * sqrt(7.0 / 64));
}

static void test_impurity__of_pure_and_empty_sets_is_zero(void **state)
{
    (void)state;
    const double pure[3] = {0, 7.3, 0}, empty[3] = {0};
    for (int kind = CAIRN_ENTROPY; kind <= CAIRN_SQRT_GINI; kind++) {
        assert_true(cairn_impurity_of((cairn_impurity)kind, pure, 3) == 0);
        assert_true(cairn_impurity_of((cairn_impurity)kind, empty, 3) == 0);
        assert_true(cairn_impurity_of((cairn_impurity)kind, empty, 0) == 0);
        assert_true(cairn_impurity_after((cairn_impurity)kind, empty, 3, 1) == 0);
    }
}

static void test_impurity_after__of_four_splits(void **state)
{
    (void)state;
    const double length[6] = {2, 0, 1, 3, 2, 2}, teeth[4] = {3, 4, 2, 1};
    assert_close(cairn_impurity_after(CAIRN_ENTROPY, length, 3, 2), 0.7245112497836532);
    assert_close(cairn_impurity_after(CAIRN_GINI, length, 3, 2), 0.35);
    assert_close(cairn_impurity_after(CAIRN_SQRT_GINI, length, 3, 2), 0.37320508075688774);
    assert_close(cairn_impurity_after(CAIRN_MINORITY, length, 3, 2), 0.3);
    assert_close(cairn_impurity_after(CAIRN_ENTROPY, teeth, 2, 2), 0.965148445440323);
    assert_close(cairn_impurity_after(CAIRN_SQRT_GINI, teeth, 2, 2), 0.48783151775108496);
}

static void test_scores__of_known_tables(void **state)
{
    (void)state;
    cairn_split_scores s;
    const double petals[6] = {50, 0, 0, 0, 50, 50}, students[6] = {2, 50, 17, 23, 8, 0};
    cairn_split_scores_of(&s, petals, 2, 3, 0);
    assert_close(s.gini_reduction, 1.0 / 3);
    assert_close(s.chi_squared_share, 1);
    assert_close(s.gain, 0.9182958340544896);
    assert_close(s.gain_ratio, 1);
    assert_int_equal(s.degrees, 2);
    cairn_split_scores_of(&s, petals, 2, 3, 1);
    assert_close(s.gain, 0.7874736477078084);
    assert_close(s.total, 156);
    cairn_split_scores_of(&s, students, 2, 3, 0);
    assert_close(s.gini_reduction, 0.1682729312762974);
    assert_close(s.chi_squared_share, 0.5915590591800874);
    assert_close(s.chi_squared, 59.15590591800874);
    assert_close(s.gain, 0.4569277785406587);
}

static void test_scores__of_the_weather(void **state)
{
    (void)state;
    cairn_split_scores s;
    const double outlook[6] = {3, 2, 0, 4, 2, 3}, wind[4] = {2, 6, 3, 3};
    cairn_split_scores_of(&s, outlook, 3, 2, 0);
    assert_close(s.split_information, 1.5774062828523454);
    assert_close(s.gain_ratio, 0.15642756242117528);
    assert_close(s.gini - s.gini_reduction, 0.34285714285714286);
    cairn_split_scores_of(&s, wind, 2, 2, 0);
    assert_close(s.gain_ratio, 0.048848615511520824);
    assert_close(s.entropy, 0.9402859586706311);
}

static void test_scores__useless_and_empty_splits(void **state)
{
    (void)state;
    cairn_split_scores s;
    const double same[6] = {1, 2, 3, 6, 0.1, 0.2}, one_part[4] = {3, 5, 0, 0}, none[4] = {0};
    cairn_split_scores_of(&s, same, 3, 2, 0);
    assert_true(s.gain == 0 && s.gini_reduction == 0 && s.gain_ratio == 0);
    cairn_split_scores_of(&s, one_part, 2, 2, 0);
    assert_true(s.gain == 0 && s.split_information == 0 && s.gain_ratio == 0 && s.degrees == 0);
    assert_true(s.chi_squared == 0);
    cairn_split_scores_of(&s, none, 2, 2, 0);
    assert_true(s.total == 0 && s.gain == 0 && s.entropy == 0);
}

static void test_contributions__add_up_to_the_scores(void **state)
{
    (void)state;
    const double students[6] = {2, 50, 17, 23, 8, 0}, holes[6] = {4, 0, 1, 0, 0, 0};
    double out[6], sum = 0;
    cairn_class_contributions(out, CAIRN_CONTRIBUTION_PLAIN, students, 2, 3);
    assert_close(out[0], 3.370471014492754);
    assert_close(out[4], 3.212916129032257);
    cairn_class_contributions(out, CAIRN_CONTRIBUTION_POISSON, students, 2, 3);
    assert_close(out[3], 30.00806451612904);
    for (size_t i = 0; i < 6; i++) sum += out[i];
    assert_close(sum, 59.15590591800874);
    cairn_class_contributions(out, CAIRN_CONTRIBUTION_BERNOULLI, students, 2, 3);
    assert_close(out[0], 3.370471014492754 / (0.25 * 0.75));
    cairn_class_contributions(out, CAIRN_CONTRIBUTION_POISSON, holes, 2, 3);
    for (size_t i = 0; i < 6; i++) assert_close(out[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impurity__of_two_classes),
        cmocka_unit_test(test_impurity__of_many_classes),
        cmocka_unit_test(test_impurity__of_pure_and_empty_sets_is_zero),
        cmocka_unit_test(test_impurity_after__of_four_splits),
        cmocka_unit_test(test_scores__of_known_tables),
        cmocka_unit_test(test_scores__of_the_weather),
        cmocka_unit_test(test_scores__useless_and_empty_splits),
        cmocka_unit_test(test_contributions__add_up_to_the_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
