/* SPDX-License-Identifier: MIT */
/* cairn compute palette and cairn draw palette: a picture in a few colours.
 *
 * Pixels are points (red, green, blue); k-means finds the palette, and every pixel gets the nearest
 * of its colours, rounded to whole numbers. Equal colours are one point with the weight of all
 * their pixels, so that a large picture is no more work than its different colours. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/view.h"
#include "draw/figure.h"
#include "transforms/codebook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, MOST_WIDE = 96, MOST_HIGH = 96, MOST_COLOURS = 256 };
static const char *const channels[CHANNELS] = {"red", "green", "blue"};

typedef struct palette_params {
    int colours, width;
} palette_params;

static const cairn_param palette_table[] = {
    CAIRN_PARAM(palette_params, colours, "8", "[1,256]", "colours of the palette", .often = true),
    CAIRN_PARAM(palette_params, width, "0", "[0,inf)",
                "pixels in a line of a grey picture (PGM), whose table does not say; 0: as many as "
                "there are lines"),
    CAIRN_PARAM_END,
};

typedef struct palette {
    const double *red_green_blue[CHANNELS]; /* of the pixels */
    const double *x, *y;                    /* NULL = their places are not known */
    size_t n, width, height;
    double most; /* largest value of a channel: 255 or 65535 */
    bool grey;   /* all channels are one */
    size_t different;
    uint32_t *which; /* n: number among the different colours */
    double *colours; /* different x 3 */
    double *counts;  /* different: pixels */
    int32_t *codes;  /* different */
    cairn_codebook book;
    double *shares;    /* book.n */
    double distortion; /* mean squared distance of a pixel from its colour */
} palette;

/* -- reading -- */

/* A grey picture is a row whose pixels are the columns p0, p1, ... */
static bool is_grey(const cairn_table *table)
{
    return table->n_columns > 0 && cairn_table_find(table, "red") < 0 &&
           cairn_same(table->slots[0].name, "p0") &&
           (table->n_columns == 1 || cairn_same(table->slots[1].name, "p1"));
}

static cairn_status grey_width(cairn_context *ctx, palette *p, int wanted)
{
    size_t width = wanted ? (size_t)wanted : (size_t)sqrt((double)p->n);
    if (!wanted && width * width != p->n)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "the picture of %zu pixels is no square; {width} says how many a line has", p->n);
    if (p->n % width)
        return cairn_fail(ctx, CAIRN_USAGE, "{width %zu}: %zu pixels do not make whole lines",
                          width, p->n);
    p->width = width;
    p->height = p->n / width;
    return CAIRN_OK;
}

/* Grey is as much red as green and blue. */
static cairn_status read_grey(cairn_context *ctx, palette *p, const cairn_table *table, int wanted)
{
    double *grey, *x, *y;
    if (table->n_rows != 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "one picture is needed, and there are %zu; {where 'row() = 1'} takes the "
                          "first",
                          table->n_rows);
    p->n = table->n_columns;
    CHECK(grey_width(ctx, p, wanted));
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &grey, &x, &y));
    for (size_t i = 0; i < p->n; i++) {
        const double *column = cairn_table_numbers(table, i);
        if (!column || !(column[0] >= 0 && column[0] <= 65535))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "pixel '%s' is a number from 0 to 65535 in a picture",
                              table->slots[i].name);
        grey[i] = column[0];
        size_t line = i / p->width;
        x[i] = (double)(i % p->width);
        y[i] = (double)line;
        if (grey[i] > 255) p->most = 65535;
    }
    for (size_t k = 0; k < CHANNELS; k++) p->red_green_blue[k] = grey;
    p->x = x, p->y = y;
    return CAIRN_OK;
}

/* One value above 255 means that the whole picture has two bytes per channel. */
static cairn_status read_channels(cairn_context *ctx, palette *p, const cairn_table *table)
{
    p->n = table->n_rows;
    for (size_t k = 0; k < CHANNELS; k++) {
        ptrdiff_t at = cairn_table_find(table, channels[k]);
        const double *column = at < 0 ? NULL : cairn_table_numbers(table, (size_t)at);
        if (!column)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "a picture is needed: a PPM or PGM file, or a table of pixels with the "
                "number columns red, green and blue; there is no '%s'",
                channels[k]);
        for (size_t i = 0; i < p->n; i++) {
            if (!(column[i] >= 0 && column[i] <= 65535))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu: '%s' is a number from 0 to 65535 in a picture", i + 1,
                                  channels[k]);
            if (column[i] > 255) p->most = 65535;
        }
        p->red_green_blue[k] = column;
    }
    return p->n ? CAIRN_OK : cairn_fail(ctx, CAIRN_BAD_DATA, "the picture has no pixels");
}

/* Places make a picture that can be drawn and written; without them there is only a palette. */
static void read_places(palette *p, const cairn_table *table)
{
    ptrdiff_t x = cairn_table_find(table, "x"), y = cairn_table_find(table, "y");
    const double *columns[2] = {x < 0 ? NULL : cairn_table_numbers(table, (size_t)x),
                                y < 0 ? NULL : cairn_table_numbers(table, (size_t)y)};
    size_t size[2] = {0, 0};
    for (size_t k = 0; k < 2 && columns[0] && columns[1]; k++)
        for (size_t i = 0; i < p->n; i++) {
            double at = columns[k][i];
            if (!(at >= 0 && at < 1 << 20 && at == floor(at))) return;
            if ((size_t)at >= size[k]) size[k] = (size_t)at + 1;
        }
    if (!columns[0] || !columns[1]) return;
    p->x = columns[0], p->y = columns[1];
    p->width = size[0], p->height = size[1];
}

typedef struct keyed {
    uint64_t key;
    uint32_t row;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* -- the palette -- */

static cairn_status colour_table(cairn_context *ctx, cairn_table **out, const palette *p)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, p->different));
    CHECK(cairn_table_new(ctx, &table, p->different));
    for (size_t k = 0; k < CHANNELS; k++) {
        for (size_t i = 0; i < p->different; i++) column[i] = p->colours[CHANNELS * i + k];
        CHECK(cairn_table_put_numbers(ctx, table, channels[k], column));
    }
    CHECK(cairn_table_put_numbers(ctx, table, "pixels", p->counts));
    CHECK(cairn_table_set_role(ctx, table, "pixels", CAIRN_WEIGHT));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Where there are no more colours than the palette may have, they are the palette. */
static cairn_status make_palette(cairn_context *ctx, palette *p, size_t wanted)
{
    static const size_t all[CHANNELS] = {0, 1, 2};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_view view;
    if (p->different <= wanted) {
        p->book = (cairn_codebook){.n = p->different, .width = CHANNELS};
        CHECK(NEW(ctx, &p->book.centres, CHANNELS * p->different));
        memcpy(p->book.centres, p->colours, CHANNELS * p->different * sizeof *p->colours);
        return CAIRN_OK;
    }
    CHECK(colour_table(ctx, &table, p));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_codebook_fit(ctx, &p->book, &view, all, CHANNELS, (int)wanted, true));
    for (size_t k = 0; k < CHANNELS * p->book.n; k++)
        p->book.centres[k] = floor(p->book.centres[k] + 0.5);
    return CAIRN_OK;
}

/* The colours, the palette and the pixels painted with it; the book is cleared by the caller. */
static cairn_status find_palette(cairn_context *ctx, palette *p, const cairn_compute_job *job)
{
    const palette_params *params = job->params;
    p->most = 255;
    p->grey = is_grey(job->table);
    if (p->grey) {
        CHECK(read_grey(ctx, p, job->table, params->width));
    } else {
        CHECK(read_channels(ctx, p, job->table));
        read_places(p, job->table);
    }
    /* The different colours in the order of their numbers, and how many pixels each has. */
    keyed *sorted;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &sorted, &p->which));
    for (size_t i = 0; i < p->n; i++) {
        sorted[i] = (keyed){.row = (uint32_t)i};
        for (size_t k = 0; k < CHANNELS; k++)
            sorted[i].key = sorted[i].key << 16 | (uint64_t)floor(p->red_green_blue[k][i] + 0.5);
    }
    qsort(sorted, p->n, sizeof *sorted, by_key);
    for (size_t i = 0; i < p->n; i++) {
        p->different += i == 0 || sorted[i].key != sorted[i - 1].key;
        p->which[sorted[i].row] = (uint32_t)p->different - 1;
    }
    CHECK(SCRATCH(ctx, &p->colours, CHANNELS * p->different));
    CHECK(SCRATCH(ctx, &p->counts, p->different));
    for (size_t i = 0; i < p->n; i++) {
        double *colour = p->colours + CHANNELS * p->which[sorted[i].row];
        p->counts[p->which[sorted[i].row]]++;
        for (size_t k = 0; k < CHANNELS; k++)
            colour[k] = (double)(sorted[i].key >> 16 * (CHANNELS - 1 - k) & 0xFFFF);
    }
    CHECK(make_palette(ctx, p, (size_t)params->colours));
    double *squares;
    CHECK(SCRATCH_RAW_EACH(ctx, p->different, &squares, &p->codes));
    CHECK(SCRATCH(ctx, &p->shares, p->book.n));
    CHECK(cairn_codebook_encode(ctx, &p->book, p->colours, p->different, p->codes, squares));
    for (size_t i = 0; i < p->different; i++) {
        p->shares[p->codes[i]] += p->counts[i] / (double)p->n;
        p->distortion += p->counts[i] * squares[i] / (double)p->n;
    }
    return CAIRN_OK;
}

/* -- the report -- */

/* A colour in 24 bits, 0xRRGGBB. */
static uint32_t in_bytes(const palette *p, const double *colour)
{
    uint32_t bytes = 0;
    for (size_t k = 0; k < CHANNELS; k++)
        bytes = bytes << 8 | (uint32_t)floor(colour[k] * 255 / p->most + 0.5);
    return bytes;
}

static void show_colours(cairn_report *out, const palette *p)
{
    cairn_report_table_of(out, "Palette", MOST_COLOURS, "rlrrrr", "number", "colour", "red",
                          "green", "blue", "share");
    for (size_t c = 0; c < p->book.n; c++) {
        const double *colour = p->book.centres + CHANNELS * c;
        char name[16];
        snprintf(name, sizeof name, "#%06x", in_bytes(p, colour));
        cairn_report_cells(out, "- colour.$1", c + 1, name);
        for (size_t k = 0; k < CHANNELS; k++)
            cairn_report_cell_number(out, colour[k], 0, "colour.%zu.%s", c + 1, channels[k]);
        cairn_report_cell_number(out, p->shares[c], 4, "colour.%zu.share", c + 1);
    }
}

/* Bits of a colour as it is: those of three numbers, or of one for a grey. */
static double colour_bits(const palette *p)
{
    return (p->most > 255 ? 16 : 8) * (p->grey ? 1 : CHANNELS);
}

/* Bits of the picture: its numbers for every pixel, or a code a pixel and a table of colours. */
static void show_bits(cairn_report *out, const palette *p)
{
    double n = (double)p->n, colour = colour_bits(p), raw = n * colour;
    double lossless = n * cairn_code_bits(p->different) + colour * (double)p->different;
    double lossy = n * cairn_code_bits(p->book.n) + colour * (double)p->book.n;
    cairn_report_table_of(out, "Bits", 0, "lrrr", "how", "of a pixel", "in all", "ratio");
    cairn_report_cells(out, "- raw.per_pixel raw.bits", "as it is", colour, raw, 1.0);
    cairn_report_cells(out, "- lossless.per_pixel lossless.bits lossless.ratio:4",
                       "lossless: table of all its colours", cairn_code_bits(p->different),
                       lossless, raw / lossless);
    cairn_report_cells(out, "- lossy.per_pixel lossy.bits lossy.ratio:4", "lossy: the palette",
                       cairn_code_bits(p->book.n), lossy, raw / lossy);
}

/* The signal-to-noise ratio is that of a channel. */
static void show_loss(cairn_report *out, const palette *p)
{
    double mse = p->distortion / CHANNELS;
    cairn_report_value(out, "pixels", (double)p->n, "pixels");
    if (p->x) {
        cairn_report_value(out, "width", (double)p->width, "width");
        cairn_report_value(out, "height", (double)p->height, "height");
    }
    cairn_report_value(out, "different colours", (double)p->different, "different");
    cairn_report_value(out, "colours of the palette", (double)p->book.n, "colours");
    cairn_report_value(out, "distortion (mean squared distance)", p->distortion, "distortion");
    if (mse > 0)
        cairn_report_value(out, "peak signal-to-noise ratio in dB",
                           10 * cairn_log10(p->most * p->most / mse), "psnr");
}

/* The ratio counts the palette itself, which a small picture may not pay for. */
static void show_work(cairn_report *out, const palette *p)
{
    double n = (double)p->n, colour = colour_bits(p);
    double code = cairn_code_bits(p->book.n), lossy = n * code + colour * (double)p->book.n;
    cairn_report_step_begin(out, "What the palette loses");
    cairn_report_formula(out, "distortion = Σ ‖pixel − its colour‖² / pixels,   PSNR = 10 log₁₀ "
                              "(most² / (distortion / 3))");
    cairn_report_worked(out, "distortion", "# / # = #", p->distortion * n, n, p->distortion);
    if (p->distortion > 0)
        cairn_report_worked(out, "PSNR", "10 log₁₀(#² / #) = #", p->most, p->distortion / CHANNELS,
                            10 * cairn_log10(p->most * p->most / (p->distortion / CHANNELS)));
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "What it saves");
    cairn_report_worked(out, "as it is", "# pixels · # bits = #", n, colour, n * colour);
    cairn_report_worked(out, "palette", "# · # + # · # = #", n, code, (double)p->book.n, colour,
                        lossy);
    cairn_report_worked(out, "ratio", "# / # = #", n * colour, lossy, n * colour / lossy);
    cairn_report_step_end(out);
}

/* The picture in the colours of the palette. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const palette *p)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, p->n));
    CHECK(cairn_table_new(ctx, &made, p->n));
    if (p->x) {
        CHECK(cairn_table_put_numbers(ctx, made, "x", p->x));
        CHECK(cairn_table_put_numbers(ctx, made, "y", p->y));
    }
    for (size_t k = 0; k < CHANNELS; k++) {
        for (size_t i = 0; i < p->n; i++)
            column[i] = p->book.centres[CHANNELS * (size_t)p->codes[p->which[i]] + k];
        CHECK(cairn_table_put_numbers(ctx, made, channels[k], column));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* -- the picture -- */

/* One panel: of a large picture every so many-th pixel. */
static cairn_status draw_panel(cairn_context *ctx, cairn_figure *all, const palette *p,
                               const char *title, bool painted)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t step = 1, n = 0;
    double *x, *y;
    uint32_t *colours;
    while (p->width / step > MOST_WIDE || p->height / step > MOST_HIGH) step++;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &x, &y, &colours));
    for (size_t i = 0; i < p->n; i++) {
        size_t column = (size_t)p->x[i], row = (size_t)p->y[i];
        const double *own = p->colours + CHANNELS * p->which[i];
        const double *code = p->book.centres + CHANNELS * (size_t)p->codes[p->which[i]];
        if (column % step || row % step) continue;
        size_t across = column / step, down = row / step;
        x[n] = (double)across;
        y[n] = -(double)down;
        colours[n++] = in_bytes(p, painted ? code : own);
    }
    size_t n_across = (p->width + step - 1) / step, n_down = (p->height + step - 1) / step;
    double wide = (double)n_across, high = (double)n_down;
    CHECK(cairn_figure_new(ctx, &figure, title, title));
    cairn_figure_size(figure, 340, fmin(600, 340 * high / wide + 40));
    cairn_figure_no_axes(figure);
    cairn_figure_equal_axes(figure);
    cairn_figure_x_range(figure, -0.5, wide - 0.5);
    cairn_figure_y_range(figure, 0.5 - high, 0.5);
    cairn_figure_colours(figure, x, y, colours, n, true);
    cairn_figure_panel(all, TAKE(figure));
    return CAIRN_OK;
}

static cairn_status draw_pictures(cairn_context *ctx, cairn_figure **out, const palette *p)
{
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    char before[48], after[48];
    snprintf(before, sizeof before, "%zu colours", p->different);
    snprintf(after, sizeof after, "%zu colours of the palette", p->book.n);
    CHECK(cairn_figure_new(ctx, &all, "palette", "The picture and its palette"));
    CHECK(draw_panel(ctx, all, p, before, false));
    CHECK(draw_panel(ctx, all, p, after, true));
    *out = TAKE(all);
    return CAIRN_OK;
}

static cairn_status report_palette(cairn_context *ctx, cairn_report *out, const palette *p,
                                   const cairn_compute_job *job)
{
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Palette of %s",
                         job->table->source ? job->table->source : "the picture");
    show_loss(out, p);
    if (job->steps) show_work(out, p);
    show_colours(out, p);
    show_bits(out, p);
    if (p->x) {
        CHECK(draw_pictures(ctx, &figure, p));
        cairn_report_page_figure(out, figure);
    }
    return job->result ? make_result(ctx, job->result, p) : CAIRN_OK;
}

static cairn_status palette_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    palette p = {0};
    cairn_status status = find_palette(ctx, &p, job);
    if (status == CAIRN_OK) status = report_palette(ctx, out, &p, job);
    cairn_codebook_clear(&p.book);
    return status;
}

static cairn_status palette_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    palette p = {0};
    cairn_status status = find_palette(ctx, &p, job);
    if (status == CAIRN_OK && !p.x)
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "to be drawn the pixels need places: number columns x and y");
    if (status == CAIRN_OK) status = draw_pictures(ctx, out, &p);
    cairn_codebook_clear(&p.book);
    return status;
}

const cairn_calculator cairn_compute_palette = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "palette",
         .also = "colour quantisation, image segmentation, reduce colours, PPM, PGM",
         .title = "A picture in a few colours",
         .summary =
             "The pixels of a PPM or PGM picture are points in the space of colours; k-means finds "
             "a palette of a few, and every pixel gets the nearest. Says the distortion, the "
             "peak signal-to-noise ratio, and the bits before and after, beside a table of "
             "all colours, which loses nothing. --out small.ppm writes the picture.",
         .references = "Heckbert, Color image quantization for frame buffer display, 1982",
         .example = "cairn compute palette @sunset --colours 4",
         .params = palette_table,
         .params_size = sizeof(palette_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "palette",
                .also = "quantised image, image segmentation",
                .title = "A picture and the same in a few colours",
                .summary =
                    "A PPM or PGM picture beside the same picture in the colours of its palette.",
                .references = "Heckbert, Color image quantization for frame buffer display, 1982",
                .example = "cairn draw palette @sunset --colours 4 --out palette.svg",
                .params = palette_table,
                .params_size = sizeof(palette_params)},
    .arguments = "PICTURE",
    .needs_data = true,
    .run = palette_run,
    .draw = palette_draw,
};
