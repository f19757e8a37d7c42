/* SPDX-License-Identifier: MIT */
/* The journal of a search: every finished evaluation is a line of a file at once, so that a search
 * that was stopped goes on where it was. */
#ifndef CAIRN_EVALUATE_JOURNAL_H
#define CAIRN_EVALUATE_JOURNAL_H

#include "base/context.h"
#include "base/map.h"

enum { CAIRN_JOURNAL_NUMBERS = 5 };

typedef struct cairn_journal {
    const char *path; /* borrowed; NULL = no journal */
    cairn_map keys;
    double *numbers; /* CAIRN_JOURNAL_NUMBERS per key */
    size_t capacity;
    size_t n_found; /* look-ups that were answered */
} cairn_journal;

/* Read what is there. `identity` names the search (data, command, seed); a journal of another one
 * is refused. A last line that was cut short is ignored. */
CAIRN_CHECKED cairn_status cairn_journal_open(cairn_context *ctx, cairn_journal *out,
                                              const char *path, const char *identity);
/* The numbers kept under the key, or NULL. */
const double *cairn_journal_find(cairn_journal *journal, const char *key);
/* Keep numbers and write them through to the disk. */
CAIRN_CHECKED cairn_status cairn_journal_add(cairn_context *ctx, cairn_journal *journal,
                                             const char *key,
                                             const double numbers[CAIRN_JOURNAL_NUMBERS]);
void cairn_journal_clear(cairn_journal *journal);

#endif
