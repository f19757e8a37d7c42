/* SPDX-License-Identifier: MIT */
/* cairn compute hmm: the three questions to a hidden Markov model that is typed or read.
 *
 *     how probable is a sequence     forward: αt(j) = (Σ αt-1(i) a(i,j)) b(j, ot), P = Σ αT(j)
 *     which states were behind it    Viterbi: the most probable path; and the most probable state
 *                                    of each step, γt(j) = αt(j) βt(j) / P, which may be another
 *     which model makes it probable  Baum and Welch: expected counts of starts, moves and symbols
 *                                    under γ and ξ become the probabilities of the next model
 *
 * Several models are compared: the sequence belongs to the one that makes it most probable. */
#include "compute/probabilities/hmm_source.h"
#include "entry/split.h"
#include "learners/sequence/hmm.h"
#include "model/calculator.h"
#include "typed/known_names.h"
#include "typed/labels.h"

#include "base/file.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "plots/chain_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MODELS = 100, WORKED_ITERATIONS = 2, SHOWN_ITERATIONS = 100 };

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
    const char *const *texts; /* of the sequences */
    cairn_hmm_seen *seen;     /* n */
    size_t n;
} asked;

static void asked_clear(asked *a)
{
    for (size_t i = 0; i < a->n_models; i++) cairn_hmm_clear(&a->models[i]);
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

static cairn_status read_file(asked *a, const char *path)
{
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    CHECK(SCRATCH(a->ctx, &a->models, 1));
    CHECK(cairn_file_read_all(a->ctx, path, &bytes, &length));
    CHECK(cairn_hmm_read(a->ctx, &a->models[0], path, bytes, length));
    a->n_models = 1;
    return check_model(a->ctx, a->models, a->models);
}

/* The models that were saved, with the names of their classes. */
static cairn_status take_saved(asked *a, const cairn_model *model)
{
    size_t n;
    CHECK(cairn_hmm_saved_count(a->ctx, model, &n));
    CHECK(SCRATCH(a->ctx, &a->models, n));
    CHECK(SCRATCH(a->ctx, &a->names, n));
    for (size_t i = 0; i < n; i++) {
        a->n_models++;
        CHECK(cairn_hmm_saved(a->ctx, &a->models[i], model, i, &a->names[i]));
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
    if (p->given_file) return read_file(a, p->given_file);
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
    CHECK(SCRATCH(a->ctx, &symbols, n));
    CHECK(SCRATCH(a->ctx, &numbers, n));
    at = text;
    for (size_t t = 0; t < n;) {
        at = cairn_next_name(at, end, &name);
        for (size_t k = count_numbers(text, end, d, name); k-- > 0; t++)
            CHECK(read_step(a, i + 1, t + 1, name, &symbols[t], &numbers[t]));
    }
    a->seen[i] = (cairn_hmm_seen){d ? n / d : n, d ? NULL : symbols, d ? numbers : NULL};
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

static cairn_status read_all(asked *a, const hmm_params *p, const cairn_model *model)
{
    CHECK(read_models(a, p, model));
    if (p->names || !model)
        CHECK(cairn_read_names(a->ctx, &a->names, p->names, a->n_models, "names", "model"));
    CHECK(cairn_list_lines(a->ctx, p->of, &a->texts));
    while (a->texts[a->n]) a->n++;
    if (!a->n)
        return cairn_fail(
            a->ctx, CAIRN_USAGE,
            "say by {of} for which sequence the model is asked, such as {of 'H H T'}");
    CHECK(SCRATCH(a->ctx, &a->seen, a->n));
    for (size_t i = 0; i < a->n; i++) CHECK(read_sequence(a, i));
    return CAIRN_OK;
}

/* -- one model -- */

/* A short sequence stands in its heading, of a long one only how many steps it has. */
static void head_sequence(const asked *a, cairn_report *out, size_t i)
{
    enum { SHORT = 100 };
    if (strlen(a->texts[i]) <= SHORT)
        cairn_report_heading(out, 2, "Sequence %zu: %s", i + 1, a->texts[i]);
    else
        cairn_report_heading(out, 2, "Sequence %zu: %zu steps", i + 1, a->seen[i].n);
}

static cairn_status show_sequences(asked *a, cairn_report *out, bool steps)
{
    for (size_t i = 0; i < a->n; i++) {
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
    for (size_t i = 0; i < progress.n_history; i++) {
        cairn_report_cellf(out, "%zu", i);
        cairn_report_cell_number(out, progress.history[i], 0, "baum-welch.log.%zu", i);
    }
    cairn_report_table_end(out);
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
        const char *key = cairn_report_key(out, a->names[k]);
        if (k == best && sum > 0) cairn_report_row_mark(out);
        cairn_report_cell(out, a->names[k]);
        cairn_report_cell_number(out, logs[k], 0, "sequence%zu.log.%s", i + 1, key);
        cairn_report_cell_number(out, cairn_exp(logs[k]), 0, "sequence%zu.p.%s", i + 1, key);
        cairn_report_cell_number(out, sum > 0 ? cairn_exp(logs[k] - most) / sum : NAN, 0,
                                 "sequence%zu.share.%s", i + 1, key);
    }
    cairn_report_table_end(out);
    cairn_report_word(out, "recognised as", sum > 0 ? a->names[best] : "none",
                      "sequence%zu.recognised", i + 1);
    return CAIRN_OK;
}

static cairn_status compare(asked *a, cairn_report *out, const hmm_params *p)
{
    double *logs;
    if (p->iterations)
        return cairn_fail(a->ctx, CAIRN_USAGE,
                          "{iterations} goes on from one model; {given} names %zu", a->n_models);
    CHECK(SCRATCH(a->ctx, &logs, a->n_models));
    for (size_t i = 0; i < a->n; i++) CHECK(compare_one(a, out, i, logs));
    return CAIRN_OK;
}

static cairn_status hmm_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const hmm_params *p = job->params;
    SCOPED(asked_clear) asked a = {.ctx = ctx};
    CHECK(read_all(&a, p, job->model));
    cairn_report_heading(out, 1, "Hidden Markov model");
    if (a.n_models > 1) return compare(&a, out, p);
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
    CHECK(read_all(&a, job->params, job->model));
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
              .also =
                  "hidden Markov model, forward algorithm, backward algorithm, forwards-backwards, "
                  "Viterbi, posterior decoding, trellis, Baum-Welch, likelihood of a sequence, "
                  "word recognition",
              .title = "Hidden Markov models: likelihood, Viterbi, Baum-Welch",
              .summary =
                  "For a hidden Markov model in its text form, or saved by hmm or hmm-classifier, "
                  "and sequences of what it gives off: "
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
    .arguments = "[MODEL]",
    .takes_model = true,
    .run = hmm_run,
    .draw = hmm_draw,
};
