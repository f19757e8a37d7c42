/* SPDX-License-Identifier: MIT */
/* Inside the drawing of figures on a canvas: sizes, shared helpers, and the stages of a plot. */
#ifndef CAIRN_DRAW_PLOT_H
#define CAIRN_DRAW_PLOT_H

#include "draw/axis.h"
#include "draw/canvas.h"
#include "draw/figure_data.h"

/* Sizes of letters in points, and the greys of the frame. */
#define CAIRN_TITLE_SIZE   13.0
#define CAIRN_AXIS_SIZE    11.0
#define CAIRN_TICK_SIZE    10.0
#define CAIRN_CAPTION_SIZE 9.0
#define CAIRN_INK          0x333333
#define CAIRN_FAINT        0xE4E4E4
#define CAIRN_QUIET        0x6B6B6B

/* Room for a slanted name below its bar, and how many bars a plot widens for. */
enum { CAIRN_NAME_SLOT = 15, CAIRN_MOST_WIDENED = 80 };
enum { CAIRN_TITLE_LINES = 3, CAIRN_MOST_SHOWN = 20000 };

/* -- text that has to fit (textfit.c) -- */
/* A copy that fits the room it has, with "…" for what is missing in the middle; scratch memory. */
CAIRN_CHECKED cairn_status cairn_fit_text(cairn_context *ctx, const char **out, const char *text,
                                          double size, bool bold, double buffer);
/* Bytes that all names begin with, and that all end with; 0 for fewer than two. */
void cairn_names_common(char *const *names, size_t n, size_t *first, size_t *last);
/* A copy of a name that fits its room, without what all names share where it would be cut;
 * scratch. */
CAIRN_CHECKED cairn_status cairn_fit_name(cairn_context *ctx, const char **out, const char *name,
                                          size_t first, size_t last, double size, double buffer);
/* Draw text cut to its room; failures stick to the canvas. */
void cairn_draw_fitted(cairn_context *ctx, cairn_canvas *canvas, double x, double y,
                       const char *text, const cairn_font *font, double buffer);
/* Wrap at spaces into at most CAIRN_TITLE_LINES lines; returns their number. Line i is length[i]
 * bytes from start[i]. */
size_t cairn_wrap(const char *text, double size, bool bold, double buffer,
                  size_t start[CAIRN_TITLE_LINES], size_t length[CAIRN_TITLE_LINES]);
/* The lines of a text one after the other, beginning with {.at = text}. */
typedef struct cairn_plot_lines {
    const char *at;
    size_t number;
} cairn_plot_lines;
bool cairn_next_line(cairn_plot_lines *lines, const char **start, size_t *length);
/* Height of title and subtitle with their gap below, 0 without any; and drawing them from y = 0. */
double cairn_title_height(const cairn_figure *figure, double width);
void cairn_draw_title(cairn_context *ctx, cairn_canvas *canvas, const cairn_figure *figure);

/* -- legend (legend.c) -- */
typedef enum cairn_key {
    CAIRN_KEY_MARK,
    CAIRN_KEY_LINE,
    CAIRN_KEY_FILL,
    CAIRN_KEY_RING,
    CAIRN_KEY_NODE,
    CAIRN_KEY_HEAD /* what the groups below are values of */
} cairn_key;

typedef struct cairn_legend_entry {
    cairn_key key;
    const char *label; /* borrowed from the figure */
    cairn_colour colour;
    cairn_canvas_shape shape;
    int dash;
    double opacity;
    int64_t group; /* of points, for the terminal; -1 otherwise */
    cairn_order_look look;
    cairn_marking marking;
    const cairn_series *series;
} cairn_legend_entry;

/* Of more entries the rest is counted. */
enum { CAIRN_MOST_KEYS = 32 };
typedef struct cairn_legend {
    cairn_legend_entry *entries; /* scratch */
    size_t n, capacity;
    size_t n_shown; /* the rest is counted in a last line */
    size_t n_columns;
    double column_width;
    cairn_box box;
    bool framed; /* inside the plot */
} cairn_legend;

/* Gather the entries of a plot or of a tree. */
CAIRN_CHECKED cairn_status cairn_legend_collect(cairn_context *ctx, cairn_legend *legend,
                                                const cairn_figure *figure);
/* Choose columns so that it fits `width` and `height`; sets width and height of the box. */
void cairn_legend_measure(cairn_legend *legend, double width, double height);
/* The same in as few rows as show all entries: for legends below a picture. */
void cairn_legend_fit(cairn_legend *legend, double width);
/* Shape and style of the marks of a group of points. */
cairn_canvas_shape cairn_marking_shape(cairn_marking marking, int64_t group);
cairn_style cairn_marking_style(cairn_marking marking, int64_t group, double radius);
/* Outline of a large hollow mark: each label has its own, a ring comes first; and its letter in a
 * terminal. */
cairn_canvas_shape cairn_mark_shape(const cairn_figure *figure, const cairn_series *series);
const char *cairn_mark_letter(cairn_canvas_shape shape);
/* The outline of a shape around a point. */
void cairn_draw_ring(cairn_canvas *canvas, cairn_canvas_shape shape, double x, double y,
                     double radius, const cairn_style *style);
void cairn_legend_draw(cairn_context *ctx, cairn_canvas *canvas, const cairn_legend *legend);

/* -- plots with axes -- */
typedef struct cairn_plot {
    cairn_context *ctx;
    const cairn_figure *figure;
    double width, height;
    cairn_axis x, y;
    bool by_category; /* x has names instead of numbers */
    bool slanted;     /* names of categories at 45 degrees */
    size_t name_step; /* every how many categories have their name shown */
    double name_buffer;
    cairn_box area; /* inside the axes */
    cairn_legend legend;
    bool has_legend;
    const char *x_title, *y_title; /* with the notes of the axes; scratch */
    size_t n_points, n_unplaced;   /* finite points, and those without a place */
    size_t n_shown;                /* points drawn, set while drawing */
} cairn_plot;

/* Where each column of bars stands: centre and width of the bar of series `ordinal`. */
void cairn_plot_bar(const cairn_plot *plot, const cairn_series *series, size_t i, double *left,
                    double *width);

/* Ranges of both axes from the data and the wishes; also used by the terminal. */
void cairn_plot_ranges(cairn_plot *plot);
/* Names as ticks at whole numbers: every one, every second ... (fewer where they are too many). */
void cairn_axis_names(cairn_axis *axis, char *const *names, size_t n, size_t step);
/* About so many ticks of the y axis, or its names. */
void cairn_plot_y_ticks(cairn_plot *plot, int wanted);

/* Draw all series inside the area (series.c). */
CAIRN_CHECKED cairn_status cairn_plot_series(cairn_plot *plot, cairn_canvas *canvas);

/* Dash of a line: dashed as wanted, or because it lies on an earlier one, or by its colour. */
int cairn_line_dash(const cairn_figure *figure, const cairn_series *series);

/* Draw the labels where they cover least (pointlabels.c). */
CAIRN_CHECKED cairn_status cairn_plot_labels(cairn_plot *plot, cairn_canvas *canvas);

/* Corner of the box of a given size that covers the least data (occupancy.c); true if it covers
 * none. */
CAIRN_CHECKED cairn_status cairn_plot_find_buffer(cairn_plot *plot, double width, double height,
                                                  cairn_box *out, bool *found);

/* -- whole figures: the size they need, and drawing them on a canvas of that size -- */
typedef struct cairn_drawing {
    cairn_context *ctx;
    const cairn_figure *figure;
    double width, height;
    cairn_plot *plot;                    /* the one that is not NULL says what it is */
    struct cairn_tree_picture *tree;     /* see treeplot.c */
    struct cairn_heat_picture *heat;     /* see heatplot.c */
    struct cairn_order_picture *order;   /* see orderplot.c */
    struct cairn_dendro_picture *dendro; /* see dendroplot.c */
    struct cairn_drawing *panels;        /* one per panel, see panels.c */
} cairn_drawing;

CAIRN_CHECKED cairn_status cairn_plot_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_plot_draw(cairn_drawing *drawing, cairn_canvas *canvas);
CAIRN_CHECKED cairn_status cairn_treeplot_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_treeplot_draw(cairn_drawing *drawing, cairn_canvas *canvas);
CAIRN_CHECKED cairn_status cairn_heatplot_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_heatplot_draw(cairn_drawing *drawing, cairn_canvas *canvas);
CAIRN_CHECKED cairn_status cairn_orderplot_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_orderplot_draw(cairn_drawing *drawing, cairn_canvas *canvas);
CAIRN_CHECKED cairn_status cairn_dendroplot_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_dendroplot_draw(cairn_drawing *drawing, cairn_canvas *canvas);
CAIRN_CHECKED cairn_status cairn_panels_prepare(cairn_drawing *drawing);
CAIRN_CHECKED cairn_status cairn_panels_draw(cairn_drawing *drawing, cairn_canvas *canvas);

/* The outline of a node of an order in a box, as `look` wants it. */
/* The head of an arrow that ends with the last two of n points, `gap` before the last; those are
 * moved so that the shaft ends inside it. */
void cairn_draw_head(cairn_canvas *canvas, double *xy, size_t n, double gap, cairn_colour colour);
void cairn_draw_outline(cairn_canvas *canvas, const cairn_order_look *look, cairn_box box);

/* Fail if there is no figure or it failed while it was built. */
CAIRN_CHECKED cairn_status cairn_drawing_check(cairn_context *ctx, const cairn_figure *figure);

/* Lay a figure out (scratch memory), then draw it, on white. */
CAIRN_CHECKED cairn_status cairn_drawing_prepare(cairn_context *ctx, cairn_drawing *drawing,
                                                 const cairn_figure *figure);
CAIRN_CHECKED cairn_status cairn_drawing_draw(cairn_drawing *drawing, cairn_canvas *canvas);

#endif
