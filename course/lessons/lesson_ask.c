/* SPDX-License-Identifier: MIT */
/* Asking a reader for values: from the options, or one after the other at the terminal. An answer
 * that is no number gets another try as often as it takes, a wrong one gets three tries. */
#include "command/lesson.h"

#include "base/memory.h"
#include "report/table_rows.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 3 };

#define NO_NUMBER "'%s' is no number; write it like 0.25, 1/4 or 25%%"

static bool is_right(const cairn_asked *asked, const cairn_truth *truth, const char *text)
{
    if (truth->word) return cairn_answer_same_word(text, truth->word);
    return cairn_answer_right(asked, text, truth->number);
}

static bool is_readable(const cairn_truth *truth, const char *text)
{
    double value, slack;
    return truth->word || cairn_answer_read(text, &value, &slack);
}

static cairn_status keep_reply(cairn_context *ctx, const char *text, size_t length,
                               cairn_reply *out)
{
    char *copy;
    CHECK(SCRATCH_RAW(ctx, &copy, length + 1));
    memcpy(copy, text, length);
    copy[length] = 0;
    out->text = copy;
    return CAIRN_OK;
}

/* The number of the question that "NAME=VALUE" or "2=VALUE" answers, n_asked when there is none;
 * *value is where the value begins. A name may hold equal signs itself. */
static size_t question_of(const cairn_lesson *lesson, const char *line, const char **value)
{
    char number[24];
    for (size_t i = 0; i < lesson->n_asked; i++) {
        size_t length = strlen(lesson->asked[i].value);
        *value = line + length + 1;
        if (strncmp(line, lesson->asked[i].value, length) == 0 && line[length] == '=') return i;
    }
    for (size_t i = 0; i < lesson->n_asked; i++) {
        size_t length = (size_t)snprintf(number, sizeof number, "%zu=", i + 1);
        *value = line + length;
        if (strncmp(line, number, length) == 0) return i;
    }
    return lesson->n_asked;
}

static cairn_status not_asked(cairn_context *ctx, const cairn_lesson *lesson, const char *line,
                              size_t length)
{
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < lesson->n_asked; i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", lesson->asked[i].value);
    cairn_status status = cairn_text_status(&names);
    if (!status)
        status = cairn_fail(ctx, CAIRN_USAGE,
                            "--answer %.*s: it must be NAME=VALUE, and lesson %s asks for %s",
                            (int)length, line, lesson->id, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

cairn_status cairn_replies_given(cairn_context *ctx, const cairn_lesson *lesson,
                                 const cairn_truth *truths, const char *lines, cairn_reply *out)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        const char *value;
        size_t i = question_of(lesson, lines, &value);
        if (i == lesson->n_asked) return not_asked(ctx, lesson, lines, length);
        CHECK(keep_reply(ctx, value, length - (size_t)(value - lines), &out[i]));
        if (!is_readable(&truths[i], out[i].text))
            return cairn_fail(ctx, CAIRN_USAGE, "--answer %s: " NO_NUMBER, lesson->asked[i].value,
                              out[i].text);
        out[i].right = is_right(&lesson->asked[i], &truths[i], out[i].text);
        lines += length + (lines[length] == '\n');
    }
    return CAIRN_OK;
}

/* Ask for one value until it is right, given up, or tried often enough; *ended at the end of the
 * input. `above` is shown before the first try. */
static cairn_status ask_one(cairn_context *ctx, const cairn_asked *asked, const cairn_truth *truth,
                            const char *above, cairn_reply *out, bool *ended)
{
    const char *line;
    char question[600];
    snprintf(question, sizeof question, "%s = ", asked->label);
    CHECK(cairn_ask_below(ctx, above, question, &line));
    for (int tries = 1;;) {
        *ended = line == NULL;
        if (!line || !*line) return CAIRN_OK;
        CHECK(keep_reply(ctx, line, strlen(line), out));
        if (!is_readable(truth, line)) {
            snprintf(question, sizeof question, NO_NUMBER ".\n%s = ", out->text, asked->label);
        } else {
            out->right = is_right(asked, truth, line);
            if (out->right || tries++ == TRIES) return CAIRN_OK;
            snprintf(question, sizeof question,
                     "Not yet. Once more, or return to see it.\n%s = ", asked->label);
        }
        CHECK(cairn_ask(ctx, question, &line));
    }
}

cairn_status cairn_replies_asked(cairn_context *ctx, const cairn_lesson *lesson,
                                 const cairn_truth *truths, const char *above, cairn_reply *out,
                                 bool *ended)
{
    bool over = false;
    *ended = false;
    for (size_t i = 0; i < lesson->n_asked && !over; i++) {
        const char *said = i == 0 ? above : out[i - 1].right ? "Right.\n" : "";
        CHECK(ask_one(ctx, &lesson->asked[i], &truths[i], said, &out[i], &over));
        *ended |= over && i == 0;
    }
    return CAIRN_OK;
}

void cairn_replies_show(cairn_report *report, const cairn_lesson *lesson, const cairn_truth *truths,
                        const cairn_reply *replies, size_t *wrong)
{
    size_t right = 0;
    char value[200];
    cairn_report_heading(report, 2, "Your answers");
    cairn_report_table_of(report, NULL, 0, "llrr", "wanted", "", "your answer", "value");
    for (size_t i = 0; i < lesson->n_asked; i++) {
        const cairn_reply *r = &replies[i];
        cairn_truth_text(&truths[i], value, sizeof value);
        cairn_report_prefix(report, "answer.%s", cairn_report_key(report, lesson->asked[i].value));
        cairn_report_cells(report, "- @", lesson->asked[i].label,
                           !r->text   ? "not answered"
                           : r->right ? "right"
                                      : "wrong",
                           r->text ? r->text : "", value);
        right += r->right;
        *wrong += r->text && !r->right;
    }
    cairn_report_hidden(report, (double)right, "answers.right");
    cairn_report_hidden(report, (double)lesson->n_asked, "answers.asked");
}
