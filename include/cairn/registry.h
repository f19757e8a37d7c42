/* SPDX-License-Identifier: MIT */
/* What there is: learners, transforms, formats, calculators and all else that has a name, each with
 * its parameters. `cairn list` and `cairn help` say the same to people. */
#ifndef CAIRN_REGISTRY_H
#define CAIRN_REGISTRY_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of things that have a name. New ones are added at the end. */
typedef enum cairn_entry_kind {
    CAIRN_ENTRY_LEARNER,
    CAIRN_ENTRY_TRANSFORM,
    CAIRN_ENTRY_FORMAT,
    CAIRN_ENTRY_SOURCE,
    CAIRN_ENTRY_RESAMPLING,
    CAIRN_ENTRY_MEASURE,
    CAIRN_ENTRY_DISTANCE,
    CAIRN_ENTRY_KERNEL,
    CAIRN_ENTRY_CALCULATOR,
    CAIRN_ENTRY_PICTURE,
    CAIRN_ENTRY_VERB
} cairn_entry_kind;

/* What a parameter holds; its value is always given as text. New ones are added at the end. */
typedef enum cairn_type {
    CAIRN_TYPE_BOOL,    /* yes | no */
    CAIRN_TYPE_INT,     /* a whole number of 32 bits */
    CAIRN_TYPE_INT64,   /* a whole number of 64 bits */
    CAIRN_TYPE_REAL,    /* a number */
    CAIRN_TYPE_TEXT,    /* text as typed */
    CAIRN_TYPE_CHOICE,  /* one of a list of words */
    CAIRN_TYPE_LIST,    /* numbers separated by commas */
    CAIRN_TYPE_COLUMNS, /* names of columns separated by commas */
    CAIRN_TYPE_FILE,    /* a path */
    CAIRN_TYPE_SPEC     /* another entry with its parameters, name:key=value,... */
} cairn_type;

/* One thing that has a name: constant, owned by the library or by what was registered in the
 * context. */
typedef struct cairn_entry cairn_entry;

/* The name of a kind, such as "learner"; never NULL. */
CAIRN_API const char *cairn_entry_kind_name(cairn_entry_kind kind);

/* The name of a type, such as "int"; never NULL. */
CAIRN_API const char *cairn_type_name(cairn_type type);

/* How many entries of a kind this context knows; 0 where there is no such kind. */
CAIRN_API size_t cairn_entry_count(const cairn_context *ctx, cairn_entry_kind kind);

/* The i-th entry of a kind, those of the library sorted by name; NULL at the end. Borrowed, as long
 * as the context lives. */
CAIRN_API const cairn_entry *cairn_entry_at(const cairn_context *ctx, cairn_entry_kind kind,
                                            size_t i);

/* The entry of that kind and name ("tree"); NULL when there is none. Borrowed. Synonyms are not
 * looked for: the message of cairn_params_new suggests them. */
CAIRN_API const cairn_entry *cairn_entry_by_name(const cairn_context *ctx, cairn_entry_kind kind,
                                                 const char *name);

/* What an entry says of itself. Texts are borrowed and may be NULL. In `summary`, and in the help
 * of parameters and choices, a parameter that is mentioned stands in braces, {max-depth}:
 * cairn_text_said writes that out. */
typedef struct cairn_entry_details {
    size_t size; /* sizeof(cairn_entry_details) */
    cairn_entry_kind kind;
    const char *name;       /* the word that it is asked for by: "tree" */
    const char *title;      /* a few words: "Decision tree" */
    const char *summary;    /* some sentences: what it does, how, when to use it */
    const char *also;       /* what others call it, separated by commas; what such a name needs to
                               be set stands in brackets behind it: "ID3 (preset=id3)" */
    const char *references; /* where it is described */
    const char *example;    /* a command line that runs as it stands */
    /* Of learners, with their parameters as they are by default; else 0 and false. */
    unsigned tasks;           /* CAIRN_CLASSIFY, CAIRN_REGRESS ... added up */
    unsigned kinds;           /* kinds of features that it takes as they are, 1 << CAIRN_NUMBER and
                                 so on added up; numbers are made of levels where it wants them */
    bool takes_missing;       /* missing cells in features; else they are filled before */
    bool takes_weights;       /* rows may have weights */
    bool takes_targets;       /* several targets at once; else there is a model for each */
    bool needs_target;        /* it learns from a target */
    bool wraps;               /* it is made of other learners */
    bool gives_scores;        /* a score for each class or cluster */
    bool gives_probabilities; /* and the scores of a row add up to 1 */
    bool may_abstain;         /* some rows get no answer */
    bool predicts;            /* it answers for rows that it was not fitted to */
    bool updates;             /* cairn_model_update takes further rows in */
} cairn_entry_details;

#define CAIRN_ENTRY_DETAILS_INIT                                                                   \
    {                                                                                              \
        sizeof(cairn_entry_details), CAIRN_ENTRY_LEARNER, NULL, NULL, NULL, NULL, NULL, NULL, 0,   \
            0, false, false, false, false, false, false, false, false, false, false                \
    }

/* Fill *out, which was begun with CAIRN_ENTRY_DETAILS_INIT, with what the entry says of itself. Of
 * a larger struct of a newer header the fields that this library does not know become 0. False,
 * with *out as it was, when its size is less than that of the first field. */
CAIRN_API bool cairn_entry_info(const cairn_entry *entry, cairn_entry_details *out);

enum { CAIRN_PARAM_NAME_SIZE = 64, CAIRN_PARAM_CONDITIONS = 7 };

/* What there is to know about a parameter. Texts are borrowed and may be NULL. */
typedef struct cairn_param_info {
    size_t size;                      /* sizeof(cairn_param_info) */
    char name[CAIRN_PARAM_NAME_SIZE]; /* as cairn_params_set takes it: "max-depth" */
    cairn_type type;
    const char *initial; /* its default as text; NULL = none: nothing is set, or it is required */
    const char *range;   /* of numbers, "[1,inf)"; NULL = any number, or none at all */
    double low, high;    /* the same as numbers; minus and plus infinity where nothing is said */
    bool low_open;       /* `low` itself is outside */
    bool high_open;      /* `high` itself is outside */
    size_t choice_count; /* of CAIRN_TYPE_CHOICE; see cairn_param_choice */
    bool required;       /* it must be set */
    bool repeated;       /* several values, separated by line feeds */
    bool often;          /* one of those that matter most */
    bool writes;         /* a file that is written */
    const char *names;   /* the kind of entry that it is about: "transform" */
    const char *help;    /* one sentence without a full stop */
    /* The settings of other parameters with which it counts, as "solver=ascent" or
     * "method=kd|ball,!alpha": all of them must hold, NULL ends the list. Set elsewhere it is
     * refused. A name alone is that of a parameter that is "yes", or not as it is by default; "!"
     * is the contrary; a comma means and, " or " binds less; "*" at the end of a value stands for
     * any text. Names have underscores where `name` has hyphens. */
    const char *when[CAIRN_PARAM_CONDITIONS + 1];
} cairn_param_info;

#define CAIRN_PARAM_INFO_INIT                                                                      \
    {                                                                                              \
        sizeof(cairn_param_info), {0}, CAIRN_TYPE_BOOL, NULL, NULL, 0, 0, false, false, 0, false,  \
            false, false, false, NULL, NULL,                                                       \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }

/* How many parameters an entry has. */
CAIRN_API size_t cairn_param_count(const cairn_entry *entry);

/* Fill *out, which was begun with CAIRN_PARAM_INFO_INIT, with the i-th parameter of the entry; as
 * cairn_entry_info does it. False when there are fewer. */
CAIRN_API bool cairn_param_at(const cairn_entry *entry, size_t i, cairn_param_info *out);

/* A word that the i-th parameter of the entry may be, and, unless `help` is NULL, what it means
 * (which may be NULL). NULL at the end, and for other types of parameters. Borrowed. */
CAIRN_API const char *cairn_param_choice(const cairn_entry *entry, size_t i, size_t choice,
                                         const char **help);

/* A text of the registry with its parameters written out: {max-depth} becomes 'max-depth', and
 * {target COLUMN} target=COLUMN. The caller frees *out with cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_text_said(cairn_context *ctx, const char *text,
                                                     char **out);

#ifdef __cplusplus
}
#endif
#endif
