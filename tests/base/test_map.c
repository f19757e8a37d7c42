/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "support/fail_alloc.h"
#include "base/map.h"
#include <stdio.h>

static void test_map__numbers_in_order_of_arrival(void **state)
{
    cairn_context *ctx = *state;
    cairn_map map = {0};
    size_t index;
    char key[32];
    assert_int_equal(cairn_map_find(&map, "x", 1), -1);
    for (size_t i = 0; i < 20000; i++) {
        int n = snprintf(key, sizeof key, "key %zu", i * 7919);
        assert_ok(ctx, cairn_map_add(ctx, &map, key, (size_t)n, &index));
        assert_int_equal(index, i);
    }
    assert_int_equal(map.n, 20000);
    for (size_t i = 0; i < 20000; i++) {
        int n = snprintf(key, sizeof key, "key %zu", i * 7919);
        assert_int_equal(cairn_map_find(&map, key, (size_t)n), i);
        assert_string_equal(cairn_map_key(&map, i), key);
        assert_ok(ctx, cairn_map_add(ctx, &map, key, (size_t)n, &index));
        assert_int_equal(index, i);
    }
    assert_int_equal(map.n, 20000);
    assert_int_equal(cairn_map_find(&map, "key", 3), -1);
    cairn_map_clear(&map);
    assert_int_equal(map.n, 0);
    assert_int_equal(cairn_map_find(&map, "key 0", 5), -1);
}

/* Empty keys, keys with zero bytes, keys that are the beginning of others. */
static void test_map__any_bytes(void **state)
{
    cairn_context *ctx = *state;
    cairn_map map = {0};
    static const struct {
        const char *bytes;
        size_t length;
    } keys[] = {{"", 0}, {"\0", 1}, {"\0\0", 2}, {"a", 1}, {"a\0", 2}, {"a\0b", 3}, {"ab", 2}};
    enum { N = sizeof keys / sizeof *keys };
    size_t index;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < N; i++) {
            assert_ok(ctx, cairn_map_add(ctx, &map, keys[i].bytes, keys[i].length, &index));
            assert_int_equal(index, i);
        }
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(cairn_map_find(&map, keys[i].bytes, keys[i].length), i);
        assert_int_equal(map.lengths[i], keys[i].length);
        assert_memory_equal(cairn_map_key(&map, i), keys[i].bytes, keys[i].length + 1);
    }
    cairn_map_clear(&map);
}

static cairn_status add_many(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_map map = {0};
    cairn_status status = CAIRN_OK;
    size_t index;
    char key[16];
    for (int i = 0; i < 200; i++) {
        size_t n = (size_t)snprintf(key, sizeof key, "%d", i);
        size_t before = map.n;
        status = cairn_map_add(ctx, &map, key, n, &index);
        if (status) { /* a failed add changes nothing that can be seen */
            assert_int_equal(map.n, before);
            assert_int_equal(cairn_map_find(&map, key, n), -1);
            break;
        }
    }
    cairn_map_clear(&map);
    return status;
}

static void test_map__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(add_many, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_map__numbers_in_order_of_arrival),
        context_test(test_map__any_bytes),
        cmocka_unit_test(test_map__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
