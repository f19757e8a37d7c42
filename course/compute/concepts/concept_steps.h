/* SPDX-License-Identifier: MIT */
/* The work of generalising and specialising concepts, one example at a time, as steps. */
#ifndef CAIRN_COMPUTE_CONCEPTS_CONCEPT_STEPS_H
#define CAIRN_COMPUTE_CONCEPTS_CONCEPT_STEPS_H

#include "typed/concept_data.h"

/* Of how many examples the work is written out. */
enum { CAIRN_CONCEPT_STEPS = 20 };

/* Column by column: what the concept says, the example's value, and what the least general
 * generalisation of both says. Words PREFIX.COLUMN. */
CAIRN_CHECKED cairn_status cairn_steps_join(cairn_context *ctx, cairn_report *out,
                                            const cairn_concept_data *data, const uint64_t *before,
                                            const int32_t *codes, const char *prefix);
/* What becomes of the general concepts `before` at a positive example: those that cover it stay. */
CAIRN_CHECKED cairn_status cairn_steps_keep(cairn_context *ctx, cairn_report *out,
                                            const cairn_concept_data *data,
                                            const cairn_concepts *before, const int32_t *codes);
/* At a negative one: what covers it is replaced by its least specialisations that do not; those
 * that include `above` (NULL = all) and lie below no other make up `after`. */
CAIRN_CHECKED cairn_status cairn_steps_exclude(cairn_context *ctx, cairn_report *out,
                                               const cairn_concept_data *data,
                                               const cairn_concepts *before,
                                               const cairn_concepts *after, const uint64_t *above,
                                               const int32_t *codes);
/* The examples that a concept covers and what those up to each have in common. */
CAIRN_CHECKED cairn_status cairn_steps_close(cairn_context *ctx, cairn_report *out,
                                             const cairn_concept_data *data,
                                             const uint64_t *concept, const char *prefix);
/* "Note: the work of the first 20 of 31 examples is shown." when there are more than are shown. */
void cairn_steps_rest(cairn_report *out, size_t n);

#endif
