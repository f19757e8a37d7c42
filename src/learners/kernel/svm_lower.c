/* SPDX-License-Identifier: MIT */
/* Linear support vector machines as a program: one weighted sum for each score. */
#include "base/memory.h"
#include "learners/kernel/svm.h"

/* Weights and constant of the score of class c, or of the number: those of the machine that speaks
 * for it, or with the other sign for the second of two. */
static void copy_score(const cairn_svm_model *m, size_t c, double *weights, double *constant)
{
    size_t count = m->n_machines, k = 0;
    double sign = 1;
    for (size_t i = 0; m->n_classes && i < count; i++) {
        if (m->plus[i] == (int32_t)c) k = i, sign = 1;
        if (m->minus[i] == (int32_t)c) k = i, sign = -1;
    }
    for (size_t t = 0; t < m->n_terms; t++) weights[t] = sign * m->weights[t * count + k];
    *constant = sign * m->weights[m->n_terms * count + k];
}

cairn_status cairn_svm_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_svm_model *m = model;
    size_t n = 0, n_out = m->n_classes ? m->n_classes : 1;
    double *weights, *constants;
    int32_t *in, first;
    (void)job;
    if (!m->weights)
        return cairn_program_refuse(out, "only machines with a linear kernel have a program");
    if (m->n_classes && (m->n_present < m->n_classes || m->n_present == 1))
        return cairn_program_refuse(out, "there is one class only, or some had no training rows");
    if (m->n_machines > 1 && m->minus[0] >= 0)
        return cairn_program_refuse(
            out, "votes of pairs have no program, machines of a class against the rest have");
    CHECK(cairn_program_terms(out, &in, &n));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(n_out, n) + 1));
    CHECK(SCRATCH(out->ctx, &constants, n_out));
    for (size_t c = 0; c < n_out; c++) copy_score(m, c, weights + c * n, &constants[c]);
    CHECK(cairn_lower_affine(out, in, n, n_out, constants, weights, NULL, &first));
    if (m->n_classes)
        out->answer.scores = first;
    else
        out->answer.number = first;
    return CAIRN_OK;
}
