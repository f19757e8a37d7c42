/* SPDX-License-Identifier: MIT */
/* The whole text of a file of lines, and messages that name the place in it. What the readers of
 * ARFF, libsvm, baskets and C4.5 share. */
#ifndef CAIRN_DATA_LINES_H
#define CAIRN_DATA_LINES_H

#include "base/file.h"

typedef struct cairn_lines {
    const char *name;  /* of the file; borrowed */
    char *bytes;       /* what was read, freed by cairn_lines_clear */
    const char *begin; /* after a byte order mark */
    const char *end;   /* a zero byte stands here */
} cairn_lines;

/* Read everything, from another encoding than UTF-8 when one is named. An empty file, a zero byte
 * and what is not of the encoding fail. */
CAIRN_CHECKED cairn_status cairn_lines_read(cairn_context *ctx, cairn_lines *out,
                                            cairn_input *input, const char *encoding);
void cairn_lines_clear(cairn_lines *lines);

/* End of the line that begins at `at`: its line feed, or the end of the file. */
const char *cairn_lines_end(const cairn_lines *lines, const char *at);
/* The same without the carriage return, blanks and tabs before it. */
const char *cairn_lines_trim(const char *begin, const char *end);

/* Fail with "file, line 3, column 'x': ...". `column` may be NULL. */
CAIRN_PRINTF(5, 6)
CAIRN_CHECKED cairn_status cairn_lines_refuse(cairn_context *ctx, const cairn_lines *lines,
                                              const char *at, const char *column,
                                              const char *format, ...);

/* Bytes of a value that a message shows: all of a short one, the first of a long one. For use with
 * "%.*s", and never in the middle of a letter. */
int cairn_lines_shown(const char *begin, const char *end);

#endif
