/* SPDX-License-Identifier: MIT */
/* Words of the field that name no record, and where they are met. */
#include "command/find.h"

const cairn_topic cairn_topics[] = {
    {"overfitting", "over-fitting, overtraining, underfitting, model complexity, generalisation",
     "A model that follows the noise of its training rows does well on them and badly on new ones. "
     "It shows as a gap between training and held-out results, grows with the freedom of the "
     "model, and is held back by pruning, penalties and smaller models.",
     "cairn evaluate tree:preset=full @titanic --training yes\ncairn tune tree @iris --over "
     "max-depth=1:5\ncairn draw fits @five-points\ncairn compute bias-variance --formula "
     "'sin(6*x)' --learner tree --over max-depth=1,2,3,5 --samples 20",
     "docs/evaluation.md"},
    {"regularisation", "penalty, shrinkage, complexity penalty, weight decay",
     "A price on large weights or large models, so that the training rows are followed less "
     "closely: ridge regression, lasso, the penalties of logistic regression, the pruning of "
     "trees.",
     "cairn fit ridge @used-cars --target price --with standardise\ncairn fit lasso @used-cars "
     "--target price\ncairn fit logistic @iris --penalty l2\ncairn help prune",
     "docs/learners/ridge.md"},
    {"pruning", "post-pruning, pre-pruning, reduced error pruning, cost-complexity pruning",
     "Cutting back a tree or a rule whose last tests do not help with new rows.",
     "cairn fit tree @titanic --prune cost-complexity\ncairn fit tree @titanic --prune rep",
     "docs/learners/tree.md"},
    {"classification", "classifier, classify, class prediction, concept learning",
     "Learning to name the class of a row. Every learner that takes a target of classes does it; "
     "'cairn compare all' tries them side by side.",
     "cairn fit tree @iris\ncairn compare all --on @iris\ncairn compute confusion --tp 40 --fn 10 "
     "--fp 5 --tn 45",
     "docs/command-line.md"},
    {"regression", "numeric prediction, predicting numbers",
     "Learning to predict a number: linear and ridge regression, regression trees, forests, "
     "neighbours.",
     "cairn fit linear @used-cars --target price\ncairn compare all --on @used-cars --target price",
     "docs/learners/linear.md"},
    {"clustering", "cluster analysis, unsupervised learning, segmentation, grouping",
     "Finding groups of rows that are alike, without a target: around centres (kmeans, "
     "kernel-kmeans) or rows (kmedoids), by merging the nearest (hierarchy), as dense regions "
     "(dbscan, optics, hdbscan), or by trees (clustering-tree, forest-cluster). 'cairn compare' "
     "puts them side by side, 'cairn compute choose-k' asks how many there are.",
     "cairn fit kmeans @iris --ignore species --clusters 3\ncairn fit hierarchy @iris "
     "--ignore species --clusters 3\ncairn fit dbscan @iris --ignore species\ncairn compare "
     "kmeans:clusters=3 kmedoids:clusters=3 --on @iris --target species",
     "docs/learners/kmeans.md"},
    {"supervised learning", "predictive model, supervised",
     "Learning from rows whose answer is known; 'cairn list learners' puts learners in order by "
     "it.",
     "cairn list learners\ncairn fit tree @weather --steps", "docs/command-line.md"},
    {"ensembles", "ensemble learning, committee, model averaging, meta-learning",
     "Models that are made of models: forests of trees, and learners that hold another one as "
     "their base.",
     "cairn fit forest @iris\ncairn fit calibrated @titanic --learner tree --method platt",
     "docs/learners/forest.md"},
    {"significance",
     "significance test, hypothesis test, statistical test, p-value, null hypothesis",
     "Whether a difference between learners may be chance: tests on one table, and ranks over "
     "several.",
     "cairn compare majority tree --on @iris\ncairn compute t-test --differences 2,1,3\ncairn "
     "compute wilcoxon @wilcoxon\ncairn compute friedman @cv-accuracies",
     "docs/compute/significance.md"},
    {"missing values", "missing data, incomplete data, NA, null, NaN",
     "Cells without a value. Learners that cannot take them get them filled in; '--missing' and "
     "'--with impute' say how.",
     "cairn fit tree @weather-missing --steps\ncairn convert @titanic titanic-filled.csv --with "
     "impute:numbers=median",
     "docs/transforms/impute.md"},
    {"imbalance", "class imbalance, skewed classes, rare class, imbalanced data",
     "One class is much rarer than another, so that accuracy says little: look at recall, "
     "precision and the area under the ROC curve, weigh the classes, or move the threshold.",
     "cairn evaluate tree @titanic --measure recall,precision,auc\ncairn fit cost-sensitive "
     "@titanic --learner tree --cost-fn 5\ncairn help inflate",
     "docs/evaluation.md"},
    {"leakage", "data leakage, target leakage, leak",
     "A column that knows the answer, or something learned from test rows. 'describe' looks for "
     "columns that give the target away; transforms are fitted inside every fold.",
     "cairn describe @titanic --target survived", "docs/describe.md"},
    {"explanation", "interpretability, explainable, why, feature attribution, XAI",
     "Why a model answers as it does: the path through a tree, the terms of a sum, the effect of "
     "every column, Shapley values, which add up to the answer; and '--steps', which writes the "
     "whole calculation.",
     "cairn fit tree @weather --steps\ncairn fit forest @iris --importance permutation\ncairn help "
     "shapley",
     "docs/compute/reasons.md"},
    {"reproducibility", "random seed, same result, determinism, deterministic",
     "The same data, seed and build give the same bytes, for any number of threads and on any "
     "x86-64 processor.",
     "cairn fit forest @iris --seed 7", "docs/same-bits.md"},
    {"probability estimation", "probabilities, class probabilities, scoring, posterior probability",
     "Scores that are probabilities, and how far they can be trusted.",
     "cairn fit bayes @weather\ncairn compute calibrate @weight-diabetes --method all\ncairn draw "
     "reliability @roc-scores",
     "docs/compute/probabilities.md"},
    {"hyperparameters", "parameter tuning, model selection, tuning parameters",
     "Settings that learning does not choose by itself, such as the depth of a tree.",
     "cairn tune tree @iris --over max-depth=1:5", "docs/evaluation.md"},
    {NULL, NULL, NULL, NULL, NULL},
};

cairn_entry cairn_topic_entry(const cairn_topic *topic)
{
    return (cairn_entry){.name = topic->name, .also = topic->also, .summary = topic->text};
}

const cairn_topic *cairn_topic_find(const char *words)
{
    cairn_query query;
    cairn_query_read(&query, words);
    for (const cairn_topic *t = cairn_topics; t->name; t++) {
        cairn_entry entry = cairn_topic_entry(t);
        if (cairn_entry_matches(&entry, &query).answer == CAIRN_ANSWER_WHOLE) return t;
    }
    return NULL;
}
