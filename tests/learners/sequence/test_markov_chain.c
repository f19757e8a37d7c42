/* SPDX-License-Identifier: MIT */
/* Markov chains: closed classes, periods, stationary distributions, counts and their rules. */
#include "learners/sequence/markov.h"
#include "base/memory.h"
#include "support/unit.h"

#include <math.h>

static cairn_hmm read_chain(void *state, const char *text)
{
    cairn_hmm m = {0};
    assert_ok(state, cairn_hmm_read(state, &m, "chain", text, strlen(text)));
    return m;
}

/* Two states among themselves, one that holds for ever, two that pass, two that take turns; by
 * hand: p(a) = 0.5 / (0.75 + 0.5). */
static void test_markov_chain__closed_classes(void **state)
{
    SCOPED_SCRATCH(*state);
    cairn_hmm m = read_chain(*state, "states a b c d e f g;"
                                     "from a 0.25 0.75 0 0 0 0 0; from b 0.5 0.5 0 0 0 0 0;"
                                     "from c 0 0 1 0 0 0 0; from d 0.1 0.1 0.2 0.3 0.1 0.1 0.1;"
                                     "from e 0 0 0.5 0.5 0 0 0; from f 0 0 0 0 0 0 1;"
                                     "from g 0 0 0 0 0 1 0");
    static const int32_t of[] = {0, 0, 1, -1, -1, 2, 2};
    static const double shares[] = {0.4, 0.6, 1, 0, 0, 0.5, 0.5};
    cairn_closed_classes c;
    assert_ok(*state, cairn_markov_closed(*state, &m, &c));
    assert_int_equal(c.n, 3);
    assert_int_equal(c.period[0], 1);
    assert_int_equal(c.period[1], 1);
    assert_int_equal(c.period[2], 2);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(c.of[i], of[i]);
        assert_true(fabs(c.shares[i] - shares[i]) < 1e-15);
    }
    cairn_hmm_clear(&m);
}

/* A ring of six with a chord that makes a way of four: the common divisor is 2. */
static void test_markov_chain__period(void **state)
{
    SCOPED_SCRATCH(*state);
    cairn_hmm m = read_chain(*state, "states a b c d e f; from a 0 1 0 0 0 0; from b 0 0 1 0 0 0;"
                                     "from c 0 0 0 1 0 0; from d 1/2 0 0 0 1/2 0;"
                                     "from e 0 0 0 0 0 1; from f 1 0 0 0 0 0");
    cairn_closed_classes c;
    assert_ok(*state, cairn_markov_closed(*state, &m, &c));
    assert_int_equal(c.n, 1);
    assert_int_equal(c.period[0], 2);
    assert_true(fabs(c.shares[0] - 0.2) < 1e-15 && fabs(c.shares[5] - 0.1) < 1e-15);
    cairn_hmm_clear(&m);
}

/* Moves of 1e-200 keep all digits: p(b) / p(a) = 3e-200 / 1e-200. */
static void test_markov_chain__tiny_moves(void **state)
{
    SCOPED_SCRATCH(*state);
    cairn_hmm m = read_chain(*state, "states a b; from a 1 3e-200; from b 1e-200 1");
    cairn_closed_classes c;
    assert_ok(*state, cairn_markov_closed(*state, &m, &c));
    assert_true(fabs(c.shares[0] - 0.25) < 1e-15 && fabs(c.shares[1] - 0.75) < 1e-15);
    cairn_hmm_clear(&m);
}

/* The ruin of a player who wins with 0.4: P(4 before 0) = ((3/2)^i - 1) / ((3/2)^4 - 1). */
static void test_markov_chain__passage_of_a_player(void **state)
{
    SCOPED_SCRATCH(*state);
    cairn_hmm m =
        read_chain(*state, "states 0 1 2 3 4; from 0 1 0 0 0 0; from 1 0.6 0 0.4 0 0;"
                           "from 2 0 0.6 0 0.4 0; from 3 0 0 0.6 0 0.4; from 4 0 0 0 0 1");
    static const int32_t ends[] = {0, -1, -1, -1, 1}, won[] = {-1, -1, -1, -1, 0};
    double reached[10], steps[5];
    assert_ok(*state, cairn_markov_passage(*state, &m, ends, 2, reached, steps));
    for (int i = 0; i < 5; i++) {
        double win = (pow(1.5, i) - 1) / (pow(1.5, 4) - 1);
        assert_true(fabs(reached[2 * i + 1] - win) < 1e-15);
        assert_true(fabs(reached[2 * i] - (1 - win)) < 1e-15);
        assert_true(fabs(steps[i] - (5 * i - 20 * win)) < 1e-13);
    }
    assert_ok(*state, cairn_markov_passage(*state, &m, won, 1, reached, steps));
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(reached[i] - (pow(1.5, i) - 1) / (pow(1.5, 4) - 1)) < 1e-15);
        assert_true(isinf(steps[i]));
    }
    assert_true(reached[4] == 1 && steps[4] == 0);
    cairn_hmm_clear(&m);
}

/* Random chains with moves that are impossible, against 20,000 steps of the chain itself. */
static void test_markov_chain__passage_by_walking(void **state)
{
    enum { N = 6, ROUNDS = 60 };
    uint32_t seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        SCOPED_SCRATCH(*state);
        cairn_hmm m =
            read_chain(*state, "states a b c d e f; from a 1 0 0 0 0 0; from b 1 0 0 0 0 0;"
                               "from c 1 0 0 0 0 0; from d 1 0 0 0 0 0;"
                               "from e 1 0 0 0 0 0; from f 1 0 0 0 0 0");
        int32_t goal[N] = {0, 1, -1, -1, -1, -1};
        double reached[2 * N], steps[N];
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) {
                seed = seed * 1664525u + 1013904223u;
                sum += m.move[i * N + j] = (seed >> 28) % 3 ? 0 : 1 + (seed >> 20) % 8;
            }
            if (!(sum > 0)) m.move[i * N + i] = sum = 1;
            for (int j = 0; j < N; j++) m.move[i * N + j] /= sum;
        }
        assert_ok(*state, cairn_markov_passage(*state, &m, goal, 2, reached, steps));
        for (int i = 0; i < N; i++) {
            double now[N] = {0}, next[N], mean = 0, left = 1;
            now[i] = 1;
            for (int t = 0; t < 20000; t++) {
                memset(next, 0, sizeof next);
                left = 0;
                for (int k = 0; k < N; k++) {
                    if (goal[k] < 0) left += now[k];
                    for (int j = 0; j < N; j++)
                        next[j] += goal[k] >= 0 ? (j == k) * now[k] : now[k] * m.move[k * N + j];
                }
                mean += left;
                memcpy(now, next, sizeof now);
            }
            assert_true(fabs(reached[2 * i] - now[0]) < 1e-9);
            assert_true(fabs(reached[2 * i + 1] - now[1]) < 1e-9);
            assert_true(isinf(steps[i]) == (left > 1e-9));
            if (isfinite(steps[i])) assert_true(fabs(steps[i] - mean) < 1e-8 * (1 + mean));
        }
        cairn_hmm_clear(&m);
    }
}

typedef struct learned {
    cairn_hmm model;
    cairn_markov_counts counts;
} learned;

/* Two states and the sequence a a b, of which b is never left. */
static learned count_two(void *state)
{
    static const int32_t items[] = {0, 0, 1};
    learned l = {0};
    size_t index;
    assert_ok(state, cairn_hmm_make(state, &l.model, 2, 0, 0));
    assert_ok(state, cairn_map_add(state, &l.model.states, "a", 1, &index));
    assert_ok(state, cairn_map_add(state, &l.model.states, "b", 1, &index));
    assert_ok(state, SCRATCH(state, &l.counts.start, 2));
    assert_ok(state, SCRATCH(state, &l.counts.move, 4));
    cairn_markov_count(&l.counts, 2, items, 3, 1);
    return l;
}

static void assert_moves(const cairn_hmm *m, double aa, double ab, double ba, double bb)
{
    const double wanted[] = {aa, ab, ba, bb};
    for (int i = 0; i < 4; i++) assert_true(fabs(m->move[i] - wanted[i]) < 1e-15);
}

static void test_markov_chain__never_left(void **state)
{
    SCOPED_SCRATCH(*state);
    learned l = count_two(*state);
    cairn_markov_option option = {.unvisited = CAIRN_UNVISITED_ERROR};
    assert_fails(*state, cairn_markov_fit(*state, &l.model, &l.counts, &option), CAIRN_BAD_DATA,
                 "state 'b' is never left");
    option.unvisited = CAIRN_UNVISITED_UNIFORM;
    assert_ok(*state, cairn_markov_fit(*state, &l.model, &l.counts, &option));
    assert_moves(&l.model, 0.5, 0.5, 0.5, 0.5);
    assert_true(l.model.start[0] == 1 && l.model.start[1] == 0);
    option.unvisited = CAIRN_UNVISITED_SMOOTH;
    assert_ok(*state, cairn_markov_fit(*state, &l.model, &l.counts, &option));
    assert_moves(&l.model, 0.5, 0.5, 0.5, 0.5);
    assert_true(fabs(l.model.start[0] - 2 / 3.0) < 1e-15);
    option.smoothing.smooth = "bits";
    assert_fails(*state, cairn_markov_fit(*state, &l.model, &l.counts, &option), CAIRN_USAGE,
                 "yes and no");
    cairn_hmm_clear(&l.model);
}

/* A code that is no state breaks the sequence; weights count as repeated sequences. */
static void test_markov_chain__counts(void **state)
{
    SCOPED_SCRATCH(*state);
    static const int32_t items[] = {1, 0, -1, 0, 1, 1}, broken[] = {-1, 1, 0};
    learned l = count_two(*state);
    cairn_markov_count(&l.counts, 2, items, 6, 2);
    cairn_markov_count(&l.counts, 2, broken, 3, 1);
    cairn_markov_count(&l.counts, 2, items, 0, 1);
    static const double wanted[] = {1, 3, 3, 2};
    assert_true(l.counts.start[0] == 1 && l.counts.start[1] == 2);
    for (int i = 0; i < 4; i++) assert_true(l.counts.move[i] == wanted[i]);
    cairn_hmm_clear(&l.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_markov_chain__closed_classes),
        context_test(test_markov_chain__period),
        context_test(test_markov_chain__tiny_moves),
        context_test(test_markov_chain__passage_of_a_player),
        context_test(test_markov_chain__passage_by_walking),
        context_test(test_markov_chain__never_left),
        context_test(test_markov_chain__counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
