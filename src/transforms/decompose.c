/* SPDX-License-Identifier: MIT */
/* decompose: number columns are replaced by the row factor of a matrix decomposition.
 *
 * Fitting finds R ~ left diag(weights) right (stats/factors.c) on the training rows and keeps
 * weights and right factor. Applying finds for each row the left factor that explains it best: a
 * projection (svd), non-negative least squares, or the best of the 0/1 choices; training rows are
 * treated like new ones. Weights of rows are not used: the factors are of the rows as they
 * stand. */
#include "data/ledger.h"
#include "transforms/decompose.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "transforms/columns.h"
#include "transforms/computing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const cairn_choice methods[] = {
    {"svd", CAIRN_FACTORS_SVD, "singular vectors: the least error of all"},
    {"nonnegative", CAIRN_FACTORS_NONNEGATIVE, "factors without negative numbers"},
    {"boolean", CAIRN_FACTORS_BOOLEAN, "factors of 0 and 1, with weights"},
    {0},
};

const cairn_param cairn_decompose_param_table[] = {
    CAIRN_PARAM(cairn_decompose_params, parts, "0", "[0,1000]",
                "number of parts (hidden groups); 0 = the rank of the matrix, for svd only"),
    CAIRN_PARAM_CHOICE(cairn_decompose_params, method, "svd", methods, "what the parts are"),
    CAIRN_PARAM_AS(cairn_decompose_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to take; all number features when not given"),
    CAIRN_PARAM(cairn_decompose_params, starts, "5", "[0,10000]",
                "random starts beside the fixed ones", .when = "!method=svd"),
    CAIRN_PARAM(cairn_decompose_params, max_iter, "1000", "[1,inf)", "most rounds of a start",
                .when = "!method=svd"),
    CAIRN_PARAM(cairn_decompose_params, tolerance, "1e-9", "[0,1]",
                "stop when a round lowers the error by less than this share of the sum of squares",
                .when = "!method=svd"),
    CAIRN_PARAM_END,
};

typedef struct decompose_state {
    cairn_map names; /* of the columns */
    int32_t kind;
    size_t g;
    double *weights, *right; /* g, g x names.n */
    double error, total;
    bool converged;
} decompose_state;

/* Which rule a cell broke is read off the cell itself: missing, infinite, or else negative where a
 * method takes counts only. */
static cairn_status refuse_cell(cairn_context *ctx, const char *column, size_t row, double value)
{
    char text[CAIRN_NUMBER_SIZE];
    CHECK(cairn_need_finite(ctx, "decompose", column, row, value));
    cairn_number_format(text, value, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "decompose: column '%s' has %s in row %zu; only svd takes negative numbers, "
                      "so choose {method svd} or leave the column out",
                      column, text, row + 1);
}

cairn_status cairn_decompose_read(cairn_context *ctx, cairn_decompose_matrix *out,
                                  const cairn_view *view, const char *columns, int method)
{
    size_t *chosen;
    cairn_decompose_matrix matrix = {.n = view->rows.n};
    CHECK(cairn_choose_features(ctx, view, "decompose", columns, cairn_fits_number,
                                "a number column", &chosen, &matrix.m));
    if (matrix.m == 0 || matrix.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "decompose: there is no %s; {with indicators} makes numbers of levels",
                          matrix.n ? "number column among the features" : "row");
    CHECK(cairn_memory_check(ctx, 8.0 * 4 * (double)matrix.n * (double)matrix.m,
                             "the factors of the matrix",
                             cairn_say(ctx, "take fewer rows or raise {memory}")));
    CHECK(SCRATCH(ctx, &matrix.names, matrix.m));
    CHECK(SCRATCH_RAW(ctx, &matrix.r, cairn_product(matrix.n, matrix.m)));
    for (size_t j = 0; j < matrix.m; j++) {
        const double *numbers = view->features[chosen[j]]->numbers;
        matrix.names[j] = view->names[chosen[j]];
        for (size_t i = 0; i < matrix.n; i++) {
            size_t row = cairn_view_row(view, i);
            double x = matrix.r[i * matrix.m + j] = numbers[row];
            if (!isfinite(x) || (x < 0 && method != CAIRN_FACTORS_SVD))
                CHECK(refuse_cell(ctx, matrix.names[j], row, x));
        }
    }
    *out = matrix;
    return CAIRN_OK;
}

cairn_status cairn_decompose_find(cairn_context *ctx, cairn_factors *out,
                                  const cairn_decompose_matrix *matrix,
                                  const cairn_decompose_params *p, cairn_certificate *certificate)
{
    size_t least = matrix->n < matrix->m ? matrix->n : matrix->m, g = (size_t)p->parts;
    if (g == 0 && p->method != CAIRN_FACTORS_SVD)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "decompose: say how many parts there are: {parts 3}, or parts=3 in a "
                          "transform");
    if (p->method == CAIRN_FACTORS_SVD && g > least)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "decompose: more parts than %s: %zu asked for, at most %zu are there",
                          least == matrix->m ? "columns" : "rows", g, least);
    cairn_factor_options options = {.kind = (cairn_factor_kind)p->method,
                                    .g = g,
                                    .starts = (size_t)p->starts,
                                    .max_iter = (size_t)p->max_iter,
                                    .tolerance = p->tolerance,
                                    .seed = ctx->seed};
    CHECK(cairn_factors_find(ctx, out, matrix->r, matrix->n, matrix->m, &options));
    CHECK(cairn_factors_prove(ctx, certificate, out, matrix->r));
    return cairn_certificate_judge(ctx, certificate, "decompose");
}

/* Only the column side of the factors is kept: rows, old and new alike, get their factors from it
 * when it is applied. */
static cairn_status decompose_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const cairn_decompose_params *p = job->params;
    decompose_state *s = state;
    cairn_decompose_matrix matrix;
    cairn_certificate certificate = {0};
    cairn_factors f;
    size_t index;
    CHECK(cairn_decompose_read(ctx, &matrix, job->view, p->columns, p->method));
    CHECK(cairn_decompose_find(ctx, &f, &matrix, p, &certificate));
    for (size_t j = 0; j < matrix.m; j++)
        CHECK(cairn_map_add(ctx, &s->names, matrix.names[j], strlen(matrix.names[j]), &index));
    s->kind = (int32_t)f.kind;
    s->g = f.g;
    s->error = f.error;
    s->total = f.total;
    s->converged = f.converged;
    CHECK(NEW(ctx, &s->weights, f.g));
    CHECK(NEW(ctx, &s->right, cairn_product(f.g, f.m)));
    memcpy(s->weights, f.weights, f.g * sizeof *f.weights);
    memcpy(s->right, f.right, f.g * f.m * sizeof *f.right);
    return CAIRN_OK;
}

typedef struct row_work {
    const decompose_state *s;
    const double **from;
    cairn_column **columns;
    double *buffers;
    size_t buffer;
} row_work;

static void factor_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const row_work *work = data;
    size_t m = work->s->names.n, g = work->s->g;
    double *row = work->buffers + (size_t)worker * work->buffer, *out = row + m, *buffer = out + g;
    for (size_t i = begin; i < end; i++) {
        bool missing = false;
        for (size_t j = 0; j < m; j++) {
            row[j] = work->from[j][i];
            missing = missing || !isfinite(row[j]);
        }
        if (!missing)
            cairn_factors_row(out, (cairn_factor_kind)work->s->kind, row, work->s->weights,
                              work->s->right, g, m, buffer);
        for (size_t k = 0; k < g; k++) work->columns[k]->numbers[i] = missing ? NAN : out[k];
    }
}

static cairn_status make_columns(cairn_context *ctx, row_work *work, const cairn_table *table,
                                 uint8_t *used)
{
    const decompose_state *s = work->s;
    work->buffer = s->names.n + 3 * s->g + s->g * s->g;
    CHECK(SCRATCH(ctx, &work->from, s->names.n));
    CHECK(SCRATCH(ctx, &work->buffers, cairn_product((size_t)cairn_workers(ctx), work->buffer)));
    for (size_t j = 0, at = 0; j < s->names.n; j++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, j), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        work->from[j] = table->slots[at].column->numbers;
        used[at] = 1;
    }
    for (size_t k = 0; k < s->g; k++)
        CHECK(cairn_column_new(ctx, &work->columns[k], CAIRN_NUMBER, table->n_rows));
    CHECK(cairn_blocks(ctx, table->n_rows, 64, factor_rows, work));
    for (size_t k = 0; k < s->g; k++) cairn_column_count_missing(work->columns[k]);
    return CAIRN_OK;
}

static cairn_status decompose_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                    const void *params, const cairn_table *table)
{
    (void)params;
    cairn_status status;
    row_work work = {.s = state};
    uint8_t *used;
    TRY(SCRATCH(ctx, &used, table->n_columns));
    TRY(SCRATCH(ctx, &work.columns, work.s->g + 1));
    TRY(make_columns(ctx, &work, table, used));
    TRY(cairn_put_columns(ctx, out, table, used, "f", work.columns, work.s->g));
done:
    for (size_t k = 0; work.columns && k < work.s->g; k++) cairn_column_drop(work.columns[k]);
    return status;
}

/* Singular vectors are a product of matrices; the other factors of a row are searched for. */
static cairn_status decompose_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const decompose_state *s = state;
    size_t m = s->names.n;
    cairn_computing c = cairn_computing_start(out);
    int32_t *in, first;
    double *weights, *zeros;
    (void)job;
    if (s->kind != CAIRN_FACTORS_SVD)
        return cairn_program_refuse(out, "the factors of a new row are searched for");
    CHECK(cairn_program_columns(out, &s->names, &in));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(s->g, m) + 1));
    CHECK(SCRATCH(out->ctx, &zeros, s->g + 1));
    for (size_t j = 0; j < m; j++) {
        cairn_computing_slot(&c, in[j]);
        cairn_computing_do(&c, CAIRN_DO_FINITE, 1);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, &first));
    for (size_t j = 0; j < m; j++) in[j] = first + (int32_t)j;
    for (size_t k = 0; k < s->g; k++)
        for (size_t j = 0; s->weights[k] > 0 && j < m; j++)
            weights[k * m + j] = s->right[k * m + j] / s->weights[k];
    CHECK(cairn_lower_affine(out, in, m, s->g, zeros, weights, NULL, &first));
    cairn_program_put_new(out, first, s->g);
    return CAIRN_OK;
}

/* The weights are the first row of the table, marked by brackets, so that they line up with the
 * parts they belong to; eight parts at most are shown. */
static void decompose_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const decompose_state *s = state;
    enum { MOST = 8 };
    size_t m = s->names.n, g = s->g < MOST ? s->g : MOST;
    cairn_report_formula(out, "R ≈ row factor · diagonal of the weights · column factor");
    cairn_report_value(out, "parts", (double)s->g, "decompose.parts");
    cairn_report_value(out, "share of the sum of squares",
                       s->total > 0 ? 1 - s->error / s->total : NAN, "decompose.explained");
    if (!s->converged) cairn_report_note(out, "The search for factors did not converge.");
    cairn_report_table_of(out, "Column factor, one part per column", 0, "l", "column");
    for (size_t k = 0; k < g; k++) {
        char text[32];
        snprintf(text, sizeof text, "f%zu", k + 1);
        cairn_report_column(out, text, 'r');
    }
    cairn_report_cell(out, "(weight)");
    for (size_t k = 0; k < g; k++)
        cairn_report_cell_number(out, s->weights[k], 0, "decompose.weight%zu", k + 1);
    for (size_t j = 0; j < m; j++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->names, j));
        cairn_report_cell(out, cairn_map_key(&s->names, j));
        for (size_t k = 0; k < g; k++)
            cairn_report_cell_number(out, s->right[k * m + j], 0, "decompose.right.f%zu.%s", k + 1,
                                     key);
    }
    cairn_report_table_end(out);
}

static void write_parts(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const decompose_state *s = state;
    (void)job;
    cairn_directions_write(out, (const char *const[]){"part", "weight"}, &s->names, s->weights,
                           s->right, s->g);
}

static const cairn_learned decompose_tables[] = {
    CAIRN_LEARNED("decompose.components", "part: its weight, and its share of every column",
                  write_parts),
    CAIRN_LEARNED_END};

static const char no_sense[] = "the factors make no sense";

static const cairn_kept decompose_keeps[] = {
    KEEP(decompose_state, names),
    KEEP_CHOICE(decompose_state, kind, CAIRN_FACTORS_SVD, CAIRN_FACTORS_BOOLEAN, no_sense),
    KEEP_SIZE(decompose_state, g, 1 << 20, .name = "parts", .least = 1, .why = no_sense),
    KEEP(decompose_state, error, total, converged),
    KEEP_ARRAYS(decompose_state, "g", weights),
    KEEP_ARRAYS(decompose_state, "g*names", right),
    KEEP_END,
};

const cairn_transform cairn_decompose = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "decompose",
         .also =
             "SVD, singular value decomposition, NMF (method=nonnegative), non-negative matrix "
             "factorisation (method=nonnegative), matrix factorisation, latent semantic analysis, "
             "boolean matrix decomposition (method=boolean), TruncatedSVD, SVD transform",
         .title = "Row factors of a matrix decomposition",
         .summary = "Replaces number columns by the row factors f1, f2 ... of a matrix "
                    "decomposition: how much each row belongs to each hidden group. The parts are "
                    "singular vectors, factors without negative numbers, or factors of 0 and 1. "
                    "Missing cells must be filled before: a fit does so by itself, convert needs "
                    "--with impute.",
         .references =
             "Eckart and Young: The approximation of one matrix by another of lower rank, "
             "Psychometrika 1, 1936; Lee and Seung: Learning the parts of objects by "
             "non-negative matrix factorization, Nature 401, 1999; Miettinen et al.: The "
             "discrete basis problem, IEEE TKDE 20, 2008",
         .example = "cairn fit kmeans @iris --clusters 3 --with "
                    "decompose:parts=2,method=nonnegative",
         .params = cairn_decompose_param_table,
         .params_size = sizeof(cairn_decompose_params)},
    .state_size = sizeof(decompose_state),
    .tables = decompose_tables,
    .sets_scale = true,
    .wants_complete = true,
    .fit = decompose_fit,
    .apply = decompose_apply,
    .lower = decompose_lower,
    .describe = decompose_describe,
    .keeps = decompose_keeps,
};
