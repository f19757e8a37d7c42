/* SPDX-License-Identifier: MIT */
/* How a search came to its choice: every point in every split, means, and the rule. */
#include "evaluate/tune.h"

#include "base/memory.h"
#include "base/text.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

enum { MOST_SPLITS = 10, MOST_WORKED = 10 };

static size_t most_splits(const cairn_search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->trials[i].n_splits > n) n = s->trials[i].n_splits;
    return n;
}

/* A row per point and a column per split; what a journal answered has no splits. */
static void show_splits(cairn_report *out, const cairn_search *s)
{
    size_t n = most_splits(s), shown = n < MOST_SPLITS ? n : MOST_SPLITS;
    cairn_report_step_begin(out, "Every point in every split");
    cairn_report_table_of(out, s->measure->entry.title, 0, "l", "point");
    for (size_t k = 0; k < shown; k++) {
        char head[32];
        snprintf(head, sizeof head, "%zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "rr", "mean", "all rows");
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (i == s->best) cairn_report_row_mark(out);
        cairn_report_cell(out, t->label);
        for (size_t k = 0; k < shown; k++)
            cairn_report_cell_number(out, k < t->n_splits ? t->splits[k] : NAN, 4,
                                     "trial%zu.split%zu", i + 1, k + 1);
        cairn_report_cells(out, "trial#.mean:5 -:5", t->mean, t->value);
    }
    if (shown < n) cairn_report_paragraph(out, "%zu more splits are not listed.", n - shown);
    cairn_report_paragraph(out, "'mean' averages the splits; 'all rows' takes the held-out rows of "
                                "all splits together, and is what points are compared by.");
    cairn_report_step_end(out);
}

static void show_mean(cairn_report *out, const cairn_trial *t)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    for (size_t k = 0; k < t->n_splits; k++)
        if (!isnan(t->splits[k])) sum += t->splits[k], n++;
    for (size_t k = 0; k < t->n_splits; k++)
        if (!isnan(t->splits[k])) squares += (t->splits[k] - t->mean) * (t->splits[k] - t->mean);
    if (!n) return;
    cairn_report_step_begin(out, "%s", t->label);
    cairn_report_worked_sum(out, "sum", "#", t->splits, 1, t->n_splits, sum);
    cairn_report_worked(out, "mean", "# / # = #", sum, (double)n, t->mean);
    if (n > 1)
        cairn_report_worked(out, "standard error",
                            "√(Σ (value − mean)² / (k − 1)) / √k = √(# / #) / √# = #", squares,
                            (double)n - 1, (double)n, t->error);
    cairn_report_step_end(out);
}

/* How far each point is behind the best value, and what the rule makes of it. */
static void show_choice(cairn_report *out, const cairn_search *s)
{
    const cairn_trial *top = &s->trials[s->top];
    bool one = s->choose == CAIRN_CHOOSE_ONE_SE && !isnan(top->error);
    double reach = one ? top->error : 0;
    cairn_report_step_begin(out, "The choice");
    if (one)
        cairn_report_worked(out, "bound",
                            s->measure->lower_better ? "best + its standard error = # + # = #"
                                                     : "best − its standard error = # − # = #",
                            top->value, reach,
                            s->measure->lower_better ? top->value + reach : top->value - reach);
    cairn_report_table_of(out, NULL, 0, "lrrrl", "point", "value", "behind the best", "parameters",
                          "");
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        double behind = s->measure->lower_better ? t->value - top->value : top->value - t->value;
        bool in = t->round == s->n_rounds && behind <= reach + 1e-12 * fmax(1, fabs(top->value));
        if (i == s->best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- - trial#.behind:4", t->label, t->value, behind, t->parameters,
                           i == s->best             ? "chosen"
                           : isnan(t->value)        ? "could not be fitted"
                           : t->round < s->n_rounds ? "left behind in an earlier round"
                           : in                     ? "as good, not simpler"
                                                    : "");
    }
    cairn_report_paragraph(out,
                           "%s Of those, the one with the fewest learned parameters wins, and of "
                           "equally simple ones the one that was typed first.",
                           one ? "Points up to the bound are as good as the best."
                               : "Points whose value is the best one, but for rounding, are tied.");
    cairn_report_step_end(out);
}

void cairn_search_steps(cairn_report *out, const cairn_search *s)
{
    if (most_splits(s)) show_splits(out, s);
    for (size_t i = 0; i < s->n && i < MOST_WORKED; i++) show_mean(out, &s->trials[i]);
    show_choice(out, s);
}
