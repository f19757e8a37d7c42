/* SPDX-License-Identifier: MIT */
/* From words to settings. An option is looked up in the table of the inner entry (the learner, the
 * picture, the calculator that the first word names) and then in that of the verb. Options and
 * words may stand in any order, so the inner entry is found first:
 *
 *   1. walk over the words; options of the verb skip their value; the first other word that names
 *      an entry of the right kind is the inner one, or else the first word at all;
 *   2. walk again, now that every option's table is known, and set the values. */
#include "command/command.h"
#include "data/source.h"
#include "entry/other_name.h"
#include "entry/query.h"
#include "entry/rows.h"
#include "model/calculator.h"

#include "base/memory.h"

#include <string.h>

const cairn_param *cairn_option_row(const cairn_entry *entry, const char *name, size_t length)
{
    const cairn_param *row;
    cairn_row_walk rows = cairn_rows_of(entry);
    while ((row = cairn_next_row(&rows, NULL))) {
        char option[64];
        cairn_option_name(option, row->name);
        if (strlen(option) == length && memcmp(option, name, length) == 0) return row;
    }
    return NULL;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] == '-' && word[2];
}

/* Length of the option's name in "--name=value". */
static size_t name_length(const char *word)
{
    return strcspn(word + 2, "=");
}

/* The name in a spec; false = it is too long for one. */
static bool spec_name(char out[64], const char *spec)
{
    size_t length = strcspn(spec, ":");
    if (length >= 64) return false;
    memcpy(out, spec, length);
    out[length] = 0;
    return true;
}

static bool has_entry(const cairn_context *ctx, cairn_entry_kind kind, const char *word)
{
    char name[64];
    return spec_name(name, word) && cairn_entry_find(ctx, kind, name);
}

static bool names_entry(const cairn_context *ctx, cairn_entry_kind kind, const char *word)
{
    char name[64];
    cairn_entry_match match;
    return spec_name(name, word) && cairn_entry_named(ctx, kind, name, &match);
}

/* Whether the word behind an option is its value. A choice that can be "yes" is a flag, too: at the
 * end, before another option and before a file it is yes. */
static bool takes_next(const cairn_param *row, const char *next)
{
    bool flag = row->type == CAIRN_TYPE_BOOL;
    if (flag || row->type != CAIRN_TYPE_CHOICE) return !flag;
    for (const cairn_choice *c = row->choices; c->name; c++) flag |= cairn_same(c->name, "yes");
    return !flag || (next && *next != '-' && !strpbrk(next, "@./"));
}

int cairn_command_inner(const cairn_context *ctx, const cairn_verb *verb, int argc,
                        const char *const *argv)
{
    int first = argc, other = argc; /* a word at all; one that others call an entry by */
    bool after_unknown = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            if (first == argc && i + 1 < argc) first = i + 1;
            break;
        }
        if (is_option(argv[i])) {
            const cairn_param *row =
                cairn_option_row(&verb->entry, argv[i] + 2, name_length(argv[i]));
            if (row && !strchr(argv[i], '=') && takes_next(row, i + 1 < argc ? argv[i + 1] : NULL))
                i++;
            after_unknown = !row;
            continue;
        }
        if (has_entry(ctx, verb->inner_kind, argv[i])) return i;
        if (other == argc && names_entry(ctx, verb->inner_kind, argv[i])) other = i;
        if (first == argc && !after_unknown) first = i;
        after_unknown = false;
    }
    return other < argc ? other : first;
}

typedef struct option_tables {
    const cairn_entry *inner, *verb; /* inner may be NULL */
} option_tables;

/* The parameter names of both tables and what every verb has, for suggestions. */
static const char *option_candidate(size_t i, const void *data)
{
    const option_tables *tables = data;
    const cairn_param *row;
    size_t n = 1;
    if (i == 0) return "help";
    while (tables->inner && (row = cairn_params_row(tables->inner, n - 1, NULL))) {
        if (i == n) return row->name;
        n++;
    }
    row = cairn_params_row(tables->verb, i - n, NULL);
    return row ? row->name : NULL;
}

/* "fit tree" or "list": what the user typed so far. */
static void command_name(const cairn_command *c, char out[160])
{
    size_t n = 0;
    const char *parts[] = {c->verb->entry.name, c->inner ? " " : "",
                           c->inner ? c->inner->entry->name : ""};
    for (size_t i = 0; i < 3; i++)
        for (const char *p = parts[i]; *p && n < 159; p++) out[n++] = *p;
    out[n] = 0;
}

static bool is_plural(const char *word, const char *of)
{
    size_t length = strlen(of);
    return strncmp(word, of, length) == 0 && strcmp(word + length, "s") == 0;
}

/* An option of one of the tables: the one that others call so, the word with or without an s at its
 * end (--tree: --trees), the only one that ends with the word (--depth: --max-depth), or NULL. */
static const char *meant_option(const option_tables *tables, const char *given)
{
    const char *name, *found = NULL;
    size_t length = strlen(given), n_found = 0;
    if (tables->inner) found = cairn_other_name(given, tables->inner).near;
    if (!found) found = cairn_other_name(given, tables->verb).near;
    if (found) return found;
    for (size_t i = 0; (name = option_candidate(i, tables)); i++)
        if (is_plural(name, given) || is_plural(given, name)) return name;
    for (size_t i = 0; length > 2 && (name = option_candidate(i, tables)); i++) {
        size_t whole = strlen(name);
        if (whole <= length + 1 || name[whole - length - 1] != '_') continue;
        if (strcmp(name + whole - length, given) == 0) found = name, n_found++;
    }
    return n_found == 1 ? found : NULL;
}

/* The option that has the word among its choices (--random: --search random), or NULL. */
static const char *choice_option(const option_tables *tables, const char *given)
{
    const cairn_entry *entries[] = {tables->verb, tables->inner};
    for (size_t e = 0; e < 2; e++) {
        const cairn_param *row;
        for (size_t i = 0; entries[e] && (row = cairn_params_row(entries[e], i, NULL)); i++)
            for (const cairn_choice *c = row->choices; c && c->name; c++)
                if (strcmp(c->name, given) == 0 && strcmp(given, "yes") && strcmp(given, "no"))
                    return row->name;
    }
    return NULL;
}

/* Whether the words that a command takes, such as "IN OUT" or "[MODEL ...]", have the name. */
static bool is_argument(const char *arguments, const char *given)
{
    size_t length = strlen(given);
    while (*(arguments += strcspn(arguments, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))) {
        size_t n = strspn(arguments, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), same = 0;
        while (same < n && given[same] == arguments[same] - 'A' + 'a') same++;
        if (same == n && n == length) return true;
        arguments += n;
    }
    return false;
}

/* Another entry of the kind that is looked for by the name of this one and has the option: what was
 * meant by 't-test --by' is 'two-samples'. */
static const cairn_entry *other_entry(const cairn_context *ctx, const cairn_entry *entry,
                                      const char *option)
{
    size_t n;
    const cairn_entry *const *all = cairn_entries(ctx, &n);
    cairn_query query;
    if (!entry) return NULL;
    cairn_query_read(&query, entry->name);
    for (size_t i = 0; i < n; i++) {
        if (all[i]->kind != entry->kind || all[i] == entry || !all[i]->about) continue;
        cairn_entry named = {.name = "", .also = all[i]->about};
        if (cairn_entry_called(&named, &query).answer == CAIRN_ANSWER_WHOLE &&
            cairn_other_name(option, all[i]).first)
            return all[i];
    }
    return NULL;
}

/* Tried in turn: a word of the command written as an option, the value of some option used as an
 * option, another word for it, the option nearest in spelling; else where all are listed. */
static cairn_status unknown_option(cairn_command *c, const char *name, size_t length)
{
    option_tables tables = {.inner = c->inner ? c->inner->entry : NULL, .verb = &c->verb->entry};
    char given[64], wanted[64], near[64], command[160];
    if (length >= sizeof given) length = sizeof given - 1;
    for (size_t i = 0; i < length; i++) {
        given[i] = name[i];
        wanted[i] = name[i] == '-' ? '_' : name[i];
    }
    given[length] = wanted[length] = 0;
    command_name(c, command);
    if (is_argument(c->verb->arguments, given))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'%s' has no option --%s; it stands without one: cairn %s %s", command,
                          given, c->verb->entry.name, c->verb->arguments);
    bool drawn = tables.inner && tables.inner->kind == CAIRN_ENTRY_PICTURE &&
                 cairn_calculator_of(tables.inner)->needs_model;
    if (drawn && strcmp(given, "fit") == 0) /* other pictures have this option */
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'%s' has no option --fit, since it draws a model that was saved: 'cairn "
                          "fit LEARNER DATA --save FILE', then 'cairn %s FILE ...'",
                          command, command);
    const char *choice = choice_option(&tables, given), *found = meant_option(&tables, wanted);
    if (choice && !found) {
        cairn_option_name(near, choice);
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' has no option --%s; did you mean --%s %s?",
                          command, given, near, given);
    }
    const cairn_entry *other = found ? NULL : other_entry(c->ctx, tables.inner, wanted);
    if (other)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' has no option --%s; '%s %s' has it: %s",
                          command, given, c->verb->entry.name, other->name, other->example);
    if (!found) found = cairn_nearest_word(wanted, option_candidate, &tables);
    if (!found)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'%s' has no option --%s; 'cairn %s --help-all' shows all of them",
                          command, given, command);
    cairn_option_name(near, found);
    return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' has no option --%s; did you mean --%s?", command,
                      given, near);
}

/* Settings and row that an option belongs to: the inner entry's table comes first, unless the
 * parameter was given behind its name (forest:importance=none): then the option is the verb's.
 * Where none has the name itself, others may call one of them so. */
static cairn_status locate(cairn_command *c, const char *name, size_t length,
                           cairn_params **settings, const cairn_param **out)
{
    cairn_params *tables[] = {c->inner, c->options};
    for (size_t i = 0; i < 2; i++) {
        const cairn_param *row =
            tables[i] ? cairn_option_row(tables[i]->entry, name, length) : NULL;
        bool settled = row && i == 0 && cairn_params_is_set(c->spec, row->name);
        if (settled && cairn_option_row(c->options->entry, name, length)) continue;
        *settings = tables[i];
        *out = row;
        if (row) return CAIRN_OK;
    }
    char given[64], options[2][64];
    if (length >= sizeof given) return CAIRN_OK;
    memcpy(given, name, length);
    given[length] = 0;
    const char *own = c->inner ? cairn_other_name(given, c->inner->entry).first : NULL;
    const char *verbs = cairn_other_name(given, c->options->entry).first;
    if (own && verbs && strcmp(own, verbs) != 0) {
        cairn_option_name(options[0], own);
        cairn_option_name(options[1], verbs);
        return cairn_fail(
            c->ctx, CAIRN_USAGE,
            "--%s may mean --%s (%s) or --%s (%s); write the one that is meant", given, options[0],
            cairn_say(c->ctx, cairn_params_row_named(c->inner->entry, own)->help), options[1],
            cairn_say(c->ctx, cairn_params_row_named(c->options->entry, verbs)->help));
    }
    for (size_t i = 0; i < 2 && !*out; i++) {
        const char *meant = NULL;
        if (!tables[i]) continue;
        CHECK(cairn_option_meant(c->ctx, tables[i], given, &meant));
        *settings = tables[i];
        if (meant) *out = cairn_params_row_named(tables[i]->entry, meant);
    }
    return CAIRN_OK;
}

/* A value that the verb's option cannot take, but one of the inner entry could that had this name:
 * say what it is called. */
static cairn_status name_new(cairn_command *c, const cairn_param *row, const char *value,
                             cairn_status status)
{
    const cairn_param *inner;
    char now[64];
    for (size_t i = 0; c->inner && (inner = cairn_params_row(c->inner->entry, i, NULL)); i++) {
        if (!inner->was || strcmp(inner->was, row->name) != 0) continue;
        cairn_option_name(now, inner->name);
        return cairn_fail(c->ctx, status,
                          "--%s %s: --%s is now that of the picture, in points; use --%s (%s)",
                          row->name, value, row->name, now, cairn_say(c->ctx, inner->help));
    }
    return status;
}

/* Read the option at argv[*at] and its value, which may be the next word; "no-" turns a yes-or-no
 * option off. */
static cairn_status read_option(cairn_command *c, int argc, const char *const *argv, int *at)
{
    const char *name = argv[*at] + 2, *value = strchr(name, '=');
    size_t length = name_length(argv[*at]);
    cairn_params *settings;
    const cairn_param *row = NULL;
    CHECK(locate(c, name, length, &settings, &row));
    if (value) value++;
    if (!row && cairn_starts_with(name, "no-") && !value) {
        CHECK(locate(c, name + 3, length - 3, &settings, &row));
        if (!row || row->type != CAIRN_TYPE_BOOL) return unknown_option(c, name, length);
        return cairn_params_set(c->ctx, settings, row->name, "no");
    }
    if (!row) return unknown_option(c, name, length);
    if (!value && !takes_next(row, *at + 1 < argc ? argv[*at + 1] : NULL)) value = "yes";
    if (row->type == CAIRN_TYPE_BOOL) return cairn_params_set(c->ctx, settings, row->name, value);
    if (!value && *at + 1 >= argc)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--%.*s needs a value: %s", (int)length, name,
                          cairn_say(c->ctx, row->help));
    if (!value) value = argv[++*at];
    if (settings == c->inner || strcmp(row->name, "given") == 0) {
        /* A file that is read below the commands is read from the disk: give it a real one. */
        if (row->type != CAIRN_TYPE_COLUMNS) {
            CHECK(cairn_virtual_real(c->ctx, c->files, &value));
        }
    }
    cairn_status status = cairn_params_give(c->ctx, settings, row->name, value);
    return status && settings == c->options ? name_new(c, row, value, status) : status;
}

/* Passwords in the names of databases go no further than here. */
static cairn_status take_word(cairn_command *c, const char *word)
{
    c->given[c->n_words] = word;
    return cairn_source_shown(c->ctx, &c->words[c->n_words++], word);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
           strcmp(word, "--help-all") == 0;
}

/* All words and options but the inner entry's name. */
static cairn_status read_words(cairn_command *c, int argc, const char *const *argv, int inner)
{
    bool options_end = false;
    for (int i = 1; i < argc; i++) {
        if (i == inner) continue;
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (!options_end && is_help(argv[i]))
            c->help = true, c->help_all |= strcmp(argv[i], "--help-all") == 0;
        else if (!options_end && is_option(argv[i]))
            CHECK(read_option(c, argc, argv, &i));
        else if (!options_end && argv[i][0] == '-' && argv[i][1])
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "there are no short options, so '%s' means nothing; write -- before "
                              "a word that begins with a minus",
                              argv[i]);
        else
            CHECK(take_word(c, argv[i]));
    }
    return CAIRN_OK;
}

static cairn_status check_words(const cairn_command *c)
{
    size_t n = c->n_words + (c->inner != NULL);
    const char *name = c->verb->entry.name, *arguments = c->verb->arguments;
    if (n < c->verb->least && !c->inner && c->verb->inner == CAIRN_INNER_NEEDED)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'%s' needs %s; 'cairn list %ss' names what may stand there, 'cairn %s "
                          "--help' shows how",
                          name, arguments, cairn_entry_kind_name(c->verb->inner_kind), name);
    if (n < c->verb->least)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' needs %s; 'cairn %s --help' shows how", name,
                          arguments, name);
    if (n > c->verb->most)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'%s' takes %s and does not know what to do "
                          "with '%s'",
                          name, *arguments ? arguments : "no words", c->words[c->n_words - 1]);
    return CAIRN_OK;
}

/* Whether `word`, which names no entry, is meant as a file; C4.5 is not, unless there is one. */
static bool is_path(const cairn_command *c, const char *word)
{
    if (cairn_command_has_file(c, word)) return true;
    return strpbrk(word, "/.") && !cairn_entry_known(c->ctx, c->verb->inner_kind, word);
}

/* Whether the entry of a spec ("gaussian:covariance=own") counts with further settings. */
static bool takes_settings(const cairn_command *c, const char *spec, bool more, const char *rest)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    SCOPED(cairn_text_clear) cairn_text whole = cairn_text_start(c->ctx);
    cairn_text_addf(&whole, "%s%c%s", spec, more ? ',' : ':', rest);
    return !cairn_text_status(&whole) &&
           !cairn_params_from_spec(c->ctx, &params, c->verb->inner_kind,
                                   cairn_text_string(&whole)) &&
           !cairn_params_check(c->ctx, params);
}

/* Others call several entries by the word at `at`: the command with each of them in its place. */
static cairn_status ask_back(const cairn_command *c, int argc, const char *const *argv, int at,
                             cairn_status refused)
{
    SCOPED(cairn_text_clear) cairn_text lines = cairn_text_start(c->ctx);
    const cairn_entry *entry;
    cairn_entry_match match;
    char name[64];
    size_t n = 0;
    if (!spec_name(name, argv[at]) || cairn_entry_find(c->ctx, c->verb->inner_kind, name))
        return refused;
    for (; (entry = cairn_entry_reading(c->ctx, c->verb->inner_kind, name, n, &match)); n++) {
        SCOPED(cairn_text_clear) cairn_text type = cairn_text_start(c->ctx);
        cairn_match_type(&type, entry, &match);
        const char *rest = argv[at] + strlen(name);
        bool takes = *rest && takes_settings(c, cairn_text_string(&type), match.settings, rest + 1);
        if (takes) cairn_text_addf(&type, "%c%s", match.settings ? ',' : ':', rest + 1);
        CHECK(cairn_text_status(&type));
        cairn_text_add(&lines, n ? " or 'cairn" : "'cairn");
        for (int i = 0; i < argc; i++) {
            const char *word = i == at ? cairn_text_string(&type) : argv[i];
            cairn_text_add_shell(&lines, word, strlen(word));
        }
        cairn_text_addf(&lines, "' (%s", entry->title);
        if (*rest && !takes) cairn_text_addf(&lines, ", which does not take %s", rest + 1);
        cairn_text_add(&lines, ")");
    }
    CHECK(cairn_text_status(&lines));
    return n < 2 ? refused
                 : cairn_fail(c->ctx, CAIRN_USAGE, "the %s '%s' may be %s",
                              cairn_entry_kind_name(c->verb->inner_kind), name,
                              cairn_text_string(&lines));
}

static cairn_status read_inner(cairn_command *c, int argc, const char *const *argv, int *at)
{
    const cairn_verb *verb = c->verb;
    *at = argc;
    if (verb->inner == CAIRN_INNER_NONE) return CAIRN_OK;
    int found = cairn_command_inner(c->ctx, verb, argc, argv);
    if (found == argc) return CAIRN_OK;
    if (verb->inner == CAIRN_INNER_OR_FILE && !names_entry(c->ctx, verb->inner_kind, argv[found]) &&
        is_path(c, argv[found]))
        return CAIRN_OK;
    *at = found;
    cairn_status status = cairn_params_from_spec(c->ctx, &c->inner, verb->inner_kind, argv[found]);
    if (status == CAIRN_USAGE) return ask_back(c, argc, argv, found, status);
    CHECK(status);
    c->inner->said = CAIRN_SAID_OPTION;
    return cairn_params_copy(c->ctx, &c->spec, c->inner);
}

void cairn_text_add_shell(cairn_text *line, const char *word, size_t length)
{
    static const char special[] = " \t\n'\"\\$&|;<>()*?[]{}#~`!";
    size_t plain = 0;
    while (plain < length && !strchr(special, word[plain])) plain++;
    if (length && plain == length) {
        cairn_text_addf(line, " %.*s", (int)length, word);
        return;
    }
    cairn_text_add(line, " '");
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\'')
            cairn_text_add(line, "'\\''");
        else
            cairn_text_addf(line, "%c", word[i]);
    cairn_text_add(line, "'");
}

/* Append "--name value" for what was set and matters to the result. */
static void add_settings(cairn_text *line, const cairn_params *params)
{
    static const char *const without[] = {"threads", "out",   "save",   "format", "timings",
                                          "quiet",   "steps", "memory", "limits", "journal",
                                          "figure",  "force", "full",   "brief",  NULL};
    if (!params) return;
    cairn_row_walk rows = cairn_rows_of(params->entry);
    for (size_t i = 0; i < params->n_rows; i++) {
        const cairn_param *row = cairn_next_row(&rows, NULL);
        const char *value = params->texts[i];
        bool left_out = !value || cairn_same(value, cairn_params_usual(params, row));
        bool verb = params->entry->kind == CAIRN_ENTRY_VERB;
        /* what a learner writes or shows besides the model */
        left_out |= !verb && (row->writes || row->steps);
        for (const char *const *w = without; *w; w++)
            if (verb && cairn_same(*w, row->name)) left_out = true;
        while (!left_out && value && *value) {
            char option[64];
            size_t length = row->repeated ? strcspn(value, "\n") : strlen(value);
            cairn_option_name(option, row->name);
            /* a yes-or-no option takes no word of its own */
            if (row->type == CAIRN_TYPE_BOOL) {
                cairn_text_addf(line, cairn_same(value, "yes") ? " --%s" : " --no-%s", option);
                break;
            }
            cairn_text_addf(line, " --%s", option);
            cairn_text_add_shell(line, value, length);
            value += length + (value[length] == '\n');
        }
    }
}

/* The command as provenance keeps it: the same for any spelling of the same work. */
static cairn_status make_line(cairn_command *c)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(c->ctx);
    char *kept = NULL;
    cairn_text_addf(&line, "cairn %s", c->verb->entry.name);
    if (c->inner) cairn_text_addf(&line, " %s", c->inner->entry->name);
    for (size_t i = 0; i < c->n_words; i++)
        cairn_text_add_shell(&line, c->words[i], strlen(c->words[i]));
    add_settings(&line, c->inner);
    add_settings(&line, c->options);
    CHECK(cairn_text_status(&line));
    CHECK(SCRATCH_RAW(c->ctx, &kept, line.length + 1));
    memcpy(kept, cairn_text_string(&line), line.length + 1);
    c->line = kept;
    return CAIRN_OK;
}

/* A verb that varies parameters says by itself which of them never count. */
static cairn_status check_inner(const cairn_command *c)
{
    OWNED(cairn_params_free) cairn_params *counting = NULL;
    if (!c->inner) return CAIRN_OK;
    if (c->verb->settled && cairn_params_is_set(c->options, c->verb->settled)) return CAIRN_OK;
    if (!c->verb->varies) return cairn_params_check(c->ctx, c->inner);
    CHECK(cairn_params_copy(c->ctx, &counting, c->inner));
    /* A parameter that must be given is, where the verb varies it: the first of its values
     * stands for all ("clusters=2:6" for 2). */
    const char *over =
        cairn_params_has(c->options->entry, "over") ? cairn_params_text(c->options, "over") : NULL;
    if (!over && c->inner->entry->kind == CAIRN_ENTRY_LEARNER)
        over = ((const cairn_learner *)c->inner->entry)->space;
    while (over && *over) {
        size_t line = strcspn(over, "\n"), mark = strcspn(over, "=");
        char *name, *value;
        if (mark < line) {
            size_t length = strcspn(over + mark + 1, ",:|\n");
            CHECK(SCRATCH(c->ctx, &name, mark + 1));
            CHECK(SCRATCH(c->ctx, &value, length + 1));
            memcpy(name, over, mark);
            memcpy(value, over + mark + 1, length);
            const char *meant = name;
            if (!cairn_params_has(counting->entry, name))
                meant = cairn_other_name(name, counting->entry).first; /* noted by the verb */
            if (meant && cairn_params_text(counting, meant) == NULL)
                CHECK(cairn_params_set(c->ctx, counting, meant, value));
        }
        over += line + (over[line] == '\n');
    }
    CHECK(cairn_params_drop_idle(c->ctx, counting));
    return cairn_params_check(c->ctx, counting);
}

cairn_status cairn_command_parse(cairn_command *out, const cairn_verb *verb, int argc,
                                 const char *const *argv)
{
    int inner;
    out->verb = verb;
    CHECK(cairn_params_for(out->ctx, &out->options, &verb->entry));
    out->options->said = CAIRN_SAID_OPTION;
    out->common = out->options->values;
    CHECK(SCRATCH_EACH(out->ctx, (size_t)argc + 1, &out->words, &out->given));
    CHECK(read_inner(out, argc, argv, &inner));
    CHECK(read_words(out, argc, argv, inner));
    if (out->help) return CAIRN_OK;
    CHECK(check_words(out));
    CHECK(check_inner(out));
    CHECK(cairn_params_check(out->ctx, out->options));
    return make_line(out);
}

void cairn_command_clear(cairn_command *command)
{
    cairn_params_free(command->options);
    cairn_params_free(command->inner);
    for (size_t i = 0; i < command->n_wrappers; i++) cairn_params_free(command->wrappers[i]);
    cairn_free(command->wrappers);
    cairn_params_free(command->transforms);
    cairn_params_free(command->spec);
    FREE_EACH(command->document, command->computed_target);
    command->options = command->inner = command->spec = NULL;
    command->document = command->computed_target = NULL;
}
