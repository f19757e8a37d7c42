/* SPDX-License-Identifier: MIT */
/* The registry of the fuzzers of models written by hand: the learners that read them. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* learners */
        &cairn_logistic.entry,
        &cairn_rule_list.entry,
        &cairn_rule_set.entry,
        &cairn_tree.entry,
        /* transforms */
        &cairn_impute.entry,
        &cairn_indicators.entry,
        &cairn_standardise.entry,
        /* formats */
        &cairn_csv_format.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
