/* SPDX-License-Identifier: MIT */
/* cairn compute hypothesis-space: how many hypotheses a language has over columns with so many
 * values each.
 *
 * All sets of instances: 2^|X|, for n Boolean inputs 2^(2^n); of them 2^(|X| - d) agree with d
 * different instances. Conjunctions: each column is one of its values or any, and one hypothesis
 * covers nothing. Internal disjunction: each column is a set of values that is not empty. Large
 * counts are told by their logarithms. */
#include "typed/concept_data.h"

#include "base/functions.h"
#include "base/memory.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct space_params {
    int inputs, seen;
    cairn_list values;
    bool empty;
} space_params;

static const cairn_param space_table[] = {
    CAIRN_PARAM(space_params, inputs, "0", "[0,1000]", "number of Boolean inputs"),
    CAIRN_PARAM_CELLS(space_params, values, WHOLE, NULL, "[1,1e9]",
                      "number of values of each column, such as 3,2,2,2"),
    CAIRN_PARAM(space_params, seen, "0", "[0,inf)",
                "different instances whose class is known; a table says it by itself"),
    CAIRN_PARAM(space_params, empty, "yes", NULL,
                "the hypothesis that covers nothing counts as well"),
    CAIRN_PARAM_END,
};

typedef struct space {
    const double *values; /* n numbers of values */
    size_t n;
    double seen; /* different instances with a class */
    bool contradiction;
} space;

static double product(const space *s, double plus)
{
    double p = 1;
    for (size_t j = 0; j < s->n; j++) p *= s->values[j] + plus;
    return p;
}

static double log2_sum(const space *s, double plus)
{
    double sum = 0;
    for (size_t j = 0; j < s->n; j++) sum += cairn_log2(s->values[j] + plus);
    return sum;
}

/* log2(2^x + 1), also for large x. */
static double log2_plus_one(double x)
{
    return x > 60 ? x : cairn_log2(cairn_exp2(x) + 1);
}

static void show_count(cairn_report *out, const char *label, const char *formula, double count,
                       double log2_count, const char *name)
{
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "- - @:15 @.log2 @.ln", label, formula, count, log2_count,
                       log2_count * cairn_log(2));
}

/* Counts are given with their logarithm, since most of them are too large to be written as
 * numbers. */
static void show_counts(cairn_report *out, const space *s, bool empty)
{
    double instances = product(s, 0), sets = 0, sets_count = 1;
    double plain = log2_sum(s, 1), free = s->contradiction ? -INFINITY : instances - s->seen;
    for (size_t j = 0; j < s->n; j++) {
        sets += s->values[j] > 60 ? s->values[j] : cairn_log2(cairn_exp2(s->values[j]) - 1);
        sets_count *= cairn_exp2(s->values[j]) - 1;
    }
    cairn_report_table_of(out, "Hypotheses", 0, "llrrr", "language", "formula", "number", "log2",
                          "ln");
    show_count(out, "sets of instances", "2^|X|", cairn_exp2(instances), instances, "subsets");
    if (s->seen > 0)
        show_count(out, "of them consistent", "2^(|X| − seen)", cairn_exp2(free), free,
                   "subsets.consistent");
    show_count(out, empty ? "conjunctions and the empty one" : "conjunctions",
               empty ? "Π (values + 1) + 1" : "Π (values + 1)", product(s, 1) + empty,
               empty ? log2_plus_one(plain) : plain, "conjunctions");
    show_count(out, "conjunctions as they are written", "Π (values + 2)", product(s, 2),
               log2_sum(s, 2), "conjunctions.written");
    show_count(out, "with internal disjunction",
               empty ? "Π (2^values − 1) + 1" : "Π (2^values − 1)", sets_count + empty,
               empty ? log2_plus_one(sets) : sets, "disjunction");
}

static void work_product(cairn_report *out, const char *label, const space *s, const char *before,
                         const char *behind, bool one_more, double value)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    /* "(3 + 1) · (2 + 1)": `before` and `behind` around the number of values of each column. */
    enum { MOST = 12 };
    for (size_t j = 0; j < s->n && j < MOST; j++) {
        cairn_text_addf(&text, "%s%s", j ? " · " : "", before);
        cairn_text_add_number(&text, s->values[j], 15);
        cairn_text_add(&text, behind);
    }
    if (s->n > MOST) cairn_text_addf(&text, " · … (%zu)", s->n);
    if (!s->n) cairn_text_add(&text, "1");
    cairn_text_add(&text, one_more ? " + 1 = " : " = ");
    cairn_text_add_number(&text, value, 15);
    cairn_report_formula(out, "%s = %s", label, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
}

/* "label = 2^(16 − 4) = 4096" */
static void work_power(cairn_report *out, const char *label, double instances, double seen)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_text_add(&text, seen > 0 ? "2^(" : "2^");
    cairn_text_add_number(&text, instances, 15);
    if (seen > 0) {
        cairn_text_add(&text, " − ");
        cairn_text_add_number(&text, seen, 15);
        cairn_text_add(&text, ")");
    }
    cairn_text_add(&text, " = ");
    cairn_text_add_number(&text, cairn_exp2(instances - seen), 15);
    cairn_report_formula(out, "%s = %s", label, cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
}

/* The products with the numbers of values put in. */
static void work(cairn_report *out, const space *s, bool empty)
{
    double instances = product(s, 0), sets = 1;
    for (size_t j = 0; j < s->n; j++) sets *= cairn_exp2(s->values[j]) - 1;
    cairn_report_step_begin(out, "The products");
    work_product(out, "|X|", s, "", "", false, instances);
    work_power(out, "sets of instances", instances, 0);
    if (s->seen > 0 && !s->contradiction) work_power(out, "of them consistent", instances, s->seen);
    work_product(out, "conjunctions", s, "(", " + 1)", empty, product(s, 1) + empty);
    work_product(out, "as they are written", s, "(", " + 2)", false, product(s, 2));
    work_product(out, "internal disjunction", s, "(2^", " − 1)", empty, sets + empty);
    cairn_report_step_end(out);
}

/* -- where the columns come from -- */

typedef struct example {
    const int32_t *codes;
    size_t n;
    bool positive;
} example;

static int by_codes(const void *a, const void *b)
{
    const example *x = a, *y = b;
    for (size_t j = 0; j < x->n; j++)
        if (x->codes[j] != y->codes[j]) return x->codes[j] < y->codes[j] ? -1 : 1;
    return 0;
}

static cairn_status count_seen(cairn_context *ctx, space *out, const cairn_concept_data *data)
{
    const cairn_examples *e = &data->examples;
    example *list;
    CHECK(SCRATCH(ctx, &list, e->n));
    for (size_t i = 0; i < e->n; i++)
        list[i] = (example){cairn_example(e, &data->domain, i), data->domain.n, e->positive[i]};
    if (e->n) qsort(list, e->n, sizeof *list, by_codes);
    for (size_t i = 0; i < e->n; i++) {
        bool same = i && by_codes(&list[i - 1], &list[i]) == 0;
        out->seen += !same;
        if (same && list[i - 1].positive != list[i].positive) out->contradiction = true;
    }
    return CAIRN_OK;
}

static cairn_status table_space(cairn_context *ctx, cairn_report *report, space *out,
                                const cairn_table *table)
{
    cairn_concept_option option = {.unseen = CAIRN_UNSEEN_NONE, .notation = -1};
    cairn_concept_data data;
    double *values;
    CHECK(cairn_concept_data_read(ctx, &data, &option, false, false, table,
                                  "compute hypothesis-space"));
    out->n = data.domain.n;
    CHECK(SCRATCH(ctx, &values, out->n));
    for (size_t j = 0; j < out->n; j++) {
        values[j] = (double)data.domain.attributes[j].n_values;
        cairn_report_hidden(report, values[j], "values.%s",
                            cairn_report_key(report, data.domain.attributes[j].name));
    }
    out->values = values;
    return count_seen(ctx, out, &data);
}

/* A table brings its own columns and examples; two examples that contradict each other leave
 * nothing consistent. */
static cairn_status space_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const space_params *p = job->params;
    space s = {0};
    if (!job->table && !p->values.text && !p->inputs)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute hypothesis-space' needs a table, {values} or "
                          "{inputs}");
    cairn_report_heading(out, 1, "Size of the hypothesis space");
    if (job->table)
        CHECK(table_space(ctx, out, &s, job->table));
    else {
        /* Without a table the columns are given by their numbers of values, or as so many
         * Boolean inputs. */
        double *values;
        s.n = p->values.text ? p->values.n : (size_t)p->inputs;
        CHECK(cairn_list_or(ctx, &values, &p->values, "values", s.n, "columns", 2));
        s.values = values;
        s.seen = p->seen;
        if (s.seen > product(&s, 0))
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{seen}: there are fewer possible instances than that"));
    }
    cairn_report_value(out, "columns", (double)s.n, "columns");
    cairn_report_value(out, "possible instances |X|", product(&s, 0), "instances");
    if (s.seen > 0) cairn_report_value(out, "different instances seen", s.seen, "seen");
    if (job->steps) work(out, &s, p->empty);
    show_counts(out, &s, p->empty);
    if (s.contradiction)
        cairn_report_note(out, "Two examples are the same instance with different classes: nothing "
                               "is consistent with both.");
    /* The conjunctions by their number of conditions: the coefficients of Π (1 + values x). */
    double *level;
    CHECK(SCRATCH(ctx, &level, s.n + 1));
    level[0] = 1;
    for (size_t j = 0; j < s.n; j++)
        for (size_t k = j + 1; k > 0; k--) level[k] += level[k - 1] * s.values[j];
    cairn_report_table_of(out, "Conjunctions by their number of conditions", 0, "rr", "conditions",
                          "conjunctions");
    for (size_t k = 0; k <= s.n; k++) {
        cairn_report_cells(out, "- level$1:15", k, level[k]);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_hypothesis_space = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "hypothesis-space",
         .also =
             "inductive bias, number of hypotheses, size of the hypothesis space, concept language",
         .about = "expressiveness, expressive power, expressivity, concept class, length of an "
                  "instance, size of a concept, instance space",
         .title = "Size of a hypothesis space",
         .summary = "Counts hypotheses over columns of levels, or over Boolean inputs: all sets "
                    "of instances and those that agree with the examples, conjunctions (with "
                    "and without the empty one, and as they are written), conjunctions with "
                    "internal disjunction, and conjunctions by their number of conditions. "
                    "Each count comes with its logarithms, which bounds on learning need.",
         .references = "Mitchell: Machine Learning, 1997, chapter 2",
         .example = "cairn compute hypothesis-space --inputs 4 --seen 4",
         .params = space_table,
         .params_size = sizeof(space_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = space_run,
};
