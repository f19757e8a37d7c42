/* SPDX-License-Identifier: MIT */
/* Answers beside the truth: see judged_rows.h. */
#include "model/judged_rows.h"

#include "base/memory.h"
#include "stats/measure.h"

/* Items of a row are answers of one unit. */
static cairn_status judged_items(cairn_context *ctx, cairn_judged *out, const cairn_view *view,
                                 const cairn_prediction *p)
{
    size_t n = cairn_prediction_answers(p);
    double *weights;
    uint32_t *units;
    int32_t *codes;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &weights, &units, &codes));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t begin = p->starts[i], length = p->starts[i + 1] - begin;
        cairn_sequence labels;
        cairn_view_target_sequences(view, i, 1, &labels);
        if (!labels.missing && labels.n != length)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu: '%s' has %zu labels for %zu items; every item needs one",
                              cairn_view_row(view, i) + 1, view->target_name, labels.n, length);
        for (size_t k = 0; k < length; k++) {
            codes[begin + k] = labels.missing ? -1 : labels.items[k];
            weights[begin + k] = labels.missing ? 0 : cairn_view_weight(view, i);
            units[begin + k] = (uint32_t)i;
        }
    }
    *out = (cairn_judged){.n = n,
                          .weights = weights,
                          .units = units,
                          .n_classes = p->n_classes,
                          .positive = -1,
                          .actual = codes,
                          .predicted = p->codes,
                          .scores = p->scores};
    return CAIRN_OK;
}

cairn_status cairn_judged_rows(cairn_context *ctx, cairn_judged *out, const cairn_view *view,
                               const cairn_prediction *p, int32_t positive)
{
    size_t n = view->rows.n;
    bool classes = p->codes != NULL;
    double *weights, *numbers = NULL;
    int32_t *codes = NULL;
    if (p->starts) return judged_items(ctx, out, view, p);
    CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
    if (classes)
        CHECK(SCRATCH_RAW(ctx, &codes, n + 1));
    else
        CHECK(SCRATCH_RAW(ctx, &numbers, n + 1));
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, i);
        weights[i] = cairn_view_weight(view, i);
        if (classes)
            codes[i] = view->target->codes[row];
        else
            numbers[i] = view->target->numbers[row];
    }
    *out = (cairn_judged){.n = n,
                          .weights = weights,
                          .n_classes = classes ? p->n_classes : 0,
                          .positive = positive,
                          .actual = codes,
                          .predicted = p->codes,
                          .scores = p->scores,
                          .actual_number = numbers,
                          .predicted_number = p->numbers};
    return CAIRN_OK;
}

cairn_status cairn_judged_model(cairn_context *ctx, cairn_judged *out, cairn_prediction *prediction,
                                const cairn_model *model, const cairn_table *table, cairn_rows rows,
                                bool scores)
{
    cairn_view view;
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = scores};
    CHECK(cairn_view_make(ctx, &view, table, rows));
    CHECK(cairn_model_predict_rows(ctx, prediction, model, table, rows, wants, &match));
    return cairn_judged_rows(ctx, out, &view, prediction, model->positive);
}

cairn_status cairn_model_truth(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                               const cairn_table *table, cairn_match *match)
{
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    const cairn_field *target = cairn_model_target(model); /* not any target: the one it answers */
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, table, true, match));
    if (!target)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has no target to be judged by",
                          cairn_model_learner(model));
    if (cairn_table_find(matched, target->name) < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no column '%s' to compare the predictions with", target->name);
    *out = TAKE(matched);
    return CAIRN_OK;
}

cairn_status cairn_measure_model(cairn_context *ctx, double *out, const cairn_model *model,
                                 const cairn_table *table, cairn_rows rows)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_judged judged;
    CHECK(cairn_judged_model(ctx, &judged, &prediction, model, table, rows, false));
    *out = cairn_judged_usual(&judged);
    return CAIRN_OK;
}
