/* SPDX-License-Identifier: MIT */
/* Schemas: what a model knows of its columns, and raw tables brought into that form. */
#include "data/schema.h"
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

enum { MOST_FIELDS = 1 << 28 };

static cairn_status field_from_slot(cairn_context *ctx, cairn_field *field, const cairn_slot *slot)
{
    CHECK(cairn_copy_text(ctx, &field->name, slot->name, strlen(slot->name)));
    field->kind = (int32_t)slot->column->kind;
    field->role = (int32_t)slot->role;
    field->ordered = slot->column->ordered;
    field->declared = slot->column->declared;
    CHECK(cairn_map_copy(ctx, &field->names, &slot->column->names));
    if (field->kind == CAIRN_TIME && *slot->column->pattern)
        CHECK(cairn_copy_text(ctx, &field->pattern, slot->column->pattern,
                              strlen(slot->column->pattern)));
    return CAIRN_OK;
}

cairn_status cairn_schema_from_table(cairn_context *ctx, cairn_schema *out,
                                     const cairn_table *table)
{
    cairn_status status;
    cairn_schema schema = {0};
    TRY(NEW(ctx, &schema.fields, table->n_columns));
    schema.n_fields = table->n_columns;
    for (size_t i = 0; i < table->n_columns; i++)
        TRY(field_from_slot(ctx, &schema.fields[i], &table->slots[i]));
    *out = schema;
    return CAIRN_OK;
done:
    cairn_schema_clear(&schema);
    return status;
}

void cairn_schema_clear(cairn_schema *schema)
{
    for (size_t i = 0; i < schema->n_fields; i++) {
        FREE_EACH(schema->fields[i].name, schema->fields[i].pattern);
        cairn_map_clear(&schema->fields[i].names);
    }
    cairn_free(schema->fields);
    *schema = (cairn_schema){0};
}

ptrdiff_t cairn_schema_role(const cairn_schema *schema, cairn_role role)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == (int32_t)role) return (ptrdiff_t)i;
    return -1;
}

const cairn_field *cairn_schema_feature(const cairn_schema *schema, size_t column)
{
    for (size_t f = 0; f < schema->n_fields; f++)
        if (schema->fields[f].role == CAIRN_FEATURE && column-- == 0) return &schema->fields[f];
    return NULL;
}

const cairn_field *cairn_schema_next_feature(const cairn_schema *schema, size_t *at)
{
    while (*at < schema->n_fields)
        if (schema->fields[(*at)++].role == CAIRN_FEATURE) return &schema->fields[*at - 1];
    return NULL;
}

const char *cairn_schema_next_name(const cairn_schema *schema, size_t *at)
{
    const cairn_field *field = cairn_schema_next_feature(schema, at);
    return field ? field->name : "?";
}

const cairn_field *cairn_schema_target(const cairn_schema *schema)
{
    ptrdiff_t at = cairn_schema_role(schema, CAIRN_TARGET);
    return at < 0 ? NULL : &schema->fields[at];
}

const char *cairn_schema_class(const cairn_schema *schema, int32_t label)
{
    const cairn_field *target = cairn_schema_target(schema);
    return target && label >= 0 && (size_t)label < target->names.n
               ? cairn_map_key(&target->names, (size_t)label)
               : "?";
}

/* The pattern of times is checked when it is read, since writing a time takes it on trust. */
static cairn_status archive_field(cairn_archive *archive, cairn_field *field)
{
    CHECK(cairn_archive_text(archive, "name", &field->name));
    CHECK(cairn_archive_int(archive, "kind", &field->kind));
    CHECK(cairn_archive_int(archive, "role", &field->role));
    CHECK(cairn_archive_bool(archive, "ordered", &field->ordered));
    CHECK(cairn_archive_bool(archive, "declared", &field->declared));
    CHECK(cairn_archive_map(archive, "names", &field->names));
    if (!field->name) CHECK(cairn_archive_damaged(archive, "a column has no name"));
    if (field->kind < CAIRN_NUMBER || field->kind > CAIRN_SERIES)
        CHECK(cairn_archive_damaged(archive, "column '%s' has no known kind", field->name));
    if (field->kind == CAIRN_TIME) {
        CHECK(cairn_archive_text(archive, "pattern", &field->pattern));
        if (field->pattern &&
            cairn_time_check_pattern(cairn_archive_context(archive), field->pattern))
            CHECK(cairn_archive_damaged(archive, "column '%s' has no known way to write times",
                                        field->name));
    }
    if (field->role < CAIRN_FEATURE || field->role > CAIRN_IGNORED)
        CHECK(cairn_archive_damaged(archive, "column '%s' has no known role", field->name));
    if (field->names.n > INT32_MAX)
        CHECK(cairn_archive_damaged(archive, "column '%s' has too many levels", field->name));
    return CAIRN_OK;
}

cairn_status cairn_schema_archive(cairn_archive *archive, cairn_schema *schema)
{
    size_t n = schema->n_fields;
    CHECK(cairn_archive_size(archive, "n_fields", &n, MOST_FIELDS));
    if (cairn_archive_reading(archive)) {
        /* The fields grow as they are read: a wrong count in a file must not take memory.
         * Columns are found by their names, so none comes twice. */
        SCOPED(cairn_map_clear) cairn_map names = {0};
        cairn_context *ctx = cairn_archive_context(archive);
        size_t capacity = 0, index;
        for (size_t i = 0; i < n; i++) {
            CHECK(GROW(ctx, &schema->fields, &capacity, i + 1));
            schema->fields[i] = (cairn_field){0};
            schema->n_fields = i + 1;
            CHECK(archive_field(archive, &schema->fields[i]));
            const char *name = schema->fields[i].name;
            CHECK(cairn_map_add(ctx, &names, name, strlen(name), &index));
            if (index != i) return cairn_archive_damaged(archive, "two columns have the same name");
        }
        return CAIRN_OK;
    }
    for (size_t i = 0; i < n; i++) CHECK(archive_field(archive, &schema->fields[i]));
    return CAIRN_OK;
}

/* -- reading -- */

/* Classes that were numbers are spelt by us: 1 for what the file had as 1.0. */
static bool is_spelt_by_us(const char *text, size_t length)
{
    char digits[CAIRN_NUMBER_SIZE];
    double value;
    return cairn_cell_number(text, length, '.', &value) &&
           cairn_number_format(digits, value, CAIRN_SHORTEST) == length &&
           memcmp(digits, text, length) == 0;
}

/* How a column is read so that its values match those of training: a target of classes as
 * levels, unless all are numbers as they are written here. */
static cairn_expected expect_field(const cairn_field *field)
{
    if (field->role == CAIRN_TARGET) {
        for (size_t i = 0; field->kind == CAIRN_LEVEL && i < field->names.n; i++)
            if (!is_spelt_by_us(cairn_map_key(&field->names, i), field->names.lengths[i]))
                return (cairn_expected){CAIRN_LEVEL, NULL};
        return (cairn_expected){-1, NULL};
    }
    switch (field->kind) {
    case CAIRN_LEVEL: return (cairn_expected){CAIRN_LEVEL, NULL};
    case CAIRN_TEXT:
    case CAIRN_BAG:
    case CAIRN_SEQUENCE: return (cairn_expected){CAIRN_TEXT, NULL}; /* matching takes it apart */
    case CAIRN_TIME:
        if (field->pattern) return (cairn_expected){CAIRN_TIME, field->pattern};
        break;
    default: break;
    }
    return (cairn_expected){-1, NULL};
}

cairn_status cairn_schema_expect(cairn_context *ctx, cairn_expected **out,
                                 const cairn_schema *schema, const cairn_map *columns)
{
    cairn_expected *expected;
    CHECK(SCRATCH(ctx, &expected, columns->n + 1));
    for (size_t j = 0; j < columns->n; j++) expected[j].kind = -1;
    for (size_t i = schema ? schema->n_fields : 0; i-- > 0;) { /* of two the first one is right */
        const cairn_field *field = &schema->fields[i];
        int64_t at = cairn_map_find(columns, field->name, strlen(field->name));
        if (at >= 0) expected[at] = expect_field(field);
    }
    *out = expected;
    return CAIRN_OK;
}

/* -- matching -- */

static bool same_names(const cairn_map *a, const cairn_map *b)
{
    if (a->n != b->n) return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->lengths[i] != b->lengths[i] ||
            memcmp(cairn_map_key(a, i), cairn_map_key(b, i), a->lengths[i]) != 0)
            return false;
    return true;
}

/* Fields and rows are walked in order, so the first that is noted is the first of all. `item` is
 * the code of an item of the cell, or -1 for the whole cell. */
static void note_unseen(cairn_match *match, size_t field, size_t row, const cairn_column *column,
                        int32_t item)
{
    size_t size = sizeof match->first_value, length;
    if (match->n_unseen++) return;
    match->first_field = (ptrdiff_t)field;
    match->first_row = row;
    if (item < 0) {
        length = cairn_column_cell(column, row, match->first_value, size);
    } else {
        const char *name = cairn_map_key(&column->names, (size_t)item);
        length = column->names.lengths[item];
        memcpy(match->first_value, name, length < size ? length : size - 1);
        match->first_value[length < size ? length : size - 1] = 0;
    }
    if (length >= size) {
        /* End a value that was cut at a whole letter, with a sign that more follows. */
        char *value = match->first_value;
        static const char more[] = "…";
        size_t end = size - sizeof more;
        while (end && ((unsigned char)value[end] & 0xC0) == 0x80) end--;
        memcpy(value + end, more, sizeof more);
    }
}

/* The code of a name among the field's. Names that are numbers match by value, so that a level
 * "01" of the training data is found when the new table holds the number 1, and "1" when it holds
 * the text 1.0. A text with a leading zero is a code, and means nothing but itself. */
typedef struct level_index {
    const cairn_map *names;
    cairn_map values; /* shortest spelling of names that are numbers, codes behind the others */
    int32_t *codes;   /* their codes; from scratch */
    int32_t others;   /* the code of a declared "*", which stands for all other values; -1 = none */
} level_index;

static bool is_code(const char *text, size_t length)
{
    return length > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

static cairn_status index_values(cairn_context *ctx, level_index *index, bool codes)
{
    const cairn_map *names = index->names;
    for (size_t i = 0; i < names->n; i++) {
        char digits[CAIRN_NUMBER_SIZE];
        double value;
        size_t at;
        if (is_code(cairn_map_key(names, i), names->lengths[i]) != codes) continue;
        if (!cairn_cell_number(cairn_map_key(names, i), names->lengths[i], '.', &value)) continue;
        size_t length = cairn_number_format(digits, value, CAIRN_SHORTEST),
               before = index->values.n;
        CHECK(cairn_map_add(ctx, &index->values, digits, length, &at));
        if (at == before) index->codes[at] = (int32_t)i;
    }
    return CAIRN_OK;
}

static int32_t code_of_number(const level_index *index, double value)
{
    char digits[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_format(digits, value, CAIRN_SHORTEST);
    int64_t at = cairn_map_find(&index->values, digits, length);
    return at < 0 ? -1 : index->codes[at];
}

static int32_t code_of_text(const level_index *index, const char *text, size_t length)
{
    int64_t at = cairn_map_find(index->names, text, length);
    double value;
    if (at >= 0) return (int32_t)at;
    if (!index->values.n || is_code(text, length) || !cairn_cell_number(text, length, '.', &value))
        return -1;
    int32_t code = code_of_number(index, value);
    if (code < 0 ||
        !is_code(cairn_map_key(index->names, (size_t)code), index->names->lengths[code]))
        return code;
    return -1;
}

/* Codes of the field for every level or item name of the column. */
static cairn_status translate_names(cairn_context *ctx, const level_index *index,
                                    const cairn_column *from, int32_t **out)
{
    cairn_status status = SCRATCH(ctx, out, from->names.n);
    for (size_t i = 0; !status && i < from->names.n; i++)
        (*out)[i] = code_of_text(index, cairn_map_key(&from->names, i), from->names.lengths[i]);
    return status;
}

/* Codes of the new table become those of training; a level never seen becomes "*" where that was
 * declared, else missing and noted for a warning. */
static cairn_status match_levels(cairn_context *ctx, cairn_column *to, const cairn_column *from,
                                 const level_index *index, size_t field, cairn_match *match)
{
    int32_t *codes = NULL;
    if (from->kind == CAIRN_LEVEL) CHECK(translate_names(ctx, index, from, &codes));
    for (size_t i = 0; i < from->n_rows; i++) {
        to->codes[i] = -1;
        if (cairn_column_is_missing(from, i)) continue;
        if (codes)
            to->codes[i] = codes[from->codes[i]];
        else if (from->numbers)
            to->codes[i] = code_of_number(index, from->numbers[i]);
        else
            to->codes[i] = code_of_text(index, from->bytes + from->starts[i],
                                        from->starts[i + 1] - from->starts[i]);
        if (to->codes[i] < 0) to->codes[i] = index->others;
        if (to->codes[i] < 0) note_unseen(match, field, i, from, -1);
    }
    return CAIRN_OK;
}

/* Bring the items of one bag into ascending order again after they were renumbered. */
static void order_items(int32_t *items, double *amounts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        for (size_t k = i; k > 0 && items[k - 1] > items[k]; k--) {
            int32_t item = items[k];
            items[k] = items[k - 1];
            items[k - 1] = item;
            if (!amounts) continue;
            double amount = amounts[k];
            amounts[k] = amounts[k - 1];
            amounts[k - 1] = amount;
        }
    }
}

/* Items that were not seen in training are left out of bags; in a sequence they keep their place,
 * as -1. */
static cairn_status match_items(cairn_context *ctx, cairn_column *to, const cairn_column *from,
                                const level_index *index, size_t field, cairn_match *match)
{
    size_t n = from->n_rows, at = 0;
    int32_t *codes;
    CHECK(translate_names(ctx, index, from, &codes));
    CHECK(NEW_RAW(ctx, &to->items, from->starts[n]));
    if (from->amounts) CHECK(NEW_RAW(ctx, &to->amounts, from->starts[n]));
    if (from->absent) {
        CHECK(NEW(ctx, &to->absent, n));
        memcpy(to->absent, from->absent, n);
    }
    for (size_t i = 0; i < n; i++) {
        to->starts[i] = at;
        for (size_t k = from->starts[i]; k < from->starts[i + 1]; k++) {
            int32_t code = from->items[k] < 0 ? -1 : codes[from->items[k]];
            if (code < 0) {
                if (from->items[k] >= 0) note_unseen(match, field, i, from, from->items[k]);
                if (to->kind == CAIRN_BAG) continue;
            }
            to->items[at] = code;
            if (from->amounts && to->amounts) to->amounts[at] = from->amounts[k];
            at++;
        }
        if (to->kind == CAIRN_BAG)
            order_items(to->items + to->starts[i], to->amounts ? to->amounts + to->starts[i] : NULL,
                        at - to->starts[i]);
    }
    to->starts[n] = at;
    return CAIRN_OK;
}

/* A new column in the field's coding. */
static cairn_status recode_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                  size_t i, const cairn_column *from, cairn_match *match)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_column *to = NULL;
    level_index index = {0};
    index.names = &field->names;
    TRY(SCRATCH(ctx, &index.codes, field->names.n));
    TRY(index_values(ctx, &index, false));
    TRY(index_values(ctx, &index, true));
    index.others = field->declared ? (int32_t)cairn_map_find(&field->names, "*", 1) : -1;
    TRY(cairn_column_new(ctx, &to, (cairn_kind)field->kind, from->n_rows));
    TRY(cairn_map_copy(ctx, &to->names, &field->names));
    to->ordered = field->ordered;
    to->declared = field->declared;
    if (field->kind == CAIRN_LEVEL)
        TRY(match_levels(ctx, to, from, &index, i, match));
    else
        TRY(match_items(ctx, to, from, &index, i, match));
    cairn_column_count_missing(to);
    *out = to;
    to = NULL;
done:
    cairn_column_drop(to);
    cairn_map_clear(&index.values);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* The column as the field wants it: shared, converted or recoded. What no learner reads is taken
 * as it is. */
static cairn_status match_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                 size_t i, cairn_column *column, const cairn_table *table,
                                 cairn_match *match)
{
    cairn_kind kind = (cairn_kind)field->kind;
    bool named = kind == CAIRN_LEVEL || kind == CAIRN_BAG || kind == CAIRN_SEQUENCE;
    OWNED(cairn_column_drop) cairn_column *own = cairn_column_hold(column);
    if (field->role == CAIRN_ID || field->role == CAIRN_GROUP || field->role == CAIRN_IGNORED) {
        *out = TAKE(own);
        return CAIRN_OK;
    }
    bool by_value = kind == CAIRN_LEVEL && column->kind != CAIRN_BAG &&
                    column->kind != CAIRN_SEQUENCE; /* match_levels reads these as they are */
    if (own->kind != kind && !by_value) {
        cairn_column *converted;
        CHECK(cairn_column_convert(ctx, &converted, own, kind, field->name, table->source,
                                   kind == CAIRN_TIME
                                       ? "leave it empty; the model was trained on times there"
                                       : "the model was trained on numbers there, so correct the "
                                         "cell or leave it empty",
                                   field->pattern));
        cairn_column_drop(own);
        own = converted;
    }
    if (named && !(own->kind == kind && same_names(&own->names, &field->names) &&
                   own->ordered == field->ordered && own->declared == field->declared)) {
        cairn_column *recoded;
        CHECK(recode_column(ctx, &recoded, field, i, own, match));
        cairn_column_drop(own);
        own = recoded;
    }
    *out = TAKE(own);
    return CAIRN_OK;
}

cairn_status cairn_field_match(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                               cairn_column *column, const cairn_table *table)
{
    cairn_match match = {.first_field = -1};
    return match_column(ctx, out, field, 0, column, table, &match);
}

/* The columns of the table by name: field i of the schema is column found[i], -1 = not there. */
static cairn_status find_fields(cairn_context *ctx, ptrdiff_t **out, const cairn_schema *schema,
                                const cairn_table *table)
{
    CHECK(SCRATCH(ctx, out, schema->n_fields));
    for (size_t i = 0; i < schema->n_fields; i++)
        (*out)[i] = cairn_table_find(table, schema->fields[i].name);
    return CAIRN_OK;
}

static const char *candidate_column(size_t i, const void *data)
{
    const cairn_table *table = data;
    return i < table->n_columns ? table->slots[i].name : NULL;
}

/* A column of the table that may be the one, unless the model knows it by its own name. */
static const char *column_meant(const cairn_schema *schema, const cairn_table *table,
                                const char *name)
{
    const char *near = cairn_nearest_word(name, candidate_column, table);
    for (size_t i = 0; near && i < schema->n_fields; i++)
        if (strcmp(schema->fields[i].name, near) == 0) return NULL;
    return near;
}

/* Names all columns that lack, with the one that was probably meant, and tells when the header was
 * taken for a row; it is OK if only targets or ids lack. */
static cairn_status refuse_lacking(cairn_context *ctx, const cairn_schema *schema,
                                   const cairn_table *table, const ptrdiff_t *found)
{
    cairn_text list = cairn_text_start(ctx);
    const char *header = "";
    size_t n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const char *name = schema->fields[i].name;
        if (found[i] >= 0 || schema->fields[i].role != CAIRN_FEATURE) continue;
        const char *near = n < 10 ? column_meant(schema, table, name) : NULL;
        if (n < 10) cairn_text_addf(&list, "%s'%s'", n ? ", " : "", name);
        if (near) cairn_text_addf(&list, " (did you mean '%s'?)", near);
        if (!n++ && cairn_table_heads(table, name))
            header = cairn_say(
                ctx, "; the first row holds such a name: {header yes} takes it for the header");
    }
    cairn_status status = cairn_text_status(&list);
    if (!status && n)
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "%s lacks %s %s%s that the model was trained on; add %s or check the "
                            "names in its header%s",
                            table->source ? table->source : "the table",
                            n == 1 ? "the column" : "the columns", cairn_text_string(&list),
                            n > 10 ? " and others" : "", n == 1 ? "it" : "them", header);
    cairn_text_clear(&list);
    return status;
}

cairn_status cairn_schema_match(cairn_context *ctx, cairn_table **out, const cairn_schema *schema,
                                const cairn_table *table, bool with_target, cairn_match *match)
{
    SCOPED_SCRATCH(ctx);
    cairn_match seen = {.first_field = -1};
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    ptrdiff_t *found;
    CHECK(find_fields(ctx, &found, schema, table));
    CHECK(refuse_lacking(ctx, schema, table, found));
    CHECK(cairn_table_new(ctx, &matched, table->n_rows));
    if (table->source)
        CHECK(cairn_copy_text(ctx, &matched->source, table->source, strlen(table->source)));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        cairn_column *column;
        if (found[i] < 0 || (field->role == CAIRN_TARGET && !with_target)) continue;
        CHECK(match_column(ctx, &column, field, i, table->slots[found[i]].column, table, &seen));
        CHECK(cairn_table_append(ctx, matched, field->name, (cairn_role)field->role, column));
    }
    matched->shape = table->shape;
    if (match) *match = seen;
    *out = TAKE(matched);
    return CAIRN_OK;
}
