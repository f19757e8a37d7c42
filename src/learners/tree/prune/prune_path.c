/* SPDX-License-Identifier: MIT */
/* Cost-complexity pruning: the nested trees that are best for error + alpha x leaves.
 *
 * A leaf that costs alpha makes an inner node worth its subtree only as long as
 *
 *     alpha < g(t) = (R(t) - R(subtree)) / (leaves of the subtree - 1)
 *
 * with R the error per row. The weakest node (least g) is replaced first, and so on up to the root:
 * a sequence of trees, each best for a range of alpha. Which alpha is right is found on rows held
 * out, or by cross-validation: trees grown without a fold have sequences of their own, and each is
 * judged at the geometric middle of every range. */
#include "learners/tree/prune/prune.h"
#include "learners/tree/show/tree_show.h"

#include "base/random.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

/* -- the sequence -- */

typedef struct weak_entry {
    double g;
    int32_t node;
} weak_entry;

typedef struct weakness {
    const cairn_tree_model *tree;
    const cairn_node_losses *test;
    double *g;      /* n_nodes: as by now; infinity for leaves */
    double *error;  /* n_nodes: of the subtree as it is by now */
    double *tested; /* n_nodes: likewise on rows held out */
    size_t *leaves; /* n_nodes */
    weak_entry *heap;
    size_t n_heap;
    double total;
} weakness;

static bool is_weaker(weak_entry a, weak_entry b)
{
    return a.g != b.g ? a.g < b.g : a.node < b.node;
}

static void heap_push(weakness *w, weak_entry entry)
{
    size_t at = w->n_heap++;
    for (; at > 0 && is_weaker(entry, w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = entry;
}

static weak_entry heap_pop(weakness *w)
{
    weak_entry top = w->heap[0], last = w->heap[--w->n_heap];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < w->n_heap; at = child) {
        if (child + 1 < w->n_heap && is_weaker(w->heap[child + 1], w->heap[child])) child++;
        if (!is_weaker(w->heap[child], last)) break;
        w->heap[at] = w->heap[child];
    }
    w->heap[at] = last;
    return top;
}

static double weakness_of(const weakness *w, size_t i)
{
    double gain = (w->tree->nodes[i].error - w->error[i]) / w->total;
    return w->leaves[i] > 1 ? fmax(gain, 0) / (double)(w->leaves[i] - 1) : INFINITY;
}

/* Sums error and leaves from the leaves up and enters every inner node; the heap is made for the
 * worst case, as each replacement enters all nodes above it again. */
static cairn_status start_weakness(cairn_context *ctx, weakness *w)
{
    const cairn_tree_model *tree = w->tree;
    size_t n = tree->n_nodes, entries = 1;
    int32_t *depths;
    CHECK(SCRATCH(ctx, &depths, n));
    cairn_tree_depths(tree, depths);
    for (size_t i = 0; i < n; i++) /* a replacement enters every node above anew */
        if (tree->nodes[i].column >= 0) entries += 1 + (size_t)depths[i];
    CHECK(SCRATCH_EACH(ctx, n, &w->g, &w->error, &w->tested, &w->leaves));
    CHECK(SCRATCH(ctx, &w->heap, entries));
    w->total = tree->nodes[0].weight;
    for (size_t i = n; i-- > 0;) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column < 0) {
            w->error[i] = node->error;
            w->leaves[i] = 1;
        }
        if (w->test) w->tested[i] = w->test->subtree[i];
        if (node->parent >= 0) {
            w->error[node->parent] += w->error[i];
            w->leaves[node->parent] += w->leaves[i];
        }
        w->g[i] = node->column < 0 ? INFINITY : weakness_of(w, i);
        if (node->column >= 0) heap_push(w, (weak_entry){w->g[i], (int32_t)i});
    }
    return CAIRN_OK;
}

/* Make a node a leaf; those above change. */
static void collapse_node(weakness *w, int32_t node)
{
    double error = w->tree->nodes[node].error - w->error[node];
    double tested = w->test ? w->test->leaf[node] - w->tested[node] : 0;
    size_t leaves = w->leaves[node] - 1;
    for (int32_t at = node; at >= 0; at = w->tree->nodes[at].parent) {
        w->error[at] += error;
        w->tested[at] += tested;
        w->leaves[at] -= leaves;
        w->g[at] = at == node ? INFINITY : weakness_of(w, (size_t)at);
        if (at != node) heap_push(w, (weak_entry){w->g[at], at});
    }
}

static cairn_prune_step step_now(const weakness *w, double alpha)
{
    return (cairn_prune_step){.alpha = alpha,
                              .leaves = w->leaves[0],
                              .error = w->error[0] / w->total,
                              .tested = w->test ? w->tested[0] / w->test->weight : NAN,
                              .se = NAN};
}

/* Whether a node was cut off with one above it; collapse has infinity until then. */
static bool is_gone(const cairn_tree_model *tree, const double *collapse, int32_t node)
{
    for (; node >= 0; node = tree->nodes[node].parent)
        if (!isinf(collapse[node])) return true;
    return false;
}

cairn_status cairn_prune_path(cairn_context *ctx, const cairn_tree_model *tree,
                              const cairn_node_losses *test, double *collapse,
                              cairn_prune_step **out, size_t *n)
{
    weakness w = {.tree = tree, .test = test};
    double alpha = 0;
    CHECK(start_weakness(ctx, &w));
    CHECK(SCRATCH(ctx, out, tree->n_nodes + 1));
    for (size_t i = 0; i < tree->n_nodes; i++) collapse[i] = INFINITY;
    (*out)[0] = step_now(&w, 0);
    *n = 1;
    while (w.n_heap > 0) {
        weak_entry top = heap_pop(&w);
        if (top.g != w.g[top.node] || is_gone(tree, collapse, top.node)) continue;
        bool next = top.g > alpha * (1 + 1e-9) + 1e-15;
        if (next) alpha = top.g;
        collapse_node(&w, top.node);
        collapse[top.node] = alpha;
        if (next && alpha > 0) (*n)++;
        (*out)[*n - 1] = step_now(&w, alpha);
    }
    return CAIRN_OK;
}

/* -- choosing alpha -- */

/* The place in the sequence of the tree that is best for alpha. */
static size_t place_of(const cairn_prune_step *path, size_t n, double alpha)
{
    size_t at = 0;
    while (at + 1 < n && path[at + 1].alpha <= alpha) at++;
    return at;
}

typedef struct folding {
    cairn_pruning *p;
    const cairn_prune_step *path;
    size_t n_path, n_folds;
    uint32_t *fold;  /* per view row */
    double *losses;  /* n_folds x n_path */
    double *weights; /* n_folds */
} folding;

/* Folds are dealt class by class without starting over, so each has nearly the shares of the
 * classes and sizes differ by one row at most. */
static cairn_status deal_folds(folding *f)
{
    const cairn_view *view = f->p->job->view;
    size_t n = view->rows.n, next = 0;
    bool classes = f->p->job->task == CAIRN_CLASSIFY;
    size_t groups = classes ? f->p->job->n_classes : 1, *order;
    cairn_random random;
    CHECK(SCRATCH_EACH(f->p->ctx, n, &f->fold, &order));
    cairn_random_start(&random, cairn_context_seed(f->p->ctx), 78);
    for (size_t g = 0; g < groups; g++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if (!classes || view->target->codes[cairn_view_row(view, i)] == (int32_t)g)
                order[m++] = i;
        cairn_random_shuffle(&random, order, m);
        for (size_t i = 0; i < m; i++) f->fold[order[i]] = (uint32_t)(next++ % f->n_folds);
    }
    return CAIRN_OK;
}

static cairn_status fold_view(cairn_context *ctx, const folding *f, cairn_view *out, size_t fold,
                              bool held_out)
{
    const cairn_view *view = f->p->job->view;
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *out = *view;
    CHECK(SCRATCH(ctx, &indices, view->rows.n));
    if (view->rows.weights) CHECK(SCRATCH(ctx, &weights, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        if ((f->fold[i] == fold) != held_out) continue;
        if (weights) weights[n] = view->rows.weights[i];
        indices[n++] = (uint32_t)cairn_view_row(view, i);
    }
    out->rows = (cairn_rows){indices, n, weights};
    return CAIRN_OK;
}

/* Grow without one fold and judge the sequence of that tree on it. */
static bool has_missing(const cairn_binned *data)
{
    bool some = false;
    for (size_t c = 0; c < data->n_columns; c++) some |= data->columns[c].has_missing;
    return some;
}

/* The fold's own path is asked at the geometric mean of two neighbouring alphas of the whole
 * tree: the value typical of the range for which one tree is best. */
static cairn_status judge_fold(cairn_context *ctx, void *data, size_t fold)
{
    folding *f = data;
    SCOPED_SCRATCH(ctx);
    cairn_grow_options growth = *f->p->growth;
    SCOPED(cairn_binned_clear) cairn_binned binned = {0};
    SCOPED(cairn_tree_clear) cairn_tree_model tree = {0};
    cairn_view rest, held;
    cairn_node_losses losses;
    cairn_prune_step *path;
    double *collapse;
    size_t n = 0;
    growth.watch = NULL;
    if (!has_missing(f->p->data)) growth.surrogates = 0; /* nobody would ask them */
    CHECK(fold_view(ctx, f, &rest, fold, false));
    CHECK(fold_view(ctx, f, &held, fold, true));
    CHECK(cairn_binned_make(ctx, &binned, &rest, f->p->tree->n_classes));
    CHECK(cairn_tree_grow(ctx, &tree, &binned, &growth));
    CHECK(cairn_prune_losses(ctx, &losses, &tree, &held, false));
    CHECK(SCRATCH(ctx, &collapse, tree.n_nodes));
    CHECK(cairn_prune_path(ctx, &tree, &losses, collapse, &path, &n));
    f->weights[fold] = losses.weight;
    for (size_t i = 0; i < f->n_path; i++) {
        double alpha = i + 1 < f->n_path ? sqrt(f->path[i].alpha * f->path[i + 1].alpha) : INFINITY;
        f->losses[fold * f->n_path + i] = losses.weight * path[place_of(path, n, alpha)].tested;
    }
    return CAIRN_OK;
}

/* Error of every tree of the sequence over all folds, with its standard error: binomial for
 * classes, from the folds for numbers. */
static void sum_folds(const folding *f, cairn_prune_step *path)
{
    double k = (double)f->n_folds;
    bool classes = f->p->tree->n_classes > 0;
    for (size_t i = 0; i < f->n_path; i++) {
        double loss = 0, weight = 0, squares = 0;
        for (size_t fold = 0; fold < f->n_folds; fold++) {
            loss += f->losses[fold * f->n_path + i];
            weight += f->weights[fold];
        }
        double mean = loss / weight;
        for (size_t fold = 0; fold < f->n_folds; fold++) {
            double own = f->losses[fold * f->n_path + i] / f->weights[fold] - mean;
            squares += own * own;
        }
        path[i].tested = mean;
        path[i].se = classes ? sqrt(mean * (1 - mean) / weight) : sqrt(squares / (k - 1) / k);
    }
}

static cairn_status cross_validate(cairn_pruning *p, cairn_prune_step *path, size_t n)
{
    folding f = {.p = p, .path = path, .n_path = n, .n_folds = (size_t)p->params->prune_folds};
    size_t rows = p->job->view->rows.n;
    if (f.n_folds > rows)
        return cairn_fail(p->ctx, CAIRN_BAD_DATA,
                          "%zu rows do not make %zu folds; {prune-folds %zu} is possible, or give "
                          "{alpha}",
                          rows, f.n_folds, rows);
    CHECK(deal_folds(&f));
    CHECK(SCRATCH(p->ctx, &f.losses, f.n_folds * n));
    CHECK(SCRATCH(p->ctx, &f.weights, f.n_folds));
    CHECK(cairn_tasks(p->ctx, f.n_folds, judge_fold, &f));
    sum_folds(&f, path);
    return CAIRN_OK;
}

/* The smallest tree within the wanted number of standard errors of the best one. */
static size_t choose(const cairn_pruning *p, const cairn_prune_step *path, size_t n)
{
    size_t best = 0, chosen;
    for (size_t i = 1; i < n; i++)
        if (path[i].tested <= path[best].tested) best = i;
    double limit = path[best].tested + (isnan(path[best].se) ? 0 : p->params->se * path[best].se);
    for (chosen = n - 1; path[chosen].tested > limit; chosen--) continue;
    return chosen;
}

/* The marked line is the chosen tree; columns about rows held out appear only where some were
 * used to choose. */
static void show_path(const cairn_pruning *p, const cairn_prune_step *path, size_t n, size_t chosen)
{
    cairn_report *out = p->steps;
    if (!out) return;
    cairn_report_step_begin(out, "Cost-complexity pruning");
    cairn_report_formula(out, "g(t) = (R(t) − R(subtree)) / (leaves − 1)");
    cairn_report_paragraph(out, "The node with the least g is replaced by a leaf, again and again. "
                                "Each tree is best for alpha from its own line to the next.");
    cairn_report_table_of(out, "Trees", 50, "rrr", "alpha", "leaves", "error");
    if (!isnan(path[0].tested)) cairn_report_column(out, "held out", 'r');
    if (!isnan(path[0].se)) cairn_report_column(out, "std. error", 'r');
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        if (i == chosen) cairn_report_row_mark(out);
        cairn_report_prefix(out, "prune.path%zu", i + 1);
        cairn_report_cells(out, "@.alpha @.leaves @.error", path[i].alpha, (double)path[i].leaves,
                           path[i].error);
        if (!isnan(path[0].tested))
            cairn_report_cell_number(out, path[i].tested, 0, "prune.path%zu.tested", i + 1);
        if (!isnan(path[0].se))
            cairn_report_cell_number(out, path[i].se, 0, "prune.path%zu.se", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)n, "prune.path");
    cairn_report_value(out, "alpha of the chosen tree", path[chosen].alpha, "prune.alpha");
    cairn_report_step_end(out);
}

cairn_status cairn_prune_cost_complexity(cairn_pruning *p, uint8_t *marks)
{
    cairn_node_losses losses;
    cairn_prune_step *path = NULL;
    double *collapse;
    size_t n = 0, chosen;
    bool tested = p->tested.rows.n > 0;
    CHECK(SCRATCH(p->ctx, &collapse, p->tree->n_nodes));
    if (tested) CHECK(cairn_prune_losses(p->ctx, &losses, p->tree, &p->tested, false));
    CHECK(cairn_prune_path(p->ctx, p->tree, tested ? &losses : NULL, collapse, &path, &n));
    if (isnan(p->params->alpha) && !tested) CHECK(cross_validate(p, path, n));
    chosen = isnan(p->params->alpha) ? choose(p, path, n) : place_of(path, n, p->params->alpha);
    show_path(p, path, n, chosen);
    for (size_t i = 0; i < p->tree->n_nodes; i++) marks[i] = collapse[i] <= path[chosen].alpha;
    return CAIRN_OK;
}

static void show_global(const cairn_pruning *p, const cairn_prune_step *path, size_t chosen,
                        double limit, double weight)
{
    cairn_report *out = p->steps;
    if (!out) return;
    cairn_report_step_begin(out, "A global pass");
    cairn_report_formula(out, "limit = e + se·√(e·(1 − e)/n)");
    cairn_report_value(out, "errors of the tree on its rows", path[0].error, "global.error.before");
    cairn_report_value(out, "rows", weight, "global.rows");
    cairn_report_value(out, "limit", limit, "global.limit");
    cairn_report_value(out, "leaves before", (double)path[0].leaves, "global.leaves.before");
    cairn_report_value(out, "leaves of the smallest tree below it", (double)path[chosen].leaves,
                       "global.leaves.after");
    cairn_report_value(out, "its errors", path[chosen].error, "global.error.after");
    cairn_report_step_end(out);
}

cairn_status cairn_prune_global(cairn_pruning *p)
{
    cairn_prune_step *path = NULL;
    double *collapse, weight = p->tree->nodes[0].weight;
    uint8_t *marks;
    size_t n = 0, chosen = 0;
    if (!p->tree->n_classes)
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "{global-prune} counts errors of classes, and '%s' is a number; use "
                          "{prune cost-complexity}",
                          p->job->view->target_name);
    CHECK(SCRATCH_EACH(p->ctx, p->tree->n_nodes, &collapse, &marks));
    CHECK(cairn_prune_path(p->ctx, p->tree, NULL, collapse, &path, &n));
    double error = path[0].error;
    double limit = error + p->params->se * sqrt(fmax(error * (1 - error), 0) / weight);
    while (chosen + 1 < n && path[chosen + 1].error <= limit + 1e-12) chosen++;
    show_global(p, path, chosen, limit, weight);
    for (size_t i = 0; i < p->tree->n_nodes; i++) marks[i] = collapse[i] <= path[chosen].alpha;
    return cairn_tree_cut_back(p->ctx, p->tree, marks, CAIRN_LEAF_PRUNED);
}
