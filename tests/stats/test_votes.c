/* SPDX-License-Identifier: MIT */
/* Votes and averages by every rule, checked by hand. */
#include "support/unit.h"
#include "stats/votes.h"
#include <math.h>

static cairn_poll tally_of(cairn_context *ctx, cairn_vote vote, const int32_t *codes,
                           const double *weights, size_t n, size_t n_classes)
{
    cairn_poll poll;
    assert_ok(ctx, cairn_poll_open(ctx, &poll, (cairn_combining){.vote = (int)vote}, n_classes, n));
    cairn_poll_start(&poll);
    for (size_t i = 0; i < n; i++) cairn_poll_class(&poll, codes[i], weights ? weights[i] : 1);
    return poll;
}

static double value_of(cairn_context *ctx, cairn_average average, const double *numbers,
                       const double *weights, size_t n)
{
    cairn_poll poll;
    assert_ok(ctx, cairn_poll_open(ctx, &poll, (cairn_combining){.average = (int)average}, 0, n));
    cairn_poll_start(&poll);
    for (size_t i = 0; i < n; i++) cairn_poll_number(&poll, numbers[i], weights ? weights[i] : 1);
    return cairn_poll_value(&poll);
}

/* A B B A C: a tie without and with weights, and no majority. */
static void test_votes__ties_go_to_the_first(void **state)
{
    const int32_t codes[5] = {0, 1, 1, 0, 2};
    const double weights[5] = {0.3, 0.2, 0.2, 0.1, 0.2};
    bool tied = false;
    cairn_poll counted = tally_of(*state, CAIRN_VOTE_PLURALITY, codes, NULL, 5, 3);
    assert_int_equal(cairn_poll_winner(&counted, &tied), 0);
    assert_true(tied);
    cairn_poll weighed = tally_of(*state, CAIRN_VOTE_WEIGHTED, codes, weights, 5, 3);
    assert_int_equal(cairn_poll_winner(&weighed, &tied), 0);
    assert_true(tied); /* 0.3 + 0.1 and 0.2 + 0.2, whatever the rounding */
    cairn_poll strict = tally_of(*state, CAIRN_VOTE_MAJORITY, codes, NULL, 5, 3);
    assert_int_equal(cairn_poll_winner(&strict, NULL), -2);
}

/* Half of the votes is no majority, and one who has no answer is asked all the same. */
static void test_votes__majority_is_more_than_half_of_those_asked(void **state)
{
    const int32_t three[5] = {0, 1, 1, 1, 2}, two[4] = {1, 1, 0, 2}, silent[4] = {1, 1, -1, -1};
    const int32_t nobody[2] = {-1, -1};
    cairn_poll t = tally_of(*state, CAIRN_VOTE_MAJORITY, three, NULL, 5, 3);
    assert_int_equal(cairn_poll_winner(&t, NULL), 1);
    t = tally_of(*state, CAIRN_VOTE_MAJORITY, two, NULL, 4, 3);
    assert_int_equal(cairn_poll_winner(&t, NULL), -2);
    t = tally_of(*state, CAIRN_VOTE_MAJORITY, silent, NULL, 4, 3);
    assert_int_equal(cairn_poll_winner(&t, NULL), -2);
    t = tally_of(*state, CAIRN_VOTE_PLURALITY, silent, NULL, 4, 3);
    assert_int_equal(cairn_poll_winner(&t, NULL), 1);
    t = tally_of(*state, CAIRN_VOTE_MAJORITY, nobody, NULL, 2, 3);
    assert_int_equal(cairn_poll_winner(&t, NULL), -1);
}

/* Shares are averaged: (0.9 + 0.2 + 0.3)/3 against (0.1 + 0.8 + 0.7)/3. */
static void test_votes__probabilities_are_averaged(void **state)
{
    const double shares[3][2] = {{0.9, 0.1}, {0.2, 0.8}, {0.3, 0.7}}, none[2] = {NAN, NAN};
    double scores[2];
    cairn_poll t;
    cairn_combining rule = {.vote = CAIRN_VOTE_PROBABILITIES};
    assert_ok(*state, cairn_poll_open(*state, &t, rule, 2, 4));
    cairn_poll_start(&t);
    for (size_t i = 0; i < 3; i++) cairn_poll_shares(&t, shares[i], 1);
    cairn_poll_shares(&t, none, 1);
    cairn_poll_scores(&t, scores);
    assert_true(fabs(scores[0] - 1.4 / 3) < 1e-15);
    assert_true(fabs(scores[1] - 1.6 / 3) < 1e-15);
    assert_int_equal(cairn_poll_winner(&t, NULL), 1);
    cairn_poll_start(&t);
    cairn_poll_shares(&t, shares[0], 0.8);
    cairn_poll_shares(&t, shares[1], 0.2);
    cairn_poll_scores(&t, scores);
    assert_true(fabs(scores[0] - 0.76) < 1e-15);
}

static void test_votes__numbers_are_averaged(void **state)
{
    const double y[5] = {3.1, 2.7, 3.4, 9, 3}, w[5] = {0.3, 0.2, 0.2, 0.1, 0.2};
    const double holes[3] = {1, NAN, 3}, huge[2] = {1.7e308, 1.7e308};
    assert_true(fabs(value_of(*state, CAIRN_AVERAGE_MEAN, y, NULL, 5) - 4.24) < 1e-14);
    assert_true(fabs(value_of(*state, CAIRN_AVERAGE_WEIGHTED, y, w, 5) - 3.65) < 1e-14);
    assert_true(value_of(*state, CAIRN_AVERAGE_MEDIAN, y, NULL, 5) == 3.1);
    assert_true(fabs(value_of(*state, CAIRN_AVERAGE_MEDIAN, y, NULL, 4) - 3.25) < 1e-15);
    assert_true(value_of(*state, CAIRN_AVERAGE_MEAN, holes, NULL, 3) == 2);
    assert_true(isnan(value_of(*state, CAIRN_AVERAGE_MEDIAN, holes + 1, NULL, 1)));
    assert_true(value_of(*state, CAIRN_AVERAGE_MEAN, huge, NULL, 2) == 1.7e308);
    assert_true(value_of(*state, CAIRN_AVERAGE_MEDIAN, huge, NULL, 2) == 1.7e308);
}

static void test_votes__weights_are_shares(void **state)
{
    double *weights;
    assert_ok(*state, cairn_vote_weights(*state, &weights, "weights", "0.25,0.75", 2));
    assert_true(weights[1] == 0.75);
    assert_fails(*state, cairn_vote_weights(*state, &weights, "weights", "1,1", 2), CAIRN_USAGE,
                 "add up to 2");
    assert_fails(*state, cairn_vote_weights(*state, &weights, "weights", "-1,2", 2), CAIRN_USAGE,
                 "weight 1 is not at least 0");
    assert_fails(*state, cairn_vote_weights(*state, &weights, "weights", "1", 2), CAIRN_USAGE,
                 "2, not 1");
}

/* Products are parts of the largest, also of hundreds of voters; medians are of each class. */
static void test_votes__products_and_medians_of_shares(void **state)
{
    static const double shares[3][2] = {{0.6, 0.4}, {0.7, 0.3}, {0.05, 0.95}};
    cairn_context *ctx = *state;
    cairn_poll product, median;
    double scores[2];
    assert_ok(
        ctx, cairn_poll_open(ctx, &product, (cairn_combining){.vote = CAIRN_VOTE_PRODUCT}, 2, 999));
    assert_ok(ctx,
              cairn_poll_open(ctx, &median, (cairn_combining){.vote = CAIRN_VOTE_MEDIAN}, 2, 999));
    for (int i = 0; i < 3; i++) {
        cairn_poll_shares(&product, shares[i], 1);
        cairn_poll_shares(&median, shares[i], 1);
    }
    assert_int_equal(cairn_poll_winner(&product, NULL), 1);
    assert_int_equal(cairn_poll_winner(&median, NULL), 0);
    cairn_poll_scores(&product, scores);
    assert_true(fabs(scores[1] - 0.114 / 0.135) < 1e-14);
    assert_true(median.totals[0] == 0.6 && median.totals[1] == 0.4);
    cairn_poll_start(&product);
    for (int i = 0; i < 999; i++) cairn_poll_shares(&product, (const double[]){0.1, 0.9}, 1);
    assert_int_equal(cairn_poll_winner(&product, NULL), 1);
    cairn_poll_start(&product);
    cairn_poll_shares(&product, (const double[]){0, 1}, 1);
    cairn_poll_shares(&product, (const double[]){1, 0}, 1);
    assert_int_equal(cairn_poll_winner(&product, NULL), -1); /* all are ruled out */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_votes__products_and_medians_of_shares),
        context_test(test_votes__ties_go_to_the_first),
        context_test(test_votes__majority_is_more_than_half_of_those_asked),
        context_test(test_votes__probabilities_are_averaged),
        context_test(test_votes__numbers_are_averaged),
        context_test(test_votes__weights_are_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
