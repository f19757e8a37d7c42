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

enum { ONE_LINE = 36 }; /* letters, and one more that answers */

static const cairn_param help_params[] = {
    CAIRN_PARAM_CHOICE(help_options, completion, "none", shells,
                       "print a completion script for a shell instead"),
    CAIRN_PARAM_CALLED("full", help_options, all, "no", NULL,
                       "all that the record says, with every option", .was = "all"),
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

/* Documents and files have everything, as does the screen when it is asked for. */
static bool wants_all(const cairn_command *c)
{
    const help_options *options = c->options->values;
    const cairn_printing *p = &options->common.printing;
    return options->all || p->out || p->format != CAIRN_FORMAT_TEXT;
}

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
    return first_entry(ctx, word) || data_title(word) || cairn_lesson_named(lessons, word);
}

static void help_data(cairn_report *report, const char *name, const char *title)
{
    if (*name == '@') name++;
    cairn_report_heading(report, 1, "@%s: %s", name, title);
    cairn_report_paragraph(report, "Built-in data; 'cairn describe @%s' shows its columns.", name);
}

static void help_lesson(cairn_report *report, const cairn_lesson_item *lesson)
{
    cairn_report_heading(report, 1, "%s: %s", lesson->id, lesson->title);
    cairn_report_paragraph(report, "A lesson; 'cairn lesson %s' runs it.", lesson->id);
}

/* What has this name: the likeliest entry at once, verbs before learners and so on, and the others
 * in a line; in full one after the other. */
static cairn_status help_word(cairn_command *c, const cairn_lesson_item *lessons, const char *word)
{
    bool all = wants_all(c);
    size_t n, n_others = 0;
    const cairn_entry *const *entries = cairn_entries(c->ctx, &n);
    const cairn_entry *first = first_entry(c->ctx, word);
    const char *title = data_title(word);
    const cairn_lesson_item *lesson = cairn_lesson_named(lessons, word);
    SCOPED(cairn_text_clear) cairn_text others = cairn_text_start(c->ctx);
    if (first) CHECK(cairn_help_entry(c->ctx, c->report, first, all));
    for (size_t i = 0; i < n; i++) {
        if (entries[i] == first || strcmp(entries[i]->name, word) != 0) continue;
        if (all) CHECK(cairn_help_entry(c->ctx, c->report, entries[i], all));
        const char *kind = cairn_entry_kind_name(entries[i]->kind);
        cairn_text_addf(&others, "%scairn help %s/%s", n_others++ ? ", " : "", kind, word);
    }
    if (title && (all || !first)) help_data(c->report, word, title);
    if (title && first)
        cairn_text_addf(&others, "%scairn describe @%s", n_others++ ? ", " : "",
                        *word == '@' ? word + 1 : word);
    if (lesson && (all || !first)) help_lesson(c->report, lesson);
    if (lesson && first)
        cairn_text_addf(&others, "%scairn lesson %s", n_others++ ? ", " : "", lesson->id);
    CHECK(cairn_text_status(&others));
    if (n_others && !all)
        cairn_report_paragraph(c->report, "Also called so: %s", cairn_text_string(&others));
    return CAIRN_OK;
}

/* The page of what was found. */
static cairn_status help_hit(cairn_command *c, const cairn_lesson_item *lessons,
                             const cairn_hit *hit)
{
    bool all = wants_all(c);
    size_t n;
    const cairn_entry *const *entries = cairn_entries(c->ctx, &n);
    if (cairn_same(hit->kind, "topic")) help_topic(c->report, cairn_topic_find(hit->name));
    if (cairn_same(hit->kind, "data")) help_data(c->report, hit->name, data_title(hit->name));
    if (cairn_same(hit->kind, "lesson"))
        help_lesson(c->report, cairn_lesson_named(lessons, hit->name));
    for (size_t i = 0; i < n; i++)
        if (cairn_same(cairn_entry_kind_name(entries[i]->kind), hit->kind) &&
            cairn_same(entries[i]->name, hit->name))
            return cairn_help_entry(c->ctx, c->report, entries[i], all);
    return CAIRN_OK;
}

/* Words that are what something is called: its page at once, and what else answers in a line. */
static cairn_status help_called(cairn_command *c, const cairn_lesson_item *lessons,
                                const cairn_hits *hits, const char *words)
{
    const cairn_hit *best = hits->all;
    SCOPED(cairn_text_clear) cairn_text others = cairn_text_start(c->ctx);
    bool topic = cairn_same(best->kind, "topic");
    if (!topic && best->score)
        cairn_report_paragraph(c->report, "'%s' is the %s %s here.", words, best->kind,
                               best->use ? best->use : best->name);
    CHECK(help_hit(c, lessons, best));
    size_t told = 1;
    for (; told < hits->n && others.length < ONE_LINE; told++)
        cairn_text_addf(&others, "%s%s (%s)", told > 1 ? ", " : "", hits->all[told].name,
                        hits->all[told].kind);
    CHECK(cairn_text_status(&others));
    if (told > 1)
        cairn_report_paragraph(c->report, "Also found: %s%s", cairn_text_string(&others),
                               told < hits->n ? " ..." : "");
    cairn_find_hide(c->report, hits);
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
    if (data || (cairn_same(kind, "lesson") && cairn_lesson_named(lessons, name))) *word = name;
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
        return cairn_help_command(c->ctx, c->report, verb, inner, wants_all(c));
    if (!named && at) return cairn_help_entry(c->ctx, c->report, at, wants_all(c));
    if (!named) {
        /* What answers to words that are no name. */
        cairn_hits hits;
        CHECK(cairn_find(c->ctx, &hits, word));
        if (hits.n == 0) return cairn_find_nothing(c->ctx, word);
        if (cairn_find_is_called(&hits))
            CHECK(help_called(c, lessons, &hits, word));
        else
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
                         "options that matter most, with their defaults; --full shows all. Any "
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
