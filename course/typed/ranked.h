/* SPDX-License-Identifier: MIT */
/* Rankings for the calculators: from scores and labels, from a table of cut-offs, from groups with
 * counts (leaves, clusters), or typed as segments. */
#ifndef CAIRN_TYPED_RANKED_H
#define CAIRN_TYPED_RANKED_H

#include "model/calculator.h"
#include "stats/ranking.h"

typedef struct cairn_ranked_option {
    const char *segments;
    const char *score, *positive;
    int low;                                 /* low scores speak for the positive class; -1 = those
                                                of a column of ranks do */
    const char *hits, *misses, *size, *rate; /* columns of groups */
    const char *positives, *negatives;       /* totals of a table of cut-offs */
    int order;                               /* of segments and groups */
    const char *fit;                         /* learners that rank held-out rows, a line each */
} cairn_ranked_option;

extern const cairn_param cairn_ranked_group[];

typedef struct cairn_ranked {
    cairn_ranking ranking;
    const char *name;         /* of the score, or of a typed ranking; may be NULL */
    const char *positive;     /* name of the positive class; NULL when typed */
    const char **split_names; /* n + 1 names of cut-offs (NULL where none was given), or NULL */
    const char **item_names;  /* n names of the segments, or NULL */
    bool low;                 /* low scores speak for the positive class */
    bool scored;              /* the scores mean something: thresholds can be told */
    size_t left_out;          /* rows without score or label */
    /* of scores and classes: the rows themselves, for tests of two scores; else NULL */
    const double *scores, *weights;
    const int8_t *classes;
    size_t n_rows;
} cairn_ranked;

/* From the options, else from the tables; --score may name several columns, and there may be
 * several tables: `which` chooses one ranking and *n_rankings tells their number. Scratch. `what`
 * is the command ("compute roc"), for messages. */
CAIRN_CHECKED cairn_status cairn_read_ranked(cairn_context *ctx, cairn_ranked *out,
                                             const cairn_ranked_option *option, cairn_tables tables,
                                             size_t which, size_t *n_rankings, const char *what);
/* The same for commands that take a single ranking; more than one is refused. */
CAIRN_CHECKED cairn_status cairn_read_one_ranked(cairn_context *ctx, cairn_ranked *out,
                                                 const cairn_ranked_option *option,
                                                 const cairn_table *table, const char *what);
/* What was read, in a line or two: the positive class, totals, rows left out. */
void cairn_show_ranked(cairn_report *out, const cairn_ranked *ranked);
/* "[20+,5-][10+,5-]", cut after some segments. */
void cairn_show_notation(cairn_report *out, const cairn_ranking *ranking);
/* Where split s lies: ">2", "1..2", "<-1", or the name of the cut-off. */
void cairn_split_text(char out[96], const cairn_ranked *ranked, size_t s);

#endif
