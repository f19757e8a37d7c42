/* SPDX-License-Identifier: MIT */
/* Schemas of Arrow's messages: types by their numbers in Schema.fbs, and as the format strings of
 * the C data interface. */
#include "base/memory.h"
#include "base/text.h"
#include "data/ipc.h"
#include <string.h>

enum { DEEPEST = 16, MOST_FIELDS = 1 << 24 };

/* The numbers of Type in Schema.fbs. */
enum {
    TYPE_NULL = 1,
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_BINARY,
    TYPE_UTF8,
    TYPE_BOOL,
    TYPE_DECIMAL,
    TYPE_DATE,
    TYPE_TIME,
    TYPE_TIMESTAMP,
    TYPE_INTERVAL,
    TYPE_LIST,
    TYPE_STRUCT,
    TYPE_UNION,
    TYPE_FIXED_BINARY,
    TYPE_FIXED_LIST,
    TYPE_MAP,
    TYPE_DURATION,
    TYPE_LARGE_BINARY,
    TYPE_LARGE_UTF8,
    TYPE_LARGE_LIST,
    TYPE_RUN_ENDS,
    TYPE_BINARY_VIEW,
    TYPE_UTF8_VIEW,
    TYPE_LIST_VIEW,
    TYPE_LARGE_LIST_VIEW
};

/* -- reading -- */

typedef struct reader {
    cairn_context *ctx;
    cairn_flat *flat;
    cairn_ipc_dictionaries *dictionaries;
    const char *file;
} reader;

static char int_letter(int64_t bits, bool is_signed)
{
    switch (bits) {
    case 8: return is_signed ? 'c' : 'C';
    case 16: return is_signed ? 's' : 'S';
    case 32: return is_signed ? 'i' : 'I';
    case 64: return is_signed ? 'l' : 'L';
    default: return 0;
    }
}

/* The format of a type; empty when there is none that is known. */
static void add_format(cairn_flat *flat, int64_t type, size_t table, cairn_text *out)
{
    static const char units[] = "smun";
    static const char *const plain[] = {
        [TYPE_NULL] = "n",        [TYPE_BINARY] = "z",       [TYPE_UTF8] = "u",
        [TYPE_BOOL] = "b",        [TYPE_LIST] = "+l",        [TYPE_STRUCT] = "+s",
        [TYPE_MAP] = "+m",        [TYPE_LARGE_BINARY] = "Z", [TYPE_LARGE_UTF8] = "U",
        [TYPE_LARGE_LIST] = "+L", [TYPE_RUN_ENDS] = "+r",    [TYPE_BINARY_VIEW] = "vz",
        [TYPE_UTF8_VIEW] = "vu",  [TYPE_LIST_VIEW] = "+vl",  [TYPE_LARGE_LIST_VIEW] = "+vL"};
    int64_t unit;
    char letter;
    size_t length;
    switch (type) {
    case TYPE_INT:
        letter =
            int_letter(cairn_flat_int(flat, table, 0, 4, 0), cairn_flat_int(flat, table, 1, 1, 0));
        if (letter) cairn_text_add_char(out, letter);
        return;
    case TYPE_FLOAT:
        unit = cairn_flat_int(flat, table, 0, 2, 0);
        if (unit >= 0 && unit < 3) cairn_text_add_char(out, "efg"[unit]);
        return;
    case TYPE_DECIMAL:
        cairn_text_addf(out, "d:%lld,%lld,%lld", (long long)cairn_flat_int(flat, table, 0, 4, 0),
                        (long long)cairn_flat_int(flat, table, 1, 4, 0),
                        (long long)cairn_flat_int(flat, table, 2, 4, 128));
        return;
    case TYPE_DATE:
        cairn_text_add(out, cairn_flat_int(flat, table, 0, 2, 1) ? "tdm" : "tdD");
        return;
    case TYPE_TIME:
    case TYPE_TIMESTAMP:
    case TYPE_DURATION:
        unit = cairn_flat_int(flat, table, 0, 2, type != TYPE_TIMESTAMP);
        if (unit < 0 || unit > 3) return;
        cairn_text_addf(out, "t%c%c%s",
                        type == TYPE_TIME       ? 't'
                        : type == TYPE_DURATION ? 'D'
                                                : 's',
                        units[unit], type == TYPE_TIMESTAMP ? ":" : "");
        if (type != TYPE_TIMESTAMP) return;
        const char *zone = cairn_flat_text(flat, table, 1, &length);
        if (zone && length < 64) cairn_text_add_bytes(out, zone, length);
        return;
    case TYPE_FIXED_BINARY:
        cairn_text_addf(out, "w:%lld", (long long)cairn_flat_int(flat, table, 0, 4, 0));
        return;
    case TYPE_FIXED_LIST:
        cairn_text_addf(out, "+w:%lld", (long long)cairn_flat_int(flat, table, 0, 4, 0));
        return;
    default:
        if (type > 0 && (size_t)type < sizeof plain / sizeof *plain && plain[type])
            cairn_text_add(out, plain[type]);
    }
}

static cairn_status refuse_type(const reader *r, const char *column, int64_t type)
{
    const char *what = type == TYPE_STRUCT     ? "nested columns (a struct); take its fields out"
                       : type == TYPE_UNION    ? "a union of types; make a column of each"
                       : type == TYPE_INTERVAL ? "calendar intervals; write them as numbers of days"
                       : type == TYPE_RUN_ENDS ? "encoded as runs; write the values themselves"
                       : type == TYPE_LIST_VIEW || type == TYPE_LARGE_LIST_VIEW
                           ? "list views; write them as lists"
                       : type == TYPE_FIXED_BINARY ? "bytes of fixed length; write them as text"
                                                   : "of a type that is not known";
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s: column '%s' is %s, or leave the column out",
                      r->file, column, what);
}

/* What can stand in a column, in a list, and as the values of a map. */
static bool is_read(int64_t type, int depth)
{
    switch (type) {
    case TYPE_STRUCT: return depth > 0; /* the entries of a map; checked when they are read */
    case TYPE_UNION:
    case TYPE_INTERVAL:
    case TYPE_FIXED_BINARY:
    case TYPE_RUN_ENDS:
    case TYPE_LIST_VIEW:
    case TYPE_LARGE_LIST_VIEW: return false;
    default: return true;
    }
}

static cairn_status read_notes(const reader *r, struct ArrowSchema *out, size_t table, int id)
{
    size_t n;
    size_t vector = cairn_flat_vector(r->flat, table, id, 4, &n);
    for (size_t i = 0; i < n && i < 1000; i++) {
        size_t pair = cairn_flat_element(r->flat, vector, i);
        cairn_arrow_pair note = {0};
        note.key = cairn_flat_text(r->flat, pair, 0, &note.key_length);
        note.value = cairn_flat_text(r->flat, pair, 1, &note.value_length);
        if (!note.key || note.key_length + note.value_length > INT32_MAX / 2) continue;
        CHECK(cairn_arrow_note(r->ctx, out, &note));
    }
    return CAIRN_OK;
}

static cairn_status read_field(const reader *r, struct ArrowSchema *parent, size_t i, size_t field,
                               int depth);

static cairn_status read_children(const reader *r, struct ArrowSchema *schema, size_t vector,
                                  size_t n, int depth)
{
    for (size_t i = 0; i < n; i++)
        CHECK(read_field(r, schema, i, cairn_flat_element(r->flat, vector, i), depth));
    return CAIRN_OK;
}

/* A field with a dictionary has the type of its values; its codes are what the column holds. */
static cairn_status read_field(const reader *r, struct ArrowSchema *parent, size_t i, size_t field,
                               int depth)
{
    cairn_context *ctx = r->ctx;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text format = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text codes = cairn_text_start(ctx);
    size_t length, n;
    const char *text = cairn_flat_text(r->flat, field, 0, &length);
    if (text) cairn_text_add_bytes(&name, text, length);
    int64_t type = cairn_flat_int(r->flat, field, 2, 1, 0);
    add_format(r->flat, type, cairn_flat_table(r->flat, field, 3), &format);
    size_t dictionary = cairn_flat_table(r->flat, field, 4);
    size_t index = dictionary ? cairn_flat_table(r->flat, dictionary, 1) : 0;
    if (index)
        add_format(r->flat, TYPE_INT, index, &codes);
    else if (dictionary)
        cairn_text_add_char(&codes, 'i');
    size_t children = cairn_flat_vector(r->flat, field, 5, 4, &n);
    CHECK(cairn_text_status(&name));
    CHECK(cairn_text_status(&format));
    CHECK(cairn_text_status(&codes));
    const char *column = cairn_text_string(&name);
    if (strlen(column) != name.length)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the name of column '%s' has a zero byte in it",
                          r->file, column);
    if (!format.length || (dictionary && !codes.length) || !is_read(type, depth))
        return refuse_type(r, column, type);
    if (depth == DEEPEST)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' is nested too deeply", r->file,
                          column);
    if (dictionary && n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the dictionary of column '%s' holds lists; decode it first", r->file,
                          column);
    bool list = format.bytes[0] == '+' && format.bytes[1] != 's';
    if (list ? n != 1 : format.bytes[0] != '+' && n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the Arrow data are damaged: column '%s' has %zu children", r->file,
                          column, n);
    const char *own = dictionary ? codes.bytes : cairn_text_string(&format);
    CHECK(cairn_arrow_schema_child(ctx, parent, i, own, column, n));
    struct ArrowSchema *schema = parent->children[i];
    schema->flags = cairn_flat_int(r->flat, field, 1, 1, 0) ? ARROW_FLAG_NULLABLE : 0;
    CHECK(read_notes(r, schema, field, 6));
    if (!dictionary) return read_children(r, schema, children, n, depth + 1);
    if (cairn_flat_int(r->flat, dictionary, 2, 1, 0))
        schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    CHECK(cairn_arrow_schema_dictionary(ctx, schema, cairn_text_string(&format)));
    cairn_ipc_dictionaries *all = r->dictionaries;
    CHECK(GROW(ctx, &all->all, &all->capacity, all->n + 1));
    all->all[all->n++] =
        (cairn_ipc_dictionary){.id = cairn_flat_int(r->flat, dictionary, 0, 8, 0), .codes = schema};
    return CAIRN_OK;
}

cairn_status cairn_ipc_read_schema(cairn_context *ctx, struct ArrowSchema *out,
                                   cairn_ipc_dictionaries *dictionaries, cairn_flat *flat,
                                   size_t schema, const char *file)
{
    reader r = {ctx, flat, dictionaries, file};
    size_t n;
    size_t fields = cairn_flat_vector(flat, schema, 1, 4, &n);
    if (cairn_flat_int(flat, schema, 0, 2, 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: its numbers have the most significant byte first; write it on "
                          "another machine",
                          file);
    if (n == 0 || n > MOST_FIELDS)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: it has no columns", file);
    CHECK(cairn_arrow_schema(ctx, out, "+s", "", n));
    return read_children(&r, out, fields, n, 0);
}

/* -- writing -- */

static void put_fixed_int(cairn_flat_maker *maker, int64_t bits, bool is_signed)
{
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, bits, 4);
    cairn_flat_put_int(maker, 1, is_signed, 1);
}

/* The table of a type that src/data/arrow_export.c makes; its number in *type. */
static uint32_t put_type(cairn_flat_maker *maker, const char *format, int *type)
{
    static const struct {
        const char *format;
        int type;
    } plain[] = {{"u", TYPE_UTF8},        {"U", TYPE_LARGE_UTF8}, {"+l", TYPE_LIST},
                 {"+L", TYPE_LARGE_LIST}, {"+s", TYPE_STRUCT},    {"+m", TYPE_MAP}};
    uint32_t zone = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (!cairn_same(format, plain[i].format)) continue;
        *type = plain[i].type;
        cairn_flat_begin(maker);
        return cairn_flat_end(maker);
    }
    switch (format[0]) {
    case 'i':
        *type = TYPE_INT;
        put_fixed_int(maker, 32, true);
        return cairn_flat_end(maker);
    case 'g':
        *type = TYPE_FLOAT;
        cairn_flat_begin(maker);
        cairn_flat_put_int(maker, 0, 2, 2);
        return cairn_flat_end(maker);
    default: break;
    }
    if (cairn_same(format, "tdD")) {
        *type = TYPE_DATE;
        cairn_flat_begin(maker);
        cairn_flat_put_int(maker, 0, 0, 2);
        return cairn_flat_end(maker);
    }
    *type = TYPE_TIMESTAMP; /* "tsu:ZONE" */
    zone = cairn_flat_put_text(maker, format + 4, strlen(format + 4));
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, 2, 2);
    cairn_flat_put_place(maker, 1, zone);
    return cairn_flat_end(maker);
}

static uint32_t put_notes(cairn_flat_maker *maker, const struct ArrowSchema *schema)
{
    enum { MOST = 8 };
    uint32_t places[MOST];
    cairn_arrow_pair note;
    size_t n = 0;
    for (; n < MOST && cairn_arrow_note_at(schema, n, &note); n++) {
        uint32_t key = cairn_flat_put_text(maker, note.key, note.key_length);
        uint32_t value = cairn_flat_put_text(maker, note.value, note.value_length);
        cairn_flat_begin(maker);
        cairn_flat_put_place(maker, 0, key);
        cairn_flat_put_place(maker, 1, value);
        places[n] = cairn_flat_end(maker);
    }
    return n ? cairn_flat_put_tables(maker, places, n) : 0;
}

static uint32_t put_dictionary(cairn_flat_maker *maker, const struct ArrowSchema *schema,
                               int64_t id)
{
    put_fixed_int(maker, 32, true);
    uint32_t index = cairn_flat_end(maker);
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, id, 8);
    cairn_flat_put_place(maker, 1, index);
    cairn_flat_put_int(maker, 2, (schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0, 1);
    return cairn_flat_end(maker);
}

static uint32_t put_fields(cairn_flat_maker *maker, const struct ArrowSchema *schema, int64_t *id);

static uint32_t put_field(cairn_flat_maker *maker, const struct ArrowSchema *schema, int64_t *id)
{
    int type = 0;
    uint32_t dictionary = schema->dictionary ? put_dictionary(maker, schema, (*id)++) : 0;
    uint32_t children = put_fields(maker, schema, id);
    uint32_t notes = put_notes(maker, schema);
    uint32_t kind =
        put_type(maker, schema->dictionary ? schema->dictionary->format : schema->format, &type);
    uint32_t name = cairn_flat_put_text(maker, schema->name, strlen(schema->name));
    cairn_flat_begin(maker);
    cairn_flat_put_place(maker, 0, name);
    cairn_flat_put_int(maker, 1, (schema->flags & ARROW_FLAG_NULLABLE) != 0, 1);
    cairn_flat_put_int(maker, 2, type, 1);
    cairn_flat_put_place(maker, 3, kind);
    cairn_flat_put_place(maker, 4, dictionary);
    cairn_flat_put_place(maker, 5, children);
    cairn_flat_put_place(maker, 6, notes);
    return cairn_flat_end(maker);
}

static uint32_t put_fields(cairn_flat_maker *maker, const struct ArrowSchema *schema, int64_t *id)
{
    uint32_t *places = NULL, vector;
    size_t n = (size_t)schema->n_children;
    if (maker->status) return 0;
    maker->status = NEW(maker->ctx, &places, n);
    for (size_t i = 0; i < n && !maker->status; i++)
        places[i] = put_field(maker, schema->children[i], id);
    vector = maker->status ? 0 : cairn_flat_put_tables(maker, places, n);
    cairn_free(places);
    return vector;
}

uint32_t cairn_ipc_put_schema(cairn_flat_maker *maker, const struct ArrowSchema *schema)
{
    int64_t id = 0;
    uint32_t fields = put_fields(maker, schema, &id), notes = put_notes(maker, schema);
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, 0, 2);
    cairn_flat_put_place(maker, 1, fields);
    cairn_flat_put_place(maker, 2, notes);
    return cairn_flat_end(maker);
}
