/* SPDX-License-Identifier: MIT */
/* Words of the field that name no record, and where they are met. */
#include "command/find.h"

#include <string.h>

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
    {"classification",
     "classifier, classify, class prediction, concept learning, binary classification, two-class "
     "data set",
     "Learning to name the class of a row. Every learner that takes a target of classes does it; "
     "'cairn compare all' tries them side by side.",
     "cairn fit tree @iris\ncairn compare all --on @iris\ncairn compute confusion --tp 40 --fn 10 "
     "--fp 5 --tn 45",
     "docs/command-line.md"},
    {"regression",
     "numeric prediction, predicting numbers, regression model, regression function, regression "
     "problem",
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
    {"ensembles",
     "ensemble learning, committee, model averaging, meta-learning, diversity, model combination, "
     "combination schemes",
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
    {"two samples",
     "two-sample t-test, two sample test, independent samples, Welch, unpaired t-test, compare two "
     "groups, compare groups, compare means, difference of means, test whether two samples differ",
     "Whether a number differs between groups of rows: the t-test of two means. The coefficient of "
     "the group in a linear regression is their difference, too; with more groups it is the "
     "analysis of variance.",
     "cairn compute two-samples @titanic --column age --by sex\ncairn fit linear @titanic "
     "--formula 'age ~ sex'\ncairn compute correlation-ratio @titanic "
     "--column age --by sex\ncairn draw box @titanic --column age --by sex",
     "docs/compute/significance.md"},
    {"regression diagnostics",
     "residual analysis, diagnostics, normality test, QQ plot, normal plot, heteroscedasticity, "
     "variance inflation, multicollinearity, vif, leverage, Durbin-Watson",
     "What the residuals of a regression and its single rows say: whether errors are normal, "
     "spread evenly and do not go together (Residuals), which columns repeat each other (VIF in "
     "the weights of the features), and which rows move the line.",
     "cairn fit linear @diabetes --full\ncairn compute influence @used-cars --formula 'price ~ age "
     "+ distance'\ncairn fit linear @diabetes --save "
     "diabetes.model\ncairn draw residuals diabetes.model @diabetes",
     "docs/learners/linear.md"},
    {"prediction interval",
     "prediction intervals, interval of a prediction, interval of the mean response, uncertainty "
     "of a prediction",
     "How far off the answer for one row may be: linear regression answers with the ends of the "
     "interval for a new row (low, high) and for the mean of rows like it (mean_low, mean_high).",
     "cairn fit linear @diabetes --save diabetes.model\ncairn predict diabetes.model @diabetes "
     "--output label,low,high",
     "docs/learners/linear.md"},
    {"reports",
     "report, pdf report, html report, web page, dashboard, present results, print a report, "
     "management report, save the output",
     "What every command prints can be written as a page with its pictures for others to read: "
     "--out page.html; the browser prints it as PDF. --format json or markdown is for programs "
     "and notes.",
     "cairn describe @titanic --out data.html\ncairn evaluate tree @titanic --out "
     "model.html\ncairn "
     "compare tree forest logistic --on @titanic --out comparison.html",
     "docs/report.md"},
    {"missing values",
     "missing data, incomplete data, NA, null, NaN, missing attributes, incomplete features, "
     "dropna, isnull, is.na, fill in",
     "Cells without a value. Learners that cannot take them get them filled in; '--missing' and "
     "'--with impute' say how.",
     "cairn fit tree @weather-missing --steps\ncairn convert @titanic titanic-filled.csv --with "
     "impute:numbers=median",
     "docs/transforms/impute.md"},
    {"imbalance",
     "class imbalance, skewed classes, rare class, imbalanced data, skewed class distribution, "
     "class ratio, prevalence",
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
    {"reproducibility",
     "random seed, same result, determinism, deterministic, reproducible, random_state, random "
     "state",
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
    {"getting started",
     "start, begin, beginner, newcomer, install, installation, first steps, "
     "quick start, command line, usage, version, how to start",
     "A file, a learner, and what it says: 'describe' looks at a file, 'fit' learns from it, "
     "'evaluate' says how good that is on new rows, 'predict' answers for rows without a target. "
     "Every report can be written as a page (--out page.html), and '--steps' shows the work.",
     "cairn describe @titanic\ncairn fit tree @titanic --save titanic.model\ncairn evaluate tree "
     "@titanic\ncairn predict titanic.model @titanic",
     "docs/tutorial.md"},
    {"coming from other tools",
     "scikit-learn, sklearn, R, Weka, pandas, caret, tidymodels, mlr, "
     "statsmodels, e1071, fit_transform, pipeline, Orange, SPSS, SAS, Matlab",
     "Names of scikit-learn, R and Weka are taken for entries and options, and the name here is "
     "said once: 'fit RandomForestClassifier --n_estimators 50' is 'fit forest --trees 50'. A "
     "pipeline is a learner with transforms before it (--with), which are fitted in every fold; "
     "the "
     "Python package has classes that scikit-learn takes.",
     "cairn fit RandomForestClassifier @iris --n_estimators 50\ncairn fit knn @iris --with "
     "StandardScaler --with prcomp\ncairn evaluate J48 @iris --by KFold",
     "docs/python.md"},
    {"python", "Python package, pip, numpy, data frame, DataFrame, jupyter, notebook, polars",
     "The package 'cairn' runs every verb from Python on data frames and arrays; reports come back "
     "with their named values, and learners are estimators for scikit-learn.",
     "cairn help export\ncairn list learners", "docs/python.md"},
    {"c library",
     "C, C++, libcairn, API, embed, header, link, C API, programming interface, rust, "
     "java",
     "libcairn is a C library with the same learners, transforms and verbs; libcairn-predict "
     "answers rows from saved models; a model can also be written as C code that needs neither.",
     "cairn fit tree @iris --save iris.model\ncairn export iris.model --to c --out iris.c",
     "docs/c/README.md"},
    {"formats",
     "file formats, files, open a file, read a file, load data, import "
     "data, HDF5, SAS files, compressed files, gzip, zip",
     "Tables are read from csv, tsv, Excel, JSON, ARFF, Parquet, libsvm and more, also compressed, "
     "from standard input, and from databases; the format is found by name and content.",
     "cairn list formats\ncairn list sources\ncairn convert @iris iris.json\ncairn describe "
     "iris.json",
     "docs/formats.md"},
    {"built-in data",
     "datasets, data sets, example data, toy datasets, sample data, iris dataset, "
     "load_iris, titanic dataset",
     "Tables that come with the program are named with an @ wherever a file is: those of the "
     "textbooks' examples and some of the classics.",
     "cairn list data\ncairn describe @iris\ncairn convert @titanic titanic.csv", "docs/data.md"},
    {"saving models",
     "save model, load model, pickle, joblib, saveRDS, model file, persist, serialise",
     "'fit --save' writes a model with everything that predicting needs, its transforms too; "
     "'predict', 'describe', 'evaluate', 'export' and 'draw' take the file.",
     "cairn fit forest @iris --save iris.model\ncairn describe iris.model\ncairn predict "
     "iris.model "
     "@iris",
     "docs/model-file.md"},
    {"machine learning",
     "ML taxonomy, taxonomy of machine learning, learning from experience, experience, learning, "
     "learner, model, machine learning program, "
     "learning program, how machines learn, definition of machine learning, task, target function, "
     "abstraction, data storage, types of learning, grouping and grading, artificial intelligence, "
     "AI, data mining, data science, machine learning experiments, different types of learning",
     "A program that gets better at a task by the rows that it sees: a learner makes a model of "
     "training rows, and the model answers for rows that it has not seen. Logical models ask "
     "questions, geometric ones draw boundaries and compare distances, probabilistic ones keep "
     "distributions.",
     "cairn list learners\ncairn fit tree @weather --steps\ncairn lesson", "docs/course.md"},
    {"applications",
     "applications of machine learning, face recognition, speech recognition, "
     "optical character recognition, knowledge extraction, spam filter, medical diagnosis, credit "
     "scoring",
     "What learning is used for, with data to try it on: letters and digits as pictures, spam, "
     "diagnoses, baskets of a shop, prices.",
     "cairn fit knn @digits\ncairn fit bayes @emails-counts\ncairn compute associations "
     "@baskets\ncairn "
     "fit "
     "tree @breast-cancer",
     "docs/course.md"},
    {"features",
     "attribute, feature, variable, instance, example, record, unit of observation, "
     "input feature, input representation, kinds of feature, categorical data, nominal data, "
     "ordinal "
     "data, numeric data, quantitative, structured features, forms of data, column types, "
     "understanding data, examples and features, dtype",
     "A row is one example, a column one feature of it: a number, a level (with or without an "
     "order), a text, a time, a yes or no. 'describe' shows what every column was taken for, "
     "--kinds says otherwise, and transforms make one kind of another.",
     "cairn describe @titanic\ncairn fit tree @titanic --kinds 'pclass=ordered(1,2,3)'\ncairn list "
     "transforms",
     "docs/data.md"},
    {"transforms",
     "preprocessing, transform data, prepare data, feature transformation, "
     "ColumnTransformer, pipeline steps, data cleaning, clean data",
     "What is done to columns before a learner sees them: --with NAME, several in order. They are "
     "fitted on training rows only, in every fold, and kept in the model.",
     "cairn list transforms\ncairn fit knn @iris --with standardise --with pca\ncairn convert "
     "@iris "
     "scaled.csv --with standardise",
     "docs/README.md"},
    {"feature construction",
     "feature engineering, construct features, new columns, derived features",
     "Columns made of others: by a formula, as powers and products, as parts of dates, as words of "
     "texts.",
     "cairn fit linear @used-cars --target price --with 'formula:age2=age^2'\ncairn help "
     "basis\ncairn "
     "help design\ncairn help time",
     "docs/transforms/formula.md"},
    {"dimensionality",
     "dimensionality reduction, dimension reduction, feature extraction, t-SNE, "
     "UMAP, embedding, manifold, visualise high dimensional data",
     "Few columns that say nearly what many do: principal components, factors of a matrix, the "
     "axes "
     "between classes, a map of rows from their distances.",
     "cairn compute pca @iris\ncairn draw components @iris\ncairn draw map @iris --ignore species",
     "docs/transforms/pca.md"},
    {"curse of dimensionality",
     "high-dimensional data, many features, distance concentration, "
     "irrelevant features",
     "With many columns all rows are about equally far from each other, so that nearest neighbours "
     "and clusters say little, and more rows are needed to fill the space. Select columns, or "
     "project them.",
     "cairn compute rescaling @iris --ignore species\ncairn fit knn @breast-cancer --with "
     "pca:components=3",
     "docs/distances.md"},
    {"concept learning", "positive example, negative example, concept, Boolean concept",
     "Learning when something is an instance of a concept from positive and negative examples: the "
     "most specific and the most general hypotheses that agree with them, and all between.",
     "cairn compute generalise @enjoysport\ncairn compute version-space @enjoysport\ncairn draw "
     "lattice "
     "@dolphins",
     "docs/compute/concepts.md"},
    {"inductive bias", "learning bias, bias-free learning, language bias, restriction bias",
     "What a learner takes for granted beside the rows: which hypotheses it can say at all, and "
     "which it prefers. Without it nothing could be said about new rows.",
     "cairn compute hypothesis-space --values 3,2,2,2,2,2\ncairn compute version-space @enjoysport",
     "docs/compute/concepts.md"},
    {"learning theory",
     "computational learning theory, learnability, PAC, sample complexity, VC theory",
     "How many examples are enough: bounds on the true error by the number of hypotheses or their "
     "VC "
     "dimension.",
     "cairn compute pac --hypotheses 973 --epsilon 0.1 --delta 0.05\ncairn compute vc --class "
     "conjunction "
     " "
     "--variables 3",
     "docs/compute/concepts.md"},
    {"no free lunch", "no free lunch theorem, no-free-lunch, best algorithm, which algorithm",
     "No learner is best on all problems: averaged over all of them every learner guesses. Which "
     "one "
     "fits the data at hand is tried on rows that were held out.",
     "cairn compare all --on @iris\ncairn compare tree knn bayes --on @iris @wine",
     "docs/evaluation.md"},
    {"training and test sets",
     "training set, test set, train and test, held-out rows, held-out data, "
     "unseen data, new rows",
     "Rows that a model has learned from say too much good about it; others are held out to judge "
     "it: once, in turn (cross-validation), or drawn with replacement (bootstrap).",
     "cairn evaluate tree @iris --by holdout:0.3\ncairn evaluate tree @iris --by cv:10\ncairn draw "
     "folds @iris "
     "--by cv:5",
     "docs/evaluation.md"},
    {"measures",
     "performance measure, metrics, what to measure, other measures of performance, metrics of "
     "accuracy, scoring, predictive accuracy",
     "What an answer is judged by: shares of right answers, precision and recall, the area under "
     "the "
     "ROC curve, errors of numbers, the quality of probabilities, the shape of clusters.",
     "cairn list measures\ncairn evaluate tree @titanic --measure recall,precision,auc",
     "docs/evaluation.md"},
    {"learning curve", "training size, how much data, more data, sample size",
     "How the error falls with more training rows: where it is flat, more of them will not help.",
     "cairn evaluate tree @titanic --learning-curve 5", "docs/evaluation.md"},
    {"multi-class",
     "multiclass, multiclass classification, more than two classes, several classes, learning "
     "multiple "
     "classes, beyond binary classification",
     "Most learners take any number of classes. Those that tell two apart are used one class "
     "against "
     "the rest, one against another, or by a code.",
     "cairn fit logistic @iris\ncairn fit one-vs-rest @iris --learner perceptron\ncairn compute "
     "multiclass-auc "
     "@scores-three",
     "docs/learners/one-vs-rest.md"},
    {"discriminative learning",
     "discriminative, discriminative model, generative or discriminative, "
     "conditional likelihood, discriminative and generative probabilistic models",
     "A generative model says how rows of each class come about (bayes, gaussian); a "
     "discriminative "
     "one only how probable the classes are, given the row: logistic maximises that conditional "
     "likelihood.",
     "cairn fit logistic @iris\ncairn fit gaussian @iris", "docs/learners/logistic.md"},
    {"descriptive learning",
     "descriptive model, unsupervised and descriptive learning, pattern mining, data "
     "exploration",
     "Telling something about the rows at hand rather than answering for new ones: groups, rules "
     "between items, subgroups that stand out.",
     "cairn compute associations @baskets\ncairn compute subgroups @dolphins\ncairn fit kmeans "
     "@iris --ignore "
     "species --clusters 3",
     "docs/compute/items.md"},
    {"kernel methods", "kernel machine, kernelised, kernel machines, learning in feature space",
     "Linear methods in a space of features that is never written out: all that is needed are "
     "inner "
     "products of rows, which a kernel function gives.",
     "cairn fit svm @iris --kernel rbf\ncairn compute kernel --x 1,2 --y 3,4 --kernel poly\ncairn "
     "fit "
     "kernel-perceptron @iris",
     "docs/learners/svm.md"},
    {"outliers",
     "outlier, outlier detection, anomaly, anomaly detection, novelty, remove outliers, unusual "
     "rows, extreme values",
     "Rows far from all others: whiskers of a box plot for one column, rows in no cluster, rows "
     "outside a one-class machine, rows that move a regression.",
     "cairn draw box @iris --column sepal_width\ncairn fit dbscan @iris --ignore species\ncairn "
     "fit svm:type=one-class "
     "@iris --ignore species\ncairn help influence",
     "docs/describe.md"},
    {"text",
     "text classification, learning to classify text, text mining, NLP, natural language, "
     "sentiment analysis, documents, spam, words, tokenisation",
     "Texts become bags of words (--with bag), which may be weighed (tf-idf); naive Bayes, "
     "logistic "
     "regression and linear machines learn from these.",
     "cairn fit bayes @texts --with bag\ncairn help bag\ncairn help tf-idf\ncairn help "
     "text-features",
     "docs/transforms/bag.md"},
    {"images",
     "pictures as data, image classification, image recognition, pixels, digits, computer vision, "
     "CNN",
     "A picture is a row of pixels: from a folder of files, from the files of the MNIST family, or "
     "from a table.",
     "cairn fit knn @digits\ncairn help pixel-features\ncairn compute palette @sunset --colours 4",
     "docs/formats.md"},
    {"time series",
     "forecasting, forecast, sequence data, lag, autocorrelation, ARIMA, temporal data",
     "Rows in the order of time are tested on later rows than those learned from (--by rolling); "
     "sequences have learners of their own, hidden Markov models and recurrent networks among "
     "them.",
     "cairn help rolling\ncairn help hmm\ncairn help recurrent\ncairn help time",
     "docs/evaluation.md"},
    {"threads", "parallel, n_jobs, multithreading, cores, GPU, CUDA, speed, fast",
     "All cores are used unless --threads says otherwise, and the result does not depend on their "
     "number. There is no code for graphics cards.",
     "cairn fit forest @iris --threads 2", "docs/same-bits.md"},
    {"limits", "memory, big data, out of memory, large files, too large, large data, chunks",
     "How large tables may be, what memory is used, and how to say less (--memory, --limits); some "
     "learners take a file piece by piece (--chunk).",
     "cairn help fit --all\ncairn convert @titanic part.csv --sample 100", "docs/limits.md"},
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
    for (const cairn_topic *t = cairn_topics; t->name; t++)
        if (cairn_query_match(&query, t->name, strlen(t->name)) == CAIRN_ANSWER_WHOLE) return t;
    for (const cairn_topic *t = cairn_topics; t->name; t++) {
        cairn_entry entry = cairn_topic_entry(t);
        if (cairn_entry_matches(&entry, &query).answer == CAIRN_ANSWER_WHOLE) return t;
    }
    return NULL;
}
