/* SPDX-License-Identifier: MIT */
/* Distances between rows, as records, and rows made ready for them.
 *
 *     cairn_metric_open     a distance with its parameters, from a spec such as "minkowski:p=3"
 *     cairn_metric_learn    what it takes from the training rows: ranges, a covariance
 *     cairn_metric_points   rows of a view as points
 *     cairn_metric_order    compares two points: a number that grows with the distance
 *     cairn_metric_value    the distance that belongs to it
 *
 * Order and value differ where the distance is a root: nothing is gained by taking it before the
 * nearest points are known. */
#ifndef CAIRN_STATS_DISTANCE_H
#define CAIRN_STATS_DISTANCE_H

#include "base/archive.h"
#include "data/view.h"
#include "stats/kernel_functions.h"

/* What columns a distance takes. */
enum {
    CAIRN_DISTANCE_NUMBERS = 1,
    CAIRN_DISTANCE_LEVELS = 2,
    CAIRN_DISTANCE_MISSING = 4, /* cells that are missing */
    CAIRN_DISTANCE_TEXTS = 8,   /* texts and sequences */
    CAIRN_DISTANCE_BAGS = 16    /* bags, beside numbers */
};

/* How the order of two points comes about; searches by trees and by matrix products need to know.
 */
typedef enum cairn_metric_family {
    CAIRN_BY_SQUARES,   /* sum of squared differences of places */
    CAIRN_BY_ABSOLUTES, /* sum of absolute differences */
    CAIRN_BY_POWERS,    /* root of the sum of powers p of absolute differences */
    CAIRN_BY_LARGEST,   /* largest absolute difference */
    CAIRN_BY_PAIRS      /* anything else */
} cairn_metric_family;

typedef struct cairn_distance cairn_distance;

/* A distance with its parameters and with what it learned. */
typedef struct cairn_metric {
    const cairn_distance *distance;
    cairn_params *params;
    char *spec; /* as it was opened */
    cairn_metric_family family;
    double power;        /* BY_POWERS */
    bool rooted;         /* the distance is the square root of the order */
    bool is_metric;      /* the triangle inequality holds */
    size_t n_columns;    /* features, once it has learned */
    size_t n_factors;    /* 0 = there are none */
    double *factors;     /* gower: n_columns; mahalanobis: n_columns x n_columns */
    cairn_kernel kernel; /* the distance `kernel` */
    int32_t *offsets;    /* bags: n_columns + 1, where the items of a feature begin; else NULL */
} cairn_metric;

/* Rows as points: numbers (levels by their codes, NaN = missing); for texts, runs of letters or
 * items; where there are bags, the numbers that are not 0. Owned. */
typedef struct cairn_points {
    size_t n, width;
    double *places;   /* n x width */
    size_t n_texts;   /* columns of letters */
    int32_t *lengths; /* n_texts x n */
    size_t *starts;   /* n_texts x n, into letters */
    int32_t *letters; /* n_letters */
    size_t n_letters;
    size_t longest; /* length */
    size_t n_items; /* bags: columns in all; 0 = there are none */
    size_t *begins; /* n + 1: where a row begins in the next two */
    int32_t *items; /* which columns, rising */
    double *amounts;
    double *squares; /* n: sums of squared amounts */
} cairn_points;

struct cairn_distance {
    cairn_entry entry;   /* kind CAIRN_ENTRY_DISTANCE */
    const char *formula; /* of query q and row x, as it is shown among the steps */
    unsigned takes;      /* CAIRN_DISTANCE_... */
    bool scale_matters;  /* a column in a large unit counts for more */
    /* Sets family, power and whatever else follows from the parameters; NULL = BY_PAIRS. */
    cairn_status (*open)(cairn_context *ctx, cairn_metric *metric);
    cairn_status (*learn)(cairn_context *ctx, cairn_metric *metric, const cairn_view *view);
    /* Numbers of a row to its place (both n_columns long); NULL = as they are. */
    void (*place)(const cairn_metric *metric, double *place, const double *row);
    double (*order)(const cairn_metric *metric, const double *a, const double *b); /* BY_PAIRS */
    /* Where the metric is not rooted; NULL = the order itself. */
    double (*value)(const cairn_metric *metric, double order);
    /* BY_PAIRS: the same order from the inner products of two places and of each with itself; NULL
     * = it does not follow from them. */
    double (*of_dot)(const cairn_metric *metric, double product, double aa, double bb);
    /* Bags: the order from the inner products of the two points and of each with itself. */
    double (*of_product)(const cairn_metric *metric, double product, double aa, double bb);
    bool presence;  /* an amount that is not 0 counts as 1 */
    bool subtracts; /* BY_PAIRS: differences are taken, so numbers must not be too large */
};

/* `option` begins the message of a failure. */
CAIRN_CHECKED cairn_status cairn_metric_open(cairn_context *ctx, cairn_metric *out,
                                             const char *option, const char *spec);
/* Fails (CAIRN_USAGE) when the spec is not one. */
CAIRN_CHECKED cairn_status cairn_metric_check(cairn_context *ctx, const char *option,
                                              const char *spec);
void cairn_metric_clear(cairn_metric *metric);
/* With what it has learned. */
CAIRN_CHECKED cairn_status cairn_metric_copy(cairn_context *ctx, cairn_metric *out,
                                             const cairn_metric *metric);
/* The record that a spec names, NULL when there is none. */
const cairn_distance *cairn_distance_named(const char *spec);

/* From the view's rows with their weights. Kinds that the distance does not take, infinite numbers
 * and, unless it takes them, missing cells fail naming column and row. */
CAIRN_CHECKED cairn_status cairn_metric_learn(cairn_context *ctx, cairn_metric *metric,
                                              const cairn_view *view);
/* `scales` (one per feature, NULL = ones) divide number columns where the scale matters. A missing
 * text is an empty one. Numbers so large that a distance could overflow fail naming column and
 * row. */
CAIRN_CHECKED cairn_status cairn_metric_points(cairn_context *ctx, const cairn_metric *metric,
                                               cairn_points *out, const cairn_view *view,
                                               const double *scales);
void cairn_points_clear(cairn_points *points);
/* Points which[0 .. n-1] of others. */
CAIRN_CHECKED cairn_status cairn_points_take(cairn_context *ctx, cairn_points *out,
                                             const cairn_points *from, const uint32_t *which,
                                             size_t n);

/* Numbers of working memory that one thread needs to compare points of the two sets. */
size_t cairn_metric_buffer(const cairn_points *a, const cairn_points *b);
/* Up to so many columns differences are added one after the other; of more, in whatever way is
 * quick. */
enum { CAIRN_FEW_COLUMNS = 8 };
/* Point i of a against point j of b. NaN when a cell is. `buffer` as above. */
double cairn_metric_order(const cairn_metric *metric, const cairn_points *a, size_t i,
                          const cairn_points *b, size_t j, int32_t *buffer);
double cairn_metric_value(const cairn_metric *metric, double order);

/* out[r * stride + j] = the distance of point which[r] of a (NULL = point r) from point first + j
 * of b, r < m, j < n, on the calling thread: many at a time and quicker, but each has the bits of
 * cairn_metric_value(cairn_metric_order()). `buffer` as above. */
void cairn_metric_block(const cairn_metric *metric, const cairn_points *a, const uint32_t *which,
                        size_t m, const cairn_points *b, size_t first, size_t n, double *out,
                        size_t stride, int32_t *buffer);
/* All pairs i < j of points: row 0 with 1, 2, ..., then row 1 with 2, ... On all threads. */
CAIRN_CHECKED cairn_status cairn_metric_condensed(cairn_context *ctx, const cairn_metric *metric,
                                                  const cairn_points *points, double *out);
/* Where the pair i < j of n lies there. */
static inline size_t cairn_pair_at(size_t n, size_t i, size_t j)
{
    return i * (2 * n - i - 1) / 2 + (j - i - 1);
}

/* Both check what they read so far that distances can be computed from it. */
CAIRN_CHECKED cairn_status cairn_metric_archive(cairn_archive *archive, cairn_metric *metric);
CAIRN_CHECKED cairn_status cairn_points_archive(cairn_archive *archive, cairn_points *points);
/* Both were read: fails as damaged unless the points are such as the metric compares. */
CAIRN_CHECKED cairn_status cairn_points_check(cairn_archive *archive, const cairn_metric *metric,
                                              const cairn_points *points);

/* out (n x n): distances between all rows of the view, by a spec; 0 for rows that cannot be
 * compared. */
CAIRN_CHECKED cairn_status cairn_distance_matrix(cairn_context *ctx, double *out,
                                                 const cairn_view *view, const char *spec,
                                                 const double *scales);

#endif
