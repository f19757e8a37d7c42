/* SPDX-License-Identifier: MIT */
/* What the files of adaboost share: parameters, the model, its history and the work of a fit. */
#ifndef CAIRN_WRAPPERS_ADABOOST_H
#define CAIRN_WRAPPERS_ADABOOST_H

#include "wrappers/members.h"

typedef enum cairn_ada_form {
    CAIRN_ADA_DISCRETE, /* members vote; of several classes SAMME */
    CAIRN_ADA_M1,       /* the formulas of two classes, however many there are */
    CAIRN_ADA_REAL      /* members give probabilities; of several classes SAMME.R */
} cairn_ada_form;

typedef enum cairn_ada_sampling { CAIRN_ADA_IF_NEEDED, CAIRN_ADA_ALWAYS } cairn_ada_sampling;

typedef struct cairn_ada_params {
    cairn_wrapper_params wrapper;
    int64_t rounds;
    int form, vote, resample;
    int protocol; /* cairn_protocol */
    double eta, hold_out;
    int64_t patience;
} cairn_ada_params;

typedef struct cairn_ada_model {
    cairn_members members;
} cairn_ada_model;

/* Why there are no more rounds. */
typedef enum cairn_ada_end {
    CAIRN_ADA_ALL_ROUNDS,
    CAIRN_ADA_CHANCE,      /* the next model was no better than chance and was dropped */
    CAIRN_ADA_ONLY_CHANCE, /* the first one was not, and answers alone */
    CAIRN_ADA_PERFECT,     /* a model without errors: its vote would outweigh all others */
    CAIRN_ADA_PATIENCE,    /* rows held out were answered no better */
    CAIRN_ADA_ENDS
} cairn_ada_end;

enum { CAIRN_ADA_MOST_MARGINS = 201, CAIRN_ADA_HEAVIEST = 10 };

/* How it came about. */
typedef struct cairn_ada_history {
    size_t n; /* rounds that were made, without one that was dropped */
    int32_t end;
    int32_t resampled;
    double last;                         /* error of a model that was dropped */
    double training_error, held_error;   /* of the model; NaN = no rows are held out */
    double n_held;                       /* rows held out */
    double *epsilon, *alpha, *z, *error; /* n: of the round, and training error up to it */
    double *held;                        /* n: error of the rows held out; NaN = there are none */
    size_t n_margins;                    /* quantiles of the margins of the training rows */
    double *margins;                     /* n_margins, ascending */
    size_t n_heavy;                      /* rows that weigh most after the last round */
    double *heavy_rows, *heavy_weights;  /* n_heavy: numbers from 1, weights */
} cairn_ada_history;

/* Rows that are asked after every round. */
typedef struct cairn_ada_rows {
    size_t n;
    uint32_t *rows;   /* of the table */
    int32_t *actual;  /* their classes */
    double *given;    /* their weights as the user gave them */
    int32_t *answers; /* classes that the last model answers, -1 = none */
    double *said;     /* real form, n x classes: its probabilities; NaN = no answer */
    double *sums;     /* n x classes: what the members said so far; NULL = nobody asks */
    int32_t *leaders; /* the class with the largest sum; NULL likewise */
} cairn_ada_rows;

typedef struct cairn_ada_work {
    const cairn_job *job;
    const cairn_ada_params *params;
    cairn_ada_model *model;
    cairn_ada_history *history; /* NULL = nobody wants to know */
    cairn_nested nested;
    bool resampled;
    size_t k, width; /* classes; numbers of an answer: 1, or k for probabilities */
    cairn_ada_rows learned, held;
    double total;    /* weight of the rows learned from, as it was given */
    double *weights; /* of the rows learned from, in the units of the base: they sum to `total` */
    double *next;    /* those of the next round */
    uint32_t *drawn; /* rows that were drawn */
} cairn_ada_work;

/* One round: what was found, and what becomes of the weights. */
typedef struct cairn_ada_round {
    size_t number; /* from 1 */
    double epsilon, alpha, z;
    double sum;          /* of the weights; `total` but for rounding */
    double wrong, right; /* factors of the weights; NaN where each row has its own */
} cairn_ada_round;

/* -- showing -- */

/* The steps of a round; `part` has those of the base. */
void cairn_ada_show_round(const cairn_ada_work *w, const cairn_ada_round *round, bool goes_on,
                          cairn_report *part);
void cairn_ada_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_ada_figures[];

#endif
