/* SPDX-License-Identifier: MIT */
/* Logistic and softmax regression as a program: scores of the classes, then probabilities. */
#include "learners/linear/logistic.h"

/* Scores, one per vector of weights; *out is the first slot. */
static cairn_status lower_scores(const cairn_logistic_model *m, cairn_program *p, int32_t *out)
{
    size_t n, nv = m->n_vectors;
    double *weights;
    int32_t *in;
    CHECK(cairn_program_terms(p, &in, &n));
    if (n != m->n_terms)
        return cairn_program_refuse(p, "its columns are not those it has weights for");
    CHECK(SCRATCH(p->ctx, &weights, cairn_product(n, nv) + 1));
    for (size_t k = 0; k < nv; k++)
        for (size_t t = 0; t < n; t++) weights[k * n + t] = m->weights[t * nv + k];
    return cairn_lower_affine(p, in, n, nv, m->weights + m->n_terms * nv, weights, NULL, out);
}

cairn_status cairn_logistic_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_logistic_model *m = model;
    int32_t first = 0, *in;
    cairn_operation *op;
    CHECK(lower_scores(m, out, &first));
    CHECK(SCRATCH(out->ctx, &in, m->n_vectors + 1));
    for (size_t k = 0; k < m->n_vectors; k++) in[k] = first + (int32_t)k;
    bool two = m->n_vectors == 1 && m->pinned;
    CHECK(cairn_program_add(out, two ? CAIRN_OP_LOGISTIC : CAIRN_OP_SOFTMAX, in, m->n_vectors,
                            job->n_classes, &op));
    if (!two) op->sizes[0] = m->pinned;
    CHECK(cairn_op_copy_codes(out, op, 0, m->classes, m->n_present));
    out->answer.scores = op->out;
    return CAIRN_OK;
}
