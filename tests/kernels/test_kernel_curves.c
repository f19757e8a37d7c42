/* SPDX-License-Identifier: MIT */
/* exp, ln, tanh and softmax of many numbers against long double; run once per level. */
#include "support/digest.h"
#include "support/unit.h"
#include "kernels/elementwise.h"
#include <float.h>
#include <math.h>

enum { MANY = 4099 };

static uint64_t seen = DIGEST_START; /* of all numbers that the functions gave */
static uint64_t number_state = 88172645463325252u;

static double draw(double low, double high)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return low + (high - low) * ((double)(number_state >> 11) * 0x1p-53);
}

/* |got - right| in units of the last of `digits` binary digits, denormal below 2^lowest. */
static double units(double got, long double right, int digits, int lowest)
{
    int exponent;
    frexpl(right, &exponent);
    if (exponent <= lowest) exponent = lowest + 1;
    return (double)(fabsl((long double)got - right) / ldexpl(1, exponent - digits));
}

typedef struct range {
    void (*each)(double *out, const double *x, size_t n);
    void (*each_floats)(float *out, const float *x, size_t n);
    long double (*right)(long double x);
    double low, high, low_float, high_float, most;
} range;

static const range ranges[] = {
    {cairn_exp_each, cairn_exp_each_floats, expl, -745, 709, -103, 88.7, 1},
    {cairn_exp_each, cairn_exp_each_floats, expl, -1, 1, -1, 1, 1},
    {cairn_log_each, cairn_log_each_floats, logl, 0, 10, 0, 10, 1},
    {cairn_log_each, cairn_log_each_floats, logl, 0.6, 1.6, 0.6, 1.6, 1},
    {cairn_log_each, cairn_log_each_floats, logl, 1e-320, 1e-307, 1e-44, 1e-37, 1},
    {cairn_log_each, cairn_log_each_floats, logl, 1, DBL_MAX, 1, FLT_MAX, 1},
    {cairn_tanh_each, cairn_tanh_each_floats, tanhl, -1, 1, -1, 1, 2.5},
    {cairn_tanh_each, cairn_tanh_each_floats, tanhl, -25, 25, -12, 12, 2.5},
    {cairn_tanh_each, cairn_tanh_each_floats, tanhl, -1e-8, 1e-8, -1e-4, 1e-4, 2.5},
};

static void test_curves__are_right_to_the_last_digit(void **state)
{
    (void)state;
    static double x[MANY], out[MANY];
    static float fx[MANY], fout[MANY];
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        const range *of = &ranges[r];
        for (size_t i = 0; i < MANY; i++) {
            x[i] = draw(of->low, of->high);
            fx[i] = (float)draw(of->low_float, of->high_float);
        }
        of->each(out, x, MANY);
        of->each_floats(fout, fx, MANY);
        seen = digest_add(digest_add(seen, out, sizeof out), fout, sizeof fout);
        for (size_t i = 0; i < MANY; i++) {
            double off = units(out[i], of->right(x[i]), 53, -1022);
            double off_float = units(fout[i], of->right(fx[i]), 24, -126);
            if (!(off <= of->most)) fail_msg("range %zu: %.17g is off by %g", r, x[i], off);
            if (!(off_float <= of->most))
                fail_msg("range %zu: %.9g is off by %g", r, fx[i], off_float);
        }
    }
}

static void assert_same(double got, double right)
{
    if (isnan(got) && isnan(right)) return;
    if (got != right || signbit(got) != signbit(right)) fail_msg("%g instead of %g", got, right);
}

static void test_curves__special_values_are_those_of_c(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, 1, INFINITY, -INFINITY, NAN, -1, 1e9, -1e9};
    enum { N = sizeof values / sizeof *values };
    double e[N], l[N], t[N];
    float fx[N], fe[N], fl[N], ft[N];
    for (size_t i = 0; i < N; i++) fx[i] = (float)values[i];
    cairn_exp_each(e, values, N), cairn_log_each(l, values, N), cairn_tanh_each(t, values, N);
    cairn_exp_each_floats(fe, fx, N), cairn_log_each_floats(fl, fx, N);
    cairn_tanh_each_floats(ft, fx, N);
    for (size_t i = 0; i < N; i++) {
        bool usual = values[i] == 1 || fabs(values[i]) == 1e9;
        if (usual && values[i] == 1) continue; /* see the test above */
        assert_same(e[i], values[i] == -1 ? e[i] : exp(values[i]));
        assert_same(fe[i], values[i] == -1 ? fe[i] : expf(fx[i]));
        assert_same(l[i], values[i] == 1e9 ? l[i] : log(values[i]));
        assert_same(fl[i], values[i] == 1e9 ? fl[i] : logf(fx[i]));
        assert_same(t[i], values[i] == -1 ? t[i] : tanh(values[i]));
        assert_same(ft[i], values[i] == -1 ? ft[i] : tanhf(fx[i]));
    }
}

static void test_curves__do_not_depend_on_the_place(void **state)
{
    (void)state;
    double x[37], out[37], one;
    for (size_t i = 0; i < 37; i++) x[i] = draw(0, 5);
    cairn_log_each(out, x, 37);
    for (size_t i = 0; i < 37; i++) {
        cairn_log_each(&one, &x[i], 1);
        assert_true(one == out[i]);
    }
}

static void test_softmax__adds_up_and_never_overflows(void **state)
{
    (void)state;
    for (size_t k = 1; k < 20; k++) {
        double x[2 * 21], right[2 * 21], logs[2];
        for (size_t i = 0; i < 2; i++) {
            long double sum = 0;
            for (size_t j = 0; j < k; j++) x[i * 21 + j] = draw(-30, 30) + (i ? 5000 : 0);
            for (size_t j = 0; j < k; j++) sum += expl((long double)x[i * 21 + j] - (i ? 5000 : 0));
            for (size_t j = 0; j < k; j++)
                right[i * 21 + j] =
                    (double)(expl((long double)x[i * 21 + j] - (i ? 5000 : 0)) / sum);
            logs[i] = (double)(logl(sum) + (i ? 5000 : 0));
        }
        double found[2];
        cairn_softmax_rows(x, found, 21, 2, k);
        seen = digest_add(digest_add(seen, x, k * sizeof *x), found, sizeof found);
        for (size_t i = 0; i < 2; i++) {
            assert_true(fabs(found[i] - logs[i]) <= 1e-14 * fmax(fabs(logs[i]), 1));
            for (size_t j = 0; j < k; j++)
                assert_true(fabs(x[i * 21 + j] - right[i * 21 + j]) <= 2e-14 * right[i * 21 + j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves__are_right_to_the_last_digit),
        cmocka_unit_test(test_curves__special_values_are_those_of_c),
        cmocka_unit_test(test_curves__do_not_depend_on_the_place),
        cmocka_unit_test(test_softmax__adds_up_and_never_overflows),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    digest_write("kernels", "curves", seen);
    return failed;
}
