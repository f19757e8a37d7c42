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

/* How near a match is to the entry: its name before whatever else it is called. */
static int rank(const cairn_entry_match *match)
{
    return match->by == CAIRN_FOUND_NAME ? 0 : 1;
}

const cairn_entry *cairn_entry_reading(const cairn_context *ctx, cairn_entry_kind kind,
                                       const char *name, size_t i, cairn_entry_match *match)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n), *found = NULL;
    cairn_entry_match here;
    cairn_query query;
    int best = 1;
    cairn_query_read(&query, name);
    for (size_t e = 0; e < n; e++)
        if (entries[e]->kind == kind && cairn_entry_is_called(entries[e], &query, &here))
            if (rank(&here) < best) best = rank(&here);
    for (size_t e = 0; e < n && !found; e++) {
        if (entries[e]->kind != kind || !cairn_entry_is_called(entries[e], &query, match)) continue;
        if (rank(match) == best && i-- == 0) found = entries[e];
    }
    return found;
}

const cairn_entry *cairn_entry_named(const cairn_context *ctx, cairn_entry_kind kind,
                                     const char *name, cairn_entry_match *match)
{
    const cairn_entry *found = cairn_entry_find(ctx, kind, name);
    cairn_entry_match second;
    *match = (cairn_entry_match){0};
    if (found || strlen(name) < 2) return found;
    if (cairn_entry_reading(ctx, kind, name, 1, &second)) return NULL;
    found = cairn_entry_reading(ctx, kind, name, 0, match);
    if (!found) *match = (cairn_entry_match){0};
    return found;
}

bool cairn_entry_known(const cairn_context *ctx, cairn_entry_kind kind, const char *name)
{
    const cairn_entry *entry;
    cairn_entry_match match;
    return known_as(ctx, name, kind, true, &entry, &match) > 0;
}

/* Others call several entries so: say all of them, each with what to type. */
static cairn_status refuse_readings(cairn_context *ctx, cairn_entry_kind kind, const char *name)
{
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    const cairn_entry *entry;
    cairn_entry_match match;
    for (size_t i = 0; (entry = cairn_entry_reading(ctx, kind, name, i, &match)); i++) {
        if (i) cairn_text_add(&list, " or ");
        cairn_match_type(&list, entry, &match);
        cairn_text_addf(&list, " (%s)", entry->title);
    }
    CHECK(cairn_text_status(&list));
    return cairn_fail(ctx, CAIRN_USAGE, "the %s '%s' may be %s; write the one that is meant",
                      cairn_entry_kind_name(kind), name, cairn_text_string(&list));
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
        int score = cairn_match_place(&match);
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

/* There is no entry of the kind that alone is called so: say what is meant, or where to look. */
static cairn_status refuse_name(cairn_context *ctx, cairn_entry_kind kind, const char *name)
{
    const cairn_entry *entry;
    cairn_entry_match match;
    const char *kind_name = cairn_entry_kind_name(kind);
    if (!cairn_entry_at(ctx, CAIRN_ENTRY_VERB, 0)) /* every other library has verbs */
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no %s '%s' in libcairn-predict, which has what answers rows; "
                          "libcairn has all of them, and takes a program's own",
                          kind_name, name);
    if (known_as(ctx, name, kind, true, &entry, &match)) return refuse_readings(ctx, kind, name);
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

cairn_status cairn_entry_meant(cairn_context *ctx, const cairn_entry **out, cairn_entry_kind kind,
                               const char *name, cairn_entry_match *match)
{
    *out = cairn_entry_named(ctx, kind, name, match);
    if (!*out) return refuse_name(ctx, kind, name);
    if (strcmp((*out)->name, name) == 0) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text type = cairn_text_start(ctx);
    cairn_match_type(&type, *out, match);
    CHECK(cairn_text_status(&type));
    cairn_note_once(ctx, "%s is called %s here", name, cairn_text_string(&type));
    return CAIRN_OK;
}

cairn_status cairn_entry_get(cairn_context *ctx, const cairn_entry **out, cairn_entry_kind kind,
                             const char *name)
{
    cairn_entry_match match;
    CHECK(cairn_entry_meant(ctx, out, kind, name, &match));
    if (!match.settings) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "the %s '%s' is '%s:%.*s', and settings have no place here",
                      cairn_entry_kind_name(kind), name, (*out)->name, (int)match.n_settings,
                      match.settings);
}
