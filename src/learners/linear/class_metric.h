/* SPDX-License-Identifier: MIT */
/* Planes from the means of the classes: w = M⁻¹ (m₊ − m₋) for several matrices M, and where the
 * plane is put along w. */
#ifndef CAIRN_LEARNERS_CLASS_METRIC_H
#define CAIRN_LEARNERS_CLASS_METRIC_H

#include "learners/linear/planes.h"
#include "rows/class_sums.h"

typedef enum {
    CAIRN_METRIC_IDENTITY,
    CAIRN_METRIC_DIAGONAL,   /* variances of the columns */
    CAIRN_METRIC_GRAM,       /* X'X, with a 1 before every row */
    CAIRN_METRIC_COVARIANCE, /* of all rows */
    CAIRN_METRIC_POOLED      /* of the rows about the means of their classes */
} cairn_class_metric;
typedef enum {
    CAIRN_THRESHOLD_MIDPOINT,
    CAIRN_THRESHOLD_GLOBAL,
    CAIRN_THRESHOLD_TUNED
} cairn_threshold_rule;

extern const cairn_choice cairn_class_metric_choices[];
extern const cairn_choice cairn_threshold_choices[];

/* What the matrix needs of the rows. */
int cairn_class_metric_sums(cairn_class_metric metric);

/* The sums of the classes of a model in its order. Scratch. */
CAIRN_CHECKED cairn_status cairn_class_planes_sums(cairn_context *ctx, cairn_class_sums *out,
                                                   const cairn_class_planes *m,
                                                   const cairn_job *job, int wanted);

/* The matrix M, scratch: n x n with n = n_terms, one more (the last) for CAIRN_METRIC_GRAM. NULL
 * for the identity. */
CAIRN_CHECKED cairn_status cairn_class_metric_matrix(cairn_context *ctx, double **out, size_t *n,
                                                     const cairn_class_sums *sums,
                                                     cairn_class_metric metric);
/* n_right vectors of n numbers become M⁻¹ of them; M is destroyed. Where M is singular, its
 * pseudo-inverse: *rank tells of how many columns it is made. M times the answer is compared with
 * what was given: a proof, of what lies where M is not 0. */
CAIRN_CHECKED cairn_status cairn_class_metric_solve(cairn_context *ctx, double *matrix, size_t n,
                                                    double *vectors, size_t n_right, size_t *rank,
                                                    cairn_certificate *certificate);

/* Of a model of two classes without a constant: w·x of every row, scratch. */
CAIRN_CHECKED cairn_status cairn_class_planes_project(cairn_context *ctx, double **out,
                                                      const cairn_class_planes *m,
                                                      const cairn_view *view);
/* Put the plane of two classes where the rule says. */
CAIRN_CHECKED cairn_status cairn_class_planes_place(cairn_context *ctx, cairn_class_planes *m,
                                                    const cairn_class_sums *sums,
                                                    const cairn_job *job,
                                                    cairn_threshold_rule rule);

/* -- on the board -- */

/* Means of the classes, "mean.CLASS.TERM", and of all rows, "mean.TERM". */
void cairn_show_class_means(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                            const cairn_class_sums *sums);
/* A matrix by the names of its columns, "KEY.TERM.TERM"; of many columns the first ones. */
void cairn_show_term_matrix(cairn_report *out, const char *title, const char *key,
                            const double *matrix, size_t n, const char *const *names);
/* Score or projection, and class, of the first rows: "rowN.score". */
CAIRN_CHECKED cairn_status cairn_show_projections(cairn_context *ctx, cairn_report *out,
                                                  const cairn_class_planes *m,
                                                  const cairn_job *job);

#endif
