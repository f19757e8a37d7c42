/* SPDX-License-Identifier: MIT */
/* What may stand in the place of a word that is begun:
 *
 *   1. the first word is a verb;
 *   2. behind an option that takes a value: its choices, columns of the data on the line, names of
 *      entries and what stands behind them (name:key=value), files;
 *   3. a word that begins with two dashes: options of the verb and of the entry inside it;
 *   4. any other word: what the verb takes there, as its usage line says (LEARNER, MODEL, DATA).
 *
 * Nothing is ever refused here: what cannot be read gives nothing. Of a data file only the
 * beginning is read. */
#include "command/complete.h"

#include "base/memory.h"
#include "entry/split.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct completion {
    cairn_command *command;
    const char *const *words; /* the verb first; the last one is begun */
    size_t n_words;
    const cairn_verb *verb;
    const cairn_entry *inner; /* may be NULL */
    int inner_at;             /* its place among the words */
    const char *data;         /* the word that names data; NULL = none */
    cairn_table *table;       /* beginning of the data; NULL = not read */
    const char *word;         /* what is begun; scratch */
    size_t kept;              /* letters of it that stay in front of every offer */
    cairn_offer_fn *offer;
    void *offer_data;
    cairn_status status;
} completion;

/* -- offering -- */

/* Names that hold control letters would break the lines that shells read. */
static bool is_printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == 127) return false;
    return true;
}

/* Offer the letters that stay, the value and an ending where the value goes on as was begun. */
static void offer(completion *c, const char *value, const char *ending, const char *help)
{
    cairn_text text = cairn_text_start(c->command->ctx);
    if (!cairn_starts_with(value, c->word + c->kept) || !is_printable(value)) return;
    cairn_text_addf(&text, "%.*s%s%s", (int)c->kept, c->word, value, ending);
    if (!c->status) c->status = cairn_text_status(&text);
    if (help) help = cairn_say(c->command->ctx, help);
    if (!c->status) c->offer(cairn_text_string(&text), help, c->offer_data);
    cairn_text_clear(&text);
}

static void offer_entries(completion *c, cairn_entry_kind kind)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(c->command->ctx, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == kind) offer(c, entries[i]->name, "", entries[i]->title);
}

static void offer_data_names(completion *c)
{
    const char *name, *title;
    if (c->word[c->kept] == '@')
        c->kept++;
    else if (c->word[c->kept])
        return;
    for (size_t i = 0; (name = cairn_builtin_name(i, &title)); i++) {
        char with_at[128];
        bool begun = c->kept && c->word[c->kept - 1] == '@';
        snprintf(with_at, sizeof with_at, "@%s", name);
        offer(c, begun ? name : with_at, "", title);
    }
}

/* -- files -- */

/* One file of a folder; `path` is as it is typed. Folders end with a stroke. */
static void offer_file(completion *c, const char *path, bool models)
{
    struct stat about;
    bool model = true;
    if (stat(path, &about) != 0) return;
    if (S_ISDIR(about.st_mode)) {
        offer(c, path, "/", NULL);
        return;
    }
    if (models) c->status = cairn_command_is_model(c->command, path, &model);
    if (model) offer(c, path, "", NULL);
}

/* The files whose path begins as typed; hidden ones when their dot is typed. */
static void offer_files(completion *c, bool models)
{
    const char *typed = c->word + c->kept, *slash = strrchr(typed, '/');
    size_t length = slash ? (size_t)(slash - typed) + 1 : 0;
    cairn_text path = cairn_text_start(c->command->ctx);
    cairn_text_addf(&path, "%.*s", (int)length, typed);
    DIR *folder = opendir(length ? cairn_text_string(&path) : ".");
    struct dirent *file;
    while (!c->status && folder && (file = readdir(folder))) {
        const char *name = file->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (name[0] == '.' && typed[length] != '.') continue;
        if (!cairn_starts_with(name, typed + length)) continue;
        path.length = length;
        cairn_text_add(&path, name);
        c->status = cairn_text_status(&path);
        if (!c->status) offer_file(c, cairn_text_string(&path), models);
    }
    if (folder) closedir(folder);
    cairn_text_clear(&path);
}

static void offer_data(completion *c)
{
    size_t kept = c->kept;
    offer_data_names(c);
    c->kept = kept;
    if (c->word[kept] != '@') offer_files(c, false);
}

/* -- columns -- */

/* Settings of the verb as far as they are typed, so that the file is read as the command would. */
static void read_settings(completion *c)
{
    cairn_params *options = c->command->options;
    for (size_t i = 1; i + 2 < c->n_words; i++) {
        const char *word = c->words[i];
        if (!cairn_starts_with(word, "--")) continue;
        const cairn_param *row = cairn_option_row(&c->verb->entry, word + 2, strlen(word + 2));
        if (!row || row->type == CAIRN_TYPE_BOOL) continue;
        cairn_status status =
            cairn_params_set(c->command->ctx, options, row->name, c->words[i + 1]);
        if (status == CAIRN_NO_MEMORY) c->status = status;
    }
}

/* Whether the column is one of the items of a list already. */
static bool is_listed(completion *c, const char *list, size_t length, const char *name)
{
    char **items;
    size_t n = 0;
    char *text;
    cairn_context *ctx = c->command->ctx;
    if (!c->status) c->status = SCRATCH(ctx, &text, length + 1);
    if (c->status) return false;
    memcpy(text, list, length);
    c->status = cairn_split_list(ctx, text, &items, &n);
    for (size_t i = 0; !c->status && i < n; i++)
        if (strcmp(items[i], name) == 0) return true;
    return false;
}

/* Where the last item of a list begins. */
static size_t last_item(const char *list)
{
    size_t start = 0;
    for (const char *end; *(end = cairn_split_next(list + start, ','));)
        start = (size_t)(end - list) + 1;
    return start;
}

/* The columns of the data that stand not yet in the list. */
static void offer_columns(completion *c)
{
    const char *list = c->word + c->kept;
    size_t start = last_item(list);
    if (!c->data) return;
    if (!c->table) {
        read_settings(c);
        cairn_status status = cairn_command_read_start(c->command, &c->table, c->data);
        if (status == CAIRN_NO_MEMORY) c->status = status;
        if (status) return;
    }
    c->kept += start;
    for (size_t i = 0; i < cairn_table_columns(c->table) && !c->status; i++) {
        const char *name = cairn_table_name(c->table, i);
        if (start && is_listed(c, list, start - 1, name)) continue;
        /* A column as an item of a list: in double quotes where it would fall apart. */
        const char *help = cairn_kind_name(cairn_table_kind(c->table, i));
        size_t length = strlen(name);
        bool falls_apart =
            strpbrk(name, ",()[]{}") || name[0] == ' ' || (length && name[length - 1] == ' ');
        cairn_text quoted = cairn_text_start(c->command->ctx);
        if (!falls_apart) {
            offer(c, name, "", help);
            continue;
        }
        if (strchr(name, '"')) continue;
        cairn_text_addf(&quoted, "\"%s\"", name);
        if (!c->status) c->status = cairn_text_status(&quoted);
        if (!c->status) offer(c, cairn_text_string(&quoted), "", help);
        cairn_text_clear(&quoted);
    }
    c->kept -= start;
}

/* -- values of options -- */

static bool kind_of(const char *name, cairn_entry_kind *out)
{
    for (int kind = CAIRN_ENTRY_LEARNER; name && kind <= CAIRN_ENTRY_VERB; kind++)
        if (strcmp(cairn_entry_kind_name((cairn_entry_kind)kind), name) == 0) {
            *out = (cairn_entry_kind)kind;
            return true;
        }
    return false;
}

static void offer_value(completion *c, const cairn_param *row, int depth);

/* Behind "name:": parameters, and behind "key=": their values. */
static void offer_pairs(completion *c, const cairn_entry *entry, int depth)
{
    const char *pairs = c->word + c->kept;
    size_t start = last_item(pairs), before = c->kept;
    const char *equals = strchr(pairs + start, '=');
    const cairn_param *row = cairn_params_row(entry, 0, NULL);
    c->kept += start;
    if (equals) {
        size_t length = (size_t)(equals - pairs) - start;
        row = cairn_option_row(entry, pairs + start, length);
        c->kept += length + 1;
        if (row) offer_value(c, row, depth + 1);
    } else {
        if (start == 0 && row && row->choices) offer_value(c, row, depth + 1);
        for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
            char name[64];
            cairn_option_name(name, row->name);
            offer(c, name, "=", row->help);
        }
    }
    c->kept = before;
}

/* "tree:max-depth=3": names, then what stands behind them. Names alone may be a list. */
static void offer_spec(completion *c, cairn_entry_kind kind, bool list, int depth)
{
    const char *typed = c->word + c->kept, *colon = strchr(typed, ':');
    size_t before = c->kept, start = list ? last_item(typed) : 0;
    char name[64] = "";
    if (!colon || list) {
        c->kept += start;
        offer_entries(c, kind);
    } else if ((size_t)(colon - typed) < sizeof name) {
        memcpy(name, typed, (size_t)(colon - typed));
        const cairn_entry *entry = cairn_entry_find(c->command->ctx, kind, name);
        c->kept += (size_t)(colon - typed) + 1;
        if (entry) offer_pairs(c, entry, depth);
    }
    c->kept = before;
}

/* What a parameter may be, by its type; a spec inside a spec is followed some steps down. */
static void offer_value(completion *c, const cairn_param *row, int depth)
{
    enum { DEEPEST = 4 };
    cairn_entry_kind kind;
    for (const cairn_choice *choice = row->choices; choice && choice->name; choice++)
        offer(c, choice->name, "", choice->help);
    if (row->type == CAIRN_TYPE_BOOL) {
        offer(c, "yes", "", NULL);
        offer(c, "no", "", NULL);
    }
    if (row->type == CAIRN_TYPE_COLUMNS) offer_columns(c);
    if (row->type == CAIRN_TYPE_FILE && strcmp(row->name, "on") == 0)
        offer_data(c);
    else if (row->type == CAIRN_TYPE_FILE)
        offer_files(c, strcmp(row->name, "from") == 0);
    if (kind_of(row->names, &kind) && depth < DEEPEST)
        offer_spec(c, kind, row->type != CAIRN_TYPE_SPEC, depth);
}

/* -- options -- */

static bool is_given(const completion *c, const char *option)
{
    for (size_t i = 1; i + 1 < c->n_words; i++)
        if (cairn_starts_with(c->words[i], "--") && strcmp(c->words[i] + 2, option) == 0)
            return true;
    return false;
}

/* The options of an entry that are not yet given. */
static void offer_options(completion *c, const cairn_entry *entry)
{
    const cairn_param *row;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        char name[64];
        cairn_option_name(name, row->name);
        bool hidden =
            entry == &c->verb->entry && c->inner && cairn_option_row(c->inner, name, strlen(name));
        if (!hidden && (row->repeated || !is_given(c, name))) offer(c, name, "", row->help);
    }
}

static void offer_all_options(completion *c)
{
    c->kept = 2;
    if (c->inner) offer_options(c, c->inner);
    offer_options(c, &c->verb->entry);
    offer(c, "help", "", "what the command does, and its options");
    offer(c, "help-all", "", "all of its options");
}

/* The row of "--name", of the inner entry or of the verb. */
static const cairn_param *row_of(const completion *c, const char *word)
{
    size_t length = strcspn(word + 2, "=");
    const cairn_param *row = c->inner ? cairn_option_row(c->inner, word + 2, length) : NULL;
    return row ? row : cairn_option_row(&c->verb->entry, word + 2, length);
}

static bool takes_next(const completion *c, const char *word)
{
    if (!cairn_starts_with(word, "--") || strchr(word, '=')) return false;
    const cairn_param *row = row_of(c, word);
    return row && row->type != CAIRN_TYPE_BOOL;
}

/* -- words -- */

/* The i-th of the words in the usage line; the last one is for all that follow. */
static size_t usage_word(const cairn_verb *verb, size_t i, const char **out)
{
    const char *at = verb->arguments;
    size_t length = strcspn(at, " ");
    for (; i && at[length]; i--) {
        const char *next = at + length + strspn(at + length, " ");
        if (cairn_starts_with(next, "...") || cairn_starts_with(next, "--")) break;
        at = next;
        length = strcspn(at, " ");
    }
    *out = at;
    return length;
}

/* Whether the usage line has the word there, alone or as one of several. */
static bool takes(const cairn_verb *verb, size_t i, const char *what)
{
    const char *word;
    size_t length = usage_word(verb, i, &word), n = strlen(what);
    for (const char *end = word + length; word < end; word += strcspn(word, "|") + 1) {
        while (*word == '[') word++;
        size_t part = strcspn(word, "| ]");
        if (part == n && memcmp(word, what, n) == 0) return true;
    }
    return false;
}

/* Whether data may stand there: "FILE" and "IN" are data, and where models may stand before data
 * ("[MODEL ...] [DATA ...]") either may. */
static bool takes_data(const cairn_verb *verb, size_t i)
{
    const char *word;
    (void)usage_word(verb, i, &word);
    return takes(verb, i, "DATA") || takes(verb, i, "FILE") || takes(verb, i, "IN") ||
           cairn_starts_with(word, "[MODEL");
}

/* What the verb takes as its word number `i`. */
static void offer_word(completion *c, size_t i)
{
    const cairn_verb *verb = c->verb;
    bool inner = verb->inner != CAIRN_INNER_NONE && !c->inner && i == 0;
    const char *group;
    if (inner) offer_spec(c, verb->inner_kind, false, 0);
    if (takes(verb, i, "KIND"))
        for (size_t g = 0; (group = cairn_list_word(g)); g++) offer(c, group, "", NULL);
    if (takes(verb, i, "WORDS")) {
        for (int kind = CAIRN_ENTRY_LEARNER; kind <= CAIRN_ENTRY_VERB; kind++)
            offer_entries(c, (cairn_entry_kind)kind);
    }
    if (takes(verb, i, "ID")) {
        cairn_lesson_item *items;
        c->status = cairn_lesson_list(c->command->ctx, &items);
        for (; !c->status && items->id; items++) offer(c, items->id, "", items->title);
    }
    if (inner && verb->inner == CAIRN_INNER_NEEDED) return;
    if (!verb->inner && takes(verb, i, "LEARNER") && !is_given(c, "on"))
        offer_spec(c, CAIRN_ENTRY_LEARNER, false, 0);
    else if (takes_data(verb, i) || is_given(c, "on"))
        offer_data(c);
    else if (takes(verb, i, "MODEL"))
        offer_files(c, true);
    else if (takes(verb, i, "OUT"))
        offer_files(c, false);
}

static void find_inner_entry(completion *c)
{
    char name[64] = "";
    c->inner_at = -1;
    if (c->verb->inner == CAIRN_INNER_NONE) return;
    int argc = (int)c->n_words - 1;
    int at = cairn_command_inner(c->command->ctx, c->verb, argc, c->words);
    if (at >= argc) return;
    size_t length = strcspn(c->words[at], ":");
    if (length >= sizeof name) return;
    memcpy(name, c->words[at], length);
    c->inner = cairn_entry_find(c->command->ctx, c->verb->inner_kind, name);
    if (c->inner) c->inner_at = at;
}

/* The verb is known: an option, its value, or a word. */
static void complete_command(completion *c)
{
    const char *before = c->words[c->n_words - 2];
    find_inner_entry(c);
    /* Walk over the words before the last: which of them are data, and how many words of the
     * verb there are. The last word that can be data is; of a comparison that behind --on. */
    size_t n = 0;
    for (size_t i = 1; i + 1 < c->n_words; i++) {
        const char *word = c->words[i];
        if (strcmp(word, "--on") == 0 && i + 2 < c->n_words) c->data = c->words[i + 1];
        if (takes_next(c, word)) {
            i++;
            continue;
        }
        if (cairn_starts_with(word, "--")) continue;
        bool learner = c->inner && (int)i == c->inner_at;
        if (!learner && takes_data(c->verb, n)) c->data = word;
        n++;
    }
    if (takes_next(c, before)) {
        offer_value(c, row_of(c, before), 0);
    } else if (cairn_starts_with(c->word, "--") && strchr(c->word, '=')) {
        const cairn_param *row = row_of(c, c->word);
        c->kept = strcspn(c->word, "=") + 1;
        if (row) offer_value(c, row, 0);
    } else if (*c->word == '-') {
        if (c->word[1] == '-') offer_all_options(c);
    } else {
        offer_word(c, n);
    }
}

bool cairn_complete_by_shell(const char *word)
{
    return word[0] == '~' || strchr(word, '$');
}

cairn_status cairn_complete(cairn_context *ctx, const char *const *words, size_t n_words,
                            cairn_offer_fn *offer_fn, void *data)
{
    cairn_command command = {.ctx = ctx}; /* with the settings of the line; it is never run */
    completion c = {.command = &command,
                    .words = words,
                    .n_words = n_words,
                    .offer = offer_fn,
                    .offer_data = data};
    if (n_words == 0) return CAIRN_OK;
    c.word = words[n_words - 1];
    if (n_words == 1) {
        offer_entries(&c, CAIRN_ENTRY_VERB);
        offer(&c, "--help", "", NULL);
        offer(&c, "--version", "", NULL);
        return c.status;
    }
    c.verb = (const cairn_verb *)cairn_entry_find(ctx, CAIRN_ENTRY_VERB, words[0]);
    if (!c.verb) return CAIRN_OK;
    CHECK(cairn_params_for(ctx, &command.options, &c.verb->entry));
    command.common = command.options->values;
    complete_command(&c);
    cairn_table_free(c.table);
    cairn_command_clear(&command);
    return c.status;
}
