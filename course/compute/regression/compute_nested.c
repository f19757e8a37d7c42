/* SPDX-License-Identifier: MIT */
/* cairn compute nested-models: models of the same rows, each a part of the next, compared by what
 * the larger one adds: F tests where the dispersion is estimated, likelihood-ratio tests where it
 * is 1. With one model, each term that no other term contains is left out in turn.
 *
 * F = ((D_small - D_large) / (df_small - df_large)) / φ of the largest model; the likelihood ratio
 * is the numerator's difference itself, chi-squared with the difference of the degrees of
 * freedom. */
#include "compute/regression/regression_fit.h"

#include "base/memory.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

enum { MOST_MODELS = 64 };
typedef enum { TEST_AUTO, TEST_F, TEST_CHI2 } test_choice;

typedef struct nested_params {
    const char *model;
    int test; /* test_choice */
    cairn_regression_options regression;
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
    CAIRN_PARAM_GROUP(nested_params, regression, cairn_regression_params),
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
    CHECK(cairn_regression_fit(ctx, &fitted, c->job->table, m->formula, &p->regression));
    m->df = cairn_regression_df(&fitted);
    m->deviance = fitted.account->deviance;
    m->aic = p->regression.quasi ? NAN : fitted.account->aic;
    m->rows = fitted.account->total;
    bool known = isinf(fitted.glm->df);
    if (c->df < 0 || m->df < c->df) {
        c->df = m->df;
        c->dispersion = fitted.glm->dispersion;
    }
    c->f = p->test == TEST_F || (p->test == TEST_AUTO && !known);
    cairn_regression_clear(&fitted);
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
        cairn_report_cell(out, m->label);
        cairn_report_cell_number(out, m->df, 0, "model%zu.df", i + 1);
        cairn_report_cell_number(out, m->deviance, 7, "model%zu.deviance", i + 1);
        cairn_report_cell_number(out, m->aic, 7, "model%zu.aic", i + 1);
        cairn_report_cell_number(out, t.df, 0, "model%zu.difference_df", i + 1);
        cairn_report_cell_number(out, t.fall, 6, "model%zu.difference", i + 1);
        cairn_report_cell_number(out, t.statistic, 5, c->f ? "model%zu.f" : "model%zu.chi2", i + 1);
        cairn_report_cell_number(out, t.p, 4, "model%zu.p", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "dispersion of the largest model", c->dispersion, "dispersion");
    cairn_report_hidden(out, c->df, "df");
}

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
