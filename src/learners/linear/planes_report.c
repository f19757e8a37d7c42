/* SPDX-License-Identifier: MIT */
/* Classes by linear scores: equations, coefficients, where the rows lie, and the items of a sum. */
#include "base/memory.h"
#include "learners/linear/planes.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/weights.h"
#include "model/explain.h"
#include <math.h>

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
    cairn_report_table_begin(out, "Coefficients", TABLE_ROWS);
    cairn_report_column(out, "term", 'l');
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

/* What the plane between two classes is like: its side, its length, where it lies. */
static void show_plane(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                       cairn_plane_side side)
{
    double length = cairn_class_planes_length(m, 0, 1), constant = m->weights[m->n_terms];
    cairn_report_word(out, "positive side", cairn_class_planes_class(m, job, 0), "positive");
    if (m->intercept && side == CAIRN_PLANE_PLUS)
        cairn_report_value(out, "constant w0", constant, "w0");
    else if (m->intercept)
        cairn_report_value(out, "threshold t", -constant + 0.0, "threshold");
    cairn_report_value(out, "length ‖w‖", length, "length");
    cairn_report_value(out, "distance of the boundary from the origin, t/‖w‖",
                       length > 0 ? -constant / length + 0.0 : NAN, "origin_distance");
}

static void show_tally(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                       const cairn_class_planes_tally *tally)
{
    cairn_report_value(out, "training accuracy", tally->accuracy, "training.accuracy");
    cairn_report_table_of(out, "Mean distance from the boundary", 0, "lr", "class",
                          m->n_present == 2 ? "signed distance" : "distance, wrong side negative");
    for (size_t k = 0; k < m->n_present; k++) {
        const char *name = cairn_class_planes_class(m, job, k);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, tally->distances[k], 6, "distance.%s",
                                 cairn_report_key(out, name));
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

/* The two classes with the largest scores of a row. */
static void best_two(const cairn_class_planes *m, const double *x, size_t *best, size_t *next)
{
    double first = -INFINITY, second = -INFINITY;
    *best = 0;
    *next = 1;
    for (size_t k = 0; k < m->n_present; k++) {
        double score = 0;
        for (size_t t = 0; k < m->n_vectors && t <= m->n_terms; t++)
            score += (t < m->n_terms ? x[t] : 1) * m->weights[t * m->n_vectors + k];
        if (score > first) {
            second = first;
            *next = *best;
            first = score;
            *best = k;
        } else if (score > second) {
            second = score;
            *next = k;
        }
    }
}

/* The list of what adds to the score: of two classes in favour of the positive one, whose threshold
 * the sum is compared with; of more, of the best class against the next. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_class_planes *m,
                                const cairn_job *job, size_t row)
{
    SCOPED_SCRATCH(ctx);
    size_t best = 0, next = 1, nv = m->n_vectors;
    double *weights, *x;
    cairn_row_matrix rows;
    CHECK(SCRATCH(ctx, &weights, m->n_terms + 1));
    CHECK(SCRATCH(ctx, &x, m->n_terms + 1));
    CHECK(cairn_matrix_open(ctx, &rows, job->view, &(cairn_matrix_wish){.n_terms = m->n_terms}));
    cairn_matrix_rows(&rows, row, 1, x);
    if (m->n_present > 2) best_two(m, x, &best, &next);
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
