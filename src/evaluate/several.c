/* SPDX-License-Identifier: MIT */
/* Several targets together: see several.h.
 *
 * Predictions of different targets belong together when they are for the same row and, with
 * repeats, for its same test: the k-th of one target goes with the k-th of the others. Rows that
 * not all targets judge (because one of them is missing there) count for the single targets
 * only. */
#include "evaluate/several.h"
#include "evaluate/glance.h"
#include "base/text.h"
#include "data/target_labels.h"
#include "model/task.h"
#include "report/table_rows.h"
#include "stats/errors.h"
#include "stats/measure.h"
#include <math.h>
#include <string.h>

/* -- what belongs together -- */

/* Predictions by row: start[r] .. start[r+1]-1 of `order` are those of row r. */
typedef struct row_index {
    size_t *start, *order;
} row_index;

static cairn_status index_rows(cairn_context *ctx, row_index *out, const cairn_evaluation *e,
                               size_t n_rows)
{
    size_t *next;
    CHECK(SCRATCH_EACH(ctx, n_rows + 1, &out->start, &next));
    CHECK(SCRATCH(ctx, &out->order, e->n + 1));
    for (size_t i = 0; i < e->n; i++) out->start[e->rows[i] + 1]++;
    for (size_t r = 0; r < n_rows; r++) out->start[r + 1] += out->start[r];
    memcpy(next, out->start, (n_rows + 1) * sizeof *next);
    for (size_t i = 0; i < e->n; i++) out->order[next[e->rows[i]]++] = i;
    return CAIRN_OK;
}

/* Cases that all targets judge: at[case * n + target] is the number of the prediction. */
typedef struct joined {
    size_t n, *at;
} joined;

/* Each target leaves out other rows (those it is missing in), so predictions are matched by row
 * and by repeat. */
static cairn_status join(cairn_context *ctx, joined *out, const cairn_several *s)
{
    size_t n_rows = 0, most = 0;
    row_index *index;
    for (size_t t = 0; t < s->n; t++) {
        most = s->parts[t].n > most ? s->parts[t].n : most;
        for (size_t i = 0; i < s->parts[t].n; i++)
            if (s->parts[t].rows[i] >= n_rows) n_rows = (size_t)s->parts[t].rows[i] + 1;
    }
    CHECK(SCRATCH(ctx, &index, s->n + 1));
    for (size_t t = 0; t < s->n; t++) CHECK(index_rows(ctx, &index[t], &s->parts[t], n_rows));
    CHECK(SCRATCH(ctx, &out->at, cairn_product(most + 1, s->n)));
    out->n = 0;
    for (size_t r = 0; r < n_rows; r++) {
        size_t times = SIZE_MAX;
        for (size_t t = 0; t < s->n; t++) {
            size_t here = index[t].start[r + 1] - index[t].start[r];
            times = here < times ? here : times;
        }
        for (size_t k = 0; k < times; k++, out->n++)
            for (size_t t = 0; t < s->n; t++)
                out->at[out->n * s->n + t] = index[t].order[index[t].start[r] + k];
    }
    return CAIRN_OK;
}

/* -- single targets -- */

typedef struct target_score {
    double weight;                /* of all predictions */
    double value, baseline;       /* accuracy or mean squared error, and that of the baseline */
    cairn_binary_counts counts;   /* two classes */
    double squares, base_squares; /* numbers: sums */
} target_score;

/* The usual measure of a target with its baseline, and the sums from which totals over all
 * targets are made. */
static target_score score_of(const cairn_evaluation *e)
{
    cairn_judged j = cairn_evaluation_judged(e), base = cairn_evaluation_baseline(e);
    target_score s = {.value = cairn_judged_usual(&j), .baseline = cairn_judged_usual(&base)};
    for (size_t i = 0; i < j.n; i++) {
        double w = cairn_judged_weight(&j, i);
        s.weight += w;
        if (!j.n_classes) continue;
        bool is = j.actual[i] == j.positive, says = j.predicted[i] == j.positive;
        *(is ? says ? &s.counts.tp : &s.counts.fn : says ? &s.counts.fp : &s.counts.tn) += w;
    }
    if (j.n_classes) return s;
    cairn_errors own, plain;
    cairn_errors_of(&own, j.actual_number, j.predicted_number, j.weights, j.n);
    cairn_errors_of(&plain, j.actual_number, e->baseline_number, j.weights, j.n);
    s.squares = own.sse;
    s.base_squares = plain.sse;
    return s;
}

static void columns(cairn_report *out, const char *const *heads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cairn_report_column(out, heads[i], i && strcmp(heads[i], "task") ? 'r' : 'l');
}

/* Classes and numbers have measures of their own, so a target fills one of two columns. */
static void show_targets(cairn_report *out, const cairn_several *s)
{
    static const char *const heads[] = {
        "target", "task", "accuracy", "mean squared error", "sum of squares", "baseline"};
    cairn_report_table_begin(out, NULL, 1000);
    columns(out, heads, sizeof heads / sizeof *heads);
    for (size_t t = 0; t < s->n; t++) {
        const cairn_evaluation *e = &s->parts[t];
        target_score score = score_of(e);
        bool classes = e->task == CAIRN_CLASSIFY;
        cairn_report_cells(out, "- - -:5 -:5 $1.sse $1.baseline:5", e->target,
                           cairn_task_name(e->task), classes ? score.value : NAN,
                           classes ? NAN : score.value, classes ? NAN : score.squares,
                           score.baseline);
    }
    cairn_report_paragraph(out, "The baseline is the accuracy of always saying the majority class, "
                                "or the mean squared error of always saying the mean.");
}

/* -- all of them -- */

static void show_squares(cairn_report *out, const cairn_several *s)
{
    double squares = 0, base = 0;
    size_t n = 0;
    for (size_t t = 0; t < s->n; t++) {
        if (s->parts[t].task == CAIRN_CLASSIFY) continue;
        target_score score = score_of(&s->parts[t]);
        squares += score.squares;
        base += score.base_squares;
        n++;
    }
    if (!n) return;
    cairn_report_value(out, "squared error of all numbers", squares, "total.sse");
    cairn_report_value(out, "that of always saying the means", base, "total.baseline.sse");
}

/* Rows whose classes are all right and the share of wrong ones, of one set of answers. */
typedef struct together {
    double weight, exact, wrong, decisions;
} together;

/* A row is right as a whole only if all its class targets are, and not if it has labels beyond
 * those that were asked. */
static together count_together(const cairn_several *s, const joined *cases, bool baseline)
{
    together sums = {0};
    for (size_t j = 0; j < cases->n; j++) {
        const size_t *at = cases->at + j * s->n;
        double w = s->parts[0].weights[at[0]];
        bool all = !s->unknown || !s->unknown[s->parts[0].rows[at[0]]];
        for (size_t t = 0; t < s->n; t++) {
            const cairn_evaluation *e = &s->parts[t];
            if (e->task != CAIRN_CLASSIFY) continue;
            int32_t said = baseline ? e->baseline[at[t]] : e->predicted[at[t]];
            bool right = said == e->actual[at[t]] && said >= 0;
            all &= right;
            sums.wrong += right ? 0 : w;
            sums.decisions += w;
        }
        sums.weight += w;
        sums.exact += all ? w : 0;
    }
    return sums;
}

/* Needs at least two class targets, or labels: one alone would repeat its accuracy. */
static cairn_status show_together(cairn_context *ctx, cairn_report *out, const cairn_several *s)
{
    joined cases;
    size_t n_classes = 0, most = 0;
    for (size_t t = 0; t < s->n; t++) {
        n_classes += s->parts[t].task == CAIRN_CLASSIFY;
        most = s->parts[t].n > most ? s->parts[t].n : most;
    }
    if (n_classes < 2 && !s->labels) return CAIRN_OK;
    CHECK(join(ctx, &cases, s));
    together own = count_together(s, &cases, false), base = count_together(s, &cases, true);
    cairn_report_value(out, "exact match", own.exact / own.weight, "exact_match");
    cairn_report_value(out, "exact match of the baseline", base.exact / base.weight,
                       "baseline.exact_match");
    cairn_report_value(out, "Hamming loss", own.wrong / own.decisions, "hamming");
    cairn_report_value(out, "Hamming loss of the baseline", base.wrong / base.decisions,
                       "baseline.hamming");
    cairn_report_paragraph(out,
                           "Exact match is the share of rows whose %s are all right, Hamming "
                           "loss the share of wrong answers among all.",
                           s->labels ? "labels" : "classes");
    if (cases.n < most)
        cairn_report_note(out,
                          "Exact match and Hamming loss are of the %zu predictions for which "
                          "every target is known.",
                          cases.n);
    return CAIRN_OK;
}

/* -- labels -- */

static void label_row(cairn_report *out, const char *name, const char *key, double rows,
                      double baseline, const cairn_binary_measures *m)
{
    cairn_report_prefix(out, "%s", key);
    cairn_report_cells(out, "- @.rows @.baseline:4 @.accuracy:4 @.precision:4 @.recall:4 @.f1:4",
                       name, rows, baseline, m->accuracy, m->precision, m->tpr, m->f);
}

/* Means over labels; what is undefined for a label is left out. */
typedef struct mean {
    double sum, n;
} mean;

static void mean_add(mean *m, double x)
{
    if (isnan(x)) return;
    m->sum += x;
    m->n++;
}

static double mean_of(mean m)
{
    return m.n > 0 ? m.sum / m.n : NAN;
}

/* Micro sums the decisions of all labels, macro averages the labels; a label that is never given
 * counts as precision 0 in the latter, not as missing. */
static void show_labels(cairn_report *out, const cairn_several *s)
{
    static const char *const heads[] = {"label",     "rows",   "baseline", "accuracy",
                                        "precision", "recall", "F1"};
    cairn_binary_counts all = {0};
    cairn_binary_measures m;
    mean baseline = {0}, accuracy = {0}, precision = {0}, recall = {0}, f = {0};
    double rows = 0, right = 0, weight = 0;
    cairn_text key = cairn_text_start(cairn_report_context(out));
    cairn_report_table_begin(out, NULL, 1000);
    columns(out, heads, sizeof heads / sizeof *heads);
    for (size_t t = 0; t < s->n; t++) {
        target_score score = score_of(&s->parts[t]);
        const char *label = cairn_label_name(s->parts[t].target, s->labels);
        cairn_binary_measures_of(&m, score.counts, s->undefined);
        cairn_text_clear(&key);
        key = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&key, "label.%s", cairn_report_key(out, label));
        label_row(out, label, cairn_text_string(&key), score.counts.tp + score.counts.fn,
                  score.baseline, &m);
        all.tp += score.counts.tp;
        all.fp += score.counts.fp;
        all.fn += score.counts.fn;
        all.tn += score.counts.tn;
        rows += score.counts.tp + score.counts.fn;
        right += score.baseline * score.weight;
        weight += score.weight;
        mean_add(&baseline, score.baseline);
        mean_add(&accuracy, m.accuracy);
        bool never = isnan(m.precision) && !isnan(m.tpr); /* it has rows and is never given */
        mean_add(&precision, never ? 0 : m.precision);
        mean_add(&recall, m.tpr);
        mean_add(&f, m.f);
    }
    cairn_binary_measures_of(&m, all, s->undefined);
    label_row(out, "all decisions (micro)", "micro", rows, right / weight, &m);
    m.accuracy = mean_of(accuracy);
    m.precision = mean_of(precision);
    m.tpr = mean_of(recall);
    m.f = mean_of(f);
    label_row(out, "mean of the labels (macro)", "macro", NAN, mean_of(baseline), &m);
    cairn_report_text_end(out, &key);
    cairn_report_paragraph(out, "A row is right about a label when it has it and gets it, or lacks "
                                "it and does not get it. The baseline gives every row the answer "
                                "that most training rows have.");
}

/* The facts that are the same for all labels are told once, taken from the first. */
static void show_head(cairn_report *out, const cairn_several *s)
{
    const cairn_evaluation *e = &s->parts[0];
    cairn_report_paragraph(out,
                           "Every label of '%s' is a question of its own, answered by a model "
                           "of its own: does the row have it?",
                           s->labels);
    cairn_report_word(out, "learner", e->learner, "evaluate.learner");
    cairn_report_word(out, "task", "classification, several labels per row", "evaluate.task");
    if (e->by) cairn_report_word(out, "by", e->by, "evaluate.by");
    cairn_report_value(out, "labels", (double)s->n, "evaluate.labels");
    cairn_report_value(out, "rows", (double)e->n_rows, "evaluate.rows");
    if (e->n_waiting)
        cairn_report_value(out, "rows without target", (double)e->n_waiting, "evaluate.waiting");
    cairn_report_value(out, e->by ? "held-out predictions per label" : "predictions per label",
                       (double)e->n, "evaluate.predictions");
    if (e->training)
        cairn_report_note(out, "The model was fitted to these very rows, so this is optimistic.");
}

/* In brief: how many targets and rows, and how they were held out. */
static cairn_status glance_rows(cairn_context *ctx, cairn_report *out, const cairn_several *s)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    const cairn_evaluation *e = &s->parts[0];
    if (s->labels)
        cairn_text_addf(&line, "%zu labels of %s · ", s->n, s->labels);
    else
        cairn_text_addf(&line, "%zu targets · ", s->n);
    cairn_text_addf(&line, "%zu rows · ", e->n_rows);
    if (e->by)
        cairn_add_resampling_words(&line, e->by);
    else
        cairn_text_add(&line, "the model as it is");
    CHECK(cairn_text_status(&line));
    cairn_report_paragraph(out, "%s", cairn_text_string(&line));
    return CAIRN_OK;
}

cairn_status cairn_several_judge(cairn_context *ctx, cairn_report *out, const cairn_several *s)
{
    enum { LEAST_LINES = 12 };
    SCOPED_SCRATCH(ctx);
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    CHECK(glance_rows(ctx, out, s));
    cairn_report_for(out, before & (CAIRN_IN_FULL | CAIRN_NOTES));
    if (s->labels) show_head(out, s);
    cairn_report_heading(out, 2, s->labels ? "By label" : "All targets");
    cairn_report_for(out, before);
    cairn_report_clip_begin(out, LEAST_LINES);
    if (s->labels)
        show_labels(out, s);
    else
        show_targets(out, s);
    cairn_report_clip_end(out);
    (void)cairn_report_only(out, CAIRN_IN_FULL);
    show_squares(out, s);
    cairn_report_for(out, before);
    CHECK(show_together(ctx, out, s));
    return cairn_report_status(out);
}

/* -- the predictions as a table -- */

/* Actual and predicted classes or numbers of one target. */
static cairn_status add_target(cairn_context *ctx, cairn_table *table, const cairn_several *s,
                               const joined *cases, size_t t)
{
    const cairn_evaluation *e = &s->parts[t];
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    const char **names;
    double *numbers;
    int32_t *codes;
    CHECK(SCRATCH(ctx, &names, e->classes.n + 1));
    CHECK(SCRATCH_EACH(ctx, cases->n + 1, &numbers, &codes));
    for (size_t c = 0; c < e->classes.n; c++) names[c] = cairn_map_key(&e->classes, c);
    for (int said = 0; said < 2; said++) {
        cairn_text_clear(&name);
        name = cairn_text_start(ctx);
        cairn_text_addf(&name, "%s %s", e->target, said ? "predicted" : "actual");
        CHECK(cairn_text_status(&name));
        for (size_t j = 0; j < cases->n; j++) {
            size_t at = cases->at[j * s->n + t];
            if (e->task == CAIRN_CLASSIFY)
                codes[j] = said ? e->predicted[at] : e->actual[at];
            else
                numbers[j] = said ? e->predicted_number[at] : e->actual_number[at];
        }
        if (e->task == CAIRN_CLASSIFY)
            CHECK(cairn_table_add_levels(ctx, table, cairn_text_string(&name), codes, names,
                                         e->classes.n));
        else
            CHECK(cairn_table_put_numbers(ctx, table, cairn_text_string(&name), numbers));
    }
    return CAIRN_OK;
}

cairn_status cairn_several_table(cairn_context *ctx, cairn_table **out, const cairn_several *s)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    joined cases;
    double *rows;
    CHECK(join(ctx, &cases, s));
    CHECK(SCRATCH(ctx, &rows, cases.n + 1));
    for (size_t j = 0; j < cases.n; j++) rows[j] = (double)s->parts[0].rows[cases.at[j * s->n]] + 1;
    CHECK(cairn_table_new(ctx, &table, cases.n));
    CHECK(cairn_table_put_numbers(ctx, table, "row", rows));
    for (size_t t = 0; t < s->n; t++) CHECK(add_target(ctx, table, s, &cases, t));
    *out = TAKE(table);
    return CAIRN_OK;
}
