/* SPDX-License-Identifier: MIT */
/* Trees as paths, and what the columns on them contribute: exact Shapley values.
 *
 * A leaf is reached through the tests on its path. Grouped by player (a column, or several that are
 * one in the raw data) every player i of the path has two numbers: o, the share of the row that
 * passes its tests (1 or 0; between them where a missing cell goes all ways), and z, the share of
 * the background that does. With the players of S known and the others not, the leaf of value v
 * counts
 *
 *     v(S) = v · Π over S of o · Π over the others of z,
 *
 * and what player i contributes to it on average over all orders of the m players is
 *
 *     φ(i) = v (o_i − z_i) ∫₀¹ Π over j ≠ i of (z_j (1 − t) + o_j t) dt,
 *
 * because t^s (1 − t)^(m − 1 − s) integrates to the weight s! (m − 1 − s)! / m! of a set of s. The
 * integrand is a polynomial of degree m − 1, for which Gauss' rule with half as many points is
 * exact. Its points and weights are positive, so nothing cancels. Cost: leaves · m² for a row. */
#ifndef CAIRN_EXPLAIN_TREE_PATHS_H
#define CAIRN_EXPLAIN_TREE_PATHS_H

#include "explain/additive.h"

/* The trees of one operation: what happens at a node, how often, and what leaves add. */
typedef struct cairn_tree_paths {
    const cairn_operation *op;
    size_t n_nodes, n_columns, n_outputs, n_players;
    size_t depth;           /* tests on the longest path */
    const int32_t *players; /* n_columns: whose test of the column it is */
    uint32_t *starts;       /* n_nodes + 1: edges to different children */
    int32_t *children;      /* of edges */
    double *parts;          /* of edges: shares of a row that goes all ways */
    double *shares;         /* of edges: shares of the background rows of the node */
    int32_t *edges;         /* of links of the operation; -1 = it leads nowhere */
    double *values;         /* of nodes x n_outputs; leaves only */
} cairn_tree_paths;

/* Points and weights of Gauss' rule on (0, 1). */
typedef struct cairn_gauss_rule {
    size_t n;
    double *points, *weights;
} cairn_gauss_rule;
CAIRN_CHECKED cairn_status cairn_gauss_make(cairn_context *ctx, cairn_gauss_rule *out, size_t n);

/* Rows as the trees see them: levels are codes, missing cells NaN. */
typedef struct cairn_cell_rows {
    const double *values; /* n x n_columns */
    size_t n, n_columns;
    const double *weights; /* n; NULL = all 1 */
} cairn_cell_rows;

/* Everything but the shares of the background; scratch. */
CAIRN_CHECKED cairn_status cairn_tree_paths_make(cairn_context *ctx, cairn_tree_paths *out,
                                                 const cairn_additive *sum, size_t which,
                                                 const int32_t *players, size_t n_players);
/* Count the background: a node that no row reaches divides evenly. */
CAIRN_CHECKED cairn_status cairn_tree_paths_cover(cairn_context *ctx, cairn_tree_paths *paths,
                                                  cairn_cell_rows background);

/* The edge that a row takes at an inner node; -1 = all of them, by their parts. Cells of a row are
 * `step` apart. */
int32_t cairn_tree_paths_edge(const cairn_tree_paths *paths, size_t node, const double *row,
                              size_t step);

/* What is to be found; values are added to what is there. */
typedef struct cairn_shapley_wanted {
    double *values; /* rows x n_outputs x n_players */
    double *pairs;  /* rows x n_outputs x n_players x n_players, halves of the interaction of i and
                       j at i, j and at j, i, nothing on the diagonal; NULL = not wanted */
    const cairn_cell_rows *against; /* other rows take the place of shares; NULL = shares */
    const uint32_t *numbers; /* of the rows in the data, from 0, for messages; NULL = their own */
} cairn_shapley_wanted;

/* Fails (CAIRN_BAD_DATA) where other rows are asked for and a row goes all ways. */
CAIRN_CHECKED cairn_status cairn_tree_paths_values(cairn_context *ctx,
                                                   const cairn_tree_paths *paths,
                                                   cairn_cell_rows rows,
                                                   cairn_shapley_wanted wanted);
/* How often a row reaches every node (n_nodes zeros), the players of a set (n_players, 1 = known)
 * going as in the row, the others by the shares. */
CAIRN_CHECKED cairn_status cairn_tree_paths_reach(cairn_context *ctx, const cairn_tree_paths *paths,
                                                  const double *row, const uint8_t *known,
                                                  double *reached);
/* v(S) of a row: what the leaves add that are reached so; n_outputs sums. With no player known it
 * is the mean over the background, whatever the row. */
CAIRN_CHECKED cairn_status cairn_tree_paths_game(cairn_context *ctx, const cairn_tree_paths *paths,
                                                 const double *row, const uint8_t *known,
                                                 double *out);

#endif
