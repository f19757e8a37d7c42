/* SPDX-License-Identifier: MIT */
/* What an algorithm provides: a learner or a transform is one constant record, last in its file.
 * cairn_model_fit() does once for all what every learner would repeat: parameters, roles, task,
 * kinds, missing cells, weights, allocation, clearing on failure, scratch. */
#ifndef CAIRN_MODEL_LEARNER_H
#define CAIRN_MODEL_LEARNER_H

#include "base/kept.h"
#include "base/random.h"
#include "data/schema.h"
#include "data/view.h"
#include "entry/entry.h"
#include "model/given.h"
#include "model/program.h"
#include "report/report.h"
#include "solve/certificate.h"

struct cairn_ledger; /* data/ledger.h */

/* What a learner accepts as it is; the framework adds transforms for the rest (indicators for
 * levels, impute for missing cells) or refuses. */
enum {
    CAIRN_ACCEPTS_NUMBERS = 1,
    CAIRN_ACCEPTS_LEVELS = 2,
    CAIRN_ACCEPTS_MISSING = 4, /* missing cells in features */
    CAIRN_ACCEPTS_WEIGHTS = 8,
    CAIRN_ACCEPTS_BAGS = 16,
    CAIRN_ACCEPTS_ONE_CLASS = 32,    /* a target with a single class */
    CAIRN_WANTS_SCALING = 64,        /* the framework standardises unless told otherwise
                                        (docs/defaults.md) */
    CAIRN_ACCEPTS_NO_FEATURES = 128, /* there may be none */
    CAIRN_IGNORES_FEATURES = 8192,   /* it looks at none, whatever their kinds */
    CAIRN_WANTS_REFERENCE = 256,     /* indicators leave out the first level, which stands for 0 */
    CAIRN_ACCEPTS_DISTANCES = 512,   /* a table that is a matrix of distances */
    CAIRN_ACCEPTS_GRAM = 1024,       /* likewise of inner products */
    CAIRN_USES_DISTANCES = 2048,     /* Euclidean: the run card warns where they say little */
    CAIRN_ACCEPTS_RAW = 4096, /* any kind of column: a wrapper, whose models have transforms of
                                     their own */
    CAIRN_ACCEPTS_TEXTS = 16384,
    CAIRN_ACCEPTS_TARGETS = 32768,     /* several targets; a row may lack some of them */
    CAIRN_ACCEPTS_SEQUENCES = 65536,   /* cairn_view_sequences */
    CAIRN_ACCEPTS_UNLABELLED = 131072, /* it learns from rows without a target, too: they are in the
                                          view's table, not among its rows */
    CAIRN_PREFERS_NUMBERS = 262144,    /* a number target is one, however few values it has */
    CAIRN_ACCEPTS_SERIES = 524288,     /* cairn_view_series; 1048576 is in data/scaled.h,
                                          4194304 in data/item_columns.h */
    CAIRN_WANTS_ONE_CLASS = 2097152    /* it learns what one class is like: all rows are of it where
                                          no target is named */
};

/* Where a learner stands among the others: lists, help and the run card say it in words, and a
 * contract test asks every record for one of each group. A wrapper has CAIRN_AS_BASE in place of
 * the kind of model and of what it does with the rows. */
enum {
    CAIRN_PREDICTIVE = 1,     /* what is learned answers for new rows */
    CAIRN_DESCRIPTIVE = 2,    /* what is learned tells about the rows at hand */
    CAIRN_SUPERVISED = 4,     /* it learns from a target */
    CAIRN_UNSUPERVISED = 8,   /* it needs none */
    CAIRN_GEOMETRIC = 16,     /* lines, planes, distances */
    CAIRN_PROBABILISTIC = 32, /* distributions */
    CAIRN_LOGICAL = 64,       /* tests, rules */
    CAIRN_CONSTANT = 128,     /* looks at no feature; neither groups nor grades */
    CAIRN_GROUPING = 256,     /* cuts the rows into finitely many parts that are answered alike */
    CAIRN_GRADING = 512,      /* every row may get an answer of its own */
    CAIRN_AS_BASE = 1024,     /* as the learner that is wrapped */
    /* and as they apply */
    CAIRN_GIVES_PROBABILITIES = 2048, /* scores are shares of 1; a contract test adds them up */
    CAIRN_MAY_ABSTAIN = 4096          /* some rows get no answer: unknown, or rejected */
};

/* Claims that the contract tests check. */
enum {
    CAIRN_CLAIM_WEIGHTS_REPEAT = 1, /* weight w is the same as the row w times */
    CAIRN_CLAIM_ROW_ORDER = 2,      /* the order of rows does not matter */
    CAIRN_CLAIM_COLUMN_ORDER = 4
};

/* What a learner's description says about the rows that it was fitted to, so that others need not:
 * of one target only. */
enum {
    CAIRN_REPORTS_ACCURACY = 1, /* training.accuracy, of classes */
    CAIRN_REPORTS_MSE = 2,      /* training.mse, of numbers */
    CAIRN_REPORTS_ERRORS = 4    /* sums and means of squared errors under names of its own, in the
                                   units that it sees */
};

/* What the fit of one target leaves for those of others on the same rows: cross products, say. Put
 * there by the first of them, looked at and used by the next, cleared by who asked for all. */
typedef struct cairn_shared {
    void *data; /* NULL = nothing yet */
    void (*clear)(void *data);
} cairn_shared;

/* What a learner is given. All borrowed, alive during the call. */
struct cairn_job {
    cairn_task task;
    const void *params;     /* the learner's parameter struct */
    const cairn_view *view; /* features after the chain; on predicting, target is NULL */
    const cairn_schema
        *schema;             /* fields after the chain, in the view's feature order, and target */
    size_t n_classes;        /* CLASSIFY: levels of the target; LABEL: its items */
    int32_t positive;        /* CLASSIFY with two classes: code of the positive one; else -1 */
    cairn_report *steps;     /* NULL unless the work is to be shown */
    const cairn_schema *raw; /* explaining: the fields before the chain; else NULL */
    const double *means;     /* explaining: of the view's number columns in training; may be NULL */
    cairn_task wanted;       /* the task that the user asked for, AUTO when it was left open */
    const struct cairn_model
        *model; /* fitting a learner: its fitted chain and raw schema; else NULL */
    const struct cairn_model
        *described;  /* describing: the model, for the units of columns (cairn_chain_restore) */
    size_t n_filled; /* describing: missing cells of the training rows that a transform filled */
    bool recipe;     /* a transform: no learner follows, the table itself is what is wanted */
    void *history; /* fit, update: the learner's history struct, zeroed or as it was, to be filled;
                      NULL = nobody wants to know. describe, explain: what is known or NULL. predict
                      never has one */
    int32_t *fitted; /* fit of a learner that `labels_rows`: the cluster of every row of the view,
                        -1 (none) as it arrives; else NULL */
    cairn_certificate *certificate; /* fit, update: for proofs of the answer; else NULL */
    cairn_shared *shared; /* fit of a learner that `shares`, when other targets of the same table
                             are fitted before or after it; else NULL */
};

/* What a learner can tell of how a model came about: curve, path, a sample of the rows, training
 * measures. Predicting never needs it; it is an optional section of the model file, and the members
 * of an ensemble have none. */
typedef struct cairn_history {
    size_t size;             /* of the learner's history struct */
    const cairn_kept *keeps; /* archive and clear follow from these rows; NULL = from functions */
    cairn_status (*archive)(cairn_archive *archive, void *history, const void *model);
    void (*clear)(void *history);
    /* Files before version `since`, where one section held both. NULL = the history's items
     * followed the model's, as the two archive functions read them. */
    cairn_status (*archive_together)(cairn_archive *archive, void *model, void *history);
    int since;        /* that version, the first with a history of this learner; 0 = 9 */
    unsigned reports; /* those of the learner's CAIRN_REPORTS_... that are the history's */
} cairn_history;

/* What a prediction fills. Arrays are zeroed and of the right size when `predict` is called; the
 * learner fills those that are not NULL. */
typedef struct cairn_prediction {
    size_t n_rows;
    size_t n_classes; /* classes, or clusters */
    double *scores;   /* n_rows x n_classes probabilities or scores; NULL = not wanted */
    int32_t *codes;   /* CLASSIFY, CLUSTER: n_rows; -1 unknown, -2 rejected. A learner may leave
                         `codes_set` false: then they are the first largest score (and scores are
                         always given) */
    bool codes_set;
    size_t *starts;     /* LABEL: n_rows + 1, where the items of each row begin in codes and scores,
                           which have one per step (cairn_view_steps) of the row; else NULL */
    double *numbers;    /* REGRESS: n_rows */
    cairn_table *extra; /* further columns (leaf, distance ...): add them when it is not NULL */
} cairn_prediction;

/* How many codes it has: one per row, or one per item. */
static inline size_t cairn_prediction_answers(const cairn_prediction *p)
{
    return p->starts ? p->starts[p->n_rows] : p->n_rows;
}

typedef struct cairn_output {
    const char *name; /* column of `extra`; NULL ends the list */
    const char *help;
} cairn_output;

/* A way to write a model down, for `cairn export MODEL --to NAME`. */
typedef struct cairn_export_form {
    const char *name; /* NULL ends the list; "text" is what `read` reads */
    const char *help;
    void (*write)(cairn_text *out, const void *model, const cairn_job *job); /* job->view is NULL */
} cairn_export_form;

/* Size of a fitted model for the run card. */
typedef struct cairn_model_size {
    double parameters; /* numbers that were learned */
    bool grows;        /* with the rows (true) or fixed by the columns */
} cairn_model_size;

/* A picture that a model draws of itself, or of its way to the answer for a row. */
typedef struct cairn_model_figure {
    const char *name; /* of the figure; NULL ends a list */
    /* Leaves *out NULL where this model has nothing of the kind. job->view is NULL, or with
     * `of_row` holds the one row that the picture is about. */
    cairn_status (*make)(cairn_context *ctx, cairn_figure **out, const void *model,
                         const cairn_job *job);
    bool of_row;
} cairn_model_figure;

/* A table of what a model or a transform knows, whole: for programs (cairn/learned.h). */
typedef struct cairn_learned {
    const char *name;   /* "nodes", of a transform with its name in front, "pca.components"; NULL
                           ends a list */
    const char *inside; /* its name as a table of the members of a wrapper; CAIRN_LEARNED sets it */
    const char *help;   /* one sentence, no full stop: what a row is */
    /* Write columns and rows. job->view is NULL; of a transform, job->params are its own and
     * job->schema is NULL. */
    void (*write)(struct cairn_ledger *out, const void *model, const cairn_job *job);
    /* Whether this model has it; NULL = always. */
    bool (*has)(const void *model, const cairn_job *job);
} cairn_learned;

#define CAIRN_LEARNED(NAME, HELP, WRITE, ...)                                                      \
    {                                                                                              \
        .name = NAME, .inside = "members." NAME, .help = HELP, .write = WRITE, __VA_ARGS__         \
    }
#define CAIRN_LEARNED_END                                                                          \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* What a function of the list made, or the failure, into a description; with `page` as a figure
 * that says no more than a table beside it. Takes the figure. */
void cairn_describe_figure(cairn_report *out, cairn_status made, cairn_figure **figure, bool page);

typedef struct cairn_learner {
    cairn_entry entry; /* kind CAIRN_ENTRY_LEARNER */
    unsigned tasks;    /* CAIRN_CLASSIFY | CAIRN_REGRESS | CAIRN_CLUSTER | CAIRN_LABEL_ITEMS */
    unsigned accepts;  /* CAIRN_ACCEPTS_...; see cairn_learner_accepts */
    unsigned claims;   /* CAIRN_CLAIM_... */
    unsigned traits;   /* one of each group of CAIRN_PREDICTIVE ... */
    unsigned reports;  /* CAIRN_REPORTS_... */
    const char *space; /* what tune searches where it is not told: lines as {over} takes them,
                          simpler values first; NULL = it has nothing that is worth a search */
    const char *aims;  /* CLUSTER: what it wants of clusters, for the run card; NULL = that the
                          squares within them are small */
    size_t model_size;
    const cairn_history *history; /* NULL = it keeps none */
    bool gives_scores;            /* CLUSTER: memberships, where it has `clusters` */
    bool labels_rows;             /* CLUSTER: fit labels the rows that it gets (job->fitted), which
                                    the model keeps; without a `predict` it answers for no others */
    bool tells_members;           /* CLUSTER: its description says which rows a cluster holds */
    bool shares;                  /* fits of several targets go one after the other and may use what
                                    the one before left in job->shared */
    bool answers_one;    /* of several targets that are learned from together a model answers
                                    the one in front only: there is a model for each */
    bool sets_codes;     /* always: scores need not be made for the sake of codes */
    bool keeps_means;    /* of the number columns in training, for `explain` */
    bool answers_slowly; /* an answer takes a look at the training rows: where all of them
                                    would be predicted for a report, a sample will do */
    const cairn_output *outputs; /* NULL = none */
    size_t outputs_in_units;     /* the first so many of them are in the units of the target, and
                                    are brought back with the answers when it was scaled */
    /* Which of `tasks` these parameters can do (a wrapper: what its base can); NULL = all. */
    cairn_status (*tasks_of)(cairn_context *ctx, const void *params, unsigned *out);
    /* Put into a model that is new and zeroed what all other functions find there; NULL = nothing.
     */
    void (*begin)(void *model, const struct cairn_learner *learner);
    /* `model` arrives zeroed (or begun); a failing fit may leave it half built, for clear. Scratch
     * is released by the caller. */
    cairn_status (*fit)(cairn_context *ctx, void *model, const cairn_job *job);
    /* The same from a model that was written by hand (--given FILE): what the text leaves open,
     * such as counts, comes from the rows. NULL = it cannot be written by hand. */
    cairn_status (*read)(cairn_context *ctx, void *model, const cairn_job *job,
                         const cairn_given *given);
    /* More rows for a fitted model: what all rows at once would have given, but for rounding (of a
     * learner that claims ROW_ORDER; others go on from where they were).
     * Classes and levels that are new stand behind the old ones in job->schema and job->n_classes.
     * Failing may leave the model half changed, for clear. NULL = it must be fitted again. */
    cairn_status (*update)(cairn_context *ctx, void *model, const cairn_job *job);
    const cairn_export_form *forms; /* ways to write the model down; NULL = none */
    /* The model as operations on a row, which set out->answer: code, number, scores as `predict`
     * fills them (a code may be left out where the first largest score is meant). job->view is
     * NULL. NULL = it has no closed form. */
    cairn_status (*lower)(const void *model, const cairn_job *job, cairn_program *out);
    cairn_status (*predict)(cairn_context *ctx, cairn_prediction *out, const void *model,
                            const cairn_job *job);
    /* The learner's part of the description: tables, values, figures. job->view is NULL. */
    void (*describe)(cairn_report *out, const void *model, const cairn_job *job);
    const cairn_model_figure *figures; /* for cairn_model_draw; NULL = none */
    const cairn_learned *tables;       /* what its models know, as tables; NULL = none */
    /* A wrapper: the model inside, whose figures are drawn where it has none of that name. */
    const struct cairn_model *(*base)(const void *model);
    /* A wrapper of several: the i-th model inside, whose tables are its own too; NULL at the end.
     * NULL = the base, if it has one. */
    const struct cairn_model *(*member)(const void *model, size_t i);
    /* Why row `row` of the job's view gets its prediction: the path, the contributions, whatever
     * the model knows. Names of values are those of this row alone; the caller puts
     * "explain.ROW." in front. NULL = columns are exchanged to see what they do
     * (model/explain.h). */
    void (*explain)(cairn_report *out, const void *model, const cairn_job *job, size_t row);
    /* Rows drawn from what the model says of how they come about: into `out`, an empty table of so
     * many rows, a column for each field of job->schema that it has a say in, the class first (see
     * model/sample.h). job->view is NULL. NULL = it says nothing of the kind. */
    cairn_status (*sample)(cairn_context *ctx, cairn_table *out, const void *model,
                           const cairn_job *job, cairn_random *random);
    /* The fields of a model that its file has: archiving, clearing and sizes follow from them
     * (base/kept.h). NULL = functions do. */
    const cairn_kept *keeps;
    const char *parameters; /* how many numbers were learned, a sum of fields in `keeps`, beside
                               those of the models inside; NULL = `size` says */
    bool grows;             /* that sum, with the rows */
    const char *columns;    /* likewise how many features it has, which a file is held to; NULL =
                               `check` says */
    cairn_status (*archive)(cairn_archive *archive, void *model);
    /* After loading: whether the state fits the task, the classes and the fields that the file
     * names (job->view is NULL); fails through cairn_archive_damaged. NULL = it cannot disagree. */
    cairn_status (*check)(cairn_archive *archive, const void *model, const cairn_job *job);
    void (*clear)(void *model); /* with `keeps`: what is not in the file */
    cairn_model_size (*size)(const void *model);
    /* CLUSTER: how many clusters there are, the columns of the scores; NULL = it gives none. */
    size_t (*clusters)(const void *model);
    /* How many of `pieces_name` ("leaves", "rules") the model is made of, where they have a name;
     * NULL = they have none. */
    double (*pieces)(const void *model);
    const char *pieces_name;
    /* What it accepts with these parameters, where that depends on them; NULL = `accepts`, which
     * otherwise says what it accepts with the defaults. */
    unsigned (*accepts_with)(const void *params);
    /* Its traits with these parameters, where they depend on them (a wrapper: whether its base
     * gives probabilities); NULL = `traits`. */
    unsigned (*traits_with)(const void *params);
} cairn_learner;

/* Whether it says how many numbers its models learned. */
static inline bool cairn_learner_counts(const cairn_learner *learner)
{
    return learner->size || learner->parameters;
}

/* What the learner accepts with these parameters. */
static inline unsigned cairn_learner_accepts(const cairn_learner *learner, const void *params)
{
    return learner->accepts_with ? learner->accepts_with(params) : learner->accepts;
}

/* Whether its scores are probabilities with these parameters. */
static inline bool cairn_learner_gives_probabilities(const cairn_learner *learner,
                                                     const void *params)
{
    unsigned traits = learner->traits_with ? learner->traits_with(params) : learner->traits;
    return traits & CAIRN_GIVES_PROBABILITIES;
}

/* The tasks that a learner can do with these parameters. */
CAIRN_CHECKED cairn_status cairn_learner_tasks(cairn_context *ctx, const cairn_learner *learner,
                                               const void *params, unsigned *out);

/* For `check`: whether there are as many features as the learner has columns. */
CAIRN_CHECKED cairn_status cairn_check_columns(cairn_archive *archive, const cairn_job *job,
                                               size_t n_columns);

/* How a transform treats the rows it was fitted on and those that come later. */
typedef enum cairn_acting {
    CAIRN_ACTS_ALIKE,    /* `apply` on both */
    CAIRN_ACTS_ON_TRAIN, /* training rows only, new rows stay as they are */
    CAIRN_ACTS_APART     /* `train` on training rows, `apply` on new ones */
} cairn_acting;

/* A transform turns a table into a table. `fit` may see the target, `apply` never does.
 *
 * The job of `fit` has everything that a learner's has: task, classes, positive class, the view
 * with target and weights, the schema of the table as the transforms before left it. Without a
 * target (`cairn convert` without --target) task is CAIRN_TASK_AUTO and view->target NULL.
 *
 * One that changes rows (leaves out, repeats, invents) has `changes_rows`: it acts on the training
 * rows only. Its `fit` gets a table of exactly the training rows, whose weights are in the weight
 * column, and right after it `train` (or `apply` when that is NULL) the same table, target and all;
 * the rows of what that returns are those that are learned from. The features must stay the same
 * in name and kind. */
typedef struct cairn_transform {
    cairn_entry entry; /* kind CAIRN_ENTRY_TRANSFORM */
    size_t state_size;
    bool changes_rows;   /* CAIRN_ACTS_ON_TRAIN whatever the parameters */
    bool scales;         /* can be fitted on all rows at once (--scale-on all) */
    bool sets_scale;     /* the numbers that it makes are on the scale that they are meant to have,
                            so none is put on them unasked */
    bool wants_complete; /* refuses missing numbers: before a learner, impute is put in front of it
                            when there are some */
    /* As a learner's. */
    void (*begin)(void *state, const struct cairn_transform *transform);
    /* Where it depends on the parameters; NULL = as changes_rows says. */
    cairn_acting (*acting)(const void *params);
    cairn_status (*fit)(cairn_context *ctx, void *state, const cairn_job *job);
    /* A new table that shares the columns it leaves alone. */
    cairn_status (*apply)(cairn_context *ctx, cairn_table **out, const void *state,
                          const void *params, const cairn_table *table);
    /* `apply` right after `fit`, on the table that was fitted on: may use up what `fit` kept in the
     * state for it. NULL = `apply`. */
    cairn_status (*apply_fitted)(cairn_context *ctx, cairn_table **out, void *state,
                                 const void *params, const cairn_table *table);
    /* The same for the training rows, where that is another thing; may use the target. */
    cairn_status (*train)(cairn_context *ctx, cairn_table **out, const void *state,
                          const void *params, const cairn_table *table);
    /* `apply` as operations on a row: see cairn_program_put. job->schema is that of the table that
     * it is applied to. NULL = it has no closed form. */
    cairn_status (*lower)(const void *state, const cairn_job *job, cairn_program *out);
    /* REGRESS: predictions back into the units that the target had before `apply` changed it, in
     * place. NULL = the target is never touched. */
    void (*invert)(const void *state, const void *params, double *numbers, size_t n);
    /* The same as operations on a number in a slot. NULL = what `invert` does is a line. */
    cairn_status (*lower_invert)(const void *state, cairn_program *out, int32_t *number);
    /* A number of a column that it changed, back into the units that it had before; returns whether
     * the column is one of them. NULL = it changes no units. */
    bool (*restore)(const void *state, const void *params, const char *column, double *value);
    /* Missing cells of the training rows that it filled; NULL = it fills none. */
    size_t (*n_filled)(const void *state);
    void (*describe)(cairn_report *out, const void *state, const void *params);
    /* Whether it left the training rows as they were, so that a transform that nobody asked for
     * needs no words: then its values are noted, unseen. NULL = never. */
    bool (*idle)(cairn_report *out, const void *state);
    const cairn_kept *keeps; /* as a learner's */
    cairn_status (*archive)(cairn_archive *archive, void *state);
    void (*clear)(void *state);  /* with `keeps`: what is not in the file */
    const cairn_learned *tables; /* what it learned, as tables; NULL = none */
} cairn_transform;

/* A new model or state, zeroed and begun. */
CAIRN_CHECKED cairn_status cairn_learner_begin(cairn_context *ctx, void **model,
                                               const cairn_learner *learner);
CAIRN_CHECKED cairn_status cairn_transform_begin(cairn_context *ctx, void **state,
                                                 const cairn_transform *transform);

#endif
