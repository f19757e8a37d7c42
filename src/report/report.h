/* SPDX-License-Identifier: MIT */
/* Building a report. Learners, calculators and verbs call these; printers read the result.
 *
 * Every function accepts a NULL report and then does nothing, so code that shows steps needs no
 * `if`: with --steps off, job->steps is NULL. Failures (memory) are remembered and told once by
 * cairn_report_status().
 *
 * Names of values are dotted, lower case and stable: "accuracy", "node1.gain.outlook". A part that
 * comes from data (a column, a level) goes through cairn_report_key(), which escapes dots. A name
 * given twice keeps its last value. Name formats are printf formats; NULL = no name. */
#ifndef CAIRN_REPORT_REPORT_H
#define CAIRN_REPORT_REPORT_H

#include "cairn/report.h"
#include "base/context.h"
#include "draw/figure.h"

CAIRN_CAN_OWN(cairn_report_free, cairn_report)
CAIRN_CAN_OWN(cairn_string_free, char)

/* The first failure while it was built; CAIRN_OK of NULL. */
CAIRN_CHECKED cairn_status cairn_report_status(const cairn_report *report);
/* Remember a failure of what was to be reported, unless there is one already. */
void cairn_report_failed(cairn_report *report, cairn_status status);
/* The context of the one who builds the report: for texts and figures that go into it. NULL for a
 * NULL report. */
cairn_context *cairn_report_context(const cairn_report *report);

/* "a.b" as one part of a dotted name: "a\.b". Lives as long as the report. "" for NULL report. */
const char *cairn_report_key(cairn_report *report, const char *part);

/* A report has two lengths: in full it is everything, in brief what the reader came for. Pages,
 * JSON and Markdown are always full. Whoever writes a section says which of them has it: what is
 * added from here on is only for these lengths, of those that it was for. CAIRN_NOTES, beside
 * CAIRN_IN_FULL, has the notes among it in brief, too. Returns what it was for, which
 * cairn_report_for brings back. Named values are those of both. */
enum { CAIRN_IN_BRIEF = 1, CAIRN_IN_FULL = 2, CAIRN_NOTES = 4, CAIRN_IN_BOTH = 7 };
unsigned cairn_report_only(cairn_report *report, unsigned lengths);
void cairn_report_for(cairn_report *report, unsigned lengths);
/* What lies between begin and end is cut in brief where the screen ends: a model, a long list.
 * `least` lines are there in any case. It does not nest. */
void cairn_report_clip_begin(cairn_report *report, size_t least);
void cairn_report_clip_end(cairn_report *report);
/* Where the rest is, for the last line in brief: "{full} · {figure roc}". */
CAIRN_PRINTF(2, 3) void cairn_report_more(cairn_report *report, const char *format, ...);

/* Level 1 is the report's title, 2 a section, 3 a subsection. */
CAIRN_PRINTF(3, 4)
void cairn_report_heading(cairn_report *report, int level, const char *format, ...);
CAIRN_PRINTF(2, 3) void cairn_report_paragraph(cairn_report *report, const char *format, ...);
/* Something the reader must not miss: a decision taken for them, a warning. */
CAIRN_PRINTF(2, 3) void cairn_report_note(cairn_report *report, const char *format, ...);
/* What a page has besides: the command that was run, below its title, and a warning that text and
 * JSON leave to the log, among the notes on top. */
void cairn_report_run(cairn_report *report, const char *command);
void cairn_report_page_warning(cairn_report *report, const char *message);
/* A formula on a line of its own, in Unicode: "Gain(S, A) = H(S) − Σ |Sv|/|S| · H(Sv)". */
CAIRN_PRINTF(2, 3) void cairn_report_formula(cairn_report *report, const char *format, ...);
/* A calculation with its numbers put in, as on a board: every # of the text is the next number (six
 * digits, in brackets where a minus sign would stand behind another sign). The label (it may
 * come from data, or be NULL) stands in front: ("precision", "TP / (TP + FP) = # / (# + #) = #",
 * 40, 40, 5, 0.888889). */
#define cairn_report_worked(report, label, text, ...)                                              \
    cairn_report_worked_numbers(report, label, text, (const double[]){__VA_ARGS__},                \
                                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void cairn_report_worked_numbers(cairn_report *report, const char *label, const char *text,
                                 const double *numbers, size_t n);
/* The same for a sum of n terms, each the text with `width` numbers (n x width) in it, and its
 * value: "label = 3·2 + 1·4 = 10". Of many terms the first ten and the last are written. */
void cairn_report_worked_sum(cairn_report *report, const char *label, const char *text,
                             const double *numbers, size_t width, size_t n, double value);
/* Text whose line breaks and blanks are kept (a tree, code). */
void cairn_report_verbatim(cairn_report *report, const char *text);

/* "label: value" lines; neighbours are aligned. The value gets the name. */
CAIRN_PRINTF(4, 5)
void cairn_report_value(cairn_report *report, const char *label, double value, const char *name,
                        ...);
CAIRN_PRINTF(4, 5)
void cairn_report_word(cairn_report *report, const char *label, const char *word, const char *name,
                       ...);
/* The value gets the name but is not shown by itself. */
CAIRN_PRINTF(3, 4)
void cairn_report_hidden(cairn_report *report, double value, const char *name, ...);
CAIRN_PRINTF(3, 4)
void cairn_report_hidden_word(cairn_report *report, const char *word, const char *name, ...);

/* Tables: begin, columns, then cells row by row; a row ends when its last cell is given. Only the
 * first `limit` rows are kept (0 = 50), the rest is counted and told below the table; names of
 * values are those of all rows. */
void cairn_report_table_begin(cairn_report *report, const char *title, size_t limit);
/* align 'l', 'r' or 'c'; numbers are aligned at the point when 'r'. */
void cairn_report_column(cairn_report *report, const char *head, char align);
/* The columns whose heads follow, as many as `align` has letters: ("lrr", "class", "rows",
 * "share"). The first form begins the table, too. */
#define cairn_report_table_of(report, title, limit, align, ...)                                    \
    cairn_report_table_heads(report, title, limit, align, (const char *const[]){__VA_ARGS__})
#define cairn_report_columns(report, align, ...)                                                   \
    cairn_report_column_heads(report, align, (const char *const[]){__VA_ARGS__})
void cairn_report_table_heads(cairn_report *report, const char *title, size_t limit,
                              const char *align, const char *const *heads);
void cairn_report_column_heads(cairn_report *report, const char *align, const char *const *heads);
void cairn_report_cell(cairn_report *report, const char *text);
CAIRN_PRINTF(2, 3) void cairn_report_cellf(cairn_report *report, const char *format, ...);
/* A number with `digits` significant digits (0 = 6). NaN prints as n/a. */
CAIRN_PRINTF(4, 5)
void cairn_report_cell_number(cairn_report *report, double value, int digits, const char *name,
                              ...);
/* A number that is left when numbers of the size `of` were taken from each other: what is no more
 * than their rounding is 0 (cairn_number_left). */
CAIRN_PRINTF(5, 6)
void cairn_report_cell_difference(cairn_report *report, double value, double of, int digits,
                                  const char *name, ...);
CAIRN_PRINTF(3, 4)
void cairn_report_cell_word(cairn_report *report, const char *word, const char *name, ...);
/* Mark the row being filled (the chosen split, the best model): call it before the row's last cell,
 * because a row ends with that. */
void cairn_report_row_mark(cairn_report *report);
/* Whether rows are still kept: lets a caller skip costly rows beyond the limit. */
bool cairn_report_row_wanted(const cairn_report *report);
void cairn_report_table_end(cairn_report *report);

/* A figure; the report owns it from here on, also when it fails. */
void cairn_report_figure(cairn_report *report, cairn_figure *figure);
/* The same for a figure that says no more than a table beside it: it is drawn on pages only, not in
 * text and Markdown. */
void cairn_report_page_figure(cairn_report *report, cairn_figure *figure);

/* A step of the work: what lies between begin and end is one page of the walk-through in HTML and
 * is numbered in text. Steps may nest. */
CAIRN_PRINTF(2, 3) void cairn_report_step_begin(cairn_report *report, const char *format, ...);
void cairn_report_step_end(cairn_report *report);

/* What follows is a chapter of its own: its steps are counted from 1 again, and the buttons of the
 * walk-through do not lead out of it. */
void cairn_report_chapter(cairn_report *report);
/* What lies between begin and end is hidden on a page until the reader asks for it by a button with
 * that label; elsewhere it is simply there. Folds do not nest, nor lie inside steps. */
CAIRN_PRINTF(2, 3) void cairn_report_fold_begin(cairn_report *report, const char *format, ...);
void cairn_report_fold_end(cairn_report *report);

/* Room for `lines` lines that somebody writes by hand; a new page of paper. */
void cairn_report_space(cairn_report *report, size_t lines);
void cairn_report_page(cairn_report *report);

/* Move all of `part` to the end of `report` and leave `part` empty: for work done side by side.
 * Names get "prefix." in front unless prefix is NULL. */
void cairn_report_append(cairn_report *report, cairn_report *part, const char *prefix);

/* Number of tables and figures so far (for tests). */
size_t cairn_report_figure_count(const cairn_report *report);
const cairn_figure *cairn_report_figure_at(const cairn_report *report, size_t i);
/* From here on the report keeps no figure: `take` gets each one as it is drawn, for who wants the
 * pictures of some work, and owns it. */
typedef void (*cairn_figure_taker)(void *data, cairn_figure *figure);
void cairn_report_hand_figures(cairn_report *report, cairn_figure_taker take, void *data);

#endif
