/* SPDX-License-Identifier: MIT */
/* The options of convert that make a table of a table, and their order. */
#ifndef CAIRN_COMMAND_RESHAPING_H
#define CAIRN_COMMAND_RESHAPING_H

#include "command/command.h"

typedef struct cairn_reshaping { /* options */
    const char *join, *on, *suffix, *join_kinds;
    int how; /* cairn_join_kind */
    bool match_missing;
    const char *unpivot, *names_to, *values_to;
    bool drop_missing;
    const char *group_by, *aggregate, *pivot, *values;
    bool distinct;
    const char *distinct_by;
    double sample; /* below 1 a share, else rows; NaN = all */
    const char *sort;
    int64_t limit; /* -1 = all */
} cairn_reshaping;

extern const cairn_param cairn_reshaping_params[];

/* Refuse settings that contradict each other, before data is read. */
CAIRN_CHECKED cairn_status cairn_reshaping_check(const cairn_command *command,
                                                 const cairn_reshaping *options);
/* Read the table with its roles, joined with the second file where one is named. */
CAIRN_CHECKED cairn_status cairn_reshaping_read(cairn_command *command, cairn_table **out,
                                                const char *path, const cairn_reshaping *options);
/* All other steps, in place of the table: ignored columns go, then unpivot, group or pivot,
 * distinct, sample, sort, limit. Each is told in a remark, and in the report. */
CAIRN_CHECKED cairn_status cairn_reshaping_run(cairn_command *command, cairn_table **table,
                                               const cairn_reshaping *options);
/* Columns that the options tell to ignore go. */
void cairn_reshaping_drop_ignored(cairn_table *table);

#endif
