/* SPDX-License-Identifier: MIT */
/* Contests: several learners on one table, on the same splits. */
#ifndef CAIRN_EVALUATE_COMPARE_H
#define CAIRN_EVALUATE_COMPARE_H

#include "evaluate/curve.h"
#include "evaluate/judge.h"
#include "evaluate/measured.h"

typedef struct cairn_contestant {
    const char *name;           /* as the user wrote it, for tables */
    const cairn_params *params; /* of the learner */
} cairn_contestant;

/* What is wanted of a contest beyond the measure over the splits. */
typedef struct cairn_contest_options {
    const char *measure;        /* NULL = the task's usual one */
    cairn_judge_options costs;  /* only what they say of costs */
    double noise;               /* deviations of number cells, share of level cells; 0 = none */
    double label_noise;         /* share of the training rows that get a wrong class; 0 = none */
    double missing;             /* share of cells that go missing; 0 = none */
    const char *disturb;        /* "train", "new" or "all": which rows; NULL = all */
    const char *learning_curve; /* steps, shares or numbers of rows; NULL = none */
    bool timings, growth;       /* growth: how fitting time rises with the rows */
    bool steps;                 /* the work behind the tests of pairs */
    bool lenient;               /* a learner that cannot learn the table is left out */
} cairn_contest_options;

/* What one learner did. */
typedef struct cairn_contest_result {
    cairn_evaluation evaluation;
    char *failure; /* why it was left out; NULL = it was not */
    cairn_measured measured, training;
    cairn_curve curve; /* when learning curves are wanted */
    /* a model of all rows */
    cairn_model_size size;
    double pieces, bytes; /* leaves, rules; length of its file */
    const char *pieces_name;
    /* NaN = not asked for */
    double noise, label_noise, missing; /* the measure with disturbed rows */
    cairn_cost cost;
    double fit_seconds, predict_seconds, peak_bytes, growth;
} cairn_contest_result;

typedef struct cairn_contest {
    const char *data; /* name of the table, borrowed */
    const cairn_contestant *learners;
    size_t n_learners;
    const cairn_measure *measure;
    const cairn_contest_options *options;
    cairn_contest_result *results; /* n_learners */
    double *splits;                /* n_learners x n_splits */
    double share;                  /* test rows / training rows of a split */
    size_t n_splits;
    bool has_costs;
} cairn_contest;

/* Owned arrays, freed by cairn_contest_clear; the rest is borrowed and must outlive the contest. */
CAIRN_CHECKED cairn_status cairn_contest_run(cairn_context *ctx, cairn_contest *out,
                                             const cairn_contestant *learners, size_t n,
                                             const char *data, const cairn_table *table,
                                             const cairn_evaluate_how *how,
                                             const cairn_contest_options *options);
void cairn_contest_clear(cairn_contest *contest);

/* The tables of learners, then all pairs with their tests at the level alpha, then pictures. */
CAIRN_CHECKED cairn_status cairn_contest_report(cairn_context *ctx, cairn_report *out,
                                                const cairn_contest *contest, double alpha,
                                                const char *prefix);

/* The splits, and all pairs with their tests: of a contest of clusterers, too. */
CAIRN_CHECKED cairn_status cairn_contest_tests(cairn_context *ctx, cairn_report *out,
                                               const cairn_contest *contest, double alpha,
                                               const char *prefix);

/* -- clusterers -- */

/* Fills and reports a contest of clusterers: their clusters of all rows, measured in several ways
 * and compared with one another, and the measure over the splits of how->by, whose values are
 * `measured`. Held-out rows are judged or, when one of the clusterers has no rule for them, the
 * rows that are learned from. */
CAIRN_CHECKED cairn_status cairn_contest_clusters(
    cairn_context *ctx, cairn_contest *out, cairn_report *report, const cairn_contestant *learners,
    size_t n, const char *data, const cairn_table *table, const cairn_evaluate_how *how,
    const char *distance, const cairn_contest_options *options, double alpha, const char *prefix);

/* Curves of all learners in one picture each, and the distribution of their results. */
CAIRN_CHECKED cairn_status cairn_contest_figures(cairn_context *ctx, cairn_report *out,
                                                 const cairn_contest *contest);

/* What held-out predictions of all learners are, row by row, for --out. */
CAIRN_CHECKED cairn_status cairn_contest_table(cairn_context *ctx, cairn_table **out,
                                               const cairn_contest *contest);

#endif
