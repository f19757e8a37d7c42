/* SPDX-License-Identifier: MIT */
/* cairn compute decompose: a table of numbers (people by films, documents by words) as the product
 * of a row factor, weights and a column factor; or what a given triple of factors multiplies to. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "transforms/decompose.h"
#include "typed/numbers.h"

#include <math.h>
#include <stdio.h>

enum { MOST_COLUMNS = 12 };
typedef enum { WRITE_ROWS, WRITE_COLUMNS, WRITE_PRODUCT } write_choice;

typedef struct decompose_calculation {
    cairn_decompose_params find;
    cairn_list weights, left, right;
    int write; /* write_choice */
} decompose_calculation;

static const cairn_choice writes[] = {
    {"rows", WRITE_ROWS, "the row factor, one row per row of the table"},
    {"columns", WRITE_COLUMNS, "the column factor, one row per part"},
    {"product", WRITE_PRODUCT, "the product of the factors"},
    {0},
};

static const cairn_param decompose_table[] = {
    CAIRN_PARAM_GROUP(decompose_calculation, find, cairn_decompose_param_table),
    CAIRN_PARAM_CELLS(
        decompose_calculation, left, MATRIX, NULL, NULL,
        "a given row factor: rows separated by semicolons, numbers by commas, such as "
        "1,0;0,1;1,1"),
    CAIRN_PARAM_CELLS(decompose_calculation, weights, NUMBERS, NULL, NULL,
                      "given weights of the parts; all 1 if not given"),
    CAIRN_PARAM_CELLS(decompose_calculation, right, MATRIX, NULL, NULL,
                      "a given column factor: a row per part, written like --left"),
    CAIRN_PARAM_CHOICE(decompose_calculation, write, "rows", writes, "what --out FILE.csv holds"),
    CAIRN_PARAM_END,
};

/* A matrix with the names of its columns; NULL names = numbers. */
typedef struct matrix_names {
    const char **columns;
} matrix_names;

static void head(cairn_report *out, const matrix_names *names, size_t j)
{
    char text[32];
    snprintf(text, sizeof text, "column %zu", j + 1);
    cairn_report_column(out, names->columns ? names->columns[j] : text, 'r');
}

static const char *key(cairn_report *out, const matrix_names *names, size_t j, char buffer[32])
{
    snprintf(buffer, 32, "%zu", j + 1);
    return names->columns ? cairn_report_key(out, names->columns[j]) : buffer;
}

static size_t most(size_t n)
{
    return n < MOST_COLUMNS ? n : MOST_COLUMNS;
}

static void show_left(cairn_report *out, const cairn_factors *f)
{
    size_t g = most(f->g);
    cairn_report_table_of(out, "Row factor", 0, "r", "row");
    for (size_t k = 0; k < g; k++) {
        char text[32];
        snprintf(text, sizeof text, "f%zu", k + 1);
        cairn_report_column(out, text, 'r');
    }
    for (size_t i = 0; i < f->n; i++) {
        cairn_report_cells(out, "- decompose.left.row$1.f$n", i + 1,
                           cairn_cell_row(f->left + i * f->g, g));
    }
}

/* The row factor as a soft clustering: shares of the parts in each row. */
static void show_shares(cairn_report *out, const cairn_factors *f)
{
    size_t g = most(f->g);
    for (size_t i = 0; i < f->n * f->g; i++)
        if (f->left[i] < 0) return;
    cairn_report_table_of(out, "Shares of the parts in each row (soft clustering)", 0, "r", "row");
    for (size_t k = 0; k < g; k++) {
        char text[32];
        snprintf(text, sizeof text, "f%zu", k + 1);
        cairn_report_column(out, text, 'r');
    }
    for (size_t i = 0; i < f->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < f->g; k++) sum += f->left[i * f->g + k];
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t k = 0; k < g; k++)
            cairn_report_cell_number(out, sum > 0 ? f->left[i * f->g + k] / sum : NAN, 0,
                                     "decompose.share.row%zu.f%zu", i + 1, k + 1);
    }
}

static void show_right(cairn_report *out, const cairn_factors *f, const matrix_names *names)
{
    size_t m = most(f->m);
    char buffer[32];
    cairn_note_overflow(out, f->g ? f->weights[0] : 0);
    cairn_report_table_of(out, "Weights and column factor", 0, "lr", "part", "weight");
    for (size_t j = 0; j < m; j++) head(out, names, j);
    for (size_t k = 0; k < f->g; k++) {
        cairn_report_cellf(out, "f%zu", k + 1);
        cairn_report_cell_number(out, f->weights[k], 0, "decompose.weight%zu", k + 1);
        for (size_t j = 0; j < m; j++)
            cairn_report_cell_number(out, f->right[k * f->m + j], 0, "decompose.right.f%zu.%s",
                                     k + 1, key(out, names, j, buffer));
    }
}

/* Cells of a product that is shown without being asked for. */
enum { SMALL_MATRIX = 200 };

static void show_product(cairn_report *out, const cairn_factors *f, const matrix_names *names,
                         const double *product)
{
    size_t m = most(f->m);
    char buffer[32];
    cairn_report_table_of(out, "Product of the factors", 0, "r", "row");
    for (size_t j = 0; j < m; j++) head(out, names, j);
    for (size_t i = 0; i < f->n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t j = 0; j < m; j++) {
            double value = product[i * f->m + j];
            if (fabs(value) < 1e-14 * f->singular[0]) value = 0;
            cairn_report_cell_number(out, value, 0, "decompose.product.row%zu.%s", i + 1,
                                     key(out, names, j, buffer));
        }
    }
}

/* How liked each column is. */
static void show_means(cairn_report *out, const cairn_factors *f, const matrix_names *names,
                       const double *matrix)
{
    char buffer[32];
    cairn_report_table_of(out, "Means of the columns (popularity)", 0, "lr", "column", "mean");
    for (size_t j = 0; j < f->m; j++) {
        double sum = 0;
        for (size_t i = 0; i < f->n; i++) sum += matrix[i * f->m + j];
        if (names->columns)
            cairn_report_cell(out, names->columns[j]);
        else
            cairn_report_cellf(out, "column %zu", j + 1);
        cairn_report_cell_number(out, sum / (double)f->n, 0, "decompose.mean.%s",
                                 key(out, names, j, buffer));
    }
}

/* -- given factors -- */

/* Factors of the user's own must agree in the number of parts; weights are 1 where none are
 * given. */
static cairn_status read_given(cairn_context *ctx, cairn_factors *f, const decompose_calculation *p)
{
    if (!p->left.text || !p->right.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "given factors need both {left} and {right} (and {weights})");
    f->n = p->left.rows, f->g = p->left.columns, f->m = p->right.columns;
    if (p->right.rows != f->g)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{left} has %zu columns and {right} has %zu rows: both must be the "
                          "number of parts",
                          f->g, p->right.rows);
    CHECK(cairn_list_or(ctx, &f->left, &p->left, "left", p->left.n, "cells", 0));
    CHECK(cairn_list_or(ctx, &f->right, &p->right, "right", p->right.n, "cells", 0));
    return cairn_list_or(ctx, &f->weights, &p->weights, "weights", f->g, "parts", 1);
}

/* -- the answer for --out -- */

static cairn_status add_column(cairn_context *ctx, cairn_table *out, const char *name,
                               const double *values, size_t stride)
{
    cairn_column *column;
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, out->n_rows));
    for (size_t i = 0; i < out->n_rows; i++) column->numbers[i] = values[i * stride];
    return cairn_table_add_column(ctx, out, name, CAIRN_FEATURE, column);
}

/* Which of the factors, or their product, goes to the file; columns keep the names of the table
 * where these are free. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_factors *f,
                                const matrix_names *names, const double *product, int what)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    char name[48];
    size_t n_columns = what == WRITE_ROWS ? f->g : f->m;
    const double *values = what == WRITE_ROWS      ? f->left
                           : what == WRITE_COLUMNS ? f->right
                                                   : product;
    CHECK(cairn_table_new(ctx, &made, what == WRITE_COLUMNS ? f->g : f->n));
    if (what == WRITE_COLUMNS) CHECK(add_column(ctx, made, "weight", f->weights, 1));
    for (size_t j = 0; j < n_columns; j++) {
        snprintf(name, sizeof name, what == WRITE_ROWS ? "f%zu" : "column%zu", j + 1);
        bool named =
            what != WRITE_ROWS && names->columns && cairn_table_find(made, names->columns[j]) < 0;
        CHECK(add_column(ctx, made, named ? names->columns[j] : name, values + j, n_columns));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* Everything is computed from the factors, given or found, so that both are judged alike. */
static cairn_status show_all(cairn_context *ctx, cairn_report *out, cairn_factors *f,
                             const matrix_names *names, const double *r,
                             const cairn_compute_job *job)
{
    const decompose_calculation *p = job->params;
    double *product;
    CHECK(cairn_factors_judge(ctx, f, &product, r));
    cairn_report_formula(out, "R ≈ row factor · diagonal of the weights · column factor");
    show_left(out, f);
    show_right(out, f, names);
    if (f->m > MOST_COLUMNS || f->g > MOST_COLUMNS)
        cairn_report_paragraph(out,
                               "The first %d columns of each factor are shown; {out FILE.csv} "
                               "{write rows}|columns|product writes all.",
                               MOST_COLUMNS);
    if (job->steps) show_shares(out, f);
    if (job->steps || !r || f->n * f->m <= SMALL_MATRIX) show_product(out, f, names, product);
    if (r) {
        double cells = (double)f->n * (double)f->m, error = f->error;
        if (error < 1e-24 * f->total) error = 0; /* rounding */
        cairn_report_value(out, "sum of squared differences", error, "decompose.error");
        cairn_report_value(out, "root mean squared difference", sqrt(error / cells),
                           "decompose.rms");
        cairn_report_value(out, "share of the sum of squares",
                           f->total > 0 ? 1 - error / f->total : NAN, "decompose.explained");
    }
    if (f->kind != CAIRN_FACTORS_SVD) {
        cairn_report_value(out, "starts", (double)f->n_starts, "decompose.starts");
        cairn_report_value(out, "best start", (double)f->best_start, "decompose.start");
        cairn_report_value(out, "rounds of the best start", (double)f->iterations,
                           "decompose.iterations");
        cairn_report_word(out, "converged", f->converged ? "yes" : "no", "decompose.converged");
        if (!f->converged)
            cairn_report_note(out, "The search stopped after {max-iter} rounds; more may find less "
                                   "error.");
    }
    size_t n = f->n < f->m ? f->n : f->m;
    cairn_report_table_of(out, "Singular values of the matrix", 0, "rr", "number",
                          "singular value");
    for (size_t k = 0; k < n; k++) {
        double value = k < f->rank ? f->singular[k] : 0;
        cairn_report_cells(out, "- decompose.singular$1", k + 1, value);
    }
    cairn_report_value(out, "rank", (double)f->rank, "decompose.rank");
    show_means(out, f, names, r ? r : product);
    if (job->result) CHECK(make_result(ctx, job->result, f, names, product, p->write));
    return CAIRN_OK;
}

/* Factors are either given or found; a table beside given ones is what their product is compared
 * with. */
static cairn_status decompose_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const decompose_calculation *p = job->params;
    cairn_certificate certificate = {0};
    cairn_factors f = {0};
    cairn_decompose_matrix matrix = {0};
    matrix_names names = {NULL};
    bool given = p->left.text || p->right.text;
    if (!job->table && !given)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute decompose' needs DATA, or factors by {left} and {right}");
    if (job->table) {
        cairn_view view;
        CHECK(cairn_view_make(ctx, &view, job->table, cairn_all_rows(job->table)));
        CHECK(
            cairn_decompose_read(ctx, &matrix, &view, p->find.columns, given ? 0 : p->find.method));
        names.columns = matrix.names;
    }
    if (given) {
        CHECK(read_given(ctx, &f, p));
        if (job->table) {
            if (&f.n != &matrix.n || &f.m != &matrix.m) {
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "the factors multiply to %zu rows and %zu columns, but the table has %zu and "
                    "%zu",
                    f.n, f.m, matrix.n, matrix.m);
            }
        }
        cairn_report_heading(out, 1, "Product of given factors");
    } else {
        CHECK(cairn_decompose_find(ctx, &f, &matrix, &p->find, &certificate));
        cairn_report_heading(out, 1, "Factors of %s",
                             job->table->source ? job->table->source : "the table");
    }
    CHECK(show_all(ctx, out, &f, &names, matrix.r, job));
    cairn_certificate_report(out, &certificate);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_decompose = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "decompose",
              .also = "SVD (method=svd), singular value decomposition (method=svd), NMF "
                      "(method=nonnegative), matrix factorisation",
              .title = "Factors of a matrix",
              .summary =
                  "Writes a table of numbers as a product of three: rows by parts, the weights of "
                  "the parts, parts by columns. Parts are singular vectors (svd), have no negative "
                  "numbers (nonnegative), or only 0 and 1 (boolean): then they read as hidden "
                  "groups, such as the genres behind ratings of films, and the row factor as a "
                  "soft clustering. Shown are the factors, the error, rank, singular values and "
                  "column means. Factors that are given (--left, --weights, --right) are "
                  "multiplied, and compared with DATA if there is any.",
              .references =
                  "Eckart and Young: The approximation of one matrix by another of lower rank, "
                  "Psychometrika 1, 1936; Lee and Seung: Learning the parts of objects by "
                  "non-negative matrix factorization, Nature 401, 1999; Miettinen et al.: The "
                  "discrete basis problem, IEEE TKDE 20, 2008",
              .example = "cairn compute decompose --left '1,0;0,1;1,1' --weights 1,2 "
                         "--right '1,0,1;0,1,1'",
              .params = decompose_table,
              .params_size = sizeof(decompose_calculation)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = decompose_run,
};
