/* SPDX-License-Identifier: MIT */
/* Recurrent networks: the pass by hand, memory over steps, rates that are too large. */
#include "support/fail_alloc.h"
#include "support/learn.h"

/* a, b, c, t: the target is the first of three steps. */
static const double rows[] = {1, 0, 1, 1, -1, 1, 1,  -1, 1, 1,  0,  1, -1, 0, 1, -1,
                              1, 1, 1, 1, -1, 0, -1, -1, 1, -1, -1, 1, -1, 1, 0, -1};
enum { N = 8 };

static double value(const fitted *f, const char *name)
{
    double out = NAN;
    if (!cairn_report_number(f->report, name, &out)) fail_msg("there is no %s", name);
    return out;
}

/* With steps that are too small to matter the weights told are the first ones: the pass of the
 * first row is worked out from them. The mean of all steps is 5/24, that of their squares 19/24. */
static void check_pass(cairn_context *ctx, const char *spec, bool last)
{
    fitted f = fit_numbers(ctx, spec, "a b c t", rows, N, 4, "t");
    double mean = 5.0 / 24, unit = sqrt(19.0 / 24 - mean * mean), h = 0, sum = 0;
    double w = value(&f, "weight.h1.x"), u = value(&f, "weight.h1.before.h1");
    double b = value(&f, "weight.h1.bias"), v = value(&f, "weight.o1.h1");
    for (int t = 0; t < 3; t++) {
        char name[32];
        h = tanh(b + w * (rows[t] - mean) / unit + u * h);
        sum += h;
        snprintf(name, sizeof name, "row.step%d.h1", t + 1);
        assert_value(f.report, name, h, 1e-12);
    }
    assert_value(f.report, "row.y1", v * (last ? h : sum / 3) + value(&f, "weight.o1.bias"), 1e-12);
    assert_value(f.report, "row.check", 0, 1e-8);
    assert_value(f.report, "parameters", 5, 0);
    drop(&f);
}

static void test_recurrent__pass_by_hand(void **state)
{
    check_pass(*state, "recurrent:hidden=1,epochs=1,eta=1e-300,solver=plain", false);
    check_pass(*state, "recurrent:hidden=1,epochs=1,eta=1e-300,solver=plain,reading=last", true);
}

static void test_recurrent__remembers_the_first_step(void **state)
{
    fitted f = fit_numbers(*state, "recurrent:hidden=4,epochs=300", "a b c t", rows, N, 4, "t");
    assert_true(value(&f, "training.E") < 0.01); /* the mean of the targets: 0.5 */
    assert_value(f.report, "row.check", 0, 1e-8);
    drop(&f);
}

/* The last good weights are kept, and they are numbers. */
static void test_recurrent__divergence_ends_it(void **state)
{
    fitted f = fit_numbers(*state, "recurrent:hidden=2,epochs=50,eta=1e200,solver=plain,clip=0",
                           "a b c t", rows, N, 4, "t");
    assert_true(value(&f, "epochs") < 50);
    assert_true(isfinite(value(&f, "weight.h1.x")));
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "a b c t", rows, N, 4);
    if (status == CAIRN_OK) status = learn(ctx, &f.model, &f.report, f.table, data, "t", NULL);
    drop(&f);
    return status;
}

static void test_recurrent__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, (void *)"recurrent:hidden=2,epochs=2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_recurrent__pass_by_hand),
        context_test(test_recurrent__remembers_the_first_step),
        context_test(test_recurrent__divergence_ends_it),
        context_test(test_recurrent__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
