/* SPDX-License-Identifier: MIT */
/* Activation functions against tables worked out by hand, and their slopes against differences. */
#include "support/unit.h"
#include "stats/activations.h"
#include "stats/layers.h"
#include <math.h>
#include <string.h>

static void assert_near(double got, double wanted, double by)
{
    if (!(fabs(got - wanted) <= by)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void assert_values(cairn_context *ctx, const char *text, const double *x,
                          const double *wanted, size_t n)
{
    cairn_activated a;
    assert_ok(ctx, cairn_activation_read(ctx, &a, "function", text));
    for (size_t i = 0; i < n; i++) assert_near(cairn_activate(&a, x[i]), wanted[i], 1e-14);
}

static void test_activations__values(void **state)
{
    static const double x[] = {-4, -1, -0.5, 0, 0.5, 1, 4};
    static const double threshold[] = {-1, -1, -1, -1, 1, 1, 1}, step[] = {0, 0, 0, 1, 1, 1, 1};
    static const double sign[] = {-1, -1, -1, 0, 1, 1, 1}, linear[] = {-7, -1, 0, 1, 2, 3, 9};
    static const double sigmoid[] = {
        0.01798620996209156, 0.2689414213699951, 0.3775406687981454, 0.5,
        0.6224593312018546,  0.7310585786300049, 0.9820137900379085};
    static const double tanh_of[] = {
        -0.999329299739067,  -0.7615941559557649, -0.46211715726000974, 0,
        0.46211715726000974, 0.7615941559557649,  0.999329299739067};
    static const double th[] = {-0.9640275800758169, -0.46211715726000974, -0.2449186624037092, 0,
                                0.2449186624037092,  0.46211715726000974,  0.9640275800758169};
    static const double saturated[] = {0, 0, 0.25, 0.5, 0.75, 1, 1};
    static const double printed[] = {0, 0, 0.25, 0.5, 0.75, 1, 0};
    static const double gaussian[] = {
        0.00013383022576488537, 0.24197072451914337, 0.3520653267642995,    0.3989422804014327,
        0.3520653267642995,     0.24197072451914337, 0.00013383022576488537};
    static const double relu[] = {-0.4, -0.1, -0.05, 0, 0.5, 1, 4};
    assert_values(*state, "threshold", x, threshold, 7);
    assert_values(*state, "step", x, step, 7);
    assert_values(*state, "sign", x, sign, 7);
    assert_values(*state, "linear(m=2, c=1)", x, linear, 7);
    assert_values(*state, "linear(2,1)", x, linear, 7);
    assert_values(*state, "sigmoid", x, sigmoid, 7);
    assert_values(*state, "tanh", x, tanh_of, 7);
    assert_values(*state, "th", x, th, 7);
    assert_values(*state, "piecewise(0.5,0.5,-1,1)", x, saturated, 7);
    assert_values(*state, "piecewise(m=0.5,c=0.5,saturate=0)", x, printed, 7);
    assert_values(*state, "gaussian", x, gaussian, 7);
    assert_values(*state, "relu(leak=0.1)", x, relu, 7);
}

/* The slope through the value is that of a small difference, wherever there is no bend. */
static void test_activations__slopes(void **state)
{
    (void)state;
    for (const cairn_activation *f = cairn_activations; f->name; f++) {
        cairn_activated a = cairn_activation_named(f->name);
        for (double x = -3.05; x < 3; x += 0.3) {
            double h = 1e-6, low, high, y = cairn_activate(&a, x);
            double by = (cairn_activate(&a, x + h) - cairn_activate(&a, x - h)) / (2 * h);
            assert_near(cairn_activation_slope(&a, x, y), by, 1e-7 * (1 + fabs(by)));
            f->range(a.p, &low, &high);
            if (!f->together && !(y >= low && y <= high)) fail_msg("%s(%g) = %g", f->name, x, y);
        }
    }
}

/* Neither end of the line makes a value that is none. */
static void test_activations__far_away(void **state)
{
    (void)state;
    double nets[] = {1000, -1000, 999}, outs[3];
    cairn_activated softmax = cairn_activation_named("softmax");
    for (const cairn_activation *f = cairn_activations; f->name; f++) {
        cairn_activated a = cairn_activation_named(f->name);
        if (f->together) continue;
        assert_false(isnan(cairn_activate(&a, 1e300)));
        assert_false(isnan(cairn_activate(&a, -1e300)));
    }
    cairn_activate_layer(&softmax, nets, 3, outs);
    assert_near(outs[0], 0.7310585786300049, 1e-15);
    assert_near(outs[1], 0, 1e-15);
    assert_near(outs[2], 0.2689414213699951, 1e-15);
}

static void test_activations__text(void **state)
{
    cairn_context *ctx = *state;
    cairn_activated a, b;
    cairn_text text = cairn_text_start(ctx);
    assert_ok(ctx, cairn_activation_read(ctx, &a, "function", "gaussian(sigma=0.5)"));
    cairn_activation_write(&text, &a);
    assert_string_equal(cairn_text_string(&text), "gaussian(sigma=0.5)");
    assert_ok(ctx, cairn_activation_read(ctx, &b, "function", cairn_text_string(&text)));
    assert_memory_equal(a.p, b.p, sizeof a.p);
    cairn_text_clear(&text);
    assert_int_equal(cairn_activation_read(ctx, &a, "function", "sigmoids"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "sigmoid, linear"));
    assert_int_equal(cairn_activation_read(ctx, &a, "function", "linear(k=1)"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "m, c"));
    assert_int_equal(cairn_activation_read(ctx, &a, "function", "tanh(1)"), CAIRN_USAGE);
    assert_int_equal(cairn_activation_read(ctx, &a, "function", "linear(1"), CAIRN_USAGE);
    assert_int_equal(cairn_activation_read(ctx, &a, "function", "gaussian(sigma=0)"), CAIRN_USAGE);
}

/* Several rows at once give what each gives alone, forward and back. */
static void test_layers__rows_at_once(void **state)
{
    cairn_context *ctx = *state;
    cairn_neural_layer list[2] = {{.n_out = 3, .activation = cairn_activation_named("tanh")},
                                  {.n_out = 2, .activation = cairn_activation_named("softmax")}};
    cairn_neural_layers layers = {.n = 2, .n_in = 2, .list = list};
    double weights[17], x[10], t[10] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0}, all[17] = {0}, one[17] = {0};
    cairn_pass pass;
    cairn_neural_layers_place(&layers);
    assert_int_equal(layers.n_weights, 17);
    for (size_t i = 0; i < 17; i++) weights[i] = 0.3 - 0.07 * (double)(i * i % 11);
    for (size_t i = 0; i < 10; i++) x[i] = 0.5 - 0.2 * (double)(i * 3 % 7);
    assert_ok(ctx, cairn_pass_open(ctx, &pass, &layers, 5));
    for (int cost = 0; cost < 2; cost++) {
        memset(all, 0, sizeof all);
        memset(one, 0, sizeof one);
        for (size_t i = 0; i < 5; i++) {
            assert_ok(ctx, cairn_pass_forward(ctx, &pass, &layers, weights, x + 2 * i, 1));
            cairn_pass_deltas(&pass, &layers, (cairn_neural_cost)cost, t + 2 * i, NULL, 1);
            assert_ok(ctx, cairn_pass_backward(ctx, &pass, &layers, weights, x + 2 * i, 1, one));
        }
        assert_ok(ctx, cairn_pass_forward(ctx, &pass, &layers, weights, x, 5));
        cairn_pass_deltas(&pass, &layers, (cairn_neural_cost)cost, t, NULL, 5);
        assert_ok(ctx, cairn_pass_backward(ctx, &pass, &layers, weights, x, 5, all));
        for (size_t i = 0; i < 17; i++) {
            double e[2];
            assert_near(all[i], one[i], 1e-14);
            for (int side = 0; side < 2; side++) {
                double before = weights[i];
                weights[i] += side ? 1e-6 : -1e-6;
                e[side] = 0;
                assert_ok(ctx, cairn_pass_forward(ctx, &pass, &layers, weights, x, 5));
                for (size_t r = 0; r < 5; r++)
                    e[side] += cairn_pass_cost(&pass, &layers, (cairn_neural_cost)cost, t, r);
                weights[i] = before;
            }
            assert_near(-all[i], (e[1] - e[0]) / 2e-6, 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_activations__values),   context_test(test_activations__slopes),
        context_test(test_activations__far_away), context_test(test_activations__text),
        context_test(test_layers__rows_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
