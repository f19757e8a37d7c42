/* SPDX-License-Identifier: MIT */
/* linear-td: a linear evaluation function of states, learned from episodes.
 *
 * Problem: a row is a step, its features describe the state, its target is the reward that
 * followed. Which weights make w·φ + b the sum of all rewards from here to the end of the episode,
 * each γ times less than the one before it? The value of a state must not need that the state was
 * met before, as that of td does.
 *
 * Method: w ← w + α (target − w·φ) φ, row after row, where the target is the return of the rest of
 * the episode (Monte Carlo, which is least mean squares) or the reward and the value of the
 * successor by the weights of now (temporal differences, solve/tabular.h).
 *
 * Choices: unless it is given, α is 0.1, or less where a row is so long that it would overshoot: at
 * most 1/|φ|² of the longest row. Weights that grow all the same are refused.
 *
 * Sources: Samuel, Some studies in machine learning using the game of checkers (1959); Sutton,
 * Learning to predict by the methods of temporal differences (1988); Mitchell, Machine Learning
 * (1997), 1.2. */
#include "base/memory.h"
#include "learners/linear/weights.h"
#include "learners/sequence/td.h"
#include "solve/value_steps.h"

#include <math.h>
#include <stdio.h>

typedef struct linear_td_params {
    cairn_value_options values;
    int passes;
    const char *step;
} linear_td_params;

static const cairn_choice linear_methods[] = {
    {"td", CAIRN_VALUE_TD, "TD(0): towards the reward and the value of the next row"},
    {"mc", CAIRN_VALUE_MC, "Monte Carlo: towards the return of the rest of the episode"},
    {NULL, 0, NULL},
};

static const cairn_param linear_value_params[] = {
    CAIRN_PARAM_CHOICE(cairn_value_options, method, "td", linear_methods,
                       "what the value of a row moves towards", .often = true),
    CAIRN_PARAM(cairn_value_options, gamma, "0.9", "[0,1]",
                "what a reward one step later is worth of one now", .often = true),
    CAIRN_PARAM(cairn_value_options, alpha, CAIRN_NOT_GIVEN, "(0,inf)",
                "share of the distance to the target by which a value moves; unless given 0.1, or "
                "less where rows are so long that the "
                "weights would grow",
                .often = true, .also = " learning_rate rate lr eta step_size "),
    CAIRN_PARAM(cairn_value_options, show, "40", "[0,100000]",
                "updates that are written out with --steps"),
    CAIRN_PARAM_END,
};

static const cairn_param linear_td_table[] = {
    CAIRN_PARAM_GROUP(linear_td_params, values, linear_value_params),
    CAIRN_PARAM(linear_td_params, passes, "100", "[1,1000000]",
                "how often the episodes are gone through", .often = true),
    CAIRN_PARAM_AS(linear_td_params, step, CAIRN_TYPE_COLUMNS, NULL,
                   "number column in whose order the rows of an episode must stand, which gets no "
                   "weight; 'step' if not given and there"),
    CAIRN_PARAM_END,
};

typedef struct linear_td_history {
    size_t episodes;
    double alpha;
} linear_td_history;

/* What fitting works on; all scratch. */
typedef struct linear_td_run {
    const linear_td_params *p;
    const cairn_job *job;
    cairn_episode_rows rows;
    size_t n_columns;
    double *features; /* rows x (n_columns + 1): the last is 1 */
    const char **names;
    cairn_move *moves; /* in the order of the episodes; a row of the view is a state */
    cairn_tabular t;
    cairn_value_show show;
} linear_td_run;

/* -- rows -- */

/* The step orders the rows and is no feature, so it counts as 0; the constant 1 stands last. */
static cairn_status read_features(cairn_context *ctx, linear_td_run *r)
{
    const cairn_view *view = r->job->view;
    size_t n = view->rows.n, p = view->n_features, width = p + 1;
    double *block;
    r->n_columns = p;
    CHECK(cairn_memory_check(ctx, 8.0 * (double)n * (double)(width + p), "the rows as numbers",
                             "use fewer columns"));
    CHECK(SCRATCH(ctx, &r->features, cairn_product(n, width)));
    CHECK(SCRATCH_RAW(ctx, &block, cairn_product(n, p)));
    cairn_view_block(view, 0, n, block);
    for (size_t i = 0; i < n; i++) {
        double *row = r->features + i * width;
        for (size_t j = 0; j < p; j++) {
            CHECK(cairn_need_finite(ctx, "linear-td", view->names[j], cairn_view_row(view, i),
                                    block[i * p + j]));
            row[j] = (ptrdiff_t)j == r->rows.step ? 0 : block[i * p + j];
        }
        row[p] = 1;
    }
    return CAIRN_OK;
}

/* Rows have no names: they are told by their numbers in the table. */
static cairn_status name_rows(cairn_context *ctx, linear_td_run *r)
{
    const cairn_view *view = r->job->view;
    char(*texts)[32];
    CHECK(SCRATCH(ctx, &r->names, r->n_columns + 1));
    for (size_t j = 0; j < r->n_columns; j++) r->names[j] = view->names[j];
    r->names[r->n_columns] = "constant";
    if (!r->job->steps) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, view->rows.n, &texts, &r->show.states));
    for (size_t i = 0; i < view->rows.n; i++) {
        snprintf(texts[i], sizeof texts[i], "row %zu", cairn_view_row(view, i) + 1);
        r->show.states[i] = texts[i];
    }
    return CAIRN_OK;
}

/* -- learning -- */

/* At most 1/|φ|² of the longest row, with which no step overshoots. */
static cairn_status choose_alpha(cairn_context *ctx, linear_td_run *r)
{
    const cairn_view *view = r->job->view;
    size_t width = r->n_columns + 1;
    double most = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double square = 0;
        for (size_t j = 0; j < width; j++)
            square += r->features[i * width + j] * r->features[i * width + j];
        most = fmax(most, square);
    }
    if (!isfinite(most))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the numbers of a row are so large that their squares have no sum; bring "
                          "the columns to one scale first ({with scale:max-abs})");
    r->t.alpha = isnan(r->p->values.alpha) ? most > 10 ? 1 / most : 0.1 : r->p->values.alpha;
    return CAIRN_OK;
}

static cairn_status start(cairn_context *ctx, linear_td_run *r)
{
    cairn_tabular *t = &r->t;
    cairn_value_options_apply(t, &r->p->values);
    t->n_states = r->job->view->rows.n;
    t->n_actions = 1;
    t->n_features = r->n_columns + 1;
    t->features = r->features;
    CHECK(choose_alpha(ctx, r));
    cairn_value_show_steps(&r->show, t, r->job->steps, &r->p->values);
    if (r->job->steps) cairn_value_show_rule(r->job->steps, t);
    return cairn_tabular_start(ctx, t, 0);
}

static cairn_status learn(cairn_context *ctx, linear_td_run *r)
{
    const cairn_episode_rows *rows = &r->rows;
    for (int pass = 0; pass < r->p->passes; pass++)
        for (size_t e = 0, first = 0; e < rows->n; first = rows->ends[e++]) {
            if (e % 64 == 0)
                CHECK(
                    cairn_tick(ctx, "episodes", pass + (double)e / (double)rows->n, r->p->passes));
            cairn_tabular_episode(&r->t, r->moves + first, rows->ends[e] - first);
            CHECK(cairn_value_check(ctx, &r->t, r->names));
        }
    cairn_value_show_end(&r->show);
    return CAIRN_OK;
}

/* Each row is a state of its own, and the number of a state bounds how many there can be. */
static cairn_status linear_td_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    linear_td_run r = {.p = job->params, .job = job};
    linear_td_history *history = job->history;
    if (job->view->rows.n > INT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "more than %d rows are not taken", INT32_MAX);
    CHECK(cairn_episode_rows_read(ctx, &r.rows, job->view, r.p->step));
    CHECK(read_features(ctx, &r));
    CHECK(name_rows(ctx, &r));
    const cairn_view *view = r.job->view;
    CHECK(SCRATCH(ctx, &r.moves, view->rows.n));
    for (size_t k = 0; k < view->rows.n; k++) {
        size_t i = r.rows.order[k];
        r.moves[k] = (cairn_move){.state = (int32_t)i,
                                  .reward = view->target->numbers[cairn_view_row(view, i)]};
    }
    CHECK(start(ctx, &r));
    CHECK(learn(ctx, &r));
    if (history) *history = (linear_td_history){r.rows.n, r.t.alpha};
    return cairn_weights_keep(ctx, model, r.t.weights, r.n_columns, true);
}

/* -- showing and keeping -- */

static void linear_td_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const linear_td_history *history = job->history;
    cairn_report_heading(out, 2, "Evaluation function");
    cairn_weights_show(out, model, job);
    if (history) {
        cairn_report_value(out, "episodes", (double)history->episodes, "episodes");
        cairn_report_value(out, "learning rate α", history->alpha, "alpha");
    }
    cairn_report_note(out, "A value is the sum of discounted rewards from a row on, not the reward "
                           "of the row: errors against the target say little of it.");
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    linear_td_history *history = data;
    (void)model;
    CHECK(cairn_archive_size(a, "episodes", &history->episodes, SIZE_MAX));
    return cairn_archive_real(a, "alpha", &history->alpha);
}

static const cairn_history linear_td_kept = {.size = sizeof(linear_td_history),
                                             .archive = archive_history};

const cairn_learner cairn_linear_td = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "linear-td",
              .also = "linear evaluation function, TD with linear function approximation, value "
                      "function approximation, checkers, Monte Carlo regression (method=mc)",
              .title = "Linear evaluation function from episodes",
              .summary =
                  "Learns what a state is worth as a weighted sum of its features from a table "
                  "of steps: the target is the reward that followed, --group COLUMN names the "
                  "episode of each row. The weights move row by row towards the reward and the "
                  "value of the next row, or towards the return of the rest of the episode. "
                  "Columns are standardised first unless --scale says otherwise.",
              .references = "Sutton, Learning to predict by the methods of temporal differences, "
                            "Machine Learning 3 (1988); Mitchell, Machine Learning (1997), 1.2",
              .example = "cairn fit linear-td @walks --group episode --features state --scale none "
                         "--gamma 1 --steps",
              .params = linear_td_table,
              .params_size = sizeof(linear_td_params)},
    .tasks = CAIRN_REGRESS,
    .accepts =
        CAIRN_ACCEPTS_NUMBERS | CAIRN_PREFERS_NUMBERS | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &linear_td_kept,
    .fit = linear_td_fit,
    .describe = linear_td_describe,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
};
