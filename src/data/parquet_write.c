/* SPDX-License-Identifier: MIT */
/* Tables as Parquet files.
 *
 * Each column of a group of rows is a chunk of one page, packed by zstd: levels that say what is
 * missing and where lists begin, then the values that are there, as they are (PLAIN) or as numbers
 * of a dictionary (levels, items of bags, numbers of which few differ). The foot says of each chunk
 * which values are the least and the greatest; what Cairn knows of the columns and Parquet has no
 * word for stands in its key-value pairs. */
#include "base/memory.h"
#include "base/text.h"
#include "base/unpack.h"
#include "data/arrow.h"
#include "data/column.h"
#include "data/parquet.h"
#include <math.h>
#include <string.h>

enum { GROUP_ROWS = 1 << 18 };
enum { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_TEXT = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };
enum { PLAIN = 0, RLE = 3, DICTIONARY = 8, ZSTD_CODEC = 6 };
enum { OPTIONAL = 1, REPEATED = 2 };
enum { MOST_VALUE = 5, LEAST_VALUE = 6 };

/* -- thrift -- */

static void put_varint(cairn_text *t, uint64_t value)
{
    for (; value > 127; value >>= 7) cairn_text_add_char(t, (char)(value | 128));
    cairn_text_add_char(t, (char)value);
}

/* Fields of one struct in ascending order; *last is the number of the one before. */
static void put_field(cairn_text *t, int *last, int id, int type)
{
    cairn_text_add_char(t, (char)((id - *last) << 4 | type));
    *last = id;
}

static void put_int(cairn_text *t, int *last, int id, int type, int64_t value)
{
    put_field(t, last, id, type);
    put_varint(t, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_bytes(cairn_text *t, const char *text, size_t length)
{
    put_varint(t, length);
    cairn_text_add_bytes(t, text, length);
}

static void put_text(cairn_text *t, int *last, int id, const char *text)
{
    put_field(t, last, id, THRIFT_TEXT);
    put_bytes(t, text, strlen(text));
}

static void put_list(cairn_text *t, int *last, int id, int type, size_t n)
{
    put_field(t, last, id, THRIFT_LIST);
    cairn_text_add_char(t, (char)((n < 15 ? n : 15) << 4 | (size_t)type));
    if (n >= 15) put_varint(t, n);
}

static void put_end(cairn_text *t)
{
    cairn_text_add_char(t, 0);
}

/* -- what is written -- */

/* Where a column's pages of a group begin and how long they are, and what is said of its values:
 * how many are missing, and, unless it holds lists, the rows of the least and the greatest. */
typedef struct chunk {
    int64_t dictionary, data, packed, unpacked, values, missing;
    int type;      /* of all chunks of the column */
    bool is_coded; /* values are numbers of a dictionary */
    bool has_ends;
    size_t least, most;
} chunk;

typedef struct writer {
    cairn_context *ctx;
    const cairn_table *table;
    cairn_output_file *file;
    size_t position;
    chunk *chunks; /* group by group */
    size_t n_groups;
} writer;

static bool is_list(const cairn_column *column)
{
    return cairn_kind_is_many(column->kind);
}

/* Whether values are numbers of a dictionary in the column itself. */
static bool has_codes(const cairn_column *column)
{
    return column->kind == CAIRN_LEVEL || column->items;
}

static int type_of(const cairn_column *column)
{
    if (column->kind == CAIRN_TIME)
        return cairn_arrow_is_dates(column) ? CAIRN_PARQUET_INT32 : CAIRN_PARQUET_INT64;
    return column->kind == CAIRN_NUMBER || column->kind == CAIRN_SERIES ? CAIRN_PARQUET_DOUBLE
                                                                        : CAIRN_PARQUET_BYTE_ARRAY;
}

/* -- levels and values -- */

static bool all_same(const int32_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] != values[0]) return false;
    return n > 0;
}

/* Small numbers of `width` bits: a run of one number, or side by side in one run of eights. */
static void put_run(cairn_text *t, const int32_t *values, size_t n, int width)
{
    uint64_t word = 0;
    int bits = 0;
    size_t eights = (n + 7) / 8;
    if (all_same(values, n)) {
        put_varint(t, n << 1);
        cairn_text_add_bytes(t, (const char *)values, ((size_t)width + 7) / 8);
        return;
    }
    put_varint(t, eights << 1 | 1);
    for (size_t i = 0; i < eights * 8; i++) {
        word |= (uint64_t)(i < n ? (uint32_t)values[i] : 0) << bits;
        for (bits += width; bits >= 8; bits -= 8, word >>= 8) cairn_text_add_char(t, (char)word);
    }
}

/* Levels behind their length. */
static void put_levels(cairn_text *t, const int32_t *levels, size_t n, int width)
{
    size_t at = t->length;
    cairn_text_add_bytes(t, "\0\0\0\0", 4);
    put_run(t, levels, n, width);
    if (t->status) return;
    uint32_t length = (uint32_t)(t->length - at - 4);
    memcpy(t->bytes + at, &length, sizeof length);
}

static void put_entry(cairn_text *t, const char *text, size_t length)
{
    uint32_t n = (uint32_t)length;
    cairn_text_add_bytes(t, (const char *)&n, sizeof n);
    cairn_text_add_bytes(t, text, length);
}

enum { VALUE = 8 }; /* bytes of the longest value of fixed length */

/* The bytes of a number or time, as its type has them; how many they are. */
static size_t store(char out[VALUE], const cairn_column *column, int type, size_t row)
{
    double number = column->numbers[row];
    if (type == CAIRN_PARQUET_INT32) {
        int32_t day = (int32_t)floor(number / 86400);
        memcpy(out, &day, sizeof day);
        return sizeof day;
    }
    if (type == CAIRN_PARQUET_INT64) {
        double micro = round(number * 1e6);
        int64_t time = micro >= -9.2e18 && micro <= 9.2e18 ? (int64_t)micro : 0;
        memcpy(out, &time, sizeof time);
    } else {
        memcpy(out, &number, sizeof number);
    }
    return VALUE;
}

/* The value of a cell that is there. */
static void put_value(cairn_text *t, const cairn_column *column, int type, size_t row)
{
    char value[VALUE];
    if (column->kind == CAIRN_TEXT)
        put_entry(t, column->bytes + column->starts[row],
                  column->starts[row + 1] - column->starts[row]);
    else
        cairn_text_add_bytes(t, value, store(value, column, type, row));
}

/* -- numbers with few values -- */

/* A chunk's numbers by a dictionary: the row where each of them first stands, and for each row its
 * place among these. */
typedef struct dictionary {
    size_t *rows, n;
    int32_t *codes;
} dictionary;

enum { SLOT_BITS = 14, SLOTS = 1 << SLOT_BITS, MOST_ENTRIES = SLOTS / 2 };

/* The slot of a number among those that are filled so far: its own, or a free one. */
static size_t slot_of(const int32_t *slots, const dictionary *d, const double *numbers, size_t row)
{
    uint64_t bits, other;
    memcpy(&bits, &numbers[row], sizeof bits);
    for (size_t at = bits * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS);; at = (at + 1) % SLOTS) {
        if (slots[at] < 0) return at;
        memcpy(&other, &numbers[d->rows[slots[at]]], sizeof other);
        if (other == bits) return at;
    }
}

/* No dictionary is made where it would be long, or not much shorter than the numbers. */
static cairn_status number_values(cairn_context *ctx, const cairn_column *column, size_t first,
                                  size_t n, dictionary *out)
{
    enum { SHARE = 8 };
    int32_t *slots;
    dictionary d = {0};
    size_t most = n / SHARE < MOST_ENTRIES ? n / SHARE : MOST_ENTRIES;
    CHECK(SCRATCH_RAW(ctx, &slots, (size_t)SLOTS));
    CHECK(SCRATCH_RAW(ctx, &d.rows, most + 1));
    CHECK(SCRATCH_RAW(ctx, &d.codes, n + 1));
    memset(slots, -1, SLOTS * sizeof *slots);
    for (size_t row = first; row < first + n; row++) {
        if (isnan(column->numbers[row])) continue;
        size_t at = slot_of(slots, &d, column->numbers, row);
        if (slots[at] < 0) {
            if (d.n == most) return CAIRN_OK;
            slots[at] = (int32_t)d.n;
            d.rows[d.n++] = row;
        }
        d.codes[row - first] = slots[at];
    }
    if (d.n) *out = d;
    return CAIRN_OK;
}

/* A page under way: the levels of its cells and the codes of its values. */
typedef struct levels {
    int32_t *definitions, *repetitions, *codes;
    size_t n, n_codes;
} levels;

/* Lists: 0 = missing, 1 = empty, 2 = a missing item, 3 = an item. */
static cairn_status list_levels(cairn_context *ctx, const cairn_column *column, size_t first,
                                size_t n, levels *out)
{
    size_t items = column->starts[first + n] - column->starts[first];
    CHECK(SCRATCH_EACH(ctx, items + n, &out->definitions, &out->repetitions));
    if (column->items) CHECK(SCRATCH(ctx, &out->codes, items));
    for (size_t row = first; row < first + n; row++) {
        size_t from = column->starts[row], to = column->starts[row + 1];
        if (from == to) out->definitions[out->n++] = !(column->absent && column->absent[row]);
        for (size_t k = from; k < to; k++) {
            bool there = column->items ? column->items[k] >= 0 : !isnan(column->amounts[k]);
            out->repetitions[out->n] = k > from;
            out->definitions[out->n++] = 2 + there;
            if (column->items && there) out->codes[out->n_codes++] = column->items[k];
        }
    }
    return CAIRN_OK;
}

static int width_of(size_t n)
{
    int width = 1;
    while (n > (size_t)1 << width) width++;
    return width;
}

/* The bytes of a page with rows first .. first + n - 1. */
static cairn_status make_page(writer *w, const cairn_column *column, const dictionary *d, int type,
                              size_t first, size_t n, cairn_text *page, size_t *n_cells)
{
    SCOPED_SCRATCH(w->ctx);
    levels l = {0};
    bool list = is_list(column);
    if (list) {
        CHECK(list_levels(w->ctx, column, first, n, &l));
        put_levels(page, l.repetitions, l.n, 1);
        put_levels(page, l.definitions, l.n, 2);
    } else {
        CHECK(SCRATCH(w->ctx, &l.definitions, n));
        const int32_t *codes = column->codes ? column->codes + first : d->codes;
        if (codes) CHECK(SCRATCH(w->ctx, &l.codes, n));
        for (size_t i = 0; i < n; i++) {
            l.definitions[i] = !cairn_column_is_missing(column, first + i);
            if (l.codes && l.definitions[i]) l.codes[l.n_codes++] = codes[i];
        }
        l.n = n;
        put_levels(page, l.definitions, n, 1);
    }
    *n_cells = l.n;
    if (l.codes) {
        int width = width_of(d->codes ? d->n : column->names.n);
        cairn_text_add_char(page, (char)width);
        put_run(page, l.codes, l.n_codes, width);
    } else if (list) {
        for (size_t k = column->starts[first]; k < column->starts[first + n]; k++)
            if (!isnan(column->amounts[k]))
                cairn_text_add_bytes(page, (const char *)&column->amounts[k], sizeof(double));
    } else {
        for (size_t i = 0; i < n; i++)
            if (l.definitions[i]) put_value(page, column, type, first + i);
    }
    return cairn_text_status(page);
}

/* -- pages and chunks -- */

static cairn_status put(writer *w, const void *bytes, size_t length)
{
    w->position += length;
    return length ? cairn_output_write(w->ctx, w->file, bytes, length) : CAIRN_OK;
}

/* A page of n values behind its head. */
static cairn_status put_page(writer *w, const cairn_text *page, bool is_dictionary, int encoding,
                             size_t n, const char *name, chunk *c)
{
    SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(w->ctx);
    SCOPED_SCRATCH(w->ctx);
    size_t room = cairn_pack_room(page->length);
    char *packed;
    int last = 0, inner = 0;
    if (page->length > INT32_MAX)
        return cairn_fail(w->ctx, CAIRN_USAGE,
                          "column '%s': its cells take more than 2 GB in a million rows, which a "
                          "Parquet page cannot hold; write arrow",
                          name);
    CHECK(SCRATCH_RAW(w->ctx, &packed, room));
    size_t length = cairn_pack(packed, room, page->bytes ? page->bytes : "", page->length);
    if (!length) return cairn_fail(w->ctx, CAIRN_INTERNAL, "zstd refuses to pack a page");
    put_int(&head, &last, 1, THRIFT_I32, is_dictionary ? 2 : 0);
    put_int(&head, &last, 2, THRIFT_I32, (int64_t)page->length);
    put_int(&head, &last, 3, THRIFT_I32, (int64_t)length);
    put_field(&head, &last, is_dictionary ? 7 : 5, THRIFT_STRUCT);
    put_int(&head, &inner, 1, THRIFT_I32, (int64_t)n);
    put_int(&head, &inner, 2, THRIFT_I32, encoding);
    if (!is_dictionary) {
        put_int(&head, &inner, 3, THRIFT_I32, RLE);
        put_int(&head, &inner, 4, THRIFT_I32, RLE);
    }
    put_end(&head);
    put_end(&head);
    CHECK(cairn_text_status(&head));
    c->packed += (int64_t)(head.length + length);
    c->unpacked += (int64_t)(head.length + page->length);
    CHECK(put(w, head.bytes, head.length));
    return put(w, packed, length);
}

/* The text of a cell of levels or texts. */
static const char *text_of(const cairn_column *column, size_t row, size_t *length)
{
    if (column->kind == CAIRN_LEVEL) {
        size_t code = (size_t)column->codes[row];
        *length = column->names.lengths[code];
        return cairn_map_key(&column->names, code);
    }
    *length = column->starts[row + 1] - column->starts[row];
    return column->bytes + column->starts[row];
}

/* Whether the value of one row is below that of another; texts are compared by their bytes. */
static bool is_below(const cairn_column *column, size_t a, size_t b)
{
    size_t length[2];
    if (column->numbers) return column->numbers[a] < column->numbers[b];
    if (column->codes && column->codes[a] == column->codes[b]) return false;
    const char *texts[2] = {text_of(column, a, &length[0]), text_of(column, b, &length[1])};
    size_t n = length[0] < length[1] ? length[0] : length[1];
    int order = n ? memcmp(texts[0], texts[1], n) : 0;
    return order ? order < 0 : length[0] < length[1];
}

/* The ends of a chunk's values, by which readers skip it. */
static void find_ends(const cairn_column *column, size_t first, size_t n, chunk *c)
{
    for (size_t row = first; row < first + n; row++) {
        if (cairn_column_is_missing(column, row)) {
            c->missing++;
            continue;
        }
        if (!c->has_ends) c->least = c->most = row;
        c->has_ends = true;
        if (is_below(column, row, c->least)) c->least = row;
        if (is_below(column, c->most, row)) c->most = row;
    }
}

static cairn_status put_chunk(writer *w, const cairn_slot *slot, size_t first, size_t n, chunk *c)
{
    SCOPED(cairn_text_clear) cairn_text page = cairn_text_start(w->ctx);
    const cairn_column *column = slot->column;
    size_t n_cells;
    SCOPED_SCRATCH(w->ctx);
    dictionary d = {0};
    if (!is_list(column)) find_ends(column, first, n, c);
    if (column->numbers) CHECK(number_values(w->ctx, column, first, n, &d));
    c->is_coded = d.codes || has_codes(column);
    if (c->is_coded) {
        char value[VALUE];
        for (size_t i = 0; i < column->names.n; i++)
            put_entry(&page, cairn_map_key(&column->names, i), column->names.lengths[i]);
        for (size_t i = 0; i < d.n; i++)
            cairn_text_add_bytes(&page, value, store(value, column, c->type, d.rows[i]));
        CHECK(cairn_text_status(&page));
        c->dictionary = (int64_t)w->position;
        CHECK(put_page(w, &page, true, PLAIN, d.codes ? d.n : column->names.n, slot->name, c));
        page.length = 0;
    }
    CHECK(make_page(w, column, &d, c->type, first, n, &page, &n_cells));
    c->data = (int64_t)w->position;
    c->values = (int64_t)n_cells;
    CHECK(put_page(w, &page, false, c->is_coded ? DICTIONARY : PLAIN, n_cells, slot->name, c));
    return cairn_tick(w->ctx, NULL, 0, 0);
}

/* -- the foot -- */

/* Logical types are structs in a struct: the number of the type, and what is in it. */
static void put_logical(cairn_text *t, int *last, int id, bool micros)
{
    int outer = 0, inner = 0, unit = 0;
    put_field(t, last, 10, THRIFT_STRUCT);
    put_field(t, &outer, id, THRIFT_STRUCT);
    if (micros) {
        put_field(t, &inner, 1, 1); /* adjusted to UTC: true */
        put_field(t, &inner, 2, THRIFT_STRUCT);
        put_field(t, &unit, 2, THRIFT_STRUCT);
        put_end(t);
        put_end(t);
    }
    put_end(t);
    put_end(t);
}

static void put_leaf(cairn_text *t, const cairn_column *column, const char *name)
{
    int last = 0, type = type_of(column);
    put_int(t, &last, 1, THRIFT_I32, type);
    put_int(t, &last, 3, THRIFT_I32, OPTIONAL);
    put_text(t, &last, 4, name);
    if (type == CAIRN_PARQUET_BYTE_ARRAY) {
        put_int(t, &last, 6, THRIFT_I32, 0);
        put_logical(t, &last, 1, false);
    } else if (column->kind == CAIRN_TIME) {
        bool dates = type == CAIRN_PARQUET_INT32;
        put_int(t, &last, 6, THRIFT_I32, dates ? 6 : 10);
        put_logical(t, &last, dates ? 6 : 8, !dates);
    }
    put_end(t);
}

static void put_group(cairn_text *t, const char *name, int repetition, bool lists, int64_t n)
{
    int last = 0;
    if (repetition) put_int(t, &last, 3, THRIFT_I32, repetition);
    put_text(t, &last, 4, name);
    put_int(t, &last, 5, THRIFT_I32, n);
    if (lists) {
        put_int(t, &last, 6, THRIFT_I32, 3);
        put_logical(t, &last, 3, false);
    }
    put_end(t);
}

static void put_schema(cairn_text *t, int *last, const cairn_table *table)
{
    size_t n = 1;
    for (size_t j = 0; j < table->n_columns; j++) n += is_list(table->slots[j].column) ? 3 : 1;
    put_list(t, last, 2, THRIFT_STRUCT, n);
    put_group(t, "schema", 0, false, (int64_t)table->n_columns);
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (!is_list(slot->column)) {
            put_leaf(t, slot->column, slot->name);
            continue;
        }
        put_group(t, slot->name, OPTIONAL, true, 1);
        put_group(t, "list", REPEATED, false, 1);
        put_leaf(t, slot->column, "element");
    }
}

/* An end of a chunk's values: a value as it is stored, a text without its length; of long texts
 * none is said. Zeros have the sign that leaves both of them inside. */
static void put_end_value(cairn_text *t, int *last, int id, const cairn_column *column, int type,
                          size_t row)
{
    char value[VALUE];
    const char *bytes = value;
    size_t length;
    if (column->numbers)
        length = store(value, column, type, row);
    else
        bytes = text_of(column, row, &length);
    if (type == CAIRN_PARQUET_DOUBLE && column->numbers && column->numbers[row] == 0) {
        double zero = id == MOST_VALUE ? 0.0 : -0.0;
        memcpy(value, &zero, sizeof zero);
    }
    put_field(t, last, id, THRIFT_TEXT);
    put_bytes(t, bytes, length);
}

static void put_statistics(cairn_text *t, int *last, const cairn_column *column, const chunk *c)
{
    enum { LONGEST = 256 };
    int inner = 0;
    size_t longest = 0, length;
    put_field(t, last, 12, THRIFT_STRUCT);
    put_int(t, &inner, 3, THRIFT_I64, c->missing);
    for (int i = 0; c->has_ends && !column->numbers && i < 2; i++) {
        text_of(column, i ? c->most : c->least, &length);
        longest = length > longest ? length : longest;
    }
    if (c->has_ends && longest <= LONGEST) {
        put_end_value(t, &inner, MOST_VALUE, column, c->type, c->most);
        put_end_value(t, &inner, LEAST_VALUE, column, c->type, c->least);
    }
    put_end(t);
}

/* ColumnMetaData of a chunk. */
static void put_chunk_meta(cairn_text *t, const cairn_slot *slot, const chunk *c)
{
    int outer = 0, last = 0;
    bool list = is_list(slot->column);
    put_int(t, &outer, 2, THRIFT_I64, c->dictionary ? c->dictionary : c->data);
    put_field(t, &outer, 3, THRIFT_STRUCT);
    put_int(t, &last, 1, THRIFT_I32, c->type);
    put_list(t, &last, 2, THRIFT_I32, 2);
    put_varint(t, (c->is_coded ? DICTIONARY : PLAIN) << 1);
    put_varint(t, RLE << 1);
    put_list(t, &last, 3, THRIFT_TEXT, list ? 3 : 1);
    put_bytes(t, slot->name, strlen(slot->name));
    if (list) {
        put_bytes(t, "list", 4);
        put_bytes(t, "element", 7);
    }
    put_int(t, &last, 4, THRIFT_I32, ZSTD_CODEC);
    put_int(t, &last, 5, THRIFT_I64, c->values);
    put_int(t, &last, 6, THRIFT_I64, c->unpacked);
    put_int(t, &last, 7, THRIFT_I64, c->packed);
    put_int(t, &last, 9, THRIFT_I64, c->data);
    if (c->dictionary) put_int(t, &last, 11, THRIFT_I64, c->dictionary);
    if (!list) put_statistics(t, &last, slot->column, c);
    put_end(t);
    put_end(t);
}

static void put_groups(cairn_text *t, int *last, const writer *w)
{
    const cairn_table *table = w->table;
    put_list(t, last, 4, THRIFT_STRUCT, w->n_groups);
    for (size_t g = 0; g < w->n_groups; g++) {
        const chunk *chunks = w->chunks + g * table->n_columns;
        size_t first = g * GROUP_ROWS, rows = table->n_rows - first;
        int64_t bytes = 0;
        int inner = 0;
        for (size_t j = 0; j < table->n_columns; j++) bytes += chunks[j].unpacked;
        put_list(t, &inner, 1, THRIFT_STRUCT, table->n_columns);
        for (size_t j = 0; j < table->n_columns; j++)
            put_chunk_meta(t, &table->slots[j], &chunks[j]);
        put_int(t, &inner, 2, THRIFT_I64, bytes);
        put_int(t, &inner, 3, THRIFT_I64, (int64_t)(rows < GROUP_ROWS ? rows : GROUP_ROWS));
        put_end(t);
    }
}

/* Notes about columns as pairs: their key and, behind a colon, the column. */
static cairn_status put_notes(cairn_text *t, int *last, const writer *w)
{
    SCOPED(cairn_text_clear) cairn_text pairs = cairn_text_start(w->ctx);
    size_t n = 0;
    for (size_t j = 0; j < w->table->n_columns; j++) {
        struct ArrowSchema schema;
        cairn_arrow_pair pair;
        CHECK(cairn_arrow_schema(w->ctx, &schema, "n", "", 0));
        cairn_status status = cairn_arrow_write_notes(w->ctx, &schema, &w->table->slots[j]);
        const char *name = w->table->slots[j].name;
        for (size_t i = 0; !status && cairn_arrow_note_at(&schema, i, &pair); i++, n++) {
            int inner = 0;
            put_field(&pairs, &inner, 1, THRIFT_TEXT);
            put_varint(&pairs, pair.key_length + 1 + strlen(name));
            cairn_text_add_bytes(&pairs, pair.key, pair.key_length);
            cairn_text_add_char(&pairs, ':');
            cairn_text_add(&pairs, name);
            put_field(&pairs, &inner, 2, THRIFT_TEXT);
            put_bytes(&pairs, pair.value, pair.value_length);
            put_end(&pairs);
        }
        cairn_arrow_schema_drop(&schema);
        CHECK(status);
    }
    CHECK(cairn_text_status(&pairs));
    put_list(t, last, 5, THRIFT_STRUCT, n);
    if (pairs.length) cairn_text_add_bytes(t, pairs.bytes, pairs.length);
    return CAIRN_OK;
}

/* The ends of all columns are in the order of their types, without which nobody heeds them. */
static void put_orders(cairn_text *t, int *last, size_t n)
{
    put_list(t, last, 7, THRIFT_STRUCT, n);
    for (size_t j = 0; j < n; j++) {
        int inner = 0;
        put_field(t, &inner, 1, THRIFT_STRUCT);
        put_end(t);
        put_end(t);
    }
}

static cairn_status put_foot(writer *w)
{
    SCOPED(cairn_text_clear) cairn_text foot = cairn_text_start(w->ctx);
    int last = 0;
    put_int(&foot, &last, 1, THRIFT_I32, 1);
    put_schema(&foot, &last, w->table);
    put_int(&foot, &last, 3, THRIFT_I64, (int64_t)w->table->n_rows);
    put_groups(&foot, &last, w);
    CHECK(put_notes(&foot, &last, w));
    put_text(&foot, &last, 6, "cairn version " CAIRN_VERSION);
    put_orders(&foot, &last, w->table->n_columns);
    put_end(&foot);
    CHECK(cairn_text_status(&foot));
    uint32_t length = (uint32_t)foot.length;
    CHECK(put(w, foot.bytes, foot.length));
    CHECK(put(w, &length, sizeof length));
    return put(w, "PAR1", 4);
}

static cairn_status check_columns(cairn_context *ctx, const cairn_table *table)
{
    if (table->n_columns == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "the table has no column to write as parquet");
    for (size_t j = 0; j < table->n_columns; j++)
        if (table->slots[j].column->kind == CAIRN_BAG && table->slots[j].column->amounts)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "column '%s' (bag): its amounts have no place in the lists of "
                              "Parquet; write arrow",
                              table->slots[j].name);
    return CAIRN_OK;
}

cairn_status cairn_parquet_write(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    cairn_status status;
    writer w = {.ctx = ctx, .table = table, .file = file};
    CHECK(check_columns(ctx, table));
    w.n_groups = (table->n_rows + GROUP_ROWS - 1) / GROUP_ROWS;
    TRY(NEW(ctx, &w.chunks, cairn_product(w.n_groups, table->n_columns)));
    for (size_t j = 0; j < table->n_columns; j++) {
        int type = type_of(table->slots[j].column);
        for (size_t g = 0; g < w.n_groups; g++) w.chunks[g * table->n_columns + j].type = type;
    }
    TRY(put(&w, "PAR1", 4));
    for (size_t g = 0; g < w.n_groups; g++) {
        size_t first = g * GROUP_ROWS, rows = table->n_rows - first;
        for (size_t j = 0; j < table->n_columns; j++)
            TRY(put_chunk(&w, &table->slots[j], first, rows < GROUP_ROWS ? rows : GROUP_ROWS,
                          &w.chunks[g * table->n_columns + j]));
        TRY(cairn_tick(ctx, "writing", (double)g, (double)w.n_groups));
    }
    TRY(put_foot(&w));
done:
    cairn_free(w.chunks);
    return status;
}
