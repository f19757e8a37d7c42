/* SPDX-License-Identifier: MIT */
/* cairn draw projection: points projected on the direction w of a linear classifier, by the signed
 * distance d(x) = w x - t with w of length 1, and the mean distance of each class.
 *
 * Directions: between the class means; Fisher's, the inverse of the pooled scatter within the
 * classes times that difference, as `discriminant` finds it; or typed weights. The threshold t is
 * half-way between the mean distances unless it is given. */
#include "pictures/two_classes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "learners/linear/class_metric.h"
#include "plots/number_line.h"
#include "stats/frequency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOWARDS_MEANS, TOWARDS_FISHER };
enum { PART_LINEAR, PART_STRIP, PART_HISTOGRAM };
enum { MOST_COLUMNS = 2000, MOST_SEGMENTS = 300, LEAST_BINS = 6, MOST_BINS = 40 };

typedef struct projection_params {
    const char *columns, *of_class, *weights;
    double threshold;
    int direction, part, marks;
} projection_params;

static const cairn_choice direction_choices[] = {
    {"means", TOWARDS_MEANS, "from the mean of the rest to that of the class"},
    {"fisher", TOWARDS_FISHER, "the most distance of the means for the spread within the classes"},
    {NULL, 0, NULL}};

static const cairn_choice part_choices[] = {
    {"plane", PART_LINEAR, "two columns: points, direction, projections and the boundary"},
    {"strip", PART_STRIP, "the scores on a number line, for any number of columns"},
    {"histogram", PART_HISTOGRAM,
     "histograms of the scores of both classes, for any number of columns, with Fisher's "
     "criterion"},
    {NULL, 0, NULL}};

static const cairn_param projection_table[] = {
    CAIRN_PARAM_AS(projection_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "number columns, separated by commas; all number features if not given, in "
                   "the plane the first two"),
    CAIRN_PARAM(projection_params, of_class, NULL, NULL,
                "the class that scores are high for; the positive one of two if not given"),
    CAIRN_PARAM_CHOICE(projection_params, direction, "means", direction_choices, "where w points",
                       .when = "!weights"),
    CAIRN_PARAM_AS(projection_params, weights, CAIRN_TYPE_LIST, NULL,
                   "w itself: a number for each column; it is brought to length 1"),
    CAIRN_PARAM(projection_params, threshold, CAIRN_NOT_GIVEN, NULL,
                "t, in units of the typed w; half-way between the classes if not given"),
    CAIRN_PARAM_CHOICE(projection_params, part, "plane", part_choices, "what is drawn"),
    CAIRN_PARAM_CHOICE(projection_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked", .when = "part=plane|strip"),
    CAIRN_PARAM_END,
};

typedef struct projected {
    double *x; /* n x d, complete rows of a known class */
    int32_t *group;
    double *weights;
    size_t n, d;
    const char **names; /* d columns */
    cairn_view view;    /* of these rows and columns, with their classes */
    double *means[2];   /* d each: of the class, of the rest */
    double *w, t;       /* w has length 1 */
    double distance[2]; /* mean of each class */
    double *score;      /* n */
} projected;

/* -- reading -- */

/* The plane takes the first two number columns unless two are named; the strip takes all, as only
 * the distances along the direction are drawn. */
static cairn_status choose_columns(cairn_context *ctx, size_t **out, size_t *n,
                                   const cairn_table *table, const projection_params *p)
{
    char **names;
    *n = 0;
    CHECK(SCRATCH(ctx, out, table->n_columns + 1));
    if (p->columns) {
        size_t n_names;
        CHECK(cairn_list_split(ctx, p->columns, &names, &n_names));
        if (n_names > table->n_columns)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{columns}: there are only %zu columns",
                             table->n_columns));
        for (size_t i = 0; i < n_names; i++)
            CHECK(cairn_picture_numbers(ctx, &(*out)[(*n)++], table, "columns", names[i], 0));
    } else {
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->slots[c].role == CAIRN_FEATURE && cairn_table_numbers(table, c) &&
                (p->part != PART_LINEAR || *n < 2))
                (*out)[(*n)++] = c;
    }
    if (!*n || *n > MOST_COLUMNS || (p->part == PART_LINEAR && *n != 2))
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "%zu number columns; the plane needs two, {part strip} or {part histogram} "
                       "from one to %d",
                       *n, MOST_COLUMNS));
    return CAIRN_OK;
}

/* Rows without a class, of weight 0 or with a number that is not finite have no place and are left
 * out. */
static cairn_status read_points(cairn_context *ctx, projected *out, const cairn_two_classes *c,
                                const projection_params *p)
{
    size_t *columns, n_rows = c->table->n_rows;
    const cairn_column **features;
    uint32_t *rows;
    CHECK(choose_columns(ctx, &columns, &out->d, c->table, p));
    CHECK(SCRATCH(ctx, &features, out->d));
    CHECK(SCRATCH(ctx, &rows, n_rows + 1));
    CHECK(SCRATCH(ctx, &out->x, cairn_product(n_rows, out->d)));
    CHECK(SCRATCH_EACH(ctx, n_rows, &out->group, &out->weights));
    CHECK(SCRATCH(ctx, &out->names, out->d));
    for (size_t j = 0; j < out->d; j++) {
        out->names[j] = c->table->slots[columns[j]].name;
        features[j] = c->table->slots[columns[j]].column;
    }
    for (size_t i = 0; i < n_rows; i++) {
        bool whole = c->is_positive[i] >= 0 && c->weights[i] > 0;
        double *row = out->x + out->n * out->d;
        for (size_t j = 0; j < out->d && whole; j++) {
            row[j] = cairn_table_numbers(c->table, columns[j])[i];
            whole = isfinite(row[j]);
        }
        if (!whole) continue;
        rows[out->n] = (uint32_t)i;
        out->weights[out->n] = c->weights[i];
        out->group[out->n++] = !c->is_positive[i];
    }
    out->view = c->view;
    out->view.rows = (cairn_rows){.indices = rows, .n = out->n};
    out->view.features = features;
    out->view.names = out->names;
    out->view.n_features = out->d;
    return CAIRN_OK;
}

/* -- direction -- */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

static cairn_status find_means(cairn_context *ctx, projected *p)
{
    double total[2] = {0, 0};
    for (int k = 0; k < 2; k++) CHECK(SCRATCH(ctx, &p->means[k], p->d));
    for (size_t i = 0; i < p->n; i++) {
        double *mean = p->means[p->group[i]];
        total[p->group[i]] += p->weights[i];
        for (size_t j = 0; j < p->d; j++) mean[j] += p->weights[i] * p->x[i * p->d + j];
    }
    if (total[0] == 0 || total[1] == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "there are complete rows of one class only"));
    for (int k = 0; k < 2; k++)
        for (size_t j = 0; j < p->d; j++) p->means[k][j] /= total[k];
    return CAIRN_OK;
}

/* The direction is scaled by its largest number before its length is taken, so that squares do not
 * overflow; a given threshold is in the units of the given weights and scales along. */
static cairn_status find_direction(cairn_context *ctx, projected *p, const projection_params *q,
                                   int32_t positive)
{
    double *typed, length, largest = 0;
    size_t n;
    CHECK(SCRATCH(ctx, &p->w, p->d));
    for (size_t j = 0; j < p->d; j++) p->w[j] = p->means[0][j] - p->means[1][j];
    if (q->weights) {
        CHECK(cairn_list_numbers(ctx, "weights", q->weights, &typed, &n));
        if (n != p->d)
            CHECK(cairn_fail(ctx, CAIRN_USAGE, "{weights}: %zu numbers for %zu columns", n, p->d));
        memcpy(p->w, typed, n * sizeof *typed);
    } else if (q->direction == TOWARDS_FISHER) {
        /* w = S^-1 (difference of means), S the scatter within the classes. */
        cairn_class_sums sums;
        int32_t *places;
        size_t rank, n_levels = p->view.target->names.n;
        CHECK(SCRATCH(ctx, &places, n_levels + 1));
        for (size_t k = 0; k < n_levels; k++) places[k] = (int32_t)k != positive;
        CHECK(cairn_class_sums_of(ctx, &sums, &p->view, places, 2, CAIRN_CLASS_SCATTER));
        CHECK(cairn_class_metric_solve(ctx, sums.within, p->d, p->w, 1, &rank, NULL));
        if (rank < p->d)
            CHECK(
                cairn_fail(ctx, CAIRN_NO_SOLUTION,
                           "the columns depend on each other within the classes, so that Fisher's "
                           "direction is not determined; leave some out with {columns}"));
    }
    for (size_t j = 0; j < p->d; j++) largest = fmax(largest, fabs(p->w[j]));
    for (size_t j = 0; j < p->d && largest > 0; j++) p->w[j] /= largest;
    length = sqrt(dot(p->w, p->w, p->d));
    if (!(length > 0) || !isfinite(largest))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "the direction has no length: the class means are the "
                         "same"));
    for (size_t j = 0; j < p->d; j++) p->w[j] /= length;
    for (int k = 0; k < 2; k++) p->distance[k] = dot(p->w, p->means[k], p->d);
    p->t = isnan(q->threshold) ? (p->distance[0] + p->distance[1]) / 2
                               : q->threshold / (largest * length);
    for (int k = 0; k < 2; k++) p->distance[k] -= p->t;
    CHECK(SCRATCH(ctx, &p->score, p->n));
    for (size_t i = 0; i < p->n; i++) p->score[i] = dot(p->w, p->x + i * p->d, p->d) - p->t;
    return CAIRN_OK;
}

/* -- drawing -- */

/* Where the axis along w stands: beside the points, so that it covers none, and crossing the
 * boundary at its foot. */
static void find_foot(double foot[2], const projected *p)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        double across = -p->w[1] * p->x[2 * i] + p->w[0] * p->x[2 * i + 1];
        least = fmin(least, across);
        most = fmax(most, across);
    }
    double across = least - 0.12 * (most > least ? most - least : 1);
    foot[0] = p->t * p->w[0] - across * p->w[1];
    foot[1] = p->t * p->w[1] + across * p->w[0];
}

static void mean_text(char *out, size_t size, const char *class, double distance)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, distance, 4);
    snprintf(out, size, "d(%.30s) = %s", class, number);
}

/* Rows are drawn twice, in the plane and as their feet on the direction, with equal axes so that
 * right angles look right. */
static cairn_status draw_linear(cairn_context *ctx, cairn_figure **out, const projected *p,
                                const char *const *classes, cairn_marking marking,
                                const char *title)
{
    double foot[2], low = INFINITY, high = -INFINITY, *x, *y, *foot_x, *foot_y, across_most = 0;
    CHECK(SCRATCH_EACH(ctx, p->n, &x, &y));
    CHECK(SCRATCH_EACH(ctx, 3 * p->n, &foot_x, &foot_y));
    find_foot(foot, p);
    CHECK(cairn_figure_new(ctx, out, "projection", title));
    cairn_figure_axes(*out, p->names[0], p->names[1]);
    cairn_figure_equal_axes(*out);
    cairn_figure_marking(*out, marking);
    for (size_t i = 0; i < p->n; i++) {
        const double *at = p->x + 2 * i;
        double px = foot[0] + p->score[i] * p->w[0], py = foot[1] + p->score[i] * p->w[1];
        x[i] = at[0];
        y[i] = at[1];
        low = fmin(low, p->score[i]);
        high = fmax(high, p->score[i]);
        across_most = fmax(across_most, cairn_hypot(at[0] - px, at[1] - py));
        memcpy(foot_x + 3 * i, ((double[]){at[0], px, NAN}), 3 * sizeof px);
        memcpy(foot_y + 3 * i, ((double[]){at[1], py, NAN}), 3 * sizeof py);
    }
    if (p->n <= MOST_SEGMENTS) cairn_figure_guide(*out, foot_x, foot_y, 3 * p->n);
    cairn_figure_points(*out, x, y, p->group, p->n, classes, 2);
    for (size_t i = 0; i < p->n; i++) {
        x[i] = foot[0] + p->score[i] * p->w[0];
        y[i] = foot[1] + p->score[i] * p->w[1];
    }
    cairn_figure_points(*out, x, y, p->group, p->n, NULL, 0);
    double buffer = 0.06 * (high - low);
    double line_x[2] = {foot[0] + (low - buffer) * p->w[0], foot[0] + (high + buffer) * p->w[0]};
    double line_y[2] = {foot[1] + (low - buffer) * p->w[1], foot[1] + (high + buffer) * p->w[1]};
    cairn_figure_line(*out, "direction w", line_x, line_y, 2);
    double border_x[2] = {foot[0], foot[0] - across_most * p->w[1]};
    double border_y[2] = {foot[1], foot[1] + across_most * p->w[0]};
    cairn_figure_dashed(*out, "boundary", border_x, border_y, 2);
    for (int k = 0; k < 2; k++) {
        char text[160];
        mean_text(text, sizeof text, classes[k], p->distance[k]);
        cairn_figure_mark(*out, text, foot[0] + p->distance[k] * p->w[0],
                          foot[1] + p->distance[k] * p->w[1]);
    }
    return CAIRN_OK;
}

/* The threshold is 0 by construction, since scores are distances from it. */
static cairn_status draw_strip(cairn_context *ctx, cairn_figure **out, const projected *p,
                               const char *const *classes, cairn_marking marking, const char *title)
{
    char texts[2][160];
    double zero = 0;
    for (int k = 0; k < 2; k++) mean_text(texts[k], sizeof texts[k], classes[k], p->distance[k]);
    cairn_marked marks[2] = {{p->distance[0], texts[0]}, {p->distance[1], texts[1]}};
    cairn_number_line line = {.x = p->score,
                              .groups = p->group,
                              .n = p->n,
                              .group_names = classes,
                              .n_groups = 2,
                              .marking = marking,
                              .low = NAN,
                              .high = NAN,
                              .cuts = &zero,
                              .n_cuts = 1,
                              .marks = marks,
                              .n_marks = 2,
                              .axis = "signed distance w x - t"};
    return cairn_number_line_figure(ctx, out, &line, "projection", title);
}

/* Fisher's criterion: the squared distance of the projected means over the scatter of the projected
 * points about them. */
static double criterion_of(const projected *p)
{
    double scatter = 0, apart = p->distance[0] - p->distance[1];
    for (size_t i = 0; i < p->n; i++) {
        double away = p->score[i] - p->distance[p->group[i]];
        scatter += p->weights[i] * away * away;
    }
    return apart * apart / scatter;
}

/* Both classes over the same bins, as many as the root of the rows. */
static cairn_status draw_histogram(cairn_context *ctx, cairn_figure **out, const projected *p,
                                   const char *const *classes, const char *title)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_bins bins;
    char axis[120], text[160], number[CAIRN_NUMBER_SIZE];
    double low = INFINITY, high = -INFINITY, most = 0;
    size_t n = (size_t)ceil(sqrt((double)p->n));
    for (size_t i = 0; i < p->n; i++) {
        low = fmin(low, p->score[i]);
        high = fmax(high, p->score[i]);
    }
    if (!(high > low)) low -= 0.5, high = low + 1;
    n = n < LEAST_BINS ? LEAST_BINS : n > MOST_BINS ? MOST_BINS : n;
    CHECK(cairn_bins_equal(ctx, &bins, low, high, n));
    CHECK(cairn_figure_new(ctx, &figure, "projection", title));
    cairn_number_format(number, criterion_of(p), 4);
    snprintf(axis, sizeof axis, "signed distance w x - t;  J = (m1 − m2)² / (s1² + s2²) = %s",
             number);
    cairn_figure_axes(figure, axis, "rows");
    for (int32_t k = 0; k < 2; k++) {
        const char *label = classes[k];
        double *counts;
        CHECK(SCRATCH(ctx, &counts, bins.n));
        for (size_t i = 0; i < p->n; i++) {
            ptrdiff_t at = cairn_bins_find(&bins, p->score[i]);
            if (p->group[i] == k && at >= 0) counts[at] += p->weights[i];
        }
        for (size_t b = 0; b < bins.n; b++) most = fmax(most, counts[b]);
        cairn_figure_histogram(figure, label, bins.edges, counts, bins.n);
    }
    cairn_figure_rule_x(figure, "threshold", 0);
    for (int k = 0; k < 2; k++) {
        mean_text(text, sizeof text, classes[k], p->distance[k]);
        cairn_figure_mark(figure, text, p->distance[k], 0.04 * most); /* just above the floor */
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* Two classes, a direction, a threshold: the basic linear classifier or Fisher's, seen in the plane
 * or along the direction. */
static cairn_status projection_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const projection_params *q = job->params;
    cairn_two_classes classes = {0};
    projected p = {0};
    cairn_status status;
    TRY(cairn_two_classes_find(ctx, &classes, job->table, q->of_class));
    TRY(read_points(ctx, &p, &classes, q));
    TRY(find_means(ctx, &p));
    TRY(find_direction(ctx, &p, q, classes.positive));
    const char *names[2] = {classes.name, classes.other};
    if (q->part == PART_LINEAR)
        TRY(draw_linear(ctx, out, &p, names, (cairn_marking)q->marks, job->table->source));
    else if (q->part == PART_HISTOGRAM)
        TRY(draw_histogram(ctx, out, &p, names, job->table->source));
    else
        TRY(draw_strip(ctx, out, &p, names, (cairn_marking)q->marks, job->table->source));
done:
    cairn_table_free(classes.table);
    return status;
}

const cairn_calculator cairn_picture_projection = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "projection",
         .also = "projected points, linear projection",
         .title = "Points projected on a direction",
         .summary =
             "Two classes projected on the direction w of a linear classifier: the line "
             "between the class means, Fisher's direction, or typed weights. In the plane of "
             "two columns the points with their perpendiculars, the boundary and the mean "
             "distance of each class; as a strip the signed distances of any number of "
             "columns on a number line, or histograms of them with Fisher's criterion.",
         .references = "Fisher: The use of multiple measurements in taxonomic problems, "
                       "Annals of Eugenics 7, 1936",
         .example = "cairn draw projection @iris --of-class setosa --columns "
                    "petal_length,petal_width --direction fisher --out fisher.svg",
         .params = projection_table,
         .params_size = sizeof(projection_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = projection_draw,
};
