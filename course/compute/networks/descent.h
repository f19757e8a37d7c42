/* SPDX-License-Identifier: MIT */
/* Gradient descent x(t+1) = x(t) − η(t) ∇f(x(t)) of typed functions: of numbers, or of the
 * parameters of a typed model whose cost over the rows of a table is f. */
#ifndef CAIRN_COMPUTE_NETWORKS_DESCENT_H
#define CAIRN_COMPUTE_NETWORKS_DESCENT_H

#include "model/calculator.h"

enum { CAIRN_MOST_STARTS = 8, CAIRN_MOST_RATES = 8 };

typedef enum {
    CAIRN_RATE_CONSTANT,
    CAIRN_RATE_DECREASING,
    CAIRN_RATE_ADAPTIVE
} cairn_rate_schedule;
typedef enum {
    CAIRN_SQUARES_HALF,
    CAIRN_SQUARES_SUM,
    CAIRN_SQUARES_MEAN,
    CAIRN_SQUARES_ROOT
} cairn_squares;
typedef enum { CAIRN_DESCENT_FLAT, CAIRN_DESCENT_SURFACE } cairn_descent_view;

typedef struct cairn_descent_params {
    const char *function, *start, *rate, *slope;
    double low, high, y_low, y_high, turn, tilt, tolerance, grow, shrink;
    int64_t iterations;
    int schedule, view, cost, update;
    bool gradient;
} cairn_descent_params;

extern const cairn_param cairn_descent_table[];

/* What is minimised, from where, and how fast. All scratch or borrowed. */
typedef struct cairn_descent {
    cairn_context *ctx;
    const cairn_descent_params *p;
    const char *const *names; /* d variables */
    size_t d;
    const char *const *slopes; /* d derivatives as expressions; NULL = by differences */
    double *starts;            /* n_starts x d */
    size_t n_starts;
    double *rates; /* n_rates */
    size_t n_rates;
    double low[2], high[2]; /* of the picture */
    /* The rows whose cost f is; none where the function itself is f. */
    const char **columns;  /* n_columns that the function reads */
    const double **values; /* of the columns, n_rows each */
    size_t n_columns, n_rows, n_left_out;
    const char *target; /* its name */
    const char *net;    /* what the sigmoid is taken of, where the function is one; else NULL */
    const double *targets, *weights;
} cairn_descent;

typedef enum {
    CAIRN_DESCENT_STEPS,    /* all of them were done */
    CAIRN_DESCENT_LEVEL,    /* the gradient is as good as 0 */
    CAIRN_DESCENT_AWAY,     /* it has left the numbers, or is far beyond them */
    CAIRN_DESCENT_UNDEFINED /* the function has no value or slope there */
} cairn_descent_ending;

/* One path: n places, the start first. */
typedef struct cairn_descent_path {
    char name[60];
    double rate; /* of the first step */
    size_t n;
    double *at;          /* n x d */
    double *value;       /* n: f */
    double *gradient;    /* n x d: those by which the step from there went */
    double *rates;       /* n: of the step from there; NaN = there is none */
    size_t *rows;        /* n: with an update per row the one of the step from there; else NULL */
    size_t rises, first; /* steps after which f is higher, and the first of them, from 1 */
    size_t taken_back;   /* adaptive: steps that were too long */
    double curvature;    /* along the first step that rises, else the last: NaN = unknown */
    cairn_descent_ending ending;
} cairn_descent_path;

/* Everything that the parameters say; the table may be NULL. */
CAIRN_CHECKED cairn_status cairn_descent_read(cairn_context *ctx, cairn_descent *out,
                                              const cairn_compute_job *job);
/* f at n places, NaN where it has no value; d columns of n numbers. */
CAIRN_CHECKED cairn_status cairn_descent_values(const cairn_descent *s, double *out,
                                                const double *const *places, size_t n);
/* The path from a start; fails where that has no slope. Scratch. */
CAIRN_CHECKED cairn_status cairn_descend(const cairn_descent *s, cairn_descent_path *out,
                                         const double *start, double rate);

/* A row at a place, for the chain rule: ∂f/∂w = −factor (t − o) ∂o/∂w. */
typedef struct cairn_descent_row {
    double target, output;
    double net;     /* what the sigmoid is taken of; NaN where the function is none */
    double *slopes; /* d: derivatives of the net input, or where there is none of the output */
    double factor;
} cairn_descent_row;

/* By differences, which of a function that is linear in its names are exact but for rounding.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_descent_look_at_row(const cairn_descent *s, cairn_descent_row *out,
                                                     const double *at, size_t row);

/* The curve, contour lines or surface of a function of one or two numbers with the paths of all
 * starts, a panel for every rate; of more numbers f by step. paths: n_rates x n_starts. */
CAIRN_CHECKED cairn_status cairn_descent_figure(const cairn_descent *s, cairn_figure **out,
                                                const cairn_descent_path *paths);

#endif
