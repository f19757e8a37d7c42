/* SPDX-License-Identifier: MIT */
/* Pictures made of letters: a grid of cells with braille dots, and text cut to cells. */
#ifndef CAIRN_DRAW_TERMINAL_H
#define CAIRN_DRAW_TERMINAL_H

#include "base/text.h"
#include "draw/plot.h"

enum { CAIRN_PLAIN = -2 }; /* no colour; groups from -1 have one */

typedef struct cairn_terminal_cell {
    char letter[12]; /* zero-ended; "" = nothing or dots */
    uint8_t dots;    /* braille */
    bool behind;     /* second half of a wide letter */
    int16_t colour;  /* group, or CAIRN_PLAIN */
} cairn_terminal_cell;

typedef struct cairn_grid {
    cairn_terminal_cell *cells; /* rows x columns */
    size_t columns, rows;
    size_t left, top, width, height; /* cells that dots may go to */
} cairn_grid;

/* Grid of empty cells in scratch memory; dots may go anywhere. */
CAIRN_CHECKED cairn_status cairn_grid_start(cairn_context *ctx, cairn_grid *grid, size_t columns,
                                            size_t rows);
/* A dot; x counts half cells, y quarter cells from the upper left of the dotted part. */
void cairn_grid_dot(cairn_grid *grid, double x, double y, int colour);
/* A straight line of dots; `skip` > 1 sets every skip-th only. */
void cairn_grid_line(cairn_grid *grid, double x1, double y1, double x2, double y2, int skip,
                     int colour);
/* Fill a polygon of n corners (x, y pairs as of dots) evenly with a share of its dots, and take the
 * others away. */
void cairn_grid_shade(cairn_grid *grid, const double *xy, size_t n, double share, int colour);
/* One letter into the dotted part (cells), or text anywhere, cut to `buffer` cells. */
void cairn_grid_letter(cairn_grid *grid, double column, double row, const char *letter, int colour);
void cairn_grid_text(cairn_grid *grid, size_t column, size_t row, const char *text, size_t buffer,
                     int colour);
void cairn_grid_write(const cairn_grid *grid, cairn_text *out, bool colour);

/* Add text cut with "…" to `cells`; `pad` fills up with blanks; returns the cells used. */
size_t cairn_add_cells(cairn_text *out, const char *text, size_t cells, bool pad);
void cairn_add_colour(cairn_text *out, int colour, bool use); /* start; CAIRN_PLAIN ends */

/* A line of its own, ended and cut; nothing for empty text. */
void cairn_add_line(cairn_text *out, const char *text, size_t columns);
/* The letter that stands for a group of points. */
const char *cairn_group_letter(cairn_marking marking, int64_t group);
/* The letter that stands at the end of the i-th line. */
char cairn_line_letter(size_t i);
/* The letter that fills the i-th series of bars or stacked histograms. */
const char *cairn_shade_letter(size_t i);

/* The kinds of figure. */
CAIRN_CHECKED cairn_status cairn_terminal_plot(cairn_context *ctx, const cairn_figure *figure,
                                               size_t columns, bool colour, cairn_text *out);
CAIRN_CHECKED cairn_status cairn_terminal_bars(cairn_context *ctx, const cairn_figure *figure,
                                               size_t columns, bool colour, cairn_text *out);
CAIRN_CHECKED cairn_status cairn_terminal_tree(cairn_context *ctx, const cairn_figure *figure,
                                               size_t columns, bool colour, cairn_text *out);
CAIRN_CHECKED cairn_status cairn_terminal_heat(cairn_context *ctx, const cairn_figure *figure,
                                               size_t columns, cairn_text *out);

CAIRN_CHECKED cairn_status cairn_terminal_order(cairn_context *ctx, const cairn_figure *figure,
                                                size_t columns, bool colour, cairn_text *out);

CAIRN_CHECKED cairn_status cairn_terminal_dendrogram(cairn_context *ctx, const cairn_figure *figure,
                                                     size_t columns, bool colour, cairn_text *out);

/* Lines of legend, as many entries per line as fit. `bars_only` leaves the other series out. */
CAIRN_CHECKED cairn_status cairn_terminal_legend(cairn_context *ctx, const cairn_figure *figure,
                                                 size_t columns, bool colour, bool bars_only,
                                                 cairn_text *out);

#endif
