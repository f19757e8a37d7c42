/* SPDX-License-Identifier: MIT */
/* Bayesian networks against the sum over all outcomes, on random small networks. */
#include "support/unit.h"
#include "base/memory.h"
#include "base/random.h"
#include "stats/bayes_network.h"
#include <math.h>
#include <string.h>

enum { N = 6, NETWORKS = 60 };

static const char *const names_of_variables[N] = {"a", "b", "c", "d", "e", "f"};
static const char *const names_of_values[3] = {"0", "1", "2"};
static const char *const *const value_lists[N] = {names_of_values, names_of_values,
                                                  names_of_values, names_of_values,
                                                  names_of_values, names_of_values};
static const cairn_network_names names = {names_of_variables, value_lists};

/* A network whose arcs go against the numbers as often as with them. */
static void random_network(cairn_context *ctx, cairn_network *out, cairn_random *random)
{
    int32_t n_values[N];
    size_t place[N] = {0, 1, 2, 3, 4, 5}, n_arcs = 0;
    cairn_arc arcs[N * N];
    cairn_random_shuffle(random, place, N);
    for (size_t v = 0; v < N; v++) n_values[v] = 1 + (int32_t)cairn_random_below(random, 3);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            if (cairn_random_uniform(random) < 0.4)
                arcs[n_arcs++] = (cairn_arc){(int32_t)place[i], (int32_t)place[j]};
    assert_ok(ctx, cairn_network_make(ctx, out, N, n_values, arcs, n_arcs, &names));
    for (size_t v = 0; v < N; v++) {
        size_t k = (size_t)n_values[v];
        for (size_t row = 0; row < cairn_network_rows(out, v); row++) {
            double *p = cairn_network_table(out, v) + row * k, sum = 0;
            for (size_t l = 0; l < k; l++) sum += p[l] = 0.05 + cairn_random_uniform(random);
            for (size_t l = 0; l < k; l++) p[l] /= sum;
        }
    }
}

static bool next_outcome(const cairn_network *net, int32_t *values)
{
    for (size_t v = net->n; v-- > 0;) {
        if (++values[v] < net->n_values[v]) return true;
        values[v] = 0;
    }
    return false;
}

static bool agrees(const int32_t *values, const int32_t *evidence)
{
    for (size_t v = 0; v < N; v++)
        if (evidence[v] >= 0 && evidence[v] != values[v]) return false;
    return true;
}

/* P(evidence), and the largest outcome in it. */
static double enumerate(const cairn_network *net, const int32_t *evidence, double *largest)
{
    int32_t values[N] = {0};
    double sum = 0;
    *largest = -1;
    do {
        if (!agrees(values, evidence)) continue;
        double p = cairn_network_joint(net, values);
        sum += p;
        *largest = fmax(*largest, p);
    } while (next_outcome(net, values));
    return sum;
}

static void random_evidence(int32_t *out, const cairn_network *net, cairn_random *random)
{
    for (size_t v = 0; v < N; v++)
        out[v] = cairn_random_uniform(random) < 0.35
                     ? (int32_t)cairn_random_below(random, (uint64_t)net->n_values[v])
                     : CAIRN_UNOBSERVED;
}

static void test_network_ask__is_the_sum_over_all_outcomes(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 1, 0);
    for (size_t round = 0; round < NETWORKS; round++) {
        cairn_network net = {0};
        int32_t evidence[N], wanted[N];
        double largest;
        cairn_factor answer;
        random_network(ctx, &net, &random);
        random_evidence(evidence, &net, &random);
        cairn_network_question q = {.evidence = evidence, .wanted = wanted, .names = &names};
        for (size_t v = 0; v < N && q.n_wanted < 2; v++)
            if (evidence[v] < 0) wanted[q.n_wanted++] = (int32_t)v;
        assert_ok(ctx, cairn_network_ask(ctx, &answer, &net, &q));
        assert_int_equal(answer.n, q.n_wanted);
        for (size_t i = 0; i < answer.size; i++) {
            int32_t asked[N];
            size_t rest = i;
            memcpy(asked, evidence, sizeof asked);
            for (size_t j = answer.n; j-- > 0;) {
                size_t k = (size_t)net.n_values[answer.variables[j]];
                asked[answer.variables[j]] = (int32_t)(rest % k);
                rest /= k;
            }
            assert_true(fabs(answer.p[i] - enumerate(&net, asked, &largest)) < 1e-13);
        }
        cairn_network_clear(&net);
    }
}

static void test_network_explain__finds_the_largest_outcome(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 2, 0);
    for (size_t round = 0; round < NETWORKS; round++) {
        cairn_network net = {0};
        int32_t evidence[N], values[N];
        double p, largest;
        random_network(ctx, &net, &random);
        random_evidence(evidence, &net, &random);
        cairn_network_question q = {.evidence = evidence, .names = &names};
        assert_ok(ctx, cairn_network_explain(ctx, values, &p, &net, &q));
        enumerate(&net, evidence, &largest);
        assert_true(agrees(values, evidence));
        assert_true(fabs(exp(p) - largest) < 1e-15);
        assert_true(fabs(cairn_network_joint(&net, values) - largest) < 1e-15);
        cairn_network_clear(&net);
    }
}

/* Whether P(a, b | known) = P(a | known) P(b | known) for these values of a and b and all of the
 * known variables. */
static bool independent(const cairn_network *net, size_t a, size_t b, const bool *known)
{
    int32_t values[N] = {0};
    double none;
    do {
        int32_t e[N];
        for (size_t v = 0; v < N; v++)
            e[v] = known[v] || v == a || v == b ? values[v] : CAIRN_UNOBSERVED;
        double both = enumerate(net, e, &none);
        e[a] = CAIRN_UNOBSERVED;
        double of_b = enumerate(net, e, &none);
        e[b] = CAIRN_UNOBSERVED;
        double all = enumerate(net, e, &none);
        e[a] = values[a];
        if (fabs(both * all - enumerate(net, e, &none) * of_b) > 1e-14) return false;
    } while (next_outcome(net, values));
    return true;
}

/* A variable of one value is independent of all, whatever the graph says. */
static void test_network_separates__is_independence(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    size_t n_separated = 0;
    cairn_random_start(&random, 3, 0);
    for (size_t round = 0; round < 20; round++) {
        cairn_network net = {0};
        bool known[N], separated, varies = true;
        size_t a = cairn_random_below(&random, N), b = (a + 1 + cairn_random_below(&random, 5)) % N;
        random_network(ctx, &net, &random);
        for (size_t v = 0; v < N; v++) {
            known[v] = v != a && v != b && cairn_random_uniform(&random) < 0.3;
            varies = varies && net.n_values[v] > 1;
        }
        assert_ok(ctx, cairn_network_separates(ctx, &separated, &net, a, b, known, NULL));
        if (separated) assert_true(independent(&net, a, b, known));
        if (varies) assert_int_equal(separated, independent(&net, a, b, known));
        n_separated += separated;
        cairn_network_clear(&net);
    }
    assert_true(n_separated > 0 && n_separated < 20);
}

static void test_network_estimated__comes_near(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 4, 0);
    for (size_t round = 0; round < 4; round++) {
        cairn_network net = {0};
        int32_t evidence[N] = {-1, -1, -1, -1, -1, 0}, first = 0;
        cairn_factor exact;
        cairn_network_estimate estimate;
        random_network(ctx, &net, &random);
        cairn_network_question q = {
            .evidence = evidence, .wanted = &first, .n_wanted = 1, .names = &names};
        assert_ok(ctx, cairn_network_ask(ctx, &exact, &net, &q));
        double sum = 0;
        for (size_t l = 0; l < exact.size; l++) sum += exact.p[l];
        for (int weighted = 0; weighted < 2; weighted++) {
            assert_ok(ctx, cairn_network_estimated(ctx, &estimate, &net, 0, evidence, 100000,
                                                   weighted, 0));
            for (size_t l = 0; l < exact.size; l++)
                assert_true(fabs(estimate.p[l] - exact.p[l] / sum) < 0.01);
        }
        assert_int_equal(estimate.n_agreeing, 100000);
        cairn_network_clear(&net);
    }
}

static void test_network_make__names_a_circle(void **state)
{
    cairn_context *ctx = *state;
    const int32_t n_values[N] = {2, 2, 2, 2, 2, 2};
    const cairn_arc arcs[] = {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}, loop[] = {{2, 2}};
    cairn_network net = {0};
    assert_fails(ctx, cairn_network_make(ctx, &net, N, n_values, arcs, 5, &names), CAIRN_BAD_DATA,
                 "b -> c -> d -> b");
    assert_fails(ctx, cairn_network_make(ctx, &net, N, n_values, loop, 1, &names), CAIRN_BAD_DATA,
                 "'c' has an arc to itself");
}

static void test_network_parameters__are_free_numbers(void **state)
{
    cairn_context *ctx = *state;
    const int32_t n_values[N] = {2, 2, 2, 2, 2, 3};
    const cairn_arc arcs[] = {{0, 2}, {1, 2}, {1, 2}, {2, 3}, {2, 5}};
    cairn_network net = {0};
    assert_ok(ctx, cairn_network_make(ctx, &net, N, n_values, arcs, 5, &names));
    assert_int_equal(cairn_network_n_parents(&net, 2), 2);
    assert_true(cairn_network_parameters(&net) == 1 + 1 + 4 + 2 + 1 + 4);
    assert_int_equal(cairn_network_row_value(&net, 2, 2, 0), 1);
    assert_int_equal(cairn_network_row_value(&net, 2, 2, 1), 0);
    cairn_network_clear(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_network_ask__is_the_sum_over_all_outcomes),
        context_test(test_network_explain__finds_the_largest_outcome),
        context_test(test_network_separates__is_independence),
        context_test(test_network_estimated__comes_near),
        context_test(test_network_make__names_a_circle),
        context_test(test_network_parameters__are_free_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
