/* SPDX-License-Identifier: MIT */
/* How a distance is written on the board: most are a sum (or the largest) of one term per column
 * with something around it; cosine, kernel, Mahalanobis' and sets have lines of their own. */
#include "compute/geometry/distance_steps.h"

#include "base/functions.h"
#include "base/text.h"
#include "data/column.h"
#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

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

static void begin_line(cairn_text *text, const cairn_distance_work *w)
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
    const cairn_distance_work *w;
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
    const cairn_distance_work *w = t->w;
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

static void work_terms(cairn_report *out, const terms *t)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    begin_line(&text, t->w);
    add_terms(&text, t, false);
    cairn_text_add(&text, " = ");
    add_terms(&text, t, true);
    end_line(out, &text, t->w->value);
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

/* Bags: what two rows share and what each has, in place of a term for every item. */
static void work_products(cairn_report *out, const cairn_distance_work *w)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
    cairn_report_worked(out, cairn_text_string(&label),
                        w->metric->rooted ? "√(x·x + y·y − 2·x·y) = √(# + # − 2·#) = #"
                                          : "x·x + y·y − 2·x·y = # + # − 2·# = #",
                        product_of(w->a, w->i, w->a, w->i), product_of(w->b, w->j, w->b, w->j),
                        product_of(w->a, w->i, w->b, w->j), w->value);
    cairn_report_failed(out, cairn_text_status(&label));
}

static void work_cosine(cairn_report *out, const cairn_distance_work *w)
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
static void work_kernel(cairn_report *out, const cairn_distance_work *w)
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
static void count_sets(const cairn_distance_work *w, double *both, double *either)
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

static void work_jaccard(cairn_report *out, const cairn_distance_work *w)
{
    double both, either;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    count_sets(w, &both, &either);
    cairn_text_addf(&label, "d(%s, %s)", w->name, w->other);
    cairn_report_worked(out, cairn_text_string(&label), "1 − both / either = 1 − # / # = #", both,
                        either, w->value);
    cairn_report_failed(out, cairn_text_status(&label));
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
static void work_matrix(cairn_report *out, const cairn_distance_work *w)
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

void cairn_work_distance(cairn_report *out, const cairn_distance_work *w)
{
    const cairn_metric *m = w->metric;
    terms t = {.w = w};
    if (!out) return;
    if (find_form(&t))
        work_terms(out, &t);
    else if (named(m, "jaccard"))
        work_jaccard(out, w);
    else if (named(m, "cosine"))
        work_cosine(out, w);
    else if (m->offsets && !m->kernel.function)
        work_products(out, w);
    else if (named(m, "mahalanobis"))
        work_matrix(out, w);
    else if (m->kernel.function && !m->offsets)
        work_kernel(out, w);
    else
        cairn_report_worked(out, NULL, "d = #", w->value);
}
