/* SPDX-License-Identifier: MIT */
/* What messages say of a name that is not known. */
#ifndef CAIRN_TYPED_KNOWN_NAMES_H
#define CAIRN_TYPED_KNOWN_NAMES_H

#include "base/map.h"
#include "base/text.h"

/* "did you mean 'rain'?", or "there are rain, dry and 5 more" where none is near. */
void cairn_text_known_names(cairn_text *out, const cairn_map *names, const char *word);

#endif
