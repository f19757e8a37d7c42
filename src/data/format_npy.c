/* SPDX-License-Identifier: MIT */
/* npy: one array of numbers as NumPy saves it (versions 1 to 3 of the format).
 *
 * A file is a magic word, a version, the length of a header, the header, and the numbers. The
 * header is a Python dictionary with the type of the numbers, their order and the shape. A shape of
 * one dimension gives one column, of two the columns of the matrix, named column1, column2, ... */
#include "base/memory.h"
#include "base/text.h"
#include "data/array.h"
#include "data/format.h"
#include "data/shape.h"
#include <string.h>

enum { MAGIC_LENGTH = 6, LONGEST_HEADER = 1 << 20, HEADER_ALIGNMENT = 64, WRITE_BYTES = 1 << 18 };

static const char magic[MAGIC_LENGTH + 1] = "\x93NUMPY";

/* The header's text, and where the parser stands in it. */
typedef struct header {
    const char *file;
    const char *at, *end;
    cairn_array array;
    size_t n_dimensions;
    bool has_type, has_order, has_shape;
} header;

static cairn_status refuse(cairn_context *ctx, const header *h, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the npy header is damaged: %s", h->file, what);
}

static void skip_blanks(header *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n' || *h->at == '\t')) h->at++;
}

/* Go past the byte if it stands next. */
static bool take(header *h, char c)
{
    skip_blanks(h);
    if (h->at == h->end || *h->at != c) return false;
    h->at++;
    return true;
}

static bool take_word(header *h, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(h);
    if ((size_t)(h->end - h->at) < n || memcmp(h->at, word, n) != 0) return false;
    h->at += n;
    return true;
}

/* A string in single or double quotes, without escapes. */
static bool take_string(header *h, const char **text, size_t *length)
{
    skip_blanks(h);
    if (h->at == h->end || (*h->at != '\'' && *h->at != '"')) return false;
    char quote = *h->at++;
    const char *close = memchr(h->at, quote, (size_t)(h->end - h->at));
    if (!close) return false;
    *text = h->at;
    *length = (size_t)(close - h->at);
    h->at = close + 1;
    return true;
}

/* "<M8[ns]": times in a unit; 0 when it is another type, or one of months and years. */
static double time_unit(const char *text, size_t length)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"[W]", 604800}, {"[D]", 86400}, {"[h]", 3600},  {"[m]", 60},
                 {"[s]", 1},      {"[ms]", 1e-3}, {"[us]", 1e-6}, {"[ns]", 1e-9}};
    if (length < 6 || !memchr("<>=", text[0], 3) || memcmp(text + 1, "M8", 2) != 0) return 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (length - 3 == strlen(units[i].name) && memcmp(text + 3, units[i].name, length - 3) == 0)
            return units[i].seconds;
    return 0;
}

/* Decides from `descr` how numbers are decoded; times are whole numbers of a unit. What is not a
 * plain number is refused with what to save instead. */
static cairn_status read_type(cairn_context *ctx, header *h)
{
    const char *text;
    size_t length;
    skip_blanks(h);
    if (h->at < h->end && *h->at == '[')
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the array is structured (it has named fields); save its fields as "
                          "columns of a plain array, or as csv",
                          h->file);
    if (!take_string(h, &text, &length)) return refuse(ctx, h, "descr is not text");
    h->array.seconds = time_unit(text, length);
    bool time = h->array.seconds > 0;
    bool ordered = length == 3 && memchr("<>|=", text[0], 4);
    char width = ordered ? text[2] : 0;
    bool known = ordered &&
                 ((memchr("iu", text[1], 2) && memchr("1248", width, 4)) ||
                  (text[1] == 'f' && memchr("248", width, 3)) || (text[1] == 'b' && width == '1'));
    if (!known && !time)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s: numbers of type '%.*s' cannot be read; save the array as float64 "
            "(or any bool, int, uint, float16, float32 or datetime64 of weeks to nanoseconds)",
            h->file, (int)(length < 40 ? length : 40), text);
    h->array.type = time ? 'i' : text[1];
    h->array.width = time ? 8 : (size_t)(width - '0');
    h->array.big = text[0] == '>';
    h->has_type = true;
    return CAIRN_OK;
}

static cairn_status read_order(cairn_context *ctx, header *h)
{
    h->array.by_column = take_word(h, "True");
    if (!h->array.by_column && !take_word(h, "False"))
        return refuse(ctx, h, "fortran_order is neither True nor False");
    h->has_order = true;
    return CAIRN_OK;
}

static bool take_size(header *h, size_t *out)
{
    size_t value = 0;
    skip_blanks(h);
    const char *from = h->at;
    for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++) {
        size_t digit = (size_t)(*h->at - '0');
        if (value > (SIZE_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    if (h->at == from) return false;
    take(h, 'L'); /* written by Python 2 */
    *out = value;
    return true;
}

/* All dimensions are read even if there are too many, so that the message can tell how many there
 * are. */
static cairn_status read_shape(cairn_context *ctx, header *h)
{
    size_t sizes[2] = {1, 1};
    if (!take(h, '(')) return refuse(ctx, h, "shape is not a tuple");
    while (!take(h, ')')) {
        size_t size;
        if (!take_size(h, &size)) return refuse(ctx, h, "shape holds no sizes that fit");
        if (h->n_dimensions < 2) sizes[h->n_dimensions] = size;
        h->n_dimensions++;
        if (take(h, ',')) continue;
        if (!take(h, ')')) return refuse(ctx, h, "shape does not end");
        break;
    }
    if (h->n_dimensions < 1 || h->n_dimensions > 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the array has %zu dimensions; a table has one or two: reshape it to "
                          "rows and columns first",
                          h->file, h->n_dimensions);
    h->array.n_rows = sizes[0];
    h->array.n_columns = sizes[1];
    h->has_shape = true;
    return CAIRN_OK;
}

/* The header is a Python dictionary, of which only this fixed form is understood: three keys in any
 * order, a comma at the end or not. */
static cairn_status parse_header(cairn_context *ctx, header *h)
{
    if (!take(h, '{')) return refuse(ctx, h, "it does not begin with {");
    while (!take(h, '}')) {
        const char *key;
        size_t length;
        if (!take_string(h, &key, &length) || !take(h, ':'))
            return refuse(ctx, h, "a key is expected");
        if (length == 5 && memcmp(key, "descr", 5) == 0)
            CHECK(read_type(ctx, h));
        else if (length == 13 && memcmp(key, "fortran_order", 13) == 0)
            CHECK(read_order(ctx, h));
        else if (length == 5 && memcmp(key, "shape", 5) == 0)
            CHECK(h->has_shape ? refuse(ctx, h, "shape stands twice") : read_shape(ctx, h));
        else
            return refuse(ctx, h, "it has an unknown key");
        if (take(h, ',')) continue;
        if (!take(h, '}')) return refuse(ctx, h, "a comma is missing");
        break;
    }
    if (!h->has_type || !h->has_order || !h->has_shape)
        return refuse(ctx, h, "it needs descr, fortran_order and shape");
    return CAIRN_OK;
}

/* Magic, version and header; leaves the input at the first number. */
static cairn_status read_header(cairn_context *ctx, header *h, cairn_input *input, size_t *offset)
{
    unsigned char start[MAGIC_LENGTH + 6];
    char *text;
    CHECK(cairn_array_fetch(ctx, input, start, MAGIC_LENGTH + 2));
    if (memcmp(start, magic, MAGIC_LENGTH) != 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: this is not an npy file (see {input-format})",
                          h->file);
    unsigned version = start[MAGIC_LENGTH];
    if (version < 1 || version > 3)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: version %u of the npy format is not known; save the array again",
                          h->file, version);
    size_t n_sizes = version == 1 ? 2 : 4, length = 0;
    CHECK(cairn_array_fetch(ctx, input, start + MAGIC_LENGTH + 2, n_sizes));
    for (size_t i = n_sizes; i-- > 0;) length = length << 8 | start[MAGIC_LENGTH + 2 + i];
    if (length > LONGEST_HEADER) return refuse(ctx, h, "it is longer than a megabyte");
    CHECK(SCRATCH_RAW(ctx, &text, length + 1));
    CHECK(cairn_array_fetch(ctx, input, text, length));
    h->at = text;
    h->end = text + length;
    *offset = MAGIC_LENGTH + 2 + n_sizes + length;
    return parse_header(ctx, h);
}

static cairn_status read_npy(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    cairn_status status;
    cairn_input *sized, *inner = NULL;
    char *bytes = NULL;
    size_t offset;
    header h = {.file = cairn_input_name(input), .array = {.prefix = "column", .first = 1}};
    (void)options;
    TRY(cairn_array_sized(ctx, &sized, input, &inner, &bytes));
    TRY(read_header(ctx, &h, sized, &offset));
    TRY(cairn_array_read(ctx, out, sized, offset, &h.array));
done:
    cairn_input_close(inner);
    cairn_free(bytes);
    return status;
}

static bool detect_npy(const char *name, const char *head, size_t n)
{
    (void)name;
    return n >= MAGIC_LENGTH && memcmp(head, magic, MAGIC_LENGTH) == 0;
}

/* -- writing -- */

static cairn_status check_columns(cairn_context *ctx, const cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->column->kind == CAIRN_NUMBER) continue;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (%s): npy holds numbers only; make numbers of it ({with "
                          "indicators}), leave it out, or write csv",
                          slot->name, cairn_kind_name(slot->column->kind));
    }
    if (table->n_columns == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "the table has no column to write as npy");
    return CAIRN_OK;
}

/* Distances that are no matrix are the list of all pairs, which others know as an array of one
 * dimension. */
static bool is_condensed(const cairn_table *table)
{
    return table->shape == CAIRN_SHAPE_DISTANCES && table->n_columns == 1;
}

/* Blanks fill the header up to the alignment that readers map the numbers by; its length is known
 * only then and is put in afterwards. */
static cairn_status write_header(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    cairn_text text = cairn_text_start(ctx);
    uint16_t one = 1;
    char order = *(const unsigned char *)&one ? '<' : '>';
    cairn_text_add_bytes(&text, magic, MAGIC_LENGTH);
    cairn_text_add_bytes(&text, "\1\0\0\0", 4);
    cairn_text_addf(&text, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%zu,", order,
                    table->n_rows);
    if (!is_condensed(table)) cairn_text_addf(&text, " %zu", table->n_columns);
    cairn_text_add(&text, "), }");
    while (text.length % HEADER_ALIGNMENT != HEADER_ALIGNMENT - 1 && !text.status)
        cairn_text_add_char(&text, ' ');
    cairn_text_add_char(&text, '\n');
    cairn_status status = cairn_text_status(&text);
    if (!status) {
        size_t length = text.length - MAGIC_LENGTH - 4;
        text.bytes[MAGIC_LENGTH + 2] = (char)(length & 255);
        text.bytes[MAGIC_LENGTH + 3] = (char)(length >> 8);
        status = cairn_output_write(ctx, file, text.bytes, text.length);
    }
    cairn_text_clear(&text);
    return status;
}

/* Rows are put together in blocks, since a table holds columns; a single column is written as it
 * lies. */
static cairn_status write_numbers(cairn_context *ctx, const cairn_table *table,
                                  cairn_output_file *file)
{
    SCOPED_SCRATCH(ctx);
    size_t d = table->n_columns, most = WRITE_BYTES / sizeof(double) / d;
    double *block;
    if (most > table->n_rows) most = table->n_rows;
    if (most == 0) most = 1;
    CHECK(SCRATCH_RAW(ctx, &block, cairn_product(most, d)));
    for (size_t first = 0; first < table->n_rows; first += most) {
        size_t n = table->n_rows - first < most ? table->n_rows - first : most;
        const double *rows = d == 1 ? table->slots[0].column->numbers + first : block;
        for (size_t j = 0; d > 1 && j < d; j++) {
            const double *numbers = table->slots[j].column->numbers + first;
            for (size_t i = 0; i < n; i++) block[i * d + j] = numbers[i];
        }
        CHECK(cairn_output_write(ctx, file, rows, n * d * sizeof *rows));
        CHECK(cairn_tick(ctx, "writing", (double)first, (double)table->n_rows));
    }
    return CAIRN_OK;
}

static cairn_status write_npy(cairn_context *ctx, const cairn_table *table, cairn_output_file *file)
{
    CHECK(check_columns(ctx, table));
    CHECK(write_header(ctx, table, file));
    return write_numbers(ctx, table, file);
}

const cairn_data_format cairn_npy_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "npy",
            .also = "NumPy",
            .title = "One array of numbers, as NumPy saves it",
            .summary = "An array of one or two dimensions of truth values, whole numbers or reals "
                       "of any width, byte order and order of dimensions. Its columns become "
                       "number columns called column1, column2, ...; not-a-number is missing. "
                       "Tables of numbers are written as a matrix of float64, without their names.",
            .example = "cairn convert @iris iris.npy --ignore species",
        },
    .extensions = "npy",
    .detect = detect_npy,
    .read = read_npy,
    .write = write_npy,
};
