/* SPDX-License-Identifier: MIT */
/* Options by the names that other tools and the texts have for them: one table for all entries,
 * since one idea has one name in all of them. */
#include "entry/other_name.h"
#include "entry/rows.h"
#include <stdbool.h>
#include <string.h>

/* What others call the options of this name, each between two blanks. */
typedef struct other {
    const char *name, *others;
} other;

/* They take the same values, so that they are taken for the option. */
static const other same[] = {
    {"alpha", " significance significance_level sig_level "},
    {"at", " x "},
    {"bandwidth", " bw h "},
    {"batch_size", " batch minibatch minibatch_size mini_batch "},
    {"bins", " n_bins nbins nbin max_bin max_bins breaks n_quantiles "},
    {"by", " resampling "},
    {"c", " cost penalty_cost "},
    {"class_ratio", " ratio skew "},
    {"class_weight", " class_weights classwt "},
    {"clusters", " k n_clusters nclusters num_clusters centers centres ncenters nclust "},
    {"colour", " color hue fill group by color_by colour_by "},
    {"column_share", " colsample colsample_bytree feature_fraction max_features_share "},
    {"columns", " cols variables attributes features "},
    {"components", " n_components ncomp ncomponents clusters k rank g n_mixtures "},
    {"confidence", " min_confidence minconf min_conf conf "},
    {"covariance", " covariance_type cov "},
    {"decay", " weight_decay alpha l2 "},
    {"degree", " poly_degree power "},
    {"degrees", " degree polynomial "},
    {"distance", " metric dist affinity distance_metric "},
    {"epochs", " n_epochs num_epochs max_epochs max_iter iterations n_iter maxit passes "},
    {"eps", " epsilon radius "},
    {"epsilon", " exploration "},
    {"eta", " learning_rate rate lr step_size shrinkage learning_rate_init alpha "},
    {"features", " columns usecols predictors "},
    {"function", " activation "},
    {"gamma", " discount discount_factor "},
    {"height", " h "},
    {"hidden", " hidden_layer_sizes hidden_layers hidden_units n_hidden layers units size "},
    {"hold_out", " validation_fraction validation_split held hold_share "},
    {"ignore", " exclude drop remove "},
    {"impurity", " criterion split_criterion "},
    {"inputs", " x input "},
    {"journal", " resume checkpoint "},
    {"k", " n_neighbors n_neighbours neighbors neighbours num_neighbors kneighbors "},
    {"kinds", " dtype dtypes types col_types "},
    {"l1", " reg_alpha alpha "},
    {"l2", " lambda reg_lambda "},
    {"lambda", " alpha strength penalty_strength ridge_penalty regularization "},
    {"learner", " base member estimator base_estimator base_learner classifier model learners "},
    {"level", " confidence confidence_level conf_level conf "},
    {"limit", " nrows n_rows head "},
    {"linkage", " agglomeration link "},
    {"max_depth", " depth maxdepth "},
    {"max_documents", " max_df "},
    {"max_iter",
     " max_iterations iterations n_iter iter_max itermax maxit max_iters maxiter epochs "},
    {"max_leaves", " max_leaf_nodes num_leaves maxnodes leaves "},
    {"max_literals", " depth max_conditions max_rule_length "},
    {"max_size", " max_len maxlen max_length "},
    {"max_words", " max_features vocabulary_size "},
    {"measure", " metric metrics scoring score measures "},
    {"members", " n_estimators n_members n_learners nbagg "},
    {"min_documents", " min_df "},
    {"min_gain", " min_split_gain gamma min_impurity_decrease min_info_gain "},
    {"min_hessian", " min_child_weight "},
    {"min_leaf", " min_samples_leaf min_child_samples minbucket min_bucket nodesize "
                 "min_node_size min_data_in_leaf minleaf "},
    {"min_points", " min_samples minpts min_pts "},
    {"min_rows", " min_samples_split minsplit min_split "},
    {"min_size", " min_cluster_size "},
    {"missing_mark", " na na_values na_strings missing_values "},
    {"mix", " l1_ratio alpha elasticnetparam "},
    {"monotone", " monotone_constraints monotonicity "},
    {"mtry", " max_features n_features num_features m_try "},
    {"offset", " coef0 "},
    {"on", " data dataset "},
    {"out", " output save_as output_file "},
    {"over", " param params parameters param_grid param_distributions range space "},
    {"parts", " n_components components rank k "},
    {"passes", " epochs n_epochs iterations "},
    {"of", " sequence "},
    {"patience", " early_stopping_rounds n_iter_no_change early_stopping "},
    {"planes", " plane line lines hyperplane "},
    {"positive", " pos_label positive_class "},
    {"prior", " priors class_prior "},
    {"repeats", " n_repeats repetitions "},
    {"rounds", " n_estimators num_boost_round n_rounds nrounds trees n_trees iterations ntrees "
               "mfinal num_rounds "},
    {"row_share", " subsample max_samples bagging_fraction sample_share sample_fraction "},
    {"rows", " n_samples n_rows "},
    {"seed", " random_state random_seed rng "},
    {"separator", " sep delimiter delim "},
    {"sheet", " sheet_name "},
    {"skip", " skiprows skip_rows skip_lines "},
    {"smooth", " alpha smoothing laplace fl pseudocount "},
    {"solver", " optimizer optimiser algorithm "},
    {"start", " x0 initial_value initial "},
    {"starts", " n_init nstart restarts n_starts random_starts "},
    {"states", " n_states n_components hidden_states nstates "},
    {"support", " min_support minsup min_sup supp minsupport "},
    {"target", " label class y response outcome dependent "},
    {"tau", " quantile q "},
    {"threads", " jobs n_jobs cores n_threads num_threads nthread "},
    {"tolerance", " tol abstol reltol "},
    {"transitions", " matrix transition_matrix "},
    {"trees", " n_estimators n_trees ntree ntrees num_trees "},
    {"tries", " trials iterations n_iter n_trials "},
    {"weight", " weights sample_weight "},
    {"where", " filter query subset "},
    {"with", " transform transforms preprocess preprocessing "},
};

/* They may be written in another way: '--cv 5' is '--by cv:5', so the name is only suggested. */
static const other alike[] = {
    {"by", " cv folds fold k_fold n_folds n_splits splits holdout test_size test_share "},
    {"c", " lambda alpha "},
    {"covariance", " shared equal_cov "},
    {"method", " strategy "},
    {"out", " file "},
    {"output", " proba probabilities probability predict_proba "},
    {"prune", " pruning "},
    {"steps", " verbose "},
    {"timings", " time "},
};

static char plain(char c)
{
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the name is the first of those that a blank or comma ends. */
static bool is_first(const char *given, const char *others)
{
    size_t n = 0;
    while (given[n] && plain(given[n]) == plain(others[n])) n++;
    return n && !given[n] && (!others[n] || others[n] == ' ' || others[n] == ',');
}

/* Whether the name is one of those between blanks. */
static bool is_among(const char *given, const char *others)
{
    for (const char *at = others; at[1]; at += strcspn(at + 1, " ") + 1)
        if (is_first(given, at + 1)) return true;
    return false;
}

static const char *others_of(const other *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].others;
    return " ";
}

cairn_other_names cairn_other_name(const char *given, const cairn_entry *entry)
{
    cairn_other_names found = {0};
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(entry);
    while ((row = cairn_next_row(&walk, NULL))) {
        const char *others = others_of(same, sizeof same / sizeof *same, row->name);
        bool taken = is_first(given, row->name) || is_among(given, row->also ? row->also : others);
        if (taken && found.first)
            found.second = row->name;
        else if (taken)
            found.first = row->name;
        if (!found.near &&
            is_among(given, others_of(alike, sizeof alike / sizeof *alike, row->name)))
            found.near = row->name;
    }
    return found;
}
