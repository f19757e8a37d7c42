/* SPDX-License-Identifier: MIT */
/* cairn compute f-measure: precision and recall in one number. */
#include "model/calculator.h"

#include <math.h>

typedef struct f_params {
    double precision, recall, beta;
} f_params;

static const cairn_param f_table[] = {
    CAIRN_PARAM(f_params, precision, NULL, "[0,1]", "precision"),
    CAIRN_PARAM(f_params, recall, NULL, "[0,1]", "recall"),
    CAIRN_PARAM(f_params, beta, "1", "(0,inf)",
                "how many times recall counts as much as precision"),
    CAIRN_PARAM_END,
};

/* Beside F the properties that it is known for, computed from these numbers so that they can be
 * checked. */
static cairn_status f_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const f_params *p = job->params;
    double a = fmin(p->precision, p->recall), b = fmax(p->precision, p->recall);
    double sum = a + b, mean = sum / 2, h = sum > 0 ? (a > 0 ? 2 * a * b / sum : 0) : NAN;
    double square = p->beta * p->beta, bottom = square * p->precision + p->recall;
    (void)ctx;
    cairn_report_heading(out, 1, "F: the harmonic mean of precision and recall");
    cairn_report_formula(out, "F = 2 / (1/precision + 1/recall)");
    cairn_report_value(out, "F", h, "f");
    cairn_report_value(out, "plain mean", mean, "mean");
    if (p->beta != 1)
        cairn_report_value(out, "F-beta",
                           bottom > 0 ? (1 + square) * p->precision * p->recall / bottom : NAN,
                           "f_beta");
    if (job->steps) {
        cairn_report_step_begin(out, "The means");
        cairn_report_worked(out, "F", "2 / (1/# + 1/#) = 2 · # · # / (# + #) = #", p->precision,
                            p->recall, p->precision, p->recall, p->precision, p->recall, h);
        cairn_report_worked(out, "plain mean", "(# + #) / 2 = #", p->precision, p->recall, mean);
        if (p->beta != 1)
            cairn_report_worked(out, "F-beta", "(1 + β²) · # · # / (β² · # + #) = # · # / # = #",
                                p->precision, p->recall, p->precision, p->recall, 1 + square,
                                p->precision * p->recall, bottom,
                                (1 + square) * p->precision * p->recall / bottom);
        cairn_report_step_end(out);
    }
    cairn_report_value(out, "mean · F − precision · recall", mean * h - a * b,
                       "product_difference");
    cairn_report_word(out, "between the smaller value and twice it",
                      h >= a - 1e-15 && h <= 2 * a + 1e-15 ? "yes" : "no", "between");
    cairn_report_paragraph(out, "The harmonic mean stays near the smaller of the two: a good value "
                                "of one cannot make up for a bad value of the other.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_f_measure = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "f-measure",
              .also = "F1, F-score, F-beta, harmonic mean",
              .title = "Precision and recall in one number",
              .summary = "The harmonic mean of precision and recall, beside the plain mean, and "
                         "with recall weighted by beta.",
              .references = "van Rijsbergen: Information Retrieval, 1979",
              .example = "cairn compute f-measure --precision 0.5 --recall 0.8",
              .params = f_table,
              .params_size = sizeof(f_params)},
    .arguments = "",
    .run = f_run,
};
