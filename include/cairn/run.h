/* SPDX-License-Identifier: MIT */
/* Everything that the program does, as one call. */
#ifndef CAIRN_RUN_H
#define CAIRN_RUN_H

#include "cairn/objects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the program prints after a run. */
typedef struct cairn_run_output {
    size_t size;         /* sizeof(cairn_run_output) */
    cairn_format format; /* of the report: what --format asked for */
    bool silent;         /* there is nothing to print: it went to files */
    char *document;      /* when not NULL, these bytes are printed in place of the report
                            (predictions, a converted table, a manual page); the caller frees them
                            with cairn_string_free */
    size_t length;       /* of the document */
    size_t lines;        /* of a report as text: the same field of cairn_print_options */
    size_t rows;         /* of a document that is a table with a head: how many a terminal is shown;
                            0 = all, and wherever it is read by a program */
} cairn_run_output;

#define CAIRN_RUN_OUTPUT_INIT                                                                      \
    {                                                                                              \
        sizeof(cairn_run_output), CAIRN_FORMAT_TEXT, false, NULL, 0, 0, 0                          \
    }

/* Do what `cairn argv[0] argv[1] ...` would do (argv starts with the verb) and fill a report.
 * Files named by --out and --save are written; nothing is printed. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_run(cairn_context *ctx, cairn_report *report, int argc,
                                               const char *const *argv);

/* Do as cairn_run, and say what the program would print: for callers that stand in for it. `output`
 * may be NULL. After CAIRN_CHECK_FAILED, report and output are filled as after CAIRN_OK. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_run_printing(cairn_context *ctx, cairn_report *report,
                                                        cairn_run_output *output, int argc,
                                                        const char *const *argv);

/* Do as cairn_run_printing, with objects of the caller: "@name" means the table or the model of
 * that name in `objects` wherever the command takes data or a model, and built-in data where there
 * is no such object. --save @name and --out @name put a model or a table into `objects`, in place
 * of what has that name. Nothing is copied, nothing is written to what the caller put in. Models
 * say in their provenance that they were made of @name. What was put before a failure stays.
 * `objects` and `output` may be NULL. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_run_with(cairn_context *ctx, cairn_report *report,
                                                    cairn_run_output *output,
                                                    cairn_objects *objects, int argc,
                                                    const char *const *argv);

#ifdef __cplusplus
}
#endif
#endif
