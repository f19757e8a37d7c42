/* SPDX-License-Identifier: MIT */
/* Small worlds in which a learner acts: a grid with walls, goals and pits, a chain of states, and
 * noughts and crosses against an opponent. Each is a table of what may follow an action in a state,
 * with probabilities, so that the exact values are known, too. */
#ifndef CAIRN_COMPUTE_EPISODES_WORLDS_H
#define CAIRN_COMPUTE_EPISODES_WORLDS_H

#include "base/random.h"
#include "entry/entry.h"

typedef enum cairn_world_kind {
    CAIRN_WORLD_GRID,
    CAIRN_WORLD_CHAIN,
    CAIRN_WORLD_NOUGHTS
} cairn_world_kind;

/* A group of parameters. */
typedef struct cairn_world_options {
    int world, opponent, length;
    const char *map;
    double slip, living, goal, pit;
} cairn_world_options;
extern const cairn_param cairn_world_params[];

enum { CAIRN_STATE_SIZE = 32 };

/* All arrays are scratch. An action that a state does not have has no outcomes. */
typedef struct cairn_world {
    size_t n_states, n_actions, start;
    bool turns; /* two sides act in turn: the value of the next state is the other side's */
    const char *const *actions;       /* names */
    char (*states)[CAIRN_STATE_SIZE]; /* names */
    size_t *starts;     /* n_states x n_actions + 1: where the outcomes of each begin */
    double *p, *reward; /* of each outcome */
    int32_t *next;      /* -1 = the end */
    uint8_t *allowed;   /* n_states x n_actions */
    size_t n_features;  /* for a linear function of the state; the first is 1 */
    const char *const *feature_names;
    double *features;     /* n_states x n_features */
    size_t rows, columns; /* of a grid; 0 = no grid */
    const char *cells;    /* rows x columns: its letters, without ends of rows */
    int32_t *state_at;    /* rows x columns; -1 = none */
} cairn_world;

CAIRN_CHECKED cairn_status cairn_world_make(cairn_context *ctx, cairn_world *out,
                                            const cairn_world_options *options);
/* What follows an action: the state (-1 = the end) and the reward. */
int32_t cairn_world_act(const cairn_world *w, size_t state, size_t action, cairn_random *random,
                        double *reward);

/* The mean of reward and discounted value of what follows an action. */
double cairn_world_action_value(const cairn_world *w, size_t state, size_t action, double gamma,
                                const double *values);
/* Exact values by sweeps over the states until nothing changes: of the best actions (value
 * iteration) where `policy` is NULL, else of a policy, n_states x n_actions probabilities.
 * Returns false in `settled` where they do not settle, as the sum of rewards has no bound. */
CAIRN_CHECKED cairn_status cairn_world_values(cairn_context *ctx, const cairn_world *w,
                                              double gamma, const double *policy, double *values,
                                              bool *settled);

#endif
