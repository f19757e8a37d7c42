/* SPDX-License-Identifier: MIT */
/* What learners share that compare rows by a kernel. */
#include "learners/kernel/kernel_method.h"
#include "rows/matrix.h"

unsigned cairn_kernel_accepts(const cairn_kernel_params *params)
{
    unsigned accepts = CAIRN_KERNEL_ACCEPTS;
    switch (params->kernel) {
    case CAIRN_KERNEL_GIVEN: return accepts & ~(unsigned)CAIRN_WANTS_SCALING;
    case CAIRN_KERNEL_SPECTRUM:
    case CAIRN_KERNEL_SUBSEQUENCE:
    case CAIRN_KERNEL_EDIT:
        return CAIRN_ACCEPTS_TEXTS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_SEQUENCES |
               CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_WEIGHTS;
    default: return accepts;
    }
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
    if (kind == CAIRN_KERNEL_RBF || kind == CAIRN_KERNEL_EDIT)
        cairn_report_value(out, "gamma", kernel->gamma, "gamma");
    if (kind == CAIRN_KERNEL_LAPLACE) cairn_report_value(out, "sigma", 1 / kernel->gamma, "sigma");
    if (kind == CAIRN_KERNEL_POLY) cairn_report_value(out, "degree", kernel->degree, "degree");
    if (kind == CAIRN_KERNEL_SPECTRUM || kind == CAIRN_KERNEL_SUBSEQUENCE)
        cairn_report_value(out, "letters", kernel->length, "length");
    if (kind == CAIRN_KERNEL_SUBSEQUENCE) cairn_report_value(out, "decay", kernel->decay, "decay");
    if (dots) cairn_report_value(out, "factor", kernel->factor, "factor");
    if (dots) cairn_report_value(out, "offset", kernel->offset, "offset");
    cairn_report_formula(out, "%s%s", kernel->function->formula,
                         kernel->manhattan ? ",  ‖x − y‖ the sum of absolute differences" : "");
    if (kernel->usual)
        cairn_report_paragraph(
            out, "No width was given: gamma is 1 over the number of terms, 1/%zu.", n_terms);
}

cairn_status cairn_kernel_rows_check(cairn_archive *archive, const cairn_job *job,
                                     const cairn_kernel_rows *rows)
{
    if (rows->layout == CAIRN_KERNEL_VALUES || rows->layout == CAIRN_KERNEL_LETTERS)
        return cairn_check_columns(archive, job, rows->n_terms);
    return cairn_terms_check(archive, job->schema, rows->n_terms);
}
