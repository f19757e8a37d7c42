/* SPDX-License-Identifier: MIT */
/* Reports: what every command produces. A report is read by its named values or printed whole. */
#ifndef CAIRN_REPORT_H
#define CAIRN_REPORT_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_report cairn_report;

typedef enum cairn_format {
    CAIRN_FORMAT_TEXT,
    CAIRN_FORMAT_JSON,
    CAIRN_FORMAT_MARKDOWN,
    CAIRN_FORMAT_HTML
} cairn_format;

typedef struct cairn_print_options {
    size_t size; /* sizeof(cairn_print_options) */
    int width;   /* columns of the terminal; 0 = 80 */
    bool colour; /* ANSI colours in text */
    int digits;  /* significant digits of numbers in tables; 0 = as each table says */
} cairn_print_options;

#define CAIRN_PRINT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(cairn_print_options), 0, false, 0                                                   \
    }

/* An empty report; the caller frees it. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_report_new(cairn_context *ctx, cairn_report **out);
CAIRN_API void cairn_report_free(cairn_report *report);

/* The whole report as text, JSON, Markdown or one self-contained HTML page. `options` NULL means
 * the defaults. The caller frees *out with cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_report_print(cairn_context *ctx,
                                                        const cairn_report *report,
                                                        cairn_format format,
                                                        const cairn_print_options *options,
                                                        char **out);
CAIRN_API void cairn_string_free(char *string);

/* Bytes as a terminal may see them: escape sequences, control letters and letters that turn the
 * direction of writing are spelt out (\x1b, \u202e); line ends and tabs stay. What the library
 * prints and says is like this already; what it exports is not. Free *out with
 * cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_text_shown(cairn_context *ctx, const char *bytes,
                                                      size_t length, char **out);

/* A named value that is a number ("accuracy", "node1.gain.outlook"); false when there is none.
 * Undefined values are NaN. */
CAIRN_API bool cairn_report_number(const cairn_report *report, const char *name, double *out);

/* A named value that is text; NULL when there is none. Borrowed. */
CAIRN_API const char *cairn_report_string(const cairn_report *report, const char *name);

/* Walk over the named values: the i-th name in order of arrival, NULL at the end. Borrowed. */
CAIRN_API const char *cairn_report_value_name(const cairn_report *report, size_t i);

#ifdef __cplusplus
}
#endif
#endif
