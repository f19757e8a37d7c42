/* SPDX-License-Identifier: MIT */
#include "data/table.h"
#include "entry/entry.h"
#include "support/fail_alloc.h"

static void test_builtin__iris_has_kinds_and_target(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    assert_ok(ctx, cairn_table_read(ctx, &t, "@iris", NULL));
    assert_int_equal(cairn_table_rows(t), 150);
    assert_int_equal(cairn_table_columns(t), 5);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_true(cairn_table_numbers(t, 0)[0] == 5.1);
    assert_int_equal(cairn_table_kind(t, 4), CAIRN_LEVEL);
    assert_int_equal(cairn_table_role(t, 4), CAIRN_TARGET);
    assert_string_equal(cairn_table_level(t, 4, 0), "setosa");
    assert_string_equal(t->source, "@iris");
    cairn_table_free(t);
}

static void test_builtin__declared_levels_keep_their_order(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    assert_ok(ctx, cairn_table_read(ctx, &t, "@weather", NULL));
    size_t wind = (size_t)cairn_table_find(t, "wind"), day = (size_t)cairn_table_find(t, "day");
    assert_int_equal(cairn_table_role(t, day), CAIRN_ID);
    assert_string_equal(cairn_table_level(t, wind, 0), "weak");
    assert_string_equal(cairn_table_level(t, wind, 1), "strong");
    assert_true(t->slots[wind].column->declared);
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_read(ctx, &t, "@titanic", NULL));
    size_t pclass = (size_t)cairn_table_find(t, "pclass");
    assert_int_equal(cairn_table_kind(t, pclass), CAIRN_LEVEL);
    assert_string_equal(cairn_table_level(t, pclass, 0), "1");
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_read(ctx, &t, "@bins", NULL));
    assert_true(t->slots[0].column->ordered);
    assert_string_equal(cairn_table_level(t, 0, 10), "11");
    cairn_table_free(t);
}

static void test_builtin__aliases_and_sequences(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    assert_ok(ctx, cairn_table_read(ctx, &t, "@playtennis", NULL));
    assert_string_equal(t->source, "@weather");
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_read(ctx, &t, "@sequences", NULL));
    const cairn_column *states = t->slots[1].column;
    assert_int_equal(states->kind, CAIRN_SEQUENCE);
    assert_int_equal(states->starts[1], 5);
    assert_string_equal(cairn_map_key(&states->names, 2), "S3");
    cairn_table_free(t);
}

static void test_builtin__every_one_reads(void **state)
{
    cairn_context *ctx = *state;
    const char *name, *title;
    size_t n = 0;
    for (; (name = cairn_builtin_name(n, &title)); n++) {
        cairn_table *t;
        bool basket = strcmp(name, "baskets") == 0;
        if (basket && !cairn_entry_find(NULL, CAIRN_ENTRY_FORMAT, "basket")) continue;
        assert_ok(ctx, cairn_builtin_read(ctx, &t, name));
        assert_true(cairn_table_rows(t) > 0);
        assert_true(strlen(title) > 0);
        cairn_table_free(t);
    }
    assert_true(n >= 180);
}

static void test_builtin__a_wrong_name_is_corrected(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_fails(ctx, cairn_table_read(ctx, &t, "@irsi", NULL), CAIRN_USAGE,
                 "did you mean '@iris'?");
    assert_fails(ctx, cairn_table_read(ctx, &t, "@iris.csv", NULL), CAIRN_USAGE, "@iris");
    assert_null(t);
}

static cairn_status read_weather(cairn_context *ctx, void *data)
{
    cairn_table *t;
    cairn_status status = cairn_builtin_read(ctx, &t, data);
    if (!status) cairn_table_free(t);
    return status;
}

static void test_builtin__allocation_failures(void **state)
{
    (void)state;
    char weather[] = "weather", sequences[] = "sequences";
    assert_survives_allocation_failures(read_weather, weather);
    assert_survives_allocation_failures(read_weather, sequences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_builtin__iris_has_kinds_and_target),
        context_test(test_builtin__declared_levels_keep_their_order),
        context_test(test_builtin__aliases_and_sequences),
        context_test(test_builtin__every_one_reads),
        context_test(test_builtin__a_wrong_name_is_corrected),
        cmocka_unit_test(test_builtin__allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
