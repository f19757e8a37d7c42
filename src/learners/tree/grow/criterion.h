/* SPDX-License-Identifier: MIT */
/* What a tree learns is a record: how the rows of a node are summed up, what a split of them is
 * worth, and what a leaf answers. Growing, pruning and showing know nothing else of the target.
 *
 *     classes    the weight of every class; the fall of an impurity; the most frequent class
 *     numbers    weight and sum; the fall of the variance; the mean
 *     several    the sums of all targets; the sum of their falls; a vector of means and shares
 *     distances  the weight alone; the fall of the mean dissimilarity of pairs; nothing or a row
 *     linear     sums and products; the fall of what a linear model leaves; such a model
 *
 * A tree that is fitted to the gradients g and second derivatives h of a loss has its place here: a
 * record whose target_values hold g and h of every row, with the statistics (weight, G = sum g,
 * H = sum h), the gain of parts k
 *
 *     sum_k G_k^2 / (H_k + lambda) - G^2 / (H + lambda)
 *
 * and leaves that answer -G / (H + lambda), which `leaf` writes as the mean of the node.
 *
 * Functions are called once per node, column, value or cut, never once per row: the loops over rows
 * are inside. All but those that return a status can not fail and do not allocate. */
#ifndef CAIRN_LEARNERS_TREE_CRITERION_H
#define CAIRN_LEARNERS_TREE_CRITERION_H

#include "learners/tree/grow/grow.h"

/* What one side of a cut adds up to, over the classes. */
typedef struct cairn_side_sums {
    double weight;
    double squares; /* of the weights of its classes */
    int64_t logs;   /* of x log2 x, in units; without classes of which cells are missing */
    double mixed;   /* of the weight times that of the missing cells */
} cairn_side_sums;

/* A walk over the cuts of a column: the entries of the node are sorted by code in space->pairs, and
 * those of one code after the other move from space->right to space->left. */
typedef struct cairn_cut_walk {
    const cairn_binned *data;
    const cairn_grow_options *options;
    const cairn_node_rows *node;
    cairn_split_space *space; /* known: the sums of both sides; missing: of the other rows */
    uint32_t n_codes;
    double least; /* weight that either side must have */
    bool screens; /* `hopeless` can say something */
    /* what classes screen by */
    bool gini;
    bool shared;    /* missing cells count, on both sides or on the heavier one */
    double missing; /* their weight */
    double floor;   /* what another column has already, as a merit of this one; -INFINITY = none */
    bool stepwise;  /* there are so many classes that sums over them change from cut to cut */
    cairn_side_sums sides[2];
    double missing_squares; /* of the missing cells of each class */
    double unit;            /* of logs */
    double rounding;        /* bound of what the squares are off by */
    bool found;             /* a cut was found, which others must better */
    /* what several targets screen by */
    double *sums[2];    /* per target and side: sum of f over its levels */
    double *weights[2]; /* and their weight */
    double *totals;     /* per target: sum of f over the levels of both sides */
    double wanted;      /* a gain that the best cut surely has */
} cairn_cut_walk;

/* The code of the sorted entry i, and the place behind the last entry that has it, too. */
static inline uint32_t cairn_walk_code(const cairn_cut_walk *walk, size_t i)
{
    return (uint32_t)(walk->space->pairs[i] >> 32);
}
static inline size_t cairn_walk_end(const cairn_cut_walk *walk, size_t i)
{
    uint32_t code = cairn_walk_code(walk, i);
    do i++;
    while (i < walk->node->n && cairn_walk_code(walk, i) == code);
    return i;
}

/* A node that is to be summed up. */
typedef struct cairn_node_job {
    cairn_context *ctx;
    const cairn_binned *data;
    const cairn_grow_options *options;
    cairn_tree_model *tree; /* classes: their counts are put at the end of its arrays */
    cairn_node_rows *rows;
    double *sums;   /* twice n_stats; classes: the weights, there already when `counted` */
    bool counted;   /* `sums` are there */
    double *vector; /* n_means, to be filled */
    const double
        *above; /* the vector of the node above, for targets that no row has; NULL = none */
    int32_t label_above; /* the label of the node above; -1 = none */
} cairn_node_job;

typedef struct cairn_criterion {
    const char *name;
    bool counts;  /* statistics are weights of classes, which add up to that of the part; of all
                     other criteria the first one is the weight */
    bool ordered; /* with two statistics one order of levels has the best set among its cuts: that
                     by the share, or mean, of the last one */

    /* -- the target of binned data -- */

    /* Whether a row of the table has the target. */
    bool (*has_target)(const cairn_binned *data, const cairn_view *view, size_t row);
    /* The target of data->table_rows, the unit of ties (data->spread). */
    cairn_status (*take_target)(cairn_context *ctx, cairn_binned *data, const cairn_view *view);
    /* The target of some rows of `data`. Scratch. */
    cairn_status (*take_rows)(cairn_context *ctx, cairn_binned *out, const cairn_binned *data,
                              const uint32_t *rows, size_t n);
    /* What the search by this criterion prepares once; NULL = nothing. */
    cairn_status (*prepare)(cairn_context *ctx, cairn_binned *data,
                            const cairn_grow_options *options);

    /* -- statistics -- */

    /* Add every entry to the statistics of its part, and to `others` when its part is not below
     * n_parts. */
    void (*sum)(double *cells, double *others, const cairn_binned *data,
                const cairn_node_rows *node, const uint32_t *parts, size_t n_parts);
    /* What a partition gains; `total` is working memory of twice n_stats. */
    double (*gain)(const cairn_binned *data, const cairn_grow_options *options, const double *cells,
                   size_t n_parts, double *total);
    /* What splits of one column are compared by, the larger the better, and columns as well when
     * another score than the gain is asked for; NULL = the gain. */
    double (*merit)(const cairn_binned *data, const cairn_grow_options *options,
                    const double *cells, size_t n_parts, double *total);
    /* The p-value of the split of a node; `gain` is what it gained. */
    double (*chance)(const cairn_binned *data, const cairn_tree_node *node, double gain,
                     const double *cells, size_t n_parts);

    /* -- search -- */

    /* A search of its own; false = the column is searched as usual. NULL = always. */
    bool (*search)(cairn_split *out, const cairn_binned *data, const cairn_grow_options *options,
                   const cairn_node_rows *node, size_t column, cairn_split_space *space);
    /* The same for the cuts of a number column, whose codes are in space->keys. */
    bool (*search_cut)(cairn_split *out, const cairn_binned *data,
                       const cairn_grow_options *options, const cairn_node_rows *node,
                       size_t column, cairn_split_space *space);
    /* Before a walk, with nothing on the left: prepare `hopeless`. NULL = there is no screen. */
    void (*start_walk)(cairn_cut_walk *walk);
    /* Move the sorted entries begin .. end-1 to the left. */
    void (*move)(cairn_cut_walk *walk, size_t begin, size_t end);
    /* Whether the cut is surely not better than one of merit `best` (-INFINITY = none is known). */
    bool (*hopeless)(const cairn_cut_walk *walk, double best);
    /* Rows from one cut that is tried to the next in a node of n rows; NULL = 1. */
    size_t (*stride)(const cairn_binned *data, size_t n);

    /* -- nodes -- */

    /* Weight, answer and error of a node that has rows; *pure: they all agree. */
    cairn_status (*leaf)(const cairn_node_job *job, cairn_tree_node *node, bool *pure);
    /* How far rows disagree, for the steps of clusterings and several targets: `sums` is working
     * memory, `by` gets the part of every target unless it is NULL. NULL = as `gain` says. */
    double (*spread)(const cairn_binned *data, const cairn_node_rows *rows, double *sums,
                     double *by);

    /* -- words for the steps -- */

    const char *formula;  /* of what is made small; NULL = that of the impurity */
    const char *squares;  /* sum of the squares that a node leaves */
    const char *variance; /* per row */
    bool constant;        /* a leaf answers one class or number */
} cairn_criterion;

extern const cairn_criterion cairn_criterion_classes, cairn_criterion_numbers,
    cairn_criterion_several, cairn_criterion_distances, cairn_criterion_linear;

/* Weight of a part. */
static inline double cairn_part_weight(const cairn_binned *data, const double *cell)
{
    double sum = 0;
    if (!data->criterion->counts) return cell[0];
    for (size_t l = 0; l < data->n_stats; l++) sum += cell[l];
    return sum;
}

/* cell += share * other */
static inline void cairn_part_add(double *cell, const double *other, double share, size_t stats)
{
    for (size_t l = 0; l < stats; l++) cell[l] += share * other[l];
}

/* out = from - part */
static inline void cairn_part_subtract(const cairn_binned *data, double *out, const double *from,
                                       const double *part)
{
    for (size_t l = 0; l < data->n_stats; l++) out[l] = from[l] - part[l];
    if (!data->criterion->counts) return;
    for (size_t l = 0; l < data->n_stats; l++)
        if (out[l] < 0) out[l] = 0; /* rounding of weights that are not whole */
}

/* The F test of a split whose parts are fitted by so many numbers each. */
double cairn_chance_of_fit(const cairn_binned *data, const cairn_tree_node *node, double gain,
                           const double *cells, size_t n_parts, double numbers);

#endif
