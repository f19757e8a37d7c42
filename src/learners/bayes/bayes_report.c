/* SPDX-License-Identifier: MIT */
/* What a naive Bayes model says about itself: priors, probabilities of values, means and variances,
 * the words that speak most for each class, and the curves of the densities. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

bool cairn_bayes_is_bag(const cairn_bayes_part *part)
{
    return part->density == CAIRN_BAYES_MULTINOMIAL ||
           (part->density == CAIRN_BAYES_BERNOULLI && !part->of_numbers);
}

double cairn_bayes_unit(const cairn_job *job)
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

static void add_interval(cairn_text *text, const cairn_bayes_part *part, size_t bin)
{
    bool first = bin == 0, last = bin + 1 == part->n_values;
    cairn_text_add_char(text, !part->closed_right || first ? '[' : '(');
    cairn_text_add_number(text, part->places[bin], 6);
    cairn_text_add(text, ", ");
    cairn_text_add_number(text, part->places[bin + 1], 6);
    cairn_text_add_char(text, part->closed_right || last ? ']' : ')');
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
    else
        add_interval(text, part, value);
    return cairn_text_string(text);
}

size_t cairn_bayes_class_columns(cairn_report *out, const cairn_bayes_model *m,
                                 const cairn_job *job)
{
    size_t n = m->n_classes < CAIRN_BAYES_SHOWN ? m->n_classes : CAIRN_BAYES_SHOWN;
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
        if (c < CAIRN_BAYES_SHOWN)
            cairn_report_cell_number(out, numbers[c], 0, "%s.%s.%s.%s", what, part, value, key);
        else
            cairn_report_hidden(out, numbers[c], "%s.%s.%s.%s", what, part, value, key);
    }
}

void cairn_bayes_show_classes(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    cairn_report_table_of(out, "Classes", 200, "lrrr", "class", "rows", "prior", "ln prior");
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *name = cairn_bayes_class(job->schema, c);
        const char *key = cairn_report_key(out, name);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, m->classes[c], 0, "rows.%s", key);
        cairn_report_cell_number(out, cairn_exp(m->log_prior[c]), 0, "prior.%s", key);
        cairn_report_cell_number(out, m->log_prior[c], 0, "log_prior.%s", key);
    }
    cairn_report_table_end(out);
}

void cairn_bayes_show_values(cairn_report *out, const cairn_bayes_model *m,
                             const cairn_bayes_part *part, const cairn_job *job, bool probabilities)
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
    if (cairn_bayes_is_bag(part) && n > MOST_WORDS) n = MOST_WORDS;
    cairn_report_table_of(out, cairn_text_string(&title), 0, "l", name);
    cairn_bayes_class_columns(out, m, job);
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
        for (size_t c = 0; c < k && c < CAIRN_BAYES_SHOWN; c++)
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

void cairn_bayes_show_normals(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
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
            cairn_report_cell(out, name);
            cairn_report_cell(out, class);
            cairn_report_cell_number(out, part->totals[c], 0, NULL);
            cairn_report_cell_number(out, part->totals[c] > 0 ? part->means[c] : part->pooled_mean,
                                     0, "mean.%s.%s", key, of);
            cairn_report_cell_number(out, variance, 0, "variance.%s.%s", key, of);
            cairn_report_cell_number(out, sqrt(variance), 0, "sd.%s.%s", key, of);
        }
    }
    cairn_report_table_end(out);
    say_more(out, limit, n);
}

void cairn_bayes_show_bits(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_parts; i++)
        n += m->parts[i].of_numbers && m->parts[i].density == CAIRN_BAYES_BERNOULLI;
    if (!n) return;
    size_t limit = n <= MOST_NORMAL_ROWS ? n : FEW_ROWS;
    cairn_report_table_of(out, "P(column > 0 | class)", limit, "l", "column");
    size_t shown = cairn_bayes_class_columns(out, m, job);
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

bool cairn_bayes_has_kernels(const cairn_bayes_model *m)
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

void cairn_bayes_show_kernels(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
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
            cairn_report_cell(out, name);
            cairn_report_cell(out, class);
            cairn_report_cell_number(out, part->kept_of[c], 0, NULL);
            cairn_report_cell_number(out, part->kept_of[c] > 0 ? part->rates[c] : NAN, 0,
                                     "bandwidth.%s.%s", key, cairn_report_key(out, class));
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

typedef struct word {
    size_t at;
    double weight;
} word;

static int by_weight(const void *a, const void *b)
{
    const word *x = a, *y = b;
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
                       const word *words, size_t n, const char *class)
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
    cairn_report_cell(out, class);
    cairn_report_cell(out, cairn_text_string(&list));
    cairn_report_failed(out, cairn_text_status(&list));
    cairn_text_clear(&list);
    cairn_text_clear(&text);
}

/* A word speaks for a class by its chance there against the chance in all others, not by its
 * frequency: common words say nothing. */
static cairn_status show_top(cairn_report *out, const cairn_bayes_model *m,
                             const cairn_bayes_part *part, const cairn_job *job)
{
    const cairn_bayes_params *params = job->params;
    cairn_context *ctx = cairn_report_context(out);
    size_t k = m->n_classes, n = part->n_values, top = (size_t)params->top;
    double *p;
    word *words;
    if (!top || !n) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p, cairn_product(n, k)));
    CHECK(SCRATCH_RAW(ctx, &words, n));
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < k; c++) p[v * k + c] = cairn_bayes_probability(m, part, v, c);
    cairn_report_table_of(out, "Words that speak most for a class", 200, "ll", "class",
                          "words, and ln P(word | class) − ln P(word | others)");
    for (size_t c = 0; c < k; c++) {
        for (size_t v = 0; v < n; v++) words[v] = (word){v, word_weight(p + v * k, k, c)};
        qsort(words, n, sizeof *words, by_weight);
        name_words(out, part, job, words, n < top ? n : top, cairn_bayes_class(job->schema, c));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
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

/* Columns that are constant within a class, class by class; of a class with one row all are. */
static void list_raised(cairn_text *text, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t n = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *class = cairn_bayes_class(job->schema, c), *before = n ? ", " : "";
        bool alone = m->classes[c] == 1;
        for (size_t i = 0; i < m->n_parts; i++, before = n ? ", " : "") {
            if (!cairn_bayes_is_raised(m, &m->parts[i], c)) continue;
            if (n++ >= MOST_RAISED) continue;
            if (alone)
                cairn_text_addf(text, "%sall of '%s', which has one row", before, class);
            else
                cairn_text_addf(text, "%s'%s' within '%s'", before,
                                cairn_bayes_part_name(&m->parts[i], job), class);
            if (alone) break;
        }
    }
    if (n > MOST_RAISED) cairn_text_addf(text, " and %zu more", n - MOST_RAISED);
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
        list_raised(&list, m, job);
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

/* As far as any class has noticeable density, so that one axis shows the curves of all classes. */
static void curve_range(double *low, double *high, const cairn_bayes_model *m,
                        const cairn_bayes_part *part)
{
    *low = INFINITY;
    *high = -INFINITY;
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
        *low = fmin(*low, from - reach);
        *high = fmax(*high, to + reach);
    }
}

/* Points of the curve of a smooth density. */
static cairn_status smooth_curve(cairn_context *ctx, double **x, double **densities,
                                 const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    size_t k = m->n_classes;
    double low, high;
    curve_range(&low, &high, m, part);
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

static void say_densities(cairn_report *out, const cairn_bayes_model *m)
{
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
}

/* Tables and figures are limited in number because a table of a thousand columns would make a
 * thousand of each. */
static cairn_status show_parts(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job)
{
    size_t tables = 0, figures = 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool bit = part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI;
        if (!part->n_values || bit || tables++ >= MOST_TABLES) continue;
        if (!cairn_bayes_is_bag(part) || part->n_values <= MOST_WORDS)
            cairn_bayes_show_values(out, m, part, job, true);
        if (cairn_bayes_is_bag(part)) CHECK(show_top(out, m, part, job));
    }
    if (tables > MOST_TABLES)
        cairn_report_paragraph(out, "The tables of %d of %zu columns are shown.", MOST_TABLES,
                               tables);
    cairn_bayes_show_bits(out, m, job);
    cairn_bayes_show_normals(out, m, job);
    if (cairn_bayes_has_kernels(m)) cairn_bayes_show_kernels(out, m, job);
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
    say_densities(out, m);
    cairn_bayes_show_classes(out, m, job);
    cairn_report_failed(out, show_parts(out, m, job));
    note_zeros(out, m);
    note_constants(out, m, job);
    cairn_scratch_release(ctx, mark);
}
