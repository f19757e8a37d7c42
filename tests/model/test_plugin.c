/* SPDX-License-Identifier: MIT */
/* Learners, transforms and formats of a program's own (cairn/plugin.h): in every verb, in chains,
 * wrappers and model files, and what is refused. */
#include "support/fail_alloc.h"
#include "support/own_records.h"
#include "support/unit.h"

static void add_all(cairn_context *ctx)
{
    assert_ok(ctx, cairn_register_learner(ctx, &own_means));
    assert_ok(ctx, cairn_register_learner(ctx, &own_halves));
    assert_ok(ctx, cairn_register_transform(ctx, &own_centre));
    assert_ok(ctx, cairn_register_transform(ctx, &own_half));
    assert_ok(ctx, cairn_register_format(ctx, &own_tally));
}

/* The words of a command line, at blanks. */
static int split_line(char *line, const char **words)
{
    int n = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) words[n++] = word;
    return n;
}

/* Run a command line into a report. */
static cairn_status run_into(cairn_context *ctx, cairn_report *report, const char *line)
{
    char copy[512];
    const char *words[64];
    snprintf(copy, sizeof copy, "%s", line);
    return cairn_run(ctx, report, split_line(copy, words), words);
}

/* One that must succeed; the caller frees the report. */
static cairn_report *run(cairn_context *ctx, const char *line)
{
    cairn_report *report = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    if (run_into(ctx, report, line)) fail_msg("%s: %s", line, cairn_message(ctx));
    return report;
}

static cairn_status try_line(cairn_context *ctx, const char *line)
{
    cairn_report *report = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    cairn_status status = run_into(ctx, report, line);
    cairn_report_free(report);
    return status;
}

static double number_of(cairn_context *ctx, const char *line, const char *name)
{
    cairn_report *report = run(ctx, line);
    double value = NAN;
    if (!cairn_report_number(report, name, &value)) fail_msg("%s: no value %s", line, name);
    cairn_report_free(report);
    return value;
}

/* The whole report as JSON, at most `size` bytes of it. */
static void json_of(cairn_context *ctx, const char *line, char *out, size_t size)
{
    cairn_report *report = run(ctx, line);
    char *text = NULL;
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &text));
    snprintf(out, size, "%s", text);
    cairn_string_free(text);
    cairn_report_free(report);
}

static void test_plugin__fits_like_any_learner(void **state)
{
    cairn_context *ctx = *state;
    add_all(ctx);
    assert_true(number_of(ctx, "evaluate class-means @iris --by cv:10", "accuracy") > 0.85);
    assert_true(number_of(ctx, "fit class-means @iris --steps --loud --note hm", "means.columns") ==
                4);
    assert_true(fabs(number_of(ctx, "fit class-means @iris", "share.2") - 1. / 3) < 1e-12);
    cairn_report *report = run(ctx, "fit class-means @iris --steps --loud --note hm");
    assert_string_equal(cairn_report_string(report, "means.note"), "hm");
    cairn_report_free(report);
}

static void test_plugin__every_verb_knows_it(void **state)
{
    static const char *const lines[] = {
        "compare class-means tree --on @iris --by cv:5",
        "tune class-means @iris --over power=1,2,3 --by cv:3",
        "evaluate class-means:power=1 @iris",
        "evaluate class-means @iris --by 5x2 --with centre-mine",
        "evaluate bagging @iris --learner class-means --members 5",
        "evaluate one-vs-rest @iris --learner class-means:shrink=0.5",
        "evaluate stack @iris --learner class-means --learner tree --by cv:3",
        "evaluate vote @iris --learner class-means --learner tree --learner bayes",
        "evaluate calibrated @iris --learner class-means --by cv:3",
        "evaluate adaboost @iris --learner class-means --rounds 5 --by cv:3",
        "fit class-means @piq",
        "evaluate halves @iris",
        "fit tree @iris --with half --with centre-mine",
        "evaluate class-means @iris --shuffles 3",
        "draw regions @iris --fit class-means --x petal_length --y petal_width --out "
        "test_plugin.svg",
        "help class-means",
        "help nearest centroid of mine",
        "help centre-mine",
        "help tally",
        "list learners",
        "list transforms",
        "list formats",
    };
    cairn_context *ctx = *state;
    add_all(ctx);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cairn_report *report = run(ctx, lines[i]);
        char *text = NULL;
        for (int format = CAIRN_FORMAT_TEXT; format <= CAIRN_FORMAT_HTML; format++) {
            assert_ok(ctx, cairn_report_print(ctx, report, (cairn_format)format, NULL, &text));
            assert_true(strlen(text) > 20);
            cairn_string_free(text);
        }
        cairn_report_free(report);
    }
    remove("test_plugin.svg");
    assert_int_equal(own_states, 0);
}

static void test_plugin__is_listed_and_described(void **state)
{
    cairn_context *ctx = *state;
    cairn_entry_details details = CAIRN_ENTRY_DETAILS_INIT;
    cairn_param_info info = CAIRN_PARAM_INFO_INIT;
    size_t before = cairn_entry_count(ctx, CAIRN_ENTRY_LEARNER);
    add_all(ctx);
    assert_int_equal(cairn_entry_count(ctx, CAIRN_ENTRY_LEARNER), before + 2);
    const cairn_entry *entry = cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "class-means");
    assert_non_null(entry);
    assert_true(cairn_entry_info(entry, &details));
    assert_true(details.takes_weights && details.gives_probabilities && !details.takes_missing);
    assert_string_equal(details.example, "cairn fit class-means DATA");
    assert_int_equal(cairn_param_count(entry), 5);
    assert_true(cairn_param_at(entry, 3, &info));
    assert_string_equal(info.name, "distance-kind");
    assert_int_equal(info.choice_count, 2);
    assert_string_equal(cairn_param_choice(entry, 3, 1, NULL), "squared");
    const char *last = "";
    for (size_t i = 0; i < before + 2; i++) {
        assert_true(cairn_entry_info(cairn_entry_at(ctx, CAIRN_ENTRY_LEARNER, i), &details));
        assert_true(strcmp(last, details.name) < 0);
        last = details.name;
    }
}

/* Folds, bags and searches run side by side: the same bytes for any number of threads. */
static void test_plugin__same_bytes_for_any_number_of_threads(void **state)
{
    static const char *const lines[] = {
        "evaluate class-means @iris --by cv:10 --with centre-mine",
        "evaluate bagging @iris --learner class-means --members 8",
        "tune class-means @iris --over power=1,2,3 --by cv:5",
    };
    static char one[1 << 20], four[1 << 20];
    cairn_context *ctx = *state;
    add_all(ctx);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cairn_context_set_threads(ctx, 1);
        json_of(ctx, lines[i], one, sizeof one);
        cairn_context_set_threads(ctx, 4);
        json_of(ctx, lines[i], four, sizeof four);
        assert_string_equal(one, four);
    }
}

/* -- settings -- */

static void test_plugin__settings_are_checked(void **state)
{
    cairn_context *ctx = *state;
    add_all(ctx);
    assert_int_equal(try_line(ctx, "fit class-means @iris --power 9"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "[1,8]"));
    assert_int_equal(try_line(ctx, "fit class-means @iris --powr 2"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "--power"));
    assert_int_equal(try_line(ctx, "fit class-means @iris --note x"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "--loud"));
    assert_int_equal(try_line(ctx, "fit class-maens @iris"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "class-means"));
    assert_int_equal(try_line(ctx, "fit class-means @iris --distance-kind round"), CAIRN_USAGE);
}

/* -- model files -- */

static cairn_model *fit_model(cairn_context *ctx, const char *spec, const char *with)
{
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    const char *const chain[] = {with, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with ? chain : NULL;
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    cairn_params_free(params);
    cairn_table_free(table);
    return model;
}

/* Whether two models answer the rows of iris alike. */
static bool same_answers(cairn_context *ctx, const cairn_model *a, const cairn_model *b)
{
    cairn_table *table = NULL, *x = NULL, *y = NULL;
    bool same = true;
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &x, a, table, true));
    assert_ok(ctx, cairn_model_predict(ctx, &y, b, table, true));
    for (size_t j = 0; j < cairn_table_columns(x); j++)
        for (size_t i = 0; i < cairn_table_rows(x); i++) {
            char one[64], other[64];
            cairn_table_cell(x, j, i, one, sizeof one);
            cairn_table_cell(y, j, i, other, sizeof other);
            same = same && strcmp(one, other) == 0;
        }
    cairn_table_free(table);
    cairn_table_free(x);
    cairn_table_free(y);
    return same;
}

static void test_plugin__models_are_saved_and_loaded(void **state)
{
    static const char *const specs[] = {
        "class-means:power=1", "bagging:learner=class-means,members=3", "tree:max-depth=2"};
    cairn_context *ctx = *state;
    add_all(ctx);
    for (size_t i = 0; i < 3; i++) {
        char *bytes = NULL;
        size_t length = 0;
        cairn_model *model = fit_model(ctx, specs[i], "centre-mine"), *loaded = NULL;
        assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
        assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
        assert_true(same_answers(ctx, model, loaded));
        cairn_model_free(model);
        cairn_model_free(loaded);
        cairn_string_free(bytes);
    }
    assert_int_equal(own_states, 0);
}

/* A context that lacks what a file needs says so, whether the learner, a member or a transform. */
static void test_plugin__model_files_say_what_they_need(void **state)
{
    static const char *const specs[] = {"class-means", "bagging:learner=class-means,members=2",
                                        "tree"};
    static const char *const needed[] = {"'class-means'", "'class-means'", "'centre-mine'"};
    cairn_context *ctx = *state, *other = NULL;
    add_all(ctx);
    assert_ok(ctx, cairn_context_new(&other, NULL));
    for (size_t i = 0; i < 3; i++) {
        char *bytes = NULL;
        size_t length = 0;
        cairn_model *model = fit_model(ctx, specs[i], i == 2 ? "centre-mine" : NULL),
                    *loaded = NULL;
        assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
        assert_fails(other, cairn_model_load_memory(other, &loaded, "m", bytes, length),
                     CAIRN_BAD_DATA, needed[i]);
        assert_non_null(strstr(cairn_message(other), "registered"));
        cairn_model_free(model);
        cairn_string_free(bytes);
    }
    cairn_context_free(other);
}

/* What `load` refuses is damage of the file; the state that it began is released. */
static void test_plugin__a_state_that_is_refused_is_damage(void **state)
{
    cairn_context *ctx = *state, *other = NULL;
    cairn_plugin_learner strict = own_means;
    char *bytes = NULL;
    size_t length = 0;
    cairn_model *model, *loaded = NULL;
    assert_ok(ctx, cairn_register_learner(ctx, &own_means));
    model = fit_model(ctx, "class-means", NULL);
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_context_new(&other, NULL));
    strict.load = centre_load;
    assert_ok(other, cairn_register_learner(other, &strict));
    assert_fails(other, cairn_model_load_memory(other, &loaded, "m.cairn", bytes, length),
                 CAIRN_BAD_DATA, "this is no state of centre");
    assert_non_null(strstr(cairn_message(other), "m.cairn"));
    cairn_model_free(model);
    cairn_string_free(bytes);
    cairn_context_free(other);
    assert_int_equal(own_states, 0);
}

static void test_plugin__models_and_settings_outlive_the_context(void **state)
{
    cairn_context *ctx = NULL, *other = *state;
    assert_ok(other, cairn_context_new(&ctx, NULL));
    add_all(ctx);
    cairn_model *model = fit_model(ctx, "class-means", "centre-mine");
    cairn_params *params = NULL;
    assert_ok(ctx, cairn_params_new(ctx, &params, "class-means:power=3"));
    cairn_context_free(ctx);
    assert_true(same_answers(other, model, model));
    cairn_params_free(params);
    cairn_model_free(model);
    assert_int_equal(own_states, 0);
}

/* -- a row at a time -- */

static void test_plugin__predictors_answer(void **state)
{
    cairn_context *ctx = *state;
    cairn_predictor *predictor = NULL;
    cairn_table *table = NULL;
    const char *columns[4];
    add_all(ctx);
    cairn_model *model = fit_model(ctx, "class-means", NULL);
    assert_ok(ctx, cairn_table_read(ctx, &table, "@iris", NULL));
    for (size_t j = 0; j < 4; j++) columns[j] = cairn_table_name(table, j);
    assert_ok(ctx, cairn_predictor_new(ctx, &predictor, model, columns, 4));
    const double row[4] = {5.1, 3.5, 1.4, 0.2};
    cairn_answer answer;
    double scores[3];
    assert_int_equal(cairn_predictor_row(predictor, row, &answer, scores), CAIRN_OK);
    assert_int_equal(answer.code, 0);
    assert_true(fabs(scores[0] + scores[1] + scores[2] - 1) < 1e-12);
    assert_false(cairn_predictor_is_prepared(predictor));
    cairn_predictor_free(predictor);
    cairn_table_free(table);
    cairn_model_free(model);
}

/* -- formats -- */

static void test_plugin__formats_read_and_write(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = NULL;
    add_all(ctx);
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "numbers.tal", "x\n1\n2.5\n", 8, NULL));
    assert_int_equal(cairn_table_rows(table), 2);
    assert_true(cairn_table_numbers(table, 0)[1] == 2.5);
    assert_ok(ctx, cairn_table_write(ctx, table, "test_plugin.tal", NULL));
    cairn_table_free(table);
    assert_ok(ctx, cairn_table_read(ctx, &table, "test_plugin.tal", NULL));
    assert_true(cairn_table_numbers(table, 0)[0] == 1);
    cairn_table_free(table);
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "nameless", "tally\n7\n", 8, NULL));
    assert_string_equal(cairn_table_name(table, 0), "tally");
    cairn_table_free(table);
    assert_fails(ctx, cairn_table_read_memory(ctx, &table, "b.tal", "x\n1\nz\n", 6, NULL),
                 CAIRN_BAD_DATA, "b.tal: line 3 holds no number");
    cairn_report_free(run(ctx, "convert test_plugin.tal test_plugin2.tal"));
    cairn_report_free(run(ctx, "describe test_plugin2.tal"));
    remove("test_plugin.tal");
    remove("test_plugin2.tal");
}

/* -- bad records -- */

static void test_plugin__bad_records_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_plugin_learner bad = own_means;
    cairn_plugin_param param[2] = {means_params[0], {0}};
    add_all(ctx);
    assert_fails(ctx, cairn_register_learner(ctx, &own_means), CAIRN_USAGE, "already");
    bad.name = "tree";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "the library's");
    bad.name = "Tree House";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "small letters");
    bad.name = NULL;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "no name");
    bad.name = "good-name";
    bad.size = 0;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "size");
    bad.size = 3;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "size");
    bad.size = sizeof bad;
    bad.load = NULL;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "no load");
    bad.load = means_load;
    bad.tasks = 64;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "no task");
    bad.tasks = CAIRN_CLUSTER;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "no clusters");
    bad.tasks = CAIRN_CLASSIFY;
    bad.flags = 1u << 30;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "flags");
    bad.flags = 0;
    bad.params = param;
    param[0].initial = "-1";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "a default of");
    param[0].initial = "0";
    param[0].range = "nowhere";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "range");
    param[0].range = NULL;
    param[0].offset = sizeof(means_settings);
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "inside");
    param[0].offset = 3;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "inside");
    param[0].offset = 0;
    param[0].name = "target";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "hide");
    param[0].name = "fine";
    param[0].when = "elsewhere";
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "names no other one");
    param[0].when = NULL;
    param[0].type = CAIRN_TYPE_SPEC;
    assert_fails(ctx, cairn_register_learner(ctx, &bad), CAIRN_USAGE, "type");
    cairn_plugin_transform transform = own_centre;
    transform.name = "no-state";
    transform.save = NULL;
    assert_fails(ctx, cairn_register_transform(ctx, &transform), CAIRN_USAGE, "no save");
    cairn_plugin_format format = {.size = sizeof format, .name = "mute"};
    assert_fails(ctx, cairn_register_format(ctx, &format), CAIRN_USAGE, "read or write");
}

/* -- records that do not do what they say -- */

static cairn_status lose_rows(cairn_context *ctx, const void *settings, const void *state,
                              const cairn_table *table, cairn_table **out, void *data)
{
    (void)data;
    return half_apply(ctx, settings, state, table, out, NULL);
}

static cairn_status lose_target(cairn_context *ctx, const void *settings, const void *state,
                                const cairn_table *table, cairn_table **out, void *data)
{
    const char *first = cairn_table_name(table, 0);
    (void)settings, (void)state, (void)data;
    return cairn_table_select(ctx, out, table, &first, 1);
}

static cairn_status no_table(cairn_context *ctx, const void *settings, const void *state,
                             const cairn_table *table, cairn_table **out, void *data)
{
    (void)ctx, (void)settings, (void)state, (void)table, (void)out, (void)data;
    return CAIRN_OK;
}

static cairn_status register_inside(cairn_context *ctx, const cairn_job *job, void **state,
                                    void *data)
{
    (void)job, (void)state, (void)data;
    return cairn_register_learner(ctx, &own_means);
}

static cairn_status odd_status(cairn_context *ctx, const cairn_job *job, void **state, void *data)
{
    (void)ctx, (void)job, (void)state, (void)data;
    return (cairn_status)99;
}

static void test_plugin__broken_records_fail_with_their_name(void **state)
{
    cairn_context *ctx = *state;
    cairn_plugin_learner learner = own_halves;
    cairn_plugin_transform transform = own_half;
    learner.name = "wild-codes";
    learner.data = (void *)"wild";
    assert_ok(ctx, cairn_register_learner(ctx, &learner));
    assert_int_equal(try_line(ctx, "evaluate wild-codes @iris"), CAIRN_INTERNAL);
    assert_non_null(strstr(cairn_message(ctx), "'wild-codes' answered row 1"));
    learner = own_means;
    learner.name = "mute-failure";
    learner.data = (void *)"fails";
    assert_ok(ctx, cairn_register_learner(ctx, &learner));
    assert_int_equal(try_line(ctx, "fit mute-failure @iris"), CAIRN_NO_SOLUTION);
    assert_non_null(strstr(cairn_message(ctx), "'fit' of the learner 'mute-failure' failed"));
    learner.name = "odd-status";
    learner.fit = odd_status;
    assert_ok(ctx, cairn_register_learner(ctx, &learner));
    assert_int_equal(try_line(ctx, "fit odd-status @iris"), CAIRN_INTERNAL);
    learner.name = "registers";
    learner.fit = register_inside;
    assert_ok(ctx, cairn_register_learner(ctx, &learner));
    assert_int_equal(try_line(ctx, "evaluate registers @iris"), CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(ctx), "before the context works"));
    transform.flags = 0;
    transform.name = "lose-rows";
    transform.apply = lose_rows;
    assert_ok(ctx, cairn_register_transform(ctx, &transform));
    assert_int_equal(try_line(ctx, "fit tree @iris --with lose-rows"), CAIRN_INTERNAL);
    assert_non_null(strstr(cairn_message(ctx), "75 rows of 150"));
    transform.name = "lose-target";
    transform.apply = lose_target;
    assert_ok(ctx, cairn_register_transform(ctx, &transform));
    assert_int_equal(try_line(ctx, "fit tree @iris --with lose-target"), CAIRN_INTERNAL);
    assert_non_null(strstr(cairn_message(ctx), "lost the column"));
    transform.name = "no-table";
    transform.apply = no_table;
    assert_ok(ctx, cairn_register_transform(ctx, &transform));
    assert_int_equal(try_line(ctx, "fit tree @iris --with no-table"), CAIRN_INTERNAL);
    assert_int_equal(own_states, 0);
}

/* -- allocations -- */

static cairn_status all_of_it(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL, *answers = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    char *bytes = NULL;
    size_t length = 0;
    const char *const with[] = {"centre-mine", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with;
    (void)data;
    cairn_status status = cairn_register_learner(ctx, &own_means);
    if (!status) status = cairn_register_transform(ctx, &own_centre);
    if (!status) status = cairn_register_format(ctx, &own_tally);
    if (!status) status = cairn_table_read(ctx, &table, "@weather", NULL);
    if (!status) status = cairn_params_new(ctx, &params, "class-means:power=1");
    if (!status) status = cairn_model_fit(ctx, &model, params, table, &options);
    if (!status) status = cairn_model_save_memory(ctx, model, &bytes, &length);
    if (!status) status = cairn_model_load_memory(ctx, &loaded, "m", bytes, length);
    if (!status) status = cairn_model_predict(ctx, &answers, loaded, table, true);
    cairn_table_free(table);
    cairn_table_free(answers);
    cairn_params_free(params);
    cairn_model_free(model);
    cairn_model_free(loaded);
    cairn_string_free(bytes);
    return status;
}

static void test_plugin__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(all_of_it, NULL);
    assert_int_equal(own_states, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_plugin__fits_like_any_learner),
        context_test(test_plugin__every_verb_knows_it),
        context_test(test_plugin__is_listed_and_described),
        context_test(test_plugin__same_bytes_for_any_number_of_threads),
        context_test(test_plugin__settings_are_checked),
        context_test(test_plugin__models_are_saved_and_loaded),
        context_test(test_plugin__model_files_say_what_they_need),
        context_test(test_plugin__a_state_that_is_refused_is_damage),
        context_test(test_plugin__models_and_settings_outlive_the_context),
        context_test(test_plugin__predictors_answer),
        context_test(test_plugin__formats_read_and_write),
        context_test(test_plugin__bad_records_are_refused),
        context_test(test_plugin__broken_records_fail_with_their_name),
        context_test(test_plugin__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
