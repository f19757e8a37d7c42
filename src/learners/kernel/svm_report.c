/* SPDX-License-Identifier: MIT */
/* Support vector machines: what the report says of them. */
#include "base/number.h"
#include "learners/kernel/kernel_method.h"
#include "learners/kernel/svm.h"

enum { TABLE_ROWS = 50 };

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "the rest" : cairn_schema_class(job->schema, code);
}

/* Vectors, bounds and the course of every machine. */
static void show_machines(cairn_report *out, const cairn_svm_model *m,
                          const cairn_svm_account *account, const cairn_job *job)
{
    cairn_report_table_of(out, "Machines", TABLE_ROWS, "llrrrrr", "class", "against", "rows",
                          "support vectors", "at the bound", "constant", "steps");
    for (size_t k = 0; k < account->n_machines; k++) {
        const cairn_svm_machine *one = &account->machines[k];
        cairn_report_cell(out, m->n_classes ? class_name(job, m->plus[k]) : "numbers");
        cairn_report_cell(out, m->n_classes ? class_name(job, m->minus[k]) : "");
        cairn_report_cell_number(out, (double)one->n, 0, "machine%zu.rows", k + 1);
        cairn_report_cell_number(out, (double)one->n_vectors, 0, "machine%zu.vectors", k + 1);
        cairn_report_cell_number(out, (double)one->n_bound, 0, "machine%zu.bound", k + 1);
        cairn_report_cell_number(out, m->constants[k], 6, "machine%zu.constant", k + 1);
        cairn_report_cell_number(out, (double)one->steps, 0, "machine%zu.steps", k + 1);
        cairn_report_hidden(out, -one->value, "machine%zu.dual", k + 1);
        cairn_report_hidden(out, one->gap, "machine%zu.gap", k + 1);
    }
    cairn_report_table_end(out);
}

/* Machines that ended before they were good enough. */
static void note_unfinished(cairn_report *out, const cairn_svm_account *account)
{
    size_t n = 0;
    double gap = 0;
    char left[CAIRN_NUMBER_SIZE];
    for (size_t k = 0; k < account->n_machines; k++) {
        if (account->machines[k].converged) continue;
        n++;
        if (account->machines[k].gap > gap) gap = account->machines[k].gap;
    }
    cairn_report_hidden(out, n == 0, "converged");
    if (!n) return;
    cairn_number_format(left, gap, 3);
    cairn_report_note(out,
                      "Not converged: %zu of %zu machines stopped at a violation of up to %s. "
                      "Raise {max-iter}, lower {c} or scale the columns.",
                      n, account->n_machines, left);
}

void cairn_svm_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_svm_model *m = model;
    const cairn_svm_account *account = job->account;
    cairn_report_heading(out, 2, "Support vector machine");
    cairn_kernel_show(out, &m->kernel, m->n_terms);
    cairn_report_value(out, "support vectors", (double)m->vectors.n, "vectors");
    if (m->n_classes && m->n_present == 1)
        cairn_report_note(out, "There is one class only; every row gets it.");
    if (!account) return;
    double dual = 0;
    size_t steps = 0;
    for (size_t k = 0; k < account->n_machines; k++) {
        dual -= account->machines[k].value;
        steps += account->machines[k].steps;
    }
    cairn_report_value(out, "dual objective", dual, "dual");
    cairn_report_value(out, "steps", (double)steps, "steps");
    if (account->n_machines) show_machines(out, m, account, job);
    note_unfinished(out, account);
}
