/* SPDX-License-Identifier: MIT */
/* Learners of tests: see buffer_learners.c. */
#ifndef CAIRN_TESTS_BUFFER_LEARNERS_H
#define CAIRN_TESTS_BUFFER_LEARNERS_H

#include "model/learner.h"

extern const cairn_learner cairn_label_items, cairn_gaps;

#endif
