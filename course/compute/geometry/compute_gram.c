/* SPDX-License-Identifier: MIT */
/* cairn compute gram: the kernel of every pair of rows as a matrix, whether it can be a matrix of
 * inner products, and the matrix as a table that kernel methods read again. */
#include "model/calculator.h"
#include "base/number.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/shape.h"
#include "data/view.h"
#include "draw/figure.h"
#include "decompose/linalg.h"
#include "rows/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 12, MOST_VALUES = 20, MOST_NAMED = 100, MOST_HEAT = 40, MOST_EIGEN = 4000 };

typedef struct gram_calculation {
    cairn_kernel_params kernel;
    double tolerance;
} gram_calculation;

static const cairn_param gram_table[] = {
    CAIRN_KERNEL(gram_calculation),
    CAIRN_PARAM(gram_calculation, tolerance, "1e-10", "[0,1)",
                "an eigenvalue below 0 by this share of the largest one counts as rounding"),
    CAIRN_PARAM_END,
};

typedef struct gram {
    size_t n;
    double *values;     /* n x n */
    const char **names; /* of the rows */
} gram;

/* Names of the rows: the columns' of a given matrix, the cells of an id column, or r1, r2 ... */
static cairn_status name_rows(cairn_context *ctx, gram *g, const cairn_table *table)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    const cairn_column *column = id >= 0 ? table->slots[id].column : NULL;
    CHECK(SCRATCH(ctx, &g->names, g->n + 1));
    for (size_t i = 0; i < g->n; i++) {
        char *name;
        if (column && column->kind == CAIRN_LEVEL) {
            g->names[i] = cairn_level_name(column, column->codes[i]);
            continue;
        }
        size_t length =
            column && column->kind == CAIRN_TEXT ? column->starts[i + 1] - column->starts[i] : 0;
        CHECK(SCRATCH(ctx, &name, length + 32));
        if (length)
            memcpy(name, column->bytes + column->starts[i], length);
        else
            snprintf(name, 32, "r%zu", i + 1);
        g->names[i] = name;
    }
    return CAIRN_OK;
}

static cairn_status take_given(cairn_context *ctx, gram *g, const cairn_table *table)
{
    cairn_square_matrix given;
    CHECK(cairn_matrix_of_table(ctx, &given, table, CAIRN_SHAPE_GRAM));
    g->n = given.n;
    g->values = given.values;
    g->names = given.names;
    return CAIRN_OK;
}

/* A table that is a Gram matrix already is taken as it is, and the kernel is then of no use. */
static cairn_status make_gram(cairn_context *ctx, gram *g, cairn_kernel *kernel,
                              const cairn_table *table)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {0};
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    g->n = view.rows.n;
    double size = (double)g->n * (double)g->n;
    CHECK(cairn_memory_check(ctx, 16 * size, "the matrix of all pairs",
                             cairn_say(ctx, "use fewer rows, or raise {memory}")));
    if (table->shape == CAIRN_SHAPE_GRAM) {
        *kernel = (cairn_kernel){0};
        return take_given(ctx, g, table);
    }
    for (size_t j = 0; kernel->function && !kernel->function->of_texts && j < view.n_features; j++)
        if (view.features[j]->kind != CAIRN_NUMBER && view.features[j]->kind != CAIRN_BAG)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' does not hold numbers; {ignore} leaves it out, {target} "
                              "puts it beside the matrix",
                              view.names[j]);
    CHECK(cairn_kernel_rows_open(ctx, &rows, kernel, &view, &(cairn_kernel_options){0}));
    CHECK(SCRATCH_RAW(ctx, &g->values, cairn_product(g->n, g->n)));
    CHECK(cairn_kernel_gram(ctx, kernel, &rows, false, g->values));
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++) {
            double lengths = sqrt(fabs(g->values[i * g->n + i] * g->values[j * g->n + j]));
            double *value = &g->values[i * g->n + j];
            if (i != j) *value = cairn_kernel_left(kernel, *value, lengths);
        }
    for (size_t i = 0; i < g->n; i++) {
        double *value = &g->values[i * g->n + i];
        *value = cairn_kernel_left(kernel, *value, *value);
    }
    return name_rows(ctx, g, table);
}

/* -- showing -- */

/* Entries of a matrix that is too wide to print are still named, while they are few. */
static void show_matrix(cairn_report *out, const gram *g)
{
    if (g->n <= MOST_SHOWN) {
        cairn_report_table_of(out, "Gram matrix", 0, "l", "");
        for (size_t j = 0; j < g->n; j++) cairn_report_column(out, g->names[j], 'r');
        for (size_t i = 0; i < g->n; i++) {
            cairn_report_prefix(out, "gram.row%zu.row", i + 1);
            cairn_report_cells(out, "- @$n", g->names[i],
                               cairn_cell_row(g->values + i * g->n, g->n));
        }
        return;
    }
    for (size_t i = 0; i < g->n && g->n <= MOST_NAMED; i++)
        for (size_t j = 0; j < g->n; j++)
            cairn_report_hidden(out, g->values[i * g->n + j], "gram.row%zu.row%zu", i + 1, j + 1);
    cairn_report_paragraph(out,
                           "The matrix of %zu rows and columns is not printed; {out FILE.csv} "
                           "writes it.",
                           g->n);
}

/* Symmetry is exact here: one entry that differs in its last digit denies it. */
static void show_entries(cairn_report *out, const gram *g)
{
    double low = INFINITY, high = -INFINITY;
    size_t negative = 0;
    bool symmetric = true;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++) {
            double x = g->values[i * g->n + j];
            low = fmin(low, x);
            high = fmax(high, x);
            negative += x < 0;
            symmetric = symmetric && x == g->values[j * g->n + i];
        }
    cairn_report_value(out, "rows", (double)g->n, "rows");
    cairn_report_value(out, "smallest entry", low, "smallest_entry");
    cairn_report_value(out, "largest entry", high, "largest_entry");
    cairn_report_word(out, "symmetric", symmetric ? "yes" : "no", "symmetric");
    cairn_report_word(out, "no entry negative", negative ? "no" : "yes", "nonnegative");
    cairn_report_hidden(out, (double)negative, "negative_entries");
}

/* Mercer's condition for these rows: no eigenvalue below 0. */
static cairn_status show_eigenvalues(cairn_context *ctx, cairn_report *out, const gram *g,
                                     double tolerance)
{
    double *copy, *values;
    size_t n = g->n, negative = 0, rank = 0;
    if (n > MOST_EIGEN || n == 0) {
        cairn_report_note(out,
                          "Eigenvalues of a matrix of more than %d rows are not computed; "
                          "whether it is one of inner products is not known.",
                          MOST_EIGEN);
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW(ctx, &copy, cairn_product(n, n)));
    CHECK(SCRATCH_RAW(ctx, &values, n));
    memcpy(copy, g->values, n * n * sizeof *copy);
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, copy, n));
    double largest = fmax(fabs(values[0]), fabs(values[n - 1]));
    cairn_report_table_of(out, "Eigenvalues", MOST_VALUES, "rr", "number", "eigenvalue");
    for (size_t k = 0; k < n; k++) {
        negative += values[k] < -tolerance * largest;
        rank += fabs(values[k]) > tolerance * largest;
        cairn_report_cellf(out, "%zu", k + 1);
        cairn_report_cell_difference(out, values[k], largest, 0, "eigenvalue%zu", k + 1);
    }
    cairn_report_value(out, "smallest eigenvalue", values[n - 1], "smallest_eigenvalue");
    cairn_report_value(out, "rank", (double)rank, "rank");
    cairn_report_hidden(out, (double)negative, "negative_eigenvalues");
    cairn_report_word(out, "positive semidefinite", negative ? "no" : "yes",
                      "positive_semidefinite");
    if (negative)
        cairn_report_note(out,
                          "%zu eigenvalue%s below 0: for these rows it is no matrix of inner "
                          "products, and methods that count on one may fail or find no best "
                          "answer.",
                          negative, negative == 1 ? " is" : "s are");
    else
        cairn_report_paragraph(out, "Mercer's condition holds for these rows: there is a space in "
                                    "which these are inner products.");
    return CAIRN_OK;
}

/* The first pairs, with their numbers put in. */
static void show_steps(cairn_report *out, const cairn_kernel *kernel, const gram *g)
{
    cairn_report_step_begin(out, "Kernels of all pairs");
    cairn_report_formula(out, "G_ij = k(x_i, x_j)");
    if (kernel->function) cairn_report_formula(out, "%s", kernel->function->formula);
    for (size_t i = 0; i < 2 && i < g->n; i++)
        for (size_t j = 0; j < 3 && j < g->n; j++)
            cairn_report_worked(out, NULL, "G(#, #) = #", (double)(i + 1), (double)(j + 1),
                                g->values[i * g->n + j]);
    cairn_report_step_end(out);
}

static cairn_status draw_heat(cairn_context *ctx, cairn_figure **out, const gram *g)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t n = g->n;
    if (n > MOST_HEAT)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a matrix of %zu rows has too many cells to be drawn; at most %d rows "
                          "are ({where} takes some)",
                          n, MOST_HEAT);
    CHECK(cairn_figure_new(ctx, &figure, "gram", "Gram matrix"));
    cairn_figure_heat(figure, g->values, g->names, n, g->names, n);
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* The matrix with the target and weight beside it, so that a learner can read it back. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const gram *g,
                                const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, g->n));
    CHECK(cairn_table_new(ctx, &made, g->n));
    for (size_t j = 0; j < g->n; j++) {
        for (size_t i = 0; i < g->n; i++) column[i] = g->values[i * g->n + j];
        CHECK(cairn_table_put_numbers(ctx, made, g->names[j], column));
    }
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->role != CAIRN_TARGET && slot->role != CAIRN_WEIGHT) continue;
        CHECK(cairn_table_add_column(ctx, made, slot->name, slot->role,
                                     cairn_column_hold(slot->column)));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status gram_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const gram_calculation *p = job->params;
    cairn_kernel kernel = cairn_kernel_of(&p->kernel, 0);
    gram g = {0};
    CHECK(make_gram(ctx, &g, &kernel, job->table));
    cairn_report_heading(out, 1, "Gram matrix of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_word(out, "kernel", kernel.function ? kernel.function->entry.name : "given",
                      "kernel");
    if (job->steps) show_steps(out, &kernel, &g);
    show_matrix(out, &g);
    show_entries(out, &g);
    CHECK(show_eigenvalues(ctx, out, &g, p->tolerance));
    if (job->result) CHECK(make_result(ctx, job->result, &g, job->table));
    return CAIRN_OK;
}

static cairn_status gram_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const gram_calculation *p = job->params;
    cairn_kernel kernel = cairn_kernel_of(&p->kernel, 0);
    gram g = {0};
    CHECK(make_gram(ctx, &g, &kernel, job->table));
    return draw_heat(ctx, out, &g);
}

static cairn_status gram_check(cairn_context *ctx, const void *values)
{
    return cairn_kernel_check(ctx, &((const gram_calculation *)values)->kernel);
}

const cairn_calculator cairn_compute_gram = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "gram",
              .also = "kernel matrix, Mercer, positive semidefinite, similarity matrix",
              .title = "Gram matrix and Mercer's condition",
              .summary =
                  "The kernel of every pair of rows as a matrix: printed, checked for symmetry and "
                  "negative entries, and for Mercer's condition by its eigenvalues: with one below "
                  "0 it is no matrix of inner products. --out FILE.csv writes it with the target "
                  "beside it, and kernel methods read it --as gram; so does this calculator, "
                  "for kernels that were computed elsewhere.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn compute gram @squares --kernel poly --offset 1 --target t",
              .params = gram_table,
              .params_size = sizeof(gram_calculation),
              .check = gram_check},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "gram",
                .also = "kernel matrix, heat map of a kernel",
                .title = "Gram matrix",
                .summary = "The kernel of every pair of rows as a heat map.",
                .references = "Schölkopf and Smola, Learning with Kernels, 2002",
                .example = "cairn draw gram @squares --target t",
                .params = gram_table,
                .params_size = sizeof(gram_calculation),
                .check = gram_check},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = gram_run,
    .draw = gram_draw,
};
