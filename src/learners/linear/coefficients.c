/* SPDX-License-Identifier: MIT */
/* Coefficients as rows of a table: see coefficients.h. */
#include "learners/linear/coefficients.h"

#include "base/memory.h"
#include "model/chain.h"
#include "rows/matrix.h"
#include "stats/distributions.h"
#include <math.h>

/* value = start + step * seen: how a number that the learner saw goes back into the units of the
 * data. A step that is NaN: not by a line. */
typedef struct line {
    double start, step;
} line;

/* The line through what 0, 1 and 2 become. */
static line through(double at_0, double at_1, double at_2)
{
    double step = at_1 - at_0, next = at_2 - at_1;
    bool straight = fabs(next - step) <= 1e-9 * (fabs(step) + fabs(next)) && step != 0;
    return (line){at_0, straight ? step : NAN};
}

static line term_units(const cairn_model *model, const char *term)
{
    double at[3] = {0, 1, 2};
    if (!model || !cairn_chain_restore(model, term, &at[0])) return (line){0, 1};
    (void)cairn_chain_restore(model, term, &at[1]);
    (void)cairn_chain_restore(model, term, &at[2]);
    return through(at[0], at[1], at[2]);
}

/* The same of the score, which is in the units of a number target. */
static line score_units(const cairn_job *job, const cairn_coefficients *s)
{
    double at[3] = {0, 1, 2};
    if (!job->described || job->task != CAIRN_REGRESS || s->linked) return (line){0, 1};
    cairn_chain_invert(job->described, at, 3);
    return through(at[0], at[1], at[2]);
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
    cairn_ledger_word(out, s->class);
    cairn_ledger_word(out, term);
    cairn_ledger_number(out, weight);
    cairn_ledger_number(out, error);
    cairn_ledger_number(out, t);
    if (!isfinite(t) || !(s->df > 0))
        cairn_ledger_missing(out);
    else
        cairn_ledger_number(out, isinf(s->df) ? 2 * cairn_normal_upper(fabs(t))
                                              : 2 * cairn_t_upper(fabs(t), s->df));
    cairn_ledger_number(out, raw);
}

void cairn_coefficients_write(cairn_ledger *out, const cairn_job *job, const cairn_coefficients *s)
{
    const char *const *names;
    size_t stride = s->stride ? s->stride : 1;
    line target = score_units(job, s);
    double constant = s->weights[s->n_terms * stride];
    if (out->status) return;
    cairn_ledger_failed(out, cairn_term_names(out->ctx, &names, job->schema));
    for (size_t j = 0; j < s->n_terms && !out->status; j++) {
        line units = term_units(job->described, names[j]);
        double slope = s->weights[j * stride] / units.step;
        constant -= slope * units.start;
        write_row(out, s, j, names[j], target.step * slope);
    }
    constant = target.start + target.step * constant;
    if (s->intercept || constant != 0) write_row(out, s, s->n_terms, "(intercept)", constant);
}
