/* SPDX-License-Identifier: MIT */
/* Calculators: small computations on typed numbers or on a table, for `cairn compute`. */
#ifndef CAIRN_COMPUTE_COMPUTE_H
#define CAIRN_COMPUTE_COMPUTE_H

#include "data/table.h"
#include "entry/entry.h"
#include "report/report.h"

/* What a calculator works on. All borrowed. */
typedef struct cairn_compute_job {
    const void *params;       /* the calculator's parameter struct */
    const cairn_table *table; /* NULL when the command named no data */
    bool steps;               /* show the work */
    cairn_table **result;     /* a calculator whose answer is a table leaves it here, for --out;
                                 NULL = not wanted */
    const char *word;         /* what takes_word asked for; else NULL */
} cairn_compute_job;

typedef struct cairn_calculator {
    cairn_entry entry;     /* kind CAIRN_ENTRY_CALCULATOR */
    const char *arguments; /* "[DATA]" or "" */
    bool takes_data;       /* may be given a table */
    bool takes_word;       /* needs a word, which says what is to be done */
    cairn_status (*run)(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job);
} cairn_calculator;

#endif
