/* SPDX-License-Identifier: MIT */
/* Labelings of a few points by the hypotheses of a class. */
#ifndef CAIRN_COMPUTE_THEORY_DICHOTOMIES_H
#define CAIRN_COMPUTE_THEORY_DICHOTOMIES_H

#include "model/calculator.h"

typedef enum cairn_hypotheses {
    CAIRN_THRESHOLDS,        /* x >= m is 1 */
    CAIRN_THRESHOLDS_EITHER, /* x >= m or x < m is 1 */
    CAIRN_INTERVALS,         /* a < x < b is 1 */
    CAIRN_INTERVALS_EITHER,  /* and their complements */
    CAIRN_LINEAR,            /* w x > c is 1 */
    CAIRN_RECTANGLES,        /* boxes with closed sides */
    CAIRN_CONJUNCTIONS,      /* of literals over bits */
    CAIRN_LISTED             /* every column is a hypothesis */
} cairn_hypotheses;
extern const cairn_choice cairn_hypotheses_choices[];

typedef struct cairn_instances {
    cairn_hypotheses kind;
    size_t n, p;              /* points; coordinates, or hypotheses when they are listed */
    double *x;                /* n x p; LISTED: numbers of labels */
    const char **names;       /* n */
    const char **columns;     /* p */
    int n_labels;             /* 2 or more */
    const char **label_names; /* n_labels */
    bool empty;               /* conjunctions: the contradiction is one of them */
} cairn_instances;

/* Points from "0,0;1,0;0,1" (rows are points; a single row is points on a line where the class is
 * about numbers) or from the table. labels = 0: as many as there are. Scratch. */
CAIRN_CHECKED cairn_status cairn_instances_read(cairn_context *ctx, cairn_instances *out,
                                                cairn_hypotheses kind, const char *text,
                                                const cairn_table *table, int labels, bool empty);

/* Any number of rows of 0 and 1, from a table with at most `most` features. Scratch. */
CAIRN_CHECKED cairn_status cairn_bits_read(cairn_context *ctx, cairn_instances *out,
                                           const cairn_table *table, size_t most);

/* A hypothesis as numbers, for pictures of two labels in one or two coordinates. */
typedef struct cairn_witness {
    bool known;
    double w[3];            /* linear: w[0] x + w[1] y + w[2] > 0 is 1 (on a line w[0] x + w[1]) */
    double low[2], high[2]; /* otherwise: what lies between is 1, */
    bool complement;        /* or all the rest */
} cairn_witness;

/* Whether some hypothesis gives point i the label labels[i]. `words` gets that hypothesis, or the
 * reason why there is none; `witness` (NULL = not wanted) the same as numbers. */
CAIRN_CHECKED cairn_status cairn_labeling_realised(cairn_context *ctx, const cairn_instances *at,
                                                   const int *labels, bool *out, cairn_text *words,
                                                   cairn_witness *witness);

/* The label of point i in the labeling that is number `code`: the first point is the leading
 * digit. */
void cairn_labeling_of(const cairn_instances *at, size_t code, int *labels);

/* VC dimension of the class in p dimensions; NaN when it is listed. */
double cairn_class_dimension(cairn_hypotheses kind, size_t p, bool empty);

/* Rank of a matrix, row-major. */
CAIRN_CHECKED cairn_status cairn_matrix_rank(cairn_context *ctx, const double *cells, size_t rows,
                                             size_t columns, size_t *out);

/* Sum of the binomial coefficients n over 0 .. k. */
double cairn_binomial_sum(size_t n, size_t k);

/* The next k of n places, ascending, in lexical order; false behind the last. */
bool cairn_next_subset(size_t *chosen, size_t k, size_t n);

#endif
