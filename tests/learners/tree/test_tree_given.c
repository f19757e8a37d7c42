/* SPDX-License-Identifier: MIT */
/* Trees written by hand and trees written down. */
#include "fitted.h"
#include "base/text.h"
#include "support/fail_alloc.h"

static const char weather_tree[] = "outlook = sunny:  # 5 rows: no 3, yes 2\n"
                                   "    humidity = high: no  # 3 rows: no 3\n"
                                   "    humidity = normal: yes  # 2 rows: yes 2\n"
                                   "outlook = overcast: yes  # 4 rows: yes 4\n"
                                   "outlook = rain:  # 5 rows: no 2, yes 3\n"
                                   "    wind = weak: yes  # 3 rows: yes 3\n"
                                   "    wind = strong: no  # 2 rows: no 2\n";

static void test_given__what_is_written_is_read_again(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model = fit_given(*state, table, "tree", weather_tree);
    assert_non_null(model);
    assert_form(*state, model, "text", weather_tree);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Trees to purity on data of every kind: the text of one gives the same text. */
static void test_given__round_trip_of_grown_trees(void **state)
{
    static const char *const cases[][3] = {
        {"@iris", "species", "tree"},
        {"@iris", "species", "tree:cut=lt"},
        {"x,k,y\n1,a,2.5\n2,b,3.25\n3,a,9\n4,b,9.5\n5,c,1\n?,a,2\n", "y", "tree"},
        {"@restaurant", "wait", "tree:split=binary"},
        {"@dolphins", "class", "tree:branches=present"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *table = table_of(*state, cases[i][0], cases[i][1], NULL);
        cairn_params *params = NULL;
        cairn_model *grown = NULL;
        char *text = NULL;
        assert_ok(*state, cairn_params_new(*state, &params, cases[i][2]));
        assert_ok(*state, cairn_model_fit(*state, &grown, params, table, NULL));
        assert_ok(*state, cairn_model_export(*state, grown, "text", &text));
        cairn_model *read = fit_given(*state, table, cases[i][2], text);
        assert_non_null(read);
        assert_form(*state, read, "text", text);
        cairn_string_free(text);
        cairn_model_free(grown);
        cairn_model_free(read);
        cairn_params_free(params);
        cairn_table_free(table);
    }
}

/* Ordered levels are cut like numbers, by name. */
static void test_given__ordered_levels_are_cut(void **state)
{
    cairn_table *table =
        table_of(*state, "size,y\ns,a\nm,a\nl,b\nl,b\ns,a\n", "y", "size=ordered(s,m,l)");
    const char *text = "size <= m: a  # 3 rows: a 3\nsize > m: b  # 2 rows: b 2\n";
    cairn_model *model = fit_given(*state, table, "tree", text);
    assert_non_null(model);
    assert_form(*state, model, "text", text);
    assert_null(fit_given(*state, table, "tree", "size = m: a\nsize = s: a\nsize = l: b\n"));
    assert_non_null(strstr(cairn_message(*state), "ordered values are cut by <= and >"));
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_given__grows_on_where_the_plan_is_open(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model = fit_given(*state, table, "tree",
                                   "outlook = sunny: ...\noutlook = overcast: no\n"
                                   "outlook = rain:\n  wind = weak: ?\n  wind = strong: ?\n");
    assert_non_null(model);
    assert_form(*state, model, "nested",
                "if outlook = sunny then\n"
                "    if humidity = high then no\n"
                "    else if humidity = normal then yes\n"
                "else if outlook = overcast then no\n"
                "else if outlook = rain then\n"
                "    if wind = weak then yes\n"
                "    else if wind = strong then no\n");
    assert_form(
        *state, model, "rules",
        "if outlook = sunny and humidity = high then play = no  # 3 rows: no 3; accuracy 1\n"
        "if outlook = sunny and humidity = normal then play = yes  # 2 rows: yes 2; "
        "accuracy 1\n"
        "if outlook = overcast then play = no  # 4 rows: yes 4; accuracy 0\n"
        "if outlook = rain and wind = weak then play = yes  # 3 rows: yes 3; accuracy 1\n"
        "if outlook = rain and wind = strong then play = no  # 2 rows: no 2; accuracy 1\n");
    cairn_model_free(model);
    cairn_table_free(table);
}

/* A file of <= says nothing about midpoints or observed values: the option does. */
static void test_given__grown_cuts_keep_the_form_that_was_asked_for(void **state)
{
    static const char *const cases[][2] = {{"tree", "3.5"}, {"tree:cut=le", "3"}};
    cairn_table *table = table_of(*state, "x,y\n1,a\n2,b\n3,c\n4,d\n", "y", NULL);
    for (size_t i = 0; i < 2; i++) {
        cairn_model *model = fit_given(*state, table, cases[i][0], "x <= 2.25: ?\nx > 2.25: ...\n");
        char *text = NULL;
        char wanted[40];
        assert_non_null(model);
        assert_ok(*state, cairn_model_export(*state, model, "text", &text));
        snprintf(wanted, sizeof wanted, "    x <= %s: c", cases[i][1]);
        assert_non_null(strstr(text, wanted));
        cairn_string_free(text);
        cairn_model_free(model);
    }
    cairn_table_free(table);
}

/* Rows on one side only, and cuts that no row reaches. */
static void test_given__branches_without_rows_stay(void **state)
{
    cairn_table *table = table_of(*state, "@iris", "species", NULL);
    const char *text = "petal_length < 0:  # 0 rows\n"
                       "    petal_width < 3: setosa  # 0 rows\n"
                       "    petal_width >= 3: virginica  # 0 rows\n"
                       "petal_length >= 0:  # 150 rows: setosa 50, versicolor 50, virginica 50\n"
                       "    petal_width < 1.7: versicolor  # 102 rows: setosa 50, versicolor 48, "
                       "virginica 4\n"
                       "    petal_width >= 1.7: virginica  # 48 rows: versicolor 2, virginica 46\n";
    cairn_model *model = fit_given(*state, table, "tree", text), *loaded = NULL;
    char *bytes = NULL;
    size_t length = 0;
    assert_non_null(model);
    assert_form(*state, model, "text", text);
    assert_ok(*state, cairn_model_save_memory(*state, model, &bytes, &length));
    assert_ok(*state, cairn_model_load_memory(*state, &loaded, "t", bytes, length));
    assert_form(*state, loaded, "text", text);
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_given__mistakes_are_shown_with_their_place(void **state)
{
    static const char *const cases[][2] = {
        {"outlook = sunny: no\noutlok = rain: yes\n",
         "line 2, column 1: there is no feature 'outlok'; did you mean 'outlook'?"},
        {"outlook = sunny: no\noutlook = overcst: yes\n",
         "line 2, column 11: 'outlook' has no value 'overcst'; did you mean 'overcast'?"},
        {"outlook = sunny: maybe\n", "line 1, column 18: 'play' has no value 'maybe'"},
        {"outlook = sunny: no\n  wind = weak: yes\n", "line 2, column 3: the branch above ends"},
        {"outlook = sunny:\noutlook = rain: yes\n", "line 2, column 1: the branch before this has"},
        {"outlook = sunny: no\noutlook = sunny: yes\n",
         "line 2, column 1: this branch was there already"},
        {"outlook = \"sunny: yes\n", "line 1, column 11: the quote has no end"},
        {"outlook = sunny: yes\nwind = weak: no\n", "lines of the same indentation ask the same"},
        {"outlook = sunny yes\n", "line 1, column 17: a colon is expected"},
        {"outlook = sunny: yes no\n", "line 1, column 22: the line should end here"},
        {"  outlook = sunny: yes\noutlook = rain: no\n", "indented less than the first one"},
        {"outlook > sunny: yes\n", "the values of 'outlook' have no order"},
        {"outlook = [sunny, rain]: yes\n", "the other set of values is missing"},
        {"outlook: yes\n", "one of = != < <= > >= is expected after 'outlook'"},
        {"# nothing\n", "there is no tree in this file"},
        {"outlook = \xff: yes\n", "byte 11: the text is not UTF-8"},
    };
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(fit_given(*state, table, "tree", cases[i][0]));
        if (!strstr(cairn_message(*state), cases[i][1]))
            fail_msg("'%s' is not in: %s", cases[i][1], cairn_message(*state));
    }
    assert_null(fit_given(*state, table, "majority", "yes"));
    assert_non_null(strstr(cairn_message(*state), "majority cannot be written by hand"));
    cairn_table_free(table);
}

static void test_given__cuts_have_two_sides_and_one_form(void **state)
{
    static const char *const cases[][2] = {
        {"petal_length < 2: setosa\n", "the other side of this cut is missing"},
        {"petal_length < 2: setosa\npetal_length >= 3: virginica\n", "name the same number"},
        {"petal_length = 2: setosa\n", "are cut by <= and >"},
        {"petal_length < two: setosa\n", "'petal_length' is a number, and 'two' is none"},
        {"petal_length < 2: setosa\npetal_length >= 2:\n petal_width <= 1: setosa\n"
         " petal_width > 1: virginica\n",
         "line 3, column 2: the lines above cut by the other form"},
    };
    cairn_table *table = table_of(*state, "@iris", "species", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(fit_given(*state, table, "tree", cases[i][0]));
        if (!strstr(cairn_message(*state), cases[i][1]))
            fail_msg("'%s' is not in: %s", cases[i][1], cairn_message(*state));
    }
    cairn_table_free(table);
}

static void test_given__disjunctions_of_each_class(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model = fit_given(*state, table, "tree", weather_tree);
    assert_form(*state, model, "dnf",
                "play = no if (outlook = sunny and humidity = high) or (outlook = rain and wind = "
                "strong)\nplay = yes if (outlook = sunny and humidity = normal) or (outlook = "
                "overcast) or (outlook = rain and wind = weak)\n");
    cairn_model_free(model);
    model = fit_given(*state, table, "tree", "yes");
    assert_form(*state, model, "dnf", "play = no if (never)\nplay = yes if (always)\n");
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_given__an_unknown_form_lists_those_there_are(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model = fit_given(*state, table, "tree", "yes");
    char *text = NULL;
    assert_int_equal(cairn_model_export(*state, model, "doot", &text), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "did you mean 'dot'?"));
    assert_form(*state, model, "text", "yes  # 14 rows: no 5, yes 9\n");
    cairn_model_free(model);
    cairn_table_free(table);
}

/* A tree of the file `data` that forgets levels, so that it is warned of. */
/* Rows of two classes in turn: every split takes off one row. */
static cairn_table *alternating(cairn_context *ctx, size_t n, const char *other)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "x,y\n");
    for (size_t i = 0; i < n; i++) cairn_text_addf(&text, "%zu,%s\n", i, i % 2 ? other : "a");
    cairn_table *table = table_of(ctx, cairn_text_string(&text), "y", NULL);
    cairn_text_clear(&text);
    return table;
}

static size_t count_lines(const char *text, size_t *longest)
{
    size_t n = 0, length = 0;
    for (*longest = 0; *text; text++) {
        length = *text == '\n' ? 0 : length + 1;
        *longest = length > *longest ? length : *longest;
        n += *text == '\n';
    }
    return n;
}

/* What is written grows with the nodes, not with the square of the depth, and is read again. */
static void test_given__deep_trees_are_written_in_parts(void **state)
{
    enum { ROWS = 2000 };
    static const char *const others[] = {"b", "@201"};
    for (size_t k = 0; k < 2; k++) {
        cairn_table *table = alternating(*state, ROWS, others[k]), *answers = NULL;
        fitted f = fit_table(*state, table, "tree:full", CAIRN_CLASSIFY, false);
        static const char *const forms[] = {"text", "nested", "rules"};
        size_t longest;
        char *text = NULL;
        assert_value(&f, "tree.depth", ROWS - 1);
        for (size_t i = 0; i < 3; i++) {
            cairn_string_free(text);
            assert_ok(*state, cairn_model_export(*state, f.model, forms[i], &text));
            assert_true(count_lines(text, &longest) >= ROWS);
            assert_true(longest < 1200);
        }
        cairn_string_free(text);
        assert_ok(*state, cairn_model_export(*state, f.model, "text", &text));
        assert_non_null(strstr(text, "\n@201:\n    x <= 100.5: a"));
        cairn_model *read = fit_given(*state, table, "tree", text);
        assert_non_null(read);
        assert_form(*state, read, "text", text);
        assert_ok(*state, cairn_model_predict(*state, &answers, read, table, true));
        ptrdiff_t path = cairn_table_find(answers, "path");
        const cairn_column *paths = answers->slots[path].column;
        assert_string_equal(cairn_map_key(&paths->names, (size_t)paths->codes[1500]),
                            "x>1499.5 & x<=1500.5");
        cairn_table_free(answers);
        cairn_string_free(text);
        cairn_model_free(read);
        drop(&f);
    }
}

/* Of a long path the conditions stay that others do not imply: cuts, sets, levels. */
static void test_given__long_paths_leave_out_what_is_implied(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx), plan = cairn_text_start(ctx);
    cairn_text_add(&text, "x,k,m,y\n");
    for (size_t i = 0; i < 120; i++)
        cairn_text_addf(&text, "%zu,%c,%c,%s\n", i, "abcd"[i % 4], "uvw"[i % 3], i % 2 ? "p" : "q");
    cairn_table *table = table_of(ctx, cairn_text_string(&text), "y", NULL), *answers = NULL;
    cairn_text_add(&plan, "k = d: p\nk != d:\n    m = [u, v]:\n        m = [u]:\n"
                          "            k = a:\n");
    for (size_t i = 0; i < 60; i++) {
        cairn_text_add_repeat(&plan, ' ', 16 + 4 * i);
        cairn_text_addf(&plan, "x <= %zu: q\n", i);
        cairn_text_add_repeat(&plan, ' ', 16 + 4 * i);
        cairn_text_addf(&plan, "x > %zu:%s\n", i, i == 59 ? " p" : "");
    }
    cairn_text_add(&plan, "            k != a: p\n        m = [v]: p\n    m = [w]: p\n");
    cairn_model *model = fit_given(ctx, table, "tree", cairn_text_string(&plan));
    if (!model) fail_msg("%s", cairn_message(ctx));
    assert_ok(ctx, cairn_model_predict(ctx, &answers, model, table, true));
    const cairn_column *paths = answers->slots[cairn_table_find(answers, "path")].column;
    assert_string_equal(cairn_map_key(&paths->names, (size_t)paths->codes[72]),
                        "m=u & k=a & x>59"); /* 72: a, u */
    cairn_table_free(answers);
    cairn_model_free(model);
    cairn_table_free(table);
    cairn_text_clear(&text);
    cairn_text_clear(&plan);
}

/* Surrogates are not written, as the text says, but found again. */
static void test_given__surrogates_are_found_again(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_table *table, *one = NULL, *other = NULL;
    char *written = NULL;
    cairn_text_add(&text, "x,z,y\n");
    for (size_t i = 0; i < 60; i++) {
        if (i % 7 == 3)
            cairn_text_add(&text, "?");
        else
            cairn_text_addf(&text, "%zu", i);
        cairn_text_addf(&text, ",%zu,%s\n", 2 * i + i % 3, i < 30 ? "a" : "b");
    }
    table = table_of(ctx, cairn_text_string(&text), "y", NULL);
    fitted f = fit_table(ctx, table, "tree:missing_in_model=surrogate", CAIRN_CLASSIFY, false);
    assert_true(tree_in(&f)->n_surrogates > 0);
    assert_ok(ctx, cairn_model_export(ctx, f.model, "text", &written));
    assert_non_null(strstr(written, "# Tests that stand in for others are not written"));
    cairn_model *read = fit_given(ctx, table, "tree:missing_in_model=surrogate", written);
    assert_non_null(read);
    assert_form(ctx, read, "text", written);
    assert_ok(ctx, cairn_model_predict(ctx, &one, f.model, table, true));
    assert_ok(ctx, cairn_model_predict(ctx, &other, read, table, true));
    assert_int_equal(cairn_table_hash(one), cairn_table_hash(other));
    cairn_table_free(one);
    cairn_table_free(other);
    cairn_string_free(written);
    cairn_model_free(read);
    cairn_text_clear(&text);
    drop(&f);
}

static void test_given__parts_hang_below_one_line(void **state)
{
    static const char *const cases[][2] = {
        {"outlook = sunny: @1\noutlook = rain: @1\n@1:\n    wind = weak: yes\n",
         "hangs below another line"},
        {"@1:\n    wind = weak: yes\n", "no line above has the answer @1"},
        {"outlook = sunny: @1\n@1:\n@2:\n    wind = weak: no\n", "has no lines"},
        {"outlook = sunny: @1\n@1:\n", "has no lines"},
        {"outlook = sunny: @1\n@1:\n    wind = weak: no\n@1:\n    wind = weak: no\n",
         "there is a part @1 above"},
        {"outlook = sunny:\n@1:\n    wind = weak: no\n", "neither an answer"},
        {"outlook = sunny: @1\n@1:\n    wind = weak: @1\n", "hangs below another line"},
        {"outlook = sunny: @1\n@1:\n    wind = weak: no\nwind = strong: no\n", "indented less"}};
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(fit_given(*state, table, "tree", cases[i][0]));
        if (!strstr(cairn_message(*state), cases[i][1])) fail_msg("%s", cairn_message(*state));
    }
    cairn_model *model =
        fit_given(*state, table, "tree",
                  "outlook = sunny: @x\noutlook = rain: no\n@x:\n  wind = weak: yes\n  wind = "
                  "strong: no\n");
    assert_non_null(model);
    cairn_model_free(model);
    cairn_table_free(table);
}

static cairn_status read_forgetful(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    options.given = data;
    TRY(cairn_table_read(ctx, &table, "@weather", NULL));
    TRY(cairn_table_set_role(ctx, table, "play", CAIRN_TARGET));
    TRY(cairn_params_new(ctx, &params, "tree"));
    TRY(cairn_model_fit(ctx, &model, params, table, &options));
done:
    cairn_table_free(table);
    cairn_params_free(params);
    cairn_model_free(model);
    return status;
}

static void test_given__survives_failing_allocations(void **state)
{
    static const char text[] = "outlook = sunny:\n  wind = weak: yes\noutlook = overcast: no\n";
    char path[] = "/tmp/cairn-test-given-XXXXXX";
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    assert_survives_allocation_failures(read_forgetful, path);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_given__what_is_written_is_read_again),
        context_test(test_given__round_trip_of_grown_trees),
        context_test(test_given__ordered_levels_are_cut),
        context_test(test_given__grows_on_where_the_plan_is_open),
        context_test(test_given__grown_cuts_keep_the_form_that_was_asked_for),
        context_test(test_given__branches_without_rows_stay),
        context_test(test_given__mistakes_are_shown_with_their_place),
        context_test(test_given__cuts_have_two_sides_and_one_form),
        context_test(test_given__deep_trees_are_written_in_parts),
        context_test(test_given__long_paths_leave_out_what_is_implied),
        context_test(test_given__parts_hang_below_one_line),
        context_test(test_given__surrogates_are_found_again),
        context_test(test_given__disjunctions_of_each_class),
        context_test(test_given__an_unknown_form_lists_those_there_are),
        context_test(test_given__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
