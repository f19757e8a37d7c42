/* SPDX-License-Identifier: MIT */
/* Many classes from two: matrices and decoders by hand, one-vs-one and one-vs-rest against the same
 * decisions made from the means of the classes, codes that are given, refusals. */
#include "stats/class_codes.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

enum { N = 15 };

static const double irises[] = {5.1, 3.5, 0, 5.4, 3.7, 0, 5.4, 3.4, 0, 4.8, 3.1, 0, 5.0, 3.5, 0,
                                7.0, 3.2, 1, 5.0, 2.0, 1, 5.9, 3.2, 1, 5.5, 2.4, 1, 5.5, 2.6, 1,
                                6.3, 3.3, 2, 6.5, 3.2, 2, 6.9, 3.2, 2, 7.4, 2.8, 2, 6.7, 3.1, 2};

static cairn_status fit_rows(cairn_context *ctx, fitted *f, const char *spec)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = table_of(ctx, &f->table, "a b kind", irises, N, 3);
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, f->table, "kind", CAIRN_TARGET);
    if (status == CAIRN_OK) status = cairn_params_new(ctx, &params, spec);
    if (status == CAIRN_OK) status = cairn_report_new(ctx, &f->report);
    options.task = CAIRN_CLASSIFY;
    options.steps = f->report;
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, &f->model, params, f->table, &options);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, f->report, f->model);
    cairn_params_free(params);
    return status;
}

/* Squared distance of row i from the mean of the rows of `class`, or of all others. */
static double from_mean(size_t i, size_t class, bool others)
{
    double mean[2] = {0}, n = 0, sum = 0;
    for (size_t r = 0; r < N; r++) {
        if ((irises[3 * r + 2] == (double)class) == others) continue;
        n++;
        mean[0] += irises[3 * r];
        mean[1] += irises[3 * r + 1];
    }
    for (size_t j = 0; j < 2; j++) sum += pow(irises[3 * i + j] - mean[j] / n, 2);
    return sum;
}

/* Pairs of nearer means vote for the nearest of all. */
static void test_codes__one_vs_one_of_means(void **state)
{
    fitted f = {0};
    cairn_table *answer;
    assert_ok(*state, fit_rows(*state, &f, "one-vs-one:learner=basic-linear"));
    assert_value(f.report, "models", 3, 0);
    assert_value(f.report, "code.1.3", 1, 0);
    assert_value(f.report, "code.2.3", -1, 0);
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, f.table, true));
    for (size_t i = 0; i < N; i++) {
        size_t best = 0;
        for (size_t c = 1; c < 3; c++)
            if (from_mean(i, c, false) < from_mean(i, best, false)) best = c;
        assert_int_equal(cairn_table_codes(answer, 0)[i], best);
        assert_true(cairn_table_numbers(answer, 1 + best)[i] == 2); /* votes */
    }
    cairn_table_free(answer);
    drop(&f);
}

/* A class against the rest: score (|x − m_rest|² − |x − m|²)/2, the largest is the answer, or the
 * only one above 0. */
static void test_codes__one_vs_rest_of_means(void **state)
{
    fitted f = {0}, g = {0};
    cairn_table *largest, *only;
    double rejected = 0;
    assert_ok(*state, fit_rows(*state, &f, "one-vs-rest:learner=basic-linear"));
    assert_ok(*state, fit_rows(*state, &g, "one-vs-rest:learner=basic-linear,ovr=reject"));
    assert_ok(*state, cairn_model_predict(*state, &largest, f.model, f.table, true));
    assert_ok(*state, cairn_model_predict(*state, &only, g.model, f.table, false));
    for (size_t i = 0; i < N; i++) {
        size_t fired = 0;
        for (size_t c = 0; c < 3; c++) {
            double score = (from_mean(i, c, true) - from_mean(i, c, false)) / 2;
            fired += score > 0;
            assert_true(fabs(cairn_table_numbers(largest, 1 + c)[i] - score) < 1e-9);
        }
        assert_int_equal(cairn_table_codes(only, 0)[i] < 0, fired != 1);
        rejected += fired != 1;
    }
    assert_value(g.report, "training.rejected", rejected, 0);
    assert_true(rejected > 0);
    cairn_table_free(largest);
    cairn_table_free(only);
    drop(&f);
    drop(&g);
}

/* The example of the three decoders: signs, sums of losses, and a zero of each. */
static void test_codes__decoders(void **state)
{
    static const double scores[] = {5, -0.5, 4, -0.5, 4, 0.5},
                        none[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    static const double distances[] = {2.5, 3.5, 1.5, 4.5};
    double values[4];
    cairn_code_matrix m;
    cairn_decoding how = {.decoder = CAIRN_DECODE_DISTANCE};
    assert_ok(*state, cairn_codes_one_vs_one(*state, &m, 4));
    assert_int_equal(m.n_models, 6);
    assert_int_equal(cairn_decode(&m, &how, scores, NULL, values).class, 2);
    for (size_t j = 0; j < 4; j++) assert_true(values[j] == distances[j]);
    how.decoder = CAIRN_DECODE_VOTE;
    assert_int_equal(cairn_decode(&m, &how, scores, NULL, values).class, 2);
    /* votes are (k − 1)(k + 2)/4 less the distance */
    for (size_t j = 0; j < 4; j++) assert_true(values[j] == 4.5 - distances[j]);
    assert_ok(*state, cairn_decoding_parse(*state, &how, "decode", "loss:exponential"));
    assert_int_equal(cairn_decode(&m, &how, scores, NULL, values).class, 0);
    assert_true(fabs(values[0] - (exp(-5) + exp(0.5) + exp(-4) + 3)) < 1e-12);
    assert_int_equal(cairn_decode(&m, &how, none, NULL, values).class, -1);
    assert_int_equal(cairn_decoding_parse(*state, &how, "decode", "loss:lost"), CAIRN_USAGE);
}

/* A circle of votes: the larger sum of scores, the first class, or chance. */
static void test_codes__ties(void **state)
{
    static const double scores[] = {1, -2, 1}; /* a over b, c over a by more, b over c */
    double values[3];
    cairn_code_matrix m;
    cairn_decoding how = {.decoder = CAIRN_DECODE_VOTE};
    cairn_random random;
    size_t seen[3] = {0};
    assert_ok(*state, cairn_codes_one_vs_one(*state, &m, 3));
    cairn_decoded d = cairn_decode(&m, &how, scores, NULL, values);
    assert_true(d.ambiguous);
    assert_int_equal(d.class, 2);
    how.tie = CAIRN_TIE_FIRST;
    assert_int_equal(cairn_decode(&m, &how, scores, NULL, values).class, 0);
    how.tie = CAIRN_TIE_RANDOM;
    cairn_random_start(&random, 1, 0);
    for (size_t i = 0; i < 300; i++) seen[cairn_decode(&m, &how, scores, &random, values).class]++;
    for (size_t c = 0; c < 3; c++) assert_true(seen[c] > 70);
}

static void test_codes__matrices(void **state)
{
    cairn_code_matrix m;
    double bad[] = {1, 1, 1, -1, 1, -1, 1, -1}, apart = 0;
    assert_ok(*state, cairn_codes_exhaustive(*state, &m, 4));
    assert_int_equal(m.n_models, 7);
    assert_ok(*state, cairn_codes_check(*state, &m, "codes"));
    assert_ok(*state, cairn_codes_apart(*state, &m, &apart));
    assert_true(apart == 4);
    assert_ok(*state, cairn_codes_random(*state, &m, 10, 30, 50, 7));
    assert_ok(*state, cairn_codes_check(*state, &m, "codes"));
    assert_int_equal(cairn_codes_random(*state, &m, 10, 2, 5, 7), CAIRN_BAD_DATA);
    m = (cairn_code_matrix){.n_classes = 2, .n_models = 4, .codes = bad};
    assert_int_equal(cairn_codes_check(*state, &m, "codes"), CAIRN_BAD_DATA); /* one sign */
    m = (cairn_code_matrix){.n_classes = 4, .n_models = 2, .codes = bad};
    assert_int_equal(cairn_codes_check(*state, &m, "codes"), CAIRN_BAD_DATA); /* one sign */
    double equal[] = {1, -1, -1, 1, 1, -1};
    m = (cairn_code_matrix){.n_classes = 3, .n_models = 2, .codes = equal};
    assert_int_equal(cairn_codes_check(*state, &m, "codes"), CAIRN_BAD_DATA); /* equal rows */
    double twice[] = {1, 1, -1, -1, 0, 0};
    m = (cairn_code_matrix){.n_classes = 3, .n_models = 2, .codes = twice};
    assert_int_equal(cairn_codes_check(*state, &m, "codes"), CAIRN_BAD_DATA); /* equal columns */
}

/* One against one, written as a matrix, is the same. */
static void test_codes__given_matrix(void **state)
{
    fitted f = {0}, g = {0};
    cairn_table *a, *b;
    assert_ok(*state, fit_rows(*state, &f, "one-vs-one:learner=tree"));
    assert_ok(*state,
              fit_rows(*state, &g,
                       "output-codes:learner=tree,codes=given,matrix=[1,1,0;-1,0,1;0,-1,-1],"
                       "decode=vote"));
    assert_ok(*state, cairn_model_predict(*state, &a, f.model, f.table, true));
    assert_ok(*state, cairn_model_predict(*state, &b, g.model, f.table, true));
    for (size_t i = 0; i < N; i++)
        for (size_t c = 1; c < 4; c++)
            assert_true(cairn_table_numbers(a, c)[i] == cairn_table_numbers(b, c)[i]);
    cairn_table_free(a);
    cairn_table_free(b);
    drop(&f);
    drop(&g);
}

/* Pairs of thousands of classes are refused before a model is fitted. */
static void test_codes__too_many_classes(void **state)
{
    enum { MANY = 3000 };
    double *values = malloc(MANY * 2 * sizeof *values);
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table;
    cairn_model *model = NULL;
    for (size_t i = 0; i < MANY; i++) values[2 * i] = values[2 * i + 1] = (double)i;
    assert_ok(*state, table_of(*state, &table, "x kind", values, MANY, 2));
    assert_ok(*state, cairn_table_set_role(*state, table, "kind", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "one-vs-one:learner=basic-linear"));
    options.task = CAIRN_CLASSIFY;
    assert_int_equal(cairn_model_fit(*state, &model, params, table, &options), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "3000 classes"));
    cairn_params_free(params);
    cairn_table_free(table);
    free(values);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = fit_rows(ctx, &f, data);
    drop(&f);
    return status;
}

static void test_codes__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, (char[]){"one-vs-one:learner=basic-linear"});
    assert_survives_allocation_failures(
        whole_way, (char[]){"output-codes:learner=basic-linear,codes=exhaustive"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_codes__one_vs_one_of_means),
        context_test(test_codes__one_vs_rest_of_means),
        context_test(test_codes__decoders),
        context_test(test_codes__ties),
        context_test(test_codes__matrices),
        context_test(test_codes__given_matrix),
        context_test(test_codes__too_many_classes),
        context_test(test_codes__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
