/* SPDX-License-Identifier: MIT */
/* The elementary functions against the C library's in long double, and their special values. */
#include "support/unit.h"
#include "base/functions.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static uint64_t number_state = 88172645463325252u;

static double draw(double low, double high)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return low + (high - low) * ((double)(number_state >> 11) * 0x1p-53);
}

/* |got - right| in units of the last digit of `right`. */
static double units(double got, long double right)
{
    double near = fabs((double)right), unit = nextafter(near, INFINITY) - near;
    if (near < DBL_MIN) unit = DBL_TRUE_MIN;
    return (double)(fabsl((long double)got - right) / unit);
}

typedef struct range {
    const char *name;
    double (*function)(double x);
    long double (*right)(long double x);
    double low, high, most;
} range;

static long double lgamma_right(long double x)
{
    int sign;
    return lgammal_r(x, &sign);
}

static const range ranges[] = {
    {"exp", cairn_exp, expl, -745, 709.7, 0.51},
    {"exp", cairn_exp, expl, -2, 2, 0.51},
    {"exp2", cairn_exp2, exp2l, -1074, 1024, 0.51},
    {"expm1", cairn_expm1, expm1l, -1, 1, 0.53},
    {"expm1", cairn_expm1, expm1l, -40, 700, 0.51},
    {"expm1", cairn_expm1, expm1l, -1e-9, 1e-9, 0.51},
    {"log", cairn_log, logl, 0, 2, 0.51},
    {"log", cairn_log, logl, 0.98, 1.02, 0.51},
    {"log", cairn_log, logl, 0, DBL_MAX, 0.51},
    {"log", cairn_log, logl, 0, 1e-307, 0.51},
    {"log2", cairn_log2, log2l, 0, 100, 0.51},
    {"log2", cairn_log2, log2l, 0.99, 1.01, 0.51},
    {"log10", cairn_log10, log10l, 0, 100, 0.51},
    {"log1p", cairn_log1p, log1pl, -0.999, 3, 0.52},
    {"log1p", cairn_log1p, log1pl, -1e-8, 1e-8, 0.51},
    {"log1p", cairn_log1p, log1pl, 0, 1e300, 0.51},
    {"cbrt", cairn_cbrt, cbrtl, -1000, 1000, 0.51},
    {"cbrt", cairn_cbrt, cbrtl, 0, DBL_MAX, 0.8},
    {"sin", cairn_sin, sinl, -100, 100, 0.51},
    {"cos", cairn_cos, cosl, -100, 100, 0.51},
    {"sin", cairn_sin, sinl, -1e10, 1e10, 0.51},
    {"cos", cairn_cos, cosl, -1e18, 1e18, 0.51},
    {"tan", cairn_tan, tanl, -1e300, 1e300, 0.51},
    {"tan", cairn_tan, tanl, -100, 100, 0.51},
    {"asin", cairn_asin, asinl, -1, 1, 0.51},
    {"acos", cairn_acos, acosl, -1, 1, 0.51},
    {"acos", cairn_acos, acosl, 0.9999, 1, 0.51},
    {"atan", cairn_atan, atanl, -3, 3, 0.51},
    {"atan", cairn_atan, atanl, -1e5, 1e5, 0.51},
    {"sinh", cairn_sinh, sinhl, -3, 3, 0.53},
    {"sinh", cairn_sinh, sinhl, -710, 710, 0.51},
    {"cosh", cairn_cosh, coshl, -710, 710, 0.51},
    {"tanh", cairn_tanh, tanhl, -3, 3, 0.53},
    {"tanh", cairn_tanh, tanhl, -30, 30, 0.51},
    {"erf", cairn_erf, erfl, -6, 6, 0.51},
    {"erfc", cairn_erfc, erfcl, -3, 6, 0.51},
    {"erfc", cairn_erfc, erfcl, 6, 25.5, 0.51},
    {"erfc", cairn_erfc, erfcl, 25.5, 26.5, 0.8},
    {"lgamma", cairn_lgamma, lgamma_right, 0, 4, 0.51},
    {"lgamma", cairn_lgamma, lgamma_right, 4, 1e6, 0.51},
};

static void test_functions__are_right_to_the_last_digit(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        double worst = 0, at = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = draw(ranges[r].low, ranges[r].high);
            double off = units(ranges[r].function(x), ranges[r].right(x));
            if (!(off <= worst)) worst = off, at = x;
        }
        if (!(worst <= ranges[r].most))
            fail_msg("%s(%.17g) is off by %g units", ranges[r].name, at, worst);
    }
}

static void test_functions__powers_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double x = draw(0, i % 2 ? 2 : 1000), y = draw(-90, 90);
        double off = units(cairn_pow(x, y), powl(x, y));
        if (!(off <= 0.51)) fail_msg("%.17g ^ %.17g is off by %g units", x, y, off);
    }
    for (int k = 0; k <= 22; k++) {
        double right =
            strtod((char[]){'1', 'e', (char)('0' + k / 10), (char)('0' + k % 10), 0}, NULL);
        assert_true(cairn_pow(10, k) == right);
        assert_true(cairn_log10(right) == k);
    }
    for (int k = -1074; k < 1024; k++) {
        assert_true(cairn_pow(2, k) == ldexp(1, k));
        assert_true(cairn_exp2(k) == ldexp(1, k));
        assert_true(cairn_log2(ldexp(1, k)) == k);
    }
}

/* Equal as bits, but all NaN are one. */
static void assert_same(double got, double right)
{
    if (isnan(got) && isnan(right)) return;
    if (got != right || signbit(got) != signbit(right)) fail_msg("%g instead of %g", got, right);
}

static void test_functions__special_values_are_those_of_c(void **state)
{
    (void)state;
    static const struct {
        double (*own)(double x), (*c)(double x);
    } pairs[] = {
        {cairn_exp, exp},   {cairn_exp2, exp2},   {cairn_expm1, expm1}, {cairn_log, log},
        {cairn_log2, log2}, {cairn_log10, log10}, {cairn_log1p, log1p}, {cairn_cbrt, cbrt},
        {cairn_sin, sin},   {cairn_cos, cos},     {cairn_tan, tan},     {cairn_asin, asin},
        {cairn_acos, acos}, {cairn_atan, atan},   {cairn_sinh, sinh},   {cairn_cosh, cosh},
        {cairn_tanh, tanh}, {cairn_erf, erf},     {cairn_erfc, erfc},   {cairn_lgamma, lgamma}};
    static const double values[] = {0.0,       -0.0, 1,      -1,  2,    -2,      INFINITY,
                                    -INFINITY, NAN,  5e-324, 1e5, -1e5, DBL_MAX, -DBL_MAX};
    for (size_t f = 0; f < sizeof pairs / sizeof *pairs; f++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            double got = pairs[f].own(values[v]), c = pairs[f].c(values[v]);
            if (isfinite(c) && c != 0)
                assert_true(fabs(got - c) <= 4e-16 * fabs(c));
            else
                assert_same(got, c);
        }
}

static void test_functions__special_pairs_are_those_of_c(void **state)
{
    (void)state;
    static const double values[] = {0.0,  -0.0,     1,         -1,  2,      -2,      3,        0.5,
                                    -0.5, INFINITY, -INFINITY, NAN, 5e-324, DBL_MAX, -DBL_MAX, 1e9};
    enum { N = sizeof values / sizeof *values };
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double x = values[i], y = values[j];
            double got[] = {cairn_pow(x, y), cairn_atan2(x, y), cairn_hypot(x, y)};
            double right[] = {pow(x, y), atan2(x, y), hypot(x, y)};
            for (int f = 0; f < 3; f++)
                if (fabs(right[f]) > DBL_MIN && isfinite(right[f])) {
                    if (!(fabs(got[f] - right[f]) <= 4e-16 * fabs(right[f])))
                        fail_msg("%d of %g, %g: %g instead of %g", f, x, y, got[f], right[f]);
                } else
                    assert_same(got[f], right[f]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions__are_right_to_the_last_digit),
        cmocka_unit_test(test_functions__powers_are_right),
        cmocka_unit_test(test_functions__special_values_are_those_of_c),
        cmocka_unit_test(test_functions__special_pairs_are_those_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
