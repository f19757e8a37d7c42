/* SPDX-License-Identifier: MIT */
/* The verbs of the program as functions on tables and models in memory.
 *
 * Each of them says what the command of its name says: it is turned into that command and run by
 * cairn_run_with(), so that the report has the same bytes, the same defaults hold and nothing is
 * copied or written to a file. Seed, threads, memory, log and cancelling are the context's. What is
 * predicted, weights and groups are the roles of the table's columns (cairn_table_set_role).
 * Learning, predicting, saving and exporting have functions of their own in model.h.
 *
 * `report` may be NULL where only the results are wanted. Tables and models that are given are
 * neither changed nor kept. A result that an option asks for (out_table, out_model) is written only
 * when the call succeeds or gives CAIRN_CHECK_FAILED, and is then the caller's to free. Failures
 * are those of the command; messages name an option without its dashes. Text fields that are NULL,
 * and numbers that are 0, mean the default, which `cairn help VERB` shows.
 *
 * Three fields are in every struct of options:
 *   name      what the report calls the table, a name as for cairn_objects_put_table; NULL = data
 *   objects   further tables and models that words may name as @name; NULL = none
 *   more      further words of the command, ended by NULL: {"--class-ratio", "0.2", NULL} */
#ifndef CAIRN_VERBS_H
#define CAIRN_VERBS_H

#include "cairn/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_evaluate_options {
    size_t size;              /* sizeof(cairn_evaluate_options) */
    const cairn_model *model; /* judge this fitted model on all rows, in place of a learner */
    const char *by;           /* how rows are held out: "cv:10", "holdout:0.3", "boot:200", "loo" */
    const char *measures;     /* further measures, separated by commas: "auc,mcc" */
    const char *const *with;  /* transforms in order, ended by NULL: {"standardise", NULL} */
    const char *missing;      /* what to do with missing cells: "fail", "drop", "impute" */
    const char *positive;     /* name of the positive class */
    double level;             /* of the intervals; 0 = 0.95 */
    size_t shuffles;          /* shuffle each column so often to see how much it matters; 0 = not */
    cairn_table **out_table;  /* gets the held-out predictions, row by row */
    cairn_model **out_model;  /* gets a model of all rows, with the estimate attached */
    const char *name;
    cairn_objects *objects;
    const char *const *more;
} cairn_evaluate_options;

#define CAIRN_EVALUATE_OPTIONS_INIT                                                                \
    {                                                                                              \
        sizeof(cairn_evaluate_options), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL,      \
            NULL, NULL, NULL                                                                       \
    }

/* How good a learner ("tree:max-depth=3") is on rows that it has not seen, or a fitted model on the
 * rows of the table (`learner` NULL, options->model). `options` NULL means the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_evaluate(cairn_context *ctx, cairn_report *report,
                                                    const char *learner, const cairn_table *table,
                                                    const cairn_evaluate_options *options);

typedef struct cairn_compare_options {
    size_t size;              /* sizeof(cairn_compare_options) */
    const char *by;           /* how rows are held out, the same for all */
    const char *measure;      /* what they are compared by */
    const char *const *with;  /* transforms in order, ended by NULL */
    const char *missing;      /* what to do with missing cells: "fail", "drop", "impute" */
    const char *positive;     /* name of the positive class */
    const char *control;      /* the learner that the others are held against */
    double alpha;             /* level of the tests; 0 = 0.05 */
    bool steps;               /* show the calculation of the tests */
    cairn_table **out_table;  /* gets the held-out predictions of all learners; of one table only */
    const char *const *names; /* what the report calls the tables, one each; NULL = data, data2 ...
                                 (in place of `name`) */
    cairn_objects *objects;
    const char *const *more;
} cairn_compare_options;

#define CAIRN_COMPARE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(cairn_compare_options), NULL, NULL, NULL, NULL, NULL, NULL, 0, false, NULL, NULL,   \
            NULL, NULL                                                                             \
    }

/* Which learner is better, on the same splits of one or more tables: `learners` and `tables` are
 * lists ended by NULL. The learner "all" stands for every one that fits. `options` NULL means the
 * defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_compare(cairn_context *ctx, cairn_report *report,
                                                   const char *const *learners,
                                                   const cairn_table *const *tables,
                                                   const cairn_compare_options *options);

typedef struct cairn_tune_options {
    size_t size;             /* sizeof(cairn_tune_options) */
    const char *search;      /* "grid", "random" or "halving" */
    size_t tries;            /* points of a random search, or to start halving with; 0 = default */
    const char *choose;      /* which point wins: "best" or "one-se" */
    const char *by;          /* inner resampling, which judges the points */
    const char *outer;       /* outer resampling, which judges the search; "none" leaves it out */
    const char *measure;     /* what is made as good as possible */
    const char *const *with; /* transforms in order, ended by NULL */
    const char *missing;     /* what to do with missing cells: "fail", "drop", "impute" */
    const char *positive;    /* name of the positive class */
    bool steps;              /* show every point in every split */
    cairn_model **out_model; /* gets the model of the chosen point, learned from all rows */
    const char *name;
    cairn_objects *objects;
    const char *const *more;
} cairn_tune_options;

#define CAIRN_TUNE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(cairn_tune_options), NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false,      \
            NULL, NULL, NULL, NULL                                                                 \
    }

/* Search for good parameters of a learner and say how good the search is on new rows. `over` is a
 * list ended by NULL of parameters with their values: "max-depth=1:10", "C=0.01:100:x10",
 * "impurity=gini,entropy"; NULL = what the learner declares to be worth a search. `options` NULL
 * means the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_tune(cairn_context *ctx, cairn_report *report,
                                                const char *learner, const char *const *over,
                                                const cairn_table *table,
                                                const cairn_tune_options *options);

typedef struct cairn_compute_options {
    size_t size;                      /* sizeof(cairn_compute_options) */
    const char *word;                 /* for calculators that take a word, such as a formula */
    const cairn_model *const *models; /* that stand before the data, ended by NULL */
    const cairn_table *const *tables; /* further tables, ended by NULL */
    bool steps;                       /* show every step of the calculation */
    cairn_table **out_table; /* gets the table that the calculator makes, if it makes one */
    const char *name;
    cairn_objects *objects;
    const char *const *more; /* the calculator's own options, too: {"--counts", "9,5", NULL} */
} cairn_compute_options;

#define CAIRN_COMPUTE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(cairn_compute_options), NULL, NULL, NULL, false, NULL, NULL, NULL, NULL             \
    }

/* Run a calculator ("distances", "confusion"; `cairn list calculators`) on a table, on models and a
 * table, or on nothing but options (`table` NULL). `options` NULL means the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_compute(cairn_context *ctx, cairn_report *report,
                                                   const char *calculator, const cairn_table *table,
                                                   const cairn_compute_options *options);

typedef struct cairn_describe_options {
    size_t size;                /* sizeof(cairn_describe_options) */
    const cairn_model *model;   /* describe this model, in place of a table */
    const char *show;           /* sections, separated by commas: "columns,statistics" */
    const char *by;             /* statistics for each level of this column as well */
    const cairn_table *against; /* whether its columns have the same distributions; NULL = not */
    const char *name;
    cairn_objects *objects;
    const char *const *more;
} cairn_describe_options;

#define CAIRN_DESCRIBE_OPTIONS_INIT                                                                \
    {                                                                                              \
        sizeof(cairn_describe_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL                   \
    }

/* What a table holds, column by column, or what a model is (`table` NULL, options->model).
 * `options` NULL means the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_describe(cairn_context *ctx, cairn_report *report,
                                                    const cairn_table *table,
                                                    const cairn_describe_options *options);

typedef struct cairn_draw_options {
    size_t size;                      /* sizeof(cairn_draw_options) */
    const char *format;               /* of the document: "svg", "png" or "pdf"; NULL = svg */
    const char *word;                 /* for pictures that take a word, such as a formula */
    const cairn_model *const *models; /* that are drawn, ended by NULL */
    const cairn_table *const *tables; /* further tables, ended by NULL */
    const char *title, *x_label, *y_label;
    double width, height; /* in points, 40 to 10000; 0 = as the picture needs */
    const char *name;
    cairn_objects *objects;
    const char *const *more; /* the picture's own options, too: {"--x", "petal_length", NULL} */
} cairn_draw_options;

#define CAIRN_DRAW_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(cairn_draw_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL,    \
            NULL                                                                                   \
    }

/* Draw a picture ("scatter", "roc", "tree"; `cairn list pictures`) of a table, of models, or of
 * both. The bytes of the picture are the document of `output`, which the caller frees with
 * cairn_string_free; with `output` NULL the picture is in the report alone. `table` may be NULL,
 * `options` NULL means the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_draw(cairn_context *ctx, cairn_report *report,
                                                cairn_run_output *output, const char *picture,
                                                const cairn_table *table,
                                                const cairn_draw_options *options);

typedef struct cairn_explain_options {
    size_t size;                   /* sizeof(cairn_explain_options) */
    const char *rows;              /* "1,5,7-9"; NULL = the first 10 */
    const char *by;                /* where reasons come from: "auto", "columns" or "shapley" */
    const cairn_table *background; /* rows that values are exchanged with; NULL = training rows that
                                      the model keeps, or the table's own where it keeps none */
    size_t draws;                  /* at most so many rows of the background; 0 = 50 */
    const char *output;            /* what is predicted beside: "label", "scores", "all" */
    cairn_table **out_table;       /* gets the predictions of all rows */
    const char *name;
    cairn_objects *objects;
    const char *const *more;
} cairn_explain_options;

#define CAIRN_EXPLAIN_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(cairn_explain_options), NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL           \
    }

/* Why the model answers as it does, row by row: `cairn predict --explain`. `options` NULL means the
 * defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_explain(cairn_context *ctx, cairn_report *report,
                                                   const cairn_model *model,
                                                   const cairn_table *table,
                                                   const cairn_explain_options *options);

#ifdef __cplusplus
}
#endif
#endif
