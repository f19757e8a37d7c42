/* SPDX-License-Identifier: MIT */
/* A figure: what to draw, kept as data until a canvas of some size and kind asks for it. The same
 * figure becomes svg, png, pdf or letters in a terminal.
 *
 * Building functions copy what they get, accept a NULL figure (and do nothing), and remember the
 * first failure; cairn_figure_status() tells it. Colours come from one palette that the
 * colour-blind can tell apart; groups also differ in the shape of their marks, and lines past the
 * eighth in their dash. The context given to cairn_figure_new must live while the figure is built;
 * the finished figure may outlive it. */
#ifndef CAIRN_DRAW_FIGURE_H
#define CAIRN_DRAW_FIGURE_H

#include "base/context.h"

typedef struct cairn_figure cairn_figure;

/* `name` is a stable file-name-like word, `title` is shown above. */
CAIRN_CHECKED cairn_status cairn_figure_new(cairn_context *ctx, cairn_figure **out,
                                            const char *name, const char *title);
void cairn_figure_free(cairn_figure *figure);
CAIRN_CAN_OWN(cairn_figure_free, cairn_figure)
CAIRN_CHECKED cairn_status cairn_figure_status(const cairn_figure *figure);
const char *cairn_figure_name(const cairn_figure *figure);
const char *cairn_figure_title(const cairn_figure *figure);

/* What stands below the title in small letters: the data, what is held, whose rows they are. NULL =
 * nothing. */
void cairn_figure_subtitle(cairn_figure *figure, const char *subtitle);
const char *cairn_figure_subtitle_of(const cairn_figure *figure);
/* What the groups of the legend are values of, above them; NULL = nothing. */
void cairn_figure_legend_title(cairn_figure *figure, const char *title);

/* What grey points are, for the legend; NULL = they are not in it. */
void cairn_figure_grey_name(cairn_figure *figure, const char *name);
/* The series that was added last, a line, bars or a histogram, has the colour of this group, so
 * that a class has one colour in all pictures, whatever else is in them. */
void cairn_figure_in_group(cairn_figure *figure, int32_t group);

/* Another title, and other titles of the axes (NULL = as it is), also of all panels. */
void cairn_figure_retitle(cairn_figure *figure, const char *title);
bool cairn_figure_has_axes(const cairn_figure *figure);
void cairn_figure_relabel(cairn_figure *figure, const char *x_title, const char *y_title);
/* Preferred size in points (default 480 x 320; trees grow as they need). A plot grows past it for a
 * legend that finds no room inside and for long names of categories. */
void cairn_figure_size(cairn_figure *figure, double width, double height);
/* The same as a size that a plot has to keep. */
void cairn_figure_fixed_size(cairn_figure *figure, double width, double height);

/* -- plots with axes -- */
typedef enum cairn_scale {
    CAIRN_SCALE_LINEAR,
    CAIRN_SCALE_LOG,
    CAIRN_SCALE_TIME /* linear, of seconds since 1970: ticks at days, months, years */
} cairn_scale;

/* Titles are copied, NULL = none. */
void cairn_figure_axes(cairn_figure *figure, const char *x_title, const char *y_title);
void cairn_figure_x_range(cairn_figure *figure, double low, double high); /* NaN = from the data */
void cairn_figure_y_range(cairn_figure *figure, double low, double high);
void cairn_figure_scales(cairn_figure *figure, cairn_scale x, cairn_scale y);
void cairn_figure_equal_axes(cairn_figure *figure); /* one unit is as long on x as on y */
void cairn_figure_no_axes(cairn_figure *figure);    /* no frame, ticks and grid */

/* The axes of a coverage plot: from 0 to `right` and `top` with a little margin, the box and its
 * diagonal as guides. A side of two rows or more has no ticks between whole numbers. */
void cairn_figure_coverage_box(cairn_figure *figure, double right, double top);

/* Points; group[i] (NULL = all 0, -1 = grey) chooses colour and mark; names label the legend. */
void cairn_figure_points(cairn_figure *figure, const double *x, const double *y,
                         const int32_t *group, size_t n, const char *const *group_names,
                         size_t n_groups);
/* Points of any colours (0xRRGGBB), as dots without a legend, or as cells of the size 1 x 1 around
 * them that together are a picture. */
void cairn_figure_colours(cairn_figure *figure, const double *x, const double *y,
                          const uint32_t *colours, size_t n, bool cells);
/* How the marks of groups 0 and 1 of the points look; further groups are as always. */
typedef enum cairn_marking {
    CAIRN_MARKING_SHAPES, /* each group has its shape */
    CAIRN_MARKING_HOLLOW, /* group 0 hollow, group 1 solid, both round */
    CAIRN_MARKING_SIGNS,  /* + and - */
    CAIRN_MARKING_NAMES   /* none: cairn_figure_named writes every point; shapes in the legend */
} cairn_marking;
void cairn_figure_marking(cairn_figure *figure, cairn_marking marking);
/* A line through points in order; NaN interrupts it. label NULL = not in the legend. */
void cairn_figure_line(cairn_figure *figure, const char *label, const double *x, const double *y,
                       size_t n);
void cairn_figure_dashed(cairn_figure *figure, const char *label, const double *x, const double *y,
                         size_t n);
/* The same, dashed, in the colour of the line before it: a hull around a curve. */
void cairn_figure_beside(cairn_figure *figure, const char *label, const double *x, const double *y,
                         size_t n);
/* The same as a thick dark line, for bars that join or sum up what is drawn. */
void cairn_figure_thick(cairn_figure *figure, const char *label, const double *x, const double *y,
                        size_t n);
/* The same, dark but not thick: a boundary between what has colours. */
void cairn_figure_dark(cairn_figure *figure, const char *label, const double *x, const double *y,
                       size_t n);
/* An arrow along the points; it ends in the last one. */
void cairn_figure_arrow(cairn_figure *figure, const char *label, const double *x, const double *y,
                        size_t n);
/* The same as a thin grey arrow, for many of them; not in the legend. */
void cairn_figure_grey_arrow(cairn_figure *figure, const double *x, const double *y, size_t n);
/* The same as a grey line that frames what is drawn, not in the legend. */
void cairn_figure_guide(cairn_figure *figure, const double *x, const double *y, size_t n);
/* The same as a thin light line, for many of them behind the data. */
void cairn_figure_faint(cairn_figure *figure, const double *x, const double *y, size_t n);
/* A band between two curves, for intervals. */
void cairn_figure_band(cairn_figure *figure, const char *label, const double *x, const double *low,
                       const double *high, size_t n);
/* The same as an area in the colour of a group of points, behind everything. */
void cairn_figure_area(cairn_figure *figure, int32_t group, const double *x, const double *low,
                       const double *high, size_t n);
/* The same with a label (NULL = none), more or less strong: an opacity above 0 up to 1. */
void cairn_figure_shade(cairn_figure *figure, const char *label, int32_t group, double strength,
                        const double *x, const double *low, const double *high, size_t n);
/* A closed shape in the colour of a group (-1 = grey) without outline, of some opacity. */
void cairn_figure_side(cairn_figure *figure, int32_t group, double strength, const double *x,
                       const double *y, size_t n);
/* A closed shape in the colour of a group of points, with its outline. */
void cairn_figure_shape(cairn_figure *figure, int32_t group, const double *x, const double *y,
                        size_t n);
/* A large hollow mark, e.g. a cluster centre or a chosen point. */
void cairn_figure_mark(cairn_figure *figure, const char *label, double x, double y);
/* The same as a square, whatever other marks there are: a point whose class is asked for. */
void cairn_figure_square(cairn_figure *figure, const char *label, double x, double y);
/* Part of a body, drawn in the order of arrival behind everything else but areas, so that later
 * faces hide earlier ones: a polygon of three corners or more with its edges, a line of two, a dot
 * of one. The colour is that of a group of points (-1 = grey) mixed into white: 1 = all of it. */
void cairn_figure_face(cairn_figure *figure, int32_t group, double strength, const double *x,
                       const double *y, size_t n);
/* Vertical (x = at) or horizontal reference line. */
void cairn_figure_rule_x(cairn_figure *figure, const char *label, double at);
void cairn_figure_rule_y(cairn_figure *figure, const char *label, double at);
/* Text just above a point: it begins (l), is centred (c) or ends (r) there. */
void cairn_figure_text(cairn_figure *figure, double x, double y, char align, const char *text);
/* Text at a point of the plot, where there is room beside it. */
void cairn_figure_label(cairn_figure *figure, double x, double y, const char *text);
/* A text in place of the mark of a point, in the colour of its group (-1 = grey). */
void cairn_figure_named(cairn_figure *figure, double x, double y, int32_t group, const char *text);
/* Bars over named categories; call once per series to get groups of bars. */
void cairn_figure_bars(cairn_figure *figure, const char *label, const char *const *categories,
                       const double *heights, size_t n);
/* Names in place of numbers below the x axis or beside the y axis: at 0, 1, 2 ... */
void cairn_figure_x_names(cairn_figure *figure, const char *const *names, size_t n);
void cairn_figure_y_names(cairn_figure *figure, const char *const *names, size_t n);
/* Histogram bars between n + 1 edges. */
void cairn_figure_histogram(cairn_figure *figure, const char *label, const double *edges,
                            const double *counts, size_t n);
/* The bars or histograms that follow stand on each other, not side by side; they have the same
 * categories or edges. */
void cairn_figure_stacked(cairn_figure *figure);

/* -- trees -- */
/* Add a node under `parent` (-1 = root). `edge` stands on the line from the parent. `text` may have
 * several lines (\n), and lines whose cells are separated by \t make a table. Leaves are rounded
 * and take the colour of `group` (-1 = none); `shares` (n_shares numbers that sum to 1, or NULL) is
 * drawn as a small bar of class shares. Returns the node's number, or -1 once the figure has
 * failed. */
int cairn_figure_tree_node(cairn_figure *figure, int parent, const char *edge, const char *text,
                           bool is_leaf, int32_t group, const double *shares, size_t n_shares);
/* What is special about a node that was added: it waits to be divided, or it lies on a way that is
 * followed from the root. */
enum { CAIRN_NODE_OPEN = 1, CAIRN_NODE_MARKED = 2 };
void cairn_figure_tree_flag(cairn_figure *figure, int node, unsigned flags);
/* How trees are drawn unless the root stands on top of rounded boxes: from left to right; with
 * ellipses as leaves; as the graph of the tree, which is numbered discs and lines. */
enum { CAIRN_FORM_ACROSS = 1, CAIRN_FORM_OVALS = 2, CAIRN_FORM_GRAPH = 4 };
void cairn_figure_tree_form(cairn_figure *figure, unsigned form);
/* Names of groups for the legend of a tree. */
void cairn_figure_tree_groups(cairn_figure *figure, const char *const *names, size_t n);

/* -- orders (Hasse diagrams): the more general stands higher, lines join neighbours -- */
typedef struct cairn_order_look {
    int32_t group; /* colour; -1 = none */
    int sides;     /* outline: 0 a box, 1 a dotted and 2 a dashed oval, 3 to 8 so many corners,
                      more an oval */
    bool strong;   /* a thick outline */
    int rank;      /* least row from the bottom; -1 = as low as can be */
} cairn_order_look;

/* Add a node; `text` may have several lines (\n), and lines with tabs are the rows of a table, its
 * head first. Returns its number, or -1 once the figure has failed. */
int cairn_figure_order_node(cairn_figure *figure, const char *text, const cairn_order_look *look);
/* Join two nodes; the line of a path is thick. */
void cairn_figure_order_line(cairn_figure *figure, int upper, int lower, bool path);
/* A line of the legend: a node of that look, or with NULL the line of a path. */
void cairn_figure_order_key(cairn_figure *figure, const char *label, const cairn_order_look *look);

/* -- heat maps: n_rows x n_columns values with labels, value printed in each cell -- */
void cairn_figure_heat(cairn_figure *figure, const double *values, const char *const *row_names,
                       size_t n_rows, const char *const *column_names, size_t n_columns);
/* What a value of a heat map stands for, in its legend. */
enum { CAIRN_MOST_HEAT_KEYS = 8 };
void cairn_figure_heat_key(cairn_figure *figure, double value, const char *label);

/* -- several figures as one -- */
/* Put `panel` beside (in a terminal: below) the panels that are there. The figure owns it from here
 * on, also when it fails; a figure with panels draws nothing else but its title. */
void cairn_figure_panel(cairn_figure *figure, cairn_figure *panel);
/* Begin a new row after so many panels; 0 = all in one row. */
void cairn_figure_columns(cairn_figure *figure, size_t columns);

/* -- output -- */
/* Width of the figure as it is drawn, in points. */
CAIRN_CHECKED cairn_status cairn_figure_extent(cairn_context *ctx, const cairn_figure *figure,
                                               double *width);
/* A complete SVG document. */
CAIRN_CHECKED cairn_status cairn_figure_svg(cairn_context *ctx, const cairn_figure *figure,
                                            char **out);
/* Lines of text for a terminal `columns` wide, drawn with braille and box letters; colour uses
 * ANSI codes. */
CAIRN_CHECKED cairn_status cairn_figure_terminal(cairn_context *ctx, const cairn_figure *figure,
                                                 int columns, bool colour, char **out);
/* PNG or PDF bytes through the cairo module; fails with a message that names the missing package
 * when the module cannot be loaded. `format` is "png" or "pdf". */
CAIRN_CHECKED cairn_status cairn_figure_render(cairn_context *ctx, const cairn_figure *figure,
                                               const char *format, char **out, size_t *length);

#endif
