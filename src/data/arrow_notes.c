/* SPDX-License-Identifier: MIT */
/* Notes about columns: see arrow_notes.h. */
#include "data/arrow_notes.h"
#include "data/column.h"
#include <string.h>

#define KEY_KIND    "cairn.kind"
#define KEY_ROLE    "cairn.role"
#define KEY_LEVELS  "cairn.levels"
#define KEY_PATTERN "cairn.pattern"
#define FOUND       "found"
#define ORDERED     "ordered"

static cairn_status note(cairn_context *ctx, struct ArrowSchema *schema, const char *key,
                         const char *value)
{
    cairn_arrow_pair pair = {key, value, strlen(key), strlen(value)};
    return cairn_arrow_note(ctx, schema, &pair);
}

cairn_status cairn_arrow_write_notes(cairn_context *ctx, struct ArrowSchema *schema,
                                     const cairn_slot *slot)
{
    CHECK(note(ctx, schema, KEY_KIND, cairn_kind_name(slot->column->kind)));
    if (slot->role != CAIRN_FEATURE && slot->chosen != CAIRN_ROLE_FOUND)
        CHECK(note(ctx, schema, KEY_ROLE, cairn_role_name(slot->role)));
    const cairn_column *column = slot->column;
    if (column->kind == CAIRN_LEVEL && (column->ordered || !column->declared))
        CHECK(note(ctx, schema, KEY_LEVELS,
                   !column->ordered   ? FOUND
                   : column->declared ? ORDERED
                                      : ORDERED " " FOUND));
    return slot->column->pattern[0] ? note(ctx, schema, KEY_PATTERN, slot->column->pattern)
                                    : CAIRN_OK;
}

/* The value of a key as text; false when there is none that fits. */
static bool read_note(const struct ArrowSchema *schema, const char *key, char *out, size_t size)
{
    size_t length;
    const char *value = cairn_arrow_noted(schema, key, &length);
    if (!value || length >= size || memchr(value, 0, length)) return false;
    memcpy(out, value, length);
    out[length] = 0;
    return true;
}

cairn_arrow_noted_column cairn_arrow_read_notes(const struct ArrowSchema *schema)
{
    cairn_arrow_noted_column noted = {.kind = -1, .role = CAIRN_FEATURE};
    char word[CAIRN_TIME_PATTERN];
    if (read_note(schema, KEY_KIND, word, sizeof word)) noted.kind = cairn_kind_find(word);
    if (read_note(schema, KEY_ROLE, word, sizeof word))
        for (cairn_role role = CAIRN_FEATURE; role <= CAIRN_IGNORED; role++)
            if (cairn_same(word, cairn_role_name(role))) noted.role = role;
    if (read_note(schema, KEY_LEVELS, word, sizeof word)) {
        noted.ordered = cairn_starts_with(word, ORDERED);
        noted.found = strstr(word, FOUND) != NULL;
    }
    if (read_note(schema, KEY_PATTERN, word, sizeof word) && cairn_time_is_pattern(word))
        memcpy(noted.pattern, word, sizeof word);
    return noted;
}
