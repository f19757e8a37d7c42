/* SPDX-License-Identifier: MIT */
/* cairn compute world: learning by acting in a small world, beside the exact answer.
 *
 * 1. The world is a table of what may follow each action in each state.
 * 2. Episodes are played from its start; the values change after every step, by Monte Carlo after
 *    every episode (solve/tabular.h).
 * 3. What was learned is compared with value iteration, or, where the policy is not the learned
 *    one, with the exact values of that policy.
 *
 * Among equally good actions one is drawn while acting; the answer names the first. One stream of
 * random numbers for all episodes, as each depends on what was learned before. */
#include "model/calculator.h"
#include "base/memory.h"
#include "base/number.h"
#include "solve/value_steps.h"
#include "solve/tabular.h"
#include "base/random.h"
#include "entry/entry.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum world_kind { CAIRN_WORLD_GRID, CAIRN_WORLD_CHAIN, CAIRN_WORLD_NOUGHTS } world_kind;

/* A group of parameters. */
typedef struct world_options {
    int world, opponent, length;
    const char *map;
    double slip, living, goal, pit;
} world_options;

enum { CAIRN_STATE_SIZE = 32 };

/* All arrays are scratch. An action that a state does not have has no outcomes. */
typedef struct cairn_world {
    size_t n_states, n_actions, start;
    bool turns; /* two sides act in turn: the value of the next state is the other side's */
    const char *const *actions;       /* names */
    char (*states)[CAIRN_STATE_SIZE]; /* names */
    size_t *starts;     /* n_states x n_actions + 1: where the outcomes of each begin */
    double *p, *reward; /* of each outcome */
    int32_t *next;      /* -1 = the end */
    uint8_t *allowed;   /* n_states x n_actions */
    size_t n_features;  /* for a linear function of the state; the first is 1 */
    const char *const *feature_names;
    double *features;     /* n_states x n_features */
    size_t rows, columns; /* of a grid; 0 = no grid */
    const char *cells;    /* rows x columns: its letters, without ends of rows */
    int32_t *state_at;    /* rows x columns; -1 = none */
} cairn_world;

enum {
    MOST_CELLS = 2500,
    LEAST_SWEEPS = 1000,
    MOST_SWEEPS = 200000,
    BOARDS = 19683, /* 3^9 */
    SQUARES = 9,
    GRID_OUTCOMES = 3,
    RANDOM,
    FIXED,
    SELF
};

static const cairn_choice kinds[] = {
    {"grid", CAIRN_WORLD_GRID, "cells to walk on, as --map draws them"},
    {"chain", CAIRN_WORLD_CHAIN, "states in a row; the right end pays --goal, the left end 0"},
    {"noughts", CAIRN_WORLD_NOUGHTS,
     "noughts and crosses, the learner has the crosses and begins: 1 won, 0 drawn, -1 lost"},
    {NULL, 0, NULL},
};

static const cairn_choice opponents[] = {
    {"random", RANDOM, "any free square, all equally probable"},
    {"fixed", FIXED, "the first free square from the top left"},
    {"self", SELF,
     "what is learned plays both sides; a board shows the marks of the side to move as x"},
    {NULL, 0, NULL},
};

static const cairn_param cairn_world_params[] = {
    CAIRN_PARAM_CHOICE(world_options, world, "grid", kinds, "where the learner acts",
                       .often = true),
    CAIRN_PARAM(world_options, map, "...G;.#.P;S...", NULL,
                "rows of the grid from the top, separated by ';': S start, G goal, P pit, # wall, "
                ". free",
                .when = "world=grid", .often = true),
    CAIRN_PARAM(world_options, slip, "0", "[0,1]",
                "probability that a step goes to one of the two sides instead",
                .when = "world=grid"),
    CAIRN_PARAM(world_options, length, "5", "[2,100]", "states of the chain",
                .when = "world=chain"),
    CAIRN_PARAM(world_options, living, "0", "[-1e9,1e9]", "reward of every step",
                .when = "world=grid|chain"),
    CAIRN_PARAM(world_options, goal, "1", "[-1e9,1e9]", "reward for reaching the goal",
                .when = "world=grid|chain"),
    CAIRN_PARAM(world_options, pit, "-1", "[-1e9,1e9]", "reward for ending in a pit",
                .when = "world=grid"),
    CAIRN_PARAM_CHOICE(world_options, opponent, "random", opponents, "who plays the noughts",
                       .when = "world=noughts"),
    CAIRN_PARAM_END,
};

/* Room for all that a world of so many states has. */
static cairn_status reserve(cairn_context *ctx, cairn_world *w, size_t most_outcomes)
{
    size_t cells = w->n_states * w->n_actions;
    CHECK(SCRATCH(ctx, &w->states, w->n_states));
    CHECK(SCRATCH(ctx, &w->starts, cells + 1));
    CHECK(SCRATCH_EACH(ctx, cells * most_outcomes, &w->p, &w->reward, &w->next));
    CHECK(SCRATCH(ctx, &w->allowed, cells));
    return SCRATCH(ctx, &w->features, w->n_states * w->n_features);
}

/* Actions are filled in order of states and actions; outcomes with the same end are one. */
static void begin_action(cairn_world *w, size_t cell)
{
    w->starts[cell + 1] = w->starts[cell];
}

static void add_outcome(cairn_world *w, size_t cell, double p, int32_t next, double reward)
{
    if (!(p > 0)) return;
    for (size_t i = w->starts[cell]; i < w->starts[cell + 1]; i++)
        if (w->next[i] == next && w->reward[i] == reward) {
            w->p[i] += p;
            return;
        }
    size_t at = w->starts[cell + 1]++;
    w->p[at] = p;
    w->next[at] = next;
    w->reward[at] = reward;
    w->allowed[cell] = 1;
}

/* -- the grid -- */

static const char *const grid_actions[] = {"up", "right", "down", "left"};
static const char *const grid_features[] = {"constant", "row", "column"};

/* The letters without the ends of rows; rows are equally long. */
static cairn_status read_map(cairn_context *ctx, cairn_world *w, const char *map)
{
    char *cells;
    size_t n = 0, column = 0;
    CHECK(SCRATCH(ctx, &cells, strlen(map) + 1));
    for (const char *c = map;; c++) {
        if (*c == ';' || (!*c && column)) {
            if (!w->rows) w->columns = column;
            w->rows++;
            if (!column)
                return cairn_fail(ctx, CAIRN_USAGE, "{map}: row %zu has no cells", w->rows);
            if (column != w->columns)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{map}: row %zu has %zu cells and the first row %zu; rows are "
                                  "equally long",
                                  w->rows, column, w->columns);
            column = 0;
        }
        if (!*c) break;
        if (*c == ';') continue;
        column++;
        if (!strchr("SGP#.", *c)) {
            char letter = *c;
            size_t row = w->rows + 1;
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{map}: '%c' in row %zu, column %zu is none of S (start), G (goal), P (pit), "
                "# (wall) and . (free)",
                letter, row, column);
        }
        cells[n++] = *c;
    }
    w->cells = cells;
    if (n <= MOST_CELLS) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{map} has %zu cells, and at most %d are taken", n,
                      MOST_CELLS);
}

/* States are the cells that can be stood on, row by row. */
static cairn_status number_cells(cairn_context *ctx, cairn_world *w)
{
    size_t n = w->rows * w->columns, starts = 0, goals = 0;
    CHECK(SCRATCH(ctx, &w->state_at, n));
    for (size_t i = 0; i < n; i++) {
        bool free = w->cells[i] == '.' || w->cells[i] == 'S';
        if (w->cells[i] == 'S') w->start = w->n_states, starts++;
        goals += w->cells[i] == 'G' || w->cells[i] == 'P';
        w->state_at[i] = free ? (int32_t)w->n_states++ : -1;
    }
    if (starts != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{map} has %zu cells S, where an episode starts; one is needed", starts);
    if (!goals)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{map} has neither a goal (G) nor a pit (P), so no episode would end");
    return CAIRN_OK;
}

/* One step into a direction; a wall or the border leaves the learner where it is. */
static void add_step(cairn_world *w, const world_options *o, size_t cell, size_t at,
                     size_t direction, double p)
{
    static const int down[] = {-1, 0, 1, 0}, right[] = {0, 1, 0, -1};
    size_t row = at / w->columns, column = at % w->columns, to = at;
    size_t new_row = row + (size_t)down[direction], new_column = column + (size_t)right[direction];
    if (new_row < w->rows && new_column < w->columns) to = new_row * w->columns + new_column;
    if (w->cells[to] == '#') to = at;
    double end = w->cells[to] == 'G' ? o->goal : w->cells[to] == 'P' ? o->pit : 0;
    add_outcome(w, cell, p, w->state_at[to], o->living + end);
}

/* A slip goes to either side of the direction that was meant, half the chance each, never back. */
static cairn_status make_grid(cairn_context *ctx, cairn_world *w, const world_options *o)
{
    CHECK(read_map(ctx, w, o->map));
    CHECK(number_cells(ctx, w));
    w->n_actions = 4;
    w->actions = grid_actions;
    w->n_features = 3;
    w->feature_names = grid_features;
    CHECK(reserve(ctx, w, GRID_OUTCOMES));
    for (size_t at = 0; at < w->rows * w->columns; at++) {
        if (w->state_at[at] < 0) continue;
        size_t s = (size_t)w->state_at[at];
        double *f = w->features + s * 3;
        int row = (int)(at / w->columns) + 1, column = (int)(at % w->columns) + 1;
        f[0] = 1;
        f[1] = row;
        f[2] = column;
        snprintf(w->states[s], sizeof w->states[s], "r%dc%d", row, column);
        for (size_t a = 0; a < 4; a++) {
            size_t cell = s * 4 + a;
            begin_action(w, cell);
            add_step(w, o, cell, at, a, 1 - o->slip);
            add_step(w, o, cell, at, (a + 3) % 4, o->slip / 2);
            add_step(w, o, cell, at, (a + 1) % 4, o->slip / 2);
        }
    }
    return CAIRN_OK;
}

/* -- the chain -- */

/* Both ends leave the chain, and only the right one earns the goal; the start is in the middle, of
 * two the left one. */
static cairn_status make_chain(cairn_context *ctx, cairn_world *w, const world_options *o)
{
    static const char *const actions[] = {"left", "right"};
    static const char *const features[] = {"constant", "position"};
    size_t n = (size_t)o->length;
    w->n_states = n;
    w->n_actions = w->n_features = 2;
    w->actions = actions;
    w->feature_names = features;
    w->start = (n - 1) / 2;
    CHECK(reserve(ctx, w, 1));
    for (size_t s = 0; s < n; s++) {
        snprintf(w->states[s], sizeof w->states[s], "%d", (int)s + 1);
        w->features[s * 2] = 1;
        w->features[s * 2 + 1] = (double)(s + 1);
        begin_action(w, s * 2);
        add_outcome(w, s * 2, 1, (int32_t)s - 1, o->living);
        begin_action(w, s * 2 + 1);
        add_outcome(w, s * 2 + 1, 1, s + 1 < n ? (int32_t)s + 1 : -1,
                    o->living + (s + 1 < n ? 0 : o->goal));
    }
    return CAIRN_OK;
}

/* -- noughts and crosses -- */

static const char *const square_names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
static const char *const board_features[] = {"constant", "my twos",  "its twos",
                                             "my ones",  "its ones", "centre"};
static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

typedef struct game {
    cairn_world *w;
    int32_t *state_of; /* BOARDS: -1 = not met */
    int *boards;       /* of each state */
    size_t n;
} game;

/* Squares hold 0 nothing, 1 a cross, 2 a nought. */
static void unpack(int code, int squares[SQUARES])
{
    for (int i = 0; i < SQUARES; i++, code /= 3) squares[i] = code % 3;
}

static int pack(const int squares[SQUARES])
{
    int code = 0;
    for (int i = SQUARES; i-- > 0;) code = 3 * code + squares[i];
    return code;
}

static bool has_won(const int squares[SQUARES], int who)
{
    for (size_t i = 0; i < 8; i++)
        if (squares[lines[i][0]] == who && squares[lines[i][1]] == who &&
            squares[lines[i][2]] == who)
            return true;
    return false;
}

static size_t count_free(const int squares[SQUARES])
{
    size_t n = 0;
    for (size_t i = 0; i < SQUARES; i++) n += !squares[i];
    return n;
}

static int32_t state_of_board(game *g, const int squares[SQUARES])
{
    int code = pack(squares);
    if (g->state_of[code] < 0) {
        g->boards[g->n] = code;
        g->state_of[code] = (int32_t)g->n++;
    }
    return g->state_of[code];
}

/* The board as the other side sees it, which moves next. */
static int32_t other_side(game *g, const int squares[SQUARES])
{
    int swapped[SQUARES];
    for (size_t i = 0; i < SQUARES; i++) swapped[i] = squares[i] ? 3 - squares[i] : 0;
    return state_of_board(g, swapped);
}

/* The cross is set: what the opponent may make of it. Called without a world it only numbers the
 * boards that can follow. */
static void answer(game *g, int squares[SQUARES], int opponent, size_t cell, bool fill)
{
    size_t free = count_free(squares);
    bool won = has_won(squares, 1);
    if (won || !free) {
        if (fill) add_outcome(g->w, cell, 1, -1, won);
        return;
    }
    if (opponent == SELF) {
        int32_t next = other_side(g, squares);
        if (fill) add_outcome(g->w, cell, 1, next, 0);
        return;
    }
    for (size_t i = 0; i < SQUARES; i++) {
        if (squares[i]) continue;
        squares[i] = 2;
        bool lost = has_won(squares, 2);
        int32_t next = lost ? -1 : state_of_board(g, squares);
        if (fill)
            add_outcome(g->w, cell, opponent == RANDOM ? 1 / (double)free : 1, next, lost ? -1 : 0);
        squares[i] = 0;
        if (opponent == FIXED) return;
    }
}

/* All answers to all moves of a state, in order of the squares. */
static void put_mark(game *g, size_t state, int opponent, bool fill)
{
    int squares[SQUARES];
    unpack(g->boards[state], squares);
    for (size_t a = 0; a < SQUARES; a++) {
        size_t cell = state * SQUARES + a;
        if (fill) begin_action(g->w, cell);
        if (squares[a]) continue;
        squares[a] = 1;
        answer(g, squares, opponent, cell, fill);
        squares[a] = 0;
    }
}

/* Lines that only one side has begun, with two marks or one, and who has the centre. */
static void count_lines(const int squares[SQUARES], double *out)
{
    out[0] = 1;
    for (size_t i = 0; i < 8; i++) {
        int mine = 0, its = 0;
        for (size_t k = 0; k < 3; k++) {
            mine += squares[lines[i][k]] == 1;
            its += squares[lines[i][k]] == 2;
        }
        if (!its && mine) out[mine == 2 ? 1 : 3]++;
        if (!mine && its) out[its == 2 ? 2 : 4]++;
    }
    out[5] = squares[4] == 1 ? 1 : squares[4] == 2 ? -1 : 0;
}

/* Boards are numbered from the empty one, each when a game can first come to it. */
static cairn_status make_noughts(cairn_context *ctx, cairn_world *w, const world_options *o)
{
    game g = {.w = w};
    int squares[SQUARES] = {0};
    CHECK(SCRATCH_EACH(ctx, BOARDS, &g.state_of, &g.boards));
    for (size_t i = 0; i < BOARDS; i++) g.state_of[i] = -1;
    state_of_board(&g, squares);
    for (size_t s = 0; s < g.n; s++) put_mark(&g, s, o->opponent, false);
    w->n_states = g.n;
    w->n_actions = SQUARES;
    w->turns = o->opponent == SELF;
    w->actions = square_names;
    w->n_features = sizeof board_features / sizeof *board_features;
    w->feature_names = board_features;
    CHECK(reserve(ctx, w, SQUARES));
    for (size_t s = 0; s < g.n; s++) {
        unpack(g.boards[s], squares);
        for (size_t i = 0, at = 0; i < SQUARES; i++) {
            if (i && i % 3 == 0) w->states[s][at++] = '/';
            w->states[s][at++] = "-xo"[squares[i]];
        }
        count_lines(squares, w->features + s * w->n_features);
        put_mark(&g, s, o->opponent, true);
    }
    return CAIRN_OK;
}

/* -- acting and planning -- */

/* What follows an action: the state (-1 = the end) and the reward. */
static int32_t world_act(const cairn_world *w, size_t state, size_t action, cairn_random *random,
                         double *reward)
{
    size_t cell = state * w->n_actions + action, i = w->starts[cell];
    double u = cairn_random_uniform(random);
    while (i + 1 < w->starts[cell + 1] && u >= w->p[i]) u -= w->p[i++];
    *reward = w->reward[i];
    return w->next[i];
}

/* The mean of reward and discounted value of what follows an action. */
static double world_action_value(const cairn_world *w, size_t state, size_t action, double gamma,
                                 const double *values)
{
    size_t cell = state * w->n_actions + action;
    double sum = 0;
    for (size_t i = w->starts[cell]; i < w->starts[cell + 1]; i++) {
        double next = w->next[i] < 0 ? 0 : values[w->next[i]];
        sum += w->p[i] * (w->reward[i] + gamma * (w->turns ? -next : next));
    }
    return sum;
}

/* The value of a state from those of its neighbours: of the best action, or the policy's mean. */
static double backed_up(const cairn_world *w, size_t s, double gamma, const double *policy,
                        const double *values)
{
    double best = -INFINITY, mean = 0;
    for (size_t a = 0; a < w->n_actions; a++) {
        size_t cell = s * w->n_actions + a;
        if (!w->allowed[cell] || (policy && !(policy[cell] > 0))) continue;
        double value = world_action_value(w, s, a, gamma, values);
        if (value > best) best = value;
        if (policy) mean += policy[cell] * value;
    }
    return policy ? mean : best;
}

/* Exact values by sweeps over the states until nothing changes: of the best actions (value
 * iteration) where `policy` is NULL, else of a policy, n_states x n_actions probabilities.
 * Returns false in `settled` where they do not settle, as the sum of rewards has no bound. */
static cairn_status world_values(cairn_context *ctx, const cairn_world *w, double gamma,
                                 const double *policy, double *values, bool *settled)
{
    /* Large worlds get fewer sweeps, so that the work is bounded. */
    double wanted = 4e9 / (double)w->starts[w->n_states * w->n_actions];
    size_t most = wanted < LEAST_SWEEPS  ? LEAST_SWEEPS
                  : wanted > MOST_SWEEPS ? MOST_SWEEPS
                                         : (size_t)wanted;
    *settled = false;
    memset(values, 0, w->n_states * sizeof *values);
    for (size_t sweep = 0; sweep < most && !*settled; sweep++) {
        double change = 0, size = 1;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t s = 0; s < w->n_states; s++) {
            double value = backed_up(w, s, gamma, policy, values);
            change = fmax(change, fabs(value - values[s]));
            size = fmax(size, fabs(value));
            values[s] = value;
        }
        *settled = change <= 1e-14 * size;
    }
    return CAIRN_OK;
}

enum { POLICY_LEARNED, POLICY_RANDOM, POLICY_OPTIMAL };
enum { RESULT_VALUES, RESULT_EPISODES, RESULT_CURVE };
enum { MOST_BLOCKS = 50, MOST_NAMED = 6, MOST_STEPS_KEPT = 50000000 };

typedef struct world_params {
    world_options world;
    cairn_value_options values;
    int64_t episodes;
    int policy, most_steps, result;
    double epsilon, initial;
    bool linear;
} world_params;

static const cairn_choice policies[] = {
    {"learned", POLICY_LEARNED, "the action of the largest value so far; td looks one step ahead"},
    {"random", POLICY_RANDOM, "all actions equally probable"},
    {"optimal", POLICY_OPTIMAL, "the best action, as value iteration finds it"},
    {NULL, 0, NULL},
};

static const cairn_choice results[] = {
    {"values", RESULT_VALUES, "a row for each state: visits, value, exact value, action"},
    {"episodes", RESULT_EPISODES, "a row for each step, which 'compute episodes' reads"},
    {"curve", RESULT_CURVE, "a row for each episode: steps and return"},
    {NULL, 0, NULL},
};

static const cairn_param world_table[] = {
    CAIRN_PARAM_GROUP(world_params, world, cairn_world_params),
    CAIRN_PARAM_GROUP(world_params, values, cairn_value_rule_params),
    CAIRN_PARAM_GROUP(world_params, values, cairn_value_rate_params),
    CAIRN_PARAM(world_params, episodes, "500", "[1,10000000]", "how many are played",
                .often = true),
    CAIRN_PARAM_CHOICE(world_params, policy, "learned", policies, "who acts while it learns",
                       .often = true),
    CAIRN_PARAM(world_params, epsilon, "0.1", "[0,1]",
                "share of actions that are drawn at random, to explore",
                .when = "policy=learned|optimal", .often = true),
    CAIRN_PARAM(world_params, initial, "0", "[-1e9,1e9]",
                "value of everything before it is visited; a large one makes it explore",
                .when = "!linear"),
    CAIRN_PARAM(world_params, linear, "no", NULL,
                "values are a linear function of features of the state, as an evaluation function "
                "of a game is, not a table",
                .when = "method=td"),
    CAIRN_PARAM(world_params, most_steps, "1000", "[1,1000000]",
                "an episode that has not ended is broken off after so many"),
    CAIRN_PARAM_CHOICE(world_params, result, "values", results, "what --out FILE.csv gets"),
    CAIRN_PARAM_END,
};

/* What one episode came to. */
typedef struct played {
    size_t steps;
    double total; /* discounted return from the start */
    bool cut;     /* broken off */
} played;

typedef struct run {
    const world_params *p;
    cairn_world w;
    cairn_tabular t;
    cairn_random random;
    cairn_value_show show;
    double *best;            /* n_states: values of the best actions, by value iteration */
    double *exact;           /* n_states: what is learned should come to */
    double *now;             /* n_states: what was learned */
    double *policy;          /* n_states x n_actions; of a fixed policy or of what was learned */
    size_t *actions;         /* n_states: what was learned to do */
    bool settled, evaluates; /* a fixed policy is evaluated, not improved */
    played *played;
    cairn_move *moves; /* of the episode; with result=episodes of all */
    size_t *episode_of;
    size_t n_moves, capacity, steps;
} run;

/* -- deciding -- */

/* Whether two values are the same but for rounding. */
static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* The best action by one look ahead. */
static size_t look_ahead(const run *r, size_t state, const double *values)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t a = 0; a < r->w.n_actions; a++) {
        if (!r->w.allowed[state * r->w.n_actions + a]) continue;
        double value = world_action_value(&r->w, state, a, r->t.gamma, values);
        if (value > most && !(isfinite(most) && same(value, most))) most = value, best = a;
    }
    return best;
}

/* What an action is worth by what was learned: its value, or where states have values the mean of
 * reward and value of what follows it. */
static double learned_worth(const run *r, size_t state, size_t action)
{
    const cairn_world *w = &r->w;
    size_t cell = state * w->n_actions + action;
    double sum = 0;
    if (r->t.n_actions > 1) return cairn_tabular_value(&r->t, state, action);
    for (size_t i = w->starts[cell]; i < w->starts[cell + 1]; i++) {
        double next = w->next[i] < 0 ? 0 : cairn_tabular_value(&r->t, (size_t)w->next[i], 0);
        sum += w->p[i] * (w->reward[i] + r->t.gamma * (w->turns ? -next : next));
    }
    return sum;
}

static size_t count_allowed(const cairn_world *w, size_t state)
{
    size_t n = 0;
    for (size_t a = 0; a < w->n_actions; a++) n += w->allowed[state * w->n_actions + a];
    return n;
}

/* The random policy always draws among allowed actions, any other with probability epsilon. */
static size_t decide(run *r, size_t state)
{
    if (r->p->policy == POLICY_RANDOM || cairn_random_uniform(&r->random) < r->p->epsilon) {
        size_t k = (size_t)cairn_random_below(&r->random, count_allowed(&r->w, state));
        for (size_t a = 0;; a++)
            if (r->w.allowed[state * r->w.n_actions + a] && !k--) return a;
    }
    /* The action of the largest worth; among equal ones it is drawn, since who always takes the
     * first would walk into one wall for long before anything is learned. */
    size_t best = 0, tied = 0;
    double most = -INFINITY;
    if (r->p->policy == POLICY_OPTIMAL) return look_ahead(r, state, r->best);
    for (size_t a = 0; a < r->w.n_actions; a++) {
        if (!r->w.allowed[state * r->w.n_actions + a]) continue;
        double worth = learned_worth(r, state, a);
        if (worth > most)
            most = worth, best = a, tied = 1;
        else if (worth == most && cairn_random_below(&r->random, ++tied) == 0)
            best = a;
    }
    return best;
}

/* -- playing -- */

/* One episode: act, see what follows, decide the next action, then learn from the step. */
static cairn_status play(cairn_context *ctx, run *r, size_t episode)
{
    played *out = &r->played[episode];
    bool mc = r->t.rule == CAIRN_VALUE_MC, all = r->p->result == RESULT_EPISODES;
    size_t first = all ? r->n_moves : 0;
    double worth = 1;
    int32_t state = (int32_t)r->w.start, action = (int32_t)decide(r, r->w.start);
    r->n_moves = first;
    cairn_tabular_begin(&r->t);
    while (state >= 0 && !out->cut) {
        cairn_move move = {.state = state, .action = action};
        int32_t next = world_act(&r->w, (size_t)state, (size_t)action, &r->random, &move.reward);
        int32_t next_action = next < 0 ? -1 : (int32_t)decide(r, (size_t)next);
        if (mc || all) {
            /* Keep the step: Monte Carlo needs those of the episode, a table of episodes all. */
            if (r->n_moves == MOST_STEPS_KEPT)
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "more than %d steps would be kept; play fewer {episodes} or keep "
                                  "{most-steps} small",
                                  MOST_STEPS_KEPT);
            size_t capacity = r->capacity;
            CHECK(GROW(ctx, &r->moves, &r->capacity, r->n_moves + 1));
            CHECK(GROW(ctx, &r->episode_of, &capacity, r->n_moves + 1));
            r->moves[r->n_moves] = move;
            r->episode_of[r->n_moves++] = episode;
        }
        if (r->t.n_actions == 1) move.action = 0;
        if (!mc) cairn_tabular_step(&r->t, &move, next, next_action);
        out->total += worth * move.reward;
        worth *= r->w.turns ? -r->t.gamma : r->t.gamma;
        state = next;
        action = next_action;
        out->steps++;
        out->cut = state >= 0 && out->steps >= (size_t)r->p->most_steps;
    }
    if (mc) cairn_tabular_returns(&r->t, r->moves + first, r->n_moves - first);
    r->steps += out->steps;
    return CAIRN_OK;
}

static cairn_status play_all(cairn_context *ctx, run *r)
{
    size_t n = (size_t)r->p->episodes;
    CHECK(SCRATCH(ctx, &r->played, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_tick(ctx, "episodes", (double)i, (double)n));
        CHECK(play(ctx, r, i));
        CHECK(cairn_value_check(ctx, &r->t, r->w.feature_names));
    }
    return CAIRN_OK;
}

/* -- the exact answer, and what was learned -- */

/* The probabilities with which a greedy action and a random one are taken. */
static void soften(const run *r, size_t state, size_t action, double epsilon)
{
    const cairn_world *w = &r->w;
    double share = epsilon / (double)count_allowed(w, state);
    for (size_t a = 0; a < w->n_actions; a++) {
        size_t cell = state * w->n_actions + a;
        r->policy[cell] = w->allowed[cell] ? share + (a == action ? 1 - epsilon : 0) : 0;
    }
}

/* Value iteration; and the values of a policy that does not learn, which all rules but Q-learning
 * come to. */
static cairn_status plan(cairn_context *ctx, run *r)
{
    const world_params *p = r->p;
    size_t n = r->w.n_states;
    CHECK(SCRATCH_EACH(ctx, n, &r->best, &r->exact, &r->now, &r->actions));
    CHECK(SCRATCH(ctx, &r->policy, n * r->w.n_actions));
    CHECK(world_values(ctx, &r->w, r->t.gamma, NULL, r->best, &r->settled));
    if (!r->settled)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the best values do not settle, since a reward can be had again and "
                          "again; {gamma} below 1, or {living} at most 0, gives them a bound");
    r->evaluates = p->policy != POLICY_LEARNED && r->t.rule != CAIRN_VALUE_Q;
    memcpy(r->exact, r->best, n * sizeof *r->exact);
    if (!r->evaluates) return CAIRN_OK;
    for (size_t s = 0; s < n; s++)
        soften(r, s, p->policy == POLICY_RANDOM ? 0 : look_ahead(r, s, r->best),
               p->policy == POLICY_RANDOM ? 1 : p->epsilon);
    return world_values(ctx, &r->w, r->t.gamma, r->policy, r->exact, &r->settled);
}

/* A policy's value of a state is the mean over its actions, that of what was learned the best. */
static double learned_value(const run *r, size_t s)
{
    const cairn_tabular *t = &r->t;
    double mean = 0;
    if (t->n_actions == 1) return cairn_tabular_value(t, s, 0);
    if (!r->evaluates) return cairn_tabular_value(t, s, cairn_tabular_best(t, s));
    for (size_t a = 0; a < t->n_actions; a++)
        if (r->w.allowed[s * t->n_actions + a])
            mean += r->policy[s * t->n_actions + a] * cairn_tabular_value(t, s, a);
    return mean;
}

/* -- showing -- */

static bool is_best(const run *r, size_t s, size_t a)
{
    return same(world_action_value(&r->w, s, a, r->t.gamma, r->best), r->best[s]);
}

/* States that were visited: how far their values are from the exact ones, and whether the best
 * action is known. */
static void show_agreement(cairn_report *out, const run *r)
{
    double squares = 0, right = 0, n = 0;
    for (size_t s = 0; s < r->w.n_states; s++) {
        if (!(cairn_value_visits(&r->t, s) > 0)) continue;
        squares += (r->now[s] - r->exact[s]) * (r->now[s] - r->exact[s]);
        right += is_best(r, s, r->actions[s]);
        n++;
    }
    cairn_report_value(out, "states", (double)r->w.n_states, "states");
    cairn_report_value(out, "states visited", n, "visited");
    if (r->settled)
        cairn_report_value(out, "root of the mean squared distance from the exact values",
                           sqrt(squares / n), "rms");
    cairn_report_value(out, "share of them whose best action is known", right / n, "agreement");
}

/* What the learned policy is worth when it explores no more. */
static cairn_status show_worth(cairn_context *ctx, cairn_report *out, run *r)
{
    double *values;
    bool settled;
    CHECK(SCRATCH(ctx, &values, r->w.n_states));
    for (size_t s = 0; s < r->w.n_states; s++) soften(r, s, r->actions[s], 0);
    CHECK(world_values(ctx, &r->w, r->t.gamma, r->policy, values, &settled));
    cairn_report_value(out, "value of the start by value iteration", r->best[r->w.start],
                       "best.start");
    cairn_report_value(out, "value of the start under the learned actions",
                       settled ? values[r->w.start] : NAN, "greedy.start");
    if (!settled) cairn_report_note(out, "The learned actions can go round for ever.");
    return CAIRN_OK;
}

/* A row for each state; of very many only for those that were visited. */
static void show_states(cairn_report *out, const run *r)
{
    cairn_report_table_of(out, r->evaluates ? "Values of the policy" : "Values of the states", 0,
                          "lrrrll", "state", "visits", "learned", "exact", "action",
                          "best actions");
    for (size_t s = 0; s < r->w.n_states; s++) {
        char best[64] = "";
        size_t used = 0;
        if (r->w.n_states > CAIRN_ALL_STATES && !(cairn_value_visits(&r->t, s) > 0)) continue;
        for (size_t a = 0; a < r->w.n_actions; a++)
            if (r->w.allowed[s * r->w.n_actions + a] && is_best(r, s, a))
                used += (size_t)snprintf(best + used, sizeof best - used, "%s%s", used ? ", " : "",
                                         r->w.actions[a]);
        cairn_report_cells(out, "- visits.$1 value.$1 exact.$1 action.$1 best.$1", r->w.states[s],
                           cairn_value_visits(&r->t, s), r->now[s], r->settled ? r->exact[s] : NAN,
                           r->w.actions[r->actions[s]], best);
    }
}

/* Whether something was learned of what to do in a state: several best actions that are worth 0, as
 * all are before the first reward, were not. */
static bool knows_action(const run *r, int32_t state)
{
    double most = -INFINITY;
    size_t tied = 0;
    if (state < 0 || !(cairn_value_visits(&r->t, (size_t)state) > 0)) return false;
    for (size_t a = 0; a < r->w.n_actions; a++) {
        if (!r->w.allowed[(size_t)state * r->w.n_actions + a]) continue;
        double worth = learned_worth(r, (size_t)state, a);
        tied = worth > most ? 1 : tied + (worth == most);
        most = fmax(most, worth);
    }
    return tied == 1 || most != 0;
}

/* The grid with an arrow in every cell. */
static cairn_status show_map(cairn_context *ctx, cairn_report *out, const run *r)
{
    static const char *const arrows[] = {"↑", "→", "↓", "←"};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    for (size_t i = 0; i < r->w.rows * r->w.columns; i++) {
        int32_t s = r->w.state_at[i];
        if (s < 0)
            cairn_text_add_char(&text, r->w.cells[i]);
        else
            cairn_text_add(&text, knows_action(r, s) ? arrows[r->actions[s]] : "?");
        cairn_text_add_char(&text, (i + 1) % r->w.columns ? ' ' : '\n');
    }
    CHECK(cairn_text_status(&text));
    cairn_report_paragraph(out, "What was learned to do (? for nothing yet):");
    cairn_report_verbatim(out, cairn_text_string(&text));
    return CAIRN_OK;
}

/* "r1", "r2" ... beside the rows and "c1" ... below the columns of a grid. */
static cairn_status name_lines(cairn_context *ctx, const char ***out, char letter, size_t n)
{
    char(*texts)[CAIRN_STATE_SIZE];
    CHECK(SCRATCH_EACH(ctx, n, &texts, out));
    for (size_t i = 0; i < n; i++) {
        snprintf(texts[i], sizeof texts[i], "%c%d", letter, (int)i + 1);
        (*out)[i] = texts[i];
    }
    return CAIRN_OK;
}

/* The learned values as colours; cells that are no states, or were never visited, have none. */
static cairn_status show_heat(cairn_context *ctx, cairn_report *out, const run *r)
{
    size_t n = r->w.rows * r->w.columns;
    const char **rows, **columns;
    double *values;
    cairn_figure *figure;
    CHECK(name_lines(ctx, &rows, 'r', r->w.rows));
    CHECK(name_lines(ctx, &columns, 'c', r->w.columns));
    CHECK(SCRATCH(ctx, &values, n));
    for (size_t i = 0; i < n; i++) {
        int32_t s = r->w.state_at[i];
        bool visited = s >= 0 && cairn_value_visits(&r->t, (size_t)s) > 0;
        values[i] = visited ? r->now[s] : NAN;
    }
    CHECK(cairn_figure_new(ctx, &figure, "values", "Learned values of the cells"));
    cairn_figure_heat(figure, values, rows, r->w.rows, columns, r->w.columns);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* A state in which nothing was learned to do. */
static bool is_unknown(const run *r, int32_t state)
{
    return state >= 0 && !knows_action(r, state);
}

/* The grid with an arrow for what was learned to do in each cell where something was. */
static cairn_status show_policy(cairn_context *ctx, cairn_report *out, const run *r)
{
    static const double right[] = {0, 1, 0, -1}, up[] = {1, 0, -1, 0};
    bool buffer = r->w.columns <= MOST_NAMED && r->w.rows <= MOST_NAMED, unknown = false;
    cairn_figure *figure;
    for (size_t i = 0; i < r->w.rows * r->w.columns; i++)
        unknown = unknown || is_unknown(r, r->w.state_at[i]);
    CHECK(cairn_figure_new(ctx, &figure, "policy",
                           unknown && buffer ? "What was learned to do (? for nothing yet)"
                                             : "What was learned to do"));
    cairn_figure_no_axes(figure);
    cairn_figure_equal_axes(figure);
    for (size_t i = 0; i < r->w.rows * r->w.columns; i++) {
        size_t row = i / r->w.columns;
        double x = (double)(i % r->w.columns), y = -(double)row;
        int32_t s = r->w.state_at[i];
        /* A cell of the grid: walls are grey, goal and pit have colours and, where there is
         * room, names. */
        char cell = r->w.cells[i];
        double corners_x[] = {x - 0.5, x + 0.5, x + 0.5, x - 0.5};
        double corners_y[] = {y - 0.5, y - 0.5, y + 0.5, y + 0.5};
        int32_t group = cell == 'G' ? 0 : cell == 'P' ? 1 : -1;
        double strength = cell == '#' ? 0.5 : group < 0 ? 0 : 0.15;
        cairn_figure_face(figure, group, strength, corners_x, corners_y, 4);
        if (buffer) {
            if (group >= 0) cairn_figure_named(figure, x, y, group, cell == 'G' ? "goal" : "pit");
            if (cell == 'S') cairn_figure_named(figure, x - 0.32, y - 0.36, -1, "start");
        }
        if (buffer && is_unknown(r, s)) cairn_figure_named(figure, x, y, -1, "?");
        if (!knows_action(r, s)) continue;
        double dx = 0.3 * right[r->actions[s]], dy = 0.3 * up[r->actions[s]];
        cairn_figure_grey_arrow(figure, (double[]){x - dx, x + dx}, (double[]){y - dy, y + dy}, 2);
    }
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* Means over blocks of episodes: the learning curve. */
static cairn_status show_curve(cairn_context *ctx, cairn_report *out, const run *r)
{
    size_t n = (size_t)r->p->episodes, blocks = n < MOST_BLOCKS ? n : MOST_BLOCKS, cut = 0;
    double x[MOST_BLOCKS], y[MOST_BLOCKS];
    cairn_figure *figure;
    cairn_report_table_of(out, "Learning curve: means over episodes", 10, "rrrr", "from", "to",
                          "return", "steps");
    for (size_t b = 0; b < blocks; b++) {
        size_t from = b * n / blocks, to = (b + 1) * n / blocks;
        double total = 0, steps = 0, size = (double)(to - from);
        for (size_t i = from; i < to; i++) {
            total += r->played[i].total;
            steps += (double)r->played[i].steps;
            cut += r->played[i].cut;
        }
        x[b] = (double)to;
        y[b] = total / size;
        cairn_report_prefix(out, "curve%zu", b + 1);
        cairn_report_cells(out, "- - @.return @.steps", from + 1, to, y[b], steps / size);
    }
    if (cut)
        cairn_report_note(out, "%zu episodes were broken off after %d steps.", cut,
                          r->p->most_steps);
    CHECK(cairn_figure_new(ctx, &figure, "learning", "Return from the start while learning"));
    cairn_figure_axes(figure, "episodes", "mean return");
    cairn_figure_line(figure, "learned", x, y, blocks);
    cairn_figure_rule_y(figure, "best", r->best[r->w.start]);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* Maps are only for worlds that have rows and columns. */
static cairn_status show(cairn_context *ctx, cairn_report *out, run *r)
{
    cairn_report_value(out, "episodes", (double)r->p->episodes, "episodes");
    cairn_report_value(out, "steps", (double)r->steps, "steps");
    show_agreement(out, r);
    CHECK(show_worth(ctx, out, r));
    if (!r->settled)
        cairn_report_note(out, "The exact values of the policy did not settle: it can go on for "
                               "ever, or for very long.");
    show_states(out, r);
    cairn_value_show_actions(&r->show, out);
    cairn_value_show_weights(out, &r->t, r->w.feature_names);
    if (r->w.rows) {
        CHECK(show_map(ctx, out, r));
        CHECK(show_heat(ctx, out, r));
        CHECK(show_policy(ctx, out, r));
    }
    return show_curve(ctx, out, r);
}

/* -- tables for --out -- */

static cairn_status add_states(cairn_context *ctx, cairn_table *table, const run *r,
                               const int32_t *states)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, r->w.n_states));
    for (size_t s = 0; s < r->w.n_states; s++) names[s] = r->w.states[s];
    return cairn_table_add_levels(ctx, table, "state", states, names, r->w.n_states);
}

/* What was learned of each state, visited or not. */
static cairn_status values_table(cairn_context *ctx, cairn_table **out, const run *r)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = r->w.n_states;
    int32_t *states, *actions;
    double *visits;
    CHECK(SCRATCH_EACH(ctx, n, &states, &actions, &visits));
    for (size_t s = 0; s < n; s++) {
        states[s] = (int32_t)s;
        actions[s] = (int32_t)r->actions[s];
        visits[s] = cairn_value_visits(&r->t, s);
    }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(add_states(ctx, made, r, states));
    CHECK(cairn_table_put_numbers(ctx, made, "visits", visits));
    CHECK(cairn_table_put_numbers(ctx, made, "value", r->now));
    CHECK(cairn_table_put_numbers(ctx, made, "exact", r->exact));
    CHECK(cairn_table_add_levels(ctx, made, "action", actions, r->w.actions, r->w.n_actions));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The steps of all episodes, in the form that 'compute episodes' reads. */
static cairn_status episodes_table(cairn_context *ctx, cairn_table **out, const run *r)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = r->n_moves;
    int32_t *states, *actions;
    double *episode, *step, *reward;
    CHECK(SCRATCH_EACH(ctx, n, &states, &actions, &episode, &step, &reward));
    for (size_t i = 0; i < n; i++) {
        bool first = !i || r->episode_of[i] != r->episode_of[i - 1];
        states[i] = r->moves[i].state;
        actions[i] = r->moves[i].action;
        episode[i] = (double)(r->episode_of[i] + 1);
        step[i] = first ? 1 : step[i - 1] + 1;
        reward[i] = r->moves[i].reward;
    }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_put_numbers(ctx, made, "episode", episode));
    CHECK(cairn_table_put_numbers(ctx, made, "step", step));
    CHECK(add_states(ctx, made, r, states));
    CHECK(cairn_table_add_levels(ctx, made, "action", actions, r->w.actions, r->w.n_actions));
    CHECK(cairn_table_put_numbers(ctx, made, "reward", reward));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The learning curve without blocks: every episode. */
static cairn_status curve_table(cairn_context *ctx, cairn_table **out, const run *r)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = (size_t)r->p->episodes;
    double *episode, *steps, *total;
    CHECK(SCRATCH_EACH(ctx, n, &episode, &steps, &total));
    for (size_t i = 0; i < n; i++) {
        episode[i] = (double)(i + 1);
        steps[i] = (double)r->played[i].steps;
        total[i] = r->played[i].total;
    }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_put_numbers(ctx, made, "episode", episode));
    CHECK(cairn_table_put_numbers(ctx, made, "steps", steps));
    CHECK(cairn_table_put_numbers(ctx, made, "return", total));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status make_result(cairn_context *ctx, cairn_table **out, const run *r)
{
    if (!out) return CAIRN_OK;
    if (r->p->result == RESULT_EPISODES) return episodes_table(ctx, out, r);
    if (r->p->result == RESULT_CURVE) return curve_table(ctx, out, r);
    return values_table(ctx, out, r);
}

/* -- the record -- */

static void clear_run(run *r)
{
    FREE_EACH(r->moves, r->episode_of);
}

/* The table of values, or the linear function, that is to be learned. */
static cairn_status start(cairn_context *ctx, run *r, cairn_report *steps)
{
    r->w = (cairn_world){0};
    if (r->p->world.world == CAIRN_WORLD_CHAIN)
        CHECK(make_chain(ctx, &r->w, &r->p->world));
    else if (r->p->world.world == CAIRN_WORLD_NOUGHTS)
        CHECK(make_noughts(ctx, &r->w, &r->p->world));
    else
        CHECK(make_grid(ctx, &r->w, &r->p->world));
    cairn_tabular *t = &r->t;
    cairn_value_options_apply(t, &r->p->values);
    t->n_states = r->w.n_states;
    t->n_actions = t->rule == CAIRN_VALUE_TD ? 1 : r->w.n_actions;
    t->allowed = r->w.allowed;
    t->turns = r->w.turns;
    if (r->p->linear) {
        t->n_features = r->w.n_features;
        t->features = r->w.features;
    }
    CHECK(SCRATCH(ctx, &r->show.states, r->w.n_states));
    for (size_t s = 0; s < r->w.n_states; s++) r->show.states[s] = r->w.states[s];
    r->show.actions = r->w.actions;
    cairn_value_show_steps(&r->show, t, steps, &r->p->values);
    cairn_random_start(&r->random, ctx->seed, 0);
    return cairn_tabular_start(ctx, t, r->p->initial);
}

/* The exact values are planned before anything is played, since the optimal policy needs them. */
static cairn_status world_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    SCOPED(clear_run) run r = {.p = job->params};
    cairn_report_heading(out, 1, "Learning by acting in a small world");
    CHECK(start(ctx, &r, job->steps ? out : NULL));
    cairn_value_show_rule(out, &r.t);
    if (r.w.turns)
        cairn_report_paragraph(out,
                               "Two sides take turns: what the next state is worth is worth it "
                               "to the other side, and counts with the other sign.");
    CHECK(plan(ctx, &r));
    CHECK(play_all(ctx, &r));
    cairn_value_show_end(&r.show);
    /* Looking ahead needs the values of all states. */
    size_t n = r.w.n_states;
    for (size_t s = 0; s < n; s++) r.now[s] = learned_value(&r, s);
    for (size_t s = 0; s < n; s++)
        r.actions[s] = r.t.n_actions > 1 ? cairn_tabular_best(&r.t, s) : look_ahead(&r, s, r.now);
    CHECK(make_result(ctx, job->result, &r));
    return show(ctx, out, &r);
}

const cairn_calculator cairn_compute_world = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "world",
              .also = "reinforcement learning, Q-learning (method=q-learning), SARSA "
                      "(method=sarsa), temporal difference learning (method=td), Monte Carlo "
                      "control (method=mc), grid world, noughts and crosses (world=noughts), "
                      "tic-tac-toe (world=noughts), value iteration, Markov decision process",
              .title = "Learning by acting in a small world",
              .summary =
                  "Plays episodes in a grid, a chain or noughts and crosses and learns what states "
                  "and actions are worth from the rewards alone, by Monte Carlo, temporal "
                  "differences, SARSA or Q-learning; with a table of values, or for temporal "
                  "differences with a linear evaluation function. What was learned stands beside "
                  "the exact answer of value iteration, which knows the world.",
              .references = "Sutton, Barto: Reinforcement Learning, 2nd edition, MIT Press 2018, "
                            "chapters 4 to 6 and 9; Watkins, Dayan: Q-learning, Machine Learning "
                            "8, 1992",
              .example = "cairn compute world --method q-learning --episodes 200 --steps",
              .params = world_table,
              .params_size = sizeof(world_params)},
    .arguments = "",
    .run = world_run,
};
