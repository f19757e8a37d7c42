/* SPDX-License-Identifier: MIT */
/* Completion: what may stand where a word of a command line is begun. */
#ifndef CAIRN_COMMAND_COMPLETE_H
#define CAIRN_COMMAND_COMPLETE_H

#include "command/command.h"

typedef enum cairn_shell {
    CAIRN_SHELL_NONE,
    CAIRN_SHELL_BASH,
    CAIRN_SHELL_ZSH,
    CAIRN_SHELL_FISH
} cairn_shell;

/* The script that makes a shell ask 'cairn complete'. */
const char *cairn_completion_script(cairn_shell shell);

/* The line up to the cursor, as a shell splits it. */
typedef struct cairn_shell_line {
    char **words; /* quotes taken off; the last is the one that is begun, perhaps empty; scratch */
    size_t n_words;
    char quote;  /* the quote that is open at the end, or 0 */
    size_t skip; /* letters of the last word that stand before what the shell will replace */
} cairn_shell_line;

/* Split as bash does; `breaks` are the letters at which bash begins a new word when it completes
 * (COMP_WORDBREAKS). */
CAIRN_CHECKED cairn_status cairn_shell_split(cairn_context *ctx, cairn_shell_line *out,
                                             const char *line, const char *breaks);
/* A word behind its first `skip` letters, so that bash reads it as it is: inside the open quote, or
 * with backslashes. */
void cairn_shell_add(cairn_text *out, const char *word, size_t skip, char quote);

/* Everything that may stand in the place of the last of the words (the first is the verb), each
 * handed to `offer` with a sentence about it (or NULL). Fails on lack of memory only. */
typedef void cairn_offer_fn(const char *word, const char *help, void *data);
CAIRN_CHECKED cairn_status cairn_complete(cairn_context *ctx, const char *const *words,
                                          size_t n_words, cairn_offer_fn *offer, void *data);
/* Whether the shell has to complete the word itself: a path with ~ or a variable. */
bool cairn_complete_by_shell(const char *word);

#endif
