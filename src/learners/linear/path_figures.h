/* SPDX-License-Identifier: MIT */
/* Pictures of a path over the strength of a penalty: the coefficients, and the error of held-out
 * rows. The strength is on a logarithmic axis, since only its order of magnitude matters; one of 0
 * is left out. */
#ifndef CAIRN_LEARNERS_PATH_FIGURES_H
#define CAIRN_LEARNERS_PATH_FIGURES_H

#include "draw/figure.h"
#include "model/learner.h"

enum { CAIRN_PATH_LINES = 12 }; /* most lines of a picture */

/* The places of the largest of n sizes that are above 0, falling, of equal ones the first; returns
 * how many, at most CAIRN_PATH_LINES. */
size_t cairn_path_largest(const double *sizes, size_t n, int32_t out[CAIRN_PATH_LINES]);

/* n_lines coefficients over n falling strengths; `values` is n x n_lines. A rule stands at `used`
 * unless it is not above 0. */
typedef struct cairn_path_lines {
    size_t n, n_lines;
    const double *strengths, *values;
    const char *const *names;
    const char *title, *y_title;
    double used;
} cairn_path_lines;
CAIRN_CHECKED cairn_status cairn_path_figure(cairn_context *ctx, cairn_figure **out,
                                             const cairn_path_lines *lines);

/* What held-out rows lose at each strength, with a band of one standard error, which shows how many
 * strengths are as good as the chosen one. */
typedef struct cairn_validation_curve {
    size_t n, chosen;
    const double *strengths, *means, *errors;
    const char *title, *y_title;
} cairn_validation_curve;
CAIRN_CHECKED cairn_status cairn_validation_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_validation_curve *curve);

/* The path of a least-squares model: what both pictures need of it. */
typedef struct cairn_squares_path {
    size_t n, chosen;
    const double *strengths;
    size_t n_traced;
    const int32_t *traced; /* terms */
    const double *traces;  /* n x n_traced */
    const double *means;   /* mean squared errors of held-out rows; NULL = there were none */
    const double *errors;
} cairn_squares_path;
/* Its coefficients, named by the schema's terms, and its errors; *out stays NULL where there is
 * only one strength or nothing to draw. */
CAIRN_CHECKED cairn_status cairn_squares_path_figure(cairn_context *ctx, cairn_figure **out,
                                                     const cairn_squares_path *path,
                                                     const cairn_schema *schema);
CAIRN_CHECKED cairn_status cairn_squares_held_figure(cairn_context *ctx, cairn_figure **out,
                                                     const cairn_squares_path *path);
/* Of a learner whose history holds such a path, which `read` takes out of it: the errors with
 * `held`, else the coefficients. Nothing where there is no history. */
typedef cairn_status (*cairn_squares_read)(cairn_context *ctx, const void *history,
                                           cairn_squares_path *out);
CAIRN_CHECKED cairn_status cairn_squares_draw(cairn_context *ctx, cairn_figure **out,
                                              cairn_squares_read read, const cairn_job *job,
                                              bool held);
/* Both for a description; with `page` the coefficients are only for pages. */
void cairn_squares_show(cairn_report *out, cairn_squares_read read, const cairn_job *job,
                        bool page);

/* The list of figures of such a learner, called FIGURES. */
#define CAIRN_SQUARES_FIGURES(FIGURES, READ)                                                       \
    static cairn_status make_path(cairn_context *ctx, cairn_figure **out, const void *model,       \
                                  const cairn_job *job)                                            \
    {                                                                                              \
        (void)model;                                                                               \
        return cairn_squares_draw(ctx, out, READ, job, false);                                     \
    }                                                                                              \
    static cairn_status make_validation(cairn_context *ctx, cairn_figure **out, const void *model, \
                                        const cairn_job *job)                                      \
    {                                                                                              \
        (void)model;                                                                               \
        return cairn_squares_draw(ctx, out, READ, job, true);                                      \
    }                                                                                              \
    static const cairn_model_figure FIGURES[] = {{.name = "path", .make = make_path},              \
                                                 {.name = "validation", .make = make_validation},  \
                                                 {.name = NULL}}

#endif
