/* SPDX-License-Identifier: MIT */
/* k-means as a program: the nearest centre. */
#include "learners/cluster/kmeans.h"

cairn_status cairn_kmeans_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_kmeans_model *m = model;
    int32_t *in;
    size_t n;
    cairn_operation *op;
    (void)job;
    CHECK(cairn_program_features(out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)m->n_clusters;
    op->sizes[1] = m->tie == CAIRN_KMEANS_LAST;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->centres, cairn_product(m->n_clusters, n)));
    out->answer.code = op->out;
    return CAIRN_OK;
}
