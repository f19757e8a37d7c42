/* SPDX-License-Identifier: MIT */
/* Several classes: what a confusion table says beyond its cells. */
#include "evaluate/confusion_report.h"
#include "report/table_rows.h"

#include "stats/confusion.h"

#include <math.h>

void cairn_report_class_shares(cairn_report *out, const double *cells, const char *const *names,
                               size_t n)
{
    cairn_report_table_of(out, "Shares of each actual class (the diagonal is its recall)", 0, "l",
                          "actual");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, names[j], 'r');
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += cells[i * n + j];
        cairn_report_cell(out, names[i]);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, sum > 0 ? cells[i * n + j] / sum : NAN, 4, "share.%s.%s",
                                     cairn_report_key(out, names[i]),
                                     cairn_report_key(out, names[j]));
    }
}

/* Precision and recall of every ordered pair in its own 2 x 2 table. */
void cairn_report_class_pairs(cairn_report *out, const double *cells, const char *const *names,
                              size_t n)
{
    cairn_report_table_begin(out, "Pair by pair (row class against column class)", 0);
    static const char *const heads[] = {"said first", "confused", "precision", "recall"};
    cairn_report_columns(out, "ll", "class", "against");
    for (size_t i = 0; i < 4; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (i == j) continue;
            cairn_binary_counts c = cairn_confusion_pair(cells, n, i, j);
            cairn_binary_measures m;
            cairn_binary_measures_of(&m, c, CAIRN_UNDEFINED_NA);
            cairn_report_cells(out,
                               "- - - pair.$1.$2.confused pair.$1.$2.precision pair.$1.$2.recall",
                               names[i], names[j], m.predicted_positives, c.fn, m.precision, m.tpr);
        }
}

/* The largest cells off the diagonal. */
void cairn_report_most_confused(cairn_report *out, const double *cells, const char *const *names,
                                size_t n)
{
    enum { MOST = 5 };
    double below = INFINITY;
    size_t last = 0, shown = 0;
    cairn_report_table_of(out, "Most often confused", 0, "llr", "actual", "said to be", "rows");
    while (shown < MOST) {
        double most = 0;
        size_t at = 0;
        for (size_t c = 0; c < n * n; c++) {
            double cell = cells[c];
            bool later = cell < below || (cell == below && c > last);
            if (c / n != c % n && later && cell > most) most = cell, at = c;
        }
        if (most <= 0) break;
        shown++;
        cairn_report_cells(out, "confused#.actual confused#.predicted confused#.rows",
                           names[at / n], names[at % n], most);
        below = most, last = at;
    }
}
