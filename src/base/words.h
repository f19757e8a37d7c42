/* SPDX-License-Identifier: MIT */
/* Letters and words of Unicode text: classes of letters, case, normal forms, accents, stems. What
 * utf8proc and Snowball know is reached through here only. */
#ifndef CAIRN_BASE_WORDS_H
#define CAIRN_BASE_WORDS_H

#include "base/context.h"

enum { CAIRN_IS_LETTER = 1, CAIRN_IS_DIGIT = 2, CAIRN_IS_SPACE = 4, CAIRN_IS_UPPER = 8 };

/* The letter (a code point) that valid UTF-8 begins with, not at its end; *length gets its bytes.
 * A byte that is not UTF-8 is U+FFFD of one byte. */
int32_t cairn_letter_decode(const char *text, size_t left, size_t *length);
size_t cairn_letter_encode(int32_t letter, char out[4]);
/* CAIRN_IS_...: a letter is of Unicode category L, a digit of category N; an upper-case letter is
 * Lu or Lt. */
unsigned cairn_letter_class(int32_t letter);
/* The same letter in lower or upper case, letter for letter. */
int32_t cairn_letter_lower(int32_t letter);
int32_t cairn_letter_upper(int32_t letter);

typedef enum cairn_form {
    CAIRN_FORM_NONE,
    CAIRN_FORM_COMPOSED,  /* NFC: one code point where there is one */
    CAIRN_FORM_COMPATIBLE /* NFKC: ligatures, wide and styled letters become plain ones, too */
} cairn_form;

/* How text is made comparable: form first, then lower case (with the rule for a sigma at the end of
 * a word), then accents off (NFKD without combining marks). */
typedef struct cairn_folding {
    int form; /* cairn_form */
    bool lower;
    bool strip_accents;
} cairn_folding;

/* Folded text in growing memory: reuse one for many texts. A zeroed one is empty. */
typedef struct cairn_folded {
    char *bytes;
    size_t length, capacity;
    int32_t *letters; /* working memory */
    size_t letters_capacity;
} cairn_folded;

/* Fold valid UTF-8 (bytes that are not count as U+FFFD). Text of ASCII alone takes a short way. */
CAIRN_CHECKED cairn_status cairn_fold(cairn_context *ctx, cairn_folded *out,
                                      const cairn_folding *folding, const char *text,
                                      size_t length);
void cairn_folded_clear(cairn_folded *folded);

/* Stems by the Snowball algorithms ("english", "porter", "german" ...). Not for several threads at
 * once. */
typedef struct cairn_stemmer cairn_stemmer;
CAIRN_CHECKED cairn_status cairn_stemmer_new(cairn_context *ctx, cairn_stemmer **out,
                                             const char *language);
/* The stem, borrowed until the next call; the word itself when there is no memory for it. */
const char *cairn_stem(cairn_stemmer *stemmer, const char *word, size_t *length);
void cairn_stemmer_free(cairn_stemmer *stemmer); /* NULL is accepted */

/* What is left of a word without case, accents, blanks, hyphens and underscores: two spellings of
 * the same have the same key. A word of nothing else stays. */
CAIRN_CHECKED cairn_status cairn_spelling_key(cairn_context *ctx, cairn_folded *out,
                                              const char *text, size_t length);

#endif
