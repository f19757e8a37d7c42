/* SPDX-License-Identifier: MIT */
/* Why naive Bayes answers as it does: the factor of every column in each class, their product, and
 * what each column adds to the logarithm of the odds between two classes: the positive one and the
 * other or, with more classes, the answer and the runner-up. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACTORS = 200, MOST_WORDS = 50, MOST_BARS = 20, WIDE = 4 };

typedef struct reasons {
    cairn_report *out;
    const cairn_bayes_model *m;
    const cairn_job *job;
    size_t row;
    double *factors; /* n_parts x n_classes, logarithms; prior after them */
    bool *there;     /* n_parts */
    double *scores, *posterior;
    size_t for_class, against;
    size_t n_shown, shown[WIDE]; /* classes that have a column */
    bool in_logs;                /* products are too small for a number */
} reasons;

static const double LEAST_LOG = -600;

/* ln of a ratio, undefined where both are impossible. */
static double difference(double a, double b)
{
    return isinf(a) && isinf(b) ? NAN : a - b;
}

/* The two classes that are compared, and the classes that are shown: all when they are few. */
static void choose_classes(reasons *r)
{
    size_t k = r->m->n_classes, best = 0, next = k > 1;
    for (size_t c = 1; c < k; c++)
        if (r->posterior[c] > r->posterior[best]) best = c;
    if (best == next) next = 0;
    for (size_t c = 0; c < k; c++)
        if (c != best && r->posterior[c] > r->posterior[next]) next = c;
    if (k == 2 && r->job->positive >= 0) best = (size_t)r->job->positive;
    r->for_class = best;
    r->against = k == 2 ? 1 - best : next;
    r->n_shown = k <= WIDE ? k : 2;
    for (size_t i = 0; i < r->n_shown; i++)
        r->shown[i] = k <= WIDE ? i : i == 0 ? r->for_class : r->against;
    for (size_t c = 0; c < k; c++) r->in_logs |= isfinite(r->scores[c]) && r->scores[c] < LEAST_LOG;
}

static const char *class_name(const reasons *r, size_t c)
{
    return cairn_bayes_class(r->job->schema, c);
}

static void begin_table(const reasons *r, const char *title, const char *first, const char *second)
{
    char text[120];
    snprintf(text, sizeof text, "%s: %s", title, r->in_logs ? "ln P(· | class)" : "P(· | class)");
    cairn_report_table_of(r->out, text, MOST_FACTORS, "ll", first, second);
    for (size_t i = 0; i < r->n_shown; i++)
        cairn_report_column(r->out, class_name(r, r->shown[i]), 'r');
    cairn_report_column(r->out, "ln ratio", 'r');
}

/* Factors of all classes and the logarithm of their ratio. */
static void factor_cells(const reasons *r, const double *logs, const char *key, const char *of)
{
    for (size_t i = 0; i < r->n_shown; i++) {
        const char *class = cairn_report_key(r->out, class_name(r, r->shown[i]));
        double log = logs[r->shown[i]];
        if (r->in_logs)
            cairn_report_cell_number(r->out, log, 0, "log_factor.%s%s.%s", key, of, class);
        else
            cairn_report_cell_number(r->out, cairn_exp(log), 0, "factor.%s%s.%s", key, of, class);
    }
    cairn_report_hidden(r->out, cairn_exp(difference(logs[r->for_class], logs[r->against])),
                        "ratio.%s%s", key, of);
    cairn_report_cell_number(r->out, difference(logs[r->for_class], logs[r->against]), 0,
                             "log_odds.%s%s", key, of);
}

static void add_value(cairn_text *text, const reasons *r, const cairn_bayes_part *part)
{
    const cairn_column *column = r->job->view->features[part->features[0]];
    size_t row = cairn_view_row(r->job->view, r->row);
    if (cairn_bayes_is_bag(part)) {
        cairn_text_add(text, part->of_numbers ? "all counts" : "all words");
    } else if (cairn_column_is_missing(column, row)) {
        cairn_text_add(text, "missing: skipped");
    } else if (!part->of_numbers) {
        cairn_text_add(text, cairn_level_name(column, column->codes[row]));
    } else {
        cairn_text_add_number(text, column->numbers[row], 6);
    }
}

/* The prior is the first factor and the last column the evidence between the two classes that
 * are compared, so that a reader sees which column decided. */
static void show_factors(const reasons *r)
{
    size_t k = r->m->n_classes;
    cairn_context *ctx = cairn_report_context(r->out);
    cairn_report_paragraph(r->out, "ln ratio: what speaks for %s (above 0) or for %s (below).",
                           class_name(r, r->for_class), class_name(r, r->against));
    begin_table(r, "Factors", "column", "value");
    cairn_report_cell(r->out, "prior");
    cairn_report_cell(r->out, "");
    factor_cells(r, r->m->log_prior, "prior", "");
    for (size_t p = 0; p < r->m->n_parts && cairn_report_row_wanted(r->out); p++) {
        const cairn_bayes_part *part = &r->m->parts[p];
        const char *name = cairn_bayes_part_name(part, r->job);
        cairn_text text = cairn_text_start(ctx);
        add_value(&text, r, part);
        if (part->idle) cairn_text_add(&text, " (left out)");
        cairn_report_cell(r->out, name);
        cairn_report_cell(r->out, cairn_text_string(&text));
        factor_cells(r, r->factors + p * k, "", cairn_report_key(r->out, name));
        cairn_report_failed(r->out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_table_end(r->out);
}

/* -- words -- */

typedef struct word {
    size_t at;
    double amount, weight;
} word;

static int by_weight(const void *a, const void *b)
{
    const word *x = a, *y = b;
    double p = isnan(x->weight) ? -1 : fabs(x->weight), q = isnan(y->weight) ? -1 : fabs(y->weight);
    if (p != q) return p > q ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The words of the row; scratch. */
static cairn_status find_words(const reasons *r, const cairn_bayes_part *part, word **out,
                               size_t *n)
{
    cairn_context *ctx = cairn_report_context(r->out);
    const cairn_column *column = r->job->view->features[part->features[0]];
    size_t row = cairn_view_row(r->job->view, r->row);
    size_t most =
        part->of_numbers ? part->n_features : column->starts[row + 1] - column->starts[row];
    CHECK(SCRATCH(ctx, out, most + 1));
    for (size_t i = 0; i < most; i++) {
        size_t t = part->of_numbers ? 0 : column->starts[row] + i;
        double x = part->of_numbers  ? r->job->view->features[part->features[i]]->numbers[row]
                   : column->amounts ? column->amounts[t]
                                     : 1;
        if (!(x > 0) || isinf(x)) continue;
        (*out)[(*n)++] = (word){part->of_numbers ? i : (size_t)column->items[t], x, 0};
    }
    return CAIRN_OK;
}

/* The factors of single words: p to the power of how often it is there. */
static cairn_status show_words(const reasons *r, const cairn_bayes_part *part)
{
    cairn_context *ctx = cairn_report_context(r->out);
    size_t k = r->m->n_classes, n = 0;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    double *logs;
    word *words;
    CHECK(find_words(r, part, &words, &n));
    CHECK(SCRATCH(ctx, &logs, k));
    for (size_t i = 0; i < n; i++) {
        const double *w = part->logs + words[i].at * k;
        if (bits) words[i].amount = 1;
        words[i].weight = words[i].amount * difference(w[r->for_class], w[r->against]);
    }
    if (n) qsort(words, n, sizeof *words, by_weight);
    begin_table(r, "Words, those that matter most first", "word", "times");
    for (size_t i = 0; i < n && i < MOST_WORDS; i++) {
        const char *name = cairn_bayes_value_name(&text, part, r->job, words[i].at);
        for (size_t c = 0; c < k; c++)
            logs[c] = bits ? cairn_log(cairn_bayes_probability(r->m, part, words[i].at, c))
                           : words[i].amount * (part->logs[words[i].at * k + c]);
        cairn_report_cell(r->out, name);
        cairn_report_cell_number(r->out, words[i].amount, 0, NULL);
        factor_cells(r, logs, "word.", cairn_report_key(r->out, name));
    }
    cairn_report_table_end(r->out);
    if (n > MOST_WORDS)
        cairn_report_paragraph(r->out, "%zu more words are not shown.", n - MOST_WORDS);
    if (bits && r->m->absent == CAIRN_ABSENT_COUNT)
        cairn_report_paragraph(r->out, "Every other word of the vocabulary counts with 1 − p.");
    return CAIRN_OK;
}

/* -- the product -- */

/* Odds by their logarithm where they are too large or too small to be written. */
static void show_odds(const reasons *r, const char *label, double log, const char *name)
{
    char text[64];
    if (!isfinite(log) || fabs(log) < -LEAST_LOG) {
        cairn_report_value(r->out, label, cairn_exp(log), "odds.%s", name);
        cairn_report_hidden(r->out, log, "odds.log_%s", name);
        return;
    }
    snprintf(text, sizeof text, "ln of the %s", label);
    cairn_report_value(r->out, text, log, "odds.log_%s", name);
}

/* Ends with prior odds times likelihood ratio, in which the part of the data and that of the
 * prior can be told apart. */
static void show_result(const reasons *r)
{
    double unit = cairn_bayes_unit(r->job);
    cairn_report_formula(r->out, "P(class | row) = product / Σ products");
    if (r->in_logs)
        cairn_report_paragraph(r->out, "The products are too small to be written as numbers; their "
                                       "logarithms are added instead.");
    cairn_report_table_of(r->out, "Products", 200, "lrrr", "class", "product", "its logarithm",
                          "probability");
    size_t best = 0;
    for (size_t c = 1; c < r->m->n_classes; c++)
        if (r->posterior[c] > r->posterior[best]) best = c;
    for (size_t c = 0; c < r->m->n_classes; c++) {
        const char *key = cairn_report_key(r->out, class_name(r, c));
        if (c == best) cairn_report_row_mark(r->out);
        cairn_report_cell(r->out, class_name(r, c));
        cairn_report_cell_number(r->out, cairn_exp(r->scores[c]), 0, "product.%s", key);
        cairn_report_cell_number(r->out, r->scores[c] * unit, 0, "score.%s", key);
        cairn_report_cell_number(r->out, r->posterior[c], 0, "posterior.%s", key);
    }
    cairn_report_table_end(r->out);
    double prior = difference(r->m->log_prior[r->for_class], r->m->log_prior[r->against]);
    double odds = difference(r->scores[r->for_class], r->scores[r->against]);
    cairn_report_paragraph(r->out, "Odds of %s against %s:", class_name(r, r->for_class),
                           class_name(r, r->against));
    show_odds(r, "prior odds", prior, "prior");
    show_odds(r, "likelihood ratio", odds - prior, "ratio");
    show_odds(r, "posterior odds", odds, "posterior");
}

/* Bars of what the columns add to ln odds. */
static void draw_terms(const reasons *r)
{
    cairn_context *ctx = cairn_report_context(r->out);
    const char *names[MOST_BARS];
    double sizes[MOST_BARS];
    size_t n = 0, k = r->m->n_classes;
    cairn_figure *figure = NULL;
    for (size_t p = 0; p < r->m->n_parts && n < MOST_BARS; p++) {
        double size = difference(r->factors[p * k + r->for_class], r->factors[p * k + r->against]);
        if (!r->there[p] || !isfinite(size)) continue;
        names[n] = cairn_bayes_part_name(&r->m->parts[p], r->job);
        sizes[n++] = size;
    }
    if (n < 2) return;
    cairn_report_failed(
        r->out, cairn_figure_new(ctx, &figure, "explain", "What the columns add to ln odds"));
    cairn_figure_axes(figure, "", "ln odds");
    cairn_figure_bars(figure, NULL, names, sizes, n);
    cairn_report_page_figure(r->out, figure);
}

/* Every part is asked by itself, also those that prediction takes all at once, since the page
 * shows one line for each of them. */
static cairn_status collect(cairn_context *ctx, reasons *r)
{
    const cairn_bayes_model *m = r->m;
    size_t k = m->n_classes;
    CHECK(SCRATCH(ctx, &r->factors, cairn_product(m->n_parts + 1, k)));
    CHECK(SCRATCH(ctx, &r->there, m->n_parts + 1));
    CHECK(SCRATCH(ctx, &r->scores, k));
    CHECK(SCRATCH(ctx, &r->posterior, k));
    memcpy(r->scores, m->log_prior, k * sizeof *r->scores);
    for (size_t p = 0; p < m->n_parts; p++) {
        double *factors = r->factors + p * k;
        CHECK(
            cairn_bayes_factors(ctx, factors, &r->there[p], m, &m->parts[p], r->job->view, r->row));
        for (size_t c = 0; c < k; c++) r->scores[c] += factors[c];
    }
    memcpy(r->posterior, r->scores, k * sizeof *r->scores);
    cairn_bayes_posterior(r->posterior, m);
    return CAIRN_OK;
}

void cairn_bayes_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    reasons r = {.out = out, .m = model, .job = job, .row = row};
    cairn_status status;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(collect(ctx, &r));
    choose_classes(&r);
    show_factors(&r);
    for (size_t p = 0; p < r.m->n_parts; p++)
        if (cairn_bayes_is_bag(&r.m->parts[p]) && r.there[p] && !r.m->parts[p].idle)
            TRY(show_words(&r, &r.m->parts[p]));
    show_result(&r);
    draw_terms(&r);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}
