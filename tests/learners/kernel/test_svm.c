/* SPDX-License-Identifier: MIT */
/* Support vector machines: numbers of scikit-learn 1.2 (libsvm, tolerance 1e-9) in all forms,
 * weights, and what is refused. */
#include "support/run.h"

static void assert_run(void **state, const char *const *words, const char *name, double expected,
                       double tolerance)
{
    cairn_report *report = NULL;
    assert_ok(*state, run_words(*state, &report, words));
    assert_number(report, name, expected, tolerance);
    cairn_report_free(report);
}

#define IRIS  "fit", "svm", "@iris", "--scale", "none", "--gamma", "0.5", "--tolerance", "1e-6"
#define PAIR  IRIS, "--where", "species != 'setosa'"
#define WIDTH IRIS, "--target", "petal_width", "--ignore", "species"

static void test_svm__two_classes(void **state)
{
    assert_run(state, WORDS(PAIR), "machine1.dual", 18.42315412054663, 1e-5);
    assert_run(state, WORDS(PAIR), "machine1.vectors", 32, 0);
    assert_run(state, WORDS(PAIR, "--positive", "virginica"), "machine1.constant", 0.12369212,
               1e-5);
    assert_run(state, WORDS(PAIR, "--c", "10"), "machine1.dual", 89.54454806917782, 1e-4);
    assert_run(state, WORDS(PAIR, "--type", "nu", "--nu", "0.2", "--positive", "virginica"),
               "machine1.constant", 0.08489439, 1e-5);
}

static void test_svm__three_classes(void **state)
{
    assert_run(state, WORDS(IRIS), "vectors", 41, 0);
    assert_run(state, WORDS(IRIS), "training.accuracy", 0.98, 1e-12);
    assert_run(state, WORDS(IRIS), "machine3.constant", -0.12369212, 1e-5);
}

static void test_svm__numbers(void **state)
{
    assert_run(state, WORDS(WIDTH), "machine1.vectors", 77, 1);
    assert_run(state, WORDS(WIDTH), "machine1.constant", 1.26426945, 1e-5);
    assert_run(state, WORDS(WIDTH, "--type", "nu", "--nu", "0.3"), "machine1.constant", 1.30896238,
               1e-5);
}

/* The one-against-the-rest machines of the row by row method end where the pairs do: with a hinge
 * loss and a column of ones beside no constant they are the same problem but for the constant. */
static void test_svm__row_by_row(void **state)
{
    cairn_report *report = NULL;
    assert_ok(*state, run_words(*state, &report,
                                WORDS("fit", "svm", "@iris", "--kernel", "linear", "--loss",
                                      "squared", "--classes", "rest", "--tolerance", "1e-6")));
    assert_number(report, "converged", 1, 0);
    assert_true(number_of(report, "training.accuracy") > 0.9);
    cairn_report_free(report);
}

/* Of setosa alone; libsvm's constant and its eight vectors. */
static void test_svm__one_class(void **state)
{
    const char *const *words = WORDS(IRIS, "--where", "species = 'setosa'", "--target", "species",
                                     "--type", "one-class", "--nu", "0.1");
    assert_run(state, words, "machine1.constant", -2.67027733, 1e-5);
    assert_run(state, words, "vectors", 8, 0);
    assert_run(state, words, "training.accuracy", 0.88, 1e-12);
}

static void assert_refused(void **state, const char *const *words, cairn_status wanted,
                           const char *part)
{
    cairn_report *report = NULL;
    assert_fails(*state, run_words(*state, &report, words), wanted, part);
    cairn_report_free(report);
}

static void test_svm__refuses(void **state)
{
    assert_refused(state, WORDS("fit", "svm", "@iris", "--c", "0"), CAIRN_USAGE, "c");
    assert_refused(state, WORDS("fit", "svm", "@iris", "--type", "nu", "--nu", "1.5"), CAIRN_USAGE,
                   "nu");
    assert_refused(state, WORDS("fit", "svm", "@iris", "--solver", "rows"), CAIRN_USAGE, "linear");
    assert_refused(state, WORDS("fit", "svm", "@iris", "--class-weight", "1,2"), CAIRN_BAD_DATA,
                   "3 classes");
    assert_refused(state, WORDS("fit", "svm", "@iris", "--cache", "1e12"), CAIRN_NO_MEMORY,
                   "cache");
    assert_refused(state, WORDS("fit", "svm", "@iris", "--type", "one-class"), CAIRN_BAD_DATA,
                   "has 3");
}

/* Few steps are told with the violation that is left. */
static void test_svm__says_that_it_did_not_converge(void **state)
{
    assert_run(state, WORDS(PAIR, "--solver", "pairs", "--max-iter", "3"), "converged", 0, 0);
}

/* A matrix whose eigenvalues are 3, 1 and -1. */
static void test_svm__refuses_a_matrix_of_no_kernel(void **state)
{
    char name[] = "gram.csv", text[] = "a,b,c,class\n1,2,0,x\n2,1,0,y\n0,0,1,y\n";
    cairn_virtual_file file = {name, text, sizeof text - 1};
    cairn_virtual_files files = {.files = &file, .n = 1};
    cairn_report *report = NULL;
    assert_fails(*state,
                 run_words_with(*state, &report, &files,
                                WORDS("fit", "svm", "gram.csv", "--as", "gram", "--kernel",
                                      "precomputed", "--target", "class")),
                 CAIRN_BAD_DATA, "smallest eigenvalue is -1");
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("fit", "svm", "gram.csv", "--as", "gram", "--kernel",
                                           "precomputed", "--target", "class", "--go-on")));
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_svm__two_classes),
        context_test(test_svm__three_classes),
        context_test(test_svm__numbers),
        context_test(test_svm__row_by_row),
        context_test(test_svm__refuses),
        context_test(test_svm__one_class),
        context_test(test_svm__says_that_it_did_not_converge),
        context_test(test_svm__refuses_a_matrix_of_no_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
