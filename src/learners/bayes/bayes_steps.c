/* SPDX-License-Identifier: MIT */
/* The work of naive Bayes as on a blackboard: count the classes, count the values per class, make
 * probabilities of the counts, and multiply for the first rows. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 50, MOST_STEPS = 30, MOST_WORDS = 200 };
/* Products are written out for so many rows, classes and columns. */
enum { WRITTEN_ROWS = 3, WRITTEN_CLASSES = 4, WRITTEN_PARTS = 10, WRITTEN_WORDS = 12 };
/* A product whose logarithm is below this is not written as a number. */
static const double LEAST_LOG = -600;

/* How the counts of the part become probabilities. */
static void show_formula(cairn_report *out, const cairn_bayes_model *m,
                         const cairn_bayes_part *part)
{
    cairn_smoothing s = cairn_bayes_smoothing(m, part);
    bool bit = part->density == CAIRN_BAYES_BERNOULLI ||
               (part->density == CAIRN_BAYES_MULTINOMIAL && m->terms == CAIRN_TERMS_DOCUMENTS);
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_addf(&text, "P(%s | class) = ", cairn_bayes_is_bag(part) ? "word" : "value");
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
    size_t n = part->n_values < MOST_WORDS ? part->n_values : MOST_WORDS;
    cairn_report_table_of(out, "Log weights", 0, "l", "word");
    size_t shown = cairn_bayes_class_columns(out, m, job);
    for (size_t v = 0; v < n; v++) {
        const char *word = cairn_bayes_value_name(&text, part, job, v);
        cairn_report_cell(out, word);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, part->logs[v * m->n_classes + c] * cairn_bayes_unit(job),
                                     0, "weight.%s.%s.%s", key, cairn_report_key(out, word),
                                     cairn_report_key(out, cairn_bayes_class(job->schema, c)));
    }
    cairn_report_table_end(out);
    cairn_text_clear(&text);
}

/* How the words of a row make a factor of its product. */
static void show_likelihood(cairn_report *out, const cairn_bayes_model *m,
                            const cairn_bayes_part *part)
{
    if (part->density == CAIRN_BAYES_MULTINOMIAL)
        cairn_report_formula(out, "P(words of a row | class) = %sΠ %s^count",
                             m->coefficient ? "n! / (x₁! x₂! …) · " : "",
                             m->score_scale == 1 ? "P(word | class)" : "(scale · P(word | class))");
    else
        cairn_report_formula(out,
                             "P(words of a row | class) = Π P(word | class) of those that are "
                             "there%s",
                             m->absent == CAIRN_ABSENT_COUNT
                                 ? " · Π (1 − P(word | class)) of those that are not"
                                 : "; those that are not do not count");
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
    cairn_bayes_show_values(out, m, part, job, false);
    show_formula(out, m, part);
    if (part->density == CAIRN_BAYES_HISTOGRAM)
        cairn_report_formula(out, "density = P(bin | class) / width of the bin");
    cairn_bayes_show_values(out, m, part, job, true);
    if (part->density == CAIRN_BAYES_MULTINOMIAL) {
        cairn_report_formula(out, "weight = ln(%sP(word | class))",
                             m->score_scale == 1 ? "" : "scale · ");
        show_weights(out, m, part, job);
    }
    if (cairn_bayes_is_bag(part)) show_likelihood(out, m, part);
    cairn_report_step_end(out);
}

/* -- rows -- */

static void row_cells(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                      const double *numbers, const char *what, size_t row)
{
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = cairn_report_key(out, cairn_bayes_class(job->schema, c));
        if (c < CAIRN_BAYES_SHOWN)
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
    cairn_bayes_class_columns(out, m, job);
    cairn_report_columns(out, "ll", "answer", job->view->target_name);
}

/* The class that the row has. */
static const char *true_class(const cairn_job *job, size_t row)
{
    return cairn_bayes_class(job->schema, (size_t)job->view->target->codes[row]);
}

/* The logarithms of the products, in the base that is wanted. */
static void show_scores(cairn_report *out, const cairn_bayes_model *m, const cairn_job *job,
                        const cairn_view *view, const double *scores, double *room)
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
            room[c] = s[c] * cairn_bayes_unit(job);
        }
        row_cells(out, m, job, room, "score", row);
        cairn_report_cell(out, cairn_bayes_class(job->schema, largest(s, k)));
        cairn_report_cell(out, true_class(job, row));
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
    return cairn_bayes_is_bag(part) && part->n_values <= WRITTEN_WORDS;
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
        if (part->idle || (cairn_bayes_is_bag(part) && !is_written_out(part))) continue;
        if (!cairn_bayes_is_bag(part)) {
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
    double *scores, *room;
    if (view.rows.n > MOST_ROWS) view.rows.n = MOST_ROWS;
    CHECK(SCRATCH_RAW(ctx, &scores, view.rows.n * k + 1));
    CHECK(SCRATCH_RAW(ctx, &room, k));
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
    show_scores(out, m, job, &view, scores, room);
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
    cairn_bayes_show_kernels(out, m, job);
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
    cairn_bayes_show_classes(out, m, job);
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
        cairn_bayes_show_bits(out, m, job);
        cairn_report_step_end(out);
    }
    if (m->n_normal) {
        cairn_report_step_begin(out, "Densities of numbers");
        cairn_report_formula(out,
                             "P(x | class) = exp(−(x − mean)² / (2 variance)) / √(2π variance)");
        cairn_report_formula(out, m->divisor == CAIRN_DIVISOR_N
                                      ? "variance = Σ (x − mean)² / n"
                                      : "variance = Σ (x − mean)² / (n − 1)");
        cairn_bayes_show_normals(out, m, job);
        cairn_report_step_end(out);
    }
    if (cairn_bayes_has_kernels(m)) show_kernel_step(out, m, job);
    cairn_report_failed(out, show_rows(ctx, out, m, job));
    cairn_scratch_release(ctx, mark);
}
