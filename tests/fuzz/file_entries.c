/* SPDX-License-Identifier: MIT */
/* The registry of the fuzzer of files that options name: what reads them, in place of all that the
 * library has, so that libFuzzer looks at few counters. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        &cairn_bayes.entry,       &cairn_clustering_tree.entry,    &cairn_knn.entry,
        &cairn_bag.entry,         &cairn_basket_format.entry,      &cairn_csv_format.entry,
        &cairn_file_splits.entry, &cairn_distance_euclidean.entry, &cairn_distance_gower.entry,
        &cairn_measure_mse.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
