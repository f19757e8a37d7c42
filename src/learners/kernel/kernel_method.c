/* SPDX-License-Identifier: MIT */
/* What learners share that compare rows by a kernel. */
#include "learners/kernel/kernel_method.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* -- one score, term by term -- */

enum { SHOWN_TERMS = 20, SHOWN_MATRIX = 12 };

/* Kernels of one row of the view with all rows of the model; scratch. */
static cairn_status kernels_of_row(cairn_context *ctx, double **out, const cairn_kernel *kernel,
                                   const cairn_kernel_rows *rows, const cairn_view *view,
                                   size_t row)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows one = {0};
    uint32_t at = (uint32_t)cairn_view_row(view, row);
    cairn_view part = *view;
    cairn_kernel copy = *kernel;
    float *floats = NULL;
    part.rows = (cairn_rows){.indices = &at, .n = 1};
    CHECK(SCRATCH_RAW(ctx, out, rows->n));
    CHECK(cairn_kernel_rows_open(ctx, &one, &copy, &part, &(cairn_kernel_options){.like = rows}));
    if (rows->layout != CAIRN_KERNEL_FLOATS)
        return cairn_kernel_block(ctx, kernel, &one, NULL, 1, rows, 0, rows->n, *out, rows->n);
    CHECK(SCRATCH_RAW(ctx, &floats, rows->n));
    CHECK(cairn_kernel_block_floats(ctx, kernel, &one, NULL, 1, rows, 0, rows->n, floats, rows->n));
    for (size_t i = 0; i < rows->n; i++) (*out)[i] = (double)floats[i];
    return CAIRN_OK;
}

/* The largest terms, in the order of the rows: those not smaller than the SHOWN_TERMS-th. */
static double least_shown(const double *values, const double *coefficients, size_t n,
                          double *buffer)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double size = fabs(coefficients[i] * values[i]);
        if (kept == SHOWN_TERMS && !(size > buffer[kept - 1])) continue;
        size_t at = kept < SHOWN_TERMS ? kept++ : kept - 1;
        for (; at > 0 && buffer[at - 1] < size; at--) buffer[at] = buffer[at - 1];
        buffer[at] = size;
    }
    return kept ? buffer[kept - 1] : 0;
}

void cairn_kernel_explain_score(cairn_report *out, const cairn_kernel *kernel,
                                const cairn_kernel_rows *rows, const double *coefficients,
                                double constant, const uint32_t *numbers, const cairn_job *job,
                                size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    double *values, buffer[SHOWN_TERMS], sum = constant;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = kernels_of_row(ctx, &values, kernel, rows, job->view, row);
    cairn_report_failed(out, status);
    if (status) return;
    double least = least_shown(values, coefficients, rows->n, buffer);
    cairn_report_formula(out, "score = constant + Σ cᵢ k(xᵢ, x)");
    cairn_report_table_of(out, rows->n > SHOWN_TERMS ? "Largest terms" : "Terms", 0, "rrrr",
                          "training row", "c", "k(xᵢ, x)", "c · k");
    size_t shown = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double term = coefficients[i] * values[i];
        size_t number = numbers ? numbers[i] : i;
        sum += term;
        if (fabs(term) < least || shown == SHOWN_TERMS) continue;
        shown++;
        cairn_report_cells(out, "- row$1.coefficient row$1.kernel row$1.term", number + 1,
                           coefficients[i], values[i], term);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "constant", constant, "constant");
    cairn_report_value(out, "score", sum, "score");
}

void cairn_kernel_explain(cairn_report *out, const cairn_kernel *kernel,
                          const cairn_kernel_rows *rows, const double *coefficients, size_t m,
                          const double *constants, const uint32_t *numbers, const cairn_job *job,
                          size_t row)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    for (size_t s = 0; s < m; s++) {
        if (m > 1 && target >= 0)
            cairn_report_heading(out, 3, "Class %s",
                                 cairn_map_key(&job->schema->fields[target].names, s));
        cairn_kernel_explain_score(out, kernel, rows, coefficients + s * rows->n, constants[s],
                                   numbers, job, row);
    }
}

/* -- what is shown -- */

void cairn_kernel_show_gram(cairn_report *out, const cairn_kernel *kernel, const double *gram,
                            size_t n, bool constant)
{
    if (!out || n > SHOWN_MATRIX) return;
    cairn_report_step_begin(out, "Kernels of all pairs of rows");
    if (kernel->function)
        cairn_report_formula(out, "%s%s", kernel->function->formula,
                             constant ? ", and 1 for the constant" : "");
    cairn_report_table_of(out, "Gram matrix K", 0, "l", "");
    for (size_t j = 0; j < n; j++) {
        char head[32];
        snprintf(head, sizeof head, "%zu", j + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, gram[i * n + j], 0, "gram.row%zu.row%zu", i + 1, j + 1);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

cairn_status cairn_kernel_primal(cairn_context *ctx, double **out, const cairn_kernel_rows *rows,
                                 const double *coefficients)
{
    double *row;
    CHECK(SCRATCH(ctx, out, rows->n_terms + 1));
    CHECK(SCRATCH_RAW(ctx, &row, rows->n_terms + 1));
    for (size_t i = 0; i < rows->n; i++) {
        cairn_kernel_rows_read(rows, i, row);
        cairn_axpy(*out, coefficients[i], row, rows->n_terms);
    }
    return CAIRN_OK;
}

/* -- as operations -- */

/* How the runtime compares: see kernels_value in src/export/runtime.h. */
static cairn_status kind_of(cairn_program *p, const cairn_kernel *kernel, int32_t *out)
{
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_LINEAR: *out = 0; return CAIRN_OK;
    case CAIRN_KERNEL_POLY: *out = 1; return CAIRN_OK;
    case CAIRN_KERNEL_RBF: *out = 2; return CAIRN_OK;
    case CAIRN_KERNEL_LAPLACE: *out = 3; return CAIRN_OK;
    case CAIRN_KERNEL_SIGMOID: *out = 4; return CAIRN_OK;
    case CAIRN_KERNEL_GIVEN:
        return cairn_program_refuse(p, "its kernel values are given, and there are no columns to "
                                       "read");
    default:
        return cairn_program_refuse(p, "the kernel %s of texts is computed by Cairn only",
                                    kernel->function->entry.name);
    }
}

cairn_status cairn_kernel_lower(cairn_program *p, const cairn_kernel *kernel,
                                const cairn_kernel_rows *rows, const double *coefficients, size_t m,
                                const double *constants, int32_t *out)
{
    double *places, *all, numbers[3] = {kernel->gamma, kernel->factor, kernel->offset};
    int32_t kind = 0, *in;
    size_t n;
    cairn_operation *op;
    CHECK(kind_of(p, kernel, &kind));
    CHECK(cairn_program_terms(p, &in, &n));
    if (n != rows->n_terms)
        return cairn_program_refuse(p, "its rows have %zu terms, the table %zu", rows->n_terms, n);
    CHECK(SCRATCH_RAW(p->ctx, &places, cairn_product(rows->n, n) + 1));
    CHECK(SCRATCH(p->ctx, &all, m + 1));
    for (size_t i = 0; i < rows->n; i++) cairn_kernel_rows_read(rows, i, places + i * n);
    if (constants) memcpy(all, constants, m * sizeof *all);
    CHECK(cairn_program_add(p, CAIRN_OP_KERNELS, in, n, m, &op));
    op->sizes[0] = (int32_t)rows->n;
    op->sizes[1] = kind;
    op->sizes[2] = kernel->degree;
    op->sizes[3] = kernel->manhattan;
    CHECK(cairn_op_copy_numbers(p, op, 0, places, rows->n * n));
    CHECK(cairn_op_copy_numbers(p, op, 1, coefficients, cairn_product(m, rows->n)));
    CHECK(cairn_op_copy_numbers(p, op, 2, all, m));
    CHECK(cairn_op_copy_numbers(p, op, 3, numbers, 3));
    p->rounding = rows->layout == CAIRN_KERNEL_FLOATS ? 1e-3 : 1e-6; /* terms may cancel */
    *out = op->out;
    return CAIRN_OK;
}

cairn_status cairn_kernel_lower_classes(cairn_program *p, int32_t first, size_t m, int32_t positive)
{
    double weights[2] = {positive == 0 ? 1 : -1, positive == 0 ? -1 : 1}, zeros[2] = {0};
    if (m == 1) CHECK(cairn_lower_affine(p, &first, 1, 2, zeros, weights, NULL, &first));
    p->answer.scores = first;
    return CAIRN_OK;
}

cairn_status cairn_kernel_rows_check(cairn_archive *archive, const cairn_job *job,
                                     const cairn_kernel_rows *rows)
{
    if (rows->layout == CAIRN_KERNEL_VALUES || rows->layout == CAIRN_KERNEL_LETTERS)
        return cairn_check_columns(archive, job, rows->n_terms);
    return cairn_terms_check(archive, job->schema, rows->n_terms);
}
