/* SPDX-License-Identifier: MIT */
/* Learning from episodes: updates by hand, exact values of the worlds, and refusals. */
#include "model/calculator.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"
#include "solve/tabular.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-9);
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-15)) fail_msg("%.17g is not %.17g", found, expected);
}

/* -- the rules -- */

static void start(cairn_context *ctx, cairn_tabular *t, cairn_value_rule rule, double alpha)
{
    *t = (cairn_tabular){.rule = rule, .alpha = alpha, .gamma = 0.5, .n_states = 2, .n_actions = 2};
    assert_ok(ctx, cairn_tabular_start(ctx, t, 0));
}

/* Two steps, rewards 1 and 2; then the same again. */
static void play_twice(cairn_tabular *t)
{
    cairn_move moves[] = {{0, 1, 1, 0}, {1, 0, 2, 0}};
    cairn_tabular_episode(t, moves, 2);
    cairn_tabular_episode(t, moves, 2);
}

static void test_tabular__sarsa_by_hand(void **state)
{
    cairn_context *ctx = *state;
    cairn_tabular t;
    start(ctx, &t, CAIRN_VALUE_SARSA, 0.5);
    play_twice(&t);
    /* Q(1,0): 1, then 1.5; Q(0,1): 0.5, then 0.5 + 0.5 (1 + 0.5·1 − 0.5) */
    assert_near(cairn_tabular_value(&t, 1, 0), 1.5);
    assert_near(cairn_tabular_value(&t, 0, 1), 1);
    assert_near(cairn_tabular_value(&t, 0, 0), 0);
    assert_int_equal(cairn_tabular_best(&t, 0), 1);
}

static void test_tabular__q_takes_the_best_action(void **state)
{
    cairn_context *ctx = *state;
    cairn_tabular t;
    start(ctx, &t, CAIRN_VALUE_Q, 0.5);
    t.values[3] = 4; /* Q(1,1), which is never taken */
    play_twice(&t);
    /* Q(0,1): 0.5 (1 + 0.5·4) = 1.5, then 1.5 + 0.5 (3 − 1.5) */
    assert_near(cairn_tabular_value(&t, 0, 1), 2.25);
    static const uint8_t allowed[] = {1, 1, 1, 0};
    start(ctx, &t, CAIRN_VALUE_Q, 0.5);
    t.values[3] = 4;
    t.allowed = allowed;
    play_twice(&t);
    assert_near(cairn_tabular_value(&t, 0, 1), 1);
}

static void test_tabular__returns_are_averaged(void **state)
{
    cairn_context *ctx = *state;
    cairn_tabular t;
    cairn_move again[] = {{0, 0, 4, 0}, {0, 0, 2, 0}};
    start(ctx, &t, CAIRN_VALUE_MC, NAN);
    cairn_tabular_episode(&t, again, 2);
    assert_near(cairn_tabular_value(&t, 0, 0), (5 + 2) / 2.0);
    start(ctx, &t, CAIRN_VALUE_MC, NAN);
    t.first_visit = true;
    cairn_tabular_episode(&t, again, 2);
    assert_near(cairn_tabular_value(&t, 0, 0), 5);
}

/* What the other side gains is lost: G of the first step is 1 − 0.5·2. */
static void test_tabular__turns_change_the_sign(void **state)
{
    cairn_context *ctx = *state;
    cairn_tabular t;
    start(ctx, &t, CAIRN_VALUE_MC, NAN);
    t.turns = true;
    play_twice(&t);
    assert_near(cairn_tabular_value(&t, 0, 1), 0);
    start(ctx, &t, CAIRN_VALUE_SARSA, 0.5);
    t.turns = true;
    play_twice(&t);
    /* Q(0,1): 0.5, then 0.5 + 0.5 (1 − 0.5·1 − 0.5) */
    assert_near(cairn_tabular_value(&t, 0, 1), 0.5);
}

/* w ← w + α (r + γ V(s') − V(s)) φ(s) */
static void test_tabular__linear_by_hand(void **state)
{
    cairn_context *ctx = *state;
    static const double features[] = {1, 2, 1, -1};
    cairn_tabular t = {.rule = CAIRN_VALUE_TD,
                       .alpha = 0.1,
                       .gamma = 1,
                       .n_states = 2,
                       .n_actions = 1,
                       .n_features = 2,
                       .features = features};
    cairn_move moves[] = {{0, 0, 1, 0}, {1, 0, 0, 0}};
    assert_ok(ctx, cairn_tabular_start(ctx, &t, 0));
    cairn_tabular_episode(&t, moves, 2);
    /* after the first step w = (0.1, 0.2); then V(1) = −0.1 and w moves by 0.1·0.1·(1, −1) */
    assert_near(t.weights[0], 0.11);
    assert_near(t.weights[1], 0.19);
}

/* -- the worlds -- */

static cairn_report *computed(cairn_context *ctx, const char *const *words)
{
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, words));
    return r;
}

static void test_world__random_walk_has_known_values(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r =
        computed(ctx, WORDS("compute", "world", "--world", "chain", "--length", "4", "--policy",
                            "random", "--method", "sarsa", "--gamma", "1", "--episodes", "10"));
    assert_value(r, "exact.1", 0.2);
    assert_value(r, "exact.4", 0.8);
    assert_value(r, "best.start", 1);
    cairn_report_free(r);
}

/* A wall around the start: every action stays, and each step costs 1. */
static void test_world__walls_keep(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r =
        computed(ctx, WORDS("compute", "world", "--map", "S#G", "--living", "-1", "--gamma", "0.5",
                            "--episodes", "3", "--most-steps", "7"));
    assert_value(r, "best.start", -2);
    assert_value(r, "steps", 21);
    cairn_report_free(r);
}

/* What is written by the one is read by the other, with the same result. */
static void test_world__episodes_can_be_read_again(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *world =
        computed(ctx, WORDS("compute", "world", "--method", "td", "--policy", "random", "--result",
                            "episodes", "--episodes", "30", "--out", "played_again.csv"));
    cairn_report *file =
        computed(ctx, WORDS("compute", "episodes", "played_again.csv", "--method", "td"));
    double value;
    assert_true(cairn_report_number(world, "value.r2c1", &value));
    assert_true(value != 0);
    assert_value(file, "value.r2c1", value);
    assert_true(cairn_report_number(world, "visits.r3c1", &value));
    assert_value(file, "visits.r3c1", value);
    assert_int_equal(remove("played_again.csv"), 0);
    cairn_report_free(world);
    cairn_report_free(file);
}

/* 4520 boards are not the end of a game, and nobody who plays well loses. */
static void test_world__noughts_and_crosses_are_a_draw(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(ctx, WORDS("compute", "world", "--world", "noughts", "--opponent",
                                          "self", "--gamma", "1", "--episodes", "100"));
    assert_value(r, "states", 4520);
    assert_value(r, "best.start", 0);
    assert_value(r, "exact.xo-/---/---", 1);
    cairn_report_free(r);
}

static void test_world__optimism_explores(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r = computed(
        ctx, WORDS("compute", "world", "--initial", "2", "--epsilon", "0", "--episodes", "500"));
    assert_value(r, "visited", 9);
    assert_value(r, "greedy.start", 0.6561);
    cairn_report_free(r);
}

/* Nothing is known at first, and all actions are alike: a goal far away is found all the same. */
static void test_world__ties_are_drawn_while_acting(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r =
        computed(ctx, WORDS("compute", "world", "--map", "S.......;.......P;.####...;.......G",
                            "--episodes", "1000"));
    assert_value(r, "best.start", 0.387420489);
    assert_value(r, "greedy.start", 0.387420489);
    cairn_report_free(r);
}

static cairn_status work(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, data);
    cairn_report_free(r);
    return status;
}

static void test_episodes__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        work, (void *)WORDS("compute", "episodes", "@walks", "--method", "mc", "--steps"));
    assert_survives_allocation_failures(
        work, (void *)WORDS("compute", "world", "--episodes", "3", "--method", "mc", "--steps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_tabular__sarsa_by_hand),
        context_test(test_tabular__q_takes_the_best_action),
        context_test(test_tabular__returns_are_averaged),
        context_test(test_tabular__turns_change_the_sign),
        context_test(test_tabular__linear_by_hand),
        context_test(test_world__random_walk_has_known_values),
        context_test(test_world__walls_keep),
        context_test(test_world__episodes_can_be_read_again),
        context_test(test_world__noughts_and_crosses_are_a_draw),
        context_test(test_world__optimism_explores),
        context_test(test_world__ties_are_drawn_while_acting),
        context_test(test_episodes__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
