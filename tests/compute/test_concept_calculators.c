/* SPDX-License-Identifier: MIT */
/* The calculators about concepts: failing allocations leak nothing, and the answers do not depend
 * on how a hypothesis is written. */
#include "support/fail_alloc.h"
#include "support/unit.h"
#include "cairn/cairn.h"
#include "report/report.h"

#include <math.h>

typedef struct command {
    const char *words[12];
    size_t n;
} command;

static cairn_status run_command(cairn_context *ctx, void *data)
{
    const command *c = data;
    cairn_report *report = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) status = cairn_run(ctx, report, (int)c->n, c->words);
    cairn_report_free(report);
    return status;
}

static void test_concept_calculators__failing_allocations_leak_nothing(void **state)
{
    static const command commands[] = {
        {{"compute", "version-space", "@enjoysport", "--hypothesis", "(sunny, ?, ?, ?, ?, ?)",
          "--predict", "sunny,warm,high,strong,cool,same"},
         7},
        {{"compute", "version-space", "@weather", "--language", "subsets"}, 5},
        {{"compute", "hypothesis-space", "@boolean-four"}, 3},
        {{"compute", "version-line", "@threshold", "--predict", "18"}, 5},
        {{"compute", "version-boxes", "@family-car", "--box", "27,66,170,290"}, 5},
        {{"compute", "version-discs", "@disc-points", "--centre", "9,10"}, 5},
        {{"compute", "generalise", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "specialise", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "closed-concepts", "@dolphins", "--concept", "gills=no"}, 5},
        {{"compute", "concept-path", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "consistency", "@pass-fail", "--free", "M", "--rule", "score1 + score2 >= M"},
         7},
        {{"compute", "generality", "--hypothesis", "x > 1", "--hypothesis", "x > 2"}, 6},
    };
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_command, (void *)&commands[i]);
}

static double number_of(cairn_context *ctx, const command *c, const char *name)
{
    cairn_report *report = NULL;
    double value = NAN;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, (int)c->n, c->words));
    assert_true(cairn_report_number(report, name, &value));
    cairn_report_free(report);
    return value;
}

/* The region of two parameters that depend on each other is found, and said not to be a product. */
static void test_consistency__dependent_parameters(void **state)
{
    command c = {{"compute", "consistency", "@pass-fail", "--positive", "Pass", "--free", "a,b",
                  "--rule", "score1 >= a or score2 >= b"},
                 9};
    /* (20, 41) passed and (10, 47) failed: one of them is wrong whatever the bounds */
    assert_true(number_of(*state, &c, "rule1.errors") == 1);
    /* a = 30 is as good with b = 35, b = 50 with a = 25, and both together are not */
    assert_true(number_of(*state, &c, "rule1.independent") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_concept_calculators__failing_allocations_leak_nothing),
        context_test(test_consistency__dependent_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
