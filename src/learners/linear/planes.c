/* SPDX-License-Identifier: MIT */
/* Classes by linear scores: made, used, kept. */
#include "learners/linear/planes.h"
#include "base/memory.h"
#include "base/need.h"
#include "learners/linear/logistic_forms.h"
#include "transforms/computing.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const cairn_choice sides[] = {
    {"minus", CAIRN_PLANE_MINUS, "the boundary is written w·x − t = 0"},
    {"plus", CAIRN_PLANE_PLUS, "w·x + w0 = 0"},
    {"none", CAIRN_PLANE_NONE, "there is no constant: the boundary goes through the origin"},
    {0},
};
static const cairn_choice zeros[] = {
    {"-1", CAIRN_AT_ZERO_NEGATIVE, "the negative class"},
    {"0", CAIRN_AT_ZERO_NEITHER, "neither class: the answer is missing"},
    {"1", CAIRN_AT_ZERO_POSITIVE, "the positive class"},
    {"reject", CAIRN_AT_ZERO_REJECT, "the row is rejected"},
    {0},
};

const cairn_param cairn_class_planes_table[] = {
    CAIRN_PARAM_CHOICE(cairn_class_planes_params, intercept, "minus", sides,
                       "whether there is a constant, and on which side it is written"),
    CAIRN_PARAM_CHOICE(cairn_class_planes_params, at_zero, "-1", zeros,
                       "two classes: the answer for a row on the boundary"),
    CAIRN_PARAM_END,
};

const cairn_output cairn_class_planes_outputs[] = {
    {"distance", "signed distance from the boundary; two classes: positive on the positive side"},
    {NULL, NULL},
};

/* -- making one -- */

cairn_status cairn_class_planes_classes(cairn_context *ctx, const int32_t **out, size_t *n,
                                        const cairn_job *job, bool all)
{
    int32_t *classes;
    double *weights;
    size_t found = 0;
    CHECK(SCRATCH(ctx, &weights, job->n_classes + 1));
    CHECK(SCRATCH(ctx, &classes, job->n_classes + 1));
    for (size_t i = 0; i < job->view->rows.n; i++)
        weights[job->view->target->codes[cairn_view_row(job->view, i)]] +=
            cairn_view_weight(job->view, i);
    for (size_t c = 0; c < job->n_classes; c++)
        if (all || weights[c] > 0) classes[found++] = (int32_t)c;
    if (found == 2 && classes[0] != job->positive) {
        int32_t first = classes[0];
        classes[0] = classes[1];
        classes[1] = first;
    }
    *out = classes;
    *n = found;
    return CAIRN_OK;
}

cairn_status cairn_class_planes_new(cairn_context *ctx, cairn_class_planes *out,
                                    const cairn_job *job, const int32_t *classes, size_t n_present,
                                    bool pinned, bool intercept)
{
    cairn_terms_count(job->schema, &out->n_dense, &out->n_terms);
    out->n_classes = job->n_classes;
    out->n_present = n_present;
    out->intercept = intercept;
    out->pinned = pinned || n_present == 2;
    out->n_vectors = n_present - (out->pinned ? 1 : 0);
    CHECK(NEW(ctx, &out->classes, n_present));
    memcpy(out->classes, classes, n_present * sizeof *classes);
    return NEW(ctx, &out->weights, cairn_product(out->n_terms + 1, out->n_vectors));
}

cairn_status cairn_class_planes_read(cairn_context *ctx, cairn_class_planes *out,
                                     const cairn_job *job, const cairn_given *given, bool intercept)
{
    cairn_logistic_plan plan = {.schema = job->schema, .intercept = intercept};
    double *by_class;
    bool *named;
    CHECK(cairn_class_planes_classes(ctx, &plan.classes, &plan.n_present, job, true));
    CHECK(cairn_logistic_read_weights(ctx, given, job, &plan, &by_class, &named));
    CHECK(cairn_class_planes_new(ctx, out, job, plan.classes, plan.n_present, false, intercept));
    size_t width = out->n_terms + 1, nv = out->n_vectors;
    const double *last = by_class + (plan.n_present - 1) * width;
    for (size_t t = 0; t < width; t++)
        for (size_t k = 0; k < nv; k++)
            out->weights[t * nv + k] = by_class[k * width + t] - (out->pinned ? last[t] : 0);
    return CAIRN_OK;
}

cairn_status cairn_class_planes_check_finite(cairn_context *ctx, const cairn_class_planes *m,
                                             const cairn_view *view)
{
    cairn_matrix_wish wish = {.apart = true};
    cairn_row_matrix x;
    size_t i = 0, n = (m->n_terms + 1) * m->n_vectors;
    while (i < n && isfinite(m->weights[i])) i++;
    if (i == n) return CAIRN_OK;
    CHECK(cairn_matrix_open(ctx, &x, view, &wish));
    return cairn_matrix_refuse(ctx, &x,
                               "the weights are beyond all numbers; the largest number is %s: "
                               "rescale the columns");
}

/* -- scores -- */

/* Weight of term t for class k; the pinned class has none. */
static double weight_of(const cairn_class_planes *m, size_t t, size_t k)
{
    return k < m->n_vectors ? m->weights[t * m->n_vectors + k] : 0;
}

double cairn_class_planes_length(const cairn_class_planes *m, size_t k, size_t l)
{
    double most = 0, sum = 0;
    for (size_t t = 0; t < m->n_terms; t++)
        most = fmax(most, fabs(weight_of(m, t, k) - weight_of(m, t, l)));
    if (!(most > 0) || isinf(most)) return most;
    for (size_t t = 0; t < m->n_terms; t++) {
        double part = (weight_of(m, t, k) - weight_of(m, t, l)) / most;
        sum += part * part;
    }
    return most * sqrt(sum);
}

typedef struct answers {
    const cairn_class_planes *m;
    cairn_row_matrix x;
    double *scores, *distances; /* of all rows; NULL = not wanted */
    int32_t *codes;
    double *lengths; /* n_present x n_present */
    double zero;     /* scores up to here count as 0 */
    cairn_at_zero at_zero;
    const cairn_job *job; /* judging: whose target the rows have */
} answers;

/* Lengths between all pairs of classes; of two classes there is one. */
static cairn_status open_answers(cairn_context *ctx, answers *a, const cairn_class_planes *m,
                                 const cairn_view *view)
{
    cairn_matrix_wish wish = {.apart = true, .n_terms = m->n_terms, .scores = m->n_vectors};
    size_t n = m->n_present;
    double most = 0;
    a->m = m;
    wish.room = m->n_dense + m->n_present;
    CHECK(cairn_matrix_open(ctx, &a->x, view, &wish));
    if (a->x.n_dense != m->n_dense)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu number columns, the data %zu",
                          m->n_dense, a->x.n_dense);
    CHECK(SCRATCH_MATRIX(ctx, &a->lengths, n, n, "the distance of every pair of classes",
                         CAIRN_FEWER_CLASSES));
    for (size_t k = 0; k < n; k++) {
        if (k % 64 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t l = 0; l < k; l++)
            a->lengths[k * n + l] = a->lengths[l * n + k] = cairn_class_planes_length(m, k, l);
    }
    for (size_t i = 0; i < (m->n_terms + 1) * m->n_vectors; i++)
        most = fmax(most, fabs(m->weights[i]));
    a->zero = CAIRN_PLANE_TOLERANCE * most;
    return CAIRN_OK;
}

/* Scores beyond all numbers keep their order. */
static void bound_scores(const answers *a, size_t row, double *scores)
{
    const cairn_class_planes *m = a->m;
    double most = m->pinned ? 0 : -INFINITY;
    size_t nv = m->n_vectors;
    bool fine = true;
    for (size_t k = 0; k < nv; k++) fine = fine && isfinite(scores[k]);
    if (fine) return;
    cairn_matrix_small_scores(&a->x, row, m->weights, nv, scores);
    for (size_t k = 0; k < nv; k++) most = fmax(most, scores[k]);
    for (size_t k = 0; k < nv; k++)
        scores[k] = scores[k] < most ? -DBL_MAX : most > 0 ? DBL_MAX : 0;
}

/* The first largest of the scores of the classes, within rounding. */
static size_t best_class(const answers *a, const double *scores)
{
    const cairn_class_planes *m = a->m;
    size_t best = 0;
    for (size_t k = 1; k < m->n_present; k++) {
        double here = k < m->n_vectors ? scores[k] : 0;
        if (here > (best < m->n_vectors ? scores[best] : 0) + a->zero) best = k;
    }
    return best;
}

/* Code of a row: on the plane between two classes what was asked for. */
static int32_t code_of(const answers *a, const double *scores, size_t *best)
{
    const cairn_class_planes *m = a->m;
    *best = best_class(a, scores);
    if (m->n_present != 2 || !(fabs(scores[0]) <= a->zero)) return m->classes[*best];
    *best = a->at_zero == CAIRN_AT_ZERO_POSITIVE ? 0 : 1;
    if (a->at_zero == CAIRN_AT_ZERO_NEITHER) return -1;
    return a->at_zero == CAIRN_AT_ZERO_REJECT ? -2 : m->classes[*best];
}

/* From the nearest of the planes around the class; of two classes with the sign of the side.
 * Without a weight there is no plane: it is infinitely far away. */
static double distance_of(const answers *a, const double *scores, size_t best)
{
    const cairn_class_planes *m = a->m;
    size_t n = m->n_present;
    double least = INFINITY;
    if (n == 2 && !(a->lengths[1] > 0)) return scores[0] == 0 ? 0 : copysign(INFINITY, scores[0]);
    if (n == 2) return scores[0] / a->lengths[1];
    double top = best < m->n_vectors ? scores[best] : 0;
    for (size_t l = 0; l < n; l++) {
        double length = a->lengths[best * n + l];
        if (l == best || !(length > 0)) continue;
        least = fmin(least, (top - (l < m->n_vectors ? scores[l] : 0)) / length);
    }
    return least;
}

/* Scores of all classes; of two they are opposite numbers, and a class that no row had gets the
 * smallest. */
static void put_scores(const cairn_class_planes *m, const double *scores, double *out)
{
    double least = INFINITY;
    if (m->n_present == 2) {
        out[m->classes[0]] = scores[0];
        out[m->classes[1]] = -scores[0];
        least = -fabs(scores[0]);
    }
    for (size_t k = 0; m->n_present > 2 && k < m->n_present; k++) {
        out[m->classes[k]] = k < m->n_vectors ? scores[k] : 0;
        least = fmin(least, out[m->classes[k]]);
    }
    for (size_t c = 0; m->n_present < m->n_classes && c < m->n_classes; c++) {
        bool there = false;
        for (size_t k = 0; k < m->n_present; k++) there = there || (size_t)m->classes[k] == c;
        if (!there) out[c] = least;
    }
}

static void answer_piece(void *data, const cairn_piece *piece, double *sums)
{
    const answers *a = data;
    size_t nv = a->m->n_vectors, best;
    (void)sums;
    cairn_matrix_scores(&a->x, piece, a->m->weights, nv);
    for (size_t i = 0; i < piece->n; i++) {
        double *scores = piece->room + i * nv;
        size_t row = piece->first + i;
        bound_scores(a, row, scores);
        int32_t code = code_of(a, scores, &best);
        if (a->codes) a->codes[row] = code;
        if (a->distances) a->distances[row] = distance_of(a, scores, best);
        if (a->scores) put_scores(a->m, scores, a->scores + row * a->m->n_classes);
    }
}

cairn_status cairn_class_planes_answer(cairn_context *ctx, cairn_prediction *out,
                                       const cairn_class_planes *m, const cairn_view *view,
                                       cairn_at_zero at_zero)
{
    answers a = {.scores = out->scores, .codes = out->codes, .at_zero = at_zero};
    cairn_row_sum sum = {.piece = answer_piece, .unread = true, .data = &a};
    if (!out->scores && !out->codes && !out->extra) return CAIRN_OK;
    CHECK(open_answers(ctx, &a, m, view));
    if (out->extra) CHECK(SCRATCH(ctx, &a.distances, view->rows.n + 1));
    CHECK(cairn_matrix_sum(ctx, &a.x, &sum, NULL));
    out->codes_set = out->codes != NULL;
    if (out->extra) CHECK(cairn_table_put_numbers(ctx, out->extra, "distance", a.distances));
    return CAIRN_OK;
}

cairn_status cairn_class_planes_add_distance(cairn_context *ctx, cairn_table *extra,
                                             const cairn_class_planes *m, const cairn_view *view)
{
    cairn_prediction only = {.n_rows = view->rows.n, .n_classes = m->n_classes, .extra = extra};
    return cairn_class_planes_answer(ctx, &only, m, view, CAIRN_AT_ZERO_NEGATIVE);
}

cairn_status cairn_class_planes_predict(cairn_context *ctx, cairn_prediction *out,
                                        const void *model, const cairn_job *job)
{
    const cairn_class_planes_params *p = job->params;
    return cairn_class_planes_answer(ctx, out, model, job->view, (cairn_at_zero)p->at_zero);
}

/* -- judging -- */

enum { AT_WEIGHT, AT_RIGHT, AT_CLASSES }; /* then weight and distances of each class */

static void judge_piece(void *data, const cairn_piece *piece, double *sums)
{
    const answers *a = data;
    const cairn_class_planes *m = a->m;
    const cairn_view *view = a->x.view;
    size_t best;
    cairn_matrix_scores(&a->x, piece, m->weights, m->n_vectors);
    for (size_t i = 0; i < piece->n; i++) {
        double *scores = piece->room + i * m->n_vectors,
               w = cairn_view_weight(view, piece->first + i);
        int32_t actual = view->target->codes[cairn_view_row(view, piece->first + i)];
        if (!(w > 0)) continue;
        bound_scores(a, piece->first + i, scores);
        bool right = code_of(a, scores, &best) == actual;
        double distance = distance_of(a, scores, best);
        if (m->n_present > 2 && !right) distance = -distance;
        sums[AT_WEIGHT] += w;
        sums[AT_RIGHT] += right ? w : 0;
        for (size_t k = 0; k < m->n_present; k++) {
            if (m->classes[k] != actual) continue;
            sums[AT_CLASSES + 2 * k] += w;
            sums[AT_CLASSES + 2 * k + 1] += w * distance;
        }
    }
}

cairn_status cairn_class_planes_judge(cairn_context *ctx, cairn_class_planes_tally *out,
                                      const cairn_class_planes *m, const cairn_job *job,
                                      cairn_at_zero at_zero)
{
    SCOPED_SCRATCH(ctx);
    answers a = {.at_zero = at_zero, .job = job};
    cairn_row_sum sum = {.piece = judge_piece, .unread = true, .data = &a};
    double *sums;
    sum.size = AT_CLASSES + 2 * m->n_present;
    CHECK(SCRATCH(ctx, &sums, sum.size));
    CHECK(open_answers(ctx, &a, m, job->view));
    CHECK(cairn_matrix_sum(ctx, &a.x, &sum, sums));
    CHECK(NEW(ctx, &out->distances, m->n_present));
    out->accuracy = sums[AT_RIGHT] / sums[AT_WEIGHT];
    for (size_t k = 0; k < m->n_present; k++)
        out->distances[k] = sums[AT_CLASSES + 2 * k + 1] / sums[AT_CLASSES + 2 * k];
    return CAIRN_OK;
}

cairn_status cairn_class_planes_tally_archive(cairn_archive *a, cairn_class_planes_tally *tally,
                                              const cairn_class_planes *m)
{
    CHECK(cairn_archive_real(a, "accuracy", &tally->accuracy));
    return cairn_archive_reals(a, "distances", &tally->distances, m->n_present);
}

/* -- keeping -- */

cairn_status cairn_class_planes_archive_classes(cairn_archive *a, cairn_class_planes *m)
{
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_present", &m->n_present, m->n_classes));
    CHECK(cairn_archive_bool(a, "pinned", &m->pinned));
    if (m->n_present < 2) CHECK(cairn_archive_damaged(a, "there are fewer than two classes"));
    m->n_vectors = m->n_present - (m->pinned ? 1 : 0);
    CHECK(cairn_archive_ints(a, "classes", &m->classes, m->n_present));
    for (size_t k = 0; k < m->n_present; k++)
        if (m->classes[k] < 0 || (size_t)m->classes[k] >= m->n_classes)
            CHECK(cairn_archive_damaged(a, "class %d is not a class", m->classes[k]));
    return CAIRN_OK;
}

cairn_status cairn_class_planes_archive_weights(cairn_archive *a, cairn_class_planes *m)
{
    CHECK(cairn_archive_size(a, "n_dense", &m->n_dense, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_terms", &m->n_terms, UINT32_MAX));
    if (m->n_dense > m->n_terms) CHECK(cairn_archive_damaged(a, "there are too few terms"));
    CHECK(cairn_archive_bool(a, "intercept", &m->intercept));
    return cairn_archive_reals(a, "weights", &m->weights,
                               cairn_product(m->n_terms + 1, m->n_vectors));
}

cairn_status cairn_class_planes_archive(cairn_archive *a, void *model)
{
    CHECK(cairn_class_planes_archive_classes(a, model));
    return cairn_class_planes_archive_weights(a, model);
}

cairn_status cairn_class_planes_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_class_planes *m = model;
    size_t n_dense, n_terms;
    cairn_terms_count(job->schema, &n_dense, &n_terms);
    if (n_dense != m->n_dense || n_terms != m->n_terms)
        return cairn_archive_damaged(a, "the learner has %zu terms, the schema %zu", m->n_terms,
                                     n_terms);
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    return CAIRN_OK;
}

void cairn_class_planes_clear(void *model)
{
    cairn_class_planes *m = model;
    cairn_free(m->classes);
    cairn_free(m->weights);
    *m = (cairn_class_planes){0};
}

cairn_model_size cairn_class_planes_size(const void *model)
{
    const cairn_class_planes *m = model;
    double each = (double)m->n_terms + (m->intercept ? 1 : 0);
    return (cairn_model_size){.parameters = each * (double)m->n_vectors};
}

/* -- as a program -- */

cairn_status cairn_class_planes_lower_scores(const cairn_class_planes *m, cairn_program *p,
                                             int32_t *out)
{
    size_t n, nv = m->n_vectors;
    double *weights;
    int32_t *in;
    CHECK(cairn_program_terms(p, &in, &n));
    if (n != m->n_terms)
        return cairn_program_refuse(p, "its columns are not those it has weights for");
    CHECK(SCRATCH(p->ctx, &weights, cairn_product(n, nv) + 1));
    for (size_t k = 0; k < nv; k++)
        for (size_t t = 0; t < n; t++) weights[k * n + t] = m->weights[t * nv + k];
    CHECK(cairn_lower_affine(p, in, n, nv, m->weights + m->n_terms * nv, weights, NULL, out));
    p->ops[p->n_ops - 1]->fused = (int32_t)m->n_dense;
    return CAIRN_OK;
}

/* The class of one score by its sign, with what was asked for where it is 0. */
static cairn_status lower_side(const cairn_class_planes *m, cairn_program *p, int32_t score,
                               cairn_at_zero at_zero, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    double most = 0, zero, negative = m->classes[1];
    for (size_t i = 0; i <= m->n_terms; i++) most = fmax(most, fabs(m->weights[i]));
    zero = CAIRN_PLANE_TOLERANCE * most;
    double between = at_zero == CAIRN_AT_ZERO_POSITIVE  ? m->classes[0]
                     : at_zero == CAIRN_AT_ZERO_REJECT  ? -2
                     : at_zero == CAIRN_AT_ZERO_NEITHER ? -1
                                                        : negative;
    cairn_computing_slot(&c, score);
    cairn_computing_number(&c, zero);
    cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    cairn_computing_number(&c, m->classes[0]);
    cairn_computing_slot(&c, score);
    cairn_computing_number(&c, -zero);
    cairn_computing_do(&c, CAIRN_DO_LESS, 2);
    cairn_computing_number(&c, negative);
    cairn_computing_number(&c, between);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, out);
}

cairn_status cairn_class_planes_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_class_planes *m = model;
    const cairn_class_planes_params *p = job->params;
    int32_t first = 0, *in;
    double *rows, *constants;
    size_t nv = m->n_vectors;
    if (m->n_present != m->n_classes)
        return cairn_program_refuse(out, "some class had no training row");
    CHECK(cairn_class_planes_lower_scores(m, out, &first));
    if (m->n_present == 2)
        CHECK(lower_side(m, out, first, (cairn_at_zero)p->at_zero, &out->answer.code));
    CHECK(SCRATCH(out->ctx, &in, nv + 1));
    CHECK(SCRATCH(out->ctx, &constants, m->n_present + 1));
    CHECK(SCRATCH(out->ctx, &rows, cairn_product(m->n_present, nv) + 1));
    for (size_t k = 0; k < nv; k++) {
        in[k] = first + (int32_t)k;
        rows[(size_t)m->classes[k] * nv + k] = 1;
    }
    if (m->n_present == 2) rows[(size_t)m->classes[1]] = -1;
    return cairn_lower_affine(out, in, nv, m->n_present, constants, rows, NULL,
                              &out->answer.scores);
}
