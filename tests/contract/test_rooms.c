/* SPDX-License-Identifier: MIT */
/* Sequences in views, answers per item, labels of fitted rows: seen from outside, by learners that
 * exist in tests only. */
#include "contract/room_learners.h"
#include "support/run.h"
#include "support/unit.h"
#include "base/file.h"
#include "model/judged_rows.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Symbols a, b, c with the labels X, Y, Y; in row 3 an a is labelled Y, so that one item of the ten
 * is wrong and two of three sequences are right. */
static const char train[] = "symbols,labels\n"
                            "a b a,X Y X\n"
                            "c a,Y X\n"
                            "a a b c a,X Y Y Y X\n";

static const char *write_file(cairn_context *ctx, const char *name, const char *text)
{
    static char path[200];
    snprintf(path, sizeof path, "/tmp/cairn-rooms-%d-%s", (int)getpid(), name);
    assert_ok(ctx, cairn_file_write_all(ctx, path, text, strlen(text)));
    return path;
}

static cairn_table *read_table(cairn_context *ctx, const char *text, const char *kinds,
                               const char *target)
{
    cairn_table *table;
    const char *path = write_file(ctx, "table.csv", text);
    assert_ok(ctx, cairn_table_read(ctx, &table, path, NULL));
    remove(path);
    if (kinds) assert_ok(ctx, cairn_table_apply_kinds(ctx, table, kinds, NULL));
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    return table;
}

static cairn_status fit(cairn_context *ctx, cairn_model **out, const char *spec,
                        const cairn_table *table)
{
    cairn_params *params = NULL;
    cairn_status status;
    assert_ok(ctx, cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    status = cairn_model_fit(ctx, out, params, table, NULL);
    cairn_params_free(params);
    return status;
}

static void test_buffers__sequences_reach_a_learner_in_blocks(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_table(ctx, train, "symbols=sequence,labels=sequence", "labels");
    cairn_view view;
    cairn_sequence runs[2];
    uint32_t rows[] = {2, 0};
    assert_ok(ctx, cairn_view_make(ctx, &view, table, (cairn_rows){rows, 2, NULL}));
    assert_int_equal(cairn_view_first(&view, CAIRN_SEQUENCE), 0);
    assert_int_equal(cairn_view_first(&view, CAIRN_NUMBER), -1);
    cairn_view_sequences(&view, 0, 0, 2, runs);
    assert_int_equal(runs[0].n, 5);
    assert_int_equal(runs[1].n, 3);
    assert_int_equal(runs[1].items[0], runs[1].items[2]);
    assert_int_equal(runs[0].items[4], runs[1].items[0]);
    cairn_view_target_sequences(&view, 1, 1, runs);
    assert_int_equal(runs[0].n, 3);
    cairn_table_free(table);
}

/* The answer is a sequence as long as the row; symbols that training did not have keep their place
 * and get the commonest label. */
static void test_buffers__answers_per_item(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_table(ctx, train, "symbols=sequence,labels=sequence", "labels");
    cairn_table *asked = read_table(ctx, "symbols\nc z a b\na\n", "symbols=sequence", NULL),
                *answer;
    cairn_model *model;
    char cell[64];
    assert_ok(ctx, fit(ctx, &model, "label-items", table));
    assert_int_equal(cairn_model_task(model), CAIRN_LABEL_ITEMS);
    assert_int_equal(model->n_classes, 2);
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, asked, true));
    assert_int_equal(answer->n_columns, 1);
    assert_int_equal(answer->slots[0].column->kind, CAIRN_SEQUENCE);
    cairn_table_cell(answer, 0, 0, cell, sizeof cell);
    assert_string_equal(cell, "Y X X Y");
    cairn_table_cell(answer, 0, 1, cell, sizeof cell);
    assert_string_equal(cell, "X");
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_table_free(asked);
    cairn_table_free(table);
}

static void test_buffers__items_are_judged_one_by_one(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_table(ctx, train, "symbols=sequence,labels=sequence", "labels");
    cairn_model *model;
    cairn_prediction p = {0};
    cairn_judged j;
    double effective;
    assert_ok(ctx, fit(ctx, &model, "label-items", table));
    assert_ok(ctx, cairn_judged_model(ctx, &j, &p, model, table, cairn_all_rows(table), false));
    assert_int_equal(j.n, 10);
    assert_true(fabs(cairn_judged_accuracy(&j) - 0.9) < 1e-15);
    assert_true(fabs(cairn_judged_whole_accuracy(&j) - 2.0 / 3) < 1e-15);
    assert_ok(ctx, cairn_judged_effective(ctx, &effective, &j)); /* 10² / (3² + 2² + 5²) */
    assert_true(fabs(effective - 100.0 / 38) < 1e-12);
    cairn_prediction_clear(&p);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_buffers__sequences_are_refused_with_a_remedy(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_table *table = read_table(ctx, train, "symbols=sequence", "labels");
    assert_fails(ctx, fit(ctx, &model, "label-items", table), CAIRN_USAGE, "labels the items");
    cairn_table_free(table);
    table = read_table(ctx, train, "symbols=sequence", NULL);
    assert_fails(ctx, fit(ctx, &model, "gaps", table), CAIRN_BAD_DATA, "as a bag");
    cairn_table_free(table);
    table =
        read_table(ctx, "symbols,labels\na b,X\n", "symbols=sequence,labels=sequence", "labels");
    assert_fails(ctx, fit(ctx, &model, "label-items", table), CAIRN_BAD_DATA,
                 "row 1: 'symbols' has 2 items and 'labels' has 1 labels");
    cairn_table_free(table);
}

/* The labels are those of the table that was fitted, after loading too; others are refused. */
static void test_buffers__labels_of_fitted_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_table(ctx, "x\n1\n9\n2\n8.5\n1.5\n30\n", NULL, NULL), *answer;
    cairn_table *other = read_table(ctx, "x\n1\n9\n2\n8.5\n1.5\n31\n", NULL, NULL);
    static const char *const wanted[] = {"1", "2", "1", "2", "1", "3"};
    cairn_model *model, *loaded;
    char *bytes, cell[16];
    size_t length;
    assert_ok(ctx, fit(ctx, &model, "gaps:gap=2", table));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, loaded, table, false));
    for (size_t i = 0; i < 6; i++) {
        cairn_table_cell(answer, 0, i, cell, sizeof cell);
        assert_string_equal(cell, wanted[i]);
    }
    cairn_table_free(answer);
    assert_fails(ctx, cairn_model_predict(ctx, &answer, loaded, other, false), CAIRN_USAGE,
                 "no rule for others");
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(other);
    cairn_table_free(table);
}

/* -- by the verbs -- */

#define KINDS "symbols=sequence,labels=sequence"

static void test_buffers__verbs_judge_items(void **state)
{
    cairn_context *ctx = *state;
    const char *path = write_file(ctx, "items.csv", train);
    cairn_report *report;
    assert_ok(ctx,
              run_words(ctx, &report,
                        WORDS("fit", "label-items", path, "--target", "labels", "--kinds", KINDS)));
    assert_number(report, "training.accuracy", 0.9, 1e-12);
    assert_number(report, "training.whole_accuracy", 2.0 / 3, 1e-12);
    cairn_report_free(report);
    /* c of row 2 is learned from row 3 and the other way round */
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("evaluate", "label-items", path, "--target", "labels", "--kinds",
                                   KINDS, "--by", "loo")));
    assert_number(report, "evaluate.predictions", 10, 0);
    assert_number(report, "evaluate.rows", 3, 0);
    assert_number(report, "accuracy", 0.9, 1e-12);
    assert_number(report, "whole_accuracy", 2.0 / 3, 1e-12);
    cairn_report_free(report);
    remove(path);
}

static void test_buffers__verbs_judge_fitted_rows(void **state)
{
    cairn_context *ctx = *state;
    const char *path = write_file(ctx, "gaps.csv", "x,k\n1,a\n9,b\n2,a\n8.5,b\n1.5,a\n30,b\n");
    cairn_report *report;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("evaluate", "gaps", path, "--target", "k", "--gap", "2")));
    assert_number(report, "clusters", 3, 0);
    assert_number(report, "purity", 1, 1e-12);
    assert_number(report, "rand", 13.0 / 15, 1e-12); /* 2 of 15 pairs are torn apart */
    cairn_report_free(report);
    /* no rule for rows that are held out: those that are learned from are judged */
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("evaluate", "gaps", path, "--target", "k", "--gap", "2", "--by",
                                   "cv:2", "--stability", "4")));
    assert_number(report, "purity", 1, 1e-12);
    cairn_report_free(report);
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("tune", "gaps", path, "--target", "k", "--over", "gap=0.1,2,50",
                                   "--measure", "adjusted-rand")));
    assert_string_equal(cairn_report_string(report, "best.gap"), "2");
    cairn_report_free(report);
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compare", "gaps:gap=2", "gaps:gap=50", "--on", path, "--target",
                                   "k", "--by", "cv:2", "--measure", "rand")));
    assert_number(report, "gaps:gap=2.rand", 13.0 / 15, 1e-12);
    assert_number(report, "gaps:gap=50.clusters", 1, 0);
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report,
                           WORDS("tune", "gaps", path, "--target", "k", "--over", "gap=1,2",
                                 "--outer", "cv:2")),
                 CAIRN_USAGE, "has no rule for new rows");
    cairn_report_free(report);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_buffers__sequences_reach_a_learner_in_blocks),
        context_test(test_buffers__answers_per_item),
        context_test(test_buffers__items_are_judged_one_by_one),
        context_test(test_buffers__sequences_are_refused_with_a_remedy),
        context_test(test_buffers__labels_of_fitted_rows),
        context_test(test_buffers__verbs_judge_items),
        context_test(test_buffers__verbs_judge_fitted_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
