/* SPDX-License-Identifier: MIT */
/* The inside of a model: schema, chain of transforms, learner, provenance. */
#ifndef CAIRN_MODEL_MODEL_H
#define CAIRN_MODEL_MODEL_H

#include "model/learner.h"

struct cairn_link {
    const cairn_transform *transform;
    cairn_params *params;
    void *state;
    bool automatic; /* added by the framework; says so in the report */
};

/* What an evaluation by resampling said about models made in the same way. */
typedef struct cairn_estimate {
    char *measure; /* "accuracy" or "mse"; NULL = there is none */
    char *by;      /* the resampling */
    double value, low, high, level;
    double sd;       /* over the splits */
    double baseline; /* the measure of the majority class, or of the mean */
    size_t n_splits;
} cairn_estimate;

/* Labels of the rows that the model was fitted to, where its learner labels_rows. */
typedef struct cairn_fitted {
    size_t n;       /* rows of the raw table; 0 = there are none */
    int32_t *codes; /* n: the cluster; -1 = in none, or not learned from */
} cairn_fitted;

/* Some of the rows that the model was fitted to (model/background.h). */
typedef struct cairn_background {
    size_t n_rows; /* 0 = none are kept */
    size_t n_from; /* training rows that they were taken from */
    int32_t shape; /* of their table */
    size_t n_columns;
    cairn_column **columns; /* of the features and the weight, in the order of the schema, without
                               the names of their levels */
} cairn_background;

struct cairn_model {
    const cairn_learner *learner; /* NULL = a recipe: transforms and nothing else */
    cairn_params *params;         /* of the learner, NULL without one */
    cairn_task task;              /* AUTO in a recipe without a target */
    cairn_schema schema;          /* of the raw table */
    cairn_schema inner;           /* after the chain: what the learner saw */
    cairn_link *chain;
    size_t n_chain;
    void *state;
    void *history; /* how the state came about; NULL = not known, or the learner keeps none */
    size_t n_classes;
    int32_t positive;
    /* provenance */
    char *command;
    uint64_t seed;
    uint64_t data_hash;
    size_t n_rows, n_columns;
    double total_weight;
    double *means;   /* of the number columns that the learner saw, in their order, for reasons that
                        are told beside them; NULL = not kept */
    double baseline; /* what looking at no feature says: code of the majority class, or the mean */
    double skew;     /* share of the commonest class where accuracy says little; not in the file */
    char *decision;  /* how the task was decided, one sentence */
    char *class_type; /* what the classes are to a caller, "number" when the target held numbers;
                         NULL = names */
    /* how the table was read */
    char *marks;       /* of missing cells, beside the usual ones; NULL = none */
    bool only_marks;   /* the usual ones did not count */
    int32_t decimal;   /* '.' or ',', 0 = not given */
    int32_t thousands; /* a byte, 0 = not given */
    int32_t bad_lines; /* cairn_bad_lines */
    size_t skip;       /* lines before the header */
    char *comment;     /* the mark of comments; NULL = none */
    size_t n_waiting;  /* rows that had no target when the model was fitted; not in the file */
    cairn_estimate estimate;
    cairn_fitted fitted;
    cairn_certificate certificate; /* of the last fit or update */
    cairn_background background;
    int holders; /* besides the first; atomic (model_objects.h) */
};

/* The options of a caller (NULL = the defaults) of any version: see base/options.h. */
CAIRN_CHECKED cairn_status cairn_fit_options_full(cairn_context *ctx, cairn_fit_options *full,
                                                  const cairn_fit_options *given);

/* Read the transforms that the options have as text, once: all of them are in `transforms` after
 * that, where *own, freed by the caller, keeps them if there was text. */
CAIRN_CHECKED cairn_status cairn_fit_options_open(cairn_context *ctx, cairn_fit_options *options,
                                                  cairn_params **own);

/* Fit on some rows of the table: what cairn_model_fit does on all of them. As this is one fit among
 * several, parameters that write files or show something of a single fit are refused, and no
 * history is kept. */
CAIRN_CHECKED cairn_status cairn_model_fit_rows(cairn_context *ctx, cairn_model **out,
                                                const cairn_params *params,
                                                const cairn_table *table, cairn_rows rows,
                                                const cairn_fit_options *options);

/* The same for one of several targets of a table, fitted one after the other: what the learner may
 * keep from one to the next is in `shared`, which the caller clears (cairn_shared, learner.h). */
CAIRN_CHECKED cairn_status cairn_model_fit_shared(cairn_context *ctx, cairn_model **out,
                                                  const cairn_params *params,
                                                  const cairn_table *table, cairn_rows rows,
                                                  const cairn_fit_options *options,
                                                  struct cairn_shared *shared);

/* Predict some rows of a raw table; arrays of *out are freed by cairn_prediction_clear. `scores`,
 * `extra` choose what is filled. */
typedef struct cairn_predict_wants {
    bool scores;
    bool extra;
    bool fitted; /* of the very table that the model was fitted to: the labels that fitting gave */
} cairn_predict_wants;
CAIRN_CHECKED cairn_status cairn_model_predict_rows(cairn_context *ctx, cairn_prediction *out,
                                                    const cairn_model *model,
                                                    const cairn_table *table, cairn_rows rows,
                                                    cairn_predict_wants wants, cairn_match *match);
/* The same of a table that has the features of the model's schema in its order and coding. */
CAIRN_CHECKED cairn_status cairn_model_answer(cairn_context *ctx, cairn_prediction *out,
                                              const cairn_model *model, const cairn_table *matched,
                                              cairn_rows rows, cairn_predict_wants wants);
/* Fails where the model has no answer for rows that it was not fitted to. */
CAIRN_CHECKED cairn_status cairn_model_check_answers(cairn_context *ctx, const cairn_model *model);
/* Scores of an answer: of the classes, or of clusters; 0 = there are none. */
size_t cairn_model_scores(const cairn_model *model);
/* Whether this is the very table that it was fitted to, as a whole or in part: what is measured on
 * it is optimistic. */
bool cairn_model_learned_from(const cairn_model *model, const cairn_table *table);
/* Whether it keeps labels of the rows of this table, which is the one that it was fitted to. */
bool cairn_model_is_fitted_to(const cairn_model *model, const cairn_table *table);
void cairn_prediction_clear(cairn_prediction *prediction);

/* What every call of the learner's functions is told of the model; the caller adds a view. */
cairn_job cairn_model_job(const cairn_model *model);

/* The picture of that name that the model draws of itself, or of what it does with a row of the
 * table (NULL for the others); *out is NULL when it has none. */
CAIRN_CHECKED cairn_status cairn_model_draw(cairn_context *ctx, cairn_figure **out,
                                            const cairn_model *model, const char *name,
                                            const cairn_table *table, uint32_t row);

/* What the model's learner accepts with its parameters. */
static inline unsigned cairn_model_accepts(const cairn_model *model)
{
    return cairn_learner_accepts(model->learner, model->params->values);
}

/* Whether a missing bag is something else to it than an empty one: its items are missing cells. */
static inline bool cairn_model_sees_missing_bags(const cairn_model *model)
{
    unsigned accepts = model->learner ? cairn_model_accepts(model) : 0;
    return accepts & CAIRN_ACCEPTS_MISSING && !(accepts & CAIRN_ACCEPTS_RAW);
}

/* What the learner's description says of the training rows of this model (CAIRN_REPORTS_...). */
unsigned cairn_model_reports(const cairn_model *model);
/* Whether a transform gave the target other units, which answers are brought back from. */
bool cairn_model_changes_target(const cairn_model *model);

/* Size of the fitted model; NaN parameters when its learner has none to tell. */
cairn_model_size cairn_model_size_of(const cairn_model *model);

/* Save or load a model inside another one: the last thing that the learner of the other archives,
 * because sections of their own follow. */
CAIRN_CHECKED cairn_status cairn_model_archive(cairn_archive *archive, cairn_model **model);

/* The prediction as a table: label or number first, then scores (if wanted), then extra columns. */
CAIRN_CHECKED cairn_status cairn_prediction_table(cairn_context *ctx, cairn_table **out,
                                                  const cairn_model *model,
                                                  const cairn_prediction *prediction, bool scores);

/* Tell which cells held levels that training did not know; nothing where there are none. */
void cairn_warn_unseen(cairn_context *ctx, const cairn_schema *schema, const cairn_match *match);

/* Names of the classes (borrowed from the schema), for a classifier. */
const cairn_field *cairn_model_target(const cairn_model *model);

/* The first lines of every report about a model: what is predicted from what, by which learner,
 * how the task was decided, transforms, seed. */
void cairn_model_run_card(cairn_report *out, const cairn_model *model);

#endif
