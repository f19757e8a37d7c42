/* SPDX-License-Identifier: MIT */
/* Texts as sequences of words, and the passages that they share. */
#ifndef CAIRN_TRANSFORMS_PASSAGES_H
#define CAIRN_TRANSFORMS_PASSAGES_H

#include "data/tokens.h"

/* The words of one text, folded: hashes for comparing, and the words side by side with a blank
 * before, between and behind them. Reuse one for many texts; a zeroed one is empty. */
typedef struct cairn_passage {
    uint64_t *hashes; /* n, of the words */
    size_t n, capacity;
    char *joined;
    size_t length, joined_capacity;
    cairn_context *ctx;
} cairn_passage;

/* Reading replaces the text before; the tokeniser must cut single words. */
void cairn_passage_clear(cairn_passage *passage);
CAIRN_CHECKED cairn_status cairn_passage_read(cairn_passage *out, cairn_tokeniser *tokeniser,
                                              const char *text, size_t length);

/* Words of the longest run that stands in both texts. */
CAIRN_CHECKED cairn_status cairn_passage_longest(cairn_context *ctx, const cairn_passage *a,
                                                 const cairn_passage *b, size_t *out);

/* The hash of words first .. first+n-1. */
uint64_t cairn_passage_hash(const cairn_passage *passage, size_t first, size_t n);

#endif
