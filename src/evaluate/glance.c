/* SPDX-License-Identifier: MIT */
/* The first screen of an evaluation: see glance.h. */
#include "evaluate/glance.h"

#include "base/memory.h"
#include "evaluate/judge.h"
#include "report/document.h"
#include "report/table_rows.h"
#include "stats/curves.h"
#include "stats/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DECIMALS = 3,
    MOST_DECIMALS = 9,
    AMOUNT_DIGITS = 4,
    SCREEN = 76,      /* cells for the confusion table */
    MOST_CLASSES = 7, /* of a confusion table that is read at a glance */
    MOST_NAMES = 40,  /* cells for the names of the classes */
    MOST_WEAK = 6
};

/* -- words and numbers -- */

void cairn_add_resampling_words(cairn_text *out, const char *by)
{
    static const char cv[] = "cv:", repeated[] = ",repeats=";
    int64_t n, repeats;
    const char *folds = strncmp(by, cv, strlen(cv)) == 0 ? by + strlen(cv) : "", *more;
    size_t length = strspn(folds, "0123456789");
    more = folds + length;
    bool known = cairn_integer_parse(folds, length, &n);
    if (known && !*more)
        cairn_text_addf(out, "%d-fold cross-validation", (int)n);
    else if (known && strncmp(more, repeated, strlen(repeated)) == 0 &&
             cairn_integer_parse(more + strlen(repeated), strlen(more + strlen(repeated)),
                                 &repeats))
        cairn_text_addf(out, "%d times %d-fold cross-validation", (int)repeats, (int)n);
    else if (strcmp(by, "loo") == 0)
        cairn_text_add(out, "leave-one-out");
    else if (strcmp(by, "5x2") == 0)
        cairn_text_add(out, "five times two-fold cross-validation");
    else if (strncmp(by, "boot:", strlen("boot:")) == 0)
        cairn_text_addf(out, "bootstrap samples: %s", by + strlen("boot:"));
    else if (strncmp(by, "holdout:", strlen("holdout:")) == 0)
        cairn_text_addf(out, "share held out: %s", by + strlen("holdout:"));
    else
        cairn_text_addf(out, "held out by %s", by);
}

void cairn_share_shown(char out[CAIRN_NUMBER_SIZE], double share)
{
    int decimals = DECIMALS;
    double from_ends = fmin(share, 1 - share);
    if (isnan(share)) {
        (void)cairn_number_show(out, share, AMOUNT_DIGITS);
        return;
    }
    for (double unit = 1e-3; from_ends > 0 && from_ends < unit / 2 && decimals < MOST_DECIMALS;
         unit /= 10)
        decimals++;
    (void)cairn_number_fixed(out, share, decimals);
}

void cairn_amount_shown(char out[CAIRN_NUMBER_SIZE], double amount)
{
    (void)cairn_number_show(out, amount, AMOUNT_DIGITS);
}

static const char *name_of(const cairn_evaluation *e, size_t c)
{
    return cairn_map_key(&e->classes, c);
}

/* Whether the name of a class says nothing without that of its column: 1, yes. */
static bool is_bare(const char *name)
{
    static const char *const bare[] = {"yes",   "no",   "Yes",   "No", "true",
                                       "false", "True", "False", NULL};
    double number;
    for (const char *const *word = bare; *word; word++)
        if (cairn_same(name, *word)) return true;
    return cairn_number_parse(name, strlen(name), &number) || strlen(name) == 1;
}

static void add_count(cairn_text *out, double count)
{
    cairn_text_add_number(out, count, 5);
}

/* -- intervals -- */

cairn_status cairn_evaluation_area(cairn_context *ctx, cairn_area *out, const cairn_evaluation *e)
{
    cairn_judged j = cairn_evaluation_judged(e);
    cairn_ranking r;
    double rows;
    *out = (cairn_area){.auc = NAN};
    if (e->task != CAIRN_CLASSIFY || e->positive < 0 || e->single || !cairn_judged_has_scores(&j))
        return CAIRN_OK;
    CHECK(cairn_judged_ranking(ctx, &r, &j, (size_t)e->positive));
    if (!(r.positives > 0 && r.negatives > 0)) return CAIRN_OK;
    CHECK(cairn_judged_effective(ctx, &rows, &j));
    out->there = true;
    out->auc = cairn_ranking_auc(&r);
    out->interval = cairn_auc_interval(&r, out->auc, (r.positives + r.negatives) / rows, e->level);
    out->how = cairn_auc_interval_name(out->auc);
    return CAIRN_OK;
}

cairn_status cairn_evaluation_interval(cairn_context *ctx, cairn_interval *out, const char **how,
                                       const cairn_evaluation *e)
{
    cairn_judged j = cairn_evaluation_judged(e);
    double rows;
    CHECK(cairn_judged_effective(ctx, &rows, &j));
    if (e->task == CAIRN_CLASSIFY) {
        *how = cairn_share_interval(cairn_judged_accuracy(&j), rows, e->level, out);
        return CAIRN_OK;
    }
    cairn_errors errors;
    cairn_errors_of(&errors, e->actual_number, e->predicted_number, e->weights, e->n);
    *out = cairn_mse_interval(&errors, rows, e->level);
    *out = (cairn_interval){sqrt(out->low), sqrt(out->high)};
    *how = "t of the squared errors";
    return CAIRN_OK;
}

/* -- the measures -- */

void cairn_glance_rows(cairn_report *out, const cairn_evaluation *e)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(cairn_report_context(out));
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(cairn_report_context(out));
    size_t k = e->classes.n;
    if (e->target) cairn_text_add(&line, e->target);
    if (e->task == CAIRN_CLASSIFY) {
        for (size_t c = 0; c < k && names.length <= MOST_NAMES; c++)
            cairn_text_addf(&names, "%s%s",
                            c == 0       ? ""
                            : c + 1 == k ? " or "
                                         : ", ",
                            name_of(e, c));
        if (names.length <= MOST_NAMES)
            cairn_text_addf(&line, ": %s", cairn_text_string(&names));
        else
            cairn_text_addf(&line, ": one of %zu classes", k);
    } else {
        cairn_text_add(&line, ": a number");
    }
    cairn_text_add(&line, " · ");
    cairn_text_add_count(&line, e->n_rows);
    cairn_text_add(&line, e->n_rows == 1 ? " row" : " rows");
    cairn_text_add(&line, " · ");
    if (e->by)
        cairn_add_resampling_words(&line, e->by);
    else
        cairn_text_add(&line, "the model as it is");
    if (e->around) cairn_text_addf(&line, " · in %s", e->around);
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_report_paragraph(out, "%s", cairn_text_string(&line));
    cairn_report_failed(out, cairn_text_status(&line));
    cairn_report_for(out, before);
}

static void begin_rows(cairn_report *out)
{
    cairn_report_table_of(out, NULL, 0, "lrl", "", "", "");
}

/* A measure with its value and what there is to say of it. */
CAIRN_PRINTF(4, 5)
static void add_row(cairn_report *out, const char *measure, const char *value, const char *format,
                    ...)
{
    SCOPED(cairn_text_clear) cairn_text remark = cairn_text_start(cairn_report_context(out));
    va_list arguments;
    va_start(arguments, format);
    cairn_text_addv(&remark, format, arguments);
    va_end(arguments);
    cairn_report_failed(out, cairn_text_status(&remark));
    cairn_report_cells(out, NULL, measure, value, cairn_text_string(&remark));
}

/* The same with an interval. */
static void add_row_of(cairn_report *out, const char *measure,
                       void (*show)(char[CAIRN_NUMBER_SIZE], double), double value,
                       cairn_interval interval, double level, const char *how)
{
    char shown[CAIRN_NUMBER_SIZE], low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    char percent[CAIRN_NUMBER_SIZE];
    show(shown, value);
    show(low, interval.low);
    show(high, interval.high);
    cairn_number_format(percent, 100 * level, 4);
    if (isnan(interval.low))
        add_row(out, measure, shown, "%s", "");
    else
        add_row(out, measure, shown, "%s%%: %s to %s (%s)", percent, low, high, how);
}

/* What always says the same is right so often; the class only where all splits say it. */
static void add_majority(cairn_report *out, const cairn_evaluation *e)
{
    char shown[CAIRN_NUMBER_SIZE];
    cairn_judged said = cairn_evaluation_baseline(e);
    bool same = e->n > 0 && e->baseline[0] >= 0;
    for (size_t i = 0; i < e->n; i++) same = same && e->baseline[i] == e->baseline[0];
    cairn_share_shown(shown, cairn_judged_accuracy(&said));
    if (same)
        add_row(out, "baseline", shown, "always '%s'", name_of(e, (size_t)e->baseline[0]));
    else
        add_row(out, "baseline", shown, "always the majority class");
}

static cairn_status class_rows(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    char shown[CAIRN_NUMBER_SIZE], right[CAIRN_NUMBER_SIZE];
    cairn_judged j = cairn_evaluation_judged(e);
    cairn_interval interval;
    cairn_area area;
    const char *how;
    CHECK(cairn_evaluation_interval(ctx, &interval, &how, e));
    CHECK(cairn_evaluation_area(ctx, &area, e));
    begin_rows(out);
    add_row_of(out, "accuracy", cairn_share_shown, cairn_judged_accuracy(&j), interval, e->level,
               how);
    if (cairn_judged_unanswered(&j)) {
        double answered = 0, correct = 0, total = 0;
        for (size_t i = 0; i < j.n; i++) {
            double w = cairn_judged_weight(&j, i);
            total += w;
            answered += cairn_judged_answered(&j, i) ? w : 0;
            correct += cairn_judged_right(&j, i) ? w : 0;
        }
        cairn_share_shown(shown, answered / total);
        cairn_share_shown(right, answered > 0 ? correct / answered : NAN);
        add_row(out, "answered", shown, "of the rows; %s of these answers are right", right);
    }
    add_majority(out, e);
    if (area.there && cairn_ranks_splits(e))
        add_row(out, "ROC area", "n/a", "every row of a split has the same score");
    else if (area.there)
        add_row_of(out, "ROC area", cairn_share_shown, area.auc, area.interval, e->level, area.how);
    if (!isnan(cairn_training_mean(e))) {
        cairn_share_shown(shown, cairn_training_mean(e));
        add_row(out, "training", shown, "accuracy on the rows learned from, optimistic");
    }
    return CAIRN_OK;
}

static cairn_status number_rows(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    char shown[CAIRN_NUMBER_SIZE];
    cairn_judged j = cairn_evaluation_judged(e);
    cairn_interval interval;
    cairn_errors errors;
    const char *how;
    CHECK(cairn_evaluation_interval(ctx, &interval, &how, e));
    cairn_errors_of(&errors, e->actual_number, e->predicted_number, e->weights, e->n);
    begin_rows(out);
    cairn_amount_shown(shown, errors.mae);
    add_row(out, "MAE", shown, "mean absolute error, in the units of %s",
            e->target ? e->target : "the target");
    add_row_of(out, "RMSE", cairn_amount_shown, errors.rmse, interval, e->level, how);
    cairn_share_shown(shown, errors.r2);
    add_row(out, "R²", shown, "share of the variance that is explained");
    cairn_amount_shown(shown, sqrt(cairn_baseline_mse(&j, e->baseline_number)));
    add_row(out, "baseline", shown, "RMSE of always saying the mean");
    if (!isnan(cairn_training_mean(e))) {
        cairn_amount_shown(shown, sqrt(cairn_training_mean(e)));
        add_row(out, "training", shown, "RMSE on the rows learned from, optimistic");
    }
    cairn_amount_shown(shown, errors.largest);
    add_row(out, "largest", shown, "error of a single row");
    return CAIRN_OK;
}

cairn_status cairn_glance_measures(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e)
{
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    cairn_status status;
    if (e->task != CAIRN_CLASSIFY)
        cairn_report_more(out, "{full} · {figure predicted} · {out page.html}");
    else
        cairn_report_more(out, "{full} · {figure %s} · {out page.html}",
                          e->positive >= 0 ? "roc" : "confusion");
    cairn_glance_rows(out, e);
    status = e->task == CAIRN_CLASSIFY ? class_rows(ctx, out, e) : number_rows(ctx, out, e);
    cairn_report_for(out, before);
    return status;
}

/* -- the classes -- */

/* Whether the confusion table can be taken in at a glance. */
static bool fits(const cairn_evaluation *e)
{
    size_t first = e->target ? cairn_text_width(e->target) : 0, total = 0, k = e->classes.n;
    for (size_t c = 0; c < k && c < MOST_CLASSES; c++) {
        size_t width = cairn_text_width(name_of(e, c));
        first = width + 7 > first ? width + 7 : first; /* "actual NAME" */
        total += 2 + (width + 5 > 6 ? width + 5 : 6);  /* "said NAME" */
    }
    return k > 1 && k <= MOST_CLASSES && first + total + 11 <= SCREEN;
}

/* Weights of the rows of class `actual` by the class that was said; scratch. */
static cairn_status said_of(cairn_context *ctx, double **out, const cairn_evaluation *e,
                            size_t actual)
{
    CHECK(SCRATCH(ctx, out, e->classes.n + 1));
    for (size_t i = 0; i < e->n; i++)
        if (e->actual[i] == (int32_t)actual && e->predicted[i] >= 0)
            (*out)[e->predicted[i]] += e->weights[i];
    return CAIRN_OK;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static void cell_share(cairn_report *out, double share)
{
    char shown[CAIRN_NUMBER_SIZE];
    cairn_share_shown(shown, share);
    cairn_report_cell(out, shown);
}

static cairn_status show_confusion(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                   const cairn_class_counts *sums, bool rows_predicted)
{
    const char *row_word = rows_predicted ? "said" : "actual";
    const char *column_word = rows_predicted ? "actual" : "said";
    size_t k = e->classes.n;
    double **counts; /* [actual][said] */
    CHECK(SCRATCH(ctx, &counts, k + 1));
    for (size_t c = 0; c < k; c++) CHECK(said_of(ctx, &counts[c], e, c));
    cairn_report_table_of(out, NULL, 0, "l", e->target ? e->target : "");
    for (size_t c = 0; c < k; c++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(ctx);
        cairn_text_addf(&head, "%s %s", column_word, name_of(e, c));
        CHECK(cairn_text_status(&head));
        cairn_report_column(out, cairn_text_string(&head), 'r');
    }
    cairn_report_column(out, rows_predicted ? "precision" : "recall", 'r');
    for (size_t r = 0; r < k; r++) {
        cairn_report_cellf(out, "%s %s", row_word, name_of(e, r));
        for (size_t c = 0; c < k; c++)
            cairn_report_cell_number(out, rows_predicted ? counts[c][r] : counts[r][c], 5, NULL);
        cell_share(out,
                   share_of(sums[r].right, rows_predicted ? sums[r].predicted : sums[r].actual));
    }
    cairn_report_cell(out, rows_predicted ? "recall" : "precision");
    for (size_t c = 0; c < k; c++)
        cell_share(out,
                   share_of(sums[c].right, rows_predicted ? sums[c].actual : sums[c].predicted));
    cairn_report_cell(out, "");
    return CAIRN_OK;
}

/* Classes with rows, those of the lowest recall first. */
static size_t weakest(size_t *order, const cairn_evaluation *e, const cairn_class_counts *sums)
{
    size_t n = 0;
    for (size_t c = 0; c < e->classes.n; c++) {
        if (!(sums[c].actual > 0)) continue;
        double recall = sums[c].right / sums[c].actual;
        size_t at = n;
        while (at > 0 && sums[order[at - 1]].right / sums[order[at - 1]].actual > recall) at--;
        if (at >= MOST_WEAK) continue;
        n = n < MOST_WEAK ? n + 1 : n;
        memmove(order + at + 1, order + at, (n - at - 1) * sizeof *order);
        order[at] = c;
    }
    return n;
}

/* The other class that is said most often of the rows of a class; -1 where none is. */
static cairn_status most_said(cairn_context *ctx, ptrdiff_t *out, double *rows,
                              const cairn_evaluation *e, size_t class)
{
    double *said;
    CHECK(said_of(ctx, &said, e, class));
    *out = -1;
    *rows = 0;
    for (size_t c = 0; c < e->classes.n; c++)
        if (c != class && said[c] > *rows) *rows = said[c], *out = (ptrdiff_t)c;
    return CAIRN_OK;
}

/* "versicolor (5)" */
static void cell_most(cairn_report *out, const char *name, double rows)
{
    char count[CAIRN_NUMBER_SIZE];
    cairn_number_format(count, rows, 5);
    cairn_report_cellf(out, "%s (%s)", name, count);
}

static cairn_status show_weakest(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                 const cairn_class_counts *sums, const size_t *order, size_t n)
{
    char title[80];
    snprintf(title, sizeof title,
             n < e->classes.n ? "The %zu of %zu classes that are found least"
                              : "By class, those found least first",
             n, e->classes.n);
    cairn_report_table_of(out, title, 0, "lrrrl", "class", "rows", "recall", "precision",
                          "most often taken for");
    for (size_t i = 0; i < n; i++) {
        cairn_class_counts s = sums[order[i]];
        ptrdiff_t other;
        double rows;
        CHECK(most_said(ctx, &other, &rows, e, order[i]));
        cairn_report_cells(out, "- -:5", name_of(e, order[i]), s.actual);
        cell_share(out, s.right / s.actual);
        cell_share(out, share_of(s.right, s.predicted));
        if (other < 0)
            cairn_report_cell(out, "");
        else
            cell_most(out, name_of(e, (size_t)other), rows);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* The class that is found least, in a sentence. */
static cairn_status say_weakest(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                cairn_class_counts s, size_t class)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    double missed = s.actual - s.right, rows;
    ptrdiff_t other;
    CHECK(most_said(ctx, &other, &rows, e, class));
    if (!(missed > 0)) {
        cairn_report_paragraph(out, "Every row is said right.");
        return CAIRN_OK;
    }
    cairn_text_add(&line, "Weakest: ");
    add_count(&line, missed);
    cairn_text_add(&line, " of the ");
    add_count(&line, s.actual);
    cairn_text_add(&line, s.actual == 1 ? " row " : " rows ");
    if (is_bare(name_of(e, class)) && e->target)
        cairn_text_addf(&line, "with %s = %s", e->target, name_of(e, class));
    else
        cairn_text_addf(&line, "of %s", name_of(e, class));
    cairn_text_add(&line, missed == 1 ? " is missed" : " are missed");
    if (other >= 0 && e->classes.n > 2) {
        cairn_text_add(&line, ", ");
        if (rows < missed) add_count(&line, rows);
        cairn_text_addf(&line, "%s taken for %s",
                        rows < missed ? " of them"
                        : missed == 1 ? "and"
                                      : "all",
                        name_of(e, (size_t)other));
    }
    CHECK(cairn_text_status(&line));
    cairn_report_paragraph(out, "%s.", cairn_text_string(&line));
    return CAIRN_OK;
}

cairn_status cairn_glance_classes(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                  bool rows_predicted)
{
    SCOPED_SCRATCH(ctx);
    cairn_judged judged = cairn_evaluation_judged(e);
    cairn_class_counts *sums;
    size_t order[MOST_WEAK + 1], n;
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    CHECK(cairn_judged_counts(ctx, &sums, &judged));
    n = weakest(order, e, sums);
    if (fits(e))
        CHECK(show_confusion(ctx, out, e, sums, rows_predicted));
    else if (n)
        CHECK(show_weakest(ctx, out, e, sums, order, n));
    if (n) CHECK(say_weakest(ctx, out, e, sums[order[0]], order[0]));
    cairn_report_for(out, before);
    return CAIRN_OK;
}
