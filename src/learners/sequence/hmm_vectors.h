/* SPDX-License-Identifier: MIT */
/* Vectors that states give off: their normal densities and sums, also where some of their numbers
 * are missing. Such a vector has the density of the numbers that are there; in the sums the others
 * are what the state expects of them, given these. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_VECTORS_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_VECTORS_H

#include "learners/sequence/hmm_sums.h"

/* Normal densities that are ready to be asked: ln p(x | state) = constant - |W (x - mean)|² / 2. */
typedef struct cairn_hmm_normals {
    double *whites;    /* n_states x n_numbers x n_numbers, lower triangles; scratch */
    double *constants; /* n_states */
} cairn_hmm_normals;
/* Fails with the state whose covariance is none. */
CAIRN_CHECKED cairn_status cairn_hmm_normals_make(cairn_context *ctx, cairn_hmm_normals *out,
                                                  const cairn_hmm *model);

/* Room to fill a vector in; scratch. */
typedef struct cairn_hmm_filling {
    double *x;      /* d: the vector, with what is expected in the place of what is missing */
    double *spread; /* d x d: covariance of the missing numbers, 0 elsewhere */
    double *factor; /* d x d */
    size_t *holes;  /* d: which numbers are missing */
    size_t n_holes;
} cairn_hmm_filling;
CAIRN_CHECKED cairn_status cairn_hmm_filling_make(cairn_context *ctx, cairn_hmm_filling *out,
                                                  size_t d);

/* How many of the d numbers are missing. */
size_t cairn_hmm_missing(const double *x, size_t d);
/* ln of the density of what is there of a vector in a state; 0 where nothing is. */
double cairn_hmm_density(const cairn_hmm *model, const cairn_hmm_normals *normals, size_t state,
                         const double *x, cairn_hmm_filling *room);
/* Add a vector to the moments of a state; one of which nothing is there adds nothing. */
void cairn_hmm_add_vector(const cairn_hmm_sums *sums, const cairn_hmm *model,
                          const cairn_hmm_normals *normals, size_t state, const double *x,
                          double weight, cairn_hmm_filling *room);

#endif
