/* SPDX-License-Identifier: MIT */
/* Shapley values by drawn orders: see sampled.h. A row is a task with a random stream of its own;
 * rows that are half one and half another are made column by column, by taking cells of a pool that
 * holds the background and behind it the rows to be explained. */
#include "explain/sampled.h"
#include "base/memory.h"
#include "base/random.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 8192 }; /* rows that the model is asked about at once */

typedef struct sampling {
    const cairn_model *model;
    cairn_shapley *out;
    cairn_table *pool;
    size_t n_background, permutations;
    const double *weights;          /* of the background; NULL = all 1 */
    const cairn_prediction *others; /* what the model says of it */
} sampling;

/* What one row needs. */
typedef struct orders {
    size_t *order;   /* n_players */
    uint32_t *taken; /* n_players x rows that are asked about: places in the pool */
    double *change;  /* n_outputs x n_players: mean of an order and its opposite */
    double *sums, *squares;
    double weight, squared_weight;
} orders;

/* The score of an output in prediction j. */
static double score_of(const cairn_shapley *s, const cairn_prediction *p, size_t j, size_t output)
{
    if (p->numbers) return p->numbers[j];
    size_t code = (size_t)s->classes[output];
    if (p->scores) return p->scores[j * p->n_classes + code];
    return p->codes ? (double)(p->codes[j] == (int32_t)code) : NAN;
}

/* -- the pool -- */

static cairn_status join_column(cairn_context *ctx, cairn_table *pool, const cairn_slot *first,
                                cairn_column *second)
{
    cairn_column *parts[] = {first->column, second};
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    cairn_kind kind = first->column->kind;
    if (cairn_kind_is_many(kind))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' holds %s, and values are estimated by exchanging numbers, "
                          "levels, times and texts only",
                          first->name, cairn_kind_plural(kind));
    CHECK(cairn_column_new(ctx, &column, kind, pool->n_rows));
    column->ordered = first->column->ordered;
    column->declared = first->column->declared;
    CHECK(cairn_column_join(ctx, column, parts, 2));
    cairn_column_count_missing(column);
    return cairn_table_add_column(ctx, pool, first->name, first->role, TAKE(column));
}

/* The features of both tables, which are coded alike. */
static cairn_status make_pool(cairn_context *ctx, cairn_table **out, const cairn_table *background,
                              const cairn_table *rows)
{
    OWNED(cairn_table_free) cairn_table *pool = NULL;
    CHECK(cairn_table_new(ctx, &pool, background->n_rows + rows->n_rows));
    for (size_t c = 0; c < rows->n_columns; c++) {
        ptrdiff_t at = cairn_table_find(background, rows->slots[c].name);
        if (rows->slots[c].role != CAIRN_FEATURE || at < 0) continue;
        CHECK(join_column(ctx, pool, &background->slots[at], rows->slots[c].column));
    }
    *out = TAKE(pool);
    return CAIRN_OK;
}

/* -- asking -- */

/* A table of n rows, column c of row i being the cell `taken` of the pool. */
static cairn_status ask_about(cairn_context *ctx, cairn_prediction *out, const sampling *s,
                              const uint32_t *taken, size_t n)
{
    OWNED(cairn_table_free) cairn_table *asked = NULL;
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = true};
    CHECK(cairn_table_new(ctx, &asked, n));
    for (size_t c = 0; c < s->pool->n_columns; c++) {
        cairn_column *column;
        CHECK(cairn_column_take(ctx, &column, s->pool->slots[c].column, taken + c * n, n));
        CHECK(cairn_table_add_column(ctx, asked, s->pool->slots[c].name, CAIRN_FEATURE, column));
    }
    return cairn_model_predict_rows(ctx, out, s->model, asked, cairn_all_rows(asked), wants,
                                    &match);
}

/* The rows between background row `from` and row `to` in an order or its opposite; they begin at
 * row `at` of `total`. */
static void put_between(const sampling *s, const orders *w, size_t from, size_t to, size_t at,
                        size_t total)
{
    size_t m = s->pool->n_columns;
    for (int back = 0; back < 2; back++)
        for (size_t k = 0; k < m; k++) {
            size_t column = w->order[back ? m - 1 - k : k];
            for (size_t i = 0; i + 1 < m; i++)
                w->taken[column * total + at + (back ? m - 1 : 0) + i] =
                    (uint32_t)(k <= i ? to : from);
        }
}

/* What every column changes on the way from a background row to the row, both ways, as one draw. */
static void add_draw(const sampling *s, orders *w, size_t from, size_t row,
                     const cairn_prediction *p, size_t at)
{
    const cairn_shapley *out = s->out;
    size_t m = s->pool->n_columns;
    double weight = s->weights ? s->weights[from] : 1;
    for (size_t c = 0; c < out->n_outputs; c++) {
        double *change = w->change + c * m;
        memset(change, 0, m * sizeof *change);
        for (int back = 0; back < 2; back++) {
            double before = score_of(out, s->others, from, c);
            for (size_t k = 0; k < m; k++) {
                double now = k + 1 == m ? score_of(out, &out->predictions, row, c)
                                        : score_of(out, p, at + (back ? m - 1 : 0) + k, c);
                change[w->order[back ? m - 1 - k : k]] += (now - before) / 2;
                before = now;
            }
        }
        for (size_t k = 0; k < m; k++) {
            w->sums[c * m + k] += weight * change[k];
            w->squares[c * m + k] += weight * weight * change[k] * change[k];
        }
    }
    w->weight += weight;
    w->squared_weight += weight * weight;
}

/* The first order is kept for those who want to see one. */
static void keep_shown(const sampling *s, const orders *w, const cairn_prediction *p)
{
    cairn_shapley *out = s->out;
    size_t m = s->pool->n_columns, k = out->n_outputs;
    for (size_t c = 0; c < k; c++) {
        out->shown_scores[c] = score_of(out, s->others, 0, c);
        for (size_t j = 0; j + 1 < m; j++)
            out->shown_scores[(j + 1) * k + c] = score_of(out, p, j, c);
        out->shown_scores[m * k + c] = score_of(out, &out->predictions, 0, c);
    }
    memcpy(out->shown_order, w->order, m * sizeof *w->order);
}

static cairn_status make_orders(cairn_context *ctx, orders *w, size_t m, size_t k, size_t asked)
{
    CHECK(SCRATCH(ctx, &w->order, m + 1));
    CHECK(SCRATCH(ctx, &w->taken, cairn_product(m, asked) + 1));
    CHECK(SCRATCH_EACH(ctx, cairn_product(m, k) + 1, &w->change, &w->sums));
    return SCRATCH(ctx, &w->squares, cairn_product(m, k) + 1);
}

/* All draws of a row, some at a time; orders are drawn again for the second look at them, from
 * where the random numbers were. */
static cairn_status sample_row(cairn_context *ctx, void *data, size_t row)
{
    const sampling *s = data;
    SCOPED_SCRATCH(ctx);
    size_t m = s->pool->n_columns, each = 2 * (m - 1), nb = s->n_background;
    size_t at_once =
        each && MOST_ASKED / each < s->permutations ? MOST_ASKED / each : s->permutations;
    orders w = {0};
    cairn_random random, again;
    if (!at_once) at_once = 1;
    CHECK(make_orders(ctx, &w, m, s->out->n_outputs, cairn_product(each, at_once)));
    for (size_t k = 0; k < m; k++) w.order[k] = k;
    cairn_random_start(&random, cairn_context_seed(ctx), row + 1);
    for (size_t done = 0; done < s->permutations; done += at_once) {
        SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
        size_t n = s->permutations - done < at_once ? s->permutations - done : at_once;
        CHECK(cairn_tick(ctx, "reasons", (double)row, (double)s->out->n_rows));
        again = random;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < m; k++) w.order[k] = k;
            cairn_random_shuffle(&random, w.order, m);
            put_between(s, &w, (done + i) % nb, nb + row, i * each, n * each);
        }
        if (each) CHECK(ask_about(ctx, &p, s, w.taken, n * each));
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < m; k++) w.order[k] = k;
            cairn_random_shuffle(&again, w.order, m);
            add_draw(s, &w, (done + i) % nb, row, &p, i * each);
            if (row == 0 && done + i == 0) keep_shown(s, &w, &p);
        }
    }
    /* Means of the draws, and standard errors from how they differ. */
    size_t n = s->out->n_outputs * s->pool->n_columns;
    double *values = s->out->values + row * n, *errors = s->out->errors + row * n;
    double draws = w.weight * w.weight / w.squared_weight;
    for (size_t i = 0; i < n; i++) {
        double mean = w.sums[i] / w.weight;
        double spread = w.squares[i] / w.squared_weight - mean * mean;
        values[i] = mean;
        errors[i] = draws > 1 ? sqrt(fmax(spread, 0) / (draws - 1)) : NAN;
    }
    return CAIRN_OK;
}

/* -- the whole -- */

static int by_code(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* What is explained: the number, every class, or the clusters that the rows are in where the
 * learner says only which (a row in none asks about the first). */
static cairn_status make_outputs(cairn_context *ctx, cairn_shapley *out)
{
    const cairn_prediction *p = &out->predictions;
    size_t n = 0, most = p->numbers ? 1 : p->n_classes ? p->n_classes : out->n_rows;
    CHECK(SCRATCH(ctx, &out->classes, most + 1));
    if (p->numbers) {
        out->classes[n++] = -1;
    } else if (p->n_classes || !p->codes) {
        while (n < p->n_classes) out->classes[n] = (int32_t)n, n++;
    } else {
        for (size_t i = 0; i < most; i++) out->classes[i] = p->codes[i] < 0 ? 0 : p->codes[i];
        qsort(out->classes, most, sizeof *out->classes, by_code);
        for (size_t i = 0; i < most; i++)
            if (!n || out->classes[n - 1] != out->classes[i]) out->classes[n++] = out->classes[i];
    }
    out->n_outputs = n;
    out->scale = p->numbers ? CAIRN_SUM_NUMBER : CAIRN_SUM_SCORE;
    if (n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "the model answers without a class or a number");
}

/* Columns of the pool are the players. */
static cairn_status make_result(cairn_context *ctx, cairn_shapley *out, const cairn_table *pool)
{
    CHECK(make_outputs(ctx, out));
    size_t k = out->n_outputs, m = pool->n_columns;
    out->n_players = m;
    CHECK(SCRATCH_EACH(ctx, m + 1, &out->names, &out->columns));
    for (size_t i = 0, c = 0; c < out->table->n_columns; c++) {
        if (out->table->slots[c].role != CAIRN_FEATURE) continue;
        out->names[i] = out->table->slots[c].name;
        out->columns[i++] = c;
    }
    CHECK(SCRATCH(ctx, &out->base, k + 1));
    CHECK(SCRATCH(ctx, &out->shown_order, m + 1));
    CHECK(SCRATCH(ctx, &out->shown_scores, cairn_product(m + 1, k) + 1));
    CHECK(SCRATCH(ctx, &out->values, cairn_product(out->n_rows, cairn_product(k, m)) + 1));
    return SCRATCH(ctx, &out->errors, cairn_product(out->n_rows, cairn_product(k, m)) + 1);
}

/* Means over the background. */
static void find_base(cairn_shapley *out, const sampling *s)
{
    for (size_t c = 0; c < out->n_outputs; c++) {
        double sum = 0, total = 0;
        for (size_t j = 0; j < s->n_background; j++) {
            double weight = s->weights ? s->weights[j] : 1;
            sum += weight * score_of(out, s->others, j, c);
            total += weight;
        }
        out->base[c] = sum / total;
    }
}

cairn_status cairn_shapley_sample(cairn_context *ctx, cairn_shapley *out, const cairn_model *model,
                                  const cairn_table *background, const double *weights,
                                  size_t permutations)
{
    OWNED(cairn_table_free) cairn_table *pool = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction others = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = true};
    size_t nb = background->n_rows, rounds = permutations / nb + (permutations % nb != 0);
    CHECK(make_pool(ctx, &pool, background, out->table));
    CHECK(make_result(ctx, out, pool));
    if (!out->n_players)
        return cairn_fail(ctx, CAIRN_USAGE, "%s looks at no column, so there is nothing to explain",
                          cairn_model_learner(model));
    CHECK(cairn_model_predict_rows(ctx, &others, model, background, cairn_all_rows(background),
                                   wants, &match));
    sampling s = {.model = model,
                  .out = out,
                  .pool = pool,
                  .n_background = nb,
                  .permutations = rounds * nb,
                  .weights = weights,
                  .others = &others};
    find_base(out, &s);
    out->permutations = s.permutations;
    return cairn_tasks(ctx, out->n_rows, sample_row, &s);
}
