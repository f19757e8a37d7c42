/* SPDX-License-Identifier: MIT */
/* cairn compute folds, cairn draw folds: which rows every split of a resampling learns from, tests
 * on and sets aside. The calculator writes them as sets of names with their classes, a row that is
 * drawn several times as often; the picture has a row of marks per split, the first at the bottom,
 * a mark per row of the table. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/row_names.h"
#include "entry/split.h"
#include "report/table_rows.h"
#include "resample/resample.h"

#include <stdio.h>

enum { MOST_MARKS = 100000, MOST_NAMED = 60, MOST_SPLITS = 200, MOST_ROWS = 200 };

typedef struct folds_params {
    const char *by;
    int rows;
    cairn_list names, classes;
} folds_params;

static const cairn_param folds_table[] = {
    CAIRN_PARAM_AS(folds_params, by, CAIRN_TYPE_SPEC, "cv:5,shuffle=no",
                   "the resampling, such as cv:10, holdout:0.3,validation=0.2 or boot:5",
                   .names = "resampling"),
    CAIRN_PARAM(folds_params, rows, "30", "[2,10000]", "number of rows when there is no DATA",
                .when = "!names"),
    CAIRN_PARAM_CELLS(folds_params, names, NAMES, NULL, NULL,
                      "what the rows are called when there is no DATA, such as A,B,C,D,E",
                      .often = true),
    CAIRN_PARAM_CELLS(folds_params, classes, NAMES, NULL, NULL,
                      "the class of each of them, such as +,+,-,+,-", .when = "names"),
    CAIRN_PARAM_END,
};

/* What is split. */
typedef struct split_rows {
    const folds_params *p;
    const cairn_table *table; /* NULL = typed, or so many rows */
    cairn_plan_job job;
    const char *const *classes; /* names; NULL = there are none */
    cairn_plan plan;
} split_rows;

/* Typed classes as codes, in the order in which they come. */
static cairn_status take_classes(cairn_context *ctx, split_rows *w)
{
    const cairn_list *typed = &w->p->classes;
    const char **names;
    int32_t *codes;
    CHECK(cairn_list_fits(ctx, typed, "classes", w->p->names.n, "names"));
    CHECK(SCRATCH_EACH(ctx, typed->n, &names, &codes));
    for (size_t i = 0; i < typed->n; i++) {
        size_t k = 0;
        while (k < w->job.n_classes && !cairn_same(names[k], typed->names[i])) k++;
        if (k == w->job.n_classes) names[w->job.n_classes++] = typed->names[i];
        codes[i] = (int32_t)k;
    }
    w->job.classes = codes;
    w->classes = names;
    return CAIRN_OK;
}

/* The rows that can be used, and the classes that keep their shares. */
static cairn_status find_rows(cairn_context *ctx, split_rows *w)
{
    uint32_t *rows;
    const cairn_table *table = w->table;
    cairn_plan_job *out = &w->job;
    ptrdiff_t at = table ? cairn_table_role_column(table, CAIRN_TARGET) : -1;
    const cairn_column *target = at >= 0 ? table->slots[at].column : NULL;
    size_t n = table ? table->n_rows : w->p->names.text ? w->p->names.n : (size_t)w->p->rows;
    if (table && (w->p->names.text || w->p->classes.text))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{names} and {classes} are for rows without DATA; name a column of the "
                          "table with {id} and its classes with {target}");
    CHECK(cairn_names_differ(ctx, w->p->names.names, w->p->names.n, "names"));
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    for (size_t i = 0; i < n; i++)
        if (!target || !cairn_column_is_missing(target, i)) rows[out->n++] = (uint32_t)i;
    out->rows = rows;
    ptrdiff_t time = table ? cairn_time_column(table) : -1;
    if (time >= 0) out->times = table->slots[time].column->numbers;
    if (target && target->kind == CAIRN_LEVEL) {
        const char **names;
        out->classes = target->codes;
        out->n_classes = target->names.n;
        CHECK(SCRATCH(ctx, &names, out->n_classes + 1));
        for (size_t k = 0; k < out->n_classes; k++) names[k] = cairn_map_key(&target->names, k);
        w->classes = names;
    }
    if (w->p->classes.text) CHECK(take_classes(ctx, w));
    if (out->n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "at least two rows are needed to part them");
    return cairn_plan_make(ctx, &w->plan, w->p->by, *out);
}

/* -- as sets of names -- */

/* What position i of the plan is used for in a split. */
typedef enum { USE_LEARNED, USE_TESTED, USE_ASIDE } use_of;

static use_of use_in(const cairn_plan *plan, size_t split, size_t i, size_t *times)
{
    int32_t fold = plan->folds[split / plan->n_tested * plan->n + i];
    int32_t tested = (int32_t)(split % plan->n_tested);
    *times = 1;
    if (plan->draws) {
        *times = fold > 0 ? (size_t)fold : 1;
        return fold < 0 ? USE_ASIDE : fold == 0 ? USE_TESTED : USE_LEARNED;
    }
    return fold == tested ? USE_TESTED : fold < 0 ? USE_ASIDE : USE_LEARNED;
}

static cairn_status row_name(cairn_context *ctx, const char **out, const split_rows *w, size_t row)
{
    char *number;
    *out = NULL;
    if (w->table) CHECK(cairn_row_name(ctx, out, w->table, row));
    if (w->p->names.text) *out = w->p->names.names[row];
    if (*out) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &number, CAIRN_NUMBER_SIZE));
    snprintf(number, CAIRN_NUMBER_SIZE, "%zu", row + 1);
    *out = number;
    return CAIRN_OK;
}

/* "A, A, C" and "2 +, 1 -" of the rows of one use. */
static cairn_status write_part(cairn_context *ctx, cairn_text *names, cairn_text *classes,
                               const split_rows *w, size_t split, use_of use)
{
    SCOPED_SCRATCH(ctx);
    const cairn_plan *plan = &w->plan;
    size_t n = 0, times, *counts;
    CHECK(SCRATCH(ctx, &counts, w->job.n_classes + 1));
    for (size_t i = 0; i < plan->n; i++) {
        const char *name;
        size_t row = plan->rows[i];
        if (use_in(plan, split, i, &times) != use) continue;
        if (w->classes) counts[w->job.classes[row]] += times;
        CHECK(row_name(ctx, &name, w, row));
        for (size_t t = 0; t < times; t++, n++)
            if (n < MOST_NAMED) cairn_text_addf(names, "%s%s", n ? ", " : "", name);
    }
    if (n > MOST_NAMED) cairn_text_addf(names, ", … %zu more", n - MOST_NAMED);
    bool any = false;
    for (size_t k = 0; k < w->job.n_classes; k++)
        if (counts[k]) {
            cairn_text_addf(classes, "%s%zu %s", any ? ", " : "", counts[k], w->classes[k]);
            any = true;
        }
    CHECK(cairn_text_status(names));
    return cairn_text_status(classes);
}

/* Two cells, or one without classes. */
static cairn_status part_cells(cairn_context *ctx, cairn_report *out, const split_rows *w,
                               size_t split, use_of use)
{
    static const char *const words[] = {"learned", "tested", "aside"};
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text classes = cairn_text_start(ctx);
    CHECK(write_part(ctx, &names, &classes, w, split, use));
    cairn_report_cell_word(out, cairn_text_string(&names), "split%zu.%s", split + 1, words[use]);
    if (w->classes)
        cairn_report_cell_word(out, cairn_text_string(&classes), "split%zu.%s.classes", split + 1,
                               words[use]);
    return CAIRN_OK;
}

static bool has_aside(const cairn_plan *plan)
{
    for (size_t i = 0; i < plan->n_repeats * plan->n; i++)
        if (plan->folds[i] < 0) return true;
    return false;
}

static cairn_status show_splits(cairn_context *ctx, cairn_report *out, const split_rows *w)
{
    size_t n = cairn_plan_splits(&w->plan);
    bool aside = has_aside(&w->plan), draws = w->plan.draws;
    cairn_report_table_of(out, draws ? "Samples" : "Splits", MOST_SPLITS, "rrrl",
                          draws ? "sample" : "split", draws ? "drawn" : "rows",
                          draws ? "left out" : "tested", "learned from");
    if (w->classes) cairn_report_column(out, "classes", 'l');
    cairn_report_column(out, draws ? "out of bag: tested" : "tested", 'l');
    if (w->classes) cairn_report_column(out, "classes", 'l');
    if (aside) cairn_report_column(out, "set aside", 'l');
    if (aside && w->classes) cairn_report_column(out, "classes", 'l');
    for (size_t s = 0; s < n && s < MOST_SPLITS; s++) {
        cairn_report_cells(out, "- split$1.n_learned split$1.n_tested", s + 1,
                           (double)cairn_plan_train_size(&w->plan, s),
                           (double)cairn_plan_test_size(&w->plan, s));
        CHECK(part_cells(ctx, out, w, s, USE_LEARNED));
        CHECK(part_cells(ctx, out, w, s, USE_TESTED));
        if (aside) CHECK(part_cells(ctx, out, w, s, USE_ASIDE));
    }
    if (n > MOST_SPLITS)
        cairn_report_paragraph(out, "These are the first of %zu; {out FILE.csv} writes them all.",
                               n);
    return CAIRN_OK;
}

/* How often each row was learned from and tested, over all splits. */
static cairn_status show_rows(cairn_context *ctx, cairn_report *out, const split_rows *w)
{
    const cairn_plan *plan = &w->plan;
    size_t n = cairn_plan_splits(plan), times;
    cairn_report_table_of(out, "Rows", MOST_ROWS, "l", "row");
    if (w->classes) cairn_report_column(out, "class", 'l');
    cairn_report_columns(out, "rr", "times learned from", "splits that test it");
    for (size_t i = 0; i < plan->n && i < MOST_ROWS; i++) {
        const char *name;
        double learned = 0, tested = 0;
        SCOPED_SCRATCH(ctx);
        CHECK(row_name(ctx, &name, w, plan->rows[i]));
        for (size_t s = 0; s < n; s++) {
            use_of use = use_in(plan, s, i, &times);
            learned += use == USE_LEARNED ? (double)times : 0;
            tested += use == USE_TESTED;
        }
        cairn_report_cell(out, name);
        if (w->classes) cairn_report_cell(out, w->classes[w->job.classes[plan->rows[i]]]);
        cairn_report_cell_number(out, learned, 0, "row%u.learned", plan->rows[i] + 1);
        cairn_report_cell_number(out, tested, 0, "row%u.tested", plan->rows[i] + 1);
    }
    return CAIRN_OK;
}

/* Of rows that are drawn: the share of them that a sample leaves out, beside what is expected of
 * drawing one by one. */
static void show_left_out(cairn_report *out, const split_rows *w, bool steps)
{
    const cairn_plan *plan = &w->plan;
    size_t n = cairn_plan_splits(plan);
    double left = 0;
    if (!plan->draws) return;
    for (size_t s = 0; s < n; s++) left += (double)cairn_plan_test_size(plan, s);
    left /= (double)n * (double)plan->n;
    cairn_report_value(out, "share of the rows that a sample leaves out, on the mean", left,
                       "left_out");
    double drawn = (double)cairn_plan_train_size(plan, 0), rows = (double)plan->n;
    if (steps)
        cairn_report_worked(out, "expected, drawn one by one", "(1 − 1/#)^# = #", rows, drawn,
                            cairn_pow(1 - 1 / rows, drawn));
}

/* A row of the result for each row of each split: how often it is learned from (0 = not), and
 * whether it is tested. */
static cairn_status make_result(cairn_context *ctx, cairn_table **result, const split_rows *w)
{
    const cairn_plan *plan = &w->plan;
    size_t splits = cairn_plan_splits(plan), n = cairn_product(splits, plan->n), at = 0, times;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *split, *row, *learned, *tested;
    int32_t *classes;
    const char **names;
    CHECK(SCRATCH_EACH(ctx, n + 1, &split, &row, &learned, &tested, &classes, &names));
    for (size_t s = 0; s < splits; s++)
        for (size_t i = 0; i < plan->n; i++, at++) {
            use_of use = use_in(plan, s, i, &times);
            split[at] = (double)s + 1;
            row[at] = plan->rows[i] + 1;
            learned[at] = use == USE_LEARNED ? (double)times : 0;
            tested[at] = use == USE_TESTED;
            if (w->classes) classes[at] = w->job.classes[plan->rows[i]];
            if (s)
                names[at] = names[at - plan->n];
            else
                CHECK(row_name(ctx, &names[at], w, plan->rows[i]));
        }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_put_numbers(ctx, made, "split", split));
    CHECK(cairn_table_put_numbers(ctx, made, "row", row));
    CHECK(cairn_table_add_texts(ctx, made, "name", names));
    if (w->classes)
        CHECK(cairn_table_add_levels(ctx, made, "class", classes, w->classes, w->job.n_classes));
    CHECK(cairn_table_put_numbers(ctx, made, "learned", learned));
    CHECK(cairn_table_put_numbers(ctx, made, "tested", tested));
    *result = TAKE(made);
    return CAIRN_OK;
}

static cairn_status folds_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    split_rows w = {.p = job->params, .table = job->table};
    CHECK(find_rows(ctx, &w));
    cairn_report_heading(out, 1, "%s of %zu rows", w.p->by, w.plan.n);
    CHECK(show_splits(ctx, out, &w));
    if (job->steps) CHECK(show_rows(ctx, out, &w));
    show_left_out(out, &w, job->steps);
    return job->result ? make_result(ctx, job->result, &w) : CAIRN_OK;
}

/* -- as a picture -- */

typedef struct marks {
    double *x, *y;
    int32_t *group; /* 0 learned from, 1 tested, 2 set aside, 3 learned from several times */
    size_t n;
} marks;

/* Rows across, splits down; only the uses that occur are in the legend, and a picture of too many
 * marks is refused rather than thinned. */
static cairn_status folds_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    static const char *const names[] = {"learned from", "tested", "set aside",
                                        "learned from several times"};
    const folds_params *p = job->params;
    split_rows w = {.p = p, .table = job->table};
    marks m = {0};
    char title[160];
    size_t used = 2;
    CHECK(find_rows(ctx, &w));
    const cairn_plan plan = w.plan;
    size_t splits = cairn_plan_splits(&plan), n = cairn_product(splits, plan.n);
    if (n > MOST_MARKS)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu splits of %zu rows are too many marks for a picture; draw fewer",
                         splits, plan.n));
    CHECK(SCRATCH_EACH(ctx, n + 1, &m.x, &m.y, &m.group));
    for (size_t s = 0; s < splits; s++) {
        for (size_t i = 0; i < plan.n; i++) {
            size_t times;
            use_of use = use_in(&plan, s, i, &times);
            int32_t group = times > 1 ? 3 : (int32_t)use;
            m.x[m.n] = plan.rows[i] + 1;
            m.y[m.n] = (double)s + 1;
            m.group[m.n++] = group;
        }
    }
    for (size_t i = 0; i < m.n; i++)
        if ((size_t)m.group[i] >= used) used = (size_t)m.group[i] + 1;
    snprintf(title, sizeof title, "%s of %zu rows", p->by, plan.n);
    CHECK(cairn_figure_new(ctx, out, "folds", title));
    cairn_figure_axes(*out, "row", "split");
    cairn_figure_points(*out, m.x, m.y, m.group, m.n, names, used);
    cairn_figure_y_range(*out, 0.5, (double)splits + 0.5);
    double height = 90 + 22 * (double)splits;
    cairn_figure_size(*out, 560, height > 900 ? 900 : height < 200 ? 200 : height);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_folds = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "folds",
              .also =
                  "labelled bootstrap samples, bootstrap sample, sampling with replacement, urn, "
                  "out-of-bag rows, splits of the data, rows of each fold",
              .title = "The rows of every split",
              .summary =
                  "Which rows each split of a resampling learns from and which it tests, by name "
                  "and with their classes: the samples of a bootstrap, where a row stands as often "
                  "as it was drawn and the rows out of the bag are tested, and the folds of a "
                  "cross-validation. --out FILE writes them row by row.",
              .references = "Efron and Tibshirani: An Introduction to the Bootstrap, 1993",
              .example = "cairn compute folds --names A,B,C,D,E --by boot:4,size=0.4,urn=2 --steps",
              .params = folds_table,
              .params_size = sizeof(folds_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "folds",
                .also = "cross-validation picture, splits of the data",
                .title = "Parts of the rows in every split",
                .summary = "Draws a resampling: for every split which rows are learned from, which "
                           "are tested, and which are set aside (or drawn several times by a "
                           "bootstrap). With DATA its rows and classes are split, else so many "
                           "rows as --rows says.",
                .example = "cairn draw folds --by cv:5,shuffle=no --out folds.svg",
                .params = folds_table,
                .params_size = sizeof(folds_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = folds_run,
    .draw = folds_draw,
};
