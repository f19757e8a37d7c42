/* SPDX-License-Identifier: MIT */
/* Sequences in long form: gathered rows, roles, and refusals with their places. */
#include "cairn/cairn.h"
#include "reshape/long_form.h"
#include "support/unit.h"

#include <math.h>
#include <stdlib.h>

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "t.csv", text, strlen(text), NULL));
    return t;
}

/* Rows of two sequences in turn; what stays the same within a sequence keeps one cell. */
static void test_long_form__gathers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "id,t,w,class\np,1,a,x\nq,5,b,y\np,2,b,x\nq,6,a,y\nq,7,,y\n");
    cairn_long_form form = {.sequence = "id", .order = "t"};
    cairn_table *out;
    assert_ok(ctx, cairn_table_gather_steps(ctx, &out, t, &form));
    assert_int_equal(out->n_rows, 2);
    assert_int_equal(out->n_columns, 3);
    assert_int_equal(out->slots[0].role, CAIRN_ID);
    const cairn_column *w = out->slots[1].column;
    assert_int_equal(w->kind, CAIRN_SEQUENCE);
    assert_int_equal(w->starts[1], 2);
    assert_int_equal(w->starts[2], 5);
    static const int32_t wanted[] = {0, 1, 1, 0, -1};
    for (int i = 0; i < 5; i++) assert_int_equal(w->items[i], wanted[i]);
    assert_int_equal(out->slots[2].column->kind, CAIRN_LEVEL);
    assert_string_equal(cairn_level_name(out->slots[2].column, out->slots[2].column->codes[1]),
                        "y");
    cairn_table_free(out);
    cairn_table_free(t);
}

/* Two numbers for every step; one of them is missing. */
static void test_long_form__numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = table_of(ctx, "id,x,y\np,1.5,-1\nq,2,-2\np,3,\nq,4,-4\np,5,-5\n"), *out;
    cairn_long_form form = {.sequence = "id"};
    assert_ok(ctx, cairn_table_gather_steps(ctx, &out, t, &form));
    static const double wanted[2][5] = {{1.5, 3, 5, 2, 4}, {-1, NAN, -5, -2, -4}};
    for (int c = 0; c < 2; c++) {
        const cairn_column *column = out->slots[1 + c].column;
        assert_int_equal(column->kind, CAIRN_SERIES);
        assert_int_equal(column->starts[1], 3);
        assert_int_equal(column->starts[2], 5);
        for (int i = 0; i < 5; i++)
            assert_true(isnan(wanted[c][i]) ? isnan(column->amounts[i])
                                            : column->amounts[i] == wanted[c][i]);
    }
    cairn_table_free(out);
    cairn_table_free(t);
}

/* A million steps in one sequence, and as many sequences of one step. */
static void test_long_form__long_and_short(void **state)
{
    enum { N = 1000000 };
    cairn_context *ctx = *state;
    int32_t *codes = malloc(N * sizeof *codes);
    double *id = calloc(N, sizeof *id);
    static const char *const names[] = {"a", "b"};
    cairn_long_form form = {.sequence = "id", .steps_in = "w"};
    assert_true(codes && id);
    for (int i = 0; i < N; i++) codes[i] = i % 2;
    for (int pass = 0; pass < 2; pass++) {
        cairn_table *t, *out;
        for (int i = 0; i < N; i++) id[i] = pass ? i : 7;
        assert_ok(ctx, cairn_table_new(ctx, &t, N));
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, "id", id));
        assert_ok(ctx, cairn_table_add_levels(ctx, t, "w", codes, names, 2));
        assert_ok(ctx, cairn_table_gather_steps(ctx, &out, t, &form));
        assert_int_equal(out->n_rows, pass ? N : 1);
        assert_int_equal(out->slots[1].column->starts[out->n_rows], N);
        assert_int_equal(out->slots[1].column->items[N - 1], 1);
        cairn_table_free(out);
        cairn_table_free(t);
    }
    free(codes);
    free(id);
}

static void test_long_form__refusals(void **state)
{
    static const struct {
        const char *text;
        cairn_long_form form;
        cairn_status status;
        const char *part;
    } cases[] = {
        {"id,t,w\n1,2,a\n1,1,b\n", {"id", "t", NULL}, CAIRN_BAD_DATA, "row 2: in the sequence '1'"},
        {"id,t,w\n1,2,a\n1,2,b\n", {"id", "t", NULL}, CAIRN_BAD_DATA, "is the same as in row 1"},
        {"id,t,w\n1,1,a\n?,2,b\n", {"id", "t", NULL}, CAIRN_BAD_DATA, "row 2: the cell of 'id'"},
        {"id,t,w\n1,1,a\n1,?,b\n", {"id", "t", NULL}, CAIRN_BAD_DATA, "row 2: the cell of 't'"},
        {"id,w\n1,a\n1,b\n", {"id", "w", NULL}, CAIRN_BAD_DATA, "only numbers and times"},
        {"id,w\n1,a\n1,b\n", {"id", "id", NULL}, CAIRN_USAGE, "both name 'id'"},
        {"id,w\n1,a\n1,b\n", {"if", NULL, NULL}, CAIRN_USAGE, "no column 'if'"},
        {"id,w\n1,a\n1,b\n", {"id", NULL, "id"}, CAIRN_USAGE, "names 'id', which"},
        {"id,w\n1,a\n2,b\n", {"id", NULL, NULL}, CAIRN_BAD_DATA, "no column changes"},
        {"id,w,v\n1,a,2020-01-01\n1,b,2020-01-02\n",
         {"id", NULL, NULL},
         CAIRN_BAD_DATA,
         "steps are numbers or levels"},
        {"id,w,v\n1,a,1.5\n1,b,2.5\n", {"id", NULL, "w"}, CAIRN_BAD_DATA, "row 2: 'v' changes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *t = table_of(*state, cases[i].text), *out = NULL;
        assert_fails(*state, cairn_table_gather_steps(*state, &out, t, &cases[i].form),
                     cases[i].status, cases[i].part);
        assert_null(out);
        cairn_table_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_long_form__gathers),
        context_test(test_long_form__numbers),
        context_test(test_long_form__long_and_short),
        context_test(test_long_form__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
