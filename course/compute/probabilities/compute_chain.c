/* SPDX-License-Identifier: MIT */
/* cairn compute chain: what a Markov chain does. Its states are seen, and the next one depends only
 * on the present one:
 *
 *     P(q1 q2 ... qT) = pi(q1) a(q1,q2) ... a(qT-1,qT)
 *
 * The chain is typed, read, or learned: pi is the share of sequences that begin with a state,
 * a(i,j) the share of moves from i that lead to j. In a chain of higher order the next state
 * depends on several before it: then these contexts are the states of a chain, and what is told of
 * them is added up over their last steps. Then the distribution after n steps, pi
 * A^n, the stationary distribution of every class of states that is not left again, the
 * probability of a sequence by its factors, and sequences drawn at random. */
#include "model/calculator.h"
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "data/table.h"
#include "model/model.h"
#include "entry/split.h"
#include "base/file.h"
#include "base/number.h"
#include "learners/sequence/markov.h"
#include "typed/known_names.h"
#include "typed/labels.h"
#include "typed/numbers.h"
#include "learners/sequence/hmm.h"
#include "plots/chain_plot.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A group of parameters. */
typedef struct markov_source {
    const char *states; /* typed, with a row of transitions for each */
    cairn_list transitions, start;
    const char *given, *given_file; /* in the text form */
    const char *sequences, *column; /* to learn from: typed, or a column */
    int chain_order;                /* of what is typed or learned */
    const char *of_class;           /* whose chain of a saved model; NULL = the only one */
    cairn_markov_option option;
} markov_source;

typedef struct cairn_markov {
    cairn_hmm model;                /* owned; states are the symbols, or contexts of several */
    cairn_markov_counts counts;     /* order 1: scratch; NULL = it was not learned */
    const cairn_markov_model *high; /* NULL = states are the symbols; else the chain of higher order
                                       of which these are contexts ... */
    size_t class;                   /* ... and its class */
    cairn_markov_contexts contexts; /* owned; without their chain, which is `model` */
    cairn_markov_model own;         /* owned: what `high` is, unless it is of a saved model */
    bool counted;                   /* `high` has counts */
    size_t n_sequences, n_empty;
} cairn_markov;

/* -- chain source -- */

static const cairn_param markov_source_params[] = {
    CAIRN_PARAM(markov_source, states, NULL, NULL, "names of the states, such as rain,dry",
                .often = true),
    CAIRN_PARAM_CELLS(
        markov_source, transitions, MATRIX, NULL, NULL,
        "a row per state: how probable each state is after it, such as 0.3,0.7;0.2,0.8",
        .often = true),
    CAIRN_PARAM_CELLS(markov_source, start, NUMBERS, NULL, NULL,
                      "how probable each state is at first; all alike if not given", .often = true),
    CAIRN_PARAM(markov_source, given, NULL, NULL,
                "the chain in its text form: 'states rain dry; start 0.4 0.6; from rain 0.3 0.7; "
                "from dry 0.2 0.8'"),
    CAIRN_PARAM_AS(markov_source, given_file, CAIRN_TYPE_FILE, NULL,
                   "a file with the chain in its text form"),
    CAIRN_PARAM(markov_source, sequences, NULL, NULL,
                "sequences to learn the chain from, such as 'rain dry dry; dry rain'",
                .often = true),
    CAIRN_PARAM_AS(markov_source, column, CAIRN_TYPE_COLUMNS, NULL,
                   "the column to learn from: of sequences, or of levels, whose rows are the steps "
                   "of one sequence; the only one of its kind if not given"),
    CAIRN_PARAM(markov_source, chain_order, "1", "[0,8]",
                "order of the chain: how many steps back the next one depends on; {transitions} "
                "then has a row for each context of so many states, the last of them changing "
                "fastest, and {start} a number for each context"),
    CAIRN_PARAM(markov_source, of_class, NULL, NULL,
                "a saved model with a chain for each class: the class whose chain is meant"),
    CAIRN_PARAM_GROUP(markov_source, option, cairn_markov_params),
    CAIRN_PARAM_END,
};

static void markov_clear(cairn_markov *chain)
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
static cairn_status take_saved(cairn_context *ctx, cairn_markov *out, const markov_source *source,
                               const cairn_model *model)
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

static cairn_status name_symbols(cairn_context *ctx, cairn_map *to, const markov_source *source,
                                 size_t n)
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

/* A row for each context; the states are as many as a row has numbers. */
static cairn_status read_typed_order(cairn_context *ctx, cairn_markov *out,
                                     const markov_source *source)
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
    /* How probable every context is at first: as typed, or all alike. Scratch. */
    CHECK(cairn_list_or(ctx, &start, &source->start, "start", n_rows, "contexts",
                        1 / (double)n_rows));
    if (source->start.text) CHECK(take_shares(ctx, NULL, start, n_rows, "start", 1));
    if (m->order) begin_contexts(m, start, m->n_contexts - 1, n_rows);
    for (size_t r = 0; r < n_rows; r++)
        CHECK(take_shares(ctx, m->logs + context_of(m, r) * n, rows + r * n, n, "transitions",
                          r + 1));
    return take_contexts(ctx, out, m, 0);
}

/* A matrix fixes how many states there are; names and start must fit it. */
static cairn_status read_typed(cairn_context *ctx, cairn_hmm *m, const markov_source *source)
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

/* Whether the table is the chain itself: a row for each state, the number columns called by the
 * states, and perhaps one more for how it starts. Its names and numbers are then typed for it. */
static cairn_status take_matrix(cairn_context *ctx, markov_source *source, const cairn_table *table,
                                bool *is_matrix)
{
    cairn_named_matrix m;
    SCOPED(cairn_text_clear) cairn_text states = cairn_text_start(ctx);
    double *move, *start;
    size_t n = table->n_rows, n_numbers = 0, first = SIZE_MAX;
    *is_matrix = false;
    if (source->column || source->states) return CAIRN_OK;
    for (size_t j = 0; j < table->n_columns; j++)
        n_numbers += table->slots[j].role == CAIRN_FEATURE && cairn_table_numbers(table, j) != NULL;
    if (!n || n > CAIRN_MOST_STATES || n_numbers < n || n_numbers > n + 1) return CAIRN_OK;
    CHECK(cairn_named_matrix_read(ctx, &m, table));
    CHECK(SCRATCH(ctx, &move, n * n));
    CHECK(SCRATCH(ctx, &start, n));
    for (size_t i = 0; i < n && m.rows; i++) {
        size_t j = 0;
        while (j < m.m && !cairn_same(m.columns[j], m.rows[i])) j++;
        if (j == m.m) return CAIRN_OK;
        for (size_t k = 0; k < n; k++) move[k * n + i] = m.values[k * m.m + j];
        cairn_text_addf(&states, "%s\"%s\"", i ? "," : "", m.rows[i]);
    }
    if (!m.rows) return CAIRN_OK;
    for (size_t j = 0; j < m.m; j++) {
        size_t i = 0;
        while (i < n && !cairn_same(m.columns[j], m.rows[i])) i++;
        if (i == n) first = j;
    }
    for (size_t i = 0; i < n && first < m.m; i++) start[i] = m.values[i * m.m + first];
    char *names;
    CHECK(cairn_text_status(&states));
    CHECK(SCRATCH(ctx, &names, states.length + 1));
    memcpy(names, cairn_text_string(&states), states.length);
    source->states = names;
    source->transitions =
        (cairn_list){.text = "", .values = move, .n = n * n, .rows = n, .columns = n};
    if (first < m.m && !source->start.text)
        source->start = (cairn_list){.text = "", .values = start, .n = n};
    *is_matrix = true;
    return CAIRN_OK;
}

/* The text form may tell of symbols, which a chain has not. */
static cairn_status read_text(cairn_context *ctx, cairn_hmm *m, const markov_source *source)
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
    FREE_EACH(g->codes, g->ends);
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

/* A column of levels is one chain through all rows; of sequences every row is one of its own. */
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
                                const markov_source *source)
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
                          const markov_source *source)
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
                                   const markov_source *source, const cairn_table *table)
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
static cairn_status check_order(cairn_context *ctx, const markov_source *source,
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

static cairn_status read_any(cairn_context *ctx, cairn_markov *out, const markov_source *source,
                             const cairn_table *table, const cairn_model *model)
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
    markov_source typed = *source;
    bool is_matrix = false;
    if (table) CHECK(take_matrix(ctx, &typed, table, &is_matrix));
    if (is_matrix) return read_typed(ctx, &out->model, &typed);
    return read_sequences(ctx, out, source, table);
}

static cairn_status markov_read(cairn_context *ctx, cairn_markov *out, const markov_source *source,
                                const cairn_table *table, const cairn_model *model)
{
    *out = (cairn_markov){0};
    cairn_status status = read_any(ctx, out, source, table, model);
    if (status != CAIRN_OK) markov_clear(out);
    return status;
}

/* The steps of a typed sequence as codes of these names, scratch; one that is not there fails with
 * the nearest name. `option` begins the message. */
static cairn_status markov_states(cairn_context *ctx, const cairn_map *names, const char *option,
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

/* -- chain orders -- */

enum { SHOWN_SYMBOLS = 30, SHOWN_CONTEXTS = 100, WORKED_TERMS = 8 };

static const char *symbol_name(const cairn_markov *c, size_t symbol)
{
    return cairn_map_key(&c->high->symbols, symbol);
}

static const char *context_name(const cairn_markov *c, size_t i)
{
    return cairn_map_key(&c->model.states, i);
}

/* -- the table -- */

/* P(next | context), and how often the context was counted where it was. `at` is its place in the
 * model. */
static void show_row(cairn_report *out, const cairn_markov *c, const char *name, size_t at)
{
    const cairn_markov_model *m = c->high;
    size_t n = m->n_symbols;
    const double *counts = m->counts + (c->class * m->n_contexts + at) * n;
    const char *key = cairn_report_key(out, name);
    cairn_report_cell(out, name);
    if (c->counted) cairn_report_cell_number(out, cairn_sum(counts, n), 0, "count.%s", key);
    for (size_t s = 0; s < n; s++)
        cairn_report_cell_number(out, cairn_markov_share(m, c->class, at, s), 0, "next.%s.%s", key,
                                 cairn_report_key(out, symbol_name(c, s)));
}

/* -- the last step -- */

/* The distribution of the last step, n_symbols, from that of the contexts. */
static void chain_last(const cairn_markov *c, const double *contexts, double *out)
{
    for (size_t s = 0; s < c->high->n_symbols; s++) out[s] = 0;
    for (size_t i = 0; i < c->model.n_states; i++) out[c->contexts.last[i]] += contexts[i];
}

/* One state: the contexts that end with it, and what they add up to. */
static void work_symbol(cairn_report *out, const cairn_markov *c, const double *contexts,
                        const char *letter, size_t symbol)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    double terms[WORKED_TERMS + 1], sum = 0;
    size_t n = 0;
    cairn_text_addf(&text, "%s(%s)", letter, symbol_name(c, symbol));
    for (size_t i = 0; i < c->model.n_states; i++) {
        if (c->contexts.last[i] != (int32_t)symbol || !(contexts[i] > 0)) continue;
        if (n == WORKED_TERMS) return;
        cairn_text_addf(&text, "%s%s(%s)", n ? " + " : " = ", letter, context_name(c, i));
        terms[n++] = contexts[i];
        sum += contexts[i];
    }
    if (n) cairn_report_worked_sum(out, cairn_text_string(&text), "#", terms, 1, n, sum);
    cairn_report_failed(out, cairn_text_status(&text));
}

/* How it comes about, as a step of the work: P(rain) = P(rain rain) + P(dry rain) = 0.2 + 0.1. */
static cairn_status chain_work_last(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                    const double *contexts, const char *letter)
{
    (void)ctx;
    for (size_t s = 0; s < c->high->n_symbols; s++) work_symbol(out, c, contexts, letter, s);
    return cairn_report_status(out);
}

/* -- the long run -- */

/* The long run of every state: its share, how long it lasts when it is come to, and after how long
 * it comes back: "stationary.STATE", "run.STATE", "return.STATE". */
static cairn_status chain_show_last_run(cairn_context *ctx, cairn_report *out,
                                        const cairn_markov *c, const cairn_closed_classes *closed)
{
    double *shares, *comes;
    CHECK(SCRATCH_EACH(ctx, c->high->n_symbols, &shares, &comes));
    cairn_report_table_of(out, "States in the long run", SHOWN_CONTEXTS, "lrrrr", "state",
                          "closed class", "stationary", "mean run", "mean return");
    for (size_t k = 0; k < closed->n; k++) {
        /* Of a closed class: shares of the states, and how often one is come to from another. */
        int32_t class = (int32_t)k;
        const cairn_markov_model *m = c->high;
        for (size_t s = 0; s < m->n_symbols; s++) shares[s] = comes[s] = 0;
        for (size_t i = 0; i < c->model.n_states; i++) {
            if (closed->of[i] != class) continue;
            shares[c->contexts.last[i]] += closed->shares[i];
            for (size_t s = 0; s < m->n_symbols; s++)
                if ((int32_t)s != c->contexts.last[i])
                    comes[s] += closed->shares[i] *
                                cairn_markov_share(m, c->class, c->contexts.contexts[i], s);
        }
        for (size_t s = 0; s < c->high->n_symbols; s++) {
            if (closed->n > 1 && !(shares[s] > 0)) continue;
            cairn_report_cells(out, "- - stationary.$1 run.$1 return.$1", symbol_name(c, s), k + 1,
                               shares[s], comes[s] > 0 ? shares[s] / comes[s] : NAN,
                               shares[s] > 0 ? 1 / shares[s] : NAN);
        }
    }
    return CAIRN_OK;
}

/* -- sequences -- */

/* A factor of a sequence of symbols: its name, P(dry | rain rain), and its value. `context` goes on
 * to that of the next step; it begins with that of the model before the first. */
static double chain_factor(const cairn_markov *c, size_t *context, int32_t symbol, cairn_text *name)
{
    const cairn_markov_model *m = c->high;
    double share = cairn_markov_share(m, c->class, *context, (size_t)symbol);
    if (name) {
        bool first = *context == m->n_contexts - 1;
        cairn_text_addf(name, first ? "π(%s" : "P(%s | ", symbol_name(c, (size_t)symbol));
        if (!first) cairn_markov_name(name, m, *context);
        cairn_text_add(name, ")");
    }
    *context = cairn_markov_after(m, *context, (size_t)symbol);
    return share;
}

/* n steps at random. */
static cairn_status chain_walk(cairn_context *ctx, const cairn_markov *c, int32_t *steps, size_t n)
{
    const cairn_markov_model *m = c->high;
    size_t context = m->n_contexts - 1;
    cairn_random random;
    double *shares;
    CHECK(SCRATCH(ctx, &shares, m->n_symbols));
    cairn_random_start(&random, ctx->seed, 0);
    for (size_t t = 0; t < n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)n));
        for (size_t s = 0; s < m->n_symbols; s++)
            shares[s] = cairn_markov_share(m, c->class, context, s);
        steps[t] = (int32_t)cairn_hmm_pick(&random, shares, m->n_symbols);
        context = cairn_markov_after(m, context, (size_t)steps[t]);
    }
    return CAIRN_OK;
}

enum {
    SHOWN_STATES = 30, /* chains with more are not written out */
    WORKED_STATES = 8, /* nor are their steps with the numbers put in */
    WORKED_STEPS = 4,
    WORKED_FACTORS = 20,
    SHOWN_FACTORS = 200,
    SHOWN_SIMULATED = 60
};

typedef struct chain_params {
    markov_source source;
    const char *of;
    const char *reach;
    cairn_list after;
    int simulate;
} chain_params;

static const cairn_param chain_table[] = {
    CAIRN_PARAM_GROUP(chain_params, source, markov_source_params),
    CAIRN_PARAM_CELLS(chain_params, after, WHOLE, NULL, "[0,1000000]",
                      "numbers of steps, such as 1,2,9: the distribution over the states then",
                      .often = true),
    CAIRN_PARAM(chain_params, of, NULL, NULL,
                "a sequence whose probability is asked for, such as 'rain rain dry dry'",
                .often = true, .repeated = true),
    CAIRN_PARAM(chain_params, reach, NULL, NULL,
                "states that are waited for, such as 'rain' or 'won lost': which of them comes "
                "first from every state, how probably, and after how many steps on the average",
                .often = true),
    CAIRN_PARAM(chain_params, simulate, "0", "[0,1000000]",
                "draw a sequence of so many steps at random"),
    CAIRN_PARAM_END,
};

/* A picture has no questions to answer. */
static const cairn_param picture_table[] = {
    CAIRN_PARAM_GROUP(chain_params, source, markov_source_params),
    CAIRN_PARAM_END,
};

static const char *state_name(const cairn_hmm *m, size_t i)
{
    return cairn_map_key(&m->states, i);
}

/* -- the chain -- */

static void show_lengths(cairn_report *out, const cairn_markov *c)
{
    cairn_report_hidden(out, (double)c->n_sequences, "sequences");
    if (c->n_empty)
        cairn_report_note(out, "%zu empty sequences say nothing and are left out.", c->n_empty);
}

/* Shares of one row of counts. */
static void show_shares(cairn_report *out, const cairn_hmm *m, cairn_smoothing smoothing,
                        const char *from, const double *counts, const double *shares)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    for (size_t j = 0; j < m->n_states; j++) {
        label.length = 0;
        if (from)
            cairn_text_addf(&label, "a(%s, %s)", from, state_name(m, j));
        else
            cairn_text_addf(&label, "π(%s)", state_name(m, j));
        cairn_markov_show_share(out, cairn_text_string(&label), smoothing, counts, m->n_states, j,
                                shares[j]);
    }
    cairn_report_failed(out, cairn_text_status(&label));
}

static cairn_status show_learning(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const cairn_markov_option *option)
{
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    cairn_smoothing smoothing;
    CHECK(cairn_markov_smoothing(ctx, &smoothing, option));
    if (n > WORKED_STATES) return CAIRN_OK;
    cairn_report_step_begin(out, "Start: the share of sequences that begin with a state");
    show_shares(out, m, smoothing, NULL, c->counts.start, m->start);
    cairn_report_step_end(out);
    for (size_t i = 0; i < n; i++) {
        cairn_report_step_begin(out, "From %s: the share of its moves", state_name(m, i));
        show_shares(out, m, smoothing, state_name(m, i), c->counts.move + i * n, m->move + i * n);
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* -- after n steps -- */

/* One step as on the board: every state's probability as a sum over where it comes from. */
static cairn_status show_step(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                              size_t step, const double *now, const double *next)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    double *pairs;
    CHECK(SCRATCH(ctx, &pairs, 2 * n));
    cairn_report_step_begin(out, step == 1 ? "After %zu step" : "After %zu steps", step);
    for (size_t j = 0; j < n; j++) {
        size_t terms = 0;
        label.length = 0;
        cairn_text_addf(&label, "P(%s)", state_name(m, j));
        for (size_t i = 0; i < n; i++) {
            if (c->high && !(now[i] * m->move[i * n + j] > 0)) continue;
            pairs[2 * terms] = now[i];
            pairs[2 * terms++ + 1] = m->move[i * n + j];
        }
        if (terms)
            cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", pairs, 2, terms,
                                    next[j]);
    }
    if (c->high) CHECK(chain_work_last(ctx, out, c, next, "P"));
    cairn_report_step_end(out);
    return cairn_text_status(&label);
}

/* A row for every number of steps that was asked for, with the most probable of these names
 * then. */
static void show_distributions(cairn_report *out, const char *title, const cairn_map *names,
                               const double *after, size_t n_after, const double *rows)
{
    size_t n = names->n;
    cairn_report_table_of(out, title, 200, "r", "steps");
    for (size_t j = 0; j < n && n <= SHOWN_STATES; j++)
        cairn_report_column(out, cairn_map_key(names, j), 'r');
    cairn_report_column(out, "most probable", 'l');
    for (size_t k = 0; k < n_after; k++) {
        size_t best = 0;
        cairn_report_cellf(out, "%zu", (size_t)after[k]);
        for (size_t j = 0; j < n; j++) {
            if (rows[k * n + j] > rows[k * n + best]) best = j;
            if (n <= SHOWN_STATES)
                cairn_report_cell_number(out, rows[k * n + j], 0, "after%zu.%s", (size_t)after[k],
                                         cairn_report_key(out, cairn_map_key(names, j)));
        }
        cairn_report_cell_word(out, cairn_map_key(names, best), "after%zu.best", (size_t)after[k]);
    }
}

/* Of a chain of higher order the last step is what is asked for; contexts are shown where they are
 * few. */
static cairn_status show_forecast(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const double *after, size_t n_after, const double *rows)
{
    size_t n = c->model.n_states;
    double *last;
    if (!c->high) {
        show_distributions(out, "Distribution after n steps", &c->model.states, after, n_after,
                           rows);
        return CAIRN_OK;
    }
    size_t width = c->high->n_symbols;
    CHECK(SCRATCH(ctx, &last, cairn_product(n_after, width)));
    for (size_t k = 0; k < n_after; k++) chain_last(c, rows + k * n, last + k * width);
    show_distributions(out, "Distribution after n steps", &c->high->symbols, after, n_after, last);
    if (n > SHOWN_STATES) return CAIRN_OK;
    cairn_report_table_of(out, "Contexts after n steps", 200, "r", "steps");
    for (size_t j = 0; j < n; j++) cairn_report_column(out, state_name(&c->model, j), 'r');
    for (size_t k = 0; k < n_after; k++) {
        cairn_report_cellf(out, "%zu", (size_t)after[k]);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(out, rows[k * n + j], 0, "context.after%zu.%s",
                                     (size_t)after[k],
                                     cairn_report_key(out, state_name(&c->model, j)));
    }
    return CAIRN_OK;
}

/* Step after step up to the last that was asked for; only the first are worked out. */
static cairn_status forecast(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                             const cairn_list *asked, bool steps)
{
    const cairn_hmm *m = &c->model;
    const double *after = asked->values;
    double *rows, *now, *next;
    size_t n = m->n_states, n_after = asked->n, most = 0;
    for (size_t k = 0; k < n_after; k++)
        if ((size_t)after[k] > most) most = (size_t)after[k];
    CHECK(SCRATCH(ctx, &rows, cairn_product(n_after, n)));
    CHECK(SCRATCH_EACH(ctx, n, &now, &next));
    memcpy(now, m->start, n * sizeof *now);
    if (steps) cairn_report_formula(out, "P(j, t + 1) = Σ P(i, t)·a(i, j)");
    for (size_t t = 0; t <= most; t++) {
        for (size_t k = 0; k < n_after; k++)
            if ((size_t)after[k] == t) memcpy(rows + k * n, now, n * sizeof *now);
        if (t == most) break;
        if (t % 1024 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)most));
        cairn_markov_step(m, now, next);
        if (steps && t < WORKED_STEPS && n <= WORKED_STATES)
            CHECK(show_step(ctx, out, c, t + 1, now, next));
        memcpy(now, next, n * sizeof *now);
    }
    if (steps && most > WORKED_STEPS && n <= WORKED_STATES)
        cairn_report_paragraph(out, "And so on, step by step, up to %zu steps.", most);
    return show_forecast(ctx, out, c, after, n_after, rows);
}

/* -- in the long run -- */

/* Contexts at the beginning of a sequence are left for ever, which is not worth a word. */
static bool is_begin(const cairn_markov *c, size_t i)
{
    return c->high && c->contexts.shorter[i];
}

/* The names of a class's members, or of those that pass. */
static void name_members(cairn_text *to, const cairn_markov *c, const int32_t *of, int32_t class)
{
    for (size_t i = 0, n = 0; i < c->model.n_states; i++)
        if (of[i] == class && !is_begin(c, i) && n++ < SHOWN_STATES)
            cairn_text_addf(to, n > 1 ? ", %s" : "%s", state_name(&c->model, i));
}

/* What the table does not say: several ends, states that are left for ever, turns. */
static void note_classes(cairn_report *out, const cairn_markov *chain,
                         const cairn_closed_classes *c)
{
    SCOPED(cairn_text_clear) cairn_text passing = cairn_text_start(cairn_report_context(out));
    name_members(&passing, chain, c->of, CAIRN_PASSING);
    cairn_report_hidden(out, (double)c->n, "closed");
    if (c->n > 1)
        cairn_report_note(out,
                          "%zu classes of states are never left again: where the chain ends "
                          "depends on where it begins, and each class has its own stationary "
                          "distribution.",
                          c->n);
    if (passing.length)
        cairn_report_note(out, "Left for ever at some time: %s.", cairn_text_string(&passing));
    for (size_t k = 0; k < c->n; k++) {
        SCOPED(cairn_text_clear) cairn_text members = cairn_text_start(cairn_report_context(out));
        name_members(&members, chain, c->of, (int32_t)k);
        cairn_report_hidden(out, (double)c->period[k], "closed%zu.period", k + 1);
        if (c->period[k] > 1)
            cairn_report_note(
                out,
                "The class of %s is passed through in turns of %zu steps: the distribution "
                "itself does not settle, its mean over time does.",
                cairn_text_string(&members), c->period[k]);
        cairn_report_failed(out, cairn_text_status(&members));
    }
    cairn_report_failed(out, cairn_text_status(&passing));
}

/* That a step changes nothing, state by state. */
static cairn_status show_balance(cairn_context *ctx, cairn_report *out, const cairn_markov *chain,
                                 const cairn_closed_classes *c)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    const cairn_hmm *m = &chain->model;
    size_t n = m->n_states;
    double *pairs;
    CHECK(SCRATCH(ctx, &pairs, 2 * n));
    cairn_report_step_begin(out, "A step changes nothing: p(j) = Σ p(i)·a(i, j), Σ p = 1");
    for (size_t j = 0; j < n; j++) {
        size_t terms = 0;
        if (c->of[j] == CAIRN_PASSING) continue;
        label.length = 0;
        cairn_text_addf(&label, "p(%s)", state_name(m, j));
        for (size_t i = 0; i < n; i++) {
            if (c->of[i] != c->of[j] || (chain->high && !(m->move[i * n + j] > 0))) continue;
            pairs[2 * terms] = c->shares[i];
            pairs[2 * terms++ + 1] = m->move[i * n + j];
        }
        cairn_report_worked_sum(out, cairn_text_string(&label), "#·#", pairs, 2, terms,
                                c->shares[j]);
    }
    if (chain->high) CHECK(chain_work_last(ctx, out, chain, c->shares, "p"));
    cairn_report_step_end(out);
    return cairn_text_status(&label);
}

/* A state is kept for 1 / (1 - a(i,i)) steps on the average and comes back after 1 / p(i). */
static void show_long_run(cairn_report *out, const cairn_markov *chain,
                          const cairn_closed_classes *c)
{
    const cairn_hmm *m = &chain->model;
    size_t n = m->n_states;
    const char *before = chain->high ? "context." : "";
    cairn_report_table_of(out, chain->high ? "Contexts in the long run" : "In the long run", 100,
                          "lrrrr", chain->high ? "context" : "state", "closed class", "stationary",
                          "mean stay", "mean return");
    for (size_t i = 0; i < n; i++) {
        if (is_begin(chain, i)) continue;
        double stay = 1 - m->move[i * n + i], share = c->shares[i];
        char class[24] = "none"; /* without it the shares of several classes cannot be told apart */
        if (c->of[i] != CAIRN_PASSING) snprintf(class, sizeof class, "%d", c->of[i] + 1);
        cairn_report_prefix(out, "%s", before);
        cairn_report_cells(out, "- @class.$1 @stationary.$1 @stay.$1 @return.$1", state_name(m, i),
                           class, share, stay > 0 ? 1 / stay : NAN, share > 0 ? 1 / share : NAN);
    }
}

static cairn_status long_run(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                             bool steps)
{
    cairn_certificate certificate = {0};
    cairn_closed_classes closed;
    CHECK(cairn_markov_closed(ctx, &c->model, &closed));
    cairn_markov_prove(&certificate, &c->model, &closed);
    CHECK(cairn_certificate_judge(ctx, &certificate, "chain"));
    if (steps && c->model.n_states <= WORKED_STATES) CHECK(show_balance(ctx, out, c, &closed));
    if (c->high) CHECK(chain_show_last_run(ctx, out, c, &closed));
    show_long_run(out, c, &closed);
    cairn_certificate_report(out, &certificate);
    note_classes(out, c, &closed);
    return CAIRN_OK;
}

/* -- passage and absorption -- */

/* What holds of a state: the probability of a goal, or the mean number of steps, is that of the
 * states that it moves to, put together. */
static cairn_status show_passing(cairn_context *ctx, cairn_report *out, const cairn_hmm *m,
                                 size_t i, const double *values, size_t stride, double first,
                                 const char *name)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double *numbers;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &numbers, 2 * m->n_states + 2));
    if (first > 0) {
        numbers[n++] = first;
        cairn_text_add(&text, "#");
    }
    for (size_t j = 0; j < m->n_states; j++) {
        double move = m->move[i * m->n_states + j], value = values[j * stride];
        if (!(move > 0) || !(value > 0)) continue;
        cairn_text_add(&text, n ? " + #·#" : "#·#");
        numbers[n++] = move;
        numbers[n++] = value;
    }
    if (n > (first > 0)) cairn_text_add(&text, " = ");
    if (n != 1 || !(first > 0)) {
        cairn_text_add(&text, "#");
        numbers[n++] = values[i * stride];
    }
    CHECK(cairn_text_status(&text));
    cairn_report_worked_numbers(out, name, cairn_text_string(&text), numbers, n);
    return CAIRN_OK;
}

/* A goal: its name on the page, and in names of values. */
typedef struct goal_name {
    const char *shown, *key;
} goal_name;

/* A row for every state that is no goal: how probably each goal comes first, and when one does. */
static cairn_status show_passage(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                 const int32_t *goal, const goal_name *goals, size_t n_goals,
                                 const char *title, const char *key, bool steps)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    const cairn_hmm *m = &c->model;
    size_t n = m->n_states;
    double *reached, *times;
    CHECK(SCRATCH(ctx, &reached, cairn_product(n, n_goals)));
    CHECK(SCRATCH(ctx, &times, n));
    CHECK(cairn_markov_passage(ctx, m, goal, n_goals, reached, times));
    if (steps && n <= WORKED_STATES) {
        cairn_report_step_begin(out, "%s: h(i) = Σ a(i, j)·h(j), t(i) = 1 + Σ a(i, j)·t(j)", title);
        for (size_t i = 0; i < n; i++) {
            if (goal[i] >= 0) continue;
            for (size_t g = 0; g < n_goals; g++) {
                label.length = 0;
                cairn_text_addf(&label, "h(%s, %s)", state_name(m, i), goals[g].shown);
                CHECK(show_passing(ctx, out, m, i, reached + g, n_goals, 0,
                                   cairn_text_string(&label)));
            }
            label.length = 0;
            cairn_text_addf(&label, "t(%s)", state_name(m, i));
            if (isfinite(times[i]))
                CHECK(show_passing(ctx, out, m, i, times, 1, 1, cairn_text_string(&label)));
        }
        cairn_report_step_end(out);
    }
    cairn_report_table_of(out, title, 100, "l", "from");
    for (size_t g = 0; g < n_goals; g++) cairn_report_column(out, goals[g].shown, 'r');
    cairn_report_column(out, "mean steps", 'r');
    for (size_t i = 0; i < n; i++) {
        if (goal[i] >= 0) continue;
        const char *from = cairn_report_key(out, state_name(m, i));
        cairn_report_cell(out, state_name(m, i));
        for (size_t g = 0; g < n_goals; g++)
            cairn_report_cell_number(out, reached[i * n_goals + g], 0, "%s.%s.%s", key, from,
                                     goals[g].key);
        cairn_report_cell_number(out, times[i], 0, "%s.%s.steps", key, from);
    }
    return cairn_text_status(&label);
}

/* Which closed class takes the states that are left for ever, and when. */
static cairn_status absorption(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                               bool steps)
{
    cairn_closed_classes closed;
    goal_name *goals;
    size_t n_passing = 0;
    CHECK(cairn_markov_closed(ctx, &c->model, &closed));
    for (size_t i = 0; i < c->model.n_states; i++) n_passing += closed.of[i] == CAIRN_PASSING;
    if (!n_passing || closed.n > SHOWN_STATES || c->high) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &goals, closed.n));
    for (size_t k = 0; k < closed.n; k++) {
        SCOPED(cairn_text_clear) cairn_text members = cairn_text_start(ctx);
        char number[32], *name;
        snprintf(number, sizeof number, "class%zu", k + 1);
        name_members(&members, c, closed.of, (int32_t)k);
        CHECK(cairn_text_status(&members));
        CHECK(SCRATCH(ctx, &name, members.length + 1));
        memcpy(name, cairn_text_string(&members), members.length);
        goals[k] = (goal_name){name, cairn_report_key(out, number)};
    }
    return show_passage(ctx, out, c, closed.of, goals, closed.n,
                        "Until the chain is in a closed class", "absorbed", steps);
}

/* The states that were asked for, each a goal of its own. */
static cairn_status passage(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                            const char *asked, bool steps)
{
    const cairn_map *names = &c->model.states;
    size_t n = c->model.n_states, n_asked, n_goals = 0;
    int32_t *states, *goal;
    goal_name *goals;
    if (c->high)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{reach} is answered for chains of order 1, in which a state is all that "
                          "counts; leave out {reach}, or {chain-order}");
    CHECK(markov_states(ctx, names, cairn_say(ctx, "{reach}"), asked, strlen(asked), &states,
                        &n_asked));
    if (!n_asked) return cairn_fail(ctx, CAIRN_USAGE, "{reach} names no state");
    CHECK(SCRATCH_RAW(ctx, &goal, n));
    CHECK(SCRATCH(ctx, &goals, n_asked));
    for (size_t i = 0; i < n; i++) goal[i] = -1;
    for (size_t k = 0; k < n_asked; k++) {
        size_t i = (size_t)states[k];
        if (goal[i] >= 0) continue;
        goals[n_goals] =
            (goal_name){state_name(&c->model, i), cairn_report_key(out, state_name(&c->model, i))};
        goal[i] = (int32_t)n_goals++;
    }
    return show_passage(ctx, out, c, goal, goals, n_goals,
                        n_goals > 1 ? "Until one of them is come to"
                                    : "Until it is come to for the first time",
                        "reach", steps);
}

/* -- sequences -- */

/* A sequence, and how probable it is to begin so and to go on so. */
typedef struct factors {
    const cairn_markov *c;
    const int32_t *states; /* n: of order 1, else symbols */
    double *values;        /* n */
    size_t n;
} factors;

/* The name of factor t: π(rain), a(rain, dry), or P(dry | rain, rain) of higher orders, whose
 * context goes on with it; returns its value. */
static double next_factor(const factors *f, size_t t, size_t *context, cairn_text *name)
{
    const cairn_hmm *m = &f->c->model;
    size_t now = (size_t)f->states[t];
    if (f->c->high) return chain_factor(f->c, context, f->states[t], name);
    if (!t) {
        if (name) cairn_text_addf(name, "π(%s)", state_name(m, now));
        return m->start[now];
    }
    size_t before = (size_t)f->states[t - 1];
    if (name) cairn_text_addf(name, "a(%s, %s)", state_name(m, before), state_name(m, now));
    return m->move[before * m->n_states + now];
}

static size_t first_context(const factors *f)
{
    return f->c->high ? f->c->high->n_contexts - 1 : 0;
}

static void show_factors(cairn_report *out, const factors *f, size_t number)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
    size_t context = first_context(f);
    cairn_report_table_of(out, "Factors", SHOWN_FACTORS, "rlr", "step", "factor", "value");
    for (size_t t = 0; t < f->n && t < SHOWN_FACTORS; t++) {
        name.length = 0;
        next_factor(f, t, &context, &name);
        cairn_report_prefix(out, "sequence%zu.factor", number);
        cairn_report_cells(out, "- - @$1", t + 1, cairn_text_string(&name), f->values[t]);
    }
    if (f->n > SHOWN_FACTORS)
        cairn_report_paragraph(out, "%zu more factors are left out.", f->n - SHOWN_FACTORS);
    cairn_report_failed(out, cairn_text_status(&name));
}

/* The product of a short sequence with its numbers put in. */
static void show_product(cairn_report *out, const factors *f, double product)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    double numbers[WORKED_FACTORS + 1];
    if (f->n < 2 || f->n > WORKED_FACTORS) return;
    for (size_t t = 0; t < f->n; t++) {
        numbers[t] = f->values[t];
        cairn_text_add(&text, t ? "·#" : "#");
    }
    numbers[f->n] = product;
    cairn_text_add(&text, " = #");
    cairn_report_worked_numbers(out, "P", cairn_text_string(&text), numbers, f->n + 1);
    cairn_report_failed(out, cairn_text_status(&text));
}

/* What makes a sequence impossible. */
static void note_impossible(cairn_report *out, const factors *f)
{
    const cairn_map *names = f->c->high ? &f->c->high->symbols : &f->c->model.states;
    size_t t = 0;
    while (t < f->n && f->values[t] > 0) t++;
    if (t == f->n) return;
    const char *now = cairn_map_key(names, (size_t)f->states[t]);
    if (t)
        cairn_report_note(out, "Impossible: nothing leads from %s to %s (step %zu).",
                          cairn_map_key(names, (size_t)f->states[t - 1]), now, t + 1);
    else
        cairn_report_note(out, "Impossible: no sequence begins with %s.", now);
}

/* The product is shown, the logarithm counts: a long sequence has no product above 0. */
static cairn_status show_sequence(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                                  const char *text, size_t number)
{
    SCOPED_SCRATCH(ctx);
    const cairn_map *names = c->high ? &c->high->symbols : &c->model.states;
    factors f = {.c = c};
    int32_t *states;
    double log = 0, product = 1;
    CHECK(markov_states(ctx, names, cairn_say(ctx, "{of}"), text, strlen(text), &states, &f.n));
    f.states = states;
    if (!f.n) return cairn_fail(ctx, CAIRN_USAGE, "{of}: sequence %zu is empty", number);
    CHECK(SCRATCH(ctx, &f.values, f.n));
    size_t context = first_context(&f);
    for (size_t t = 0; t < f.n; t++) {
        f.values[t] = next_factor(&f, t, &context, NULL);
        log += cairn_log(f.values[t]);
        product *= f.values[t];
    }
    cairn_report_heading(out, 2, "Sequence %zu: %.200s", number, text);
    cairn_report_formula(out, c->high ? "P(q1 ... qT) = π(q1)·Π P(qt | the steps before it)"
                                      : "P(q1 ... qT) = π(q1)·a(q1, q2)·...·a(qT−1, qT)");
    show_factors(out, &f, number);
    show_product(out, &f, product);
    cairn_report_value(out, "probability", product, "sequence%zu.p", number);
    cairn_report_value(out, "ln probability", log, "sequence%zu.log", number);
    cairn_report_hidden(out, (double)f.n, "sequence%zu.length", number);
    note_impossible(out, &f);
    if (!(product > 0) && isfinite(log))
        cairn_report_note(out, "The probability is too small for a number; its logarithm is not.");
    return CAIRN_OK;
}

/* -- at random -- */

static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_map *known,
                                const int32_t *states, size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char **names;
    double *steps;
    CHECK(SCRATCH(ctx, &names, known->n));
    CHECK(SCRATCH(ctx, &steps, n));
    for (size_t i = 0; i < known->n; i++) names[i] = cairn_map_key(known, i);
    for (size_t t = 0; t < n; t++) steps[t] = (double)(t + 1);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(cairn_table_put_numbers(ctx, table, "step", steps));
    CHECK(cairn_table_add_levels(ctx, table, "state", states, names, known->n));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The first states are shown, all of them go into the table. */
static cairn_status simulate(cairn_context *ctx, cairn_report *out, const cairn_markov *c, size_t n,
                             cairn_table **result)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_map *names = c->high ? &c->high->symbols : &c->model.states;
    cairn_random random;
    int32_t *states;
    CHECK(SCRATCH(ctx, &states, n));
    cairn_random_start(&random, ctx->seed, 0);
    if (c->high)
        CHECK(chain_walk(ctx, c, states, n));
    else
        CHECK(cairn_hmm_sample(ctx, &c->model, &random, n, states, NULL, NULL));
    for (size_t t = 0; t < n && t < SHOWN_SIMULATED; t++) {
        const char *name = cairn_map_key(names, (size_t)states[t]);
        cairn_text_addf(&text, t ? " %s" : "%s", name);
        cairn_report_hidden_word(out, name, "simulated.%zu", t + 1);
    }
    cairn_report_heading(out, 2, "A sequence at random");
    cairn_report_paragraph(out, "%s%s", cairn_text_string(&text),
                           n > SHOWN_SIMULATED ? " ..." : "");
    CHECK(cairn_text_status(&text));
    return result ? make_result(ctx, result, names, states, n) : CAIRN_OK;
}

/* -- the picture -- */

/* States, or contexts that are no beginnings, which stand behind those. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const cairn_markov *c)
{
    const char **names;
    size_t n = c->model.n_states, first = 0;
    double *moves;
    while (first < n && is_begin(c, first)) first++;
    size_t shown = n - first;
    CHECK(SCRATCH(ctx, &names, shown + 1));
    CHECK(SCRATCH(ctx, &moves, cairn_product(shown, shown) + 1));
    for (size_t i = 0; i < shown; i++) {
        names[i] = state_name(&c->model, first + i);
        memcpy(moves + i * shown, c->model.move + (first + i) * n + first, shown * sizeof *moves);
    }
    return cairn_state_plot(ctx, out, "chain", "State diagram", names, moves, shown);
}

static cairn_status chain_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    SCOPED(markov_clear) cairn_markov chain = {0};
    CHECK(markov_read(ctx, &chain, &p->source, job->table, job->model));
    return make_figure(ctx, out, &chain);
}

/* What the chain is, and how it was counted. */
static cairn_status show_chain(cairn_context *ctx, cairn_report *out, const cairn_markov *c,
                               const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    if (c->counts.start) {
        /* What was counted, with how often each state is left: the denominators. */
        const cairn_hmm *m = &c->model;
        size_t n = m->n_states;
        show_lengths(out, c);
        if (!(n > SHOWN_STATES)) {
            cairn_report_table_of(out, "Counts", SHOWN_STATES, "lr", "from", "first");
            for (size_t j = 0; j < n; j++) cairn_report_column(out, state_name(m, j), 'r');
            cairn_report_column(out, "left", 'r');
            for (size_t i = 0; i < n; i++) {
                const double *row = c->counts.move + i * n;
                const char *from = cairn_report_key(out, state_name(m, i));
                cairn_report_cells(out, "- count.start.$1", state_name(m, i), c->counts.start[i]);
                for (size_t j = 0; j < n; j++)
                    cairn_report_cell_number(out, row[j], 0, "count.move.%s.%s", from,
                                             cairn_report_key(out, state_name(m, j)));
                cairn_report_cell_number(out, cairn_sum(row, n), 0, "count.left.%s", from);
            }
        }
        if (job->steps) CHECK(show_learning(ctx, out, c, &p->source.option));
    } else if (c->n_sequences)
        show_lengths(out, c);
    if (!c->high) {
        cairn_hmm_report_model(out, &c->model, "");
        return CAIRN_OK;
    }
    if (job->steps && c->n_sequences)
        cairn_markov_show(out, c->high, &(cairn_job){.task = CAIRN_CLUSTER});
    /* Order, numbers of states and contexts, and P(state | context): "next.CONTEXT.STATE". */
    const cairn_markov_model *m = c->high;
    cairn_report_value(out, "order", m->order, "order");
    cairn_report_value(out, "states", (double)m->n_symbols, "states");
    cairn_report_value(out, "contexts", (double)c->model.n_states, "contexts");
    if (!(m->n_symbols > SHOWN_SYMBOLS)) {
        cairn_report_table_of(out, "Probability of the next state", SHOWN_CONTEXTS, "l", "after");
        if (c->counted) cairn_report_column(out, "steps", 'r');
        for (size_t s = 0; s < m->n_symbols; s++) cairn_report_column(out, symbol_name(c, s), 'r');
        show_row(out, c, "start", m->n_contexts - 1);
        for (size_t i = 0; i < c->model.n_states; i++)
            show_row(out, c, context_name(c, i), c->contexts.contexts[i]);
    }
    return cairn_report_status(out);
}

/* Tell the chain, then answer what was asked; the long run is always told. */
static cairn_status chain_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const chain_params *p = job->params;
    SCOPED(markov_clear) cairn_markov chain = {0};
    if (job->result && !p->simulate)
        return cairn_fail(ctx, CAIRN_USAGE, "there is a table to write only with {simulate N}");
    CHECK(markov_read(ctx, &chain, &p->source, job->table, job->model));
    cairn_report_heading(out, 1, "Markov chain");
    CHECK(show_chain(ctx, out, &chain, job));
    /* On a page the diagram stands below the matrix. */
    cairn_figure *figure;
    if (!(chain.model.n_states > CAIRN_MOST_DRAWN_STATES)) {
        CHECK(make_figure(ctx, &figure, &chain));
        cairn_report_page_figure(out, figure);
    }
    if (p->after.text) CHECK(forecast(ctx, out, &chain, &p->after, job->steps));
    CHECK(long_run(ctx, out, &chain, job->steps));
    CHECK(absorption(ctx, out, &chain, job->steps));
    if (p->reach) CHECK(passage(ctx, out, &chain, p->reach, job->steps));
    if (p->of) {
        const char *lines = p->of;
        const char *const *list;
        CHECK(cairn_list_lines(ctx, lines, &list));
        for (size_t i = 0; list[i]; i++) CHECK(show_sequence(ctx, out, &chain, list[i], i + 1));
    }
    if (!p->simulate) return CAIRN_OK;
    return simulate(ctx, out, &chain, (size_t)p->simulate, job->result);
}

const cairn_calculator cairn_compute_chain = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "chain",
         .also = "Markov chain, Markov process, transition matrix, stationary distribution, steady "
                 "state, absorbing state, probability of a state sequence, n-step forecast, random "
                 "walk, first passage time, hitting time, absorption probability, mean time to "
                 "absorption, gambler's ruin",
         .about = "discrete Markov process, observable Markov model, Markov property, homogeneity "
                  "property, initial probability, transition probability",
         .title = "Markov chains: forecasts, long run, sequences",
         .summary =
             "A chain of named states, typed as a matrix, in its text form, learned from "
             "sequences by shares of counts, or saved by markov-chain or markov: the distribution "
             "after n steps, the stationary "
             "distribution of every class of states that is never left again, the mean stay "
             "in a state and the mean time until it comes back, how probably each closed class is "
             "where "
             "the chain ends and after how many steps (absorption), how long it takes from every "
             "state to the first visit of others (--reach), the probability of a sequence with its "
             "factors and its logarithm, and a sequence drawn at random. With "
             "--chain-order 2 and more the next state depends on the last ones together: these "
             "contexts are the states of a chain, and its answers are added up over their last "
             "steps.",
         .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                       "77 (1989); Grassmann, Taksar and Heyman, Regenerative analysis and "
                       "steady state distributions for Markov chains, Operations Research 33 "
                       "(1985)",
         .example = "cairn compute chain --states bull,bear,stagnant --transitions "
                    "'0.9,0.075,0.025;0.15,0.8,0.05;0.25,0.5,0.25' --start 0.5,0.3,0.2 "
                    "--after 1,2 --of 'bull stagnant bear bear' --steps",
         .params = chain_table,
         .params_size = sizeof(chain_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "chain",
                .also = "state diagram, transition diagram, Markov chain graph",
                .title = "State diagram of a Markov chain",
                .summary = "The states on a circle, an arrow for every move that is possible with "
                           "its probability, and loops where a state is kept; at most sixteen "
                           "states.",
                .example = "cairn draw chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' "
                           "--out weather.svg",
                .params = picture_table,
                .params_size = sizeof(chain_params)},
    .arguments = "[MODEL | DATA]",
    .takes_data = true,
    .takes_model = true,
    .run = chain_run,
    .draw = chain_draw,
};
