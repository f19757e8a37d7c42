/* SPDX-License-Identifier: MIT */
/* The perceptron, shared by its training and by what is shown of it. */
#ifndef CAIRN_LEARNERS_PERCEPTRON_H
#define CAIRN_LEARNERS_PERCEPTRON_H

#include "learners/linear/planes.h"
#include "solve/solvers.h"

typedef enum {
    CAIRN_PERCEPTRON_MISTAKE,
    CAIRN_PERCEPTRON_DELTA,
    CAIRN_PERCEPTRON_BATCH,
    CAIRN_PERCEPTRON_DIFFERENCE
} cairn_perceptron_update;
typedef enum { CAIRN_UNIT_THRESHOLD, CAIRN_UNIT_LINEAR, CAIRN_UNIT_SIGMOID } cairn_unit_output;
typedef enum {
    CAIRN_PERCEPTRON_STOP_LIMIT,
    CAIRN_PERCEPTRON_STOP_SWEEP,
    CAIRN_PERCEPTRON_STOP_ERROR,
    CAIRN_PERCEPTRON_STOP_CHANGE
} cairn_perceptron_stop;

typedef struct cairn_perceptron_params {
    cairn_class_planes_params planes;
    int update, unit, truth;
    double eta;
    int batch_size;
    int init;
    double spread;
    int order;
    const char *visit;
    int protocol;
    int epochs;
    double gamma, tolerance;
    bool average;
} cairn_perceptron_params;

typedef struct cairn_perceptron_history {
    size_t n_epochs;
    double *errors;  /* n_epochs: mean |d − y| of the outputs before each change */
    double *changes; /* n_epochs: examples that changed the weights */
    double updates;
    int32_t stop; /* cairn_perceptron_stop */
    cairn_class_planes_tally tally;
} cairn_perceptron_history;

/* A row as it is visited: its numbers, or those that are not 0 with their terms. */
typedef struct cairn_example {
    size_t at;    /* row of the view */
    size_t place; /* of its class among the model's */
    size_t n;
    const int32_t *terms; /* NULL = all in order */
    const double *values;
    double weight;
} cairn_example;

/* What came of a visit: for each vector activation, output and what was wanted of it. */
typedef struct cairn_visit {
    double *activations, *outputs, *wanted, *factors; /* n_vectors; factors: of the row's change */
    bool changes;
} cairn_visit;

/* -- what is shown of the work; all of it nothing without `steps` -- */
typedef struct cairn_perceptron_trace {
    cairn_report *steps;
    const cairn_class_planes *m;
    const cairn_job *job;
    const char *const *names;
    cairn_text lines; /* updates of the epoch with their numbers put in, one per line */
    size_t n_lines;
    size_t updates;
    double *before; /* weights before the visit, as many as are shown */
    bool open;
} cairn_perceptron_trace;

extern const cairn_history cairn_perceptron_histories;

#endif
