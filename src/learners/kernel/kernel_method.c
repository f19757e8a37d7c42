/* SPDX-License-Identifier: MIT */
/* What learners share that compare rows by a kernel. */
#include "learners/kernel/kernel_method.h"
#include "rows/matrix.h"

unsigned cairn_kernel_accepts(const cairn_kernel_params *params)
{
    unsigned accepts = CAIRN_KERNEL_ACCEPTS;
    if (params->kernel == CAIRN_KERNEL_GIVEN) accepts &= ~(unsigned)CAIRN_WANTS_SCALING;
    return accepts;
}

void cairn_kernel_show(cairn_report *out, const cairn_kernel *kernel, size_t n_terms)
{
    if (!kernel->function) {
        cairn_report_word(out, "kernel", "given", "kernel");
        return;
    }
    cairn_kernel_kind kind = kernel->function->kind;
    bool dots = kind == CAIRN_KERNEL_POLY || kind == CAIRN_KERNEL_SIGMOID;
    cairn_report_word(out, "kernel", kernel->function->entry.name, "kernel");
    if (kind == CAIRN_KERNEL_RBF) cairn_report_value(out, "gamma", kernel->gamma, "gamma");
    if (kind == CAIRN_KERNEL_LAPLACE) cairn_report_value(out, "sigma", 1 / kernel->gamma, "sigma");
    if (kind == CAIRN_KERNEL_POLY) cairn_report_value(out, "degree", kernel->degree, "degree");
    if (dots) cairn_report_value(out, "factor", kernel->factor, "factor");
    if (dots) cairn_report_value(out, "offset", kernel->offset, "offset");
    cairn_report_formula(out, "%s%s", kernel->function->formula,
                         kernel->manhattan ? ",  ‖x − y‖ the sum of absolute differences" : "");
    if (kernel->usual)
        cairn_report_paragraph(
            out, "No width was given: gamma is 1 over the number of terms, 1/%zu.", n_terms);
}

cairn_status cairn_kernel_rows_check(cairn_archive *archive, const cairn_job *job,
                                     const cairn_kernel *kernel, const cairn_kernel_rows *rows)
{
    bool given = rows->layout == CAIRN_KERNEL_VALUES;
    if (given != (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_GIVEN))
        return cairn_archive_damaged(archive, "kernel and rows do not fit together");
    if (given) return cairn_check_columns(archive, job, rows->n_terms);
    return cairn_terms_check(archive, job->schema, rows->n_terms);
}
