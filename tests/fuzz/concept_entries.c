/* SPDX-License-Identifier: MIT */
/* The registry of the fuzzer of concepts: the calculators that it runs. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* formats */
        &cairn_csv_format.entry,
        /* calculators */
        &cairn_compute_consistency.entry,
        &cairn_compute_generality.entry,
        &cairn_compute_horn.entry,
        &cairn_compute_shatter.entry,
        &cairn_compute_specialise.entry,
        &cairn_compute_unify.entry,
        &cairn_compute_version_boxes.entry,
        &cairn_compute_version_discs.entry,
        &cairn_compute_version_space.entry,
        /* verbs */
        &cairn_verb_compute.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
