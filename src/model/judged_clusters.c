/* SPDX-License-Identifier: MIT */
/* Clusters made ready for measures: see judged_clusters.h. */
#include "model/judged_clusters.h"

#include "base/memory.h"
#include "data/shape.h"
#include "model/chain.h"
#include "model/row_density.h"

/* -- where the rows lie -- */

/* Which kinds of columns there are. */
typedef struct kinds_met {
    bool numbers, levels, bags, texts, missing;
} kinds_met;

static kinds_met kinds_of(const cairn_view *view)
{
    kinds_met met = {0};
    for (size_t f = 0; f < view->n_features; f++) {
        const cairn_column *column = view->features[f];
        met.numbers |= column->kind == CAIRN_NUMBER;
        met.levels |= column->kind == CAIRN_LEVEL;
        met.bags |= column->kind == CAIRN_BAG;
        met.texts |= column->kind == CAIRN_TEXT || column->kind == CAIRN_SEQUENCE;
        for (size_t i = 0; column->n_missing && !met.missing && i < view->rows.n; i++)
            met.missing = cairn_column_is_missing(column, cairn_view_row(view, i));
    }
    return met;
}

/* A distance that takes all columns; NULL = there is none. */
static const char *usual_distance(kinds_met met)
{
    if (met.texts) return met.numbers || met.bags ? NULL : "edit";
    if (met.bags) return met.levels || met.missing ? NULL : "euclidean";
    return met.levels || met.missing ? "gower" : "euclidean";
}

/* A matrix of distances knows the pairs of its own rows, not those of new rows that come with their
 * distances to these. */
static cairn_status take_given(cairn_context *ctx, cairn_row_space *out, const cairn_view *view,
                               const char *distance)
{
    const double **columns;
    uint32_t *places;
    if (distance)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the distances are given, so that none is measured by %s; leave that out",
                          distance);
    if (view->n_features != view->table->n_rows) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &columns, view->n_features + 1));
    CHECK(SCRATCH_RAW(ctx, &places, view->rows.n + 1));
    for (size_t f = 0; f < view->n_features; f++) columns[f] = view->features[f]->numbers;
    for (size_t i = 0; i < view->rows.n; i++) places[i] = (uint32_t)cairn_view_row(view, i);
    out->space.given = columns;
    out->space.in_given = places;
    out->distance = "given";
    return CAIRN_OK;
}

cairn_status cairn_row_space_of(cairn_context *ctx, cairn_row_space *out, const cairn_view *view,
                                const char *distance, bool pairs)
{
    kinds_met met = kinds_of(view);
    *out = (cairn_row_space){.view = *view};
    out->space.view = &out->view;
    if (view->table->shape == CAIRN_SHAPE_DISTANCES) return take_given(ctx, out, view, distance);
    /* Places are what has means: numbers, none of which is missing. */
    double *places;
    if (met.numbers && !met.levels && !met.bags && !met.texts && !met.missing) {
        CHECK(SCRATCH_RAW(ctx, &places, cairn_product(view->rows.n + 1, view->n_features)));
        cairn_view_block(view, 0, view->rows.n, places);
        out->space.places = places;
        out->space.width = view->n_features;
    }
    out->distance = distance ? distance : usual_distance(met);
    if (!out->distance || !pairs || view->rows.n == 0 || view->n_features == 0) return CAIRN_OK;
    CHECK(cairn_metric_open(ctx, &out->metric, "distance", out->distance));
    CHECK(cairn_metric_learn(ctx, &out->metric, view));
    CHECK(cairn_metric_points(ctx, &out->metric, &out->points, view, NULL));
    out->space.metric = &out->metric;
    out->space.points = &out->points;
    return CAIRN_OK;
}

void cairn_row_space_clear(cairn_row_space *space)
{
    cairn_metric_clear(&space->metric);
    cairn_points_clear(&space->points);
    *space = (cairn_row_space){0};
}

/* -- which rows, and what they are -- */

static size_t count_clusters(const cairn_prediction *p)
{
    int32_t most = -1;
    for (size_t i = 0; i < p->n_rows; i++)
        if (p->codes[i] > most) most = p->codes[i];
    return (size_t)most + 1;
}

/* The rows that have a cluster: codes and weights for measures of shape. */
static cairn_status keep_clustered(cairn_context *ctx, cairn_judged_clusters *out,
                                   const cairn_view *view, cairn_rows *clustered)
{
    uint32_t *rows;
    int32_t *codes;
    double *weights;
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &rows, view->rows.n + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n + 1, &codes, &weights));
    for (size_t i = 0; i < view->rows.n; i++) {
        if (out->prediction.codes[i] < 0) continue;
        rows[n] = (uint32_t)cairn_view_row(view, i);
        codes[n] = out->prediction.codes[i];
        weights[n++] = cairn_view_weight(view, i);
    }
    out->n_without = view->rows.n - n;
    *clustered = (cairn_rows){.indices = rows, .n = n};
    out->shape = (cairn_judged){.n = n,
                                .weights = weights,
                                .n_answers = count_clusters(&out->prediction),
                                .positive = -1,
                                .predicted = codes};
    return CAIRN_OK;
}

/* The labelling that is known: a target that the learner has not seen. */
static cairn_status put_labelling(cairn_context *ctx, cairn_judged_clusters *out,
                                  const cairn_model *model, const cairn_view *view)
{
    ptrdiff_t at = cairn_table_role_column(out->table, CAIRN_TARGET);
    int32_t *actual;
    if (at < 0 || (cairn_model_accepts(model) & CAIRN_ACCEPTS_TARGETS)) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, out->table, (size_t)at, CAIRN_LEVEL));
    const cairn_slot *slot = &out->table->slots[at];
    CHECK(SCRATCH_RAW(ctx, &actual, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++)
        actual[i] = slot->column->codes[cairn_view_row(view, i)];
    out->beside.actual = actual;
    out->beside.n_classes = slot->column->names.n;
    out->labelling = slot->name;
    return CAIRN_OK;
}

/* Whether the steps of rows are symbols, which have probabilities; numbers have densities. */
static bool has_symbols(const cairn_view *view)
{
    bool numbers = cairn_view_first(view, CAIRN_NUMBER) >= 0;
    numbers |= cairn_view_first(view, CAIRN_SERIES) >= 0;
    return !numbers || cairn_view_first(view, CAIRN_SEQUENCE) >= 0;
}

/* All rows with their weights, and what else is known of them. */
static cairn_status put_beside(cairn_context *ctx, cairn_judged_clusters *out,
                               const cairn_model *model, const cairn_view *view)
{
    double *weights;
    CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) weights[i] = cairn_view_weight(view, i);
    out->beside = (cairn_judged){.n = view->rows.n,
                                 .weights = weights,
                                 .n_answers = out->shape.n_answers,
                                 .positive = -1,
                                 .predicted = out->prediction.codes};
    CHECK(put_labelling(ctx, out, model, view));
    /* How probable the model makes the rows, where it says that. */
    cairn_row_density density = cairn_row_density_of(&out->prediction);
    if (!density.logs) return CAIRN_OK;
    if (cairn_view_steps(view) < 0) CHECK(cairn_density_restore(ctx, &density.logs, model, view));
    out->beside.logs = density.logs;
    if (has_symbols(view)) out->beside.steps = density.steps;
    return CAIRN_OK;
}

cairn_status cairn_judged_clusters_of(cairn_context *ctx, cairn_judged_clusters *out,
                                      const cairn_model *model, const cairn_table *table,
                                      cairn_rows rows, const char *distance, bool pairs)
{
    cairn_status status;
    cairn_table *matched = NULL;
    cairn_match match = {0};
    cairn_predict_wants wants = {.fitted = true, .extra = cairn_model_has_density(model)};
    cairn_rows clustered;
    cairn_view view;
    *out = (cairn_judged_clusters){0};
    TRY(cairn_model_predict_rows(ctx, &out->prediction, model, table, rows, wants, &match));
    TRY(cairn_table_share(ctx, &out->table, table));
    TRY(cairn_schema_match(ctx, &matched, &model->schema, table, false, &match));
    TRY(cairn_chain_apply(ctx, model, &out->inner, matched));
    TRY(cairn_view_make(ctx, &view, out->inner, rows));
    TRY(keep_clustered(ctx, out, &view, &clustered));
    TRY(put_beside(ctx, out, model, &view));
    view.rows = clustered;
    TRY(cairn_row_space_of(ctx, &out->rows, &view, distance, pairs));
    TRY(cairn_view_make(ctx, &out->rows.view, out->table, clustered));
    out->shape.space = &out->rows.space;
    out->distance = out->rows.distance;
done:
    cairn_table_free(matched);
    if (status) cairn_judged_clusters_clear(out);
    return status;
}

void cairn_judged_clusters_clear(cairn_judged_clusters *clusters)
{
    cairn_row_space_clear(&clusters->rows);
    cairn_prediction_clear(&clusters->prediction);
    cairn_table_free(clusters->table);
    cairn_table_free(clusters->inner);
    *clusters = (cairn_judged_clusters){0};
}

cairn_status cairn_measure_clusters(cairn_context *ctx, double *out, const cairn_measure *measure,
                                    const cairn_judged_clusters *clusters)
{
    return measure->value(ctx, out,
                          measure->needs_classes || measure->of_density ? &clusters->beside
                                                                        : &clusters->shape);
}
