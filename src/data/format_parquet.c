/* SPDX-License-Identifier: MIT */
/* parquet: files of columns in pages, of any flat schema, and lists.
 *
 * Columns, and parts of long ones, are read side by side. Those of numbers, times and codes are
 * filled where they lie; of others an array of the C data interface is made and imported. */
#include "base/memory.h"
#include "base/text.h"
#include "data/arrow.h"
#include "data/column.h"
#include "data/format.h"
#include "data/mapped.h"
#include "data/odd_numbers.h"
#include "data/parquet.h"
#include "data/table_index.h"
#include "data/table_limits.h"
#include "data/wanted.h"
#include "parallel/parallel.h"
#include <stdio.h>
#include <string.h>

/* A file under way: its columns as a schema, and all rows. */
typedef struct reading {
    cairn_parquet_file f;
    bool *coded; /* columns of texts by their numbers in a dictionary */
    struct ArrowSchema schema;
    const char *where;      /* a condition by which groups were skipped, else NULL */
    size_t n_rows, n_all;   /* of groups that are read, and of all */
    cairn_column **columns; /* of the table */
    cairn_parquet_part *parts;
    size_t n_parts;
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
    const char *format = coded ? "i" : c->list_definition && c->format[0] != 'U' ? "g" : c->format;
    CHECK(cairn_arrow_schema_child(ctx, parent, i, format, name, 0));
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

/* -- columns -- */

static size_t rows_of(const reading *r, size_t j)
{
    return r->f.columns[j].whole ? r->n_all : r->n_rows;
}

/* Groups that a task reads of a column: large parts, so that a column of a table with few of them
 * is read by several threads, too. */
enum { PART_ROWS = 1 << 18 };

static cairn_status plan_parts(cairn_context *ctx, reading *r)
{
    const cairn_parquet_file *f = &r->f;
    size_t capacity = 0;
    for (size_t j = 0; j < f->n_columns; j++) {
        size_t row = 0;
        cairn_parquet_part part = {.column = j};
        bool number = cairn_parquet_is_number(&f->columns[j]);
        for (size_t g = 0; g < f->n_groups; g++) {
            part.n_groups++;
            if (cairn_parquet_reads(f, j, g)) row += f->groups[g].rows;
            bool last = g + 1 == f->n_groups;
            if (!last && (!number || row - part.row < PART_ROWS)) continue;
            CHECK(GROW(ctx, &r->parts, &capacity, r->n_parts + 1));
            r->parts[r->n_parts++] = part;
            part.first = g + 1;
            part.n_groups = 0;
            part.row = row;
        }
    }
    return CAIRN_OK;
}

static cairn_status read_codes(cairn_context *ctx, const reading *r, size_t j)
{
    cairn_column *column = r->columns[j];
    cairn_arrow_noted_column noted = cairn_arrow_read_notes(r->schema.children[j]);
    CHECK(cairn_parquet_codes(ctx, &r->f, j, column));
    column->ordered = noted.ordered;
    column->declared = noted.kind == CAIRN_LEVEL && !noted.found;
    return CAIRN_OK;
}

/* Texts and lists take the way by an array. */
static cairn_status read_array(cairn_context *ctx, reading *r, size_t j)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    struct ArrowArray array = {0};
    cairn_status status = cairn_parquet_array(ctx, &r->f, j, r->coded[j], rows_of(r, j), &array);
    if (status) {
        cairn_arrow_array_drop(&array);
        return status;
    }
    CHECK(cairn_in_file(ctx, r->f.name,
                        cairn_arrow_import(ctx, &table, r->schema.children[j], &array, false)));
    r->columns[j] = cairn_column_hold(table->slots[0].column);
    return CAIRN_OK;
}

static cairn_status read_part(cairn_context *ctx, void *data, size_t i)
{
    reading *r = data;
    cairn_parquet_part *part = &r->parts[i];
    size_t j = part->column;
    if (cairn_parquet_is_number(&r->f.columns[j]))
        return cairn_parquet_numbers(ctx, &r->f, part, r->columns[j]->numbers + part->row);
    return r->columns[j] ? read_codes(ctx, r, j) : read_array(ctx, r, j);
}

static cairn_kind number_kind(const cairn_parquet_column *c)
{
    return c->format[0] == 't' && c->format[1] != 'D' ? CAIRN_TIME : CAIRN_NUMBER;
}

/* Columns of numbers lie in one block, which large pages cover: to get small ones from the system
 * takes longer than to fill them. */
static cairn_status make_numbers(cairn_context *ctx, reading *r, bool whole)
{
    SCOPED_SCRATCH(ctx);
    cairn_column **columns;
    size_t n = 0, k = 0;
    CHECK(SCRATCH(ctx, &columns, r->f.n_columns));
    for (size_t j = 0; j < r->f.n_columns; j++)
        n += cairn_parquet_is_number(&r->f.columns[j]) && r->f.columns[j].whole == whole;
    if (!n) return CAIRN_OK;
    CHECK(cairn_columns_new(ctx, columns, n, whole ? r->n_all : r->n_rows, true));
    for (size_t j = 0; j < r->f.n_columns; j++) {
        if (!cairn_parquet_is_number(&r->f.columns[j]) || r->f.columns[j].whole != whole) continue;
        r->columns[j] = columns[k++];
        r->columns[j]->kind = number_kind(&r->f.columns[j]);
    }
    return CAIRN_OK;
}

/* Columns of numbers and of codes are filled where they lie. */
static cairn_status make_columns(cairn_context *ctx, reading *r)
{
    CHECK(NEW(ctx, &r->columns, r->f.n_columns));
    CHECK(make_numbers(ctx, r, false));
    CHECK(make_numbers(ctx, r, true));
    for (size_t j = 0; j < r->f.n_columns; j++) {
        bool flat = !r->f.columns[j].list_definition;
        if (!r->columns[j] && r->coded[j] && flat)
            CHECK(cairn_column_new(ctx, &r->columns[j], CAIRN_LEVEL, rows_of(r, j)));
    }
    return CAIRN_OK;
}

/* What the parts of columns of numbers met. */
static void join_parts(cairn_context *ctx, reading *r)
{
    for (size_t i = 0; i < r->n_parts;) {
        size_t j = r->parts[i].column;
        const char *name = r->f.columns[j].name;
        cairn_parquet_part all = {.column = j};
        for (; i < r->n_parts && r->parts[i].column == j; i++) {
            const cairn_parquet_part *part = &r->parts[i];
            all.n_missing += part->n_missing;
            all.rounded |= part->rounded;
            if (part->loss.digits > all.loss.digits) all.loss = part->loss;
        }
        if (!cairn_parquet_is_number(&r->f.columns[j])) continue;
        r->columns[j]->n_missing = all.n_missing;
        if (all.rounded) cairn_warn_rounded(ctx, name);
        cairn_decimal_warn(ctx, name, &all.loss);
    }
}

/* Columns of texts that came by a dictionary are levels where there are few, as elsewhere. */
static cairn_status settle_levels(cairn_context *ctx, const reading *r, cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        cairn_column *column = table->slots[j].column;
        if (!r->coded[j] || column->kind != CAIRN_LEVEL) continue;
        if (cairn_arrow_read_notes(r->schema.children[j]).kind == CAIRN_LEVEL) continue;
        if (column->names.n > cairn_most_levels(r->n_all))
            CHECK(cairn_table_change_kind(ctx, table, j, CAIRN_TEXT));
        else
            CHECK(cairn_column_sort_levels(ctx, column));
    }
    return CAIRN_OK;
}

/* Columns that were read whole lose the rows of groups that are skipped. */
static cairn_status drop_skipped(cairn_context *ctx, reading *r)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *all = NULL, *kept = NULL;
    uint32_t *rows;
    size_t n = 0, row = 0, k = 0;
    char name[32];
    if (r->n_rows == r->n_all) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &rows, r->n_rows));
    for (size_t g = 0; g < r->f.n_groups; g++)
        for (size_t i = 0; i < r->f.groups[g].rows; i++, row++)
            if (!r->f.groups[g].skipped) rows[n++] = (uint32_t)row;
    CHECK(cairn_table_new(ctx, &all, r->n_all));
    for (size_t j = 0; j < r->f.n_columns; j++) {
        if (!r->f.columns[j].whole) continue;
        snprintf(name, sizeof name, "%zu", j);
        CHECK(cairn_table_add_column(ctx, all, name, CAIRN_FEATURE,
                                     cairn_column_hold(r->columns[j])));
    }
    CHECK(cairn_table_take_rows(ctx, &kept, all, rows, n));
    for (size_t j = 0; j < r->f.n_columns; j++) {
        if (!r->f.columns[j].whole) continue;
        cairn_column_drop(r->columns[j]);
        r->columns[j] = cairn_column_hold(kept->slots[k++].column);
    }
    return CAIRN_OK;
}

static cairn_status add_columns(cairn_context *ctx, reading *r, cairn_table *table)
{
    for (size_t j = 0; j < r->f.n_columns; j++)
        if (r->columns[j]->kind == CAIRN_TIME)
            cairn_arrow_set_pattern(r->schema.children[j], r->columns[j]);
    CHECK(drop_skipped(ctx, r));
    for (size_t j = 0; j < r->f.n_columns; j++) {
        const struct ArrowSchema *schema = r->schema.children[j];
        cairn_column *column = TAKE(r->columns[j]);
        cairn_role role = cairn_arrow_read_notes(schema).role;
        char number[32];
        snprintf(number, sizeof number, "column%zu", j + 1);
        const char *name = *schema->name ? schema->name : number;
        cairn_status status = cairn_table_name_allowed(ctx, table, name);
        if (status) cairn_column_drop(column);
        CHECK(status);
        CHECK(cairn_table_append(ctx, table, name, role, column));
        if (role != CAIRN_FEATURE) table->slots[j].chosen = CAIRN_ROLE_SAID;
    }
    CHECK(settle_levels(ctx, r, table));
    return cairn_table_allowed(ctx, table);
}

static cairn_status read_rows(cairn_context *ctx, reading *r, cairn_table *table)
{
    CHECK(make_columns(ctx, r));
    CHECK(plan_parts(ctx, r));
    CHECK(cairn_tasks_sized(ctx, r->n_parts, (double)r->n_rows * (double)r->f.n_columns * 10,
                            read_part, r));
    join_parts(ctx, r);
    if (r->where) CHECK(cairn_parquet_check_said(ctx, &r->f, r->where, r->columns));
    return cairn_in_file(ctx, r->f.name, add_columns(ctx, r, table));
}

static cairn_status count_rows(cairn_context *ctx, reading *r)
{
    for (size_t g = 0; g < r->f.n_groups; g++) {
        r->n_all += r->f.groups[g].rows;
        if (!r->f.groups[g].skipped) r->n_rows += r->f.groups[g].rows;
    }
    if (!r->n_all)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file has columns but no rows", r->f.name);
    if (r->n_all > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file has more than 4294967295 rows",
                          r->f.name);
    return CAIRN_OK;
}

/* Columns that are not used are not read; those to which a note gives a role are. */
static cairn_status leave_columns(cairn_context *ctx, cairn_parquet_file *f,
                                  const cairn_read_options *options)
{
    SCOPED_SCRATCH(ctx);
    static const char role[] = "cairn.role:";
    const size_t length = sizeof role - 1;
    const char **names;
    bool *used, *has_role, narrows;
    CHECK(SCRATCH(ctx, &names, f->n_columns));
    CHECK(SCRATCH(ctx, &used, f->n_columns));
    CHECK(SCRATCH(ctx, &has_role, f->n_columns));
    for (size_t j = 0; j < f->n_columns; j++) names[j] = f->columns[j].name;
    for (size_t i = 0; i < f->n_notes; i++) {
        const cairn_arrow_pair *note = &f->notes[i];
        if (note->key_length <= length || memcmp(note->key, role, length) != 0) continue;
        for (size_t j = 0; j < f->n_columns; j++)
            has_role[j] |= strlen(names[j]) == note->key_length - length &&
                           memcmp(names[j], note->key + length, strlen(names[j])) == 0;
    }
    CHECK(cairn_wanted_columns(ctx, options, names, has_role, f->n_columns, used, &narrows));
    if (narrows) cairn_parquet_narrow(f, used);
    return CAIRN_OK;
}

/* Groups of which --where keeps no row are skipped. Whether texts are levels, and how times are
 * written, depends on all of them. */
static cairn_status leave_groups(cairn_context *ctx, reading *r, const cairn_read_options *options)
{
    cairn_parquet_file *f = &r->f;
    bool skips = false;
    if (!options->wanted || !options->wanted->where || options->kinds) return CAIRN_OK;
    CHECK(cairn_parquet_skip(ctx, f, options->wanted->where));
    for (size_t g = 0; g < f->n_groups; g++) skips |= f->groups[g].skipped;
    r->where = options->wanted->where;
    for (size_t j = 0; j < f->n_columns && skips; j++) {
        cairn_parquet_column *c = &f->columns[j];
        bool flat = !c->list_definition, stamps = strncmp(c->format, "ts", 2) == 0;
        c->whole = !flat || (stamps && !*cairn_arrow_read_notes(r->schema.children[j]).pattern) ||
                   (!cairn_parquet_is_number(c) && !r->coded[j]);
    }
    return CAIRN_OK;
}

static cairn_status read_parquet(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                 const cairn_read_options *options)
{
    cairn_status status;
    cairn_lent *memory = NULL;
    cairn_table *table = NULL;
    reading r = {.f.name = cairn_input_name(input)};
    TRY(cairn_input_map(ctx, input, &r.f.bytes, &r.f.length, &memory));
    TRY(cairn_parquet_foot(ctx, &r.f));
    TRY(leave_columns(ctx, &r.f, options));
    TRY(make_schema(ctx, &r));
    TRY(leave_groups(ctx, &r, options));
    TRY(count_rows(ctx, &r));
    TRY(cairn_table_new(ctx, &table, r.n_rows));
    table->n_skipped = r.n_all - r.n_rows;
    TRY(read_rows(ctx, &r, table));
    *out = TAKE(table);
done:
    cairn_table_free(table);
    for (size_t j = 0; r.columns && j < r.f.n_columns; j++) cairn_column_drop(r.columns[j]);
    FREE_EACH(r.columns, r.parts, r.coded);
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
                "are levels where there are few, however they are stored. Written in groups of "
                "262,144 "
                "rows, packed by zstd, with what Cairn knows of the columns.",
            .example = "cairn convert @iris iris.parquet",
        },
    .extensions = "parquet pq",
    .detect = detect_parquet,
    .read = read_parquet,
    .write = cairn_parquet_write,
};
