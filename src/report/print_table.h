/* SPDX-License-Identifier: MIT */
/* Tables for a terminal, used by the printer of text. */
#ifndef CAIRN_REPORT_PRINT_TABLE_H
#define CAIRN_REPORT_PRINT_TABLE_H

#include "report/document.h"

/* Add the table without its title, at most options->width cells wide. */
void cairn_text_add_table(cairn_text *out, const cairn_report_table *table,
                          const cairn_print_options *options);

#endif
