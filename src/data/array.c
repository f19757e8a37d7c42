/* SPDX-License-Identifier: MIT */
/* Arrays of binary numbers, read in blocks that fit the cache and spread over the columns. */
#include "data/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

cairn_status cairn_array_fetch(cairn_context *ctx, cairn_input *input, void *out, size_t size)
{
    size_t n = 0, got;
    while (n < size) {
        cairn_status status = cairn_input_read(ctx, input, (char *)out + n, size - n, &got);
        if (status) return status;
        if (got == 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: the file is cut short; fetch or write it again",
                              cairn_input_name(input));
        n += got;
    }
    return CAIRN_OK;
}

cairn_status cairn_array_sized(cairn_context *ctx, cairn_input **use, cairn_input *input,
                               cairn_input **inner, char **bytes)
{
    size_t length;
    *use = input;
    *inner = NULL;
    *bytes = NULL;
    if (cairn_input_size(input) >= 0) return CAIRN_OK;
    CHECK(cairn_input_read_all(ctx, input, bytes, &length));
    CHECK(cairn_input_memory(ctx, inner, cairn_input_name(input), *bytes, length));
    *use = *inner;
    return CAIRN_OK;
}

/* -- from bytes to numbers, `stride` bytes apart -- */

#define DECODER(NAME, TYPE)                                                                        \
    static void NAME(double *out, const char *in, size_t stride, size_t n)                         \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            TYPE value;                                                                            \
            memcpy(&value, in + i * stride, sizeof value);                                         \
            out[i] = (double)value;                                                                \
        }                                                                                          \
    }

DECODER(decode_i1, int8_t)
DECODER(decode_i2, int16_t)
DECODER(decode_i4, int32_t)
DECODER(decode_i8, int64_t)
DECODER(decode_u1, uint8_t)
DECODER(decode_u2, uint16_t)
DECODER(decode_u4, uint32_t)
DECODER(decode_u8, uint64_t)
DECODER(decode_f4, float)
DECODER(decode_f8, double)

static void decode_b1(double *out, const char *in, size_t stride, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = in[i * stride] != 0;
}

static void decode_f2(double *out, const char *in, size_t stride, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, in + i * stride, sizeof bits);
        /* Half precision: 1 bit sign, 5 bits exponent, 10 bits fraction. */
        int exponent = bits >> 10 & 31, fraction = bits & 1023;
        double size;
        if (exponent == 31)
            size = fraction ? NAN : INFINITY;
        else if (exponent == 0)
            size = ldexp(fraction, -24);
        else
            size = ldexp(1024 + fraction, exponent - 25);
        out[i] = bits >> 15 ? -size : size;
    }
}

cairn_decoder cairn_array_decoder(char type, size_t width)
{
    static const struct {
        char type;
        size_t width;
        cairn_decoder decode;
    } decoders[] = {
        {'b', 1, decode_b1}, {'i', 1, decode_i1}, {'i', 2, decode_i2}, {'i', 4, decode_i4},
        {'i', 8, decode_i8}, {'u', 1, decode_u1}, {'u', 2, decode_u2}, {'u', 4, decode_u4},
        {'u', 8, decode_u8}, {'f', 2, decode_f2}, {'f', 4, decode_f4}, {'f', 8, decode_f8},
    };
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
        if (decoders[i].type == type && decoders[i].width == width) return decoders[i].decode;
    return NULL;
}

static bool is_foreign(const cairn_array *array)
{
    uint16_t one = 1;
    bool host_is_big = *(const unsigned char *)&one == 0;
    return array->width > 1 && array->big != host_is_big;
}

/* -- the table -- */

/* The size of the file must be what the header declares, neither less nor more, before memory is
 * taken for it; a compressed file is read whole, so its size is known, too. */
static cairn_status check_size(cairn_context *ctx, cairn_input *input, size_t offset,
                               const cairn_array *array)
{
    const char *name = cairn_input_name(input);
    size_t numbers = cairn_product(array->n_rows, array->n_columns);
    size_t expected = cairn_product(numbers, array->width);
    size_t size = (size_t)cairn_input_size(input);
    size_t there = size > offset ? size - offset : 0;
    if (array->n_rows == 0 || array->n_columns == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the array of %zu x %zu has no numbers", name,
                          array->n_rows, array->n_columns);
    if (there < expected)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s: the file is cut short: an array of %zu x %zu numbers of %zu bytes is "
            "declared and %zu bytes are there; fetch or write it again",
            name, array->n_rows, array->n_columns, array->width, there);
    if (there > expected)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: %zu bytes follow the array; keep one array in a file", name,
                          there - expected);
    return CAIRN_OK;
}

static cairn_status check_memory(cairn_context *ctx, const char *name, const cairn_array *array)
{
    enum { COLUMN_COST = 400 };
    cairn_text what = cairn_text_start(ctx);
    cairn_text_addf(&what, "%s: a table of %zu rows and %zu columns", name, array->n_rows,
                    array->n_columns);
    double bytes =
        (double)array->n_columns * ((double)array->n_rows * (double)sizeof(double) + COLUMN_COST);
    cairn_status status = cairn_text_status(&what);
    if (!status)
        status = cairn_memory_check(ctx, bytes, what.bytes,
                                    cairn_say(ctx, "raise {memory} or use a smaller file"));
    cairn_text_clear(&what);
    return status;
}

/* All columns lie in one block, since there may be thousands of them; the table takes them. */
static cairn_status make_columns(cairn_context *ctx, cairn_table *table, const cairn_array *array)
{
    cairn_column **columns;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &columns, array->n_columns));
    CHECK(cairn_columns_new(ctx, columns, array->n_columns, array->n_rows, true));
    return cairn_table_append_all(ctx, table, columns, array->n_columns, NULL, array->prefix,
                                  array->first);
}

/* Rows of a block in one column: finite numbers or missing, and not rounded without a word. */
static cairn_status check_values(cairn_context *ctx, const char *name, const cairn_slot *slot,
                                 size_t first, size_t n, bool *rounded)
{
    const double *numbers = slot->column->numbers + first;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double size = fabs(numbers[i]);
        if (size > largest) largest = size;
    }
    if (largest > 9007199254740992.0) *rounded = true;
    if (!isinf(largest)) return CAIRN_OK;
    size_t i = 0;
    while (!isinf(numbers[i])) i++;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s, row %zu, column '%s': the number is infinite; replace it before reading",
                      name, first + i + 1, slot->name);
}

typedef struct block_reader {
    cairn_table *table;
    cairn_input *input;
    const cairn_array *array;
    cairn_decoder decode;
    char *block;
    size_t block_numbers; /* that the block has room for */
    bool rounded;         /* whole numbers beyond 2^53 were seen */
} block_reader;

static cairn_status fetch_numbers(cairn_context *ctx, block_reader *r, size_t n)
{
    size_t width = r->array->width;
    cairn_status status = cairn_array_fetch(ctx, r->input, r->block, n * width);
    if (!status && is_foreign(r->array)) {
        /* Turn the bytes of every number round. */
        char *bytes = r->block;
        for (size_t i = 0; i < n; i++) {
            char *number = bytes + i * width;
            for (size_t a = 0, b = width - 1; a < b; a++, b--) {
                char kept = number[a];
                number[a] = number[b];
                number[b] = kept;
            }
        }
    }
    return status;
}

static cairn_status read_rows(cairn_context *ctx, block_reader *r)
{
    const cairn_array *array = r->array;
    size_t d = array->n_columns, most = r->block_numbers / d;
    for (size_t first = 0; first < array->n_rows; first += most) {
        size_t n = array->n_rows - first < most ? array->n_rows - first : most;
        CHECK(fetch_numbers(ctx, r, n * d));
        for (size_t j = 0; j < d; j++) {
            const cairn_slot *slot = &r->table->slots[j];
            r->decode(slot->column->numbers + first, r->block + j * array->width, d * array->width,
                      n);
            CHECK(check_values(ctx, cairn_input_name(r->input), slot, first, n, &r->rounded));
        }
        CHECK(cairn_tick(ctx, "reading", (double)first, (double)array->n_rows));
    }
    return CAIRN_OK;
}

static cairn_status read_columns(cairn_context *ctx, block_reader *r)
{
    const cairn_array *array = r->array;
    size_t most = r->block_numbers;
    for (size_t j = 0; j < array->n_columns; j++) {
        const cairn_slot *slot = &r->table->slots[j];
        for (size_t first = 0; first < array->n_rows; first += most) {
            size_t n = array->n_rows - first < most ? array->n_rows - first : most;
            CHECK(fetch_numbers(ctx, r, n));
            r->decode(slot->column->numbers + first, r->block, array->width, n);
            CHECK(check_values(ctx, cairn_input_name(r->input), slot, first, n, &r->rounded));
        }
        CHECK(cairn_tick(ctx, "reading", (double)j, (double)array->n_columns));
    }
    return CAIRN_OK;
}

/* Counts of a unit become seconds; parts of a second are divided, which rounds once. */
static void make_times(cairn_column *column, double seconds)
{
    double per_second = seconds < 1 ? round(1 / seconds) : 1;
    double unit = seconds < 1 ? 1 : seconds;
    for (size_t i = 0; i < column->n_rows; i++) {
        double count = column->numbers[i];
        column->numbers[i] = count <= (double)INT64_MIN ? NAN : count * unit / per_second;
    }
    column->kind = CAIRN_TIME;
    cairn_column_set_pattern(column);
}

/* The array is read in blocks of bounded size; whole numbers that no double holds are warned of. */
static cairn_status read_numbers(cairn_context *ctx, block_reader *r)
{
    SCOPED_SCRATCH(ctx);
    const cairn_array *array = r->array;
    size_t all = cairn_product(array->n_rows, array->n_columns);
    r->block_numbers = BLOCK_BYTES / array->width;
    if (r->block_numbers > all) r->block_numbers = all;
    if (!array->by_column && r->block_numbers < array->n_columns)
        r->block_numbers = array->n_columns;
    CHECK(SCRATCH_RAW(ctx, &r->block, cairn_product(r->block_numbers, array->width)));
    CHECK(array->by_column ? read_columns(ctx, r) : read_rows(ctx, r));
    for (size_t j = 0; array->seconds > 0 && j < array->n_columns; j++)
        make_times(r->table->slots[j].column, array->seconds);
    if (r->rounded && array->type != 'f' && !(array->seconds > 0))
        cairn_warn(ctx, "%s: whole numbers beyond 2^53 were rounded to the nearest double",
                   cairn_input_name(r->input));
    for (size_t j = 0; j < array->n_columns; j++)
        cairn_column_count_missing(r->table->slots[j].column);
    return CAIRN_OK;
}

cairn_status cairn_array_read(cairn_context *ctx, cairn_table **out, cairn_input *input,
                              size_t offset, const cairn_array *array)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    block_reader r = {
        .input = input, .array = array, .decode = cairn_array_decoder(array->type, array->width)};
    if (!r.decode)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: numbers of type %c%zu cannot be read",
                          cairn_input_name(input), array->type, array->width);
    CHECK(check_size(ctx, input, offset, array));
    CHECK(check_memory(ctx, cairn_input_name(input), array));
    CHECK(cairn_table_new(ctx, &table, array->n_rows));
    CHECK(make_columns(ctx, table, array));
    r.table = table;
    CHECK(read_numbers(ctx, &r));
    *out = TAKE(table);
    return CAIRN_OK;
}
