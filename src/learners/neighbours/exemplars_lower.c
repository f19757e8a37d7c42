/* SPDX-License-Identifier: MIT */
/* Exemplars as an operation: see exemplars_lower.h. */
#include "learners/neighbours/exemplars_lower.h"

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

/* The features as the distance places them: its matrix first, where it has one. */
static cairn_status lower_places(const cairn_metric *metric, cairn_program *p, int32_t **in,
                                 size_t *n)
{
    double *zeros;
    int32_t first;
    CHECK(cairn_program_features(p, in, n));
    if (!metric->distance->place) return CAIRN_OK;
    CHECK(SCRATCH(p->ctx, &zeros, *n + 1));
    CHECK(cairn_lower_affine(p, *in, *n, *n, zeros, metric->factors, NULL, &first));
    for (size_t j = 0; j < *n; j++) (*in)[j] = first + (int32_t)j;
    return CAIRN_OK;
}

static cairn_status lower_rows(const cairn_exemplars *e, cairn_program *p, cairn_operation *op)
{
    size_t n = e->points->n;
    CHECK(cairn_op_copy_numbers(p, op, 0, e->points->places, cairn_product(n, e->points->width)));
    if (e->targets) CHECK(cairn_op_copy_numbers(p, op, 1, e->targets, n));
    if (e->weights) CHECK(cairn_op_copy_numbers(p, op, 2, e->weights, n));
    if (e->codes) CHECK(cairn_op_copy_codes(p, op, 0, e->codes, n));
    if (distance_of(e->metric) == BY_GOWER)
        CHECK(cairn_op_copy_numbers(p, op, 4, e->metric->factors, e->metric->n_factors));
    return CAIRN_OK;
}

cairn_status cairn_exemplars_lower(const cairn_exemplars *e, cairn_program *out)
{
    size_t n, k = e->n_classes;
    double pair[2] = {e->metric->power, e->width};
    int32_t *in;
    cairn_operation *op;
    if (e->points->n_texts || e->points->n_items || distance_of(e->metric) == BY_NONE)
        return cairn_program_refuse(out, "the distance %s is computed by Cairn only",
                                    e->metric->spec);
    CHECK(lower_places(e->metric, out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_NEIGHBOURS, in, n, k + 1, &op));
    op->sizes[0] = (int32_t)e->points->n;
    op->sizes[1] = (int32_t)e->neighbours;
    op->sizes[2] = (int32_t)k;
    op->sizes[3] = distance_of(e->metric);
    op->sizes[4] = e->weighting;
    op->sizes[5] = e->window;
    op->sizes[6] = e->tie;
    op->sizes[7] = cairn_metric_value(e->metric, 4) == 2; /* the order is a square */
    cairn_op_work(out, op, 3 * e->neighbours + 1);
    CHECK(cairn_op_copy_numbers(out, op, 3, pair, 2));
    CHECK(lower_rows(e, out, op));
    if (!k) {
        out->answer.number = op->out;
        return CAIRN_OK;
    }
    out->answer.scores = op->out;
    out->answer.code = op->out + (int32_t)k;
    return CAIRN_OK;
}

cairn_status cairn_nearest_lower(const cairn_metric *metric, const cairn_points *points,
                                 const int32_t *codes, size_t n_classes, cairn_program *out)
{
    cairn_exemplars rows = {
        .metric = metric,
        .points = points,
        .neighbours = 1,
        .n_classes = n_classes,
        .codes = codes,
        .weighting = CAIRN_KNN_EQUAL,
        .tie = CAIRN_KNN_FIRST,
        .width = NAN,
    };
    CHECK(cairn_exemplars_lower(&rows, out));
    out->answer.scores = -1;
    return CAIRN_OK;
}
