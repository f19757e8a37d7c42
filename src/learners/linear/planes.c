/* SPDX-License-Identifier: MIT */
/* Classes by linear scores: made, used, kept. */
#include "base/memory.h"
#include "base/need.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/logistic_forms.h"
#include "learners/linear/planes.h"
#include "learners/linear/weights.h"
#include "model/explain.h"
#include "report/table_rows.h"
#include "transforms/computing.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Classes by linear scores: equations, coefficients, where the rows lie, and the items of a sum. */

enum { EQUATION_TERMS = 20, TABLE_ROWS = 2000, MOST_EQUATIONS = 26 };

const char *cairn_class_planes_class(const cairn_class_planes *m, const cairn_job *job, size_t k)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    if (target < 0) return "?";
    return cairn_map_key(&job->schema->fields[target].names, (size_t)m->classes[k]);
}

/* "score(yes) = 2·x1 − x2 − 3", or the boundary "2·x1 − x2 − 3 = 0". */
static void show_equation(cairn_report *out, const cairn_class_planes *m, const char *const *names,
                          const char *class, size_t k)
{
    size_t nv = m->n_vectors;
    double constant = m->weights[m->n_terms * nv + k];
    bool any = false;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    if (class) cairn_text_addf(&text, "score(%s) = ", class);
    for (size_t t = 0; t < m->n_terms && t < EQUATION_TERMS; t++)
        cairn_add_term(&text, &any, m->weights[t * nv + k], names[t], true);
    if (m->n_terms > EQUATION_TERMS) cairn_text_add(&text, " + …");
    if (m->intercept || !any) cairn_add_term(&text, &any, constant, NULL, false);
    if (!class) cairn_text_add(&text, " = 0");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    if (!class) cairn_report_hidden_word(out, cairn_text_string(&text), "equation");
    cairn_text_clear(&text);
}

/* A column of weights for every class, or one for the plane between two. */
static void show_coefficients(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                              const char *const *names)
{
    size_t nv = m->n_vectors;
    bool two = m->n_present == 2;
    double length = two ? cairn_class_planes_length(m, 0, 1) : NAN;
    cairn_report_table_of(out, "Coefficients", TABLE_ROWS, "l", "term");
    for (size_t k = 0; k < nv; k++)
        cairn_report_column(out, two ? "weight" : cairn_class_planes_class(m, job, k), 'r');
    if (two) cairn_report_column(out, "of length 1", 'r');
    for (size_t i = m->intercept ? 0 : 1; i <= m->n_terms; i++) {
        size_t t = i ? i - 1 : m->n_terms;
        const char *key = i ? cairn_term_key(out, names[t]) : "intercept";
        cairn_report_cell(out, i ? names[t] : "intercept");
        for (size_t k = 0; k < nv; k++) {
            double w = m->weights[t * nv + k];
            if (two)
                cairn_report_cell_number(out, w, 6, "coefficient.%s", key);
            else
                cairn_report_cell_number(out, w, 6, "coefficient.%s.%s",
                                         cairn_report_key(out, cairn_class_planes_class(m, job, k)),
                                         key);
        }
        if (two)
            cairn_report_cell_number(out, length > 0 ? m->weights[t] / length : NAN, 6, "unit.%s",
                                     key);
    }
    cairn_report_table_end(out);
}

void cairn_class_planes_show_place(cairn_report *out, const cairn_class_planes *m)
{
    double length = cairn_class_planes_length(m, 0, 1), constant = m->weights[m->n_terms];
    cairn_report_value(out, "length ‖w‖", length, "length");
    cairn_report_value(out, "distance of the boundary from the origin, t/‖w‖",
                       length > 0 ? -constant / length + 0.0 : NAN, "origin_distance");
}

/* What the plane between two classes is like: its side, its length, where it lies. */
static void show_plane(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                       cairn_plane_side side)
{
    double constant = m->weights[m->n_terms];
    cairn_report_word(out, "positive side", cairn_class_planes_class(m, job, 0), "positive");
    if (m->intercept && side == CAIRN_PLANE_PLUS)
        cairn_report_value(out, "constant w0", constant, "w0");
    else if (m->intercept)
        cairn_report_value(out, "threshold t", -constant + 0.0, "threshold");
    cairn_class_planes_show_place(out, m);
}

static void show_tally(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                       const cairn_class_planes_tally *tally)
{
    cairn_report_value(out, "training accuracy", tally->accuracy, "training.accuracy");
    cairn_report_table_of(out, "Mean distance from the boundary", 0, "lr", "class",
                          m->n_present == 2 ? "signed distance" : "distance, wrong side negative");
    for (size_t k = 0; k < m->n_present; k++) {
        const char *name = cairn_class_planes_class(m, job, k);
        cairn_report_cells(out, "- distance.$1:6", name, tally->distances[k]);
    }
    cairn_report_table_end(out);
}

void cairn_class_planes_show(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                             cairn_plane_side side, const cairn_class_planes_tally *tally)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    if (m->n_present == 2) show_equation(out, m, names, NULL, 0);
    for (size_t k = 0; m->n_present > 2 && k < m->n_vectors && k < MOST_EQUATIONS; k++)
        show_equation(out, m, names, cairn_class_planes_class(m, job, k), k);
    if (m->n_present == 2) show_plane(out, m, job, side);
    show_coefficients(out, m, job, names);
    cairn_class_planes_show_raw(out, m, job);
    if (tally) show_tally(out, m, job, tally);
    cairn_scratch_release(ctx, mark);
}

/* -- explaining -- */

/* The list of what adds to the score: of two classes in favour of the positive one, whose threshold
 * the sum is compared with; of more, of the best class against the next. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_class_planes *m,
                                const cairn_job *job, size_t row)
{
    SCOPED_SCRATCH(ctx);
    size_t best = 0, next = 1, nv = m->n_vectors;
    double *weights, *x;
    cairn_row_matrix rows;
    CHECK(SCRATCH_EACH(ctx, m->n_terms + 1, &weights, &x));
    CHECK(cairn_matrix_open(ctx, &rows, job->view, &(cairn_matrix_options){.n_terms = m->n_terms}));
    cairn_matrix_rows(&rows, row, 1, x);
    if (m->n_present > 2) {
        /* The two classes with the largest scores of a row. */
        double first = -INFINITY, second = -INFINITY;
        best = 0;
        next = 1;
        for (size_t k = 0; k < m->n_present; k++) {
            double score = 0;
            for (size_t t = 0; k < m->n_vectors && t <= m->n_terms; t++)
                score += (t < m->n_terms ? x[t] : 1) * m->weights[t * m->n_vectors + k];
            if (score > first) {
                second = first;
                next = best;
                first = score;
                best = k;
            } else if (score > second) {
                second = score;
                next = k;
            }
        }
    }
    for (size_t t = 0; t <= m->n_terms; t++)
        weights[t] = (best < nv ? m->weights[t * nv + best] : 0) -
                     (next < nv ? m->weights[t * nv + next] : 0);
    cairn_report_paragraph(
        out, "What speaks for '%s' and against '%s':", cairn_class_planes_class(m, job, best),
        cairn_class_planes_class(m, job, next));
    cairn_linear_explain_row(out, job, row, weights, weights[m->n_terms], m->n_terms);
    double sum = weights[m->n_terms], length = cairn_class_planes_length(m, best, next);
    for (size_t t = 0; t < m->n_terms; t++) sum += weights[t] * x[t];
    if (m->n_present == 2) {
        cairn_report_value(out, "points", sum - weights[m->n_terms], "points");
        cairn_report_value(out, "threshold t", -weights[m->n_terms] + 0.0, "threshold");
    }
    cairn_report_value(out, "distance from the boundary", length > 0 ? sum / length : NAN,
                       "distance");
    return CAIRN_OK;
}

void cairn_class_planes_explain(cairn_report *out, const void *model, const cairn_job *job,
                                size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}

/* Of one score its terms alone name the values, as those beside it. */
void cairn_class_planes_show_raw(cairn_report *out, const cairn_class_planes *m,
                                 const cairn_job *job)
{
    enum { MOST = 1000 };
    if (m->n_terms > MOST / m->n_vectors) return;
    for (size_t k = 0; k < m->n_vectors; k++)
        cairn_coefficients_show_raw(
            out, job,
            &(cairn_coefficients){.class =
                                      m->n_vectors > 1 ? cairn_class_planes_class(m, job, k) : NULL,
                                  .n_terms = m->n_terms,
                                  .weights = m->weights + k,
                                  .stride = m->n_vectors,
                                  .intercept = m->intercept,
                                  .linked = true});
}

void cairn_class_planes_write(cairn_ledger *out, const cairn_class_planes *m, const cairn_job *job,
                              const double *errors)
{
    cairn_coefficients_begin(out);
    for (size_t k = 0; k < m->n_vectors; k++)
        cairn_coefficients_write(out, job,
                                 &(cairn_coefficients){.class = cairn_class_planes_class(m, job, k),
                                                       .n_terms = m->n_terms,
                                                       .weights = m->weights + k,
                                                       .stride = m->n_vectors,
                                                       .intercept = m->intercept,
                                                       .errors = errors ? errors + k : NULL,
                                                       .df = INFINITY});
}

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    cairn_class_planes_write(out, model, job, NULL);
}

const cairn_learned cairn_class_planes_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                                   CAIRN_LEARNED_END};

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
    CHECK(SCRATCH_EACH(ctx, job->n_classes + 1, &weights, &classes));
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
    cairn_matrix_options options = {.apart = true};
    cairn_row_matrix x;
    size_t i = 0, n = (m->n_terms + 1) * m->n_vectors;
    while (i < n && isfinite(m->weights[i])) i++;
    if (i == n) return CAIRN_OK;
    CHECK(cairn_matrix_open(ctx, &x, view, &options));
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
    cairn_matrix_options options = {.apart = true, .n_terms = m->n_terms, .scores = m->n_vectors};
    size_t n = m->n_present;
    double most = 0;
    a->m = m;
    options.buffer = m->n_dense + m->n_present;
    CHECK(cairn_matrix_open(ctx, &a->x, view, &options));
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
        double *scores = piece->buffer + i * nv;
        size_t row = piece->first + i;
        bound_scores(a, row, scores);
        int32_t code = code_of(a, scores, &best);
        if (a->codes) a->codes[row] = code;
        if (a->distances) a->distances[row] = distance_of(a, scores, best);
        if (a->scores) put_scores(a->m, scores, a->scores + row * a->m->n_classes);
    }
}

/* Scores, codes and distances, where they are wanted. */
static cairn_status cairn_class_planes_answer(cairn_context *ctx, cairn_prediction *out,
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

/* With more than two classes the distance of a wrong row counts as negative; rows of weight 0 do
 * not count at all. */
static void judge_piece(void *data, const cairn_piece *piece, double *sums)
{
    const answers *a = data;
    const cairn_class_planes *m = a->m;
    const cairn_view *view = a->x.view;
    size_t best;
    cairn_matrix_scores(&a->x, piece, m->weights, m->n_vectors);
    for (size_t i = 0; i < piece->n; i++) {
        double *scores = piece->buffer + i * m->n_vectors,
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
    FREE_EACH(m->classes, m->weights);
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
