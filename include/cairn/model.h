/* SPDX-License-Identifier: MIT */
/* Models: settings, fitting, predicting, saving and loading. */
#ifndef CAIRN_MODEL_H
#define CAIRN_MODEL_H

#include "cairn/report.h"
#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A learner with its settings. */
typedef struct cairn_params cairn_params;

/* What was learned, with the transforms in front of it and the columns that it wants; or a recipe,
 * which has transforms alone. It is only read by predicting, so threads may share it. */
typedef struct cairn_model cairn_model;

/* Settings of a learner with their defaults. `learner` is a name ("tree") or a name with values
 * ("tree:max-depth=3,impurity=gini"). A near miss is suggested in the message. The caller frees
 * *out. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_params_new(cairn_context *ctx, cairn_params **out,
                                                      const char *learner);
/* Free settings; NULL is accepted. Models that were fitted with them keep their own. */
CAIRN_API void cairn_params_free(cairn_params *params);

/* Set one parameter from text, as on the command line: ("max-depth", "3"). A name that there is not
 * and a value outside its range fail with CAIRN_USAGE; the settings stay as they were. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_params_set(cairn_context *ctx, cairn_params *params,
                                                      const char *name, const char *value);

/* What is learned. Values are bits, so that several can be added up. */
typedef enum cairn_task {
    CAIRN_TASK_AUTO = 0,
    CAIRN_CLASSIFY = 1,
    CAIRN_REGRESS = 2,
    CAIRN_CLUSTER = 4,
    CAIRN_LABEL_ITEMS = 8 /* a class for every item of a sequence */
} cairn_task;

/* How a model or a recipe is fitted. */
typedef struct cairn_fit_options {
    size_t size;             /* sizeof(cairn_fit_options) */
    cairn_task task;         /* AUTO: decided from the target and said in the report */
    const char *positive;    /* name of the positive class; NULL = by rule */
    const char *missing;     /* what to do with missing cells: NULL = the learner's own way, or a
                                policy "fail", "drop", "impute" */
    const char *const *with; /* transforms in order, such as "standardise", ended by NULL */
    cairn_report *steps;     /* gets every step of the calculation; NULL = not wanted */
    const char *command;     /* kept as provenance; may be NULL */
    bool scale_on_all;       /* fit scaling transforms on all rows of the table, also on those that
                                are not learned from: what some texts do before leave-one-out */
    const cairn_params *const *around; /* learners that wrap the one that is fitted, from the inside
                                  out, such as calibrated with its settings, ended by NULL; the
                                  transforms of `with` then belong to the wrapped one */
    const char *given; /* file with a model that was written by hand, which is read instead
                                  of learned; the rows give its counts */
    bool more_follow;  /* further rows come by cairn_model_update: one class is enough now */
    const cairn_read_options *reading; /* how the table was read: the model keeps the marks of
                                          missing cells, marks of numbers, lines that are
                                          left out; may be NULL */
    bool no_history; /* keep the model alone, without what describes how it came about (curves, a
                        sample of the rows, training measures): a smaller file */
    bool strict;     /* refuse columns that the learner cannot use; otherwise a text column, or one
                        without a value, is left out with a warning */
    const cairn_params *transforms; /* the library's own, for transforms that it has as settings,
                                       which come behind those of `with`; callers leave it NULL */
} cairn_fit_options;

#define CAIRN_FIT_OPTIONS_INIT                                                                     \
    {                                                                                              \
        sizeof(cairn_fit_options), CAIRN_TASK_AUTO, NULL, NULL, NULL, NULL, NULL, false, NULL,     \
            NULL, false, NULL, false, false, NULL                                                  \
    }

/* Learn from the table, whose roles name target, weight and so on. Several targets get a model
 * each, all of them in one ("multi-target"). `options` NULL means the defaults. The caller frees
 * *out; table and params may go before it. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_fit(cairn_context *ctx, cairn_model **out,
                                                     const cairn_params *params,
                                                     const cairn_table *table,
                                                     const cairn_fit_options *options);
/* Free a model or a recipe; NULL is accepted. */
CAIRN_API void cairn_model_free(cairn_model *model);

/* Learn from more rows, if the learner can: the result is that of all rows at once, but for
 * rounding. The transforms of the model are applied to them and not fitted again. New classes are
 * taken in, and so are new levels of columns that no transform changes; levels that a transform
 * does not know count as missing. Of the options (may be NULL) `steps` and `command` matter. When
 * it fails, the model can only be freed. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_update(cairn_context *ctx, cairn_model *model,
                                                        const cairn_table *table,
                                                        const cairn_fit_options *options);

/* Make the options (begun with CAIRN_READ_OPTIONS_INIT) those for a table that the model is applied
 * to: its marks of missing cells and its decimal mark where the options name none, and the kinds of
 * its columns, so that the level 01 is not taken for the number 1. They borrow from the model. Only
 * the fields that options->size covers are set. */
CAIRN_API void cairn_model_reading(const cairn_model *model, cairn_read_options *options);

/* Apply to raw rows: columns are matched by name, unseen levels count as missing. The result is a
 * new table: the prediction first (named as the target, or "cluster"), then a score per class when
 * `scores` is set, then what else the learner gives, such as the answers for further targets. The
 * caller frees *out. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_predict(cairn_context *ctx, cairn_table **out,
                                                         const cairn_model *model,
                                                         const cairn_table *table, bool scores);

/* A recipe is a model without a learner: the transforms of options->with, fitted on the table in
 * order. `made` (may be NULL) gets the table that they make of it, in which transforms that change
 * rows have changed them; it is freed by the caller. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_recipe_fit(cairn_context *ctx, cairn_model **out,
                                                      cairn_table **made, const cairn_table *table,
                                                      const cairn_fit_options *options);

/* The transforms of a recipe, or those in front of a model's learner, on raw rows: columns are
 * matched by name, unseen levels count as missing. Transforms that change rows leave new ones as
 * they are. Target, weight, id and group columns may be missing. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_recipe_apply(cairn_context *ctx, cairn_table **out,
                                                        const cairn_model *model,
                                                        const cairn_table *table);

/* Write a model or a recipe to a file, which is replaced only when the new one is whole. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_save(cairn_context *ctx, const cairn_model *model,
                                                      const char *path);
/* Read a model or a recipe from a file of this or any earlier version; the caller frees *out. A
 * file that is cut or changed fails with CAIRN_BAD_DATA. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_load(cairn_context *ctx, cairn_model **out,
                                                      const char *path);

/* The bytes of a model file, in *bytes, and how many there are, in *length; the caller frees them
 * with cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_save_memory(cairn_context *ctx,
                                                             const cairn_model *model, char **bytes,
                                                             size_t *length);
/* Read a model or a recipe from the bytes of a model file, as cairn_model_load does; `name` stands
 * in messages in place of a path. The bytes are not kept. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_load_memory(cairn_context *ctx, cairn_model **out,
                                                             const char *name, const void *bytes,
                                                             size_t length);

/* Add to a report what the model is: run card, chain of transforms, the learner's own
 * description. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_describe(cairn_context *ctx, cairn_report *out,
                                                          const cairn_model *model);

/* The model written down in one of the forms that its learner has, such as "text" or "dot" ('cairn
 * help LEARNER' lists them); the caller frees *text with cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_export(cairn_context *ctx,
                                                        const cairn_model *model, const char *form,
                                                        char **text);
/* The model written down in any of its forms, those among them that are no text, such as "onnx":
 * *n_bytes bytes, and one more that is 0 and not counted; the caller frees *bytes with
 * cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_export_bytes(cairn_context *ctx,
                                                              const cairn_model *model,
                                                              const char *form, char **bytes,
                                                              size_t *n_bytes);

/* The name of the learner, "tree"; NULL for a recipe. Borrowed. */
CAIRN_API const char *cairn_model_learner(const cairn_model *model);
/* What the model does: one of the tasks, never CAIRN_TASK_AUTO unless it is a recipe. */
CAIRN_API cairn_task cairn_model_task(const cairn_model *model);

#ifdef __cplusplus
}
#endif
#endif
