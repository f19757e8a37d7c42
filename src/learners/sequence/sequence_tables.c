/* SPDX-License-Identifier: MIT */
/* Chains and hidden Markov models as tables. */
#include "base/text.h"
#include "learners/sequence/hmm_model.h"
#include "learners/sequence/markov_contexts.h"
#include "model/learned.h"
#include <math.h>

/* -- hidden Markov models -- */

/* The class whose model it is; NULL where one model is of all rows. */
static const char *class_of(const cairn_hmm_model *m, const cairn_job *job, size_t i)
{
    return m->n_models > 1 ? cairn_learned_class(job, (int64_t)i) : NULL;
}

static const char *name_of(const cairn_map *names, size_t i)
{
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

static void write_moves(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_ledger_columns(out, "llln", "class", "from", "to", "probability");
    for (size_t k = 0; k < m->n_models; k++) {
        const cairn_hmm *h = &m->models[k];
        for (size_t i = 0; i <= h->n_states; i++) /* the first row is the start */
            for (size_t j = 0; j < h->n_states; j++) {
                cairn_ledger_word(out, class_of(m, job, k));
                cairn_ledger_word(out, i ? name_of(&h->states, i - 1) : "(start)");
                cairn_ledger_word(out, name_of(&h->states, j));
                cairn_ledger_number(out, i ? h->move[(i - 1) * h->n_states + j] : h->start[j]);
            }
    }
}

static bool has_symbols(const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    (void)job;
    return m->n_models && m->models[0].n_symbols;
}

static void write_emissions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    cairn_ledger_columns(out, "llln", "class", "state", "symbol", "probability");
    for (size_t k = 0; k < m->n_models; k++) {
        const cairn_hmm *h = &m->models[k];
        for (size_t i = 0; i < h->n_states; i++)
            for (size_t s = 0; s < h->n_symbols; s++) {
                cairn_ledger_word(out, class_of(m, job, k));
                cairn_ledger_word(out, name_of(&h->states, i));
                cairn_ledger_word(out, name_of(&h->symbols, s));
                cairn_ledger_number(out, h->emit[i * h->n_symbols + s]);
            }
    }
}

static bool has_numbers(const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    (void)job;
    return m->n_models && m->models[0].n_numbers;
}

/* The vectors of a state: mean and covariance of every pair of their numbers, by their names. */
static void write_state(cairn_ledger *out, const cairn_hmm *h, size_t i, const char *class,
                        const cairn_map *columns)
{
    size_t d = h->n_numbers;
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) {
            cairn_ledger_word(out, class);
            cairn_ledger_word(out, name_of(&h->states, i));
            cairn_ledger_word(out, name_of(columns, a));
            cairn_ledger_number(out, h->mean[i * d + a]);
            cairn_ledger_word(out, name_of(columns, b));
            cairn_ledger_number(out, h->covariance[(i * d + a) * d + b]);
        }
}

static void write_means(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_hmm_model *m = model;
    SCOPED(cairn_map_clear) cairn_map columns = {0};
    cairn_ledger_failed(out, cairn_hmm_name_numbers(out->ctx, &columns, job->schema, m->shape));
    cairn_ledger_columns(out, "lllnln", "class", "state", "column", "mean", "with", "covariance");
    for (size_t k = 0; k < m->n_models; k++)
        for (size_t i = 0; i < m->models[k].n_states; i++)
            write_state(out, &m->models[k], i, class_of(m, job, k), &columns);
}

const cairn_learned cairn_hmm_learned[] = {
    CAIRN_LEARNED("transitions", "move from a state, or from the start, to a state", write_moves),
    CAIRN_LEARNED("emissions", "symbol that a state gives off", write_emissions,
                  .has = has_symbols),
    CAIRN_LEARNED("distributions", "pair of numbers that a state gives off: mean and covariance",
                  write_means, .has = has_numbers),
    CAIRN_LEARNED_END};

/* -- chains of symbols -- */

/* "rain dry": the last steps; those that were not there yet are left out. */
static void add_context(cairn_text *text, const cairn_markov_model *m, size_t context)
{
    size_t base = m->n_symbols + 1;
    text->length = 0;
    for (size_t place = m->n_contexts / base; place; place /= base) {
        size_t digit = context / place % base;
        if (digit == m->n_symbols) continue;
        cairn_text_addf(text, "%s%s", text->length ? " " : "", cairn_map_key(&m->symbols, digit));
    }
    if (!text->length) cairn_text_add(text, "(start)");
}

static void write_chain(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    SCOPED(cairn_text_clear) cairn_text from = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "ltlnn", "class", "from", "to", "count", "probability");
    for (size_t c = 0; c < m->n_classes; c++)
        for (size_t k = 0; k < m->n_contexts && !out->status; k++) {
            if (!m->seen[k]) continue;
            add_context(&from, m, k);
            for (size_t s = 0; s < m->n_symbols; s++) {
                cairn_ledger_word(out,
                                  m->n_classes > 1 ? cairn_learned_class(job, (int64_t)c) : NULL);
                cairn_ledger_word(out, cairn_text_string(&from));
                cairn_ledger_word(out, cairn_map_key(&m->symbols, s));
                cairn_ledger_number(out, m->counts[(c * m->n_contexts + k) * m->n_symbols + s]);
                cairn_ledger_number(out, cairn_markov_share(m, c, k, s));
            }
        }
    cairn_ledger_failed(out, cairn_text_status(&from));
}

const cairn_learned cairn_markov_tables[] = {
    CAIRN_LEARNED("transitions", "step that follows the last ones", write_chain),
    CAIRN_LEARNED_END};
