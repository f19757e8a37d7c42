/* SPDX-License-Identifier: MIT */
/* What `curve-fit` computes and draws: points of two columns and the curves through them. */
#ifndef CAIRN_COMPUTE_CURVE_FITS_H
#define CAIRN_COMPUTE_CURVE_FITS_H

#include "learners/linear/linear.h"
#include "stats/curve_fit.h"
#include "model/calculator.h"

typedef struct cairn_curve_fit_params {
    const char *x, *y, *move, *function, *learner, *with;
    cairn_list degrees, segments, at;
    const cairn_params *transforms; /* what `with` stands for */
    bool power, log, errors, means, panels;
    double lambda;
} cairn_curve_fit_params;

/* One curve: of its own kind, or what a learner's model answers. */
typedef struct cairn_fitted_curve {
    char key[32];   /* "degree2", the first part of its names */
    char label[64]; /* "degree 2" */
    cairn_curve_fit curve;
    cairn_model *model; /* NULL = the curve */
    double sse;
} cairn_fitted_curve;

typedef struct cairn_curve_fits {
    const cairn_curve_fit_params *params;
    const cairn_table *table;
    const char *x_name, *y_name;
    cairn_points_xy points;
    size_t *rows;    /* of the table, for each point */
    size_t distinct; /* x */
    size_t n, n_own; /* curves; those that are not models come first */
    cairn_fitted_curve *curves;
    bool moved;
    cairn_moved how;
    cairn_points_xy after;     /* the points with the one that is moved */
    cairn_fitted_curve *again; /* n_own: fitted to them */
} cairn_curve_fits;

/* Scratch but for the models; cleared also after a failure. */
CAIRN_CHECKED cairn_status cairn_curve_fits_make(cairn_context *ctx, cairn_curve_fits *out,
                                                 const cairn_compute_job *job);
void cairn_curve_fits_clear(cairn_curve_fits *fits);
/* Values of a curve at n places. */
CAIRN_CHECKED cairn_status cairn_fitted_values(cairn_context *ctx, const cairn_curve_fits *fits,
                                               const cairn_fitted_curve *curve, const double *x,
                                               size_t n, double *out);
/* Points and curves: in one plot, or a panel for each curve. */
CAIRN_CHECKED cairn_status cairn_curve_fits_draw(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_curve_fits *fits);

#endif
