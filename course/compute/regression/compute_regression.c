/* SPDX-License-Identifier: MIT */
/* cairn compute influence, and further down cairn compute nested, with the regression that both of
 * them fit.
 *
 * cairn compute influence: what single rows do to a regression, and whether its residuals are what
 * the model says.
 *
 * With C = (X'WX)⁻¹, x a row, W its working weight, d its deviance residual and r its Pearson
 * residual (both the plain residual of least squares), p free weights and φ the dispersion:
 *   leverage h = W x'Cx;  σ_(i) = root of (Σd² - d²/(1-h)) / (n-p-1), the deviation without the row
 *   studentised = sign(d) root of (d² + h r²/(1-h)), over σ_(i) where φ is estimated
 *   Cook's distance = (r/(1-h))² h / (φ p);  dffits = d root(h) / (σ_(i) (1-h))
 *   dfbetas_j = (Cx)_j root(W) d / (1-h) / (σ_(i) root C_jj)
 * Checks: Breusch-Pagan in Koenker's form, n R² of the squared residuals on the columns of the
 * model; Durbin-Watson; Jarque-Bera. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "stats/distributions.h"
#include "stats/durbin_watson.h"
#include "learners/linear/glm.h"
#include "model/model.h"
#include "model/calculator.h"
#include "model/model_formula.h"
#include "base/functions.h"
#include "base/number.h"
#include "model/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parameters that regressions have in common. */
typedef struct regression_options {
    int family, link;
    double theta;
    bool quasi;
} regression_options;

typedef struct cairn_regression {
    cairn_model *model;
    cairn_table *table; /* with the roles of the formula */
    const cairn_glm_model *glm;
    const cairn_glm_history *history;
} cairn_regression;

/* Degrees of freedom that the rows have left. */
static inline double regression_df(const cairn_regression *r)
{
    return r->history->total - r->history->rank;
}

/* The rows with their columns as the model saw them. */
typedef struct regression_rows {
    size_t n, n_terms;
    double *x;                /* n x (n_terms + 1), the last a 1; NaN where a cell is missing */
    double *values;           /* n */
    double *means;            /* n */
    double *weights;          /* n: those of the rows */
    const char *const *names; /* n_terms */
} regression_rows;

/* -- the regression -- */

static const cairn_param regression_params[] = {
    CAIRN_PARAM_CHOICE(regression_options, family, "gaussian", cairn_family_choices,
                       "distribution of the target", .often = true),
    CAIRN_PARAM_CHOICE(regression_options, link, "canonical", cairn_link_choices,
                       "function of the mean that is a sum of terms"),
    CAIRN_PARAM(regression_options, theta, "1", "(0,inf)", "size of the negative binomial",
                .when = "family=negative-binomial"),
    CAIRN_PARAM(regression_options, quasi, "no", NULL,
                "estimate the dispersion where the family has 1",
                .when = "family=poisson|binomial|negative-binomial"),
    CAIRN_PARAM_END,
};

static void regression_clear(cairn_regression *r)
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

/* The columns of the formula, and what glm makes of them. */
static cairn_status fit(cairn_context *ctx, cairn_regression *r, const char *formula,
                        const regression_options *options)
{
    OWNED(cairn_params_free) cairn_params *params = NULL, *design = NULL;
    cairn_model_formula f;
    cairn_fit_options fitting = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_model_formula_roles(ctx, r->table, formula));
    CHECK(cairn_model_formula_of_table(ctx, &f, formula, r->table));
    CHECK(cairn_params_from_spec(ctx, &design, CAIRN_ENTRY_TRANSFORM, "design"));
    CHECK(cairn_params_set(ctx, design, "formula", formula));
    CHECK(cairn_params_new(ctx, &params, "glm"));
    char number[CAIRN_NUMBER_SIZE];
    CHECK(cairn_params_set(ctx, params, "family",
                           choice_name(cairn_family_choices, options->family)));
    CHECK(cairn_params_set(ctx, params, "link", choice_name(cairn_link_choices, options->link)));
    cairn_number_format(number, options->theta, CAIRN_SHORTEST);
    if (options->family == CAIRN_NEGATIVE_BINOMIAL)
        CHECK(cairn_params_set(ctx, params, "theta", number));
    if (options->quasi) CHECK(cairn_params_set(ctx, params, "quasi", "yes"));
    if (!f.intercept) CHECK(cairn_params_set(ctx, params, "intercept", "no"));
    if (f.n_offsets) CHECK(cairn_params_set(ctx, params, "offset", "(offset)"));
    fitting.transforms = design;
    fitting.missing = "drop";
    fitting.task = CAIRN_REGRESS;
    CHECK(cairn_model_fit(ctx, &r->model, params, r->table, &fitting));
    r->glm = r->model->state;
    r->history = r->model->history;
    return CAIRN_OK;
}

/* Fit the formula to the rows that have no missing cell in its columns. The message of a failure
 * begins with the formula. */
static cairn_status regression_fit(cairn_context *ctx, cairn_regression *out,
                                   const cairn_table *table, const char *formula,
                                   const regression_options *options)
{
    SCOPED_SCRATCH(ctx);
    *out = (cairn_regression){0};
    cairn_status status = cairn_table_share(ctx, &out->table, table);
    if (!status) status = fit(ctx, out, formula, options);
    if (status == CAIRN_USAGE || status == CAIRN_BAD_DATA)
        cairn_message_prefix(ctx, "'%s'", formula);
    if (status) regression_clear(out);
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

/* Scratch; borrowed names. */
static cairn_status regression_read(cairn_context *ctx, regression_rows *out,
                                    const cairn_regression *r)
{
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    cairn_view view;
    size_t n = r->table->n_rows, m = r->glm->weights.n_terms;
    CHECK(cairn_chain_apply(ctx, r->model, &inner, r->table));
    CHECK(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    CHECK(SCRATCH(ctx, &out->x, cairn_product(n, m + 1) + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &out->values, &out->means, &out->weights));
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

/* -- compute nested -- */

/* cairn compute nested-models: models of the same rows, each a part of the next, compared by what
 * the larger one adds: F tests where the dispersion is estimated, likelihood-ratio tests where it
 * is 1. With one model, each term that no other term contains is left out in turn.
 *
 * F = ((D_small - D_large) / (df_small - df_large)) / φ of the largest model; the likelihood ratio
 * is the numerator's difference itself, chi-squared with the difference of the degrees of
 * freedom. */

enum { MOST_MODELS = 64 };
typedef enum { TEST_AUTO, TEST_F, TEST_CHI2 } test_choice;

typedef struct nested_params {
    const char *model;
    int test; /* test_choice */
    regression_options regression;
} nested_params;

static const cairn_choice tests[] = {
    {"auto", TEST_AUTO, "f where the dispersion is estimated, else chi2"},
    {"f", TEST_F, "F test against the dispersion of the largest model"},
    {"chi2", TEST_CHI2, "likelihood-ratio test, chi-squared"},
    {0},
};

static const cairn_param nested_table[] = {
    {.name = "model",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(nested_params, model),
     .help = "a formula such as 'y ~ a + b'; several are compared in their order, of one each term "
             "is left out in turn",
     .required = true,
     .repeated = true,
     .often = true},
    CAIRN_PARAM_CHOICE(nested_params, test, "auto", tests, "which test"),
    CAIRN_PARAM_GROUP(nested_params, regression, regression_params),
    CAIRN_PARAM_END,
};

typedef struct nested_model {
    const char *formula;
    const char *label; /* of the row of the table */
    double df, deviance, aic, rows;
    size_t against; /* the model that it is compared with; itself = with none */
} nested_model;

typedef struct comparison {
    cairn_report *out;
    const cairn_compute_job *job;
    nested_model *models;
    size_t n;
    bool f;
    double dispersion, df; /* of the largest model */
} comparison;

static cairn_status fit_model(cairn_context *ctx, comparison *c, nested_model *m)
{
    const nested_params *p = c->job->params;
    cairn_regression fitted;
    CHECK(regression_fit(ctx, &fitted, c->job->table, m->formula, &p->regression));
    m->df = regression_df(&fitted);
    m->deviance = fitted.history->deviance;
    m->aic = p->regression.quasi ? NAN : fitted.history->aic;
    m->rows = fitted.history->total;
    bool known = isinf(fitted.glm->df);
    if (c->df < 0 || m->df < c->df) {
        c->df = m->df;
        c->dispersion = fitted.glm->dispersion;
    }
    c->f = p->test == TEST_F || (p->test == TEST_AUTO && !known);
    regression_clear(&fitted);
    return CAIRN_OK;
}

/* The models as they were typed, each against the one before it. */
static cairn_status list_models(cairn_context *ctx, comparison *c, const char *const *lines)
{
    for (size_t i = 0; i < c->n; i++) {
        nested_model *m = &c->models[i];
        *m = (nested_model){.formula = lines[i], .label = lines[i], .against = i ? i - 1 : 0};
        CHECK(fit_model(ctx, c, m));
        if (m->rows != c->models[0].rows)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' has other rows than the first model, because cells of its "
                              "columns are missing; leave those rows out for all ({where})",
                              lines[i]);
        if (i && m->df == c->models[i - 1].df)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s' has as many free weights as the model before it, so neither "
                              "is a part of the other; give models that grow",
                              lines[i]);
    }
    return CAIRN_OK;
}

static void add_term_name(cairn_text *out, const cairn_model_formula *f,
                          const cairn_formula_term *term)
{
    for (size_t i = 0; i < term->n; i++) {
        const cairn_formula_variable *v = &f->variables[term->variables[i]];
        const char *quote = v->kind == CAIRN_VARIABLE_COLUMN ? "`" : "";
        cairn_text_addf(out, "%s%s%s%s", i ? ":" : "", quote, v->name, quote);
    }
}

/* Whether another term has all variables of this one: then it stays. */
static bool is_contained(const cairn_model_formula *f, size_t term)
{
    for (size_t t = 0; t < f->n_terms; t++) {
        size_t found = 0;
        for (size_t i = 0; i < f->terms[term].n; i++)
            for (size_t k = 0; k < f->terms[t].n; k++)
                found += f->terms[t].variables[k] == f->terms[term].variables[i];
        if (t != term && found == f->terms[term].n) return true;
    }
    return false;
}

/* The text without the blanks and quotes that only the language needs, and as a formula. */
static cairn_status without_term(cairn_context *ctx, nested_model *m, const char *formula,
                                 const cairn_model_formula *f, size_t term)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text rest = cairn_text_start(ctx);
    char *label, *text;
    add_term_name(&name, f, &f->terms[term]);
    cairn_text_addf(&rest, "%s - %s", formula, cairn_text_string(&name));
    CHECK(cairn_text_status(&name));
    CHECK(cairn_text_status(&rest));
    CHECK(SCRATCH(ctx, &label, name.length + 3));
    CHECK(SCRATCH(ctx, &text, rest.length + 1));
    memcpy(text, cairn_text_string(&rest), rest.length);
    label[0] = '-', label[1] = ' ';
    for (size_t i = 0, at = 2; i < name.length; i++)
        if (name.bytes[i] != '`') label[at++] = name.bytes[i];
    *m = (nested_model){.formula = text, .label = label, .against = 0};
    return CAIRN_OK;
}

/* One model, and what it becomes without each of its terms. */
static cairn_status list_dropped(cairn_context *ctx, comparison *c, const char *formula)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_model_formula f;
    CHECK(cairn_table_share(ctx, &table, c->job->table));
    CHECK(cairn_model_formula_roles(ctx, table, formula));
    CHECK(cairn_model_formula_of_table(ctx, &f, formula, table));
    CHECK(SCRATCH(ctx, &c->models, f.n_terms + 1));
    c->models[0] = (nested_model){.formula = formula, .label = formula};
    CHECK(fit_model(ctx, c, &c->models[0]));
    c->n = 1;
    for (size_t t = 0; t < f.n_terms; t++) {
        if (is_contained(&f, t)) continue;
        CHECK(without_term(ctx, &c->models[c->n], formula, &f, t));
        CHECK(fit_model(ctx, c, &c->models[c->n]));
        c->n++;
    }
    return CAIRN_OK;
}

typedef struct tested {
    double df, fall, statistic, p;
} tested;

static tested test_of(const comparison *c, size_t i)
{
    const nested_model *m = &c->models[i], *other = &c->models[m->against];
    tested t = {NAN, NAN, NAN, NAN};
    if (m->against == i) return t;
    bool grows = other->df > m->df;
    t.df = fabs(other->df - m->df);
    t.fall = grows ? other->deviance - m->deviance : m->deviance - other->deviance;
    t.statistic = c->f ? t.fall / t.df / c->dispersion : t.fall / c->dispersion;
    if (!(t.df > 0) || !isfinite(t.statistic)) return t;
    double at = fmax(0, t.statistic);
    t.p = !c->f ? cairn_chi2_upper(at, t.df) : c->df > 0 ? cairn_f_upper(at, t.df, c->df) : NAN;
    return t;
}

static void show_table(const comparison *c)
{
    cairn_report *out = c->out;
    cairn_report_table_of(out, "Models", MOST_MODELS, "lrrrrrrr", "model", "df", "deviance", "AIC",
                          "df of the difference", "fall of the deviance", c->f ? "F" : "χ²", "p");
    for (size_t i = 0; i < c->n; i++) {
        const nested_model *m = &c->models[i];
        tested t = test_of(c, i);
        cairn_report_prefix(out, "model%zu", i + 1);
        cairn_report_cells(out, "- @.df @.deviance:7 @.aic:7 @.difference_df @.difference",
                           m->label, m->df, m->deviance, m->aic, t.df, t.fall);
        cairn_report_cell_number(out, t.statistic, 5, c->f ? "model%zu.f" : "model%zu.chi2", i + 1);
        cairn_report_cell_number(out, t.p, 4, "model%zu.p", i + 1);
    }
    cairn_report_value(out, "dispersion of the largest model", c->dispersion, "dispersion");
    cairn_report_hidden(out, c->df, "df");
}

/* The deviances are put in order, since either of two models may be the larger one. */
static void show_steps(const comparison *c)
{
    cairn_report *out = c->out;
    for (size_t i = 0; i < c->n; i++) {
        tested t = test_of(c, i);
        const nested_model *m = &c->models[i], *other = &c->models[m->against];
        double large = fmin(m->deviance, other->deviance),
               small = fmax(m->deviance, other->deviance);
        if (m->against == i) continue;
        cairn_report_step_begin(out, "%s", m->label);
        if (c->f)
            cairn_report_worked(out, "F", "(D₁ − D₂)/(df₁ − df₂) / φ = (# − #)/# / # = #", small,
                                large, t.df, c->dispersion, t.statistic);
        else
            cairn_report_worked(out, "χ²", "(D₁ − D₂) / φ = (# − #) / # = #", small, large,
                                c->dispersion, t.statistic);
        cairn_report_worked(out, "p", "upper tail at # = #", t.statistic, t.p);
        cairn_report_step_end(out);
    }
}

/* One model is set against itself without each of its terms, several against the one before. */
static cairn_status nested_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const nested_params *p = job->params;
    comparison c = {.out = out, .job = job, .df = -1};
    const char *const *lines;
    CHECK(cairn_list_lines(ctx, p->model, &lines));
    while (lines[c.n]) c.n++;
    if (c.n > MOST_MODELS)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d models are compared", MOST_MODELS);
    CHECK(SCRATCH(ctx, &c.models, c.n + 1));
    if (c.n == 1)
        CHECK(list_dropped(ctx, &c, lines[0]));
    else
        CHECK(list_models(ctx, &c, lines));
    cairn_report_heading(out, 1, "Nested models: %s", job->table->source ? job->table->source : "");
    show_table(&c);
    if (job->steps) show_steps(&c);
    cairn_report_paragraph(out, c.f ? "F is the fall of the deviance per weight over the "
                                      "dispersion; p is the chance of so large an F if the "
                                      "further terms had no effect."
                                    : "p is the chance of so large a fall of the deviance if the "
                                      "further terms had no effect (likelihood-ratio test).");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_nested_models = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "nested-models",
              .also = "anova, analysis of variance table, likelihood ratio test, partial F test, "
                      "drop1, analysis of deviance, model comparison",
              .title = "Nested models compared",
              .summary = "Fits model formulas to the same rows and compares each with the one "
                         "before it: F tests for linear models and estimated dispersions, "
                         "likelihood-ratio tests for counts and shares, in one table with "
                         "deviances, degrees of freedom and AIC. Of a single model every term that "
                         "no other one contains is left out in turn.",
              .references = "Fisher, Statistical Methods for Research Workers (1925); Wilks, The "
                            "large-sample distribution of the likelihood ratio (1938)",
              .example = "cairn compute nested-models @used-cars --model 'price ~ age' --model "
                         "'price ~ age + distance'",
              .params = nested_table,
              .params_size = sizeof(nested_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = nested_run,
};

enum { SHOWN_ROWS = 50, SHOWN_TERMS = 8, MOST_BARS = 2000 };

typedef struct influence_params {
    const char *formula;
    regression_options regression;
} influence_params;

static const cairn_param influence_table[] = {
    {.name = "formula",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(influence_params, formula),
     .help = "the model, such as 'y ~ a + b'",
     .required = true,
     .often = true},
    CAIRN_PARAM_GROUP(influence_params, regression, regression_params),
    CAIRN_PARAM_END,
};

typedef struct influence_row {
    double residual, pearson, leverage, sigma, studentised, cook, dffits;
} influence_row;

typedef struct influence {
    cairn_report *out;
    cairn_regression fitted;
    regression_rows rows;
    double *inverse;     /* (n_terms + 1)²: of X'WX */
    influence_row *list; /* rows.n; NaN for rows that were not learned from */
    double *dfbetas;     /* rows.n x (n_terms + 1) */
    size_t *worst;       /* the rows by falling Cook's distance, at most 5 */
    size_t n_worst;
} influence;

static double working_weight(const cairn_family *f, double mean)
{
    double slope;
    (void)cairn_link_mean(f->link, cairn_link_score(f->link, mean), &slope);
    return slope * slope / cairn_family_variance(f, mean);
}

/* Residuals and leverages; returns the sum of squared deviance residuals. */
static double find_leverages(influence *a)
{
    const cairn_family *f = &a->fitted.glm->family;
    size_t all = a->rows.n_terms + 1;
    double sum = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double y = a->rows.values[i], mean = a->rows.means[i], h = 0;
        const double *x = a->rows.x + i * all;
        influence_row *row = &a->list[i];
        double d = cairn_family_deviance(f, y, mean);
        row->residual = (y < mean ? -1 : 1) * sqrt(fmax(0, d));
        row->pearson = (y - mean) / sqrt(cairn_family_variance(f, mean));
        for (size_t j = 0; j < all; j++) h += x[j] * cairn_dot(a->inverse + j * all, x, all);
        row->leverage = h * working_weight(f, mean);
        if (isnan(y + mean) || !(a->rows.weights[i] > 0)) row->residual = NAN;
        if (isfinite(row->residual)) sum += a->rows.weights[i] * row->residual * row->residual;
    }
    return sum;
}

/* A row that alone determines its fit (leverage 1) has no influence to tell: its values are NaN. */
static void find_row(influence *a, size_t i, double sum)
{
    const cairn_glm_model *m = a->fitted.glm;
    size_t all = a->rows.n_terms + 1;
    influence_row *row = &a->list[i];
    const double *x = a->rows.x + i * all;
    double d = row->residual, h = row->leverage, left = 1 - h, p = a->fitted.history->rank;
    double df = regression_df(&a->fitted) - 1;
    bool sure = !(left > 1e-12); /* the row alone determines its fit */
    row->sigma = df > 0 && !sure ? sqrt(fmax(0, (sum - d * d / left) / df)) : NAN;
    double size = sqrt(d * d + h * row->pearson * row->pearson / left);
    row->studentised = (d < 0 ? -size : size) / (isinf(m->df) ? 1 : row->sigma);
    row->cook = row->pearson / left * (row->pearson / left) * h / (m->dispersion * p);
    row->dffits = d * sqrt(h) / (row->sigma * left);
    double root = sqrt(working_weight(&m->family, a->rows.means[i]));
    for (size_t j = 0; j < all; j++) {
        double change = cairn_dot(a->inverse + j * all, x, all) * root * d / left;
        a->dfbetas[i * all + j] = change / (row->sigma * sqrt(a->inverse[j * (all + 1)]));
    }
    if (sure) row->studentised = row->cook = row->dffits = NAN;
}

/* The largest of Cook's distances, one after the other. */
static void find_worst(influence *a)
{
    while (a->n_worst < 5 && a->n_worst < a->rows.n) {
        double most = 0;
        size_t at = a->rows.n;
        for (size_t i = 0; i < a->rows.n; i++) {
            bool taken = false;
            for (size_t k = 0; k < a->n_worst; k++) taken |= a->worst[k] == i;
            if (!taken && a->list[i].cook > most) most = a->list[i].cook, at = i;
        }
        if (at == a->rows.n) return;
        a->worst[a->n_worst++] = at;
    }
}

/* An exact fit leaves no residual to judge rows by, and is refused. */
static cairn_status find_influence(cairn_context *ctx, influence *a)
{
    const cairn_glm_model *m = a->fitted.glm;
    size_t all;
    CHECK(regression_read(ctx, &a->rows, &a->fitted));
    all = a->rows.n_terms + 1;
    CHECK(SCRATCH(ctx, &a->inverse, cairn_product(all, all)));
    CHECK(SCRATCH(ctx, &a->list, a->rows.n + 1));
    CHECK(SCRATCH(ctx, &a->dfbetas, cairn_product(a->rows.n, all) + 1));
    CHECK(SCRATCH(ctx, &a->worst, 6));
    if (!(m->dispersion > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no degrees of freedom are left, or the fit is exact: there is nothing "
                          "to judge rows by; leave terms out of the formula");
    for (size_t j = 0; j < all * all; j++) a->inverse[j] = m->covariance[j] / m->dispersion;
    double sum = find_leverages(a);
    for (size_t i = 0; i < a->rows.n; i++) find_row(a, i, sum);
    find_worst(a);
    return CAIRN_OK;
}

/* -- checks of the residuals -- */

/* n R² of the squared residuals on the columns of the model, by normal equations of unit
 * columns; NaN when they are singular. */
static cairn_status breusch_pagan(cairn_context *ctx, const influence *a, double *out, double *df)
{
    SCOPED_SCRATCH(ctx);
    size_t n = a->rows.n, m = a->rows.n_terms, used = 0, pivot;
    double *mean, *cross, *right, condition, total = 0, level = 0, explained = 0;
    CHECK(SCRATCH(ctx, &mean, m + 1));
    CHECK(SCRATCH(ctx, &cross, cairn_product(m, m) + 1));
    CHECK(SCRATCH(ctx, &right, 2 * m + 1));
    for (size_t i = 0; i < n; i++) {
        double e = a->list[i].residual;
        if (!isfinite(e)) continue;
        for (size_t j = 0; j < m; j++) mean[j] += a->rows.x[i * (m + 1) + j];
        level += e * e;
        used++;
    }
    for (size_t j = 0; j < m; j++) mean[j] /= (double)used;
    level /= (double)used;
    for (size_t i = 0; i < n; i++) {
        double e = a->list[i].residual, s = e * e - level;
        const double *x = a->rows.x + i * (m + 1);
        if (!isfinite(e)) continue;
        total += s * s;
        for (size_t j = 0; j < m; j++) {
            right[j] += (x[j] - mean[j]) * s;
            for (size_t k = 0; k < m; k++) cross[j * m + k] += (x[j] - mean[j]) * (x[k] - mean[k]);
        }
    }
    *out = *df = NAN;
    if (m == 0 || !(total > 0)) return CAIRN_OK;
    memcpy(right + m, right, m * sizeof *right);
    CHECK(cairn_cholesky(ctx, cross, m, &condition, &pivot));
    if (!(condition > 1e-14)) return CAIRN_OK;
    CHECK(cairn_cholesky_solve(ctx, cross, m, right, 1));
    for (size_t j = 0; j < m; j++) explained += right[j] * right[m + j];
    *out = (double)used * explained / total;
    *df = (double)m;
    return CAIRN_OK;
}

/* The fitted columns of the rows that were learned from; false where the test has no meaning: it is
 * one of least squares with rows of equal weight. */
static cairn_status list_columns(cairn_context *ctx, const influence *a, double **x, size_t *n,
                                 size_t *k, bool *meant)
{
    const cairn_family *f = &a->fitted.glm->family;
    size_t all = a->rows.n_terms + 1;
    *meant = f->kind == CAIRN_GAUSSIAN && f->link == CAIRN_LINK_IDENTITY;
    *n = *k = 0;
    for (size_t j = 0; j < all; j++) *k += a->inverse[j * (all + 1)] > 0;
    CHECK(SCRATCH_RAW(ctx, x, cairn_product(a->rows.n, *k) + 1));
    for (size_t i = 0; i < a->rows.n; i++) {
        if (!isfinite(a->list[i].residual)) continue;
        *meant = *meant && a->rows.weights[i] == 1;
        for (size_t j = 0, at = 0; j < all; j++)
            if (a->inverse[j * (all + 1)] > 0) (*x)[*n * *k + at++] = a->rows.x[i * all + j];
        ++*n;
    }
    return CAIRN_OK;
}

/* The statistic with the chances of one that small and of one that large. */
static cairn_status show_watson(cairn_context *ctx, const influence *a, double d)
{
    double *x, below = NAN;
    size_t n, k;
    bool meant, exact = true;
    CHECK(list_columns(ctx, a, &x, &n, &k, &meant));
    if (meant) CHECK(cairn_durbin_watson_below(ctx, &below, &exact, x, n, k, d));
    cairn_report_value(a->out, "Durbin-Watson (no autocorrelation: 2)", d, "durbin_watson");
    cairn_report_value(
        a->out, exact ? "p (neighbours alike)" : "p (neighbours alike; normal approximation)",
        below, "durbin_watson.p");
    cairn_report_value(a->out, "p (neighbours opposed)", 1 - below, "durbin_watson.p_opposed");
    return CAIRN_OK;
}

typedef struct residual_moments {
    double watson; /* Durbin-Watson, of neighbours in the order of the table */
    double skewness, kurtosis, jarque_bera;
} residual_moments;

/* Durbin and Watson take the rows in their order; rows without a residual are passed over. */
static residual_moments find_moments(const influence *a)
{
    double before = NAN, steps = 0, squares = 0, third = 0, fourth = 0, n = 0, sum = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double e = a->list[i].residual;
        if (!isfinite(e)) continue;
        if (!isnan(before)) steps += (e - before) * (e - before);
        before = e;
        sum += e;
        n++;
    }
    double mean = sum / n;
    double about = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double e = a->list[i].residual, c = e - mean;
        if (!isfinite(e)) continue;
        squares += e * e;
        about += c * c;
        third += c * c * c;
        fourth += c * c * c * c;
    }
    double variance = about / n, skewness = third / n / (variance * sqrt(variance));
    double kurtosis = fourth / n / (variance * variance);
    return (residual_moments){
        .watson = steps / squares,
        .skewness = skewness,
        .kurtosis = kurtosis,
        .jarque_bera = n / 6 * (skewness * skewness + (kurtosis - 3) * (kurtosis - 3) / 4)};
}

static cairn_status show_checks(cairn_context *ctx, const influence *a)
{
    double bp, df;
    CHECK(breusch_pagan(ctx, a, &bp, &df));
    cairn_report_heading(a->out, 2, "Checks of the residuals");
    cairn_report_value(a->out, "Breusch-Pagan (constant variance)", bp, "breusch_pagan");
    cairn_report_value(a->out, "degrees of freedom", df, "breusch_pagan.df");
    cairn_report_value(a->out, "p", isnan(bp) ? NAN : cairn_chi2_upper(bp, df), "breusch_pagan.p");
    residual_moments m = find_moments(a);
    CHECK(show_watson(ctx, a, m.watson));
    cairn_report_value(a->out, "skewness", m.skewness, "skewness");
    cairn_report_value(a->out, "kurtosis (normal: 3)", m.kurtosis, "kurtosis");
    cairn_report_value(a->out, "Jarque-Bera (normal residuals)", m.jarque_bera, "jarque_bera");
    cairn_report_value(a->out, "p", cairn_chi2_upper(m.jarque_bera, 2), "jarque_bera.p");
    return CAIRN_OK;
}

/* -- the report -- */

static const char *term_name(const influence *a, size_t j)
{
    return j < a->rows.n_terms ? a->rows.names[j] : "intercept";
}

/* The mark is for the row with the largest of Cook's distances. */
static void show_rows(const influence *a)
{
    static const char *const heads[] = {"fitted",      "residual",        "leverage",
                                        "studentised", "Cook's distance", "dffits"};
    static const char *const keys[] = {"fitted",      "residual", "leverage",
                                       "studentised", "cook",     "dffits"};
    cairn_report_table_of(a->out, "Rows", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < 6; j++) cairn_report_column(a->out, heads[j], 'r');
    for (size_t i = 0; i < a->rows.n && cairn_report_row_wanted(a->out); i++) {
        const influence_row *r = &a->list[i];
        const double values[] = {a->rows.means[i], r->residual, r->leverage,
                                 r->studentised,   r->cook,     r->dffits};
        for (size_t k = 0; k < a->n_worst; k++)
            if (a->worst[k] == i && k == 0) cairn_report_row_mark(a->out);
        cairn_report_cellf(a->out, "%zu", i + 1);
        for (size_t j = 0; j < 6; j++)
            cairn_report_cell_number(a->out, values[j], 5, "%s.%zu", keys[j], i + 1);
    }
}

/* How far each coefficient moves, in standard errors, when the row is left out. */
static void show_dfbetas(const influence *a)
{
    size_t all = a->rows.n_terms + 1, first = a->fitted.glm->weights.intercept ? all : all - 1;
    size_t n = first < SHOWN_TERMS ? first : SHOWN_TERMS;
    cairn_report_table_of(a->out, "dfbetas", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < n; j++) cairn_report_column(a->out, term_name(a, j), 'r');
    for (size_t i = 0; i < a->rows.n && cairn_report_row_wanted(a->out); i++) {
        cairn_report_cellf(a->out, "%zu", i + 1);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(a->out, a->dfbetas[i * all + j], 4, "dfbetas.%zu.%s", i + 1,
                                     j < a->rows.n_terms ? cairn_term_key(a->out, a->rows.names[j])
                                                         : "intercept");
    }
}

static void show_worst(const influence *a)
{
    double p = a->fitted.history->rank, n = a->fitted.history->total;
    cairn_report_table_of(a->out, "Rows with the most influence", 0, "rrrr", "row",
                          "Cook's distance", "leverage", "studentised residual");
    for (size_t k = 0; k < a->n_worst; k++) {
        const influence_row *r = &a->list[a->worst[k]];
        cairn_report_prefix(a->out, "worst%zu", k + 1);
        cairn_report_cells(a->out, "@.row @.cook:5 @.leverage:5 @.studentised:5",
                           (double)a->worst[k] + 1, r->cook, r->leverage, r->studentised);
    }
    cairn_report_value(a->out, "mean leverage p/n", p / n, "leverage.mean");
    cairn_report_paragraph(a->out,
                           "A row with a leverage above twice the mean, a studentised residual "
                           "beyond 3, or a Cook's distance near 1 deserves a look: the fit without "
                           "it is another one.");
}

/* Names are only for the three rows of most influence, as more would cover the points. */
static cairn_status draw_influence(cairn_context *ctx, const influence *a)
{
    cairn_figure *figure = NULL;
    double *x, *y;
    char text[24];
    CHECK(SCRATCH_EACH(ctx, a->rows.n + 1, &x, &y));
    for (size_t i = 0; i < a->rows.n; i++) {
        x[i] = a->list[i].leverage;
        y[i] = a->list[i].studentised;
    }
    CHECK(cairn_figure_new(ctx, &figure, "influence", "Residuals and leverages"));
    cairn_figure_axes(figure, "leverage", "studentised residual");
    cairn_figure_points(figure, x, y, NULL, a->rows.n, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    for (size_t k = 0; k < a->n_worst && k < 3; k++) {
        snprintf(text, sizeof text, "%zu", a->worst[k] + 1);
        cairn_figure_label(figure, x[a->worst[k]], y[a->worst[k]], text);
    }
    cairn_report_figure(a->out, figure);
    return CAIRN_OK;
}

static cairn_status draw_cook(cairn_context *ctx, const influence *a)
{
    cairn_figure *figure = NULL;
    char text[24];
    if (a->rows.n > MOST_BARS) return CAIRN_OK; /* the table names the largest */
    CHECK(cairn_figure_new(ctx, &figure, "cook", "Cook's distance of the rows"));
    cairn_figure_axes(figure, "row", "Cook's distance");
    for (size_t i = 0; i < a->rows.n; i++) {
        double at = (double)i + 1, x[2] = {at, at}, y[2] = {0, a->list[i].cook};
        if (isfinite(y[1])) cairn_figure_thick(figure, NULL, x, y, 2);
    }
    for (size_t k = 0; k < a->n_worst && k < 3; k++) {
        snprintf(text, sizeof text, "%zu", a->worst[k] + 1);
        cairn_figure_label(figure, (double)a->worst[k] + 1, a->list[a->worst[k]].cook, text);
    }
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(a->out, figure);
    return CAIRN_OK;
}

/* All rows, for --out. */
static cairn_status keep_result(cairn_context *ctx, const influence *a, cairn_table **result)
{
    static const char *const names[] = {"fitted",      "residual", "leverage",
                                        "studentised", "cook",     "dffits"};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *values;
    if (!result) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &values, a->rows.n + 1));
    CHECK(cairn_table_new(ctx, &table, a->rows.n));
    for (size_t j = 0; j < 6; j++) {
        for (size_t i = 0; i < a->rows.n; i++) {
            const influence_row *r = &a->list[i];
            const double all[] = {a->rows.means[i], r->residual, r->leverage,
                                  r->studentised,   r->cook,     r->dffits};
            values[i] = all[j];
        }
        CHECK(cairn_table_put_numbers(ctx, table, names[j], values));
    }
    *result = TAKE(table);
    return CAIRN_OK;
}

static cairn_status influence_show(cairn_context *ctx, influence *a, const cairn_compute_job *job)
{
    CHECK(find_influence(ctx, a));
    cairn_report_heading(a->out, 1, "Influence of rows: %s",
                         ((const influence_params *)job->params)->formula);
    if (job->steps) {
        cairn_report_step_begin(a->out, "What a row does");
        cairn_report_formula(a->out, "h = W·xᵀ(XᵀWX)⁻¹x,  σ₍ᵢ₎² = (Σd² − d²/(1−h)) / (n−p−1)");
        cairn_report_formula(a->out,
                             "studentised = d / (σ₍ᵢ₎ √(1−h)),  Cook = (r/(1−h))² h / (φ p)");
        cairn_report_formula(a->out,
                             "dffits = d √h / (σ₍ᵢ₎ (1−h)),  dfbetas_j = ((XᵀWX)⁻¹x)_j √W d "
                             "/ ((1−h) σ₍ᵢ₎ √C_jj)");
        for (size_t i = 0; i < a->rows.n && i < 10; i++)
            cairn_report_worked(a->out, NULL, "row #: Cook = (# / (1 − #))² · # / (# · #) = #",
                                (double)i + 1, a->list[i].pearson, a->list[i].leverage,
                                a->list[i].leverage, a->fitted.glm->dispersion,
                                a->fitted.history->rank, a->list[i].cook);
        cairn_report_step_end(a->out);
    }
    show_worst(a);
    show_rows(a);
    show_dfbetas(a);
    CHECK(show_checks(ctx, a));
    CHECK(draw_influence(ctx, a));
    CHECK(draw_cook(ctx, a));
    return keep_result(ctx, a, job->result);
}

static cairn_status influence_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const influence_params *p = job->params;
    influence a = {.out = out};
    CHECK(regression_fit(ctx, &a.fitted, job->table, p->formula, &p->regression));
    cairn_status status = influence_show(ctx, &a, job);
    regression_clear(&a.fitted);
    return status;
}

const cairn_calculator cairn_compute_influence = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "influence",
              .also = "Cook's distance, leverage, dfbetas, dffits, studentized residuals, "
                      "regression diagnostics, hat values, Breusch-Pagan, Durbin-Watson, "
                      "Jarque-Bera",
              .title = "Influence of rows on a regression",
              .summary = "Fits a model formula and tells of every row its leverage, studentised "
                         "residual, Cook's distance, dffits and dfbetas, names the rows with the "
                         "most influence, and checks the residuals: constant variance "
                         "(Breusch-Pagan), autocorrelation (Durbin-Watson), normality "
                         "(Jarque-Bera). --out FILE.csv writes the table of all rows.",
              .references = "Cook, Detection of influential observation in linear regression "
                            "(1977); Belsley, Kuh and Welsch, Regression Diagnostics (1980); "
                            "Koenker, A note on studentizing a test for heteroscedasticity (1981)",
              .example = "cairn compute influence @used-cars --formula 'price ~ age + distance'",
              .params = influence_table,
              .params_size = sizeof(influence_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_WEIGHT,
    .run = influence_run,
};
