/* SPDX-License-Identifier: MIT */
/* cairn compute importance: how much worse a model answers when a column tells nothing any more.
 *
 *     the cells of a column are shuffled among the rows, several times
 *     loss = measure of the rows as they are − measure after a shuffle (of errors the reverse)
 *     importance = mean loss ± t · s / √shuffles */
#include "base/memory.h"
#include "data/column.h"
#include "evaluate/importance.h"
#include "model/judged_rows.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include "stats/significance.h"
#include "model/calculator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DRAWN = 30, SHOWN_STEPS = 20 };

typedef struct importance_params {
    const char *measure;
    int shuffles;
    double level;
} importance_params;

static const cairn_param importance_table[] = {
    CAIRN_PARAM(importance_params, shuffles, "10", "[2,10000]", "how often each column is shuffled",
                .often = true),
    CAIRN_PARAM(importance_params, measure, NULL, NULL,
                "what is lost; accuracy of classes or mse of numbers if not given",
                .names = "measure", .often = true),
    CAIRN_PARAM(importance_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_END,
};

/* A column and what its shuffles cost. */
typedef struct importance_row {
    size_t column;
    double *values; /* the measure after each shuffle */
    double *losses;
    cairn_t_test test;
} importance_row;

typedef struct importance_work {
    cairn_shuffling shuffling;
    double whole;
    bool training; /* these are the rows that the model was fitted to */
    size_t n, repeats;
    importance_row *rows; /* n, the most important first once they are judged */
} importance_work;

/* -- what is judged -- */

static cairn_status find_measure(cairn_context *ctx, const cairn_measure **out,
                                 const cairn_model *model, const char *name)
{
    const cairn_entry *entry;
    if (model->task != CAIRN_CLASSIFY && model->task != CAIRN_REGRESS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the answers of %s are compared with no target, so nothing can be lost",
                          cairn_model_learner(model));
    if (!name) name = cairn_measure_usual(model->task)->entry.name;
    CHECK(cairn_entry_get(ctx, &entry, CAIRN_ENTRY_MEASURE, name));
    *out = (const cairn_measure *)entry;
    if ((*out)->task != model->task)
        return cairn_fail(ctx, CAIRN_USAGE, "{measure %s} judges %s, and the model predicts %s",
                          name, cairn_task_answers((*out)->task), cairn_task_answers(model->task));
    if ((*out)->needs_scores && !model->learner->gives_scores)
        return cairn_fail(ctx, CAIRN_USAGE, "{measure %s} needs scores, and %s gives none", name,
                          cairn_model_learner(model));
    return CAIRN_OK;
}

/* Rows whose target is known. */
static cairn_status known_rows(cairn_context *ctx, cairn_rows *out, const cairn_table *table,
                               const cairn_model *model)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    uint32_t *rows;
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &rows, table->n_rows + 1));
    for (size_t i = 0; target >= 0 && i < table->n_rows; i++)
        if (!cairn_column_is_missing(table->slots[target].column, i)) rows[n++] = (uint32_t)i;
    if (n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no row of the data has a known '%s', which answers are compared with",
                          cairn_model_target(model)->name);
    if (n == 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "one row cannot be shuffled, so no column would lose anything; give more "
                          "rows, or explain this one: cairn predict MODEL DATA {explain}");
    *out = (cairn_rows){.indices = rows, .n = n};
    return CAIRN_OK;
}

static cairn_status shuffle_task(cairn_context *ctx, void *data, size_t i)
{
    const importance_work *w = data;
    SCOPED_SCRATCH(ctx);
    return cairn_shuffling_values(ctx, w->rows[i].values, &w->shuffling, w->rows[i].column,
                                  w->repeats);
}

static int by_mean(const void *a, const void *b)
{
    const importance_row *x = a, *y = b;
    if (x->test.mean != y->test.mean) return x->test.mean < y->test.mean ? 1 : -1;
    return x->column < y->column ? -1 : 1;
}

/* -- showing -- */

static const char *column_name(const importance_work *w, size_t i)
{
    return w->shuffling.table->slots[w->rows[i].column].name;
}

/* One column: what every shuffle left, and what was lost. */
static void show_column(cairn_report *out, const importance_work *w, size_t i)
{
    const importance_row *row = &w->rows[i];
    const char *key = cairn_report_key(out, column_name(w, i));
    const char *measure = w->shuffling.measure->entry.name;
    cairn_report_step_begin(out, "%s is shuffled", column_name(w, i));
    cairn_report_table_of(out, "Shuffles", 50, "rrr", "shuffle", measure, "lost");
    for (size_t r = 0; r < w->repeats; r++) {
        cairn_report_cellf(out, "%zu", r + 1);
        cairn_report_cell_number(out, row->values[r], 0, "shuffled.%s.%zu", key, r + 1);
        cairn_report_cell_number(out, row->losses[r], 0, "lost.%s.%zu", key, r + 1);
    }
    cairn_report_worked_sum(out, "sum of the losses", "#", row->losses, 1, w->repeats,
                            row->test.mean * (double)w->repeats);
    cairn_report_worked(out, "importance = mean loss", "# / # = #",
                        row->test.mean * (double)w->repeats, (double)w->repeats, row->test.mean);
    cairn_report_worked(out, "interval = mean ± t · s / √n", "# to #", row->test.interval.low,
                        row->test.interval.high);
    cairn_report_step_end(out);
}

/* All columns; what the intervals do not say stands below. */
static void show_table(cairn_report *out, const importance_work *w)
{
    cairn_report_table_of(out, "Columns, the most important first", 0, "lrrrr", "column",
                          w->shuffling.measure->lower_better ? "added" : "lost", "deviation", "low",
                          "high");
    for (size_t i = 0; i < w->n; i++) {
        const cairn_t_test *test = &w->rows[i].test;
        cairn_report_cells(
            out, "- importance.$1:4 importance.$1.sd:4 importance.$1.low:4 importance.$1.high:4",
            column_name(w, i), test->mean, test->deviation, test->interval.low,
            test->interval.high);
    }
    if (w->training)
        cairn_report_note(out,
                          "The model was fitted to these very rows, so this says what it leans "
                          "on, also where that is noise, and not what helps with new rows: "
                          "take other rows, or 'cairn evaluate LEARNER DATA --shuffles 10'.");
    cairn_report_note(out, "Intervals say how sure the mean over the shuffles is, not what other "
                           "rows would say. Columns that say the same stand in for each other, so "
                           "a low value does not mean that a column is useless.");
}

/* Means and intervals, the most important column on top. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const importance_work *w)
{
    size_t n = w->n < MOST_DRAWN ? w->n : MOST_DRAWN;
    const char **names, *measure = w->shuffling.measure->entry.name;
    double *x, *y;
    char title[80];
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, n + 1, &names, &x, &y));
    CHECK(cairn_figure_new(ctx, out, "importance",
                           w->training
                               ? "What is lost when a column of the training rows is shuffled"
                               : "What is lost when a column is shuffled"));
    snprintf(title, sizeof title, "%s %s", measure,
             w->shuffling.measure->lower_better ? "added" : "lost");
    cairn_figure_axes(*out, title, "");
    cairn_figure_size(*out, 480, 60 + 22 * (double)n);
    cairn_figure_rule_x(*out, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        const cairn_t_test *test = &w->rows[i].test;
        x[i] = test->mean;
        y[i] = (double)(n - 1 - i);
        names[n - 1 - i] = column_name(w, i);
        double ends[2] = {test->interval.low, test->interval.high}, at[2] = {y[i], y[i]};
        if (!isnan(ends[0]) && !isnan(ends[1])) cairn_figure_guide(*out, ends, at, 2);
    }
    cairn_figure_points(*out, x, y, NULL, n, NULL, 0);
    cairn_figure_y_names(*out, names, n);
    return CAIRN_OK;
}

/* -- the record -- */

/* The table in the coding of the model, with its target. */
static cairn_status open_work(cairn_context *ctx, importance_work *w, cairn_table **matched,
                              const cairn_compute_job *job)
{
    const importance_params *p = job->params;
    if (!job->model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a model, which stands before the data: cairn %s MODEL DATA",
                          job->what, job->what);
    w->shuffling.model = job->model;
    w->training = cairn_model_learned_from(job->model, job->table);
    CHECK(find_measure(ctx, &w->shuffling.measure, job->model, p->measure));
    CHECK(cairn_model_truth(ctx, matched, job->model, job->table, NULL));
    w->shuffling.table = *matched;
    CHECK(known_rows(ctx, &w->shuffling.rows, *matched, job->model));
    /* Columns are shuffled side by side, each with random numbers of its own. */
    double sign = w->shuffling.measure->lower_better ? -1 : 1;
    w->repeats = (size_t)p->shuffles;
    const cairn_table *table = w->shuffling.table;
    CHECK(SCRATCH(ctx, &w->rows, table->n_columns + 1));
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->slots[c].role != CAIRN_FEATURE) continue;
        importance_row *row = &w->rows[w->n++];
        row->column = c;
        CHECK(SCRATCH_EACH(ctx, w->repeats, &row->values, &row->losses));
    }
    CHECK(cairn_shuffling_whole(ctx, &w->whole, &w->shuffling));
    CHECK(cairn_tasks(ctx, w->n, shuffle_task, w));
    for (size_t i = 0; i < w->n; i++) {
        importance_row *row = &w->rows[i];
        for (size_t r = 0; r < w->repeats; r++) row->losses[r] = sign * (w->whole - row->values[r]);
        cairn_t_test_of(&row->test, row->losses, w->repeats, 0, p->level);
    }
    qsort(w->rows, w->n, sizeof *w->rows, by_mean);
    return CAIRN_OK;
}

static cairn_status importance_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    importance_work w = {0};
    cairn_figure *figure = NULL;
    CHECK(open_work(ctx, &w, &matched, job));
    cairn_report_heading(out, 1, "Importance of the columns");
    cairn_report_word(out, "measure", w.shuffling.measure->entry.name, "measure");
    cairn_report_word(out, "rows are", w.training ? "the training rows" : "given", "rows_are");
    cairn_report_value(out, "of the rows as they are", w.whole, "whole");
    cairn_report_value(out, "rows", (double)w.shuffling.rows.n, "rows");
    cairn_report_value(out, "shuffles of each column", (double)w.repeats, "shuffles");
    for (size_t i = 0; job->steps && i < w.n && i < SHOWN_STEPS; i++) show_column(out, &w, i);
    show_table(out, &w);
    CHECK(make_figure(ctx, &figure, &w));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status importance_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    importance_work w = {0};
    CHECK(open_work(ctx, &w, &matched, job));
    return make_figure(ctx, out, &w);
}

const cairn_calculator cairn_compute_importance = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "importance",
         .also = "permutation importance, feature importance, variable importance, mean "
                 "decrease in accuracy",
         .about = "which columns matter, which features matter",
         .title = "What a model loses without a column",
         .summary =
             "Shuffles the cells of each column among the rows of DATA, several times, and "
             "measures how much worse the model answers: the accuracy that is lost, the "
             "squared error that is added, or any other measure, with an interval over the "
             "shuffles. For any model; take rows that it was not fitted to. --steps shows "
             "every shuffle. cairn evaluate LEARNER DATA --shuffles 10 does it with the models of "
             "all splits.",
         .references = "Breiman, Random forests, Machine Learning 45 (2001); Fisher, Rudin and "
                       "Dominici, All models are wrong, but many are useful (2019)",
         .example = "cairn fit forest @iris --target species --save iris.cairn && "
                    "cairn compute importance iris.cairn @iris",
         .params = importance_table,
         .params_size = sizeof(importance_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "importance",
                .also = "permutation importance, feature importance",
                .title = "What a model loses without a column",
                .summary = "The loss when the cells of a column are shuffled among the rows of "
                           "DATA, as a point for each column with its interval over the shuffles, "
                           "the most important column on top.",
                .references = "Breiman, Random forests, Machine Learning 45 (2001)",
                .example = "cairn fit forest @iris --target species --save iris.cairn && "
                           "cairn draw importance iris.cairn @iris",
                .params = importance_table,
                .params_size = sizeof(importance_params)},
    .arguments = "MODEL DATA",
    .needs_data = true,
    .takes_model = true,
    .run = importance_run,
    .draw = importance_draw,
};
