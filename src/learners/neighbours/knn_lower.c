/* SPDX-License-Identifier: MIT */
/* Nearest neighbours as a program: the training rows are exemplars. */
#include "learners/neighbours/exemplars_lower.h"
#include "learners/neighbours/knn.h"

cairn_status cairn_knn_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_knn_model *m = model;
    const cairn_knn_params *params = job->params;
    cairn_exemplars rows = {
        .metric = &m->metric,
        .points = &m->points,
        .neighbours = (size_t)params->k < m->n ? (size_t)params->k : m->n,
        .n_classes = job->task == CAIRN_CLASSIFY ? job->n_classes : 0,
        .codes = m->codes,
        .targets = m->targets,
        .weights = m->weights,
        .weighting = params->weights,
        .window = params->window,
        .tie = params->tie,
        .width = params->width,
    };
    if (params->local != CAIRN_KNN_MEAN)
        return cairn_program_refuse(out, "local models are fitted anew for every row");
    if (m->given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    return cairn_exemplars_lower(&rows, out);
}
