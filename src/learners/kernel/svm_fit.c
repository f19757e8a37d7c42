/* SPDX-License-Identifier: MIT */
/* Support vector machines: the dual problems of all machines, and the model made of their
 * solutions.
 *
 * Rows of weight 0 are left out; a weight w multiplies the bound C of its row. The rows are
 * prepared for the kernel once. One machine works with all threads; several are solved side by
 * side, each on its rows. */
#include "base/memory.h"
#include "base/need.h"
#include "base/number.h"
#include "learners/kernel/svm.h"
#include "learners/kernel/svm_fit.h"
#include "model/model.h"
#include "parallel/parallel.h"
#include "rows/matrix.h"
#include "solve/pairs.h"
#include "stats/class_weights.h"
#include <math.h>
#include <string.h>

/* Support vector machines: scores of rows, and what several machines say together. */

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
    memcpy(run->scores + piece->first * m, piece->buffer, piece->n * m * sizeof *run->scores);
}

cairn_status cairn_svm_scores(cairn_context *ctx, const cairn_svm_model *m, const cairn_view *view,
                              double *out)
{
    if (m->weights) {
        linear_run run = {.m = m, .scores = out};
        cairn_matrix_options options = {
            .apart = true, .n_terms = m->n_terms, .scores = m->n_machines};
        cairn_row_sum sum = {.piece = linear_piece, .unread = true, .data = &run};
        SCOPED_SCRATCH(ctx);
        options.buffer = view->n_features + m->n_machines;
        CHECK(cairn_matrix_open(ctx, &run.x, view, &options));
        return cairn_matrix_sum(ctx, &run.x, &sum, NULL);
    }
    return cairn_kernel_scores(ctx, &m->kernel, &m->vectors, m->betas, m->n_machines, m->constants,
                               view, out);
}

/* -- several machines -- */

/* Scores of all classes: of two the score and its opposite, of pairs the votes, else each class
 * its own. A class without training rows has the least. */
static void score_classes(const cairn_svm_model *m, const double *scores, double *out,
                          double *buffer)
{
    for (size_t c = 0; c < m->n_classes; c++) buffer[c] = -INFINITY;
    double least = INFINITY;
    if (m->n_present == 1) {
        buffer[m->classes[0]] = m->n_machines ? scores[0] : 1;
    } else if (m->n_machines == 1) {
        buffer[m->plus[0]] = scores[0];
        buffer[m->minus[0]] = -scores[0];
    } else if (m->minus[0] < 0) {
        for (size_t k = 0; k < m->n_machines; k++) buffer[m->plus[k]] = scores[k];
    } else {
        /* Votes of the pairs; what their scores add up to decides between equal votes,
                 * and is kept below half a vote. */
        memset(out, 0, m->n_classes * sizeof *out);
        memset(buffer, 0, m->n_classes * sizeof *buffer);
        for (size_t k = 0; k < m->n_machines; k++) {
            out[scores[k] >= 0 ? m->plus[k] : m->minus[k]] += 1;
            buffer[m->plus[k]] += scores[k];
            buffer[m->minus[k]] -= scores[k];
        }
        for (size_t c = 0; c < m->n_present; c++) {
            size_t code = (size_t)m->classes[c];
            out[code] += isfinite(buffer[code]) ? buffer[code] / (3 * (fabs(buffer[code]) + 1)) : 0;
        }
        for (size_t c = 0; c < m->n_classes; c++) buffer[c] = -INFINITY;
        for (size_t c = 0; c < m->n_present; c++) buffer[m->classes[c]] = out[m->classes[c]];
    }
    for (size_t c = 0; c < m->n_present; c++) least = fmin(least, buffer[m->classes[c]]);
    for (size_t c = 0; c < m->n_classes; c++)
        out[c] = buffer[c] == -INFINITY ? least - 1 - fabs(least) : buffer[c];
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
    double *classes, *buffer;    /* n_classes */
    double *lengths, *distances; /* of all rows; NULL = not wanted */
} answering;

static void put_classes(const answering *a, const double *scores, size_t first, size_t n)
{
    const cairn_svm_model *m = a->m;
    cairn_prediction *out = a->out;
    for (size_t i = 0; i < n; i++) {
        const double *row = scores + i * m->n_machines;
        double *to = out->scores ? out->scores + (first + i) * m->n_classes : a->classes;
        score_classes(m, row, to, a->buffer);
        /* The first class with the largest score; of two classes the positive one where the
         * score is 0. A machine that knows one class rejects what it is not. */
        int32_t code;
        size_t best = 0;
        if (m->n_present == 1 && m->n_machines)
            code = row[0] >= 0 ? m->plus[0] : REJECTED;
        else if (m->n_present == 2 && m->n_machines == 1) {
            code = row[0] >= 0 ? m->plus[0] : m->minus[0];
        } else {
            for (size_t c = 1; c < m->n_classes; c++)
                if (to[c] > to[best]) best = c;
            code = (int32_t)best;
        }
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
    CHECK(SCRATCH_RAW_EACH(ctx, a->m->n_classes + 1, &a->classes, &a->buffer));
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

enum { MEGABYTE = 1 << 20, USUAL_CACHE = 100, USUAL_ROWS = 1024, STEPS_PER_ROW = 1000 };

#define MOST_VALUE 1e36 /* of the kernel; floats end at 3e38 */

/* -- rows of the kernel matrix, for the solver -- */

typedef struct source {
    const cairn_kernel *kernel;
    const cairn_kernel_rows *rows;
    cairn_kernel_rows part; /* the columns, where they are not all rows */
    bool whole;
} source;

static cairn_status set_columns(cairn_context *ctx, void *data, const uint32_t *points, size_t n)
{
    source *s = data;
    cairn_kernel_rows_clear(&s->part);
    s->whole = n == s->rows->n;
    return s->whole ? CAIRN_OK : cairn_kernel_rows_keep(ctx, &s->part, s->rows, points, n);
}

static cairn_status make_rows(cairn_context *ctx, void *data, const uint32_t *points, size_t m,
                              float *out, size_t stride)
{
    source *s = data;
    const cairn_kernel_rows *columns = s->whole ? s->rows : &s->part;
    return cairn_kernel_block_floats(ctx, s->kernel, s->rows, points, m, columns, 0, columns->n,
                                     out, stride);
}

/* Kβ in double precision, where the rows are. */
static cairn_status make_products(cairn_context *ctx, void *data, const double *beta, double *out)
{
    enum { BATCH = 64 };
    const source *s = data;
    size_t n = s->rows->n, m = 0;
    uint32_t which[BATCH];
    double *values;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &values, cairn_product(BATCH, n)));
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i <= n; i++) {
        if (i < n && beta[i] != 0) which[m++] = (uint32_t)i;
        if (m < BATCH && i < n) continue;
        CHECK(cairn_kernel_block(ctx, s->kernel, s->rows, which, m, s->rows, 0, n, values, n));
        for (size_t r = 0; r < m; r++)
            for (size_t j = 0; j < n; j++) out[j] += beta[which[r]] * values[r * n + j];
        m = 0;
    }
    return CAIRN_OK;
}

static void close_source(source *s)
{
    cairn_kernel_rows_clear(&s->part);
}

/* -- one machine -- */

/* The first variables at their bounds, until they add up: where the ν forms begin. */
static void fill_up(double *betas, const double *bounds, const double *signs, double sign, size_t n,
                    double sum)
{
    for (size_t i = 0; i < n && sum > 0; i++) {
        if (signs && signs[i] != sign) continue;
        double take = bounds[i] < sum ? bounds[i] : sum;
        betas[i] = sign * take;
        sum -= take;
    }
}

/* Variables and bounds of the dual problem, scratch. The ν forms have two groups: rows of the two
 * classes, which must come one after the other, or a pair of variables for each row. */
static cairn_status set_problem(cairn_context *ctx, cairn_pairs *p, const cairn_svm_fitting *f,
                                const cairn_svm_problem *m)
{
    bool nu = f->params->type == CAIRN_SVM_NU, numbers = f->job->task == CAIRN_REGRESS;
    bool alone = f->params->type == CAIRN_SVM_ONE_CLASS;
    size_t n = numbers && nu ? 2 * m->n : m->n;
    double *linear, *lower, *upper, *diagonal;
    CHECK(SCRATCH_EACH(ctx, n + 1, &linear, &lower, &upper));
    CHECK(SCRATCH(ctx, &diagonal, m->n + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &p->beta, &p->rest));
    for (size_t v = 0; v < n; v++) {
        size_t i = v < m->n ? v : v - m->n;
        double y = m->targets[i], c = m->bounds[i];
        bool both = numbers && !nu, up = numbers ? v < m->n : y > 0;
        linear[v] = !numbers && (nu || alone) ? 0 : y;
        lower[v] = both || !up ? -c : 0;
        upper[v] = both || up ? c : 0;
        if (!numbers && nu && y > 0) p->split++;
    }
    p->n = n, p->n_points = m->n;
    p->linear = linear, p->lower = lower, p->upper = upper, p->diagonal = diagonal;
    if (numbers && nu) p->split = m->n;
    if (numbers && !nu) p->width = f->params->epsilon;
    return CAIRN_OK;
}

/* The sums that are fixed, but for the C form. Fails where the smaller class cannot give its
 * share. */
static cairn_status set_sums(cairn_context *ctx, cairn_pairs *p, const cairn_svm_fitting *f,
                             const cairn_svm_problem *m)
{
    double plus = 0, minus = 0, nu = f->params->nu;
    bool numbers = f->job->task == CAIRN_REGRESS;
    if (f->params->type == CAIRN_SVM_C) return CAIRN_OK;
    for (size_t i = 0; i < m->n; i++)
        *(numbers || m->targets[i] > 0 ? &plus : &minus) += m->bounds[i];
    if (f->params->type == CAIRN_SVM_ONE_CLASS) {
        fill_up(p->beta, m->bounds, NULL, 1, m->n, nu * plus);
        return CAIRN_OK;
    }
    double sum = nu * (plus + minus) / 2, most = numbers ? plus : fmin(plus, minus);
    if (sum > most * (1 + 1e-12)) {
        char given[CAIRN_NUMBER_SIZE], allowed[CAIRN_NUMBER_SIZE];
        cairn_number_format(given, nu, 6);
        cairn_number_format(allowed, 2 * most / (plus + minus), 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{nu} is %s, too large for these classes: the smaller one allows at most "
                          "%s",
                          given, allowed);
    }
    fill_up(p->beta, m->bounds, numbers ? NULL : m->targets, 1, m->n, sum);
    fill_up(p->beta + (numbers ? m->n : 0), m->bounds, numbers ? NULL : m->targets, -1, m->n, sum);
    return CAIRN_OK;
}

/* What a score is the sum of, at most. */
static double size_of_scores(const cairn_pairs *p)
{
    double sum = 0, root = 0;
    for (size_t v = 0; v < p->n; v++) {
        double own = sqrt(fabs(p->diagonal[v < p->n_points ? v : v - p->n_points]));
        sum += fabs(p->beta[v]) * own;
        root = fmax(root, own);
    }
    return sum * root;
}

/* β and the constant in the units of the C form: the ν forms fix the sums and let the margin, or
 * the width of the tube, be found. */
static cairn_status read_solution(cairn_context *ctx, cairn_svm_problem *m, const cairn_pairs *p,
                                  const cairn_svm_fitting *f)
{
    const cairn_pair_group *one = &p->groups[0], *two = &p->groups[1];
    bool numbers = f->job->task == CAIRN_REGRESS;
    double divide = 1;
    bool alone = f->params->type == CAIRN_SVM_ONE_CLASS;
    m->constant = alone ? one->middle : cairn_svm_constant(f->params, p, m->targets);
    m->best = one->middle;
    m->reported.rho = numbers ? p->width : alone ? -one->middle : 1;
    m->reported.top = one->top, m->reported.bottom = one->bottom;
    if (p->split) {
        double half = (one->middle - two->middle) / 2;
        m->constant = m->best = (one->middle + two->middle) / 2;
        m->reported.top = m->reported.bottom = m->constant;
        m->reported.rho = numbers ? fmax(half, 0) : -half;
        if (!numbers) divide = -half;
        if (!numbers && !(divide > 1e-10 * size_of_scores(p)))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "the margin is 0 with this {nu}: the classes overlap too much; use a "
                              "larger {nu}");
    }
    m->divide = divide;
    m->constant /= divide;
    m->best /= divide;
    m->reported.top /= divide, m->reported.bottom /= divide;
    for (size_t i = 0; i < m->n; i++) {
        double beta = p->beta[i] + (p->n > m->n ? p->beta[m->n + i] : 0);
        m->betas[i] = beta / divide;
        m->bounds[i] /= divide;
        m->rest[i] = (p->linear[i] - p->rest[i]) / divide + m->constant; /* the score */
    }
    for (size_t t = 0; m->weights && t < f->n_terms; t++) m->weights[t] /= divide;
    return CAIRN_OK;
}

/* The counts of vectors, and how the solver fared. */
static void tell(cairn_svm_problem *m, const cairn_pairs *p, bool squared)
{
    cairn_svm_machine *reported = &m->reported;
    reported->n = m->n;
    for (size_t i = 0; i < m->n; i++) {
        reported->n_vectors += m->betas[i] != 0;
        reported->n_bound += !squared && m->betas[i] != 0 && fabs(m->betas[i]) >= m->bounds[i];
    }
    reported->n_free = p->groups[0].n_free + (p->split ? p->groups[1].n_free : 0);
    reported->value = -m->proof.dual;
    reported->gap = p->gap / m->divide;
    reported->steps = p->steps;
    reported->converged = p->converged;
}

/* Targets of numbers have a size, and the tolerance is meant beside it; one that was given is not
 * made smaller. */
static double size_of(const cairn_svm_fitting *f, const cairn_svm_problem *m)
{
    double low = INFINITY, high = -INFINITY;
    if (f->job->task != CAIRN_REGRESS) return 1;
    for (size_t i = 0; i < m->n; i++)
        low = fmin(low, m->targets[i]), high = fmax(high, m->targets[i]);
    return fmax(f->params->tolerance > 0 || high == low ? 1 : 0, (high - low) / 2);
}

double cairn_svm_tolerance(const cairn_svm_params *params, size_t n)
{
    return params->tolerance > 0 ? params->tolerance : n <= CAIRN_SVM_FINE ? 1e-7 : 1e-3;
}

/* Kernel values that are beyond single precision, in which rows of the matrix are, or beyond all
 * numbers. */
static cairn_status refuse_overflow(cairn_context *ctx, const cairn_kernel *kernel)
{
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "values of the kernel%s%s are too large to work with; rescale the columns, or "
        "take a lower {degree} or a smaller {factor}",
        kernel->function ? " " : "", kernel->function ? kernel->function->entry.name : "");
}

/* Multiplies a problem of pairs by a factor, of β and all that it is compared with. */
static void multiply(cairn_pairs *p, double factor)
{
    double *linear = (double *)p->linear, *lower = (double *)p->lower, *upper = (double *)p->upper;
    for (size_t v = 0; v < p->n; v++) {
        linear[v] *= factor;
        lower[v] *= factor;
        upper[v] *= factor;
        p->beta[v] *= factor;
        p->rest[v] *= factor;
    }
    p->width *= factor;
    p->tolerance *= factor;
    p->gap *= factor;
    p->groups[0].top *= factor;
    p->groups[0].bottom *= factor;
    p->groups[0].middle *= factor;
    p->value *= factor * factor;
}

/* The kink of a tube is kept in single precision, which has all digits of 1. */
static cairn_status solve_tube(cairn_context *ctx, cairn_pairs *p)
{
    double width = p->width;
    size_t bytes = p->n * sizeof(double);
    double *kept;
    if (!(width > 1e-30)) return cairn_pairs_solve(ctx, p);
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &kept, 3 * p->n + 1));
    memcpy(kept, p->linear, bytes);
    memcpy(kept + p->n, p->lower, bytes);
    memcpy(kept + 2 * p->n, p->upper, bytes);
    multiply(p, 1 / width);
    p->width = 1;
    CHECK(cairn_pairs_solve(ctx, p));
    multiply(p, width);
    p->width = width;
    memcpy((double *)p->linear, kept, bytes);
    memcpy((double *)p->lower, kept + p->n, bytes);
    memcpy((double *)p->upper, kept + 2 * p->n, bytes);
    for (size_t v = 0; v < p->n; v++) { /* at a bound is at it to the last bit */
        double most = p->beta[v] < 0 ? p->lower[v] : p->upper[v];
        if (fabs(p->beta[v]) >= fabs(most) * (1 - 1e-15)) p->beta[v] = most;
    }
    return CAIRN_OK;
}

/* Decomposition, whose rows are in single precision. */
static cairn_status solve_large(cairn_context *ctx, const cairn_svm_fitting *f, cairn_pairs *p)
{
    for (size_t i = 0; i < p->n_points; i++)
        if (!(fabs(p->diagonal[i]) < MOST_VALUE)) return refuse_overflow(ctx, &f->kernel);
    CHECK(solve_tube(ctx, p));
    if (!isfinite(p->value) || !isfinite(p->groups[0].middle) || !isfinite(p->groups[1].middle))
        return refuse_overflow(ctx, &f->kernel);
    return CAIRN_OK;
}

static bool is_proved(const cairn_svm_problem *m)
{
    return m->proof.gap <= m->proof.gap_bound && m->proof.conditions <= m->proof.bound;
}

/* Where single precision, the limit of steps or bands too narrow for Newton's method left another
 * solver short of the end, few rows get there by an active set: from where that one is, or, if
 * this is too far off, from 0. */
static cairn_status finish_few(cairn_context *ctx, const cairn_svm_fitting *f, cairn_svm_problem *m,
                               const cairn_kernel_rows *rows, cairn_pairs *p)
{
    bool primal = cairn_svm_is_primal(f, m);
    if ((p->share == 0 && !primal) || m->n > CAIRN_SVM_EXACT_MOST || f->least_eigenvalue < 0 ||
        rows->layout == CAIRN_KERNEL_FLOATS)
        return CAIRN_OK;
    for (int round = 0; round < 2; round++) {
        /* weights alone have fewer digits than multipliers beside them */
        if (is_proved(m) && !(primal && m->proof.gap > CAIRN_SVM_ROUNDING)) break;
        for (size_t i = 0; i < m->n; i++) m->bounds[i] *= m->divide;
        m->weights = m->buffer;
        p->most = (size_t)f->params->max_iter;
        if (round) {
            memset(p->beta, 0, p->n * sizeof *p->beta);
            CHECK(set_sums(ctx, p, f, m));
        }
        CHECK(cairn_svm_solve_exact(ctx, f, m, rows, p));
        p->share = 0;
        CHECK(read_solution(ctx, m, p, f));
        CHECK(cairn_svm_prove(ctx, f, m, rows, p->diagonal, 0));
    }
    return CAIRN_OK;
}

/* Where errors are dear and few, rounding of the scores makes errors of rows that are on the margin
 * or at the edge of the tube: asked for a margin that is wider by the rounding, or a tube that is
 * narrower, the answer keeps clear of that. */
static cairn_status stand_clear(cairn_context *ctx, const cairn_svm_fitting *f,
                                cairn_svm_problem *m, const cairn_kernel_rows *rows, cairn_pairs *p)
{
    double *linear = (double *)p->linear, width = p->width, gap = m->proof.gap,
           by = m->proof.rounded;
    bool numbers = f->job->task == CAIRN_REGRESS;
    if (m->n > CAIRN_SVM_EXACT_MOST || rows->layout == CAIRN_KERNEL_FLOATS ||
        f->least_eigenvalue < 0 || f->params->type != CAIRN_SVM_C || f->params->slack_power > 1 ||
        f->params->loss == CAIRN_SVM_SQUARED || f->params->tolerance > 0)
        return CAIRN_OK;
    for (int round = 0; round < 2 && gap > CAIRN_SVM_ROUNDING && m->proof.gap >= gap; round++) {
        bool clear = round == 0; /* if that is no better, the problem itself again */
        if (clear && numbers) p->width = fmax(width / 2, width - by * size_of(f, m));
        for (size_t v = 0; v < p->n && clear && !numbers; v++) linear[v] *= 1 + by;
        CHECK(cairn_svm_solve_exact(ctx, f, m, rows, p));
        p->width = width;
        for (size_t v = 0; v < p->n && !numbers; v++) linear[v] = m->targets[v];
        CHECK(read_solution(ctx, m, p, f));
        CHECK(cairn_svm_prove(ctx, f, m, rows, p->diagonal, 0));
    }
    return CAIRN_OK;
}

/* By whichever solver suits; then the proof, and where it fails what may still help. */
static cairn_status solve_machine(cairn_context *ctx, void *data, size_t k)
{
    cairn_svm_fitting *f = data;
    cairn_svm_problem *m = &f->machines[k];
    const cairn_svm_params *params = f->params;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows own = {0};
    SCOPED(close_source) source from = {.kernel = &f->kernel, .rows = &f->rows};
    cairn_pairs p = {.what = "svm", .cache = f->cache, .shrink = params->shrinking};
    double *start;
    if (m->which) {
        CHECK(cairn_kernel_rows_keep(ctx, &own, &f->rows, m->which, m->n));
        from.rows = &own;
    }
    CHECK(set_problem(ctx, &p, f, m));
    CHECK(cairn_kernel_diagonal(ctx, &f->kernel, from.rows, (double *)p.diagonal));
    CHECK(set_sums(ctx, &p, f, m));
    CHECK(SCRATCH_RAW(ctx, &start, p.n + 1));
    memcpy(start, p.beta, p.n * sizeof *start);
    double tolerance = cairn_svm_tolerance(params, m->n);
    p.tolerance = tolerance * size_of(f, m);
    p.most = (size_t)params->max_iter;
    p.rows = (cairn_pair_rows){&from, set_columns, make_rows, make_products};
    if (from.rows->layout == CAIRN_KERNEL_FLOATS) p.rows.products = NULL;
    CHECK(cairn_svm_check_separable(ctx, f, m, from.rows));
    if (cairn_svm_is_primal(f, m)) {
        CHECK(cairn_svm_solve_primal(ctx, f, m, from.rows, &p));
        tolerance = 0;
    } else if (cairn_svm_is_small(f, m)) {
        CHECK(cairn_svm_solve_exact(ctx, f, m, from.rows, &p));
        tolerance = 0;
    } else {
        CHECK(cairn_svm_refuse_large(ctx, f, m->n));
        if (params->tolerance == 0 && m->n <= CAIRN_SVM_FINE) p.share = CAIRN_SVM_ROUNDING / 4;
        /* few rows are finished by an active set, which is faster than very many steps */
        if (p.share > 0 && m->n <= CAIRN_SVM_EXACT_MOST && p.most > STEPS_PER_ROW * m->n)
            p.most = STEPS_PER_ROW * m->n;
        CHECK(solve_large(ctx, f, &p));
        if (m->n > CAIRN_SVM_EXACT_MOST) CHECK(cairn_svm_check_hard(ctx, f, &p));
        if (p.share > 0) tolerance = 0;
    }
    CHECK(cairn_svm_search(ctx, f, m, from.rows, &p, start));
    CHECK(read_solution(ctx, m, &p, f));
    m->reported.indefinite = f->least_eigenvalue < 0;
    CHECK(cairn_svm_prove(ctx, f, m, from.rows, p.diagonal, tolerance));
    if (cairn_svm_is_primal(f, m) && p.converged) m->proof.bound = fmax(m->proof.bound, p.gap);
    CHECK(finish_few(ctx, f, m, from.rows, &p));
    CHECK(stand_clear(ctx, f, m, from.rows, &p));
    m->limited = p.steps >= p.most;
    tell(m, &p, params->loss == CAIRN_SVM_SQUARED);
    return CAIRN_OK;
}

/* -- all machines -- */

/* Rows of positive weight, their weights and targets. */
static cairn_status list_used(cairn_context *ctx, cairn_svm_fitting *f)
{
    const cairn_view *view = f->job->view;
    bool numbers = f->job->task == CAIRN_REGRESS;
    size_t most = view->rows.n + 1;
    CHECK(SCRATCH_RAW_EACH(ctx, most, &f->used, &f->places, &f->weights));
    CHECK(SCRATCH_RAW(ctx, &f->numbers, numbers ? most : 1));
    CHECK(SCRATCH_RAW(ctx, &f->codes, numbers ? 1 : most));
    for (size_t i = 0; i < view->rows.n; i++) {
        double weight = cairn_view_weight(view, i);
        size_t place = cairn_view_row(view, i);
        if (!(weight > 0)) continue;
        f->weights[f->n] = weight;
        f->places[f->n] = (uint32_t)place;
        if (numbers)
            f->numbers[f->n] = view->target->numbers[place];
        else
            f->codes[f->n] = view->target->codes[place];
        f->used[f->n++] = (uint32_t)i;
    }
    return CAIRN_OK;
}

/* Rows of the class `plus` and then those of `minus` (-1 = all others), as the ν form wants
 * them. */
static cairn_status list_rows(cairn_context *ctx, const cairn_svm_fitting *f, cairn_svm_problem *m,
                              int32_t plus, int32_t minus)
{
    CHECK(SCRATCH_RAW(ctx, &m->which, f->n + 1));
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < f->n; i++)
            if (side ? f->codes[i] != plus && (minus < 0 || f->codes[i] == minus)
                     : f->codes[i] == plus)
                m->which[m->n++] = (uint32_t)i;
    return CAIRN_OK;
}

/* Targets are 1 for the class `plus` and -1 for the others; a row's bound is C times its weight,
 * and its weight alone in the forms without C. */
static cairn_status open_machine(cairn_context *ctx, cairn_svm_fitting *f, cairn_svm_problem *m,
                                 int32_t plus, int32_t minus, bool two)
{
    bool numbers = f->job->task == CAIRN_REGRESS;
    double c = numbers || f->params->type == CAIRN_SVM_C ? f->params->c : 1;
    if (numbers || (f->params->type != CAIRN_SVM_NU && (minus < 0 || two)))
        m->n = f->n;
    else
        CHECK(list_rows(ctx, f, m, plus, minus));
    CHECK(SCRATCH_RAW_EACH(ctx, m->n + 1, &m->targets, &m->bounds, &m->betas, &m->rest));
    if (f->dense && cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_LINEAR)
        CHECK(SCRATCH(ctx, &m->buffer, f->n_terms + 1));
    if (cairn_svm_is_primal(f, m) || cairn_svm_is_small(f, m)) m->weights = m->buffer;
    for (size_t i = 0; i < m->n; i++) {
        size_t row = m->which ? m->which[i] : i;
        m->targets[i] = numbers ? f->numbers[row] : f->codes[row] == plus ? 1 : -1;
        m->bounds[i] = c * f->weights[row];
    }
    return CAIRN_OK;
}

/* Which machines there are: one for numbers and for two classes, else one for every pair or for
 * every class. Of two classes the positive one, else the second, is `plus`. */
static cairn_status plan_machines(cairn_context *ctx, cairn_svm_fitting *f, cairn_svm_model *m)
{
    size_t k = m->n_present, n = 0;
    bool numbers = m->task == CAIRN_REGRESS, rest = f->params->classes == CAIRN_SVM_REST && k > 2;
    bool alone = f->params->type == CAIRN_SVM_ONE_CLASS;
    f->n_machines = numbers || alone ? 1 : k == 1 ? 0 : rest ? k : k * (k - 1) / 2;
    if (k > 2)
        CHECK(SCRATCH_MATRIX(ctx, &f->machines, f->n_machines / k + 1, k,
                             rest ? "a machine for every class"
                                  : "a machine for every pair of classes",
                             CAIRN_FEWER_CLASSES));
    else
        CHECK(SCRATCH(ctx, &f->machines, f->n_machines + 1));
    CHECK(SCRATCH_EACH(ctx, f->n_machines + 1, &f->plus, &f->minus));
    for (size_t a = 0; a < k && !numbers; a++)
        for (size_t b = a + 1; b < (rest ? a + 2 : k); b++) {
            f->plus[n] = m->classes[a];
            f->minus[n++] = rest ? -1 : m->classes[b];
        }
    if (alone) f->plus[0] = m->classes[0], f->minus[0] = -1;
    if (k == 2 && f->plus[0] != f->job->positive) {
        f->plus[0] = m->classes[1];
        f->minus[0] = m->classes[0];
    }
    for (size_t i = 0; i < f->n_machines; i++)
        CHECK(open_machine(ctx, f, &f->machines[i], f->plus[i], f->minus[i], k == 2));
    return CAIRN_OK;
}

/* -- the model -- */

static size_t row_of(const cairn_svm_problem *m, size_t i)
{
    return m->which ? m->which[i] : i;
}

/* The rows that some machine has a β for, and all β beside them. */
static cairn_status keep_vectors(cairn_context *ctx, cairn_svm_model *out,
                                 const cairn_svm_fitting *f)
{
    uint32_t *place, *which;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &place, f->n + 1));
    CHECK(SCRATCH_RAW(ctx, &which, f->n + 1));
    for (size_t k = 0; k < f->n_machines; k++)
        for (size_t i = 0; i < f->machines[k].n; i++)
            if (f->machines[k].betas[i] != 0) place[row_of(&f->machines[k], i)] = 1;
    for (size_t i = 0; i < f->n; i++)
        if (place[i]) {
            place[i] = (uint32_t)n;
            which[n++] = (uint32_t)i;
        }
    CHECK(cairn_kernel_rows_keep(ctx, &out->vectors, &f->rows, which, n));
    CHECK(NEW(ctx, &out->betas, cairn_product(f->n_machines, n) + 1));
    for (size_t k = 0; k < f->n_machines; k++)
        for (size_t i = 0; i < f->machines[k].n; i++) {
            double beta = f->machines[k].betas[i];
            if (beta != 0) out->betas[k * n + place[row_of(&f->machines[k], i)]] = beta;
        }
    return CAIRN_OK;
}

/* Linear kernel: w = Σ β x of every machine, in the columns' own units. */
static cairn_status make_weights(cairn_context *ctx, cairn_svm_model *m, const cairn_svm_fitting *f)
{
    size_t n = m->vectors.n, count = m->n_machines;
    double *row;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &row, m->n_terms + 1));
    CHECK(NEW(ctx, &m->weights, cairn_product(m->n_terms + 1, count) + 1));
    for (size_t i = 0; i < n; i++) {
        cairn_kernel_rows_read(&m->vectors, i, row);
        for (size_t k = 0; k < count; k++)
            for (size_t t = 0; t < m->n_terms && m->betas[k * n + i] != 0; t++)
                m->weights[t * count + k] += m->betas[k * n + i] * row[t];
    }
    for (size_t k = 0; k < count; k++) {
        const double *better = f->machines[k].weights;
        for (size_t t = 0; better && t < m->n_terms; t++) m->weights[t * count + k] = better[t];
        m->weights[m->n_terms * count + k] = m->constants[k];
    }
    return CAIRN_OK;
}

static cairn_status copy_reals(cairn_context *ctx, double **out, const double *from, size_t n)
{
    CHECK(NEW_RAW(ctx, out, n + 1));
    memcpy(*out, from, n * sizeof **out);
    return CAIRN_OK;
}

/* What the history says of a machine; row by row where there are few. */
static cairn_status keep_reported(cairn_context *ctx, cairn_svm_machine *out,
                                  const cairn_svm_fitting *f, const cairn_svm_problem *m)
{
    *out = m->reported;
    if (m->n > CAIRN_SVM_SHOWN || f->linear || f->params->type == CAIRN_SVM_ONE_CLASS)
        return CAIRN_OK;
    CHECK(NEW_RAW(ctx, &out->rows, m->n + 1));
    for (size_t i = 0; i < m->n; i++) out->rows[i] = (int32_t)f->places[row_of(m, i)];
    CHECK(copy_reals(ctx, &out->targets, m->targets, m->n));
    CHECK(copy_reals(ctx, &out->betas, m->betas, m->n));
    CHECK(copy_reals(ctx, &out->scores, m->rest, m->n));
    CHECK(copy_reals(ctx, &out->bounds, m->bounds, m->n));
    if (f->rows.layout != CAIRN_KERNEL_DENSE || !f->rows.n_terms || f->rows.n_terms > 2)
        return CAIRN_OK;
    out->n_coordinates = f->rows.n_terms;
    CHECK(NEW_RAW(ctx, &out->points, cairn_product(m->n, out->n_coordinates) + 1));
    for (size_t i = 0; i < m->n; i++)
        cairn_kernel_rows_read(&f->rows, row_of(m, i), out->points + i * out->n_coordinates);
    return CAIRN_OK;
}

/* A primal fit of many rows keeps no vectors: its weights say all. */
static cairn_status make_model(cairn_context *ctx, cairn_svm_model *m, const cairn_svm_fitting *f)
{
    cairn_svm_history *history = f->job->history;
    size_t n = f->n_machines;
    m->n_machines = n;
    m->kernel = f->kernel;
    CHECK(NEW(ctx, &m->constants, n + 1));
    if (m->task == CAIRN_CLASSIFY) {
        CHECK(NEW_EACH(ctx, n + 1, &m->plus, &m->minus));
        memcpy(m->plus, f->plus, n * sizeof *m->plus);
        memcpy(m->minus, f->minus, n * sizeof *m->minus);
    }
    for (size_t k = 0; k < n; k++) m->constants[k] = f->machines[k].constant;
    if (!f->linear) {
        m->n_terms = f->rows.n_terms;
        if (!f->primal || f->n <= CAIRN_SVM_SHOWN) CHECK(keep_vectors(ctx, m, f));
        if (cairn_kernel_kind_of(&m->kernel) == CAIRN_KERNEL_LINEAR) CHECK(make_weights(ctx, m, f));
    }
    if (!history) return CAIRN_OK;
    CHECK(NEW(ctx, &history->machines, n + 1));
    history->n_machines = n;
    for (size_t k = 0; k < n; k++)
        CHECK(keep_reported(ctx, &history->machines[k], f, &f->machines[k]));
    return CAIRN_OK;
}

/* Classes with a row of positive weight, in the order of the target. */
static cairn_status list_classes(cairn_context *ctx, cairn_svm_model *m, const cairn_svm_fitting *f)
{
    bool *seen;
    CHECK(SCRATCH(ctx, &seen, m->n_classes + 1));
    CHECK(NEW(ctx, &m->classes, m->n_classes + 1));
    for (size_t i = 0; i < f->n; i++) seen[f->codes[i]] = true;
    for (size_t c = 0; c < m->n_classes; c++)
        if (seen[c]) m->classes[m->n_present++] = (int32_t)c;
    return CAIRN_OK;
}

/* Linear machines of classes have a method of their own for many rows and columns: it needs no
 * kernel values, and time in proportion to what is not 0. */
static bool is_linear(const cairn_svm_fitting *f)
{
    const cairn_svm_params *p = f->params;
    bool can = f->job->task == CAIRN_CLASSIFY && p->type == CAIRN_SVM_C && isfinite(p->c) &&
               cairn_kernel_kind_of(&f->kernel) == CAIRN_KERNEL_LINEAR;
    if (!can || p->solver == CAIRN_SVM_BY_ROWS || p->protocol != CAIRN_PROTOCOL_BATCH) return can;
    return p->solver == CAIRN_SVM_AUTO && !f->primal &&
           (p->loss == CAIRN_SVM_SQUARED || f->n > CAIRN_SVM_MANY);
}

/* What is asked for and cannot be had together. */
static cairn_status check_linear(cairn_context *ctx, const cairn_svm_fitting *f)
{
    const cairn_svm_params *p = f->params;
    if (p->solver == CAIRN_SVM_BY_ROWS && !f->linear)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{solver rows} is for classes, {kernel linear}, {type c} and a finite "
                          "{c}");
    if (p->protocol != CAIRN_PROTOCOL_BATCH && !f->linear)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{protocol}: a row can be learned from by itself where the weights say "
                          "all, which is for classes, {kernel linear}, {type c} and a finite {c}; "
                          "'kernel-perceptron' takes rows one by one with any kernel, 'lms' for "
                          "numbers");
    if (p->solver == CAIRN_SVM_BY_PRIMAL && !f->primal)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{solver primal} is for {kernel linear} over columns of numbers, {type "
                          "c}, a finite {c} and {slack-power 1}");
    if (p->loss == CAIRN_SVM_SQUARED && !f->linear && !f->primal)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{loss squared} is for {kernel linear}, {type c} and a finite {c}, by "
                          "{solver primal}, or of classes by {solver rows}");
    return CAIRN_OK;
}

/* ν takes the place of C where classes are told apart; numbers have both, so that the condition of
 * the parameter, which does not know the task, cannot say so. */
static cairn_status check_cost(cairn_context *ctx, const cairn_svm_fitting *f)
{
    const cairn_model *model = f->job->model;
    bool own = model && model->learner->fit == cairn_svm_fit && model->params;
    bool given = own ? cairn_params_is_set(model->params, "c") : f->params->c != 1;
    if (f->params->type != CAIRN_SVM_NU || f->job->task != CAIRN_CLASSIFY || !given)
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{c} does nothing for classes with {type nu}, where {nu} says what errors "
                      "cost; leave it out, or take {type c}");
}

/* One class: whatever is unlike it has no name. */
static cairn_status check_alone(cairn_context *ctx, const cairn_svm_fitting *f,
                                const cairn_svm_model *m)
{
    if (f->params->type != CAIRN_SVM_ONE_CLASS) return CAIRN_OK;
    if (m->task != CAIRN_CLASSIFY)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{type one-class} needs a target that holds one class, not numbers");
    if (m->n_present == 1) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "{type one-class} learns one class, and the target '%s' has %zu; choose the "
                      "rows of one by {where}",
                      f->job->view->target_name, m->n_present);
}

/* The linear form needs neither prepared rows nor a cache, and returns first. */
static cairn_status solve_all(cairn_context *ctx, cairn_svm_fitting *f, cairn_svm_model *m)
{
    if (f->linear) return cairn_svm_fit_linear(ctx, m, f);
    /* The rows, prepared for the kernel. */
    cairn_view part = *f->job->view;
    part.rows = (cairn_rows){.indices = f->places, .n = f->n};
    CHECK(cairn_kernel_rows_open(
        ctx, &f->rows, &f->kernel, &part,
        &(cairn_kernel_options){.floats = f->n > CAIRN_SVM_EXACT && !f->primal}));
    CHECK(cairn_svm_check_gram(ctx, f));
    /* Rows that are kept: as many bytes as were asked for, refused where there are not so many,
     * else USUAL_CACHE megabytes or USUAL_ROWS rows within a half of what there is. Machines
     * side by side share them. */
    double asked = f->params->cache * MEGABYTE, half = (double)cairn_memory_available(ctx) / 2;
    size_t side = f->n_machines < 2 ? 1 : (size_t)cairn_workers(ctx);
    if (asked > 0)
        CHECK(cairn_memory_check(ctx, asked, "the cache of kernel rows",
                                 cairn_say(ctx, "lower {cache}")));
    double rows = (double)f->n * sizeof(float) * USUAL_ROWS;
    double usual = fmax((double)USUAL_CACHE * MEGABYTE, rows);
    double bytes = asked > 0 ? asked : fmin(usual, half);
    f->cache = (size_t)(bytes / (double)side);
    if (f->n_machines == 1) return solve_machine(ctx, f, 0);
    return cairn_tasks(ctx, f->n_machines, solve_machine, f);
}

/* The proofs of all machines, in their order. Who asks to see every row once knows that more would
 * be better: what is left is told and not judged. */
static void certify(const cairn_svm_fitting *f)
{
    cairn_certificate *c = f->job->certificate;
    bool once = f->params->protocol == CAIRN_PROTOCOL_ONLINE, digits = false;
    if (!c) return;
    for (size_t k = 0; k < f->n_machines; k++) {
        const cairn_svm_problem *m = &f->machines[k];
        digits |= m->proof.gap > m->proof.gap_bound && m->proof.digits > m->proof.gap_bound;
        if (f->least_eigenvalue == 0)
            cairn_certify(c, CAIRN_PROOF_GAP, m->proof.gap, once ? INFINITY : m->proof.gap_bound);
        cairn_certify(c, CAIRN_PROOF_CONDITIONS, m->proof.conditions,
                      once ? INFINITY : m->proof.bound);
        c->limited |= m->limited;
    }
    c->remedy = digits ? "with costs and numbers of these sizes scores have too few digits for a "
                         "better one: scale the columns or lower {c}"
                : f->linear ? "scale the columns, lower {c} or take {solver primal}"
                            : "scale the columns, lower {c} or raise {max-iter}";
}

/* Weights of classes become part of the weights of rows before any machine sees them. */
static cairn_status fit_machines(cairn_context *ctx, cairn_svm_model *m, cairn_svm_fitting *f)
{
    size_t n_dense;
    cairn_terms_count(f->job->schema, &n_dense, &f->n_terms);
    f->dense = n_dense == f->n_terms;
    f->kernel = cairn_kernel_of(&f->params->kernel, f->n_terms);
    CHECK(list_used(ctx, f));
    f->primal = cairn_svm_is_primal(f, &(cairn_svm_problem){.n = f->n});
    f->linear = is_linear(f);
    CHECK(check_linear(ctx, f));
    CHECK(check_cost(ctx, f));
    if (m->task == CAIRN_CLASSIFY) {
        m->n_classes = f->job->n_classes;
        CHECK(list_classes(ctx, m, f));
        if (f->params->class_weight) {
            double *factors;
            CHECK(cairn_class_weights_of(ctx, &factors, "{class-weight}", f->params->class_weight,
                                         f->codes, f->weights, f->n, m->n_classes));
            for (size_t i = 0; i < f->n; i++) f->weights[i] *= factors[f->codes[i]];
        }
    }
    CHECK(check_alone(ctx, f, m));
    CHECK(plan_machines(ctx, f, m));
    CHECK(solve_all(ctx, f, m));
    certify(f);
    CHECK(make_model(ctx, m, f));
    return cairn_svm_show_steps(ctx, m, f);
}

cairn_status cairn_svm_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_svm_model *m = model;
    cairn_svm_fitting f = {.job = job, .params = job->params};
    m->task = job->task;
    cairn_status status = fit_machines(ctx, m, &f);
    cairn_kernel_rows_clear(&f.rows);
    return status;
}
