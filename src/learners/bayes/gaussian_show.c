/* SPDX-License-Identifier: MIT */
/* What a model of normal classes says of itself: classes, means, covariances, the boundary as an
 * equation; and why a row gets its class. */
#include "learners/bayes/gaussian.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "draw/contour.h"
#include "learners/linear/class_metric.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include "stats/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- gaussian_show.c -- */
/* Where class a is as probable as class b: x'Qx + L·x + c = 0, positive where a is more
 * probable. */
typedef struct gaussian_boundary {
    size_t a, b;
    double *quadratic; /* n_columns x n_columns: Q */
    double *linear;    /* n_columns: L */
    double constant;
    bool is_linear;
    const char *kind; /* "line", "hyperbola" ... */
    size_t n_roots;   /* one column: the points where it changes sides, rising */
    double roots[2];
} gaussian_boundary;

/* Where two classes are equally probable. With A = Σ⁻¹ the logarithm of prior times density of a
 * class is x'(−A/2)x + (Aμ)·x + constant; the boundary is where those of two classes are equal. */

#define FLAT     1e-10 /* a curvature, in deviations of the columns, that counts as none */
#define ROUNDING 1e-15 /* what is left of a sum by it, beside its terms */

/* The two classes that occur, the positive one (else the second) first; false when there are not
 * two. */
static bool gaussian_two(const cairn_gaussian_model *m, const cairn_job *job, size_t *a, size_t *b)
{
    size_t n = 0, found[2] = {0};
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        if (n < 2) found[n] = c;
        n++;
    }
    if (n != 2) return false;
    bool first = job->positive >= 0 && (size_t)job->positive == found[0];
    *a = found[!first];
    *b = found[first];
    return true;
}

/* -- kinds -- */

/* Roots of q t² + l t + c, rising, where it changes its sign. */
static size_t roots_of(double q, double l, double c, double out[2])
{
    if (q == 0) {
        if (l == 0) return 0;
        out[0] = -c / l;
        return 1;
    }
    double inside = l * l - 4 * q * c;
    if (!(inside > 0)) return 0;
    double s = -(l + copysign(sqrt(inside), l)) / 2;
    double t = s / q, u = c / s;
    out[0] = fmin(t, u);
    out[1] = fmax(t, u);
    return 2;
}

/* Kind of the conic ax² + 2bxy + dy² + ex + fy + c = 0 in columns of about the same size. */
static const char *conic(double a, double b, double d, double e, double f, double c)
{
    double size = fmax(fmax(fabs(a), fabs(d)), fabs(b)), det = a * d - b * b;
    double least = FLAT * size;
    if (fabs(det) > least * size) { /* the value at the centre decides */
        double x = (b * f - d * e) / det / 2, y = (b * e - a * f) / det / 2;
        double at = c + (e * x + f * y) / 2, none = 1e-9 * (fabs(c) + fabs(e * x) + fabs(f * y));
        if (det < 0) return fabs(at) <= none ? "two crossing lines" : "hyperbola";
        if (fabs(at) <= none) return "one point";
        if ((at > 0) == (a > 0)) return "nowhere: one class is more probable everywhere";
        return fabs(a - d) <= least && fabs(b) <= least ? "circle" : "ellipse";
    }
    /* one curvature is 0: along its direction (u, v) the form is linear */
    double u = fabs(a) > fabs(d) ? -b : d, v = fabs(a) > fabs(d) ? a : -b;
    if (fabs(e * u + f * v) > 1e-9 * (fabs(e * u) + fabs(f * v))) return "parabola";
    double along = fabs(a) > fabs(d) ? e : f, square = fabs(a) > fabs(d) ? a : d;
    double inside = along * along - 4 * square * c;
    return inside > 0 ? "two parallel lines" : "nowhere: one class is more probable everywhere";
}

/* What the boundary of two classes is called; conics are judged in units of the spreads, so that
 * the scales of the columns do not decide. */
static const char *kind_of(const gaussian_boundary *b, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    bool flat = true;
    for (size_t j = 0; j < p; j++) flat &= b->linear[j] == 0;
    if (b->is_linear && flat) return "nowhere: one class is more probable everywhere";
    if (p == 2) {
        double s = sqrt(cairn_gaussian_entry(m, b->a, 0, 0) + cairn_gaussian_entry(m, b->b, 0, 0));
        double t = sqrt(cairn_gaussian_entry(m, b->a, 1, 1) + cairn_gaussian_entry(m, b->b, 1, 1));
        if (b->is_linear) return "line";
        const char *kind =
            conic(b->quadratic[0] * s * s, b->quadratic[1] * s * t, b->quadratic[3] * t * t,
                  b->linear[0] * s, b->linear[1] * t, b->constant);
        bool round = fabs(b->quadratic[0] - b->quadratic[3]) <= FLAT * fabs(b->quadratic[0]) &&
                     fabs(b->quadratic[1]) <= FLAT * fabs(b->quadratic[0]);
        if (kind[0] == 'e' || kind[0] == 'c') return round ? "circle" : "ellipse";
        return kind;
    }
    if (b->is_linear) return p == 3 ? "plane" : "hyperplane";
    return "quadratic surface";
}

/* Whether no element of Q, measured in deviations, is more than rounding. */
static bool is_flat(const gaussian_boundary *b, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) {
            double s = cairn_gaussian_entry(m, b->a, i, i), t = cairn_gaussian_entry(m, b->a, j, j);
            if (fabs(b->quadratic[i * p + j]) * sqrt(s * t) > FLAT) return false;
        }
    return true;
}

/* Scratch. Both classes must occur. */
static cairn_status boundary_of(cairn_context *ctx, gaussian_boundary *out,
                                const cairn_gaussian_model *m, size_t a, size_t b)
{
    size_t p = m->n_columns;
    double *first, *second;
    *out = (gaussian_boundary){.a = a, .b = b};
    CHECK(SCRATCH_EACH(ctx, cairn_product(p, p) + 1, &first, &second, &out->quadratic));
    CHECK(SCRATCH(ctx, &out->linear, p + 1));
    cairn_gaussian_inverse(m, a, first);
    cairn_gaussian_inverse(m, b, second);
    out->constant = m->log_bases[a] - m->log_bases[b];
    for (size_t i = 0; i < p; i++) {
        double size = 0;
        for (size_t j = 0; j < p; j++) {
            double mine = first[i * p + j] * m->means[a * p + j];
            double other = second[i * p + j] * m->means[b * p + j];
            out->quadratic[i * p + j] = (second[i * p + j] - first[i * p + j]) / 2;
            out->linear[i] += mine - other;
            out->constant -= (m->means[a * p + i] * mine - m->means[b * p + i] * other) / 2;
            size += fabs(mine) + fabs(other);
        }
        if (fabs(out->linear[i]) <= ROUNDING * size) out->linear[i] = 0;
    }
    out->is_linear = m->n_factors == 1 || is_flat(out, m);
    if (p == 1) {
        /* One column: in t = x − mean of class b, where little is lost to large means. */
        double mean = m->means[out->b], q = out->is_linear ? 0 : out->quadratic[0];
        double apart = m->means[out->a] - mean, va = cairn_gaussian_entry(m, out->a, 0, 0);
        if (m->constant[0]) va = 1;
        double l = apart / va,
               c = m->log_bases[out->a] - m->log_bases[out->b] - apart * apart / va / 2;
        out->n_roots = roots_of(q, l, c, out->roots);
        for (size_t i = 0; i < out->n_roots; i++) out->roots[i] += mean;
        out->kind = out->n_roots == 2   ? "two points"
                    : out->n_roots == 1 ? "one point"
                                        : "nowhere: one class is more probable everywhere";
    } else
        out->kind = kind_of(out, m);
    return CAIRN_OK;
}

enum { SHOWN_TERMS = 12, SHOWN_CLASSES = 10, SHOWN_PAIRS = 6, MOST_TERMS = 200 };

static const char *class_key(cairn_report *out, const cairn_job *job, size_t c)
{
    return cairn_report_key(out, cairn_bayes_class(job->schema, c));
}

/* Tables that steps and description share. */
static void show_classes(cairn_report *out, const cairn_gaussian_model *m, const cairn_job *job)
{
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    const char *const *names;
    cairn_status status = cairn_term_names(cairn_report_context(out), &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    bool typed = cairn_gaussian_is_typed(m);
    cairn_report_table_of(out, "Classes and their means", 200, "l", "class");
    if (!typed) cairn_report_column(out, "rows", 'r');
    cairn_report_column(out, "prior", 'r');
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = class_key(out, job, c);
        bool there = m->totals[c] > 0;
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        if (!typed) cairn_report_cell_number(out, m->totals[c], 0, "rows.%s", key);
        cairn_report_hidden(out, m->log_prior[c], "log_prior.%s", key);
        cairn_report_cell_number(out, cairn_exp(m->log_prior[c]), 0, "prior.%s", key);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, there ? m->means[c * p + j] : NAN, 6, "mean.%s.%s", key,
                                     cairn_term_key(out, names[j]));
    }
    cairn_report_table_end(out);
}

/* -- covariances -- */

/* Covariances in force, "covariance.TERM.TERM" or "covariance.CLASS.TERM.TERM". */
static cairn_status gaussian_show_covariances(cairn_report *out, const cairn_gaussian_model *m,
                                              const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t p = m->n_columns;
    const char *const *names;
    char title[200], key[200];
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    if (m->diagonal) {
        /* Variances of the classes, a row for each. */
        size_t shown = m->n_columns < SHOWN_TERMS ? m->n_columns : SHOWN_TERMS;
        cairn_report_table_of(out, "Variances of the classes", 200, "l", "class");
        for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
        for (size_t c = 0; c < m->n_classes; c++) {
            if (!(m->totals[c] > 0)) continue;
            cairn_report_cell(out, cairn_bayes_class(job->schema, c));
            for (size_t j = 0; j < shown; j++)
                cairn_report_cell_number(out, cairn_gaussian_entry(m, c, j, j), 6, "variance.%s.%s",
                                         class_key(out, job, c), cairn_term_key(out, names[j]));
        }
        cairn_report_table_end(out);
        return CAIRN_OK;
    }
    for (size_t f = 0; f < m->n_factors && f < SHOWN_CLASSES; f++) {
        bool one = m->n_factors == 1;
        if (!one && !(m->totals[f] > 0)) continue;
        snprintf(title, sizeof title, one ? "Shared covariance Σ" : "Covariance of %s",
                 cairn_bayes_class(job->schema, f));
        snprintf(key, sizeof key, one ? "covariance" : "covariance.%s", class_key(out, job, f));
        cairn_show_term_matrix(out, title, key, m->covariance_of + f * p * p, p, names);
    }
    if (p > SHOWN_TERMS)
        cairn_report_paragraph(out, "The first %d of %zu columns are shown.", SHOWN_TERMS, p);
    return CAIRN_OK;
}

/* -- boundaries -- */

/* "x² + 2·x·y − 3·x + 1 = 0" with the numbers of the boundary. */
static cairn_status write_equation(cairn_report *out, const cairn_gaussian_model *m,
                                   const gaussian_boundary *b, const char *const *names)
{
    size_t p = m->n_columns;
    bool any = false;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; !b->is_linear && i < p; i++)
        for (size_t j = i; j < p; j++) {
            double q = b->quadratic[i * p + j] * (i == j ? 1 : 2);
            SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
            if (i == j)
                cairn_text_addf(&name, "%s²", names[i]);
            else
                cairn_text_addf(&name, "%s·%s", names[i], names[j]);
            CHECK(cairn_text_status(&name));
            if (q != 0) cairn_add_term(&text, &any, q, cairn_text_string(&name), true);
        }
    for (size_t j = 0; j < p; j++)
        if (b->linear[j] != 0) cairn_add_term(&text, &any, b->linear[j], names[j], true);
    if (b->constant != 0 || !any) cairn_add_term(&text, &any, b->constant, NULL, false);
    CHECK(cairn_text_status(&text));
    cairn_report_formula(out, "%s = 0", cairn_text_string(&text));
    return CAIRN_OK;
}

/* Where class a lies, in one column. */
static void say_region(cairn_report *out, const gaussian_boundary *b, const cairn_job *job,
                       const char *key)
{
    const char *a = cairn_bayes_class(job->schema, b->a),
               *other = cairn_bayes_class(job->schema, b->b);
    bool inside = b->quadratic[0] < 0;
    for (size_t i = 0; i < b->n_roots; i++) {
        char label[40];
        snprintf(label, sizeof label, b->n_roots == 1 ? "threshold" : "threshold %zu", i + 1);
        cairn_report_value(out, label, b->roots[i], "%s.root%zu", key, i + 1);
    }
    cairn_report_hidden(out, (double)b->n_roots, "%s.roots", key);
    if (b->n_roots == 2)
        cairn_report_paragraph(out, "%s is more probable between the two, %s outside.",
                               inside ? a : other, inside ? other : a);
    if (b->n_roots == 1)
        cairn_report_paragraph(out, "%s is more probable %s it.", a,
                               b->linear[0] > 0 ? "above" : "below");
}

/* The equation of the boundary between two classes, with its kind and roots; names begin with
 * "boundary", and of more than two classes with "boundary.A.B". */
static cairn_status show_boundary(cairn_report *out, const cairn_gaussian_model *m,
                                  const cairn_job *job, size_t a, size_t b)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    gaussian_boundary boundary;
    const char *const *names;
    char key[400] = "boundary";
    size_t first, second;
    CHECK(boundary_of(ctx, &boundary, m, a, b));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    if (!gaussian_two(m, job, &first, &second))
        snprintf(key, sizeof key, "boundary.%.150s.%.150s", class_key(out, job, a),
                 class_key(out, job, b));
    cairn_report_paragraph(out, "Boundary between %s (positive side) and %s:",
                           cairn_bayes_class(job->schema, a), cairn_bayes_class(job->schema, b));
    if (m->n_columns <= SHOWN_TERMS) CHECK(write_equation(out, m, &boundary, names));
    cairn_report_word(out, "kind", boundary.kind, "%s.kind", key);
    /* The numbers of the equation by name; those of a large quadratic form are not listed. */
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    for (size_t i = 0; i < shown; i++)
        for (size_t j = 0; j < shown; j++) {
            const char *row = cairn_term_key(out, names[i]);
            cairn_report_hidden(out, boundary.is_linear ? 0 : boundary.quadratic[i * p + j],
                                "%s.quadratic.%s.%s", key, row, cairn_term_key(out, names[j]));
        }
    for (size_t j = 0; j < p; j++)
        cairn_report_hidden(out, boundary.linear[j], "%s.linear.%s", key,
                            cairn_term_key(out, names[j]));
    cairn_report_hidden(out, boundary.constant, "%s.constant", key);
    if (m->n_columns == 1) say_region(out, &boundary, job, key);
    return CAIRN_OK;
}

/* Linear scores of more than two classes, "coefficient.CLASS.TERM". */
static cairn_status show_planes(cairn_report *out, const cairn_gaussian_model *m,
                                const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    const char *const *names;
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    double *inverse, *w, constant;
    if (!m->planes || p > MOST_TERMS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &inverse, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &w, p + 1));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_gaussian_inverse(m, 0, inverse);
    cairn_report_table_of(out, "Linear scores w·x + w0", 200, "l", "class");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    cairn_report_column(out, "w0", 'r');
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = class_key(out, job, c);
        if (!(m->totals[c] > 0)) continue;
        cairn_gaussian_plane(m, inverse, c, w, &constant);
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, w[j], 6, "coefficient.%s.%s", key,
                                     cairn_term_key(out, names[j]));
        cairn_report_cell_number(out, constant, 6, "coefficient.%s.intercept", key);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- the description -- */

static cairn_status show_boundaries(cairn_report *out, const cairn_gaussian_model *m,
                                    const cairn_job *job)
{
    size_t a, b, pairs = 0, k = 0;
    if (m->n_columns > MOST_TERMS) return CAIRN_OK;
    if (gaussian_two(m, job, &a, &b)) return show_boundary(out, m, job, a, b);
    for (size_t c = 0; c < m->n_classes; c++) k += m->totals[c] > 0;
    if (k * (k - 1) / 2 > SHOWN_PAIRS) return CAIRN_OK;
    for (a = 0; a < m->n_classes; a++)
        for (b = a + 1; b < m->n_classes; b++)
            if (m->totals[a] > 0 && m->totals[b] > 0 && pairs++ < SHOWN_PAIRS)
                CHECK(show_boundary(out, m, job, a, b));
    return CAIRN_OK;
}

/* What was done to the data, or could not be. */
static cairn_status note_repairs(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char *const *names;
    uint8_t *dependent;
    size_t n = 0, raised = m->n_factors;
    char share[CAIRN_NUMBER_SIZE], rows[CAIRN_NUMBER_SIZE];
    cairn_number_format(share, m->least_variance, 3);
    cairn_number_format(rows, m->incomplete, 6);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &dependent, m->n_columns + 1));
    if (m->incomplete > 0)
        cairn_report_note(out, "Missing cells of %s training rows were summed over (EM).", rows);
    for (size_t j = 0; j < m->n_columns && n < SHOWN_TERMS; j++)
        if (m->constant[j]) cairn_text_addf(&text, "%s%s", n++ ? ", " : "", names[j]);
    if (n) cairn_report_note(out, "Constant columns are left out: %s.", cairn_text_string(&text));
    for (size_t f = m->n_factors; f-- > 0;)
        if (m->raised[f]) raised = f;
    if (raised == m->n_factors) return cairn_text_status(&text);
    CHECK(cairn_gaussian_dependent(ctx, dependent, &n, m, raised));
    SCOPED(cairn_text_clear) cairn_text blame = cairn_text_start(ctx);
    n = 0;
    for (size_t j = 0; j < m->n_columns && n < SHOWN_TERMS; j++)
        if (dependent[j]) cairn_text_addf(&blame, "%s%s", n++ ? ", " : "", names[j]);
    cairn_report_note(out,
                      "The covariance%s%s is singular (%s); %s of the columns' variances was added "
                      "to it.",
                      m->n_factors == 1 ? "" : " of ",
                      m->n_factors == 1 ? "" : cairn_bayes_class(job->schema, raised),
                      cairn_text_string(&blame), share);
    CHECK(cairn_text_status(&blame));
    return cairn_text_status(&text);
}

enum { CURVE = 301, ROUND = 180, CELLS = 200, MOST_CLASSES = 12 };

enum { MOST_THRESHOLDS = MOST_CLASSES * (MOST_CLASSES - 1) };

static bool can_draw(const cairn_gaussian_model *m, size_t n_columns)
{
    size_t n = 0;
    for (size_t c = 0; c < m->n_classes; c++) n += m->totals[c] > 0;
    return m->n_columns == n_columns && m->n_constant == 0 && n > 0 && n <= MOST_CLASSES;
}

/* ln(prior x density) of class c at x. */
static double score_at(const cairn_gaussian_model *m, size_t c, const double *x)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    double squares = 0;
    for (size_t j = 0; j < p; j++) {
        double sum = 0;
        for (size_t i = m->diagonal ? j : 0; i <= j; i++)
            sum += (x[i] - m->means[c * p + i]) * (m->diagonal ? f[j] : f[i * p + j]);
        squares += sum * sum;
    }
    return m->log_bases[c] - squares / 2;
}

/* Whether some class has a larger score at x than a and b. */
static bool is_third(const cairn_gaussian_model *m, size_t a, size_t b, const double *x)
{
    double most = fmax(score_at(m, a, x), score_at(m, b, x));
    for (size_t c = 0; c < m->n_classes; c++)
        if (c != a && c != b && m->totals[c] > 0 && score_at(m, c, x) > most) return true;
    return false;
}

/* Thresholds between all pairs of classes, where no third one is more probable. */
static cairn_status find_thresholds(cairn_context *ctx, const cairn_gaussian_model *m,
                                    double out[MOST_THRESHOLDS], size_t *n)
{
    gaussian_boundary boundary;
    *n = 0;
    for (size_t a = 0; a < m->n_classes; a++)
        for (size_t b = a + 1; b < m->n_classes; b++) {
            if (!(m->totals[a] > 0) || !(m->totals[b] > 0)) continue;
            CHECK(boundary_of(ctx, &boundary, m, a, b));
            for (size_t i = 0; i < boundary.n_roots; i++)
                if (!is_third(m, a, b, &boundary.roots[i])) out[(*n)++] = boundary.roots[i];
        }
    return CAIRN_OK;
}

/* Ends of a column: some deviations around every mean. */
static void find_ends(const cairn_gaussian_model *m, size_t j, double reach, double *low,
                      double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t c = 0; c < m->n_classes; c++) {
        double mean = m->means[c * m->n_columns + j];
        double sd = sqrt(cairn_gaussian_entry(m, c, j, j));
        if (!(m->totals[c] > 0)) continue;
        *low = fmin(*low, mean - reach * sd);
        *high = fmax(*high, mean + reach * sd);
    }
}

/* The axis reaches to the thresholds that are not farther away than half its length. */
static void widen(double *low, double *high, const double *thresholds, size_t n)
{
    double reach = (*high - *low) / 2, margin = (*high - *low) / 20, from = *low, to = *high;
    for (size_t i = 0; i < n; i++) {
        double at = thresholds[i];
        if (at < from && at > from - reach) *low = fmin(*low, at - margin);
        if (at > to && at < to + reach) *high = fmax(*high, at + margin);
    }
}

/* Classes without rows have no curve; a boundary outside the picture is left out. */
static cairn_status draw_densities(cairn_context *ctx, cairn_figure **out, const void *model,
                                   const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    double low, high, *x, *y, thresholds[MOST_THRESHOLDS];
    size_t at = 0, n, n_shown = 0;
    if (!can_draw(m, 1)) return CAIRN_OK;
    CHECK(find_thresholds(ctx, m, thresholds, &n));
    find_ends(m, 0, 4, &low, &high);
    widen(&low, &high, thresholds, n);
    CHECK(SCRATCH_EACH(ctx, CURVE, &x, &y));
    CHECK(cairn_figure_new(ctx, out, "densities", "Prior times density of the classes"));
    cairn_figure_axes(*out, cairn_schema_next_feature(job->schema, &at)->name,
                      "P(class) · p(x | class)");
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        size_t peak = (size_t)(0.5 + (m->means[c] - low) / (high - low) * (CURVE - 1));
        for (size_t i = 0; i < CURVE; i++) { /* the point next to the mean is there */
            x[i] = i == peak ? m->means[c] : low + (high - low) * (double)i / (CURVE - 1);
            y[i] = cairn_exp(score_at(m, c, &x[i]));
        }
        cairn_figure_line(*out, cairn_bayes_class(job->schema, c), x, y, CURVE);
    }
    cairn_figure_y_range(*out, 0, NAN);
    for (size_t i = 0; i < n; i++)
        if (thresholds[i] >= low && thresholds[i] <= high)
            cairn_figure_rule_x(*out, n_shown++ ? NULL : "boundary", thresholds[i]);
    return CAIRN_OK;
}

/* The ellipse of class c at a Mahalanobis distance: a circle under Cholesky's factor. */
static void ellipse(const cairn_gaussian_model *m, size_t c, double radius, double *x, double *y)
{
    double a = sqrt(cairn_gaussian_entry(m, c, 0, 0)), b = cairn_gaussian_entry(m, c, 0, 1) / a;
    double d = sqrt(fmax(0, cairn_gaussian_entry(m, c, 1, 1) - b * b));
    for (size_t i = 0; i < ROUND; i++) {
        double turn = 2 * 3.14159265358979323846 * (double)i / ROUND;
        double u = radius * cairn_cos(turn), v = radius * cairn_sin(turn);
        x[i] = m->means[2 * c] + a * u;
        y[i] = m->means[2 * c + 1] + b * u + d * v;
    }
}

/* Where each pair of classes shares the largest score, traced on a grid. */
static cairn_status draw_boundaries(cairn_context *ctx, cairn_figure *figure,
                                    const cairn_gaussian_model *m, const double low[2],
                                    const double high[2])
{
    double *values, dx = (high[0] - low[0]) / CELLS, dy = (high[1] - low[1]) / CELLS;
    cairn_contour all = {0}, one;
    CHECK(SCRATCH_RAW(ctx, &values, (size_t)(CELLS + 1) * (CELLS + 1)));
    cairn_contour_grid grid = {values, CELLS + 1, CELLS + 1, low[0], low[1], dx, dy};
    for (size_t a = 0; a < m->n_classes; a++)
        for (size_t b = a + 1; b < m->n_classes; b++) {
            if (!(m->totals[a] > 0) || !(m->totals[b] > 0)) continue;
            for (size_t i = 0; i < (size_t)(CELLS + 1) * (CELLS + 1); i++) {
                size_t column = i % (CELLS + 1), line = i / (CELLS + 1);
                double at[2] = {low[0] + dx * (double)column, low[1] + dy * (double)line};
                values[i] = is_third(m, a, b, at) ? NAN : score_at(m, a, at) - score_at(m, b, at);
            }
            CHECK(cairn_contour_trace(ctx, &one, &grid, 0));
            CHECK(cairn_contour_join(ctx, &all, &one));
        }
    if (all.n) cairn_figure_dark(figure, "boundary", all.x, all.y, all.n);
    return CAIRN_OK;
}

/* Ellipses at one and two standard deviations; classes without rows have none. */
static cairn_status draw_contours(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    double x[ROUND], y[ROUND], low[2], high[2], means[2][MOST_CLASSES];
    const char *names[MOST_CLASSES], *axes[2];
    int32_t groups[MOST_CLASSES];
    size_t n = 0, at = 0;
    if (!can_draw(m, 2)) return CAIRN_OK;
    for (size_t j = 0; j < 2; j++) {
        find_ends(m, j, 2.5, &low[j], &high[j]);
        axes[j] = cairn_schema_next_feature(job->schema, &at)->name;
    }
    CHECK(cairn_figure_new(ctx, out, "contours", "Densities of the classes"));
    cairn_figure_axes(*out, axes[0], axes[1]);
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        for (int level = 2; level > 0; level--) {
            ellipse(m, c, level, x, y);
            cairn_figure_shape(*out, (int32_t)n, x, y, ROUND);
        }
        names[n] = cairn_bayes_class(job->schema, c);
        means[0][n] = m->means[2 * c];
        means[1][n] = m->means[2 * c + 1];
        groups[n] = (int32_t)n;
        n++;
    }
    cairn_figure_points(*out, means[0], means[1], groups, n, names, n);
    cairn_figure_x_range(*out, low[0], high[0]);
    cairn_figure_y_range(*out, low[1], high[1]);
    return draw_boundaries(ctx, *out, m, low, high);
}

const cairn_model_figure cairn_gaussian_figures[] = {
    {.name = "densities", .make = draw_densities},
    {.name = "contours", .make = draw_contours},
    {0},
};

cairn_status cairn_gaussian_show(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    CHECK(gaussian_show_covariances(out, m, job));
    CHECK(show_planes(out, m, job));
    return show_boundaries(out, m, job);
}

/* Settings first, then what was learned in the order in which it is worked out. */
static cairn_status describe_all(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    static const char *const words[] = {"shared by the classes", "of each class",
                                        "variances of each class", "1 for every column"};
    cairn_report_heading(out, 2, "Normal densities of the classes");
    cairn_report_word(out, "covariance", words[m->covariance], "covariance");
    bool typed = cairn_gaussian_is_typed(m);
    if (typed) cairn_report_word(out, "parameters", "typed, not learned from the rows", "typed");
    if (m->covariance != CAIRN_GAUSSIAN_IDENTITY && !typed)
        cairn_report_word(out, "divisor", cairn_divisors[m->divisor].name, "divisor");
    if (m->pooling > 0) cairn_report_value(out, "pooling", m->pooling, "pooling");
    if (m->shrinkage > 0) cairn_report_value(out, "shrinkage", m->shrinkage, "shrinkage");
    double likelihood;
    CHECK(cairn_gaussian_log_likelihood(cairn_report_context(out), &likelihood, m));
    if (isfinite(likelihood))
        cairn_report_value(
            out, typed ? "log likelihood of the rows" : "log likelihood of the training rows",
            likelihood, "log_likelihood");
    show_classes(out, m, job);
    CHECK(cairn_gaussian_show(out, m, job));
    for (size_t i = 0; cairn_gaussian_figures[i].name; i++) {
        cairn_figure *figure = NULL;
        cairn_status made =
            cairn_gaussian_figures[i].make(cairn_report_context(out), &figure, m, job);
        if (made || figure) cairn_describe_figure(out, made, &figure, true);
    }
    return note_repairs(out, m, job);
}

void cairn_gaussian_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_failed(out, describe_all(out, model, job));
    cairn_scratch_release(ctx, mark);
}

/* -- a row -- */

/* Prior, squared distance and density of the row in every class. */
static cairn_status explain_row(cairn_report *out, const cairn_gaussian_model *m,
                                const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t k = m->n_classes, best = 0, at = cairn_view_row(job->view, row), there = 0;
    size_t a, b;
    uint32_t index = (uint32_t)at;
    cairn_view view = *job->view;
    double *scores, *posterior;
    view.rows = (cairn_rows){&index, 1, NULL};
    CHECK(SCRATCH_EACH(ctx, k + 1, &scores, &posterior));
    CHECK(cairn_gaussian_scores(ctx, scores, m, &view));
    for (size_t j = 0; j < m->n_columns; j++) there += !isnan(view.features[j]->numbers[at]);
    for (size_t c = 0; c < k; c++) {
        posterior[c] = scores[c];
        if (scores[c] > scores[best]) best = c;
    }
    double density = cairn_gaussian_posterior(posterior, k);
    cairn_report_formula(out, "P(class | row) = prior · density / Σ prior · density");
    if (there < m->n_columns)
        cairn_report_paragraph(out,
                               "Missing cells are summed over: the densities are those of the "
                               "%zu cells that are there.",
                               there);
    cairn_report_table_of(out, "Classes", 200, "lrrrr", "class", "prior", "ln density",
                          "prior · density", "probability");
    for (size_t c = 0; c < k; c++) {
        const char *key = class_key(out, job, c);
        if (c == best) cairn_report_row_mark(out);
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        cairn_report_cell_number(out, cairn_exp(m->log_prior[c]), 0, "prior.%s", key);
        cairn_report_cell_number(out, m->totals[c] > 0 ? scores[c] - m->log_prior[c] : -INFINITY, 0,
                                 "log_density.%s", key);
        cairn_report_cell_number(out, cairn_exp(scores[c]), 0, "product.%s", key);
        cairn_report_cell_number(out, posterior[c], 0, "posterior.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "ln of the sum of the products", density, "log_density");
    cairn_report_value(out, "error, 1 − the largest probability", 1 - posterior[best], "error");
    if (gaussian_two(m, job, &a, &b))
        cairn_report_value(out, "discriminant, the positive probability less the other",
                           posterior[a] - posterior[b], "discriminant");
    return CAIRN_OK;
}

void cairn_gaussian_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_failed(out, explain_row(out, model, job, row));
    cairn_scratch_release(ctx, mark);
}

/* Pictures of normal classes: the curves of one column with every threshold, and the ellipses of
 * two columns with the boundary. */

/* -- two columns -- */

/* The work as on a blackboard: priors, means, covariances, their inverse, the discriminant with its
 * numbers put in, and the first rows. */

enum { MOST_ROWS = 50, TERMS_WORKED = 50, WRITTEN_TERMS = 4, WRITTEN_CLASSES = 6 };

typedef struct board {
    cairn_context *ctx;
    cairn_report *out;
    const cairn_gaussian_model *m;
    const cairn_job *job;
    const char *const *names;
} board;

static const char *class_of(const board *b, size_t c)
{
    return cairn_bayes_class(b->job->schema, c);
}

/* P(class) = n_class / n, or what was given. */
static void show_priors(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    double total = 0;
    char label[200];
    for (size_t c = 0; c < m->n_classes; c++) total += m->totals[c];
    cairn_report_step_begin(b->out, "Priors and means of the classes");
    for (size_t c = 0; c < m->n_classes && c < WRITTEN_CLASSES; c++) {
        if (m->prior_kind != CAIRN_PRIOR_EMPIRICAL || !(m->totals[c] > 0)) continue;
        snprintf(label, sizeof label, "P(%.150s)", class_of(b, c));
        cairn_report_worked(b->out, label, "n_k / n = # / # = #", m->totals[c], total,
                            m->totals[c] / total);
    }
    if (m->prior_kind == CAIRN_PRIOR_UNIFORM)
        cairn_report_paragraph(b->out, "All classes have the same prior: the largest density "
                                       "decides (maximum likelihood).");
    cairn_report_formula(b->out, "μ_k = 1/n_k Σ x  over the rows of class k%s",
                         m->incomplete > 0 ? ", where cells are missing with the expected x, given "
                                             "those that are there (EM)"
                                           : "");
    show_classes(b->out, m, b->job);
    cairn_report_step_end(b->out);
}

/* -- covariances -- */

/* Covariances of the single classes. The model may keep their sum only, so the rows are read once
 * more; where these are not all there is (missing cells, later rows), it is NULL. */
static cairn_status class_covariances(const board *b, double **out)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    cairn_view view;
    int32_t *places;
    double weight;
    cairn_class_sums sums;
    *out = NULL;
    CHECK(cairn_gaussian_complete(b->ctx, &view, b->job->view, &weight));
    CHECK(SCRATCH(b->ctx, &places, m->n_classes + 1));
    for (size_t c = 0; c < m->n_classes; c++) places[c] = (int32_t)c;
    CHECK(cairn_class_sums_of(b->ctx, &sums, &view, places, m->n_classes, CAIRN_CLASS_OWN_SCATTER));
    for (size_t c = 0; c < m->n_classes; c++) {
        double divisor = cairn_gaussian_divisor(m, c);
        if (sums.totals[c] < m->totals[c]) return CAIRN_OK;
        for (size_t i = 0; divisor > 0 && i < p * p; i++) sums.own[c * p * p + i] /= divisor;
    }
    *out = sums.own;
    return CAIRN_OK;
}

static void show_class_covariances(const board *b, const double *own)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    char title[200], key[200];
    cairn_report_formula(b->out, "S_k = 1/%s Σ (x − μ_k)(x − μ_k)ᵀ  over the rows of class k",
                         m->divisor == CAIRN_DIVISOR_N_1 ? "(n_k − 1)" : "n_k");
    for (size_t c = 0; c < m->n_classes && c < WRITTEN_CLASSES; c++) {
        if (!(m->totals[c] > 0)) continue;
        snprintf(title, sizeof title, "S of %.150s", class_of(b, c));
        snprintf(key, sizeof key, "class_covariance.%.150s",
                 cairn_report_key(b->out, class_of(b, c)));
        cairn_show_term_matrix(b->out, title, key, own + c * p * p, p, b->names);
    }
}

/* Element by element Σ_ij = Σ_k n_k/n S_k,ij for few columns. */
static void show_pooled(const board *b, const double *own)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns, n = 0;
    double numbers[3 * WRITTEN_CLASSES], all = cairn_gaussian_divisor(m, m->n_classes);
    char label[200];
    bool n_1 = m->divisor == CAIRN_DIVISOR_N_1;
    cairn_report_formula(b->out, n_1 ? "Σ = Σ_k (n_k − 1)/(n − K) · S_k" : "Σ = Σ_k n_k/n · S_k");
    if (p > 2 || m->n_classes > WRITTEN_CLASSES) return;
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            double sum = 0;
            n = 0;
            for (size_t c = 0; c < m->n_classes; c++) {
                if (!(m->totals[c] > 0)) continue;
                numbers[3 * n] = cairn_gaussian_divisor(m, c);
                numbers[3 * n + 1] = all;
                numbers[3 * n + 2] = own[c * p * p + i * p + j];
                sum += numbers[3 * n] / all * numbers[3 * n + 2];
                n++;
            }
            snprintf(label, sizeof label, "Σ(%.80s, %.80s)", b->names[i], b->names[j]);
            cairn_report_worked_sum(b->out, label, "#/#·#", numbers, 3, n, sum);
        }
}

/* Identity covariances need no estimate; the final matrices follow only where the steps before
 * have not shown them already. */
static cairn_status show_covariances(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    double *own;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY || m->n_columns > TERMS_WORKED) return CAIRN_OK;
    CHECK(class_covariances(b, &own));
    cairn_report_step_begin(b->out, "Covariances");
    if (own)
        show_class_covariances(b, own);
    else if (m->incomplete > 0)
        cairn_report_formula(b->out, "(x − μ_k)(x − μ_k)ᵀ is the expected one where cells are "
                                     "missing, given those that are there (EM)");
    if (own && m->covariance == CAIRN_GAUSSIAN_SHARED) show_pooled(b, own);
    if (m->pooling > 0)
        cairn_report_worked(b->out, "Σ_k", "(1 − λ) S_k + λ Σ = # S_k + # Σ", 1 - m->pooling,
                            m->pooling);
    if (m->shrinkage > 0)
        cairn_report_worked(b->out, "elements off the diagonal", "times 1 − # = #", m->shrinkage,
                            1 - m->shrinkage);
    bool shown = own && m->covariance == CAIRN_GAUSSIAN_OWN && !(m->pooling > 0) &&
                 !(m->shrinkage > 0) && m->n_classes <= WRITTEN_CLASSES;
    if (!shown) CHECK(gaussian_show_covariances(b->out, m, b->job));
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

/* -- the discriminant -- */

static cairn_status show_inverses(const board *b, double *inverse)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    char title[200], key[200];
    for (size_t f = 0; f < m->n_factors && f < WRITTEN_CLASSES; f++) {
        bool one = m->n_factors == 1;
        if (!one && !(m->totals[f] > 0)) continue;
        cairn_gaussian_inverse(m, f, inverse);
        const char *name = cairn_report_key(b->out, class_of(b, f));
        snprintf(title, sizeof title, one ? "Σ⁻¹" : "Σ⁻¹ of %.150s", class_of(b, f));
        snprintf(key, sizeof key, one ? "inverse" : "inverse.%.150s", name);
        cairn_show_term_matrix(b->out, title, key, inverse, p, b->names);
        snprintf(title, sizeof title, one ? "|Σ|" : "|Σ| of %.150s", class_of(b, f));
        cairn_report_value(b->out, title, cairn_exp(2 * m->log_roots[f]), "determinant%s%s",
                           one ? "" : ".", one ? "" : name);
    }
    return CAIRN_OK;
}

/* w = Σ⁻¹(μ₊ − μ₋) number by number, and w0. */
static cairn_status show_two(const board *b, const double *inverse, size_t plus, size_t minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *v, *w, plus0, minus0, *terms;
    char label[200];
    CHECK(SCRATCH_EACH(b->ctx, p + 1, &v, &w));
    CHECK(SCRATCH(b->ctx, &terms, 2 * p + 1));
    cairn_gaussian_plane(m, inverse, plus, v, &plus0);
    cairn_gaussian_plane(m, inverse, minus, w, &minus0);
    cairn_report_formula(b->out, "w = Σ⁻¹ (μ₊ − μ₋),  + is %s, − is %s", class_of(b, plus),
                         class_of(b, minus));
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            terms[2 * j] = inverse[i * p + j];
            terms[2 * j + 1] = m->means[plus * p + j] - m->means[minus * p + j];
        }
        snprintf(label, sizeof label, "w(%.150s)", b->names[i]);
        if (p <= WRITTEN_TERMS)
            cairn_report_worked_sum(b->out, label, "#·#", terms, 2, p, v[i] - w[i]);
        cairn_report_hidden(b->out, v[i] - w[i], "coefficient.%s",
                            cairn_term_key(b->out, b->names[i]));
    }
    double prior = m->log_prior[plus] - m->log_prior[minus];
    cairn_report_formula(b->out, "w₀ = −½ μ₊ᵀΣ⁻¹μ₊ + ½ μ₋ᵀΣ⁻¹μ₋ + ln P₊/P₋");
    cairn_report_worked(b->out, "w₀", "−½·# + ½·# + # = #", -2 * (plus0 - m->log_prior[plus]),
                        -2 * (minus0 - m->log_prior[minus]), prior, plus0 - minus0);
    cairn_report_hidden(b->out, plus0 - minus0, "coefficient.intercept");
    cairn_report_formula(b->out, "P(%s | x) = 1 / (1 + exp(−(w·x + w₀)))", class_of(b, plus));
    return CAIRN_OK;
}

/* μᵀΣ⁻¹μ of a class. */
static double form_of(const cairn_gaussian_model *m, const double *inverse, size_t c)
{
    size_t p = m->n_columns;
    const double *mean = m->means + c * p;
    double sum = 0;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) sum += mean[i] * inverse[i * p + j] * mean[j];
    return sum;
}

/* Elements of Q = ½ (Σ₋⁻¹ − Σ₊⁻¹) on and above the diagonal. */
static void work_quadratic(const board *b, const gaussian_boundary *of, const double *plus,
                           const double *minus)
{
    size_t p = b->m->n_columns;
    char label[200];
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            if (p == 1)
                snprintf(label, sizeof label, "Q");
            else
                snprintf(label, sizeof label, "Q(%.80s, %.80s)", b->names[i], b->names[j]);
            cairn_report_worked(b->out, label, "½ (# − #) = #", minus[i * p + j], plus[i * p + j],
                                of->quadratic[i * p + j]);
        }
}

/* Elements of L = Σ₊⁻¹μ₊ − Σ₋⁻¹μ₋, the terms of + first. */
static cairn_status work_linear(const board *b, const gaussian_boundary *of, const double *plus,
                                const double *minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *terms;
    char label[200] = "L";
    CHECK(SCRATCH(b->ctx, &terms, 4 * p + 1));
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            terms[2 * j] = plus[i * p + j];
            terms[2 * j + 1] = m->means[of->a * p + j];
            terms[2 * (p + j)] = -minus[i * p + j];
            terms[2 * (p + j) + 1] = m->means[of->b * p + j];
        }
        if (p > 1) snprintf(label, sizeof label, "L(%.150s)", b->names[i]);
        cairn_report_worked_sum(b->out, label, "#·#", terms, 2, 2 * p, of->linear[i]);
    }
    return CAIRN_OK;
}

/* Where Qx² + Lx + c = 0 changes its sign. */
static void work_roots(const board *b, const gaussian_boundary *of)
{
    double q = of->quadratic[0], l = of->linear[0], c = of->constant;
    if (of->is_linear) {
        if (of->n_roots)
            cairn_report_worked(b->out, "x", "−c / L = −# / # = #", c, l, of->roots[0]);
        return;
    }
    cairn_report_formula(b->out, "x = (−L ± √D) / (2Q),  D = L² − 4Qc");
    double inside = l * l - 4 * q * c;
    cairn_report_worked(b->out, "D", "#² − 4·#·# = #", l, q, c, inside);
    if (!of->n_roots) {
        cairn_report_paragraph(b->out, "D is not positive: the sides never change.");
        return;
    }
    for (size_t i = 0; i < of->n_roots; i++) {
        bool adds = (i == 0) == (q < 0); /* the smaller root takes the root with this sign */
        cairn_report_worked(b->out, i ? "x₂" : "x₁",
                            adds ? "(−# + √#) / (2·#) = #" : "(−# − √#) / (2·#) = #", l, inside, q,
                            of->roots[i]);
    }
}

/* The boundary between two classes with their own covariances: Q, L and c with their numbers, for
 * few columns, and in one dimension its points. */
static cairn_status show_quadratic(const board *b, size_t plus, size_t minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *first, *second;
    gaussian_boundary of;
    cairn_report_formula(
        b->out,
        "xᵀQx + L·x + c = 0,  Q = ½ (Σ₋⁻¹ − Σ₊⁻¹),  L = Σ₊⁻¹μ₊ − Σ₋⁻¹μ₋,  c = ½ (μ₋ᵀΣ₋⁻¹μ₋ − "
        "μ₊ᵀΣ₊⁻¹μ₊) + ½ ln |Σ₋|/|Σ₊| + ln P₊/P₋,  + is %s, − is %s",
        class_of(b, plus), class_of(b, minus));
    if (p > WRITTEN_TERMS) return CAIRN_OK;
    CHECK(boundary_of(b->ctx, &of, m, plus, minus));
    CHECK(SCRATCH_EACH(b->ctx, cairn_product(p, p) + 1, &first, &second));
    cairn_gaussian_inverse(m, plus, first);
    cairn_gaussian_inverse(m, minus, second);
    work_quadratic(b, &of, first, second);
    CHECK(work_linear(b, &of, first, second));
    cairn_report_worked(b->out, "c", "½ (# − #) + ½ ln(# / #) + # = #", form_of(m, second, minus),
                        form_of(m, first, plus),
                        cairn_exp(2 * m->log_roots[cairn_gaussian_factor(m, minus)]),
                        cairn_exp(2 * m->log_roots[cairn_gaussian_factor(m, plus)]),
                        m->log_prior[plus] - m->log_prior[minus], of.constant);
    if (p == 1) work_roots(b, &of);
    return CAIRN_OK;
}

/* Two classes have one discriminant with a boundary at 0, more have a score each. */
static cairn_status show_discriminant(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    size_t plus, minus, p = m->n_columns;
    double *inverse;
    if (p > TERMS_WORKED) return CAIRN_OK;
    bool two = gaussian_two(m, b->job, &plus, &minus);
    CHECK(SCRATCH(b->ctx, &inverse, cairn_product(p, p) + 1));
    cairn_report_step_begin(b->out, two ? "The discriminant" : "The scores of the classes");
    CHECK(show_inverses(b, inverse));
    if (m->planes && two) {
        CHECK(show_two(b, inverse, plus, minus));
    } else if (m->planes) {
        cairn_report_formula(
            b->out, "score_k(x) = w_k·x + w_k0,  w_k = Σ⁻¹μ_k,  w_k0 = −½ μ_kᵀΣ⁻¹μ_k + ln P_k");
        CHECK(show_planes(b->out, m, b->job));
    } else {
        cairn_report_formula(b->out,
                             "score_k(x) = ln P_k − ½ ln |Σ_k| − ½ (x − μ_k)ᵀΣ_k⁻¹(x − μ_k)");
    }
    if (two && !m->planes) CHECK(show_quadratic(b, plus, minus));
    if (two) CHECK(show_boundary(b->out, m, b->job, plus, minus));
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

/* -- rows -- */

/* One row of the table: `scores` are ln of prior times density, and become probabilities. */
static void show_row(const board *b, size_t row, const char *name, double *scores, size_t shown)
{
    const cairn_gaussian_model *m = b->m;
    size_t k = m->n_classes, plus, minus;
    double most = 0;
    for (size_t c = 0; c < k; c++)
        cairn_report_hidden(b->out, scores[c] - m->log_prior[c], "row%zu.log_density.%s", row,
                            cairn_report_key(b->out, class_of(b, c)));
    double density = cairn_gaussian_posterior(scores, k);
    cairn_report_hidden(b->out, density, "row%zu.log_density", row);
    cairn_report_cells(b->out, NULL, row, name);
    for (size_t c = 0; c < k; c++) {
        const char *key = cairn_report_key(b->out, class_of(b, c));
        most = fmax(most, scores[c]);
        if (c < shown)
            cairn_report_cell_number(b->out, scores[c], 6, "row%zu.posterior.%s", row, key);
        else
            cairn_report_hidden(b->out, scores[c], "row%zu.posterior.%s", row, key);
    }
    bool two = gaussian_two(m, b->job, &plus, &minus);
    cairn_report_cell_number(b->out, two ? scores[plus] - scores[minus] : most, 6, "row%zu.%s", row,
                             two ? "discriminant" : "largest");
    cairn_report_cell_number(b->out, 1 - most, 6, "row%zu.error", row);
}

/* Probabilities of the classes for the first rows. */
static cairn_status show_rows(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    cairn_view view = *b->job->view;
    size_t k = m->n_classes, shown = k < WRITTEN_CLASSES ? k : WRITTEN_CLASSES, plus, minus;
    double *scores;
    char head[200];
    if (view.rows.n > MOST_ROWS) view.rows.n = MOST_ROWS;
    CHECK(SCRATCH_RAW(b->ctx, &scores, cairn_product(view.rows.n, k) + 1));
    CHECK(cairn_gaussian_scores(b->ctx, scores, m, &view));
    cairn_report_step_begin(b->out, "Score the rows");
    cairn_report_formula(b->out, "P(class | x) = P(class) p(x | class) / Σ P(class) p(x | class)");
    cairn_report_table_of(b->out, "Rows", 0, "rl", "row", "class");
    for (size_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "P(%.150s)", class_of(b, c));
        cairn_report_column(b->out, head, 'r');
    }
    bool two = gaussian_two(m, b->job, &plus, &minus);
    cairn_report_columns(b->out, "rr", two ? "B(x) = P₊ − P₋" : "largest", "error 1 − max P");
    for (size_t i = 0; i < view.rows.n; i++) {
        size_t row = cairn_view_row(&view, i);
        show_row(b, row + 1, cairn_level_name(view.target, view.target->codes[row]), scores + i * k,
                 shown);
    }
    cairn_report_table_end(b->out);
    if (view.rows.n < b->job->view->rows.n)
        cairn_report_paragraph(b->out, "These are the first of %zu rows.", b->job->view->rows.n);
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

cairn_status cairn_gaussian_discriminant_step(cairn_context *ctx, const cairn_gaussian_model *m,
                                              const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    board b = {.ctx = ctx, .out = job->steps, .m = m, .job = job};
    CHECK(cairn_term_names(ctx, &b.names, job->schema));
    return show_discriminant(&b);
}

cairn_status cairn_gaussian_steps(cairn_context *ctx, const cairn_gaussian_model *m,
                                  const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    board b = {.ctx = ctx, .out = job->steps, .m = m, .job = job};
    CHECK(cairn_term_names(ctx, &b.names, job->schema));
    if (cairn_gaussian_is_typed(m)) {
        cairn_report_step_begin(b.out, "Priors, means and covariances as they were typed");
        show_classes(b.out, m, job);
        CHECK(gaussian_show_covariances(b.out, m, job));
        cairn_report_step_end(b.out);
    } else {
        show_priors(&b);
        CHECK(show_covariances(&b));
    }
    CHECK(show_discriminant(&b));
    CHECK(show_rows(&b));
    cairn_report_step_begin(b.out, "Log likelihood");
    cairn_report_formula(b.out, "ln L = Σ ln P(class) p(x | class)  over the rows");
    double likelihood;
    CHECK(cairn_gaussian_log_likelihood(ctx, &likelihood, m));
    if (isfinite(likelihood)) cairn_report_value(b.out, "ln L", likelihood, "log_likelihood");
    cairn_report_step_end(b.out);
    return CAIRN_OK;
}

/* -- what normal classes know as tables -- */

static void write_means(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    cairn_ledger_columns(out, "lnn", "class", "rows", "prior");
    cairn_learned_features(out, job, m->n_columns, false);
    for (size_t c = 0; c < m->n_classes; c++) {
        cairn_ledger_cells(out, cairn_learned_class(job, (int64_t)c), m->totals[c],
                           cairn_exp(m->log_prior[c]));
        cairn_ledger_numbers(out, m->means + c * m->n_columns, m->n_columns);
    }
}

/* Variances alone where the model has no others; one matrix for all classes is that of none. */
static void write_covariances(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    size_t d = m->n_columns, at_a = 0;
    cairn_ledger_columns(out, "llln", "class", "column", "with", "covariance");
    for (size_t a = 0; a < d; a++) {
        const char *name = cairn_schema_next_name(job->schema, &at_a);
        size_t at_b = 0;
        for (size_t b = 0; b < d; b++) {
            const char *with = cairn_schema_next_name(job->schema, &at_b);
            for (size_t f = 0; f < m->n_factors && (a == b || !m->diagonal); f++)
                cairn_ledger_cells(
                    out, m->n_factors > 1 ? cairn_learned_class(job, (int64_t)f) : NULL, name, with,
                    m->diagonal ? m->covariance_of[f * d + a]
                                : m->covariance_of[(f * d + a) * d + b]);
        }
    }
}

static bool has_covariances(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_gaussian_model *)model)->covariance_of;
}

const cairn_learned cairn_gaussian_tables[] = {
    CAIRN_LEARNED("centres", "class: its prior, and its mean as the learner saw the columns",
                  write_means),
    CAIRN_LEARNED("covariances", "pair of columns in a class; of all classes where that is missing",
                  write_covariances, .has = has_covariances),
    CAIRN_LEARNED_END};
