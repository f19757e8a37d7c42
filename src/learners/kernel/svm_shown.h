/* SPDX-License-Identifier: MIT */
/* What a solved support vector machine says of its rows, worked out from the history: shared by the
 * description, the steps and the pictures of the learner `svm`. */
#ifndef CAIRN_LEARNERS_SVM_SHOWN_H
#define CAIRN_LEARNERS_SVM_SHOWN_H

#include "learners/kernel/svm.h"

typedef struct cairn_svm_shown {
    const cairn_svm_model *model;
    const cairn_svm_machine *one; /* whose rows the history kept */
    const cairn_svm_params *params;
    const cairn_job *job;
    const char *const *terms; /* names of the model's terms */
    const char *prefix;       /* of value names: "", or "machine2." */
    size_t k;                 /* number of the machine */
    bool numbers;
    double norm;      /* ‖w‖ in the space of the kernel */
    double tolerance; /* within which a row is on the margin */
} cairn_svm_shown;

/* Scratch. `one` must have its rows. */
CAIRN_CHECKED cairn_status cairn_svm_shown_of(cairn_context *ctx, cairn_svm_shown *out,
                                              const cairn_svm_model *model,
                                              const cairn_svm_history *history,
                                              const cairn_job *job, size_t k);

/* α = 0, 0 < α < C, α = C. */
typedef enum { CAIRN_SVM_ZERO, CAIRN_SVM_INSIDE, CAIRN_SVM_AT_BOUND } cairn_svm_group;
cairn_svm_group cairn_svm_group_of(const cairn_svm_shown *s, size_t i);
/* y f(x) of a class. */
double cairn_svm_functional(const cairn_svm_shown *s, size_t i);
/* Number of the target less the score. */
double cairn_svm_residual(const cairn_svm_shown *s, size_t i);
/* ξ; what is no more than rounding is 0. */
double cairn_svm_slack(const cairn_svm_shown *s, size_t i);
/* "ok", "on margin", "in margin", "on boundary", "misclassified"; of numbers "in tube", "on tube",
 * "outside". */
const char *cairn_svm_state(const cairn_svm_shown *s, size_t i);
bool cairn_svm_on_margin(const cairn_svm_shown *s, size_t i);
/* What the primal problem comes to, the dual value, and Σ ξ. */
double cairn_svm_slack_sum(const cairn_svm_shown *s);
double cairn_svm_primal(const cairn_svm_shown *s);
double cairn_svm_dual(const cairn_svm_shown *s);
/* Largest violation of the Kuhn-Tucker conditions of the rows, and whose it is. */
double cairn_svm_kkt(const cairn_svm_shown *s, size_t *row);
/* Whether the two objectives meet, but for rounding and what rows within the tolerance leave. */
bool cairn_svm_gap_is_closed(const cairn_svm_shown *s, double primal, double dual);
/* Weight of a term, 0 where it is rounding; only of linear machines. */
double cairn_svm_weight(const cairn_svm_shown *s, size_t term);
/* w, then the constant, times the least factor that makes whole numbers of the weights; false where
 * no small one does. n_terms + 1 numbers. */
bool cairn_svm_integers(const cairn_svm_shown *s, double *out);
/* "w·x − t = 0" with the numbers put in; `level` is on the right side, NaN = there is none. */
void cairn_svm_add_equation(cairn_text *text, const cairn_svm_shown *s, const double *plane,
                            double level);
/* Name of a row, as the table has it: its number. `buffer` has 24 bytes. */
const char *cairn_svm_row_name(const cairn_svm_shown *s, size_t i, char *buffer);

#endif
