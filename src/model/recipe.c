/* SPDX-License-Identifier: MIT */
/* Recipes: a chain of transforms without a learner, fitted on one table and applied to others. In
 * memory and in a file a recipe is a model whose learner is missing. */
#include "model/chain.h"
#include "base/call.h"
#include "model/prepare.h"

cairn_status cairn_recipe_fit(cairn_context *ctx, cairn_model **out, cairn_table **made,
                              const cairn_table *table, const cairn_fit_options *options)
{
    PUBLIC_CALL(ctx);
    cairn_fit_options full;
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_params_free) cairn_params *own = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    OWNED(cairn_table_free) cairn_table *prepared = NULL;
    cairn_rows rows = cairn_all_rows(table);
    CHECK(cairn_fit_options_full(ctx, &full, options));
    CHECK(cairn_fit_options_open(ctx, &full, &own));
    options = &full;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(NEW(ctx, &model, 1));
    CHECK(cairn_table_hash_parallel(ctx, table, &model->data_hash));
    CHECK(cairn_prepare(ctx, model, &prepared, table, &rows, options));
    CHECK(cairn_chain_fit(ctx, model, &inner, prepared, &rows, options));
    CHECK(cairn_schema_from_table(ctx, &model->inner, inner));
    if (options->steps) CHECK(cairn_report_status(options->steps));
    if (made) *made = inner;
    if (made) inner = NULL;
    *out = TAKE(model);
    return CAIRN_OK;
}

cairn_status cairn_recipe_apply(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match;
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, table, true, &match));
    CHECK(cairn_chain_apply(ctx, model, out, matched));
    cairn_warn_unseen(ctx, &model->schema, &match);
    return CAIRN_OK;
}

cairn_status cairn_transforms_run(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                  const cairn_params *transforms, cairn_report *steps)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model;
    options.transforms = transforms;
    options.steps = steps;
    cairn_status status = cairn_recipe_fit(ctx, &model, out, table, &options);
    if (status) return status;
    if (steps) status = cairn_model_describe(ctx, steps, model);
    if (status) cairn_table_free(*out);
    cairn_model_free(model);
    return status;
}
