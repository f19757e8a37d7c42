/* SPDX-License-Identifier: MIT */
/* Combining what several say of one row: votes for classes, shares of classes, numbers. */
#ifndef CAIRN_STATS_VOTES_H
#define CAIRN_STATS_VOTES_H

#include "base/context.h"
#include "entry/entry.h"

typedef enum cairn_vote {
    CAIRN_VOTE_PLURALITY,     /* the class with the most votes */
    CAIRN_VOTE_MAJORITY,      /* the class with more than half of them, else none */
    CAIRN_VOTE_WEIGHTED,      /* the class whose voters weigh the most */
    CAIRN_VOTE_PROBABILITIES, /* the class with the largest mean share */
    CAIRN_VOTE_PRODUCT,       /* ... with the largest product of shares */
    CAIRN_VOTE_MEDIAN         /* ... with the largest median of shares */
} cairn_vote;
/* Whether voters say shares of all classes. */
static inline bool cairn_vote_of_shares(int vote)
{
    return vote >= CAIRN_VOTE_PROBABILITIES;
}
typedef enum cairn_average {
    CAIRN_AVERAGE_MEAN,
    CAIRN_AVERAGE_WEIGHTED,
    CAIRN_AVERAGE_MEDIAN
} cairn_average;

/* A parameter group: `vote` for classes, `average` for numbers. */
typedef struct cairn_combining {
    int vote, average;
} cairn_combining;
extern const cairn_param cairn_combining_table[];

/* What was said of a row so far. */
typedef struct cairn_poll {
    cairn_combining rule;
    size_t n_classes;          /* 0 = numbers */
    double *totals;            /* n_classes: votes, weights of votes, sums or medians of shares, or
                                  products as parts of the largest */
    double asked;              /* votes or weights, those of voters without an answer too */
    double *numbers, *weights; /* of those who have an answer; for medians of shares n_classes x
                                  `most`, rising */
    double *logs;              /* n_classes: of the products of shares */
    size_t most;
    size_t n;
} cairn_poll;

/* Room for up to `most` voters. Scratch. */
CAIRN_CHECKED cairn_status cairn_poll_open(cairn_context *ctx, cairn_poll *out,
                                           cairn_combining rule, size_t n_classes, size_t most);
/* Forget what was said. */
void cairn_poll_start(cairn_poll *poll);
/* One more voter: a class (below 0 = no answer), the shares of all classes, or a number; NaN = no
 * answer. */
void cairn_poll_class(cairn_poll *poll, int32_t code, double weight);
void cairn_poll_shares(cairn_poll *poll, const double *shares, double weight);
void cairn_poll_number(cairn_poll *poll, double number, double weight);

/* How far totals may lie apart and still be equal, as part of their sum. */
#define CAIRN_POLL_ROUNDING 1e-12
/* The class that wins, of equal ones the first; -1 = nobody had an answer, -2 = no majority. `tied`
 * (may be NULL) says whether there were equal ones. */
int32_t cairn_poll_winner(const cairn_poll *poll, bool *tied);
/* Totals as shares of their sum; NaN where nobody had an answer. */
void cairn_poll_scores(const cairn_poll *poll, double *out);
/* The mean or median of the numbers; NaN where there are none. */
double cairn_poll_value(const cairn_poll *poll);

/* Fails (CAIRN_USAGE) unless weights are at least 0 and sum to 1. `what` is the parameter. */
CAIRN_CHECKED cairn_status cairn_vote_weights_check(cairn_context *ctx, const char *what,
                                                    const double *weights, size_t n);
/* Weights for `n` voters that a user gives: as many, at least 0, summing to 1. Scratch. `what`
 * is the parameter. */
CAIRN_CHECKED cairn_status cairn_vote_weights(cairn_context *ctx, double **out, const char *what,
                                              const char *list, size_t n);

#endif
