/* SPDX-License-Identifier: MIT */
/* Nearest neighbours as an operation: the training rows are a table. */
#include "base/memory.h"
#include "learners/neighbours/knn.h"
#include <math.h>
#include <string.h>

/* How the runtime measures: see rows_apart in src/export/runtime.h. */
enum { BY_SQUARES, BY_ABSOLUTES, BY_POWERS, BY_LARGEST, BY_CELLS, BY_CANBERRA, BY_GOWER, BY_NONE };

static int32_t distance_of(const cairn_metric *metric)
{
    const char *name = metric->distance->entry.name;
    switch (metric->family) {
    case CAIRN_BY_SQUARES: return metric->kernel.function ? BY_NONE : BY_SQUARES;
    case CAIRN_BY_ABSOLUTES: return BY_ABSOLUTES;
    case CAIRN_BY_POWERS: return BY_POWERS;
    case CAIRN_BY_LARGEST: return BY_LARGEST;
    case CAIRN_BY_PAIRS: break;
    }
    if (strcmp(name, "hamming") == 0 || strcmp(name, "minkowski") == 0) return BY_CELLS;
    if (strcmp(name, "canberra") == 0) return BY_CANBERRA;
    return strcmp(name, "gower") == 0 ? BY_GOWER : BY_NONE;
}

static cairn_status check(const cairn_knn_model *m, const cairn_knn_params *params,
                          cairn_program *p)
{
    if (params->local != CAIRN_KNN_MEAN)
        return cairn_program_refuse(p, "local models are fitted anew for every row");
    if (m->given)
        return cairn_program_refuse(p, "its rows are distances, and there are no columns to read");
    if (m->points.n_texts || m->points.n_items || distance_of(&m->metric) == BY_NONE)
        return cairn_program_refuse(p, "the distance %s is computed by Cairn only", m->metric.spec);
    return CAIRN_OK;
}

/* The features as the distance places them: its matrix first, where it has one. */
static cairn_status lower_places(const cairn_knn_model *m, cairn_program *p, int32_t **in,
                                 size_t *n)
{
    double *zeros;
    int32_t first;
    CHECK(cairn_program_features(p, in, n));
    if (!m->metric.distance->place) return CAIRN_OK;
    CHECK(SCRATCH(p->ctx, &zeros, *n + 1));
    CHECK(cairn_lower_affine(p, *in, *n, *n, zeros, m->metric.factors, NULL, &first));
    for (size_t j = 0; j < *n; j++) (*in)[j] = first + (int32_t)j;
    return CAIRN_OK;
}

static cairn_status lower_rows(const cairn_knn_model *m, cairn_program *p, cairn_operation *op)
{
    CHECK(cairn_op_copy_numbers(p, op, 0, m->points.places, cairn_product(m->n, m->points.width)));
    if (m->targets) CHECK(cairn_op_copy_numbers(p, op, 1, m->targets, m->n));
    if (m->weights) CHECK(cairn_op_copy_numbers(p, op, 2, m->weights, m->n));
    if (m->codes) CHECK(cairn_op_copy_codes(p, op, 0, m->codes, m->n));
    if (distance_of(&m->metric) == BY_GOWER)
        CHECK(cairn_op_copy_numbers(p, op, 4, m->metric.factors, m->metric.n_factors));
    return CAIRN_OK;
}

cairn_status cairn_knn_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_knn_model *m = model;
    const cairn_knn_params *params = job->params;
    size_t n, k = job->task == CAIRN_CLASSIFY ? job->n_classes : 0;
    size_t neighbours = (size_t)params->k < m->n ? (size_t)params->k : m->n;
    double pair[2] = {m->metric.power, params->width};
    int32_t *in;
    cairn_operation *op;
    CHECK(check(m, params, out));
    CHECK(lower_places(m, out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_NEIGHBOURS, in, n, k + 1, &op));
    op->sizes[0] = (int32_t)m->n;
    op->sizes[1] = (int32_t)neighbours;
    op->sizes[2] = (int32_t)k;
    op->sizes[3] = distance_of(&m->metric);
    op->sizes[4] = params->weights;
    op->sizes[5] = params->window;
    op->sizes[6] = params->tie;
    op->sizes[7] = cairn_metric_value(&m->metric, 4) == 2; /* the order is a square */
    cairn_op_work(out, op, 3 * neighbours + 1);
    CHECK(cairn_op_copy_numbers(out, op, 3, pair, 2));
    CHECK(lower_rows(m, out, op));
    if (!k) {
        out->answer.number = op->out;
        return CAIRN_OK;
    }
    out->answer.scores = op->out;
    out->answer.code = op->out + (int32_t)k;
    return CAIRN_OK;
}
