/* SPDX-License-Identifier: MIT */
/* What the calculators about neurons share: activation functions as they are chosen, net inputs,
 * and how both are written on the board. */
#ifndef CAIRN_COMPUTE_NETWORKS_UNITS_H
#define CAIRN_COMPUTE_NETWORKS_UNITS_H

#include "entry/entry.h"
#include "report/report.h"
#include "stats/activations.h"

typedef enum {
    CAIRN_JUMP_USUAL,
    CAIRN_JUMP_MINUS,
    CAIRN_JUMP_ZERO,
    CAIRN_JUMP_PLUS,
    CAIRN_JUMP_REJECT
} cairn_jump_at_zero;

/* A group of parameters: conventions on which texts differ. */
typedef struct cairn_unit_options {
    int at_zero;
    bool saturate;
} cairn_unit_options;

extern const cairn_param cairn_unit_params[];

/* Functions with their parameters. Scratch. */
typedef struct cairn_unit_functions {
    cairn_activated *list;
    const char **texts; /* as they are written: "linear(m=2)" */
    const char **keys;  /* for names of values: "linear", a second one "linear2" */
    size_t n;
    bool reject;
} cairn_unit_functions;

/* The lines of a parameter, {option} in messages. Softmax, which is of a layer, is refused. */
CAIRN_CHECKED cairn_status cairn_unit_functions_read(cairn_context *ctx, cairn_unit_functions *out,
                                                     const char *option, const char *lines,
                                                     const cairn_unit_options *options);
/* The conventions put into a function. */
void cairn_unit_adapt(cairn_activated *a, const cairn_unit_options *options);
/* The output; NaN where a function with a jump at 0 rejects. */
double cairn_unit_value(const cairn_activated *a, bool reject, double net);

/* Names x1, x2 ... of n inputs that nobody named. Scratch. */
CAIRN_CHECKED cairn_status cairn_unit_input_names(cairn_context *ctx, const char ***out, size_t n);

/* bias + Σ w x, which is 0 where it is nothing but the rounding of its terms. */
double cairn_unit_net(const double *weights, const double *x, size_t n, double bias);
/* Fails for a sum that left the numbers; `where` names it. */
CAIRN_CHECKED cairn_status cairn_unit_check(cairn_context *ctx, double net, const char *where);
/* "net(h1) = 0.35·1 + 0.15·0.05 = 0.3575": the bias is a weight of the constant 1. */
CAIRN_CHECKED cairn_status cairn_unit_work_net(cairn_context *ctx, cairn_report *out,
                                               const char *label, const double *weights,
                                               const double *x, size_t n, double bias);
/* "y = 1 / (1 + e^(−0.3775)) = 0.593270", and the derivative through the value y. */
void cairn_unit_work_output(cairn_report *out, const char *label, const cairn_activated *a,
                            double x, double y);
void cairn_unit_work_slope(cairn_report *out, const char *label, const cairn_activated *a, double x,
                           double y);

#endif
