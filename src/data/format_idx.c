/* SPDX-License-Identifier: MIT */
/* idx: arrays of numbers as the MNIST families of images are published.
 *
 * Two zero bytes, the type of the numbers, the number of dimensions, each dimension as four bytes,
 * then the numbers, the most significant byte first. The first dimension counts the rows; the
 * others are flattened to columns p0, p1, ... A file of one dimension has the column `label`.
 * Beside a file of images the file of its labels is looked for (the same name with "labels" for
 * "images" and "idx1"); when it is there, the table gets the column `label` as its target. */
#include "base/memory.h"
#include "base/text.h"
#include "data/array.h"
#include "data/column.h"
#include "data/format.h"
#include <string.h>
#include <unistd.h>

enum { START = 4, MOST_DIMENSIONS = 255 };

static bool find_type(unsigned char code, cairn_array *array)
{
    static const struct {
        unsigned char code;
        char type;
        size_t width;
    } types[] = {{0x08, 'u', 1}, {0x09, 'i', 1}, {0x0B, 'i', 2},
                 {0x0C, 'i', 4}, {0x0D, 'f', 4}, {0x0E, 'f', 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].code != code) continue;
        array->type = types[i].type;
        array->width = types[i].width;
        return true;
    }
    return false;
}

/* The first dimension counts the rows, all others are multiplied into columns; sizes are big-endian
 * whatever the machine is. */
static cairn_status read_header(cairn_context *ctx, cairn_array *array, cairn_input *input,
                                size_t *n_dimensions)
{
    const char *name = cairn_input_name(input);
    unsigned char start[START], sizes[4 * MOST_DIMENSIONS];
    CHECK(cairn_array_fetch(ctx, input, start, START));
    if (start[0] || start[1] || !start[3])
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: this is not an idx file (see {input-format})",
                          name);
    if (!find_type(start[2], array))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: 0x%02X is not a type of numbers in idx files; fetch the file again",
                          name, start[2]);
    *n_dimensions = start[3];
    CHECK(cairn_array_fetch(ctx, input, sizes, 4 * *n_dimensions));
    array->n_columns = 1;
    for (size_t k = 0; k < *n_dimensions; k++) {
        const unsigned char *at = sizes + 4 * k;
        size_t size = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
        if (k == 0)
            array->n_rows = size;
        else
            array->n_columns = cairn_product(array->n_columns, size);
    }
    return CAIRN_OK;
}

static cairn_status read_array(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               size_t *n_dimensions)
{
    cairn_status status;
    cairn_input *sized, *inner = NULL;
    char *bytes = NULL;
    cairn_array array = {.big = true, .prefix = "p"};
    TRY(cairn_array_sized(ctx, &sized, input, &inner, &bytes));
    TRY(read_header(ctx, &array, sized, n_dimensions));
    TRY(cairn_array_read(ctx, out, sized, START + 4 * *n_dimensions, &array));
done:
    cairn_input_close(inner);
    cairn_free(bytes);
    return status;
}

/* -- labels -- */

/* The path of the labels that belong to a file of images, from scratch; NULL when there is none. */
static cairn_status find_labels(cairn_context *ctx, const char *path, const char **out)
{
    static const char *const endings[] = {"", ".gz", ".zst"};
    char *labels;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *images = strstr(base, "images");
    size_t length = strlen(path);
    *out = NULL;
    if (!images) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &labels, length + sizeof ".zst"));
    memcpy(labels, path, length);
    memcpy(labels + (images - path), "labels", 6);
    char *rank = strstr(labels + (base - path), "idx");
    if (rank && rank[3] >= '2' && rank[3] <= '9') rank[3] = '1';
    for (size_t i = 1; i < 3; i++)
        if (cairn_ends_with(labels, endings[i])) labels[length -= strlen(endings[i])] = 0;
    for (size_t i = 0; i < 3 && !*out; i++) {
        memcpy(labels + length, endings[i], strlen(endings[i]) + 1);
        if (access(labels, R_OK) == 0) *out = labels;
    }
    return CAIRN_OK;
}

/* Labels are a file of their own beside the images; it belongs to them only if it has one label for
 * each. */
static cairn_status add_labels(cairn_context *ctx, cairn_table *table, const char *path)
{
    cairn_status status;
    cairn_input *input = NULL;
    cairn_table *labels = NULL;
    size_t n_dimensions;
    TRY(cairn_input_open(ctx, &input, path));
    TRY(read_array(ctx, &labels, input, &n_dimensions));
    if (labels->n_columns != 1 || labels->n_rows != table->n_rows)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                       "%s: labels of %zu rows and %zu columns do not belong to %zu images; move "
                       "one of the files away",
                       path, labels->n_rows, labels->n_columns, table->n_rows));
    TRY(cairn_table_append(ctx, table, "label", CAIRN_TARGET,
                           cairn_column_hold(labels->slots[0].column)));
done:
    cairn_table_free(labels);
    cairn_input_close(input);
    return status;
}

static cairn_status read_idx(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char *labels;
    size_t n_dimensions;
    (void)options;
    CHECK(read_array(ctx, &table, input, &n_dimensions));
    if (n_dimensions == 1) {
        CHECK(cairn_table_rename(ctx, table, table->slots[0].name, "label"));
    } else {
        CHECK(find_labels(ctx, cairn_input_name(input), &labels));
        if (labels) CHECK(add_labels(ctx, table, labels));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

static bool detect_idx(const char *name, const char *head, size_t n)
{
    cairn_array array;
    (void)name;
    return n >= START && !head[0] && !head[1] && head[3] >= 1 && head[3] <= 8 &&
           find_type((unsigned char)head[2], &array);
}

const cairn_data_format cairn_idx_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "idx",
            .also = "MNIST",
            .title = "Images and labels of the MNIST families",
            .summary = "An array of numbers of any number of dimensions; the first counts the "
                       "rows, the others become columns p0, p1, ... A file of labels has one "
                       "column, label. When the file of labels lies beside a file of images under "
                       "its usual name, the column label is added as the target.",
            .example = "cairn describe train-images-idx3-ubyte.gz",
        },
    .extensions = "idx",
    .detect = detect_idx,
    .read = read_idx,
};
