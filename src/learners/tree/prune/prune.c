/* SPDX-License-Identifier: MIT */
/* Pruning: see prune.h for the methods.
 *
 * Every method marks the inner nodes that become leaves; cutting them off is common. Validation
 * rows are led down the tree once, and what each node would lose as a leaf is summed on the way
 * (a row with a missing cell counts in several branches with its shares). After that no method
 * looks at rows again: the greedy one keeps the possible gains in a heap, of which a replacement
 * changes only those of the nodes above.
 *
 * Cost: O(rows x depth) to lead the rows, O(nodes log nodes) to prune. */
#include "learners/tree/prune/prune.h"
#include "learners/tree/show/tree_show.h"

#include "base/functions.h"
#include "base/random.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

static const cairn_choice prune_choices[] = {
    {"none", CAIRN_PRUNE_NONE, "leave the tree as it was grown"},
    {"rep", CAIRN_PRUNE_REP,
     "reduced error: replace the node that helps most on rows held out, again and again"},
    {"rep-bottomup", CAIRN_PRUNE_BOTTOM_UP,
     "reduced error from the leaves up: compare with the majority of the rows held out"},
    {"pessimistic", CAIRN_PRUNE_PESSIMISTIC,
     "replace where the upper confidence limit of the errors does not rise"},
    {"cost-complexity", CAIRN_PRUNE_COST_COMPLEXITY, "least error + alpha times leaves"},
    {"same-label", CAIRN_PRUNE_SAME_LABEL, "join leaves below a node that all answer alike"},
    {"chi", CAIRN_PRUNE_CHI, "take back splits that are not significant"},
    {"mdl", CAIRN_PRUNE_MDL, "least length of tree and exceptions in bits"},
    {"small", CAIRN_PRUNE_SMALL,
     "join leaves where one has less weight than --prune-size, from below"},
    {NULL, 0, NULL},
};

const cairn_param cairn_prune_group[] = {
    CAIRN_PARAM_CHOICE(cairn_prune_params, prune, "none", prune_choices,
                       "how the grown tree is cut back", .often = true),
    CAIRN_PARAM(cairn_prune_params, prune_share, CAIRN_NOT_GIVEN, "(0,1)",
                "share of the rows that is held out to prune by, drawn with --seed class by class; "
                "rep and rep-bottomup take 0.3 if it is not given",
                .when = "prune=rep|rep-bottomup|cost-complexity,!prune_rows"),
    CAIRN_PARAM(cairn_prune_params, prune_rows, NULL, NULL,
                "these rows are held out to prune by, such as 2,7-9",
                .when = "prune=rep|rep-bottomup|cost-complexity"),
    CAIRN_PARAM(cairn_prune_params, prune_ties, "yes", NULL,
                "replace a node also when nothing changes on the rows held out",
                .when = "prune=rep"),
    CAIRN_PARAM(cairn_prune_params, collapse, "no", NULL,
                "before pruning, subtrees that make as many training errors as a leaf become one"),
    CAIRN_PARAM(cairn_prune_params, raise, "no", NULL,
                "the heaviest branch of a node may take its place", .when = "prune=pessimistic"),
    CAIRN_PARAM(cairn_prune_params, global_prune, "no", NULL,
                "after pruning, the smallest tree of the cost-complexity sequence is taken whose "
                "training errors are within --se standard errors of those of the tree"),
    CAIRN_PARAM(cairn_prune_params, confidence, "0.25", "(0,0.5]",
                "share of cases beyond the upper limit; less prunes more",
                .when = "prune=pessimistic"),
    CAIRN_PARAM(cairn_prune_params, prune_level, "0.05", "(0,1)",
                "a split whose p-value is larger is taken back", .when = "prune=chi"),
    CAIRN_PARAM(cairn_prune_params, prune_size, "5", "[0,inf)",
                "a split with a lighter branch that has rows is taken back", .when = "prune=small"),
    CAIRN_PARAM(cairn_prune_params, alpha, CAIRN_NOT_GIVEN, "[0,inf)",
                "what a leaf costs, in error per row; found by cross-validation if not given",
                .when = "prune=cost-complexity", .also = " ccp_alpha cp "),
    CAIRN_PARAM(cairn_prune_params, prune_folds, "10", "[2,1000]", "folds of the cross-validation",
                .when = "prune=cost-complexity,!alpha,!prune_share,!prune_rows"),
    CAIRN_PARAM(cairn_prune_params, se, "1", "[0,10]",
                "the smallest tree within so many standard errors of the best is taken",
                .when = "prune=cost-complexity,!alpha or global_prune"),
    CAIRN_PARAM_END,
};

void cairn_prune_add_name(cairn_text *out, const cairn_pruning *p, size_t node)
{
    if (node == 0) cairn_text_add(out, "root");
    cairn_tree_add_path(out, p->tree, node, p->job->schema, ",");
}

/* -- dividing the rows -- */

static const double USUAL_SHARE = 0.3;

static bool wants_rows(const cairn_prune_params *params)
{
    return params->prune == CAIRN_PRUNE_REP || params->prune == CAIRN_PRUNE_BOTTOM_UP ||
           (params->prune == CAIRN_PRUNE_COST_COMPLEXITY &&
            (params->prune_rows || !isnan(params->prune_share)));
}

/* Mark view rows whose table row is listed. */
static cairn_status mark_listed(cairn_pruning *p, uint8_t *tested)
{
    const cairn_view *view = p->job->view;
    size_t n_rows = cairn_table_rows(view->table), n = 0;
    uint32_t *list;
    uint8_t *listed;
    cairn_status status;
    TRY(cairn_row_list(p->ctx, &list, &n, p->params->prune_rows, n_rows));
    TRY(SCRATCH(p->ctx, &listed, n_rows));
    for (size_t i = 0; i < n; i++) listed[list[i]] = 1;
    for (size_t i = 0; i < view->rows.n; i++) tested[i] = listed[cairn_view_row(view, i)];
done:
    if (status) cairn_message_prefix(p->ctx, "{prune-rows}");
    return status;
}

/* Mark a share of every class (of all rows for a number as target). */
static cairn_status mark_share(cairn_pruning *p, uint8_t *tested)
{
    const cairn_view *view = p->job->view;
    bool classes = p->job->task == CAIRN_CLASSIFY;
    size_t n = view->rows.n, n_groups = classes ? p->job->n_classes : 1;
    double share = isnan(p->params->prune_share) ? USUAL_SHARE : p->params->prune_share;
    size_t *order;
    cairn_random random;
    CHECK(SCRATCH(p->ctx, &order, n));
    cairn_random_start(&random, cairn_context_seed(p->ctx), 77);
    for (size_t g = 0; g < n_groups; g++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if (!classes || view->target->codes[cairn_view_row(view, i)] == (int32_t)g)
                order[m++] = i;
        cairn_random_shuffle(&random, order, m);
        size_t held = (size_t)floor((double)m * share + 0.5);
        for (size_t i = 0; i < held; i++) tested[order[i]] = 1;
    }
    return CAIRN_OK;
}

static cairn_status take_rows(cairn_pruning *p, cairn_view *out, const uint8_t *tested, bool wanted)
{
    const cairn_view *view = p->job->view;
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *out = *view;
    CHECK(SCRATCH(p->ctx, &indices, view->rows.n));
    if (view->rows.weights) CHECK(SCRATCH(p->ctx, &weights, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        if ((bool)tested[i] != wanted) continue;
        if (weights) weights[n] = view->rows.weights[i];
        indices[n++] = (uint32_t)cairn_view_row(view, i);
    }
    out->rows = (cairn_rows){indices, n, weights};
    return CAIRN_OK;
}

cairn_status cairn_prune_divide(cairn_pruning *p)
{
    uint8_t *tested;
    p->kept = *p->job->view;
    p->tested = p->kept;
    p->tested.rows.n = 0;
    if (!wants_rows(p->params)) return CAIRN_OK;
    CHECK(SCRATCH(p->ctx, &tested, p->job->view->rows.n));
    if (p->params->prune_rows)
        CHECK(mark_listed(p, tested));
    else
        CHECK(mark_share(p, tested));
    CHECK(take_rows(p, &p->kept, tested, false));
    CHECK(take_rows(p, &p->tested, tested, true));
    if (p->kept.rows.n == 0 || p->tested.rows.n == 0)
        CHECK(cairn_fail(p->ctx, CAIRN_BAD_DATA,
                         "no row is left to %s; choose another {prune-share} or {prune-rows}",
                         p->kept.rows.n == 0 ? "grow the tree on" : "prune it by"));
    return CAIRN_OK;
}

/* -- losses of rows -- */

typedef struct part_of_row {
    int32_t node;
    double weight;
} part_of_row;

typedef struct leading {
    const cairn_tree_model *tree;
    const cairn_view *view;
    cairn_node_losses *out;
    part_of_row *stack;
    double *stuck; /* n_nodes: losses of rows that no branch takes */
} leading;

static double loss_at(const leading *l, int32_t node, size_t row)
{
    const cairn_tree_node *at = &l->tree->nodes[node];
    if (l->tree->n_classes) return l->view->target->codes[row] != at->label;
    double off = l->view->target->numbers[row] - at->mean;
    return off * off;
}

/* The branches that a row takes from an inner node; returns how many parts were pushed. */
static size_t push_parts(const leading *l, part_of_row *stack, part_of_row from, size_t row)
{
    const cairn_tree_model *tree = l->tree;
    const cairn_tree_node *node = &tree->nodes[from.node];
    size_t link = cairn_tree_way(tree, node, l->view->features, row, NULL), n = 0;
    int32_t child = tree->links[node->links + link];
    double total = 0;
    if (child >= 0) {
        stack[0] = (part_of_row){child, from.weight};
        return 1;
    }
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        child = tree->links[node->links + b];
        if (child >= 0) total += tree->nodes[child].weight;
    }
    for (size_t b = 0; b < (size_t)node->n_branches && total > 0; b++) {
        child = tree->links[node->links + b];
        if (child < 0 || !(tree->nodes[child].weight > 0)) continue;
        stack[n++] = (part_of_row){child, from.weight * tree->nodes[child].weight / total};
    }
    return n;
}

static void lead_row(leading *l, size_t i)
{
    size_t row = cairn_view_row(l->view, i), n = 0, k = l->tree->n_classes;
    l->stack[n++] = (part_of_row){0, cairn_view_weight(l->view, i)};
    l->out->weight += l->stack[0].weight;
    while (n > 0) {
        part_of_row at = l->stack[--n];
        double loss = at.weight * loss_at(l, at.node, row);
        l->out->leaf[at.node] += loss;
        if (l->out->counts)
            l->out->counts[(size_t)at.node * k + (size_t)l->view->target->codes[row]] += at.weight;
        if (l->tree->nodes[at.node].column < 0) continue;
        size_t pushed = push_parts(l, l->stack + n, at, row);
        if (pushed == 0) l->stuck[at.node] += loss;
        n += pushed;
    }
}

cairn_status cairn_prune_losses(cairn_context *ctx, cairn_node_losses *out,
                                const cairn_tree_model *tree, const cairn_view *view, bool counts)
{
    leading l = {.tree = tree, .view = view, .out = out};
    size_t n = tree->n_nodes;
    *out = (cairn_node_losses){0};
    CHECK(SCRATCH_EACH(ctx, n, &out->leaf, &out->subtree, &l.stuck));
    CHECK(SCRATCH(ctx, &l.stack, n + 1));
    if (counts) CHECK(SCRATCH(ctx, &out->counts, n * tree->n_classes));
    for (size_t i = 0; i < view->rows.n; i++)
        if (!cairn_column_is_missing(view->target, cairn_view_row(view, i))) lead_row(&l, i);
    for (size_t i = n; i-- > 0;) {
        const cairn_tree_node *node = &tree->nodes[i];
        out->subtree[i] += node->column < 0 ? out->leaf[i] : l.stuck[i];
        if (node->parent >= 0) out->subtree[node->parent] += out->subtree[i];
    }
    return CAIRN_OK;
}

/* -- reduced error, greedy -- */

/* Inner nodes by what their replacement gains; entries whose gain has changed since are skipped
 * when they come up. */
typedef struct gain_entry {
    double gain;
    int32_t node;
} gain_entry;

typedef struct gain_heap {
    cairn_context *ctx;
    gain_entry *entries;
    size_t n, capacity;
} gain_heap;

static bool gains_more(gain_entry a, gain_entry b)
{
    return a.gain != b.gain ? a.gain > b.gain : a.node < b.node;
}

static cairn_status heap_add(gain_heap *heap, gain_entry entry)
{
    CHECK(GROW(heap->ctx, &heap->entries, &heap->capacity, heap->n + 1));
    size_t at = heap->n++;
    for (; at > 0 && gains_more(entry, heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
        heap->entries[at] = heap->entries[(at - 1) / 2];
    heap->entries[at] = entry;
    return CAIRN_OK;
}

static gain_entry heap_take(gain_heap *heap)
{
    gain_entry top = heap->entries[0], last = heap->entries[--heap->n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->n; at = child) {
        if (child + 1 < heap->n && gains_more(heap->entries[child + 1], heap->entries[child]))
            child++;
        if (!gains_more(heap->entries[child], last)) break;
        heap->entries[at] = heap->entries[child];
    }
    heap->entries[at] = last;
    return top;
}

static bool is_cut(const cairn_tree_model *tree, const uint8_t *marks, int32_t node)
{
    for (; node >= 0; node = tree->nodes[node].parent)
        if (marks[node]) return true;
    return false;
}

static double rate(const cairn_pruning *p, const cairn_node_losses *losses, double loss)
{
    return p->tree->n_classes ? 1 - loss / losses->weight : loss / losses->weight;
}

enum { SHOWN_ROUNDS = 50, SHOWN_CANDIDATES = 60 };

/* The table of a round: what every replacement would give. */
static void show_round(const cairn_pruning *p, const cairn_node_losses *l, const uint8_t *marks,
                       size_t round, int32_t chosen, double loss)
{
    const char *what = p->tree->n_classes ? "accuracy" : "mean squared error";
    cairn_text name = cairn_text_start(p->ctx);
    if (!p->steps || round > SHOWN_ROUNDS) return;
    cairn_report_step_begin(p->steps, "Pruning, round %zu", round);
    cairn_report_paragraph(p->steps,
                           "Each inner node in turn is replaced by a leaf with its own answer, and "
                           "the rows held out are judged again.");
    cairn_report_value(p->steps, "as it is", rate(p, l, loss), "prune.round%zu.before", round);
    cairn_report_table_of(p->steps, "Candidates", SHOWN_CANDIDATES, "lr", "node", what);
    for (size_t i = 0; i < p->tree->n_nodes && cairn_report_row_wanted(p->steps); i++) {
        if (p->tree->nodes[i].column < 0 || is_cut(p->tree, marks, (int32_t)i)) continue;
        name.length = 0;
        cairn_prune_add_name(&name, p, i);
        const char *key = cairn_report_key(p->steps, cairn_text_string(&name));
        if ((int32_t)i == chosen) cairn_report_row_mark(p->steps);
        cairn_report_cell(p->steps, cairn_text_string(&name));
        cairn_report_cell_number(p->steps, rate(p, l, loss - l->subtree[i] + l->leaf[i]), 0,
                                 "prune.round%zu.candidate.%s", round, key);
        if ((int32_t)i == chosen)
            cairn_report_hidden_word(p->steps, cairn_text_string(&name), "prune.round%zu.node",
                                     round);
    }
    cairn_report_table_end(p->steps);
    if (chosen < 0)
        cairn_report_paragraph(p->steps, "No replacement keeps it as good: pruning ends.");
    cairn_report_step_end(p->steps);
    cairn_report_failed(p->steps, cairn_text_status(&name));
    cairn_text_clear(&name);
}

/* The best replacement that is still possible, -1 when none is good enough. */
static int32_t best_replacement(const cairn_pruning *p, gain_heap *heap, const cairn_node_losses *l,
                                const uint8_t *marks)
{
    double tiny = 1e-12 * (l->weight > 1 ? l->weight : 1);
    while (heap->n > 0) {
        gain_entry top = heap->entries[0];
        bool stale = is_cut(p->tree, marks, top.node) ||
                     top.gain != l->subtree[top.node] - l->leaf[top.node];
        if (!stale)
            return top.gain > tiny || (p->params->prune_ties && top.gain >= -tiny) ? top.node : -1;
        heap_take(heap);
    }
    return -1;
}

/* Reduced-error pruning by the best replacement of each round; nodes above a replacement enter
 * the heap anew, and their outdated entries are recognised when they come up. */
static cairn_status prune_greedily(cairn_pruning *p, uint8_t *marks)
{
    cairn_node_losses l;
    gain_heap heap = {.ctx = p->ctx};
    cairn_status status;
    TRY(cairn_prune_losses(p->ctx, &l, p->tree, &p->tested, false));
    for (size_t i = 0; i < p->tree->n_nodes; i++)
        if (p->tree->nodes[i].column >= 0)
            TRY(heap_add(&heap, (gain_entry){l.subtree[i] - l.leaf[i], (int32_t)i}));
    for (size_t round = 1;; round++) {
        int32_t node = best_replacement(p, &heap, &l, marks);
        show_round(p, &l, marks, round, node, l.subtree[0]);
        if (node < 0) break;
        double gain = l.subtree[node] - l.leaf[node];
        marks[node] = 1;
        for (int32_t at = node; at >= 0; at = p->tree->nodes[at].parent) {
            l.subtree[at] -= gain;
            if (at != node) TRY(heap_add(&heap, (gain_entry){l.subtree[at] - l.leaf[at], at}));
        }
        TRY(cairn_tick(p->ctx, NULL, 0, 0));
    }
done:
    cairn_free(heap.entries);
    return status;
}

/* -- reduced error from the leaves up -- */

/* Most frequent class of the rows held out; the first of equals. -1 = no rows. */
static int32_t majority_of(const double *counts, size_t k)
{
    size_t best = 0;
    double total = counts[0];
    for (size_t l = 1; l < k; l++) {
        total += counts[l];
        if (counts[l] > counts[best]) best = l;
    }
    return total > 0 ? (int32_t)best : -1;
}

/* What was compared at the inner nodes, from the leaves up; NaN = nothing. */
typedef struct comparison {
    double *subtree, *leaf;       /* n_nodes */
    const char *heads[2], *story; /* heads[1] = NULL: there is one number only */
} comparison;

static cairn_status comparison_make(cairn_pruning *p, comparison *out)
{
    CHECK(SCRATCH_EACH(p->ctx, p->tree->n_nodes, &out->subtree, &out->leaf));
    for (size_t i = 0; i < p->tree->n_nodes; i++) out->subtree[i] = out->leaf[i] = NAN;
    return CAIRN_OK;
}

/* Nodes are listed in the order in which they are decided, from the leaves up, since each
 * decision sees those below it. */
static void show_comparison(const cairn_pruning *p, const comparison *c, const uint8_t *marks)
{
    cairn_report *out = p->steps;
    cairn_text name = cairn_text_start(p->ctx);
    if (!out) return;
    cairn_report_step_begin(out, "Pruning from the leaves up");
    cairn_report_paragraph(out, "%s", cairn_say(cairn_report_context(out), c->story));
    cairn_report_table_of(out, "What becomes of the inner nodes", SHOWN_CANDIDATES, "l", "node");
    for (int h = 0; h < 2 && c->heads[h]; h++) cairn_report_column(out, c->heads[h], 'r');
    cairn_report_column(out, "becomes", 'l');
    for (size_t i = p->tree->n_nodes; i-- > 0;) {
        if (p->tree->nodes[i].column < 0) continue;
        if (!cairn_report_row_wanted(out)) break;
        name.length = 0;
        cairn_prune_add_name(&name, p, i);
        const char *key = cairn_report_key(out, cairn_text_string(&name));
        if (marks[i]) cairn_report_row_mark(out);
        cairn_report_cells(out, "- prune.subtree.$1", cairn_text_string(&name), c->subtree[i]);
        if (c->heads[1]) cairn_report_cell_number(out, c->leaf[i], 0, "prune.leaf.%s", key);
        cairn_report_cell_word(out, marks[i] ? "leaf" : "stays", "prune.becomes.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&name);
}

/* A node becomes a leaf of the majority among the rows held out, not of the training rows; so
 * its label and its training error have to be set anew. */
static cairn_status prune_bottom_up(cairn_pruning *p, uint8_t *marks)
{
    cairn_tree_model *tree = p->tree;
    size_t k = tree->n_classes;
    cairn_node_losses l;
    comparison shown = {
        .heads = {"accuracy of the subtree", "of their majority"},
        .story = "At each node the rows held out that get there are met by the subtree as it is by "
                 "now, and by the class that most of them have. The node becomes a leaf with that "
                 "class where the subtree does worse; nodes that none of them reach stay."};
    double *below;
    if (k == 0)
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "{prune rep-bottomup} compares with a majority, and '%s' is a number; "
                          "use rep or cost-complexity",
                          p->job->view->target_name);
    CHECK(cairn_prune_losses(p->ctx, &l, tree, &p->tested, true));
    CHECK(comparison_make(p, &shown));
    CHECK(SCRATCH(p->ctx, &below, tree->n_nodes)); /* losses as the tree is by now */
    for (size_t i = tree->n_nodes; i-- > 0;) {
        cairn_tree_node *node = &tree->nodes[i];
        double own = l.leaf[i];
        int32_t label = node->column < 0 ? -1 : majority_of(l.counts + i * k, k);
        if (node->column < 0) below[i] = own;
        if (label >= 0) {
            double weight = 0;
            for (size_t c = 0; c < k; c++) weight += l.counts[i * k + c];
            own = weight - l.counts[i * k + (size_t)label];
            shown.subtree[i] = 1 - below[i] / weight;
            shown.leaf[i] = 1 - own / weight;
        }
        if (label >= 0 && below[i] > own + 1e-12 * (1 + l.weight)) {
            marks[i] = 1;
            node->label = label;
            node->error = node->weight;
            for (size_t j = 0; j < node->n_counts; j++)
                if (tree->classes[node->counts + j] == label)
                    node->error -= tree->weights[node->counts + j];
            below[i] = own;
        }
        if (node->parent >= 0) below[node->parent] += below[i];
    }
    show_comparison(p, &shown, marks);
    return CAIRN_OK;
}

/* -- bounds, tests and bits: no rows are held out -- */

/* Errors beyond those seen, at the upper limit of a one-sided interval: exact without errors,
 * between 0 and 1 on a straight line, otherwise by the normal curve with half an error more. */
static double errors_added(double n, double errors, double confidence)
{
    if (errors < 1) {
        double none = n * (1 - cairn_pow(confidence, 1 / n));
        if (errors == 0) return none;
        return none + errors * (errors_added(n, 1, confidence) - none);
    }
    if (errors + 0.5 >= n) return fmax(n - errors, 0);
    double z = cairn_normal_quantile_upper(confidence);
    double f = (errors + 0.5) / n;
    double upper =
        (f + z * z / (2 * n) + z * sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n);
    return upper * n - errors;
}

double cairn_pessimistic_errors(double n, double errors, double confidence)
{
    return n > 0 ? errors + errors_added(n, errors, confidence) : 0;
}

static double pessimistic_errors(const cairn_pruning *p, const cairn_tree_node *node)
{
    return cairn_pessimistic_errors(node->weight, node->error, p->params->confidence);
}

static double log2_choose(double n, double k)
{
    return (cairn_lgamma(n + 1) - cairn_lgamma(k + 1) - cairn_lgamma(n - k + 1)) / cairn_log(2);
}

/* Bits of a leaf: that it is one, its class, how many exceptions, which rows, which classes. */
static double leaf_bits(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    double k = (double)tree->n_classes, n = node->weight, e = node->error;
    if (!(n > 0)) return 1 + cairn_log2(k);
    return 1 + cairn_log2(k) + cairn_log2(n + 1) + log2_choose(n, e) +
           (k > 2 ? e * cairn_log2(k - 1) : 0);
}

/* Bits of a test: that it is one, the column, and the place of the cut or the level. */
static double test_bits(const cairn_pruning *p, const cairn_tree_node *node)
{
    const cairn_binned_column *column = &p->data->columns[node->column];
    double bits = 1 + cairn_log2((double)p->tree->n_columns);
    if (node->test == CAIRN_TEST_SET) return bits + (double)column->n_codes - 1;
    if (node->test != CAIRN_TEST_LEVELS && column->n_codes > 1)
        bits += cairn_log2((double)column->n_codes - (node->test == CAIRN_TEST_CUT));
    return bits;
}

/* p-value of the table of branches and classes. */
static double split_p_value(const cairn_pruning *p, const cairn_tree_node *node, double *cells)
{
    const cairn_tree_model *tree = p->tree;
    size_t n_parts = 0, k = tree->n_classes;
    cairn_split_scores scores;
    for (size_t b = 0; b <= (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        if (child < 0) continue;
        const cairn_tree_node *at = &tree->nodes[child];
        memset(cells + n_parts * k, 0, k * sizeof *cells);
        for (size_t j = 0; j < at->n_counts; j++)
            cells[n_parts * k + (size_t)tree->classes[at->counts + j]] +=
                tree->weights[at->counts + j];
        n_parts++;
    }
    cairn_split_scores_of(&scores, cells, n_parts, k, 0);
    return scores.degrees ? cairn_chi2_upper(scores.chi_squared, (double)scores.degrees) : 1;
}

/* Weight of the lightest branch that has rows. */
static double lightest_branch(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    double least = INFINITY;
    for (size_t b = 0; b <= (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        if (child >= 0 && tree->nodes[child].weight > 0)
            least = fmin(least, tree->nodes[child].weight);
    }
    return least;
}

/* Whether all leaves below answer alike; `same` has the common answer of finished nodes. */
static bool answers_alike(const cairn_tree_model *tree, const uint8_t *mixed, size_t i)
{
    const cairn_tree_node *node = &tree->nodes[i];
    int32_t label = -1;
    double mean = NAN;
    for (size_t b = 0; b <= (size_t)node->n_branches; b++) {
        int32_t at = tree->links[node->links + b];
        if (at < 0) continue;
        if (mixed[at]) return false;
        while (tree->nodes[at].column >= 0) at++; /* the first leaf below */
        if (isnan(mean)) {
            label = tree->nodes[at].label;
            mean = tree->nodes[at].mean;
        }
        if (tree->nodes[at].label != label || fabs(tree->nodes[at].mean - mean) > 1e-12)
            return false;
    }
    return true;
}

/* One pass from the last node to the first: a node is replaced when its own cost is at most that of
 * what is below it. */
static cairn_status prune_by_cost(cairn_pruning *p, uint8_t *marks)
{
    const cairn_tree_model *tree = p->tree;
    bool bits = p->params->prune == CAIRN_PRUNE_MDL;
    comparison shown = {
        .heads = {bits ? "bits of the subtree" : "errors of the subtree", "as a leaf"},
        .story = bits ? "A node becomes a leaf where that takes no more bits: for the tests, the "
                        "answers and the exceptions."
                      : "Errors on the training rows, at the upper limit of their interval. A node "
                        "becomes a leaf where that has at most 0.1 more of them."};
    double *below;
    CHECK(comparison_make(p, &shown));
    CHECK(SCRATCH(p->ctx, &below, tree->n_nodes));
    for (size_t i = tree->n_nodes; i-- > 0;) {
        const cairn_tree_node *node = &tree->nodes[i];
        double own = bits ? leaf_bits(tree, node) : pessimistic_errors(p, node);
        if (node->column >= 0 && bits) below[i] += test_bits(p, node);
        if (node->column >= 0) marks[i] = own <= below[i] + (bits ? 0 : 0.1 + 1e-6);
        shown.subtree[i] = below[i];
        shown.leaf[i] = own;
        if (node->column < 0 || marks[i]) below[i] = own;
        if (node->parent >= 0) below[node->parent] += below[i];
    }
    show_comparison(p, &shown, marks);
    return CAIRN_OK;
}

/* Splits with leaves only below them, again and again. */
static cairn_status prune_by_test(cairn_pruning *p, uint8_t *marks)
{
    const cairn_tree_model *tree = p->tree;
    bool chi = p->params->prune == CAIRN_PRUNE_CHI, small = p->params->prune == CAIRN_PRUNE_SMALL;
    comparison shown = {
        .heads = {chi     ? "p of the split"
                  : small ? "rows of the lightest branch"
                          : "leaves below answer alike (1 = yes)"},
        .story = chi ? "Chi-squared test of branches and classes. A split that is not significant "
                       "is taken back, unless a split below it stays."
                 : small
                     ? "A split with a branch lighter than {prune-size} is taken back, unless "
                       "a split below it stays."
                     : "A node becomes a leaf where all leaves below it answer the same class."};
    uint8_t *mixed; /* inner nodes that stay */
    double *cells = NULL;
    size_t most = 0;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].n_branches + 1 > (int32_t)most)
            most = (size_t)tree->nodes[i].n_branches + 1;
    CHECK(comparison_make(p, &shown));
    CHECK(SCRATCH(p->ctx, &mixed, tree->n_nodes));
    CHECK(SCRATCH(p->ctx, &cells, most * tree->n_classes));
    for (size_t i = tree->n_nodes; i-- > 0;) {
        const cairn_tree_node *node = &tree->nodes[i];
        bool stays = false;
        if (node->column < 0) continue;
        for (size_t b = 0; (chi || small) && b <= (size_t)node->n_branches; b++) {
            int32_t child = tree->links[node->links + b];
            stays |= child >= 0 && mixed[child];
        }
        shown.subtree[i] = chi     ? split_p_value(p, node, cells)
                           : small ? lightest_branch(tree, node)
                                   : answers_alike(tree, mixed, i);
        if (!stays)
            stays = chi     ? shown.subtree[i] <= p->params->prune_level
                    : small ? shown.subtree[i] >= p->params->prune_size
                            : shown.subtree[i] == 0;
        mixed[i] = stays;
        marks[i] = !stays;
    }
    show_comparison(p, &shown, marks);
    return CAIRN_OK;
}

/* -- collapsing -- */

/* Subtrees that make as many errors on their own rows as a leaf: from the root down. */
static cairn_status collapse(cairn_pruning *p)
{
    static const double SLACK = 1e-3;
    cairn_tree_model *tree = p->tree;
    size_t before = cairn_tree_leaves(tree);
    double *errors;
    uint8_t *marks;
    if (!tree->n_classes)
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "{collapse} counts errors of classes, and '%s' is a number; use {prune}",
                          p->job->view->target_name);
    CHECK(SCRATCH_EACH(p->ctx, tree->n_nodes, &errors, &marks));
    for (size_t i = tree->n_nodes; i-- > 0;) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column < 0) errors[i] = node->error;
        if (node->column >= 0) marks[i] = errors[i] >= node->error - SLACK;
        if (node->parent >= 0) errors[node->parent] += errors[i];
    }
    CHECK(cairn_tree_cut_back(p->ctx, tree, marks, CAIRN_LEAF_COLLAPSED));
    if (!p->steps) return CAIRN_OK;
    cairn_report_step_begin(p->steps, "Collapsing");
    cairn_report_paragraph(p->steps, "From the root down: a subtree that makes as many errors on "
                                     "its own rows as a leaf would becomes one.");
    cairn_report_value(p->steps, "leaves before", (double)before, "collapse.leaves.before");
    cairn_report_value(p->steps, "leaves after", (double)cairn_tree_leaves(tree),
                       "collapse.leaves.after");
    cairn_report_step_end(p->steps);
    return CAIRN_OK;
}

/* -- what was done -- */

/* Gains on the rows held out are shown only where some were held out: pessimistic methods have
 * none. */
static void show_outcome(const cairn_pruning *p, size_t nodes, size_t leaves, double loss_before,
                         double loss_after, double weight)
{
    cairn_report *out = p->steps;
    bool classes = p->tree->n_classes > 0;
    cairn_report_step_begin(out, "The tree after pruning");
    cairn_report_value(out, "nodes before", (double)nodes, "prune.nodes.before");
    cairn_report_value(out, "leaves before", (double)leaves, "prune.leaves.before");
    cairn_report_value(out, "nodes after", (double)p->tree->n_nodes, "prune.nodes.after");
    cairn_report_value(out, "leaves after", (double)cairn_tree_leaves(p->tree),
                       "prune.leaves.after");
    if (weight > 0) {
        cairn_report_value(out, "rows held out", weight, "prune.rows");
        if (classes) {
            cairn_report_value(out, "  right before", weight - loss_before, "prune.right.before");
            cairn_report_value(out, "  right after", weight - loss_after, "prune.right.after");
            cairn_report_value(out, "  accuracy before", 1 - loss_before / weight,
                               "prune.accuracy.before");
            cairn_report_value(out, "  accuracy after", 1 - loss_after / weight,
                               "prune.accuracy.after");
        } else {
            cairn_report_value(out, "  mean squared error before", loss_before / weight,
                               "prune.mse.before");
            cairn_report_value(out, "  mean squared error after", loss_after / weight,
                               "prune.mse.after");
        }
    }
    cairn_report_step_end(out);
}

static cairn_status mark_nodes(cairn_pruning *p, uint8_t *marks)
{
    switch ((cairn_prune)p->params->prune) {
    case CAIRN_PRUNE_REP: return prune_greedily(p, marks);
    case CAIRN_PRUNE_BOTTOM_UP: return prune_bottom_up(p, marks);
    case CAIRN_PRUNE_COST_COMPLEXITY: return cairn_prune_cost_complexity(p, marks);
    case CAIRN_PRUNE_PESSIMISTIC:
        if (p->params->raise) return cairn_prune_raise(p, marks);
        return prune_by_cost(p, marks);
    case CAIRN_PRUNE_MDL: return prune_by_cost(p, marks);
    case CAIRN_PRUNE_SAME_LABEL:
    case CAIRN_PRUNE_SMALL:
    case CAIRN_PRUNE_CHI: return prune_by_test(p, marks);
    case CAIRN_PRUNE_NONE: break;
    }
    return CAIRN_OK;
}

/* Mark and cut what the method says. */
static cairn_status prune_marked(cairn_pruning *p)
{
    size_t nodes = p->tree->n_nodes, leaves = cairn_tree_leaves(p->tree);
    cairn_node_losses before = {0}, after = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(p->ctx);
    uint8_t *marks;
    static const char *const names[] = {"", "", "", "pessimistic", "", "", "chi", "mdl"};
    int method = p->params->prune;
    bool needs =
        method == CAIRN_PRUNE_PESSIMISTIC || method == CAIRN_PRUNE_CHI || method == CAIRN_PRUNE_MDL;
    if (needs && !p->tree->n_classes) {
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "{prune %s} counts errors of classes, and '%s' is a number; use rep or "
                          "cost-complexity",
                          names[method], p->job->view->target_name);
    }
    CHECK(SCRATCH(p->ctx, &marks, nodes));
    if (p->steps) {
        if (p->tested.rows.n)
            CHECK(cairn_prune_losses(p->ctx, &before, p->tree, &p->tested, false));
        cairn_tree_add_nested(&text, p->tree, p->job->schema);
        cairn_report_hidden_word(p->steps, cairn_text_string(&text), "prune.before");
        cairn_report_step_begin(p->steps, "The tree before pruning");
        cairn_tree_draw_partial(p->steps, p->tree, p->job->schema, SIZE_MAX);
        cairn_report_step_end(p->steps);
    }
    CHECK(mark_nodes(p, marks));
    CHECK(cairn_tree_cut_back(p->ctx, p->tree, marks, CAIRN_LEAF_PRUNED));
    if (p->steps) {
        if (p->tested.rows.n) CHECK(cairn_prune_losses(p->ctx, &after, p->tree, &p->tested, false));
        show_outcome(p, nodes, leaves, before.subtree ? before.subtree[0] : 0,
                     after.subtree ? after.subtree[0] : 0, before.weight);
    }
    return cairn_text_status(&text);
}

cairn_status cairn_prune_tree(cairn_pruning *p)
{
    const cairn_prune_params *params = p->params;
    size_t nodes = p->tree->n_nodes, leaves = cairn_tree_leaves(p->tree);
    if (params->collapse) CHECK(collapse(p));
    if (params->prune != CAIRN_PRUNE_NONE) CHECK(prune_marked(p));
    if (params->global_prune) CHECK(cairn_prune_global(p));
    if (p->history &&
        (params->collapse || params->prune != CAIRN_PRUNE_NONE || params->global_prune)) {
        p->history->grown_nodes = nodes;
        p->history->grown_leaves = leaves;
    }
    return CAIRN_OK;
}
