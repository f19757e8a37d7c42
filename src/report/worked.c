/* SPDX-License-Identifier: MIT */
/* Calculations with their numbers put in, as they stand on a board: see cairn_report_worked. */
#include "report/report.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static void add_number(cairn_text *line, double number)
{
    if (isnan(number))
        cairn_text_add(line, "n/a");
    else
        cairn_text_add_number(line, number, 6);
}

/* A negative number behind a sign of calculation, or below a power, stands in brackets: 3 − (-2). A
 * mark behind an equals sign, a bracket, a comma or at the beginning does not need them. */
static bool needs_brackets(const char *begin, const char *mark)
{
    static const char *const powers[] = {"²", "³", "^"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (cairn_starts_with(mark + 1, powers[i])) return true;
    while (mark > begin && mark[-1] == ' ') mark--;
    return mark > begin && !strchr("=([,;|:", mark[-1]);
}

static void add_bracketed(cairn_text *line, double number, bool behind_sign)
{
    bool brackets = number < 0 && behind_sign;
    cairn_text_add(line, brackets ? "(" : "");
    add_number(line, number);
    cairn_text_add(line, brackets ? ")" : "");
}

void cairn_report_worked_numbers(cairn_report *report, const char *label, const char *text,
                                 const double *numbers, size_t n)
{
    size_t used = 0;
    if (!report) return;
    for (size_t i = 0; i + 1 < n; i++)
        if (isnan(numbers[i])) return;
    cairn_text line = cairn_text_start(cairn_report_context(report));
    if (label) cairn_text_addf(&line, "%s = ", label);
    for (const char *at = text; *at; at++) {
        if (*at != '#' || used == n) {
            cairn_text_add_char(&line, *at);
            continue;
        }
        add_bracketed(&line, numbers[used++], needs_brackets(text, at));
    }
    cairn_report_formula(report, "%s", cairn_text_string(&line));
    cairn_report_failed(report, cairn_text_status(&line));
    cairn_text_clear(&line);
}

void cairn_report_worked_sum(cairn_report *report, const char *label, const char *text,
                             const double *numbers, size_t width, size_t n, double value)
{
    enum { MOST = 12 };
    if (!report) return;
    cairn_text line = cairn_text_start(cairn_report_context(report));
    cairn_text_addf(&line, "%s = ", label);
    for (size_t i = 0; i < n; i++) {
        size_t used = 0;
        if (n > MOST && i == MOST - 2) {
            cairn_text_add(&line, " + …");
            i = n - 2;
            continue;
        }
        cairn_text_add(&line, i ? " + " : "");
        for (const char *at = text; *at; at++) {
            if (*at != '#' || used == width) {
                cairn_text_add_char(&line, *at);
                continue;
            }
            double number = numbers[i * width + used++];
            add_bracketed(&line, number, needs_brackets(text, at) || (i && at == text));
        }
    }
    cairn_text_add(&line, n ? " = " : "0 = ");
    add_number(&line, value);
    cairn_report_formula(report, "%s", cairn_text_string(&line));
    cairn_report_failed(report, cairn_text_status(&line));
    cairn_text_clear(&line);
}
