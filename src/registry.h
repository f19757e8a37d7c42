/* SPDX-License-Identifier: MIT */
/* Declarations of all records, for src/registry.c only. */
#ifndef CAIRN_SRC_REGISTRY_H
#define CAIRN_SRC_REGISTRY_H

#include "data/format.h"
#include "data/source.h"
#include "stats/measure.h"
#include "resample/resample.h"
#include "command/command.h"
#include "model/learner.h"
#include "stats/distance.h"
#include "stats/newick_format.h"
#ifdef CAIRN_WITH_COURSE
#include "course_records.h"
#endif

extern const cairn_learner cairn_adaboost;
extern const cairn_learner cairn_bagging;
extern const cairn_learner cairn_basic_linear;
extern const cairn_learner cairn_bayes;
extern const cairn_learner cairn_bayes_net;
extern const cairn_learner cairn_boost;
extern const cairn_learner cairn_boost_three;
extern const cairn_learner cairn_calibrated;
extern const cairn_learner cairn_cascade;
extern const cairn_learner cairn_clustering_tree;
extern const cairn_learner cairn_cost_sensitive;
extern const cairn_learner cairn_dbscan;
extern const cairn_learner cairn_discriminant;
extern const cairn_learner cairn_experts;
extern const cairn_learner cairn_forest;
extern const cairn_learner cairn_forest_cluster;
extern const cairn_learner cairn_gaussian;
extern const cairn_learner cairn_glm;
extern const cairn_learner cairn_gls;
extern const cairn_learner cairn_hdbscan;
extern const cairn_learner cairn_hierarchy;
extern const cairn_learner cairn_hmm_learner;
extern const cairn_learner cairn_hmm_classifier_learner;
extern const cairn_learner cairn_huber;
extern const cairn_learner cairn_kernel_kmeans;
extern const cairn_learner cairn_kernel_perceptron;
extern const cairn_learner cairn_kernel_ridge;
extern const cairn_learner cairn_kmeans;
extern const cairn_learner cairn_kmedoids;
extern const cairn_learner cairn_knn;
extern const cairn_learner cairn_lasso;
extern const cairn_learner cairn_least_squares_classifier;
extern const cairn_learner cairn_linear;
extern const cairn_learner cairn_linear_td;
extern const cairn_learner cairn_lms;
extern const cairn_learner cairn_logistic;
extern const cairn_learner cairn_majority;
extern const cairn_learner cairn_markov_learner;
extern const cairn_learner cairn_markov_chain_learner;
extern const cairn_learner cairn_mixture;
extern const cairn_learner cairn_multi_target;
extern const cairn_learner cairn_nearest_exemplar;
extern const cairn_learner cairn_neural_network;
extern const cairn_learner cairn_recurrent_network;
extern const cairn_learner cairn_one_r;
extern const cairn_learner cairn_one_vs_one;
extern const cairn_learner cairn_one_vs_rest;
extern const cairn_learner cairn_optics;
extern const cairn_learner cairn_output_codes;
extern const cairn_learner cairn_perceptron;
extern const cairn_learner cairn_pls;
extern const cairn_learner cairn_quantile_regression;
extern const cairn_learner cairn_ridge;
extern const cairn_learner cairn_ripper;
extern const cairn_learner cairn_rule_list;
extern const cairn_learner cairn_rule_set;
extern const cairn_learner cairn_self_training;
extern const cairn_learner cairn_stack;
extern const cairn_learner cairn_svm;
extern const cairn_learner cairn_td;
extern const cairn_learner cairn_tls;
extern const cairn_learner cairn_tree;
extern const cairn_learner cairn_tree_rules;
extern const cairn_learner cairn_vote_learner;

extern const cairn_measure cairn_measure_accuracy;
extern const cairn_measure cairn_measure_adjusted_mutual_information;
extern const cairn_measure cairn_measure_adjusted_rand;
extern const cairn_measure cairn_measure_auc;
extern const cairn_measure cairn_measure_average_precision;
extern const cairn_measure cairn_measure_average_recall;
extern const cairn_measure cairn_measure_between_scatter;
extern const cairn_measure cairn_measure_brier;
extern const cairn_measure cairn_measure_calinski_harabasz;
extern const cairn_measure cairn_measure_category_utility;
extern const cairn_measure cairn_measure_completeness;
extern const cairn_measure cairn_measure_davies_bouldin;
extern const cairn_measure cairn_measure_dunn;
extern const cairn_measure cairn_measure_error;
extern const cairn_measure cairn_measure_f1;
extern const cairn_measure cairn_measure_fowlkes_mallows;
extern const cairn_measure cairn_measure_homogeneity;
extern const cairn_measure cairn_measure_kappa;
extern const cairn_measure cairn_measure_log_likelihood;
extern const cairn_measure cairn_measure_log_loss;
extern const cairn_measure cairn_measure_mae;
extern const cairn_measure cairn_measure_mcc;
extern const cairn_measure cairn_measure_mse;
extern const cairn_measure cairn_measure_mutual_information;
extern const cairn_measure cairn_measure_normalised_mutual_information;
extern const cairn_measure cairn_measure_pair_f;
extern const cairn_measure cairn_measure_pair_jaccard;
extern const cairn_measure cairn_measure_pair_precision;
extern const cairn_measure cairn_measure_pair_recall;
extern const cairn_measure cairn_measure_perplexity;
extern const cairn_measure cairn_measure_precision;
extern const cairn_measure cairn_measure_purity;
extern const cairn_measure cairn_measure_r2;
extern const cairn_measure cairn_measure_rand;
extern const cairn_measure cairn_measure_recall;
extern const cairn_measure cairn_measure_rmse;
extern const cairn_measure cairn_measure_silhouette;
extern const cairn_measure cairn_measure_simplified_silhouette;
extern const cairn_measure cairn_measure_v_measure;
extern const cairn_measure cairn_measure_variation_of_information;
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

extern const cairn_kernel_function cairn_kernel_edit;
extern const cairn_kernel_function cairn_kernel_laplace;
extern const cairn_kernel_function cairn_kernel_linear;
extern const cairn_kernel_function cairn_kernel_poly;
extern const cairn_kernel_function cairn_kernel_rbf;
extern const cairn_kernel_function cairn_kernel_sigmoid;
extern const cairn_kernel_function cairn_kernel_spectrum;
extern const cairn_kernel_function cairn_kernel_subsequence;

extern const cairn_resampling cairn_boot;
extern const cairn_resampling cairn_cv;
extern const cairn_resampling cairn_file_splits;
extern const cairn_resampling cairn_first_rows;
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
extern const cairn_transform cairn_design;
extern const cairn_transform cairn_discretise;
extern const cairn_transform cairn_discriminant_axes;
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
extern const cairn_transform cairn_quantise;
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
