/* SPDX-License-Identifier: MIT */
/* cairn compute posterior: the whole table P(class | features) over all combinations of feature
 * values, typed as it is, as likelihoods with a prior, or as counts, which may be those of a table;
 * the most likely class of each combination, the decisions of maximum likelihood and maximum
 * posterior, and what is left when a feature is not observed.
 *
 * Combinations come in the order of counting: the last feature changes fastest. A feature that is
 * not observed is averaged out: P(class | rest) = Σ P(class | v, rest) P(v | rest). */
#include "typed/labels.h"
#include "entry/split.h"
#include "entry/probabilities.h"
#include "typed/outcomes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/multiclass.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { GIVEN_POSTERIOR, GIVEN_LIKELIHOOD, GIVEN_COUNTS } given_choice;

typedef enum { MISSING_EXACT, MISSING_MARGINAL } missing_choice;

enum { MOST_CELLS = 1000000, SHOWN_COMBINATIONS = 64 };

typedef struct posterior_params {
    const char *features, *classes, *prior, *observed;
    cairn_list values, chances, table, counts;
    const char *positive;
    double threshold; /* NaN = none */
    int given, missing_in_model;
} posterior_params;

static const cairn_choice givens[] = {
    {"posterior", GIVEN_POSTERIOR, "P(class | combination): every row adds up to 1"},
    {"likelihood", GIVEN_LIKELIHOOD, "P(combination | class): every column adds up to 1"},
    {"counts", GIVEN_COUNTS, "rows of data of each combination and class"},
    {0},
};

static const cairn_choice missing_choices[] = {
    {"exact", MISSING_EXACT, "by P(v | observed), the chance of its values beside what is known"},
    {"marginal", MISSING_MARGINAL, "by P(v), the chance of its values whatever else is observed"},
    {0},
};

static const cairn_param posterior_table[] = {
    CAIRN_PARAM_CELLS(posterior_params, table, COUNTS, NULL, NULL,
                      "typed: a row per combination of feature values, a number per class, such as "
                      "0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6",
                      .often = true),
    CAIRN_PARAM_CHOICE(posterior_params, given, "posterior", givens,
                       "what the typed numbers are; rows of DATA are counted", .often = true),
    CAIRN_PARAM(posterior_params, features, NULL, NULL,
                "names of the features, the last changes fastest from row to row; of DATA the "
                "columns that count, all of levels and of few numbers if not given",
                .often = true),
    CAIRN_PARAM_CELLS(posterior_params, values, WHOLE, NULL, "[1,1e9]",
                      "how many values each feature has; 2 each if not given"),
    CAIRN_PARAM(posterior_params, classes, NULL, NULL, "names of the classes"),
    CAIRN_PARAM(posterior_params, prior, NULL, NULL,
                "of likelihoods and counts: a number for each class in the order of the table that "
                "is shown, 'uniform', or 'empirical', the shares of the classes among what is "
                "counted; empirical of counts, else uniform if not given",
                .often = true),
    CAIRN_PARAM(posterior_params, positive, NULL, NULL,
                "of DATA: class that comes first, which odds, likelihood ratio and threshold are "
                "about; a usual word for yes, else the rarer class, if not given"),
    CAIRN_PARAM(posterior_params, threshold, CAIRN_NOT_GIVEN, "[0,1]",
                "of two classes: decide for the positive one where its posterior is above this"),
    CAIRN_PARAM_CELLS(
        posterior_params, chances, NUMBERS, NULL, "[0,inf)",
        "chance of each combination, up to a factor, to average a missing feature; all "
        "alike if not given",
        .when = "given=posterior"),
    CAIRN_PARAM_CELLS(
        posterior_params, counts, COUNTS, NULL, NULL,
        "rows of data of each combination and class, typed as the table: weights w of the "
        "classes are learned from them so that the largest w P(x | y) errs least",
        .when = "given=likelihood"),
    CAIRN_PARAM(posterior_params, observed, NULL, NULL,
                "a case: a value per feature, counted from 0 (of DATA as it stands there), and ? "
                "where it is not observed, such as ?,1",
                .often = true),
    CAIRN_PARAM_CHOICE(posterior_params, missing_in_model, "exact", missing_choices,
                       "how the values of a feature that is not observed are averaged",
                       .when = "observed"),
    CAIRN_PARAM_END,
};

typedef struct posterior_work {
    size_t n, k, m;     /* combinations, classes, features */
    double *posterior;  /* n x k */
    double *likelihood; /* n x k; NULL = not known */
    double *chances;    /* n */
    double *prior;      /* k; NULL = not known */
    double *counts;     /* n x k: rows of data; NULL = not known */
    double *weights;    /* k: learned from the counts; NULL = not */
    double *values;     /* m: how many each feature has */
    const char **features, **classes;
    const char ***names;    /* m: names of their values; NULL = they are counted from 0 */
    size_t *columns;        /* m: where they are in what was counted */
    double threshold;       /* NaN = none */
    cairn_outcomes counted; /* owned: what was counted */
} posterior_work;

/* -- input -- */

/* How many values each feature has; their product is the number of rows. */
static cairn_status read_values(cairn_context *ctx, posterior_work *w, const posterior_params *p)
{
    double rows = 1;
    for (w->m = p->values.n; !p->values.text && rows < (double)w->n; w->m++) rows *= 2;
    CHECK(cairn_list_or(ctx, &w->values, &p->values, "values", w->m, "features", 2));
    rows = 1;
    for (size_t j = 0; j < w->m; j++) rows *= w->values[j];
    if (rows != (double)w->n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table} has %zu rows, which are not all combinations of the features; "
                          "{values} says how many values each has",
                          w->n);
    return CAIRN_OK;
}

static cairn_status check_sums(cairn_context *ctx, const posterior_work *w, const double *cells,
                               bool rows)
{
    for (size_t i = 0; i < (rows ? w->n : w->k); i++) {
        double sum = 0;
        for (size_t j = 0; j < (rows ? w->k : w->n); j++)
            sum += rows ? cells[i * w->k + j] : cells[j * w->k + i];
        char text[CAIRN_NUMBER_SIZE];
        cairn_number_format(text, sum, 10);
        if (!(fabs(sum - 1) <= 1e-6))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{table}: %s %zu adds up to %s, not to 1; {given} says what the "
                              "numbers are",
                              rows ? "row" : "column", i + 1, text);
    }
    return CAIRN_OK;
}

static double class_sum(const posterior_work *w, const double *cells, size_t c)
{
    double sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += cells[i * w->k + c];
    return sum;
}

/* The prior as it is asked for, brought to the sum 1. */
static cairn_status read_prior(cairn_context *ctx, posterior_work *w, const char *text,
                               const double *cells)
{
    bool empirical = text ? cairn_same(text, "empirical") : cells == w->counts;
    bool typed = text && !empirical && !cairn_same(text, "uniform");
    double total = 0;
    size_t n = w->k;
    if (empirical && !w->counts)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{prior empirical} is counted, and no rows are given: type the numbers");
    if (typed)
        CHECK(cairn_list_probabilities(ctx, "prior", text, &w->prior, &n));
    else
        CHECK(SCRATCH(ctx, &w->prior, w->k));
    if (n != w->k)
        return cairn_fail(ctx, CAIRN_USAGE, "{prior} has %zu numbers for %zu classes", n, w->k);
    for (size_t c = 0; c < w->k; c++) {
        if (!typed) w->prior[c] = empirical ? class_sum(w, w->counts, c) : 1;
        if (w->prior[c] > 0 && !(class_sum(w, cells, c) > 0))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{prior}: class '%s' has a prior and no rows to learn from",
                              w->classes[c]);
        total += w->prior[c];
    }
    if (!(total > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "there is nothing to share out: all priors are 0");
    for (size_t c = 0; c < w->k; c++) w->prior[c] /= total;
    return CAIRN_OK;
}

/* Likelihoods or counts become posteriors: P(x | y) P(y), or the counts, divided by their sum. */
static cairn_status invert(cairn_context *ctx, posterior_work *w, const posterior_params *p,
                           const double *cells)
{
    CHECK(SCRATCH_EACH(ctx, cairn_product(w->n, w->k), &w->posterior, &w->likelihood));
    CHECK(SCRATCH(ctx, &w->chances, w->n));
    for (size_t c = 0; c < w->k; c++) {
        double sum = class_sum(w, cells, c);
        for (size_t i = 0; i < w->n; i++)
            w->likelihood[i * w->k + c] = sum > 0 ? cells[i * w->k + c] / sum : NAN;
    }
    CHECK(read_prior(ctx, w, p->prior, cells));
    for (size_t i = 0; i < w->n; i++) {
        double *row = w->posterior + i * w->k;
        for (size_t c = 0; c < w->k; c++) {
            double joint = w->prior[c] > 0 ? w->likelihood[i * w->k + c] * w->prior[c] : 0;
            row[c] = joint;
            w->chances[i] += joint;
        }
        for (size_t c = 0; c < w->k; c++) row[c] = w->chances[i] > 0 ? row[c] / w->chances[i] : NAN;
    }
    return CAIRN_OK;
}

/* Posteriors have the prior in them, so a prior beside them is refused. */
static cairn_status read_typed(cairn_context *ctx, posterior_work *w, const posterior_params *p)
{
    double *cells;
    if (p->positive)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{positive} is for DATA; of a typed table the first class is meant");
    CHECK(cairn_list_or(ctx, &cells, &p->table, "table", p->table.n, "cells", 0));
    w->n = p->table.rows;
    w->k = p->table.columns;
    if (w->k < 2) return cairn_fail(ctx, CAIRN_USAGE, "{table}: a number for each of two classes");
    CHECK(read_values(ctx, w, p));
    CHECK(cairn_read_names(ctx, &w->features, p->features, w->m, "features", "x"));
    CHECK(cairn_read_names(ctx, &w->classes, p->classes, w->k, "classes", "c"));
    if (p->given != GIVEN_COUNTS) CHECK(check_sums(ctx, w, cells, p->given == GIVEN_POSTERIOR));
    if (p->given == GIVEN_COUNTS) w->counts = cells;
    if (p->counts.text)
        CHECK(cairn_list_or(ctx, &w->counts, &p->counts, "counts", p->counts.n, "cells", 0));
    if (p->counts.text && (p->counts.rows != w->n || p->counts.columns != w->k))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{counts} has %zu rows of %zu numbers, {table} %zu rows of %zu",
                          p->counts.rows, p->counts.columns, w->n, w->k);
    if (p->given != GIVEN_POSTERIOR) return invert(ctx, w, p, cells);
    if (p->prior)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{prior}: posteriors have theirs in them; {given} says what the numbers "
                          "are");
    w->posterior = cells;
    return cairn_list_or(ctx, &w->chances, &p->chances, "chances", w->n, "combinations", 1);
}

/* -- rows of a table -- */

/* Count the rows by the features that are named, or by all that have few values, and the target. */
static cairn_status count_rows(cairn_context *ctx, posterior_work *w, const posterior_params *p,
                               const cairn_table *table, const char **target)
{
    SCOPED(cairn_text_clear) cairn_text variables = cairn_text_start(ctx);
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "which column holds the classes? name it with {target COLUMN}");
    *target = table->slots[at].name;
    cairn_text_addf(&variables, "%s,\"%s\"", p->features ? p->features : "", *target);
    CHECK(cairn_text_status(&variables));
    cairn_outcomes_option option = {.variables =
                                        p->features ? cairn_text_string(&variables) : NULL};
    return cairn_outcomes_read(ctx, &w->counted, &option, table, "compute posterior");
}

/* The names of a column's levels, with NULL behind them. */
static cairn_status names_of(cairn_context *ctx, const char ***out, const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' holds %s, and a table of posteriors needs levels",
                          slot->name, cairn_kind_plural(column->kind));
    CHECK(SCRATCH(ctx, out, column->names.n + 1));
    for (size_t i = 0; i < column->names.n; i++) (*out)[i] = cairn_level_name(column, (int32_t)i);
    return CAIRN_OK;
}

/* Where the features are: in the order in which they are named, else in that of the table. */
static cairn_status find_features(cairn_context *ctx, posterior_work *w, const char *features,
                                  size_t target)
{
    const cairn_table *table = w->counted.levels;
    char **items = NULL;
    size_t n = table->n_columns, at;
    if (features) CHECK(cairn_list_split(ctx, features, &items, &n));
    CHECK(SCRATCH(ctx, &w->columns, n));
    for (size_t j = 0; j < n; j++) {
        bool twice = false;
        at = j;
        if (items) CHECK(cairn_table_get(ctx, table, items[j], &at));
        for (size_t f = 0; f < w->m; f++) twice = twice || w->columns[f] == at;
        if (at != target && !twice) w->columns[w->m++] = at;
    }
    if (w->m) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no column but the target is left as a feature; columns of numbers are cut "
                      "into intervals first");
}

/* Features and classes with their values; a table of all combinations must not be too long. */
static cairn_status name_columns(cairn_context *ctx, posterior_work *w, size_t target)
{
    const cairn_table *table = w->counted.levels;
    const cairn_slot *classes = &table->slots[target];
    double combinations = 1;
    CHECK(SCRATCH_EACH(ctx, w->m, &w->features, &w->values, &w->names));
    for (size_t j = 0; j < w->m; j++) {
        const cairn_slot *slot = &table->slots[w->columns[j]];
        w->features[j] = slot->name;
        w->values[j] = (double)slot->column->names.n;
        combinations *= w->values[j];
        CHECK(names_of(ctx, &w->names[j], slot));
    }
    CHECK(names_of(ctx, &w->classes, classes));
    w->k = classes->column->names.n;
    if (w->k < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the target '%s' has one class; two are needed",
                          classes->name);
    if (combinations * (double)w->k > MOST_CELLS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the values of %zu features have too many combinations for a table; "
                          "choose some with {features}",
                          w->m);
    w->n = (size_t)combinations;
    return CAIRN_OK;
}

/* The counts of all combinations, the last feature changing fastest. */
static cairn_status fill_counts(cairn_context *ctx, posterior_work *w, size_t target)
{
    const cairn_outcomes *o = &w->counted;
    const double *n = o->n ? o->n : o->p;
    const cairn_column *classes = o->levels->slots[target].column;
    CHECK(SCRATCH(ctx, &w->counts, cairn_product(w->n, w->k)));
    for (size_t i = 0; i < o->levels->n_rows; i++) {
        size_t cell = 0;
        bool lacks = classes->codes[i] < 0;
        for (size_t j = 0; j < w->m; j++)
            lacks = lacks || o->levels->slots[w->columns[j]].column->codes[i] < 0;
        if (lacks)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu lacks a value, so its probability belongs nowhere", i + 1);
        for (size_t j = 0; j < w->m; j++) {
            const cairn_column *column = o->levels->slots[w->columns[j]].column;
            cell = cell * column->names.n + (size_t)column->codes[i];
        }
        w->counts[cell * w->k + (size_t)classes->codes[i]] += n[i];
    }
    return CAIRN_OK;
}

/* The class that is asked for, and of two classes the positive one, comes first. */
static cairn_status order_classes(cairn_context *ctx, posterior_work *w, const char *wanted)
{
    size_t at = 0;
    if (w->k == 2) {
        double sums[2] = {class_sum(w, w->counts, 0), class_sum(w, w->counts, 1)};
        CHECK(cairn_choose_positive(ctx, &at, w->classes, sums, wanted));
    } else if (wanted) {
        while (at < w->k && strcmp(w->classes[at], wanted) != 0) at++;
        if (at == w->k)
            return cairn_fail(ctx, CAIRN_USAGE, "{positive}: there is no class '%s'", wanted);
    }
    /* The class changes places with the first, in the names and in the counts. */
    const char *name = w->classes[0];
    w->classes[0] = w->classes[at];
    w->classes[at] = name;
    for (size_t i = 0; i < w->n; i++) {
        double number = w->counts[i * w->k];
        w->counts[i * w->k] = w->counts[i * w->k + at];
        w->counts[i * w->k + at] = number;
    }
    return CAIRN_OK;
}

/* Whether the table holds the posteriors themselves: a row for each combination of its levels, and
 * number columns p_CLASS whose rows add up to 1. */
static cairn_status read_posteriors(cairn_context *ctx, posterior_work *w,
                                    const posterior_params *p, const cairn_table *table,
                                    bool *found)
{
    double *cells, combinations = 1;
    *found = false;
    if (p->given != GIVEN_POSTERIOR || p->features || p->prior || p->positive || p->table.text ||
        cairn_table_role_column(table, CAIRN_TARGET) >= 0)
        return CAIRN_OK;
    CHECK(SCRATCH(ctx, &w->classes, table->n_columns + 1));
    CHECK(SCRATCH_EACH(ctx, table->n_columns, &w->features, &w->values, &w->names, &w->columns));
    w->k = w->m = 0;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->role != CAIRN_FEATURE) continue;
        if (cairn_table_numbers(table, j)) {
            bool marked = strncmp(slot->name, "p_", 2) == 0 && slot->name[2];
            if (!marked) return CAIRN_OK;
            w->classes[w->k++] = slot->name + 2;
        } else if (slot->column->kind == CAIRN_LEVEL) {
            w->features[w->m] = slot->name;
            w->values[w->m] = (double)slot->column->names.n;
            combinations *= w->values[w->m];
            w->columns[w->m] = j;
            CHECK(names_of(ctx, &w->names[w->m++], slot));
        }
    }
    if (w->k < 2 || !w->m || combinations != (double)table->n_rows) return CAIRN_OK;
    w->n = table->n_rows;
    CHECK(SCRATCH(ctx, &cells, cairn_product(w->n, w->k)));
    CHECK(SCRATCH(ctx, &w->chances, w->n));
    for (size_t i = 0; i < w->n; i++) {
        size_t at = 0, c = 0;
        double sum = 0;
        for (size_t f = 0; f < w->m; f++) {
            const cairn_column *column = table->slots[w->columns[f]].column;
            if (column->codes[i] < 0) return CAIRN_OK;
            at = at * column->names.n + (size_t)column->codes[i];
        }
        if (w->chances[at] > 0) return CAIRN_OK; /* the combination stands there twice */
        w->chances[at] = 1;
        for (size_t j = 0; j < table->n_columns; j++) {
            const double *numbers = cairn_table_numbers(table, j);
            if (!numbers || table->slots[j].role != CAIRN_FEATURE) continue;
            cells[at * w->k + c++] = numbers[i];
            sum += numbers[i];
        }
        if (!(fabs(sum - 1) <= 1e-6)) return CAIRN_OK;
    }
    w->posterior = cells;
    *found = true;
    return CAIRN_OK;
}

/* Rows replace everything that can be typed; a target with too many values is no class. */
static cairn_status read_data(cairn_context *ctx, posterior_work *w, const posterior_params *p,
                              const cairn_table *table)
{
    const char *target;
    bool found;
    if (p->table.text || p->counts.text || p->values.text || p->classes)
        found = false;
    else
        CHECK(read_posteriors(ctx, w, p, table, &found));
    if (found && p->chances.text)
        CHECK(cairn_list_or(ctx, &w->chances, &p->chances, "chances", w->n, "combinations", 1));
    if (found) return CAIRN_OK;
    w->k = w->m = 0;
    if (p->table.text || p->counts.text || p->chances.text || p->values.text || p->classes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table}, {counts}, {chances}, {values} and {classes} are typed in place "
                          "of DATA, whose rows are counted");
    CHECK(count_rows(ctx, w, p, table, &target));
    ptrdiff_t at = cairn_table_find(w->counted.levels, target);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has too many values to be classes; cut it into "
                          "intervals first",
                          target);
    CHECK(find_features(ctx, w, p->features, (size_t)at));
    CHECK(name_columns(ctx, w, (size_t)at));
    CHECK(fill_counts(ctx, w, (size_t)at));
    CHECK(order_classes(ctx, w, p->positive));
    return invert(ctx, w, p, w->counts);
}

static cairn_status read_work(cairn_context *ctx, posterior_work *w, const posterior_params *p,
                              const cairn_table *table)
{
    if (!table && !p->table.text)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute posterior' needs numbers, {table}, or DATA whose rows are "
                          "counted");
    CHECK(table ? read_data(ctx, w, p, table) : read_typed(ctx, w, p));
    w->threshold = p->threshold;
    if (isnan(w->threshold) || w->k == 2) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{threshold} is for two classes, and there are %zu", w->k);
}

/* -- the table -- */

/* Value of feature j in combination i. */
static size_t value_of(const posterior_work *w, size_t i, size_t j)
{
    size_t step = 1;
    for (size_t f = j + 1; f < w->m; f++) step *= (size_t)w->values[f];
    return i / step % (size_t)w->values[j];
}

/* The class of the largest number; of equal ones the first. */
static size_t largest(const double *row, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (row[c] > row[best] + 1e-12) best = c;
    return best;
}

/* The class that a rule takes for a combination: the largest factor times likelihood. */
static size_t decide(const posterior_work *w, size_t i, const double *factors)
{
    const double *likely = w->likelihood + i * w->k;
    size_t best = 0;
    double most = -1;
    for (size_t c = 0; c < w->k; c++) {
        double score = isnan(likely[c]) ? 0 : likely[c] * (factors ? factors[c] : 1);
        if (score > most + 1e-12 * fabs(most)) most = score, best = c;
    }
    return best;
}

/* With a threshold the first of two classes where its posterior is above that. */
static const char *decided(const posterior_work *w, const double *row)
{
    if (isnan(row[0])) return "n/a";
    return w->classes[row[0] > w->threshold ? 0 : 1];
}

static double rows_of(const posterior_work *w, size_t i)
{
    double n = 0;
    for (size_t c = 0; c < w->k; c++) n += w->counts[i * w->k + c];
    return n;
}

static void begin_table(cairn_report *out, const posterior_work *w)
{
    cairn_report_table_begin(out, "Posterior of every combination",
                             w->names ? SHOWN_COMBINATIONS : 0);
    for (size_t j = 0; j < w->m; j++)
        cairn_report_column(out, w->features[j], w->names ? 'l' : 'r');
    if (w->names && w->counts) cairn_report_column(out, w->counted.n ? "rows" : "P", 'r');
    for (size_t c = 0; c < w->k; c++) {
        char head[80];
        snprintf(head, sizeof head, "P(%.60s)", w->classes[c]);
        cairn_report_column(out, head, 'r');
    }
    if (w->k == 2) cairn_report_column(out, "odds", 'r');
    cairn_report_column(out, "most likely", 'l');
    if (!isnan(w->threshold)) cairn_report_column(out, "at the threshold", 'l');
    if (w->likelihood && w->k == 2) cairn_report_column(out, "likelihood ratio", 'r');
    if (w->likelihood) cairn_report_column(out, "ML", 'l');
}

/* Whether the first of two classes is the only one that can be. */
static bool is_certain(const double *pair)
{
    return pair[0] > 0 && pair[1] == 0;
}

static void show_ratio(cairn_report *out, const double *pair, const char *name, size_t i)
{
    if (is_certain(pair))
        cairn_report_cell_word(out, "∞", "row%zu.%s", i + 1, name);
    else
        cairn_report_cell_number(out, pair[0] / pair[1], 0, "row%zu.%s", i + 1, name);
}

/* A row per combination, those that no row of the data has included. */
static void show_table(cairn_report *out, const posterior_work *w)
{
    begin_table(out, w);
    for (size_t i = 0; i < w->n; i++) {
        const double *row = w->posterior + i * w->k;
        for (size_t j = 0; j < w->m; j++) {
            size_t value = value_of(w, i, j);
            if (w->names)
                cairn_report_cell(out, w->names[j][value]);
            else
                cairn_report_cellf(out, "%zu", value);
        }
        if (w->names && w->counts)
            cairn_report_cell_number(out, rows_of(w, i), 0, "row%zu.n", i + 1);
        for (size_t c = 0; c < w->k; c++)
            cairn_report_cell_number(out, row[c], 0, "row%zu.%s", i + 1,
                                     cairn_report_key(out, w->classes[c]));
        if (w->k == 2) show_ratio(out, row, "odds", i);
        cairn_report_cell_word(out, isnan(row[0]) ? "n/a" : w->classes[largest(row, w->k)],
                               "row%zu.class", i + 1);
        if (!isnan(w->threshold))
            cairn_report_cell_word(out, decided(w, row), "row%zu.decided", i + 1);
        if (!w->likelihood) continue;
        const double *likely = w->likelihood + i * w->k;
        if (w->k == 2) show_ratio(out, likely, "ratio", i);
        size_t ml = decide(w, i, NULL);
        cairn_report_cell_word(out, likely[ml] > 0 ? w->classes[ml] : "n/a", "row%zu.ml", i + 1);
    }
}

/* The first rows: likelihood times prior, divided by their sum. */
static void work_rows(cairn_report *out, const posterior_work *w)
{
    enum { MOST_WORKED = 8 };
    for (size_t i = 0; i < w->n && i < MOST_WORKED; i++) {
        const double *row = w->posterior + i * w->k;
        cairn_report_step_begin(out, "Combination %zu", i + 1);
        for (size_t c = 0; c < w->k && w->likelihood; c++)
            cairn_report_worked(out, w->classes[c], "P(x | y) P(y) / P(x) = # · # / # = #",
                                w->likelihood[i * w->k + c], w->prior[c], w->chances[i], row[c]);
        if (w->k == 2 && is_certain(row))
            cairn_report_worked(out, "odds", "# / 0 = ∞", row[0]);
        else if (w->k == 2)
            cairn_report_worked(out, "odds", "# / # = #", row[0], row[1], row[0] / row[1]);
        cairn_report_step_end(out);
    }
}

/* -- rules beside each other -- */

static double rows_wrong(const posterior_work *w, const double *factors)
{
    double wrong = 0;
    for (size_t i = 0; i < w->n; i++) {
        size_t said = decide(w, i, factors);
        for (size_t c = 0; c < w->k; c++)
            if (c != said) wrong += w->counts[i * w->k + c];
    }
    return wrong;
}

/* Rows of the other class than the threshold decides for; combinations without a posterior have
 * none. */
static double wrong_at_threshold(const posterior_work *w)
{
    double wrong = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!isnan(w->posterior[i * 2]))
            wrong += w->counts[i * 2 + (w->posterior[i * 2] > w->threshold)];
    return wrong;
}

/* Maximum likelihood, maximum posterior and the weights that the rows teach, and how many rows each
 * gets wrong. */
static cairn_status show_rules(cairn_context *ctx, cairn_report *out, posterior_work *w)
{
    /* Weights of the classes with which the largest w P(x | y) errs least on the rows: with two
     * classes the best point of the ROC curve of the likelihood ratio, with more one class after
     * the other. */
    size_t n = cairn_product(w->n, w->k);
    double *scores;
    int32_t *classes;
    CHECK(SCRATCH(ctx, &scores, cairn_product(n, w->k)));
    CHECK(SCRATCH(ctx, &classes, n));
    CHECK(SCRATCH(ctx, &w->weights, w->k));
    for (size_t i = 0; i < n; i++) {
        const double *row = w->likelihood + i / w->k * w->k;
        classes[i] = (int32_t)(i % w->k);
        for (size_t c = 0; c < w->k; c++) scores[i * w->k + c] = isnan(row[c]) ? 0 : row[c];
    }
    CHECK(cairn_reweight_classes(ctx, w->weights, scores, classes, w->counts, n, w->k, NULL, NULL,
                                 NULL));
    cairn_report_table_of(out, "Weights of the classes", 0, "lrr", "class", "prior", "learned");
    for (size_t c = 0; c < w->k; c++) {
        cairn_report_cells(out, "- - weight.$1", w->classes[c], w->prior[c], w->weights[c]);
    }
    for (size_t i = 0; i < w->n; i++)
        cairn_report_hidden_word(out, w->classes[decide(w, i, w->weights)], "row%zu.weighted",
                                 i + 1);
    cairn_report_value(out, "rows wrong by maximum likelihood", rows_wrong(w, NULL), "errors.ml");
    cairn_report_value(out, "  by maximum posterior", rows_wrong(w, w->prior), "errors.map");
    cairn_report_value(out, "  by the learned weights", rows_wrong(w, w->weights),
                       "errors.weighted");
    if (!isnan(w->threshold))
        cairn_report_value(out, "  at the threshold", wrong_at_threshold(w), "errors.threshold");
    return CAIRN_OK;
}

/* -- a case -- */

static const char *value_candidate(size_t i, const void *names)
{
    return ((const char *const *)names)[i];
}

/* A value as it is typed: a name where values have names, else a number from 0. */
static cairn_status read_value(cairn_context *ctx, size_t *out, const posterior_work *w, size_t j,
                               const char *text)
{
    size_t n = (size_t)w->values[j];
    double value;
    for (size_t v = 0; w->names && v < n; v++)
        if (strcmp(w->names[j][v], text) == 0) {
            *out = v;
            return CAIRN_OK;
        }
    if (w->names) {
        const char *near = cairn_nearest_word(text, value_candidate, w->names[j]);
        return cairn_fail(ctx, CAIRN_USAGE, "{observed}: '%s' is no value of '%s'%s%s%s", text,
                          w->features[j], near ? "; did you mean '" : "", near ? near : "",
                          near ? "'?" : "");
    }
    if (!cairn_number_parse(text, strlen(text), &value) || !(value >= 0) || value != floor(value) ||
        !(value < w->values[j]))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{observed}: '%s' is no value of %s, which has 0 to %zu, or ?", text,
                          w->features[j], n - 1);
    *out = (size_t)value;
    return CAIRN_OK;
}

/* The value of each feature, SIZE_MAX where it is not observed. */
static cairn_status read_case(cairn_context *ctx, size_t *out, const posterior_work *w,
                              const char *text)
{
    char **items;
    size_t n;
    CHECK(cairn_list_split(ctx, text, &items, &n));
    if (n != w->m)
        return cairn_fail(ctx, CAIRN_USAGE, "{observed} has %zu values for %zu features", n, w->m);
    for (size_t j = 0; j < n; j++) {
        out[j] = SIZE_MAX;
        if (strcmp(items[j], "?") != 0) CHECK(read_value(ctx, &out[j], w, j, items[j]));
    }
    return CAIRN_OK;
}

static bool fits(const posterior_work *w, const size_t *values, size_t i)
{
    for (size_t j = 0; j < w->m; j++)
        if (values[j] != SIZE_MAX && values[j] != value_of(w, i, j)) return false;
    return !isnan(w->posterior[i * w->k]);
}

/* The number of a combination of those features alone that are not observed. */
static size_t hidden_part(const posterior_work *w, const size_t *values, size_t i)
{
    size_t part = 0;
    for (size_t j = 0; j < w->m; j++)
        if (values[j] == SIZE_MAX) part = part * (size_t)w->values[j] + value_of(w, i, j);
    return part;
}

/* The share of each combination in the average, 0 where it does not fit: its own chance, or that of
 * the values that are not observed, whatever the others are. */
static cairn_status weigh(cairn_context *ctx, double **out, const posterior_work *w,
                          const size_t *values, bool marginal)
{
    double *hidden, all = 0;
    CHECK(SCRATCH_EACH(ctx, w->n, out, &hidden));
    for (size_t i = 0; i < w->n; i++) hidden[hidden_part(w, values, i)] += w->chances[i];
    for (size_t i = 0; i < w->n; i++) {
        if (!fits(w, values, i)) continue;
        (*out)[i] = marginal ? hidden[hidden_part(w, values, i)] : w->chances[i];
        all += (*out)[i];
    }
    if (!(all > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "{observed}: such a case has the probability 0");
    for (size_t i = 0; i < w->n; i++) (*out)[i] /= all;
    return CAIRN_OK;
}

/* P(class | what is observed): the rows that fit, averaged by their shares. */
static cairn_status average(cairn_context *ctx, cairn_report *out, const posterior_work *w,
                            const double *shares, double *answer, bool steps)
{
    double *terms;
    CHECK(SCRATCH(ctx, &terms, cairn_product(w->n, 2)));
    for (size_t c = 0; c < w->k; c++) {
        size_t n = 0;
        for (size_t i = 0; i < w->n; i++) {
            if (!(shares[i] > 0)) continue;
            terms[2 * n] = w->posterior[i * w->k + c], terms[2 * n + 1] = shares[i];
            answer[c] += terms[2 * n] * terms[2 * n + 1], n++;
        }
        if (steps) cairn_report_worked_sum(out, w->classes[c], "# · #", terms, 2, n, answer[c]);
        cairn_report_value(out, w->classes[c], answer[c], "observed.%s",
                           cairn_report_key(out, w->classes[c]));
    }
    return CAIRN_OK;
}

/* Odds of a certain class are infinite, and are told as a word. */
static cairn_status show_case(cairn_context *ctx, cairn_report *out, const posterior_work *w,
                              const posterior_params *p, bool steps)
{
    bool marginal = p->missing_in_model == MISSING_MARGINAL;
    double *answer, *shares;
    size_t *values;
    CHECK(SCRATCH(ctx, &answer, w->k));
    CHECK(SCRATCH(ctx, &values, w->m + 1));
    CHECK(read_case(ctx, values, w, p->observed));
    CHECK(weigh(ctx, &shares, w, values, marginal));
    cairn_report_heading(out, 2, "Observed: %s", p->observed);
    cairn_report_formula(out, "P(y | observed) = Σ P(y | v, observed) · P(v%s)",
                         marginal ? "" : " | observed");
    CHECK(average(ctx, out, w, shares, answer, steps));
    if (w->k == 2 && is_certain(answer))
        cairn_report_word(out, "odds", "∞", "observed.odds");
    else if (w->k == 2)
        cairn_report_value(out, "odds", answer[0] / answer[1], "observed.odds");
    cairn_report_word(out, "most likely", w->classes[largest(answer, w->k)], "observed.class");
    if (!isnan(w->threshold))
        cairn_report_word(out, "at the threshold", decided(w, answer), "observed.decided");
    return CAIRN_OK;
}

static void clear_work(posterior_work *w)
{
    cairn_outcomes_clear(&w->counted);
}

static cairn_status posterior_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const posterior_params *p = job->params;
    SCOPED(clear_work) posterior_work w = {0};
    CHECK(read_work(ctx, &w, p, job->table));
    cairn_report_heading(out, 1, "A table of posteriors");
    if (w.likelihood) cairn_report_formula(out, "P(y | x) = P(x | y) P(y) / Σ P(x | y') P(y')");
    show_table(out, &w);
    for (size_t c = 0; c < w.k && w.prior; c++)
        cairn_report_hidden(out, w.prior[c], "prior.%s", cairn_report_key(out, w.classes[c]));
    if (w.counts) CHECK(show_rules(ctx, out, &w));
    if (job->steps) work_rows(out, &w);
    if (p->observed) CHECK(show_case(ctx, out, &w, p, job->steps));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_posterior = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "posterior",
         .also = "posterior table, Bayes rule, maximum a posteriori, MAP rule, ML rule, "
                 "marginalise, unobserved feature",
         .title = "A table of posteriors",
         .summary =
             "The table P(class | features) over all combinations of feature values, typed "
             "as it is, as likelihoods with a prior, or as counts, or counted from the rows of "
             "a table: the most likely class and the odds of every combination, the decision "
             "of maximum likelihood beside that of maximum posterior, of a threshold and, "
             "where rows are known, of class weights learned from them, and the posterior of "
             "a case in which some features are not observed, averaged over their values.",
         .references = "Flach: Machine Learning, 2012, chapter 1",
         .example = "cairn compute posterior --table '0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6' "
                    "--chances 0.9,0.9,0.1,0.1 --observed '?,1'",
         .params = posterior_table,
         .params_size = sizeof(posterior_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = posterior_run,
};
