/* SPDX-License-Identifier: MIT */
/* Shapley values as tables. */
#include "explain/shapley_report.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PAIRS = 20, MOST_CLASSES = 12, MOST_LISTED = 30 };

/* -- classes and scales -- */

int32_t cairn_shapley_class(const cairn_shapley *s, size_t row, int32_t wanted)
{
    const cairn_prediction *p = &s->predictions;
    if (p->numbers) return -1;
    if (wanted >= 0) return wanted;
    return p->codes && p->codes[row] >= 0 ? p->codes[row] : 0;
}

const char *cairn_shapley_class_name(cairn_context *ctx, const cairn_model *model, int32_t code)
{
    const cairn_field *target = cairn_model_target(model);
    char *text;
    if (code < 0) return "";
    if (target && model->task == CAIRN_CLASSIFY && (size_t)code < target->names.n)
        return cairn_map_key(&target->names, (size_t)code);
    if (SCRATCH(ctx, &text, 32)) return "";
    snprintf(text, 32, "cluster %d", code + 1);
    return text;
}

void cairn_shapley_add_scale(cairn_text *text, const cairn_shapley *s, const cairn_model *model,
                             int32_t code)
{
    const cairn_field *target = cairn_model_target(model);
    const char *name = target ? target->name : "the answer";
    const char *class_name = cairn_shapley_class_name(text->ctx, model, code);
    switch (s->scale) {
    case CAIRN_SUM_NUMBER: cairn_text_add(text, name); break;
    case CAIRN_SUM_LOGARITHM: cairn_text_addf(text, "logarithm of %s", name); break;
    case CAIRN_SUM_LOG_ODDS: cairn_text_addf(text, "log odds of %s", class_name); break;
    case CAIRN_SUM_SOFTMAX: cairn_text_addf(text, "score of %s before softmax", class_name); break;
    default:
        cairn_text_addf(text, "%s of %s",
                        cairn_learner_gives_probabilities(model->learner, model->params->values)
                            ? "probability"
                            : "score",
                        class_name);
    }
}

/* -- order -- */

typedef struct ranked {
    size_t player;
    double size;
} ranked;

/* The largest first; ties keep the order of columns, and what is not a number comes last. */
static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    double x = isnan(a->size) ? -1 : a->size, y = isnan(b->size) ? -1 : b->size;
    if (x != y) return x > y ? -1 : 1;
    return (a->player > b->player) - (a->player < b->player);
}

double cairn_shapley_mean(const cairn_shapley *s, size_t player, int32_t wanted)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        cairn_shapley_side side = cairn_shapley_side_of(s, cairn_shapley_class(s, i, wanted));
        sum += fabs(cairn_shapley_value(s, i, side, player));
    }
    return sum / (double)s->n_rows;
}

cairn_status cairn_shapley_order(cairn_context *ctx, size_t **out, const cairn_shapley *s,
                                 ptrdiff_t row, int32_t wanted)
{
    ranked *list;
    CHECK(SCRATCH(ctx, &list, s->n_players + 1));
    CHECK(SCRATCH(ctx, out, s->n_players + 1));
    for (size_t j = 0; j < s->n_players; j++) {
        double size = 0;
        if (row >= 0) {
            int32_t code = cairn_shapley_class(s, (size_t)row, wanted);
            size = fabs(cairn_shapley_value(s, (size_t)row, cairn_shapley_side_of(s, code), j));
        } else {
            size = cairn_shapley_mean(s, j, wanted);
        }
        list[j] = (ranked){j, size};
    }
    if (s->n_players > 1) qsort(list, s->n_players, sizeof *list, compare_ranked);
    for (size_t j = 0; j < s->n_players; j++) (*out)[j] = list[j].player;
    return CAIRN_OK;
}

/* -- how -- */

/* What stands for a column that is not known yet. */
static const char *unknown_by(const cairn_shapley *s)
{
    if (!s->trees)
        return "Each term is the weight of a column times its distance from the mean "
               "of the background.";
    if (s->against_rows)
        return "Where a column is not known, its cell is that of a background row; the mean over "
               "these rows counts.";
    return "Where a column is not known, a test of it lets the row go down all branches, in the "
           "shares in which the background rows of the node do.";
}

void cairn_shapley_show_method(cairn_report *out, const cairn_shapley *s, const cairn_model *model)
{
    cairn_report_value(out, "rows explained", (double)s->n_rows, "rows");
    cairn_report_value(out, "background rows", (double)s->n_background, "background");
    cairn_report_word(out, "method", s->exact ? "exact" : "sampled", "method");
    if (s->exact) {
        cairn_report_paragraph(out, "The values are exact, averaged over all orders of columns. %s",
                               unknown_by(s));
    } else {
        cairn_report_hidden(out, (double)s->permutations, "permutations");
        cairn_report_paragraph(
            out,
            "The values are estimates from %zu drawn orders of the columns and as many opposite "
            "ones for every row, %zu from each background row; ± is the standard error.%s%s%s",
            s->permutations, s->permutations / s->n_background,
            s->refused ? " There is no exact way: " : "", s->refused ? s->refused : "",
            s->refused ? "." : "");
    }
    cairn_background_show(out, &s->from, s->n_background);
    if (s->inner)
        cairn_report_note(out,
                          "The columns are those that %s sees after the transforms, since not "
                          "each of them was made of a single column of the data.",
                          cairn_model_learner(model));
    if (s->other_units)
        cairn_report_note(out, "The values are in the units that the transforms gave the target, "
                               "the predictions in those of the data.");
}

/* -- rows -- */

/* The standard error of a value; NaN where it is exact. */
static double error_of(const cairn_shapley *s, size_t row, cairn_shapley_side side, size_t player)
{
    if (!s->errors) return NAN;
    return s->errors[(row * s->n_outputs + side.output) * s->n_players + player];
}

void cairn_shapley_cell(const cairn_shapley *s, size_t player, size_t row, char *out, size_t size)
{
    const cairn_column *column = s->table->slots[s->columns[player]].column;
    char number[CAIRN_NUMBER_SIZE];
    if (column->kind == CAIRN_NUMBER && !isnan(column->numbers[row])) {
        cairn_number_format(number, column->numbers[row], 6);
        snprintf(out, size, "%s", number);
        return;
    }
    cairn_table_cell(s->table, s->columns[player], row, out, size);
}

static void show_value(cairn_report *out, const cairn_shapley *s, size_t row,
                       cairn_shapley_side side, size_t player)
{
    char cell[80];
    const char *key = cairn_report_key(out, s->names[player]);
    cairn_shapley_cell(s, player, row, cell, sizeof cell);
    cairn_report_cells(out, "- - $1", s->names[player], cell,
                       cairn_shapley_value(s, row, side, player));
    if (s->errors)
        cairn_report_cell_number(out, error_of(s, row, side, player), 2, "error.%s", key);
}

/* What the model makes of the sum, where that is another number. */
static void show_answer(cairn_report *out, const cairn_shapley *s, size_t row, int32_t code,
                        size_t at)
{
    const cairn_prediction *p = &s->predictions;
    if (isfinite(s->answers[at])) {
        cairn_report_hidden(out, s->answers[at], "answer");
    } else if (p->numbers) {
        cairn_report_value(out, "answer", p->numbers[row], "answer");
    } else if (p->scores) {
        double share = p->scores[row * p->n_classes + (size_t)code];
        const char *label = s->scale == CAIRN_SUM_LOG_ODDS ? "probability: 1 / (1 + exp(−sum))"
                            : s->scale == CAIRN_SUM_SOFTMAX
                                ? "probability: exp(sum) / Σ exp of all classes"
                                : "score";
        cairn_report_value(out, label, share, "answer");
    }
}

/* The row's values divided into what columns do alone and in pairs, the largest first; what is 0 is
 * not shown. */
static cairn_status show_row_pairs(cairn_report *out, const cairn_shapley *s, size_t row,
                                   cairn_shapley_side side)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t m = s->n_players, n = 0;
    ranked *list;
    CHECK(SCRATCH(ctx, &list, cairn_product(m, m) + 1));
    for (size_t a = 0; a < m; a++)
        for (size_t b = a; b < m; b++) {
            double size = fabs(cairn_shapley_pair(s, row, side, a, b));
            if (size > 0) list[n++] = (ranked){a * m + b, size};
        }
    if (n > 1) qsort(list, n, sizeof *list, compare_ranked);
    cairn_report_table_of(out, "Alone and together; they add up to Σ φ", MOST_LISTED, "llr",
                          "column", "with", "φ(i, i) or φ(i, j) + φ(j, i)");
    for (size_t k = 0; k < n; k++) {
        size_t a = list[k].player / m, b = list[k].player % m;
        double value = cairn_shapley_pair(s, row, side, a, b);
        const char *key = cairn_report_key(out, s->names[a]);
        cairn_report_cells(out, NULL, s->names[a], a == b ? "" : s->names[b]);
        if (a == b)
            cairn_report_cell_number(out, value, 6, "alone.%s", key);
        else
            cairn_report_cell_number(out, value, 6, "pair.%s.%s", key,
                                     cairn_report_key(out, s->names[b]));
    }
    return CAIRN_OK;
}

cairn_status cairn_shapley_show_row(cairn_report *out, const cairn_shapley *s,
                                    const cairn_model *model, size_t row, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text scale = cairn_text_start(ctx);
    int32_t code = cairn_shapley_class(s, row, wanted);
    cairn_shapley_side side = cairn_shapley_side_of(s, code);
    cairn_figure *figure = NULL;
    size_t *order, at = row * s->n_outputs + side.output;
    double base = side.sign * s->base[side.output];
    CHECK(cairn_shapley_order(ctx, &order, s, (ptrdiff_t)row, wanted));
    cairn_shapley_add_scale(&scale, s, model, code);
    CHECK(cairn_text_status(&scale));
    cairn_report_formula(out, "%s = base + Σ φ", cairn_text_string(&scale));
    cairn_report_table_of(out, NULL, MOST_LISTED, "llr", "column", "value", "φ");
    if (s->errors) cairn_report_column(out, "±", 'r');
    for (size_t j = 0; j < s->n_players; j++) show_value(out, s, row, side, order[j]);
    if (code >= 0)
        cairn_report_hidden_word(out, cairn_shapley_class_name(ctx, model, code), "class");
    cairn_report_value(out, "base: mean over the background", base, "base");
    cairn_report_value(out, "Σ φ", side.sign * s->sums[at] - base, "phi");
    cairn_report_value(out, "base + Σ φ", side.sign * s->sums[at], "sum");
    show_answer(out, s, row, code, at);
    if (s->pairs) CHECK(show_row_pairs(out, s, row, side));
    CHECK(cairn_shapley_waterfall(ctx, &figure, s, model, row, wanted));
    cairn_report_page_figure(out, figure);
    return cairn_report_status(out);
}

/* -- all rows -- */

/* Means of the sizes per class where there are several and none was asked for. */
static void show_class_means(cairn_report *out, const cairn_shapley *s, const cairn_model *model,
                             const size_t *order)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_report_table_begin(out, "Mean of |φ| for every class", MOST_LISTED);
    cairn_report_column(out, "column", 'l');
    for (size_t c = 0; c < s->n_outputs; c++)
        cairn_report_column(out, cairn_shapley_class_name(ctx, model, s->classes[c]), 'r');
    for (size_t j = 0; j < s->n_players; j++) {
        const char *key = cairn_report_key(out, s->names[order[j]]);
        cairn_report_cell(out, s->names[order[j]]);
        for (size_t c = 0; c < s->n_outputs; c++) {
            const char *name = cairn_shapley_class_name(ctx, model, s->classes[c]);
            cairn_report_cell_number(out, cairn_shapley_mean(s, order[j], s->classes[c]), 4,
                                     "mean.%s.%s", cairn_report_key(out, name), key);
        }
    }
}

/* The mean size says how much a column matters, the mean itself in which direction. */
static void show_means(cairn_report *out, const cairn_shapley *s, const size_t *order,
                       int32_t wanted)
{
    cairn_report_table_of(out, "Columns by the mean size of their values", MOST_LISTED, "lrrrr",
                          "column", "mean of |φ|", "mean of φ", "least φ", "greatest φ");
    for (size_t k = 0; k < s->n_players; k++) {
        size_t j = order[k];
        double sum = 0, least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < s->n_rows; i++) {
            int32_t code = cairn_shapley_class(s, i, wanted);
            double value = cairn_shapley_value(s, i, cairn_shapley_side_of(s, code), j);
            sum += value;
            least = fmin(least, value);
            most = fmax(most, value);
        }
        cairn_report_cells(out, "- mean.$1:4 -:4 -:4 -:4", s->names[j],
                           cairn_shapley_mean(s, j, wanted), sum / (double)s->n_rows, least, most);
    }
}

/* The mean size of the interaction of two players, or with a = b of what one does alone. */
static double pair_mean(const cairn_shapley *s, size_t a, size_t b, int32_t wanted)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        int32_t code = cairn_shapley_class(s, i, wanted);
        sum += fabs(cairn_shapley_pair(s, i, cairn_shapley_side_of(s, code), a, b));
    }
    return sum / (double)s->n_rows;
}

/* Interactions, the largest first; those of pairs that never meet on a path are 0 and not shown. */
static cairn_status show_pairs(cairn_report *out, const cairn_shapley *s, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t m = s->n_players, n = 0;
    ranked *list;
    CHECK(SCRATCH(ctx, &list, m * m + 1));
    cairn_report_table_of(out, "What columns do alone", MOST_LISTED, "lr", "column",
                          "mean of |φ(i, i)|");
    for (size_t a = 0; a < m; a++) {
        cairn_report_cells(out, "- alone.$1:4", s->names[a], pair_mean(s, a, a, wanted));
        for (size_t b = a + 1; b < m; b++) {
            double size = pair_mean(s, a, b, wanted);
            if (size > 0) list[n++] = (ranked){a * m + b, size};
        }
    }
    if (n > 1) qsort(list, n, sizeof *list, compare_ranked);
    cairn_report_table_of(out, "And together: φ(i, j) + φ(j, i)", MOST_PAIRS, "llr", "column",
                          "with", "mean size");
    for (size_t k = 0; k < n; k++) {
        const char *a = s->names[list[k].player / m], *b = s->names[list[k].player % m];
        cairn_report_cells(out, "- - pair.$1.$2:4", a, b, list[k].size);
    }
    return CAIRN_OK;
}

cairn_status cairn_shapley_show_summary(cairn_report *out, const cairn_shapley *s,
                                        const cairn_model *model, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    cairn_figure *figure = NULL;
    size_t *order;
    CHECK(cairn_shapley_order(ctx, &order, s, -1, wanted));
    cairn_report_heading(out, 2, "All rows");
    show_means(out, s, order, wanted);
    if (wanted < 0 && s->n_outputs > 2 && s->n_outputs <= MOST_CLASSES)
        show_class_means(out, s, model, order);
    if (s->pairs) CHECK(show_pairs(out, s, wanted));
    if (s->n_rows > 1) CHECK(cairn_shapley_swarm(ctx, &figure, s, model, wanted));
    if (figure) cairn_report_page_figure(out, figure);
    return cairn_report_status(out);
}

/* -- for predict -- */

cairn_status cairn_shapley_is_exact(cairn_context *ctx, const cairn_model *model, bool *out)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_additive_clear) cairn_additive sum = {0};
    *out = false;
    if (!model->learner) return CAIRN_OK;
    CHECK(cairn_additive_of(ctx, &sum, model));
    *out = !sum.refused;
    return CAIRN_OK;
}

/* The answer of a row in words. */
static void add_answer(cairn_text *text, const cairn_shapley *s, const cairn_model *model,
                       size_t row)
{
    const cairn_prediction *p = &s->predictions;
    if (p->numbers)
        cairn_text_add_number(text, p->numbers[row], 6);
    else if (p->codes[row] < 0)
        cairn_text_add(text, "no answer");
    else
        cairn_text_add(text, cairn_shapley_class_name(text->ctx, model, p->codes[row]));
}

static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_shapley *s,
                                const cairn_model *model, size_t row, size_t number)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    SCOPED(cairn_text_clear) cairn_text answer = cairn_text_start(ctx);
    char prefix[48];
    CHECK(cairn_report_new(ctx, &part));
    add_answer(&answer, s, model, row);
    CHECK(cairn_text_status(&answer));
    cairn_report_step_begin(out, "Row %zu: %s", number, cairn_text_string(&answer));
    CHECK(cairn_shapley_show_row(part, s, model, row, CAIRN_CLASS_ANSWERED));
    snprintf(prefix, sizeof prefix, "explain.%zu", number);
    cairn_report_append(out, part, prefix);
    cairn_report_step_end(out);
    return cairn_report_status(out);
}

cairn_status cairn_shapley_explain(cairn_context *ctx, cairn_report *out, const cairn_model *model,
                                   const cairn_table *table, const cairn_explain_how *options)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    OWNED(cairn_report_free) cairn_report *part = NULL;
    cairn_shapley_options how = {.background = options->background,
                                 .keeper = options->keeper,
                                 .most_background = options->draws,
                                 .permutations = options->draws,
                                 .rows = options->rows,
                                 .n_rows = options->n_rows};
    CHECK(cairn_shapley_find(ctx, &s, model, table, &how));
    cairn_report_heading(out, 2, "Reasons: Shapley values");
    CHECK(cairn_report_new(ctx, &part));
    cairn_shapley_show_method(part, &s, model);
    cairn_report_append(out, part, "explain");
    for (size_t i = 0; i < s.n_rows; i++)
        CHECK(explain_row(ctx, out, &s, model, i, (size_t)options->rows[i] + 1));
    return CAIRN_OK;
}
