/* SPDX-License-Identifier: MIT */
/* The names of the terms of a matrix, and sums of terms as text. */
#include "rows/matrix.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
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

/* BAG=ITEM of every item, in scratch. */
static cairn_status name_items(cairn_context *ctx, const char **out, const cairn_field *field)
{
    for (size_t i = 0; i < field->names.n; i++) {
        const char *item = cairn_map_key(&field->names, i);
        size_t size = strlen(field->name) + strlen(item) + 2;
        char *name;
        CHECK(SCRATCH_RAW(ctx, &name, size));
        snprintf(name, size, "%s=%s", field->name, item);
        out[i] = name;
    }
    return CAIRN_OK;
}

cairn_status cairn_term_names(cairn_context *ctx, const char *const **out,
                              const cairn_schema *schema)
{
    size_t n_dense, n_terms, dense = 0;
    const char **names;
    cairn_terms_count(schema, &n_dense, &n_terms);
    CHECK(SCRATCH(ctx, &names, n_terms + 1));
    size_t item = n_dense;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind != CAIRN_BAG) {
            names[dense++] = field->name;
            continue;
        }
        CHECK(name_items(ctx, names + item, field));
        item += field->names.n;
    }
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
