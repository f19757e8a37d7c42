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

cairn_acting cairn_link_acting(const cairn_link *link)
{
    const cairn_transform *transform = link->transform;
    if (transform->acting) return transform->acting(link->params->values);
    return transform->changes_rows ? CAIRN_ACTS_ON_TRAIN : CAIRN_ACTS_ALIKE;
}

cairn_status cairn_link_open(cairn_context *ctx, cairn_link *link, const char *spec)
{
    cairn_status status;
    TRY(cairn_params_from_spec(ctx, &link->params, CAIRN_ENTRY_TRANSFORM, spec));
    link->transform = (const cairn_transform *)link->params->entry;
    TRY(cairn_params_check(ctx, link->params));
    TRY(NEW(ctx, (char **)&link->state, link->transform->state_size));
done:
    if (status) cairn_link_clear(link);
    return status;
}

cairn_status cairn_link_fit(cairn_context *ctx, cairn_link *link, const cairn_job *like,
                            const cairn_table *table, cairn_rows rows)
{
    SCOPED_SCRATCH(ctx);
    cairn_view view;
    SCOPED(cairn_schema_clear) cairn_schema schema = {0};
    cairn_job job = *like;
    CHECK(cairn_view_make(ctx, &view, table, rows));
    CHECK(cairn_schema_from_table(ctx, &schema, table));
    job.params = link->params->values;
    job.view = &view;
    job.schema = &schema;
    return link->transform->fit(ctx, link->state, &job);
}

static cairn_status link_fit(cairn_context *ctx, cairn_link *link, const cairn_model *model,
                             const cairn_table *table, cairn_rows rows, cairn_report *steps)
{
    cairn_job job = {.task = model->task,
                     .n_classes = model->n_classes,
                     .positive = model->positive,
                     .steps = steps,
                     .recipe = !model->learner};
    return cairn_link_fit(ctx, link, &job, table, rows);
}

/* Apply a link to the table that it was just fitted on. */
static cairn_status link_apply_fitted(cairn_context *ctx, const cairn_link *link, cairn_table **out,
                                      const cairn_table *table)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    const cairn_transform *transform = link->transform;
    cairn_status status =
        transform->apply_fitted
            ? transform->apply_fitted(ctx, out, link->state, link->params->values, table)
            : transform->apply(ctx, out, link->state, link->params->values, table);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_link_apply(cairn_context *ctx, const cairn_link *link, cairn_table **out,
                              const cairn_table *table, bool training)
{
    SCOPED_SCRATCH(ctx);
    const cairn_transform *transform = link->transform;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (training && transform->train)
        CHECK(transform->train(ctx, out, link->state, link->params->values, table));
    else
        CHECK(transform->apply(ctx, out, link->state, link->params->values, table));
    return CAIRN_OK;
}

/* A table of the training rows and nothing else. */
static cairn_status training_table(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   cairn_rows rows)
{
    OWNED(cairn_table_free) cairn_table *taken = NULL;
    if (rows.indices)
        CHECK(cairn_table_take_rows(ctx, &taken, table, rows.indices, rows.n));
    else
        CHECK(cairn_table_share(ctx, &taken, table));
    if (rows.weights) CHECK(cairn_table_multiply_weights(ctx, taken, rows.weights));
    *out = TAKE(taken);
    return CAIRN_OK;
}

/* Fit a link that treats the training rows in a way of their own. */
static cairn_status fit_on_train(cairn_context *ctx, cairn_link *link, const cairn_model *model,
                                 cairn_table **next, const cairn_table *table, cairn_rows *rows,
                                 cairn_report *steps)
{
    OWNED(cairn_table_free) cairn_table *training = NULL;
    CHECK(training_table(ctx, &training, table, *rows));
    CHECK(link_fit(ctx, link, model, training, cairn_all_rows(training), steps));
    CHECK(cairn_link_apply(ctx, link, next, training, true));
    *rows = cairn_all_rows(*next);
    if (rows->n == 0) {
        cairn_table_free(*next);
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s leaves no row to learn from",
                         link->transform->entry.name));
    }
    return CAIRN_OK;
}

/* Fit the next link and replace *table by what it makes. */
static cairn_status chain_add(cairn_context *ctx, cairn_model *model, cairn_table **table,
                              cairn_rows *rows, const char *spec, bool automatic,
                              const cairn_fit_options *options)
{
    cairn_report *steps = automatic ? NULL : options->steps;
    cairn_status status;
    cairn_link link = {0};
    cairn_table *next = NULL;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    TRY(RESIZE(ctx, &model->chain, model->n_chain + 1));
    TRY(cairn_link_open(ctx, &link, spec));
    link.automatic = automatic;
    if (cairn_link_acting(&link) != CAIRN_ACTS_ALIKE) {
        TRY(fit_on_train(ctx, &link, model, &next, *table, rows, steps));
    } else {
        bool all = options->scale_on_all && link.transform->scales;
        TRY(link_fit(ctx, &link, model, *table, all ? cairn_all_rows(*table) : *rows, steps));
        TRY(link_apply_fitted(ctx, &link, &next, *table));
    }
    model->chain[model->n_chain++] = link;
    link = (cairn_link){0};
    cairn_table_free(*table);
    *table = next;
done:
    if (link.transform) cairn_link_clear(&link);
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
                      : slot->column->kind == CAIRN_TIME  ? "times"
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
        status =
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "column%s '%s' hold%s text, which %s cannot use; {with bag} makes bags of "
                       "words of %s, {ignore '%s'} leaves %s out, {kinds} declares levels",
                       n == 1 ? "" : "s", cairn_text_string(&names), n == 1 ? "s" : "",
                       model->learner->entry.name, n == 1 ? "it" : "them",
                       cairn_text_string(&names), n == 1 ? "it" : "them");
    cairn_text_clear(&names);
    return status;
}

/* Kinds that no automatic transform can mend. */
static cairn_status check_kinds(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    unsigned accepts = cairn_model_accepts(model);
    const char *remedy =
        cairn_say(ctx, "leave it out with {ignore}, or declare another kind with {kinds}");
    ptrdiff_t at;
    if (accepts & CAIRN_IGNORES_FEATURES) return CAIRN_OK;
    if (accepts & CAIRN_ACCEPTS_RAW) return CAIRN_OK;
    bool texts = accepts & CAIRN_ACCEPTS_TEXTS;
    if (!texts && first_feature(table, CAIRN_TEXT) >= 0) return refuse_texts(ctx, model, table);
    if (!texts && (at = first_feature(table, CAIRN_SEQUENCE)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at, remedy);
    if ((at = first_feature(table, CAIRN_TIME)) >= 0)
        return refuse_kind(
            ctx, model, table, (size_t)at,
            cairn_say(ctx, "{with time} makes numbers of it (hour, weekday, ...), {ignore} leaves "
                           "it out"));
    if (!(accepts & CAIRN_ACCEPTS_NUMBERS) && (at = first_feature(table, CAIRN_NUMBER)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at,
                           cairn_say(ctx, "{with bins} cuts it into levels"));
    return CAIRN_OK;
}

/* Whether the link does its work on all columns of new rows. */
static bool works_on_all(const cairn_link *link)
{
    return cairn_link_acting(link) != CAIRN_ACTS_ON_TRAIN &&
           !cairn_params_is_set(link->params, "columns");
}

/* Whether the user's chain already has the transform for all columns. */
static bool has_link(const cairn_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_chain; i++)
        if (strcmp(model->chain[i].transform->entry.name, name) == 0 &&
            works_on_all(&model->chain[i]))
            return true;
    return false;
}

/* The same for any transform that brings features to a common scale. */
static bool has_scaling(const cairn_model *model)
{
    for (size_t i = 0; i < model->n_chain; i++) {
        const cairn_link *link = &model->chain[i];
        bool target_only = cairn_params_has(&link->transform->entry, "target") &&
                           cairn_same(cairn_params_text(link->params, "target"), "only");
        if (link->transform->scales && works_on_all(link) && !target_only) return true;
    }
    return false;
}

/* The transforms that the learner needs before it can eat the table. */
static cairn_status add_needed(cairn_context *ctx, cairn_model *model, cairn_table **table,
                               cairn_rows *rows, const cairn_fit_options *options)
{
    unsigned accepts = cairn_model_accepts(model);
    bool impute = !(accepts & CAIRN_ACCEPTS_MISSING) || cairn_same(options->missing, "impute");
    if (cairn_same(options->missing, "drop") || cairn_same(options->missing, "fail"))
        impute = false;
    if (!(accepts & (CAIRN_IGNORES_FEATURES | CAIRN_ACCEPTS_RAW)) &&
        first_feature(*table, CAIRN_TIME) >= 0 && !has_link(model, "time"))
        CHECK(chain_add(ctx, model, table, rows, "time", true, options));
    CHECK(check_kinds(ctx, model, *table));
    bool fillable =
        first_feature(*table, CAIRN_NUMBER) >= 0 || first_feature(*table, CAIRN_LEVEL) >= 0;
    if (impute && fillable && !has_link(model, "impute"))
        CHECK(chain_add(ctx, model, table, rows, "impute", true, options));
    if (!(accepts & CAIRN_ACCEPTS_LEVELS) && first_feature(*table, CAIRN_LEVEL) >= 0)
        CHECK(chain_add(ctx, model, table, rows,
                        accepts & CAIRN_WANTS_REFERENCE ? "indicators:kinds=levels,reference=yes"
                                                        : "indicators:kinds=levels",
                        true, options));
    if (!(accepts & CAIRN_ACCEPTS_BAGS) && first_feature(*table, CAIRN_BAG) >= 0)
        CHECK(chain_add(ctx, model, table, rows, "indicators:kinds=bags", true, options));
    if ((accepts & CAIRN_WANTS_SCALING) && first_feature(*table, CAIRN_NUMBER) >= 0 &&
        !has_scaling(model))
        CHECK(chain_add(ctx, model, table, rows, "standardise", true, options));
    return CAIRN_OK;
}

static bool lacks_numbers(const cairn_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE && table->slots[i].column->kind == CAIRN_NUMBER &&
            table->slots[i].column->n_missing)
            return true;
    return false;
}

/* Fill missing cells before a transform that cannot work with them. */
static cairn_status fill_before(cairn_context *ctx, cairn_model *model, cairn_table **table,
                                cairn_rows *rows, const char *spec,
                                const cairn_fit_options *options)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    bool may = model->learner && !cairn_same(options->missing, "drop") &&
               !cairn_same(options->missing, "fail") && !has_link(model, "impute");
    if (!may || !lacks_numbers(*table)) return CAIRN_OK;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_TRANSFORM, spec));
    if (((const cairn_transform *)params->entry)->wants_complete)
        CHECK(chain_add(ctx, model, table, rows, "impute", true, options));
    return CAIRN_OK;
}

cairn_status cairn_chain_fit(cairn_context *ctx, cairn_model *model, cairn_table **out,
                             const cairn_table *table, cairn_rows *rows,
                             const cairn_fit_options *options)
{
    OWNED(cairn_table_free) cairn_table *now = NULL;
    CHECK(cairn_table_share(ctx, &now, table));
    for (const char *const *with = options->with; with && *with; with++) {
        CHECK(fill_before(ctx, model, &now, rows, *with, options));
        CHECK(chain_add(ctx, model, &now, rows, *with, false, options));
    }
    if (model->learner) CHECK(add_needed(ctx, model, &now, rows, options));
    *out = TAKE(now);
    return CAIRN_OK;
}

/* Whether the column is what the learner knows under this field. */
static bool fits_field(const cairn_slot *slot, const cairn_field *field)
{
    return strcmp(slot->name, field->name) == 0 && slot->role == (cairn_role)field->role &&
           slot->column->kind == (cairn_kind)field->kind && slot->column->names.n <= field->names.n;
}

/* The next column of the role from `at` on; n_columns when there is none. */
static size_t next_of_role(const cairn_table *table, size_t at, cairn_role role)
{
    while (at < table->n_columns && table->slots[at].role != role) at++;
    return at;
}

/* What comes out of the chain is what the learner was fitted on: all features, and the target where
 * the table has one. Only a damaged model says otherwise, and no learner need look again. */
static cairn_status check_inner(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    size_t at = 0, target = next_of_role(table, 0, CAIRN_TARGET);
    bool fits = true;
    for (size_t i = 0; i < model->inner.n_fields && fits; i++) {
        const cairn_field *field = &model->inner.fields[i];
        if (field->role == CAIRN_FEATURE) {
            at = next_of_role(table, at, CAIRN_FEATURE);
            fits = at < table->n_columns && fits_field(&table->slots[at++], field);
        } else if (field->role == CAIRN_TARGET && target < table->n_columns &&
                   strcmp(table->slots[target].name, field->name) == 0) {
            fits = fits_field(&table->slots[target], field);
            target = next_of_role(table, target + 1, CAIRN_TARGET);
        }
    }
    if (fits && next_of_role(table, at, CAIRN_FEATURE) == table->n_columns &&
        target == table->n_columns)
        return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the model is damaged: its transforms do not give the columns that the learner "
        "was fitted on; fit and save the model again");
}

cairn_status cairn_chain_apply(cairn_context *ctx, const cairn_model *model, cairn_table **out,
                               const cairn_table *table)
{
    cairn_table *next = NULL;
    OWNED(cairn_table_free) cairn_table *now = NULL;
    CHECK(cairn_table_share(ctx, &now, table));
    for (size_t i = 0; i < model->n_chain; i++) {
        if (cairn_link_acting(&model->chain[i]) == CAIRN_ACTS_ON_TRAIN) continue;
        CHECK(cairn_link_apply(ctx, &model->chain[i], &next, now, false));
        cairn_table_free(now);
        now = next;
    }
    if (model->learner) CHECK(check_inner(ctx, model, now));
    *out = TAKE(now);
    return CAIRN_OK;
}

void cairn_chain_invert(const cairn_model *model, double *numbers, size_t n)
{
    for (size_t i = model->n_chain; i-- > 0;) {
        const cairn_link *link = &model->chain[i];
        if (link->transform->invert)
            link->transform->invert(link->state, link->params->values, numbers, n);
    }
}

bool cairn_model_changes_target(const cairn_model *model)
{
    double probe[2] = {0, 1};
    if (model->task != CAIRN_REGRESS) return false;
    cairn_chain_invert(model, probe, 2);
    return probe[0] != 0 || probe[1] != 1;
}

unsigned cairn_model_reports(const cairn_model *model)
{
    size_t n_targets = 0;
    unsigned kinds = model->task == CAIRN_CLASSIFY ? CAIRN_REPORTS_ACCURACY | CAIRN_REPORTS_ERRORS
                                                   : CAIRN_REPORTS_MSE | CAIRN_REPORTS_ERRORS;
    for (size_t f = 0; f < model->schema.n_fields; f++)
        n_targets += model->schema.fields[f].role == CAIRN_TARGET;
    if (model->learner->account && !model->account) kinds &= ~model->learner->account->reports;
    return n_targets == 1 ? model->learner->reports & kinds : 0;
}
