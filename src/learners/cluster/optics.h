/* SPDX-License-Identifier: MIT */
/* The order of rows by density, shared by the parts of the learner `optics`. */
#ifndef CAIRN_LEARNERS_CLUSTER_OPTICS_H
#define CAIRN_LEARNERS_CLUSTER_OPTICS_H

#include "learners/cluster/dense_rows.h"

/* Rows in the order in which they are taken. Owned. */
typedef struct cairn_optics_order {
    size_t n;
    uint32_t *rows; /* n: by position */
    double *reach;  /* n, by row: reachability distance; inf where nothing led to it */
    double *core;   /* n, by row: core distance; inf = no core point */
    uint32_t *from; /* n, by row: from where it was reached; UINT32_MAX = from nowhere */
} cairn_optics_order;
/* What the certificate (NULL = nobody asks) is to know of an order. */
CAIRN_CHECKED cairn_status cairn_optics_prove(cairn_context *ctx, cairn_certificate *out,
                                              const cairn_optics_order *order,
                                              const cairn_density *density, double eps);

/* -- the model -- */

/* The order is what is learned; it answers for no other rows. */
typedef struct cairn_optics_history {
    size_t n;
    int32_t *rows;     /* n: rows of the table, from 0, by position */
    double *reach;     /* n: by position */
    double *core;      /* n */
    int32_t *from;     /* n: rows of the table; -1 = nowhere */
    int32_t *clusters; /* n */
    double *sizes;     /* n_clusters: weight */
    cairn_density_sample sample;
} cairn_optics_history;

extern const cairn_learned cairn_optics_tables[];

#endif
