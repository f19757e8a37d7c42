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

/* A value that the reader is asked for. */
typedef struct cairn_asked {
    const char *value, *label;
    size_t command;   /* number of the command whose report has it */
    double tolerance; /* of the expectation */
    bool is_word;     /* the answer is a word, not a number */
} cairn_asked;

typedef struct cairn_lesson {
    cairn_json *document;
    const char *id, *title, *note;
    const char *question; /* of a turn; that of a lesson stands in its topic */
    const char **text;
    size_t n_text;
    const char **aliases; /* names that are taken for its id, too */
    size_t n_aliases;
    cairn_asked *asked;
    size_t n_asked;
    const cairn_json *turn; /* what "your turn" varies; NULL = the lesson has none */
    cairn_lesson_command *commands;
    size_t n_commands;
    cairn_virtual_files files;
    size_t n_files; /* of them are there before the commands run */
} cairn_lesson;

/* The id of the lesson that has this id or alias, in scratch; NULL where there is none. */
CAIRN_CHECKED cairn_status cairn_lesson_id(cairn_context *ctx, const char *word, const char **out);
/* Read the lesson of that id or alias; arrays are scratch. A near miss is suggested. */
CAIRN_CHECKED cairn_status cairn_lesson_read(cairn_context *ctx, cairn_lesson *out, const char *id);
/* From bytes, for tests. */
CAIRN_CHECKED cairn_status cairn_lesson_parse(cairn_context *ctx, cairn_lesson *out, const char *id,
                                              const char *bytes, size_t length);
void cairn_lesson_clear(cairn_lesson *lesson);
/* Where the command's words are no ids but some lessons are about them, list those; *found says
 * whether they did. */
CAIRN_CHECKED cairn_status cairn_lesson_search(cairn_command *command, bool *found);
/* Fail because the lesson does not follow the format (CAIRN_BAD_DATA). */
CAIRN_PRINTF(3, 4)
CAIRN_CHECKED cairn_status cairn_lesson_bad(cairn_context *ctx, const char *id, const char *format,
                                            ...);
/* An array of strings in scratch; NULL gives none. */
CAIRN_CHECKED cairn_status cairn_lesson_strings(cairn_context *ctx, const char *id,
                                                const cairn_json *array, const char ***out,
                                                size_t *n);

/* -- lesson_turn.c: the same exercise with other numbers -- */
/* A lesson of one command with the numbers of the `attempt`-th draw from the seed in its question,
 * its files and its command; it borrows from `lesson`. A lesson without a turn fails
 * (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_lesson_draw(cairn_context *ctx, cairn_lesson *out,
                                             const cairn_lesson *lesson, uint64_t seed,
                                             uint64_t attempt);

/* -- lesson_answer.c: what a reader types -- */
/* Whether the typed text is a number: "0.25", "1/4", "25%", ".25", "-3e2", "inf", "undefined";
 * *slack is how far it may be off because of the digits that it has. */
bool cairn_answer_read(const char *text, double *value, double *slack);
/* Whether the answer is right: within the tolerance, or rounded to the digits that it has. */
bool cairn_answer_right(const cairn_asked *asked, const char *text, double truth);
bool cairn_answer_same_word(const char *text, const char *truth);

/* Whether the expectation holds; `got` receives what was found, as text. */
bool cairn_expectation_holds(const cairn_expectation *expectation, const cairn_report *report,
                             const cairn_run_output *output, char *got, size_t size);

/* -- lesson_run.c: running the commands -- */
typedef struct cairn_finding {
    const cairn_expectation *expectation;
    char got[80];
    bool holds;
} cairn_finding;

/* What came out of one command. */
typedef struct cairn_ran {
    cairn_report *part;
    cairn_run_output output;
    char *line;        /* as it is typed */
    bool exit_differs; /* it ended otherwise than expected; then there is a message */
    char message[400];
    cairn_finding *findings; /* one for each expectation; scratch */
    size_t failed;           /* of them */
} cairn_ran;

/* The true value of what is asked for. */
typedef struct cairn_truth {
    const char *word; /* NULL = a number; scratch */
    double number;
} cairn_truth;

/* Run all commands; *out is scratch, and its contents are freed by cairn_ran_clear. Fails only when
 * it was cancelled or memory is out. */
CAIRN_CHECKED cairn_status cairn_lesson_run(cairn_context *ctx, cairn_lesson *lesson,
                                            cairn_ran **out);
void cairn_ran_clear(cairn_ran *ran, size_t n);
/* The values that are asked for, before the parts go into a report; *found says whether all are
 * there, and are finite where they are numbers. */
CAIRN_CHECKED cairn_status cairn_lesson_truths(cairn_context *ctx, const cairn_lesson *lesson,
                                               const cairn_ran *ran, cairn_truth **out,
                                               bool *found);

/* -- lesson_show.c: a lesson in a report -- */
/* Title, and the place in the course. */
void cairn_lesson_show_head(cairn_report *report, const cairn_lesson *lesson,
                            const cairn_lesson_item *item, const cairn_chapter *topic);
void cairn_lesson_show_text(cairn_report *report, const cairn_lesson *lesson);
/* The tables and files that the commands read. */
CAIRN_CHECKED cairn_status cairn_lesson_show_data(cairn_context *ctx, cairn_report *report,
                                                  const cairn_lesson *lesson, bool paper);
/* The question and what is asked for; with `names`, how --answer calls them. */
/* In brief: the question with its answers, the commands, and the beginning of the text. */
void cairn_lesson_show_glance(cairn_report *report, const cairn_lesson *lesson,
                              const char *question, const cairn_ran *ran,
                              const cairn_truth *truths);
void cairn_lesson_show_question(cairn_report *report, const cairn_lesson *lesson,
                                const char *question, bool names);
/* The commands with what they print; moves the parts into the report. */
void cairn_lesson_show_commands(cairn_report *report, const cairn_lesson *lesson, cairn_ran *ran);
/* One line that says whether all numbers hold, and what differs. */
void cairn_lesson_show_verdict(cairn_report *report, const cairn_lesson *lesson,
                               const cairn_ran *ran);
/* What differs of one command. */
void cairn_lesson_show_differences(cairn_report *report, const cairn_lesson_command *command,
                                   const cairn_ran *ran);
/* The lessons before and after it in the course. */
void cairn_lesson_show_neighbours(cairn_report *report, const cairn_chapter *topics, size_t n,
                                  const char *id);
/* The value as a reader sees it. */
void cairn_truth_text(const cairn_truth *truth, char *out, size_t size);

/* -- lesson_ask.c: asking for values -- */
typedef struct cairn_reply {
    const char *text; /* as typed, scratch; NULL = not answered */
    bool right;
} cairn_reply;

/* Replies from lines NAME=VALUE or NUMBER=VALUE. A name that is not asked for and a value that is
 * no number fail (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_replies_given(cairn_context *ctx, const cairn_lesson *lesson,
                                               const cairn_truth *truths, const char *lines,
                                               cairn_reply *out);
/* Ask at the terminal, below the text; *ended says that there was no answer to the first one. */
CAIRN_CHECKED cairn_status cairn_replies_asked(cairn_context *ctx, const cairn_lesson *lesson,
                                               const cairn_truth *truths, const char *above,
                                               cairn_reply *out, bool *ended);
/* The answers beside the values; adds up those that are wrong. */
void cairn_replies_show(cairn_report *report, const cairn_lesson *lesson, const cairn_truth *truths,
                        const cairn_reply *replies, size_t *wrong);

/* -- lesson_sheet.c: exercises on paper -- */
typedef struct cairn_sheet {
    cairn_report *questions, *answers;
    size_t n;
} cairn_sheet;

void cairn_sheet_begin(cairn_sheet *sheet, const char *title);
CAIRN_CHECKED cairn_status cairn_sheet_add(cairn_context *ctx, cairn_sheet *sheet,
                                           const cairn_lesson *lesson, const char *question,
                                           const cairn_truth *truths);
/* The answers go on a page of their own behind the questions. */
void cairn_sheet_end(cairn_sheet *sheet);

/* Names of values in the reports of commands, from lessons/values.json: an object whose members are
 * "fit tree" or "evaluate", each with a list of names. Owned by the caller. */
CAIRN_CHECKED cairn_status cairn_lesson_values(cairn_context *ctx, cairn_json **out);

#endif
