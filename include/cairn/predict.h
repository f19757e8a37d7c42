/* SPDX-License-Identifier: MIT */
/* What libcairn-predict has: models that were fitted are loaded and answer rows. For programs that
 * do nothing else with Cairn; the library is a fraction of libcairn, with the same bits.
 *
 * It has all functions of cairn/base.h, cairn/limits.h and cairn/predictor.h but
 * cairn_model_predict_with, and of cairn/model.h cairn_model_load, cairn_model_load_memory,
 * cairn_model_free, cairn_model_learner and cairn_model_task. What else the headers declare is in
 * libcairn. A program links one of the two: the functions are the same. */
#ifndef CAIRN_PREDICT_H
#define CAIRN_PREDICT_H

#include "cairn/base.h"
#include "cairn/limits.h"
#include "cairn/model.h"
#include "cairn/predictor.h"

#endif
