/* SPDX-License-Identifier: MIT */
/* Parts of reports that calculators share. */
#include "compute/shown.h"

#include "base/number.h"

#include <stdio.h>

void cairn_begin_intervals(cairn_report *out, const char *what, double level)
{
    char title[160], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(percent, 100 * level, 4);
    snprintf(title, sizeof title, "%.80s at the level %s%%", what, percent);
    cairn_report_table_begin(out, title, (size_t)-1);
}
