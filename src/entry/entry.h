/* SPDX-License-Identifier: MIT */
/* Entries: everything that a user can name (learners, transforms, formats, calculators, pictures,
 * verbs ...) begins with one of these, so that help, look-up, completion, docs and contract tests
 * treat them alike. Parameters are declared once, as a table of text beside the struct they
 * fill. */
#ifndef CAIRN_ENTRY_ENTRY_H
#define CAIRN_ENTRY_ENTRY_H

#include "base/context.h"
#include "base/text.h"
#include "cairn/model.h"
#include "cairn/registry.h"
#include <stdint.h>

CAIRN_CAN_OWN(cairn_params_free, cairn_params)
CAIRN_CAN_OWN(cairn_model_free, cairn_model)

/* Default of a real parameter that may be left out: it is NaN then. */
#define CAIRN_NOT_GIVEN "not given"

/* A parameter and the value that a choice gives it. */
typedef struct cairn_setting {
    const char *name, *value; /* NULL ends the list */
} cairn_setting;

typedef struct cairn_choice {
    const char *name; /* NULL ends the list */
    int value;
    const char *help;
} cairn_choice;

/* What a row reads its text as, into a field of type cairn_list. Numbers are separated by commas,
 * may be fractions such as 2/3 or in per cent, and are finite, unless a range that ends with "inf]"
 * says else. */
typedef enum cairn_cells {
    CAIRN_CELLS_NONE, /* the text is all */
    CAIRN_CELLS_NUMBERS,
    CAIRN_CELLS_ANY,           /* nan and inf, too */
    CAIRN_CELLS_WHOLE,         /* whole numbers */
    CAIRN_CELLS_PROBABILITIES, /* not negative, and they add up to 1 */
    CAIRN_CELLS_NAMES,
    CAIRN_CELLS_MATRIX, /* rows that are equally long, divided by semicolons or given one by one */
    CAIRN_CELLS_COUNTS  /* the same, with numbers that are not negative and have a finite sum */
} cairn_cells;

/* A list or matrix as typed, which lives as long as the settings. */
typedef struct cairn_list {
    const char *text;         /* NULL = not given; then all is empty */
    const double *values;     /* n numbers, row by row */
    const char *const *names; /* n names */
    size_t n, rows, columns;  /* a list is one row */
} cairn_list;

typedef struct cairn_param {
    const char *name; /* field name; max_iter is --max-iter on the command line */
    cairn_type type;
    uint32_t offset;                 /* of the field in the parameter struct */
    const char *initial;             /* default, parsed like user input; NULL = required, unless the
                                    type is text-like: then NULL = not given */
    const char *range;               /* "[1,inf)", "(0,1]", printed as is; NULL = any; each number
                                    of a list lies in it */
    const cairn_choice *choices;     /* for CAIRN_TYPE_CHOICE */
    const char *help;                /* one sentence, no full stop */
    const struct cairn_param *group; /* a shared table included here; then only `offset` counts */
    const cairn_setting *const *presets; /* one list per choice: other parameters of the entry that
                                    it sets, unless they are set by themselves, before or after;
                                    NULL = none */
    const char *when;  /* the settings of others with which it counts, in the language of
                                    entry/condition.h; of a group it holds for all of its rows;
                                    NULL = always */
    const char *names; /* the kind of entry ("transform") that a spec or a list of names is about;
                                    NULL = none; for completion */
    const char *was;   /* its earlier name, which specs in model files may have; NULL = none */
    const char *also;  /* what others call it here, each between two blanks: " learning_rate eta ";
                                    in place of what entry/other_name.c has for its name */
    cairn_cells cells; /* of a list or matrix */
    uint32_t object;   /* CAIRN_TYPE_SPEC: where the struct has a const cairn_params * for what the
                                    text stands for, beside the text; 0 = the text is all */
    uint8_t object_kind; /* then what kind of entry that is */
    bool required;       /* a text-like parameter that must be given */
    bool writes;   /* a file that is written; of a learner or transform it is refused where models
                                    are fitted again and again */
    bool steps;    /* what it asks for is shown among the steps: 'fit' shows them without --steps */
    bool repeated; /* a text-like one that may be given several times; the values are
                                    joined by a line feed */
    bool often;    /* one of those that matter most: --help shows it, --help-all shows the rest */
} cairn_param;

/* The field's C type selects the row's type: a row that disagrees with its struct does not
 * compile. What follows the help are further fields: CAIRN_PARAM(P, eta, "0.1", "(0,inf)",
 * "learning rate", .when = "solver=ascent"). */
#define CAIRN_TYPE_OF(S, F)                                                                        \
    _Generic(((S *)0)->F, bool                                                                     \
             : CAIRN_TYPE_BOOL, int                                                                \
             : CAIRN_TYPE_INT, int64_t                                                             \
             : CAIRN_TYPE_INT64, double                                                            \
             : CAIRN_TYPE_REAL, const char *                                                       \
             : CAIRN_TYPE_TEXT)
#define CAIRN_PARAM(S, F, INITIAL, RANGE, ...)                                                     \
    {                                                                                              \
        .name = #F, .type = CAIRN_TYPE_OF(S, F), .offset = offsetof(S, F), .initial = INITIAL,     \
        .range = RANGE, .help = __VA_ARGS__                                                        \
    }
#define CAIRN_PARAM_CHOICE(S, F, INITIAL, CHOICES, ...)                                            \
    {                                                                                              \
        .name = #F, .type = CAIRN_TYPE_CHOICE, .offset = offsetof(S, F), .initial = INITIAL,       \
        .choices = CHOICES, .help = __VA_ARGS__                                                    \
    }
/* An option that has another name than its field. */
#define CAIRN_PARAM_CALLED(NAME, S, F, INITIAL, RANGE, ...)                                        \
    {                                                                                              \
        .name = NAME, .type = CAIRN_TYPE_OF(S, F), .offset = offsetof(S, F), .initial = INITIAL,   \
        .range = RANGE, .help = __VA_ARGS__                                                        \
    }
/* A text-like field of another type than CAIRN_TYPE_TEXT: list, columns, file, spec. */
#define CAIRN_PARAM_AS(S, F, TYPE, INITIAL, ...)                                                   \
    {                                                                                              \
        .name = #F, .type = TYPE, .offset = offsetof(S, F), .initial = INITIAL,                    \
        .help = __VA_ARGS__                                                                        \
    }
/* A list or matrix: the field is a cairn_list, CELLS one of NUMBERS, NAMES, MATRIX ... */
#define CAIRN_PARAM_CELLS(S, F, CELLS, INITIAL, RANGE, ...)                                        \
    {                                                                                              \
        .name = #F,                                                                                \
        .type = CAIRN_CELLS_##CELLS < CAIRN_CELLS_NAMES ? CAIRN_TYPE_LIST : CAIRN_TYPE_TEXT,       \
        .cells = CAIRN_CELLS_##CELLS, .offset = offsetof(S, F.text), .initial = INITIAL,           \
        .range = RANGE, .help = __VA_ARGS__                                                        \
    }
/* A spec whose entry and settings are wanted as an object: the field OBJECT (const cairn_params *)
 * is set with the text F and is never NULL when the text is not. */
#define CAIRN_PARAM_OBJECT(S, F, OBJECT, KIND, INITIAL, ...)                                       \
    {                                                                                              \
        .name = #F, .type = CAIRN_TYPE_SPEC, .offset = offsetof(S, F), .initial = INITIAL,         \
        .object = offsetof(S, OBJECT), .object_kind = KIND, .help = __VA_ARGS__                    \
    }
/* The same for a parameter that may be given several times: the object is the first of a list. */
#define CAIRN_PARAM_OBJECTS(S, F, OBJECTS, KIND, ...)                                              \
    {                                                                                              \
        .name = #F, .type = CAIRN_TYPE_SPEC, .offset = offsetof(S, F), .repeated = true,           \
        .object = offsetof(S, OBJECTS), .object_kind = KIND, .help = __VA_ARGS__                   \
    }
/* Transforms in order, as text in the field `with` and as objects in the field `transforms`. */
#define CAIRN_PARAM_TRANSFORMS(S, ...)                                                             \
    CAIRN_PARAM_OBJECTS(S, with, transforms, CAIRN_ENTRY_TRANSFORM, __VA_ARGS__,                   \
                        .names = "transform")
/* A file that is written. */
#define CAIRN_PARAM_WRITES(S, F, ...)                                                              \
    {                                                                                              \
        .name = #F, .type = CAIRN_TYPE_FILE, .offset = offsetof(S, F), .help = __VA_ARGS__,        \
        .writes = true                                                                             \
    }
#define CAIRN_PARAM_GROUP(S, F, ...)                                                               \
    {                                                                                              \
        .name = #F, .offset = offsetof(S, F), .group = __VA_ARGS__                                 \
    }
#define CAIRN_PARAM_END                                                                            \
    {                                                                                              \
        .name = NULL                                                                               \
    }

struct cairn_entry { /* named in cairn/registry.h, as its kinds and the types of parameters */
    cairn_entry_kind kind;
    const char *name;    /* the command word */
    const char *also;    /* what others call it, for search: "random forest, bagged trees"; one
                             * that needs settings has them in brackets: "ID3 (preset=id3)" */
    const char *about;   /* what it is looked for by though it is not called so: "internal node" */
    const char *title;   /* a few words: "Decision tree" */
    const char *summary; /* some sentences for help: what it does, how, when to use it */
    const char *references; /* where it is described; NULL for verbs and formats */
    const char *example;    /* a command line that runs as it stands: "cairn fit tree @weather" */
    const cairn_param *params;
    size_t params_size;
    /* What the table cannot say about the values, checked before data is read; NULL = nothing. */
    cairn_status (*check)(cairn_context *ctx, const void *values);
    /* A pair of a spec whose name is no parameter is a value of the first one as it stands, as in
     * "formula:z=x^2,w=log(x)". */
    bool assigns;
    struct cairn_own
        *own; /* NULL = of the library; else it was registered by a program, and is held
                              (entry/own.h) */
};

/* -- the registry -- */
/* The entries of the library: src/registry.c defines it, sorted by kind, then name. */
const cairn_entry *const *cairn_registry(size_t *n);
/* Those and the ones that a program registered in the context, sorted likewise; `ctx` NULL = the
 * library's. */
const cairn_entry *const *cairn_entries(const cairn_context *ctx, size_t *n);
/* One that the context knows, or NULL. */
const cairn_entry *cairn_entry_find(const cairn_context *ctx, cairn_entry_kind kind,
                                    const char *name);
/* The same, failing with "there is no learner 'tre'; did you mean 'tree'?" (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_entry_get(cairn_context *ctx, const cairn_entry **out,
                                           cairn_entry_kind kind, const char *name);

/* How messages name the parameters of settings. */
typedef enum cairn_said {
    CAIRN_SAID_NAME,  /* 'max-depth', for callers of the library */
    CAIRN_SAID_KEY,   /* tree: max-depth, as it stands in a spec */
    CAIRN_SAID_OPTION /* --max-depth, on the command line */
} cairn_said;

/* -- settings of one entry -- */
struct cairn_params {
    const cairn_entry *entry;
    cairn_said said;
    void *values;  /* the entry's parameter struct, params_size bytes */
    char **texts;  /* values as typed, one per flat row; NULL = default */
    void **lists;  /* n_rows: what the fields of lists and matrices point to; else NULL */
    size_t n_rows; /* flat rows, groups expanded */
    bool renamed;  /* the spec that it was read from has other names than the house; texts that are
                   * kept of it are made anew */
    cairn_params **objects; /* n_rows: what rows with an object stand for; else NULL */
    cairn_params *next;     /* of a list of settings, which is freed with its first */
};

/* All parameters at their defaults; the entry is held as long as they live. Free them with
 * cairn_params_free. */
CAIRN_CHECKED cairn_status cairn_params_for(cairn_context *ctx, cairn_params **out,
                                            const cairn_entry *entry);
/* From a spec "name:key=value,key=value" of the given kind; the first pair may be a bare value of
 * the first parameter ("cv:10"). A value may hold commas and colons
 * inside (), [] or {} or double quotes. */
CAIRN_CHECKED cairn_status cairn_params_from_spec(cairn_context *ctx, cairn_params **out,
                                                  cairn_entry_kind kind, const char *spec);
CAIRN_CHECKED cairn_status cairn_params_copy(cairn_context *ctx, cairn_params **out,
                                             const cairn_params *params);
/* A copy of all settings of a list. */
CAIRN_CHECKED cairn_status cairn_params_copy_list(cairn_context *ctx, cairn_params **out,
                                                  const cairn_params *list);
/* Put settings, which pass over with those behind them, at the end of a list. */
void cairn_params_append(cairn_params **list, cairn_params *last);
/* The settings of the specs, ended by NULL, put at the end of a list. */
CAIRN_CHECKED cairn_status cairn_params_append_specs(cairn_context *ctx, cairn_params **list,
                                                     cairn_entry_kind kind,
                                                     const char *const *specs);
/* Set a parameter with an object to a copy of it, or add copies of a list to one that may be given
 * several times; the text, for reports and files, is the spec. */
CAIRN_CHECKED cairn_status cairn_params_set_object(cairn_context *ctx, cairn_params *params,
                                                   const char *name, const cairn_params *object);
/* The preset that was chosen and what it sets, in effect or overruled; NULL = none. */
const cairn_choice *cairn_params_preset(const cairn_params *params, const cairn_setting **sets);
/* Set a parameter as the user gives it: lists of columns that are given several times add up, and
 * nothing else may be given twice. */
CAIRN_CHECKED cairn_status cairn_params_give(cairn_context *ctx, cairn_params *params,
                                             const char *name, const char *value);
/* The name of the parameter that is called so, here or by others (entry/other_name.h), which is
 * noted; NULL = none. Fails (CAIRN_USAGE) where others call two of its parameters so. */
CAIRN_CHECKED cairn_status cairn_option_meant(cairn_context *ctx, const cairn_params *params,
                                              const char *given, const char **out);
/* Whether the entry has a parameter of this name (with - or _). */
bool cairn_params_has(const cairn_entry *entry, const char *name);
/* The value in force as text (the default when it was not set); NULL when there is none. */
const char *cairn_params_text(const cairn_params *params, const char *name);
/* What a parameter is when nobody sets it: as the preset says, or the default. */
const char *cairn_params_usual(const cairn_params *params, const cairn_param *row);
bool cairn_params_is_set(const cairn_params *params, const char *name);
/* Whether the parameter does nothing with these settings of the others. */
bool cairn_params_idle(const cairn_params *params, const char *name);
/* Forget that it was set: it is what the preset says, or the default. */
CAIRN_CHECKED cairn_status cairn_params_unset(cairn_context *ctx, cairn_params *params,
                                              const char *name);
/* Forget all that was set and does nothing with the other settings. */
CAIRN_CHECKED cairn_status cairn_params_drop_idle(cairn_context *ctx, cairn_params *params);
/* Fails (CAIRN_USAGE) when something was set that does nothing with these settings, naming what
 * would make it count. */
CAIRN_CHECKED cairn_status cairn_params_refuse_idle(cairn_context *ctx, const cairn_params *params);
/* Whether a parameter must be given. */
bool cairn_param_is_required(const cairn_param *row);
/* Fails (CAIRN_USAGE) when a required parameter was not given, or one that does nothing was. */
CAIRN_CHECKED cairn_status cairn_params_check(cairn_context *ctx, const cairn_params *params);
/* Whether something was set that is shown among the steps. */
bool cairn_params_ask_steps(const cairn_params *params);
/* Fails (CAIRN_USAGE) when something was set that is of one fit alone: a file that it writes, or
 * what it shows. For commands and wrappers that fit again and again. */
CAIRN_CHECKED cairn_status cairn_params_refuse_single(cairn_context *ctx,
                                                      const cairn_params *params);
/* "name:key=value,..." with what differs from the defaults, in table order: canonical. */
CAIRN_CHECKED cairn_status cairn_params_spec(cairn_context *ctx, const cairn_params *params,
                                             char **out);

/* Walk over the flat rows of an entry (groups expanded): row i and the offset of its field, or NULL
 * at the end. */
const cairn_param *cairn_params_row(const cairn_entry *entry, size_t i, size_t *offset);
/* The row of this name (with - or _) or of this earlier name, or NULL. */
const cairn_param *cairn_params_row_named(const cairn_entry *entry, const char *name);
/* The conditions of flat row i: its own and those of the groups it stands in. */
enum { CAIRN_MOST_NESTING = 4 };
size_t cairn_params_when(const cairn_entry *entry, size_t i,
                         const char *when[CAIRN_MOST_NESTING + 1]);
/* "max-iter" from "max_iter". `out` has room for 64 bytes. */
void cairn_option_name(char out[64], const char *name);
/* A value just outside `range` as text; false when the range excludes nothing. */
bool cairn_range_bad_value(const char *range, char *out, size_t size);

/* -- lists -- */
/* Split "a,b,c" or "(a,b,c)" at commas outside quotes and brackets; items are trimmed of blanks,
 * quotes are taken off. Names and array come from scratch. */
CAIRN_CHECKED cairn_status cairn_list_split(cairn_context *ctx, const char *list, char ***out,
                                            size_t *n);
CAIRN_CHECKED cairn_status cairn_list_numbers(cairn_context *ctx, const char *what,
                                              const char *list, double **out, size_t *n);
/* The lines of a parameter that may be given several times, ended by NULL; an empty list
 * for NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_list_lines(cairn_context *ctx, const char *lines,
                                            const char *const **out);

/* Read "3,2;4,0;2,3", also in square brackets, as a row-major matrix (scratch); rows must be
 * equally long. `what` is the option's name for messages. */
CAIRN_CHECKED cairn_status cairn_read_matrix(cairn_context *ctx, const char *what, const char *text,
                                             double **out, size_t *n_rows, size_t *n_columns);
/* The same for counts: cells are finite and not negative. */
CAIRN_CHECKED cairn_status cairn_read_counts(cairn_context *ctx, const char *what, const char *text,
                                             double **out, size_t *n_rows, size_t *n_columns);
/* What a row reads from a text (scratch); `said` is the parameter as messages call it. */
CAIRN_CHECKED cairn_status cairn_list_read(cairn_context *ctx, cairn_list *out,
                                           const cairn_param *row, const char *said,
                                           const char *text);
/* Fails (CAIRN_USAGE) unless the list has n entries, one for each of something: "{prior} has 3
 * numbers for 2 classes". */
CAIRN_CHECKED cairn_status cairn_list_fits(cairn_context *ctx, const cairn_list *list,
                                           const char *option, size_t n, const char *of);
/* A copy of the n numbers of such a list, or n times the same one where it was not given. Scratch.
 */
CAIRN_CHECKED cairn_status cairn_list_or(cairn_context *ctx, double **out, const cairn_list *list,
                                         const char *option, size_t n, const char *of,
                                         double otherwise);
/* A number, a fraction of two, or one in per cent: 0.4, 2/5, 40%. */
bool cairn_fraction_parse(const char *text, double *out);

#endif
