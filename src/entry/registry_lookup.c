/* SPDX-License-Identifier: MIT */
/* Finding entries by name, with a suggestion for a near miss. */
#include "entry/query.h"

#include <string.h>

const char *cairn_entry_kind_name(cairn_entry_kind kind)
{
    switch (kind) {
    case CAIRN_ENTRY_LEARNER: return "learner";
    case CAIRN_ENTRY_TRANSFORM: return "transform";
    case CAIRN_ENTRY_FORMAT: return "format";
    case CAIRN_ENTRY_SOURCE: return "source";
    case CAIRN_ENTRY_RESAMPLING: return "resampling";
    case CAIRN_ENTRY_MEASURE: return "measure";
    case CAIRN_ENTRY_DISTANCE: return "distance";
    case CAIRN_ENTRY_KERNEL: return "kernel";
    case CAIRN_ENTRY_CALCULATOR: return "calculator";
    case CAIRN_ENTRY_PICTURE: return "picture";
    case CAIRN_ENTRY_VERB: return "verb";
    }
    return "entry";
}

const cairn_entry *cairn_entry_find(const cairn_context *ctx, cairn_entry_kind kind,
                                    const char *name)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == kind && strcmp(entries[i]->name, name) == 0) return entries[i];
    return NULL;
}

typedef struct wanted_kind {
    const cairn_context *ctx;
    cairn_entry_kind kind;
} wanted_kind;

/* The i-th name of the kind. */
static const char *name_of_kind(size_t i, const void *data)
{
    const wanted_kind *wanted = data;
    const cairn_entry *entry = cairn_entry_at(wanted->ctx, wanted->kind, i);
    return entry ? entry->name : NULL;
}

/* The entries that are known under exactly this name (or synonym, or title), of the kind or of all
 * others: the first, with the number of them. */
static size_t known_as(const cairn_context *ctx, const char *name, cairn_entry_kind kind,
                       bool of_kind, const cairn_entry **first, cairn_entry_match *how)
{
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    cairn_query query;
    cairn_query_read(&query, name);
    for (size_t i = 0; i < n; i++) {
        if ((entries[i]->kind == kind) != of_kind) continue;
        cairn_entry_match match;
        if (!cairn_entry_is_called(entries[i], &query, &match)) continue;
        bool better = found == 0 || match.by < how->by;
        if (better) *first = entries[i], *how = match;
        found++;
    }
    return found;
}

/* Whether a synonym with settings is exactly what the query asks for. */
static bool sets_as(const cairn_entry *entry, const cairn_query *query, cairn_entry_match *match)
{
    for (size_t i = 0; cairn_entry_synonym(entry, i, match); i++)
        if (match->settings &&
            cairn_query_match(query, match->synonym, match->length) == CAIRN_ANSWER_WHOLE)
            return true;
    return false;
}

const cairn_entry *cairn_entry_named(const cairn_context *ctx, cairn_entry_kind kind,
                                     const char *name, cairn_entry_match *match)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    const cairn_entry *found = cairn_entry_find(ctx, kind, name);
    cairn_entry_match here = {0};
    cairn_query query;
    *match = here;
    if (found) return found;
    cairn_query_read(&query, name);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != kind || !sets_as(entries[i], &query, &here)) continue;
        if (found) return NULL;
        found = entries[i];
        *match = here;
    }
    return found;
}

bool cairn_entry_known(const cairn_context *ctx, cairn_entry_kind kind, const char *name)
{
    const cairn_entry *entry;
    cairn_entry_match match;
    return known_as(ctx, name, kind, true, &entry, &match) > 0;
}

/* The name is what others call an entry: say what to type. Where another of the kind has it too,
 * 'cairn help' shows both. */
static cairn_status refuse_synonym(cairn_context *ctx, const char *kind_name, const char *name,
                                   const cairn_entry *entry, const cairn_entry_match *match,
                                   size_t found)
{
    cairn_text type = cairn_text_start(ctx);
    cairn_match_type(&type, entry, match);
    cairn_status status = cairn_text_status(&type);
    if (status == CAIRN_OK && found == 1)
        status = cairn_fail(ctx, CAIRN_USAGE, "there is no %s '%s'; it is called '%s' here",
                            kind_name, name, cairn_text_string(&type));
    else if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE,
                            "there is no %s '%s'; did you mean '%s'? 'cairn help %s' shows all %zu "
                            "that may be meant",
                            kind_name, name, cairn_text_string(&type), name, found);
    cairn_text_clear(&type);
    return status;
}

/* The entry whose name or synonym is spelt most like the word. */
static const cairn_entry *spelt_alike(const cairn_context *ctx, const char *name,
                                      cairn_entry_kind kind)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n), *found = NULL;
    int least = 1000;
    cairn_query query;
    cairn_query_read(&query, name);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != kind) continue;
        cairn_entry_match match = cairn_entry_called(entries[i], &query);
        int score = cairn_match_score(match.by, match.answer);
        if (score >= least) continue;
        least = score;
        found = entries[i];
    }
    return found;
}

/* Whether a name can only be one of the course, which a library may leave out. */
static bool is_of_course(cairn_entry_kind kind, const char *name)
{
    return kind == CAIRN_ENTRY_CALCULATOR || kind == CAIRN_ENTRY_PICTURE ||
           (kind == CAIRN_ENTRY_VERB && strcmp(name, "lesson") == 0);
}

cairn_status cairn_entry_get(cairn_context *ctx, const cairn_entry **out, cairn_entry_kind kind,
                             const char *name)
{
    const cairn_entry *entry;
    cairn_entry_match match;
    *out = cairn_entry_find(ctx, kind, name);
    if (*out) return CAIRN_OK;
    const char *kind_name = cairn_entry_kind_name(kind);
    if (!cairn_entry_at(ctx, CAIRN_ENTRY_VERB, 0)) /* every other library has verbs */
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no %s '%s' in libcairn-predict, which has what answers rows; "
                          "libcairn has all of them, and takes a program's own",
                          kind_name, name);
    size_t found = known_as(ctx, name, kind, true, &entry, &match);
    if (found) return refuse_synonym(ctx, kind_name, name, entry, &match, found);
    if (is_of_course(kind, name) && !cairn_entry_at(ctx, CAIRN_ENTRY_CALCULATOR, 0))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no %s '%s' in libcairn; calculators, pictures and lessons are "
                          "in libcairn-course, which has all of libcairn besides",
                          kind_name, name);
    if (known_as(ctx, name, kind, false, &entry, &match))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no %s '%s'; the %s '%s' is used like this: %s", kind_name, name,
                          cairn_entry_kind_name(entry->kind), entry->name, entry->example);
    const char *near = cairn_nearest_word(name, name_of_kind, &(wanted_kind){ctx, kind});
    if (!near && (entry = spelt_alike(ctx, name, kind))) near = entry->name;
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no %s '%s'; did you mean '%s'?", kind_name,
                          name, near);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "there is no %s '%s'; 'cairn list %ss' shows all of them, 'cairn help %s' "
                      "looks for it",
                      kind_name, name, kind_name, name);
}
