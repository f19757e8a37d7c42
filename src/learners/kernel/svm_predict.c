/* SPDX-License-Identifier: MIT */
/* Support vector machines: scores of rows, and what several machines say together. */
#include "base/memory.h"
#include "learners/kernel/svm.h"
#include "rows/matrix.h"
#include <math.h>
#include <string.h>

enum { REJECTED = -2, CHUNK_SCORES = 1 << 22 }; /* scores that are in memory at once */

/* -- scores -- */

typedef struct linear_run {
    const cairn_svm_model *m;
    cairn_row_matrix x;
    double *scores;
} linear_run;

static void linear_piece(void *data, const cairn_piece *piece, double *sums)
{
    const linear_run *run = data;
    size_t m = run->m->n_machines;
    (void)sums;
    cairn_matrix_scores(&run->x, piece, run->m->weights, m);
    memcpy(run->scores + piece->first * m, piece->room, piece->n * m * sizeof *run->scores);
}

static cairn_status linear_scores(cairn_context *ctx, const cairn_svm_model *m,
                                  const cairn_view *view, double *out)
{
    linear_run run = {.m = m, .scores = out};
    cairn_matrix_wish wish = {.apart = true, .n_terms = m->n_terms, .scores = m->n_machines};
    cairn_row_sum sum = {.piece = linear_piece, .unread = true, .data = &run};
    SCOPED_SCRATCH(ctx);
    wish.room = view->n_features + m->n_machines;
    CHECK(cairn_matrix_open(ctx, &run.x, view, &wish));
    return cairn_matrix_sum(ctx, &run.x, &sum, NULL);
}

cairn_status cairn_svm_scores(cairn_context *ctx, const cairn_svm_model *m, const cairn_view *view,
                              double *out)
{
    if (m->weights) return linear_scores(ctx, m, view, out);
    return cairn_kernel_scores(ctx, &m->kernel, &m->vectors, m->betas, m->n_machines, m->constants,
                               view, out);
}

/* -- several machines -- */

/* Votes of the pairs; what their scores add up to decides between equal votes, and is kept below
 * half a vote. */
static void count_votes(const cairn_svm_model *m, const double *scores, double *votes, double *sums)
{
    memset(votes, 0, m->n_classes * sizeof *votes);
    memset(sums, 0, m->n_classes * sizeof *sums);
    for (size_t k = 0; k < m->n_machines; k++) {
        votes[scores[k] >= 0 ? m->plus[k] : m->minus[k]] += 1;
        sums[m->plus[k]] += scores[k];
        sums[m->minus[k]] -= scores[k];
    }
    for (size_t c = 0; c < m->n_present; c++) {
        size_t code = (size_t)m->classes[c];
        votes[code] += isfinite(sums[code]) ? sums[code] / (3 * (fabs(sums[code]) + 1)) : 0;
    }
}

/* Scores of all classes: of two the score and its opposite, of pairs the votes, else each class
 * its own. A class without training rows has the least. */
static void score_classes(const cairn_svm_model *m, const double *scores, double *out, double *room)
{
    for (size_t c = 0; c < m->n_classes; c++) room[c] = -INFINITY;
    double least = INFINITY;
    if (m->n_present == 1) {
        room[m->classes[0]] = m->n_machines ? scores[0] : 1;
    } else if (m->n_machines == 1) {
        room[m->plus[0]] = scores[0];
        room[m->minus[0]] = -scores[0];
    } else if (m->minus[0] < 0) {
        for (size_t k = 0; k < m->n_machines; k++) room[m->plus[k]] = scores[k];
    } else {
        count_votes(m, scores, out, room);
        for (size_t c = 0; c < m->n_classes; c++) room[c] = -INFINITY;
        for (size_t c = 0; c < m->n_present; c++) room[m->classes[c]] = out[m->classes[c]];
    }
    for (size_t c = 0; c < m->n_present; c++) least = fmin(least, room[m->classes[c]]);
    for (size_t c = 0; c < m->n_classes; c++)
        out[c] = room[c] == -INFINITY ? least - 1 - fabs(least) : room[c];
}

/* The first class with the largest score; of two classes the positive one where the score is 0. A
 * machine that knows one class rejects what it is not. */
static int32_t decide(const cairn_svm_model *m, const double *scores, const double *classes)
{
    size_t best = 0;
    if (m->n_present == 1 && m->n_machines) return scores[0] >= 0 ? m->plus[0] : REJECTED;
    if (m->n_present == 2 && m->n_machines == 1) return scores[0] >= 0 ? m->plus[0] : m->minus[0];
    for (size_t c = 1; c < m->n_classes; c++)
        if (classes[c] > classes[best]) best = c;
    return (int32_t)best;
}

/* -- distances -- */

/* Σ_i own_k(i) β_l(i) with own_k the scores of the vectors by machine k: the inner product of w_k
 * and w_l in the space of the kernel. */
static double inner_product(const cairn_svm_model *m, const double *own, size_t k, size_t l)
{
    double sum = 0;
    if (m->weights)
        for (size_t t = 0; t < m->n_terms; t++)
            sum += m->weights[t * m->n_machines + k] * m->weights[t * m->n_machines + l];
    for (size_t i = 0; !m->weights && i < m->vectors.n; i++)
        sum += own[i * m->n_machines + k] * m->betas[l * m->vectors.n + i];
    return sum;
}

static bool is_rest(const cairn_svm_model *m)
{
    return m->n_machines > 1 && m->minus[0] < 0;
}

/* ‖w‖ of every machine; where each class is told from the rest, ‖w_k - w_l‖ for every pair, as the
 * boundary between two classes is where their scores are equal. */
static cairn_status make_lengths(cairn_context *ctx, double **out, const cairn_svm_model *m)
{
    size_t n = m->n_machines, pairs = is_rest(m) ? n : 1;
    double *own = NULL;
    CHECK(SCRATCH(ctx, out, cairn_product(n, pairs) + 1));
    if (!m->weights) {
        CHECK(SCRATCH_RAW(ctx, &own, cairn_product(m->vectors.n, n) + 1));
        CHECK(cairn_kernel_own_scores(ctx, &m->kernel, &m->vectors, m->betas, n, own));
    }
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < pairs; l++) {
            double square = inner_product(m, own, k, k);
            if (pairs > 1)
                square += inner_product(m, own, l, l) - inner_product(m, own, k, l) -
                          inner_product(m, own, l, k);
            (*out)[k * pairs + l] = sqrt(fmax(square, 0));
        }
    return CAIRN_OK;
}

/* Without a weight there is no boundary: it is infinitely far away. */
static double divided(double score, double length)
{
    return length > 0 ? score / length : score == 0 ? 0 : copysign(INFINITY, score);
}

/* From the boundary of the one machine, with the sign of its side; of several from the nearest
 * around the class that was answered. */
static double distance_of(const cairn_svm_model *m, const double *scores, const double *lengths,
                          int32_t code)
{
    size_t n = m->n_machines, own = 0;
    double least = INFINITY;
    if (n == 1) return divided(scores[0], lengths[0]);
    while (is_rest(m) && own + 1 < n && m->plus[own] != code) own++;
    for (size_t k = 0; k < n; k++) {
        if (is_rest(m)) {
            if (k != own)
                least = fmin(least, divided(scores[own] - scores[k], lengths[own * n + k]));
        } else if (m->plus[k] == code || m->minus[k] == code) {
            double score = m->plus[k] == code ? scores[k] : -scores[k];
            least = fmin(least, divided(score, lengths[k]));
        }
    }
    return least;
}

/* -- answers -- */

/* What the rows of a chunk are answered into. */
typedef struct answering {
    const cairn_svm_model *m;
    cairn_prediction *out;
    double *classes, *room;      /* n_classes */
    double *lengths, *distances; /* of all rows; NULL = not wanted */
} answering;

static void put_classes(const answering *a, const double *scores, size_t first, size_t n)
{
    const cairn_svm_model *m = a->m;
    cairn_prediction *out = a->out;
    for (size_t i = 0; i < n; i++) {
        const double *row = scores + i * m->n_machines;
        double *to = out->scores ? out->scores + (first + i) * m->n_classes : a->classes;
        score_classes(m, row, to, a->room);
        int32_t code = decide(m, row, to);
        if (out->codes) out->codes[first + i] = code;
        if (a->distances) a->distances[first + i] = distance_of(m, row, a->lengths, code);
    }
}

/* The rows first .. first + n - 1 of a view as one of their own. */
static cairn_view part_of(const cairn_view *view, uint32_t *rows, size_t first, size_t n)
{
    cairn_view part = *view;
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)cairn_view_row(view, first + i);
    part.rows = (cairn_rows){.indices = rows, .n = n};
    return part;
}

static cairn_status open_answering(cairn_context *ctx, answering *a, size_t n)
{
    CHECK(SCRATCH_RAW(ctx, &a->classes, a->m->n_classes + 1));
    CHECK(SCRATCH_RAW(ctx, &a->room, a->m->n_classes + 1));
    if (!a->out->extra || a->m->task == CAIRN_REGRESS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &a->distances, n + 1));
    return make_lengths(ctx, &a->lengths, a->m);
}

cairn_status cairn_svm_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    const cairn_svm_model *m = model;
    size_t n = job->view->rows.n, most = CHUNK_SCORES / (m->n_machines + 1) + 1;
    size_t chunk = n < most ? n : most;
    answering a = {.m = m, .out = out};
    double *scores;
    uint32_t *rows;
    CHECK(open_answering(ctx, &a, n));
    CHECK(SCRATCH_RAW(ctx, &scores, cairn_product(chunk, m->n_machines) + 1));
    CHECK(SCRATCH_RAW(ctx, &rows, chunk + 1));
    for (size_t first = 0; first < n; first += chunk) {
        size_t count = n - first < chunk ? n - first : chunk;
        cairn_view part = part_of(job->view, rows, first, count);
        CHECK(cairn_svm_scores(ctx, m, count == n ? job->view : &part, scores));
        if (m->task == CAIRN_REGRESS)
            memcpy(out->numbers + first, scores, count * sizeof *scores);
        else
            put_classes(&a, scores, first, count);
    }
    out->codes_set = m->task == CAIRN_CLASSIFY;
    if (!a.distances) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "distance", a.distances);
}
