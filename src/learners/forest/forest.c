/* SPDX-License-Identifier: MIT */
/* Random forest: many trees, each grown on its own random rows and columns, answer together.
 *
 * 1. Every tree draws rows, as many as there are and with repeats unless asked otherwise, and is
 *    grown by the shared grower without pruning (forest_grow.c).
 * 2. At every node only some columns, drawn anew, are looked at (or the same ones in the whole
 *    tree). When none of them can divide the rows, more are drawn until one can.
 * 3. Classes: the trees vote, or the class shares of their leaves are averaged. Numbers: the mean
 *    of what the trees say, which never leaves the range of the training rows.
 * 4. The rows that a tree has not drawn judge it: out-of-bag error (forest_oob.c).
 *
 * Choices: ties between classes go to the first class, between columns to one drawn at random; a
 * missing cell takes the usual branch of its node; a column of levels is divided into one level and
 * the rest. All of them but the first are options.
 *
 * Cost: fitting about O(trees x rows x drawn columns x depth), predicting O(trees x depth) per row;
 * 8 bytes per inner node.
 *
 * Sources: Breiman, Random forests (2001); Ho, The random subspace method (1998); Geurts, Ernst and
 * Wehenkel, Extremely randomized trees (2006). */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "stats/class_weights.h"
#include "data/item_columns.h"
#include <math.h>
#include <string.h>

static const cairn_choice subset_choices[] = {
    {"node", CAIRN_FOREST_PER_NODE, "drawn anew at every node"},
    {"tree", CAIRN_FOREST_PER_TREE, "drawn once for every tree: random subspaces"},
    {NULL, 0, NULL},
};
static const cairn_choice sample_choices[] = {
    {"with", CAIRN_FOREST_WITH, "drawn with repeats: a bootstrap sample"},
    {"without", CAIRN_FOREST_WITHOUT, "drawn without repeats"},
    {"even", CAIRN_FOREST_EVEN, "drawn with repeats, of every class as many as the rarest one has"},
    {"all", CAIRN_FOREST_ALL, "every tree has all rows; then there is no out-of-bag error"},
    {NULL, 0, NULL},
};
static const cairn_choice cut_choices[] = {
    {"best", 0, "the best cut of every drawn column"},
    {"random", 1, "one random cut (or level) of every drawn column: extremely randomised trees"},
    {NULL, 0, NULL},
};
static const cairn_choice combine_choices[] = {
    {"votes", CAIRN_FOREST_VOTES, "every tree has one vote"},
    {"shares", CAIRN_FOREST_SHARES, "the class shares of the leaves are averaged"},
    {NULL, 0, NULL},
};
static const cairn_choice importance_choices[] = {
    {"impurity", CAIRN_FOREST_IMPURITY, "what the splits of a column reduce"},
    {"permutation", CAIRN_FOREST_PERMUTATION,
     "also what exchanging its cells among out-of-bag rows costs"},
    {"none", CAIRN_FOREST_NO_IMPORTANCE, "not reported"},
    {NULL, 0, NULL},
};

static const cairn_param forest_tree_group[] = {
    CAIRN_TREE_SETTINGS("gini", "binary", "mode", "random"),
    CAIRN_PARAM_END,
};

static const cairn_param forest_param_table[] = {
    CAIRN_PARAM(cairn_forest_params, trees, "100", "[1,1000000]", "number of trees", .often = true),
    CAIRN_PARAM_CHOICE(cairn_forest_params, subset, "node", subset_choices,
                       "what columns are drawn for"),
    CAIRN_PARAM(cairn_forest_params, mtry, "0", "[0,inf)",
                "columns that are drawn, all when there are fewer; 0 = the root of their number, "
                "for a number as target a "
                "third of it",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_forest_params, sample, "with", sample_choices,
                       "how the rows of a tree are drawn", .often = true),
    CAIRN_PARAM_CALLED(
        "row_share", cairn_forest_params, sample_share, CAIRN_NOT_GIVEN, "(0,1]",
        "rows drawn for a tree as a share of all (of the rarest class for even); when not "
        "given 0.632 without repeats, else 1",
        .when = "!sample=all", .was = "sample_share"),
    CAIRN_PARAM_CALLED(
        "class_weight", cairn_forest_params, class_weights, "none", NULL,
        "weights of the classes: none, balanced (all classes weigh the same in all rows), "
        "tree (in the rows of every tree), or a number for every class in the order of "
        "the levels, such as 1,5",
        .was = "class_weights"),
    CAIRN_PARAM_CHOICE(cairn_forest_params, cuts, "best", cut_choices, "which cut of a number"),
    CAIRN_PARAM_CHOICE(cairn_forest_params, combine, "votes", combine_choices,
                       "how the trees answer together (classes)"),
    CAIRN_PARAM_GROUP(cairn_forest_params, smoothing, cairn_smoothing_group,
                      .when = "combine=shares"),
    CAIRN_PARAM(cairn_forest_params, oob, "yes", NULL, "judge the forest by out-of-bag rows",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_forest_params, importance, "impurity", importance_choices,
                       "importance of the columns", .often = true),
    CAIRN_PARAM(cairn_forest_params, outliers, "0", "[0,inf)",
                "show so many rows that are near to no others of their class"),
    CAIRN_PARAM(cairn_forest_params, prototypes, "0", "[0,inf)",
                "show a typical row of every class, made of so many neighbours; 0 = none"),
    CAIRN_PARAM(cairn_forest_params, interactions, "0", "[0,1000]",
                "show so many pairs of columns of which one is often asked right after the other"),
    CAIRN_PARAM_WRITES(cairn_forest_params, oob_file,
                       "write what the out-of-bag trees say about every row to this file"),
    CAIRN_PARAM_WRITES(
        cairn_forest_params, proximity_file,
        "write the share of the trees in which two rows reach the same leaf, for all "
        "pairs, to this file"),
    CAIRN_PARAM_WRITES(
        cairn_forest_params, filled_file,
        "write the training rows with missing cells filled by near rows to this file"),
    CAIRN_PARAM(cairn_forest_params, fill_rounds, "5", "[1,100]",
                "forests that are grown one after the other to fill missing cells",
                .when = "filled_file"),
    CAIRN_PARAM_GROUP(cairn_forest_params, tree, forest_tree_group),
    CAIRN_PARAM_END,
};

cairn_forest_weighting cairn_forest_weighting_of(const cairn_forest_params *p)
{
    if (!p->class_weights || cairn_same(p->class_weights, "none")) return CAIRN_FOREST_AS_THEY_ARE;
    if (cairn_same(p->class_weights, "balanced")) return CAIRN_FOREST_BALANCED;
    if (cairn_same(p->class_weights, "tree")) return CAIRN_FOREST_BALANCED_TREE;
    return CAIRN_FOREST_GIVEN;
}

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_forest_params *p = values;
    cairn_smoothing smoothing; /* refused before the work begins */
    if (cairn_forest_weighting_of(p) == CAIRN_FOREST_GIVEN)
        CHECK(cairn_class_weights_check(ctx, "{class-weight}", p->class_weights,
                                        "none, balanced or tree"));
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth));
    bool no_oob = !p->oob || p->sample == CAIRN_FOREST_ALL;
    if (p->importance == CAIRN_FOREST_PERMUTATION && no_oob)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{importance permutation} needs out-of-bag rows: leave {oob} and "
                          "{sample} as they are");
    if (p->oob_file && no_oob)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{oob-file} needs out-of-bag rows: leave {oob} and {sample} as they are");
    return CAIRN_OK;
}

/* -- fit -- */

static cairn_status check_task(cairn_context *ctx, const cairn_job *job)
{
    const cairn_forest_params *p = job->params;
    if (job->task == CAIRN_CLASSIFY) return CAIRN_OK;
    if (p->sample == CAIRN_FOREST_EVEN || cairn_forest_weighting_of(p))
        return cairn_fail(
            ctx, CAIRN_USAGE, "%s needs classes, and '%s' is a number",
            cairn_say(ctx, p->sample == CAIRN_FOREST_EVEN ? "{sample even}" : "{class-weight}"),
            job->view->target_name);
    if (p->prototypes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{prototypes} shows typical rows of classes, and '%s' is a number; leave "
                          "it out, or classify with {task classify}",
                          job->view->target_name);
    return cairn_tree_check_task(ctx, &p->tree, job);
}

/* Codes, and for every thread the rows of a tree, its working memory and its large form. */
static cairn_status check_memory(cairn_context *ctx, const cairn_view *view, size_t n_trees)
{
    double workers = (double)cairn_workers(ctx), n = (double)view->rows.n;
    double bytes = (2 * (double)view->n_features * (1 + workers) + 60 + 200 * workers) * n +
                   (double)n_trees * (n / 8 + 8 * (double)view->n_features);
    return cairn_memory_check(
        ctx, bytes, "growing the forest",
        cairn_say(ctx, "raise {memory}, or use fewer rows, columns, {trees} or {threads}"));
}

/* Low and high are the extremes of the target: a mean of rows cannot leave them, whatever it is
 * asked. */
static cairn_status start_forest(cairn_context *ctx, cairn_forest_model *forest,
                                 const cairn_binned *data, const cairn_forest_params *p)
{
    forest->n_trees = (size_t)p->trees;
    forest->n_columns = data->n_columns;
    forest->n_classes = data->n_classes;
    forest->cut_form = p->tree.cut;
    forest->missing = p->tree.missing_in_model;
    forest->combine = p->combine;
    size_t n = data->n_columns;
    bool classes = data->n_classes > 0;
    size_t drawn = (size_t)p->mtry;
    if (drawn == 0) drawn = classes ? (size_t)sqrt((double)n) : n / 3;
    forest->drawn = drawn < 1 ? 1 : drawn > n ? n : drawn;
    CHECK(NEW(ctx, &forest->is_number, data->n_columns));
    for (size_t c = 0; c < data->n_columns; c++)
        forest->is_number[c] = data->columns[c].ordered ? 2 : data->columns[c].is_number;
    forest->low = INFINITY, forest->high = -INFINITY;
    for (size_t i = 0; !data->n_classes && i < data->n_rows; i++) {
        forest->low = fmin(forest->low, data->numbers[i]);
        forest->high = fmax(forest->high, data->numbers[i]);
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_raise(cairn_context *ctx, cairn_forest_growth *growth, cairn_binned *data,
                                cairn_forest_model *forest, cairn_forest_history *history,
                                const cairn_job *job, const cairn_forest_params *params,
                                uint64_t seed)
{
    *growth = (cairn_forest_growth){.forest = forest,
                                    .history = history,
                                    .data = data,
                                    .params = params,
                                    .job = job,
                                    .options = cairn_tree_options(&params->tree, 0),
                                    .seed = seed};
    growth->options.random_cuts = params->cuts == 1;
    CHECK(check_memory(ctx, job->view, (size_t)params->trees));
    CHECK(cairn_binned_make(ctx, data, job->view, job->task == CAIRN_REGRESS ? 0 : job->n_classes));
    size_t n = data->n_rows;
    double share = params->sample_share;
    if (isnan(share)) share = params->sample == CAIRN_FOREST_WITHOUT ? 0.632 : 1;
    double size = ceil(share * (double)n);
    growth->n_sample = size < 1 ? 1 : (size_t)size;
    CHECK(start_forest(ctx, forest, data, params));
    if (growth->options.random_cuts)
        cairn_binned_hold_reals(data, job->view, 4 * forest->drawn >= forest->n_columns);
    return cairn_forest_grow(ctx, growth);
}

/* Out-of-bag error; with steps or a file also what every row's trees say. */
static cairn_status judge(cairn_context *ctx, const cairn_forest_growth *growth)
{
    double *votes = NULL, *asked = NULL;
    size_t n = growth->data->n_rows, stats = growth->data->n_classes;
    const char *path = growth->params->oob_file;
    if (growth->job->steps || path) {
        CHECK(SCRATCH(ctx, &votes, cairn_product(n, stats ? stats : 1)));
        CHECK(SCRATCH(ctx, &asked, n));
    }
    CHECK(cairn_forest_judge(ctx, growth, votes, asked));
    cairn_forest_show_votes(growth->job->steps, growth, votes, asked);
    if (path) CHECK(cairn_forest_write_oob(ctx, growth, votes, asked, path));
    if (growth->params->importance == CAIRN_FOREST_PERMUTATION)
        CHECK(cairn_forest_permute(ctx, growth));
    return CAIRN_OK;
}

/* The forest with its history. What only the history tells is left out where nobody asks for it:
 * the out-of-bag error of a forest that is judged by other rows. */
static cairn_status fit_both(cairn_context *ctx, cairn_forest_model *forest,
                             cairn_forest_history *history, const cairn_job *job)
{
    const cairn_forest_params *p = job->params;
    bool asked = job->history || job->steps || p->oob_file;
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    cairn_forest_growth growth;
    CHECK(check_task(ctx, job));
    CHECK(
        cairn_forest_raise(ctx, &growth, &data, forest, history, job, p, cairn_context_seed(ctx)));
    if (p->oob && growth.bags && asked) CHECK(judge(ctx, &growth));
    if (p->importance == CAIRN_FOREST_NO_IMPORTANCE) {
        cairn_free(history->impurity);
        history->impurity = NULL;
    }
    if (asked || p->proximity_file) CHECK(cairn_forest_relate(ctx, &growth));
    if (p->filled_file) CHECK(cairn_forest_fill(ctx, &growth));
    return CAIRN_OK;
}

static cairn_status forest_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_forest_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    cairn_forest_clear_history(&own);
    return status;
}

/* -- predict -- */

typedef struct prediction_space {
    cairn_forest_rows block;
    uint32_t *rows, *leaves;
    double *sums;    /* block x stats */
    double *squares; /* block: numbers, of what the trees say, from the middle of the targets */
    cairn_forest_space walk;
} prediction_space;

typedef struct prediction_run {
    const cairn_forest_model *forest;
    const cairn_view *view;
    cairn_prediction *out;
    prediction_space *spaces;
    size_t stats;
    double *agreement; /* per row; NULL = not wanted */
} prediction_run;

/* What squares are measured from: numbers far from 0 would leave no digits for their spread. */
static double middle_of(const cairn_forest_model *forest)
{
    return forest->low / 2 + forest->high / 2;
}

/* The answer of row i from the sums of all trees. */
static void answer(const prediction_run *run, size_t i, const double *sums, double squares)
{
    size_t k = run->forest->n_classes, best = 0;
    double n = (double)run->forest->n_trees;
    if (!k) {
        double mean = sums[0] / n;
        run->out->numbers[i] = mean;
        double away = mean - middle_of(run->forest);
        if (run->agreement) run->agreement[i] = sqrt(fmax(0, squares / n - away * away));
        return;
    }
    for (size_t l = 1; l < k; l++)
        if (sums[l] > sums[best]) best = l;
    if (run->out->codes) run->out->codes[i] = (int32_t)best;
    for (size_t l = 0; run->out->scores && l < k; l++) run->out->scores[i * k + l] = sums[l] / n;
    if (run->agreement) run->agreement[i] = sums[best] / n;
}

/* What a tree says about the rows of a block. Its leaves are mostly pure, its votes mostly one. */
static void add_tree(const prediction_run *run, prediction_space *space,
                     const cairn_forest_tree *tree, size_t n)
{
    const cairn_forest_model *forest = run->forest;
    size_t d = forest->n_columns, k = forest->n_classes;
    for (size_t i = 0; i < n; i++) {
        double *sums = space->sums + i * run->stats, before = sums[0];
        size_t value = space->leaves[i] & ~CAIRN_FOREST_LEAF;
        if (value < k) {
            sums[value]++; /* as a vote and as a share of a pure leaf */
            continue;
        }
        cairn_forest_add(sums, forest, tree, space->leaves[i], space->block.sorted + i * d,
                         &space->walk);
        double away = sums[0] - before - middle_of(forest);
        if (!k) space->squares[i] += away * away;
    }
}

/* Rows are sorted by their codes so that neighbours go the same way down the trees; answers are
 * put back in the order of the rows. */
static void predict_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const prediction_run *run = data;
    const cairn_forest_model *forest = run->forest;
    prediction_space *space = &run->spaces[worker];
    size_t n = end - begin, d = forest->n_columns;
    (void)block;
    cairn_forest_code_rows(space->block.codes, forest, run->view, begin, n);
    bool complete = cairn_forest_complete(space->block.codes, n * d);
    cairn_forest_arrange(&space->block, forest, n);
    memset(space->sums, 0, n * run->stats * sizeof *space->sums);
    memset(space->squares, 0, n * sizeof *space->squares);
    for (size_t i = 0; i < n; i++) space->rows[i] = (uint32_t)i;
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        cairn_forest_leaves(space->leaves, forest, tree, space->block.sorted, space->rows, n,
                            complete);
        add_tree(run, space, tree, n);
    }
    for (size_t i = 0; i < n; i++)
        answer(run, begin + space->block.order[i], space->sums + i * run->stats, space->squares[i]);
}

static cairn_status make_spaces(cairn_context *ctx, prediction_run *run, size_t block)
{
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &run->spaces, workers));
    for (size_t w = 0; w < workers; w++) {
        prediction_space *space = &run->spaces[w];
        CHECK(cairn_forest_rows_make(ctx, &space->block, run->forest, block));
        CHECK(SCRATCH_RAW_EACH(ctx, block, &space->rows, &space->leaves));
        CHECK(SCRATCH_RAW(ctx, &space->sums, block * run->stats));
        CHECK(SCRATCH_RAW(ctx, &space->squares, block));
        CHECK(cairn_forest_space_make(ctx, &space->walk, run->forest));
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_ask(cairn_context *ctx, cairn_prediction *out,
                              const cairn_forest_model *forest, const cairn_view *view)
{
    prediction_run run = {.forest = forest,
                          .view = view,
                          .out = out,
                          .stats = forest->n_classes ? forest->n_classes : 1};
    size_t block = cairn_forest_block_rows(forest, out->n_rows, (size_t)cairn_workers(ctx));
    if (view->n_features != forest->n_columns)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the forest was grown on %zu columns, not on %zu",
                          forest->n_columns, view->n_features);
    for (size_t c = 0; c < forest->n_columns; c++)
        if (view->features[c]->kind != (forest->is_number[c] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' is of another kind than in the forest", view->names[c]);
    CHECK(make_spaces(ctx, &run, block));
    if (out->extra) CHECK(SCRATCH_RAW(ctx, &run.agreement, out->n_rows));
    CHECK(cairn_blocks_sized(ctx, out->n_rows, block,
                             100 * (double)out->n_rows * (double)forest->n_trees, predict_block,
                             &run));
    out->codes_set = forest->n_classes > 0;
    if (out->extra) CHECK(cairn_table_put_numbers(ctx, out->extra, "agreement", run.agreement));
    return CAIRN_OK;
}

static cairn_status forest_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    return cairn_forest_ask(ctx, out, model, job->view);
}

/* -- the rest -- */

static cairn_status forest_archive(cairn_archive *archive, void *model)
{
    return cairn_forest_archive(archive, model);
}

static void forest_clear(void *model)
{
    cairn_forest_clear(model);
}

/* Whether every node asks for levels that the column has. */
static bool knows_levels(const cairn_forest_model *forest, size_t column, const cairn_field *field)
{
    if (forest->is_number[column]) return true;
    for (size_t t = 0; t < forest->n_trees; t++)
        for (size_t i = 0; i < forest->trees[t].n_nodes; i++) {
            cairn_forest_node node = cairn_forest_node_at(&forest->trees[t], i);
            if ((node.test & CAIRN_FOREST_COLUMN) != column) continue;
            bool one = node.test & CAIRN_FOREST_LEVEL;
            if (one ? node.rank >= field->names.n : node.right > field->names.n) return false;
        }
    return true;
}

/* Columns that the forest was grown on are the features, number for number and level for level. */
cairn_status cairn_forest_check_fields(cairn_archive *archive, const cairn_forest_model *forest,
                                       const cairn_job *job)
{
    CHECK(cairn_check_columns(archive, job, forest->n_columns));
    for (size_t i = 0, at = 0; i < forest->n_columns; i++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!field || field->kind != (forest->is_number[i] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            CHECK(cairn_archive_damaged(archive, "column %zu of the forest is of another kind",
                                        i + 1));
        if (!knows_levels(forest, i, field))
            CHECK(
                cairn_archive_damaged(archive, "column %zu of the forest has other levels", i + 1));
    }
    return CAIRN_OK;
}

static cairn_status forest_check(cairn_archive *archive, const void *model, const cairn_job *job)
{
    const cairn_forest_model *forest = model;
    if (forest->n_classes != (job->task == CAIRN_CLASSIFY ? job->n_classes : 0))
        return cairn_archive_damaged(archive, "the forest has other classes than the target");
    return cairn_forest_check_fields(archive, forest, job);
}

/* A test is a column and a cut or level, a leaf is its answer. */
cairn_model_size cairn_forest_size(const cairn_forest_model *forest)
{
    double n = 0;
    for (size_t t = 0; t < forest->n_trees; t++)
        n += 2 * (double)forest->trees[t].n_nodes + (double)forest->trees[t].n_leaves;
    return (cairn_model_size){n, true};
}

static cairn_model_size forest_size(const void *model)
{
    return cairn_forest_size(model);
}

static double count_trees(const void *model)
{
    return (double)((const cairn_forest_model *)model)->n_trees;
}

static const cairn_history forest_history = {
    .size = sizeof(cairn_forest_history),
    .archive = cairn_forest_archive_history,
    .clear = cairn_forest_clear_history,
    .since = 10,
};

static const cairn_output forest_outputs[] = {
    {"agreement",
     "classes: share of the trees (or of their leaves) for the answer; numbers: standard deviation "
     "of what the trees say"},
    {NULL, NULL},
};

/* Cells that are filled are looked at as numbers. */
static unsigned forest_accepts(const void *params)
{
    const cairn_forest_params *p = params;
    return CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
           CAIRN_ACCEPTS_WEIGHTS | (p->filled_file ? 0 : CAIRN_ACCEPTS_ITEMS);
}

const cairn_learner cairn_forest = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "forest",
         .also = "random forest, bagged trees, bagging, decision forest, extra trees "
                 "(cuts=random), extremely randomised trees (cuts=random), RandomForestClassifier, "
                 "RandomForestRegressor, RandomForest, ranger, ExtraTreesClassifier (cuts=random), "
                 "ExtraTreesRegressor (cuts=random)",
         .title = "Random forest",
         .summary =
             "Grows many trees, each on rows drawn at random, and looks at every node only at some "
             "columns drawn at random; then the trees vote (classes) or are averaged (numbers). "
             "One tree learns the noise of its rows, but the noise of different trees differs and "
             "cancels out. Good answers without tuning, on numbers and levels as they are, with "
             "missing cells. The rows that a tree has not seen judge it (out-of-bag error), so no "
             "test rows are needed for a first estimate. It cannot say more than the greatest "
             "training value, and it cannot be read like one tree.",
         .references = "Breiman, Random forests, Machine Learning 45 (2001); Ho, The random "
                       "subspace method (1998); Geurts, Ernst, Wehenkel, Extremely randomized "
                       "trees (2006)",
         .example = "cairn fit forest @iris --target species",
         .params = forest_param_table,
         .params_size = sizeof(cairn_forest_params),
         .check = check_params},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "min-leaf=1,3,10\n"
             "max-depth=6,0",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_forest_model),
    .tables = cairn_forest_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = forest_outputs,
    .accepts_with = forest_accepts,
    .fit = forest_fit,
    .lower = cairn_forest_lower,
    .predict = forest_predict,
    .describe = cairn_forest_describe,
    .figures = cairn_forest_figures,
    .explain = cairn_forest_explain,
    .history = &forest_history,
    .archive = forest_archive,
    .check = forest_check,
    .clear = forest_clear,
    .size = forest_size,
    .pieces = count_trees,
    .pieces_name = "trees",
};
