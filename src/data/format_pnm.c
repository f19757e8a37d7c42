/* SPDX-License-Identifier: MIT */
/* PBM and PGM pictures, in letters (P1, P2) or bytes (P4, P5), and grids of text.
 *
 * Every picture is a row; its pixels, row by row, are the columns p0, p1, ... as in idx files. A
 * file may hold several pictures of one size, one behind the other. In PBM a 1 is black, which is
 * ink; PGM holds grey values from 0 (black) to what its header says. In a grid every line is a row
 * of pixels; '#', '*', '@', 'X', 'x' and '1' are ink, '.', '-', '_', ' ' and '0' are not, and empty
 * lines stand between pictures.
 *
 * PPM pictures in colour (P3, P6) are tables of pixels: a row for each, with its place and colour.
 */
#include "base/file.h"
#include "base/memory.h"
#include "data/column.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/pictures.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PIXELS = 1 << 26 };

void cairn_pictures_clear(cairn_pictures *pictures)
{
    cairn_free(pictures->pixels);
    *pictures = (cairn_pictures){0};
}

cairn_status cairn_pictures_table(cairn_context *ctx, cairn_table **out, const char *name,
                                  const cairn_pictures *p)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t n_pixels = p->width * p->height;
    char column_name[32];
    if (p->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no picture in it", name);
    CHECK(cairn_memory_check(ctx, (double)n_pixels * (256 + 8 * (double)p->n),
                             "a column for every pixel", "make the pictures smaller"));
    CHECK(cairn_table_new(ctx, &table, p->n));
    for (size_t k = 0; k < n_pixels; k++) {
        cairn_column *column;
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, p->n));
        for (size_t i = 0; i < p->n; i++) column->numbers[i] = p->pixels[i * n_pixels + k];
        snprintf(column_name, sizeof column_name, "p%zu", k);
        CHECK(cairn_table_append(ctx, table, column_name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Room for one more picture of that size, which the caller fills. */
static cairn_status add_picture(cairn_context *ctx, cairn_pictures *p, const char *name,
                                size_t width, size_t height, double **out)
{
    size_t n_pixels = width * height;
    if (p->n && (width != p->width || height != p->height))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s: picture %zu is %zu x %zu pixels large, those before %zu x %zu; bring "
            "them to one size",
            name, p->n + 1, width, height, p->width, p->height);
    CHECK(GROW(ctx, &p->pixels, &p->capacity, (p->n + 1) * n_pixels));
    *out = p->pixels + p->n * n_pixels;
    p->width = width;
    p->height = height;
    p->n++;
    return CAIRN_OK;
}

/* -- PBM and PGM -- */

typedef struct pnm_cursor {
    cairn_context *ctx;
    const char *name, *begin, *at, *end;
} pnm_cursor;

static cairn_status refuse(const pnm_cursor *c, const char *what)
{
    return cairn_fail(c->ctx, CAIRN_BAD_DATA, "%s, byte %zu: %s", c->name,
                      (size_t)(c->at - c->begin), what);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Blanks and comments, which go from # to the end of the line. */
static void skip_blanks(pnm_cursor *c)
{
    while (c->at < c->end) {
        if (*c->at == '#')
            while (c->at < c->end && *c->at != '\n') c->at++;
        else if (is_blank(*c->at))
            c->at++;
        else
            break;
    }
}

static cairn_status read_number(pnm_cursor *c, size_t most, size_t *out)
{
    size_t value = 0;
    skip_blanks(c);
    if (c->at == c->end) return refuse(c, "the file is cut short; fetch or write it again");
    if (*c->at < '0' || *c->at > '9') return refuse(c, "a number is needed here");
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        value = value * 10 + (size_t)(*c->at - '0');
        if (value > most) return refuse(c, "this number is too large for a PBM or PGM file");
    }
    *out = value;
    return CAIRN_OK;
}

/* Pixels written as numbers; in P1 the digits may stand side by side. */
static cairn_status read_letters(pnm_cursor *c, double *pixels, size_t n, bool bits, size_t most)
{
    for (size_t k = 0; k < n; k++) {
        size_t value = 0;
        if (!bits) {
            CHECK(read_number(c, most, &value));
        } else {
            skip_blanks(c);
            if (c->at == c->end) return refuse(c, "the file is cut short; write it again");
            if (*c->at != '0' && *c->at != '1') return refuse(c, "a pixel must be 0 or 1");
            value = (size_t)(*c->at++ - '0');
        }
        pixels[k] = (double)value;
    }
    return CAIRN_OK;
}

/* Pixels written as bits (rows begin at a byte), bytes or pairs of bytes. */
static cairn_status read_bytes(pnm_cursor *c, double *pixels, size_t width, size_t height,
                               bool bits, size_t most)
{
    const unsigned char *at = (const unsigned char *)c->at;
    size_t step = most > 255 ? 2 : 1, stride = bits ? (width + 7) / 8 : width * step;
    for (size_t y = 0; y < height; y++, at += stride)
        for (size_t x = 0; x < width; x++) {
            size_t value = bits        ? at[x / 8] >> (7 - x % 8) & 1U
                           : step == 1 ? at[x]
                                       : (size_t)at[2 * x] << 8 | at[2 * x + 1];
            if (value > most) return refuse(c, "a pixel is larger than the header allows");
            pixels[y * width + x] = (double)value;
        }
    c->at = (const char *)at;
    return CAIRN_OK;
}

/* Whether the rest of the file can hold so many pixels; before memory is taken. */
static bool has_buffer(const pnm_cursor *c, char kind, size_t width, size_t height, size_t most)
{
    size_t left = (size_t)(c->end - c->at), n = width * height;
    if (kind == '1') return left >= n;
    if (kind == '2') return left >= 2 * n - 1;
    if (kind == '4') return left >= (width + 7) / 8 * height;
    return left >= n * (most > 255 ? 2 : 1);
}

/* Behind the two letters: the size, the largest value where there is one, and for bytes one blank.
 */
static cairn_status read_header(pnm_cursor *c, char kind, size_t *width, size_t *height,
                                size_t *most)
{
    bool bits = kind == '1' || kind == '4';
    c->at += 2;
    *most = 1;
    CHECK(read_number(c, 1 << 20, width));
    CHECK(read_number(c, 1 << 20, height));
    if (!bits) CHECK(read_number(c, 65535, most));
    if (*width == 0 || *height == 0 || *most == 0 || *width * *height > MOST_PIXELS)
        return refuse(c, "width, height and largest value must be at least 1, and the picture at "
                         "most 64 million pixels large");
    if (kind >= '4' && c->at < c->end) c->at++;
    return CAIRN_OK;
}

/* The size is checked against the bytes that are left before memory is taken; letters (P1, P2) and
 * bytes (P4, P5) share the header. */
static cairn_status read_picture(pnm_cursor *c, cairn_pictures *out)
{
    size_t width, height, most;
    double *pixels;
    if (!cairn_pnm_detect(c->at, (size_t)(c->end - c->at)))
        return refuse(c, "a picture should begin here with P1, P2, P4 or P5 (PBM or PGM)");
    char kind = c->at[1];
    bool bits = kind == '1' || kind == '4';
    CHECK(read_header(c, kind, &width, &height, &most));
    if (!has_buffer(c, kind, width, height, most))
        return refuse(c, "the file is cut short: there are fewer pixels than the header says");
    CHECK(add_picture(c->ctx, out, c->name, width, height, &pixels));
    if (kind < '4')
        CHECK(read_letters(c, pixels, width * height, bits, most));
    else
        CHECK(read_bytes(c, pixels, width, height, bits, most));
    return CAIRN_OK;
}

bool cairn_pnm_detect(const char *head, size_t n)
{
    return n >= 3 && head[0] == 'P' &&
           (head[1] == '1' || head[1] == '2' || head[1] == '4' || head[1] == '5') &&
           (is_blank(head[2]) || head[2] == '#');
}

cairn_status cairn_pnm_parse(cairn_context *ctx, cairn_pictures *out, const char *name,
                             const char *bytes, size_t length)
{
    pnm_cursor c = {ctx, name, bytes, bytes, bytes + length};
    do {
        CHECK(read_picture(&c, out));
        while (c.at < c.end && is_blank(*c.at)) c.at++;
    } while (c.at < c.end);
    return CAIRN_OK;
}

static cairn_status read_pnm(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    (void)options;
    SCOPED(cairn_pictures_clear) cairn_pictures pictures = {0};
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    CHECK(cairn_input_read_all(ctx, input, &bytes, &length));
    CHECK(cairn_pnm_parse(ctx, &pictures, cairn_input_name(input), bytes, length));
    return cairn_pictures_table(ctx, out, cairn_input_name(input), &pictures);
}

static bool detect_pnm(const char *name, const char *head, size_t n)
{
    (void)name;
    return cairn_pnm_detect(head, n);
}

const cairn_data_format cairn_pnm_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "pnm",
            .also = "PGM, PBM, image files",
            .title = "PBM and PGM pictures",
            .summary = "Black and white (PBM) or grey (PGM) pictures, in letters or bytes. A "
                       "picture is a row, its pixels are the columns p0, p1, ... row by row; a "
                       "file may hold several pictures of one size. In PBM ink is 1.",
            .example = "cairn describe digit.pgm",
        },
    .extensions = "pbm pgm pnm",
    .detect = detect_pnm,
    .read = read_pnm,
};

/* -- PPM: a row for every pixel -- */

static const char *const pixel_columns[] = {"x", "y", "red", "green", "blue"};
enum { PIXEL_COLUMNS = 5 };

static bool detect_ppm(const char *name, const char *head, size_t n)
{
    (void)name;
    return n >= 3 && head[0] == 'P' && (head[1] == '3' || head[1] == '6') &&
           (is_blank(head[2]) || head[2] == '#');
}

static cairn_status pixel_table(cairn_context *ctx, cairn_table **out, const double *pixels,
                                size_t width, size_t height)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t n = width * height;
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t k = 0; k < PIXEL_COLUMNS; k++) {
        cairn_column *column;
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, n));
        for (size_t i = 0; i < n; i++) {
            size_t place = k == 0 ? i % width : i / width;
            column->numbers[i] = k < 2 ? (double)place : pixels[3 * i + k - 2];
        }
        CHECK(cairn_table_append(ctx, table, pixel_columns[k], CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Three numbers for every pixel; the file holds one picture. */
static cairn_status read_ppm(cairn_context *ctx, cairn_table **out, cairn_input *input,
                             const cairn_read_options *options)
{
    (void)options;
    OWNED(cairn_free) char *bytes = NULL;
    OWNED(cairn_free) double *pixels = NULL;
    size_t length, width, height, most;
    CHECK(cairn_input_read_all(ctx, input, &bytes, &length));
    pnm_cursor c = {ctx, cairn_input_name(input), bytes, bytes, bytes + length};
    if (!detect_ppm(NULL, bytes, length)) return refuse(&c, "a PPM picture begins with P3 or P6");
    char kind = bytes[1] == '3' ? '2' : '5';
    CHECK(read_header(&c, bytes[1], &width, &height, &most));
    if (!has_buffer(&c, kind, 3 * width, height, most))
        return refuse(&c, "the file is cut short: there are fewer pixels than the header says");
    CHECK(cairn_memory_check(ctx, 64.0 * (double)width * (double)height, "the pixels",
                             "make the picture smaller"));
    CHECK(NEW_RAW(ctx, &pixels, 3 * width * height));
    if (kind == '2')
        CHECK(read_letters(&c, pixels, 3 * width * height, false, most));
    else
        CHECK(read_bytes(&c, pixels, 3 * width, height, false, most));
    while (c.at < c.end && is_blank(*c.at)) c.at++;
    if (c.at < c.end) return refuse(&c, "something follows the picture; a file holds one");
    return pixel_table(ctx, out, pixels, width, height);
}

/* A picture that is written: the size, and which row holds each pixel. */
typedef struct drawn {
    const double *columns[PIXEL_COLUMNS];
    size_t n, width, height;
    uint32_t *places; /* width x height */
    size_t most;
} drawn;

static bool is_whole(double x, double most)
{
    return x >= 0 && x <= most && x == floor(x);
}

static cairn_status find_columns(cairn_context *ctx, drawn *d, const cairn_table *table)
{
    d->n = table->n_rows;
    for (size_t k = 0; k < PIXEL_COLUMNS; k++) {
        ptrdiff_t at = cairn_table_find(table, pixel_columns[k]);
        d->columns[k] = at < 0 ? NULL : cairn_table_numbers(table, (size_t)at);
        if (!d->columns[k])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "a PPM picture needs the number columns x, y, red, green and blue, "
                              "and there is no '%s'",
                              pixel_columns[k]);
    }
    return CAIRN_OK;
}

/* Every place of the rectangle has one row. */
static cairn_status place_pixels(cairn_context *ctx, drawn *d)
{
    /* The size of the picture, from the numbers, which must be places and colours. */
    d->most = 255;
    for (size_t k = 0; k < PIXEL_COLUMNS; k++)
        for (size_t i = 0; i < d->n; i++) {
            double x = d->columns[k][i];
            if (k < 2 ? !is_whole(x, (1 << 20) - 1) : !(x >= 0 && x <= 65535))
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA, "row %zu: column '%s' of a PPM picture holds %s", i + 1,
                    pixel_columns[k],
                    k < 2 ? "whole numbers from 0 to 1048575" : "numbers from 0 to 65535");
            if (k == 0 && (size_t)x >= d->width) d->width = (size_t)x + 1;
            if (k == 1 && (size_t)x >= d->height) d->height = (size_t)x + 1;
            if (k > 1 && x > 255) d->most = 65535;
        }
    if (d->n == 0 || d->width * d->height != d->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows do not fill a picture of %zu x %zu pixels; each place needs "
                          "one row",
                          d->n, d->width, d->height);
    CHECK(SCRATCH(ctx, &d->places, d->n));
    for (size_t i = 0; i < d->n; i++) {
        uint32_t *place =
            &d->places[(size_t)d->columns[1][i] * d->width + (size_t)d->columns[0][i]];
        if (*place)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "rows %u and %zu are at the same place", *place,
                              i + 1);
        *place = (uint32_t)i + 1;
    }
    return CAIRN_OK;
}

/* A colour above 255 anywhere makes all of them two bytes, the higher first, as the format has
 * it. */
static cairn_status write_ppm(cairn_context *ctx, const cairn_table *table, cairn_output_file *file)
{
    SCOPED_SCRATCH(ctx);
    drawn d = {0};
    char head[64];
    unsigned char *line;
    size_t step;
    CHECK(find_columns(ctx, &d, table));
    CHECK(place_pixels(ctx, &d));
    step = d.most > 255 ? 2 : 1;
    int length = snprintf(head, sizeof head, "P6\n%zu %zu\n%zu\n", d.width, d.height, d.most);
    CHECK(cairn_output_write(ctx, file, head, (size_t)length));
    CHECK(SCRATCH_RAW(ctx, &line, 3 * step * d.width));
    for (size_t y = 0; y < d.height; y++) {
        for (size_t k = 0; k < 3 * d.width; k++) {
            uint32_t row = d.places[y * d.width + k / 3] - 1;
            unsigned value = (unsigned)floor(d.columns[2 + k % 3][row] + 0.5);
            if (step == 2) line[2 * k] = (unsigned char)(value >> 8);
            line[step * k + step - 1] = (unsigned char)value;
        }
        CHECK(cairn_output_write(ctx, file, (const char *)line, 3 * step * d.width));
    }
    return CAIRN_OK;
}

const cairn_data_format cairn_ppm_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "ppm",
            .also = "PPM, colour pictures",
            .title = "PPM pictures in colour, a row for every pixel",
            .summary = "A colour picture in letters (P3) or bytes (P6). Every pixel is a row with "
                       "its place (x, y) and its colour (red, green, blue), from 0 to what the "
                       "header says. A table with these columns, one row for each place, is "
                       "written as P6.",
            .example = "cairn describe photo.ppm",
        },
    .extensions = "ppm",
    .detect = detect_ppm,
    .read = read_ppm,
    .write = write_ppm,
};

/* -- grids of text -- */

/* The picture whose first line begins at *at; *at moves behind its last line. */
static cairn_status read_grid_picture(cairn_context *ctx, cairn_pictures *out,
                                      const cairn_lines *lines, const char **at)
{
    size_t width = 0, height = 0;
    double *pixels;
    const char *line = *at, *end;
    for (; line < lines->end; line = end + 1, height++) {
        end = cairn_lines_end(lines, line);
        const char *stop = end > line && end[-1] == '\r' ? end - 1 : end;
        if (stop == line) break;
        if (height == 0) width = (size_t)(stop - line);
        if ((size_t)(stop - line) != width)
            return cairn_lines_refuse(ctx, lines, line, NULL,
                                      "%zu pixels, but the first line of the picture has %zu; make "
                                      "the lines equally long",
                                      (size_t)(stop - line), width);
    }
    CHECK(add_picture(ctx, out, lines->name, width, height, &pixels));
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            /* 1 ink, 0 none, -1 neither. */
            char c = (*at)[x];
            int pixel = strchr("#*@Xx1", c) ? 1 : strchr(".-_ 0", c) ? 0 : -1;
            if (pixel < 0)
                return cairn_lines_refuse(ctx, lines, *at, NULL,
                                          "'%.*s' is no pixel; write # for ink and . for none",
                                          cairn_lines_shown(*at + x, *at + x + 1), *at + x);
            pixels[y * width + x] = pixel;
        }
        *at = cairn_lines_end(lines, *at) + 1;
    }
    return CAIRN_OK;
}

static cairn_status read_grid(cairn_context *ctx, cairn_table **out, cairn_input *input,
                              const cairn_read_options *options)
{
    SCOPED(cairn_lines_clear) cairn_lines lines = {0};
    SCOPED(cairn_pictures_clear) cairn_pictures pictures = {0};
    CHECK(cairn_lines_read(ctx, &lines, input, options->encoding));
    for (const char *at = lines.begin; at < lines.end;) {
        if (*at == '\n' || *at == '\r')
            at++;
        else
            CHECK(read_grid_picture(ctx, &pictures, &lines, &at));
    }
    return cairn_pictures_table(ctx, out, lines.name, &pictures);
}

const cairn_data_format cairn_grid_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "grid",
            .also = "ASCII pictures",
            .title = "Pictures drawn with letters",
            .summary = "Every line is a row of pixels: # * @ X x 1 are ink, . - _ 0 and blanks are "
                       "not; empty lines stand between pictures of one size. A picture is a row of "
                       "the table, its pixels are the columns p0, p1, ... row by row.",
            .example = "cairn describe letters.grid",
        },
    .extensions = "grid",
    .read = read_grid,
};
