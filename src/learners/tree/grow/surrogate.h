/* SPDX-License-Identifier: MIT */
/* Tests that stand in for the test of a node where its cell is missing: those of other columns that
 * send the rows the same way as often as possible. */
#ifndef CAIRN_LEARNERS_TREE_SURROGATE_H
#define CAIRN_LEARNERS_TREE_SURROGATE_H

#include "learners/tree/grow/grow.h"

/* One that was found, in codes. */
typedef struct cairn_surrogate_test {
    int32_t column;
    uint8_t test; /* CUT or SET */
    uint8_t flipped;
    uint32_t code, next; /* CUT */
    uint8_t *sides;      /* SET: as in a split */
    double right;        /* weight of the rows that it sends the same way */
    double agreement;    /* that as a share of the rows that both columns know */
} cairn_surrogate_test;

/* Working memory for the stand-ins of one node. */
typedef struct cairn_surrogates {
    cairn_surrogate_test *found; /* most + 1, the best first */
    size_t n, most;
    double *levels; /* 2 x codes */
} cairn_surrogates;

/* Room for the `most` best stand-ins of a node, used again for the next; scratch. */
CAIRN_CHECKED cairn_status cairn_surrogates_make(cairn_context *ctx, cairn_surrogates *out,
                                                 const cairn_binned *data, size_t most);
/* The best stand-ins of a two-way split; branch[i] is where entry i goes, -1 = its cell is
 * missing. */
void cairn_surrogates_find(cairn_surrogates *s, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node,
                           int32_t column, const int32_t *branch, cairn_split_space *space);
/* Send the entries of branch -1 as the stand-ins say, those that none of them knows to `usual`. */
void cairn_surrogates_send(const cairn_surrogates *s, const cairn_binned *data,
                           const cairn_node_rows *node, int32_t *branch, int32_t usual,
                           cairn_split_space *space);
/* Write them down as the surrogates of a node that is about to be added to the tree. */
CAIRN_CHECKED cairn_status cairn_surrogates_store(cairn_context *ctx, const cairn_surrogates *s,
                                                  cairn_tree_model *tree, cairn_tree_node *node,
                                                  const cairn_binned *data, cairn_tree_cut form);

#endif
