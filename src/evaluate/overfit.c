/* SPDX-License-Identifier: MIT */
/* The definition checked: see overfit.h. "New rows" are the held-out rows of the inner splits, so
 * "in truth" is an estimate; the statement gives its standard error. */
#include "evaluate/overfit.h"
#include "base/number.h"
#include "base/text.h"
#include <math.h>

bool cairn_overfit_comparable(const cairn_search *s)
{
    return cairn_same(s->measure->entry.name, "accuracy") ||
           cairn_same(s->measure->entry.name, "mse");
}

static bool is_better(const cairn_search *s, double a, double b)
{
    return s->measure->lower_better ? a < b : a > b;
}

/* Trials that were judged on all rows: halving leaves the others behind. */
static bool counts(const cairn_search *s, size_t i)
{
    const cairn_trial *t = &s->trials[i];
    return !isnan(t->value) && !isnan(t->training) && t->round >= s->n_rounds;
}

cairn_overfit cairn_overfit_find(const cairn_search *s)
{
    cairn_overfit out = {0};
    bool any = false;
    if (!cairn_overfit_comparable(s)) return out;
    for (size_t i = 0; i < s->n; i++) {
        if (!counts(s, i)) continue;
        if (!any || is_better(s, s->trials[i].value, s->trials[out.against].value)) out.against = i;
        any = true;
    }
    const cairn_trial *best = &s->trials[out.against];
    for (size_t i = 0; any && i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (!counts(s, i) || !is_better(s, best->value, t->value) ||
            !is_better(s, t->training, best->training))
            continue;
        out.n++;
        if (!out.found || is_better(s, t->training, s->trials[out.overfits].training))
            out.overfits = i;
        out.found = true;
    }
    return out;
}

void cairn_overfit_report(cairn_report *out, const cairn_search *s)
{
    cairn_overfit o = cairn_overfit_find(s);
    char number[4][CAIRN_NUMBER_SIZE];
    if (!cairn_overfit_comparable(s)) return;
    cairn_report_hidden(out, (double)o.n, "overfitting.trials");
    if (!o.found) return;
    const cairn_trial *h = &s->trials[o.overfits], *other = &s->trials[o.against];
    cairn_number_format(number[0], h->training, 4);
    cairn_number_format(number[1], h->value, 4);
    cairn_number_format(number[2], other->training, 4);
    cairn_number_format(number[3], other->value, 4);
    cairn_report_note(out,
                      "%s overfits: %s is worse on the training rows (%s %s against %s) and better "
                      "on rows that were held out (%s against %s).",
                      h->label, other->label, s->measure->entry.name, number[2], number[0],
                      number[3], number[1]);
    cairn_report_hidden_word(out, h->label, "overfitting.setting");
    cairn_report_hidden_word(out, other->label, "overfitting.against");
    double gap = fabs(other->value - h->value);
    if (!isnan(other->error) && gap < other->error)
        cairn_report_paragraph(out, "The difference on the held-out rows is less than a standard "
                                    "error, so it may be chance.");
}
