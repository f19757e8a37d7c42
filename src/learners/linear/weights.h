/* SPDX-License-Identifier: MIT */
/* A number as a constant plus a weighted sum of terms: the model of every linear regression that
 * keeps nothing but its weights. A learner fits them and tells how; the rest of its record is
 * here. */
#ifndef CAIRN_LEARNERS_WEIGHTS_H
#define CAIRN_LEARNERS_WEIGHTS_H

#include "model/learner.h"
#include "rows/matrix.h"

typedef struct cairn_weights {
    size_t n_terms;
    bool intercept;
    double *weights; /* n_terms, and the constant */
} cairn_weights;

/* What a weight of a row says, for degrees of freedom and standard errors; coefficients are the
 * same. */
enum { CAIRN_WEIGHTS_COUNTS, CAIRN_WEIGHTS_PRECISIONS };
extern const cairn_choice cairn_weights_are_choices[];
/* The parameter of a learner whose struct S has an int `weights_are`. */
#define CAIRN_WEIGHTS_ARE(S, INITIAL)                                                              \
    CAIRN_PARAM_CHOICE(S, weights_are, INITIAL, cairn_weights_are_choices,                         \
                       "what the weights of rows are, for degrees of freedom and standard errors")
/* How many observations the rows of the view are: the sum of their weights, or the number of those
 * with one. */
double cairn_weights_observations(const cairn_view *view, int weights_are);
/* Which of them was taken, where the rows had weights, and a note where counts come to a number of
 * observations (or of degrees of freedom) that is not whole. */
void cairn_weights_show_meaning(cairn_report *out, const cairn_job *job, int weights_are,
                                double observations);

/* Copies n_terms + 1 weights, the constant last; cleared by cairn_weights_clear. */
CAIRN_CHECKED cairn_status cairn_weights_keep(cairn_context *ctx, cairn_weights *out,
                                              const double *weights, size_t n_terms,
                                              bool intercept);
/* The target as a sum of terms, whose names are given. */
void cairn_weights_show_equation(cairn_report *out, const cairn_weights *model,
                                 const cairn_job *job, const char *const *names);
/* Equation and coefficients; every coefficient is a value of the report. */
void cairn_weights_show(cairn_report *out, const cairn_weights *model, const cairn_job *job);

/* Those in the units of the data, where a transform changed them. */
void cairn_weights_show_raw(cairn_report *out, const cairn_weights *model, const cairn_job *job);

/* The weights beside others of the same terms (n_terms + 1), which are values WORD.TERM. */
void cairn_weights_beside(cairn_report *out, const cairn_weights *model, const cairn_job *job,
                          const double *others, const char *title, const char *own,
                          const char *word);

/* What the terms of a row are told beside: the training means of the number columns, which come
 * first, and 0 for the items of bags, most of which are absent in most rows. *out is scratch, NULL
 * where the means were not kept. */
CAIRN_CHECKED cairn_status cairn_term_centres(cairn_context *ctx, const double **out,
                                              const cairn_job *job, size_t n_dense, size_t n_terms);

/* The terms of one row's sum, constant + weights times values, for `explain` of a linear model. */
void cairn_linear_explain_row(cairn_report *out, const cairn_job *job, size_t row,
                              const double *weights, double constant, size_t n_terms);

/* Beside a table of standard errors: that filled cells count as observed, where there are some. */
void cairn_note_filled(cairn_report *out, const cairn_job *job);

/* For the learner's record; `model` is a cairn_weights. */
extern const cairn_export_form cairn_weights_forms[];
extern const cairn_learned cairn_weights_tables[];
/* The table of coefficients with n_terms + 1 standard errors and their degrees of freedom; NULL =
 * there are none. */
void cairn_weights_write(struct cairn_ledger *out, const cairn_weights *m, const cairn_job *job,
                         const double *errors, double df);
CAIRN_CHECKED cairn_status cairn_weights_predict(cairn_context *ctx, cairn_prediction *out,
                                                 const void *model, const cairn_job *job);
void cairn_weights_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
CAIRN_CHECKED cairn_status cairn_weights_archive(cairn_archive *archive, void *model);
CAIRN_CHECKED cairn_status cairn_weights_check(cairn_archive *archive, const void *model,
                                               const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_weights_lower(const void *model, const cairn_job *job,
                                               cairn_program *out);
void cairn_weights_clear(void *model);
cairn_model_size cairn_weights_size(const void *model);

/* What the record of a learner whose model is a cairn_weights has in common with the others. */
#define CAIRN_WEIGHTS_RECORD                                                                       \
    .model_size = sizeof(cairn_weights), .forms = cairn_weights_forms,                             \
    .lower = cairn_weights_lower, .predict = cairn_weights_predict, .keeps_means = true,           \
    .explain = cairn_weights_explain, .archive = cairn_weights_archive,                            \
    .check = cairn_weights_check, .clear = cairn_weights_clear, .size = cairn_weights_size

#endif
