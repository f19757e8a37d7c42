/* SPDX-License-Identifier: MIT */
/* Models written down for other programs: a model's program (model/program.h), rows to test it
 * with, and one writer for each format. */
#ifndef CAIRN_EXPORT_EXPORT_H
#define CAIRN_EXPORT_EXPORT_H

#include "base/text.h"
#include "model/model.h"

/* Rows and what the model says about them. Scratch. */
typedef struct cairn_export_rows {
    size_t n;
    double *cells;      /* n x columns, as the program reads them */
    const char **texts; /* n x columns: levels as the table has them; NULL = missing, or a number */
    double *codes;      /* n; NULL = there are none */
    double *numbers;    /* n; NULL = there are none */
    double *scores;     /* n x classes; NULL = there are none */
} cairn_export_rows;

typedef struct cairn_export {
    cairn_context *ctx;
    const cairn_model *model;
    cairn_program program;
    cairn_export_rows rows;
    const char **classes; /* n_classes names; NULL for numbers and clusters */
    bool matrix;
} cairn_export;

/* A format of programs. */
typedef struct cairn_export_format {
    const char *name; /* NULL ends the list */
    const char *help;
    void (*write)(cairn_text *out, const cairn_export *e);
    bool is_bytes;
} cairn_export_format;
extern const cairn_export_format cairn_export_formats[];

/* The writers of the formats; a failure stays in the text. */
void cairn_export_c(cairn_text *out, const cairn_export *e);
void cairn_export_json(cairn_text *out, const cairn_export *e);
void cairn_export_json_tests(cairn_text *out, const cairn_export *e); /* only rows and answers */
void cairn_export_onnx(cairn_text *out, const cairn_export *e);
void cairn_export_dot(cairn_text *out, const cairn_export *e);
void cairn_export_python(cairn_text *out, const cairn_export *e);
void cairn_export_javascript(cairn_text *out, const cairn_export *e);

/* Run a program on one row: `v` has program->n_slots slots, the first of which are the row. */
void cairn_program_run(const cairn_program *program, double *v);
/* One operation, prepared to be run for many rows; freed by cairn_free. It borrows the tables. */
typedef struct cairn_ready_op cairn_ready_op;
CAIRN_CHECKED cairn_status cairn_ready_op_new(cairn_context *ctx, cairn_ready_op **out,
                                              const cairn_operation *op);
void cairn_ready_op_run(const cairn_ready_op *op, double *v);

/* The texts of runtime.h, runtime.py and runtime.js. */
extern const char cairn_export_runtime_h[], cairn_export_runtime_py[], cairn_export_runtime_js[];
/* Write the part of a runtime whose line is `comment == name ==`. */
void cairn_export_part(cairn_text *out, const char *runtime, const char *comment, const char *name);
/* Those parts that the operations of the program need. */
void cairn_export_parts(cairn_text *out, const cairn_export *e, const char *runtime,
                        const char *comment);
/* What an answer near 0 may be off by. */
double cairn_export_slack(const cairn_program *p);

/* A form that models of a learner can be written in. */
typedef struct cairn_form_help {
    const char *name, *help;
} cairn_form_help;
enum { CAIRN_MOST_FORMS = 24 };
/* All of them: the learner's own, then those of programs that it has not itself; an entry without
 * a name is behind the last. Returns how many. */
size_t cairn_export_forms(cairn_form_help out[CAIRN_MOST_FORMS], const cairn_learner *learner);

/* How a program is written. */
typedef struct cairn_export_options {
    const cairn_table *rows; /* that it is checked with; NULL = rows are made up */
    size_t n_tests;          /* how many of them it takes along at most */
    bool matrix;             /* onnx: all columns are one tensor */
} cairn_export_options;

/* The model in a form of its learner's, or as a program; of some forms it is bytes. */
CAIRN_CHECKED cairn_status cairn_export_write(cairn_text *out, const cairn_model *model,
                                              const char *form,
                                              const cairn_export_options *options);

#endif
