/* SPDX-License-Identifier: MIT */
/* Search spaces, journals and searches. */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "evaluate/tune.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* The settings of transforms, one for each spec. */
static cairn_params *open_transforms(cairn_context *ctx, const char *spec)
{
    cairn_params *list = NULL;
    const char *const specs[] = {spec, NULL};
    assert_ok(ctx, cairn_params_append_specs(ctx, &list, CAIRN_ENTRY_TRANSFORM, specs));
    return list;
}

static void assert_spec(cairn_context *ctx, const cairn_params *params, const char *wanted)
{
    char *spec;
    assert_non_null(params);
    assert_ok(ctx, cairn_params_spec(ctx, params, &spec));
    assert_string_equal(spec, wanted);
    cairn_free(spec);
}

static void test_space__lists_ranges_and_transforms(void **state)
{
    cairn_context *ctx = *state;
    cairn_space space;
    const char *values[4];
    cairn_params *with = open_transforms(ctx, "impute");
    cairn_settings settings = {0};
    cairn_params *params;
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree"));
    assert_ok(ctx, cairn_space_parse(ctx, &space,
                                     "max-depth=1:9:4\nmin-gain=0.01:1:x10\n"
                                     "impute.numbers=mean,median\nwith=none|standardise",
                                     params, with));
    assert_int_equal(space.n, 4);
    assert_int_equal(space.axes[0].n, 3);
    assert_string_equal(space.axes[0].values[2], "9");
    assert_int_equal(space.axes[1].n, 3);
    assert_string_equal(space.axes[1].values[1], "0.1");
    assert_true(cairn_space_size(&space) == 36);
    cairn_space_point(&space, 35, values);
    assert_string_equal(values[0], "9");
    assert_ok(ctx, cairn_space_settings(ctx, &space, values, params, &settings));
    assert_spec(ctx, settings.transforms, "impute:numbers=median");
    assert_spec(ctx, settings.transforms->next, "standardise");
    assert_null(settings.transforms->next->next);
    assert_string_equal(cairn_params_text(settings.params, "max_depth"), "9");
    cairn_settings_clear(&settings);
    /* a value that the transform has already is replaced */
    cairn_params *degree = open_transforms(ctx, "basis:degree=2,type=powers");
    assert_ok(ctx, cairn_space_parse(ctx, &space, "basis.degree=5,7", params, degree));
    cairn_space_point(&space, 1, values);
    assert_ok(ctx, cairn_space_settings(ctx, &space, values, params, &settings));
    assert_spec(ctx, settings.transforms, "basis:type=powers,degree=7");
    cairn_settings_clear(&settings);
    cairn_params_free(with);
    cairn_params_free(degree);
    cairn_params_free(params);
}

static void refuse(cairn_context *ctx, const char *over, const char *word)
{
    cairn_space space;
    cairn_params *params;
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree"));
    assert_int_equal(cairn_space_parse(ctx, &space, over, params, NULL), CAIRN_USAGE);
    cairn_params_free(params);
    if (!strstr(cairn_message(ctx), word)) fail_msg("%s: %s", over, cairn_message(ctx));
}

/* A parameter that does nothing at a point is not set there, and points that differ in it only are
 * one. */
static void test_space__parameters_that_do_not_count(void **state)
{
    cairn_context *ctx = *state;
    cairn_space space;
    cairn_params *params;
    cairn_settings settings = {0};
    const char *values[2], *label;
    assert_ok(ctx, cairn_params_new(ctx, &params, "logistic:max-iter=7"));
    assert_ok(ctx,
              cairn_space_parse(ctx, &space, "solver=newton,ascent\neta=0.1,0.2", params, NULL));
    cairn_space_point(&space, 1, values);
    assert_string_equal(values[1], "0.2");
    assert_ok(ctx, cairn_space_settings(ctx, &space, values, params, &settings));
    assert_false(cairn_params_is_set(settings.params, "eta"));
    assert_true(cairn_params_is_set(settings.params, "max_iter"));
    cairn_settings_clear(&settings);
    assert_ok(ctx, cairn_space_trim(ctx, &space, params, values));
    assert_null(values[1]);
    assert_ok(ctx, cairn_space_label(ctx, &space, values, &label));
    assert_string_equal(label, "solver=newton");
    cairn_space_point(&space, 3, values);
    assert_ok(ctx, cairn_space_settings(ctx, &space, values, params, &settings));
    assert_string_equal(cairn_params_text(settings.params, "eta"), "0.2");
    assert_false(cairn_params_is_set(settings.params, "max_iter"));
    cairn_settings_clear(&settings);
    /* of a transform likewise */
    cairn_params *with = open_transforms(ctx, "basis:degree=3");
    assert_ok(ctx, cairn_space_parse(ctx, &space, "basis.type=poly,rbf", params, with));
    cairn_space_point(&space, 1, values);
    assert_ok(ctx, cairn_space_settings(ctx, &space, values, params, &settings));
    assert_spec(ctx, settings.transforms, "basis:type=rbf");
    cairn_settings_clear(&settings);
    assert_fails(ctx, cairn_space_parse(ctx, &space, "eta=0.1,0.2", params, NULL), CAIRN_USAGE,
                 "solver=ascent");
    assert_fails(ctx, cairn_space_parse(ctx, &space, "basis.width=1,2", params, with), CAIRN_USAGE,
                 "basis: width counts only with type=rbf");
    cairn_params_free(with);
    cairn_params_free(params);
}

static void test_space__bad_input(void **state)
{
    refuse(*state, "max-depth", "write a parameter");
    refuse(*state, "max-dept=1", "no parameter");
    refuse(*state, "max-depth=-1,2", "max-depth");
    refuse(*state, "max-depth=1:1000000", "more than");
    refuse(*state, "impute.numbers=mean", "no with=impute");
    refuse(*state, "with=none|standrdise", "standardise");
}

static void temporary(char path[40])
{
    strcpy(path, "/tmp/cairn-journal-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

static void test_journal__survives_and_ignores_cut_lines(void **state)
{
    cairn_context *ctx = *state;
    char path[40];
    double numbers[CAIRN_JOURNAL_NUMBERS] = {0.1, NAN, -3e-300, 1e9, 0};
    cairn_journal j;
    temporary(path);
    assert_ok(ctx, cairn_journal_open(ctx, &j, path, "search one"));
    assert_ok(ctx, cairn_journal_add(ctx, &j, "all 10 a=1, b=x y", numbers));
    cairn_journal_clear(&j);
    FILE *file = fopen(path, "ab");
    fputs("all 10 a=2\t0.5\t0.1", file); /* the power went */
    fclose(file);
    assert_ok(ctx, cairn_journal_open(ctx, &j, path, "search one"));
    const double *found = cairn_journal_find(&j, "all 10 a=1, b=x y");
    assert_non_null(found);
    assert_true(found[0] == 0.1 && isnan(found[1]) && found[2] == -3e-300 && found[3] == 1e9);
    assert_null(cairn_journal_find(&j, "all 10 a=2"));
    assert_ok(ctx, cairn_journal_add(ctx, &j, "all 10 a=2", numbers));
    cairn_journal_clear(&j);
    assert_ok(ctx, cairn_journal_open(ctx, &j, path, "search one"));
    assert_non_null(cairn_journal_find(&j, "all 10 a=2"));
    cairn_journal_clear(&j);
    assert_int_equal(cairn_journal_open(ctx, &j, path, "search two"), CAIRN_BAD_DATA);
    unlink(path);
}

static void test_journal__refuses_other_files(void **state)
{
    cairn_context *ctx = *state;
    cairn_journal j;
    char path[40];
    temporary(path);
    FILE *file = fopen(path, "wb");
    fputs("a,b\n1,2\n", file);
    fclose(file);
    assert_int_equal(cairn_journal_open(ctx, &j, path, "x"), CAIRN_BAD_DATA);
    unlink(path);
    assert_int_equal(cairn_journal_open(ctx, &j, "/nowhere/j", "x"), CAIRN_FILE_ERROR);
    assert_int_equal(cairn_journal_open(ctx, &j, "/dev/zero", "x"), CAIRN_FILE_ERROR);
}

static cairn_status search_iris(cairn_context *ctx, cairn_search *search, cairn_search_kind kind,
                                cairn_choosing choose, cairn_journal *journal)
{
    cairn_status status;
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_space space;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_tune_how options = {.search = kind,
                              .tries = kind == CAIRN_SEARCH_RANDOM ? 6 : 0,
                              .factor = 2,
                              .least_rows = 30,
                              .choose = choose,
                              .by = "cv:3",
                              .fit = &fit};
    TRY(cairn_table_read(ctx, &table, "@iris", NULL));
    TRY(cairn_params_new(ctx, &params, "tree"));
    TRY(cairn_space_parse(ctx, &space, "max-depth=1:4", params, NULL));
    TRY(cairn_search_run(ctx, search, &space, params, table, &options, journal, "all"));
done:
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

static void test_search__all_kinds(void **state)
{
    cairn_context *ctx = *state;
    cairn_search s;
    cairn_journal none = {0};
    assert_ok(ctx, search_iris(ctx, &s, CAIRN_SEARCH_GRID, CAIRN_CHOOSE_BEST, &none));
    assert_int_equal(s.n, 4);
    assert_true(s.trials[0].value < s.trials[1].value);
    assert_true(s.best > 0);
    for (size_t i = 0; i < s.n; i++) assert_true(s.trials[i].value <= s.trials[s.best].value);
    assert_ok(ctx, search_iris(ctx, &s, CAIRN_SEARCH_GRID, CAIRN_CHOOSE_ONE_SE, &none));
    assert_true(s.trials[s.best].parameters <= s.trials[3].parameters);
    assert_ok(ctx, search_iris(ctx, &s, CAIRN_SEARCH_RANDOM, CAIRN_CHOOSE_BEST, &none));
    assert_int_equal(s.n, 4); /* there are no others */
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(s.trials[i].label, s.trials[j].label);
    assert_ok(ctx, search_iris(ctx, &s, CAIRN_SEARCH_HALVING, CAIRN_CHOOSE_BEST, &none));
    assert_int_equal(s.trials[s.best].rows, 150);
    assert_true(s.n_rounds > 1);
    cairn_journal_clear(&none);
}

static cairn_status search_once(cairn_context *ctx, void *data)
{
    cairn_search s;
    cairn_journal none = {0};
    (void)data;
    cairn_status status = search_iris(ctx, &s, CAIRN_SEARCH_GRID, CAIRN_CHOOSE_BEST, &none);
    cairn_journal_clear(&none);
    return status;
}

static void test_search__failing_allocations(void **state)
{
    (void)state;
    for (long n = 1; n < 400; n += 7) run_failing(search_once, NULL, n);
}

/* Every learner declares a space, whose values it takes, and which a search can walk; those that
 * declare none are known: their parameters say what is to be learned, or are found by fitting. */
static void test_tune__every_learner_declares_a_space(void **state)
{
    static const char *const none[] = {"cascade",
                                       "cost-sensitive",
                                       "glm",
                                       "gls",
                                       "least-squares-classifier",
                                       "linear",
                                       "linear-td",
                                       "majority",
                                       "multi-target",
                                       "one-vs-one",
                                       "one-vs-rest",
                                       "quantile-regression",
                                       "stack",
                                       "td",
                                       "tls",
                                       "vote",
                                       NULL};
    size_t n, n_spaces = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        const cairn_learner *learner = (const cairn_learner *)entries[i];
        cairn_params *params;
        cairn_space space;
        const char *over;
        if (entries[i]->kind != CAIRN_ENTRY_LEARNER) continue;
        size_t k = 0;
        while (none[k] && strcmp(none[k], entries[i]->name) != 0) k++;
        if (!learner->space != (none[k] != NULL)) fail_msg("%s", entries[i]->name);
        assert_ok(*state, cairn_params_for(*state, &params, entries[i]));
        if (none[k])
            assert_fails(*state, cairn_space_usual(*state, &space, &over, params, NULL),
                         CAIRN_USAGE, "worth a search");
        else {
            assert_ok(*state, cairn_space_usual(*state, &space, &over, params, NULL));
            if (strcmp(over, learner->space) != 0) fail_msg("%s: %s", entries[i]->name, over);
            if (!(cairn_space_size(&space) >= 2 && cairn_space_size(&space) <= 24))
                fail_msg("%s has %g points", entries[i]->name, cairn_space_size(&space));
            n_spaces++;
        }
        cairn_params_free(params);
    }
    assert_true(n_spaces >= 45);
}

/* What is set, or does nothing beside it, is not searched. */
static void test_tune__a_declared_space_leaves_out_what_is_set(void **state)
{
    static const struct {
        const char *spec, *over;
    } cases[] = {
        {"svm:kernel=linear", "c=0.1,1,10,100"},
        {"svm:c=3", "gamma=0.01,0.1,1"},
        {"knn:k=3", "weights=equal,inverse"},
        {"knn:k=3,weights=equal", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_params *params;
        cairn_space space;
        const char *over;
        assert_ok(*state,
                  cairn_params_from_spec(*state, &params, CAIRN_ENTRY_LEARNER, cases[i].spec));
        if (cases[i].over) {
            assert_ok(*state, cairn_space_usual(*state, &space, &over, params, NULL));
            assert_string_equal(over, cases[i].over);
        } else
            assert_fails(*state, cairn_space_usual(*state, &space, &over, params, NULL),
                         CAIRN_USAGE, "says what else is varied");
        cairn_params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_tune__every_learner_declares_a_space),
        context_test(test_tune__a_declared_space_leaves_out_what_is_set),
        context_test(test_space__lists_ranges_and_transforms),
        context_test(test_space__parameters_that_do_not_count),
        context_test(test_space__bad_input),
        context_test(test_journal__survives_and_ignores_cut_lines),
        context_test(test_journal__refuses_other_files),
        context_test(test_search__all_kinds),
        context_test(test_search__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
