/* SPDX-License-Identifier: MIT */
/* The foot of a Parquet file: its schema, a tree in the order of its nodes, becomes a column for
 * each leaf; and where the chunks of the columns lie. */
#include "base/memory.h"
#include "base/text.h"
#include "data/parquet.h"
#include <stdio.h>
#include <string.h>

enum { MAGIC = 4, MOST_COLUMNS = 1 << 20, DEEPEST = 20 };
enum { REQUIRED, OPTIONAL, REPEATED };
enum { CONVERTED_DECIMAL = 5 };

static cairn_status damaged(cairn_context *ctx, const cairn_parquet_file *f, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the Parquet data are damaged: %s; write the file again", f->name, what);
}

/* -- the schema -- */

/* A node of the schema as it stands in the file. */
typedef struct element {
    int type, repetition, converted, scale, precision, bits, unit;
    int64_t width, n_children;
    enum {
        PLAIN,
        STRING,
        LISTS,
        DECIMAL,
        DATE,
        TIME,
        TIMESTAMP,
        INTEGER,
        UUID,
        HALF,
        MAPS
    } logical;
    bool is_signed, utc;
    const char *name;
    size_t name_length;
} element;

/* Units of times are empty structs with the numbers 1 to 3. */
static void read_time(cairn_thrift *t, const cairn_thrift_field *outer, element *e)
{
    cairn_thrift_field field = {0}, unit = {0};
    (void)outer;
    while (cairn_thrift_next(t, &field)) {
        if (field.id == 1) {
            e->utc = cairn_thrift_int(t, &field);
        } else if (field.id == 2) {
            unit = (cairn_thrift_field){0};
            while (cairn_thrift_next(t, &unit)) {
                e->unit = unit.id;
                cairn_thrift_skip(t, &unit);
            }
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
}

static void read_logical(cairn_thrift *t, element *e)
{
    static const unsigned char kinds[] = {
        [1] = STRING, [2] = MAPS,      [3] = LISTS,    [4] = STRING,  [5] = DECIMAL, [6] = DATE,
        [7] = TIME,   [8] = TIMESTAMP, [10] = INTEGER, [12] = STRING, [14] = UUID,   [15] = HALF};
    cairn_thrift_field field = {0}, inner;
    while (cairn_thrift_next(t, &field)) {
        if (field.id > 0 && (size_t)field.id < sizeof kinds && kinds[field.id])
            e->logical = kinds[field.id];
        inner = (cairn_thrift_field){0};
        if (field.id == 7 || field.id == 8) {
            read_time(t, &field, e);
        } else if (field.id == 5 || field.id == 10) {
            while (cairn_thrift_next(t, &inner)) {
                int value = (int)cairn_thrift_int(t, &inner);
                if (field.id == 5)
                    *(inner.id == 1 ? &e->scale : &e->precision) = value;
                else if (inner.id == 1)
                    e->bits = value;
                else
                    e->is_signed = value;
            }
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
}

/* What older writers said instead of a logical type. */
static void use_converted(element *e)
{
    switch (e->converted) {
    case 0:
    case 4:
    case 19: e->logical = STRING; break;
    case 1:
    case 2: e->logical = MAPS; break;
    case 3: e->logical = LISTS; break;
    case CONVERTED_DECIMAL: e->logical = DECIMAL; break;
    case 6: e->logical = DATE; break;
    case 7:
    case 8:
        e->logical = TIME;
        e->unit = e->converted - 6;
        break;
    case 9:
    case 10:
        e->logical = TIMESTAMP;
        e->unit = e->converted - 8;
        e->utc = true;
        break;
    case 11:
    case 12:
    case 13:
    case 14:
        e->logical = INTEGER;
        e->bits = 8 << (e->converted - 11);
        break;
    default: break;
    }
}

static element read_element(cairn_thrift *t)
{
    element e = {.type = -1, .converted = -1, .is_signed = true};
    cairn_thrift_field field = {0};
    while (cairn_thrift_next(t, &field)) {
        switch (field.id) {
        case 1: e.type = (int)cairn_thrift_int(t, &field); break;
        case 2: e.width = cairn_thrift_int(t, &field); break;
        case 3: e.repetition = (int)cairn_thrift_int(t, &field); break;
        case 4: e.name = cairn_thrift_text(t, &field, &e.name_length); break;
        case 5: e.n_children = cairn_thrift_int(t, &field); break;
        case 6: e.converted = (int)cairn_thrift_int(t, &field); break;
        case 7: e.scale = (int)cairn_thrift_int(t, &field); break;
        case 8: e.precision = (int)cairn_thrift_int(t, &field); break;
        case 10: read_logical(t, &e); break;
        default: cairn_thrift_skip(t, &field);
        }
    }
    if (e.logical == PLAIN) {
        if (e.converted >= 11 && e.converted <= 14) e.is_signed = false;
        use_converted(&e);
    }
    return e;
}

/* The Arrow format of a leaf's cells. */
static void choose_format(cairn_parquet_column *c, const element *e)
{
    static const char units[] = "?mun";
    char unit = units[e->unit >= 1 && e->unit <= 3 ? e->unit : 1];
    bool small = c->type == CAIRN_PARQUET_INT32, large = c->type == CAIRN_PARQUET_INT64;
    size_t bits = small ? 32 : large ? 64 : 128;
    if (e->logical == DECIMAL && (small || large || c->type >= CAIRN_PARQUET_BYTE_ARRAY)) {
        if (e->precision > 38) bits = 256;
        snprintf(c->format, sizeof c->format, "d:%d,%d,%zu", e->precision, e->scale, bits);
        return;
    }
    if (e->logical == DATE && small)
        memcpy(c->format, "tdD", 4);
    else if (e->logical == TIME && (small || large))
        snprintf(c->format, 8, "tt%c", unit);
    else if (e->logical == TIMESTAMP && large)
        snprintf(c->format, 16, "ts%c:%s", unit, e->utc ? "UTC" : "");
    else if (e->logical == HALF && c->width == 2)
        memcpy(c->format, "e", 2);
    else {
        static const char *const plain[] = {"C", "i", "l", "tsn:", "f", "g", "U", ""};
        const char *format = plain[c->type];
        if (e->logical == INTEGER && !e->is_signed && small) format = "I";
        if (e->logical == INTEGER && !e->is_signed && large) format = "L";
        memcpy(c->format, format, strlen(format) + 1);
    }
    if (!c->format[0])
        c->refused = "has bytes of fixed length; write them as text, or leave the column out";
}

/* The path from the root to a node under way. */
typedef struct path {
    int definition, repetition, list_definition;
    bool map;
    size_t depth, name_length; /* of the name so far */
} path;

typedef struct schema_reader {
    cairn_context *ctx;
    cairn_parquet_file *f;
    cairn_thrift *t;
    cairn_text name;
    size_t n_left; /* elements of the list */
} schema_reader;

static cairn_status add_leaf(schema_reader *r, const element *e, const path *p)
{
    cairn_parquet_file *f = r->f;
    if (e->type < 0 || e->type > CAIRN_PARQUET_FIXED || e->width < 0 || e->width > 1 << 20)
        return damaged(r->ctx, f, "a column of a type that is not known");
    if (f->n_columns == MOST_COLUMNS) return damaged(r->ctx, f, "too many columns");
    CHECK(GROW(r->ctx, &f->columns, &f->columns_capacity, f->n_columns + 1));
    cairn_parquet_column *c = &f->columns[f->n_columns];
    *c = (cairn_parquet_column){.type = (cairn_parquet_type)e->type,
                                .width = (size_t)e->width,
                                .definition = p->definition,
                                .list_definition = p->list_definition};
    CHECK(cairn_copy_text(r->ctx, &c->name, cairn_text_string(&r->name), r->name.length));
    f->n_columns++;
    choose_format(c, e);
    if (p->list_definition && c->format[0] == 't')
        c->refused = "has lists of times; take them apart, or leave it out";
    if (p->map) c->refused = "is a map; make a column of each key, or leave it out";
    if (p->repetition > 1)
        c->refused = "is nested in lists of lists; take them apart, or leave it out";
    return CAIRN_OK;
}

/* Groups give their names to the columns in them, but those that only make lists or are in a map do
 * not. */
static cairn_status read_node(schema_reader *r, path p, bool in_list)
{
    if (r->n_left == 0 || p.depth > DEEPEST) return damaged(r->ctx, r->f, "its schema");
    r->n_left--;
    element e = read_element(r->t);
    if (r->t->bad || e.n_children < 0 || memchr(e.name ? e.name : "", 0, e.name_length))
        return damaged(r->ctx, r->f, "its schema");
    size_t before = r->name.length;
    if (p.depth > 0 && !in_list && !p.map) {
        if (before) cairn_text_add_char(&r->name, '.');
        cairn_text_add_bytes(&r->name, e.name ? e.name : "", e.name_length);
    }
    CHECK(cairn_text_status(&r->name));
    if (p.depth > 0) {
        if (e.repetition != REQUIRED) p.definition++;
        if (e.repetition == REPEATED) {
            p.repetition++;
            p.list_definition = p.definition;
        }
    }
    p.map = p.map || e.logical == MAPS;
    p.depth++;
    if (!e.n_children && p.depth > 1) CHECK(add_leaf(r, &e, &p));
    bool lists = e.logical == LISTS || (in_list && e.repetition == REPEATED && e.n_children == 1);
    for (int64_t i = 0; i < e.n_children; i++) CHECK(read_node(r, p, lists));
    while (r->name.length > before) r->name.bytes[--r->name.length] = 0;
    return CAIRN_OK;
}

/* -- groups of rows -- */

/* In the older fields ends were compared with a sign, which counts for nothing for texts and
 * numbers without one; those of other numbers stand there in files that are old. */
static void read_range(cairn_thrift *t, const cairn_parquet_column *column,
                       cairn_parquet_range *out)
{
    bool numbers = column->type < CAIRN_PARQUET_BYTE_ARRAY && column->format[0] != 'I' &&
                   column->format[0] != 'L';
    cairn_thrift_field field = {0};
    while (cairn_thrift_next(t, &field)) {
        size_t length;
        bool newer = field.id == 5 || field.id == 6;
        if (field.id == 3) {
            out->missing = cairn_thrift_int(t, &field);
        } else if (newer || field.id == 1 || field.id == 2) {
            const uint8_t *end = (const uint8_t *)cairn_thrift_text(t, &field, &length);
            bool most = field.id == 1 || field.id == 5;
            if (!newer && (!numbers || (most ? out->most : out->least))) continue;
            *(most ? &out->most : &out->least) = end;
            *(most ? &out->most_bytes : &out->least_bytes) = length;
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
}

static void read_column_meta(cairn_thrift *t, const cairn_parquet_column *column,
                             cairn_parquet_chunk *chunk)
{
    cairn_thrift_field field = {0};
    while (cairn_thrift_next(t, &field)) {
        switch (field.id) {
        case 4: chunk->codec = (int)cairn_thrift_int(t, &field); break;
        case 5: chunk->values = cairn_thrift_int(t, &field); break;
        case 7: chunk->bytes = cairn_thrift_int(t, &field); break;
        case 9: chunk->data = cairn_thrift_int(t, &field); break;
        case 11: chunk->dictionary = cairn_thrift_int(t, &field); break;
        case 12: read_range(t, column, &chunk->range); break;
        default: cairn_thrift_skip(t, &field);
        }
    }
}

static cairn_status read_chunk(cairn_context *ctx, cairn_parquet_file *f, cairn_thrift *t,
                               const cairn_parquet_column *column, cairn_parquet_chunk *chunk)
{
    cairn_thrift_field field = {0};
    *chunk = (cairn_parquet_chunk){.range = {.missing = -1}};
    while (cairn_thrift_next(t, &field)) {
        size_t length;
        if (field.id == 1) {
            cairn_thrift_text(t, &field, &length);
            if (length) return damaged(ctx, f, "its cells lie in another file");
        } else if (field.id == 3) {
            read_column_meta(t, column, chunk);
        } else if (field.id == 8 || field.id == 9) {
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: the Parquet file is encrypted; write it without", f->name);
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
    return CAIRN_OK;
}

static cairn_status read_group(cairn_context *ctx, cairn_parquet_file *f, cairn_thrift *t)
{
    cairn_thrift_field field = {0}, column;
    size_t n = 0;
    int64_t rows = 0;
    CHECK(GROW(ctx, &f->chunks, &f->chunks_capacity, (f->n_groups + 1) * f->n_columns));
    while (cairn_thrift_next(t, &field)) {
        if (field.id == 1) {
            n = cairn_thrift_list(t, &field, &column);
            if (n != f->n_columns) return damaged(ctx, f, "a group of rows lacks columns");
            for (size_t j = 0; j < n; j++)
                CHECK(read_chunk(ctx, f, t, &f->columns[j],
                                 &f->chunks[f->n_groups * f->n_columns + j]));
        } else if (field.id == 3) {
            rows = cairn_thrift_int(t, &field);
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
    if (n != f->n_columns || rows < 0 || rows > UINT32_MAX)
        return damaged(ctx, f, "a group of rows");
    CHECK(GROW(ctx, &f->groups, &f->groups_capacity, f->n_groups + 1));
    f->groups[f->n_groups++] = (cairn_parquet_group){(size_t)rows, false};
    return CAIRN_OK;
}

/* Pairs of a key and a value; those of Cairn are kept. */
static cairn_status read_notes(cairn_context *ctx, cairn_parquet_file *f, cairn_thrift *t, size_t n)
{
    for (size_t i = 0; i < n && !t->bad; i++) {
        cairn_thrift_field field = {0};
        cairn_arrow_pair pair = {"", "", 0, 0};
        while (cairn_thrift_next(t, &field)) {
            if (field.id == 1)
                pair.key = cairn_thrift_text(t, &field, &pair.key_length);
            else if (field.id == 2)
                pair.value = cairn_thrift_text(t, &field, &pair.value_length);
            else
                cairn_thrift_skip(t, &field);
        }
        if (pair.key_length < 6 || memcmp(pair.key, "cairn.", 6) != 0) continue;
        CHECK(GROW(ctx, &f->notes, &f->notes_capacity, f->n_notes + 1));
        f->notes[f->n_notes++] = pair;
    }
    return CAIRN_OK;
}

/* The foot, whose schema stands in front of its groups. */
static cairn_status read_foot(cairn_context *ctx, cairn_parquet_file *f, cairn_thrift *t)
{
    cairn_thrift_field field = {0}, inner;
    while (cairn_thrift_next(t, &field)) {
        if (field.id == 2) {
            schema_reader r = {ctx, f, t, cairn_text_start(ctx), 0};
            r.n_left = cairn_thrift_list(t, &field, &inner);
            cairn_status status = read_node(&r, (path){0}, false);
            cairn_text_clear(&r.name);
            CHECK(status);
        } else if (field.id == 4) {
            size_t n = cairn_thrift_list(t, &field, &inner);
            for (size_t i = 0; i < n && !t->bad; i++) CHECK(read_group(ctx, f, t));
        } else if (field.id == 5) {
            CHECK(read_notes(ctx, f, t, cairn_thrift_list(t, &field, &inner)));
        } else {
            cairn_thrift_skip(t, &field);
        }
    }
    if (t->bad || !f->n_columns) return damaged(ctx, f, "its foot");
    return CAIRN_OK;
}

cairn_status cairn_parquet_foot(cairn_context *ctx, cairn_parquet_file *f)
{
    const uint8_t *end = f->bytes + f->length;
    uint32_t size;
    if (f->length < 3 * MAGIC || memcmp(f->bytes, "PAR", 3) != 0)
        return damaged(ctx, f, "it does not begin with PAR1");
    if (memcmp(end - MAGIC, "PARE", MAGIC) == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the Parquet file is encrypted; write it without", f->name);
    if (memcmp(end - MAGIC, "PAR1", MAGIC) != 0)
        return damaged(ctx, f, "it is cut: its end is missing");
    memcpy(&size, end - 2 * MAGIC, sizeof size);
    if (size > f->length - 3 * MAGIC) return damaged(ctx, f, "the length of its foot lies");
    cairn_thrift t = {.bytes = end - 2 * MAGIC - size, .length = size};
    return read_foot(ctx, f, &t);
}

void cairn_parquet_narrow(cairn_parquet_file *f, const bool *used)
{
    size_t n = f->n_columns, kept = 0, at = 0;
    for (size_t i = 0; i < f->n_groups * n; i++)
        if (used[i % n]) f->chunks[at++] = f->chunks[i];
    for (size_t j = 0; j < n; j++) {
        if (used[j])
            f->columns[kept++] = f->columns[j];
        else
            cairn_free(f->columns[j].name);
    }
    f->n_columns = kept;
}

void cairn_parquet_clear(cairn_parquet_file *f)
{
    for (size_t j = 0; j < f->n_columns; j++) cairn_free(f->columns[j].name);
    FREE_EACH(f->columns, f->notes, f->groups, f->chunks);
}
