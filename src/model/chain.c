/* SPDX-License-Identifier: MIT */
/* The chain. Each link is fitted on the table as the links before it left it, and only on the
 * training rows, so nothing of a held-out row can leak into the model. */
#include "model/chain.h"
#include <string.h>

void cairn_link_clear(cairn_link *link)
{
    if (link->state && link->transform->clear) link->transform->clear(link->state);
    cairn_free(link->state);
    cairn_params_free(link->params);
    *link = (cairn_link){0};
}

/* Fit one transform on the rows of the table; the link is left empty on failure. */
static cairn_status link_fit(cairn_context *ctx, cairn_link *link, const char *spec,
                             const cairn_table *table, cairn_rows rows, cairn_report *steps)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_view view;
    cairn_schema schema = {0};
    TRY(cairn_params_from_spec(ctx, &link->params, CAIRN_ENTRY_TRANSFORM, spec));
    link->transform = (const cairn_transform *)link->params->entry;
    TRY(cairn_params_check(ctx, link->params));
    TRY(NEW(ctx, (char **)&link->state, link->transform->state_size));
    TRY(cairn_view_make(ctx, &view, table, rows));
    TRY(cairn_schema_from_table(ctx, &schema, table));
    cairn_job job = {.params = link->params->values,
                     .view = &view,
                     .schema = &schema,
                     .positive = -1,
                     .steps = steps};
    TRY(link->transform->fit(ctx, link->state, &job));
done:
    cairn_schema_clear(&schema);
    cairn_scratch_release(ctx, mark);
    if (status) cairn_link_clear(link);
    return status;
}

static cairn_status link_apply(cairn_context *ctx, const cairn_link *link, cairn_table **out,
                               const cairn_table *table)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status =
        link->transform->apply(ctx, out, link->state, link->params->values, table);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Fit the next link and replace *table by what it makes. */
static cairn_status chain_add(cairn_context *ctx, cairn_model *model, cairn_table **table,
                              cairn_rows rows, const char *spec, bool automatic,
                              cairn_report *steps)
{
    cairn_status status;
    cairn_link link = {0};
    cairn_table *next = NULL;
    TRY(RESIZE(ctx, &model->chain, model->n_chain + 1));
    TRY(link_fit(ctx, &link, spec, *table, rows, steps));
    link.automatic = automatic;
    model->chain[model->n_chain++] = link;
    TRY(link_apply(ctx, &model->chain[model->n_chain - 1], &next, *table));
    cairn_table_free(*table);
    *table = next;
done:
    return status;
}

/* First feature of a kind, or -1. */
static ptrdiff_t first_feature(const cairn_table *table, cairn_kind kind)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE && table->slots[i].column->kind == kind)
            return (ptrdiff_t)i;
    return -1;
}

static cairn_status refuse_kind(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table, size_t at, const char *remedy)
{
    const cairn_slot *slot = &table->slots[at];
    return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' holds %s, which %s cannot use; %s",
                      slot->name,
                      slot->column->kind == CAIRN_TEXT    ? "text"
                      : slot->column->kind == CAIRN_LEVEL ? "levels"
                                                          : cairn_kind_name(slot->column->kind),
                      model->learner->entry.name, remedy);
}

/* All text columns at once, with the option that leaves them out. */
static cairn_status refuse_texts(cairn_context *ctx, const cairn_model *model,
                                 const cairn_table *table)
{
    size_t n = 0;
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_FEATURE || slot->column->kind != CAIRN_TEXT) continue;
        cairn_text_addf(&names, "%s%s", n++ ? "," : "", slot->name);
    }
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "%zu column%s text, which %s cannot use; leave %s out with "
                            "--ignore '%s', or declare levels with --kinds",
                            n, n == 1 ? " holds" : "s hold", model->learner->entry.name,
                            n == 1 ? "it" : "them", cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* Kinds that no automatic transform can mend. */
static cairn_status check_kinds(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    unsigned accepts = model->learner->accepts;
    const char *remedy = "leave it out with --ignore, or declare another kind with --kinds";
    ptrdiff_t at;
    if (accepts & CAIRN_ACCEPTS_NO_FEATURES) return CAIRN_OK; /* it looks at none */
    if (first_feature(table, CAIRN_TEXT) >= 0) return refuse_texts(ctx, model, table);
    if ((at = first_feature(table, CAIRN_SEQUENCE)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at, remedy);
    if ((at = first_feature(table, CAIRN_TIME)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at, remedy);
    if (!(accepts & CAIRN_ACCEPTS_NUMBERS) && (at = first_feature(table, CAIRN_NUMBER)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at, "cut it into levels first");
    return CAIRN_OK;
}

/* Whether the user's chain already has the transform for all columns. */
static bool has_link(const cairn_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_chain; i++)
        if (strcmp(model->chain[i].transform->entry.name, name) == 0 &&
            !cairn_params_is_set(model->chain[i].params, "columns"))
            return true;
    return false;
}

/* The transforms that the learner needs before it can eat the table. */
static cairn_status add_needed(cairn_context *ctx, cairn_model *model, cairn_table **table,
                               cairn_rows rows, const cairn_fit_options *options)
{
    cairn_status status;
    unsigned accepts = model->learner->accepts;
    bool impute = !(accepts & CAIRN_ACCEPTS_MISSING) || cairn_same(options->missing, "impute");
    if (cairn_same(options->missing, "drop") || cairn_same(options->missing, "fail"))
        impute = false;
    TRY(check_kinds(ctx, model, *table));
    if (impute && cairn_table_role_count(*table, CAIRN_FEATURE) && !has_link(model, "impute"))
        TRY(chain_add(ctx, model, table, rows, "impute", true, NULL));
    if (!(accepts & CAIRN_ACCEPTS_LEVELS) && first_feature(*table, CAIRN_LEVEL) >= 0)
        TRY(chain_add(ctx, model, table, rows,
                      accepts & CAIRN_WANTS_REFERENCE ? "indicators:kinds=levels,reference=yes"
                                                      : "indicators:kinds=levels",
                      true, NULL));
    if (!(accepts & CAIRN_ACCEPTS_BAGS) && first_feature(*table, CAIRN_BAG) >= 0)
        TRY(chain_add(ctx, model, table, rows, "indicators:kinds=bags", true, NULL));
    if ((accepts & CAIRN_WANTS_SCALING) && !has_link(model, "standardise"))
        TRY(chain_add(ctx, model, table, rows, "standardise", true, NULL));
done:
    return status;
}

cairn_status cairn_chain_fit(cairn_context *ctx, cairn_model *model, cairn_table **out,
                             const cairn_table *table, cairn_rows rows,
                             const cairn_fit_options *options)
{
    cairn_status status;
    cairn_table *now = NULL;
    TRY(cairn_table_share(ctx, &now, table));
    for (const char *const *with = options->with; with && *with; with++)
        TRY(chain_add(ctx, model, &now, rows, *with, false, options->steps));
    TRY(add_needed(ctx, model, &now, rows, options));
    *out = now;
    return CAIRN_OK;
done:
    cairn_table_free(now);
    return status;
}

cairn_status cairn_chain_apply(cairn_context *ctx, const cairn_model *model, cairn_table **out,
                               const cairn_table *table)
{
    cairn_status status;
    cairn_table *now = NULL, *next = NULL;
    TRY(cairn_table_share(ctx, &now, table));
    for (size_t i = 0; i < model->n_chain; i++) {
        if (model->chain[i].transform->changes_rows) continue;
        TRY(link_apply(ctx, &model->chain[i], &next, now));
        cairn_table_free(now);
        now = next;
    }
    *out = now;
    return CAIRN_OK;
done:
    cairn_table_free(now);
    return status;
}

cairn_status cairn_transforms_run(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                  const char *const *with, cairn_report *steps)
{
    cairn_status status;
    cairn_table *now = NULL;
    cairn_model chain = {0};
    TRY(cairn_table_share(ctx, &now, table));
    for (; with && *with; with++)
        TRY(chain_add(ctx, &chain, &now, cairn_all_rows(now), *with, false, steps));
    for (size_t i = 0; i < chain.n_chain; i++)
        if (steps && chain.chain[i].transform->describe)
            chain.chain[i].transform->describe(steps, chain.chain[i].state,
                                               chain.chain[i].params->values);
    *out = now;
    now = NULL;
done:
    for (size_t i = 0; i < chain.n_chain; i++) cairn_link_clear(&chain.chain[i]);
    cairn_free(chain.chain);
    cairn_table_free(now);
    return status;
}
