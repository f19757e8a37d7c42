/* SPDX-License-Identifier: MIT */
/* The inside of the C4.5 reader, so that tests can give it two texts. */
#ifndef CAIRN_DATA_C45_H
#define CAIRN_DATA_C45_H

#include "data/lines.h"
#include "data/table.h"

/* A table from the text of a names file and that of a data file. */
CAIRN_CHECKED cairn_status cairn_c45_read(cairn_context *ctx, cairn_table **out,
                                          const cairn_lines *names, const cairn_lines *data);

#endif
