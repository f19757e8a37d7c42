/* SPDX-License-Identifier: MIT */
/* Tables and the picture of a Bayesian network. */
#include "stats/bayes_network.h"

#include "base/text.h"
#include "draw/order.h"

enum { MOST_ROWS = 32, ROWS_IN_NODE = 12, VALUES_IN_NODE = 6 };

/* "p.alarm.true.false": the values of the parents, in their order. */
static void add_row_key(cairn_text *out, cairn_report *report, const cairn_network *net,
                        const cairn_network_names *names, size_t v, size_t row)
{
    for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
        const char *value = names->values[parent][cairn_network_row_value(net, v, row, k)];
        cairn_text_addf(out, ".%s", cairn_report_key(report, value));
    }
}

static void show_row(cairn_report *out, const cairn_network *net, const cairn_network_names *names,
                     size_t v, size_t row)
{
    SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(cairn_report_context(out));
    const char *name = cairn_report_key(out, names->variables[v]);
    size_t n_values = (size_t)net->n_values[v];
    add_row_key(&key, out, net, names, v, row);
    for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
        cairn_report_cell(out, names->values[parent][cairn_network_row_value(net, v, row, k)]);
    }
    for (size_t l = 0; l < n_values; l++)
        cairn_report_cell_number(out, cairn_network_table(net, v)[row * n_values + l], 0,
                                 "p.%s.%s%s", name, cairn_report_key(out, names->values[v][l]),
                                 cairn_text_string(&key));
    cairn_report_failed(out, cairn_text_status(&key));
}

void cairn_network_add_head(cairn_text *out, const cairn_network *net,
                            const cairn_network_names *names, size_t v)
{
    cairn_text_addf(out, "P(%s", names->variables[v]);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        cairn_text_addf(out, "%s%s", k > net->starts[v] ? ", " : " | ",
                        names->variables[net->parents[k]]);
    cairn_text_add(out, ")");
}

void cairn_network_show_table(cairn_report *out, const cairn_network *net,
                              const cairn_network_names *names, size_t v)
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(cairn_report_context(out));
    if (!out) return;
    cairn_network_add_head(&title, net, names, v);
    cairn_report_table_of(out, cairn_text_string(&title), MOST_ROWS, "", NULL);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        cairn_report_column(out, names->variables[net->parents[k]], 'l');
    for (int32_t l = 0; l < net->n_values[v]; l++)
        cairn_report_column(out, names->values[v][l], 'r');
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) show_row(out, net, names, v, row);
    cairn_report_table_end(out);
    cairn_report_failed(out, cairn_text_status(&title));
}

/* -- the picture -- */

/* How much of a table a node of the picture shows. */
typedef struct node_table {
    size_t n_values; /* of two values the first alone, named in the head */
    size_t n_rows, n_parents;
} node_table;

static node_table table_of(const cairn_network *net, size_t v)
{
    size_t k = (size_t)net->n_values[v], rows = cairn_network_rows(net, v);
    node_table t = {.n_values = k == 2 ? 1 : k, .n_rows = rows};
    t.n_parents = cairn_network_n_parents(net, v);
    if (t.n_values > VALUES_IN_NODE) t.n_values = VALUES_IN_NODE;
    if (rows > ROWS_IN_NODE) t.n_rows = ROWS_IN_NODE;
    return t;
}

/* "P(alarm = true | burglary, earthquake)", or without the value "P(weather | season)". */
static void add_node_head(cairn_text *out, const cairn_network *net,
                          const cairn_network_names *names, size_t v)
{
    cairn_text_addf(out, "P(%s", names->variables[v]);
    if (net->n_values[v] == 2) cairn_text_addf(out, " = %s", names->values[v][0]);
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
        cairn_text_addf(out, "%s%s", k > net->starts[v] ? ", " : " | ",
                        names->variables[net->parents[k]]);
    cairn_text_add(out, ")");
}

/* Values of the parents and of the variable as the head of columns, "burglary TAB earthquake TAB
 * P". */
static void add_columns(cairn_text *out, const cairn_network *net, const cairn_network_names *names,
                        size_t v, const node_table *t)
{
    for (size_t i = 0; i < t->n_parents; i++)
        cairn_text_addf(out, "%s%s", i ? "\t" : "\n",
                        names->variables[net->parents[(size_t)net->starts[v] + i]]);
    for (size_t l = 0; l < t->n_values; l++)
        cairn_text_addf(out, "\t%s", net->n_values[v] == 2 ? "P" : names->values[v][l]);
}

static void add_row(cairn_text *out, const cairn_network *net, const cairn_network_names *names,
                    size_t v, size_t row, const node_table *t)
{
    const double *p = cairn_network_table(net, v) + row * (size_t)net->n_values[v];
    for (size_t i = 0; i < t->n_parents; i++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + i];
        cairn_text_addf(out, "%s%s", i ? "\t" : "\n",
                        names->values[parent][cairn_network_row_value(net, v, row, i)]);
    }
    for (size_t l = 0; l < t->n_values; l++) {
        cairn_text_add(out, "\t");
        cairn_text_add_number(out, p[l], 3);
    }
}

/* A variable without parents: a line for each value, or the probability of the first of two. */
static void add_alone(cairn_text *out, const cairn_network *net, const cairn_network_names *names,
                      size_t v, const node_table *t)
{
    if (net->n_values[v] == 2) {
        cairn_text_add(out, " = ");
        cairn_text_add_number(out, cairn_network_table(net, v)[0], 3);
        return;
    }
    cairn_text_add(out, "\nvalue\tP");
    for (size_t l = 0; l < t->n_values; l++) {
        cairn_text_addf(out, "\n%s\t", names->values[v][l]);
        cairn_text_add_number(out, cairn_network_table(net, v)[l], 3);
    }
}

static void add_rest(cairn_text *out, size_t n, const char *what)
{
    if (n) cairn_text_addf(out, "\nand %zu more %s%s", n, what, n == 1 ? "" : "s");
}

/* The name of a variable and its table, of a large one the beginning. */
static void add_node_text(cairn_text *out, const cairn_network *net,
                          const cairn_network_names *names, size_t v)
{
    node_table t = table_of(net, v);
    size_t rows = cairn_network_rows(net, v), k = (size_t)net->n_values[v];
    cairn_text_addf(out, "%s\n", names->variables[v]);
    add_node_head(out, net, names, v);
    if (t.n_parents == 0)
        add_alone(out, net, names, v, &t);
    else
        add_columns(out, net, names, v, &t);
    for (size_t row = 0; row < t.n_rows && t.n_parents; row++) add_row(out, net, names, v, row, &t);
    add_rest(out, rows - t.n_rows, "row");
    if (k != 2) add_rest(out, k - t.n_values, "value");
}

cairn_status cairn_network_figure(cairn_context *ctx, cairn_figure **out, const cairn_network *net,
                                  const cairn_network_names *names, ptrdiff_t target)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_figure_new(ctx, &figure, "network", "Bayesian network"));
    for (size_t v = 0; v < net->n; v++) {
        bool marked = (ptrdiff_t)v == target;
        const cairn_order_look look = {
            .group = marked ? 0 : -1, .sides = 0, .strong = marked, .rank = -1};
        text.length = 0;
        add_node_text(&text, net, names, v);
        cairn_figure_order_node(figure, cairn_text_string(&text), &look);
    }
    for (size_t v = 0; v < net->n; v++)
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            cairn_figure_order_line(figure, net->parents[k], (int)v, false);
    cairn_figure_order_arrows(figure);
    CHECK(cairn_text_status(&text));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
