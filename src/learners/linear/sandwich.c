/* SPDX-License-Identifier: MIT */
/* The covariance from the rows' own slopes. Cost: n p²/2 for the middle matrix, n p² more for
 * leverages. A row of weight w counts as w equal rows; rows of a group add up before they are
 * squared, in the order of the table. */
#include "learners/linear/sandwich.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include <math.h>
#include <string.h>

const cairn_choice cairn_errors_choices[] = {
    {"usual", CAIRN_ERRORS_USUAL, "from the variance that the model assumes"},
    {"hc0", CAIRN_ERRORS_HC0, "from the squared residuals of the rows: any variances"},
    {"hc1", CAIRN_ERRORS_HC1, "the same times n / (n - p)"},
    {"hc2", CAIRN_ERRORS_HC2, "squared residuals over 1 - leverage"},
    {"hc3", CAIRN_ERRORS_HC3, "squared residuals over (1 - leverage)²: for few rows"},
    {"grouped", CAIRN_ERRORS_GROUPED, "rows of one --group may depend on each other"},
    {0},
};

typedef struct leverage_work {
    const cairn_row_slopes *rows;
    double *out;
} leverage_work;

static void leverage_piece(void *data, const cairn_piece *piece, double *sums)
{
    const leverage_work *work = data;
    const cairn_row_slopes *r = work->rows;
    size_t width = r->x->width;
    (void)sums;
    for (size_t i = 0; i < piece->n; i++) {
        const double *z = piece->z + i * width;
        double sum = 0;
        for (size_t j = 0; j < width; j++)
            sum += z[j] * cairn_dot(r->inverse + j * width, z, width);
        work->out[piece->first + i] = r->curves[piece->first + i] * sum;
    }
}

cairn_status cairn_row_leverages(cairn_context *ctx, const cairn_row_slopes *rows, double *out)
{
    leverage_work work = {rows, out};
    cairn_row_sum sum = {.piece = leverage_piece, .data = &work};
    return cairn_matrix_sum(ctx, rows->x, &sum, NULL);
}

typedef struct middle_work {
    const cairn_row_slopes *rows;
    const double *factors; /* n */
} middle_work;

static void middle_piece(void *data, const cairn_piece *piece, double *sums)
{
    const middle_work *work = data;
    size_t width = work->rows->x->width;
    cairn_gram_add(sums, NULL, piece->z, width, NULL, work->factors + piece->first, piece->n,
                   width);
}

/* Σ factor zz', both triangles. */
static cairn_status row_middle(cairn_context *ctx, const cairn_row_slopes *r, cairn_error_kind kind,
                               double *out)
{
    size_t n = r->x->n, width = r->x->width;
    double *factors, *leverages = NULL, more = 1;
    CHECK(SCRATCH_RAW(ctx, &factors, n + 1));
    if (kind == CAIRN_ERRORS_HC2 || kind == CAIRN_ERRORS_HC3) {
        CHECK(SCRATCH_RAW(ctx, &leverages, n + 1));
        CHECK(cairn_row_leverages(ctx, r, leverages));
    }
    if (kind == CAIRN_ERRORS_HC1) more = r->total / (r->total - r->n_weights);
    for (size_t i = 0; i < n; i++) {
        double left = leverages ? fmax(1 - leverages[i], 1e-12) : 1;
        factors[i] = r->weights[i] * r->slopes[i] * r->slopes[i] * more;
        if (kind == CAIRN_ERRORS_HC2) factors[i] /= left;
        if (kind == CAIRN_ERRORS_HC3) factors[i] /= left * left;
    }
    middle_work work = {r, factors};
    cairn_row_sum sum = {.piece = middle_piece, .data = &work, .size = width * width};
    CHECK(cairn_matrix_sum(ctx, r->x, &sum, out));
    for (size_t j = 0; j < width; j++)
        for (size_t k = 0; k < j; k++) out[j * width + k] = out[k * width + j];
    return CAIRN_OK;
}

/* The group of every row, from 0; scratch. */
static cairn_status list_groups(cairn_context *ctx, const cairn_view *view, size_t **out, size_t *n)
{
    ptrdiff_t at = cairn_table_role_column(view->table, CAIRN_GROUP);
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{errors grouped} needs groups: say which column they are in, {group "
                          "COLUMN}");
    const cairn_column *column = view->table->slots[at].column;
    CHECK(SCRATCH(ctx, out, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        bool level = column->kind == CAIRN_LEVEL;
        const void *key = level ? (const void *)&column->codes[row] : &column->numbers[row];
        size_t length = level ? sizeof *column->codes : sizeof *column->numbers;
        if (!level && column->kind != CAIRN_NUMBER && column->kind != CAIRN_TIME)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the group column '%s' holds %s; make levels "
                              "of it with {kinds}",
                              view->table->slots[at].name, cairn_kind_plural(column->kind));
        CHECK(cairn_map_add(ctx, &seen, key, length, &(*out)[i]));
    }
    *n = seen.n;
    if (seen.n >= 2) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the group column '%s' has one group only; grouped standard errors need at "
                      "least two",
                      view->table->slots[at].name);
}

/* Σ over groups of (Σ w s z)(Σ w s z)', times G/(G-1) (n-1)/(n-p). */
static cairn_status group_middle(cairn_context *ctx, const cairn_row_slopes *r, double *out,
                                 size_t *n_groups)
{
    size_t width = r->x->width, *groups;
    double *sums, *z, count;
    CHECK(list_groups(ctx, r->x->view, &groups, n_groups));
    CHECK(SCRATCH(ctx, &sums, cairn_product(*n_groups, width)));
    CHECK(SCRATCH(ctx, &z, width + 1));
    for (size_t i = 0; i < r->x->n; i++) {
        double slope = r->weights[i] * r->slopes[i];
        cairn_matrix_rows(r->x, i, 1, z);
        for (size_t j = 0; j < width; j++) sums[groups[i] * width + j] += slope * z[j];
    }
    count = (double)*n_groups;
    memset(out, 0, width * width * sizeof *out);
    for (size_t g = 0; g < *n_groups; g++)
        for (size_t j = 0; j < width; j++)
            for (size_t k = 0; k < width; k++)
                out[j * width + k] += sums[g * width + j] * sums[g * width + k];
    double more = count / (count - 1) * (r->total - 1) / (r->total - r->n_weights);
    for (size_t j = 0; j < width * width; j++) out[j] *= more;
    return CAIRN_OK;
}

cairn_status cairn_sandwich(cairn_context *ctx, const cairn_row_slopes *r, cairn_error_kind kind,
                            double *out, size_t *n_groups)
{
    SCOPED_SCRATCH(ctx);
    size_t width = r->x->width;
    double *middle, *half;
    *n_groups = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(width, width), &middle, &half));
    if (kind == CAIRN_ERRORS_GROUPED)
        CHECK(group_middle(ctx, r, middle, n_groups));
    else
        CHECK(row_middle(ctx, r, kind, middle));
    for (size_t j = 0; j < width; j++) /* both are symmetric: rows are columns */
        for (size_t k = 0; k < width; k++)
            half[j * width + k] = cairn_dot(r->inverse + j * width, middle + k * width, width);
    for (size_t j = 0; j < width; j++)
        for (size_t k = 0; k < width; k++)
            out[j * width + k] = cairn_dot(half + j * width, r->inverse + k * width, width);
    return CAIRN_OK;
}
