/* SPDX-License-Identifier: MIT */
/* k-means as a program: the nearest centre, of a row that is brought to the length 1
 * first in the spherical form. */
#include "learners/cluster/kmeans.h"
#include "transforms/computing.h"

cairn_status cairn_kmeans_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_kmeans_model *m = model;
    const cairn_kmeans_params *params = job->params;
    int32_t *in, first;
    size_t n;
    cairn_operation *op;
    CHECK(cairn_program_features(out, &in, &n));
    if (params->form == CAIRN_KMEANS_SPHERICAL) {
        CHECK(cairn_lower_unit(out, CAIRN_NORM_L2, in, n, &first));
        for (size_t j = 0; j < n; j++) in[j] = first + (int32_t)j;
    }
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)m->n_clusters;
    op->sizes[1] = m->tie == CAIRN_KMEANS_LAST;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->centres, cairn_product(m->n_clusters, n)));
    out->answer.code = op->out;
    return CAIRN_OK;
}
