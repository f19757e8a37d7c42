/* SPDX-License-Identifier: MIT */
/* The order of rows by density, shared by the parts of the learner `optics`. */
#ifndef CAIRN_LEARNERS_OPTICS_H
#define CAIRN_LEARNERS_OPTICS_H

#include "learners/cluster/dense_rows.h"

typedef struct cairn_optics_params {
    double eps; /* NaN = infinite */
    int min_points;
    const char *distance;
    double cut; /* NaN = by xi */
    double xi;
    int min_size; /* 0 = min_points */
} cairn_optics_params;

/* Rows in the order in which they are taken. Owned. */
typedef struct cairn_optics_order {
    size_t n;
    uint32_t *rows; /* n: by position */
    double *reach;  /* n, by row: reachability distance; inf where nothing led to it */
    double *core;   /* n, by row: core distance; inf = no core point */
    uint32_t *from; /* n, by row: from where it was reached; UINT32_MAX = from nowhere */
} cairn_optics_order;

/* `eps` may be infinite; `steps` NULL = nothing is shown. */
CAIRN_CHECKED cairn_status cairn_optics_run(cairn_context *ctx, cairn_optics_order *out,
                                            cairn_density *density, double eps, double min_points,
                                            cairn_report *steps);
void cairn_optics_order_clear(cairn_optics_order *order);
/* What the certificate (NULL = nobody asks) is to know of an order. */
CAIRN_CHECKED cairn_status cairn_optics_prove(cairn_context *ctx, cairn_certificate *out,
                                              const cairn_optics_order *order,
                                              const cairn_density *density, double eps);

/* clusters (n, by row; -1 = noise): rows whose reachability stays up to `cut`. */
void cairn_optics_cut(const cairn_optics_order *order, double cut, int32_t *clusters,
                      size_t *n_clusters);
/* The same by steep slopes: valleys whose sides fall and rise by a share xi, the smallest first, of
 * rows of at least the weight `least`. `patience` is how many places a slope may rest. */
CAIRN_CHECKED cairn_status cairn_optics_valleys(cairn_context *ctx, const cairn_optics_order *order,
                                                const cairn_density *density, double xi,
                                                double least, size_t patience, int32_t *clusters,
                                                size_t *n_clusters);

/* -- the model -- */

typedef struct cairn_optics_model {
    size_t n_rows, n_clusters;
} cairn_optics_model;

/* The order is what is learned; it answers for no other rows. */
typedef struct cairn_optics_account {
    size_t n;
    int32_t *rows;     /* n: rows of the table, from 0, by position */
    double *reach;     /* n: by position */
    double *core;      /* n */
    int32_t *from;     /* n: rows of the table; -1 = nowhere */
    int32_t *clusters; /* n */
    double *sizes;     /* n_clusters: weight */
    cairn_density_sample sample;
} cairn_optics_account;

void cairn_optics_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_optics_figures[];

extern const cairn_learned cairn_optics_tables[];

#endif
