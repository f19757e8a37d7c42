/* SPDX-License-Identifier: MIT */
/* Solvers of objectives. Each starts from place->x, of which it looks at the objective first, and
 * writes its course into `progress`, whose history is of what `reported` points to (NULL = the
 * value): a problem keeps that number up to date when it is looked at. */
#ifndef CAIRN_SOLVE_SOLVERS_H
#define CAIRN_SOLVE_SOLVERS_H

#include "entry/entry.h"
#include "solve/objective.h"
#include "solve/progress.h"

/* What goes on while a solver works; every function may be NULL. */
typedef struct cairn_watch {
    void *data;
    const double *reported;
    double steady; /* Newton's steps worth no more than this part of the value keep the Hessian */
    /* Before x moves by `change`, of which progress->expected is hoped for. */
    cairn_status (*before)(cairn_context *ctx, void *data, const double *change);
    /* After it has moved; *stop ends the iteration without having converged. */
    cairn_status (*after)(cairn_context *ctx, void *data, const double *change, bool *stop);
} cairn_watch;

/* Newton's method with the whole Hessian: Cholesky, or coordinate descent with an L1 penalty. Steps
 * are halved until the objective falls. `max_step` bounds the change of a number, 0 = any. `polish`
 * takes a last step of which the value cannot tell any more; without it the Hessian of the end is
 * that of the place. place->gradient and place->hessian must be those of place->x. */
CAIRN_CHECKED cairn_status cairn_newton(cairn_context *ctx, const cairn_objective *f,
                                        cairn_place *place, cairn_progress *progress,
                                        const cairn_watch *watch, double max_step, bool polish);

/* Degrees of freedom of a smooth penalised minimum with this Hessian, tr H⁻¹ (H - diag ridges); n
 * where H is not positive. */
CAIRN_CHECKED cairn_status cairn_degrees_of_freedom(cairn_context *ctx, const double *hessian,
                                                    const double *ridges, size_t n, double *out);

/* Newton's method by conjugate gradients, preconditioned by the diagonal: `times`, `diagonal`,
 * `follow`, `along` and `move` are needed, no Hessian. With an L1 penalty a thresholded gradient
 * step comes before each. */
CAIRN_CHECKED cairn_status cairn_newton_cg(cairn_context *ctx, const cairn_objective *f,
                                           cairn_place *place, cairn_progress *progress,
                                           const cairn_watch *watch);

/* Limited-memory BFGS: `look` without a Hessian is all that it needs, so that it serves any smooth
 * objective with many numbers. No L1 penalty: f->lassos is NULL. */
CAIRN_CHECKED cairn_status cairn_lbfgs(cairn_context *ctx, const cairn_objective *f,
                                       cairn_place *place, cairn_progress *progress,
                                       const cairn_watch *watch);

/* The change c that minimises g'c + c'Hc/2 + Σ lasso |x + c|, one number after the other. `slope`
 * has room for n numbers; changes are small beside `size` at the end. */
void cairn_coordinate_descent(double *change, double *slope, const double *x,
                              const double *gradient, const double *hessian, const double *lassos,
                              size_t n, double size);

/* The x >= 0 that minimises x'Gx/2 - s'x, one number after the other from where it stands, until a
 * round moves none by more than `tolerance` times the largest, or `most` rounds. */
void cairn_nonnegative_descent(double *x, const double *gram, const double *side, size_t n,
                               double tolerance, int most);

/* Strengths of a penalty, falling, scratch: the numbers of a text (at least 0; `name` stands for it
 * in messages), or, without one, n_grid from `first` to `first` times `ratio` by equal factors. */
CAIRN_CHECKED cairn_status cairn_strengths(cairn_context *ctx, const char *name, const char *list,
                                           double first, double ratio, size_t n_grid, double **out,
                                           size_t *n);

/* What held-out rows lose at every strength: n_folds x n losses, and the weight of the rows of each
 * fold. */
typedef struct cairn_held {
    size_t n_folds, n;
    const double *losses;
    const double *weights; /* n_folds */
} cairn_held;
/* The strength with the least mean loss, of equal ones the first; with `one_se` the first one of
 * the run up to it whose mean is within its standard error. Means, per unit of weight, and their
 * standard errors over the folds (NaN with one fold): n each. */
size_t cairn_strengths_choose(const cairn_held *held, bool one_se, double *means, double *errors);
/* The same choice from means and errors that are known. */
size_t cairn_strengths_least(const double *means, const double *errors, size_t n, bool one_se);

/* -- row by row -- */

typedef enum { CAIRN_PROTOCOL_BATCH, CAIRN_PROTOCOL_RANDOM, CAIRN_PROTOCOL_ONLINE } cairn_protocol;
typedef enum { CAIRN_UPDATE_ROW, CAIRN_UPDATE_EPOCH } cairn_update;
/* Their words, for the parameters {protocol} and {update} of a learner. */
extern const cairn_choice cairn_protocol_choices[], cairn_update_choices[];

/* A sum over rows that is stepped down row by row. */
typedef struct cairn_stochastic {
    size_t n;      /* numbers */
    size_t n_rows; /* of an epoch */
    cairn_protocol protocol;
    cairn_update update;
    double eta;
    void *data;
    /* into -= factor times the gradient of row i at x, with its share of a penalty; `into` may be
     * x. */
    void (*row)(void *data, const double *x, size_t i, double factor, double *into);
    /* After an update by row i alone; `number` from 1. NULL = nobody looks. */
    void (*updated)(void *data, const double *x, size_t i, size_t number);
    /* Value of the objective at x; may refuse numbers that are none. */
    cairn_status (*look)(cairn_context *ctx, void *data, const double *x, double *value);
} cairn_stochastic;

/* x += eta (−gradient), row after row or epoch after epoch, until an epoch changes the value by no
 * more than the tolerance allows. progress->most counts epochs; random rows come from stream 0 of
 * the context's seed. */
CAIRN_CHECKED cairn_status cairn_stochastic_descent(cairn_context *ctx, const cairn_stochastic *f,
                                                    double *x, cairn_progress *progress,
                                                    const double *reported);

#endif
