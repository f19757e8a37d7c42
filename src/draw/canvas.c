/* SPDX-License-Identifier: MIT */
/* What every canvas shares: colours, shapes, dashes and the widths of letters.
 *
 * The eight colours are those that Okabe and Ito chose for all kinds of colour vision; they come
 * in an order that puts the ones that read best on white first. */
#include "draw/canvas.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

enum { N_COLOURS = 8 };

static const cairn_colour palette[N_COLOURS] = {0x0072B2, 0xD55E00, 0x009E73, 0xE69F00,
                                                0x56B4E9, 0xCC79A7, 0x4D4D4D, 0xE8D820};

const double cairn_dash_table[CAIRN_N_DASHES][CAIRN_DASH_LENGTH] = {
    {5, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}, {11, 4}, {5, 2.5, 1.5, 2.5}};

cairn_colour cairn_group_colour(int64_t group)
{
    return group < 0 ? 0x8C8C8C : palette[group % N_COLOURS];
}

/* Past eight groups the colours come lighter, then darker. */
cairn_colour cairn_group_fill(int64_t group)
{
    int64_t round = group < 0 ? 0 : group / N_COLOURS % 3;
    cairn_colour colour = cairn_group_colour(group);
    return round == 1   ? cairn_mix(colour, 0xFFFFFF, 0.5)
           : round == 2 ? cairn_mix(colour, 0x000000, 0.45)
                        : colour;
}

/* Past eight groups colour and shape move against each other, so 64 pairs differ. */
cairn_canvas_shape cairn_group_shape(int64_t group)
{
    if (group < 0) return CAIRN_DISC;
    return (cairn_canvas_shape)((group + group / N_COLOURS) % CAIRN_N_SHAPES);
}

int cairn_group_dash(int64_t group)
{
    return group < 0 ? 0 : (int)((group / N_COLOURS) % (CAIRN_N_DASHES + 1));
}

cairn_colour cairn_mix(cairn_colour a, cairn_colour b, double share_of_b)
{
    cairn_colour mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double from = (a >> shift) & 0xFF, to = (b >> shift) & 0xFF;
        mixed |= (cairn_colour)(from + (to - from) * share_of_b + 0.5) << shift;
    }
    return mixed;
}

cairn_colour cairn_contrast(cairn_colour background)
{
    double light = 0.299 * ((background >> 16) & 0xFF) + 0.587 * ((background >> 8) & 0xFF) +
                   0.114 * (background & 0xFF);
    return light > 140 ? 0x1A1A1A : 0xFFFFFF;
}

cairn_style cairn_line_style(cairn_colour colour, double width)
{
    return (cairn_style){.stroke = colour, .fill = CAIRN_NO_COLOUR, .width = width, .opacity = 1};
}

cairn_style cairn_fill_style(cairn_colour colour)
{
    return (cairn_style){.stroke = CAIRN_NO_COLOUR, .fill = colour, .opacity = 1};
}

cairn_font cairn_plain_font(double size, cairn_align align)
{
    return (cairn_font){.size = size, .colour = 0x333333, .align = align};
}

/* Corners on the unit circle or square; the arms of plus and cross are 0.36 half-wide. */
static const double square[] = {-.88, -.88, .88, -.88, .88, .88, -.88, .88};
static const double triangle[] = {0, -1.15, 1.05, .75, -1.05, .75};
static const double diamond[] = {0, -1.25, 1.1, 0, 0, 1.25, -1.1, 0};
static const double triangle_down[] = {0, 1.15, -1.05, -.75, 1.05, -.75};
static const double plus[] = {-.36, -1.1, .36,  -1.1, .36,  -.36, 1.1,  -.36,
                              1.1,  .36,  .36,  .36,  .36,  1.1,  -.36, 1.1,
                              -.36, .36,  -1.1, .36,  -1.1, -.36, -.36, -.36};
static const double minus[] = {-1.1, -.36, 1.1, -.36, 1.1, .36, -1.1, .36};
static const double star[] = {0, -1.3, .32,  -.42, 1.24, -.4, .52,   .17, .76,  1.05,
                              0, .53,  -.76, 1.05, -.52, .17, -1.24, -.4, -.32, -.42};

size_t cairn_shape_outline(cairn_canvas_shape shape, double radius,
                           double xy[2 * CAIRN_OUTLINE_SIZE])
{
    static const struct {
        const double *corners;
        size_t n;
    } outlines[CAIRN_N_SHAPES + 1] = {
        [CAIRN_SQUARE] = {square, 4},   [CAIRN_TRIANGLE] = {triangle, 3},
        [CAIRN_DIAMOND] = {diamond, 4}, [CAIRN_TRIANGLE_DOWN] = {triangle_down, 3},
        [CAIRN_PLUS] = {plus, 12},      [CAIRN_CROSS] = {plus, 12},
        [CAIRN_STAR] = {star, 10},      [CAIRN_MINUS] = {minus, 4}};
    double turn = shape == CAIRN_CROSS ? 0.70710678118654752 : 0; /* sine of 45 degrees */
    double stay = shape == CAIRN_CROSS ? turn : 1;
    for (size_t i = 0; i < outlines[shape].n; i++) {
        double x = outlines[shape].corners[2 * i], y = outlines[shape].corners[2 * i + 1];
        xy[2 * i] = radius * (stay * x - turn * y);
        xy[2 * i + 1] = radius * (turn * x + stay * y);
    }
    return outlines[shape].n;
}

/* Hundredths of the size that the letters from space to tilde take. */
static const unsigned char letter_widths[] = {
    32, 40, 46, 84, 64, 95, 78, 28, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79,
    60, 79, 70, 64, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 35, 64,
    63, 28, 28, 58, 28, 97, 63, 61, 64,  64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84};

/* Width of the letter at `text` in sizes, and its length in bytes. */
static double letter_width(const char *text, size_t *step)
{
    static const struct {
        const char *letter;
        double width;
    } known[] = {{"−", 0.84}, {"…", 1},   {"⁻", 0.53}, {"¹", 0.4}, {"²", 0.4},
                 {"³", 0.4},  {"⁰", 0.4}, {"⁴", 0.4},  {"⁵", 0.4}, {"⁶", 0.4},
                 {"⁷", 0.4},  {"⁸", 0.4}, {"⁹", 0.4}};
    unsigned char c = (unsigned char)*text;
    *step = 1;
    if (c >= 32 && c < 127) return letter_widths[c - 32] / 100.0;
    size_t cells;
    *step = cairn_text_letter(text, &cells);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (cairn_starts_with(text, known[i].letter)) return known[i].width;
    return cells == 0 ? 0 : cells == 1 ? 0.68 : 1.05;
}

double cairn_measure(const char *text, double size, bool bold)
{
    double width = 0;
    size_t step;
    for (; *text; text += step) width += letter_width(text, &step);
    return width * size * (bold ? 1.15 : 1.0);
}

size_t cairn_measure_fit(const char *text, double size, bool bold, double buffer)
{
    double factor = size * (bold ? 1.15 : 1.0), width = 0, dots = factor;
    size_t step, cut = 0, at = 0;
    for (; text[at]; at += step) {
        width += letter_width(text + at, &step) * factor;
        if (width + dots <= buffer) cut = at + step;
    }
    return width <= buffer * (1 + 1e-9) ? at : cut; /* a text fits into its own measure */
}
