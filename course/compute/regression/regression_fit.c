/* SPDX-License-Identifier: MIT */
/* Fits of model formulas for calculators. */
#include "compute/regression/regression_fit.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "model/chain.h"
#include <math.h>
#include <string.h>

const cairn_param cairn_regression_params[] = {
    CAIRN_PARAM_CHOICE(cairn_regression_options, family, "gaussian", cairn_family_choices,
                       "distribution of the target", .often = true),
    CAIRN_PARAM_CHOICE(cairn_regression_options, link, "canonical", cairn_link_choices,
                       "function of the mean that is a sum of terms"),
    CAIRN_PARAM(cairn_regression_options, theta, "1", "(0,inf)", "size of the negative binomial",
                .when = "family=negative-binomial"),
    CAIRN_PARAM(cairn_regression_options, quasi, "no", NULL,
                "estimate the dispersion where the family has 1",
                .when = "family=poisson|binomial|negative-binomial"),
    CAIRN_PARAM_END,
};

void cairn_regression_clear(cairn_regression *r)
{
    cairn_model_free(r->model);
    cairn_table_free(r->table);
    *r = (cairn_regression){0};
}

static const char *choice_name(const cairn_choice *choices, int value)
{
    while (choices->name && choices->value != value) choices++;
    return choices->name;
}

static cairn_status set_options(cairn_context *ctx, cairn_params *params,
                                const cairn_regression_options *o, const cairn_model_formula *f)
{
    char number[CAIRN_NUMBER_SIZE];
    CHECK(cairn_params_set(ctx, params, "family", choice_name(cairn_family_choices, o->family)));
    CHECK(cairn_params_set(ctx, params, "link", choice_name(cairn_link_choices, o->link)));
    cairn_number_format(number, o->theta, CAIRN_SHORTEST);
    if (o->family == CAIRN_NEGATIVE_BINOMIAL) CHECK(cairn_params_set(ctx, params, "theta", number));
    if (o->quasi) CHECK(cairn_params_set(ctx, params, "quasi", "yes"));
    if (!f->intercept) CHECK(cairn_params_set(ctx, params, "intercept", "no"));
    if (f->n_offsets) CHECK(cairn_params_set(ctx, params, "offset", "(offset)"));
    return CAIRN_OK;
}

/* The columns of the formula, and what glm makes of them. */
static cairn_status fit(cairn_context *ctx, cairn_regression *r, const char *formula,
                        const cairn_regression_options *options)
{
    OWNED(cairn_params_free) cairn_params *params = NULL, *design = NULL;
    cairn_model_formula f;
    cairn_fit_options fitting = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_model_formula_roles(ctx, r->table, formula));
    CHECK(cairn_model_formula_of_table(ctx, &f, formula, r->table));
    CHECK(cairn_params_from_spec(ctx, &design, CAIRN_ENTRY_TRANSFORM, "design"));
    CHECK(cairn_params_set(ctx, design, "formula", formula));
    CHECK(cairn_params_new(ctx, &params, "glm"));
    CHECK(set_options(ctx, params, options, &f));
    fitting.transforms = design;
    fitting.missing = "drop";
    fitting.task = CAIRN_REGRESS;
    CHECK(cairn_model_fit(ctx, &r->model, params, r->table, &fitting));
    r->glm = r->model->state;
    r->account = r->model->account;
    return CAIRN_OK;
}

cairn_status cairn_regression_fit(cairn_context *ctx, cairn_regression *out,
                                  const cairn_table *table, const char *formula,
                                  const cairn_regression_options *options)
{
    SCOPED_SCRATCH(ctx);
    *out = (cairn_regression){0};
    cairn_status status = cairn_table_share(ctx, &out->table, table);
    if (!status) status = fit(ctx, out, formula, options);
    if (status == CAIRN_USAGE || status == CAIRN_BAD_DATA)
        cairn_message_prefix(ctx, "'%s'", formula);
    if (status) cairn_regression_clear(out);
    return status;
}

/* Score and mean of a row. */
static double mean_of(const cairn_glm_model *m, const double *x)
{
    size_t n = m->weights.n_terms;
    double slope, score = cairn_dot(x, m->weights.weights, n + 1);
    if (m->exposure >= 0) score += cairn_log(x[m->exposure]);
    return cairn_link_mean(m->family.link, score, &slope);
}

cairn_status cairn_regression_read(cairn_context *ctx, cairn_regression_rows *out,
                                   const cairn_regression *r)
{
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    cairn_view view;
    size_t n = r->table->n_rows, m = r->glm->weights.n_terms;
    CHECK(cairn_chain_apply(ctx, r->model, &inner, r->table));
    CHECK(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    CHECK(SCRATCH(ctx, &out->x, cairn_product(n, m + 1) + 1));
    CHECK(SCRATCH(ctx, &out->values, n + 1));
    CHECK(SCRATCH(ctx, &out->means, n + 1));
    CHECK(SCRATCH(ctx, &out->weights, n + 1));
    CHECK(cairn_term_names(ctx, &out->names, &r->model->inner));
    cairn_view_target_numbers(&view, 0, n, out->values);
    cairn_view_weights(&view, 0, n, out->weights);
    for (size_t i = 0; i < n; i++) {
        double *row = out->x + i * (m + 1);
        if (m) cairn_view_block(&view, i, 1, row);
        row[m] = 1;
        out->means[i] = mean_of(r->glm, row);
    }
    out->n = n;
    out->n_terms = m;
    return CAIRN_OK;
}
