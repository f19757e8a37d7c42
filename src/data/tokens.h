/* SPDX-License-Identifier: MIT */
/* Texts to tokens: words, letters or runs of characters, and runs (n-grams) of them.
 *
 * The order of work: fold (normal form, lower case, accents), cut into tokens, leave out stop
 * words, put lemmas in place of words, stems in place of those, then make n-grams; the words of an
 * n-gram are joined by one blank. */
#ifndef CAIRN_DATA_TOKENS_H
#define CAIRN_DATA_TOKENS_H

#include "base/map.h"
#include "base/words.h"

typedef enum cairn_token_unit {
    CAIRN_TOKENS_WORDS,      /* runs of letters, digits and underscores */
    CAIRN_TOKENS_LETTERS,    /* runs of letters */
    CAIRN_TOKENS_CHARACTERS, /* every character; two or more blanks count as one */
    CAIRN_TOKENS_INSIDE      /* characters of what stands between blanks, with a blank around it */
} cairn_token_unit;

/* Words that are replaced by others. A zeroed one is empty. */
typedef struct cairn_lemmas {
    cairn_map words;
    cairn_map lemmas;
    int32_t *of; /* words.n: number of the lemma */
    size_t capacity;
} cairn_lemmas;

typedef struct cairn_token_rules {
    int unit;        /* cairn_token_unit */
    size_t shortest; /* letters of the shortest word */
    cairn_folding folding;
    int min_gram, max_gram;
    const cairn_map *stop;      /* NULL = none */
    const cairn_lemmas *lemmas; /* NULL = none */
    const char *stem;           /* language; NULL = no stems */
} cairn_token_rules;

/* Working memory for one thread. */
typedef struct cairn_tokeniser {
    cairn_context *ctx;
    cairn_token_rules rules;
    cairn_stemmer *stemmer;
    cairn_folded folded;
    char *joined; /* the tokens that are left, with blanks between */
    size_t joined_length, joined_capacity;
    size_t *begins, *ends; /* of the tokens in `joined` (words) or `folded` (characters) */
    size_t n, begins_capacity, ends_capacity;
} cairn_tokeniser;

/* Stop words and lemmas of the rules are borrowed; one tokeniser serves one thread. It may be
 * cleared also when this fails. */
CAIRN_CHECKED cairn_status cairn_tokeniser_start(cairn_context *ctx, cairn_tokeniser *out,
                                                 const cairn_token_rules *rules);
void cairn_tokeniser_clear(cairn_tokeniser *tokeniser);

/* Takes one token; it is borrowed for the call. */
typedef cairn_status (*cairn_token_sink)(void *data, const char *token, size_t length);
/* All tokens of a text (valid UTF-8), every length of n-gram after the other. */
CAIRN_CHECKED cairn_status cairn_tokenise(cairn_tokeniser *tokeniser, const char *text,
                                          size_t length, cairn_token_sink sink, void *data);

/* The English words that say little about a subject. */
CAIRN_CHECKED cairn_status cairn_stop_words(cairn_context *ctx, cairn_map *out);
/* The lines of a file, without blanks around them and without empty ones. */
CAIRN_CHECKED cairn_status cairn_words_read(cairn_context *ctx, cairn_map *out, const char *path);
/* A file of lines "word=lemma" or "word lemma", folded as the texts are. */
CAIRN_CHECKED cairn_status cairn_lemmas_read(cairn_context *ctx, cairn_lemmas *out,
                                             const char *path, const cairn_folding *folding);
void cairn_lemmas_clear(cairn_lemmas *lemmas);

#endif
