/* SPDX-License-Identifier: MIT */
/* cairn compute dependence: what a model answers when a column has another value.
 *
 *     the column gets one value x in all rows, everything else stays as it is
 *     individual curve of row i: its answer over x; partial dependence: the mean over the rows
 *
 * The values are observed ones: of numbers, some of the different values, evenly spread among them;
 * of levels, each of them. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "base/random.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "data/column.h"
#include "data/view.h"
#include "model/model.h"
#include "parallel/parallel.h"
#include "model/calculator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 9, MOST_LEVELS = 50, FEW_ROWS = 30, SHOWN_POINTS = 3, MOST_CURVES = 8 };

typedef struct dependence_params {
    const char *columns, *of_class;
    int points, sample, individual;
} dependence_params;

static const cairn_param dependence_table[] = {
    CAIRN_PARAM_AS(
        dependence_params, columns, CAIRN_TYPE_LIST, NULL,
        "the columns that are varied, one after the other; all numbers and levels if not "
        "given",
        .often = true),
    CAIRN_PARAM(dependence_params, of_class, NULL, NULL,
                "the class whose score is told; of two the positive one, of more all of them if "
                "not given",
                .often = true),
    CAIRN_PARAM(dependence_params, points, "20", "[2,1000]", "most values of a number column"),
    CAIRN_PARAM(dependence_params, sample, "1000", "[1,10000000]",
                "at most so many rows, drawn with --seed"),
    CAIRN_PARAM(dependence_params, individual, "20", "[0,1000]",
                "curves of single rows, spread over all of them, in the picture"),
    CAIRN_PARAM_END,
};

/* A column that is varied. */
typedef struct varied {
    size_t column, n; /* of the table; values */
    uint32_t *from;   /* n: rows that have the values */
    double *means;    /* n x outputs */
    double *spreads;  /* n x outputs: deviation of the rows */
    double *curves;   /* n x kept: answers of some rows, of the first output */
} varied;

typedef struct dependence_work {
    const cairn_model *model;
    cairn_table *table; /* the rows, in the coding of the model */
    double *weights;    /* rows */
    size_t n_outputs;   /* curves of a column */
    int32_t classes[MOST_CURVES];
    size_t kept, n;
    varied *list; /* n */
    size_t now;   /* the one that is worked on */
} dependence_work;

/* -- what is asked -- */

/* One output for numbers, a class or two classes; a class each for more. */
static cairn_status choose_outputs(cairn_context *ctx, dependence_work *w, const char *name)
{
    const cairn_field *target = cairn_model_target(w->model);
    size_t k = w->model->n_classes;
    w->n_outputs = 1;
    if (w->model->task == CAIRN_REGRESS && !name) return CAIRN_OK;
    if (w->model->task != CAIRN_CLASSIFY || !target)
        return cairn_fail(ctx, CAIRN_USAGE,
                          name ? "{of-class} is for models that answer classes, and %s does not"
                               : "%s answers neither classes nor numbers",
                          cairn_model_learner(w->model));
    if (name) {
        int64_t at = cairn_map_find(&target->names, name, strlen(name));
        if (at < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "{of-class %s}: '%s' has no such class", name,
                              target->name);
        w->classes[0] = (int32_t)at;
        return CAIRN_OK;
    }
    w->classes[0] = w->model->positive >= 0 ? w->model->positive : 0;
    if (k == 2) return CAIRN_OK;
    w->n_outputs = k < MOST_CURVES ? k : MOST_CURVES;
    for (size_t c = 0; c < w->n_outputs; c++) w->classes[c] = (int32_t)c;
    return CAIRN_OK;
}

/* The rows, drawn where there are many. */
static cairn_status take_sample(cairn_context *ctx, dependence_work *w, const cairn_table *data,
                                size_t most)
{
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_match match = {0};
    size_t n = data->n_rows, *order;
    uint32_t *rows;
    cairn_random random;
    if (n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "the data has no rows");
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &order, &rows));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    if (n > most) cairn_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)order[i];
    CHECK(cairn_table_take_rows(ctx, &part, data, rows, n < most ? n : most));
    return cairn_schema_match(ctx, &w->table, &w->model->schema, part, false, &match);
}

/* -- values of a column -- */

/* Different values of a number column at evenly spread places among the sorted ones. */
static cairn_status quantile_rows(cairn_context *ctx, varied *v, const cairn_column *column,
                                  size_t n_rows, size_t points)
{
    double *buffer;
    size_t n = 0, m = 0;
    CHECK(SCRATCH(ctx, &buffer, 2 * n_rows + 2));
    double(*pairs)[2] = (double(*)[2])buffer;
    for (size_t i = 0; i < n_rows; i++) {
        if (!isfinite(column->numbers[i])) continue;
        pairs[n][0] = column->numbers[i];
        pairs[n++][1] = (double)i;
    }
    if (n == 0) return CAIRN_OK;
    qsort(pairs, n, sizeof *pairs, cairn_by_number);
    for (size_t i = 0; i < n; i++) /* the different ones to the front */
        if (i == 0 || pairs[i][0] != pairs[m - 1][0]) {
            pairs[m][0] = pairs[i][0];
            pairs[m++][1] = pairs[i][1];
        }
    v->n = m < points ? m : points;
    CHECK(SCRATCH(ctx, &v->from, v->n + 1));
    for (size_t p = 0; p < v->n; p++)
        v->from[p] = (uint32_t)pairs[v->n > 1 ? p * (m - 1) / (v->n - 1) : 0][1];
    return CAIRN_OK;
}

/* The first row of every level that occurs. */
static cairn_status level_rows(cairn_context *ctx, varied *v, const cairn_column *column,
                               size_t n_rows)
{
    size_t levels = column->names.n;
    uint32_t *first;
    CHECK(SCRATCH_EACH(ctx, levels + 1, &first, &v->from));
    for (size_t i = n_rows; i-- > 0;)
        if (column->codes[i] >= 0) first[column->codes[i]] = (uint32_t)i + 1;
    for (size_t l = 0; l < levels && v->n < MOST_LEVELS; l++)
        if (first[l]) v->from[v->n++] = first[l] - 1;
    return CAIRN_OK;
}

static cairn_status open_column(cairn_context *ctx, dependence_work *w, size_t c, size_t points)
{
    const cairn_column *column = w->table->slots[c].column;
    varied v = {.column = c};
    if (column->kind == CAIRN_NUMBER)
        CHECK(quantile_rows(ctx, &v, column, w->table->n_rows, points));
    else
        CHECK(level_rows(ctx, &v, column, w->table->n_rows));
    if (v.n == 0) return CAIRN_OK; /* all its cells are missing */
    CHECK(SCRATCH_EACH(ctx, v.n * w->n_outputs, &v.means, &v.spreads));
    CHECK(SCRATCH(ctx, &v.curves, v.n * w->kept + 1));
    w->list[w->n++] = v;
    return CAIRN_OK;
}

static bool can_vary(const cairn_table *table, size_t c)
{
    cairn_kind kind = table->slots[c].column->kind;
    return table->slots[c].role == CAIRN_FEATURE && (kind == CAIRN_NUMBER || kind == CAIRN_LEVEL);
}

/* The named columns, or all that can be varied. */
static cairn_status list_columns(cairn_context *ctx, dependence_work *w, const dependence_params *p)
{
    char **names;
    size_t n;
    CHECK(SCRATCH(ctx, &w->list, w->table->n_columns + 1));
    for (size_t c = 0; !p->columns && c < w->table->n_columns; c++)
        if (can_vary(w->table, c)) CHECK(open_column(ctx, w, c, (size_t)p->points));
    if (!p->columns) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, p->columns, &names, &n));
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t at = cairn_table_find(w->table, names[i]);
        for (size_t j = 0; at >= 0 && j < w->n; j++)
            if (w->list[j].column == (size_t)at)
                return cairn_fail(ctx, CAIRN_USAGE, "{columns}: '%s' is named twice", names[i]);
        if (at < 0 || !can_vary(w->table, (size_t)at))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{columns}: '%s' is no number or level that the model looks at",
                              names[i]);
        CHECK(open_column(ctx, w, (size_t)at, (size_t)p->points));
    }
    return CAIRN_OK;
}

/* -- asking -- */

/* Answer of row i: a number, a score, or without scores 1 for the class. */
static double answer_of(const cairn_prediction *p, size_t i, int32_t class)
{
    if (p->numbers) return p->numbers[i];
    if (p->scores) return p->scores[i * p->n_classes + (size_t) class];
    return p->codes[i] == class;
}

/* Rows whose own curves are kept are spread over all of them. */
static size_t kept_row(const dependence_work *w, size_t i)
{
    return i * w->table->n_rows / w->kept;
}

/* All rows with one value in the column. */
static cairn_status ask_point(cairn_context *ctx, void *data, size_t point)
{
    const dependence_work *w = data;
    const varied *v = &w->list[w->now];
    size_t n = w->table->n_rows;
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *changed = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_predict_wants wants = {.scores =
                                     w->model->learner->gives_scores && !!w->model->n_classes};
    cairn_match match = {0};
    cairn_column *column;
    uint32_t *same;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(SCRATCH_RAW(ctx, &same, n + 1));
    for (size_t i = 0; i < n; i++) same[i] = v->from[point];
    CHECK(cairn_table_share(ctx, &changed, w->table));
    CHECK(cairn_column_take(ctx, &column, w->table->slots[v->column].column, same, n));
    cairn_table_replace_column(changed, v->column, column);
    CHECK(cairn_model_predict_rows(ctx, &p, w->model, changed, cairn_all_rows(changed), wants,
                                   &match));
    for (size_t o = 0; o < w->n_outputs; o++) {
        /* Mean and deviation of the answers that there are. */
        double *mean = &v->means[point * w->n_outputs + o];
        double *spread = &v->spreads[point * w->n_outputs + o];
        double sum = 0, all = 0, square = 0;
        for (size_t i = 0; i < w->table->n_rows; i++) {
            double answer = answer_of(&p, i, w->classes[o]);
            if (isnan(answer)) continue;
            sum += w->weights[i] * answer;
            all += w->weights[i];
        }
        *mean = all > 0 ? sum / all : (double)NAN;
        for (size_t i = 0; i < w->table->n_rows; i++) {
            double off = answer_of(&p, i, w->classes[o]) - *mean;
            if (!isnan(off)) square += w->weights[i] * off * off;
        }
        *spread = all > 0 ? sqrt(square / all) : (double)NAN;
    }
    for (size_t i = 0; i < w->kept; i++)
        v->curves[point * w->kept + i] = answer_of(&p, kept_row(w, i), w->classes[0]);
    return CAIRN_OK;
}

/* Everything that both the table and the picture need; w->table is freed by the caller. */
static cairn_status open_work(cairn_context *ctx, dependence_work *w, const cairn_compute_job *job,
                              size_t kept)
{
    const dependence_params *p = job->params;
    if (!job->model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a model, which stands before the data: cairn %s MODEL DATA",
                          job->what, job->what);
    w->model = job->model;
    if (!w->model->learner || !w->model->learner->predict)
        return cairn_fail(ctx, CAIRN_USAGE, "this model answers no new rows");
    CHECK(choose_outputs(ctx, w, p->of_class));
    CHECK(take_sample(ctx, w, job->table, (size_t)p->sample));
    /* Weights of the rows, where the model knows a weight column and the data has it. */
    cairn_view view;
    double sum = 0;
    size_t n = w->table->n_rows;
    CHECK(cairn_view_make(ctx, &view, w->table, cairn_all_rows(w->table)));
    CHECK(SCRATCH(ctx, &w->weights, n + 1));
    for (size_t i = 0; i < n; i++) sum += w->weights[i] = cairn_view_weight(&view, i);
    if (!(sum > 0)) return cairn_fail(ctx, CAIRN_BAD_DATA, "the weights of all rows are 0");
    w->kept = kept < w->table->n_rows ? kept : w->table->n_rows;
    CHECK(list_columns(ctx, w, p));
    if (w->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no number or level with known cells that the model looks at");
    for (w->now = 0; w->now < w->n; w->now++)
        CHECK(cairn_tasks(ctx, w->list[w->now].n, ask_point, w));
    return CAIRN_OK;
}

static void close_work(dependence_work *w)
{
    cairn_table_free(w->table);
}

/* -- showing -- */

static const char *output_name(const dependence_work *w, size_t o)
{
    const cairn_field *target = cairn_model_target(w->model);
    if (w->model->task == CAIRN_REGRESS) return target ? target->name : "answer";
    return cairn_map_key(&target->names, (size_t)w->classes[o]);
}

/* The curve of a column as a table; with several classes a mean for each. */
static void show_column(cairn_report *out, const dependence_work *w, const varied *v)
{
    const char *name = w->table->slots[v->column].name, *key = cairn_report_key(out, name);
    cairn_report_heading(out, 2, "%s", name);
    cairn_report_table_of(out, NULL, 0, "r", name);
    for (size_t o = 0; o < w->n_outputs; o++) cairn_report_column(out, output_name(w, o), 'r');
    if (w->n_outputs == 1) cairn_report_column(out, "deviation of the rows", 'r');
    for (size_t p = 0; p < v->n; p++) {
        const cairn_column *column = w->table->slots[v->column].column;
        if (column->kind == CAIRN_NUMBER)
            cairn_report_cell_number(out, column->numbers[v->from[p]], 0, "dependence.%s.%zu.at",
                                     key, p + 1);
        else
            cairn_report_cell_word(out, cairn_level_name(column, column->codes[v->from[p]]),
                                   "dependence.%s.%zu.at", key, p + 1);
        for (size_t o = 0; o < w->n_outputs; o++) {
            double mean = v->means[p * w->n_outputs + o];
            if (w->n_outputs == 1)
                cairn_report_cell_number(out, mean, 0, "dependence.%s.%zu", key, p + 1);
            else
                cairn_report_cell_number(out, mean, 0, "dependence.%s.%zu.%s", key, p + 1,
                                         cairn_report_key(out, output_name(w, o)));
        }
        if (w->n_outputs == 1)
            cairn_report_cell_number(out, v->spreads[p], 0, "dependence.%s.%zu.sd", key, p + 1);
    }
}

/* The least and the largest mean of an output over the values of a column. */
static void ends_of(const dependence_work *w, const varied *v, size_t o, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (size_t p = 0; p < v->n; p++) {
        ends[0] = fmin(ends[0], v->means[p * w->n_outputs + o]);
        ends[1] = fmax(ends[1], v->means[p * w->n_outputs + o]);
    }
}

/* From the least mean to the largest: how far the column moves the answer. */
static void show_ranges(cairn_report *out, const dependence_work *w)
{
    cairn_report_table_of(out, "How far each column moves the mean answer", 0, "lrrr", "column",
                          "least", "largest", "range");
    for (size_t j = 0; j < w->n; j++) {
        const char *name = w->table->slots[w->list[j].column].name;
        double ends[2];
        ends_of(w, &w->list[j], 0, ends);
        cairn_report_cells(out, "- least.$1 largest.$1 range.$1", name, ends[0], ends[1],
                           ends[1] - ends[0]);
    }
}

/* The same for more than two classes: the range of the score of each. */
static void show_class_ranges(cairn_report *out, const dependence_work *w)
{
    cairn_report_table_of(out, "How far each column moves the mean score of each class", 0, "l",
                          "column");
    for (size_t o = 0; o < w->n_outputs; o++) cairn_report_column(out, output_name(w, o), 'r');
    for (size_t j = 0; j < w->n; j++) {
        const char *name = w->table->slots[w->list[j].column].name;
        const char *key = cairn_report_key(out, name);
        cairn_report_cell(out, name);
        for (size_t o = 0; o < w->n_outputs; o++) {
            const char *class = cairn_report_key(out, output_name(w, o));
            double ends[2];
            ends_of(w, &w->list[j], o, ends);
            cairn_report_cell_number(out, ends[1] - ends[0], 0, "range.%s.%s", key, class);
            cairn_report_hidden(out, ends[0], "least.%s.%s", key, class);
            cairn_report_hidden(out, ends[1], "largest.%s.%s", key, class);
        }
    }
}

/* What is told: a number, the score of a class, or those of several. */
static cairn_status show_answer(cairn_context *ctx, cairn_report *out, const dependence_work *w)
{
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    for (size_t o = 0; o < w->n_outputs; o++) {
        if (o) cairn_text_add(&names, ", ");
        cairn_text_add(&names, output_name(w, o));
    }
    CHECK(cairn_text_status(&names));
    cairn_report_word(out, "answer", cairn_text_string(&names), "answer");
    if (w->n_outputs > 1 && w->n_outputs < w->model->n_classes)
        cairn_report_note(out, "The first %zu of %zu classes are told; {of-class} names another.",
                          w->n_outputs, w->model->n_classes);
    return CAIRN_OK;
}

/* The first values of a column: the answers of all rows and their mean, as on a board. */
static cairn_status show_steps(cairn_context *ctx, cairn_report *out, const dependence_work *w,
                               const varied *v)
{
    double *terms;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, 2 * w->kept + 1));
    cairn_report_step_begin(out, "%s gets one value in all rows", w->table->slots[v->column].name);
    if (w->n_outputs > 1)
        cairn_report_paragraph(out, "The answers are the scores of %s.", output_name(w, 0));
    for (size_t p = 0; p < v->n && p < SHOWN_POINTS; p++) {
        double sum = 0, all = 0;
        const cairn_column *column = w->table->slots[v->column].column;
        const char *name = w->table->slots[v->column].name;
        char text[CAIRN_NUMBER_SIZE];
        if (column->kind != CAIRN_NUMBER) {
            cairn_report_paragraph(out, "%s = %s", name,
                                   cairn_level_name(column, column->codes[v->from[p]]));
        } else {
            cairn_number_format(text, column->numbers[v->from[p]], CAIRN_SHORTEST);
            cairn_report_paragraph(out, "%s = %s", name, text);
        }
        for (size_t i = 0; i < w->kept; i++) {
            terms[2 * i] = w->weights[i];
            terms[2 * i + 1] = v->curves[p * w->kept + i];
            sum += terms[2 * i] * terms[2 * i + 1];
            all += w->weights[i];
        }
        cairn_report_worked_sum(out, "sum of weight · answer", "#·#", terms, 2, w->kept, sum);
        cairn_report_worked(out, "mean", "# / # = #", sum, all, sum / all);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status dependence_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const dependence_params *p = job->params;
    SCOPED(close_work) dependence_work w = {0};
    size_t n = job->table->n_rows < (size_t)p->sample ? job->table->n_rows : (size_t)p->sample;
    CHECK(open_work(ctx, &w, job, n <= FEW_ROWS ? n : 0));
    cairn_report_heading(out, 1, "Partial dependence");
    cairn_report_value(out, "rows", (double)w.table->n_rows, "rows");
    if (w.table->n_rows < job->table->n_rows)
        cairn_report_note(out, "%zu of the %zu rows were drawn; {sample} takes more.",
                          w.table->n_rows, job->table->n_rows);
    CHECK(show_answer(ctx, out, &w));
    if (job->steps && w.kept < n)
        cairn_report_note(out, "Steps show the answers of all rows where there are at most %d.",
                          FEW_ROWS);
    for (size_t j = 0; job->steps && w.kept == n && j < w.n; j++)
        CHECK(show_steps(ctx, out, &w, &w.list[j]));
    if (w.n_outputs > 1)
        show_class_ranges(out, &w);
    else
        show_ranges(out, &w);
    for (size_t j = 0; j < w.n; j++) show_column(out, &w, &w.list[j]);
    return CAIRN_OK;
}

/* -- the picture -- */

static size_t drawn_columns(const dependence_work *w)
{
    return w->n < MOST_PANELS ? w->n : MOST_PANELS;
}

/* The least and the largest answer of all that is drawn, with a margin: panels have the same y
 * axis, so that a column that moves the answer little is seen to. */
static void common_range(const dependence_work *w, double ends[2])
{
    double low = INFINITY, high = -INFINITY;
    for (size_t j = 0; j < drawn_columns(w); j++) {
        const varied *v = &w->list[j];
        for (size_t i = 0; i < v->n * w->n_outputs; i++) {
            low = fmin(low, v->means[i]);
            high = fmax(high, v->means[i]);
        }
        for (size_t i = 0; w->n_outputs == 1 && i < v->n * w->kept; i++) {
            low = fmin(low, v->curves[i]);
            high = fmax(high, v->curves[i]);
        }
    }
    double margin = (high - low) / 25;
    ends[0] = margin > 0 ? low - margin : (double)NAN;
    ends[1] = margin > 0 ? high + margin : (double)NAN;
}

/* Thin lines of single rows behind the mean, or a line for each class. */
static cairn_status draw_column(cairn_context *ctx, cairn_figure **out, const dependence_work *w,
                                const varied *v)
{
    const char *name = w->table->slots[v->column].name, **names;
    char title[96];
    double *x, *y;
    SCOPED_SCRATCH(ctx);
    /* Places of the values on the x axis: numbers themselves, levels one after the other. */
    const cairn_column *column = w->table->slots[v->column].column;
    CHECK(SCRATCH_EACH(ctx, v->n + 1, &x, &names));
    for (size_t p = 0; p < v->n; p++) {
        bool number = column->kind == CAIRN_NUMBER;
        (x)[p] = number ? column->numbers[v->from[p]] : (double)p;
        (names)[p] = number ? NULL : cairn_level_name(column, column->codes[v->from[p]]);
    }
    CHECK(SCRATCH(ctx, &y, v->n + 1));
    CHECK(cairn_figure_new(ctx, out, "dependence", name));
    if (w->model->task == CAIRN_REGRESS)
        snprintf(title, sizeof title, "%s", output_name(w, 0));
    else
        snprintf(title, sizeof title, "score of %s", output_name(w, 0));
    cairn_figure_axes(*out, name, w->n_outputs == 1 ? title : "mean score");
    for (size_t i = 0; w->n_outputs == 1 && i < w->kept; i++) {
        for (size_t p = 0; p < v->n; p++) y[p] = v->curves[p * w->kept + i];
        cairn_figure_faint(*out, x, y, v->n);
    }
    for (size_t o = 0; o < w->n_outputs; o++) {
        /* The mean of an output over the values; those of further classes are dashed, each in
         * its way. */
        cairn_figure *figure = *out;
        const char *label = w->n_outputs > 1 ? output_name(w, o) : NULL;
        for (size_t p = 0; p < v->n; p++) y[p] = v->means[p * w->n_outputs + o];
        if (o)
            cairn_figure_dashed(figure, label, x, y, v->n);
        else
            cairn_figure_line(figure, label, x, y, v->n);
        if (v->n == 1 && !label) cairn_figure_points(figure, x, y, NULL, 1, NULL, 0);
    }
    if (names[0]) cairn_figure_x_names(*out, names, v->n);
    return CAIRN_OK;
}

/* All panels have the same range, so that the effects of columns can be compared. */
static cairn_status dependence_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const dependence_params *p = job->params;
    SCOPED(close_work) dependence_work w = {0};
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    double ends[2];
    CHECK(open_work(ctx, &w, job, (size_t)p->individual));
    if (w.n == 1) return draw_column(ctx, out, &w, &w.list[0]);
    CHECK(cairn_figure_new(ctx, &all, "dependence", "Partial dependence"));
    cairn_figure_columns(all, w.n <= 4 ? 2 : 3);
    common_range(&w, ends);
    for (size_t j = 0; j < drawn_columns(&w); j++) {
        cairn_figure *panel = NULL;
        CHECK(draw_column(ctx, &panel, &w, &w.list[j]));
        cairn_figure_size(panel, 300, 220);
        cairn_figure_y_range(panel, ends[0], ends[1]);
        cairn_figure_panel(all, panel);
    }
    if (w.n > MOST_PANELS)
        cairn_warn(ctx, "the first %d of %zu columns are drawn; {columns} names others",
                   MOST_PANELS, w.n);
    *out = TAKE(all);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_dependence = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "dependence",
              .also = "partial dependence, PDP, individual conditional expectation, ICE curves, "
                      "marginal effect",
              .title = "How answers depend on a column",
              .summary =
                  "Partial dependence for any model: a column gets one value in all rows of DATA, "
                  "everything else stays, and the mean answer is told, value by value: some "
                  "of the different numbers, or all levels. The deviation of the rows beside "
                  "it says how much they disagree: where it changes with the value, the "
                  "column acts together with others. --steps shows the answers of all rows "
                  "of a small table.",
              .references = "Friedman, Greedy function approximation (2001); Goldstein, Kapelner, "
                            "Bleich and Pitkin, Peeking inside the black box (2015)",
              .example = "cairn fit forest @iris --target species --save iris.cairn && "
                         "cairn compute dependence iris.cairn @iris --columns petal_length",
              .params = dependence_table,
              .params_size = sizeof(dependence_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "dependence",
                .also = "partial dependence plot, PDP, ICE plot, individual curves",
                .title = "How answers depend on columns",
                .summary = "The mean answer of a model over the values of a column that all rows "
                           "are given, a panel for each column, with the curves of some rows "
                           "behind it; of more than two classes a curve for each. All panels "
                           "have the same y axis.",
                .references =
                    "Friedman, Greedy function approximation (2001); Goldstein, Kapelner, "
                    "Bleich and Pitkin, Peeking inside the black box (2015)",
                .example = "cairn fit forest @breast-cancer --trees 20 --save breast.cairn && "
                           "cairn draw dependence breast.cairn @breast-cancer --columns "
                           "worst_area",
                .params = dependence_table,
                .params_size = sizeof(dependence_params)},
    .arguments = "MODEL DATA",
    .needs_data = true,
    .takes_model = true,
    .run = dependence_run,
    .draw = dependence_draw,
};
