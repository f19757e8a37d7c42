/* SPDX-License-Identifier: MIT */
/* The search for the best cut where counts are whole: classification by entropy or Gini on rows
 * that stand for whole numbers of rows, in columns of which no cell is missing at the node. Same
 * cuts as split.c, in whole numbers. */
#ifndef CAIRN_LEARNERS_TREE_FAST_SPLIT_H
#define CAIRN_LEARNERS_TREE_FAST_SPLIT_H

#include "learners/tree/grow/grow.h"

/* Fixed for a whole tree. */
typedef struct cairn_fast {
    bool gini;
    int class_bits;  /* bits of a class in a key ... */
    int repeat_bits; /* ... and of what a row counts, below them; 0 = all count 1 */
    size_t n_table;  /* x log2 x for x < n_table, times `scale`, rounded */
    int64_t *table;
    double scale;
    bool counts_cuts;
} cairn_fast;

/* Whether the search can be used at all, and whether there is room for the counts of so many
 * classes and columns. */
bool cairn_fast_fits(const cairn_binned *data, const cairn_grow_options *options);
bool cairn_fast_buffer(const cairn_binned *data);
/* The table is scratch. */
CAIRN_CHECKED cairn_status cairn_fast_make(cairn_context *ctx, cairn_fast *out,
                                           const cairn_binned *data,
                                           const cairn_grow_options *options);
/* The same for rows of a node, whose classes have other numbers. */
void cairn_fast_classes(cairn_fast *fast, size_t n_classes);
/* Whether it can be used for this column. */
bool cairn_fast_column(const cairn_binned *data, const cairn_fast *fast, size_t column);

/* A node as the fast search sees it. */
typedef struct cairn_fast_node {
    const uint32_t *rows;          /* n */
    const uint32_t *marks;         /* n: class and repeats of each, as in a key */
    const int64_t *totals;         /* per class */
    const cairn_node_items *items; /* of the columns of items; NULL = there are none */
    size_t n;
    int64_t weight; /* of all rows */
    double base;    /* what the measure is before a split, in its own units */
    double least;   /* weight of either side of a cut */
} cairn_fast_node;

/* Class and repeats of rows, and how many there are of each class; `counts` is working memory of
 * twice as many. */
void cairn_fast_marks(uint32_t *marks, int64_t *totals, uint32_t *counts, const cairn_binned *data,
                      const cairn_fast *fast, const uint32_t *rows, size_t n);
void cairn_fast_node_make(cairn_fast_node *out, const cairn_fast *fast, size_t n_classes);

/* Bound of the error of an estimated gain. */
double cairn_fast_error(const cairn_fast *fast, const cairn_fast_node *node, size_t n_classes);

/* The best cut of one column: `gain` is an estimate, `left` gets the class counts below the cut;
 * `cut` is set afterwards by cairn_cut_between(code, next). False when a cell of the node is
 * missing: then nothing was done. */
bool cairn_fast_cut(cairn_split *out, double *left, const cairn_binned *data,
                    const cairn_fast *fast, const cairn_fast_node *node, size_t column,
                    cairn_split_space *space);

/* The same for the columns of a word whose bits are in `mask`; splits[b] and lefts + b * n_classes
 * belong to bit b. Returns the bits that can split. */
uint64_t cairn_fast_bits(cairn_split *splits, double *lefts, const cairn_binned *data,
                         const cairn_fast *fast, const cairn_fast_node *node, size_t word,
                         uint64_t mask, cairn_split_space *space);

#endif
