/* SPDX-License-Identifier: MIT */
/* cairn help: everything that a record says about itself, for people, programs, man and shells. */
#include "command/command.h"

#include <string.h>

enum { FORMAT_MAN = 10 };

static const cairn_choice help_formats[] = {
    {"text", CAIRN_FORMAT_TEXT, "for a terminal"},
    {"json", CAIRN_FORMAT_JSON, "every field of the records, for programs"},
    {"markdown", CAIRN_FORMAT_MARKDOWN, "for documents"},
    {"html", CAIRN_FORMAT_HTML, "for a browser"},
    {"man", FORMAT_MAN, "a manual page"},
    {0},
};

enum { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH };

static const cairn_choice shells[] = {
    {"none", SHELL_NONE, "no script"},
    {"bash", SHELL_BASH, "for bash"},
    {"zsh", SHELL_ZSH, "for zsh"},
    {"fish", SHELL_FISH, "for fish"},
    {0},
};

typedef struct help_options {
    cairn_common common;
    int completion;
} help_options;

static const cairn_param help_params[] = {
    CAIRN_PARAM_CHOICE(help_options, completion, "none", shells,
                       "print a completion script for a shell instead"),
    {.name = "format",
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(help_options, common.printing.format),
     .initial = "text",
     .choices = help_formats,
     .help = "how the help is printed"},
    {.name = "out",
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(help_options, common.printing.out),
     .help = "write the help to this file",
     .writes = true},
    CAIRN_PARAM_END,
};

/* The i-th word that help knows: entries, then data, then the lessons in `data`. */
static const char *known_word(size_t i, const void *data)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_lesson_item *lessons = data;
    const char *title, *name;
    if (i < n) return entries[i]->name;
    i -= n;
    for (size_t at = 0; (name = cairn_builtin_name(at, &title)); at++)
        if (i-- == 0) return name;
    for (; lessons->id; lessons++)
        if (i-- == 0) return lessons->id;
    return NULL;
}

static cairn_status unknown_word(cairn_context *ctx, const cairn_lesson_item *lessons,
                                 const char *word)
{
    const char *near = cairn_nearest_word(word, known_word, lessons);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no help on '%s'; did you mean '%s'?", word,
                          near);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "there is no help on '%s'; 'cairn list' shows all that there is", word);
}

static const cairn_entry *first_entry(const char *word)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_entry *found = cairn_entry_find(CAIRN_ENTRY_VERB, word);
    for (size_t i = 0; i < n && !found; i++)
        if (strcmp(entries[i]->name, word) == 0) found = entries[i];
    return found;
}

/* Title of a built-in data set, with or without its @; NULL when there is none. */
static const char *data_title(const char *word)
{
    const char *title, *name;
    if (*word == '@') word++;
    for (size_t i = 0; (name = cairn_builtin_name(i, &title)); i++)
        if (strcmp(name, word) == 0) return title;
    return NULL;
}

/* Title of a lesson; NULL when there is none. */
static const char *lesson_title(const cairn_lesson_item *lessons, const char *word)
{
    for (; lessons->id; lessons++)
        if (strcmp(lessons->id, word) == 0) return lessons->title;
    return NULL;
}

/* All that has this name, one after the other. */
static cairn_status help_word(cairn_command *c, const cairn_lesson_item *lessons, const char *word)
{
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    const char *title = data_title(word), *lesson = lesson_title(lessons, word);
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(entries[i]->name, word) != 0) continue;
        found++;
        TRY(cairn_help_entry(c->ctx, c->report, entries[i]));
    }
    if (title) {
        if (*word == '@') word++;
        cairn_report_heading(c->report, 1, "@%s: %s", word, title);
        cairn_report_paragraph(c->report, "Built-in data; 'cairn describe @%s' shows its columns.",
                               word);
    }
    if (lesson) {
        cairn_report_heading(c->report, 1, "%s: %s", word, lesson);
        cairn_report_paragraph(c->report, "A lesson; 'cairn lesson %s' runs it.", word);
    }
    if (!found && !title && !lesson) status = unknown_word(c->ctx, lessons, word);
done:
    return status;
}

static cairn_status help_script(cairn_command *c, int shell)
{
    cairn_text text = cairn_text_start(c->ctx);
    if (shell == SHELL_BASH) cairn_help_bash(&text);
    if (shell == SHELL_ZSH) cairn_help_zsh(&text);
    if (shell == SHELL_FISH) cairn_help_fish(&text);
    return cairn_command_give(c, &text);
}

static cairn_status help_run(cairn_command *c)
{
    const help_options *options = c->options->values;
    const char *word = c->n_words ? c->words[0] : NULL;
    int format = options->common.printing.format;
    cairn_lesson_item *lessons;
    cairn_text text = cairn_text_start(c->ctx);
    if (options->completion) return help_script(c, options->completion);
    CHECK(cairn_lesson_list(c->ctx, &lessons));
    const cairn_entry *entry = word ? first_entry(word) : NULL;
    if (format == FORMAT_MAN) {
        if (word && !entry) return unknown_word(c->ctx, lessons, word);
        cairn_help_man(&text, entry);
        return cairn_command_give(c, &text);
    }
    if (format == CAIRN_FORMAT_JSON) {
        if (word && !entry && !data_title(word) && !lesson_title(lessons, word))
            return unknown_word(c->ctx, lessons, word);
        cairn_help_json(&text, word && *word == '@' ? word + 1 : word);
        return cairn_command_give(c, &text);
    }
    return word ? help_word(c, lessons, word) : cairn_help_overview(c->report);
    return CAIRN_OK;
}

const cairn_verb cairn_verb_help = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "help",
              .title = "What a word means",
              .summary = "Explains a verb, a learner, a transform, a calculator, a picture, a "
                         "format, a data set or a lesson: what it does, its options with their "
                         "defaults and ranges, and an example. The same comes as JSON, Markdown or "
                         "a manual page, and --completion prints a script for a shell.",
              .example = "cairn help tree",
              .params = help_params,
              .params_size = sizeof(help_options)},
    .arguments = "[WORD]",
    .least = 0,
    .most = 1,
    .run = help_run,
};
