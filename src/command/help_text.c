/* SPDX-License-Identifier: MIT */
/* Help as a report, made from the records: what an entry is, its options with type, default, range
 * and choices, an example, and where it is described. */
#include "command/command.h"
#include "export/export.h"
#include "data/source.h"
#include "entry/condition.h"
#include "model/traits.h"
#include "model/calculator.h"
#include "report/table_rows.h"

#include <stdio.h>
#include <string.h>

void cairn_param_placeholder(cairn_text *out, const cairn_param *row)
{
    if (row->cells >= CAIRN_CELLS_MATRIX) {
        cairn_text_add(out, "X,X,...;...");
        return;
    }
    switch (row->type) {
    case CAIRN_TYPE_BOOL: break;
    case CAIRN_TYPE_INT:
    case CAIRN_TYPE_INT64: cairn_text_add(out, "N"); break;
    case CAIRN_TYPE_REAL: cairn_text_add(out, "X"); break;
    case CAIRN_TYPE_TEXT: cairn_text_add(out, "TEXT"); break;
    case CAIRN_TYPE_LIST: cairn_text_add(out, "X,X,..."); break;
    case CAIRN_TYPE_COLUMNS: cairn_text_add(out, "COLUMNS"); break;
    case CAIRN_TYPE_FILE: cairn_text_add(out, "FILE"); break;
    case CAIRN_TYPE_SPEC: cairn_text_add(out, "NAME[:KEY=VALUE,...]"); break;
    case CAIRN_TYPE_CHOICE:
        for (const cairn_choice *c = row->choices; c->name; c++)
            cairn_text_addf(out, "%s%s", c == row->choices ? "" : "|", c->name);
        break;
    }
}

bool cairn_entry_in_spec(const cairn_entry *entry)
{
    return entry->kind == CAIRN_ENTRY_TRANSFORM || entry->kind == CAIRN_ENTRY_RESAMPLING ||
           entry->kind == CAIRN_ENTRY_DISTANCE || entry->kind == CAIRN_ENTRY_KERNEL;
}

void cairn_help_say(cairn_text *out, const cairn_entry *entry, const char *text)
{
    const cairn_context written = {.options = !cairn_entry_in_spec(entry)};
    char said[CAIRN_MESSAGE_SIZE];
    if (text) cairn_text_add(out, cairn_format_said(&written, said, sizeof said, text));
}

void cairn_param_condition(cairn_text *out, const cairn_entry *entry, size_t i)
{
    const char *when[CAIRN_MOST_NESTING + 1];
    size_t n = cairn_params_when(entry, i, when);
    for (size_t k = 0; k < n; k++) {
        cairn_text_add(out, k ? " and " : "only ");
        cairn_condition_words(out, when[k], !cairn_entry_in_spec(entry));
    }
}

void cairn_param_meaning(cairn_text *out, const cairn_entry *entry, size_t i)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    const char *when[CAIRN_MOST_NESTING + 1];
    cairn_help_say(out, entry, row->help);
    if (row->range) cairn_text_addf(out, row->cells ? "; each in %s" : "; in %s", row->range);
    if (row->repeated) cairn_text_add(out, "; may be repeated");
    for (const cairn_choice *c = row->choices; c && c->name; c++) {
        cairn_text_addf(out, "%s%s = ", c == row->choices ? ": " : ", ", c->name);
        cairn_help_say(out, entry, c->help);
    }
    if (cairn_params_when(entry, i, when)) cairn_text_add(out, "; ");
    cairn_param_condition(out, entry, i);
}

/* What stands in the column of defaults. */
static const char *default_of(const cairn_param *row)
{
    bool text_like = row->type != CAIRN_TYPE_BOOL && row->type != CAIRN_TYPE_INT &&
                     row->type != CAIRN_TYPE_INT64 && row->type != CAIRN_TYPE_REAL &&
                     row->type != CAIRN_TYPE_CHOICE;
    if (row->initial) return row->initial;
    return row->required || !text_like ? "must be given" : "";
}

/* The default, and as much of a long list as a narrow column has room for. */
static const char *short_default(char out[24], const cairn_param *row)
{
    const char *whole = default_of(row);
    size_t end = 14;
    if (strlen(whole) < 20) return whole;
    while (end > 1 && whole[end] != ',') end--;
    snprintf(out, 24, "%.*s...", (int)(whole[end] == ',' ? end + 1 : 14), whole);
    return out;
}

/* One row of the table of options. */
static cairn_status add_option(cairn_context *ctx, cairn_report *report, const cairn_entry *entry,
                               size_t i)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    bool inside_spec = cairn_entry_in_spec(entry);
    SCOPED(cairn_text_clear) cairn_text meaning = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text option = cairn_text_start(ctx);
    char name[64];
    cairn_option_name(name, row->name);
    cairn_text_addf(&option, inside_spec ? "%s=" : "--%s", name);
    if (row->type != CAIRN_TYPE_CHOICE) {
        if (row->type != CAIRN_TYPE_BOOL && !inside_spec) cairn_text_add_char(&option, ' ');
        cairn_param_placeholder(&option, row);
    }
    cairn_param_meaning(&meaning, entry, i);
    CHECK(cairn_text_status(&option));
    CHECK(cairn_text_status(&meaning));
    cairn_report_cells(report, NULL, cairn_text_string(&option), default_of(row),
                       cairn_text_string(&meaning));
    return CAIRN_OK;
}

static void begin_options(cairn_report *report)
{
    cairn_report_table_of(report, NULL, (size_t)-1, "lll", "option", "default", "meaning");
}

/* Flat rows of a table, groups expanded. */
static size_t count_rows(const cairn_param *table)
{
    size_t n = 0;
    for (; table && table->name; table++) n += table->group ? count_rows(table->group) : 1;
    return n;
}

/* Whether row i of an entry is one that `inner` (may be NULL) has of its own: what is typed is that
 * one. */
static bool is_taken(const cairn_entry *entry, size_t i, const cairn_entry *inner)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL), *own;
    for (size_t k = 0; inner && (own = cairn_params_row(inner, k, NULL)); k++)
        if (strcmp(own->name, row->name) == 0) return true;
    return false;
}

/* All options of an entry but those that `inner` takes; a group of them that has a title gets a
 * table of its own. */
static cairn_status add_options(cairn_context *ctx, cairn_report *report, const char *title,
                                const cairn_entry *entry, const cairn_entry *inner)
{
    size_t i = 0;
    bool open = false;
    if (!cairn_params_row(entry, 0, NULL)) return CAIRN_OK;
    cairn_report_heading(report, 2, "%s", title);
    for (const cairn_param *row = entry->params; row->name; row++) {
        bool titled = row->group && row->help;
        size_t end = i + (row->group ? count_rows(row->group) : 1);
        if (open && titled) cairn_report_table_end(report), open = false;
        if (titled) cairn_report_heading(report, 3, "%s", row->help);
        if (!open) begin_options(report), open = true;
        for (; i < end; i++)
            if (!is_taken(entry, i, inner)) CHECK(add_option(ctx, report, entry, i));
        if (titled) cairn_report_table_end(report), open = false;
    }
    return CAIRN_OK;
}

/* -- the short form -- */

enum { SHORT = 8, WIDTH = 80, SUMMARY = 330, MOST_SHOWN = 9 };

static bool has_marks(const cairn_entry *entry)
{
    const cairn_param *row;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++)
        if (row->often) return true;
    return false;
}

/* The options that matter: those that are marked, or the first few of an entry without marks. */
static bool matters(const cairn_entry *entry, size_t i, bool marks)
{
    const cairn_param *row = cairn_params_row(entry, i, NULL);
    return marks ? row->often || row->required : i < SHORT;
}

/* Options of the short form: as they are typed, by default, and what they are for. */
typedef struct short_options {
    const cairn_entry *entries[MOST_SHOWN];
    size_t rows[MOST_SHOWN], n;
} short_options;

static void choose_short(short_options *out, const cairn_entry *entry, const cairn_entry *inner,
                         size_t most)
{
    bool marks = has_marks(entry) && count_rows(entry->params) > SHORT;
    bool few = count_rows(entry->params) <= SHORT;
    for (size_t i = 0; out->n < most && cairn_params_row(entry, i, NULL); i++) {
        if (!(few || matters(entry, i, marks)) || is_taken(entry, i, inner)) continue;
        out->entries[out->n] = entry;
        out->rows[out->n++] = i;
    }
}

/* "--max-depth N"; a spec is a NAME, whatever else may stand behind it. */
static void short_option(cairn_text *out, const cairn_entry *entry, const cairn_param *row)
{
    bool inside_spec = cairn_entry_in_spec(entry), choice = row->type == CAIRN_TYPE_CHOICE;
    char name[64];
    cairn_option_name(name, row->name);
    cairn_text_addf(out, inside_spec ? "%s=" : "--%s", name);
    if (row->type == CAIRN_TYPE_BOOL || choice) return;
    if (!inside_spec) cairn_text_add_char(out, ' ');
    if (row->type == CAIRN_TYPE_SPEC)
        cairn_text_add(out, "NAME");
    else
        cairn_param_placeholder(out, row);
}

/* As much of a text as `room` bytes have, up to the end of a clause or at least of a word. */
static size_t clause_length(const char *text, size_t room)
{
    size_t length = strcspn(text, ";"), end;
    const char *open;
    if (length <= room) return length;
    for (end = room; end > room / 2; end--)
        if (strchr(",:", text[end]) && text[end + 1] == ' ') break;
    if (end <= room / 2)
        for (end = room; end && text[end] != ' '; end--) {
        }
    open = memchr(text, '(', end); /* no bracket stays open */
    if (open && !memchr(open, ')', end - (size_t)(open - text))) end = (size_t)(open - text);
    while (end && strchr(" ,:", text[end - 1])) end--;
    return end;
}

/* What an option is for and the names of its choices, as far as a line has room for them. */
static void short_meaning(cairn_text *out, const cairn_entry *entry, const cairn_param *row,
                          size_t room)
{
    static const char more[] = ", ...";
    cairn_help_say(out, entry, row->help);
    if (cairn_text_status(out)) return;
    size_t end = clause_length(out->bytes, room);
    bool amid = out->bytes[end] == ' ' && out->bytes[end + 1] != '(';
    if (amid) end = clause_length(out->bytes, room - strlen(" ..."));
    amid = amid && out->bytes[end] == ' ';
    out->length = end;
    out->bytes[end] = 0;
    if (amid) cairn_text_add(out, " ...");
    for (const cairn_choice *c = amid ? NULL : row->choices; c && c->name; c++) {
        size_t length = strlen(c->name) + 2 + (c[1].name ? sizeof more - 1 : 0);
        bool fits = out->length + length <= room;
        if (fits) cairn_text_addf(out, "%s%s", c == row->choices ? ": " : ", ", c->name);
        if (!fits && c > row->choices) cairn_text_add(out, more);
        if (!fits) break;
    }
}

static cairn_status add_short(cairn_context *ctx, cairn_report *report, const short_options *o)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    size_t wide = strlen("option"), value = strlen("default");
    char initial[24];
    const cairn_param *row;
    for (size_t i = 0; i < o->n; i++) {
        row = cairn_params_row(o->entries[i], o->rows[i], NULL);
        text.length = 0;
        short_option(&text, o->entries[i], row);
        if (text.length > wide) wide = text.length;
        const char *said = short_default(initial, row);
        if (strlen(said) > value) value = strlen(said);
    }
    size_t room = wide + value + 24 < WIDTH ? WIDTH - 4 - wide - value : 20;
    for (size_t i = 0; i < o->n; i++) {
        SCOPED(cairn_text_clear) cairn_text meaning = cairn_text_start(ctx);
        row = cairn_params_row(o->entries[i], o->rows[i], NULL);
        text.length = 0;
        short_option(&text, o->entries[i], row);
        short_meaning(&meaning, o->entries[i], row, room);
        CHECK(cairn_text_status(&meaning));
        cairn_report_cells(report, NULL, cairn_text_string(&text), short_default(initial, row),
                           cairn_text_string(&meaning));
    }
    return cairn_text_status(&text);
}

/* "cairn compute sample MODEL [options]". */
static void add_usage_line(cairn_text *out, const char *verb, const char *name,
                           const char *arguments)
{
    cairn_text_addf(out, "cairn %s%s%s%s%s [options]", verb, *name ? " " : "", name,
                    *arguments ? " " : "", arguments);
}

void cairn_help_usage(cairn_text *out, const cairn_entry *entry)
{
    switch (entry->kind) {
    case CAIRN_ENTRY_VERB:
        add_usage_line(out, entry->name, "", ((const cairn_verb *)entry)->arguments);
        break;
    case CAIRN_ENTRY_LEARNER: add_usage_line(out, "fit", entry->name, "DATA"); break;
    case CAIRN_ENTRY_TRANSFORM:
        cairn_text_addf(out, "--with %s[:key=value,...]", entry->name);
        break;
    case CAIRN_ENTRY_CALCULATOR:
        add_usage_line(out, "compute", entry->name, cairn_calculator_of(entry)->arguments);
        break;
    case CAIRN_ENTRY_PICTURE:
        add_usage_line(out, "draw", entry->name, cairn_calculator_of(entry)->arguments);
        break;
    case CAIRN_ENTRY_RESAMPLING:
        cairn_text_addf(out, "cairn evaluate LEARNER DATA --by %s", entry->name);
        break;
    case CAIRN_ENTRY_FORMAT: cairn_text_addf(out, "--input-format %s", entry->name); break;
    case CAIRN_ENTRY_SOURCE:
        cairn_text_addf(out, "DATA = %s", ((const cairn_data_source *)entry)->form);
        break;
    case CAIRN_ENTRY_DISTANCE:
        cairn_text_addf(out, "--distance %s%s", entry->name,
                        entry->params->name ? "[:key=value,...]" : "");
        break;
    case CAIRN_ENTRY_KERNEL:
        cairn_text_addf(out, "--distance kernel:%s%s", entry->name,
                        entry->params->name ? "[:key=value,...]" : "");
        break;
    case CAIRN_ENTRY_MEASURE: break;
    }
}

static void add_summary(cairn_report *report, const cairn_entry *entry)
{
    cairn_text said = cairn_text_start(cairn_report_context(report));
    cairn_help_say(&said, entry, entry->summary);
    if (said.length) cairn_report_paragraph(report, "%s", cairn_text_string(&said));
    cairn_report_text_end(report, &said);
}

/* "label: words". */
static void add_words(cairn_report *report, const char *label, cairn_text *words)
{
    cairn_report_failed(report, cairn_text_status(words));
    cairn_report_word(report, label, cairn_text_string(words), NULL);
    cairn_text_clear(words);
    *words = cairn_text_start(cairn_report_context(report));
}

/* What a learner takes and gives, in words. */
static void add_abilities(cairn_report *report, const cairn_learner *learner)
{
    unsigned a = learner->accepts;
    cairn_text words = cairn_text_start(cairn_report_context(report));
    cairn_report_heading(report, 2, "What it takes and gives");
    cairn_flags_add(&words, cairn_task_words, learner->tasks, false);
    add_words(report, "Tasks", &words);
    cairn_flags_add(&words, cairn_purpose_words, learner->traits, false);
    cairn_text_add(&words, ", ");
    cairn_flags_add(&words, cairn_supervision_words, learner->traits, false);
    add_words(report, "Kind of learning", &words);
    cairn_learner_model_words(&words, learner);
    add_words(report, "Kind of model", &words);
    cairn_learner_answers(&words, learner, false);
    add_words(report, "Answers", &words);
    cairn_report_word(report, "Levels as features",
                      a & CAIRN_ACCEPTS_LEVELS ? "as they are" : "converted to indicators first",
                      NULL);
    cairn_report_word(report, "Missing cells",
                      a & CAIRN_ACCEPTS_MISSING ? "handled by itself" : "imputed first", NULL);
    cairn_report_word(report, "Weights", a & CAIRN_ACCEPTS_WEIGHTS ? "yes" : "no", NULL);
    if (learner->accepts_with)
        cairn_report_paragraph(report, "This is what it takes with its defaults; other parameters "
                                       "may let it take more.");
    for (const cairn_output *o = learner->outputs; o && o->name; o++)
        cairn_help_say(&words, &learner->entry, o->help), add_words(report, o->name, &words);
    cairn_form_help forms[CAIRN_MOST_FORMS];
    (void)cairn_export_forms(forms, learner);
    for (const cairn_form_help *f = forms; f->name; f++) {
        char label[64];
        snprintf(label, sizeof label, "Export to %.40s", f->name);
        cairn_help_say(&words, &learner->entry, f->help);
        add_words(report, label, &words);
    }
}

/* Example and references, last. */
static void add_ending(cairn_report *report, const cairn_entry *entry)
{
    /* What every preset of an entry sets. */
    const cairn_param *row;
    cairn_text text = cairn_text_start(cairn_report_context(report));
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        if (!row->presets) continue;
        cairn_report_heading(report, 2, "Presets");
        cairn_report_table_of(report, NULL, (size_t)-1, "ll", "name", "is the same as");
        for (size_t c = 0; row->choices[c].name; c++) {
            if (!row->presets[c]) continue;
            text.length = 0;
            const cairn_setting *sets = row->presets[c];
            for (const cairn_setting *s = sets; s->name; s++) {
                char name[64];
                cairn_option_name(name, s->name);
                cairn_text_addf(&text, "%s--%s %s", s == sets ? "" : " ", name, s->value);
            }
            cairn_report_cells(report, NULL, row->choices[c].name, cairn_text_string(&text));
        }
    }
    cairn_report_text_end(report, &text);
    if (entry->example) {
        cairn_report_heading(report, 2, "Example");
        cairn_report_verbatim(report, entry->example);
    }
    if (entry->references) {
        cairn_report_heading(report, 2, "References");
        cairn_report_paragraph(report, "%s", entry->references);
    }
}

/* The first sentences of a summary. */
static void add_short_summary(cairn_report *report, const cairn_entry *entry)
{
    cairn_text said = cairn_text_start(cairn_report_context(report));
    cairn_help_say(&said, entry, entry->summary);
    const char *text = cairn_text_string(&said), *end = text, *next;
    while ((next = strstr(end, ". ")) && (size_t)(next - text) < SUMMARY) end = next + 1;
    bool rest = next || said.length >= SUMMARY;
    if (end == text) end = next ? next + 1 : text + strlen(text);
    if (!rest) end = text + strlen(text);
    cairn_report_paragraph(report, "%.*s", (int)(end - text), text);
    cairn_report_text_end(report, &said);
}

/* What it is, an example, the options that matter, and how to see the rest: one screen. */
static cairn_status short_help(cairn_context *ctx, cairn_report *report, const cairn_entry *entry,
                               const cairn_entry *verb)
{
    short_options o = {.n = 0};
    size_t all = count_rows(entry->params);
    for (size_t i = 0; verb && cairn_params_row(verb, i, NULL); i++)
        all += !is_taken(verb, i, entry);
    add_short_summary(report, entry);
    if (entry->example) {
        cairn_report_heading(report, 2, "Example");
        cairn_report_verbatim(report, entry->example);
    }
    choose_short(&o, entry, NULL, verb ? MOST_SHOWN / 2 + 1 : MOST_SHOWN);
    if (verb) choose_short(&o, verb, entry, MOST_SHOWN);
    if (o.n) begin_options(report);
    CHECK(add_short(ctx, report, &o));
    cairn_report_table_end(report);
    if (verb)
        cairn_report_paragraph(report, "cairn %s %s --help-all shows all %zu options.", verb->name,
                               entry->name, all);
    else
        cairn_report_paragraph(report, "cairn help %s --full has everything%s.", entry->name,
                               all > o.n ? ", with every option" : "");
    return cairn_report_status(report);
}

cairn_status cairn_help_entry(cairn_context *ctx, cairn_report *report, const cairn_entry *entry,
                              bool all)
{
    cairn_report_heading(report, 1, "%s: %s", entry->name, entry->title);
    cairn_text usage = cairn_text_start(ctx);
    cairn_help_usage(&usage, entry);
    cairn_status status = cairn_text_status(&usage);
    if (status == CAIRN_OK && usage.length) cairn_report_verbatim(report, usage.bytes);
    cairn_text_clear(&usage);
    CHECK(status);
    if (!all) return short_help(ctx, report, entry, NULL);
    add_summary(report, entry);
    if (entry->kind == CAIRN_ENTRY_LEARNER) add_abilities(report, (const cairn_learner *)entry);
    CHECK(add_options(ctx, report, entry->kind == CAIRN_ENTRY_VERB ? "Options" : "Parameters",
                      entry, NULL));
    add_ending(report, entry);
    return cairn_report_status(report);
}

cairn_status cairn_help_command(cairn_context *ctx, cairn_report *report, const cairn_verb *verb,
                                const cairn_entry *inner, bool all)
{
    if (!inner) return cairn_help_entry(ctx, report, &verb->entry, all);
    cairn_report_heading(report, 1, "cairn %s %s: %s", verb->entry.name, inner->name, inner->title);
    /* "cairn fit tree DATA [options]": the usage of the verb with the name of the entry in it,
     * and with the words that the entry itself takes where it says which. */
    cairn_text usage = cairn_text_start(ctx);
    bool own = inner->kind == CAIRN_ENTRY_CALCULATOR || inner->kind == CAIRN_ENTRY_PICTURE;
    const char *arguments = verb->arguments + strcspn(verb->arguments, " ");
    arguments = own ? cairn_calculator_of(inner)->arguments : arguments + (*arguments == ' ');
    add_usage_line(&usage, verb->entry.name, inner->name, arguments);
    cairn_status status = cairn_text_status(&usage);
    if (status == CAIRN_OK) cairn_report_verbatim(report, cairn_text_string(&usage));
    cairn_text_clear(&usage);
    CHECK(status);
    if (!all) return short_help(ctx, report, inner, &verb->entry);
    add_summary(report, inner);
    CHECK(add_options(ctx, report, "Parameters", inner, NULL));
    CHECK(add_options(ctx, report, "Options of the command", &verb->entry, inner));
    add_ending(report, inner);
    return cairn_report_status(report);
}

cairn_status cairn_help_overview(cairn_report *report)
{
    static const char lines[] =
        "Your file   cairn describe @titanic\n"
        "            cairn fit tree @titanic --save titanic.model\n"
        "            cairn evaluate tree @titanic\n"
        "            cairn predict titanic.model @titanic\n"
        "\n"
        "Better      cairn compare tree forest logistic --on @titanic\n"
        "            cairn tune tree @titanic --over max-depth=1:6\n"
        "\n"
        "See why     cairn predict titanic.model @titanic --explain --rows 1\n"
        "            cairn fit tree @weather --steps\n"
        "            cairn draw tree titanic.model --out titanic.svg\n"
        "\n"
        "Learn       cairn lesson                 worked examples, checked\n"
        "            cairn list                   everything that there is\n"
        "            cairn help random forest     any word, also of other tools";
    cairn_report_heading(report, 1, "Cairn %s: machine learning that shows its work",
                         cairn_version());
    cairn_report_verbatim(report, lines);
    cairn_report_paragraph(report, "Put your file in the place of @titanic, a table that is built "
                                   "in: csv, Excel, Parquet, JSON and more, also compressed.");
    return cairn_report_status(report);
}
