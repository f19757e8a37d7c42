/* SPDX-License-Identifier: MIT */
/* Completion scripts for three shells, made from the records. Each script knows the verbs, the
 * names that may follow a verb, the options of both, and the values of choices; files are left to
 * the shell. */
#include "command/command.h"

#include <string.h>

/* Names of all entries of a kind, separated by blanks. */
static void add_names(cairn_text *out, cairn_entry_kind kind)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const char *blank = "";
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != kind) continue;
        cairn_text_addf(out, "%s%s", blank, entries[i]->name);
        blank = " ";
    }
}

static void add_option_names(cairn_text *out, const cairn_entry *entry)
{
    const cairn_param *row;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        char option[64];
        cairn_option_name(option, row->name);
        cairn_text_addf(out, " --%s", option);
    }
}

static void add_choice_names(cairn_text *out, const cairn_param *row)
{
    for (const cairn_choice *c = row->choices; c->name; c++)
        cairn_text_addf(out, "%s%s", c == row->choices ? "" : " ", c->name);
}

static void add_data_names(cairn_text *out)
{
    const char *name, *title;
    for (size_t i = 0; (name = cairn_builtin_name(i, &title)); i++)
        cairn_text_addf(out, "%s@%s", i ? " " : "", name);
}

static void add_lesson_names(cairn_text *out)
{
    cairn_lesson_item *items;
    if ((out->status = cairn_lesson_list(out->ctx, &items))) return;
    for (size_t i = 0; items[i].id; i++) cairn_text_addf(out, "%s%s", i ? " " : "", items[i].id);
}

/* The words that may follow a verb. */
static void add_first_words(cairn_text *out, const cairn_verb *verb)
{
    if (verb->inner != CAIRN_INNER_NONE) add_names(out, verb->inner_kind);
    if (strcmp(verb->entry.name, "lesson") == 0) add_lesson_names(out);
    if (strcmp(verb->entry.name, "describe") == 0 || strcmp(verb->entry.name, "convert") == 0)
        add_data_names(out);
    if (strcmp(verb->entry.name, "list") == 0)
        cairn_text_add(out, "verbs learners transforms resamplings measures calculators pictures "
                            "formats data lessons");
    if (strcmp(verb->entry.name, "help") == 0)
        for (int kind = CAIRN_ENTRY_LEARNER; kind <= CAIRN_ENTRY_VERB; kind++) {
            if (kind) cairn_text_add_char(out, ' ');
            add_names(out, (cairn_entry_kind)kind);
        }
}

/* "fit:tree) options" lines of a shell's case, for each entry that a verb may hold. */
static void add_inner_cases(cairn_text *out, const cairn_verb *verb)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != verb->inner_kind) continue;
        if (!cairn_params_row(entries[i], 0, NULL)) continue;
        cairn_text_addf(out, "    %s:%s) options=\"$options", verb->entry.name, entries[i]->name);
        add_option_names(out, entries[i]);
        cairn_text_add(out, "\" ;;\n");
    }
}

/* Shell code that sets $names and $options from $verb and $first: the same for bash and zsh. */
static void add_tables(cairn_text *out)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_text_add(out, "  names= options=--help\n  case $verb in\n");
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_VERB) continue;
        cairn_text_addf(out, "    %s) names=\"", entries[i]->name);
        add_first_words(out, (const cairn_verb *)entries[i]);
        cairn_text_add(out, "\" options=\"$options");
        add_option_names(out, entries[i]);
        cairn_text_add(out, "\" ;;\n");
    }
    cairn_text_add(out, "  esac\n  case $verb:$first in\n");
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == CAIRN_ENTRY_VERB &&
            ((const cairn_verb *)entries[i])->inner != CAIRN_INNER_NONE)
            add_inner_cases(out, (const cairn_verb *)entries[i]);
    cairn_text_add(out, "  esac\n");
}

/* Whether an earlier entry already gave the choices of an option of this name. */
static bool seen_before(size_t entry, size_t row_at, const char *name)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_param *row;
    for (size_t i = 0; i <= entry; i++)
        for (size_t j = 0; (row = cairn_params_row(entries[i], j, NULL)); j++) {
            if (i == entry && j == row_at) return false;
            if (row->choices && strcmp(row->name, name) == 0) return true;
        }
    return false;
}

/* "--option) values=..." for every option with choices; the first of a name wins. */
static void add_values(cairn_text *out)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_param *row;
    cairn_text_add(out, "  values=\n  case $before in\n");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; (row = cairn_params_row(entries[i], j, NULL)); j++) {
            char option[64];
            if (!row->choices || seen_before(i, j, row->name)) continue;
            cairn_option_name(option, row->name);
            cairn_text_addf(out, "    --%s) values=\"", option);
            add_choice_names(out, row);
            cairn_text_add(out, "\" ;;\n");
        }
    cairn_text_add(out, "  esac\n");
}

void cairn_help_bash(cairn_text *out)
{
    cairn_text_add(out,
                   "# bash completion for cairn\n_cairn()\n{\n"
                   "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "  local verb=${COMP_WORDS[1]} first=${COMP_WORDS[2]}\n"
                   "  local names options values data\n  COMPREPLY=()\n"
                   "  if (( COMP_CWORD == 1 )); then\n    COMPREPLY=( $(compgen -W \"");
    add_names(out, CAIRN_ENTRY_VERB);
    cairn_text_add(out, " --version --help\" -- \"$word\") )\n    return\n  fi\n");
    add_tables(out);
    add_values(out);
    cairn_text_add(out, "  data=\"");
    add_data_names(out);
    cairn_text_add(out, "\"\n  if [[ $word == --* ]]; then\n"
                        "    COMPREPLY=( $(compgen -W \"$options\" -- \"$word\") )\n"
                        "  elif [[ -n $values ]]; then\n"
                        "    COMPREPLY=( $(compgen -W \"$values\" -- \"$word\") )\n"
                        "  elif [[ $word == @* ]]; then\n"
                        "    COMPREPLY=( $(compgen -W \"$data\" -- \"$word\") )\n"
                        "  elif (( COMP_CWORD == 2 )) && [[ -n $names ]]; then\n"
                        "    COMPREPLY=( $(compgen -W \"$names\" -- \"$word\") $(compgen -f -- "
                        "\"$word\") )\n"
                        "  else\n    COMPREPLY=( $(compgen -f -- \"$word\") )\n  fi\n}\n"
                        "complete -o filenames -F _cairn cairn\n");
}

void cairn_help_zsh(cairn_text *out)
{
    cairn_text_add(out, "#compdef cairn\n_cairn()\n{\n"
                        "  local word=${words[CURRENT]} before=${words[CURRENT-1]}\n"
                        "  local verb=${words[2]} first=${words[3]} number=$CURRENT\n"
                        "  local names options values data\n  local -a list\n"
                        "  if (( number == 2 )); then\n    list=( ");
    add_names(out, CAIRN_ENTRY_VERB);
    cairn_text_add(out, " )\n    compadd -- $list\n    return\n  fi\n");
    add_tables(out);
    add_values(out);
    cairn_text_add(out, "  data=\"");
    add_data_names(out);
    cairn_text_add(out, "\"\n  if [[ $word == --* ]]; then\n    compadd -- ${=options}\n"
                        "  elif [[ -n $values ]]; then\n    compadd -- ${=values}\n"
                        "  elif [[ $word == @* ]]; then\n    compadd -- ${=data}\n"
                        "  elif (( number == 3 )) && [[ -n $names ]]; then\n"
                        "    compadd -- ${=names}\n    _files\n  else\n    _files\n  fi\n}\n"
                        "_cairn \"$@\"\n");
}

/* Text inside single quotes of fish. */
static void add_fish_quoted(cairn_text *out, const char *text)
{
    cairn_text_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') cairn_text_add_char(out, '\\');
        cairn_text_add_char(out, *text);
    }
    cairn_text_add_char(out, '\'');
}

/* What an option is for, and with which others it counts. */
static void add_fish_meaning(cairn_text *out, const cairn_entry *entry, size_t i)
{
    const char *when[CAIRN_MOST_NESTING + 1];
    cairn_text meaning = cairn_text_start(out->ctx);
    cairn_text_add(&meaning, cairn_params_row(entry, i, NULL)->help);
    if (cairn_params_when(entry, i, when)) cairn_text_add(&meaning, "; ");
    cairn_param_condition(&meaning, entry, i);
    add_fish_quoted(out, cairn_text_string(&meaning));
    if (meaning.status) out->status = meaning.status;
    cairn_text_clear(&meaning);
}

static void add_fish_options(cairn_text *out, const char *condition, const cairn_entry *entry)
{
    const cairn_param *row;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        char option[64];
        cairn_option_name(option, row->name);
        cairn_text_addf(out, "complete -c cairn -n '%s' -l %s", condition, option);
        if (row->choices) {
            cairn_text_add(out, " -x -a '");
            add_choice_names(out, row);
            cairn_text_add_char(out, '\'');
        } else if (row->type != CAIRN_TYPE_BOOL) {
            cairn_text_add(out, row->type == CAIRN_TYPE_FILE ? " -r" : " -x");
        }
        cairn_text_add(out, " -d ");
        add_fish_meaning(out, entry, i);
        cairn_text_add_char(out, '\n');
    }
}

static void add_fish_verb(cairn_text *out, const cairn_verb *verb)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const char *name = verb->entry.name;
    cairn_text condition = cairn_text_start(out->ctx);
    cairn_text_addf(out, "complete -c cairn -n __fish_use_subcommand -f -a %s -d ", name);
    add_fish_quoted(out, verb->entry.title);
    cairn_text_addf(out, "\ncomplete -c cairn -n '__fish_seen_subcommand_from %s' -a '", name);
    add_first_words(out, verb);
    cairn_text_add(out, "'\n");
    cairn_text_addf(&condition, "__fish_seen_subcommand_from %s", name);
    add_fish_options(out, cairn_text_string(&condition), &verb->entry);
    for (size_t i = 0; verb->inner != CAIRN_INNER_NONE && i < n; i++) {
        if (entries[i]->kind != verb->inner_kind) continue;
        cairn_text_clear(&condition);
        condition = cairn_text_start(out->ctx);
        cairn_text_addf(&condition,
                        "__fish_seen_subcommand_from %s; and __fish_seen_subcommand_from %s", name,
                        entries[i]->name);
        add_fish_options(out, cairn_text_string(&condition), entries[i]);
    }
    if (condition.status) out->status = condition.status;
    cairn_text_clear(&condition);
}

void cairn_help_fish(cairn_text *out)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_text_add(out, "# fish completion for cairn\n");
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == CAIRN_ENTRY_VERB)
            add_fish_verb(out, (const cairn_verb *)entries[i]);
    cairn_text_add(out, "complete -c cairn -n 'string match -q -- \"@*\" (commandline -ct)' -a '");
    add_data_names(out);
    cairn_text_add(out, "'\n");
}
