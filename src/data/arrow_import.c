/* SPDX-License-Identifier: MIT */
/* Arrays of the Arrow C data interface as tables.
 *
 * The producer's array is moved in and counts its holders: the import itself, and every column that
 * uses a buffer as it is. Everything else is converted once. What the structs
 * claim is checked as far as can be known from outside: pointers, counts, lengths, offsets, indices
 * of dictionaries, UTF-8. */
#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/array.h"
#include "data/arrow.h"
#include "data/arrow_decimal.h"
#include "data/arrow_notes.h"
#include "data/bag.h"
#include "data/column.h"
#include "data/lent.h"
#include "data/odd_numbers.h"
#include "data/table_index.h"
#include "data/table_limits.h"
#include "data/time_pattern.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdio.h>
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
typedef struct incoming {
    cairn_lent *source;
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    const char *name;
    size_t first, n;      /* rows first .. first + n - 1 of the array's buffers */
    const uint8_t *valid; /* bits, NULL = no nulls */
    bool keep_text;       /* text stays text, however few values there are */
} incoming;

static cairn_status refuse(cairn_context *ctx, const incoming *in, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' (Arrow format '%.40s'): %s", in->name,
                      in->schema->format, what);
}

static bool is_null(const incoming *in, size_t i)
{
    size_t bit = in->first + i;
    return in->valid && !(in->valid[bit / 8] >> bit % 8 & 1);
}

/* Numbers of buffers, pointers, lengths and the validity of an array of `n` rows after `skipped`
 * of its own. */
static cairn_status check_array(cairn_context *ctx, incoming *in, int64_t n_buffers, size_t skipped)
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

static cairn_status check_numbers(cairn_context *ctx, const incoming *in, cairn_column *column,
                                  bool whole)
{
    cairn_odd_numbers odd = cairn_count_odd(column->numbers, column->n_rows);
    if (odd.n_infinite) return cairn_refuse_infinite(ctx, in->name, column->numbers, 0);
    column->n_missing = odd.n_missing;
    for (size_t i = 0; whole && i < column->n_rows; i++) {
        if (!(fabs(column->numbers[i]) > 9007199254740992.0)) continue;
        cairn_warn_rounded(ctx, in->name);
        break;
    }
    return CAIRN_OK;
}

/* Whether the values can be used where they lie. */
static bool is_aligned(const incoming *in, size_t width)
{
    return in->n && (uintptr_t)in->array->buffers[1] % width == 0;
}

/* Reals whose nulls are not-a-number already, as Cairn writes them. */
static bool nulls_are_nan(const incoming *in)
{
    const double *values = (const double *)(uintptr_t)in->array->buffers[1];
    for (size_t i = 0; in->valid && i < in->n; i++) {
        size_t bit = in->first + i;
        if (bit % 8 == 0 && in->n - i >= 8 && in->valid[bit / 8] == UINT8_MAX)
            i += 7;
        else if (is_null(in, i) && !isnan(values[bit]))
            return false;
    }
    return true;
}

/* Doubles are used where they lie; all other numbers are widened into a new column, and nulls
 * become NaN. */
static cairn_status import_numbers(cairn_context *ctx, cairn_column **out, const incoming *in,
                                   cairn_kind kind, char type, size_t width, double scale)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const char *values = (const char *)in->array->buffers[1];
    if (kind == CAIRN_NUMBER && type == 'f' && width == 8 && is_aligned(in, width) &&
        nulls_are_nan(in)) {
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
static cairn_status import_decimals(cairn_context *ctx, cairn_column **out, const incoming *in,
                                    const cairn_decimal *decimal)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    const char *values = (const char *)in->array->buffers[1];
    cairn_decimal_loss loss = {0};
    CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, in->n));
    for (size_t i = 0; i < in->n; i++) {
        column->numbers[i] = NAN;
        if (is_null(in, i)) continue;
        const char *value = values + (in->first + i) * decimal->width;
        if (!cairn_decimal_read(decimal, value, &column->numbers[i], &loss))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' (Arrow format '%.40s'), row %zu: the number has more "
                              "digits than its type allows",
                              in->name, in->schema->format, i + 1);
    }
    CHECK(check_numbers(ctx, in, column, false));
    cairn_decimal_warn(ctx, in->name, &loss);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* -- text -- */

/* How an array says where its texts lie; bytes are texts if they are UTF-8. */
typedef enum text_form { OFFSETS_32, OFFSETS_64, VIEWS } text_form;

static bool text_format(const char *format, text_form *out)
{
    static const char *const names[] = {"u", "U", "vu", "z", "Z", "vz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *out = (text_form)(i % (VIEWS + 1));
        if (cairn_same(format, names[i])) return true;
    }
    return false;
}

/* Of views any number of buffers with bytes stand between the views and the buffer of their
 * sizes. */
static cairn_status check_texts(cairn_context *ctx, incoming *in, text_form form, size_t skipped)
{
    int64_t n = in->array->n_buffers;
    return check_array(ctx, in, form == VIEWS && n > 3 && n < INT32_MAX ? n : 3, skipped);
}

/* Where text i of an array begins; offsets have 4 or 8 bytes. */
static int64_t text_start(const incoming *in, text_form form, size_t i)
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
static cairn_status between_offsets(cairn_context *ctx, const incoming *in, text_form form,
                                    size_t i, const char **text, size_t *length)
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
static cairn_status in_view(cairn_context *ctx, const incoming *in, size_t i, const char **text,
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
    bool placed = n > 0 && place[0] >= 0 && place[0] < n_buffers - 3 && place[1] >= 0;
    if (placed) memcpy(&size, sizes + (size_t)place[0] * sizeof size, sizeof size);
    if (!placed || (int64_t)place[1] + n > size)
        return refuse(ctx, in, "one of its texts lies outside its buffers");
    *text = (const char *)in->array->buffers[2 + place[0]] + place[1];
    return CAIRN_OK;
}

/* Text i, its place checked. */
static cairn_status text_at(cairn_context *ctx, const incoming *in, text_form form, size_t i,
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
static cairn_status import_text(cairn_context *ctx, cairn_column **out, const incoming *in,
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
static cairn_status import_levels(cairn_context *ctx, cairn_column **out, const incoming *in,
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
bool cairn_arrow_number_format(const char *format, char *type, size_t *width)
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

/* Dates, timestamps, times of day and durations: the width and the seconds that one unit is. */
bool cairn_arrow_time_format(const char *format, size_t *width, double *seconds)
{
    static const struct {
        const char *start;
        size_t width;
        double seconds;
    } formats[] = {{"tdD", 4, 86400}, {"tdm", 8, 1e-3},  {"tss:", 8, 1}, {"tsm:", 8, 1e-3},
                   {"tsu:", 8, 1e-6}, {"tsn:", 8, 1e-9}, {"tts", 4, 1},  {"ttm", 4, 1e-3},
                   {"ttu", 8, 1e-6},  {"ttn", 8, 1e-9},  {"tDs", 8, 1},  {"tDm", 8, 1e-3},
                   {"tDu", 8, 1e-6},  {"tDn", 8, 1e-9}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!cairn_starts_with(format, formats[i].start)) continue;
        *width = formats[i].width;
        *seconds = formats[i].seconds;
        return true;
    }
    return false;
}

/* -- dictionaries -- */

/* Indices of 32 bits without nulls that are all below n; then they may be codes as they are. */
static bool are_codes(const incoming *in, size_t n)
{
    const int32_t *indices = (const int32_t *)(uintptr_t)in->array->buffers[1] + in->first;
    uint32_t most = 0;
    if (!cairn_same(in->schema->format, "i") || in->valid || !is_aligned(in, sizeof *indices))
        return false;
    for (size_t i = 0; i < in->n; i++)
        most = (uint32_t)indices[i] > most ? (uint32_t)indices[i] : most;
    return most < n;
}

/* Codes from indices, blocks of which are taken as doubles: these hold whole numbers far beyond the
 * longest dictionary. */
static cairn_status translate_codes(cairn_context *ctx, const incoming *in, int32_t *out,
                                    const int32_t *codes, size_t n_names)
{
    enum { BLOCK = 512 };
    char type;
    size_t width;
    double indices[BLOCK];
    if (!cairn_arrow_number_format(in->schema->format, &type, &width) || type == 'f')
        return refuse(ctx, in, "the indices of its dictionary are not whole numbers");
    cairn_decoder decode = cairn_array_decoder(type, width);
    const char *from = (const char *)in->array->buffers[1] + in->first * width;
    for (size_t i = 0; i < in->n; i++) {
        size_t left = in->n - i;
        if (i % BLOCK == 0) decode(indices, from + i * width, width, left < BLOCK ? left : BLOCK);
        double index = indices[i % BLOCK];
        out[i] = -1;
        if (is_null(in, i)) continue;
        if (!(index >= 0 && index < (double)n_names))
            return refuse(ctx, in, "an index lies outside its dictionary");
        out[i] = codes[(size_t)index];
    }
    return CAIRN_OK;
}

static cairn_status import_column(cairn_context *ctx, cairn_column **out, incoming *in,
                                  size_t skipped);

/* The values of a dictionary, or what the cells of lists hold, as a column of their own. */
static cairn_status import_inner(cairn_context *ctx, cairn_column **out, const incoming *in,
                                 const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    if (!schema || !array || !schema->format || !schema->release || !array->release)
        return refuse(ctx, in, "its values are missing or were released already");
    if (array->length < 0 || array->length > INT32_MAX)
        return refuse(ctx, in, "the number of its values is negative or absurd");
    incoming inner = {in->source, schema, array, in->name, 0, (size_t)array->length, NULL, true};
    return import_column(ctx, out, &inner, 0);
}

/* Codes are borrowed when the dictionary's numbers are ours already; names that stand twice in it
 * make one level, and then codes are translated. */
static cairn_status import_levels_of(cairn_context *ctx, cairn_column **out, const incoming *in,
                                     const cairn_column *texts)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_map_clear) cairn_map names = {0};
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *codes;
    bool same = true;
    CHECK(SCRATCH(ctx, &codes, texts->n_rows));
    for (size_t i = 0; i < texts->n_rows; i++) {
        size_t index;
        codes[i] = -1;
        if (!cairn_column_is_missing(texts, i)) {
            CHECK(cairn_map_add(ctx, &names, texts->bytes + texts->starts[i],
                                texts->starts[i + 1] - texts->starts[i], &index));
            codes[i] = (int32_t)index;
        }
        same &= codes[i] == (int32_t)i;
    }
    if (same && are_codes(in, texts->n_rows)) {
        const int32_t *lent = (const int32_t *)(uintptr_t)in->array->buffers[1] + in->first;
        CHECK(cairn_column_over_codes(ctx, &column, lent, in->n, cairn_lent_release,
                                      cairn_lent_hold(in->source)));
    } else {
        CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, in->n));
        CHECK(translate_codes(ctx, in, column->codes, codes, texts->n_rows));
        cairn_column_count_missing(column);
    }
    column->names = names;
    names = (cairn_map){0};
    column->declared = !cairn_arrow_read_notes(in->schema).found;
    column->ordered = (in->schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    *out = TAKE(column);
    return CAIRN_OK;
}

/* Numbers and times of a dictionary are put in their places. */
static cairn_status import_dictionary(cairn_context *ctx, cairn_column **out, const incoming *in)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_column_drop) cairn_column *values = NULL, *column = NULL;
    int32_t *codes, *places;
    CHECK(import_inner(ctx, &values, in, in->schema->dictionary, in->array->dictionary));
    if (values->kind == CAIRN_TEXT) return import_levels_of(ctx, out, in, values);
    if (!values->numbers) return refuse(ctx, in, "its dictionary holds neither texts nor numbers");
    CHECK(SCRATCH_RAW(ctx, &codes, in->n));
    CHECK(SCRATCH_RAW(ctx, &places, values->n_rows));
    for (size_t i = 0; i < values->n_rows; i++) places[i] = (int32_t)i;
    CHECK(translate_codes(ctx, in, codes, places, values->n_rows));
    CHECK(cairn_column_new(ctx, &column, values->kind, in->n));
    for (size_t i = 0; i < in->n; i++)
        column->numbers[i] = codes[i] < 0 ? NAN : values->numbers[codes[i]];
    memcpy(column->pattern, values->pattern, sizeof column->pattern);
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* -- lists -- */

/* Where the cells of lists begin among their values, which are `n_values`. */
static cairn_status list_starts(cairn_context *ctx, const incoming *in, size_t *starts,
                                size_t fixed, size_t n_values)
{
    bool large = in->schema->format[1] == 'L';
    for (size_t i = 0; i <= in->n; i++) {
        int64_t start = fixed ? (int64_t)((in->first + i) * fixed)
                              : text_start(in, large ? OFFSETS_64 : OFFSETS_32, i);
        if (start < 0 || (uint64_t)start > n_values || (i && (size_t)start < starts[i - 1]))
            return refuse(ctx, in, "the offsets of its lists do not ascend or lie outside");
        starts[i] = (size_t)start;
    }
    return CAIRN_OK;
}

/* Cells one behind the other from 0 on: what lies between them, below nulls and, of bags, nulls
 * among the items is left out. */
static cairn_status pack_lists(cairn_context *ctx, const incoming *in, cairn_column *column)
{
    size_t at = 0, end = 0;
    bool bag = column->kind == CAIRN_BAG;
    for (size_t i = 0; i < in->n; i++) {
        size_t k = column->starts[i];
        end = column->starts[i + 1];
        column->starts[i] = at;
        if (is_null(in, i)) {
            CHECK(cairn_column_mark_absent(ctx, column, i));
            continue;
        }
        for (; k < end; k++) {
            if (bag && column->items[k] < 0) continue;
            if (column->items) column->items[at] = column->items[k];
            if (column->amounts) column->amounts[at] = column->amounts[k];
            at++;
        }
    }
    column->starts[in->n] = at;
    return bag ? cairn_bag_tidy(ctx, column) : CAIRN_OK;
}

/* The codes and names of the items, which are texts, levels or numbers. */
static cairn_status take_items(cairn_context *ctx, cairn_column *to, cairn_column **items,
                               const char *name)
{
    if ((*items)->kind != CAIRN_LEVEL) {
        cairn_column *levels;
        CHECK(cairn_column_convert(ctx, &levels, *items, CAIRN_LEVEL, name, NULL, NULL, NULL));
        cairn_column_drop(*items);
        *items = levels;
    }
    CHECK(cairn_map_copy(ctx, &to->names, &(*items)->names));
    CHECK(NEW_RAW(ctx, &to->items, (*items)->n_rows));
    if ((*items)->n_rows) memcpy(to->items, (*items)->codes, (*items)->n_rows * sizeof *to->items);
    return CAIRN_OK;
}

static cairn_status take_amounts(cairn_context *ctx, cairn_column *to, const cairn_column *values)
{
    CHECK(NEW_RAW(ctx, &to->amounts, values->n_rows));
    if (values->n_rows) memcpy(to->amounts, values->numbers, values->n_rows * sizeof *to->amounts);
    return CAIRN_OK;
}

/* The keys and numbers of maps are items and amounts. */
static cairn_status import_map(cairn_context *ctx, cairn_column *to, const incoming *in)
{
    OWNED(cairn_column_drop) cairn_column *keys = NULL, *values = NULL;
    const struct ArrowSchema *schema = in->schema->children[0];
    const struct ArrowArray *array = in->array->children[0];
    if (!schema || !array || schema->n_children != 2 || array->n_children != 2 ||
        !schema->children || !array->children || array->offset)
        return refuse(ctx, in, "its entries are not keys and values");
    CHECK(import_inner(ctx, &keys, in, schema->children[0], array->children[0]));
    CHECK(import_inner(ctx, &values, in, schema->children[1], array->children[1]));
    if (array->length < 0 || keys->n_rows < (size_t)array->length ||
        values->n_rows < (size_t)array->length)
        return refuse(ctx, in, "it has fewer keys or values than entries");
    if (values->kind != CAIRN_NUMBER || values->n_missing)
        return refuse(ctx, in,
                      "a map is read as a bag with amounts, but its values are not all "
                      "numbers; make a column of each key");
    CHECK(take_amounts(ctx, to, values));
    return take_items(ctx, to, &keys, in->name);
}

/* Lists of texts are bags, unless it is noted that their order counts; lists of numbers are series;
 * maps to numbers are bags with amounts. */
static cairn_status import_lists(cairn_context *ctx, cairn_column **out, incoming *in,
                                 size_t skipped)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL, *inner = NULL;
    const char *format = in->schema->format;
    int64_t fixed = 0;
    if (cairn_starts_with(format, "+w:") &&
        (!cairn_integer_parse(format + 3, strlen(format + 3), &fixed) || fixed < 1 ||
         fixed > INT32_MAX))
        return refuse(ctx, in, "the length of its lists is absurd");
    bool map = cairn_same(format, "+m");
    if (in->schema->n_children != 1 || in->array->n_children != 1 || !in->schema->children ||
        !in->array->children)
        return refuse(ctx, in, "it has no child for the values of its lists");
    CHECK(check_array(ctx, in, fixed ? 1 : 2, skipped));
    cairn_kind kind = CAIRN_BAG;
    if (!map) {
        CHECK(import_inner(ctx, &inner, in, in->schema->children[0], in->array->children[0]));
        bool noted = cairn_arrow_read_notes(in->schema).kind == CAIRN_SEQUENCE;
        kind = inner->kind == CAIRN_NUMBER ? CAIRN_SERIES : noted ? CAIRN_SEQUENCE : CAIRN_BAG;
        if (inner->kind != CAIRN_NUMBER && inner->kind != CAIRN_TEXT && inner->kind != CAIRN_LEVEL)
            return refuse(ctx, in,
                          "its lists hold neither texts nor numbers; take them apart first");
    }
    CHECK(cairn_column_new(ctx, &column, kind, in->n));
    if (map)
        CHECK(import_map(ctx, column, in));
    else if (kind == CAIRN_SERIES)
        CHECK(take_amounts(ctx, column, inner));
    else
        CHECK(take_items(ctx, column, &inner, in->name));
    CHECK(list_starts(ctx, in, column->starts, (size_t)fixed,
                      (size_t)in->array->children[0]->length));
    CHECK(pack_lists(ctx, in, column));
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

void cairn_arrow_set_pattern(const struct ArrowSchema *schema, cairn_column *column)
{
    static const char clock[] = "%H:%M:%S";
    cairn_arrow_noted_column noted = cairn_arrow_read_notes(schema);
    if (*noted.pattern || cairn_starts_with(schema->format, "tt"))
        cairn_time_fit_pattern(column->pattern, *noted.pattern ? noted.pattern : clock,
                               column->numbers, column->n_rows);
    cairn_column_set_pattern(column);
}

/* Reads the format string of the schema, which decides the kind of the column and the number of
 * buffers that must be there. */
static cairn_status import_column(cairn_context *ctx, cairn_column **out, incoming *in,
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
    if (cairn_same(format, "+l") || cairn_same(format, "+L") || cairn_same(format, "+m") ||
        cairn_starts_with(format, "+w:"))
        return import_lists(ctx, out, in, skipped);
    if (text_format(format, &form)) {
        bool text = cairn_arrow_read_notes(in->schema).kind == CAIRN_TEXT;
        CHECK(check_texts(ctx, in, form, skipped));
        *out = NULL;
        if (!in->keep_text && !text) CHECK(import_levels(ctx, out, in, form));
        if (!*out) CHECK(import_text(ctx, out, in, form));
        if ((*out)->kind == CAIRN_TEXT) (*out)->declared = text;
        return CAIRN_OK;
    }
    bool is_bit = cairn_same(format, "b"),
         is_number = cairn_arrow_number_format(format, &type, &width);
    bool is_decimal = cairn_decimal_format(format, &decimal);
    if (!is_bit && !is_number && !is_decimal && !cairn_arrow_time_format(format, &width, &seconds))
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
    if (cairn_starts_with(format, "tD"))
        return import_numbers(ctx, out, in, CAIRN_NUMBER, 'i', width, seconds);
    CHECK(import_numbers(ctx, out, in, CAIRN_TIME, 'i', width, seconds));
    cairn_arrow_set_pattern(in->schema, *out);
    return CAIRN_OK;
}

/* -- tables -- */

/* The columns of a table, made side by side. `whole` has the array's rows before it that do not
 * count, and what else is the same for all of them. */
typedef struct columns_import {
    const incoming *whole;
    const struct ArrowSchema *const *schemas;
    const struct ArrowArray *const *arrays;
    const char **names;
    cairn_column **columns;
    size_t n, n_rows;
} columns_import;

static cairn_status make_column(cairn_context *ctx, void *data, size_t j)
{
    const columns_import *c = data;
    incoming in = {c->whole->source, c->schemas[j], c->arrays[j],       c->names[j], 0,
                   c->n_rows,        NULL,          c->whole->keep_text};
    return import_column(ctx, &c->columns[j], &in, c->whole->first);
}

static cairn_status name_columns(cairn_context *ctx, const columns_import *c)
{
    for (size_t j = 0; j < c->n; j++) {
        const struct ArrowSchema *schema = c->schemas[j];
        const struct ArrowArray *array = c->arrays[j];
        char *number;
        if (!schema || !array || !schema->format || !schema->release || !array->release)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column %zu of the Arrow array is missing or was released already",
                              j + 1);
        c->names[j] = schema->name;
        if (schema->name && *schema->name) continue;
        enum { LONGEST = 32 };
        CHECK(SCRATCH(ctx, &number, LONGEST));
        snprintf(number, LONGEST, "column%zu", j + 1);
        c->names[j] = number;
    }
    return CAIRN_OK;
}

/* All steps of a column are at most some per row. */
static cairn_status add_columns(cairn_context *ctx, cairn_table *table, columns_import *c)
{
    SCOPED_SCRATCH(ctx);
    cairn_status status;
    CHECK(SCRATCH_EACH(ctx, c->n, &c->names, &c->columns));
    CHECK(name_columns(ctx, c));
    TRY(cairn_tasks_sized(ctx, c->n, (double)c->n * (double)c->n_rows, make_column, c));
    for (size_t j = 0; j < c->n; j++) {
        cairn_role role = cairn_arrow_read_notes(c->schemas[j]).role;
        TRY(cairn_table_name_allowed(ctx, table, c->names[j]));
        TRY(cairn_table_append(ctx, table, c->names[j], role, TAKE(c->columns[j])));
        if (role != CAIRN_FEATURE) table->slots[j].chosen = CAIRN_ROLE_SAID;
    }
done:
    for (size_t j = 0; j < c->n; j++) cairn_column_drop(c->columns[j]);
    return status;
}

static cairn_status add_children(cairn_context *ctx, cairn_table *table, incoming *whole)
{
    const struct ArrowSchema *schema = whole->schema;
    const struct ArrowArray *array = whole->array;
    CHECK(check_array(ctx, whole, 1, 0));
    for (size_t i = 0; whole->valid && i < whole->n; i++)
        if (is_null(whole, i))
            return refuse(ctx, whole, "whole rows are null; leave them out first");
    if (schema->n_children != array->n_children || schema->n_children < 1 || !schema->children ||
        !array->children)
        return refuse(ctx, whole, "it has no children, or not as many as its schema says");
    columns_import c = {.whole = whole,
                        .schemas = (const struct ArrowSchema *const *)schema->children,
                        .arrays = (const struct ArrowArray *const *)array->children,
                        .n = (size_t)schema->n_children,
                        .n_rows = table->n_rows};
    return add_columns(ctx, table, &c);
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
    incoming whole = {source, schema, array, "the table", 0, table->n_rows, NULL, keep_text};
    if (cairn_same(schema->format, "+s") && !schema->dictionary)
        CHECK(add_children(ctx, table, &whole));
    else
        CHECK(add_columns(ctx, table,
                          &(columns_import){.whole = &whole,
                                            .schemas = &schema,
                                            .arrays = &array,
                                            .n = 1,
                                            .n_rows = table->n_rows}));
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
