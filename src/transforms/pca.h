/* SPDX-License-Identifier: MIT */
/* Principal components as a transform, and what the calculator and the pictures take from it. */
#ifndef CAIRN_TRANSFORMS_PCA_H
#define CAIRN_TRANSFORMS_PCA_H

#include "model/learner.h"
#include "stats/components.h"

typedef struct cairn_pca_params {
    const char *columns;
    int components;
    double keep;
    int divisor; /* 0 = n - 1, 1 = n */
    int sign;    /* cairn_sign */
    bool scale, whiten;
} cairn_pca_params;

extern const cairn_param cairn_pca_param_table[];

typedef struct cairn_pca_state {
    cairn_map names; /* of the columns */
    cairn_components c;
} cairn_pca_state;

/* The view with only the number columns that `columns` (NULL = all) names. Scratch. */
CAIRN_CHECKED cairn_status cairn_pca_view(cairn_context *ctx, cairn_view *out,
                                          const cairn_view *view, const char *columns,
                                          const char *who);
/* Fit on such a view; `covariance` as in cairn_components_fit. */
CAIRN_CHECKED cairn_status cairn_pca_fit(cairn_context *ctx, cairn_pca_state *state,
                                         const cairn_view *view, const cairn_pca_params *params,
                                         double **covariance);
void cairn_pca_clear(void *state);

/* Scores of the view's rows, c.n columns of them from scratch; not whitened. */
CAIRN_CHECKED cairn_status cairn_pca_view_scores(cairn_context *ctx, double ***out,
                                                 const cairn_pca_state *state,
                                                 const cairn_view *view);

/* -- showing: each is one table or a few lines; all values are called pca.something -- */
void cairn_pca_show_means(cairn_report *out, const cairn_pca_state *s, const char *divisor);
/* With the characteristic equation when there are two columns. */
void cairn_pca_show_covariance(cairn_report *out, const cairn_pca_state *s,
                               const double *covariance);
void cairn_pca_show_values(cairn_report *out, const cairn_pca_state *s);
void cairn_pca_show_vectors(cairn_report *out, const cairn_pca_state *s);
void cairn_pca_show_scores(cairn_report *out, const cairn_pca_state *s, const cairn_view *view,
                           double *const *scores);
/* Range and variance along each column and each component. */
void cairn_pca_show_spread(cairn_report *out, const cairn_pca_state *s, const cairn_view *view,
                           double *const *scores);
/* The rows as the kept components see them, and how far that is off. */
CAIRN_CHECKED cairn_status cairn_pca_show_back(cairn_context *ctx, cairn_report *out,
                                               const cairn_pca_state *s, const cairn_view *view,
                                               double *const *scores);
/* The variances of the first components as bars. */
CAIRN_CHECKED cairn_status cairn_pca_scree(cairn_context *ctx, cairn_figure **out,
                                           const cairn_components *components);

#endif
