/* SPDX-License-Identifier: MIT */
/* Entries that a program registered in its context, beside those of the library (cairn/plugin.h).
 * Settings, and through them models, may outlive the context: an entry lives until the last of
 * them lets go. */
#ifndef CAIRN_ENTRY_OWN_H
#define CAIRN_ENTRY_OWN_H

#include "cairn/plugin.h"
#include "entry/entry.h"

typedef struct cairn_own {
    int holders;            /* atomic; the one who makes it is the first */
    cairn_param *params;    /* of the entry, made of the record's */
    cairn_choice **choices; /* of each of them; NULL = none */
    size_t n_params;
    char example[80]; /* a command line, where the record has none */
} cairn_own;

/* One more holder, and one less: nothing for entries of the library. */
void cairn_entry_hold(const cairn_entry *entry);
void cairn_entry_drop(const cairn_entry *entry);

/* What records of all kinds say of themselves. */
typedef struct cairn_own_words {
    cairn_entry_kind kind;
    const char *name, *title, *summary, *also, *example;
    const cairn_plugin_param *params;
    size_t params_size;
} cairn_own_words;

/* Fill the entry of a record of the library, which lies in one zeroed block (NEW) that begins with
 * its cairn_own: from here on cairn_entry_drop frees the block. Checks name and parameters
 * (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_own_fill(cairn_context *ctx, cairn_own *own, cairn_entry *entry,
                                          const cairn_own_words *words);
/* Make it known in the context, which holds it, too. */
CAIRN_CHECKED cairn_status cairn_own_register(cairn_context *ctx, cairn_entry *entry);

/* How a function of a record ended: a status that there is, and a message even where the function
 * left none. `what` is what it was asked for, "fit". */
CAIRN_CHECKED cairn_status cairn_own_ended(cairn_context *ctx, const cairn_entry *entry,
                                           const char *what, cairn_status status);
/* To be called before it. */
void cairn_own_begins(cairn_context *ctx);

/* Fails (CAIRN_USAGE) where a record lacks something that it needs. */
CAIRN_CHECKED cairn_status cairn_own_needs(cairn_context *ctx, const char *name, const char *field,
                                           bool there);

#endif
