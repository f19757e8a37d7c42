/* SPDX-License-Identifier: MIT */
/* The named laws, against values of SciPy. */
#include "support/unit.h"
#include "stats/laws.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_close(const char *name, double x, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%s at %.17g: got %.17g, wanted %.17g", name, x, got, wanted);
}

static const struct {
    const char *name;
    double p[2], x, here[3], moments[2]; /* density, lower, upper; mean, variance */
} points[] = {
    {"bernoulli", {0.3, 1}, 0.0, {0.7, 0.7, 0.3}, {0.3, 0.21}},
    {"bernoulli", {0.3, 1}, 1.0, {0.3, 1.0, 0.0}, {0.3, 0.21}},
    {"beta",
     {2, 5},
     0.1,
     {1.9682999999999997, 0.11426500000000002, 0.8857349999999999},
     {0.2857142857142857, 0.025510204081632654}},
    {"beta",
     {2, 5},
     0.7,
     {0.17009999999999995, 0.989065, 0.010935000000000007},
     {0.2857142857142857, 0.025510204081632654}},
    {"binomial",
     {10, 0.25},
     0.0,
     {0.056313514709472656, 0.056313514709472684, 0.9436864852905273},
     {2.5, 1.875}},
    {"binomial",
     {10, 0.25},
     3.0,
     {0.2502822875976561, 0.7758750915527344, 0.22412490844726562},
     {2.5, 1.875}},
    {"chi-squared",
     {4, 1},
     0.5,
     {0.09735009788392562, 0.026499021160743912, 0.9735009788392561},
     {4.0, 8.0}},
    {"chi-squared",
     {4, 1},
     9.0,
     {0.0249952422110452, 0.9389005190396673, 0.06109948096033269},
     {4.0, 8.0}},
    {"exponential",
     {2.5, 1},
     0.1,
     {1.947001957678512, 0.22119921692859515, 0.7788007830714049},
     {0.4, 0.16000000000000003}},
    {"exponential",
     {2.5, 1},
     3.0,
     {0.001382710925369584, 0.9994469156298522, 0.0005530843701478336},
     {0.4, 0.16000000000000003}},
    {"f",
     {3, 10},
     0.5,
     {0.6340072082925299, 0.30937775446644245, 0.6906222455335576},
     {1.25, 1.9097222222222223}},
    {"f",
     {3, 10},
     4.0,
     {0.026450124831745504, 0.9586523189639174, 0.04134768103608254},
     {1.25, 1.9097222222222223}},
    {"gamma",
     {2, 3},
     1.0,
     {0.07961459006375436, 0.04462491923494765, 0.9553750807650524},
     {6.0, 18.0}},
    {"gamma",
     {2, 3},
     20.0,
     {0.002828075114088462, 0.9902431408563948, 0.009756859143605193},
     {6.0, 18.0}},
    {"geometric", {0.6, 0}, 0.0, {0.4, 0.4, 0.6}, {1.5, 3.749999999999999}},
    {"geometric", {0.6, 0}, 3.0, {0.08639999999999999, 0.8704, 0.1296}, {1.5, 3.749999999999999}},
    {"geometric", {0.6, 1}, 1.0, {0.4, 0.4, 0.6}, {2.5, 3.749999999999999}},
    {"geometric", {0.6, 1}, 3.0, {0.144, 0.784, 0.21599999999999997}, {2.5, 3.749999999999999}},
    {"normal",
     {1, 2},
     -3.0,
     {0.026995483256594024, 0.022750131948179195, 0.9772498680518208},
     {1.0, 4.0}},
    {"normal",
     {1, 2},
     2.0,
     {0.17603266338214973, 0.6914624612740131, 0.3085375387259869},
     {1.0, 4.0}},
    {"poisson",
     {4.5, 1},
     0.0,
     {0.011108996538242308, 0.011108996538242308, 0.9888910034617577},
     {4.5, 4.5}},
    {"poisson",
     {4.5, 1},
     3.0,
     {0.16871788492455503, 0.34229595583459105, 0.657704044165409},
     {4.5, 4.5}},
    {"poisson",
     {4.5, 1},
     12.0,
     {0.0015991456927801646, 0.9991948621196787, 0.0008051378803213357},
     {4.5, 4.5}},
    {"poisson",
     {1000000.0, 1},
     999000.0,
     {0.00024205141512534674, 0.15877629981172567, 0.8412237001882743},
     {1000000.0, 1000000.0}},
    {"t", {7, 1}, -2.0, {0.06313533730266196, 0.04280966428148798, 0.9571903357185121}, {0.0, 1.4}},
    {"t", {7, 1}, 1.0, {0.2256749202754575, 0.8246916685898963, 0.17530833141010374}, {0.0, 1.4}},
    {"uniform",
     {2, 5},
     2.5,
     {0.3333333333333333, 0.16666666666666666, 0.8333333333333334},
     {3.5, 0.75}},
    {"uniform",
     {2, 5},
     4.0,
     {0.3333333333333333, 0.6666666666666666, 0.33333333333333337},
     {3.5, 0.75}},
};

static void test_laws__have_densities_tails_and_moments(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(points); i++) {
        const cairn_law *law = cairn_law_find(points[i].name);
        double a = points[i].p[0], b = points[i].p[1], x = points[i].x;
        assert_non_null(law);
        assert_true(cairn_law_takes(law, a, b));
        assert_close(law->name, x, law->density(x, a, b), points[i].here[0], 1e-9);
        assert_close(law->name, x, law->lower(x, a, b), points[i].here[1], 1e-9);
        assert_close(law->name, x, law->upper(x, a, b), points[i].here[2], 1e-9);
        assert_close(law->name, x, law->mean(a, b), points[i].moments[0], 1e-12);
        assert_close(law->name, x, law->variance(a, b), points[i].moments[1], 1e-12);
    }
}

static const struct {
    const char *name;
    double a, b, x, log;
} cases[] = {
    {"normal", 0, 1, 50.0, -1250.9189385332047},
    {"beta", 200, 3, 0.0001, -1817.6411912418125},
    {"gamma", 2, 3, 5000.0, -1660.3466980525868},
    {"t", 7, 1, 1e+80, -1466.8253530705394},
    {"f", 3, 9, 1e+200, -2525.445309584869},
    {"binomial", 1000, 0.01, 900.0, -3823.7449135413663},
    {"poisson", 4.5, 1, 1000.0, -4412.55078171189},
    {"exponential", 2, 1, 1000.0, -1999.30685281944},
    {"geometric", 0.5, 0, 2000.0, -1386.9875083004504},
    {"chi-squared", 3, 1, 5000.0, -2496.660341937496},
};

static void test_laws__have_logarithms_where_the_density_underflows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const cairn_law *law = cairn_law_find(cases[i].name);
        assert_true(law->density(cases[i].x, cases[i].a, cases[i].b) < 1e-300);
        assert_close(law->name, cases[i].x,
                     cairn_law_log_density(law, cases[i].x, cases[i].a, cases[i].b), cases[i].log,
                     1e-12);
    }
}

static const struct {
    const char *name;
    double a, b, probability, x;
} quantiles[] = {
    {"poisson", 4.5, 1, 0.001, 0.0},
    {"poisson", 4.5, 1, 0.3, 3.0},
    {"poisson", 4.5, 1, 0.5, 4.0},
    {"poisson", 4.5, 1, 0.9, 7.0},
    {"poisson", 4.5, 1, 0.9999, 14.0},
    {"poisson", 0.01, 1, 0.001, 0.0},
    {"poisson", 0.01, 1, 0.3, 0.0},
    {"poisson", 0.01, 1, 0.5, 0.0},
    {"poisson", 0.01, 1, 0.9, 0.0},
    {"poisson", 0.01, 1, 0.9999, 1.0},
    {"poisson", 1000000.0, 1, 0.001, 996911.0},
    {"poisson", 1000000.0, 1, 0.3, 999475.0},
    {"poisson", 1000000.0, 1, 0.5, 1000000.0},
    {"poisson", 1000000.0, 1, 0.9, 1001282.0},
    {"poisson", 1000000.0, 1, 0.9999, 1003721.0},
    {"geometric", 0.6, 0, 0.001, 0.0},
    {"geometric", 0.6, 0, 0.3, 0.0},
    {"geometric", 0.6, 0, 0.5, 1.0},
    {"geometric", 0.6, 0, 0.9, 4.0},
    {"geometric", 0.6, 0, 0.9999, 18.0},
    {"geometric", 0.99, 1, 0.001, 1.0},
    {"geometric", 0.99, 1, 0.3, 36.0},
    {"geometric", 0.99, 1, 0.5, 69.0},
    {"geometric", 0.99, 1, 0.9, 230.0},
    {"geometric", 0.99, 1, 0.9999, 917.0},
};

static void test_laws__count_to_the_least_point_that_reaches_a_probability(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(quantiles); i++) {
        const cairn_law *law = cairn_law_find(quantiles[i].name);
        double a = quantiles[i].a, b = quantiles[i].b, p = quantiles[i].probability;
        assert_close(law->name, p, law->quantile(p, a, b), quantiles[i].x, 0);
        if (p < 0.9)
            assert_close(law->name, p, law->quantile_upper(1 - p, a, b), quantiles[i].x, 0);
    }
}

static void test_laws__refuse_parameters_outside_their_range(void **state)
{
    static const struct {
        const char *name;
        double a, b;
    } bad[] = {{"bernoulli", 1.5, 1}, {"poisson", -1, 1},      {"geometric", 1, 0},
               {"exponential", 0, 1}, {"uniform", 2, 2},       {"normal", 0, 0},
               {"poisson", NAN, 1},   {"uniform", 0, INFINITY}};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(cairn_law_takes(cairn_law_find(bad[i].name), bad[i].a, bad[i].b));
    assert_null(cairn_law_find("cauchy"));
}

/* ln 0.18, ln 0.15, and of 2n trials in equal halves -ln(pi n) / 2. */
static void test_multinomial__keeps_the_digits_of_many_trials(void **state)
{
    (void)state;
    const double chances[] = {0.5, 0.3, 0.2, 0}, halves[] = {0.5, 0.5};
    assert_close("multinomial", 2, cairn_multinomial_log((double[]){2, 1, 1}, chances, 3),
                 -1.7147984280919266, 1e-14);
    assert_close("multinomial", 3, cairn_multinomial_log((double[]){3, 1, 1, 0}, chances, 4),
                 -1.8971199848858813, 1e-14);
    assert_close("multinomial", 1e14, cairn_multinomial_log((double[]){1e14, 1e14}, halves, 2),
                 -16.69046059388302, 1e-12);
    assert_true(cairn_multinomial_log((double[]){0, 0, 0}, chances, 3) == 0);
    assert_true(isinf(cairn_multinomial_log((double[]){1, 0, 0, 1}, chances, 4)));
    assert_true(isinf(cairn_multinomial_log((double[]){0.5, 0.5}, halves, 2)));
    assert_true(isinf(cairn_multinomial_log((double[]){-1, 2}, halves, 2)));
}

/* Closed forms, where the tails underflow; elsewhere the logarithm of the tail. */
static void test_laws__have_logarithms_of_tails(void **state)
{
    static const struct {
        const char *name;
        double p[2], x;
        bool upper;
        double log;
    } tails[] = {
        {"normal", {0, 1}, 40, true, -804.60844201375379},
        {"normal", {0, 2}, -80, false, -804.60844201375379},
        {"gamma", {2, 1}, 800, true, -793.31413905293164}, /* ln 801 - 800 */
        {"chi-squared", {4, 1}, 1600, true, -793.31413905293164},
        {"exponential", {2, 1}, 1000, true, -2000},
        {"geometric", {0.5, 0}, 1999, true, -2000 * 0.69314718055994531},
        {"binomial", {4000, 0.5}, 0, false, -4000 * 0.69314718055994531},
        {"binomial", {4000, 0.5}, 3999, true, -4000 * 0.69314718055994531},
        {"poisson", {2000, 1}, 0, false, -2000},
        {"beta", {1, 900}, 0.9, true, 900 * -2.3025850929940457}, /* (1 - x)^b */
        {"t", {2, 1}, 1e160, true, 2 * -368.41361487904731 - 0.69314718055994531},
        {"f", {2, 200}, 1e9, true, -1611.8095750958315}, /* (1 + x/100)^-100 */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(tails); i++) {
        const cairn_law *law = cairn_law_find(tails[i].name);
        double got =
            cairn_law_log_tail(law, tails[i].x, tails[i].p[0], tails[i].p[1], tails[i].upper);
        assert_close(tails[i].name, tails[i].x, got, tails[i].log, 1e-12);
    }
    for (size_t i = 0; i < COUNT(points); i++) {
        const cairn_law *law = cairn_law_find(points[i].name);
        double a = points[i].p[0], b = points[i].p[1], x = points[i].x;
        for (int upper = 0; upper < 2; upper++) {
            double tail = points[i].here[1 + upper];
            double got = cairn_law_log_tail(law, x, a, b, upper);
            if (tail > 0 && tail < 1)
                assert_true(fabs(got - log(tail)) <= 1e-11 * (1 + fabs(log(tail))));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws__have_densities_tails_and_moments),
        cmocka_unit_test(test_laws__have_logarithms_where_the_density_underflows),
        cmocka_unit_test(test_laws__have_logarithms_of_tails),
        cmocka_unit_test(test_laws__count_to_the_least_point_that_reaches_a_probability),
        cmocka_unit_test(test_laws__refuse_parameters_outside_their_range),
        cmocka_unit_test(test_multinomial__keeps_the_digits_of_many_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
