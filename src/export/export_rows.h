/* SPDX-License-Identifier: MIT */
/* Rows that a program is checked with. */
#ifndef CAIRN_EXPORT_ROWS_H
#define CAIRN_EXPORT_ROWS_H

#include "export/export.h"

/* Cells and answers of all rows of the table; NULL = rows are made up. */
CAIRN_CHECKED cairn_status cairn_export_take_rows(cairn_export *e, const cairn_table *table);
/* Whether the program answers them as the model does; a difference is a failure. */
CAIRN_CHECKED cairn_status cairn_export_check(cairn_export *e);

#endif
