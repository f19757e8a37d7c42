/* SPDX-License-Identifier: MIT */
/* Dense regions as a program: the nearest core point, its cluster, and none beyond eps. */
#include "base/memory.h"
#include "learners/cluster/dbscan.h"
#include "transforms/computing.h"
#include <string.h>

/* IF(the distance is within eps, the cluster, none). */
static cairn_status lower_limit(const cairn_dbscan_model *m, const cairn_dbscan_params *p,
                                cairn_program *out, int32_t cluster, int32_t distance)
{
    bool strict = p->rule == CAIRN_DBSCAN_SEED;
    cairn_computing c = cairn_computing_start(out);
    cairn_computing_slot(&c, distance);
    cairn_computing_number(&c, m->eps * (strict ? 1 - 1e-12 : 1 + 1e-12));
    cairn_computing_do(&c, strict ? CAIRN_DO_LESS : CAIRN_DO_LESS_EQUAL, 2);
    cairn_computing_slot(&c, cluster);
    cairn_computing_number(&c, -1);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, &out->answer.code);
}

/* Only the Euclidean distance of columns as they are has an operation that tells how far the
 * nearest is. */
cairn_status cairn_dbscan_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_dbscan_model *m = model;
    int32_t *in, cluster;
    double *table, none = -1;
    size_t n;
    cairn_operation *op;
    if (m->n_cores == 0) return cairn_lower_constants(out, &none, 1, &out->answer.code);
    if (m->cores.given || strcmp(m->cores.metric.distance->entry.name, "euclidean") != 0)
        return cairn_program_refuse(out, "%s",
                                    cairn_say(out->ctx, "only {distance euclidean} can be written "
                                                        "down with a limit"));
    CHECK(cairn_program_features(out, &in, &n));
    if (m->cores.points.width != n)
        return cairn_program_refuse(out, "bags have no columns of their own");
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)m->n_cores;
    op->sizes[1] = 0;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->cores.points.places, cairn_product(m->n_cores, n)));
    int32_t nearest = op->out;
    CHECK(SCRATCH_RAW(out->ctx, &table, m->n_cores));
    for (size_t i = 0; i < m->n_cores; i++) table[i] = m->clusters[i];
    CHECK(cairn_lower_lookup(out, nearest, m->n_cores, 1, table, &none, &cluster));
    return lower_limit(m, job->params, out, cluster, nearest + 1);
}
