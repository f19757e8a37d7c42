/* SPDX-License-Identifier: MIT */
/* cairn compute confusion: a confusion table and every measure that is read off it, with the
 * fractions they come from; for more than two classes per class, averaged, and pair by pair. */
#include "typed/labels.h"

#include "base/memory.h"
#include "base/number.h"
#include "typed/shown.h"
#include "evaluate/confusion_report.h"
#include "plots/confusion_plot.h"
#include "stats/confusion.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct confusion_params {
    cairn_label_option labels;
    int undefined;
    double beta, level;
    const char *costs;
    double cost_fp, cost_fn;
    bool shares;
} confusion_params;

static const cairn_param confusion_table[] = {
    CAIRN_PARAM_GROUP(confusion_params, labels, cairn_label_group),
    CAIRN_PARAM_CHOICE(confusion_params, undefined, "na", cairn_undefined_choices,
                       "what precision, recall and F are when they are 0/0"),
    CAIRN_PARAM(confusion_params, beta, "1", "(0,inf)",
                "how many times recall counts as much as precision in F-beta"),
    CAIRN_PARAM(confusion_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM(confusion_params, costs, NULL, NULL,
                "cost of each cell, rows actual, such as 0,10;1,0; all classes in table order"),
    CAIRN_PARAM(confusion_params, cost_fp, "1", "[0,inf)", "two classes: cost of a false positive"),
    CAIRN_PARAM(confusion_params, cost_fn, "1", "[0,inf)", "two classes: cost of a false negative"),
    CAIRN_PARAM(confusion_params, shares, "no", NULL,
                "in the picture: shares of each actual class in place of counts"),
    CAIRN_PARAM_END,
};

/* -- the table -- */

/* Books differ in whether rows are actual or predicted, so the title says it; a class that is
 * only predicted may be a slip. */
static void show_table(cairn_report *out, const cairn_labels *l)
{
    double *sums = NULL, total = 0;
    cairn_context *ctx = cairn_report_context(out);
    if (SCRATCH(ctx, &sums, l->n)) return cairn_report_failed(out, CAIRN_NO_MEMORY);
    cairn_report_table_of(out,
                          l->rows_predicted ? "Confusion table (rows: predicted, columns: actual)"
                                            : "Confusion table (rows: actual, columns: predicted)",
                          (size_t)-1, "l", l->rows_predicted ? "predicted" : "actual");
    for (size_t j = 0; j < l->n; j++) cairn_report_column(out, l->names[j], 'r');
    cairn_report_column(out, "total", 'r');
    for (size_t i = 0; i < l->n; i++) {
        double sum = 0;
        cairn_report_cell(out, l->names[i]);
        for (size_t j = 0; j < l->n; j++) {
            /* Cell of the table as it is shown. */
            double cell = l->rows_predicted ? l->cells[j * l->n + i] : l->cells[i * l->n + j];
            /* Names always say actual first. */
            size_t actual = l->rows_predicted ? j : i, predicted = l->rows_predicted ? i : j;
            cairn_report_cell_number(out, cell, 0, "confusion.%s.%s",
                                     cairn_report_key(out, l->names[actual]),
                                     cairn_report_key(out, l->names[predicted]));
            sum += cell, sums[j] += cell;
        }
        cairn_report_cell_number(out, sum, 0, "totals.%s.%s",
                                 l->rows_predicted ? "predicted" : "actual",
                                 cairn_report_key(out, l->names[i]));
        total += sum;
    }
    cairn_report_cell(out, "total");
    for (size_t j = 0; j < l->n; j++)
        cairn_report_cell_number(out, sums[j], 0, "totals.%s.%s",
                                 l->rows_predicted ? "actual" : "predicted",
                                 cairn_report_key(out, l->names[j]));
    cairn_report_cell_number(out, total, 0, "total");
    if (l->left_out)
        cairn_report_note(out, "%zu row%s without a label or a prediction %s left out.",
                          l->left_out, l->left_out == 1 ? "" : "s",
                          l->left_out == 1 ? "is" : "are");
    for (size_t k = 0; k < l->n; k++) {
        cairn_binary_counts c = cairn_confusion_against_rest(l->cells, l->n, k);
        if (c.tp + c.fn == 0 && c.fp > 0)
            cairn_report_note(out,
                              "'%s' is predicted but no row is of that class: is it a slip? "
                              "{classes} lists the labels that may occur.",
                              l->names[k]);
    }
}

/* -- two classes -- */

static void fraction(char out[96], double part, double whole)
{
    char a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
    cairn_number_format(a, part, 6);
    cairn_number_format(b, whole, 6);
    snprintf(out, 96, "%s / %s", a, b);
}

static void measure_row(cairn_report *out, const char *title, const char *formula, double part,
                        double whole, double value, const char *name)
{
    char text[96] = "";
    if (!isnan(part) && !isnan(whole)) fraction(text, part, whole);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- - - @", title, formula, text, value);
}

/* Every measure with its formula and fraction; the names in the last argument are those that
 * lessons use. */
static void show_measures(cairn_report *out, cairn_binary_counts c, const cairn_binary_measures *m,
                          double beta)
{
    double right = c.tp + c.tn, wrong = c.fp + c.fn, b = beta * beta;
    cairn_report_table_of(out, "Measures", (size_t)-1, "llrr", "measure", "formula", "fraction",
                          "value");
    measure_row(out, "share of positives (prevalence)", "pos = Pos/N", m->positives, m->total,
                m->pos, "pos");
    measure_row(out, "share of negatives", "neg = Neg/N", m->negatives, m->total, m->neg, "neg");
    measure_row(out, "class ratio", "clr = Pos/Neg", m->positives, m->negatives, m->class_ratio,
                "class_ratio");
    measure_row(out, "accuracy", "(TP+TN)/N", right, m->total, m->accuracy, "accuracy");
    measure_row(out, "error rate", "(FP+FN)/N", wrong, m->total, m->error, "error");
    measure_row(out, "recall, sensitivity, tpr", "TP/Pos", c.tp, m->positives, m->tpr, "tpr");
    measure_row(out, "specificity, tnr", "TN/Neg", c.tn, m->negatives, m->tnr, "tnr");
    measure_row(out, "false alarms, fpr", "FP/Neg", c.fp, m->negatives, m->fpr, "fpr");
    measure_row(out, "misses, fnr", "FN/Pos", c.fn, m->positives, m->fnr, "fnr");
    measure_row(out, "precision, confidence", "TP/(TP+FP)", c.tp, m->predicted_positives,
                m->precision, "precision");
    measure_row(out, "precision of the negatives", "TN/(TN+FN)", c.tn, m->predicted_negatives,
                m->negative_precision, "negative_precision");
    measure_row(out, "average recall", "(tpr+tnr)/2", NAN, 0, m->average_recall, "average_recall");
    measure_row(out, "F", "2TP/(2TP+FP+FN)", 2 * c.tp, 2 * c.tp + wrong, m->f, "f");
    if (beta != 1)
        measure_row(out, "F-beta", "(1+b²)TP/((1+b²)TP+b²FN+FP)", (1 + b) * c.tp,
                    (1 + b) * c.tp + b * c.fn + c.fp, cairn_f_measure(c, beta), "f_beta");
    measure_row(out, "F as harmonic mean", "2·prec·rec/(prec+rec)", NAN, 0, m->f_harmonic,
                "f_harmonic");
    measure_row(out, "Youden's index", "tpr − fpr", NAN, 0, m->youden, "youden");
    measure_row(out, "correlation (Matthews)", "(TP·TN−FP·FN)/√(margins)", NAN, 0, m->correlation,
                "correlation");
    measure_row(out, "kappa", "agreement beyond chance", NAN, 0, m->kappa, "kappa");
    measure_row(out, "distance to (0,1)", "√(fpr² + fnr²)", NAN, 0, m->distance, "distance");
    measure_row(out, "Quetelet, absolute", "precision − pos", NAN, 0, m->quetelet_absolute,
                "quetelet_absolute");
    measure_row(out, "Quetelet, relative", "precision/pos − 1", NAN, 0, m->quetelet_relative,
                "quetelet_relative");
}

/* -- intervals -- */

static void begin_intervals(cairn_report *out, double level)
{
    cairn_begin_intervals(out, "Intervals", level);
    cairn_report_columns(out, "lrrrl", "measure", "estimate", "low", "high", "by");
}

static void interval_row(cairn_report *out, const char *title, const char *name, double value,
                         cairn_interval interval, const char *how)
{
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- - @.low @.high", title, value, interval.low, interval.high, how);
}

/* A share of counted rows. */
static void share_row(cairn_report *out, const char *title, const char *name, double part,
                      double whole, double level)
{
    cairn_interval interval;
    if (!(whole > 0)) return interval_row(out, title, name, NAN, (cairn_interval){NAN, NAN}, "");
    const char *how = cairn_share_interval(part / whole, whole, level, &interval);
    interval_row(out, title, name, part / whole, interval, how);
}

/* A measure of known variance. */
static void delta_row(cairn_report *out, const char *title, const char *name, double value,
                      double variance, double least, double level)
{
    if (isnan(value)) return interval_row(out, title, name, NAN, (cairn_interval){NAN, NAN}, "");
    double half = cairn_normal_quantile_upper((1 - level) / 2) * sqrt(fmax(0, variance));
    interval_row(out, title, name, value,
                 (cairn_interval){fmax(least, value - half), fmin(1, value + half)},
                 "normal, delta method");
}

/* Shares of rows have an interval by counts, each line says by which method; averages, F and
 * kappa have approximate ones from their variances. */
static void show_intervals(cairn_report *out, const cairn_labels *l, cairn_binary_counts c,
                           const cairn_binary_measures *m, const confusion_params *p)
{
    double level = p->level;
    begin_intervals(out, level);
    share_row(out, "accuracy", "accuracy", c.tp + c.tn, m->total, level);
    share_row(out, "error rate", "error", c.fp + c.fn, m->total, level);
    share_row(out, "recall, tpr", "tpr", c.tp, m->positives, level);
    share_row(out, "specificity, tnr", "tnr", c.tn, m->negatives, level);
    share_row(out, "precision", "precision", c.tp, m->predicted_positives, level);
    share_row(out, "precision of the negatives", "negative_precision", c.tn, m->predicted_negatives,
              level);
    delta_row(out, "average recall", "average_recall", m->average_recall,
              cairn_average_recall_variance(c), 0, level);
    delta_row(out, "F", "f", m->f, cairn_f_variance(c, 1), 0, level);
    if (p->beta != 1)
        delta_row(out, "F-beta", "f_beta", cairn_f_measure(c, p->beta),
                  cairn_f_variance(c, p->beta), 0, level);
    delta_row(out, "kappa", "kappa", m->kappa, cairn_kappa_variance(l->cells, l->n), -1, level);
}

/* Several classes: accuracy, kappa, recall and precision of each class. */
static void show_class_intervals(cairn_report *out, const cairn_labels *l, double level)
{
    cairn_confusion_summary s;
    cairn_confusion_summary_of(&s, l->cells, l->n, CAIRN_UNDEFINED_NA);
    begin_intervals(out, level);
    share_row(out, "accuracy", "accuracy", s.right, s.total, level);
    share_row(out, "error rate", "error", s.total - s.right, s.total, level);
    delta_row(out, "kappa", "kappa", s.kappa, cairn_kappa_variance(l->cells, l->n), -1, level);
    for (size_t k = 0; k < l->n && l->n <= 20; k++) {
        cairn_binary_counts c = cairn_confusion_against_rest(l->cells, l->n, k);
        char title[120], name[160];
        snprintf(title, sizeof title, "recall of %.90s", l->names[k]);
        snprintf(name, sizeof name, "recall.%.140s", cairn_report_key(out, l->names[k]));
        share_row(out, title, name, c.tp, c.tp + c.fn, level);
        snprintf(title, sizeof title, "precision of %.90s", l->names[k]);
        snprintf(name, sizeof name, "precision.%.140s", cairn_report_key(out, l->names[k]));
        share_row(out, title, name, c.tp, c.tp + c.fp, level);
    }
}

/* The same margins without any connection, and the classes changed over. */
static void show_alternatives(cairn_report *out, const cairn_labels *l, cairn_binary_counts c,
                              cairn_undefined undefined)
{
    cairn_binary_counts chance = cairn_binary_by_chance(c), swapped = cairn_binary_swap(c);
    cairn_binary_measures m;
    const struct {
        const char *title, *prefix;
        cairn_binary_counts counts;
    } rows[] = {{"this table", NULL, c},
                {"by chance", "chance", chance},
                {"changed over", "swapped", swapped}};
    cairn_report_table_of(out, "Beside it: what chance would give, and the classes changed over", 0,
                          "l", "table");
    static const char *const heads[] = {"TP",       "FN",        "FP",     "TN",
                                        "accuracy", "precision", "recall", "F"};
    for (size_t i = 0; i < 8; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < 3; i++) {
        cairn_binary_measures_of(&m, rows[i].counts, undefined);
        const double values[] = {rows[i].counts.tp,
                                 rows[i].counts.fn,
                                 rows[i].counts.fp,
                                 rows[i].counts.tn,
                                 m.accuracy,
                                 m.precision,
                                 m.tpr,
                                 m.f};
        static const char *const names[] = {"tp",       "fn",        "fp",     "tn",
                                            "accuracy", "precision", "recall", "f"};
        cairn_report_cell(out, rows[i].title);
        for (size_t k = 0; k < 8; k++) {
            if (rows[i].prefix)
                cairn_report_cell_number(out, values[k], 4, "%s.%s", rows[i].prefix, names[k]);
            else
                cairn_report_cell_number(out, values[k], 4, "%s", names[k]);
        }
        if (i == 2) {
            cairn_report_hidden(out, m.tnr, "swapped.tnr");
            cairn_report_hidden(out, m.fpr, "swapped.fpr");
            cairn_report_hidden(out, m.fnr, "swapped.fnr");
            cairn_report_hidden(out, m.error, "swapped.error");
            cairn_report_hidden(out, m.f_harmonic, "swapped.f_harmonic");
        }
    }
    (void)l;
}

/* Which measure suits which use, and the baseline beside which an accuracy has to be read. */
static void show_advice(cairn_report *out, const cairn_binary_measures *m)
{
    static const char *const rows[][2] = {
        {"accuracy", "the classes will come in the same shares as here and both errors cost alike"},
        {"average recall", "both classes matter alike, whatever their shares"},
        {"precision and recall, F", "the positives are rare or sought for and true negatives do "
                                    "not count"},
        {"cost ({cost-fp}, {cost-fn})", "the two errors have known, different costs"},
        {"area under the curve", "only the order of the scores matters; the threshold comes later"},
        {"Brier score, log loss", "the probabilities themselves are used"}};
    cairn_report_table_of(out, "Which measure for which use", 0, "ll", "measure", "when");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cairn_report_cells(out, NULL, cairn_say(cairn_report_context(out), rows[i][0]), rows[i][1]);
    double majority = m->pos > m->neg ? m->pos : m->neg;
    cairn_report_value(out, "accuracy of always naming the larger class", majority,
                       "baseline.accuracy");
    if (majority > 0.8)
        cairn_report_note(
            out, "The classes are skewed: a high accuracy says little here. Read precision "
                 "and recall of the rarer class.");
    if (m->accuracy <= majority)
        cairn_report_note(out, "This is no better than always naming the larger class.");
}

static void show_cost(cairn_report *out, double cost, double total)
{
    cairn_report_value(out, "total cost", cost, "cost.total");
    cairn_report_value(out, "mean cost per row (risk)", total > 0 ? cost / total : NAN,
                       "cost.mean");
}

/* Costs of the two errors: total, mean, and the error weighted by them. */
static void show_binary_cost(cairn_report *out, cairn_binary_counts c, double cost_fp,
                             double cost_fn)
{
    double cost = c.fp * cost_fp + c.fn * cost_fn;
    double most = (c.fp + c.tn) * cost_fp + (c.tp + c.fn) * cost_fn;
    cairn_report_heading(out, 2, "Costs");
    cairn_report_formula(out, "cost = FP · cost(FP) + FN · cost(FN)");
    show_cost(out, cost, c.tp + c.fn + c.fp + c.tn);
    cairn_report_value(out, "cost-weighted error", most > 0 ? cost / most : NAN, "cost.error");
}

/* The rates with their counts put in, then what is made of the rates. */
static void work_rates(cairn_report *out, cairn_binary_counts c, const cairn_binary_measures *m)
{
    cairn_report_step_begin(out, "Shares of counts");
    cairn_report_worked(out, "accuracy", "(TP + TN) / N = (# + #) / # = #", c.tp, c.tn, m->total,
                        m->accuracy);
    cairn_report_worked(out, "accuracy", "pos · tpr + neg · tnr = # · # + # · # = #", m->pos,
                        m->tpr, m->neg, m->tnr, m->accuracy);
    cairn_report_worked(out, "recall", "TP / (TP + FN) = # / (# + #) = #", c.tp, c.tp, c.fn,
                        m->tpr);
    cairn_report_worked(out, "specificity", "TN / (TN + FP) = # / (# + #) = #", c.tn, c.tn, c.fp,
                        m->tnr);
    cairn_report_worked(out, "precision", "TP / (TP + FP) = # / (# + #) = #", c.tp, c.tp, c.fp,
                        m->precision);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Measures made of them");
    cairn_report_worked(out, "average recall", "(tpr + tnr) / 2 = (# + #) / 2 = #", m->tpr, m->tnr,
                        m->average_recall);
    cairn_report_worked(out, "F", "2 TP / (2 TP + FP + FN) = 2 · # / (2 · # + # + #) = #", c.tp,
                        c.tp, c.fp, c.fn, m->f);
    cairn_report_worked(out, "F",
                        "2 · precision · recall / (precision + recall) = 2 · # · # / (# + #) = #",
                        m->precision, m->tpr, m->precision, m->tpr, m->f_harmonic);
    cairn_report_worked(out, "Youden's index", "tpr − fpr = # − # = #", m->tpr, m->fpr, m->youden);
    cairn_report_worked(out, "distance to (0,1)", "√(fpr² + fnr²) = √(#² + #²) = #", m->fpr, m->fnr,
                        m->distance);
    cairn_report_worked(out, "Quetelet, absolute", "precision − pos = # − # = #", m->precision,
                        m->pos, m->quetelet_absolute);
    cairn_report_worked(out, "Quetelet, relative", "precision / pos − 1 = # / # − 1 = #",
                        m->precision, m->pos, m->quetelet_relative);
    cairn_report_step_end(out);
}

/* What chance would give, and the agreement beyond it. */
static void work_chance(cairn_report *out, cairn_binary_counts c, const cairn_binary_measures *m)
{
    double n = m->total;
    double margins = m->positives * m->negatives * m->predicted_positives * m->predicted_negatives;
    double expected =
        (m->positives * m->predicted_positives + m->negatives * m->predicted_negatives) / (n * n);
    cairn_report_step_begin(out, "Against chance");
    cairn_report_worked(out, "TP by chance", "Pos · predicted Pos / N = # · # / # = #",
                        m->positives, m->predicted_positives, n,
                        m->positives * m->predicted_positives / n);
    cairn_report_worked(out, "agreement by chance", "(# · # + # · #) / #² = #", m->positives,
                        m->predicted_positives, m->negatives, m->predicted_negatives, n, expected);
    cairn_report_worked(out, "kappa", "(accuracy − chance) / (1 − chance) = (# − #) / (1 − #) = #",
                        m->accuracy, expected, expected, m->kappa);
    cairn_report_worked(out, "correlation",
                        "(TP·TN − FP·FN) / √(margins) = (# · # − # · #) / √# = #", c.tp, c.tn, c.fp,
                        c.fn, margins, m->correlation);
    cairn_report_step_end(out);
}

/* Two classes: everything about the positive one, then what the other one's view would be. */
static void show_binary(cairn_report *out, const cairn_labels *l, const confusion_params *p,
                        bool with_costs, bool steps)
{
    size_t pos = l->positive;
    cairn_binary_counts c = cairn_confusion_pair(l->cells, 2, pos, 1 - pos);
    cairn_binary_measures m;
    cairn_undefined undefined = (cairn_undefined)p->undefined;
    cairn_binary_measures_of(&m, c, undefined);
    cairn_report_word(out, "positive class", l->names[pos], "positive");
    show_measures(out, c, &m, p->beta);
    cairn_report_hidden(out, m.tpr, "recall");
    cairn_report_hidden(out, m.tpr, "sensitivity");
    cairn_report_hidden(out, m.tnr, "specificity");
    cairn_report_hidden(out, m.positives, "positives");
    cairn_report_hidden(out, m.negatives, "negatives");
    cairn_report_hidden(out, m.predicted_positives, "predicted_positives");
    cairn_report_hidden(out, m.predicted_negatives, "predicted_negatives");
    cairn_report_hidden(out, 1 - m.precision, "false_discovery");
    show_intervals(out, l, c, &m, p);
    cairn_report_paragraph(out, "Accuracy is pos · tpr + neg · tnr. F lies between the smaller of "
                                "precision and recall and twice that; true negatives play no part "
                                "in it. The point in coverage space is (FP, TP), in ROC space "
                                "(fpr, tpr).");
    show_alternatives(out, l, c, undefined);
    if (with_costs) show_binary_cost(out, c, p->cost_fp, p->cost_fn);
    show_advice(out, &m);
    if (steps) work_rates(out, c, &m);
    if (steps) work_chance(out, c, &m);
    if (steps && with_costs) {
        cairn_report_step_begin(out, "The costs");
        cairn_report_worked(out, "cost", "FP · cost(FP) + FN · cost(FN) = # · # + # · # = #", c.fp,
                            p->cost_fp, c.fn, p->cost_fn, c.fp * p->cost_fp + c.fn * p->cost_fn);
        cairn_report_step_end(out);
    }
}

/* -- several classes -- */

/* Each class against all others, which makes several classes a list of tables of two. */
static void show_classes(cairn_report *out, const cairn_labels *l, cairn_undefined undefined)
{
    static const char *const heads[] = {"rows", "TP", "FN", "FP", "TN", "precision", "recall", "F"};
    cairn_report_table_of(out, "Each class against the rest", 0, "l", "class");
    for (size_t i = 0; i < 8; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t k = 0; k < l->n; k++) {
        cairn_binary_counts c = cairn_confusion_against_rest(l->cells, l->n, k);
        cairn_binary_measures m;
        cairn_binary_measures_of(&m, c, undefined);
        cairn_report_cells(out, "- rows.$1 tp.$1 fn.$1 fp.$1 tn.$1 precision.$1 recall.$1 f.$1",
                           l->names[k], m.positives, c.tp, c.fn, c.fp, c.tn, m.precision, m.tpr,
                           m.f);
    }
}

/* Precision, recall and F of the first classes, accuracy and kappa, with the numbers put in. */
static void work_classes(cairn_report *out, const cairn_labels *l, cairn_undefined undefined)
{
    enum { MOST_WORKED = 10 };
    cairn_confusion_summary s;
    double expected = 0;
    cairn_confusion_summary_of(&s, l->cells, l->n, undefined);
    for (size_t k = 0; k < l->n; k++) {
        cairn_binary_counts c = cairn_confusion_against_rest(l->cells, l->n, k);
        cairn_binary_measures m;
        cairn_binary_measures_of(&m, c, undefined);
        expected += m.positives * m.predicted_positives / (s.total * s.total);
        if (k >= MOST_WORKED) continue;
        cairn_report_step_begin(out, "%s against the rest", l->names[k]);
        cairn_report_worked(out, "precision", "# / (# + #) = #", c.tp, c.tp, c.fp, m.precision);
        cairn_report_worked(out, "recall", "# / (# + #) = #", c.tp, c.tp, c.fn, m.tpr);
        cairn_report_worked(out, "F", "2 · # / (2 · # + # + #) = #", c.tp, c.tp, c.fp, c.fn, m.f);
        cairn_report_step_end(out);
    }
    cairn_report_step_begin(out, "All classes");
    cairn_report_worked(out, "accuracy", "diagonal / N = # / # = #", s.right, s.total, s.accuracy);
    cairn_report_worked(out, "agreement by chance", "Σ rows · predicted / N² = #", expected);
    cairn_report_worked(out, "kappa", "(accuracy − chance) / (1 − chance) = (# − #) / (1 − #) = #",
                        s.accuracy, expected, expected, s.kappa);
    cairn_report_hidden(out, expected, "steps.chance");
    cairn_report_step_end(out);
}

/* The cost-weighted error relates the cost to what the dearest answer for every row would cost. */
static cairn_status show_costs(cairn_context *ctx, cairn_report *out, const cairn_labels *l,
                               const char *text)
{
    double *costs, total = 0;
    size_t rows, columns;
    CHECK(cairn_read_counts(ctx, "costs", text, &costs, &rows, &columns));
    if (rows != l->n || columns != l->n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs}: %zu x %zu numbers for %zu classes; one row per actual class, "
                          "one column per predicted class",
                          rows, columns, l->n);
    double most = 0, cost = cairn_confusion_cost(l->cells, costs, l->n);
    for (size_t i = 0; i < l->n; i++) {
        double row = 0, dearest = 0;
        for (size_t j = 0; j < l->n; j++) {
            row += l->cells[i * l->n + j];
            dearest = fmax(dearest, costs[i * l->n + j]);
        }
        total += row;
        most += row * dearest;
    }
    cairn_report_heading(out, 2, "Costs");
    cairn_report_formula(out, "cost = Σ cell · cost of the cell");
    show_cost(out, cost, total);
    cairn_report_value(out, "cost-weighted error (share of the largest possible cost)",
                       most > 0 ? cost / most : NAN, "cost.error");
    return CAIRN_OK;
}

/* The table as it is shown, in counts or in shares of the actual classes. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const cairn_labels *l,
                                bool shares)
{
    double *cells;
    CHECK(SCRATCH(ctx, &cells, l->n * l->n));
    for (size_t i = 0; i < l->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < l->n; j++) sum += l->cells[i * l->n + j];
        for (size_t j = 0; j < l->n; j++)
            cells[l->rows_predicted ? j * l->n + i : i * l->n + j] =
                l->cells[i * l->n + j] / (shares && sum > 0 ? sum : 1);
    }
    CHECK(cairn_plot_confusion(ctx, out, cells, l->names, l->n));
    if (l->rows_predicted) cairn_figure_axes(*out, "actual", "predicted");
    return CAIRN_OK;
}

static cairn_status confusion_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    const confusion_params *p = job->params;
    cairn_labels l;
    CHECK(cairn_read_labels(ctx, &l, &p->labels, job->table, job->what));
    if (l.without_tn)
        return cairn_fail(ctx, CAIRN_USAGE, "a cell of the picture is not known: give {tn}");
    return make_figure(ctx, out, &l, p->shares);
}

/* Two classes have measures of their own; more have summaries, classes and, up to 20, pairs. */
static cairn_status confusion_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const confusion_params *p = job->params;
    cairn_labels l;
    cairn_figure *figure;
    cairn_undefined undefined = (cairn_undefined)p->undefined;
    CHECK(cairn_read_labels(ctx, &l, &p->labels, job->table, job->what));
    cairn_report_heading(out, 1, "Confusion table");
    show_table(out, &l);
    if (l.n == 2) {
        show_binary(out, &l, p, p->cost_fp != 1 || p->cost_fn != 1, job->steps);
    } else {
        /* Plain means count every class alike, weighted ones every row; weighted recall is the
         * accuracy. */
        cairn_confusion_summary s;
        cairn_confusion_summary_of(&s, l.cells, l.n, undefined);
        cairn_report_value(out, "accuracy", s.accuracy, "accuracy");
        cairn_report_value(out, "error rate", s.error, "error");
        cairn_report_value(out, "mean precision of the classes", s.precision, "precision");
        cairn_report_value(out, "mean recall of the classes", s.recall, "recall");
        cairn_report_value(out, "mean F of the classes", s.f, "f");
        cairn_report_value(out, "precision weighted by class shares", s.weighted_precision,
                           "weighted.precision");
        cairn_report_value(out, "recall weighted by class shares (= accuracy)", s.weighted_recall,
                           "weighted.recall");
        cairn_report_value(out, "F weighted by class shares", s.weighted_f, "weighted.f");
        cairn_report_value(out, "kappa", s.kappa, "kappa");
        cairn_report_value(out, "accuracy of always naming the largest class", s.majority,
                           "baseline.accuracy");
        cairn_report_word(out, "largest class", l.names[s.majority_class], "baseline.class");
        show_class_intervals(out, &l, p->level);
        show_classes(out, &l, undefined);
        cairn_report_class_shares(out, l.cells, l.names, l.n);
        cairn_report_most_confused(out, l.cells, l.names, l.n);
        if (l.n <= 20) cairn_report_class_pairs(out, l.cells, l.names, l.n);
        if (job->steps) work_classes(out, &l, undefined);
    }
    if (p->costs) CHECK(show_costs(ctx, out, &l, p->costs));
    if (l.without_tn)
        cairn_report_note(out, "The true negatives are not known: what counts them is undefined. "
                               "Precision, recall and F do without them.");
    if (l.without_tn) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, &l, p->shares));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_confusion = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "confusion",
         .also = "contingency matrix, confusion matrix, error matrix, sensitivity, specificity, "
                 "true positive rate, false positive rate, true negative rate, accuracy, "
                 "precision, recall, likelihood ratio, balanced accuracy",
         .about =
             "FPR, FNR, prevalence, false positive, false negative, true positive, true negative",
         .title = "Confusion table and its measures",
         .summary =
             "Every measure of a confusion table with its fraction: accuracy, recall, "
             "specificity, precision, F, average recall, costs and more; the table that chance "
             "would give; the classes changed over; with several classes precision and "
             "recall of each, averages, and every pair; intervals of all shares. From typed "
             "counts, a typed table, two columns of labels, a table of counts, or a model and "
             "data.",
         .references = "Provost, Fawcett: Robust Classification for Imprecise Environments, "
                       "Machine Learning 42, 2001; Powers: Evaluation: From Precision, Recall "
                       "and F-Measure to ROC, 2011",
         .example = "cairn compute confusion --tp 40 --fn 10 --fp 5 --tn 45",
         .params = confusion_table,
         .params_size = sizeof(confusion_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "confusion",
                .also = "confusion matrix, heat map of a confusion matrix",
                .title = "Confusion table as a coloured grid",
                .summary =
                    "Actual classes as rows, predicted classes as columns, the counts (or the "
                    "shares of each row) in coloured cells; from two columns of labels, a "
                    "table of counts, or typed.",
                .references = "Stehman: Selecting and Interpreting Measures of Thematic "
                              "Classification Accuracy, Remote Sensing of Environment 62, 1997",
                .example = "cairn draw confusion @confusion-pets",
                .params = confusion_table,
                .params_size = sizeof(confusion_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_WEIGHT,
    .answers = CAIRN_ANSWERS_LABELS,
    .run = confusion_run,
    .draw = confusion_draw,
};
