/* SPDX-License-Identifier: MIT */
/* A mixture of distributions by expectation and maximisation.
 *
 * Problem: the density p(x) = Σ_c w_c p_c(x) that makes the rows likeliest, where p_c is a normal
 * density of the numbers times, for each column with levels, their probabilities.
 *
 * Method (EM):
 * 1. First parameters are drawn, found by k-means, or given.
 * 2. E: the responsibility of component c for row i is r_ic = w_c p_c(x_i) / p(x_i).
 * 3. M: N_c = Σ_i r_ic; w_c = N_c / N; the mean is Σ r x / N_c; the covariance is that about the
 *    new mean, with the divisor N_c, none below the floor; a level's probability is its share.
 *    Then 2 again, until the log-likelihood gains next to nothing.
 * 4. Several starts are made and the likeliest is kept.
 *
 * A missing number is a hidden one: each component expects what its other numbers say (mean and
 * covariance given the rest). A missing level is skipped.
 *
 * With equal spherical variances that shrink to 0 every row belongs to its nearest mean: k-means.
 *
 * Cost: n k d² per iteration (n k d without covariances); no row is kept. Ties of responsibilities
 * go to the first component.
 *
 * Sources: Dempster, Laird and Rubin, Maximum likelihood from incomplete data via the EM algorithm
 * (1977); McLachlan and Peel, Finite Mixture Models (2000); Schwarz, Estimating the dimension of a
 * model (1978). */
#include "learners/density/mixture.h"
#include "base/memory.h"
#include <math.h>

static const cairn_choice forms[] = {
    {"full", CAIRN_MIXTURE_FULL, "a covariance matrix for each component"},
    {"tied", CAIRN_MIXTURE_TIED, "one covariance matrix for all"},
    {"diagonal", CAIRN_MIXTURE_DIAGONAL, "a variance for each component and column"},
    {"spherical", CAIRN_MIXTURE_SPHERICAL, "one variance for each component"},
    {0},
};

static const cairn_choice inits[] = {
    {"kmeans", CAIRN_MIXTURE_KMEANS, "the clusters of k-means"},
    {"random", CAIRN_MIXTURE_RANDOM, "means at drawn rows, with the variances of all rows"},
    {0},
};

static const cairn_choice criteria[] = {
    {"bic", CAIRN_MIXTURE_BIC, "the least BIC"},
    {"held-out", CAIRN_MIXTURE_HELD_OUT, "the largest density of rows left out, in 5 folds"},
    {0},
};

static const cairn_choice stops[] = {
    {"likelihood", CAIRN_MIXTURE_LIKELIHOOD, "the gain of the log-likelihood"},
    {"parameters", CAIRN_MIXTURE_PARAMETERS, "the largest change of a parameter"},
    {0},
};

static const cairn_param mixture_params[] = {
    CAIRN_PARAM(cairn_mixture_params, components, "2", NULL,
                "number of components, or a range such as 1:8 from which {choose} chooses",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, covariance, "full", forms,
                       "what the components' covariances are like", .often = true),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, init, "kmeans", inits, "where EM starts",
                       .when = "!given,!start_means", .often = true),
    CAIRN_PARAM(cairn_mixture_params, start_means, NULL, NULL,
                "first means, components separated by ; and columns by commas", .when = "!given"),
    CAIRN_PARAM(cairn_mixture_params, start_variances, NULL, NULL,
                "first variances, one for each component or for each of its columns; by default "
                "those of all rows",
                .when = "start_means"),
    CAIRN_PARAM_AS(cairn_mixture_params, start_weights, CAIRN_TYPE_LIST, NULL,
                   "first weights, which add up to 1; by default equal ones",
                   .when = "start_means"),
    CAIRN_PARAM_AS(cairn_mixture_params, given, CAIRN_TYPE_LIST, NULL,
                   "component numbers of all rows: start from these hidden values"),
    CAIRN_PARAM(cairn_mixture_params, starts, "5", "[1,10000]", "starts, the likeliest is kept",
                .when = "!given,!start_means", .often = true),
    CAIRN_PARAM(cairn_mixture_params, max_iter, "200", "[0,inf)", "most iterations of a start",
                .often = true),
    CAIRN_PARAM(cairn_mixture_params, tolerance, "1e-8", "[0,1)",
                "stop when an iteration gains no more than this part of the log-likelihood, or by "
                "{stop} changes no parameter by more, in deviations of all rows"),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, stop, "likelihood", stops, "what {tolerance} is for"),
    CAIRN_PARAM(
        cairn_mixture_params, floor, "1e-6", "[1e-10,1)",
        "least variance of a component in any direction, as a part of that of all rows, and "
        "least probability of a level: keeps a component from collapsing on one row"),
    CAIRN_PARAM_CHOICE(cairn_mixture_params, choose, "bic", criteria,
                       "what chooses from a range of {components}"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_mixture_params *params = values;
    size_t least, most;
    return cairn_mixture_range(ctx, params->components, &least, &most);
}

static cairn_status mixture_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    cairn_mixture_answer answer = {.scores = out->scores, .codes = out->codes};
    cairn_mixture_rows rows;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_mixture_rows_open(ctx, &rows, job->view, m));
    if (out->extra) CHECK(SCRATCH_RAW(ctx, &answer.logs, rows.n));
    CHECK(cairn_mixture_answers(ctx, &answer, m, &rows));
    out->codes_set = true;
    out->n_classes = m->k;
    if (!out->extra) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "log_density", answer.logs);
}

/* -- keeping -- */

static cairn_status check_model(cairn_archive *a, const void *model, const void *around)
{
    const cairn_mixture_model *m = model;
    (void)around;
    size_t d = 0, n_levels = 0;
    if (m->k == 0 || m->form < 0 || m->form > CAIRN_MIXTURE_FULL)
        return cairn_archive_damaged(a, "there are no components, or of no known form");
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->levels[j] < 0)
            return cairn_archive_damaged(a, "a column has %d levels", m->levels[j]);
        d += m->levels[j] == 0;
        n_levels += (size_t)m->levels[j];
    }
    if (d != m->d || n_levels != m->n_levels)
        return cairn_archive_damaged(a, "the columns are not those of the mixture");
    return CAIRN_OK;
}

/* Numbers that a mixture can have. */
static cairn_status archive_values(cairn_archive *a, void *model, const void *around)
{
    cairn_mixture_model *m = model;
    (void)around;
    CHECK(cairn_archive_reals(a, "values", &m->values, cairn_mixture_size(m)));
    const double *levels = cairn_mixture_levels(m);
    bool good = true;
    for (size_t i = 0; i < cairn_mixture_size(m); i++) good &= isfinite(m->values[i]);
    for (size_t c = 0; c < m->k; c++) good &= m->values[c] >= 0;
    for (size_t j = 0; j < m->d; j++)
        good &= isfinite(m->shift[j]) && isfinite(m->scale[j]) && m->scale[j] > 0;
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < m->d; j++) good &= cairn_mixture_covariance(m, c, j, j) > 0;
    for (size_t i = 0; i < m->n_levels * m->k; i++) good &= levels[i] > 0;
    return good ? CAIRN_OK : cairn_archive_damaged(a, "these are no numbers of a mixture");
}

static void clear_values(void *model)
{
    cairn_free(((cairn_mixture_model *)model)->values);
}

static const cairn_kept mixture_keeps[] = {
    KEEP_SIZE(cairn_mixture_model, k, CAIRN_MIXTURE_MOST, .name = "components"),
    KEEP_SIZE(cairn_mixture_model, n_columns, UINT32_MAX),
    KEEP_SIZE(cairn_mixture_model, d, UINT32_MAX, .name = "n_numbers"),
    KEEP_SIZE(cairn_mixture_model, n_levels, UINT32_MAX),
    KEEP(cairn_mixture_model, form),
    KEEP_ARRAYS(cairn_mixture_model, "n_columns", levels),
    KEEP_CHECK(check_model),
    KEEP_ARRAYS(cairn_mixture_model, "d", shift, scale),
    KEEP_BY(archive_values, .clear = clear_values),
    KEEP_END,
};

/* How the mixture came about, for the report of a model that was kept. */
const cairn_kept cairn_mixture_account_keeps[] = {
    KEEP(cairn_mixture_account, log_likelihood, weight, iterations, converged, floored),
    KEEP_ARRAYS(cairn_mixture_account, "k", sizes, hard),
    KEEP_SIZE(cairn_mixture_account, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_mixture_account, "n_starts", start_ends),
    KEEP(cairn_mixture_account, best_start),
    KEEP_SIZE(cairn_mixture_account, n_history, CAIRN_MIXTURE_HISTORY),
    KEEP_ARRAYS(cairn_mixture_account, "n_history", history),
    KEEP_SIZE(cairn_mixture_account, n_choices, CAIRN_MIXTURE_MOST),
    KEEP_ARRAYS(cairn_mixture_account, "4*n_choices", choices),
    KEEP_SIZE(cairn_mixture_account, n_kept, CAIRN_MIXTURE_KEPT),
    KEEP_ARRAYS(cairn_mixture_account, "n_kept*k+n_kept", kept),
    KEEP_SIZE(cairn_mixture_account, n_constant, UINT32_MAX),
    KEEP_SIZE(cairn_mixture_account, n_least, CAIRN_MIXTURE_LEAST),
    KEEP_ARRAYS(cairn_mixture_account, "2*n_least", least),
    KEEP_END,
};

static const cairn_account mixture_account = {
    .size = sizeof(cairn_mixture_account),
    .keeps = cairn_mixture_account_keeps,
};

/* Whether columns that hold levels in the file do so in the model. */
static cairn_status mixture_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_mixture_model *m = model;
    size_t at = 0;
    CHECK(cairn_check_columns(a, job, m->n_columns));
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if ((field->kind == CAIRN_LEVEL) != (m->levels[j] > 0))
            return cairn_archive_damaged(a, "column '%s' is of another kind", field->name);
    }
    return CAIRN_OK;
}

static cairn_model_size mixture_size(const void *model)
{
    return (cairn_model_size){.parameters = cairn_mixture_free(model)};
}

static size_t mixture_clusters(const void *model)
{
    return ((const cairn_mixture_model *)model)->k;
}

static const cairn_output mixture_outputs[] = {
    {"log_density", "logarithm of the mixture's density: low for a row that fits no component"},
    {0},
};

const cairn_learner cairn_mixture = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "mixture",
            .also = "Gaussian mixture, GMM, EM, expectation-maximisation, latent class, soft "
                    "clustering",
            .title = "Mixture of Gaussian and categorical components",
            .summary =
                "Describes the rows as drawn from several components, each a normal distribution "
                "of the numbers and shares of levels, whose parameters are found by expectation "
                "and maximisation: in turn every component gets its responsibility for every row, "
                "and then the weight, means, variances and shares of the rows it is responsible "
                "for. Scores are responsibilities; log_density tells outliers. Missing numbers are "
                "taken as the component expects them, given the others; missing levels are "
                "skipped. Of a range of components one is chosen by BIC or by held-out rows.",
            .references = "Dempster, Laird and Rubin: Maximum Likelihood from Incomplete Data via "
                          "the EM Algorithm, Journal of the Royal Statistical Society B 39 (1977); "
                          "McLachlan and Peel: Finite Mixture Models (2000)",
            .example = "cairn fit mixture @mixture --components 2 --steps",
            .params = mixture_params,
            .params_size = sizeof(cairn_mixture_params),
            .check = check_params,
        },
    .tasks = CAIRN_CLUSTER,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .aims = "log-likelihood of the rows",
    .model_size = sizeof(cairn_mixture_model),
    .tables = cairn_mixture_tables,
    .gives_scores = true,
    .sets_codes = true,
    .clusters = mixture_clusters,
    .outputs = mixture_outputs,
    .fit = cairn_mixture_fit,
    .predict = mixture_predict,
    .describe = cairn_mixture_describe,
    .explain = cairn_mixture_explain,
    .account = &mixture_account,
    .figures = cairn_mixture_figures,
    .sample = cairn_mixture_sample,
    .lower = cairn_mixture_lower,
    .keeps = mixture_keeps,
    .check = mixture_check,
    .size = mixture_size,
};
