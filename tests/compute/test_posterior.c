/* SPDX-License-Identifier: MIT */
/* Tables of posteriors counted from rows, features that are not observed, and rules. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "model/calculator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cairn_report *computed(cairn_context *ctx, const char *const *words)
{
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, words));
    return r;
}

static void assert_refused(cairn_context *ctx, const char *const *words, const char *part)
{
    cairn_report *r = NULL;
    assert_true(run_words(ctx, &r, words) != CAIRN_OK);
    if (!strstr(cairn_message(ctx), part)) fail_msg("'%s'", cairn_message(ctx));
    cairn_report_free(r);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The exact average is the share of the classes among the rows that fit. */
static void test_posterior__exact_average_is_the_share_of_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(ctx, WORDS("compute", "posterior", "@weather", "--features",
                                          "outlook,humidity,wind", "--observed", "?,normal,?"));
    assert_number(r, "observed.yes", 6 / 7.0, 1e-12);
    cairn_report_free(r);
    r = computed(ctx, WORDS("compute", "posterior", "@weather", "--features",
                            "outlook,humidity,wind", "--observed", "?,?,?"));
    assert_number(r, "observed.yes", 9 / 14.0, 1e-12);
    cairn_report_free(r);
}

/* Two features are missing at once: P(outlook, wind) over all 14 days as weights of the four
 * combinations that were met with high humidity (sunny weak 0/2 and strong 0/1, overcast strong
 * 1/1 and weak 1/1, rain strong 0/1 and weak 1/1). */
static void test_posterior__marginal_weights_of_two_features(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(ctx, WORDS("compute", "posterior", "@weather", "--features",
                                          "outlook,humidity,wind", "--observed", "?,high,?",
                                          "--missing-in-model", "marginal"));
    /* chances: sunny weak 3, sunny strong 2, overcast weak 2, strong 2, rain weak 3, strong 2 */
    assert_number(r, "observed.yes", (2 + 2 + 3) / 14.0, 1e-12);
    cairn_report_free(r);
}

/* The table is in the order in which the features are named, and a case as well. */
static void test_posterior__features_in_the_order_of_their_names(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(ctx, WORDS("compute", "posterior", "@weather", "--features",
                                          "wind,outlook", "--observed", "strong,rain"));
    assert_number(r, "observed.yes", 0, 0);
    assert_number(r, "row3.yes", 1, 0); /* weak, rain */
    cairn_report_free(r);
}

/* A row of weight 2 is the row twice, and rows that lack a cell do not count. */
static void test_posterior__weights_repeat_rows(void **state)
{
    cairn_context *ctx = *state;
    write_file("posterior_w.csv", "a,c,w\nx,yes,2\nx,no,1\ny,yes,1\n?,no,5\ny,no,1\n");
    cairn_report *r = computed(ctx, WORDS("compute", "posterior", "posterior_w.csv", "--target",
                                          "c", "--weight", "w", "--threshold", "0.6"));
    assert_number(r, "row1.yes", 2 / 3.0, 1e-12);
    assert_number(r, "row1.n", 3, 0);
    assert_number(r, "row1.ratio", (2 / 3.0) / (1 / 2.0), 1e-12);
    assert_number(r, "errors.threshold", 1 + 1, 0);
    assert_string_equal(cairn_report_string(r, "row1.decided"), "yes");
    assert_string_equal(cairn_report_string(r, "row2.decided"), "no");
    cairn_report_free(r);
    assert_int_equal(remove("posterior_w.csv"), 0);
}

/* Given and even priors change the posterior and not the ratio. */
static void test_posterior__prior_of_counts(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(ctx, WORDS("compute", "posterior", "--given", "counts", "--table",
                                          "30,10;10,30", "--prior", "0.2,0.8"));
    assert_number(r, "row1.ratio", 3, 1e-12);
    assert_number(r, "row1.odds", 0.75, 1e-12);
    assert_number(r, "errors.map", 10 + 30, 0); /* always the second class */
    assert_number(r, "errors.ml", 20, 0);
    cairn_report_free(r);
}

static void test_posterior__refusals(void **state)
{
    cairn_context *ctx = *state;
    write_file("posterior_one.csv", "a,b,c\n1,2,x\n1,3,x\n");
    assert_refused(ctx, WORDS("compute", "posterior", "posterior_one.csv", "--target", "c"),
                   "has one class");
    assert_refused(ctx, WORDS("compute", "posterior", "posterior_one.csv"),
                   "which column holds the classes?");
    assert_refused(ctx, WORDS("compute", "posterior", "@weather", "--table", "1,2"),
                   "in place of DATA");
    assert_refused(
        ctx, WORDS("compute", "posterior", "@weather", "--features", "wind", "--observed", "week"),
        "did you mean 'weak'?");
    assert_refused(ctx,
                   WORDS("compute", "posterior", "@weather", "--features",
                         "outlook,temperature,humidity,wind", "--observed",
                         "overcast,mild,normal,weak"),
                   "probability 0");
    assert_refused(ctx,
                   WORDS("compute", "posterior", "--given", "counts", "--table", "1,0;2,0",
                         "--prior", "uniform"),
                   "no rows to learn from");
    assert_refused(ctx, WORDS("compute", "posterior", "--table", "0.5,0.5;1,0", "--prior", "1,1"),
                   "says what the numbers are");
    assert_int_equal(remove("posterior_one.csv"), 0);
}

static cairn_status work(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, data);
    cairn_report_free(r);
    return status;
}

static void test_posterior__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        work, (void *)WORDS("compute", "posterior", "@weather", "--features", "outlook,wind",
                            "--observed", "?,weak", "--missing-in-model", "marginal", "--steps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_posterior__exact_average_is_the_share_of_rows),
        context_test(test_posterior__marginal_weights_of_two_features),
        context_test(test_posterior__features_in_the_order_of_their_names),
        context_test(test_posterior__weights_repeat_rows),
        context_test(test_posterior__prior_of_counts),
        context_test(test_posterior__refusals),
        context_test(test_posterior__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
