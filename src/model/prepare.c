/* SPDX-License-Identifier: MIT */
/* Before anything is fitted: the task, the rows that can be learned from, and what the target says
 * before a transform may change rows or units. */
#include "model/prepare.h"
#include "base/number.h"
#include "base/options.h"
#include "base/text.h"
#include "data/shape.h"
#include "model/task.h"
#include <math.h>
#include <string.h>

/* Whether a feature of the row is missing. */
static bool row_has_missing(const cairn_table *table, size_t row)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && table->slots[c].column->n_missing &&
            cairn_column_is_missing(table->slots[c].column, row))
            return true;
    return false;
}

/* Whether the row has none of the targets. */
static bool lacks_targets(const cairn_table *table, size_t row)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_TARGET &&
            !cairn_column_is_missing(table->slots[c].column, row))
            return false;
    return true;
}

/* The rows that can be learned from: the target is there and, with `drop`, every feature too. Rows
 * without a target wait for an answer. */
static cairn_status usable_rows(cairn_context *ctx, cairn_rows *rows, const cairn_table *table,
                                const cairn_column *target, bool drop, size_t *n_waiting,
                                size_t *n_dropped)
{
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *n_waiting = *n_dropped = 0;
    bool features = false;
    for (size_t c = 0; drop && c < table->n_columns; c++)
        features |= table->slots[c].role == CAIRN_FEATURE && table->slots[c].column->n_missing;
    if (!(target && target->n_missing) && !features) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &indices, rows->n));
    if (rows->weights) CHECK(SCRATCH_RAW(ctx, &weights, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->indices ? rows->indices[i] : i;
        bool waits = target && cairn_column_is_missing(target, row) && lacks_targets(table, row);
        bool lacks = !waits && features && row_has_missing(table, row);
        *n_waiting += waits;
        *n_dropped += lacks;
        if (waits || lacks) continue;
        if (weights) weights[n] = rows->weights[i];
        indices[n++] = (uint32_t)row;
    }
    *rows = (cairn_rows){indices, n, weights};
    return CAIRN_OK;
}

/* What the first lines of a report say of a class that most rows have. */
static cairn_status say_skew(cairn_context *ctx, cairn_model *model, const cairn_view *view,
                             size_t class, double share)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!model->decision || !cairn_is_skewed(share) || share == 1) return CAIRN_OK;
    model->skew = share;
    cairn_text_addf(&text,
                    "%s. The classes are skewed: '%s' has %d%% of the rows, so that accuracy says "
                    "little; read precision and recall of the rarer classes, the average recall or "
                    "the area under the ROC curve ('cairn evaluate' shows them)",
                    model->decision, cairn_map_key(&view->target->names, class),
                    (int)(100 * share + 0.5));
    CHECK(cairn_text_status(&text));
    cairn_free(model->decision);
    model->decision = NULL;
    return cairn_text_take(&text, &model->decision);
}

/* The answer that looks at no feature, against which every other is measured. */
static cairn_status keep_baseline(cairn_context *ctx, cairn_model *model, const cairn_view *view,
                                  const cairn_fit_options *options)
{
    double *weights, sum = 0, total = 0;
    size_t n_classes = view->target->kind == CAIRN_LEVEL ? view->target->names.n : 0;
    CHECK(SCRATCH(ctx, &weights, view->target->names.n + 1));
    if (model->task == CAIRN_LABEL_ITEMS) {
        /* The commonest class of the items. `weights` has a zero for every class. */
        size_t best = 0;
        for (size_t i = 0; i < view->rows.n; i++) {
            cairn_sequence run;
            cairn_view_target_sequences(view, i, 1, &run);
            for (size_t k = 0; k < run.n; k++)
                if (run.items[k] >= 0) weights[run.items[k]] += cairn_view_weight(view, i);
        }
        for (size_t c = 1; c < model->n_classes; c++)
            if (weights[c] > weights[best]) best = c;
        model->baseline = (double)best;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        if (cairn_column_is_missing(view->target, row)) continue; /* one of several targets */
        total += w;
        if (n_classes)
            weights[view->target->codes[row]] += w;
        else
            sum += w * view->target->numbers[row];
    }
    size_t best = 0;
    for (size_t c = 1; c < n_classes; c++)
        if (weights[c] > weights[best]) best = c;
    model->baseline = n_classes ? (double)best : sum / total;
    bool reported = model->learner && n_classes > 1 && !options->no_history;
    return reported ? say_skew(ctx, model, view, best, weights[best] / total) : CAIRN_OK;
}

/* What the target says before any transform may change rows or units. */
static cairn_status look_at_target(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                   cairn_rows rows, const cairn_fit_options *options)
{
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, rows));
    if (!view.target || !model->task || model->task == CAIRN_CLUSTER) return CAIRN_OK;
    if (model->task == CAIRN_CLASSIFY) {
        model->n_classes = view.target->names.n;
        /* A class that no two rows share cannot be met again. */
        bool names;
        CHECK(cairn_view_is_name(ctx, &view, view.target, &names));
        if (names) {
            cairn_warn(
                ctx,
                "the target '%s' has another class in every row, so nothing is learned about new "
                "rows; name another one with {target}, or take numbers as numbers "
                "with {task regress}",
                view.target_name);
        }
        CHECK(cairn_task_positive(ctx, &model->positive, &view, options->positive));
    }
    if (model->task == CAIRN_LABEL_ITEMS) model->n_classes = view.target->names.n;
    return keep_baseline(ctx, model, &view, options);
}

/* Columns that are of no use in fitting are turned off in the copy: they would confuse the
 * chain. */
static void hide_target_of_clustering(const cairn_model *model, cairn_table *table)
{
    if (model->task != CAIRN_CLUSTER || !model->learner ||
        (cairn_model_accepts(model) & CAIRN_ACCEPTS_TARGETS))
        return;
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_TARGET) table->slots[i].role = CAIRN_IGNORED;
}

/* What a table must be read with to mean the same. */
static cairn_status keep_reading(cairn_context *ctx, cairn_model *model,
                                 const cairn_read_options *given)
{
    cairn_read_options reading = CAIRN_READ_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, &reading, sizeof reading, given, "cairn_read_options"));
    model->only_marks = reading.only_marks;
    model->decimal = (unsigned char)reading.decimal;
    model->thousands = (unsigned char)reading.thousands;
    model->bad_lines = reading.bad_lines;
    model->skip = reading.skip;
    if (reading.comment)
        CHECK(cairn_copy_text(ctx, &model->comment, reading.comment, strlen(reading.comment)));
    if (!reading.missing) return CAIRN_OK;
    return cairn_copy_text(ctx, &model->marks, reading.missing, strlen(reading.missing));
}

/* A matrix is not taken for a table of rows by mistake. */
static cairn_status check_shape(cairn_context *ctx, const cairn_model *model,
                                const cairn_table *table)
{
    cairn_shape shape = (cairn_shape)table->shape;
    unsigned accepts = cairn_model_accepts(model);
    if (shape == CAIRN_SHAPE_COUNTS)
        cairn_warn(ctx, "%s is a table of counts; {as counts} makes a weighted row of every cell",
                   table->source ? table->source : "the data");
    if ((shape == CAIRN_SHAPE_DISTANCES && !(accepts & CAIRN_ACCEPTS_DISTANCES)) ||
        (shape == CAIRN_SHAPE_GRAM && !(accepts & CAIRN_ACCEPTS_GRAM)))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s learns from rows of features, not from %s; read the matrix {as table} "
            "if its columns are features",
            model->learner->entry.name, shape == CAIRN_SHAPE_GRAM ? "a Gram matrix" : "distances");
    return CAIRN_OK;
}

/* The table with its target in the kind of the task, and the model's schema. */
static cairn_status decide(cairn_context *ctx, cairn_model *model, cairn_table **out,
                           const cairn_table *table, const cairn_fit_options *options)
{
    cairn_status status;
    cairn_table *copy = NULL;
    cairn_decision decision = {.learner = model->learner, .params = model->params};
    if (model->learner) TRY(check_shape(ctx, model, table));
    TRY(cairn_table_share(ctx, &copy, table));
    status = cairn_task_decide(ctx, &decision, copy, options->task);
    model->task = decision.task;
    model->decision = decision.why;
    TRY(status);
    /* Classes that are numbers outside are known as such: only their names stay in the table. */
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (model->task == CAIRN_CLASSIFY && !(target < 0) &&
        table->slots[target].column->kind == CAIRN_NUMBER) {
        TRY(cairn_copy_text(ctx, &model->class_type, "number", strlen("number")));
    }
    hide_target_of_clustering(model, copy);
    TRY(cairn_schema_from_table(ctx, &model->schema, copy));
    *out = copy;
    return CAIRN_OK;
done:
    cairn_table_free(copy);
    return status;
}

static void warn_left_out(cairn_context *ctx, const cairn_table *table, ptrdiff_t target,
                          size_t n_waiting, size_t n_dropped)
{
    bool several = cairn_table_role_count(table, CAIRN_TARGET) > 1;
    if (n_waiting)
        cairn_warn(ctx,
                   "%zu row%s no %s%s%s: %s not learned from and wait%s for an answer (cairn "
                   "predict MODEL DATA {unanswered})",
                   n_waiting, n_waiting == 1 ? " has" : "s have", several ? "target" : "'",
                   several ? "" : table->slots[target].name, several ? "" : "'",
                   n_waiting == 1 ? "it is" : "they are", n_waiting == 1 ? "s" : "");
    if (n_dropped)
        cairn_warn(ctx, "%zu row%s left out of learning because a feature is missing", n_dropped,
                   n_dropped == 1 ? " is" : "s are");
}

/* Sums of a target that learners and measures take squares of. */
static bool squares_overflow(const cairn_view *view, const double *numbers, bool weighted)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double y = numbers[cairn_view_row(view, i)];
        double weight = weighted ? cairn_view_weight(view, i) : 1;
        if (isnan(y) || weight == 0) continue;
        sum += weight * fabs(y);
        squares += weight * y * y;
    }
    return !isfinite(sum * sum) || !isfinite(squares);
}

/* The answers would be no numbers. The largest value is named, or the largest weight when it is
 * the weights that are too large. */
static cairn_status check_squares(cairn_context *ctx, const cairn_view *view, const char *name,
                                  const double *numbers)
{
    size_t most = SIZE_MAX, heaviest = 0;
    char value[CAIRN_NUMBER_SIZE];
    if (!squares_overflow(view, numbers, true)) return CAIRN_OK;
    for (size_t i = 0; i < view->rows.n; i++) {
        double y = numbers[cairn_view_row(view, i)];
        bool larger = most == SIZE_MAX || fabs(y) > fabs(numbers[cairn_view_row(view, most)]);
        if (!isnan(y) && larger) most = i;
        if (cairn_view_weight(view, i) > cairn_view_weight(view, heaviest)) heaviest = i;
    }
    if (!squares_overflow(view, numbers, false)) {
        cairn_number_format(value, cairn_view_weight(view, heaviest), CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu: the weight %s is too large, because the weighted squares of "
                          "the target '%s' overflow; divide all weights by a power of ten",
                          cairn_view_row(view, heaviest) + 1, value, name);
    }
    cairn_number_format(value, numbers[cairn_view_row(view, most)], CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is too large for a target, because the sum of its "
                      "squares overflows; divide the target by a power of ten, or leave the row "
                      "out",
                      name, cairn_view_row(view, most) + 1, value);
}

/* Of the columns that have the role: those that are predicted, or that rows are grouped by. */
static cairn_status check_targets(cairn_context *ctx, const cairn_table *table,
                                  const cairn_rows *rows, cairn_role role)
{
    cairn_status status;
    cairn_view view;
    TRY(cairn_view_make(ctx, &view, table, *rows));
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == role && table->slots[c].column->kind == CAIRN_NUMBER)
            TRY(check_squares(ctx, &view, table->slots[c].name, table->slots[c].column->numbers));
done:
    if (status == CAIRN_BAD_DATA && table->source) cairn_message_prefix(ctx, "%s", table->source);
    return status;
}

cairn_status cairn_learnable_rows(cairn_context *ctx, cairn_model *model, const cairn_table *table,
                                  cairn_rows *rows, bool drop)
{
    size_t n_waiting, n_dropped;
    ptrdiff_t target = model->task ? cairn_table_role_column(table, CAIRN_TARGET) : (ptrdiff_t)-1;
    CHECK(usable_rows(ctx, rows, table, target < 0 ? NULL : table->slots[target].column, drop,
                      &n_waiting, &n_dropped));
    if (rows->n == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there is no row to learn from%s",
                         n_dropped || n_waiting ? ": every row lacks a value that is needed" : ""));
    bool grouped =
        model->task == CAIRN_CLUSTER && (cairn_model_accepts(model) & CAIRN_ACCEPTS_TARGETS);
    bool named = cairn_table_role_column(table, CAIRN_TARGET) >= 0;
    if (model->task == CAIRN_REGRESS || grouped)
        CHECK(check_targets(ctx, table, rows, named ? CAIRN_TARGET : CAIRN_FEATURE));
    bool learned = model->learner && (cairn_model_accepts(model) & CAIRN_ACCEPTS_UNLABELLED);
    warn_left_out(ctx, table, target, learned ? 0 : n_waiting, n_dropped);
    model->n_waiting += n_waiting;
    return CAIRN_OK;
}

cairn_status cairn_prepare(cairn_context *ctx, cairn_model *model, cairn_table **out,
                           const cairn_table *table, cairn_rows *rows,
                           const cairn_fit_options *options)
{
    OWNED(cairn_table_free) cairn_table *prepared = NULL;
    model->positive = -1;
    const char *policy = options->missing;
    if (policy && !cairn_same(policy, "auto") && !cairn_same(policy, "fail") &&
        !cairn_same(policy, "drop") && !cairn_same(policy, "impute")) {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{missing} must be auto, fail, drop or impute, not '%s'", policy);
    }
    CHECK(decide(ctx, model, &prepared, table, options));
    CHECK(cairn_learnable_rows(ctx, model, prepared, rows, cairn_same(options->missing, "drop")));
    size_t n_rows = rows->n;
    model->seed = cairn_context_seed(ctx);
    model->n_rows = n_rows;
    model->n_columns = table->n_columns;
    const char *command = options->command ? options->command : "";
    cairn_status status = cairn_copy_text(ctx, &model->command, command, strlen(command));
    if (!status && options->reading) status = keep_reading(ctx, model, options->reading);
    CHECK(status);
    CHECK(look_at_target(ctx, model, prepared, *rows, options));
    *out = TAKE(prepared);
    return CAIRN_OK;
}
