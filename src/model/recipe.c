/* SPDX-License-Identifier: MIT */
/* Recipes: a chain of transforms without a learner, fitted on one table and applied to others. In
 * memory and in a file a recipe is a model whose learner is missing. */
#include "model/chain.h"
#include "model/prepare.h"

cairn_status cairn_recipe_fit(cairn_context *ctx, cairn_model **out, cairn_table **made,
                              const cairn_table *table, const cairn_fit_options *options)
{
    const cairn_fit_options full = cairn_fit_options_full(options);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_model *model = NULL;
    cairn_table *prepared = NULL, *inner = NULL;
    cairn_rows rows = cairn_all_rows(table);
    options = &full;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    TRY(NEW(ctx, &model, 1));
    TRY(cairn_table_hash_parallel(ctx, table, &model->data_hash));
    TRY(cairn_prepare(ctx, model, &prepared, table, &rows, options));
    TRY(cairn_chain_fit(ctx, model, &inner, prepared, &rows, options));
    TRY(cairn_schema_from_table(ctx, &model->inner, inner));
    if (options->steps) TRY(cairn_report_status(options->steps));
    if (made) *made = inner;
    if (made) inner = NULL;
    *out = model;
    model = NULL;
done:
    cairn_model_free(model);
    cairn_table_free(prepared);
    cairn_table_free(inner);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_recipe_apply(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                const cairn_table *table)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_table *matched = NULL;
    cairn_match match;
    TRY(cairn_schema_match(ctx, &matched, &model->schema, table, true, &match));
    TRY(cairn_chain_apply(ctx, model, out, matched));
    cairn_warn_unseen(ctx, &model->schema, &match);
done:
    cairn_table_free(matched);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_transforms_run(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                  const char *const *with, cairn_report *steps)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model;
    options.with = with;
    options.steps = steps;
    cairn_status status = cairn_recipe_fit(ctx, &model, out, table, &options);
    if (status) return status;
    if (steps) status = cairn_model_describe(ctx, steps, model);
    if (status) cairn_table_free(*out);
    cairn_model_free(model);
    return status;
}
