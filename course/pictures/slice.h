/* SPDX-License-Identifier: MIT */
/* What models say over the plane of two number columns: places are asked with the other columns
 * held at one value each, so that what is drawn is a slice through the model. Transforms of the
 * model are applied everywhere. */
#ifndef CAIRN_PICTURES_SLICE_H
#define CAIRN_PICTURES_SLICE_H

#include "base/text.h"
#include "draw/contour.h"
#include "pictures/picture.h"

/* A grid of n x n cells; centre (i, j) has the number j n + i. */
typedef struct cairn_model_slice {
    const cairn_table *table;
    const cairn_model *model;
    const char *at; /* COLUMN=VALUE, ...: where other columns are held; NULL = mean or mode */
    size_t x, y, n; /* columns of the table; cells along a side */
    double low[2], step[2];
} cairn_model_slice;

/* Where the model is asked; scratch. */
typedef struct cairn_places {
    double *x, *y;
    size_t n;
} cairn_places;

double cairn_slice_edge(const cairn_model_slice *plane, int axis, size_t i);
double cairn_slice_centre(const cairn_model_slice *plane, int axis, size_t i);

/* The range of both columns with a margin. */
CAIRN_CHECKED cairn_status cairn_slice_range(cairn_context *ctx, cairn_model_slice *plane);
/* The columns: the named ones, else of the number features of the model those that it loses most
 * without, by shuffles among some of the rows; the first ones where that cannot be told. */
CAIRN_CHECKED cairn_status cairn_slice_columns(cairn_context *ctx, cairn_model_slice *plane,
                                               const char *x, const char *y);

/* "held: age 29.7, sex male" of the model's other features into `text`; nothing where there are
 * none. */
CAIRN_CHECKED cairn_status cairn_slice_held(cairn_context *ctx, const cairn_model_slice *plane,
                                            cairn_text *text);

CAIRN_CHECKED cairn_status cairn_places_new(cairn_context *ctx, cairn_places *out, size_t most);
void cairn_places_add(cairn_places *places, double x, double y);

/* What the model says at the places, with scores of classes and further columns if it has them and
 * they are wanted. */
CAIRN_CHECKED cairn_status cairn_slice_ask(cairn_context *ctx, cairn_prediction *out,
                                           const cairn_model_slice *plane,
                                           const cairn_places *places, cairn_predict_wants wants);
/* The same at the centres of all cells. */
CAIRN_CHECKED cairn_status cairn_slice_ask_all(cairn_context *ctx, cairn_prediction *out,
                                               const cairn_model_slice *plane,
                                               cairn_predict_wants wants);

/* The table with the two columns as its only features. */
CAIRN_CHECKED cairn_status cairn_slice_table(cairn_context *ctx, cairn_table **out,
                                             const cairn_table *table, size_t x, size_t y);
/* A learner (a spec) fitted to the two columns and the target of the table, behind transforms
 * (a list; NULL = none); and one that is fitted to all features. */
CAIRN_CHECKED cairn_status cairn_slice_fit(cairn_context *ctx, cairn_model **out,
                                           const cairn_table *table, size_t x, size_t y,
                                           const char *spec, const cairn_params *transforms);
CAIRN_CHECKED cairn_status cairn_slice_fit_all(cairn_context *ctx, cairn_model **out,
                                               const cairn_table *table, const char *spec);

/* Whether the scores are probabilities: none is negative, and all of a place sum to 1. */
bool cairn_scores_are_probabilities(const cairn_prediction *said);
/* The class whose probability is drawn: the one named by {of-class}, else the positive one, else
 * the first. */
CAIRN_CHECKED cairn_status cairn_slice_class(cairn_context *ctx, size_t *out,
                                             const cairn_model *model, const char *name);

/* Where the model changes its answer: between classes where the largest two scores are equal (or,
 * without scores, along the sides of cells), for numbers where it predicts half-way between the
 * two values that the target has. Scratch. */
CAIRN_CHECKED cairn_status cairn_slice_boundary(cairn_context *ctx, cairn_contour *out,
                                                const cairn_model_slice *plane);

/* The two values of numbers that have no more; false when there are more or fewer. */
bool cairn_two_values(const double *numbers, size_t n, double value[2]);

#endif
