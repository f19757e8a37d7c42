/* SPDX-License-Identifier: MIT */
/* cairn compute joint: a table of atomic events and their probabilities, and what it answers.
 *
 *     P(a)     = Σ P(ω) over the outcomes ω in which a holds
 *     P(a | b) = P(a and b) / P(b)
 *     P(X | b) = α Σ P(X, b, hidden) over the hidden variables,  α = 1 / P(b)
 *     P(a)     = Σ P(a | v) P(v) over the values v of a variable (--by) */
#include "model/calculator.h"
#include "typed/outcomes.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_OUTCOMES = 64 };

typedef struct joint_params {
    cairn_outcomes_option outcomes;
    const char *query, *by;
} joint_params;

static const cairn_param joint_table[] = {
    CAIRN_PARAM_GROUP(joint_params, outcomes, cairn_outcomes_params),
    {.name = "query",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(joint_params, query),
     .help = "a question, such as 'P(cavity or toothache | catch)' or, for the whole "
             "distribution of a variable, 'P(weather | cavity)'",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_AS(joint_params, by, CAIRN_TYPE_COLUMNS, NULL,
                   "a variable: the answers also by the rule of total probability, as a sum over "
                   "its values",
                   .when = "query"),
    CAIRN_PARAM_END,
};

/* -- the table and its margins -- */

static void show_outcomes(cairn_report *out, const cairn_outcomes *o)
{
    cairn_report_table_of(out, "Outcomes", SHOWN_OUTCOMES, "", NULL);
    for (size_t j = 0; j < o->table->n_columns; j++)
        cairn_report_column(out, o->table->slots[j].name, 'l');
    if (o->n) cairn_report_column(out, "rows", 'r');
    cairn_report_column(out, "P", 'r');
    for (size_t i = 0; i < o->table->n_rows; i++) {
        for (size_t j = 0; j < o->table->n_columns; j++) {
            char cell[64];
            cairn_table_cell(o->table, j, i, cell, sizeof cell);
            cairn_report_cell(out, cell);
        }
        if (o->n) cairn_report_cell_number(out, o->n[i], 0, NULL);
        cairn_report_cell_number(out, o->p[i], 0, "outcome%zu.p", i + 1);
    }
}

/* Probability of each level of a variable, among outcomes that are known to hold. */
static cairn_status margin(cairn_context *ctx, double **out, const cairn_outcomes *o, size_t column,
                           const double *known)
{
    const cairn_column *c = o->levels->slots[column].column;
    CHECK(SCRATCH(ctx, out, c->names.n + 1));
    for (size_t i = 0; i < o->table->n_rows; i++)
        if (c->codes[i] >= 0 && (!known || known[i] > 0)) (*out)[c->codes[i]] += o->p[i];
    return CAIRN_OK;
}

static cairn_status show_margins(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o)
{
    cairn_report_table_of(out, "Marginal probabilities", 0, "llr", "variable", "value", "P");
    for (size_t j = 0; j < o->table->n_columns; j++) {
        const cairn_slot *slot = &o->levels->slots[j];
        double *p;
        if (slot->column->kind != CAIRN_LEVEL) continue;
        CHECK(margin(ctx, &p, o, j, NULL));
        for (size_t l = 0; l < slot->column->names.n; l++) {
            const char *value = cairn_map_key(&slot->column->names, l);
            cairn_report_prefix(out, "%s", cairn_report_key(out, slot->name));
            cairn_report_cells(out, "- - @.$2", l ? "" : slot->name, value, p[l]);
        }
    }
    return CAIRN_OK;
}

/* -- questions -- */

/* The sum over the outcomes in which both hold, written out. */
static cairn_status work_sum(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                             const char *label, const double *a, const double *b)
{
    double *terms;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &terms, o->table->n_rows + 1));
    for (size_t i = 0; i < o->table->n_rows; i++)
        if (a[i] > 0 && (!b || b[i] > 0)) terms[n++] = o->p[i];
    if (n == 1)
        cairn_report_worked(out, label, "#", terms[0]);
    else if (n)
        cairn_report_worked_sum(out, label, "#", terms, 1, n, cairn_event_probability(o, a, b));
    else
        cairn_report_worked(out, label, "#, since it holds in no outcome", 0.0);
    return CAIRN_OK;
}

/* "P(a)" or "P((a) and (b))". */
static void label_of(cairn_text *text, const char *a, const char *b)
{
    text->length = 0;
    if (b)
        cairn_text_addf(text, "P((%s) and (%s))", a, b);
    else
        cairn_text_addf(text, "P(%s)", a);
}

/* Enumeration: the outcomes in which the event and the condition hold, and those of the condition
 * alone. */
static cairn_status work_query(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                               const cairn_event_query *q)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    double both = cairn_event_probability(o, q->holds, q->known);
    double given = cairn_event_probability(o, q->known, NULL);
    label_of(&label, q->event, q->given);
    CHECK(work_sum(ctx, out, o, cairn_text_string(&label), q->holds, q->known));
    if (!q->given) return cairn_text_status(&label);
    label_of(&label, q->given, NULL);
    CHECK(work_sum(ctx, out, o, cairn_text_string(&label), q->known, NULL));
    label.length = 0;
    cairn_text_addf(&label, "P(%s | %s)", q->event, q->given);
    cairn_report_worked(out, cairn_text_string(&label), "# / # = #", both, given, both / given);
    return cairn_text_status(&label);
}

/* The distribution of a variable: every value with its sum over what is hidden, brought to 1. */
static cairn_status show_distribution(cairn_context *ctx, cairn_report *out,
                                      const cairn_outcomes *o, const cairn_event_query *q,
                                      size_t number)
{
    const cairn_slot *slot = &o->levels->slots[q->variable];
    double given = cairn_event_probability(o, q->known, NULL), *p;
    CHECK(margin(ctx, &p, o, (size_t)q->variable, q->known));
    if (q->given) {
        cairn_report_worked(out, "alpha", "1 / P(condition) = 1 / # = #", given, 1 / given);
        cairn_report_hidden(out, 1 / given, "query%zu.alpha", number);
    }
    cairn_report_table_of(out, "By normalisation", 0, "lrr", slot->name, "with the condition",
                          "probability");
    for (size_t l = 0; l < slot->column->names.n; l++) {
        const char *value = cairn_map_key(&slot->column->names, l);
        cairn_report_prefix(out, "query%zu", number);
        cairn_report_cells(out, "- @.joint.$1 @.$1", value, p[l], p[l] / given);
    }
    return CAIRN_OK;
}

/* P(a | b) = Σ P(a | v, b) P(v | b) over the values of a variable. */
static cairn_status show_total(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                               const cairn_event_query *q, const char *by, size_t number)
{
    size_t at;
    double *in, *terms, given = cairn_event_probability(o, q->known, NULL);
    CHECK(cairn_table_get(ctx, o->table, by, &at));
    const cairn_column *c = o->levels->slots[at].column;
    if (c->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE, "{by}: '%s' holds no levels", by);
    CHECK(SCRATCH(ctx, &in, o->table->n_rows + 1));
    CHECK(SCRATCH(ctx, &terms, c->names.n + 1));
    cairn_report_table_of(out, "Total probability", 0, "lrrr", by, "P(value)", "P(event | value)",
                          "product");
    for (size_t l = 0; l < c->names.n; l++) {
        const char *value = cairn_map_key(&c->names, l);
        for (size_t i = 0; i < o->table->n_rows; i++)
            in[i] = c->codes[i] == (int32_t)l && q->known[i] > 0;
        double there = cairn_event_probability(o, in, NULL);
        double both = cairn_event_probability(o, q->holds, in);
        cairn_report_prefix(out, "query%zu.by", number);
        cairn_report_cells(out, "- @.$1.p @.$1.event @.$1.product", value, there / given,
                           both / there, both / given);
        terms[l] = both / given;
    }
    cairn_report_worked_sum(out, "sum of the products", "#", terms, 1, c->names.n,
                            cairn_event_probability(o, q->holds, q->known) / given);
    return CAIRN_OK;
}

/* A condition of probability 0 has no answer, and is refused rather than shown as NaN. */
static cairn_status answer(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                           const cairn_compute_job *job, const char *text, size_t number)
{
    const joint_params *p = job->params;
    cairn_event_query q;
    CHECK(cairn_event_query_read(ctx, &q, cairn_say(ctx, "{query}"), text, o->table));
    double given = cairn_event_probability(o, q.known, NULL);
    if (!(given > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{query}: '%s' has the probability 0, and nothing can be said of what "
                          "follows from it",
                          q.given);
    cairn_report_heading(out, 2, "%s", text);
    if (job->steps && !q.whole) CHECK(work_query(ctx, out, o, &q));
    if (q.variable >= 0) CHECK(show_distribution(ctx, out, o, &q, number));
    if (q.whole) return CAIRN_OK;
    double both = cairn_event_probability(o, q.holds, q.known);
    cairn_report_hidden(out, both, "query%zu.both", number);
    cairn_report_hidden(out, given, "query%zu.given", number);
    cairn_report_value(out, q.variable >= 0 ? "probability that it is true" : "probability",
                       both / given, "query%zu.p", number);
    return p->by ? show_total(ctx, out, o, &q, p->by, number) : CAIRN_OK;
}

static cairn_status joint_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const joint_params *p = job->params;
    SCOPED(cairn_outcomes_clear) cairn_outcomes o = {0};
    const char *const *queries;
    cairn_outcomes_option asked = p->outcomes;
    asked.asked = p->query;
    CHECK(cairn_outcomes_read(ctx, &o, &asked, job->table, job->what));
    CHECK(cairn_list_lines(ctx, p->query, &queries));
    cairn_report_heading(out, 1, "Joint probabilities");
    if (job->steps || !queries[0]) show_outcomes(out, &o);
    CHECK(show_margins(ctx, out, &o));
    cairn_report_hidden(out, (double)o.table->n_rows, "outcomes");
    for (size_t i = 0; queries[i]; i++) CHECK(answer(ctx, out, &o, job, queries[i], i + 1));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_joint = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "joint",
              .also =
                  "probability, joint distribution, joint probability table, marginal probability, "
                  "conditional probability, inference by enumeration, normalisation, sample "
                  "space, total probability",
              .title = "Joint probabilities and questions to them",
              .summary =
                  "A table of outcomes with their probabilities, typed, read, or counted from the "
                  "rows of data, answers questions such as P(cavity or toothache | catch): by "
                  "adding up the outcomes in which it holds, and for a variable by normalisation. "
                  "Propositions have and, or, not, comparisons and brackets. --steps writes every "
                  "sum out, --by the rule of total probability.",
              .references =
                  "Russell and Norvig, Artificial Intelligence, Prentice Hall, chapter 13",
              .example = "cairn compute joint --variables toothache,catch,cavity --table "
                         "0.108,0.016,0.012,0.064,0.072,0.144,0.008,0.576 --query "
                         "'P(cavity | toothache)' --steps",
              .params = joint_table,
              .params_size = sizeof(joint_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = joint_run,
};
