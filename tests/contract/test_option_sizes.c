/* SPDX-License-Identifier: MIT */
/* Every public struct that begins with its size, from callers older and newer than the library. A
 * new struct gets a row in `structs` and a function that passes it to a call. */
#include "support/unit.h"

#include "cairn/cairn.h"

typedef struct world {
    cairn_context *ctx;
    cairn_table *weather;
    cairn_params *params;
    cairn_model *model;
    cairn_report *report;
} world;

/* Pass the bytes, which begin with a size, to a call that takes the struct. */
typedef cairn_status (*use_function)(world *w, void *options);

static cairn_status use_fit(world *w, void *options)
{
    cairn_model *model = NULL;
    cairn_status status = cairn_model_fit(w->ctx, &model, w->params, w->weather, options);
    cairn_model_free(model);
    return status;
}

static cairn_status use_fit_of_recipe(world *w, void *options)
{
    cairn_model *model = NULL;
    cairn_status status = cairn_recipe_fit(w->ctx, &model, NULL, w->weather, options);
    cairn_model_free(model);
    return status;
}

static cairn_status use_update(world *w, void *options)
{
    return cairn_model_update(w->ctx, w->model, w->weather, options);
}

/* The options of reading inside those of fitting. */
static cairn_status use_fit_reading(world *w, void *options)
{
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    fit.reading = options;
    return use_fit(w, &fit);
}

static cairn_status use_read(world *w, void *options)
{
    cairn_table *table = NULL;
    cairn_status status = cairn_table_read(w->ctx, &table, "@weather", options);
    cairn_table_free(table);
    return status;
}

static cairn_status use_read_memory(world *w, void *options)
{
    cairn_table *table = NULL;
    cairn_status status =
        cairn_table_read_memory(w->ctx, &table, "a.csv", "a,b\n1,2\n", 8, options);
    cairn_table_free(table);
    return status;
}

static cairn_status use_print(world *w, void *options)
{
    char *text = NULL;
    cairn_status status = cairn_report_print(w->ctx, w->report, CAIRN_FORMAT_TEXT, options, &text);
    cairn_string_free(text);
    return status;
}

static cairn_status use_join(world *w, void *options)
{
    cairn_table *table = NULL;
    cairn_status status =
        cairn_table_join(w->ctx, &table, w->weather, w->weather, "outlook", options, NULL);
    cairn_table_free(table);
    return status;
}

/* The struct is filled: what was allocated for it is freed when it has room to tell of it. */
static cairn_status use_run(world *w, void *options)
{
    const char *words[] = {"help", "tree"};
    cairn_run_output *output = options;
    cairn_status status = cairn_run_printing(w->ctx, w->report, output, 2, words);
    if (!status && output->size >= sizeof *output) cairn_string_free(output->document);
    return status;
}

static cairn_status use_evaluate(world *w, void *options)
{
    return cairn_evaluate(w->ctx, NULL, "majority", w->weather, options);
}

static cairn_status use_compare(world *w, void *options)
{
    const char *const learners[] = {"majority", "one-r", NULL};
    const cairn_table *const tables[] = {w->weather, NULL};
    return cairn_compare(w->ctx, NULL, learners, tables, options);
}

static cairn_status use_tune(world *w, void *options)
{
    const char *const over[] = {"max-depth=1,2", NULL};
    return cairn_tune(w->ctx, NULL, "tree", over, w->weather, options);
}

static cairn_status use_compute(world *w, void *options)
{
    return cairn_compute(w->ctx, NULL, "split", w->weather, options);
}

static cairn_status use_describe(world *w, void *options)
{
    return cairn_describe(w->ctx, NULL, w->weather, options);
}

static cairn_status use_draw(world *w, void *options)
{
    return cairn_draw(w->ctx, NULL, NULL, "activation", NULL, options);
}

static cairn_status use_explain(world *w, void *options)
{
    return cairn_explain(w->ctx, NULL, w->model, w->weather, options);
}

typedef struct row {
    const char *name;
    size_t size;
    const void *initial;
    use_function use;
} row;

static const cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
static const cairn_read_options reading = CAIRN_READ_OPTIONS_INIT;
static const cairn_print_options print = CAIRN_PRINT_OPTIONS_INIT;
static const cairn_join_options join = CAIRN_JOIN_OPTIONS_INIT;
static const cairn_run_output run = CAIRN_RUN_OUTPUT_INIT;
static const cairn_evaluate_options evaluate = CAIRN_EVALUATE_OPTIONS_INIT;
static const cairn_compare_options compare = CAIRN_COMPARE_OPTIONS_INIT;
static const cairn_tune_options tune = CAIRN_TUNE_OPTIONS_INIT;
static const cairn_compute_options compute = CAIRN_COMPUTE_OPTIONS_INIT;
static const cairn_describe_options describe = CAIRN_DESCRIBE_OPTIONS_INIT;
static const cairn_draw_options draw = CAIRN_DRAW_OPTIONS_INIT;
static const cairn_explain_options explain = CAIRN_EXPLAIN_OPTIONS_INIT;

static const row structs[] = {
    {"cairn_fit_options", sizeof fit, &fit, use_fit},
    {"cairn_fit_options", sizeof fit, &fit, use_fit_of_recipe},
    {"cairn_fit_options", sizeof fit, &fit, use_update},
    {"cairn_read_options", sizeof reading, &reading, use_fit_reading},
    {"cairn_read_options", sizeof reading, &reading, use_read},
    {"cairn_read_options", sizeof reading, &reading, use_read_memory},
    {"cairn_print_options", sizeof print, &print, use_print},
    {"cairn_join_options", sizeof join, &join, use_join},
    {"cairn_run_output", sizeof run, &run, use_run},
    {"cairn_evaluate_options", sizeof evaluate, &evaluate, use_evaluate},
    {"cairn_compare_options", sizeof compare, &compare, use_compare},
    {"cairn_tune_options", sizeof tune, &tune, use_tune},
    {"cairn_compute_options", sizeof compute, &compute, use_compute},
    {"cairn_describe_options", sizeof describe, &describe, use_describe},
    {"cairn_draw_options", sizeof draw, &draw, use_draw},
    {"cairn_explain_options", sizeof explain, &explain, use_explain},
};

enum { N_STRUCTS = sizeof structs / sizeof *structs, MORE = 24 };

static int setup_world(void **state)
{
    static world w;
    w = (world){0};
    *state = &w;
    return cairn_context_new(&w.ctx, NULL) || cairn_report_new(w.ctx, &w.report) ||
           cairn_table_read(w.ctx, &w.weather, "@weather", NULL) ||
           cairn_table_set_role(w.ctx, w.weather, "play", CAIRN_TARGET) ||
           cairn_params_new(w.ctx, &w.params, "bayes") ||
           cairn_model_fit(w.ctx, &w.model, w.params, w.weather, NULL);
}

static int teardown_world(void **state)
{
    world *w = *state;
    cairn_model_free(w->model);
    cairn_params_free(w->params);
    cairn_table_free(w->weather);
    cairn_report_free(w->report);
    cairn_context_free(w->ctx);
    return 0;
}

/* The struct as a program has it whose header gives it `size` bytes: in memory of just that size,
 * so that a sanitizer sees what is read or written behind it. */
static void *struct_of_size(const row *r, size_t size)
{
    char *bytes = test_calloc(1, size);
    memcpy(bytes, r->initial, size < r->size ? size : r->size);
    memcpy(bytes, &size, sizeof size);
    return bytes;
}

static void test_sizes__of_older_and_newer_programs_are_taken(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < N_STRUCTS; i++) {
        for (size_t size = sizeof(size_t); size <= structs[i].size + MORE; size += 8) {
            void *options = struct_of_size(&structs[i], size);
            assert_ok(w->ctx, structs[i].use(w, options));
            assert_memory_equal(options, &size, sizeof size);
            test_free(options);
        }
    }
}

static void test_sizes__bytes_of_a_newer_program_that_are_set_are_refused(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < N_STRUCTS; i++) {
        char *options = struct_of_size(&structs[i], structs[i].size + MORE);
        options[structs[i].size + MORE - 1] = 1;
        assert_fails(w->ctx, structs[i].use(w, options), CAIRN_USAGE, structs[i].name);
        test_free(options);
    }
}

static void test_sizes__of_nothing_are_refused_with_the_remedy(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < N_STRUCTS; i++) {
        void *options = struct_of_size(&structs[i], structs[i].size);
        memset(options, 0, sizeof(size_t));
        assert_fails(w->ctx, structs[i].use(w, options), CAIRN_USAGE, structs[i].name);
        assert_non_null(strstr(cairn_message(w->ctx), "_INIT"));
        test_free(options);
    }
}

/* The function has no status: nothing is written behind the end of an older struct, nothing at all
 * into one without a size. */
static void test_sizes__reading_of_a_model_stays_inside_the_struct(void **state)
{
    world *w = *state;
    const row r = {"cairn_read_options", sizeof reading, &reading, NULL};
    for (size_t size = 0; size <= sizeof reading + MORE; size += 8) {
        char *options = struct_of_size(&r, size < sizeof size ? sizeof size : size);
        memcpy(options, &size, sizeof size);
        cairn_model_reading(w->model, (cairn_read_options *)options);
        assert_memory_equal(options, &size, sizeof size);
        if (size >= sizeof reading) assert_non_null(((cairn_read_options *)options)->expected);
        test_free(options);
    }
}

#define world_test(function) cmocka_unit_test_setup_teardown(function, setup_world, teardown_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        world_test(test_sizes__of_older_and_newer_programs_are_taken),
        world_test(test_sizes__bytes_of_a_newer_program_that_are_set_are_refused),
        world_test(test_sizes__of_nothing_are_refused_with_the_remedy),
        world_test(test_sizes__reading_of_a_model_stays_inside_the_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
