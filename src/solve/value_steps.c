/* SPDX-License-Identifier: MIT */
#include "solve/value_steps.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cairn_choice methods[] = {
    {"mc", CAIRN_VALUE_MC, "Monte Carlo: towards the return of the whole episode"},
    {"td", CAIRN_VALUE_TD, "TD(0), of states: towards reward and value of the next state"},
    {"sarsa", CAIRN_VALUE_SARSA, "towards reward and value of the next action that is taken"},
    {"q-learning", CAIRN_VALUE_Q, "towards reward and largest value of the next actions"},
    {NULL, 0, NULL},
};

const cairn_param cairn_value_rule_params[] = {
    CAIRN_PARAM_CHOICE(cairn_value_options, method, "q-learning", methods,
                       "what a value moves towards", .often = true),
    CAIRN_PARAM(cairn_value_options, gamma, "0.9", "[0,1]",
                "what a reward one step later is worth of one now", .often = true),
    CAIRN_PARAM(cairn_value_options, first_visit, "no", NULL,
                "only the first visit in an episode counts", .when = "method=mc"),
    CAIRN_PARAM_END,
};

const cairn_param cairn_value_rate_params[] = {
    CAIRN_PARAM(cairn_value_options, alpha, "0.1", "(0,1]",
                "share of the distance to the target by which a value moves", .when = "!averages",
                .often = true, .also = " learning_rate rate lr eta step_size "),
    CAIRN_PARAM(cairn_value_options, averages, "no", NULL,
                "alpha is 1/n at the n-th visit, so that values are the means of their targets"),
    CAIRN_PARAM(cairn_value_options, show, "40", "[0,100000]",
                "updates that are written out with --steps"),
    CAIRN_PARAM_END,
};

void cairn_value_options_apply(cairn_tabular *t, const cairn_value_options *options)
{
    t->rule = (cairn_value_rule)options->method;
    t->alpha = options->averages ? NAN : options->alpha;
    t->gamma = options->gamma;
    t->first_visit = options->first_visit;
}

void cairn_value_show_rule(cairn_report *out, const cairn_tabular *t)
{
    static const char *const formulas[] = {
        [CAIRN_VALUE_MC] = "Q(s, a) ← Q(s, a) + α (G − Q(s, a)),   G = r + γ r' + γ² r'' + …",
        [CAIRN_VALUE_TD] = "V(s) ← V(s) + α (r + γ V(s') − V(s))",
        [CAIRN_VALUE_SARSA] = "Q(s, a) ← Q(s, a) + α (r + γ Q(s', a') − Q(s, a))",
        [CAIRN_VALUE_Q] = "Q(s, a) ← Q(s, a) + α (r + γ max Q(s', ·) − Q(s, a))",
    };
    if (t->n_features) cairn_report_formula(out, "V(s) = w·φ(s),   w ← w + α (target − V(s)) φ(s)");
    if (t->rule == CAIRN_VALUE_MC && t->n_actions == 1)
        cairn_report_formula(out, "V(s) ← V(s) + α (G − V(s)),   G = r + γ r' + γ² r'' + …");
    else
        cairn_report_formula(out, "%s", formulas[t->rule]);
}

/* "Q(r3c1, up)", or "V(3)" where states have values. */
static void name_cell(char *out, size_t size, const cairn_value_show *show, int32_t state,
                      const char *action)
{
    if (action)
        snprintf(out, size, "Q(%s, %s)", show->states[state], action);
    else
        snprintf(out, size, "V(%s)", show->states[state]);
}

/* The target of the update, or the return that Monte Carlo has for it. */
static void show_target(const cairn_value_show *show, const cairn_value_update *u)
{
    static const char *const targets[] = {
        [CAIRN_VALUE_MC] = "r + γ G' = # + #·# = #",
        [CAIRN_VALUE_TD] = "r + γ V(s') = # + #·# = #",
        [CAIRN_VALUE_SARSA] = "r + γ Q(s', a') = # + #·# = #",
        [CAIRN_VALUE_Q] = "r + γ max Q(s', ·) = # + #·# = #",
    };
    char label[1200];
    if (show->t->rule == CAIRN_VALUE_MC)
        snprintf(label, sizeof label, "G of step %zu", u->step);
    else {
        /* "target of (r3c1, up) → (r2c1, left)": the step that the update learns from. */
        size_t size = sizeof label;
        bool acts = show->t->n_actions > 1;
        const char *from = show->states[u->move->state];
        const char *to = u->next < 0 ? NULL : show->states[u->next];
        const char *then =
            to && show->t->rule == CAIRN_VALUE_SARSA ? show->actions[u->next_action] : NULL;
        bool several = strchr(from, ',') || (to && strchr(to, ','));
        bool first = acts || several, second = then || (to && several);
        snprintf(label, size, "target of %s%s%s%s%s → %s%s%s%s%s", first ? "(" : "", from,
                 acts ? ", " : "", acts ? show->actions[u->move->action] : "", first ? ")" : "",
                 second ? "(" : "", to ? to : "end", then ? ", " : "", then ? then : "",
                 second ? ")" : "");
    }
    cairn_report_worked(show->out, label,
                        u->next < 0 && show->t->rule != CAIRN_VALUE_MC ? "r + γ·0 = # + #·# = #"
                                                                       : targets[show->t->rule],
                        u->move->reward, show->t->gamma, u->future, u->target);
}

/* A step of the walk-through is an episode; ratings, which belong to none, are one step. */
static void begin_step(cairn_value_show *show, size_t episode)
{
    if (episode == show->episode) return;
    cairn_value_show_end(show);
    if (show->rated)
        cairn_report_step_begin(show->out, "Ratings, one after the other");
    else
        cairn_report_step_begin(show->out, "Episode %zu", episode);
    show->episode = episode;
}

/* Writes the first updates of a run on the board, up to the limit. */
static void watch(void *data, const cairn_value_update *u)
{
    cairn_value_show *show = data;
    if (u->number > show->limit) return;
    begin_step(show, show->rated ? 1 : u->episode);
    if (!show->rated) show_target(show, u);
    /* Of a linear function the value moves by |φ|² times as much as the weights do. */
    const cairn_tabular *t = show->t;
    char label[600];
    name_cell(label, sizeof label, show, u->move->state,
              t->n_actions > 1 ? show->actions[u->move->action] : NULL);
    if (!t->n_features) {
        cairn_report_worked(show->out, label, "# + #·(# − #) = #", u->before, u->rate, u->target,
                            u->before, u->after);
    } else {
        cairn_report_worked(show->out, label, "w·φ = #; w ← w + #·(# − #)·φ, after which w·φ = #",
                            u->before, u->rate, u->target, u->before, u->after);
        for (size_t j = 0; j < t->n_features; j++)
            cairn_report_hidden(show->out, t->weights[j], "update%zu.w.%zu", u->number, j);
    }
    cairn_report_hidden(show->out, u->target, "update%zu.target", u->number);
    cairn_report_hidden(show->out, u->before, "update%zu.before", u->number);
    cairn_report_hidden(show->out, u->after, "update%zu.after", u->number);
}

void cairn_value_show_steps(cairn_value_show *show, cairn_tabular *t, cairn_report *out,
                            const cairn_value_options *options)
{
    show->out = out;
    show->t = t;
    show->limit = (size_t)options->show;
    t->watch = out ? watch : NULL;
    t->watch_data = show;
}

void cairn_value_show_end(cairn_value_show *show)
{
    if (show->episode) cairn_report_step_end(show->out);
    show->episode = 0;
}

double cairn_value_visits(const cairn_tabular *t, size_t state)
{
    double n = 0;
    for (size_t a = 0; a < t->n_actions; a++) n += t->visits[state * t->n_actions + a];
    return n;
}

void cairn_value_show_states(const cairn_value_show *show, cairn_report *out)
{
    const cairn_tabular *t = show->t;
    bool acts = t->n_actions > 1;
    cairn_report_table_of(out, "Values of the states", 0, "lrr", "state", "visits", "value");
    if (acts) cairn_report_column(out, "action", 'l');
    for (size_t s = 0; s < t->n_states; s++) {
        const char *key = cairn_report_key(out, show->states[s]);
        double visits = cairn_value_visits(t, s);
        size_t best = cairn_tabular_best(t, s);
        cairn_report_cells(out, "- visits.$1 value.$1", show->states[s], visits,
                           visits > 0 ? cairn_tabular_value(t, s, best) : 0);
        if (acts)
            cairn_report_cell_word(out, visits > 0 ? show->actions[best] : "", "action.%s", key);
    }
    cairn_report_table_end(out);
}

void cairn_value_show_actions(const cairn_value_show *show, cairn_report *out)
{
    const cairn_tabular *t = show->t;
    if (t->n_actions == 1) return;
    cairn_report_table_of(out, "Values of the actions, Q(s, a)", 0, "l", "state");
    for (size_t a = 0; a < t->n_actions; a++) cairn_report_column(out, show->actions[a], 'r');
    for (size_t s = 0; s < t->n_states; s++) {
        const char *key = cairn_report_key(out, show->states[s]);
        if (t->n_states > CAIRN_ALL_STATES && !(cairn_value_visits(t, s) > 0)) continue;
        cairn_report_cell(out, show->states[s]);
        for (size_t a = 0; a < t->n_actions; a++)
            if (cairn_tabular_allows(t, s, a))
                cairn_report_cell_number(out, cairn_tabular_value(t, s, a), 0, "q.%s.%s", key,
                                         cairn_report_key(out, show->actions[a]));
            else
                cairn_report_cell(out, "");
    }
    cairn_report_table_end(out);
}

void cairn_value_show_weights(cairn_report *out, const cairn_tabular *t, const char *const *names)
{
    if (!t->n_features) return;
    cairn_report_table_of(out, "Weights of the evaluation function", 0, "lr", "feature", "weight");
    for (size_t j = 0; j < t->n_features; j++)
        cairn_report_cells(out, "- weight.$1", names[j], t->weights[j]);
    cairn_report_table_end(out);
}

cairn_status cairn_value_check(cairn_context *ctx, const cairn_tabular *t, const char *const *names)
{
    for (size_t j = 0; j < t->n_features; j++)
        if (!isfinite(t->weights[j]) || fabs(t->weights[j]) > 1e100)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the weight of '%s' grows without end; a smaller {alpha} keeps the "
                              "steps from overshooting",
                              names[j]);
    return CAIRN_OK;
}
