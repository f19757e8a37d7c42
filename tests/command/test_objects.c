/* SPDX-License-Identifier: MIT */
/* Commands on tables and models of the caller: every verb says the same about "@objects.csv" in
 * memory as about the file "xobjects.csv", but for the name. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "cairn/cairn.h"
#include "data/objects.h"
#include "data/table.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DATA_FILE    "xobjects.csv"
#define DATA_OBJECT  "@objects.csv"
#define MODEL_FILE   "xobjects.cairn"
#define MODEL_OBJECT "@objects.cairn"

/* What one run gave: the report in a format and the document, both for comparison. */
typedef struct said {
    cairn_status status;
    char *report, *document;
} said;

static void forget(said *s)
{
    cairn_string_free(s->report);
    free(s->document);
}

/* Names of files become names of objects of the same length. */
static void rename_files(char *text)
{
    for (char *at = text; (at = strstr(at, "xobjects")); at++) *at = '@';
}

static said say(cairn_context *ctx, cairn_objects *objects, cairn_format format,
                const char *const *words)
{
    said s = {0};
    cairn_report *report;
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    s.status = cairn_run_with(ctx, report, &output, objects, count_words(words), words);
    if (s.status) fail_msg("%s: %s", words[0], cairn_message(ctx));
    assert_ok(ctx, cairn_report_print(ctx, report, format, NULL, &s.report));
    s.document = calloc(1, output.length + 1);
    if (output.document) memcpy(s.document, output.document, output.length);
    rename_files(s.report);
    rename_files(s.document);
    cairn_string_free(output.document);
    cairn_report_free(report);
    return s;
}

/* The same words with the files' names in place of the objects'. */
static void on_files(const char *const *words, const char **out, char text[][64])
{
    size_t i = 0;
    for (; words[i]; i++) {
        snprintf(text[i], 64, "%s", words[i]);
        char *at = strstr(text[i], "@objects");
        if (at) *at = 'x';
        out[i] = text[i];
    }
    out[i] = NULL;
}

static void assert_same_said(cairn_context *ctx, cairn_objects *objects, const char *const *words)
{
    static const cairn_format formats[] = {CAIRN_FORMAT_TEXT, CAIRN_FORMAT_JSON};
    const char *files[32];
    char text[32][64];
    on_files(words, files, text);
    for (size_t i = 0; i < 2; i++) {
        said of_files = say(ctx, NULL, formats[i], files);
        said of_objects = say(ctx, objects, formats[i], words);
        assert_string_equal(of_objects.report, of_files.report);
        assert_string_equal(of_objects.document, of_files.document);
        forget(&of_files);
        forget(&of_objects);
    }
}

/* Built-in iris as a file, read from there and put among new objects; and a tree in a file. */
static void make_objects(cairn_context *ctx, cairn_objects **out)
{
    cairn_table *iris, *table;
    cairn_model *model;
    said s;
    assert_ok(ctx, cairn_table_read(ctx, &iris, "@iris", NULL));
    assert_ok(ctx, cairn_table_write(ctx, iris, DATA_FILE, NULL));
    cairn_table_free(iris);
    assert_ok(ctx, cairn_objects_new(ctx, out));
    assert_ok(ctx, cairn_table_read(ctx, &table, DATA_FILE, NULL));
    assert_ok(ctx, cairn_objects_put_table(ctx, *out, DATA_OBJECT, table));
    cairn_table_free(table);
    s = say(ctx, NULL, CAIRN_FORMAT_TEXT,
            WORDS("fit", "tree", DATA_FILE, "--target", "species", "--save", MODEL_FILE));
    forget(&s);
    assert_ok(ctx, cairn_model_load(ctx, &model, MODEL_FILE));
    assert_ok(ctx, cairn_objects_put_model(ctx, *out, "objects.cairn", model));
    cairn_model_free(model);
}

static void test_objects__every_verb_says_what_it_says_of_files(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    const char *const *const all[] = {
        WORDS("fit", "tree", DATA_OBJECT, "--target", "species", "--steps"),
        WORDS("fit", "linear", DATA_OBJECT, "--target", "petal_length", "--with", "standardise"),
        WORDS("fit", "kmeans", DATA_OBJECT, "--clusters", "3", "--target", "none"),
        WORDS("predict", MODEL_OBJECT, DATA_OBJECT),
        WORDS("predict", MODEL_OBJECT, DATA_OBJECT, "--output", "all", "--format", "json"),
        WORDS("predict", MODEL_OBJECT, DATA_OBJECT, "--explain", "--rows", "1,51,101"),
        WORDS("predict", MODEL_OBJECT, DATA_OBJECT, "--explain", "--explain-by", "columns",
              "--background", DATA_OBJECT),
        WORDS("evaluate", "tree", DATA_OBJECT, "--target", "species", "--by", "cv:3"),
        WORDS("evaluate", MODEL_OBJECT, DATA_OBJECT),
        WORDS("compare", "tree", "majority", "--on", DATA_OBJECT, "--target", "species", "--by",
              "cv:3"),
        WORDS("tune", "tree", DATA_OBJECT, "--target", "species", "--over", "max-depth=1,2", "--by",
              "cv:3", "--outer", "cv:3"),
        WORDS("compute", "exemplars", DATA_OBJECT, "--ignore", "species"),
        WORDS("compute", "confusion", MODEL_OBJECT, DATA_OBJECT),
        WORDS("describe", DATA_OBJECT, "--target", "species"),
        WORDS("describe", DATA_OBJECT, "--against", DATA_OBJECT),
        WORDS("describe", MODEL_OBJECT),
        WORDS("draw", "scatter", DATA_OBJECT, "--target", "species"),
        WORDS("draw", "roc", MODEL_OBJECT, DATA_OBJECT, "--positive", "virginica"),
        WORDS("export", MODEL_OBJECT, "--to", "text"),
        WORDS("export", MODEL_OBJECT, "--to", "json", "--rows", DATA_OBJECT),
        WORDS("convert", DATA_OBJECT, "-", "--to", "csv", "--with", "standardise"),
    };
    make_objects(ctx, &objects);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_same_said(ctx, objects, all[i]);
    cairn_objects_free(objects);
    unlink(DATA_FILE);
    unlink(MODEL_FILE);
}

static cairn_status run_on(cairn_context *ctx, cairn_objects *objects, const char *const *words)
{
    cairn_report *report;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status) return status;
    status = cairn_run_with(ctx, report, NULL, objects, count_words(words), words);
    cairn_report_free(report);
    return status;
}

/* A table of six rows, two of whose columns decide the third. */
static cairn_status put_rows(cairn_context *ctx, cairn_objects *objects, const char *name,
                             cairn_table **kept)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {0, 1, 0, 1, 0, 1};
    static const int32_t codes[] = {0, 0, 0, 1, 1, 1};
    static const char *const names[] = {"low", "high"};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, 6));
    CHECK(cairn_table_add_numbers(ctx, table, "x", x));
    CHECK(cairn_table_add_numbers(ctx, table, "y", y));
    CHECK(cairn_table_add_levels(ctx, table, "size", codes, names, 2));
    CHECK(cairn_table_set_role(ctx, table, "size", CAIRN_TARGET));
    CHECK(cairn_objects_put_table(ctx, objects, name, table));
    if (kept) *kept = TAKE(table);
    return CAIRN_OK;
}

static void test_objects__columns_are_shared_on_the_way_in_and_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_table *mine, *made;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", &mine));
    const double *x = cairn_table_numbers(mine, 0);
    assert_ptr_equal(cairn_table_numbers(cairn_objects_table(objects, "@rows"), 0), x);
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("convert", "@rows", "@wide", "--with", "standardise:columns=y")));
    assert_ptr_equal(cairn_table_numbers(cairn_objects_table(objects, "wide"), 0), x);
    made = cairn_objects_take_table(objects, "wide");
    assert_null(cairn_objects_table(objects, "wide"));
    assert_int_equal(cairn_objects_count(objects), 1);
    cairn_objects_free(objects);
    cairn_table_free(mine);
    assert_true(cairn_table_numbers(made, 0)[5] == 6); /* it has outlived both */
    cairn_table_free(made);
}

/* The role that an option gives holds for the command alone. */
static void test_objects__roles_of_the_caller_stay(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "linear", "@rows", "--target", "x")));
    const cairn_table *table = cairn_objects_table(objects, "rows");
    assert_int_equal(cairn_table_role(table, 0), CAIRN_FEATURE);
    assert_int_equal(cairn_table_role(table, 2), CAIRN_TARGET);
    cairn_objects_free(objects);
}

/* Declared levels change the codes of a column: those of a copy. */
static void test_objects__kinds_that_a_command_declares_change_a_copy(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_table *mine;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", &mine));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("convert", "@rows", "@made", "--kinds", "size=ordered(high,low)")));
    const cairn_table *made = cairn_objects_table(objects, "made");
    assert_string_equal(cairn_table_level(made, 2, 0), "high");
    assert_int_equal(cairn_table_codes(made, 2)[0], 1);
    assert_string_equal(cairn_table_level(mine, 2, 0), "low");
    assert_int_equal(cairn_table_codes(mine, 2)[0], 0);
    cairn_table_free(mine);
    cairn_objects_free(objects);
}

static void test_objects__an_object_hides_built_in_data(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_report *report;
    const char *const *words = WORDS("describe", "@iris");
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "iris", NULL));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_with(ctx, report, NULL, objects, 2, words));
    assert_number(report, "rows", 6, 0);
    cairn_report_free(report);
    cairn_objects_drop(objects, "iris");
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_with(ctx, report, NULL, objects, 2, words));
    assert_number(report, "rows", 150, 0);
    cairn_report_free(report);
    cairn_objects_free(objects);
}

static void test_objects__models_say_where_they_come_from(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_report *report;
    const char *const *words = WORDS("describe", "@m");
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@rows", "--save", "@m")));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_with(ctx, report, NULL, objects, 2, words));
    assert_string_equal(cairn_report_string(report, "model.command"), "cairn fit tree @rows");
    cairn_report_free(report);
    cairn_objects_free(objects);
}

static void test_objects__results_go_where_save_and_out_say(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_model *model;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("evaluate", "tree", "@rows", "--by", "loo", "--save", "@m", "--out",
                                "@held-out")));
    assert_ok(ctx, run_on(ctx, objects, WORDS("predict", "@m", "@rows", "--out", "@p.json")));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("tune", "tree", "@rows", "--over", "max-depth=1,2", "--by", "loo",
                                "--outer", "none", "--save", "@best")));
    assert_ok(ctx,
              run_on(ctx, objects,
                     WORDS("compute", "distances", "@rows", "--ignore", "size", "--out", "@d")));
    assert_ok(
        ctx, run_on(ctx, objects,
                    WORDS("convert", "@rows", "@z", "--with", "standardise", "--save", "@recipe")));
    assert_ok(ctx, run_on(ctx, objects, WORDS("convert", "@rows", "@z2", "--recipe", "@recipe")));
    const cairn_table *p = cairn_objects_table(objects, "p.json");
    assert_non_null(p);
    assert_int_equal(cairn_table_rows(p), 6);
    assert_string_equal(cairn_table_name(p, 0), "size");
    assert_int_equal(cairn_table_codes(p, 0)[5], 1);
    assert_int_equal(cairn_table_rows(cairn_objects_table(objects, "held-out")), 6);
    assert_int_equal(cairn_table_rows(cairn_objects_table(objects, "d")), 6);
    const double *z = cairn_table_numbers(cairn_objects_table(objects, "z"), 0);
    assert_memory_equal(z, cairn_table_numbers(cairn_objects_table(objects, "z2"), 0),
                        6 * sizeof *z);
    assert_true(z[0] < -1 && z[0] > -2);
    assert_string_equal(cairn_model_learner(cairn_objects_model(objects, "@best")), "tree");
    assert_null(cairn_objects_table(objects, "best"));
    model = cairn_objects_take_model(objects, "best");
    cairn_objects_free(objects);
    assert_int_equal(cairn_model_task(model), CAIRN_CLASSIFY);
    cairn_model_free(model);
}

/* Taking rows in makes a new model; the caller's own keeps its bytes. */
static void test_objects__a_model_that_takes_rows_in_is_a_new_one(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    char *before, *after;
    size_t length, length_after;
    double rows;
    cairn_report *report;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "bayes", "@rows", "--save", "@m")));
    cairn_model *mine = cairn_objects_take_model(objects, "m");
    assert_ok(ctx, cairn_objects_put_model(ctx, objects, "m", mine));
    assert_ok(ctx, cairn_model_save_memory(ctx, mine, &before, &length));
    assert_ok(ctx,
              run_on(ctx, objects, WORDS("fit", "bayes", "@rows", "--from", "@m", "--save", "@m")));
    assert_ok(ctx, cairn_model_save_memory(ctx, mine, &after, &length_after));
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, length);
    assert_true(cairn_objects_model(objects, "m") != mine);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run_with(ctx, report, NULL, objects, 2, WORDS("describe", "@m")));
    assert_true(cairn_report_number(report, "model.rows", &rows) && rows == 12);
    cairn_report_free(report);
    cairn_string_free(before);
    cairn_string_free(after);
    cairn_objects_free(objects);
    cairn_model_free(mine);
}

/* What is read below the commands, by learners and pictures, knows the objects as well. */
static void test_objects__names_in_parameters_mean_objects(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("convert", "@rows", "@starts", "--where", "x = 1 or x = 6",
                                "--ignore", "size")));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("fit", "kmeans", "@rows", "--target", "none", "--ignore", "size",
                                "--clusters", "2", "--init", "@starts")));
    assert_fails(ctx,
                 run_on(ctx, objects,
                        WORDS("fit", "kmeans", "@rows", "--target", "none", "--ignore", "size",
                              "--clusters", "2", "--init", "@start")),
                 CAIRN_USAGE, "did you mean '@starts'?");
    cairn_objects_free(objects);
}

static void test_objects__names_that_mean_nothing_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "train", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@train", "--save", "@model")));
    assert_fails(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@trian")), CAIRN_USAGE,
                 "did you mean '@train'?");
    assert_fails(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@wether")), CAIRN_USAGE,
                 "did you mean '@weather'?");
    assert_fails(ctx, run_on(ctx, objects, WORDS("predict", "@modle", "@train")), CAIRN_USAGE,
                 "there is no model '@modle' among the objects; did you mean '@model'?");
    assert_fails(ctx, run_on(ctx, objects, WORDS("evaluate", "@modle", "@train")), CAIRN_USAGE,
                 "did you mean '@model'?");
    assert_fails(ctx, run_on(ctx, objects, WORDS("predict", "@train", "@train")), CAIRN_USAGE,
                 "@train is a table, but a model is needed here");
    assert_fails(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@model")), CAIRN_BAD_DATA,
                 "@model is a Cairn model, but data is needed here");
    assert_fails(ctx, run_on(ctx, objects, WORDS("predict", "@iris", "@train")), CAIRN_USAGE,
                 "there is no model '@iris' among the objects");
    assert_fails(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@")), CAIRN_USAGE,
                 "there is no table among the objects");
    cairn_objects_free(objects);
}

static void test_objects__places_that_take_no_object_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    const struct {
        const char *const *words;
        const char *part;
    } refused[] = {
        {WORDS("fit", "tree", "@rows", "--save", "@a b"), "letters a to z, digits"},
        {WORDS("fit", "tree", "@rows", "--save", "@"), "this one is empty"},
        {WORDS("fit", "tree", "@rows", "--save", "@a", "--out", "@a"), "written by --save, too"},
        {WORDS("evaluate", "tree", "@rows", "--by", "loo", "--splits-out", "@s"),
         "--splits-out @s: this goes to a file"},
        {WORDS("describe", "@rows", "--out", "@d"), "there is no table to write"},
        {WORDS("draw", "scatter", "@rows", "--out", "@d.svg"), "the objects are tables and models"},
        {WORDS("convert", "@rows", "@r", "--to", "csv"), "a table in memory has no format"},
        {WORDS("fit", "tree", "@rows", "--separator", "tab"), "@rows, which is a table in memory"},
        {WORDS("fit", "bayes", "@rows", "--chunk", "2"), "leave it out for tables in memory"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_fails(ctx, run_on(ctx, objects, refused[i].words), CAIRN_USAGE, refused[i].part);
    assert_fails(ctx, run_on(ctx, NULL, WORDS("fit", "tree", "@weather", "--save", "@m")),
                 CAIRN_USAGE, "there is none here; write ./@m for a file of this name");
    assert_int_equal(cairn_objects_count(objects), 1);
    cairn_objects_free(objects);
}

static void test_objects__bad_arguments_are_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_table *table;
    char name[200];
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, cairn_table_new(ctx, &table, 0));
    memset(name, 'n', sizeof name);
    name[128] = 0;
    assert_fails(ctx, cairn_objects_put_table(ctx, objects, name, table), CAIRN_USAGE, "127 bytes");
    name[127] = 0;
    assert_ok(ctx, cairn_objects_put_table(ctx, objects, name, table));
    assert_fails(ctx, cairn_objects_put_table(ctx, objects, NULL, table), CAIRN_USAGE, "not NULL");
    assert_fails(ctx, cairn_objects_put_table(ctx, objects, "", table), CAIRN_USAGE, "is empty");
    assert_fails(ctx, cairn_objects_put_table(ctx, objects, "a/b", table), CAIRN_USAGE, "'@a/b'");
    assert_fails(ctx, cairn_objects_put_table(ctx, objects, "a", NULL), CAIRN_USAGE, "'a' is NULL");
    assert_fails(ctx, cairn_objects_put_model(ctx, objects, "a", NULL), CAIRN_USAGE, "'a' is NULL");
    assert_fails(ctx, cairn_objects_put_table(ctx, NULL, "a", table), CAIRN_USAGE,
                 "set of objects");
    assert_null(cairn_objects_table(objects, NULL));
    assert_null(cairn_objects_model(NULL, "a"));
    assert_null(cairn_objects_take_table(objects, "a"));
    assert_null(cairn_objects_name(objects, 1));
    assert_fails(ctx, cairn_run_with(ctx, NULL, NULL, objects, 2, (const char *[]){"fit", NULL}),
                 CAIRN_USAGE, "word 2 of the command is NULL");
    cairn_objects_drop(objects, "not there");
    cairn_table_free(table);
    cairn_objects_free(objects);
    cairn_objects_free(NULL);
}

/* A lesson brings its own files and means built-in data by @name. */
static void test_objects__lessons_see_no_objects(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "weather", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("lesson", "impurity-of-a-table")));
    cairn_objects_free(objects);
}

/* A member of an ensemble is held and not copied, and nobody changes it meanwhile. */
static void test_objects__a_model_that_is_held_takes_no_rows_in(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_table *mine;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", &mine));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "bayes", "@rows", "--save", "@m")));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("fit", "vote", "@rows", "--model", "@m", "--learner", "tree",
                                "--save", "@both")));
    assert_ok(ctx, run_on(ctx, objects, WORDS("predict", "@both", "@rows", "--out", "@p")));
    cairn_model *member = cairn_objects_take_model(objects, "m");
    cairn_model *both = cairn_objects_take_model(objects, "both");
    cairn_objects_free(objects);
    assert_fails(ctx, cairn_model_update(ctx, member, mine, NULL), CAIRN_USAGE,
                 "an ensemble holds it as well");
    cairn_model_free(both);
    assert_ok(ctx, cairn_model_update(ctx, member, mine, NULL));
    cairn_model_free(member);
    cairn_table_free(mine);
}

/* Models that pictures and calculators load by themselves. */
static void test_objects__models_are_found_below_the_commands(void **state)
{
    cairn_context *ctx = *state;
    cairn_objects *objects;
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", NULL));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@rows", "--save", "@m")));
    assert_ok(ctx, run_on(ctx, objects,
                          WORDS("compute", "description-length", "@rows", "--models", "@m")));
    assert_ok(ctx,
              run_on(ctx, objects,
                     WORDS("draw", "surface", "@rows", "--model", "@m", "--x", "x", "--y", "y")));
    assert_fails(
        ctx,
        run_on(ctx, objects,
               WORDS("draw", "surface", "@rows", "--model", "@rows", "--x", "x", "--y", "y")),
        CAIRN_USAGE, "@rows is a table, but a model is needed here");
    cairn_objects_free(objects);
}

/* What threads share; each has a context and a set of its own. */
typedef struct shared {
    const cairn_table *table;
    const cairn_model *model;
    cairn_status status;
    int32_t code; /* of the last row */
} shared;

static void *predict_shared(void *data)
{
    shared *s = data;
    cairn_context *ctx = NULL;
    cairn_objects *objects = NULL;
    s->status = cairn_context_new(&ctx, NULL);
    for (int i = 0; i < 20 && !s->status; i++) {
        s->status = cairn_objects_new(ctx, &objects);
        if (!s->status) s->status = cairn_objects_put_table(ctx, objects, "rows", s->table);
        if (!s->status) s->status = cairn_objects_put_model(ctx, objects, "m", s->model);
        if (!s->status)
            s->status = run_on(ctx, objects, WORDS("predict", "@m", "@rows", "--out", "@p"));
        if (!s->status) s->code = cairn_table_codes(cairn_objects_table(objects, "p"), 0)[5];
        cairn_objects_free(objects);
        objects = NULL;
    }
    cairn_context_free(ctx);
    return NULL;
}

static void test_objects__threads_share_a_table_and_a_model(void **state)
{
    enum { THREADS = 4 };
    cairn_context *ctx = *state;
    cairn_objects *objects;
    cairn_table *mine;
    pthread_t threads[THREADS];
    shared work[THREADS];
    assert_ok(ctx, cairn_objects_new(ctx, &objects));
    assert_ok(ctx, put_rows(ctx, objects, "rows", &mine));
    assert_ok(ctx, run_on(ctx, objects, WORDS("fit", "tree", "@rows", "--save", "@m")));
    cairn_model *model = cairn_objects_take_model(objects, "m");
    for (size_t i = 0; i < THREADS; i++) {
        work[i] = (shared){.table = mine, .model = model, .code = -1};
        assert_int_equal(pthread_create(&threads[i], NULL, predict_shared, &work[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(work[i].status, CAIRN_OK);
        assert_int_equal(work[i].code, 1);
    }
    cairn_model_free(model);
    cairn_table_free(mine);
    cairn_objects_free(objects);
}

static cairn_status fit_and_predict(cairn_context *ctx, void *data)
{
    OWNED(cairn_objects_free) cairn_objects *objects = NULL;
    (void)data;
    CHECK(cairn_objects_new(ctx, &objects));
    CHECK(put_rows(ctx, objects, "rows", NULL));
    CHECK(run_on(ctx, objects, WORDS("fit", "tree", "@rows", "--save", "@m")));
    return run_on(ctx, objects, WORDS("predict", "@m", "@rows", "--out", "@p"));
}

static void test_objects__memory_may_run_out(void **state)
{
    (void)state;
    assert_survives_allocation_failures(fit_and_predict, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_objects__every_verb_says_what_it_says_of_files),
        context_test(test_objects__columns_are_shared_on_the_way_in_and_out),
        context_test(test_objects__roles_of_the_caller_stay),
        context_test(test_objects__kinds_that_a_command_declares_change_a_copy),
        context_test(test_objects__an_object_hides_built_in_data),
        context_test(test_objects__models_say_where_they_come_from),
        context_test(test_objects__results_go_where_save_and_out_say),
        context_test(test_objects__a_model_that_takes_rows_in_is_a_new_one),
        context_test(test_objects__names_in_parameters_mean_objects),
        context_test(test_objects__names_that_mean_nothing_are_refused),
        context_test(test_objects__places_that_take_no_object_are_refused),
        context_test(test_objects__bad_arguments_are_refused),
        context_test(test_objects__lessons_see_no_objects),
        context_test(test_objects__a_model_that_is_held_takes_no_rows_in),
        context_test(test_objects__models_are_found_below_the_commands),
        context_test(test_objects__threads_share_a_table_and_a_model),
        cmocka_unit_test(test_objects__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
