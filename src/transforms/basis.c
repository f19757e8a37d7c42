/* SPDX-License-Identifier: MIT */
/* Basis functions: number columns are replaced or joined by functions of them, so that a learner
 * that is linear in its columns draws curved boundaries and fits curves.
 *
 *   linear         the columns themselves (with a constant if wanted)
 *   poly           all products of columns up to a degree: x, y, x^2, x*y, y^2 ...
 *   powers         the powers of each column, no products of different ones
 *   squares        the squares alone
 *   interactions   products of different columns up to a degree
 *   rbf            exp(-|x - c|^2 / (2 width^2)) for each centre c, all columns together
 *   sigmoid        1 / (1 + exp(-slope (x - c))) for each column and centre
 *
 * Centres are the distinct training rows, some of them at random, the means of k-means clusters, an
 * even grid, or given. The width when none is given is the largest distance between two centres
 * over sqrt(2 n), the slope is 4 over the mean gap between neighbouring centres. A row with a
 * missing cell has missing values. Cost: rows times new columns. */
#include "transforms/codebook.h"
#include "transforms/expand.h"
#include "transforms/monomials.h"

#include "base/functions.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "model/model.h"
#include "parallel/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    BASIS_LINEAR,
    BASIS_POLY,
    BASIS_POWERS,
    BASIS_SQUARES,
    BASIS_INTERACTIONS,
    BASIS_RBF,
    BASIS_SIGMOID
} basis_type;

typedef enum { KEEP_AUTO, KEEP_YES, KEEP_NO } keep_choice;

typedef struct basis_params {
    int type; /* basis_type */
    const char *columns;
    int degree;
    bool constant;
    int keep; /* keep_choice */
    const char *centres;
    int count;
    double width, slope;
} basis_params;

static const cairn_choice basis_types[] = {
    {"linear", BASIS_LINEAR, "the columns as they are"},
    {"poly", BASIS_POLY, "all products up to the degree"},
    {"powers", BASIS_POWERS, "powers of each column up to the degree"},
    {"squares", BASIS_SQUARES, "the squares in place of the columns"},
    {"interactions", BASIS_INTERACTIONS, "products of different columns up to the degree"},
    {"rbf", BASIS_RBF, "a bell around each centre"},
    {"sigmoid", BASIS_SIGMOID, "a smooth step at each centre of each column"},
    {0},
};

static const cairn_choice keeps[] = {
    {"auto", KEEP_AUTO, "with poly, powers and interactions"},
    {"yes", KEEP_YES, "they stay"},
    {"no", KEEP_NO, "they go"},
    {0},
};

static const cairn_param basis_param_table[] = {
    CAIRN_PARAM_CHOICE(basis_params, type, "poly", basis_types, "the family of functions"),
    CAIRN_PARAM_AS(basis_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to expand; all number features when not given"),
    CAIRN_PARAM(basis_params, degree, "2", "[1,20]", "highest degree of products and powers",
                .when = "type=poly|powers|interactions"),
    CAIRN_PARAM(basis_params, constant, "no", NULL, "add a column of ones"),
    CAIRN_PARAM_CHOICE(basis_params, keep, "auto", keeps,
                       "whether the columns themselves stay beside their functions"),
    CAIRN_PARAM(basis_params, centres, "grid", NULL,
                "where the bells and steps are: grid, data, random, kmeans, or points such as "
                "[0,0;1,2]",
                .when = "type=rbf|sigmoid"),
    CAIRN_PARAM(basis_params, count, "10", "[1,1e6]",
                "number of centres; with a grid, along each column",
                .when = "type=rbf|sigmoid,centres=grid|random|kmeans"),
    CAIRN_PARAM(basis_params, width, "0", "[0,inf)",
                "width of the bells, their standard deviation; 0 = from the centres",
                .when = "type=rbf"),
    CAIRN_PARAM(basis_params, slope, "0", "[0,inf)",
                "slope of the steps at their centre, times 4; 0 = from the centres",
                .when = "type=sigmoid"),
    CAIRN_PARAM_END,
};

typedef struct basis_state {
    cairn_map names;       /* of the columns that are expanded */
    cairn_map made;        /* names of the new columns */
    cairn_monomials terms; /* products, without those that are kept columns */
    int32_t type;          /* basis_type */
    bool keep, constant;
    size_t n_centres;
    double *centres; /* RBF, SIGMOID: n_centres x names.n */
    double *scales;  /* RBF: 1 width; SIGMOID: names.n slopes */
} basis_state;

/* -- centres -- */

/* "[0,0;1,2]": points separated by semicolons, one number per column. */
static cairn_status read_centres(cairn_context *ctx, basis_state *s, const char *text)
{
    size_t length = strlen(text), n, width = s->names.n, n_points = 1;
    bool bracketed = length >= 2 && text[0] == '[' && text[length - 1] == ']';
    char *copy;
    double *numbers;
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, text + bracketed, length - 2 * (size_t)bracketed);
    for (char *c = copy; *c; c++) n_points += *c == ';';
    CHECK(NEW(ctx, &s->centres, cairn_product(n_points, width)));
    for (size_t i = 0; i < n_points; i++) {
        char *next = copy + strcspn(copy, ";");
        *next = 0;
        CHECK(cairn_list_numbers(ctx, "basis: centres are grid, data, random, kmeans, or points",
                                 copy, &numbers, &n));
        if (n != width)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "basis: centre %zu has %zu number%s, but there %s %zu column%s",
                              i + 1, n, n == 1 ? "" : "s", width == 1 ? "is" : "are", width,
                              width == 1 ? "" : "s");
        memcpy(s->centres + i * width, numbers, width * sizeof *numbers);
        copy = next + 1;
    }
    s->n_centres = n_points;
    return CAIRN_OK;
}

/* Row i of the view in the chosen columns; false when a cell is missing. */
static bool pick_row(const cairn_view *view, const size_t *chosen, size_t n, size_t i, double *out)
{
    bool whole = true;
    for (size_t c = 0; c < n; c++) {
        out[c] = view->features[chosen[c]]->numbers[cairn_view_row(view, i)];
        whole &= !isnan(out[c]);
    }
    return whole;
}

typedef struct sort_row {
    const double *row;
    size_t n, at;
} sort_row;

static int by_values(const void *a, const void *b)
{
    const sort_row *x = a, *y = b;
    for (size_t i = 0; i < x->n; i++)
        if (x->row[i] != y->row[i]) return x->row[i] < y->row[i] ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The distinct training rows in the order in which they come; `most` of them at random when it is
 * not 0. */
static cairn_status centres_from_rows(cairn_context *ctx, basis_state *s, const cairn_view *view,
                                      const size_t *chosen, size_t most)
{
    cairn_random random;
    size_t d = s->names.n, n = 0, kept = 0, *order;
    double *rows;
    sort_row *sorted;
    bool *first;
    CHECK(cairn_memory_check(ctx, (double)view->rows.n * (8.0 * (double)d + 40), "basis: centres",
                             "choose centres=kmeans or centres=grid"));
    CHECK(SCRATCH_RAW(ctx, &rows, cairn_product(view->rows.n + 1, d)));
    CHECK(SCRATCH_RAW_EACH(ctx, view->rows.n + 1, &sorted, &order));
    CHECK(SCRATCH(ctx, &first, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++)
        if (pick_row(view, chosen, d, i, rows + n * d)) {
            sorted[n] = (sort_row){rows + n * d, d, n};
            n++;
        }
    qsort(sorted, n, sizeof *sorted, by_values);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || memcmp(sorted[i].row, sorted[i - 1].row, d * sizeof(double)) != 0)
            first[sorted[i].at] = true;
    for (size_t i = 0; i < n; i++)
        if (first[i]) order[kept++] = i;
    if (most && most < kept) {
        cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0xBA515));
        cairn_random_shuffle(&random, order, kept);
        kept = most;
    }
    CHECK(NEW_RAW(ctx, &s->centres, cairn_product(kept + 1, d)));
    for (size_t i = 0; i < kept; i++)
        memcpy(s->centres + i * d, rows + order[i] * d, d * sizeof(double));
    s->n_centres = kept;
    return CAIRN_OK;
}

/* Even steps from the least to the largest value, over all columns at once. */
static cairn_status centres_on_grid(cairn_context *ctx, basis_state *s, const cairn_view *view,
                                    const size_t *chosen, int count)
{
    cairn_moments *m;
    size_t d = s->names.n;
    bool joint = s->type == BASIS_RBF;
    double total = joint ? cairn_pow(count, (double)d) : count;
    if (total > 1e6)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "basis: a grid of %d points along each of %zu columns has too many "
                          "centres; choose a smaller count or centres=kmeans",
                          count, d);
    CHECK(cairn_expand_check(ctx, "basis", total * (joint ? 1 : (double)d), view->table->n_rows));
    s->n_centres = (size_t)(total + 0.5);
    CHECK(SCRATCH(ctx, &m, d + 1));
    CHECK(NEW_RAW(ctx, &s->centres, cairn_product(s->n_centres, d) + 1));
    for (size_t c = 0; c < d; c++) CHECK(cairn_column_moments(ctx, view, chosen[c], &m[c]));
    for (size_t i = 0; i < s->n_centres; i++)
        for (size_t c = d, rest = i; c-- > 0;) {
            size_t step = joint ? rest % (size_t)count : i;
            rest /= (size_t)count;
            double share = count > 1 ? (double)step / (count - 1) : 0.5;
            s->centres[i * d + c] =
                isnan(m[c].mean) ? 0 : m[c].low + share * (m[c].high - m[c].low);
        }
    return CAIRN_OK;
}

/* The means of the clusters that k-means finds in the chosen columns. */
static cairn_status centres_by_kmeans(cairn_context *ctx, basis_state *s, const cairn_view *view,
                                      const size_t *chosen, int count)
{
    SCOPED(cairn_codebook_clear) cairn_codebook book = {0};
    CHECK(cairn_codebook_fit(ctx, &book, view, chosen, s->names.n, count, false));
    s->centres = TAKE(book.centres);
    s->n_centres = book.n;
    return CAIRN_OK;
}

static cairn_status find_centres(cairn_context *ctx, basis_state *s, const cairn_view *view,
                                 const size_t *chosen, const basis_params *p)
{
    if (strcmp(p->centres, "grid") == 0)
        CHECK(centres_on_grid(ctx, s, view, chosen, p->count));
    else if (strcmp(p->centres, "data") == 0)
        CHECK(centres_from_rows(ctx, s, view, chosen, 0));
    else if (strcmp(p->centres, "random") == 0)
        CHECK(centres_from_rows(ctx, s, view, chosen, (size_t)p->count));
    else if (strcmp(p->centres, "kmeans") == 0)
        CHECK(centres_by_kmeans(ctx, s, view, chosen, p->count));
    else
        CHECK(read_centres(ctx, s, p->centres));
    if (s->n_centres == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "basis: there is no centre, since every row has a missing cell");
    double n_new = (double)s->n_centres * (s->type == BASIS_RBF ? 1 : (double)s->names.n);
    return cairn_expand_check(ctx, "basis", n_new, view->table->n_rows);
}

/* The largest distance between two centres; of very many, between the corners of their box. */
static double extent(const basis_state *s)
{
    size_t d = s->names.n, n = s->n_centres;
    double largest = 0;
    if (n <= 2000) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++)
                largest = fmax(largest,
                               cairn_squared_distance(s->centres + i * d, s->centres + k * d, d));
        return sqrt(largest);
    }
    for (size_t c = 0; c < d; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, s->centres[i * d + c]);
            high = fmax(high, s->centres[i * d + c]);
        }
        largest += (high - low) * (high - low);
    }
    return sqrt(largest);
}

static double slope_of(const basis_state *s, size_t column)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n_centres; i++) {
        low = fmin(low, s->centres[i * s->names.n + column]);
        high = fmax(high, s->centres[i * s->names.n + column]);
    }
    return high > low ? 4 * ((double)s->n_centres - 1) / (high - low) : 1;
}

/* -- fit -- */

static cairn_status make_terms(cairn_context *ctx, basis_state *s, int degree, size_t n_rows)
{
    cairn_monomial_set set = s->type == BASIS_POLY           ? CAIRN_MONOMIALS_ALL
                             : s->type == BASIS_INTERACTIONS ? CAIRN_MONOMIALS_DISTINCT
                                                             : CAIRN_MONOMIALS_POWERS;
    double n_new = 0;
    if (s->type == BASIS_SQUARES) degree = 2;
    for (int d = 2; d <= degree; d++) n_new += cairn_monomial_count(set, s->names.n, d);
    CHECK(cairn_expand_check(ctx, "basis", n_new, n_rows));
    if (degree >= 2) CHECK(cairn_monomials_make(ctx, &s->terms, set, s->names.n, 2, degree));
    return CAIRN_OK;
}

/* Products need the columns they are made of, so these stay unless told otherwise; bells and
 * sigmoids replace theirs, and only they look at the training rows. */
static cairn_status basis_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const basis_params *p = job->params;
    basis_state *s = state;
    size_t *chosen;
    bool products = p->type == BASIS_POLY || p->type == BASIS_POWERS ||
                    p->type == BASIS_INTERACTIONS || p->type == BASIS_LINEAR;
    s->type = p->type;
    s->constant = p->constant;
    s->keep = p->keep == KEEP_AUTO ? products : p->keep == KEEP_YES;
    CHECK(cairn_expand_choose(ctx, &s->names, job->view, "basis", p->columns, &chosen));
    if (s->names.n == 0) return CAIRN_OK;
    if (s->type == BASIS_RBF || s->type == BASIS_SIGMOID) {
        CHECK(find_centres(ctx, s, job->view, chosen, p));
        CHECK(NEW(ctx, &s->scales, s->names.n + 1));
        if (s->type == BASIS_RBF) {
            double width = p->width > 0 ? p->width : extent(s) / sqrt(2 * (double)s->n_centres);
            s->scales[0] = width > 0 ? width : 1;
        }
        for (size_t c = 0; s->type == BASIS_SIGMOID && c < s->names.n; c++)
            s->scales[c] = p->slope > 0 ? p->slope : slope_of(s, c);
    } else if (s->type != BASIS_LINEAR) {
        CHECK(make_terms(ctx, s, p->degree, job->view->table->n_rows));
    }
    /* Names of the new columns, in order: terms, bells, steps, the constant. */
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    for (size_t t = 0; t < s->terms.n; t++) {
        cairn_monomial_name(&name, &s->terms, t, &s->names);
        CHECK(cairn_expand_name(ctx, &s->made, &name, "basis"));
    }
    for (size_t i = 0; s->type == BASIS_RBF && i < s->n_centres; i++) {
        cairn_text_addf(&name, "rbf%zu", i + 1);
        CHECK(cairn_expand_name(ctx, &s->made, &name, "basis"));
    }
    for (size_t c = 0; s->type == BASIS_SIGMOID && c < s->names.n; c++)
        for (size_t i = 0; i < s->n_centres; i++) {
            cairn_text_addf(&name, "%s.step%zu", cairn_map_key(&s->names, c), i + 1);
            CHECK(cairn_expand_name(ctx, &s->made, &name, "basis"));
        }
    if (s->constant) {
        cairn_text_add(&name, "constant");
        CHECK(cairn_expand_name(ctx, &s->made, &name, "basis"));
    }
    return CAIRN_OK;
}

/* -- apply -- */

typedef struct basis_work {
    const basis_state *s;
    const double *const *columns;
    double *const *out;
} basis_work;

/* Bells, row by row so that a row's point is gathered once. */
static void compute_bells(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const basis_work *w = data;
    size_t d = w->s->names.n;
    double below = -0.5 / (w->s->scales[0] * w->s->scales[0]);
    for (size_t k = 0; k < w->s->n_centres; k++) {
        const double *centre = w->s->centres + k * d;
        double *out = w->out[k];
        for (size_t i = begin; i < end; i++) out[i] = 0;
        for (size_t c = 0; c < d; c++) {
            const double *column = w->columns[c];
            for (size_t i = begin; i < end; i++)
                out[i] += (column[i] - centre[c]) * (column[i] - centre[c]);
        }
        for (size_t i = begin; i < end; i++) out[i] = cairn_exp(out[i] * below);
    }
}

static void compute_steps(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const basis_work *w = data;
    size_t d = w->s->names.n, n = w->s->n_centres;
    for (size_t c = 0; c < d; c++)
        for (size_t k = 0; k < n; k++) {
            double centre = w->s->centres[k * d + c], slope = w->s->scales[c];
            double *out = w->out[c * n + k];
            for (size_t i = begin; i < end; i++)
                out[i] = 1 / (1 + cairn_exp(-slope * (w->columns[c][i] - centre)));
        }
}

/* Rows are computed in blocks of fixed size; the constant column, when there is one, is the last.
 * */
static cairn_status basis_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    enum { ROW_BLOCK = 2048 };
    (void)params;
    const basis_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    basis_work work = {.s = s};
    if (s->names.n == 0) return cairn_table_share(ctx, out, table);
    CHECK(cairn_expand_table(ctx, &made, table, &s->names, s->keep, &s->made, &work.columns,
                             &work.out));
    size_t n = table->n_rows;
    if (s->type == BASIS_RBF)
        CHECK(cairn_blocks(ctx, n, ROW_BLOCK, compute_bells, &work));
    else if (s->type == BASIS_SIGMOID)
        CHECK(cairn_blocks(ctx, n, ROW_BLOCK, compute_steps, &work));
    else
        CHECK(cairn_monomials_compute(ctx, &s->terms, NULL, work.columns, n, work.out));
    for (size_t i = 0; s->constant && s->made.n && i < n; i++) work.out[s->made.n - 1][i] = 1;
    CHECK(cairn_expand_done(ctx, made, s->made.n));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status basis_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const basis_state *s = state;
    (void)job;
    if (s->names.n == 0) return CAIRN_OK;
    if (s->type == BASIS_RBF || s->type == BASIS_SIGMOID)
        return cairn_program_refuse(out, "bells and steps have no operation; products have");
    return cairn_monomials_lower(out, &s->terms, NULL, &s->names, &s->made);
}

/* -- report, file -- */

static void describe_centres(cairn_report *out, const basis_state *s)
{
    cairn_report_table_of(out, "Centres", 0, "r", "centre");
    for (size_t c = 0; c < s->names.n; c++)
        cairn_report_column(out, cairn_map_key(&s->names, c), 'r');
    for (size_t i = 0; i < s->n_centres && cairn_report_row_wanted(out); i++) {
        cairn_report_cellf(out, "%zu", i + 1);
        for (size_t c = 0; c < s->names.n; c++)
            cairn_report_cell_number(out, s->centres[i * s->names.n + c], 0, "basis.centre%zu.%s",
                                     i + 1, cairn_report_key(out, cairn_map_key(&s->names, c)));
    }
    cairn_report_table_end(out);
    if (s->type == BASIS_RBF) cairn_report_value(out, "width", s->scales[0], "basis.width");
    for (size_t c = 0; s->type == BASIS_SIGMOID && c < s->names.n; c++)
        cairn_report_hidden(out, s->scales[c], "basis.slope.%s",
                            cairn_report_key(out, cairn_map_key(&s->names, c)));
}

/* Bells and sigmoids are told by their centres, products by the names of the new columns, of which
 * the first 40 suffice. */
static void basis_describe(cairn_report *out, const void *state, const void *params)
{
    static const char *const formulas[] = {[BASIS_RBF] = "φ(x) = exp(−|x − c|² / (2 width²))",
                                           [BASIS_SIGMOID] =
                                               "φ(x) = 1 / (1 + exp(−slope (x − c)))"};
    (void)params;
    const basis_state *s = state;
    size_t after = s->made.n + (s->keep ? s->names.n : 0);
    if (s->type == BASIS_RBF || s->type == BASIS_SIGMOID)
        cairn_report_formula(out, "%s", formulas[s->type]);
    cairn_expand_describe(out, "basis", s->names.n, after);
    if (s->n_centres) {
        describe_centres(out, s);
        return;
    }
    cairn_text names = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < s->made.n && i < 40; i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", cairn_map_key(&s->made, i));
    if (s->made.n > 40) cairn_text_addf(&names, " and %zu more", s->made.n - 40);
    if (s->made.n)
        cairn_report_word(out, "new columns", cairn_text_string(&names), "basis.new_columns");
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_text_clear(&names);
}

/* Sizes that depend on each other are checked against each other, since apply takes them on trust.
 */
static cairn_status archive_centres(cairn_archive *a, void *state, const void *around)
{
    basis_state *s = state;
    bool centred = s->type == BASIS_RBF || s->type == BASIS_SIGMOID;
    size_t made = s->type == BASIS_RBF       ? s->n_centres
                  : s->type == BASIS_SIGMOID ? cairn_product(s->n_centres, s->names.n)
                                             : s->terms.n;
    (void)around;
    CHECK(cairn_archive_reals(a, "centres", &s->centres,
                              centred ? cairn_product(s->n_centres, s->names.n) : 0));
    CHECK(cairn_archive_reals(a, "scales", &s->scales, centred && s->names.n ? s->names.n + 1 : 0));
    if (s->type < 0 || s->type > BASIS_SIGMOID ||
        (s->terms.n && s->terms.n_columns != s->names.n) || (s->n_centres && !centred) ||
        (s->names.n && s->made.n != made + s->constant))
        return cairn_archive_damaged(a, "the basis functions do not fit together");
    return CAIRN_OK;
}

static const cairn_kept basis_keeps[] = {
    KEEP(basis_state, names, made, type, keep, constant),
    KEEP_PART(basis_state, terms, .rows = cairn_monomials_keeps),
    KEEP_SIZE(basis_state, n_centres, (size_t)1 << 30),
    KEEP_BY(archive_centres),
    KEEP_OWNED(basis_state, centres),
    KEEP_OWNED(basis_state, scales),
    KEEP_END,
};

const cairn_transform cairn_basis = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "basis",
              .also = "polynomial features, interactions, radial basis functions, basis expansion, "
                      "PolynomialFeatures",
              .about = "SplineTransformer",
              .title = "Basis functions",
              .summary =
                  "Puts functions of the number columns beside or in place of them, so that a "
                  "learner that is linear in its columns fits curves and curved boundaries: "
                  "polynomials with products of columns, powers, squares alone, products of "
                  "different columns, bells around centres (rbf) or smooth steps (sigmoid). The "
                  "report names the new columns and their number; an expansion that does not fit "
                  "into memory is refused with an estimate.",
              .references = "Bishop, Pattern Recognition and Machine Learning, 2006",
              .example = "cairn fit linear @quadratic --with basis:poly,degree=2",
              .params = basis_param_table,
              .params_size = sizeof(basis_params)},
    .state_size = sizeof(basis_state),
    .fit = basis_fit,
    .apply = basis_apply,
    .lower = basis_lower,
    .describe = basis_describe,
    .keeps = basis_keeps,
};
