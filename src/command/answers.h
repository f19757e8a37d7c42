/* SPDX-License-Identifier: MIT */
/* Tables for calculators and pictures: data files as they are, or a data file with what models say
 * about its rows. */
#ifndef CAIRN_COMMAND_ANSWERS_H
#define CAIRN_COMMAND_ANSWERS_H

#include "command/command.h"
#include "model/calculator.h"

/* What the record of a calculator or picture takes. */
typedef struct cairn_wanted_sources {
    const char *what; /* "draw roc", for messages */
    bool several;
    cairn_answers answers;
    bool baskets;
} cairn_wanted_sources;

/* Owned tables; cairn_sources_clear frees them. */
typedef struct cairn_sources {
    cairn_table **list;
    size_t n;
    bool answered; /* they hold what models say, not the columns of a file */
    bool training; /* a model was fitted to these very rows: what it says of them is optimistic */
    bool chosen;   /* --target chose among those of a model */
} cairn_sources;

/* The words of the command as tables: one or several data files, or models followed by one data
 * file that holds their target. With scores the option --positive of the inner entry is set to the
 * class that they are of. */
CAIRN_CHECKED cairn_status cairn_command_sources(cairn_command *command, cairn_sources *out,
                                                 const cairn_wanted_sources *wanted);
void cairn_sources_clear(cairn_sources *sources);

/* Options that would do nothing are refused: those about roles of columns that are not among
 * `reads` (CAIRN_READS_...), with the reason `why` (NULL = the usual one) ... */
CAIRN_CHECKED cairn_status cairn_command_refuse_roles(const cairn_command *command,
                                                      const char *what, unsigned reads,
                                                      const char *why);
/* ... those about reading data where there is none, with all about roles but `reads` ... */
CAIRN_CHECKED cairn_status cairn_command_refuse_reading(const cairn_command *command,
                                                        const char *what, unsigned reads);
/* ... and what a calculator or a picture that declares `reads` has no use for. */
CAIRN_CHECKED cairn_status cairn_sources_refuse_unread(const cairn_command *command,
                                                       const char *what, unsigned reads,
                                                       const cairn_sources *sources);

#endif
