/* SPDX-License-Identifier: MIT */
/* A model as a sum: a constant, weights of columns, and trees whose leaves are added up. What makes
 * an answer of the sum (shares from scores, say) is left out and named.
 *
 * The sum is read off the operations that the learner writes itself down as (model/program.h), so
 * every learner whose operations add up is one, without knowing of it. */
#ifndef CAIRN_EXPLAIN_ADDITIVE_H
#define CAIRN_EXPLAIN_ADDITIVE_H

#include "model/model.h"

/* What the sum stands for. */
typedef enum cairn_sum_scale {
    CAIRN_SUM_NUMBER,   /* the number that is answered */
    CAIRN_SUM_SCORE,    /* the score or share of a class */
    CAIRN_SUM_LOG_ODDS, /* of a class against the other one */
    CAIRN_SUM_SOFTMAX,  /* the score of a class, of which shares are made by exp */
    CAIRN_SUM_LOGARITHM /* of the number that is answered */
} cairn_sum_scale;

/* Trees that are added up. */
typedef struct cairn_additive_trees {
    const cairn_operation *op; /* CAIRN_OP_TREES */
    double *factors;           /* n_outputs x values of a leaf: what they count for an output */
} cairn_additive_trees;

typedef struct cairn_additive {
    const char *refused; /* why there is no sum; NULL = there is one. Scratch */
    cairn_program program;
    size_t n_columns; /* that the learner sees */
    size_t n_outputs;
    cairn_sum_scale scale;
    int32_t *classes;  /* n_outputs: the class that it speaks for, -1 = a number */
    double *constants; /* n_outputs */
    double *weights;   /* n_outputs x n_columns */
    bool weighs;       /* some weight is not 0 */
    cairn_additive_trees *trees;
    size_t n_trees;
} cairn_additive;

/* The sum of a model, or why it is none. Arrays are scratch. */
CAIRN_CHECKED cairn_status cairn_additive_of(cairn_context *ctx, cairn_additive *out,
                                             const cairn_model *model);
void cairn_additive_clear(cairn_additive *additive);

#endif
