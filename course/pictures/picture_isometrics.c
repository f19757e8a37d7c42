/* SPDX-License-Identifier: MIT */
/* cairn draw isometrics: lines of equal value in coverage or ROC space, with candidates on them.
 *
 * Candidates are typed points, or the literals of a table: every level of a level column, and of a
 * number column the better side of its best cut. The best one by the first measure is marked, and
 * an arrow leads to it from the corner where everything is covered. */
#include "pictures/two_classes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "draw/contour.h"
#include "entry/split.h"
#include "stats/isometric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct isometrics_params {
    const char *measures, *points, *of_class, *columns;
    double positives, negatives, inflate;
    int space, lines, candidates;
    bool through, arrow;
} isometrics_params;

enum { SPACE_COVERAGE, SPACE_ROC };
enum { CANDIDATES_LITERALS, CANDIDATES_SPLITS };

static const cairn_choice spaces[] = {
    {"coverage", SPACE_COVERAGE, "axes count negatives and positives"},
    {"roc", SPACE_ROC, "axes are shares of the negatives and of the positives"},
    {NULL, 0, NULL},
};

static const cairn_choice candidate_kinds[] = {
    {"literals", CANDIDATES_LITERALS,
     "every level, and the better side of the best cut of a number"},
    {"splits", CANDIDATES_SPLITS,
     "of each way to part the rows in two the side with more positives"},
    {NULL, 0, NULL},
};

static const cairn_param isometrics_table[] = {
    CAIRN_PARAM(isometrics_params, measures, "precision", NULL,
                "what is equal on a line, separated by commas: accuracy, recall (average recall), "
                "precision, laplace, f; of the covered rows entropy, gini, sqrtgini, minority; of "
                "covered and other rows gain, gini-gain, sqrtgini-gain, minority-gain"),
    CAIRN_PARAM(isometrics_params, points, NULL, NULL,
                "candidates, typed: positives,negatives separated by semicolons, each perhaps with "
                "a name in front, such as 'A=8,2;B=10,6'"),
    CAIRN_PARAM(isometrics_params, positives, CAIRN_NOT_GIVEN, "(0,inf)",
                "number of positives, without data"),
    CAIRN_PARAM(isometrics_params, negatives, CAIRN_NOT_GIVEN, "(0,inf)",
                "number of negatives, without data"),
    CAIRN_PARAM(isometrics_params, of_class, NULL, NULL,
                "with data: the positive class; the positive one of two if not given"),
    CAIRN_PARAM_CHOICE(isometrics_params, candidates, "literals", candidate_kinds,
                       "with data: what the points are"),
    CAIRN_PARAM_AS(isometrics_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: columns that give candidates; all features if not given"),
    CAIRN_PARAM_CHOICE(isometrics_params, space, "coverage", spaces, "the plane"),
    CAIRN_PARAM(isometrics_params, lines, "9", "[0,50]", "number of lines of a measure"),
    CAIRN_PARAM(isometrics_params, through, "no", NULL,
                "lines through the candidates in place of lines of round values"),
    CAIRN_PARAM(isometrics_params, arrow, "yes", NULL, "an arrow to the best candidate"),
    CAIRN_PARAM(isometrics_params, inflate, "1", "(0,inf)",
                "draw a second panel in which every positive counts so often"),
    CAIRN_PARAM_END,
};

enum { MOST_CANDIDATES = 60, MOST_MEASURES = 4, MOST_LEVELS = 64 };

typedef struct candidate {
    const char *name; /* scratch */
    double p, n;
} candidate;

typedef struct isometric_map {
    cairn_context *ctx;
    const isometrics_params *params;
    const cairn_isometric *measures[MOST_MEASURES];
    size_t n_measures;
    double positives, negatives;
    candidate list[MOST_CANDIDATES];
    size_t n, left_out;
} isometric_map;

/* -- options -- */

/* All measures are drawn into one picture, so only a few can be told apart. */
static cairn_status read_measures(isometric_map *m)
{
    char **words;
    size_t n;
    CHECK(cairn_list_split(m->ctx, m->params->measures, &words, &n));
    if (n == 0 || n > MOST_MEASURES)
        return cairn_fail(m->ctx, CAIRN_USAGE, "{measures}: one to %d names are taken, not %zu",
                          MOST_MEASURES, n);
    for (size_t i = 0; i < n; i++) {
        m->measures[i] = cairn_isometric_find(words[i]);
        if (!m->measures[i])
            return cairn_fail(m->ctx, CAIRN_USAGE,
                              "{measures}: '%s' is none of accuracy, recall, precision, laplace, "
                              "f, entropy, gini, sqrtgini, minority, gain, gini-gain, "
                              "sqrtgini-gain, minority-gain",
                              words[i]);
    }
    m->n_measures = n;
    return CAIRN_OK;
}

static cairn_status keep_name(cairn_context *ctx, const char **out, const char *text, size_t length)
{
    char *copy;
    cairn_status status = SCRATCH(ctx, &copy, length + 1);
    if (status) return status;
    memcpy(copy, text, length);
    *out = copy;
    return CAIRN_OK;
}

static cairn_status add_candidate(isometric_map *m, const char *name, double p, double n)
{
    if (m->n == MOST_CANDIDATES) {
        m->left_out++;
        return CAIRN_OK;
    }
    candidate *c = &m->list[m->n++];
    c->p = p;
    c->n = n;
    return keep_name(m->ctx, &c->name, name, strlen(name));
}

/* One "8,2" or "[8+,2-]"; *at stands behind it and its semicolon then. */
static bool read_point(const char **at, double counts[2])
{
    const char *end = *at + strcspn(*at, ";"), *to = *at;
    if (*to == '[') {
        double amounts[2] = {0, 0};
        if (!cairn_segment_scan(&to, amounts)) return false;
        counts[0] = amounts[1];
        counts[1] = amounts[0];
        end = to;
    } else {
        to = cairn_number_scan(to, end, &counts[0]);
        if (to && to < end && *to == ',') to = cairn_number_scan(to + 1, end, &counts[1]);
    }
    *at = *end == ';' ? end + 1 : end;
    return to == end && counts[0] >= 0 && counts[1] >= 0;
}

/* 'A=8,2;B=10,6', or without names, or '[8+,2-][10+,6-]'. */
static cairn_status read_points(isometric_map *m)
{
    const char *at = m->params->points;
    while (at && *at) {
        const char *equals = memchr(at, '=', strcspn(at, ";"));
        const char *begin = at, *from = equals ? equals + 1 : at;
        double counts[2] = {-1, -1};
        size_t name = equals ? (size_t)(equals - at) : 0;
        at = from;
        if (!read_point(&at, counts))
            return cairn_fail_place(m->ctx, m->params->points, (size_t)(from - m->params->points),
                                    "{points}: positives,negatives are expected here");
        CHECK(add_candidate(m, "", counts[0], counts[1]));
        if (m->left_out)
            return cairn_fail(m->ctx, CAIRN_USAGE, "{points}: at most %d points are drawn",
                              MOST_CANDIDATES);
        CHECK(keep_name(m->ctx, &m->list[m->n - 1].name, begin, name));
    }
    return CAIRN_OK;
}

/* -- candidates of a table -- */

/* In a picture of splits the side with the larger share of positives stands for both. */
static cairn_status add_side(isometric_map *m, const char *name, double p, double n)
{
    bool split = m->params->candidates == CANDIDATES_SPLITS;
    if (p + n == 0 || (split && p * m->negatives < n * m->positives)) return CAIRN_OK;
    if (p == m->positives && n == m->negatives) return CAIRN_OK; /* covers all */
    return add_candidate(m, name, p, n);
}

/* The name of a column, short enough to leave room for its value. */
static void add_column_name(cairn_text *text, const char *name)
{
    enum { MOST_CELLS = 18 };
    size_t used = 0, at = 0, cells;
    while (name[at]) {
        size_t step = cairn_text_letter(name + at, &cells);
        if (used + cells > MOST_CELLS) break;
        used += cells;
        at += step;
    }
    cairn_text_add_bytes(text, name, at);
    if (name[at]) cairn_text_add(text, "…");
}

static cairn_status add_levels(isometric_map *m, const cairn_two_classes *classes,
                               const cairn_slot *slot)
{
    double(*counts)[2];
    size_t k = slot->column->names.n;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(m->ctx);
    CHECK(SCRATCH(m->ctx, &counts, k + 1));
    for (size_t i = 0; i < slot->column->n_rows; i++)
        if (classes->is_positive[i] >= 0 && slot->column->codes[i] >= 0)
            counts[slot->column->codes[i]][!classes->is_positive[i]] += classes->weights[i];
    for (size_t l = 0; l < k; l++) {
        name.length = 0;
        add_column_name(&name, slot->name);
        cairn_text_addf(&name, " = %s", cairn_map_key(&slot->column->names, l));
        CHECK(cairn_text_status(&name));
        CHECK(add_side(m, cairn_text_string(&name), counts[l][0], counts[l][1]));
    }
    return CAIRN_OK;
}

/* A row of a number column, for finding its best cut. */
typedef struct valued {
    double value, weight;
    bool positive;
} valued;

static int by_value(const void *a, const void *b)
{
    double x = ((const valued *)a)->value, y = ((const valued *)b)->value;
    return (x > y) - (x < y);
}

/* The cut and the side that are best by the first measure. */
static cairn_status add_cut(isometric_map *m, const cairn_two_classes *classes,
                            const cairn_slot *slot)
{
    const cairn_isometric *measure = m->measures[0];
    double p = 0, n = 0, all_p = 0, all_n = 0, best_p = 0, best_n = 0, best = -INFINITY, cut = NAN;
    valued *rows;
    size_t count = 0;
    bool above = false;
    char number[CAIRN_NUMBER_SIZE];
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(m->ctx);
    CHECK(SCRATCH(m->ctx, &rows, slot->column->n_rows + 1));
    for (size_t i = 0; i < slot->column->n_rows; i++) {
        double x = slot->column->numbers[i];
        if (isnan(x) || classes->is_positive[i] < 0) continue;
        rows[count++] = (valued){x, classes->weights[i], classes->is_positive[i] > 0};
        *(classes->is_positive[i] ? &all_p : &all_n) += classes->weights[i];
    }
    if (count > 1) qsort(rows, count, sizeof *rows, by_value);
    for (size_t i = 0; i + 1 < count; i++) {
        *(rows[i].positive ? &p : &n) += rows[i].weight;
        if (rows[i].value == rows[i + 1].value) continue;
        for (int upper = 0; upper < 2; upper++) {
            double value = measure->value(upper ? all_p - p : p, upper ? all_n - n : n,
                                          m->positives, m->negatives);
            if (measure->least) value = -value;
            if (!(value > best + 1e-12)) continue;
            best = value;
            best_p = p;
            best_n = n;
            cut = (rows[i].value + rows[i + 1].value) / 2;
            above = upper;
        }
    }
    if (isnan(cut)) return CAIRN_OK;
    cairn_number_format(number, cut, 4);
    add_column_name(&name, slot->name);
    cairn_text_addf(&name, " %s %s", above ? ">" : "≤", number);
    CHECK(cairn_text_status(&name));
    return add_candidate(m, cairn_text_string(&name), above ? all_p - best_p : best_p,
                         above ? all_n - best_n : best_n);
}

static cairn_status add_column(isometric_map *m, const cairn_two_classes *classes, size_t column)
{
    const cairn_slot *slot = &classes->table->slots[column];
    if (slot->column->kind == CAIRN_LEVEL) return add_levels(m, classes, slot);
    if (slot->column->numbers) return add_cut(m, classes, slot);
    return CAIRN_OK;
}

/* Candidates are the levels and cuts of the columns, counted in two classes; the table then fixes
 * the size of the box. */
static cairn_status read_table(isometric_map *m, const cairn_table *table)
{
    cairn_two_classes classes = {0};
    char **words;
    size_t n, at;
    cairn_status status;
    if (!isnan(m->params->positives) || !isnan(m->params->negatives))
        return cairn_fail(m->ctx, CAIRN_USAGE,
                          "{positives} and {negatives} are for pictures without data");
    TRY(cairn_two_classes_find(m->ctx, &classes, table, m->params->of_class));
    m->positives = m->negatives = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        if (classes.is_positive[i] >= 0)
            *(classes.is_positive[i] ? &m->positives : &m->negatives) += classes.weights[i];
    if (m->params->columns) {
        TRY(cairn_list_split(m->ctx, m->params->columns, &words, &n));
        for (size_t i = 0; i < n; i++) {
            TRY(cairn_table_get(m->ctx, table, words[i], &at));
            TRY(add_column(m, &classes, at));
        }
    } else {
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->slots[c].role == CAIRN_FEATURE) TRY(add_column(m, &classes, c));
    }
    if (m->left_out)
        cairn_warn(m->ctx, "%zu candidates are not drawn; {columns} chooses", m->left_out);
done:
    cairn_table_free(classes.table);
    return status;
}

/* -- the figure -- */

static size_t best_of(const isometric_map *m, double factor)
{
    const cairn_isometric *measure = m->measures[0];
    size_t best = m->n;
    double most = 0;
    for (size_t i = 0; i < m->n; i++) {
        double value = measure->value(m->list[i].p * factor, m->list[i].n, m->positives * factor,
                                      m->negatives);
        if (measure->least) value = -value;
        if (isnan(value) || (best < m->n && !(value > most + 1e-12))) continue;
        best = i;
        most = value;
    }
    return best;
}

/* Round values between the extremes, or those of the candidates, each once. */
static size_t choose_levels(const isometric_map *m, const cairn_isometric_plane *plane, double low,
                            double high, double levels[MOST_LEVELS])
{
    size_t n = 0;
    if (!m->params->through) {
        for (int i = 1; i <= m->params->lines; i++)
            levels[n++] = low + (high - low) * i / (m->params->lines + 1);
        return n;
    }
    double factor = plane->positives / m->positives;
    for (size_t i = 0; i < m->n; i++) {
        double value = plane->measure->value(m->list[i].p * factor, m->list[i].n, plane->positives,
                                             plane->negatives);
        bool known = isnan(value) || value <= low || value >= high;
        for (size_t k = 0; k < n && !known; k++) known = fabs(levels[k] - value) < 1e-9;
        if (!known && n < MOST_LEVELS) levels[n++] = value;
    }
    return n;
}

/* The value of a line where it leaves the box at the top or on the right. */
static cairn_status label_levels(const isometric_map *m, cairn_figure *f,
                                 const cairn_contour_grid *grid, const double *levels, size_t n)
{
    cairn_status status = CAIRN_OK;
    double right = grid->dx * (double)(grid->nx - 1), top = grid->dy * (double)(grid->ny - 1);
    for (size_t k = 0; k < n && !status; k++) {
        cairn_contour line;
        char number[CAIRN_NUMBER_SIZE];
        size_t best = 0;
        cairn_scratch_mark mark = cairn_scratch_now(m->ctx);
        TRY(cairn_contour_trace(m->ctx, &line, grid, levels[k]));
        for (size_t i = 1; i < line.n; i++) /* the farthest up and to the right */
            if (line.x[i] / right + 1.01 * line.y[i] / top >
                line.x[best] / right + 1.01 * line.y[best] / top)
                best = i;
        cairn_number_format(number, levels[k], 3);
        if (line.n) cairn_figure_label(f, line.x[best], line.y[best], number);
        cairn_scratch_release(m->ctx, mark);
    }
done:
    return status;
}

/* The best candidate is judged by the first measure, with positives counted `factor` times; the
 * arrow leads from the corner of all rows to it. */
static void add_points(const isometric_map *m, cairn_figure *f, double factor, double right,
                       double top)
{
    double x[MOST_CANDIDATES], y[MOST_CANDIDATES];
    size_t best = best_of(m, factor);
    for (size_t i = 0; i < m->n; i++) {
        x[i] = m->list[i].n / m->negatives * right;
        y[i] = m->list[i].p / m->positives * top;
        if (*m->list[i].name) cairn_figure_label(f, x[i], y[i], m->list[i].name);
    }
    if (m->n) cairn_figure_points(f, x, y, NULL, m->n, NULL, 0);
    if (best == m->n) return;
    char label[48], number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number,
                        m->measures[0]->value(m->list[best].p * factor, m->list[best].n,
                                              m->positives * factor, m->negatives),
                        4);
    (void)snprintf(label, sizeof label, "best: %.24s", number);
    cairn_figure_mark(f, label, x[best], y[best]);
    if (m->params->arrow)
        cairn_figure_arrow(f, NULL, (double[]){right, x[best]}, (double[]){top, y[best]}, 2);
}

/* One panel holds all measures; levels are labelled only where one measure stands alone. */
static cairn_status draw_panel(const isometric_map *m, cairn_figure **out, const char *title,
                               double factor)
{
    bool roc = m->params->space == SPACE_ROC;
    double right = roc ? 1 : m->negatives, top = roc ? 1 : m->positives * factor;
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    CHECK(cairn_figure_new(m->ctx, &f, "isometrics", title));
    cairn_figure_size(f, 470, 420);
    cairn_figure_axes(f, roc ? "false positive rate" : "negatives covered",
                      roc ? "true positive rate" : "positives covered");
    cairn_figure_coverage_box(f, right, top);
    for (size_t i = 0; i < m->n_measures; i++) {
        cairn_isometric_plane plane = {m->measures[i], m->positives * factor, m->negatives,
                                       m->negatives / right, m->positives * factor / top};
        cairn_contour_grid grid;
        double low, high, levels[MOST_LEVELS];
        CHECK(cairn_contour_sample(m->ctx, &grid, cairn_isometric_at, &plane, right, top, &low,
                                   &high));
        size_t n = choose_levels(m, &plane, low, high, levels);
        CHECK(cairn_contour_add(m->ctx, f, m->measures[i]->title, &grid, levels, n));
        if (m->n_measures == 1) CHECK(label_levels(m, f, &grid, levels, n));
    }
    add_points(m, f, factor, right, top);
    *out = TAKE(f);
    return CAIRN_OK;
}

/* With inflated positives a second panel shows what the change does to the lines and to the best
 * candidate. */
static cairn_status isometrics_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    isometric_map *m;
    cairn_figure *panel = NULL;
    OWNED(cairn_figure_free) cairn_figure *both = NULL;
    char title[64], number[CAIRN_NUMBER_SIZE];
    CHECK(SCRATCH(ctx, &m, 1));
    m->ctx = ctx;
    m->params = job->params;
    m->positives = m->params->positives;
    m->negatives = m->params->negatives;
    CHECK(read_measures(m));
    if (job->table) CHECK(read_table(m, job->table));
    CHECK(read_points(m));
    if (!(m->positives > 0 && m->negatives > 0))
        return cairn_fail(m->ctx, CAIRN_USAGE,
                          "'draw isometrics' needs data with two classes, or {positives} and "
                          "{negatives}");
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i].p > m->positives || m->list[i].n > m->negatives)
            return cairn_fail(m->ctx, CAIRN_USAGE,
                              "{points}: point %zu lies outside the box of the classes", i + 1);
    if (m->params->through && !m->n)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{through} needs candidates: data or {points}"));
    if (m->params->inflate == 1) {
        CHECK(draw_panel(m, out, "Lines of equal value", 1));
        return CAIRN_OK;
    }
    cairn_number_format(number, m->params->inflate, 6);
    (void)snprintf(title, sizeof title, "Every positive %.24s times", number);
    CHECK(cairn_figure_new(ctx, &both, "isometrics", NULL));
    CHECK(draw_panel(m, &panel, "Lines of equal value", 1));
    cairn_figure_panel(both, panel);
    CHECK(draw_panel(m, &panel, title, m->params->inflate));
    cairn_figure_panel(both, panel);
    *out = TAKE(both);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_isometrics = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "isometrics",
                .also = "isometrics plot, iso-lines, PN space",
                .title = "Lines of equal value, with candidates",
                .summary =
                    "Draws the lines of coverage or ROC space on which a measure is the same "
                    "(precision, average recall, impurities, information gain and others), "
                    "with candidates as points: typed ones, or the literals or splits of a "
                    "table. The best by the first measure is marked. --inflate shows what "
                    "happens when a class becomes more frequent.",
                .references = "Fürnkranz, Flach: ROC 'n' Rule Learning, Machine Learning 58, 2005",
                .example = "cairn draw isometrics @dolphins --measures precision",
                .params = isometrics_table,
                .params_size = sizeof(isometrics_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = isometrics_draw,
};
