/* SPDX-License-Identifier: MIT */
/* Bins: number columns become ordered levels without a look at the classes.
 *
 *     width      equally wide bins between the smallest and the largest value, or of a given width
 *     frequency  bins with equally many rows. By rank: with the values in order and ranks from 0,
 *                bin = floor(rank k / n) + 1; equal values share the rank of the first of them, so
 *                they stay together. Or by quantiles of a rule, cut at the quantile itself.
 *     mean       above the mean or not
 *     median     above the median or not
 *     cuts       at given points. A cut "70" belongs to the bin that --closed says, "<50" to the
 *                bin above it (what is less than 50 goes below), "<=70" to the bin below.
 *
 * With mean-of, the mean of several columns is taken row by row first and its bins become a new
 * column; it is missing where one of them is. Between the last value of a bin and the first of the
 * next the cut by rank lies in the middle. With weights, ranks are sums of weights. Cost: sorting,
 * for frequency and median; one or two passes otherwise. */
#include "transforms/cuts.h"
#include "base/number.h"
#include "stats/quantile.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    METHOD_AUTO,
    METHOD_WIDTH,
    METHOD_FREQUENCY,
    METHOD_MEAN,
    METHOD_MEDIAN,
    METHOD_CUTS
} bins_method;
typedef enum { CLOSED_LEFT, CLOSED_RIGHT } closed_side;

enum { RULE_RANK = -1, MOST_BINS = 1000000 };

typedef struct bins_params {
    const char *columns;
    int method;
    int bins;
    const char *cuts, *labels;
    int closed;
    double width;
    const char *origin;
    int quantile;
    const char *mean_of, *into;
    cairn_cut_form form;
} bins_params;

static const cairn_choice methods[] = {
    {"auto", METHOD_AUTO, "cuts when they are given, else width"},
    {"width", METHOD_WIDTH, "equally wide bins"},
    {"frequency", METHOD_FREQUENCY, "equally many rows in each bin"},
    {"mean", METHOD_MEAN, "two bins: above the mean or not"},
    {"median", METHOD_MEDIAN, "two bins: above the median or not"},
    {"cuts", METHOD_CUTS, "at the points given by cuts"},
    {0},
};
static const cairn_choice sides[] = {
    {"left", CLOSED_LEFT, "a bin holds its lower end: [a..b)"},
    {"right", CLOSED_RIGHT, "a bin holds its upper end: (a..b]"},
    {0},
};
static const cairn_choice rules[] = {
    {"rank", RULE_RANK, "bin = floor(rank k / n) + 1"},
    {"linear", CAIRN_QUANTILE_LINEAR, "at quantiles on lines between the values"},
    {"inverse", CAIRN_QUANTILE_INVERSE, "at the least x with P(X ≤ x) ≥ p"},
    {"averaged", CAIRN_QUANTILE_AVERAGED, "the same, averaged where P(X ≤ x) = p"},
    {"hazen", CAIRN_QUANTILE_HAZEN, "at quantiles of Hazen"},
    {"weibull", CAIRN_QUANTILE_WEIBULL, "at quantiles of Weibull"},
    {"median-unbiased", CAIRN_QUANTILE_MEDIAN_UNBIASED, "at median-unbiased quantiles"},
    {0},
};

static const cairn_param bins_param_table[] = {
    CAIRN_PARAM(bins_params, bins, "5", "[1,1000000]", "number of bins for width and frequency",
                .when = "method=auto|width|frequency,!cuts,!bin_width"),
    CAIRN_PARAM_AS(
        bins_params, columns, CAIRN_TYPE_COLUMNS, NULL,
        "the columns to cut; all number features when not given. Ordered levels that are named "
        "can be cut at the median or into equal counts"),
    CAIRN_PARAM_CHOICE(bins_params, method, "auto", methods, "where to cut"),
    CAIRN_PARAM(bins_params, cuts, NULL, NULL,
                "cut points in ascending order, such as 50,70 or (<50,<=70)"),
    CAIRN_PARAM(bins_params, labels, NULL, NULL, "names of the bins, from the lowest"),
    CAIRN_PARAM_CHOICE(bins_params, closed, "right", sides, "which bin a cut point belongs to"),
    CAIRN_PARAM_CALLED("bin_width", bins_params, width, "0", "[0,inf)",
                       "width of the bins; 0 = the range divided by their number",
                       .when = "method=auto|width,!cuts", .was = "width"),
    CAIRN_PARAM(bins_params, origin, NULL, NULL,
                "where the first of the equally wide bins begins; the smallest value when not "
                "given",
                .when = "method=auto|width,!cuts"),
    CAIRN_PARAM_CHOICE(bins_params, quantile, "rank", rules, "how frequency finds its cuts",
                       .when = "method=frequency"),
    CAIRN_PARAM_AS(bins_params, mean_of, CAIRN_TYPE_COLUMNS, NULL,
                   "cut the mean of these columns, row by row, into a new column"),
    CAIRN_PARAM(bins_params, into, "mean_bin", NULL, "name of that new column", .when = "mean_of"),
    CAIRN_PARAM_GROUP(bins_params, form, cairn_cut_form_params),
    CAIRN_PARAM_END,
};

static int method_of(const bins_params *p)
{
    if (p->method != METHOD_AUTO) return p->method;
    return p->cuts ? METHOD_CUTS : METHOD_WIDTH;
}

/* Read "<50,<=70,80" into points and sides. */
static cairn_status read_cuts(cairn_context *ctx, const bins_params *p, double **at,
                              uint8_t **below, size_t *n)
{
    char **items;
    CHECK(cairn_list_split(ctx, p->cuts, &items, n));
    CHECK(SCRATCH_EACH(ctx, *n + 1, at, below));
    for (size_t i = 0; i < *n; i++) {
        const char *text = items[i];
        (*below)[i] = p->closed == CLOSED_RIGHT;
        if (*text == '<') {
            (*below)[i] = text[1] == '=';
            text += 1 + (*below)[i];
        }
        if (!cairn_number_parse(text, strlen(text), &(*at)[i]) || isnan((*at)[i]))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "bins: cut %zu, '%s', is not a number; give cuts such as 50,70 or "
                              "<50,<=70",
                              i + 1, items[i]);
        bool rises = i == 0 || (*at)[i] > (*at)[i - 1] ||
                     ((*at)[i] == (*at)[i - 1] && (*below)[i] > (*below)[i - 1]);
        if (!rises)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "bins: cut %zu, '%s', is not above '%s' before it; give the cuts in "
                              "ascending order",
                              i + 1, items[i], items[i - 1]);
    }
    return CAIRN_OK;
}

/* Everything about cuts and labels that can be told without data is told here; how many bins a
 * given width makes is not known yet, so its labels are counted later. */
static cairn_status bins_check(cairn_context *ctx, const void *values)
{
    const bins_params *p = values;
    SCOPED_SCRATCH(ctx);
    double *at, origin;
    uint8_t *below;
    size_t n = (size_t)p->bins - 1, n_labels = 0;
    char **labels;
    int method = method_of(p);
    if (method == METHOD_CUTS && !p->cuts)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "bins: method=cuts needs cuts, such as cuts=(50,70)"));
    if (method != METHOD_CUTS && p->cuts)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "bins: cuts are given, so leave method out"));
    if (p->origin &&
        !(cairn_number_parse(p->origin, strlen(p->origin), &origin) && isfinite(origin)))
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "bins: origin must be a number, not '%s'", p->origin));
    if (p->columns && p->mean_of)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "bins: give columns or mean-of, not both"));
    if (method == METHOD_CUTS) CHECK(read_cuts(ctx, p, &at, &below, &n));
    if (method == METHOD_MEAN || method == METHOD_MEDIAN) n = 1;
    if (p->labels) CHECK(cairn_list_split(ctx, p->labels, &labels, &n_labels));
    bool known = method != METHOD_WIDTH || p->width == 0;
    if (p->labels && known && n_labels != n + 1)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "bins: %zu cut%s make %zu bins, but labels=%s names %zu; give one label "
                         "per bin",
                         n, n == 1 ? "" : "s", n + 1, p->labels, n_labels));
    return CAIRN_OK;
}

/* -- finding cuts -- */

typedef struct found_cuts {
    double *at;     /* room for MOST cuts */
    uint8_t *below; /* likewise */
    size_t n;
} found_cuts;

static cairn_status buffer_for(cairn_context *ctx, found_cuts *f, size_t n)
{
    CHECK(SCRATCH(ctx, &f->at, n + 1));
    return SCRATCH(ctx, &f->below, n + 1);
}

static void add_cut(found_cuts *f, double at, bool below)
{
    f->at[f->n] = at;
    f->below[f->n++] = below;
}

/* Smallest and largest finite value, and the mean of all, over the training rows. */
static cairn_moments range_of(const cairn_job *job, const cairn_cut_source *source)
{
    cairn_moments m = {.low = INFINITY, .high = -INFINITY};
    double sum = 0;
    for (size_t i = 0; i < job->view->rows.n; i++) {
        double x = source->numbers[cairn_view_row(job->view, i)];
        double w = cairn_view_weight(job->view, i);
        if (isnan(x) || w <= 0) continue;
        m.weight += w;
        sum += w * x;
        if (!isfinite(x)) continue;
        m.low = x < m.low ? x : m.low;
        m.high = x > m.high ? x : m.high;
    }
    m.mean = m.weight > 0 ? sum / m.weight : NAN;
    return m;
}

static cairn_status no_values(cairn_context *ctx, const cairn_cut_source *source)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "bins: column '%s' has no value in any training row; leave it out with "
                      "{ignore \"%s\"}",
                      source->name, source->name);
}

/* Equally wide bins from the origin, or from the least value, up to the largest one; cuts that
 * rounding makes equal are one. */
static cairn_status width_cuts(cairn_context *ctx, found_cuts *f, const bins_params *p,
                               const cairn_moments *m, const cairn_cut_source *source)
{
    double origin = m->low, width = p->width, n = p->bins;
    if (p->origin && !cairn_number_parse(p->origin, strlen(p->origin), &origin)) origin = m->low;
    if (width == 0) width = (m->high - origin) / n;
    if (isinf(width)) width = m->high / n - origin / n;
    if (p->width > 0) n = fmax(1, ceil((m->high - origin) / width));
    if (!(n <= MOST_BINS))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "bins: more than a million bins of that width fit into column '%s'; "
                          "choose a larger width",
                          source->name);
    CHECK(buffer_for(ctx, f, (size_t)n));
    for (size_t i = 1; i < (size_t)n; i++) {
        double at = origin + (double)i * width;
        /* the range times i / n is rounded once, i times the width twice */
        if (p->width == 0) at = origin + (m->high - origin) * ((double)i / n);
        if (isinf(at)) /* the range is beyond all numbers */
            at = origin * (1 - (double)i / n) + m->high * ((double)i / n);
        if (f->n == 0 || at > f->at[f->n - 1]) add_cut(f, at, p->closed == CLOSED_RIGHT);
    }
    if (!(width > 0)) f->n = 0; /* a constant column is one bin */
    return CAIRN_OK;
}

static cairn_status too_few_values(cairn_context *ctx, const bins_params *p, const cairn_job *job,
                                   const cairn_sorted *s, const cairn_cut_source *source)
{
    size_t row = 0;
    char digits[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < job->view->rows.n; i++) {
        row = cairn_view_row(job->view, i);
        if (source->numbers[row] == s->values[0]) break;
    }
    cairn_number_format(digits, s->values[0], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "bins: column '%s' has %zu distinct value%s (row %zu: %s ...), which cannot "
                      "fill %d bins; ask for at most bins=%zu",
                      source->name, s->n_distinct, s->n_distinct == 1 ? "" : "s", row + 1, digits,
                      p->bins, s->n_distinct);
}

/* Where floor(rank k / n) rises. Equal values have the rank of the first of them. */
static void rank_cuts(found_cuts *f, const cairn_sorted *s, double k)
{
    double rank = 0, below = 0, last = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (i == 0 || s->values[i] != s->values[i - 1]) rank = below;
        double bin = floor(rank * k / s->total);
        if (i > 0 && bin > last)
            add_cut(f, cairn_number_between(s->values[i - 1], s->values[i]), true);
        last = bin;
        below += s->weights ? s->weights[i] : 1;
    }
}

/* Equal cuts become one, so that fewer bins may come out; columns that were asked for by name are
 * refused if they have too few values. */
static cairn_status frequency_cuts(cairn_context *ctx, found_cuts *f, const bins_params *p,
                                   const cairn_job *job, const cairn_cut_source *source)
{
    cairn_sorted s;
    CHECK(cairn_sort_source(ctx, &s, job, source, false));
    if (s.n == 0) return no_values(ctx, source);
    /* a column that was asked for by name must give what was asked for */
    if ((p->columns || p->mean_of) && (size_t)p->bins > s.n_distinct)
        return too_few_values(ctx, p, job, &s, source);
    CHECK(buffer_for(ctx, f, (size_t)p->bins));
    if (p->quantile == RULE_RANK)
        rank_cuts(f, &s, p->bins);
    else {
        for (int i = 1; i < p->bins; i++) {
            double share = (double)i / p->bins;
            double at = cairn_weighted_quantile(s.values, s.weights, s.n, share,
                                                (cairn_quantile_rule)p->quantile);
            bool rises = at < s.values[s.n - 1] && (f->n == 0 || at > f->at[f->n - 1]);
            if (rises) add_cut(f, at, p->closed == CLOSED_RIGHT);
        }
    }
    return CAIRN_OK;
}

static cairn_status median_cut(cairn_context *ctx, found_cuts *f, const cairn_job *job,
                               const cairn_cut_source *source)
{
    cairn_sorted s;
    CHECK(cairn_sort_source(ctx, &s, job, source, false));
    if (s.n == 0) return no_values(ctx, source);
    CHECK(buffer_for(ctx, f, 1));
    add_cut(f, cairn_weighted_quantile(s.values, s.weights, s.n, 0.5, CAIRN_QUANTILE_LINEAR), true);
    return CAIRN_OK;
}

static void show_cuts(cairn_report *out, const found_cuts *f, const bins_params *p,
                      const cairn_moments *m, const char *name)
{
    int method = method_of(p);
    const char *key = cairn_report_key(out, name);
    if (!out) return;
    cairn_report_value(out, "smallest", m->low, "bins.%s.low", key);
    cairn_report_value(out, "largest", m->high, "bins.%s.high", key);
    if (method == METHOD_MEAN) cairn_report_value(out, "mean", m->mean, "bins.%s.mean", key);
    if (method == METHOD_WIDTH) cairn_report_formula(out, "cut i = low + i (high − low) / k");
    if (method == METHOD_FREQUENCY && p->quantile == RULE_RANK)
        cairn_report_formula(out, "bin = ⌊rank · k / n⌋ + 1, rank = rows below");
    for (size_t i = 0; i < f->n && i < 50; i++) {
        char label[32];
        snprintf(label, sizeof label, "cut %zu", i + 1);
        cairn_report_value(out, label, f->at[i], "bins.%s.cut%zu", key, i + 1);
    }
}

static cairn_status find_cuts(cairn_context *ctx, cairn_cuts *out, const void *data,
                              const cairn_job *job, const cairn_cut_source *source)
{
    const bins_params *p = data;
    found_cuts f = {0};
    cairn_moments m = range_of(job, source);
    int method = method_of(p);
    if (method != METHOD_CUTS && !(m.low <= m.high)) return no_values(ctx, source);
    if (method == METHOD_WIDTH) CHECK(width_cuts(ctx, &f, p, &m, source));
    if (method == METHOD_FREQUENCY) CHECK(frequency_cuts(ctx, &f, p, job, source));
    if (method == METHOD_MEDIAN) CHECK(median_cut(ctx, &f, job, source));
    if (method == METHOD_CUTS) CHECK(read_cuts(ctx, p, &f.at, &f.below, &f.n));
    if (method == METHOD_MEAN) {
        CHECK(buffer_for(ctx, &f, 1));
        add_cut(&f, m.mean, true);
    }
    show_cuts(job->steps, &f, p, &m, source->name);
    return cairn_cuts_set(ctx, out, f.at, f.below, f.n);
}

/* -- the mean of several columns -- */

static cairn_status row_means(cairn_context *ctx, double **out, const cairn_column **columns,
                              size_t n, size_t n_rows)
{
    double *means;
    cairn_status status = SCRATCH(ctx, &means, n_rows + 1);
    for (size_t i = 0; status == CAIRN_OK && i < n_rows; i++) {
        for (size_t c = 0; c < n; c++) means[i] += columns[c]->numbers[i];
        means[i] /= (double)n;
    }
    if (status == CAIRN_OK) *out = means;
    return status;
}

static cairn_status mean_source(cairn_context *ctx, const cairn_job *job, const bins_params *p,
                                cairn_cut_source **out, size_t *n)
{
    size_t *chosen, count;
    const cairn_column **columns;
    double *means;
    CHECK(cairn_choose_features(ctx, job->view, "bins", p->mean_of, cairn_fits_number,
                                "a number column", &chosen, &count));
    CHECK(SCRATCH(ctx, &columns, count + 1));
    for (size_t i = 0; i < count; i++) columns[i] = job->view->features[chosen[i]];
    CHECK(row_means(ctx, &means, columns, count, job->view->table->n_rows));
    CHECK(SCRATCH(ctx, out, 1));
    (*out)->name = p->into;
    (*out)->numbers = means;
    *n = 1;
    return CAIRN_OK;
}

/* The bin of the mean over several columns is a new column; the columns themselves stay. */
static cairn_status apply_mean(cairn_context *ctx, cairn_table **out, const cairn_cutting *s,
                               const bins_params *p, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    cairn_column *made = NULL;
    const cairn_column **columns;
    char **names;
    double *means;
    size_t n;
    CHECK(cairn_list_split(ctx, p->mean_of, &names, &n));
    CHECK(SCRATCH(ctx, &columns, n + 1));
    for (size_t i = 0, at = 0; i < n; i++) {
        CHECK(cairn_next_column(ctx, table, names[i], &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        columns[i] = table->slots[at].column;
    }
    CHECK(row_means(ctx, &means, columns, n, table->n_rows));
    CHECK(cairn_table_share(ctx, &copy, table));
    CHECK(cairn_cuts_column(ctx, &made, &s->cuts[0], &p->form, means, table->n_rows));
    CHECK(cairn_table_add_column(ctx, copy, p->into, CAIRN_FEATURE, made));
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* Whether the cuts follow from the order of the values alone, so that ordered levels have them. */
static bool uses_order_only(const bins_params *p)
{
    int method = method_of(p);
    return method == METHOD_MEDIAN || (method == METHOD_FREQUENCY && p->quantile == RULE_RANK);
}

static cairn_status bins_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const bins_params *p = job->params;
    cairn_cut_source *sources;
    size_t n;
    if (p->mean_of)
        CHECK(mean_source(ctx, job, p, &sources, &n));
    else
        CHECK(cairn_cut_sources(ctx, job, "bins", p->columns, p->columns && uses_order_only(p),
                                &sources, &n));
    return cairn_cutting_fit(ctx, state, job, "bins", sources, n, &p->form, p->labels, find_cuts,
                             p);
}

static cairn_status bins_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    const bins_params *p = params;
    const cairn_cutting *s = state;
    if (p->mean_of && s->names.n == 1) return apply_mean(ctx, out, s, p, table);
    return cairn_cutting_apply(ctx, out, s, &p->form, table);
}

static cairn_status bins_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const bins_params *p = job->params;
    if (p->mean_of) return cairn_program_refuse(out, "mean-of looks at several columns");
    return cairn_cutting_lower(out, state, &p->form);
}

static void bins_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_cutting_describe(out, state, "bins");
}

static const cairn_learned bins_tables[] = {
    CAIRN_LEARNED("bins.bins", "bin of a column; the ends of the first and last are missing",
                  cairn_cutting_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_bins = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "bins",
              .also = "binning, equal width, equal frequency, unsupervised discretisation, "
                      "quantile bins, KBinsDiscretizer",
              .about = "pd.cut, qcut, cut into intervals",
              .title = "Cut numbers into bins",
              .summary =
                  "Turns number columns into ordered levels without looking at the target: equally "
                  "wide bins, bins with equally many rows (tertiles, quartiles, quintiles), above "
                  "the mean or the median or not, or your own cut points with labels. mean-of cuts "
                  "the mean of several columns. The cuts are found on the training rows, kept in "
                  "the model and applied to new rows.",
              .references = "Dougherty, Kohavi and Sahami, Supervised and unsupervised "
                            "discretization of continuous features, ICML 1995",
              .example = "cairn fit tree @iris --with bins:3,method=frequency",
              .params = bins_param_table,
              .params_size = sizeof(bins_params),
              .check = bins_check},
    .state_size = sizeof(cairn_cutting),
    .tables = bins_tables,
    .fit = bins_fit,
    .apply = bins_apply,
    .lower = bins_lower,
    .describe = bins_describe,
    .keeps = cairn_cutting_keeps,
};
