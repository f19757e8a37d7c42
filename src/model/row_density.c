/* SPDX-License-Identifier: MIT */
/* What models say of how probable rows are: see row_density.h. */
#include "model/row_density.h"

#include "base/functions.h"
#include "base/memory.h"
#include "model/chain.h"
#include "stats/measure.h"

#include <math.h>
#include <string.h>

static const char *const density_outputs[] = {"log_density", "log_likelihood"};
enum { N_OUTPUTS = sizeof density_outputs / sizeof *density_outputs };

bool cairn_learner_has_density(const cairn_learner *learner)
{
    const cairn_output *o = learner->outputs;
    for (; o && o->name; o++)
        for (size_t k = 0; k < N_OUTPUTS; k++)
            if (strcmp(o->name, density_outputs[k]) == 0) return true;
    return false;
}

bool cairn_model_has_density(const cairn_model *model)
{
    return model->learner && cairn_learner_has_density(model->learner);
}

static const double *numbers_of(const cairn_table *table, const char *name)
{
    ptrdiff_t at = table ? cairn_table_find(table, name) : -1;
    return at >= 0 ? cairn_table_numbers(table, (size_t)at) : NULL;
}

cairn_row_density cairn_row_density_of(const cairn_prediction *prediction)
{
    cairn_row_density out = {0};
    for (size_t k = 0; k < N_OUTPUTS && !out.logs; k++)
        out.logs = numbers_of(prediction->extra, density_outputs[k]);
    out.steps = numbers_of(prediction->extra, "steps");
    return out;
}

double cairn_density_scale(const cairn_model *model, const char *column)
{
    double low = 0, high = 1;
    bool changed = cairn_chain_restore(model, column, &low);
    if (!changed || !cairn_chain_restore(model, column, &high)) return 1;
    return fabs(high - low) > 0 ? 1 / fabs(high - low) : 1;
}

cairn_status cairn_density_restore(cairn_context *ctx, const double **logs,
                                   const cairn_model *model, const cairn_view *view)
{
    double *restored = NULL;
    for (size_t f = 0; f < view->n_features; f++) {
        const double *numbers = view->features[f]->numbers;
        double scale = cairn_density_scale(model, view->names[f]);
        if (view->features[f]->kind != CAIRN_NUMBER || scale == 1) continue;
        if (!restored) {
            CHECK(SCRATCH_RAW(ctx, &restored, view->rows.n + 1));
            memcpy(restored, *logs, view->rows.n * sizeof *restored);
        }
        for (size_t i = 0; i < view->rows.n; i++)
            if (!isnan(numbers[cairn_view_row(view, i)])) restored[i] += cairn_log(scale);
    }
    if (restored) *logs = restored;
    return CAIRN_OK;
}

static bool is_scaled(const cairn_model *model)
{
    for (size_t i = 0; i < model->inner.n_fields; i++)
        if (cairn_density_scale(model, model->inner.fields[i].name) != 1) return true;
    return false;
}

cairn_status cairn_row_density_mean(cairn_context *ctx, double *out, const cairn_model *model,
                                    const cairn_table *table, cairn_rows rows,
                                    const cairn_prediction *prediction)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    cairn_row_density density = cairn_row_density_of(prediction);
    cairn_view view;
    double *weights;
    *out = NAN;
    if (!density.logs) return CAIRN_OK;
    if (is_scaled(model)) CHECK(cairn_recipe_apply(ctx, &inner, model, table));
    CHECK(cairn_view_make(ctx, &view, inner ? inner : table, rows));
    if (inner) CHECK(cairn_density_restore(ctx, &density.logs, model, &view));
    CHECK(SCRATCH(ctx, &weights, rows.n + 1));
    for (size_t i = 0; i < rows.n; i++) weights[i] = cairn_view_weight(&view, i);
    cairn_judged judged = {.n = rows.n, .weights = weights, .positive = -1, .logs = density.logs};
    const cairn_entry *measure = cairn_entry_find(ctx, CAIRN_ENTRY_MEASURE, "log-likelihood");
    return ((const cairn_measure *)measure)->value(ctx, out, &judged);
}
