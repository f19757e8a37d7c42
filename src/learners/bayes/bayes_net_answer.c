/* SPDX-License-Identifier: MIT */
/* What a Bayesian network answers for a row, and why; rows drawn from it.
 *
 * The target depends on the variables of its families alone: its own table and those of its
 * children. Where all of these are known the probability of a class is the product of one entry of
 * each, brought to 1; else what is missing is summed out by variable elimination. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "model/learned.h"
#include "model/network_text.h"
#include "model/sample.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 1024, MOST_FACTORS = 100 };

/* Below that the product of the factors is shown as its logarithm. */
static const double LEAST_LOG = -600;

/* Families that the target is in: its own and those of its children. */
typedef struct answering {
    const cairn_bayes_net_model *m;
    const cairn_view *view;
    cairn_prediction *out;
    size_t target; /* the last variable; the others are the features */
    size_t *families;
    size_t n_families;
} answering;

static cairn_status find_families(cairn_context *ctx, answering *a)
{
    const cairn_network *net = &a->m->net;
    int32_t target = (int32_t)a->target;
    CHECK(SCRATCH(ctx, &a->families, net->n + 1));
    for (size_t v = 0; v < net->n; v++) {
        bool in = v == a->target;
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            in = in || net->parents[k] == target;
        if (in) a->families[a->n_families++] = v;
    }
    return CAIRN_OK;
}

/* ln of the product of the target's families for each class; false when a cell of them is missing.
 * values[target] is changed. */
static bool add_families(double *scores, const answering *a, int32_t *values)
{
    const cairn_network *net = &a->m->net;
    size_t target = a->target, n_classes = (size_t)net->n_values[target];
    for (size_t c = 0; c < n_classes; c++) {
        values[target] = (int32_t)c;
        scores[c] = 0;
        for (size_t f = 0; f < a->n_families; f++) {
            size_t v = a->families[f];
            int64_t row = cairn_network_row(net, v, values);
            if (row < 0 || values[v] < 0) return false;
            scores[c] += a->m->logs[net->cells[v] + row * net->n_values[v] + values[v]];
        }
    }
    return true;
}

/* Logarithms into probabilities; without any that is possible, the shares of the classes. */
static void normalise(double *scores, const cairn_bayes_net_model *m, bool logs)
{
    size_t k = (size_t)m->net.n_values[m->net.n - 1];
    double largest = scores[0], sum = 0;
    for (size_t c = 1; c < k; c++) largest = fmax(largest, scores[c]);
    for (size_t c = 0; c < k && logs; c++)
        scores[c] = largest > -INFINITY ? cairn_exp(scores[c] - largest) : 0;
    for (size_t c = 0; c < k; c++) sum += scores[c];
    for (size_t c = 0; c < k; c++) scores[c] = sum > 0 ? scores[c] / sum : m->shares[c];
}

/* -- bayes_net_answer.c -- */
/* Cells of row i of the view, CAIRN_UNOBSERVED for the target and where one is missing or was never
 * seen in training; whether there is a value for every variable. */
static bool read_values(int32_t *values, const cairn_network *net, const cairn_view *view, size_t i)
{
    size_t row = cairn_view_row(view, i);
    bool complete = view->n_features == net->n;
    for (size_t v = 0; v < net->n; v++) {
        int32_t code = v < view->n_features ? view->features[v]->codes[row] : -1;
        values[v] = code >= 0 && code < net->n_values[v] ? code : CAIRN_UNOBSERVED;
        complete = complete && values[v] >= 0;
    }
    return complete;
}

/* Missing cells are summed out. */
static cairn_status sum_out(cairn_context *ctx, double *scores, const answering *a, int32_t *values)
{
    SCOPED_SCRATCH(ctx);
    size_t k = (size_t)a->m->net.n_values[a->target];
    int32_t target = (int32_t)a->target;
    cairn_factor answer;
    values[target] = CAIRN_UNOBSERVED;
    const cairn_network_question question = {
        .evidence = values, .wanted = &target, .n_wanted = 1, .shares_only = true};
    CHECK(cairn_network_ask(ctx, &answer, &a->m->net, &question));
    memcpy(scores, answer.p, k * sizeof *scores);
    return CAIRN_OK;
}

/* The quick way where the cells around the target are there, else elimination, row by row. */
static cairn_status answer_block(cairn_context *ctx, void *data, size_t block)
{
    SCOPED_SCRATCH(ctx);
    const answering *a = data;
    const cairn_network *net = &a->m->net;
    size_t k = (size_t)net->n_values[a->target], begin = block * BLOCK_ROWS;
    size_t end = begin + BLOCK_ROWS < a->out->n_rows ? begin + BLOCK_ROWS : a->out->n_rows;
    int32_t *values;
    CHECK(SCRATCH(ctx, &values, net->n + 1));
    for (size_t i = begin; i < end; i++) {
        double *scores = a->out->scores + i * k;
        (void)read_values(values, net, a->view, i);
        bool known = add_families(scores, a, values);
        if (!known) CHECK(sum_out(ctx, scores, a, values));
        normalise(scores, a->m, known);
    }
    return CAIRN_OK;
}

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

static cairn_status field_values(cairn_context *ctx, const char *const **out, int32_t *n,
                                 const cairn_field *field)
{
    const char **list;
    CHECK(SCRATCH(ctx, &list, field->names.n + 1));
    list[0] = "?"; /* a column of missing cells has no other value */
    for (size_t l = 0; l < field->names.n; l++) list[l] = cairn_map_key(&field->names, l);
    *n = field->names.n ? (int32_t)field->names.n : 1;
    *out = list;
    return CAIRN_OK;
}

cairn_status cairn_net_names(cairn_context *ctx, cairn_network_names *out, int32_t **n_values,
                             const cairn_schema *schema, size_t n)
{
    const char **variables, *const **values;
    size_t at = 0;
    CHECK(SCRATCH_EACH(ctx, n + 1, &variables, &values, n_values));
    for (size_t v = 0; v < n; v++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        if (!field) field = cairn_schema_target(schema);
        variables[v] = field->name;
        CHECK(field_values(ctx, &values[v], &(*n_values)[v], field));
    }
    *out = (cairn_network_names){variables, values};
    return CAIRN_OK;
}

/* ln P(known cells): what is missing is summed out. */
static cairn_status sum_missing_out(cairn_context *ctx, double *out, const joint *j,
                                    const int32_t *values, cairn_report *steps)
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

static double log_entry(const joint *j, size_t v, const int32_t *values)
{
    const cairn_network *net = &j->m->net;
    return j->m
        ->logs[net->cells[v] + cairn_network_row(net, v, values) * net->n_values[v] + values[v]];
}

/* A row with missing cells gets the sum over all that they may be, and the likeliest of these as
 * its completion. */
static cairn_status joint_block(cairn_context *ctx, void *data, size_t block)
{
    SCOPED_SCRATCH(ctx);
    const joint *j = data;
    size_t begin = block * BLOCK_ROWS;
    size_t end = begin + BLOCK_ROWS < j->n_rows ? begin + BLOCK_ROWS : j->n_rows;
    int32_t *values;
    CHECK(SCRATCH(ctx, &values, j->m->net.n + 1));
    for (size_t i = begin; i < end; i++) {
        if (!read_values(values, &j->m->net, j->view, i)) {
            CHECK(sum_missing_out(ctx, &j->logs[i], j, values, NULL));
            CHECK(complete(ctx, &j->completions[i], j, values));
        } else {
            j->logs[i] = 0;
            for (size_t v = 0; v < j->m->net.n; v++) j->logs[i] += log_entry(j, v, values);
        }
    }
    return CAIRN_OK;
}

static const char density_name[] = "log_density", completion_name[] = "completion";

/* -- bayes_net_answer.c -- */
/* Without a target: ln of the probability of every row, and what its missing cells most probably
 * are. */
static cairn_status predict_joint(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    SCOPED(clear_joint) joint j = {.m = model, .view = job->view, .n_rows = out->n_rows};
    const char **texts;
    int32_t *n_values;
    for (size_t i = 0; out->scores && i < out->n_rows; i++) out->scores[i] = 1;
    out->codes_set = true; /* all are of the one kind, whose code is 0 */
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_net_names(ctx, &j.names, &n_values, job->schema, j.m->net.n));
    CHECK(SCRATCH_EACH(ctx, j.n_rows + 1, &j.logs, &j.completions));
    CHECK(cairn_tasks_sized(ctx, cairn_block_count(j.n_rows, BLOCK_ROWS),
                            (double)j.n_rows * (double)j.m->net.n, joint_block, &j));
    CHECK(SCRATCH(ctx, &texts, j.n_rows + 1));
    for (size_t i = 0; i < j.n_rows; i++) texts[i] = j.completions[i] ? j.completions[i] : "";
    CHECK(cairn_table_put_numbers(ctx, out->extra, density_name, j.logs));
    return cairn_table_add_texts(ctx, out->extra, completion_name, texts);
}

cairn_status cairn_net_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    answering a = {.m = model, .view = job->view, .out = out};
    if (!cairn_net_has_target(job)) return predict_joint(ctx, out, model, job);
    a.target = a.m->net.n - 1;
    CHECK(find_families(ctx, &a));
    return cairn_tasks_sized(ctx, cairn_block_count(out->n_rows, BLOCK_ROWS),
                             (double)out->n_rows * (double)a.m->net.n, answer_block, &a);
}

/* -- reasons -- */

typedef struct reasons {
    cairn_report *out;
    const answering *a;
    const cairn_network_names *names;
    int32_t *values;
    double *scores; /* classes */
} reasons;

static const char *class_key(const reasons *r, size_t c)
{
    return cairn_report_key(r->out, r->names->values[r->a->target][c]);
}

static void show_classes(const reasons *r, const double *numbers, const char *title,
                         const char *name)
{
    size_t k = (size_t)r->a->m->net.n_values[r->a->target];
    cairn_report_cells(r->out, NULL, title, "");
    for (size_t c = 0; c < k; c++)
        cairn_report_cell_number(r->out, numbers[c], 0, "%s.%s", name, class_key(r, c));
}

/* One table of the target's families: its entry in every class. */
static void show_family(const reasons *r, size_t v)
{
    const cairn_network *net = &r->a->m->net;
    size_t target = r->a->target;
    SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(cairn_report_context(r->out));
    cairn_network_add_head(&head, net, r->names, v);
    cairn_report_cells(r->out, NULL, cairn_text_string(&head),
                       v == target ? "" : r->names->values[v][r->values[v]]);
    for (int32_t c = 0; c < net->n_values[target]; c++) {
        r->values[target] = c;
        int64_t row = cairn_network_row(net, v, r->values);
        cairn_report_cell_number(
            r->out, cairn_network_table(net, v)[row * net->n_values[v] + r->values[v]], 0,
            "factor.%s.%s", cairn_report_key(r->out, r->names->variables[v]),
            class_key(r, (size_t)c));
    }
    cairn_report_failed(r->out, cairn_text_status(&head));
}

/* The product as on the board: a factor a row, a class a column. */
static void show_product(const reasons *r)
{
    const answering *a = r->a;
    size_t target = a->target, k = (size_t)a->m->net.n_values[target];
    double least = 0;
    for (size_t c = 0; c < k; c++)
        if (isfinite(r->scores[c])) least = fmin(least, r->scores[c]);
    bool in_logs = least < LEAST_LOG;
    cairn_report_table_of(r->out, "Factors", MOST_FACTORS, "ll", "table", "value");
    for (size_t c = 0; c < k; c++) cairn_report_column(r->out, r->names->values[target][c], 'r');
    for (size_t f = 0; f < a->n_families; f++) show_family(r, a->families[f]);
    for (size_t c = 0; c < k && !in_logs; c++) r->scores[c] = cairn_exp(r->scores[c]);
    show_classes(r, r->scores, in_logs ? "ln of the product" : "product",
                 in_logs ? "log_product" : "product");
    normalise(r->scores, a->m, in_logs);
    show_classes(r, r->scores, "probability", "posterior");
    cairn_report_table_end(r->out);
}

/* Which of the first n variables were summed out. */
static void name_missing(cairn_report *out, const cairn_network_names *names, const int32_t *values,
                         size_t n)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t n_missing = 0;
    for (size_t v = 0; v < n; v++)
        if (values[v] < 0)
            cairn_text_addf(&text, "%s%s", n_missing++ ? ", " : "", names->variables[v]);
    cairn_report_paragraph(out, "%s %s missing: the sum is over all values.",
                           cairn_text_string(&text), n_missing == 1 ? "is" : "are");
    cairn_report_failed(out, cairn_text_status(&text));
}

/* The work of elimination, and what it leaves for each class. */
static cairn_status show_elimination(cairn_context *ctx, const reasons *r)
{
    int32_t target = (int32_t)r->a->target;
    cairn_factor answer;
    r->values[target] = CAIRN_UNOBSERVED;
    const cairn_network_question question = {.evidence = r->values,
                                             .wanted = &target,
                                             .n_wanted = 1,
                                             .steps = r->out,
                                             .names = r->names};
    name_missing(r->out, r->names, r->values, r->a->target);
    CHECK(cairn_network_ask(ctx, &answer, &r->a->m->net, &question));
    CHECK(sum_out(ctx, r->scores, r->a, r->values));
    normalise(r->scores, r->a->m, false);
    cairn_report_table_of(r->out, NULL, 0, "lrr", r->names->variables[target], "with what is known",
                          "probability");
    for (size_t c = 0; c < answer.size; c++) {
        cairn_report_cell(r->out, r->names->values[target][c]);
        cairn_report_cell_number(r->out, answer.p[c], 0, "product.%s", class_key(r, c));
        cairn_report_cell_number(r->out, r->scores[c], 0, "posterior.%s", class_key(r, c));
    }
    cairn_report_table_end(r->out);
    return CAIRN_OK;
}

static cairn_status give_reasons(cairn_context *ctx, reasons *r, answering *a, const cairn_job *job,
                                 size_t row)
{
    cairn_network_names names;
    int32_t *n_values;
    CHECK(cairn_net_names(ctx, &names, &n_values, job->schema, a->m->net.n));
    CHECK(find_families(ctx, a));
    CHECK(SCRATCH(ctx, &r->values, a->m->net.n + 1));
    CHECK(SCRATCH(ctx, &r->scores, (size_t)a->m->net.n_values[a->target]));
    r->names = &names;
    (void)read_values(r->values, &a->m->net, a->view, row);
    bool known = add_families(r->scores, a, r->values);
    cairn_status status = known ? CAIRN_OK : show_elimination(ctx, r);
    if (known) show_product(r);
    r->names = NULL;
    return status;
}

/* A factor a row, and their product. */
static void show_joint_product(cairn_report *out, const joint *j, const int32_t *values)
{
    const cairn_network *net = &j->m->net;
    double sum = 0;
    cairn_report_table_of(out, "Factors", MOST_FACTORS, "llr", "table", "value", "probability");
    for (size_t v = 0; v < net->n; v++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(cairn_report_context(out));
        double log_p = log_entry(j, v, values);
        sum += log_p;
        cairn_network_add_head(&head, net, &j->names, v);
        cairn_report_cells(out, NULL, cairn_text_string(&head), j->names.values[v][values[v]]);
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
        cairn_report_cells(out, "- completion.$1", j->names.variables[v],
                           j->names.values[v][likeliest[v]]);
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
    if (read_values(values, &j->m->net, j->view, row)) {
        show_joint_product(out, j, values);
        return CAIRN_OK;
    }
    name_missing(out, &j->names, values, j->m->net.n);
    CHECK(sum_missing_out(ctx, &log_p, j, values, out));
    cairn_report_value(out, "probability of what is known", cairn_exp(log_p), "probability");
    cairn_report_value(out, "ln of it", log_p, density_name);
    return show_completion(ctx, out, j, values);
}

void cairn_net_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    answering a = {.m = model, .view = job->view};
    reasons r = {.out = out, .a = &a};
    if (!ctx) return;
    if (!cairn_net_has_target(job)) {
        joint j = {.m = model, .view = job->view};
        cairn_report_failed(out, show_row(ctx, out, &j, job, row));
        return;
    }
    a.target = a.m->net.n - 1;
    SCOPED_SCRATCH(ctx);
    cairn_report_failed(out, give_reasons(ctx, &r, &a, job, row));
}

/* -- rows drawn -- */

/* A column of missing cells has one value that is no level. */
static cairn_status add_drawn(cairn_context *ctx, cairn_table *out, const cairn_field *field,
                              int32_t *codes)
{
    for (size_t i = 0; i < out->n_rows && !field->names.n; i++) codes[i] = -1;
    return cairn_sample_add_levels(ctx, out, field, codes);
}

/* "P(wind | play = yes)" */
static void add_known_head(cairn_text *out, const cairn_network *net,
                           const cairn_network_names *names, size_t v, const int32_t *values)
{
    cairn_text_addf(out, "P(%s", names->variables[v]);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++) {
        int32_t parent = net->parents[k];
        cairn_text_addf(out, "%s%s = %s", k == net->starts[v] ? " | " : ", ",
                        names->variables[parent], names->values[parent][values[parent]]);
    }
    cairn_text_add(out, ")");
}

typedef struct replay {
    const cairn_network *net;
    cairn_network_names names;
    const cairn_map **levels; /* of the variables */
    const size_t *order;
    cairn_random random; /* as it was before the first row */
} replay;

/* One row once more, with the random numbers that it was drawn by: parents first, each by the row
 * of its table that the parents' values choose. */
static cairn_status note_row(cairn_context *ctx, replay *r, cairn_report *note,
                             const int32_t *values)
{
    for (size_t k = 0; k < r->net->n; k++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(ctx);
        size_t v = r->order[k], n = (size_t)r->net->n_values[v];
        const double *p =
            cairn_network_table(r->net, v) + (size_t)cairn_network_row(r->net, v, values) * n;
        double u = cairn_random_uniform(&r->random);
        if (k >= MOST_FACTORS) continue;
        add_known_head(&head, r->net, &r->names, v, values);
        cairn_sample_say(note, cairn_text_string(&head), u, p, n, r->levels[v]);
        CHECK(cairn_text_status(&head));
    }
    return CAIRN_OK;
}

/* The same random numbers again, so that the notes show the draws that made the rows. */
static cairn_status note_rows(cairn_context *ctx, replay *r, const cairn_sample_notes *notes,
                              const cairn_schema *schema, const int32_t *codes, size_t n_rows)
{
    int32_t *n_values, *values;
    size_t *order, at = 0;
    CHECK(cairn_net_names(ctx, &r->names, &n_values, schema, r->net->n));
    CHECK(cairn_network_order(ctx, &order, r->net));
    CHECK(SCRATCH_EACH(ctx, r->net->n + 1, &values, &r->levels));
    r->order = order;
    for (size_t v = 0; v < r->net->n; v++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        r->levels[v] = field ? &field->names : &cairn_schema_target(schema)->names;
    }
    for (size_t i = 0; i < n_rows && cairn_sample_note(notes, i); i++) {
        for (size_t v = 0; v < r->net->n; v++) values[v] = codes[v * n_rows + i];
        CHECK(note_row(ctx, r, cairn_sample_note(notes, i), values));
    }
    return CAIRN_OK;
}

cairn_status cairn_net_sample(cairn_context *ctx, cairn_table *out, const void *model,
                              const cairn_job *job, cairn_random *random)
{
    const cairn_bayes_net_model *m = model;
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    replay first = {.net = &m->net, .random = *random};
    bool has_target = cairn_net_has_target(job);
    size_t n_rows = out->n_rows, n_features = m->net.n - has_target, at = 0;
    int32_t *codes;
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, n_rows));
    CHECK(cairn_network_draw_rows(ctx, &codes, &m->net, n_rows, random));
    CHECK(note_rows(ctx, &first, &notes, job->schema, codes, n_rows));
    cairn_sample_notes_show(&notes, job->steps);
    if (has_target) {
        const cairn_field *target = cairn_schema_target(job->schema);
        CHECK(add_drawn(ctx, out, target, codes + n_features * n_rows));
        CHECK(cairn_table_set_role(ctx, out, target->name, CAIRN_TARGET));
    }
    for (size_t v = 0; v < n_features; v++)
        CHECK(add_drawn(ctx, out, cairn_schema_next_feature(job->schema, &at), codes + v * n_rows));
    return CAIRN_OK;
}

/* What a Bayesian network without a target says of a row: ln of the probability of the cells that
 * are there, which tells outliers, and the values that the others most probably have together.
 *
 * The probability of a whole row is a product with one entry of each table; missing cells are
 * summed out of it, and completed by the largest product, by variable elimination. */

const cairn_output cairn_net_outputs[] = {
    {density_name, "without a target: ln of the probability of the row's cells; low for a row that "
                   "is like few others"},
    {completion_name, "without a target: the most probable values of the row's missing cells, all "
                      "together"},
    {0},
};

/* -- what a Bayesian network shows: its names, its graph, its tables and how they came about -- */

enum { MOST_TABLES = 20, MOST_WORKED = 64, MOST_DRAWN = 60 };

/* -- steps -- */

/* The rows of a table as "outlook = sunny, play = yes:" and the fractions below. */
static void work_table(cairn_report *out, const cairn_bayes_net_model *m, size_t v,
                       const cairn_network_names *names, cairn_smoothing smoothing)
{
    const cairn_network *net = &m->net;
    cairn_context *ctx = cairn_report_context(out);
    char label[200];
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
            size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
            cairn_text_addf(&text, "%s%s = %s", k ? ", " : "", names->variables[parent],
                            names->values[parent][cairn_network_row_value(net, v, row, k)]);
        }
        if (text.length) cairn_report_paragraph(out, "Rows with %s:", cairn_text_string(&text));
        /* (n + 1) / (N + k) with the numbers put in, for every value of a row. */
        size_t k = (size_t)m->net.n_values[v];
        const double *counts = m->counts + m->net.cells[v] + row * k;
        const double *p = cairn_network_table(&m->net, v) + row * k;
        double total = 0, each = 0;
        for (size_t l = 0; l < k; l++) total += counts[l];
        if (smoothing.kind == CAIRN_SMOOTH_LAPLACE) each = 1;
        if (smoothing.kind == CAIRN_SMOOTH_LAMBDA) each = smoothing.amount;
        if (smoothing.kind == CAIRN_SMOOTH_M) each = smoothing.amount / (double)k;
        for (size_t l = 0; l < k; l++) {
            (void)snprintf(label, sizeof label, "P(%.150s)", names->values[v][l]);
            if (each > 0)
                cairn_report_worked(out, label, "(# + #) / (# + #·#) = #", counts[l], each, total,
                                    (double)k, each, p[l]);
            else
                cairn_report_worked(out, label, "# / # = #", counts[l], total, p[l]);
        }
        cairn_report_failed(out, cairn_text_status(&text));
    }
}

void cairn_net_show_counts(cairn_report *out, const cairn_bayes_net_model *m,
                           const cairn_network_names *names, cairn_smoothing smoothing)
{
    cairn_context *ctx = cairn_report_context(out);
    for (size_t v = 0; v < m->net.n && v < MOST_TABLES; v++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(ctx);
        size_t cells = (size_t)(m->net.cells[v + 1] - m->net.cells[v]);
        cairn_network_add_head(&head, &m->net, names, v);
        cairn_report_step_begin(out, "The table %s", cairn_text_string(&head));
        if (cells <= MOST_WORKED) work_table(out, m, v, names, smoothing);
        cairn_network_show_table(out, &m->net, names, v);
        cairn_report_step_end(out);
        cairn_report_failed(out, cairn_text_status(&head));
    }
    if (m->net.n > MOST_TABLES)
        cairn_report_paragraph(out, "(%zu more tables are made alike.)", m->net.n - MOST_TABLES);
}

/* -- description -- */

/* The graph as a list, for terminals and for graphs that are too large to draw. */
static void show_graph(cairn_report *out, const cairn_bayes_net_model *m,
                       const cairn_network_names *names)
{
    const cairn_network *net = &m->net;
    cairn_report_table_of(out, "Variables and their parents", 0, "lrlr", "variable", "values",
                          "parents", "free numbers");
    for (size_t v = 0; v < net->n; v++) {
        SCOPED(cairn_text_clear) cairn_text parents = cairn_text_start(cairn_report_context(out));
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            cairn_text_addf(&parents, "%s%s", k > net->starts[v] ? ", " : "",
                            names->variables[net->parents[k]]);
        cairn_report_cells(out, "- - parents.$1", names->variables[v], net->n_values[v],
                           cairn_text_string(&parents),
                           (double)(net->n_values[v] - 1) * (double)cairn_network_rows(net, v));
        cairn_report_failed(out, cairn_text_status(&parents));
    }
    cairn_report_table_end(out);
}

static void show_sums(cairn_report *out, const cairn_bayes_net_model *m)
{
    double numbers = cairn_network_parameters(&m->net);
    cairn_report_value(out, "arcs", m->net.starts[m->net.n], "arcs");
    cairn_report_value(out, "free numbers", numbers, "parameters");
    cairn_report_value(out, "ln-likelihood of the training rows", m->log_likelihood,
                       "log_likelihood");
    if (m->rows > 1)
        cairn_report_value(out, "BIC", -2 * m->log_likelihood + cairn_log(m->rows) * numbers,
                           "bic");
}

static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    *out = NULL;
    if (m->net.n > MOST_DRAWN) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n));
    return cairn_network_figure(ctx, out, &m->net, &names,
                                cairn_net_has_target(job) ? (ptrdiff_t)m->net.n - 1 : -1);
}

const cairn_model_figure cairn_net_figures[] = {
    {.name = "network", .make = make_figure},
    {0},
};

void cairn_net_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    cairn_network_names names;
    int32_t *n_values;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_heading(out, 2, "The network");
    show_graph(out, m, &names);
    show_sums(out, m);
    for (size_t v = 0; v < m->net.n && v < MOST_TABLES; v++)
        cairn_network_show_table(out, &m->net, &names, v);
    cairn_figure *figure = NULL;
    status = cairn_net_figures[0].make(ctx, &figure, model, job);
    cairn_describe_figure(out, status, &figure, true);
}

/* -- other forms -- */

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    SCOPED_SCRATCH(out->ctx);
    cairn_status status = cairn_net_names(out->ctx, &names, &n_values, job->schema, m->net.n);
    if (!status) cairn_network_write(out, &m->net, &names);
    if (status && out->status == CAIRN_OK) out->status = status;
}

const cairn_export_form cairn_net_forms[] = {
    {"text", "the network in the notation that 'cairn compute network' and --given read",
     write_text},
    {NULL, NULL, NULL},
};

/* -- what networks know as tables -- */

static void write_arcs(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_network *net = &((const cairn_bayes_net_model *)model)->net;
    cairn_network_names names;
    int32_t *n_values;
    cairn_ledger_columns(out, "ll", "from", "to");
    cairn_ledger_failed(out, cairn_net_names(out->ctx, &names, &n_values, job->schema, net->n));
    for (size_t v = 0; v < net->n && !out->status; v++)
        for (int32_t i = net->starts[v]; i < net->starts[v + 1]; i++) {
            cairn_ledger_cells(out, names.variables[net->parents[i]], names.variables[v]);
        }
}

static void write_table(cairn_ledger *out, const cairn_bayes_net_model *m, size_t v,
                        const cairn_network_names *names)
{
    SCOPED(cairn_text_clear) cairn_text given = cairn_text_start(out->ctx);
    size_t k = (size_t)m->net.n_values[v];
    for (size_t row = 0; row < cairn_network_rows(&m->net, v); row++) {
        given.length = 0;
        /* "outlook=sunny, windy=yes": the values of the parents in a row of the table of v. */
        size_t rows = cairn_network_rows(&m->net, v);
        for (int32_t i = m->net.starts[v]; i < m->net.starts[v + 1]; i++) {
            int32_t parent = m->net.parents[i];
            rows /= (size_t)m->net.n_values[parent];
            cairn_text_addf(&given, "%s%s=%s", given.length ? ", " : "", names->variables[parent],
                            names->values[parent][row / rows % (size_t)m->net.n_values[parent]]);
        }
        for (size_t l = 0; l < k; l++) {
            size_t cell = (size_t)m->net.cells[v] + row * k + l;
            cairn_ledger_cells(out, names->variables[v],
                               given.length ? cairn_text_string(&given) : NULL, names->values[v][l],
                               m->counts ? m->counts[cell] : NAN, m->net.p[cell]);
        }
    }
    cairn_ledger_failed(out, cairn_text_status(&given));
}

static void write_tables(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    cairn_ledger_columns(out, "lttnn", "variable", "given", "value", "rows", "probability");
    cairn_ledger_failed(out, cairn_net_names(out->ctx, &names, &n_values, job->schema, m->net.n));
    for (size_t v = 0; v < m->net.n && !out->status; v++) write_table(out, m, v, &names);
}

const cairn_learned cairn_net_tables[] = {
    CAIRN_LEARNED("arcs", "arc from a variable to one that depends on it", write_arcs),
    CAIRN_LEARNED("probabilities", "value of a variable, given those of its parents", write_tables),
    CAIRN_LEARNED_END};
