/* SPDX-License-Identifier: MIT */
/* What learners know that compare rows by a kernel, as tables. */
#include "base/memory.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"
#include "learners/linear/coefficients.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether the rows are numbers of terms that have names. */
static bool has_terms(const cairn_kernel_rows *rows)
{
    return rows->layout == CAIRN_KERNEL_DENSE || rows->layout == CAIRN_KERNEL_FLOATS;
}

void cairn_kernel_write(cairn_ledger *out, const cairn_job *job, const cairn_kernel_rows *rows,
                        const double *coefficients, size_t m, const char *const *names,
                        const int32_t *numbers)
{
    const char *const *terms = NULL;
    double *row = NULL;
    size_t n = has_terms(rows) ? rows->n_terms : 0;
    cairn_ledger_columns(out, "nnln", "vector", "row", "score", "coefficient");
    cairn_ledger_failed(out, SCRATCH(out->ctx, &row, rows->n_terms + 1));
    if (n) cairn_ledger_failed(out, cairn_term_names(out->ctx, &terms, job->schema));
    if (out->status) return;
    for (size_t t = 0; t < n; t++) cairn_ledger_column(out, CAIRN_NUMBER, terms[t]);
    for (size_t i = 0; i < rows->n; i++) {
        if (n) cairn_kernel_rows_read(rows, i, row);
        for (size_t k = 0; k < m; k++) {
            double c = coefficients[k * rows->n + i];
            if (c == 0) continue;
            cairn_ledger_cells(out, (double)i + 1, numbers ? (double)numbers[i] + 1 : NAN, names[k],
                               c);
            cairn_ledger_numbers(out, row, n);
        }
    }
}

void cairn_kernel_write_constants(cairn_ledger *out, const double *constants, size_t m,
                                  const char *const *names)
{
    cairn_ledger_columns(out, "ln", "score", "constant");
    for (size_t k = 0; k < m; k++) cairn_ledger_cells(out, names[k], constants[k]);
}

cairn_status cairn_kernel_score_names(cairn_context *ctx, const char ***out, size_t m,
                                      int32_t positive, const cairn_job *job)
{
    CHECK(SCRATCH(ctx, out, m + 1));
    for (size_t k = 0; k < m; k++)
        (*out)[k] = cairn_learned_class(job, m == 1 ? positive : (int32_t)k);
    return CAIRN_OK;
}

/* -- support vector machines -- */

/* What the machines decide: "a", or "a / b" of a pair; scratch. */
static cairn_status machine_names(cairn_context *ctx, const char ***out, const cairn_svm_model *m,
                                  const cairn_job *job)
{
    CHECK(SCRATCH(ctx, out, m->n_machines + 1));
    for (size_t k = 0; m->n_classes && k < m->n_machines; k++) {
        const char *plus = cairn_learned_class(job, m->plus[k]);
        const char *minus = cairn_learned_class(job, m->minus[k]);
        char *name;
        size_t size = (plus ? strlen(plus) : 0) + (minus ? strlen(minus) : 0) + 4;
        CHECK(SCRATCH(ctx, &name, size));
        if (plus) snprintf(name, size, "%s%s%s", plus, minus ? " / " : "", minus ? minus : "");
        if (plus) (*out)[k] = name;
    }
    return CAIRN_OK;
}

static void write_vectors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out, machine_names(out->ctx, &names, m, job));
    if (out->status) return;
    cairn_kernel_write(out, job, &m->vectors, m->betas, m->n_machines, names, NULL);
}

static void write_constants(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out, machine_names(out->ctx, &names, m, job));
    if (out->status) return;
    cairn_kernel_write_constants(out, m->constants, m->n_machines, names);
}

static bool has_weights(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_svm_model *)model)->weights;
}

static void write_weights(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out, machine_names(out->ctx, &names, m, job));
    if (out->status) return;
    cairn_coefficients_begin(out);
    for (size_t k = 0; k < m->n_machines; k++)
        cairn_coefficients_write(out, job,
                                 &(cairn_coefficients){.class = names[k],
                                                       .n_terms = m->n_terms,
                                                       .weights = m->weights + k,
                                                       .stride = m->n_machines,
                                                       .intercept = true});
}

const cairn_learned cairn_svm_tables[] = {
    CAIRN_COEFFICIENTS(write_weights, .has = has_weights),
    CAIRN_LEARNED("support-vectors", "support vector of a machine, as the learner saw it",
                  write_vectors),
    CAIRN_LEARNED("constants", "machine, and what its score begins with", write_constants),
    CAIRN_LEARNED_END};
