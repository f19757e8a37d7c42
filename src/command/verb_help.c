/* SPDX-License-Identifier: MIT */
/* cairn help: everything that a record says about itself, for people, programs, man and shells. */
#include "command/complete.h"
#include "command/find.h"

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

static const cairn_choice shells[] = {
    {"none", CAIRN_SHELL_NONE, "no script"},
    {"bash", CAIRN_SHELL_BASH, "for bash"},
    {"zsh", CAIRN_SHELL_ZSH, "for zsh"},
    {"fish", CAIRN_SHELL_FISH, "for fish"},
    {0},
};

typedef struct help_options {
    cairn_common common;
    int completion;
    bool all;
} help_options;

static const cairn_param help_params[] = {
    CAIRN_PARAM_CHOICE(help_options, completion, "none", shells,
                       "print a completion script for a shell instead"),
    CAIRN_PARAM(help_options, all, "no", NULL, "all that the record says, with every option"),
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

static const cairn_entry *first_entry(const cairn_context *ctx, const char *word)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    const cairn_entry *found = cairn_entry_find(ctx, CAIRN_ENTRY_VERB, word);
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

static void help_topic(cairn_report *report, const cairn_topic *topic)
{
    cairn_report_heading(report, 1, "%s", topic->name);
    cairn_report_paragraph(report, "%s", topic->text);
    cairn_report_verbatim(report, topic->commands);
    cairn_report_paragraph(report, "More in %s.", topic->page);
}

/* Whether an entry, a data set or a lesson has this very name. */
static bool is_name(const cairn_context *ctx, const cairn_lesson_item *lessons, const char *word)
{
    return first_entry(ctx, word) || data_title(word) || lesson_title(lessons, word);
}

/* All that has this name, one after the other. */
static cairn_status help_word(cairn_command *c, const cairn_lesson_item *lessons, const char *word)
{
    bool all = ((const help_options *)c->options->values)->all;
    size_t n;
    const cairn_entry *const *entries = cairn_entries(c->ctx, &n);
    const char *title = data_title(word), *lesson = lesson_title(lessons, word);
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i]->name, word) == 0)
            CHECK(cairn_help_entry(c->ctx, c->report, entries[i], all));
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
    return CAIRN_OK;
}

/* Everything as a manual page or as JSON, or one name. */
static cairn_status help_document(cairn_command *c, const char *word, int format)
{
    cairn_text text = cairn_text_start(c->ctx);
    if (format == FORMAT_MAN)
        cairn_help_man(&text, word ? first_entry(c->ctx, word) : NULL);
    else
        cairn_help_json(&text, word && *word == '@' ? word + 1 : word);
    return cairn_command_give(c, &text);
}

/* What follows a verb in "compute distances": the entry of the verb's kind; NULL = something else
 * was said. */
static const cairn_entry *inner_of(const cairn_command *c, const cairn_verb **verb)
{
    if (c->n_words != 2) return NULL;
    *verb = (const cairn_verb *)cairn_entry_find(c->ctx, CAIRN_ENTRY_VERB, c->words[0]);
    if (!*verb || (*verb)->inner == CAIRN_INNER_NONE) return NULL;
    return cairn_entry_find(c->ctx, (*verb)->inner_kind, c->words[1]);
}

/* -- KIND/NAME -- */

/* The kind that a word means: its name, also of many ("learners"), or the verb that takes one; -1 =
 * none. */
static int kind_of(const cairn_context *ctx, const char *word)
{
    size_t n, length = strlen(word);
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    const cairn_verb *verb = (const cairn_verb *)cairn_entry_find(ctx, CAIRN_ENTRY_VERB, word);
    if (verb && verb->inner != CAIRN_INNER_NONE) return (int)verb->inner_kind;
    if (length > 1 && word[length - 1] == 's') length--;
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_entry_kind_name(entries[i]->kind);
        if (strlen(name) == length && memcmp(name, word, length) == 0) return (int)entries[i]->kind;
    }
    return -1;
}

/* What stands at an address: the entry of that kind and name and no other thing of the name.
 * *word is the name where data or a lesson is meant. */
static cairn_status find_address(cairn_command *c, const cairn_lesson_item *lessons,
                                 const cairn_entry **out, const char **word)
{
    char *kind;
    const char *name;
    *out = NULL;
    /* "picture/roc" or "picture roc" taken apart; false = it is something else. */
    const char *slash = c->n_words == 1 ? strchr(c->words[0], '/') : NULL;
    size_t length = slash ? (size_t)(slash - c->words[0]) : 0;
    kind = NULL;
    if (slash || c->n_words == 2) {
        if (!slash) length = strlen(c->words[0]);
        CHECK(SCRATCH(c->ctx, &kind, length + 1));
        memcpy(kind, c->words[0], length);
        name = slash ? slash + 1 : c->words[1];
    }
    if (!kind) return CAIRN_OK;
    bool data = cairn_same(kind, "data") && data_title(name);
    if (data || (cairn_same(kind, "lesson") && lesson_title(lessons, name))) *word = name;
    int wanted = data ? -1 : kind_of(c->ctx, kind);
    if (wanted >= 0) *out = cairn_entry_find(c->ctx, (cairn_entry_kind)wanted, name);
    if (*out || wanted < 0 || c->n_words == 2) return CAIRN_OK; /* words may be looked for */
    return cairn_entry_get(c->ctx, out, (cairn_entry_kind)wanted, name);
}

/* A word that names something shows it, any other is looked for; only names have a manual page
 * or a document. */
static cairn_status help_run(cairn_command *c)
{
    const help_options *options = c->options->values;
    int format = options->common.printing.format;
    cairn_lesson_item *lessons;
    const cairn_verb *verb;
    const cairn_entry *inner, *at;
    const char *word;
    if (options->completion) {
        int shell = options->completion;
        cairn_text text = cairn_text_start(c->ctx);
        cairn_text_add(&text, cairn_completion_script((cairn_shell)shell));
        return cairn_command_give(c, &text);
    }
    CHECK(cairn_lesson_list(c->ctx, &lessons));
    CHECK(cairn_find_join(c, &word));
    CHECK(find_address(c, lessons, &at, &word));
    bool named = c->n_words == 0 || is_name(c->ctx, lessons, word);
    if (format == FORMAT_MAN && at) {
        cairn_text text = cairn_text_start(c->ctx);
        cairn_help_man(&text, at);
        return cairn_command_give(c, &text);
    }
    if (format == FORMAT_MAN && c->n_words && !first_entry(c->ctx, word))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "there is no manual page on '%s'; 'cairn help %s' "
                          "looks for it",
                          word, word);
    if (named && (format == FORMAT_MAN || format == CAIRN_FORMAT_JSON))
        return help_document(c, c->n_words ? word : NULL, format);
    if (!named && (inner = inner_of(c, &verb)))
        return cairn_help_command(c->ctx, c->report, verb, inner, options->all);
    if (!named && at) return cairn_help_entry(c->ctx, c->report, at, options->all);
    if (!named) {
        /* What answers to words that are no name. */
        const cairn_topic *topic = cairn_topic_find(word);
        cairn_hits hits;
        CHECK(cairn_find(c->ctx, &hits, word));
        if (hits.n == 0) return cairn_find_nothing(c->ctx, word);
        if (topic) help_topic(c->report, topic);
        cairn_find_show(c->report, &hits, word);
        return cairn_report_status(c->report);
    }
    return c->n_words ? help_word(c, lessons, word) : cairn_help_overview(c->report);
}

const cairn_verb cairn_verb_help = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "help",
              .also = "manual, man, search, find, usage",
              .title = "What a word means",
              .summary = "Explains a verb, a learner, a transform, a calculator, a picture, a "
                         "format, a data set or a lesson: what it does, an example, and the "
                         "options that matter most, with defaults and ranges; --all shows all. Any "
                         "other words are looked for in "
                         "names, synonyms, titles, options, summaries, topics, lessons and the "
                         "named values of reports. The same comes as JSON, Markdown or "
                         "a manual page, and --completion prints a script for a shell.",
              .example = "cairn help random forest",
              .params = help_params,
              .params_size = sizeof(help_options)},
    .arguments = "[WORDS]",
    .least = 0,
    .most = SIZE_MAX,
    .run = help_run,
};
