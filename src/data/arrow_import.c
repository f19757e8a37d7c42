/* SPDX-License-Identifier: MIT */
/* Arrays of the Arrow C data interface as tables.
 *
 * The producer's array is moved in and counts its holders: the import itself, and every column that
 * uses a buffer as it is. Everything else is converted once. What the structs
 * claim is checked as far as can be known from outside: pointers, counts, lengths, offsets, indices
 * of dictionaries, UTF-8. */
#include "base/call.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/array.h"
#include "data/arrow.h"
#include "data/arrow_decimal.h"
#include "data/column.h"
#include "data/lent.h"
#include "data/odd_numbers.h"
#include "data/table_index.h"
#include "data/table_limits.h"
#include <math.h>
#include <string.h>

/* -- keeping the producer's array alive -- */

static void free_array(void *owner)
{
    struct ArrowArray *array = owner;
    if (array->release) array->release(array);
    cairn_free(array);
}

/* -- one array -- */

/* A column in the making: the array, the rows of it that count, and names for messages. */
typedef struct import {
    cairn_lent *source;
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    const char *name;
    size_t first, n;      /* rows first .. first + n - 1 of the array's buffers */
    const uint8_t *valid; /* bits, NULL = no nulls */
    bool keep_text;       /* text stays text, however few values there are */
} import;

static cairn_status refuse(cairn_context *ctx, const import *in, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' (Arrow format '%.40s'): %s", in->name,
                      in->schema->format, what);
}

static bool is_null(const import *in, size_t i)
{
    size_t bit = in->first + i;
    return in->valid && !(in->valid[bit / 8] >> bit % 8 & 1);
}

/* Numbers of buffers, pointers, lengths and the validity of an array of `n` rows after `skipped`
 * of its own. */
static cairn_status check_array(cairn_context *ctx, import *in, int64_t n_buffers, size_t skipped)
{
    const struct ArrowArray *array = in->array;
    enum { BUFFER = 4096 }; /* so that sums of offsets and sizes cannot overflow */
    if (array->length < 0 || array->offset < 0 || array->length > INT64_MAX / BUFFER ||
        array->offset > INT64_MAX / BUFFER)
        return refuse(ctx, in, "its length or offset is negative or absurd");
    if ((uint64_t)array->length < skipped + in->n)
        return refuse(ctx, in, "it is shorter than the table");
    if (array->n_buffers != n_buffers)
        return refuse(ctx, in, "it has the wrong number of buffers for its format");
    if (n_buffers && !array->buffers) return refuse(ctx, in, "it has no buffers");
    for (int64_t i = 1; i < n_buffers; i++)
        if (!array->buffers[i] && in->n && !(i == 2 && n_buffers == 3))
            return refuse(ctx, in, "one of its buffers is missing");
    in->first = skipped + (size_t)array->offset;
    in->valid = n_buffers ? array->buffers[0] : NULL;
    if (n_buffers && array->null_count > 0 && !in->valid)
        return refuse(ctx, in, "it has nulls and no buffer that says where");
    if (array->null_count == 0) in->valid = NULL;
    return CAIRN_OK;
}

/* -- numbers and times -- */

static cairn_status check_numbers(cairn_context *ctx, const import *in, cairn_column *column,
                                  bool whole)
{
    double largest = 0;
    for (size_t i = 0; i < column->n_rows; i++) {
        double size = fabs(column->numbers[i]);
        if (size > largest) largest = size;
    }
    if (isinf(largest)) return cairn_refuse_infinite(ctx, in->name, column->numbers);
    if (whole && largest > 9007199254740992.0)
        cairn_warn(ctx, "column '%s': whole numbers beyond 2^53 were rounded to the nearest double",
                   in->name);
    cairn_column_count_missing(column);
    return CAIRN_OK;
}

/* 64-bit reals without nulls are used where they lie. */
static bool can_borrow(const import *in, size_t width)
{
    const char *at = (const char *)in->array->buffers[1];
    return in->n && !in->valid && (uintptr_t)at % width == 0;
}

/* Doubles without nulls are used where they lie; all other numbers are widened into a new column,
 * and nulls become NaN. */
static cairn_status import_numbers(cairn_context *ctx, cairn_column **out, const import *in,
                                   cairn_kind kind, char type, size_t width, double scale)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const char *values = (const char *)in->array->buffers[1];
    if (kind == CAIRN_NUMBER && type == 'f' && width == 8 && can_borrow(in, width)) {
        CHECK(cairn_column_over_numbers(ctx, &column, (const double *)(uintptr_t)values + in->first,
                                        in->n, cairn_lent_release, cairn_lent_hold(in->source)));
    } else {
        CHECK(cairn_column_new(ctx, &column, kind, in->n));
        if (in->n)
            cairn_array_decoder(type, width)(column->numbers, values + in->first * width, width,
                                             in->n);
        for (size_t i = 0; i < in->n; i++)
            column->numbers[i] = is_null(in, i) ? NAN : column->numbers[i] * scale;
    }
    CHECK(check_numbers(ctx, in, column, type != 'f' && kind == CAIRN_NUMBER));
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Every number as the nearest double. */
static cairn_status import_decimals(cairn_context *ctx, cairn_column **out, const import *in,
                                    const cairn_decimal *decimal)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const char *values = (const char *)in->array->buffers[1];
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, in->n));
    for (size_t i = 0; i < in->n; i++) {
        column->numbers[i] = NAN;
        if (is_null(in, i)) continue;
        const char *value = values + (in->first + i) * decimal->width;
        if (!cairn_decimal_read(decimal, value, &column->numbers[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' (Arrow format '%.40s'), row %zu: the number has more "
                              "digits than its type allows",
                              in->name, in->schema->format, i + 1);
    }
    CHECK(check_numbers(ctx, in, column, decimal->scale <= 0));
    *out = TAKE(column);
    return CAIRN_OK;
}

/* -- text -- */

/* How an array says where its texts lie. */
typedef enum text_form { OFFSETS_32, OFFSETS_64, VIEWS } text_form;

static bool text_format(const char *format, text_form *out)
{
    static const char *const names[] = {"u", "U", "vu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *out = (text_form)i;
        if (cairn_same(format, names[i])) return true;
    }
    return false;
}

/* Of views any number of buffers with bytes stand between the views and the buffer of their
 * sizes. */
static cairn_status check_texts(cairn_context *ctx, import *in, text_form form, size_t skipped)
{
    int64_t n = in->array->n_buffers;
    return check_array(ctx, in, form == VIEWS && n > 3 && n < INT32_MAX ? n : 3, skipped);
}

/* Where text i of an array begins; offsets have 4 or 8 bytes. */
static int64_t text_start(const import *in, text_form form, size_t i)
{
    const char *at = in->array->buffers[1];
    int64_t start;
    int32_t small;
    if (form == OFFSETS_64) {
        memcpy(&start, at + (in->first + i) * sizeof start, sizeof start);
        return start;
    }
    memcpy(&small, at + (in->first + i) * sizeof small, sizeof small);
    return small;
}

/* Text i between two offsets. */
static cairn_status between_offsets(cairn_context *ctx, const import *in, text_form form, size_t i,
                                    const char **text, size_t *length)
{
    int64_t from = text_start(in, form, i), to = text_start(in, form, i + 1);
    const char *bytes = in->array->buffers[2];
    if (from < 0 || to < from) return refuse(ctx, in, "the offsets of its texts do not ascend");
    *length = (size_t)(to - from);
    *text = *length ? bytes + from : "";
    if (*length && !bytes) return refuse(ctx, in, "the bytes of its texts are missing");
    return CAIRN_OK;
}

/* Text i by its view of 16 bytes: the length, then the text itself where there is room for it, else
 * its first four bytes, the number of a buffer and the place there. */
static cairn_status in_view(cairn_context *ctx, const import *in, size_t i, const char **text,
                            size_t *length)
{
    enum { VIEW = 16, INSIDE = 12 };
    const char *view = (const char *)in->array->buffers[1] + (in->first + i) * VIEW;
    int64_t n_buffers = in->array->n_buffers, size = 0;
    int32_t n, place[2];
    memcpy(&n, view, sizeof n);
    memcpy(place, view + VIEW - sizeof place, sizeof place);
    *text = view + sizeof n;
    *length = (size_t)n;
    if (n >= 0 && n <= INSIDE) return CAIRN_OK;
    const char *sizes = in->array->buffers[n_buffers - 1];
    if (n > 0 && place[0] >= 0 && place[0] < n_buffers - 3 && place[1] >= 0)
        memcpy(&size, sizes + (size_t)place[0] * sizeof size, sizeof size);
    if (n < 0 || (int64_t)place[1] + n > size)
        return refuse(ctx, in, "one of its texts lies outside its buffers");
    *text = (const char *)in->array->buffers[2 + place[0]] + place[1];
    return CAIRN_OK;
}

/* Text i, its place checked. */
static cairn_status text_at(cairn_context *ctx, const import *in, text_form form, size_t i,
                            const char **text, size_t *length)
{
    CHECK(form == VIEWS ? in_view(ctx, in, i, text, length)
                        : between_offsets(ctx, in, form, i, text, length));
    if (cairn_utf8_check(*text, *length) < *length)
        return refuse(ctx, in, "one of its texts is not UTF-8");
    return CAIRN_OK;
}

/* Two passes over the offsets, the first for the sum of lengths: it checks every offset before a
 * byte is copied. */
static cairn_status import_text(cairn_context *ctx, cairn_column **out, const import *in,
                                text_form form)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const char *text;
    size_t length, total = 0, at = 0;
    CHECK(cairn_column_new(ctx, &column, CAIRN_TEXT, in->n));
    for (size_t i = 0; i < in->n; i++) {
        if (is_null(in, i)) continue;
        CHECK(text_at(ctx, in, form, i, &text, &length));
        total += length;
    }
    CHECK(NEW_RAW(ctx, &column->bytes, total));
    for (size_t i = 0; i < in->n; i++) {
        column->starts[i] = at;
        if (is_null(in, i)) {
            CHECK(cairn_column_mark_absent(ctx, column, i));
            continue;
        }
        CHECK(text_at(ctx, in, form, i, &text, &length));
        memcpy(column->bytes + at, text, length);
        at += length;
    }
    column->starts[in->n] = at;
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Text as levels, NULL when there are too many different ones. */
static cairn_status import_levels(cairn_context *ctx, cairn_column **out, const import *in,
                                  text_form form)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t most = cairn_most_levels(in->n), length, index;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, in->n));
    for (size_t i = 0; i < in->n; i++) {
        const char *text;
        column->codes[i] = -1;
        if (is_null(in, i)) continue;
        CHECK(text_at(ctx, in, form, i, &text, &length));
        CHECK(cairn_map_add(ctx, &column->names, text, length, &index));
        if (column->names.n > most) return CAIRN_OK;
        column->codes[i] = (int32_t)index;
    }
    CHECK(cairn_column_sort_levels(ctx, column));
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* -- formats -- */

/* The type and width of a format of fixed width; false when it is another. */
static bool number_format(const char *format, char *type, size_t *width)
{
    static const struct {
        char letter, type;
        size_t width;
    } formats[] = {
        {'c', 'i', 1}, {'C', 'u', 1}, {'s', 'i', 2}, {'S', 'u', 2}, {'i', 'i', 4}, {'I', 'u', 4},
        {'l', 'i', 8}, {'L', 'u', 8}, {'e', 'f', 2}, {'f', 'f', 4}, {'g', 'f', 8},
    };
    if (!format[0] || format[1]) return false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].letter != format[0]) continue;
        *type = formats[i].type;
        *width = formats[i].width;
        return true;
    }
    return false;
}

/* Dates and timestamps: the width and the seconds that one unit is. */
static bool time_format(const char *format, size_t *width, double *seconds)
{
    static const struct {
        const char *start;
        size_t width;
        double seconds;
    } formats[] = {{"tdD", 4, 86400}, {"tdm", 8, 1e-3},  {"tss:", 8, 1},
                   {"tsm:", 8, 1e-3}, {"tsu:", 8, 1e-6}, {"tsn:", 8, 1e-9}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!cairn_starts_with(format, formats[i].start)) continue;
        *width = formats[i].width;
        *seconds = formats[i].seconds;
        return true;
    }
    return false;
}

/* -- dictionaries -- */

static int64_t index_at(const import *in, char type, size_t width, size_t i)
{
    double value;
    cairn_array_decoder(type, width)(&value, (const char *)in->array->buffers[1] + i * width, width,
                                     1);
    return value >= 0 && value < 9e15 ? (int64_t)value : -1;
}

/* Codes from indices; true in *same when every index is its own code. */
static cairn_status translate_codes(cairn_context *ctx, const import *in, int32_t *out,
                                    const int32_t *codes, size_t n_names, bool *same)
{
    char type;
    size_t width;
    *same = true;
    if (!number_format(in->schema->format, &type, &width) || type == 'f')
        return refuse(ctx, in, "the indices of its dictionary are not whole numbers");
    for (size_t i = 0; i < in->n; i++) {
        out[i] = -1;
        if (is_null(in, i)) continue;
        int64_t index = index_at(in, type, width, in->first + i);
        if (index < 0 || (uint64_t)index >= n_names)
            return refuse(ctx, in, "an index lies outside its dictionary");
        out[i] = codes[index];
        if (out[i] != index) *same = false;
    }
    return CAIRN_OK;
}

/* Codes are borrowed when the dictionary's numbers are ours already; names that stand twice in it
 * make one level, and then codes are translated. */
static cairn_status import_dictionary(cairn_context *ctx, cairn_column **out, const import *in)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *codes;
    size_t n_names;
    bool same;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, in->n));
    /* The names of a dictionary into the column; code[i] is the level of entry i, -1 for a null. */
    const struct ArrowArray *array = in->array->dictionary;
import names = {in->source, in->schema->dictionary, array, in->name, 0, 0, NULL, false };
    const char *format = names.schema->format ? names.schema->format : "";
    text_form form;
    if (!array || !text_format(format, &form))
        CHECK(refuse(ctx, in, "the values of its dictionary are not text; decode it first"));
    else if (array->length < 0 || array->length > INT32_MAX) {
        CHECK(refuse(ctx, in, "the length of its dictionary is negative or absurd"));
    } else {
        names.n = (size_t)array->length;
        CHECK(check_texts(ctx, &names, form, 0));
        CHECK(SCRATCH(ctx, &codes, names.n));
        for (size_t i = 0; i < names.n; i++) {
            const char *text;
            size_t length, index;
            (codes)[i] = -1;
            if (is_null(&names, i)) continue;
            CHECK(text_at(ctx, &names, form, i, &text, &length));
            CHECK(cairn_map_add(ctx, &column->names, text, length, &index));
            (codes)[i] = (int32_t)index;
        }
        n_names = names.n;
    }
    CHECK(translate_codes(ctx, in, column->codes, codes, n_names, &same));
    column->declared = true;
    column->ordered = (in->schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    if (same && in->schema->format[0] == 'i' && can_borrow(in, sizeof *column->codes)) {
        cairn_free(column->codes);
        column->codes = (int32_t *)(uintptr_t)in->array->buffers[1] + in->first;
        column->owner = cairn_lent_hold(in->source);
        column->release = cairn_lent_release;
    }
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Reads the format string of the schema, which decides the kind of the column and the number of
 * buffers that must be there. */
static cairn_status import_column(cairn_context *ctx, cairn_column **out, import *in,
                                  size_t skipped)
{
    const char *format = in->schema->format;
    char type;
    size_t width;
    double seconds;
    cairn_decimal decimal;
    text_form form;
    if (in->schema->dictionary) {
        CHECK(check_array(ctx, in, 2, skipped));
        return import_dictionary(ctx, out, in);
    }
    if (cairn_same(format, "n")) {
        CHECK(check_array(ctx, in, 0, skipped));
        cairn_status status = cairn_column_new(ctx, out, CAIRN_NUMBER, in->n);
        if (status) return status;
        for (size_t i = 0; i < in->n; i++) (*out)->numbers[i] = NAN;
        cairn_column_count_missing(*out);
        return CAIRN_OK;
    }
    if (text_format(format, &form)) {
        CHECK(check_texts(ctx, in, form, skipped));
        *out = NULL;
        cairn_status status = in->keep_text ? CAIRN_OK : import_levels(ctx, out, in, form);
        return status || *out ? status : import_text(ctx, out, in, form);
    }
    bool is_bit = cairn_same(format, "b"), is_number = number_format(format, &type, &width);
    bool is_decimal = cairn_decimal_format(format, &decimal);
    if (!is_bit && !is_number && !is_decimal && !time_format(format, &width, &seconds))
        return refuse(ctx, in, "values of this type cannot be read; cast them to numbers or text");
    CHECK(check_array(ctx, in, 2, skipped));
    if (is_bit) {
        const uint8_t *bits = in->array->buffers[1];
        cairn_status status = cairn_column_new(ctx, out, CAIRN_NUMBER, in->n);
        if (status) return status;
        for (size_t i = 0; i < in->n; i++) {
            size_t bit = in->first + i;
            (*out)->numbers[i] = is_null(in, i) ? NAN : bits[bit / 8] >> bit % 8 & 1;
        }
        cairn_column_count_missing(*out);
        return CAIRN_OK;
    }
    if (is_decimal) return import_decimals(ctx, out, in, &decimal);
    if (is_number) return import_numbers(ctx, out, in, CAIRN_NUMBER, type, width, 1);
    CHECK(import_numbers(ctx, out, in, CAIRN_TIME, 'i', width, seconds));
    cairn_column_set_pattern(*out);
    return CAIRN_OK;
}

/* -- tables -- */

/* One more column. `whole` has the array's rows before it that do not count, and what else is the
 * same for all columns. */
static cairn_status add_column(cairn_context *ctx, cairn_table *table, const import *whole,
                               const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    cairn_column *column;
    SCOPED(cairn_text_clear) cairn_text number = cairn_text_start(ctx);
    const char *name = schema ? schema->name : NULL;
    if (!name || !*name) {
        cairn_text_addf(&number, "column%zu", table->n_columns + 1);
        CHECK(cairn_text_status(&number));
        name = number.bytes;
    }
    if (!schema || !array || !schema->format || !schema->release || !array->release)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "column %zu of the Arrow array is missing or was released already",
                         table->n_columns + 1));
    CHECK(cairn_table_name_allowed(ctx, table, name));
import in = {whole->source, schema, array, name, 0, table->n_rows, NULL, whole->keep_text };
    CHECK(import_column(ctx, &column, &in, whole->first));
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, column);
}

static cairn_status add_children(cairn_context *ctx, cairn_table *table, import *whole)
{
    const struct ArrowSchema *schema = whole->schema;
    const struct ArrowArray *array = whole->array;
    CHECK(check_array(ctx, whole, 1, 0));
    for (size_t i = 0; i < whole->n; i++)
        if (is_null(whole, i))
            return refuse(ctx, whole, "whole rows are null; leave them out first");
    if (schema->n_children != array->n_children || schema->n_children < 1 || !schema->children ||
        !array->children)
        return refuse(ctx, whole, "it has no children, or not as many as its schema says");
    for (int64_t j = 0; j < schema->n_children; j++)
        CHECK(add_column(ctx, table, whole, schema->children[j], array->children[j]));
    return CAIRN_OK;
}

/* A struct array becomes one column for each child, any other a table of one column. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, cairn_lent *source,
                               const struct ArrowSchema *schema, const struct ArrowArray *array,
                               bool keep_text)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    if (!schema || !schema->release || !array->release)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the Arrow array or its schema was released already");
    if (!schema->format || array->length < 0 || array->length > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the Arrow array has no format, or a length that is negative or absurd");
    CHECK(cairn_table_new(ctx, &table, (size_t)array->length));
import whole = {source, schema, array, "the table", 0, table->n_rows, NULL, keep_text };
    if (cairn_same(schema->format, "+s") && !schema->dictionary)
        CHECK(add_children(ctx, table, &whole));
    else
        CHECK(add_column(ctx, table, &whole, schema, array));
    CHECK(cairn_table_allowed(ctx, table));
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_arrow_import(cairn_context *ctx, cairn_table **out,
                                const struct ArrowSchema *schema, struct ArrowArray *array,
                                bool keep_text)
{
    OWNED(cairn_lent_drop) cairn_lent *source = NULL;
    struct ArrowArray *moved;
    cairn_status status = NEW(ctx, &moved, 1);
    if (status) {
        if (array->release) array->release(array);
        return status;
    }
    *moved = *array;
    array->release = NULL;
    CHECK(cairn_lent_new(ctx, &source, free_array, moved));
    return make_table(ctx, out, source, schema, moved, keep_text);
}

cairn_status cairn_table_from_arrow(cairn_context *ctx, cairn_table **out,
                                    struct ArrowSchema *schema, struct ArrowArray *array)
{
    PUBLIC_CALL(ctx);
    cairn_status status;
    if (array)
        status = cairn_arrow_import(ctx, out, schema, array, false);
    else
        status = cairn_fail(ctx, CAIRN_USAGE, "there is no Arrow array");
    if (schema && schema->release) schema->release(schema);
    return status;
}
