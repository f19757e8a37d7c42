/* SPDX-License-Identifier: MIT */
/* Applying a model to raw rows: match columns by name, apply the chain, ask the learner, and put
 * the answer into a table. */
#include "base/call.h"
#include "base/need.h"
#include "base/number.h"
#include "base/options.h"
#include "base/text.h"
#include "cairn/predictor.h"
#include "data/column.h"
#include "model/chain.h"
#include "model/traits.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void cairn_prediction_clear(cairn_prediction *prediction)
{
    FREE_EACH(prediction->scores, prediction->codes, prediction->numbers, prediction->starts);
    cairn_table_free(prediction->extra);
    *prediction = (cairn_prediction){0};
}

/* Whether a clusterer says in which degrees rows belong to its clusters. */
static bool gives_memberships(const cairn_model *model)
{
    return model->task == CAIRN_CLUSTER && model->learner->clusters;
}

/* Classes of a classifier, clusters of a clusterer. */
static size_t score_columns(const cairn_model *model)
{
    return gives_memberships(model) ? model->learner->clusters(model->state) : model->n_classes;
}

size_t cairn_model_scores(const cairn_model *model)
{
    bool scored = model->task == CAIRN_CLASSIFY || model->task == CAIRN_LABEL_ITEMS ||
                  gives_memberships(model);
    return model->learner->gives_scores && scored ? score_columns(model) : 0;
}

/* Answers are one for each row, or one for each step where items are labelled; scores and more
 * only where wanted. */
static cairn_status allocate(cairn_context *ctx, cairn_prediction *out, const cairn_model *model,
                             const cairn_view *view, cairn_predict_wants wants)
{
    size_t n_rows = view->rows.n;
    out->n_rows = n_rows;
    out->n_classes = score_columns(model);
    if (model->task == CAIRN_LABEL_ITEMS) {
        /* Where the items of each row begin, which are as many as the steps of the view. */
        ptrdiff_t feature = cairn_view_steps(view);
        CHECK(NEW(ctx, &out->starts, out->n_rows + 1));
        for (size_t i = 0; feature >= 0 && i < out->n_rows; i++)
            out->starts[i + 1] = out->starts[i] + cairn_view_n_steps(view, (size_t)feature, i);
    }
    size_t n = cairn_prediction_answers(out);
    if (model->task == CAIRN_REGRESS)
        CHECK(NEW(ctx, &out->numbers, n_rows));
    else
        CHECK(NEW(ctx, &out->codes, n));
    if (cairn_model_scores(model) && wants.scores)
        CHECK(NEW_MATRIX(ctx, &out->scores, n, out->n_classes,
                         "the score of every row for every class",
                         "predict fewer rows at a time ({where})"));
    if (wants.extra && model->learner->outputs) CHECK(cairn_table_new(ctx, &out->extra, n_rows));
    return CAIRN_OK;
}

/* Rows with a missing cell that the learner cannot use get no answer. */
static void blank_missing(cairn_prediction *out, const cairn_view *view)
{
    for (size_t c = 0; c < view->n_features; c++) {
        if (!view->features[c]->n_missing || out->starts) continue; /* no items, no answers */
        for (size_t i = 0; i < out->n_rows; i++) {
            if (!cairn_column_is_missing(view->features[c], cairn_view_row(view, i))) continue;
            if (out->codes) out->codes[i] = -1;
            if (out->numbers) out->numbers[i] = NAN;
            for (size_t k = 0; out->scores && k < out->n_classes; k++)
                out->scores[i * out->n_classes + k] = NAN;
        }
    }
}

/* A falling function of the target turns the ends of intervals round. */
static void order_ends(cairn_table *extra)
{
    ptrdiff_t low = cairn_table_find(extra, "low"), high = cairn_table_find(extra, "high");
    if (low < 0 || high < 0) return;
    double *lows = extra->slots[low].column->numbers, *highs = extra->slots[high].column->numbers;
    for (size_t i = 0; i < extra->n_rows; i++) {
        double least = lows[i];
        if (!(least > highs[i])) continue;
        lows[i] = highs[i];
        highs[i] = least;
    }
}

/* Answers, and the columns beside them that are in their units, as they were before the target was
 * transformed. */
static void bring_back(const cairn_model *model, cairn_prediction *out)
{
    cairn_chain_invert(model, out->numbers, out->n_rows);
    for (size_t i = 0; out->extra && i < model->learner->outputs_in_units; i++) {
        ptrdiff_t at = cairn_table_find(out->extra, model->learner->outputs[i].name);
        if (at < 0) continue;
        cairn_chain_invert(model, out->extra->slots[at].column->numbers, out->n_rows);
    }
    if (out->extra && model->learner->outputs_in_units) order_ends(out->extra);
}

/* The target is hidden from the learner; where it gives scores alone the first largest decides. */
static cairn_status ask_learner(cairn_context *ctx, cairn_prediction *out, const cairn_model *model,
                                const cairn_table *inner, cairn_rows rows,
                                cairn_predict_wants wants)
{
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, inner, rows));
    view.target = NULL;
    CHECK(allocate(ctx, out, model, &view, wants));
    cairn_job job = cairn_model_job(model);
    job.view = &view;
    CHECK(model->learner->predict(ctx, out, model->state, &job));
    if (out->codes && !out->codes_set && out->scores) {
        /* The first largest score of each row. */
        for (size_t i = 0; i < cairn_prediction_answers(out); i++) {
            const double *scores = out->scores + i * out->n_classes;
            size_t best = 0;
            for (size_t c = 1; c < out->n_classes; c++)
                if (scores[c] > scores[best]) best = c;
            out->codes[i] = out->n_classes ? (int32_t)best : -1;
        }
    }
    if (out->numbers) bring_back(model, out);
    if (!(cairn_model_accepts(model) & CAIRN_ACCEPTS_MISSING)) blank_missing(out, &view);
    return CAIRN_OK;
}

/* A learner that does not set codes needs scores even when the caller does not. */
static bool must_score(const cairn_model *model)
{
    return (model->task == CAIRN_CLASSIFY || model->task == CAIRN_LABEL_ITEMS) &&
           model->learner->gives_scores && !model->learner->sets_codes;
}

/* The codes of many rows by pieces, where the scores that they come from would take much memory and
 * nobody asks for them. */
static cairn_status ask_by_pieces(cairn_context *ctx, cairn_prediction *out,
                                  const cairn_model *model, const cairn_table *inner,
                                  cairn_rows rows, size_t piece)
{
    const cairn_predict_wants wants = {.scores = true};
    out->n_rows = rows.n;
    out->n_classes = score_columns(model);
    out->codes_set = true;
    CHECK(NEW(ctx, &out->codes, rows.n));
    for (size_t begin = 0; begin < rows.n; begin += piece) {
        SCOPED_SCRATCH(ctx);
        SCOPED(cairn_prediction_clear) cairn_prediction part = {0};
        size_t n = rows.n - begin < piece ? rows.n - begin : piece;
        uint32_t *indices = NULL;
        CHECK(SCRATCH_RAW(ctx, &indices, n));
        for (size_t i = 0; i < n; i++)
            indices[i] = rows.indices ? rows.indices[begin + i] : (uint32_t)(begin + i);
        CHECK(
            ask_learner(ctx, &part, model, inner, (cairn_rows){.indices = indices, .n = n}, wants));
        memcpy(out->codes + begin, part.codes, n * sizeof *part.codes);
    }
    return CAIRN_OK;
}

cairn_status cairn_model_answer(cairn_context *ctx, cairn_prediction *out, const cairn_model *model,
                                const cairn_table *matched, cairn_rows rows,
                                cairn_predict_wants wants)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    *out = (cairn_prediction){0};
    CHECK(cairn_chain_answer(ctx, model, &inner, matched));
    /* Rows whose scores are asked for at once; 0 = all of them. */
    size_t piece;
    enum { MOST_SCORES = 1 << 26, LEAST_ROWS = 256 };
    size_t k = score_columns(model);
    if (wants.scores || wants.extra || !must_score(model) || model->task == CAIRN_LABEL_ITEMS ||
        cairn_product(rows.n, k) <= MOST_SCORES)
        piece = 0;
    else
        piece = MOST_SCORES / k > LEAST_ROWS ? MOST_SCORES / k : LEAST_ROWS;
    wants.scores |= must_score(model);
    cairn_status status = piece ? ask_by_pieces(ctx, out, model, inner, rows, piece)
                                : ask_learner(ctx, out, model, inner, rows, wants);
    if (status) cairn_prediction_clear(out);
    return cairn_need_said(ctx, status, "predict fewer rows at a time ({where})",
                           "predicting %zu rows by %s", rows.n, model->learner->entry.name);
}

/* The labels that fitting gave, for rows of the very table that the model was fitted to. */
static cairn_status answer_fitted(cairn_context *ctx, cairn_prediction *out,
                                  const cairn_model *model, const cairn_view *view,
                                  cairn_predict_wants wants)
{
    CHECK(allocate(ctx, out, model, view, wants));
    for (size_t i = 0; i < view->rows.n; i++)
        out->codes[i] = model->fitted.codes[cairn_view_row(view, i)];
    out->codes_set = true;
    return CAIRN_OK;
}

bool cairn_model_learned_from(const cairn_model *model, const cairn_table *table)
{
    return model->data_hash && model->data_hash == cairn_table_hash(table);
}

bool cairn_model_is_fitted_to(const cairn_model *model, const cairn_table *table)
{
    return model->fitted.n && model->fitted.n == table->n_rows &&
           cairn_model_learned_from(model, table);
}

cairn_status cairn_model_check_answers(cairn_context *ctx, const cairn_model *model)
{
    if (!model->learner)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a recipe has no learner and predicts nothing; 'cairn convert --recipe' "
                          "applies it");
    if (!model->learner->predict)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s labels the rows that it is fitted to and has no rule for others; fit "
                          "it to all rows together, or choose a learner that predicts",
                          model->learner->entry.name);
    return CAIRN_OK;
}

cairn_status cairn_model_predict_rows(cairn_context *ctx, cairn_prediction *out,
                                      const cairn_model *model, const cairn_table *table,
                                      cairn_rows rows, cairn_predict_wants wants,
                                      cairn_match *match)
{
    OWNED(cairn_table_free) cairn_table *part = NULL;
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    *out = (cairn_prediction){0};
    bool known = model->learner && (wants.fitted || !model->learner->predict) &&
                 cairn_model_is_fitted_to(model, table);
    if (known) {
        cairn_view view = {.table = table, .rows = rows};
        wants.extra = wants.scores = false;
        if (match) *match = (cairn_match){.first_field = -1};
        return answer_fitted(ctx, out, model, &view, wants);
    }
    CHECK(cairn_model_check_answers(ctx, model));
    /* Few rows of a large table: transform only those. */
    if (rows.indices && rows.n < table->n_rows / 2) {
        CHECK(cairn_table_take_rows(ctx, &part, table, rows.indices, rows.n));
        table = part;
        rows = cairn_all_rows(part);
    }
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, table, false, match));
    return cairn_model_answer(ctx, out, model, matched, rows, wants);
}

/* Level names of the prediction: the target's classes, or 1 .. k for clusters. */
static cairn_status class_names(cairn_context *ctx, const char ***out, const cairn_model *model,
                                size_t n)
{
    const char **names;
    const cairn_field *target = cairn_model_target(model);
    CHECK(SCRATCH(ctx, &names, n + 1));
    for (size_t c = 0; c < n; c++) {
        char *number;
        if (target) {
            names[c] = cairn_map_key(&target->names, c);
            continue;
        }
        CHECK(SCRATCH(ctx, &number, 24));
        snprintf(number, 24, "%zu", c + 1);
        names[c] = number;
    }
    *out = names;
    return CAIRN_OK;
}

static cairn_status add_codes(cairn_context *ctx, cairn_table *out, const cairn_model *model,
                              const cairn_prediction *p, const char *name)
{
    const char **names;
    size_t n = model->n_classes;
    if (model->task == CAIRN_CLUSTER && n == 0) {
        /* Clusters are not known before the prediction: as many as the largest code says. */
        int32_t most = -1;
        for (size_t i = 0; i < p->n_rows; i++)
            if (p->codes[i] > most) most = p->codes[i];
        n = (size_t)(most + 1);
    }
    CHECK(class_names(ctx, &names, model, n));
    return cairn_table_add_levels(ctx, out, name, p->codes, names, n);
}

/* The classes of the items of each row as a sequence. */
static cairn_status add_runs(cairn_context *ctx, cairn_table *out, const cairn_model *model,
                             const cairn_prediction *p, const char *name)
{
    size_t n = cairn_prediction_answers(p);
    cairn_status status;
    cairn_column *column = NULL;
    TRY(cairn_column_new(ctx, &column, CAIRN_SEQUENCE, p->n_rows));
    TRY(NEW(ctx, &column->items, n + 1));
    TRY(cairn_map_copy(ctx, &column->names, &cairn_model_target(model)->names));
    memcpy(column->starts, p->starts, (p->n_rows + 1) * sizeof *p->starts);
    for (size_t i = 0; i < n; i++) column->items[i] = p->codes[i] < 0 ? -1 : p->codes[i];
    cairn_column *given = column;
    column = NULL;
    TRY(cairn_table_add_column(ctx, out, name, CAIRN_FEATURE, given));
done:
    cairn_column_drop(column);
    return status;
}

static cairn_status add_extra(cairn_context *ctx, cairn_table *out, const cairn_table *extra)
{
    for (size_t i = 0; i < extra->n_columns; i++)
        CHECK(cairn_table_add_column(ctx, out, extra->slots[i].name, CAIRN_FEATURE,
                                     cairn_column_hold(extra->slots[i].column)));
    return CAIRN_OK;
}

/* The outputs that are wanted, of a prediction that has them. */
static cairn_status prediction_table(cairn_context *ctx, cairn_table **out,
                                     const cairn_model *model, const cairn_prediction *p,
                                     const cairn_predict_options *want)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, p->n_rows));
    if (want->answer) {
        /* The prediction itself, which comes first. */
        const cairn_field *target = cairn_model_target(model);
        const char *name = target ? target->name : "cluster";
        if (p->numbers)
            CHECK(cairn_table_put_numbers(ctx, table, name, p->numbers));
        else if (p->starts)
            CHECK(add_runs(ctx, table, model, p, name));
        else
            CHECK(add_codes(ctx, table, model, p, name));
    }
    if (want->scores && p->scores && !p->starts) {
        /* One number column per class: "p(yes)", or "score(yes)" of what is no probability. */
        const char **names;
        double *column;
        bool shares = cairn_learner_gives_probabilities(model->learner, model->params->values);
        CHECK(class_names(ctx, &names, model, p->n_classes));
        CHECK(SCRATCH_RAW(ctx, &column, p->n_rows));
        for (size_t c = 0; c < p->n_classes; c++) {
            char *name;
            CHECK(cairn_score_head(ctx, &name, NULL, shares, names[c]));
            for (size_t i = 0; i < p->n_rows; i++) column[i] = p->scores[i * p->n_classes + c];
            CHECK(cairn_table_put_numbers(ctx, table, name, column));
        }
    }
    if (want->extra && p->extra) CHECK(add_extra(ctx, table, p->extra));
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_prediction_table(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                    const cairn_prediction *p, bool scores)
{
    cairn_predict_options want = CAIRN_PREDICT_OPTIONS_INIT;
    want.scores = scores;
    want.extra = true;
    return prediction_table(ctx, out, model, p, &want);
}

static const char *level_candidate(size_t i, const void *data)
{
    const cairn_map *names = data;
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

/* A level that the value may be a slip for; none for numbers, where every other one is near. */
static const char *level_meant(const cairn_field *field, const char *value)
{
    double number;
    if (cairn_number_parse(value, strlen(value), &number)) return NULL;
    return cairn_nearest_word(value, level_candidate, &field->names);
}

void cairn_warn_unseen(cairn_context *ctx, const cairn_schema *schema, const cairn_match *match)
{
    if (!match->n_unseen || match->first_field < 0) return;
    const cairn_field *field = &schema->fields[match->first_field];
    const char *near = level_meant(field, match->first_value);
    const char *ask = near ? " (did you mean '" : "", *close = near ? "'?)" : "";
    if (!near) near = "";
    if (match->n_unseen == 1)
        cairn_warn(
            ctx,
            "'%s'%s%s%s in column '%s', row %zu, was not seen in training and counts as missing",
            match->first_value, ask, near, close, field->name, match->first_row + 1);
    else
        cairn_warn(ctx,
                   "%zu cells hold levels that were not seen in training and count as missing, the "
                   "first '%s'%s%s%s in column '%s', row %zu",
                   match->n_unseen, match->first_value, ask, near, close, field->name,
                   match->first_row + 1);
}

void cairn_model_reading(const cairn_model *model, cairn_read_options *options)
{
    cairn_read_options full = CAIRN_READ_OPTIONS_INIT;
    cairn_options_give(&full, options, options->size);
    if (!full.missing && !full.only_marks) {
        full.missing = model->marks;
        full.only_marks = model->only_marks;
    }
    if (!full.decimal) full.decimal = (char)model->decimal;
    if (!full.thousands) full.thousands = (char)model->thousands;
    if (!full.skip) full.skip = model->skip;
    if (!full.comment) full.comment = model->comment;
    if (!full.bad_lines) full.bad_lines = model->bad_lines;
    full.expected = &model->schema;
    cairn_options_give(options, &full, sizeof full);
}

cairn_status cairn_model_predict_with(cairn_context *ctx, cairn_table **out,
                                      const cairn_model *model, const cairn_table *table,
                                      const cairn_predict_options *options)
{
    PUBLIC_CALL(ctx);
    cairn_predict_options want = CAIRN_PREDICT_OPTIONS_INIT;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    CHECK(cairn_options_take(ctx, &want, sizeof want, options, "cairn_predict_options"));
    cairn_predict_wants wants = {.scores = want.scores, .extra = want.extra};
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, table, cairn_all_rows(table), wants,
                                   &match));
    cairn_warn_unseen(ctx, &model->schema, &match);
    return prediction_table(ctx, out, model, &prediction, &want);
}

cairn_status cairn_model_predict(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                 const cairn_table *table, bool scores)
{
    PUBLIC_CALL(ctx);
    cairn_predict_options want = CAIRN_PREDICT_OPTIONS_INIT;
    want.scores = scores;
    want.extra = true;
    return cairn_model_predict_with(ctx, out, model, table, &want);
}
