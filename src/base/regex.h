/* SPDX-License-Identifier: MIT */
/* Regular expressions that are matched in time proportional to expression times text, whatever they
 * are: every state of a non-deterministic automaton is followed at once, there is no backtracking.
 *
 *     x        the character itself          .        any character but a line feed
 *     \d \w \s a digit, a word character (letter, digit, _), a blank; \D \W \S the opposite
 *     \b \B    edge of a word, no edge       ^ $      beginning, end of the text
 *     [a-z_]   one of a set, [^...] none of  \. \n \t the character, line feed, tab
 *     ab a|b   one after the other, either   (ab)     a group, (?:ab) the same
 *     a* a+ a? a{2} a{2,} a{2,5}             how often
 *     (?i)     at the very beginning: ignore case
 *
 * Text is UTF-8, characters are code points. */
#ifndef CAIRN_BASE_REGEX_H
#define CAIRN_BASE_REGEX_H

#include "base/context.h"

typedef struct cairn_regex cairn_regex;

/* A wrong expression fails (CAIRN_USAGE) with the position and what was expected there. */
CAIRN_CHECKED cairn_status cairn_regex_new(cairn_context *ctx, cairn_regex **out,
                                           const char *pattern, bool ignore_case);
void cairn_regex_free(cairn_regex *regex); /* NULL is accepted */
CAIRN_CAN_OWN(cairn_regex_free, cairn_regex)

/* Number of matches in the text that do not overlap, each the longest at the first place where one
 * begins; an empty match does not count. With `any` it is 1 as soon as there is one. Not for
 * several threads at once. */
CAIRN_CHECKED cairn_status cairn_regex_count(cairn_context *ctx, cairn_regex *regex,
                                             const char *text, size_t length, bool any,
                                             size_t *out);

#endif
