/* SPDX-License-Identifier: MIT */
/* Pictures of a number line: points of classes, shaded intervals, cut points, marked values. */
#ifndef CAIRN_PLOTS_NUMBER_LINE_H
#define CAIRN_PLOTS_NUMBER_LINE_H

#include "draw/figure.h"
#include "entry/entry.h"

/* shapes, hollow, signs; as cairn_marking */
extern const cairn_choice cairn_marking_choices[];

typedef struct cairn_span {
    double low, high; /* infinite without a bound */
    bool low_open, high_open;
    const char *text; /* above it; NULL = none */
} cairn_span;

typedef struct cairn_marked {
    double at;
    const char *text;
} cairn_marked;

typedef struct cairn_number_line {
    const double *x;       /* n; NaN is left out */
    const int32_t *groups; /* n; NULL = all alike */
    size_t n;
    const char *const *group_names;
    size_t n_groups;
    cairn_marking marking;
    double low, high; /* of the axis; NaN = from what is on it */
    const cairn_span *spans;
    size_t n_spans;
    const char *span_label; /* of the shaded intervals, in the legend */
    const double *cuts;     /* ascending */
    size_t n_cuts;
    const char *const *parts;  /* n_cuts + 1 names of the pieces between; NULL = none */
    const cairn_marked *marks; /* values with a sign of their own above the line */
    size_t n_marks;
    const char *axis;  /* what is on it */
    cairn_scale scale; /* of times: labelled by the calendar */
} cairn_number_line;

/* What the line holds is copied; equal points are piled up. */
CAIRN_CHECKED cairn_status cairn_number_line_figure(cairn_context *ctx, cairn_figure **out,
                                                    const cairn_number_line *line, const char *name,
                                                    const char *title);

#endif
