/* SPDX-License-Identifier: MIT */
/* Eight rows of two columns and a target, and the same as the words of a bag. */
#ifndef CAIRN_TESTS_BAG_ROWS_H
#define CAIRN_TESTS_BAG_ROWS_H

#include "data/bag.h"
#include "support/learn.h"

/* x, y, t */
static const double rows[] = {1, 2, 3.1,  2, 1, 3.9, 3, 5, 9.2,  4, 3, 8,
                              5, 8, 14.1, 6, 2, 9.8, 7, 7, 15.3, 8, 1, 10.2};

/* The two columns as the words of a bag, with `extra` words that occur once and weigh nothing. */
static inline fitted fit_bag(cairn_context *ctx, size_t extra, const char *spec,
                             cairn_status wanted)
{
    cairn_bag_builder bag = {0};
    cairn_column *column;
    fitted f = {0};
    char word[20];
    double targets[8];
    for (size_t i = 0; i < 8; i++) {
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        assert_ok(ctx, cairn_bag_add(ctx, &bag, "x", 1, rows[3 * i]));
        assert_ok(ctx, cairn_bag_add(ctx, &bag, "y", 1, rows[3 * i + 1]));
        for (size_t w = 0; i == 0 && w < extra; w++) {
            snprintf(word, sizeof word, "w%zu", w);
            assert_ok(ctx, cairn_bag_add(ctx, &bag, word, strlen(word), 1e-9));
        }
        targets[i] = rows[3 * i + 2];
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_new(ctx, &f.table, 8));
    assert_ok(ctx, cairn_table_add_column(ctx, f.table, "words", CAIRN_FEATURE, column));
    assert_ok(ctx, cairn_table_add_numbers(ctx, f.table, "t", targets));
    assert_int_equal(learn(ctx, &f.model, &f.report, f.table, spec, "t", NULL), wanted);
    return f;
}

#endif
