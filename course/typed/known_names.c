/* SPDX-License-Identifier: MIT */
/* The name that was meant, or the names that there are. */
#include "typed/known_names.h"

enum { LISTED = 12 };

static const char *map_name(size_t i, const void *map)
{
    return i < ((const cairn_map *)map)->n ? cairn_map_key(map, i) : NULL;
}

void cairn_text_known_names(cairn_text *out, const cairn_map *names, const char *word)
{
    const char *near = cairn_nearest_word(word, map_name, names);
    if (near) {
        cairn_text_addf(out, "did you mean '%s'?", near);
        return;
    }
    cairn_text_add(out, names->n == 1 ? "there is " : "there are ");
    for (size_t i = 0; i < names->n && i < LISTED; i++)
        cairn_text_addf(out, i ? ", %.40s" : "%.40s", cairn_map_key(names, i));
    if (names->n > LISTED) cairn_text_addf(out, " and %zu more", names->n - LISTED);
}
