/* SPDX-License-Identifier: MIT */
/* Running the commands of a lesson and comparing what comes out with what must come out. */
#include "command/lesson.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "cairn fit tree @weather --steps", as it can be pasted into a shell. */
static cairn_status command_line(cairn_context *ctx, const cairn_lesson_command *command,
                                 char **out)
{
    cairn_text line = cairn_text_start(ctx);
    cairn_text_add(&line, "cairn");
    for (int i = 0; i < command->n_words; i++)
        cairn_text_add_shell(&line, command->words[i], strlen(command->words[i]));
    return cairn_text_take(&line, out);
}

/* A command that fails is a result, compared with the exit code that the lesson expects; only an
 * interruption, or memory that runs out where success is expected, ends the lesson. */
static cairn_status run_one(cairn_context *ctx, cairn_lesson *lesson,
                            const cairn_lesson_command *command, cairn_ran *out)
{
    out->output = (cairn_run_output)CAIRN_RUN_OUTPUT_INIT;
    CHECK(cairn_report_new(ctx, &out->part));
    CHECK(command_line(ctx, command, &out->line));
    cairn_status ran = cairn_run_files(ctx, out->part, &out->output, &lesson->files,
                                       command->n_words, command->words);
    if (ran == CAIRN_CANCELLED || (ran == CAIRN_NO_MEMORY && command->exit == 0)) return ran;
    int code = cairn_status_exit_code(ran);
    out->exit_differs = code != command->exit;
    snprintf(out->message, sizeof out->message, "exit code %d, expected %d%s%s", code,
             command->exit, ran ? ": " : "", ran ? cairn_message(ctx) : "");
    /* Compare one command's values. */
    CHECK(SCRATCH(ctx, &out->findings, command->n_expect + 1));
    for (size_t i = 0; i < command->n_expect; i++) {
        cairn_finding *f = &out->findings[i];
        f->expectation = &command->expect[i];
        f->holds =
            cairn_expectation_holds(f->expectation, out->part, &out->output, f->got, sizeof f->got);
        out->failed += !f->holds;
    }
    return CAIRN_OK;
}

cairn_status cairn_lesson_run(cairn_context *ctx, cairn_lesson *lesson, cairn_ran **out)
{
    cairn_status status = CAIRN_OK;
    CHECK(SCRATCH(ctx, out, lesson->n_commands + 1));
    for (size_t i = 0; i < lesson->n_commands && !status; i++)
        status = run_one(ctx, lesson, &lesson->commands[i], &(*out)[i]);
    if (status) cairn_ran_clear(*out, lesson->n_commands);
    return status;
}

void cairn_ran_clear(cairn_ran *ran, size_t n)
{
    for (size_t i = 0; ran && i < n; i++) {
        cairn_string_free(ran[i].output.document);
        cairn_free(ran[i].line);
        cairn_report_free(ran[i].part);
        ran[i] = (cairn_ran){0};
    }
}

cairn_status cairn_lesson_truths(cairn_context *ctx, const cairn_lesson *lesson,
                                 const cairn_ran *ran, cairn_truth **out, bool *found)
{
    CHECK(SCRATCH(ctx, out, lesson->n_asked + 1));
    *found = true;
    for (size_t i = 0; i < lesson->n_asked; i++) {
        const cairn_asked *asked = &lesson->asked[i];
        const cairn_report *part = ran[asked->command].part;
        cairn_truth *truth = &(*out)[i];
        truth->number = NAN;
        if (cairn_report_number(part, asked->value, &truth->number)) {
            *found &= isfinite(truth->number) != 0;
            continue;
        }
        const char *word = cairn_report_string(part, asked->value);
        char *copy;
        *found &= word != NULL;
        if (!word) continue;
        CHECK(SCRATCH_RAW(ctx, &copy, strlen(word) + 1));
        truth->word = memcpy(copy, word, strlen(word) + 1);
    }
    return CAIRN_OK;
}
