/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "data/shape.h"
#include "support/fail_alloc.h"

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text, strlen(text), NULL));
    return t;
}

static void refuse(cairn_context *ctx, const char *text, const char *shape, const char *word)
{
    cairn_table *t = table_of(ctx, text);
    assert_int_equal(cairn_table_as(ctx, &t, shape), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), word));
    cairn_table_free(t);
}

static void test_shape__counts_become_weighted_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "colour,yes,no\nred,3,0\ngreen,1,2.5\n");
    assert_ok(ctx, cairn_table_as(ctx, &t, "counts"));
    assert_int_equal(cairn_table_rows(t), 3);
    assert_int_equal(cairn_table_columns(t), 3);
    assert_string_equal(cairn_table_name(t, 1), "column");
    const int32_t *colour = cairn_table_codes(t, 0), *column = cairn_table_codes(t, 1);
    assert_string_equal(cairn_table_level(t, 0, (size_t)colour[2]), "green");
    assert_string_equal(cairn_table_level(t, 1, (size_t)column[2]), "no");
    assert_true(cairn_table_numbers(t, 2)[0] == 3 && cairn_table_numbers(t, 2)[2] == 2.5);
    assert_int_equal(cairn_table_role(t, 2), CAIRN_WEIGHT);
    cairn_table_free(t);
}

static void test_shape__single_count_is_a_weight(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "a,count_,count\nu,x,2\nv,y,0\nw,y,4\n");
    assert_ok(ctx, cairn_table_as(ctx, &t, "counts"));
    assert_int_equal(cairn_table_rows(t), 2);
    assert_int_equal(cairn_table_columns(t), 3);
    assert_string_equal(cairn_table_name(t, 2), "count");
    cairn_table_free(t);
}

static void test_shape__names_that_are_taken(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "column,count,n1,n2\nu,x,2,1\n");
    assert_ok(ctx, cairn_table_as(ctx, &t, "counts"));
    assert_string_equal(cairn_table_name(t, 2), "column_");
    assert_string_equal(cairn_table_name(t, 3), "count_");
    cairn_table_free(t);
}

static void test_shape__bad_counts(void **state)
{
    cairn_context *ctx = *state;
    refuse(ctx, "a,n\nu,1\nv,-2\n", "counts", "row 2, column 'n'");
    refuse(ctx, "a,n\nu,1\nv,?\n", "counts", "missing");
    refuse(ctx, "a,b\nu,x\nv,y\n", "counts", "no column of numbers");
    refuse(ctx, "a,n\nu,0\nv,0\n", "counts", "every count is 0");
}

/* What nobody announced: recognised by its names, asked for without them, else a table. */
static void test_shape__distances_are_found(void **state)
{
    static const struct {
        const char *text;
        int shape; /* -1: asked for */
    } cases[] = {{"who,a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n", CAIRN_SHAPE_DISTANCES},
                 {",1,2,3\n1,,?,?\n2,1,,?\n3,2,3,\n", CAIRN_SHAPE_DISTANCES},
                 {"a,b,c\n0,1,2\n1,0,3\n2,3,0\n", -1},
                 {"who,a,b,c\nu,0,1,2\nv,1,0,3\nw,2,3,0\n", -1},
                 {"who,a,b,c\na,0,0,1\nb,0,0,1\nc,1,1,0\n", -1}, /* friends or distances */
                 {"a,b,c\n0,0,1\n0,0,1\n1,1,0\n", CAIRN_SHAPE_TABLE},
                 {"a,b\n0,1\n1,0\n", CAIRN_SHAPE_TABLE},
                 {"a,b,c\n0,1,2\n1,0,3\n2,4,0\n", CAIRN_SHAPE_TABLE},
                 {"a,b,c\n0,-1,2\n-1,0,3\n2,3,0\n", CAIRN_SHAPE_TABLE}};
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *t = table_of(ctx, cases[i].text);
        int wanted = cases[i].shape;
        assert_int_equal(cairn_table_find_distances(ctx, t, true),
                         wanted < 0 ? CAIRN_USAGE : CAIRN_OK);
        assert_int_equal(t->shape, wanted < 0 ? CAIRN_SHAPE_TABLE : wanted);
        if (wanted < 0) assert_ok(ctx, cairn_table_find_distances(ctx, t, false));
        cairn_table_free(t);
    }
}

static void test_shape__distances_are_checked(void **state)
{
    cairn_context *ctx = *state;
    cairn_square_matrix matrix;
    cairn_table *t = table_of(ctx, "who,a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n");
    assert_ok(ctx, cairn_table_as(ctx, &t, "distances"));
    assert_int_equal(t->shape, CAIRN_SHAPE_DISTANCES);
    assert_ok(ctx, cairn_matrix_of_table(ctx, &matrix, t, CAIRN_SHAPE_DISTANCES));
    assert_int_equal(matrix.n, 3);
    assert_true(matrix.values[5] == 3);
    assert_string_equal(matrix.names[2], "c");
    cairn_table_free(t);
    t = table_of(ctx, "no,7,8,9\n7,0,1,2\n8,1,0,3\n9,2,3,0\n"); /* names that are numbers */
    assert_ok(ctx, cairn_table_as(ctx, &t, "distances"));
    assert_int_equal(cairn_table_role(t, 0), CAIRN_ID);
    cairn_table_free(t);
    t = table_of(ctx, "who,a,b,c\na,?,?,?\nb,1,?,?\nc,2,3,?\n"); /* half of it */
    assert_ok(ctx, cairn_table_as(ctx, &t, "distances"));
    assert_int_equal(cairn_table_role(t, 0), CAIRN_ID);
    assert_true(t->slots[3].column->numbers[1] == 3 && t->slots[3].column->numbers[2] == 0);
    cairn_table_free(t);
    t = table_of(ctx, "d\n1\n2\n3\n4\n5\n6\n"); /* the pairs of four rows */
    assert_ok(ctx, cairn_table_as(ctx, &t, "distances"));
    assert_int_equal(t->n_columns, 4);
    assert_int_equal(t->n_rows, 4);
    assert_true(t->slots[1].column->numbers[3] == 5 && t->slots[3].column->numbers[1] == 5);
    assert_true(t->slots[2].column->numbers[0] == 2 && t->slots[2].column->numbers[2] == 0);
    assert_string_equal(t->slots[3].name, "r4");
    cairn_table_free(t);
    refuse(ctx, "who,a,b\nb,0,1\na,1,0\n", "distances", "row 1 is 'b', as column 2");
    refuse(ctx, "who,a,b\nu,0,1\nu,1,0\n", "distances", "'who' holds levels and is no part");
    refuse(ctx, "d\n1\n-2\n3\n", "distances", "row 1, column 'r3': -2 is negative");
    refuse(ctx, "d\n1\n2\n", "distances", "1 columns and 2 rows");
    refuse(ctx, "a,b\n0,1\n2,0\n", "distances", "row 2, column 'a': 2 differs");
    refuse(ctx, "a,b\n0,-1\n-1,0\n", "distances", "negative");
    refuse(ctx, "a,b\n0,1\n1,5\n", "distances", "row 2, column 'b': 5 is the distance");
    refuse(ctx, "a,b\n0,1\n1,?\n", "gram", "missing");
    refuse(ctx, "a,b\n0,1\n1,0\n2,2\n", "gram", "2 columns and 3 rows");
    t = table_of(ctx, "a,b\n2,-1\n-1,5\n");
    assert_ok(ctx, cairn_table_as(ctx, &t, "gram"));
    assert_int_equal(cairn_table_as(ctx, &t, "heap"), CAIRN_USAGE);
    cairn_table_free(t);
}

static cairn_status unfold_once(cairn_context *ctx, void *data)
{
    (void)data;
    static const char text[] = "colour,yes,no\nred,3,0\ngreen,1,2\n";
    cairn_table *t = NULL;
    cairn_status status = cairn_table_read_memory(ctx, &t, "m.csv", text, strlen(text), NULL);
    if (!status) status = cairn_table_as(ctx, &t, "counts");
    cairn_table_free(t);
    return status;
}

static void test_shape__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(unfold_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_shape__counts_become_weighted_rows),
        context_test(test_shape__single_count_is_a_weight),
        context_test(test_shape__names_that_are_taken),
        context_test(test_shape__bad_counts),
        context_test(test_shape__distances_are_checked),
        context_test(test_shape__distances_are_found),
        context_test(test_shape__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
