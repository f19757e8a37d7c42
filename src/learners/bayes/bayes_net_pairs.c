/* SPDX-License-Identifier: MIT */
/* Counts of pairs of columns, each made once.
 *
 *  1. every value of a column becomes a set of rows, a bit a row; with a given variable, rows of
 *     one value of it stand together and begin at a word of their own
 *  2. how often two values meet is the number of bits that their sets share, which takes a 64th of
 *     the rows' time for each pair of values; the last value of each column is what is left of the
 *     other, unless cells are missing
 *  3. columns of many values, and rows with weights, are counted row by row
 *
 * Memory: a bit for each row and value. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/bits.h"
#include "parallel/parallel.h"

#include <string.h>

enum { MOST_SETS = 16, WORD = 64, MOST_PAIRS = 1 << 22 };

static size_t n_groups(const cairn_net_rows *rows, ptrdiff_t given)
{
    return given < 0 ? 1 : (size_t)rows->n_values[given];
}

/* Where each row stands, and where the words of each group begin. Rows that lack the given cell
 * stand nowhere. */
static cairn_status place_rows(cairn_context *ctx, cairn_net_pairs *p)
{
    const uint16_t *codes = p->given < 0 ? NULL : p->rows->codes[p->given];
    size_t *next;
    CHECK(SCRATCH(ctx, &p->begins, p->n_groups + 1));
    CHECK(SCRATCH(ctx, &next, p->n_groups + 1));
    for (size_t i = 0; i < p->rows->n_rows; i++) next[codes ? codes[i] : 0]++;
    for (size_t g = 0; g < p->n_groups; g++) {
        p->begins[g + 1] = p->begins[g] + (next[g] + WORD - 1) / WORD;
        next[g] = p->begins[g] * WORD;
    }
    p->n_words = p->begins[p->n_groups];
    if (!codes) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p->places, p->rows->n_rows + 1));
    for (size_t i = 0; i < p->rows->n_rows; i++)
        p->places[i] = codes[i] < p->n_groups ? next[codes[i]]++ : SIZE_MAX;
    return CAIRN_OK;
}

/* The sets of one column, how large they are in each group, and whether a row is in none. */
static cairn_status fill_sets(cairn_context *ctx, void *data, size_t v)
{
    cairn_net_pairs *p = data;
    cairn_net_sets *s = &p->sets[v];
    const uint16_t *codes = p->rows->codes[v];
    size_t k = (size_t)p->rows->n_values[v];
    (void)ctx;
    if (!s->bits) return CAIRN_OK;
    for (size_t i = 0; i < p->rows->n_rows; i++) {
        size_t at = p->places ? p->places[i] : i;
        if (at == SIZE_MAX) continue;
        if (codes[i] < k)
            s->bits[codes[i] * p->n_words + at / WORD] |= (uint64_t)1 << at % WORD;
        else
            s->lacks = true;
    }
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t l = 0; l < k; l++) {
            const uint64_t *set = s->bits + l * p->n_words + p->begins[g];
            s->sizes[g * k + l] =
                (double)cairn_bits_common(set, set, p->begins[g + 1] - p->begins[g]);
        }
    return CAIRN_OK;
}

cairn_status cairn_net_pairs_open(cairn_context *ctx, cairn_net_pairs *out,
                                  const cairn_net_rows *rows, size_t n, ptrdiff_t given)
{
    *out =
        (cairn_net_pairs){.rows = rows, .n = n, .given = given, .n_groups = n_groups(rows, given)};
    if (rows->weights) return CAIRN_OK;
    CHECK(place_rows(ctx, out));
    CHECK(SCRATCH(ctx, &out->sets, n + 1));
    for (size_t v = 0; v < n; v++) {
        size_t k = (size_t)rows->n_values[v];
        if (k > MOST_SETS) continue;
        CHECK(SCRATCH(ctx, &out->sets[v].bits, cairn_product(k, out->n_words) + 1));
        CHECK(SCRATCH(ctx, &out->sets[v].sizes, cairn_product(k, out->n_groups) + 1));
    }
    return cairn_tasks_sized(ctx, n, (double)n * (double)rows->n_rows, fill_sets, out);
}

/* What is left of the last row and column when all cells sum to the sizes of the sets. */
static void complete(double *table, const double *a, size_t ka, const double *b, size_t kb)
{
    for (size_t i = 0; i + 1 < ka; i++) {
        double rest = a[i];
        for (size_t j = 0; j + 1 < kb; j++) rest -= table[i * kb + j];
        table[i * kb + kb - 1] = rest;
    }
    for (size_t j = 0; j < kb; j++) {
        double rest = b[j];
        for (size_t i = 0; i + 1 < ka; i++) rest -= table[i * kb + j];
        table[(ka - 1) * kb + j] = rest;
    }
}

static void count_bits(double *out, const cairn_net_pairs *p, size_t x, size_t y)
{
    const cairn_net_sets *a = &p->sets[x], *b = &p->sets[y];
    size_t ka = (size_t)p->rows->n_values[x], kb = (size_t)p->rows->n_values[y];
    bool whole = !a->lacks && !b->lacks;
    for (size_t g = 0; g < p->n_groups; g++) {
        double *table = out + g * ka * kb;
        size_t begin = p->begins[g], n = p->begins[g + 1] - begin;
        for (size_t i = 0; i < ka - whole; i++)
            for (size_t j = 0; j < kb - whole; j++)
                table[i * kb + j] = (double)cairn_bits_common(a->bits + i * p->n_words + begin,
                                                              b->bits + j * p->n_words + begin, n);
        if (whole) complete(table, a->sizes + g * ka, ka, b->sizes + g * kb, kb);
    }
}

/* Row by row; the places of missing cells are left out of the answer. */
static cairn_status count_rows(cairn_context *ctx, double *out, const cairn_net_pairs *p, size_t x,
                               size_t y)
{
    SCOPED_SCRATCH(ctx);
    const cairn_net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y], variables[3], n = 0;
    size_t wide = (ka + 1) * (kb + 1);
    double *table;
    CHECK(SCRATCH(ctx, &table, cairn_product(p->n_groups + (p->given >= 0), wide)));
    if (p->given >= 0) variables[n++] = (size_t)p->given;
    variables[n++] = x;
    variables[n++] = y;
    cairn_net_count(table, rows, variables, n);
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t i = 0; i < ka; i++)
            memcpy(out + (g * ka + i) * kb, table + g * wide + i * (kb + 1), kb * sizeof *out);
    return CAIRN_OK;
}

cairn_status cairn_net_pair(cairn_context *ctx, double **out, const cairn_net_pairs *p, size_t x,
                            size_t y)
{
    const cairn_net_rows *rows = p->rows;
    size_t ka = (size_t)rows->n_values[x], kb = (size_t)rows->n_values[y];
    if (cairn_product(cairn_product(ka + 1, kb + 1), p->n_groups + 1) > MOST_PAIRS)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "'%s' and '%s' have too many values (%zu and %zu) to be counted together; "
            "{ignore} leaves one out, {with group} joins rare values",
            rows->names.variables[x], rows->names.variables[y], ka, kb);
    CHECK(SCRATCH(ctx, out, ka * kb * p->n_groups));
    if (!p->sets || !p->sets[x].bits || !p->sets[y].bits) return count_rows(ctx, *out, p, x, y);
    count_bits(*out, p, x, y);
    return CAIRN_OK;
}

double cairn_net_information(const double *table, size_t ka, size_t kb, size_t stride, double *a,
                             double *b, double *present)
{
    double total = 0, sum = 0;
    for (size_t j = 0; j < kb; j++) b[j] = 0;
    for (size_t i = 0; i < ka; i++) {
        a[i] = 0;
        for (size_t j = 0; j < kb; j++) {
            a[i] += table[i * stride + j];
            b[j] += table[i * stride + j];
        }
        total += a[i];
    }
    for (size_t i = 0; i < ka; i++)
        for (size_t j = 0; j < kb; j++) {
            double w = table[i * stride + j];
            if (w > 0) sum += w * cairn_log(w * total / (a[i] * b[j]));
        }
    *present += total;
    return sum;
}
