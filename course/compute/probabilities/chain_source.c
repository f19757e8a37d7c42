/* SPDX-License-Identifier: MIT */
/* Reading and learning of Markov chains. */
#include "compute/probabilities/chain_source.h"
#include "entry/split.h"

#include "base/file.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "learners/sequence/markov.h"
#include "typed/known_names.h"
#include "typed/labels.h"

#include <math.h>
#include <string.h>

const cairn_param cairn_markov_source_params[] = {
    CAIRN_PARAM(cairn_markov_source, states, NULL, NULL, "names of the states, such as rain,dry",
                .often = true),
    CAIRN_PARAM_CELLS(
        cairn_markov_source, transitions, MATRIX, NULL, NULL,
        "a row per state: how probable each state is after it, such as 0.3,0.7;0.2,0.8",
        .often = true),
    CAIRN_PARAM_CELLS(cairn_markov_source, start, NUMBERS, NULL, NULL,
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
    CAIRN_PARAM(cairn_markov_source, chain_order, "1", "[0,8]",
                "order of the chain: how many steps back the next one depends on; {transitions} "
                "then has a row for each context of so many states, the last of them changing "
                "fastest, and {start} a number for each context"),
    CAIRN_PARAM(cairn_markov_source, of_class, NULL, NULL,
                "a saved model with a chain for each class: the class whose chain is meant"),
    CAIRN_PARAM_GROUP(cairn_markov_source, option, cairn_markov_params),
    CAIRN_PARAM_END,
};

void cairn_markov_clear(cairn_markov *chain)
{
    cairn_hmm_clear(&chain->model);
    cairn_markov_contexts_clear(&chain->contexts);
    cairn_markov_model_clear(&chain->own);
    *chain = (cairn_markov){0};
}

/* -- higher orders -- */

/* The chain over the contexts of a class of `high`; of order 0 and 1 its states are the symbols. */
static cairn_status take_contexts(cairn_context *ctx, cairn_markov *out,
                                  const cairn_markov_model *high, size_t class)
{
    CHECK(cairn_markov_expand(ctx, &out->contexts, high, class));
    out->model = out->contexts.chain;
    out->contexts.chain = (cairn_hmm){0};
    out->high = high->order > 1 ? high : NULL;
    out->class = class;
    return CAIRN_OK;
}

/* What a saved model learned. */
static cairn_status take_saved(cairn_context *ctx, cairn_markov *out,
                               const cairn_markov_source *source, const cairn_model *model)
{
    const char *learner = model->learner ? model->learner->entry.name : "a recipe";
    const cairn_markov_model *m = model->state;
    int64_t class = 0;
    if (!cairn_same(learner, "markov") && !cairn_same(learner, "markov-chain"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s is no Markov chain; cairn fit markov-chain and cairn fit markov make "
                          "such models",
                          learner);
    const cairn_field *target = cairn_model_target(model);
    if (source->of_class && target)
        class = cairn_map_find(&target->names, source->of_class, strlen(source->of_class));
    else if (m->n_classes > 1 || source->of_class)
        class = -1;
    if (class < 0) {
        SCOPED(cairn_text_clear) cairn_text known = cairn_text_start(ctx);
        if (!target)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{of-class}: the model has one chain and no classes; leave it out");
        cairn_text_known_names(&known, &target->names, source->of_class ? source->of_class : "");
        CHECK(cairn_text_status(&known));
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the model has a chain for each class, so {of-class} must name one of "
                          "them; %s",
                          cairn_text_string(&known));
    }
    out->counted = true;
    return take_contexts(ctx, out, m, (size_t) class);
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

static cairn_status name_symbols(cairn_context *ctx, cairn_map *to,
                                 const cairn_markov_source *source, size_t n)
{
    const char **names;
    CHECK(cairn_read_names(ctx, &names, source->states, n, "states", "S"));
    for (size_t i = 0; i < n; i++) CHECK(add_name(ctx, to, names[i], strlen(names[i])));
    return CAIRN_OK;
}

/* Shares of a row of a typed table, which must be some. */
static cairn_status take_shares(cairn_context *ctx, double *logs, const double *shares, size_t n,
                                const char *option, size_t row)
{
    char value[CAIRN_NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(shares[i] >= 0 && shares[i] <= 1))
            return cairn_fail(ctx, CAIRN_USAGE, "{%s}, row %zu: a probability lies between 0 and 1",
                              option, row);
        sum += shares[i];
        if (logs) logs[i] = cairn_log(shares[i]);
    }
    if (fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    cairn_number_format(value, sum, 6);
    return cairn_fail(ctx, CAIRN_USAGE, "{%s}, row %zu: the probabilities add up to %s, not to 1",
                      option, row, value);
}

/* The steps before a context is full, from the probabilities of all contexts: P(next | so far) is
 * the share of those that go on so. `span` contexts begin with what is so far. */
static void begin_contexts(cairn_markov_model *m, const double *start, size_t context, size_t span)
{
    size_t n = m->n_symbols, next = span / n;
    double sum = 0;
    for (size_t k = 0; k < span; k++) sum += start[k];
    for (size_t s = 0; s < n; s++) {
        double part = 0;
        for (size_t k = 0; k < next; k++) part += start[s * next + k];
        m->logs[context * n + s] = cairn_log(sum > 0 ? part / sum : 1 / (double)n);
        if (next > 1) begin_contexts(m, start + s * next, cairn_markov_after(m, context, s), next);
    }
}

/* The context of the model that row r of a typed table is about: digits to another base. */
static size_t context_of(const cairn_markov_model *m, size_t row)
{
    size_t context = 0, place = 1;
    for (int32_t k = 0; k < m->order; k++) {
        context += row % m->n_symbols * place;
        row /= m->n_symbols;
        place *= m->n_symbols + 1;
    }
    return context;
}

/* How probable every context is at first: as typed, or all alike. Scratch. */
static cairn_status read_start(cairn_context *ctx, double **out, const cairn_markov_source *source,
                               size_t n)
{
    CHECK(cairn_list_or(ctx, out, &source->start, "start", n, "contexts", 1 / (double)n));
    return source->start.text ? take_shares(ctx, NULL, *out, n, "start", 1) : CAIRN_OK;
}

/* A row for each context; the states are as many as a row has numbers. */
static cairn_status read_typed_order(cairn_context *ctx, cairn_markov *out,
                                     const cairn_markov_source *source)
{
    cairn_markov_model *m = &out->own;
    const double *rows = source->transitions.values;
    double *start;
    size_t n_rows = source->transitions.rows, n = source->transitions.columns, wanted = 1;
    for (int k = 0; k < source->chain_order; k++) wanted = cairn_product(wanted, n);
    if (n_rows != wanted)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{transitions} has %zu rows of %zu numbers; a chain of order %d over %zu "
                          "states needs %zu rows, one for each context",
                          n_rows, n, source->chain_order, n, wanted);
    m->order = source->chain_order;
    m->n_classes = 1;
    m->n_symbols = n;
    CHECK(name_symbols(ctx, &m->symbols, source, n));
    CHECK(cairn_markov_make(ctx, m));
    CHECK(NEW(ctx, &m->logs, m->n_contexts * n));
    CHECK(read_start(ctx, &start, source, n_rows));
    if (m->order) begin_contexts(m, start, m->n_contexts - 1, n_rows);
    for (size_t r = 0; r < n_rows; r++)
        CHECK(take_shares(ctx, m->logs + context_of(m, r) * n, rows + r * n, n, "transitions",
                          r + 1));
    return take_contexts(ctx, out, m, 0);
}

/* A matrix fixes how many states there are; names and start must fit it. */
static cairn_status read_typed(cairn_context *ctx, cairn_hmm *m, const cairn_markov_source *source)
{
    double *start;
    size_t n = source->transitions.rows, width = source->transitions.columns;
    if (n != width || n > CAIRN_MOST_STATES)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{transitions} has %zu rows of %zu numbers, but needs as many numbers in "
                          "a row as there are states, at most %d",
                          n, width, CAIRN_MOST_STATES);
    CHECK(cairn_list_or(ctx, &start, &source->start, "start", n, "states", 1 / (double)n));
    CHECK(cairn_hmm_make(ctx, m, n, 0, 0));
    CHECK(name_symbols(ctx, &m->states, source, n));
    memcpy(m->start, start, n * sizeof *start);
    memcpy(m->move, source->transitions.values, n * n * sizeof *m->move);
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

/* Count what follows every context. */
static cairn_status learn_order(cairn_context *ctx, cairn_markov *out, gathered *g,
                                const cairn_markov_source *source)
{
    cairn_markov_model *m = &out->own;
    size_t begin = 0;
    CHECK(cairn_markov_choose(ctx, m, source->chain_order, &source->option));
    m->symbols = g->names;
    g->names = (cairn_map){0};
    m->n_symbols = m->symbols.n;
    m->n_classes = 1;
    CHECK(cairn_markov_make(ctx, m));
    for (size_t i = 0; i < g->n; i++) {
        cairn_markov_add(m, 0, g->codes + begin, g->ends[i] - begin, 1);
        begin = g->ends[i];
    }
    out->counted = true;
    CHECK(cairn_markov_finish(ctx, m, &(cairn_job){.task = CAIRN_CLUSTER}));
    return take_contexts(ctx, out, m, 0);
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
    for (size_t i = 0; i < g->n; i++) out->n_empty += g->ends[i] == (i ? g->ends[i - 1] : 0);
    out->n_sequences = g->n - out->n_empty;
    if (source->chain_order != 1) return learn_order(ctx, out, g, source);
    CHECK(cairn_hmm_make(ctx, &out->model, n, 0, 0));
    CHECK(SCRATCH(ctx, &out->counts.start, n));
    CHECK(SCRATCH(ctx, &out->counts.move, cairn_product(n, n)));
    for (size_t i = 0; i < g->n; i++) {
        cairn_markov_count(&out->counts, n, g->codes + begin, g->ends[i] - begin, 1);
        begin = g->ends[i];
    }
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

/* Options that say something of other ways to tell a chain. */
static cairn_status check_order(cairn_context *ctx, const cairn_markov_source *source,
                                const cairn_model *model)
{
    if (source->chain_order != 1 && (source->given || source->given_file))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the text form is of chains whose next state depends on the last one "
                          "only; {chain-order} goes with {transitions} or sequences");
    if (source->chain_order != 1 && model)
        return cairn_fail(ctx, CAIRN_USAGE, "a saved model has its order; leave {chain-order} out");
    if (source->of_class && !model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{of-class} is about the chains of a saved MODEL, and there is none");
    return CAIRN_OK;
}

static cairn_status read_any(cairn_context *ctx, cairn_markov *out,
                             const cairn_markov_source *source, const cairn_table *table,
                             const cairn_model *model)
{
    int ways = !!source->transitions.text + !!source->given + !!source->given_file +
               !!source->sequences + !!table + !!model;
    if (ways != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: {transitions}, {given}, {given-file}, {sequences}, data with a "
                          "column of sequences, or a saved MODEL",
                          ways ? "the chain is told in more than one way; choose one of"
                               : "say what the chain is by one of");
    CHECK(check_order(ctx, source, model));
    if (model) return take_saved(ctx, out, source, model);
    if (source->transitions.text)
        return source->chain_order == 1 ? read_typed(ctx, &out->model, source)
                                        : read_typed_order(ctx, out, source);
    if (source->given || source->given_file) return read_text(ctx, &out->model, source);
    return read_sequences(ctx, out, source, table);
}

cairn_status cairn_markov_read(cairn_context *ctx, cairn_markov *out,
                               const cairn_markov_source *source, const cairn_table *table,
                               const cairn_model *model)
{
    *out = (cairn_markov){0};
    cairn_status status = read_any(ctx, out, source, table, model);
    if (status != CAIRN_OK) cairn_markov_clear(out);
    return status;
}

cairn_status cairn_markov_states(cairn_context *ctx, const cairn_map *names, const char *option,
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
        int64_t found = cairn_map_find(names, name.at, name.length);
        if (found < 0) return fail_state(ctx, names, option, name);
        (*out)[t] = (int32_t)found;
    }
    return CAIRN_OK;
}
