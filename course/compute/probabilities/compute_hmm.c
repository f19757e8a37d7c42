/* SPDX-License-Identifier: MIT */
/* cairn compute hmm and, further down, cairn compute hmm-sample.
 *
 * cairn compute hmm: the three questions to a hidden Markov model that is typed or read.
 *
 *     how probable is a sequence     forward: αt(j) = (Σ αt-1(i) a(i,j)) b(j, ot), P = Σ αT(j)
 *     which states were behind it    Viterbi: the most probable path; and the most probable state
 *                                    of each step, γt(j) = αt(j) βt(j) / P, which may be another
 *     which model makes it probable  Baum and Welch: expected counts of starts, moves and symbols
 *                                    under γ and ξ become the probabilities of the next model
 *
 * Several models are compared: the sequence belongs to the one that makes it most probable. */
#include "entry/split.h"
#include "learners/sequence/hmm.h"
#include "model/calculator.h"
#include "typed/known_names.h"
#include "typed/labels.h"
#include "base/file.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"
#include "model/chain.h"
#include "model/model.h"
#include "plots/chain_plot.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- the models -- */

/* How many hidden Markov models a model has: one, or one for each class. Fails for one of another
 * learner. */
static cairn_status hmm_saved_count(cairn_context *ctx, const cairn_model *model, size_t *n)
{
    const char *learner = model->learner ? model->learner->entry.name : "a recipe";
    if (!cairn_same(learner, "hmm") && !cairn_same(learner, "hmm-classifier"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s is no hidden Markov model; cairn fit hmm and cairn fit "
                          "hmm-classifier make such models",
                          learner);
    *n = ((const cairn_hmm_model *)model->state)->n_models;
    return CAIRN_OK;
}

/* A copy of the i-th, with the names of its columns; *name becomes its class, NULL = it is the only
 * one. */
static cairn_status hmm_saved(cairn_context *ctx, cairn_hmm *out, const cairn_model *model,
                              size_t i, const char **name)
{
    const cairn_hmm_model *m = model->state;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    *name = m->n_models > 1 ? cairn_map_key(&cairn_model_target(model)->names, i) : NULL;
    cairn_hmm_write(&text, &m->models[i]);
    CHECK(cairn_text_status(&text));
    CHECK(cairn_hmm_read(ctx, out, "the model", cairn_text_string(&text), text.length));
    return cairn_hmm_name_numbers(ctx, &out->columns, &model->inner, m->shape);
}

/* -- compute hmm-sample -- */

/* cairn compute hmm-sample: the story of a hidden Markov model. Somebody behind a curtain goes from
 * state to state and tells only what each state gives off: the side of a coin, the colour of a ball
 * from an urn, a vector of numbers. The model is typed or read in its text form (or one of two
 * classical stories), checked, shown, and sequences of states and of what is seen are drawn. */

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

typedef struct reported_model {
    const char *given, *given_file;
    int story;
} reported_model;

typedef struct sample_params {
    reported_model model;
    int length;
} sample_params;

typedef enum look { LOOK_BARS, LOOK_URNS } look;

static const cairn_choice looks[] = {
    {"bars", LOOK_BARS, "a bar for each state, whose parts are the symbols"},
    {"urns", LOOK_URNS, "an urn for each state with ten balls, a colour for each symbol"},
    {0},
};

typedef struct picture_params {
    reported_model model;
    int emissions;
} picture_params;

static const cairn_param reported_table[] = {
    CAIRN_PARAM(reported_model, given, NULL, NULL,
                "the model in its text form: 'states fair loaded; symbols H T; start 0.6 0.4; from "
                "fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'",
                .often = true),
    CAIRN_PARAM_AS(reported_model, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the model in its text form", .often = true),
    CAIRN_PARAM_CHOICE(reported_model, story, "none", stories, "a model that is built in",
                       .often = true),
    CAIRN_PARAM_END,
};

static const cairn_param sample_table[] = {
    CAIRN_PARAM_GROUP(sample_params, model, reported_table),
    CAIRN_PARAM(sample_params, length, "20", "[1,1000000]", "how many steps are drawn",
                .often = true),
    CAIRN_PARAM_END,
};

static const cairn_param picture_table[] = {
    CAIRN_PARAM_GROUP(picture_params, model, reported_table),
    CAIRN_PARAM_CHOICE(picture_params, emissions, "bars", looks, "how symbols are drawn"),
    CAIRN_PARAM_END,
};

/* -- reading -- */

/* The model is saved or told in one way, and a chain, which gives nothing off, is refused. */
static cairn_status read_model(cairn_context *ctx, cairn_hmm *out, const reported_model *p,
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
    if (model) {
        /* A copy of the only one. */
        size_t n;
        const char *name;
        CHECK(hmm_saved_count(ctx, model, &n));
        if (n != 1)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "the model has a hidden Markov model for each of %zu classes, and one is "
                "needed here; 'cairn compute hmm' compares them",
                n);
        return hmm_saved(ctx, out, model, 0, &name);
    }
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
        cairn_report_cells(out, "- hidden.$1", t + 1,
                           cairn_map_key(&m->states, (size_t)d->states[t]));
        if (m->n_symbols)
            cairn_report_cell_word(out, cairn_map_key(&m->symbols, (size_t)d->symbols[t]),
                                   "seen.%zu", t + 1);
        for (size_t k = 0; k < m->n_numbers; k++)
            cairn_report_cell_number(out, d->numbers[t * m->n_numbers + k], 0, "x%zu.%zu", k + 1,
                                     t + 1);
    }
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
    cairn_random random;
    CHECK(SCRATCH(ctx, &d.states, d.n));
    if (model.n_symbols) CHECK(SCRATCH(ctx, &d.symbols, d.n));
    if (model.n_numbers) CHECK(SCRATCH(ctx, &d.numbers, cairn_product(d.n, model.n_numbers)));
    cairn_random_start(&random, ctx->seed, 0);
    CHECK(cairn_hmm_sample(ctx, &model, &random, d.n, d.states, d.symbols, d.numbers));
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

static cairn_status sample_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const picture_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_hmm_clear) cairn_hmm model = {0};
    CHECK(read_model(ctx, &model, &p->model, job->model));
    if (job->model) {
        /* Moves that learning has all but ruled out are no arrows. */
        for (size_t i = 0; i < model.n_states * model.n_states; i++)
            if (model.move[i] < 1e-6) model.move[i] = 0;
    }
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
              .about = "coin tossing example, urn and ball model",
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

enum { MOST_MODELS = 100, WORKED_ITERATIONS = 2, SHOWN_ITERATIONS = 100, SHOWN_SEQUENCES = 10 };

typedef struct hmm_params {
    const char *given, *given_file, *names, *of;
    int iterations;
    double tolerance, floor;
} hmm_params;

static const cairn_param hmm_table[] = {
    CAIRN_PARAM(hmm_params, given, NULL, NULL,
                "the model in its text form: 'states fair loaded; symbols H T; start 0.6 0.4; from "
                "fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2'",
                .often = true, .repeated = true),
    CAIRN_PARAM_AS(hmm_params, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the model in its text form", .often = true),
    CAIRN_PARAM(hmm_params, names, NULL, NULL,
                "names of several models, such as word1,word2, in the order of 'given'"),
    CAIRN_PARAM(hmm_params, of, NULL, NULL,
                "a sequence of symbols or numbers, such as 'H H T H'; vectors as '1,2 3,?'; ? is "
                "what was not seen",
                .often = true, .repeated = true),
    CAIRN_PARAM(hmm_params, iterations, "0", "[0,10000]",
                "so many iterations of Baum and Welch from the model that is given", .often = true),
    CAIRN_PARAM(hmm_params, tolerance, "0", "[0,1)",
                "stop earlier, when an iteration gains less than this part of the log-likelihood",
                .when = "!iterations=0"),
    CAIRN_PARAM(hmm_params, floor, "1e-3", "[1e-10,1)",
                "numbers: least variance of a state in any direction, as a part of that of all "
                "steps (of 1 where all are equal)",
                .when = "!iterations=0"),
    CAIRN_PARAM_END,
};

/* The trellis is drawn for one model and one sequence. */
static const cairn_param trellis_table[] = {
    CAIRN_PARAM(hmm_params, given, NULL, NULL,
                "the model in its text form, as for 'cairn compute hmm'", .often = true),
    CAIRN_PARAM_AS(hmm_params, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the model in its text form", .often = true),
    CAIRN_PARAM(hmm_params, of, NULL, NULL, "the sequence, of at most 30 steps, such as 'H H T H'",
                .often = true),
    CAIRN_PARAM_END,
};

typedef struct asked {
    cairn_context *ctx;
    cairn_hmm *models; /* n_models; scratch, what is in them owned */
    const char **names;
    size_t n_models;
    const char *const *texts; /* of the sequences; NULL = they are those of a table */
    cairn_hmm_seen *seen;     /* n */
    size_t n;
    cairn_table *matched, *inner; /* a table as a saved model sees it */
} asked;

static void asked_clear(asked *a)
{
    for (size_t i = 0; i < a->n_models; i++) cairn_hmm_clear(&a->models[i]);
    cairn_table_free(a->matched);
    cairn_table_free(a->inner);
}

/* -- reading -- */

static cairn_status check_model(cairn_context *ctx, const cairn_hmm *m, const cairn_hmm *first)
{
    if (!m->n_symbols && !m->n_numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{given}: the states give nothing off: add 'symbols' and a line 'emit "
                          "STATE' for each state; 'cairn compute chain' is for chains");
    if (!m->n_symbols != !first->n_symbols || m->n_numbers != first->n_numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{given}: all models must give off the same: symbols, or equally many "
                          "numbers");
    return CAIRN_OK;
}

/* The models that were saved, with the names of their classes. */
static cairn_status take_saved(asked *a, const cairn_model *model)
{
    size_t n;
    CHECK(hmm_saved_count(a->ctx, model, &n));
    CHECK(SCRATCH_EACH(a->ctx, n, &a->models, &a->names));
    for (size_t i = 0; i < n; i++) {
        a->n_models++;
        CHECK(hmm_saved(a->ctx, &a->models[i], model, i, &a->names[i]));
    }
    return CAIRN_OK;
}

/* What was saved, one model from a file, or as many as were typed. */
static cairn_status read_models(asked *a, const hmm_params *p, const cairn_model *model)
{
    const char *const *lines;
    size_t n = 0;
    int ways = !!p->given + !!p->given_file + !!model;
    if (ways != 1)
        return cairn_fail(a->ctx, CAIRN_USAGE,
                          "say what the model is by {given}, {given-file} or a saved MODEL%s",
                          ways ? ", in one way only" : "");
    if (model) return take_saved(a, model);
    if (p->given_file) {
        const char *path = p->given_file;
        OWNED(cairn_free) char *bytes = NULL;
        size_t length;
        CHECK(SCRATCH(a->ctx, &a->models, 1));
        CHECK(cairn_file_read_all(a->ctx, path, &bytes, &length));
        CHECK(cairn_hmm_read(a->ctx, &a->models[0], path, bytes, length));
        a->n_models = 1;
        return check_model(a->ctx, a->models, a->models);
    }
    CHECK(cairn_list_lines(a->ctx, p->given, &lines));
    while (lines[n]) n++;
    if (n > MOST_MODELS)
        return cairn_fail(a->ctx, CAIRN_USAGE, "{given}: %zu models, where at most %d are taken", n,
                          MOST_MODELS);
    CHECK(SCRATCH(a->ctx, &a->models, n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_hmm_read(a->ctx, &a->models[i], cairn_say(a->ctx, "{given}"), lines[i],
                             strlen(lines[i])));
        a->n_models++;
        CHECK(check_model(a->ctx, &a->models[i], a->models));
    }
    return CAIRN_OK;
}

static cairn_status fail_symbol(cairn_context *ctx, const cairn_map *symbols, cairn_name name,
                                size_t number, size_t step)
{
    SCOPED(cairn_text_clear) cairn_text known = cairn_text_start(ctx);
    OWNED(cairn_free) char *text = NULL;
    CHECK(cairn_copy_text(ctx, &text, name.at, name.length));
    cairn_text_known_names(&known, symbols, text);
    CHECK(cairn_text_status(&known));
    return cairn_fail(ctx, CAIRN_USAGE, "{of}: sequence %zu, step %zu: there is no symbol '%s'; %s",
                      number, step, text, cairn_text_string(&known));
}

/* One step: a symbol of the model, a number, or ?. */
static cairn_status read_step(asked *a, size_t number, size_t step, cairn_name name,
                              int32_t *symbol, double *value)
{
    const cairn_hmm *m = a->models;
    bool missing = name.length == 1 && *name.at == '?';
    if (m->n_numbers) {
        *value = NAN;
        if (missing || (cairn_number_parse(name.at, name.length, value) && isfinite(*value)))
            return CAIRN_OK;
        return cairn_fail(a->ctx, CAIRN_USAGE, "{of}: sequence %zu: number %zu, '%.*s', is none",
                          number, step, (int)name.length, name.at);
    }
    int64_t found = missing ? -1 : cairn_map_find(&m->symbols, name.at, name.length);
    if (found < 0 && !missing) return fail_symbol(a->ctx, &m->symbols, name, number, step);
    *symbol = (int32_t)found;
    return CAIRN_OK;
}

/* How many numbers a word stands for: where commas join those of a step, ? alone is a whole step
 * of which nothing was seen. */
static size_t count_numbers(const char *text, const char *end, size_t d, cairn_name name)
{
    const char *before = name.at, *behind = name.at + name.length;
    if (d < 2 || name.length != 1 || *name.at != '?' || !memchr(text, ',', (size_t)(end - text)))
        return 1;
    while (before > text && before[-1] == ' ') before--;
    while (behind < end && *behind == ' ') behind++;
    bool joined = (before > text && before[-1] == ',') || (behind < end && *behind == ',');
    return joined ? 1 : d;
}

/* A sequence that was typed: its words are counted first, then each is looked up. */
static cairn_status read_sequence(asked *a, size_t i)
{
    const char *text = a->texts[i], *end = text + strlen(text), *at = text;
    size_t n = 0, d = a->models->n_numbers;
    int32_t *symbols;
    double *numbers;
    cairn_name name;
    while ((at = cairn_next_name(at, end, &name))) n += count_numbers(text, end, d, name);
    if (!n) return cairn_fail(a->ctx, CAIRN_USAGE, "{of}: sequence %zu is empty", i + 1);
    if (d && n % d)
        return cairn_fail(a->ctx, CAIRN_USAGE,
                          "{of}: sequence %zu has %zu numbers, but a step has %zu", i + 1, n, d);
    CHECK(SCRATCH_EACH(a->ctx, n, &symbols, &numbers));
    at = text;
    for (size_t t = 0; t < n;) {
        at = cairn_next_name(at, end, &name);
        for (size_t k = count_numbers(text, end, d, name); k-- > 0; t++)
            CHECK(read_step(a, i + 1, t + 1, name, &symbols[t], &numbers[t]));
    }
    a->seen[i] = (cairn_hmm_seen){d ? n / d : n, d ? NULL : symbols, d ? numbers : NULL};
    return CAIRN_OK;
}

/* The sequences of a table: a column of sequences or columns of series, a row each; or all rows,
 * one behind the other. A saved model sees its columns as its chain makes them, a typed one those
 * of the table. */
static cairn_status take_table(asked *a, const cairn_model *model, const cairn_table *table)
{
    const cairn_hmm *m = a->models;
    SCOPED(cairn_map_clear) cairn_map symbols = {0};
    cairn_hmm_data data;
    cairn_match match;
    cairn_view view;
    int32_t shape;
    if (model) {
        CHECK(cairn_schema_match(a->ctx, &a->matched, &model->schema, table, false, &match));
        cairn_warn_unseen(a->ctx, &model->schema, &match);
        CHECK(cairn_chain_apply(a->ctx, model, &a->inner, a->matched));
        table = a->inner;
    }
    CHECK(cairn_view_make(a->ctx, &view, table, cairn_all_rows(table)));
    if (model)
        shape = ((const cairn_hmm_model *)model->state)->shape;
    else
        CHECK(cairn_hmm_find_steps(a->ctx, &view, true, &shape));
    size_t width = cairn_hmm_width(&view, shape);
    if (width != m->n_numbers && !m->n_numbers)
        return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                          "the model gives off symbols, and the data has %zu number%s in a step; "
                          "{features COLUMN} chooses a column, {kinds COLUMN=level} takes its "
                          "numbers as symbols",
                          width, width == 1 ? "" : "s");
    if (width != m->n_numbers)
        return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                          "the model gives off %zu number%s, and the data has %zu in a step; "
                          "{features} says which columns count",
                          m->n_numbers, m->n_numbers == 1 ? "" : "s", width);
    for (size_t i = 0; i < m->n_symbols; i++) {
        const char *name = cairn_map_key(&m->symbols, i);
        size_t at;
        CHECK(cairn_map_add(a->ctx, &symbols, name, strlen(name), &at));
    }
    CHECK(cairn_hmm_read_steps(a->ctx, &data, &view, shape, NULL, view.rows.n, &symbols, !model));
    if (symbols.n > m->n_symbols) {
        SCOPED(cairn_text_clear) cairn_text known = cairn_text_start(a->ctx);
        const char *name = cairn_map_key(&symbols, m->n_symbols);
        cairn_text_known_names(&known, &m->symbols, name);
        CHECK(cairn_text_status(&known));
        return cairn_fail(a->ctx, CAIRN_BAD_DATA, "%s: there is no symbol '%s'; %s",
                          table->source ? table->source : "the data", name,
                          cairn_text_string(&known));
    }
    a->n = data.n;
    CHECK(SCRATCH(a->ctx, &a->seen, a->n + 1));
    for (size_t i = 0; i < a->n; i++) {
        a->seen[i] = cairn_hmm_sequence(&data, m->n_numbers, i);
        if (!a->seen[i].n)
            return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: the sequence is empty; leave the row out with {where}",
                              table->source ? table->source : "the data", i + 1);
    }
    return CAIRN_OK;
}

/* Symbols of one model as those of another; scratch. */
static cairn_status translate(asked *a, const cairn_hmm *to, cairn_hmm_seen *seen, size_t number)
{
    int32_t *symbols;
    if (!seen->symbols || to == a->models) return CAIRN_OK;
    CHECK(SCRATCH(a->ctx, &symbols, seen->n));
    for (size_t t = 0; t < seen->n; t++) {
        symbols[t] = -1;
        if (seen->symbols[t] < 0) continue;
        const char *name = cairn_map_key(&a->models->symbols, (size_t)seen->symbols[t]);
        int64_t found = cairn_map_find(&to->symbols, name, strlen(name));
        if (found < 0)
            return fail_symbol(a->ctx, &to->symbols, (cairn_name){name, strlen(name)}, number,
                               t + 1);
        symbols[t] = (int32_t)found;
    }
    seen->symbols = symbols;
    return CAIRN_OK;
}

static cairn_status read_all(asked *a, const hmm_params *p, const cairn_model *model,
                             const cairn_table *table)
{
    CHECK(read_models(a, p, model));
    if (p->names || !model)
        CHECK(cairn_read_names(a->ctx, &a->names, p->names, a->n_models, "names", "model"));
    if (table && p->of)
        return cairn_fail(a->ctx, CAIRN_USAGE,
                          "sequences are typed, {of}, or those of DATA, not both");
    if (table) return take_table(a, model, table);
    CHECK(cairn_list_lines(a->ctx, p->of, &a->texts));
    while (a->texts[a->n]) a->n++;
    if (!a->n)
        return cairn_fail(
            a->ctx, CAIRN_USAGE,
            "say by {of} for which sequence the model is asked, such as {of 'H H T'}, or give "
            "DATA with a column of sequences");
    CHECK(SCRATCH(a->ctx, &a->seen, a->n));
    for (size_t i = 0; i < a->n; i++) CHECK(read_sequence(a, i));
    return CAIRN_OK;
}

/* -- one model -- */

/* A short sequence stands in its heading, of a long one only how many steps it has. */
static void head_sequence(const asked *a, cairn_report *out, size_t i)
{
    enum { SHORT = 100 };
    if (a->texts && strlen(a->texts[i]) <= SHORT)
        cairn_report_heading(out, 2, "Sequence %zu: %s", i + 1, a->texts[i]);
    else
        cairn_report_heading(out, 2, "Sequence %zu: %zu steps", i + 1, a->seen[i].n);
}

/* The path of a sequence, of a long one its beginning. */
static cairn_status add_path(cairn_text *out, const cairn_hmm *m, const cairn_hmm_tables *tables)
{
    enum { SHOWN = 30 };
    for (size_t t = 0; t < tables->n_steps && t < SHOWN; t++)
        cairn_text_addf(out, "%s%s", t ? " " : "",
                        tables->path[t] < 0 ? "?"
                                            : cairn_map_key(&m->states, (size_t)tables->path[t]));
    if (tables->n_steps > SHOWN) cairn_text_addf(out, " … %zu more", tables->n_steps - SHOWN);
    return cairn_text_status(out);
}

/* A row for each sequence of a table, and ln P of all. */
static cairn_status show_table(asked *a, cairn_report *out)
{
    double sum = 0;
    cairn_report_table_of(out, "Sequences", 200, "rrrrl", "sequence", "steps", "ln P",
                          "ln P(Viterbi path)", "Viterbi path");
    for (size_t i = 0; i < a->n; i++) {
        SCOPED_SCRATCH(a->ctx);
        SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(a->ctx);
        cairn_hmm_tables tables;
        CHECK(cairn_hmm_tables_make(a->ctx, &tables, a->models, &a->seen[i]));
        CHECK(add_path(&path, a->models, &tables));
        sum += tables.log_p;
        cairn_report_cells(
            out, "- sequence$1.steps sequence$1.log sequence$1.viterbi.log sequence$1.viterbi.path",
            i + 1, (double)a->seen[i].n, tables.log_p, tables.log_path, cairn_text_string(&path));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "ln P of all sequences", sum, "log");
    return CAIRN_OK;
}

/* Those of a table after a table of all, in full only where they are few and short. */
static cairn_status show_sequences(asked *a, cairn_report *out, bool steps)
{
    enum { SHORT = 200 };
    if (!a->texts) CHECK(show_table(a, out));
    for (size_t i = 0; i < a->n && (a->texts || i < SHOWN_SEQUENCES); i++) {
        if (!a->texts && a->seen[i].n > SHORT) continue;
        SCOPED_SCRATCH(a->ctx);
        cairn_hmm_tables tables;
        char prefix[40];
        snprintf(prefix, sizeof prefix, "sequence%zu.", i + 1);
        CHECK(cairn_hmm_tables_make(a->ctx, &tables, a->models, &a->seen[i]));
        head_sequence(a, out, i);
        cairn_hmm_report_tables(out, a->models, &a->seen[i], &tables, prefix, steps);
    }
    return CAIRN_OK;
}

/* -- Baum and Welch -- */

/* The sequences one behind the other. */
static cairn_status join_sequences(asked *a, cairn_hmm_data *out)
{
    size_t *begins, d = a->models->n_numbers, steps;
    double *numbers;
    int32_t *symbols;
    CHECK(SCRATCH(a->ctx, &begins, a->n + 1));
    for (size_t i = 0; i < a->n; i++) begins[i + 1] = begins[i] + a->seen[i].n;
    steps = begins[a->n];
    CHECK(SCRATCH(a->ctx, &symbols, d ? 1 : steps + 1));
    CHECK(SCRATCH(a->ctx, &numbers, cairn_product(steps, d) + 1));
    for (size_t i = 0; i < a->n; i++) {
        const cairn_hmm_seen *seen = &a->seen[i];
        if (d)
            memcpy(numbers + begins[i] * d, seen->numbers, seen->n * d * sizeof *numbers);
        else
            memcpy(symbols + begins[i], seen->symbols, seen->n * sizeof *symbols);
    }
    *out = (cairn_hmm_data){a->n, begins, d ? NULL : symbols, d ? numbers : NULL, NULL};
    return CAIRN_OK;
}

/* One of the first iterations as on the board. */
static void work_iteration(void *data, const cairn_hmm_moment *at)
{
    cairn_report *out = data;
    char prefix[60];
    if (at->last) return;
    snprintf(prefix, sizeof prefix, "baum-welch.iteration%zu.", at->iteration + 1);
    cairn_report_step_begin(out, "Baum and Welch, iteration %zu: expected counts become shares",
                            at->iteration + 1);
    cairn_hmm_work(out, at, prefix);
    cairn_report_step_end(out);
}

/* Iterations from the model that is given, until they are done or gain too little. */
static cairn_status learn(asked *a, cairn_report *out, const hmm_params *p, bool steps)
{
    cairn_certificate certificate = {0};
    cairn_hmm_data data;
    cairn_hmm_course course;
    cairn_progress progress = {
        .what = "Baum-Welch", .most = (size_t)p->iterations, .tolerance = p->tolerance};
    cairn_hmm_options options = {.given = true,
                                 .floor = p->floor,
                                 .show = steps ? work_iteration : NULL,
                                 .shown = WORKED_ITERATIONS,
                                 .data = out,
                                 .certificate = &certificate};
    CHECK(join_sequences(a, &data));
    CHECK(cairn_hmm_learn(a->ctx, a->models, &data, &options, &progress, &course));
    CHECK(cairn_certificate_judge(a->ctx, &certificate, "hmm"));
    cairn_report_table_of(out, "Log-likelihood", SHOWN_ITERATIONS, "rr", "iteration", "ln P");
    for (size_t i = 0; i < progress.n_values; i++) {
        cairn_report_cells(out, "- baum-welch.log.$1", i, progress.values[i]);
    }
    cairn_report_hidden(out, (double)progress.iterations, "baum-welch.iterations");
    cairn_hmm_report_model(out, a->models, "learned.");
    cairn_certificate_report(out, &certificate);
    if (course.floored)
        cairn_report_note(out,
                          "The covariance of %zu state%s met the floor: %s on few or equal "
                          "steps.",
                          course.floored, course.floored == 1 ? "" : "s",
                          course.floored == 1 ? "it sits" : "they sit");
    return CAIRN_OK;
}

/* -- several models -- */

/* ln P of a sequence under every model, and the one that makes it most probable. */
static cairn_status compare_one(asked *a, cairn_report *out, size_t i, double *logs)
{
    SCOPED_SCRATCH(a->ctx);
    double most = -INFINITY, sum = 0;
    size_t best = 0;
    for (size_t k = 0; k < a->n_models; k++) {
        cairn_hmm_seen seen = a->seen[i];
        cairn_hmm_tables tables;
        CHECK(translate(a, &a->models[k], &seen, i + 1));
        CHECK(cairn_hmm_tables_make(a->ctx, &tables, &a->models[k], &seen));
        logs[k] = tables.log_p;
        if (logs[k] > logs[best] + 1e-12 * fabs(logs[best])) best = k;
        most = fmax(most, logs[k]);
    }
    for (size_t k = 0; k < a->n_models; k++) sum += isinf(most) ? 0 : cairn_exp(logs[k] - most);
    head_sequence(a, out, i);
    cairn_report_table_of(out, "Models", MOST_MODELS, "lrrr", "model", "ln P(sequence | model)",
                          "P(sequence | model)", "share");
    for (size_t k = 0; k < a->n_models; k++) {
        if (k == best && sum > 0) cairn_report_row_mark(out);
        cairn_report_prefix(out, "sequence%zu", i + 1);
        cairn_report_cells(out, "- @.log.$1 @.p.$1 @.share.$1", a->names[k], logs[k],
                           cairn_exp(logs[k]), sum > 0 ? cairn_exp(logs[k] - most) / sum : NAN);
    }
    cairn_report_word(out, "recognised as", sum > 0 ? a->names[best] : "none",
                      "sequence%zu.recognised", i + 1);
    return CAIRN_OK;
}

/* Several models are compared by the probability of the sequences; only one alone can learn. */
static cairn_status hmm_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const hmm_params *p = job->params;
    SCOPED(asked_clear) asked a = {.ctx = ctx};
    CHECK(read_all(&a, p, job->model, job->table));
    cairn_report_heading(out, 1, "Hidden Markov model");
    if (a.n_models > 1) {
        double *logs;
        if (p->iterations)
            return cairn_fail(a.ctx, CAIRN_USAGE,
                              "{iterations} goes on from one model; {given} names %zu", a.n_models);
        CHECK(SCRATCH(a.ctx, &logs, a.n_models));
        for (size_t i = 0; i < a.n; i++) CHECK(compare_one(&a, out, i, logs));
        return CAIRN_OK;
    }
    cairn_hmm_report_model(out, a.models, "");
    CHECK(show_sequences(&a, out, job->steps));
    if (!p->iterations) return CAIRN_OK;
    cairn_report_heading(out, 2, "Baum and Welch");
    return learn(&a, out, p, job->steps);
}

/* -- the trellis -- */

/* A vector of numbers as it is typed; ? for those that are missing. */
static cairn_status write_vector(cairn_context *ctx, const char **out, const double *numbers,
                                 size_t n)
{
    size_t size = n * (CAIRN_NUMBER_SIZE + 1) + 1, at = 0;
    char *text;
    CHECK(SCRATCH(ctx, &text, size));
    for (size_t k = 0; k < n; k++) {
        if (k) text[at++] = ',';
        if (isnan(numbers[k]))
            text[at++] = '?';
        else
            at += cairn_number_format(text + at, numbers[k], 3);
    }
    text[at] = 0;
    *out = text;
    return CAIRN_OK;
}

/* What was seen, by name or in numbers; ? for nothing. */
static cairn_status name_seen(cairn_context *ctx, const char ***out, const cairn_hmm *m,
                              const cairn_hmm_seen *seen)
{
    size_t d = m->n_numbers;
    CHECK(SCRATCH(ctx, out, seen->n));
    for (size_t t = 0; t < seen->n; t++)
        if (d)
            CHECK(write_vector(ctx, &(*out)[t], seen->numbers + t * d, d));
        else
            (*out)[t] =
                seen->symbols[t] < 0 ? "?" : cairn_map_key(&m->symbols, (size_t)seen->symbols[t]);
    return CAIRN_OK;
}

static cairn_status draw_trellis(asked *a, cairn_figure **out)
{
    const cairn_hmm *m = a->models;
    const char **states, **seen;
    cairn_hmm_tables tables;
    CHECK(cairn_hmm_tables_make(a->ctx, &tables, m, a->seen));
    CHECK(SCRATCH(a->ctx, &states, m->n_states));
    for (size_t i = 0; i < m->n_states; i++) states[i] = cairn_map_key(&m->states, i);
    CHECK(name_seen(a->ctx, &seen, m, a->seen));
    return cairn_trellis_plot(a->ctx, out,
                              &(cairn_trellis){.n_steps = tables.n_steps,
                                               .n_states = tables.n_states,
                                               .states = states,
                                               .seen = seen,
                                               .delta = tables.delta,
                                               .from = tables.from,
                                               .path = tables.path});
}

static cairn_status hmm_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    SCOPED(asked_clear) asked a = {.ctx = ctx};
    CHECK(read_all(&a, job->params, job->model, job->table));
    if (a.n_models > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a trellis is of one model, and the one that was saved has %zu, one for "
                          "each class",
                          a.n_models);
    return draw_trellis(&a, out);
}

const cairn_calculator cairn_compute_hmm = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "hmm",
              .also = "hidden Markov model, forward algorithm, backward algorithm, "
                      "forwards-backwards, Viterbi, posterior decoding, trellis, Baum-Welch, "
                      "likelihood of a sequence, word recognition",
              .about = "evaluation problem, learning problem, learning parameter problem, state "
                       "sequence problem, observation sequence",
              .title = "Hidden Markov models: likelihood, Viterbi, Baum-Welch",
              .summary =
                  "For a hidden Markov model in its text form, or saved by hmm or hmm-classifier, "
                  "and sequences of what it gives off, typed or of DATA (a column of sequences, "
                  "columns of series, or rows that are steps): "
                  "forward and backward tables, the probability of each sequence, the most "
                  "probable path of states (Viterbi) and the most probable state of each step, "
                  "which may differ, and iterations of Baum and Welch with the log-likelihood of "
                  "each. With several models: which of them makes a sequence most probable.",
              .references =
                  "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                  "77 (1989); Baum, Petrie, Soules and Weiss, Annals of Mathematical "
                  "Statistics 41 (1970); Viterbi, IEEE Transactions on Information Theory "
                  "13 (1967)",
              .example =
                  "cairn compute hmm --given 'states fair loaded; symbols H T; start 0.6 0.4; "
                  "from fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded "
                  "0.8 0.2' --of 'H H T H H T T T H' --iterations 2 --steps",
              .params = hmm_table,
              .params_size = sizeof(hmm_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "trellis",
                .also = "Viterbi trellis, Viterbi path, lattice of states",
                .title = "Viterbi trellis of a hidden Markov model",
                .summary = "A column of states for every step with ln of the most probable path "
                           "that ends there, an arrow for the best way into each of them, and the "
                           "most probable path of all in another colour.",
                .references = "Viterbi, IEEE Transactions on Information Theory 13 (1967)",
                .example = "cairn draw trellis --given 'states fair loaded; symbols H T; start 0.6 "
                           "0.4; from fair 0.7 0.3; from loaded 0.4 0.6; emit fair 0.5 0.5; emit "
                           "loaded 0.8 0.2' --of 'H H T H' --out trellis.svg",
                .params = trellis_table,
                .params_size = sizeof(hmm_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_model = true,
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = hmm_run,
    .draw = hmm_draw,
};
