/* SPDX-License-Identifier: MIT */
/* cairn compute kernel: the kernel of two vectors or two texts, the distance and the angle that it
 * makes between them, and for a polynomial kernel the map whose inner product it is. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/view.h"
#include "kernels/kernels.h"
#include "rows/kernel.h"
#include "stats/edit_distance.h"
#include "transforms/kernel_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COMPONENTS = 1000 };

typedef struct kernel_calculation {
    cairn_kernel_params kernel;
    const char *x, *y, *rows;
} kernel_calculation;

static const cairn_param kernel_table[] = {
    CAIRN_PARAM(kernel_calculation, x, NULL, NULL,
                "the first vector, such as 1,2, or the first text"),
    CAIRN_PARAM(kernel_calculation, y, NULL, NULL, "the second one"),
    CAIRN_PARAM(kernel_calculation, rows, "1,2", NULL, "with DATA: the numbers of the two rows"),
    CAIRN_KERNEL(kernel_calculation),
    CAIRN_PARAM_END,
};

/* Two rows as a table of their own. */
typedef struct pair {
    cairn_view view;
    const char *const *names; /* of the columns; NULL = x1, x2 ... */
    size_t n;
    double *x, *y; /* numbers */
} pair;

/* -- reading -- */

/* Typed vectors become a table of two rows, so that kernels read them as any data. */
static cairn_status typed_numbers(cairn_context *ctx, cairn_table **out,
                                  const kernel_calculation *p)
{
    double *x, *y;
    size_t n, n_y;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_list_numbers(ctx, "x", p->x, &x, &n));
    CHECK(cairn_list_numbers(ctx, "y", p->y, &y, &n_y));
    if (n != n_y)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{x} has %zu numbers and {y} has %zu; a kernel "
                          "compares vectors of the same length",
                          n, n_y);
    CHECK(cairn_table_new(ctx, &table, 2));
    for (size_t j = 0; j < n; j++) {
        char name[32];
        snprintf(name, sizeof name, "x%zu", j + 1);
        CHECK(cairn_table_put_numbers(ctx, table, name, (double[]){x[j], y[j]}));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status typed_texts(cairn_context *ctx, cairn_table **out, const kernel_calculation *p)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, 2));
    CHECK(cairn_table_add_texts(ctx, table, "text", (const char *const[]){p->x, p->y}));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Two rows of the table, by their numbers. */
static cairn_status rows_of_table(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                  const char *list)
{
    uint32_t *rows;
    size_t n;
    cairn_status status = cairn_row_list(ctx, &rows, &n, list, table->n_rows);
    if (status) cairn_message_prefix(ctx, "%s", cairn_say(ctx, "{rows}"));
    CHECK(status);
    if (n != 2) return cairn_fail(ctx, CAIRN_USAGE, "{rows} must name two rows, not %zu", n);
    return cairn_table_take_rows(ctx, out, table, rows, 2);
}

static cairn_status read_pair(cairn_context *ctx, cairn_table **out, const cairn_compute_job *job,
                              const cairn_kernel *kernel)
{
    const kernel_calculation *p = job->params;
    if (job->table && (p->x || p->y))
        return cairn_fail(ctx, CAIRN_USAGE, "give DATA or {x} and {y}, not both");
    if (job->table) return rows_of_table(ctx, out, job->table, p->rows);
    if (!p->x || !p->y)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs {x} and {y}, or DATA with two rows",
                          job->what);
    return kernel->function->of_texts ? typed_texts(ctx, out, p) : typed_numbers(ctx, out, p);
}

/* -- showing -- */

static void show_vector(cairn_report *out, const char *label, const double *x, size_t n)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_add(&text, "(");
    for (size_t j = 0; j < n && j < 20; j++) {
        if (j) cairn_text_add(&text, ", ");
        cairn_text_add_number(&text, x[j], 6);
    }
    cairn_text_add(&text, n > 20 ? ", …)" : ")");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_word(out, label, cairn_text_string(&text), NULL);
}

/* The kernel's formula with the numbers put in. */
static void work_value(cairn_report *out, const cairn_kernel *k, double dot, double d2, double l1,
                       double value)
{
    switch (cairn_kernel_kind_of(k)) {
    case CAIRN_KERNEL_LINEAR: cairn_report_worked(out, "k", "x·y = #", value); return;
    case CAIRN_KERNEL_POLY:
        cairn_report_worked(out, "k", "(# · # + #)^# = #^# = #", k->factor, dot, k->offset,
                            k->degree, k->factor * dot + k->offset, k->degree, value);
        return;
    case CAIRN_KERNEL_SIGMOID:
        cairn_report_worked(out, "k", "tanh(# · # + #) = tanh(#) = #", k->factor, dot, k->offset,
                            cairn_number_left(k->factor * dot + k->offset, k->offset), value);
        return;
    case CAIRN_KERNEL_RBF:
        cairn_report_worked(out, "k", "exp(−γ d²) = exp(−# · #) = exp(#) = #", k->gamma, d2,
                            -k->gamma * d2, value);
        return;
    default:
        cairn_report_worked(out, "k", "exp(−d / σ) = exp(−# / #) = #", k->manhattan ? l1 : sqrt(d2),
                            1 / k->gamma, value);
    }
}

/* What the vectors have together, and the kernel of it. */
static cairn_status show_numbers(cairn_context *ctx, cairn_report *out, const pair *p,
                                 const cairn_kernel *k, double value, bool steps)
{
    double *terms, dot = cairn_dot(p->x, p->y, p->n);
    double d2 = cairn_squared_distance(p->x, p->y, p->n);
    double l1 = cairn_absolute_distance(p->x, p->y, p->n);
    /* Terms of a sum over the components, two numbers each. */
    CHECK(SCRATCH(ctx, &terms, 2 * p->n + 1));
    for (size_t j = 0; j < p->n; j++) {
        (terms)[2 * j] = p->x[j];
        (terms)[2 * j + 1] = p->y[j];
    }
    if (steps) {
        cairn_report_step_begin(out, "What the vectors have together");
        cairn_report_worked_sum(out, "x·y", "#·#", terms, 2, p->n, dot);
        cairn_report_worked_sum(out, "d² = ‖x − y‖²", "(# − #)²", terms, 2, p->n, d2);
        if (k->manhattan) cairn_report_worked_sum(out, "d", "|# − #|", terms, 2, p->n, l1);
        cairn_report_step_end(out);
        cairn_report_step_begin(out, "The kernel");
        cairn_report_formula(out, "%s", k->function->formula);
        work_value(out, k, dot, d2, l1, value);
        cairn_report_step_end(out);
    }
    cairn_report_value(out, "inner product x·y", dot, "dot");
    cairn_report_value(out, "squared distance", d2, "squared_distance");
    if (k->manhattan) cairn_report_value(out, "sum of absolute differences", l1, "manhattan");
    return CAIRN_OK;
}

/* Distance and angle of the two in the space whose inner product the kernel is. */
static void show_space(cairn_report *out, const double *v, bool steps)
{
    double xx = v[0], xy = v[1], yy = v[3], square = xx - 2 * xy + yy;
    /* Of an inner product |k(x, y)| is at most √(k(x, x) k(y, y)). */
    double most = xx >= 0 && yy >= 0 ? sqrt(xx) * sqrt(yy) : NAN;
    bool inner = square >= 0 && fabs(xy) <= most * (1 + 1e-9);
    double cosine = inner && most > 0 ? xy / most : NAN;
    double distance = inner ? sqrt(square) : NAN;
    if (steps) {
        cairn_report_step_begin(out, "In the space whose inner product it is");
        cairn_report_formula(out, "d(x, y) = √(k(x, x) − 2 k(x, y) + k(y, y)),  "
                                  "cos(x, y) = k(x, y) / √(k(x, x) k(y, y))");
        if (inner) {
            cairn_report_worked(out, "d", "√(# − 2·# + #) = √# = #", xx, xy, yy, square, distance);
            cairn_report_worked(out, "cos", "# / √(# · #) = #", xy, xx, yy, cosine);
        } else {
            cairn_report_worked(out, "d²", "# − 2·# + # = #", xx, xy, yy, square);
            cairn_report_worked(out, "√(k(x, x) · k(y, y))", "√# · √# = #", xx, yy, most);
        }
        cairn_report_step_end(out);
    }
    cairn_report_value(out, "k(x, x)", xx, "kernel.xx");
    cairn_report_value(out, "k(y, y)", yy, "kernel.yy");
    cairn_report_value(out, "distance in its space", distance, "kernel.distance");
    cairn_report_value(out, "cosine in its space", cosine, "kernel.cosine");
    cairn_report_hidden(out, 1 - cosine, "kernel.cosine_distance");
    if (!inner)
        cairn_report_note(out, square < 0
                                   ? "k(x, x) − 2 k(x, y) + k(y, y) is negative: this is no inner "
                                     "product, and there is no distance."
                                   : "k(x, y) is larger than √(k(x, x) k(y, y)): this is no inner "
                                     "product, and there are no distance and no angle.");
}

/* -- the map behind a polynomial kernel -- */

static double monomial(const cairn_monomials *terms, size_t t, const double *x)
{
    double product = 1;
    const int32_t *factors = terms->factors + t * (size_t)terms->degree;
    for (int32_t i = 0; i < terms->degree && factors[i] >= 0; i++) product *= x[factors[i]];
    return product;
}

/* "(...)" of the components of one vector. */
static void show_components(cairn_report *out, const cairn_monomials *terms,
                            const double *coefficients, const pair *p, const cairn_map *names,
                            double value)
{
    cairn_text name = cairn_text_start(cairn_report_context(out));
    double sum = 0;
    cairn_report_table_of(out, "The map φ", 0, "lrrrr", "component", "coefficient", "φ(x)", "φ(y)",
                          "product");
    for (size_t t = 0; t < terms->n; t++) {
        double c = coefficients[t], x = c * monomial(terms, t, p->x),
               y = c * monomial(terms, t, p->y);
        sum += x * y;
        cairn_monomial_name(&name, terms, t, names);
        cairn_report_cells(out, "- phi.coefficient.$1 phi.x.$1 phi.y.$1 phi.product.$1",
                           cairn_text_string(&name), c, x, y, x * y);
        name.length = 0;
    }
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&name);
    bool same = fabs(sum - value) <= 1e-9 * fmax(1, fabs(value));
    cairn_report_value(out, "components", (double)terms->n, "phi.dimension");
    cairn_report_value(out, "φ(x)·φ(y)", sum, "phi.dot");
    cairn_report_word(out, "is the kernel", same ? "yes" : "no", "phi.is_kernel");
}

/* A negative offset has no such map, and one of too many components is not written out. */
static cairn_status show_map(cairn_context *ctx, cairn_report *out, const pair *p,
                             const cairn_kernel *k, double value)
{
    cairn_monomials terms = {0};
    double *coefficients = NULL, count = 0;
    cairn_map names = {0};
    cairn_status status = CAIRN_OK;
    for (int d = k->offset > 0 ? 0 : k->degree; d <= k->degree; d++)
        count += cairn_monomial_count(CAIRN_MONOMIALS_ALL, p->n, d);
    if (k->offset < 0 || !(count <= MOST_COMPONENTS)) {
        cairn_report_paragraph(out, "%s",
                               k->offset < 0 ? "With a negative offset there is no such map."
                                             : "The map behind it has too many components to be "
                                               "written out.");
        return CAIRN_OK;
    }
    for (size_t j = 0; status == CAIRN_OK && j < p->n; j++) {
        size_t at;
        const char *name = p->view.names[j];
        status = cairn_map_add(ctx, &names, name, strlen(name), &at);
    }
    TRY(status);
    TRY(cairn_kernel_terms(ctx, &terms, &coefficients, p->n, k->degree, k->factor, k->offset, 2));
    cairn_report_formula(out, "φ(x)·φ(y) = k(x, y)");
    show_components(out, &terms, coefficients, p, &names, value);
done:
    cairn_monomials_clear(&terms);
    cairn_map_clear(&names);
    cairn_free(coefficients);
    return status;
}

/* -- texts -- */

/* Letters to put in, take out or exchange, over all columns. */
static cairn_status count_edits(cairn_context *ctx, const cairn_points *t, double *out)
{
    int32_t *buffer;
    CHECK(SCRATCH(ctx, &buffer, t->longest + 1));
    *out = 0;
    for (size_t c = 0; c < 2 * t->n_texts; c += 2)
        *out += (double)cairn_edit_distance(t->letters + t->starts[c], (size_t)t->lengths[c],
                                            t->letters + t->starts[c + 1],
                                            (size_t)t->lengths[c + 1], buffer);
    return CAIRN_OK;
}

/* Runs of one text, in order, and how often the one at `at` stands there. */
typedef struct runs {
    const int32_t *letters, *order;
    size_t n, at, length;
} runs;

static runs runs_of(const cairn_kernel_rows *rows, size_t i, size_t column, size_t length)
{
    const cairn_points *t = &rows->texts;
    size_t cell = column * t->n + i, n = (size_t)t->lengths[cell];
    return (runs){t->letters + t->starts[cell], rows->orders + t->starts[cell],
                  n < length ? 0 : n - length + 1, 0, length};
}

static const int32_t *next_run(const runs *r)
{
    return r->at < r->n ? r->letters + r->order[r->at] : NULL;
}

static int compare_runs(const int32_t *a, const int32_t *b, size_t length)
{
    return a && b ? cairn_letters_compare(a, b, length) : !a - !b;
}

static double count_run(runs *r, const int32_t *run)
{
    double n = 0;
    for (; next_run(r) && compare_runs(next_run(r), run, r->length) == 0; r->at++) n++;
    return n;
}

/* Every run of letters that one of the texts has, with its counts. */
static void show_runs(cairn_report *out, const cairn_kernel_rows *rows, size_t column,
                      size_t length)
{
    runs x = runs_of(rows, 0, column, length), y = runs_of(rows, 1, column, length);
    cairn_text name = cairn_text_start(cairn_report_context(out));
    cairn_report_table_of(out, "Runs of letters", 0, "lrrr", "run", "in x", "in y", "product");
    while (next_run(&x) || next_run(&y)) {
        const int32_t *run =
            compare_runs(next_run(&x), next_run(&y), length) <= 0 ? next_run(&x) : next_run(&y);
        double in_x = count_run(&x, run), in_y = count_run(&y, run);
        name.length = 0;
        for (size_t i = 0; i < length; i++) {
            /* A letter as UTF-8; a byte that was none, as a question mark. */
            int32_t letter = run[i];
            uint32_t c = (uint32_t)letter;
            if (c > 0x10ffff) c = '?';
            int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
            static const uint8_t firsts[] = {0, 0xc0, 0xe0, 0xf0};
            cairn_text_add_char(&name, (char)(firsts[more] | c >> (6 * more)));
            while (more-- > 0) cairn_text_add_char(&name, (char)(0x80 | (c >> (6 * more) & 0x3f)));
        }
        cairn_report_cells(out, NULL, cairn_text_string(&name), in_x, in_y, in_x * in_y);
    }
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&name);
}

/* Where the kernel is normalised, the three sums behind its value are shown too. */
static cairn_status show_texts(cairn_context *ctx, cairn_report *out, const cairn_kernel *k,
                               const cairn_kernel_rows *rows, double value, bool steps)
{
    double edits, xx = rows->norms[0], yy = rows->norms[1], xy = value * sqrt(xx * yy);
    cairn_report_formula(out, "%s", k->function->formula);
    if (cairn_kernel_kind_of(k) == CAIRN_KERNEL_EDIT) {
        CHECK(count_edits(ctx, &rows->texts, &edits));
        cairn_report_value(out, "edits", edits, "edits");
        if (steps)
            cairn_report_worked(out, "k", "exp(−γ · edits) = exp(−# · #) = #", k->gamma, edits,
                                value);
    }
    for (size_t t = 0; steps && rows->orders && t < rows->n_terms; t++)
        show_runs(out, rows, t, (size_t)k->length);
    if (!k->normalise) return CAIRN_OK;
    cairn_report_value(out, "sum for x and y", xy, "raw.xy");
    cairn_report_value(out, "sum for x and x", xx, "raw.xx");
    cairn_report_value(out, "sum for y and y", yy, "raw.yy");
    if (steps) cairn_report_worked(out, "k", "# / √(# · #) = #", xy, xx, yy, value);
    return CAIRN_OK;
}

/* -- all of it -- */

static cairn_status show_pair(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job,
                              const pair *p, cairn_kernel *k)
{
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {0};
    double v[4];
    CHECK(cairn_kernel_rows_open(ctx, &rows, k, &p->view, &(cairn_kernel_options){0}));
    CHECK(cairn_kernel_gram(ctx, k, &rows, false, v));
    double lengths = sqrt(fabs(v[0] * v[3]));
    for (size_t i = 0; i < 4; i++) v[i] = cairn_kernel_left(k, v[i], lengths);
    bool texts = k->function->of_texts;
    cairn_report_heading(out, 1, "%s", k->function->entry.title);
    if (texts) {
        CHECK(show_texts(ctx, out, k, &rows, v[1], job->steps));
    } else {
        show_vector(out, "x", p->x, p->n);
        show_vector(out, "y", p->y, p->n);
        CHECK(show_numbers(ctx, out, p, k, v[1], job->steps));
    }
    cairn_report_value(out, "k(x, y)", v[1], "kernel");
    show_space(out, v, job->steps);
    if (cairn_kernel_kind_of(k) == CAIRN_KERNEL_POLY) CHECK(show_map(ctx, out, p, k, v[1]));
    return CAIRN_OK;
}

/* A given Gram matrix has no function that two vectors could be put into. */
static cairn_status kernel_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const kernel_calculation *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_kernel kernel = cairn_kernel_of(&p->kernel, 0);
    pair both = {0};
    if (!kernel.function)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{kernel precomputed} has no values of its own; "
                          "'compute gram' looks at a given matrix");
    CHECK(read_pair(ctx, &table, job, &kernel));
    CHECK(cairn_view_make(ctx, &both.view, table, cairn_all_rows(table)));
    both.n = both.view.n_features;
    if (!kernel.function->of_texts) {
        for (size_t j = 0; j < both.n; j++)
            if (both.view.features[j]->kind != CAIRN_NUMBER)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "column '%s' does not hold numbers; {ignore} "
                                  "leaves it out",
                                  both.view.names[j]);
        CHECK(SCRATCH(ctx, &both.x, 2 * both.n + 1));
        both.y = both.x + both.n;
        cairn_view_block(&both.view, 0, 2, both.x);
    }
    return show_pair(ctx, out, job, &both, &kernel);
}

static cairn_status kernel_check(cairn_context *ctx, const void *values)
{
    return cairn_kernel_check(ctx, &((const kernel_calculation *)values)->kernel);
}

const cairn_calculator cairn_compute_kernel = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "kernel",
              .also = "kernel function, kernel trick, feature map, Gaussian kernel, polynomial "
                      "kernel, string kernel",
              .title = "Kernel of two vectors or texts",
              .summary =
                  "The value of a kernel function for two vectors that are typed or two rows of "
                  "DATA, and the distance and angle that the two have in the space whose inner "
                  "product it is. The width of the Gaussian kernel may be given as gamma, as sigma "
                  "or as a variance; it is gamma 1 if none is given. For a polynomial kernel the "
                  "map into that space is written out, and its inner product compared with the "
                  "kernel. Kernels of texts count what two texts have in common. --steps puts the "
                  "numbers into the formulas.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn compute kernel --x 1,2 --y 3,-1 --kernel poly --offset 1 --steps",
              .params = kernel_table,
              .params_size = sizeof(kernel_calculation),
              .check = kernel_check},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = kernel_run,
};
