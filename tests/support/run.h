/* SPDX-License-Identifier: MIT */
/* Commands run in one line, and their values looked at. */
#ifndef CAIRN_TESTS_RUN_H
#define CAIRN_TESTS_RUN_H

#include "support/unit.h"
#include "command/command.h"
#include "report/report.h"
#include <math.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline int count_words(const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    return n;
}

/* Run a command that is ended by NULL, with files that exist only for it (may be NULL). The caller
 * frees the report, also after a failure. */
static inline cairn_status run_words_with(cairn_context *ctx, cairn_report **out,
                                          cairn_virtual_files *files, const char *const *words)
{
    cairn_status status = cairn_report_new(ctx, out);
    if (status == CAIRN_OK)
        status = cairn_run_files(ctx, *out, NULL, files, count_words(words), words);
    return status;
}

static inline cairn_status run_words(cairn_context *ctx, cairn_report **out,
                                     const char *const *words)
{
    return run_words_with(ctx, out, NULL, words);
}

static inline double number_of(const cairn_report *report, const char *name)
{
    double found = NAN;
    if (!cairn_report_number(report, name, &found)) fail_msg("there is no value %s", name);
    return found;
}

/* NaN is only equal to NaN. */
static inline void assert_number(const cairn_report *report, const char *name, double expected,
                                 double tolerance)
{
    double found = number_of(report, name);
    if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= tolerance))
        fail_msg("%s is %.12g, not %.12g", name, found, expected);
}

#endif
