/* SPDX-License-Identifier: MIT */
/* cairn compute distances: all pairs of rows, or the rows of one set against those of another, by
 * any distances; as a matrix, a list, or the long column that other programs call condensed.
 *
 * Weights of columns count the terms of a sum: w |x - y|^p. They are put into the columns as
 * factors w^(1/p) before anything is measured. With a target, the mean distance within each group
 * and between them judges the grouping. */
#include "typed/compared.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"
#include "data/shape.h"
#include "draw/figure.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "data/view.h"
#include "report/report.h"
#include "stats/distance.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct distance_work {
    const cairn_metric *metric;
    const cairn_view *a, *b; /* as they are: not scaled */
    size_t i, j;             /* row of a, row of b */
    const char *name, *other;
    const double *weights; /* of the columns; NULL = all 1 */
    double value;
} distance_work;

/* -- distance steps -- */

/* How a distance is written on the board: most are a sum (or the largest) of one term per column
 * with something around it; cosine, kernel, Mahalanobis' and sets have lines of their own. */

enum { MOST_TERMS = 8, MOST_MATRIX = 4 };

static double cell_number(const cairn_column *column, size_t row)
{
    if (column->kind == CAIRN_NUMBER) return column->numbers[row];
    if (column->kind == CAIRN_LEVEL && column->codes[row] >= 0) return column->codes[row];
    return NAN;
}

static double number_of(const cairn_view *view, size_t i, size_t column)
{
    return cell_number(view->features[column], cairn_view_row(view, i));
}

/* A number in brackets where it is negative, a level by its name. */
static void add_cell(cairn_text *text, const cairn_view *view, size_t i, size_t column)
{
    const cairn_column *c = view->features[column];
    size_t row = cairn_view_row(view, i);
    double x = cell_number(c, row);
    if (c->kind == CAIRN_LEVEL)
        cairn_text_add(text, cairn_level_name(c, c->codes[row]));
    else if (isnan(x))
        cairn_text_add_char(text, '?');
    else {
        if (x < 0) cairn_text_add_char(text, '(');
        cairn_text_add_number(text, x, 6);
        if (x < 0) cairn_text_add_char(text, ')');
    }
}

static void begin_line(cairn_text *text, const distance_work *w)
{
    cairn_text_addf(text, "d(%s, %s) = ", w->name, w->other);
}

static void end_line(cairn_report *out, cairn_text *text, double value)
{
    cairn_text_add(text, " = ");
    cairn_text_add_number(text, value, 6);
    if (cairn_text_status(text) == CAIRN_OK)
        cairn_report_formula(out, "%s", cairn_text_string(text));
    cairn_report_failed(out, cairn_text_status(text));
}

/* -- a term per column -- */

typedef enum term_kind {
    TERM_SQUARE,
    TERM_ABSOLUTE,
    TERM_POWER,
    TERM_DIFFERS,
    TERM_RELATIVE,
    TERM_GOWER
} term_kind;

typedef struct terms {
    const distance_work *w;
    term_kind kind;
    const char *open, *join, *close;
    double power;
} terms;

static bool named(const cairn_metric *metric, const char *name)
{
    return strcmp(metric->distance->entry.name, name) == 0;
}

/* What stands around the terms of this distance; false where it has no such form. */
static bool find_form(terms *t)
{
    const cairn_metric *m = t->w->metric;
    t->join = " + ";
    t->open = m->rooted ? "√(" : "";
    t->close = m->rooted ? ")" : "";
    t->power = m->power;
    if (m->kernel.function || m->distance->place || m->offsets) return false;
    if (named(m, "canberra")) {
        t->kind = TERM_RELATIVE;
    } else if (named(m, "gower")) {
        t->kind = TERM_GOWER;
        t->open = "mean of (", t->join = ", ", t->close = ")";
    } else if (named(m, "hamming") || (named(m, "minkowski") && m->power == 0)) {
        t->kind = TERM_DIFFERS;
    } else if (m->family == CAIRN_BY_SQUARES) {
        t->kind = TERM_SQUARE;
    } else if (m->family == CAIRN_BY_ABSOLUTES) {
        t->kind = TERM_ABSOLUTE;
    } else if (m->family == CAIRN_BY_LARGEST) {
        t->kind = TERM_ABSOLUTE;
        t->open = "max(", t->join = ", ", t->close = ")";
    } else if (m->family == CAIRN_BY_POWERS) {
        t->kind = TERM_POWER;
        t->open = "(", t->close = ")^(1/";
    } else {
        return false;
    }
    return true;
}

static bool is_unknown(const terms *t, size_t c)
{
    return isnan(number_of(t->w->a, t->w->i, c)) || isnan(number_of(t->w->b, t->w->j, c));
}

static double term_value(const terms *t, size_t c)
{
    double a = number_of(t->w->a, t->w->i, c), b = number_of(t->w->b, t->w->j, c);
    double d = fabs(a - b), weight = t->w->weights ? t->w->weights[c] : 1;
    double factor = t->w->metric->factors ? t->w->metric->factors[c] : 0;
    switch (t->kind) {
    case TERM_SQUARE: return weight * d * d;
    case TERM_ABSOLUTE: return weight * d;
    case TERM_POWER: return weight * cairn_pow(d, t->power);
    case TERM_DIFFERS: return a != b;
    case TERM_RELATIVE: return d > 0 ? d / (fabs(a) + fabs(b)) : 0;
    case TERM_GOWER: return factor > 0 ? d * factor : a != b;
    }
    return NAN;
}

/* "2·(0 − 1)²", "|3 − (-1)|", "[red ≠ blue]", "|1 − 3| / (|1| + |3|)", "|2 − 5| / 6" */
static void add_term(cairn_text *text, const terms *t, size_t c)
{
    const distance_work *w = t->w;
    bool ordered = t->kind == TERM_GOWER && w->metric->factors[c] > 0;
    bool differs = t->kind == TERM_DIFFERS || (t->kind == TERM_GOWER && !ordered);
    if (w->weights) {
        cairn_text_add_number(text, w->weights[c], 6);
        cairn_text_add(text, "·");
    }
    cairn_text_add(text, differs ? "[" : t->kind == TERM_SQUARE ? "(" : "|");
    add_cell(text, w->a, w->i, c);
    cairn_text_add(text, differs ? " ≠ " : " − ");
    add_cell(text, w->b, w->j, c);
    cairn_text_add(text, differs ? "]" : t->kind == TERM_SQUARE ? ")²" : "|");
    if (t->kind == TERM_POWER) {
        cairn_text_add_char(text, '^');
        cairn_text_add_number(text, t->power, 6);
    }
    if (t->kind == TERM_RELATIVE) {
        cairn_text_add(text, " / (|");
        add_cell(text, w->a, w->i, c);
        cairn_text_add(text, "| + |");
        add_cell(text, w->b, w->j, c);
        cairn_text_add(text, "|)");
    }
    if (ordered) {
        cairn_text_add(text, " / ");
        cairn_text_add_number(text, 1 / w->metric->factors[c], 6);
    }
}

/* The terms written out, or their values; of many the first and the last. */
static void add_terms(cairn_text *text, const terms *t, bool values)
{
    size_t n = t->w->a->n_features, shown = 0;
    cairn_text_add(text, t->open);
    for (size_t c = 0; c < n; c++) {
        if (t->kind == TERM_GOWER && is_unknown(t, c)) continue;
        if (n > MOST_TERMS && c >= MOST_TERMS - 2 && c + 1 < n) {
            if (c == MOST_TERMS - 2) cairn_text_addf(text, "%s...", t->join);
            continue;
        }
        if (shown++) cairn_text_add(text, t->join);
        if (values)
            cairn_text_add_number(text, term_value(t, c), 6);
        else
            add_term(text, t, c);
    }
    cairn_text_add(text, t->close);
    if (t->kind == TERM_POWER) {
        cairn_text_add_number(text, t->power, 6);
        cairn_text_add_char(text, ')');
    }
}

/* -- directions, kernels, sets -- */

/* What two bags share, item by item. */
static double bag_product(const cairn_column *a, size_t i, const cairn_column *b, size_t j)
{
    double sum = 0;
    for (size_t x = a->starts[i], y = b->starts[j]; x < a->starts[i + 1] && y < b->starts[j + 1];) {
        int32_t left = a->items[x], right = b->items[y];
        double one = a->amounts ? a->amounts[x] : 1, other = b->amounts ? b->amounts[y] : 1;
        if (left == right) sum += one * other;
        x += left <= right, y += right <= left;
    }
    return sum;
}

static double product_of(const cairn_view *a, size_t i, const cairn_view *b, size_t j)
{
    double sum = 0;
    for (size_t c = 0; c < a->n_features; c++)
        sum += a->features[c]->kind == CAIRN_BAG ? bag_product(a->features[c], cairn_view_row(a, i),
                                                               b->features[c], cairn_view_row(b, j))
                                                 : number_of(a, i, c) * number_of(b, j, c);
    return sum;
}

static void work_cosine(cairn_report *out, const distance_work *w)
{
    double product = product_of(w->a, w->i, w->b, w->j);
    double aa = product_of(w->a, w->i, w->a, w->i), bb = product_of(w->b, w->j, w->b, w->j);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
    if (aa > 0 && bb > 0)
        cairn_report_worked(out, cairn_text_string(&label),
                            "1 − x·y / (‖x‖·‖y‖) = 1 − # / (√# · √#) = 1 − # = #", product, aa, bb,
                            1 - w->value, w->value);
    else
        cairn_report_worked(out, cairn_text_string(&label), "# (a row of zeros has no direction)",
                            w->value);
    cairn_report_failed(out, cairn_text_status(&label));
}

/* Kernels of the two rows with themselves and with each other. */
static void work_kernel(cairn_report *out, const distance_work *w)
{
    enum { MOST = 64 };
    double x[MOST], y[MOST];
    const cairn_kernel *k = &w->metric->kernel;
    size_t n = w->a->n_features;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    if (n > MOST) return;
    for (size_t c = 0; c < n; c++) {
        x[c] = number_of(w->a, w->i, c);
        y[c] = number_of(w->b, w->j, c);
    }
    cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
    cairn_report_worked(out, cairn_text_string(&label),
                        "√(k(x, x) − 2·k(x, y) + k(y, y)) = √(# − 2·# + #) = #",
                        cairn_kernel_value(k, x, x, n), cairn_kernel_value(k, x, y, n),
                        cairn_kernel_value(k, y, y, n), w->value);
    cairn_report_failed(out, cairn_text_status(&label));
}

/* Of numbers: which columns are not 0. Of bags: which items there are. */
static void count_sets(const distance_work *w, double *both, double *either)
{
    *both = *either = 0;
    for (size_t c = 0; c < w->a->n_features; c++) {
        const cairn_column *a = w->a->features[c], *b = w->b->features[c];
        size_t i = cairn_view_row(w->a, w->i), j = cairn_view_row(w->b, w->j);
        if (a->kind != CAIRN_BAG) {
            *both += a->numbers[i] != 0 && b->numbers[j] != 0;
            *either += a->numbers[i] != 0 || b->numbers[j] != 0;
            continue;
        }
        size_t x = a->starts[i], y = b->starts[j];
        while (x < a->starts[i + 1] || y < b->starts[j + 1]) {
            int32_t left = x < a->starts[i + 1] ? a->items[x] : INT32_MAX;
            int32_t right = y < b->starts[j + 1] ? b->items[y] : INT32_MAX;
            *both += left == right;
            *either += 1;
            x += left <= right, y += right <= left;
        }
    }
}

/* -- a matrix -- */

/* M = F'F of the factors. */
static double matrix_entry(const cairn_metric *metric, size_t r, size_t c)
{
    size_t n = metric->n_columns;
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += metric->factors[k * n + r] * metric->factors[k * n + c];
    return sum;
}

/* The difference, M times it, and the product of both. */
static void work_matrix(cairn_report *out, const distance_work *w)
{
    double difference[MOST_MATRIX], parts[2 * MOST_MATRIX], square = 0;
    size_t n = w->metric->n_columns;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    if (n > MOST_MATRIX) {
        cairn_report_worked(out, NULL, "√((x − y)ᵀ·M·(x − y)) = #", w->value);
        return;
    }
    for (size_t c = 0; c < n; c++)
        difference[c] = number_of(w->a, w->i, c) - number_of(w->b, w->j, c);
    for (size_t r = 0; r < n; r++) {
        parts[2 * r] = difference[r];
        parts[2 * r + 1] = 0;
        for (size_t c = 0; c < n; c++)
            parts[2 * r + 1] += matrix_entry(w->metric, r, c) * difference[c];
        square += parts[2 * r] * parts[2 * r + 1];
    }
    cairn_text_addf(&label, "d²(%s, %s) = (x − y)·M(x − y)", w->name, w->other);
    cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", parts, 2, n, square);
    cairn_report_worked(out, "  its root", "√# = #", square, w->value);
    cairn_report_failed(out, cairn_text_status(&label));
}

/* "d(A, B) = √((0 − 1)² + (0 − 1)²) = √(1 + 1) = 1.41421" for whatever distance it is. */
static void work_distance(cairn_report *out, const distance_work *w)
{
    const cairn_metric *m = w->metric;
    terms t = {.w = w};
    if (!out) return;
    if (find_form(&t)) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
        begin_line(&text, t.w);
        add_terms(&text, &t, false);
        cairn_text_add(&text, " = ");
        add_terms(&text, &t, true);
        end_line(out, &text, t.w->value);
    } else if (named(m, "jaccard")) {
        double both, either;
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
        count_sets(w, &both, &either);
        cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
        cairn_report_worked(out, cairn_text_string(&label), "1 − both / either = 1 − # / # = #",
                            both, either, w->value);
        cairn_report_failed(out, cairn_text_status(&label));
    } else if (named(m, "cosine"))
        work_cosine(out, w);
    else if (m->offsets && !m->kernel.function) {
        /* Bags: what two rows share and what each has, in place of a term for every
                     * item. */
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
        cairn_report_worked(out, cairn_text_string(&label),
                            w->metric->rooted ? "√(x·x + y·y − 2·x·y) = √(# + # − 2·#) = #"
                                              : "x·x + y·y − 2·x·y = # + # − 2·# = #",
                            product_of(w->a, w->i, w->a, w->i), product_of(w->b, w->j, w->b, w->j),
                            product_of(w->a, w->i, w->b, w->j), w->value);
        cairn_report_failed(out, cairn_text_status(&label));
    } else if (named(m, "mahalanobis"))
        work_matrix(out, w);
    else if (m->kernel.function && !m->offsets)
        work_kernel(out, w);
    else
        cairn_report_worked(out, NULL, "d = #", w->value);
}

enum {
    MOST_PRINTED = 12, /* rows and columns of a printed matrix */
    MOST_LISTED = 66,  /* pairs of a printed list */
    MOST_NAMED = 60,   /* rows whose distances are named values */
    MOST_WORKED = 6,   /* pairs with the numbers put in */
    MOST_HEAT = 40,
    LOOK_PAIRS = 1 << 20
};

typedef enum distances_form { FORM_AUTO, FORM_MATRIX, FORM_LIST, FORM_CONDENSED } distances_form;

typedef struct distances_params {
    cairn_compared_options compared;
    const char *distance;
    cairn_list weights;
    const char *rows, *against;
    int form;
    bool similarity;
} distances_params;

static const cairn_choice forms[] = {
    {"auto", FORM_AUTO, "a matrix; a list where several distances are compared"},
    {"matrix", FORM_MATRIX, "a row and a column for each"},
    {"list", FORM_LIST, "a line for each pair"},
    {"condensed", FORM_CONDENSED,
     "one column: row 1 with 2, 3, ..., then row 2 with 3, ...; scipy's order"},
    {0},
};

static const cairn_param distances_table[] = {
    CAIRN_PARAM_GROUP(distances_params, compared, cairn_compared_group),
    {.name = "distance",
     .names = "distance",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(distances_params, distance),
     .initial = "euclidean",
     .help = "how rows are compared, such as minkowski:p=3 or gower (cairn list distances); "
             "several are shown side by side",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_CELLS(distances_params, weights, NUMBERS, NULL, "[0,inf)",
                      "one number per column, from 0 on: how much its differences count; for "
                      "Minkowski's distances"),
    CAIRN_PARAM(distances_params, rows, NULL, NULL,
                "only these rows, such as 1-3,7, from 1; all if not given"),
    CAIRN_PARAM(distances_params, against, NULL, NULL,
                "the rows that they are compared with; a second table does the same"),
    CAIRN_PARAM_CHOICE(distances_params, form, "auto", forms, "how they are printed and written",
                       .often = true),
    CAIRN_PARAM(distances_params, similarity, "no", NULL,
                "1 - d: how alike rows are; for cosine, gower, jaccard and given distances between "
                "0 and 1"),
    CAIRN_PARAM_END,
};

static cairn_status distances_check(cairn_context *ctx, const void *values)
{
    const distances_params *p = values;
    const char *const *list;
    CHECK(cairn_list_lines(ctx, p->distance, &list));
    for (size_t i = 0; list[i]; i++)
        CHECK(cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), list[i]));
    return CAIRN_OK;
}

/* One side of the comparison. */
typedef struct side {
    cairn_compared compared;
    cairn_view view;    /* of the rows that are wanted */
    const char **names; /* of these */
} side;

/* What is asked for, and the distances by one spec at a time. */
typedef struct distances {
    const distances_params *p;
    side a, b;    /* b: where two sets are compared */
    bool two;     /* two sets */
    size_t n, m;  /* rows of a; columns: rows of b, or of a */
    size_t pairs; /* n m, or n (n - 1) / 2 */
    const char *const *specs;
    size_t n_specs;
    const double *weights;    /* of the columns; NULL = none given */
    cairn_column **condensed; /* n_specs: the pairs in order; owned */
} distances;

static void distances_clear(distances *d)
{
    for (size_t s = 0; d->condensed && s < d->n_specs; s++) cairn_column_drop(d->condensed[s]);
    cairn_compared_clear(&d->a.compared);
    cairn_compared_clear(&d->b.compared);
}

/* -- what is compared -- */

static cairn_status choose_rows(cairn_context *ctx, side *s, const char *option, const char *list)
{
    const cairn_compared *c = &s->compared;
    uint32_t *rows;
    size_t n;
    s->view = c->view;
    s->names = c->names;
    if (!list) return CAIRN_OK;
    cairn_status status = cairn_row_list(ctx, &rows, &n, list, c->table->n_rows);
    if (status) {
        cairn_message_prefix(ctx, "%s", option);
        return status;
    }
    CHECK(cairn_view_make(ctx, &s->view, c->table, (cairn_rows){.indices = rows, .n = n}));
    CHECK(SCRATCH(ctx, &s->names, n + 1));
    for (size_t i = 0; i < n; i++) s->names[i] = c->names[rows[i]];
    return CAIRN_OK;
}

/* Which rows are compared with which: all pairs of one set, or two sets that come from one table or
 * from two. */
static cairn_status read_sides(cairn_context *ctx, distances *d, const cairn_compute_job *job)
{
    const distances_params *p = d->p;
    bool second = job->tables.n > 1;
    if (job->tables.n > 2)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' takes one table or two", job->what);
    if (second && p->against)
        return cairn_fail(ctx, CAIRN_USAGE, "{against} chooses rows of one table; leave it out");
    if (second && job->table->shape == CAIRN_SHAPE_DISTANCES)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a matrix of distances knows its own rows only; take parts of it with "
                          "{rows} and {against}");
    d->two = second || p->against;
    CHECK(cairn_compared_read(ctx, &d->a.compared, &p->compared, job->table, job->what));
    CHECK(choose_rows(ctx, &d->a, cairn_say(ctx, "{rows}"), p->rows));
    if (d->two) {
        const cairn_table *other = second ? job->tables.list[1] : job->table;
        CHECK(cairn_compared_read(ctx, &d->b.compared, &p->compared, other, job->what));
        CHECK(choose_rows(ctx, &d->b, cairn_say(ctx, "{against}"), p->against));
        /* Columns of the second table are those of the first, by name. */
        for (size_t j = 0; j < d->a.view.n_features; j++)
            if (j >= d->b.view.n_features || strcmp(d->a.view.names[j], d->b.view.names[j]) != 0 ||
                d->a.view.features[j]->kind != d->b.view.features[j]->kind)
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "column '%s' of the first table has no counterpart of its name and "
                    "kind in that place of the second; choose columns with {features}",
                    d->a.view.names[j]);
        if (d->b.view.n_features > d->a.view.n_features)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "the second table has %zu columns to compare by, the first %zu; choose "
                "columns with {features}",
                d->b.view.n_features, d->a.view.n_features);
    }
    d->n = d->a.view.rows.n;
    d->m = d->two ? d->b.view.rows.n : d->n;
    d->pairs = d->two ? cairn_product(d->n, d->m) : d->n * (d->n - 1) / 2;
    if (d->n < 2 - (size_t)d->two || d->m == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' needs two rows at least", job->what);
    if (d->pairs > UINT32_MAX - 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%zu rows make %zu pairs, which no table can hold",
                          d->n, d->pairs);
    CHECK(cairn_list_lines(ctx, p->distance, &d->specs));
    while (d->specs[d->n_specs]) d->n_specs++;
    size_t n = d->p->weights.n;
    d->weights = d->p->weights.values;
    if (d->weights && n != d->a.view.n_features)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights}: %zu number%s for %zu columns; give one for each", n,
                          n == 1 ? "" : "s", d->a.view.n_features);
    return CAIRN_OK;
}

/* -- weights -- */

/* w |x - y|^p = |w^(1/p) x - w^(1/p) y|^p */
static cairn_status factor_of(cairn_context *ctx, const cairn_metric *metric, double weight,
                              double *out)
{
    bool plain = !metric->distance->place && !metric->kernel.function && !metric->offsets;
    switch (plain ? metric->family : CAIRN_BY_PAIRS) {
    case CAIRN_BY_SQUARES: *out = sqrt(weight); return CAIRN_OK;
    case CAIRN_BY_ABSOLUTES:
    case CAIRN_BY_LARGEST: *out = weight; return CAIRN_OK;
    case CAIRN_BY_POWERS: *out = cairn_pow(weight, 1 / metric->power); return CAIRN_OK;
    default:
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights} count with Minkowski's distances (euclidean, squared, "
                          "manhattan, chebyshev, minkowski), not with %s; scale the columns with "
                          "{with} instead",
                          metric->spec);
    }
}

/* The view of a table whose columns are multiplied. */
static cairn_status weigh(cairn_context *ctx, cairn_table **table, cairn_view *view,
                          const cairn_metric *metric, const double *weights)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, view->table->n_rows));
    for (size_t j = 0; j < view->n_features; j++) {
        cairn_column *column = NULL;
        double factor;
        CHECK(factor_of(ctx, metric, weights[j], &factor));
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, made->n_rows));
        const cairn_column *from = view->features[j];
        for (size_t i = 0; from->kind == CAIRN_NUMBER && i < made->n_rows; i++)
            column->numbers[i] = from->numbers[i] * factor;
        cairn_column_count_missing(column);
        CHECK(cairn_table_add_column(ctx, made, view->names[j], CAIRN_FEATURE, column));
    }
    CHECK(cairn_view_make(ctx, view, made, view->rows));
    *table = TAKE(made);
    return CAIRN_OK;
}

/* -- measuring -- */

/* The rows of both sides, and all rows of the table, from which a distance learns what it has to:
 * ranges, a covariance. */
typedef struct opened {
    cairn_distance_rows all, a, b;
    cairn_table *weighed[2]; /* where columns have weights */
} opened;

static void opened_clear(opened *o)
{
    cairn_distance_rows_clear(&o->a);
    cairn_distance_rows_clear(&o->b);
    cairn_distance_rows_clear(&o->all);
    cairn_table_free(o->weighed[0]);
    cairn_table_free(o->weighed[1]);
}

/* Weights become factors of the columns before anything is measured; what is given is taken as it
 * is. */
static cairn_status open_sides(cairn_context *ctx, const distances *d, const char *spec, opened *o)
{
    cairn_view all = d->a.compared.view, first = d->a.view, second = d->b.view;
    if (d->weights) {
        SCOPED(cairn_metric_clear) cairn_metric metric = {0};
        CHECK(cairn_metric_open(ctx, &metric, cairn_say(ctx, "{distance}"), spec));
        CHECK(weigh(ctx, &o->weighed[0], &all, &metric, d->weights));
        CHECK(cairn_view_make(ctx, &first, all.table, first.rows));
        if (d->two) CHECK(weigh(ctx, &o->weighed[1], &second, &metric, d->weights));
    }
    bool given = all.table->shape == CAIRN_SHAPE_DISTANCES;
    if (given || (!d->p->rows && !d->two)) {
        CHECK(cairn_distance_rows_open(ctx, &o->a, &first, spec));
        return d->two ? cairn_distance_rows_open(ctx, &o->b, &second, spec) : CAIRN_OK;
    }
    CHECK(cairn_distance_rows_open(ctx, &o->all, &all, spec));
    CHECK(cairn_distance_rows_like(ctx, &o->a, &o->all, &first));
    return d->two ? cairn_distance_rows_like(ctx, &o->b, &o->all, &second) : CAIRN_OK;
}

static void complement(void *data, size_t block, size_t begin, size_t end, int worker)
{
    double *values = data;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) values[i] = 1 - values[i];
}

/* The first pairs with their numbers put in. */
static void work_pairs(const distances *d, cairn_report *out, const cairn_distance_rows *a,
                       size_t s)
{
    size_t shown = 0, at = 0;
    cairn_report_step_begin(out, "By the distance %s", d->specs[s]);
    if (a->given)
        cairn_report_paragraph(out, "The distances are given.");
    else
        cairn_report_formula(out, "%s", a->metric.distance->formula);
    for (size_t i = 0; !a->given && i < d->n && shown < MOST_WORKED; i++)
        for (size_t j = d->two ? 0 : i + 1; j < d->m && shown < MOST_WORKED; j++, shown++) {
            double value = d->condensed[s]->numbers[at++];
            work_distance(out, &(distance_work){.metric = &a->metric,
                                                .a = &d->a.view,
                                                .b = d->two ? &d->b.view : &d->a.view,
                                                .i = i,
                                                .j = j,
                                                .name = d->a.names[i],
                                                .other = d->two ? d->b.names[j] : d->a.names[j],
                                                .weights = d->weights,
                                                .value = value});
        }
    if (d->pairs > shown && !a->given)
        cairn_report_paragraph(out, "The other %zu pairs go the same way.", d->pairs - shown);
    cairn_report_step_end(out);
}

/* The pairs by one distance, in a column that can become a table as it is. */
static cairn_status measure(cairn_context *ctx, distances *d, size_t s, cairn_report *steps)
{
    SCOPED(opened_clear) opened o = {0};
    CHECK(open_sides(ctx, d, d->specs[s], &o));
    CHECK(cairn_columns_new(ctx, &d->condensed[s], 1, d->pairs, true));
    double *values = d->condensed[s]->numbers;
    if (d->two)
        CHECK(cairn_distances_block(ctx, &o.a, NULL, d->n, &o.b, 0, d->m, values, d->m));
    else
        CHECK(cairn_distances_condensed(ctx, &o.a, values));
    if (steps) work_pairs(d, steps, &o.a, s);
    if (d->p->similarity) {
        /* 1 - d says how alike rows are only of distances that are 1 for rows with nothing in
         * common; given ones are looked at. */
        static const char *const bounded[] = {"cosine", "gower", "jaccard"};
        const char *name = o.a.given ? "given" : o.a.metric.distance->entry.name;
        bool has = o.a.given;
        for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++)
            has = has || cairn_same(name, bounded[i]);
        for (size_t i = 0; o.a.given && has && i < d->pairs; i++) has = !(values[i] > 1);
        if (!has) {
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{similarity} is 1 - d, which says how alike rows are only where distances "
                "lie between 0 and 1; %s distances may be larger. cosine, gower and jaccard "
                "have a similarity",
                name);
        }
    }
    if (d->p->similarity) CHECK(cairn_blocks(ctx, d->pairs, LOOK_PAIRS, complement, values));
    return CAIRN_OK;
}

static double value_of(const distances *d, size_t s, size_t i, size_t j)
{
    const double *values = d->condensed[s]->numbers;
    if (d->two) return values[i * d->m + j];
    if (i == j) return d->p->similarity ? 1 : 0;
    return values[i < j ? cairn_pair_at(d->n, i, j) : cairn_pair_at(d->n, j, i)];
}

static const char *column_name(const distances *d, size_t j)
{
    return d->two ? d->b.names[j] : d->a.names[j];
}

/* -- showing -- */

static void show_matrix(cairn_report *out, const distances *d, size_t s)
{
    const char *spec = cairn_report_key(out, d->specs[s]);
    cairn_report_table_of(out, d->specs[s], 0, "l", "");
    for (size_t j = 0; j < d->m; j++) cairn_report_column(out, column_name(d, j), 'r');
    for (size_t i = 0; i < d->n; i++) {
        cairn_report_cell(out, d->a.names[i]);
        for (size_t j = 0; j < d->m; j++)
            cairn_report_cell_number(out, value_of(d, s, i, j), 0, "%s.%s.%s", spec,
                                     cairn_report_key(out, d->a.names[i]),
                                     cairn_report_key(out, column_name(d, j)));
    }
}

static void name_values(cairn_report *out, const distances *d, size_t s)
{
    const char *spec = cairn_report_key(out, d->specs[s]);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->m; j++)
            cairn_report_hidden(out, value_of(d, s, i, j), "%s.%s.%s", spec,
                                cairn_report_key(out, d->a.names[i]),
                                cairn_report_key(out, column_name(d, j)));
}

static bool as_list(const distances *d)
{
    return d->p->form == FORM_LIST || (d->p->form == FORM_AUTO && d->n_specs > 1);
}

/* Few rows are printed; those that could still be looked at by name have named values; all others
 * are written to a file only. */
static void show_pairs(cairn_report *out, const distances *d, bool written)
{
    bool small = d->n <= MOST_PRINTED && d->m <= MOST_PRINTED;
    if (as_list(d)) {
        /* A column for each distance, so that several can be compared. */
        cairn_report_table_of(out, "Pairs", MOST_LISTED, "ll", "", "");
        for (size_t s = 0; s < d->n_specs; s++) cairn_report_column(out, d->specs[s], 'r');
        for (size_t i = 0; i < d->n; i++)
            for (size_t j = d->two ? 0 : i + 1; j < d->m; j++) {
                if (!cairn_report_row_wanted(out) && d->n > MOST_NAMED) break;
                cairn_report_cells(out, NULL, d->a.names[i], column_name(d, j));
                for (size_t s = 0; s < d->n_specs; s++)
                    cairn_report_cell_number(out, value_of(d, s, i, j), 0, "%s.%s.%s",
                                             cairn_report_key(out, d->specs[s]),
                                             cairn_report_key(out, d->a.names[i]),
                                             cairn_report_key(out, column_name(d, j)));
            }
        return;
    }
    for (size_t s = 0; s < d->n_specs; s++) {
        if (small)
            show_matrix(out, d, s);
        else if (d->n <= MOST_NAMED && d->m <= MOST_NAMED)
            name_values(out, d, s);
    }
    if (!small && !written)
        cairn_report_paragraph(out,
                               "The %zu distances are not printed; {out FILE} writes them, as csv "
                               "or npy, and {form} says how.",
                               d->pairs);
}

/* -- least, mean and largest -- */

typedef struct look_work {
    const double *values;
    cairn_look *blocks;
} look_work;

static void look_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const look_work *w = data;
    (void)worker;
    cairn_look_at(&w->blocks[block], w->values + begin, end - begin);
}

/* The value and the first pair that has it. */
static void show_pair(cairn_report *out, const distances *d, double value, size_t block,
                      const double *values, const char *spec, const char *name)
{
    size_t at = block * LOOK_PAIRS, i, j;
    while (at + 1 < d->pairs && values[at] != value) at++;
    /* Which rows the pair at a place is of. */
    i = 0;
    if (d->two) {
        i = at / d->m, j = at % d->m;
    } else {
        while (cairn_pair_at(d->n, i, d->n - 1) < at) ++i;
        j = at - cairn_pair_at(d->n, i, i + 1) + i + 1;
    }
    cairn_report_cell_number(out, value, 0, "%s.%s", spec, name);
    cairn_report_cellf(out, "%s, %s", d->a.names[i], column_name(d, j));
    cairn_report_hidden_word(out, d->a.names[i], "%s.%s.first", spec, name);
    cairn_report_hidden_word(out, column_name(d, j), "%s.%s.second", spec, name);
}

/* Blocks are looked at side by side, and only the block with the least or largest value is gone
 * through for the pair. */
static cairn_status show_summary(cairn_context *ctx, cairn_report *out, const distances *d,
                                 size_t s)
{
    SCOPED_SCRATCH(ctx);
    size_t n = cairn_block_count(d->pairs, LOOK_PAIRS), low = 0, high = 0;
    look_work work = {.values = d->condensed[s]->numbers};
    double sum = 0;
    const char *spec = cairn_report_key(out, d->specs[s]);
    CHECK(SCRATCH(ctx, &work.blocks, n));
    CHECK(cairn_blocks(ctx, d->pairs, LOOK_PAIRS, look_block, &work));
    for (size_t b = 0; b < n; b++) {
        if (work.blocks[b].low < work.blocks[low].low) low = b;
        if (work.blocks[b].high > work.blocks[high].high) high = b;
        sum += work.blocks[b].sum;
    }
    cairn_report_cells(out, "- $1.mean", d->specs[s], sum / (double)d->pairs);
    show_pair(out, d, work.blocks[low].low, low, work.values, spec, "least");
    show_pair(out, d, work.blocks[high].high, high, work.values, spec, "largest");
    return CAIRN_OK;
}

/* -- groups -- */

/* Sums and numbers of pairs, group against group. */
static cairn_status show_groups(cairn_context *ctx, cairn_report *out, const distances *d, size_t s)
{
    const cairn_column *target = d->a.view.target;
    if (d->two || !target || target->kind != CAIRN_LEVEL || target->names.n > 50) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    size_t k = target->names.n;
    const double *values = d->condensed[s]->numbers;
    const char *spec = cairn_report_key(out, d->specs[s]);
    double *sums, *counts, within = 0, between = 0, n_within = 0, n_between = 0;
    CHECK(SCRATCH_EACH(ctx, cairn_product(k, k), &sums, &counts));
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i + 1; j < d->n; j++, values++) {
            int32_t a = target->codes[cairn_view_row(&d->a.view, i)];
            int32_t b = target->codes[cairn_view_row(&d->a.view, j)];
            if (a < 0 || b < 0) continue;
            size_t at = (size_t)(a < b ? a : b) * k + (size_t)(a < b ? b : a);
            sums[at] += *values, counts[at]++;
        }
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    cairn_text_addf(&title, "Mean within and between groups, %s", d->specs[s]);
    CHECK(cairn_text_status(&title));
    cairn_report_table_of(out, cairn_text_string(&title), 0, "llrr", "group", "group", "pairs",
                          "mean");
    for (size_t a = 0; a < k; a++)
        for (size_t b = a; b < k; b++) {
            double count = counts[a * k + b], sum = sums[a * k + b];
            const char *first = cairn_map_key(&target->names, a);
            const char *second = cairn_map_key(&target->names, b);
            *(a == b ? &within : &between) += sum;
            *(a == b ? &n_within : &n_between) += count;
            cairn_report_prefix(out, "%s.mean", spec);
            cairn_report_cells(out, "- - - @.$1.$2", first, second, count, sum / count);
        }
    cairn_report_value(out, "mean within groups", within / n_within, "%s.within", spec);
    cairn_report_value(out, "mean between groups", between / n_between, "%s.between", spec);
    return CAIRN_OK;
}

/* -- the table -- */

/* A name that is a number gets an r in front, or the header would be taken for a row. */
static cairn_status add_named(cairn_context *ctx, cairn_table *to, const char *name,
                              cairn_column *column)
{
    char *made;
    if (name[strspn(name, "0123456789.+-")])
        return cairn_table_add_column(ctx, to, name, CAIRN_FEATURE, column);
    size_t length = strlen(name);
    cairn_status status = SCRATCH(ctx, &made, length + 2);
    if (status) {
        cairn_column_drop(column);
        return status;
    }
    made[0] = 'r';
    memcpy(made + 1, name, length);
    return cairn_table_add_column(ctx, to, made, CAIRN_FEATURE, column);
}

static cairn_status add_columns(cairn_context *ctx, cairn_table *to, const distances *d)
{
    cairn_column **columns;
    CHECK(SCRATCH(ctx, &columns, d->m));
    CHECK(cairn_columns_new(ctx, columns, d->m, d->n, true));
    for (size_t j = 0; j < d->m; j++)
        for (size_t i = 0; i < d->n; i++) columns[j]->numbers[i] = value_of(d, 0, i, j);
    cairn_status status = CAIRN_OK;
    for (size_t j = 0; j < d->m; j++) {
        if (status)
            cairn_column_drop(columns[j]);
        else
            status = add_named(ctx, to, column_name(d, j), columns[j]);
    }
    return status;
}

/* Square: the target and the weights stand beside it, so that a learner can read it back. */
static cairn_status matrix_result(cairn_context *ctx, cairn_table **out, const distances *d)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const cairn_table *table = d->a.compared.table;
    CHECK(cairn_memory_check(ctx, 8.0 * (double)d->n * (double)d->m, "a matrix of distances",
                             cairn_say(ctx, "{form condensed} needs half of that")));
    CHECK(cairn_table_new(ctx, &made, d->n));
    CHECK(add_columns(ctx, made, d));
    for (size_t c = 0; !d->two && d->n == table->n_rows && c < table->n_columns; c++) {
        const cairn_slot *slot = &table->slots[c];
        if (slot->role != CAIRN_TARGET && slot->role != CAIRN_WEIGHT) continue;
        CHECK(cairn_table_add_column(ctx, made, slot->name, slot->role,
                                     cairn_column_hold(slot->column)));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status add_name_column(cairn_context *ctx, cairn_table *to, const distances *d,
                                    bool first)
{
    const char **cells;
    size_t at = 0;
    CHECK(SCRATCH(ctx, &cells, d->pairs + 1));
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = d->two ? 0 : i + 1; j < d->m; j++)
            cells[at++] = first ? d->a.names[i] : column_name(d, j);
    return cairn_table_add_texts(ctx, to, first ? "first" : "second", cells);
}

/* A matrix and the condensed form hold one distance; only a list has room for several. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const distances *d)
{
    bool condensed = d->p->form == FORM_CONDENSED;
    if (!condensed && !as_list(d)) {
        if (d->n_specs > 1)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "a matrix is written by one distance; {form list} writes several");
        return matrix_result(ctx, out, d);
    }
    if (condensed && (d->two || d->n_specs > 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{form condensed} holds all pairs of one set of rows by one distance");
    bool names = !condensed;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, d->pairs));
    if (names) CHECK(add_name_column(ctx, made, d, true));
    if (names) CHECK(add_name_column(ctx, made, d, false));
    for (size_t s = 0; s < d->n_specs; s++)
        CHECK(cairn_table_add_column(ctx, made, d->specs[s], CAIRN_FEATURE,
                                     cairn_column_hold(d->condensed[s])));
    if (!names) made->shape = CAIRN_SHAPE_DISTANCES;
    *out = TAKE(made);
    return CAIRN_OK;
}

/* -- running -- */

static cairn_status make_distances(cairn_context *ctx, distances *d, const cairn_compute_job *job,
                                   cairn_report *steps)
{
    d->p = job->params;
    CHECK(read_sides(ctx, d, job));
    CHECK(cairn_memory_check(ctx, 8.0 * (double)d->pairs * (double)d->n_specs,
                             "keeping the distances of all pairs",
                             cairn_say(ctx, "compare fewer {rows} at a time, or raise {memory}")));
    CHECK(SCRATCH(ctx, &d->condensed, d->n_specs + 1));
    for (size_t s = 0; s < d->n_specs; s++) CHECK(measure(ctx, d, s, steps));
    return CAIRN_OK;
}

static cairn_status distances_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    SCOPED(distances_clear) distances d = {0};
    const char *what =
        ((const distances_params *)job->params)->similarity ? "Similarities" : "Distances";
    const char *source = job->table && job->table->source ? job->table->source : NULL;
    cairn_report_heading(out, 1, "%s of %s", what, source ? source : "points");
    CHECK(make_distances(ctx, &d, job, job->steps ? out : NULL));
    cairn_report_value(out, "rows", (double)d.n, "rows");
    if (d.two) cairn_report_value(out, "compared with", (double)d.m, "against");
    cairn_report_value(out, "pairs", (double)d.pairs, "pairs");
    cairn_report_word(out, "columns were taken",
                      cairn_compared_units(&d.a.compared, &d.p->compared), "units");
    show_pairs(out, &d, job->result != NULL);
    cairn_report_table_of(out, "In all", 0, "lrrlrl", "by", "mean", "least", "of", "largest", "of");
    for (size_t s = 0; s < d.n_specs; s++) CHECK(show_summary(ctx, out, &d, s));
    for (size_t s = 0; s < d.n_specs; s++) CHECK(show_groups(ctx, out, &d, s));
    return job->result ? make_result(ctx, job->result, &d) : CAIRN_OK;
}

/* A heat map of the first distance. */
static cairn_status distances_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    SCOPED(distances_clear) distances d = {0};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const char **columns;
    double *cells;
    CHECK(make_distances(ctx, &d, job, NULL));
    if (d.n > MOST_HEAT || d.m > MOST_HEAT)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a matrix of %zu x %zu has too many cells to be drawn; at most %d rows "
                          "are ({rows} takes some)",
                          d.n, d.m, MOST_HEAT);
    CHECK(SCRATCH(ctx, &cells, cairn_product(d.n, d.m)));
    CHECK(SCRATCH(ctx, &columns, d.m + 1));
    for (size_t i = 0; i < d.n * d.m; i++) cells[i] = value_of(&d, 0, i / d.m, i % d.m);
    for (size_t j = 0; j < d.m; j++) columns[j] = column_name(&d, j);
    CHECK(cairn_figure_new(ctx, &figure, "distances", d.specs[0]));
    cairn_figure_heat(figure, cells, d.a.names, d.n, columns, d.m);
    *out = TAKE(figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_distances = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "distances",
              .also =
                  "distance matrix, pairwise distances, pdist, similarity matrix, dissimilarities",
              .about = "distance between points",
              .title = "Distances between rows",
              .summary =
                  "The distances of all pairs of rows (or typed points), or of the rows of one set "
                  "from those of another, by any distance of 'cairn list distances', several side "
                  "by side. --out FILE writes them: a matrix that methods read --as distances, a "
                  "list, or the condensed column; csv, npy and others. Columns can have weights "
                  "and pass transforms first (--with scale). With a target the means within and "
                  "between its groups judge the grouping.",
              .references = "Deza and Deza, Encyclopedia of Distances, 2009",
              .example =
                  "cairn compute distances --points 'O=0,0;A=0,1;C=1,1' --distance euclidean "
                  "--distance manhattan --steps",
              .params = distances_table,
              .params_size = sizeof(distances_params),
              .check = distances_check},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "distances",
                .also = "distance matrix, heat map of distances",
                .title = "Distances between rows",
                .summary = "The distances of all pairs of a few rows as a heat map.",
                .references = "Deza and Deza, Encyclopedia of Distances, 2009",
                .example = "cairn draw distances @iris --rows 1-5,51-55,101-105 --target species",
                .params = distances_table,
                .params_size = sizeof(distances_params),
                .check = distances_check},
    .arguments = "[DATA [OTHER]]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .run = distances_run,
    .draw = distances_draw,
};
