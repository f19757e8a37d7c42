/* SPDX-License-Identifier: MIT */
/* cairn compute boolean-network and cairn draw boolean-network: which Boolean functions perceptrons
 * and networks of them compute, and which functions one perceptron can compute.
 *
 * Rows of truth tables count up with the first input as the highest digit. A table can be had by
 * one perceptron exactly where a hyperplane separates its true rows from its false ones, which
 * linear programming decides (solve/constrained.h). */
#include "compute/networks/forward.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "plots/margin_plot.h"
#include "solve/certificate.h"
#include "solve/constrained.h"
#include "typed/numbers.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INPUTS = 10, MOST_ALL = 3, MOST_ROWS = 1 << MOST_INPUTS, SHOWN_ROWS = 256 };
typedef enum { TRUTH_PM1, TRUTH_01 } truth_coding;

typedef struct boolean_params {
    const char *weights, *network, *table, *function;
    int64_t inputs;
    int truth;
    bool all;
    cairn_unit_options options;
} boolean_params;

static const cairn_choice truths[] = {
    {"pm1", TRUTH_PM1, "false is −1, true is 1"}, {"01", TRUTH_01, "false is 0"}, {NULL, 0, NULL}};

static const cairn_param boolean_table[] = {
    CAIRN_PARAM(boolean_params, weights, NULL, NULL,
                "perceptrons, the bias w₀ first, such as AND=-0.8,0.5,0.5;OR=0.3,0.5,0.5",
                .often = true),
    CAIRN_PARAM(boolean_params, network, NULL, NULL,
                "a network, or a file with it, as 'compute forward' reads it", .often = true),
    CAIRN_PARAM(boolean_params, table, NULL, NULL,
                "truth tables that a perceptron is looked for, the rows counted up, such as "
                "XOR=0,1,1,0 (or -1,1,1,-1)",
                .often = true),
    CAIRN_PARAM(boolean_params, function, NULL, NULL,
                "the same by names, separated by commas: and, or, nand, nor, xor, xnor, majority",
                .often = true),
    CAIRN_PARAM(boolean_params, inputs, "2", "[1,10]", "inputs of the functions that have names",
                .when = "function or all"),
    CAIRN_PARAM_CHOICE(boolean_params, truth, "pm1", truths, "how truth values are coded",
                       .often = true),
    CAIRN_PARAM(boolean_params, all, "no", NULL,
                "how many of all functions of so many inputs (at most 3) a perceptron can compute"),
    CAIRN_PARAM_GROUP(boolean_params, options, cairn_unit_params),
    CAIRN_PARAM_END,
};

typedef struct booleans {
    cairn_context *ctx;
    const boolean_params *p;
    size_t n, rows;           /* inputs, 2^inputs */
    const char *const *names; /* of the inputs */
    double *x;                /* rows x n */
} booleans;

/* -- truth tables -- */

static bool bit_of(size_t row, size_t input, size_t n)
{
    return row >> (n - 1 - input) & 1;
}

static double coded(const booleans *s, bool truth)
{
    return truth ? 1 : s->p->truth == TRUTH_PM1 ? -1 : 0;
}

/* The rows for n inputs, which are called x1, x2 ... where nobody named them. */
static cairn_status start_rows(booleans *s, size_t n, const char *const *names)
{
    s->n = n;
    s->rows = (size_t)1 << n;
    s->names = names;
    CHECK(SCRATCH(s->ctx, &s->x, cairn_product(s->rows, n)));
    for (size_t r = 0; r < s->rows; r++)
        for (size_t i = 0; i < n; i++) s->x[r * n + i] = coded(s, bit_of(r, i, n));
    if (names) return CAIRN_OK;
    const char **made;
    CHECK(cairn_unit_input_names(s->ctx, &made, n));
    s->names = made;
    return CAIRN_OK;
}

static const char *const function_names[] = {"AND",  "OR",       "NAND", "NOR",  "XOR",
                                             "XNOR", "MAJORITY", "TRUE", "FALSE"};
enum { N_FUNCTIONS = sizeof function_names / sizeof *function_names };

/* What function number k of those that have names says to a row. */
static bool says(size_t k, size_t row, size_t n)
{
    size_t ones = 0;
    for (size_t i = 0; i < n; i++) ones += bit_of(row, i, n);
    switch (k) {
    case 0: return ones == n;
    case 1: return ones > 0;
    case 2: return ones < n;
    case 3: return ones == 0;
    case 4: return ones % 2 == 1;
    case 5: return ones % 2 == 0;
    case 6: return 2 * ones > n;
    case 7: return true;
    default: return false;
    }
}

static bool is_function(const bool *truth, size_t rows, size_t n, size_t k)
{
    for (size_t r = 0; r < rows; r++)
        if (truth[r] != says(k, r, n)) return false;
    return true;
}

/* Whether it is input i, or with `negated` its contrary. */
static bool is_input(const bool *truth, size_t rows, size_t n, size_t i, bool negated)
{
    for (size_t r = 0; r < rows; r++)
        if (truth[r] != (bit_of(r, i, n) != negated)) return false;
    return true;
}

/* Of two inputs the four functions that tell them apart: a AND NOT b, and its like. */
static bool write_mixed(cairn_text *out, const booleans *s, const bool *truth)
{
    const char *a = s->names[0], *b = s->names[1];
    size_t ones = 0;
    for (size_t r = 0; r < 4; r++) ones += truth[r];
    if (ones == 1)
        cairn_text_addf(out, truth[1] ? "NOT %s AND %s" : "%s AND NOT %s", a, b);
    else if (ones == 3)
        cairn_text_addf(out, truth[1] ? "NOT %s OR %s" : "%s OR NOT %s", a, b);
    return ones == 1 || ones == 3;
}

static void write_function(cairn_text *out, const booleans *s, const bool *truth)
{
    for (size_t i = 0; i < s->n; i++)
        for (int negated = 0; negated < 2; negated++)
            if (is_input(truth, s->rows, s->n, i, negated)) {
                cairn_text_addf(out, "%s%s", negated ? "NOT " : "", s->names[i]);
                return;
            }
    for (size_t k = 0; k < N_FUNCTIONS; k++)
        if (is_function(truth, s->rows, s->n, k)) {
            cairn_text_add(out, function_names[k]);
            return;
        }
    if (s->n != 2 || !write_mixed(out, s, truth)) cairn_text_add(out, "none that has a name");
}

static bool find_function(const char *name, size_t *k)
{
    for (*k = 0; *k < N_FUNCTIONS; ++*k) {
        const char *a = function_names[*k], *b = name;
        while (*a && (*a == *b || *a - 'A' + 'a' == *b)) a++, b++;
        if (!*a && !*b) return true;
    }
    return false;
}

/* -- what units compute -- */

/* One unit on all rows. */
typedef struct unit {
    const char *name;
    const double *nets, *outs; /* of row r at r * stride */
    size_t stride;
} unit;

/* Its truth table, and the function that this is. */
static void show_unit(cairn_report *out, const booleans *s, const unit *u)
{
    bool truth[MOST_ROWS];
    const char *key = cairn_report_key(out, u->name);
    SCOPED(cairn_text_clear) cairn_text word = cairn_text_start(s->ctx);
    size_t k, rejected = 0;
    for (size_t r = 0; r < s->rows; r++) {
        double output = u->outs[r * u->stride];
        truth[r] = output > (s->p->truth == TRUTH_PM1 ? 0 : 0.5);
        rejected += isnan(u->outs[r * u->stride]);
    }
    if (rejected)
        cairn_text_add(&word, "none: rows are rejected");
    else
        write_function(&word, s, truth);
    cairn_report_failed(out, cairn_text_status(&word));
    cairn_report_table_of(out, u->name, SHOWN_ROWS, "r", "row");
    for (size_t i = 0; i < s->n; i++) cairn_report_column(out, s->names[i], 'r');
    cairn_report_columns(out, "rrl", "net input", "output", "");
    for (size_t r = 0; r < s->rows; r++) {
        double y = u->outs[r * u->stride];
        cairn_report_prefix(out, "%s.row", key);
        cairn_report_cells(out, "- - @$1.net", r + 1, cairn_cell_row(s->x + r * s->n, s->n),
                           u->nets[r * u->stride]);
        if (isnan(y))
            cairn_report_cell(out, "rejected");
        else
            cairn_report_cell_number(out, y, 0, "%s.row%zu.output", key, r + 1);
        cairn_report_cell(out, isnan(y) ? "" : truth[r] ? "true" : "false");
    }
    cairn_report_word(out, "function", cairn_text_string(&word), "%s.function", key);
    if (find_function(u->name, &k) && !rejected)
        cairn_report_word(out, "is what its name says",
                          is_function(truth, s->rows, s->n, k) ? "yes" : "no", "%s.agrees", key);
}

/* Typed weight vectors, the bias first. */
static cairn_status show_weights(cairn_report *out, booleans *s)
{
    cairn_vectors weights;
    double *nets, *outs;
    cairn_activated a = cairn_activation_named(s->p->truth == TRUTH_PM1 ? "threshold" : "step");
    bool reject = s->p->options.at_zero == CAIRN_JUMP_REJECT;
    CHECK(cairn_read_vectors(s->ctx, &weights, "weights", s->p->weights, "unit"));
    if (weights.width < 2 || weights.width > MOST_INPUTS + 1)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{weights}: a bias and the weights of one to %d inputs are needed",
                          MOST_INPUTS);
    (void)cairn_activation_set(&a, "zero", 0, coded(s, false)); /* more than 0 is true */
    cairn_unit_adapt(&a, &s->p->options);
    CHECK(start_rows(s, weights.width - 1, NULL));
    CHECK(SCRATCH_EACH(s->ctx, s->rows, &nets, &outs));
    for (size_t k = 0; k < weights.n; k++) {
        const double *w = weights.values + k * weights.width;
        for (size_t r = 0; r < s->rows; r++) {
            nets[r] = cairn_unit_net(w + 1, s->x + r * s->n, s->n, w[0]);
            CHECK(cairn_unit_check(s->ctx, nets[r], weights.names[k]));
            outs[r] = cairn_unit_value(&a, reject, nets[r]);
        }
        show_unit(out, s, &(unit){weights.names[k], nets, outs, 1});
    }
    return CAIRN_OK;
}

/* The sums of a unit as they are done on the board. */
static cairn_status work_weights(cairn_report *out, const booleans *s)
{
    cairn_vectors weights;
    CHECK(cairn_read_vectors(s->ctx, &weights, "weights", s->p->weights, "unit"));
    for (size_t k = 0; k < weights.n; k++) {
        const double *w = weights.values + k * weights.width;
        cairn_report_step_begin(out, "%s", weights.names[k]);
        cairn_report_formula(out, "net = w₀·1 + Σ wᵢ·xᵢ;   true where net > 0");
        for (size_t r = 0; r < s->rows && r < 16; r++) {
            char label[32];
            snprintf(label, sizeof label, "net of row %zu", r + 1);
            CHECK(cairn_unit_work_net(s->ctx, out, label, w + 1, s->x + r * s->n, s->n, w[0]));
        }
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* Every node of a network, the hidden ones too. */
static cairn_status show_network(cairn_report *out, booleans *s, bool steps)
{
    cairn_forward f;
    double *nets, *outs;
    size_t at = 0;
    CHECK(cairn_forward_read(s->ctx, &f, s->p->network, &s->p->options));
    if (f.text.layers.n_in < 1 || f.text.layers.n_in > MOST_INPUTS)
        return cairn_fail(s->ctx, CAIRN_USAGE, "{network}: one to %d inputs are needed, not %zu",
                          MOST_INPUTS, f.text.layers.n_in);
    CHECK(start_rows(s, f.text.layers.n_in, f.text.names.inputs));
    CHECK(SCRATCH_EACH(s->ctx, cairn_product(s->rows, f.n_nodes), &nets, &outs));
    for (size_t r = 0; r < s->rows; r++)
        CHECK(cairn_forward_row(s->ctx, &f, s->x + r * s->n, "truth table", nets + r * f.n_nodes,
                                outs + r * f.n_nodes));
    for (size_t l = 0; l < f.text.layers.n; l++)
        for (size_t j = 0; j < f.text.layers.list[l].n_out; j++, at++)
            show_unit(out, s, &(unit){f.text.names.nodes[l][j], nets + at, outs + at, f.n_nodes});
    for (size_t r = 0; r < s->rows && r < 16 && steps; r++) {
        cairn_report_step_begin(out, "Row %zu", r + 1);
        CHECK(cairn_forward_work(s->ctx, out, &f, s->x + r * s->n, nets + r * f.n_nodes,
                                 outs + r * f.n_nodes));
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* -- which functions a perceptron can compute -- */

/* The least violation of a plane between true and false rows; constants need a bias only. */
static cairn_status separate(const booleans *s, const bool *truth, cairn_least_violation *out)
{
    double *signs;
    size_t n_true = 0;
    CHECK(SCRATCH(s->ctx, &signs, s->rows));
    for (size_t r = 0; r < s->rows; r++) {
        n_true += truth[r];
        signs[r] = truth[r] ? 1 : -1;
    }
    if (n_true && n_true < s->rows) {
        cairn_certificate proof = {.has = 0};
        CHECK(cairn_separate(s->ctx, out, s->x, signs, s->rows, s->n, CAIRN_SEPARATE_TINY));
        cairn_separate_certify(out, &proof);
        if (out->ending != CAIRN_ENDING_LIMIT)
            return cairn_certificate_judge(s->ctx, &proof, "separability");
        return cairn_fail(s->ctx, CAIRN_NO_SOLUTION,
                          "the simplex method found no end within %zu steps", out->steps);
    }
    *out = (cairn_least_violation){.ending = CAIRN_ENDING_OPTIMAL, .separable = true};
    CHECK(SCRATCH(s->ctx, &out->plane, s->n + 1));
    out->plane[s->n] = n_true ? 1 : -1;
    return CAIRN_OK;
}

/* One perceptron of a text: "OR = threshold(0.3 + 0.5*x1 + 0.5*x2)". */
static void add_unit(cairn_text *out, const booleans *s, const char *name, double bias,
                     const double *weights, const char *const *inputs, size_t n)
{
    cairn_text_addf(out, "%s = %s(", name, s->p->truth == TRUTH_PM1 ? "threshold" : "step[zero=0]");
    cairn_text_add_number(out, bias, CAIRN_SHORTEST);
    for (size_t i = 0; i < n; i++) {
        cairn_text_add(out, weights[i] < 0 ? " - " : " + ");
        cairn_text_add_number(out, fabs(weights[i]), CAIRN_SHORTEST);
        cairn_text_addf(out, "*%s", inputs[i]);
    }
    cairn_text_add_char(out, ')');
}

/* Two layers that compute what one unit cannot. */
static cairn_status show_layers(cairn_report *out, const booleans *s, const char *key,
                                const bool *truth)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(s->ctx);
    bool xor = s->n == 2 && is_function(truth, s->rows, 2, 4);
    bool xnor = s->n == 2 && is_function(truth, s->rows, 2, 5);
    if (xor || xnor) {
        /* XOR is AND(OR, NAND), XNOR is OR(AND, NOR). */
        static const double plus[] = {0.5, 0.5}, minus[] = {-0.5, -0.5};
        double low = s->p->truth == TRUTH_PM1 ? 0.3 : -0.3; /* the bias of OR */
        const char *const hidden[] = {xnor ? "AND" : "OR", xnor ? "NOR" : "NAND"};
        add_unit(&text, s, hidden[0], xnor ? -0.8 : low, plus, s->names, 2);
        cairn_text_add(&text, "; ");
        add_unit(&text, s, hidden[1], xnor ? -low : 0.8, minus, s->names, 2);
        cairn_text_add(&text, "; ");
        add_unit(&text, s, xnor ? "XNOR" : "XOR", xnor ? low : -0.8, plus, hidden, 2);
    } else {
        /* A hidden unit for every true row, which knows that row alone, and their disjunction. */
        bool signs = s->p->truth == TRUTH_PM1;
        double *ones, w[MOST_INPUTS];
        const char **units;
        size_t n = 0;
        CHECK(SCRATCH_EACH(s->ctx, s->rows, &units, &ones));
        for (size_t r = 0; r < s->rows; r++) {
            char *name;
            double bias = signs ? 1 - (double)s->n : 0.5;
            if (!truth[r]) continue;
            CHECK(SCRATCH(s->ctx, &name, 24));
            snprintf(name, 24, "row%zu", r + 1);
            for (size_t i = 0; i < s->n; i++) {
                w[i] = bit_of(r, i, s->n) ? 1 : -1;
                if (!signs && w[i] > 0) bias -= 1;
            }
            add_unit(&text, s, name, bias, w, s->names, s->n);
            cairn_text_add(&text, "; ");
            ones[n] = 1;
            units[n++] = name;
        }
        add_unit(&text, s, "output", signs ? (double)n - 1 : -0.5, ones, units, n);
    }
    CHECK(cairn_text_status(&text));
    cairn_report_word(out, "by two layers",
                      xor    ? "AND(OR, NAND)"
                      : xnor ? "OR(AND, NOR)"
                             : "a unit for every true row, and their OR",
                      "%s.layers", key);
    cairn_report_word(out, "network", cairn_text_string(&text), "%s.network", key);
    return CAIRN_OK;
}

/* Whether one perceptron can compute the table, by which weights, or which layers do. */
static cairn_status show_table(booleans *s, void *report, const char *name, const bool *truth,
                               bool steps)
{
    cairn_report *out = report;
    cairn_least_violation found;
    const char *key = cairn_report_key(out, name);
    SCOPED(cairn_text_clear) cairn_text word = cairn_text_start(s->ctx);
    SCOPED_SCRATCH(s->ctx);
    CHECK(separate(s, truth, &found));
    write_function(&word, s, truth);
    CHECK(cairn_text_status(&word));
    cairn_report_heading(out, 2, "%s", name);
    cairn_report_word(out, "function", cairn_text_string(&word), "%s.function", key);
    cairn_report_word(out, "one perceptron can compute it", found.separable ? "yes" : "no",
                      "%s.representable", key);
    cairn_report_value(out, "least total violation", found.violation, "%s.violation", key);
    if (!found.separable) CHECK(show_layers(out, s, key, truth));
    if (found.separable) {
        cairn_report_value(out, "bias", found.plane[s->n], "%s.weight.bias", key);
        for (size_t i = 0; i < s->n; i++)
            cairn_report_value(out, s->names[i], found.plane[i], "%s.weight.%s", key,
                               cairn_report_key(out, s->names[i]));
    }
    if (!steps) return CAIRN_OK;
    cairn_report_step_begin(out, "The linear program of %s", name);
    cairn_report_formula(out, "least Σ ξᵣ   with   tᵣ (w₀ + w·xᵣ) ≥ 1 − ξᵣ,  ξᵣ ≥ 0");
    for (size_t r = 0; r < s->rows && r < 16; r++) {
        double sign = truth[r] ? 1 : -1;
        double value = cairn_plane_value(found.plane, s->x + r * s->n, s->n);
        char label[32];
        snprintf(label, sizeof label, "t · net of row %zu", r + 1);
        cairn_report_worked(out, label, "# · # = #,  ξ = #", sign, value, sign * value,
                            fmax(0, 1 - sign * value));
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* What is done with a function: it is shown in a report, or drawn into a figure. */
typedef cairn_status (*table_fn)(booleans *s, void *into, const char *name, const bool *truth,
                                 bool steps);

/* The typed tables, one after the other. */
static cairn_status each_table(booleans *s, table_fn work, void *into, bool steps)
{
    cairn_vectors tables;
    size_t n = 0;
    bool truth[MOST_ROWS];
    CHECK(cairn_read_vectors(s->ctx, &tables, "table", s->p->table, "table"));
    while ((size_t)1 << n < tables.width && n < MOST_INPUTS) n++;
    if (n == 0 || (size_t)1 << n != tables.width)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{table}: a truth table has 2, 4, 8 ... %d rows, not %zu", MOST_ROWS,
                          tables.width);
    CHECK(start_rows(s, n, NULL));
    for (size_t k = 0; k < tables.n; k++) {
        for (size_t r = 0; r < s->rows; r++) {
            double cell = tables.values[k * tables.width + r];
            if (cell != 0 && cell != 1 && cell != -1)
                return cairn_fail(s->ctx, CAIRN_USAGE,
                                  "{table}, %s, row %zu: truth values are 0 and 1, or -1 and 1",
                                  tables.names[k], r + 1);
            truth[r] = cell == 1;
        }
        CHECK(work(s, into, tables.names[k], truth, steps));
    }
    return CAIRN_OK;
}

/* The functions that are named, one after the other. */
static cairn_status each_function(booleans *s, table_fn work, void *into, bool steps)
{
    char **names;
    size_t n, k;
    bool truth[MOST_ROWS];
    CHECK(cairn_list_split(s->ctx, s->p->function, &names, &n));
    CHECK(start_rows(s, (size_t)s->p->inputs, NULL));
    for (size_t i = 0; i < n; i++) {
        if (!find_function(names[i], &k))
            return cairn_fail(s->ctx, CAIRN_USAGE,
                              "{function}: '%s' is none of and, or, nand, nor, xor, xnor, "
                              "majority, true, false; type its {table}",
                              names[i]);
        for (size_t r = 0; r < s->rows; r++) truth[r] = says(k, r, s->n);
        CHECK(work(s, into, function_names[k], truth, steps));
    }
    return CAIRN_OK;
}

/* Every function of so few inputs. */
static cairn_status show_all(cairn_report *out, booleans *s)
{
    size_t found = 0;
    bool truth[MOST_ROWS];
    if (s->p->inputs > MOST_ALL)
        return cairn_fail(s->ctx, CAIRN_USAGE,
                          "{all}: functions of more than %d inputs are too many to try", MOST_ALL);
    CHECK(start_rows(s, (size_t)s->p->inputs, NULL));
    size_t n = (size_t)1 << s->rows;
    cairn_report_table_of(out, "Functions that one perceptron cannot compute", SHOWN_ROWS, "ll",
                          "outputs", "function");
    for (size_t k = 0; k < n; k++) {
        cairn_least_violation least;
        char bits[(1 << MOST_ALL) + 1] = "";
        SCOPED(cairn_text_clear) cairn_text word = cairn_text_start(s->ctx);
        SCOPED_SCRATCH(s->ctx);
        for (size_t r = 0; r < s->rows; r++) {
            truth[r] = bit_of(k, r, s->rows);
            bits[r] = truth[r] ? '1' : '0';
        }
        CHECK(separate(s, truth, &least));
        found += least.separable;
        if (least.separable) continue;
        write_function(&word, s, truth);
        CHECK(cairn_text_status(&word));
        cairn_report_cells(out, NULL, bits, cairn_text_string(&word));
    }
    cairn_report_value(out, "functions of the inputs", (double)n, "functions");
    cairn_report_value(out, "one perceptron can compute", (double)found, "representable");
    return CAIRN_OK;
}

/* -- lines between truth values -- */

/* One pair of axes: the four rows by their truth, and the line of a unit (NULL = there is none). */
static cairn_status add_panel(const booleans *s, cairn_figure *figure, const char *name,
                              const bool *truth, const double *plane)
{
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    static const char *const groups[] = {"true", "false"};
    int32_t codes[4];
    cairn_margin_scene scene = {.points = s->x,
                                .n = 4,
                                .stride = 2,
                                .groups = codes,
                                .group_names = groups,
                                .n_groups = 2,
                                .x = s->names[0],
                                .y = s->names[1]};
    for (size_t r = 0; r < 4; r++) codes[r] = !truth[r];
    CHECK(cairn_margin_start(s->ctx, &panel, &scene, "boolean-network", name));
    if (plane) cairn_margin_line(panel, &scene, plane, "net = 0");
    cairn_figure_size(panel, 280, 250);
    cairn_figure_panel(figure, TAKE(panel));
    return CAIRN_OK;
}

static cairn_status need_two(const booleans *s)
{
    if (s->n == 2) return CAIRN_OK;
    return cairn_fail(s->ctx, CAIRN_USAGE,
                      "functions of two inputs can be drawn, and this one has %zu", s->n);
}

static cairn_status draw_weights(booleans *s, cairn_figure *figure)
{
    cairn_vectors weights;
    CHECK(cairn_read_vectors(s->ctx, &weights, "weights", s->p->weights, "unit"));
    CHECK(start_rows(s, weights.width > 1 && weights.width < 5 ? weights.width - 1 : 1, NULL));
    CHECK(need_two(s));
    for (size_t k = 0; k < weights.n; k++) {
        const double *w = weights.values + 3 * k, plane[] = {w[1], w[2], w[0]};
        bool truth[4];
        for (size_t r = 0; r < 4; r++) truth[r] = cairn_unit_net(w + 1, s->x + 2 * r, 2, w[0]) > 0;
        CHECK(add_panel(s, figure, weights.names[k], truth, plane));
    }
    return CAIRN_OK;
}

/* A table with the line of a perceptron that computes it, where there is one. */
static cairn_status draw_table(booleans *s, void *figure, const char *name, const bool *truth,
                               bool steps)
{
    cairn_least_violation found;
    (void)steps;
    char title[120];
    CHECK(need_two(s));
    CHECK(separate(s, truth, &found));
    snprintf(title, sizeof title, "%.80s%s", name, found.separable ? "" : ": no line");
    return add_panel(s, figure, title, truth, found.separable ? found.plane : NULL);
}

/* Perceptrons in the rows of a table stand for typed ones. */
static cairn_status read_weights(cairn_context *ctx, boolean_params *p,
                                 const cairn_compute_job *job)
{
    cairn_named_matrix weights;
    *p = *(const boolean_params *)job->params;
    if (!job->table) return CAIRN_OK;
    if (p->weights)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the weights are typed, {weights}, or in DATA, not both");
    CHECK(cairn_named_matrix_read(ctx, &weights, job->table));
    return cairn_named_matrix_text(ctx, &p->weights, &weights, true);
}

static cairn_status boolean_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    boolean_params typed, *p = &typed;
    booleans s = {.ctx = ctx, .p = p};
    CHECK(read_weights(ctx, p, job));
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    if (p->network || p->all || (!p->weights && !p->table && !p->function))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights}, a {table} or a {function} of two inputs can be drawn; a "
                          "network is drawn by 'draw neural-network'");
    CHECK(cairn_figure_new(ctx, &figure, "boolean-network", "Boolean functions by perceptrons"));
    if (p->weights) CHECK(draw_weights(&s, figure));
    if (p->table) CHECK(each_table(&s, draw_table, figure, false));
    if (p->function) CHECK(each_function(&s, draw_table, figure, false));
    cairn_figure_columns(figure, 3);
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status boolean_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    boolean_params typed, *p = &typed;
    booleans s = {.ctx = ctx, .p = p};
    CHECK(read_weights(ctx, p, job));
    if (!p->weights && !p->network && !p->table && !p->function && !p->all)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "nothing to do: type {weights}, a {network}, a {table} or a {function}, "
                          "or ask for {all}");
    cairn_report_heading(out, 1, "Boolean functions by perceptrons");
    if (p->weights) CHECK(show_weights(out, &s));
    if (p->weights && job->steps) CHECK(work_weights(out, &s));
    if (p->network) CHECK(show_network(out, &s, job->steps));
    if (p->table) CHECK(each_table(&s, show_table, out, job->steps));
    if (p->function) CHECK(each_function(&s, show_table, out, job->steps));
    return p->all ? show_all(out, &s) : CAIRN_OK;
}

const cairn_calculator cairn_compute_boolean_network = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "boolean-network",
              .also = "Boolean functions, truth table, AND, OR, NAND, XOR, exclusive or, "
                      "perceptron, linear separability, threshold logic",
              .about = "representation of AND, representation of OR, logic gates",
              .title = "Boolean functions of perceptrons and networks",
              .summary =
                  "Runs perceptrons (typed, or the rows of DATA) and networks of them on all "
                  "rows of a truth table, "
                  "coded -1/1 or 0/1, and says which function every unit computes; and "
                  "decides by linear programming whether one perceptron can compute a "
                  "table, with its weights, or else two layers that do, such as AND(OR, "
                  "NAND) for exclusive or.",
              .references = "Minsky and Papert: Perceptrons, 1969",
              .example =
                  "cairn compute boolean-network --weights 'AND=-0.8,0.5,0.5;OR=0.3,0.5,0.5' "
                  "--function xor --steps",
              .params = boolean_table,
              .params_size = sizeof(boolean_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "boolean-network",
                .also = "decision line of a perceptron, Boolean functions, exclusive or",
                .title = "Boolean functions and the lines of perceptrons",
                .summary =
                    "The four rows of a function of two inputs, true and false, and the line "
                    "where the net input of a perceptron is 0: of typed weights, or of those "
                    "that compute a table, where a line can.",
                .example = "cairn draw boolean-network --function and,or,xor",
                .params = boolean_table,
                .params_size = sizeof(boolean_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_FEATURES | CAIRN_READS_ID,
    .run = boolean_run,
    .draw = boolean_draw,
};
