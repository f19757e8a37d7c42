/* SPDX-License-Identifier: MIT */
/* Hidden Markov models against all paths, one by one, and fast passes against plain tables. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/sequence/hmm.h"
#include "support/unit.h"

#include <math.h>
#include <stdio.h>

/* -- models and sequences at random -- */

static void fill_shares(cairn_random *random, double *row, size_t n, bool gaps)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        row[j] = gaps && j % 3 == 2 ? 0 : 0.05 + cairn_random_uniform(random);
        sum += row[j];
    }
    for (size_t j = 0; j < n; j++) row[j] /= sum;
}

static void add_names(void *state, cairn_map *names, size_t n, char letter)
{
    for (size_t i = 0; i < n; i++) {
        char name[16];
        size_t index;
        int length = snprintf(name, sizeof name, "%c%zu", letter, i);
        assert_ok(state, cairn_map_add(state, names, name, (size_t)length, &index));
    }
}

static cairn_hmm random_model(void *state, cairn_random *random, size_t n, size_t symbols, size_t d)
{
    cairn_hmm m = {0};
    assert_ok(state, cairn_hmm_make(state, &m, n, symbols, d));
    add_names(state, &m.states, n, 's');
    add_names(state, &m.symbols, symbols, 'o');
    fill_shares(random, m.start, n, false);
    for (size_t i = 0; i < n; i++) {
        fill_shares(random, m.move + i * n, n, n > 3);
        if (symbols) fill_shares(random, m.emit + i * symbols, symbols, false);
        for (size_t k = 0; k < d; k++) {
            m.mean[i * d + k] = 100 + 3 * cairn_random_normal(random);
            for (size_t l = 0; l < d; l++) m.covariance[(i * d + k) * d + l] = k == l ? 2 : 0.5;
        }
    }
    return m;
}

typedef struct drawn {
    cairn_hmm_data data;
    size_t begins[64];
    int32_t *symbols, *states;
    double *numbers;
} drawn;

/* Sequences of these lengths, of which some steps are missing. */
static void draw(void *state, drawn *out, const cairn_hmm *m, cairn_random *random,
                 const size_t *lengths, size_t n)
{
    for (size_t i = 0; i < n; i++) out->begins[i + 1] = out->begins[i] + lengths[i];
    size_t steps = out->begins[n];
    assert_ok(state, SCRATCH(state, &out->states, steps));
    assert_ok(state, SCRATCH(state, &out->symbols, steps));
    assert_ok(state, SCRATCH(state, &out->numbers, steps * (m->n_numbers + 1)));
    for (size_t i = 0; i < n; i++)
        assert_ok(state,
                  cairn_hmm_sample(state, m, random, lengths[i], out->states + out->begins[i],
                                   out->symbols + out->begins[i],
                                   out->numbers + out->begins[i] * m->n_numbers));
    for (size_t t = 3; t < steps; t += 7) {
        out->symbols[t] = -1;
        if (m->n_numbers) out->numbers[t * m->n_numbers + m->n_numbers - 1] = NAN;
    }
    out->data = (cairn_hmm_data){.n = n,
                                 .begins = out->begins,
                                 .symbols = m->n_symbols ? out->symbols : NULL,
                                 .numbers = m->n_symbols ? NULL : out->numbers};
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

/* -- all paths -- */

/* P(path, sequence) of every path of n^T: their sum is the likelihood, the largest is Viterbi's,
 * and those through a state at a step make its posterior. */
static void check_paths(void *state, const cairn_hmm *m, const cairn_hmm_seen *seen)
{
    SCOPED_SCRATCH(state);
    cairn_hmm_tables x;
    cairn_hmm_normals normals;
    cairn_hmm_filling buffer;
    size_t n = m->n_states, n_paths = 1, at[8];
    double b[8][8], through[8][8] = {{0}}, total = 0, best = 0;
    assert_ok(state, cairn_hmm_tables_make(state, &x, m, seen));
    assert_ok(state, cairn_hmm_normals_make(state, &normals, m));
    assert_ok(state, cairn_hmm_filling_make(state, &buffer, m->n_numbers));
    for (size_t t = 0; t < seen->n; t++) {
        n_paths *= n;
        cairn_hmm_step_logs(b[t], m, &normals, seen, t, &buffer);
    }
    for (size_t k = 0; k < n_paths; k++) {
        double p = 1;
        for (size_t t = 0, rest = k; t < seen->n; t++, rest /= n) at[t] = rest % n;
        for (size_t t = 0; t < seen->n; t++)
            p *= (t ? m->move[at[t - 1] * n + at[t]] : m->start[at[t]]) * cairn_exp(b[t][at[t]]);
        for (size_t t = 0; t < seen->n; t++) through[t][at[t]] += p;
        total += p;
        best = fmax(best, p);
    }
    assert_true(near(x.log_p, cairn_log(total), 1e-12));
    assert_true(near(x.log_path, cairn_log(best), 1e-12));
    for (size_t t = 0; t < seen->n; t++)
        for (size_t j = 0; j < n; j++)
            assert_true(near(x.gamma[t * n + j], through[t][j] / total, 1e-12));
}

static void test_hmm_tables__agree_with_all_paths(void **state)
{
    cairn_random random;
    cairn_random_start(&random, 5, 0);
    for (size_t round = 0; round < 12; round++) {
        SCOPED_SCRATCH(*state);
        size_t lengths[] = {1, 2, 5, 6};
        cairn_hmm m = random_model(*state, &random, 1 + round % 4, round % 2 ? 3 : 0,
                                   round % 2 ? 0 : 1 + round % 3);
        drawn d = {0};
        draw(*state, &d, &m, &random, lengths, 4);
        for (size_t i = 0; i < 4; i++) {
            cairn_hmm_seen seen = cairn_hmm_sequence(&d.data, m.n_numbers, i);
            check_paths(*state, &m, &seen);
        }
        cairn_hmm_clear(&m);
    }
}

/* A vector with a missing number has the density of the others, wherever they stand. */
static void test_hmm_tables__vectors_with_gaps(void **state)
{
    SCOPED_SCRATCH(*state);
    static const char text[] =
        "states a b; from a 0.5 0.5; from b 0.5 0.5; mean a 1 2 3; mean b 4 5 6;"
        "covariance a 4 1 0.5 1 9 2 0.5 2 16; covariance b 1 0.2 0.1 0.2 2 0.3 0.1 0.3 3";
    static const double numbers[] = {NAN, 1.5, NAN, 2.5, NAN, 7, NAN, NAN, NAN};
    cairn_hmm m = {0};
    cairn_hmm_tables x;
    cairn_hmm_seen seen = {3, NULL, numbers};
    assert_ok(*state, cairn_hmm_read(*state, &m, "model", text, strlen(text)));
    assert_ok(*state, cairn_hmm_tables_make(*state, &x, &m, &seen));
    /* ln of a normal density of variance 9 and 2, at 1.5 */
    assert_true(near(x.logs[0], -0.5 * log(2 * M_PI * 9) - 0.25 / 18, 1e-12));
    assert_true(near(x.logs[1], -0.5 * log(2 * M_PI * 2) - 12.25 / 4, 1e-12));
    /* of two numbers: covariances (4, 0.5; 0.5, 16) and (1, 0.1; 0.1, 3) */
    double a = (16 * 2.25 - 2 * 0.5 * 1.5 * 4 + 4 * 16) / 63.75,
           b = (3 * 2.25 + 2 * 0.1 * 1.5 + 1) / 2.99;
    assert_true(near(x.logs[2], -log(2 * M_PI) - 0.5 * log(63.75) - a / 2, 1e-12));
    assert_true(near(x.logs[3], -log(2 * M_PI) - 0.5 * log(2.99) - b / 2, 1e-12));
    assert_true(x.logs[4] == 0 && x.logs[5] == 0);
    cairn_hmm_clear(&m);
}

/* -- fast passes -- */

/* The last number of a vector, given the others: of the covariances here, 2 on the diagonal and 0.5
 * beside it, the inverse of the others' part times ones is ones / (1.5 + 0.5 (d - 1)). */
static double expect_last(const cairn_hmm *m, size_t state, const double *v, double *spread)
{
    size_t d = m->n_numbers;
    double others = (double)d - 1, slope = 0.5 / (1.5 + 0.5 * others), off = 0;
    for (size_t k = 0; k + 1 < d; k++) off += v[k] - m->mean[state * d + k];
    *spread = 2 - 0.5 * slope * others;
    return m->mean[state * d + d - 1] + slope * off;
}

/* Moments of one state and step, as sums of the plain tables. */
static void add_plain(cairn_hmm_sums *sums, const cairn_hmm *m, const cairn_hmm_seen *seen,
                      const cairn_hmm_tables *x, double weight, const double *shift)
{
    size_t n = m->n_states, d = m->n_numbers, width = 1 + d + d * (d + 1) / 2;
    for (size_t j = 0; j < n; j++) sums->start[j] += weight * x->gamma[j];
    for (size_t t = 0; t + 1 < x->n_steps; t++)
        for (size_t k = 0; k < n * n; k++)
            sums->move[k] += weight * cairn_hmm_tables_xi(x, m, t, k / n, k % n);
    for (size_t t = 0; t < seen->n; t++)
        for (size_t j = 0; j < n; j++) {
            double share = weight * x->gamma[t * n + j];
            const double *v = seen->symbols ? NULL : seen->numbers + t * d;
            if (!v && seen->symbols[t] >= 0) sums->emit[(size_t)seen->symbols[t] * n + j] += share;
            if (!v || (d == 1 && isnan(*v))) continue;
            double *to = sums->normal + j * width, off[8], spread = 0;
            for (size_t k = 0; k < d; k++) off[k] = v[k] - shift[k];
            if (isnan(v[d - 1])) off[d - 1] = expect_last(m, j, v, &spread) - shift[d - 1];
            *to++ += share;
            for (size_t k = 0; k < d; k++) *to++ += share * off[k];
            for (size_t k = 0; k < d; k++)
                for (size_t l = k; l < d; l++)
                    *to++ += share * (off[k] * off[l] + (k == d - 1 ? spread : 0));
        }
}

/* Everything that the passes give, against one table after the other. */
static void check_passes(void *state, const cairn_hmm *m, const cairn_hmm_data *data)
{
    SCOPED_SCRATCH(state);
    cairn_hmm_plan *plan;
    cairn_hmm_sums fast, plain;
    double *logs, *gamma, *path_logs;
    int32_t *states;
    size_t n = m->n_states, steps = data->begins[data->n];
    assert_ok(state, cairn_hmm_plan_make(state, &plan, m, data));
    assert_ok(state, cairn_hmm_sums_make(state, &fast, m));
    assert_ok(state, cairn_hmm_sums_make(state, &plain, m));
    assert_ok(state, SCRATCH(state, &logs, data->n));
    assert_ok(state, SCRATCH(state, &path_logs, data->n));
    assert_ok(state, SCRATCH(state, &gamma, steps * n));
    assert_ok(state, SCRATCH(state, &states, steps));
    cairn_hmm_wanted wanted = {logs, &fast, gamma};
    assert_ok(state, cairn_hmm_expect(state, &wanted, plan, m, data));
    assert_ok(state, cairn_hmm_paths(state, states, path_logs, m, data));
    for (size_t i = 0; i < data->n; i++) {
        cairn_hmm_seen seen = cairn_hmm_sequence(data, m->n_numbers, i);
        cairn_hmm_tables x;
        if (!seen.n) continue;
        assert_ok(state, cairn_hmm_tables_make(state, &x, m, &seen));
        add_plain(&plain, m, &seen, &x, data->weights ? data->weights[i] : 1, fast.shift);
        assert_true(near(logs[i], x.log_p, 1e-10));
        assert_true(near(path_logs[i], x.log_path, 1e-10));
        for (size_t t = 0; t < seen.n; t++) {
            assert_int_equal(states[data->begins[i] + t], x.path[t]);
            for (size_t j = 0; j < n; j++)
                assert_true(near(gamma[(data->begins[i] + t) * n + j], x.gamma[t * n + j], 1e-9));
        }
    }
    for (size_t i = 0; i < fast.size; i++) assert_true(near(fast.start[i], plain.start[i], 1e-8));
}

static void test_hmm_expect__agrees_with_tables(void **state)
{
    static const size_t states[] = {1, 2, 4, 7, 13, 30};
    size_t lengths[] = {1, 700, 3, 255, 256, 257, 1030, 0, 12, 513, 2, 40};
    double weights[] = {1, 2, 0, 1, 0.5, 1, 1, 3, 1, 1, 2, 1};
    cairn_random random;
    cairn_random_start(&random, 9, 0);
    for (size_t round = 0; round < 12; round++) {
        SCOPED_SCRATCH(*state);
        bool symbols = round % 2;
        cairn_hmm m = random_model(*state, &random, states[round / 2], symbols ? 5 : 0,
                                   symbols ? 0 : 1 + round % 4);
        drawn d = {0};
        draw(*state, &d, &m, &random, lengths, 12);
        if (round % 3) d.data.weights = weights;
        check_passes(*state, &m, &d.data);
        cairn_hmm_clear(&m);
    }
}

/* A state that can never be, and one symbol that only it gives off. */
static void test_hmm_expect__impossible(void **state)
{
    SCOPED_SCRATCH(*state);
    static const char text[] = "states a b; symbols x y; start 1 0; from a 1 0; from b 0 1;"
                               "emit a 1 0; emit b 0 1";
    cairn_hmm m = {0};
    int32_t symbols[600] = {0}, path[600];
    size_t begins[] = {0, 300, 600};
    double logs[2], path_logs[2];
    cairn_hmm_plan *plan;
    assert_ok(*state, cairn_hmm_read(*state, &m, "model", text, strlen(text)));
    symbols[270] = 1;
    cairn_hmm_data data = {.n = 2, .begins = begins, .symbols = symbols};
    cairn_hmm_wanted wanted = {.logs = logs};
    assert_ok(*state, cairn_hmm_plan_make(*state, &plan, &m, &data));
    assert_ok(*state, cairn_hmm_expect(*state, &wanted, plan, &m, &data));
    assert_ok(*state, cairn_hmm_paths(*state, path, path_logs, &m, &data));
    assert_true(isinf(logs[0]) && logs[1] == 0);
    assert_true(isinf(path_logs[0]) && path_logs[1] == 0);
    assert_int_equal(path[0], -1);
    assert_int_equal(path[599], 0);
    cairn_hmm_clear(&m);
}

/* Of equal paths the first: all states alike. */
static void test_hmm_paths__ties_go_to_the_first(void **state)
{
    SCOPED_SCRATCH(*state);
    static const char text[] = "states a b c; symbols x; from a 1/3 1/3 1/3; from b 1/3 1/3 1/3;"
                               "from c 1/3 1/3 1/3; emit a 1; emit b 1; emit c 1";
    cairn_hmm m = {0};
    int32_t symbols[500] = {0}, path[500];
    size_t begins[] = {0, 500};
    assert_ok(*state, cairn_hmm_read(*state, &m, "model", text, strlen(text)));
    cairn_hmm_data data = {.n = 1, .begins = begins, .symbols = symbols};
    assert_ok(*state, cairn_hmm_paths(*state, path, NULL, &m, &data));
    for (int t = 0; t < 500; t++) assert_int_equal(path[t], 0);
    cairn_hmm_clear(&m);
}

/* Long paths, decided bit by bit, and ones that never meet. */
static void test_hmm_paths__long_ones(void **state)
{
    SCOPED_SCRATCH(*state);
    static const char apart[] = "states a b; symbols x y; start 0.4 0.6; from a 1 0; from b 0 1;"
                                "emit a 0.7 0.3; emit b 0.6 0.4";
    size_t lengths[] = {20000, 4097, 4096};
    cairn_random random;
    cairn_random_start(&random, 3, 0);
    for (int round = 0; round < 3; round++) {
        cairn_hmm m = {0};
        drawn d = {0};
        if (round == 2)
            assert_ok(*state, cairn_hmm_read(*state, &m, "model", apart, strlen(apart)));
        else
            m = random_model(*state, &random, round ? 3 : 10, 4, 0);
        draw(*state, &d, &m, &random, lengths, 3);
        check_passes(*state, &m, &d.data);
        cairn_hmm_clear(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hmm_tables__agree_with_all_paths),
        context_test(test_hmm_tables__vectors_with_gaps),
        context_test(test_hmm_expect__agrees_with_tables),
        context_test(test_hmm_expect__impossible),
        context_test(test_hmm_paths__ties_go_to_the_first),
        context_test(test_hmm_paths__long_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
