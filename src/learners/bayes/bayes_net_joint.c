/* SPDX-License-Identifier: MIT */
/* What a Bayesian network without a target says of a row: ln of the probability of the cells that
 * are there, which tells outliers, and the values that the others most probably have together.
 *
 * The probability of a whole row is a product with one entry of each table; missing cells are
 * summed out of it, and completed by the largest product, by variable elimination. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"

#include <math.h>

enum { BLOCK_ROWS = 1024, MOST_FACTORS = 100 };

static const char density_name[] = "log_density", completion_name[] = "completion";

const cairn_output cairn_net_outputs[] = {
    {density_name, "without a target: ln of the probability of the row's cells; low for a row that "
                   "is like few others"},
    {completion_name, "without a target: the most probable values of the row's missing cells, all "
                      "together"},
    {0},
};

typedef struct joint {
    const cairn_bayes_net_model *m;
    const cairn_view *view;
    cairn_network_names names;
    size_t n_rows;
    double *logs;       /* n_rows */
    char **completions; /* n_rows, owned; NULL = no cell is missing */
} joint;

static void clear_joint(joint *j)
{
    for (size_t i = 0; j->completions && i < j->n_rows; i++) cairn_free(j->completions[i]);
}

static double log_entry(const joint *j, size_t v, const int32_t *values)
{
    const cairn_network *net = &j->m->net;
    return j->m
        ->logs[net->cells[v] + cairn_network_row(net, v, values) * net->n_values[v] + values[v]];
}

/* ln P(known cells): what is missing is summed out. */
static cairn_status sum_out(cairn_context *ctx, double *out, const joint *j, const int32_t *values,
                            cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    double scale = 0;
    cairn_factor answer;
    const cairn_network_question question = {.evidence = values,
                                             .steps = steps,
                                             .names = &j->names,
                                             .shares_only = !steps,
                                             .log_scale = &scale};
    CHECK(cairn_network_ask(ctx, &answer, &j->m->net, &question));
    *out = cairn_log(answer.p[0]) + scale;
    return CAIRN_OK;
}

/* "wind = weak, humidity = high" */
static cairn_status complete(cairn_context *ctx, char **out, const joint *j, const int32_t *values)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_network_question question = {.evidence = values, .shares_only = true};
    int32_t *likeliest;
    double log_p;
    CHECK(SCRATCH(ctx, &likeliest, j->m->net.n + 1));
    CHECK(cairn_network_explain(ctx, likeliest, &log_p, &j->m->net, &question));
    for (size_t v = 0; v < j->m->net.n; v++)
        if (values[v] < 0)
            cairn_text_addf(&text, "%s%s = %s", text.length ? ", " : "", j->names.variables[v],
                            j->names.values[v][likeliest[v]]);
    return cairn_text_take(&text, out);
}

static cairn_status answer_row(cairn_context *ctx, const joint *j, int32_t *values, size_t i)
{
    if (!cairn_net_read_values(values, &j->m->net, j->view, i)) {
        CHECK(sum_out(ctx, &j->logs[i], j, values, NULL));
        return complete(ctx, &j->completions[i], j, values);
    }
    j->logs[i] = 0;
    for (size_t v = 0; v < j->m->net.n; v++) j->logs[i] += log_entry(j, v, values);
    return CAIRN_OK;
}

static cairn_status answer_block(cairn_context *ctx, void *data, size_t block)
{
    SCOPED_SCRATCH(ctx);
    const joint *j = data;
    size_t begin = block * BLOCK_ROWS;
    size_t end = begin + BLOCK_ROWS < j->n_rows ? begin + BLOCK_ROWS : j->n_rows;
    int32_t *values;
    CHECK(SCRATCH(ctx, &values, j->m->net.n + 1));
    for (size_t i = begin; i < end; i++) CHECK(answer_row(ctx, j, values, i));
    return CAIRN_OK;
}

cairn_status cairn_net_predict_joint(cairn_context *ctx, cairn_prediction *out, const void *model,
                                     const cairn_job *job)
{
    SCOPED(clear_joint) joint j = {.m = model, .view = job->view, .n_rows = out->n_rows};
    const char **texts;
    int32_t *n_values;
    for (size_t i = 0; out->scores && i < out->n_rows; i++) out->scores[i] = 1;
    out->codes_set = true; /* all are of the one kind, whose code is 0 */
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_net_names(ctx, &j.names, &n_values, job->schema, j.m->net.n));
    CHECK(SCRATCH(ctx, &j.logs, j.n_rows + 1));
    CHECK(SCRATCH(ctx, &j.completions, j.n_rows + 1));
    CHECK(cairn_tasks_sized(ctx, cairn_block_count(j.n_rows, BLOCK_ROWS),
                            (double)j.n_rows * (double)j.m->net.n, answer_block, &j));
    CHECK(SCRATCH(ctx, &texts, j.n_rows + 1));
    for (size_t i = 0; i < j.n_rows; i++) texts[i] = j.completions[i] ? j.completions[i] : "";
    CHECK(cairn_table_put_numbers(ctx, out->extra, density_name, j.logs));
    return cairn_table_add_texts(ctx, out->extra, completion_name, texts);
}

/* -- reasons -- */

/* A factor a row, and their product. */
static void show_product(cairn_report *out, const joint *j, const int32_t *values)
{
    const cairn_network *net = &j->m->net;
    double sum = 0;
    cairn_report_table_of(out, "Factors", MOST_FACTORS, "llr", "table", "value", "probability");
    for (size_t v = 0; v < net->n; v++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(cairn_report_context(out));
        double log_p = log_entry(j, v, values);
        sum += log_p;
        cairn_network_add_head(&head, net, &j->names, v);
        cairn_report_cell(out, cairn_text_string(&head));
        cairn_report_cell(out, j->names.values[v][values[v]]);
        cairn_report_cell_number(out, cairn_exp(log_p), 0, "factor.%s",
                                 cairn_report_key(out, j->names.variables[v]));
        cairn_report_failed(out, cairn_text_status(&head));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "product", cairn_exp(sum), "probability");
    cairn_report_value(out, "ln of the product", sum, density_name);
}

/* What the missing cells most probably are, and how probable the whole row is then. */
static cairn_status show_completion(cairn_context *ctx, cairn_report *out, const joint *j,
                                    const int32_t *values)
{
    const cairn_network_question question = {.evidence = values, .steps = out, .names = &j->names};
    int32_t *likeliest;
    double log_p;
    CHECK(SCRATCH(ctx, &likeliest, j->m->net.n + 1));
    CHECK(cairn_network_explain(ctx, likeliest, &log_p, &j->m->net, &question));
    cairn_report_table_of(out, "The most probable values of what is missing", 0, "ll", "column",
                          "value");
    for (size_t v = 0; v < j->m->net.n; v++) {
        if (values[v] >= 0) continue;
        cairn_report_cell(out, j->names.variables[v]);
        cairn_report_cell_word(out, j->names.values[v][likeliest[v]], "completion.%s",
                               cairn_report_key(out, j->names.variables[v]));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "probability of the row with these", cairn_exp(log_p),
                       "completion.probability");
    return CAIRN_OK;
}

static cairn_status show_row(cairn_context *ctx, cairn_report *out, joint *j, const cairn_job *job,
                             size_t row)
{
    int32_t *values, *n_values;
    double log_p;
    CHECK(cairn_net_names(ctx, &j->names, &n_values, job->schema, j->m->net.n));
    CHECK(SCRATCH(ctx, &values, j->m->net.n + 1));
    if (cairn_net_read_values(values, &j->m->net, j->view, row)) {
        show_product(out, j, values);
        return CAIRN_OK;
    }
    cairn_net_name_missing(out, &j->names, values, j->m->net.n);
    CHECK(sum_out(ctx, &log_p, j, values, out));
    cairn_report_value(out, "probability of what is known", cairn_exp(log_p), "probability");
    cairn_report_value(out, "ln of it", log_p, density_name);
    return show_completion(ctx, out, j, values);
}

void cairn_net_explain_joint(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    joint j = {.m = model, .view = job->view};
    cairn_context *ctx = cairn_report_context(out);
    cairn_report_failed(out, show_row(ctx, out, &j, job, row));
}
