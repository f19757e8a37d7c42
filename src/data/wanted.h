/* SPDX-License-Identifier: MIT */
/* What a command uses of a table, known before it is read. Formats that store columns apart read no
 * others, and leave out groups of rows in which no row can be one that is kept; all others read
 * everything. Rows and columns that nobody wants may be there, so who sets it drops them. */
#ifndef CAIRN_DATA_WANTED_H
#define CAIRN_DATA_WANTED_H

#include "data/table.h"

typedef struct cairn_wanted {
    const char **only; /* n_only names; NULL = all but those without */
    const char *
        *without;      /* n_without that are not used. Where a name of these two is not there, all
                           * columns are read, so that a message can say what there is */
    const char **also; /* n_also, beside the columns to which the file gives a role; they need not
                           * be there */
    size_t n_only, n_also, n_without;
    const char *where; /* rows for which this does not hold are dropped later; NULL = none */
    bool *narrowed;    /* set when columns were left out; may be NULL */
} cairn_wanted;

/* Whether each of n columns with these names is used; `has_role` says to which the file gives
 * one. False in *narrows when all are. */
CAIRN_CHECKED cairn_status cairn_wanted_columns(cairn_context *ctx,
                                                const cairn_read_options *options,
                                                const char *const *names, const bool *has_role,
                                                size_t n, bool *used, bool *narrows);

#endif
