/* SPDX-License-Identifier: MIT */
/* Logistic regression in the model file: the account of the weights. */
#include "base/memory.h"
#include "learners/linear/logistic.h"

static cairn_status archive_shares(cairn_archive *a, cairn_logistic_account *account,
                                   const cairn_logistic_model *m)
{
    CHECK(cairn_archive_reals(a, "shares", &account->shares, m->n_present));
    return cairn_archive_reals(a, "means", &account->means, m->n_present);
}

static cairn_status archive_errors(cairn_archive *a, cairn_logistic_account *account,
                                   const cairn_logistic_model *m)
{
    bool errors = account->errors != NULL;
    CHECK(cairn_archive_bool(a, "has_errors", &errors));
    if (errors)
        CHECK(cairn_archive_reals(a, "errors", &account->errors,
                                  cairn_product(m->n_terms + 1, m->n_vectors)));
    CHECK(cairn_archive_bytes(a, "aliased", &account->aliased, m->n_terms));
    return cairn_archive_text(a, "relations", &account->relations);
}

static cairn_status archive_way(cairn_archive *a, cairn_logistic_account *account)
{
    CHECK(cairn_archive_int(a, "solver", &account->solver));
    CHECK(cairn_archive_int(a, "penalty", &account->penalty));
    if (account->solver < CAIRN_LOGISTIC_NEWTON || account->solver > CAIRN_LOGISTIC_GIVEN ||
        account->penalty < CAIRN_PENALTY_NONE || account->penalty > CAIRN_PENALTY_ELASTIC)
        CHECK(cairn_archive_damaged(a, "there is no such solver or penalty"));
    CHECK(cairn_archive_bool(a, "forced", &account->forced));
    CHECK(cairn_archive_real(a, "ridge", &account->ridge));
    CHECK(cairn_archive_real(a, "lasso", &account->lasso));
    CHECK(cairn_archive_int(a, "separation", &account->separation));
    return cairn_archive_text(a, "separators", &account->separators);
}

static cairn_status archive_course(cairn_archive *a, cairn_logistic_account *account)
{
    CHECK(cairn_archive_real(a, "total", &account->total));
    CHECK(cairn_archive_real(a, "loss", &account->loss));
    CHECK(cairn_archive_real(a, "objective", &account->objective));
    CHECK(cairn_archive_real(a, "null_loss", &account->null_loss));
    CHECK(cairn_archive_real(a, "accuracy", &account->accuracy));
    CHECK(cairn_archive_real(a, "moment", &account->moment));
    CHECK(cairn_archive_size(a, "iterations", &account->iterations, SIZE_MAX));
    CHECK(cairn_archive_size(a, "products", &account->products, SIZE_MAX));
    CHECK(cairn_archive_bool(a, "converged", &account->converged));
    CHECK(cairn_archive_real(a, "expected", &account->expected));
    CHECK(cairn_archive_size(a, "n_curve", &account->n_curve, 20000000));
    return cairn_archive_reals(a, "curve", &account->curve, account->n_curve);
}

static cairn_status archive_sample(cairn_archive *a, cairn_logistic_account *account,
                                   const cairn_logistic_model *m)
{
    CHECK(cairn_archive_size(a, "n_sample", &account->n_sample, CAIRN_LOGISTIC_SAMPLE));
    if (account->n_sample == 0) return CAIRN_OK;
    if (m->n_terms != 1 || m->n_vectors != 1)
        CHECK(cairn_archive_damaged(a, "there are rows of a single term, but not one term"));
    CHECK(cairn_archive_reals(a, "inputs", &account->inputs, account->n_sample));
    return cairn_archive_reals(a, "outcomes", &account->outcomes, account->n_sample);
}

/* The path; what it traces must be weights of the model. */
static cairn_status archive_path(cairn_archive *a, cairn_logistic_account *account,
                                 const cairn_logistic_model *m)
{
    bool held = account->path_held != NULL;
    CHECK(cairn_archive_size(a, "n_path", &account->n_path, 1000));
    size_t n = account->n_path;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "path_strengths", &account->path_strengths, n));
    CHECK(cairn_archive_reals(a, "path_losses", &account->path_losses, n));
    CHECK(cairn_archive_reals(a, "path_sizes", &account->path_sizes, n));
    CHECK(cairn_archive_bool(a, "path_has_held", &held));
    if (held) CHECK(cairn_archive_reals(a, "path_held", &account->path_held, n));
    if (held) CHECK(cairn_archive_reals(a, "path_errors", &account->path_errors, n));
    CHECK(cairn_archive_size(a, "n_traced", &account->n_traced, 64));
    CHECK(cairn_archive_ints(a, "traced", &account->traced, account->n_traced));
    for (size_t i = 0; i < account->n_traced; i++)
        if (account->traced[i] < 0 || (size_t)account->traced[i] >= m->n_terms * m->n_vectors)
            CHECK(cairn_archive_damaged(a, "the path traces weight %d", account->traced[i]));
    CHECK(cairn_archive_reals(a, "traces", &account->traces, cairn_product(n, account->n_traced)));
    CHECK(cairn_archive_size(a, "chosen", &account->chosen, n));
    if (held && account->chosen == n)
        CHECK(cairn_archive_damaged(a, "no strength of the path was chosen"));
    return CAIRN_OK;
}

static cairn_status archive_account(cairn_archive *a, void *data, const void *model)
{
    cairn_logistic_account *account = data;
    CHECK(archive_shares(a, account, model));
    CHECK(archive_errors(a, account, model));
    CHECK(archive_way(a, account));
    CHECK(archive_course(a, account));
    CHECK(archive_sample(a, account, model));
    return archive_path(a, account, model);
}

/* Files before version 10. */
static cairn_status archive_together(cairn_archive *a, void *model, void *data)
{
    cairn_logistic_account *account = data;
    size_t n_rows;
    CHECK(cairn_class_planes_archive_classes(a, model));
    CHECK(archive_shares(a, account, model));
    CHECK(cairn_class_planes_archive_weights(a, model));
    CHECK(archive_errors(a, account, model));
    CHECK(archive_way(a, account));
    CHECK(cairn_archive_size(a, "n_rows", &n_rows, SIZE_MAX));
    CHECK(archive_course(a, account));
    CHECK(archive_sample(a, account, model));
    return archive_path(a, account, model);
}

/* Leaves an empty account, which may be cleared again or filled. */
static void clear_account(void *data)
{
    cairn_logistic_account *account = data;
    cairn_free(account->errors);
    cairn_free(account->aliased);
    cairn_free(account->relations);
    cairn_free(account->separators);
    cairn_free(account->shares);
    cairn_free(account->means);
    cairn_free(account->curve);
    cairn_free(account->path_strengths);
    cairn_free(account->path_losses);
    cairn_free(account->path_sizes);
    cairn_free(account->path_held);
    cairn_free(account->path_errors);
    cairn_free(account->traced);
    cairn_free(account->traces);
    cairn_free(account->inputs);
    cairn_free(account->outcomes);
    *account = (cairn_logistic_account){0};
}

const cairn_account cairn_logistic_accounts = {
    .size = sizeof(cairn_logistic_account),
    .since = 10,
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_account,
    .clear = clear_account,
    .archive_together = archive_together,
};
