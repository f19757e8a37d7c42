/* SPDX-License-Identifier: MIT */
/* Members as a user describes them: a learner and its parameters, or a saved model; the columns it
 * sees, the rows it learns from, its weight.
 *
 * They come from lists of specs and files, or from a description file: a table with a row per
 * member and some of these columns,
 *
 *     learner   a spec such as tree:max-depth=3
 *     model     a file with a saved model, in place of a learner
 *     with      transforms before the learner, with ; between them
 *     columns   names of the columns that it sees, with , between them
 *     rows      rows of the data that it learns from, such as 1-75
 *     sample    size of a sample drawn with replacement, as a share of its rows
 *     seed      start of its random numbers, such as those of a network's first weights
 *     weight    its weight
 *
 * An empty cell leaves the thing as it is. */
#ifndef CAIRN_WRAPPERS_MEMBER_PLAN_H
#define CAIRN_WRAPPERS_MEMBER_PLAN_H

#include "wrappers/members.h"

typedef struct cairn_member_plan {
    cairn_params *learner;    /* NULL = a saved model */
    const char *model;        /* its file */
    cairn_params *transforms; /* a list; NULL = none */
    const char *columns;      /* NULL = all */
    const char *rows;         /* NULL = all */
    double sample;            /* 0 = the rows as they are */
    double seed, weight;      /* NaN = not told */
} cairn_member_plan;

typedef struct cairn_member_plans {
    const char *who; /* the wrapper, for messages */
    size_t n;
    cairn_member_plan *list;
} cairn_member_plans;

/* Parameters, first in the struct of a wrapper with several members. */
typedef struct cairn_member_params {
    const char *member, *model, *with; /* lines */
    const cairn_params *transforms;    /* what `with` stands for */
    const char *members_file;
} cairn_member_params;
extern const cairn_param cairn_member_table[];
#define CAIRN_MEMBER_PARAMS(S) CAIRN_PARAM_GROUP(S, described, cairn_member_table)

/* The members that the parameters describe, in the order of specs, models and lines of the file;
 * `usual` (lines) where they describe none. Scratch, but for what cairn_member_plans_close frees,
 * also after a failure. */
CAIRN_CHECKED cairn_status cairn_member_plans_open(cairn_context *ctx, cairn_member_plans *out,
                                                   const char *who, const cairn_member_params *p,
                                                   const char *usual);
void cairn_member_plans_close(cairn_member_plans *plans);
/* For the `check` of a record: what can be checked without reading files. */
CAIRN_CHECKED cairn_status cairn_member_plans_check(cairn_context *ctx, const char *who,
                                                    const cairn_member_params *p);
/* For `tasks_of`: what all learners can do. */
CAIRN_CHECKED cairn_status cairn_member_plans_tasks(cairn_context *ctx,
                                                    const cairn_member_params *p, const char *usual,
                                                    unsigned *out);
/* Member i of the job, learning from those of `rows` that it is to learn from; a saved model is
 * loaded, and refused where it is about another target. */
CAIRN_CHECKED cairn_status cairn_member_plan_fit(cairn_context *ctx, cairn_model **out,
                                                 const cairn_member_plans *plans, size_t i,
                                                 const cairn_job *job, cairn_rows rows,
                                                 cairn_report *steps);

#endif
