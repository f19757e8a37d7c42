/* SPDX-License-Identifier: MIT */
/* Gradient boosting: trees that are grown one after the other, each on what those before it leave.
 *
 * 1. The sum F of every row begins with the best constant.
 * 2. In every round the derivatives of the loss at F are taken, a tree is grown that lowers the
 *    loss most (boost_grow.c, boost_search.c), and eta times its leaves are added to F; for more
 *    than two classes there is a tree per class.
 * 3. F is the answer: the number, the logarithm of a rate, the log odds, the scores of the classes.
 *
 * Choices: numbers of more than 255 values are put into bins; a missing cell goes where it gains
 * more, or with the larger part when no row of the node has one; levels are divided into two sets.
 * Rows held out, if asked for, judge every round, and the model keeps the rounds up to the best. Of
 * few rows a hundred rounds learn the noise, and too few are there to give some away: parts of them
 * are held out in turn to choose the number of rounds, and then all are learned from.
 *
 * Cost: O(rows x columns) per round and level of the tree, of bags what rows hold. Sources:
 * Friedman, Greedy function approximation (2001) and Stochastic gradient boosting (2002); Chen and
 * Guestrin, XGBoost (2016); Ke and others, LightGBM (2017). */
#include "learners/boost/boost.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "entry/split.h"
#include "stats/class_weights.h"
#include "parallel/parallel.h"
#include "rows/matrix.h"
#include "solve/progress.h"
#include <math.h>
#include <string.h>

static const cairn_choice loss_choices[] = {
    {"auto", CAIRN_BOOST_AUTO, "squared for numbers, logistic for two classes, softmax for more"},
    {"squared", CAIRN_BOOST_SQUARED, "numbers: (y - F)^2"},
    {"absolute", CAIRN_BOOST_ABSOLUTE, "numbers: |y - F|; leaves are medians"},
    {"huber", CAIRN_BOOST_HUBER, "numbers: squared near 0, absolute beyond a quantile of |y - F|"},
    {"quantile", CAIRN_BOOST_QUANTILE, "numbers: answers are quantiles"},
    {"poisson", CAIRN_BOOST_POISSON, "counts: answers are rates, exp F"},
    {"logistic", CAIRN_BOOST_LOGISTIC, "two classes: F is the log odds"},
    {"softmax", CAIRN_BOOST_SOFTMAX, "classes: a tree for each of them in every round"},
    {NULL, 0, NULL},
};
static const cairn_choice order_choices[] = {
    {"second", CAIRN_BOOST_SECOND, "second derivatives decide on splits and leaves"},
    {"first", CAIRN_BOOST_FIRST,
     "trees are fitted to the residuals by squares, then leaves take one step of Newton's method"},
    {NULL, 0, NULL},
};
static const cairn_choice grow_choices[] = {
    {"best", CAIRN_BOOST_BEST, "the leaf that gains most is split next"},
    {"depth", CAIRN_BOOST_DEPTH, "level by level, six of them unless {max-depth} says otherwise"},
    {NULL, 0, NULL},
};

static const cairn_param boost_param_table[] = {
    CAIRN_PARAM(
        cairn_boost_params, rounds, "0", "[0,100000]",
        "number of rounds; 0 = 100, of 100 to 5000 training rows as many of them as are best "
        "for rows held out in turn",
        .often = true),
    CAIRN_PARAM(cairn_boost_params, eta, "0.1", "(0,1]",
                "learning rate: how much of a tree is added", .often = true),
    CAIRN_PARAM_CHOICE(cairn_boost_params, loss, "auto", loss_choices, "what errors cost",
                       .often = true),
    CAIRN_PARAM(cairn_boost_params, level, "0.9", "(0,1)",
                "quantile: the share of the rows below the answer; huber: the share of the "
                "residuals that count squared",
                .when = "loss=quantile|huber"),
    CAIRN_PARAM_CHOICE(cairn_boost_params, order, "second", order_choices,
                       "which derivatives trees are grown by"),
    CAIRN_PARAM_CHOICE(cairn_boost_params, grow, "best", grow_choices, "which leaf is split next"),
    CAIRN_PARAM(cairn_boost_params, max_leaves, "31", "[0,1000000]",
                "most leaves of a tree; 0 = no limit", .when = "grow=best", .often = true),
    CAIRN_PARAM(cairn_boost_params, max_depth, "0", "[0,1000]",
                "most tests from the root to a leaf; 0 = no limit", .often = true),
    CAIRN_PARAM(cairn_boost_params, min_leaf, "5", "[0,inf)", "least weight of the rows of a leaf",
                .often = true),
    CAIRN_PARAM(cairn_boost_params, min_hessian, "0.001", "[0,inf)",
                "least sum of the second derivatives of a leaf", .when = "order=second"),
    CAIRN_PARAM(cairn_boost_params, min_gain, "0", "[0,inf)", "a split must gain more than this"),
    CAIRN_PARAM(cairn_boost_params, l2, "1", "[0,inf)",
                "added to the sum of second derivatives: makes leaves smaller"),
    CAIRN_PARAM(cairn_boost_params, l1, "0", "[0,inf)",
                "taken off the sum of first derivatives: makes small leaves 0"),
    CAIRN_PARAM(cairn_boost_params, bins, "255", "[2,255]",
                "most bins of a number column; with fewer values every value is one"),
    CAIRN_PARAM(cairn_boost_params, level_smoothing, "10", "[0,inf)",
                "levels are sorted by G / (H + this), so that rare ones lie in the middle"),
    CAIRN_PARAM(cairn_boost_params, row_share, "1", "(0,1]",
                "share of the rows that is drawn for every round, without repeats"),
    CAIRN_PARAM(cairn_boost_params, column_share, "1", "(0,1]",
                "share of the columns that is drawn for every tree"),
    CAIRN_PARAM_AS(cairn_boost_params, monotone, CAIRN_TYPE_TEXT, NULL,
                   "number columns with which the answer may only rise (+) or fall (-), such as "
                   "+income,-debt",
                   .when = "order=second"),
    CAIRN_PARAM_AS(cairn_boost_params, interact, CAIRN_TYPE_TEXT, NULL,
                   "sets of columns that may be tested one below the other, such as "
                   "'age,income;age,rooms'; a column of no set stands alone in its trees"),
    CAIRN_PARAM_AS(cairn_boost_params, start, CAIRN_TYPE_LIST, NULL,
                   "what the sums begin with in place of the best constant (the base score): a "
                   "number, a rate for poisson, the probability of the positive class, or of more "
                   "than two classes a probability for each in their order"),
    CAIRN_PARAM(cairn_boost_params, class_weight, NULL, NULL,
                "balanced = every class counts the same, or a factor per class in their order, "
                "such as 1,5"),
    CAIRN_PARAM(cairn_boost_params, hold_out, "0", "[0,1)",
                "share of the rows that judge every round; the rounds up to the best are kept",
                .often = true),
    CAIRN_PARAM(cairn_boost_params, patience, "10", "[1,inf)",
                "stop after so many rounds that were not better for the rows held out",
                .when = "!hold_out=0"),
    CAIRN_PARAM_END,
};

static bool for_classes(int loss)
{
    return loss == CAIRN_BOOST_LOGISTIC || loss == CAIRN_BOOST_SOFTMAX;
}

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const cairn_boost_params *p = values;
    bool by_rows = p->loss == CAIRN_BOOST_ABSOLUTE || p->loss == CAIRN_BOOST_QUANTILE ||
                   p->loss == CAIRN_BOOST_HUBER;
    if (p->monotone && (by_rows || p->loss == CAIRN_BOOST_SOFTMAX))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{monotone} needs a loss whose leaves come from sums of derivatives: "
                          "squared, poisson or logistic, not %s",
                          cairn_boost_loss_name((cairn_boost_loss_kind)p->loss));
    return cairn_class_weights_check(ctx, "{class-weight}", p->class_weight, "balanced");
}

/* -- what the target allows -- */

/* The loss that is asked for, if the target allows it, or the usual one for the target. */
static cairn_status choose_loss(cairn_context *ctx, const cairn_job *job,
                                cairn_boost_loss_kind *out)
{
    const cairn_boost_params *p = job->params;
    bool classes = job->task == CAIRN_CLASSIFY;
    const char *target = job->view->target_name;
    *out = (cairn_boost_loss_kind)p->loss;
    if (*out == CAIRN_BOOST_AUTO)
        *out = !classes              ? CAIRN_BOOST_SQUARED
               : job->n_classes == 2 ? CAIRN_BOOST_LOGISTIC
                                     : CAIRN_BOOST_SOFTMAX;
    if (classes != for_classes((int)*out))
        return cairn_fail(ctx, CAIRN_USAGE, "{loss %s} is for %s, and '%s' %s; leave {loss} out",
                          cairn_boost_loss_name(*out), classes ? "numbers" : "classes", target,
                          classes ? "has classes" : "is a number");
    if (*out == CAIRN_BOOST_LOGISTIC && job->n_classes != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{loss logistic} is for two classes, and '%s' has %zu; use {loss "
                          "softmax}",
                          target, job->n_classes);
    if (p->class_weight && !classes)
        return cairn_fail(ctx, CAIRN_USAGE, "{class-weight} needs classes, and '%s' is a number",
                          target);
    if (p->monotone && *out == CAIRN_BOOST_SOFTMAX)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{monotone} is for numbers and two classes, and '%s' has %zu", target,
                          job->n_classes);
    return CAIRN_OK;
}

/* -- columns -- */

/* The column of a name, n_columns = there is none. */
static size_t find_column(const cairn_boost_work *work, const char *name)
{
    size_t c = 0;
    while (c < work->n_columns && !cairn_same(work->names[c], name)) c++;
    return c;
}

/* "+a,-b" into the columns; an item is called BAG=ITEM. */
static cairn_status read_monotone(cairn_context *ctx, cairn_boost_work *work)
{
    char **names;
    size_t n;
    if (!work->params->monotone) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, work->params->monotone, &names, &n));
    for (size_t i = 0; i < n; i++) {
        int sign = names[i][0] == '+' ? 1 : names[i][0] == '-' ? -1 : 0;
        size_t c = sign ? find_column(work, names[i] + 1) : work->n_columns;
        if (c == work->n_columns)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{monotone %s}: '%s' is no feature with + or - in front of it",
                              work->params->monotone, names[i]);
        if (c < work->n_dense && !work->columns[c].is_number)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{monotone}: '%s' has levels without an order, with which nothing "
                              "can rise or fall; leave it out",
                              work->names[c]);
        work->columns[c].monotone = sign;
    }
    return CAIRN_OK;
}

/* Whether a name of a set means a column: its own, or that of the bag whose item it is. */
static bool is_called(const cairn_boost_work *work, size_t c, const char *name)
{
    size_t length = strlen(name);
    if (cairn_same(work->names[c], name)) return true;
    return c >= work->n_dense && !strncmp(work->names[c], name, length) &&
           work->names[c][length] == '=';
}

/* "a,b;b,c" into the columns, a bit for each set. */
static cairn_status read_interact(cairn_context *ctx, cairn_boost_work *work)
{
    char *copy, *end, **names;
    const char *text = work->params->interact;
    size_t n, length = text ? strlen(text) : 0, set = 0;
    if (!text) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &work->sets, work->n_columns + 1));
    CHECK(SCRATCH(ctx, &copy, length + 1));
    if (length > 1 && text[0] == '(' && text[length - 1] == ')') text++, length -= 2;
    memcpy(copy, text, length);
    for (char *part = copy; *part; part = end, set++) {
        if (set == 64) return cairn_fail(ctx, CAIRN_USAGE, "{interact} has more than 64 sets");
        end = copy + (cairn_split_next(part, ';') - copy);
        if (*end) *end++ = 0;
        CHECK(cairn_list_split(ctx, part, &names, &n));
        for (size_t i = 0; i < n; i++) {
            size_t found = 0;
            for (size_t c = 0; c < work->n_columns; c++) {
                if (!is_called(work, c, names[i])) continue;
                work->sets[c] |= UINT64_C(1) << set;
                found++;
            }
            if (!found)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{interact}: '%s' is no feature; sets are separated by ; and "
                                  "their columns by commas",
                                  names[i]);
        }
    }
    return set ? CAIRN_OK : cairn_fail(ctx, CAIRN_USAGE, "{interact} names no column");
}

/* -- start -- */

/* The binned rows with their weights. */
static cairn_status take_rows(cairn_context *ctx, cairn_boost_work *work)
{
    const cairn_binned *data = work->data;
    work->n = data->n_rows;
    work->n_dense = data->n_columns;
    work->numbers = data->n_classes ? NULL : data->numbers;
    work->classes = data->classes;
    /* Counts are not negative; squares of the target must not overflow. */
    const char *name = work->job->view->target_name;
    char value[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; work->numbers && i < work->n; i++) {
        double y = work->numbers[i];
        if (fabs(y) < 1e100 && !(work->loss == CAIRN_BOOST_POISSON && y < 0)) continue;
        cairn_number_format(value, y, CAIRN_SHORTEST);
        if (work->loss == CAIRN_BOOST_POISSON && y < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %u: '%s' is %s, and {loss poisson} is for counts, which are not "
                              "negative; use {loss squared}",
                              work->data->table_rows[i] + 1, name, value);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %u: '%s' is %s, whose square is too large; divide the target by "
                          "a constant first",
                          work->data->table_rows[i] + 1, name, value);
    }
    CHECK(SCRATCH_RAW(ctx, &work->weights, work->n));
    for (size_t i = 0; i < work->n; i++) work->weights[i] = cairn_binned_weight(data, i);
    if (data->n_classes && work->params->class_weight) {
        double *factors;
        CHECK(cairn_class_weights_of(ctx, &factors, "{class-weight}", work->params->class_weight,
                                     data->classes, work->weights, work->n, data->n_classes));
        for (size_t i = 0; i < work->n; i++) work->weights[i] *= factors[data->classes[i]];
    }
    CHECK(cairn_boost_weigh(ctx, work));
    CHECK(cairn_boost_take_columns(ctx, work));
    if (work->params->monotone || work->params->interact || work->job->steps)
        CHECK(cairn_term_names(ctx, &work->names, work->job->schema));
    CHECK(read_monotone(ctx, work));
    return read_interact(ctx, work);
}

/* Of few rows every part is held out in turn, of others the first is enough to know. */
enum { PARTS = 4, FEW = 1000, DEFAULT_ROUNDS = 100, PART_PATIENCE = 20 };

/* One of four parts that have the same share of every class. */
static cairn_status hold_part(cairn_context *ctx, cairn_boost_work *work)
{
    size_t *order, *met;
    cairn_random random;
    CHECK(SCRATCH(ctx, &work->held, work->n));
    CHECK(SCRATCH_RAW(ctx, &order, work->n));
    CHECK(SCRATCH(ctx, &met, work->data->n_classes + 1));
    for (size_t i = 0; i < work->n; i++) order[i] = i;
    cairn_random_start(&random, work->seed, UINT64_MAX);
    cairn_random_shuffle(&random, order, work->n);
    for (size_t i = 0; i < work->n; i++) {
        size_t class = work->data->n_classes ? (size_t)work->data->classes[order[i]] : 0;
        work->held[order[i]] = met[class]++ % PARTS == (size_t)work->part;
    }
    return CAIRN_OK;
}

/* Rows that judge are drawn once. */
static cairn_status hold_out(cairn_context *ctx, cairn_boost_work *work)
{
    double share = work->params->hold_out;
    size_t held = 0;
    cairn_random random;
    if (work->part >= 0) return hold_part(ctx, work);
    if (!(share > 0)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &work->held, work->n));
    cairn_random_start(&random, work->seed, UINT64_MAX);
    for (size_t i = 0; i < work->n; i++)
        held += work->held[i] = cairn_random_uniform(&random) < share;
    if (held == 0 || held == work->n) {
        char value[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, share, CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{hold-out %s} of %zu rows leaves %s; give more rows or another share",
                          value, work->n, held ? "none to learn from" : "none to judge by");
    }
    work->history->n_held = (double)held;
    return CAIRN_OK;
}

static void clear_work(cairn_boost_work *work)
{
    cairn_boost_clear_items(&work->items);
    cairn_free(work->codes);
    cairn_free(work->scores);
    cairn_free(work->words);
    cairn_free(work->gradients);
    cairn_free(work->rows);
    cairn_free(work->space);
}

/* What is read in the order of the leaves is expected to lie in large pages. */
static cairn_status make_buffer(cairn_context *ctx, cairn_boost_work *work)
{
    CHECK(NEW(ctx, &work->scores, cairn_product(work->n, work->n_outputs)));
    cairn_expect_dense(work->scores);
    if (cairn_boost_uses_words(work)) {
        CHECK(NEW_RAW(ctx, &work->words, work->n));
        cairn_expect_dense(work->words);
    } else {
        CHECK(NEW_RAW(ctx, &work->gradients, work->n));
        cairn_expect_dense(work->gradients);
    }
    if (work->loss == CAIRN_BOOST_SOFTMAX) {
        work->stride = cairn_boost_filled(work->n);
        CHECK(SCRATCH_RAW(ctx, &work->shares, cairn_product(work->stride, work->n_outputs)));
        CHECK(SCRATCH_RAW(ctx, &work->logs, work->stride));
    }
    CHECK(NEW_RAW_EACH(ctx, work->n, &work->rows, &work->space));
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH_EACH(ctx, workers, &work->more, &work->buffers));
    for (size_t w = 0; w < workers; w++) {
        if (w) CHECK(SCRATCH_RAW(ctx, &work->more[w], work->n_bins));
        if (work->words)
            CHECK(SCRATCH_RAW(ctx, &work->buffers[w], work->n_lanes * CAIRN_BOOST_CODES + 1));
    }
    return SCRATCH(ctx, &work->barred, work->n_columns);
}

/* What the user has the sums begin with, from answers to sums. */
static cairn_status take_start(cairn_context *ctx, const cairn_boost_work *work, double *start)
{
    const char *text = work->params->start;
    bool classes = for_classes((int)work->loss), rate = work->loss == CAIRN_BOOST_POISSON;
    double *values, sum = 0;
    size_t n;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{start}"), text, &values, &n));
    if (n != work->n_outputs)
        return cairn_fail(ctx, CAIRN_USAGE, "{start %s} has %zu numbers, and needs %zu%s", text, n,
                          work->n_outputs, work->n_outputs > 1 ? ", one for each class" : "");
    for (size_t k = 0; k < n; k++) {
        double p = values[k];
        sum += p;
        if (!isfinite(p) || (rate && !(p > 0)) || (classes && !(p > 0 && p < 1)))
            return cairn_fail(ctx, CAIRN_USAGE, "{start %s}: %s", text,
                              classes ? "a probability lies between 0 and 1, and is neither"
                              : rate  ? "a rate is above 0"
                                      : "the sums begin with a finite number");
        start[k] = work->loss == CAIRN_BOOST_LOGISTIC ? cairn_log(p) - cairn_log(1 - p)
                   : classes || rate                  ? cairn_log(p)
                                                      : p;
    }
    if (work->loss == CAIRN_BOOST_SOFTMAX && fabs(sum - 1) > 1e-6)
        return cairn_fail(ctx, CAIRN_USAGE, "{start %s}: the probabilities do not add up to 1",
                          text);
    return CAIRN_OK;
}

static cairn_status start_model(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_model *m = work->model;
    const cairn_job *job = work->job;
    m->n_columns = work->n_columns;
    m->n_classes = work->data->n_classes;
    m->n_outputs = work->n_outputs;
    m->loss = (int32_t)work->loss;
    m->positive = work->loss != CAIRN_BOOST_LOGISTIC ? -1 : job->positive >= 0 ? job->positive : 1;
    CHECK(NEW(ctx, &m->is_number, m->n_columns));
    CHECK(NEW(ctx, &m->start, m->n_outputs));
    for (size_t c = 0; c < work->n_dense; c++)
        m->is_number[c] = work->data->columns[c].ordered ? 2 : work->data->columns[c].is_number;
    for (size_t c = work->n_dense; c < m->n_columns; c++) m->is_number[c] = 1;
    return work->params->start ? take_start(ctx, work, m->start)
                               : cairn_boost_begin(ctx, work, m->start);
}

/* A new history, or that of the model that takes more rounds. */
static cairn_status start_history(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_history *history = work->history;
    history->n_rounds = history->kept; /* rounds that were dropped are forgotten */
    if (!work->held) {                 /* and so is what chose the rounds of a fitted model */
        cairn_free(history->held);
        history->held = NULL;
        history->n_held = 0;
        history->held_buffer = 0;
    }
    if (history->gains) return CAIRN_OK;
    history->n_columns = work->n_columns;
    CHECK(NEW(ctx, &history->gains, work->n_columns));
    return NEW(ctx, &history->splits, work->n_columns);
}

/* -- rounds -- */

/* The rows of a round; there is always one. */
static void draw_rows(cairn_boost_work *work)
{
    double share = work->params->row_share;
    cairn_random random;
    uint32_t spare = 0;
    cairn_random_start(&random, work->seed, 2 * work->round);
    work->n_rows = 0;
    for (size_t i = 0; i < work->n; i++) {
        if (work->held && work->held[i]) continue;
        spare = (uint32_t)i;
        if (share >= 1 || cairn_random_uniform(&random) < share)
            work->rows[work->n_rows++] = (uint32_t)i;
    }
    if (work->n_rows == 0) work->rows[work->n_rows++] = spare;
}

/* What derivatives and loss need at the sums so far, and the loss. */
static cairn_status note_loss(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_history *s = work->history;
    size_t at = s->n_rounds;
    CHECK(cairn_boost_prepare(ctx, work));
    CHECK(GROW(ctx, &s->curve, &s->curve_buffer, at + 1));
    CHECK(cairn_boost_mean_loss(ctx, work, false, &s->curve[at]));
    if (!work->held) return CAIRN_OK;
    CHECK(GROW(ctx, &s->held, &s->held_buffer, at + 1));
    return cairn_boost_mean_loss(ctx, work, true, &s->held[at]);
}

/* One tree for each output: those of a round learn from the same rows, each from columns of its
 * own. */
static cairn_status run_round(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_random random;
    cairn_random_start(&random, work->seed, 2 * work->round + 1);
    for (size_t k = 0; k < work->n_outputs; k++) {
        draw_rows(work); /* the rows of the tree before lie leaf by leaf */
        /* The columns of a tree: so many of them, each with the same chance. */
        double share = work->params->column_share;
        size_t left = (size_t)ceil(share * (double)work->n_columns);
        if (!(share >= 1)) {
            for (size_t c = 0; c < work->n_columns; c++) {
                bool taken = cairn_random_below(&random, work->n_columns - c) < left;
                work->barred[c] = !taken;
                left -= taken;
            }
        }
        CHECK(cairn_boost_derive(ctx, work, k));
        CHECK(cairn_boost_grow_tree(ctx, work, k));
    }
    work->history->n_rounds++;
    return note_loss(ctx, work);
}

/* Where the model ends when later trees are dropped. */
typedef struct mark {
    size_t round, n_trees, n_nodes, n_leaves, n_sets;
} mark;

static mark mark_now(const cairn_boost_work *work)
{
    const cairn_boost_model *m = work->model;
    return (mark){work->history->n_rounds, m->n_trees, m->n_nodes, m->n_leaves, m->n_sets};
}

/* All rounds, or as many as help the rows held out. A loss that is no number ends them: the sums
 * have left all bounds. */
static cairn_status run_rounds(cairn_context *ctx, cairn_boost_work *work)
{
    const cairn_boost_history *s = work->history;
    cairn_progress progress = {
        .what = "boosting", .most = work->most, .patience = work->patience, .keep = 1};
    mark best = mark_now(work);
    CHECK(cairn_progress_start(ctx, &progress, s->curve[s->n_rounds]));
    if (work->held) (void)cairn_progress_held(&progress, s->held[s->n_rounds]);
    work->round = work->model->n_trees / work->n_outputs;
    for (; cairn_progress_goes_on(&progress); work->round++) {
        CHECK(run_round(ctx, work));
        double loss = s->curve[s->n_rounds];
        CHECK(cairn_progress_next(ctx, &progress, loss, NAN, 1));
        if (!isfinite(loss)) {
            cairn_warn(ctx,
                       "the loss is no number any more after round %zu; the rounds before it are "
                       "kept. A smaller {eta} or a larger {l2} takes smaller steps",
                       work->round + 1);
            break;
        }
        if (!work->held || cairn_progress_held(&progress, s->held[s->n_rounds]))
            best = mark_now(work);
    }
    cairn_boost_model *m = work->model;
    work->history->kept = best.round;
    m->n_trees = best.n_trees;
    m->n_nodes = best.n_nodes;
    m->n_leaves = best.n_leaves;
    m->n_sets = best.n_sets;
    return CAIRN_OK;
}

static cairn_status check_memory(cairn_context *ctx, const cairn_job *job, size_t outputs)
{
    double n = (double)job->view->rows.n, d = 0, items = 0, entries = 0;
    for (size_t j = 0; j < job->view->n_features; j++) {
        const cairn_column *column = job->view->features[j];
        d += column->kind != CAIRN_BAG;
        if (column->kind != CAIRN_BAG) continue;
        items += (double)column->names.n;
        entries += (double)column->starts[column->n_rows];
    }
    double node = fmin(n + 1, CAIRN_BOOST_CODES) * sizeof(cairn_boost_bin) * d; /* its bins */
    double worker = node + CAIRN_BOOST_CODES * sizeof(int64_t) * d;
    double bytes = n * (2 * d + 110 + 16 * (double)outputs) + 200 * d + 4 * node +
                   fmin(30 * node, CAIRN_BOOST_KEPT_BYTES) + cairn_workers(ctx) * worker +
                   (n * (items > 0 ? 20 : 0) + 240 * items + 100 * entries);
    return cairn_memory_check(ctx, bytes, "boosting trees",
                              cairn_say(ctx, "raise {memory}, or use fewer rows or columns"));
}

/* The rows of the job, coded, and what the rounds work with. The caller clears `data`. */
static cairn_status open_work(cairn_context *ctx, cairn_boost_work *work, cairn_binned *data)
{
    const cairn_job *job = work->job;
    work->n_outputs = work->loss == CAIRN_BOOST_SOFTMAX ? job->n_classes : 1;
    CHECK(check_memory(ctx, job, work->n_outputs));
    CHECK(cairn_binned_make_bins(ctx, data, job->view,
                                 job->task == CAIRN_CLASSIFY ? job->n_classes : 0,
                                 (size_t)work->params->bins));
    CHECK(take_rows(ctx, work));
    CHECK(hold_out(ctx, work));
    return make_buffer(ctx, work);
}

/* The loss that was asked for, or that of a fitted model, which must know the classes. */
static cairn_status find_loss(cairn_context *ctx, cairn_boost_work *work, bool fitted)
{
    const cairn_job *job = work->job;
    if (!fitted) return choose_loss(ctx, job, &work->loss);
    work->loss = (cairn_boost_loss_kind)work->model->loss;
    if (job->task != CAIRN_CLASSIFY || job->n_classes == work->model->n_classes) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the rows have classes of '%s' that the trees do not know; fit on all rows at "
        "once",
        job->view->target_name);
}

/* How many rounds there are, and the part of the rows that judges them. */
typedef struct rounds_course {
    size_t most, patience;
    int part; /* -1 = by the parameters */
} rounds_course;

/* Rounds on these rows: those of a new model, or more for a fitted one, whose start and trees
 * stay. */
static cairn_status boost_rows(cairn_context *ctx, cairn_boost_model *model, const cairn_job *job,
                               cairn_boost_history *history, rounds_course course, bool fitted)
{
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    SCOPED(clear_work)
    cairn_boost_work work = {.params = job->params,
                             .job = job,
                             .data = &data,
                             .model = model,
                             .history = history,
                             .most = course.most,
                             .patience = course.patience,
                             .part = course.part,
                             .seed = cairn_context_seed(ctx)};
    CHECK(find_loss(ctx, &work, fitted));
    CHECK(open_work(ctx, &work, &data));
    if (!fitted) CHECK(start_model(ctx, &work));
    if (!fitted) cairn_boost_show_start(&work);
    /* From the model as it is: the sums of its trees, then more rounds. */
    CHECK(start_history(ctx, &work));
    CHECK(cairn_boost_sums(ctx, work.model, work.job, work.data->table_rows, work.n, work.scores));
    CHECK(note_loss(ctx, &work));
    if (!isfinite(work.history->curve[work.history->n_rounds]))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the trees of the model add up to no numbers; fit a new model");
    CHECK(run_rounds(ctx, &work));
    cairn_boost_show_loss(&work);
    return CAIRN_OK;
}

/* The number of rounds after which rows held out in turn lost least, and their mean losses. */
static cairn_status choose_rounds(cairn_context *ctx, const cairn_job *job, double *losses,
                                  size_t *rounds)
{
    int parts = job->view->rows.n < FEW ? PARTS : 1;
    size_t n = DEFAULT_ROUNDS, best = 0;
    for (int part = 0; part < parts; part++) {
        /* Add the losses of one part after each round to the sums; *n becomes the rounds that
         * all parts so far have come to. */
        SCOPED_SCRATCH(ctx);
        SCOPED(cairn_boost_clear_history) cairn_boost_history history = {0};
        SCOPED(cairn_boost_clear) cairn_boost_model model = {0};
        cairn_job own = *job;
        own.steps = NULL;
        own.history = NULL;
        CHECK(boost_rows(ctx, &model, &own, &history, (rounds_course){n, PART_PATIENCE, part},
                         false));
        if (history.n_rounds < n) n = history.n_rounds;
        for (size_t r = 0; r <= n; r++) losses[r] += history.held[r];
    }
    for (size_t r = 0; r <= n; r++) losses[r] /= parts;
    for (size_t r = 1; r <= n; r++)
        if (losses[r] < losses[best]) best = r;
    *rounds = best ? best : 1;
    return CAIRN_OK;
}

/* What the choice was made by belongs to the history of the rounds that came of it. */
static cairn_status keep_choice(cairn_context *ctx, cairn_boost_history *history,
                                const double *losses, const cairn_job *job)
{
    size_t n = history->n_rounds + 1, rows = job->view->rows.n;
    CHECK(NEW(ctx, &history->held, n));
    history->held_buffer = n;
    memcpy(history->held, losses, n * sizeof *losses);
    history->n_held = -(double)(rows < FEW ? rows : rows / PARTS);
    return CAIRN_OK;
}

static cairn_status boost_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    enum { ENOUGH = 100, MANY = 5000 };
    const cairn_boost_params *p = job->params;
    SCOPED(cairn_boost_clear_history) cairn_boost_history own = {0};
    cairn_boost_history *history = job->history ? job->history : &own;
    rounds_course course = {p->rounds ? (size_t)p->rounds : DEFAULT_ROUNDS, (size_t)p->patience,
                            -1};
    size_t n = job->view->rows.n;
    double losses[DEFAULT_ROUNDS + 1] = {0};
    bool chosen = !p->rounds && !(p->hold_out > 0) && n >= ENOUGH && n <= MANY;
    if (chosen) CHECK(choose_rounds(ctx, job, losses, &course.most));
    CHECK(boost_rows(ctx, model, job, history, course, false));
    return chosen ? keep_choice(ctx, history, losses, job) : CAIRN_OK;
}

static cairn_status boost_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_boost_params *p = job->params;
    SCOPED(cairn_boost_clear_history) cairn_boost_history own = {0};
    rounds_course course = {p->rounds ? (size_t)p->rounds : DEFAULT_ROUNDS, (size_t)p->patience,
                            -1};
    return boost_rows(ctx, model, job, job->history ? job->history : &own, course, true);
}

/* -- the rest -- */

/* A test is a column and a cut, a leaf its value; more rows and rounds make more of them. */
static cairn_model_size boost_size(const void *model)
{
    const cairn_boost_model *m = model;
    return (cairn_model_size){2 * (double)m->n_nodes + (double)m->n_leaves + (double)m->n_sets,
                              true};
}

static double count_trees(const void *model)
{
    return (double)((const cairn_boost_model *)model)->n_trees;
}

static const cairn_history boost_history = {
    .size = sizeof(cairn_boost_history),
    .archive = cairn_boost_archive_history,
    .clear = cairn_boost_clear_history,
};

const cairn_learner cairn_boost = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "boost",
         .also = "base score, interaction constraints, gradient boosting, gradient boosted trees, "
                 "GBM, GBDT, MART, boosted regression "
                 "trees, stochastic gradient boosting (row-share=0.5), GradientBoostingClassifier, "
                 "GradientBoostingRegressor, HistGradientBoostingClassifier, XGBoost, LightGBM, "
                 "CatBoost, XGBClassifier, XGBRegressor, LGBMClassifier",
         .title = "Gradient boosting of trees",
         .summary =
             "Adds up many small trees. It begins with a constant; every round grows a tree on "
             "what "
             "the sum so far leaves (the residuals, or for other losses their derivatives) and "
             "adds "
             "a part of it, the learning rate. Often the most exact answers for tables, on "
             "numbers, levels and bags as they are, with missing cells. Many rounds with a small "
             "learning rate "
             "are "
             "better than few with a large one, but too many learn the noise: hold rows out to "
             "stop "
             "in time.",
         .references = "Friedman, Greedy function approximation: a gradient boosting machine, "
                       "Annals of Statistics 29 (2001); Friedman, Stochastic gradient boosting "
                       "(2002); Chen, Guestrin, XGBoost (2016); Ke and others, LightGBM (2017)",
         .example = "cairn fit boost @iris --target species",
         .params = boost_param_table,
         .params_size = sizeof(cairn_boost_params),
         .check = check_params},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "max-leaves=7,15,31\n"
             "eta=0.05,0.1,0.3",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_boost_model),
    .tables = cairn_boost_tables,
    .gives_scores = true,
    .sets_codes = true,
    .fit = boost_fit,
    .update = boost_update,
    .lower = cairn_boost_lower,
    .predict = cairn_boost_predict,
    .describe = cairn_boost_describe,
    .figures = cairn_boost_figures,
    .history = &boost_history,
    .archive = cairn_boost_archive,
    .check = cairn_boost_check,
    .clear = cairn_boost_clear,
    .size = boost_size,
    .pieces = count_trees,
    .pieces_name = "trees",
};
