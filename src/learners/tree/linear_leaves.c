/* SPDX-License-Identifier: MIT */
/* Model trees: in every leaf a least-squares model, linear in the number columns.
 *
 * The tree is grown as usual, or by what such models would leave (target_linear.c). Then the rows
 * of each leaf are fitted by
 *
 *     y = mean(y) + Σ slope·(x − mean(x))
 *
 * with the means of the leaf, so a missing cell simply has no term. The columns that were split by
 * may be among the regressors: a curve becomes a chain of straight pieces. A column without spread
 * in a leaf has the slope 0. A leaf in which a model would go through all rows keeps its mean, and
 * so does one with columns that depend on each other, unless these are to be dropped.
 *
 * A row whose way is divided by a missing cell counts in the heaviest branch. */
#include "learners/tree/linear_leaves.h"
#include "learners/tree/tree.h"

#include "base/number.h"
#include "decompose/linalg.h"
#include <math.h>
#include <string.h>

enum { SHOWN_LEAVES = 200 };

static const cairn_choice leaf_forms[] = {
    {"constant", CAIRN_LEAF_CONSTANT, "the mean of its rows"},
    {"linear", CAIRN_LEAF_LINEAR, "a least-squares model, linear in the number columns"},
    {NULL, 0, NULL},
};

static const cairn_choice singulars[] = {
    {"mean", CAIRN_SINGULAR_MEAN, "the leaf keeps its mean"},
    {"drop", CAIRN_SINGULAR_DROP, "columns that the others determine have the slope 0"},
    {NULL, 0, NULL},
};

static const cairn_choice searches[] = {
    {"variance", CAIRN_SEARCH_VARIANCE, "by the variance, as with constant leaves"},
    {"residuals", CAIRN_SEARCH_RESIDUALS,
     "by what linear models of the branches would leave of it"},
    {NULL, 0, NULL},
};

const cairn_param cairn_linear_leaf_group[] = {
    CAIRN_PARAM_CHOICE(cairn_linear_leaf_params, leaf, "constant", leaf_forms,
                       "what a leaf answers when the target is a number", .often = true),
    CAIRN_PARAM(cairn_linear_leaf_params, leaf_rows, "4", "[2,inf)",
                "least weight of a leaf; the larger of this and --min-leaf counts",
                .when = "leaf=linear"),
    CAIRN_PARAM_CHOICE(cairn_linear_leaf_params, singular, "mean", singulars,
                       "what happens when columns depend on each other in a leaf",
                       .when = "leaf=linear"),
    CAIRN_PARAM_CHOICE(cairn_linear_leaf_params, leaf_search, "variance", searches,
                       "how splits are scored", .when = "leaf=linear"),
    CAIRN_PARAM_END,
};

cairn_status cairn_linear_leaf_check_task(cairn_context *ctx, const cairn_linear_leaf_params *p,
                                          const cairn_job *job)
{
    if (p->leaf == CAIRN_LEAF_CONSTANT || job->task == CAIRN_REGRESS) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "{leaf linear} needs a number as target, and '%s' is classified; leave it out "
        "or use {task regress}",
        job->view->target_name);
}

/* -- fitting -- */

typedef struct linear_fit {
    cairn_context *ctx;
    cairn_tree_model *tree;
    const cairn_view *view;
    bool drop;       /* columns that depend on others get the slope 0 */
    uint32_t *rows;  /* of the view, leaf by leaf */
    size_t *starts;  /* n_nodes + 1 */
    size_t *varying; /* n_regressors: those that vary in the leaf */
    double *slopes;  /* n_regressors: solutions for those */
} linear_fit;

/* The child with the most weight, the first of equals; -1 when there is none. */
static int32_t heaviest(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    int32_t best = -1;
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        if (child >= 0 && (best < 0 || tree->nodes[child].weight > tree->nodes[best].weight))
            best = child;
    }
    return best;
}

/* The leaf of a row; -1 when it ends at a node whose branches do not take it. */
static int32_t leaf_of(const cairn_tree_model *tree, const cairn_view *view, size_t row)
{
    int32_t at = 0;
    while (tree->nodes[at].column >= 0) {
        const cairn_tree_node *node = &tree->nodes[at];
        size_t link = cairn_tree_link(tree, node, view->features[node->column], row);
        int32_t child = tree->links[node->links + link];
        if (child < 0 && tree->missing >= CAIRN_TREE_MODE)
            child = tree->links[node->links + (uint32_t)node->usual];
        if (child < 0) child = heaviest(tree, node);
        if (child < 0) return -1;
        at = child;
    }
    return at;
}

/* Sort the rows that count by their leaves. */
static cairn_status sort_rows(linear_fit *f)
{
    int32_t *leaves = NULL;
    size_t n = f->view->rows.n, n_nodes = f->tree->n_nodes;
    CHECK(SCRATCH_EACH(f->ctx, n, &leaves, &f->rows));
    CHECK(SCRATCH(f->ctx, &f->starts, n_nodes + 2));
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(f->view, i);
        bool counts = cairn_view_weight(f->view, i) > 0 && !isnan(f->view->target->numbers[row]);
        leaves[i] = counts ? leaf_of(f->tree, f->view, row) : -1;
        if (leaves[i] >= 0) f->starts[leaves[i] + 2]++;
    }
    for (size_t k = 2; k < n_nodes + 2; k++) f->starts[k] += f->starts[k - 1];
    for (size_t i = 0; i < n; i++)
        if (leaves[i] >= 0) f->rows[f->starts[leaves[i] + 1]++] = (uint32_t)i;
    return CAIRN_OK;
}

/* Weighted mean of a number column over some rows of the view, NaN cells left out. */
static double mean_of(const linear_fit *f, const double *numbers, const uint32_t *rows, size_t n)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < n; i++) {
        double x = numbers[cairn_view_row(f->view, rows[i])];
        if (isnan(x)) continue;
        double w = cairn_view_weight(f->view, rows[i]);
        sum += w * x;
        weight += w;
    }
    return weight > 0 ? sum / weight : 0;
}

/* One column less its mean, times the root of the weights. Returns its largest absolute value. */
static double centre(const linear_fit *f, double *out, const double *numbers, double mean,
                     const uint32_t *rows, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double x = numbers[cairn_view_row(f->view, rows[i])];
        out[i] = isnan(x) ? 0 : sqrt(cairn_view_weight(f->view, rows[i])) * (x - mean);
        most = fmax(most, fabs(out[i]));
    }
    return most;
}

/* Sum of squared errors of the rows of a leaf under what the tree answers now. */
static double squares(const linear_fit *f, size_t leaf, const uint32_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(f->view, rows[i]);
        double off =
            f->view->target->numbers[row] - cairn_tree_value(f->tree, leaf, f->view->features, row);
        sum += cairn_view_weight(f->view, rows[i]) * off * off;
    }
    return sum;
}

/* The leaf keeps its mean where a model would be no better founded: too few rows for its
 * columns, nothing that varies, or columns that depend on each other. */
static cairn_status fit_leaf(linear_fit *f, size_t leaf, const uint32_t *rows, size_t n)
{
    cairn_tree_model *tree = f->tree;
    SCOPED_SCRATCH(f->ctx);
    double *x = NULL, *y = NULL;
    double *slopes = tree->slopes + tree->n_linear * tree->n_regressors;
    double *centres = tree->centres + tree->n_linear * tree->n_regressors;
    size_t n_varying = 0, rank = 0;
    CHECK(SCRATCH_RAW(f->ctx, &x, n * tree->n_regressors));
    CHECK(SCRATCH_RAW(f->ctx, &y, n));
    /* Put the columns that vary side by side, centred; *n_varying of them. */
    size_t used = 0;
    for (size_t j = 0; j < tree->n_regressors; j++) {
        const double *numbers = f->view->features[tree->regressors[j]]->numbers;
        centres[j] = mean_of(f, numbers, rows, n);
        double most = centre(f, x + used * n, numbers, centres[j], rows, n);
        if (!(most > 1e-12 * fabs(centres[j]))) continue;
        f->varying[used++] = j;
    }
    n_varying = used;
    double weight = 0;
    for (size_t i = 0; i < n; i++) weight += cairn_view_weight(f->view, rows[i]);
    if (n_varying == 0 || (!f->drop && weight <= (double)n_varying + 1)) return CAIRN_OK;
    double mean = mean_of(f, f->view->target->numbers, rows, n);
    centre(f, y, f->view->target->numbers, mean, rows, n);
    CHECK(cairn_qr_least_squares(f->ctx, f->slopes, NULL, &rank, x, y, n, n_varying, 0));
    if (rank == 0 || weight <= (double)rank + 1 || (!f->drop && rank < n_varying)) return CAIRN_OK;
    memset(slopes, 0, tree->n_regressors * sizeof *slopes);
    for (size_t k = 0; k < n_varying; k++) {
        if (!isfinite(f->slopes[k])) return CAIRN_OK;
        slopes[f->varying[k]] = f->slopes[k];
    }
    tree->nodes[leaf].mean = mean;
    tree->nodes[leaf].linear = (int32_t)++tree->n_linear;
    tree->nodes[leaf].error = squares(f, leaf, rows, n);
    return CAIRN_OK;
}

/* Leaves that may have a linear model: those that do not answer a given number or that of the node
 * above. */
static bool may_be_linear(const cairn_tree_node *node)
{
    return node->column < 0 && node->reason != CAIRN_LEAF_NAMED &&
           node->reason != CAIRN_LEAF_SENT_UP;
}

static cairn_status list_regressors(cairn_context *ctx, cairn_tree_model *tree)
{
    size_t leaves = cairn_tree_leaves(tree);
    CHECK(NEW(ctx, &tree->regressors, tree->n_columns));
    for (size_t c = 0; c < tree->n_columns; c++)
        if (tree->is_number[c] == 1) tree->regressors[tree->n_regressors++] = (int32_t)c;
    CHECK(cairn_memory_check(ctx, 16 * (double)leaves * (double)tree->n_regressors,
                             "the linear models of the leaves",
                             cairn_say(ctx, "raise {memory} or {leaf-rows}")));
    CHECK(NEW(ctx, &tree->slopes, leaves * tree->n_regressors));
    return NEW(ctx, &tree->centres, leaves * tree->n_regressors);
}

/* The squared errors of the mean and of the linear model stand side by side, since their
 * difference is why the leaf has a model. */
static void show_fit(cairn_report *out, const linear_fit *f, size_t leaf, size_t n, double before,
                     const cairn_schema *schema)
{
    const cairn_tree_node *node = &f->tree->nodes[leaf];
    size_t from = node->linear ? (size_t)(node->linear - 1) * f->tree->n_regressors : 0;
    cairn_text text = cairn_text_start(f->ctx);
    cairn_tree_add_path(&text, f->tree, leaf, schema, " and ");
    cairn_report_step_begin(out, "Leaf %zu: %s", leaf + 1,
                            text.length ? cairn_text_string(&text) : "all rows");
    cairn_report_value(out, "rows", (double)n, "leaf%zu.rows", leaf + 1);
    cairn_report_value(out, "mean of the target", node->mean, "leaf%zu.mean", leaf + 1);
    cairn_report_value(out, "squared errors of the mean", before, "leaf%zu.sse_mean", leaf + 1);
    if (!node->linear)
        cairn_report_note(out, "Too few rows, no column that varies, or columns that depend on "
                               "each other: the leaf keeps its mean.");
    for (size_t j = 0; node->linear && j < f->tree->n_regressors; j++) {
        const char *name = cairn_schema_feature(schema, (size_t)f->tree->regressors[j])->name;
        cairn_text label = cairn_text_start(f->ctx);
        cairn_text_addf(&label, "mean of %s", name);
        cairn_report_value(out, cairn_text_string(&label), f->tree->centres[from + j],
                           "leaf%zu.centre.%s", leaf + 1, cairn_report_key(out, name));
        cairn_report_failed(out, cairn_text_status(&label));
        cairn_text_clear(&label);
    }
    if (node->linear) {
        text.length = 0;
        cairn_linear_leaf_add(&text, f->tree, node, schema, false);
        cairn_report_formula(out, "ŷ = %s", cairn_text_string(&text));
        cairn_report_value(out, "squared errors of the linear model", node->error, "leaf%zu.sse",
                           leaf + 1);
    }
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

cairn_status cairn_tree_fit_linear_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                          const cairn_linear_leaf_params *p, const cairn_view *view,
                                          const cairn_schema *schema, cairn_report *steps)
{
    linear_fit f = {
        .ctx = ctx, .tree = tree, .view = view, .drop = p->singular == CAIRN_SINGULAR_DROP};
    size_t shown = 0;
    if (p->leaf == CAIRN_LEAF_CONSTANT) return CAIRN_OK;
    CHECK(list_regressors(ctx, tree));
    CHECK(SCRATCH_EACH(ctx, tree->n_regressors, &f.varying, &f.slopes));
    CHECK(sort_rows(&f));
    if (steps) cairn_report_heading(steps, 2, "Linear models in the leaves");
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const uint32_t *rows = f.rows + f.starts[i];
        size_t n = f.starts[i + 1] - f.starts[i];
        if (!may_be_linear(&tree->nodes[i])) continue;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        double before = squares(&f, i, rows, n);
        CHECK(fit_leaf(&f, i, rows, n));
        if (steps && shown++ < SHOWN_LEAVES) show_fit(steps, &f, i, n, before, schema);
    }
    return CAIRN_OK;
}
