/* SPDX-License-Identifier: MIT */
/* Shapley values of the columns of rows: what each adds to the answer of a model, averaged over all
 * orders in which columns may become known. With f the sum behind the answer,
 *
 *     f(row) = base + Σ over columns of φ(column),   base = mean of f over background rows.
 *
 * Sums of trees and of columns are exact (tree_paths.h); any other model is asked about rows that
 * are half this and half another (sampled.h). */
#ifndef CAIRN_EXPLAIN_SHAPLEY_H
#define CAIRN_EXPLAIN_SHAPLEY_H

#include "explain/tree_paths.h"
#include "model/background.h"

typedef enum cairn_shapley_method {
    CAIRN_SHAPLEY_AUTO, /* exact where that is possible */
    CAIRN_SHAPLEY_EXACT,
    CAIRN_SHAPLEY_SAMPLED
} cairn_shapley_method;

typedef struct cairn_shapley_options {
    cairn_shapley_method method;
    bool against_rows;             /* trees: unknown columns come from background rows, not from
                                      the shares of the branches */
    const cairn_table *background; /* raw rows; NULL = those that the keeper has, or the table */
    const cairn_model *keeper;     /* who was fitted to the rows; NULL = the model itself */
    size_t most_background;        /* rows that are drawn, against rows and sampled */
    size_t permutations;           /* sampled: pairs of orders for each row */
    bool pairs;                    /* interaction values, too */
    const uint32_t *rows;          /* of the table; NULL = all */
    size_t n_rows;
} cairn_shapley_options;

typedef struct cairn_shapley {
    size_t n_rows, n_players, n_outputs;
    bool exact, trees, against_rows;
    const char *refused;   /* sampled: why there is no exact way; NULL = it was not asked for */
    cairn_sum_scale scale; /* what the values are parts of; a sampled score is CAIRN_SUM_SCORE */
    bool other_units;      /* those that transforms gave the target, not those of the data */
    bool inner;            /* players are columns after the transforms, not those of the data */
    int32_t *classes;      /* n_outputs: class or cluster, -1 = a number */
    const char **names;    /* n_players */
    cairn_table *table;    /* where their cells are */
    size_t *columns;       /* n_players: and in which columns */
    double *base;          /* n_outputs */
    double *values;        /* n_rows x n_outputs x n_players */
    double *errors;        /* sampled: standard errors of the values; else NULL */
    double *pairs;   /* n_rows x n_outputs x n_players x n_players, φ(i, i) being what is left
                              of φ(i); NULL = not wanted */
    double *sums;    /* n_rows x n_outputs: base and values together */
    double *answers; /* n_rows x n_outputs: the same as the model says it; NaN = it does not */
    cairn_prediction predictions;
    cairn_background_rows from; /* of the background */
    size_t n_background, permutations;
    size_t *shown_order;  /* sampled: the first order of the first row, and ... */
    double *shown_scores; /* ... n_players + 1 x n_outputs on the way, from the background row on */
    /* exact ones: what they were found from */
    cairn_additive sum;
    cairn_tree_paths *paths; /* of the trees of the sum */
    const double *cells;     /* of the rows, as the learner sees them */
    cairn_cell_rows others;  /* the background, likewise */
    const char *const *column_names;
    double *means;      /* of the background's columns, NaN = not needed */
    double unit, shift; /* the number is shift + unit · sum */
} cairn_shapley;

/* Values of rows of a raw table. Arrays are scratch; cairn_shapley_clear gives back the rest. */
CAIRN_CHECKED cairn_status cairn_shapley_find(cairn_context *ctx, cairn_shapley *out,
                                              const cairn_model *model, const cairn_table *table,
                                              const cairn_shapley_options *options);
void cairn_shapley_clear(cairn_shapley *shapley);

/* The output that speaks for a class (-1 = the number), and with which sign. */
typedef struct cairn_shapley_side {
    size_t output;
    double sign;
} cairn_shapley_side;
cairn_shapley_side cairn_shapley_side_of(const cairn_shapley *shapley, int32_t class_code);

/* φ of a row. */
static inline double cairn_shapley_value(const cairn_shapley *s, size_t row,
                                         cairn_shapley_side side, size_t player)
{
    return side.sign * s->values[(row * s->n_outputs + side.output) * s->n_players + player];
}

/* What two players of a row do together, φ(a, b) + φ(b, a), or with a = b what one does alone. */
static inline double cairn_shapley_pair(const cairn_shapley *s, size_t row, cairn_shapley_side side,
                                        size_t a, size_t b)
{
    size_t at = row * s->n_outputs + side.output;
    return (a == b ? 1 : 2) * side.sign * s->pairs[(at * s->n_players + a) * s->n_players + b];
}

#endif
