/* SPDX-License-Identifier: MIT */
/* Coefficients as rows of a table: see coefficients.h. */
#include "learners/linear/coefficients.h"

#include "base/memory.h"
#include "model/chain.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* value = start + step * seen: how a number that the learner saw goes back into the units of the
 * data. A step that is NaN: not by a line. */
typedef struct line {
    double start, step;
} line;

/* Where the line is looked at: near 0, and so far off that a large mean takes no digits from the
 * step. */
enum { N_PLACES = 5 };
static const double FAR = 0x1p40;
static const double places[N_PLACES] = {0, 1, 2, FAR, 2 * FAR};

/* The line through what the places become. */
static line through(const double at[N_PLACES])
{
    double step = at[1] - at[0], next = at[2] - at[1];
    bool straight = fabs(next - step) <= 1e-9 * (fabs(step) + fabs(next)) && step != 0;
    if (!straight && fabs(next - step) <= 4 * DBL_EPSILON * fabs(at[0])) {
        step = (at[3] - at[0]) / FAR;
        next = (at[4] - at[3]) / FAR;
        straight = fabs(next - step) <= 1e-9 * (fabs(step) + fabs(next)) && step != 0;
    }
    return (line){at[0], straight ? step : NAN};
}

/* The same of the score, which is in the units of a number target. */
static line score_units(const cairn_job *job, const cairn_coefficients *s)
{
    double at[N_PLACES];
    memcpy(at, places, sizeof at);
    if (!job->described || job->task != CAIRN_REGRESS || s->linked) return (line){0, 1};
    cairn_chain_invert(job->described, at, N_PLACES);
    return through(at);
}

void cairn_coefficients_begin(cairn_ledger *out)
{
    cairn_ledger_columns(out, "ltnnnnn", "class", "term", "coefficient", "error", "t", "p", "raw");
}

/* One row; t and p where the error is known. */
static void write_row(cairn_ledger *out, const cairn_coefficients *s, size_t j, const char *term,
                      double raw)
{
    size_t at = j * (s->stride ? s->stride : 1);
    double weight = s->weights[at], error = s->errors ? s->errors[at] : NAN;
    double t = weight / error;
    cairn_ledger_cells(out, s->class, term, weight, error, t);
    if (!isfinite(t) || !(s->df > 0))
        cairn_ledger_missing(out);
    else
        cairn_ledger_number(out, isinf(s->df) ? 2 * cairn_normal_upper(fabs(t))
                                              : 2 * cairn_t_upper(fabs(t), s->df));
    cairn_ledger_number(out, raw);
}

/* Coefficients in the units of the data, n_terms + 1; whether some differ from what the learner
 * saw. */
static bool to_raw(const cairn_job *job, const cairn_coefficients *s, const char *const *names,
                   double *out)
{
    size_t stride = s->stride ? s->stride : 1;
    line target = score_units(job, s);
    double constant = s->weights[s->n_terms * stride];
    bool changed = target.start != 0 || target.step != 1;
    for (size_t j = 0; j < s->n_terms; j++) {
        const cairn_model *model = job->described;
        const char *term = names[j];
        line units;
        double at[N_PLACES];
        memcpy(at, places, sizeof at);
        if (!model || !cairn_chain_restore(model, term, &at[0])) {
            units = (line){0, 1};
        } else {
            for (size_t i = 1; i < N_PLACES; i++) (void)cairn_chain_restore(model, term, &at[i]);
            units = through(at);
        }
        double weight = s->weights[j * stride], slope = weight == 0 ? 0 : weight / units.step;
        constant -= slope * units.start;
        out[j] = target.step * slope;
        changed = changed || units.start != 0 || units.step != 1;
    }
    out[s->n_terms] = target.start + target.step * constant;
    return changed;
}

void cairn_coefficients_write(cairn_ledger *out, const cairn_job *job, const cairn_coefficients *s)
{
    const char *const *names;
    double *raw;
    if (out->status) return;
    SCOPED_SCRATCH(out->ctx);
    cairn_ledger_failed(out, cairn_term_names(out->ctx, &names, job->schema));
    cairn_ledger_failed(out, SCRATCH(out->ctx, &raw, s->n_terms + 1));
    if (out->status) return;
    (void)to_raw(job, s, names, raw);
    for (size_t j = 0; j < s->n_terms && !out->status; j++) write_row(out, s, j, names[j], raw[j]);
    if (s->intercept || raw[s->n_terms] != 0)
        write_row(out, s, s->n_terms, "(intercept)", raw[s->n_terms]);
}

enum { EQUATION_TERMS = 20, TABLE_ROWS = 200 };

static void show_raw_row(cairn_report *out, const cairn_coefficients *s, const char *name,
                         const char *key, double raw)
{
    cairn_report_cell(out, name);
    if (s->class)
        cairn_report_cell_number(out, raw, 6, "coefficient.raw.%s.%s",
                                 cairn_report_key(out, s->class), key);
    else
        cairn_report_cell_number(out, raw, 6, "coefficient.raw.%s", key);
}

/* Nothing is shown where the learner saw the units of the data; the equation only for one plane
 * that gives the target itself. */
static cairn_status show_raw(cairn_context *ctx, cairn_report *out, const cairn_job *job,
                             const cairn_coefficients *s)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char *const *names;
    double *raw;
    ptrdiff_t at = cairn_schema_role(job->schema, CAIRN_TARGET);
    bool any = true;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &raw, s->n_terms + 1));
    if (!job->described || !to_raw(job, s, names, raw)) return CAIRN_OK;
    if (!s->class && !s->linked && at >= 0) {
        cairn_text_addf(&text, "%s = ", job->schema->fields[at].name);
        cairn_text_add_number(&text, raw[s->n_terms], 6);
        for (size_t t = 0; t < s->n_terms && t < EQUATION_TERMS; t++)
            cairn_add_term(&text, &any, raw[t], names[t], false);
        if (s->n_terms > EQUATION_TERMS) cairn_text_add(&text, " + …");
        CHECK(cairn_text_status(&text));
        cairn_report_paragraph(out, "The equation above is for columns on the scale that the "
                                    "learner saw. In the units of the data:");
        cairn_report_formula(out, "%s", cairn_text_string(&text));
        cairn_report_hidden_word(out, cairn_text_string(&text), "equation.raw");
    }
    cairn_text_clear(&text);
    text = cairn_text_start(ctx);
    cairn_text_addf(&text, "In the units of the data%s%s", s->class ? ", class " : "",
                    s->class ? s->class : "");
    CHECK(cairn_text_status(&text));
    cairn_report_table_of(out, cairn_text_string(&text), TABLE_ROWS, "lr", "term", "coefficient");
    show_raw_row(out, s, "intercept", "intercept", raw[s->n_terms]);
    for (size_t t = 0; t < s->n_terms; t++)
        show_raw_row(out, s, names[t], cairn_term_key(out, names[t]), raw[t]);
    cairn_report_table_end(out);
    return CAIRN_OK;
}

void cairn_coefficients_show_raw(cairn_report *out, const cairn_job *job,
                                 const cairn_coefficients *s)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, show_raw(ctx, out, job, s));
}
