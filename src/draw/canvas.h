/* SPDX-License-Identifier: MIT */
/* A canvas: the few things that a picture is made of, and nothing about what they mean. The svg
 * writer, the cairo module and the recorder of the tests each fill the record of functions.
 *
 * Units are points, the origin is the upper left corner, text stands on its baseline. A canvas
 * remembers its first failure in `status` and ignores what comes after. The header also crosses
 * the border to the cairo module: it needs nothing of the library but <cairn/base.h>. */
#ifndef CAIRN_DRAW_CANVAS_H
#define CAIRN_DRAW_CANVAS_H

#include "cairn/base.h"

typedef uint32_t cairn_colour; /* 0xRRGGBB */
#define CAIRN_NO_COLOUR UINT32_C(0xFF000000)

typedef enum cairn_align { CAIRN_START, CAIRN_MIDDLE, CAIRN_END } cairn_align;

/* Shapes that stay apart when they are small and when colours are lost. */
typedef enum cairn_canvas_shape {
    CAIRN_DISC,
    CAIRN_SQUARE,
    CAIRN_TRIANGLE,
    CAIRN_DIAMOND,
    CAIRN_TRIANGLE_DOWN,
    CAIRN_PLUS,
    CAIRN_CROSS,
    CAIRN_STAR,
    CAIRN_N_SHAPES, /* those that groups take in turn */
    CAIRN_MINUS = CAIRN_N_SHAPES
} cairn_canvas_shape;

enum { CAIRN_DASH_LENGTH = 6, CAIRN_N_DASHES = 5, CAIRN_OUTLINE_SIZE = 12 };

typedef struct cairn_style {
    cairn_colour stroke, fill; /* CAIRN_NO_COLOUR leaves it out */
    double width;              /* of the stroke */
    int dash;                  /* 0 = solid, else a row of cairn_dash_table */
    double opacity;            /* of stroke and fill, 0 to 1 */
} cairn_style;

typedef struct cairn_font {
    double size;
    cairn_colour colour;
    cairn_align align;
    double angle; /* degrees, counter-clockwise, about the point where the text stands */
    bool bold;
} cairn_font;

typedef struct cairn_box {
    double x, y, width, height;
} cairn_box;

typedef struct cairn_canvas cairn_canvas;
struct cairn_canvas {
    double width, height;
    cairn_status status;
    /* n points as x, y pairs, joined in order; closed = back to the first. */
    void (*path)(cairn_canvas *canvas, const double *xy, size_t n, bool closed,
                 const cairn_style *style);
    void (*rectangle)(cairn_canvas *canvas, cairn_box box, double radius, const cairn_style *style);
    void (*circle)(cairn_canvas *canvas, double x, double y, double radius,
                   const cairn_style *style);
    /* The same small shape at n places. */
    void (*marks)(cairn_canvas *canvas, cairn_canvas_shape shape, double radius, const double *xy,
                  size_t n, const cairn_style *style);
    void (*text)(cairn_canvas *canvas, double x, double y, const char *text,
                 const cairn_font *font);
    /* What follows stays inside the box, until unclip; not nested. */
    void (*clip)(cairn_canvas *canvas, cairn_box box);
    void (*unclip)(cairn_canvas *canvas);
};

/* Row `dash` - 1 has alternating lengths of line and gap, ended by 0. */
extern const double cairn_dash_table[CAIRN_N_DASHES][CAIRN_DASH_LENGTH];

/* Outline of a shape around 0,0 as x, y pairs; returns the number of points, 0 for the disc. */
size_t cairn_shape_outline(cairn_canvas_shape shape, double radius,
                           double xy[2 * CAIRN_OUTLINE_SIZE]);

/* -- colours -- */
cairn_colour cairn_group_colour(int64_t group); /* grey when negative */
cairn_colour cairn_group_fill(int64_t group);   /* of areas, which have no shape to differ in */
cairn_canvas_shape cairn_group_shape(int64_t group);
int cairn_group_dash(int64_t group); /* solid for the first eight, which differ in colour */
cairn_colour cairn_mix(cairn_colour a, cairn_colour b, double share_of_b);
cairn_colour cairn_contrast(cairn_colour background); /* black or white, whichever reads better */

/* -- styles in one word -- */
cairn_style cairn_line_style(cairn_colour colour, double width);
cairn_style cairn_fill_style(cairn_colour colour);
cairn_font cairn_plain_font(double size, cairn_align align);

/* -- measuring: no font is opened; widths are those of a wide sans-serif -- */
double cairn_measure(const char *text, double size, bool bold);

/* Length in bytes of the longest beginning of `text` that fits, with room for a following "…"
 * unless all of it fits. Never splits a letter. */
size_t cairn_measure_fit(const char *text, double size, bool bold, double buffer);

#endif
