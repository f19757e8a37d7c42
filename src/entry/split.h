/* SPDX-License-Identifier: MIT */
/* Cutting text at a separator that is not inside quotes or brackets. */
#ifndef CAIRN_ENTRY_SPLIT_H
#define CAIRN_ENTRY_SPLIT_H

/* The next such separator, or the end of the text. */
const char *cairn_split_next(const char *at, char separator);

#endif
