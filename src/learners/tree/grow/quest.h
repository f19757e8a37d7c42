/* SPDX-License-Identifier: MIT */
/* Choosing the column of a node by significance tests, and cutting it by a discriminant: the way
 * of Loh and Shih, which does not prefer columns with many possible splits. */
#ifndef CAIRN_LEARNERS_TREE_QUEST_H
#define CAIRN_LEARNERS_TREE_QUEST_H

#include "learners/tree/grow/grow.h"

/* How the cut between two groups of classes was found. */
typedef enum cairn_cut_found {
    CAIRN_FOUND_NONE,
    CAIRN_FOUND_ROOT,    /* where both densities, times the sizes, are equal */
    CAIRN_FOUND_MIDDLE,  /* no such place divides the rows: half-way between the means */
    CAIRN_FOUND_CONSTANT /* a group without spread is cut off from the other */
} cairn_cut_found;

/* Two groups of classes in one column; group 0 has the smaller mean. */
typedef struct cairn_discriminant {
    double n[2], mean[2], variance[2];
    double cut;
    cairn_cut_found found;
} cairn_discriminant;

/* The cut of a number column; space->group has the group of every class, 2 = it does not occur. */
void cairn_discriminant_cut(cairn_split *out, cairn_discriminant *about, const cairn_binned *data,
                            const cairn_grow_options *options, const cairn_node_rows *node,
                            size_t column, cairn_split_space *space);
/* Levels as numbers, by the direction that separates the classes best, into space->scores; then
 * the cut of those. space->keys, levels and known are those of the column, space->listed has the n
 * levels that occur. Returns whether space->sides and space->left hold a set. */
bool cairn_discriminant_set(cairn_discriminant *about, const cairn_binned *data,
                            const cairn_node_rows *node, size_t column, size_t n,
                            cairn_split_space *space);

/* Significance of a column at a node: F test of the class means (numbers) or chi-squared test
 * (levels), and Levene's test of the spreads (numbers). */
void cairn_split_test(cairn_split *split, const cairn_binned *data, const cairn_node_rows *node,
                      cairn_split_space *space);

/* Which rule chose. */
typedef enum cairn_test_rule {
    CAIRN_RULE_MEANS,  /* the smallest p of the first tests is significant */
    CAIRN_RULE_SPREAD, /* not that, but the smallest p of Levene's tests */
    CAIRN_RULE_NEITHER /* neither: the smallest p of the first tests all the same */
} cairn_test_rule;

typedef struct cairn_test_choice {
    size_t chosen; /* place among the splits */
    cairn_test_rule rule;
    double level;        /* what p had to be below: divided by the number of tests */
    double spread_level; /* likewise in the second stage */
} cairn_test_choice;

/* False when no column can split. */
bool cairn_choose_by_test(cairn_test_choice *out, const cairn_split *splits, size_t n,
                          double level);

#endif
