/* SPDX-License-Identifier: MIT */
/* Every learner of the registry that has a closed form is exported as C, Python and JavaScript, and
 * run: it must answer 1,000 rows with missing cells and an unseen level as `predict` does. */
#include "contract/contract.h"
#include "registry.h"
#include "contract/transform_specs.h"
#include "data/bag.h"
#include "data/time.h"
#include "export/export.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TRAINING = 240, ROWS = 1000 };

/* Rows like those of training, with a colour that training did not have. */
static cairn_table *test_rows(cairn_context *ctx, cairn_task task)
{
    cairn_table *table = contract_table(ctx, (contract_data){ROWS, task, .missing = true});
    ptrdiff_t at = cairn_table_find(table, "colour");
    const cairn_column *old = table->slots[at].column;
    cairn_column *column;
    size_t index;
    assert_ok(ctx, cairn_column_new(ctx, &column, CAIRN_LEVEL, ROWS));
    for (size_t l = 0; l < old->names.n; l++) {
        const char *name = cairn_map_key(&old->names, old->names.n - 1 - l);
        assert_ok(ctx, cairn_map_add(ctx, &column->names, name, strlen(name), &index));
    }
    assert_ok(ctx, cairn_map_add(ctx, &column->names, "*/\"\n\xe2\x80\xae", 7, &index));
    for (size_t i = 0; i < ROWS; i++) {
        int32_t other = (int32_t)old->names.n - 1 - old->codes[i];
        column->codes[i] = i % 17 == 5 ? (int32_t)index : old->codes[i] < 0 ? -1 : other;
    }
    cairn_column_count_missing(column);
    cairn_table_replace_column(table, (size_t)at, column);
    return table;
}

static void write_file(const char *path, const cairn_text *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text->bytes, 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
}

/* A form, the file that it is written to, and the command that runs its self-test there. */
typedef struct tried_form {
    const char *name, *file, *needs, *run;
} tried_form;
static const tried_form tried_forms[] = {
    {"c", "model.c", "command -v cc",
     "cc -std=c99 -pedantic -Wall -Wextra -Werror -O0 -DCAIRN_SELF_TEST model.c -o model -lm && "
     "./model"},
    {"py", "model.py", "command -v python3", "python3 -B -W error model.py --test"},
    {"js", "model.js", "command -v node", "node model.js --test"},
    {"onnx", "model.onnx",
     "node -e \"require((process.env.CAIRN_NODE_MODULES ? process.env.CAIRN_NODE_MODULES + '/' "
     ": '') + 'onnxruntime-node')\"",
     "node " ONNX_RUN " model.onnx"},
};

/* Run the self-test of what was exported. */
static void run_self_test(const char *what, const tried_form *form, const cairn_text *text,
                          int rows)
{
    char folder[] = "/tmp/cairn-export-XXXXXX", path[64], command[400];
    (void)snprintf(command, sizeof command, "%s >/dev/null 2>&1", form->needs);
    if (system(command) != 0) {
        print_message("%s is not run: '%s' fails\n", form->name, form->needs);
        return;
    }
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/%s", folder, form->file);
    write_file(path, text);
    (void)snprintf(command, sizeof command, "cd %s && %s > said && grep -q '^%d of %d ' said",
                   folder, form->run, rows, rows);
    if (system(command) != 0) fail_msg("%s as %s: see %s", what, form->name, folder);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Export the model in all formats; those that run are run on the rows. */
static void check_exports(cairn_context *ctx, const cairn_model *model, const cairn_table *rows,
                          const char *what)
{
    for (const cairn_export_format *f = cairn_export_formats; f->name; f++) {
        cairn_text text = cairn_text_start(ctx);
        cairn_export_options options = {.rows = rows, .n_tests = ROWS};
        if (cairn_export_write(&text, model, f->name, &options) != CAIRN_OK)
            fail_msg("%s as %s: %s", what, f->name, cairn_message(ctx));
        assert_true(text.length > 50);
        if (!f->is_bytes) assert_null(strstr(text.bytes, "\xe2\x80\xae")); /* no turned lines */
        for (size_t i = 0; i < sizeof tried_forms / sizeof *tried_forms; i++)
            if (strcmp(tried_forms[i].name, f->name) == 0)
                run_self_test(what, &tried_forms[i], &text, (int)rows->n_rows);
        cairn_text_clear(&text);
    }
}

static void check_model(cairn_context *ctx, const cairn_model *model, cairn_task task,
                        const char *what)
{
    cairn_table *rows = test_rows(ctx, task);
    check_exports(ctx, model, rows, what);
    cairn_table_free(rows);
}

/* Whether the learner could be fitted, and then was exported. */
static bool check_learner(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    cairn_model *model;
    cairn_table *table = contract_table(ctx, (contract_data){TRAINING, task, .missing = true});
    bool fits = contract_fit(ctx, &model, learner, table, task, NULL) == CAIRN_OK;
    if (fits) check_model(ctx, model, task, learner->entry.name);
    if (fits) cairn_model_free(model);
    cairn_table_free(table);
    return fits;
}

/* A spec of a learner, such as "knn:k=3", fitted for a task. */
static void check_spec(cairn_context *ctx, const char *spec, const char *with, cairn_task task)
{
    const char *const chain[] = {with, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = contract_table(
        ctx, (contract_data){TRAINING, task, .missing = true, .weighted = task == CAIRN_REGRESS});
    cairn_params *params;
    cairn_model *model;
    assert_ok(ctx, cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    options.task = task;
    if (with) options.with = chain;
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    check_model(ctx, model, task, spec);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
}

/* The spec of a learner that has no program with its defaults; NULL = it has one. */
static const char *spec_with_program(const cairn_learner *learner)
{
    return learner == &cairn_kernel_kmeans ? "kernel-kmeans:clusters=3,assign=mean" : NULL;
}

static void test_export__every_learner_answers_as_it_predicts(void **state)
{
    const cairn_learner *learner;
    size_t n_models = 0;
    for (size_t i = 0; (learner = contract_learner(i)); i++) {
        size_t n = 0;
        const char *spec = spec_with_program(learner);
        if (!learner->lower) continue;
        if (spec) check_spec(*state, spec, NULL, CAIRN_CLUSTER);
        n += spec != NULL;
        for (cairn_task task = contract_next_task(*state, learner, CAIRN_TASK_AUTO); task && !spec;
             task = contract_next_task(*state, learner, task))
            n += check_learner(*state, learner, task);
        if (n == 0) fail_msg("%s has a program, but was not tried", learner->entry.name);
        n_models += n;
    }
    assert_true(n_models >= 21);
}

static void test_export__variants_of_learners(void **state)
{
    static const char *const classes[] = {
        "tree:preset=cart,missing-in-model=surrogate",
        "tree:split=subset,missing-in-model=mode,smooth=laplace",
        "tree:missing-in-model=branch,leaf-label=relative,reject-below=4",
        "forest:trees=7,combine=shares,missing-in-model=weights",
        "forest:trees=5,missing-in-model=branch",
        "knn:k=4,weights=kernel,tie=smaller-k",
        "knn:k=3,distance=gower,weights=inverse",
        "knn:k=3,distance=minkowski:p=3",
        "kernel-ridge",
        "kernel-perceptron:kernel=poly,offset=1",
        "kernel-perceptron:kernel=sigmoid,factor=0.1,epochs=5",
        "rule-set:overlap=tree",
        "rule-set:overlap=sum,smooth=m:2",
        "bayes:density=kernel",
        "bayes:density=histogram",
        "bayes:density=binned,prior=uniform",
        "calibrated:learner=tree",
        "calibrated:learner=bayes,method=platt",
        "cost-sensitive:learner=knn,costs=[0,1,5;2,0,1;1,1,0],reject=0.6",
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        check_spec(*state, classes[i], NULL, CAIRN_CLASSIFY);
    check_spec(*state, "tree:leaf=linear,max-depth=3", NULL, CAIRN_REGRESS);
    check_spec(*state, "linear:intercept=no", "scale:method=range,target=yes", CAIRN_REGRESS);
    check_spec(*state, "knn:k=5,weights=inverse-square", NULL, CAIRN_REGRESS);
    check_spec(*state, "kernel-ridge:kernel=linear", NULL, CAIRN_REGRESS);
    check_spec(*state, "kernel-ridge:kernel=laplace,manhattan=yes", NULL, CAIRN_REGRESS);
    check_spec(*state, "kernel-ridge:kernel=laplace,sigma=3,intercept=yes", NULL, CAIRN_REGRESS);
    check_spec(*state, "kmedoids:clusters=3,distance=gower", NULL, CAIRN_CLUSTER);
    check_spec(*state, "kmedoids:clusters=4,distance=manhattan", NULL, CAIRN_CLUSTER);
    check_spec(*state, "hierarchy:linkage=single,clusters=4", NULL, CAIRN_CLUSTER);
    check_spec(*state, "hierarchy:linkage=single,clusters=4,distance=gower,tie=last", NULL,
               CAIRN_CLUSTER);
    check_spec(*state, "hierarchy:linkage=ward,clusters=4", NULL, CAIRN_CLUSTER);
    check_spec(*state, "hierarchy:linkage=ward,clusters=5,tie=last", NULL, CAIRN_CLUSTER);
    check_spec(*state, "linear", "pca:components=2", CAIRN_REGRESS);
    check_spec(*state, "linear", "basis:degree=2", CAIRN_REGRESS);
}

/* -- transforms -- */

/* Transforms that are computed, in programs that are run. */
static void test_export__computed_columns(void **state)
{
    static const char *const specs[] = {
        "polar:columns=\"x,y\",unit=degrees",
        "polar:columns=\"x,y\",to=cartesian",
        "unit:norm=max",
        "calibrate:missing=own",
        "calibrate:isotonic,smooth=laplace,output=log-odds,keep=yes",
        "calibrate:isotonic,map=steps",
        "decompose:parts=1,method=svd,columns=\"y,constant\"",
        "formula:z=if(colour=\"red\" and x>y,log(x*x+1)/(y-1),-sqrt(abs(y))^1.5)",
        "formula:m=mean(x,y),s=sd(x,y,m),c=clamp(y,-1,1),n=count(x,colour),g=coalesce(x,y)",
        "formula:b=y between 0 and 2,i=x in (1,2),o=x is missing or not (y>=1),r=round(y,1)",
        "formula:x=mod(y,0.7)+atan2(x,y)*pi()+hypot(x,2)+sigmoid(x)+trunc(y)+min(x,y,0.5)",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        check_spec(*state, "tree:size=full", specs[i], CAIRN_CLASSIFY);
}

/* Parts of times of all ages are those of the calendar. */
static void test_export__calendar(void **state)
{
    double slots[1 + CAIRN_PARTS];
    int32_t in = 0;
    cairn_program p = {.ctx = *state, .n_slots = 1};
    cairn_operation *op;
    assert_ok(*state, cairn_program_add(&p, CAIRN_OP_CALENDAR, &in, 1, CAIRN_PARTS, &op));
    for (double t = -62135596800; t < 253402300800; t += 8 * 86400 + 12345.5) {
        cairn_calendar c;
        slots[0] = t;
        cairn_program_run(&p, slots);
        assert_true(cairn_time_parts(t, &c));
        const double wanted[] = {c.year, c.quarter, c.month,       c.week,
                                 c.day,  c.weekday, c.day_of_year, c.weekday >= 6,
                                 c.hour, c.minute,  c.second};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (slots[1 + k] != wanted[k])
                fail_msg("%.0f: part %zu is %g, not %g", t, k, slots[1 + k], wanted[k]);
        assert_true(cairn_time_parts(cairn_time_of_date(c.week_year, 12, 28), &c) ||
                    c.week_year == 0);
        if (c.week_year) assert_true(slots[1 + CAIRN_PART_WEEKS] == c.week);
    }
    slots[0] = NAN;
    cairn_program_run(&p, slots);
    assert_true(isnan(slots[1 + CAIRN_PART_YEAR]));
    cairn_program_clear(&p);
}

/* Times, with circles and with the time elapsed. */
static void test_export__times(void **state)
{
    static const char *const specs[] = {
        "time:code=circles,parts=\"week,day,day-of-year,month,weekday,hour,minute\"",
        "time:code=names,parts=\"month,weekday,weekend\"",
        "time:since=first,unit=hours",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const char *const with[] = {specs[i], NULL};
        cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
        cairn_params *params;
        cairn_table *table;
        cairn_model *model;
        options.with = with;
        assert_ok(*state, cairn_table_read(*state, &table, "@rides", NULL));
        assert_ok(*state, cairn_params_from_spec(*state, &params, CAIRN_ENTRY_LEARNER, "linear"));
        assert_ok(*state, cairn_model_fit(*state, &model, params, table, &options));
        check_exports(*state, model, table, specs[i]);
        cairn_model_free(model);
        cairn_params_free(params);
        cairn_table_free(table);
    }
}

/* The status of exporting a tree behind the transform; the program is compared with the model on
 * all rows. */
static cairn_status export_behind(cairn_context *ctx, const char *spec, bool *fitted)
{
    const char *const with[] = {spec, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table =
        contract_table(ctx, (contract_data){TRAINING, CAIRN_CLASSIFY, .missing = true});
    cairn_table *rows = test_rows(ctx, CAIRN_CLASSIFY);
    cairn_params *params;
    cairn_model *model = NULL;
    cairn_text text = cairn_text_start(ctx);
    cairn_export_options how = {.rows = rows, .n_tests = 3};
    assert_ok(ctx, cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, "tree"));
    options.with = with;
    cairn_status status = cairn_model_fit(ctx, &model, params, table, &options);
    *fitted = status == CAIRN_OK;
    if (*fitted) status = cairn_export_write(&text, model, "json", &how);
    cairn_text_clear(&text);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(rows);
    cairn_table_free(table);
    return status;
}

static void test_export__transforms_do_in_programs_what_they_do_to_tables(void **state)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof transform_specs / sizeof *transform_specs; i++) {
        bool fitted;
        cairn_status status = export_behind(*state, transform_specs[i], &fitted);
        if (!fitted) continue; /* it needs columns that this table has not */
        if (status != CAIRN_OK && status != CAIRN_USAGE)
            fail_msg("%s: %s", transform_specs[i], cairn_message(*state));
        n += status == CAIRN_OK;
    }
    assert_true(n >= 50);
}

/* Words, how often they occur, and a class that they tell. */
static cairn_table *bag_table(cairn_context *ctx)
{
    enum { N = 30 };
    static const char *const words[] = {"rain", "sun"}, *const classes[] = {"no", "yes"};
    cairn_bag_builder bag = {0};
    cairn_table *table;
    cairn_column *column;
    int32_t codes[N];
    assert_ok(ctx, cairn_table_new(ctx, &table, N));
    for (size_t i = 0; i < N; i++) {
        codes[i] = (int32_t)(i * i % 3 > 0);
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        for (size_t w = 0; w < 2; w++)
            assert_ok(ctx, cairn_bag_add(ctx, &bag, words[w], strlen(words[w]),
                                         (double)((i * (w + 3) + w) % 4)));
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "words", CAIRN_FEATURE, column));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "y", codes, classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    return table;
}

/* A bag is a number for each of its words, and stays one behind transforms. */
static void test_export__words_of_bags_are_inputs(void **state)
{
    static const char *const learners[] = {"logistic", "bayes", "logistic", "logistic", "logistic"};
    static const char *const chains[][2] = {
        {NULL}, {NULL}, {"tf-idf"}, {"tf-idf:sublinear=yes,norm=none"}, {"unit:norm=l1"}};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    for (size_t i = 0; i < 5; i++) {
        options.with = chains[i];
        cairn_table *table = bag_table(*state);
        cairn_params *params;
        cairn_model *model;
        cairn_text text = cairn_text_start(*state);
        cairn_export_options how = {.rows = table, .n_tests = ROWS};
        assert_ok(*state,
                  cairn_params_from_spec(*state, &params, CAIRN_ENTRY_LEARNER, learners[i]));
        assert_ok(*state, cairn_model_fit(*state, &model, params, table, &options));
        assert_ok(*state, cairn_export_write(&text, model, "json", &how));
        assert_non_null(strstr(text.bytes, "{\"name\": \"words=rain\", \"kind\": \"number\"}"));
        cairn_text_clear(&text);
        cairn_model_free(model);
        cairn_params_free(params);
        cairn_table_free(table);
    }
}

static void test_export__what_has_no_closed_form_is_refused_by_name(void **state)
{
    bool fitted;
    assert_int_equal(export_behind(*state, "impute:method=nearest,k=3", &fitted), CAIRN_USAGE);
    assert_true(fitted);
    assert_non_null(strstr(cairn_message(*state), "impute"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_export__every_learner_answers_as_it_predicts),
        context_test(test_export__variants_of_learners),
        context_test(test_export__transforms_do_in_programs_what_they_do_to_tables),
        context_test(test_export__computed_columns),
        context_test(test_export__calendar),
        context_test(test_export__times),
        context_test(test_export__words_of_bags_are_inputs),
        context_test(test_export__what_has_no_closed_form_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
