/* SPDX-License-Identifier: MIT */
/* Feed-forward networks that learn by backpropagation: what the files of the learner share. */
#ifndef CAIRN_LEARNERS_NETWORK_NEURAL_H
#define CAIRN_LEARNERS_NETWORK_NEURAL_H

#include "base/random.h"
#include "model/learner.h"
#include "rows/matrix.h"
#include "solve/progress.h"
#include "solve/solvers.h"
#include "stats/layers.h"

typedef enum cairn_neural_solver {
    CAIRN_NEURAL_PLAIN,
    CAIRN_NEURAL_MOMENTUM,
    CAIRN_NEURAL_NESTEROV,
    CAIRN_NEURAL_ADAM,
    CAIRN_NEURAL_LBFGS,
    CAIRN_NEURAL_SOLVER_AUTO /* before fitting: by the number of rows */
} cairn_neural_solver;
typedef enum cairn_neural_update {
    CAIRN_NEURAL_UPDATE_AUTO,
    CAIRN_NEURAL_ROW,
    CAIRN_NEURAL_BATCH,
    CAIRN_NEURAL_EPOCH
} cairn_neural_update;
typedef enum cairn_neural_biases {
    CAIRN_NEURAL_BIAS_NODE,  /* one of every node */
    CAIRN_NEURAL_BIAS_LAYER, /* one for all nodes of a layer */
    CAIRN_NEURAL_BIAS_NONE   /* the outputs have none, hidden nodes one each */
} cairn_neural_biases;
typedef enum cairn_neural_init {
    CAIRN_NEURAL_INIT_AUTO,
    CAIRN_NEURAL_INIT_GLOROT,
    CAIRN_NEURAL_INIT_HE,
    CAIRN_NEURAL_INIT_SMALL,
    CAIRN_NEURAL_INIT_NORMAL
} cairn_neural_init;
typedef enum cairn_neural_schedule {
    CAIRN_NEURAL_CONSTANT,
    CAIRN_NEURAL_DECREASING,
    CAIRN_NEURAL_STEP,
    CAIRN_NEURAL_ADAPTIVE
} cairn_neural_schedule;
typedef enum cairn_neural_order {
    CAIRN_NEURAL_SHUFFLED,
    CAIRN_NEURAL_GIVEN_ORDER
} cairn_neural_order;
typedef enum cairn_neural_loss {
    CAIRN_NEURAL_LOSS_AUTO,
    CAIRN_NEURAL_LOSS_LOG,
    CAIRN_NEURAL_LOSS_SQUARES
} cairn_neural_loss;
typedef enum cairn_neural_units {
    CAIRN_NEURAL_UNITS_AUTO,
    CAIRN_NEURAL_UNITS_NONE,
    CAIRN_NEURAL_UNITS_STANDARD,
    CAIRN_NEURAL_UNITS_TEN
} cairn_neural_units;

typedef enum cairn_neural_precision {
    CAIRN_NEURAL_PRECISION_AUTO,
    CAIRN_NEURAL_DOUBLE,
    CAIRN_NEURAL_SINGLE
} cairn_neural_precision;

/* Why it ended. */
typedef enum cairn_neural_reason {
    CAIRN_NEURAL_STILL, /* it goes on */
    CAIRN_NEURAL_EPOCHS,
    CAIRN_NEURAL_LEVEL,
    CAIRN_NEURAL_CHANGE,
    CAIRN_NEURAL_STABLE,
    CAIRN_NEURAL_PATIENCE,
    CAIRN_NEURAL_DIVERGED,
    CAIRN_NEURAL_SOLVED, /* L-BFGS finds nothing better */
    CAIRN_NEURAL_READ,   /* given by hand */
    CAIRN_NEURAL_CHOSEN, /* as many epochs as rows that were held out before chose */
    CAIRN_NEURAL_REASONS
} cairn_neural_reason;

typedef struct cairn_neural_params {
    const char *hidden, *activation, *output, *start;
    int loss, biases, target_scale, update, batch, solver, schedule, init, order, protocol, epochs,
        patience, rate_every, precision;
    double eta, momentum, decay, dropout, rate_factor, level, change, stable, held;
    bool keep_best;
} cairn_neural_params;

/* What a target is among the outputs. */
typedef struct cairn_neural_target {
    const cairn_field *field; /* borrowed from the schema */
    const cairn_column *column;
    size_t first, n; /* its outputs: a number has one, two classes one or two, others one each */
    bool leads;      /* it is the one that is answered */
} cairn_neural_target;

typedef struct cairn_neural_model {
    cairn_neural_layers layers; /* list is owned */
    double *weights;
    double *shift, *unit; /* of the outputs: a number is shift + unit · output */
    double low, high;     /* what an output is for "not this class" and "this class" */
    int32_t biases, cost;
} cairn_neural_model;

/* How it came about. */
typedef struct cairn_neural_history {
    size_t epochs, n_values, n_held, n_updates;
    double *values; /* n_history: mean E of the rows during every epoch */
    double *held;   /* n_held: the same of the rows held out, after it */
    size_t best, reason;
    double eta, error; /* eta of the end; mean E of all training rows with the weights kept */
    size_t n_outputs;
    double *absolute; /* n_outputs: mean |t − y| in per cent of the range; NaN of classes */
    double rms;       /* root of the mean of (t − y)² over rows and outputs */
} cairn_neural_history;

/* One training run. */
typedef struct cairn_neural_run {
    const cairn_job *job;
    cairn_neural_params chosen; /* with what the user left open */
    bool tries;          /* rows are held out to choose the epochs, then all are learned from */
    const double *tried; /* mean E of those rows after every epoch; NULL = none were */
    const cairn_neural_params *params;
    cairn_neural_model *model;
    cairn_row_matrix x;
    double *packed; /* rows x n_in; NULL = they are read out of x */
    size_t n_in, n_out;
    cairn_neural_target *list;
    size_t n_targets;
    double *targets; /* rows x n_out, in the units of the outputs */
    double *by;      /* weights of the rows */
    size_t *order;   /* the rows that are learned from, n_train of them; then those held out */
    size_t n_train, n_held;
    double total; /* weight of the rows that are learned from */
    cairn_neural_cost cost;
    cairn_neural_update update;
    size_t batch;
    double eta;
    cairn_pass pass;
    double *z;              /* batch x n_in */
    double *t, *v;          /* batch x n_out; batch weights */
    double *gradient;       /* n_weights: −∂E/∂w */
    double *first, *second; /* n_weights each: what momentum and Adam remember */
    double *best;           /* n_weights */
    double *moved;          /* n_weights: the weights before the epoch, where they are compared */
    double start_error, best_error;
    size_t steps_taken;
    double *values, *held;
    size_t n_values, n_held_values, best_epoch;
    size_t kept;    /* the epoch whose weights are kept, from 1; 0 = the first weights */
    size_t n_worse; /* epochs in a row that were far worse than the first weights */
    cairn_neural_reason reason;
    bool begun; /* the first weights are there */
    bool again; /* a fitted network learns from further rows */
    cairn_random random, drop;
    double **keep; /* of every hidden layer: factors of dropout, batch x n_out */
    struct cairn_neural_floats *floats; /* NULL = all is double */
    const char *const *const *nodes;    /* names */
    const char *const *inputs;
    size_t shown; /* updates whose work was written */
} cairn_neural_run;

enum { CAIRN_NEURAL_KEPT = 100000, CAIRN_NEURAL_SHOWN = 4 };

/* network.c: the first weights, which `begun` says are there. */
CAIRN_CHECKED cairn_status cairn_neural_first_weights(cairn_context *ctx, cairn_neural_run *run);
/* How many numbers are learned. */
double cairn_neural_parameters(const cairn_neural_model *model);
/* Numbers of the weights, made to agree with the biases that there are: those that are not there
 * are 0, those that a layer shares are equal, each the mean, or with `sum` the sum, of all. */
void cairn_neural_tie(const cairn_neural_model *model, double *numbers, bool sum);

/* neural_train.c: rows, targets and their units. Targets are in the order of their names, so that
 * it does not matter which of them is answered. */
CAIRN_CHECKED cairn_status cairn_neural_targets(cairn_context *ctx, cairn_neural_target **out,
                                                size_t *n, size_t *n_out,
                                                const cairn_schema *schema, bool one_of_two);
/* The same as a fitted network has them; *lead is the one that is answered, NULL = they do not fit
 * its outputs. */
CAIRN_CHECKED cairn_status cairn_neural_model_targets(cairn_context *ctx, cairn_neural_target **out,
                                                      size_t *n, const cairn_schema *schema,
                                                      const cairn_neural_layers *layers,
                                                      const cairn_neural_target **lead);
/* Of two classes with one output: the class that it speaks for. */
size_t cairn_neural_yes(const cairn_neural_target *target, int32_t positive);
CAIRN_CHECKED cairn_status cairn_neural_open_rows(cairn_context *ctx, cairn_neural_run *run);
void cairn_neural_take_rows(cairn_neural_run *run, const size_t *rows, size_t m);

/* neural_train.c: epochs */
CAIRN_CHECKED cairn_status cairn_neural_train(cairn_context *ctx, cairn_neural_run *run);

/* How far the outputs of the training rows are from the targets: the mean |t − y| of every output
 * in per cent of the range of its target (NaN = it has none), the root of the mean square, and the
 * mean E. */
CAIRN_CHECKED cairn_status cairn_neural_distances(cairn_context *ctx, cairn_neural_run *run,
                                                  double *percent, double *rms, double *error);

/* neural_floats.c: opened where single precision is asked for, or pays; then an epoch of
 * mini-batches by it, after which the model has the weights; closed in any case. Outputs of at most
 * a batch of rows are by the weights that were learned or loaded last. */
CAIRN_CHECKED cairn_status cairn_neural_floats_open(cairn_context *ctx, cairn_neural_run *run);
void cairn_neural_floats_close(cairn_neural_run **run);
CAIRN_CHECKED cairn_status cairn_neural_floats_epoch(cairn_context *ctx, cairn_neural_run *run,
                                                     double eta, double *error);
void cairn_neural_floats_load(const cairn_neural_run *run);
CAIRN_CHECKED cairn_status cairn_neural_floats_outputs(cairn_context *ctx, cairn_neural_run *run,
                                                       const size_t *rows, size_t m, double *out);

/* neural_show.c: the rule; the work of one update by a row, before it is made; the weights after
 * it. */
void cairn_neural_show_rule(const cairn_neural_run *run);
void cairn_neural_show_update(cairn_context *ctx, cairn_neural_run *run, size_t row, double eta);
void cairn_neural_show_weights(cairn_context *ctx, cairn_neural_run *run);
void cairn_neural_show_epochs(const cairn_neural_run *run);
/* The rows with the weights that are kept. */
void cairn_neural_show_rows(cairn_context *ctx, cairn_neural_run *run);

/* neural_show.c: the model */
extern const char *const cairn_neural_reasons[CAIRN_NEURAL_REASONS];
void cairn_neural_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_neural_figures[];
extern const cairn_export_form cairn_neural_forms[];

extern const cairn_learned cairn_neural_tables[];

#endif
