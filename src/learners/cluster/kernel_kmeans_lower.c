/* SPDX-License-Identifier: MIT */
/* Kernel k-means as a program: the nearest mean in the space of the kernel. What is compared,
 * k(x,x) - 2/W Σ w k(x,y) + c, is least where 2/W Σ w k(x,y) - c is largest: a kernel score. */
#include "base/memory.h"
#include "learners/cluster/kernel_kmeans.h"
#include "learners/kernel/kernel_method.h"
#include <float.h>

cairn_status cairn_kernel_kmeans_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_kernel_kmeans_model *m = model;
    size_t k = m->n_clusters, n = m->rows.n;
    double *coefficients, *constants;
    int32_t first;
    (void)job;
    if (!m->mean)
        return cairn_program_refuse(out,
                                    "average distances to all rows are computed by Cairn only; %s "
                                    "compares with means",
                                    cairn_say(out->ctx, "{assign mean}"));
    CHECK(SCRATCH(out->ctx, &coefficients, cairn_product(k, n)));
    CHECK(SCRATCH(out->ctx, &constants, k));
    for (size_t c = 0; c < k; c++) constants[c] = m->sizes[c] > 0 ? -m->constants[c] : -DBL_MAX;
    for (size_t i = 0; i < n; i++)
        coefficients[(size_t)m->codes[i] * n + i] = 2 * m->weights[i] / m->sizes[m->codes[i]];
    CHECK(cairn_kernel_lower(out, &m->kernel, &m->rows, coefficients, k, constants, &first));
    return cairn_lower_largest(out, first, k, &out->answer.code);
}
