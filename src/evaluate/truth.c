/* SPDX-License-Identifier: MIT */
/* True error and Bayes error.
 *
 * A tested row was drawn with the chances p(class | x) that its generator kept. The answer c for x
 * is wrong with the chance 1 - p(c | x), the best possible one with 1 - max p(c | x); their means
 * over the tested rows are the true error of what was learned and the Bayes error. They do not
 * depend on the class that happened to be drawn, so they scatter less than the errors that are
 * counted. With a number as target, y = f(x) + noise: the mean of (answer - f(x))^2 is what could
 * still be learned, the mean of (y - f(x))^2 is the noise that nobody can explain. */
#include "evaluate/truth.h"

#include "base/memory.h"
#include "data/column.h"

#include <math.h>
#include <string.h>

cairn_status cairn_truth_hide(cairn_context *ctx, cairn_table *table, const char *list)
{
    SCOPED_SCRATCH(ctx);
    char **names;
    size_t n, at;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(ctx, table, names[i], &at));
        if (table->slots[at].role == CAIRN_TARGET || table->slots[at].column->kind != CAIRN_NUMBER)
            CHECK(cairn_fail(
                ctx, CAIRN_USAGE,
                "{truth} names '%s', which is %s; it names the number columns that "
                "'cairn compute generate' keeps beside the rows, such as true or p_a,p_b",
                names[i], table->slots[at].role == CAIRN_TARGET ? "the target" : "no number"));
        CHECK(cairn_table_set_role(ctx, table, names[i], CAIRN_IGNORED));
    }
    return CAIRN_OK;
}

/* The columns of the list, one for each class or one for the value, in scratch. */
static cairn_status find_columns(cairn_context *ctx, const double ***out, const cairn_evaluation *e,
                                 const cairn_table *table, const char *list)
{
    char **names;
    size_t n, at, wanted = e->task == CAIRN_CLASSIFY ? e->classes.n : 1;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    if (n != wanted)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{truth} names %zu column%s, but '%s' needs %zu; name %s", n,
                          n == 1 ? "" : "s", e->target, wanted,
                          e->task == CAIRN_CLASSIFY ? "the chance of every class, in the order of "
                                                      "the classes"
                                                    : "the column of its true value");
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(ctx, table, names[i], &at));
        (*out)[i] = table->slots[at].column->numbers;
    }
    return CAIRN_OK;
}

/* For each class the column p_CLASS when the list holds it, else the one at the class's place. */
static cairn_status order_columns(cairn_context *ctx, const double **columns,
                                  const cairn_evaluation *e, const cairn_table *table,
                                  const char *list)
{
    char **names;
    const double **sorted;
    size_t n, found = 0, at;
    CHECK(cairn_list_split(ctx, list, &names, &n));
    CHECK(SCRATCH(ctx, &sorted, n + 1));
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < n && !sorted[c]; i++) {
            if (strncmp(names[i], "p_", 2) || strcmp(names[i] + 2, cairn_map_key(&e->classes, c)))
                continue;
            CHECK(cairn_table_get(ctx, table, names[i], &at));
            sorted[c] = table->slots[at].column->numbers;
            found++;
        }
    if (found == n) memcpy(columns, sorted, n * sizeof *columns);
    return CAIRN_OK;
}

/* Weighted means over the tested rows whose truth is known. */
typedef struct truth_sums {
    double weight;
    double counted; /* wrong answers, or squared errors against the drawn value */
    double error;   /* the same against the truth */
    double least;   /* of the best possible answer */
    double agrees;  /* answers that are the best possible one */
} truth_sums;

static void add_class(truth_sums *s, const cairn_evaluation *e, const double **chances, size_t i)
{
    double weight = e->weights[i], most = 0, sum = 0;
    int32_t answer = e->predicted[i];
    for (size_t c = 0; c < e->classes.n; c++) {
        most = fmax(most, chances[c][e->rows[i]]);
        sum += chances[c][e->rows[i]];
    }
    if (!(fabs(sum - 1) < 1e-6)) return;
    double chance = answer < 0 ? 0 : chances[answer][e->rows[i]];
    s->weight += weight;
    s->counted += weight * (answer != e->actual[i]);
    s->error += weight * (1 - chance);
    s->least += weight * (1 - most);
    s->agrees += weight * (chance == most);
}

static void add_number(truth_sums *s, const cairn_evaluation *e, const double *truth, size_t i)
{
    double weight = e->weights[i], f = truth[e->rows[i]];
    double off = e->predicted_number[i] - f, noise = e->actual_number[i] - f;
    if (isnan(off) || isnan(noise)) return;
    s->weight += weight;
    s->counted += weight * (off - noise) * (off - noise);
    s->error += weight * off * off;
    s->least += weight * noise * noise;
}

static void show_classes(cairn_report *out, const truth_sums *s)
{
    cairn_report_formula(out, "true error = mean of 1 − p(answer | x),   Bayes error = mean of 1 − "
                              "max p(class | x)");
    cairn_report_value(out, "error that was counted", s->counted / s->weight, "truth.counted");
    cairn_report_value(out, "true error", s->error / s->weight, "truth.error");
    cairn_report_value(out, "Bayes error: the best possible", s->least / s->weight, "truth.bayes");
    cairn_report_value(out, "what could still be learned", (s->error - s->least) / s->weight,
                       "truth.excess");
    cairn_report_value(out, "answers that are the best possible", s->agrees / s->weight,
                       "truth.agreement");
}

static void show_numbers(cairn_report *out, const truth_sums *s)
{
    cairn_report_formula(out, "true error = mean of (answer − f(x))²,   noise = mean of (y − "
                              "f(x))²");
    cairn_report_value(out, "mean squared error that was counted", s->counted / s->weight,
                       "truth.counted");
    cairn_report_value(out, "true error: squared distance from f", s->error / s->weight,
                       "truth.error");
    cairn_report_value(out, "its root", sqrt(s->error / s->weight), "truth.rmse");
    cairn_report_value(out, "noise: the best possible", s->least / s->weight, "truth.bayes");
    cairn_report_value(out, "both together: expected on new rows",
                       (s->error + s->least) / s->weight, "truth.expected");
}

cairn_status cairn_truth_report(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                                const cairn_table *table, const char *list)
{
    SCOPED_SCRATCH(ctx);
    const double **columns;
    truth_sums s = {0};
    CHECK(find_columns(ctx, &columns, e, table, list));
    if (e->task == CAIRN_CLASSIFY) CHECK(order_columns(ctx, columns, e, table, list));
    for (size_t i = 0; i < e->n; i++)
        if (e->task == CAIRN_CLASSIFY)
            add_class(&s, e, columns, i);
        else
            add_number(&s, e, columns[0], i);
    if (!(s.weight > 0))
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "{truth}: in no tested row %s; name the columns that 'cairn compute "
                         "generate' made",
                         e->task == CAIRN_CLASSIFY ? "do the chances add up to 1"
                                                   : "is the true value known"));
    cairn_report_heading(out, 2, "Against the truth");
    if (e->task == CAIRN_CLASSIFY)
        show_classes(out, &s);
    else
        show_numbers(out, &s);
    return CAIRN_OK;
}
