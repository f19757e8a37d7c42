/* SPDX-License-Identifier: MIT */
/* Models that somebody wrote by hand: the words of the file, the conditions on columns that trees
 * and rules share, and messages that show the place of a mistake.
 *
 * A word is a run of letters, digits and other signs, or anything in "...", '...' or `...` with the
 * quote doubled inside. Signs that stand alone: = != < <= > >= : ; , & ( ) [ ] { }. A # begins a
 * comment that ends with the line. Lines and their indentation are told, not skipped.
 *
 * A text that begins with { is JSON, {"outlook = sunny": {"humidity = high": "no"}, ...}: keys are
 * conditions, values are answers or further objects, and what is told is the same as for lines that
 * are indented. */
#ifndef CAIRN_MODEL_GIVEN_H
#define CAIRN_MODEL_GIVEN_H

#include "base/text.h"
#include "data/schema.h"

typedef struct cairn_given {
    const char *name; /* of the file, for messages */
    const char *text; /* ends with a zero byte */
    size_t length;
} cairn_given;

/* Fail with "NAME, line 3, column 7: ..." and the line with a mark below the place. */
CAIRN_PRINTF(4, 5)
CAIRN_CHECKED cairn_status cairn_given_fail(cairn_context *ctx, const cairn_given *given, size_t at,
                                            const char *format, ...);

typedef enum cairn_word_kind {
    CAIRN_WORD_END,  /* of the file */
    CAIRN_WORD_LINE, /* the end of a line that holds something */
    CAIRN_WORD_NAME, /* a bare or quoted word */
    CAIRN_WORD_SIGN
} cairn_word_kind;

typedef struct cairn_word {
    cairn_word_kind kind;
    bool quoted;
    bool starts_line;
    size_t at;     /* byte in the text */
    size_t indent; /* blanks before the first word of its line; a tab reaches the next eighth */
    char *text;    /* NAME: without quotes, scratch; SIGN: the sign */
} cairn_word;

/* All words, scratch; the last has kind CAIRN_WORD_END. Fails on an open quote and on text that is
 * not UTF-8. */
CAIRN_CHECKED cairn_status cairn_given_words(cairn_context *ctx, const cairn_given *given,
                                             cairn_word **out);
/* The answers that the text names, in the order in which they come: words that end a line behind a
 * colon, "then" or "else". Cleared by the caller. */
CAIRN_CHECKED cairn_status cairn_given_answers(cairn_context *ctx, const cairn_given *given,
                                               cairn_map *out);
bool cairn_word_is(const cairn_word *word, const char *text); /* a bare word or a sign; any case */

/* What a cell must be. Levels: EQUAL and UNEQUAL are about a set of them. */
typedef enum cairn_relation {
    CAIRN_EQUAL,
    CAIRN_UNEQUAL,
    CAIRN_BELOW,
    CAIRN_AT_MOST,
    CAIRN_ABOVE,
    CAIRN_AT_LEAST,
    CAIRN_IS_MISSING
} cairn_relation;

typedef struct cairn_condition {
    size_t column; /* number among the features */
    const cairn_field *field;
    cairn_relation relation;
    double number;   /* number columns */
    int32_t *levels; /* level columns, scratch: EQUAL, UNEQUAL any number of them, else one */
    size_t n_levels;
    size_t at; /* of its first word */
} cairn_condition;

/* Read "outlook = sunny", "outlook = [sunny, rain]", "x <= 2.5", "x = ?" from *words, which moves
 * behind it. A column or level that the schema does not have fails and a near one is suggested. */
CAIRN_CHECKED cairn_status cairn_given_condition(cairn_context *ctx, const cairn_given *given,
                                                 const cairn_word **words,
                                                 const cairn_schema *schema, cairn_condition *out);
/* The class that a word names. */
CAIRN_CHECKED cairn_status cairn_given_class(cairn_context *ctx, const cairn_given *given,
                                             const cairn_word *word, const cairn_schema *schema,
                                             int32_t *out);
/* "the end of the file", "the end of the line", "'word'": for messages. */
const char *cairn_word_show(const cairn_word *word, char out[80]);

/* A name as it can be read again: quoted where it must be. */
void cairn_given_add_name(cairn_text *out, const char *name);
void cairn_given_add_quoted(cairn_text *out, const char *name); /* quoted in any case */

#endif
