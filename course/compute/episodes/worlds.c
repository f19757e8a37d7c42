/* SPDX-License-Identifier: MIT */
#include "compute/episodes/worlds.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

const cairn_param cairn_world_params[] = {
    CAIRN_PARAM_CHOICE(cairn_world_options, world, "grid", kinds, "where the learner acts",
                       .often = true),
    CAIRN_PARAM(cairn_world_options, map, "...G;.#.P;S...", NULL,
                "rows of the grid from the top, separated by ';': S start, G goal, P pit, # wall, "
                ". free",
                .when = "world=grid", .often = true),
    CAIRN_PARAM(cairn_world_options, slip, "0", "[0,1]",
                "probability that a step goes to one of the two sides instead",
                .when = "world=grid"),
    CAIRN_PARAM(cairn_world_options, length, "5", "[2,100]", "states of the chain",
                .when = "world=chain"),
    CAIRN_PARAM(cairn_world_options, living, "0", "[-1e9,1e9]", "reward of every step",
                .when = "world=grid|chain"),
    CAIRN_PARAM(cairn_world_options, goal, "1", "[-1e9,1e9]", "reward for reaching the goal",
                .when = "world=grid|chain"),
    CAIRN_PARAM(cairn_world_options, pit, "-1", "[-1e9,1e9]", "reward for ending in a pit",
                .when = "world=grid"),
    CAIRN_PARAM_CHOICE(cairn_world_options, opponent, "random", opponents, "who plays the noughts",
                       .when = "world=noughts"),
    CAIRN_PARAM_END,
};

/* Room for all that a world of so many states has. */
static cairn_status reserve(cairn_context *ctx, cairn_world *w, size_t most_outcomes)
{
    size_t cells = w->n_states * w->n_actions;
    CHECK(SCRATCH(ctx, &w->states, w->n_states));
    CHECK(SCRATCH(ctx, &w->starts, cells + 1));
    CHECK(SCRATCH(ctx, &w->p, cells * most_outcomes));
    CHECK(SCRATCH(ctx, &w->reward, cells * most_outcomes));
    CHECK(SCRATCH(ctx, &w->next, cells * most_outcomes));
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

static cairn_status bad_letter(cairn_context *ctx, char letter, size_t row, size_t column)
{
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{map}: '%c' in row %zu, column %zu is none of S (start), G (goal), P (pit), "
                      "# (wall) and . (free)",
                      letter, row, column);
}

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
        if (!strchr("SGP#.", *c)) return bad_letter(ctx, *c, w->rows + 1, column);
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
static void add_step(cairn_world *w, const cairn_world_options *o, size_t cell, size_t at,
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

static cairn_status make_grid(cairn_context *ctx, cairn_world *w, const cairn_world_options *o)
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

static cairn_status make_chain(cairn_context *ctx, cairn_world *w, const cairn_world_options *o)
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
static void play(game *g, size_t state, int opponent, bool fill)
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
static cairn_status make_noughts(cairn_context *ctx, cairn_world *w, const cairn_world_options *o)
{
    game g = {.w = w};
    int squares[SQUARES] = {0};
    CHECK(SCRATCH(ctx, &g.state_of, BOARDS));
    CHECK(SCRATCH(ctx, &g.boards, BOARDS));
    for (size_t i = 0; i < BOARDS; i++) g.state_of[i] = -1;
    state_of_board(&g, squares);
    for (size_t s = 0; s < g.n; s++) play(&g, s, o->opponent, false);
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
        play(&g, s, o->opponent, true);
    }
    return CAIRN_OK;
}

cairn_status cairn_world_make(cairn_context *ctx, cairn_world *out,
                              const cairn_world_options *options)
{
    *out = (cairn_world){0};
    if (options->world == CAIRN_WORLD_CHAIN) return make_chain(ctx, out, options);
    if (options->world == CAIRN_WORLD_NOUGHTS) return make_noughts(ctx, out, options);
    return make_grid(ctx, out, options);
}

/* -- acting and planning -- */

int32_t cairn_world_act(const cairn_world *w, size_t state, size_t action, cairn_random *random,
                        double *reward)
{
    size_t cell = state * w->n_actions + action, i = w->starts[cell];
    double u = cairn_random_uniform(random);
    while (i + 1 < w->starts[cell + 1] && u >= w->p[i]) u -= w->p[i++];
    *reward = w->reward[i];
    return w->next[i];
}

double cairn_world_action_value(const cairn_world *w, size_t state, size_t action, double gamma,
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
        double value = cairn_world_action_value(w, s, a, gamma, values);
        if (value > best) best = value;
        if (policy) mean += policy[cell] * value;
    }
    return policy ? mean : best;
}

/* Large worlds get fewer sweeps, so that the work is bounded. */
static size_t sweep_limit(const cairn_world *w)
{
    double wanted = 4e9 / (double)w->starts[w->n_states * w->n_actions];
    return wanted < LEAST_SWEEPS  ? LEAST_SWEEPS
           : wanted > MOST_SWEEPS ? MOST_SWEEPS
                                  : (size_t)wanted;
}

cairn_status cairn_world_values(cairn_context *ctx, const cairn_world *w, double gamma,
                                const double *policy, double *values, bool *settled)
{
    size_t most = sweep_limit(w);
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
