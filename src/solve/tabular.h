/* SPDX-License-Identifier: MIT */
/* Values of states, or of actions in states, learned from episodes: Monte Carlo, temporal
 * differences, SARSA and Q-learning. A value moves towards a target by a share of the distance:
 *
 *     V ← V + α (target − V)
 *     Monte Carlo   target = G, the sum of rewards from here on, each γ times less than the one
 *                   before it
 *     TD(0)         target = r + γ V(s')
 *     SARSA         target = r + γ Q(s', a')
 *     Q-learning    target = r + γ max Q(s', ·)
 *
 * The values are a table, or a linear function of features of the state, whose weights move as
 * those of least mean squares do. */
#ifndef CAIRN_SOLVE_TABULAR_H
#define CAIRN_SOLVE_TABULAR_H

#include "base/context.h"

typedef enum cairn_value_rule {
    CAIRN_VALUE_MC,
    CAIRN_VALUE_TD,
    CAIRN_VALUE_SARSA,
    CAIRN_VALUE_Q
} cairn_value_rule;

/* A step of an episode. */
typedef struct cairn_move {
    int32_t state, action;
    double reward; /* that followed the action */
    double gain;   /* G, set when the episode is over */
} cairn_move;

/* What one update did, for the steps. */
typedef struct cairn_value_update {
    size_t number, episode, step; /* from 1 */
    const cairn_move *move;
    int32_t next, next_action; /* -1 = the end */
    double future;             /* the value of what comes next, 0 at the end */
    double target, rate, before, after;
} cairn_value_update;

typedef void cairn_value_watch(void *data, const cairn_value_update *update);

typedef struct cairn_tabular {
    cairn_value_rule rule;
    double alpha;     /* NaN = 1 / visits: plain means */
    double gamma;     /* discount */
    bool first_visit; /* Monte Carlo: only the first visit of an episode counts */
    bool turns; /* two sides act in turn, and what one gains the other loses: the value of what
                   comes next counts with the other sign */
    size_t n_states, n_actions; /* one action: values of states */
    const uint8_t *allowed;     /* n_states x n_actions; NULL = all */
    size_t n_features;          /* of the linear function; 0 = a table */
    const double *features;     /* n_states x n_features */
    cairn_value_watch *watch;   /* NULL = nobody looks */
    void *watch_data;

    double *values;  /* n_states x n_actions, of a table */
    double *weights; /* n_features, of a linear function */
    double *visits;  /* n_states x n_actions */
    size_t *seen;    /* n_states x n_actions: the last episode that visited it */
    size_t episodes, step, updates;
} cairn_tabular;

/* Scratch memory for the values, which all begin at `initial` (a linear function at 0). */
CAIRN_CHECKED cairn_status cairn_tabular_start(cairn_context *ctx, cairn_tabular *t,
                                               double initial);
double cairn_tabular_value(const cairn_tabular *t, size_t state, size_t action);
bool cairn_tabular_allows(const cairn_tabular *t, size_t state, size_t action);
/* The allowed action of the largest value, the first of several; 0 where none is allowed. */
size_t cairn_tabular_best(const cairn_tabular *t, size_t state);
/* A new episode begins. */
void cairn_tabular_begin(cairn_tabular *t);
/* TD, SARSA and Q-learning: the move led to the state `next` (-1 = the end), where `next_action` is
 * taken. */
void cairn_tabular_step(cairn_tabular *t, const cairn_move *move, int32_t next,
                        int32_t next_action);
/* Monte Carlo: the episode is over. */
void cairn_tabular_returns(cairn_tabular *t, cairn_move *moves, size_t n);
/* An episode as a whole, by the rule. */
void cairn_tabular_episode(cairn_tabular *t, cairn_move *moves, size_t n);

#endif
