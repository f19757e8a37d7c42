/* SPDX-License-Identifier: MIT */
/* Logistic and softmax regression as a program: scores of the classes, then probabilities. */
#include "learners/linear/logistic.h"

cairn_status cairn_logistic_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_logistic_model *m = model;
    int32_t first = 0, *in;
    cairn_operation *op;
    CHECK(cairn_class_planes_lower_scores(m, out, &first));
    CHECK(SCRATCH(out->ctx, &in, m->n_vectors + 1));
    for (size_t k = 0; k < m->n_vectors; k++) in[k] = first + (int32_t)k;
    bool two = m->n_vectors == 1 && m->pinned;
    CHECK(cairn_program_add(out, two ? CAIRN_OP_LOGISTIC : CAIRN_OP_SOFTMAX, in, m->n_vectors,
                            job->n_classes, &op));
    if (!two) op->sizes[0] = m->pinned;
    op->fused = !two;
    CHECK(cairn_op_copy_codes(out, op, 0, m->classes, m->n_present));
    out->answer.scores = op->out;
    return CAIRN_OK;
}
