/* SPDX-License-Identifier: MIT */
/* Naive Bayes: the class c that makes
 *
 *     ln P(c) + Σ ln P(x_j | c)
 *
 * largest, columns taken as independent of each other within a class.
 *
 *  1. each column gets a density by its kind, or the one that --density names (bayes_plan.c)
 *  2. one pass counts values, words and moments per class (bayes_count.c); more rows can be added
 *     later, which gives what all rows at once would have given
 *  3. counts become probabilities by the smoothing, moments normal densities (bayes_tables.c)
 *  4. a row's score is the sum of logarithms; probabilities are exp(score), divided by their sum
 *     (bayes_score.c)
 *
 * Missing cells are skipped in counting and in the sums. Ties go to the first class. A row that is
 * impossible in every class gets the shares of the classes. Cost: rows x columns for fitting, times
 * classes for predicting; kernel densities keep the training values. */
#include "learners/bayes/bayes.h"
#include "base/memory.h"
#include <math.h>

static const cairn_choice smooth_priors[] = {
    {"uniform", CAIRN_SMOOTH_UNIFORM, "all values alike"},
    {"overall", CAIRN_SMOOTH_OVERALL, "the share of the value in all classes together"},
    {0},
};

static const cairn_choice absents[] = {
    {"count", CAIRN_ABSENT_COUNT, "a word that is not there counts with 1 - p"},
    {"ignore", CAIRN_ABSENT_IGNORE, "only words that are there count"},
    {0},
};

static const cairn_choice term_shares[] = {
    {"occurrences", CAIRN_TERMS_OCCURRENCES, "share of all words of the class"},
    {"documents", CAIRN_TERMS_DOCUMENTS, "share of the rows of the class that have the word"},
    {0},
};

static const cairn_choice logs[] = {
    {"e", 0, "natural logarithms"},
    {"2", 2, "bits"},
    {"10", 10, "decimal logarithms"},
    {0},
};

static const cairn_param bayes_param_table[] = {
    CAIRN_PARAM(cairn_bayes_params, density, NULL, NULL,
                "densities that differ from the usual ones (levels categorical, numbers gaussian, "
                "bags multinomial): categorical, bernoulli, multinomial, gaussian, histogram, "
                "kernel or binned for all columns that can have it, or COLUMN=KIND for one",
                .often = true),
    CAIRN_PARAM(cairn_bayes_params, smooth, "auto", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out by the prior), bits (n + 1) / (N + 2); "
                "auto is none for levels and bins, bits for bernoulli, laplace for multinomial",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, smooth_prior, "uniform", smooth_priors,
                       "how the X cases are shared out", .when = "smooth=m:*"),
    CAIRN_PARAM(cairn_bayes_params, prior, "empirical", NULL,
                "the prior of the classes: empirical (their shares), uniform, none (left out of "
                "the score), or one number per class in the order of the classes, such as 0.7,0.3",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, divisor, "n", cairn_divisors,
                       "gaussian: divisor of the variance",
                       .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, least_variance, "1e-9", "(0,1)",
                "gaussian: the variance of a class is at least this share of the whole column's",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, least_of_largest, "1e-9", "[0,1)",
                "gaussian: it is also at least this share of the largest variance of all columns, "
                "but never more than the column's own over all classes",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM(cairn_bayes_params, add_variance, "0", "[0,inf)",
                "gaussian: add this share of the largest variance of all columns to every "
                "variance, which smooths columns of small numbers most",
                .when = "!density=histogram|kernel|binned"),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, absent, "count", absents,
                       "what words that are not there do", .when = "density=*bernoulli*",
                       .often = true),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, terms, "occurrences", term_shares,
                       "multinomial: what the probability of a word is the share of",
                       .when = "!density=bernoulli"),
    CAIRN_PARAM(cairn_bayes_params, score_scale, "1", "(0,inf)",
                "multinomial: probabilities are multiplied by this inside the logarithm, which "
                "changes scores but no answer; 1000 makes them positive",
                .when = "!density=bernoulli"),
    CAIRN_PARAM(cairn_bayes_params, coefficient, "no", NULL,
                "multinomial: count the orders of the words, n! / (x! y! ...), in the likelihood",
                .when = "!density=bernoulli"),
    CAIRN_PARAM_CHOICE(cairn_bayes_params, log, "e", logs, "base of the scores that are shown"),
    CAIRN_PARAM(cairn_bayes_params, top, "10", "[0,1000]",
                "words per class to show: those that speak most for it"),
    CAIRN_PARAM_GROUP(cairn_bayes_params, kernel, cairn_density_params, .when = "density=*kernel*"),
    CAIRN_PARAM_GROUP(cairn_bayes_params, bins, cairn_bin_params,
                      .when = "density=*histogram*|*binned*"),
    CAIRN_PARAM_END,
};

static cairn_status bayes_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_bayes_model *m = model;
    CHECK(cairn_bayes_plan(ctx, m, job));
    CHECK(cairn_bayes_count(ctx, m, job));
    CHECK(cairn_bayes_make_tables(ctx, m));
    if (job->steps) cairn_bayes_steps(ctx, m, job);
    return CAIRN_OK;
}

static cairn_status bayes_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_bayes_model *m = model;
    CHECK(cairn_bayes_grow(ctx, m, job));
    CHECK(cairn_bayes_count(ctx, m, job));
    CHECK(cairn_bayes_make_tables(ctx, m));
    if (job->steps) cairn_bayes_steps(ctx, m, job);
    return CAIRN_OK;
}

/* -- saving and loading -- */

static cairn_status archive_kept(cairn_archive *a, cairn_bayes_part *part, size_t k)
{
    double sum = 0;
    CHECK(cairn_archive_reals(a, "kept_of", &part->kept_of, k));
    CHECK(cairn_archive_size(a, "n_kept", &part->n_kept, (size_t)1 << 40));
    CHECK(cairn_archive_reals(a, "kept", &part->kept, part->n_kept));
    CHECK(cairn_archive_reals(a, "kept_weights", &part->kept_weights, part->n_kept));
    for (size_t c = 0; c < k; c++) {
        double n = part->kept_of[c];
        if (!(n >= 0) || n != floor(n)) CHECK(cairn_archive_damaged(a, "a class has no count"));
        sum += n;
    }
    if (sum != (double)part->n_kept) CHECK(cairn_archive_damaged(a, "values and classes disagree"));
    return CAIRN_OK;
}

/* Arrays are asked for by what the density needs, so the density is checked first: a file with a
 * wrong one would else be read into the wrong arrays. */
static cairn_status archive_part(cairn_archive *a, cairn_bayes_part *part, size_t k,
                                 size_t n_features)
{
    size_t n_places = 0;
    CHECK(cairn_archive_int(a, "density", &part->density));
    CHECK(cairn_archive_bool(a, "of_numbers", &part->of_numbers));
    CHECK(cairn_archive_size(a, "n_features", &part->n_features, n_features));
    CHECK(cairn_archive_ints(a, "features", &part->features, part->n_features));
    CHECK(cairn_archive_size(a, "n_values", &part->n_values, (size_t)1 << 40));
    if (part->density < 0 || part->density >= CAIRN_BAYES_DENSITIES || part->n_features == 0)
        CHECK(cairn_archive_damaged(a, "a column has no density"));
    for (size_t i = 0; i < part->n_features; i++)
        if (part->features[i] < 0 || (size_t)part->features[i] >= n_features)
            CHECK(cairn_archive_damaged(a, "a density belongs to no column"));
    CHECK(cairn_archive_reals(a, "counts", &part->counts, cairn_product(part->n_values, k)));
    CHECK(cairn_archive_reals(a, "totals", &part->totals, k));
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        CHECK(cairn_archive_reals(a, "means", &part->means, k));
        CHECK(cairn_archive_reals(a, "squares", &part->squares, k));
    }
    if (part->density == CAIRN_BAYES_HISTOGRAM || part->density == CAIRN_BAYES_BINNED ||
        (part->density == CAIRN_BAYES_CATEGORICAL && part->of_numbers))
        n_places = part->n_values + 1;
    if (n_places) CHECK(cairn_archive_reals(a, "places", &part->places, n_places));
    CHECK(cairn_archive_bool(a, "closed_right", &part->closed_right));
    if (part->density == CAIRN_BAYES_KERNEL) CHECK(archive_kept(a, part, k));
    return CAIRN_OK;
}

/* What the counts mean depends on these; a value outside its choices would index past a table
 * later, so it is refused here. */
static cairn_status archive_settings(cairn_archive *a, cairn_bayes_model *m)
{
    CHECK(cairn_archive_int(a, "smooth_kind", &m->smooth_kind));
    CHECK(cairn_archive_real(a, "smooth_amount", &m->smooth_amount));
    CHECK(cairn_archive_int(a, "smooth_prior", &m->smooth_prior));
    CHECK(cairn_archive_int(a, "divisor", &m->divisor));
    CHECK(cairn_archive_int(a, "absent", &m->absent));
    CHECK(cairn_archive_int(a, "terms", &m->terms));
    CHECK(cairn_archive_int(a, "kernel", &m->kernel));
    CHECK(cairn_archive_int(a, "bandwidth_rule", &m->bandwidth_rule));
    CHECK(cairn_archive_int(a, "prior_kind", &m->prior_kind));
    CHECK(cairn_archive_size(a, "n_given", &m->n_given, m->n_classes));
    CHECK(cairn_archive_reals(a, "given_prior", &m->given_prior, m->n_given));
    CHECK(cairn_archive_real(a, "least_variance", &m->least_variance));
    if (cairn_archive_version(a) >= 17)
        CHECK(cairn_archive_real(a, "least_of_largest", &m->least_of_largest));
    CHECK(cairn_archive_real(a, "add_variance", &m->add_variance));
    CHECK(cairn_archive_real(a, "score_scale", &m->score_scale));
    CHECK(cairn_archive_real(a, "bandwidth", &m->bandwidth));
    CHECK(cairn_archive_bool(a, "coefficient", &m->coefficient));
    const struct {
        int32_t value, most;
    } choices[] = {{m->smooth_kind == -1 ? 0 : m->smooth_kind, CAIRN_SMOOTH_BITS},
                   {m->smooth_prior, CAIRN_SMOOTH_OVERALL},
                   {m->divisor, CAIRN_DIVISOR_N},
                   {m->absent, CAIRN_ABSENT_IGNORE},
                   {m->terms, CAIRN_TERMS_DOCUMENTS},
                   {m->kernel, CAIRN_DENSITY_UNIFORM},
                   {m->bandwidth_rule, CAIRN_BANDWIDTH_SCOTT},
                   {m->prior_kind, CAIRN_PRIOR_GIVEN}};
    bool known = m->prior_kind != CAIRN_PRIOR_GIVEN || m->n_given == m->n_classes;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        known = known && choices[i].value >= 0 && choices[i].value <= choices[i].most;
    if (!known) CHECK(cairn_archive_damaged(a, "unknown settings"));
    return CAIRN_OK;
}

/* Only counts are kept in the file: logarithms are made from them again, so that more rows can
 * be added to a loaded model. */
static cairn_status bayes_archive(cairn_archive *a, void *model)
{
    cairn_bayes_model *m = model;
    size_t n_parts = m->n_parts;
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_features", &m->n_features, 1 << 28));
    if (m->n_classes == 0) CHECK(cairn_archive_damaged(a, "there is no class"));
    CHECK(cairn_archive_reals(a, "classes", &m->classes, m->n_classes));
    CHECK(archive_settings(a, m));
    CHECK(cairn_archive_size(a, "n_parts", &n_parts, m->n_features));
    size_t capacity = 0;
    for (size_t i = 0; i < n_parts; i++) {
        if (cairn_archive_reading(a)) { /* grows: a wrong count in a file must not take memory */
            CHECK(GROW(cairn_archive_context(a), &m->parts, &capacity, i + 1));
            m->parts[i] = (cairn_bayes_part){0};
            m->n_parts = i + 1;
        }
        CHECK(archive_part(a, &m->parts[i], m->n_classes, m->n_features));
    }
    if (cairn_archive_reading(a)) CHECK(cairn_bayes_make_tables(cairn_archive_context(a), m));
    return CAIRN_OK;
}

/* Whether a part fits the columns that it looks at. */
static bool fits(const cairn_bayes_part *part, const cairn_field *const *fields)
{
    for (size_t i = 0; i < part->n_features; i++) {
        const cairn_field *field = fields[part->features[i]];
        if (part->of_numbers != (field->kind == CAIRN_NUMBER)) return false;
        if (part->of_numbers) continue;
        bool bag = field->kind == CAIRN_BAG, levels = field->kind == CAIRN_LEVEL;
        bool words =
            part->density == CAIRN_BAYES_BERNOULLI || part->density == CAIRN_BAYES_MULTINOMIAL;
        if (!(bag && words) && !(levels && part->density == CAIRN_BAYES_CATEGORICAL)) return false;
        if (part->n_values != field->names.n) return false;
    }
    bool bins = part->density == CAIRN_BAYES_HISTOGRAM || part->density == CAIRN_BAYES_BINNED;
    if (bins && part->n_values == 0) return false;
    bool together = part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL;
    if (together && part->n_values != part->n_features) return false;
    if (part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI && part->n_values != 1)
        return false;
    return together || part->n_features == 1;
}

static cairn_status bayes_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    const cairn_field **fields;
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    CHECK(cairn_check_columns(a, job, m->n_features));
    CHECK(cairn_bayes_fields(cairn_archive_context(a), &fields, job->schema));
    for (size_t i = 0; i < m->n_parts; i++)
        if (!fits(&m->parts[i], fields))
            CHECK(cairn_archive_damaged(a, "a density does not fit its column"));
    return CAIRN_OK;
}

/* Also frees a model of which only some parts were read, as a damaged file leaves it. */
static void bayes_clear(void *model)
{
    cairn_bayes_model *m = model;
    cairn_bayes_clear_tables(m);
    for (size_t i = 0; m->parts && i < m->n_parts; i++) {
        cairn_bayes_part *part = &m->parts[i];
        cairn_free(part->features);
        cairn_free(part->counts);
        cairn_free(part->totals);
        cairn_free(part->means);
        cairn_free(part->squares);
        cairn_free(part->places);
        cairn_free(part->kept);
        cairn_free(part->kept_weights);
        cairn_free(part->kept_of);
    }
    cairn_free(m->parts);
    cairn_free(m->classes);
    cairn_free(m->given_prior);
}

/* Probabilities that were learned: those of a class sum to 1. */
static cairn_model_size bayes_size(const void *model)
{
    const cairn_bayes_model *m = model;
    double k = (double)m->n_classes;
    cairn_model_size size = {k - 1, false};
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        double free = (double)part->n_values - 1;
        if (part->density == CAIRN_BAYES_BERNOULLI) free = (double)part->n_values;
        if (part->density == CAIRN_BAYES_GAUSSIAN) free = 2;
        if (part->density == CAIRN_BAYES_KERNEL) {
            size.parameters += (double)part->n_kept;
            size.grows = true;
        } else {
            size.parameters += k * fmax(free, 0);
        }
    }
    return size;
}

static const cairn_output bayes_outputs[] = {
    {"log_joint", "ln(prior × likelihood) of the class that is answered; empty where every class "
                  "is impossible"},
    {"log_evidence", "ln of the sum of prior × likelihood over the classes: how usual the row is; "
                     "empty where it is 0"},
    {0},
};

const cairn_learner cairn_bayes = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "bayes",
              .also = "naive Bayes, naive Bayes classifier, NB, Gaussian naive Bayes, "
                      "multinomial naive Bayes, Bernoulli naive Bayes",
              .title = "Naive Bayes",
              .summary =
                  "Multiplies the prior of a class by the probability of each column's value in "
                  "that class, as if columns were independent within a class, and answers the "
                  "class with the largest product. Levels are counted, numbers get a normal "
                  "density, words of a text (--with bag) are drawn from the bag of the class; "
                  "--density chooses histogram, kernel, binned, Bernoulli and others, column by "
                  "column. Missing cells are skipped. It is fitted in one pass, can take more rows "
                  "later, and is hard to beat for text; its probabilities are often too sure of "
                  "themselves (--with-calibration helps).",
              .references = "Maron: Automatic Indexing, JACM 8, 1961; Domingos and Pazzani: On the "
                            "Optimality of the Simple Bayesian Classifier under Zero-One Loss, "
                            "Machine Learning 29, 1997; McCallum and Nigam: A Comparison of Event "
                            "Models for Naive Bayes Text Classification, 1998; John and Langley: "
                            "Estimating Continuous Distributions in Bayesian Classifiers, 1995",
              .example = "cairn fit bayes @weather --steps",
              .params = bayes_param_table,
              .params_size = sizeof(cairn_bayes_params),
              .check = cairn_bayes_check},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_bayes_model),
    .tables = cairn_bayes_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = bayes_outputs,
    .fit = bayes_fit,
    .update = bayes_update,
    .forms = cairn_bayes_forms,
    .lower = cairn_bayes_lower,
    .predict = cairn_bayes_predict,
    .describe = cairn_bayes_describe,
    .explain = cairn_bayes_explain,
    .sample = cairn_bayes_sample,
    .archive = bayes_archive,
    .check = bayes_check_state,
    .clear = bayes_clear,
    .size = bayes_size,
};
