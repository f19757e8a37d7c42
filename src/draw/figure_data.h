/* SPDX-License-Identifier: MIT */
/* The inside of a figure, for the files that draw it. All text in it is valid UTF-8 without
 * control letters (node texts keep their line ends and tabs). */
#ifndef CAIRN_DRAW_FIGURE_DATA_H
#define CAIRN_DRAW_FIGURE_DATA_H

#include "base/map.h"
#include "draw/dendroplot.h"
#include "draw/figure.h"

typedef enum cairn_series_kind {
    CAIRN_POINTS,    /* x, y, group */
    CAIRN_LINE,      /* x, y */
    CAIRN_BAND,      /* x, y (low), high; a closed shape has no high */
    CAIRN_MARK,      /* x, y of one point */
    CAIRN_RULE_X,    /* x of one place */
    CAIRN_RULE_Y,    /* y of one place */
    CAIRN_LABEL,     /* x, y of one point, label */
    CAIRN_BARS,      /* x = number of the category, y = top, high as below */
    CAIRN_FACE,      /* x, y: corners of a face; two points are a line, one is a dot */
    CAIRN_COLOURS,   /* x, y, group = colour; cells when it is an area, else dots */
    CAIRN_HISTOGRAM, /* x = n + 1 edges, y = n tops, high = where they stand (NULL = on 0) */
    CAIRN_N_SERIES_KINDS
} cairn_series_kind;

typedef struct cairn_series {
    cairn_series_kind kind;
    size_t ordinal; /* how many of the same kind came before */
    char *label;    /* NULL = not in the legend */
    double *x, *y, *high;
    int32_t *group; /* NULL = all 0 */
    size_t n;
    char **names; /* n_names names of groups */
    size_t n_names;
    bool dashed, guide, faint, arrow, thick, slim; /* slim: a thick line of the usual width */
    bool beside;      /* of a line: it has the colour of the line before it */
    int32_t own;      /* it has the colour of group own - 1; 0 = the next one of the palette */
    bool square;      /* of a mark: a square, whatever marks there are */
    bool is_area;     /* of a band or face: */
    int32_t of_group; /* it has the colour of this group of points */
    double strength;  /* of an area: opacity, 0 = the usual; of a face: share of the colour */
    char align; /* of a label that stands just above its point: l, c, r; m = in its place, in the
                   colour of_group; 0 = where there is room */
} cairn_series;

typedef struct cairn_figure_node {
    int parent;
    int depth;
    char *edge, *text;
    bool is_leaf;
    unsigned flags; /* CAIRN_NODE_... */
    int32_t group;
    double *shares;
    size_t n_shares;
} cairn_figure_node;

typedef struct cairn_order_node {
    char *text;
    cairn_order_look look;
} cairn_order_node;

typedef struct cairn_order_line {
    int upper, lower;
    bool path;
} cairn_order_line;

typedef struct cairn_order_key {
    char *label;
    cairn_order_look look;
    bool path; /* a line, not a node */
} cairn_order_key;

typedef struct cairn_heat {
    double *values; /* n_rows x n_columns */
    char **row_names, **column_names;
    size_t n_rows, n_columns;
    double key_values[CAIRN_MOST_HEAT_KEYS];
    char *keys[CAIRN_MOST_HEAT_KEYS];
    size_t n_keys;
} cairn_heat;

typedef struct cairn_dendro {
    cairn_branch *branches; /* n; texts are owned */
    size_t n;               /* 0 = the figure is none */
    cairn_dendro_look look; /* the note is owned */
} cairn_dendro;

typedef struct cairn_figure_range {
    double low, high; /* NaN = from the data */
} cairn_figure_range;

struct cairn_figure {
    cairn_context *ctx; /* used while building only */
    cairn_status status;
    char *name, *title;
    char *subtitle, *legend_title, *grey_name; /* NULL = none */
    double width, height;                      /* 0 = not asked for */
    bool fixed_size;                           /* plots do not grow past it */
    char *x_title, *y_title;
    cairn_figure_range x_range, y_range;
    cairn_scale x_scale, y_scale;
    bool equal_axes, no_axes, stacked;
    bool x_counts, y_counts; /* the axis counts rows: no ticks between whole numbers */
    cairn_series *series;
    size_t n_series, series_capacity;
    size_t counts[CAIRN_N_SERIES_KINDS];
    char **y_names; /* in place of numbers on the y axis; NULL = none */
    size_t n_y_names;
    char **categories; /* of bars, in order of arrival */
    size_t n_categories, categories_capacity;
    cairn_map category_map;  /* names of categories */
    size_t *category_of_key; /* first category of each name */
    size_t keys_capacity;
    cairn_figure_node *nodes; /* parents before children */
    size_t n_nodes, nodes_capacity;
    unsigned tree_form; /* CAIRN_FORM_... */
    char **tree_groups;
    size_t n_tree_groups;
    cairn_order_node *order_nodes;
    size_t n_order_nodes, order_nodes_capacity;
    cairn_order_line *order_lines;
    size_t n_order_lines, order_lines_capacity;
    cairn_order_key *order_keys;
    size_t n_order_keys, order_keys_capacity;
    bool order_arrows;
    cairn_heat heat;
    bool has_heat;
    cairn_dendro dendro;
    cairn_figure **panels;
    size_t n_panels, panels_capacity;
    size_t panel_columns; /* 0 = all in one row */
    cairn_marking marking;
};

/* Number of groups that all points together use, at most 1000. */
size_t cairn_figure_n_groups(const cairn_figure *figure);

/* Whether bars or histograms stand on the zero line. */
bool cairn_figure_is_piled(const cairn_figure *figure);

/* Place of a series in the palette: points first, then bars, histograms, lines. */
size_t cairn_series_colour(const cairn_figure *figure, const cairn_series *series);

#endif
