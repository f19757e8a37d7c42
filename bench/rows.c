/* SPDX-License-Identifier: MIT */
/* How long a model takes for one row: the predictor beside a table of one row, and all rows as a
 * matrix beside a table of all rows. One thread.
 *
 *     rows MODEL DATA     prints {"seconds": of a row, "scores": of a row with its scores,
 *                         "table": ..., "matrix": ..., "tables": ...}
 *
 * DATA holds the columns of the model by name, numbers only. */
#include "cairn/cairn.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 7, MOST_ROWS = 20000, TABLES = 2000 };

static cairn_context *ctx;

static void must(cairn_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", cairn_message(ctx));
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The rows of the table as the predictor wants them, row by row. */
static double *cells_of(const cairn_predictor *p, const cairn_table *table, size_t n)
{
    size_t d = cairn_predictor_columns(p);
    double *cells = malloc(n * d * sizeof *cells);
    for (size_t j = 0; cells && j < d; j++) {
        ptrdiff_t at = cairn_table_find(table, cairn_predictor_column(p, j));
        const double *numbers = at < 0 ? NULL : cairn_table_numbers(table, (size_t)at);
        for (size_t i = 0; i < n; i++) cells[i * d + j] = numbers ? numbers[i] : NAN;
    }
    return cells;
}

/* Seconds of one row, the least of some rounds; `sum` is what the answers add up to. */
static double time_rows(cairn_predictor *p, const double *cells, size_t n, double *scores,
                        double *sum)
{
    double best = INFINITY;
    size_t d = cairn_predictor_columns(p);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        *sum = 0;
        for (size_t i = 0; i < n; i++) {
            cairn_answer answer;
            if (cairn_predictor_row(p, cells + i * d, &answer, scores)) {
                fprintf(stderr, "%s\n", cairn_predictor_message(p));
                exit(1);
            }
            *sum += answer.code >= 0 ? answer.code : answer.number;
        }
        best = fmin(best, (now() - begin) / (double)n);
    }
    return best;
}

/* The same for all rows at once. */
static double time_matrix(cairn_predictor *p, const double *cells, size_t n)
{
    cairn_matrix rows = CAIRN_MATRIX_ROWS(cells, n, cairn_predictor_columns(p));
    int32_t *codes = malloc(n * sizeof *codes);
    double *numbers = malloc(n * sizeof *numbers), best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        if (cairn_predictor_rows(p, &rows, codes, numbers, NULL)) exit(1);
        best = fmin(best, (now() - begin) / (double)n);
    }
    free(codes);
    free(numbers);
    return best;
}

/* And through tables: one row each, or all of them. */
static double time_tables(const cairn_model *model, const cairn_table *table, int rounds)
{
    double best = INFINITY;
    for (int round = 0; round < rounds; round++) {
        cairn_table *said;
        double begin = now();
        must(cairn_model_predict_with(ctx, &said, model, table, NULL));
        best = fmin(best, now() - begin);
        cairn_table_free(said);
    }
    return best;
}

int main(int argc, char **argv)
{
    cairn_model *model;
    cairn_table *table, *one;
    cairn_predictor *p;
    double sum;
    if (argc != 3) return 2;
    must(cairn_context_new(&ctx, NULL));
    cairn_context_set_threads(ctx, 1);
    must(cairn_model_load(ctx, &model, argv[1]));
    must(cairn_table_read(ctx, &table, argv[2], NULL));
    must(cairn_table_filter(ctx, &one, table, "row() = 1"));
    must(cairn_predictor_new(ctx, &p, model, NULL, 0));
    size_t n = cairn_table_rows(table) < MOST_ROWS ? cairn_table_rows(table) : MOST_ROWS;
    double *cells = cells_of(p, table, n);
    double *scores = malloc((cairn_predictor_scores(p) + 1) * sizeof *scores);
    double row = time_rows(p, cells, n, NULL, &sum), scored = time_rows(p, cells, n, scores, &sum);
    double single = time_tables(model, one, TABLES), matrix = time_matrix(p, cells, n);
    double tables = time_tables(model, table, ROUNDS) / (double)cairn_table_rows(table);
    printf("{\"seconds\": %.3e, \"scores\": %.3e, \"table\": %.3e, \"matrix\": %.3e, "
           "\"tables\": %.3e, \"quality\": \"%.1f ns, with scores %.1f ns, by a table %.0f ns; of "
           "many rows %.1f ns, by a table %.1f ns\", \"sum\": %.17g}\n",
           row, scored, single, matrix, tables, 1e9 * row, 1e9 * scored, 1e9 * single, 1e9 * matrix,
           1e9 * tables, sum);
    free(cells);
    free(scores);
    cairn_predictor_free(p);
    cairn_table_free(one);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_context_free(ctx);
    return 0;
}
