/* SPDX-License-Identifier: MIT */
/* The words of a text column with their frequencies, and bags made with them. */
#ifndef CAIRN_TRANSFORMS_LEXICON_H
#define CAIRN_TRANSFORMS_LEXICON_H

#include "base/kept.h"
#include "base/archive.h"
#include "data/tokens.h"
#include "data/view.h"

/* A zeroed one is empty. */
typedef struct cairn_draft cairn_draft;
typedef struct cairn_lexicon {
    cairn_map words;
    double *documents; /* words.n: training rows that have the word */
    double *totals;    /* words.n: how often it stands there in all */
    double n_documents;
    double n_tokens;
    size_t n_found;     /* different words before any was left out */
    cairn_draft *draft; /* words of the rows that were learned from, when asked for; else NULL */
} cairn_lexicon;

/* The draft is freed, too, but never archived. */
void cairn_lexicon_clear(cairn_lexicon *lexicon);
extern const cairn_kept cairn_lexicon_keeps[];

/* The text of a row of a text or level column; NULL when it is missing. */
const char *cairn_text_at(const cairn_column *column, size_t row, size_t *length);

/* With `keep`, and when the view has all rows of the table, what was found in them stays for
 * cairn_lexicon_bag_learned.
 *
 * All words of a text or level column over the view's rows (those of weight 0 do not count), in the
 * order of their bytes, which is that of their code points. */
CAIRN_CHECKED cairn_status cairn_lexicon_learn(cairn_context *ctx, cairn_lexicon *out,
                                               const cairn_token_rules *rules,
                                               const cairn_view *view, const cairn_column *column,
                                               bool keep);

typedef struct cairn_lexicon_limits {
    double min_documents, max_documents; /* rows that a word stands in */
    size_t max_words;                    /* most frequent ones, ties by order; 0 = all */
} cairn_lexicon_limits;
/* Leave out what is beyond the limits; the order stays. */
CAIRN_CHECKED cairn_status cairn_lexicon_prune(cairn_context *ctx, cairn_lexicon *lexicon,
                                               const cairn_lexicon_limits *limits);
/* Keep the given words only, in their order; those that were not found have frequency 0. */
CAIRN_CHECKED cairn_status cairn_lexicon_pick(cairn_context *ctx, cairn_lexicon *lexicon,
                                              const cairn_map *words);

typedef struct cairn_bag_options {
    double cap; /* larger counts become this; 0 = no cap */
    bool bits;  /* present or not */
    bool keep_missing;
} cairn_bag_options;
/* A bag column of a text or level column: counts of the given words. `unknown` (n_rows numbers, or
 * NULL) gets the number of other words. */
CAIRN_CHECKED cairn_status cairn_lexicon_bag(cairn_context *ctx, cairn_column **out,
                                             const cairn_map *words, const cairn_token_rules *rules,
                                             const cairn_column *column,
                                             const cairn_bag_options *options, double *unknown);
/* The same from the draft of the rows that the words were learned from, which is used up. */
CAIRN_CHECKED cairn_status cairn_lexicon_bag_learned(cairn_context *ctx, cairn_column **out,
                                                     cairn_lexicon *lexicon,
                                                     const cairn_column *column,
                                                     const cairn_bag_options *options,
                                                     double *unknown);

#endif
