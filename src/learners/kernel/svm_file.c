/* SPDX-License-Identifier: MIT */
/* Support vector machines in the model file: the machines, and the account of them. */
#include "base/memory.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"
#include "rows/matrix.h"

enum { MOST_CLASSES = 1 << 20, MOST_MACHINES = 1 << 28 };

static cairn_status check_code(cairn_archive *a, const cairn_svm_model *m, int32_t code, bool rest)
{
    if (code >= (rest ? -1 : 0) && code < (int32_t)m->n_classes) return CAIRN_OK;
    return cairn_archive_damaged(a, "class %d is not a class", code);
}

/* Which classes the machines tell apart; with one class there is no machine. */
static cairn_status archive_classes(cairn_archive *a, cairn_svm_model *m)
{
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, MOST_CLASSES));
    CHECK(cairn_archive_size(a, "n_present", &m->n_present, m->n_classes));
    CHECK(cairn_archive_size(a, "n_machines", &m->n_machines, MOST_MACHINES));
    CHECK(cairn_archive_ints(a, "classes", &m->classes, m->n_present));
    CHECK(cairn_archive_ints(a, "plus", &m->plus, m->n_classes ? m->n_machines : 0));
    CHECK(cairn_archive_ints(a, "minus", &m->minus, m->n_classes ? m->n_machines : 0));
    for (size_t c = 0; c < m->n_present; c++) CHECK(check_code(a, m, m->classes[c], false));
    for (size_t k = 0; m->n_classes && k < m->n_machines; k++) {
        CHECK(check_code(a, m, m->plus[k], false));
        CHECK(check_code(a, m, m->minus[k], true));
        if ((m->minus[k] < 0) != (m->minus[0] < 0))
            CHECK(cairn_archive_damaged(a, "the machines disagree about what they tell apart"));
    }
    if (m->n_machines == 1 && m->n_present > 1 && m->minus[0] < 0)
        return cairn_archive_damaged(a, "one machine cannot tell %zu classes from the rest",
                                     m->n_present);
    return CAIRN_OK;
}

cairn_status cairn_svm_archive(cairn_archive *a, void *model)
{
    cairn_svm_model *m = model;
    int32_t task = (int32_t)m->task;
    bool linear = m->weights != NULL;
    CHECK(cairn_archive_int(a, "task", &task));
    if (task != CAIRN_CLASSIFY && task != CAIRN_REGRESS)
        CHECK(cairn_archive_damaged(a, "it neither classifies nor predicts numbers"));
    m->task = (cairn_task)task;
    CHECK(archive_classes(a, m));
    CHECK(cairn_archive_size(a, "n_terms", &m->n_terms, UINT32_MAX));
    CHECK(cairn_kernel_archive(a, &m->kernel));
    CHECK(cairn_kernel_rows_archive(a, &m->kernel, &m->vectors));
    CHECK(cairn_archive_reals(a, "betas", &m->betas, cairn_product(m->n_machines, m->vectors.n)));
    CHECK(cairn_archive_reals(a, "constants", &m->constants, m->n_machines));
    CHECK(cairn_archive_bool(a, "linear", &linear));
    if (!linear) return CAIRN_OK;
    return cairn_archive_reals(a, "weights", &m->weights,
                               cairn_product(m->n_terms + 1, m->n_machines));
}

/* Whether the machines fit the task and the target, and the vectors the columns. */
cairn_status cairn_svm_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    bool classes = job->task == CAIRN_CLASSIFY;
    if (m->task != job->task || (classes && m->n_classes != job->n_classes))
        return cairn_archive_damaged(a, "the machines were made for another target");
    if (classes ? m->n_present == 0 || (m->n_present > 1 && !m->n_machines)
                : m->n_machines != 1 || m->n_classes)
        return cairn_archive_damaged(a, "there are %zu machines", m->n_machines);
    if (m->weights) CHECK(cairn_terms_check(a, job->schema, m->n_terms));
    if (m->weights && !m->vectors.n) return CAIRN_OK;
    return m->n_machines ? cairn_kernel_rows_check(a, job, &m->vectors) : CAIRN_OK;
}

void cairn_svm_clear(void *model)
{
    cairn_svm_model *m = model;
    cairn_free(m->classes);
    cairn_free(m->plus);
    cairn_free(m->minus);
    cairn_kernel_rows_clear(&m->vectors);
    cairn_free(m->betas);
    cairn_free(m->constants);
    cairn_free(m->weights);
    *m = (cairn_svm_model){0};
}

/* -- the account -- */

static cairn_status archive_rows(cairn_archive *a, cairn_svm_machine *one)
{
    bool rows = one->rows != NULL;
    CHECK(cairn_archive_bool(a, "has_rows", &rows));
    if (!rows) return CAIRN_OK;
    if (one->n > CAIRN_SVM_SHOWN) CHECK(cairn_archive_damaged(a, "it keeps too many rows"));
    CHECK(cairn_archive_ints(a, "rows", &one->rows, one->n));
    for (size_t i = 0; i < one->n; i++)
        if (one->rows[i] < 0 || one->rows[i] == INT32_MAX)
            CHECK(cairn_archive_damaged(a, "it keeps a row that is none"));
    CHECK(cairn_archive_reals(a, "targets", &one->targets, one->n));
    CHECK(cairn_archive_reals(a, "row_betas", &one->betas, one->n));
    CHECK(cairn_archive_reals(a, "scores", &one->scores, one->n));
    CHECK(cairn_archive_reals(a, "bounds", &one->bounds, one->n));
    CHECK(cairn_archive_size(a, "n_coordinates", &one->n_coordinates, 2));
    if (!one->n_coordinates) return CAIRN_OK;
    return cairn_archive_reals(a, "points", &one->points,
                               cairn_product(one->n, one->n_coordinates));
}

static cairn_status archive_machine(cairn_archive *a, cairn_svm_machine *one)
{
    CHECK(cairn_archive_size(a, "n", &one->n, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_vectors", &one->n_vectors, one->n));
    CHECK(cairn_archive_size(a, "n_bound", &one->n_bound, one->n));
    CHECK(cairn_archive_size(a, "n_free", &one->n_free, 2 * one->n));
    CHECK(cairn_archive_real(a, "value", &one->value));
    CHECK(cairn_archive_real(a, "gap", &one->gap));
    CHECK(cairn_archive_real(a, "top", &one->top));
    CHECK(cairn_archive_real(a, "bottom", &one->bottom));
    CHECK(cairn_archive_real(a, "rho", &one->rho));
    CHECK(cairn_archive_size(a, "steps", &one->steps, SIZE_MAX));
    CHECK(cairn_archive_bool(a, "converged", &one->converged));
    if (cairn_archive_version(a) >= 17)
        CHECK(cairn_archive_bool(a, "indefinite", &one->indefinite));
    return archive_rows(a, one);
}

static cairn_status archive_account(cairn_archive *a, void *data, const void *model)
{
    cairn_svm_account *account = data;
    CHECK(cairn_archive_size(a, "n_told", &account->n_machines,
                             ((const cairn_svm_model *)model)->n_machines));
    if (cairn_archive_reading(a))
        CHECK(NEW(cairn_archive_context(a), &account->machines, account->n_machines));
    for (size_t k = 0; k < account->n_machines; k++)
        CHECK(archive_machine(a, &account->machines[k]));
    return CAIRN_OK;
}

static void clear_account(void *data)
{
    cairn_svm_account *account = data;
    for (size_t k = 0; account->machines && k < account->n_machines; k++) {
        cairn_svm_machine *one = &account->machines[k];
        cairn_free(one->rows);
        cairn_free(one->targets);
        cairn_free(one->betas);
        cairn_free(one->scores);
        cairn_free(one->bounds);
        cairn_free(one->points);
    }
    cairn_free(account->machines);
    *account = (cairn_svm_account){0};
}

const cairn_account cairn_svm_story = {.size = sizeof(cairn_svm_account),
                                       .archive = archive_account,
                                       .clear = clear_account,
                                       .reports = 0};
