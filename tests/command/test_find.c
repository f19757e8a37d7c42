/* SPDX-License-Identifier: MIT */
/* Search: everything is found by its names, whatever they are. */
#include "command/find.h"
#include "support/unit.h"
#include <stdio.h>

static bool answers(const char *text, const char *words, cairn_query_answer at_most)
{
    cairn_query query;
    cairn_query_read(&query, words);
    return cairn_query_match(&query, text, strlen(text)) <= at_most;
}

static void test_query__spelling_does_not_matter(void **state)
{
    static const char *const same[][2] = {
        {"k-NN", "knn"},
        {"C4.5", "c45"},
        {"standardise", "Standardize"},
        {"discretisation", "discretization"},
        {"nearest neighbours", "nearest-neighbor"},
        {"centre", "center"},
        {"centring", "centre"},
        {"entropy", "entropies"},
        {"confusion matrix", "Confusion_Matrix"},
        {"boxes", "box"},
        {"classes", "class"},
        {"labelling", "labeling"},
        {"area under the curve", "area under curve"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!answers(same[i][0], same[i][1], CAIRN_ANSWER_WHOLE))
            fail_msg("'%s' does not answer to '%s'", same[i][0], same[i][1]);
}

static void test_query__words_beginnings_and_slips(void **state)
{
    (void)state;
    assert_true(answers("Random forest", "forest", CAIRN_ANSWER_WORDS));
    assert_true(answers("Random forest", "forest random", CAIRN_ANSWER_WORDS));
    assert_false(answers("Random forest", "forest tree", CAIRN_ANSWER_NEAR));
    assert_true(answers("Standardise", "stand", CAIRN_ANSWER_BEGUN));
    assert_false(answers("Standardise", "stand", CAIRN_ANSWER_WORDS));
    assert_true(answers("overfit", "overfitting", CAIRN_ANSWER_BEGUN));
    assert_true(answers("Random forest", "randm forrest", CAIRN_ANSWER_NEAR));
    assert_false(answers("tree", "true", CAIRN_ANSWER_NEAR)); /* too short for a slip */
    assert_false(answers("tree", "", CAIRN_ANSWER_NEAR));
    assert_false(answers("tree", "--", CAIRN_ANSWER_NEAR));
}

/* What is longer than any word, or has no end of words, is cut and does no harm. */
static void test_query__hostile_words(void **state)
{
    static char text[4000];
    cairn_query query;
    (void)state;
    memset(text, 'x', sizeof text - 1);
    cairn_query_read(&query, text);
    assert_int_equal(query.n_words, 1);
    for (size_t i = 1; i < sizeof text - 1; i += 2) text[i] = ' ';
    cairn_query_read(&query, text);
    assert_int_equal(query.n_words, CAIRN_QUERY_WORDS);
    cairn_query_read(&query, "\x80\xff our s es sses ies");
    assert_false(answers("tree", "\x80\xff our s es sses ies", CAIRN_ANSWER_NEAR));
}

static void test_entries__are_found_by_name_title_and_synonyms(void **state)
{
    size_t n, n_synonyms = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const cairn_entry *e = entries[i];
        cairn_query query;
        cairn_entry_match m, s;
        cairn_query_read(&query, e->name);
        m = cairn_entry_matches(e, &query);
        if (m.by != CAIRN_FOUND_NAME || m.answer != CAIRN_ANSWER_WHOLE)
            fail_msg("%s is not found by its name", e->name);
        cairn_query_read(&query, e->title);
        m = cairn_entry_matches(e, &query);
        if (m.by > CAIRN_FOUND_TITLE || m.answer > CAIRN_ANSWER_WORDS)
            fail_msg("%s is not found by its title", e->name);
        for (size_t k = 0; cairn_entry_synonym(e, k, &s); k++, n_synonyms++) {
            char words[128] = {0};
            assert_in_range(s.length, 2, sizeof words - 1);
            memcpy(words, s.synonym, s.length);
            cairn_query_read(&query, words);
            m = cairn_entry_matches(e, &query);
            if (m.by > CAIRN_FOUND_SYNONYM || m.answer > CAIRN_ANSWER_WORDS)
                fail_msg("%s is not found by '%s'", e->name, words);
        }
    }
    assert_true(n_synonyms > n);
}

/* What a synonym needs can be typed: forest:cuts=random is a spec of the entry. */
static void test_entries__settings_of_synonyms_are_specs(void **state)
{
    cairn_context *ctx = *state;
    size_t n, n_settings = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        cairn_entry_match m;
        for (size_t k = 0; cairn_entry_synonym(entries[i], k, &m); k++) {
            cairn_params *params = NULL;
            cairn_text spec = cairn_text_start(ctx);
            if (!m.settings) continue;
            cairn_match_type(&spec, entries[i], &m);
            assert_ok(ctx, cairn_params_from_spec(ctx, &params, entries[i]->kind,
                                                  cairn_text_string(&spec)));
            cairn_params_free(params);
            cairn_text_clear(&spec);
            n_settings++;
        }
    }
    assert_true(n_settings > 10);
}

/* Whether the search has the name of that kind among its first hits. */
static bool finds(cairn_context *ctx, const char *words, const char *kind, const char *name)
{
    cairn_hits hits;
    assert_ok(ctx, cairn_find(ctx, &hits, words));
    for (size_t i = 0; i < hits.n && i < 3; i++)
        if (!strcmp(hits.all[i].kind, kind) && !strcmp(hits.all[i].name, name)) return true;
    return false;
}

static void test_find__words_of_the_field(void **state)
{
    static const char *const wanted[][3] = {
        {"entropy", "calculator", "impurity"},
        {"cross-validation", "resampling", "cv"},
        {"crossvalidation", "resampling", "cv"},
        {"overfitting", "topic", "overfitting"},
        {"over-fitting", "topic", "overfitting"},
        {"gini", "calculator", "impurity"},
        {"apriori", "calculator", "itemsets"},
        {"find-s", "calculator", "generalise"},
        {"cn2", "learner", "rule-list"},
        {"candidate-elimination", "calculator", "version-space"},
        {"candidate elimination", "calculator", "version-space"},
        {"sensitivity", "measure", "recall"},
        {"ROC", "picture", "roc"},
        {"random forest", "learner", "forest"},
        {"decision-tree", "learner", "tree"},
        {"naive bayes", "learner", "bayes"},
        {"recall", "measure", "recall"},
        {"SVD", "transform", "decompose"},
        {"least squares", "learner", "linear"},
        {"OLS", "learner", "linear"},
        {"CART", "learner", "tree"},
        {"ID3", "learner", "tree"},
        {"C4.5", "learner", "tree"},
        {"k-NN", "learner", "knn"},
        {"one-hot encoding", "transform", "indicators"},
        {"z-score", "transform", "standardise"},
        {"Laplace smoothing", "calculator", "smoothing"},
        {"AUC", "measure", "auc"},
        {"randon forrest", "learner", "forest"},
        {"standardization", "transform", "standardise"},
        {"iris", "data", "@iris"},
        {"confusion-flu-test", "lesson", "confusion-flu-test"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!finds(*state, wanted[i][0], wanted[i][1], wanted[i][2]))
            fail_msg("'%s' does not find the %s %s", wanted[i][0], wanted[i][1], wanted[i][2]);
}

static void test_find__lessons_by_word_and_value(void **state)
{
    cairn_hits hits;
    bool by_value = false;
    assert_ok(*state, cairn_find_lessons(*state, &hits, "entropy"));
    assert_true(hits.n > 2);
    for (size_t i = 0; i < hits.n; i++) {
        assert_string_equal(hits.all[i].kind, "lesson");
        by_value |= strcmp(hits.all[i].by, "value") == 0;
        if (i) assert_true(hits.all[i].score >= hits.all[i - 1].score);
    }
    assert_true(by_value);
}

/* Several words of which none has all: what is called by some of them, the more the better; else
 * each of them alone. */
static void test_find__some_of_the_words(void **state)
{
    cairn_hits hits;
    assert_ok(*state, cairn_find(*state, &hits, "entropy qqqqqqqq"));
    assert_true(hits.n > 0);
    assert_string_equal(hits.all[0].name, "impurity");
    assert_ok(*state, cairn_find(*state, &hits, "the random forest of rrrrrrr"));
    assert_string_equal(hits.all[0].name, "forest");
    assert_ok(*state, cairn_find(*state, &hits, "entrop qqqqqqqq"));
    assert_true(hits.n > 0);
    assert_true(hits.all[0].score >= 100);
    assert_ok(*state, cairn_find(*state, &hits, "qqqqqqqq"));
    assert_int_equal(hits.n, 0);
    assert_fails(*state, cairn_find_nothing(*state, "qqqqqqqq"), CAIRN_USAGE, "nearest names");
    assert_ok(*state, cairn_find(*state, &hits, "--"));
    assert_int_equal(hits.n, 0);
}

static void keep_note(cairn_log_level level, const char *message, void *data)
{
    (void)level;
    snprintf(data, 200, "%s", message);
}

/* A name that others use is taken, in whatever kind, and the name of the house is said. */
static void test_names__of_others_are_taken(void **state)
{
    static const struct {
        cairn_entry_kind kind;
        const char *name, *note;
    } cases[] = {
        {CAIRN_ENTRY_LEARNER, "random-forest", "random-forest is called forest here"},
        {CAIRN_ENTRY_LEARNER, "decision-tree", "tree"},
        {CAIRN_ENTRY_LEARNER, "naive-bayes", "bayes"},
        {CAIRN_ENTRY_LEARNER, "Naive_Bayes", "bayes"},
        {CAIRN_ENTRY_LEARNER, "mlp", "network"},
        {CAIRN_ENTRY_LEARNER, "ols", "linear"},
        {CAIRN_ENTRY_LEARNER, "k-means", "kmeans"},
        {CAIRN_ENTRY_LEARNER, "KMeans", "kmeans"},
        {CAIRN_ENTRY_LEARNER, "id3", "tree:preset=id3"},
        {CAIRN_ENTRY_LEARNER, "cn2", "rule-list:preset=cn2"},
        {CAIRN_ENTRY_LEARNER, "RandomForestClassifier", "forest"},
        {CAIRN_ENTRY_LEARNER, "DecisionTreeClassifier", "tree"},
        {CAIRN_ENTRY_LEARNER, "LinearRegression", "linear"},
        {CAIRN_ENTRY_LEARNER, "LogisticRegression", "logistic"},
        {CAIRN_ENTRY_LEARNER, "KNeighborsClassifier", "knn"},
        {CAIRN_ENTRY_LEARNER, "GaussianNB", "bayes"},
        {CAIRN_ENTRY_LEARNER, "GradientBoostingClassifier", "boost"},
        {CAIRN_ENTRY_LEARNER, "AgglomerativeClustering", "hierarchy"},
        {CAIRN_ENTRY_LEARNER, "rpart", "tree:preset=cart"},
        {CAIRN_ENTRY_LEARNER, "randomForest", "forest"},
        {CAIRN_ENTRY_LEARNER, "hclust", "hierarchy"},
        {CAIRN_ENTRY_LEARNER, "naiveBayes", "bayes"},
        {CAIRN_ENTRY_LEARNER, "J48", "tree:preset=c4.5"},
        {CAIRN_ENTRY_LEARNER, "SMO", "svm"},
        {CAIRN_ENTRY_LEARNER, "IBk", "knn"},
        {CAIRN_ENTRY_LEARNER, "MultilayerPerceptron", "network"},
        {CAIRN_ENTRY_LEARNER, "SimpleKMeans", "kmeans"},
        {CAIRN_ENTRY_LEARNER, "AdaBoostM1", "adaboost"},
        {CAIRN_ENTRY_TRANSFORM, "prcomp", "pca"},
        {CAIRN_ENTRY_TRANSFORM, "OneHotEncoder", "indicators"},
        {CAIRN_ENTRY_TRANSFORM, "StandardScaler", "standardise"},
        {CAIRN_ENTRY_TRANSFORM, "MinMaxScaler", "scale:method=range"},
        {CAIRN_ENTRY_TRANSFORM, "SimpleImputer", "impute"},
        {CAIRN_ENTRY_CALCULATOR, "entropy", "impurity"},
        {CAIRN_ENTRY_CALCULATOR, "gini", "impurity"},
        {CAIRN_ENTRY_CALCULATOR, "apriori", "itemsets:algorithm=apriori"},
        {CAIRN_ENTRY_RESAMPLING, "KFold", "cv"},
        {CAIRN_ENTRY_MEASURE, "sensitivity", "recall"},
        {CAIRN_ENTRY_VERB, "train", "fit"},
    };
    char note[200], end[100];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cairn_entry *entry;
        cairn_entry_match match;
        *note = 0;
        (*(cairn_context **)state)->n_notes = 0;
        cairn_context_set_log(*state, keep_note, note);
        cairn_status status =
            cairn_entry_meant(*state, &entry, cases[i].kind, cases[i].name, &match);
        cairn_context_set_log(*state, NULL, NULL);
        if (status) fail_msg("%s: %s", cases[i].name, cairn_message(*state));
        snprintf(end, sizeof end, "%s is called %s here", cases[i].name, cases[i].note);
        if (i == 0) snprintf(end, sizeof end, "%s", cases[i].note);
        assert_string_equal(note, end);
    }
}

/* A remark is made once. */
static void test_names__are_said_once(void **state)
{
    char note[200] = "";
    const cairn_entry *entry;
    cairn_entry_match match;
    cairn_context_set_log(*state, keep_note, note);
    assert_ok(*state,
              cairn_entry_meant(*state, &entry, CAIRN_ENTRY_LEARNER, "random forest", &match));
    assert_string_equal(note, "random forest is called forest here");
    *note = 0;
    assert_ok(*state,
              cairn_entry_meant(*state, &entry, CAIRN_ENTRY_LEARNER, "random forest", &match));
    assert_string_equal(note, "");
    assert_ok(*state, cairn_entry_meant(*state, &entry, CAIRN_ENTRY_LEARNER, "forest", &match));
    assert_string_equal(note, "");
    cairn_context_set_log(*state, NULL, NULL);
}

/* A refused name is answered with the right one, whatever kind it has; one that several are called
 * by with all of them. */
static void test_refusal__names_what_is_meant(void **state)
{
    static const struct {
        cairn_entry_kind kind;
        const char *name, *answer;
    } cases[] = {
        {CAIRN_ENTRY_LEARNER, "lda", "discriminant (Fisher's linear discriminant) or gaussian:"},
        {CAIRN_ENTRY_LEARNER, "nearest centroid", "basic-linear (Basic linear classifier) or near"},
        {CAIRN_ENTRY_LEARNER, "apriori", "cairn compute itemsets"},
        {CAIRN_ENTRY_LEARNER, "pca", "--with pca"},
        {CAIRN_ENTRY_VERB, "tree", "cairn fit tree"},
        {CAIRN_ENTRY_VERB, "explain", "there is no verb"},
        {CAIRN_ENTRY_LEARNER, "randm-forrest", "'forest'?"},
        {CAIRN_ENTRY_LEARNER, "tre", "'tree'?"},
        {CAIRN_ENTRY_LEARNER, "qqqqqqqq", "cairn list learners"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cairn_entry *entry;
        assert_fails(*state, cairn_entry_get(*state, &entry, cases[i].kind, cases[i].name),
                     CAIRN_USAGE, cases[i].answer);
    }
}

/* The commands of topics run, and their pages are there. */
static void test_topics__commands_run(void **state)
{
    for (const cairn_topic *t = cairn_topics; t->name; t++) {
        assert_ptr_equal(cairn_topic_find(t->name), t);
        assert_true(cairn_starts_with(t->commands, "cairn "));
        assert_true(cairn_starts_with(t->page, "docs/"));
    }
    (void)state;
}

/* Whether the short way to a whole name says what the long one says, for every entry. */
static void compare_ways(const char *words, size_t length)
{
    char text[256];
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_query query;
    snprintf(text, sizeof text, "%.*s", (int)length, words);
    cairn_query_read(&query, text);
    for (size_t i = 0; i < n; i++) {
        cairn_entry_match quick, best = cairn_entry_called(entries[i], &query);
        bool whole = cairn_entry_is_called(entries[i], &query, &quick);
        bool about = best.synonym && entries[i]->about && best.synonym >= entries[i]->about &&
                     best.synonym <= entries[i]->about + strlen(entries[i]->about);
        if (about && !whole) continue; /* it is looked for by these words and not called so */
        if (whole != (best.answer == CAIRN_ANSWER_WHOLE))
            fail_msg("'%s' and %s: %d", text, entries[i]->name, whole);
        if (!whole) continue;
        assert_int_equal(quick.by, best.by);
        assert_ptr_equal(quick.synonym, best.synonym);
        assert_ptr_equal(quick.settings, best.settings);
    }
}

static void test_entries__whole_names_by_the_short_way(void **state)
{
    static const char *const others[] = {"",  "the", "of a tree", "Trees", "the nearest of all",
                                         "xx"};
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_entry_match match = {0};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        compare_ways(others[i], strlen(others[i]));
    for (size_t i = 0; i < n; i += 7) {
        compare_ways(entries[i]->name, strlen(entries[i]->name));
        compare_ways(entries[i]->title, strlen(entries[i]->title));
        for (size_t k = 0; cairn_entry_synonym(entries[i], k, &match); k++)
            compare_ways(match.synonym, match.length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries__whole_names_by_the_short_way),
        cmocka_unit_test(test_query__spelling_does_not_matter),
        cmocka_unit_test(test_query__words_beginnings_and_slips),
        cmocka_unit_test(test_query__hostile_words),
        cmocka_unit_test(test_entries__are_found_by_name_title_and_synonyms),
        context_test(test_entries__settings_of_synonyms_are_specs),
        context_test(test_find__words_of_the_field),
        context_test(test_find__lessons_by_word_and_value),
        context_test(test_find__some_of_the_words),
        context_test(test_names__of_others_are_taken),
        context_test(test_names__are_said_once),
        context_test(test_refusal__names_what_is_meant),
        context_test(test_topics__commands_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
