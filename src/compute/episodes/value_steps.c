/* SPDX-License-Identifier: MIT */
#include "compute/episodes/value_steps.h"

#include <math.h>
#include <stdio.h>

static const cairn_choice methods[] = {
    {"mc", CAIRN_VALUE_MC, "Monte Carlo: towards the return of the whole episode"},
    {"td", CAIRN_VALUE_TD, "TD(0), of states: towards reward and value of the next state"},
    {"sarsa", CAIRN_VALUE_SARSA, "towards reward and value of the next action that is taken"},
    {"q-learning", CAIRN_VALUE_Q, "towards reward and largest value of the next actions"},
    {NULL, 0, NULL},
};

const cairn_param cairn_value_params[] = {
    CAIRN_PARAM_CHOICE(cairn_value_options, method, "q-learning", methods,
                       "what a value moves towards", .often = true),
    CAIRN_PARAM(cairn_value_options, alpha, "0.1", "(0,1]",
                "share of the distance to the target by which a value moves", .when = "!averages",
                .often = true),
    CAIRN_PARAM(cairn_value_options, averages, "no", NULL,
                "alpha is 1/n at the n-th visit, so that values are the means of their targets"),
    CAIRN_PARAM(cairn_value_options, gamma, "0.9", "[0,1]",
                "what a reward one step later is worth of one now", .often = true),
    CAIRN_PARAM(cairn_value_options, first_visit, "no", NULL,
                "only the first visit in an episode counts", .when = "method=mc"),
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

void cairn_value_show_rule(cairn_report *out, const cairn_value_options *options)
{
    static const char *const formulas[] = {
        [CAIRN_VALUE_MC] = "Q(s, a) ← Q(s, a) + α (G − Q(s, a)),   G = r + γ r' + γ² r'' + …",
        [CAIRN_VALUE_TD] = "V(s) ← V(s) + α (r + γ V(s') − V(s))",
        [CAIRN_VALUE_SARSA] = "Q(s, a) ← Q(s, a) + α (r + γ Q(s', a') − Q(s, a))",
        [CAIRN_VALUE_Q] = "Q(s, a) ← Q(s, a) + α (r + γ max Q(s', ·) − Q(s, a))",
    };
    cairn_report_formula(out, "%s", formulas[options->method]);
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

/* "r3c1, up → r2c1": the step that the update learns from. */
static void name_step(char *out, size_t size, const cairn_value_show *show,
                      const cairn_value_update *u)
{
    bool acts = show->t->n_actions > 1;
    snprintf(
        out, size, "%s%s%s → %s%s%s", show->states[u->move->state], acts ? ", " : "",
        acts ? show->actions[u->move->action] : "", u->next < 0 ? "end" : show->states[u->next],
        show->t->rule == CAIRN_VALUE_SARSA && u->next >= 0 ? ", " : "",
        show->t->rule == CAIRN_VALUE_SARSA && u->next >= 0 ? show->actions[u->next_action] : "");
}

static void show_target(const cairn_value_show *show, const cairn_value_update *u)
{
    static const char *const targets[] = {
        [CAIRN_VALUE_MC] = "r + γ G' = # + #·# = #",
        [CAIRN_VALUE_TD] = "r + γ V(s') = # + #·# = #",
        [CAIRN_VALUE_SARSA] = "r + γ Q(s', a') = # + #·# = #",
        [CAIRN_VALUE_Q] = "r + γ max Q(s', ·) = # + #·# = #",
    };
    char label[1200];
    name_step(label, sizeof label, show, u);
    cairn_report_worked(show->out, show->t->rule == CAIRN_VALUE_MC ? "G" : label,
                        u->next < 0 && show->t->rule != CAIRN_VALUE_MC ? "r + γ·0 = # + #·# = #"
                                                                       : targets[show->t->rule],
                        u->move->reward, show->t->gamma, u->future, u->target);
}

/* Of a linear function the value moves by |φ|² times as much as the weights do. */
static void show_change(const cairn_value_show *show, const cairn_value_update *u)
{
    const cairn_tabular *t = show->t;
    char label[600];
    name_cell(label, sizeof label, show, u->move->state,
              t->n_actions > 1 ? show->actions[u->move->action] : NULL);
    if (!t->n_features) {
        cairn_report_worked(show->out, label, "# + #·(# − #) = #", u->before, u->rate, u->target,
                            u->before, u->after);
        return;
    }
    cairn_report_worked(show->out, label, "w·φ = #; w ← w + #·(# − #)·φ, after which w·φ = #",
                        u->before, u->rate, u->target, u->before, u->after);
    for (size_t j = 0; j < t->n_features; j++)
        cairn_report_hidden(show->out, t->weights[j], "update%zu.w.%zu", u->number, j);
}

static void watch(void *data, const cairn_value_update *u)
{
    cairn_value_show *show = data;
    if (u->number > show->limit) return;
    if (u->episode != show->episode) {
        cairn_value_show_end(show);
        cairn_report_step_begin(show->out, "Episode %zu", u->episode);
        show->episode = u->episode;
    }
    show_target(show, u);
    show_change(show, u);
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
