/* SPDX-License-Identifier: MIT */
/* Options by the names that other tools have for them, for suggestions. */
#ifndef CAIRN_ENTRY_OTHER_NAME_H
#define CAIRN_ENTRY_OTHER_NAME_H

#include <stddef.h>

/* The candidate that others call `given` (both spelt with underscores), or NULL. `candidate(i,
 * data)` gives NULL at the end. */
const char *cairn_other_name(const char *given,
                             const char *(*candidate)(size_t i, const void *data),
                             const void *data);

#endif
