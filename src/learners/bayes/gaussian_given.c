/* SPDX-License-Identifier: MIT */
/* Classes with normal densities that somebody typed:
 *
 *     no:  mean 1, 2   deviations 1, 0.5      prior 0.6
 *     yes: mean 3, 4   covariance 2, 1; 1, 3  prior 0.4
 *
 * A line without a class, "covariance ..." or "deviations ...", is that of all of them. What is not
 * said: priors are the shares of the rows, and variances are 1. */
#include "learners/bayes/gaussian.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/schema.h"
#include "data/view.h"
#include "model/given.h"
#include <math.h>
#include <string.h>

enum { MOST_GIVEN = 1000 }; /* columns */

/* What one class, or all of them together, have been given. */
typedef struct typed_class {
    double *mean, *covariance, *deviations; /* scratch; NULL = not given */
    double prior;                           /* 0 = not given */
} typed_class;

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    const cairn_job *job;
    const cairn_word *word;
    typed_class *classes, all;
    size_t k, p;
    int32_t *codes; /* the class of every row */
} reader;

static bool is_separator(const cairn_word *word)
{
    static const char *const signs[] = {",", ";", "[", "]", "(", ")", "=", ":"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (word->kind == CAIRN_WORD_SIGN && cairn_word_is(word, signs[i])) return true;
    return false;
}

/* As many numbers as there are up to the next keyword or the end of the line. */
static cairn_status read_numbers(reader *r, double **out, size_t wanted, const char *what)
{
    size_t n = 0, at = r->word->at;
    double number;
    CHECK(SCRATCH(r->ctx, out, wanted + 1));
    for (;; r->word++) {
        if (is_separator(r->word)) continue;
        if (r->word->kind != CAIRN_WORD_NAME || !cairn_fraction_parse(r->word->text, &number))
            break;
        if (!isfinite(number))
            return cairn_given_fail(r->ctx, r->given, r->word->at, "'%s' is no finite number",
                                    r->word->text);
        if (n < wanted) (*out)[n] = number;
        n++;
    }
    if (n == wanted) return CAIRN_OK;
    return cairn_given_fail(r->ctx, r->given, at,
                            "%zu number%s wanted as %s, in the order of the columns (%s%s), and "
                            "there %s %zu",
                            wanted, wanted == 1 ? " is" : "s are", what,
                            r->p ? r->job->view->names[0] : "", r->p > 1 ? ", ..." : "",
                            n == 1 ? "is" : "are", n);
}

static cairn_status read_covariance(reader *r, typed_class *to)
{
    size_t p = r->p, at = r->word->at;
    CHECK(read_numbers(r, &to->covariance, p * p, "a covariance, row by row,"));
    for (size_t i = 0; i < p * p; i++)
        if (to->covariance[i] != to->covariance[i % p * p + i / p])
            return cairn_given_fail(r->ctx, r->given, at,
                                    "the covariance is not symmetric: row %zu has another number "
                                    "in column %zu than row %zu in column %zu",
                                    i / p + 1, i % p + 1, i % p + 1, i / p + 1);
    return CAIRN_OK;
}

/* The words of a line behind its class. */
static cairn_status read_facts(reader *r, typed_class *to)
{
    while (r->word->kind != CAIRN_WORD_END && r->word->kind != CAIRN_WORD_LINE) {
        const cairn_word *key = r->word;
        double *number;
        if (is_separator(key)) {
            r->word++;
            continue;
        }
        bool once = to != &r->all;
        bool mean = once && (cairn_word_is(key, "mean") || cairn_word_is(key, "mu"));
        bool prior = once && cairn_word_is(key, "prior");
        bool deviations = cairn_word_is(key, "deviations") || cairn_word_is(key, "deviation") ||
                          cairn_word_is(key, "sigma");
        if (!mean && !prior && !deviations && !cairn_word_is(key, "covariance")) {
            char shown[80];
            return cairn_given_fail(r->ctx, r->given, key->at, "%s is expected here, not %s",
                                    once ? "'mean', 'deviations', 'covariance' or 'prior'"
                                         : "'deviations' or 'covariance'",
                                    cairn_word_show(key, shown));
        }
        r->word++;
        if (mean) CHECK(read_numbers(r, &to->mean, r->p, "a mean"));
        if (deviations) CHECK(read_numbers(r, &to->deviations, r->p, "deviations"));
        for (size_t j = 0; deviations && j < r->p; j++)
            if (!(to->deviations[j] > 0))
                return cairn_given_fail(r->ctx, r->given, key->at, "deviations must be above 0");
        if (prior) {
            CHECK(read_numbers(r, &number, 1, "a prior"));
            if (!(*number > 0 && *number < 1))
                return cairn_given_fail(r->ctx, r->given, key->at,
                                        "a prior must lie between 0 and 1");
            to->prior = *number;
        }
        if (!mean && !prior && !deviations) CHECK(read_covariance(r, to));
        if (to->covariance && to->deviations)
            return cairn_given_fail(r->ctx, r->given, key->at,
                                    "deviations or a covariance are wanted, not both");
    }
    return CAIRN_OK;
}

static cairn_status read_lines(reader *r)
{
    cairn_word *words;
    int32_t class;
    CHECK(cairn_given_words(r->ctx, r->given, &words));
    for (r->word = words; r->word->kind != CAIRN_WORD_END;) {
        const cairn_word *first = r->word;
        typed_class *to = &r->all;
        if (first->kind == CAIRN_WORD_LINE) {
            r->word++;
            continue;
        }
        bool common = !cairn_word_is(first + 1, ":") &&
                      (cairn_word_is(first, "covariance") || cairn_word_is(first, "deviations") ||
                       cairn_word_is(first, "sigma"));
        if (!common) {
            CHECK(cairn_given_class(r->ctx, r->given, first, r->job->schema, &class));
            to = &r->classes[class];
            if (to->mean)
                return cairn_given_fail(r->ctx, r->given, first->at,
                                        "the class stands here for the second time");
            r->word++;
        }
        CHECK(read_facts(r, to));
        if (!common && !to->mean)
            return cairn_given_fail(r->ctx, r->given, first->at,
                                    "the mean of the class is missing");
    }
    return CAIRN_OK;
}

/* -- what was read as the classes of a model -- */

/* Shares of the rows where no prior was typed; else all must be there and add to 1. */
static cairn_status find_priors(reader *r, double *priors)
{
    const cairn_view *view = r->job->view;
    size_t n = 0;
    double sum = 0;
    for (size_t c = 0; c < r->k; c++) {
        priors[c] = r->classes[c].prior;
        n += priors[c] > 0;
        sum += priors[c];
    }
    char added[CAIRN_NUMBER_SIZE];
    cairn_number_format(added, sum, 6);
    if (n && (n < r->k || fabs(sum - 1) > 1e-6))
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "'%s' has priors of %zu of the %zu classes, which add to %s; type all of "
                          "them, adding to 1, or none for the shares of the rows",
                          r->given->name, n, r->k, added);
    if (n) return CAIRN_OK;
    for (size_t i = 0; i < view->rows.n; i++) {
        priors[r->codes[i]] += cairn_view_weight(view, i);
        sum += cairn_view_weight(view, i);
    }
    for (size_t c = 0; c < r->k; c++) {
        if (!(priors[c] > 0))
            return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                              "class '%s' has no row, so its share is no prior; type the priors of "
                              "all classes",
                              cairn_bayes_class(r->job->schema, c));
        priors[c] /= sum;
    }
    return CAIRN_OK;
}

/* A covariance as a matrix: typed for the class, for all, or 1 for every column. */
static void write_matrix(const reader *r, const typed_class *of, double *out)
{
    size_t p = r->p;
    const double *deviations = of->deviations;
    if (of->covariance) memcpy(out, of->covariance, p * p * sizeof *out);
    for (size_t j = 0; !of->covariance && j < p; j++)
        out[j * p + j] = deviations ? deviations[j] * deviations[j] : 1;
}

/* One covariance for all unless a class has its own; variances alone if only deviations were
 * typed for classes. */
static cairn_status find_covariances(reader *r, cairn_gaussian_known *known)
{
    size_t p = r->p, own = 0, matrices = 0;
    double *numbers;
    for (size_t c = 0; c < r->k; c++) {
        matrices += r->classes[c].covariance != NULL;
        own += r->classes[c].covariance || r->classes[c].deviations;
    }
    bool common = r->all.covariance || r->all.deviations;
    if (own && (common || own < r->k))
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "'%s' has deviations or a covariance %s; type them for every class, or "
                          "once for all in a line without a class",
                          r->given->name,
                          common ? "for all classes and for some" : "for some classes only");
    known->covariance = !own && !common ? CAIRN_GAUSSIAN_IDENTITY
                        : !own          ? CAIRN_GAUSSIAN_SHARED
                        : matrices      ? CAIRN_GAUSSIAN_OWN
                                        : CAIRN_GAUSSIAN_DIAGONAL;
    CHECK(SCRATCH(r->ctx, &numbers, (own ? r->k : 1) * p * p + 1));
    if (known->covariance == CAIRN_GAUSSIAN_DIAGONAL)
        for (size_t i = 0; i < r->k * p; i++) {
            double deviation = r->classes[i / p].deviations[i % p];
            numbers[i] = deviation * deviation;
        }
    else if (own)
        for (size_t c = 0; c < r->k; c++) write_matrix(r, &r->classes[c], numbers + c * p * p);
    else if (common)
        write_matrix(r, &r->all, numbers);
    known->covariances = numbers;
    return CAIRN_OK;
}

static cairn_status refuse_raised(const reader *r, const cairn_gaussian_model *m)
{
    for (size_t f = 0; f < m->n_factors; f++)
        if (m->raised[f])
            return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                              "'%s': the covariance%s%s is not positive definite: a column follows "
                              "from the others, or the matrix is none of a density",
                              r->given->name, m->n_factors > 1 ? " of class " : "",
                              m->n_factors > 1 ? cairn_bayes_class(r->job->schema, f) : "");
    return CAIRN_OK;
}

/* ln of the likelihood of the rows, row by row: sums of rows, of which it is made else, there are
 * none. */
static cairn_status find_likelihood(reader *r, cairn_gaussian_model *m)
{
    const cairn_view *view = r->job->view;
    double *scores;
    CHECK(SCRATCH(r->ctx, &scores, cairn_product(view->rows.n, r->k) + 1));
    CHECK(cairn_gaussian_scores(r->ctx, scores, m, view));
    for (size_t i = 0; i < view->rows.n; i++)
        m->likelihood += cairn_view_weight(view, i) * scores[i * r->k + (size_t)r->codes[i]];
    return CAIRN_OK;
}

cairn_status cairn_gaussian_read(cairn_context *ctx, cairn_gaussian_model *m, const cairn_job *job,
                                 const cairn_given *given)
{
    SCOPED_SCRATCH(ctx);
    reader r = {
        .ctx = ctx, .given = given, .job = job, .k = job->n_classes, .p = job->view->n_features};
    cairn_gaussian_known known = {.n_classes = r.k, .n_columns = r.p};
    double *means, *priors;
    if (r.p > MOST_GIVEN)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "classes of at most %d columns can be typed, not %zu", MOST_GIVEN, r.p);
    CHECK(SCRATCH(ctx, &r.classes, r.k));
    CHECK(SCRATCH(ctx, &means, r.k * r.p + 1));
    CHECK(SCRATCH(ctx, &priors, r.k));
    CHECK(SCRATCH(ctx, &r.codes, job->view->rows.n + 1));
    cairn_view_target_codes(job->view, 0, job->view->rows.n, r.codes);
    CHECK(read_lines(&r));
    for (size_t c = 0; c < r.k; c++) {
        if (!r.classes[c].mean)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' has no line for class '%s'; type one, such as '%s: mean ...'",
                              given->name, cairn_bayes_class(job->schema, c),
                              cairn_bayes_class(job->schema, c));
        memcpy(means + c * r.p, r.classes[c].mean, r.p * sizeof *means);
    }
    CHECK(find_priors(&r, priors));
    CHECK(find_covariances(&r, &known));
    known.means = means;
    known.priors = priors;
    CHECK(cairn_gaussian_know(ctx, m, &known));
    CHECK(refuse_raised(&r, m));
    CHECK(find_likelihood(&r, m));
    return job->steps ? cairn_gaussian_steps(ctx, m, job) : CAIRN_OK;
}
