/* SPDX-License-Identifier: MIT */
/* Votes and averages: see votes.h. Sums run in the order of the voters. */
#include "stats/votes.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

static const cairn_choice votes[] = {
    {"plurality", CAIRN_VOTE_PLURALITY, "the class with the most votes"},
    {"majority", CAIRN_VOTE_MAJORITY, "the class with more than half of the votes, else none"},
    {"weighted", CAIRN_VOTE_WEIGHTED, "the class whose voters weigh the most"},
    {"probabilities", CAIRN_VOTE_PROBABILITIES, "the class with the largest mean probability"},
    {"product", CAIRN_VOTE_PRODUCT, "the class with the largest product of probabilities"},
    {"median", CAIRN_VOTE_MEDIAN, "the class with the largest median of probabilities"},
    {0},
};
static const cairn_choice averages[] = {
    {"mean", CAIRN_AVERAGE_MEAN, "the mean"},
    {"weighted", CAIRN_AVERAGE_WEIGHTED, "the mean by weight"},
    {"median", CAIRN_AVERAGE_MEDIAN, "the median, which a few wild numbers do not move"},
    {0},
};

const cairn_param cairn_combining_table[] = {
    CAIRN_PARAM_CHOICE(cairn_combining, vote, "plurality", votes,
                       "how classes become one; of equal ones the first class wins"),
    CAIRN_PARAM_CHOICE(cairn_combining, average, "mean", averages, "how numbers become one"),
    CAIRN_PARAM_END,
};

cairn_status cairn_poll_open(cairn_context *ctx, cairn_poll *out, cairn_combining rule,
                             size_t n_classes, size_t most)
{
    *out = (cairn_poll){.rule = rule, .n_classes = n_classes, .most = most};
    CHECK(SCRATCH_EACH(ctx, n_classes + 1, &out->totals, &out->logs));
    if (n_classes && rule.vote == CAIRN_VOTE_MEDIAN)
        return SCRATCH(ctx, &out->numbers, cairn_product(n_classes, most) + 1);
    if (n_classes) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->numbers, most + 1));
    return SCRATCH(ctx, &out->weights, most + 1);
}

void cairn_poll_start(cairn_poll *poll)
{
    for (size_t c = 0; c < poll->n_classes; c++) poll->totals[c] = poll->logs[c] = 0;
    poll->asked = 0;
    poll->n = 0;
}

/* -- saying -- */

void cairn_poll_class(cairn_poll *poll, int32_t code, double weight)
{
    bool weighs = poll->rule.vote == CAIRN_VOTE_WEIGHTED;
    poll->asked += weighs ? weight : 1;
    if (code < 0) return;
    poll->totals[code] += weighs ? weight : 1;
    poll->n++;
}

/* The middle of n numbers that rise. */
static double middle(const double *y, size_t n)
{
    return n % 2 ? y[n / 2] : y[n / 2 - 1] / 2 + y[n / 2] / 2;
}

/* A number into n that rise. */
static void put_in_order(double *y, size_t n, double number)
{
    for (; n > 0 && y[n - 1] > number; n--) y[n] = y[n - 1];
    y[n] = number;
}

/* Products as parts of the largest: those of many shares are too small for a double. */
static void multiply_shares(cairn_poll *poll, const double *shares, double weight)
{
    double most = -INFINITY;
    for (size_t c = 0; c < poll->n_classes; c++) {
        if (weight > 0) poll->logs[c] += weight * cairn_log(shares[c]);
        most = fmax(most, poll->logs[c]);
    }
    for (size_t c = 0; c < poll->n_classes; c++)
        poll->totals[c] = isinf(most) ? 0 : cairn_exp(poll->logs[c] - most);
}

void cairn_poll_shares(cairn_poll *poll, const double *shares, double weight)
{
    bool known = true;
    poll->asked += weight;
    for (size_t c = 0; c < poll->n_classes; c++) known &= !isnan(shares[c]);
    if (!known) return;
    if (poll->rule.vote == CAIRN_VOTE_PRODUCT) multiply_shares(poll, shares, weight);
    for (size_t c = 0; c < poll->n_classes; c++) {
        if (poll->rule.vote == CAIRN_VOTE_PROBABILITIES) poll->totals[c] += weight * shares[c];
        if (poll->rule.vote != CAIRN_VOTE_MEDIAN) continue;
        double *sorted = poll->numbers + c * poll->most;
        put_in_order(sorted, poll->n, shares[c]);
        poll->totals[c] = middle(sorted, poll->n + 1);
    }
    poll->n++;
}

/* The numbers of a median are kept in order. */
void cairn_poll_number(cairn_poll *poll, double number, double weight)
{
    poll->asked += weight;
    if (isnan(number)) return;
    if (poll->rule.average == CAIRN_AVERAGE_MEDIAN)
        put_in_order(poll->numbers, poll->n, number);
    else
        poll->numbers[poll->n] = number;
    poll->weights[poll->n++] = weight;
}

/* -- deciding -- */

int32_t cairn_poll_winner(const cairn_poll *poll, bool *tied)
{
    double most = -INFINITY, sum = 0;
    size_t equal = 0, first = 0;
    for (size_t c = 0; c < poll->n_classes; c++) {
        if (poll->totals[c] > most) most = poll->totals[c];
        sum += poll->totals[c];
    }
    for (size_t c = poll->n_classes; c-- > 0;)
        if (poll->totals[c] >= most - CAIRN_POLL_ROUNDING * sum) {
            equal++;
            first = c;
        }
    bool majority = poll->rule.vote == CAIRN_VOTE_MAJORITY;
    bool none = !poll->n || !(sum > 0);
    if (tied) *tied = !none && equal > 1;
    if (none) return -1;
    return majority && !(most > poll->asked / 2) ? -2 : (int32_t)first;
}

void cairn_poll_scores(const cairn_poll *poll, double *out)
{
    double sum = 0;
    for (size_t c = 0; c < poll->n_classes; c++) sum += poll->totals[c];
    for (size_t c = 0; c < poll->n_classes; c++)
        out[c] = sum > 0 ? poll->totals[c] / sum : (double)NAN;
}

double cairn_poll_value(const cairn_poll *poll)
{
    bool weighs = poll->rule.average == CAIRN_AVERAGE_WEIGHTED;
    const double *y = poll->numbers;
    size_t n = poll->n;
    double sum = 0, weights = 0;
    if (!n) return NAN;
    if (poll->rule.average == CAIRN_AVERAGE_MEDIAN) return middle(y, n);
    for (size_t i = 0; i < n; i++) weights += weighs ? poll->weights[i] : 1;
    for (size_t i = 0; i < n; i++) sum += (weighs ? poll->weights[i] : 1) / weights * y[i];
    return weights > 0 ? sum : (double)NAN;
}

cairn_status cairn_vote_weights_check(cairn_context *ctx, const char *what, const double *weights,
                                      size_t n)
{
    double sum = 0;
    char said[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] >= 0 && isfinite(weights[i])))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: weight %zu is not at least 0", what, i + 1);
        sum += weights[i];
    }
    cairn_number_format(said, sum, 10);
    if (!(fabs(sum - 1) <= 1e-9))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: the weights add up to %s, not to 1; divide them by their "
                          "sum",
                          what, said);
    return CAIRN_OK;
}

cairn_status cairn_vote_weights(cairn_context *ctx, double **out, const char *what,
                                const char *list, size_t n)
{
    size_t given;
    CHECK(cairn_list_numbers(ctx, what, list, out, &given));
    if (given != n)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} has a number for each voter: %zu, not %zu", what,
                          n, given);
    return cairn_vote_weights_check(ctx, what, *out, n);
}
