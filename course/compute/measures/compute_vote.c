/* SPDX-License-Identifier: MIT */
/* cairn compute vote: what several voters say of one thing becomes one answer, by every rule.
 *
 *     plurality: argmax v(c), v(c) = Σ [yᵢ = c]     majority: v(c) > n/2, else none
 *     weighted:  argmax Σ wᵢ [yᵢ = c]               mean: Σ yᵢ / n, Σ wᵢ yᵢ, or the median
 *     probabilities: argmax of Σ wᵢ pᵢ(c), of Π pᵢ(c), of the median of pᵢ(c) */
#include "stats/votes.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/calculator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct vote_params {
    const char *votes, *numbers, *weights;
    cairn_list probabilities, classes;
} vote_params;

static const cairn_param vote_table[] = {
    CAIRN_PARAM(vote_params, votes, NULL, NULL, "the class that each voter says, such as A,B,B,A,C",
                .often = true),
    CAIRN_PARAM_AS(vote_params, numbers, CAIRN_TYPE_LIST, NULL,
                   "or the number that each of them says, such as 3.1,2.7,3.4", .when = "!votes",
                   .often = true),
    CAIRN_PARAM_CELLS(vote_params, probabilities, MATRIX, NULL, "[0,1]",
                      "or the probabilities of the classes, a row for each voter, such as "
                      "0.6,0.4;0.7,0.3;0.1,0.9",
                      .when = "!votes,!numbers", .often = true),
    CAIRN_PARAM_CELLS(vote_params, classes, NAMES, NULL, NULL,
                      "names of the classes of these; C1,C2,... unless given",
                      .when = "probabilities"),
    CAIRN_PARAM_AS(vote_params, weights, CAIRN_TYPE_LIST, NULL,
                   "weights of the voters, at least 0 and summing to 1; all alike if not given",
                   .often = true),
    CAIRN_PARAM_END,
};

static cairn_status vote_check(cairn_context *ctx, const void *values)
{
    const vote_params *p = values;
    if (!p->votes && !p->numbers && !p->probabilities.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the {votes}, the {numbers} or the {probabilities} of the voters");
    return CAIRN_OK;
}

/* 1/n each unless they are given. */
static cairn_status read_weights(cairn_context *ctx, double **out, const char *list, size_t n)
{
    if (list) return cairn_vote_weights(ctx, out, "weights", list, n);
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) (*out)[i] = 1 / (double)n;
    return CAIRN_OK;
}

/* -- classes -- */

typedef struct ballot {
    size_t n, k;
    int32_t *codes; /* n */
    const double *weights;
    cairn_map classes; /* in the order in which they were first said */
    cairn_poll counted, weighed;
} ballot;

static cairn_status read_votes(cairn_context *ctx, ballot *b, const vote_params *p)
{
    char **said;
    double *weights;
    size_t at;
    CHECK(cairn_list_split(ctx, p->votes, &said, &b->n));
    if (!b->n) return cairn_fail(ctx, CAIRN_USAGE, "{votes}: there is none");
    CHECK(read_weights(ctx, &weights, p->weights, b->n));
    b->weights = weights;
    CHECK(SCRATCH(ctx, &b->codes, b->n + 1));
    for (size_t i = 0; i < b->n; i++) {
        if (!*said[i]) return cairn_fail(ctx, CAIRN_USAGE, "{votes}: vote %zu is empty", i + 1);
        CHECK(cairn_map_add(ctx, &b->classes, said[i], strlen(said[i]), &at));
        b->codes[i] = (int32_t)at;
    }
    b->k = b->classes.n;
    return CAIRN_OK;
}

/* The sums of a class with the votes put in. */
static cairn_status show_sums(cairn_context *ctx, cairn_report *out, const ballot *b)
{
    double *terms;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, 2 * b->n + 1));
    cairn_report_step_begin(out, "Votes of every class");
    cairn_report_formula(out, "v(c) = Σ [yᵢ = c],  w(c) = Σ wᵢ · [yᵢ = c]");
    for (size_t c = 0; c < b->k; c++) {
        const char *class = cairn_map_key(&b->classes, c);
        char *name;
        CHECK(SCRATCH(ctx, &name, strlen(class) + sizeof "v()"));
        snprintf(name, strlen(class) + sizeof "v()", "v(%s)", class);
        for (size_t i = 0; i < b->n; i++) terms[i] = b->codes[i] == (int32_t)c;
        cairn_report_worked_sum(out, name, "#", terms, 1, b->n, b->counted.totals[c]);
        for (size_t i = 0; i < b->n; i++) {
            terms[2 * i] = b->weights[i];
            terms[2 * i + 1] = b->codes[i] == (int32_t)c;
        }
        name[0] = 'w';
        cairn_report_worked_sum(out, name, "#·#", terms, 2, b->n, b->weighed.totals[c]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static void show_totals(cairn_report *out, const ballot *b)
{
    cairn_report_table_of(out, "Votes", 0, "lrrr", "class", "votes", "share", "weight");
    for (size_t c = 0; c < b->k; c++) {
        const char *name = cairn_map_key(&b->classes, c);
        cairn_report_cells(out, "- votes.$1 share.$1 weight.$1", name, b->counted.totals[c],
                           b->counted.totals[c] / (double)b->n, b->weighed.totals[c]);
    }
}

/* The winner by name; of equal classes the first. Returns whether there were some. */
static bool show_winner(cairn_report *out, const ballot *b, const cairn_poll *poll,
                        const char *label, const char *name)
{
    bool tied;
    int32_t winner = cairn_poll_winner(poll, &tied);
    const char *word = winner < 0 ? "none" : cairn_map_key(&b->classes, (size_t)winner);
    cairn_report_word(out, label, word, "%s", name);
    cairn_report_hidden(out, tied ? 1 : 0, "%s_tied", name);
    return tied;
}

static void show_winners(cairn_report *out, const ballot *b)
{
    cairn_poll strict = b->counted;
    strict.rule.vote = CAIRN_VOTE_MAJORITY;
    bool votes = show_winner(out, b, &b->counted, "most votes", "plurality");
    (void)show_winner(out, b, &strict, "more than half of the votes", "majority");
    bool weights = show_winner(out, b, &b->weighed, "most weight", "weighted");
    if (votes || weights)
        cairn_report_note(out, "Several classes have %s; the first of them wins.",
                          votes && weights ? "the most votes, and the most weight"
                          : votes          ? "the most votes"
                                           : "the most weight");
}

static void clear_ballot(ballot *b)
{
    cairn_map_clear(&b->classes);
}

static cairn_status run_votes(cairn_context *ctx, cairn_report *out, const vote_params *p,
                              bool steps)
{
    SCOPED(clear_ballot) ballot b = {0};
    CHECK(read_votes(ctx, &b, p));
    cairn_combining counted = {.vote = CAIRN_VOTE_PLURALITY};
    cairn_combining weighed = {.vote = CAIRN_VOTE_WEIGHTED};
    CHECK(cairn_poll_open(ctx, &b.counted, counted, b.k, b.n));
    CHECK(cairn_poll_open(ctx, &b.weighed, weighed, b.k, b.n));
    for (size_t i = 0; i < b.n; i++) {
        cairn_poll_class(&b.counted, b.codes[i], b.weights[i]);
        cairn_poll_class(&b.weighed, b.codes[i], b.weights[i]);
    }
    cairn_report_value(out, "voters", (double)b.n, "voters");
    if (steps) CHECK(show_sums(ctx, out, &b));
    show_totals(out, &b);
    show_winners(out, &b);
    return CAIRN_OK;
}

/* -- numbers -- */

static cairn_status average(cairn_context *ctx, double *out, cairn_average rule, const double *y,
                            const double *weights, size_t n)
{
    cairn_poll poll;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_poll_open(ctx, &poll, (cairn_combining){.average = (int)rule}, 0, n));
    for (size_t i = 0; i < n; i++) cairn_poll_number(&poll, y[i], weights[i]);
    *out = cairn_poll_value(&poll);
    return CAIRN_OK;
}

/* The sums as a lecturer writes them, with the numbers put in. */
static cairn_status show_means(cairn_context *ctx, cairn_report *out, const double *y,
                               const double *weights, size_t n, const double *found)
{
    double *terms;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, 2 * n + 1));
    cairn_report_step_begin(out, "Means of the numbers");
    cairn_report_formula(out, "mean = Σ yᵢ / n,  weighted mean = Σ wᵢ · yᵢ");
    cairn_report_worked_sum(out, "Σ yᵢ", "#", y, 1, n, found[CAIRN_AVERAGE_MEAN] * (double)n);
    cairn_report_worked(out, "mean", "# / # = #", found[CAIRN_AVERAGE_MEAN] * (double)n, (double)n,
                        found[CAIRN_AVERAGE_MEAN]);
    for (size_t i = 0; i < n; i++) {
        terms[2 * i] = weights[i];
        terms[2 * i + 1] = y[i];
    }
    cairn_report_worked_sum(out, "weighted mean", "#·#", terms, 2, n,
                            found[CAIRN_AVERAGE_WEIGHTED]);
    cairn_report_step_end(out);
    /* The numbers by size, the middle one or two of them marked. */
    double median = found[CAIRN_AVERAGE_MEDIAN];
    cairn_poll poll;
    CHECK(cairn_poll_open(ctx, &poll, (cairn_combining){.average = CAIRN_AVERAGE_MEDIAN}, 0, n));
    for (size_t i = 0; i < n; i++) cairn_poll_number(&poll, y[i], 1);
    cairn_report_step_begin(out, "Median: the middle of the sorted numbers");
    cairn_report_table_of(out, NULL, 0, "rr", "rank", "number");
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        if (i == n / 2 || i == (n - 1) / 2) cairn_report_row_mark(out);
        cairn_report_cell_number(out, poll.numbers[i], 0, "sorted%zu", i + 1);
    }
    if (n % 2 == 0)
        cairn_report_worked(out, "median", "(# + #) / 2 = #", poll.numbers[n / 2 - 1],
                            poll.numbers[n / 2], median);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Voters without a number, and numbers whose sum is none, have no mean. */
static cairn_status check_numbers(cairn_context *ctx, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(y[i]))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{numbers}: number %zu is not finite; leave out voters that say "
                              "nothing",
                              i + 1);
        sum += fabs(y[i]);
    }
    if (isfinite(sum)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{numbers}: their sum overflows; divide them by a power of ten");
}

static cairn_status run_numbers(cairn_context *ctx, cairn_report *out, const vote_params *p,
                                bool steps)
{
    double *y, *weights, found[CAIRN_AVERAGE_MEDIAN + 1];
    size_t n;
    CHECK(cairn_list_numbers(ctx, "numbers", p->numbers, &y, &n));
    if (!n) return cairn_fail(ctx, CAIRN_USAGE, "{numbers}: there is none");
    CHECK(check_numbers(ctx, y, n));
    CHECK(read_weights(ctx, &weights, p->weights, n));
    for (int rule = CAIRN_AVERAGE_MEAN; rule <= CAIRN_AVERAGE_MEDIAN; rule++)
        CHECK(average(ctx, &found[rule], (cairn_average)rule, y, weights, n));
    cairn_report_value(out, "voters", (double)n, "voters");
    if (steps) CHECK(show_means(ctx, out, y, weights, n, found));
    cairn_report_value(out, "mean", found[CAIRN_AVERAGE_MEAN], "mean");
    cairn_report_value(out, "weighted mean", found[CAIRN_AVERAGE_WEIGHTED], "weighted_mean");
    cairn_report_value(out, "median", found[CAIRN_AVERAGE_MEDIAN], "median");
    return CAIRN_OK;
}

/* -- probabilities -- */

enum { BY_MEAN, BY_PRODUCT, BY_MEDIAN, SHARE_RULES };

typedef struct shares {
    size_t n, k; /* voters, classes */
    const double *p, *weights;
    const char *const *names;
    cairn_poll polls[SHARE_RULES];
    double *products; /* k */
} shares;

static cairn_status read_shares(cairn_context *ctx, shares *w, const vote_params *p)
{
    const cairn_list *typed = &p->probabilities;
    const char **names;
    double *weights;
    w->n = typed->rows;
    w->k = typed->columns;
    w->p = typed->values;
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0;
        for (size_t c = 0; c < w->k; c++) sum += w->p[i * w->k + c];
        if (!(fabs(sum - 1) <= 1.5e-6)) {
            char said[CAIRN_NUMBER_SIZE];
            cairn_number_format(said, sum, 10);
            return cairn_fail(ctx, CAIRN_USAGE, "{probabilities}: row %zu adds up to %s, not to 1",
                              i + 1, said);
        }
    }
    CHECK(read_weights(ctx, &weights, p->weights, w->n));
    w->weights = weights;
    CHECK(SCRATCH(ctx, &names, w->k + 1));
    if (p->classes.text) CHECK(cairn_list_fits(ctx, &p->classes, "classes", w->k, "columns"));
    for (size_t c = 0; c < w->k; c++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 24));
        snprintf(name, 24, "C%zu", c + 1);
        names[c] = p->classes.text ? p->classes.names[c] : name;
    }
    w->names = names;
    return CAIRN_OK;
}

/* Means with the weights, products and medians without. */
static cairn_status combine_shares(cairn_context *ctx, shares *w)
{
    static const cairn_vote rules[SHARE_RULES] = {CAIRN_VOTE_PROBABILITIES, CAIRN_VOTE_PRODUCT,
                                                  CAIRN_VOTE_MEDIAN};
    CHECK(SCRATCH(ctx, &w->products, w->k));
    for (size_t c = 0; c < w->k; c++) w->products[c] = 1;
    for (int r = 0; r < SHARE_RULES; r++) {
        CHECK(cairn_poll_open(ctx, &w->polls[r], (cairn_combining){.vote = (int)rules[r]}, w->k,
                              w->n));
        for (size_t i = 0; i < w->n; i++)
            cairn_poll_shares(&w->polls[r], w->p + i * w->k, r == BY_MEAN ? w->weights[i] : 1);
    }
    for (size_t i = 0; i < w->n * w->k; i++) w->products[i % w->k] *= w->p[i];
    return CAIRN_OK;
}

static cairn_status work_shares(cairn_context *ctx, cairn_report *out, const shares *w)
{
    double *terms;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, 2 * w->n + 2));
    cairn_report_step_begin(out, "Mean, product and median of the probabilities");
    cairn_report_formula(out, "mean(c) = Σ wᵢ pᵢ(c),  product(c) = Π pᵢ(c)");
    for (size_t c = 0; c < w->k; c++) {
        char label[120];
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        for (size_t i = 0; i < w->n; i++) {
            terms[2 * i] = w->weights[i];
            terms[2 * i + 1] = w->p[i * w->k + c];
        }
        snprintf(label, sizeof label, "mean(%.80s)", w->names[c]);
        cairn_report_worked_sum(out, label, "#·#", terms, 2, w->n, w->polls[BY_MEAN].totals[c]);
        for (size_t i = 0; i < w->n; i++) {
            cairn_text_add(&text, i ? "·#" : "#");
            terms[i] = w->p[i * w->k + c];
        }
        cairn_text_add(&text, " = #");
        terms[w->n] = w->products[c];
        CHECK(cairn_text_status(&text));
        snprintf(label, sizeof label, "product(%.80s)", w->names[c]);
        cairn_report_worked_numbers(out, label, cairn_text_string(&text), terms, w->n + 1);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status run_shares(cairn_context *ctx, cairn_report *out, const vote_params *p,
                               bool steps)
{
    static const char *const labels[SHARE_RULES] = {"largest mean", "largest product",
                                                    "largest median"};
    static const char *const keys[SHARE_RULES] = {"by_mean", "by_product", "by_median"};
    shares w = {0};
    double *scores;
    bool any = false;
    CHECK(read_shares(ctx, &w, p));
    CHECK(combine_shares(ctx, &w));
    CHECK(SCRATCH(ctx, &scores, w.k));
    cairn_poll_scores(&w.polls[BY_PRODUCT], scores);
    cairn_report_value(out, "voters", (double)w.n, "voters");
    if (steps) CHECK(work_shares(ctx, out, &w));
    cairn_report_table_of(out, "Probabilities combined", 0, "lrrrr", "class", "mean", "product",
                          "its share", "median");
    for (size_t c = 0; c < w.k; c++)
        cairn_report_cells(out, "- mean.$1 product.$1 product_share.$1 median.$1", w.names[c],
                           w.polls[BY_MEAN].totals[c], w.products[c], scores[c],
                           w.polls[BY_MEDIAN].totals[c]);
    cairn_report_table_end(out);
    for (int r = 0; r < SHARE_RULES; r++) {
        bool tied;
        int32_t winner = cairn_poll_winner(&w.polls[r], &tied);
        cairn_report_word(out, labels[r], winner < 0 ? "none" : w.names[winner], "%s", keys[r]);
        cairn_report_hidden(out, tied, "%s_tied", keys[r]);
        any |= tied;
    }
    if (any) cairn_report_note(out, "Where several classes are equal, the first of them wins.");
    return CAIRN_OK;
}

static cairn_status vote_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const vote_params *p = job->params;
    cairn_report_heading(out, 1, "Combining answers");
    if (p->probabilities.text) return run_shares(ctx, out, p, job->steps);
    return p->votes ? run_votes(ctx, out, p, job->steps) : run_numbers(ctx, out, p, job->steps);
}

const cairn_calculator cairn_compute_vote = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "vote",
         .also = "plurality, majority vote, weighted majority, combining base learners, "
                 "weighted mean of predictions, median of predictions, ensemble",
         .title = "Combining the answers of several",
         .summary =
             "Takes what several voters (base learners) say of one row and combines it by "
             "every rule: the class with the most votes, with more than half of them, with "
             "the most weight; the mean, the weighted mean and the median of numbers; or the mean, "
             "product and median of probabilities. "
             "Ties are told. The learners vote and bagging do the same with models.",
         .references = "Kuncheva, Combining Pattern Classifiers, Wiley 2004",
         .example = "cairn compute vote --votes A,B,B,A,C --weights 0.3,0.2,0.2,0.1,0.2 "
                    "--steps",
         .params = vote_table,
         .params_size = sizeof(vote_params),
         .check = vote_check},
    .arguments = "",
    .run = vote_run,
};
