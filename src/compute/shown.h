/* SPDX-License-Identifier: MIT */
/* Parts of reports that calculators share. */
#ifndef CAIRN_COMPUTE_SHOWN_H
#define CAIRN_COMPUTE_SHOWN_H

#include "report/report.h"

/* Begin a table called "WHAT at the level 95%"; the caller adds columns and rows. */
void cairn_begin_intervals(cairn_report *out, const char *what, double level);

#endif
