/* SPDX-License-Identifier: MIT */
/* compute network with each allocation failing in turn, and its answers beside sums by hand. */
#include "support/fail_alloc.h"
#include "support/run.h"

#define LAWN                                                                                       \
    "P(rain) = 0.2; P(sprinkler) = 0.1; P(wet | rain) = 0.9; P(wet | not rain, sprinkler) = 0.8; " \
    "P(wet | not rain, not sprinkler) = 0.01"

static const struct {
    const char *const words[14]; /* ended by NULL */
} commands[] = {
    {{"compute", "network", LAWN, "--query", "P(rain | wet)", "--explain", "wet", "--separated",
      "rain, sprinkler | wet", "--steps"}},
    {{"compute", "network", "w = x/y/z; P(w) = 0.5, 0.25, 0.25", "--query", "P(w)"}},
    {{"compute", "network", LAWN, "--query", "P(rain | wet)", "--method", "weighting", "--samples",
      "100"}},
    {{"compute", "network", LAWN, "--draw", "10"}},
    {{"draw", "network", LAWN}},
};

static cairn_status run_command(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    return run_words(ctx, &report, data);
}

static void test_network__survives_failing_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_command, (void *)commands[i].words);
}

static void test_network__answers_are_sums_of_products(void **state)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    cairn_context *ctx = *state;
    double rain = 0.2 * 0.9, dry = 0.8 * (0.1 * 0.8 + 0.9 * 0.01), both = 0.1 * 0.2 * 0.9;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "network", LAWN, "--query", "P(rain | wet)",
                                   "--query", "P(rain and sprinkler | wet)", "--query",
                                   "P(rain or not wet)", "--explain", "wet")));
    assert_number(report, "query1.p", rain / (rain + dry), 1e-14);
    assert_number(report, "query2.p", both / (rain + dry), 1e-14);
    assert_number(report, "query3.p", 1 - dry, 1e-14);
    assert_number(report, "explain.p", 0.2 * 0.9 * 0.9, 1e-14);
    assert_number(report, "parameters", 6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_network__survives_failing_allocations),
        context_test(test_network__answers_are_sums_of_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
