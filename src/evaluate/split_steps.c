/* SPDX-License-Identifier: MIT */
/* The work behind an estimate: see split_steps.h. */
#include "evaluate/split_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "report/table_rows.h"

#include <math.h>

enum { MOST_LISTED = 60 };

/* Weight of the rows that a split tests, and of those that are right or the squared errors. */
typedef struct split_sums {
    double tested, sum;
} split_sums;

static split_sums sums_of(const cairn_evaluation *e, size_t split)
{
    split_sums s = {0, 0};
    for (size_t i = e->starts[split]; i < e->starts[split + 1]; i++) {
        double w = e->weights ? e->weights[i] : 1;
        s.tested += w;
        if (e->task == CAIRN_CLASSIFY) {
            s.sum += w * (e->predicted[i] == e->actual[i]);
        } else {
            double off = e->predicted_number[i] - e->actual_number[i];
            s.sum += w * off * off;
        }
    }
    return s;
}

static void tested_rows(cairn_report *out, const cairn_evaluation *e, size_t split)
{
    cairn_text rows = cairn_text_start(cairn_report_context(out));
    for (size_t i = e->starts[split]; i < e->starts[split + 1]; i++)
        cairn_text_addf(&rows, "%s%u", i > e->starts[split] ? " " : "", e->rows[i] + 1);
    cairn_report_cell(out, cairn_text_string(&rows));
    cairn_report_text_end(out, &rows);
}

/* The average over all rows and the one over the splits, which differ where splits do in size. */
void cairn_steps_splits(cairn_report *out, const cairn_evaluation *e, bool rows, const char *prefix)
{
    cairn_context *ctx = cairn_report_context(out);
    double *values, sum = 0, squares = 0;
    size_t n = 0;
    bool known = e->task == CAIRN_CLASSIFY ? e->predicted && e->actual
                                           : e->predicted_number && e->actual_number;
    if (!out || !e->n_splits || !known) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &values, e->n_splits);
    if (status) return cairn_report_failed(out, status);
    cairn_report_step_begin(out, "The splits and their average");
    /* A row per split; the values of the splits go to `values`, their sums are returned. */
    bool classes = e->task == CAIRN_CLASSIFY, listed = rows && e->n_rows <= MOST_LISTED;
    split_sums all = {0, 0};
    cairn_report_table_of(out, NULL, 0, "rrrr", "split", "tested", classes ? "right" : "Σ error²",
                          classes ? "accuracy" : "mean squared error");
    if (listed) cairn_report_column(out, "tested rows", 'l');
    for (size_t s = 0; s < e->n_splits; s++) {
        split_sums sums = sums_of(e, s);
        values[s] = sums.tested > 0 ? sums.sum / sums.tested : NAN;
        all.tested += sums.tested, all.sum += sums.sum;
        cairn_report_prefix(out, "%s", prefix);
        cairn_report_cells(out, "- @steps.split#.tested @steps.split#.sum @steps.split#.value",
                           s + 1, sums.tested, sums.sum, values[s]);
        if (listed) tested_rows(out, e, s);
    }
    for (size_t s = 0; s < e->n_splits; s++)
        if (!isnan(values[s])) sum += values[s], n++;
    double mean = n ? sum / (double)n : NAN;
    for (size_t s = 0; s < e->n_splits; s++)
        if (!isnan(values[s])) squares += (values[s] - mean) * (values[s] - mean);
    cairn_report_worked(out, e->task == CAIRN_CLASSIFY ? "accuracy" : "mean squared error",
                        e->task == CAIRN_CLASSIFY ? "all right / all tested = # / # = #"
                                                  : "all Σ error² / all tested = # / # = #",
                        all.sum, all.tested, all.tested > 0 ? all.sum / all.tested : NAN);
    cairn_report_worked_sum(out, "sum over the splits", "#", values, 1, e->n_splits, sum);
    cairn_report_worked(out, "mean over the splits", "# / # = #", sum, (double)n, mean);
    if (n > 1)
        cairn_report_worked(out, "sd over the splits",
                            "√(Σ (value − mean)² / (k − 1)) = √(# / #) = #", squares, (double)n - 1,
                            sqrt(squares / ((double)n - 1)));
    cairn_report_step_end(out);
}
