/* SPDX-License-Identifier: MIT */
/* cairn compute version-line: the thresholds on a line that agree with labelled numbers, for the
 * four ways to write a threshold. */
#include "compute/concepts/shape_figures.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct line_params {
    int form;
    const char *positive;
    cairn_list predict;
    int marks;
} line_params;

static const cairn_param line_table[] = {
    CAIRN_PARAM_CHOICE(line_params, form, "all", cairn_form_choices,
                       "what a hypothesis says; a picture of all has the first form"),
    CAIRN_PARAM(line_params, positive, NULL, NULL, "the class on the side of the threshold"),
    CAIRN_PARAM_CELLS(line_params, predict, NUMBERS, NULL, NULL,
                      "new numbers to decide, separated by commas"),
    CAIRN_PARAM_CHOICE(line_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked in the picture"),
    CAIRN_PARAM_END,
};

static const char *const form_names[] = {"at_least", "above", "at_most", "below"};

/* A line of the table for one form, and its values. */
static void show_form(cairn_report *out, const cairn_shape_data *data, const cairn_thresholds *t,
                      cairn_side side)
{
    const char *name = form_names[side];
    char text[160];
    bool upwards = side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_ABOVE;
    cairn_thresholds_text(text, sizeof text, t);
    cairn_report_cellf(out, "IF %s %s m THEN %s", data->columns[0], cairn_side_sign(side),
                       data->positive);
    cairn_report_cell_word(out, text, "%s.text", name);
    cairn_report_cell_number(out,
                             t->empty  ? NAN
                             : upwards ? t->high
                                       : t->low,
                             0, "%s.most_special", name);
    cairn_report_cell_number(out,
                             t->empty  ? NAN
                             : upwards ? t->low
                                       : t->high,
                             0, "%s.most_general", name);
    cairn_report_hidden(out, t->empty, "%s.empty", name);
    cairn_report_hidden(out, t->empty ? NAN : t->low, "%s.low", name);
    cairn_report_hidden(out, t->empty ? NAN : t->high, "%s.high", name);
    cairn_report_hidden(out, t->low_open, "%s.low_open", name);
    cairn_report_hidden(out, t->high_open, "%s.high_open", name);
}

static void explain_empty(cairn_report *out, const cairn_shape_data *data,
                          const cairn_thresholds *t, cairn_side side)
{
    char negative[CAIRN_NUMBER_SIZE], positive[CAIRN_NUMBER_SIZE];
    cairn_number_format(negative, data->points.x[t->negative], CAIRN_SHORTEST);
    cairn_number_format(positive, data->points.x[t->positive], CAIRN_SHORTEST);
    cairn_report_note(
        out,
        "No threshold for %s %s m: row %s is positive at %s and row %s negative at %s, "
        "on the wrong side of each other.",
        data->columns[0], cairn_side_sign(side), data->names[t->positive], positive,
        data->names[t->negative], negative);
    cairn_report_hidden_word(out, data->names[t->positive], "%s.collapsed.positive",
                             form_names[side]);
    cairn_report_hidden_word(out, data->names[t->negative], "%s.collapsed.negative",
                             form_names[side]);
}

typedef struct labelled {
    double x;
    size_t row;
} labelled;

static int by_x(const void *a, const void *b)
{
    const labelled *p = a, *q = b;
    if (p->x != q->x) return p->x > q->x ? 1 : -1;
    return (p->row > q->row) - (p->row < q->row);
}

/* The numbers in order with their classes, and the two that bound the threshold of each form. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data)
{
    size_t n = data->points.n;
    double ends[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    labelled *sorted;
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) {
        double x = data->points.x[i], *end = ends[data->points.positive[i]];
        sorted[i] = (labelled){x, i};
        end[0] = fmin(end[0], x);
        end[1] = fmax(end[1], x);
    }
    if (n) qsort(sorted, n, sizeof *sorted, by_x);
    cairn_report_step_begin(out, "The numbers in order");
    cairn_report_table_of(out, "Numbers and classes", 0, "rll", data->columns[0], "row", "class");
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        cairn_report_cell_number(out, sorted[i].x, 0, NULL);
        cairn_report_cell(out, data->names[sorted[i].row]);
        cairn_report_cell(out, data->points.positive[sorted[i].row] ? "+" : "−");
    }
    cairn_report_table_end(out);
    cairn_report_table_of(out, "The ends of each class", 0, "lrr", "class", "least", "greatest");
    for (size_t k = 2; k-- > 0;) {
        bool any = ends[k][0] <= ends[k][1];
        cairn_report_cell(out, k ? "+" : "−");
        cairn_report_cell_number(out, any ? ends[k][0] : NAN, 0,
                                 k ? "positive.least" : "negative.least");
        cairn_report_cell_number(out, any ? ends[k][1] : NAN, 0,
                                 k ? "positive.greatest" : "negative.greatest");
    }
    cairn_report_table_end(out);
    cairn_report_formula(out, "x >= m:  max(−) < m <= min(+),   x <= m:  max(+) <= m < min(−)");
    if (ends[0][0] <= ends[0][1] && ends[1][0] <= ends[1][1]) {
        bool up = ends[0][1] < ends[1][0], down = ends[1][1] < ends[0][0];
        cairn_report_worked(out, NULL, up ? "x >= m:  # < m <= #" : "x >= m:  # < m <= #: no m",
                            ends[0][1], ends[1][0]);
        cairn_report_worked(out, NULL, down ? "x <= m:  # <= m < #" : "x <= m:  # <= m < #: no m",
                            ends[1][1], ends[0][0]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const cairn_shape_data *data,
                               const cairn_thresholds *t, cairn_side side, int marks)
{
    cairn_figure *figure;
    CHECK(cairn_thresholds_figure(ctx, &figure, data, t, side, (cairn_marking)marks));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status line_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const line_params *p = job->params;
    cairn_side side = p->form == CAIRN_ALL_FORMS ? CAIRN_SIDE_AT_LEAST : (cairn_side)p->form;
    cairn_shape_data data;
    cairn_thresholds t;
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 1, p->positive, job->what));
    cairn_thresholds_find(&t, &data.points, 0, side);
    return cairn_thresholds_figure(ctx, out, &data, &t, side, (cairn_marking)p->marks);
}

/* Yes or no only where all consistent thresholds agree; else the share of them for yes. */
static void predict(cairn_report *out, const line_params *p, const cairn_thresholds *t)
{
    const double *numbers = p->predict.values;
    size_t n = p->predict.n;
    for (int side = 0; side < 4; side++) {
        if ((p->form != CAIRN_ALL_FORMS && p->form != side) || t[side].empty) continue;
        cairn_report_table_of(out, "New numbers: yes or no when all thresholds agree", 0, "rlr",
                              "x", cairn_side_sign(side), "share of the thresholds for yes");
        for (size_t i = 0; i < n; i++) {
            double share;
            int answer = cairn_thresholds_decide(&t[side], (cairn_side)side, numbers[i], &share);
            cairn_report_cell_number(out, numbers[i], 0, NULL);
            cairn_report_cell_word(out,
                                   answer < 0 ? "unknown"
                                   : answer   ? "yes"
                                              : "no",
                                   "%s.predict%zu", form_names[side], i + 1);
            cairn_report_cell_number(out, share, 0, "%s.predict%zu.share", form_names[side], i + 1);
        }
        cairn_report_table_end(out);
    }
}

/* The four forms differ in direction and in which side holds the threshold itself; those of the
 * same direction have one picture. */
static cairn_status line_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const line_params *p = job->params;
    cairn_shape_data data;
    cairn_thresholds t[4];
    CHECK(cairn_shape_data_read(ctx, &data, job->table, 1, p->positive, job->what));
    cairn_report_heading(out, 1, "Thresholds of '%s' for '%s = %s'", data.columns[0], data.target,
                         data.positive);
    if (job->steps) CHECK(work(ctx, out, &data));
    cairn_report_table_of(out, "Version spaces", 0, "llrr", "hypotheses", "consistent",
                          "most special m", "most general m");
    for (int side = 0; side < 4; side++) {
        cairn_thresholds_find(&t[side], &data.points, 0, (cairn_side)side);
        if (p->form == CAIRN_ALL_FORMS || p->form == side) show_form(out, &data, &t[side], side);
    }
    cairn_report_table_end(out);
    for (int side = 0; side < 4; side++) {
        if (p->form != CAIRN_ALL_FORMS && p->form != side) continue;
        if (t[side].empty)
            explain_empty(out, &data, &t[side], (cairn_side)side);
        else if (p->form == side || side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_AT_MOST)
            CHECK(add_figure(ctx, out, &data, &t[side], (cairn_side)side, p->marks));
    }
    if (p->predict.text) predict(out, p, t);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_version_line = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "version-line",
              .also = "thresholds on a line",
              .title = "Thresholds that agree with labelled numbers",
              .summary =
                  "For one number column and two classes: the thresholds m for which the "
                  "numbers on one side are just those of the class, in the four forms x >= m, "
                  "x > m, x <= m and x < m. The bounds come from the largest number of one "
                  "class and the smallest of the other; a form that fits no threshold names "
                  "the pair of rows in the way. New numbers are decided when all "
                  "thresholds agree.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute version-line @threshold --predict 16,18,21",
              .params = line_table,
              .params_size = sizeof(line_params)},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "version-line",
         .also = "thresholds on a line",
         .title = "Thresholds that agree with labelled numbers",
         .summary =
             "The numbers of a column on their line, the positive ones as + and the others as "
             "− unless --marks says otherwise, and the interval of the thresholds m "
             "shaded that tell the classes apart; a round bracket leaves its end out. "
             "Nothing is shaded when no threshold does.",
         .example = "cairn draw version-line @threshold --out threshold.svg",
         .params = line_table,
         .params_size = sizeof(line_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = line_run,
    .draw = line_draw,
};
