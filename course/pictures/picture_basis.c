/* SPDX-License-Identifier: MIT */
/* cairn draw basis: the functions that a transform makes of one number column. The transform is
 * fitted to the column of a table (centres and widths may come from it), or to an even grid between
 * two ends, and applied to a fine grid. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "data/column.h"
#include "model/chain.h"

#include <math.h>

typedef struct basis_params {
    const char *column, *with;
    const cairn_params *transform; /* what `with` stands for */
    double low, high;              /* NaN = not given */
    int most;
} basis_params;

static const cairn_param basis_table[] = {
    CAIRN_PARAM_AS(basis_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the number column of DATA; the first one if not given"),
    CAIRN_PARAM_OBJECT(
        basis_params, with, transform, CAIRN_ENTRY_TRANSFORM, "basis:powers,degree=4",
        "the transform whose functions are drawn, such as basis:rbf,count=5", .names = "transform"),
    CAIRN_PARAM(basis_params, low, CAIRN_NOT_GIVEN, NULL,
                "left end; the least value of the column, or -1"),
    CAIRN_PARAM(basis_params, high, CAIRN_NOT_GIVEN, NULL,
                "right end; the largest value of the column, or 1"),
    CAIRN_PARAM(basis_params, most, "12", "[1,100]", "functions that are drawn at most"),
    CAIRN_PARAM_END,
};

enum { FIT_POINTS = 101, GRID_POINTS = 401 };

/* A table of one feature: n even steps between two ends. */
static cairn_status grid(cairn_context *ctx, cairn_table **out, const char *name, double low,
                         double high, size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *x;
    CHECK(SCRATCH_RAW(ctx, &x, n));
    for (size_t i = 0; i < n; i++) x[i] = low + (high - low) * (double)i / (double)(n - 1);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(cairn_table_put_numbers(ctx, table, name, x));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The column of the table alone, as the feature that the transform is fitted to. */
static cairn_status column_table(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                 size_t at, double *low, double *high)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const double *x = table->slots[at].column->numbers;
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (isnan(x[i])) continue;
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
    if (!(*low < *high))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' has fewer than two different values; give {low} and {high} "
                          "without DATA",
                          table->slots[at].name);
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    CHECK(cairn_table_add_column(ctx, made, table->slots[at].name, CAIRN_FEATURE,
                                 cairn_column_hold(table->slots[at].column)));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status add_lines(cairn_context *ctx, cairn_figure *figure, const cairn_table *fine,
                              const cairn_table *made, size_t most)
{
    size_t n = 0;
    const double *x = fine->slots[0].column->numbers;
    for (size_t c = 0; c < made->n_columns && n < most; c++) {
        const double *y = made->slots[c].column->numbers;
        if (!y || made->slots[c].column->kind != CAIRN_NUMBER) continue;
        cairn_figure_line(figure, made->slots[c].name, x, y, made->n_rows);
        n++;
    }
    if (n == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{with} makes no number column of '%s', so there is no function to draw; "
                          "use basis, kernel-map, scale or formula",
                          fine->slots[0].name);
    return CAIRN_OK;
}

/* The transform is fitted to the data, but drawn over a fine grid: the functions between the rows
 * are what the picture is about. */
static cairn_status basis_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const basis_params *p = job->params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    OWNED(cairn_table_free) cairn_table *fine = NULL;
    OWNED(cairn_table_free) cairn_table *fit = NULL;
    OWNED(cairn_model_free) cairn_model *recipe = NULL;
    double low, high;
    options.transforms = p->transform;
    /* What the transform is fitted to, and the ends of the picture. */
    size_t at;
    low = isnan(p->low) ? -1 : p->low;
    high = isnan(p->high) ? 1 : p->high;
    if (job->table) {
        CHECK(cairn_picture_numbers(ctx, &at, job->table, "column", p->column, 0));
        CHECK(column_table(ctx, &fit, job->table, at, &low, &high));
        if (!isnan(p->low)) low = p->low;
        if (!isnan(p->high)) high = p->high;
    }
    if (!(low < high) || isinf(low) || isinf(high))
        return cairn_fail(ctx, CAIRN_USAGE, "{low} must lie below {high}, and both must be finite");
    if (!job->table) CHECK(grid(ctx, &fit, "x", low, high, FIT_POINTS));
    CHECK(grid(ctx, &fine, fit->slots[0].name, low, high, GRID_POINTS));
    CHECK(cairn_recipe_fit(ctx, &recipe, NULL, fit, &options));
    CHECK(cairn_recipe_apply(ctx, &made, recipe, fine));
    CHECK(cairn_figure_new(ctx, out, "basis", p->with));
    cairn_figure_axes(*out, fit->slots[0].name, "value of the function");
    return add_lines(ctx, *out, fine, made, (size_t)p->most);
}

const cairn_calculator cairn_picture_basis = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "basis",
         .also = "basis functions",
         .title = "Basis functions of a column",
         .summary =
             "The functions that a transform makes of one number column, as curves: powers, "
             "bells around centres, smooth steps, or any other transform of numbers. A learner "
             "that is linear in them adds them up with weights. Centres and widths come from "
             "the column of DATA, or from an even grid between --low and --high.",
         .references = "Bishop, Pattern Recognition and Machine Learning, 2006",
         .example = "cairn draw basis --with basis:rbf,count=5",
         .params = basis_table,
         .params_size = sizeof(basis_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = basis_draw,
};
