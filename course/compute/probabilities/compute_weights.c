/* SPDX-License-Identifier: MIT */
/* cairn compute weights: which feature of a linear model counts most? Weights depend on the units
 * of their features. Multiplied by the standard deviation a weight tells what a usual change of its
 * feature does; multiplied by the partial standard deviation, s_j √(1 − R_j²), it tells what the
 * part of the feature does that the others do not have, and its square is proportional to the loss
 * of R² when the feature is dropped. */
#include "model/calculator.h"

#include "base/memory.h"

#include <math.h>

typedef struct weights_params {
    const char *weight, *sd, *partial, *loss;
} weights_params;

static const cairn_param weights_table[] = {
    CAIRN_PARAM(weights_params, weight, "weight", NULL, "column of the weights"),
    CAIRN_PARAM(weights_params, sd, "sd", NULL,
                "column of the standard deviations, if there is one"),
    CAIRN_PARAM(weights_params, partial, "partial_sd", NULL,
                "column of the partial standard deviations, if there is one"),
    CAIRN_PARAM(weights_params, loss, "r2_loss", NULL,
                "column of the losses of R² without each feature, if there is one"),
    CAIRN_PARAM_END,
};

/* The columns by rows; NULL where the table has none of that name. */
typedef struct columns {
    const double *weight, *sd, *partial, *loss;
    const cairn_column *names;
    size_t n;
} columns;

static cairn_status numbers_at(cairn_context *ctx, const double **out, const cairn_table *table,
                               const char *name, size_t at)
{
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the column '%s' must hold numbers", name);
    *out = column->numbers;
    return CAIRN_OK;
}

/* A column that may be left out: then *out is NULL. */
static cairn_status number_column(cairn_context *ctx, const double **out, const cairn_table *table,
                                  const char *name)
{
    ptrdiff_t at = cairn_table_find(table, name);
    *out = NULL;
    return at < 0 ? CAIRN_OK : numbers_at(ctx, out, table, name, (size_t)at);
}

/* The weight is required and one of the two spreads; the first column of levels names the
 * features. */
static cairn_status find_columns(cairn_context *ctx, columns *out, const cairn_table *table,
                                 const weights_params *p)
{
    size_t at;
    *out = (columns){.n = cairn_table_rows(table)};
    CHECK(cairn_table_get(ctx, table, p->weight, &at));
    CHECK(numbers_at(ctx, &out->weight, table, p->weight, at));
    CHECK(number_column(ctx, &out->sd, table, p->sd));
    CHECK(number_column(ctx, &out->partial, table, p->partial));
    CHECK(number_column(ctx, &out->loss, table, p->loss));
    for (size_t i = 0; i < table->n_columns && !out->names; i++)
        if (table->slots[i].column->kind == CAIRN_LEVEL) out->names = table->slots[i].column;
    if (!out->names)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a column must name the features of the weights");
    if (!out->sd && !out->partial)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is neither a column '%s' nor '%s'; {sd} or {partial} names it",
                          p->sd, p->partial);
    return CAIRN_OK;
}

static const char *feature(const columns *c, size_t i)
{
    int32_t code = c->names->codes[i];
    return code < 0 ? "?" : cairn_map_key(&c->names->names, (size_t)code);
}

/* (w · partial sd)² over the loss: the variance of the target, were nothing rounded. Undefined
 * where no loss was seen. */
static double ratio_of(const columns *c, size_t i)
{
    double effect = c->weight[i] * c->partial[i];
    return c->loss[i] > 0 ? effect * effect / c->loss[i] : NAN;
}

static void show_head(cairn_report *out, const columns *c)
{
    cairn_report_columns(out, "lr", "feature", "weight");
    if (c->sd) cairn_report_column(out, "sd", 'r');
    if (c->sd) cairn_report_column(out, "weight · sd", 'r');
    if (c->partial) cairn_report_column(out, "partial sd", 'r');
    if (c->partial) cairn_report_column(out, "weight · partial sd", 'r');
    if (c->loss) cairn_report_column(out, "R² loss", 'r');
    if (c->loss && c->partial) cairn_report_column(out, "square / loss", 'r');
}

static void show_feature(cairn_report *out, const columns *c, size_t i)
{
    const char *key = cairn_report_key(out, feature(c, i));
    cairn_report_cells(out, "- weight.$1", feature(c, i), c->weight[i]);
    if (c->sd) {
        cairn_report_cell_number(out, c->sd[i], 0, "sd.%s", key);
        cairn_report_cell_number(out, c->weight[i] * c->sd[i], 0, "standardised.%s", key);
    }
    if (c->partial) {
        cairn_report_cell_number(out, c->partial[i], 0, "partial_sd.%s", key);
        cairn_report_cell_number(out, c->weight[i] * c->partial[i], 0, "partial.%s", key);
    }
    if (c->loss) cairn_report_cell_number(out, c->loss[i], 0, "r2_loss.%s", key);
    if (c->loss && c->partial) cairn_report_cell_number(out, ratio_of(c, i), 0, "ratio.%s", key);
}

/* The ratio should be the same for all features; how far it is not shows the rounding of the
 * table that was typed. */
static void show_ratios(cairn_report *out, const columns *c)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        double ratio = ratio_of(c, i);
        if (isnan(ratio)) continue;
        sum += ratio;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        n++;
    }
    if (!n) return;
    cairn_report_value(out, "square / loss, mean", sum / (double)n, "ratio.mean");
    cairn_report_value(out, "least", least, "ratio.min");
    cairn_report_value(out, "most", most, "ratio.max");
    cairn_report_paragraph(out, "Were nothing rounded, all of them would be the variance of the "
                                "target.");
}

/* Bars for both spreads beside each other, where the number of features allows to read them. */
static cairn_status draw_weights(cairn_context *ctx, cairn_report *out, const columns *c)
{
    enum { MOST = 40 };
    const char **names;
    double *heights;
    cairn_figure *figure = NULL;
    if (c->n > MOST) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, c->n, &names, &heights));
    for (size_t i = 0; i < c->n; i++) names[i] = feature(c, i);
    CHECK(cairn_figure_new(ctx, &figure, "weights", "Weights that can be compared"));
    cairn_figure_axes(figure, "feature", "weight · spread");
    if (c->sd) {
        for (size_t i = 0; i < c->n; i++) heights[i] = c->weight[i] * c->sd[i];
        cairn_figure_bars(figure, "weight · sd", names, heights, c->n);
    }
    if (c->partial) {
        for (size_t i = 0; i < c->n; i++) heights[i] = c->weight[i] * c->partial[i];
        cairn_figure_bars(figure, "weight · partial sd", names, heights, c->n);
    }
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* What is shown depends on which columns the table has. */
/* Each product with its numbers put in, in the order of the table. */
static void show_work(cairn_report *out, const columns *c)
{
    enum { MOST_WORKED = 20 };
    for (size_t i = 0; i < c->n && i < MOST_WORKED; i++) {
        cairn_report_step_begin(out, "%s", feature(c, i));
        if (c->sd)
            cairn_report_worked(out, "standardised", "w · s = # · # = #", c->weight[i], c->sd[i],
                                c->weight[i] * c->sd[i]);
        if (c->partial)
            cairn_report_worked(out, "partial", "w · partial sd = # · # = #", c->weight[i],
                                c->partial[i], c->weight[i] * c->partial[i]);
        if (c->partial && c->loss && c->loss[i] > 0)
            cairn_report_worked(out, "square / loss", "(# · #)² / # = #", c->weight[i],
                                c->partial[i], c->loss[i], ratio_of(c, i));
        cairn_report_step_end(out);
    }
}

static cairn_status weights_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    columns c;
    if (!job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute weights' needs DATA: a table with a row per feature");
    CHECK(find_columns(ctx, &c, job->table, job->params));
    cairn_report_heading(out, 1, "How much each weight counts");
    if (c.sd) cairn_report_formula(out, "standardised weight = w · s");
    if (c.partial)
        cairn_report_formula(out, "partial standard deviation = s · √(1 − R²), R² of the "
                                  "feature from the others");
    if (c.partial && c.loss)
        cairn_report_formula(out, "loss of R² = (w · partial sd)² / variance of the target");
    cairn_report_table_begin(out, NULL, (size_t)-1);
    show_head(out, &c);
    for (size_t i = 0; i < c.n; i++) show_feature(out, &c, i);
    if (c.partial && c.loss) show_ratios(out, &c);
    if (job->steps) show_work(out, &c);
    return draw_weights(ctx, out, &c);
}

const cairn_calculator cairn_compute_weights = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "weights",
              .also = "standardised weights, beta coefficients, feature contributions",
              .title = "Weights made comparable",
              .summary = "The weights of a linear model times the standard deviations, or the "
                         "partial standard deviations, of their features, so that features in "
                         "different units can be compared; with the losses of R² the two are "
                         "checked against each other. DATA has a row per feature: its name, "
                         "weight, sd, partial_sd, r2_loss, as far as known.",
              .references = "Bring: How to standardize regression coefficients, The American "
                            "Statistician 48, 1994",
              .example = "cairn compute weights @market-towns-partial",
              .params = weights_table,
              .params_size = sizeof(weights_params)},
    .arguments = "DATA",
    .takes_data = true,
    .reads = CAIRN_READS_WEIGHT,
    .run = weights_run,
};
