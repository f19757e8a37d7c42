/* SPDX-License-Identifier: MIT */
/* Networks: solvers, reasons to end, bad settings. */
#include "support/fail_alloc.h"
#include "support/learn.h"

/* x, t */
static const double rows[] = {0, 0.1, 0.2, 1, 0.4, 0.8, 0.6, 0.1, 0.8, -0.6, 1, -0.9, 1.2, 0.2};

/* Without a hidden layer and with a linear output it ends at the least squares, 0.625 − 0.875 x. */
static void test_network__one_linear_node_is_least_squares(void **state)
{
    fitted f = fit_numbers(*state,
                           "network:hidden=0,init=small,target_scale=none,solver=lbfgs,"
                           "change=1e-15,epochs=500",
                           "x t", rows, 7, 2, "t");
    assert_value(f.report, "weight.o1.bias", 0.625, 1e-5);
    assert_value(f.report, "weight.o1.x", -0.875, 1e-5);
    drop(&f);
}

/* Online, every row once in its order: w += η (t − y) (1, x) by hand. Drawn rows come with repeats
 * and end elsewhere than all in order, but near by. */
static void test_network__protocols(void **state)
{
    double w[2] = {0, 0}, found;
    for (int i = 0; i < 7; i++) {
        double x = rows[2 * i], away = rows[2 * i + 1] - (w[0] + w[1] * x);
        w[0] += 0.1 * away;
        w[1] += 0.1 * away * x;
    }
    fitted f = fit_numbers(*state,
                           "network:start=\"t = linear(0 + 0*x)\",target_scale=none,update=row,"
                           "protocol=online,eta=0.1,keep-best=no",
                           "x t", rows, 7, 2, "t");
    assert_value(f.report, "weight.o1.bias", w[0], 1e-12);
    assert_value(f.report, "weight.o1.x", w[1], 1e-12);
    drop(&f);
    f = fit_numbers(*state,
                    "network:start=\"t = linear(0 + 0*x)\",target_scale=none,update=row,"
                    "protocol=random,eta=0.05,epochs=400",
                    "x t", rows, 7, 2, "t");
    assert_true(cairn_report_number(f.report, "weight.o1.x", &found));
    assert_true(fabs(found + 0.875) < 0.4 && fabs(found + 0.875) > 1e-6);
    drop(&f);
}

/* Every solver lowers the error of a loop that no line follows. */
static void test_network__solvers_learn(void **state)
{
    static const char *const specs[] = {
        "network:hidden=6,epochs=2000,eta=0.1",
        "network:hidden=6,epochs=2000,solver=momentum,batch-size=3",
        "network:hidden=6,epochs=2000,solver=nesterov,batch-size=3",
        "network:hidden=6,epochs=2000,solver=adam,batch-size=3",
        "network:hidden=6,epochs=2000,solver=lbfgs",
        "network:hidden=6,epochs=3000,update=epoch,eta=0.05",
        "network:hidden=\"6,4\",epochs=2000,solver=adam,activation=\"tanh,relu\"",
        "network:hidden=6,epochs=2000,solver=adam,biases=layer",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted f = fit_numbers(*state, specs[i], "x t", rows, 7, 2, "t");
        double rms;
        assert_true(cairn_report_number(f.report, "training.rms", &rms));
        if (!(rms < 0.5)) fail_msg("%s: rms %g", specs[i], rms); /* a line: 0.83 */
        drop(&f);
    }
}

/* Single precision learns the same with any number of threads, and nearly what double does. */
static void test_network__threads_do_not_show(void **state)
{
    enum { ROWS = 700, INPUTS = 30 };
    static double many[ROWS * (INPUTS + 1)];
    char names[(INPUTS + 1) * 8] = "";
    double weight[4];
    for (size_t i = 0; i < ROWS; i++) {
        double *row = many + i * (INPUTS + 1);
        for (size_t j = 0; j < INPUTS; j++) row[j] = sin((double)(i * 37 + j * j * 11));
        row[INPUTS] = row[0] * row[1] + row[2];
    }
    for (size_t j = 0; j <= INPUTS; j++)
        snprintf(names + strlen(names), 8, j < INPUTS ? "x%zu " : "t", j);
    for (size_t k = 0; k < 4; k++) {
        cairn_context_set_threads(*state, (int)(k % 3) + 1);
        fitted f =
            fit_numbers(*state,
                        k < 3 ? "network:hidden=\"40,9\",solver=adam,batch-size=350,epochs=6,"
                                "activation=\"relu,tanh\",precision=single,dropout=0.1"
                              : "network:hidden=\"40,9\",solver=adam,batch-size=350,epochs=6,"
                                "activation=\"relu,tanh\",precision=double,dropout=0.1",
                        names, many, ROWS, INPUTS + 1, "t");
        assert_true(cairn_report_number(f.report, "weight.h1\\.7.x3", &weight[k]));
        drop(&f);
    }
    assert_true(weight[0] == weight[1] && weight[0] == weight[2]);
    assert_true(fabs(weight[0] - weight[3]) < 1e-4);
}

static void test_network__ends_for_a_reason(void **state)
{
    const struct {
        const char *spec, *ended;
    } ends[] = {
        {"network:epochs=3", "all epochs were done"},
        {"network:epochs=500,level=10", "the error reached the level"},
        {"network:epochs=500,change=10", "an epoch hardly changed the error"},
        {"network:epochs=500,stable=10", "the weights are stable"},
        {"network:epochs=500,hold-out=0.3,patience=1,eta=1e-300", "the rows held out"},
        {"network:epochs=500,eta=1e6", "the error grew beyond all bounds"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        fitted f = fit_numbers(*state, ends[i].spec, "x t", rows, 7, 2, "t");
        const char *ended = cairn_report_string(f.report, "ended");
        if (!ended || !strstr(ended, ends[i].ended)) fail_msg("%s: %s", ends[i].spec, ended);
        drop(&f);
    }
}

static void test_network__refuses(void **state)
{
    const struct {
        const char *spec, *says;
        cairn_status status;
    } bad[] = {
        {"network:hidden=2.5", "whole number", CAIRN_USAGE},
        {"network:hidden=\"3,0\"", "whole number", CAIRN_USAGE},
        {"network:activation=step", "no slope", CAIRN_USAGE},
        {"network:activation=softmax", "no slope", CAIRN_USAGE},
        {"network:hidden=\"3,2\",activation=\"tanh,tanh,relu\"", "one for each", CAIRN_USAGE},
        {"network:output=sigm", "no activation function", CAIRN_USAGE},
        {"network:loss=log", "probabilities of classes", CAIRN_USAGE},
        {"network:hold-out=0.01", "no row to hold out", CAIRN_USAGE},
        {"network:start=nowhere.txt", "nowhere.txt", CAIRN_FILE_ERROR},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fitted f = {0};
        assert_ok(*state, table_of(*state, &f.table, "x t", rows, 7, 2));
        cairn_status status = learn(*state, &f.model, &f.report, f.table, bad[i].spec, "t", NULL);
        if (status != bad[i].status || !strstr(cairn_message(*state), bad[i].says))
            fail_msg("%s: %d %s", bad[i].spec, (int)status, cairn_message(*state));
        drop(&f);
    }
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x t", rows, 7, 2);
    if (status == CAIRN_OK) status = learn(ctx, &f.model, &f.report, f.table, data, "t", NULL);
    drop(&f);
    return status;
}

static void test_network__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, (void *)"network:hidden=2,epochs=2");
    assert_survives_allocation_failures(whole_way, (void *)"network:hidden=2,epochs=2,solver=adam,"
                                                           "dropout=0.2,held=0.3");
    assert_survives_allocation_failures(whole_way,
                                        (void *)"network:hidden=2,epochs=2,solver=lbfgs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_network__one_linear_node_is_least_squares),
        context_test(test_network__protocols),
        context_test(test_network__solvers_learn),
        context_test(test_network__threads_do_not_show),
        context_test(test_network__ends_for_a_reason),
        context_test(test_network__refuses),
        context_test(test_network__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
