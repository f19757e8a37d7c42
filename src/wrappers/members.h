/* SPDX-License-Identifier: MIT */
/* Members: fitted models of one target whose answers are combined, each with a weight.
 *
 * Members are fitted and asked side by side; what they say is put together in their order, so that
 * answers do not depend on the threads. */
#ifndef CAIRN_WRAPPERS_MEMBERS_H
#define CAIRN_WRAPPERS_MEMBERS_H

#include "stats/votes.h"
#include "wrappers/nested.h"

enum { CAIRN_MOST_MEMBERS = 1 << 16, CAIRN_MEMBERS_SHOWN = 8 };

typedef struct cairn_members {
    size_t n;
    double *weights;      /* n, 1 unless somebody sets them */
    cairn_model **models; /* n */
} cairn_members;

CAIRN_CHECKED cairn_status cairn_members_buffer(cairn_context *ctx, cairn_members *out, size_t n);
/* The last thing that a learner archives: models follow. */
extern const cairn_kept cairn_members_keeps[];
/* Member i; NULL at the end. The second is for `member` of a learner whose model begins with its
 * members. */
const cairn_model *cairn_members_at(const cairn_members *members, size_t i);
const cairn_model *cairn_members_first(const void *model, size_t i);
/* The table "weights" of a learner whose model begins with its members. */
extern const cairn_learned cairn_members_tables[];
/* After loading: all members of a model that begins with them are for the job's task and classes.
 */
CAIRN_CHECKED cairn_status cairn_members_check_loaded(cairn_archive *a, const void *model,
                                                      const cairn_job *job);

/* Fit member i; `steps` may be NULL. */
typedef cairn_status (*cairn_member_function)(cairn_context *ctx, void *data, size_t i,
                                              cairn_model **out, cairn_report *steps);
/* All members side by side; steps of the first ones, "memberN." before their names. */
CAIRN_CHECKED cairn_status cairn_members_fit(cairn_context *ctx, cairn_members *members,
                                             const char *who, cairn_report *steps,
                                             cairn_member_function function, void *data);
/* The base fitted to rows of a share of its table; where they have one class only, a model that
 * always answers it. */
CAIRN_CHECKED cairn_status cairn_member_fit_rows(cairn_context *ctx, cairn_model **out,
                                                 const cairn_nested *nested,
                                                 const cairn_table *table, cairn_rows rows,
                                                 cairn_report *steps);
/* Before fits of the base to samples or weights of the view's rows: what they may use together,
 * such as the codes of trees, is made in `buffer`, an empty struct of the caller. Nothing where
 * there are steps, transforms, or columns that are neither numbers nor levels. The second ends it,
 * and is called after a failure too. */
CAIRN_CHECKED cairn_status cairn_members_share(cairn_context *ctx, cairn_nested *nested,
                                               cairn_shared *buffer, const cairn_view *view);
void cairn_members_unshare(cairn_nested *nested);
/* Fails (CAIRN_USAGE) where the rule wants probabilities and the learner gives other scores; the
 * caller says who wants it. */
CAIRN_CHECKED cairn_status cairn_members_allow(cairn_context *ctx, cairn_combining rule,
                                               cairn_task task, const cairn_params *learner);

/* The model's codes of the job's classes, which it may have in another order; NULL = the same ones.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_member_classes(cairn_context *ctx, int32_t **out,
                                                const cairn_model *model, const cairn_job *job);

/* -- asking -- */

/* What a model says of rows of the job's table, row after row: with `width` 1 the job's code of a
 * class or a number, with the number of classes their scores (without scores 1 for its class);
 * NaN = no answer. */
CAIRN_CHECKED cairn_status cairn_member_answers(cairn_context *ctx, double *out, size_t width,
                                                const cairn_model *model, const cairn_job *job,
                                                cairn_rows rows);
/* What all members say of rows first .. first+n-1 of a view: `cells` is members x n x width. */
typedef struct cairn_members_said {
    size_t first, n, width;
    const double *cells;
} cairn_members_said;
typedef cairn_status (*cairn_members_function)(cairn_context *ctx, void *data,
                                               const cairn_members_said *said);
/* Ask for the rows of the job's view, some at a time. A cell is a code, the shares of all classes
 * (rule: probabilities) or a number; NaN = no answer. `skip` (members x rows; NULL = none) says
 * whom not to ask. */
CAIRN_CHECKED cairn_status cairn_members_ask(cairn_context *ctx, const cairn_members *members,
                                             cairn_combining rule, const cairn_job *job,
                                             const uint8_t *skip, cairn_members_function function,
                                             void *data);
/* Member i has its say about the r-th of the rows. */
void cairn_members_say(cairn_poll *poll, const cairn_members *members,
                       const cairn_members_said *said, size_t i, size_t r);
/* For `predict`: all members, combined; `outputs` of a record that uses it. */
extern const cairn_output cairn_members_outputs[];
CAIRN_CHECKED cairn_status cairn_members_predict(cairn_context *ctx, cairn_prediction *out,
                                                 const cairn_members *members, cairn_combining rule,
                                                 const cairn_job *job);
/* The program of a member, and the slot of its class; scores stay in the answer. */
CAIRN_CHECKED cairn_status cairn_member_lower_code(cairn_program *out, const cairn_model *model,
                                                   int32_t *code);
/* For `lower`: the programs of the members, and how their answers become one. */
CAIRN_CHECKED cairn_status cairn_members_lower(cairn_program *out, const cairn_members *members,
                                               cairn_combining rule, const cairn_job *job);

/* The members of a fitted model, borrowed; NULL for any other learner. */
const cairn_members *cairn_bagging_members(const cairn_model *model);
const cairn_members *cairn_vote_members(const cairn_model *model);
const cairn_members *cairn_boost_three_members(const cairn_model *model);
const cairn_members *cairn_adaboost_members(const cairn_model *model);

/* -- showing -- */

/* For `explain`: the vote table of a row. */
void cairn_members_explain(cairn_report *out, const cairn_members *members, cairn_combining rule,
                           const cairn_job *job, size_t row);
/* The same where another rule than a vote decides: who says what, and the classes (one for each
 * member; below 0 = no answer). */
void cairn_members_explain_said(cairn_report *out, const cairn_members *members,
                                const cairn_job *job, size_t row, int32_t *codes);
/* A line per member, then the descriptions of the first ones. */
void cairn_members_describe(cairn_report *out, const cairn_members *members);

#endif
