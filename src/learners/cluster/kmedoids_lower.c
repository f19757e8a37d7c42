/* SPDX-License-Identifier: MIT */
/* k-medoids as a program: the nearest of the medoids, which are a table. */
#include "base/memory.h"
#include "learners/cluster/kmedoids.h"
#include "learners/neighbours/exemplars_lower.h"

cairn_status cairn_kmedoids_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_kmedoids_model *m = model;
    int32_t *codes;
    (void)job;
    if (m->rows.given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    CHECK(SCRATCH_RAW(out->ctx, &codes, m->n_clusters));
    for (size_t c = 0; c < m->n_clusters; c++) codes[c] = (int32_t)c;
    return cairn_nearest_lower(&m->rows.metric, &m->rows.points, codes, m->n_clusters, out);
}
