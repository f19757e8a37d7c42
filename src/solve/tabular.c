/* SPDX-License-Identifier: MIT */
#include "solve/tabular.h"

#include "base/memory.h"

#include <math.h>

cairn_status cairn_tabular_start(cairn_context *ctx, cairn_tabular *t, double initial)
{
    size_t n = cairn_product(t->n_states, t->n_actions);
    CHECK(SCRATCH_EACH(ctx, n, &t->values, &t->visits, &t->seen));
    CHECK(SCRATCH(ctx, &t->weights, t->n_features));
    for (size_t i = 0; i < n; i++) t->values[i] = initial;
    t->episodes = t->step = t->updates = 0;
    return CAIRN_OK;
}

double cairn_tabular_value(const cairn_tabular *t, size_t state, size_t action)
{
    double sum = 0;
    if (!t->n_features) return t->values[state * t->n_actions + action];
    for (size_t j = 0; j < t->n_features; j++)
        sum += t->weights[j] * t->features[state * t->n_features + j];
    return sum;
}

bool cairn_tabular_allows(const cairn_tabular *t, size_t state, size_t action)
{
    return t->n_actions == 1 || !t->allowed || t->allowed[state * t->n_actions + action];
}

size_t cairn_tabular_best(const cairn_tabular *t, size_t state)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t a = 0; a < t->n_actions; a++) {
        if (!cairn_tabular_allows(t, state, a)) continue;
        double value = cairn_tabular_value(t, state, a);
        if (value > most) most = value, best = a;
    }
    return best;
}

void cairn_tabular_begin(cairn_tabular *t)
{
    t->episodes++;
    t->step = 0;
}

/* Move one value, or the weights that make it, towards the target of the update. */
static void apply(cairn_tabular *t, cairn_value_update *u)
{
    size_t state = (size_t)u->move->state, action = (size_t)u->move->action;
    size_t cell = state * t->n_actions + action;
    t->visits[cell]++;
    u->number = ++t->updates;
    u->episode = t->episodes;
    u->rate = isnan(t->alpha) ? 1 / t->visits[cell] : t->alpha;
    u->before = cairn_tabular_value(t, state, action);
    double change = u->rate * (u->target - u->before);
    if (t->n_features)
        for (size_t j = 0; j < t->n_features; j++)
            t->weights[j] += change * t->features[state * t->n_features + j];
    else
        t->values[cell] += change;
    u->after = cairn_tabular_value(t, state, action);
    if (t->watch) t->watch(t->watch_data, u);
}

void cairn_tabular_step(cairn_tabular *t, const cairn_move *move, int32_t next, int32_t next_action)
{
    cairn_value_update u = {.move = move, .next = next, .next_action = next_action};
    u.step = ++t->step;
    /* The value of what comes next, to the side that acts now. */
    if (next < 0) {
        u.future = 0;
    } else {
        size_t action = 0;
        if (t->rule == CAIRN_VALUE_Q) action = cairn_tabular_best(t, (size_t)next);
        if (t->rule == CAIRN_VALUE_SARSA) action = (size_t)next_action;
        double value = cairn_tabular_value(t, (size_t)next, action);
        u.future = t->turns ? -value : value;
    }
    u.target = move->reward + t->gamma * u.future;
    apply(t, &u);
}

void cairn_tabular_returns(cairn_tabular *t, cairn_move *moves, size_t n)
{
    double sign = t->turns ? -1 : 1, gain = 0;
    for (size_t i = n; i-- > 0;) moves[i].gain = gain = moves[i].reward + t->gamma * sign * gain;
    for (size_t i = 0; i < n; i++) {
        size_t cell = (size_t)moves[i].state * t->n_actions + (size_t)moves[i].action;
        bool again = t->seen[cell] == t->episodes;
        cairn_value_update u = {.move = &moves[i], .next = -1, .next_action = -1};
        u.step = ++t->step;
        u.target = moves[i].gain;
        u.future = i + 1 < n ? sign * moves[i + 1].gain : 0;
        t->seen[cell] = t->episodes;
        if (!t->first_visit || !again) apply(t, &u);
    }
}

void cairn_tabular_episode(cairn_tabular *t, cairn_move *moves, size_t n)
{
    cairn_tabular_begin(t);
    if (t->rule == CAIRN_VALUE_MC) {
        cairn_tabular_returns(t, moves, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n;
        cairn_tabular_step(t, &moves[i], last ? -1 : moves[i + 1].state,
                           last ? -1 : moves[i + 1].action);
    }
}
