/* SPDX-License-Identifier: MIT */
/* cairn lesson: run worked examples and compare what comes out with what must come out. */
#include "command/lesson.h"

#include "base/memory.h"
#include "base/number.h"
#include "report/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct lesson_options {
    cairn_common common;
    bool check;
} lesson_options;

static const cairn_param lesson_params[] = {
    CAIRN_PARAM(lesson_options, check, "no", NULL,
                "only compare with the expected values; without ID, of all lessons"),
    CAIRN_RUNNING(lesson_options),
    CAIRN_PRINTING(lesson_options),
    CAIRN_PARAM_END,
};

/* One difference or agreement, to be shown below the command. */
typedef struct finding {
    const cairn_expectation *expectation;
    char got[80];
    bool holds;
} finding;

typedef struct tally {
    size_t lessons, commands, expectations, failed;
} tally;

/* "cairn fit tree @weather --steps", quoted where a shell needs it. */
static cairn_status command_line(cairn_context *ctx, const cairn_lesson_command *command,
                                 char **out)
{
    cairn_text line = cairn_text_start(ctx);
    cairn_text_add(&line, "cairn");
    for (int i = 0; i < command->n_words; i++) {
        const char *word = command->words[i];
        bool plain = *word && !strpbrk(word, " \t'\"\\$&|;<>()*?[]#~`!");
        cairn_text_addf(&line, plain ? " %s" : " '%s'", word);
    }
    return cairn_text_take(&line, out);
}

static void expected_text(const cairn_expectation *e, char *out, size_t size)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, e->number, CAIRN_SHORTEST);
    snprintf(out, size, "%s", e->text ? e->text : number);
}

/* A number short enough for the eye. */
static void show_short(cairn_report *report, double number)
{
    enum { DIGITS = 8 };
    char text[CAIRN_NUMBER_SIZE];
    cairn_number_format(text, number, DIGITS);
    cairn_report_cell(report, isnan(number) ? "undefined" : text);
}

/* One comparison: what agrees is shown short, what does not with all its digits. */
static void show_finding(cairn_report *report, const finding *f)
{
    const cairn_expectation *e = f->expectation;
    char expected[80];
    double found;
    cairn_report_cell(report, e->value);
    if (f->holds && !e->text && cairn_number_parse(f->got, strlen(f->got), &found)) {
        show_short(report, e->number);
        show_short(report, found);
    } else {
        expected_text(e, expected, sizeof expected);
        cairn_report_cell(report, expected);
        cairn_report_cell(report, f->holds && e->text ? "the same" : f->got);
    }
    cairn_report_cell(report, f->holds ? "yes" : "NO");
}

/* A table of findings: all, or only what differs. Agreement is told at some length, any difference
 * whole. */
static void show_findings(cairn_report *report, const finding *findings, size_t n, size_t failed,
                          bool all)
{
    enum { SHOWN = 20 };
    cairn_report_table_of(report, all ? "Compared with the worked example" : NULL,
                          failed ? (size_t)-1 : SHOWN, "lrrl", "value", "expected", "found",
                          "holds");
    for (size_t i = 0; i < n; i++)
        if (all || !findings[i].holds) show_finding(report, &findings[i]);
    cairn_report_table_end(report);
}

/* Compare one command's values. */
static cairn_status compare(cairn_command *c, const cairn_lesson_command *command,
                            const cairn_report *part, const cairn_run_output *output, tally *sum,
                            finding **out, size_t *failed)
{
    CHECK(SCRATCH(c->ctx, out, command->n_expect + 1));
    *failed = 0;
    for (size_t i = 0; i < command->n_expect; i++) {
        finding *f = &(*out)[i];
        f->expectation = &command->expect[i];
        f->holds = cairn_expectation_holds(f->expectation, part, output, f->got, sizeof f->got);
        *failed += !f->holds;
    }
    sum->expectations += command->n_expect;
    sum->failed += *failed;
    return CAIRN_OK;
}

/* Say that a command ended otherwise than expected; its message comes along. */
static void tell_exit(cairn_command *c, const cairn_lesson_command *command, const char *line,
                      cairn_status got, tally *sum)
{
    sum->expectations++;
    if (cairn_status_exit_code(got) == command->exit) return;
    sum->failed++;
    cairn_report_note(c->report, "%s: exit code %d, expected %d%s%s", line,
                      cairn_status_exit_code(got), command->exit, got ? ": " : "",
                      got ? cairn_message(c->ctx) : "");
}

/* The title of a command's report is a chapter of the lesson. */
static void lower_headings(cairn_report *part)
{
    for (size_t i = 0; i < part->n_blocks; i++)
        if (part->blocks[i].kind == CAIRN_BLOCK_HEADING && part->blocks[i].level < 3)
            part->blocks[i].level++;
}

/* What a command printed and whether it is right, in the lesson's report. */
static void show_command(cairn_command *c, const cairn_lesson_command *command, const char *line,
                         cairn_report *part, const cairn_run_output *output,
                         const finding *findings, size_t failed, size_t number, bool check)
{
    if (check) {
        if (!failed) return;
        cairn_report_verbatim(c->report, line);
        show_findings(c->report, findings, command->n_expect, failed, false);
        return;
    }
    cairn_report_heading(c->report, 2, "Command %zu", number);
    cairn_report_verbatim(c->report, line);
    if (output->document) cairn_report_verbatim(c->report, output->document);
    lower_headings(part);
    cairn_report_append(c->report, part, NULL);
    if (command->n_expect) show_findings(c->report, findings, command->n_expect, failed, true);
}

/* A command that must fail is run like any other and its exit compared; only cancelling, or
 * memory that ran out unasked, ends the lesson. */
static cairn_status run_command(cairn_command *c, cairn_lesson *lesson, size_t number, tally *sum,
                                bool check)
{
    const cairn_lesson_command *command = &lesson->commands[number];
    cairn_report *part = NULL;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    finding *findings;
    char *line = NULL;
    size_t failed;
    cairn_status status, ran;
    TRY(cairn_report_new(c->ctx, &part));
    TRY(command_line(c->ctx, command, &line));
    ran = cairn_run_files(c->ctx, part, &output, &lesson->files, command->n_words, command->words);
    if (ran == CAIRN_CANCELLED || (ran == CAIRN_NO_MEMORY && command->exit == 0)) {
        status = ran;
        goto done;
    }
    tell_exit(c, command, line, ran, sum);
    TRY(compare(c, command, part, &output, sum, &findings, &failed));
    show_command(c, command, line, part, &output, findings, failed, number + 1, check);
    sum->commands++;
done:
    cairn_string_free(output.document);
    cairn_free(line);
    cairn_report_free(part);
    return status;
}

/* The files of a lesson, so that its commands can be typed again; of long ones the beginning. */
static cairn_status show_files(cairn_command *c, const cairn_virtual_files *files)
{
    enum { LINES = 12 };
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < files->n; i++) {
        const cairn_virtual_file *file = &files->files[i];
        cairn_text text = cairn_text_start(c->ctx);
        size_t lines = 0, shown = 0;
        for (size_t at = 0; at < file->length; at++) {
            lines += file->bytes[at] == '\n';
            if (file->bytes[at] == '\n' && lines <= LINES) shown = at;
        }
        cairn_text_add_bytes(&text, file->bytes, lines > LINES ? shown : file->length);
        if (lines > LINES) cairn_text_addf(&text, "\n... and %zu more lines", lines - LINES);
        status = cairn_text_status(&text);
        if (!status) {
            cairn_report_heading(c->report, 3, "File %s", file->name);
            cairn_report_verbatim(c->report, cairn_text_string(&text));
        }
        cairn_text_clear(&text);
        if (status) break;
    }
    return status;
}

static cairn_status run_lesson(cairn_command *c, const char *id, tally *sum, bool check)
{
    SCOPED_SCRATCH(c->ctx);
    SCOPED(cairn_lesson_clear) cairn_lesson lesson = {0};
    CHECK(cairn_lesson_read(c->ctx, &lesson, id));
    if (!check) {
        cairn_report_heading(c->report, 1, "%s", lesson.title);
        for (size_t i = 0; i < lesson.n_text; i++)
            cairn_report_paragraph(c->report, "%s", lesson.text[i]);
        if (lesson.note) cairn_report_note(c->report, "%s", lesson.note);
        CHECK(show_files(c, &lesson.files));
    }
    for (size_t i = 0; i < lesson.n_commands; i++) CHECK(run_command(c, &lesson, i, sum, check));
    sum->lessons++;
    return CAIRN_OK;
}

static cairn_status list_lessons(cairn_command *c, const cairn_lesson_item *items)
{
    cairn_report_heading(c->report, 1, "Lessons");
    cairn_report_table_of(c->report, NULL, (size_t)-1, "ll", "lesson", "what it shows");
    for (; items->id; items++) {
        cairn_report_cell(c->report, items->id);
        cairn_report_cell_word(c->report, items->title, "lessons.%s",
                               cairn_report_key(c->report, items->id));
    }
    cairn_report_table_end(c->report);
    cairn_report_paragraph(c->report, "cairn lesson NAME runs one of them.");
    return cairn_report_status(c->report);
}

/* All lessons one after the other; one that cannot be read counts as a failure. */
static cairn_status check_all(cairn_command *c, const cairn_lesson_item *items, tally *sum)
{
    cairn_status status = CAIRN_OK;
    for (; items->id; items++) {
        status = run_lesson(c, items->id, sum, true);
        if (status == CAIRN_CANCELLED || status == CAIRN_NO_MEMORY) return status;
        if (status) {
            cairn_report_note(c->report, "%s: %s", items->id, cairn_message(c->ctx));
            sum->expectations++;
            sum->failed++;
        }
    }
    return CAIRN_OK;
}

static cairn_status finish(cairn_command *c, const tally *sum)
{
    cairn_report_hidden(c->report, (double)sum->lessons, "lesson.lessons");
    cairn_report_hidden(c->report, (double)sum->commands, "lesson.commands");
    cairn_report_hidden(c->report, (double)sum->expectations, "lesson.expectations");
    cairn_report_hidden(c->report, (double)sum->failed, "lesson.failed");
    if (sum->failed)
        return cairn_fail(c->ctx, CAIRN_CHECK_FAILED, "%zu of %zu expectations do not hold",
                          sum->failed, sum->expectations);
    cairn_report_paragraph(c->report, "All %zu expectations hold.", sum->expectations);
    return CAIRN_OK;
}

static cairn_status lesson_run(cairn_command *c)
{
    const lesson_options *options = c->options->values;
    cairn_lesson_item *items;
    tally sum = {0};
    if (options->check) c->ctx->log = NULL; /* the run gives it back */
    CHECK(cairn_lesson_list(c->ctx, &items));
    if (c->n_words == 0 && !options->check) return list_lessons(c, items);
    if (c->n_words)
        CHECK(run_lesson(c, c->words[0], &sum, options->check));
    else
        CHECK(check_all(c, items, &sum));
    return finish(c, &sum);
}

const cairn_verb cairn_verb_lesson = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "lesson",
              .also = "tutorial, exercise, course, worked example, learn by example",
              .title = "Worked examples",
              .summary =
                  "Runs a worked example: some sentences, the commands with all their steps and "
                  "pictures, and a comparison of what came out with what the example says. --check "
                  "only compares and ends with code 1 when something differs. Without ID the "
                  "lessons are listed.",
              .example = "cairn lesson",
              .params = lesson_params,
              .params_size = sizeof(lesson_options)},
    .arguments = "[ID]",
    .least = 0,
    .most = 1,
    .run = lesson_run,
};
