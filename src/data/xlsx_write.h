/* SPDX-License-Identifier: MIT */
/* Tables as workbooks of Excel. */
#ifndef CAIRN_DATA_XLSX_WRITE_H
#define CAIRN_DATA_XLSX_WRITE_H

#include "base/file.h"
#include "data/table.h"

/* The table as the only sheet of a workbook, names in its first row. */
CAIRN_CHECKED cairn_status cairn_xlsx_write(cairn_context *ctx, const cairn_table *table,
                                            cairn_output_file *file);

#endif
