/* SPDX-License-Identifier: MIT */
/* discriminant-axes: number columns are replaced by their places on the discriminant axes.
 *
 * Fitting is in rows/moments.c: eigenvectors of S_W⁻¹S_B, one less than the classes at most.
 * Applying takes the training means off and multiplies by the axes, along which the rows of a class
 * have variance 1. The new columns axis1, axis2 ... stand where the first of the old ones stood;
 * columns that are not of numbers stay. A missing cell makes all places of its row missing; in
 * training rows it is refused. */
#include "data/ledger.h"
#include "base/memory.h"
#include "data/column.h"
#include "report/table_rows.h"
#include "rows/class_sums.h"
#include "transforms/columns.h"
#include "transforms/pca.h"
#include <math.h>
#include <string.h>

typedef struct axes_params {
    int axes;
    const char *columns;
} axes_params;

static const cairn_param axes_parameters[] = {
    CAIRN_PARAM(axes_params, axes, "0", "[0,inf)", "number of axes; 0 = one less than the classes"),
    CAIRN_PARAM_AS(axes_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to project; all number features when not given"),
    CAIRN_PARAM_END,
};

typedef struct axes_state {
    cairn_map names;
    size_t n;              /* axes */
    double *means;         /* of the columns */
    double *axes;          /* n x columns */
    double *values, total; /* ratios of the squares between and within; their sum over all axes */
} axes_state;

/* Places of the classes that occur. */
static cairn_status list_classes(cairn_context *ctx, int32_t **out, size_t *n, const cairn_job *job)
{
    const cairn_view *view = job->view;
    size_t found = 0;
    if (job->task != CAIRN_CLASSIFY)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "discriminant-axes needs classes: a target of levels, or {task classify}");
    CHECK(SCRATCH(ctx, out, job->n_classes + 1));
    for (size_t c = 0; c < job->n_classes; c++) (*out)[c] = -1;
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = view->target->codes[cairn_view_row(view, i)];
        if (code >= 0 && cairn_view_weight(view, i) > 0) (*out)[code] = 0;
    }
    for (size_t c = 0; c < job->n_classes; c++)
        if ((*out)[c] == 0) (*out)[c] = (int32_t)found++;
    *n = found;
    if (found > 1) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "discriminant-axes: the training rows have one class only, so there is "
                      "nothing to tell apart");
}

/* What is kept of the first axes. */
static cairn_status keep_axes(cairn_context *ctx, axes_state *s, const cairn_class_sums *sums,
                              const double *values, const double *axes, size_t n)
{
    size_t p = sums->n_terms;
    for (size_t k = 0; k < n; k++) s->total += values[k];
    if (s->n == 0 || s->n > n) s->n = n;
    CHECK(NEW(ctx, &s->means, p));
    CHECK(NEW(ctx, &s->axes, s->n * p));
    CHECK(NEW(ctx, &s->values, s->n));
    memcpy(s->means, sums->mean, p * sizeof *s->means);
    memcpy(s->axes, axes, s->n * p * sizeof *s->axes);
    memcpy(s->values, values, s->n * sizeof *s->values);
    return CAIRN_OK;
}

static void show_axes(cairn_report *out, const axes_state *s)
{
    size_t p = s->names.n;
    cairn_report_table_of(out, "Discriminant axes", 0, "lrr", "axis", "between / within", "share");
    for (size_t j = 0; j < p; j++) cairn_report_column(out, cairn_map_key(&s->names, j), 'r');
    for (size_t k = 0; k < s->n; k++) {
        cairn_report_cells(out, "- axes.axis$1.eigenvalue:6 axes.axis$1.share:6", k + 1,
                           s->values[k], s->values[k] / s->total);
        for (size_t j = 0; j < p; j++)
            cairn_report_cell_number(out, s->axes[k * p + j], 6, "axes.axis%zu.%s", k + 1,
                                     cairn_report_key(out, cairn_map_key(&s->names, j)));
    }
    cairn_report_table_end(out);
}

static cairn_status axes_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    axes_state *s = state;
    const axes_params *p = job->params;
    cairn_view view;
    cairn_class_sums sums;
    int32_t *places;
    double *values, *axes;
    size_t n_classes, index, n;
    CHECK(list_classes(ctx, &places, &n_classes, job));
    CHECK(cairn_pca_view(ctx, &view, job->view, p->columns, "discriminant-axes"));
    for (size_t j = 0; j < view.n_features; j++)
        CHECK(cairn_map_add(ctx, &s->names, view.names[j], strlen(view.names[j]), &index));
    if (s->names.n != view.n_features)
        return cairn_fail(ctx, CAIRN_USAGE, "discriminant-axes: a column is named twice");
    CHECK(cairn_class_sums_of(ctx, &sums, &view, places, n_classes, CAIRN_CLASS_SCATTER));
    CHECK(SCRATCH(ctx, &values, sums.n_terms + 1));
    CHECK(SCRATCH(ctx, &axes, cairn_product(n_classes, sums.n_terms) + 1));
    CHECK(cairn_class_axes(ctx, &sums, values, axes, &n));
    if (n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "discriminant-axes: the classes have the same means, or their rows do "
                          "not differ at all, so there is no axis; choose other columns");
    s->n = (size_t)p->axes;
    CHECK(keep_axes(ctx, s, &sums, values, axes, n));
    cairn_report_step_begin(job->steps, "Discriminant axes of %zu columns", view.n_features);
    cairn_report_formula(job->steps, "S_W⁻¹S_B a = λ a,  aᵀS_W a = n − K");
    show_axes(job->steps, s);
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

/* Places of all rows on one axis. */
static void project(const axes_state *s, size_t k, const double *const *from, size_t n, double *out)
{
    size_t p = s->names.n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < p; j++) sum += s->axes[k * p + j] * (from[j][i] - s->means[j]);
        out[i] = sum;
    }
}

/* The axes take the place of the columns that were fitted. */
static cairn_status axes_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    const axes_state *s = state;
    const double **from;
    uint8_t *used;
    cairn_column **columns;
    cairn_status status = CAIRN_OK;
    (void)params;
    CHECK(SCRATCH(ctx, &from, s->names.n + 1));
    CHECK(SCRATCH(ctx, &used, table->n_columns + 1));
    CHECK(SCRATCH(ctx, &columns, s->n + 1));
    for (size_t j = 0, at = 0; j < s->names.n; j++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, j), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        from[j] = table->slots[at].column->numbers;
        used[at] = 1;
    }
    for (size_t k = 0; !status && k < s->n; k++) {
        status = cairn_column_new(ctx, &columns[k], CAIRN_NUMBER, table->n_rows);
        if (status) break;
        project(s, k, from, table->n_rows, columns[k]->numbers);
        cairn_column_count_missing(columns[k]);
    }
    if (!status) status = cairn_put_columns(ctx, out, table, used, "axis", columns, s->n);
    for (size_t k = 0; k < s->n; k++) cairn_column_drop(columns[k]);
    return status;
}

static cairn_status axes_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const axes_state *s = state;
    double *zeros;
    int32_t *in, first;
    (void)job;
    CHECK(cairn_program_columns(out, &s->names, &in));
    CHECK(SCRATCH(out->ctx, &zeros, s->n + 1));
    CHECK(cairn_lower_affine(out, in, s->names.n, s->n, zeros, s->axes, s->means, &first));
    cairn_program_put_new(out, first, s->n);
    return CAIRN_OK;
}

static void axes_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_report_formula(out, "axis k = (x − mean) · a_k");
    show_axes(out, state);
}

static void write_axes(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const axes_state *s = state;
    (void)job;
    cairn_directions_write(out, (const char *const[]){"axis", "ratio"}, &s->names, s->values,
                           s->axes, s->n);
}

static const cairn_learned axes_tables[] = {
    CAIRN_LEARNED("discriminant-axes.components",
                  "axis: squares between classes over those within, its part of every column",
                  write_axes),
    CAIRN_LEARNED_END};

static const cairn_kept axes_keeps[] = {
    KEEP(axes_state, names),
    KEEP_SIZE_IN(axes_state, n, "names", .least = 1, .why = "there are no discriminant axes"),
    KEEP(axes_state, total),
    KEEP_ARRAYS(axes_state, "names", means),
    KEEP_ARRAYS(axes_state, "n", values),
    KEEP_ARRAYS(axes_state, "n*names", axes),
    KEEP_END,
};

const cairn_transform cairn_discriminant_axes = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "discriminant-axes",
         .also = "canonical variates, LDA projection, Fisher projection, supervised "
                 "dimensionality reduction",
         .title = "Discriminant axes",
         .summary =
             "Replaces number columns by their places on the discriminant axes axis1, axis2 ...: "
             "the directions along which the classes of the training rows lie apart most, measured "
             "in their scatter. There is one less than there are classes, and the rows of a class "
             "have variance 1 along each. The first two make a picture of many columns.",
         .references =
             "Fisher, The use of multiple measurements in taxonomic problems (1936); Rao, "
             "The utilization of multiple measurements in problems of biological "
             "classification (1948)",
         .example = "cairn fit knn @iris --with discriminant-axes:2",
         .params = axes_parameters,
         .params_size = sizeof(axes_params)},
    .state_size = sizeof(axes_state),
    .tables = axes_tables,
    .sets_scale = true,
    .wants_complete = true,
    .fit = axes_fit,
    .apply = axes_apply,
    .lower = axes_lower,
    .describe = axes_describe,
    .keeps = axes_keeps,
};
