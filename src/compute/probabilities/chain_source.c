/* SPDX-License-Identifier: MIT */
/* Reading and learning of Markov chains. */
#include "compute/probabilities/chain_source.h"

#include "base/file.h"
#include "base/memory.h"
#include "learners/sequence/markov.h"
#include "typed/known_names.h"
#include "typed/labels.h"

#include <string.h>

const cairn_param cairn_markov_source_params[] = {
    CAIRN_PARAM(cairn_markov_source, states, NULL, NULL, "names of the states, such as rain,dry",
                .often = true),
    CAIRN_PARAM(cairn_markov_source, transitions, NULL, NULL,
                "a row per state: how probable each state is after it, such as 0.3,0.7;0.2,0.8",
                .often = true),
    CAIRN_PARAM_AS(cairn_markov_source, start, CAIRN_TYPE_LIST, NULL,
                   "how probable each state is at first; all alike if not given", .often = true),
    CAIRN_PARAM(cairn_markov_source, given, NULL, NULL,
                "the chain in its text form: 'states rain dry; start 0.4 0.6; from rain 0.3 0.7; "
                "from dry 0.2 0.8'"),
    CAIRN_PARAM_AS(cairn_markov_source, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the chain in its text form"),
    CAIRN_PARAM(cairn_markov_source, sequences, NULL, NULL,
                "sequences to learn the chain from, such as 'rain dry dry; dry rain'",
                .often = true),
    CAIRN_PARAM_AS(cairn_markov_source, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the column to learn from: of sequences, or of levels, whose rows are the steps "
                   "of one sequence; the only one of its kind if not given"),
    CAIRN_PARAM_GROUP(cairn_markov_source, option, cairn_markov_params),
    CAIRN_PARAM_END,
};

void cairn_markov_clear(cairn_markov *chain)
{
    cairn_hmm_clear(&chain->model);
}

/* -- typed -- */

static cairn_status add_name(cairn_context *ctx, cairn_map *to, const char *name, size_t length)
{
    size_t index, before = to->n;
    CHECK(cairn_map_add(ctx, to, name, length, &index));
    return index == before ? CAIRN_OK
                           : cairn_fail(ctx, CAIRN_USAGE, "{states}: '%s' stands there twice",
                                        cairn_map_key(to, index));
}

/* A matrix fixes how many states there are; names and start must fit it. */
static cairn_status read_typed(cairn_context *ctx, cairn_hmm *m, const cairn_markov_source *source)
{
    double *moves, *start = NULL;
    const char **names;
    size_t n, width, n_start = 0;
    CHECK(cairn_read_matrix(ctx, "transitions", source->transitions, &moves, &n, &width));
    if (n != width || n > CAIRN_MOST_STATES)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{transitions} has %zu rows of %zu numbers, but needs as many numbers in "
                          "a row as there are states, at most %d",
                          n, width, CAIRN_MOST_STATES);
    CHECK(cairn_read_names(ctx, &names, source->states, n, "states", "S"));
    if (source->start) CHECK(cairn_list_numbers(ctx, "start", source->start, &start, &n_start));
    if (source->start && n_start != n)
        return cairn_fail(ctx, CAIRN_USAGE, "{start} has %zu numbers for %zu states", n_start, n);
    CHECK(cairn_hmm_make(ctx, m, n, 0, 0));
    for (size_t i = 0; i < n; i++) {
        CHECK(add_name(ctx, &m->states, names[i], strlen(names[i])));
        m->start[i] = start ? start[i] : 1 / (double)n;
    }
    memcpy(m->move, moves, n * n * sizeof *moves);
    return cairn_hmm_check(ctx, m, "the chain");
}

/* The text form may tell of symbols, which a chain has not. */
static cairn_status read_text(cairn_context *ctx, cairn_hmm *m, const cairn_markov_source *source)
{
    OWNED(cairn_free) char *bytes = NULL;
    const char *text = source->given, *where = cairn_say(ctx, "{given}");
    size_t length = text ? strlen(text) : 0;
    if (!text) {
        where = source->given_file;
        CHECK(cairn_file_read_all(ctx, where, &bytes, &length));
        text = bytes;
    }
    CHECK(cairn_hmm_read(ctx, m, where, text, length));
    if (m->n_symbols || m->n_numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: this is a hidden Markov model, whose states give something off; a "
                          "chain has only states, start and from",
                          where);
    return CAIRN_OK;
}

/* -- sequences -- */

/* Codes of all sequences, one behind the other. */
typedef struct gathered {
    cairn_map names; /* owned */
    int32_t *codes;  /* owned */
    size_t n_codes, codes_capacity;
    size_t *ends; /* owned: n; where each sequence ends */
    size_t n, ends_capacity;
    bool closed; /* names were given, and no others are taken */
} gathered;

static void gathered_clear(gathered *g)
{
    cairn_map_clear(&g->names);
    cairn_free(g->codes);
    cairn_free(g->ends);
}

/* Fail at a name that is no state. */
static cairn_status fail_state(cairn_context *ctx, const cairn_map *states, const char *where,
                               cairn_name name)
{
    SCOPED(cairn_text_clear) cairn_text known = cairn_text_start(ctx);
    OWNED(cairn_free) char *text = NULL;
    CHECK(cairn_copy_text(ctx, &text, name.at, name.length));
    cairn_text_known_names(&known, states, text);
    CHECK(cairn_text_status(&known));
    return cairn_fail(ctx, CAIRN_USAGE, "%s: there is no state '%s'; %s", where, text,
                      cairn_text_string(&known));
}

static cairn_status add_step(cairn_context *ctx, gathered *g, const char *where, cairn_name name)
{
    size_t index;
    int64_t known = cairn_map_find(&g->names, name.at, name.length);
    if (known < 0 && g->closed) return fail_state(ctx, &g->names, where, name);
    CHECK(cairn_map_add(ctx, &g->names, name.at, name.length, &index));
    CHECK(GROW(ctx, &g->codes, &g->codes_capacity, g->n_codes + 1));
    g->codes[g->n_codes++] = (int32_t)index;
    return CAIRN_OK;
}

static cairn_status end_sequence(cairn_context *ctx, gathered *g)
{
    CHECK(GROW(ctx, &g->ends, &g->ends_capacity, g->n + 1));
    g->ends[g->n++] = g->n_codes;
    return CAIRN_OK;
}

/* "a b; b c": the last semicolon may be left out; an empty sequence between two fails. */
static cairn_status gather_typed(cairn_context *ctx, gathered *g, const char *text)
{
    const char *end = text + strlen(text);
    while (text < end) {
        const char *stop = memchr(text, ';', (size_t)(end - text)), *at = text;
        size_t before = g->n_codes;
        cairn_name name;
        if (!stop) stop = end;
        while ((at = cairn_next_name(at, stop, &name)))
            CHECK(add_step(ctx, g, cairn_say(ctx, "{sequences}"), name));
        if (g->n_codes == before && stop < end)
            return cairn_fail(ctx, CAIRN_USAGE, "{sequences}: sequence %zu is empty", g->n + 1);
        if (g->n_codes > before) CHECK(end_sequence(ctx, g));
        text = stop < end ? stop + 1 : end;
    }
    return CAIRN_OK;
}

/* The column that is named, or the only one of sequences, or else the only one of levels. */
static cairn_status find_column(cairn_context *ctx, const cairn_table *table, const char *name,
                                size_t *out)
{
    if (name) return cairn_table_get(ctx, table, name, out);
    const cairn_kind kinds[] = {CAIRN_SEQUENCE, CAIRN_LEVEL};
    for (int k = 0; k < 2; k++) {
        size_t n = 0;
        for (size_t i = 0; i < table->n_columns; i++)
            if (table->slots[i].column->kind == kinds[k] && !n++) *out = i;
        if (n == 1) return CAIRN_OK;
        if (n)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "the data has %zu columns of %s; say by {column} which one has the "
                              "states",
                              n, cairn_kind_plural(kinds[k]));
    }
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "the data has no column of sequences or levels; {kinds COLUMN=sequence} takes "
        "words for the steps of a sequence");
}

static cairn_status gather_steps(cairn_context *ctx, gathered *g, const cairn_column *column,
                                 const int32_t *codes, size_t n)
{
    for (size_t t = 0; t < n; t++) {
        if (codes[t] < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "step %zu of sequence %zu is missing; leave the row out or fill it",
                              t + 1, g->n + 1);
        const char *name = cairn_map_key(&column->names, (size_t)codes[t]);
        CHECK(add_step(ctx, g, "the data", (cairn_name){name, strlen(name)}));
    }
    return end_sequence(ctx, g);
}

static cairn_status gather_column(cairn_context *ctx, gathered *g, const cairn_table *table,
                                  const char *name)
{
    size_t at;
    CHECK(find_column(ctx, table, name, &at));
    const cairn_column *column = table->slots[at].column;
    if (column->kind == CAIRN_LEVEL) {
        cairn_markov_warn_words(ctx, table->slots[at].name, column);
        return gather_steps(ctx, g, column, column->codes, table->n_rows);
    }
    if (column->kind != CAIRN_SEQUENCE)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s' has %s; {kinds %s=sequence} takes its words for the steps "
                          "of sequences",
                          table->slots[at].name, cairn_kind_plural(column->kind), "COLUMN");
    for (size_t i = 0; i < table->n_rows; i++)
        CHECK(gather_steps(ctx, g, column, column->items + column->starts[i],
                           column->starts[i + 1] - column->starts[i]));
    return CAIRN_OK;
}

/* Count the moves of every sequence, and hand the names over to the chain. */
static cairn_status learn(cairn_context *ctx, cairn_markov *out, gathered *g,
                          const cairn_markov_source *source)
{
    size_t n = g->names.n, begin = 0;
    if (!n || !g->n_codes)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no sequence to learn from");
    if (n > CAIRN_MOST_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the sequences have %zu states; at most %d are taken", n,
                          CAIRN_MOST_STATES);
    CHECK(cairn_hmm_make(ctx, &out->model, n, 0, 0));
    CHECK(SCRATCH(ctx, &out->counts.start, n));
    CHECK(SCRATCH(ctx, &out->counts.move, cairn_product(n, n)));
    for (size_t i = 0; i < g->n; i++) {
        out->n_empty += g->ends[i] == begin;
        cairn_markov_count(&out->counts, n, g->codes + begin, g->ends[i] - begin, 1);
        begin = g->ends[i];
    }
    out->n_sequences = g->n - out->n_empty;
    out->model.states = g->names;
    g->names = (cairn_map){0};
    return cairn_markov_fit(ctx, &out->model, &out->counts, &source->option);
}

static cairn_status read_sequences(cairn_context *ctx, cairn_markov *out,
                                   const cairn_markov_source *source, const cairn_table *table)
{
    SCOPED(gathered_clear) gathered g = {0};
    char **names = NULL;
    size_t n = 0;
    if (source->states) CHECK(cairn_list_split(ctx, source->states, &names, &n));
    for (size_t i = 0; i < n; i++) CHECK(add_name(ctx, &g.names, names[i], strlen(names[i])));
    g.closed = n > 0;
    if (source->sequences)
        CHECK(gather_typed(ctx, &g, source->sequences));
    else
        CHECK(gather_column(ctx, &g, table, source->column));
    return learn(ctx, out, &g, source);
}

/* -- all ways -- */

static cairn_status read_any(cairn_context *ctx, cairn_markov *out,
                             const cairn_markov_source *source, const cairn_table *table)
{
    int ways = !!source->transitions + !!source->given + !!source->given_file +
               !!source->sequences + !!table;
    if (ways != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: {transitions}, {given}, {given-file}, {sequences}, or data with a "
                          "column of sequences",
                          ways ? "the chain is told in more than one way; choose one of"
                               : "say what the chain is by one of");
    if (source->transitions) return read_typed(ctx, &out->model, source);
    if (source->given || source->given_file) return read_text(ctx, &out->model, source);
    return read_sequences(ctx, out, source, table);
}

cairn_status cairn_markov_read(cairn_context *ctx, cairn_markov *out,
                               const cairn_markov_source *source, const cairn_table *table)
{
    *out = (cairn_markov){0};
    cairn_status status = read_any(ctx, out, source, table);
    if (status != CAIRN_OK) cairn_markov_clear(out);
    return status;
}

cairn_status cairn_markov_states(cairn_context *ctx, const cairn_hmm *chain, const char *option,
                                 const char *text, size_t length, int32_t **out, size_t *n)
{
    const char *end = text + length, *at = text;
    cairn_name name;
    *n = 0;
    while ((at = cairn_next_name(at, end, &name))) ++*n;
    CHECK(SCRATCH_RAW(ctx, out, *n + 1));
    at = text;
    for (size_t t = 0; t < *n; t++) {
        at = cairn_next_name(at, end, &name);
        int64_t found = cairn_map_find(&chain->states, name.at, name.length);
        if (found < 0) return fail_state(ctx, &chain->states, option, name);
        (*out)[t] = (int32_t)found;
    }
    return CAIRN_OK;
}
