/* SPDX-License-Identifier: MIT */
/* A numeric axis: the range it shows, its ticks with their labels, and where a value falls. */
#ifndef CAIRN_DRAW_AXIS_H
#define CAIRN_DRAW_AXIS_H

#include "base/number.h"
#include "draw/figure.h"

enum { CAIRN_MOST_TICKS = 24 };

typedef struct cairn_axis {
    cairn_scale scale;
    bool whole;       /* what it counts comes whole: no ticks between whole numbers */
    double low, high; /* low < high, finite; positive on a log scale */
    double from, to;  /* places of low and high on the canvas */
    size_t n_ticks;
    double ticks[CAIRN_MOST_TICKS];
    char labels[CAIRN_MOST_TICKS][CAIRN_NUMBER_SIZE];
    char note[2 * CAIRN_NUMBER_SIZE]; /* "×10⁶" when the labels leave it out, else "" */
} cairn_axis;

/* Grow a range (start with NaN, NaN) so that it holds `value`, if an axis of that scale can. */
void cairn_range_include(double *low, double *high, double value, cairn_scale scale);

/* Choose a range that can be drawn from what was asked for (NaN = free) and what the data need
 * (NaN = no data). A free end moves away from the data by the share `pad_*` of the range. */
void cairn_axis_fit(cairn_axis *axis, cairn_scale scale, double asked_low, double asked_high,
                    double data_low, double data_high, double pad_low, double pad_high);

/* Choose about `wanted` ticks (at most twice as many) at round values, and label them. */
void cairn_axis_ticks(cairn_axis *axis, int wanted);

/* The same for an axis of times; false where they are no times or too close together. */
bool cairn_axis_time_ticks(cairn_axis *axis, int wanted);

/* Place of a value on the canvas; NaN when it has none. */
double cairn_axis_place(const cairn_axis *axis, double value);

/* Whether the axis can show the value at all (finite, positive on a log scale). */
bool cairn_axis_shows(const cairn_axis *axis, double value);

/* A number as short as a label needs it: `digits` significant digits, a true minus sign. */
void cairn_label_number(char out[CAIRN_NUMBER_SIZE], double number, int digits);
/* The same with a fixed number of decimals. */
void cairn_label_fixed(char out[CAIRN_NUMBER_SIZE], double number, int decimals);

#endif
