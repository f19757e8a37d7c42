/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include "data/chunks.h"
#include <math.h>

static void test_json__values_say_what_they_are(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "ndjson",
                  "{\"n\": 1, \"s\": \"a\", \"b\": true, \"d\": \"2026-11-15\"}\n"
                  "\n"
                  "{\"s\": \"b\", \"n\": -2.5e3, \"d\": \"2026-11-16\", \"late\": 7}\r\n"
                  "{\"n\": null, \"b\": false, \"d\": null}");
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 5);
    assert_int_equal(column_of(t, "n")->kind, CAIRN_NUMBER);
    assert_true(column_of(t, "n")->numbers[1] == -2500 && isnan(column_of(t, "n")->numbers[2]));
    assert_int_equal(column_of(t, "s")->kind, CAIRN_LEVEL);
    assert_int_equal(column_of(t, "s")->n_missing, 1);
    assert_string_equal(cell(t, "b", 0), "true");
    assert_int_equal(column_of(t, "b")->codes[1], -1);
    assert_string_equal(cell(t, "b", 2), "false");
    assert_int_equal(column_of(t, "d")->kind, CAIRN_TIME);
    assert_string_equal(t->slots[4].name, "late");
    assert_int_equal(column_of(t, "late")->n_missing, 2);
    cairn_table_free(t);
}

static void test_json__strings_are_never_numbers(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "{\"zip\":\"02134\",\"k\":\"1\"}\n{\"zip\":\"10115\",\"k\":\"2\"}\n";
    cairn_table *t = read_text(ctx, "ndjson", text);
    assert_string_equal(cell(t, "zip", 0), "02134");
    assert_int_equal(column_of(t, "k")->kind, CAIRN_LEVEL);
    assert_round_trip(ctx, t, "ndjson");
    cairn_table_free(t);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.kinds = "k=number";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.jsonl", text, strlen(text), &o));
    assert_true(column_of(t, "k")->numbers[1] == 2);
    cairn_table_free(t);
}

static void test_json__objects_inside_are_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(
        ctx, "ndjson", "{\"a\":{\"b\":1,\"c\":{\"d\":\"x\"}},\"e\":{}}\n{\"a\":{\"b\":2}}\n");
    assert_int_equal(t->n_columns, 2);
    assert_true(column_of(t, "a.b")->numbers[1] == 2);
    assert_string_equal(cell(t, "a.c.d", 0), "x");
    assert_int_equal(column_of(t, "a.c.d")->n_missing, 1);
    cairn_table_free(t);
    refuses(ctx, "ndjson", "{\"a\":{\"b\":1},\"a.b\":2}\n", "line 1, column 'a.b': two values");
}

static void test_json__arrays_are_bags_or_sequences(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] =
        "{\"id\":1,\"items\":[\"green tea\",\"milk\",\"milk\"]}\n{\"id\":2}\n"
        "{\"id\":3,\"items\":[]}\n{\"id\":4,\"items\":[\"bread\"]}\n";
    cairn_table *t = read_text(ctx, "ndjson", text);
    const cairn_column *bag = column_of(t, "items");
    assert_int_equal(bag->kind, CAIRN_BAG);
    assert_int_equal(bag->names.n, 3);
    assert_int_equal(bag->n_missing, 1);
    assert_int_equal(bag->starts[1], 2);
    assert_true(bag->amounts[1] == 2);
    assert_written(ctx, t, "ndjson",
                   "{\"id\":1,\"items\":[\"green tea\",\"milk\",\"milk\"]}\n"
                   "{\"id\":2,\"items\":null}\n{\"id\":3,\"items\":[]}\n"
                   "{\"id\":4,\"items\":[\"bread\"]}\n");
    cairn_table_free(t);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.kinds = "items=sequence,n=sequence";
    static const char numbers[] = "{\"items\":[\"b\",\"a\",\"b\"],\"n\":[3,1.5]}\n";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.ndjson", numbers, strlen(numbers), &o));
    assert_int_equal(column_of(t, "items")->kind, CAIRN_SEQUENCE);
    assert_int_equal(column_of(t, "items")->starts[1], 3);
    assert_string_equal(cell(t, "n", 0), "3 1.5");
    cairn_table_free(t);
    refuses(ctx, "ndjson", "{\"v\":\"a\"}\n{\"v\":[\"a\"]}\n",
            "line 2, column 'v': an array, where");
    refuses(ctx, "ndjson", "{\"v\":[\"a\"]}\n{\"v\":1}\n", "line 2, column 'v': a single value");
    refuses(ctx, "ndjson", "{\"v\":[1,2]}\n", "line 1, column 'v': an array of numbers");
    refuses(ctx, "ndjson", "{\"v\":[[1]]}\n", "line 1, column 'v': an array may hold");
}

static void test_json__an_array_of_objects(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "json", "\xEF\xBB\xBF [\n {\"a\": 1},\n {\"a\": 2,\n \"b\": \"x\"} ]\n");
    assert_int_equal(t->n_rows, 2);
    assert_true(column_of(t, "a")->numbers[1] == 2);
    assert_written(ctx, t, "json", "[{\"a\":1,\"b\":null},\n{\"a\":2,\"b\":\"x\"}]\n");
    assert_round_trip(ctx, t, "json");
    cairn_table_free(t);
    t = read_text(ctx, "json", "{\"a\":1}\n{\"a\":2} {\"a\":3}");
    assert_int_equal(t->n_rows, 3);
    cairn_table_free(t);
    refuses(ctx, "json", "[{\"a\":1}\n{\"a\":2}]", "x, line 2, column 1: a comma or ] is missing");
    refuses(ctx, "json", "[{\"a\":1},", "the array is not closed");
    refuses(ctx, "json", "[{\"a\":1}] 5", "line 1, column 11: text follows the array");
    refuses(ctx, "json", "[{\"a\":1},\n  5]", "line 2, column 3: this is a single value");
    refuses(ctx, "json", "[]", "there is no object");
}

static void test_json__bad_lines_are_named(void **state)
{
    cairn_context *ctx = *state;
    refuses(ctx, "ndjson", "{\"a\":1}\n[1,2]\n",
            "x, line 2, column 1: this is an array, but every");
    refuses(ctx, "ndjson", "{\"a\":1}\n\n  7\n", "x, line 3, column 3: this is a single value");
    refuses(ctx, "ndjson", "{\"a\":1}\n{\"a\":\n", "x, line 2, column");
    refuses(ctx, "ndjson", "{\"a\":1} {\"a\":2}\n", "line 1, column 9: text follows the object");
    refuses(ctx, "ndjson", "{\"a\":1,\"a\":2}\n", "line 1, column");
    refuses(ctx, "ndjson", "{\"a\":\"\xFF\"}\n", "line 1, column");
    refuses(ctx, "ndjson", "{\"a\":1e999}\n", "line 1, column");
    refuses(ctx, "ndjson", "", "there is no object");
    refuses(ctx, "ndjson", "{}\n{}\n", "there is no object with a value");
}

static void test_json__is_found_from_name_and_content(void **state)
{
    cairn_context *ctx = *state;
    static const char line[] = "{\"a\":1}\n{\"a\":2}\n", array[] = "[{\"a\":1}]";
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "pipe", line, strlen(line), NULL));
    assert_int_equal(t->n_rows, 2);
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "pipe", array, strlen(array), NULL));
    assert_int_equal(t->n_rows, 1);
    cairn_table_free(t);
}

static void test_json__large_numbers_and_escapes_survive(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "ndjson",
                  "{\"x\":0.1,\"s\":\"a \\\"b\\\"\\n\\u20ac\"}\n{\"x\":1e300,\"s\":\"\\\\\"}\n");
    assert_string_equal(cell(t, "s", 0), "a \"b\"\n\xE2\x82\xAC");
    assert_round_trip(ctx, t, "ndjson");
    cairn_table_free(t);
}

static void test_json__in_chunks(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] =
        "\xEF\xBB\xBF{\"a\":1,\"b\":\"x\"}\n\n{\"a\":2}\n{\"c\":3}\n{\"b\":\"y\"}";
    for (size_t n = 1; n <= 5; n++) {
        cairn_input *input;
        cairn_chunks *chunks;
        cairn_table *t;
        size_t rows = 0;
        assert_ok(ctx, cairn_input_memory(ctx, &input, "t.ndjson", text, strlen(text)));
        assert_ok(ctx, cairn_chunks_open(ctx, &chunks, input, NULL));
        for (;;) {
            assert_ok(ctx, cairn_chunks_next(ctx, chunks, n, &t));
            if (!t) break;
            rows += t->n_rows;
            /* a column that came once is there from then on */
            assert_true(t->n_columns == (rows >= 3 ? 3 : 2));
            cairn_table_free(t);
        }
        assert_int_equal(rows, 4);
        cairn_chunks_close(chunks);
    }
}

static void test_json__allocation_failures(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":{\"b\":1},\"s\":[\"x\",\"y\"],\"t\":\"u\"}\n{\"a\":{\"b\":\"z\"}}\n";
    survives("ndjson", text, strlen(text), true);
    survives("json", text, strlen(text), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_json__values_say_what_they_are),
        context_test(test_json__strings_are_never_numbers),
        context_test(test_json__objects_inside_are_columns),
        context_test(test_json__arrays_are_bags_or_sequences),
        context_test(test_json__an_array_of_objects),
        context_test(test_json__bad_lines_are_named),
        context_test(test_json__is_found_from_name_and_content),
        context_test(test_json__large_numbers_and_escapes_survive),
        context_test(test_json__in_chunks),
        context_test(test_json__allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
