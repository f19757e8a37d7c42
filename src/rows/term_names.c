/* SPDX-License-Identifier: MIT */
/* The names of the terms of a matrix, and sums of terms as text. */
#include "rows/matrix.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

void cairn_terms_count(const cairn_schema *schema, size_t *n_dense, size_t *n_terms)
{
    *n_dense = *n_terms = 0;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        *n_dense += field->kind != CAIRN_BAG;
        *n_terms += field->kind == CAIRN_BAG ? field->names.n : 1;
    }
}

const char *cairn_term_name(cairn_text *room, const cairn_schema *schema, size_t n_dense,
                            size_t term)
{
    size_t dense = 0, item = term - n_dense;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind != CAIRN_BAG) {
            if (term < n_dense && dense++ == term) return field->name;
            continue;
        }
        if (term < n_dense) continue;
        if (item < field->names.n) {
            room->length = 0;
            cairn_text_addf(room, "%s=%s", field->name, cairn_map_key(&field->names, item));
            return cairn_text_string(room);
        }
        item -= field->names.n;
    }
    return "?";
}

cairn_status cairn_term_names(cairn_context *ctx, const char *const **out,
                              const cairn_schema *schema)
{
    size_t n_dense, n_terms;
    const char **names;
    SCOPED(cairn_text_clear) cairn_text room = cairn_text_start(ctx);
    cairn_terms_count(schema, &n_dense, &n_terms);
    CHECK(SCRATCH(ctx, &names, n_terms + 1));
    for (size_t t = 0; t < n_terms; t++) {
        const char *name = cairn_term_name(&room, schema, n_dense, t);
        char *copy;
        if (t < n_dense) {
            names[t] = name;
            continue;
        }
        CHECK(SCRATCH_RAW(ctx, &copy, strlen(name) + 1));
        memcpy(copy, name, strlen(name) + 1);
        names[t] = copy;
    }
    CHECK(cairn_text_status(&room));
    *out = names;
    return CAIRN_OK;
}

const char *cairn_term_key(cairn_report *report, const char *name)
{
    return strcmp(name, "intercept") == 0 ? "\"intercept\"" : cairn_report_key(report, name);
}

cairn_status cairn_terms_check(cairn_archive *archive, const cairn_schema *schema, size_t n_terms)
{
    size_t n_dense, there;
    cairn_terms_count(schema, &n_dense, &there);
    if (there == n_terms) return CAIRN_OK;
    return cairn_archive_damaged(archive, "the learner has %zu terms, the schema %zu", n_terms,
                                 there);
}

void cairn_add_term(cairn_text *text, bool *any, double factor, const char *name, bool hide_one)
{
    cairn_text_add(text, *any ? (factor < 0 ? " − " : " + ") : factor < 0 ? "−" : "");
    *any = true;
    bool shown = !name || !hide_one || fabs(fabs(factor) - 1) > 1e-9;
    if (shown) cairn_text_add_number(text, fabs(factor), 6);
    if (name) cairn_text_addf(text, "%s%s", shown ? "·" : "", name);
}
