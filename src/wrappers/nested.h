/* SPDX-License-Identifier: MIT */
/* What learners that wrap another one share: the wrapped learner's settings, models of parts of
 * the rows, scores of rows that were held out, and the description of a model inside a model.
 *
 * A wrapper has the parameters `learner` (a spec, the base) and `with` (transforms that belong
 * to the base and are fitted again wherever it is), and accepts raw columns: the model
 * inside brings its own chain. */
#ifndef CAIRN_WRAPPERS_NESTED_H
#define CAIRN_WRAPPERS_NESTED_H

#include "stats/judged.h"
#include "wrappers/parts.h"

/* First in the parameter struct of every wrapper. */
typedef struct cairn_wrapper_params {
    const char *base;
    const cairn_params *learner;    /* what `base` stands for */
    const char *with;               /* lines */
    const cairn_params *transforms; /* what they stand for */
} cairn_wrapper_params;

/* The rows of the group: the base with its default, and the transforms. */
#define CAIRN_WRAPPER_BASE(INITIAL)                                                                \
    {                                                                                              \
        .name = "learner", .was = "base", .type = CAIRN_TYPE_SPEC, .initial = INITIAL,             \
        .offset = offsetof(cairn_wrapper_params, base),                                            \
        .object = offsetof(cairn_wrapper_params, learner), .object_kind = CAIRN_ENTRY_LEARNER,     \
        .help = "the learner that is wrapped, such as tree or (tree:max-depth=3,min-leaf=2)",      \
        .names = "learner",                                                                        \
    }
#define CAIRN_WRAPPER_WITH                                                                         \
    CAIRN_PARAM_TRANSFORMS(                                                                        \
        cairn_wrapper_params,                                                                      \
        "a transform that comes before the wrapped learner and is fitted again wherever "          \
        "that is; may be given several times, in order")
extern const cairn_param cairn_wrapper_table[];
#define CAIRN_WRAPPER(S) CAIRN_PARAM_GROUP(S, wrapper, cairn_wrapper_table)

enum {
    CAIRN_WRAPPER_ACCEPTS = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
                            CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_RAW
};

/* The end of the record of a wrapper that classifies, whose model is PREFIX_model and whose
 * functions are PREFIX_fit, PREFIX_predict and so on. */
#define CAIRN_WRAPPER_RECORD(PREFIX)                                                               \
    .tasks = CAIRN_CLASSIFY, .accepts = CAIRN_WRAPPER_ACCEPTS,                                     \
    .model_size = sizeof(PREFIX##_model), .gives_scores = true, .sets_codes = true,                \
    .fit = PREFIX##_fit, .lower = PREFIX##_lower, .predict = PREFIX##_predict,                     \
    .describe = PREFIX##_describe, .keeps = PREFIX##_keeps, .check = PREFIX##_check_loaded

/* For the `check` of a wrapper's record: base, transforms and resampling (NULL = none) exist. */
CAIRN_CHECKED cairn_status cairn_wrapper_check(cairn_context *ctx, const char *who,
                                               const cairn_wrapper_params *wrapper, const char *by);

/* For `tasks_of`: those of the base. */
CAIRN_CHECKED cairn_status cairn_wrapper_tasks(cairn_context *ctx,
                                               const cairn_wrapper_params *wrapper, unsigned *out);

/* For `traits_with`: the record's, and whether the base gives probabilities. */
unsigned cairn_wrapper_traits(unsigned traits, const cairn_wrapper_params *wrapper);

typedef struct cairn_nested {
    const char *who; /* the wrapper, for messages */
    const cairn_job *job;
    const cairn_params *params; /* of the base */
    cairn_fit_options fit;
    cairn_table *table;   /* a share of the job's table */
    cairn_shared *shared; /* what fits to samples of the rows may use together; NULL = nothing */
} cairn_nested;

/* The base's settings for the job's task. `scores` asks for a base that gives scores. */
CAIRN_CHECKED cairn_status cairn_nested_open(cairn_context *ctx, cairn_nested *out, const char *who,
                                             const cairn_wrapper_params *wrapper,
                                             const cairn_job *job, bool scores);
void cairn_nested_close(cairn_nested *nested);
/* What the model inside answers for the rows of the job. */
CAIRN_CHECKED cairn_status cairn_nested_ask(cairn_context *ctx, cairn_prediction *out,
                                            const cairn_model *model, const cairn_job *job,
                                            bool scores);
/* Fit the base on all rows of the job; its steps go under the heading `title` with "base." before
 * the names of values. */
CAIRN_CHECKED cairn_status cairn_nested_fit(cairn_context *ctx, cairn_model **out,
                                            const cairn_nested *nested);

/* Scores of held-out rows beside their classes; rows for which the base has no answer are left out.
 * Scratch. */
typedef struct cairn_held_out {
    cairn_judged judged; /* without codes: scores are all that is asked for */
    uint32_t *rows;      /* table rows */
    size_t n_splits, n_unanswered;
} cairn_held_out;
/* Fits the base on every split of the resampling `by` and keeps the scores of the rows that it
 * had not seen. */
CAIRN_CHECKED cairn_status cairn_hold_out(cairn_context *ctx, cairn_held_out *out,
                                          const cairn_nested *nested, const char *by);

/* After loading: the model inside has the task and the classes of the one around it. */
CAIRN_CHECKED cairn_status cairn_nested_check_loaded(cairn_archive *a, const cairn_model *model,
                                                     const cairn_job *job, bool scores);

/* What the model inside says of itself, with `prefix.` before the names of values. */
void cairn_nested_describe(cairn_report *out, const cairn_model *model, const char *prefix,
                           const char *heading);

#endif
