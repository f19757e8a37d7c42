/* SPDX-License-Identifier: MIT */
/* Rankings of held-out rows by learners that are named beside the data. */
#include "typed/fitted_ranking.h"

#include "base/memory.h"
#include "data/view.h"
#include "model/model.h"
#include "resample/resample.h"

#include <string.h>

/* Two thirds and a third of the rows with a class, with the shares of the classes. */
static cairn_status part_rows(cairn_context *ctx, cairn_rows *train, cairn_rows *test,
                              const cairn_table *table, size_t target)
{
    const cairn_column *classes = table->slots[target].column;
    cairn_plan_job job = {.classes = classes->codes, .n_classes = classes->names.n};
    cairn_plan plan;
    uint32_t *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++)
        if (classes->codes[i] >= 0) rows[job.n++] = (uint32_t)i;
    job.rows = rows;
    CHECK(cairn_plan_make(ctx, &plan, "holdout", job));
    return cairn_plan_split(ctx, &plan, 0, train, test);
}

/* Fitted to these rows alone. */
static cairn_status fit_to(cairn_context *ctx, cairn_model **out, const char *spec,
                           const cairn_table *table, cairn_rows rows)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    CHECK(cairn_table_take_rows(ctx, &part, table, rows.indices, rows.n));
    options.task = CAIRN_CLASSIFY;
    return cairn_model_fit(ctx, out, params, part, &options);
}

/* Number of the positive class among those of the model; its name is copied. */
static cairn_status find_positive(cairn_context *ctx, size_t *out, const char **name,
                                  const cairn_model *model, const char *given)
{
    const cairn_map *names = &cairn_model_target(model)->names;
    int64_t at = given ? cairn_map_find(names, given, strlen(given)) : model->positive;
    char *copy;
    if (at < 0 && given)
        return cairn_fail(ctx, CAIRN_USAGE, "{positive}: '%s' is no class of '%s'", given,
                          cairn_model_target(model)->name);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' has %zu classes: {positive} says which one is ranked against the "
                          "rest",
                          cairn_model_target(model)->name, names->n);
    const char *key = cairn_map_key(names, (size_t)at);
    CHECK(SCRATCH(ctx, &copy, strlen(key) + 1));
    memcpy(copy, key, strlen(key));
    *name = copy;
    *out = (size_t)at;
    return CAIRN_OK;
}

cairn_status cairn_fitted_ranking(cairn_context *ctx, cairn_ranked *out, const char *spec,
                                  const char *positive, const cairn_table *table)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    cairn_match match = {0};
    cairn_rows train, test;
    cairn_view view;
    double *scores, *weights = NULL;
    int8_t *classes;
    size_t at;
    if (target < 0 || cairn_table_kind(table, (size_t)target) != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{fit} needs a target of classes; name it with {target}");
    CHECK(part_rows(ctx, &train, &test, table, (size_t)target));
    CHECK(fit_to(ctx, &model, spec, table, train));
    CHECK(find_positive(ctx, &at, &out->positive, model, positive));
    CHECK(cairn_model_predict_rows(ctx, &said, model, table, test,
                                   (cairn_predict_wants){.scores = true}, &match));
    const char *name = out->positive;
    const cairn_column *actual = table->slots[target].column;
    int64_t code = cairn_map_find(&actual->names, name, strlen(name));
    CHECK(cairn_view_make(ctx, &view, table, test));
    CHECK(SCRATCH_RAW_EACH(ctx, test.n + 1, &scores, &classes));
    if (cairn_view_is_weighted(&view)) CHECK(SCRATCH_RAW(ctx, &weights, test.n + 1));
    for (size_t i = 0; i < test.n; i++) {
        scores[i] = said.scores[i * said.n_classes + at];
        classes[i] = actual->codes[test.indices[i]] == code;
        if (weights) weights[i] = cairn_view_weight(&view, i);
    }
    CHECK(cairn_ranking_make(ctx, &out->ranking, scores, classes, weights, test.n));
    out->name = spec;
    out->scored = true;
    out->scores = scores;
    out->classes = classes;
    out->weights = weights;
    out->n_rows = test.n;
    return CAIRN_OK;
}
