/* SPDX-License-Identifier: MIT */
/* The list of every entry: the only file that names them all. Sorted by kind, then by name. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* learners */
        &cairn_majority.entry,
        /* transforms */
        &cairn_impute.entry,
        &cairn_indicators.entry,
        &cairn_standardise.entry,
        /* formats */
        &cairn_csv_format.entry,
        &cairn_tsv_format.entry,
        /* resamplings */
        &cairn_cv.entry,
        &cairn_holdout.entry,
        &cairn_loo.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
