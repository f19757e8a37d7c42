/* SPDX-License-Identifier: MIT */
/* cairn compute impurity: how mixed a set of classes is, from its counts, and the curves of the
 * four measures over the share p of the first of two classes. */
#include "compute/compute.h"

#include "base/memory.h"
#include "stats/impurity.h"

#include <math.h>
#include <stdio.h>

typedef struct impurity_params {
    const char *counts, *at;
} impurity_params;

static const cairn_param impurity_table[] = {
    CAIRN_PARAM(impurity_params, counts, NULL, NULL,
                "counts of the classes, such as 9,5; several sets are separated by semicolons"),
    CAIRN_PARAM_AS(impurity_params, at, CAIRN_TYPE_LIST, NULL,
                   "shares p of the first of two classes at which the measures are given, such as "
                   "0,0.1,0.5; draws the curves"),
    CAIRN_PARAM_END,
};

typedef struct measure {
    const char *name, *title, *formula;
    cairn_impurity kind;
} measure;

static const measure measures[] = {
    {"entropy", "entropy (bits)", "H = − Σ p · log2 p", CAIRN_ENTROPY},
    {"gini", "Gini", "G = 1 − Σ p²", CAIRN_GINI},
    {"minority", "minority class", "M = 1 − max p", CAIRN_MINORITY},
    {"sqrt_gini", "square root of Gini", "R = ½ Σ √(p(1−p))", CAIRN_SQRT_GINI},
};
enum { N_MEASURES = 4 };

/* One set: its shares and the four measures, named after it when there are several sets. */
static void one_set(cairn_report *out, const double *counts, size_t n, size_t set, bool several)
{
    double total = 0;
    char prefix[32] = "";
    for (size_t i = 0; i < n; i++) total += counts[i];
    if (several) {
        cairn_report_heading(out, 3, "Set %zu", set);
        snprintf(prefix, sizeof prefix, "set%zu.", set);
    }
    cairn_report_table_begin(out, NULL, 0);
    cairn_report_column(out, "class", 'r');
    cairn_report_column(out, "count", 'r');
    cairn_report_column(out, "share", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_number(out, counts[i], 0, NULL);
        cairn_report_cell_number(out, total > 0 ? counts[i] / total : NAN, 0, "%sshare.%zu", prefix,
                                 i + 1);
    }
    cairn_report_table_end(out);
    for (size_t m = 0; m < N_MEASURES; m++)
        cairn_report_value(out, measures[m].title, cairn_impurity_of(measures[m].kind, counts, n),
                           "%s%s", prefix, measures[m].name);
    cairn_report_hidden(out, cairn_impurity_of(CAIRN_ENTROPY, counts, n) / 2, "%sentropy_half",
                        prefix);
}

static double at_share(cairn_impurity kind, double p)
{
    double counts[2] = {p, 1 - p};
    return cairn_impurity_of(kind, counts, 2);
}

/* The curves with the entropy halved, so that all four meet at p = 1/2. */
static cairn_status draw_curves(cairn_context *ctx, cairn_report *out)
{
    enum { POINTS = 101 };
    double x[POINTS], y[POINTS];
    cairn_figure *figure = NULL;
    cairn_status status = cairn_figure_new(ctx, &figure, "impurity", "Impurity of two classes");
    if (status) return status;
    cairn_figure_axes(figure, "share of the first class", "impurity");
    for (size_t m = 0; m < N_MEASURES; m++) {
        bool half = measures[m].kind == CAIRN_ENTROPY;
        for (int i = 0; i < POINTS; i++) {
            x[i] = i / (double)(POINTS - 1);
            y[i] = at_share(measures[m].kind, x[i]) / (half ? 2 : 1);
        }
        cairn_figure_line(figure, half ? "entropy / 2" : measures[m].title, x, y, POINTS);
    }
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status grid(cairn_context *ctx, cairn_report *out, const char *list)
{
    cairn_status status;
    double *p;
    size_t n;
    TRY(cairn_list_numbers(ctx, "at", list, &p, &n));
    cairn_report_heading(out, 2, "Two classes, by the share p of the first");
    cairn_report_table_begin(out, NULL, (size_t)-1);
    cairn_report_column(out, "p", 'r');
    for (size_t m = 0; m < N_MEASURES; m++) cairn_report_column(out, measures[m].title, 'r');
    cairn_report_column(out, "entropy / 2", 'r');
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0 && p[i] <= 1))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "--at: a share lies in [0,1], and number %zu does "
                              "not",
                              i + 1);
        cairn_report_cell_number(out, p[i], 0, "p.%zu", i + 1);
        for (size_t m = 0; m < N_MEASURES; m++)
            cairn_report_cell_number(out, at_share(measures[m].kind, p[i]), 0, "at.%s.%zu",
                                     measures[m].name, i + 1);
        cairn_report_cell_number(out, at_share(CAIRN_ENTROPY, p[i]) / 2, 0, "at.entropy_half.%zu",
                                 i + 1);
    }
    cairn_report_table_end(out);
    TRY(draw_curves(ctx, out));
done:
    return status;
}

static cairn_status impurity_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const impurity_params *p = job->params;
    cairn_status status = CAIRN_OK;
    double *counts;
    size_t n_sets, n_classes;
    if (!p->counts && !p->at)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute impurity' needs --counts or --at");
    cairn_report_heading(out, 1, "Impurity");
    for (size_t m = 0; m < N_MEASURES; m++) cairn_report_formula(out, "%s", measures[m].formula);
    if (p->counts) {
        TRY(cairn_read_counts(ctx, "counts", p->counts, &counts, &n_sets, &n_classes));
        for (size_t i = 0; i < n_sets; i++)
            one_set(out, counts + i * n_classes, n_classes, i + 1, n_sets > 1);
    }
    if (p->at) TRY(grid(ctx, out, p->at));
done:
    return status;
}

const cairn_calculator cairn_compute_impurity = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "impurity",
              .title = "Impurity of a set of classes",
              .summary = "Entropy in bits, Gini index, minority class and square root of Gini of "
                         "class counts. With --at the four measures of two classes are tabulated "
                         "over the share p of the first and drawn.",
              .references =
                  "Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, "
                  "1984; Flach: Machine Learning, 2012, chapter 5",
              .example = "cairn compute impurity --counts 9,5",
              .params = impurity_table,
              .params_size = sizeof(impurity_params)},
    .arguments = "",
    .run = impurity_run,
};
