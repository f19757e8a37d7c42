/* SPDX-License-Identifier: MIT */
/* cairn compute quantise: rows as codes of a code book, what that loses, and what it saves.
 *
 * Bits: n rows of d numbers take n d b as they are. A table of the m different rows and a number of
 * ceil(log2 m) bits for each row loses nothing: n ceil(log2 m) + m d b. A code book of k vectors
 * takes n ceil(log2 k) + k d b and loses the distortion, the mean squared distance of the rows from
 * their vectors. Codes that are not equally frequent need no more than their entropy each. */
#include "typed/labelled_rows.h"

#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "transforms/codebook.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 200, MOST_SHOWN = 10, MOST_WORKED = 3 };

typedef struct quantise_calculation {
    const char *points, *book;
    int codes;
    double bits;
} quantise_calculation;

static const cairn_param quantise_table[] = {
    CAIRN_PARAM(quantise_calculation, codes, "8", "[1,65536]", "vectors of the code book",
                .when = "!book", .often = true),
    CAIRN_PARAM(quantise_calculation, book, NULL, NULL,
                "the code book, typed: vectors separated by semicolons, such as 0,0;4,3",
                .often = true),
    CAIRN_PARAM(quantise_calculation, points, NULL, NULL,
                "new points to encode and decode, separated by semicolons", .often = true),
    CAIRN_PARAM(quantise_calculation, bits, "64", "(0,1024]", "bits of a number as it is"),
    CAIRN_PARAM_END,
};

typedef struct quantising {
    cairn_labelled_rows rows;
    cairn_labelled_places at;
    cairn_codebook book;
    int32_t *codes;  /* n */
    double *squares; /* n */
    double *counts;  /* of each code, by weight */
    double weight, distortion, entropy;
    size_t different; /* rows */
} quantising;

/* -- the calculation -- */

typedef struct sorted_row {
    const double *x;
    size_t d;
} sorted_row;

static int by_numbers(const void *a, const void *b)
{
    const sorted_row *p = a, *q = b;
    for (size_t j = 0; j < p->d; j++)
        if (p->x[j] != q->x[j]) return p->x[j] < q->x[j] ? -1 : 1;
    return 0;
}

static cairn_status count_different(cairn_context *ctx, quantising *q)
{
    SCOPED_SCRATCH(ctx);
    sorted_row *sorted;
    CHECK(SCRATCH_RAW(ctx, &sorted, q->at.n + 1));
    for (size_t i = 0; i < q->at.n; i++)
        sorted[i] = (sorted_row){q->at.values + i * q->at.width, q->at.width};
    qsort(sorted, q->at.n, sizeof *sorted, by_numbers);
    for (size_t i = 0; i < q->at.n; i++)
        q->different += i == 0 || by_numbers(&sorted[i - 1], &sorted[i]) != 0;
    return CAIRN_OK;
}

/* Distortion and entropy are weighted by the rows; vectors that no row takes add nothing. */
static cairn_status encode_rows(cairn_context *ctx, quantising *q)
{
    size_t n = q->at.n;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &q->codes, &q->squares));
    CHECK(SCRATCH(ctx, &q->counts, q->book.n + 1));
    CHECK(cairn_codebook_encode(ctx, &q->book, q->at.values, n, q->codes, q->squares));
    for (size_t i = 0; i < n; i++) {
        double w = q->at.weights[i];
        q->counts[q->codes[i]] += w;
        q->weight += w;
        q->distortion += w * q->squares[i];
    }
    q->distortion /= q->weight;
    for (size_t k = 0; k < q->book.n; k++)
        if (q->counts[k] > 0)
            q->entropy -= q->counts[k] / q->weight * cairn_log2(q->counts[k] / q->weight);
    return count_different(ctx, q);
}

/* -- the report -- */

static void show_book(cairn_report *out, const quantising *q)
{
    size_t d = q->at.width, shown = d < MOST_SHOWN ? d : MOST_SHOWN;
    cairn_report_table_of(out, "Code book", 0, "rr", "code", "rows");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, q->at.columns[j], 'r');
    for (size_t k = 0; k < q->book.n; k++) {
        cairn_report_cells(out, "- book.$1.rows", k + 1, q->counts[k]);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, q->book.centres[k * d + j], 0, "book.%zu.%s", k + 1,
                                     cairn_report_key(out, q->at.columns[j]));
    }
}

static void show_way(cairn_report *out, const char *way, double per_row, double book, double n,
                     double raw, double distortion, const char *name)
{
    double bits = n * per_row + book;
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- @.per_row:4 @.book @.bits @.ratio:4 @.distortion", way, per_row,
                       book, bits, raw / bits, distortion);
}

/* As it is, without loss, and by the code book: bits, and how many times fewer they are. */
static void show_bits(cairn_report *out, const quantising *q, double bits)
{
    double n = (double)q->at.n, row = (double)q->at.width * bits, raw = n * row;
    double book = (double)q->book.n * row;
    cairn_report_table_of(out, "Bits", 0, "lrrrrr", "how", "of a row", "of the book", "in all",
                          "ratio", "distortion");
    show_way(out, "as it is", row, 0, n, raw, 0, "raw");
    show_way(out, "lossless: table of the different rows", cairn_code_bits(q->different),
             (double)q->different * row, n, raw, 0, "lossless");
    show_way(out, "lossy: code book", cairn_code_bits(q->book.n), book, n, raw, q->distortion,
             "lossy");
    show_way(out, "lossy, codes by their entropy", q->entropy, book, n, raw, q->distortion,
             "entropy");
}

/* New points: encoded, and decoded to the vector of the code. */
static cairn_status show_points(cairn_context *ctx, cairn_report *out, const quantising *q,
                                const char *text)
{
    cairn_vectors points;
    int32_t *codes;
    double *squares;
    size_t d = q->at.width, shown = d < MOST_SHOWN ? d : MOST_SHOWN;
    CHECK(cairn_read_vectors(ctx, &points, "points", text, ""));
    if (points.width != d)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{points}: they have %zu number%s, and the code book has %zu",
                          points.width, points.width == 1 ? "" : "s", d);
    CHECK(SCRATCH_RAW_EACH(ctx, points.n, &codes, &squares));
    CHECK(cairn_codebook_encode(ctx, &q->book, points.values, points.n, codes, squares));
    cairn_report_table_of(out, "New points, encoded and decoded", 0, "lrr", "point", "code",
                          "squared distance");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, q->at.columns[j], 'r');
    for (size_t i = 0; i < points.n; i++) {
        const char *key = cairn_report_key(out, points.names[i]);
        cairn_report_cells(out, "- point.$1.code point.$1.square", points.names[i], codes[i] + 1.0,
                           squares[i]);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, q->book.centres[(size_t)codes[i] * d + j], 0,
                                     "point.%s.%s", key, cairn_report_key(out, q->at.columns[j]));
    }
    return CAIRN_OK;
}

/* The code book is sent as well: the ratio counts its numbers beside the codes. */
static void show_work(cairn_report *out, const quantising *q, double bits)
{
    size_t d = q->at.width;
    double n = (double)q->at.n, k = (double)q->book.n, code = cairn_code_bits(q->book.n);
    cairn_report_step_begin(out, "Encode: the nearest vector of the code book");
    for (size_t i = 0; i < q->at.n && i < MOST_WORKED; i++) {
        cairn_report_paragraph(out, "Row %zu", cairn_view_row(&q->rows.view, i) + 1);
        for (size_t c = 0; c < q->book.n && c < MOST_SHOWN; c++)
            cairn_report_worked(
                out, "d²", "# to code #",
                cairn_squared_distance(q->at.values + i * d, q->book.centres + c * d, d),
                (double)(c + 1));
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Distortion: the mean squared distance");
    cairn_report_worked_sum(out, "sum", "#", q->squares, 1, q->at.n, q->distortion * q->weight);
    cairn_report_worked(out, "distortion", "# / # = #", q->distortion * q->weight, q->weight,
                        q->distortion);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Bits before and after");
    cairn_report_worked(out, "as it is", "# rows · # numbers · # = #", n, (double)d, bits,
                        n * (double)d * bits);
    cairn_report_worked(out, "codes and book", "# · # + # · # · # = #", n, code, k, (double)d, bits,
                        n * code + k * (double)d * bits);
    cairn_report_worked(out, "ratio", "# / # = #", n * (double)d * bits,
                        n * code + k * (double)d * bits,
                        n * (double)d * bits / (n * code + k * (double)d * bits));
    cairn_report_step_end(out);
}

/* Codes and decoded rows as a table. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const quantising *q)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, q->at.n + 1));
    CHECK(cairn_table_new(ctx, &made, q->at.n));
    for (size_t i = 0; i < q->at.n; i++) column[i] = q->codes[i] + 1.0;
    CHECK(cairn_table_put_numbers(ctx, made, "code", column));
    for (size_t j = 0; j < q->at.width; j++) {
        for (size_t i = 0; i < q->at.n; i++)
            column[i] = q->book.centres[(size_t)q->codes[i] * q->at.width + j];
        CHECK(cairn_table_put_numbers(ctx, made, q->at.columns[j], column));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The book and the bits first; single rows and points after them. */
static cairn_status quantise_report(cairn_context *ctx, cairn_report *out, quantising *q,
                                    const cairn_compute_job *job)
{
    const quantise_calculation *p = job->params;
    CHECK(cairn_table_share(ctx, &q->rows.table, job->table));
    CHECK(cairn_view_make(ctx, &q->rows.view, q->rows.table, cairn_all_rows(q->rows.table)));
    CHECK(cairn_labelled_places_read(ctx, &q->at, &q->rows, job->what));
    /* A typed book, or one that k-means finds in the units of the columns. */
    const cairn_view *view = &q->rows.view;
    cairn_vectors typed;
    size_t *chosen, n = 0;
    if (!p->book) {
        CHECK(SCRATCH(ctx, &chosen, view->n_features + 1));
        for (size_t j = 0; j < view->n_features; j++)
            if (view->features[j]->kind == CAIRN_NUMBER) chosen[n++] = j;
        CHECK(cairn_codebook_fit(ctx, &q->book, view, chosen, n, p->codes, true));
    } else {
        CHECK(cairn_read_vectors(ctx, &typed, "book", p->book, ""));
        if (typed.width != q->at.width)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{book}: its vectors have %zu number%s, and there are %zu number columns "
                "({features} chooses some)",
                typed.width, typed.width == 1 ? "" : "s", q->at.width);
        CHECK(NEW(ctx, &q->book.centres, cairn_product(typed.n, typed.width)));
        memcpy(q->book.centres, typed.values, typed.n * typed.width * sizeof *typed.values);
        q->book.n = typed.n;
        q->book.width = typed.width;
    }
    CHECK(encode_rows(ctx, q));
    cairn_report_heading(out, 1, "Code book of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_value(out, "rows", (double)q->at.n, "rows");
    cairn_report_value(out, "different rows", (double)q->different, "different");
    cairn_report_value(out, "vectors of the code book", (double)q->book.n, "codes");
    cairn_report_value(out, "distortion (mean squared distance)", q->distortion, "distortion");
    cairn_report_value(out, "bits of a code", cairn_code_bits(q->book.n), "code_bits");
    cairn_report_value(out, "entropy of the codes in bits", q->entropy, "entropy");
    if (job->steps) show_work(out, q, p->bits);
    show_book(out, q);
    show_bits(out, q, p->bits);
    cairn_report_table_of(out, "Rows", 20, "rrr", "row", "code", "squared distance");
    for (size_t i = 0; i < q->at.n && i < MOST_NAMED; i++) {
        size_t row = cairn_view_row(&q->rows.view, i) + 1;
        cairn_report_cells(out, "- code.$1 square.$1", row, q->codes[i] + 1.0, q->squares[i]);
    }
    if (p->points) CHECK(show_points(ctx, out, q, p->points));
    return job->result ? make_result(ctx, job->result, q) : CAIRN_OK;
}

static cairn_status quantise_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    quantising q = {0};
    cairn_status status = quantise_report(ctx, out, &q, job);
    cairn_codebook_clear(&q.book);
    cairn_labelled_rows_clear(&q.rows);
    return status;
}

const cairn_calculator cairn_compute_quantise = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "quantise",
         .also = "vector quantisation, code book, lossy compression, encode, decode",
         .title = "Code books: encoding, decoding, compression",
         .summary =
             "Puts the number columns into a code book of a few vectors, found by k-means or "
             "typed: every row is encoded by the number of the nearest and decoded by that vector. "
             "Says what is lost (the distortion) and what is saved (bits of codes and book), "
             "beside the rows as they are and a table of the different rows, which loses nothing. "
             "New points (--points) are encoded by the same book; --out FILE.csv writes codes and "
             "decoded rows. As a step before a learner: --with quantise.",
         .references = "Gersho and Gray, Vector Quantization and Signal Compression, 1992",
         .example = "cairn compute quantise @kmeans-seven --codes 2 --points '2,2;4,4' --steps",
         .params = quantise_table,
         .params_size = sizeof(quantise_calculation)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = quantise_run,
};
