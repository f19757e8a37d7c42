/* SPDX-License-Identifier: MIT */
/* Fitting: what every learner would otherwise repeat.
 *
 *  1. check parameters; decide the task and leave out rows without a target (prepare.c)
 *  2. fit the chain of transforms on the training rows, which it may change
 *  3. check what the learner cannot accept (weights, missing cells, one class)
 *  4. call the learner; keep schema and provenance */
#include "base/call.h"
#include "base/file.h"
#include "base/need.h"
#include "base/number.h"
#include "base/options.h"
#include "data/row_names.h"
#include "model/background.h"
#include "model/chain.h"
#include "model/kept_parts.h"
#include "model/prepare.h"
#include "rows/moments.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What helps against a missing cell: not what was tried already, and not what cannot work. */
static const char *missing_remedy(const cairn_column *column, const char *policy)
{
    if (column->kind != CAIRN_NUMBER && column->kind != CAIRN_LEVEL)
        return "only numbers and levels can be filled, so {missing drop} leaves the row out, or "
               "{ignore} the column";
    if (cairn_same(policy, "impute"))
        return "the impute that was asked for does not reach the column; name it in its columns=, "
               "or leave columns= out";
    return "{missing impute} fills it, {missing drop} leaves the row out";
}

static cairn_status check_missing(cairn_context *ctx, const cairn_model *model,
                                  const cairn_view *view, const char *policy)
{
    bool accepts = cairn_model_accepts(model) & CAIRN_ACCEPTS_MISSING;
    if (accepts && !cairn_same(policy, "fail")) return CAIRN_OK;
    for (size_t c = 0; c < view->n_features; c++) {
        if (!view->features[c]->n_missing) continue;
        for (size_t i = 0; i < view->rows.n; i++)
            if (cairn_column_is_missing(view->features[c], cairn_view_row(view, i)))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "column '%s', row %zu: the cell is missing; %s", view->names[c],
                                  cairn_view_row(view, i) + 1,
                                  cairn_say(ctx, missing_remedy(view->features[c], policy)));
    }
    return CAIRN_OK;
}

/* Most learners cannot learn from one class; those that can answer it always, which is worth a
 * warning. */
static cairn_status check_classes(cairn_context *ctx, const cairn_model *model,
                                  const cairn_view *view)
{
    unsigned accepts = cairn_model_accepts(model);
    bool one = accepts & CAIRN_ACCEPTS_ONE_CLASS;
    if (model->task != CAIRN_CLASSIFY || (one && (accepts & CAIRN_ACCEPTS_TARGETS)))
        return CAIRN_OK;
    int32_t first = -1;
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = view->target->codes[cairn_view_row(view, i)];
        if (code < 0 || cairn_view_weight(view, i) <= 0) continue;
        if (first >= 0 && code != first) return CAIRN_OK;
        first = code;
    }
    if (one) {
        if (first >= 0 && !(accepts & CAIRN_WANTS_ONE_CLASS))
            cairn_warn(
                ctx,
                "the target '%s' has one class only ('%s'), so nothing is learned: every row "
                "is given this class",
                view->target_name, cairn_level_name(view->target, first));
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the target '%s' has one class only ('%s'), so there is nothing to learn; "
                      "choose another {target}",
                      view->target_name, cairn_level_name(view->target, first));
}

/* Before anything is fitted, since without weight every column seems empty. Columns of another kind
 * are refused with their view. */
static cairn_status check_weight(cairn_context *ctx, const cairn_table *table, cairn_rows rows)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_WEIGHT);
    cairn_view view = {.table = table, .rows = rows};
    if (at < 0 || table->slots[at].column->kind != CAIRN_NUMBER || rows.n == 0) return CAIRN_OK;
    const double *weights = table->slots[at].column->numbers;
    size_t largest = cairn_view_row(&view, 0);
    double sum = 0;
    bool any = false;
    for (size_t i = 0; i < rows.n; i++) {
        size_t row = cairn_view_row(&view, i);
        any |= weights[row] != 0;
        if (weights[row] > 0) sum += weights[row];
        if (weights[row] > weights[largest]) largest = row;
    }
    if (any && isinf(sum) && !isinf(weights[largest])) {
        char value[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, weights[largest], CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the weights in column '%s' add up to more than the largest number; the "
                          "largest is %s in row %zu: divide them all by the same number",
                          table->slots[at].name, value, largest + 1);
    }
    if (any) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the weight column '%s' is 0 in every row, so no row counts; choose another "
                      "{weight} or leave it out",
                      table->slots[at].name);
}

/* Items are labelled one by one: the first sequence or series of a row and its labels are equally
 * long, and there are some. */
static cairn_status check_lengths(cairn_context *ctx, const cairn_model *model,
                                  const cairn_view *view)
{
    ptrdiff_t feature = cairn_view_steps(view);
    size_t total = 0;
    if (feature < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s labels the items of a sequence, and no feature holds sequences; "
                          "declare one with {kinds 'COLUMN=sequence'}",
                          model->learner->entry.name);
    for (size_t i = 0; i < view->rows.n; i++) {
        cairn_sequence labels;
        size_t n = cairn_view_n_steps(view, (size_t)feature, i);
        cairn_view_target_sequences(view, i, 1, &labels);
        total += n;
        for (size_t t = 0; t < labels.n; t++)
            if (labels.items[t] < 0)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu: label %zu of '%s' is missing; give it one or leave "
                                  "the row out",
                                  cairn_view_row(view, i) + 1, t + 1, view->target_name);
        if (n == labels.n) continue;
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu: '%s' has %zu items and '%s' has %zu labels; every item needs "
                          "one, so correct the row or leave it out",
                          cairn_view_row(view, i) + 1, view->names[feature], n, view->target_name,
                          labels.n);
    }
    if (total) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no item to learn from in '%s'",
                      view->names[feature]);
}

/* Classes are not looked at while more rows follow, since those may bring the ones that are
 * missing. */
static cairn_status check_view(cairn_context *ctx, cairn_model *model, const cairn_view *view,
                               const cairn_fit_options *options)
{
    const char *name = model->learner->entry.name;
    unsigned accepts = cairn_model_accepts(model);
    if (view->n_features == 0 && !(accepts & CAIRN_ACCEPTS_NO_FEATURES))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no feature column is left for %s to learn from",
                          name);
    if (!(accepts & CAIRN_ACCEPTS_WEIGHTS) && cairn_view_is_weighted(view))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s cannot use row weights; leave out {weight}",
                          name);
    CHECK(check_missing(ctx, model, view, options->missing));
    if (model->task == CAIRN_LABEL_ITEMS) CHECK(check_lengths(ctx, model, view));
    if (!options->more_follow) CHECK(check_classes(ctx, model, view));
    model->total_weight = 0;
    for (size_t i = 0; i < view->rows.n; i++) model->total_weight += cairn_view_weight(view, i);
    if (!(model->total_weight > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the weights of all rows are 0");
    return CAIRN_OK;
}

/* A model that was written by hand takes the place of learning one. */
static cairn_status read_given(cairn_context *ctx, cairn_model *model, const cairn_job *job,
                               const char *path)
{
    OWNED(cairn_free) char *text = NULL;
    size_t length = 0;
    if (!model->learner->read)
        return cairn_fail(ctx, CAIRN_USAGE, "%s cannot be written by hand; leave out {given}",
                          model->learner->entry.name);
    CHECK(cairn_file_read_all(ctx, path, &text, &length));
    cairn_given given = {path, text, length};
    return model->learner->read(ctx, model->state, job, &given);
}

/* Room for the labels of the view's rows, none of which has one. */
static cairn_status want_fitted(cairn_context *ctx, const cairn_model *model,
                                const cairn_view *view, int32_t **out)
{
    *out = NULL;
    if (!model->learner->labels_rows) return CAIRN_OK;
    for (size_t i = 0; i < model->n_chain; i++)
        if (cairn_link_acting(&model->chain[i]) != CAIRN_ACTS_ALIKE)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "%s labels the rows that it is fitted to, and {with %s} changes them; "
                "leave it out",
                model->learner->entry.name, model->chain[i].transform->entry.name);
    CHECK(SCRATCH_RAW(ctx, out, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) (*out)[i] = -1;
    return CAIRN_OK;
}

/* The labels by row of the table. */
static cairn_status keep_fitted(cairn_context *ctx, cairn_model *model, const cairn_view *view,
                                const int32_t *fitted)
{
    size_t n = view->table->n_rows;
    if (!fitted) return CAIRN_OK;
    CHECK(NEW(ctx, &model->fitted.codes, n));
    model->fitted.n = n;
    for (size_t i = 0; i < n; i++) model->fitted.codes[i] = -1;
    for (size_t i = 0; i < view->rows.n; i++)
        model->fitted.codes[cairn_view_row(view, i)] = fitted[i];
    return CAIRN_OK;
}

/* What every learner finds in its job is put together here; a model given by hand is read
 * instead of fitted. */
static cairn_status fit_learner(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                cairn_rows rows, const cairn_fit_options *options,
                                cairn_shared *shared)
{
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, rows));
    CHECK(check_view(ctx, model, &view, options));
    CHECK(cairn_schema_from_table(ctx, &model->inner, table));
    CHECK(cairn_learner_begin(ctx, &model->state, model->learner));
    if (model->learner->history && !options->no_history)
        CHECK(NEW(ctx, (char **)&model->history, model->learner->history->size));
    if (model->learner->keeps_means && !options->no_history) {
        /* What reasons are told beside. */
        size_t *numbers, n = 0;
        CHECK(SCRATCH(ctx, &numbers, view.n_features + 1));
        for (size_t j = 0; j < view.n_features; j++)
            if (view.features[j]->kind == CAIRN_NUMBER) numbers[n++] = j;
        CHECK(NEW(ctx, &model->means, n + 1));
        CHECK(cairn_column_means(ctx, &view, numbers, n, model->means));
    }
    cairn_job job = cairn_model_job(model);
    job.view = &view;
    job.steps = options->steps;
    job.wanted = options->task;
    job.model = model;
    job.history = model->history;
    job.shared = shared;
    job.certificate = &model->certificate;
    CHECK(want_fitted(ctx, model, &view, &job.fitted));
    /* Fit, or read a model given by hand. What of memory it did not ask for beforehand is said
     * here. */
    size_t k = model->n_classes, many = 100;
    char classes[64] = "";
    if (k > many) snprintf(classes, sizeof classes, " of %zu classes", k);
    cairn_status status = options->given ? read_given(ctx, model, &job, options->given)
                                         : model->learner->fit(ctx, model->state, &job);
    if (status == CAIRN_OK && !options->given)
        CHECK(cairn_certificate_judge(ctx, &model->certificate, model->learner->entry.name));
    CHECK(cairn_need_said(ctx, status, k > many ? CAIRN_FEWER_CLASSES : CAIRN_SMALLER_TABLE,
                          "fitting %s to %zu rows%s and %zu columns", model->learner->entry.name,
                          job.view->rows.n, classes, job.view->n_features));
    CHECK(keep_fitted(ctx, model, &view, job.fitted));
    if (options->steps) CHECK(cairn_report_status(options->steps));
    return CAIRN_OK;
}

/* A column that every model inside leaves out is asked of no new row by the one around them, which
 * has no transforms of its own. */
static void forget_with_members(cairn_model *model)
{
    const cairn_learner *l = model->learner;
    bool around = (l->base || l->member) && !model->n_chain;
    for (size_t i = 0; around && i < model->schema.n_fields; i++) {
        cairn_field *field = &model->schema.fields[i];
        const cairn_model *inside = l->member ? l->member(model->state, 0) : l->base(model->state);
        bool out = inside && field->role == CAIRN_FEATURE;
        for (size_t k = 1; out && inside; k++) {
            const cairn_field *same = &inside->schema.fields[i]; /* of the same table */
            out = i < inside->schema.n_fields && same->role == CAIRN_IGNORED &&
                  strcmp(same->name, field->name) == 0;
            inside = l->member ? l->member(model->state, k) : NULL;
        }
        if (out) field->role = model->inner.fields[i].role = CAIRN_IGNORED;
    }
}

/* Take over what was set in `from`, settings of the same learner. */
static cairn_status merge_settings(cairn_context *ctx, cairn_params *params,
                                   const cairn_params *from)
{
    for (size_t i = 0; i < from->n_rows; i++)
        if (from->texts[i])
            CHECK(cairn_params_set(ctx, params, cairn_params_row(from->entry, i, NULL)->name,
                                   from->texts[i]));
    return CAIRN_OK;
}

/* Replace *params by those of the wrapper with them as its base; a wrapper is not put around
 * itself. */
static cairn_status wrap(cairn_context *ctx, cairn_params **params, const cairn_params *wrapper)
{
    OWNED(cairn_params_free) cairn_params *outer = NULL;
    if (!(((const cairn_learner *)wrapper->entry)->accepts & CAIRN_ACCEPTS_RAW))
        return cairn_fail(ctx, CAIRN_USAGE, "%s does not wrap another learner",
                          wrapper->entry->name);
    if (wrapper->entry == (*params)->entry) return merge_settings(ctx, *params, wrapper);
    CHECK(cairn_params_copy(ctx, &outer, wrapper));
    CHECK(cairn_params_set_object(ctx, outer, "base", *params));
    cairn_params_free(*params);
    *params = TAKE(outer);
    return CAIRN_OK;
}

/* Whether there are more targets than the learner can take. */
static bool needs_multi_target(const cairn_params *params, const cairn_table *table)
{
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    return (learner->tasks & (CAIRN_CLASSIFY | CAIRN_REGRESS)) &&
           !(cairn_learner_accepts(learner, params->values) & CAIRN_ACCEPTS_TARGETS) &&
           cairn_table_role_count(table, CAIRN_TARGET) > 1;
}

/* Whether something of the options or of the table belongs into the settings of a wrapper. */
static bool wraps(const cairn_params *params, const cairn_table *table,
                  const cairn_fit_options *options)
{
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    return needs_multi_target(params, table) || (options->around && options->around[0]) ||
           (options->transforms && (learner->accepts & CAIRN_ACCEPTS_RAW));
}

static cairn_status fit_rows(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                             const cairn_table *table, cairn_rows rows,
                             const cairn_fit_options *options, cairn_shared *shared);

/* The order is the contract: parameters, task and rows, then the chain on the training rows
 * alone, then the learner on what the chain gives. */
static cairn_status fit_rows(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                             const cairn_table *table, cairn_rows rows,
                             const cairn_fit_options *options, cairn_shared *shared)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    OWNED(cairn_table_free) cairn_table *prepared = NULL;
    if (wraps(params, table, options)) {
        /* The wrappers around the learner, the innermost first. They take the transforms along,
         * so that whatever is fitted again has them fitted again. */
        OWNED(cairn_params_free) cairn_params *wrapped = NULL;
        OWNED(cairn_params_free) cairn_params *several = NULL;
        cairn_fit_options outside = *options;
        outside.transforms = NULL;
        outside.around = NULL;
        if (options->scale_on_all)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "a learner inside another one sees training rows only, so its scaling "
                "cannot be fitted on all rows; leave out {scale-on all}");
        CHECK(cairn_params_copy(ctx, &wrapped, params));
        for (const cairn_params *const *w = options->around; w && *w; w++)
            CHECK(wrap(ctx, &wrapped, *w));
        if (needs_multi_target(wrapped, table)) {
            CHECK(cairn_params_new(ctx, &several, "multi-target"));
            CHECK(wrap(ctx, &wrapped, several));
        }
        if (options->transforms)
            CHECK(cairn_params_set_object(ctx, wrapped, "with", options->transforms));
        return fit_rows(ctx, out, wrapped, table, rows, &outside, NULL);
    }
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(NEW(ctx, &model, 1));
    model->learner = (const cairn_learner *)params->entry;
    CHECK(cairn_params_copy(ctx, &model->params, params));
    CHECK(cairn_params_check(ctx, model->params));
    CHECK(cairn_prepare(ctx, model, &prepared, table, &rows, options));
    CHECK(check_weight(ctx, prepared, rows));
    cairn_rows given = rows;
    CHECK(cairn_chain_fit(ctx, model, &inner, prepared, &rows, options));
    CHECK(fit_learner(ctx, model, inner, rows, options, shared));
    CHECK(cairn_chain_forget(ctx, model, prepared, given));
    forget_with_members(model);
    if (!options->no_history) CHECK(cairn_background_keep(ctx, model, prepared, given));
    *out = TAKE(model);
    return CAIRN_OK;
}

cairn_status cairn_fit_options_full(cairn_context *ctx, cairn_fit_options *full,
                                    const cairn_fit_options *given)
{
    *full = (cairn_fit_options)CAIRN_FIT_OPTIONS_INIT;
    return cairn_options_take(ctx, full, sizeof *full, given, "cairn_fit_options");
}

cairn_status cairn_fit_options_open(cairn_context *ctx, cairn_fit_options *options,
                                    cairn_params **own)
{
    OWNED(cairn_params_free) cairn_params *all = NULL;
    cairn_params *behind;
    if (!options->with) return CAIRN_OK;
    CHECK(cairn_params_append_specs(ctx, &all, CAIRN_ENTRY_TRANSFORM, options->with));
    CHECK(cairn_params_copy_list(ctx, &behind, options->transforms));
    cairn_params_append(&all, behind);
    options->with = NULL;
    options->transforms = *own = TAKE(all);
    return CAIRN_OK;
}

/* What is of a single fit: for the learner and the transforms in front of it. */
static cairn_status refuse_single(cairn_context *ctx, const cairn_params *params,
                                  const cairn_params *transforms)
{
    CHECK(cairn_params_refuse_single(ctx, params));
    for (; transforms; transforms = transforms->next)
        CHECK(cairn_params_refuse_single(ctx, transforms));
    return CAIRN_OK;
}

cairn_status cairn_model_fit_shared(cairn_context *ctx, cairn_model **out,
                                    const cairn_params *params, const cairn_table *table,
                                    cairn_rows rows, const cairn_fit_options *options,
                                    cairn_shared *shared)
{
    OWNED(cairn_params_free) cairn_params *own = NULL;
    cairn_fit_options full;
    CHECK(cairn_fit_options_full(ctx, &full, options));
    CHECK(cairn_fit_options_open(ctx, &full, &own));
    full.no_history = true;
    CHECK(refuse_single(ctx, params, full.transforms));
    return fit_rows(ctx, out, params, table, rows, &full, shared);
}

cairn_status cairn_model_fit_rows(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                                  const cairn_table *table, cairn_rows rows,
                                  const cairn_fit_options *options)
{
    return cairn_model_fit_shared(ctx, out, params, table, rows, options, NULL);
}

cairn_status cairn_model_fit(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                             const cairn_table *table, const cairn_fit_options *options)
{
    PUBLIC_CALL(ctx);
    uint64_t hash = 0;
    OWNED(cairn_params_free) cairn_params *own = NULL;
    OWNED(cairn_table_free) cairn_table *named = NULL;
    cairn_fit_options full;
    CHECK(cairn_fit_options_full(ctx, &full, options));
    CHECK(cairn_fit_options_open(ctx, &full, &own));
    CHECK(cairn_table_hash_parallel(ctx, table, &hash));
    CHECK(cairn_table_share(ctx, &named, table));
    CHECK(cairn_table_name_rows(ctx, named, /* a program's own columns are meant as they are */
                                table->source ? CAIRN_NAMED_LIKELY : CAIRN_NAMED_CLEARLY));
    CHECK(fit_rows(ctx, out, params, named, cairn_all_rows(named), &full, NULL));
    (*out)->data_hash = hash;
    return CAIRN_OK;
}
