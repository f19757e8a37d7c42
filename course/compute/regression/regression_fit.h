/* SPDX-License-Identifier: MIT */
/* A regression that a calculator needs: a model formula fitted to a table by `glm`. */
#ifndef CAIRN_COMPUTE_REGRESSION_FIT_H
#define CAIRN_COMPUTE_REGRESSION_FIT_H

#include "learners/linear/glm.h"
#include "model/model.h"
#include "model/calculator.h"
#include "model/model_formula.h"

/* Parameters that regressions have in common. */
typedef struct cairn_regression_options {
    int family, link;
    double theta;
    bool quasi;
} cairn_regression_options;
extern const cairn_param cairn_regression_params[];

typedef struct cairn_regression {
    cairn_model *model;
    cairn_table *table; /* with the roles of the formula */
    const cairn_glm_model *glm;
    const cairn_glm_account *account;
} cairn_regression;

/* Fit the formula to the rows that have no missing cell in its columns. The message of a failure
 * begins with the formula. */
CAIRN_CHECKED cairn_status cairn_regression_fit(cairn_context *ctx, cairn_regression *out,
                                                const cairn_table *table, const char *formula,
                                                const cairn_regression_options *options);
void cairn_regression_clear(cairn_regression *regression);
/* Degrees of freedom that the rows have left. */
static inline double cairn_regression_df(const cairn_regression *r)
{
    return r->account->total - r->account->rank;
}

/* The rows with their columns as the model saw them. */
typedef struct cairn_regression_rows {
    size_t n, n_terms;
    double *x;                /* n x (n_terms + 1), the last a 1; NaN where a cell is missing */
    double *values;           /* n */
    double *means;            /* n */
    double *weights;          /* n: those of the rows */
    const char *const *names; /* n_terms */
} cairn_regression_rows;

/* Scratch; borrowed names. */
CAIRN_CHECKED cairn_status cairn_regression_read(cairn_context *ctx, cairn_regression_rows *out,
                                                 const cairn_regression *regression);

#endif
