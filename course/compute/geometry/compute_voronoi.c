/* SPDX-License-Identifier: MIT */
/* cairn compute voronoi and cairn draw voronoi: which exemplar is nearest, and which the next.
 *
 * By the Euclidean distance cells are polygons, cut out of a box by the bisectors with all other
 * exemplars. Which cells are neighbours and which pairs of nearest and next exemplar occur does not
 * depend on the picture: it is found in a box so large that all corners lie in it. By any other
 * distance a grid of places is asked for the nearest exemplar, of equally near ones the first. */
#include "plots/voronoi.h"
#include "typed/compared.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/scale_choice.h"
#include "model/calculator.h"
#include "learners/cluster/kmeans.h"
#include "learners/cluster/kmedoids.h"
#include "learners/neighbours/nearest_exemplar.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- model centres -- */

/* Places of a model that each answer for what is nearest to them. */
typedef struct centre_list {
    size_t n, width;
    const double *values; /* n x width; NULL = the model has none */
    const int32_t *codes; /* n: classes; NULL = clusters in their order */
    const char *distance;
} centre_list;

/* Rows of a distance that moves places are no longer those of the columns. */
static centre_list centres_of(const cairn_model *model)
{
    const char *name = model->learner ? model->learner->entry.name : "";
    if (strcmp(name, "kmeans") == 0) {
        const cairn_kmeans_model *m = model->state;
        const cairn_kmeans_params *p = model->params->values;
        if (p->form == CAIRN_KMEANS_SPHERICAL) return (centre_list){0};
        return (centre_list){m->n_clusters, m->n_columns, m->centres, NULL, "euclidean"};
    }
    if (strcmp(name, "kmedoids") == 0) {
        const cairn_kmedoids_model *m = model->state;
        const cairn_kmedoids_params *p = model->params->values;
        if (m->rows.given || m->rows.metric.distance->place) return (centre_list){0};
        return (centre_list){m->n_clusters, m->rows.points.width, m->rows.points.places, NULL,
                             p->distance};
    }
    if (strcmp(name, "nearest-exemplar") == 0) {
        cairn_exemplar_places e = cairn_nearest_exemplar_places(model->state);
        return (centre_list){e.n, e.width, e.values, e.codes,
                             cairn_params_text(model->params, "distance")};
    }
    return (centre_list){0};
}

/* The centres of kmeans, the medoids of kmedoids or the exemplars of nearest-exemplar as a table:
 * the columns that the learner saw, and what each stands for in an id column. `distance` (borrowed)
 * is what the model compares by. Models of any other learner, and of more or fewer than two
 * columns, are refused. The caller frees the table. */
static cairn_status model_centres(cairn_context *ctx, cairn_table **out, const char **distance,
                                  const cairn_compute_job *job)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_model *model = job->model;
    centre_list c = centres_of(model);
    const char **names;
    if (!c.values)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "'%s' takes a model whose answer is the nearest of some places: kmeans, "
            "kmedoids of number columns, nearest-exemplar; 'cairn draw regions' shows "
            "what this model of %s says over two columns",
            job->what, cairn_model_learner(model));
    if (c.width != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' draws the plane of two columns, and the model compares %zu; fit it "
                          "to two ({features A,B}), or cut through it with 'cairn draw regions'",
                          job->what, c.width);
    /* "cluster 1", or the class. Scratch. */
    enum { SIZE = 32 };
    char *texts;
    CHECK(SCRATCH(ctx, &names, c.n + 1));
    CHECK(SCRATCH(ctx, &texts, cairn_product(c.n + 1, SIZE)));
    for (size_t i = 0; i < c.n; i++) {
        snprintf(texts + i * SIZE, SIZE, "cluster %zu", i + 1);
        (names)[i] = c.codes ? cairn_schema_class(&model->schema, c.codes[i]) : texts + i * SIZE;
    }
    CHECK(cairn_table_new(ctx, &table, c.n));
    /* A column for each feature that the learner saw. */
    double *column;
    size_t at = 0;
    CHECK(SCRATCH_RAW(ctx, &column, c.n + 1));
    for (size_t f = 0; f < model->inner.n_fields && at < c.width; f++) {
        if (model->inner.fields[f].role != CAIRN_FEATURE) continue;
        for (size_t i = 0; i < c.n; i++) column[i] = c.values[i * c.width + at];
        CHECK(cairn_table_put_numbers(ctx, table, model->inner.fields[f].name, column));
        at++;
    }
    CHECK(cairn_table_add_texts(ctx, table, "centre of", names));
    CHECK(cairn_table_set_role(ctx, table, "centre of", CAIRN_ID));
    *distance = c.distance;
    *out = TAKE(table);
    return CAIRN_OK;
}

enum { MOST_EXEMPLARS = 500, MOST_NEXT = 60, GRID = 240, MOST_DRAWN_ORDER = 30 };

typedef struct voronoi_params {
    cairn_compared_options compared;
    const char *distance;
    int order;
    double margin;
} voronoi_params;

static const cairn_param voronoi_table[] = {
    CAIRN_PARAM_GROUP(voronoi_params, compared, cairn_compared_group),
    CAIRN_DISTANCE_PARAM(voronoi_params),
    CAIRN_PARAM(voronoi_params, order, "1", "[1,2]",
                "1 = cells of the nearest exemplar, 2 = also of the nearest and the next",
                .often = true),
    CAIRN_PARAM(voronoi_params, margin, "0.25", "(0,100]",
                "how far the box reaches beyond the exemplars, as a share of their extent"),
    CAIRN_PARAM_END,
};

static cairn_status voronoi_check(cairn_context *ctx, const void *values)
{
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"),
                              ((const voronoi_params *)values)->distance);
}

typedef struct voronoi {
    cairn_compared compared;
    size_t n;
    double *points; /* n x 2 */
    const char **names;
    const char *distance; /* that of the model, where there is one */
    const char *scaled;   /* "standardised columns"; NULL = columns in their units */
    bool exact;           /* Euclidean: polygons; else a grid */
    cairn_plane_box box;
    cairn_convex *cells;   /* exact: in the box */
    double *between;       /* n x n: length of the edge of two cells in the box, or the sides of
                              grid squares that touch */
    unsigned char *beside; /* n x n: whether two cells have an edge anywhere */
    double *next;          /* n x n: area in which i is nearest and j the next; 0 = none anywhere */
    double *areas;         /* n: in the box */
    int32_t *colours;      /* n: those of neighbours differ as far as can be */
    int32_t *near, *second; /* grid: GRID x GRID, from the lower left, row by row */
} voronoi;

static void voronoi_clear(voronoi *v)
{
    cairn_compared_clear(&v->compared);
}

/* -- the plane -- */

/* The extent of the exemplars with a margin, which is wide enough for points on a line, too. */
static cairn_plane_box box_of(const double *points, size_t n, double margin)
{
    cairn_plane_box b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        b.low_x = fmin(b.low_x, points[2 * i]), b.high_x = fmax(b.high_x, points[2 * i]);
        b.low_y = fmin(b.low_y, points[2 * i + 1]), b.high_y = fmax(b.high_y, points[2 * i + 1]);
    }
    double wide = b.high_x - b.low_x, high = b.high_y - b.low_y, least = fmax(wide, high) / 2;
    if (!(least > 0)) least = 1;
    double by_x = margin * fmax(wide, least), by_y = margin * fmax(high, least);
    return (cairn_plane_box){b.low_x - by_x, b.high_x + by_x, b.low_y - by_y, b.high_y + by_y};
}

/* Two number columns, and few enough exemplars for a picture. */
static cairn_status read_points(cairn_context *ctx, voronoi *v, const cairn_compute_job *job)
{
    const voronoi_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *centres = NULL;
    v->distance = p->distance;
    if (job->model) {
        if (job->table || p->compared.points || p->compared.with)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s': the model's own centres have the cells; leave out the table, "
                              "{points} and {with}",
                              job->what);
        CHECK(model_centres(ctx, &centres, &v->distance, job));
        v->scaled = cairn_model_scaled(job->model);
    }
    CHECK(cairn_compared_read(ctx, &v->compared, &p->compared, centres ? centres : job->table,
                              job->what));
    CHECK(cairn_compared_plane(ctx, &v->compared, job->what));
    v->n = v->compared.view.rows.n;
    v->names = v->compared.names;
    if (v->n > MOST_EXEMPLARS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s': at most %d exemplars have cells that can be shown, and there are "
                          "%zu rows; give the exemplars alone, such as the centres of k-means",
                          job->what, MOST_EXEMPLARS, v->n);
    if (v->n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' needs two exemplars at least", job->what);
    CHECK(SCRATCH(ctx, &v->points, 2 * v->n));
    cairn_view_block(&v->compared.view, 0, v->n, v->points);
    v->box = box_of(v->points, v->n, p->margin);
    v->exact = strcmp(v->distance, "euclidean") == 0;
    CHECK(SCRATCH_EACH(ctx, cairn_product(v->n, v->n), &v->between, &v->next, &v->beside));
    CHECK(SCRATCH(ctx, &v->colours, v->n));
    return SCRATCH(ctx, &v->areas, v->n);
}

/* -- by polygons -- */

static double edge_length(const cairn_convex *c, size_t i)
{
    size_t next = (i + 1) % c->n;
    double x = c->x[next] - c->x[i], y = c->y[next] - c->y[i];
    return sqrt(x * x + y * y);
}

/* Edges and second-order parts in a box that holds everything but what runs to infinity. */
static cairn_status find_neighbours(cairn_context *ctx, voronoi *v)
{
    const double tolerance = 1e-9;
    size_t n = v->n;
    cairn_convex *cells, *parts;
    cairn_plane_box wide = box_of(v->points, n, 1e4);
    double size = v->box.high_x - v->box.low_x + v->box.high_y - v->box.low_y;
    CHECK(SCRATCH_EACH(ctx, n, &cells, &parts));
    CHECK(cairn_voronoi_cells(ctx, cells, v->points, n, &wide));
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cells[i].n; c++)
            if (cells[i].beside[c] >= 0 && edge_length(&cells[i], c) > tolerance * size)
                v->beside[i * n + (size_t)cells[i].beside[c]] = 1;
    for (size_t i = 0; i < n && n <= MOST_NEXT; i++) {
        SCOPED_SCRATCH(ctx);
        CHECK(cairn_voronoi_next(ctx, parts, &cells[i], i, v->points, n));
        for (size_t j = 0; j < n; j++)
            if (parts[j].n && cairn_convex_area(&parts[j]) > tolerance * size * size)
                v->next[i * n + j] = 1;
    }
    return CAIRN_OK;
}

/* -- by a grid -- */

/* Distances without polygons are asked at the centres of squares, none of them on the border. */
static cairn_status make_grid(cairn_context *ctx, cairn_table **out, const voronoi *v)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *x, *y;
    CHECK(SCRATCH_RAW_EACH(ctx, GRID * GRID, &x, &y));
    for (size_t at = 0; at < GRID * GRID; at++) {
        /* The centre of square (i, j) of the grid. */
        size_t i = at % GRID;
        x[at] = v->box.low_x + (v->box.high_x - v->box.low_x) * ((double)i + 0.5) / GRID;
        size_t j = at / GRID;
        y[at] = v->box.low_y + (v->box.high_y - v->box.low_y) * ((double)j + 0.5) / GRID;
    }
    CHECK(cairn_table_new(ctx, &table, GRID * GRID));
    CHECK(cairn_table_put_numbers(ctx, table, v->compared.view.names[0], x));
    CHECK(cairn_table_put_numbers(ctx, table, v->compared.view.names[1], y));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Distances that differ by rounding only are equal, and the first exemplar has the place. */
static void ask_place(voronoi *v, size_t at, const double *distances)
{
    int32_t best = 0, next = -1;
    for (size_t k = 1; k < v->n; k++) {
        if (distances[k] < distances[best] * (1 - 1e-12))
            next = best, best = (int32_t)k;
        else if (next < 0 || distances[k] < distances[next] * (1 - 1e-12))
            next = (int32_t)k;
    }
    v->near[at] = best;
    v->second[at] = next;
}

static void touch(voronoi *v, size_t a, size_t b, double side)
{
    size_t i = (size_t)v->near[a], j = (size_t)v->near[b];
    if (i == j) return;
    v->between[i * v->n + j] += side;
    v->between[j * v->n + i] += side;
    v->beside[i * v->n + j] = v->beside[j * v->n + i] = 1;
}

/* Every place of the grid is asked for its nearest exemplars, all at once. */
static cairn_status ask_grid(cairn_context *ctx, voronoi *v, const char *spec)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows exemplars = {0};
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows places = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_view grid;
    double *distances;
    CHECK(make_grid(ctx, &table, v));
    CHECK(cairn_view_make(ctx, &grid, table, cairn_all_rows(table)));
    CHECK(cairn_distance_rows_open(ctx, &exemplars, &v->compared.view, spec));
    CHECK(cairn_distance_rows_like(ctx, &places, &exemplars, &grid));
    CHECK(SCRATCH_RAW_EACH(ctx, GRID * GRID, &v->near, &v->second));
    CHECK(SCRATCH_RAW(ctx, &distances, cairn_product(GRID * GRID, v->n)));
    CHECK(cairn_distances_block(ctx, &places, NULL, GRID * GRID, &exemplars, 0, v->n, distances,
                                v->n));
    for (size_t at = 0; at < GRID * GRID; at++) ask_place(v, at, distances + at * v->n);
    double wide = (v->box.high_x - v->box.low_x) / GRID,
           high = (v->box.high_y - v->box.low_y) / GRID;
    for (size_t at = 0; at < GRID * GRID; at++) {
        v->areas[v->near[at]] += wide * high;
        v->next[(size_t)v->near[at] * v->n + (size_t)v->second[at]] += wide * high;
        if (at % GRID + 1 < GRID) touch(v, at, at + 1, high);
        if (at / GRID + 1 < GRID) touch(v, at, at + GRID, wide);
    }
    return CAIRN_OK;
}

/* -- colours -- */

/* Whether a colour is that of a neighbour before point i, or, if `alike`, one that looks like it
 * when it is light: blue and sky blue, orange and yellow. */
static bool is_beside(const voronoi *v, size_t i, int32_t colour, bool alike)
{
    static const int32_t like[] = {4, -1, -1, 7, 0, -1, -1, 3};
    for (size_t j = 0; j < i; j++) {
        if (!v->beside[i * v->n + j] && !v->beside[j * v->n + i]) continue;
        if (v->colours[j] == colour || (alike && v->colours[j] == like[colour])) return true;
    }
    return false;
}

/* Each point takes the colour of its number, or the next that no neighbour has. */
static void choose_colours(voronoi *v)
{
    enum { COLOURS = 8 };
    for (size_t i = 0; i < v->n; i++) {
        v->colours[i] = (int32_t)(i % COLOURS);
        for (int alike = 1; alike >= 0; alike--) {
            size_t k = 0;
            while (k < COLOURS && is_beside(v, i, (int32_t)((i + k) % COLOURS), alike)) k++;
            if (k == COLOURS) continue;
            v->colours[i] = (int32_t)((i + k) % COLOURS);
            break;
        }
    }
}

/* Exact cells are polygons; those of other distances are read off the squares of a grid. */
static cairn_status make_voronoi(cairn_context *ctx, voronoi *v, const cairn_compute_job *job)
{
    CHECK(read_points(ctx, v, job));
    if (!v->exact) {
        CHECK(ask_grid(ctx, v, v->distance));
    } else {
        CHECK(find_neighbours(ctx, v));
        /* Lengths and areas are those of the box that is drawn. */
        size_t n = v->n;
        CHECK(SCRATCH(ctx, &v->cells, n));
        CHECK(cairn_voronoi_cells(ctx, v->cells, v->points, n, &v->box));
        for (size_t i = 0; i < n; i++) {
            v->areas[i] = v->cells[i].n ? cairn_convex_area(&v->cells[i]) : 0;
            for (size_t c = 0; c < v->cells[i].n; c++)
                if (v->cells[i].beside[c] >= 0)
                    v->between[i * n + (size_t)v->cells[i].beside[c]] +=
                        edge_length(&v->cells[i], c);
        }
    }
    choose_colours(v);
    return CAIRN_OK;
}

/* -- showing -- */

/* A cell by its exemplar, its size in the box and its neighbours. */
static void show_cells(cairn_report *out, const voronoi *v, bool second)
{
    size_t n = v->n;
    cairn_report_table_of(out, "Cells", 0, "lrrrrl", "exemplar", v->compared.view.names[0],
                          v->compared.view.names[1], "area in the box", "neighbours", "which");
    for (size_t i = 0; i < n; i++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
        const char *key = cairn_report_key(out, v->names[i]);
        double count = 0, parts = 0;
        for (size_t j = 0; j < n; j++)
            count += v->beside[i * n + j], parts += v->next[i * n + j] > 0;
        bool any = false;
        for (size_t j = 0; j < v->n; j++) {
            if (!v->beside[i * v->n + j]) continue;
            if (any) cairn_text_add(&text, ", ");
            cairn_text_add(&text, v->names[j]);
            any = true;
        }
        cairn_report_cells(out, "- - - area.$1 neighbours.$1", v->names[i], v->points[2 * i],
                           v->points[2 * i + 1], v->areas[i], count, cairn_text_string(&text));
        if (second) cairn_report_hidden(out, parts, "regions.%s", key);
        cairn_report_failed(out, cairn_text_status(&text));
    }
}

static void show_second(cairn_report *out, const voronoi *v)
{
    size_t n = v->n;
    double regions = 0, unordered = 0;
    cairn_report_table_of(out, "Nearest and next exemplar", 0, "ll", "nearest", "next");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (!(v->next[i * n + j] > 0)) continue;
            regions++;
            unordered += i < j || !(v->next[j * n + i] > 0);
            cairn_report_cells(out, NULL, v->names[i], v->names[j]);
        }
    cairn_report_value(out, "regions of nearest and next", regions, "regions");
    cairn_report_value(out, "pairs without their order", unordered, "unordered");
}

/* "x = 0.5": the bisector of the first pairs, as the line on which both are equally far. */
static void work_bisectors(cairn_report *out, const voronoi *v)
{
    enum { MOST = 12 };
    size_t n = v->n, shown = 0;
    cairn_report_step_begin(out, "Bisectors of neighbouring exemplars");
    cairn_report_formula(out, "|x − a|² = |x − b|²   ⇔   2·(b − a)·x = |b|² − |a|²");
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && shown < MOST; j++) {
            SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
            const double *a = v->points + 2 * i, *b = v->points + 2 * j;
            if (!v->beside[i * n + j]) continue;
            cairn_text_addf(&label, "%s and %s: 2·(b − a)·x", v->names[i], v->names[j]);
            cairn_report_worked(out, cairn_text_string(&label),
                                "2·(# − #)·x + 2·(# − #)·y = #·x + #·y = #", b[0], a[0], b[1], a[1],
                                2 * (b[0] - a[0]), 2 * (b[1] - a[1]),
                                b[0] * b[0] + b[1] * b[1] - a[0] * a[0] - a[1] * a[1]);
            cairn_report_failed(out, cairn_text_status(&label));
            shown++;
        }
    cairn_report_step_end(out);
}

/* -- drawing -- */

/* The squares of one row of the grid that belong together are one strip. */
static void draw_grid(cairn_figure *figure, const voronoi *v, bool second)
{
    double wide = (v->box.high_x - v->box.low_x) / GRID,
           high = (v->box.high_y - v->box.low_y) / GRID;
    for (size_t row = 0; row < GRID; row++)
        for (size_t i = 0, end; i < GRID; i = end) {
            size_t at = row * GRID + i;
            double y = v->box.low_y + (double)row * high;
            for (end = i + 1; end < GRID; end++)
                if (v->near[row * GRID + end] != v->near[at] ||
                    (second && v->second[row * GRID + end] != v->second[at]))
                    break;
            double left = v->box.low_x + (double)i * wide,
                   right = v->box.low_x + (double)end * wide;
            const double x[] = {left, right, right, left}, up[] = {y, y, y + high, y + high};
            double strength = second ? 0.15 + 0.13 * (v->second[at] % 4) : 0.3;
            cairn_figure_side(figure, v->colours[v->near[at]], strength, x, up, 4);
        }
}

/* Parts of a cell that have another next exemplar are bounded by dashed lines: one line of all
 * strokes, so that they have one colour. */
static cairn_status draw_parts(cairn_context *ctx, cairn_figure *figure, const voronoi *v)
{
    size_t n = v->n, total = 0, at = 0;
    cairn_convex *parts;
    cairn_strokes *strokes;
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, n, &parts, &strokes));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_voronoi_next(ctx, parts, &v->cells[i], i, v->points, n));
        CHECK(cairn_voronoi_edges(ctx, &strokes[i], parts, n));
        total += strokes[i].n;
    }
    CHECK(SCRATCH_EACH(ctx, total + 1, &x, &y));
    for (size_t i = 0; i < n; at += strokes[i].n, i++) {
        memcpy(x + at, strokes[i].x, strokes[i].n * sizeof *x);
        memcpy(y + at, strokes[i].y, strokes[i].n * sizeof *y);
    }
    cairn_figure_dashed(figure, "next exemplar", x, y, total);
    return CAIRN_OK;
}

/* "petal_width, standardised columns" */
static cairn_status title_axes(cairn_context *ctx, cairn_figure *figure, const voronoi *v)
{
    SCOPED(cairn_text_clear) cairn_text x = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text y = cairn_text_start(ctx);
    cairn_text *titles[2] = {&x, &y};
    for (size_t j = 0; j < 2; j++) {
        cairn_text_add(titles[j], v->compared.view.names[j]);
        if (v->scaled) cairn_text_addf(titles[j], ", %s", v->scaled);
        CHECK(cairn_text_status(titles[j]));
    }
    cairn_figure_axes(figure, cairn_text_string(&x), cairn_text_string(&y));
    return CAIRN_OK;
}

/* Cells behind, then edges, then the exemplars with their names where there are few. */
static cairn_status draw_voronoi(cairn_context *ctx, cairn_figure **out, const voronoi *v,
                                 int order)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_strokes strokes;
    double *x, *y;
    CHECK(cairn_figure_new(ctx, &figure, "voronoi",
                           order == 2 ? "Nearest and next exemplar" : "Nearest exemplar"));
    cairn_figure_size(figure, 460, 420);
    CHECK(title_axes(ctx, figure, v));
    cairn_figure_equal_axes(figure);
    cairn_figure_x_range(figure, v->box.low_x, v->box.high_x);
    cairn_figure_y_range(figure, v->box.low_y, v->box.high_y);
    CHECK(SCRATCH_EACH(ctx, v->n, &x, &y));
    for (size_t i = 0; i < v->n; i++) {
        x[i] = v->points[2 * i], y[i] = v->points[2 * i + 1];
        if (v->exact && v->cells[i].n)
            cairn_figure_side(figure, v->colours[i], 0.3, v->cells[i].x, v->cells[i].y,
                              v->cells[i].n);
    }
    if (!v->exact) draw_grid(figure, v, order == 2);
    if (v->exact) {
        CHECK(cairn_voronoi_edges(ctx, &strokes, v->cells, v->n));
        cairn_figure_guide(figure, strokes.x, strokes.y, strokes.n);
        if (order == 2 && v->n <= MOST_NEXT) CHECK(draw_parts(ctx, figure, v));
    }
    cairn_figure_points(figure, x, y, v->colours, v->n, NULL, v->n);
    for (size_t i = 0; i < v->n && v->n <= MOST_DRAWN_ORDER; i++)
        cairn_figure_label(figure, x[i], y[i], v->names[i]);
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* Neighbours are told of the whole plane, areas of the box. */
static cairn_status voronoi_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const voronoi_params *p = job->params;
    SCOPED(voronoi_clear) voronoi v = {0};
    cairn_figure *figure = NULL;
    bool second = p->order == 2;
    CHECK(make_voronoi(ctx, &v, job));
    if (second && v.exact && v.n > MOST_NEXT)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{order 2}: pairs of nearest and next are told for at most %d exemplars, "
                          "and there are %zu",
                          MOST_NEXT, v.n);
    cairn_report_heading(out, 1, "Voronoi cells of %zu exemplars", v.n);
    cairn_report_word(out, "distance", v.distance, "distance");
    if (v.scaled) cairn_report_word(out, "places are of", v.scaled, "units");
    if (!v.exact)
        cairn_report_note(out,
                          "Cells by this distance have no straight edges: they are read off %d x "
                          "%d places of the box, and what touches outside the box is not seen.",
                          GRID, GRID);
    if (job->steps && v.exact) work_bisectors(out, &v);
    show_cells(out, &v, second);
    /* The pairs of cells that have an edge, and what the edge lies on. */
    size_t n = v.n;
    double edges = 0;
    cairn_report_table_of(out, "Edges between cells", 0, "llr", "exemplar", "exemplar",
                          "length in the box");
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if (!v.beside[i * n + j] && !v.beside[j * n + i]) continue;
            edges++;
            cairn_report_cells(out, "- - edge.$1.$2", v.names[i], v.names[j], v.between[i * n + j]);
        }
    cairn_report_value(out, "pairs of exemplars", (double)n * ((double)n - 1) / 2, "pairs");
    cairn_report_value(out, "of them with an edge", edges, "edges");
    if (second) show_second(out, &v);
    CHECK(draw_voronoi(ctx, &figure, &v, p->order));
    if (v.exact)
        cairn_report_figure(out, figure);
    else
        cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status voronoi_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    SCOPED(voronoi_clear) voronoi v = {0};
    CHECK(make_voronoi(ctx, &v, job));
    return draw_voronoi(ctx, out, &v, ((const voronoi_params *)job->params)->order);
}

const cairn_calculator cairn_compute_voronoi = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "voronoi",
         .also = "Voronoi diagram, Voronoi tessellation, nearest exemplar, Dirichlet, Delaunay",
         .title = "Voronoi cells of exemplars",
         .summary =
             "Which exemplar is nearest to every place of the plane: for each its cell, its "
             "area in the box that is drawn, and the exemplars whose cells have an edge with "
             "it; with --order 2 also the pairs of nearest and next exemplar that occur. "
             "Exemplars are typed, the rows of a table with two number columns, or the centres, "
             "medoids or exemplars of a model of two columns (kmeans, kmedoids, "
             "nearest-exemplar), by the distance of the model. By the "
             "Euclidean distance cells are exact polygons; by any other they are read off a "
             "grid of places.",
         .references = "Flach, Machine Learning, 2012; Aurenhammer, Voronoi diagrams: a survey "
                       "of a fundamental geometric data structure, 1991",
         .example = "cairn compute voronoi --points '0,0;1,1;1,-1;-1,1;-1,-1' --order 2",
         .params = voronoi_table,
         .params_size = sizeof(voronoi_params),
         .check = voronoi_check},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "voronoi",
                .also = "Voronoi diagram, nearest exemplar",
                .title = "Voronoi cells of exemplars",
                .summary = "The cells of the nearest exemplar, with --order 2 divided by the next "
                           "one; by any distance. Of a model the cells of its centres, medoids or "
                           "exemplars, over its two columns as the learner sees them.",
                .references = "Flach, Machine Learning, 2012",
                .example = "cairn draw voronoi --points '0,0;1,1;1,-1;-1,1;-1,-1' --order 2",
                .params = voronoi_table,
                .params_size = sizeof(voronoi_params),
                .check = voronoi_check},
    .arguments = "[MODEL | DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .takes_model = true,
    .run = voronoi_run,
    .draw = voronoi_draw,
};
