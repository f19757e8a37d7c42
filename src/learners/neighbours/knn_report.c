/* SPDX-License-Identifier: MIT */
/* What knn shows: the sorted table of distances of a query and the vote, the table of k against
 * accuracy, and in one dimension the curve of a regression. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "learners/neighbours/knn.h"
#include "model/chain.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SHOWN_COLUMNS = 6,
    SHOWN_ROWS = 50,
    EXTRA_ROWS = 5, /* beyond k when a prediction is explained */
    STEP_ROWS = 3,  /* training rows that are shown as queries */
    CURVE_POINTS = 200,
    MOST_POINTS = 2000
};

/* -- names -- */

/* Field of feature j, NULL when there is none. */
static const cairn_field *feature_field(const cairn_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && j-- == 0) return &schema->fields[i];
    return NULL;
}

static const char *feature_name(const cairn_schema *schema, size_t j)
{
    const cairn_field *field = feature_field(schema, j);
    return field ? field->name : "?";
}

static const cairn_field *target_field(const cairn_schema *schema)
{
    ptrdiff_t at = cairn_schema_role(schema, CAIRN_TARGET);
    return at < 0 ? NULL : &schema->fields[at];
}

static const char *target_name(const cairn_schema *schema)
{
    const cairn_field *field = target_field(schema);
    return field ? field->name : "answer";
}

static const char *class_name(const cairn_job *job, int32_t code)
{
    const cairn_field *field = target_field(job->schema);
    return field && code >= 0 && (size_t)code < field->names.n
               ? cairn_map_key(&field->names, (size_t)code)
               : "?";
}

/* -- one query -- */

typedef struct shown {
    const cairn_knn_model *m;
    const cairn_job *job;
    const char *prefix; /* of all names */
    size_t k;           /* neighbours that decide */
    size_t n;           /* rows of the table */
    size_t others;      /* training rows that could be in it */
    const uint32_t *rows;
    const double *distances;
    const cairn_knn_answer *answer;
    const double *place; /* numbers of the query; NULL = there are none */
} shown;

/* Columns of the training rows that can be shown. */
static size_t shown_columns(const cairn_knn_model *m)
{
    bool numbers = !m->given && m->points.width && (!m->metric.distance->place || m->values) &&
                   m->n_columns <= SHOWN_COLUMNS;
    return numbers ? m->n_columns : 0;
}

/* Squares are what is worked with where the distance is a root. */
static bool has_squares(const cairn_knn_model *m)
{
    return !m->given && (m->metric.rooted || m->metric.distance->value) &&
           (m->metric.family == CAIRN_BY_SQUARES || m->metric.kernel.function);
}

/* Rows are numbered as in the table; marked ones are among the k, those after them only show
 * what was close. */
static void show_neighbour(cairn_report *out, const shown *s, size_t i, size_t columns)
{
    const cairn_knn_model *m = s->m;
    size_t row = s->rows[i], number = (size_t)m->numbers[row] + 1;
    double d = s->distances[i];
    cairn_report_cellf(out, "%zu", i + 1);
    cairn_report_cell_number(out, (double)number, 0, "%srank%zu.row", s->prefix, i + 1);
    for (size_t j = 0; j < columns; j++) {
        const cairn_field *field = feature_field(s->job->schema, j);
        double x = cairn_knn_row(s->m, row)[j];
        if (field && field->kind == CAIRN_LEVEL)
            cairn_report_cell(out, x >= 0 && x < (double)field->names.n
                                       ? cairn_map_key(&field->names, (size_t)x)
                                       : "?");
        else
            cairn_report_cell_number(out, x, 0, NULL);
    }
    if (has_squares(m)) cairn_report_cell_number(out, d * d, 0, "%ssquared.%zu", s->prefix, number);
    cairn_report_cell_number(out, d, 0, "%sdistance.%zu", s->prefix, number);
    if (m->codes)
        cairn_report_cell_word(out, class_name(s->job, m->codes[row]), "%srank%zu.class", s->prefix,
                               i + 1);
    else
        cairn_report_cell_number(out, m->targets[row], 0, "%srank%zu.target", s->prefix, i + 1);
    if (i < s->k) cairn_report_row_mark(out);
    if (i < s->k)
        cairn_report_cell_number(out, s->answer->weights[i], 0, "%sweight.%zu", s->prefix, number);
    else
        cairn_report_cell(out, "");
}

/* How distances and weights come about. */
static void show_formulas(cairn_report *out, const cairn_knn_model *m, const cairn_knn_params *p)
{
    static const char *const windows[] = {
        [CAIRN_WINDOW_GAUSSIAN] = "w = exp(−u²/2),   u = d / width",
        [CAIRN_WINDOW_EPANECHNIKOV] = "w = 1 − u² where u < 1, else 0,   u = d / width",
        [CAIRN_WINDOW_TRICUBE] = "w = (1 − u³)³ where u < 1, else 0,   u = d / width",
        [CAIRN_WINDOW_TRIANGLE] = "w = 1 − u where u < 1, else 0,   u = d / width"};
    if (!m->given) cairn_report_formula(out, "%s", m->metric.distance->formula);
    if (p->weights == CAIRN_KNN_INVERSE) cairn_report_formula(out, "w = 1 / d");
    if (p->weights == CAIRN_KNN_INVERSE_SQUARE) cairn_report_formula(out, "w = 1 / d²");
    if (p->weights == CAIRN_KNN_KERNEL) cairn_report_formula(out, "%s", windows[p->window]);
}

/* The distance of the nearest row with its numbers put in, where it is a sum over columns. */
static void show_nearest(cairn_report *out, const shown *s)
{
    const cairn_knn_model *m = s->m;
    bool squares = m->metric.family == CAIRN_BY_SQUARES;
    if (!shown_columns(m) || m->metric.distance->place || m->metric.kernel.function || !s->place)
        return;
    if (!squares && m->metric.family != CAIRN_BY_ABSOLUTES) return;
    cairn_text parts = cairn_text_start(cairn_report_context(out)), sums = parts;
    double total = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        double x = cairn_knn_row(m, s->rows[0])[j], q = s->place[j], gap = fabs(x - q);
        cairn_text_add(&parts, j ? squares ? " + (" : " + |" : squares ? "(" : "|");
        cairn_text_add_number(&parts, x, 6);
        cairn_text_add(&parts, q < 0 ? " + " : " − ");
        cairn_text_add_number(&parts, fabs(q), 6);
        cairn_text_add(&parts, squares ? ")²" : "|");
        if (j) cairn_text_add(&sums, " + ");
        cairn_text_add_number(&sums, squares ? gap * gap : gap, 6);
        total += squares ? gap * gap : gap;
    }
    char sum[CAIRN_NUMBER_SIZE];
    cairn_number_format(sum, total, 6);
    bool several = m->n_columns > 1;
    cairn_report_formula(out, "d%s(row %u) = %s%s%s = %s", has_squares(m) ? "²" : "",
                         m->numbers[s->rows[0]] + 1, cairn_text_string(&parts),
                         several ? " = " : "", several ? cairn_text_string(&sums) : "", sum);
    cairn_report_failed(out, cairn_text_status(&parts));
    cairn_report_failed(out, cairn_text_status(&sums));
    cairn_text_clear(&parts);
    cairn_text_clear(&sums);
}

/* Rows beyond the k nearest that are as near as the last of them. */
static void show_equals(cairn_report *out, const shown *s)
{
    size_t n = 0;
    while (s->k + n < s->n && s->distances[s->k + n] == s->distances[s->k - 1]) n++;
    bool more = s->k + n == s->n && s->n < s->others && n > 0;
    cairn_report_hidden(out, (double)n, "%sequals", s->prefix);
    if (n)
        cairn_report_paragraph(out,
                               "%zu%s %s as near as the last neighbour; those that come first in "
                               "the table are taken.",
                               n,
                               more    ? " or more other rows"
                               : n > 1 ? " other rows"
                                       : " other row",
                               n > 1 || more ? "are" : "is");
}

static void show_table(cairn_report *out, const shown *s)
{
    size_t columns = shown_columns(s->m);
    cairn_report_table_of(out, "Training rows by distance; the marked ones decide", SHOWN_ROWS,
                          "rr", "rank", "row");
    for (size_t j = 0; j < columns; j++)
        cairn_report_column(out, feature_name(s->job->schema, j), 'r');
    if (has_squares(s->m)) cairn_report_column(out, "squared", 'r');
    cairn_report_column(out, "distance", 'r');
    cairn_report_column(out, target_name(s->job->schema), s->m->codes ? 'l' : 'r');
    cairn_report_column(out, "weight", 'r');
    for (size_t i = 0; i < s->n; i++) show_neighbour(out, s, i, columns);
    cairn_report_table_end(out);
    size_t more = s->others - s->n;
    if (more)
        cairn_report_paragraph(out, "%zu more training row%s farther away.", more,
                               more == 1 ? " is" : "s are");
}

/* Both the number of neighbours and their weight are shown, since with weights a smaller group
 * may win. */
static void show_vote(cairn_report *out, const shown *s)
{
    cairn_report_formula(out, "share of class c = Σ weights of its neighbours / Σ all weights");
    cairn_report_table_of(out, "Vote", 200, "lrrr", "class", "neighbours", "weight", "share");
    for (size_t c = 0; c < s->job->n_classes; c++) {
        const char *name = class_name(s->job, (int32_t)c), *key = cairn_report_key(out, name);
        size_t count = 0;
        double weight = 0;
        for (size_t i = 0; i < s->k; i++) {
            if (s->m->codes[s->rows[i]] != (int32_t)c) continue;
            count++;
            weight += s->answer->weights[i];
        }
        if (s->answer->code == (int32_t)c) cairn_report_row_mark(out);
        cairn_report_cells(out, NULL, name, count);
        cairn_report_cell_number(out, weight, 0, "%svotes.%s", s->prefix, key);
        cairn_report_cell_number(out, s->answer->shares[c], 0, "%sshare.%s", s->prefix, key);
    }
    cairn_report_table_end(out);
    /* Tells how the tie was broken, as another rule would have given another class. */
    const cairn_knn_params *p = s->job->params;
    cairn_report_hidden(out, (double)s->answer->tied, "%stied", s->prefix);
    if (s->answer->tied) {
        if (p->tie == CAIRN_KNN_NEAREST)
            cairn_report_paragraph(out,
                                   "%zu classes share the first place; the one with the nearest "
                                   "neighbour wins ({tie nearest}).",
                                   s->answer->tied);
        else if (p->tie == CAIRN_KNN_SMALLER_K)
            cairn_report_paragraph(out,
                                   "%zu classes share the first place; the nearest %zu neighbours "
                                   "alone decide ({tie smaller-k}).",
                                   s->answer->tied, s->answer->used);
        else
            cairn_report_paragraph(
                out, "%zu classes share the first place; the first of them wins ({tie first}).",
                s->answer->tied);
    }
    cairn_report_word(out, "class", class_name(s->job, s->answer->code), "%sclass", s->prefix);
}

/* One column: the slope from sums of products about the means, as it is done by hand. */
static void show_slope(cairn_report *out, const shown *s)
{
    const char *x = feature_name(s->job->schema, 0), *y = target_name(s->job->schema);
    double total = 0, mean_x = 0, mean_y = 0, products = 0, squares = 0;
    char texts[5][CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < s->k; i++) {
        double w = s->answer->weights[i];
        total += w;
        mean_x += w * (cairn_knn_row(s->m, s->rows[i])[0] - s->place[0]);
        mean_y += w * s->m->targets[s->rows[i]];
    }
    mean_x = s->place[0] + mean_x / total;
    mean_y /= total;
    for (size_t i = 0; i < s->k; i++) {
        double away = cairn_knn_row(s->m, s->rows[i])[0] - mean_x, w = s->answer->weights[i];
        products += w * away * (s->m->targets[s->rows[i]] - mean_y);
        squares += w * away * away;
    }
    cairn_number_format(texts[3], mean_x, 6);
    cairn_number_format(texts[4], mean_y, 6);
    cairn_report_formula(out, "mean of %s = %s,   mean of %s = %s", x, texts[3], y, texts[4]);
    cairn_report_hidden(out, mean_x, "%smean.column", s->prefix);
    cairn_report_hidden(out, mean_y, "%smean.target", s->prefix);
    cairn_report_hidden(out, products, "%ssum.products", s->prefix);
    cairn_report_hidden(out, squares, "%ssum.squares", s->prefix);
    if (!(squares > 0) || s->answer->rank < 2) return;
    cairn_number_format(texts[0], products, 6);
    cairn_number_format(texts[1], squares, 6);
    cairn_number_format(texts[2], products / squares, 6);
    cairn_report_formula(out,
                         "slope = Σ w·(%s − mean)·(%s − mean) / Σ w·(%s − mean)² = %s / %s = %s", x,
                         y, x, texts[0], texts[1], texts[2]);
}

/* The line in the columns themselves: y = w0 + w1 x1 + ... */
static void show_line(cairn_report *out, const shown *s)
{
    size_t n = s->m->n_columns;
    double constant = s->answer->terms[0];
    for (size_t j = 0; j < n; j++) constant -= s->answer->terms[1 + j] * s->place[j];
    if (n == 1) show_slope(out, s);
    cairn_report_table_of(out, "The line through the neighbours", SHOWN_ROWS, "lr", "term",
                          "coefficient");
    cairn_report_cell(out, "constant");
    cairn_report_cell_number(out, constant, 0, "%sw.constant", s->prefix);
    for (size_t j = 0, at = 0; j < n; j++) {
        const char *name = cairn_schema_next_name(s->job->schema, &at);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, s->answer->terms[1 + j], 0, "%sw.%s", s->prefix,
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    /* y = w0 + w1·x1 + ... with the numbers of the query put in. */
    if (s->m->n_columns > SHOWN_COLUMNS) return;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_add_number(&text, constant, 6);
    for (size_t j = 0; j < s->m->n_columns; j++) {
        double w = s->answer->terms[1 + j];
        cairn_text_add(&text, w < 0 ? " − " : " + ");
        cairn_text_add_number(&text, fabs(w), 6);
        cairn_text_add(&text, s->place[j] < 0 ? "·(" : "·");
        cairn_text_add_number(&text, s->place[j], 6);
        if (s->place[j] < 0) cairn_text_add(&text, ")");
    }
    cairn_text_add(&text, " = ");
    cairn_text_add_number(&text, s->answer->number, 6);
    cairn_report_formula(out, "%s = %s", target_name(s->job->schema), cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* Powers are of the difference from the query, so that the constant is the answer. */
static void show_powers(cairn_report *out, const shown *s)
{
    const cairn_knn_params *p = s->job->params;
    size_t degree = (size_t)p->degree;
    cairn_report_table_of(out, "The polynomial through the neighbours, measured from the query",
                          SHOWN_ROWS, "lr", "term", "coefficient");
    cairn_report_cell(out, "constant");
    cairn_report_cell_number(out, s->answer->terms[0], 0, "%sterm.constant", s->prefix);
    for (size_t j = 0; j < s->m->n_columns; j++)
        for (size_t power = 1; power <= degree; power++) {
            const char *name = feature_name(s->job->schema, j);
            char at[CAIRN_NUMBER_SIZE];
            cairn_number_format(at, s->place[j], 6);
            cairn_report_cellf(out, "(%s − %s)^%zu", name, at, power);
            cairn_report_cell_number(out, s->answer->terms[1 + j * degree + power - 1], 0,
                                     "%sterm.%s.%zu", s->prefix, cairn_report_key(out, name),
                                     power);
        }
    cairn_report_table_end(out);
}

/* Says when neighbours are too few for the coefficients: then the fit is exact and tells nothing
 * about new rows. */
static void show_number(cairn_report *out, const shown *s)
{
    const cairn_knn_params *p = s->job->params;
    size_t n_terms = cairn_knn_terms(p, s->m->n_columns);
    if (p->local == CAIRN_KNN_MEAN) {
        /* The mean with its numbers put in: (2·8.8 + 1·16.3) / 3 = 11.3. */
        enum { PUT_IN = 10 };
        const char *name = target_name(s->job->schema);
        bool equal = p->weights == CAIRN_KNN_EQUAL && !s->m->weights;
        cairn_report_formula(out, "answer = Σ w·%s / Σ w", name);
        if (!(s->k > PUT_IN)) {
            cairn_text text = cairn_text_start(cairn_report_context(out));
            double total = 0;
            for (size_t i = 0; i < s->k; i++) {
                double target = s->m->targets[s->rows[i]];
                cairn_text_add(&text, i == 0 ? "" : equal && target < 0 ? " − " : " + ");
                if (!equal) cairn_text_add_number(&text, s->answer->weights[i], 6);
                if (!equal) cairn_text_add(&text, target < 0 ? "·(" : "·");
                cairn_text_add_number(&text, equal && i ? fabs(target) : target, 6);
                if (!equal && target < 0) cairn_text_add(&text, ")");
                total += s->answer->weights[i];
            }
            char below[CAIRN_NUMBER_SIZE], answer[CAIRN_NUMBER_SIZE];
            cairn_number_format(below, total, 6);
            cairn_number_format(answer, s->answer->number, 6);
            cairn_report_formula(out, "%s = (%s) / %s = %s", name, cairn_text_string(&text), below,
                                 answer);
            cairn_report_failed(out, cairn_text_status(&text));
            cairn_text_clear(&text);
        }
    } else if (s->answer->flat)
        cairn_report_paragraph(out, "A cell of the query or of a neighbour is missing, so nothing "
                                    "can be fitted, and their mean is taken.");
    else if (p->local == CAIRN_KNN_LINE)
        show_line(out, s);
    else
        show_powers(out, s);
    if (n_terms && !s->answer->flat && s->answer->rank < n_terms)
        cairn_report_note(out,
                          "%zu neighbours determine %zu of the %zu coefficients; the rest are as "
                          "small as they can be. A larger {k} helps.",
                          s->k, s->answer->rank, n_terms);
    cairn_report_value(out, target_name(s->job->schema), s->answer->number, "%svalue", s->prefix);
}

/* -- the picture of a query -- */

static bool is_plane(const shown *s)
{
    const cairn_knn_model *m = s->m;
    if (m->given || !m->points.width || m->n_columns != 2 || !s->place || m->n > MOST_POINTS)
        return false;
    if (m->metric.distance->place || m->metric.family == CAIRN_BY_PAIRS ||
        m->metric.kernel.function)
        return false;
    return isfinite(s->place[0]) && isfinite(s->place[1]) &&
           feature_field(s->job->schema, 0)->kind == CAIRN_NUMBER &&
           feature_field(s->job->schema, 1)->kind == CAIRN_NUMBER;
}

/* Two columns: the training rows, the query, and the circle that holds its neighbours. */
static cairn_status draw_query(cairn_report *out, const shown *s)
{
    enum { CIRCLE = 181 };
    cairn_context *ctx = cairn_report_context(out);
    const cairn_knn_model *m = s->m;
    cairn_figure *figure = NULL;
    double *x, *y, circle_x[CIRCLE], circle_y[CIRCLE];
    const char **names;
    if (!ctx || !is_plane(s)) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, m->n, &x, &y));
    CHECK(SCRATCH(ctx, &names, s->job->n_classes + 1));
    for (size_t i = 0; i < m->n; i++) x[i] = cairn_knn_row(m, i)[0], y[i] = cairn_knn_row(m, i)[1];
    for (size_t c = 0; c < s->job->n_classes; c++) names[c] = class_name(s->job, (int32_t)c);
    CHECK(cairn_figure_new(ctx, &figure, "query", "The query and its neighbours"));
    cairn_figure_size(figure, 440, 400);
    cairn_figure_axes(figure, feature_name(s->job->schema, 0), feature_name(s->job->schema, 1));
    cairn_figure_equal_axes(figure);
    cairn_figure_points(figure, x, y, m->codes, m->n, m->codes ? names : NULL,
                        m->codes ? s->job->n_classes : 0);
    /* The points at distance `radius` from the query: a circle, or what is one for the distance. */
    size_t n = CIRCLE;
    double radius = s->distances[s->k - 1];
    const double turn = 6.283185307179586;
    for (size_t i = 0; i < n; i++) {
        double angle = turn * (double)i / (double)(n - 1);
        double direction[2] = {cairn_cos(angle), cairn_sin(angle)}, zero[2] = {0};
        cairn_points a = {.n = 1, .width = 2, .places = zero}, b = a;
        b.places = direction;
        double length = cairn_metric_value(&s->m->metric,
                                           cairn_metric_order(&s->m->metric, &a, 0, &b, 0, NULL));
        circle_x[i] = s->place[0] + direction[0] * radius / length;
        circle_y[i] = s->place[1] + direction[1] * radius / length;
    }
    if (s->distances[s->k - 1] > 0) cairn_figure_guide(figure, circle_x, circle_y, CIRCLE);
    if (s->place) cairn_figure_mark(figure, "query", s->place[0], s->place[1]);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static void show_query(cairn_report *out, const shown *s)
{
    if (s->n == 0) {
        cairn_report_paragraph(out, "The row cannot be compared with any training row.");
        return;
    }
    show_nearest(out, s);
    show_table(out, s);
    show_equals(out, s);
    if (s->answer->equal)
        cairn_report_note(out, "No neighbour has a weight by its distance, so all count the same.");
    if (s->m->codes)
        show_vote(out, s);
    else
        show_number(out, s);
    cairn_report_failed(out, draw_query(out, s));
}

/* Look up, decide and show query q of a set whose neighbours were found. */
static cairn_status show_found(cairn_context *ctx, cairn_report *out, const cairn_knn_model *m,
                               const cairn_job *job, const cairn_neighbours *found, size_t q,
                               bool own, const double *values, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    const cairn_knn_params *p = job->params;
    cairn_knn_answer answer;
    shown s = {.m = m,
               .job = job,
               .prefix = prefix,
               .n = found->found[q],
               .others = found->found[q] < found->k ? found->found[q] : m->n - own,
               .rows = found->rows + q * found->k,
               .distances = found->distances + q * found->k,
               .answer = &answer,
               .place = values ? values + q * m->n_columns : NULL};
    s.k = s.n < (size_t)p->k ? s.n : (size_t)p->k;
    CHECK(cairn_knn_answer_make(ctx, &answer, p, (size_t)p->k, job->n_classes, m->n_columns));
    CHECK(cairn_knn_decide(ctx, &answer, m, job, s.rows, s.distances, s.k, s.place));
    show_query(out, &s);
    return CAIRN_OK;
}

static const double *values_of(const cairn_knn_queries *queries)
{
    return queries->values ? queries->values : queries->points.places;
}

static cairn_status explain_row(cairn_context *ctx, cairn_report *out, const cairn_knn_model *m,
                                const cairn_job *job, size_t row)
{
    const cairn_knn_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    cairn_view one = *job->view;
    uint32_t index = (uint32_t)cairn_view_row(job->view, row);
    size_t k = (size_t)p->k + EXTRA_ROWS < m->n ? (size_t)p->k + EXTRA_ROWS : m->n;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours found = {0};
    one.rows = (cairn_rows){.indices = &index, .n = 1};
    CHECK(cairn_knn_ask(ctx, &queries, m, p, &one));
    CHECK(cairn_search_nearest(ctx, &m->search, &queries.points, k, false, &found));
    return show_found(ctx, out, m, job, &found, 0, false, values_of(&queries), "");
}

void cairn_knn_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}

/* -- steps -- */

static cairn_status refuse_query(cairn_context *ctx, const cairn_field *const *fields,
                                 size_t n_fields, const char *query, size_t n)
{
    cairn_text names = cairn_text_start(ctx);
    for (size_t j = 0; j < n_fields && j < 12; j++)
        cairn_text_addf(&names, "%s%s", j ? ", " : "", fields[j]->name);
    if (n_fields > 12) cairn_text_add(&names, ", ...");
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_BAD_DATA,
                            "{query}: '%s' has %zu value%s, but there %s %zu column%s: %s", query,
                            n, n == 1 ? "" : "s", n_fields == 1 ? "is" : "are", n_fields,
                            n_fields == 1 ? "" : "s", cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* Column j of the queries' table from the words. */
static cairn_status add_query_column(cairn_context *ctx, cairn_table *table,
                                     const cairn_field *field, size_t j, char ***words, size_t n)
{
    double *numbers;
    int32_t *codes;
    const char **texts;
    CHECK(SCRATCH_EACH(ctx, n, &numbers, &codes));
    CHECK(SCRATCH(ctx, &texts, n + field->names.n));
    for (size_t i = 0; i < n; i++) {
        const char *word = words[i][j];
        bool missing = strcmp(word, "?") == 0 || !*word;
        texts[i] = word;
        numbers[i] = NAN;
        codes[i] = missing ? -1 : (int32_t)cairn_map_find(&field->names, word, strlen(word));
        if (field->kind == CAIRN_NUMBER && !missing &&
            !cairn_number_parse(word, strlen(word), &numbers[i]))
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "{query}: '%s' is no number for column '%s'",
                             word, field->name));
        if (field->kind == CAIRN_LEVEL && !missing && codes[i] < 0)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "{query}: column '%s' has no level '%s'",
                             field->name, word));
    }
    if (field->kind == CAIRN_NUMBER)
        return cairn_table_put_numbers(ctx, table, field->name, numbers);
    if (field->kind == CAIRN_TEXT) return cairn_table_add_texts(ctx, table, field->name, texts);
    if (field->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{query}: column '%s' cannot be written as a word; use cairn predict "
                          "--explain instead",
                          field->name);
    for (size_t c = 0; c < field->names.n; c++) texts[c] = cairn_map_key(&field->names, c);
    return cairn_table_add_levels(ctx, table, field->name, codes, texts, field->names.n);
    return CAIRN_OK;
}

/* Make of raw rows what the learner was fitted on. */
static cairn_status transform_queries(cairn_context *ctx, const cairn_model *model,
                                      cairn_table **table)
{
    cairn_table *inner = NULL;
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match = {.first_field = -1};
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, *table, false, &match));
    CHECK(cairn_chain_apply(ctx, model, &inner, matched));
    cairn_table_free(*table);
    *table = inner;
    return CAIRN_OK;
}

/* The rows of --query as a table of the columns that the learner sees. */
static cairn_status read_queries(cairn_context *ctx, cairn_table **out, const cairn_job *job,
                                 const char *text, char ***parts)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_field **fields;
    char *copy, ***words;
    size_t n = 1, at = 0, n_fields;
    for (const char *c = text; *c; c++) n += *c == ';';
    /* The columns that a query has a value for: those of the data, before any transform. */
    const cairn_schema *schema = job->model ? &job->model->schema : job->schema;
    cairn_status status = SCRATCH(ctx, &fields, schema->n_fields);
    n_fields = 0;
    for (size_t j = 0; !status && j < schema->n_fields; j++)
        if (schema->fields[j].role == CAIRN_FEATURE) (fields)[(n_fields)++] = &schema->fields[j];
    CHECK(status);
    CHECK(SCRATCH(ctx, &copy, strlen(text) + 1));
    CHECK(SCRATCH_EACH(ctx, n, parts, &words));
    memcpy(copy, text, strlen(text));
    for (char *part = copy, *end; part; part = end) {
        size_t n_words;
        end = strchr(part, ';');
        if (end) *end++ = 0;
        CHECK(cairn_list_split(ctx, part, &words[at], &n_words));
        if (n_words != n_fields) CHECK(refuse_query(ctx, fields, n_fields, part, n_words));
        (*parts)[at++] = part;
    }
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < n_fields; j++)
        CHECK(add_query_column(ctx, table, fields[j], j, words, n));
    if (job->model) CHECK(transform_queries(ctx, job->model, &table));
    *out = TAKE(table);
    return CAIRN_OK;
}

static size_t step_rows(const cairn_knn_params *p, size_t others)
{
    size_t k = (size_t)p->k > SHOWN_ROWS ? (size_t)p->k : SHOWN_ROWS;
    return k < others ? k : others;
}

/* Queries given by hand are read as rows of the schema and found by the same search as
 * predictions. */
static cairn_status show_queries(cairn_context *ctx, const cairn_knn_model *m, const cairn_job *job)
{
    const cairn_knn_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours found = {0};
    cairn_view view;
    char **parts, prefix[40];
    CHECK(read_queries(ctx, &table, job, p->query, &parts));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_knn_ask(ctx, &queries, m, p, &view));
    CHECK(
        cairn_search_nearest(ctx, &m->search, &queries.points, step_rows(p, m->n), false, &found));
    for (size_t q = 0; q < found.n; q++) {
        snprintf(prefix, sizeof prefix, "query%zu.", q + 1);
        cairn_report_step_begin(job->steps, "Query %zu: %s", q + 1, parts[q]);
        if (q == 0) show_formulas(job->steps, m, p);
        CHECK(show_found(ctx, job->steps, m, job, &found, q, false, values_of(&queries), prefix));
        cairn_report_step_end(job->steps);
    }
    return CAIRN_OK;
}

/* The first training rows, each answered by the others. */
static cairn_status show_training(cairn_context *ctx, const cairn_knn_model *m,
                                  const cairn_job *job)
{
    cairn_points first = m->points;
    cairn_neighbours found = {0};
    char prefix[40];
    size_t n = m->n < STEP_ROWS ? m->n : STEP_ROWS;
    bool all = m->points.n_texts > 1; /* the letters of several columns cannot be cut off */
    cairn_status status = CAIRN_OK;
    if (m->n < 2 || (all && m->n > MOST_POINTS)) goto done;
    if (!all) first.n = n;
    TRY(cairn_search_nearest(ctx, &m->search, &first, step_rows(job->params, m->n - 1), true,
                             &found));
    for (size_t q = 0; q < n; q++) {
        size_t number = (size_t)m->numbers[q] + 1;
        snprintf(prefix, sizeof prefix, "row%zu.", number);
        cairn_report_step_begin(job->steps, "Row %zu, answered by the other training rows", number);
        if (q == 0) show_formulas(job->steps, m, job->params);
        TRY(show_found(ctx, job->steps, m, job, &found, q, true, cairn_knn_row(m, 0), prefix));
        cairn_report_step_end(job->steps);
    }
done:
    if (!status && !m->given)
        cairn_report_paragraph(job->steps, "{query \"VALUE,VALUE,...\"} shows other rows.");
    cairn_neighbours_clear(&found);
    return status;
}

cairn_status cairn_knn_steps(cairn_context *ctx, const cairn_knn_model *m, const cairn_job *job)
{
    const cairn_knn_params *p = job->params;
    return p->query ? show_queries(ctx, m, job) : show_training(ctx, m, job);
}

/* -- the description -- */

static void show_settings(cairn_report *out, const cairn_knn_model *m, const cairn_knn_params *p)
{
    static const char *const weights[] = {"equal", "1/d", "1/d²", "a window of the distance"};
    char text[160];
    cairn_search_words(&m->search, text, sizeof text - 40);
    size_t used = strlen(text);
    if (p->method == CAIRN_SEARCH_AUTO && cairn_search_probes(&m->search))
        snprintf(text + used, sizeof text - used, ", chosen by a search of some rows");
    cairn_report_value(out, "neighbours (k)", p->k, "k");
    cairn_report_word(out, "distance", m->given ? "given" : m->metric.spec, "distance");
    cairn_report_word(out, "weights", weights[p->weights], NULL);
    cairn_report_word(out, "search", text, "search");
    if ((size_t)p->k == m->n)
        cairn_report_note(out, "k is the number of training rows: every row decides about every "
                               "query.");
}

/* Columns on very different scales: the largest counts alone. */
static void warn_scales(cairn_report *out, const cairn_knn_model *m, const cairn_job *job)
{
    const double different = 10;
    size_t most = 0, least = 0;
    double high = 0, low = INFINITY;
    char texts[2][CAIRN_NUMBER_SIZE];
    if (m->given || !m->metric.distance->scale_matters) return;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (!(m->spreads[j] > 0)) continue;
        if (m->spreads[j] > high) high = m->spreads[j], most = j;
        if (m->spreads[j] < low) low = m->spreads[j], least = j;
    }
    if (!(high > different * low)) return;
    cairn_number_format(texts[0], high, 3);
    cairn_number_format(texts[1], low, 3);
    cairn_report_note(
        out,
        "The columns are on different scales: '%s' deviates by %s from its mean, '%s' "
        "by %s, so the first counts for much more in a distance. {scale standardise} "
        "puts them on one scale.",
        feature_name(job->schema, most), texts[0], feature_name(job->schema, least), texts[1]);
    cairn_report_hidden(out, high / low, "warning.scales");
}

/* What the distances of some pairs of training rows are like. */
typedef struct pairs {
    double n, mean, deviation, least, most;
} pairs;

static double pair_distance(const cairn_knn_model *m, size_t a, size_t b, int32_t *buffer)
{
    if (m->given) return m->points.places[a * m->points.width + m->columns[b]];
    double order = cairn_metric_order(&m->metric, &m->points, a, &m->points, b, buffer);
    return cairn_metric_value(&m->metric, order);
}

/* Rows that are all equally far from each other, or in many columns nearly so. */
static cairn_status warn_distances(cairn_context *ctx, cairn_report *out, const cairn_knn_model *m)
{
    enum { FEW_PAIRS = 3, MANY_PAIRS = 700, MANY_COLUMNS = 10 };
    const double little = 0.1, same = 1e-12;
    char texts[2][CAIRN_NUMBER_SIZE];
    pairs p;
    /* A sample of pairs shows whether distances still differ: in many dimensions all rows are
     * about equally far away, and neighbours mean little. */
    enum { SAMPLE = 40, LONG = 1000 };
    size_t rows = m->n < SAMPLE ? m->n : SAMPLE;
    double sum = 0, squares = 0;
    int32_t *buffer;
    p = (pairs){.least = INFINITY};
    if (!(m->points.longest > LONG)) {
        CHECK(SCRATCH(ctx, &buffer, cairn_metric_buffer(&m->points, &m->points)));
        for (size_t a = 0; a < rows; a++)
            for (size_t b = a + 1; b < rows; b++) {
                double d = pair_distance(m, a * m->n / rows, b * m->n / rows, buffer);
                if (!isfinite(d)) continue;
                sum += d;
                squares += d * d;
                p.least = fmin(p.least, d);
                p.most = fmax(p.most, d);
                p.n++;
            }
        p.mean = sum / p.n;
        p.deviation = sqrt(fmax(squares / p.n - p.mean * p.mean, 0));
    }
    if (p.n < FEW_PAIRS || m->same || !isfinite(p.deviation)) return CAIRN_OK;
    cairn_report_hidden(out, p.mean, "distances.mean");
    cairn_report_hidden(out, p.deviation, "distances.deviation");
    cairn_number_format(texts[0], p.mean, 4);
    cairn_number_format(texts[1], p.deviation, 4);
    if (p.most - p.least <= same * p.most)
        cairn_report_note(out,
                          "All %zu distances of training rows that were looked at are the same "
                          "(%s), so of rows that are equally near the first k in the table decide.",
                          (size_t)p.n, texts[0]);
    else if (!m->given && m->points.width >= MANY_COLUMNS && p.n > MANY_PAIRS &&
             p.deviation < little * p.mean)
        cairn_report_note(
            out,
            "In so many columns (%zu) all rows are about equally far from each other: "
            "the distance of two of them is %s on average and deviates by only %s, so "
            "the nearest say little. Fewer columns help: {features}, or {with pca}.",
            m->points.width, texts[0], texts[1]);
    return CAIRN_OK;
}

static cairn_status draw_accuracy(cairn_report *out, const cairn_knn_history *history,
                                  bool classify)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    double *x;
    CHECK(SCRATCH(ctx, &x, history->n_curve));
    for (size_t k = 0; k < history->n_curve; k++) x[k] = (double)(k + 1);
    CHECK(cairn_figure_new(ctx, &figure, "k",
                           classify ? "Accuracy by k, leaving one out"
                                    : "Error by k, leaving one out"));
    cairn_figure_axes(figure, "k", classify ? "accuracy" : "root mean squared error");
    cairn_figure_line(figure, NULL, x, history->curve, history->n_curve);
    cairn_figure_points(figure, x, history->curve, NULL, history->n_curve, NULL, 0);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* How many neighbours the training rows would have liked. */
static void show_curve(cairn_report *out, const cairn_knn_history *history,
                       const cairn_knn_params *p, bool classify)
{
    size_t best = 0;
    if (!history->n_curve) return;
    for (size_t k = 1; k < history->n_curve; k++)
        if (classify ? history->curve[k] > history->curve[best]
                     : history->curve[k] < history->curve[best])
            best = k;
    cairn_report_table_of(out, "Every training row answered by the others", MOST_POINTS, "rr", "k",
                          classify ? "accuracy" : "root mean squared error");
    if (classify) cairn_report_column(out, "tied votes", 'r');
    for (size_t k = 0; k < history->n_curve; k++) {
        if ((int)(k + 1) == p->k) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu%s", k + 1, k == best ? " (best)" : "");
        cairn_report_cell_number(out, history->curve[k], 4,
                                 classify ? "k%zu.accuracy" : "k%zu.rmse", k + 1);
        if (classify) cairn_report_cell_number(out, history->tied[k], 0, "k%zu.tied", k + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "best k of these, the first of equals", (double)(best + 1), "best_k");
    cairn_report_failed(out, draw_accuracy(out, history, classify));
}

/* The answers over a grid of queries along the only column. */
static cairn_status follow_curve(cairn_context *ctx, const cairn_knn_model *m, const cairn_job *job,
                                 double *x, double *y, double low, double high)
{
    const cairn_knn_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours found = {0};
    cairn_knn_answer answer;
    cairn_view view;
    for (size_t i = 0; i < CURVE_POINTS; i++)
        x[i] = low + (high - low) * (double)i / (CURVE_POINTS - 1);
    CHECK(cairn_table_new(ctx, &table, CURVE_POINTS));
    CHECK(cairn_table_put_numbers(ctx, table, "x", x));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_knn_ask(ctx, &queries, m, p, &view));
    CHECK(cairn_search_nearest(ctx, &m->search, &queries.points, (size_t)p->k, false, &found));
    CHECK(cairn_knn_answer_make(ctx, &answer, p, found.k, job->n_classes, 1));
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        CHECK(cairn_knn_decide(ctx, &answer, m, job, found.rows + i * found.k,
                               found.distances + i * found.k, found.found[i],
                               values_of(&queries) + i));
        y[i] = answer.number;
    }
    return CAIRN_OK;
}

/* Rows and the curve over them. */
static cairn_status draw_curve(cairn_report *out, const cairn_knn_model *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *figure = NULL;
    double *x, *y, low = INFINITY, high = -INFINITY;
    CHECK(SCRATCH_EACH(ctx, CURVE_POINTS, &x, &y));
    const double *rows = cairn_knn_row(m, 0);
    for (size_t i = 0; i < m->n; i++) low = fmin(low, rows[i]), high = fmax(high, rows[i]);
    if (!(high > low)) return CAIRN_OK;
    CHECK(follow_curve(ctx, m, job, x, y, low, high));
    CHECK(cairn_figure_new(ctx, &figure, "curve", "What the neighbours say along the column"));
    cairn_figure_axes(figure, feature_name(job->schema, 0), target_name(job->schema));
    cairn_figure_points(figure, rows, m->targets, NULL, m->n < MOST_POINTS ? m->n : MOST_POINTS,
                        NULL, 0);
    cairn_figure_line(figure, NULL, x, y, CURVE_POINTS);
    cairn_report_figure(out, figure);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        cairn_report_hidden(out, x[i], "curve%zu.x", i + 1);
        cairn_report_hidden(out, y[i], "curve%zu.y", i + 1);
    }
    return CAIRN_OK;
}

void cairn_knn_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_knn_model *m = model;
    const cairn_knn_params *p = job->params;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_heading(out, 2, "Neighbours");
    show_settings(out, m, p);
    warn_scales(out, m, job);
    cairn_report_failed(out, warn_distances(ctx, out, m));
    if (m->same)
        cairn_report_note(out, "All training rows lie at the same point: every distance is the "
                               "same, and the first k rows answer every query.");
    cairn_report_hidden_word(out, m->same ? "yes" : "no", "same_point");
    if (job->history) show_curve(out, job->history, p, m->codes);
    bool numbers = !m->given && m->points.width && (!m->metric.distance->place || m->values) &&
                   feature_field(job->schema, 0) &&
                   feature_field(job->schema, 0)->kind == CAIRN_NUMBER;
    if (!m->codes && m->n_columns == 1 && numbers)
        cairn_report_failed(out, draw_curve(out, m, job));
    cairn_scratch_release(ctx, mark);
}
