/* SPDX-License-Identifier: MIT */
/* Help for programs: every entry with all that its record says, as JSON. Completion of other
 * shells, manual pages, forms and documents can be made from it. */
#include "command/command.h"
#include "export/export.h"
#include "model/traits.h"

#include <string.h>

/* "key":"text" or "key":null, with a comma in front. */
static void add_field(cairn_text *out, const char *key, const char *value)
{
    cairn_text_addf(out, ",\"%s\":", key);
    if (value)
        cairn_text_add_json(out, value);
    else
        cairn_text_add(out, "null");
}

/* The same of a text of the record, with its marks written out. */
static void add_said(cairn_text *out, const cairn_entry *entry, const char *key, const char *value)
{
    cairn_text said = cairn_text_start(out->ctx);
    cairn_help_say(&said, entry, value);
    add_field(out, key, value ? cairn_text_string(&said) : NULL);
    if (said.status) out->status = said.status;
    cairn_text_clear(&said);
}

/* All that the parameter's record says; members that a record leaves out are left out here too. */
static void add_param(cairn_text *out, const cairn_entry *entry, size_t i)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    char option[64];
    cairn_option_name(option, row->name);
    cairn_text_add(out, "{\"option\":");
    cairn_text_add_json(out, option);
    add_field(out, "type", cairn_type_name(row->type));
    add_field(out, "default", row->initial);
    add_field(out, "range", row->range);
    add_said(out, entry, "help", row->help);
    /* "when": what must hold for the parameter to count, in the language of conditions, or null. */
    const char *when[CAIRN_MOST_NESTING + 1];
    size_t n = cairn_params_when(entry, i, when);
    cairn_text_addf(out, ",\"when\":%s", n ? "\"" : "null");
    for (size_t k = 0; k < n; k++) cairn_text_addf(out, "%s%s", k ? "," : "", when[k]);
    if (n) cairn_text_add_char(out, '"');
    add_field(out, "names", row->names);
    cairn_text_addf(out, ",\"required\":%s,\"repeated\":%s,\"often\":%s",
                    row->required ? "true" : "false", row->repeated ? "true" : "false",
                    row->often ? "true" : "false");
    if (row->choices) {
        cairn_text_add(out, ",\"choices\":[");
        for (const cairn_choice *c = row->choices; c->name; c++) {
            cairn_text_add(out, c == row->choices ? "{\"name\":" : ",{\"name\":");
            cairn_text_add_json(out, c->name);
            add_said(out, entry, "help", c->help);
            cairn_text_add_char(out, '}');
        }
        cairn_text_add_char(out, ']');
    }
    cairn_text_add_char(out, '}');
}

/* "key":["word",...] with a comma in front. */
static void add_words(cairn_text *out, const char *key, const cairn_flag_word *words,
                      unsigned flags)
{
    cairn_text_addf(out, ",\"%s\":[", key);
    cairn_flags_add(out, words, flags, true);
    cairn_text_add_char(out, ']');
}

/* What only learners have: tasks, traits, what they accept and answer, and the forms in which
 * their models can be written. */
static void add_learner(cairn_text *out, const cairn_learner *learner)
{
    add_words(out, "tasks", cairn_task_words, learner->tasks);
    add_words(out, "purpose", cairn_purpose_words, learner->traits);
    add_words(out, "supervision", cairn_supervision_words, learner->traits);
    add_words(out, "model", cairn_family_words, learner->traits);
    add_words(out, "divides", cairn_division_words, learner->traits);
    add_words(out, "accepts", cairn_accept_words, learner->accepts);
    cairn_text_addf(out, ",\"scores\":%s", learner->gives_scores ? "true" : "false");
    cairn_text_add(out, ",\"gives\":[");
    cairn_learner_answers(out, learner, true);
    cairn_text_add_char(out, ']');
    cairn_text_add(out, ",\"outputs\":[");
    for (const cairn_output *o = learner->outputs; o && o->name; o++) {
        cairn_text_add(out, o == learner->outputs ? "{\"name\":" : ",{\"name\":");
        cairn_text_add_json(out, o->name);
        add_said(out, &learner->entry, "help", o->help);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, "],\"forms\":[");
    cairn_form_help forms[CAIRN_MOST_FORMS];
    (void)cairn_export_forms(forms, learner);
    for (const cairn_form_help *f = forms; f->name; f++) {
        cairn_text_add(out, f == forms ? "{\"name\":" : ",{\"name\":");
        cairn_text_add_json(out, f->name);
        add_said(out, &learner->entry, "help", f->help);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add_char(out, ']');
}

/* One object per entry of the registry, in which learners and verbs have further members. */
static void add_entry(cairn_text *out, const cairn_entry *entry)
{
    cairn_text usage = cairn_text_start(out->ctx);
    cairn_help_usage(&usage, entry);
    cairn_text_add(out, "{\"kind\":");
    cairn_text_add_json(out, cairn_entry_kind_name(entry->kind));
    add_field(out, "name", entry->name);
    add_field(out, "title", entry->title);
    add_field(out, "also", entry->also);
    add_said(out, entry, "summary", entry->summary);
    add_field(out, "usage", cairn_text_string(&usage));
    add_field(out, "example", entry->example);
    add_field(out, "references", entry->references);
    if (entry->kind == CAIRN_ENTRY_LEARNER) add_learner(out, (const cairn_learner *)entry);
    if (entry->kind == CAIRN_ENTRY_VERB)
        add_field(out, "arguments", ((const cairn_verb *)entry)->arguments);
    cairn_text_add(out, ",\"parameters\":[");
    for (size_t i = 0; cairn_params_row(entry, i, NULL); i++) {
        if (i) cairn_text_add_char(out, ',');
        add_param(out, entry, i);
    }
    cairn_text_add(out, "]}");
    if (cairn_text_status(&usage)) out->status = usage.status;
    cairn_text_clear(&usage);
}

static void add_lessons(cairn_text *out, const char *name)
{
    cairn_lesson_item *items;
    const char *comma = "\n";
    if ((out->status = cairn_lesson_list(out->ctx, &items))) return;
    const cairn_lesson_item *only = name ? cairn_lesson_named(items, name) : NULL;
    for (; items->id; items++) {
        if (name && items != only) continue;
        cairn_text_addf(out, "%s{\"id\":", comma);
        cairn_text_add_json(out, items->id);
        add_field(out, "title", items->title);
        cairn_text_add_char(out, '}');
        comma = ",\n";
    }
}

void cairn_help_json(cairn_text *out, const char *name)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(out->ctx, &n);
    const char *comma = "", *word, *title;
    cairn_text_addf(out, "{\"version\":\"%s\",\"entries\":[\n", cairn_version());
    for (size_t i = 0; i < n; i++) {
        if (name && strcmp(entries[i]->name, name) != 0) continue;
        cairn_text_add(out, comma);
        add_entry(out, entries[i]);
        comma = ",\n";
    }
    cairn_text_add(out, "\n],\"data\":[");
    comma = "\n";
    for (size_t i = 0; (word = cairn_builtin_name(i, &title)); i++) {
        if (name && strcmp(word, name) != 0) continue;
        cairn_text_addf(out, "%s{\"name\":", comma);
        cairn_text_add_json(out, word);
        add_field(out, "title", title);
        cairn_text_add_char(out, '}');
        comma = ",\n";
    }
    cairn_text_add(out, "],\"lessons\":[");
    add_lessons(out, name);
    cairn_text_add(out, "]}\n");
}
