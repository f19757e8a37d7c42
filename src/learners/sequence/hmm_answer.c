/* SPDX-License-Identifier: MIT */
/* What learned hidden Markov models say of new rows: paths, posteriors, likelihoods, classes. */
#include "learners/sequence/hmm_model.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>

/* Nothing is impossible: for sequences that the model rules out. */
static cairn_status make_lenient(cairn_context *ctx, cairn_hmm *out, const cairn_hmm *m)
{
    double least = 1e-9;
    *out = *m;
    CHECK(SCRATCH(ctx, &out->start, m->n_states));
    CHECK(SCRATCH(ctx, &out->move, m->n_states * m->n_states));
    CHECK(SCRATCH(ctx, &out->emit, m->n_states * m->n_symbols));
    for (size_t i = 0; i < m->n_states; i++) out->start[i] = fmax(m->start[i], least);
    for (size_t i = 0; i < m->n_states * m->n_states; i++) out->move[i] = fmax(m->move[i], least);
    for (size_t i = 0; i < m->n_states * m->n_symbols; i++) out->emit[i] = fmax(m->emit[i], least);
    return CAIRN_OK;
}

/* Paths of all steps; of impossible sequences under the lenient model. */
static cairn_status find_paths(cairn_context *ctx, const cairn_hmm *m, const cairn_hmm_data *data,
                               int32_t *states)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm lenient;
    CHECK(cairn_hmm_paths(ctx, states, NULL, m, data));
    CHECK(make_lenient(ctx, &lenient, m));
    for (size_t i = 0; i < data->n; i++) {
        size_t begin = data->begins[i], end = data->begins[i + 1], begins[2] = {0, end - begin};
        if (begin == end || states[begin] >= 0) continue;
        cairn_hmm_seen seen = cairn_hmm_sequence(data, m->n_numbers, i);
        cairn_hmm_data one = {1, begins, seen.symbols, seen.numbers, NULL};
        CHECK(cairn_hmm_paths(ctx, states + begin, NULL, &lenient, &one));
        for (size_t t = begin; t < end; t++)
            if (states[t] < 0) states[t] = 0;
    }
    return CAIRN_OK;
}

/* Posteriors of all steps; even ones where a sequence is impossible. */
static cairn_status find_posteriors(cairn_context *ctx, const cairn_hmm *m,
                                    const cairn_hmm_data *data, double *gamma, double *logs)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->n_states;
    cairn_hmm_plan *plan;
    cairn_hmm_wanted wanted = {.logs = logs, .gamma = gamma};
    CHECK(cairn_hmm_plan_make(ctx, &plan, m, data));
    CHECK(cairn_hmm_expect(ctx, &wanted, plan, m, data));
    for (size_t i = 0; i < data->n && gamma; i++)
        for (size_t t = data->begins[i]; t < data->begins[i + 1] && isinf(logs[i]); t++)
            for (size_t j = 0; j < n; j++) gamma[t * n + j] = 1 / (double)n;
    return CAIRN_OK;
}

static bool is_known(const cairn_hmm *m, const cairn_hmm_data *data, size_t t)
{
    size_t d = m->n_numbers;
    return data->symbols ? data->symbols[t] >= 0 : cairn_hmm_missing(data->numbers + t * d, d) < d;
}

/* How many steps of each row are known: of one that is a sequence, or that is a step itself. */
static cairn_status add_steps(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                              const cairn_hmm_data *data, bool rows_are_steps)
{
    double *known;
    CHECK(SCRATCH(ctx, &known, extra->n_rows + 1));
    for (size_t i = 0; i < data->n; i++)
        for (size_t t = data->begins[i]; t < data->begins[i + 1]; t++)
            known[rows_are_steps ? t : i] += is_known(m, data, t);
    return cairn_table_put_numbers(ctx, extra, "steps", known);
}

/* Of rows that are steps: ln P(row | rows before it), which add up to that of the sequence. */
static cairn_status add_step_logs(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                                  const cairn_hmm_data *data)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, extra->n_rows + 1));
    for (size_t i = 0; i < data->n; i++) {
        cairn_hmm_seen seen = cairn_hmm_sequence(data, m->n_numbers, i);
        CHECK(cairn_hmm_foretell(ctx, logs + data->begins[i], m, &seen));
    }
    CHECK(cairn_table_put_numbers(ctx, extra, "log_likelihood", logs));
    return add_steps(ctx, extra, m, data, true);
}

/* Where rows are steps, or items are labelled, every step has an answer. */
static cairn_status answer_steps(cairn_context *ctx, cairn_prediction *out, const cairn_hmm *m,
                                 const cairn_hmm_data *data)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, data->n));
    if (out->codes) CHECK(find_paths(ctx, m, data, out->codes));
    if (out->scores) CHECK(find_posteriors(ctx, m, data, out->scores, logs));
    out->codes_set = true;
    out->n_classes = m->n_states;
    return out->extra ? add_step_logs(ctx, out->extra, m, data) : CAIRN_OK;
}

/* The path of a row in words. */
static cairn_status add_paths(cairn_context *ctx, cairn_table *extra, const cairn_hmm *m,
                              const cairn_hmm_data *data, const int32_t *states)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char **cells;
    size_t *at;
    CHECK(SCRATCH(ctx, &cells, data->n));
    CHECK(SCRATCH(ctx, &at, data->n));
    for (size_t i = 0; i < data->n; i++) {
        at[i] = text.length;
        for (size_t t = data->begins[i]; t < data->begins[i + 1]; t++)
            cairn_text_addf(&text, t > data->begins[i] ? " %s" : "%s",
                            cairn_map_key(&m->states, (size_t)states[t]));
        cairn_text_add_char(&text, '\0');
    }
    CHECK(cairn_text_status(&text));
    for (size_t i = 0; i < data->n; i++) cells[i] = cairn_text_string(&text) + at[i];
    return cairn_table_add_texts(ctx, extra, "path", cells);
}

/* Where a row is a sequence, its answer is the state in which it ends. */
static cairn_status answer_rows(cairn_context *ctx, cairn_prediction *out, const cairn_hmm *m,
                                const cairn_hmm_data *data)
{
    size_t n = m->n_states;
    double *logs, *gamma;
    size_t n_empty = 0;
    int32_t *states;
    CHECK(SCRATCH(ctx, &states, data->begins[data->n]));
    CHECK(SCRATCH(ctx, &gamma, cairn_product(data->begins[data->n], n)));
    CHECK(SCRATCH(ctx, &logs, data->n));
    CHECK(find_paths(ctx, m, data, states));
    CHECK(find_posteriors(ctx, m, data, gamma, logs));
    out->codes_set = true;
    out->n_classes = n;
    for (size_t i = 0; i < data->n; i++) {
        size_t end = data->begins[i + 1];
        bool empty = end == data->begins[i];
        n_empty += empty;
        if (out->codes) out->codes[i] = empty ? -1 : states[end - 1];
        for (size_t j = 0; j < n && out->scores; j++)
            out->scores[i * n + j] = empty ? m->start[j] : gamma[(end - 1) * n + j];
    }
    if (n_empty)
        cairn_warn(ctx,
                   "rows without steps: %zu; they end in no state, and their scores are those of a "
                   "first step",
                   n_empty);
    if (!out->extra) return CAIRN_OK;
    CHECK(add_paths(ctx, out->extra, m, data, states));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_likelihood", logs));
    return add_steps(ctx, out->extra, m, data, false);
}

/* Shares of the classes: P(class) P(sequence | class); those of training where none can have given
 * the sequence off. */
static void share_classes(const cairn_hmm_model *m, double *scores)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < m->n_models; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < m->n_models; c++) {
        scores[c] = isinf(most) ? m->weights[c] : cairn_exp(scores[c] - most);
        sum += scores[c];
    }
    for (size_t c = 0; c < m->n_models; c++) scores[c] /= sum;
}

static cairn_status answer_classes(cairn_context *ctx, cairn_prediction *out,
                                   const cairn_hmm_model *m, const cairn_hmm_data *data)
{
    double *logs;
    CHECK(SCRATCH(ctx, &logs, data->n));
    for (size_t c = 0; c < m->n_models; c++) {
        CHECK(find_posteriors(ctx, &m->models[c], data, NULL, logs));
        for (size_t i = 0; i < data->n; i++)
            out->scores[i * m->n_models + c] = cairn_log(m->weights[c]) + logs[i];
    }
    for (size_t i = 0; i < data->n; i++) share_classes(m, out->scores + i * m->n_models);
    return CAIRN_OK;
}

cairn_status cairn_hmm_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_map symbols = m->models->symbols; /* looked at only */
    cairn_hmm_data data;
    CHECK(cairn_hmm_read_steps(ctx, &data, job->view, m->shape, NULL, job->view->rows.n, &symbols,
                               false));
    if (job->task == CAIRN_CLASSIFY) return answer_classes(ctx, out, m, &data);
    bool steps = m->known || m->shape == CAIRN_HMM_NUMBER_ROWS || m->shape == CAIRN_HMM_LEVEL_ROWS;
    return steps ? answer_steps(ctx, out, m->models, &data)
                 : answer_rows(ctx, out, m->models, &data);
}
