/* SPDX-License-Identifier: MIT */
/* Exercises on paper: for each lesson its data, its question and room to write, and behind all of
 * them a page of answers. */
#include "command/lesson.h"

enum { LINES_PER_VALUE = 2 };

void cairn_sheet_begin(cairn_sheet *sheet, const char *title)
{
    cairn_report_heading(sheet->questions, 1, "%s", title);
    cairn_report_page(sheet->answers);
    cairn_report_heading(sheet->answers, 2, "Answers");
}

cairn_status cairn_sheet_add(cairn_context *ctx, cairn_sheet *sheet, const cairn_lesson *lesson,
                             const char *question, const cairn_truth *truths)
{
    cairn_report *out = sheet->questions;
    char value[200];
    sheet->n++;
    cairn_report_heading(out, 2, "%zu. %s", sheet->n, lesson->title);
    CHECK(cairn_lesson_show_data(ctx, out, lesson, true));
    cairn_report_paragraph(out, "%s", question);
    cairn_report_heading(sheet->answers, 3, "%zu. %s", sheet->n, lesson->title);
    for (size_t i = 0; i < lesson->n_asked; i++) {
        cairn_truth_text(&truths[i], value, sizeof value);
        cairn_report_paragraph(out, "(%c) %s", (int)('a' + i % 26), lesson->asked[i].label);
        cairn_report_space(out, LINES_PER_VALUE);
        cairn_report_paragraph(sheet->answers, "(%c) %s: %s", (int)('a' + i % 26),
                               lesson->asked[i].label, value);
    }
    return CAIRN_OK;
}

void cairn_sheet_end(cairn_sheet *sheet)
{
    cairn_report_append(sheet->questions, sheet->answers, NULL);
}
