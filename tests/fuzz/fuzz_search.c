/* SPDX-License-Identifier: MIT */
/* Texts that a search begins with: grids of settings, of which the first points are made (tune),
 * and words that are looked for in other texts (help). The first byte chooses. */
#include "fuzz/fuzz.h"
#include "base/text.h"
#include "entry/query.h"
#include "evaluate/space.h"

enum { MOST_POINTS = 3 };

/* Settings and label of a point. */
static void try_point(cairn_context *ctx, const cairn_space *space, size_t i,
                      const cairn_params *params)
{
    const char **values, *label;
    cairn_settings settings = {0};
    if (SCRATCH(ctx, &values, space->n)) abort();
    cairn_space_point(space, i, values);
    fuzz_check(ctx, cairn_space_settings(ctx, space, values, params, &settings));
    cairn_settings_clear(&settings);
    fuzz_check(ctx, cairn_space_trim(ctx, space, params, values));
    fuzz_check(ctx, cairn_space_label(ctx, space, values, &label));
    fuzz_check(ctx, cairn_space_draw(ctx, space, i, values));
}

/* What is varied, made at the first input and none of its memory. */
static void make_settings(cairn_params **params, cairn_params **with)
{
    static const char *const transforms[] = {"impute", "standardise", NULL};
    cairn_context *ctx = fuzz_new_context();
    if (cairn_params_new(ctx, params, "tree:impurity=gini")) abort();
    if (cairn_params_append_specs(ctx, with, CAIRN_ENTRY_TRANSFORM, transforms)) abort();
    cairn_context_free(ctx);
}

static void try_grid(const char *text)
{
    static cairn_params *params, *with;
    if (!params) make_settings(&params, &with);
    cairn_context *ctx = fuzz_begin();
    cairn_space space;
    cairn_status status = cairn_space_parse(ctx, &space, text, params, with);
    fuzz_check(ctx, status);
    for (size_t i = 0; status == CAIRN_OK && i < MOST_POINTS && i < cairn_space_size(&space); i++)
        try_point(ctx, &space, i, params);
    fuzz_end();
}

/* What is to be typed for what was found can be typed. */
static void try_match(cairn_context *ctx, const cairn_entry *entry, const cairn_query *query)
{
    cairn_entry_match match = cairn_entry_matches(entry, query);
    if (match.answer == CAIRN_ANSWER_NONE) return;
    cairn_text typed = cairn_text_start(ctx);
    cairn_params *params = NULL;
    cairn_match_type(&typed, entry, &match);
    const char *const specs[] = {typed.bytes, NULL};
    if (typed.status || cairn_params_append_specs(ctx, &params, entry->kind, specs)) abort();
    cairn_params_free(params);
    cairn_text_clear(&typed);
}

static void try_query(const char *text)
{
    cairn_context *ctx = fuzz_begin();
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_query query;
    cairn_query_read(&query, text);
    (void)cairn_query_match(&query, text, strlen(text));
    try_match(ctx, entries[n - 1 - strlen(text) % 2], &query); /* the two with the fewest words */
    fuzz_end();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char *text = fuzz_text(data + 1, size - 1);
    if (data[0] == 'b')
        try_query(text);
    else
        try_grid(text);
    free(text);
    return 0;
}
