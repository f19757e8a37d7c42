/* SPDX-License-Identifier: MIT */
/* The registry of the fuzzer of options: enough entries of each kind to be named, and those that
 * its commands run. It takes the place of the library's: a name that is not known is held against
 * all that are, and libFuzzer looks at the counters of all that is linked. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* learners */
        &cairn_bayes.entry,
        &cairn_calibrated.entry,
        &cairn_cost_sensitive.entry,
        &cairn_majority.entry,
        &cairn_tree.entry,
        /* transforms */
        &cairn_bins.entry,
        &cairn_impute.entry,
        &cairn_standardise.entry,
        /* formats */
        &cairn_csv_format.entry,
        /* resamplings */
        &cairn_boot.entry,
        &cairn_cv.entry,
        &cairn_holdout.entry,
        &cairn_loo.entry,
        /* measures */
        &cairn_measure_accuracy.entry,
        &cairn_measure_log_loss.entry,
        &cairn_measure_mse.entry,
        /* calculators */
        &cairn_compute_confusion.entry,
        &cairn_compute_itemsets.entry,
        &cairn_compute_naive_bayes.entry,
        &cairn_compute_split.entry,
        &cairn_compute_statistics.entry,
        /* verbs */
        &cairn_verb_compute.entry,
        &cairn_verb_describe.entry,
        &cairn_verb_evaluate.entry,
        &cairn_verb_fit.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
