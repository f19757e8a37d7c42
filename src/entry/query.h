/* SPDX-License-Identifier: MIT */
/* Words that somebody looks for, held against names, synonyms and sentences.
 *
 * Capital letters, hyphens and plurals do not matter, British and American spelling are the same
 * (standardise, standardize; neighbour, neighbor; centre, center), the beginning of a word stands
 * for the whole, and a slip of the pen in a long word is forgiven. */
#ifndef CAIRN_ENTRY_QUERY_H
#define CAIRN_ENTRY_QUERY_H

#include "entry/entry.h"

enum { CAIRN_QUERY_WORDS = 12, CAIRN_WORD_SIZE = 48 };

typedef struct cairn_query {
    char words[CAIRN_QUERY_WORDS][CAIRN_WORD_SIZE]; /* in plain form; words behind the twelfth and
                                                     * small words (the, of) are left out */
    size_t n_words;
    char joined[CAIRN_QUERY_WORDS * CAIRN_WORD_SIZE]; /* all of them without blanks */
} cairn_query;

/* How well a text answers. */
typedef enum cairn_query_answer {
    CAIRN_ANSWER_WHOLE,  /* it is what was looked for: "k-NN" and "knn" */
    CAIRN_ANSWER_WORDS,  /* it has all the words */
    CAIRN_ANSWER_BEGUN,  /* it has them or longer ones that begin so */
    CAIRN_ANSWER_WITHIN, /* all that it says is among the words: "tree" in "picture of a tree" */
    CAIRN_ANSWER_NEAR,   /* it has words that are spelt alike */
    CAIRN_ANSWER_NONE
} cairn_query_answer;

/* The words of a text as they are compared; small ones such as "of" only when there are no others.
 * */
void cairn_query_read(cairn_query *out, const char *text);
/* The text with its words parted at capital letters, GroupKFold as Group K Fold; false = there are
 * none to part, or no room. */
bool cairn_query_part(char *out, size_t size, const char *text);
/* Leave out words that say little, such as "method", "algorithm" and "problem", where others are
 * left; false = there is nothing to leave out. */
bool cairn_query_shorten(cairn_query *query);
/* A query of one of its words, and of n of them, from the first. */
cairn_query cairn_query_word(const cairn_query *query, size_t i);
cairn_query cairn_query_run(const cairn_query *query, size_t first, size_t n);
cairn_query_answer cairn_query_match(const cairn_query *query, const char *text, size_t length);
/* Whether a text is what was looked for, which is far sooner known than how well it answers. */
bool cairn_query_is(const cairn_query *query, const char *text, size_t length);
/* Whether each word of a text is one of the query's, which has more: so many in *left. Words that
 * say little are no answer by themselves. */
bool cairn_query_holds(const cairn_query *query, const char *text, size_t length, size_t *left);

/* How an entry was found, best first. */
typedef enum cairn_found_by {
    CAIRN_FOUND_NAME,
    CAIRN_FOUND_SYNONYM,
    CAIRN_FOUND_TITLE,
    CAIRN_FOUND_OPTION, /* an option or one of its choices has the name */
    CAIRN_FOUND_SUMMARY
} cairn_found_by;

typedef struct cairn_entry_match {
    cairn_found_by by;
    cairn_query_answer answer; /* CAIRN_ANSWER_NONE = it was not found */
    size_t left;               /* words that were looked for beside those within */
    const char *synonym;       /* the one that was met, `length` bytes; NULL = none */
    size_t length;
    const char *settings; /* what has to be set for it, "preset=id3", `n_settings` bytes */
    size_t n_settings;
    const cairn_param *row; /* of an option */
    const char *choice;     /* of its choices; NULL = the option itself */
} cairn_entry_match;

/* Whether the query is the entry's name, one of its synonyms or its title as a whole, and which:
 * what a refused name is held against first, for all entries. */
bool cairn_entry_is_called(const cairn_entry *entry, const cairn_query *query,
                           cairn_entry_match *match);
/* The best way in which the entry's name, one of its synonyms or its title answers the query. */
cairn_entry_match cairn_entry_called(const cairn_entry *entry, const cairn_query *query);
/* The best way in which anything that the entry says answers the query; a summary or an option is
 * never better than what it is called. */
cairn_entry_match cairn_entry_matches(const cairn_entry *entry, const cairn_query *query);
/* The place of a match among others: less is better. */
int cairn_match_score(cairn_found_by by, cairn_query_answer answer);
int cairn_match_place(const cairn_entry_match *match);

/* The entry of the kind that a word names, or NULL: by its name, or by what one entry only is
 * called, its synonyms and titles with their spelling forgiven; match->settings is what a
 * synonym such as "ID3 (preset=id3)" sets, NULL = nothing. */
const cairn_entry *cairn_entry_named(const cairn_context *ctx, cairn_entry_kind kind,
                                     const char *name, cairn_entry_match *match);
/* The same, failing as cairn_entry_get does; that it has another name here is noted. */
CAIRN_CHECKED cairn_status cairn_entry_meant(cairn_context *ctx, const cairn_entry **out,
                                             cairn_entry_kind kind, const char *name,
                                             cairn_entry_match *match);
/* The i-th of several entries of the kind that are called so alike, or NULL. */
const cairn_entry *cairn_entry_reading(const cairn_context *ctx, cairn_entry_kind kind,
                                       const char *name, size_t i, cairn_entry_match *match);
/* Whether an entry of the kind is known under exactly this name, synonym or title. */
bool cairn_entry_known(const cairn_context *ctx, cairn_entry_kind kind, const char *name);
/* The i-th synonym of an entry (its settings cut off into *match), or false. */
bool cairn_entry_synonym(const cairn_entry *entry, size_t i, cairn_entry_match *match);
/* "tree:preset=id3": what to type for a match. */
void cairn_match_type(cairn_text *out, const cairn_entry *entry, const cairn_entry_match *match);

#endif
