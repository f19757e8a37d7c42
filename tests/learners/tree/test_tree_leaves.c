/* SPDX-License-Identifier: MIT */
/* What leaves answer: rejecting, the node above, changes against the root, the table of nodes. */
#include "fitted.h"

/* 100 students; one of them is alone in its leaf. */
static const char students[] = "an,age,n,success\n"
                               "no,25,1,I\nno,25,27,II\nno,25,16,III\n"
                               "no,40,1,I\nno,40,23,II\nno,40,1,III\n"
                               "yes,25,9,I\nyes,25,3,II\nyes,21,1,II\n"
                               "yes,35,14,I\nyes,35,4,II\n";
static const char tree_text[] = "an = no:\n    age < 31: ?\n    age >= 31: ?\n"
                                "an = yes:\n    age < 29:\n        age < 22: ?\n"
                                "        age >= 22: ?\n    age >= 29: ?\n";

static fitted fit_students(cairn_context *ctx, const char *spec, const char *text)
{
    fitted f = {.ctx = ctx, .table = table_of(ctx, students, "success", NULL)};
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "n", CAIRN_WEIGHT));
    f.model = fit_given(ctx, f.table, spec, text);
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    assert_ok(ctx, cairn_report_status(f.report));
    return f;
}

static void assert_answer(fitted *f, size_t row, int32_t wanted)
{
    cairn_prediction p = {0};
    cairn_match match = {0};
    assert_ok(f->ctx,
              cairn_model_predict_rows(f->ctx, &p, f->model, f->table, cairn_all_rows(f->table),
                                       (cairn_predict_wants){0}, &match));
    assert_int_equal(p.codes[row], wanted);
    cairn_prediction_clear(&p);
}

static void test_leaves__small_leaf_rejects(void **state)
{
    fitted f = fit_students(*state, "tree:reject_below=2", tree_text);
    assert_value(&f, "training.error", 26.0 / 99);
    assert_value(&f, "training.rejected", 0.01);
    assert_value(&f, "training.coverage", 0.99);
    assert_value(&f, "training.error_parent", 0.27);
    assert_word(&f, "leaf.an=yes,age<29,age<22", "reject");
    assert_answer(&f, 8, -2);
    assert_answer(&f, 6, 0);
    drop(&f);
}

static void test_leaves__small_leaf_answers_as_the_node_above(void **state)
{
    fitted f = fit_students(*state, "tree:reject_below=2,small_leaf=parent", tree_text);
    assert_value(&f, "training.error", 0.27);
    assert_word(&f, "leaf.an=yes,age<29,age<22", "I");
    assert_answer(&f, 8, 0);
    drop(&f);
}

/* The word in a given tree, and the same text again from the model. */
static void test_leaves__reject_is_written_and_read(void **state)
{
    static const char text[] = "an = no: reject  # 69 rows: I 2, II 50, III 17\n"
                               "an = yes: I  # 31 rows: I 23, II 8\n";
    fitted f = fit_students(*state, "tree", text);
    char *written = NULL;
    assert_ok(*state, cairn_model_export(*state, f.model, "text", &written));
    assert_string_equal(written, text);
    cairn_string_free(written);
    assert_value(&f, "training.error", 8.0 / 31);
    assert_answer(&f, 0, -2);
    drop(&f);
}

/* III has 17 % of all and 36 % of a leaf whose majority is II. */
static void test_leaves__answer_by_change_against_the_root(void **state)
{
    fitted f = fit_students(*state, "tree:leaf_label=absolute,node_table=yes", tree_text);
    assert_word(&f, "leaf.an=no,age<31", "III");
    assert_word(&f, "leaf.an=no,age>=31", "II");
    assert_value(&f, "node3.absolute.III", 16.0 / 44 - 0.17);
    assert_value(&f, "node3.relative.III", 16.0 / 44 / 0.17 - 1);
    assert_word(&f, "node2.label.absolute", "II");
    assert_word(&f, "node2.label.relative", "III");
    assert_answer(&f, 0, 2);
    assert_value(&f, "training.errors", 28 + 2 + 0 + 3 + 4);
    drop(&f);
}

static void test_leaves__table_of_nodes(void **state)
{
    fitted f = fit_students(*state, "tree:node_table=yes,impurity=gini", tree_text);
    assert_value(&f, "node2.percent.III", 100 * 17.0 / 69);
    assert_value(&f, "node5.score", 0.0035575477823135415);
    assert_value(&f, "node3.share", 0.44);
    assert_value(&f, "node3.error", 17.0 / 44);
    assert_word(&f, "node9.rule", "IF an=yes AND age>=29 THEN I");
    drop(&f);
}

static void test_leaves__numbers_cannot_be_rejected(void **state)
{
    cairn_table *table = table_of(*state, "x,y\n1,2\n2,3\n3,9\n", "y", NULL);
    cairn_model *model = NULL;
    assert_int_equal(try_fit(*state, &model, table, "tree:reject_below=2", CAIRN_REGRESS, NULL),
                     CAIRN_USAGE);
    assert_null(model);
    assert_ok(*state, try_fit(*state, &model, table, "tree:reject_below=2,small_leaf=parent",
                              CAIRN_REGRESS, NULL));
    cairn_model_free(model);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_leaves__small_leaf_rejects),
        context_test(test_leaves__small_leaf_answers_as_the_node_above),
        context_test(test_leaves__reject_is_written_and_read),
        context_test(test_leaves__answer_by_change_against_the_root),
        context_test(test_leaves__table_of_nodes),
        context_test(test_leaves__numbers_cannot_be_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
