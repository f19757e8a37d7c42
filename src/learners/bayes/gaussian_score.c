/* SPDX-License-Identifier: MIT */
/* Scores of rows in blocks, column by column as the table has them. With one covariance the scores
 * are linear but for a part that all classes share, which only densities need; with several, a
 * block of x − centre is multiplied with each factor. Rows with missing cells are done by
 * themselves with the covariance of the cells that are there, which is the density with the others
 * summed over. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "learners/bayes/gaussian.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { PART = 96, BLOCK_ROWS = 5 * PART }; /* a part of x − centre stays in the cache */

typedef struct scoring {
    const cairn_gaussian_model *m;
    const cairn_view *view;
    bool missing;           /* some cell is */
    bool densities;         /* what the classes share is wanted too */
    const double **columns; /* n_columns: of the table */
    double *rates;          /* n_factors x n_columns, for variances alone: factors / √2 */
    double *zeros;          /* n_columns */
    double *room;           /* a worker's */
    size_t room_size;
    const double **gathered; /* workers x n_columns */
    cairn_gaussian_observed *observed;
    cairn_prediction *to; /* NULL = only scores are wanted */
    double *scores;       /* rows x classes; may be NULL */
    double *density, *error, *discriminant;
    int32_t positive;
} scoring;

/* What a worker has of a block. */
typedef struct block {
    size_t begin, n;
    const double *const *columns;
    size_t first;     /* of the block in the columns */
    double *part;     /* n_columns x PART: x − centre */
    double *scores;   /* n_classes x BLOCK_ROWS */
    double *shared;   /* BLOCK_ROWS: what all classes have; 0 where it is not wanted */
    double *sound;    /* BLOCK_ROWS: 0, or NaN where some score is infinite */
    double *rows;     /* BLOCK_ROWS x n_classes */
    double *z;        /* n_columns: one row */
    double *gathered; /* n_columns x BLOCK_ROWS, for a choice of rows */
} block;

double cairn_gaussian_posterior(double *scores, size_t n)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < n; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < n; c++) sum += scores[c] = cairn_exp(scores[c] - most);
    for (size_t c = 0; c < n; c++) scores[c] /= sum;
    return most + cairn_log(sum);
}

/* -- a row by itself -- */

/* A row that is so far away that squares overflow: only its direction counts, and the class whose
 * density falls slowest gets it. */
static void score_far(const cairn_gaussian_model *m, const double *z, double *out)
{
    size_t p = m->n_columns, k = m->n_classes;
    double largest = 0, best = -INFINITY;
    for (size_t j = 0; j < p; j++)
        if (!m->constant[j]) largest = fmax(largest, fmin(fabs(z[j]), DBL_MAX));
    for (size_t c = 0; c < k; c++) {
        const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
        double score = 0;
        for (size_t j = 0; j < p; j++) {
            double sum = 0;
            for (size_t i = m->diagonal ? j : 0; i <= j; i++) {
                double u = isnan(z[i]) || m->constant[i]
                               ? 0
                               : fmax(-DBL_MAX, fmin(z[i], DBL_MAX)) / largest;
                sum += m->planes ? (i == j) * u * m->planes[j * k + c]
                                 : u * (m->diagonal ? f[j] : f[i * p + j]);
            }
            score += m->planes ? sum : -sum * sum;
        }
        out[c] = m->log_prior[c] > -INFINITY ? score : -INFINITY;
        best = fmax(best, out[c]);
    }
    for (size_t c = 0; c < k; c++) out[c] = out[c] == best ? 0 : -INFINITY;
}

/* Rows that the products cannot do: scores with what the classes share. */
static void mend_row(const scoring *s, block *b, size_t i, int worker)
{
    const cairn_gaussian_model *m = s->m;
    size_t k = m->n_classes;
    double *row = b->rows;
    bool missing = false, sound = true, any = false;
    for (size_t j = 0; j < m->n_columns; j++) {
        b->z[j] = b->columns[j][b->first + i] - m->centre[j];
        missing |= isnan(b->z[j]) != 0;
    }
    for (size_t c = 0; c < k; c++) row[c] = b->scores[c * BLOCK_ROWS + i];
    if (missing) {
        cairn_gaussian_observed_scores(m, &s->observed[worker], b->z, row);
        b->shared[i] = 0;
    }
    for (size_t c = 0; c < k; c++) {
        sound &= !isnan(row[c]) && row[c] < INFINITY;
        any |= row[c] > -INFINITY;
    }
    if (!sound || !any) {
        score_far(m, b->z, row);
        b->shared[i] = -DBL_MAX;
    }
    for (size_t c = 0; c < k; c++) b->scores[c * BLOCK_ROWS + i] = row[c];
}

/* -- a block -- */

/* The columns of the block: those of the table, or a choice of their rows. */
static void find_columns(const scoring *s, block *b, int worker)
{
    size_t p = s->m->n_columns;
    const uint32_t *rows = s->view->rows.indices;
    b->columns = s->columns;
    b->first = b->begin;
    if (!rows) return;
    const double **starts = s->gathered + (size_t)worker * p;
    for (size_t j = 0; j < p; j++) {
        double *to = b->gathered + j * BLOCK_ROWS;
        cairn_gather(to, s->columns[j], rows + b->begin, b->n);
        starts[j] = to;
    }
    b->columns = starts;
    b->first = 0;
}

/* x − centre of PART rows from row `from` of the block on; those behind its end are 0. */
static void fill_part(const scoring *s, block *b, size_t from)
{
    size_t n = b->n - from < PART ? b->n - from : PART;
    for (size_t j = 0; j < s->m->n_columns; j++) {
        const double *x = b->columns[j] + b->first + from;
        double *z = b->part + j * PART, centre = s->m->centre[j];
        for (size_t i = 0; i < n; i++) z[i] = x[i] - centre;
        for (size_t i = n; i < PART; i++) z[i] = 0;
    }
}

/* Densities of every class with a covariance of its own. */
static void score_own(const scoring *s, block *b)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns;
    for (size_t from = 0; from < b->n; from += PART) {
        if (!m->diagonal) fill_part(s, b, from);
        for (size_t c = 0; c < m->n_classes; c++) {
            double *out = b->scores + c * BLOCK_ROWS + from, half = m->diagonal ? 1 : -0.5;
            if (!m->diagonal)
                cairn_normal_squares(out, b->part, PART, p, m->factors + c * p * p,
                                     m->offsets + c * p);
            else
                cairn_normal_logs(out, b->columns, b->first + from,
                                  b->n - from < PART ? b->n - from : PART, p, m->means + c * p,
                                  s->rates + c * p);
            for (size_t i = 0; i < PART; i++) out[i] = m->log_bases[c] + half * out[i];
        }
    }
}

/* The part of ln density that a shared covariance gives to all classes alike. */
static void find_shared(const scoring *s, block *b)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, c = 0;
    if (m->diagonal)
        cairn_normal_logs(b->shared, b->columns, b->first, b->n, p, m->centre, s->rates);
    for (size_t from = 0; !m->diagonal && from < b->n; from += PART) {
        fill_part(s, b, from);
        cairn_normal_squares(b->shared + from, b->part, PART, p, m->factors, s->zeros);
    }
    while (c + 1 < m->n_classes && !(m->log_prior[c] > -INFINITY)) c++;
    double base = m->log_bases[c] - m->log_prior[c], half = m->diagonal ? 1 : -0.5;
    for (size_t i = 0; i < b->n; i++) b->shared[i] = fmax(base + half * b->shared[i], -DBL_MAX);
}

/* Scores of the rows of a block. Infinite ones of classes without a prior do not count. */
static void score_rows(const scoring *s, block *b, int worker)
{
    const cairn_gaussian_model *m = s->m;
    memset(b->shared, 0, b->n * sizeof *b->shared);
    memset(b->sound, 0, b->n * sizeof *b->sound);
    if (m->planes)
        cairn_plane_scores(b->scores, BLOCK_ROWS, b->columns, b->first, b->n, m->n_columns,
                           m->centre, m->planes, m->n_classes);
    else
        score_own(s, b);
    if (m->planes && s->densities) find_shared(s, b);
    for (size_t c = 0; c < m->n_classes; c++) {
        const double *scores = b->scores + c * BLOCK_ROWS;
        if (!(m->log_prior[c] > -INFINITY)) continue;
        for (size_t i = 0; i < b->n; i++) b->sound[i] += 0 * scores[i];
    }
    for (size_t i = 0; i < b->n; i++)
        if (isnan(b->sound[i])) mend_row(s, b, i, worker);
}

/* -- what is wanted -- */

/* Two classes: the positive one less the other; more: the largest less the next. */
static double discriminant_of(const scoring *s, const double *p, size_t n)
{
    double most = 0, next = 0;
    if (n == 2) {
        size_t a = s->positive >= 0 ? (size_t)s->positive : 1;
        return p[a] - p[1 - a];
    }
    for (size_t c = 0; c < n; c++) {
        if (p[c] > most) {
            next = most;
            most = p[c];
        } else {
            next = fmax(next, p[c]);
        }
    }
    return most - next;
}

/* The class with the largest score; the first of equal ones. */
static void give_codes(const scoring *s, const block *b, int32_t *codes)
{
    for (size_t i = 0; i < b->n; i++) {
        double most = b->scores[i];
        int32_t best = 0;
        for (size_t c = 1; c < s->m->n_classes; c++) {
            double score = b->scores[c * BLOCK_ROWS + i];
            best = score > most ? (int32_t)c : best;
            most = score > most ? score : most;
        }
        codes[i] = best;
    }
}

/* Row by row, with what the classes share where densities are wanted. */
static void turn_rows(const scoring *s, const block *b, double *out, bool shared)
{
    size_t k = s->m->n_classes;
    for (size_t i = 0; i < b->n; i++)
        for (size_t c = 0; c < k; c++)
            out[i * k + c] = b->scores[c * BLOCK_ROWS + i] + (shared ? b->shared[i] : 0);
}

/* Probabilities, and what is made of them. */
static void give_probabilities(const scoring *s, const block *b)
{
    size_t k = s->m->n_classes;
    double *logs = s->density ? b->sound : NULL;
    turn_rows(s, b, b->rows, false);
    cairn_softmax_rows(b->rows, logs, k, b->n, k);
    if (s->to->scores) memcpy(s->to->scores + b->begin * k, b->rows, b->n * k * sizeof *b->rows);
    for (size_t i = 0; s->density && i < b->n; i++) {
        const double *p = b->rows + i * k;
        size_t best = 0;
        double rest = 0;
        for (size_t c = 1; c < k; c++)
            if (p[c] > p[best]) best = c;
        for (size_t c = 0; c < k; c++) rest += c == best ? 0 : p[c];
        s->density[b->begin + i] = logs[i] + b->shared[i];
        s->error[b->begin + i] = rest;
        s->discriminant[b->begin + i] = discriminant_of(s, p, k);
    }
}

static void score_block(void *data, size_t block_number, size_t begin, size_t end, int worker)
{
    const scoring *s = data;
    size_t p = s->m->n_columns, k = s->m->n_classes;
    block b = {.begin = begin, .n = end - begin};
    (void)block_number;
    b.part = s->room + (size_t)worker * s->room_size;
    b.scores = b.part + p * PART;
    b.rows = b.scores + k * BLOCK_ROWS;
    b.shared = b.rows + k * BLOCK_ROWS;
    b.sound = b.shared + BLOCK_ROWS;
    b.z = b.sound + BLOCK_ROWS;
    b.gathered = b.z + p;
    find_columns(s, &b, worker);
    score_rows(s, &b, worker);
    if (s->scores) turn_rows(s, &b, s->scores + begin * k, true);
    if (!s->to) return;
    if (s->to->codes) give_codes(s, &b, s->to->codes + begin);
    if (s->to->scores || s->density) give_probabilities(s, &b);
}

/* -- preparing -- */

static cairn_status make_observed(cairn_context *ctx, scoring *s, size_t workers)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns;
    for (size_t f = 0; f < p; f++) s->missing |= s->view->features[f]->n_missing > 0;
    CHECK(SCRATCH(ctx, &s->observed, workers));
    for (size_t w = 0; s->missing && w < workers; w++)
        CHECK(cairn_gaussian_observed_new(ctx, &s->observed[w], m));
    return CAIRN_OK;
}

/* What all blocks read. */
static cairn_status make_tables(cairn_context *ctx, scoring *s, size_t workers)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, n = m->diagonal ? m->n_factors * p : 0;
    CHECK(SCRATCH(ctx, &s->columns, p + 1));
    CHECK(SCRATCH(ctx, &s->zeros, p + 1));
    CHECK(SCRATCH(ctx, &s->rates, n + 1));
    CHECK(SCRATCH(ctx, &s->gathered, cairn_product(workers, p) + 1));
    for (size_t j = 0; j < p; j++) s->columns[j] = s->view->features[j]->numbers;
    for (size_t i = 0; i < n; i++) s->rates[i] = m->factors[i] * sqrt(0.5);
    return make_observed(ctx, s, workers);
}

/* All room is taken before the blocks start, as workers may not allocate. */
static cairn_status score(cairn_context *ctx, scoring *s)
{
    const cairn_gaussian_model *m = s->m;
    size_t p = m->n_columns, k = m->n_classes, workers = (size_t)cairn_workers(ctx);
    size_t n = s->view->rows.n, wide = s->view->rows.indices ? p : 0;
    s->room_size = cairn_product(BLOCK_ROWS, 2 * k + 2 + wide) + cairn_product(PART + 1, p);
    CHECK(make_tables(ctx, s, workers));
    CHECK(SCRATCH_RAW(ctx, &s->room, cairn_product(workers, s->room_size) + 1));
    double work = (double)n * (double)k * (double)(p + 1) * (m->planes ? 1.0 : (double)(p + 1));
    return cairn_blocks_sized(ctx, n, BLOCK_ROWS, work, score_block, s);
}

cairn_status cairn_gaussian_scores(cairn_context *ctx, double *out, const cairn_gaussian_model *m,
                                   const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = m, .view = view, .scores = out, .densities = true};
    return score(ctx, &s);
}

cairn_status cairn_gaussian_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = model, .view = job->view, .to = out, .positive = job->positive};
    s.densities = out->extra != NULL;
    if (out->extra) {
        CHECK(SCRATCH_RAW(ctx, &s.density, out->n_rows + 1));
        CHECK(SCRATCH_RAW(ctx, &s.error, out->n_rows + 1));
        CHECK(SCRATCH_RAW(ctx, &s.discriminant, out->n_rows + 1));
    }
    CHECK(score(ctx, &s));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_density", s.density));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "error", s.error));
    return cairn_table_put_numbers(ctx, out->extra, "discriminant", s.discriminant);
}
