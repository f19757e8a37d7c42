/* SPDX-License-Identifier: MIT */
/* Normal densities for the classes: the class c that makes
 *
 *     ln P(c) − ½ ln |Σ_c| − ½ (x − μ_c)' Σ_c⁻¹ (x − μ_c)
 *
 * largest. With one Σ for all classes this is linear in x (linear discriminant analysis), with one
 * for each class quadratic.
 *
 *  1. one pass gives weight, mean and scatter of each class (rows/class_sums.h); more rows can be
 *     added later, which gives what all rows at once would have given
 *  2. scatters become covariances: shared, of each class, or between the two (pooling), with a
 *     share of their diagonals (shrinkage); factors and determinants of these (gaussian_tables.c)
 *  3. a row's score by one triangular product per covariance (gaussian_score.c)
 *
 * Choices: columns that are the same in all rows are left out. A covariance that is singular gets
 * a small share of the columns' variances on its diagonal, and it is said which columns are to
 * blame. At prediction missing cells are summed over exactly: the density is that of the cells that
 * are there; in training this is EM (gaussian_missing.c). A weight counts as so many equal rows.
 * Ties go to the first class. Cost: n p²/2 for the pass, p³ for each covariance, p²/2 (or p) for
 * each row and class. */
#include "learners/bayes/gaussian.h"
#include "base/memory.h"
#include "stats/summary.h"
#include <math.h>

static const cairn_choice covariances[] = {
    {"shared", CAIRN_GAUSSIAN_SHARED,
     "one for all classes: linear discriminant analysis (LDA), a linear boundary"},
    {"own", CAIRN_GAUSSIAN_OWN,
     "one for each class: quadratic discriminant analysis (QDA), a quadratic boundary"},
    {"diagonal", CAIRN_GAUSSIAN_DIAGONAL, "variances of each class: as naive Bayes"},
    {"identity", CAIRN_GAUSSIAN_IDENTITY, "1 for every column: the nearest mean"},
    {0},
};

static const cairn_param gaussian_param_table[] = {
    CAIRN_PARAM_CHOICE(cairn_gaussian_params, covariance, "shared", covariances,
                       "covariances of the classes", .often = true),
    CAIRN_PARAM(cairn_gaussian_params, prior, "empirical", NULL,
                "the prior of the classes: empirical (their shares), uniform (maximum likelihood "
                "decides), none (left out of the score), or one number per class in the order of "
                "the classes, such as 0.7,0.3",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_gaussian_params, divisor, "n", cairn_divisors,
                       "divisor of the covariance of a class; of the shared one n - 1 means the "
                       "rows less the classes",
                       .when = "!covariance=identity"),
    CAIRN_PARAM(cairn_gaussian_params, pooling, "0", "[0,1]",
                "share of the shared covariance in that of each class: 0 = its own, 1 = shared",
                .when = "covariance=own|diagonal", .often = true),
    CAIRN_PARAM(cairn_gaussian_params, shrinkage, "0", "[0,1]",
                "share of its diagonal in a covariance: 1 = variances only",
                .when = "covariance=shared|own", .often = true),
    CAIRN_PARAM(cairn_gaussian_params, least_variance, "1e-9", "(0,1)",
                "a singular covariance gets this share of the columns' variances on its diagonal",
                .when = "!covariance=identity"),
    CAIRN_PARAM_END,
};

static cairn_status gaussian_check(cairn_context *ctx, const void *params)
{
    const cairn_gaussian_params *p = params;
    SCOPED_SCRATCH(ctx);
    double *prior;
    size_t n;
    int32_t kind;
    return cairn_bayes_read_prior(ctx, p->prior, &kind, &prior, &n);
}

/* -- saving and loading -- */

static cairn_status archive_settings(cairn_archive *a, cairn_gaussian_model *m)
{
    CHECK(cairn_archive_int(a, "covariance", &m->covariance));
    CHECK(cairn_archive_int(a, "divisor", &m->divisor));
    CHECK(cairn_archive_int(a, "prior_kind", &m->prior_kind));
    CHECK(cairn_archive_size(a, "n_given", &m->n_given, m->n_classes));
    CHECK(cairn_archive_reals(a, "given_prior", &m->given_prior, m->n_given));
    CHECK(cairn_archive_real(a, "pooling", &m->pooling));
    CHECK(cairn_archive_real(a, "shrinkage", &m->shrinkage));
    CHECK(cairn_archive_real(a, "least_variance", &m->least_variance));
    CHECK(cairn_archive_real(a, "incomplete", &m->incomplete));
    CHECK(cairn_archive_real(a, "likelihood", &m->likelihood));
    bool known = m->covariance >= 0 && m->covariance < CAIRN_GAUSSIAN_COVARIANCES &&
                 m->divisor >= 0 && m->divisor <= CAIRN_DIVISOR_N && m->prior_kind >= 0 &&
                 m->prior_kind <= CAIRN_PRIOR_GIVEN && m->pooling >= 0 && m->pooling <= 1 &&
                 m->shrinkage >= 0 && m->shrinkage <= 1 && m->least_variance > 0 &&
                 m->least_variance < 1;
    if (m->prior_kind == CAIRN_PRIOR_GIVEN && m->n_given != m->n_classes) known = false;
    if (!known) CHECK(cairn_archive_damaged(a, "unknown settings"));
    return CAIRN_OK;
}

/* Rows that are kept have classes and weights that EM can add up; cells may be missing. */
static cairn_status archive_kept(cairn_archive *a, cairn_gaussian_model *m)
{
    size_t size = cairn_gaussian_sums_size(m);
    bool sound = true;
    CHECK(cairn_archive_size(a, "n_kept", &m->n_kept, 1 << 28));
    if (!m->n_kept) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "kept", &m->kept, cairn_product(m->n_kept, m->n_columns)));
    CHECK(cairn_archive_reals(a, "kept_weights", &m->kept_weights, m->n_kept));
    CHECK(cairn_archive_ints(a, "kept_classes", &m->kept_classes, m->n_kept));
    CHECK(cairn_archive_reals(a, "complete", &m->complete, size));
    for (size_t i = 0; i < m->n_kept; i++) {
        sound &= m->kept_weights[i] >= 0 && isfinite(m->kept_weights[i]);
        sound &= m->kept_classes[i] >= 0 && (size_t)m->kept_classes[i] < m->n_classes;
    }
    for (size_t i = 0; i < m->n_kept * m->n_columns; i++) sound &= !isinf(m->kept[i]);
    for (size_t i = 0; i < size; i++) sound &= isfinite(m->complete[i]) != 0;
    if (!sound) CHECK(cairn_archive_damaged(a, "rows with missing cells are wrong"));
    return CAIRN_OK;
}

/* Sums must be finite, and squares not negative: factors are made from them. */
static cairn_status check_sums(cairn_archive *a, const cairn_gaussian_model *m)
{
    size_t p = m->n_columns, size = cairn_gaussian_scatter_size(m);
    bool matrix = size && p && m->covariance != CAIRN_GAUSSIAN_DIAGONAL, sound = true;
    double total = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        sound &= m->totals[c] >= 0 && isfinite(m->totals[c]);
        total += m->totals[c];
    }
    for (size_t i = 0; i < m->n_classes * p; i++) sound &= isfinite(m->means[i]) != 0;
    for (size_t i = 0; i < size; i++) {
        sound &= isfinite(m->scatters[i]) != 0;
        if (!matrix || i / p % p == i % p) sound &= m->scatters[i] >= 0;
    }
    if (!sound || !(total > 0)) CHECK(cairn_archive_damaged(a, "sums of the classes are wrong"));
    return CAIRN_OK;
}

static cairn_status gaussian_archive(cairn_archive *a, void *model)
{
    cairn_gaussian_model *m = model;
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, 1 << 28));
    if (m->n_classes == 0) CHECK(cairn_archive_damaged(a, "there is no class"));
    CHECK(archive_settings(a, m));
    CHECK(cairn_archive_reals(a, "totals", &m->totals, m->n_classes));
    CHECK(cairn_archive_reals(a, "means", &m->means, cairn_product(m->n_classes, m->n_columns)));
    CHECK(cairn_archive_reals(a, "scatters", &m->scatters, cairn_gaussian_scatter_size(m)));
    CHECK(archive_kept(a, m));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    CHECK(check_sums(a, m));
    return cairn_gaussian_make_tables(cairn_archive_context(a), m);
}

static cairn_status gaussian_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    return cairn_check_columns(a, job, m->n_columns);
}

static void gaussian_clear(void *model)
{
    cairn_gaussian_model *m = model;
    cairn_gaussian_clear_tables(m);
    cairn_free(m->given_prior);
    cairn_free(m->totals);
    cairn_free(m->means);
    cairn_free(m->scatters);
    cairn_gaussian_clear_kept(m);
}

/* Priors but one, means, and the different numbers of the covariances. */
static cairn_model_size gaussian_size(const void *model)
{
    const cairn_gaussian_model *m = model;
    double k = 0, p = (double)(m->n_columns - m->n_constant);
    for (size_t c = 0; c < m->n_classes; c++) k += m->totals[c] > 0;
    double matrix = m->diagonal ? p : p * (p + 1) / 2;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) matrix = 0;
    return (cairn_model_size){k - 1 + k * p + (m->n_factors == 1 ? matrix : k * matrix), false};
}

static const cairn_output gaussian_outputs[] = {
    {"log_density", "ln of the sum of prior × density over the classes: how usual the row is"},
    {"error", "1 − the largest probability: how probable it is that the answer is wrong"},
    {"discriminant", "two classes: P(positive) − P(the other); of more the largest probability "
                     "less the next"},
    {0},
};

const cairn_learner cairn_gaussian = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "gaussian",
              .also = "LDA (covariance=shared), QDA (covariance=own), linear discriminant analysis "
                      "(covariance=shared), quadratic discriminant analysis (covariance=own), "
                      "regularised discriminant analysis, RDA, Gaussian classes, normal classes, "
                      "Gaussian generative classifier, Bayes classifier with normal densities, "
                      "maximum likelihood classifier",
              .title = "Classes with normal densities",
              .summary =
                  "Gives every class a normal density with its mean and a covariance, and answers "
                  "the class with the largest prior times density. One covariance for all classes "
                  "makes the boundary linear (LDA), one for each class quadratic (QDA); --pooling "
                  "lies between the two, --shrinkage between a covariance and its diagonal, which "
                  "helps where rows are few. The boundary is written as an equation with its kind, "
                  "in one column with all its roots. Missing cells are summed over, in training by "
                  "EM. Complete rows are read once, and more can come later.",
              .references = "Fisher: The Use of Multiple Measurements in Taxonomic Problems, 1936; "
                            "Friedman: Regularized Discriminant Analysis, JASA 84, 1989; Duda, "
                            "Hart and Stork: Pattern Classification, 2001, chapter 2",
              .example = "cairn fit gaussian @fisher-points --steps",
              .params = gaussian_param_table,
              .params_size = sizeof(cairn_gaussian_params),
              .check = gaussian_check},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_WEIGHTS |
               CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_gaussian_model),
    .tables = cairn_gaussian_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = gaussian_outputs,
    .fit = cairn_gaussian_fit,
    .update = cairn_gaussian_update,
    .lower = cairn_gaussian_lower,
    .predict = cairn_gaussian_predict,
    .describe = cairn_gaussian_describe,
    .figures = cairn_gaussian_figures,
    .explain = cairn_gaussian_explain,
    .sample = cairn_gaussian_sample,
    .archive = gaussian_archive,
    .check = gaussian_check_state,
    .clear = gaussian_clear,
    .size = gaussian_size,
};
