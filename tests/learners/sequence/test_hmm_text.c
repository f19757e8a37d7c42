/* SPDX-License-Identifier: MIT */
/* The text form of Markov models: what it holds, what it refuses and where; sequences at random. */
#include "learners/sequence/hmm.h"
#include "support/unit.h"

#include <math.h>
#include <stdlib.h>

static const char coins[] = "# two coins behind a curtain\n"
                            "states  fair loaded\n"
                            "symbols H T\n"
                            "start   0.6 0.4\n"
                            "from fair    0.7 0.3   # stays mostly\n"
                            "from loaded  0.4 0.6\n"
                            "emit fair    1/2 1/2\n"
                            "emit loaded  0.8, 0.2\n";

static cairn_status read_text(void *state, cairn_hmm *out, const char *text)
{
    return cairn_hmm_read(state, out, "model", text, strlen(text));
}

static void test_hmm_text__coins(void **state)
{
    cairn_hmm m = {0};
    assert_ok(*state, read_text(*state, &m, coins));
    assert_int_equal(m.n_states, 2);
    assert_int_equal(m.n_symbols, 2);
    assert_int_equal(m.n_numbers, 0);
    assert_string_equal(cairn_map_key(&m.states, 1), "loaded");
    assert_string_equal(cairn_map_key(&m.symbols, 0), "H");
    assert_true(m.start[0] == 0.6 && m.move[1] == 0.3 && m.move[2] == 0.4);
    assert_true(m.emit[0] == 0.5 && m.emit[2] == 0.8);
    cairn_hmm_clear(&m);
}

static void test_hmm_text__one_line_and_names_in_quotes(void **state)
{
    cairn_hmm m = {0};
    assert_ok(
        *state,
        read_text(*state, &m, "states \"very; wet\" dry; from \"very; wet\" 1/3 2/3;from dry 0 1"));
    assert_string_equal(cairn_map_key(&m.states, 0), "very; wet");
    assert_true(m.start[0] == 0.5 && m.start[1] == 0.5); /* none was said */
    assert_true(m.move[0] == 1 / 3.0 && m.move[3] == 1);
    assert_null(m.emit);
    cairn_hmm_clear(&m);
}

static void test_hmm_text__vectors(void **state)
{
    cairn_hmm m = {0};
    assert_ok(*state, read_text(*state, &m,
                                "states a b; from a 1 0; from b 0 1; mean a 1 2; mean b -3 4e1;"
                                "covariance a 4 9; covariance b 2 1 1 3"));
    static const double wanted[] = {4, 0, 0, 9, 2, 1, 1, 3};
    assert_int_equal(m.n_numbers, 2);
    for (int i = 0; i < 8; i++) assert_true(m.covariance[i] == wanted[i]);
    assert_true(m.mean[2] == -3 && m.mean[3] == 40);
    cairn_hmm_clear(&m);
}

static void test_hmm_text__written_and_read_again(void **state)
{
    static const char *const texts[] = {
        coins, "states \"very; wet\" dry; from \"very; wet\" 1/3 2/3;from dry 0 1",
        "states a; from a 1; mean a 0.1 1/7; covariance a 2 1 1 3"};
    for (int i = 0; i < 3; i++) {
        SCOPED(cairn_text_clear) cairn_text first = cairn_text_start(*state);
        SCOPED(cairn_text_clear) cairn_text second = cairn_text_start(*state);
        cairn_hmm m = {0}, again = {0};
        assert_ok(*state, read_text(*state, &m, texts[i]));
        cairn_hmm_write(&first, &m);
        assert_ok(*state, read_text(*state, &again, cairn_text_string(&first)));
        cairn_hmm_write(&second, &again);
        assert_string_equal(cairn_text_string(&first), cairn_text_string(&second));
        assert_memory_equal(m.move, again.move, m.n_states * m.n_states * sizeof *m.move);
        cairn_hmm_clear(&m);
        cairn_hmm_clear(&again);
    }
}

static void test_hmm_text__refusals(void **state)
{
    static const char *const cases[][2] = {
        {"", "a line 'states' with the names"},
        {"states", "line 1: 0 names of states"},
        {"states a a", "line 1: 'a' stands there twice"},
        {"states a b\nfrom a 0.5 0.6\nfrom b 0 1", "from a: the probabilities sum to 1.1"},
        {"states a b\nfrom a 1.5 -0.5\nfrom b 0 1", "the probability of 'a' is 1.5"},
        {"states a b\nfrom a 1 0", "a line 'from b'"},
        {"states a b\nfrom a 1 0\nfrom a 1 0", "line 3: a second line 'from a'"},
        {"states a b\nstates a b", "line 2: a second line 'states'"},
        {"states a b\nfrom a 1 0 0", "line 2: 3 numbers stand there for 2 states"},
        {"states a b\nfrom a 1 x", "line 2: 'x' is not a number"},
        {"states a b\nfrom a 1 1/0", "line 2: '1/0' is not a number"},
        {"states rain sun\nfrom rian 1 0", "line 2: there is no state 'rian'; did you mean 'rain'"},
        {"states a b\nfrm a 1 0", "did you mean 'from'"},
        {"states a b\nfrom", "line 2: behind 'from'"},
        {"states a\nfrom a 1\nemit a 1", "line 3: 'emit' needs a line 'symbols'"},
        {"states a\nsymbols x y\nfrom a 1", "a line 'emit a'"},
        {"states a\nsymbols x y\nfrom a 1\nemit a 1", "1 numbers stand there for 2 symbols"},
        {"states a\nsymbols x y\nfrom a 1\nmean a 1", "line 4: states give off symbols (line 2)"},
        {"states a\nfrom a 1\nmean a 1\ncovariance a 0", "variances must be above 0"},
        {"states a\nfrom a 1\nmean a 1 1\ncovariance a 1 2 3 1", "both triangles the same"},
        {"states a b\nstart 0.5 0.4\nfrom a 1 0\nfrom b 1 0",
         "start: the probabilities sum to 0.9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_hmm m = {0};
        assert_fails(*state, read_text(*state, &m, cases[i][0]), CAIRN_BAD_DATA, cases[i][1]);
        assert_null(m.start);
    }
}

/* Shares of states, moves and symbols are those of the model; 0.004 is four deviations and more. */
static void test_hmm_text__sequences_at_random(void **state)
{
    enum { N = 200000 };
    cairn_hmm m = {0};
    cairn_random random;
    int32_t *states = malloc(N * sizeof *states), *symbols = malloc(N * sizeof *symbols);
    double moves[4] = {0}, seen[4] = {0};
    assert_true(states && symbols);
    assert_ok(*state, read_text(*state, &m, coins));
    cairn_random_start(&random, 1, 0);
    assert_ok(*state, cairn_hmm_sample(*state, &m, &random, N, states, symbols, NULL));
    for (int t = 0; t < N; t++) {
        seen[2 * states[t] + symbols[t]]++;
        if (t) moves[2 * states[t - 1] + states[t]]++;
    }
    assert_true(fabs(moves[0] / (moves[0] + moves[1]) - 0.7) < 0.006);
    assert_true(fabs(moves[2] / (moves[2] + moves[3]) - 0.4) < 0.008);
    assert_true(fabs(seen[0] / (seen[0] + seen[1]) - 0.5) < 0.007);
    assert_true(fabs(seen[2] / (seen[2] + seen[3]) - 0.8) < 0.006);
    assert_true(fabs((seen[0] + seen[1]) / N - 4 / 7.0) < 0.008); /* 0.4 / (0.3 + 0.4) */
    free(states);
    free(symbols);
    cairn_hmm_clear(&m);
}

static void test_hmm_text__vectors_at_random(void **state)
{
    enum { N = 100000 };
    cairn_hmm m = {0};
    cairn_random random;
    int32_t *states = malloc(N * sizeof *states);
    double *x = malloc(2 * N * sizeof *x), sums[5] = {0};
    assert_true(states && x);
    assert_ok(*state,
              read_text(*state, &m, "states a; from a 1; mean a 1 -2; covariance a 2 1 1 3"));
    cairn_random_start(&random, 1, 0);
    assert_ok(*state, cairn_hmm_sample(*state, &m, &random, N, states, NULL, x));
    for (int t = 0; t < N; t++) {
        double u = x[2 * t] - 1, v = x[2 * t + 1] + 2;
        double terms[5] = {u, v, u * u, u * v, v * v};
        for (int k = 0; k < 5; k++) sums[k] += terms[k] / N;
    }
    static const double wanted[5] = {0, 0, 2, 1, 3};
    for (int k = 0; k < 5; k++) assert_true(fabs(sums[k] - wanted[k]) < 0.06);
    free(states);
    free(x);
    cairn_hmm_clear(&m);
}

/* What is no covariance fails when vectors are drawn. */
static void test_hmm_text__no_covariance(void **state)
{
    cairn_hmm m = {0};
    cairn_random random;
    int32_t states[1];
    double x[2];
    assert_ok(*state,
              read_text(*state, &m, "states a; from a 1; mean a 0 0; covariance a 1 2 2 1"));
    cairn_random_start(&random, 1, 0);
    assert_fails(*state, cairn_hmm_sample(*state, &m, &random, 1, states, NULL, x), CAIRN_BAD_DATA,
                 "not positive definite");
    cairn_hmm_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hmm_text__coins),
        context_test(test_hmm_text__one_line_and_names_in_quotes),
        context_test(test_hmm_text__vectors),
        context_test(test_hmm_text__written_and_read_again),
        context_test(test_hmm_text__refusals),
        context_test(test_hmm_text__sequences_at_random),
        context_test(test_hmm_text__vectors_at_random),
        context_test(test_hmm_text__no_covariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
