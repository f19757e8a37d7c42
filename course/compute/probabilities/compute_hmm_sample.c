/* SPDX-License-Identifier: MIT */
/* cairn compute hmm-sample: the story of a hidden Markov model. Somebody behind a curtain goes from
 * state to state and tells only what each state gives off: the side of a coin, the colour of a ball
 * from an urn, a vector of numbers. The model is typed or read in its text form (or one of two
 * classical stories), checked, shown, and sequences of states and of what is seen are drawn. */
#include "compute/probabilities/hmm_source.h"
#include "learners/sequence/hmm.h"
#include "model/calculator.h"

#include "base/file.h"
#include "base/functions.h"
#include "base/memory.h"
#include "plots/chain_plot.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_STEPS = 50, WORKED_STEPS = 4 };

typedef enum story { STORY_NONE, STORY_COINS, STORY_URNS } story;

static const cairn_choice stories[] = {
    {"none", STORY_NONE, "the model is given"},
    {"coins", STORY_COINS, "two coins, of which one is loaded"},
    {"urns", STORY_URNS, "three urns with red, green and blue balls"},
    {0},
};

static const char *const story_texts[] = {
    [STORY_COINS] = "states fair loaded; symbols H T; start 0.6 0.4; from fair 0.7 0.3;"
                    "from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2",
    [STORY_URNS] = "states urn1 urn2 urn3; symbols red green blue; from urn1 0.5 0.3 0.2;"
                   "from urn2 0.2 0.6 0.2; from urn3 0.3 0.3 0.4; emit urn1 6/10 3/10 1/10;"
                   "emit urn2 1/10 6/10 3/10; emit urn3 2/10 2/10 6/10",
};

typedef struct told_model {
    const char *given, *given_file;
    int story;
} told_model;

typedef struct sample_params {
    told_model model;
    int length;
} sample_params;

typedef enum look { LOOK_BARS, LOOK_URNS } look;

static const cairn_choice looks[] = {
    {"bars", LOOK_BARS, "a bar for each state, whose parts are the symbols"},
    {"urns", LOOK_URNS, "an urn for each state with ten balls, a colour for each symbol"},
    {0},
};

typedef struct picture_params {
    told_model model;
    int emissions;
} picture_params;

static const cairn_param told_table[] = {
    CAIRN_PARAM(told_model, given, NULL, NULL,
                "the model in its text form: 'states fair loaded; symbols H T; start 0.6 0.4; from "
                "fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'",
                .often = true),
    CAIRN_PARAM_AS(told_model, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the model in its text form", .often = true),
    CAIRN_PARAM_CHOICE(told_model, story, "none", stories, "a model that is built in",
                       .often = true),
    CAIRN_PARAM_END,
};

static const cairn_param sample_table[] = {
    CAIRN_PARAM_GROUP(sample_params, model, told_table),
    CAIRN_PARAM(sample_params, length, "20", "[1,1000000]", "how many steps are drawn",
                .often = true),
    CAIRN_PARAM_END,
};

static const cairn_param picture_table[] = {
    CAIRN_PARAM_GROUP(picture_params, model, told_table),
    CAIRN_PARAM_CHOICE(picture_params, emissions, "bars", looks, "how symbols are drawn"),
    CAIRN_PARAM_END,
};

/* -- reading -- */

/* The model is saved or told in one way, and a chain, which gives nothing off, is refused. */
static cairn_status read_model(cairn_context *ctx, cairn_hmm *out, const told_model *p,
                               const cairn_model *model)
{
    OWNED(cairn_free) char *bytes = NULL;
    int ways = !!p->given + !!p->given_file + (p->story != STORY_NONE) + !!model;
    const char *text = p->story != STORY_NONE ? story_texts[p->story] : p->given;
    const char *where = text ? cairn_say(ctx, "{given}") : p->given_file;
    if (ways != 1)
        return cairn_fail(ctx, CAIRN_USAGE, "%s {given}, {given-file}, {story} and a saved MODEL",
                          ways ? "the model is told in more than one way; choose one of"
                               : "say what the model is by one of");
    if (model) return cairn_hmm_saved_alone(ctx, out, model);
    size_t length = text ? strlen(text) : 0;
    if (!text) CHECK(cairn_file_read_all(ctx, where, &bytes, &length));
    CHECK(cairn_hmm_read(ctx, out, where, text ? text : bytes, length));
    if (out->n_symbols || out->n_numbers) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the states give nothing off: add 'symbols' and a line 'emit STATE' for "
                      "each state; 'cairn compute chain' is for chains",
                      where);
}

/* -- what was drawn -- */

typedef struct drawn {
    size_t n;
    int32_t *states, *symbols; /* scratch; symbols NULL = numbers */
    double *numbers;           /* n x n_numbers */
} drawn;

static cairn_status draw_steps(cairn_context *ctx, const cairn_hmm *m, drawn *d)
{
    cairn_random random;
    CHECK(SCRATCH(ctx, &d->states, d->n));
    if (m->n_symbols) CHECK(SCRATCH(ctx, &d->symbols, d->n));
    if (m->n_numbers) CHECK(SCRATCH(ctx, &d->numbers, cairn_product(d->n, m->n_numbers)));
    cairn_random_start(&random, ctx->seed, 0);
    return cairn_hmm_sample(ctx, m, &random, d->n, d->states, d->symbols, d->numbers);
}

/* Hidden and seen side by side, as nobody before the curtain has them. */
static void show_drawn(cairn_report *out, const cairn_hmm *m, const drawn *d)
{
    cairn_report_table_of(out, "Behind the curtain and before it", SHOWN_STEPS, "rl", "step",
                          "hidden");
    if (m->n_symbols) cairn_report_column(out, "seen", 'l');
    for (size_t k = 0; k < m->n_numbers; k++) {
        char head[32];
        snprintf(head, sizeof head, "x%zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t t = 0; t < d->n && t < SHOWN_STEPS; t++) {
        cairn_report_cellf(out, "%zu", t + 1);
        cairn_report_cell_word(out, cairn_map_key(&m->states, (size_t)d->states[t]), "hidden.%zu",
                               t + 1);
        if (m->n_symbols)
            cairn_report_cell_word(out, cairn_map_key(&m->symbols, (size_t)d->symbols[t]),
                                   "seen.%zu", t + 1);
        for (size_t k = 0; k < m->n_numbers; k++)
            cairn_report_cell_number(out, d->numbers[t * m->n_numbers + k], 0, "x%zu.%zu", k + 1,
                                     t + 1);
    }
    cairn_report_table_end(out);
    if (d->n > SHOWN_STEPS)
        cairn_report_paragraph(out, "%zu more steps are left out.", d->n - SHOWN_STEPS);
}

/* How probable step t is after the one before: to be in its state, times, where symbols are seen,
 * to give off its symbol there. */
typedef struct story_factor {
    double move, emit;
} story_factor;

static story_factor factor_of(const cairn_hmm *m, const drawn *d, size_t t)
{
    size_t state = (size_t)d->states[t];
    return (story_factor){t ? m->move[(size_t)d->states[t - 1] * m->n_states + state]
                            : m->start[state],
                          m->n_symbols ? m->emit[state * m->n_symbols + (size_t)d->symbols[t]] : 1};
}

/* The first steps with their numbers: a(urn1, urn2)·b(urn2, red). */
static void tell_steps(cairn_report *out, const cairn_hmm *m, const drawn *d)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    for (size_t t = 0; t < d->n && t < WORKED_STEPS; t++) {
        story_factor f = factor_of(m, d, t);
        const char *name = cairn_map_key(&m->states, (size_t)d->states[t]);
        label.length = 0;
        if (t)
            cairn_text_addf(&label, "a(%s, %s)",
                            cairn_map_key(&m->states, (size_t)d->states[t - 1]), name);
        else
            cairn_text_addf(&label, "π(%s)", name);
        if (m->n_symbols)
            cairn_text_addf(&label, "·b(%s, %s)", name,
                            cairn_map_key(&m->symbols, (size_t)d->symbols[t]));
        cairn_report_step_begin(out, "Step %zu of the sequence", t + 1);
        if (m->n_symbols)
            cairn_report_worked(out, cairn_text_string(&label), "#·# = #", f.move, f.emit,
                                f.move * f.emit);
        else
            cairn_report_worked(out, cairn_text_string(&label), "#", f.move);
        cairn_report_step_end(out);
    }
    if (d->n > WORKED_STEPS) cairn_report_paragraph(out, "And so on, up to step %zu.", d->n);
    cairn_report_failed(out, cairn_text_status(&label));
}

/* How probable all of it is, states and symbols together. */
static void show_probability(cairn_report *out, const cairn_hmm *m, const drawn *d)
{
    double product = 1, log = 0;
    for (size_t t = 0; t < d->n; t++) {
        story_factor f = factor_of(m, d, t);
        product *= f.move * f.emit;
        log += cairn_log(f.move) + cairn_log(f.emit);
    }
    cairn_report_formula(out, "P(Q, O) = π(q1)·b(q1, o1)·a(q1, q2)·b(q2, o2)·...");
    cairn_report_value(out, "probability of states and symbols", product, "story.p");
    cairn_report_value(out, "its natural logarithm", log, "story.log");
}

static cairn_status add_names(cairn_context *ctx, cairn_table *table, const char *name,
                              const int32_t *codes, const cairn_map *names)
{
    const char **list;
    CHECK(SCRATCH(ctx, &list, names->n));
    for (size_t i = 0; i < names->n; i++) list[i] = cairn_map_key(names, i);
    return cairn_table_add_levels(ctx, table, name, codes, list, names->n);
}

/* The table to write: step, hidden state, and what was seen. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_hmm *m,
                                const drawn *d)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column;
    CHECK(SCRATCH(ctx, &column, d->n));
    for (size_t t = 0; t < d->n; t++) column[t] = (double)(t + 1);
    CHECK(cairn_table_new(ctx, &table, d->n));
    CHECK(cairn_table_put_numbers(ctx, table, "step", column));
    CHECK(add_names(ctx, table, "hidden", d->states, &m->states));
    if (m->n_symbols) CHECK(add_names(ctx, table, "seen", d->symbols, &m->symbols));
    for (size_t k = 0; k < m->n_numbers; k++) {
        char name[32];
        snprintf(name, sizeof name, "x%zu", k + 1);
        for (size_t t = 0; t < d->n; t++) column[t] = d->numbers[t * m->n_numbers + k];
        CHECK(cairn_table_put_numbers(ctx, table, name, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

static cairn_status sample_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const sample_params *p = job->params;
    SCOPED(cairn_hmm_clear) cairn_hmm model = {0};
    drawn d = {.n = (size_t)p->length};
    CHECK(read_model(ctx, &model, &p->model, job->model));
    CHECK(draw_steps(ctx, &model, &d));
    cairn_report_heading(out, 1, "Hidden Markov model");
    cairn_hmm_report_model(out, &model, "");
    if (job->steps) tell_steps(out, &model, &d);
    show_drawn(out, &model, &d);
    if (model.n_symbols) show_probability(out, &model, &d);
    return job->result ? make_result(ctx, job->result, &model, &d) : CAIRN_OK;
}

/* -- the picture -- */

static cairn_status list_names(cairn_context *ctx, const char ***out, const cairn_map *names)
{
    CHECK(SCRATCH(ctx, out, names->n));
    for (size_t i = 0; i < names->n; i++) (*out)[i] = cairn_map_key(names, i);
    return CAIRN_OK;
}

/* The state diagram, and beside it what the states give off. */
static cairn_status draw_model(cairn_context *ctx, cairn_figure *figure, const cairn_hmm *m,
                               look emissions)
{
    OWNED(cairn_figure_free) cairn_figure *states = NULL, *seen = NULL;
    const char **state_names, **symbol_names, **columns;
    CHECK(list_names(ctx, &state_names, &m->states));
    CHECK(list_names(ctx, &symbol_names, &m->symbols));
    CHECK(list_names(ctx, &columns, &m->columns));
    cairn_emissions e = {.n_states = m->n_states,
                         .n_symbols = m->n_symbols,
                         .n_numbers = m->n_numbers,
                         .states = state_names,
                         .names = symbol_names,
                         .columns = m->columns.n ? columns : NULL,
                         .emit = m->emit,
                         .mean = m->mean,
                         .covariance = m->covariance};
    CHECK(cairn_state_plot(ctx, &states, "states", "Hidden states", state_names, m->move,
                           m->n_states));
    if (m->n_numbers)
        CHECK(cairn_emission_normals(ctx, &seen, &e));
    else if (emissions == LOOK_URNS)
        CHECK(cairn_emission_urns(ctx, &seen, &e));
    else
        CHECK(cairn_emission_bars(ctx, &seen, &e));
    cairn_figure_panel(figure, TAKE(states));
    cairn_figure_panel(figure, TAKE(seen));
    return CAIRN_OK;
}

/* Moves that learning has all but ruled out are no arrows. */
static void leave_out_least(cairn_hmm *m)
{
    for (size_t i = 0; i < m->n_states * m->n_states; i++)
        if (m->move[i] < 1e-6) m->move[i] = 0;
}

static cairn_status sample_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const picture_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_hmm_clear) cairn_hmm model = {0};
    CHECK(read_model(ctx, &model, &p->model, job->model));
    if (job->model) leave_out_least(&model);
    CHECK(cairn_figure_new(ctx, &figure, "hmm", "Hidden Markov model"));
    CHECK(draw_model(ctx, figure, &model, (look)p->emissions));
    *out = TAKE(figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_hmm_sample = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "hmm-sample",
              .also = "hidden Markov model generator, HMM sampling, coins behind a curtain, urns "
                      "and balls, simulate HMM",
              .title = "Sequences of a hidden Markov model",
              .summary =
                  "Reads a hidden Markov model in its text form, checks shapes and sums, and "
                  "draws a sequence of hidden states with what they give off: symbols, or "
                  "vectors by normal densities. Two classical stories are built in.",
              .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                            "77 (1989)",
              .example = "cairn compute hmm-sample --story urns --length 10 --steps",
              .params = sample_table,
              .params_size = sizeof(sample_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "hmm",
                .also = "hidden Markov model diagram, emissions, urns and balls, state diagram",
                .title = "Diagram of a hidden Markov model",
                .summary =
                    "The states with an arrow for every move that is possible, and beside "
                    "them what they give off: bars or urns of symbols, or normal densities. Of a "
                    "saved model moves below 1e-6 are left out.",
                .example = "cairn draw hmm --story urns --emissions urns --out urns.svg",
                .params = picture_table,
                .params_size = sizeof(picture_params)},
    .arguments = "[MODEL]",
    .takes_model = true,
    .run = sample_run,
    .draw = sample_draw,
};
