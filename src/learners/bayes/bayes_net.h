/* SPDX-License-Identifier: MIT */
/* Bayesian networks, the inside. The variables are the features in the order of the view and, where
 * there is one, last the target.
 *
 * bayes_net.c counts pairs of columns, finds trees of largest information and improves a graph move
 * by move; bayes_net_answer.c answers for rows with a target or without one, says why, and shows
 * the work. */
#ifndef CAIRN_LEARNERS_BAYES_BAYES_NET_H
#define CAIRN_LEARNERS_BAYES_BAYES_NET_H

#include "model/learner.h"
#include "stats/bayes_network.h"
#include "stats/smoothing.h"

typedef struct cairn_bayes_net_model {
    cairn_network net; /* tables hold what counts became */
    double *counts;    /* as many as the tables have cells: weight of the training rows */
    double *shares;    /* of the values of the last variable, the classes, in the training rows */
    double *logs;      /* ln of the tables; made, not kept in files */
    double rows, log_likelihood;
} cairn_bayes_net_model;

/* Whether the last variable is the target: else the network is of the columns alone. */
static inline bool cairn_net_has_target(const cairn_job *job)
{
    return job->task != CAIRN_CLUSTER;
}

CAIRN_CHECKED cairn_status cairn_net_predict(cairn_context *ctx, cairn_prediction *out,
                                             const void *model, const cairn_job *job);
void cairn_net_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
CAIRN_CHECKED cairn_status cairn_net_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                            const cairn_job *job, cairn_random *random);
extern const cairn_output cairn_net_outputs[];

/* -- bayes_net_answer.c -- */
/* Names of n variables and of their values; scratch. */
CAIRN_CHECKED cairn_status cairn_net_names(cairn_context *ctx, cairn_network_names *out,
                                           int32_t **n_values, const cairn_schema *schema,
                                           size_t n);
/* How counts became the tables. */
void cairn_net_show_counts(cairn_report *out, const cairn_bayes_net_model *m,
                           const cairn_network_names *names, cairn_smoothing smoothing);
void cairn_net_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_export_form cairn_net_forms[];
extern const cairn_model_figure cairn_net_figures[];

extern const cairn_learned cairn_net_tables[];

#endif
