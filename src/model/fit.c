/* SPDX-License-Identifier: MIT */
/* Fitting: what every learner would otherwise repeat.
 *
 *  1. check parameters; decide the task and leave out rows without a target
 *  2. fit the chain of transforms on the training rows
 *  3. check what the learner cannot accept (weights, missing cells, one class)
 *  4. call the learner; keep schema and provenance */
#include "data/shape.h"
#include "model/chain.h"
#include "model/task.h"
#include <math.h>
#include <string.h>

/* A model has a state only when its learner was found. */
void cairn_model_free(cairn_model *model)
{
    if (!model) return;
    if (model->state && model->learner->clear) model->learner->clear(model->state);
    cairn_free(model->state);
    for (size_t i = 0; model->chain && i < model->n_chain; i++) cairn_link_clear(&model->chain[i]);
    cairn_free(model->chain);
    cairn_schema_clear(&model->schema);
    cairn_schema_clear(&model->inner);
    cairn_params_free(model->params);
    cairn_free(model->command);
    cairn_free(model->decision);
    cairn_free(model);
}

const char *cairn_model_learner(const cairn_model *model)
{
    return model->learner->entry.name;
}

cairn_task cairn_model_task(const cairn_model *model)
{
    return model->task;
}

const cairn_field *cairn_model_target(const cairn_model *model)
{
    ptrdiff_t at = cairn_schema_role(&model->schema, CAIRN_TARGET);
    return at < 0 || model->task == CAIRN_CLUSTER ? NULL : &model->schema.fields[at];
}

/* Whether a feature of the row is missing. */
static bool row_has_missing(const cairn_table *table, size_t row)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && table->slots[c].column->n_missing &&
            cairn_column_is_missing(table->slots[c].column, row))
            return true;
    return false;
}

/* The rows that can be learned from: the target is there and, with `drop`, every feature too. */
static cairn_status usable_rows(cairn_context *ctx, cairn_rows *rows, const cairn_table *table,
                                const cairn_column *target, bool drop, size_t *n_dropped)
{
    cairn_status status;
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *n_dropped = 0;
    bool features = false;
    for (size_t c = 0; drop && c < table->n_columns; c++)
        features |= table->slots[c].role == CAIRN_FEATURE && table->slots[c].column->n_missing;
    if (!(target && target->n_missing) && !features) return CAIRN_OK;
    TRY(SCRATCH_RAW(ctx, &indices, rows->n));
    if (rows->weights) TRY(SCRATCH_RAW(ctx, &weights, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->indices ? rows->indices[i] : i;
        if (target && cairn_column_is_missing(target, row)) continue;
        if (features && row_has_missing(table, row)) continue;
        if (weights) weights[n] = rows->weights[i];
        indices[n++] = (uint32_t)row;
    }
    *n_dropped = rows->n - n;
    *rows = (cairn_rows){indices, n, weights};
done:
    return status;
}

static cairn_status check_missing(cairn_context *ctx, const cairn_model *model,
                                  const cairn_view *view, const char *policy)
{
    bool accepts = model->learner->accepts & CAIRN_ACCEPTS_MISSING;
    if (accepts && !cairn_same(policy, "fail")) return CAIRN_OK;
    for (size_t c = 0; c < view->n_features; c++) {
        if (!view->features[c]->n_missing) continue;
        for (size_t i = 0; i < view->rows.n; i++)
            if (cairn_column_is_missing(view->features[c], cairn_view_row(view, i)))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "column '%s', row %zu: the cell is missing; --missing impute "
                                  "fills it, --missing drop leaves the row out",
                                  view->names[c], cairn_view_row(view, i) + 1);
    }
    return CAIRN_OK;
}

static cairn_status check_classes(cairn_context *ctx, const cairn_model *model,
                                  const cairn_view *view)
{
    if (model->task != CAIRN_CLASSIFY || (model->learner->accepts & CAIRN_ACCEPTS_ONE_CLASS))
        return CAIRN_OK;
    int32_t first = -1;
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = view->target->codes[cairn_view_row(view, i)];
        if (cairn_view_weight(view, i) <= 0) continue;
        if (first >= 0 && code != first) return CAIRN_OK;
        first = code;
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the target '%s' has one class only ('%s'), so there is nothing to learn; "
                      "choose another --target",
                      view->target_name, cairn_level_name(view->target, first));
}

/* The answer that looks at no feature, against which every other is measured. */
static cairn_status keep_baseline(cairn_context *ctx, cairn_model *model, const cairn_view *view)
{
    cairn_status status = CAIRN_OK;
    double *weights, sum = 0;
    if (!view->target) goto done;
    size_t n_classes = view->target->kind == CAIRN_LEVEL ? view->target->names.n : 0;
    TRY(SCRATCH(ctx, &weights, n_classes + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        if (n_classes)
            weights[view->target->codes[row]] += w;
        else
            sum += w * view->target->numbers[row];
    }
    size_t best = 0;
    for (size_t c = 1; c < n_classes; c++)
        if (weights[c] > weights[best]) best = c;
    model->baseline = n_classes ? (double)best : sum / model->total_weight;
done:
    return status;
}

static cairn_status check_view(cairn_context *ctx, cairn_model *model, const cairn_view *view,
                               const cairn_fit_options *options)
{
    cairn_status status;
    const char *name = model->learner->entry.name;
    unsigned accepts = model->learner->accepts;
    if (view->n_features == 0 && !(accepts & CAIRN_ACCEPTS_NO_FEATURES))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no feature column is left for %s to learn from",
                          name);
    if (!(accepts & CAIRN_ACCEPTS_WEIGHTS) && cairn_view_is_weighted(view))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s cannot use row weights; leave out --weight",
                          name);
    TRY(check_missing(ctx, model, view, options->missing));
    TRY(check_classes(ctx, model, view));
    model->total_weight = 0;
    for (size_t i = 0; i < view->rows.n; i++) model->total_weight += cairn_view_weight(view, i);
    if (!(model->total_weight > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the weights of all rows are 0");
done:
    return status;
}

/* Columns that are of no use in fitting are turned off in the copy: they would confuse the
 * chain. */
static void hide_target_of_clustering(const cairn_model *model, cairn_table *table)
{
    if (model->task != CAIRN_CLUSTER) return;
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_TARGET) table->slots[i].role = CAIRN_IGNORED;
}

static cairn_status fit_learner(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                cairn_rows rows, const cairn_fit_options *options)
{
    cairn_status status;
    cairn_view view;
    TRY(cairn_view_make(ctx, &view, table, rows));
    TRY(check_view(ctx, model, &view, options));
    TRY(keep_baseline(ctx, model, &view));
    TRY(cairn_schema_from_table(ctx, &model->inner, table));
    if (model->task == CAIRN_CLASSIFY) {
        model->n_classes = view.target->names.n;
        TRY(cairn_task_positive(ctx, model, &view, options->positive));
    }
    TRY(NEW(ctx, (char **)&model->state, model->learner->model_size));
    cairn_job job = {.task = model->task,
                     .params = model->params->values,
                     .view = &view,
                     .schema = &model->inner,
                     .n_classes = model->n_classes,
                     .positive = model->positive,
                     .steps = options->steps};
    TRY(model->learner->fit(ctx, model->state, &job));
    if (options->steps) TRY(cairn_report_status(options->steps));
done:
    return status;
}

static cairn_status keep_provenance(cairn_context *ctx, cairn_model *model,
                                    const cairn_table *table, size_t n_rows,
                                    const cairn_fit_options *options)
{
    model->seed = cairn_context_seed(ctx);
    model->n_rows = n_rows;
    model->n_columns = table->n_columns;
    const char *command = options->command ? options->command : "";
    return cairn_copy_text(ctx, &model->command, command, strlen(command));
}

static cairn_status check_policy(cairn_context *ctx, const char *policy)
{
    if (!policy || cairn_same(policy, "auto") || cairn_same(policy, "fail") ||
        cairn_same(policy, "drop") || cairn_same(policy, "impute"))
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "--missing must be auto, fail, drop or impute, not '%s'",
                      policy);
}

/* A matrix is not taken for a table of rows by mistake. */
static cairn_status check_shape(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    cairn_shape shape = (cairn_shape)table->shape;
    unsigned accepts = model->learner->accepts;
    if (shape == CAIRN_SHAPE_COUNTS)
        cairn_warn(ctx, "%s is a table of counts; --as counts makes a weighted row of every cell",
                   table->source ? table->source : "the data");
    if ((shape == CAIRN_SHAPE_DISTANCES && !(accepts & CAIRN_ACCEPTS_DISTANCES)) ||
        (shape == CAIRN_SHAPE_GRAM && !(accepts & CAIRN_ACCEPTS_GRAM)))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s learns from rows of features, not from %s; read the matrix --as table "
            "if its columns are features",
            model->learner->entry.name, shape == CAIRN_SHAPE_GRAM ? "a Gram matrix" : "distances");
    return CAIRN_OK;
}

static cairn_status prepare_table(cairn_context *ctx, cairn_model *model, cairn_table **out,
                                  const cairn_table *table, const cairn_fit_options *options)
{
    cairn_status status;
    cairn_table *copy = NULL;
    TRY(check_shape(ctx, model, table));
    TRY(cairn_table_share(ctx, &copy, table));
    TRY(cairn_task_decide(ctx, model, copy, options->task));
    hide_target_of_clustering(model, copy);
    TRY(cairn_schema_from_table(ctx, &model->schema, copy));
    *out = copy;
    return CAIRN_OK;
done:
    cairn_table_free(copy);
    return status;
}

cairn_status cairn_model_fit_rows(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                                  const cairn_table *table, cairn_rows rows,
                                  const cairn_fit_options *options)
{
    static const cairn_fit_options defaults = CAIRN_FIT_OPTIONS_INIT;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_model *model = NULL;
    cairn_table *prepared = NULL, *inner = NULL;
    size_t n_dropped;
    if (!options) options = &defaults;
    TRY(cairn_tick(ctx, NULL, 0, 0));
    TRY(check_policy(ctx, options->missing));
    TRY(NEW(ctx, &model, 1));
    model->positive = -1;
    model->learner = (const cairn_learner *)params->entry;
    TRY(cairn_params_copy(ctx, &model->params, params));
    TRY(cairn_params_check(ctx, model->params));
    TRY(prepare_table(ctx, model, &prepared, table, options));
    ptrdiff_t target = cairn_table_role_column(prepared, CAIRN_TARGET);
    TRY(usable_rows(ctx, &rows, prepared, target < 0 ? NULL : prepared->slots[target].column,
                    cairn_same(options->missing, "drop"), &n_dropped));
    if (rows.n == 0)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "there is no row to learn from%s",
                       n_dropped ? ": every row lacks a value that is needed" : ""));
    if (n_dropped)
        cairn_warn(ctx, "%zu row%s left out of learning because a value that is needed is missing",
                   n_dropped, n_dropped == 1 ? " is" : "s are");
    TRY(cairn_chain_fit(ctx, model, &inner, prepared, rows, options));
    TRY(fit_learner(ctx, model, inner, rows, options));
    TRY(keep_provenance(ctx, model, table, rows.n, options));
    *out = model;
    model = NULL;
done:
    cairn_model_free(model);
    cairn_table_free(prepared);
    cairn_table_free(inner);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_model_fit(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                             const cairn_table *table, const cairn_fit_options *options)
{
    uint64_t hash = 0;
    cairn_status status = cairn_table_hash_parallel(ctx, table, &hash);
    if (status != CAIRN_OK) return status;
    status = cairn_model_fit_rows(ctx, out, params, table, cairn_all_rows(table), options);
    if (status == CAIRN_OK) (*out)->data_hash = hash;
    return status;
}
