/* SPDX-License-Identifier: MIT */
/* Sets that are joined by several workers: what is together does not depend on who was first. */
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "support/unit.h"

enum { ITEMS = 20000, STEP = 7 };

static void join_some(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++)
        if (i + STEP < ITEMS) cairn_joined_join(data, (uint32_t)(i + STEP), (uint32_t)i);
}

static void test_joined__sets_are_known_by_their_smallest_item(void **state)
{
    static uint32_t parents[ITEMS];
    for (int threads = 1; threads <= 4; threads++) {
        cairn_context_set_threads(*state, threads);
        cairn_joined_start(parents, ITEMS);
        assert_ok(*state, cairn_blocks(*state, ITEMS, 64, join_some, parents));
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal(cairn_joined_find(parents, i), i % STEP);
    }
}

static void test_joined__joining_says_whether_they_were_apart(void **state)
{
    uint32_t parents[4];
    (void)state;
    cairn_joined_start(parents, 4);
    assert_true(cairn_joined_join(parents, 3, 1));
    assert_false(cairn_joined_join(parents, 1, 3));
    assert_true(cairn_joined_join(parents, 3, 0));
    assert_int_equal(cairn_joined_find(parents, 1), 0);
    assert_int_equal(cairn_joined_find(parents, 2), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_joined__sets_are_known_by_their_smallest_item),
        context_test(test_joined__joining_says_whether_they_were_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
