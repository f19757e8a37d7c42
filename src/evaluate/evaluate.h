/* SPDX-License-Identifier: MIT */
/* Honest estimates: held-out predictions of a learner over a resampling, or of a model on new data,
 * and what they say. */
#ifndef CAIRN_EVALUATE_EVALUATE_H
#define CAIRN_EVALUATE_EVALUATE_H

#include "resample/resample.h"
#include "model/model.h"
#include "stats/confusion.h"
#include "stats/judged.h"

typedef enum cairn_training_error {
    CAIRN_TRAINING_AUTO, /* where it costs no more than 20 predictions of the table */
    CAIRN_TRAINING_NO,
    CAIRN_TRAINING_YES
} cairn_training_error;

/* Settings for one split: the learner's parameters and the transforms, owned by the one who
 * asked. */
typedef struct cairn_settings {
    cairn_params *params;
    cairn_params *transforms; /* a list; NULL = none */
} cairn_settings;
void cairn_settings_clear(cairn_settings *settings);

typedef struct cairn_evaluation cairn_evaluation;

/* A split as those see it who do further work in it. All borrowed. */
typedef struct cairn_split_job {
    const cairn_table *table; /* whose target has its final kind */
    const cairn_params *params;
    const cairn_fit_options *fit;
    cairn_rows train, test;
    size_t split;
} cairn_split_job;

/* Further work: `begin` once the splits are known, `split` in each of them, side by side. */
typedef struct cairn_split_visit {
    cairn_status (*begin)(cairn_context *ctx, void *data, const cairn_evaluation *e);
    cairn_status (*split)(cairn_context *ctx, void *data, const cairn_split_job *job);
    void *data;
} cairn_split_visit;

typedef struct cairn_judge_options cairn_judge_options;

typedef struct cairn_evaluate_how {
    const char *by;                /* resampling spec; NULL = "cv:10", "loo" of fewer than 10 */
    double level;                  /* of the intervals; 0 = 0.95 */
    const cairn_fit_options *fit;  /* task, transforms, missing; NULL = defaults */
    cairn_training_error training; /* whether the rows learned from are judged as well */
    size_t importance;             /* shuffles of each column to measure its importance; 0 = none */
    bool
        plain; /* classes are not shared out evenly, so that several targets have the same splits */
    const char *splits_out; /* file for the parts of every row; NULL = none */
    bool choosing;          /* something is chosen by the result: a part that is set aside for that
                      (validation) is judged in place of the test part */
    /* When set, chooses the settings of each split from its training rows, split after split: so
     * that what was chosen is judged by rows that had no part in choosing. */
    cairn_status (*choose)(cairn_context *ctx, void *data, const cairn_table *table,
                           cairn_rows train, size_t split, cairn_settings *out);
    void *choose_data;
    const cairn_split_visit *visits; /* n_visits; NULL = none */
    size_t n_visits;
    const cairn_judge_options *judge; /* costs are checked before the work begins; NULL = none */
} cairn_evaluate_how;

/* Held-out predictions, one per tested row and repeat, split after split. Owned. */
struct cairn_evaluation {
    cairn_task task;
    const char *learner; /* name, borrowed from the record */
    bool probabilities;  /* its scores are some */
    char *around;        /* the wrappers around it, or NULL */
    char *by;            /* the resampling, or NULL: a given model on given data */
    char *decision;      /* how the task was decided */
    char *target;        /* name */
    cairn_map classes;   /* names */
    int32_t positive;
    double level;
    uint64_t seed;
    size_t n; /* predictions */
    size_t n_splits;
    size_t *starts;     /* n_splits + 1: where each split's predictions begin */
    uint32_t *rows;     /* n: table rows */
    double *weights;    /* n */
    uint32_t *groups;   /* n: the group of each row; NULL = there are none */
    int32_t *actual;    /* CLASSIFY: n */
    int32_t *predicted; /* CLASSIFY: n; -1 = no answer */
    int32_t *baseline;  /* CLASSIFY: n: what the majority of the training rows says */
    double *scores;     /* CLASSIFY, when given: n x classes */
    double *actual_number, *predicted_number, *baseline_number; /* REGRESS: n */
    size_t n_repeats;          /* of the resampling; 0 for a given model */
    double share;              /* test rows over training rows, the mean over the splits; 0 for a
                                  given model */
    bool single;               /* every split tests one row: scores of different rows come from
                                  different models and cannot be compared */
    bool chosen_apart;         /* a validation part was judged, and there is another to test on */
    bool bootstrap;            /* rows were drawn with replacement */
    double *training_measures; /* n_splits: accuracy or mean squared error on the rows learned from;
                                  NULL = not computed */
    double *densities;     /* n_splits: mean ln of what the model says of a row; NULL = it has no
                                  density */
    cairn_map columns;     /* names of the table's columns, when importance was measured */
    double *importance;    /* n_splits x columns.n; NaN = not a feature; NULL = not measured */
    double resubstitution; /* the same of a model fitted to all rows; NaN = not computed */
    double no_information; /* bootstrap: the error if features and target were independent */
    bool training;         /* these are the rows that the model was fitted to */
    size_t n_unknown; /* CLASSIFY: rows whose class the model does not know; they count as wrong */
    size_t n_unseen;  /* cells with levels that were not seen in training */
    bool items;       /* every prediction is of an item of a sequence; those of a row, which is a
                         group, lie side by side. `task` is CLASSIFY */
    size_t n_rows;    /* rows of the table that have a target */
    size_t n_waiting; /* rows that have none: they wait for an answer and are not judged */
    double seconds;   /* that predicting took; a given model only */
};

/* Judge a learner by the resampling of the options; the table is not changed. *out is cleared by
 * cairn_evaluation_clear, and empty after a failure. */
CAIRN_CHECKED cairn_status cairn_evaluate_learner(cairn_context *ctx, cairn_evaluation *out,
                                                  const cairn_params *params,
                                                  const cairn_table *table,
                                                  const cairn_evaluate_how *options);
/* The table must have the target column. */
CAIRN_CHECKED cairn_status cairn_evaluate_model(cairn_context *ctx, cairn_evaluation *out,
                                                const cairn_model *model, const cairn_table *table,
                                                double level, size_t importance);
void cairn_evaluation_clear(cairn_evaluation *evaluation);

/* The predictions as measures see them: all, those of one split, and what looking at no feature
 * says of all rows. Borrowed. */
cairn_judged cairn_evaluation_judged(const cairn_evaluation *evaluation);
cairn_judged cairn_evaluation_split(const cairn_evaluation *evaluation, size_t split);
cairn_judged cairn_evaluation_baseline(const cairn_evaluation *evaluation);

/* What the user wants to know beyond the usual. */
struct cairn_judge_options {
    double cost_fn, cost_fp; /* two classes: cost of a missed positive and of a false alarm */
    double class_ratio;  /* positives : negatives where the classifier will be used; 0 = as here */
    const char *costs;   /* of every answer, as stats/cost_matrix.h reads them; NULL = not given */
    bool errors;         /* list the rows that are wrong */
    bool rows_predicted; /* rows of the confusion table are predictions */
    cairn_undefined undefined; /* precision, recall and F of 0/0 */
    const char *measures;      /* names of further measures, separated by commas; NULL = none */
};

#define CAIRN_JUDGE_OPTIONS_INIT                                                                   \
    {                                                                                              \
        1, 1, 0, NULL, false, false, CAIRN_UNDEFINED_NA, NULL                                      \
    }

/* Measures with intervals and the baseline beside them, confusion table, folds, figures. */
CAIRN_CHECKED cairn_status cairn_evaluation_judge(cairn_context *ctx, cairn_report *out,
                                                  const cairn_evaluation *evaluation,
                                                  const cairn_judge_options *options);

/* The estimate as a model of all rows keeps it: accuracy or mean squared error. Texts are owned. */
CAIRN_CHECKED cairn_status cairn_evaluation_estimate(cairn_context *ctx, cairn_estimate *out,
                                                     const cairn_evaluation *evaluation);

/* row, split, actual, predicted, right or residual, and a score per class where there are some: for
 * --out. */
CAIRN_CHECKED cairn_status cairn_evaluation_table(cairn_context *ctx, cairn_table **out,
                                                  const cairn_evaluation *evaluation);

#endif
