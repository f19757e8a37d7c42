/* SPDX-License-Identifier: MIT */
/* The shortest consistent rules among all combinations of conditions by AND, OR and NOT. */
#ifndef CAIRN_COMPUTE_CONCEPTS_SHORTEST_RULE_H
#define CAIRN_COMPUTE_CONCEPTS_SHORTEST_RULE_H

#include "typed/concept_data.h"

/* Rules of at most `most` columns; about `limit` different functions are looked at. */
CAIRN_CHECKED cairn_status cairn_shortest_rules(cairn_context *ctx, cairn_report *out,
                                                const cairn_concept_data *data, size_t most,
                                                double limit);

#endif
