/* SPDX-License-Identifier: MIT */
/* Trees of clusters written down and read: as Newick text, as JSON, as a table of merges; and what
 * follows from them: sets at the nodes, cophenetic distances. */
#ifndef CAIRN_STATS_DENDROGRAM_FORMS_H
#define CAIRN_STATS_DENDROGRAM_FORMS_H

#include "base/text.h"
#include "data/table.h"
#include "stats/dendrogram.h"

/* -- Newick: ((a:15,b:15):10,((c:7.5,d:7.5):7.5,e:15):10); -- */

/* What was decided for a text that is not a binary tree whose leaves all lie at the same depth. */
typedef struct cairn_newick_notes {
    bool no_lengths; /* there are no lengths: a merge lies one above the higher of its parts */
    size_t n_many;   /* nodes of more than two branches, which are joined one after the other at the
                        same height */
    size_t n_single; /* nodes of a single branch, which are left out; lengths are added up */
    double uneven;   /* most by which the branches of a node lead to different heights (the highest
                        counts); 0 where that is rounding */
    size_t n_unnamed; /* leaves without a name, which are numbered */
} cairn_newick_notes;

/* Read one tree of `length` bytes. Heights are distances from the leaves, lengths those from a node
 * to the one above it. Merges come in the order of their heights. Names may stand in single quotes;
 * what stands in [] is passed over; names of inner nodes, too. Fails (CAIRN_BAD_DATA) with `name`,
 * line and column. */
CAIRN_CHECKED cairn_status cairn_newick_read(cairn_context *ctx, cairn_dendrogram *out,
                                             cairn_newick_notes *notes, const char *name,
                                             const char *text, size_t length);
/* Say what was decided, as warnings. */
void cairn_newick_warn(cairn_context *ctx, const cairn_newick_notes *notes, const char *name);
/* The tree in one line, with lengths; an inversion has a negative one. */
void cairn_newick_write(cairn_text *out, const cairn_dendrogram *tree);
/* {"leaves": [names], "weights": [...] or null, "merges": [{"left", "right", "height", "size"}]}:
 * clusters are numbered as in the tree. */
void cairn_dendrogram_json(cairn_text *out, const cairn_dendrogram *tree);

/* -- tables of merges -- */

/* Whether it has the columns left, right and height, which make a table one of merges. */
bool cairn_is_merge_table(const cairn_table *table);
/* A row is a merge: left and right name leaves, or clusters of rows before it by their name in the
 * column `cluster`; without that column a name that was merged before stands for the cluster that
 * holds it now. Leaves are numbered as they stand side by side. Fails (CAIRN_BAD_DATA) naming the
 * row. */
CAIRN_CHECKED cairn_status cairn_dendrogram_of_table(cairn_context *ctx, cairn_dendrogram *out,
                                                     const cairn_table *table);
/* The columns cluster, left, right, height and size. */
CAIRN_CHECKED cairn_status cairn_dendrogram_to_table(cairn_context *ctx, cairn_table **out,
                                                     const cairn_dendrogram *tree);

/* -- names and sets -- */

/* Name of a leaf: its own, or its number from 1; `buffer` has CAIRN_LEAF_NAME bytes for that. */
enum { CAIRN_LEAF_NAME = 24 };
const char *cairn_leaf_name(const cairn_dendrogram *tree, size_t leaf,
                            char buffer[CAIRN_LEAF_NAME]);

/* The leaves of every cluster as ranges of one order of the leaves. Scratch. */
typedef struct cairn_leaf_sets {
    uint32_t *order; /* n_leaves: as they stand side by side */
    uint32_t *first; /* 2 n_leaves - 1: where the leaves of a cluster begin in it */
    uint32_t *count; /* 2 n_leaves - 1: how many */
} cairn_leaf_sets;
CAIRN_CHECKED cairn_status cairn_leaf_sets_make(cairn_context *ctx, cairn_leaf_sets *out,
                                                const cairn_dendrogram *tree);
/* "{a, b, c}" in the order of the leaves' numbers; of more than `most` the first and how many. */
CAIRN_CHECKED cairn_status cairn_leaf_set_text(cairn_context *ctx, cairn_text *out,
                                               const cairn_dendrogram *tree,
                                               const cairn_leaf_sets *sets, size_t cluster,
                                               size_t most);

/* -- cophenetic distances -- */

/* The height at which each pair of leaves is joined: pairs i < j of the first row, the second row
 * and so on, in the order of cairn_pair_at (stats/distance.h). */
CAIRN_CHECKED cairn_status cairn_cophenetic(cairn_context *ctx, const cairn_dendrogram *tree,
                                            double *out);
/* Pearson's correlation of n numbers each; NaN where one of them does not vary. */
double cairn_cophenetic_correlation(const double *a, const double *b, size_t n);

#endif
