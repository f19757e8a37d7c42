/* SPDX-License-Identifier: MIT */
/* The chain. Each link is fitted on the table as the links before it left it, and only on the
 * training rows, so nothing of a held-out row can leak into the model. */
#include "model/chain.h"
#include "base/need.h"
#include "data/item_columns.h"
#include "data/scaled.h"
#include "data/shape.h"
#include <string.h>

void cairn_link_clear(cairn_link *link)
{
    if (link->state && link->transform->clear) link->transform->clear(link->state);
    if (link->state && link->transform->keeps)
        cairn_kept_clear(link->transform->keeps, link->state);
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

cairn_status cairn_link_open(cairn_context *ctx, cairn_link *link, cairn_params *params)
{
    cairn_status status;
    link->params = params;
    link->transform = (const cairn_transform *)params->entry;
    TRY(cairn_params_check(ctx, link->params));
    TRY(cairn_transform_begin(ctx, &link->state, link->transform));
done:
    if (status) cairn_link_clear(link);
    return status;
}

/* What a transform needs of memory and does not say by itself. */
static cairn_status said_of(cairn_context *ctx, cairn_status status, const cairn_link *link,
                            const cairn_table *table)
{
    return cairn_need_said(ctx, status, CAIRN_SMALLER_TABLE, "%s of %zu rows and %zu columns",
                           link->transform->entry.name, table->n_rows, table->n_columns);
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
    return said_of(ctx, link->transform->fit(ctx, link->state, &job), link, table);
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
    return said_of(ctx, status, link, table);
}

/* Columns of items may be without numbers in what comes out. */
static cairn_status apply_link(cairn_context *ctx, const cairn_link *link, cairn_table **out,
                               const cairn_table *table, bool training)
{
    SCOPED_SCRATCH(ctx);
    const cairn_transform *transform = link->transform;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    cairn_status status =
        training && transform->train
            ? transform->train(ctx, out, link->state, link->params->values, table)
            : transform->apply(ctx, out, link->state, link->params->values, table);
    return said_of(ctx, status, link, table);
}

cairn_status cairn_link_apply(cairn_context *ctx, const cairn_link *link, cairn_table **out,
                              const cairn_table *table, bool training)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(apply_link(ctx, link, &made, table, training));
    CHECK(cairn_table_settle_items(ctx, made));
    *out = TAKE(made);
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

static bool lacks_numbers(const cairn_table *table);

/* Whether the link works with columns whose numbers are only promised: filling what is missing
 * looks at their means alone, where nothing is. */
static bool reads_scaled(const cairn_link *link, const cairn_table *table)
{
    return link->automatic && strcmp(link->transform->entry.name, "impute") == 0 &&
           cairn_link_acting(link) == CAIRN_ACTS_ALIKE && !lacks_numbers(table);
}

/* Fit the next link, to which the settings pass, and replace *table by what it makes. */
static cairn_status chain_add(cairn_context *ctx, cairn_model *model, cairn_table **table,
                              cairn_rows *rows, cairn_params *params, bool automatic,
                              const cairn_fit_options *options)
{
    cairn_report *steps = automatic ? NULL : options->steps;
    cairn_status status;
    cairn_link link = {0};
    cairn_table *next = NULL;
    TRY(cairn_link_open(ctx, &link, params));
    TRY(cairn_tick(ctx, NULL, 0, 0));
    TRY(RESIZE(ctx, &model->chain, model->n_chain + 1));
    link.automatic = automatic;
    TRY(cairn_table_settle_items(ctx, *table));
    if (!reads_scaled(&link, *table)) TRY(cairn_table_settle(ctx, *table));
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

/* A link that nobody asked for and the learner needs. */
static cairn_status add_automatic(cairn_context *ctx, cairn_model *model, cairn_table **table,
                                  cairn_rows *rows, const char *spec,
                                  const cairn_fit_options *options)
{
    cairn_params *params;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_TRANSFORM, spec));
    return chain_add(ctx, model, table, rows, params, true, options);
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

static bool is_text(const cairn_column *column, cairn_rows rows)
{
    (void)rows;
    return column->kind == CAIRN_TEXT;
}

/* Whether impute would find nothing to fill the column with. */
static bool is_empty(const cairn_column *column, cairn_rows rows)
{
    const cairn_scaled *how = cairn_column_scaled(column); /* lacks what it is made of lacks */
    if (how) column = how->from;
    if ((column->kind != CAIRN_NUMBER && column->kind != CAIRN_LEVEL) || !column->n_missing)
        return false;
    for (size_t i = 0; i < rows.n; i++)
        if (!cairn_column_is_missing(column, rows.indices ? rows.indices[i] : i)) return false;
    return true;
}

/* The features for which `is` holds, as a list; returns how many. `others` gets the number of
 * features that remain. */
static size_t list_features(cairn_text *names, const cairn_table *table, cairn_rows rows,
                            bool (*is)(const cairn_column *column, cairn_rows rows), size_t *others)
{
    size_t n = 0;
    *others = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_FEATURE) continue;
        if (is(slot->column, rows))
            cairn_text_addf(names, "%s%s", n++ ? "," : "", slot->name);
        else
            ++*others;
    }
    return n;
}

/* Whether most of a text column's cells are of several words, as sentences are and codes are not. A
 * word is a run of two letters at least; the first rows tell. */
static bool is_prose(const cairn_column *column, cairn_rows rows)
{
    enum { LOOKED_AT = 1000, WORDS = 3 };
    size_t looked = rows.n < LOOKED_AT ? rows.n : LOOKED_AT, prose = 0;
    for (size_t i = 0; i < looked; i++) {
        size_t row = rows.indices ? rows.indices[i] : i, words = 0, run = 0;
        for (uint64_t at = column->starts[row]; at < column->starts[row + 1]; at++) {
            unsigned char letter = (unsigned char)column->bytes[at];
            bool is = (letter | 32) >= 'a' && (letter | 32) <= 'z';
            run = is || letter >= 0x80 ? run + 1 : 0;
            words += run == 2;
        }
        prose += words >= WORDS;
    }
    return looked > 0 && 2 * prose >= looked;
}

/* The text column that is the only one to learn from, whose words are then taken; NULL = there is
 * another column, or it is no prose. */
static const cairn_slot *lone_prose(const cairn_table *table, cairn_rows rows)
{
    const cairn_slot *only = NULL;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->slots[i].role != CAIRN_FEATURE) continue;
        if (only || table->slots[i].column->kind != CAIRN_TEXT) return NULL;
        only = &table->slots[i];
    }
    return only && is_prose(only->column, rows) ? only : NULL;
}

/* Warn that text columns are left out, all at once and with a word about what else can be done;
 * refuse where nothing else is there to learn from, or on request. The words of the
 * only column are learned from. *n says how many there are. */
static cairn_status say_texts(cairn_context *ctx, const cairn_learner *learner,
                              const cairn_table *table, cairn_rows rows, bool strict, size_t *n)
{
    size_t others;
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    *n = list_features(&names, table, rows, is_text, &others);
    bool one = *n == 1;
    const char *it = one ? "it" : "them", *list = cairn_text_string(&names), *s = one ? "" : "s";
    CHECK(cairn_text_status(&names));
    if (!*n) return CAIRN_OK;
    const cairn_slot *prose = strict ? NULL : lone_prose(table, rows);
    if (prose) {
        cairn_warn(ctx,
                   "column '%s' holds text and is the only one to learn from: its words are "
                   "learned from, as with {with bag}; {with bag:stop=english} and the like say how",
                   prose->name);
        return CAIRN_OK;
    }
    if (strict || !others)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "column%s '%s' hold%s text, which %s cannot use; {with bag} makes bags of "
                         "words of %s, {ignore '%s'} leaves %s out, {kinds} declares levels",
                         s, list, one ? "s" : "", learner->entry.name, it, list, it));
    cairn_warn(ctx,
               "column%s '%s' hold%s text, which %s cannot use, and %s left out; {with bag} makes "
               "bags of words of %s, {kinds} declares levels, {ignore '%s'} says that %s to be "
               "left out",
               s, list, one ? "s" : "", learner->entry.name, one ? "is" : "are", it, list,
               one ? "it is" : "they are");
    return CAIRN_OK;
}

/* The same for columns that nothing can fill, which impute refuses when it is to. */
static cairn_status say_empty(cairn_context *ctx, const cairn_table *table, cairn_rows rows,
                              bool strict, size_t *n)
{
    size_t others;
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    *n = list_features(&names, table, rows, is_empty, &others);
    if (strict || !others) *n = 0;
    CHECK(cairn_text_status(&names));
    if (*n)
        cairn_warn(ctx,
                   "column%s '%s' %s no value in any training row and %s left out; {ignore '%s'} "
                   "says so",
                   *n == 1 ? "" : "s", cairn_text_string(&names), *n == 1 ? "has" : "have",
                   *n == 1 ? "is" : "are", cairn_text_string(&names));
    return CAIRN_OK;
}

static cairn_status add_impute(cairn_context *ctx, cairn_model *model, cairn_table **table,
                               cairn_rows *rows, const cairn_fit_options *options)
{
    size_t n;
    CHECK(say_empty(ctx, *table, *rows, options->strict, &n));
    if (n) CHECK(add_automatic(ctx, model, table, rows, "drop:which=empty", options));
    return add_automatic(ctx, model, table, rows, "impute", options);
}

/* Whether the learner looks at the columns as they are, through transforms of its own or not at
 * all. */
static bool takes_any_kind(unsigned accepts)
{
    return accepts & (CAIRN_IGNORES_FEATURES | CAIRN_ACCEPTS_RAW);
}

static bool imputes(unsigned accepts, const char *policy)
{
    if (cairn_same(policy, "drop") || cairn_same(policy, "fail")) return false;
    return !(accepts & CAIRN_ACCEPTS_MISSING) || cairn_same(policy, "impute");
}

cairn_status cairn_chain_foretell(cairn_context *ctx, const cairn_params *params,
                                  const cairn_table *table, cairn_rows rows,
                                  const cairn_fit_options *options)
{
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    unsigned accepts = cairn_learner_accepts(learner, params->values);
    size_t n;
    if (takes_any_kind(accepts) || options->strict) return CAIRN_OK;
    if ((options->with && options->with[0]) || options->transforms) return CAIRN_OK;
    if (!(accepts & CAIRN_ACCEPTS_TEXTS)) CHECK(say_texts(ctx, learner, table, rows, false, &n));
    return imputes(accepts, options->missing) ? say_empty(ctx, table, rows, false, &n) : CAIRN_OK;
}

/* Whether numbers become levels for a learner of levels alone. One that takes texts or sequences
 * compares what is written, and bins would be another thing. */
static bool cuts_numbers(unsigned accepts)
{
    unsigned written = CAIRN_ACCEPTS_TEXTS | CAIRN_ACCEPTS_SEQUENCES;
    return (accepts & CAIRN_ACCEPTS_LEVELS) && !(accepts & (CAIRN_ACCEPTS_NUMBERS | written)) &&
           !takes_any_kind(accepts);
}

/* Kinds that no automatic transform can mend. */
static cairn_status check_kinds(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    unsigned accepts = cairn_model_accepts(model);
    ptrdiff_t at;
    if (takes_any_kind(accepts)) return CAIRN_OK;
    if (!(accepts & CAIRN_ACCEPTS_SEQUENCES) && (at = first_feature(table, CAIRN_SEQUENCE)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at,
                           cairn_say(ctx, "{kinds} declares it as a bag, which counts its items "
                                          "without their order, {ignore} leaves it out"));
    if (!(accepts & CAIRN_ACCEPTS_SERIES) && (at = first_feature(table, CAIRN_SERIES)) >= 0)
        return refuse_kind(ctx, model, table, (size_t)at,
                           cairn_say(ctx, "{kinds} declares its numbers as the names of a "
                                          "sequence, {ignore} leaves it out"));
    if ((at = first_feature(table, CAIRN_TIME)) >= 0)
        return refuse_kind(
            ctx, model, table, (size_t)at,
            cairn_say(ctx, "{with time} makes numbers of it (hour, weekday, ...), {ignore} leaves "
                           "it out"));
    if (!(accepts & CAIRN_ACCEPTS_NUMBERS) && !cuts_numbers(accepts) &&
        (at = first_feature(table, CAIRN_NUMBER)) >= 0)
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

/* Whether the user's chain says something about the scale of features: then nothing is added. */
static bool has_scaling(const cairn_model *model)
{
    for (size_t i = 0; i < model->n_chain; i++) {
        const cairn_link *link = &model->chain[i];
        bool target_only = cairn_params_has(&link->transform->entry, "target") &&
                           cairn_same(cairn_params_text(link->params, "target"), "only");
        if (link->transform->sets_scale || (link->transform->scales && !target_only)) return true;
    }
    return false;
}

/* Whether number columns are to be standardised unasked. A model that was written by hand is in the
 * units of the data, and a matrix of distances has no columns to compare. */
static bool needs_scaling(const cairn_model *model, const cairn_table *table,
                          const cairn_fit_options *options)
{
    return (cairn_model_accepts(model) & CAIRN_WANTS_SCALING) && !options->given &&
           (cairn_shape)table->shape == CAIRN_SHAPE_TABLE &&
           first_feature(table, CAIRN_NUMBER) >= 0 && !has_scaling(model);
}

static bool lacks_numbers(const cairn_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE && table->slots[i].column->kind == CAIRN_NUMBER &&
            table->slots[i].column->n_missing)
            return true;
    return false;
}

/* Whether missing cells may have to be filled. New rows of a table may lack what those at hand
 * have; a matrix of distances is all there is. */
static bool may_lack_cells(const cairn_table *table)
{
    bool fillable =
        first_feature(table, CAIRN_NUMBER) >= 0 || first_feature(table, CAIRN_LEVEL) >= 0;
    return fillable && ((cairn_shape)table->shape != CAIRN_SHAPE_DISTANCES || lacks_numbers(table));
}

/* The transforms that the learner needs before it can eat the table. Numbers are scaled before
 * levels become 0 and 1, which are comparable as they are. */
static cairn_status add_needed(cairn_context *ctx, cairn_model *model, cairn_table **table,
                               cairn_rows *rows, const cairn_fit_options *options)
{
    unsigned accepts = cairn_model_accepts(model);
    bool raw = takes_any_kind(accepts);
    if (!raw && first_feature(*table, CAIRN_TIME) >= 0 && !has_link(model, "time"))
        CHECK(add_automatic(ctx, model, table, rows, "time", options));
    if (!raw && !(accepts & CAIRN_ACCEPTS_TEXTS)) {
        size_t n;
        CHECK(say_texts(ctx, model->learner, *table, *rows, options->strict, &n));
        const char *spec = lone_prose(*table, *rows) ? "bag" : "drop:which=texts";
        if (n) CHECK(add_automatic(ctx, model, table, rows, spec, options));
    }
    CHECK(check_kinds(ctx, model, *table));
    if (imputes(accepts, options->missing) && may_lack_cells(*table) && !has_link(model, "impute"))
        CHECK(add_impute(ctx, model, table, rows, options));
    if (needs_scaling(model, *table, options))
        CHECK(add_automatic(ctx, model, table, rows,
                            (*table)->own_units ? "scale:method=none" : "standardise", options));
    if (!(accepts & CAIRN_ACCEPTS_LEVELS) && first_feature(*table, CAIRN_LEVEL) >= 0)
        CHECK(add_automatic(ctx, model, table, rows,
                            accepts & CAIRN_WANTS_REFERENCE
                                ? "indicators:kinds=levels,reference=yes"
                                : "indicators:kinds=levels",
                            options));
    if (!(accepts & CAIRN_ACCEPTS_BAGS) && first_feature(*table, CAIRN_BAG) >= 0)
        CHECK(add_automatic(ctx, model, table, rows, "indicators:kinds=bags", options));
    if (cuts_numbers(accepts) && first_feature(*table, CAIRN_NUMBER) >= 0)
        CHECK(add_automatic(ctx, model, table, rows,
                            model->task == CAIRN_CLUSTER ? "bins:bins=4,method=frequency"
                                                         : "discretise:mdl=yes",
                            options));
    return CAIRN_OK;
}

cairn_status cairn_chain_fit(cairn_context *ctx, cairn_model *model, cairn_table **out,
                             const cairn_table *table, cairn_rows *rows,
                             const cairn_fit_options *options)
{
    OWNED(cairn_table_free) cairn_table *now = NULL;
    CHECK(cairn_table_share(ctx, &now, table));
    for (const cairn_params *t = options->transforms; t; t = t->next) {
        cairn_params *own;
        /* Fill missing cells before a transform that cannot work with them. */
        bool may = model->learner && !cairn_same(options->missing, "drop") &&
                   !cairn_same(options->missing, "fail") && !has_link(model, "impute");
        if (may && lacks_numbers(now)) {
            bool wants = ((const cairn_transform *)t->entry)->wants_complete;
            if (wants) CHECK(add_impute(ctx, model, &now, rows, options));
        }
        CHECK(cairn_params_copy(ctx, &own, t));
        CHECK(chain_add(ctx, model, &now, rows, own, false, options));
    }
    if (model->learner) CHECK(add_needed(ctx, model, &now, rows, options));
    unsigned accepts = model->learner ? cairn_model_accepts(model) : 0;
    bool looked_at = options->steps || options->given;
    if (looked_at || !(accepts & CAIRN_ACCEPTS_ITEMS)) CHECK(cairn_table_settle_items(ctx, now));
    if (looked_at || !(accepts & CAIRN_ACCEPTS_SCALED) || lacks_numbers(now))
        CHECK(cairn_table_settle(ctx, now));
    *out = TAKE(now);
    return CAIRN_OK;
}

cairn_status cairn_chain_damaged(cairn_context *ctx)
{
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the model is damaged: its transforms do not give the columns that the learner "
        "was fitted on; fit and save the model again");
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
    return cairn_chain_damaged(ctx);
}

cairn_status cairn_chain_answer(cairn_context *ctx, const cairn_model *model, cairn_table **out,
                                const cairn_table *table)
{
    cairn_table *next = NULL;
    OWNED(cairn_table_free) cairn_table *now = NULL;
    bool reads_items = model->learner && cairn_model_accepts(model) & CAIRN_ACCEPTS_ITEMS;
    CHECK(cairn_table_share(ctx, &now, table));
    for (size_t i = 0; i < model->n_chain; i++) {
        if (cairn_link_acting(&model->chain[i]) == CAIRN_ACTS_ON_TRAIN) continue;
        CHECK(cairn_table_settle_items(ctx, now));
        CHECK(apply_link(ctx, &model->chain[i], &next, now, false));
        cairn_table_free(now);
        now = next;
    }
    if (!reads_items) CHECK(cairn_table_settle_items(ctx, now));
    if (model->learner) CHECK(check_inner(ctx, model, now));
    *out = TAKE(now);
    return CAIRN_OK;
}

cairn_status cairn_chain_apply(cairn_context *ctx, const cairn_model *model, cairn_table **out,
                               const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_chain_answer(ctx, model, &made, table));
    CHECK(cairn_table_settle_items(ctx, made));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* Whether the chain gives the learner's columns without those of the raw table that `out` marks: a
 * transform of the user's may have made something of them before they were left out. */
static cairn_status is_needless(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table, const bool *out, bool *needless)
{
    OWNED(cairn_table_free) cairn_table *few = NULL;
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    const uint32_t first = 0;
    CHECK(cairn_table_take_rows(ctx, &few, table, &first, 1));
    for (size_t i = 0; i < few->n_columns; i++)
        if (out[i]) cairn_table_take_out(few, i);
    cairn_table_close_gaps(few);
    cairn_status status = cairn_chain_apply(ctx, model, &inner, few);
    *needless = status == CAIRN_OK;
    return status == CAIRN_NO_MEMORY || status == CAIRN_CANCELLED ? status : CAIRN_OK;
}

cairn_status cairn_chain_forget(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                cairn_rows rows)
{
    SCOPED_SCRATCH(ctx);
    bool *out, any = false, needless = true;
    CHECK(SCRATCH(ctx, &out, table->n_columns + 1));
    for (size_t i = 0; has_link(model, "drop") && i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        out[i] = slot->role == CAIRN_FEATURE &&
                 (is_text(slot->column, rows) || is_empty(slot->column, rows));
        any |= out[i];
    }
    if (!any || !table->n_rows) return CAIRN_OK;
    CHECK(is_needless(ctx, model, table, out, &needless));
    for (size_t i = 0; needless && i < table->n_columns; i++)
        if (out[i]) model->schema.fields[i].role = CAIRN_IGNORED;
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

bool cairn_chain_restore(const cairn_model *model, const char *column, double *value)
{
    bool changed = false;
    for (size_t i = model->n_chain; i-- > 0;) {
        const cairn_link *link = &model->chain[i];
        if (link->transform->restore)
            changed |= link->transform->restore(link->state, link->params->values, column, value);
    }
    return changed;
}
