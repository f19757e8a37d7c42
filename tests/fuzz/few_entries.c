/* SPDX-License-Identifier: MIT */
/* The registry of a fuzzer of what people type: enough entries of each kind to be named, and those
 * that its commands run. It takes the place of the library's: a name that is not known is held
 * against all that are, and libFuzzer looks at the counters of all that is linked. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* learners */
        &cairn_bayes.entry,
        &cairn_calibrated.entry,
        &cairn_clustering_tree.entry,
        &cairn_cost_sensitive.entry,
        &cairn_knn.entry,
        &cairn_logistic.entry,
        &cairn_majority.entry,
        &cairn_rule_list.entry,
        &cairn_rule_set.entry,
        &cairn_tree.entry,
        /* transforms */
        &cairn_bag.entry,
        &cairn_bins.entry,
        &cairn_calibrate.entry,
        &cairn_formula.entry,
        &cairn_impute.entry,
        &cairn_order.entry,
        &cairn_recode.entry,
        &cairn_standardise.entry,
        &cairn_unit.entry,
        /* formats */
        &cairn_basket_format.entry,
        &cairn_csv_format.entry,
        &cairn_json_format.entry,
        &cairn_lines_format.entry,
        /* resamplings */
        &cairn_boot.entry,
        &cairn_cv.entry,
        &cairn_file_splits.entry,
        &cairn_holdout.entry,
        &cairn_loo.entry,
        &cairn_rolling.entry,
        /* measures */
        &cairn_measure_accuracy.entry,
        &cairn_measure_calinski_harabasz.entry,
        &cairn_measure_davies_bouldin.entry,
        &cairn_measure_log_likelihood.entry,
        &cairn_measure_log_loss.entry,
        &cairn_measure_mse.entry,
        &cairn_measure_silhouette.entry,
        /* distances */
        &cairn_distance_euclidean.entry,
        &cairn_distance_gower.entry,
        /* calculators */
        &cairn_compute_associations.entry,
        &cairn_compute_confusion.entry,
        &cairn_compute_consistency.entry,
        &cairn_compute_generality.entry,
        &cairn_compute_horn.entry,
        &cairn_compute_itemsets.entry,
        &cairn_compute_naive_bayes.entry,
        &cairn_compute_shatter.entry,
        &cairn_compute_specialise.entry,
        &cairn_compute_split.entry,
        &cairn_compute_statistics.entry,
        &cairn_compute_unify.entry,
        &cairn_compute_version_boxes.entry,
        &cairn_compute_version_discs.entry,
        &cairn_compute_version_space.entry,
        /* verbs */
        &cairn_verb_compute.entry,
        &cairn_verb_describe.entry,
        &cairn_verb_evaluate.entry,
        &cairn_verb_fit.entry,
        &cairn_verb_help.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
