/* SPDX-License-Identifier: MIT */
/* What a Bayesian network answers for a row, and why; rows drawn from it.
 *
 * The target depends on the variables of its families alone: its own table and those of its
 * children. Where all of these are known the probability of a class is the product of one entry of
 * each, brought to 1; else what is missing is summed out by variable elimination. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "model/sample.h"
#include "parallel/parallel.h"

#include <math.h>
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

bool cairn_net_read_values(int32_t *values, const cairn_network *net, const cairn_view *view,
                           size_t i)
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
        (void)cairn_net_read_values(values, net, a->view, i);
        bool known = add_families(scores, a, values);
        if (!known) CHECK(sum_out(ctx, scores, a, values));
        normalise(scores, a->m, known);
    }
    return CAIRN_OK;
}

cairn_status cairn_net_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    answering a = {.m = model, .view = job->view, .out = out};
    if (!cairn_net_has_target(job)) return cairn_net_predict_joint(ctx, out, model, job);
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
    cairn_report_cell(r->out, title);
    cairn_report_cell(r->out, "");
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
    cairn_report_cell(r->out, cairn_text_string(&head));
    cairn_report_cell(r->out, v == target ? "" : r->names->values[v][r->values[v]]);
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

void cairn_net_name_missing(cairn_report *out, const cairn_network_names *names,
                            const int32_t *values, size_t n)
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
    cairn_net_name_missing(r->out, r->names, r->values, r->a->target);
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
    (void)cairn_net_read_values(r->values, &a->m->net, a->view, row);
    bool known = add_families(r->scores, a, r->values);
    cairn_status status = known ? CAIRN_OK : show_elimination(ctx, r);
    if (known) show_product(r);
    r->names = NULL;
    return status;
}

void cairn_net_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    answering a = {.m = model, .view = job->view};
    reasons r = {.out = out, .a = &a};
    if (!ctx) return;
    if (!cairn_net_has_target(job)) {
        cairn_net_explain_joint(out, model, job, row);
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

static cairn_status note_rows(cairn_context *ctx, replay *r, const cairn_sample_notes *notes,
                              const cairn_schema *schema, const int32_t *codes, size_t n_rows)
{
    int32_t *n_values, *values;
    size_t *order, at = 0;
    CHECK(cairn_net_names(ctx, &r->names, &n_values, schema, r->net->n));
    CHECK(cairn_network_order(ctx, &order, r->net));
    CHECK(SCRATCH(ctx, &values, r->net->n + 1));
    CHECK(SCRATCH(ctx, &r->levels, r->net->n + 1));
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
