/* SPDX-License-Identifier: MIT */
/* td: values of states and actions from a table of episodes.
 *
 * Problem: a row is a step, its features are the state and perhaps the action that was taken in it,
 * its target is the reward that followed. What is it worth to be there: the sum of all rewards from
 * here to the end of the episode, each γ times less than the one before it?
 *
 * Method: the rules of solve/tabular.h over the episodes in their order. A state is a combination
 * of the values of all features but the action; numbers are equal or not, and missing cells are
 * equal. Values are averages of what was met, so a state that training did not have gets the mean
 * of the values over all steps, and the action that was taken most often.
 *
 * Choices: the column with the role of groups says which rows are an episode; they need not stand
 * together. A last row without an action is the final state: its reward is that of getting there.
 *
 * Cost: one look-up of a state for each row, then one update for each row and pass.
 *
 * Sources: Sutton and Barto, Reinforcement Learning, 2nd edition (2018), chapters 5 and 6. */
#include "learners/sequence/td.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/ledger.h"
#include "model/learner.h"
#include "solve/value_steps.h"

#include <math.h>
#include <string.h>

/* The feature of that name, or -1. */
static ptrdiff_t find_feature(const cairn_view *view, const char *name)
{
    for (size_t j = 0; j < view->n_features; j++)
        if (strcmp(view->names[j], name) == 0) return (ptrdiff_t)j;
    return -1;
}

/* The number of a row's episode: those of the same level, or number, are one. */
static cairn_status number_episode(cairn_context *ctx, size_t *out, cairn_map *episodes,
                                   const cairn_table *table, ptrdiff_t group, size_t row)
{
    double cell = 0;
    if (group >= 0) {
        const cairn_column *column = table->slots[group].column;
        bool known = column->kind == CAIRN_LEVEL || column->kind == CAIRN_NUMBER;
        if (!known || cairn_column_is_missing(column, row))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu, column '%s': the episode is missing, or neither a level "
                              "nor a number",
                              row + 1, table->slots[group].name);
        cell = column->kind == CAIRN_LEVEL ? column->codes[row] : column->numbers[row] + 0.0;
    }
    return cairn_map_add(ctx, episodes, (const char *)&cell, sizeof cell, out);
}

/* Episodes come in the order of their first row, and the rows of each in the order of the view. */
static cairn_status order_rows(cairn_context *ctx, cairn_episode_rows *out, const cairn_view *view,
                               ptrdiff_t group)
{
    SCOPED(cairn_map_clear) cairn_map episodes = {0};
    size_t n = view->rows.n, *at, *episode;
    CHECK(SCRATCH_EACH(ctx, n, &episode, &out->order));
    for (size_t i = 0; i < n; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "reading", (double)i, (double)n));
        CHECK(number_episode(ctx, &episode[i], &episodes, view->table, group,
                             cairn_view_row(view, i)));
    }
    out->n = episodes.n;
    CHECK(SCRATCH_EACH(ctx, episodes.n + 1, &out->ends, &at));
    for (size_t i = 0; i < n; i++) at[episode[i] + 1]++;
    for (size_t e = 0; e < episodes.n; e++) out->ends[e] = at[e + 1] += at[e];
    for (size_t i = 0; i < n; i++) out->order[at[episode[i]]++] = i;
    return CAIRN_OK;
}

/* The numbers of the steps of the table's rows; NULL = there are none. */
static cairn_status find_steps(cairn_context *ctx, cairn_episode_rows *out, const double **steps,
                               const cairn_view *view, const char *name)
{
    ptrdiff_t at = cairn_table_find(view->table, name ? name : "step");
    *steps = at >= 0 ? cairn_table_numbers(view->table, (size_t)at) : NULL;
    if (name && !*steps)
        return cairn_fail(ctx, CAIRN_USAGE, "{step}: there is no number column '%s'", name);
    out->step = *steps ? find_feature(view, view->table->slots[at].name) : -1;
    return CAIRN_OK;
}

static cairn_status check_step(cairn_context *ctx, const double *steps, size_t before, size_t row,
                               bool grouped)
{
    char now[CAIRN_NUMBER_SIZE], then[CAIRN_NUMBER_SIZE];
    if (steps[row] >= steps[before]) return CAIRN_OK;
    if (isnan(steps[row]) || isnan(steps[before]))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "row %zu: the step is missing",
                          (isnan(steps[row]) ? row : before) + 1);
    cairn_number_format(now, steps[row], CAIRN_SHORTEST);
    cairn_number_format(then, steps[before], CAIRN_SHORTEST);
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "row %zu: step %s does not come after step %s of its episode; sort the rows by episode and "
        "step first%s",
        row + 1, now, then,
        grouped ? "" : cairn_say(ctx, ", and name the episodes with {group COLUMN}"));
}

cairn_status cairn_episode_rows_read(cairn_context *ctx, cairn_episode_rows *out,
                                     const cairn_view *view, const char *step)
{
    ptrdiff_t group = cairn_table_role_column(view->table, CAIRN_GROUP);
    const double *steps;
    *out = (cairn_episode_rows){.step = -1};
    CHECK(find_steps(ctx, out, &steps, view, step));
    CHECK(order_rows(ctx, out, view, group));
    for (size_t e = 0, at = 0; steps && e < out->n; at = out->ends[e++])
        for (size_t i = at + 1; i < out->ends[e]; i++)
            CHECK(check_step(ctx, steps, cairn_view_row(view, out->order[i - 1]),
                             cairn_view_row(view, out->order[i]), group >= 0));
    return CAIRN_OK;
}

/* Between the values of a state in its key. */
#define NEXT_VALUE '\x1f'

typedef struct td_params {
    cairn_value_options values;
    int passes;
    const char *action, *step;
} td_params;

static const cairn_param td_table[] = {
    CAIRN_PARAM_GROUP(td_params, values, cairn_value_rule_params),
    CAIRN_PARAM_GROUP(td_params, values, cairn_value_rate_params),
    CAIRN_PARAM(td_params, passes, "1", "[1,1000000]", "how often the episodes are gone through"),
    CAIRN_PARAM_AS(td_params, action, CAIRN_TYPE_COLUMNS, NULL,
                   "feature that holds the actions; 'action' if not given and there, else states "
                   "alone have values"),
    CAIRN_PARAM_AS(td_params, step, CAIRN_TYPE_COLUMNS, NULL,
                   "number column in whose order the rows of an episode must stand, which is no "
                   "part of the state; 'step' if not given and there"),
    CAIRN_PARAM_END,
};

typedef struct td_model {
    size_t n_columns;
    int32_t action;    /* the feature that holds it; -1 = none, or it does not count */
    uint8_t *counts;   /* n_columns: whether the feature is part of the state */
    cairn_map states;  /* keys: the values of those features */
    cairn_map actions; /* names; one that is empty where there are none */
    double *values;    /* states x actions */
    double *visits;    /* states x actions */
    double mean;       /* of the values over all steps */
    int32_t usual;     /* the action that was taken most often */
} td_model;

typedef struct td_history {
    size_t episodes, steps;
    double mean_return; /* of the episodes, discounted */
} td_history;

/* What fitting works on; all scratch. */
typedef struct td_run {
    const td_params *p;
    const cairn_job *job;
    td_model *m;
    cairn_episode_rows rows;
    cairn_move *moves;
    size_t n_moves;
    size_t *ends; /* n_episodes: where each ends in moves */
    size_t n_episodes;
    uint8_t *allowed;
    cairn_tabular t;
    cairn_value_show show;
} td_run;

/* -- keys -- */

/* A cell as a word: levels by their names, numbers as they are written. */
static void add_cell(cairn_text *out, const cairn_column *column, size_t row)
{
    if (column->kind == CAIRN_LEVEL)
        cairn_text_add(out, cairn_level_name(column, column->codes[row]));
    else if (isnan(column->numbers[row]))
        cairn_text_add(out, "?");
    else
        cairn_text_add_number(out, column->numbers[row], CAIRN_SHORTEST);
}

/* The state of row i of a view, as its key. */
static void read_state(cairn_text *out, const td_model *m, const cairn_view *view, size_t i)
{
    size_t row = cairn_view_row(view, i);
    bool first = true;
    out->length = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (!m->counts[j]) continue;
        if (!first) cairn_text_add_char(out, NEXT_VALUE);
        add_cell(out, view->features[j], row);
        first = false;
    }
}

static void read_action(cairn_text *out, const td_model *m, const cairn_view *view, size_t i)
{
    out->length = 0;
    if (m->action >= 0) add_cell(out, view->features[m->action], cairn_view_row(view, i));
}

static cairn_status name_actions(cairn_context *ctx, const char ***out, const cairn_map *actions)
{
    CHECK(SCRATCH(ctx, out, actions->n));
    for (size_t a = 0; a < actions->n; a++) (*out)[a] = cairn_map_key(actions, a);
    return CAIRN_OK;
}

static cairn_status name_table(cairn_context *ctx, cairn_value_show *out, const td_model *m)
{
    const char **actions;
    /* Names of states for people: their values with commas between them. Scratch. */
    CHECK(SCRATCH(ctx, &out->states, m->states.n));
    for (size_t s = 0; s < m->states.n; s++) {
        const char *key = cairn_map_key(&m->states, s);
        char *name;
        size_t at = 0;
        CHECK(SCRATCH(ctx, &name, 2 * strlen(key) + 1));
        for (; *key; key++) {
            name[at++] = *key == NEXT_VALUE ? ',' : *key;
            if (*key == NEXT_VALUE) name[at++] = ' ';
        }
        (out->states)[s] = name;
    }
    CHECK(name_actions(ctx, &actions, &m->actions));
    out->actions = actions;
    return CAIRN_OK;
}

/* -- columns -- */

/* The state is what is left of the features without action and step. */
static cairn_status find_columns(cairn_context *ctx, td_run *r)
{
    td_model *m = r->m;
    size_t n = 0;
    m->n_columns = r->job->view->n_features;
    CHECK(NEW(ctx, &m->counts, m->n_columns));
    for (size_t j = 0; j < m->n_columns; j++) m->counts[j] = 1;
    /* The action is a feature; values of states alone do not look at it, but it is no part of
     * the state either. */
    const cairn_view *view = r->job->view;
    ptrdiff_t at = find_feature(view, r->p->action ? r->p->action : "action");
    if (at < 0 && r->p->action)
        return cairn_fail(ctx, CAIRN_USAGE, "{action}: there is no feature '%s'", r->p->action);
    r->m->action = r->p->values.method == CAIRN_VALUE_TD ? -1 : (int32_t)at;
    if (at >= 0) r->m->counts[at] = 0;
    if (r->rows.step >= 0) m->counts[r->rows.step] = 0;
    for (size_t j = 0; j < m->n_columns; j++) n += m->counts[j];
    if (n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no feature is left that could be the state, beside action and step");
}

/* -- episodes -- */

/* One row becomes a move, or, without an action, the end of the move before it. */
static cairn_status add_row(cairn_context *ctx, td_run *r, size_t i, size_t first, bool last)
{
    SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(ctx);
    const cairn_view *view = r->job->view;
    td_model *m = r->m;
    size_t row = cairn_view_row(view, i), state, action;
    double reward = view->target->numbers[row];
    bool final = m->action >= 0 && cairn_column_is_missing(view->features[m->action], row);
    if (final && !last)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "row %zu, column '%s': the action is missing, and only the last row of "
                          "an episode, its final state, may lack one",
                          row + 1, view->names[m->action]);
    if (final && r->n_moves > first) r->moves[r->n_moves - 1].reward += reward;
    if (final) return CAIRN_OK;
    read_state(&key, m, view, i);
    CHECK(cairn_text_status(&key));
    CHECK(cairn_map_add(ctx, &m->states, cairn_text_string(&key), key.length, &state));
    read_action(&key, m, view, i);
    CHECK(cairn_text_status(&key));
    CHECK(cairn_map_add(ctx, &m->actions, cairn_text_string(&key), key.length, &action));
    r->moves[r->n_moves++] = (cairn_move){(int32_t)state, (int32_t)action, reward, 0};
    return CAIRN_OK;
}

/* An episode without any move is left out. */
static cairn_status read_moves(cairn_context *ctx, td_run *r)
{
    const cairn_episode_rows *rows = &r->rows;
    size_t first = 0, at = 0;
    CHECK(SCRATCH(ctx, &r->moves, r->job->view->rows.n));
    CHECK(SCRATCH(ctx, &r->ends, rows->n));
    for (size_t e = 0; e < rows->n; e++) {
        for (; at < rows->ends[e]; at++) {
            CHECK(cairn_tick(ctx, NULL, 0, 0));
            CHECK(add_row(ctx, r, rows->order[at], first, at + 1 == rows->ends[e]));
        }
        if (r->n_moves > first) r->ends[r->n_episodes++] = r->n_moves;
        first = r->n_moves;
    }
    if (r->n_episodes) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no row has an action, so there is nothing to learn from");
}

/* -- learning -- */

/* Without actions SARSA and Q-learning are TD. */
static cairn_status start(cairn_context *ctx, td_run *r)
{
    cairn_tabular *t = &r->t;
    td_model *m = r->m;
    cairn_value_options_apply(t, &r->p->values);
    t->n_states = m->states.n;
    t->n_actions = m->actions.n;
    if (t->n_actions == 1 && t->rule != CAIRN_VALUE_MC) t->rule = CAIRN_VALUE_TD;
    CHECK(cairn_memory_check(ctx, 50.0 * (double)t->n_states * (double)t->n_actions,
                             "the table of values", "use fewer states or actions"));
    CHECK(SCRATCH(ctx, &r->allowed, cairn_product(t->n_states, t->n_actions)));
    for (size_t i = 0; i < r->n_moves; i++)
        r->allowed[(size_t)r->moves[i].state * t->n_actions + (size_t)r->moves[i].action] = 1;
    t->allowed = r->allowed;
    CHECK(name_table(ctx, &r->show, m));
    cairn_value_show_steps(&r->show, t, r->job->steps, &r->p->values);
    if (r->job->steps) cairn_value_show_rule(r->job->steps, t);
    return cairn_tabular_start(ctx, t, 0);
}

/* The table becomes the model's, with what is answered where it knows nothing. */
static cairn_status keep_values(cairn_context *ctx, td_run *r)
{
    td_model *m = r->m;
    const cairn_tabular *t = &r->t;
    size_t n = t->n_states * t->n_actions;
    double *taken, all = 0;
    CHECK(NEW_EACH(ctx, n, &m->values, &m->visits));
    CHECK(SCRATCH(ctx, &taken, t->n_actions));
    memcpy(m->values, t->values, n * sizeof *m->values);
    for (size_t i = 0; i < n; i++) {
        m->visits[i] = t->visits[i] / r->p->passes;
        taken[i % t->n_actions] += t->visits[i];
        all += t->visits[i];
        m->mean += all > 0 ? (t->values[i] - m->mean) * (t->visits[i] / all) : 0;
    }
    for (size_t a = 1; a < t->n_actions; a++)
        if (taken[a] > taken[m->usual]) m->usual = (int32_t)a;
    return CAIRN_OK;
}

static void fill_history(td_history *history, const td_run *r)
{
    double sum = 0;
    if (!history) return;
    for (size_t e = 0, first = 0; e < r->n_episodes; first = r->ends[e++]) {
        double gain = 0;
        for (size_t i = r->ends[e]; i-- > first;) gain = r->moves[i].reward + r->t.gamma * gain;
        sum += gain;
    }
    history->episodes = r->n_episodes;
    history->steps = r->n_moves;
    history->mean_return = sum / (double)r->n_episodes;
}

static cairn_status td_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    td_run r = {.p = job->params, .job = job, .m = model};
    CHECK(cairn_episode_rows_read(ctx, &r.rows, job->view, r.p->step));
    CHECK(find_columns(ctx, &r));
    CHECK(read_moves(ctx, &r));
    CHECK(start(ctx, &r));
    for (int pass = 0; pass < r.p->passes; pass++)
        for (size_t e = 0, first = 0; e < r.n_episodes; first = r.ends[e++]) {
            if (e % 1024 == 0)
                CHECK(cairn_tick(ctx, "episodes", pass + (double)e / (double)r.n_episodes,
                                 r.p->passes));
            cairn_tabular_episode(&r.t, r.moves + first, r.ends[e] - first);
        }
    cairn_value_show_end(&r.show);
    CHECK(keep_values(ctx, &r));
    fill_history(job->history, &r);
    return CAIRN_OK;
}

/* -- answering -- */

/* The table of the model, for the functions that read one: an action is allowed where it was
 * taken. */
static cairn_status as_table(cairn_context *ctx, cairn_tabular *out, const td_model *m)
{
    uint8_t *allowed;
    size_t n = m->states.n * m->actions.n;
    *out = (cairn_tabular){.n_states = m->states.n,
                           .n_actions = m->actions.n,
                           .values = m->values,
                           .visits = m->visits};
    CHECK(SCRATCH(ctx, &allowed, n));
    for (size_t i = 0; i < n; i++) allowed[i] = m->visits[i] > 0;
    out->allowed = allowed;
    return CAIRN_OK;
}

typedef struct td_answer {
    double value, visits;
    int32_t action;
} td_answer;

/* A row whose action was never taken in its state, or that has none, is worth what the best action
 * is worth there. */
static cairn_status answer_row(td_answer *out, const td_model *m, const cairn_tabular *t,
                               const cairn_view *view, size_t i, cairn_text *key)
{
    int64_t state, action;
    read_state(key, m, view, i);
    CHECK(cairn_text_status(key));
    state = cairn_map_find(&m->states, cairn_text_string(key), key->length);
    *out = (td_answer){.value = m->mean, .action = m->usual};
    if (state < 0) return CAIRN_OK;
    read_action(key, m, view, i);
    CHECK(cairn_text_status(key));
    action = cairn_map_find(&m->actions, cairn_text_string(key), key->length);
    size_t best = cairn_tabular_best(t, (size_t)state);
    bool taken = action >= 0 && cairn_tabular_allows(t, (size_t)state, (size_t)action);
    out->action = (int32_t)best;
    out->value = cairn_tabular_value(t, (size_t)state, taken ? (size_t)action : best);
    out->visits = cairn_value_visits(t, (size_t)state);
    return CAIRN_OK;
}

static cairn_status add_extra(cairn_context *ctx, cairn_table *extra, const td_model *m,
                              const int32_t *actions, const double *visits)
{
    const char **names;
    if (m->actions.n > 1) {
        CHECK(name_actions(ctx, &names, &m->actions));
        CHECK(cairn_table_add_levels(ctx, extra, "action", actions, names, m->actions.n));
    }
    return cairn_table_put_numbers(ctx, extra, "visits", visits);
}

/* Beside the value of a row stand the best action of its state and how often the state was
 * visited. */
static cairn_status td_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(ctx);
    const td_model *m = model;
    cairn_tabular t;
    int32_t *actions;
    double *visits;
    CHECK(as_table(ctx, &t, m));
    CHECK(SCRATCH_EACH(ctx, out->n_rows, &actions, &visits));
    for (size_t i = 0; i < out->n_rows; i++) {
        td_answer a;
        CHECK(cairn_tick(ctx, NULL, 0, 0)); /* a row may have very many columns */
        CHECK(answer_row(&a, m, &t, job->view, i, &key));
        if (out->numbers) out->numbers[i] = a.value;
        actions[i] = a.action;
        visits[i] = a.visits;
    }
    return out->extra ? add_extra(ctx, out->extra, m, actions, visits) : CAIRN_OK;
}

/* -- showing -- */

static cairn_status show_table(cairn_context *ctx, cairn_report *out, const td_model *m)
{
    cairn_tabular t;
    cairn_value_show show = {.t = &t};
    CHECK(as_table(ctx, &t, m));
    CHECK(name_table(ctx, &show, m));
    cairn_value_show_states(&show, out);
    cairn_value_show_actions(&show, out);
    return CAIRN_OK;
}

static void td_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const td_model *m = model;
    const td_history *history = job->history;
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    if (history) {
        cairn_report_value(out, "episodes", (double)history->episodes, "episodes");
        cairn_report_value(out, "steps", (double)history->steps, "steps");
        cairn_report_value(out, "mean return", history->mean_return, "mean_return");
    }
    cairn_report_value(out, "states", (double)m->states.n, "states");
    cairn_report_value(out, "value of a state that was never met", m->mean, "unknown.value");
    cairn_report_failed(out, show_table(ctx, out, m));
    cairn_report_note(out, "A value is the sum of discounted rewards from a row on, not the reward "
                           "of the row: errors against the target say little of it.");
}

/* -- the file -- */

static bool is_count(double x)
{
    return x >= 0 && isfinite(x);
}

static cairn_status td_archive(cairn_archive *a, void *model)
{
    td_model *m = model;
    CHECK(cairn_archive_size(a, "columns", &m->n_columns, 1 << 28));
    CHECK(cairn_archive_int(a, "action", &m->action));
    CHECK(cairn_archive_bytes(a, "counts", &m->counts, m->n_columns));
    CHECK(cairn_archive_map(a, "states", &m->states));
    CHECK(cairn_archive_map(a, "actions", &m->actions));
    CHECK(cairn_archive_reals(a, "values", &m->values, cairn_product(m->states.n, m->actions.n)));
    CHECK(cairn_archive_reals(a, "visits", &m->visits, cairn_product(m->states.n, m->actions.n)));
    CHECK(cairn_archive_real(a, "mean", &m->mean));
    CHECK(cairn_archive_int(a, "usual", &m->usual));
    /* Nothing in a file is trusted: what `predict` relies on is looked at. */
    for (size_t i = 0; i < m->states.n * m->actions.n; i++)
        if (!isfinite(m->values[i]) || !is_count(m->visits[i]))
            return cairn_archive_damaged(a, "a value is no number");
    if (!m->states.n || !m->actions.n || !isfinite(m->mean) || m->usual < 0 ||
        (size_t)m->usual >= m->actions.n)
        return cairn_archive_damaged(a, "there is no state, or no usual action");
    if (m->action < -1 || m->action >= (int64_t)m->n_columns ||
        (m->action < 0 && m->actions.n != 1))
        return cairn_archive_damaged(a, "the action is no column");
    return CAIRN_OK;
}

static cairn_status td_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const td_model *m = model;
    size_t at = 0;
    CHECK(cairn_check_columns(a, job, m->n_columns));
    for (size_t j = 0; j < m->n_columns; j++) {
        cairn_kind kind = cairn_schema_next_feature(job->schema, &at)->kind;
        if (kind != CAIRN_LEVEL && kind != CAIRN_NUMBER)
            return cairn_archive_damaged(a, "a feature is neither a level nor a number");
    }
    return CAIRN_OK;
}

static void td_clear(void *model)
{
    td_model *m = model;
    cairn_free(m->counts);
    cairn_map_clear(&m->states);
    cairn_map_clear(&m->actions);
    FREE_EACH(m->values, m->visits);
}

static cairn_status td_history_archive(cairn_archive *a, void *history, const void *model)
{
    td_history *t = history;
    (void)model;
    CHECK(cairn_archive_size(a, "episodes", &t->episodes, SIZE_MAX));
    CHECK(cairn_archive_size(a, "steps", &t->steps, SIZE_MAX));
    return cairn_archive_real(a, "mean_return", &t->mean_return);
}

static cairn_model_size td_size(const void *model)
{
    const td_model *m = model;
    double n = 0;
    for (size_t i = 0; i < m->states.n * m->actions.n; i++) n += m->visits[i] > 0;
    return (cairn_model_size){n, true};
}

static const cairn_history td_kept = {.size = sizeof(td_history), .archive = td_history_archive};

static const cairn_output td_outputs[] = {
    {"action", "the best action of the row's state, where actions have values"},
    {"visits", "how often training was in that state"},
    {NULL, NULL},
};

static void write_values(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const td_model *m = model;
    (void)job;
    cairn_ledger_columns(out, "tlnn", "state", "action", "value", "visits");
    for (size_t s = 0; s < m->states.n; s++)
        for (size_t a = 0; a < m->actions.n; a++) {
            const char *action = cairn_map_key(&m->actions, a);
            cairn_ledger_cells(out, cairn_map_key(&m->states, s), *action ? action : NULL,
                               m->values[s * m->actions.n + a], m->visits[s * m->actions.n + a]);
        }
}

static const cairn_learned td_tables[] = {
    CAIRN_LEARNED("values", "state and action, and what is expected from there", write_values),
    CAIRN_LEARNED_END};

const cairn_learner cairn_td = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "td",
              .also =
                  "temporal differences, reinforcement learning, Q-learning (method=q-learning), "
                  "SARSA (method=sarsa), Monte Carlo returns (method=mc), policy from episodes, "
                  "state values",
              .title = "Values and actions from episodes",
              .summary =
                  "Learns what states, and actions in them, are worth from a table of steps: the "
                  "features are the state and the action taken, the target is the reward that "
                  "followed, and --group COLUMN names the episode of each row. Answers the "
                  "expected sum of discounted rewards from a row on and the best action in its "
                  "state.",
              .references =
                  "Sutton, Barto: Reinforcement Learning, 2nd edition, MIT Press 2018, "
                  "chapters 5 and 6; Watkins, Dayan: Q-learning, Machine Learning 8, 1992",
              .example = "cairn fit td @walks --group episode --method q-learning --steps",
              .params = td_table,
              .params_size = sizeof(td_params)},
    .tasks = CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_PREFERS_NUMBERS,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GROUPING,
    .model_size = sizeof(td_model),
    .tables = td_tables,
    .history = &td_kept,
    .outputs = td_outputs,
    .fit = td_fit,
    .predict = td_predict,
    .describe = td_describe,
    .archive = td_archive,
    .check = td_check,
    .clear = td_clear,
    .size = td_size,
};
