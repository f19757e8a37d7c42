/* SPDX-License-Identifier: MIT */
/* Rows drawn twice, with bags and with a number column for every item, which a learner that reads
 * what rows hold must answer alike. */
#ifndef CAIRN_TESTS_TWIN_H
#define CAIRN_TESTS_TWIN_H

#include "learners/tree/fitted.h"
#include "base/random.h"
#include "data/bag.h"
#include "data/column.h"
#include "data/table.h"
#include <string.h>

enum { MOST_ITEMS = 64 };

/* How rows are drawn. Item k of a bag is in a row with the chance `common` / (k + 1). */
typedef struct design {
    size_t n_rows, n_bags, n_items, n_numbers, n_classes; /* n_classes 0 = regression */
    double common, absent;                                /* chance that a bag is missing */
    bool reals, weighted, negative;
} design;

/* Rows twice: with bags, and with a column for every item. */
typedef struct twin {
    cairn_table *bags, *dense;
} twin;

typedef struct drawing {
    cairn_context *ctx;
    const design *d;
    cairn_random random;
    double *scores; /* n_rows: what the target will be made of */
} drawing;

static inline double draw(drawing *w)
{
    return cairn_random_uniform(&w->random);
}

static inline double draw_amount(drawing *w)
{
    double amount = w->d->reals ? draw(w) + 0.001 : 1 + floor(3 * draw(w));
    return w->d->negative && draw(w) < 0.3 ? -amount : amount;
}

static inline void add_column(drawing *w, cairn_table *table, const char *name, cairn_role role,
                              cairn_column *column)
{
    cairn_column_count_missing(column);
    assert_ok(w->ctx, cairn_table_append(w->ctx, table, name, role, column));
}

/* The same numbers in both tables. */
static inline void add_numbers(drawing *w, twin *t, const char *name, cairn_role role,
                               const double *numbers)
{
    cairn_table *tables[] = {t->bags, t->dense};
    for (size_t k = 0; k < 2; k++) {
        cairn_column *column = NULL;
        assert_ok(w->ctx, cairn_column_new(w->ctx, &column, CAIRN_NUMBER, w->d->n_rows));
        memcpy(column->numbers, numbers, w->d->n_rows * sizeof *numbers);
        add_column(w, tables[k], name, role, column);
    }
}

/* A bag, and what it holds of every item. */
static inline cairn_column *draw_bag(drawing *w, double *cells, size_t n_items, size_t number)
{
    cairn_bag_builder bag = {0};
    cairn_column *column = NULL;
    for (size_t i = 0; i < w->d->n_rows; i++) {
        assert_ok(w->ctx, cairn_bag_begin_row(w->ctx, &bag));
        bool absent = draw(w) < w->d->absent;
        for (size_t k = 0; k < n_items; k++) {
            double amount = draw(w) < w->d->common / (double)(k + 1) ? draw_amount(w) : 0;
            if (i == 0) amount = 1; /* items are numbered as they come */
            cells[i * n_items + k] = absent && i ? NAN : amount;
            char name[40];
            int length = snprintf(name, sizeof name, "%zu", 100 + k);
            w->scores[i] += absent ? 0 : (k % 3 == number % 3) * (k % 2 ? 1 : -2) * amount;
            if (amount != 0 && !(absent && i))
                assert_ok(w->ctx, cairn_bag_add(w->ctx, &bag, name, (size_t)length, amount));
        }
    }
    assert_ok(w->ctx, cairn_bag_finish(w->ctx, &column, &bag));
    for (size_t i = 0; i < w->d->n_rows; i++)
        if (isnan(cells[i * n_items]))
            assert_ok(w->ctx, cairn_column_mark_absent(w->ctx, column, i));
    return column;
}

static inline void add_bag(drawing *w, twin *t, size_t number)
{
    size_t n = w->d->n_rows, m = w->d->n_items;
    double *cells = calloc(n * m, sizeof *cells);
    char name[40];
    cairn_column *bag = draw_bag(w, cells, m, number);
    snprintf(name, sizeof name, "bag%zu", number);
    add_column(w, t->bags, name, CAIRN_FEATURE, bag);
    for (size_t k = 0; k < m; k++) {
        cairn_column *column = NULL;
        snprintf(name, sizeof name, "bag%zu=%zu", number, 100 + k);
        assert_ok(w->ctx, cairn_column_new(w->ctx, &column, CAIRN_NUMBER, n));
        for (size_t i = 0; i < n; i++) column->numbers[i] = cells[i * m + k];
        add_column(w, t->dense, name, CAIRN_FEATURE, column);
    }
    free(cells);
}

static inline void add_target(drawing *w, twin *t)
{
    cairn_table *tables[] = {t->bags, t->dense};
    const design *d = w->d;
    for (size_t i = 0; i < d->n_rows; i++) w->scores[i] += 2 * draw(w);
    if (!d->n_classes) {
        add_numbers(w, t, "y", CAIRN_TARGET, w->scores);
        return;
    }
    for (size_t k = 0; k < 2; k++) {
        cairn_column *column = NULL;
        size_t index;
        assert_ok(w->ctx, cairn_column_new(w->ctx, &column, CAIRN_LEVEL, d->n_rows));
        for (size_t c = 0; c < d->n_classes; c++)
            assert_ok(w->ctx, cairn_map_add(w->ctx, &column->names, &"abcdef"[c], 1, &index));
        for (size_t i = 0; i < d->n_rows; i++) {
            double at = floor(w->scores[i] + 0.5 * (double)d->n_classes);
            column->codes[i] = (int32_t)fmax(0, fmin(at, (double)d->n_classes - 1));
        }
        add_column(w, tables[k], "y", CAIRN_TARGET, column);
    }
}

static inline twin draw_twin(cairn_context *ctx, const design *d, uint64_t seed)
{
    twin t = {0};
    drawing w = {.ctx = ctx, .d = d, .scores = calloc(d->n_rows, sizeof(double))};
    double *numbers = calloc(d->n_rows, sizeof *numbers);
    char name[40];
    assert_true(d->n_items <= MOST_ITEMS && d->n_classes <= 6);
    cairn_random_start(&w.random, seed, 0);
    assert_ok(ctx, cairn_table_new(ctx, &t.bags, d->n_rows));
    assert_ok(ctx, cairn_table_new(ctx, &t.dense, d->n_rows));
    for (size_t j = 0; j < d->n_numbers; j++) {
        for (size_t i = 0; i < d->n_rows; i++) {
            numbers[i] = draw(&w) < 0.05 ? NAN : floor(40 * draw(&w));
            w.scores[i] += isnan(numbers[i]) ? 1 : numbers[i] / 20;
        }
        snprintf(name, sizeof name, "x%zu", j);
        add_numbers(&w, &t, name, CAIRN_FEATURE, numbers);
    }
    for (size_t b = 0; b < d->n_bags; b++) add_bag(&w, &t, b);
    for (size_t i = 0; i < d->n_rows; i++) numbers[i] = 0.25 + floor(4 * draw(&w)) / 3;
    if (d->weighted) add_numbers(&w, &t, "w", CAIRN_WEIGHT, numbers);
    add_target(&w, &t);
    free(numbers);
    free(w.scores);
    return t;
}

static inline void assert_same_numbers(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("number %zu of %zu is %.17g and %.17g", i, n, a[i], b[i]);
}

static inline void assert_same_answers(cairn_context *ctx, const fitted *a, const fitted *b)
{
    cairn_table *said[2] = {NULL, NULL};
    assert_ok(ctx, cairn_model_predict(ctx, &said[0], a->model, a->table, true));
    assert_ok(ctx, cairn_model_predict(ctx, &said[1], b->model, b->table, true));
    size_t n = cairn_table_columns(said[0]), rows = cairn_table_rows(said[0]);
    assert_int_equal(n, cairn_table_columns(said[1]));
    for (size_t c = 0; c < n; c++)
        if (said[0]->slots[c].column->numbers)
            assert_same_numbers(said[0]->slots[c].column->numbers,
                                said[1]->slots[c].column->numbers, rows);
    for (int k = 0; k < 2; k++) cairn_table_free(said[k]);
}

#endif
