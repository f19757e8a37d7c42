/* SPDX-License-Identifier: MIT */
/* pca: number columns are replaced by their first principal components.
 *
 * Fitting is in stats/components.c. Applying takes the training means off (and divides by the
 * training deviations when scaling) and multiplies by the vectors; whitening divides by the
 * deviation along each component, so that all have variance 1. The new columns pc1, pc2 ... stand
 * where the first of the old ones stood; columns that are not of numbers stay. A missing cell makes
 * all scores of its row missing; in training rows it is refused. */
#include "data/ledger.h"
#include "transforms/pca.h"
#include "base/memory.h"
#include "data/column.h"
#include "transforms/columns.h"
#include <string.h>
#include <math.h>

static const cairn_choice divisors[] = {
    {"n-1", 0, "sums of products over one less than the rows"},
    {"n", 1, "over the number of rows"},
    {0},
};
static const cairn_choice signs[] = {
    {"first", CAIRN_SIGN_FIRST, "the first number of a vector that is not 0 is positive"},
    {"largest", CAIRN_SIGN_LARGEST, "the largest number of a vector is positive"},
    {0},
};

const cairn_param cairn_pca_param_table[] = {
    CAIRN_PARAM(cairn_pca_params, components, "0", "[0,inf)",
                "number of components; 0 = as many as --keep needs"),
    CAIRN_PARAM(cairn_pca_params, keep, "1", "(0,1]",
                "share of the variance that the components must explain; 1 = all components",
                .when = "!components"),
    CAIRN_PARAM_AS(cairn_pca_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to turn; all number features when not given"),
    CAIRN_PARAM_CHOICE(cairn_pca_params, divisor, "n-1", divisors, "divisor of the covariance"),
    CAIRN_PARAM_CHOICE(cairn_pca_params, sign, "first", signs, "which way a vector points"),
    CAIRN_PARAM(cairn_pca_params, scale, "no", NULL,
                "divide columns by their deviations first: the correlation matrix"),
    CAIRN_PARAM(cairn_pca_params, whiten, "no", NULL,
                "divide scores by their deviations, so that all have variance 1"),
    CAIRN_PARAM_END,
};

cairn_status cairn_pca_view(cairn_context *ctx, cairn_view *out, const cairn_view *view,
                            const char *columns, const char *who)
{
    size_t n, *chosen;
    cairn_view part = *view;
    CHECK(cairn_choose_features(ctx, view, who, columns, cairn_fits_number, "a number column",
                                &chosen, &n));
    CHECK(SCRATCH_EACH(ctx, n, &part.features, &part.names));
    part.n_features = n;
    for (size_t j = 0; j < n; j++) {
        part.features[j] = view->features[chosen[j]];
        part.names[j] = view->names[chosen[j]];
    }
    *out = part;
    return CAIRN_OK;
}

cairn_status cairn_pca_fit(cairn_context *ctx, cairn_pca_state *s, const cairn_view *view,
                           const cairn_pca_params *p, double **covariance)
{
    size_t index;
    cairn_component_wish wish = {.n = (size_t)p->components,
                                 .share = p->keep,
                                 .divide_by_n = p->divisor == 1,
                                 .scale = p->scale,
                                 .sign = (cairn_sign)p->sign};
    for (size_t j = 0; j < view->n_features; j++)
        CHECK(cairn_map_add(ctx, &s->names, view->names[j], strlen(view->names[j]), &index));
    if (s->names.n != view->n_features)
        return cairn_fail(ctx, CAIRN_USAGE, "pca: a column is named twice");
    return cairn_components_fit(ctx, &s->c, view, &wish, "pca", covariance);
}

cairn_status cairn_pca_view_scores(cairn_context *ctx, double ***out, const cairn_pca_state *s,
                                   const cairn_view *view)
{
    const double **columns;
    double **scores;
    size_t n = view->rows.n;
    CHECK(SCRATCH(ctx, &columns, view->n_features));
    CHECK(SCRATCH(ctx, &scores, s->c.n));
    for (size_t j = 0; j < view->n_features; j++) {
        columns[j] = view->features[j]->numbers;
        if (!view->rows.indices) continue;
        double *gathered;
        CHECK(SCRATCH_RAW(ctx, &gathered, n));
        for (size_t i = 0; i < n; i++) gathered[i] = columns[j][view->rows.indices[i]];
        columns[j] = gathered;
    }
    for (size_t k = 0; k < s->c.n; k++) CHECK(SCRATCH_RAW(ctx, &scores[k], n));
    CHECK(cairn_components_scores(ctx, scores, &s->c, false, columns, n));
    *out = scores;
    return CAIRN_OK;
}

/* The work as on the board. */
static cairn_status show_work(cairn_context *ctx, const cairn_pca_state *s, const cairn_view *view,
                              const cairn_job *job, const double *covariance)
{
    const cairn_pca_params *p = job->params;
    double **scores;
    CHECK(cairn_pca_view_scores(ctx, &scores, s, view));
    cairn_report_step_begin(job->steps, "Principal components of %zu columns", view->n_features);
    cairn_pca_show_means(job->steps, s, p->divisor == 1 ? "n" : "n − 1");
    cairn_pca_show_covariance(job->steps, s, covariance);
    cairn_pca_show_values(job->steps, s);
    cairn_pca_show_vectors(job->steps, s);
    cairn_pca_show_scores(job->steps, s, view, scores);
    cairn_pca_show_spread(job->steps, s, view, scores);
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

static cairn_status pca_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const cairn_pca_params *p = job->params;
    cairn_view view;
    double *covariance = NULL;
    CHECK(cairn_pca_view(ctx, &view, job->view, p->columns, "pca"));
    CHECK(cairn_pca_fit(ctx, state, &view, p, job->steps ? &covariance : NULL));
    if (job->steps) CHECK(show_work(ctx, state, &view, job, covariance));
    return CAIRN_OK;
}

/* The columns that were fitted, in order. */
static cairn_status find_columns(cairn_context *ctx, const cairn_pca_state *s,
                                 const cairn_table *table, const double **out, uint8_t *used)
{
    for (size_t j = 0, at = 0; j < s->names.n; j++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&s->names, j), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        out[j] = table->slots[at].column->numbers;
        used[at] = 1;
    }
    return CAIRN_OK;
}

static cairn_status make_scores(cairn_context *ctx, cairn_column **columns,
                                const cairn_pca_state *s, const cairn_pca_params *p,
                                const double *const *from, size_t n_rows)
{
    double **out;
    CHECK(SCRATCH(ctx, &out, s->c.n));
    for (size_t k = 0; k < s->c.n; k++) {
        CHECK(cairn_column_new(ctx, &columns[k], CAIRN_NUMBER, n_rows));
        out[k] = columns[k]->numbers;
    }
    return cairn_components_scores(ctx, out, &s->c, p->whiten, from, n_rows);
}

static cairn_status pca_apply(cairn_context *ctx, cairn_table **out, const void *state,
                              const void *params, const cairn_table *table)
{
    const cairn_pca_state *s = state;
    cairn_status status;
    cairn_column **columns = NULL;
    const double **from;
    uint8_t *used;
    TRY(SCRATCH(ctx, &from, s->names.n));
    TRY(SCRATCH(ctx, &used, table->n_columns));
    TRY(SCRATCH(ctx, &columns, s->c.n + 1));
    TRY(find_columns(ctx, s, table, from, used));
    TRY(make_scores(ctx, columns, s, params, from, table->n_rows));
    for (size_t k = 0; k < s->c.n; k++) cairn_column_count_missing(columns[k]);
    TRY(cairn_put_columns(ctx, out, table, used, "pc", columns, s->c.n));
done:
    for (size_t k = 0; columns && k < s->c.n; k++) cairn_column_drop(columns[k]);
    return status;
}

static void pca_describe(cairn_report *out, const void *state, const void *params)
{
    const cairn_pca_params *p = params;
    cairn_report_formula(out, p->whiten ? "score k = (x − mean) · vector k / √(variance k)"
                                        : "score k = (x − mean) · vector k");
    cairn_pca_show_values(out, state);
    cairn_pca_show_vectors(out, state);
}

/* As cairn_components_scores does it; what has no variance is 0 when it is whitened. */
static cairn_status pca_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const cairn_pca_state *s = state;
    const cairn_pca_params *params = job->params;
    size_t p = s->c.n_columns;
    double *weights, *zeros;
    int32_t *in, first;
    CHECK(cairn_program_columns(out, &s->names, &in));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(s->c.n, p) + 1));
    CHECK(SCRATCH(out->ctx, &zeros, s->c.n + 1));
    for (size_t k = 0; k < s->c.n; k++) {
        bool empty = s->c.values[k] <= 1e-14 * s->c.values[0];
        double factor = !params->whiten ? 1 : empty ? 0 : 1 / sqrt(s->c.values[k]);
        for (size_t j = 0; j < p; j++)
            weights[k * p + j] = s->c.vectors[k * p + j] * factor / s->c.scales[j];
    }
    CHECK(cairn_lower_affine(out, in, p, s->c.n, zeros, weights, s->c.means, &first));
    cairn_program_put_new(out, first, s->c.n);
    return CAIRN_OK;
}

static void write_components(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_pca_state *s = state;
    (void)job;
    cairn_directions_write(out, (const char *const[]){"component", "variance"}, &s->names,
                           s->c.values, s->c.vectors, s->c.n);
}

static void write_columns(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_pca_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "tnn", "column", "mean", "scale");
    for (size_t j = 0; j < s->names.n; j++) {
        cairn_ledger_word(out, cairn_map_key(&s->names, j));
        cairn_ledger_number(out, s->c.means[j]);
        cairn_ledger_number(out, s->c.scales[j]);
    }
}

static const cairn_learned pca_tables[] = {
    CAIRN_LEARNED("pca.components", "component: its variance, and its part of every column",
                  write_components),
    CAIRN_LEARNED("pca.columns", "column: its mean, and what it is divided by", write_columns),
    CAIRN_LEARNED_END};

static cairn_status count_columns(cairn_archive *a, void *state, const void *around)
{
    cairn_pca_state *s = state;
    (void)a;
    (void)around;
    s->c.n_columns = s->names.n;
    return CAIRN_OK;
}

/* Counts come before the arrays they size, each bounded by the one before it, so that a damaged
 * file cannot ask for more than its columns allow. */
static const cairn_kept pca_keeps[] = {
    KEEP(cairn_pca_state, names),
    KEEP_BY(count_columns),
    KEEP_SIZE_IN(cairn_pca_state, c.n_values, "names", .name = "values"),
    KEEP_SIZE_IN(cairn_pca_state, c.n, "c.n_values", .name = "components", .least = 1,
                 .why = "there are no principal components"),
    KEEP(cairn_pca_state, c.by_rows, c.weight, c.below, c.total),
    KEEP_ARRAYS(cairn_pca_state, "names", c.means, c.scales, c.lows, c.highs),
    KEEP_ARRAY(cairn_pca_state, c.values, "c.n_values", .name = "variances"),
    KEEP_ARRAYS(cairn_pca_state, "c.n*names", c.vectors),
    KEEP_END,
};

void cairn_pca_clear(void *state)
{
    cairn_kept_clear(pca_keeps, state);
}

const cairn_transform cairn_pca = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "pca",
         .also = "principal component analysis, principal components, dimensionality "
                 "reduction, Karhunen-Loeve, whitening",
         .title = "Principal components",
         .summary =
             "Replaces number columns by their principal components pc1, pc2 ...: the "
             "directions along which the training rows vary most, each at right angles to "
             "those before it. A few of them often say nearly as much as all the columns. "
             "Give their number, or the share of the variance to keep. Columns in different "
             "units should be scaled. More columns than rows, and columns that depend on each "
             "other, are no obstacle. Missing cells must be filled before: --with impute "
             "--with pca.",
         .references =
             "Pearson: On lines and planes of closest fit to systems of points in space, "
             "Philosophical Magazine 2, 1901; Hotelling: Analysis of a complex of statistical "
             "variables into principal components, Journal of Educational Psychology 24, 1933; "
             "Jolliffe: Principal Component Analysis, 2002",
         .example = "cairn fit kmeans @iris --clusters 3 --with pca:2",
         .params = cairn_pca_param_table,
         .params_size = sizeof(cairn_pca_params)},
    .state_size = sizeof(cairn_pca_state),
    .tables = pca_tables,
    .sets_scale = true,
    .wants_complete = true,
    .fit = pca_fit,
    .apply = pca_apply,
    .lower = pca_lower,
    .describe = pca_describe,
    .keeps = pca_keeps,
};
