/* SPDX-License-Identifier: MIT */
/* cairn compute episodes: values and a policy from a file of episodes.
 *
 * A row is a step: the state, the action that was taken in it, and the reward that followed. Rows
 * of an episode stand together and in order; an episode ends with its last row. A last row without
 * an action is the final state: its value is 0, and its reward is that of getting there.
 *
 * Three kinds of experience: rewards of play, from which values are learned (solve/tabular.h);
 * moves of an expert, of which the most frequent in each state is the policy; ratings of states,
 * whose means are the values, or which a linear function is fitted to row by row. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "solve/value_steps.h"
#include "data/table.h"
#include "typed/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FROM_REWARDS, FROM_MOVES, FROM_RATINGS };

/* Sums of so large rewards, and their squares, stay numbers. */
#define MOST_REWARD 1e100

typedef struct episodes_params {
    cairn_value_options values;
    int experience, passes;
    const char *episode, *step, *state, *action, *reward, *state_features;
} episodes_params;

static const cairn_choice experiences[] = {
    {"rewards", FROM_REWARDS, "play, won or lost: values are learned from what followed"},
    {"moves", FROM_MOVES, "an expert's actions: the most frequent one of each state"},
    {"ratings", FROM_RATINGS, "the reward of a row rates its state"},
    {NULL, 0, NULL},
};

static const cairn_param episodes_table[] = {
    CAIRN_PARAM_CHOICE(episodes_params, experience, "rewards", experiences, "what the rows tell",
                       .often = true),
    CAIRN_PARAM_GROUP(episodes_params, values, cairn_value_rule_params,
                      .when = "experience=rewards"),
    CAIRN_PARAM_GROUP(episodes_params, values, cairn_value_rate_params,
                      .when = "!experience=moves"),
    CAIRN_PARAM(episodes_params, passes, "1", "[1,1000000]", "how often the file is gone through",
                .when = "!experience=moves"),
    CAIRN_PARAM_AS(episodes_params, episode, CAIRN_TYPE_COLUMNS, NULL,
                   "column that numbers or names the episodes; 'episode' if not given and there, "
                   "else all rows are one"),
    CAIRN_PARAM_AS(episodes_params, step, CAIRN_TYPE_COLUMNS, NULL,
                   "column that orders the rows of an episode; 'step' if not given and there, else "
                   "as they stand"),
    CAIRN_PARAM_AS(episodes_params, state, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the states; 'state' if not given"),
    CAIRN_PARAM_AS(episodes_params, action, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the actions; 'action' if not given and there"),
    CAIRN_PARAM_AS(episodes_params, reward, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the rewards, or ratings; 'reward' if not given",
                   .when = "!experience=moves"),
    CAIRN_PARAM_AS(episodes_params, state_features, CAIRN_TYPE_COLUMNS, NULL,
                   "number columns that describe the states: values are a linear function of them "
                   "(td, mc and ratings)",
                   .when = "!experience=moves"),
    CAIRN_PARAM_END,
};

/* A column of names; NULL codes where there is none. */
typedef struct names {
    const int32_t *codes;
    const char **list;
    size_t n;
    const char *column;
} names;

typedef struct diary {
    const episodes_params *p;
    cairn_table *table; /* owned */
    names episode, state, action;
    const double *step, *reward;
    cairn_move *moves; /* the steps that are learned from */
    size_t *ends;      /* n_episodes: where each ends in moves */
    size_t n_rows, n_moves, n_episodes, n_final;
    const char **feature_names;
    size_t n_features;
    double *features;
    uint8_t *allowed;
    cairn_tabular t;
    cairn_value_show show;
} diary;

/* -- reading -- */

/* The column of that name, or the one that usually has it; -1 = there is none. */
static cairn_status find_column(cairn_context *ctx, const diary *l, const char *given,
                                const char *usual, bool needed, ptrdiff_t *out)
{
    size_t at;
    *out = given ? -1 : cairn_table_find(l->table, usual);
    if (*out >= 0 || (!given && !needed)) return CAIRN_OK;
    if (!given)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no column '%s'; say which column it is with {%s COLUMN}", usual,
                          usual);
    CHECK(cairn_table_get(ctx, l->table, given, &at));
    *out = (ptrdiff_t)at;
    return CAIRN_OK;
}

static cairn_status read_names(cairn_context *ctx, diary *l, names *out, const char *given,
                               const char *usual, bool needed)
{
    ptrdiff_t at;
    CHECK(find_column(ctx, l, given, usual, needed, &at));
    if (at < 0) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, l->table, (size_t)at, CAIRN_LEVEL));
    const cairn_column *column = l->table->slots[at].column;
    out->column = l->table->slots[at].name;
    out->codes = column->codes;
    out->n = column->names.n;
    CHECK(SCRATCH(ctx, &out->list, out->n));
    for (size_t i = 0; i < out->n; i++) out->list[i] = cairn_level_name(column, (int32_t)i);
    return CAIRN_OK;
}

static cairn_status read_numbers(cairn_context *ctx, diary *l, const double **out,
                                 const char *given, const char *usual, bool needed)
{
    ptrdiff_t at;
    CHECK(find_column(ctx, l, given, usual, needed, &at));
    if (at < 0) return CAIRN_OK;
    return cairn_number_column(ctx, out, l->table, (size_t)at, usual);
}

/* The features of a row with a constant in front: every row is a state of its own. */
static cairn_status read_features(cairn_context *ctx, diary *l)
{
    char **columns;
    size_t n;
    if (!l->p->state_features) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, l->p->state_features, &columns, &n));
    l->n_features = n + 1;
    CHECK(SCRATCH(ctx, &l->feature_names, n + 1));
    CHECK(SCRATCH(ctx, &l->features, cairn_product(l->n_rows, n + 1)));
    l->feature_names[0] = "constant";
    for (size_t i = 0; i < l->n_rows; i++) l->features[i * (n + 1)] = 1;
    for (size_t j = 0; j < n; j++) {
        const double *numbers;
        size_t at;
        CHECK(cairn_table_get(ctx, l->table, columns[j], &at));
        CHECK(cairn_number_column(ctx, &numbers, l->table, at, "state-features"));
        l->feature_names[j + 1] = columns[j];
        for (size_t i = 0; i < l->n_rows; i++) {
            if (!isfinite(numbers[i]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s, row %zu, column '%s': a feature must be a number; fill or "
                                  "leave out such rows first",
                                  l->table->source ? l->table->source : "the table", i + 1,
                                  columns[j]);
            l->features[i * (n + 1) + j + 1] = numbers[i];
        }
    }
    return CAIRN_OK;
}

/* Rows as states: "row 3". */
static cairn_status name_rows(cairn_context *ctx, diary *l)
{
    char(*texts)[32];
    int32_t *codes;
    CHECK(SCRATCH_EACH(ctx, l->n_rows, &texts, &codes, &l->state.list));
    for (size_t i = 0; i < l->n_rows; i++) {
        snprintf(texts[i], sizeof texts[i], "row %zu", i + 1);
        l->state.list[i] = texts[i];
        codes[i] = (int32_t)i;
    }
    l->state.codes = codes;
    l->state.n = l->n_rows;
    l->state.column = "row";
    return CAIRN_OK;
}

static bool needs_actions(const episodes_params *p)
{
    return p->experience == FROM_MOVES ||
           (p->experience == FROM_REWARDS &&
            (p->values.method == CAIRN_VALUE_SARSA || p->values.method == CAIRN_VALUE_Q));
}

static cairn_status check_settings(cairn_context *ctx, const diary *l)
{
    if (!l->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no rows, so there is no episode");
    if (l->n_rows > INT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "more than %d rows are not taken", INT32_MAX);
    if (l->p->state_features && needs_actions(l->p))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{state-features} makes values of states linear; values of actions are a "
                          "table: use {method td} or {method mc}");
    return CAIRN_OK;
}

/* What is learned decides which columns are needed: values of states can do without actions. */
static cairn_status read_columns(cairn_context *ctx, diary *l)
{
    const episodes_params *p = l->p;
    bool of_states = p->experience == FROM_RATINGS || p->values.method == CAIRN_VALUE_TD;
    CHECK(check_settings(ctx, l));
    CHECK(read_names(ctx, l, &l->episode, p->episode, "episode", false));
    CHECK(read_numbers(ctx, l, &l->step, p->step, "step", false));
    CHECK(read_features(ctx, l));
    if (l->n_features)
        CHECK(name_rows(ctx, l));
    else
        CHECK(read_names(ctx, l, &l->state, p->state, "state", true));
    /* Values of actions need them; who has none can learn values of states. */
    bool plays = l->p->experience == FROM_REWARDS && needs_actions(l->p);
    if (plays && !l->p->action && !(cairn_table_find(l->table, "action") >= 0)) {
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "there is no column 'action'; say which column it is with {action COLUMN}, or "
            "learn values of states with {method td} or {method mc}");
    }
    if (p->action || !of_states)
        CHECK(read_names(ctx, l, &l->action, p->action, "action", needs_actions(p)));
    if (p->experience == FROM_MOVES) return CAIRN_OK;
    return read_numbers(ctx, l, &l->reward, p->reward, "reward", true);
}

/* -- episodes -- */

static cairn_status bad_cell(cairn_context *ctx, size_t row, const char *column, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "row %zu, column '%s': %s is missing", row + 1, column,
                      what);
}

/* Whether the rows of each episode stand together and in order. */
static cairn_status check_order(cairn_context *ctx, const diary *l)
{
    uint8_t *over;
    CHECK(SCRATCH(ctx, &over, l->episode.n));
    for (size_t i = 0; i < l->n_rows; i++) {
        const int32_t *e = l->episode.codes;
        if (e && e[i] < 0) return bad_cell(ctx, i, l->episode.column, "the episode");
        bool first = !i || (e && e[i] != e[i - 1]);
        if (first && e && over[e[i]])
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu: episode '%s' goes on after another one began; sort the "
                              "rows by '%s' first",
                              i + 1, l->episode.list[e[i]], l->episode.column);
        if (e) over[e[i]] = 1;
        if (!l->step) continue;
        if (isnan(l->step[i])) return bad_cell(ctx, i, "step", "the step");
        if (!first && !(l->step[i] > l->step[i - 1])) {
            char step[CAIRN_NUMBER_SIZE], before[CAIRN_NUMBER_SIZE];
            cairn_number_format(step, l->step[i], CAIRN_SHORTEST);
            cairn_number_format(before, l->step[i - 1], CAIRN_SHORTEST);
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "row %zu: step %s does not come after step %s of the row before; sort the "
                "rows by episode and step first",
                i + 1, step, before);
        }
    }
    return CAIRN_OK;
}

static bool ends_at(const diary *l, size_t row)
{
    if (row + 1 == l->n_rows) return true;
    return l->episode.codes && l->episode.codes[row] != l->episode.codes[row + 1];
}

static cairn_status too_large(cairn_context *ctx, size_t row, double reward)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, reward, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "row %zu: the reward %s is too large; divide all of them by a number first",
                      row + 1, number);
}

/* One row: a step, or the final state, whose reward is that of the step before. */
static cairn_status add_row(cairn_context *ctx, diary *l, size_t row, size_t first)
{
    double reward = l->reward ? l->reward[row] : 0;
    bool final = l->action.codes && l->action.codes[row] < 0;
    if (l->state.codes[row] < 0) return bad_cell(ctx, row, l->state.column, "the state");
    if (final && !ends_at(l, row))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu, column '%s': the action is missing, and only the last row of "
                          "an episode, its final state, may lack one",
                          row + 1, l->action.column);
    if (final) {
        l->n_final++;
        if (isnan(reward) || l->n_moves == first) return CAIRN_OK;
        if (fabs(reward) > MOST_REWARD) return too_large(ctx, row, reward);
        l->moves[l->n_moves - 1].reward += reward;
        return CAIRN_OK;
    }
    if (fabs(reward) > MOST_REWARD) return too_large(ctx, row, reward);
    if (isnan(reward))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu: the reward is missing; write 0 for a step that earns "
                          "none",
                          row + 1);
    l->moves[l->n_moves++] =
        (cairn_move){l->state.codes[row], l->action.codes ? l->action.codes[row] : 0, reward, 0};
    return CAIRN_OK;
}

/* Ratings have no episodes: every row is one. */
static cairn_status cut_episodes(cairn_context *ctx, diary *l)
{
    size_t first = 0;
    CHECK(SCRATCH_EACH(ctx, l->n_rows, &l->moves, &l->ends));
    CHECK(check_order(ctx, l));
    for (size_t i = 0; i < l->n_rows; i++) {
        CHECK(add_row(ctx, l, i, first));
        if (l->p->experience != FROM_RATINGS && !ends_at(l, i)) continue;
        if (l->n_moves > first) l->ends[l->n_episodes++] = l->n_moves;
        first = l->n_moves;
    }
    if (l->n_moves) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no row has an action, so there is nothing to learn from");
}

/* -- learning -- */

/* Ratings are returns of one step, without discount. Actions that never occur in a state are not
 * allowed there. */
static cairn_status start(cairn_context *ctx, diary *l, cairn_report *steps)
{
    cairn_tabular *t = &l->t;
    cairn_value_options_apply(t, &l->p->values);
    if (l->p->experience == FROM_RATINGS) {
        t->rule = CAIRN_VALUE_MC;
        t->gamma = 0;
        l->show.rated = true;
    }
    t->n_states = l->state.n;
    t->n_actions = l->action.codes && t->rule != CAIRN_VALUE_TD ? l->action.n : 1;
    t->n_features = l->n_features;
    t->features = l->features;
    CHECK(cairn_memory_check(ctx, 24.0 * (double)t->n_states * (double)t->n_actions,
                             "the table of values", "use fewer states or actions"));
    CHECK(SCRATCH(ctx, &l->allowed, cairn_product(t->n_states, t->n_actions)));
    for (size_t i = 0; i < l->n_moves; i++) {
        if (t->n_actions == 1) l->moves[i].action = 0;
        l->allowed[(size_t)l->moves[i].state * t->n_actions + (size_t)l->moves[i].action] = 1;
    }
    t->allowed = l->allowed;
    l->show.states = l->state.list;
    l->show.actions = l->action.list;
    cairn_value_show_steps(&l->show, t, steps, &l->p->values);
    return cairn_tabular_start(ctx, t, 0);
}

/* -- showing -- */

/* The value of a state is that of its best action. */
static double value_of(const diary *l, size_t s)
{
    return cairn_tabular_value(&l->t, s, cairn_tabular_best(&l->t, s));
}

/* What the episodes came to, discounted; and how far the values are from that. */
static cairn_status show_returns(cairn_context *ctx, cairn_report *out, const diary *l)
{
    double *x, *y, sum = 0;
    cairn_figure *figure;
    CHECK(SCRATCH_EACH(ctx, l->n_episodes, &x, &y));
    cairn_report_table_of(out, "Returns of the episodes", 10, "rrr", "episode", "steps", "return");
    for (size_t e = 0, first = 0; e < l->n_episodes; first = l->ends[e++]) {
        double gain = 0;
        for (size_t i = l->ends[e]; i-- > first;) gain = l->moves[i].reward + l->t.gamma * gain;
        x[e] = (double)(e + 1);
        y[e] = gain;
        sum += gain;
        cairn_report_cells(out, "- - episode$1.return", e + 1, l->ends[e] - first, gain);
    }
    cairn_report_value(out, "mean return", sum / (double)l->n_episodes, "mean_return");
    if (l->n_episodes < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, "returns", "Returns of the episodes"));
    cairn_figure_axes(figure, "episode", "return");
    cairn_figure_line(figure, NULL, x, y, l->n_episodes);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* The expert's actions counted: the most frequent one is the policy, the first of several. */
static cairn_status show_moves(cairn_context *ctx, cairn_report *out, const diary *l)
{
    size_t n = l->action.n;
    double *counts;
    CHECK(SCRATCH(ctx, &counts, cairn_product(l->state.n, n)));
    for (size_t i = 0; i < l->n_moves; i++)
        counts[(size_t)l->moves[i].state * n + (size_t)l->moves[i].action]++;
    cairn_report_table_of(out, "Actions of the expert", 0, "lrlr", "state", "moves",
                          "most frequent", "share");
    for (size_t s = 0; s < l->state.n; s++) {
        double total = 0;
        size_t best = 0;
        for (size_t a = 0; a < n; a++) {
            total += counts[s * n + a];
            if (counts[s * n + a] > counts[s * n + best]) best = a;
        }
        cairn_report_cells(out, "- moves.$1 action.$1 share.$1", l->state.list[s], total,
                           total > 0 ? l->action.list[best] : "",
                           total > 0 ? counts[s * n + best] / total : NAN);
    }
    return CAIRN_OK;
}

/* The same as a table for --out. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const diary *l)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = l->t.n_states;
    int32_t *states, *actions;
    double *values, *visits;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, n, &states, &actions, &values, &visits));
    for (size_t s = 0; s < n; s++) {
        states[s] = (int32_t)s;
        visits[s] = cairn_value_visits(&l->t, s);
        values[s] = visits[s] > 0 ? value_of(l, s) : 0;
        actions[s] = visits[s] > 0 ? (int32_t)cairn_tabular_best(&l->t, s) : -1;
    }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_add_levels(ctx, made, "state", states, l->state.list, n));
    CHECK(cairn_table_put_numbers(ctx, made, "visits", visits));
    CHECK(cairn_table_put_numbers(ctx, made, "value", values));
    if (l->t.n_actions > 1)
        CHECK(cairn_table_add_levels(ctx, made, "action", actions, l->action.list, l->action.n));
    *out = TAKE(made);
    return CAIRN_OK;
}

static void clear_diary(diary *l)
{
    cairn_table_free(l->table);
}

/* Linear weights are checked after every episode, since too large a rate makes them run away. */
static cairn_status values_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job,
                               diary *l)
{
    CHECK(start(ctx, l, job->steps ? out : NULL));
    if (l->show.rated)
        cairn_report_formula(out, "V(s) ← V(s) + α (rating − V(s))");
    else
        cairn_value_show_rule(out, &l->t);
    for (int pass = 0; pass < l->p->passes; pass++)
        for (size_t e = 0, first = 0; e < l->n_episodes; first = l->ends[e++]) {
            if (e % 1024 == 0)
                CHECK(cairn_tick(ctx, "episodes", pass + (double)e / (double)l->n_episodes,
                                 l->p->passes));
            cairn_tabular_episode(&l->t, l->moves + first, l->ends[e] - first);
            CHECK(cairn_value_check(ctx, &l->t, l->feature_names));
        }
    cairn_value_show_end(&l->show);
    if (!l->show.rated) cairn_report_value(out, "episodes", (double)l->n_episodes, "episodes");
    cairn_report_value(out, l->show.rated ? "ratings" : "steps", (double)l->n_moves, "steps");
    cairn_value_show_states(&l->show, out);
    cairn_value_show_actions(&l->show, out);
    cairn_value_show_weights(out, &l->t, l->feature_names);
    CHECK(make_result(ctx, job->result, l));
    return l->p->experience == FROM_RATINGS ? CAIRN_OK : show_returns(ctx, out, l);
}

static cairn_status episodes_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    SCOPED(clear_diary) diary l = {.p = job->params, .n_rows = job->table->n_rows};
    CHECK(cairn_table_share(ctx, &l.table, job->table));
    CHECK(read_columns(ctx, &l));
    cairn_status status = cut_episodes(ctx, &l);
    if (status == CAIRN_BAD_DATA && l.table->source)
        cairn_message_prefix(ctx, "%s", l.table->source);
    CHECK(status);
    cairn_report_heading(out, 1, "What episodes teach");
    if (cairn_table_role_count(l.table, CAIRN_WEIGHT))
        cairn_report_note(out,
                          "Weights of rows do not count: a step is taken once in its episode.");
    if (l.p->experience == FROM_MOVES) return show_moves(ctx, out, &l);
    return values_run(ctx, out, job, &l);
}

const cairn_calculator cairn_compute_episodes = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "episodes",
         .also = "reinforcement learning from a file, batch Q-learning (method=q-learning), "
                 "policy evaluation, temporal differences (method=td), returns, imitation "
                 "(experience=moves)",
         .title = "Values and a policy from a file of episodes",
         .summary =
             "Reads steps of episodes (episode, step, state, action, reward) and learns what "
             "states and actions are worth by Monte Carlo, temporal differences, SARSA or "
             "Q-learning; the best action of each state is the policy. An expert's moves are "
             "counted, and ratings of states averaged. With --state-features the value is a linear "
             "function of columns, learned from the values of successors.",
         .references = "Sutton, Barto: Reinforcement Learning, 2nd edition, MIT Press 2018, "
                       "chapters 5, 6 and 9",
         .example = "cairn compute episodes @walks --method td --gamma 1 --steps",
         .params = episodes_table,
         .params_size = sizeof(episodes_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_WEIGHT,
    .run = episodes_run,
};
