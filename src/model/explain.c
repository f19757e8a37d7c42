/* SPDX-License-Identifier: MIT */
/* Explaining predictions: see explain.h.
 *
 * Exchanging a column: the row is repeated once per background row b, its cell of column c is
 * replaced by that of b, and the model is asked. With f the score of the class that was predicted
 * (the number itself in a regression; 1 or 0 for the same or another answer where there are no
 * scores),
 *
 *     effect(c) = f(row) − mean over b of f(row with the cell of b)
 *
 * is what the value in this row does, beside typical values of the column, for or against the
 * answer. Columns that only matter together share their effect in no fair way: an effect of 0 does
 * not mean that the column is without use. Background rows are drawn without repeats, stream 0 of
 * the seed; all are taken when they are few. Cost: columns x draws predictions per row. */
#include "model/explain.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "model/chain.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 20, MOST_CELLS = 12 };

/* -- what learners use -- */

typedef struct term {
    size_t index;
    double size;
} term;

/* The largest first; ties keep the order of columns, and what is not a number comes last. */
static int compare_terms(const void *left, const void *right)
{
    const term *a = left, *b = right;
    double x = isnan(a->size) ? -1 : fabs(a->size), y = isnan(b->size) ? -1 : fabs(b->size);
    if (x != y) return x > y ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void sort_terms(term *terms, size_t n)
{
    if (n > 1) qsort(terms, n, sizeof *terms, compare_terms);
}

ptrdiff_t cairn_explain_raw_field(const cairn_schema *raw, const char *name, size_t guess)
{
    ptrdiff_t best = -1;
    size_t length = 0;
    if (guess < raw->n_fields && raw->fields[guess].role == CAIRN_FEATURE &&
        strcmp(raw->fields[guess].name, name) == 0)
        return (ptrdiff_t)guess;
    for (size_t i = 0; i < raw->n_fields; i++) {
        const cairn_field *field = &raw->fields[i];
        size_t n = strlen(field->name);
        if (field->role != CAIRN_FEATURE || strncmp(field->name, name, n) != 0) continue;
        if (name[n] == '\0') return (ptrdiff_t)i;
        bool ends = strchr("=<>[(:^.*|~ ", name[n]) != NULL || (unsigned char)name[n] >= 128;
        if (ends && (best < 0 || n > length)) {
            best = (ptrdiff_t)i;
            length = n;
        }
    }
    return best;
}

/* Horizontal order of bars is that of the terms; the rest is left to the table. */
static void draw_terms(cairn_report *out, const char *title, const char *axis,
                       const char *const *names, const term *terms, size_t n)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    const char *shown[MOST_BARS];
    double sizes[MOST_BARS];
    if (!ctx || n < 2) return;
    if (n > MOST_BARS) n = MOST_BARS;
    for (size_t i = 0; i < n; i++) {
        shown[i] = names[terms[i].index];
        sizes[i] = terms[i].size;
    }
    cairn_report_failed(out, cairn_figure_new(ctx, &figure, "explain", title));
    cairn_figure_axes(figure, "", axis);
    cairn_figure_bars(figure, NULL, shown, sizes, n);
    cairn_report_page_figure(out, figure);
}

/* Sums of the terms by raw column, where a column became several or has another name now. */
static cairn_status sum_by_column(cairn_context *ctx, cairn_report *out, const cairn_schema *raw,
                                  const char *const *names, const double *sizes, size_t n)
{
    double *sums;
    size_t *counts, n_terms = 0;
    bool differs = false;
    term *terms;
    CHECK(SCRATCH_EACH(ctx, raw->n_fields + 1, &sums, &counts, &terms));
    for (size_t j = 0, guess = 0; j < n; j++) {
        ptrdiff_t at = cairn_explain_raw_field(raw, names[j], guess);
        if (at >= 0) guess = (size_t)at + 1;
        differs |= at < 0 || strcmp(raw->fields[at].name, names[j]) != 0;
        if (at < 0) continue;
        sums[at] += sizes[j];
        counts[at]++;
    }
    for (size_t i = 0; i < raw->n_fields; i++)
        if (counts[i]) terms[n_terms++] = (term){i, sums[i]};
    for (size_t i = 0; i < n_terms; i++)
        cairn_report_hidden(out, terms[i].size, "%s",
                            cairn_report_key(out, raw->fields[terms[i].index].name));
    if (!differs || !n_terms) return CAIRN_OK;
    sort_terms(terms, n_terms);
    cairn_report_table_of(out, "By column of the data", 0, "lrr", "column", "terms",
                          "contribution");
    for (size_t i = 0; i < n_terms; i++)
        cairn_report_cells(out, "- - -:6", raw->fields[terms[i].index].name, counts[terms[i].index],
                           terms[i].size);
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* The rows of the table that cairn_explain_terms shows, and what they add up from. */
static void show_terms(cairn_report *out, const cairn_sum_terms *sum, const term *terms,
                       const double *sizes)
{
    bool centred = sum->centres;
    cairn_report_table_of(out, NULL, 0, "lrr", "term", "coefficient", "value");
    if (centred) cairn_report_column(out, "mean", 'r');
    cairn_report_column(out, "contribution", 'r');
    for (size_t i = 0; i < sum->n; i++) {
        size_t j = terms[i].index;
        const char *key = cairn_report_key(out, sum->names[j]);
        cairn_report_cells(out, "- -:6 -:6", sum->names[j], sum->coefficients[j], sum->values[j]);
        if (centred) cairn_report_cell_number(out, sum->centres[j], 6, NULL);
        cairn_report_cell_number(out, sizes[j], 6, "term.%s", key);
        if (centred) cairn_report_hidden(out, sum->coefficients[j] * sum->values[j], "raw.%s", key);
    }
}

/* The last row of the table: what the contributions are added to. */
static void show_start(cairn_report *out, const cairn_sum_terms *sum)
{
    double baseline = sum->constant;
    for (size_t j = 0; sum->centres && j < sum->n; j++)
        baseline += sum->coefficients[j] * sum->centres[j];
    cairn_report_cell(out, sum->centres ? "baseline: the row of means" : "constant");
    for (size_t i = 0; i < (sum->centres ? 3u : 2u); i++) cairn_report_cell(out, "");
    if (sum->centres) cairn_report_hidden(out, sum->constant, "constant");
    cairn_report_cell_number(out, baseline, 6, sum->centres ? "baseline" : "constant");
}

void cairn_explain_terms(cairn_report *out, const cairn_job *job, const cairn_sum_terms *sum)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    term *terms;
    double *sizes, total = sum->constant;
    TRY(SCRATCH_EACH(ctx, sum->n + 1, &terms, &sizes));
    for (size_t j = 0; j < sum->n; j++) {
        double centre = sum->centres ? sum->centres[j] : 0;
        sizes[j] = sum->coefficients[j] * (sum->values[j] - centre);
        terms[j] = (term){j, sizes[j]};
        total += sum->coefficients[j] * sum->values[j];
    }
    sort_terms(terms, sum->n);
    cairn_report_formula(out, sum->centres ? "sum = baseline + Σ coefficient · (value − mean)"
                                           : "sum = constant + Σ coefficient · value");
    show_terms(out, sum, terms, sizes);
    show_start(out, sum);
    cairn_report_table_end(out);
    cairn_report_value(out, "sum", total, "sum");
    TRY(sum_by_column(ctx, out, job->raw ? job->raw : job->schema, sum->names, sizes, sum->n));
    draw_terms(out, "What the terms contribute", "contribution", sum->names, terms, sum->n);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

void cairn_explain_classes(cairn_report *out, const cairn_job *job, const double *weights,
                           int32_t answer)
{
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    double total = 0;
    if (at < 0) return;
    for (size_t c = 0; c < job->n_classes; c++) total += weights[c];
    cairn_report_table_of(out, NULL, 0, "lrr", "class", "training rows", "share");
    for (size_t c = 0; c < job->n_classes; c++) {
        const char *name = cairn_map_key(&job->schema->fields[at].names, c);
        const char *key = cairn_report_key(out, name);
        if (weights[c] == 0 && job->n_classes > MOST_CELLS) continue;
        cairn_report_cells(out, "- rows.$1:6", name, weights[c]);
        if ((int32_t)c == answer) cairn_report_row_mark(out);
        cairn_report_cell_number(out, total > 0 ? weights[c] / total : NAN, 4, "share.%s", key);
    }
    cairn_report_table_end(out);
}

/* -- exchanging columns -- */

typedef struct exchange {
    const cairn_model *model;
    const cairn_table *rows;       /* the rows to explain, matched to the schema */
    const cairn_table *background; /* as many as are drawn, likewise matched */
    const cairn_prediction *answers;
    const size_t *columns; /* n_columns places of features in the tables */
    size_t n_columns;
    double *effects;  /* rows x columns */
    double *switched; /* rows x columns: share of background rows that change the answer */
} exchange;

/* The score of the answer that row i of `from` got, in prediction j of `p`. */
static double score_of(const cairn_prediction *answers, size_t i, const cairn_prediction *p,
                       size_t j)
{
    if (answers->numbers) return p->numbers[j];
    if (answers->scores && answers->codes[i] >= 0)
        return p->scores[j * p->n_classes + (size_t)answers->codes[i]];
    return p->codes && answers->codes && p->codes[j] == answers->codes[i];
}

/* The effect is what the answer loses on average when the cell comes from another row; the share
 * of rows where the answer changes stands beside it. */
static cairn_status exchange_column(cairn_context *ctx, void *data, size_t task)
{
    const exchange *x = data;
    size_t i = task / x->n_columns, column = x->columns[task % x->n_columns];
    size_t k = x->background->n_rows;
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *changed = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = x->answers->scores != NULL};
    uint32_t *same;
    double answer = score_of(x->answers, i, x->answers, i), sum = 0, other = 0;
    CHECK(cairn_tick(ctx, "reasons", (double)task, (double)(x->rows->n_rows * x->n_columns)));
    CHECK(SCRATCH_RAW(ctx, &same, k));
    for (size_t j = 0; j < k; j++) same[j] = (uint32_t)i;
    CHECK(cairn_table_take_rows(ctx, &changed, x->rows, same, k));
    /* which has all features, but perhaps not the names of rows that stand among them here */
    ptrdiff_t there = cairn_table_find(x->background, x->rows->slots[column].name);
    cairn_table_replace_column(changed, column,
                               cairn_column_hold(x->background->slots[there].column));
    CHECK(cairn_model_predict_rows(ctx, &p, x->model, changed, cairn_all_rows(changed), wants,
                                   &match));
    for (size_t j = 0; j < k; j++) {
        sum += answer - score_of(x->answers, i, &p, j); /* equal ones leave no rounding */
        if (p.codes) other += p.codes[j] != x->answers->codes[i];
    }
    x->effects[task] = sum / (double)k;
    x->switched[task] = p.codes ? other / (double)k : NAN;
    return CAIRN_OK;
}

cairn_status cairn_explain_background(cairn_context *ctx, cairn_table **out,
                                      const cairn_model *model, const cairn_table *from,
                                      size_t draws)
{
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_match match = {0};
    cairn_random random;
    size_t n = from->n_rows, *order;
    uint32_t *rows;
    CHECK(SCRATCH_RAW(ctx, &order, n + 1));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    if (draws < n) cairn_random_shuffle(&random, order, n);
    if (draws > n) draws = n;
    CHECK(SCRATCH_RAW(ctx, &rows, draws + 1));
    for (size_t i = 0; i < draws; i++) rows[i] = (uint32_t)order[i];
    CHECK(cairn_table_take_rows(ctx, &part, from, rows, draws));
    return cairn_schema_match(ctx, out, &model->schema, part, false, &match);
}

/* Rows times columns are independent tasks; the background is drawn once, so all of them meet
 * the same rows. */
static cairn_status exchange_all(cairn_context *ctx, exchange *x, const cairn_table *from,
                                 size_t draws)
{
    cairn_status status;
    cairn_table *background = NULL;
    size_t *columns;
    TRY(cairn_explain_background(ctx, &background, x->model, from, draws));
    x->background = background;
    TRY(SCRATCH(ctx, &columns, x->rows->n_columns + 1));
    for (size_t c = 0; c < x->rows->n_columns; c++)
        if (x->rows->slots[c].role == CAIRN_FEATURE) columns[x->n_columns++] = c;
    x->columns = columns;
    size_t n = cairn_product(x->rows->n_rows, x->n_columns);
    TRY(SCRATCH_EACH(ctx, n + 1, &x->effects, &x->switched));
    TRY(cairn_tasks(ctx, n, exchange_column, x));
done:
    x->background = NULL;
    cairn_table_free(background);
    return status;
}

/* What the effects of row i are on, as words. */
static const char *effect_of(const cairn_prediction *p)
{
    if (p->numbers) return "effect on the number";
    return p->scores ? "effect on the score" : "effect on the answer";
}

/* Columns in order of their effect, signs kept; with classes the effect is on the score of the
 * class that was answered. */
static cairn_status show_effects(cairn_context *ctx, cairn_report *out, const exchange *x, size_t i,
                                 size_t k)
{
    const char **names;
    term *terms;
    CHECK(SCRATCH_EACH(ctx, x->n_columns + 1, &names, &terms));
    for (size_t c = 0; c < x->n_columns; c++) {
        names[c] = x->rows->slots[x->columns[c]].name;
        terms[c] = (term){c, x->effects[i * x->n_columns + c]};
    }
    sort_terms(terms, x->n_columns);
    cairn_report_formula(out, "effect = f(row) − mean of f(row with the cell of another row)");
    cairn_report_table_of(out, NULL, 0, "llr", "column", "value", effect_of(x->answers));
    if (x->answers->codes) cairn_report_column(out, "answer changes", 'r');
    for (size_t t = 0; t < x->n_columns; t++) {
        char cell[80];
        size_t c = terms[t].index;
        const char *key = cairn_report_key(out, names[c]);
        cairn_table_cell(x->rows, x->columns[c], i, cell, sizeof cell);
        cairn_report_cells(out, NULL, names[c], cell);
        cairn_report_cell_number(out, terms[t].size, 4, "%s", key);
        if (x->answers->codes)
            cairn_report_cell_number(out, x->switched[i * x->n_columns + c], 4, "changes.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)k, "background");
    draw_terms(out, "What the values of the row do", effect_of(x->answers), names, terms,
               x->n_columns);
    return CAIRN_OK;
}

/* -- all rows -- */

/* "outlook sunny, humidity high, ..." of the features. */
static void show_cells(cairn_report *out, const cairn_table *rows, size_t i)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t shown = 0, n = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        char cell[80];
        if (rows->slots[c].role != CAIRN_FEATURE) continue;
        if (n++ >= MOST_CELLS) continue;
        cairn_table_cell(rows, c, i, cell, sizeof cell);
        cairn_text_addf(&text, "%s%s %s", shown++ ? ", " : "", rows->slots[c].name,
                        cairn_column_is_missing(rows->slots[c].column, i) ? "?" : cell);
    }
    if (n > shown) cairn_text_addf(&text, " and %zu more", n - shown);
    cairn_report_failed(out, cairn_text_status(&text));
    if (shown) cairn_report_paragraph(out, "The row: %s.", cairn_text_string(&text));
    cairn_text_clear(&text);
}

typedef struct explaining {
    const cairn_model *model;
    const cairn_table *rows;
    const cairn_prediction *answers;
    const cairn_job *job;                    /* of the inner rows */
    const exchange *effects;                 /* NULL = the learner tells */
    const cairn_background_rows *background; /* with effects */
    size_t n_background;
} explaining;

/* Values go into a report of their own, so that their names get the row's number in front. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const explaining *e,
                                size_t i, size_t number)
{
    OWNED(cairn_report_free) cairn_report *part = NULL;
    SCOPED(cairn_text_clear) cairn_text answer = cairn_text_start(ctx);
    char prefix[48];
    CHECK(cairn_report_new(ctx, &part));
    const cairn_prediction *p = e->answers;
    const cairn_field *target = cairn_model_target(e->model);
    if (p->numbers)
        cairn_text_add_number(&answer, p->numbers[i], 6);
    else if (p->codes[i] < 0)
        cairn_text_add(&answer, "no answer");
    else if (target)
        cairn_text_add(&answer, cairn_map_key(&target->names, (size_t)p->codes[i]));
    else
        cairn_text_addf(&answer, "cluster %d", p->codes[i] + 1);
    CHECK(cairn_text_status(&answer));
    cairn_report_step_begin(out, "Row %zu: %s", number, cairn_text_string(&answer));
    show_cells(out, e->rows, i);
    if (e->answers->numbers)
        cairn_report_hidden(part, e->answers->numbers[i], "prediction");
    else
        cairn_report_hidden_word(part, cairn_text_string(&answer), "prediction");
    if (e->answers->scores && e->answers->codes[i] >= 0)
        cairn_report_value(
            part, "score of the answer",
            e->answers->scores[i * e->answers->n_classes + (size_t)e->answers->codes[i]], "score");
    if (e->effects)
        CHECK(show_effects(ctx, part, e->effects, i, e->n_background));
    else
        e->model->learner->explain(part, e->model->state, e->job, i);
    snprintf(prefix, sizeof prefix, "explain.%zu", number);
    cairn_report_append(out, part, prefix);
    cairn_report_step_end(out);
    return cairn_report_status(out);
}

/* What the reasons are about, told once. */
static void show_method(cairn_report *out, const cairn_model *model, const explaining *e)
{
    bool inverts = cairn_model_changes_target(model);
    cairn_report_heading(out, 2, "Reasons");
    if (!e->effects) {
        if (inverts)
            cairn_report_note(out, "The reasons are in the units that the transforms gave the "
                                   "target, the predictions in those of the data.");
        return;
    }
    cairn_report_paragraph(
        out,
        "Each column in turn got the values of %zu background row%s, everything else staying as it "
        "is. An "
        "effect above 0 says that the value of this row speaks for the answer. Columns that only "
        "matter together can hide each other.",
        e->n_background, e->n_background == 1 ? "" : "s");
    cairn_background_show(out, e->background, e->n_background);
}

cairn_status cairn_model_explain(cairn_context *ctx, cairn_report *out, const cairn_model *model,
                                 const cairn_table *table, const cairn_explain_how *options)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction answers = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = true};
    cairn_view view;
    SCOPED(cairn_background_rows_clear) cairn_background_rows from = {0};
    if (model->task == CAIRN_LABEL_ITEMS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "reasons are given for one answer in a row, and %s labels every item",
                          cairn_model_learner(model));
    CHECK(cairn_table_take_rows(ctx, &part, table, options->rows, options->n_rows));
    CHECK(cairn_schema_match(ctx, &rows, &model->schema, part, false, &match));
    CHECK(
        cairn_model_predict_rows(ctx, &answers, model, rows, cairn_all_rows(rows), wants, &match));
    CHECK(cairn_chain_apply(ctx, model, &inner, rows));
    CHECK(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    view.target = NULL;
    cairn_job job = cairn_model_job(model);
    job.history = model->history;
    job.view = &view;
    job.raw = &model->schema;
    job.means = model->means;
    exchange x = {.model = model, .rows = rows, .answers = &answers};
    explaining e = {model, rows, &answers, &job, NULL, &from, 0};
    if (options->by_columns || !model->learner->explain) {
        CHECK(cairn_background_choose(ctx, &from, options->keeper ? options->keeper : model,
                                      options->background, table));
        CHECK(exchange_all(ctx, &x, from.table, options->draws));
        e.effects = &x;
        e.n_background = from.table->n_rows < options->draws ? from.table->n_rows : options->draws;
    }
    show_method(out, model, &e);
    for (size_t i = 0; i < options->n_rows; i++)
        CHECK(explain_row(ctx, out, &e, i, (size_t)options->rows[i] + 1));
    return CAIRN_OK;
}
