/* SPDX-License-Identifier: MIT */
/* The steps of tables for hidden Markov models. */
#include "learners/sequence/hmm_model.h"
#include "learners/sequence/markov.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static size_t count_kind(const cairn_view *view, cairn_kind kind)
{
    size_t n = 0;
    for (size_t f = 0; f < view->n_features; f++) n += view->features[f]->kind == kind;
    return n;
}

cairn_status cairn_hmm_find_steps(cairn_context *ctx, const cairn_view *view, bool rows,
                                  int32_t *shape)
{
    size_t numbers = count_kind(view, CAIRN_NUMBER), levels = count_kind(view, CAIRN_LEVEL);
    *shape = CAIRN_HMM_SEQUENCES;
    if (cairn_view_first(view, CAIRN_SEQUENCE) >= 0) return CAIRN_OK;
    *shape = CAIRN_HMM_SERIES;
    if (cairn_view_first(view, CAIRN_SERIES) >= 0) return CAIRN_OK;
    if (rows && levels > 1 && !numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the rows are the steps of a sequence, and %zu columns of levels could "
                          "be its symbols; choose one with {features COLUMN}",
                          levels);
    if (!numbers && !levels)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a hidden Markov model needs a column of sequences, or columns of levels "
                          "or numbers for the steps; declare one with {kinds COLUMN=sequence} "
                          "or {kinds COLUMN=series}");
    if (rows)
        *shape = numbers ? CAIRN_HMM_NUMBER_ROWS : CAIRN_HMM_LEVEL_ROWS;
    else
        *shape = levels ? CAIRN_HMM_LEVEL_COLUMNS : CAIRN_HMM_NUMBER_COLUMNS;
    return CAIRN_OK;
}

size_t cairn_hmm_width(const cairn_view *view, int32_t shape)
{
    return shape == CAIRN_HMM_NUMBER_ROWS      ? count_kind(view, CAIRN_NUMBER)
           : shape == CAIRN_HMM_SERIES         ? count_kind(view, CAIRN_SERIES)
           : shape == CAIRN_HMM_NUMBER_COLUMNS ? 1
                                               : 0;
}

cairn_status cairn_hmm_name_numbers(cairn_context *ctx, cairn_map *out, const cairn_schema *schema,
                                    int32_t shape)
{
    int32_t kind = shape == CAIRN_HMM_SERIES ? CAIRN_SERIES : CAIRN_NUMBER;
    if (shape != CAIRN_HMM_SERIES && shape != CAIRN_HMM_NUMBER_ROWS) return CAIRN_OK;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        size_t index;
        if (field->role == CAIRN_FEATURE && (int32_t)field->kind == kind)
            CHECK(cairn_map_add(ctx, out, field->name, strlen(field->name), &index));
    }
    return CAIRN_OK;
}

/* Infinite numbers have no density. */
static cairn_status take_number(cairn_context *ctx, const cairn_view *view, size_t feature,
                                size_t row, double *out)
{
    *out = view->features[feature]->numbers[row];
    if (isnan(*out)) return CAIRN_OK;
    return cairn_need_finite(ctx, "hmm", view->names[feature], row, *out);
}

/* -- symbols -- */

static size_t row_at(const uint32_t *list, size_t i)
{
    return list ? list[i] : i;
}

/* Rows that are sequences of symbols. */
static cairn_status read_symbols(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                 const uint32_t *list, size_t n, cairn_map *symbols, bool grow)
{
    cairn_markov_steps steps;
    size_t *begins;
    int32_t *all;
    CHECK(cairn_markov_open(ctx, &steps, view, symbols, grow));
    CHECK(SCRATCH(ctx, &begins, n + 1));
    for (size_t i = 0; i < n; i++)
        begins[i + 1] = begins[i] + cairn_markov_row(&steps, row_at(list, i));
    CHECK(SCRATCH(ctx, &all, begins[n]));
    for (size_t i = 0; i < n; i++) {
        size_t length = cairn_markov_row(&steps, row_at(list, i));
        memcpy(all + begins[i], steps.row, length * sizeof *all);
    }
    *out = (cairn_hmm_data){.n = n, .begins = begins, .symbols = all};
    return CAIRN_OK;
}

/* Rows that are the steps of one sequence of symbols. */
static cairn_status read_level_rows(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                    size_t n, cairn_map *symbols, bool grow)
{
    cairn_markov_steps steps;
    size_t *begins;
    int32_t *all;
    CHECK(cairn_markov_open(ctx, &steps, view, symbols, grow));
    CHECK(SCRATCH(ctx, &begins, 2));
    CHECK(SCRATCH(ctx, &all, n));
    begins[1] = n;
    ptrdiff_t f = cairn_view_first(view, CAIRN_LEVEL);
    const int32_t *codes = view->features[f]->codes, *symbol_of = steps.symbol_of[f];
    for (size_t i = 0; i < n; i++) {
        int32_t code = codes[cairn_view_row(view, i)];
        all[i] = code < 0 ? -1 : symbol_of[code];
    }
    *out = (cairn_hmm_data){.n = 1, .begins = begins, .symbols = all};
    return CAIRN_OK;
}

/* -- numbers -- */

/* Rows of numbers; `rows` = each is a step, else each number is one. */
static cairn_status read_numbers(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                 const uint32_t *list, size_t n, bool rows)
{
    size_t width = count_kind(view, CAIRN_NUMBER), *begins, at = 0;
    size_t n_sequences = rows ? 1 : n;
    double *all;
    CHECK(SCRATCH(ctx, &begins, n_sequences + 1));
    CHECK(SCRATCH(ctx, &all, cairn_product(n, width)));
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < view->n_features; f++)
            if (view->features[f]->kind == CAIRN_NUMBER)
                CHECK(take_number(ctx, view, f, cairn_view_row(view, row_at(list, i)), &all[at++]));
    for (size_t i = 0; i < n_sequences; i++) begins[i + 1] = rows ? n : (i + 1) * width;
    *out = (cairn_hmm_data){.n = n_sequences, .begins = begins, .numbers = all};
    return CAIRN_OK;
}

/* The numbers of one row's series, side by side; infinite ones are refused. */
static cairn_status take_series(cairn_context *ctx, const cairn_view *view, size_t row,
                                size_t width, double *out)
{
    size_t k = 0;
    for (size_t f = 0; f < view->n_features; f++) {
        cairn_number_series run;
        if (view->features[f]->kind != CAIRN_SERIES) continue;
        cairn_view_series(view, f, row, 1, &run);
        for (size_t t = 0; t < run.n; t++) {
            out[t * width + k] = run.values[t];
            if (!isnan(run.values[t]))
                CHECK(cairn_need_finite(ctx, "hmm", view->names[f], cairn_view_row(view, row),
                                        run.values[t]));
        }
        k++;
    }
    return CAIRN_OK;
}

/* Rows that are sequences of vectors, each number of which has a series of its own. */
static cairn_status read_series(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                const uint32_t *list, size_t n)
{
    size_t width = count_kind(view, CAIRN_SERIES), *begins;
    ptrdiff_t first = cairn_view_first(view, CAIRN_SERIES);
    double *all;
    CHECK(cairn_view_check_steps(ctx, view));
    CHECK(SCRATCH(ctx, &begins, n + 1));
    for (size_t i = 0; i < n; i++)
        begins[i + 1] = begins[i] + cairn_view_n_steps(view, (size_t)first, row_at(list, i));
    CHECK(SCRATCH(ctx, &all, cairn_product(begins[n], width)));
    for (size_t i = 0; i < n; i++)
        CHECK(take_series(ctx, view, row_at(list, i), width, all + begins[i] * width));
    *out = (cairn_hmm_data){.n = n, .begins = begins, .numbers = all};
    return CAIRN_OK;
}

cairn_status cairn_hmm_read_steps(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                  int32_t shape, const uint32_t *list, size_t n, cairn_map *symbols,
                                  bool grow)
{
    switch (shape) {
    case CAIRN_HMM_NUMBER_COLUMNS: return read_numbers(ctx, out, view, list, n, false);
    case CAIRN_HMM_NUMBER_ROWS: return read_numbers(ctx, out, view, list, n, true);
    case CAIRN_HMM_SERIES: return read_series(ctx, out, view, list, n);
    case CAIRN_HMM_LEVEL_ROWS: return read_level_rows(ctx, out, view, n, symbols, grow);
    default: return read_symbols(ctx, out, view, list, n, symbols, grow);
    }
}
