/* SPDX-License-Identifier: MIT */
/* Sorting by a comparison: ascending, equals in their order, nothing lost. */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/sort_by.h"
#include "base/random.h"

typedef struct pair {
    uint32_t key;
    char name[3]; /* an odd size */
    uint32_t at;
} pair;

static bool by_key(const void *a, const void *b, const void *data)
{
    const pair *x = a, *y = b;
    return *(const bool *)data ? x->key > y->key : x->key < y->key;
}

/* Lengths around the runs that are merged, few and many equal keys, both directions. */
static void test_sort_by__is_stable_for_every_length(void **state)
{
    pair pairs[300];
    cairn_random random;
    cairn_random_start(&random, 1, 1);
    for (size_t n = 0; n <= 300; n += n < 70 ? 1 : 23) {
        for (uint32_t keys = 1; keys <= 1000; keys *= 10) {
            bool falling = (n + keys) % 2;
            uint64_t before = 0, after = 0;
            for (size_t i = 0; i < n; i++) {
                pairs[i] = (pair){(uint32_t)cairn_random_below(&random, keys), "ab", (uint32_t)i};
                before += pairs[i].key * 1000 + i;
            }
            assert_ok(*state, cairn_sort_by(*state, pairs, n, sizeof *pairs, by_key, &falling));
            for (size_t i = 0; i < n; i++) after += pairs[i].key * 1000 + pairs[i].at;
            assert_true(before == after);
            for (size_t i = 1; i < n; i++) {
                assert_false(by_key(&pairs[i], &pairs[i - 1], &falling));
                if (pairs[i].key == pairs[i - 1].key) assert_true(pairs[i].at > pairs[i - 1].at);
                assert_string_equal(pairs[i].name, "ab");
            }
        }
    }
}

static cairn_status sort_some(cairn_context *ctx, void *data)
{
    pair pairs[100];
    (void)data;
    for (uint32_t i = 0; i < 100; i++) pairs[i] = (pair){i * 37 % 100, "", i};
    return cairn_sort_by(ctx, pairs, 100, sizeof *pairs, by_key, &(bool){false});
}

static void test_sort_by__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(sort_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_sort_by__is_stable_for_every_length),
        context_test(test_sort_by__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
