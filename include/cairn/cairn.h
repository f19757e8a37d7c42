/* SPDX-License-Identifier: MIT */
/* The whole public API. */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include "cairn/arrow.h"
#include "cairn/base.h"
#include "cairn/columns.h"
#include "cairn/learned.h"
#include "cairn/limits.h"
#include "cairn/matrix.h"
#include "cairn/model.h"
#include "cairn/objects.h"
#include "cairn/plugin.h"
#include "cairn/predict.h"
#include "cairn/predictor.h"
#include "cairn/registry.h"
#include "cairn/report.h"
#include "cairn/reshape.h"
#include "cairn/run.h"
#include "cairn/table.h"
#include "cairn/verbs.h"

#endif
