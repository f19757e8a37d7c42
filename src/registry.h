/* SPDX-License-Identifier: MIT */
/* Declarations of all records, for src/registry.c only. */
#ifndef CAIRN_REGISTRY_H
#define CAIRN_REGISTRY_H

#include "data/format.h"
#include "data/source.h"
#include "stats/measure.h"
#include "resample/resample.h"
#include "command/command.h"
#include "typed/calculator.h"
#include "model/learner.h"
#include "pictures/picture.h"
#include "stats/distance.h"

extern const cairn_learner cairn_bayes;
extern const cairn_learner cairn_calibrated;
extern const cairn_learner cairn_clustering_tree;
extern const cairn_learner cairn_cost_sensitive;
extern const cairn_learner cairn_forest;
extern const cairn_learner cairn_forest_cluster;
extern const cairn_learner cairn_kmeans;
extern const cairn_learner cairn_knn;
extern const cairn_learner cairn_least_squares_classifier;
extern const cairn_learner cairn_lasso;
extern const cairn_learner cairn_linear;
extern const cairn_learner cairn_lms;
extern const cairn_learner cairn_logistic;
extern const cairn_learner cairn_majority;
extern const cairn_learner cairn_multi_target;
extern const cairn_learner cairn_one_r;
extern const cairn_learner cairn_perceptron;
extern const cairn_learner cairn_ridge;
extern const cairn_learner cairn_ripper;
extern const cairn_learner cairn_rule_list;
extern const cairn_learner cairn_rule_set;
extern const cairn_learner cairn_tls;
extern const cairn_learner cairn_tree;
extern const cairn_learner cairn_tree_rules;

extern const cairn_calculator cairn_compute_associations;
extern const cairn_calculator cairn_compute_bias_variance;
extern const cairn_calculator cairn_compute_box;
extern const cairn_calculator cairn_compute_brier;
extern const cairn_calculator cairn_compute_calibrate;
extern const cairn_calculator cairn_compute_calibrated_density;
extern const cairn_calculator cairn_compute_class_weights;
extern const cairn_calculator cairn_compute_closed_concepts;
extern const cairn_calculator cairn_compute_concept_path;
extern const cairn_calculator cairn_compute_confusion;
extern const cairn_calculator cairn_compute_consistency;
extern const cairn_calculator cairn_compute_contingency;
extern const cairn_calculator cairn_compute_correlation_ratio;
extern const cairn_calculator cairn_compute_coverage_scores;
extern const cairn_calculator cairn_compute_decompose;
extern const cairn_calculator cairn_compute_density;
extern const cairn_calculator cairn_compute_distribution;
extern const cairn_calculator cairn_compute_dominance;
extern const cairn_calculator cairn_compute_errors;
extern const cairn_calculator cairn_compute_expected_accuracy;
extern const cairn_calculator cairn_compute_f_measure;
extern const cairn_calculator cairn_compute_frequency;
extern const cairn_calculator cairn_compute_friedman;
extern const cairn_calculator cairn_compute_generalise;
extern const cairn_calculator cairn_compute_generality;
extern const cairn_calculator cairn_compute_generate;
extern const cairn_calculator cairn_compute_horn;
extern const cairn_calculator cairn_compute_hyperplane;
extern const cairn_calculator cairn_compute_hypothesis_space;
extern const cairn_calculator cairn_compute_impurity;
extern const cairn_calculator cairn_compute_interval;
extern const cairn_calculator cairn_compute_isometrics;
extern const cairn_calculator cairn_compute_itemsets;
extern const cairn_calculator cairn_compute_leaves;
extern const cairn_calculator cairn_compute_lift_chart;
extern const cairn_calculator cairn_compute_loss;
extern const cairn_calculator cairn_compute_lpc;
extern const cairn_calculator cairn_compute_map;
extern const cairn_calculator cairn_compute_margin;
extern const cairn_calculator cairn_compute_mcnemar;
extern const cairn_calculator cairn_compute_modality;
extern const cairn_calculator cairn_compute_multiclass_auc;
extern const cairn_calculator cairn_compute_naive_bayes;
extern const cairn_calculator cairn_compute_pac;
extern const cairn_calculator cairn_compute_pca;
extern const cairn_calculator cairn_compute_percentiles;
extern const cairn_calculator cairn_compute_posterior;
extern const cairn_calculator cairn_compute_proportion;
extern const cairn_calculator cairn_compute_rescaling;
extern const cairn_calculator cairn_compute_roc;
extern const cairn_calculator cairn_compute_separability;
extern const cairn_calculator cairn_compute_shatter;
extern const cairn_calculator cairn_compute_smoothing;
extern const cairn_calculator cairn_compute_specialise;
extern const cairn_calculator cairn_compute_split;
extern const cairn_calculator cairn_compute_statistics;
extern const cairn_calculator cairn_compute_subgroups;
extern const cairn_calculator cairn_compute_threshold;
extern const cairn_calculator cairn_compute_true_error;
extern const cairn_calculator cairn_compute_ttest;
extern const cairn_calculator cairn_compute_unify;
extern const cairn_calculator cairn_compute_vc;
extern const cairn_calculator cairn_compute_vectors;
extern const cairn_calculator cairn_compute_version_boxes;
extern const cairn_calculator cairn_compute_version_discs;
extern const cairn_calculator cairn_compute_version_line;
extern const cairn_calculator cairn_compute_version_space;
extern const cairn_calculator cairn_compute_weights;
extern const cairn_calculator cairn_compute_wilcoxon;

extern const cairn_measure cairn_measure_accuracy;
extern const cairn_measure cairn_measure_adjusted_mutual_information;
extern const cairn_measure cairn_measure_adjusted_rand;
extern const cairn_measure cairn_measure_auc;
extern const cairn_measure cairn_measure_average_precision;
extern const cairn_measure cairn_measure_average_recall;
extern const cairn_measure cairn_measure_between_scatter;
extern const cairn_measure cairn_measure_brier;
extern const cairn_measure cairn_measure_calinski_harabasz;
extern const cairn_measure cairn_measure_completeness;
extern const cairn_measure cairn_measure_davies_bouldin;
extern const cairn_measure cairn_measure_dunn;
extern const cairn_measure cairn_measure_error;
extern const cairn_measure cairn_measure_f1;
extern const cairn_measure cairn_measure_fowlkes_mallows;
extern const cairn_measure cairn_measure_homogeneity;
extern const cairn_measure cairn_measure_kappa;
extern const cairn_measure cairn_measure_log_loss;
extern const cairn_measure cairn_measure_mae;
extern const cairn_measure cairn_measure_mcc;
extern const cairn_measure cairn_measure_mse;
extern const cairn_measure cairn_measure_normalised_mutual_information;
extern const cairn_measure cairn_measure_precision;
extern const cairn_measure cairn_measure_purity;
extern const cairn_measure cairn_measure_r2;
extern const cairn_measure cairn_measure_rand;
extern const cairn_measure cairn_measure_recall;
extern const cairn_measure cairn_measure_rmse;
extern const cairn_measure cairn_measure_silhouette;
extern const cairn_measure cairn_measure_v_measure;
extern const cairn_measure cairn_measure_within_scatter;

extern const cairn_distance cairn_distance_canberra;
extern const cairn_distance cairn_distance_chebyshev;
extern const cairn_distance cairn_distance_cosine;
extern const cairn_distance cairn_distance_edit;
extern const cairn_distance cairn_distance_euclidean;
extern const cairn_distance cairn_distance_gower;
extern const cairn_distance cairn_distance_hamming;
extern const cairn_distance cairn_distance_jaccard;
extern const cairn_distance cairn_distance_kernel;
extern const cairn_distance cairn_distance_mahalanobis;
extern const cairn_distance cairn_distance_manhattan;
extern const cairn_distance cairn_distance_minkowski;
extern const cairn_distance cairn_distance_squared;

extern const cairn_kernel_function cairn_kernel_laplace;
extern const cairn_kernel_function cairn_kernel_linear;
extern const cairn_kernel_function cairn_kernel_poly;
extern const cairn_kernel_function cairn_kernel_rbf;
extern const cairn_kernel_function cairn_kernel_sigmoid;

extern const cairn_calculator cairn_picture_calibration;
extern const cairn_calculator cairn_picture_class_line;
extern const cairn_calculator cairn_picture_classifiers;
extern const cairn_calculator cairn_picture_cost_curve;
extern const cairn_calculator cairn_picture_coverage;
extern const cairn_calculator cairn_picture_heat;
extern const cairn_calculator cairn_picture_hypotheses;
extern const cairn_calculator cairn_picture_item_lattice;
extern const cairn_calculator cairn_picture_lattice;
extern const cairn_calculator cairn_picture_lift;
extern const cairn_calculator cairn_picture_losses;
extern const cairn_calculator cairn_picture_nested;
extern const cairn_calculator cairn_picture_path;
extern const cairn_calculator cairn_picture_pairs;
extern const cairn_calculator cairn_picture_precision_recall;
extern const cairn_calculator cairn_picture_projection;
extern const cairn_calculator cairn_picture_reliability;
extern const cairn_calculator cairn_picture_roc;
extern const cairn_calculator cairn_picture_scatter_matrix;
extern const cairn_calculator cairn_picture_strip;
extern const cairn_calculator cairn_picture_subsets;
extern const cairn_calculator cairn_picture_tartan;
extern const cairn_calculator cairn_picture_tree_regions;
extern const cairn_calculator cairn_picture_triangle;
extern const cairn_calculator cairn_picture_violin;

extern const cairn_resampling cairn_boot;
extern const cairn_resampling cairn_cv;
extern const cairn_resampling cairn_file_splits;
extern const cairn_resampling cairn_five_by_two_cv;
extern const cairn_resampling cairn_holdout;
extern const cairn_resampling cairn_loo;
extern const cairn_resampling cairn_rolling;

extern const cairn_transform cairn_bag;
extern const cairn_transform cairn_basis;
extern const cairn_transform cairn_bins;
extern const cairn_transform cairn_blank;
extern const cairn_transform cairn_calibrate;
extern const cairn_transform cairn_codes;
extern const cairn_transform cairn_constant;
extern const cairn_transform cairn_decompose;
extern const cairn_transform cairn_discretise;
extern const cairn_transform cairn_drop;
extern const cairn_transform cairn_flip;
extern const cairn_transform cairn_formula;
extern const cairn_transform cairn_group;
extern const cairn_transform cairn_impute;
extern const cairn_transform cairn_indicators;
extern const cairn_transform cairn_inflate;
extern const cairn_transform cairn_jitter;
extern const cairn_transform cairn_keep;
extern const cairn_transform cairn_kernel_map;
extern const cairn_transform cairn_lpc_features;
extern const cairn_transform cairn_merge;
extern const cairn_transform cairn_noise;
extern const cairn_transform cairn_order;
extern const cairn_transform cairn_pca;
extern const cairn_transform cairn_pixel_features;
extern const cairn_transform cairn_polar;
extern const cairn_transform cairn_recode;
extern const cairn_transform cairn_rename;
extern const cairn_transform cairn_scale_transform;
extern const cairn_transform cairn_select;
extern const cairn_transform cairn_standardise;
extern const cairn_transform cairn_text_features;
extern const cairn_transform cairn_tf_idf;
extern const cairn_transform cairn_threshold;
extern const cairn_transform cairn_time;
extern const cairn_transform cairn_unit;
extern const cairn_transform cairn_unorder;

#endif
