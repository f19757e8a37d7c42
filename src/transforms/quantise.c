/* SPDX-License-Identifier: MIT */
/* Quantise: number columns become the code of the nearest vector of a code book, or that vector.
 *
 * The code book is the centres that k-means finds in the training rows, in the units of the columns
 * (a transform before it may change them). Codes are the levels 1, 2, ... of one column, the bridge
 * from vectors to symbols; decoded rows have the vectors in place of their numbers, with the loss
 * that is told as distortion: the mean squared distance. A row that lacks a number has no code. */
#include "data/ledger.h"
#include "transforms/codebook.h"
#include "transforms/columns.h"

#include "base/memory.h"
#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GIVE_CODES, GIVE_CENTRES, GIVE_BOTH };

typedef struct quantise_params {
    const char *columns, *name;
    int codes, give;
} quantise_params;

static const cairn_choice gives[] = {
    {"codes", GIVE_CODES, "one column of codes in place of the columns"},
    {"centres", GIVE_CENTRES, "the columns decoded: the nearest vector of the code book"},
    {"both", GIVE_BOTH, "the decoded columns, and the codes beside them"},
    {0},
};

static const cairn_param quantise_param_table[] = {
    CAIRN_PARAM(quantise_params, codes, "8", "[1,65536]", "vectors of the code book",
                .often = true),
    CAIRN_PARAM_AS(quantise_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns; all number features when not given"),
    CAIRN_PARAM_CHOICE(quantise_params, give, "codes", gives, "what stands for a row",
                       .often = true),
    CAIRN_PARAM(quantise_params, name, "code", NULL, "name of the column of codes",
                .when = "give=codes|both"),
    CAIRN_PARAM_END,
};

typedef struct quantise_state {
    cairn_map names; /* of the columns */
    cairn_codebook book;
    double distortion; /* mean squared distance of the training rows */
} quantise_state;

/* -- fitting -- */

/* All rows of the table in the named columns, packed. */
static cairn_status pack(cairn_context *ctx, double **out, const quantise_state *s,
                         const cairn_table *table)
{
    const double **columns;
    size_t d = s->names.n;
    CHECK(cairn_find_numbers(ctx, &columns, table, &s->names));
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(table->n_rows, d) + 1));
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < d; j++) (*out)[i * d + j] = columns[j][i];
    return CAIRN_OK;
}

static cairn_status measure(cairn_context *ctx, quantise_state *s, const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    double *rows, *squares, sum = 0, weight = 0;
    int32_t *codes;
    CHECK(pack(ctx, &rows, s, view->table));
    CHECK(SCRATCH_RAW_EACH(ctx, view->table->n_rows + 1, &squares, &codes));
    CHECK(cairn_codebook_encode(ctx, &s->book, rows, view->table->n_rows, codes, squares));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        if (codes[row] < 0 || !(w > 0)) continue;
        sum += w * squares[row];
        weight += w;
    }
    s->distortion = weight > 0 ? sum / weight : NAN;
    return CAIRN_OK;
}

static cairn_status quantise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const quantise_params *p = job->params;
    quantise_state *s = state;
    size_t n, *chosen;
    CHECK(cairn_choose_features(ctx, job->view, "quantise", p->columns, cairn_fits_number,
                                "a number column", &chosen, &n));
    CHECK(cairn_keep_names(ctx, &s->names, job->view, chosen, n));
    if (!n) return CAIRN_OK;
    cairn_status status = cairn_codebook_fit(ctx, &s->book, job->view, chosen, n, p->codes, true);
    if (status) cairn_message_prefix(ctx, "quantise");
    CHECK(status);
    return measure(ctx, s, job->view);
}

/* -- applying -- */

static cairn_status add_codes(cairn_context *ctx, cairn_table *out, const quantise_state *s,
                              const char *name, const int32_t *codes)
{
    enum { SIZE = 16 };
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t index;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, out->n_rows));
    for (size_t k = 0; k < s->book.n; k++) {
        char text[SIZE];
        int length = snprintf(text, sizeof text, "%zu", k + 1);
        CHECK(cairn_map_add(ctx, &column->names, text, (size_t)length, &index));
    }
    column->declared = true;
    if (out->n_rows) memcpy(column->codes, codes, out->n_rows * sizeof *codes);
    cairn_column_count_missing(column);
    return cairn_table_add_column(ctx, out, name, CAIRN_FEATURE, TAKE(column));
}

static cairn_status decode_columns(cairn_context *ctx, cairn_table *out, const quantise_state *s,
                                   const int32_t *codes)
{
    for (size_t j = 0, at = 0; j < s->names.n; j++) {
        cairn_column *column;
        CHECK(cairn_next_column(ctx, out, cairn_map_key(&s->names, j), &at));
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, out->n_rows));
        for (size_t i = 0; i < out->n_rows; i++)
            column->numbers[i] =
                codes[i] < 0 ? NAN : s->book.centres[(size_t)codes[i] * s->book.width + j];
        cairn_column_count_missing(column);
        cairn_table_replace_column(out, at, column);
    }
    return CAIRN_OK;
}

/* {give} decides whether codes take the place of the columns, decoded values do, or both are
 * there. */
static cairn_status quantise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                   const void *params, const cairn_table *table)
{
    const quantise_params *p = params;
    const quantise_state *s = state;
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *rows;
    int32_t *codes;
    if (!s->names.n) return cairn_table_share(ctx, out, table);
    CHECK(pack(ctx, &rows, s, table));
    CHECK(SCRATCH_RAW(ctx, &codes, table->n_rows + 1));
    CHECK(cairn_codebook_encode(ctx, &s->book, rows, table->n_rows, codes, NULL));
    if (p->give == GIVE_CODES)
        CHECK(cairn_table_without(ctx, &made, table, &s->names));
    else
        CHECK(cairn_table_share(ctx, &made, table));
    if (p->give != GIVE_CODES) CHECK(decode_columns(ctx, made, s, codes));
    if (p->give != GIVE_CENTRES) CHECK(add_codes(ctx, made, s, p->name, codes));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The code of a row: that of the nearest vector, none where a number is missing. */
static cairn_status lower_code(cairn_program *out, const quantise_state *s, int32_t *in,
                               int32_t *code)
{
    size_t d = s->names.n;
    double *instead;
    cairn_operation *op;
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, d, 2, &op));
    op->sizes[0] = (int32_t)s->book.n;
    CHECK(cairn_op_copy_numbers(out, op, 0, s->book.centres, cairn_product(s->book.n, d)));
    in[d] = op->out;
    CHECK(cairn_program_add(out, CAIRN_OP_BLANK, in, d + 1, 1, &op));
    op->sizes[0] = (int32_t)d;
    CHECK(cairn_op_numbers(out, op, 0, 1, &instead));
    instead[0] = NAN;
    *code = op->out;
    return CAIRN_OK;
}

/* The nearest vector is an operation; its numbers are a table of the codes. */
static cairn_status quantise_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const quantise_params *p = job->params;
    const quantise_state *s = state;
    size_t d = s->names.n;
    int32_t *in, first, code;
    double *none;
    if (!d) return CAIRN_OK;
    CHECK(SCRATCH(out->ctx, &in, d + 1));
    CHECK(SCRATCH(out->ctx, &none, d));
    for (size_t j = 0; j < d; j++) {
        CHECK(cairn_program_column(out, cairn_map_key(&s->names, j), &in[j]));
        none[j] = NAN;
    }
    CHECK(lower_code(out, s, in, &code));
    if (p->give != GIVE_CODES) {
        CHECK(cairn_lower_lookup(out, code, s->book.n, d, s->book.centres, none, &first));
        CHECK(cairn_program_put_all(out, &s->names, first));
    }
    return p->give == GIVE_CENTRES ? CAIRN_OK : cairn_program_put(out, p->name, code);
}

/* -- showing and keeping -- */

static void quantise_describe(cairn_report *out, const void *state, const void *params)
{
    enum { MOST_COLUMNS = 10, MOST_CODES = 50 };
    const quantise_state *s = state;
    size_t d = s->names.n, shown = d < MOST_COLUMNS ? d : MOST_COLUMNS;
    (void)params;
    if (!d) return;
    cairn_report_formula(out, "code(x) = number of the nearest vector,  decoded x = that vector");
    cairn_report_value(out, "vectors of the code book", (double)s->book.n, "quantise.codes");
    cairn_report_value(out, "distortion (mean squared distance)", s->distortion,
                       "quantise.distortion");
    cairn_report_table_of(out, "Code book", MOST_CODES, "r", "code");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, cairn_map_key(&s->names, j), 'r');
    for (size_t k = 0; k < s->book.n; k++) {
        cairn_report_cellf(out, "%zu", k + 1);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, s->book.centres[k * d + j], 0, "quantise.%zu.%s", k + 1,
                                     cairn_report_key(out, cairn_map_key(&s->names, j)));
    }
    cairn_report_table_end(out);
}

static void write_centres(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const quantise_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "n", "code");
    for (size_t j = 0; j < s->book.width; j++)
        cairn_ledger_column(out, CAIRN_NUMBER,
                            j < s->names.n ? cairn_map_key(&s->names, j) : "place");
    for (size_t k = 0; k < s->book.n; k++) {
        cairn_ledger_number(out, (double)k + 1);
        cairn_ledger_numbers(out, s->book.centres + k * s->book.width, s->book.width);
    }
}

static const cairn_learned quantise_tables[] = {
    CAIRN_LEARNED("quantise.centres", "code word, and its place", write_centres),
    CAIRN_LEARNED_END};

static const cairn_kept quantise_keeps[] = {
    KEEP(quantise_state, names),
    KEEP_PART(quantise_state, book, .rows = cairn_codebook_keeps),
    KEEP(quantise_state, distortion),
    KEEP_SAME("book.width", "names", "the code book has $ columns for ~ names"),
    KEEP_END,
};

const cairn_transform cairn_quantise = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "quantise",
         .also = "vector quantisation, code book, symbols from vectors, VQ",
         .title = "Codes of a code book",
         .summary =
             "Vector quantisation: k-means finds a code book of a few vectors in the training "
             "rows, and every row, also a new one, becomes the code of the nearest (a level "
             "column, symbols for what works on symbols), or is decoded into that vector, which "
             "loses what the distortion says.",
         .references = "Gersho and Gray, Vector Quantization and Signal Compression, 1992",
         .example = "cairn convert @iris codes.csv --with quantise:codes=5",
         .params = quantise_param_table,
         .params_size = sizeof(quantise_params)},
    .state_size = sizeof(quantise_state),
    .tables = quantise_tables,
    .fit = quantise_fit,
    .apply = quantise_apply,
    .lower = quantise_lower,
    .describe = quantise_describe,
    .keeps = quantise_keeps,
};
