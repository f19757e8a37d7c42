/* SPDX-License-Identifier: MIT */
/* The registry of a fuzzer of settings: one learner, one wrapper and two transforms to be named. A
 * name that is not known is held against all that are: milliseconds for all of the library's. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        &cairn_calibrated.entry,
        &cairn_tree.entry,
        &cairn_impute.entry,
        &cairn_standardise.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
