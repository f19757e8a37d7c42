/* SPDX-License-Identifier: MIT */
/* parquet: files of columns in pages, of any flat schema, and lists.
 *
 * The cells of all groups of rows become an array of the C data interface, column by column side by
 * side, and the import makes a table of it. */
#include "base/memory.h"
#include "base/text.h"
#include "data/arrow.h"
#include "data/column.h"
#include "data/format.h"
#include "data/mapped.h"
#include "data/parquet.h"
#include "parallel/parallel.h"
#include <string.h>

/* A file under way: its columns as a schema, and all rows. */
typedef struct reading {
    cairn_parquet_file f;
    bool *coded; /* columns of texts by their numbers in a dictionary */
    struct ArrowSchema schema;
    struct ArrowArray rows;
} reading;

/* What Cairn noted of the column. Its notes stand together, behind those of the column before it:
 * the search goes on from *next. */
static cairn_status give_notes(cairn_context *ctx, const cairn_parquet_file *f, size_t *next,
                               struct ArrowSchema *schema)
{
    size_t length = strlen(schema->name);
    bool found = false;
    for (size_t k = 0; k < f->n_notes; k++) {
        size_t i = (*next + k) % f->n_notes;
        cairn_arrow_pair pair = f->notes[i];
        const char *colon = memchr(pair.key, ':', pair.key_length);
        bool is_its = colon && (size_t)(pair.key + pair.key_length - colon - 1) == length &&
                      memcmp(colon + 1, schema->name, length) == 0;
        if (!is_its && found) {
            *next = i;
            break;
        }
        if (!is_its) continue;
        found = true;
        pair.key_length = (size_t)(colon - pair.key);
        if (pair.value_length < INT16_MAX) CHECK(cairn_arrow_note(ctx, schema, &pair));
    }
    return CAIRN_OK;
}

/* Texts that stand in a dictionary because it is shorter are no declared levels. */
static cairn_status make_leaf(cairn_context *ctx, const cairn_parquet_file *f, size_t *next,
                              struct ArrowSchema *parent, size_t i, const cairn_parquet_column *c,
                              const char *name, bool coded)
{
    static const cairn_arrow_pair found = {"cairn.levels", "found", 12, 5};
    CHECK(cairn_arrow_schema_child(ctx, parent, i, coded ? "i" : c->format, name, 0));
    struct ArrowSchema *schema = parent->children[i];
    schema->flags = ARROW_FLAG_NULLABLE;
    if (!c->list_definition) CHECK(give_notes(ctx, f, next, schema));
    if (!coded) return CAIRN_OK;
    cairn_arrow_noted_column noted = cairn_arrow_read_notes(schema);
    if (noted.ordered) schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    if (noted.kind != CAIRN_LEVEL) CHECK(cairn_arrow_note(ctx, schema, &found));
    return cairn_arrow_schema_dictionary(ctx, parent->children[i], "U");
}

static cairn_status make_schema(cairn_context *ctx, reading *r)
{
    const cairn_parquet_file *f = &r->f;
    size_t next = 0;
    CHECK(NEW(ctx, &r->coded, f->n_columns));
    CHECK(cairn_arrow_schema(ctx, &r->schema, "+s", "", f->n_columns));
    for (size_t j = 0; j < f->n_columns; j++) {
        const cairn_parquet_column *c = &f->columns[j];
        if (c->refused)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: column '%s' %s", f->name, c->name,
                              c->refused);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_parquet_is_coded(ctx, f, j, &r->coded[j]));
        if (!c->list_definition) {
            CHECK(make_leaf(ctx, f, &next, &r->schema, j, c, c->name, r->coded[j]));
            continue;
        }
        CHECK(cairn_arrow_schema_child(ctx, &r->schema, j, "+L", c->name, 1));
        r->schema.children[j]->flags = ARROW_FLAG_NULLABLE;
        CHECK(give_notes(ctx, f, &next, r->schema.children[j]));
        CHECK(make_leaf(ctx, f, &next, r->schema.children[j], 0, c, "item", r->coded[j]));
    }
    return CAIRN_OK;
}

static cairn_status read_column(cairn_context *ctx, void *data, size_t j)
{
    reading *r = data;
    return cairn_parquet_cells(ctx, &r->f, j, r->coded[j], &r->rows);
}

/* Columns of texts that came by a dictionary are levels where there are few, as elsewhere. */
static cairn_status settle_levels(cairn_context *ctx, const reading *r, cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        cairn_column *column = table->slots[j].column;
        if (!r->coded[j] || column->kind != CAIRN_LEVEL) continue;
        if (cairn_arrow_read_notes(r->schema.children[j]).kind == CAIRN_LEVEL) continue;
        if (column->names.n > cairn_most_levels(column->n_rows))
            CHECK(cairn_table_change_kind(ctx, table, j, CAIRN_TEXT));
        else
            CHECK(cairn_column_sort_levels(ctx, column));
    }
    return CAIRN_OK;
}

/* The import's sentence knows no file. */
static cairn_status read_rows(cairn_context *ctx, reading *r, cairn_table **out)
{
    const cairn_parquet_file *f = &r->f;
    size_t n = 0;
    for (size_t g = 0; g < f->n_groups; g++) n += f->rows[g];
    if (!n) return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file has columns but no rows", f->name);
    if (n > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file has more than 4294967295 rows",
                          f->name);
    CHECK(cairn_arrow_array(ctx, &r->rows, n, 1, f->n_columns));
    CHECK(cairn_tasks_sized(ctx, f->n_columns, (double)n * (double)f->n_columns * 10, read_column,
                            r));
    SCOPED(cairn_text_clear) cairn_text said = cairn_text_start(ctx);
    cairn_status status = cairn_arrow_import(ctx, out, &r->schema, &r->rows, false);
    r->rows.release = NULL;
    if (status != CAIRN_BAD_DATA) return status;
    cairn_text_add(&said, cairn_message(ctx));
    return cairn_fail(ctx, status, "%s: %s", f->name, cairn_text_string(&said));
}

static cairn_status read_parquet(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                 const cairn_read_options *options)
{
    cairn_status status;
    cairn_lent *memory = NULL;
    cairn_table *table = NULL;
    reading r = {.f.name = cairn_input_name(input)};
    (void)options;
    TRY(cairn_input_map(ctx, input, &r.f.bytes, &r.f.length, &memory));
    TRY(cairn_parquet_foot(ctx, &r.f));
    TRY(make_schema(ctx, &r));
    TRY(read_rows(ctx, &r, &table));
    TRY(settle_levels(ctx, &r, table));
    *out = TAKE(table);
done:
    cairn_table_free(table);
    cairn_free(r.coded);
    cairn_arrow_array_drop(&r.rows);
    cairn_arrow_schema_drop(&r.schema);
    cairn_parquet_clear(&r.f);
    cairn_lent_drop(memory);
    return status;
}

static bool detect_parquet(const char *name, const char *head, size_t n)
{
    (void)name;
    return n >= 4 && (memcmp(head, "PAR1", 4) == 0 || memcmp(head, "PARE", 4) == 0);
}

const cairn_data_format cairn_parquet_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "parquet",
            .also = "Apache Parquet",
            .title = "Columns of Apache Parquet",
            .summary =
                "Whole and real numbers, decimals, truth values, texts, dates, times, timestamps, "
                "and lists of them; fields of groups become columns with a dot in their names. "
                "Pages of both versions in every encoding of these types, packed by snappy, zstd, "
                "gzip or lz4 or not. Maps, lists of lists and encrypted files are refused. Texts "
                "are levels where there are few, however they are stored. Written in groups of a "
                "million rows, packed by zstd, with what Cairn knows of the columns.",
            .example = "cairn convert @iris iris.parquet",
        },
    .extensions = "parquet pq",
    .detect = detect_parquet,
    .read = read_parquet,
    .write = cairn_parquet_write,
};
