/* SPDX-License-Identifier: MIT */
/* Support vector machines as a program: the scores of the machines, then what they say together. */
#include "base/memory.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"
#include <math.h>

/* Weights of the linear kernel lie term by term. */
static cairn_status lower_linear(const cairn_svm_model *m, cairn_program *p, int32_t *out)
{
    size_t n, k = m->n_machines;
    double *weights;
    int32_t *in;
    CHECK(cairn_program_terms(p, &in, &n));
    if (n != m->n_terms)
        return cairn_program_refuse(p, "its columns are not those it has weights for");
    CHECK(SCRATCH(p->ctx, &weights, cairn_product(n, k) + 1));
    for (size_t s = 0; s < k; s++)
        for (size_t t = 0; t < n; t++) weights[s * n + t] = m->weights[t * k + s];
    return cairn_lower_affine(p, in, n, k, m->weights + n * k, weights, NULL, out);
}

static cairn_status lower_votes(const cairn_svm_model *m, cairn_program *p, const int32_t *in)
{
    cairn_operation *op;
    int32_t *present;
    CHECK(cairn_program_add(p, CAIRN_OP_VOTES, in, m->n_machines, m->n_classes, &op));
    cairn_op_work(p, op, m->n_classes);
    CHECK(cairn_op_copy_codes(p, op, 0, m->plus, m->n_machines));
    CHECK(cairn_op_copy_codes(p, op, 1, m->minus, m->n_machines));
    CHECK(cairn_op_codes(p, op, 2, m->n_classes, &present));
    for (size_t c = 0; c < m->n_present; c++) present[m->classes[c]] = 1;
    p->answer.scores = op->out;
    return CAIRN_OK;
}

/* One machine for every class: each has its own score. */
static cairn_status lower_rest(const cairn_svm_model *m, cairn_program *p, const int32_t *in)
{
    double *places, *zeros;
    size_t k = m->n_machines;
    CHECK(SCRATCH(p->ctx, &places, cairn_product(m->n_classes, k) + 1));
    CHECK(SCRATCH(p->ctx, &zeros, m->n_classes + 1));
    for (size_t s = 0; s < k; s++) places[(size_t)m->plus[s] * k + s] = 1;
    return cairn_lower_affine(p, in, k, m->n_classes, zeros, places, NULL, &p->answer.scores);
}

cairn_status cairn_svm_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_svm_model *m = model;
    int32_t first = 0, *in;
    (void)job;
    if (m->task == CAIRN_CLASSIFY && (m->n_present < 2 || (m->n_machines == 1 && m->n_classes > 2)))
        return cairn_program_refuse(out, "some class had no training row");
    if (m->weights)
        CHECK(lower_linear(m, out, &first));
    else
        CHECK(cairn_kernel_lower(out, &m->kernel, &m->vectors, m->betas, m->n_machines,
                                 m->constants, &first));
    if (m->task == CAIRN_REGRESS) {
        out->answer.number = first;
        return CAIRN_OK;
    }
    if (m->n_machines == 1) return cairn_kernel_lower_classes(out, first, 1, m->plus[0]);
    CHECK(SCRATCH(out->ctx, &in, m->n_machines));
    for (size_t k = 0; k < m->n_machines; k++) in[k] = first + (int32_t)k;
    if (m->minus[0] >= 0) return lower_votes(m, out, in);
    if (m->n_present != m->n_classes)
        return cairn_program_refuse(out, "some class had no training row");
    return lower_rest(m, out, in);
}
