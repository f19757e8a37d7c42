/* SPDX-License-Identifier: MIT */
/* Finding entries by name, with a suggestion for a near miss. */
#include "entry/entry.h"
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

const cairn_entry *cairn_entry_find(cairn_entry_kind kind, const char *name)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++)
        if (entries[i]->kind == kind && strcmp(entries[i]->name, name) == 0) return entries[i];
    return NULL;
}

/* The i-th name of the kind. */
static const char *name_of_kind(size_t i, const void *data)
{
    cairn_entry_kind kind = *(const cairn_entry_kind *)data;
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t at = 0; at < n; at++)
        if (entries[at]->kind == kind && i-- == 0) return entries[at]->name;
    return NULL;
}

cairn_status cairn_entry_get(cairn_context *ctx, const cairn_entry **out, cairn_entry_kind kind,
                             const char *name)
{
    *out = cairn_entry_find(kind, name);
    if (*out) return CAIRN_OK;
    const char *kind_name = cairn_entry_kind_name(kind);
    const char *near = cairn_nearest_word(name, name_of_kind, &kind);
    if (near)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no %s '%s'; did you mean '%s'?", kind_name,
                          name, near);
    return cairn_fail(ctx, CAIRN_USAGE, "there is no %s '%s'; 'cairn list %ss' shows all of them",
                      kind_name, name, kind_name);
}
