/* SPDX-License-Identifier: MIT */
/* A lesson in a report: where it stands in the course, its text, its data, its question, the
 * commands with their steps and pictures, and one line that says whether the numbers hold. */
#include "command/lesson.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/document.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ROWS = 15, SHOWN_LINES = 15 };

void cairn_lesson_show_head(cairn_report *report, const cairn_lesson *lesson,
                            const cairn_lesson_item *item, const cairn_chapter *topic)
{
    cairn_report_heading(report, 1, "%s", lesson->title);
    cairn_report_paragraph(report, "%s, lesson %zu of %zu (%s).", topic->title, item->number,
                           topic->n, lesson->id);
}

void cairn_lesson_show_text(cairn_report *report, const cairn_lesson *lesson)
{
    for (size_t i = 0; i < lesson->n_text; i++)
        cairn_report_paragraph(report, "%s", lesson->text[i]);
    if (lesson->note) cairn_report_note(report, "%s", lesson->note);
}

/* Whether the commands read their data with lines as columns. */
static bool is_transposed(const cairn_lesson *lesson)
{
    for (size_t i = 0; i < lesson->n_commands; i++)
        for (int j = 0; j < lesson->commands[i].n_words; j++)
            if (strcmp(lesson->commands[i].words[j], "--transpose") == 0) return true;
    return false;
}

/* A file as a table where it is one. */
static cairn_status show_file(cairn_context *ctx, cairn_report *report, const cairn_lesson *lesson,
                              const cairn_virtual_file *file)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table = NULL;
    cairn_status status = CAIRN_BAD_DATA;
    options.transpose = is_transposed(lesson);
    if (cairn_ends_with(file->name, ".csv"))
        status =
            cairn_table_read_memory(ctx, &table, file->name, file->bytes, file->length, &options);
    if (status == CAIRN_NO_MEMORY || status == CAIRN_CANCELLED) return status;
    if (status) {
        /* The beginning of a text that is no table. */
        cairn_text text = cairn_text_start(ctx);
        size_t lines = 0, shown = file->length;
        for (size_t at = 0; at < file->length; at++) {
            lines += file->bytes[at] == '\n';
            if (file->bytes[at] == '\n' && lines == SHOWN_LINES) shown = at;
        }
        cairn_text_add_bytes(&text, file->bytes, shown);
        while (text.length && text.bytes[text.length - 1] == '\n') text.bytes[--text.length] = 0;
        if (lines > SHOWN_LINES)
            cairn_text_addf(&text, "\n... and %zu more lines", lines - SHOWN_LINES);
        cairn_report_failed(report, cairn_text_status(&text));
        cairn_report_paragraph(report, "%s:", file->name);
        cairn_report_verbatim(report, cairn_text_string(&text));
        cairn_text_clear(&text);
    } else
        cairn_report_rows(report, table, file->name, SHOWN_ROWS, false);
    cairn_table_free(table);
    return CAIRN_OK;
}

/* Whether the word is built-in data that no word before it names. */
static bool is_new_data(const cairn_lesson *lesson, size_t command, int at)
{
    const char *word = lesson->commands[command].words[at];
    if (*word != '@') return false;
    for (size_t i = 0; i <= command; i++)
        for (int j = 0; j < (i == command ? at : lesson->commands[i].n_words); j++)
            if (strcmp(lesson->commands[i].words[j], word) == 0) return false;
    return true;
}

static cairn_status show_builtin(cairn_context *ctx, cairn_report *report, const char *word)
{
    cairn_table *table = NULL;
    cairn_status status = cairn_builtin_read(ctx, &table, word + 1);
    if (status == CAIRN_NO_MEMORY || status == CAIRN_CANCELLED) return status;
    if (!status) cairn_report_rows(report, table, word, SHOWN_ROWS, false);
    cairn_table_free(table);
    return CAIRN_OK;
}

cairn_status cairn_lesson_show_data(cairn_context *ctx, cairn_report *report,
                                    const cairn_lesson *lesson, bool paper)
{
    bool any = lesson->n_files > 0;
    for (size_t i = 0; i < lesson->n_commands && !any; i++)
        for (int j = 0; j < lesson->commands[i].n_words; j++) any |= is_new_data(lesson, i, j);
    if (!any) return CAIRN_OK;
    if (!paper) cairn_report_heading(report, 2, "The data");
    for (size_t i = 0; i < lesson->n_commands; i++)
        for (int j = 0; j < lesson->commands[i].n_words; j++)
            if (is_new_data(lesson, i, j))
                CHECK(show_builtin(ctx, report, lesson->commands[i].words[j]));
    for (size_t i = 0; i < lesson->n_files; i++)
        CHECK(show_file(ctx, report, lesson, &lesson->files.files[i]));
    if (lesson->n_files && !paper)
        cairn_report_paragraph(
            report, "cairn lesson %s%s --files DIR writes the file%s to a folder.", lesson->id,
            lesson->question ? " --turn" : "", lesson->n_files == 1 ? "" : "s");
    return CAIRN_OK;
}

void cairn_lesson_show_question(cairn_report *report, const cairn_lesson *lesson,
                                const char *question, bool names)
{
    cairn_report_heading(report, 2, "The question");
    cairn_report_paragraph(report, "%s", question);
    cairn_report_hidden_word(report, question, "question");
    if (lesson->n_asked == 0) return;
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_columns(report, "rl", "", "wanted");
    if (names) cairn_report_column(report, "name", 'l');
    for (size_t i = 0; i < lesson->n_asked; i++) {
        cairn_report_cellf(report, "%zu", i + 1);
        cairn_report_cell_word(report, lesson->asked[i].label, "ask.%s",
                               cairn_report_key(report, lesson->asked[i].value));
        if (names) cairn_report_cell(report, lesson->asked[i].value);
    }
}

void cairn_lesson_show_glance(cairn_report *report, const cairn_lesson *lesson,
                              const char *question, const cairn_ran *ran, const cairn_truth *truths)
{
    enum { MOST_ANSWERS = 8, LEAST_TEXT = 6 };
    unsigned before = cairn_report_only(report, CAIRN_IN_BRIEF);
    char value[80];
    cairn_report_paragraph(report, "%s", question);
    if (lesson->n_asked)
        cairn_report_table_of(report, NULL, MOST_ANSWERS, "ll", "wanted", "answer");
    for (size_t i = 0; i < lesson->n_asked; i++) {
        cairn_truth_text(&truths[i], value, sizeof value);
        cairn_report_cells(report, NULL, lesson->asked[i].label, value);
    }
    cairn_report_table_end(report);
    SCOPED(cairn_text_clear) cairn_text lines = cairn_text_start(cairn_report_context(report));
    for (size_t i = 0; i < lesson->n_commands; i++) cairn_text_addf(&lines, "%s\n", ran[i].line);
    cairn_report_failed(report, cairn_text_status(&lines));
    cairn_report_verbatim(report, cairn_text_string(&lines));
    cairn_report_clip_begin(report, LEAST_TEXT);
    cairn_lesson_show_text(report, lesson);
    cairn_report_clip_end(report);
    cairn_report_more(report, "{full} (data, steps, pictures) · {ask} · {out page.html}");
    cairn_report_for(report, before);
}

/* The title of a command's report is a chapter of the lesson. */
static void lower_headings(cairn_report *part)
{
    for (size_t i = 0; i < part->n_blocks; i++)
        if (part->blocks[i].kind == CAIRN_BLOCK_HEADING && part->blocks[i].level < 3)
            part->blocks[i].level++;
}

void cairn_lesson_show_commands(cairn_report *report, const cairn_lesson *lesson, cairn_ran *ran)
{
    for (size_t i = 0; i < lesson->n_commands; i++) {
        cairn_report_chapter(report);
        if (lesson->n_commands == 1)
            cairn_report_heading(report, 2, "The command");
        else
            cairn_report_heading(report, 2, "Command %zu of %zu", i + 1, lesson->n_commands);
        cairn_report_verbatim(report, ran[i].line);
        if (ran[i].output.document) cairn_report_verbatim(report, ran[i].output.document);
        lower_headings(ran[i].part);
        cairn_report_append(report, ran[i].part, NULL);
    }
    cairn_report_chapter(report);
}

void cairn_lesson_show_differences(cairn_report *report, const cairn_lesson_command *command,
                                   const cairn_ran *ran)
{
    char expected[80];
    if (ran->exit_differs) cairn_report_note(report, "%s: %s", ran->line, ran->message);
    if (!ran->failed) return;
    cairn_report_verbatim(report, ran->line);
    cairn_report_table_of(report, NULL, (size_t)-1, "lrrl", "value", "expected", "found", "holds");
    for (size_t i = 0; i < command->n_expect; i++) {
        const cairn_finding *f = &ran->findings[i];
        if (f->holds) continue;
        const cairn_expectation *e = f->expectation;
        size_t size = sizeof expected;
        char number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, e->number, CAIRN_SHORTEST);
        snprintf(expected, size, "%s", e->text ? e->text : number);
        cairn_report_cells(report, NULL, f->expectation->value, expected, f->got, "NO");
    }
}

void cairn_lesson_show_verdict(cairn_report *report, const cairn_lesson *lesson,
                               const cairn_ran *ran)
{
    size_t n = 0, failed = 0;
    for (size_t i = 0; i < lesson->n_commands; i++) {
        n += lesson->commands[i].n_expect;
        failed += ran[i].failed + ran[i].exit_differs;
    }
    unsigned before = cairn_report_only(report, CAIRN_IN_FULL);
    cairn_report_heading(report, 2, "The verdict");
    cairn_report_for(report, before);
    if (!failed) {
        cairn_report_paragraph(report,
                               n == 1 ? "The %zu value of this worked example holds."
                                      : "All %zu values of this worked example hold.",
                               n);
        return;
    }
    for (size_t i = 0; i < lesson->n_commands; i++)
        cairn_lesson_show_differences(report, &lesson->commands[i], &ran[i]);
}

static void show_neighbour(cairn_report *report, const char *which, const char *name,
                           const cairn_lesson_item *item)
{
    if (!item) return;
    cairn_report_paragraph(report, "%s: cairn lesson %s (%s)", which, item->id, item->title);
    cairn_report_hidden_word(report, item->id, "%s", name);
}

void cairn_lesson_show_neighbours(cairn_report *report, const cairn_chapter *topics, size_t n,
                                  const char *id)
{
    const cairn_lesson_item *before = NULL, *after = NULL, *last = NULL;
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < topics[t].n; i++) {
            const cairn_lesson_item *item = &topics[t].lessons[i];
            if (strcmp(item->id, id) == 0) before = last;
            if (last && strcmp(last->id, id) == 0) after = item;
            last = item;
        }
    unsigned lengths = cairn_report_only(report, CAIRN_IN_FULL);
    show_neighbour(report, "Previous", "lesson.previous", before);
    cairn_report_for(report, lengths);
    show_neighbour(report, "Next", "lesson.next", after);
}

void cairn_truth_text(const cairn_truth *truth, char *out, size_t size)
{
    enum { DIGITS = 6 };
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_show(number, truth->number, DIGITS);
    snprintf(out, size, "%s",
             truth->word            ? truth->word
             : isnan(truth->number) ? "undefined"
                                    : number);
}
