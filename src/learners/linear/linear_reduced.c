/* SPDX-License-Identifier: MIT */
/* The model without some of its features beside the full one, without a second look at the rows.
 *
 * With C the inverse of the cross products and u the coefficients of unit columns, leaving the set
 * J out gives
 *
 *     u'_K = u_K − C_KJ C_JJ⁻¹ u_J,     SSE' = SSE + u_J · C_JJ⁻¹ u_J
 *
 * which is what a fit of the other features alone would find. The partial F test asks whether the
 * set explains more than chance. */
#include "base/memory.h"
#include "entry/entry.h"
#include "kernels/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/weights.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

typedef struct reduced {
    bool *gone; /* n_columns */
    size_t n_gone;
    double *coefficients; /* n_columns, 0 where gone */
    double constant, sse;
} reduced;

/* The terms that a list of names leaves out: "c" is the column, with all its levels "c=...". */
static cairn_status find_gone(cairn_context *ctx, reduced *r, const cairn_linear_model *m,
                              const char *const *names, const char *list)
{
    char **words;
    size_t n;
    CHECK(SCRATCH(ctx, &r->gone, m->n_columns));
    CHECK(cairn_list_split(ctx, list, &words, &n));
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(words[i]), found = 0;
        for (size_t j = 0; j < m->n_columns; j++) {
            bool same = strncmp(names[j], words[i], length) == 0 &&
                        (!names[j][length] || names[j][length] == '=');
            found += same;
            r->n_gone += same && !r->gone[j];
            r->gone[j] |= same;
        }
        if (!found)
            return cairn_fail(ctx, CAIRN_USAGE, "{without}: the model has no feature '%s'",
                              words[i]);
    }
    return CAIRN_OK;
}

/* Coefficients and errors of the reduced model; `singular` when the data do not determine them. */
static cairn_status reduce(cairn_context *ctx, reduced *r, const cairn_linear_model *m,
                           bool *singular)
{
    size_t p = m->n_columns, k = r->n_gone;
    double *block, *solved, condition;
    size_t *places, n = 0;
    CHECK(SCRATCH(ctx, &block, cairn_product(k, k)));
    CHECK(SCRATCH(ctx, &solved, k));
    CHECK(SCRATCH(ctx, &places, k));
    CHECK(SCRATCH(ctx, &r->coefficients, p));
    for (size_t j = 0; j < p; j++)
        if (r->gone[j]) places[n++] = j;
    for (size_t i = 0; i < k; i++) {
        solved[i] = m->coefficients[places[i]] * m->lengths[places[i]];
        for (size_t j = 0; j < k; j++) block[i * k + j] = m->inverse[places[i] * p + places[j]];
    }
    CHECK(cairn_solve(ctx, block, k, solved, 1, &condition));
    *singular = !(condition > 1e-13);
    r->sse = m->sse;
    r->constant = m->intercept ? m->target_mean : 0;
    for (size_t i = 0; i < k; i++)
        r->sse += m->coefficients[places[i]] * m->lengths[places[i]] * solved[i];
    for (size_t j = 0; j < p; j++) {
        double u = m->coefficients[j] * m->lengths[j];
        for (size_t i = 0; i < k; i++) u -= m->inverse[j * p + places[i]] * solved[i];
        if (!r->gone[j] && m->lengths[j] > 0) r->coefficients[j] = u / m->lengths[j];
        if (m->intercept) r->constant -= r->coefficients[j] * m->means[j];
    }
    return CAIRN_OK;
}

static void show_terms(cairn_report *out, const reduced *r, const cairn_linear_model *m,
                       const char *const *names)
{
    cairn_report_table_of(out, "Full and reduced model", 0, "lrr", "term", "full", "reduced");
    if (m->intercept) {
        cairn_report_cell(out, "intercept");
        cairn_report_cell_number(out, m->constant, 0, NULL);
        cairn_report_cell_number(out, r->constant, 0, "reduced.intercept");
    }
    for (size_t j = 0; j < m->n_columns; j++) {
        cairn_report_cell(out, names[j]);
        cairn_report_cell_number(out, m->coefficients[j], 0, NULL);
        if (r->gone[j])
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, r->coefficients[j], 0, "reduced.%s",
                                     cairn_term_key(out, names[j]));
    }
    cairn_report_table_end(out);
}

cairn_status cairn_linear_show_reduced(cairn_report *out, const cairn_linear_model *m,
                                       const char *const *names, const char *list)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    reduced r = {0};
    bool singular;
    CHECK(find_gone(ctx, &r, m, names, list));
    cairn_report_heading(out, 3, "Without %s", list);
    if (!cairn_linear_singular(m)) CHECK(reduce(ctx, &r, m, &singular));
    if (cairn_linear_singular(m) || singular) {
        cairn_report_note(out,
                          "The features depend on each other, so that the data do not say what "
                          "these ones add; fit once more with {ignore}.");
        return CAIRN_OK;
    }
    double full = cairn_linear_r2(m), left = m->sst > 0 ? 1 - r.sse / m->sst : NAN;
    double k = (double)r.n_gone, f = m->df > 0 ? (r.sse - m->sse) / k / (m->sse / m->df) : NAN;
    show_terms(out, &r, m, names);
    cairn_report_value(out, "R², full", full, "reduced.r2.full");
    cairn_report_value(out, "R², reduced", left, "reduced.r2");
    cairn_report_value(out, "loss of R²", full - left, "reduced.loss");
    cairn_report_worked(out, "F", "((SSE' − SSE) / k) / (SSE / df) = ((# − #) / #) / (# / #) = #",
                        r.sse, m->sse, k, m->sse, m->df, f);
    cairn_report_value(out, "F of the set", f, "reduced.f");
    cairn_report_value(out, "its p", isnan(f) ? NAN : cairn_f_upper(f, k, m->df), "reduced.p");
    return CAIRN_OK;
}
