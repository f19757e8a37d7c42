/* SPDX-License-Identifier: MIT */
/* Options by the names that other tools and the texts have for them. */
#ifndef CAIRN_ENTRY_OTHER_NAME_H
#define CAIRN_ENTRY_OTHER_NAME_H

#include "entry/entry.h"

/* The options of an entry that others call so. */
typedef struct cairn_other_names {
    const char *first;  /* one that takes the same values; NULL = none */
    const char *second; /* another one, so that it must be asked which is meant; NULL = none */
    const char *near;   /* one whose values are written in another way; NULL = none */
} cairn_other_names;

/* Names compare with - and _ and in small and capital letters alike. */
cairn_other_names cairn_other_name(const char *given, const cairn_entry *entry);

#endif
