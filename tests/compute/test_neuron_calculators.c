/* SPDX-License-Identifier: MIT */
/* Calculators about neurons, networks and descent: each allocation failing in turn, and answers
 * beside those of calculus and of truth tables. */
#include "support/fail_alloc.h"
#include "support/run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define XOR                                                                                        \
    "OR = threshold(0.3+0.5*A+0.5*B); NAND = threshold(0.8-0.5*A-0.5*B); "                         \
    "XOR = threshold(-0.8+0.5*OR+0.5*NAND)"

static const struct {
    const char *const words[16]; /* ended by NULL */
} commands[] = {
    {{"compute", "neuron", "--inputs", "A=1,2;B=3,4", "--weights", "1,-1", "--activation",
      "sigmoid", "--activation", "linear(2)", "--steps"}},
    {{"compute", "activation", "--function", "gaussian", "--function", "linear(m=2)", "--at", "1",
      "--steps"}},
    {{"compute", "forward", "--network", XOR, "--inputs", "1,-1", "--targets", "1", "--steps"}},
    {{"compute", "boolean-network", "--weights", "AND=-0.8,0.5,0.5", "--function", "xor", "--table",
      "1,0,0,0,0,0,0,1", "--steps"}},
    {{"compute", "boolean-network", "--network", XOR, "--all"}},
    {{"compute", "descent", "--function", "x^2 + y^2", "--start", "1,2", "--max-iter", "2",
      "--steps"}},
    {{"compute", "descent", "--schedule", "adaptive", "--eta", "3", "--slope", "2*x",
      "--iterations", "2"}},
    {{"compute", "descent", "@exact-line", "--target", "y", "--function", "a + b*x", "--eta",
      "1e-5", "--update", "row", "--iterations", "2"}},
    {{"draw", "descent", "--eta", "0.1,0.2", "--max-iter", "2"}},
    {{"draw", "neuron", "--weights", "1,2", "--inputs", "1,1"}},
    {{"draw", "neural-network", "--network", XOR, "--inputs", "1,1", "--biases", "nodes"}},
    {{"draw", "neural-network", "--layers", "2,12,1", "--labels", "notation", "--targets", "t"}},
    {{"draw", "boolean-network", "--weights", "AND=-0.8,0.5,0.5", "--function", "xor"}},
    {{"draw", "activation", "--function", "tanh", "--function", "step", "--panels", "--slopes"}},
};

static cairn_status run_command(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    return run_words(ctx, &report, data);
}

static void test_neurons__survive_failing_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_command, (void *)commands[i].words);
}

/* Differences are as good as the derivatives: of x³ ln x they are x² (3 ln x + 1), and so on. */
static void test_descent__differences_are_derivatives(void **state)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    cairn_context *ctx = *state;
    assert_ok(
        ctx, run_words(ctx, &report,
                       WORDS("compute", "descent", "--function", "x^3 * log(x) + exp(-y)",
                             "--start", "2,-1", "--iterations", "1", "--rate", "0.01", "--steps")));
    assert_number(report, "path1.step0.gradient.x", 4 * (3 * log(2) + 1), 1e-9);
    assert_number(report, "path1.step0.gradient.y", -exp(1), 1e-9);
    assert_number(report, "path1.step1.at.y", -1 + 0.01 * exp(1), 1e-9);
}

/* Near the end of where a function has values, the differences stay within it. */
static void test_descent__has_slopes_near_an_edge(void **state)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    cairn_context *ctx = *state;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "descent", "--function", "sqrt(x)", "--start",
                                   "0.0001", "--iterations", "1", "--rate", "1e-9", "--steps")));
    assert_number(report, "path1.step0.gradient.x", 50, 1e-1);
}

/* The network that is given for a table computes it, in either coding. */
static void test_boolean_network__layers_compute_their_table(void **state)
{
    static const char *const tables[] = {"0,1,1,0", "1,0,0,1", "0,1,1,0,1,0,0,1", "1,0,0,0,0,0,0,1",
                                         "0,0,0,1,1,0,0,0"};
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (int code = 0; code < 2; code++) {
            OWNED(cairn_report_free) cairn_report *first = NULL, *second = NULL;
            const char *truth = code ? "01" : "pm1", *network;
            assert_ok(ctx, run_words(ctx, &first,
                                     WORDS("compute", "boolean-network", "--table", tables[i],
                                           "--truth", truth)));
            network = cairn_report_string(first, "table1.network");
            assert_non_null(network);
            assert_ok(ctx, run_words(ctx, &second,
                                     WORDS("compute", "boolean-network", "--network", network,
                                           "--truth", truth)));
            const char *last = i == 0 ? "XOR" : i == 1 ? "XNOR" : "output";
            for (size_t r = 0; 2 * r < strlen(tables[i]); r++) {
                char name[40];
                snprintf(name, sizeof name, "%s.row%zu.output", last, r + 1);
                assert_number(second, name, tables[i][2 * r] == '1' ? 1 : code ? 0 : -1, 0);
            }
        }
}

/* Two steps of each by hand; Adam's first step is the rate, whatever the slope is. */
static void test_descent__momentum_and_adam(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free)
    cairn_report *heavy = NULL, *adam = NULL, *long_run = NULL, *wrong = NULL;
    assert_ok(ctx, run_words(ctx, &heavy,
                             WORDS("compute", "descent", "--function", "x^2", "--slope", "2*x",
                                   "--start", "1", "--solver", "momentum", "--momentum", "0.5",
                                   "--max-iter", "2", "--steps")));
    /* v = -0.2, x = 0.8; v = -0.1 - 0.16 */
    assert_number(heavy, "path1.step1.at.x", 0.8, 1e-15);
    assert_number(heavy, "path1.step1.v.x", -0.26, 1e-15);
    assert_number(heavy, "path1.step2.at.x", 0.54, 1e-15);
    assert_ok(ctx,
              run_words(ctx, &adam,
                        WORDS("compute", "descent", "--function", "x^2", "--slope", "2*x",
                              "--start", "1", "--solver", "adam", "--max-iter", "2", "--steps")));
    assert_number(adam, "path1.step1.at.x", 0.9, 1e-8);
    double m = (0.9 * 0.2 + 0.1 * 1.8) / (1 - 0.81);
    double s = (0.999 * 0.004 + 0.001 * 1.8 * 1.8) / (1 - 0.999 * 0.999);
    assert_number(adam, "path1.step2.at.x", 0.9 - 0.1 * m / sqrt(s), 1e-7);
    assert_ok(ctx,
              run_words(ctx, &long_run,
                        WORDS("compute", "descent", "--function", "x^2 + 10*y^2", "--start", "2,1",
                              "--solver", "adam", "--eta", "0.05", "--max-iter", "2000")));
    assert_number(long_run, "best.value", 0, 1e-12);
    assert_fails(
        ctx,
        run_words(ctx, &wrong,
                  WORDS("compute", "descent", "--solver", "adam", "--schedule", "adaptive")),
        CAIRN_USAGE, "goes with --solver plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_descent__momentum_and_adam),
        context_test(test_neurons__survive_failing_allocations),
        context_test(test_descent__differences_are_derivatives),
        context_test(test_descent__has_slopes_near_an_edge),
        context_test(test_boolean_network__layers_compute_their_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
