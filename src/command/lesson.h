/* SPDX-License-Identifier: MIT */
/* A lesson: text, files, commands, and what the commands must give. docs/lessons.md has the format
 * of the file. */
#ifndef CAIRN_COMMAND_LESSON_H
#define CAIRN_COMMAND_LESSON_H

#include "base/json.h"
#include "command/command.h"

/* One thing that a command must give. Borrowed from the document. */
typedef struct cairn_expectation {
    const char *value; /* name of the value in the command's report, or "document" */
    const char *key;   /* place in the worked example; may be NULL */
    const char *text;  /* expected text; NULL = a number is expected */
    double number;     /* NaN = undefined */
    double tolerance;  /* absolute below 1, relative above */
} cairn_expectation;

typedef struct cairn_lesson_command {
    const char **words;
    int n_words;
    int exit;
    cairn_expectation *expect;
    size_t n_expect;
} cairn_lesson_command;

typedef struct cairn_lesson {
    cairn_json *document;
    const char *id, *title, *note;
    const char **text;
    size_t n_text;
    cairn_lesson_command *commands;
    size_t n_commands;
    cairn_virtual_files files;
} cairn_lesson;

/* Read the lesson of that id; arrays are scratch. A near miss is suggested. */
CAIRN_CHECKED cairn_status cairn_lesson_read(cairn_context *ctx, cairn_lesson *out, const char *id);
/* From bytes, for tests. */
CAIRN_CHECKED cairn_status cairn_lesson_parse(cairn_context *ctx, cairn_lesson *out, const char *id,
                                              const char *bytes, size_t length);
void cairn_lesson_clear(cairn_lesson *lesson);

/* Whether the expectation holds; `got` receives what was found, as text. */
bool cairn_expectation_holds(const cairn_expectation *expectation, const cairn_report *report,
                             const cairn_run_output *output, char *got, size_t size);

#endif
