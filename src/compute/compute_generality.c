/* SPDX-License-Identifier: MIT */
/* cairn compute generality: which of several hypotheses covers what another one covers.
 *
 * Hypotheses are conditions on columns. They are held against instances: every combination of the
 * values that matter, which for a number column are the numbers that occur in the hypotheses, one
 * between each two of them and one beyond each end, and for a level column its levels. That is
 * exact as long as every comparison is between a column and a number or a level. */
#include "compute/compute.h"
#include "compute/hasse.h"
#include "compute/rule_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct generality_params {
    const char *hypothesis;
    double limit;
} generality_params;

static const cairn_param generality_table[] = {
    {.name = "hypothesis",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(generality_params, hypothesis),
     .help =
         "a condition such as \"x >= 20\" or \"crime OR (academic AND NOT music)\"; two or more",
     .repeated = true,
     .required = true},
    CAIRN_PARAM(generality_params, limit, "1e6", "[1,1e8]", "most instances to try"),
    CAIRN_PARAM_END,
};

typedef struct variable {
    const char *name;
    const cairn_column *levels; /* NULL = numbers */
    double *values;             /* numbers, those between others first */
    size_t n;
} variable;

typedef struct hypotheses {
    const char *const *texts;
    const char **conditions;
    size_t n;
    variable *variables;
    size_t n_variables;
    double *truth; /* n x n_instances; NaN = undecided */
    size_t n_instances;
} hypotheses;

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The numbers of all hypotheses, between them, and beyond. */
static cairn_status number_values(cairn_context *ctx, const hypotheses *h, double **out, size_t *n)
{
    cairn_status status;
    size_t room = 1, kept = 0, count = 0;
    double *constants;
    for (size_t i = 0; i < h->n; i++) room += strlen(h->conditions[i]) + 1;
    TRY(SCRATCH(ctx, &constants, room));
    for (size_t i = 0; i < h->n; i++) {
        cairn_token *tokens;
        size_t n_tokens;
        TRY(cairn_rule_tokens(ctx, h->conditions[i], &tokens, &n_tokens));
        for (size_t k = 0; k < n_tokens; k++) {
            bool minus = k && h->conditions[i][tokens[k - 1].begin] == '-';
            if (tokens[k].kind == CAIRN_TOKEN_NUMBER)
                constants[count++] = minus ? -tokens[k].number : tokens[k].number;
        }
    }
    if (!count) constants[count++] = 0;
    qsort(constants, count, sizeof *constants, by_number);
    for (size_t i = 0; i < count; i++)
        if (!i || constants[i] != constants[kept - 1]) constants[kept++] = constants[i];
    TRY(SCRATCH(ctx, out, 2 * kept + 1));
    *n = 0;
    for (size_t i = 0; i + 1 < kept; i++)
        (*out)[(*n)++] = cairn_number_between(constants[i], constants[i + 1]);
    for (size_t i = 0; i < kept; i++) (*out)[(*n)++] = constants[i];
    double step = 1 + (constants[kept - 1] - constants[0]);
    (*out)[(*n)++] = constants[0] - step;
    (*out)[(*n)++] = constants[kept - 1] + step;
done:
    return status;
}

static bool has_variable(const hypotheses *h, const char *name)
{
    for (size_t i = 0; i < h->n_variables; i++)
        if (cairn_same(h->variables[i].name, name)) return true;
    return false;
}

/* The columns that the hypotheses speak of, in the order of their first mention. */
static cairn_status find_variables(cairn_context *ctx, hypotheses *h, const cairn_table *table)
{
    cairn_status status;
    size_t room = 1;
    for (size_t i = 0; i < h->n; i++) room += strlen(h->conditions[i]);
    TRY(SCRATCH(ctx, &h->variables, room));
    for (size_t i = 0; i < h->n; i++) {
        cairn_token *tokens;
        size_t n;
        TRY(cairn_rule_tokens(ctx, h->conditions[i], &tokens, &n));
        for (size_t k = 0; k < n; k++) {
            bool call = k + 1 < n && tokens[k + 1].kind == CAIRN_TOKEN_OPEN;
            if (tokens[k].kind != CAIRN_TOKEN_NAME || call || has_variable(h, tokens[k].name))
                continue;
            variable *v = &h->variables[h->n_variables++];
            v->name = tokens[k].name;
            if (table) {
                size_t at;
                TRY(cairn_table_get(ctx, table, v->name, &at));
                if (table->slots[at].column->kind == CAIRN_LEVEL)
                    v->levels = table->slots[at].column;
            }
            if (v->levels)
                v->n = v->levels->names.n;
            else
                TRY(number_values(ctx, h, &v->values, &v->n));
        }
    }
done:
    return status;
}

/* All combinations of the values as a table; the first variable changes slowest. */
static cairn_status make_instances(cairn_context *ctx, cairn_table **out, const hypotheses *h,
                                   size_t n_instances)
{
    cairn_status status;
    size_t block = n_instances;
    cairn_table *table = NULL;
    cairn_column *column = NULL;
    TRY(cairn_table_new(ctx, &table, n_instances));
    for (size_t j = 0; j < h->n_variables; j++) {
        const variable *v = &h->variables[j];
        block /= v->n;
        TRY(cairn_column_new(ctx, &column, v->levels ? CAIRN_LEVEL : CAIRN_NUMBER, n_instances));
        for (size_t i = 0; i < n_instances; i++) {
            size_t value = i / block % v->n;
            if (v->levels)
                column->codes[i] = (int32_t)value;
            else
                column->numbers[i] = v->values[value];
        }
        for (size_t k = 0; v->levels && k < v->n; k++) {
            const char *name = cairn_map_key(&v->levels->names, k);
            size_t index;
            TRY(cairn_map_add(ctx, &column->names, name, strlen(name), &index));
        }
        cairn_column *given = column;
        column = NULL;
        TRY(cairn_table_add_column(ctx, table, v->name, CAIRN_FEATURE, given));
    }
    *out = table;
    table = NULL;
done:
    cairn_column_drop(column);
    cairn_table_free(table);
    return status;
}

/* The truth of a condition for every row. */
static cairn_status evaluate(cairn_context *ctx, double *out, const char *condition,
                             const cairn_table *table)
{
    cairn_expression *e = NULL;
    cairn_faults faults = {{0}, {0}};
    cairn_status status;
    TRY(cairn_expression_new(ctx, &e, condition, table));
    if (cairn_expression_type(e) != CAIRN_VALUE_TRUTH)
        TRY(cairn_fail(ctx, CAIRN_USAGE, "'%s' is no condition: nothing is compared", condition));
    TRY(cairn_expression_numbers(ctx, e, out, &faults));
done:
    cairn_expression_free(e);
    return status;
}

static cairn_status try_all(cairn_context *ctx, hypotheses *h, const generality_params *p)
{
    cairn_table *instances = NULL;
    cairn_status status;
    double size = 1;
    for (size_t j = 0; j < h->n_variables; j++) size *= (double)h->variables[j].n;
    if (size > p->limit) {
        char text[CAIRN_NUMBER_SIZE];
        cairn_number_format(text, size, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s instances are too many to try; compare fewer hypotheses at once or "
                          "allow more with --limit",
                          text);
    }
    h->n_instances = (size_t)size;
    TRY(make_instances(ctx, &instances, h, h->n_instances));
    TRY(SCRATCH(ctx, &h->truth, cairn_product(h->n, h->n_instances)));
    for (size_t i = 0; i < h->n; i++)
        TRY(evaluate(ctx, h->truth + i * h->n_instances, h->conditions[i], instances));
done:
    cairn_table_free(instances);
    return status;
}

/* The first instance that i covers and k does not; n_instances when there is none. */
static size_t witness(const hypotheses *h, size_t i, size_t k)
{
    const double *a = h->truth + i * h->n_instances, *b = h->truth + k * h->n_instances;
    size_t at = 0;
    while (at < h->n_instances && !(a[at] == 1 && b[at] != 1)) at++;
    return at;
}

static void witness_text(cairn_text *out, const hypotheses *h, size_t at)
{
    size_t block = h->n_instances;
    if (at == h->n_instances) return;
    for (size_t j = 0; j < h->n_variables; j++) {
        const variable *v = &h->variables[j];
        block /= v->n;
        cairn_text_addf(out, "%s%s=", j ? ", " : "", v->name);
        if (v->levels)
            cairn_text_add(out, cairn_map_key(&v->levels->names, at / block % v->n));
        else
            cairn_text_add_number(out, v->values[at / block % v->n], CAIRN_SHORTEST);
    }
}

static cairn_status show_pair(cairn_context *ctx, cairn_report *out, const hypotheses *h, size_t i,
                              size_t k, bool *above)
{
    cairn_text first = cairn_text_start(ctx), second = cairn_text_start(ctx);
    size_t only_i = witness(h, i, k), only_k = witness(h, k, i), none = h->n_instances;
    cairn_status status;
    const char *order = only_i == none && only_k == none ? "equal"
                        : only_k == none                 ? "more general than"
                        : only_i == none                 ? "more special than"
                                                         : "incomparable with";
    witness_text(&first, h, only_i);
    witness_text(&second, h, only_k);
    cairn_report_cellf(out, "h%zu", i + 1);
    cairn_report_cell_word(out, order, "h%zu.order.h%zu", i + 1, k + 1);
    cairn_report_cellf(out, "h%zu", k + 1);
    cairn_report_cell_word(out, cairn_text_string(&first), "h%zu.without.h%zu", i + 1, k + 1);
    cairn_report_cell_word(out, cairn_text_string(&second), "h%zu.without.h%zu", k + 1, i + 1);
    cairn_report_hidden(out, only_k == none, "h%zu.includes.h%zu", i + 1, k + 1);
    cairn_report_hidden(out, only_i == none, "h%zu.includes.h%zu", k + 1, i + 1);
    cairn_report_hidden(out, only_k == none && only_i != none, "h%zu.strictly.h%zu", i + 1, k + 1);
    cairn_report_hidden(out, only_i == none && only_k != none, "h%zu.strictly.h%zu", k + 1, i + 1);
    above[i * h->n + k] = only_k == none && only_i != none;
    above[k * h->n + i] = only_i == none && only_k != none;
    status = cairn_text_status(&first);
    if (!status) status = cairn_text_status(&second);
    cairn_text_clear(&first);
    cairn_text_clear(&second);
    return status;
}

static cairn_status show_order(cairn_context *ctx, cairn_report *out, const hypotheses *h)
{
    cairn_status status;
    cairn_figure *figure;
    bool *above;
    TRY(SCRATCH(ctx, &above, h->n * h->n));
    cairn_report_table_begin(out, "Pairs", 0);
    cairn_report_column(out, "", 'l');
    cairn_report_column(out, "is", 'l');
    cairn_report_column(out, "", 'l');
    cairn_report_column(out, "only the first covers", 'l');
    cairn_report_column(out, "only the second covers", 'l');
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = i + 1; k < h->n; k++) TRY(show_pair(ctx, out, h, i, k, above));
    cairn_report_table_end(out);
    if (h->n > CAIRN_HASSE_MOST) goto done;
    TRY(cairn_hasse_figure(ctx, &figure,
                           &(cairn_hasse){.n = h->n, .texts = h->texts, .above = above},
                           "generality", "More general hypotheses stand higher"));
    cairn_report_page_figure(out, figure);
done:
    return status;
}

static cairn_status generality_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const generality_params *p = job->params;
    hypotheses h = {0};
    cairn_status status;
    TRY(cairn_list_lines(ctx, p->hypothesis, &h.texts));
    while (h.texts[h.n]) h.n++;
    if (h.n < 2 || h.n > 200)
        return cairn_fail(ctx, CAIRN_USAGE, "give --hypothesis two times or more (at most 200)");
    TRY(SCRATCH(ctx, &h.conditions, h.n));
    for (size_t i = 0; i < h.n; i++) {
        cairn_rule rule;
        TRY(cairn_rule_read(ctx, &rule, h.texts[i], job->table));
        h.conditions[i] = rule.condition;
    }
    TRY(find_variables(ctx, &h, job->table));
    TRY(try_all(ctx, &h, p));
    cairn_report_heading(out, 1, "Generality of hypotheses");
    for (size_t i = 0; i < h.n; i++) {
        char label[32];
        snprintf(label, sizeof label, "h%zu", i + 1);
        cairn_report_word(out, label, h.texts[i], "h%zu", i + 1);
    }
    TRY(show_order(ctx, out, &h));
    cairn_report_value(out, "instances tried", (double)h.n_instances, "instances");
    cairn_report_paragraph(out,
                           "The order is exact when every comparison is between a column and a "
                           "number or a level; otherwise it holds for the instances tried.");
done:
    return status;
}

const cairn_calculator cairn_compute_generality = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "generality",
              .title = "Which hypothesis is more general",
              .summary = "Compares conditions on columns: one is more general than another when it "
                         "covers every instance that the other covers. For each pair: equal, more "
                         "general, more special or incomparable, with an instance that only one of "
                         "them covers; the order of all as a picture. Columns hold numbers unless "
                         "a table says otherwise.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute generality --hypothesis 'x >= 20' --hypothesis 'x >= 19'",
              .params = generality_table,
              .params_size = sizeof(generality_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = generality_run,
};
