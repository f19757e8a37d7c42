/* SPDX-License-Identifier: MIT */
/* cairn compute mcnemar: two classifiers on the same rows, compared where one is right and the
 * other is wrong. */
#include "typed/results.h"
#include "plots/test_steps.h"

#include "base/number.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct mcnemar_params {
    double first_only, second_only, alpha;
    const char *first, *second;
} mcnemar_params;

static const cairn_param mcnemar_table[] = {
    CAIRN_PARAM(mcnemar_params, first_only, CAIRN_NOT_GIVEN, "[0,inf)",
                "rows that only the first has right"),
    CAIRN_PARAM(mcnemar_params, second_only, CAIRN_NOT_GIVEN, "[0,inf)",
                "rows that only the second has right"),
    CAIRN_PARAM_AS(mcnemar_params, first, CAIRN_TYPE_COLUMNS, NULL,
                   "column with the predictions of the first; the table's --target has the truth"),
    CAIRN_PARAM_AS(mcnemar_params, second, CAIRN_TYPE_COLUMNS, NULL,
                   "column with the predictions of the second"),
    CAIRN_PARAM(mcnemar_params, alpha, "0.05", "(0,1)", "level of the test"),
    CAIRN_PARAM_END,
};

typedef struct paired_counts {
    double both, first, second, neither;
} paired_counts;

/* Labels are compared by name: two columns may number them differently. */
static bool same_cell(const cairn_table *table, size_t a, size_t b, size_t row)
{
    char x[512], y[512];
    size_t n = cairn_table_cell(table, a, row, x, sizeof x);
    size_t m = cairn_table_cell(table, b, row, y, sizeof y);
    return n == m && cairn_same(x, y);
}

/* Only rows on which one is right and the other wrong matter to the test; the others are counted
 * for the table. */
static cairn_status count_pairs(cairn_context *ctx, paired_counts *out, const mcnemar_params *p,
                                const cairn_table *table)
{
    size_t first, second;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the true labels with {target}");
    if (!p->first || !p->second)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "name the columns of the two predictions with {first} and {second}");
    CHECK(cairn_table_get(ctx, table, p->first, &first));
    CHECK(cairn_table_get(ctx, table, p->second, &second));
    for (size_t i = 0; i < table->n_rows; i++) {
        if (cairn_column_is_missing(table->slots[target].column, i)) continue;
        bool a = same_cell(table, (size_t)target, first, i);
        bool b = same_cell(table, (size_t)target, second, i);
        *(a && b ? &out->both : a ? &out->first : b ? &out->second : &out->neither) += 1;
    }
    return CAIRN_OK;
}

/* The verdict goes by the exact p, which holds for few disagreements too. */
static cairn_status mcnemar_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const mcnemar_params *p = job->params;
    paired_counts c = {.first = p->first_only, .second = p->second_only};
    cairn_mcnemar m;
    cairn_report_heading(out, 1, "McNemar's test");
    if (job->table) {
        c = (paired_counts){0};
        CHECK(count_pairs(ctx, &c, p, job->table));
        cairn_report_table_of(out, "Rows", 0, "lrr", "", "second right", "second wrong");
        cairn_report_cells(out, "- both", "first right", c.both, c.first);
        cairn_report_cells(out, "- - neither", "first wrong", c.second, c.neither);
    }
    if (isnan(c.first) || isnan(c.second))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give {first-only} and {second-only}, or DATA with {target}, {first} and "
                          "{second}");
    if (c.first != floor(c.first) || c.second != floor(c.second))
        return cairn_fail(ctx, CAIRN_USAGE, "{first-only} and {second-only} are whole numbers");
    cairn_mcnemar_of(&m, c.first, c.second);
    cairn_report_formula(out, "X² = (b − c)² / (b + c)");
    cairn_report_value(out, "only the first right, b", c.first, "first_only");
    cairn_report_value(out, "only the second right, c", c.second, "second_only");
    cairn_report_value(out, "X²", m.statistic, "statistic");
    cairn_report_value(out, "p, chi-squared", m.p, "p.chi2");
    cairn_report_value(out, "X² with |b − c| − 1", m.corrected_statistic, "corrected.statistic");
    cairn_report_value(out, "p, corrected", m.corrected_p, "p.corrected");
    cairn_report_value(out, "p, exact", m.exact_p, "p.exact");
    cairn_report_value(out, "p, mid", m.mid_p, "p.mid");
    cairn_report_verdict(out, m.exact_p, p->alpha, "significant");
    if (job->steps) cairn_steps_mcnemar(out, &m, c.first, c.second);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_mcnemar = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "mcnemar",
              .also = "McNemar, paired classifiers",
              .title = "McNemar's test",
              .summary =
                  "Compares two classifiers on the same rows. Rows that both have right or both "
                  "have wrong say nothing; if the classifiers are equally good, the others fall "
                  "on either side like tosses of a coin. Gives the chi-squared statistic, plain "
                  "and corrected, and the exact p-value, which is the one to use.",
              .references = "McNemar: Psychometrika 12, 1947; Dietterich: Neural Computation 10, "
                            "1998",
              .example = "cairn compute mcnemar --first-only 10 --second-only 2",
              .params = mcnemar_table,
              .params_size = sizeof(mcnemar_params)},
    .arguments = "[MODEL MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_PAIR,
    .run = mcnemar_run,
};
