/* SPDX-License-Identifier: MIT */
/* Commands: what every verb shares. A verb is a record like a learner: its options are a parameter
 * table, its function fills the report. cairn_run() finds the verb, reads the words and options,
 * sets up the context, calls the verb, and writes what --out asks for. */
#ifndef CAIRN_COMMAND_COMMAND_H
#define CAIRN_COMMAND_COMMAND_H

#include "base/text.h"
#include "cairn/run.h"
#include "data/chunks.h"
#include "data/expression.h"
#include "data/table.h"
#include "data/wanted.h"
#include "entry/entry.h"
#include "model/model.h"
#include "model/scale_choice.h"
#include "report/report.h"
#include "reshape/long_form.h"

/* -- options that mean the same everywhere; a verb's table includes the groups that it needs -- */
typedef struct cairn_reading { /* how a file is read */
    const char *where;
    const char *kinds, *missing_mark, *separator, *decimal, *encoding, *input_format, *time_format;
    const char *comment, *thousands, *sheet;
    int skip;      /* lines before the header */
    int bad_lines; /* cairn_bad_lines */
    int header;    /* -1 found, 0 none, 1 there is one */
    bool transpose, only_marks;
    int as; /* cairn_shape */
} cairn_reading;

typedef struct cairn_roles { /* what the columns are for */
    const char *target, *against_rest, *features, *ignore, *weight, *id, *group;
} cairn_roles;

typedef struct cairn_fitting { /* how a model is fitted */
    int task;                  /* cairn_task */
    int missing;               /* cairn_missing_policy */
    int scale;                 /* cairn_scale_choice */
    bool strict;
    const char *formula;
    const char *positive, *with;
    const cairn_params *transforms; /* what `with` stands for */
    const char *label_mark;
    const char *with_calibration, *decide, *costs;
    double cost_fn, cost_fp, reject; /* NaN = not given */
    const char *given;
} cairn_fitting;

typedef struct cairn_running { /* how the work is done */
    int64_t seed;
    int threads;
    const char *memory, *limits;
    bool timings;
} cairn_running;

typedef struct cairn_printing { /* where the result goes */
    int format;                 /* cairn_format */
    const char *out;
    bool quiet, brief, full;
} cairn_printing;

typedef struct cairn_common { /* first in every verb's parameter struct */
    cairn_reading reading;
    cairn_long_form long_form; /* sequence NULL = a row is a case */
    cairn_roles roles;
    cairn_fitting fitting;
    cairn_running running;
    cairn_printing printing;
} cairn_common;

typedef enum cairn_missing_policy {
    CAIRN_MISSING_AUTO, /* the learner's own way */
    CAIRN_MISSING_FAIL,
    CAIRN_MISSING_DROP,
    CAIRN_MISSING_IMPUTE
} cairn_missing_policy;

extern const cairn_choice cairn_task_choices[], cairn_format_choices[];
extern const cairn_param cairn_reading_params[], cairn_long_form_params[], cairn_roles_params[],
    cairn_fitting_params[], cairn_running_params[], cairn_printing_params[];

/* Rows of a verb's table: `S` is its struct, whose first field is `common`. */
#define CAIRN_READING(S)                                                                           \
    CAIRN_PARAM_GROUP(S, common.reading, cairn_reading_params, .help = "Reading the data")
#define CAIRN_LONG_FORM(S)                                                                         \
    CAIRN_PARAM_GROUP(S, common.long_form, cairn_long_form_params,                                 \
                      .help = "Sequences with a row for every step")
#define CAIRN_ROLES(S)                                                                             \
    CAIRN_PARAM_GROUP(S, common.roles, cairn_roles_params, .help = "What the columns are for")
#define CAIRN_FITTING(S)                                                                           \
    CAIRN_PARAM_GROUP(S, common.fitting, cairn_fitting_params, .help = "How the model is fitted")
#define CAIRN_GIVEN(S)                                                                             \
    {                                                                                              \
        .name = "given", .type = CAIRN_TYPE_FILE, .offset = offsetof(S, common.fitting.given),     \
        .help = "a model that was written by hand, which is read instead of learned; the rows "    \
                "give its counts (cairn export MODEL --to text shows the form)"                    \
    }
#define CAIRN_RUNNING(S)                                                                           \
    CAIRN_PARAM_GROUP(S, common.running, cairn_running_params, .help = "How the work is done")
#define CAIRN_PRINTING(S)                                                                          \
    CAIRN_PARAM_GROUP(S, common.printing, cairn_printing_params, .help = "Where the result goes")

/* Beside --save: places.c asks for it before a model replaces a file that is none; and where tables
 * are written, before one takes the place of another in a database. */
#define CAIRN_SAVE_FORCE(S)                                                                        \
    CAIRN_PARAM(S, force, "no", NULL,                                                              \
                "--save may replace a file that is no model, and a table written into a database " \
                "one of its name")
/* The same for verbs that write tables only. */
#define CAIRN_TABLE_FORCE(S)                                                                       \
    CAIRN_PARAM(S, force, "no", NULL, "a table written into a database may replace one of its name")

/* -- files that live in memory: a lesson brings its own and keeps what its commands save -- */
typedef struct cairn_virtual_file {
    char *name, *bytes;
    size_t length;
} cairn_virtual_file;

typedef struct cairn_virtual_files {
    cairn_virtual_file *files;
    size_t n, capacity;
    char *folder; /* private folder for files that only a path can reach; NULL = none yet */
} cairn_virtual_files;

/* The file of that name, NULL = there is none; `files` may be NULL. Putting copies name and
 * bytes, and a file of the same name is replaced. */
const cairn_virtual_file *cairn_virtual_find(const cairn_virtual_files *files, const char *name);
CAIRN_CHECKED cairn_status cairn_virtual_put(cairn_context *ctx, cairn_virtual_files *files,
                                             const char *name, const char *bytes, size_t length);
/* The file written to the private folder; the path comes from scratch. */
CAIRN_CHECKED cairn_status cairn_virtual_path(cairn_context *ctx, cairn_virtual_files *files,
                                              const cairn_virtual_file *file, char **out);
/* Free all and remove the folder. */
/* A name of a file that is read from the disk below the commands: where there is a virtual file of
 * that name, *path becomes that of its copy (scratch); else it stays. */
CAIRN_CHECKED cairn_status cairn_virtual_real(cairn_context *ctx, cairn_virtual_files *files,
                                              const char **path);
void cairn_virtual_clear(cairn_virtual_files *files);

/* -- verbs -- */
typedef struct cairn_command cairn_command;

/* Whether the first word names an entry whose parameters are options as well. */
typedef enum cairn_inner { CAIRN_INNER_NONE, CAIRN_INNER_NEEDED, CAIRN_INNER_OR_FILE } cairn_inner;

typedef struct cairn_verb {
    cairn_entry entry;     /* kind CAIRN_ENTRY_VERB */
    const char *arguments; /* "LEARNER DATA", for help and messages */
    size_t least, most;    /* number of words, that of the inner entry included */
    cairn_inner inner;
    cairn_entry_kind inner_kind;
    size_t writes_word; /* number of the word that is written, without the inner entry; 0 = none */
    cairn_status (*run)(cairn_command *command);
    const char *settled; /* option that names a model whose settings hold, so that the inner entry
                            needs none; NULL = there is none */
    bool varies; /* it sets parameters of the inner entry itself, with which others may count */
} cairn_verb;

struct cairn_command {
    cairn_context *ctx;
    cairn_report *report;
    const cairn_verb *verb;
    cairn_params *options; /* of the verb */
    const cairn_common *common;
    cairn_params **wrappers; /* n_wrappers: made for fit options, which point to them */
    size_t n_wrappers, wrapper_capacity;
    cairn_params *transforms; /* all of fit options, which point to them */
    cairn_params *inner;      /* settings of the inner entry; NULL when there is none */
    cairn_params *spec;       /* those of them that stand behind its name */
    const char **words;       /* words that are not options, the inner entry's left out; scratch */
    const char **given;       /* the same as typed, where `words` has *** for a password */
    size_t n_words;
    const char *line;           /* canonical command for provenance; scratch */
    cairn_virtual_files *files; /* NULL = only the disk */
    char *document;             /* bytes for standard output in place of the report */
    size_t document_length;
    size_t document_rows; /* of a table: how many a terminal is shown; 0 = all */
    bool has_document;
    bool out_done;  /* --out was written by the verb, with something else than the report */
    bool no_report; /* the result went to --out and leaves nothing to print */
    bool baskets;   /* the tables are of transactions */
    bool narrowed;  /* columns of the last table that are ignored were not read */
    const cairn_model *reads_for; /* the first model that was loaded: tables are read as for it */
    cairn_schema expected;        /* columns of all of them where there are several; scratch */
    bool heeded[5];               /* options for text that a file so far had a use for */
    bool help, help_all;          /* --help or --help-all was among the options */
    cairn_filtered where;         /* rows of all tables that --where kept and dropped */
    cairn_text warnings;          /* for a page that shows them: each with a zero byte behind */
    size_t n_warnings;            /* of the run, with those that were left out */
    cairn_log_function log;       /* who gets them besides; NULL = nobody */
    void *log_data;
    /* negative = did not happen */
    char *computed_target; /* its name, where --target has a formula */
    bool unlabelled; /* the target was made up for a model that was written by hand: unlabelled.h */
    double seconds_read, seconds_fit, seconds_predict, seconds_judge, seconds_transform;
    double seconds_compute;
};

/* Read words and options into *out (zeroed but for ctx, report, files). The message of a failure
 * names the option and suggests near misses. */
CAIRN_CHECKED cairn_status cairn_command_parse(cairn_command *out, const cairn_verb *verb, int argc,
                                               const char *const *argv);
void cairn_command_clear(cairn_command *command);
/* A flat row of an entry's table by its option name, or NULL. */
const cairn_param *cairn_option_row(const cairn_entry *entry, const char *name, size_t length);
/* Index in argv of the word that names the inner entry, or argc; the first word where none does. */
int cairn_command_inner(const cairn_context *ctx, const cairn_verb *verb, int argc,
                        const char *const *argv);
/* A blank and a word as a shell reads it: in quotes when it needs them; a quote itself stands
 * outside them. */
void cairn_text_add_shell(cairn_text *line, const char *word, size_t length);
/* Fail when something that is written is a file that is read, or is written twice. */
CAIRN_CHECKED cairn_status cairn_command_check_places(const cairn_command *command);
/* Run one command line with files of its own. */
CAIRN_CHECKED cairn_status cairn_run_files(cairn_context *ctx, cairn_report *report,
                                           cairn_run_output *output, cairn_virtual_files *files,
                                           int argc, const char *const *argv);

/* Send a remark (not a warning) to the log; nothing with --quiet. */
CAIRN_PRINTF(2, 3) void cairn_remark(const cairn_command *command, const char *format, ...);

/* -- data and models named by words -- */

/* What was typed for one of c->words; any other text is itself. */
const char *cairn_command_given(const cairn_command *command, const char *word);
CAIRN_CHECKED cairn_status cairn_command_read(cairn_command *command, cairn_table **out,
                                              const char *path);
/* The beginning of a regular file (a quarter of a megabyte, whole lines), or built-in data; what
 * the options say about rows does not count. */
CAIRN_CHECKED cairn_status cairn_command_read_start(cairn_command *command, cairn_table **out,
                                                    const char *path);
/* What the command uses of its table, as its options say; in scratch. */
CAIRN_CHECKED cairn_status cairn_command_wanted(cairn_command *command, cairn_wanted *out);
/* As cairn_command_read, and give the columns the roles that the options name; columns and rows
 * that are not used need not be read. */
CAIRN_CHECKED cairn_status cairn_command_table(cairn_command *command, cairn_table **out,
                                               const char *path);
/* The same in tables of n_rows rows each, NULL behind the last; tables that --where leaves without
 * a row are passed over. */
CAIRN_CHECKED cairn_status cairn_command_open_chunks(cairn_command *command, cairn_chunks **out,
                                                     const char *path);
CAIRN_CHECKED cairn_status cairn_command_next_chunk(cairn_command *command, cairn_chunks *chunks,
                                                    size_t n_rows, cairn_table **out);
CAIRN_CHECKED cairn_status cairn_command_roles(cairn_command *command, cairn_table *table);
/* A model with a learner; a recipe is refused. Tables that are read after it are read as the model
 * needs them: kinds of columns, marks of missing cells, decimal mark. */
CAIRN_CHECKED cairn_status cairn_command_model(cairn_command *command, cairn_model **out,
                                               const char *path);
/* A model or a recipe. */
CAIRN_CHECKED cairn_status cairn_command_load(cairn_command *command, cairn_model **out,
                                              const char *path);
/* Whether there is a file of that name, in memory or on disk. */
bool cairn_command_has_file(const cairn_command *command, const char *path);
/* Whether the word is the path of a model file (by its first bytes); a pipe is none. */
CAIRN_CHECKED cairn_status cairn_command_is_model(const cairn_command *command, const char *path,
                                                  bool *out);
CAIRN_CHECKED cairn_status cairn_command_save(cairn_command *command, const cairn_model *model,
                                              const char *path);
/* Write a table; `format` NULL = by the name. The path "-" makes it the document. Infinite numbers
 * are refused (data/odd_numbers.h), but for those of a calculator's table of measures, which are
 * meant: the conviction of a rule that always holds. */
CAIRN_CHECKED cairn_status cairn_command_write(cairn_command *command, const cairn_table *table,
                                               const char *path, const char *format);
CAIRN_CHECKED cairn_status cairn_command_write_measures(cairn_command *command,
                                                        const cairn_table *table, const char *path,
                                                        const char *format);
/* Write bytes to a file, or keep them when the command's files are in memory. */
CAIRN_CHECKED cairn_status cairn_command_write_bytes(cairn_command *command, const char *path,
                                                     const char *bytes, size_t length);
/* All figures of the report: one under the name itself, several as NAME-FIGURE.svg. */
CAIRN_CHECKED cairn_status cairn_command_write_figures(cairn_command *command, const char *path);
/* Put another learner around what the options fit; its settings pass to the command, also on
 * failure. */
CAIRN_CHECKED cairn_status cairn_command_wrap(cairn_command *command, cairn_fit_options *options,
                                              cairn_params *wrapper);
/* Fitting options from the command's; the array `with` comes from scratch. */
CAIRN_CHECKED cairn_status cairn_command_fit_options(cairn_command *command,
                                                     cairn_fit_options *out);
/* Whether --out names a file of a report format (html, json, md, txt); then it is the report. */
bool cairn_out_is_report(const char *path);
/* The format that the name of a report file stands for; false when it does not. */
bool cairn_format_of_name(const char *path, cairn_format *out);

/* Whether --out names a data file, by its ending. */
bool cairn_out_is_data(const cairn_context *ctx, const char *path);
/* Hand the text to standard output in place of the report; leaves it empty. */
CAIRN_CHECKED cairn_status cairn_command_give(cairn_command *command, cairn_text *text);
/* Fail on a wrong reading option before any data is read. */
CAIRN_CHECKED cairn_status cairn_command_check_reading(const cairn_command *command);

/* The first `most` rows of a table; `named` gives every cell a name: row1.colour. */
void cairn_report_rows(cairn_report *report, const cairn_table *table, const char *title,
                       size_t most, bool named);

/* -- help -- */
CAIRN_CHECKED cairn_status cairn_help_overview(cairn_report *report);
/* What an entry is, an example and the options that matter, or `all` that its record says. */
CAIRN_CHECKED cairn_status cairn_help_entry(cairn_context *ctx, cairn_report *report,
                                            const cairn_entry *entry, bool all);
/* The same of a verb and the entry inside it (may be NULL), as `cairn fit tree --help` shows it. */
CAIRN_CHECKED cairn_status cairn_help_command(cairn_context *ctx, cairn_report *report,
                                              const cairn_verb *verb, const cairn_entry *inner,
                                              bool all);
/* Everything about the entries of that name (NULL = all entries) for programs. */
void cairn_help_json(cairn_text *out, const char *name);
/* A manual page: of the program (NULL) or of one entry. */
void cairn_help_man(cairn_text *out, const cairn_entry *entry);
/* The i-th word behind 'cairn list' that names a kind of things, or NULL. */
const char *cairn_list_word(size_t i);
/* A text of a record as help shows it: its marks {name} are --name, and 'name' for an entry whose
 * parameters are never options. Nothing for NULL. */
void cairn_help_say(cairn_text *out, const cairn_entry *entry, const char *text);
/* "N", "X", "COLUMNS", "text|json": what stands for a value in a usage line; "" for yes or no. */
void cairn_param_placeholder(cairn_text *out, const cairn_param *row);
/* Help of flat row i with its range, its condition and its choices, as one text. */
void cairn_param_meaning(cairn_text *out, const cairn_entry *entry, size_t i);
/* "only with --solver ascent": when flat row i counts; nothing when it always does. */
void cairn_param_condition(cairn_text *out, const cairn_entry *entry, size_t i);
/* Whether parameters of the entry are written as NAME:key=value and never as options. */
bool cairn_entry_in_spec(const cairn_entry *entry);
/* "cairn fit LEARNER DATA [options]". */
void cairn_help_usage(cairn_text *out, const cairn_entry *entry);

/* -- lessons -- */
typedef struct cairn_lesson_item {
    const char *id, *title;
    const char *topic, *topic_title; /* "trees", "Decision trees" */
    const char *question;            /* one line */
    size_t number;                   /* place in its topic, from 1 */
} cairn_lesson_item;

/* All lessons in the order of teaching, ended by an id NULL; scratch. */
CAIRN_CHECKED cairn_status cairn_lesson_list(cairn_context *ctx, cairn_lesson_item **out);
/* The one among them that the word names, by its id or an alias; NULL = none. */
const cairn_lesson_item *cairn_lesson_named(const cairn_lesson_item *lessons, const char *word);

typedef struct cairn_chapter {
    const char *name, *title, *text; /* "trees", "Decision trees", a sentence */
    cairn_lesson_item *lessons;      /* in the order of teaching */
    size_t n;                        /* 0 = a place for lessons to come */
} cairn_chapter;

/* The course: topics in the order of teaching, from lessons/topics.json; scratch. */
CAIRN_CHECKED cairn_status cairn_lesson_topics(cairn_context *ctx, cairn_chapter **out, size_t *n);

extern const cairn_verb cairn_verb_compare, cairn_verb_complete, cairn_verb_compute,
    cairn_verb_convert, cairn_verb_describe, cairn_verb_draw, cairn_verb_evaluate,
    cairn_verb_export, cairn_verb_fit, cairn_verb_help, cairn_verb_lesson, cairn_verb_list,
    cairn_verb_predict, cairn_verb_split, cairn_verb_tune;

#endif
