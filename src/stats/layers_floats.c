/* SPDX-License-Identifier: MIT */
#define REAL         float
#define PASS         cairn_pass_floats
#define MATMUL       cairn_matmul_floats
#define EXP_EACH     cairn_exp_each_floats
#define TANH_EACH    cairn_tanh_each_floats
#define SOFTMAX_ROWS cairn_softmax_rows_floats
#include "stats/layers_body.h"
