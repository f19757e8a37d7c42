/* SPDX-License-Identifier: MIT */
/* The list of every entry: the only file that names them all. Sorted by kind, then by name. */
#include "registry.h"

const cairn_entry *const *cairn_registry(size_t *n)
{
    static const cairn_entry *const entries[] = {
        /* learners */
        &cairn_kmeans.entry,
        &cairn_linear.entry,
        &cairn_majority.entry,
        &cairn_tree.entry,
        /* transforms */
        &cairn_bag.entry,
        &cairn_bins.entry,
        &cairn_calibrate.entry,
        &cairn_discretise.entry,
        &cairn_impute.entry,
        &cairn_indicators.entry,
        &cairn_merge.entry,
        &cairn_select.entry,
        &cairn_standardise.entry,
        &cairn_tf_idf.entry,
        &cairn_threshold.entry,
        &cairn_time.entry,
        /* formats */
        &cairn_arff_format.entry,
        &cairn_basket_format.entry,
        &cairn_c45_format.entry,
        &cairn_csv_format.entry,
        &cairn_idx_format.entry,
        &cairn_libsvm_format.entry,
        &cairn_npy_format.entry,
        &cairn_tsv_format.entry,
        /* sources */
        &cairn_postgres_source.entry,
        &cairn_sqlite_source.entry,
        /* resamplings */
        &cairn_five_by_two_cv.entry,
        &cairn_boot.entry,
        &cairn_cv.entry,
        &cairn_file_splits.entry,
        &cairn_holdout.entry,
        &cairn_loo.entry,
        /* calculators */
        &cairn_compute_confusion.entry,
        &cairn_compute_contingency.entry,
        &cairn_compute_correlation_ratio.entry,
        &cairn_compute_expected_accuracy.entry,
        &cairn_compute_frequency.entry,
        &cairn_compute_friedman.entry,
        &cairn_compute_impurity.entry,
        &cairn_compute_interval.entry,
        &cairn_compute_lift_chart.entry,
        &cairn_compute_mcnemar.entry,
        &cairn_compute_modality.entry,
        &cairn_compute_percentiles.entry,
        &cairn_compute_proportion.entry,
        &cairn_compute_roc.entry,
        &cairn_compute_split.entry,
        &cairn_compute_statistics.entry,
        &cairn_compute_ttest.entry,
        &cairn_compute_threshold.entry,
        &cairn_compute_weights.entry,
        &cairn_compute_wilcoxon.entry,
        /* pictures */
        &cairn_picture_bars.entry,
        &cairn_picture_clusters.entry,
        &cairn_picture_density.entry,
        &cairn_picture_histogram.entry,
        &cairn_picture_lines.entry,
        &cairn_picture_percentiles.entry,
        &cairn_picture_scatter.entry,
        &cairn_picture_tree.entry,
        /* verbs */
        &cairn_verb_compute.entry,
        &cairn_verb_convert.entry,
        &cairn_verb_describe.entry,
        &cairn_verb_draw.entry,
        &cairn_verb_evaluate.entry,
        &cairn_verb_fit.entry,
        &cairn_verb_help.entry,
        &cairn_verb_lesson.entry,
        &cairn_verb_list.entry,
        &cairn_verb_predict.entry,
    };
    *n = sizeof entries / sizeof *entries;
    return entries;
}
