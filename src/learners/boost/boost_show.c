/* SPDX-License-Identifier: MIT */
/* Boosted trees in words: the steps of a small run round by round, and the description. */
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "learners/boost/boost.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

enum {
    SHOWN_ROUNDS = 20,
    SHOWN_COLUMNS = 30,
    NAMED_COLUMNS = 1000,
    FEW_ROWS = 50,   /* whose splits are shown with what they were chosen from */
    FEW_COLUMNS = 20 /* likewise */
};

/* -- names -- */

static const char *column_name(const cairn_boost_work *work, int32_t column)
{
    return work->names[column];
}

/* Of a column that is no item. */
static const cairn_column *feature_of(const cairn_boost_work *work, int32_t column)
{
    const cairn_view *view = work->job->view;
    size_t j = 0;
    for (int32_t c = 0; c < column || view->features[j]->kind == CAIRN_BAG; j++)
        c += view->features[j]->kind != CAIRN_BAG;
    return view->features[j];
}

static const char *class_name(const cairn_schema *schema, size_t class)
{
    return cairn_map_key(&cairn_schema_target(schema)->names, class);
}

/* "round2", or with several outputs "round2.setosa". Lives as long as the report. */
static const char *prefix_of(const cairn_boost_work *work, size_t output, cairn_text *text)
{
    cairn_text_addf(text, "round%zu", work->round + 1);
    if (work->n_outputs > 1)
        cairn_text_addf(text, ".%s",
                        cairn_report_key(work->job->steps, class_name(work->job->schema, output)));
    return cairn_text_string(text);
}

/* -- the start -- */

static const char *const start_words[] = {
    [CAIRN_BOOST_SQUARED] = "F = mean of y, the constant with the least squared loss",
    [CAIRN_BOOST_ABSOLUTE] = "F = median of y, the constant with the least absolute loss",
    [CAIRN_BOOST_HUBER] = "F = median of y",
    [CAIRN_BOOST_QUANTILE] = "F = quantile of y at {level}",
    [CAIRN_BOOST_POISSON] = "F = ln(mean of y); the rate is exp F",
    [CAIRN_BOOST_LOGISTIC] = "F = ln(p / (1 − p)), p the share of the positive class",
    [CAIRN_BOOST_SOFTMAX] = "F of a class = ln of its share",
};

void cairn_boost_show_start(const cairn_boost_work *work)
{
    cairn_report *out = work->job->steps;
    const cairn_boost_model *m = work->model;
    if (!out) return;
    cairn_report_step_begin(out, "Start");
    if (work->params->start)
        cairn_report_paragraph(out, "F begins as {start %s} says.", work->params->start);
    else
        cairn_report_paragraph(out, "%s.", start_words[work->loss]);
    for (size_t k = 0; k < work->n_outputs; k++) {
        if (work->n_outputs == 1)
            cairn_report_value(out, "F", m->start[0], "start");
        else
            cairn_report_value(out, class_name(work->job->schema, k), m->start[k], "start.%s",
                               cairn_report_key(out, class_name(work->job->schema, k)));
    }
    cairn_report_step_end(out);
}

/* -- a tree -- */

static const char *const residual_words[] = {
    [CAIRN_BOOST_SQUARED] = "r = y − F",
    [CAIRN_BOOST_ABSOLUTE] = "r = sign(y − F)",
    [CAIRN_BOOST_HUBER] = "r = y − F, but at most δ from 0",
    [CAIRN_BOOST_QUANTILE] = "r = a where y > F, else a − 1",
    [CAIRN_BOOST_POISSON] = "r = y − exp F,   h = exp F",
    [CAIRN_BOOST_LOGISTIC] = "r = y − p,   p = 1 / (1 + exp(−F)),   h = p (1 − p)",
    [CAIRN_BOOST_SOFTMAX] = "r = y − p,   p = exp F / Σ exp F of all classes,   h = p (1 − p)",
};

/* What a leaf answers, in a formula. */
static const char *leaf_words(const cairn_boost_work *work)
{
    switch (work->loss) {
    case CAIRN_BOOST_ABSOLUTE: return "leaf = η · median of y − F";
    case CAIRN_BOOST_QUANTILE: return "leaf = η · quantile of y − F";
    case CAIRN_BOOST_HUBER: return "leaf = η · (median of y − F + mean of what is left, cut at δ)";
    default: break;
    }
    if (cairn_boost_asks_rows(work))
        return work->loss == CAIRN_BOOST_SOFTMAX ? "leaf = η · (K − 1) / K · Σ r / Σ h"
                                                 : "leaf = η · Σ r / Σ h";
    return work->params->l1 > 0 ? "leaf = η · T(Σ r) / (Σ h + l2),   T(x) = x, nearer to 0 by l1"
                                : "leaf = η · Σ r / (Σ h + l2)";
}

static void add_cut(cairn_text *text, const cairn_boost_work *work, int32_t column, double cut)
{
    cairn_text_add(text, column_name(work, column));
    if (cut == DBL_MAX) {
        cairn_text_add(text, " is known");
        return;
    }
    cairn_text_add(text, " ≤ ");
    cairn_text_add_number(text, cut, 6);
}

/* Where missing cells go matters to the reader only if some row has one in the column. */
static bool has_missing(const cairn_boost_work *work, int32_t c)
{
    const cairn_boost_column *column = &work->columns[c];
    for (size_t i = 0; i < work->n; i++)
        if (cairn_boost_code(work, column, i) == column->n_codes) return true;
    return false;
}

/* What the rows of a leaf add up to, and its value. */
typedef struct leaf_sums {
    double g, h, value;
} leaf_sums;

/* Residuals that cancel each other leave their rounding, which is shown as 0. */
static leaf_sums sums_of(const cairn_boost_work *work, const uint32_t *begins, size_t leaf,
                         double value)
{
    leaf_sums of = {.value = value};
    double size = 0;
    for (size_t i = begins[leaf]; i < begins[leaf + 1]; i++) {
        cairn_boost_total at =
            cairn_boost_total_of(work, cairn_boost_gradient(work, work->rows[i]));
        of.g -= at.g;
        of.h += at.h;
        size += fabs(at.g);
    }
    of.g = cairn_number_left(of.g, size);
    if (of.g == 0 && !cairn_boost_asks_rows(work)) of.value = 0;
    return of;
}

/* A subtree, a line for every node and leaf. */
static void add_tree(cairn_text *text, const cairn_boost_work *work, int32_t at, size_t indent,
                     size_t first_leaf, const leaf_sums *leaves)
{
    const cairn_boost_model *m = work->model;
    if (at < 0) {
        cairn_text_add_repeat(text, ' ', indent);
        cairn_text_addf(text, "leaf %zu: ", (size_t)~at - first_leaf + 1);
        cairn_text_add_number(text, leaves[(size_t)~at - first_leaf].value, 6);
        cairn_text_add(text, "\n");
        return;
    }
    const cairn_boost_node *node = &m->nodes[at];
    cairn_text_add_repeat(text, ' ', indent);
    /* The test of a node, for the left branch. */
    double cut = m->cuts[at];
    const int32_t *set = node->set < 0 ? NULL : work->model->sets + node->set;
    const char *between = "";
    if (node->set < 0) {
        add_cut(text, work, node->column, cut);
    } else {
        cairn_text_addf(text, "%s in {", column_name(work, node->column));
        for (int32_t v = 0; v < set[0]; v++) {
            if (set[1 + v] != 1) continue;
            cairn_text_addf(text, "%s%s", between,
                            cairn_level_name(feature_of(work, node->column), v));
            between = ", ";
        }
        cairn_text_add(text, "}");
    }
    bool missing_left = !node->missing_right && has_missing(work, node->column);
    cairn_text_add(text, missing_left ? " (or missing)\n" : "\n");
    add_tree(text, work, node->left, indent + 4, first_leaf, leaves);
    cairn_text_add_repeat(text, ' ', indent);
    cairn_text_add(text, "else\n");
    add_tree(text, work, node->right, indent + 4, first_leaf, leaves);
}

/* Sums and value of every leaf with the numbers put in. */
static void show_leaves(const cairn_boost_work *work, size_t first_leaf, const leaf_sums *leaves,
                        const char *prefix)
{
    cairn_report *out = work->job->steps;
    const cairn_boost_params *p = work->params;
    size_t n = work->model->n_leaves - first_leaf;
    cairn_report_formula(out, "%s", leaf_words(work));
    for (size_t l = 0; l < n && l < 50; l++) {
        double g = leaves[l].g, h = leaves[l].h, value = leaves[l].value;
        char label[32];
        (void)snprintf(label, sizeof label, "leaf %zu", l + 1);
        cairn_report_hidden(out, value, "%s.leaf%zu", prefix, l + 1);
        cairn_report_hidden(out, g, "%s.leaf%zu.residuals", prefix, l + 1);
        cairn_report_hidden(out, h, "%s.leaf%zu.hessian", prefix, l + 1);
        if (cairn_boost_asks_rows(work))
            cairn_report_worked(out, label, "#", value);
        else if (p->l1 > 0)
            cairn_report_worked(out, label, "# · T(#) / (# + #) = # · # / # = #", p->eta, g, h,
                                p->l2, p->eta, cairn_boost_shrunk(g, p->l1), h + p->l2, value);
        else
            cairn_report_worked(out, label, "# · # / (# + #) = #", p->eta, g, h, p->l2, value);
    }
}

/* The rows with residual, leaf and new sum. */
static void show_rows(const cairn_boost_work *work, size_t output, size_t first_leaf,
                      const uint32_t *leaf_of, const char *prefix)
{
    cairn_report *out = work->job->steps;
    const double *scores = work->scores + output * work->n;
    cairn_report_table_of(out, "Rows", 0, "rrrrrrr", "row", "y", "F", "r", "h", "leaf", "new F");
    for (size_t i = 0; i < work->n; i++) {
        uint32_t row = work->data->table_rows[i] + 1, l = leaf_of[i];
        double w = work->weights[i], y = work->numbers ? work->numbers[i] : 0;
        cairn_boost_total at = cairn_boost_total_of(work, cairn_boost_gradient(work, i));
        if (l == UINT32_MAX) continue; /* not drawn, or held out */
        if (!work->numbers)
            y = work->classes[i] ==
                (work->loss == CAIRN_BOOST_LOGISTIC ? work->model->positive : (int32_t)output);
        cairn_report_prefix(out, "%s.row%u", prefix, row);
        cairn_report_cells(out, "- - @.before @.residual - @.leaf @.after", row, y, scores[i],
                           -at.g / w, at.h / w, l + 1,
                           scores[i] + work->model->values[first_leaf + l]);
    }
    cairn_report_table_end(out);
}

/* -- how a split is chosen -- */

typedef struct board {
    const cairn_boost_work *work;
    const cairn_boost_choice *choice;
    const char *prefix;
    bool all;         /* a row for every candidate */
    size_t n;         /* candidates so far */
    cairn_text taken; /* test of the one that was chosen */
} board;

/* The test of a candidate, for its left part. */
static void add_candidate(cairn_text *text, const cairn_boost_work *work,
                          const cairn_boost_split *split, const uint32_t *levels)
{
    const cairn_boost_column *column = &work->columns[split->column];
    if (!levels) {
        add_cut(text, work, split->column, cairn_boost_cut(column, split));
        if (!split->missing_right) cairn_text_add(text, " (or missing)");
        return;
    }
    cairn_text_addf(text, "%s in {", column_name(work, split->column));
    for (uint32_t i = 0; i < split->code; i++)
        cairn_text_addf(
            text, "%s%s", i ? ", " : "",
            levels[i] == column->n_codes
                ? "missing"
                : cairn_level_name(feature_of(work, split->column), (int32_t)levels[i]));
    cairn_text_add(text, "}");
}

/* A sum of first derivatives, or 0 if beside those of the chosen parts it is rounding only. */
static double cleaned(const board *b, double g)
{
    const cairn_boost_split *best = b->choice->split;
    double size = fabs(cairn_boost_total_of(b->work, best->left).g) +
                  fabs(cairn_boost_total_of(b->work, best->right).g);
    return fabs(g) < 1e-12 * size ? 0 : g;
}

/* A candidate as a row of the table; the test of the one that was chosen is kept. */
static void show_candidate(void *data, const cairn_boost_split *split, const uint32_t *levels)
{
    board *b = data;
    cairn_report *out = b->work->job->steps;
    const cairn_boost_split *best = b->choice->split;
    cairn_boost_total l = cairn_boost_total_of(b->work, split->left),
                      r = cairn_boost_total_of(b->work, split->right);
    bool taken = split->column == best->column && split->code == best->code &&
                 split->left.g == best->left.g && split->left.hw == best->left.hw;
    b->n++;
    if (!taken && !b->all) return;
    SCOPED(cairn_text_clear) cairn_text test = cairn_text_start(cairn_report_context(out));
    add_candidate(&test, b->work, split, levels);
    cairn_report_failed(out, cairn_text_status(&test));
    if (taken) cairn_text_add(&b->taken, cairn_text_string(&test));
    if (!b->all) return;
    cairn_report_cells(out, NULL, cairn_text_string(&test), cleaned(b, l.g), l.h, cleaned(b, r.g),
                       r.h);
    if (taken) cairn_report_row_mark(out);
    cairn_report_cell_difference(out, split->gain, best->gain, 0, "%s.split%zu.candidate%zu.gain",
                                 b->prefix, b->choice->number, b->n);
}

/* What a part is worth as the formula writes it; a negative number is squared in brackets. */
static void add_worth(cairn_text *text, const cairn_boost_params *p, double g, const char *before)
{
    cairn_text_addf(text, "%s%s / (# + #)", before, p->l1 > 0 ? "T(#)²" : g < 0 ? "(#)²" : "#²");
}

static bool is_limited(const cairn_boost_choice *at)
{
    return isfinite(at->limits.low) || isfinite(at->limits.high);
}

/* What the chosen split gains, with its numbers put in. A constraint that limits the leaves makes
 * the parts worth less than the formula without one; then only what they are worth is written. */
static void show_gain(const board *b)
{
    cairn_report *out = b->work->job->steps;
    const cairn_boost_params *p = b->work->params;
    const cairn_boost_choice *at = b->choice;
    cairn_boost_total l = cairn_boost_total_of(b->work, at->split->left),
                      r = cairn_boost_total_of(b->work, at->split->right),
                      all = cairn_boost_total_of(b->work, at->sums);
    l.g = cleaned(b, l.g);
    r.g = cleaned(b, r.g);
    all.g = cleaned(b, all.g);
    double a = cairn_boost_worth(p, l, at->limits), c = cairn_boost_worth(p, r, at->limits),
           whole = cairn_boost_worth(p, all, at->limits), gain = at->split->gain;
    cairn_report_hidden(out, gain, "%s.split%zu.gain", b->prefix, at->number);
    if (is_limited(at)) {
        cairn_report_worked(out, "gain", "# + # − # = #", a, c, whole, gain);
        return;
    }
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    add_worth(&text, p, l.g, "");
    add_worth(&text, p, r.g, " + ");
    add_worth(&text, p, all.g, " − ");
    cairn_text_add(&text, " = # + # − # = #");
    cairn_report_worked(out, "gain", cairn_text_string(&text), l.g, l.h, p->l2, r.g, r.h, p->l2,
                        all.g, all.h, p->l2, a, c, whole, gain);
    cairn_report_failed(out, cairn_text_status(&text));
}

/* Which rows are split, in the words of a heading. */
static void show_rows_of(const cairn_boost_work *work, const cairn_boost_choice *at)
{
    SCOPED(cairn_text_clear)
    cairn_text text = cairn_text_start(cairn_report_context(work->job->steps));
    for (size_t i = 0; i < at->n; i++)
        cairn_text_addf(&text, "%s%u", i ? ", " : "", work->data->table_rows[at->rows[i]] + 1);
    cairn_report_paragraph(work->job->steps, "Split %zu, of the rows %s.", at->number,
                           cairn_text_string(&text));
    cairn_report_failed(work->job->steps, cairn_text_status(&text));
}

/* The formula of the gain, once for a tree, and where a constraint changes it. */
static void show_gain_words(const cairn_boost_work *work, const cairn_boost_choice *at)
{
    cairn_report *out = work->job->steps;
    const char *g = work->params->l1 > 0 ? "T(G)" : "G";
    if (is_limited(at))
        cairn_report_formula(
            out,
            "gain = W left + W right − W,   W = −(2 %s v + (H + l2) v²),   v = −%s "
            "/ (H + l2), kept within the limits of the constraint",
            g, g);
    else if (at->number == 1 && work->params->l1 > 0)
        cairn_report_formula(out, "gain = T(G left)² / (H left + l2) + T(G right)² / (H right + "
                                  "l2) − T(G)² / (H + l2),   G = −Σ r,   H = Σ h,   T(x) = x, "
                                  "nearer to 0 by l1");
    else if (at->number == 1)
        cairn_report_formula(out, "gain = (G left)² / (H left + l2) + (G right)² / (H right + l2) "
                                  "− G² / (H + l2),   G = −Σ r,   H = Σ h");
}

/* Of small samples: in the first round all candidates, in the others the split that was chosen. */
void cairn_boost_show_split(const cairn_boost_work *work, const cairn_boost_choice *choice)
{
    cairn_report *out = work->job->steps;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || work->round >= SHOWN_ROUNDS || work->n > FEW_ROWS || work->n_columns > FEW_COLUMNS)
        return;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    board b = {.work = work,
               .choice = choice,
               .prefix = prefix_of(work, choice->output, &name),
               .all = work->round == 0,
               .taken = cairn_text_start(ctx)};
    show_rows_of(work, choice);
    show_gain_words(work, choice);
    if (b.all && choice->number == 1) {
        /* Which splits are no candidates. */
        if (work->params->min_leaf > 1)
            cairn_report_paragraph(out,
                                   "Splits with a part of less weight than {min-leaf} are left "
                                   "out.");
        if (work->params->monotone)
            cairn_report_paragraph(out,
                                   "Splits whose parts do not rise or fall as {monotone} asks are "
                                   "left out.");
        if (work->params->interact)
            cairn_report_paragraph(
                out, "Below a test only columns are tested that {interact} lets stand "
                     "with all above.");
    }
    if (b.all)
        cairn_report_table_of(out, NULL, 0, "lrrrrr", "left part", "G left", "H left", "G right",
                              "H right", "gain");
    cairn_report_failed(out,
                        cairn_boost_candidates(ctx, work, choice->rows, choice->n, choice->sums,
                                               choice->limits, show_candidate, &b));
    if (b.all) cairn_report_table_end(out);
    cairn_report_paragraph(out, "Chosen: %s", cairn_text_string(&b.taken));
    show_gain(&b);
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_report_failed(out, cairn_text_status(&b.taken));
    cairn_text_clear(&b.taken);
}

/* -- a round -- */

void cairn_boost_show_round(const cairn_boost_work *work, size_t output)
{
    cairn_report *out = work->job->steps;
    if (!out || work->round >= SHOWN_ROUNDS) return;
    if (work->n_outputs > 1)
        cairn_report_step_begin(out, "Round %zu, class %s", work->round + 1,
                                class_name(work->job->schema, output));
    else
        cairn_report_step_begin(out, "Round %zu", work->round + 1);
    cairn_report_formula(out, "%s", residual_words[work->loss]);
}

void cairn_boost_show_tree(const cairn_boost_work *work, size_t output, size_t first_leaf,
                           const uint32_t *begins)
{
    cairn_report *out = work->job->steps;
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || work->round >= SHOWN_ROUNDS) return;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char *prefix = prefix_of(work, output, &name);
    size_t n_leaves = work->model->n_leaves - first_leaf;
    uint32_t *leaf_of;
    leaf_sums *leaves;
    cairn_status status = SCRATCH_RAW(ctx, &leaf_of, work->n);
    if (!status) status = SCRATCH_RAW(ctx, &leaves, n_leaves + 1);
    cairn_report_failed(out, status);
    if (status) return;
    for (size_t l = 0; l < n_leaves; l++)
        leaves[l] = sums_of(work, begins, l, work->model->values[first_leaf + l]);
    for (size_t i = 0; i < work->n; i++) leaf_of[i] = UINT32_MAX;
    for (uint32_t l = 0; first_leaf + l < work->model->n_leaves; l++)
        for (size_t i = begins[l]; i < begins[l + 1]; i++) leaf_of[work->rows[i]] = l;
    add_tree(&text, work, work->model->roots[work->model->n_trees], 0, first_leaf, leaves);
    cairn_report_verbatim(out, cairn_text_string(&text));
    show_leaves(work, first_leaf, leaves, prefix);
    show_rows(work, output, first_leaf, leaf_of, prefix);
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&name));
    cairn_report_failed(out, cairn_text_status(&text));
}

void cairn_boost_show_loss(const cairn_boost_work *work)
{
    cairn_report *out = work->job->steps;
    const cairn_boost_history *history = work->history;
    if (!out) return;
    cairn_report_step_begin(out, "Loss after each round");
    cairn_report_table_of(out, NULL, 0, history->held ? "rrr" : "rr", "round", "training",
                          "held out");
    for (size_t r = 0; r <= history->n_rounds; r++) {
        cairn_report_cells(out, "- round$1.loss", r, history->curve[r]);
        if (history->held) cairn_report_cell_number(out, history->held[r], 0, "round%zu.held", r);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- description -- */

/* Numbers of the whole: rounds, trees, leaves, and how the loss fell. */
static void show_size(cairn_report *out, const cairn_boost_model *m,
                      const cairn_boost_history *history)
{
    size_t rounds = m->n_trees / m->n_outputs;
    cairn_report_word(out, "loss", cairn_boost_loss_name((cairn_boost_loss_kind)m->loss),
                      "boost.loss");
    cairn_report_value(out, "rounds", (double)rounds, "boost.rounds");
    cairn_report_value(out, "trees", (double)m->n_trees, "boost.trees");
    cairn_report_value(out, "leaves", (double)m->n_leaves, "boost.leaves");
    if (m->n_outputs == 1) cairn_report_value(out, "start", m->start[0], "boost.start");
    if (!history || !history->curve) return;
    cairn_report_value(out, "mean loss of the training rows, at the start", history->curve[0],
                       "boost.loss.start");
    cairn_report_value(out, "... and at the end", history->curve[history->kept], "boost.loss.end");
    if (!history->held) return;
    cairn_report_value(out, "rows held out", fabs(history->n_held), "boost.held.rows");
    cairn_report_value(out, "their mean loss at the end", history->held[history->kept],
                       "boost.held.loss");
    if (history->n_held < 0)
        cairn_report_note(out,
                          "They were held out, part by part, to choose the number of rounds, after "
                          "which their loss was least; the model is learned from all rows. "
                          "{rounds} sets the number.");
    if (history->kept < history->n_rounds)
        cairn_report_note(out,
                          "The loss of the rows held out was least after %zu of %zu rounds; later "
                          "trees were dropped.",
                          history->kept, history->n_rounds);
}

static bool gained_more(const void *a, const void *b, const void *data)
{
    const double *gains = data;
    return gains[*(const uint32_t *)a] > gains[*(const uint32_t *)b];
}

/* The columns by what their splits gained; the figure has the first of them as bars. */
static cairn_status show_importance(cairn_context *ctx, cairn_report *out, cairn_figure **figure,
                                    const cairn_boost_history *history, const cairn_schema *schema)
{
    const char *names[SHOWN_COLUMNS];
    double shares[SHOWN_COLUMNS], total = 0;
    const char *const *all;
    uint32_t *order;
    if (!history || !history->gains) return CAIRN_OK;
    size_t n = history->n_columns, shown = n < SHOWN_COLUMNS ? n : SHOWN_COLUMNS;
    CHECK(SCRATCH(ctx, &order, n));
    CHECK(cairn_term_names(ctx, &all, schema));
    for (size_t c = 0; c < n; c++) {
        total += history->gains[c];
        order[c] = (uint32_t)c;
    }
    CHECK(cairn_sort_by(ctx, order, n, sizeof *order, gained_more, history->gains));
    cairn_report_table_of(out, "Importance of the columns", shown, "lrr", "column",
                          "share of the gain", "splits");
    for (size_t i = 0; i < n && i < NAMED_COLUMNS; i++) {
        size_t c = order[i];
        double share = total > 0 ? history->gains[c] / total : 0;
        cairn_report_cells(out, "- importance.$1:4 splits.$1", all[c], share, history->splits[c]);
        if (i < shown) {
            names[i] = all[c];
            shares[i] = share;
        }
    }
    cairn_report_table_end(out);
    CHECK(cairn_figure_new(ctx, figure, "importance", "Importance of the columns"));
    cairn_figure_bars(*figure, NULL, names, shares, shown);
    cairn_figure_axes(*figure, NULL, "share of the gain");
    return CAIRN_OK;
}

static cairn_status make_importance(cairn_context *ctx, cairn_figure **out, const void *model,
                                    const cairn_job *job)
{
    (void)model;
    return show_importance(ctx, NULL, out, job->history, job->schema);
}

/* The loss by rounds, of training rows and of those held out. */
static cairn_status make_curve(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    const cairn_boost_history *history = job->history;
    double *x;
    (void)model;
    if (!history || history->n_rounds < 2) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &x, history->n_rounds + 1));
    for (size_t r = 0; r <= history->n_rounds; r++) x[r] = (double)r;
    CHECK(cairn_figure_new(ctx, out, "loss", "Mean loss by number of rounds"));
    cairn_figure_axes(*out, "rounds", "mean loss");
    cairn_figure_line(*out, history->held ? "training rows" : NULL, x, history->curve,
                      history->n_rounds + 1);
    if (history->held) cairn_figure_line(*out, "held out", x, history->held, history->n_rounds + 1);
    return CAIRN_OK;
}

void cairn_boost_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    cairn_figure *curve = NULL, *importance = NULL;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_report_heading(out, 2, "The boosted trees");
    show_size(out, model, job->history);
    cairn_status status = make_curve(ctx, &curve, model, job);
    cairn_describe_figure(out, status, &curve, true);
    status = show_importance(ctx, out, &importance, job->history, job->schema);
    cairn_describe_figure(out, status, &importance, true);
}

const cairn_model_figure cairn_boost_figures[] = {
    {.name = "loss", .make = make_curve},
    {.name = "importance", .make = make_importance},
    {.name = NULL},
};
