/* SPDX-License-Identifier: MIT */
/* What learning values in a world, from a file of episodes and by a model share: the parameters of
 * the rule, and the updates as they are written on a board. */
#ifndef CAIRN_SOLVE_VALUE_STEPS_H
#define CAIRN_SOLVE_VALUE_STEPS_H

#include "entry/entry.h"
#include "report/report.h"
#include "solve/tabular.h"

/* Two groups of parameters: what a value moves towards, and how far. */
typedef struct cairn_value_options {
    int method, show;
    double alpha, gamma;
    bool averages, first_visit;
} cairn_value_options;
extern const cairn_param cairn_value_rule_params[], cairn_value_rate_params[];

/* Who writes the updates down; zeroed but for the names. */
typedef struct cairn_value_show {
    const char **states;        /* names */
    const char *const *actions; /* names */
    bool rated;                 /* the targets are given, not made of rewards */
    cairn_report *out;
    const cairn_tabular *t;
    size_t limit, episode; /* the episode whose step is open; 0 = none */
} cairn_value_show;

void cairn_value_options_apply(cairn_tabular *t, const cairn_value_options *options);
/* The formula of the rule. */
void cairn_value_show_rule(cairn_report *out, const cairn_tabular *t);
/* Watch the updates of the table and write the first of them; out NULL = none. */
void cairn_value_show_steps(cairn_value_show *show, cairn_tabular *t, cairn_report *out,
                            const cairn_value_options *options);
/* After the last update. */
void cairn_value_show_end(cairn_value_show *show);

/* Of more states only those that were visited are listed. */
enum { CAIRN_ALL_STATES = 200 };
double cairn_value_visits(const cairn_tabular *t, size_t state);
/* Values of the states and, where actions have values, the best one of each. A final state was
 * never left and is worth 0. */
void cairn_value_show_states(const cairn_value_show *show, cairn_report *out);
/* The table of Q(s, a), where actions have values; weights, where the values are linear. */
void cairn_value_show_actions(const cairn_value_show *show, cairn_report *out);
void cairn_value_show_weights(cairn_report *out, const cairn_tabular *t, const char *const *names);
/* Fails when weights of a linear function grow beyond all bounds. */
CAIRN_CHECKED cairn_status cairn_value_check(cairn_context *ctx, const cairn_tabular *t,
                                             const char *const *names);

#endif
