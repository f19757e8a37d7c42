/* SPDX-License-Identifier: MIT */
/* Pictures of version spaces of shapes: thresholds, boxes, discs. */
#ifndef CAIRN_COMPUTE_CONCEPTS_SHAPE_FIGURES_H
#define CAIRN_COMPUTE_CONCEPTS_SHAPE_FIGURES_H

#include "plots/number_line.h"
#include "typed/shape_data.h"

/* "17 < m <= 20", without the bounds that there are not; "none". */
void cairn_thresholds_text(char *out, size_t size, const cairn_thresholds *t);
/* The choices of --form: all, then the four forms, where those begin who take one of them. */
enum { CAIRN_ALL_FORMS = -1 };
extern const cairn_choice cairn_form_choices[];
/* ">=" and so on. */
const char *cairn_side_sign(cairn_side side);

/* The points on their line with the room for m shaded. */
CAIRN_CHECKED cairn_status cairn_thresholds_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_shape_data *data,
                                                   const cairn_thresholds *t, cairn_side side,
                                                   cairn_marking marking);

typedef struct cairn_boxes_look {
    const double *special;      /* the tightest box; NULL = not drawn */
    const cairn_boxes *general; /* the largest boxes; NULL = not drawn */
    const cairn_boxes *typed;   /* further boxes; NULL = none */
    bool shade;                 /* the region between */
    cairn_marking marking;
} cairn_boxes_look;

/* Points of two columns with boxes. */
CAIRN_CHECKED cairn_status cairn_boxes_figure(cairn_context *ctx, cairn_figure **out,
                                              const cairn_shape_data *data,
                                              const cairn_boxes_look *look);
/* Boxes from the lines of a repeated option --box: low,high of each column. Clear them. */
CAIRN_CHECKED cairn_status cairn_boxes_read(cairn_context *ctx, cairn_boxes *out, const char *typed,
                                            size_t d);

/* Points of two columns, the region of admissible centres, the smallest disc, and for each typed
 * centre (lines of a repeated option --centre, may be NULL) its smallest and largest circle. */
CAIRN_CHECKED cairn_status cairn_discs_figure(cairn_context *ctx, cairn_figure **out,
                                              const cairn_shape_data *data, const char *centres,
                                              cairn_marking marking);

#endif
