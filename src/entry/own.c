/* SPDX-License-Identifier: MIT */
/* Entries of a program's own: checking what it registers, keeping it with those of the library in
 * one sorted list, and freeing it when nobody uses it any more. */
#include "entry/own.h"
#include "base/memory.h"
#include "base/text.h"
#include "entry/condition.h"
#include "entry/range.h"
#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 40, MOST_PARAMS = 1000, MOST_SETTINGS = 1 << 20 };

typedef struct own_entries {
    const cairn_entry **all; /* sorted, those of the library among them */
    size_t n;
} own_entries;

/* -- holding -- */

void cairn_entry_hold(const cairn_entry *entry)
{
    if (entry->own) __atomic_add_fetch(&entry->own->holders, 1, __ATOMIC_RELAXED);
}

void cairn_entry_drop(const cairn_entry *entry)
{
    cairn_own *own = entry ? entry->own : NULL;
    if (!own || __atomic_sub_fetch(&own->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    for (size_t i = 0; own->choices && i < own->n_params; i++) cairn_free(own->choices[i]);
    FREE_EACH(own->choices, own->params, own);
}

/* -- the list of a context -- */

const cairn_entry *const *cairn_entries(const cairn_context *ctx, size_t *n)
{
    const own_entries *own = ctx ? ctx->own_entries : NULL;
    if (!own) return cairn_registry(n);
    *n = own->n;
    return own->all;
}

static void end_own_entries(void *entries)
{
    own_entries *own = entries;
    for (size_t i = 0; i < own->n; i++) cairn_entry_drop(own->all[i]);
    FREE_EACH(own->all, own);
}

static bool is_before(const cairn_entry *a, const cairn_entry *b)
{
    return a->kind != b->kind ? a->kind < b->kind : strcmp(a->name, b->name) < 0;
}

cairn_status cairn_own_register(cairn_context *ctx, cairn_entry *entry)
{
    size_t n, at = 0;
    const cairn_entry *const *entries = cairn_entries(ctx, &n), **all;
    CHECK(NEW(ctx, &all, n + 1));
    while (at < n && is_before(entries[at], entry)) at++;
    memcpy(all, entries, at * sizeof *all);
    all[at] = entry;
    memcpy(all + at + 1, entries + at, (n - at) * sizeof *all);
    own_entries *own = ctx->own_entries;
    cairn_status status = own ? CAIRN_OK : NEW(ctx, &own, 1);
    if (status) {
        cairn_free(all);
        return status;
    }
    cairn_entry_hold(entry);
    cairn_free(own->all);
    own->all = all;
    own->n = n + 1;
    ctx->own_entries = own;
    ctx->end_own_entries = end_own_entries;
    return CAIRN_OK;
}

/* -- checking a record -- */

cairn_status cairn_own_needs(cairn_context *ctx, const char *name, const char *field, bool there)
{
    if (there) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "the record '%.40s' has no %s, which it needs", name,
                      field);
}

/* Small letters, digits and single hyphens between them: what a command line and a spec can say. */
static bool is_word(const char *name)
{
    size_t n = 0;
    for (; name[n]; n++) {
        bool letter = name[n] >= 'a' && name[n] <= 'z', digit = name[n] >= '0' && name[n] <= '9';
        bool hyphen = name[n] == '-' && n > 0 && name[n - 1] != '-' && name[n + 1];
        if (n >= MOST_NAME || !(letter || hyphen || (digit && n > 0))) return false;
    }
    return n > 0;
}

static cairn_status check_name(cairn_context *ctx, const cairn_own_words *words)
{
    const char *kind = cairn_entry_kind_name(words->kind);
    if (!ctx->team || ctx->calls > 1) /* a child's, or inside another call: lists are being read */
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a %s is registered before the context works, not while it does", kind);
    if (!words->name) return cairn_fail(ctx, CAIRN_USAGE, "the record of a %s has no name", kind);
    if (!is_word(words->name))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%.60s' cannot be the name of a %s: take small letters, digits and "
                          "hyphens, a letter first, at most %d",
                          words->name, kind, (int)MOST_NAME);
    const cairn_entry *taken = cairn_entry_find(ctx, words->kind, words->name);
    if (!taken) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "there is a %s '%s' already, %s; take another name", kind,
                      words->name,
                      taken->own ? "registered in this context" : "one of the library's");
}

/* How many bytes a field of that type has, 0 = there is no such type for a record. */
static size_t field_size(cairn_type type)
{
    switch (type) {
    case CAIRN_TYPE_BOOL: return sizeof(bool);
    case CAIRN_TYPE_INT:
    case CAIRN_TYPE_CHOICE: return sizeof(int);
    case CAIRN_TYPE_INT64: return sizeof(int64_t);
    case CAIRN_TYPE_REAL: return sizeof(double);
    case CAIRN_TYPE_TEXT:
    case CAIRN_TYPE_LIST:
    case CAIRN_TYPE_COLUMNS:
    case CAIRN_TYPE_FILE: return sizeof(const char *);
    default: return 0;
    }
}

/* Why a parameter cannot be one, NULL = it can. An option of 'fit' or 'convert' that has its name
 * would hide it on the command line. */
static const char *param_fault(const cairn_own_words *words, const cairn_plugin_param *p)
{
    const cairn_entry *fit = cairn_entry_find(NULL, CAIRN_ENTRY_VERB, "fit");
    size_t size = field_size(p->type);
    cairn_range range;
    if (!is_word(p->name)) return "its name must be of small letters, digits and hyphens";
    if (words->kind == CAIRN_ENTRY_LEARNER && fit && cairn_params_has(fit, p->name))
        return "'cairn fit' has an option of that name, which would hide it";
    if (size == 0) return "it has no type that a record's parameter can have";
    if (p->offset % size || p->offset > words->params_size || words->params_size - p->offset < size)
        return "its field does not lie inside the struct of settings";
    if (!p->help) return "it has no help";
    if (p->range && !cairn_range_parse(p->range, &range)) return "its range is none";
    bool choice = p->type == CAIRN_TYPE_CHOICE;
    if (choice != (p->choices && p->choices[0])) return "a choice, and nothing else, has choices";
    for (const cairn_plugin_param *other = words->params; other != p; other++)
        if (strcmp(other->name, p->name) == 0) return "there are two of that name";
    return NULL;
}

/* -- the table of parameters -- */

/* The words of a choice, numbered from 0. */
static cairn_status make_choices(cairn_context *ctx, cairn_choice **out, const char *const *words)
{
    size_t n = 0;
    while (words[n]) n++;
    CHECK(NEW(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) (*out)[i] = (cairn_choice){.name = words[i], .value = (int)i};
    return CAIRN_OK;
}

static cairn_status make_params(cairn_context *ctx, cairn_own *own, const cairn_own_words *words)
{
    size_t n = 0;
    while (words->params && words->params[n].name && n <= MOST_PARAMS) n++;
    if (n > MOST_PARAMS || words->params_size > MOST_SETTINGS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the record '%s' has more than %d parameters or %d bytes of settings; "
                          "does its list end with a name that is NULL?",
                          words->name, (int)MOST_PARAMS, (int)MOST_SETTINGS);
    CHECK(NEW_EACH(ctx, n + 1, &own->params, &own->choices));
    own->n_params = n;
    for (size_t i = 0; i < n; i++) {
        const cairn_plugin_param *p = &words->params[i];
        const char *fault = param_fault(words, p);
        if (fault)
            return cairn_fail(ctx, CAIRN_USAGE, "parameter '%.60s' of the record '%s': %s", p->name,
                              words->name, fault);
        if (p->choices) CHECK(make_choices(ctx, &own->choices[i], p->choices));
        own->params[i] = (cairn_param){.name = p->name,
                                       .type = p->type,
                                       .offset = p->offset,
                                       .initial = p->initial,
                                       .range = p->range,
                                       .choices = own->choices[i],
                                       .help = p->help,
                                       .when = p->when};
    }
    return CAIRN_OK;
}

/* Conditions name parameters that there are. */
static cairn_status check_conditions(cairn_context *ctx, const cairn_entry *entry)
{
    const cairn_param *row;
    char other[64];
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++) {
        cairn_condition_term term;
        const char *at = row->when;
        while (at && cairn_condition_next(&at, &term))
            if (!cairn_term_row(entry, &term, other))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "parameter '%s' of the record '%s': '%s' names no other one",
                                  row->name, entry->name, row->when);
    }
    return CAIRN_OK;
}

/* Defaults must be values that a user could set. */
static cairn_status check_defaults(cairn_context *ctx, const cairn_entry *entry)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    const cairn_param *row;
    cairn_status status = cairn_params_for(ctx, &params, entry);
    for (size_t i = 0; !status && (row = cairn_params_row(entry, i, NULL)); i++)
        if (row->initial) status = cairn_params_set(ctx, params, row->name, row->initial);
    if (status == CAIRN_USAGE)
        cairn_message_prefix(ctx, "a default of the record '%s' cannot be", entry->name);
    return status;
}

cairn_status cairn_own_fill(cairn_context *ctx, cairn_own *own, cairn_entry *entry,
                            const cairn_own_words *words)
{
    own->holders = 1;
    *entry = (cairn_entry){.kind = words->kind, .name = words->name, .own = own};
    CHECK(check_name(ctx, words));
    CHECK(make_params(ctx, own, words));
    entry->title = words->title ? words->title : words->name;
    entry->summary = words->summary ? words->summary : entry->title;
    entry->also = words->also;
    entry->example = words->example ? words->example : own->example;
    snprintf(own->example, sizeof own->example,
             words->kind == CAIRN_ENTRY_LEARNER     ? "cairn fit %s DATA"
             : words->kind == CAIRN_ENTRY_TRANSFORM ? "cairn convert DATA OUT --with %s"
                                                    : "cairn convert DATA OUT --to %s",
             words->name);
    entry->params = own->params;
    entry->params_size = words->params_size;
    CHECK(check_conditions(ctx, entry));
    return check_defaults(ctx, entry);
}

/* -- calling -- */

void cairn_own_begins(cairn_context *ctx)
{
    ctx->message[0] = 0;
}

cairn_status cairn_own_ended(cairn_context *ctx, const cairn_entry *entry, const char *what,
                             cairn_status status)
{
    if (status == CAIRN_OK) return CAIRN_OK;
    if ((unsigned)status > CAIRN_CANCELLED)
        return cairn_fail(ctx, CAIRN_INTERNAL,
                          "'%s' of the %s '%s' returned %d, which is no status", what,
                          cairn_entry_kind_name(entry->kind), entry->name, (int)status);
    if (ctx->message[0]) return status;
    return cairn_fail(ctx, status, "'%s' of the %s '%s' failed (%s)", what,
                      cairn_entry_kind_name(entry->kind), entry->name, cairn_status_name(status));
}
