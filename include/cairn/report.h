/* SPDX-License-Identifier: MIT */
/* Reports: what every command produces. A report is read by its named values or printed whole. */
#ifndef CAIRN_REPORT_H
#define CAIRN_REPORT_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Headings, sentences, formulas, tables and pictures in the order in which they came, and values by
 * name. */
typedef struct cairn_report cairn_report;

/* What a report is printed as. */
typedef enum cairn_format {
    CAIRN_FORMAT_TEXT,
    CAIRN_FORMAT_JSON,
    CAIRN_FORMAT_MARKDOWN,
    CAIRN_FORMAT_HTML
} cairn_format;

/* How a report is printed. */
typedef struct cairn_print_options {
    size_t size;  /* sizeof(cairn_print_options) */
    int width;    /* columns of the terminal; 0 = 80 */
    bool colour;  /* ANSI colours in text */
    int digits;   /* significant digits of numbers in tables; 0 = as each table says */
    size_t lines; /* of text: what the reader came for, in about so many lines, and last how to see
                     the rest; 0 = all of it */
} cairn_print_options;

#define CAIRN_PRINT_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(cairn_print_options), 0, false, 0, 0                                                \
    }

/* An empty report; the caller frees it. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_report_new(cairn_context *ctx, cairn_report **out);
/* Free a report; NULL is accepted. */
CAIRN_API void cairn_report_free(cairn_report *report);

/* The whole report as text, JSON, Markdown or one self-contained HTML page. `options` NULL means
 * the defaults. The caller frees *out with cairn_string_free. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_report_print(cairn_context *ctx,
                                                        const cairn_report *report,
                                                        cairn_format format,
                                                        const cairn_print_options *options,
                                                        char **out);
/* Free a text or bytes that a function of the library gave by a `char **`; NULL is accepted. */
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

/* A named value: a number, or text. */
typedef struct cairn_named_value {
    size_t size;      /* sizeof(cairn_named_value) */
    const char *name; /* borrowed, like the text */
    const char *text; /* NULL = it is a number */
    double number;    /* NaN = undefined, or it is text */
} cairn_named_value;

#define CAIRN_NAMED_VALUE_INIT                                                                     \
    {                                                                                              \
        sizeof(cairn_named_value), NULL, NULL, 0                                                   \
    }

/* How many named values there are. */
CAIRN_API size_t cairn_report_value_count(const cairn_report *report);

/* Fill *out, which was begun with CAIRN_NAMED_VALUE_INIT, with the i-th value in order of arrival.
 * False when there are fewer, or its size is less than that of the first field. */
CAIRN_API bool cairn_report_value_at(const cairn_report *report, size_t i, cairn_named_value *out);

/* How many tables there are. */
CAIRN_API size_t cairn_report_table_count(const cairn_report *report);

/* The title of the i-th table, NULL when it has none or there are fewer. Borrowed. */
CAIRN_API const char *cairn_report_table_title(const cairn_report *report, size_t i);

/* How many rows the i-th table would have if all were kept: a report keeps the first of a long
 * table, usually 50, while the named values are those of all rows. */
CAIRN_API size_t cairn_report_table_rows(const cairn_report *report, size_t i);

/* The rows that the report keeps of its i-th table, as a table that the caller frees. A column
 * whose cells are all numbers or empty is one of numbers, in full precision; other columns are
 * text. Heads that are empty or taken get a name of their own. Undefined and infinite numbers are
 * missing. CAIRN_USAGE when there are fewer tables. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_report_table_at(cairn_context *ctx, cairn_table **out,
                                                           const cairn_report *report, size_t i);

/* Ways to write a text so that it can stand inside another. New ones are added at the end. */
typedef enum cairn_quoting {
    CAIRN_QUOTE_NAME, /* a part of the name of a value: dots and backslashes get a backslash in
                         front, so that "a.b" is "a\.b" in "mean.a\.b" */
    CAIRN_QUOTE_JSON, /* a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD */
    CAIRN_QUOTE_CSV,  /* a cell of a CSV file, in quotes where it must be */
    CAIRN_QUOTE_HTML  /* with entities for & < > " and ' */
} cairn_quoting;

/* The text so written; the caller frees *out with cairn_string_free. CAIRN_USAGE when there is no
 * such way. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_text_quote(cairn_context *ctx, const char *text,
                                                      cairn_quoting how, char **out);

#ifdef __cplusplus
}
#endif
#endif
