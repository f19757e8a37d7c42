/* SPDX-License-Identifier: MIT */
/* Settings: a parameter struct filled from text by the table of its entry.
 *
 * Defaults are text too and go through the same parser, so a default that is out of range is found
 * by the first test that makes the settings. Strings that a field points to are kept in `texts`. */
#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/condition.h"
#include "entry/other_name.h"
#include "entry/own.h"
#include "entry/query.h"
#include "entry/range.h"
#include "entry/rows.h"
#include "entry/split.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INSIDE = 8 };

/* Where a row stands: its field, and the conditions of the groups around it. */
typedef struct row_place {
    size_t offset, n_when;
    const char *when[CAIRN_MOST_NESTING + 1];
} row_place;

/* Names compare with - and _ alike. */
static bool same_option(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a == '-' ? '_' : *a, y = *b == '-' ? '_' : *b;
        if (x != y) return false;
        if (!x) return true;
    }
}

/* What a walk over rows is looking for, and where it is. */
typedef struct row_search {
    const char *name; /* a row of this name, or one that had it; NULL = by its number */
    size_t number, at;
} row_search;

static bool is_wanted(const row_search *search, const cairn_param *row)
{
    if (!search->name) return search->at == search->number;
    return same_option(row->name, search->name) ||
           (row->was && same_option(row->was, search->name));
}

/* The row that is looked for, groups expanded. */
static const cairn_param *flat_row(const cairn_param *table, row_search *search, row_place *place,
                                   int nesting)
{
    const size_t offset = place->offset, n_when = place->n_when;
    for (; table && table->name; table++) {
        if (table->group ? nesting >= CAIRN_MOST_NESTING : !is_wanted(search, table)) {
            search->at += !table->group;
            continue;
        }
        place->offset = offset + table->offset;
        place->n_when = n_when;
        if (table->when) place->when[place->n_when++] = table->when;
        const cairn_param *row =
            table->group ? flat_row(table->group, search, place, nesting + 1) : table;
        if (row) return row;
    }
    return NULL;
}

cairn_row_walk cairn_rows_of(const cairn_entry *entry)
{
    return (cairn_row_walk){.next = {entry->params}};
}

const cairn_param *cairn_next_row(cairn_row_walk *walk, size_t *offset)
{
    while (walk->depth >= 0) {
        const cairn_param *row = walk->next[walk->depth];
        if (!row || !row->name) {
            walk->depth--;
            continue;
        }
        size_t at = walk->offset[walk->depth] + row->offset;
        walk->next[walk->depth]++;
        if (!row->group) {
            if (offset) *offset = at;
            return row;
        }
        if (walk->depth == CAIRN_MOST_NESTING) continue;
        walk->next[++walk->depth] = row->group;
        walk->offset[walk->depth] = at;
    }
    return NULL;
}

const cairn_param *cairn_params_row(const cairn_entry *entry, size_t i, size_t *offset)
{
    row_place place = {0};
    row_search search = {.number = i};
    const cairn_param *row = flat_row(entry->params, &search, &place, 0);
    if (row && offset) *offset = place.offset;
    return row;
}

size_t cairn_params_when(const cairn_entry *entry, size_t i,
                         const char *when[CAIRN_MOST_NESTING + 1])
{
    row_place place = {0};
    row_search search = {.number = i};
    if (!flat_row(entry->params, &search, &place, 0)) return 0;
    memcpy(when, place.when, sizeof place.when);
    return place.n_when;
}

void cairn_option_name(char out[64], const char *name)
{
    size_t i = 0;
    for (; name[i] && i < 63; i++) out[i] = name[i] == '_' ? '-' : name[i];
    out[i] = 0;
}

static bool is_text_like(cairn_type type)
{
    return type == CAIRN_TYPE_TEXT || type == CAIRN_TYPE_LIST || type == CAIRN_TYPE_COLUMNS ||
           type == CAIRN_TYPE_FILE || type == CAIRN_TYPE_SPEC;
}

static const cairn_param *find_row(const cairn_entry *entry, const char *name, size_t *index,
                                   size_t *offset)
{
    row_place place = {0};
    row_search search = {.name = name};
    const cairn_param *row = flat_row(entry->params, &search, &place, 0);
    if (row && index) *index = search.at;
    if (row && offset) *offset = place.offset;
    return row;
}

const cairn_param *cairn_params_row_named(const cairn_entry *entry, const char *name)
{
    return find_row(entry, name, NULL, NULL);
}

bool cairn_params_has(const cairn_entry *entry, const char *name)
{
    return cairn_params_row_named(entry, name) != NULL;
}

static const char *option_candidate(size_t i, const void *data)
{
    const cairn_param *row = cairn_params_row(data, i, NULL);
    return row ? row->name : NULL;
}

cairn_status cairn_option_meant(cairn_context *ctx, const cairn_params *params, const char *given,
                                const char **out)
{
    const cairn_entry *entry = params->entry;
    const cairn_param *row = find_row(entry, given, NULL, NULL);
    char first[64], second[64];
    const char *dashes = params->said == CAIRN_SAID_OPTION ? "--" : "";
    *out = row ? row->name : NULL;
    if (row && *dashes && !same_option(row->name, given)) {
        cairn_option_name(first, row->name);
        cairn_note_once(ctx, "--%s is called --%s here", given, first);
    }
    if (row) return CAIRN_OK;
    const cairn_other_names others = cairn_other_name(given, entry);
    if (!others.first) return CAIRN_OK;
    cairn_option_name(first, others.first);
    if (others.second) {
        cairn_option_name(second, others.second);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s%s may mean %s%s or %s%s of %s; write the one that is meant", dashes,
                          given, dashes, first, dashes, second, entry->name);
    }
    cairn_note_once(ctx, "%s%s is called %s%s here", dashes, given, dashes, first);
    *out = others.first;
    return CAIRN_OK;
}

/* Suggests the nearest option in the way the wrong one was written: as a key of the entry or by its
 * name alone. */
static cairn_status unknown_option(cairn_context *ctx, const cairn_params *params, const char *name)
{
    const cairn_entry *entry = params->entry;
    char given[64], option[64];
    cairn_option_name(given, name);
    /* candidates are spelt with underscores */
    char wanted[64];
    size_t i = 0;
    for (; given[i]; i++) wanted[i] = given[i] == '-' ? '_' : given[i];
    wanted[i] = 0;
    const char *near = cairn_other_name(wanted, entry).near;
    if (!near) near = cairn_nearest_word(wanted, option_candidate, entry);
    if (!near)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has no option '%s'; 'cairn help %s' shows all of them", entry->name,
                          given, entry->name);
    cairn_option_name(option, near);
    if (params->said == CAIRN_SAID_KEY)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has no option '%s'; did you mean %s:%s=...?",
                          entry->name, given, entry->name, option);
    return cairn_fail(ctx, CAIRN_USAGE, "%s has no option '%s'; did you mean '%s'?", entry->name,
                      given, option);
}

enum { SUBJECT_SIZE = 160 };

/* A parameter as the beginning of a message. */
static const char *subject(char out[SUBJECT_SIZE], const cairn_params *params, const char *name)
{
    char option[64];
    cairn_option_name(option, name);
    bool named = params->entry->kind != CAIRN_ENTRY_RESAMPLING; /* --by says what it is about */
    if (params->said == CAIRN_SAID_OPTION)
        snprintf(out, SUBJECT_SIZE, "--%s", option);
    else if (params->said == CAIRN_SAID_NAME)
        snprintf(out, SUBJECT_SIZE, "'%s'", option);
    else
        snprintf(out, SUBJECT_SIZE, "%.80s%s%s", named ? params->entry->name : "",
                 named ? ": " : "", option);
    return out;
}

static cairn_status refuse(cairn_context *ctx, const cairn_params *params, const cairn_param *row,
                           const char *text, const char *wanted)
{
    char what[SUBJECT_SIZE];
    return cairn_fail(ctx, CAIRN_USAGE, "%s must be %s, not '%s'", subject(what, params, row->name),
                      wanted, text);
}

static const char *choice_candidate(size_t i, const void *data)
{
    return ((const cairn_choice *)data)[i].name;
}

static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_of_word(char c)
{
    return (small_letter(c) >= 'a' && small_letter(c) <= 'z') || (c >= '0' && c <= '9');
}

/* Whether a text begins with a word, whatever the case of its letters. */
static bool begins_with(const char *text, const char *word)
{
    for (; *word; word++, text++)
        if (small_letter(*text) != small_letter(*word)) return false;
    return !is_of_word(*text);
}

/* The choice whose help names a word that is no choice, such as CLARA; NULL if none does. */
static const char *choice_of_help(const cairn_choice *choices, const char *word)
{
    enum { LEAST = 4 }; /* letters */
    if (strlen(word) < LEAST) return NULL;
    for (const cairn_choice *c = choices; c->name; c++)
        for (const char *at = c->help; at && *at; at++)
            if ((at == c->help || !is_of_word(at[-1])) && begins_with(at, word)) return c->name;
    return NULL;
}

static cairn_status refuse_choice(cairn_context *ctx, const cairn_params *params,
                                  const cairn_param *row, const char *text)
{
    cairn_text names = cairn_text_start(ctx);
    for (const cairn_choice *c = row->choices; c->name; c++) {
        if (c != row->choices) cairn_text_add(&names, c[1].name ? ", " : " or ");
        cairn_text_add(&names, c->name);
    }
    const char *near = cairn_nearest_word(text, choice_candidate, row->choices);
    if (!near) near = choice_of_help(row->choices, text);
    char what[SUBJECT_SIZE];
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "%s must be %s, not '%s'%s%s%s",
                            subject(what, params, row->name), cairn_text_string(&names), text,
                            near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    cairn_text_clear(&names);
    return status;
}

static cairn_status set_bool(cairn_context *ctx, const cairn_params *params, const cairn_param *row,
                             void *field, const char *text)
{
    bool yes = cairn_same(text, "yes") || cairn_same(text, "true") || cairn_same(text, "1");
    bool no = cairn_same(text, "no") || cairn_same(text, "false") || cairn_same(text, "0");
    if (!yes && !no) return refuse(ctx, params, row, text, "yes or no");
    *(bool *)field = yes;
    return CAIRN_OK;
}

static cairn_status set_choice(cairn_context *ctx, const cairn_params *params,
                               const cairn_param *row, void *field, const char *text)
{
    for (const cairn_choice *c = row->choices; c->name; c++)
        if (strcmp(c->name, text) == 0) {
            *(int *)field = c->value;
            return CAIRN_OK;
        }
    return refuse_choice(ctx, params, row, text);
}

/* Whole numbers beyond 2^53 are read again as integers, because a double would have rounded them;
 * only the default of a real number may be "not given". */
static cairn_status set_number(cairn_context *ctx, const cairn_params *params,
                               const cairn_param *row, void *field, const char *text)
{
    double number;
    cairn_range range;
    bool whole = row->type != CAIRN_TYPE_REAL;
    if (!whole && text == row->initial && cairn_same(text, CAIRN_NOT_GIVEN)) {
        *(double *)field = NAN;
        return CAIRN_OK;
    }
    if (!(whole ? cairn_number_parse(text, strlen(text), &number)
                : cairn_fraction_parse(text, &number)) ||
        isnan(number))
        return refuse(ctx, params, row, text, whole ? "a whole number" : "a number");
    if (isinf(number) && !row->range) /* infinite is what a range that ends with "inf]" takes */
        return refuse(ctx, params, row, text, whole ? "a whole number" : "a finite number");
    if (whole && number != floor(number)) return refuse(ctx, params, row, text, "a whole number");
    if (row->range && cairn_range_parse(row->range, &range) &&
        !cairn_range_contains(&range, number)) {
        char what[SUBJECT_SIZE], hint[CAIRN_HINT];
        cairn_range_hint(hint, row->range, number);
        return cairn_fail(ctx, CAIRN_USAGE, "%s must be in %s, not %s%s",
                          subject(what, params, row->name), row->range, text, hint);
    }
    if (row->type == CAIRN_TYPE_REAL) {
        *(double *)field = number;
    } else if (row->type == CAIRN_TYPE_INT) {
        if (number < INT_MIN || number > INT_MAX)
            return refuse(ctx, params, row, text, "a whole number of at most ten digits");
        *(int *)field = (int)number;
    } else {
        int64_t exact;
        if (fabs(number) <= 9e15) /* every whole number up to here is a double */
            exact = (int64_t)number;
        else if (!cairn_integer_parse(text, strlen(text), &exact))
            return refuse(ctx, params, row, text, "a whole number of at most 18 digits");
        *(int64_t *)field = exact;
    }
    return CAIRN_OK;
}

/* What a list or matrix says, in one block of memory that belongs to row i. */
static cairn_status set_list(cairn_context *ctx, const cairn_params *params, size_t i,
                             const cairn_param *row, cairn_list *field, const char *text)
{
    SCOPED_SCRATCH(ctx);
    char said[SUBJECT_SIZE], *block, *at;
    cairn_list list;
    CHECK(cairn_list_read(ctx, &list, row, subject(said, params, row->name), text));
    size_t size = 1 + list.n * (list.names ? sizeof *list.names : sizeof *list.values);
    for (size_t k = 0; list.names && k < list.n; k++) size += strlen(list.names[k]) + 1;
    CHECK(NEW(ctx, &block, size));
    if (list.names) {
        const char **names = (const char **)block;
        at = block + list.n * sizeof *names;
        for (size_t k = 0; k < list.n; k++) {
            size_t length = strlen(list.names[k]) + 1;
            names[k] = memcpy(at, list.names[k], length);
            at += length;
        }
        list.names = names;
    } else {
        if (list.n) memcpy(block, list.values, list.n * sizeof *list.values);
        list.values = (const double *)block;
    }
    *field = list;
    cairn_free(params->lists[i]);
    params->lists[i] = block;
    return CAIRN_OK;
}

/* Put a value into the field of row i; `text` must live as long as the settings. */
static cairn_status set_field(cairn_context *ctx, const cairn_params *params, size_t i,
                              const cairn_param *row, void *field, const char *text)
{
    if (row->cells) return set_list(ctx, params, i, row, field, text);
    switch (row->type) {
    case CAIRN_TYPE_BOOL: return set_bool(ctx, params, row, field, text);
    case CAIRN_TYPE_CHOICE: return set_choice(ctx, params, row, field, text);
    case CAIRN_TYPE_INT:
    case CAIRN_TYPE_INT64:
    case CAIRN_TYPE_REAL: return set_number(ctx, params, row, field, text);
    default: *(const char **)field = text; return CAIRN_OK;
    }
}

/* -- settings inside settings -- */

/* How deep brackets and quoted quotes nest: each entry in an entry needs one more. */
static bool is_too_deep(const char *spec)
{
    int depth = 0;
    size_t quotes = 0, most = 0;
    for (; *spec; spec++) {
        depth += *spec == '(' ? 1 : *spec == ')' ? -1 : 0;
        if (depth > MOST_INSIDE) return true;
        quotes = *spec == '"' ? quotes + 1 : 0;
        if (quotes > most) most = quotes;
    }
    return most > (size_t)1 << MOST_INSIDE;
}

/* What "tree:depth=3", or the same in brackets, stands for; NULL for a row that wants no object. */
static cairn_status open_object(cairn_context *ctx, cairn_params **out, const cairn_params *params,
                                const cairn_param *row, const char *spec)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    char *inside;
    size_t length = strlen(spec);
    bool bracketed = length > 1 && spec[0] == '(' && spec[length - 1] == ')';
    *out = NULL;
    if (!row->object) return CAIRN_OK;
    if (is_too_deep(spec))
        return cairn_fail(ctx, CAIRN_USAGE, "%s: learners are wrapped more than %d deep",
                          params->entry->name, (int)MOST_INSIDE);
    TRY(SCRATCH(ctx, &inside, length + 1));
    memcpy(inside, spec + bracketed, length - 2 * (size_t)bracketed);
    TRY(cairn_params_from_spec(ctx, out, (cairn_entry_kind)row->object_kind, inside));
done:
    if (status == CAIRN_USAGE && !row->repeated)
        cairn_message_prefix(ctx, "%s: %s", params->entry->name, row->name);
    else if (status == CAIRN_USAGE && params->said != CAIRN_SAID_OPTION)
        cairn_message_prefix(ctx, "%s", params->entry->name);
    cairn_scratch_release(ctx, mark);
    return status;
}

void cairn_params_append(cairn_params **list, cairn_params *last)
{
    while (*list) list = &(*list)->next;
    *list = last;
}

/* The object of row i, whose field is at `offset`, passes to the settings. */
static void put_object(cairn_params *params, size_t i, const cairn_param *row, size_t offset,
                       cairn_params *object)
{
    if (!row->object) return;
    cairn_params_free(params->objects[i]);
    params->objects[i] = object;
    *(const cairn_params **)((char *)params->values + offset - row->offset + row->object) = object;
}

/* Room for the parameters of an entry, all of them 0. */
static cairn_status new_params(cairn_context *ctx, cairn_params **out, const cairn_entry *entry,
                               size_t n)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    CHECK(NEW(ctx, &params, 1));
    params->entry = entry;
    cairn_entry_hold(entry);
    params->n_rows = n;
    CHECK(NEW(ctx, (char **)&params->values, entry->params_size ? entry->params_size : 1));
    CHECK(NEW_EACH(ctx, n ? n : 1, &params->texts, &params->objects, &params->lists));
    *out = TAKE(params);
    return CAIRN_OK;
}

cairn_status cairn_params_for(cairn_context *ctx, cairn_params **out, const cairn_entry *entry)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    size_t offset, n = 0;
    const cairn_param *row;
    cairn_row_walk counted = cairn_rows_of(entry), walk = counted;
    while (cairn_next_row(&counted, NULL)) n++;
    CHECK(new_params(ctx, &params, entry, n));
    for (size_t i = 0; (row = cairn_next_row(&walk, &offset)); i++) {
        /* The default of row i. */
        cairn_params *object;
        if (!row->initial) continue;
        CHECK(set_field(ctx, params, i, row, (char *)params->values + offset, row->initial));
        CHECK(open_object(ctx, &object, params, row, row->initial));
        put_object(params, i, row, offset, object);
    }
    *out = TAKE(params);
    return CAIRN_OK;
}

void cairn_params_free(cairn_params *params)
{
    if (!params) return;
    for (size_t i = 0; params->texts && i < params->n_rows; i++) cairn_free(params->texts[i]);
    for (size_t i = 0; params->objects && i < params->n_rows; i++)
        cairn_params_free(params->objects[i]);
    for (size_t i = 0; params->lists && i < params->n_rows; i++) cairn_free(params->lists[i]);
    FREE_EACH(params->texts, params->objects, params->lists, params->values);
    cairn_entry_drop(params->entry);
    cairn_params_free(params->next);
    cairn_free(params);
}

/* "old\nnew" for a parameter that may be given several times. */
static cairn_status joined_text(cairn_context *ctx, char **out, const char *old, const char *value)
{
    cairn_text text = cairn_text_start(ctx);
    if (old) {
        cairn_text_add(&text, old);
        cairn_text_add_char(&text, '\n');
    }
    cairn_text_add(&text, value);
    return cairn_text_take(&text, out);
}

const cairn_choice *cairn_params_preset(const cairn_params *params, const cairn_setting **sets)
{
    const cairn_param *row;
    size_t offset;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    while ((row = cairn_next_row(&walk, &offset))) {
        if (!row->presets) continue;
        int value = *(const int *)((const char *)params->values + offset);
        for (size_t c = 0; row->choices[c].name; c++) {
            if (row->choices[c].value != value || !row->presets[c]) continue;
            *sets = row->presets[c];
            return &row->choices[c];
        }
    }
    return NULL;
}

const char *cairn_params_usual(const cairn_params *params, const cairn_param *row)
{
    const cairn_setting *s = NULL;
    if (cairn_params_preset(params, &s))
        for (; s->name; s++)
            if (same_option(s->name, row->name)) return s->value;
    return row->initial;
}

/* A preset was chosen: everything that was not set by itself follows it. */
static cairn_status follow_preset(cairn_context *ctx, cairn_params *params)
{
    const cairn_param *row;
    size_t offset;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    for (size_t i = 0; (row = cairn_next_row(&walk, &offset)); i++) {
        const char *text = params->texts[i] ? NULL : cairn_params_usual(params, row);
        if (text) CHECK(set_field(ctx, params, i, row, (char *)params->values + offset, text));
    }
    return CAIRN_OK;
}

static void add_spec(cairn_text *text, const cairn_params *params);

/* What is kept of a value: as it was typed, or, where an entry in it was called by another name,
 * the same in the names of the house; behind `old`, of one that may be given several times. */
static cairn_status kept_text(cairn_context *ctx, char **out, const char *old, const char *value,
                              const cairn_params *object)
{
    SCOPED(cairn_text_clear) cairn_text spec = cairn_text_start(ctx);
    if (object && object->renamed) {
        add_spec(&spec, object);
        CHECK(cairn_text_status(&spec));
        value = cairn_text_string(&spec);
    }
    return joined_text(ctx, out, old, value);
}

cairn_status cairn_params_set(cairn_context *ctx, cairn_params *params, const char *name,
                              const char *value)
{
    PUBLIC_CALL(ctx);
    size_t i = 0, offset = 0;
    const char *given = name;
    char *kept;
    OWNED(cairn_params_free) cairn_params *object = NULL;
    CHECK(cairn_option_meant(ctx, params, name, &name));
    const cairn_param *row = name ? find_row(params->entry, name, &i, &offset) : NULL;
    if (!row) return unknown_option(ctx, params, given);
    CHECK(open_object(ctx, &object, params, row, value));
    params->renamed |= object && object->renamed;
    CHECK(kept_text(ctx, &kept, row->repeated ? params->texts[i] : NULL, value, object));
    cairn_status status = set_field(ctx, params, i, row, (char *)params->values + offset, kept);
    if (status) {
        cairn_free(kept);
        return status;
    }
    if (row->repeated && params->texts[i])
        cairn_params_append(&params->objects[i], TAKE(object));
    else
        put_object(params, i, row, offset, TAKE(object));
    cairn_free(params->texts[i]);
    params->texts[i] = kept;
    return row->presets ? follow_preset(ctx, params) : CAIRN_OK;
}

cairn_status cairn_params_copy_list(cairn_context *ctx, cairn_params **out,
                                    const cairn_params *list)
{
    OWNED(cairn_params_free) cairn_params *first = NULL;
    cairn_params *copy;
    for (; list; list = list->next) {
        CHECK(cairn_params_copy(ctx, &copy, list));
        cairn_params_append(&first, copy);
    }
    *out = TAKE(first);
    return CAIRN_OK;
}

/* A copy of the object or objects, with this text for them, which passes over. */
static cairn_status take_object(cairn_context *ctx, cairn_params *params, size_t i, char *text,
                                const cairn_params *object)
{
    size_t offset = 0;
    cairn_params *copy;
    const cairn_param *row = cairn_params_row(params->entry, i, &offset);
    cairn_status status = cairn_params_copy_list(ctx, &copy, object);
    if (status) {
        cairn_free(text);
        return status;
    }
    if (row->repeated && params->texts[i])
        cairn_params_append(&params->objects[i], copy);
    else
        put_object(params, i, row, offset, copy);
    cairn_free(params->texts[i]);
    params->texts[i] = text;
    *(const char **)((char *)params->values + offset) = text;
    return CAIRN_OK;
}

cairn_status cairn_params_give(cairn_context *ctx, cairn_params *params, const char *name,
                               const char *value)
{
    size_t i = 0;
    char what[SUBJECT_SIZE], *joined;
    const char *given = name;
    CHECK(cairn_option_meant(ctx, params, name, &name));
    const cairn_param *row = name ? find_row(params->entry, name, &i, NULL) : NULL;
    const char *old = row ? params->texts[i] : NULL;
    if (!row) return unknown_option(ctx, params, given);
    if (!old || row->repeated || row->type == CAIRN_TYPE_BOOL || cairn_same(old, value))
        return cairn_params_set(ctx, params, name, value);
    if (row->type != CAIRN_TYPE_COLUMNS)
        return cairn_fail(ctx, CAIRN_USAGE, "%s is given twice, as '%s' and as '%s'; give it once",
                          subject(what, params, row->name), old, value);
    /* "old,new" of two lists of columns. */
    cairn_text text = cairn_text_start(ctx);
    cairn_text_addf(&text, "%s,%s", old, value);
    cairn_status status = cairn_text_take(&text, &joined);
    if (status) return status;
    status = cairn_params_set(ctx, params, name, joined);
    cairn_free(joined);
    return status;
}

/* What row i owns, and where its values point to that. */
static cairn_status copy_row(cairn_context *ctx, cairn_params *copy, const cairn_params *params,
                             size_t i, const cairn_param *row, size_t offset)
{
    const char *text = params->texts[i], **field = (const char **)((char *)copy->values + offset);
    cairn_params *object;
    if (text) {
        CHECK(cairn_copy_text(ctx, &copy->texts[i], text, strlen(text)));
        if (is_text_like(row->type) && *field == text) *field = copy->texts[i];
    }
    if (row->cells && *field) CHECK(set_field(ctx, copy, i, row, field, *field));
    if (!params->objects[i]) return CAIRN_OK;
    CHECK(cairn_params_copy_list(ctx, &object, params->objects[i]));
    put_object(copy, i, row, offset, object);
    return CAIRN_OK;
}

cairn_status cairn_params_copy(cairn_context *ctx, cairn_params **out, const cairn_params *params)
{
    OWNED(cairn_params_free) cairn_params *copy = NULL;
    size_t offset;
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    CHECK(new_params(ctx, &copy, params->entry, params->n_rows));
    copy->said = params->said;
    copy->renamed = params->renamed;
    memcpy(copy->values, params->values, params->entry->params_size);
    for (size_t i = 0; (row = cairn_next_row(&walk, &offset)); i++)
        CHECK(copy_row(ctx, copy, params, i, row, offset));
    *out = TAKE(copy);
    return CAIRN_OK;
}

const char *cairn_params_text(const cairn_params *params, const char *name)
{
    size_t i;
    const cairn_param *row = find_row(params->entry, name, &i, NULL);
    if (!row) return NULL;
    return params->texts[i] ? params->texts[i] : cairn_params_usual(params, row);
}

bool cairn_params_is_set(const cairn_params *params, const char *name)
{
    size_t i;
    return find_row(params->entry, name, &i, NULL) && params->texts[i];
}

bool cairn_params_ask_steps(const cairn_params *params)
{
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    for (size_t i = 0; (row = cairn_next_row(&walk, NULL)); i++)
        if (row->steps && params->texts[i]) return true;
    return false;
}

cairn_status cairn_params_refuse_single(cairn_context *ctx, const cairn_params *params)
{
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    for (size_t i = 0; (row = cairn_next_row(&walk, NULL)); i++) {
        char option[64];
        bool dashes = params->said == CAIRN_SAID_OPTION;
        if (!(row->writes || row->steps) || !params->texts[i]) continue;
        cairn_option_name(option, row->name);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s%s%s %s of a single fit, and here '%s' is fitted more than once; "
                          "leave it out, or use it with 'cairn %s' by itself",
                          dashes ? "--" : "'", option, dashes ? "" : "'",
                          row->writes ? "writes a file" : "shows something", params->entry->name,
                          params->entry->kind == CAIRN_ENTRY_LEARNER ? "fit" : "convert");
    }
    return CAIRN_OK;
}

cairn_status cairn_params_unset(cairn_context *ctx, cairn_params *params, const char *name)
{
    size_t i, offset;
    const cairn_param *row = find_row(params->entry, name, &i, &offset);
    if (!row || !params->texts[i]) return CAIRN_OK;
    cairn_free(params->texts[i]);
    params->texts[i] = NULL;
    const char *usual = cairn_params_usual(params, row);
    char *field = (char *)params->values + offset;
    cairn_params *object = NULL;
    if (usual) CHECK(open_object(ctx, &object, params, row, usual));
    put_object(params, i, row, offset, object);
    if (!usual && row->cells)
        *(cairn_list *)field = (cairn_list){0};
    else if (!usual)
        *(const char **)field = NULL; /* only text-like ones have no default */
    else
        CHECK(set_field(ctx, params, i, row, field, usual));
    return row->presets ? follow_preset(ctx, params) : CAIRN_OK;
}

/* The first condition of row i that does not hold, or NULL. */
static const char *broken_condition(const cairn_params *params, size_t i,
                                    cairn_condition_term *failed)
{
    const char *when[CAIRN_MOST_NESTING + 1];
    size_t n = cairn_params_when(params->entry, i, when);
    for (size_t k = 0; k < n; k++)
        if (!cairn_condition_holds(params, when[k], failed)) return when[k];
    return NULL;
}

bool cairn_params_idle(const cairn_params *params, const char *name)
{
    size_t i;
    cairn_condition_term failed;
    return find_row(params->entry, name, &i, NULL) && broken_condition(params, i, &failed);
}

cairn_status cairn_params_drop_idle(cairn_context *ctx, cairn_params *params)
{
    for (size_t i = 0; i < params->n_rows; i++) {
        cairn_condition_term failed;
        if (!params->texts[i] || !broken_condition(params, i, &failed)) continue;
        CHECK(cairn_params_unset(ctx, params, cairn_params_row(params->entry, i, NULL)->name));
        i = (size_t)-1; /* others may have counted with this one only */
    }
    return CAIRN_OK;
}

/* "--eta counts only with --solver ascent; here --solver is newton". */
static cairn_status refuse_idle(cairn_context *ctx, const cairn_params *params, const char *name,
                                const char *when, const cairn_condition_term *failed)
{
    char what[SUBJECT_SIZE], other[64], option[64];
    bool dashes = params->said == CAIRN_SAID_OPTION;
    const cairn_param *row = cairn_term_row(params->entry, failed, other);
    const char *value = row ? cairn_params_text(params, other) : NULL;
    cairn_text text = cairn_text_start(ctx);
    cairn_condition_words(&text, when, dashes);
    cairn_option_name(option, other);
    if (failed->values || failed->contrary) /* else what is missing was just named */
        cairn_text_addf(&text, "; here %s%s is %s", dashes ? "--" : "", option,
                        value ? value : CAIRN_NOT_GIVEN);
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "%s counts only %s", subject(what, params, name),
                            cairn_text_string(&text));
    cairn_text_clear(&text);
    return status;
}

cairn_status cairn_params_refuse_idle(cairn_context *ctx, const cairn_params *params)
{
    for (size_t i = 0; i < params->n_rows; i++) {
        cairn_condition_term failed;
        const char *when = params->texts[i] ? broken_condition(params, i, &failed) : NULL;
        if (when)
            return refuse_idle(ctx, params, cairn_params_row(params->entry, i, NULL)->name, when,
                               &failed);
    }
    return CAIRN_OK;
}

bool cairn_param_is_required(const cairn_param *row)
{
    return row->required || (!row->initial && !is_text_like(row->type));
}

cairn_status cairn_params_check(cairn_context *ctx, const cairn_params *params)
{
    char option[64];
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(params->entry);
    for (size_t i = 0; (row = cairn_next_row(&walk, NULL)); i++) {
        if (!cairn_param_is_required(row) || params->texts[i]) continue;
        cairn_option_name(option, row->name);
        bool dashes = params->said == CAIRN_SAID_OPTION;
        return cairn_fail(ctx, CAIRN_USAGE, "%s needs %s%s%s (%s)", params->entry->name,
                          dashes ? "--" : "'", option, dashes ? "" : "'",
                          row->help ? cairn_say(ctx, row->help) : "it has no default");
    }
    CHECK(cairn_params_refuse_idle(ctx, params));
    return params->entry->check ? params->entry->check(ctx, params->values) : CAIRN_OK;
}

/* Whether every bracket of the value is closed again, so that it ends where it seems to. */
static bool is_balanced(const char *value)
{
    int depth = 0;
    for (; *value && depth >= 0; value++) {
        if (strchr("([{", *value)) depth++;
        if (strchr(")]}", *value)) depth--;
    }
    return depth == 0;
}

/* "name:key=value,..." */
static void add_spec(cairn_text *text, const cairn_params *params)
{
    cairn_text_add(text, params->entry->name);
    char separator = ':', option[64];
    for (size_t i = 0; i < params->n_rows; i++) {
        const cairn_param *row = cairn_params_row(params->entry, i, NULL);
        const char *value = params->texts[i];
        if (!value || cairn_same(value, cairn_params_usual(params, row))) continue;
        cairn_option_name(option, row->name);
        for (bool more = true; more; separator = ',') { /* one pair per value of a repeated one */
            size_t length = row->repeated ? strcspn(value, "\n") : strlen(value);
            cairn_text_addf(text, "%c%s=", separator, option);
            /* Quotes inside a quoted value are doubled. */
            /* Whether a value of `length` bytes must be quoted inside a spec. */
            const char *comma = cairn_split_next(value, ',');
            bool quoted = comma < value + length || !length || value[0] == ' ' ||
                          value[length - 1] == ' ' || memchr(value, '"', length) ||
                          !is_balanced(value);
            if (quoted) cairn_text_add_char(text, '"');
            for (size_t j = 0; j < length; j++) {
                cairn_text_add_char(text, value[j]);
                if (quoted && value[j] == '"') cairn_text_add_char(text, '"');
            }
            if (quoted) cairn_text_add_char(text, '"');
            more = value[length];
            value += length + more;
        }
    }
}

cairn_status cairn_params_spec(cairn_context *ctx, const cairn_params *params, char **out)
{
    cairn_text text = cairn_text_start(ctx);
    add_spec(&text, params);
    return cairn_text_take(&text, out);
}

cairn_status cairn_params_set_object(cairn_context *ctx, cairn_params *params, const char *name,
                                     const cairn_params *object)
{
    size_t i;
    char *made;
    cairn_text text = cairn_text_start(ctx);
    const cairn_param *row = find_row(params->entry, name, &i, NULL);
    if (!row || !row->object) return unknown_option(ctx, params, name);
    if (row->repeated && params->texts[i]) cairn_text_addf(&text, "%s\n", params->texts[i]);
    for (const cairn_params *o = object; o; o = o->next) {
        if (o != object) cairn_text_add_char(&text, '\n');
        add_spec(&text, o);
    }
    CHECK(cairn_text_take(&text, &made));
    return take_object(ctx, params, i, made, object);
}

/* Whether what stands before the equals sign of a pair is a parameter of the entry. */
static bool names_row(const cairn_entry *entry, const char *pair, const char *equals)
{
    char name[64];
    size_t length = equals ? (size_t)(equals - pair) : 0;
    if (length == 0 || length >= sizeof name) return false;
    memcpy(name, pair, length);
    name[length] = 0;
    return cairn_params_has(entry, name);
}

/* Set one "key=value" of a spec; the first may be a bare value, of the first parameter: "cv:10". */
static cairn_status set_pair(cairn_context *ctx, cairn_params *params, const char *pair, size_t at)
{
    const char *equals = cairn_split_next(pair, '='); /* not one inside brackets */
    if (!*equals) equals = NULL;
    char name[64];
    const cairn_param *first = cairn_params_row(params->entry, 0, NULL);
    if (at == 0 && !equals && first) return cairn_params_set(ctx, params, first->name, pair);
    if (first && params->entry->assigns && !names_row(params->entry, pair, equals))
        return cairn_params_set(ctx, params, first->name, pair);
    if (!equals || equals == pair || (size_t)(equals - pair) >= sizeof name)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: '%s' should read name=value", params->entry->name,
                          pair);
    memcpy(name, pair, (size_t)(equals - pair));
    name[equals - pair] = 0;
    const char *meant;
    CHECK(cairn_option_meant(ctx, params, name, &meant));
    if (!meant) return unknown_option(ctx, params, name);
    params->renamed |= !find_row(params->entry, name, NULL, NULL);
    const char *value = equals + 1;
    size_t length = strlen(value);
    char *plain;
    bool quoted = length >= 2 && value[0] == '"' && value[length - 1] == '"';
    CHECK(SCRATCH(ctx, &plain, length + 1));
    size_t n = 0;
    for (size_t i = quoted; i < length - quoted; i++) {
        plain[n++] = value[i];
        if (quoted && value[i] == '"' && value[i + 1] == '"' && i + 1 < length - 1) i++;
    }
    return cairn_params_give(ctx, params, meant, plain);
}

/* Whether a pair of a spec sets a parameter that may be a list; the first may be a bare value. */
static bool sets_list(const cairn_entry *entry, const char *pair, size_t at)
{
    char name[64];
    const cairn_param *row = cairn_params_row(entry, 0, NULL);
    size_t length = (size_t)(cairn_split_next(pair, '=') - pair);
    if (pair[length]) {
        if (length >= sizeof name) return false;
        memcpy(name, pair, length);
        name[length] = 0;
        row = find_row(entry, name, NULL, NULL);
        const char *other = row ? NULL : cairn_other_name(name, entry).first;
        if (other) row = find_row(entry, other, NULL, NULL);
    } else if (at) {
        return false;
    }
    return row && (row->type == CAIRN_TYPE_LIST || row->type == CAIRN_TYPE_COLUMNS ||
                   row->type == CAIRN_TYPE_TEXT);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "cuts=50" and "70" are "cuts=50,70": what cannot be a pair, since it has no equals sign or does
 * not begin with a letter ("<=70"), goes on with the list before it. */
static cairn_status join_lists(cairn_context *ctx, const cairn_entry *entry, char **items,
                               size_t *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++) {
        bool pair = *cairn_split_next(items[i], '=') && is_letter(items[i][0]);
        bool goes_on = kept && !pair && sets_list(entry, items[kept - 1], kept - 1);
        if (!goes_on) {
            items[kept++] = items[i];
            continue;
        }
        size_t before = strlen(items[kept - 1]), length = strlen(items[i]);
        char *joined;
        CHECK(SCRATCH(ctx, &joined, before + length + 2));
        memcpy(joined, items[kept - 1], before);
        joined[before] = ',';
        memcpy(joined + before + 1, items[i], length);
        items[kept - 1] = joined;
    }
    *n = kept;
    return CAIRN_OK;
}

static cairn_status set_pairs(cairn_context *ctx, cairn_params *params, const char *pairs)
{
    char **items;
    size_t n;
    CHECK(cairn_split_list(ctx, pairs, &items, &n));
    if (!params->entry->assigns) CHECK(join_lists(ctx, params->entry, items, &n));
    for (size_t i = 0; i < n; i++) CHECK(set_pair(ctx, params, items[i], i));
    return CAIRN_OK;
}

/* What a synonym such as "ID3 (preset=id3)" sets. */
static cairn_status set_named(cairn_context *ctx, cairn_params *params,
                              const cairn_entry_match *match)
{
    char *pairs;
    CHECK(SCRATCH(ctx, &pairs, match->n_settings + 1));
    memcpy(pairs, match->settings, match->n_settings);
    return set_pairs(ctx, params, pairs);
}

cairn_status cairn_params_from_spec(cairn_context *ctx, cairn_params **out, cairn_entry_kind kind,
                                    const char *spec)
{
    SCOPED_SCRATCH(ctx);
    const cairn_entry *entry;
    OWNED(cairn_params_free) cairn_params *params = NULL;
    cairn_entry_match match;
    char *name;
    const char *colon = strchr(spec, ':');
    size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
    CHECK(SCRATCH(ctx, &name, length + 1));
    memcpy(name, spec, length);
    CHECK(cairn_entry_meant(ctx, &entry, kind, name, &match));
    CHECK(cairn_params_for(ctx, &params, entry));
    params->said = CAIRN_SAID_KEY;
    params->renamed = strcmp(entry->name, name) != 0;
    if (match.settings) CHECK(set_named(ctx, params, &match));
    if (colon && colon[1]) CHECK(set_pairs(ctx, params, colon + 1));
    *out = TAKE(params);
    return CAIRN_OK;
}

cairn_status cairn_params_append_specs(cairn_context *ctx, cairn_params **list,
                                       cairn_entry_kind kind, const char *const *specs)
{
    cairn_params *params;
    for (; specs && *specs; specs++) {
        CHECK(cairn_params_from_spec(ctx, &params, kind, *specs));
        cairn_params_append(list, params);
    }
    return CAIRN_OK;
}

cairn_status cairn_params_new(cairn_context *ctx, cairn_params **out, const char *learner)
{
    PUBLIC_CALL(ctx);
    CHECK(cairn_params_from_spec(ctx, out, CAIRN_ENTRY_LEARNER, learner));
    (*out)->said = CAIRN_SAID_NAME;
    return CAIRN_OK;
}
