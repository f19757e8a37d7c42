/* SPDX-License-Identifier: MIT */
/* cairn compute naive-bayes: likelihoods, ratios and odds of bit or count vectors when the
 * probabilities of the words are known and nothing is learned.
 *
 *     bernoulli      P(x | c) = Π p^x (1 − p)^(1 − x)
 *     multinomial    P(x | c) = n! / Π x! · Π p^x,   n = Σ x
 *
 * With two classes the odds are of the first against the second. Ties go to the first class. */
#include "typed/labels.h"
#include "entry/split.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/probabilities.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { MODEL_BERNOULLI, MODEL_MULTINOMIAL } model_choice;
typedef enum { ABSENT_COUNT, ABSENT_IGNORE } absent_choice;

typedef struct naive_params {
    int model;
    const char *classes, *words;
    cairn_list theta, x, prior, table_odds;
    int absent;
    bool coefficient;
} naive_params;

static const cairn_choice models[] = {
    {"bernoulli", MODEL_BERNOULLI, "x says which words are there: 0 or 1"},
    {"multinomial", MODEL_MULTINOMIAL, "x says how often each word is there"},
    {0},
};

static const cairn_choice absents[] = {
    {"count", ABSENT_COUNT, "a word that is not there counts with 1 - p"},
    {"ignore", ABSENT_IGNORE, "only words that are there count"},
    {0},
};

static const cairn_param naive_table[] = {
    CAIRN_PARAM_CHOICE(naive_params, model, "bernoulli", models, "how words come about"),
    CAIRN_PARAM_CELLS(
        naive_params, theta, MATRIX, NULL, NULL,
        "probabilities of the words, one row per class, such as 0.4,0.21;0.12,0.13; from "
        "the number columns of DATA, one row per class, if not given"),
    CAIRN_PARAM(naive_params, classes, NULL, NULL,
                "names of the classes; from the target or the last level column of DATA if not "
                "given"),
    CAIRN_PARAM(naive_params, words, NULL, NULL, "names of the words"),
    CAIRN_PARAM_CELLS(naive_params, x, COUNTS, NULL, NULL,
                      "the vectors to judge, one row each, such as 0,1;1,1", .required = true),
    CAIRN_PARAM_CELLS(
        naive_params, prior, PROBABILITIES, NULL, NULL,
        "prior of each class, such as 0.4,0.6, which add up to 1; all alike if not given"),
    CAIRN_PARAM_CHOICE(naive_params, absent, "count", absents, "what words that are not there do",
                       .when = "model=bernoulli"),
    CAIRN_PARAM(naive_params, coefficient, "yes", NULL,
                "count the orders of the words, n! / (x! y! ...)", .when = "model=multinomial"),
    CAIRN_PARAM_CELLS(naive_params, table_odds, NUMBERS, NULL, NULL,
                      "two classes: the odds of each vector from a full table of probabilities, to "
                      "compare decisions with"),
    CAIRN_PARAM_END,
};

typedef struct naive_work {
    const naive_params *p;
    size_t n_classes, n_words, n_rows;
    const double *theta; /* n_classes x n_words */
    const double *x;     /* n_rows x n_words */
    double *prior;       /* n_classes, sums to 1 */
    const double *odds;  /* n_rows; NULL = not given */
    double *logs;        /* n_rows x n_classes: ln of the likelihoods */
    const char **classes, **words;
} naive_work;

/* -- reading -- */

/* The column that names the classes: the target, else the last of levels. */
static ptrdiff_t class_column(const cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    for (size_t i = 0; at < 0 && i < table->n_columns; i++)
        if (table->slots[table->n_columns - 1 - i].column->kind == CAIRN_LEVEL)
            at = (ptrdiff_t)(table->n_columns - 1 - i);
    return at;
}

/* A row per class: the column of levels names it, number columns hold the probabilities of the
 * words. */
static cairn_status read_table(cairn_context *ctx, naive_work *w, const cairn_table *table)
{
    ptrdiff_t of = class_column(table);
    size_t at = 0;
    double *theta;
    w->n_classes = table->n_rows;
    for (size_t i = 0; i < table->n_columns; i++)
        w->n_words += table->slots[i].role == CAIRN_FEATURE && cairn_table_numbers(table, i);
    if (of < 0 || table->slots[of].column->kind != CAIRN_LEVEL || !w->n_words)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the data needs a column with the names of the classes and number columns "
            "with the probabilities of the words");
    CHECK(SCRATCH(ctx, &theta, cairn_product(w->n_classes, w->n_words)));
    CHECK(SCRATCH(ctx, &w->classes, w->n_classes));
    CHECK(SCRATCH(ctx, &w->words, w->n_words));
    for (size_t c = 0; c < w->n_classes; c++)
        w->classes[c] =
            cairn_level_name(table->slots[of].column, table->slots[of].column->codes[c]);
    for (size_t i = 0; i < table->n_columns; i++) {
        const double *numbers = cairn_table_numbers(table, i);
        if (table->slots[i].role != CAIRN_FEATURE || !numbers) continue;
        w->words[at] = table->slots[i].name;
        for (size_t c = 0; c < w->n_classes; c++) theta[c * w->n_words + at] = numbers[c];
        at++;
    }
    w->theta = theta;
    return CAIRN_OK;
}

/* Bernoulli probabilities need not add up to anything; multinomial ones should, and are used as
 * given with a warning. */
static cairn_status check_theta(cairn_context *ctx, const naive_work *w)
{
    for (size_t c = 0; c < w->n_classes; c++) {
        double sum = 0;
        for (size_t j = 0; j < w->n_words; j++) {
            double p = w->theta[c * w->n_words + j];
            if (!(p >= 0 && p <= 1)) {
                char number[CAIRN_NUMBER_SIZE];
                cairn_number_format(number, p, CAIRN_SHORTEST);
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{theta}: the probability of %s in %s is %s, but probabilities "
                                  "lie between 0 and 1",
                                  w->words[j], w->classes[c], number);
            }
            sum += p;
        }
        if (w->p->model == MODEL_MULTINOMIAL && fabs(sum - 1) > 1e-6) {
            char number[CAIRN_NUMBER_SIZE];
            cairn_number_format(number, sum, 6);
            cairn_warn(ctx, "the probabilities of %s sum to %s and not to 1", w->classes[c],
                       number);
        }
    }
    return CAIRN_OK;
}

/* Probabilities are typed or in a table; vectors, prior and the odds to compare with are always
 * typed. */
static cairn_status read_work(cairn_context *ctx, naive_work *w, const cairn_table *table)
{
    const naive_params *p = w->p;
    w->n_rows = p->x.rows;
    w->x = p->x.values;
    if (p->theta.text) {
        w->theta = p->theta.values;
        w->n_classes = p->theta.rows;
        w->n_words = p->theta.columns;
        CHECK(cairn_read_names(ctx, &w->classes, p->classes, w->n_classes, "classes", "class"));
        CHECK(cairn_read_names(ctx, &w->words, p->words, w->n_words, "words", "w"));
    } else if (table) {
        CHECK(read_table(ctx, w, table));
        if (p->classes)
            CHECK(cairn_read_names(ctx, &w->classes, p->classes, w->n_classes, "classes", ""));
        if (p->words) CHECK(cairn_read_names(ctx, &w->words, p->words, w->n_words, "words", ""));
    } else {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the probabilities of the words, {theta 0.4,0.21;0.12,0.13}, or a "
                          "table that holds them");
    }
    if (p->x.columns != w->n_words)
        return cairn_fail(ctx, CAIRN_USAGE, "{x} has %zu numbers in a row for %zu words",
                          p->x.columns, w->n_words);
    CHECK(check_theta(ctx, w));
    bool bits = w->p->model == MODEL_BERNOULLI;
    for (size_t i = 0; i < w->n_rows * w->n_words; i++)
        if (bits && w->x[i] != 0 && w->x[i] != 1)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{x}: bits are 0 or 1; {model multinomial} takes counts");
    CHECK(cairn_list_or(ctx, &w->prior, &p->prior, "prior", w->n_classes, "classes",
                        1 / (double)w->n_classes));
    w->odds = p->table_odds.values;
    if (w->odds && (p->table_odds.n != w->n_rows || w->n_classes != 2))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table-odds}: one number for each of the %zu vectors, and two classes",
                          w->n_rows);
    return CAIRN_OK;
}

/* -- computing -- */

static double log_factorial(double x)
{
    return cairn_lgamma(x + 1);
}

static double factor(const naive_work *w, size_t c, size_t j, double x)
{
    double p = w->theta[c * w->n_words + j];
    if (w->p->model == MODEL_MULTINOMIAL) return x > 0 ? cairn_pow(p, x) : 1;
    return x > 0 ? p : w->p->absent == ABSENT_COUNT ? 1 - p : 1;
}

/* In logarithms, so that long vectors do not underflow before they are compared. */
static double log_likelihood(const naive_work *w, size_t c, const double *x)
{
    double sum = 0, n = 0, orders = 0;
    bool drawn = w->p->model == MODEL_MULTINOMIAL;
    for (size_t j = 0; j < w->n_words; j++) {
        double p = w->theta[c * w->n_words + j];
        sum += drawn ? (x[j] > 0 ? x[j] * cairn_log(p) : 0) : cairn_log(factor(w, c, j, x[j]));
        n += x[j];
        orders += log_factorial(x[j]);
    }
    return drawn && w->p->coefficient ? sum + log_factorial(n) - orders : sum;
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (x[c] > x[best]) best = c;
    return best;
}

/* -- showing -- */

static double quotient(double a, double b)
{
    return a == 0 && b == 0 ? NAN : a / b;
}

/* Probabilities of the words and, for two classes, what they say when there and when not. */
static void show_theta(cairn_report *out, const naive_work *w)
{
    bool two = w->n_classes == 2, bits = w->p->model == MODEL_BERNOULLI;
    cairn_report_table_of(out, "Probabilities of the words", 0, "l", "word");
    for (size_t c = 0; c < w->n_classes; c++) cairn_report_column(out, w->classes[c], 'r');
    if (two) cairn_report_column(out, "ratio when there", 'r');
    if (two && bits) cairn_report_column(out, "when not", 'r');
    for (size_t j = 0; j < w->n_words; j++) {
        const double *theta = w->theta + j;
        const char *key = cairn_report_key(out, w->words[j]);
        cairn_report_cell(out, w->words[j]);
        for (size_t c = 0; c < w->n_classes; c++)
            cairn_report_cell_number(out, theta[c * w->n_words], 0, "p.%s.%s", key,
                                     cairn_report_key(out, w->classes[c]));
        if (two)
            cairn_report_cell_number(out, quotient(theta[0], theta[w->n_words]), 0,
                                     "present.ratio.%s", key);
        if (two && bits)
            cairn_report_cell_number(out, quotient(1 - theta[0], 1 - theta[w->n_words]), 0,
                                     "absent.ratio.%s", key);
    }
}

/* The product of each class, factor by factor. */
static void show_products(cairn_report *out, const naive_work *w, size_t i)
{
    const double *x = w->x + i * w->n_words;
    cairn_report_step_begin(out, "Vector %zu", i + 1);
    for (size_t c = 0; c < w->n_classes; c++) {
        cairn_text text = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&text, "P(x | %s) = ", w->classes[c]);
        if (w->p->model == MODEL_MULTINOMIAL && w->p->coefficient) {
            double n = 0, orders = 0;
            for (size_t j = 0; j < w->n_words; j++) n += x[j], orders += log_factorial(x[j]);
            cairn_text_add_number(&text, round(cairn_exp(log_factorial(n) - orders)), 6);
            cairn_text_add(&text, " · ");
        }
        for (size_t j = 0; j < w->n_words; j++) {
            if (j) cairn_text_add(&text, " · ");
            cairn_text_add_number(&text, factor(w, c, j, x[j]), 6);
        }
        cairn_text_add(&text, " = ");
        cairn_text_add_number(&text, cairn_exp(log_likelihood(w, c, x)), 6);
        cairn_report_formula(out, "%s", cairn_text_string(&text));
        cairn_report_failed(out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    if (w->n_classes == 2) {
        /* Two classes: the likelihood ratio (Bayes factor) turns prior odds into posterior odds. */
        double first = cairn_exp(log_likelihood(w, 0, x)),
               second = cairn_exp(log_likelihood(w, 1, x));
        double factor_here = first / second, prior = w->prior[0] / w->prior[1];
        double odds = factor_here * prior;
        if (isfinite(odds)) {
            cairn_report_worked(out, "Bayes factor", "# / # = #", first, second, factor_here);
            cairn_report_worked(out, "prior odds", "# / # = #", w->prior[0], w->prior[1], prior);
            cairn_report_worked(out, "posterior odds", "Bayes factor · prior odds = # · # = #",
                                factor_here, prior, odds);
            cairn_report_worked(out, "posterior of the first",
                                "odds / (1 + odds) = # / (1 + #) = #", odds, odds,
                                odds / (1 + odds));
        }
    }
    cairn_report_step_end(out);
}

static void begin_rows(cairn_report *out, const naive_work *w, const char *title,
                       const char *format)
{
    cairn_report_table_of(out, title, 200, "l", "vector");
    for (size_t c = 0; c < w->n_classes; c++) {
        char head[100];
        snprintf(head, sizeof head, *format == 'l' ? "P(x | %.60s)" : "P(%.60s | x)",
                 w->classes[c]);
        cairn_report_column(out, head, 'r');
    }
}

static void vector_cell(cairn_report *out, const naive_work *w, size_t i)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t j = 0; j < w->n_words; j++) {
        if (j) cairn_text_add(&text, ", ");
        cairn_text_add_number(&text, w->x[i * w->n_words + j], 6);
    }
    cairn_report_cell(out, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* The first largest; "none" when nothing is possible. */
static const char *winner(const naive_work *w, const double *logs)
{
    size_t best = largest(logs, w->n_classes);
    return logs[best] > -INFINITY ? w->classes[best] : "none";
}

/* Probabilities and decisions; returns how often they are those of the full table. */
static size_t show_decisions(cairn_report *out, const naive_work *w, double *joint)
{
    size_t k = w->n_classes, n_agree = 0;
    begin_rows(out, w, "Decisions", "posterior");
    cairn_report_columns(out, "ll", "most likely", "most probable");
    if (w->odds) cairn_report_column(out, "as the full table", 'l');
    for (size_t i = 0; i < w->n_rows; i++) {
        const double *logs = w->logs + i * k;
        double sum = 0;
        for (size_t c = 0; c < k; c++) joint[c] = logs[c] + cairn_log(w->prior[c]);
        double most = joint[largest(joint, k)];
        for (size_t c = 0; c < k; c++) sum += cairn_exp(joint[c] - most);
        vector_cell(out, w, i);
        for (size_t c = 0; c < k; c++)
            cairn_report_cell_number(out, cairn_exp(joint[c] - most) / sum, 0, "posterior.%zu.%s",
                                     i + 1, cairn_report_key(out, w->classes[c]));
        cairn_report_cell_word(out, winner(w, logs), "ml.%zu", i + 1);
        cairn_report_cell_word(out, winner(w, joint), "map.%zu", i + 1);
        bool agrees = w->odds && (w->odds[i] >= 1) == (largest(logs, k) == 0);
        if (w->odds) cairn_report_cell_word(out, agrees ? "yes" : "no", "agrees.%zu", i + 1);
        n_agree += agrees;
    }
    return n_agree;
}

/* With odds from the full table it is counted how often independence decides the same. */
static cairn_status naive_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    naive_work w = {.p = job->params};
    double *joint;
    CHECK(read_work(ctx, &w, job->table));
    CHECK(SCRATCH(ctx, &w.logs, cairn_product(w.n_rows, w.n_classes)));
    CHECK(SCRATCH(ctx, &joint, w.n_classes));
    cairn_report_heading(out, 1, "Naive Bayes with given probabilities");
    cairn_report_formula(out, w.p->model == MODEL_BERNOULLI
                                  ? "P(x | class) = Π p if the word is there, 1 − p if it is not"
                                  : "P(x | class) = n! / Π x! · Π p^x");
    if (w.n_classes == 2) {
        cairn_report_formula(out, "posterior odds = prior odds · Π ratios of the words");
        cairn_report_value(out, "prior odds", w.prior[0] / w.prior[1], "prior_odds");
    }
    show_theta(out, &w);
    for (size_t i = 0; job->steps && i < w.n_rows && i < 50; i++) show_products(out, &w, i);
    for (size_t i = 0; i < w.n_rows; i++)
        for (size_t c = 0; c < w.n_classes; c++)
            w.logs[i * w.n_classes + c] = log_likelihood(&w, c, w.x + i * w.n_words);
    /* Likelihoods of all vectors and, for two classes, their ratios and odds. */
    begin_rows(out, &w, "Likelihoods", "likelihood");
    if (w.n_classes == 2) {
        cairn_report_columns(out, "rr", "ratio", "posterior odds");
    }
    for (size_t i = 0; i < w.n_rows; i++) {
        const double *logs = w.logs + i * w.n_classes;
        vector_cell(out, &w, i);
        for (size_t c = 0; c < w.n_classes; c++)
            cairn_report_cell_number(out, cairn_exp(logs[c]), 0, "likelihood.%zu.%s", i + 1,
                                     cairn_report_key(out, w.classes[c]));
        if (w.n_classes != 2) continue;
        double ratio = cairn_exp(logs[0] - logs[1]);
        cairn_report_cell_number(out, ratio, 0, "ratio.%zu", i + 1);
        cairn_report_cell_number(out, ratio * w.prior[0] / w.prior[1], 0, "odds.%zu", i + 1);
    }
    size_t n_agree = show_decisions(out, &w, joint);
    if (w.odds)
        cairn_report_paragraph(out,
                               "For %zu of %zu vectors the ratios decide as the full table does. "
                               "Where they do not, the words depend on each other within a class.",
                               n_agree, w.n_rows);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_naive_bayes = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "naive-bayes",
              .also = "Bayes rule, posterior, prior, likelihood, MAP, maximum a posteriori, "
                      "Bayes theorem",
              .title = "Naive Bayes with given probabilities",
              .summary =
                  "Likelihoods of bit vectors (Bernoulli) or count vectors (multinomial) from the "
                  "probabilities of the words in each class, which are typed or stand in a table; "
                  "the ratio of every word, combined ratios, prior and posterior odds, the most "
                  "likely and the most probable class, and agreement with the odds of a full "
                  "table. The learner bayes finds the probabilities from data.",
              .references = "Flach: Machine Learning, chapters 1 and 9",
              .example =
                  "cairn compute naive-bayes --theta '0.4,0.21;0.12,0.13' --classes spam,ham "
                  "--words viagra,lottery --x '0,0;0,1;1,0;1,1' --steps",
              .params = naive_table,
              .params_size = sizeof(naive_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = naive_run,
};
