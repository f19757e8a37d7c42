/* SPDX-License-Identifier: MIT */
/* The work of growing a tree, written as on a board: for every node the class counts and the
 * impurity with its numbers put in, for every column the parts it would make and the gain, the
 * ranking with the choice, and for a leaf the reason. Nodes are numbered as in the tree, node1 is
 * the root. Only the first nodes and columns are written out. */
#include "learners/tree/show/tree_show.h"
#include "base/functions.h"
#include "base/number.h"
#include "learners/tree/grow/quest.h"
#include "learners/tree/grow/criterion.h"
#include "learners/tree/grow/tree_costs.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum {
    STEP_NODES = 50,
    STEP_COLUMNS = 50,
    STEP_PARTS = 50,
    STEP_CUTS = 50,
    SUBSET_ROWS = 50,
    LISTED_ROWS = 200,
    FORMULA_TERMS = 12
};

cairn_status cairn_tree_steps_make(cairn_context *ctx, cairn_tree_steps *out, cairn_report *report,
                                   const cairn_schema *schema, const cairn_binned *data,
                                   const cairn_grow_options *options)
{
    size_t parts = 2, stats = data->n_stats;
    for (size_t c = 0; c < data->n_columns; c++)
        if (!data->columns[c].is_number && data->columns[c].n_codes > parts)
            parts = data->columns[c].n_codes;
    *out = (cairn_tree_steps){.report = report, .schema = schema, .options = options};
    CHECK(SCRATCH(ctx, &out->cells, (parts + 1) * stats));
    CHECK(SCRATCH_EACH(ctx, parts + 1, &out->variances, &out->known));
    CHECK(SCRATCH(ctx, &out->branch, data->n_classes ? 0 : data->n_rows));
    return SCRATCH(ctx, &out->filled, stats);
}

/* What is being written about. */
typedef struct board {
    cairn_tree_steps *steps;
    cairn_report *report;
    const cairn_grow_event *event;
    const cairn_binned *data;
    const cairn_impurity_words *words;
    size_t number; /* of the node, from 1 */
    double impurity;
    cairn_tree_model named; /* for naming branches of a split: the tree with the split's set */
    cairn_text text;        /* emptied after use */
} board;

static const char *column_name(const board *b, size_t c)
{
    return cairn_schema_feature(b->steps->schema, c)->name;
}

static const char *column_key(const board *b, size_t c)
{
    return cairn_report_key(b->report, column_name(b, c));
}

/* Start the text anew; the report remembers whether it failed. */
static void reset_text(board *b)
{
    cairn_report_failed(b->report, cairn_text_status(&b->text));
    cairn_text_clear(&b->text);
    b->text = cairn_text_start(cairn_report_context(b->report));
}

/* Hand the text to the report and start anew. */
static void use_text(board *b, void (*use)(cairn_report *, const char *, ...))
{
    use(b->report, "%s", cairn_text_string(&b->text));
    reset_text(b);
}

static void add(board *b, double number)
{
    cairn_text_add_number(&b->text, number, 6);
}

static double weight_of(const board *b, const double *cell)
{
    return cairn_part_weight(b->data, cell);
}

/* "9/14" */
static void add_fraction(board *b, double part, double whole)
{
    add(b, part);
    cairn_text_add_char(&b->text, '/');
    add(b, whole);
}

/* -- the node itself -- */

/* H(S) = −9/14·log₂(9/14) − 5/14·log₂(5/14) = 0.940286 */
static void write_impurity(board *b)
{
    cairn_text_addf(&b->text, "%s(S) = ", b->words->symbol);
    cairn_impurity_add_terms(&b->text, b->steps->options->impurity, b->event->rows->totals,
                             b->data->n_classes, 2);
    cairn_text_add(&b->text, " = ");
    add(b, b->impurity);
    use_text(b, cairn_report_formula);
    cairn_report_hidden(b->report, b->impurity, "node%zu.%s", b->number, b->words->name);
}

static void write_classes(board *b)
{
    const double *totals = b->event->rows->totals;
    cairn_report_table_of(b->report, "Classes", 0, "lrr", "class", "rows", "share");
    for (size_t l = 0; l < b->data->n_classes; l++) {
        const char *name = cairn_schema_class(b->steps->schema, (int32_t)l);
        cairn_report_prefix(b->report, "node%zu.count", b->number);
        cairn_report_cells(b->report, "- @.$1", name, totals[l],
                           totals[l] / b->event->rows->weight);
    }
    cairn_report_table_end(b->report);
}

static void write_numbers(board *b)
{
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    b->impurity = node->error / node->weight;
    const cairn_criterion *words = b->data->criterion;
    cairn_report_formula(b->report, "%s", words->formula);
    cairn_report_value(b->report, "mean", node->mean, "node%zu.mean", b->number);
    cairn_report_value(b->report, words->squares, node->error, "node%zu.sse", b->number);
    cairn_report_value(b->report, words->variance, b->impurity, "node%zu.variance", b->number);
}

/* -- the parts of a split -- */

cairn_tree_node cairn_tree_as_node(cairn_tree_model *named, const cairn_grow_event *event,
                                   const cairn_split *split)
{
    *named = *event->tree;
    named->sets = split->sides;
    return (cairn_tree_node){.column = split->column,
                             .test = (uint8_t)split->test,
                             .cut = split->cut,
                             .level = split->test == CAIRN_TEST_SET ? 0 : (int32_t)split->code,
                             .n_levels = event->data->columns[split->column].n_codes,
                             .n_branches = (int32_t)cairn_split_branches(event->data, split)};
}

static cairn_tree_node as_node(board *b, const cairn_split *split)
{
    return cairn_tree_as_node(&b->named, b->event, split);
}

/* Name of a part as a key of values: "sunny", "<= 2.45". */
static const char *part_key(board *b, const cairn_tree_node *node, size_t part)
{
    cairn_text name = cairn_text_start(cairn_report_context(b->report));
    cairn_tree_add_branch(&name, &b->named, node, part, b->steps->schema, true);
    const char *key = cairn_report_key(b->report, cairn_text_string(&name));
    cairn_report_failed(b->report, cairn_text_status(&name));
    cairn_text_clear(&name);
    return key;
}

static void part_cell(board *b, const cairn_tree_node *node, size_t part)
{
    cairn_tree_add_branch(&b->text, &b->named, node, part, b->steps->schema, false);
    use_text(b, cairn_report_cellf);
}

static double part_impurity(const board *b, const double *cell)
{
    return cairn_impurity_of(b->steps->options->impurity, cell, b->data->n_classes);
}

/* Whether the parts of a split have a variance of their own to be shown. */
static bool has_variances(const board *b)
{
    return !b->data->n_classes && b->data->criterion->constant;
}

/* Mean of a part; cells hold sums of the target less its overall mean. */
static double part_mean(const board *b, const double *cell)
{
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    const cairn_node_rows *rows = b->event->rows;
    return cell[0] > 0 ? node->mean + cell[1] / cell[0] - rows->sum / rows->weight : NAN;
}

/* The variance of the target in every part; rows whose cell is missing count in all parts with
 * their shares where the split is judged by them. */
static void find_variances(board *b, const cairn_split *split, size_t n_parts)
{
    cairn_tree_steps *steps = b->steps;
    const cairn_node_rows *rows = b->event->rows;
    double known = 0;
    cairn_node_branches(steps->branch, b->data, steps->options, rows, split, steps->filled,
                        b->event->space);
    for (size_t p = 0; p < n_parts; p++) steps->variances[p] = steps->known[p] = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double weight = cairn_entry_weight(b->data, rows, i);
        if (steps->branch[i] < 0 || (size_t)steps->branch[i] >= n_parts) continue;
        steps->known[steps->branch[i]] += weight;
        known += weight;
    }
    bool shared = steps->options->missing_gain == CAIRN_GAIN_FILLED &&
                  steps->options->missing == CAIRN_TREE_WEIGHTS;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t p = 0; p < n_parts; p++) {
            bool missing = steps->branch[i] < 0;
            double share = missing && shared ? steps->known[p] / known : 0;
            double weight = cairn_entry_weight(b->data, rows, i) *
                            (missing ? share : steps->branch[i] == (int32_t)p);
            const double *cell = steps->cells + p * b->data->n_stats;
            double away = b->data->numbers[rows->rows[i]] - part_mean(b, cell);
            if (weight > 0) steps->variances[p] += weight * away * away / cell[0];
        }
    /* of equal numbers the mean is rounded, and what they are away from it is that rounding */
    for (size_t p = 0; p < n_parts; p++) {
        double away = sqrt(steps->variances[p]);
        double mean = part_mean(b, steps->cells + p * b->data->n_stats);
        if (cairn_number_left(away, mean) == 0) steps->variances[p] = 0;
    }
}

/* The table behind the gain formula: what each part holds, with every number under a name, and
 * variances only where the criterion asks for them. */
static void write_parts(board *b, const cairn_split *split, size_t n_parts)
{
    cairn_tree_node node = as_node(b, split);
    size_t k = b->data->n_classes, stats = b->data->n_stats;
    const char *column = column_key(b, (size_t)split->column);
    if (has_variances(b)) find_variances(b, split, n_parts);
    cairn_text_addf(&b->text, "Parts by %s", column_name(b, (size_t)split->column));
    cairn_report_table_begin(b->report, cairn_text_string(&b->text), STEP_PARTS);
    reset_text(b);
    cairn_report_column(b->report, column_name(b, (size_t)split->column), 'l');
    for (size_t l = 0; l < b->data->n_classes; l++)
        cairn_report_column(b->report, cairn_schema_class(b->steps->schema, (int32_t)l), 'r');
    cairn_report_columns(b->report, "rr", "rows", b->data->n_classes ? b->words->name : "mean");
    if (has_variances(b)) cairn_report_column(b->report, "variance", 'r');
    for (size_t p = 0; p < n_parts; p++) {
        const double *cell = b->steps->cells + p * stats;
        bool wanted = cairn_report_row_wanted(b->report);
        const char *part = wanted ? part_key(b, &node, p) : "";
        part_cell(b, &node, p);
        for (size_t l = 0; l < k; l++)
            cairn_report_cell_number(
                b->report, cell[l], 0, "node%zu.part.%s.%s.count.%s", b->number, column, part,
                cairn_report_key(b->report, cairn_schema_class(b->steps->schema, (int32_t)l)));
        cairn_report_cell_number(b->report, weight_of(b, cell), 0, "node%zu.part.%s.%s.n",
                                 b->number, column, part);
        if (k)
            cairn_report_cell_number(b->report, part_impurity(b, cell), 0, "node%zu.part.%s.%s.%s",
                                     b->number, column, part, b->words->name);
        else
            cairn_report_cell_difference(b->report, part_mean(b, cell),
                                         has_variances(b) ? sqrt(b->steps->variances[p]) : 0, 0,
                                         "node%zu.part.%s.%s.mean", b->number, column, part);
        if (has_variances(b))
            cairn_report_cell_number(b->report, cell[0] > 0 ? b->steps->variances[p] : NAN, 0,
                                     "node%zu.part.%s.%s.variance", b->number, column, part);
    }
    cairn_report_table_end(b->report);
}

/* Impurity of all parts together: of the node, of the rows whose cell is known, or of the counts
 * with what is added to each. */
static double judged_impurity(const board *b, size_t n_parts)
{
    size_t k = b->data->n_classes;
    double *total = b->event->space->total;
    const cairn_grow_options *o = b->steps->options;
    if (!k || (o->missing_gain == CAIRN_GAIN_FILLED && o->cell_add == 0)) return b->impurity;
    memset(total, 0, k * sizeof *total);
    for (size_t i = 0; i < n_parts * k; i++) total[i % k] += b->steps->cells[i];
    return part_impurity(b, total);
}

static double missing_weight(const board *b, const cairn_split *split)
{
    const cairn_node_rows *rows = b->event->rows;
    uint32_t n_codes = b->data->columns[split->column].n_codes;
    double sum = 0;
    cairn_binned_gather(b->data, (size_t)split->column, rows->rows, rows->n, b->event->space->keys);
    for (size_t i = 0; i < rows->n; i++)
        if (b->event->space->keys[i] == n_codes) sum += cairn_entry_weight(b->data, rows, i);
    return sum;
}

/* Gain(S, outlook) = 0.940286 − 5/14·0.970951 − ... = 0.24675; with unknown cells the whole is
 * multiplied by the share of the known ones, and a cut pays for the number of cuts. */
static void write_gain(board *b, const cairn_split *split, size_t n_parts)
{
    size_t k = b->data->n_stats, shown = 0;
    const cairn_grow_options *o = b->steps->options;
    double after = 0, whole = 0;
    double unknown = cairn_split_unknown(b->data, o, b->event->space);
    bool pays = o->cut_penalty && split->n_cuts > 1;
    const char *name = column_name(b, (size_t)split->column);
    if (!b->data->n_classes && (!has_variances(b) || missing_weight(b, split) > 0)) return;
    for (size_t p = 0; p < n_parts; p++) whole += weight_of(b, b->steps->cells + p * k);
    cairn_text_addf(&b->text, "Gain(S, %s) = ", name);
    if (unknown > 0) {
        add_fraction(b, whole, whole + unknown);
        cairn_text_add(&b->text, "·(");
    }
    add(b, judged_impurity(b, n_parts));
    for (size_t p = 0; p < n_parts; p++) {
        double weight = weight_of(b, b->steps->cells + p * k);
        /* How mixed part p is: its impurity, or its variance. */
        double impurity;
        if (!b->data->n_classes)
            impurity = b->steps->variances[p];
        else
            impurity = part_impurity(b, b->steps->cells + p * b->data->n_stats);
        after += weight / whole * impurity;
        if (!(weight > 0)) continue;
        if (shown == FORMULA_TERMS) cairn_text_add(&b->text, " − ...");
        if (shown++ >= FORMULA_TERMS) continue;
        cairn_text_add(&b->text, " − ");
        add_fraction(b, weight, whole);
        cairn_text_add(&b->text, "·");
        add(b, impurity);
    }
    if (unknown > 0) cairn_text_add(&b->text, ")");
    if (pays) {
        cairn_text_addf(&b->text, " − log₂(%u)/", (unsigned)split->n_cuts);
        add(b, whole + unknown);
        cairn_report_hidden(b->report, cairn_log2(split->n_cuts) / (whole + unknown),
                            "node%zu.penalty.%s", b->number, column_key(b, (size_t)split->column));
    }
    cairn_text_add(&b->text, " = ");
    add(b, split->gain);
    use_text(b, cairn_report_formula);
    cairn_report_hidden(b->report, after, "node%zu.after.%s", b->number,
                        column_key(b, (size_t)split->column));
}

/* -- missing cells of a column -- */

static void write_shares(board *b, const cairn_split *split, const cairn_tree_node *node,
                         size_t n_parts)
{
    size_t stats = b->data->n_stats;
    double whole = 0;
    for (size_t p = 0; p < n_parts; p++) whole += weight_of(b, b->steps->cells + p * stats);
    for (size_t p = 0; p < n_parts && p < STEP_PARTS; p++) {
        double share = weight_of(b, b->steps->cells + p * stats) / whole;
        cairn_text_add(&b->text, p ? ", " : "");
        add(b, share);
        cairn_text_add(&b->text, " to ");
        cairn_tree_add_branch(&b->text, &b->named, node, p, b->steps->schema, false);
        cairn_report_hidden(b->report, share, "node%zu.share.%s.%s", b->number,
                            column_key(b, (size_t)split->column), part_key(b, node, p));
    }
}

static void write_filled(board *b, const cairn_split *split, const cairn_tree_node *node)
{
    bool by_class = b->steps->options->missing == CAIRN_TREE_CLASS_MODE;
    const char *column = column_key(b, (size_t)split->column);
    for (size_t l = 0; l < (by_class ? b->data->n_classes : 1); l++) {
        size_t part = (size_t)b->steps->filled[l];
        const char *key = part_key(b, node, part);
        const char *class = cairn_schema_class(b->steps->schema, (int32_t)l);
        if (l) cairn_text_add(&b->text, ", ");
        cairn_tree_add_branch(&b->text, &b->named, node, part, b->steps->schema, false);
        if (by_class) cairn_text_addf(&b->text, " for %s", class);
        if (by_class)
            cairn_report_hidden_word(b->report, key, "node%zu.filled.%s.%s", b->number, column,
                                     cairn_report_key(b->report, class));
        else
            cairn_report_hidden_word(b->report, key, "node%zu.filled.%s", b->number, column);
    }
}

/* -- cuts of a number column -- */

/* Whether some row of the node has this code. */
static bool next_code(const board *b, const cairn_split *split, uint32_t *code, bool first)
{
    const cairn_node_rows *rows = b->event->rows;
    uint32_t n_codes = b->data->columns[split->column].n_codes, best = n_codes;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t x = b->event->space->keys[i];
        if (x < best && (first || x > *code)) best = x;
    }
    *code = best;
    return best < n_codes;
}

/* Every place where a number column could be cut, in ascending order. */
static void write_cuts(board *b, const cairn_split *best)
{
    const cairn_binned_column *column = &b->data->columns[best->column];
    const cairn_grow_options *o = b->steps->options;
    const char *key = column_key(b, (size_t)best->column);
    uint32_t code = 0, next = 0;
    cairn_binned_gather(b->data, (size_t)best->column, b->event->rows->rows, b->event->rows->n,
                        b->event->space->keys);
    if (!next_code(b, best, &code, true)) return;
    cairn_report_table_of(b->report, "Cuts", STEP_CUTS, "lrrr",
                          column_name(b, (size_t)best->column), "rows below", "rows above", "gain");
    if (!b->data->n_classes) cairn_report_column(b->report, "fall of the squares", 'r');
    for (size_t n = 0; n < STEP_CUTS && (next = code, next_code(b, best, &next, false)); n++) {
        cairn_split split = {
            .column = best->column, .test = CAIRN_TEST_CUT, .code = code, .next = next};
        split.cut = cairn_cut_between(column, code, next, o->cut);
        cairn_tree_node node = as_node(b, &split);
        size_t stats = b->data->n_stats;
        size_t parts = cairn_split_judged(b->steps->cells, b->steps->filled, b->data, o,
                                          b->event->rows, &split, b->event->space);
        cairn_split_rate(&split, b->data, o, b->steps->cells, parts,
                         cairn_split_unknown(b->data, o, b->event->space), b->event->space);
        if (next == best->next) cairn_report_row_mark(b->report);
        part_cell(b, &node, 0);
        cairn_report_cells(b->report, NULL, weight_of(b, b->steps->cells),
                           weight_of(b, b->steps->cells + stats));
        cairn_report_cell_number(b->report, split.gain, 0, "node%zu.gain.%s.%s", b->number, key,
                                 part_key(b, &node, 0));
        if (!b->data->n_classes)
            cairn_report_cell_number(b->report, split.gain * b->event->rows->weight, 0,
                                     "node%zu.drop.%s.%s", b->number, key, part_key(b, &node, 0));
        code = next;
    }
    cairn_report_table_end(b->report);
    if (next_code(b, best, &next, false))
        cairn_report_paragraph(b->report, "Only the first %d cuts are shown.", STEP_CUTS);
}

/* Every level against the rest. */
static void write_level_tests(board *b, const cairn_split *best)
{
    const cairn_grow_options *o = b->steps->options;
    const char *key = column_key(b, (size_t)best->column);
    size_t stats = b->data->n_stats;
    cairn_report_table_of(b->report, "Each level against the rest", STEP_CUTS, "lrrr",
                          column_name(b, (size_t)best->column), "rows", "other rows", "gain");
    for (uint32_t v = 0; v < b->data->columns[best->column].n_codes; v++) {
        cairn_split split = {.column = best->column, .test = CAIRN_TEST_LEVEL, .code = v};
        cairn_tree_node node = as_node(b, &split);
        size_t parts = cairn_split_judged(b->steps->cells, b->steps->filled, b->data, o,
                                          b->event->rows, &split, b->event->space);
        if (!(weight_of(b, b->steps->cells) > 0)) continue;
        cairn_split_rate(&split, b->data, o, b->steps->cells, parts,
                         cairn_split_unknown(b->data, o, b->event->space), b->event->space);
        if (v == best->code) cairn_report_row_mark(b->report);
        part_cell(b, &node, 0);
        cairn_report_cells(b->report, NULL, weight_of(b, b->steps->cells),
                           weight_of(b, b->steps->cells + stats));
        cairn_report_cell_number(b->report, split.gain, 0, "node%zu.gain.%s.%s", b->number, key,
                                 part_key(b, &node, 0));
    }
    cairn_report_table_end(b->report);
}

/* The levels of a set with what they were judged by. */
static void write_set(board *b, const cairn_split *best)
{
    const cairn_field *field = cairn_schema_feature(b->steps->schema, (size_t)best->column);
    const cairn_binned_column *column = &b->data->columns[best->column];
    size_t k = b->data->n_classes, stats = b->data->n_stats;
    cairn_split each = {.column = best->column, .test = CAIRN_TEST_LEVELS};
    cairn_split_judged(b->steps->cells, b->steps->filled, b->data, b->steps->options,
                       b->event->rows, &each, b->event->space);
    cairn_text_addf(&b->text, "Levels of %s", column_name(b, (size_t)best->column));
    cairn_report_table_begin(b->report, cairn_text_string(&b->text), STEP_PARTS);
    reset_text(b);
    cairn_report_columns(b->report, "lr", "level", "rows");
    for (size_t l = k == 2 ? 1 : 0; l < k; l++) {
        cairn_text_addf(&b->text, "share of %s", cairn_schema_class(b->steps->schema, (int32_t)l));
        cairn_report_column(b->report, cairn_text_string(&b->text), 'r');
        reset_text(b);
    }
    if (!k) cairn_report_column(b->report, "mean", 'r');
    cairn_report_column(b->report, "part", 'r');
    for (size_t v = 0; v < column->n_codes && v < field->names.n; v++) {
        const double *cell = b->steps->cells + v * stats;
        double weight = weight_of(b, cell);
        if (!best->sides[v]) continue;
        cairn_report_cells(b->report, NULL, cairn_map_key(&field->names, v), weight);
        for (size_t l = k == 2 ? 1 : 0; l < k; l++)
            cairn_report_cell_number(b->report, cell[l] / weight, 0, NULL);
        if (!k) cairn_report_cell_number(b->report, part_mean(b, cell), 0, NULL);
        cairn_report_cellf(b->report, "%d", (int)best->sides[v]);
    }
    cairn_report_table_end(b->report);
}

/* The two groups of classes and the cut between them. */
static void write_discriminant(board *b, const cairn_split *split)
{
    static const char *const found[] = {
        "",
        "The cut is where the two normal curves, times the rows of the groups, meet.",
        "The normal curves do not meet where it would divide the rows: the cut is in the middle of "
        "the means.",
        "A group has no spread: it is cut off right behind its value.",
    };
    cairn_split copy = *split;
    cairn_discriminant d;
    const char *key = column_key(b, (size_t)split->column);
    if (split->test != CAIRN_TEST_CUT) return;
    cairn_discriminant_cut(&copy, &d, b->data, b->steps->options, b->event->rows,
                           (size_t)split->column, b->event->space);
    cairn_text_addf(&b->text, "Groups by %s", column_name(b, (size_t)split->column));
    cairn_report_table_begin(b->report, cairn_text_string(&b->text), 0);
    reset_text(b);
    cairn_report_columns(b->report, "lrrr", "classes", "rows", "mean", "variance");
    for (size_t g = 0; g < 2; g++) {
        size_t n = 0;
        for (size_t l = 0; l < b->data->n_classes; l++)
            if (b->event->space->group[l] == g && n++ < FORMULA_TERMS)
                cairn_text_addf(&b->text, "%s%s", n > 1 ? ", " : "",
                                cairn_schema_class(b->steps->schema, (int32_t)l));
        use_text(b, cairn_report_cellf);
        cairn_report_cell_number(b->report, d.n[g], 0, NULL);
        cairn_report_cell_number(b->report, d.mean[g], 0, "node%zu.group%zu.mean.%s", b->number,
                                 g + 1, key);
        cairn_report_cell_number(b->report, d.variance[g], 0, "node%zu.group%zu.variance.%s",
                                 b->number, g + 1, key);
    }
    cairn_report_table_end(b->report);
    cairn_report_paragraph(b->report, "%s", found[d.found]);
}

/* -- all columns -- */

/* One column's work in the order in which it is done: the cuts or sets tried, what becomes of
 * missing cells, the parts, the gain. */
static void write_candidate(board *b, const cairn_split *split)
{
    size_t parts;
    if (split->test == CAIRN_TEST_NONE) return;
    if (b->steps->options->cut == CAIRN_TREE_DISCRIMINANT && b->data->n_classes)
        write_discriminant(b, split);
    else if (split->test == CAIRN_TEST_CUT)
        write_cuts(b, split);
    if (split->test == CAIRN_TEST_LEVEL) write_level_tests(b, split);
    if (split->test == CAIRN_TEST_SET && b->data->criterion->constant) write_set(b, split);
    parts = cairn_split_judged(b->steps->cells, b->steps->filled, b->data, b->steps->options,
                               b->event->rows, split, b->event->space);
    /* Says what the chosen treatment does to rows without a cell, as the counts in the table of
     * parts are not whole or do not add up otherwise. */
    cairn_tree_node node = as_node(b, split);
    double weight = b->data->columns[split->column].has_missing ? missing_weight(b, split) : 0;
    if (weight > 0) {
        cairn_report_hidden(b->report, weight, "node%zu.missing.%s", b->number,
                            column_key(b, (size_t)split->column));
        cairn_text_addf(&b->text, "%s is missing in ", column_name(b, (size_t)split->column));
        add(b, weight);
        switch (b->steps->options->missing) {
        case CAIRN_TREE_WEIGHTS:
            cairn_text_add(&b->text, " of the rows; each is divided: ");
            write_shares(b, split, &node, parts);
            break;
        case CAIRN_TREE_BRANCH: cairn_text_add(&b->text, " of the rows; they are a part"); break;
        case CAIRN_TREE_SURROGATE:
            cairn_text_add(&b->text, " of the rows; if it is chosen, other columns stand in");
            break;
        case CAIRN_TREE_MODE:
        case CAIRN_TREE_CLASS_MODE:
            cairn_text_add(&b->text, " of the rows; filled with the most frequent: ");
            write_filled(b, split, &node);
            break;
        }
        cairn_text_add(&b->text, ".");
        use_text(b, cairn_report_note);
    }
    if (b->steps->options->cell_add > 0)
        for (size_t i = 0; i < parts * b->data->n_classes; i++)
            b->steps->cells[i] += b->steps->options->cell_add;
    write_parts(b, split, parts);
    write_gain(b, split, parts);
}

/* Numbers as target have other scores, unless the ratio is asked for. */
static bool shows_ratio(const board *b)
{
    return b->data->n_classes || b->steps->options->score == CAIRN_TREE_RATIO;
}

/* The ranking has only the columns that the chosen score uses, so its head follows the options
 * as the rows in write_ranking do. */
static void rank_head(board *b)
{
    cairn_report_table_of(b->report, "Candidates", STEP_COLUMNS, "llr", "column", "test",
                          b->data->n_classes ? b->words->gain : "reduction of variance");
    if (!b->data->n_classes) {
        cairn_report_column(b->report, "fall of the squares", 'r');
        if (b->data->criterion->constant) cairn_report_column(b->report, "Σ p·mean²", 'r');
        cairn_report_column(b->report, "share explained", 'r');
    }
    if (shows_ratio(b)) {
        cairn_report_columns(b->report, "rr", "split information", "ratio");
    }
    if (b->steps->options->own_score)
        cairn_report_column(b->report, "contribution to the category", 'r');
    else if (b->steps->options->score == CAIRN_TREE_CHI)
        cairn_report_column(b->report, "χ²/n", 'r');
    if (b->steps->options->above_average) cairn_report_column(b->report, "competes", 'l');
    if (b->steps->options->costs) {
        cairn_report_columns(b->report, "rr", "cost", "score with cost");
    }
}

/* A number, or nothing. */
static void cell_if(board *b, double x, const char *what, const char *key)
{
    if (isnan(x))
        cairn_report_cell(b->report, "");
    else
        cairn_report_cell_number(b->report, x, 0, "node%zu.%s.%s", b->number, what, key);
}

/* The tests of all columns, and what they say. */
static void write_tests(board *b)
{
    static const char *const rules[] = {
        "The smallest p is below %s: that column is taken.",
        "No p is below %s, but a p of the spreads is below %s: that column is taken.",
        "No p is below %s and no p of the spreads below %s: the smallest p is taken all the same.",
    };
    const cairn_grow_options *o = b->steps->options;
    cairn_test_choice choice;
    char level[CAIRN_NUMBER_SIZE], spread[CAIRN_NUMBER_SIZE];
    if (!cairn_choose_by_test(&choice, b->event->splits, b->event->n_splits, o->select_level))
        return;
    cairn_report_table_of(b->report, "Tests of column and class", STEP_COLUMNS, "llrrr", "column",
                          "test", "statistic", "p", "p of spread");
    for (size_t i = 0; i < b->event->n_splits; i++) {
        const cairn_split *split = &b->event->splits[i];
        if (split->test == CAIRN_TEST_NONE) continue;
        const char *key = column_key(b, (size_t)split->column);
        if (i == choice.chosen) cairn_report_row_mark(b->report);
        cairn_report_cells(b->report, NULL, column_name(b, (size_t)split->column),
                           isnan(split->spread_p) ? "χ²" : "F");
        cell_if(b, split->statistic, "statistic", key);
        cell_if(b, split->p, "p", key);
        cell_if(b, split->spread_p, "spread_p", key);
    }
    cairn_report_table_end(b->report);
    cairn_number_format(level, choice.level, 4);
    cairn_number_format(spread, choice.spread_level, 4);
    cairn_report_hidden(b->report, choice.level, "node%zu.level", b->number);
    cairn_report_hidden(b->report, (double)choice.rule + 1, "node%zu.rule", b->number);
    if (choice.rule == CAIRN_RULE_MEANS)
        cairn_report_paragraph(b->report, rules[0], level);
    else if (choice.rule == CAIRN_RULE_SPREAD)
        cairn_report_paragraph(b->report, rules[1], level, spread);
    else
        cairn_report_paragraph(b->report, rules[2], level, spread);
}

/* Columns that are not in the ranking. */
static void write_left_out(board *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->event->n_splits; i++)
        if (b->event->splits[i].test == CAIRN_TEST_NONE && n++ < STEP_COLUMNS)
            cairn_text_addf(&b->text, "%s%s", n > 1 ? ", " : "",
                            column_name(b, (size_t)b->event->splits[i].column));
    if (n) {
        cairn_report_hidden_word(b->report, cairn_text_string(&b->text), "node%zu.without_split",
                                 b->number);
        cairn_text_addf(&b->text, "%s: no split that the options admit.",
                        n > STEP_COLUMNS ? ", ..." : "");
        use_text(b, cairn_report_note);
    }
    reset_text(b);
}

/* What else a split of numbers is judged by; all of it chooses the same one. With the mean of the
 * node, Σ p·mean² of the parts is the reduction and the square of that mean. */
static void rank_number_cells(board *b, const cairn_split *split, const char *key)
{
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    cairn_report_cell_number(b->report, split->gain * node->weight, 0, "node%zu.drop.%s", b->number,
                             key);
    if (b->data->criterion->constant)
        cairn_report_cell_number(b->report, split->gain + node->mean * node->mean, 0,
                                 "node%zu.squared_means.%s", b->number, key);
    cairn_report_cell_number(b->report, b->impurity > 0 ? split->gain / b->impurity : NAN, 0,
                             "node%zu.eta_squared.%s", b->number, key);
}

/* All columns with their gain and what the score makes of it; with an average to reach, columns
 * below it are shown but do not compete. */
static void write_ranking(board *b)
{
    const cairn_grow_options *o = b->steps->options;
    rank_head(b);
    for (size_t i = 0; i < b->event->n_splits; i++) {
        const cairn_split *split = &b->event->splits[i];
        if (split->test == CAIRN_TEST_NONE) continue;
        const char *name = column_name(b, (size_t)split->column);
        const char *key = column_key(b, (size_t)split->column);
        if (split == b->event->chosen) cairn_report_row_mark(b->report);
        cairn_report_cell(b->report, name);
        cairn_tree_node node = as_node(b, split);
        if (split->test == CAIRN_TEST_LEVELS) {
            cairn_report_cell(b->report, "each value");
        } else {
            cairn_tree_add_branch(&b->text, &b->named, &node, 0, b->steps->schema, false);
            use_text(b, cairn_report_cellf);
        }
        cairn_report_cell_number(b->report, split->gain, 0, "node%zu.gain.%s", b->number, key);
        if (!b->data->n_classes) rank_number_cells(b, split, key);
        if (shows_ratio(b)) {
            cairn_report_cell_number(b->report, split->information, 0,
                                     "node%zu.split_information.%s", b->number, key);
            cairn_report_cell_number(b->report, split->ratio, 0, "node%zu.ratio.%s", b->number,
                                     key);
        }
        if (b->steps->options->own_score)
            cairn_report_cell_number(b->report, o->costs ? split->uncosted : split->score, 0,
                                     "node%zu.contribution.%s", b->number, key);
        else if (b->steps->options->score == CAIRN_TREE_CHI)
            cairn_report_cell_number(b->report, o->costs ? split->uncosted : split->score, 0,
                                     "node%zu.chi.%s", b->number, key);
        if (o->above_average)
            cairn_report_cell_word(b->report, split->gain >= b->event->gain_wanted ? "yes" : "no",
                                   "node%zu.competes.%s", b->number, key);
        if (o->costs) {
            cairn_report_cell_number(b->report, o->costs[split->column], 0, NULL);
            cairn_report_cell_number(b->report, split->score, 0, "node%zu.score.%s", b->number,
                                     key);
        }
        if (split->test == CAIRN_TEST_CUT)
            cairn_report_hidden(b->report, split->cut, "node%zu.cut.%s", b->number, key);
    }
    cairn_report_table_end(b->report);
    if (o->above_average && isfinite(b->event->gain_wanted))
        cairn_report_value(b->report, "average gain",
                           b->event->gain_wanted + CAIRN_GAIN_SLACK * b->data->spread,
                           "node%zu.average", b->number);
    write_left_out(b);
}

/* Which column wins a tie changes the whole tree below, so ties are told with the rule that
 * broke them; a choice by test has no scores that could tie. */
static void write_ties(board *b)
{
    const cairn_split *chosen = b->event->chosen;
    if (b->steps->options->select == CAIRN_SELECT_TEST) return;
    double tie = CAIRN_TREE_TIE * b->data->spread;
    size_t ties = 0;
    for (size_t i = 0; i < b->event->n_splits; i++) {
        const cairn_split *split = &b->event->splits[i];
        if (split->test == CAIRN_TEST_NONE || fabs(split->score - chosen->score) > tie ||
            split->gain < b->event->gain_wanted)
            continue;
        cairn_text_addf(&b->text, "%s%s", ties++ ? ", " : "",
                        column_name(b, (size_t)split->column));
    }
    cairn_report_hidden(b->report, (double)ties, "node%zu.ties", b->number);
    if (ties > 1) {
        static const char *const rules[] = {"first", "last", "one drawn at random", "first"};
        cairn_report_hidden_word(b->report, cairn_text_string(&b->text), "node%zu.tied", b->number);
        cairn_text_addf(&b->text, " tie; the %s is taken.", rules[b->steps->options->tie]);
        use_text(b, cairn_report_note);
    }
    reset_text(b);
}

/* Tests that stand in for the chosen one. */
static void write_surrogates(board *b, const cairn_tree_node *node)
{
    const cairn_tree_model *tree = b->event->tree;
    cairn_report_table_of(b->report, "Surrogates", 0, "lllr", "column", "test", "stands for",
                          "agreement");
    for (size_t i = 0; i < node->n_surrogates; i++) {
        const cairn_surrogate *s = &tree->surrogates[node->surrogates + i];
        cairn_tree_node test = {.column = s->column,
                                .test = s->test,
                                .cut = s->cut,
                                .level = s->level,
                                .n_levels = s->n_levels,
                                .n_branches = 2};
        cairn_report_cell(b->report, column_name(b, (size_t)s->column));
        cairn_tree_add_branch(&b->text, tree, &test, 0, b->steps->schema, false);
        use_text(b, cairn_report_cellf);
        cairn_tree_add_branch(&b->text, tree, node, s->flipped, b->steps->schema, false);
        use_text(b, cairn_report_cellf);
        cairn_report_cell_number(b->report, s->agreement, 0, "node%zu.surrogate.%s", b->number,
                                 column_key(b, (size_t)s->column));
    }
    cairn_report_table_end(b->report);
}

static void write_choice(board *b)
{
    const cairn_split *chosen = b->event->chosen;
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    write_ties(b);
    cairn_report_word(b->report, "chosen", column_name(b, (size_t)chosen->column), "node%zu.chosen",
                      b->number);
    if (b->data->n_classes)
        cairn_report_hidden_word(b->report, cairn_schema_class(b->steps->schema, node->label),
                                 "node%zu.label", b->number);
    if (node->n_surrogates) write_surrogates(b, node);
}

/* The answer and the reason for stopping, the rows where they are wanted, and a note where the
 * class is taken from a tie. */
static void write_leaf(board *b)
{
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    const double *totals = b->event->rows->totals;
    size_t ties = 0;
    if (b->data->n_classes)
        cairn_report_word(b->report, "leaf", cairn_schema_class(b->steps->schema, node->label),
                          "node%zu.label", b->number);
    else
        cairn_report_value(b->report, "leaf", node->mean, "node%zu.label", b->number);
    cairn_report_word(b->report, "because",
                      cairn_say(cairn_report_context(b->report),
                                cairn_tree_reason((cairn_leaf_reason)node->reason)),
                      "node%zu.reason", b->number);
    if (b->steps->table && b->steps->list_rows && b->data->table_rows && b->event->rows->n) {
        /* The rows of a leaf by their ids, or by their numbers. */
        const cairn_node_rows *rows = b->event->rows;
        const cairn_table *table = b->steps->table;
        ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
        for (size_t i = 0; i < rows->n && i < LISTED_ROWS; i++) {
            size_t row = b->data->table_rows[rows->rows[i]];
            char cell[64];
            if (i) cairn_text_add(&b->text, ", ");
            if (id >= 0) {
                cairn_table_cell(table, (size_t)id, row, cell, sizeof cell);
                cairn_text_add(&b->text, cell);
            } else {
                cairn_text_addf(&b->text, "%zu", row + 1);
            }
        }
        if (rows->n > LISTED_ROWS)
            cairn_text_addf(&b->text, " and %zu more", rows->n - LISTED_ROWS);
        cairn_report_word(b->report, "its rows", cairn_text_string(&b->text), "node%zu.rows",
                          b->number);
        reset_text(b);
    }
    for (size_t l = 0; totals && l < b->data->n_classes; l++)
        ties += totals[l] >= totals[node->label] * (1 - CAIRN_TREE_TIE);
    if (ties > 1)
        cairn_report_note(b->report, "%zu classes are equally frequent here; %s is taken.", ties,
                          cairn_schema_class(b->steps->schema, node->label));
}

/* What is computed at every node, once at the top. */
static void write_definitions(board *b)
{
    const char *v = b->data->n_classes ? b->words->symbol : "Var";
    static const char *const by[] = {"gain", "ratio", "χ²/n"};
    if (b->data->n_classes) cairn_report_formula(b->report, "%s", b->words->formula);
    cairn_report_formula(b->report, "Gain(S, A) = %s(S) − Σ |Sᵥ|/|S|·%s(Sᵥ)", v, v);
    if (shows_ratio(b))
        cairn_report_formula(b->report, "SplitInformation(S, A) = −Σ |Sᵥ|/|S|·log₂(|Sᵥ|/|S|),   "
                                        "ratio = Gain / SplitInformation");
    const cairn_grow_options *o = b->steps->options;
    if (o->costs)
        cairn_report_formula(b->report, "score with cost = %s,   s = %s",
                             cairn_cost_formula(o->cost_rule), by[o->score]);
    if (o->select == CAIRN_SELECT_TEST) {
        cairn_report_paragraph(b->report, "The column is chosen by significance tests, before its "
                                          "split is looked at; the gains are shown beside.");
        return;
    }
    if (o->order) {
        cairn_report_paragraph(b->report, "The columns are asked in the order that is given; what "
                                          "they gain is shown beside.");
        return;
    }
    cairn_report_paragraph(b->report, "The column with the largest %s%s divides the rows.",
                           o->costs       ? "score with cost"
                           : o->own_score ? "contribution to the category"
                                          : by[o->score],
                           o->above_average ? " among those of at least average gain" : "");
}

static void begin_step(board *b)
{
    const cairn_tree_node *node = &b->event->tree->nodes[b->event->node];
    cairn_tree_add_path(&b->text, b->event->tree, b->event->node, b->steps->schema, ", ");
    cairn_report_step_begin(b->report, "Node %zu: %s", b->number,
                            b->text.length ? cairn_text_string(&b->text) : "all rows");
    if (b->text.length)
        cairn_report_hidden_word(b->report, cairn_text_string(&b->text), "node%zu.path", b->number);
    reset_text(b);
    if (b->event->node == 0) write_definitions(b);
    cairn_report_value(b->report, "rows", node->weight, "node%zu.n", b->number);
}

/* Whether somebody chose the columns. */
static bool is_guided(const cairn_tree_steps *steps)
{
    return steps->table && (steps->options->plan || steps->options->order);
}

/* Writes the heads for row SIZE_MAX and else the cells, in one order for both: identifier,
 * features, target. */
static void row_cells(board *b, size_t row)
{
    const cairn_table *table = b->steps->table;
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    for (int role = 0; role < 3; role++)
        for (size_t c = 0; c < table->n_columns; c++) {
            char cell[64];
            bool is[] = {(ptrdiff_t)c == id, table->slots[c].role == CAIRN_FEATURE,
                         table->slots[c].role == CAIRN_TARGET};
            if (!is[role]) continue;
            if (row == SIZE_MAX) {
                bool number = table->slots[c].column->kind == CAIRN_NUMBER;
                cairn_report_column(b->report, table->slots[c].name, number ? 'r' : 'l');
                continue;
            }
            cairn_table_cell(table, c, row, cell, sizeof cell);
            cairn_report_cell(b->report,
                              cairn_column_is_missing(table->slots[c].column, row) ? "?" : cell);
        }
}

/* The rows of a node: what is left of the table. */
static void write_subset(board *b)
{
    const cairn_node_rows *rows = b->event->rows;
    if (!b->data->table_rows || rows->n == 0 || b->steps->table->n_columns > STEP_COLUMNS) return;
    cairn_report_table_of(b->report, "The rows here", SUBSET_ROWS, "r", "row");
    row_cells(b, SIZE_MAX);
    for (size_t i = 0; i < rows->n && cairn_report_row_wanted(b->report); i++) {
        size_t row = b->data->table_rows[rows->rows[i]];
        cairn_report_cellf(b->report, "%zu", row + 1);
        row_cells(b, row);
    }
    cairn_report_table_end(b->report);
}

/* Forests look at some columns only. */
static void write_drawn(board *b)
{
    size_t wanted = b->steps->options->draw, n = b->event->n_splits;
    if (wanted == 0 || wanted >= b->data->n_columns || n == 0) return;
    for (size_t i = 0; i < n; i++)
        cairn_text_addf(&b->text, "%s%s", i ? ", " : "",
                        column_name(b, (size_t)b->event->splits[i].column));
    cairn_report_word(b->report, "columns drawn", cairn_text_string(&b->text), "node%zu.drawn",
                      b->number);
    reset_text(b);
    if (n > wanted)
        cairn_report_note(b->report,
                          "The first %zu cannot divide the rows, so more were drawn until one can.",
                          wanted);
}

bool cairn_tree_steps_node(void *data, const cairn_grow_event *event)
{
    cairn_tree_steps *steps = data;
    size_t n = 0;
    board b = {.steps = steps,
               .report = steps->report,
               .event = event,
               .data = event->data,
               .words = cairn_tree_impurity_words(steps->options->impurity),
               .number = event->node + 1,
               .text = cairn_text_start(cairn_report_context(steps->report))};
    steps->shown++;
    begin_step(&b);
    if (is_guided(steps)) write_subset(&b);
    if (event->rows->n > 0 && event->data->n_classes) {
        b.impurity = cairn_impurity_of(steps->options->impurity, event->rows->totals,
                                       event->data->n_classes);
        write_classes(&b);
        write_impurity(&b);
    } else if (event->rows->n > 0) {
        write_numbers(&b);
    }
    write_drawn(&b);
    for (size_t i = 0; i < event->n_splits && n < STEP_COLUMNS; i++, n++)
        write_candidate(&b, &event->splits[i]);
    if (event->n_splits > 0) write_ranking(&b);
    if (event->n_splits > 0 && steps->options->select == CAIRN_SELECT_TEST) write_tests(&b);
    if (event->chosen)
        write_choice(&b);
    else
        write_leaf(&b);
    cairn_report_step_end(steps->report);
    cairn_text_clear(&b.text);
    return steps->shown < STEP_NODES;
}

void cairn_tree_steps_end(cairn_tree_steps *steps, const cairn_tree_model *tree)
{
    if (tree->n_nodes > steps->shown)
        cairn_report_paragraph(steps->report,
                               "The first %d nodes are shown; %zu more were made in the same way.",
                               STEP_NODES, tree->n_nodes - steps->shown);
    if (!is_guided(steps) || tree->n_nodes > STEP_NODES) return;
    for (size_t i = 0, n = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column < 0) continue;
        cairn_report_step_begin(steps->report, "The tree after split %zu, by %s", ++n,
                                cairn_schema_feature(steps->schema, (size_t)node->column)->name);
        cairn_tree_draw_partial(steps->report, tree, steps->schema, n);
        cairn_report_step_end(steps->report);
    }
}
