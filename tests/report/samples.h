/* SPDX-License-Identifier: MIT */
/* Reports that several tests print, and printing with the context's message on failure. */
#ifndef CAIRN_TESTS_REPORT_SAMPLES_H
#define CAIRN_TESTS_REPORT_SAMPLES_H

#include "report/report.h"
#include "support/unit.h"

enum { LAST_FORMAT = CAIRN_FORMAT_HTML };

/* Everything that a file of data may try. */
#define HOSTILE "<script>alert('x')</script> a|b `c` \\ \"d\" & *e* \x1b[31m \xff\xc3( \x7f"

static inline cairn_report *new_report(cairn_context *ctx)
{
    cairn_report *report = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    return report;
}

/* Not inlined: gcc 12 then takes the text for a pointer to the local variable. */
__attribute__((noinline, unused)) static char *print(cairn_context *ctx, const cairn_report *report,
                                                     cairn_format format, int width)
{
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *out = NULL;
    options.width = width;
    assert_ok(ctx, cairn_report_print(ctx, report, format, &options, &out));
    return out;
}

static inline void assert_prints(cairn_context *ctx, const cairn_report *report,
                                 cairn_format format, int width, const char *wanted)
{
    char *out = print(ctx, report, format, width);
    assert_string_equal(out, wanted);
    cairn_string_free(out);
}

static inline void fill_gain_table(cairn_report *report)
{
    static const char *const names[] = {"outlook", "temperature", "humidity", "windy"};
    static const double gains[] = {0.24674981977443911, 0.029222565658954647, 0.15183550136234136,
                                   0.048127030408269378};
    cairn_report_table_begin(report, "Information gain", 0);
    cairn_report_column(report, "feature", 'l');
    cairn_report_column(report, "gain", 'r');
    for (int i = 0; i < 4; i++) {
        if (i == 0) cairn_report_row_mark(report);
        cairn_report_cell(report, names[i]);
        cairn_report_cell_number(report, gains[i], 0, "node1.gain.%s",
                                 cairn_report_key(report, names[i]));
    }
    cairn_report_table_end(report);
}

/* A small figure with a title. */
static inline cairn_figure *sample_figure(cairn_context *ctx)
{
    static const double x[] = {0, 1, 2, 3}, y[] = {0, 1, 4, 9};
    cairn_figure *figure = NULL;
    if (cairn_figure_new(ctx, &figure, "squares", "Squares & more")) return NULL;
    cairn_figure_axes(figure, "x", "y");
    cairn_figure_line(figure, "x squared", x, y, 4);
    return figure;
}

/* One of everything but figures. */
static inline void fill_sample(cairn_report *report)
{
    cairn_report_heading(report, 1, "Tree on %s", "@weather");
    cairn_report_note(report, "The target play is a class; --task regress changes that.");
    cairn_report_heading(report, 2, "Data");
    cairn_report_value(report, "Rows", 14, "rows");
    cairn_report_value(report, "Entropy", 0.94028595867063, "node1.entropy");
    cairn_report_word(report, "Positive class", "yes", "positive");
    cairn_report_step_begin(report, "Choose the root");
    cairn_report_paragraph(report, "Every feature is tried as the first question.");
    cairn_report_formula(report, "Gain(S, A) = H(S) − Σ |Sv|/|S| · H(Sv)");
    fill_gain_table(report);
    cairn_report_step_begin(report, "Split");
    cairn_report_paragraph(report, "The rows go to three branches.");
    cairn_report_step_end(report);
    cairn_report_step_end(report);
    cairn_report_step_begin(report, "Stop");
    cairn_report_verbatim(report, "outlook\n  overcast: yes\n  rainy: ...\n");
    cairn_report_step_end(report);
    cairn_report_heading(report, 2, "Result");
    cairn_report_paragraph(report, "All %d rows are classified correctly.", 14);
}

#endif
