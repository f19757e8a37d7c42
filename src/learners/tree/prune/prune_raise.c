/* SPDX-License-Identifier: MIT */
/* Pessimistic pruning with subtree raising.
 *
 * From the leaves up, three things are compared at every inner node by the upper confidence limit
 * of their errors on the training rows: the subtree as it is by now, a leaf, and the heaviest
 * branch put into the place of the node. For the last one all rows of the node are led down that
 * branch, also those that came from the others. A leaf wins when it is at most 0.1 worse than both;
 * else the branch wins when it is at most 0.1 worse than the subtree, and the node is then judged
 * once more with what it has become.
 *
 * Rows are numbers in one array, and those of a node are neighbours in it: dividing a node only
 * reorders its own piece, so no node needs a copy. A row whose cell is missing is in several
 * branches with parts of its weight; such parts are kept on a stack beside it.
 *
 * Cost: every node leads its rows down its heaviest branch, O(rows x depth^2) at most and much less
 * in most trees. */
#include "learners/tree/prune/prune.h"
#include "learners/tree/show/tree_show.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { SHARE_LEAST = 256, TICK = 255 };

/* A row with a part of its weight. */
typedef struct part {
    uint32_t row;
    double weight;
} part;

/* The rows of a node: whole ones, and parts of others. */
typedef struct piece {
    size_t begin, end;             /* of rows */
    size_t parts_begin, parts_end; /* of parts */
} piece;

typedef struct frame {
    int32_t node;
    piece piece;
    size_t ends;     /* place in the array of ends: one per branch, then one for missing cells */
    size_t next;     /* branch to be looked at */
    size_t heaviest; /* branch */
    double sum;      /* of what the branches said */
} frame;

typedef struct raising {
    cairn_pruning *p;
    const cairn_view *view;
    int32_t *source;    /* n_nodes: the node whose test this one asks by now; -1 = a leaf */
    uint8_t *led_again; /* n_nodes: its rows are not those it was grown with */
    uint32_t *rows, *spare;
    uint32_t *branch; /* n_rows */
    part *parts;
    frame *frames;
    size_t *ends;
    double *shares; /* beside ends: share of each branch */
    size_t n_parts, n_frames, n_ends;
    size_t parts_capacity, frames_capacity, ends_capacity, shares_capacity;
    double *counts; /* n_classes */
    size_t raised, visits;
} raising;

static const cairn_tree_node *test_of(const raising *r, int32_t node)
{
    return &r->p->tree->nodes[r->source[node]];
}

static int32_t child_of(const raising *r, int32_t node, size_t branch)
{
    return r->p->tree->links[test_of(r, node)->links + branch];
}

/* The branch of a row, n_branches + 1 when it is divided among all. */
static uint32_t branch_of(const raising *r, int32_t node, uint32_t row)
{
    const cairn_tree_model *tree = r->p->tree;
    const cairn_tree_node *test = test_of(r, node);
    size_t table_row = cairn_view_row(r->view, row);
    size_t link = cairn_tree_way(tree, test, r->view->features, table_row, NULL);
    return (uint32_t)(child_of(r, node, link) >= 0 ? link : (size_t)test->n_branches + 1);
}

/* Class weights of the rows of a piece. */
static double count_classes(const raising *r, const piece *at)
{
    const cairn_column *target = r->view->target;
    double weight = 0;
    memset(r->counts, 0, r->p->tree->n_classes * sizeof *r->counts);
    for (size_t i = at->begin; i < at->end; i++) {
        double w = cairn_view_weight(r->view, r->rows[i]);
        r->counts[target->codes[cairn_view_row(r->view, r->rows[i])]] += w;
        weight += w;
    }
    for (size_t i = at->parts_begin; i < at->parts_end; i++) {
        r->counts[target->codes[cairn_view_row(r->view, r->parts[i].row)]] += r->parts[i].weight;
        weight += r->parts[i].weight;
    }
    return weight;
}

static double leaf_errors(const raising *r, const piece *at)
{
    double weight = count_classes(r, at), most = 0;
    for (size_t l = 0; l < r->p->tree->n_classes; l++) most = fmax(most, r->counts[l]);
    return cairn_pessimistic_errors(weight, fmax(weight - most, 0), r->p->params->confidence);
}

/* -- dividing -- */

/* Order the whole rows of a piece by branch; ends gets where each branch ends. */
static void order_rows(raising *r, const frame *f, size_t n_branches)
{
    size_t *ends = r->ends + f->ends;
    memset(ends, 0, (n_branches + 2) * sizeof *ends);
    for (size_t i = f->piece.begin; i < f->piece.end; i++) {
        r->branch[i] = branch_of(r, f->node, r->rows[i]);
        ends[r->branch[i]]++;
    }
    size_t at = f->piece.begin;
    for (size_t b = 0; b < n_branches + 2; b++) {
        size_t size = ends[b];
        ends[b] = at;
        at += size;
    }
    for (size_t i = f->piece.begin; i < f->piece.end; i++)
        r->spare[ends[r->branch[i]]++] = r->rows[i];
    memcpy(r->rows + f->piece.begin, r->spare + f->piece.begin,
           (f->piece.end - f->piece.begin) * sizeof *r->rows);
}

/* Put a node that is no leaf on the stack, its rows divided. */
static cairn_status push_frame(raising *r, int32_t node, piece at)
{
    size_t n = (size_t)test_of(r, node)->n_branches;
    CHECK(GROW(r->p->ctx, &r->frames, &r->frames_capacity, r->n_frames + 1));
    CHECK(GROW(r->p->ctx, &r->ends, &r->ends_capacity, r->n_ends + n + 2));
    CHECK(GROW(r->p->ctx, &r->shares, &r->shares_capacity, r->n_ends + n + 2));
    frame *f = &r->frames[r->n_frames++];
    *f = (frame){.node = node, .piece = at, .ends = r->n_ends};
    r->n_ends += n + 2;
    order_rows(r, f, n);
    /* Known weight of every branch as a share, and the heaviest one (of equals the last). */
    double *shares = r->shares + f->ends, known = 0;
    size_t *ends = r->ends + f->ends, from = f->piece.begin;
    for (size_t b = 0; b <= n; from = ends[b++]) {
        shares[b] = 0;
        for (size_t i = from; i < ends[b]; i++) shares[b] += cairn_view_weight(r->view, r->rows[i]);
    }
    for (size_t i = f->piece.parts_begin; i < f->piece.parts_end; i++) {
        uint32_t b = branch_of(r, f->node, r->parts[i].row);
        if (b <= n) shares[b] += r->parts[i].weight;
    }
    f->heaviest = 0;
    for (size_t b = 0; b <= n; b++) {
        known += shares[b];
        if (child_of(r, f->node, b) >= 0 && shares[b] >= shares[f->heaviest] * (1 - 1e-12))
            f->heaviest = b;
    }
    if (child_of(r, f->node, f->heaviest) < 0) /* branch 0 has no node and no rows */
        for (size_t b = 0; b <= n; b++)
            if (child_of(r, f->node, b) >= 0) f->heaviest = b;
    for (size_t b = 0; b <= n; b++) shares[b] = known > 0 ? shares[b] / known : 0;
    if (!(known > 0)) shares[f->heaviest] = 1;
    if ((r->visits++ & TICK) == 0) CHECK(cairn_tick(r->p->ctx, "pruning", 0, 0));
    return CAIRN_OK;
}

static void pop_frame(raising *r)
{
    r->n_ends = r->frames[--r->n_frames].ends;
}

static cairn_status push_part(raising *r, uint32_t row, double weight)
{
    CHECK(GROW(r->p->ctx, &r->parts, &r->parts_capacity, r->n_parts + 1));
    r->parts[r->n_parts++] = (part){row, weight};
    return CAIRN_OK;
}

/* A row that no single branch takes: all get their share, a light part goes to the heaviest. */
static cairn_status share_out(raising *r, const frame *f, uint32_t row, double weight, size_t b)
{
    bool light = weight * SHARE_LEAST < cairn_view_weight(r->view, row);
    if (light) return b == f->heaviest ? push_part(r, row, weight) : CAIRN_OK;
    double share = r->shares[f->ends + b];
    return share > 0 ? push_part(r, row, weight * share) : CAIRN_OK;
}

/* The rows of branch b; its parts are pushed on the stack of parts. */
static cairn_status piece_of_branch(raising *r, const frame *f, size_t b, piece *out)
{
    size_t n = (size_t)test_of(r, f->node)->n_branches;
    const size_t *ends = r->ends + f->ends;
    *out = (piece){
        .begin = b ? ends[b - 1] : f->piece.begin, .end = ends[b], .parts_begin = r->n_parts};
    for (size_t i = f->piece.parts_begin; i < f->piece.parts_end; i++) {
        uint32_t to = branch_of(r, f->node, r->parts[i].row);
        if (to > n)
            CHECK(share_out(r, f, r->parts[i].row, r->parts[i].weight, b));
        else if (to == b)
            CHECK(push_part(r, r->parts[i].row, r->parts[i].weight));
    }
    for (size_t i = ends[n]; i < ends[n + 1]; i++)
        CHECK(share_out(r, f, r->rows[i], cairn_view_weight(r->view, r->rows[i]), b));
    out->parts_end = r->n_parts;
    return CAIRN_OK;
}

/* The next branch of the frame that has a node, n_branches + 1 when there is none. */
static size_t next_branch(const raising *r, frame *f)
{
    size_t n = (size_t)test_of(r, f->node)->n_branches;
    while (f->next <= n && child_of(r, f->node, f->next) < 0) f->next++;
    return f->next;
}

/* -- what a subtree says about some rows -- */

/* Errors of the tree below `node` for the rows of `at`, which may come from elsewhere. */
static cairn_status branch_errors(raising *r, int32_t node, piece at, double *out)
{
    size_t bottom = r->n_frames, parts = r->n_parts;
    *out = 0;
    if (r->source[node] < 0) {
        *out = leaf_errors(r, &at);
        return CAIRN_OK;
    }
    CHECK(push_frame(r, node, at));
    while (r->n_frames > bottom) {
        frame *f = &r->frames[r->n_frames - 1];
        r->n_parts = f->piece.parts_end > parts ? f->piece.parts_end : parts;
        size_t b = next_branch(r, f);
        if (b > (size_t)test_of(r, f->node)->n_branches) {
            pop_frame(r);
            continue;
        }
        piece own;
        int32_t child = child_of(r, f->node, b);
        CHECK(piece_of_branch(r, f, b, &own));
        f->next++;
        if (r->source[child] < 0)
            *out += leaf_errors(r, &own);
        else
            CHECK(push_frame(r, child, own));
    }
    r->n_parts = parts;
    return CAIRN_OK;
}

/* -- judging -- */

typedef enum verdict { STAYS, LEAF, RAISED } verdict;

static void show_verdict(const raising *r, const frame *f, double as_leaf, double as_branch,
                         verdict outcome)
{
    static const char *const words[] = {"stays", "leaf", "its heaviest branch"};
    cairn_report *out = r->p->steps;
    cairn_text name = cairn_text_start(r->p->ctx);
    if (!out || !cairn_report_row_wanted(out)) return;
    cairn_prune_add_name(&name, r->p, (size_t)f->node);
    if (outcome != STAYS) cairn_report_row_mark(out);
    cairn_report_cells(out, "- prune.subtree.$1 prune.leaf.$1 prune.branch.$1 prune.becomes.$1",
                       cairn_text_string(&name), f->sum, as_leaf, as_branch, words[outcome]);
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_text_clear(&name);
}

/* The branches of the frame on top are done: what becomes of its node. Its errors go to *errors
 * unless it has to be judged again. */
static cairn_status judge(raising *r, bool *again, double *errors)
{
    static const double MARGIN = 0.1 + 1e-6;
    frame *f = &r->frames[r->n_frames - 1];
    int32_t node = f->node, heaviest = child_of(r, node, f->heaviest);
    piece at = f->piece;
    double as_branch, as_leaf = leaf_errors(r, &at);
    *again = false;
    CHECK(branch_errors(r, heaviest, at, &as_branch));
    f = &r->frames[r->n_frames - 1]; /* the stack may have moved */
    bool leaf = as_leaf <= f->sum + MARGIN && as_leaf <= as_branch + MARGIN;
    bool raise = !leaf && as_branch <= f->sum + MARGIN;
    show_verdict(r, f, as_leaf, as_branch, leaf ? LEAF : raise ? RAISED : STAYS);
    *errors = leaf ? as_leaf : f->sum;
    pop_frame(r);
    if (leaf) r->source[node] = -1;
    if (raise) {
        r->source[node] = r->source[heaviest];
        r->led_again[node] = 1;
        r->raised++;
        *again = r->source[node] >= 0;
        *errors = as_leaf; /* counts when it is a leaf now: the same rows */
        if (*again) CHECK(push_frame(r, node, at));
    }
    return CAIRN_OK;
}

/* The recursion of pruning with a stack of its own, so that a deep tree cannot exhaust the
 * program's; a raised branch is led its new rows and judged again. */
static cairn_status prune_all(raising *r, piece all)
{
    if (r->source[0] < 0) return CAIRN_OK;
    CHECK(push_frame(r, 0, all));
    while (r->n_frames > 0) {
        frame *f = &r->frames[r->n_frames - 1];
        size_t b = next_branch(r, f);
        double errors = 0;
        bool again = false;
        r->n_parts = f->piece.parts_end;
        if (b > (size_t)test_of(r, f->node)->n_branches) {
            CHECK(judge(r, &again, &errors));
        } else {
            piece own;
            int32_t child = child_of(r, f->node, b);
            CHECK(piece_of_branch(r, f, b, &own));
            f->next++;
            again = r->source[child] >= 0;
            if (again)
                CHECK(push_frame(r, child, own));
            else
                errors = leaf_errors(r, &own);
        }
        if (!again && r->n_frames > 0) r->frames[r->n_frames - 1].sum += errors;
    }
    return CAIRN_OK;
}

/* -- the new tree -- */

/* The most frequent class; of equals that of the node above if the options say so, else the one
 * whose first row comes first. */
static int32_t label_of(const raising *r, const piece *at, int32_t above)
{
    const cairn_column *target = r->view->target;
    size_t k = r->p->tree->n_classes;
    double most = 0;
    uint32_t first = UINT32_MAX;
    int32_t best = above;
    for (size_t l = 0; l < k; l++) most = fmax(most, r->counts[l]);
    if (!(most > 0)) return above;
    double limit = most * (1 - CAIRN_TREE_TIE);
    if (r->p->growth->class_tie == CAIRN_TREE_PARENT && above >= 0 && r->counts[above] >= limit)
        return above;
    for (size_t l = 0; r->p->growth->class_tie == CAIRN_TREE_LISTED && l < k; l++)
        if (r->counts[l] >= limit) return (int32_t)l;
    for (size_t i = at->begin; i < at->end + at->parts_end - at->parts_begin; i++) {
        uint32_t row = i < at->end ? r->rows[i] : r->parts[at->parts_begin + i - at->end].row;
        int32_t label = target->codes[cairn_view_row(r->view, row)];
        if (row < first && r->counts[label] >= limit) first = row, best = label;
    }
    return best;
}

/* Append a node with the counts of its rows. */
static cairn_status write_node(raising *r, cairn_tree_model *to, int32_t node, const piece *at,
                               int32_t parent)
{
    const cairn_tree_model *tree = r->p->tree;
    const cairn_tree_node *old = &tree->nodes[node];
    const cairn_tree_node *test = r->source[node] < 0 ? NULL : test_of(r, node);
    bool was_leaf = old->column < 0 && !r->led_again[node];
    cairn_tree_node fresh = {.column = -1, .level = -1, .used_above = -1};
    size_t k = tree->n_classes, n_links = test ? (size_t)test->n_branches + 1 : 0;
    if (test) fresh = *test;
    fresh.parent = parent;
    fresh.weight = count_classes(r, at);
    fresh.label = label_of(r, at, parent < 0 ? old->label : to->nodes[parent].label);
    if (!r->led_again[node]) fresh.label = old->label;
    fresh.error = fresh.weight > 0 ? fmax(fresh.weight - r->counts[fresh.label], 0) : 0;
    fresh.reason = (uint8_t)(test                  ? CAIRN_LEAF_NONE
                             : was_leaf            ? old->reason
                             : !(fresh.weight > 0) ? CAIRN_LEAF_EMPTY
                                                   : CAIRN_LEAF_PRUNED);
    fresh.links = (uint32_t)to->n_links;
    fresh.counts = (uint32_t)to->n_counts;
    fresh.n_counts = 0;
    for (size_t l = 0; l < k; l++) fresh.n_counts += r->counts[l] > 0;
    CHECK(cairn_tree_take_extras(r->p->ctx, to, tree, &fresh));
    CHECK(GROW(r->p->ctx, &to->nodes, &to->nodes_capacity, to->n_nodes + 1));
    CHECK(GROW(r->p->ctx, &to->links, &to->links_capacity, to->n_links + n_links));
    CHECK(GROW(r->p->ctx, &to->classes, &to->classes_capacity, to->n_counts + fresh.n_counts));
    CHECK(GROW(r->p->ctx, &to->weights, &to->weights_capacity, to->n_counts + fresh.n_counts));
    for (size_t b = 0; b < n_links; b++) to->links[to->n_links++] = -1;
    for (size_t l = 0; l < k; l++) {
        if (!(r->counts[l] > 0)) continue;
        to->classes[to->n_counts] = (int32_t)l;
        to->weights[to->n_counts++] = r->counts[l];
    }
    to->nodes[to->n_nodes++] = fresh;
    return CAIRN_OK;
}

/* Impurity of a node's class weights. */
static double impurity_of(const raising *r, const cairn_tree_model *tree, int32_t node)
{
    const cairn_tree_node *at = &tree->nodes[node];
    size_t k = r->p->tree->n_classes;
    memset(r->counts, 0, k * sizeof *r->counts);
    for (size_t j = 0; j < at->n_counts; j++)
        r->counts[tree->classes[at->counts + j]] = tree->weights[at->counts + j];
    return cairn_impurity_of(r->p->growth->impurity, r->counts, k);
}

/* The gain of a test for the rows that its node has now. */
static void renew_gain(const raising *r, cairn_tree_model *tree, int32_t node)
{
    cairn_tree_node *at = &tree->nodes[node];
    double gain = impurity_of(r, tree, node);
    for (size_t b = 0; b <= (size_t)at->n_branches; b++) {
        int32_t child = tree->links[at->links + b];
        if (child >= 0 && at->weight > 0)
            gain -= tree->nodes[child].weight / at->weight * impurity_of(r, tree, child);
    }
    at->gain = fabs(gain) < CAIRN_TREE_TIE ? 0 : gain;
}

/* Lead all rows down what the tree has become. A node whose rows are new passes that on. */
static cairn_status rebuild(raising *r, cairn_tree_model *to, piece all)
{
    int32_t *numbers; /* of the nodes in the new tree */
    CHECK(SCRATCH(r->p->ctx, &numbers, r->p->tree->n_nodes));
    r->n_frames = r->n_parts = r->n_ends = 0;
    CHECK(write_node(r, to, 0, &all, -1));
    if (r->source[0] >= 0) CHECK(push_frame(r, 0, all));
    while (r->n_frames > 0) {
        frame *f = &r->frames[r->n_frames - 1];
        size_t b = next_branch(r, f);
        int32_t number = numbers[f->node];
        r->n_parts = f->piece.parts_end;
        if (b > (size_t)test_of(r, f->node)->n_branches) {
            if (r->led_again[f->node]) renew_gain(r, to, number);
            pop_frame(r);
            continue;
        }
        piece own;
        int32_t child = child_of(r, f->node, b);
        r->led_again[child] |= r->led_again[f->node];
        CHECK(piece_of_branch(r, f, b, &own));
        f->next++;
        numbers[child] = (int32_t)to->n_nodes;
        to->links[to->nodes[number].links + b] = numbers[child];
        CHECK(write_node(r, to, child, &own, number));
        if (r->source[child] >= 0) CHECK(push_frame(r, child, own));
    }
    return CAIRN_OK;
}

static void begin_steps(cairn_report *out, double confidence)
{
    enum { SHOWN = 50 };
    if (!out) return;
    cairn_report_step_begin(out, "Pessimistic pruning with subtree raising");
    cairn_report_formula(out,
                         "errors at the upper limit: U(E, N) such that P(at most E errors of N) = "
                         "confidence, by the normal curve");
    cairn_report_value(out, "confidence", confidence, "prune.confidence");
    cairn_report_paragraph(out, "From the leaves up. A leaf is taken when it is at most 0.1 worse "
                                "than the subtree and than the heaviest branch in its place; else "
                                "that branch when it is at most 0.1 worse than the subtree.");
    cairn_report_table_of(out, "Errors at the upper limit", SHOWN, "lrrrl", "node", "subtree",
                          "leaf", "heaviest branch", "becomes");
}

static void end_steps(const raising *r)
{
    cairn_report *out = r->p->steps;
    if (!out) return;
    cairn_report_table_end(out);
    cairn_report_value(out, "branches raised", (double)r->raised, "prune.raised");
    cairn_report_step_end(out);
}

/* Rows without a target or weight say nothing about errors and are left out; the count of those
 * kept goes back in n_parts. */
static cairn_status make_raising(raising *r)
{
    cairn_context *ctx = r->p->ctx;
    const cairn_tree_model *tree = r->p->tree;
    size_t n = r->view->rows.n, kept = 0;
    CHECK(SCRATCH_RAW(ctx, &r->source, tree->n_nodes));
    CHECK(SCRATCH(ctx, &r->led_again, tree->n_nodes));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &r->rows, &r->spare, &r->branch));
    CHECK(SCRATCH(ctx, &r->counts, tree->n_classes));
    for (size_t i = 0; i < tree->n_nodes; i++)
        r->source[i] = tree->nodes[i].column < 0 ? -1 : (int32_t)i;
    for (size_t i = 0; i < n; i++)
        if (!cairn_column_is_missing(r->view->target, cairn_view_row(r->view, i)) &&
            cairn_view_weight(r->view, i) > 0)
            r->rows[kept++] = (uint32_t)i;
    r->n_parts = kept; /* for the caller */
    return CAIRN_OK;
}

cairn_status cairn_prune_raise(cairn_pruning *p, uint8_t *marks)
{
    raising r = {.p = p, .view = &p->kept};
    cairn_tree_model fresh = {0};
    cairn_status status;
    TRY(make_raising(&r));
    piece all = {.end = r.n_parts};
    r.n_parts = 0;
    begin_steps(p->steps, p->params->confidence);
    status = prune_all(&r, all);
    end_steps(&r);
    if (status) goto done;
    if (r.raised == 0) {
        for (size_t i = 0; i < p->tree->n_nodes; i++)
            marks[i] = p->tree->nodes[i].column >= 0 && r.source[i] < 0;
        goto done;
    }
    TRY(rebuild(&r, &fresh, all));
    memset(marks, 0, p->tree->n_nodes); /* nothing is left to be cut */
    cairn_tree_replace(p->tree, &fresh);
done:
    cairn_tree_clear(&fresh);
    FREE_EACH(r.parts, r.frames, r.ends, r.shares);
    return status;
}
