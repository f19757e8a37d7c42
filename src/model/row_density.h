/* SPDX-License-Identifier: MIT */
/* How probable a model makes rows, where its learner says that: the column log_density (of a
 * density in the units that it sees) or log_likelihood (of a sequence) among its outputs, and
 * beside it the column steps, of how many steps of the row that is. */
#ifndef CAIRN_MODEL_ROW_DENSITY_H
#define CAIRN_MODEL_ROW_DENSITY_H

#include "model/model.h"

bool cairn_learner_has_density(const cairn_learner *learner);
bool cairn_model_has_density(const cairn_model *model);

typedef struct cairn_row_density {
    const double *logs;  /* of every row of the prediction; NULL = the model does not say */
    const double *steps; /* NULL = rows are not made of steps */
} cairn_row_density;
/* From a prediction whose further columns were wanted, and whose they stay. */
cairn_row_density cairn_row_density_of(const cairn_prediction *prediction);

/* What one unit of the data is in a column that the learner saw. */
double cairn_density_scale(const cairn_model *model, const char *column);
/* Densities of rows of a view as the learner sees them, in the units of the data: ln of the scale
 * of every number that is there is added. Scratch; what came where no column is scaled. */
CAIRN_CHECKED cairn_status cairn_density_restore(cairn_context *ctx, const double **logs,
                                                 const cairn_model *model, const cairn_view *view);
/* The mean of ln f, by weight and in the units of the data, over the rows of a raw table that were
 * predicted; NaN = the model does not say. */
CAIRN_CHECKED cairn_status cairn_row_density_mean(cairn_context *ctx, double *out,
                                                  const cairn_model *model,
                                                  const cairn_table *table, cairn_rows rows,
                                                  const cairn_prediction *prediction);

#endif
