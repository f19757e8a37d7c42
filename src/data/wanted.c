/* SPDX-License-Identifier: MIT */
/* Which columns of a file are used: see wanted.h. */
#include "data/wanted.h"
#include "base/memory.h"
#include "data/expression.h"
#include <string.h>

/* The names of a list into a map; how many different ones. */
static cairn_status add_names(cairn_context *ctx, cairn_map *map, const char **names, size_t n)
{
    size_t at;
    for (size_t i = 0; i < n; i++) CHECK(cairn_map_add(ctx, map, names[i], strlen(names[i]), &at));
    return CAIRN_OK;
}

static bool has(const cairn_map *map, const char *name)
{
    return cairn_map_find(map, name, strlen(name)) >= 0;
}

/* A column is used if it is asked for, or if nobody asks for some and it is not left out. */
cairn_status cairn_wanted_columns(cairn_context *ctx, const cairn_read_options *options,
                                  const char *const *names, const bool *has_role, size_t n,
                                  bool *used, bool *narrows)
{
    SCOPED(cairn_map_clear) cairn_map only = {0}, also = {0}, without = {0};
    const cairn_wanted *wanted = options->wanted;
    size_t n_found = 0, n_unused = 0, n_used = 0;
    *narrows = false;
    /* kinds may be declared for any column */
    if (!wanted || options->kinds || (!wanted->n_only && !wanted->n_without)) return CAIRN_OK;
    CHECK(add_names(ctx, &only, wanted->only, wanted->n_only));
    CHECK(add_names(ctx, &also, wanted->also, wanted->n_also));
    CHECK(add_names(ctx, &without, wanted->without, wanted->n_without));
    for (size_t j = 0; j < n; j++) {
        bool asked = has(&only, names[j]);
        if (!*names[j]) return CAIRN_OK; /* it will be named by its place */
        n_found += asked;
        n_unused += has(&without, names[j]);
        used[j] = asked || has_role[j] || has(&also, names[j]) ||
                  (!wanted->n_only && !has(&without, names[j]));
        n_used += used[j];
    }
    *narrows = n_found >= only.n && n_unused >= without.n && n_used && n_used < n;
    if (*narrows && wanted->narrowed) *wanted->narrowed = true;
    return CAIRN_OK;
}
