/* SPDX-License-Identifier: MIT */
/* Search spaces: which parameters are varied, and over which values. */
#ifndef CAIRN_EVALUATE_SPACE_H
#define CAIRN_EVALUATE_SPACE_H

#include "evaluate/evaluate.h"

/* One parameter with its values. */
typedef struct cairn_space_axis {
    const char *name;      /* as typed: "max-depth", "impute.method", "with" */
    const char *transform; /* the transform whose parameter it is; NULL = the learner's */
    const char *param;     /* NULL: a whole transform is varied */
    const char **values;   /* in the order of the search: simpler first, as typed */
    size_t n;
    bool is_range;   /* low .. high, for random search; values are its grid */
    bool log, whole; /* a range by factors; of whole numbers */
    double low, high;
} cairn_space_axis;

typedef struct cairn_space {
    cairn_space_axis *axes;
    size_t n;
    const cairn_params *transforms; /* as given, a list; borrowed, may be NULL */
} cairn_space;

/* Lines "name=v1,v2,v3", "name=low:high[:step]" or "name=low:high:xFACTOR". A name is one of the
 * learner's parameters, TRANSFORM.parameter for a transform that --with names, or "with", whose
 * values are whole transforms separated by | ("none" for none). Fails when a parameter, varied or
 * set in `params`, counts at no point. All is scratch, but for `transforms`, which are borrowed. */
CAIRN_CHECKED cairn_status cairn_space_parse(cairn_context *ctx, cairn_space *out, const char *over,
                                             const cairn_params *params,
                                             const cairn_params *transforms);
/* The space that the learner declares in its record, without parameters that are set and those that
 * count at no point. Fails when it declares none, or nothing is left. *over (scratch) becomes the
 * lines that are searched. */
CAIRN_CHECKED cairn_status cairn_space_usual(cairn_context *ctx, cairn_space *out,
                                             const char **over, const cairn_params *params,
                                             const cairn_params *transforms);
/* Number of points of the grid. */
double cairn_space_size(const cairn_space *space);
/* Point i of the grid: one value per axis; the last axis varies fastest. */
void cairn_space_point(const cairn_space *space, size_t i, const char **values);
/* A random point; ranges are drawn between their ends. Values are scratch. */
CAIRN_CHECKED cairn_status cairn_space_draw(cairn_context *ctx, const cairn_space *space,
                                            size_t stream, const char **values);
/* Leave out, as NULL, the values of parameters that do nothing at this point, so that points that
 * differ in such values only are the same. */
CAIRN_CHECKED cairn_status cairn_space_trim(cairn_context *ctx, const cairn_space *space,
                                            const cairn_params *params, const char **values);
/* Settings of a point: a copy of `params` with its values, and the transforms, freed by
 * cairn_settings_clear. What does nothing at this point is not set. */
CAIRN_CHECKED cairn_status cairn_space_settings(cairn_context *ctx, const cairn_space *space,
                                                const char *const *values,
                                                const cairn_params *params, cairn_settings *out);
/* "max-depth=3, impurity=gini" without values that are NULL; scratch. */
CAIRN_CHECKED cairn_status cairn_space_label(cairn_context *ctx, const cairn_space *space,
                                             const char *const *values, const char **out);

#endif
