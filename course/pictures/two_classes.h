/* SPDX-License-Identifier: MIT */
/* For pictures of a feature against one class and the rest. */
#ifndef CAIRN_PICTURES_TWO_CLASSES_H
#define CAIRN_PICTURES_TWO_CLASSES_H

#include "pictures/picture.h"
#include "stats/calibration.h"

typedef struct cairn_two_classes {
    cairn_table *table; /* with a target of levels; freed by the caller */
    cairn_view view;
    int32_t positive;
    const char *name, *other; /* of the class, and of the rest */
    int32_t group[2]; /* colours of the rest and of the class: those that they have elsewhere */
    const char **group_names; /* n_groups, "" where no row is; scratch */
    size_t n_groups;
    int8_t *is_positive; /* per table row: 1, 0, -1 = unknown; scratch */
    double *weights;     /* per table row; scratch */
} cairn_two_classes;

/* `of_class` NULL = the positive one of two. Fails when there is no target of classes. */
CAIRN_CHECKED cairn_status cairn_two_classes_find(cairn_context *ctx, cairn_two_classes *out,
                                                  const cairn_table *table, const char *of_class);

/* Fit a map to a number column of the table; isotonic maps take the better direction. */
CAIRN_CHECKED cairn_status cairn_two_classes_map(cairn_context *ctx, cairn_calibration *out,
                                                 const cairn_two_classes *classes, size_t column,
                                                 cairn_calibration_options options);

#endif
