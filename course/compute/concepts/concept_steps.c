/* SPDX-License-Identifier: MIT */
/* Steps of generalising and specialising: see concept_steps.h. */
#include "compute/concepts/concept_steps.h"

#include "base/memory.h"
#include "report/table_rows.h"

static void place_cell(cairn_report *out, const cairn_domain *domain, const uint64_t *concept,
                       size_t j, const char *name)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_concept_add_place(&text, domain, concept, j);
    if (name)
        cairn_report_cell_word(out, cairn_text_string(&text), "%s.%s", name,
                               cairn_report_key(out, domain->attributes[j].name));
    else
        cairn_report_cell(out, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
}

cairn_status cairn_steps_join(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                              const uint64_t *before, const int32_t *codes, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    const cairn_domain *domain = &data->domain;
    uint64_t *instance, *after;
    CHECK(SCRATCH_EACH(ctx, domain->n, &instance, &after));
    cairn_concept_of(domain, instance, codes);
    cairn_concept_join(domain, after, before, instance);
    cairn_report_table_of(out, "Column by column", 0, "llll", "column", "h before", "x",
                          "h afterwards");
    for (size_t j = 0; j < domain->n; j++) {
        cairn_report_cell(out, domain->attributes[j].name);
        place_cell(out, domain, before, j, NULL);
        place_cell(out, domain, instance, j, NULL);
        if (before[j] != after[j]) cairn_report_row_mark(out);
        place_cell(out, domain, after, j, prefix);
    }
    return CAIRN_OK;
}

cairn_status cairn_steps_keep(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                              const cairn_concepts *before, const int32_t *codes)
{
    cairn_report_table_of(out, "What of G covers it stays", 0, "lll", "g", "g(x)", "");
    for (size_t g = 0; g < before->n && cairn_report_row_wanted(out); g++) {
        const char *word;
        bool covers = cairn_concept_covers(&data->domain, cairn_concepts_at(before, g), codes);
        CHECK(cairn_concept_word(ctx, &word, data, cairn_concepts_at(before, g)));
        cairn_report_cells(out, NULL, word, covers ? "1" : "0", covers ? "stays" : "goes");
    }
    return CAIRN_OK;
}

static bool is_member(const cairn_concepts *list, const cairn_domain *domain, const uint64_t *c)
{
    for (size_t i = 0; i < list->n; i++)
        if (cairn_concept_equals(domain, cairn_concepts_at(list, i), c)) return true;
    return false;
}

/* The least specialisations of one concept that covers the example, and why each is kept or not. */
static cairn_status exclude_one(cairn_context *ctx, cairn_report *out,
                                const cairn_concept_data *data, const uint64_t *concept,
                                const char *word, const cairn_concepts *after,
                                const uint64_t *above, const int32_t *codes)
{
    SCOPED(cairn_concepts_clear) cairn_concepts found = {.width = data->domain.n};
    CHECK(cairn_specialise(ctx, &found, &data->domain, concept, NULL, &codes, 1));
    if (!found.n) {
        cairn_report_cells(out, NULL, word, "1", "",
                           "goes: nothing below it leaves the example out");
    }
    for (size_t i = 0; i < found.n && cairn_report_row_wanted(out); i++) {
        const uint64_t *one = cairn_concepts_at(&found, i);
        const char *special;
        bool kept = is_member(after, &data->domain, one);
        CHECK(cairn_concept_word(ctx, &special, data, one));
        cairn_report_cells(out, NULL, i ? "" : word, i ? "" : "1", special);
        if (kept) cairn_report_row_mark(out);
        cairn_report_cell(out, kept ? "kept"
                               : above && !cairn_concept_includes(&data->domain, one, above)
                                   ? "does not include S"
                                   : "less general than another");
    }
    return CAIRN_OK;
}

cairn_status cairn_steps_exclude(cairn_context *ctx, cairn_report *out,
                                 const cairn_concept_data *data, const cairn_concepts *before,
                                 const cairn_concepts *after, const uint64_t *above,
                                 const int32_t *codes)
{
    cairn_report_table_of(out, "What covers it is specialised", 0, "llll", "g", "g(x)",
                          "least specialisation", "");
    for (size_t g = 0; g < before->n && cairn_report_row_wanted(out); g++) {
        const uint64_t *concept = cairn_concepts_at(before, g);
        const char *word;
        CHECK(cairn_concept_word(ctx, &word, data, concept));
        if (cairn_concept_covers(&data->domain, concept, codes)) {
            CHECK(exclude_one(ctx, out, data, concept, word, after, above, codes));
            continue;
        }
        cairn_report_cells(out, NULL, word, "0", "", "stays");
    }
    return CAIRN_OK;
}

cairn_status cairn_steps_close(cairn_context *ctx, cairn_report *out,
                               const cairn_concept_data *data, const uint64_t *concept,
                               const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    const cairn_domain *domain = &data->domain;
    uint64_t *join, *instance;
    const char *word;
    CHECK(SCRATCH_EACH(ctx, domain->n, &join, &instance));
    CHECK(cairn_concept_word(ctx, &word, data, concept));
    cairn_report_step_begin(out, "The closure of %s", word);
    cairn_report_table_of(out, "What the examples that it covers have in common", 0, "lll",
                          "example", "x", "in common so far");
    for (size_t i = 0; i < data->examples.n && cairn_report_row_wanted(out); i++) {
        const int32_t *codes = cairn_example(&data->examples, domain, i);
        if (!cairn_concept_covers(domain, concept, codes)) continue;
        cairn_concept_of(domain, instance, codes);
        cairn_concept_join(domain, join, join, instance);
        cairn_report_cell(out, data->examples.names[i]);
        CHECK(cairn_concept_word(ctx, &word, data, instance));
        cairn_report_cell(out, word);
        CHECK(cairn_concept_word(ctx, &word, data, join));
        cairn_report_cell_word(out, word, "%s.after%zu", prefix, i + 1);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

void cairn_steps_rest(cairn_report *out, size_t n)
{
    if (n > CAIRN_CONCEPT_STEPS)
        cairn_report_note(out, "The work of the first %d of %zu is shown.", CAIRN_CONCEPT_STEPS, n);
}
