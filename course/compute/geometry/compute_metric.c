/* SPDX-License-Identifier: MIT */
/* cairn compute metric: whether the distances of some rows are those of a metric.
 *
 *     d(x, x) = 0                       zero self-distance
 *     d(x, y) > 0 for x and y apart     positivity; a pseudo-metric only has >= 0
 *     d(x, y) = d(y, x)                 symmetry
 *     d(x, z) <= d(x, y) + d(y, z)      the triangle inequality
 *
 * A matrix is looked at as it is written in the table: it may break any of them. Differences within
 * the tolerance, a share of the largest distance, are rounding. All triples are tried: the work
 * grows with the third power of the rows. */
#include "typed/compared.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/shape.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 3000, MOST_SHOWN = 20 };

typedef struct metric_params {
    cairn_compared_options compared;
    const char *distance;
    bool matrix;
    double tolerance;
} metric_params;

static const cairn_param metric_table[] = {
    CAIRN_PARAM_GROUP(metric_params, compared, cairn_compared_group),
    CAIRN_DISTANCE_PARAM(metric_params),
    CAIRN_PARAM(metric_params, matrix, "no", NULL,
                "DATA is a matrix of distances that may break any rule; --as distances takes only "
                "those that are symmetric, not negative and 0 on the diagonal"),
    CAIRN_PARAM(metric_params, tolerance, "1e-9", "[0,1)",
                "differences up to this share of the largest distance count as rounding"),
    CAIRN_PARAM_END,
};

static cairn_status metric_check(cairn_context *ctx, const void *values)
{
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"),
                              ((const metric_params *)values)->distance);
}

/* What breaks a rule: rows i, j and, of triples, the one between them. */
typedef struct breach {
    size_t i, j, by;
    double one, other; /* what is compared */
} breach;

/* The breaches of one rule: how many, and the first ones. */
typedef struct broken {
    double n;
    size_t kept;
    breach list[MOST_SHOWN];
} broken;

typedef struct checked {
    size_t n;
    const double *d; /* n x n */
    const char **names;
    double slack;
    bool *same; /* n x n: rows that are equal; NULL = it is not known, and different names are */
    broken self, negative, zero, symmetry, triangle;
} checked;

static void note(broken *b, size_t i, size_t j, size_t by, double one, double other)
{
    if (b->kept < MOST_SHOWN) b->list[b->kept++] = (breach){i, j, by, one, other};
    b->n++;
}

static void check_pairs(checked *c)
{
    size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        double own = c->d[i * n + i];
        if (!(fabs(own) <= c->slack)) note(&c->self, i, i, i, own, 0);
        for (size_t j = 0; j < n; j++) {
            double a = c->d[i * n + j], b = c->d[j * n + i];
            bool same = c->same && c->same[i * n + j];
            if (i != j && a < -c->slack) note(&c->negative, i, j, i, a, 0);
            if (i >= j) continue;
            if (!same && fmin(a, b) <= c->slack) note(&c->zero, i, j, i, fmin(a, b), 0);
            if (!(fabs(a - b) <= c->slack)) note(&c->symmetry, i, j, i, a, b);
        }
    }
}

/* -- triangles -- */

typedef struct triangle_work {
    const checked *c;
    broken *rows; /* n: of the triples whose first row it is */
    bool both;    /* ways there and back differ */
} triangle_work;

/* The largest excess of row i's pairs over the way by another row; only such rows are gone through
 * one by one. */
static void triangles_of(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const triangle_work *w = data;
    const checked *c = w->c;
    size_t n = c->n;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++)
        for (size_t by = 0; by < n; by++) {
            const double *direct = c->d + i * n, *rest = c->d + by * n;
            double first = direct[by], most = -INFINITY;
            if (by == i) continue;
            for (size_t j = 0; j < n; j++) {
                double excess = direct[j] - (first + rest[j]);
                most = excess > most ? excess : most;
            }
            for (size_t j = w->both ? 0 : i + 1; most > c->slack && j < n; j++)
                if (j != by && j != i && direct[j] - (first + rest[j]) > c->slack)
                    note(&w->rows[i], i, j, by, direct[j], first + rest[j]);
        }
}

static cairn_status check_triangles(cairn_context *ctx, checked *c)
{
    triangle_work work = {.c = c, .both = c->symmetry.n > 0};
    double steps = (double)c->n * (double)c->n * (double)c->n;
    CHECK(SCRATCH(ctx, &work.rows, c->n));
    CHECK(cairn_blocks_sized(ctx, c->n, 1, steps, triangles_of, &work));
    for (size_t i = 0; i < c->n; i++) {
        const broken *row = &work.rows[i];
        for (size_t k = 0; k < row->kept && c->triangle.kept < MOST_SHOWN; k++)
            c->triangle.list[c->triangle.kept++] = row->list[k];
        c->triangle.n += row->n;
    }
    return CAIRN_OK;
}

/* -- reading -- */

/* The matrix as it stands in the table, faults and all. */
static cairn_status take_given(cairn_context *ctx, checked *c, const cairn_view *view)
{
    double *d;
    CHECK(cairn_given_square(ctx, view));
    for (size_t j = 0; j < c->n; j++) {
        if (view->features[j]->kind != CAIRN_NUMBER)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' holds no numbers, so no distances",
                              view->names[j]);
        for (size_t i = 0; i < c->n; i++)
            if (!isfinite(view->features[j]->numbers[i]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "row %zu, column '%s' is missing or not finite; every pair needs "
                                  "a distance: write it there, or leave out the row and its column",
                                  i + 1, view->names[j]);
    }
    CHECK(SCRATCH_RAW(ctx, &d, cairn_product(c->n, c->n)));
    cairn_view_block(view, 0, c->n, d);
    c->d = d;
    return CAIRN_OK;
}

/* Axioms cannot be judged with a distance missing, so NaN is refused; rows that are equal are found
 * where rows are places. */
static cairn_status measure(cairn_context *ctx, checked *c, const cairn_compared *compared,
                            const char *spec)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    double *d;
    CHECK(cairn_distance_rows_open(ctx, &rows, &compared->view, spec));
    CHECK(SCRATCH_RAW(ctx, &d, cairn_product(c->n, c->n)));
    CHECK(cairn_distances_block(ctx, &rows, NULL, c->n, &rows, 0, c->n, d, c->n));
    for (size_t i = 0; i < c->n * c->n; i++)
        if (isnan(d[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "rows %s and %s have no %s distance; fill missing cells first",
                              c->names[i / c->n], c->names[i % c->n], spec);
    c->d = d;
    /* Equal rows may be at distance 0. */
    const cairn_points *p = &rows.points;
    if (!p->width) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &c->same, cairn_product(c->n, c->n)));
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            c->same[i * c->n + j] = memcmp(p->places + i * p->width, p->places + j * p->width,
                                           p->width * sizeof *p->places) == 0;
    return CAIRN_OK;
}

/* -- showing -- */

static void show_rule(cairn_report *out, const char *rule, const broken *b, const char *key)
{
    cairn_report_prefix(out, "%s", key);
    cairn_report_cells(out, "- @ @.broken", rule, b->n > 0 ? "no" : "yes", b->n);
}

static void show_breaches(cairn_report *out, const checked *c, const broken *b, const char *title)
{
    if (b->n == 0) return;
    cairn_report_table_of(out, title, MOST_SHOWN, "llr", "row", "row", "distance");
    for (size_t k = 0; k < b->kept; k++) {
        cairn_report_cells(out, NULL, c->names[b->list[k].i], c->names[b->list[k].j],
                           b->list[k].one);
    }
}

static void show_asymmetry(cairn_report *out, const checked *c)
{
    const broken *b = &c->symmetry;
    if (b->n == 0) return;
    cairn_report_table_of(out, "Pairs that are not symmetric", MOST_SHOWN, "llrr", "x", "y",
                          "d(x, y)", "d(y, x)");
    for (size_t k = 0; k < b->kept; k++) {
        cairn_report_cells(out, NULL, c->names[b->list[k].i], c->names[b->list[k].j],
                           b->list[k].one, b->list[k].other);
    }
}

/* The direct way beside the way by another row, and by how much it is longer. */
static void show_triangles(cairn_report *out, const checked *c)
{
    const broken *b = &c->triangle;
    if (b->n == 0) return;
    cairn_report_table_of(out, "Ways that are shorter by another row", MOST_SHOWN, "lllrrr", "x",
                          "z", "by y", "d(x, z)", "d(x, y) + d(y, z)", "too long by");
    for (size_t k = 0; k < b->kept; k++) {
        const breach *t = &b->list[k];
        cairn_report_prefix(out, "triangle%zu", k + 1);
        cairn_report_cells(out, "- - - @.direct @.by @.excess", c->names[t->i], c->names[t->j],
                           c->names[t->by], t->one, t->other, t->one - t->other);
    }
    if (b->n > (double)b->kept)
        cairn_report_paragraph(out, "The first %zu of %zu are shown.", b->kept, (size_t)b->n);
}

/* The first triples with their numbers put in, broken or not. */
static void work_triangles(cairn_report *out, const checked *c)
{
    enum { MOST = 12 };
    size_t shown = 0, n = c->n;
    cairn_report_step_begin(out, "The triangle inequality");
    cairn_report_formula(out, "d(x, z) ≤ d(x, y) + d(y, z)");
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (size_t by = 0; by < n && shown < MOST; by++) {
                double direct = c->d[i * n + j], sum = c->d[i * n + by] + c->d[by * n + j];
                SCOPED(cairn_text_clear)
                cairn_text label = cairn_text_start(cairn_report_context(out));
                if (by == i || by == j) continue;
                cairn_text_addf(&label, "from %s to %s by %s", c->names[i], c->names[j],
                                c->names[by]);
                cairn_report_worked(out, cairn_text_string(&label),
                                    direct - sum > c->slack ? "# > # + # = #: broken"
                                                            : "# ≤ # + # = #",
                                    direct, c->d[i * n + by], c->d[by * n + j], sum);
                cairn_report_failed(out, cairn_text_status(&label));
                shown++;
            }
    cairn_report_step_end(out);
}

/* A matrix is taken with all its faults; distances that are measured can break only some of the
 * rules. */
static cairn_status metric_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const metric_params *p = job->params;
    SCOPED(cairn_compared_clear) cairn_compared compared = {0};
    checked *c;
    double largest = 0;
    CHECK(SCRATCH(ctx, &c, 1));
    CHECK(cairn_compared_read(ctx, &compared, &p->compared, job->table, job->what));
    bool given = p->matrix || compared.table->shape == CAIRN_SHAPE_DISTANCES;
    if (p->matrix && cairn_table_role_column(compared.table, CAIRN_ID) < 0)
        compared.names = compared.view.names;
    c->n = compared.view.rows.n;
    c->names = compared.names;
    if (c->n > MOST_ROWS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' tries all triples of rows, and %zu rows have too many; at most %d "
                          "are tried ({where 'row() <= 1000'} takes some)",
                          job->what, c->n, MOST_ROWS);
    CHECK(given ? take_given(ctx, c, &compared.view) : measure(ctx, c, &compared, p->distance));
    for (size_t i = 0; i < c->n * c->n; i++) largest = fmax(largest, fabs(c->d[i]));
    c->slack = p->tolerance * largest;
    check_pairs(c);
    CHECK(check_triangles(ctx, c));
    cairn_report_heading(out, 1, "Is it a metric?");
    cairn_report_word(out, "distance", given ? "given" : p->distance, "distance");
    cairn_report_value(out, "rows", (double)c->n, "rows");
    if (job->steps) work_triangles(out, c);
    cairn_report_table_of(out, "Rules", 0, "llr", "rule", "holds", "broken");
    show_rule(out, "d(x, x) = 0", &c->self, "zero");
    show_rule(out, "d(x, y) ≥ 0", &c->negative, "nonnegative");
    show_rule(out, "d(x, y) > 0 for different rows", &c->zero, "positive");
    show_rule(out, "d(x, y) = d(y, x)", &c->symmetry, "symmetric");
    show_rule(out, "d(x, z) ≤ d(x, y) + d(y, z)", &c->triangle, "triangle");
    show_breaches(out, c, &c->self, "Rows that are away from themselves");
    show_breaches(out, c, &c->negative, "Negative distances");
    show_breaches(out, c, &c->zero, "Different rows at no distance above 0");
    show_asymmetry(out, c);
    show_triangles(out, c);
    bool pseudo = c->self.n + c->negative.n + c->symmetry.n + c->triangle.n == 0;
    bool metric = pseudo && c->zero.n == 0;
    cairn_report_word(out, "these distances are",
                      metric   ? "a metric"
                      : pseudo ? "a pseudo-metric: different rows may be at distance 0"
                               : "no metric",
                      "verdict");
    cairn_report_hidden_word(out, metric ? "yes" : "no", "metric");
    cairn_report_hidden_word(out, pseudo ? "yes" : "no", "pseudo_metric");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_metric = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "metric",
              .also = "metric axioms, triangle inequality, pseudo-metric, symmetry of a distance",
              .title = "Whether distances are a metric",
              .summary =
                  "Checks the distances of rows (or typed points) by any distance, or a matrix of "
                  "distances (--as distances, or --matrix for one that may break any rule): zero "
                  "self-distance, positivity, "
                  "symmetry, the triangle inequality, with the pairs and triples that break them. "
                  "Minkowski's distance with p below 1 and squared distances fail the last.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn compute metric --points 'O=0,0;A=0,1;C=1,1' --distance "
                         "minkowski:p=0.8 --steps",
              .params = metric_table,
              .params_size = sizeof(metric_params),
              .check = metric_check},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = metric_run,
};
