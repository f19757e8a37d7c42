/* SPDX-License-Identifier: MIT */
/* The tree that a calculator or picture is about: of a table of merges (or a Newick file), of a
 * model of `hierarchy`, or made of the rows of a table. */
#ifndef CAIRN_COMPUTE_DENDROGRAM_SOURCE_H
#define CAIRN_COMPUTE_DENDROGRAM_SOURCE_H

#include "learners/cluster/hierarchy.h"
#include "model/calculator.h"

/* A group of parameters. */
typedef struct cairn_dendrogram_options {
    const char *learner, *with;
    const cairn_params *transforms;     /* what `with` stands for */
    int scale;                          /* cairn_scale_choice */
    const cairn_params *learner_params; /* what the text `learner` stands for */
    int clusters;                       /* 0 = no cut by number */
    double cut;                         /* NaN = no cut at a height */
} cairn_dendrogram_options;
extern const cairn_param cairn_dendrogram_options_group[];

typedef struct cairn_dendrogram_source {
    const cairn_dendrogram *tree;
    const char *title;        /* "average linkage of iris.csv"; scratch */
    const char *height;       /* what heights are, of which columns; NULL = not known */
    const char *scaled;       /* how the learner saw number columns; NULL = in their units */
    cairn_dendrogram own;     /* of a table of merges */
    cairn_model *fitted;      /* of rows */
    const cairn_model *model; /* this or the one that was named; NULL = there is none */
    cairn_table *seen;        /* the leaves' rows as the learner sees them; NULL = not known */
    bool has_cut;
    cairn_cut cut; /* scratch */
} cairn_dendrogram_source;

/* `linkage` (NULL = as the options say) is put in the place of the learner's. */
CAIRN_CHECKED cairn_status cairn_dendrogram_source_open(cairn_context *ctx,
                                                        cairn_dendrogram_source *out,
                                                        const cairn_compute_job *job,
                                                        const cairn_dendrogram_options *options,
                                                        const char *linkage, cairn_report *steps);
void cairn_dendrogram_source_clear(cairn_dendrogram_source *source);

/* All pairs of the leaves' distances as the learner saw them, in the order of cairn_pair_at
 * (scratch); *out is NULL where they are not known. */
CAIRN_CHECKED cairn_status cairn_dendrogram_source_pairs(cairn_context *ctx, double **out,
                                                         const cairn_dendrogram_source *source);

#endif
