/* SPDX-License-Identifier: MIT */
/* Activation functions of neurons: the value, its derivative through the value, the range that it
 * cannot leave, and parameters. The one list for networks and calculators. */
#ifndef CAIRN_STATS_ACTIVATIONS_H
#define CAIRN_STATS_ACTIVATIONS_H

#include "base/context.h"
#include "base/text.h"

enum { CAIRN_ACTIVATION_PARAMS = 5 };

typedef struct cairn_activation_param {
    const char *name; /* NULL ends the list */
    double initial;
    const char *help;
} cairn_activation_param;

/* Those that have loops of their own over many numbers. */
typedef enum cairn_activation_loop {
    CAIRN_LOOP_OTHER,
    CAIRN_LOOP_SIGMOID,
    CAIRN_LOOP_TANH,
    CAIRN_LOOP_TH,
    CAIRN_LOOP_RELU,
    CAIRN_LOOP_SOFTMAX
} cairn_activation_loop;

typedef struct cairn_activation {
    const char *name;    /* NULL ends cairn_activations */
    const char *title;   /* a few words */
    const char *formula; /* f(x) = ... */
    const char *slope;   /* the derivative as a formula, through the value y where that is usual;
                            NULL = it has none that a network could learn by */
    cairn_activation_param params[CAIRN_ACTIVATION_PARAMS + 1];
    double (*value)(double x, const double *p);
    /* f'(x), given y = f(x); where there is a jump or a bend, the derivative from below or 0. */
    double (*derivative)(double x, double y, const double *p);
    /* Ends of the values, which may be infinite. */
    void (*range)(const double *p, double *low, double *high);
    cairn_activation_loop loop;
    bool reaches;  /* the ends are values, not only limits */
    bool together; /* of all nodes of a layer at once (softmax): `value` is e^x, to be divided by
                      the sum over the layer, and there is no derivative of one node alone */
} cairn_activation;

extern const cairn_activation cairn_activations[];

/* A function with its parameters. */
typedef struct cairn_activated {
    const cairn_activation *f;
    double p[CAIRN_ACTIVATION_PARAMS];
} cairn_activated;

/* By name, with default parameters; f is NULL where there is none. */
cairn_activated cairn_activation_named(const char *name);
/* Reads "tanh", "linear(m=2, c=1)" or "linear(2, 1)"; fails with the names that there are, or that
 * the function has. `what` names the option in messages. */
CAIRN_CHECKED cairn_status cairn_activation_read(cairn_context *ctx, cairn_activated *out,
                                                 const char *what, const char *text);
/* Writes it so that it can be read again: parameters only where they are not the usual ones. */
void cairn_activation_write(cairn_text *out, const cairn_activated *a);
/* Sets parameter `key` (a name, or NULL = number `at`); false = it has none, or not this value. */
bool cairn_activation_set(cairn_activated *a, const char *key, size_t at, double value);
/* Whether the parameters make sense: a spread above 0, ends in order. Else a sentence, or NULL. */
const char *cairn_activation_fault(const cairn_activated *a);

static inline double cairn_activate(const cairn_activated *a, double x)
{
    return a->f->value(x, a->p);
}
static inline double cairn_activation_slope(const cairn_activated *a, double x, double y)
{
    return a->f->derivative(x, y, a->p);
}
/* The outputs of a layer of n nodes from their net inputs; `nets` may be `outs`. */
void cairn_activate_layer(const cairn_activated *a, const double *nets, size_t n, double *outs);

#endif
