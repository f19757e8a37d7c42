/* SPDX-License-Identifier: MIT */
/* Generalised linear models, shared by the parts of the learner `glm`. */
#ifndef CAIRN_LEARNERS_GLM_H
#define CAIRN_LEARNERS_GLM_H

#include "learners/linear/sandwich.h"
#include "learners/linear/weights.h"
#include "stats/families.h"

enum { CAIRN_GLM_SAMPLE = 1000, CAIRN_GLM_MOST_ITERATIONS = 1000 };

typedef struct cairn_glm_params {
    int family; /* cairn_family_kind */
    int link;   /* cairn_mean_link */
    double theta;
    bool intercept;
    bool quasi;
    const char *offset, *exposure;
    int errors; /* cairn_error_kind */
    int weights_are;
    double level;
    int max_iter;
} cairn_glm_params;

typedef struct cairn_glm_model {
    cairn_weights weights; /* of the score; those of offsets are 1 */
    cairn_family family;
    size_t n_offsets; /* terms whose weight is 1 by request */
    int32_t *offsets;
    int32_t exposure; /* the term whose logarithm is added; -1 = none */
    double dispersion;
    double df;          /* rows less free weights; infinite where the dispersion is known */
    double *covariance; /* (n_terms + 1)²: of the weights, the constant last; 0 where fixed */
} cairn_glm_model;

enum { CAIRN_GLM_QUARTILES = 5 };

/* How it came about. */
typedef struct cairn_glm_history {
    size_t n_terms, n_rows; /* rows with a positive weight */
    double total;           /* observations: their weight, or n_rows where weights are precisions */
    double rank;            /* free weights */
    double deviance, null_deviance, null_df, pearson, aic;
    size_t iterations;
    bool converged, separated;
    uint8_t *aliased; /* n_terms: 1 = other terms determine it, it has no weight */
    size_t n_groups;  /* of grouped standard errors */
    size_t n_values;  /* deviances, from the start on */
    double *values;   /* n_history */
    double quartiles[CAIRN_GLM_QUARTILES]; /* of the deviance residuals of the sample */
    size_t n_sample;                       /* rows kept for the pictures */
    double *fitted;                        /* n_sample: means */
    double *residuals;                     /* n_sample: deviance residuals */
} cairn_glm_history;

/* Statistics of term j, or of the constant (j = n_terms). NaN where undefined. */
typedef struct cairn_glm_row {
    double weight, error, z, p, low, high;
} cairn_glm_row;
cairn_glm_row cairn_glm_row_of(const cairn_glm_model *m, size_t j, double level);

/* Functions of the learner's record. */
void cairn_glm_describe(cairn_report *out, const void *model, const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_glm_predict(cairn_context *ctx, cairn_prediction *out,
                                             const void *model, const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_glm_lower(const void *model, const cairn_job *job,
                                           cairn_program *out);
void cairn_glm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

extern const cairn_choice cairn_family_choices[], cairn_link_choices[];

#endif
