/* SPDX-License-Identifier: MIT */
/* Text made safe to show, and cut into lines by the cells that it takes on a terminal. */
#ifndef CAIRN_REPORT_WRAP_H
#define CAIRN_REPORT_WRAP_H

#include "base/text.h"

/* Add text as cairn_letter_shown shows it. Tabs become a blank, line ends too unless
 * `keep_lines`. */
void cairn_text_add_clean(cairn_text *out, const char *text, bool keep_lines);

/* Cells that the first `length` bytes of clean text take. */
size_t cairn_clean_width(const char *text, size_t length);

/* Bytes of the letter at `at` (clean text, not its end) together with the marks that combine with
 * it; *width gets its cells. */
size_t cairn_letter_size(const char *at, size_t *width);

/* What joins the parts of a name, as in petal_width: too long a word is broken behind it. */
#define CAIRN_JOINTS "_-="

/* The next line of clean text that fits `width` cells: breaks at blanks and beside wide letters,
 * inside a word only when it is longer than a line, and always at a line end. False at the end of
 * the text. *at moves on. */
bool cairn_wrap_next(const char **at, size_t width, const char **line, size_t *length);

/* Add clean text, cut and ended with … if it takes more than `width` cells. Returns its cells. */
size_t cairn_text_add_cut(cairn_text *out, const char *text, size_t width);

/* Add all lines of clean text, the first after `first` and the others after `rest`, each ended. The
 * two count into `width`, unless they leave less than 10 cells. */
void cairn_text_add_wrapped(cairn_text *out, const char *text, size_t width, const char *first,
                            const char *rest);

#endif
