/* SPDX-License-Identifier: MIT */
/* Select: keeps the features with which a learner makes the least error on rows it has not seen.
 *
 *     forward   start with no feature; each round try every feature that is not in yet, add the
 *               one with the least error, stop when the error does not fall
 *     backward  start with all; each round try to leave out every feature that is left, drop the
 *               one without which the error is least, stop when the error does not fall
 *
 * The error is measured on fixed validation rows, on a seeded hold-out part, or by cross-validation
 * inside the training rows. A round over m features trains m models (times the splits), so taking k
 * of n features costs n + (n-1) + ... + (n-k) sets. The first error is infinite when going forward,
 * and that of the full set when going backward, unless told otherwise. At least one feature stays.
 * Ties go to the first column. */
#include "wrappers/subset.h"
#include "model/learner.h"
#include "report/table_rows.h"
#include "transforms/columns.h"
#include <math.h>
#include <string.h>

typedef enum { DIRECTION_FORWARD, DIRECTION_BACKWARD } select_direction;
typedef enum { START_AUTO, START_FULL, START_INF } start_error;

typedef struct select_params {
    const char *learner;
    const cairn_params *tried; /* what `learner` stands for */
    int direction;
    const char *columns, *rows, *by;
    int error, start;
    double threshold;
    int count;
} select_params;

static const cairn_choice directions[] = {
    {"forward", DIRECTION_FORWARD, "add features to none"},
    {"backward", DIRECTION_BACKWARD, "drop features from all"},
    {0},
};
static const cairn_choice starts[] = {
    {"auto", START_AUTO, "inf forward, full backward"},
    {"full", START_FULL, "the error of the set one starts with: all features, or none"},
    {"inf", START_INF, "infinite, so that the first step is always taken"},
    {0},
};

static const cairn_param select_param_table[] = {
    CAIRN_PARAM_OBJECT(
        select_params, learner, tried, CAIRN_ENTRY_LEARNER, NULL,
        "the learner that is tried, such as tree:max-depth=3; linear for numbers and "
        "tree for classes when not given",
        .names = "learner"),
    CAIRN_PARAM_CHOICE(select_params, direction, "forward", directions, "where to start"),
    CAIRN_PARAM_AS(select_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the features to choose among; the others stay. All when not given"),
    CAIRN_PARAM_AS(select_params, by, CAIRN_TYPE_SPEC, "holdout:0.3",
                   "how rows are split into training and validation, such as holdout:0.3 or cv:5",
                   .when = "!rows", .names = "resampling"),
    CAIRN_PARAM(select_params, rows, NULL, NULL,
                "validation rows by number, such as 11-15,20, in place of by"),
    CAIRN_PARAM_CHOICE(select_params, error, "auto", cairn_subset_errors, "what is to be small"),
    CAIRN_PARAM_CHOICE(select_params, start, "auto", starts, "error to begin with"),
    CAIRN_PARAM(select_params, threshold, "0", "[0,inf)",
                "stop when the error falls by less than this", .when = "!count"),
    CAIRN_PARAM(select_params, count, "0", "[0,inf)",
                "go on to this number of features, whatever the error; 0 = the error decides"),
    CAIRN_PARAM_END,
};

/* What each round did. */
typedef struct round_trace {
    int32_t feature;
    double error;
    bool accepted;
} round_trace;

typedef struct select_state {
    cairn_map names; /* features to choose among */
    uint8_t *chosen; /* names.n */
    size_t n_rounds;
    int32_t *features; /* n_rounds: added or dropped */
    double *errors;    /* n_rounds */
    uint8_t *accepted; /* n_rounds */
    double start, error;
    double sets, fits;
    bool backward;
    size_t capacity[3];
} select_state;

static cairn_status keep_round(cairn_context *ctx, select_state *s, round_trace round)
{
    size_t n = s->n_rounds + 1;
    CHECK(GROW(ctx, &s->features, &s->capacity[0], n));
    CHECK(GROW(ctx, &s->errors, &s->capacity[1], n));
    CHECK(GROW(ctx, &s->accepted, &s->capacity[2], n));
    s->features[s->n_rounds] = round.feature;
    s->errors[s->n_rounds] = round.error;
    s->accepted[s->n_rounds] = round.accepted;
    s->n_rounds = n;
    return CAIRN_OK;
}

static size_t count_chosen(const select_state *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->names.n; i++) n += s->chosen[i];
    return n;
}

/* All candidates of a round with their errors, as the choice between nearly equal ones is
 * chance. */
static void show_round(cairn_report *out, const select_state *s, const size_t *candidates,
                       const double *errors, size_t n, size_t best, bool accepted)
{
    size_t round = s->n_rounds + 1;
    if (!out) return;
    cairn_report_step_begin(out, "select, round %zu: %s one of %zu features", round,
                            s->backward ? "leave out" : "add", n);
    cairn_report_table_of(out, s->backward ? "Error without" : "Error with", 0, "lr", "feature",
                          "error");
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_map_key(&s->names, candidates[i]);
        cairn_report_cell(out, name);
        if (i == best) cairn_report_row_mark(out);
        cairn_report_cell_number(out, errors[i], 0, "select.round%zu.candidate.%s", round,
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "error before", s->error, NULL);
    cairn_report_paragraph(out,
                           accepted ? "The error falls to the least of these: '%s' is %s."
                                    : "The error does not fall enough: '%s' is not %s.",
                           cairn_map_key(&s->names, candidates[best]),
                           s->backward ? "left out" : "added");
    cairn_report_step_end(out);
}

/* One round: *more says whether another may follow. */
static cairn_status run_round(cairn_context *ctx, select_state *s, cairn_subset *subset,
                              const select_params *p, cairn_report *steps, bool *more)
{
    size_t n = 0, best = 0, *candidates, n_features = s->names.n;
    uint8_t *sets;
    double *errors;
    CHECK(SCRATCH(ctx, &candidates, n_features));
    for (size_t i = 0; i < n_features; i++)
        if (s->chosen[i] == (s->backward ? 1 : 0)) candidates[n++] = i;
    CHECK(SCRATCH(ctx, &sets, cairn_product(n, n_features)));
    CHECK(SCRATCH(ctx, &errors, n));
    for (size_t i = 0; i < n; i++) {
        memcpy(sets + i * n_features, s->chosen, n_features);
        sets[i * n_features + candidates[i]] ^= 1;
    }
    CHECK(cairn_subset_errors_of(ctx, subset, sets, n, errors));
    s->sets += (double)n;
    for (size_t i = 1; i < n; i++)
        if (errors[i] < errors[best] || (isnan(errors[best]) && !isnan(errors[i]))) best = i;
    /* Whether the step is taken: the error falls (enough), or a number of features is wanted. */
    double error = errors[best];
    bool taken;
    if (p->count > 0)
        taken = true;
    else if (isnan(error))
        taken = false;
    else if (isinf(s->error))
        taken = true;
    else
        taken = error < s->error && s->error - error >= p->threshold;
    if (s->backward && n == 1) taken = false; /* a model needs a feature */
    show_round(steps, s, candidates, errors, n, best, taken);
    CHECK(keep_round(ctx, s, (round_trace){(int32_t)candidates[best], errors[best], taken}));
    *more = taken;
    if (!taken) return CAIRN_OK;
    s->chosen[candidates[best]] ^= 1;
    s->error = errors[best];
    return CAIRN_OK;
}

/* Whether there is another step to try. */
static bool can_go_on(const select_params *p, const select_state *s)
{
    size_t in = count_chosen(s), wanted = (size_t)p->count;
    if (s->backward) return p->count > 0 ? in > wanted : in > 0;
    return in < s->names.n && (p->count == 0 || in < wanted);
}

static bool is_usable(const cairn_column *column)
{
    return column->kind == CAIRN_NUMBER || column->kind == CAIRN_LEVEL || column->kind == CAIRN_BAG;
}

/* Greedy: a round adds or drops one feature and none is reconsidered; it ends when the error no
 * longer falls or a limit is reached. */
static cairn_status select_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const select_params *p = job->params;
    select_state *s = state;
    SCOPED(cairn_subset_clear) cairn_subset subset = {0};
    size_t *features;
    bool more = true;
    /* The features to choose among as columns of the table, in table order. */
    size_t *chosen, n, index;
    uint8_t *marks;
    const cairn_view *view = job->view;
    CHECK(cairn_choose_features(ctx, view, "select", p->columns, is_usable,
                                "a column of numbers, levels or bags", &chosen, &n));
    if (n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "select: there is no feature to choose");
    if (p->count > 0 && (size_t)p->count > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "select: count=%d features are wanted, there are %zu", p->count, n);
    CHECK(SCRATCH(ctx, &marks, view->n_features + 1));
    CHECK(SCRATCH(ctx, &features, n + 1));
    for (size_t i = 0; i < n; i++) marks[chosen[i]] = 1;
    for (size_t f = 0, at = 0, k = 0; f < view->n_features; f++) {
        if (!marks[f]) continue;
        CHECK(cairn_next_column(ctx, view->table, view->names[f], &at));
        (features)[k++] = at;
        CHECK(cairn_map_add(ctx, &s->names, view->names[f], strlen(view->names[f]), &index));
    }
    CHECK(NEW(ctx, &s->chosen, s->names.n));
    s->backward = p->direction == DIRECTION_BACKWARD;
    if (s->backward) memset(s->chosen, 1, s->names.n);
    CHECK(cairn_subset_start(ctx, &subset, job, features, s->names.n, p->tried, p->error, p->by,
                             p->rows));
    bool infinite =
        p->start == START_INF || (p->start == START_AUTO && p->direction == DIRECTION_FORWARD);
    s->start = INFINITY;
    if (!infinite) {
        CHECK(cairn_subset_errors_of(ctx, &subset, s->chosen, 1, &s->start));
        s->sets++;
    }
    s->error = s->start;
    while (more && can_go_on(p, s)) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        CHECK(run_round(ctx, s, &subset, p, job->steps, &more));
        cairn_scratch_release(ctx, mark);
    }
    s->fits = subset.fits;
    return CAIRN_OK;
}

static cairn_status select_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    (void)params;
    const select_state *s = state;
    cairn_table *copy = NULL;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0; i < copy->n_columns; i++) {
        const char *name = copy->slots[i].name;
        int64_t at = cairn_map_find(&s->names, name, strlen(name));
        bool drop = copy->slots[i].role == CAIRN_FEATURE && at >= 0 && !s->chosen[at];
        if (drop) cairn_table_take_out(copy, i);
    }
    cairn_table_close_gaps(copy);
    *out = copy;
    return CAIRN_OK;
}

/* -- showing, keeping -- */

/* Also the last round, which was not accepted, so that it is seen why the search ended. */
static void select_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const select_state *s = state;
    if (!out) return;
    cairn_report_table_of(out, "Rounds", 0, "rlrl", "round",
                          s->backward ? "best to drop" : "best to add", "error", "done");
    for (size_t i = 0; i < s->n_rounds; i++) {
        const char *name = cairn_map_key(&s->names, (size_t)s->features[i]);
        cairn_report_cells(out,
                           "- select.round$1.feature select.round$1.error select.round$1.accepted",
                           i + 1, name, s->errors[i], s->accepted[i] ? "yes" : "no");
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "error at the start", s->start, "select.start");
    cairn_report_value(out, "error at the end", s->error, "select.error");
    cairn_report_value(out, "sets of features tried", s->sets, "select.models");
    cairn_report_value(out, "models trained", s->fits, "select.fits");
    size_t n = 0;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < s->names.n; i++)
        if (s->chosen[i])
            cairn_text_addf(&text, "%s%s", n++ ? "," : "", cairn_map_key(&s->names, i));
    if (cairn_text_status(&text)) cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_value(out, "features kept", (double)n, "select.count");
    cairn_report_word(out, "they are", cairn_text_string(&text), "select.features");
    cairn_text_clear(&text);
}

enum { MOST_ROUNDS = 1 << 24 };

/* Rounds name features by number, which a damaged file may get wrong. */
static const cairn_kept select_keeps[] = {
    KEEP(select_state, names),
    KEEP_ARRAYS(select_state, "names", chosen),
    KEEP_SIZE(select_state, n_rounds, MOST_ROUNDS, .name = "rounds"),
    KEEP_CODES(select_state, features, "n_rounds", 0, "names", "a round names no feature"),
    KEEP_ARRAYS(select_state, "n_rounds", errors, accepted),
    KEEP(select_state, start, error, sets, fits, backward),
    KEEP_END,
};

const cairn_transform cairn_select = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "select",
         .also =
             "feature selection, forward selection (direction=forward), backward elimination "
             "(direction=backward), wrapper, subset selection, stepwise, SequentialFeatureSelector",
         .about = "SelectKBest, RFE, step, stepAIC, VarianceThreshold, InfoGainAttributeEval, "
                  "which columns to keep, feature subset selection",
         .title = "Subset selection of features",
         .summary =
             "Keeps the features with which a learner makes the least error on rows that it "
             "has not seen, adding one feature at a time to none (forward) or dropping one at "
             "a time from all (backward). Any learner and error; validation on given rows, a "
             "hold-out part or by cross-validation. The trace shows every round, its error "
             "and how many sets were tried.",
         .references = "Kohavi and John, Wrappers for feature subset selection, Artificial "
                       "Intelligence 97 (1997)",
         .example = "cairn fit linear @piq --with select:linear,rows=11-15 --steps",
         .params = select_param_table,
         .params_size = sizeof(select_params)},
    .state_size = sizeof(select_state),
    .fit = select_fit,
    .apply = select_apply,
    .lower = cairn_lower_levels,
    .describe = select_describe,
    .keeps = select_keeps,
};
