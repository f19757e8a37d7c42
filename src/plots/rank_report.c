/* SPDX-License-Identifier: MIT */
/* What ranks of several learners over several data sets say: the table, Friedman's test, which ones
 * differ. */
#include "plots/rank_report.h"
#include "plots/ranks_plot.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table_rows.h"

#include <math.h>

/* -- ranks and the test -- */

void cairn_report_ranks(cairn_report *out, const cairn_results *r, const double *ranks,
                        const double *averages)
{
    cairn_report_table_of(out, "Results with their ranks in brackets", (size_t)-1, "l", "data set");
    for (size_t j = 0; j < r->k; j++) cairn_report_column(out, r->names[j], 'r');
    for (size_t i = 0; i < r->n; i++) {
        if (r->rows)
            cairn_report_cell(out, r->rows[i]);
        else
            cairn_report_cellf(out, "%zu", i + 1);
        for (size_t j = 0; j < r->k; j++) {
            char value[CAIRN_NUMBER_SIZE], rank[CAIRN_NUMBER_SIZE];
            cairn_number_format(value, r->values[i * r->k + j], 6);
            cairn_number_format(rank, ranks[i * r->k + j], 4);
            cairn_report_hidden(out, ranks[i * r->k + j], "rank.%zu.%s", i + 1,
                                cairn_report_key(out, r->names[j]));
            cairn_report_cellf(out, "%s (%s)", value, rank);
        }
    }
    cairn_report_cells(out, "- average.$0", "average rank", cairn_cell_row(averages, r->k));
}

void cairn_report_friedman(cairn_report *out, const cairn_friedman *f, double alpha)
{
    cairn_report_formula(out, "statistic = n Σ (Rⱼ − R̄)² / [Σᵢⱼ (rᵢⱼ − R̄)² / (n (k − 1))]");
    cairn_report_value(out, "mean rank R̄", f->middle, "middle");
    cairn_report_value(out, "n Σ (Rⱼ − R̄)²", f->between, "between");
    cairn_report_value(out, "Σ (rᵢⱼ − R̄)² / (n (k − 1))", f->overall, "overall");
    cairn_report_value(out, "statistic", f->statistic, "statistic");
    cairn_report_value(out, "p, chi-squared", f->p_chi2, "p.chi2");
    cairn_report_value(out, "critical value, chi-squared", f->critical_chi2, "critical.chi2");
    cairn_report_value(out, "p, exact", f->p_exact, "p.exact");
    cairn_report_value(out, "critical value, exact", f->critical_exact, "critical.exact");
    cairn_report_value(out, "F of Iman and Davenport", f->f, "f");
    cairn_report_value(out, "p, F", f->p_f, "p.f");
    cairn_report_verdict(out, f->p, alpha, "significant");
}

/* -- after the test -- */

/* Rows are marked where the difference of ranks exceeds the critical one, which holds for all pairs
 * at once. */
static void show_pairs(cairn_report *out, const cairn_rank_comparison *c, double critical)
{
    cairn_report_table_of(out, "Nemenyi: all pairs", (size_t)-1, "lrrl", "pair",
                          "difference of ranks", "p", "significant");
    for (size_t a = 0; a < c->k; a++)
        for (size_t b = a + 1; b < c->k; b++) {
            double d = fabs(c->averages[a] - c->averages[b]);
            const char *x = cairn_report_key(out, c->names[a]);
            const char *y = cairn_report_key(out, c->names[b]);
            if (d > critical) cairn_report_row_mark(out);
            cairn_report_cellf(out, "%s, %s", c->names[a], c->names[b]);
            cairn_report_prefix(out, "%s-%s", x, y);
            cairn_report_cells(out, "difference.@ nemenyi.p.@ nemenyi.significant.@", d,
                               cairn_nemenyi_p(d, c->k, c->n), d > critical ? "yes" : "no");
        }
}

static void show_control(cairn_report *out, const cairn_rank_comparison *c, double critical)
{
    cairn_report_table_of(out, "Bonferroni and Dunn: against the control", (size_t)-1, "lrrl",
                          "learner", "rank less the control's", "p", "significant");
    for (size_t j = 0; j < c->k; j++) {
        if (j == c->control) continue;
        double d = c->averages[j] - c->averages[c->control];
        cairn_report_cells(out, "- dunn.difference.$1 dunn.p.$1 dunn.significant.$1", c->names[j],
                           d, cairn_dunn_p(d, c->k, c->n), fabs(d) > critical ? "yes" : "no");
    }
}

/* "a b c" joined by bars of the learners that cannot be told apart. */
static cairn_status show_groups(cairn_context *ctx, cairn_report *out,
                                const cairn_rank_comparison *c, double critical)
{
    cairn_status status;
    size_t *order, *first, *last;
    TRY(SCRATCH_EACH(ctx, c->k, &order, &first, &last));
    size_t n = cairn_rank_groups(c->averages, c->k, critical, order, first, last);
    cairn_report_hidden(out, (double)n, "groups");
    for (size_t g = 0; g < n; g++) {
        cairn_text names = cairn_text_start(ctx);
        for (size_t i = first[g]; i <= last[g]; i++)
            cairn_text_addf(&names, "%s%s", i > first[g] ? ", " : "", c->names[order[i]]);
        cairn_report_paragraph(out, "No significant difference: %s.", cairn_text_string(&names));
        cairn_report_hidden_word(out, cairn_text_string(&names), "group.%zu", g + 1);
        status = cairn_text_status(&names);
        cairn_text_clear(&names);
        if (status) goto done;
    }
done:
    return status;
}

cairn_status cairn_report_rank_pairs(cairn_context *ctx, cairn_report *out,
                                     const cairn_rank_comparison *c)
{
    cairn_figure *figure;
    double q = cairn_nemenyi_q(c->k, c->alpha), dunn = cairn_dunn_q(c->k, c->alpha);
    double critical = cairn_critical_difference(q, c->k, c->n);
    double control = cairn_critical_difference(dunn, c->k, c->n);
    cairn_report_heading(out, 2, "Which ones differ");
    cairn_report_formula(out, "CD = q √(k (k + 1) / (6 n))");
    cairn_report_value(out, "q of Nemenyi", q, "nemenyi.q");
    cairn_report_value(out, "critical difference of pairs", critical, "nemenyi.cd");
    cairn_report_value(out, "q of Bonferroni and Dunn", dunn, "dunn.q");
    cairn_report_value(out, "critical difference to a control", control, "dunn.cd");
    if (!isnan(c->own_q))
        cairn_report_value(out, "critical difference for the given q",
                           cairn_critical_difference(c->own_q, c->k, c->n), "own.cd");
    show_pairs(out, c, critical);
    CHECK(show_groups(ctx, out, c, critical));
    cairn_report_paragraph(out, "The control is %s.", c->names[c->control]);
    show_control(out, c, control);
    CHECK(cairn_plot_ranks(ctx, &figure, c, critical, false));
    cairn_report_figure(out, figure);
    CHECK(cairn_plot_ranks(ctx, &figure, c, control, true));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

void cairn_report_verdict(cairn_report *out, double p, double alpha, const char *name)
{
    bool significant = p <= alpha;
    char level[CAIRN_NUMBER_SIZE], text[CAIRN_NUMBER_SIZE];
    cairn_number_format(level, alpha, 6);
    cairn_number_format(text, p, 4);
    cairn_report_hidden_word(out, significant ? "yes" : "no", "%s", name);
    if (isnan(p))
        cairn_report_note(out, "There is nothing to test: there are too few differences, or all of "
                               "them are the same.");
    else
        cairn_report_note(out, "p = %s: %s at the level %s.", text,
                          significant ? "significant" : "not significant", level);
}
