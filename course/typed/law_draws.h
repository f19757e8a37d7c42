/* SPDX-License-Identifier: MIT */
/* Numbers drawn from a named law, shown and as a table. */
#ifndef CAIRN_TYPED_LAW_DRAWS_H
#define CAIRN_TYPED_LAW_DRAWS_H

#include "data/table.h"
#include "report/report.h"
#include "stats/laws.h"

typedef struct cairn_law_draws {
    const cairn_law *law;
    double a, b;                       /* its parameters */
    size_t n;                          /* at least 1 */
    const char *title, *head, *column; /* of the table shown; of the column of the table made */
} cairn_law_draws;

/* The first of them with the values draw1, draw2 ..., their mean as draws.mean, and all of them in
 * *result, which may be NULL. */
CAIRN_CHECKED cairn_status cairn_show_law_draws(cairn_context *ctx, cairn_report *out,
                                                const cairn_law_draws *draws, cairn_table **result);

#endif
