/* SPDX-License-Identifier: MIT */
/* What a naive Bayes model says about itself: priors, probabilities of values, means and variances,
 * the words that speak most for each class, and the curves of the densities. */
#include "learners/bayes/bayes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Head of one column per class, at most BAYES_SHOWN; returns how many. */
enum { BAYES_SHOWN = 12 };

enum {
    MOST_TABLES = 30,
    MOST_NORMAL_ROWS = 400,
    FEW_ROWS = 50, /* of a table that would have more than that */
    MOST_KERNEL_ROWS = 200,
    MOST_WORDS = 200,
    MOST_FIGURES = 4,
    MOST_RAISED = 5,
    CURVE = 201
};

/* Whether the part is a bag (words), as against single values. */
static bool is_bag(const cairn_bayes_part *part)
{
    return part->density == CAIRN_BAYES_MULTINOMIAL ||
           (part->density == CAIRN_BAYES_BERNOULLI && !part->of_numbers);
}

/* The scores are natural logarithms; this makes them those of --log. */
static double bayes_unit(const cairn_job *job)
{
    const cairn_bayes_params *p = job->params;
    return p->log ? 1 / cairn_log(p->log) : 1;
}

const char *cairn_bayes_part_name(const cairn_bayes_part *part, const cairn_job *job)
{
    if (part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL) return "words";
    const cairn_field *field = cairn_bayes_field(job->schema, (size_t)part->features[0]);
    return field ? field->name : "?";
}

const char *cairn_bayes_value_name(cairn_text *text, const cairn_bayes_part *part,
                                   const cairn_job *job, size_t value)
{
    size_t feature = (size_t)part->features[0];
    text->length = 0;
    if (part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL)
        return cairn_bayes_field(job->schema, (size_t)part->features[value])->name;
    if (part->density == CAIRN_BAYES_BERNOULLI && part->of_numbers) return "present";
    if (!part->of_numbers)
        return cairn_map_key(&cairn_bayes_field(job->schema, feature)->names, value);
    if (part->density == CAIRN_BAYES_CATEGORICAL)
        cairn_text_add_number(text, part->places[value], CAIRN_SHORTEST);
    else {
        bool first = value == 0, last = value + 1 == part->n_values;
        cairn_text_add_char(text, !part->closed_right || first ? '[' : '(');
        cairn_text_add_number(text, part->places[value], 6);
        cairn_text_add(text, ", ");
        cairn_text_add_number(text, part->places[value + 1], 6);
        cairn_text_add_char(text, part->closed_right || last ? ']' : ')');
    }
    return cairn_text_string(text);
}

static size_t class_columns(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = m->n_classes < BAYES_SHOWN ? m->n_classes : BAYES_SHOWN;
    for (size_t c = 0; c < n; c++) cairn_report_column(out, cairn_bayes_class(job->schema, c), 'r');
    return n;
}

/* Numbers of all classes, in cells for those that have a column and unseen for the others. */
static void class_cells(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                        const double *numbers, const char *what, const char *part,
                        const char *value)
{
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = cairn_report_key(out, cairn_bayes_class(job->schema, c));
        if (c < BAYES_SHOWN)
            cairn_report_cell_number(out, numbers[c], 0, "%s.%s.%s.%s", what, part, value, key);
        else
            cairn_report_hidden(out, numbers[c], "%s.%s.%s.%s", what, part, value, key);
    }
}

/* Tables that steps and description share. */
static void show_classes(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    cairn_report_table_of(out, "Classes", 200, "lrrr", "class", "rows", "prior", "ln prior");
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *name = cairn_bayes_class(job->schema, c);
        cairn_report_cells(out, "- rows.$1 prior.$1 log_prior.$1", name, m->classes[c],
                           cairn_exp(m->log_prior[c]), m->log_prior[c]);
    }
    cairn_report_table_end(out);
}

/* Counts (or with `probabilities` what they become) of the values of a part. */
static void show_values(cairn_report *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                        const cairn_job *job, bool probabilities)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_text text = cairn_text_start(ctx), title = cairn_text_start(ctx);
    const char *name = cairn_bayes_part_name(part, job), *key = cairn_report_key(out, name);
    size_t k = m->n_classes, n = part->n_values;
    cairn_status status;
    double *numbers;
    TRY(SCRATCH(ctx, &numbers, k));
    cairn_text_addf(&title, probabilities ? "P(%s | class)" : "%s: counts", name);
    if (is_bag(part) && n > MOST_WORDS) n = MOST_WORDS;
    cairn_report_table_of(out, cairn_text_string(&title), 0, "l", name);
    class_columns(out, m, job);
    for (size_t v = 0; v < n; v++) {
        const char *value = cairn_bayes_value_name(&text, part, job, v);
        for (size_t c = 0; c < k; c++)
            numbers[c] =
                probabilities ? cairn_bayes_probability(m, part, v, c) : part->counts[v * k + c];
        cairn_report_cell(out, value);
        class_cells(out, m, job, numbers, probabilities ? "p" : "count", key,
                    cairn_report_key(out, value));
    }
    if (!probabilities) {
        cairn_report_cell(out, "total");
        for (size_t c = 0; c < k && c < BAYES_SHOWN; c++)
            cairn_report_cell_number(out, part->totals[c], 0, "total.%s.%s", key,
                                     cairn_report_key(out, cairn_bayes_class(job->schema, c)));
    }
    cairn_report_table_end(out);
    if (n < part->n_values)
        cairn_report_paragraph(out, "These are the first of %zu words.", part->n_values);
done:
    cairn_report_failed(out, status);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_failed(out, cairn_text_status(&title));
    cairn_text_clear(&text);
    cairn_text_clear(&title);
    cairn_scratch_release(ctx, mark);
}

/* Whether a Gaussian column has a value from which there is a mean. */
static bool has_moments(const cairn_bayes_part *part, const cairn_bayes_model *m)
{
    bool any = false;
    if (part->density != CAIRN_BAYES_GAUSSIAN) return false;
    for (size_t c = 0; c < m->n_classes && !any; c++) any = part->totals[c] > 0;
    return any;
}

/* That a table has more rows than are shown. */
static void say_more(cairn_report *out, size_t shown, size_t n)
{
    if (n > shown)
        cairn_report_paragraph(out, "These are the first %zu of %zu rows of this table.", shown, n);
}

/* Means and variances of all Gaussian parts. */
static void show_normals(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_parts; i++) n += has_moments(&m->parts[i], m);
    if (!n) return;
    n *= m->n_classes;
    size_t limit = n <= MOST_NORMAL_ROWS ? n : FEW_ROWS;
    cairn_report_table_of(out, "Normal densities", limit, "llrrrr", "column", "class", "rows",
                          "mean", "variance", "sd");
    for (size_t i = 0; i < m->n_parts && cairn_report_row_wanted(out); i++) {
        const cairn_bayes_part *part = &m->parts[i];
        if (!has_moments(part, m)) continue;
        const char *name = cairn_bayes_part_name(part, job), *key = cairn_report_key(out, name);
        for (size_t c = 0; c < m->n_classes && cairn_report_row_wanted(out); c++) {
            const char *class = cairn_bayes_class(job->schema, c);
            const char *of = cairn_report_key(out, class);
            double variance = cairn_bayes_variance(m, part, c);
            cairn_report_cells(out, NULL, name, class, part->totals[c]);
            cairn_report_cell_number(out, part->totals[c] > 0 ? part->means[c] : part->pooled_mean,
                                     0, "mean.%s.%s", key, of);
            cairn_report_cell_number(out, variance, 0, "variance.%s.%s", key, of);
            cairn_report_cell_number(out, sqrt(variance), 0, "sd.%s.%s", key, of);
        }
    }
    cairn_report_table_end(out);
    say_more(out, limit, n);
}

/* Numbers that are there or not, one row per column. */
static void show_bits(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_parts; i++)
        n += m->parts[i].of_numbers && m->parts[i].density == CAIRN_BAYES_BERNOULLI;
    if (!n) return;
    size_t limit = n <= MOST_NORMAL_ROWS ? n : FEW_ROWS;
    cairn_report_table_of(out, "P(column > 0 | class)", limit, "l", "column");
    size_t shown = class_columns(out, m, job);
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        if (!part->of_numbers || part->density != CAIRN_BAYES_BERNOULLI) continue;
        if (!cairn_report_row_wanted(out)) break;
        const char *name = cairn_bayes_part_name(part, job), *key = cairn_report_key(out, name);
        cairn_report_cell(out, name);
        for (size_t c = 0; c < shown; c++) {
            const char *of = cairn_report_key(out, cairn_bayes_class(job->schema, c));
            cairn_report_hidden(out, part->counts[c], "count.%s.present.%s", key, of);
            cairn_report_cell_number(out, cairn_bayes_probability(m, part, 0, c), 0,
                                     "p.%s.present.%s", key, of);
        }
    }
    cairn_report_table_end(out);
    say_more(out, limit, n);
}

/* Bandwidths of all kernel parts, where there are some. */
static bool has_kernels(const cairn_bayes_model *m)
{
    bool any = false;
    for (size_t i = 0; i < m->n_parts; i++) any |= m->parts[i].density == CAIRN_BAYES_KERNEL;
    return any;
}

/* Values that are all the same have no spread from which a rule could find a bandwidth. */
static void note_narrow(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    const char *column = NULL, *class = NULL;
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        if (part->density != CAIRN_BAYES_KERNEL) continue;
        for (size_t c = 0, at = 0; c < m->n_classes; c++) {
            size_t kept = (size_t)part->kept_of[c];
            bool narrow = kept && part->kept[at] == part->kept[at + kept - 1];
            at += kept;
            if (!narrow || n++) continue;
            column = cairn_bayes_part_name(part, job);
            class = cairn_bayes_class(job->schema, c);
        }
    }
    if (n == 1)
        cairn_report_note(out,
                          "'%s' has one value only within '%s': no rule finds a bandwidth there, "
                          "so it is 1 %% of that value, at least 0.01 ({bandwidth} sets another).",
                          column, class);
    else if (n)
        cairn_report_note(out,
                          "%zu times a column has one value only within a class, '%s' within '%s' "
                          "first: no rule finds a bandwidth there, so it is 1 %% of that value, at "
                          "least 0.01 ({bandwidth} sets another).",
                          n, column, class);
}

/* A class without values in a column has no bandwidth; the count of rows left out is told below. */
static void show_kernels(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    cairn_report_table_of(out, "Kernel densities", MOST_KERNEL_ROWS, "llrr", "column", "class",
                          "values", "bandwidth");
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        if (part->density != CAIRN_BAYES_KERNEL) continue;
        n += m->n_classes;
        if (!cairn_report_row_wanted(out)) continue;
        const char *name = cairn_bayes_part_name(part, job), *key = cairn_report_key(out, name);
        for (size_t c = 0; c < m->n_classes && cairn_report_row_wanted(out); c++) {
            const char *class = cairn_bayes_class(job->schema, c);
            cairn_report_prefix(out, "bandwidth.%s", key);
            cairn_report_cells(out, "- - - @.$2", name, class, part->kept_of[c],
                               part->kept_of[c] > 0 ? part->rates[c] : NAN);
        }
    }
    cairn_report_table_end(out);
    say_more(out, MOST_KERNEL_ROWS, n);
    cairn_report_paragraph(
        out, "Kernel: %s; bandwidth by %s.", cairn_density_kernels[m->kernel].name,
        cairn_say(cairn_report_context(out), m->bandwidth > 0
                                                 ? "{bandwidth}"
                                                 : cairn_bandwidth_rules[m->bandwidth_rule].name));
    if (!(m->bandwidth > 0)) note_narrow(out, m, job);
}

/* -- words that speak for a class -- */

typedef struct weighed_word {
    size_t at;
    double weight, amount; /* amount: how often a row has it */
} weighed_word;

static int by_weight(const void *a, const void *b)
{
    const weighed_word *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* ln P(word | class) minus ln of the word's mean probability in the other classes. */
static double word_weight(const double *p, size_t k, size_t c)
{
    double rest = 0;
    for (size_t o = 0; o < k; o++) rest += o == c ? 0 : p[o];
    rest /= k > 1 ? (double)(k - 1) : 1;
    return p[c] > 0 ? cairn_log(p[c]) - cairn_log(rest > 0 ? rest : p[c]) : -INFINITY;
}

static void name_words(cairn_report *out, const cairn_bayes_part *part, const cairn_job *job,
                       const weighed_word *words, size_t n, const char *class)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_text list = cairn_text_start(ctx), text = cairn_text_start(ctx);
    const char *key = cairn_report_key(out, class);
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_bayes_value_name(&text, part, job, words[i].at);
        cairn_text_addf(&list, "%s%s ", i ? ", " : "", name);
        cairn_text_add_number(&list, words[i].weight, 3);
        cairn_report_hidden_word(out, name, "top.%s.%zu", key, i + 1);
    }
    cairn_report_cells(out, NULL, class, cairn_text_string(&list));
    cairn_report_failed(out, cairn_text_status(&list));
    cairn_text_clear(&list);
    cairn_text_clear(&text);
}

/* -- what the reader must not miss -- */

/* Without smoothing one count of 0 outweighs all other columns, which is hardly ever meant; so
 * it is said with what avoids it. */
static void note_zeros(cairn_report *out, const cairn_bayes_model *m)
{
    size_t zeros = 0, cells = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        if (cairn_bayes_smoothing(m, part).kind != CAIRN_SMOOTH_NONE) continue;
        for (size_t v = 0; v < part->n_values; v++)
            for (size_t c = 0; c < m->n_classes; c++) {
                if (!(m->classes[c] > 0)) continue;
                zeros += part->counts[v * m->n_classes + c] == 0;
                cells++;
            }
    }
    cairn_report_hidden(out, (double)zeros, "zeros");
    if (zeros)
        cairn_report_note(out,
                          "%zu of %zu counts %s 0. Without smoothing such a value makes its class "
                          "impossible, whatever the other columns say; {smooth} laplace, lambda:X "
                          "or m:X avoids that.",
                          zeros, cells, zeros == 1 ? "is" : "are");
}

/* Columns that take no part, in one note per reason. */
static void note_idle(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                      bool empty)
{
    cairn_text list = cairn_text_start(cairn_report_context(out));
    size_t n = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool none = true;
        for (size_t c = 0; c < m->n_classes; c++) none = none && !(part->totals[c] > 0);
        if (!part->idle || none != empty || n++ >= MOST_RAISED) continue;
        cairn_text_addf(&list, "%s'%s'", n > 1 ? ", " : "", cairn_bayes_part_name(part, job));
    }
    if (n > MOST_RAISED) cairn_text_addf(&list, " and %zu more", n - MOST_RAISED);
    if (n)
        cairn_report_note(out, "%s: %s. %s left out of the products.",
                          empty ? "Without any value" : "Constant over all rows",
                          cairn_text_string(&list), n == 1 ? "The column is" : "The columns are");
    cairn_report_failed(out, cairn_text_status(&list));
    cairn_text_clear(&list);
}

/* A raised variance hides a column that is constant in a class and may decide everything; the
 * reader should hear of it. */
static void note_constants(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t raised = 0, idle = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        raised += m->parts[i].n_raised;
        idle += m->parts[i].idle;
    }
    cairn_report_hidden(out, (double)raised, "raised_variances");
    cairn_report_hidden(out, (double)idle, "left_out");
    if (raised) {
        char share[CAIRN_NUMBER_SIZE], largest[CAIRN_NUMBER_SIZE];
        cairn_text list = cairn_text_start(cairn_report_context(out));
        cairn_number_format(share, m->least_variance, 3);
        cairn_number_format(largest, m->least_of_largest, 3);
        /* Columns that are constant within a class, class by class; of a class with one row all
         * are. */
        size_t n = 0;
        for (size_t c = 0; c < m->n_classes; c++) {
            const char *class = cairn_bayes_class(job->schema, c), *before = n ? ", " : "";
            bool alone = m->classes[c] == 1;
            for (size_t i = 0; i < m->n_parts; i++, before = n ? ", " : "") {
                if (!cairn_bayes_is_raised(m, &m->parts[i], c)) continue;
                if (n++ >= MOST_RAISED) continue;
                if (alone)
                    cairn_text_addf(&list, "%sall of '%s', which has one row", before, class);
                else
                    cairn_text_addf(&list, "%s'%s' within '%s'", before,
                                    cairn_bayes_part_name(&m->parts[i], job), class);
                if (alone) break;
            }
        }
        if (n > MOST_RAISED) cairn_text_addf(&list, " and %zu more", n - MOST_RAISED);
        cairn_report_note(out,
                          "(Nearly) constant: %s. A variance of 0 has no density, so it is raised "
                          "to %s of the column's variance over all rows ({least-variance}), or to "
                          "%s of the largest of all columns ({least-of-largest}) where that is "
                          "more. Any other value then rules the class out; a larger "
                          "{least-variance}, or leaving the column out, softens that.",
                          cairn_text_string(&list), share, largest);
        cairn_report_failed(out, cairn_text_status(&list));
        cairn_text_clear(&list);
    }
    note_idle(out, m, job, false);
    note_idle(out, m, job, true);
}

/* -- curves -- */

static bool has_curve(const cairn_bayes_part *part)
{
    return !part->idle &&
           (part->density == CAIRN_BAYES_GAUSSIAN || part->density == CAIRN_BAYES_KERNEL ||
            part->density == CAIRN_BAYES_HISTOGRAM);
}

/* Points of the curve of a smooth density. */
static cairn_status smooth_curve(cairn_context *ctx, double **x, double **densities,
                                 const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    size_t k = m->n_classes;
    double low, high;
    /* As far as any class has noticeable density, so that one axis shows the curves of all
     * classes. */
    low = INFINITY;
    high = -INFINITY;
    for (size_t c = 0, at = 0; c < m->n_classes; c++) {
        double reach = 3, from = 0, to = 0;
        if (part->density == CAIRN_BAYES_GAUSSIAN) {
            if (!(part->totals[c] > 0)) continue;
            from = to = part->centres[c];
            reach = 3.5 * sqrt(cairn_bayes_variance(m, part, c));
        } else {
            size_t n = (size_t)part->kept_of[c];
            if (!n) continue;
            from = part->kept[at];
            to = part->kept[at + n - 1];
            reach = 3 * part->rates[c];
            at += n;
        }
        low = fmin(low, from - reach);
        high = fmax(high, to + reach);
    }
    CHECK(SCRATCH(ctx, x, CURVE));
    CHECK(SCRATCH(ctx, densities, cairn_product(CURVE, k)));
    for (size_t i = 0; i < CURVE; i++) (*x)[i] = low + (high - low) * (double)i / (CURVE - 1);
    if (part->density == CAIRN_BAYES_KERNEL)
        CHECK(cairn_bayes_kernel_logs(ctx, *densities, m, part, *x, CURVE));
    for (size_t i = 0; i < CURVE; i++)
        for (size_t c = 0; c < k; c++) {
            double *at = &(*densities)[i * k + c];
            if (part->density == CAIRN_BAYES_GAUSSIAN) {
                double d = ((*x)[i] - part->centres[c]) * part->rates[c];
                *at = part->base[c] - d * d;
            }
            *at = cairn_exp(*at);
        }
    return CAIRN_OK;
}

/* Corners of a histogram: up at the left end of a bin, down at its right one. */
static cairn_status corners(cairn_context *ctx, double **x, double **densities,
                            const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    size_t k = m->n_classes, n = part->n_values;
    CHECK(SCRATCH(ctx, x, 2 * n + 2));
    CHECK(SCRATCH(ctx, densities, cairn_product(2 * n + 2, k)));
    for (size_t bin = 0; bin <= n; bin++) {
        (*x)[2 * bin] = (*x)[2 * bin + 1] = part->places[bin];
        if (bin == n) break;
        double width = part->places[bin + 1] - part->places[bin];
        for (size_t c = 0; c < k; c++)
            (*densities)[(2 * bin + 1) * k + c] = (*densities)[(2 * bin + 2) * k + c] =
                cairn_bayes_probability(m, part, bin, c) / width;
    }
    return CAIRN_OK;
}

/* A histogram is drawn by its corners, other densities as smooth curves; a column with one value
 * has nothing to draw. */
static cairn_status draw_curves(cairn_report *out, const cairn_bayes_model *m,
                                const cairn_bayes_part *part, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *name = cairn_bayes_part_name(part, job);
    bool bins = part->density == CAIRN_BAYES_HISTOGRAM;
    size_t k = m->n_classes, n = bins ? 2 * part->n_values + 2 : CURVE;
    double *x, *y, *densities;
    cairn_figure *figure = NULL;
    CHECK((bins ? corners : smooth_curve)(ctx, &x, &densities, m, part));
    if (!(x[n - 1] > x[0])) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(cairn_figure_new(ctx, &figure, "densities", "Densities of the classes"));
    cairn_figure_axes(figure, name, "P(x | class)");
    for (size_t c = 0; c < k && c < 8; c++) {
        if (!(m->classes[c] > 0)) continue;
        for (size_t i = 0; i < n; i++) y[i] = densities[i * k + c];
        cairn_figure_line(figure, cairn_bayes_class(job->schema, c), x, y, n);
    }
    cairn_figure_y_range(figure, 0, NAN);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* -- all -- */

/* Tables and figures are limited in number because a table of a thousand columns would make a
 * thousand of each. */
static cairn_status show_parts(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t tables = 0, figures = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool bit = part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI;
        if (!part->n_values || bit || tables++ >= MOST_TABLES) continue;
        if (!is_bag(part) || part->n_values <= MOST_WORDS) show_values(out, m, part, job, true);
        if (is_bag(part)) {
            /* A word speaks for a class by its chance there against the chance in all others,
             * not by its frequency: common words say nothing. */
            const cairn_bayes_params *params = job->params;
            cairn_context *ctx = cairn_report_context(out);
            size_t k = m->n_classes, n = part->n_values, top = (size_t)params->top;
            double *p;
            weighed_word *words;
            if (!top || !n) continue;
            CHECK(SCRATCH_RAW(ctx, &p, cairn_product(n, k)));
            CHECK(SCRATCH_RAW(ctx, &words, n));
            for (size_t v = 0; v < n; v++)
                for (size_t c = 0; c < k; c++)
                    p[v * k + c] = cairn_bayes_probability(m, part, v, c);
            cairn_report_table_of(out, "Words that speak most for a class", 200, "ll", "class",
                                  "words, and ln P(word | class) − ln P(word | others)");
            for (size_t c = 0; c < k; c++) {
                for (size_t v = 0; v < n; v++)
                    words[v] = (weighed_word){v, word_weight(p + v * k, k, c), 0};
                qsort(words, n, sizeof *words, by_weight);
                name_words(out, part, job, words, n < top ? n : top,
                           cairn_bayes_class(job->schema, c));
            }
            cairn_report_table_end(out);
        }
    }
    if (tables > MOST_TABLES)
        cairn_report_paragraph(out, "The tables of %d of %zu columns are shown.", MOST_TABLES,
                               tables);
    show_bits(out, m, job);
    show_normals(out, m, job);
    if (has_kernels(m)) show_kernels(out, m, job);
    for (size_t i = 0; i < m->n_parts && figures < MOST_FIGURES; i++)
        if (has_curve(&m->parts[i])) {
            CHECK(draw_curves(out, m, &m->parts[i], job));
            figures++;
        }
    return CAIRN_OK;
}

void cairn_bayes_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_heading(out, 2, "Naive Bayes");
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t n[CAIRN_BAYES_DENSITIES] = {0}, kinds = 0;
    for (size_t i = 0; i < m->n_parts; i++) n[m->parts[i].density] += m->parts[i].n_features;
    for (int d = 0; d < CAIRN_BAYES_DENSITIES; d++)
        if (n[d])
            cairn_text_addf(&text, "%s%zu %s", kinds++ ? ", " : "", n[d],
                            cairn_bayes_density_names[d]);
    cairn_report_word(out, "columns", cairn_text_string(&text), "densities");
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
    show_classes(out, m, job);
    cairn_report_failed(out, show_parts(out, m, job));
    note_zeros(out, m);
    note_constants(out, m, job);
    cairn_scratch_release(ctx, mark);
}

/* Why naive Bayes answers as it does: the factor of every column in each class, their product, and
 * what each column adds to the logarithm of the odds between two classes: the positive one and the
 * other or, with more classes, the answer and the runner-up. */

enum { MOST_FACTORS = 200, WORDS_EXPLAINED = 50, MOST_BARS = 20, WIDE = 4 };

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
    if (is_bag(part)) {
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
    cairn_report_cells(r->out, NULL, "prior", "");
    factor_cells(r, r->m->log_prior, "prior", "");
    for (size_t p = 0; p < r->m->n_parts && cairn_report_row_wanted(r->out); p++) {
        const cairn_bayes_part *part = &r->m->parts[p];
        const char *name = cairn_bayes_part_name(part, r->job);
        cairn_text text = cairn_text_start(ctx);
        add_value(&text, r, part);
        if (part->idle) cairn_text_add(&text, " (left out)");
        cairn_report_cells(r->out, NULL, name, cairn_text_string(&text));
        factor_cells(r, r->factors + p * k, "", cairn_report_key(r->out, name));
        cairn_report_failed(r->out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_table_end(r->out);
}

/* -- words -- */

static int by_size_of_weight(const void *a, const void *b)
{
    weighed_word x = *(const weighed_word *)a, y = *(const weighed_word *)b;
    x.weight = isnan(x.weight) ? -1 : fabs(x.weight);
    y.weight = isnan(y.weight) ? -1 : fabs(y.weight);
    return by_weight(&x, &y);
}

/* The factors of single words: p to the power of how often it is there. */
static cairn_status show_words(const reasons *r, const cairn_bayes_part *part)
{
    cairn_context *ctx = cairn_report_context(r->out);
    size_t k = r->m->n_classes, n = 0;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    double *logs;
    weighed_word *words;
    /* The words of the row; scratch. */
    const cairn_column *column = r->job->view->features[part->features[0]];
    size_t row = cairn_view_row(r->job->view, r->row);
    size_t most =
        part->of_numbers ? part->n_features : column->starts[row + 1] - column->starts[row];
    CHECK(SCRATCH(ctx, &words, most + 1));
    for (size_t i = 0; i < most; i++) {
        size_t t = part->of_numbers ? 0 : column->starts[row] + i;
        double x = part->of_numbers  ? r->job->view->features[part->features[i]]->numbers[row]
                   : column->amounts ? column->amounts[t]
                                     : 1;
        if (!(x > 0) || isinf(x)) continue;
        words[n++] = (weighed_word){part->of_numbers ? i : (size_t)column->items[t], 0, x};
    }
    CHECK(SCRATCH(ctx, &logs, k));
    for (size_t i = 0; i < n; i++) {
        const double *w = part->logs + words[i].at * k;
        if (bits) words[i].amount = 1;
        words[i].weight = words[i].amount * difference(w[r->for_class], w[r->against]);
    }
    if (n) qsort(words, n, sizeof *words, by_size_of_weight);
    begin_table(r, "Words, those that matter most first", "word", "times");
    for (size_t i = 0; i < n && i < WORDS_EXPLAINED; i++) {
        const char *name = cairn_bayes_value_name(&text, part, r->job, words[i].at);
        for (size_t c = 0; c < k; c++)
            logs[c] = bits ? cairn_log(cairn_bayes_probability(r->m, part, words[i].at, c))
                           : words[i].amount * (part->logs[words[i].at * k + c]);
        cairn_report_cells(r->out, NULL, name, words[i].amount);
        factor_cells(r, logs, "word.", cairn_report_key(r->out, name));
    }
    cairn_report_table_end(r->out);
    if (n > WORDS_EXPLAINED)
        cairn_report_paragraph(r->out, "%zu more words are not shown.", n - WORDS_EXPLAINED);
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
    double unit = bayes_unit(r->job);
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
        if (c == best) cairn_report_row_mark(r->out);
        cairn_report_cells(r->out, "- product.$1 score.$1 posterior.$1", class_name(r, c),
                           cairn_exp(r->scores[c]), r->scores[c] * unit, r->posterior[c]);
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
    CHECK(SCRATCH_EACH(ctx, k, &r->scores, &r->posterior));
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
        if (is_bag(&r.m->parts[p]) && r.there[p] && !r.m->parts[p].idle)
            TRY(show_words(&r, &r.m->parts[p]));
    show_result(&r);
    draw_terms(&r);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

/* The work of naive Bayes as on a blackboard: count the classes, count the values per class, make
 * probabilities of the counts, and multiply for the first rows. */

enum { MOST_ROWS = 50, MOST_STEPS = 30, WORDS_WORKED = 200 };
/* Products are written out for so many rows, classes and columns. */
enum { WRITTEN_ROWS = 3, WRITTEN_CLASSES = 4, WRITTEN_PARTS = 10, WRITTEN_WORDS = 12 };

/* How the counts of the part become probabilities. */
static void show_formula(cairn_report *out, const cairn_bayes_model *m,
                         const cairn_bayes_part *part)
{
    cairn_smoothing s = cairn_bayes_smoothing(m, part);
    bool bit = part->density == CAIRN_BAYES_BERNOULLI ||
               (part->density == CAIRN_BAYES_MULTINOMIAL && m->terms == CAIRN_TERMS_DOCUMENTS);
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_addf(&text, "P(%s | class) = ", is_bag(part) ? "word" : "value");
    switch (s.kind) {
    case CAIRN_SMOOTH_NONE: cairn_text_add(&text, "n / N"); break;
    case CAIRN_SMOOTH_LAPLACE: cairn_text_addf(&text, "(n + 1) / (N + %s)", bit ? "2" : "k"); break;
    case CAIRN_SMOOTH_LAMBDA:
        cairn_text_add(&text, "(n + λ) / (N + ");
        cairn_text_addf(&text, "λ·%s),  λ = ", bit ? "2" : "k");
        cairn_text_add_number(&text, s.amount, 6);
        break;
    case CAIRN_SMOOTH_M:
        cairn_text_addf(&text, "(n + m·p) / (N + m),  p = %s,  m = ",
                        m->smooth_prior == CAIRN_SMOOTH_OVERALL ? "share in all classes"
                        : bit                                   ? "1/2"
                                                                : "1/k");
        cairn_text_add_number(&text, s.amount, 6);
        break;
    case CAIRN_SMOOTH_BITS: cairn_text_add(&text, "(n + 1) / (N + 2)"); break;
    }
    bool overall = s.kind == CAIRN_SMOOTH_M && m->smooth_prior == CAIRN_SMOOTH_OVERALL;
    if (!bit && !overall && s.kind != CAIRN_SMOOTH_NONE)
        cairn_text_addf(&text, ",  k = %zu", part->n_values);
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* ln of the (scaled) probabilities: what a word adds to the score of each class. */
static void show_weights(cairn_report *out, const cairn_bayes_model *m,
                         const cairn_bayes_part *part, const cairn_job *job)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    const char *key = cairn_report_key(out, cairn_bayes_part_name(part, job));
    size_t n = part->n_values < WORDS_WORKED ? part->n_values : WORDS_WORKED;
    cairn_report_table_of(out, "Log weights", 0, "l", "word");
    size_t shown = class_columns(out, m, job);
    for (size_t v = 0; v < n; v++) {
        const char *word = cairn_bayes_value_name(&text, part, job, v);
        cairn_report_cell(out, word);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, part->logs[v * m->n_classes + c] * bayes_unit(job), 0,
                                     "weight.%s.%s.%s", key, cairn_report_key(out, word),
                                     cairn_report_key(out, cairn_bayes_class(job->schema, c)));
    }
    cairn_report_table_end(out);
    cairn_text_clear(&text);
}

/* The table of counts, the formula, and the table of probabilities that it gives, in the order
 * in which it is done by hand. */
static void show_part(cairn_report *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                      const cairn_job *job)
{
    cairn_report_step_begin(out, "Column %s: %s", cairn_bayes_part_name(part, job),
                            cairn_bayes_density_names[part->density]);
    if (part->density == CAIRN_BAYES_MULTINOMIAL)
        cairn_report_paragraph(
            out, m->terms == CAIRN_TERMS_DOCUMENTS
                     ? "n is the number of rows of a class that have the word, N that "
                       "of all its rows."
                     : "All words of a class go into one bag: n is how often the word "
                       "is in it, N how many words are.");
    if (part->density == CAIRN_BAYES_BERNOULLI)
        cairn_report_paragraph(out, "n is the number of rows of a class that have the word, N that "
                                    "of all its rows.");
    show_values(out, m, part, job, false);
    show_formula(out, m, part);
    if (part->density == CAIRN_BAYES_HISTOGRAM)
        cairn_report_formula(out, "density = P(bin | class) / width of the bin");
    show_values(out, m, part, job, true);
    if (part->density == CAIRN_BAYES_MULTINOMIAL) {
        cairn_report_formula(out, "weight = ln(%sP(word | class))",
                             m->score_scale == 1 ? "" : "scale · ");
        show_weights(out, m, part, job);
    }
    if (is_bag(part)) {
        /* How the words of a row make a factor of its product. */
        if (part->density == CAIRN_BAYES_MULTINOMIAL)
            cairn_report_formula(out, "P(words of a row | class) = %sΠ %s^count",
                                 m->coefficient ? "n! / (x₁! x₂! …) · " : "",
                                 m->score_scale == 1 ? "P(word | class)"
                                                     : "(scale · P(word | class))");
        else
            cairn_report_formula(out,
                                 "P(words of a row | class) = Π P(word | class) of those that are "
                                 "there%s",
                                 m->absent == CAIRN_ABSENT_COUNT
                                     ? " · Π (1 − P(word | class)) of those that are not"
                                     : "; those that are not do not count");
    }
    cairn_report_step_end(out);
}

/* -- rows -- */

static void row_cells(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                      const double *numbers, const char *what, size_t row)
{
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = cairn_report_key(out, cairn_bayes_class(job->schema, c));
        if (c < BAYES_SHOWN)
            cairn_report_cell_number(out, numbers[c], 0, "row%zu.%s.%s", row + 1, what, key);
        else
            cairn_report_hidden(out, numbers[c], "row%zu.%s.%s", row + 1, what, key);
    }
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (x[c] > x[best]) best = c;
    return best;
}

static void begin_rows(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                       const char *title)
{
    cairn_report_table_of(out, title, 0, "r", "row");
    class_columns(out, m, job);
    cairn_report_columns(out, "ll", "answer", job->view->target_name);
}

/* The class that the row has. */
static const char *true_class(const cairn_job *job, size_t row)
{
    return cairn_bayes_class(job->schema, (size_t)job->view->target->codes[row]);
}

/* The logarithms of the products, in the base that is wanted. */
static void show_scores(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                        const cairn_view *view, const double *scores, double *buffer)
{
    size_t k = m->n_classes;
    begin_rows(out, m, job, "Scores");
    for (size_t i = 0; i < view->rows.n; i++) {
        const double *s = scores + i * k;
        size_t row = cairn_view_row(view, i);
        cairn_report_cellf(out, "%zu", row + 1);
        for (size_t c = 0; c < k; c++) {
            cairn_report_hidden(out, cairn_exp(s[c]), "row%zu.product.%s", row + 1,
                                cairn_report_key(out, cairn_bayes_class(job->schema, c)));
            buffer[c] = s[c] * bayes_unit(job);
        }
        row_cells(out, m, job, buffer, "score", row);
        cairn_report_cells(out, NULL, cairn_bayes_class(job->schema, largest(s, k)),
                           true_class(job, row));
    }
    cairn_report_table_end(out);
}

/* The same divided by their sum; spoils the scores. */
static void show_posteriors(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                            const cairn_view *view, double *scores)
{
    size_t k = m->n_classes;
    begin_rows(out, m, job, "Probabilities");
    for (size_t i = 0; i < view->rows.n; i++) {
        double *s = scores + i * k;
        size_t row = cairn_view_row(view, i);
        cairn_bayes_posterior(s, m);
        cairn_report_cellf(out, "%zu", row + 1);
        row_cells(out, m, job, s, "posterior", row);
        cairn_report_cell_word(out, cairn_bayes_class(job->schema, largest(s, k)), "row%zu.answer",
                               row + 1);
        cairn_report_cell(out, true_class(job, row));
    }
    cairn_report_table_end(out);
}

/* How often each word of a small bag is in the row. */
static void count_words(double *out, const cairn_bayes_part *part, const cairn_view *view,
                        size_t row)
{
    const cairn_column *column = view->features[part->features[0]];
    for (size_t v = 0; v < part->n_values; v++)
        out[v] = part->of_numbers ? view->features[part->features[v]]->numbers[row] : 0;
    if (part->of_numbers) return;
    for (size_t t = column->starts[row]; t < column->starts[row + 1]; t++)
        out[column->items[t]] = column->amounts ? column->amounts[t] : 1;
}

static bool is_written_out(const cairn_bayes_part *part)
{
    return is_bag(part) && part->n_values <= WRITTEN_WORDS;
}

/* " · 0.25 · 0.5^2": the words of a row, and those that are not there. */
static void add_words(cairn_text *text, const cairn_bayes_model *m, const cairn_bayes_part *part,
                      const cairn_view *view, size_t row, size_t c, double log_factor)
{
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    double amounts[WRITTEN_WORDS];
    count_words(amounts, part, view, row);
    if (m->coefficient && !bits) { /* what is left beside the words: their orders */
        for (size_t v = 0; v < part->n_values; v++)
            if (amounts[v] > 0) log_factor -= amounts[v] * part->logs[v * m->n_classes + c];
        cairn_text_add(text, " · ");
        cairn_text_add_number(text, cairn_exp(log_factor), 6);
    }
    for (size_t v = 0; v < part->n_values; v++) {
        double p = cairn_bayes_probability(m, part, v, c);
        bool there = amounts[v] > 0;
        if (!there && (!bits || m->absent == CAIRN_ABSENT_IGNORE)) continue;
        cairn_text_add(text, there ? " · " : " · (1 − ");
        cairn_text_add_number(text, bits ? p : p * m->score_scale, 6);
        if (!there) cairn_text_add_char(text, ')');
        if (!bits && amounts[v] != 1) {
            cairn_text_add_char(text, '^');
            cairn_text_add_number(text, amounts[v], 6);
        }
    }
}

/* "Row 1: outlook = sunny, wind = weak": what the factors below stand for. */
static void describe_row(cairn_context *ctx, cairn_report *out, const cairn_bayes_model *m,
                         const cairn_view *view, size_t row, const cairn_job *job)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text name = cairn_text_start(ctx);
    size_t n = 0;
    for (size_t p = 0; p < m->n_parts; p++) {
        const cairn_bayes_part *part = &m->parts[p];
        const cairn_column *column = view->features[part->features[0]];
        double amounts[WRITTEN_WORDS];
        if (part->idle || (is_bag(part) && !is_written_out(part))) continue;
        if (!is_bag(part)) {
            cairn_text_addf(&text, "%s%s = ", n++ ? ", " : "", cairn_bayes_part_name(part, job));
            if (cairn_column_is_missing(column, row))
                cairn_text_add(&text, "missing, no factor");
            else if (part->of_numbers)
                cairn_text_add_number(&text, column->numbers[row], 6);
            else
                cairn_text_add(&text, cairn_level_name(column, column->codes[row]));
            continue;
        }
        count_words(amounts, part, view, row);
        for (size_t v = 0; v < part->n_values; v++) {
            if (!(amounts[v] > 0)) continue;
            cairn_text_addf(&text, "%s%s", n++ ? ", " : "",
                            cairn_bayes_value_name(&name, part, job, v));
            if (amounts[v] == 1 || part->density == CAIRN_BAYES_BERNOULLI) continue;
            cairn_text_add(&text, " × ");
            cairn_text_add_number(&text, amounts[v], 6);
        }
    }
    if (n) cairn_report_paragraph(out, "Row %zu: %s.", row + 1, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&text);
    cairn_text_clear(&name);
}

/* "P(no | row 1) = 0.0274 / (0.0274 + 0.00705) = 0.795417" for the class with the largest. */
static void write_posterior(cairn_context *ctx, cairn_report *out, const cairn_bayes_model *m,
                            const double *scores, size_t row, const cairn_job *job)
{
    size_t k = m->n_classes, best = largest(scores, k);
    cairn_text text = cairn_text_start(ctx);
    double sum = 0;
    if (scores[best] > -INFINITY) {
        cairn_text_addf(&text, "P(%s | row %zu) = ", cairn_bayes_class(job->schema, best), row + 1);
        cairn_text_add_number(&text, cairn_exp(scores[best]), 6);
        for (size_t c = 0; c < k; c++) {
            cairn_text_add(&text, c ? " + " : " / (");
            cairn_text_add_number(&text, cairn_exp(scores[c]), 6);
            sum += cairn_exp(scores[c] - scores[best]);
        }
        cairn_text_add(&text, ") = ");
        cairn_text_add_number(&text, 1 / sum, 6);
        cairn_report_formula(out, "%s", cairn_text_string(&text));
    } else {
        cairn_report_paragraph(out,
                               "All products are 0: the shares of the classes are the answer.");
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* "row 1, no: 0.357143 · 0.6 · 0.4 = 0.0857143", prior first, columns in order. */
static cairn_status write_products(cairn_context *ctx, cairn_report *out,
                                   const cairn_bayes_model *m, const cairn_view *view, size_t i,
                                   const cairn_job *job, const double *scores)
{
    SCOPED_SCRATCH(ctx);
    size_t k = m->n_classes, row = cairn_view_row(view, i);
    double *factors;
    bool there[WRITTEN_PARTS];
    CHECK(SCRATCH(ctx, &factors, m->n_parts * k + 1));
    for (size_t p = 0; p < m->n_parts; p++)
        CHECK(cairn_bayes_factors(ctx, factors + p * k, &there[p], m, &m->parts[p], view, i));
    describe_row(ctx, out, m, view, row, job);
    for (size_t c = 0; c < k; c++) {
        cairn_text text = cairn_text_start(ctx);
        cairn_text_addf(&text, "row %zu, %s: ", row + 1, cairn_bayes_class(job->schema, c));
        cairn_text_add_number(&text, cairn_exp(m->log_prior[c]), 6);
        for (size_t p = 0; p < m->n_parts; p++) {
            if (!there[p]) continue;
            if (is_written_out(&m->parts[p])) {
                add_words(&text, m, &m->parts[p], view, row, c, factors[p * k + c]);
                continue;
            }
            cairn_text_add(&text, " · ");
            cairn_text_add_number(&text, cairn_exp(factors[p * k + c]), 6);
        }
        cairn_text_add(&text, " = ");
        cairn_text_add_number(&text, cairn_exp(scores[c]), 6);
        cairn_report_formula(out, "%s", cairn_text_string(&text));
        cairn_report_failed(out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    write_posterior(ctx, out, m, scores, row, job);
    return CAIRN_OK;
}

/* Products are written out only for a small model and rows whose product is a number that can be
 * read; else their logarithms must do. */
static cairn_status show_rows(cairn_context *ctx, cairn_report *out, const cairn_bayes_model *m,
                              const cairn_job *job)
{
    cairn_view view = *job->view;
    size_t k = m->n_classes;
    double *scores, *buffer;
    if (view.rows.n > MOST_ROWS) view.rows.n = MOST_ROWS;
    CHECK(SCRATCH_RAW(ctx, &scores, view.rows.n * k + 1));
    CHECK(SCRATCH_RAW(ctx, &buffer, k));
    CHECK(cairn_bayes_scores(ctx, scores, m, &view));
    cairn_report_step_begin(out, "Score the rows");
    cairn_report_formula(out, m->prior_kind == CAIRN_PRIOR_NONE
                                  ? "score(class) = Σ ln P(value | class)"
                                  : "score(class) = ln P(class) + Σ ln P(value | class)");
    bool few = k <= WRITTEN_CLASSES && m->n_parts <= WRITTEN_PARTS;
    for (size_t i = 0; few && i < view.rows.n && i < WRITTEN_ROWS; i++) {
        const double *row = scores + i * k;
        if (row[largest(row, k)] >= LEAST_LOG || isinf(row[largest(row, k)]))
            CHECK(write_products(ctx, out, m, &view, i, job, row));
    }
    show_scores(out, m, job, &view, scores, buffer);
    cairn_report_formula(out, "P(class | row) = exp(score) / Σ exp(scores)");
    show_posteriors(out, m, job, &view, scores);
    if (view.rows.n < job->view->rows.n)
        cairn_report_paragraph(out, "These are the first of %zu rows.", job->view->rows.n);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Kernels are scaled to variance 1, so that one bandwidth means the same for each; the formulas
 * show that scale. */
static void show_kernel_step(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    static const char *const shapes[] = {
        [CAIRN_DENSITY_NORMAL] = "K(u) = exp(−u²/2) / √(2π)",
        [CAIRN_DENSITY_EPANECHNIKOV] = "K(u) = 3 (1 − u²/5) / (4√5) where |u| < √5, else 0",
        [CAIRN_DENSITY_TRIANGULAR] = "K(u) = (1 − |u|/√6) / √6 where |u| < √6, else 0",
        [CAIRN_DENSITY_UNIFORM] = "K(u) = 1 / (2√3) where |u| ≤ √3, else 0"};
    cairn_report_step_begin(out, "Kernel densities of numbers");
    cairn_report_formula(out,
                         "P(x | class) = Σ K((x − xᵢ) / h) / (n h),  xᵢ the values of the class");
    cairn_report_formula(out, "%s", shapes[m->kernel]);
    cairn_report_formula(
        out, "h = %s",
        cairn_say(cairn_report_context(out), m->bandwidth > 0
                                                 ? "{bandwidth}"
                                                 : cairn_bandwidth_rules[m->bandwidth_rule].help));
    show_kernels(out, m, job);
    cairn_report_step_end(out);
}

void cairn_bayes_steps(cairn_context *ctx, const cairn_bayes_model *m, const cairn_job *job)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report *out = job->steps;
    const cairn_bayes_part *bits = NULL;
    size_t shown = 0;
    cairn_report_step_begin(out, "Count the classes");
    cairn_report_formula(out, "%s",
                         cairn_say(ctx, m->prior_kind == CAIRN_PRIOR_EMPIRICAL
                                            ? "P(class) = rows of the class / rows"
                                            : "P(class) as {prior} says"));
    show_classes(out, m, job);
    cairn_report_step_end(out);
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool bit = part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI;
        if (bit && !bits) bits = part;
        if (part->n_values && !bit && shown++ < MOST_STEPS) show_part(out, m, part, job);
    }
    if (bits) {
        cairn_report_step_begin(out, "Columns that are there (above 0) or not");
        cairn_report_paragraph(out, "n is the number of rows of a class in which the column is "
                                    "above 0, N that of all its rows that have a value.");
        show_formula(out, m, bits);
        show_bits(out, m, job);
        cairn_report_step_end(out);
    }
    if (m->n_normal) {
        cairn_report_step_begin(out, "Densities of numbers");
        cairn_report_formula(out,
                             "P(x | class) = exp(−(x − mean)² / (2 variance)) / √(2π variance)");
        cairn_report_formula(out, m->divisor == CAIRN_DIVISOR_N
                                      ? "variance = Σ (x − mean)² / n"
                                      : "variance = Σ (x − mean)² / (n − 1)");
        show_normals(out, m, job);
        cairn_report_step_end(out);
    }
    if (has_kernels(m)) show_kernel_step(out, m, job);
    cairn_report_failed(out, show_rows(ctx, out, m, job));
    cairn_scratch_release(ctx, mark);
}
