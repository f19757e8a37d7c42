/* SPDX-License-Identifier: MIT */
/* Learners, transforms and formats of a program's own. A record is registered in a context; from
 * then on every call with that context knows its name: settings, verbs and command lines, chains,
 * wrappers, resampling, tuning, help and model files.
 *
 * A record, all that it points to and its functions are borrowed: they must stay as they are as
 * long as the context lives and any settings, model or predictor that was made with them. Most are
 * `static const`. Begin a record with its size: {.size = sizeof(cairn_plugin_learner), ...}.
 *
 * The functions of a record get its `data` last. They may be called from several threads at once,
 * each with a context of its own, which they use for nothing but the call; they must neither jump
 * nor throw out of it. What they return is a status: CAIRN_OK, or a failure whose sentence they
 * leave with cairn_plugin_fail. States are the record's own: the library keeps the pointer, hands
 * it back, and calls `release` once for each. */
#ifndef CAIRN_PLUGIN_H
#define CAIRN_PLUGIN_H

#include "cairn/columns.h"
#include "cairn/model.h"
#include "cairn/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter of a record. It fills a field of the struct of settings that the functions find by
 * cairn_job_settings: bool, int, int64_t, double or const char * by the type, and for
 * CAIRN_TYPE_CHOICE an int, the number of the word from 0. Types of lists, columns and files are
 * text. A list of parameters ends with one whose name is NULL. */
typedef struct cairn_plugin_param {
    const char *name;           /* "max-depth": small letters, digits and hyphens, at most 40 */
    cairn_type type;            /* all but CAIRN_TYPE_SPEC */
    size_t offset;              /* of the field in the struct of settings */
    const char *initial;        /* the default as text; NULL = it must be given, but for texts:
                                   they are NULL then */
    const char *range;          /* of numbers: "[1,inf)", "(0,1]"; NULL = any */
    const char *const *choices; /* of CAIRN_TYPE_CHOICE: the words, ended by NULL */
    const char *help;           /* one sentence without a full stop */
    const char *when;           /* the settings of others with which it counts: cairn_param_info */
} cairn_plugin_param;

/* What one call of a record's function is about: rows, columns, classes, settings. Alive during the
 * call alone. */
typedef struct cairn_job cairn_job;

/* Where the bytes of a state or of a file go, and where those of a file come from. */
typedef struct cairn_sink cairn_sink;
typedef struct cairn_stream cairn_stream;

/* What a learner's `predict` fills. Arrays are of the right length and zeroed; one that is NULL is
 * not wanted. */
typedef struct cairn_plugin_answers {
    size_t size; /* sizeof(cairn_plugin_answers) in the library */
    size_t n_rows;
    size_t n_classes; /* classes, or clusters */
    double *scores;   /* n_rows x n_classes, row by row; the class with the first largest one is the
                         answer unless `codes` are set */
    int32_t *codes;   /* n_rows: class or cluster, -1 = no answer */
    bool codes_set;   /* set it to true when `codes` were filled */
    double *numbers;  /* n_rows: a regression */
} cairn_plugin_answers;

/* What a learner of a program's own takes and gives: `flags`, added up. */
enum {
    CAIRN_PLUGIN_LEVELS = 1,      /* level columns as they are, as codes; else indicators are made
                                        of them */
    CAIRN_PLUGIN_MISSING = 2,     /* missing cells in features, as NaN; else they are filled */
    CAIRN_PLUGIN_WEIGHTS = 4,     /* rows may have weights; else they are refused */
    CAIRN_PLUGIN_TEXTS = 8,       /* columns of texts, of bags, of sequences and of series: read */
    CAIRN_PLUGIN_BAGS = 16,       /* from cairn_job_table */
    CAIRN_PLUGIN_SEQUENCES = 32,  /* (see above) */
    CAIRN_PLUGIN_SERIES = 64,     /* (see above) */
    CAIRN_PLUGIN_ONE_CLASS = 128, /* a target with a single class is enough */
    CAIRN_PLUGIN_NO_FEATURES = 256,    /* there may be no columns to learn from */
    CAIRN_PLUGIN_SCALED = 512,         /* columns are standardised unless the user says otherwise */
    CAIRN_PLUGIN_SCORES = 1024,        /* `predict` fills `scores` for every class; without it, it
                                        fills `codes`, and the class that it gives scores 1 */
    CAIRN_PLUGIN_PROBABILITIES = 2048, /* and the scores of a row add up to 1 */
    CAIRN_PLUGIN_PROBABILISTIC = 4096, /* where lists name it: a model of probabilities, */
    CAIRN_PLUGIN_LOGICAL = 8192,       /* or of tests and rules; neither: of lines and distances */
    CAIRN_PLUGIN_CHANGES_ROWS = 16384, /* a transform: leaves out, repeats or invents training rows
                                          and leaves new ones alone */
    CAIRN_PLUGIN_COMPLETE = 32768      /* a transform: wants no missing numbers; they are filled in
                                          front of it */
};

/* A learner. `name`, `tasks`, `fit`, `predict`, `save`, `load` and `release` are needed. */
typedef struct cairn_plugin_learner {
    size_t size;         /* sizeof(cairn_plugin_learner) */
    const char *name;    /* small letters, digits and hyphens, at most 40; not one that is taken */
    const char *title;   /* a few words; NULL = the name */
    const char *summary; /* some sentences for help; may be NULL */
    const char *also;    /* what others call it, separated by commas; may be NULL */
    const char *example; /* a command line; NULL = "cairn fit NAME DATA" */
    const cairn_plugin_param *params; /* NULL = none */
    size_t params_size;               /* of the struct of settings; 0 = none */
    unsigned tasks;                   /* CAIRN_CLASSIFY, CAIRN_REGRESS, CAIRN_CLUSTER added up */
    unsigned flags;                   /* CAIRN_PLUGIN_... added up */
    void *data;                       /* handed to every function */
    /* Learn from the rows of the job; *state is NULL and is released even after a failure. */
    cairn_status (*fit)(cairn_context *ctx, const cairn_job *job, void **state, void *data);
    /* Answer the rows of the job, which has no target. */
    cairn_status (*predict)(cairn_context *ctx, const cairn_job *job, const void *state,
                            cairn_plugin_answers *out, void *data);
    /* Write a state down by cairn_sink_write. */
    cairn_status (*save)(cairn_context *ctx, const void *state, cairn_sink *out, void *data);
    /* Make a state of the bytes that `save` wrote, or of those of a stranger: check them. The job
     * has columns and classes and no rows. */
    cairn_status (*load)(cairn_context *ctx, const cairn_job *job, const void *bytes, size_t n,
                         void **state, void *data);
    void (*release)(void *state, void *data);
    /* More rows for a fitted state; levels and classes that are new stand behind the old ones. A
     * failure may leave it half changed. NULL = all rows at once. */
    cairn_status (*update)(cairn_context *ctx, const cairn_job *job, void *state, void *data);
    /* Its part of a report about the model, by cairn_show_...; NULL = nothing. */
    void (*describe)(cairn_report *report, const cairn_job *job, const void *state, void *data);
    /* How many clusters there are; NULL = it finds none. */
    size_t (*clusters)(const void *state, void *data);
    /* How many numbers were learned, for the card of the model; NULL = not known. */
    double (*parameters)(const void *state, void *data);
} cairn_plugin_learner;

/* A transform: a table of which another is made. `name` and `apply` are needed; one that learns
 * from the training rows has `fit`, `save`, `load` and `release`. */
typedef struct cairn_plugin_transform {
    size_t size;                                         /* sizeof(cairn_plugin_transform) */
    const char *name, *title, *summary, *also, *example; /* as those of a learner */
    const cairn_plugin_param *params;
    size_t params_size;
    unsigned flags; /* CAIRN_PLUGIN_CHANGES_ROWS, CAIRN_PLUGIN_COMPLETE */
    void *data;
    cairn_status (*fit)(cairn_context *ctx, const cairn_job *job, void **state, void *data);
    /* *out is a new table; cairn_table_copy shares the columns that are left alone. Columns with
     * the roles target, weight, id and group stay, and so does the number of rows unless the record
     * changes rows. `state` is NULL without `fit`. */
    cairn_status (*apply)(cairn_context *ctx, const void *settings, const void *state,
                          const cairn_table *table, cairn_table **out, void *data);
    cairn_status (*save)(cairn_context *ctx, const void *state, cairn_sink *out, void *data);
    /* The job of `load` has settings alone. */
    cairn_status (*load)(cairn_context *ctx, const cairn_job *job, const void *bytes, size_t n,
                         void **state, void *data);
    void (*release)(void *state, void *data);
    void (*describe)(cairn_report *report, const cairn_job *job, const void *state, void *data);
} cairn_plugin_transform;

/* A format of data files. `name` and one of `read` and `write` are needed. Names of files that end
 * with one of the extensions, and bytes that `detect` knows, are of this format before they are of
 * one of the library's. */
typedef struct cairn_plugin_format {
    size_t size; /* sizeof(cairn_plugin_format) */
    const char *name, *title, *summary, *also;
    const char *extensions; /* without dots, separated by blanks: "dat log"; may be NULL */
    void *data;
    /* Whether the first bytes of a file, at most some thousands, are of this format; `name` may be
     * NULL. NULL = never. */
    bool (*detect)(const char *name, const char *head, size_t n, void *data);
    /* Bytes arrive unpacked when they were compressed. Kinds and roles that the caller asked for
     * are set afterwards. */
    cairn_status (*read)(cairn_context *ctx, cairn_stream *in, cairn_table **out, void *data);
    cairn_status (*write)(cairn_context *ctx, const cairn_table *table, cairn_sink *out,
                          void *data);
} cairn_plugin_format;

/* Make a record known in a context and in all that it does from then on. A record without what it
 * needs, with a size that no version has, a name that cannot be one or is taken, or a parameter
 * whose default is refused by its own range: CAIRN_USAGE, with the reason; likewise while the
 * context is at work, in a function of a record. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_register_learner(cairn_context *ctx,
                                                            const cairn_plugin_learner *record);
CAIRN_API CAIRN_CHECKED cairn_status cairn_register_transform(cairn_context *ctx,
                                                              const cairn_plugin_transform *record);
CAIRN_API CAIRN_CHECKED cairn_status cairn_register_format(cairn_context *ctx,
                                                           const cairn_plugin_format *record);

/* -- for the functions of a record -- */

/* Leave a sentence for the user and return `status`, so that `return cairn_plugin_fail(...)` reads
 * well. It should name the column, row or value and what to do. */
CAIRN_API cairn_status cairn_plugin_fail(cairn_context *ctx, cairn_status status,
                                         const char *message);

/* Tell how far a long call is and learn whether to go on: CAIRN_CANCELLED is to be returned. `what`
 * NULL shows nothing. `total` is 0 when it is not known. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_plugin_tick(cairn_context *ctx, const char *what,
                                                       double done, double total);

/* The struct of settings; NULL when the record has none. */
CAIRN_API const void *cairn_job_settings(const cairn_job *job);

/* What is learned. */
CAIRN_API cairn_task cairn_job_task(const cairn_job *job);

/* How many rows and feature columns there are. A job without rows has 0. */
CAIRN_API size_t cairn_job_rows(const cairn_job *job);
CAIRN_API size_t cairn_job_columns(const cairn_job *job);

/* The name and the kind of a feature, and its levels by code. NULL, CAIRN_NUMBER and 0 when there
 * is none. Borrowed. */
CAIRN_API const char *cairn_job_column(const cairn_job *job, size_t column);
CAIRN_API cairn_kind cairn_job_kind(const cairn_job *job, size_t column);
CAIRN_API size_t cairn_job_level_count(const cairn_job *job, size_t column);
CAIRN_API const char *cairn_job_level(const cairn_job *job, size_t column, size_t code);

/* The classes of a classification by code; 0 and NULL elsewhere. `cairn_job_positive` is the code
 * of the positive one of two classes, -1 = there is none. */
CAIRN_API size_t cairn_job_class_count(const cairn_job *job);
CAIRN_API const char *cairn_job_class(const cairn_job *job, size_t code);
CAIRN_API int32_t cairn_job_positive(const cairn_job *job);

/* The features of the rows first to first + n - 1 into `out`, row by row, cairn_job_columns numbers
 * each: numbers as they are, levels as codes, NaN = missing. Rows that there are not, and columns
 * of other kinds, are NaN. */
CAIRN_API void cairn_job_read(const cairn_job *job, size_t first, size_t n, double *out);

/* The target of those rows as codes or as numbers, and their weights, 1 where there are none. A
 * code of a row that there is not is -1, its numbers are NaN. */
CAIRN_API void cairn_job_target_codes(const cairn_job *job, size_t first, size_t n, int32_t *out);
CAIRN_API void cairn_job_target_numbers(const cairn_job *job, size_t first, size_t n, double *out);
CAIRN_API void cairn_job_weights(const cairn_job *job, size_t first, size_t n, double *out);

/* The table that the rows are of, for columns of other kinds: row i of the job is row
 * cairn_job_row(job, i) there, and feature j its column cairn_job_place(job, j). NULL, 0 and -1
 * when there is none. Borrowed. */
CAIRN_API const cairn_table *cairn_job_table(const cairn_job *job);
CAIRN_API size_t cairn_job_row(const cairn_job *job, size_t i);
CAIRN_API ptrdiff_t cairn_job_place(const cairn_job *job, size_t column);

/* Where the work is to be shown by cairn_show_...; NULL when nobody asked for the steps. */
CAIRN_API cairn_report *cairn_job_steps(const cairn_job *job);

/* Bytes into a sink. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_sink_write(cairn_context *ctx, cairn_sink *sink,
                                                      const void *bytes, size_t n);

/* The next bytes of a stream into a buffer of `size`; *got = 0 at the end. The name is that of the
 * file, for messages. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_stream_read(cairn_context *ctx, cairn_stream *stream,
                                                       void *buffer, size_t size, size_t *got);
CAIRN_API const char *cairn_stream_name(const cairn_stream *stream);

/* Parts of a report; `report` NULL does nothing. A heading of level 1 to 4, a paragraph, a formula
 * on a line of its own. */
CAIRN_API void cairn_show_heading(cairn_report *report, int level, const char *text);
CAIRN_API void cairn_show_paragraph(cairn_report *report, const char *text);
CAIRN_API void cairn_show_formula(cairn_report *report, const char *text);

/* A line "label: value". The value gets the dotted name, by which programs find it
 * (cairn_report_number, cairn_report_string); `name` NULL = none. */
CAIRN_API void cairn_show_number(cairn_report *report, const char *label, double value,
                                 const char *name);
CAIRN_API void cairn_show_word(cairn_report *report, const char *label, const char *word,
                               const char *name);

/* A table; `title` may be NULL. With a `name`, the number or word in row i (from 1) of a column is
 * the value NAME.i.COLUMN. Of a long table the first 50 rows are shown; all are named. */
CAIRN_API void cairn_show_table(cairn_report *report, const char *title, const cairn_table *table,
                                const char *name);

#ifdef __cplusplus
}
#endif
#endif
