/* SPDX-License-Identifier: MIT */
/* Naive Bayes: densities of all kinds against hand-made numbers, missing cells, zero counts,
 * constant columns, priors, weights, refusals. */
#include "support/fail_alloc.h"
#include "learners/bayes/ask.h"
#include "model/explain.h"

static cairn_status fit_spec(cairn_context *ctx, cairn_model **model, cairn_table *table,
                             const char *spec, const char *with, cairn_report *report)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    const char *const list[] = {with, NULL};
    cairn_params *params = NULL;
    cairn_status status = cairn_params_new(ctx, &params, spec);
    if (with) options.with = list;
    options.steps = report;
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, table, "y", CAIRN_TARGET);
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, model, params, table, &options);
    if (status == CAIRN_OK && report) status = cairn_model_describe(ctx, report, *model);
    cairn_params_free(params);
    return status;
}

static cairn_model *fit_text(cairn_context *ctx, const char *text, const char *spec,
                             const char *with)
{
    cairn_model *model;
    cairn_table *table = read_csv(ctx, text);
    assert_ok(ctx, fit_spec(ctx, &model, table, spec, with, NULL));
    cairn_table_free(table);
    return model;
}

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static const char colours[] = "colour,size,y\nred,1,a\nred,2,a\nblue,3,a\nblue,5,b\nblue,7,b\n";

static void test_bayes__multiplies_factors(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, colours, "bayes:smooth=laplace", NULL);
    /* colour: a (2+1)/(3+2), b (0+1)/(2+2); size: a mean 2, variance 2/3, b mean 6, variance 1 */
    double a = 0.6 * 0.6 * exp(-4.0 / (2 * 2.0 / 3)) / sqrt(2 * M_PI * 2 / 3);
    double b = 0.4 * 0.25 * exp(-4.0 / 2) / sqrt(2 * M_PI);
    assert_close(ask(ctx, model, "colour,size\nred,4\n", 0), a / (a + b));
    cairn_model_free(model);
}

static void test_bayes__missing_cells_and_unknown_levels_are_skipped(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, colours, "bayes:smooth=laplace", NULL);
    double a = 0.6 * 0.6, b = 0.4 * 0.25;
    assert_close(ask(ctx, model, "colour,size\nred,?\n", 0), a / (a + b));
    assert_close(ask(ctx, model, "colour,size\ngreen,?\n", 0), 0.6);
    cairn_model_free(model);
    /* a missing cell in training is in no count */
    model =
        fit_text(ctx, "colour,x,y\nred,1,a\n?,2,a\nblue,?,a\nred,9,b\nblue,8,b\n", "bayes", NULL);
    assert_close(ask(ctx, model, "colour,x\nred,?\n", 0), 0.6);
    cairn_model_free(model);
}

static void test_bayes__a_zero_count_rules_a_class_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_model *model;
    cairn_table *table = read_csv(ctx, colours);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, fit_spec(ctx, &model, table, "bayes", NULL, report));
    assert_value(report, "zeros", 1, 0);
    assert_value(report, "p.colour.red.b", 0, 0);
    assert_close(ask(ctx, model, "colour,size\nred,7\n", 1), 0);
    cairn_table_free(table);
    cairn_report_free(report);
    cairn_model_free(model);
}

static void test_bayes__impossible_rows_get_the_shares_of_the_classes(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, "u,v,y\np,s,a\np,s,a\nq,t,b\n", "bayes", NULL);
    assert_close(ask(ctx, model, "u,v\np,t\n", 0), 2.0 / 3);
    cairn_model_free(model);
}

static void test_bayes__constant_within_a_class(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    cairn_model *model;
    cairn_table *table = read_csv(ctx, "x,k,y\n1,5,a\n1,5,a\n2,5,b\n4,5,b\n3,5,c\n");
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, fit_spec(ctx, &model, table, "bayes", NULL, report));
    assert_value(report, "raised_variances", 2, 0); /* of x in a and in c */
    assert_value(report, "left_out", 1, 0);         /* k */
    /* overall: mean 2.2, squares 6.8 */
    assert_value(report, "variance.x.a", 1e-9 * 6.8 / 5, 1e-20);
    assert_true(ask(ctx, model, "x,k\n1,5\n", 0) > 0.999);
    assert_true(ask(ctx, model, "x,k\n3.5,5\n", 1) > 0.999);
    cairn_table_free(table);
    cairn_report_free(report);
    cairn_model_free(model);
}

static void test_bayes__priors(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *spec;
        double share;
    } cases[] = {{"bayes", 0.6},
                 {"bayes:prior=uniform", 0.5},
                 {"bayes:prior=none", 0.5},
                 {"bayes:prior=(0.25,0.75)", 0.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_model *model = fit_text(ctx, colours, cases[i].spec, NULL);
        assert_close(ask(ctx, model, "colour,size\n?,?\n", 0), cases[i].share);
        cairn_model_free(model);
    }
}

static void test_bayes__bins_and_histograms(void **state)
{
    cairn_context *ctx = *state;
    static const char data[] = "x,y\n0,a\n1,a\n2,a\n6,a\n9,b\n10,b\n";
    /* two bins: [0,5) holds 3 of a, [5,10] 1 of a and 2 of b */
    cairn_model *model = fit_text(ctx, data, "bayes:density=binned,bins=2", NULL);
    double a = 4.0 / 6 * 0.25, b = 2.0 / 6;
    assert_close(ask(ctx, model, "x\n7\n", 0), a / (a + b));
    assert_close(ask(ctx, model, "x\n70\n", 0), a / (a + b)); /* the last bin goes on */
    assert_close(ask(ctx, model, "x\n-1\n", 0), 1);
    cairn_model_free(model);
    model = fit_text(ctx, data, "bayes:density=histogram,bins=2", NULL);
    assert_close(ask(ctx, model, "x\n7\n", 0), a / (a + b));
    cairn_model_free(model);
}

static void test_bayes__kernel_densities(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model =
        fit_text(ctx, "x,y\n0,a\n2,a\n5,b\n", "bayes:density=kernel,bandwidth=1", NULL);
    double a = 2.0 / 3 * (exp(-4.5) + exp(-0.5)) / 2, b = 1.0 / 3 * exp(-2.0);
    assert_close(ask(ctx, model, "x\n3\n", 0), a / (a + b));
    assert_close(ask(ctx, model, "x\n1000\n", 0), 2.0 / 3); /* equally far from all */
    cairn_model_free(model);
}

static void test_bayes__numbers_as_categories(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model =
        fit_text(ctx, "x,y\n1,a\n1,a\n4,a\n4,b\n4,b\n", "bayes:density=categorical", NULL);
    assert_close(ask(ctx, model, "x\n4\n", 0), 1.0 / 3);
    assert_close(ask(ctx, model, "x\n5\n", 0), 0.6); /* never seen */
    cairn_model_free(model);
}

static const char texts[] = "text,y\nbuy now now,s\nbuy,s\nsee me,h\nsee you now,h\nme,h\n";

static void test_bayes__texts(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, texts, "bayes", "bag");
    /* classes s, h; words buy me now see you */
    double s = 0.4 * (3.0 / 9) * (3.0 / 9) * (3.0 / 9),
           h = 0.6 * (1.0 / 11) * (2.0 / 11) * (2.0 / 11);
    assert_close(ask(ctx, model, "text\nbuy now now unheard\n", 1), h / (h + s));
    cairn_model_free(model);
    model = fit_text(ctx, texts, "bayes:density=bernoulli", "bag");
    s = 0.4 * (3.0 / 4) * (2.0 / 4) * (3.0 / 4) * (3.0 / 4) * (3.0 / 4);
    h = 0.6 * (1.0 / 5) * (2.0 / 5) * (2.0 / 5) * (2.0 / 5) * (3.0 / 5);
    assert_close(ask(ctx, model, "text\nbuy now now\n", 1), h / (h + s));
    cairn_model_free(model);
}

/* Without smoothing, a word that every row of a class has must be there. */
static void test_bayes__words_that_must_be_there(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, "text,y\nbuy now,s\nbuy,s\nsee now,h\nsee,h\n",
                                  "bayes:density=bernoulli,smooth=none", "bag");
    assert_close(ask(ctx, model, "text\nbuy\n", 0), 1);
    assert_close(ask(ctx, model, "text\nsee now\n", 1), 1);
    assert_close(ask(ctx, model, "text\nnow\n", 0), 0.5); /* impossible in both */
    cairn_model_free(model);
}

static void test_bayes__weights_are_repeated_rows_for_all_densities(void **state)
{
    cairn_context *ctx = *state;
    static const char *const densities[] = {"gaussian",  "kernel",      "histogram",  "binned",
                                            "bernoulli", "multinomial", "categorical"};
    for (size_t i = 0; i < sizeof densities / sizeof *densities; i++) {
        char spec[80];
        cairn_model *weighted, *repeated;
        cairn_table *table = read_csv(ctx, "x,z,w,y\n1,2,2,a\n2,0,1,a\n5,1,1,b\n7,4,3,b\n");
        bool binned = strstr("histogram binned", densities[i]);
        snprintf(spec, sizeof spec, "bayes:density=%s,smooth=laplace%s", densities[i],
                 binned ? ",bins=2" : "");
        assert_ok(ctx, cairn_table_set_role(ctx, table, "w", CAIRN_WEIGHT));
        assert_ok(ctx, fit_spec(ctx, &weighted, table, spec, NULL, NULL));
        repeated =
            fit_text(ctx, "x,z,y\n1,2,a\n1,2,a\n2,0,a\n5,1,b\n7,4,b\n7,4,b\n7,4,b\n", spec, NULL);
        assert_true(
            fabs(ask(ctx, weighted, "x,z\n4,1\n", 0) - ask(ctx, repeated, "x,z\n4,1\n", 0)) < 1e-9);
        cairn_table_free(table);
        cairn_model_free(weighted);
        cairn_model_free(repeated);
    }
}

/* A mean far from 0 beside the spread does not spoil the variance, not even in sorted rows. */
static void test_bayes__moments_keep_their_digits(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x);
    int32_t *y = malloc(N * sizeof *y);
    static const char *const names[] = {"a", "b"};
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    for (size_t i = 0; i < N; i++) {
        y[i] = i >= N / 2;
        x[i] = (y[i] ? 1e9 : -1e9) + (double)(i % 4); /* variance 1.25 in both */
    }
    assert_ok(ctx, cairn_table_new(ctx, &table, N));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "y", y, names, 2));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, fit_spec(ctx, &model, table, "bayes:least-variance=1e-30,least-of-largest=0",
                            NULL, report));
    assert_value(report, "variance.x.a", 1.25, 1e-9);
    assert_value(report, "variance.x.b", 1.25, 1e-9);
    assert_value(report, "mean.x.b", 1e9 + 1.5, 1e-15);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
    free(x);
    free(y);
}

static void test_bayes__refusals(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *spec;
        cairn_status status;
        const char *part;
    } cases[] = {
        {"bayes:density=normal", CAIRN_USAGE, "there is no 'normal'"},
        {"bayes:density=(sise=kernel)", CAIRN_USAGE, "did you mean 'size'"},
        {"bayes:density=(colour=gaussian)", CAIRN_BAD_DATA, "'colour' holds levels"},
        {"bayes:prior=(0.2,0.3,0.5)", CAIRN_BAD_DATA, "3 numbers for the 2 classes"},
        {"bayes:prior=(1,-2)", CAIRN_USAGE, "number 2 is negative"},
        {"bayes:prior=(0.5,0.6)", CAIRN_USAGE, "add up to 1.1, not to 1"},
        {"bayes:prior=often", CAIRN_USAGE, "empirical, uniform, none"},
        {"bayes:smooth=much", CAIRN_USAGE, "choose none"},
        {"bayes:least-variance=0", CAIRN_USAGE, "least-variance"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_model *model;
        cairn_table *table = read_csv(ctx, colours);
        assert_fails(ctx, fit_spec(ctx, &model, table, cases[i].spec, NULL, NULL), cases[i].status,
                     cases[i].part);
        cairn_table_free(table);
    }
    cairn_model *model;
    cairn_table *table = read_csv(ctx, "x,y\n1,a\n-2,a\n3,b\n");
    assert_fails(ctx, fit_spec(ctx, &model, table, "bayes:density=multinomial", NULL, NULL),
                 CAIRN_BAD_DATA, "column 'x', row 2: -2 is no count");
    cairn_table_free(table);
    table = read_csv(ctx, "x,y\n1,a\n2,a\n3,b\n");
    ((double *)cairn_table_numbers(table, 0))[1] = INFINITY;
    assert_fails(ctx, fit_spec(ctx, &model, table, "bayes", NULL, NULL), CAIRN_BAD_DATA,
                 "column 'x', row 2: inf is not a finite number");
    cairn_table_free(table);
}

/* Levels, classes and values that come later are taken in. */
static void test_bayes__later_rows_bring_levels_and_classes(void **state)
{
    cairn_context *ctx = *state;
    static const char *const specs[] = {"bayes:smooth=laplace",
                                        "bayes:density=(x=categorical),smooth=laplace",
                                        "bayes:density=(x=kernel),smooth=m:2"};
    static const char first[] = "colour,x,y\nred,1,a\nred,2,a\nblue,3,a\nblue,5,b\nred,4,b\n";
    static const char later[] = "x,colour,y\n4,green,c\n9,blue,c\n2,green,b\n1.5,?,a\n";
    static const char all[] = "colour,x,y\nred,1,a\nred,2,a\nblue,3,a\nblue,5,b\nred,4,b\n"
                              "green,4,c\nblue,9,c\ngreen,2,b\n?,1.5,a\n";
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_model *model = fit_text(ctx, first, specs[i], NULL);
        cairn_model *whole = fit_text(ctx, all, specs[i], NULL);
        cairn_table *more = read_csv(ctx, later);
        assert_ok(ctx, cairn_model_update(ctx, model, more, NULL));
        for (size_t c = 0; c < 3; c++) {
            static const char asked[] = "colour,x\ngreen,4\n";
            double p = ask(ctx, model, asked, c), q = ask(ctx, whole, asked, c);
            assert_true(p > 0 && fabs(p - q) < 1e-12);
        }
        cairn_table_free(more);
        cairn_model_free(model);
        cairn_model_free(whole);
    }
}

static void test_bayes__later_rows_are_refused_without_a_target(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, colours, "bayes", NULL);
    cairn_table *more = read_csv(ctx, "colour,size\nred,1\n");
    assert_fails(ctx, cairn_model_update(ctx, model, more, NULL), CAIRN_BAD_DATA, "target 'y'");
    cairn_table_free(more);
    cairn_model_free(model);
    model = fit_text(ctx, colours, "bayes:prior=(0.25,0.75)", NULL);
    more = read_csv(ctx, "colour,size,y\nred,1,new\n");
    assert_fails(ctx, cairn_model_update(ctx, model, more, NULL), CAIRN_BAD_DATA, "'new'");
    cairn_table_free(more);
    cairn_model_free(model);
}

/* All kinds of parts through fit with steps, save, load, predict, explain. */
static cairn_status whole_way(cairn_context *ctx, void *data)
{
    const char *const *specs = data;
    cairn_status status;
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    cairn_report *report = NULL;
    char *bytes = NULL;
    size_t length;
    uint32_t row = 0;
    cairn_read_options reading = CAIRN_READ_OPTIONS_INIT;
    cairn_explain_how how = {.rows = &row, .n_rows = 1, .draws = 2};
    if (specs[2]) reading.kinds = "text=text";
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_table_read_memory(ctx, &table, "t.csv", specs[0], strlen(specs[0]), &reading));
    TRY(fit_spec(ctx, &model, table, specs[1], specs[2], report));
    TRY(cairn_model_update(ctx, model, table, NULL));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    TRY(cairn_model_predict(ctx, &answer, loaded, table, true));
    TRY(cairn_model_explain(ctx, report, loaded, table, &how));
    TRY(cairn_report_status(report));
done:
    cairn_string_free(bytes);
    cairn_report_free(report);
    cairn_table_free(answer);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_model_free(loaded);
    return status;
}

static void test_bayes__survives_failing_allocations(void **state)
{
    static const char *const numbers[] = {
        "p,q,r,s,t,u,y\n1,2,3,4,5,6,a\n2,1,4,5,0,6,a\n7,3,2,2,1,1,b\n6,4,?,3,2,0,b\n",
        "bayes:density=(p=kernel,q=histogram,r=categorical,s=binned,t=bernoulli,u=multinomial)",
        NULL};
    static const char *const words[] = {texts, "bayes:density=bernoulli,smooth=none", "bag"};
    (void)state;
    assert_survives_allocation_failures(whole_way, (void *)numbers);
    assert_survives_allocation_failures(whole_way, (void *)words);
}

/* -- numbers beyond the usual -- */

static cairn_status try_fit(cairn_context *ctx, const char *text, const char *spec,
                            const char *with)
{
    cairn_table *table = read_csv(ctx, text);
    cairn_model *model = NULL;
    cairn_status status = fit_spec(ctx, &model, table, spec, with, NULL);
    if (status == CAIRN_OK) cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

static void test_bayes__huge_and_tiny_numbers_are_refused(void **state)
{
    static const char huge[] = "x,y\n1e300,a\n2e300,a\n-1e300,b\n3e300,b\n";
    static const char tiny[] = "x,y\n1e-300,a\n2e-300,a\n-1e-300,b\n3e-300,b\n";
    static const char missing[] = "x,y\n1e300,a\n2e300,a\n?,a\n-1e300,b\n3e300,b\n";
    cairn_context *ctx = *state;
    assert_fails(ctx, try_fit(ctx, huge, "bayes", NULL), CAIRN_BAD_DATA, "column 'x', row 4: 3e");
    assert_fails(ctx, try_fit(ctx, missing, "bayes", NULL), CAIRN_BAD_DATA, "column 'x', row 5");
    assert_fails(ctx, try_fit(ctx, tiny, "bayes", NULL), CAIRN_BAD_DATA, "column 'x', row 2");
    /* the remedies that the messages name */
    assert_ok(ctx, try_fit(ctx, huge, "bayes", "scale:max-abs"));
    assert_ok(ctx, try_fit(ctx, tiny, "bayes", "scale:max-abs"));
    assert_ok(ctx, try_fit(ctx, huge, "bayes:density=binned", NULL));
    assert_ok(ctx, try_fit(ctx, tiny, "bayes:density=binned", NULL));
    assert_fails(
        ctx, try_fit(ctx, "x,y\n1e308,a\n1.5e308,a\n2,b\n3,b\n", "bayes:density=multinomial", NULL),
        CAIRN_BAD_DATA, "column 'x', row 2");
}

/* Far away the class with the widest spread is the likeliest, and scores stay numbers. */
static void test_bayes__far_rows_have_an_answer(void **state)
{
    static const char *const rows[] = {"x,z\n1e200,1\n", "x,z\n-1e308,1\n", "x,z\n1e308,1e308\n",
                                       "x,z\n1e150,?\n", "x,z\n?,1e308\n"};
    cairn_context *ctx = *state;
    cairn_model *model =
        fit_text(ctx, "x,z,y\n1,1,a\n2,3,a\n3,2,a\n5,4,b\n9,9,b\n7,7,b\n", "bayes", NULL);
    for (size_t i = 0; i < 5; i++) {
        cairn_table *table = read_csv(ctx, rows[i]);
        cairn_predict_wants wants = {.scores = true, .extra = true};
        cairn_prediction out;
        assert_ok(ctx, cairn_model_predict_rows(ctx, &out, model, table, (cairn_rows){.n = 1},
                                                wants, NULL));
        assert_int_equal(out.codes[0], 1);
        assert_true(out.scores[0] == 0 && out.scores[1] == 1);
        assert_true(isfinite(cairn_table_numbers(out.extra, 0)[0]));
        assert_true(isfinite(cairn_table_numbers(out.extra, 1)[0]));
        cairn_prediction_clear(&out);
        cairn_table_free(table);
    }
    cairn_model_free(model);
}

static void keep_message(cairn_log_level level, const char *message, void *data)
{
    if (level == CAIRN_LOG_WARNING) snprintf(data, 300, "%s", message);
}

static void test_bayes__a_density_that_no_column_can_have_is_reported(void **state)
{
    cairn_context *ctx = *state;
    char message[300] = "";
    cairn_context_set_log(ctx, keep_message, message);
    assert_ok(ctx, try_fit(ctx, "u,y\np,a\nq,b\np,b\n", "bayes:density=gaussian", NULL));
    assert_non_null(strstr(message, "density=gaussian changes nothing"));
    message[0] = '\0';
    assert_ok(ctx, try_fit(ctx, "u,x,y\np,1,a\nq,2,b\np,3,b\n", "bayes:density=gaussian", NULL));
    assert_string_equal(message, "");
    cairn_context_set_log(ctx, NULL, NULL);
}

static void test_bayes__table_form(void **state)
{
    static const char *const lines[] = {
        "\n,prior,,a,3,0.6,,,\n", "\ncolour,categorical,red,a,2,0.6666666666666666,,,\n",
        "\ncolour,categorical,red,b,0,0,,,\n", "\nsize,gaussian,,a,3,,2,0.6666666666666666,\n"};
    cairn_context *ctx = *state;
    cairn_model *model = fit_text(ctx, colours, "bayes", NULL);
    char *text;
    assert_ok(ctx, cairn_model_export(ctx, model, "table", &text));
    for (size_t i = 0; i < 4; i++)
        if (!strstr(text, lines[i])) fail_msg("no '%s' in %s", lines[i], text);
    cairn_string_free(text);
    cairn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bayes__multiplies_factors),
        context_test(test_bayes__missing_cells_and_unknown_levels_are_skipped),
        context_test(test_bayes__a_zero_count_rules_a_class_out),
        context_test(test_bayes__impossible_rows_get_the_shares_of_the_classes),
        context_test(test_bayes__constant_within_a_class),
        context_test(test_bayes__priors),
        context_test(test_bayes__bins_and_histograms),
        context_test(test_bayes__kernel_densities),
        context_test(test_bayes__numbers_as_categories),
        context_test(test_bayes__texts),
        context_test(test_bayes__words_that_must_be_there),
        context_test(test_bayes__weights_are_repeated_rows_for_all_densities),
        context_test(test_bayes__moments_keep_their_digits),
        context_test(test_bayes__refusals),
        context_test(test_bayes__later_rows_bring_levels_and_classes),
        context_test(test_bayes__later_rows_are_refused_without_a_target),
        context_test(test_bayes__table_form),
        context_test(test_bayes__huge_and_tiny_numbers_are_refused),
        context_test(test_bayes__far_rows_have_an_answer),
        context_test(test_bayes__a_density_that_no_column_can_have_is_reported),
        context_test(test_bayes__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
