/* SPDX-License-Identifier: MIT */
/* What Cairn knows of a column and Arrow has no word for, as notes beside its schema: other tools
 * hand them on or leave them alone, and on the way back nothing is lost. */
#ifndef CAIRN_DATA_ARROW_NOTES_H
#define CAIRN_DATA_ARROW_NOTES_H

#include "data/arrow_nodes.h"
#include "data/table.h"

CAIRN_CHECKED cairn_status cairn_arrow_write_notes(cairn_context *ctx, struct ArrowSchema *schema,
                                                   const cairn_slot *slot);

typedef struct cairn_arrow_noted_column {
    int kind; /* a cairn_kind, or -1 */
    cairn_role role;
    bool ordered;                     /* the levels go from low to high */
    bool found;                       /* the levels are those that were met: nobody declared them */
    char pattern[CAIRN_TIME_PATTERN]; /* "" = none */
} cairn_arrow_noted_column;
/* What is noted; notes of others, and such as no column can have, are as if they were not there. */
cairn_arrow_noted_column cairn_arrow_read_notes(const struct ArrowSchema *schema);

#endif
