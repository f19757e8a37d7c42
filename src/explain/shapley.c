/* SPDX-License-Identifier: MIT */
/* Shapley values of a model: which way, and everything around it. */
#include "explain/shapley.h"
#include "base/memory.h"
#include "explain/sampled.h"
#include "model/chain.h"
#include "model/explain.h"
#include "rows/matrix.h"
#include <math.h>
#include <string.h>

enum { MOST_CELLS = 1 << 27 }; /* of rows whose bags are written out */

/* -- rows -- */

/* How much of its items a bag holds in every row, NaN where it is missing; d cells are a row. */
static void read_items(double *values, size_t d, const cairn_column *bag, size_t n_items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = values + i * d;
        bool absent = bag->absent && bag->absent[i];
        for (size_t k = 0; k < n_items; k++) row[k] = absent ? NAN : 0;
        for (size_t e = bag->starts[i]; !absent && e < bag->starts[i + 1]; e++)
            if ((size_t)bag->items[e] < n_items)
                row[bag->items[e]] = bag->amounts ? bag->amounts[e] : 1;
    }
}

/* Cells of all terms: the columns that are no bags, then the items of those that are. */
static void read_terms(double *values, size_t d, const cairn_view *view, const cairn_schema *schema)
{
    size_t n = view->rows.n, term = 0, at = 0;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        if (column->kind == CAIRN_BAG) continue;
        for (size_t i = 0; i < n && column->numbers; i++) values[i * d + term] = column->numbers[i];
        for (size_t i = 0; i < n && column->codes; i++)
            values[i * d + term] = column->codes[i] < 0 ? NAN : column->codes[i];
        term++;
    }
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        if (!field || view->features[j]->kind != CAIRN_BAG) continue;
        read_items(values + term, d, view->features[j], field->names.n, n);
        term += field->names.n;
    }
}

/* Rows of a matched table as the learner sees them, with their cells if wanted. */
static cairn_status read_cells(cairn_context *ctx, cairn_cell_rows *out, cairn_table **inner,
                               const cairn_model *model, const cairn_table *matched, bool cells)
{
    cairn_view view;
    size_t n_dense, d;
    double *values = NULL, *weights;
    CHECK(cairn_chain_apply(ctx, model, inner, matched));
    CHECK(cairn_view_make(ctx, &view, *inner, cairn_all_rows(*inner)));
    size_t n = view.rows.n;
    cairn_terms_count(&model->inner, &n_dense, &d);
    if (cells) CHECK(SCRATCH_RAW(ctx, &values, cairn_product(n, d) + 1));
    if (cells) read_terms(values, d, &view, &model->inner);
    *out = (cairn_cell_rows){values, n, d, NULL};
    if (!cairn_view_is_weighted(&view)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
    cairn_view_weights(&view, 0, n, weights);
    out->weights = weights;
    return CAIRN_OK;
}

/* Bags that are written out must have room. */
static bool too_wide(const cairn_model *model, size_t n_rows)
{
    size_t n_dense, n_terms;
    cairn_terms_count(&model->inner, &n_dense, &n_terms);
    return n_terms > n_dense && (double)n_rows * (double)n_terms > MOST_CELLS;
}

/* Rows that count for nothing are no background. */
static cairn_status check_background(cairn_context *ctx, cairn_cell_rows rows)
{
    double total = 0;
    for (size_t i = 0; i < rows.n; i++) total += rows.weights ? rows.weights[i] : 1;
    if (total > 0 && isfinite(total)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      rows.n ? "the weights of the background rows are all 0"
                             : "there are no background rows to hold the others against");
}

/* -- players -- */

/* The player of every term from that of every feature: items belong to that of their bag. */
static void spread_players(const cairn_schema *schema, const int32_t *features, int32_t *players)
{
    size_t d = 0;
    for (int bags = 0; bags < 2; bags++) {
        const cairn_field *field;
        for (size_t at = 0, j = 0; (field = cairn_schema_next_feature(schema, &at)); j++) {
            bool bag = field->kind == CAIRN_BAG;
            for (size_t k = 0; bag == bags && k < (bag ? field->names.n : 1); k++)
                players[d++] = features[j];
        }
    }
}

/* Players are the columns of the data where every column that the learner sees was made of one of
 * them, else the columns that it sees. `features` gets the player of each of these. */
static cairn_status find_players(cairn_context *ctx, cairn_shapley *out, const cairn_model *model,
                                 cairn_table **inner, int32_t *features)
{
    const cairn_schema *raw = &model->schema;
    size_t d = 0, guess = 0;
    int32_t *ids;
    CHECK(SCRATCH_RAW(ctx, &ids, raw->n_fields + 1));
    for (size_t i = 0; i < raw->n_fields; i++) ids[i] = -1;
    for (size_t c = 0; c < (*inner)->n_columns && !out->inner; c++) {
        if ((*inner)->slots[c].role != CAIRN_FEATURE) continue;
        ptrdiff_t at = cairn_explain_raw_field(raw, (*inner)->slots[c].name, guess);
        ptrdiff_t column = at < 0 ? -1 : cairn_table_find(out->table, raw->fields[at].name);
        if (column < 0) out->inner = true;
        if (column < 0) break;
        guess = (size_t)at + 1;
        if (ids[at] < 0) {
            out->names[out->n_players] = raw->fields[at].name;
            out->columns[out->n_players] = (size_t)column;
            ids[at] = (int32_t)out->n_players++;
        }
        features[d++] = ids[at];
    }
    if (!out->inner) return CAIRN_OK;
    out->n_players = 0;
    for (size_t c = 0; c < (*inner)->n_columns; c++) {
        if ((*inner)->slots[c].role != CAIRN_FEATURE) continue;
        out->names[out->n_players] = (*inner)->slots[c].name;
        out->columns[out->n_players] = c;
        features[out->n_players] = (int32_t)out->n_players;
        out->n_players++;
    }
    cairn_table_free(out->table);
    out->table = TAKE(*inner);
    return CAIRN_OK;
}

static cairn_status name_players(cairn_context *ctx, cairn_shapley *out, const cairn_model *model,
                                 cairn_table **inner, int32_t **players)
{
    size_t n = model->schema.n_fields + (*inner)->n_columns + 1;
    int32_t *features;
    CHECK(SCRATCH_EACH(ctx, n, &features, &out->names, &out->columns));
    CHECK(SCRATCH(ctx, players, out->sum.n_columns + 1));
    CHECK(cairn_term_names(ctx, &out->column_names, &model->inner));
    CHECK(find_players(ctx, out, model, inner, features));
    spread_players(&model->inner, features, *players);
    return CAIRN_OK;
}

/* -- exact values -- */

static double mean_of(cairn_cell_rows rows, size_t column)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < rows.n; i++) {
        double weight = rows.weights ? rows.weights[i] : 1;
        sum += weight * rows.values[i * rows.n_columns + column];
        total += weight;
    }
    return sum / total;
}

/* Room for the values, and for as many pairs. */
static cairn_status make_result(cairn_context *ctx, cairn_shapley *out, const cairn_additive *sum,
                                bool pairs)
{
    size_t k = sum->n_outputs, n = cairn_product(cairn_product(out->n_rows, k), out->n_players);
    out->n_outputs = k;
    out->scale = sum->scale;
    out->classes = sum->classes;
    CHECK(SCRATCH(ctx, &out->base, k + 1));
    memcpy(out->base, sum->constants, k * sizeof *out->base);
    CHECK(SCRATCH(ctx, &out->values, n + 1));
    if (!pairs) return CAIRN_OK;
    size_t squares = cairn_product(n, out->n_players);
    CHECK(cairn_memory_check(ctx, 8.0 * (double)squares, "interaction values",
                             cairn_say(ctx, "explain fewer rows: {rows 1-100}")));
    return SCRATCH(ctx, &out->pairs, squares + 1);
}

/* Trees and weights of columns, one after the other. */
static cairn_status find_exact(cairn_context *ctx, cairn_shapley *out, const int32_t *players,
                               cairn_cell_rows rows, const cairn_shapley_options *options)
{
    const cairn_additive *sum = &out->sum;
    out->exact = true;
    out->trees = sum->n_trees > 0;
    out->against_rows = options->against_rows && out->trees;
    CHECK(make_result(ctx, out, sum, options->pairs));
    cairn_shapley_wanted wanted = {out->values, out->pairs, out->against_rows ? &out->others : NULL,
                                   options->rows};
    uint8_t *nothing;
    double *base;
    CHECK(SCRATCH(ctx, &nothing, out->n_players + 1));
    CHECK(SCRATCH(ctx, &base, out->n_outputs + 1));
    CHECK(SCRATCH(ctx, &out->means, sum->n_columns + 1));
    CHECK(SCRATCH(ctx, &out->paths, sum->n_trees + 1));
    for (size_t t = 0; t < sum->n_trees; t++) {
        cairn_tree_paths *paths = &out->paths[t];
        CHECK(cairn_tree_paths_make(ctx, paths, sum, t, players, out->n_players));
        CHECK(cairn_tree_paths_cover(ctx, paths, out->others));
        CHECK(cairn_tree_paths_values(ctx, paths, rows, wanted));
        CHECK(cairn_tree_paths_game(ctx, paths, rows.values, nothing, base));
        for (size_t c = 0; c < out->n_outputs; c++) out->base[c] += base[c];
    }
    if (sum->weighs) {
        /* Weights of columns: value − mean of the background, times the weight. */
        size_t d = sum->n_columns, k = out->n_outputs, m = out->n_players;
        for (size_t j = 0; j < d; j++) {
            double mean = out->means[j] = mean_of(out->others, j);
            for (size_t c = 0; c < k; c++) {
                double weight = sum->weights[c * d + j];
                if (weight == 0) continue;
                out->base[c] += weight * mean;
                for (size_t i = 0; i < rows.n; i++)
                    out->values[(i * k + c) * m + (size_t)players[j]] +=
                        weight * (rows.values[i * d + j] - mean);
            }
        }
    }
    /* The diagonal: what is left of a value when half of each interaction is taken off. */
    size_t m = out->n_players;
    for (size_t i = 0; out->pairs && i < out->n_rows * out->n_outputs; i++)
        for (size_t a = 0; a < m; a++) {
            double *row = out->pairs + (i * m + a) * m, left = out->values[i * m + a];
            for (size_t b = 0; b < m; b++)
                if (b != a) left -= row[b];
            row[a] = left;
        }
    return CAIRN_OK;
}

/* -- units and sums -- */

/* A number in other units is brought back where that is a line; differences are then multiplied. */
static void restore_units(cairn_shapley *out, const cairn_model *model)
{
    double at[] = {0, 1, 2};
    if (out->scale != CAIRN_SUM_NUMBER || !out->exact || !cairn_model_changes_target(model)) return;
    cairn_chain_invert(model, at, 3);
    double factor = at[1] - at[0];
    out->unit = factor;
    out->shift = at[0];
    if (!(fabs(at[2] - at[1] - factor) <= 1e-9 * (fabs(at[0]) + fabs(at[2])))) {
        out->other_units = true;
        out->unit = 1;
        out->shift = 0;
        return;
    }
    size_t n = out->n_rows * out->n_players;
    for (size_t i = 0; i < n; i++) out->values[i] *= factor;
    for (size_t i = 0; out->pairs && i < n * out->n_players; i++) out->pairs[i] *= factor;
    out->base[0] = at[0] + factor * out->base[0];
}

/* Base and shares together, beside what the model itself answers; that is missing where the
 * model gives nothing on this scale. */
static cairn_status find_sums(cairn_context *ctx, cairn_shapley *out)
{
    size_t n = cairn_product(out->n_rows, out->n_outputs);
    CHECK(SCRATCH_EACH(ctx, n + 1, &out->sums, &out->answers));
    for (size_t i = 0; i < n; i++) {
        double sum = out->base[i % out->n_outputs], sizes = fabs(sum);
        for (size_t j = 0; j < out->n_players; j++) {
            sum += out->values[i * out->n_players + j];
            sizes += fabs(out->values[i * out->n_players + j]);
        }
        out->sums[i] = fabs(sum) < 1e-14 * sizes ? 0 : sum; /* what rounding leaves of nothing */
        /* What the model itself says of an output, where it is on that scale. */
        size_t row = i / out->n_outputs;
        size_t output = i % out->n_outputs;
        const cairn_prediction *p = &out->predictions;
        if (out->scale == CAIRN_SUM_NUMBER && p->numbers && !out->other_units)
            out->answers[i] = p->numbers[row];
        else if (out->scale == CAIRN_SUM_SCORE && p->scores)
            out->answers[i] = p->scores[row * p->n_classes + (size_t)out->classes[output]];
        else
            out->answers[i] = NAN;
    }
    return CAIRN_OK;
}

/* -- the whole -- */

static cairn_status refuse_method(cairn_context *ctx, const cairn_model *model,
                                  const cairn_shapley_options *options, const char *refused)
{
    if (options->method == CAIRN_SHAPLEY_EXACT)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "this model of %s has no exact values: %s; {method sampled} estimates "
                          "them",
                          cairn_model_learner(model), refused);
    if (options->pairs)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "interaction values are those of trees, and this model of %s is no sum "
                          "of them: %s",
                          cairn_model_learner(model), refused);
    return CAIRN_OK;
}

/* The rows that are explained, matched, and what the model says of them. */
static cairn_status take_rows(cairn_context *ctx, cairn_shapley *out, const cairn_model *model,
                              const cairn_table *table, const cairn_shapley_options *options)
{
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = true};
    if (!model->learner || model->task == CAIRN_LABEL_ITEMS || !model->learner->predict)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "values are those of one answer for every row, which %s does not give",
                          model->learner ? cairn_model_learner(model) : "a recipe");
    if (options->rows)
        CHECK(cairn_table_take_rows(ctx, &part, table, options->rows, options->n_rows));
    CHECK(cairn_schema_match(ctx, &out->table, &model->schema, part ? part : table, false, &match));
    cairn_warn_unseen(ctx, &model->schema, &match);
    out->n_rows = out->table->n_rows;
    if (!out->n_rows) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no rows to explain");
    return cairn_model_predict_rows(ctx, &out->predictions, model, out->table,
                                    cairn_all_rows(out->table), wants, &match);
}

cairn_status cairn_shapley_find(cairn_context *ctx, cairn_shapley *out, const cairn_model *model,
                                const cairn_table *table, const cairn_shapley_options *options)
{
    OWNED(cairn_table_free) cairn_table *background = NULL;
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    OWNED(cairn_table_free) cairn_table *background_inner = NULL;
    cairn_cell_rows rows;
    int32_t *players;
    *out = (cairn_shapley){.unit = 1};
    CHECK(take_rows(ctx, out, model, table, options));
    bool sampled = options->method == CAIRN_SHAPLEY_SAMPLED;
    if (!sampled) CHECK(cairn_additive_of(ctx, &out->sum, model));
    CHECK(cairn_background_choose(ctx, &out->from, options->keeper ? options->keeper : model,
                                  options->background, table));
    size_t n_others = out->from.table->n_rows;
    if (!sampled && too_wide(model, n_others > out->n_rows ? n_others : out->n_rows))
        out->sum.refused = "its bags have too many items to write all of them out";
    out->refused = out->sum.refused;
    sampled |= out->refused != NULL;
    if (out->refused) CHECK(refuse_method(ctx, model, options, out->refused));
    size_t most = sampled || options->against_rows ? options->most_background : SIZE_MAX;
    CHECK(cairn_explain_background(ctx, &background, model, out->from.table, most));
    out->n_background = background->n_rows;
    CHECK(read_cells(ctx, &out->others, &background_inner, model, background, !sampled));
    CHECK(check_background(ctx, out->others));
    if (sampled) {
        CHECK(cairn_shapley_sample(ctx, out, model, background, out->others.weights,
                                   options->permutations));
    } else {
        CHECK(read_cells(ctx, &rows, &inner, model, out->table, true));
        out->cells = rows.values;
        CHECK(name_players(ctx, out, model, &inner, &players));
        CHECK(find_exact(ctx, out, players, rows, options));
    }
    restore_units(out, model);
    return find_sums(ctx, out);
}

cairn_shapley_side cairn_shapley_side_of(const cairn_shapley *s, int32_t class_code)
{
    for (size_t c = 0; c < s->n_outputs; c++)
        if (s->classes[c] == class_code) return (cairn_shapley_side){c, 1};
    return (cairn_shapley_side){0, s->scale == CAIRN_SUM_LOG_ODDS ? -1 : 1};
}

void cairn_shapley_clear(cairn_shapley *shapley)
{
    cairn_table_free(shapley->table);
    cairn_background_rows_clear(&shapley->from);
    cairn_prediction_clear(&shapley->predictions);
    cairn_additive_clear(&shapley->sum);
    *shapley = (cairn_shapley){0};
}
