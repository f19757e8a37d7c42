/* SPDX-License-Identifier: MIT */
/* Scale: x' = factor (x - centre) / spread for number columns, and for the target if asked.
 *
 * Centre and spread, from the training rows:
 *   z         mean, deviation (divisor n or n - 1)
 *   robust    median, q3 - q1 (by a quantile rule)
 *   range     l, h - l, given or the least and the largest; results beyond 0 and 1 are cut off
 *   midrange  (max + min) / 2, (max - min) / 2: results from -1 to 1
 *   max-abs   0, the largest |x|
 *   none      0, 1
 * A constant column has spread 1 and becomes 0 (max-abs: 1 or -1). Missing cells stay missing.
 * Bags are scaled item by item without a centre, so that what is 0 stays 0 (z and max-abs). A
 * scaled target is predicted in its own units again. Cost: one or two passes per column, a sort for
 * robust. */
#include "data/ledger.h"
#include "transforms/affine.h"
#include "base/number.h"
#include "data/column.h"
#include "report/table_rows.h"
#include "stats/quantile.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    SCALE_Z,
    SCALE_ROBUST,
    SCALE_RANGE,
    SCALE_MIDRANGE,
    SCALE_MAX_ABS,
    SCALE_NONE
} scale_method;
typedef enum { TARGET_NO, TARGET_YES, TARGET_ONLY } target_choice;

typedef struct scale_params {
    const char *columns;
    int method; /* scale_method */
    int target; /* target_choice */
    int divisor;
    int quantile; /* cairn_quantile_rule */
    const char *low, *high;
    bool truncate;
    double factor;
    bool centre;
} scale_params;

static const cairn_choice methods[] = {
    {"z", SCALE_Z, "(x - mean) / deviation"},
    {"robust", SCALE_ROBUST, "(x - median) / (q3 - q1), which outliers do not move"},
    {"range", SCALE_RANGE, "(x - l) / (h - l), from 0 to 1"},
    {"midrange", SCALE_MIDRANGE, "(x - (max + min)/2) / ((max - min)/2), from -1 to 1"},
    {"max-abs", SCALE_MAX_ABS, "x / max |x|, which leaves 0 where it is"},
    {"none", SCALE_NONE, "x as it is, times the factor; for comparisons"},
    {0},
};
static const cairn_choice targets[] = {
    {"no", TARGET_NO, "features only"},
    {"yes", TARGET_YES, "features and a number target"},
    {"only", TARGET_ONLY, "the target and no feature"},
    {0},
};
static const cairn_choice divisors[] = {
    {"n", 0, "the sum of squares over the number of rows"},
    {"n-1", 1, "over one less, as in descriptive statistics"},
    {0},
};

static const cairn_param scale_param_table[] = {
    CAIRN_PARAM_CHOICE(scale_params, method, "z", methods, "what is subtracted and divided by"),
    CAIRN_PARAM_AS(scale_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to scale; all number features, and bags where the method can, when "
                   "not given"),
    CAIRN_PARAM_CHOICE(scale_params, target, "no", targets,
                       "whether a number target is scaled; predictions come in its own units"),
    CAIRN_PARAM_CHOICE(scale_params, divisor, "n", divisors, "divisor of the variance",
                       .when = "method=z"),
    CAIRN_PARAM_CHOICE(scale_params, quantile, "linear", cairn_quantile_rules,
                       "rule for median and quartiles", .when = "method=robust"),
    CAIRN_PARAM_AS(scale_params, low, CAIRN_TYPE_LIST, NULL,
                   "l, one number for all columns or one for each; the least value if not given",
                   .when = "method=range"),
    CAIRN_PARAM_AS(scale_params, high, CAIRN_TYPE_LIST, NULL,
                   "h, likewise; the largest value if not given", .when = "method=range"),
    CAIRN_PARAM(scale_params, truncate, "yes", NULL, "cut off what is outside l and h",
                .when = "method=range,centre"),
    CAIRN_PARAM(scale_params, factor, "1", "(0,inf)",
                "multiplies the result: 10 with midrange gives -10 to 10"),
    CAIRN_PARAM(scale_params, centre, "yes", NULL, "subtract the centre; no divides only"),
    CAIRN_PARAM_END,
};

typedef struct scale_state {
    cairn_affine numbers;
    cairn_affine target; /* one column, or none */
    cairn_map bag_names;
    cairn_affine *bags; /* bag_names.n: the items of each; their centres are 0 */
} scale_state;

/* What a column says of itself, for the steps. */
typedef struct column_facts {
    double n, low, high, mean, deviation, q1, median, q3;
} column_facts;

static bool fits_number_or_bag(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER || column->kind == CAIRN_BAG;
}

/* The i-th of n numbers given as a list, or `otherwise`. */
static cairn_status given_end(cairn_context *ctx, const char *what, const char *list, size_t i,
                              size_t n, double otherwise, double *out)
{
    double *numbers;
    size_t count;
    *out = otherwise;
    if (!list) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, what, list, &numbers, &count));
    if (count != 1 && count != n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "scale: %s has %zu numbers for %zu columns; give one for all or one for "
                          "each",
                          what, count, n);
    *out = numbers[count == 1 ? 0 : i];
    return CAIRN_OK;
}

static cairn_status range_of(cairn_context *ctx, const scale_params *p, const char *name, size_t i,
                             size_t n, const cairn_moments *m, double *centre, double *spread)
{
    double low, high;
    CHECK(given_end(ctx, "low", p->low, i, n, m->low, &low));
    CHECK(given_end(ctx, "high", p->high, i, n, m->high, &high));
    if ((p->low || p->high) && !(low < high) && m->weight > 0) {
        char from[CAIRN_NUMBER_SIZE], to[CAIRN_NUMBER_SIZE];
        cairn_number_format(from, low, 6);
        cairn_number_format(to, high, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "scale: column '%s' would go from %s to %s; low must be below high", name,
                          from, to);
    }
    *centre = isfinite(low) ? low : 0;
    *spread = high - low;
    return CAIRN_OK;
}

static cairn_status facts_of(cairn_context *ctx, const scale_params *p, const cairn_view *view,
                             const double *numbers, column_facts *f)
{
    SCOPED_SCRATCH(ctx);
    double *sorted, *weights;
    size_t n;
    CHECK(cairn_sorted_numbers(ctx, view, numbers, &sorted, &weights, &n));
    cairn_quantile_rule rule = (cairn_quantile_rule)p->quantile;
    f->q1 = cairn_weighted_quantile(sorted, weights, n, 0.25, rule);
    f->median = cairn_weighted_quantile(sorted, weights, n, 0.5, rule);
    f->q3 = cairn_weighted_quantile(sorted, weights, n, 0.75, rule);
    return CAIRN_OK;
}

/* Centre and spread of the i-th of n columns. */
static cairn_status measure(cairn_context *ctx, const scale_params *p, const cairn_view *view,
                            const char *name, const double *numbers, size_t i, size_t n,
                            column_facts *facts, cairn_affine *out)
{
    cairn_moments m;
    column_facts f = {.q1 = NAN};
    double centre = 0, spread = 0;
    CHECK(cairn_number_moments(ctx, view, numbers, &m));
    f.n = m.weight, f.low = m.low, f.high = m.high, f.mean = m.mean;
    f.deviation = cairn_deviation(&m, p->divisor == 1);
    switch ((scale_method)p->method) {
    case SCALE_Z: centre = m.mean, spread = f.deviation; break;
    case SCALE_ROBUST:
        CHECK(facts_of(ctx, p, view, numbers, &f));
        centre = f.median, spread = f.q3 - f.q1;
        break;
    case SCALE_RANGE: CHECK(range_of(ctx, p, name, i, n, &m, &centre, &spread)); break;
    case SCALE_MIDRANGE:
        centre = m.weight > 0 ? m.low / 2 + m.high / 2 : 0;
        spread = m.high / 2 - m.low / 2;
        break;
    case SCALE_MAX_ABS: spread = fmax(fabs(m.low), fabs(m.high)); break;
    case SCALE_NONE: spread = 1; break;
    }
    if (isinf(spread) && isfinite(m.low) && isfinite(m.high))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "scale: column '%s' has numbers so large that their difference overflows; "
            "divide it by a power of ten, or choose method=z or method=max-abs",
            name);
    if (!isfinite(spread)) spread = 0;
    *facts = f;
    return cairn_affine_add(ctx, out, name, p->centre ? centre : 0, spread);
}

/* -- bags -- */

/* Sums of the amounts of every item over the view's rows; `squares` around `means` when given. */
static void add_items(const cairn_view *view, const cairn_column *bag, const double *means,
                      double *sums, double *present, double *largest, double *total)
{
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i);
        if (bag->absent && bag->absent[row]) continue;
        *total += w;
        for (size_t at = bag->starts[row]; at < bag->starts[row + 1]; at++) {
            int32_t item = bag->items[at];
            double amount = bag->amounts ? bag->amounts[at] : 1;
            double from = means ? means[item] : 0;
            sums[item] += means ? w * (amount - from) * (amount - from) : w * amount;
            present[item] += w;
            if (fabs(amount) > largest[item]) largest[item] = fabs(amount);
        }
    }
}

/* Deviation of every item over all rows, in most of which it is 0, or its largest amount. */
static cairn_status measure_bag(cairn_context *ctx, const scale_params *p, const cairn_view *view,
                                const cairn_column *bag, cairn_affine *out)
{
    size_t n = bag->names.n;
    double *means, *squares, *present, *again, *largest, total = 0, unused = 0;
    CHECK(SCRATCH_EACH(ctx, n + 1, &means, &squares, &present, &again, &largest));
    CHECK(cairn_affine_new(ctx, out, n));
    add_items(view, bag, NULL, means, present, largest, &total);
    for (size_t k = 0; k < n; k++) means[k] = total > 0 ? means[k] / total : 0;
    add_items(view, bag, means, squares, again, largest, &unused);
    for (size_t k = 0; k < n; k++) {
        double below = p->divisor == 1 ? total - 1 : total;
        double sum = squares[k] + (total - present[k]) * means[k] * means[k];
        double spread = p->method == SCALE_MAX_ABS ? largest[k] : below > 0 ? sqrt(sum / below) : 0;
        CHECK(cairn_affine_add(ctx, out, cairn_map_key(&bag->names, k), 0, spread));
    }
    return CAIRN_OK;
}

static cairn_status scale_bag(cairn_context *ctx, cairn_column **out, const cairn_column *from,
                              const cairn_affine *items, double factor)
{
    cairn_column *column = NULL;
    double *factors;
    size_t n_items = from->starts[from->n_rows];
    CHECK(SCRATCH(ctx, &factors, from->names.n + 1));
    for (size_t k = 0; k < from->names.n; k++) {
        int64_t at =
            cairn_map_find(&items->names, cairn_map_key(&from->names, k), from->names.lengths[k]);
        factors[k] = at < 0 ? factor : factor / items->spreads[at];
    }
    CHECK(cairn_bag_copy(ctx, &column, from));
    for (size_t i = 0; i < n_items; i++) column->amounts[i] *= factors[from->items[i]];
    *out = column;
    return CAIRN_OK;
}

/* -- steps -- */

/* Robust scaling rests on quartiles and the others on moments: the table shows those that were
 * used. */
static void show_facts(cairn_report *out, const scale_params *p, const cairn_affine *numbers,
                       const column_facts *facts)
{
    bool robust = p->method == SCALE_ROBUST;
    static const char *const plain[] = {"min", "max", "mean", "deviation"};
    static const char *const ranked[] = {"min", "max", "q1", "median", "q3"};
    const char *const *heads = robust ? ranked : plain;
    size_t n_heads = robust ? 5 : 4;
    cairn_report_table_of(out, "What the training rows say", 0, "lr", "column", "n");
    for (size_t k = 0; k < n_heads; k++) cairn_report_column(out, heads[k], 'r');
    for (size_t i = 0; i < numbers->names.n; i++) {
        const column_facts *f = &facts[i];
        const char *name = cairn_map_key(&numbers->names, i), *key = cairn_report_key(out, name);
        double values[] = {f->low, f->high, robust ? f->q1 : f->mean,
                           robust ? f->median : f->deviation, f->q3};
        cairn_report_cells(out, "- scale.$1.n", name, f->n);
        for (size_t k = 0; k < n_heads; k++)
            cairn_report_cell_number(out, isfinite(values[k]) ? values[k] : NAN, 0, "scale.%s.%s",
                                     key, heads[k]);
    }
    cairn_report_table_end(out);
}

static double squared_gap(const cairn_view *view, const size_t *chosen, size_t n, size_t a,
                          size_t b, const cairn_affine *scaled, double factor)
{
    double sum = 0;
    for (size_t i = 0, at = 0; i < n; i++) {
        const cairn_column *column = view->features[chosen[i]];
        if (column->kind != CAIRN_NUMBER) continue;
        double gap =
            column->numbers[cairn_view_row(view, a)] - column->numbers[cairn_view_row(view, b)];
        if (scaled) gap *= factor / scaled->spreads[at];
        at++;
        sum += gap * gap;
    }
    return sum;
}

/* How far the first rows are from each other, and how far they were: what a learner that compares
 * rows sees of the scaling. */
static void show_distances(cairn_report *out, const scale_params *p, const cairn_view *view,
                           const size_t *chosen, size_t n, const cairn_affine *scaled)
{
    size_t n_rows = view->rows.n < 4 ? view->rows.n : 4;
    if (scaled->names.n == 0 || n_rows < 2) return;
    cairn_report_table_of(out, "Distances between the first rows", 0, "lrr", "rows", "before",
                          "after");
    for (size_t a = 0; a < n_rows; a++)
        for (size_t b = a + 1; b < n_rows; b++) {
            double before = sqrt(squared_gap(view, chosen, n, a, b, NULL, 1));
            double after = sqrt(squared_gap(view, chosen, n, a, b, scaled, p->factor));
            cairn_report_cellf(out, "%zu and %zu", a + 1, b + 1);
            cairn_report_cell_number(out, before, 5, "distance.%zu.%zu.before", a + 1, b + 1);
            cairn_report_cell_number(out, after, 5, "distance.%zu.%zu.after", a + 1, b + 1);
        }
    cairn_report_table_end(out);
    cairn_report_paragraph(out,
                           "Euclidean distances over the scaled number columns, before anything "
                           "is cut off; a missing cell leaves them undefined.");
}

/* -- the transform -- */

/* Bags are scaled item by item and never shifted, since that would fill their zeros; hence only
 * methods that divide by a spread take them. */
static cairn_status measure_features(cairn_context *ctx, const scale_params *p,
                                     const cairn_job *job, scale_state *s)
{
    const cairn_view *view = job->view;
    size_t n, n_numbers = 0, *chosen, index;
    column_facts *facts;
    bool bags = p->method == SCALE_Z || p->method == SCALE_MAX_ABS;
    bool known = p->method == SCALE_NONE && !job->steps; /* without looking at the numbers */
    CHECK(cairn_choose_features(ctx, view, "scale", p->columns,
                                bags ? fits_number_or_bag : cairn_fits_number,
                                bags ? "a number or bag column" : "a number column", &chosen, &n));
    CHECK(SCRATCH(ctx, &facts, n + 1));
    CHECK(cairn_affine_new(ctx, &s->numbers, n));
    CHECK(NEW(ctx, &s->bags, n));
    for (size_t i = 0; i < n; i++) n_numbers += view->features[chosen[i]]->kind == CAIRN_NUMBER;
    for (size_t i = 0; i < n; i++) {
        const char *name = view->names[chosen[i]];
        const cairn_column *column = view->features[chosen[i]];
        if (column->kind == CAIRN_NUMBER) {
            size_t at = s->numbers.names.n;
            if (known) {
                CHECK(cairn_affine_add(ctx, &s->numbers, name, 0, 1));
                continue;
            }
            CHECK(measure(ctx, p, view, name, column->numbers, at, n_numbers, &facts[at],
                          &s->numbers));
            continue;
        }
        CHECK(cairn_map_add(ctx, &s->bag_names, name, strlen(name), &index));
        CHECK(measure_bag(ctx, p, view, column, &s->bags[index]));
    }
    if (job->steps) show_facts(job->steps, p, &s->numbers, facts);
    if (job->steps) show_distances(job->steps, p, view, chosen, n, &s->numbers);
    return CAIRN_OK;
}

/* x' = x: what asking for no scaling comes to. No column is looked at, copied or shown. */
static bool changes_nothing(const scale_params *p)
{
    return p->method == SCALE_NONE && p->factor == 1;
}

/* A method that changes nothing measures only columns that were asked for by name. */
static cairn_status scale_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const scale_params *p = job->params;
    scale_state *s = state;
    if (p->target != TARGET_NO) {
        column_facts facts;
        if (!job->view->target || job->view->target->kind != CAIRN_NUMBER ||
            job->task != CAIRN_REGRESS)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "scale: target=%s needs a target that is predicted as a number; name one "
                "with {target}, or say {task regress}",
                p->target == TARGET_YES ? "yes" : "only");
        CHECK(cairn_affine_new(ctx, &s->target, 1));
        CHECK(measure(ctx, p, job->view, job->view->target_name, job->view->target->numbers, 0, 1,
                      &facts, &s->target));
    }
    if (p->target != TARGET_ONLY && !(changes_nothing(p) && !p->columns))
        CHECK(measure_features(ctx, p, job, s));
    return CAIRN_OK;
}

static cairn_affine_scale ends_of(const scale_params *p)
{
    cairn_affine_scale scale = {p->factor, -INFINITY, INFINITY};
    if (p->method == SCALE_RANGE && p->truncate && p->centre) scale.low = 0, scale.high = p->factor;
    return scale;
}

/* The target is scaled only where it is there: new rows may have none. */
static cairn_status scale_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const scale_params *p = params;
    const scale_state *s = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    cairn_affine_scale target_scale = {p->factor, -INFINITY, INFINITY};
    CHECK(cairn_table_share(ctx, &copy, table));
    CHECK(cairn_affine_apply(ctx, &s->numbers, ends_of(p), copy));
    for (size_t i = 0, at = 0; i < s->bag_names.n; i++) {
        cairn_column *bag;
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->bag_names, i), &at));
        CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_BAG));
        CHECK(scale_bag(ctx, &bag, copy->slots[at].column, &s->bags[i], p->factor));
        cairn_table_replace_column(copy, at, bag);
    }
    bool there =
        s->target.names.n && cairn_table_find(copy, cairn_map_key(&s->target.names, 0)) >= 0;
    if (there) CHECK(cairn_affine_apply(ctx, &s->target, target_scale, copy));
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* Right after fitting, numbers alone are promised: whoever follows may read them where they are. */
static cairn_status scale_promise(cairn_context *ctx, cairn_table **out, void *state,
                                  const void *params, const cairn_table *table)
{
    const scale_state *s = state;
    if (s->bag_names.n || s->target.names.n) return scale_apply(ctx, out, state, params, table);
    return cairn_affine_table(ctx, out, &s->numbers, ends_of(params), table, true);
}

static cairn_status scale_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const scale_state *s = state;
    if (s->bag_names.n) return cairn_program_refuse(out, "a program cannot read bags");
    return cairn_affine_lower(out, &s->numbers, ends_of(job->params));
}

static void scale_invert(const void *state, const void *params, double *numbers, size_t n)
{
    const scale_params *p = params;
    const scale_state *s = state;
    if (s->target.names.n == 0) return;
    double centre = s->target.centres[0], spread = s->target.spreads[0];
    for (size_t i = 0; i < n; i++) numbers[i] = numbers[i] / p->factor * spread + centre;
}

static bool scale_restore(const void *state, const void *params, const char *column, double *value)
{
    return cairn_affine_restore(&((const scale_state *)state)->numbers,
                                ((const scale_params *)params)->factor, column, value);
}

static void show_row(cairn_report *out, const cairn_affine *affine, size_t i, const char *what)
{
    const char *name = cairn_map_key(&affine->names, i), *key = cairn_report_key(out, name);
    char text[160];
    snprintf(text, sizeof text, "%.120s%s", name, what);
    cairn_report_prefix(out, "scale.%s", key);
    cairn_report_cells(out, "- @.centre @.spread", text, affine->centres[i], affine->spreads[i]);
}

static void show_bags(cairn_report *out, const scale_state *s)
{
    for (size_t b = 0; b < s->bag_names.n; b++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->bag_names, b));
        cairn_report_table_of(out, cairn_map_key(&s->bag_names, b), 20, "lr", "item", "divided by");
        for (size_t i = 0; i < s->bags[b].names.n; i++) {
            const char *item = cairn_map_key(&s->bags[b].names, i);
            bool wanted = cairn_report_row_wanted(out);
            cairn_report_cell(out, item);
            cairn_report_cell_number(out, s->bags[b].spreads[i], 0, "scale.%s.%s.spread", key,
                                     wanted ? cairn_report_key(out, item) : "");
        }
        cairn_report_table_end(out);
    }
}

/* The table is told in the words of its method, "mean" and "deviation" or "median" and "q3 - q1",
 * as two numbers mean nothing by themselves. */
static void scale_describe(cairn_report *out, const void *state, const void *params)
{
    static const struct {
        const char *formula, *centre, *spread;
    } words[] = {
        {"(x − mean) / deviation", "mean", "deviation"},
        {"(x − median) / (q3 − q1)", "median", "q3 − q1"},
        {"(x − l) / (h − l)", "l", "h − l"},
        {"(x − (max + min)/2) / ((max − min)/2)", "midrange", "half-range"},
        {"x / max |x|", "centre", "max |x|"},
        {"x", "centre", "spread"},
    };
    const scale_params *p = params;
    const scale_state *s = state;
    char factor[CAIRN_NUMBER_SIZE];
    if (changes_nothing(p) && s->numbers.names.n + s->target.names.n == 0) {
        cairn_report_paragraph(out, "The columns keep their units.");
        return;
    }
    cairn_number_format(factor, p->factor, 6);
    cairn_report_formula(out, "x' = %s%s%s", p->factor == 1 ? "" : factor,
                         p->factor == 1 ? "" : " · ", words[p->method].formula);
    if (p->method == SCALE_RANGE && p->truncate)
        cairn_report_paragraph(out, "Below l it is 0, above h it is %s.", factor);
    if (!p->centre) cairn_report_paragraph(out, "Nothing is subtracted (centre=no).");
    cairn_report_table_of(out, "Scaling", 0, "lrr", "column", words[p->method].centre,
                          words[p->method].spread);
    for (size_t i = 0; i < s->numbers.names.n; i++) show_row(out, &s->numbers, i, "");
    if (s->target.names.n) show_row(out, &s->target, 0, " (target)");
    cairn_report_table_end(out);
    show_bags(out, s);
}

static void write_columns(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const scale_state *s = state;
    (void)job;
    cairn_affine_write(out, &s->numbers);
    cairn_affine_write(out, &s->target);
}

static const cairn_learned scale_tables[] = {
    CAIRN_LEARNED("scale.columns", "column: what is taken off, and what it is divided by",
                  write_columns),
    CAIRN_LEARNED_END};

static const cairn_kept numbers_keeps[] = CAIRN_AFFINE_KEEPS("centres", "spreads");
static const cairn_kept target_keeps[] = CAIRN_AFFINE_KEEPS("target_centre", "target_spread");
static const cairn_kept items_keeps[] = CAIRN_AFFINE_KEEPS("item_centres", "item_spreads");

static const cairn_kept scale_keeps[] = {
    KEEP_PART(scale_state, numbers, .rows = numbers_keeps),
    KEEP_PART(scale_state, target, .rows = target_keeps),
    KEEP_FITS("target.names", "1", "there is more than one target"),
    KEEP_AS(scale_state, bag_names, .name = "bags"),
    KEEP_PARTS(scale_state, bags, "bag_names", .rows = items_keeps),
    KEEP_END,
};

const cairn_transform cairn_scale_transform = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "scale",
              .also =
                  "min-max scaling (method=range), normalise, normalisation, feature scaling, "
                  "robust scaling (method=robust), max-abs scaling (method=max-abs), MinMaxScaler "
                  "(method=range), RobustScaler (method=robust), MaxAbsScaler (method=max-abs)",
              .title = "Scale columns",
              .summary =
                  "Brings number columns to a common scale: by mean and deviation, by median and "
                  "quartiles, to the range from 0 to 1 with ends that may be given, to the range "
                  "from -1 to 1 around the midrange (times a factor), or by the largest absolute "
                  "value. A number target can be scaled too: the model then learns it in the new "
                  "units, and predictions and errors are given in the old ones. What is learned "
                  "from the training rows is kept in the model and applied to new rows. Bags are "
                  "divided item by item, and nothing is subtracted from them.",
              .references = "Han, Kamber and Pei, Data Mining",
              .example =
                  "cairn convert @iris iris-scaled.csv --with scale:method=midrange,factor=10",
              .params = scale_param_table,
              .params_size = sizeof(scale_params)},
    .state_size = sizeof(scale_state),
    .tables = scale_tables,
    .scales = true,
    .fit = scale_fit,
    .apply = scale_apply,
    .apply_fitted = scale_promise,
    .lower = scale_lower,
    .invert = scale_invert,
    .restore = scale_restore,
    .describe = scale_describe,
    .keeps = scale_keeps,
};
