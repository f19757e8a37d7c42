/* SPDX-License-Identifier: MIT */
/* An impurity with its numbers put in, as on a board: −9/14·log₂(9/14) − 5/14·log₂(5/14). */
#include "stats/impurity.h"

enum { MOST_TERMS = 12 };

static void add_fraction(cairn_text *out, double part, double whole)
{
    cairn_text_add_number(out, part, 6);
    cairn_text_add_char(out, '/');
    cairn_text_add_number(out, whole, 6);
}

static const char *log_name(double base)
{
    return base == 2 ? "log₂" : base == 10 ? "log₁₀" : "ln";
}

/* What one class adds; `first` = nothing stands before it. */
static void add_term(cairn_text *out, cairn_impurity kind, double count, double total, double base,
                     bool first)
{
    switch (kind) {
    case CAIRN_ENTROPY:
        cairn_text_add(out, first ? "−" : " − ");
        add_fraction(out, count, total);
        cairn_text_addf(out, "·%s(", log_name(base));
        add_fraction(out, count, total);
        cairn_text_add_char(out, ')');
        break;
    case CAIRN_GINI:
        cairn_text_add(out, first ? "1 − (" : " − (");
        add_fraction(out, count, total);
        cairn_text_add(out, ")²");
        break;
    case CAIRN_MINORITY:
        cairn_text_add(out, first ? "1 − max(" : ", ");
        add_fraction(out, count, total);
        break;
    case CAIRN_SQRT_GINI:
        cairn_text_add(out, first ? "½·(√(" : " + √(");
        add_fraction(out, count, total);
        cairn_text_add(out, "·");
        add_fraction(out, total - count, total);
        cairn_text_add_char(out, ')');
        break;
    }
}

void cairn_impurity_add_terms(cairn_text *out, cairn_impurity kind, const double *counts, size_t n,
                              double log_base)
{
    double total = 0;
    size_t shown = 0;
    for (size_t l = 0; l < n; l++) total += counts[l];
    for (size_t l = 0; l < n; l++) {
        if (!(counts[l] > 0)) continue;
        if (shown == MOST_TERMS) cairn_text_add(out, " ...");
        if (shown < MOST_TERMS) add_term(out, kind, counts[l], total, log_base, shown == 0);
        shown++;
    }
    if (shown && (kind == CAIRN_MINORITY || kind == CAIRN_SQRT_GINI)) cairn_text_add_char(out, ')');
}
