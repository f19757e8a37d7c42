/* SPDX-License-Identifier: MIT */
#include "contract/contract.h"
#include "base/functions.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 4000 };

static const char *const colours[] = {"red", "green", "blue"};
static const char *const answers[] = {"no", "yes", "perhaps"};

/* A fixed, bumpy sequence: no random generator, so row i is the same in every table. */
static double bump(size_t i, size_t salt)
{
    double x = cairn_sin((double)i * 12.9898 + (double)salt * 78.233) * 43758.5453;
    return x - floor(x);
}

typedef struct row {
    double x, y, number, weight;
    int32_t colour, answer;
} row;

static row make_row(size_t i, bool missing)
{
    row r = {.x = floor(bump(i, 1) * 40) / 4, .y = bump(i, 2) * 100 - 50};
    r.colour = (int32_t)(bump(i, 3) * 3);
    double signal = r.x * 3 + r.y * 0.2 + r.colour * 4;
    r.number = signal + bump(i, 4) * 3;
    r.answer = signal < 12 ? 0 : signal < 24 ? 1 : 2;
    if (bump(i, 5) < 0.08) r.answer = (r.answer + 1) % 3;
    r.weight = 1 + floor(bump(i, 6) * 3);
    if (missing && i % 11 == 3) r.x = NAN;
    if (missing && i % 13 == 4) r.colour = -1;
    return r;
}

typedef struct columns {
    double x[MOST_ROWS], y[MOST_ROWS], constant[MOST_ROWS], number[MOST_ROWS], weight[MOST_ROWS];
    int32_t colour[MOST_ROWS], answer[MOST_ROWS];
    size_t n;
} columns;

static void put_row(columns *c, row r)
{
    assert_true(c->n < MOST_ROWS);
    c->x[c->n] = r.x;
    c->y[c->n] = r.y;
    c->constant[c->n] = 7;
    c->number[c->n] = r.number;
    c->weight[c->n] = r.weight;
    c->colour[c->n] = r.colour;
    c->answer[c->n++] = r.answer;
}

static void fill_columns(columns *c, contract_data data)
{
    for (size_t k = 0; k < data.n_rows; k++) {
        size_t i = data.reversed ? data.n_rows - 1 - k : k;
        row r = make_row(i, data.missing);
        for (int copy = 0; copy < (data.repeated ? (int)r.weight : 1); copy++) put_row(c, r);
    }
}

/* A letter for each of one to four steps through the colours, and whether it is a small number. */
static void add_sequences(cairn_context *ctx, cairn_table *table, const columns *c)
{
    enum { BUFFER = 48 };
    char *texts = calloc(2 * c->n + 1, BUFFER);
    const char **cells = calloc(2 * c->n + 1, sizeof *cells);
    assert_non_null(texts);
    assert_non_null(cells);
    for (size_t i = 0; i < c->n; i++) {
        char *symbols = texts + 2 * i * BUFFER, *labels = symbols + BUFFER;
        size_t n = 1 + (size_t)c->weight[i] + (size_t)(c->answer[i] > 0);
        for (size_t k = 0; k < n; k++) {
            size_t symbol = (size_t)(fabs(c->y[i]) * (double)(k + 3)) % 5;
            strcat(symbols, (const char *[]){"a ", "b ", "c ", "d ", "e "}[symbol]);
            strcat(labels, symbol + k < 4 ? "low " : "high ");
        }
        cells[i] = symbols;
        cells[c->n + i] = labels;
    }
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "symbols", cells));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "answer", cells + c->n));
    assert_ok(ctx, cairn_table_apply_kinds(ctx, table, "symbols=sequence,answer=sequence", NULL));
    free(cells);
    free(texts);
}

cairn_table *contract_table(cairn_context *ctx, contract_data data)
{
    columns *c = calloc(1, sizeof *c);
    cairn_table *table;
    assert_non_null(c);
    fill_columns(c, data);
    assert_ok(ctx, cairn_table_new(ctx, &table, c->n));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", c->x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", c->colour, colours, 3));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", c->y));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "constant", c->constant));
    if (data.task == CAIRN_CLASSIFY)
        assert_ok(ctx, cairn_table_add_levels(ctx, table, "answer", c->answer, answers, 3));
    if (data.task == CAIRN_REGRESS)
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "answer", c->number));
    if (data.task == CAIRN_LABEL_ITEMS) add_sequences(ctx, table, c);
    if (data.task != CAIRN_CLUSTER)
        assert_ok(ctx, cairn_table_set_role(ctx, table, "answer", CAIRN_TARGET));
    if (data.weighted && !data.repeated) {
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "weight", c->weight));
        assert_ok(ctx, cairn_table_set_role(ctx, table, "weight", CAIRN_WEIGHT));
    }
    free(c);
    return table;
}

cairn_params *contract_params(cairn_context *ctx, const cairn_learner *learner)
{
    cairn_params *params;
    const cairn_param *param;
    assert_ok(ctx, cairn_params_for(ctx, &params, &learner->entry));
    for (size_t i = 0; (param = cairn_params_row(&learner->entry, i, NULL)); i++) {
        bool text = param->type == CAIRN_TYPE_TEXT || param->type >= CAIRN_TYPE_LIST;
        if (param->initial || (text && !param->required)) continue;
        assert_ok(ctx, cairn_params_set(ctx, params, param->name, "3"));
    }
    return params;
}

const cairn_learner *contract_learner(size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t at = 0; at < n; at++)
        if (entries[at]->kind == CAIRN_ENTRY_LEARNER && i-- == 0)
            return (const cairn_learner *)entries[at];
    return NULL;
}

cairn_task contract_next_task(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    cairn_params *params = contract_params(ctx, learner);
    unsigned tasks = 0;
    assert_ok(ctx, cairn_learner_tasks(ctx, learner, params->values, &tasks));
    cairn_params_free(params);
    for (int next = task ? task * 2 : 1; next <= CAIRN_LABEL_ITEMS; next *= 2)
        if (tasks & (unsigned)next) return (cairn_task)next;
    return CAIRN_TASK_AUTO;
}

cairn_status contract_fit(cairn_context *ctx, cairn_model **out, const cairn_learner *learner,
                          const cairn_table *table, cairn_task task, cairn_report *steps)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = contract_params(ctx, learner);
    options.task = task;
    options.steps = steps;
    cairn_status status = cairn_model_fit(ctx, out, params, table, &options);
    cairn_params_free(params);
    return status;
}
