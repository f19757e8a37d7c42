/* SPDX-License-Identifier: MIT */
/* cairn compute em: a multinomial that is seen in part, by expectation and maximisation.
 *
 * The cells have probabilities that are linear in one parameter t; of some cells only the sum of
 * their counts is seen.
 *
 *     E:  E[n_j] = n_group p_j(t) / Σ_group p(t)
 *     M:  t = argmax Σ_j E[n_j] ln p_j(t), whose slope Σ_j E[n_j] p_j' / p_j falls, so that it is
 *         found by halving the interval in which all p_j are positive */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "solve/em.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 10 };

typedef struct em_params {
    const char *cells, *seen;
    const char *parameter;
    const char *start, *start_counts;
    int starts;
    int max_iter;
    double tolerance;
    int stop;
} em_params;

enum { BY_LIKELIHOOD, BY_PARAMETER };

static const cairn_choice stops[] = {
    {"likelihood", BY_LIKELIHOOD, "the gain of the log-likelihood"},
    {"parameters", BY_PARAMETER, "the change of the parameter"},
    {0},
};

static const cairn_param em_table[] = {
    CAIRN_PARAM(em_params, cells, NULL, NULL,
                "cells and their probabilities, which are linear in the parameter, such as "
                "'a=1/2;b=t;c=2*t;d=1/2-3*t'",
                .often = true),
    CAIRN_PARAM(em_params, seen, NULL, NULL,
                "counts that were seen, of cells or of sums of cells, such as 'a+b=20;c=10;d=10'",
                .often = true),
    CAIRN_PARAM(em_params, parameter, "t", NULL, "name of the parameter"),
    CAIRN_PARAM_AS(em_params, start, CAIRN_TYPE_LIST, NULL,
                   "first value of the parameter; by default the middle of what is possible",
                   .when = "!start_counts", .often = true),
    CAIRN_PARAM(em_params, start_counts, NULL, NULL,
                "first counts of hidden cells in place of a first parameter, such as 'a=15;b=5'",
                .often = true),
    CAIRN_PARAM(
        em_params, starts, "1", "[1,1000]",
        "starts, the likeliest is kept: the first as it was said, the others drawn from what "
        "is possible"),
    CAIRN_PARAM(em_params, max_iter, "100", "[0,100000]", "most iterations"),
    CAIRN_PARAM(em_params, tolerance, "1e-14", "[0,1)",
                "stop when an iteration gains no more than this part of the log-likelihood, or by "
                "{stop} changes the parameter by no more"),
    CAIRN_PARAM_CHOICE(em_params, stop, "likelihood", stops, "what {tolerance} is for"),
    CAIRN_PARAM_END,
};

typedef struct cell {
    char *name;
    double constant, slope; /* p = constant + slope t */
    size_t group;
    double expected;
    double used; /* the expected count of the last M step */
} cell;

/* What became of a start. */
typedef struct start_end {
    double first, last, log_likelihood;
    size_t iterations;
} start_end;

typedef struct work {
    cairn_report *steps; /* NULL = not shown */
    const char *parameter;
    size_t n_cells, n_groups;
    cell *cells;
    double *counts; /* n_groups */
    double *sums;   /* n_groups: probabilities */
    double low, high, t;
    double before; /* t before the last M step */
    bool maximised;
    bool from_counts;
    double *course; /* of each iteration: t, log-likelihood, expected counts */
    size_t n_course;
    double *best; /* the course of the best start so far; the same as `course` for one start */
    size_t n_best;
    size_t n_starts;
    start_end *ends; /* n_starts */
    cairn_random random;
} work;

/* -- reading -- */

/* NAME=VALUE parts of a text, separated by semicolons; scratch. */
static cairn_status read_pairs(cairn_context *ctx, const char *option, const char *text,
                               char ***names, char ***values, size_t *n)
{
    char *copy, *part, *rest;
    size_t most = 1;
    for (const char *at = text; *at; at++) most += *at == ';';
    CHECK(SCRATCH_EACH(ctx, most, names, values));
    CHECK(SCRATCH(ctx, &copy, strlen(text) + 1));
    memcpy(copy, text, strlen(text) + 1);
    for (*n = 0, part = strtok_r(copy, ";", &rest); part; part = strtok_r(NULL, ";", &rest), ++*n) {
        char *equals = strchr(part, '=');
        if (!equals || equals == part)
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' is no NAME=VALUE", option, part);
        *equals = 0;
        part += strspn(part, " ");
        for (char *end = equals; end > part && end[-1] == ' ';) *--end = 0;
        (*names)[*n] = part;
        (*values)[*n] = equals + 1;
    }
    if (*n == 0) return cairn_fail(ctx, CAIRN_USAGE, "{%s} is empty", option);
    return CAIRN_OK;
}

/* The probability of a cell as a line in the parameter, which three places show. */
static cairn_status read_line(cairn_context *ctx, cell *c, const char *expression,
                              const char *parameter)
{
    const double places[] = {0, 1, 0.5}, *columns[] = {places};
    cairn_variables variables = {&parameter, columns, 1, 3};
    double values[3];
    CHECK(cairn_function_values(ctx, values, expression, &variables, "cells"));
    c->constant = values[0];
    c->slope = values[1] - values[0];
    if (!(fabs(values[2] - (values[0] + values[1]) / 2) <= 1e-12 * (1 + fabs(values[1]))))
        return cairn_fail(ctx, CAIRN_USAGE, "{cells}: '%s' is not linear in %s", expression,
                          parameter);
    return CAIRN_OK;
}

/* Where all probabilities are positive; they must add up to 1 everywhere. */
static cairn_status find_interval(cairn_context *ctx, work *w)
{
    char text[CAIRN_NUMBER_SIZE], more[CAIRN_NUMBER_SIZE];
    double constants = 0, slopes = 0;
    w->low = -INFINITY, w->high = INFINITY;
    for (size_t j = 0; j < w->n_cells; j++) {
        const cell *c = w->cells + j;
        constants += c->constant;
        slopes += c->slope;
        if (c->slope > 0) w->low = fmax(w->low, (0 - c->constant) / c->slope);
        if (c->slope < 0) w->high = fmin(w->high, -c->constant / c->slope);
        if (c->slope != 0 || c->constant > 0) continue;
        cairn_number_format(text, c->constant, 6);
        return cairn_fail(ctx, CAIRN_USAGE, "{cells}: the probability of '%s' is %s", c->name,
                          text);
    }
    if (fabs(constants - 1) > 1e-9 || fabs(slopes) > 1e-9) {
        cairn_number_format(text, constants, 6);
        cairn_number_format(more, slopes, 6);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{cells}: the probabilities add up to %s + %s %s, not to 1", text, more,
                          w->parameter);
    }
    if (!(w->low < w->high) || isinf(w->low) || isinf(w->high))
        return cairn_fail(ctx, CAIRN_USAGE, "{cells}: no %s makes all probabilities positive",
                          w->parameter);
    return CAIRN_OK;
}

/* The cells of a table as they are typed, from its columns 'probability' (what is linear in the
 * parameter), 'group' and 'group_count' (what was seen of it), and 'start' (counts to begin with);
 * a column of names, or the first of levels, says what the cells are called. Scratch. */
static cairn_status read_table(cairn_context *ctx, em_params *params, const cairn_table *table)
{
    static const char *const columns[] = {"probability", "group", "group_count", "start"};
    enum { PROBABILITY, GROUP, COUNT, START, N_COLUMNS };
    SCOPED(cairn_text_clear) cairn_text cells = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text seen = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text start = cairn_text_start(ctx);
    ptrdiff_t at[N_COLUMNS], name = cairn_table_role_column(table, CAIRN_ID);
    char text[200];
    for (size_t j = 0; j < N_COLUMNS; j++) at[j] = cairn_table_find(table, columns[j]);
    for (size_t j = 0; name < 0 && j < table->n_columns; j++)
        if (table->slots[j].column->kind == CAIRN_LEVEL) name = (ptrdiff_t)j;
    if (name < 0 || at[PROBABILITY] < 0 || at[GROUP] < 0 || at[COUNT] < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: a row for each cell needs a column of names and the columns "
                          "'probability', 'group' and 'group_count'; or type {cells} and {seen}",
                          table->source ? table->source : "the table");
    for (size_t i = 0; i < table->n_rows; i++) {
        char group[200], other[200];
        bool first = true;
        cairn_table_cell(table, (size_t)name, i, text, sizeof text);
        cairn_text_addf(&cells, "%s%s=", i ? ";" : "", text);
        cairn_text_addf(&start, "%s%s=", i ? ";" : "", text);
        cairn_table_cell(table, (size_t)at[PROBABILITY], i, text, sizeof text);
        cairn_text_add(&cells, text);
        if (at[START] >= 0) cairn_table_cell(table, (size_t)at[START], i, text, sizeof text);
        cairn_text_add(&start, text);
        /* The group is told where its first cell stands. */
        cairn_table_cell(table, (size_t)at[GROUP], i, group, sizeof group);
        for (size_t k = 0; k < i; k++) {
            cairn_table_cell(table, (size_t)at[GROUP], k, other, sizeof other);
            first &= strcmp(group, other) != 0;
        }
        if (!first) continue;
        cairn_text_add(&seen, seen.length ? ";" : "");
        for (size_t k = i; k < table->n_rows; k++) {
            cairn_table_cell(table, (size_t)at[GROUP], k, other, sizeof other);
            if (strcmp(group, other) != 0) continue;
            cairn_table_cell(table, (size_t)name, k, text, sizeof text);
            cairn_text_addf(&seen, "%s%s", k > i ? "+" : "", text);
        }
        cairn_table_cell(table, (size_t)at[COUNT], i, text, sizeof text);
        cairn_text_addf(&seen, "=%s", text);
    }
    cairn_text *texts[] = {&cells, &seen, &start};
    const char **out[] = {&params->cells, &params->seen, &params->start_counts};
    for (int k = 0; k < 3; k++) {
        char *copy;
        if (k == 2 && (at[START] < 0 || params->start || params->start_counts)) break;
        CHECK(cairn_text_status(texts[k]));
        CHECK(SCRATCH(ctx, &copy, texts[k]->length + 1));
        memcpy(copy, cairn_text_string(texts[k]), texts[k]->length);
        *out[k] = copy;
    }
    return CAIRN_OK;
}

static cairn_status read_cells(cairn_context *ctx, work *w, const char *text)
{
    char **names, **values;
    CHECK(read_pairs(ctx, "cells", text, &names, &values, &w->n_cells));
    CHECK(SCRATCH(ctx, &w->cells, w->n_cells));
    for (size_t j = 0; j < w->n_cells; j++) {
        w->cells[j].name = names[j];
        w->cells[j].group = SIZE_MAX;
        CHECK(read_line(ctx, w->cells + j, values[j], w->parameter));
        for (size_t i = 0; i < j; i++)
            if (!strcmp(names[i], names[j]))
                return cairn_fail(ctx, CAIRN_USAGE, "{cells}: '%s' is there twice", names[j]);
    }
    return find_interval(ctx, w);
}

static cairn_status find_cell(cairn_context *ctx, const work *w, const char *option,
                              const char *name, cell **out)
{
    name += strspn(name, " ");
    size_t length = strcspn(name, " ");
    for (size_t j = 0; j < w->n_cells; j++)
        if (strlen(w->cells[j].name) == length && !strncmp(w->cells[j].name, name, length)) {
            *out = w->cells + j;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_USAGE, "{%s}: there is no cell '%s'", option, name);
}

static cairn_status read_count(cairn_context *ctx, const char *option, const char *text,
                               double *out)
{
    if (!cairn_number_parse(text, strlen(text), out) || !(*out >= 0) || isinf(*out))
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' is no count", option, text);
    return CAIRN_OK;
}

/* Counts of groups of cells; every cell belongs to one. */
static cairn_status read_seen(cairn_context *ctx, work *w, const char *text)
{
    char **names, **values, *rest;
    double total = 0;
    cell *c;
    CHECK(read_pairs(ctx, "seen", text, &names, &values, &w->n_groups));
    CHECK(SCRATCH_EACH(ctx, w->n_groups, &w->counts, &w->sums));
    for (size_t g = 0; g < w->n_groups; g++) {
        CHECK(read_count(ctx, "seen", values[g], w->counts + g));
        for (char *at = strtok_r(names[g], "+", &rest); at; at = strtok_r(NULL, "+", &rest)) {
            CHECK(find_cell(ctx, w, "seen", at, &c));
            if (c->group != SIZE_MAX)
                return cairn_fail(ctx, CAIRN_USAGE, "{seen}: the cell '%s' is counted twice",
                                  c->name);
            c->group = g;
        }
    }
    for (size_t j = 0; j < w->n_cells; j++)
        if (w->cells[j].group == SIZE_MAX)
            return cairn_fail(ctx, CAIRN_USAGE, "{seen} says nothing about the cell '%s'",
                              w->cells[j].name);
    for (size_t g = 0; g < w->n_groups; g++) total += w->counts[g];
    if (!(total > 0)) return cairn_fail(ctx, CAIRN_USAGE, "{seen}: all counts are 0");
    return CAIRN_OK;
}

/* Hidden counts to begin with: those of a group must add up to what was seen of it. */
static cairn_status read_start(cairn_context *ctx, work *w, const char *text)
{
    char **names, **values, sum[CAIRN_NUMBER_SIZE], seen[CAIRN_NUMBER_SIZE];
    size_t n;
    cell *c;
    CHECK(read_pairs(ctx, "start-counts", text, &names, &values, &n));
    for (size_t j = 0; j < w->n_cells; j++) w->cells[j].expected = NAN;
    for (size_t i = 0; i < n; i++) {
        CHECK(find_cell(ctx, w, "start-counts", names[i], &c));
        CHECK(read_count(ctx, "start-counts", values[i], &c->expected));
    }
    memset(w->sums, 0, w->n_groups * sizeof *w->sums);
    for (size_t j = 0; j < w->n_cells; j++) {
        c = w->cells + j;
        size_t members = 0;
        for (size_t i = 0; i < w->n_cells; i++) members += w->cells[i].group == c->group;
        if (members == 1) c->expected = w->counts[c->group];
        if (isnan(c->expected))
            return cairn_fail(ctx, CAIRN_USAGE, "{start-counts} has no count of the cell '%s'",
                              c->name);
        w->sums[c->group] += c->expected;
    }
    for (size_t g = 0; g < w->n_groups; g++) {
        if (fabs(w->sums[g] - w->counts[g]) <= 1e-9 * (1 + w->counts[g])) continue;
        cairn_number_format(sum, w->sums[g], 6);
        cairn_number_format(seen, w->counts[g], 6);
        return cairn_fail(ctx, CAIRN_USAGE, "{start-counts} add up to %s where %s were seen", sum,
                          seen);
    }
    w->from_counts = true;
    return CAIRN_OK;
}

/* -- the two steps -- */

static double probability(const cell *c, double t)
{
    return fmax(0, c->constant + c->slope * t);
}

/* The parameter at which the expected counts are likeliest: where the derivative of Σ expected
 * ln p is 0. */
static cairn_status maximise(cairn_context *ctx, void *data)
{
    work *w = data;
    double low = w->low, high = w->high;
    (void)ctx;
    w->before = w->t;
    w->maximised = true;
    for (size_t j = 0; j < w->n_cells; j++) w->cells[j].used = w->cells[j].expected;
    for (int i = 0; i < 200 && low < high; i++) {
        double t = low + (high - low) / 2, slope = 0;
        if (!(t > low && t < high)) break;
        for (size_t j = 0; j < w->n_cells; j++)
            if (w->cells[j].expected > 0)
                slope += w->cells[j].expected * w->cells[j].slope / probability(w->cells + j, t);
        if (slope > 0)
            low = t;
        else
            high = t;
        w->t = t;
    }
    return CAIRN_OK;
}

static double change(const void *data)
{
    const work *w = data;
    return fabs(w->t - w->before);
}

static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    work *w = data;
    if (!start) return w->from_counts ? maximise(ctx, w) : CAIRN_OK;
    w->t = w->low + (w->high - w->low) * (1 - cairn_random_uniform(&w->random));
    if (!(w->t < w->high)) w->t = w->low + (w->high - w->low) / 2;
    w->maximised = false;
    return CAIRN_OK;
}

/* Where the probability of a cell is 0. */
static double zero_of(const cell *c)
{
    return (0 - c->constant) / c->slope;
}

/* Counts N by the places r where the probabilities of their cells are 0: there are two of them, the
 * ends of the interval, where the slope N₁/(t − r₁) + N₂/(t − r₂) has its zero in closed form.
 * False when there are others, or no count at an end. */
static bool sum_by_zeros(const work *w, double counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t j = 0; j < w->n_cells; j++) {
        const cell *c = w->cells + j;
        if (c->slope == 0 || !(c->used > 0)) continue;
        double zero = zero_of(c), near = 1e-12 * (w->high - w->low);
        bool at_low = fabs(zero - w->low) <= near, at_high = fabs(zero - w->high) <= near;
        if (!at_low && !at_high) return false;
        counts[at_high] += c->used;
    }
    return counts[0] > 0 && counts[1] > 0;
}

/* The M step as on a board: the slope of the log-likelihood of the counts, and where it is 0. */
static cairn_status show_maximum(cairn_context *ctx, const work *w)
{
    enum { WIDTH = 4 };
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text term = cairn_text_start(ctx);
    double *terms, counts[2];
    size_t n = 0, n_rising = 0;
    if (!w->maximised) {
        cairn_report_worked(w->steps, w->parameter, "#", w->t);
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &terms, WIDTH * w->n_cells + 1));
    for (size_t j = 0; j < w->n_cells; j++) {
        const cell *c = w->cells + j;
        if (c->slope == 0 || !(c->used > 0)) continue;
        const double numbers[WIDTH] = {c->used, c->slope, c->constant, c->slope};
        memcpy(terms + WIDTH * n++, numbers, sizeof numbers);
        n_rising += c->slope > 0;
    }
    if (n_rising == 0 || n_rising == n) {
        cairn_report_worked(w->steps, w->parameter,
                            "#, an end of what is possible: the slope is "
                            "nowhere 0",
                            w->t);
        return CAIRN_OK;
    }
    cairn_text_addf(&term, "#·#/(# + #·%s)", w->parameter);
    cairn_report_worked_sum(w->steps, "Σ E[n_j] p_j′/p_j", cairn_text_string(&term), terms, WIDTH,
                            n, 0);
    if (sum_by_zeros(w, counts) && w->low == 0)
        cairn_report_worked(w->steps, w->parameter, "#·# / (# + #) = #", counts[0], w->high,
                            counts[0], counts[1], w->t);
    else if (sum_by_zeros(w, counts))
        cairn_report_worked(w->steps, w->parameter, "(#·# + #·#) / (# + #) = #", counts[0], w->high,
                            counts[1], w->low, counts[0], counts[1], w->t);
    else
        cairn_report_worked(w->steps, w->parameter, "#, by halving the interval from # to #", w->t,
                            w->low, w->high);
    return cairn_text_status(&term);
}

static cairn_status expect(cairn_context *ctx, void *data, double *log_likelihood)
{
    work *w = data;
    (void)ctx;
    *log_likelihood = 0;
    memset(w->sums, 0, w->n_groups * sizeof *w->sums);
    for (size_t j = 0; j < w->n_cells; j++)
        w->sums[w->cells[j].group] += probability(w->cells + j, w->t);
    for (size_t g = 0; g < w->n_groups; g++)
        if (w->counts[g] > 0) *log_likelihood += w->counts[g] * cairn_log(w->sums[g]);
    for (size_t j = 0; j < w->n_cells; j++) {
        cell *c = w->cells + j;
        double sum = w->sums[c->group];
        c->expected = sum > 0 ? w->counts[c->group] * probability(c, w->t) / sum : 0;
    }
    return CAIRN_OK;
}

/* Every iteration is kept for the table, but only the first are shown; cells that are a group by
 * themselves have nothing to share. */
static void watch(void *data, size_t start, size_t iteration, double log_likelihood)
{
    work *w = data;
    double *line = w->course + iteration * (w->n_cells + 2);
    start_end *end = &w->ends[start];
    if (!iteration) end->first = w->t;
    *end = (start_end){end->first, w->t, log_likelihood, iteration};
    line[0] = w->t;
    line[1] = log_likelihood;
    for (size_t j = 0; j < w->n_cells; j++) line[2 + j] = w->cells[j].expected;
    w->n_course = iteration + 1;
    if (!w->steps || iteration >= SHOWN) return;
    if (w->n_starts > 1)
        cairn_report_step_begin(w->steps, "Start %zu, iteration %zu", start + 1, iteration);
    else
        cairn_report_step_begin(w->steps, "Iteration %zu", iteration);
    cairn_report_failed(w->steps, show_maximum(cairn_report_context(w->steps), w));
    /* Expected counts as on a board, of groups with several cells. */
    for (size_t j = 0; j < w->n_cells; j++) {
        const cell *c = w->cells + j;
        char label[80];
        if (probability(c, w->t) == w->sums[c->group]) continue;
        snprintf(label, sizeof label, "E[%.60s]", c->name);
        cairn_report_worked(w->steps, label, "# · # / # = #", w->counts[c->group],
                            probability(c, w->t), w->sums[c->group], c->expected);
    }
    cairn_report_step_end(w->steps);
}

/* The course of the best start is put aside; of one start it stays where it is. */
static void keep(void *data, size_t start)
{
    work *w = data;
    (void)start;
    w->n_best = w->n_course;
    if (w->best != w->course)
        memcpy(w->best, w->course, w->n_course * (w->n_cells + 2) * sizeof *w->best);
}

/* Parameter, counts and course are those of the best start again. */
static void take_best(work *w)
{
    const double *line = w->best + (w->n_best - 1) * (w->n_cells + 2);
    if (!w->n_best) return;
    w->course = w->best, w->n_course = w->n_best;
    w->t = line[0];
    for (size_t j = 0; j < w->n_cells; j++) w->cells[j].expected = line[2 + j];
}

/* -- showing -- */

/* Where every start began and ended, with the best marked. */
static void show_starts(cairn_report *out, const work *w, size_t best)
{
    char first[80];
    if (w->n_starts == 1) return;
    snprintf(first, sizeof first, "first %.60s", w->parameter);
    cairn_report_table_of(out, "Starts", 50, "rrrrr", "start", first, w->parameter,
                          "log-likelihood", "iterations");
    for (size_t s = 0; s < w->n_starts; s++) {
        const start_end *end = &w->ends[s];
        if (s == best) cairn_report_row_mark(out);
        cairn_report_cells(out,
                           "- start$1.first start$1.parameter start$1.log_likelihood "
                           "start$1.iterations",
                           s + 1, end->first, end->last, end->log_likelihood, end->iterations);
    }
    cairn_report_hidden(out, (double)best + 1, "best_start");
}

/* The table of iterations: the parameter, the expected counts and the log-likelihood of each. */
static void show_course(cairn_report *out, const work *w)
{
    char head[80];
    cairn_report_table_of(out, "Iterations", 50, "rrr", "iteration", w->parameter,
                          "log-likelihood");
    for (size_t j = 0; j < w->n_cells; j++) {
        snprintf(head, sizeof head, "E[%.60s]", w->cells[j].name);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < w->n_course; i++) {
        const double *line = w->course + i * (w->n_cells + 2);
        cairn_report_cells(out, "- iteration$1.parameter iteration$1.log_likelihood", i, line[0],
                           line[1]);
        for (size_t j = 0; j < w->n_cells; j++)
            cairn_report_cell_number(out, line[2 + j], 0, "iteration%zu.expected.%s", i,
                                     cairn_report_key(out, w->cells[j].name));
    }
}

/* Where EM begins: at hidden counts, at a parameter, or in the middle of what is possible. */
static cairn_status set_start(cairn_context *ctx, work *w, const em_params *params)
{
    double *numbers;
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
    size_t n;
    if (params->start_counts) return read_start(ctx, w, params->start_counts);
    w->t = w->low + (w->high - w->low) / 2;
    if (!params->start) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{start}"), params->start, &numbers, &n));
    if (n == 1 && numbers[0] > w->low && numbers[0] < w->high) {
        w->t = numbers[0];
        return CAIRN_OK;
    }
    cairn_number_format(low, w->low, 6);
    cairn_number_format(high, w->high, 6);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{start} is %s; it must be one number, and %s lies between %s and %s",
                      params->start, w->parameter, low, high);
}

/* The log-likelihood of what was seen, and its slope, from the parameter alone; the slope is 0 in
 * the end, unless an end of what is possible was met, and is told only, since EM ends by gains. */
static void prove(cairn_certificate *c, const work *w, const cairn_em_result *result,
                  const cairn_progress *progress)
{
    cairn_em_again again = {0};
    double slope = 0, size = 0, near = 1e-6 * (w->high - w->low);
    for (size_t g = 0; g < w->n_groups; g++) {
        double p = 0, by = 0, log;
        for (size_t j = 0; j < w->n_cells; j++)
            if (w->cells[j].group == g) {
                p += w->cells[j].constant + w->cells[j].slope * w->t;
                by += w->cells[j].slope;
            }
        if (!(w->counts[g] > 0)) continue;
        log = w->counts[g] * cairn_log(fmax(p, 0));
        again.log_likelihood += log;
        again.size += w->counts[g] + fabs(log);
        slope += w->counts[g] * by / p;
        size += fabs(w->counts[g] * by / p);
    }
    cairn_em_certify(c, result, progress, &again);
    if (w->t > w->low + near && w->t < w->high - near && size > 0)
        cairn_certify(c, CAIRN_PROOF_GRADIENT, fabs(slope) / size, INFINITY);
}

/* Cells and what was seen of them are read, EM is run, and its steps are shown where they are
 * asked for. */
static cairn_status em_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    em_params typed = *(const em_params *)job->params, *params = &typed;
    work w = {.parameter = params->parameter,
              .steps = job->steps ? out : NULL,
              .n_starts = (size_t)params->starts};
    cairn_em em = {.n_starts = w.n_starts, .data = &w, .begin = begin, .expect = expect};
    cairn_progress p = {.most = (size_t)params->max_iter, .tolerance = params->tolerance};
    cairn_certificate certificate = {0};
    cairn_em_result result;
    em.maximise = maximise, em.keep = keep, em.watch = watch;
    if (params->stop == BY_PARAMETER) em.change = change;
    if (job->table && (params->cells || params->seen))
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' takes either {cells} and {seen}, or DATA",
                          job->what);
    if (job->table) CHECK(read_table(ctx, params, job->table));
    if (!params->cells || !params->seen)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs {cells} with their probabilities and the counts that were "
                          "{seen}, or DATA that holds them",
                          job->what);
    CHECK(read_cells(ctx, &w, params->cells));
    CHECK(read_seen(ctx, &w, params->seen));
    CHECK(set_start(ctx, &w, params));
    CHECK(SCRATCH(ctx, &w.course, cairn_product(p.most + 1, w.n_cells + 2)));
    w.best = w.course;
    if (w.n_starts > 1) CHECK(SCRATCH(ctx, &w.best, cairn_product(p.most + 1, w.n_cells + 2)));
    CHECK(SCRATCH(ctx, &w.ends, w.n_starts));
    cairn_random_start(&w.random, ctx->seed, 0);
    cairn_report_heading(out, 1, "EM of counts that are seen in part");
    if (job->steps)
        cairn_report_formula(out,
                             "E[n_j] = n_group p_j / Σ p of the group,   %s = argmax Σ E[n_j] ln "
                             "p_j, where the slope Σ E[n_j] p_j′/p_j is 0",
                             w.parameter);
    CHECK(cairn_em_run(ctx, &result, &em, &p));
    take_best(&w);
    prove(&certificate, &w, &result, &p);
    CHECK(cairn_certificate_judge(ctx, &certificate, "em"));
    show_starts(out, &w, result.best_start);
    show_course(out, &w);
    cairn_report_value(out, w.parameter, w.t, "parameter");
    cairn_report_value(out, "log-likelihood", result.log_likelihood, "log_likelihood");
    for (size_t j = 0; j < w.n_cells; j++)
        cairn_report_hidden(out, w.cells[j].expected, "expected.%s",
                            cairn_report_key(out, w.cells[j].name));
    cairn_report_value(out, "iterations", (double)p.iterations, "iterations");
    cairn_report_word(out, "converged", p.converged ? "yes" : "no", "converged");
    cairn_certificate_report(out, &certificate);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_em = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "em",
         .also = "expectation-maximisation, hidden counts, partly observed multinomial",
         .about = "E-step, M-step, expectation step, maximisation step, hidden variables",
         .title = "EM of counts that are seen in part",
         .summary =
             "Estimates the parameter of a multinomial whose cells have probabilities "
             "linear in it, when of some cells only the sum of the counts was seen: in "
             "turn the hidden counts that are expected and the parameter that makes "
             "them likeliest, from a first parameter or from first counts. A table may say it, "
             "too: a row for each cell with its name, 'probability', 'group', "
             "'group_count' and, if wanted, 'start'.",
         .references = "Dempster, Laird and Rubin: Maximum Likelihood from Incomplete Data "
                       "via the EM Algorithm, Journal of the Royal Statistical Society B 39 "
                       "(1977)",
         .example = "cairn compute em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen "
                    "'a+b=20;c=10;d=10' --start-counts 'a=15;b=5' --steps",
         .params = em_table,
         .params_size = sizeof(em_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ID,
    .run = em_run,
};
