/* SPDX-License-Identifier: MIT */
/* What clusters are worth: by their shape, and beside a labelling that is known.
 *
 * The measures themselves are records (stats/measure.h). A weight counts as so many equal rows.
 * Rows without a cluster are left out of measures of shape; beside a known labelling they are a
 * group of their own. Rows without a class are left out there. */
#ifndef CAIRN_STATS_CLUSTERING_H
#define CAIRN_STATS_CLUSTERING_H

#include "stats/distance.h"
#include "stats/measure.h"

/* Where the rows of a cairn_judged lie. Borrowed. */
typedef struct cairn_cluster_space {
    const cairn_metric *metric; /* what pairs of rows are compared by ... */
    const cairn_points *points; /* ... and the rows made ready for it */
    const double *places;       /* row-major, as many as points: for means and scatter; NULL = some
                                   column has no mean */
    size_t width;
    /* instead of metric and points: a symmetric matrix of distances, column by column, and the
     * place in it of each point */
    const double *const *given;
    const uint32_t *in_given;
    const cairn_view *view; /* the rows themselves; NULL = only where they lie is known */
} cairn_cluster_space;

/* More rows than these are not all compared with one another: a sample of so many is, drawn with
 * the seed of the context. */
enum { CAIRN_MOST_PAIRED = 20000 };

/* Codes that clusters may have; some may have no row. */
static inline size_t cairn_judged_codes(const cairn_judged *j)
{
    return j->n_answers ? j->n_answers : j->n_classes;
}

/* Whether the row has a part in measures of shape. */
static inline bool cairn_judged_clustered(const cairn_judged *j, size_t i)
{
    return j->predicted[i] >= 0 && cairn_judged_weight(j, i) > 0;
}

/* How many clusters have such rows. */
CAIRN_CHECKED cairn_status cairn_judged_used(cairn_context *ctx, size_t *out,
                                             const cairn_judged *judged);

/* How the weight of the rows is scattered, in squared Euclidean distances. Scratch. */
typedef struct cairn_scatter {
    size_t n_clusters; /* codes; some may have no row */
    size_t n_used;     /* that have rows */
    double total;      /* weight of the rows that have a cluster */
    double *weights;   /* n_clusters */
    double *means;     /* n_clusters x width */
    double *distances; /* n_clusters: mean distance of the rows from their mean */
    double within;     /* of the rows around the mean of their cluster */
    double between;    /* of these means around the mean of all rows */
} cairn_scatter;
/* Without places everything that needs them is NaN. */
CAIRN_CHECKED cairn_status cairn_scatter_of(cairn_context *ctx, cairn_scatter *out,
                                            const cairn_judged *judged);

typedef struct cairn_silhouette_options {
    bool self;        /* a row counts among those of its own cluster */
    bool squared;     /* squares of the distances */
    size_t sample;    /* so many rows at most, drawn with the seed; 0 = CAIRN_MOST_PAIRED */
    bool against_all; /* the rows of a sample are compared with all rows, not with one another only:
                         then their values are those that they have among all */
} cairn_silhouette_options;

/* How well each row lies in its cluster: (b - a) / max(a, b) of its mean distances a to the others
 * of its cluster and b to the nearest other one; 0 for a row that is alone. Rows that cannot be
 * compared with it do not count in its means. Scratch. */
typedef struct cairn_silhouettes {
    size_t n;
    size_t *rows;   /* which answers, rising: all that have a cluster and weight, or a sample */
    double *values; /* n; NaN with fewer than two clusters */
    double *own, *other; /* n: a, NaN for a row that is alone, and b */
    int32_t *neighbours; /* n: the nearest other cluster */
    double mean;         /* by weight */
    size_t n_clusters;   /* codes; some may have no row */
    size_t n_used;       /* that have rows */
    double *weights;     /* n_clusters: of the rows that are here */
    double *means;       /* n_clusters: of their values; NaN where there are none */
    size_t n_negative;   /* rows with a value below 0 */
} cairn_silhouettes;
/* `options` NULL = defaults. Without a space there are no rows. */
CAIRN_CHECKED cairn_status cairn_silhouettes_of(cairn_context *ctx, cairn_silhouettes *out,
                                                const cairn_judged *judged,
                                                const cairn_silhouette_options *options);

/* Distance of two answers; NaN for rows that cannot be compared. There must be a space; `buffer`
 * has as many numbers as cairn_metric_buffer says of its points. */
double cairn_judged_distance(const cairn_judged *judged, size_t a, size_t b, int32_t *buffer);

/* Unordered pairs of rows: of one class and in one cluster, of one class, in one cluster, all. */
typedef struct cairn_pair_counts {
    double both, classes, clusters, all;
} cairn_pair_counts;
CAIRN_CHECKED cairn_status cairn_judged_pairs(cairn_context *ctx, cairn_pair_counts *out,
                                              const cairn_judged *judged);

/* Entropies of classes and clusters, what they have in common, and what they would have if rows
 * were dealt at random (NaN where weights are no whole numbers), in natural units. */
typedef struct cairn_common_information {
    double classes, clusters, common, expected;
} cairn_common_information;
CAIRN_CHECKED cairn_status cairn_judged_information(cairn_context *ctx,
                                                    cairn_common_information *out,
                                                    const cairn_judged *judged);

/* What clusters tell about a column of levels: how often its level is guessed right by drawing one
 * at random, less often without the cluster than with it. Rows that lack the cell are left out. */
typedef struct cairn_category_gain {
    double all;     /* sum of P(level)^2 */
    double within;  /* sum of p_k P(level | cluster k)^2 */
    double *shares; /* n_clusters: sum of P(level | cluster k)^2; NaN where it has no row */
    double *parts;  /* n_clusters: p_k; scratch, as shares */
} cairn_category_gain;
CAIRN_CHECKED cairn_status cairn_category_gain_of(cairn_context *ctx, cairn_category_gain *out,
                                                  const cairn_judged *judged,
                                                  const cairn_view *view, size_t feature);

extern const cairn_measure cairn_measure_silhouette, cairn_measure_category_utility;

#endif
