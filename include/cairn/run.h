/* SPDX-License-Identifier: MIT */
/* Everything that the program does, as one call. */
#ifndef CAIRN_RUN_H
#define CAIRN_RUN_H

#include "cairn/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Do what `cairn argv[0] argv[1] ...` would do (argv starts with the verb) and fill a report.
 * Files named by --out and --save are written; nothing is printed. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_run(cairn_context *ctx, cairn_report *report, int argc,
                                               const char *const *argv);

#ifdef __cplusplus
}
#endif
#endif
