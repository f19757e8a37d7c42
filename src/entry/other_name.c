/* SPDX-License-Identifier: MIT */
/* Options by the names that other tools have for them. */
#include "entry/other_name.h"
#include <string.h>

static const char *const names[][2] = {
    {"cv", "by"},
    {"folds", "by"},
    {"fold", "by"},
    {"k_fold", "by"},
    {"splits", "by"},
    {"holdout", "by"},
    {"resampling", "by"},
    {"metric", "measure"},
    {"metric", "distance"},
    {"k", "clusters"},
    {"min_samples", "min_points"},
    {"minpts", "min_points"},
    {"metrics", "measure"},
    {"scoring", "measure"},
    {"score", "measure"},
    {"param", "over"},
    {"params", "over"},
    {"parameters", "over"},
    {"range", "over"},
    {"space", "over"},
    {"trials", "tries"},
    {"iterations", "tries"},
    {"n_iter", "tries"},
    {"resume", "journal"},
    {"label", "target"},
    {"class", "target"},
    {"y", "target"},
    {"columns", "features"},
    {"exclude", "ignore"},
    {"drop", "ignore"},
    {"output", "out"},
    {"file", "out"},
    {"random_state", "seed"},
    {"jobs", "threads"},
    {"n_jobs", "threads"},
    {"cores", "threads"},
    {"confidence", "level"},
    {"significance", "alpha"},
    {"data", "on"},
    {"transform", "with"},
    {"weights", "weight"},
    {"verbose", "steps"},
    {"time", "timings"},
    {"learning_rate", "eta"},
    {"rate", "eta"},
    {"lr", "eta"},
    {"step_size", "eta"},
    {"shrinkage", "eta"},
    {"n_estimators", "trees"},
    {"n_estimators", "rounds"},
    {"num_boost_round", "rounds"},
    {"n_rounds", "rounds"},
    {"nrounds", "rounds"},
    {"trees", "rounds"},
    {"n_trees", "trees"},
    {"n_trees", "rounds"},
    {"iterations", "rounds"},
    {"num_leaves", "max_leaves"},
    {"min_samples_leaf", "min_leaf"},
    {"min_child_samples", "min_leaf"},
    {"min_child_weight", "min_hessian"},
    {"min_split_gain", "min_gain"},
    {"gamma", "min_gain"},
    {"lambda", "l2"},
    {"reg_lambda", "l2"},
    {"reg_alpha", "l1"},
    {"max_bin", "bins"},
    {"subsample", "row_share"},
    {"colsample", "column_share"},
    {"colsample_bytree", "column_share"},
    {"monotone_constraints", "monotone"},
    {"validation_fraction", "hold_out"},
    {"early_stopping_rounds", "patience"},
};

const char *cairn_other_name(const char *given,
                             const char *(*candidate)(size_t i, const void *data), const void *data)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name;
        if (strcmp(names[i][0], given) != 0) continue;
        for (size_t at = 0; (name = candidate(at, data)); at++)
            if (strcmp(name, names[i][1]) == 0) return name;
    }
    return NULL;
}
