/* SPDX-License-Identifier: MIT */
/* Markov: one chain for each class; a sequence belongs to the class that makes
 *
 *     ln P(c) + Σ ln P(q_t | q_t-1 ... q_t-k, c)
 *
 * largest. The chain of a class is counted from its sequences: P(s | context) is the share of s
 * among the steps that follow the context, smoothed. What stands before the first step is part of
 * the context, so that the first steps have probabilities of their own (pi) in a chain of any order
 * k; order 0 counts symbols without their order.
 *
 * Symbols that training did not have, and the steps whose context holds one, are left out of the
 * sum in all classes alike. A sequence that is impossible in every class gets the shares of the
 * classes. The length of a sequence says nothing. Cost: steps for fitting, times classes for
 * predicting; a table of classes x (symbols + 1)^order x symbols.
 *
 * markov-chain is the same with one chain for all rows, which tells how probable a row is. */
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>

enum { MOST_CELLS = 1 << 26 };

typedef struct markov_params {
    int chain_order;
    const char *smooth;
    int unvisited;
} markov_params;

static const cairn_param markov_table[] = {
    CAIRN_PARAM(markov_params, chain_order, "1", "[0,8]",
                "order of the chain: how many steps back the next one depends on", .often = true),
    CAIRN_PARAM(markov_params, smooth, "laplace", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out evenly)",
                .often = true),
    CAIRN_PARAM_CHOICE(markov_params, unvisited, "error", cairn_unvisited_choices,
                       "a state that no sequence of a class ever leaves, without smoothing",
                       .when = "smooth=none"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* How many contexts there are; fails when the tables would be too large. */
static cairn_status set_contexts(cairn_context *ctx, cairn_markov_model *m)
{
    double cells = (double)m->n_classes * (double)m->n_symbols;
    m->n_contexts = 1;
    for (int32_t k = 0; k < m->order; k++) {
        cells *= (double)m->n_symbols + 1;
        if (cells > MOST_CELLS)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "a chain of order %d over %zu states and %zu classes is too large; "
                              "choose a smaller {chain-order}",
                              m->order, m->n_symbols, m->n_classes);
        m->n_contexts *= m->n_symbols + 1;
    }
    return CAIRN_OK;
}

cairn_status cairn_markov_make(cairn_context *ctx, cairn_markov_model *m)
{
    CHECK(set_contexts(ctx, m));
    CHECK(NEW(ctx, &m->weights, m->n_classes));
    CHECK(NEW(ctx, &m->counts, m->n_classes * m->n_contexts * m->n_symbols));
    return NEW(ctx, &m->seen, m->n_contexts);
}

void cairn_markov_add(cairn_markov_model *m, size_t class, const int32_t *items, size_t n,
                      double weight)
{
    double *counts = m->counts + class * m->n_contexts * m->n_symbols;
    cairn_markov_walk walk = cairn_markov_begin(m);
    m->weights[class] += weight;
    if (!(weight > 0)) return;
    for (size_t t = 0; t < n; t++) {
        size_t context = cairn_markov_go(m, &walk, items[t]);
        if (context != SIZE_MAX) counts[context * m->n_symbols + (size_t)items[t]] += weight;
        if (!walk.unknown) m->seen[walk.context] = 1;
    }
}

static void count_row(cairn_markov_model *m, const cairn_markov_steps *steps, size_t i)
{
    const cairn_view *view = steps->view;
    size_t class = view->target ? (size_t)view->target->codes[cairn_view_row(view, i)] : 0;
    size_t n = cairn_markov_row(steps, i);
    cairn_markov_add(m, class, steps->row, n, cairn_view_weight(view, i));
}

cairn_status cairn_markov_choose(cairn_context *ctx, cairn_markov_model *m, int order,
                                 const cairn_markov_option *option)
{
    cairn_smoothing smoothing;
    CHECK(cairn_markov_smoothing(ctx, &smoothing, option));
    m->order = order;
    m->smoothing = (int32_t)smoothing.kind;
    m->amount = smoothing.amount;
    m->unvisited = option->unvisited;
    return CAIRN_OK;
}

static cairn_status read_params(cairn_context *ctx, cairn_markov_model *m, const markov_params *p)
{
    cairn_markov_option option = {.smoothing = {p->smooth}, .unvisited = p->unvisited};
    return cairn_markov_choose(ctx, m, p->chain_order, &option);
}

/* A chain learns from what follows what, of which rows with one step say nothing. */
static void warn_single(cairn_context *ctx, const cairn_markov_steps *steps)
{
    const cairn_view *view = steps->view;
    size_t n = 0, at = 0, longest = 0;
    for (size_t f = 0; f < view->n_features; f++)
        if (steps->symbol_of[f] && !n++) at = f;
    for (size_t i = 0; i < view->rows.n && longest < 2; i++) {
        size_t length = cairn_markov_row(steps, i);
        if (length > longest) longest = length;
    }
    if (longest != 1) return;
    cairn_warn(ctx,
               "every row has one step, its cell of '%s', so that nothing is learned of what "
               "follows what; where a row is a step of a longer sequence, say which one with "
               "{sequence COLUMN}",
               view->names[at]);
}

/* Rows without steps say nothing, which is said. */
static void warn_empty(cairn_context *ctx, const cairn_markov_steps *steps, const char *what)
{
    size_t n = 0;
    if (steps->sequence < 0) return;
    for (size_t i = 0; i < steps->view->rows.n; i++) n += !cairn_markov_row(steps, i);
    if (n)
        cairn_warn(ctx, "%zu of %zu sequences %s empty: %s", n, steps->view->rows.n,
                   n == 1 ? "is" : "are", what);
}

/* Symbols are found first, since they say how large the tables are; then rows are counted. */
static cairn_status markov_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_markov_model *m = model;
    cairn_markov_steps steps;
    CHECK(read_params(ctx, m, job->params));
    CHECK(cairn_markov_open(ctx, &steps, job->view, &m->symbols, true));
    m->n_symbols = m->symbols.n;
    m->n_classes = job->task == CAIRN_CLUSTER ? 1 : job->n_classes;
    if (!m->n_symbols)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "all sequences are empty; there is nothing to count");
    if (m->order) warn_single(ctx, &steps);
    warn_empty(ctx, &steps, "that says nothing of the chain");
    CHECK(cairn_markov_make(ctx, m));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)job->view->rows.n));
        count_row(m, &steps, i);
    }
    CHECK(cairn_markov_finish(ctx, m, job));
    if (job->steps) cairn_markov_show(job->steps, m, job);
    return CAIRN_OK;
}

/* A context that is seen somewhere and never left in a class that has rows. */
static cairn_status fail_unvisited(cairn_context *ctx, const cairn_markov_model *m, size_t context,
                                   size_t class, const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    cairn_markov_name(&name, m, context);
    CHECK(cairn_text_status(&name));
    bool single = job->task == CAIRN_CLUSTER;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "'%s' is never left%s%s%s, so that nothing says what follows it; "
                      "choose {unvisited uniform}, {unvisited smooth} or another {smooth}",
                      cairn_text_string(&name), single ? "" : " in class '",
                      single ? "" : cairn_markov_class(job, class), single ? "" : "'");
}

cairn_status cairn_markov_finish(cairn_context *ctx, cairn_markov_model *m, const cairn_job *job)
{
    cairn_smoothing smoothing = {(cairn_smoothing_kind)m->smoothing, m->amount};
    size_t n = m->n_symbols, rows = m->n_classes * m->n_contexts;
    if (!m->logs) CHECK(NEW(ctx, &m->logs, rows * n));
    for (size_t r = 0; r < rows; r++) {
        double *to = m->logs + r * n;
        size_t context = r % m->n_contexts, class = r / m->n_contexts;
        cairn_smooth_counts(to, smoothing, m->counts + r * n, n, NULL);
        bool undefined = isnan(to[0]);
        if (undefined && job && m->seen[context] && m->weights[class] > 0 &&
            m->unvisited == CAIRN_UNVISITED_ERROR)
            return fail_unvisited(ctx, m, context, class, job);
        for (size_t s = 0; s < n; s++) to[s] = cairn_log(undefined ? 1 / (double)n : to[s]);
    }
    return CAIRN_OK;
}

/* -- predicting -- */

/* ln P(c) + ln P(row | c) of every class; returns how many steps that is of. */
static size_t score_row(const cairn_markov_model *m, const cairn_markov_steps *steps, size_t i,
                        double *scores)
{
    size_t n = cairn_markov_row(steps, i), table = m->n_contexts * m->n_symbols, known = 0;
    cairn_markov_walk walk = cairn_markov_begin(m);
    for (size_t c = 0; c < m->n_classes; c++) scores[c] = cairn_log(m->weights[c]);
    for (size_t t = 0; t < n; t++) {
        size_t context = cairn_markov_go(m, &walk, steps->row[t]);
        if (context == SIZE_MAX) continue;
        const double *logs = m->logs + context * m->n_symbols + (size_t)steps->row[t];
        for (size_t c = 0; c < m->n_classes; c++) scores[c] += logs[c * table];
        known++;
    }
    return known;
}

/* Scores become shares of 1; where all are impossible those of the classes. */
static void share_scores(const cairn_markov_model *m, double *scores)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < m->n_classes; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < m->n_classes; c++) {
        scores[c] = isinf(most) ? m->weights[c] : cairn_exp(scores[c] - most);
        sum += scores[c];
    }
    for (size_t c = 0; c < m->n_classes; c++) scores[c] /= sum;
}

static cairn_status markov_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_markov_model *m = model;
    cairn_markov_steps steps;
    cairn_map symbols = m->symbols; /* looked at only */
    CHECK(cairn_markov_open(ctx, &steps, job->view, &symbols, false));
    warn_empty(ctx, &steps, "the shares of the classes are their answer");
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 64 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        score_row(m, &steps, i, out->scores + i * m->n_classes);
        share_scores(m, out->scores + i * m->n_classes);
    }
    return CAIRN_OK;
}

/* One chain has one cluster; what it says of a row is ln P(row). */
static cairn_status chain_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const cairn_markov_model *m = model;
    cairn_markov_steps steps;
    cairn_map symbols = m->symbols; /* looked at only */
    double *logs, *known;
    CHECK(cairn_markov_open(ctx, &steps, job->view, &symbols, false));
    CHECK(SCRATCH(ctx, &logs, out->n_rows + 1));
    CHECK(SCRATCH(ctx, &known, out->n_rows + 1));
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        known[i] = (double)score_row(m, &steps, i, &logs[i]);
        logs[i] -= cairn_log(m->weights[0]);
        if (out->scores) out->scores[i] = 1;
    }
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "log_likelihood", logs));
    return cairn_table_put_numbers(ctx, out->extra, "steps", known);
}

/* -- keeping -- */

static cairn_status check_counts(cairn_archive *a, const cairn_markov_model *m)
{
    double total = 0;
    for (size_t i = 0; i < m->n_classes * m->n_contexts * m->n_symbols; i++)
        if (!(m->counts[i] >= 0) || isinf(m->counts[i]))
            return cairn_archive_damaged(a, "a count of a chain is not a number");
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->weights[c] >= 0)) return cairn_archive_damaged(a, "a class has a negative weight");
        total += m->weights[c];
    }
    return total > 0 && isfinite(total) && m->amount >= 0 && isfinite(m->amount)
               ? CAIRN_OK
               : cairn_archive_damaged(a, "the chains have no weight");
}

static cairn_status check_sizes(cairn_archive *a, cairn_markov_model *m)
{
    if (m->order < 0 || m->order > 8 || !m->n_symbols || !m->n_classes || m->smoothing < 0 ||
        m->smoothing >= CAIRN_SMOOTH_BITS || m->n_symbols != m->symbols.n)
        return cairn_archive_damaged(a, "the chains have impossible sizes");
    cairn_status fits = set_contexts(cairn_archive_context(a), m);
    return fits == CAIRN_OK ? fits : cairn_archive_damaged(a, "the chains are too large");
}

/* Counts are kept, and logarithms are made from them again. */
static cairn_status markov_archive(cairn_archive *a, void *model)
{
    cairn_markov_model *m = model;
    CHECK(cairn_archive_int(a, "order", &m->order));
    CHECK(cairn_archive_map(a, "symbols", &m->symbols));
    CHECK(cairn_archive_size(a, "n_symbols", &m->n_symbols, MOST_CELLS));
    CHECK(cairn_archive_size(a, "classes", &m->n_classes, MOST_CELLS));
    CHECK(cairn_archive_int(a, "smoothing", &m->smoothing));
    CHECK(cairn_archive_real(a, "amount", &m->amount));
    CHECK(cairn_archive_int(a, "unvisited", &m->unvisited));
    if (cairn_archive_reading(a)) CHECK(check_sizes(a, m));
    CHECK(cairn_archive_reals(a, "weights", &m->weights, m->n_classes));
    CHECK(
        cairn_archive_reals(a, "counts", &m->counts, m->n_classes * m->n_contexts * m->n_symbols));
    CHECK(cairn_archive_bytes(a, "seen", &m->seen, m->n_contexts));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    CHECK(check_counts(a, m));
    return cairn_markov_finish(cairn_archive_context(a), m, NULL);
}

static cairn_status markov_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_markov_model *m = model;
    return m->n_classes == (job->task == CAIRN_CLUSTER ? 1 : job->n_classes)
               ? CAIRN_OK
               : cairn_archive_damaged(a, "the learner has other classes than the target");
}

void cairn_markov_model_clear(void *model)
{
    cairn_markov_model *m = model;
    cairn_map_clear(&m->symbols);
    cairn_free(m->weights);
    cairn_free(m->counts);
    cairn_free(m->seen);
    cairn_free(m->logs);
}

static cairn_model_size markov_size(const void *model)
{
    const cairn_markov_model *m = model;
    return (cairn_model_size){cairn_markov_free(m), false};
}

static size_t chain_clusters(const void *model)
{
    return ((const cairn_markov_model *)model)->n_classes;
}

static const cairn_output chain_outputs[] = {
    {"log_likelihood", "logarithm of the probability of a row"},
    {"steps", "steps of the row that are known, and so are those that they depend on"},
    {0},
};

const cairn_learner cairn_markov_chain_learner = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "markov-chain",
              .also = "n-gram model, bigram model of sequences, sequence density, likelihood of "
                      "sequences, simulate sequences",
              .title = "Markov chain of all rows",
              .summary =
                  "Learns how probable every state is after the last ones, by shares of counts, "
                  "and tells how probable a row is. The steps stand in a column of sequences, or "
                  "in columns of levels from left to right. Other columns are not looked at. "
                  "There is one cluster, which all rows belong to. Sequences are drawn by 'cairn "
                  "compute sample'; 'cairn compute chain MODEL' tells the long run and forecasts.",
              .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                            "77 (1989)",
              .example = "cairn fit markov-chain @weather --features outlook,temperature,humidity "
                         "--steps",
              .params = markov_table,
              .params_size = sizeof(markov_params)},
    .tasks = CAIRN_CLUSTER,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING,
    .aims = "that the steps of the rows follow each other as probably as can be",
    .model_size = sizeof(cairn_markov_model),
    .tables = cairn_markov_tables,
    .gives_scores = true,
    .outputs = chain_outputs,
    .forms = cairn_markov_forms,
    .fit = markov_fit,
    .predict = chain_predict,
    .describe = cairn_markov_describe,
    .sample = cairn_markov_sample,
    .archive = markov_archive,
    .check = markov_check,
    .clear = cairn_markov_model_clear,
    .size = markov_size,
    .clusters = chain_clusters,
};

const cairn_learner cairn_markov_learner = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "markov",
              .also =
                  "Markov chain classifier, Markov model per class, n-gram classifier, sequence "
                  "classifier, order of a chain, bigram model (chain-order=1), trigram model "
                  "(chain-order=2)",
              .title = "Markov chain for each class",
              .summary =
                  "Learns for each class how probable every state is after the last ones, by "
                  "shares of counts, and gives a sequence to the class whose chain makes it "
                  "most probable. The steps stand in a column of sequences, or in columns of "
                  "levels from left to right. Other columns are not looked at. 'cairn "
                  "compute chain MODEL' answers questions about the chain of a class.",
              .references = "Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE "
                            "77 (1989)",
              .example =
                  "cairn fit markov @weather --features outlook,temperature,humidity --steps",
              .params = markov_table,
              .params_size = sizeof(markov_params)},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_ONE_CLASS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_markov_model),
    .tables = cairn_markov_tables,
    .gives_scores = true,
    .forms = cairn_markov_forms,
    .fit = markov_fit,
    .lower = cairn_markov_lower,
    .predict = markov_predict,
    .describe = cairn_markov_describe,
    .explain = cairn_markov_explain,
    .sample = cairn_markov_sample,
    .archive = markov_archive,
    .check = markov_check,
    .clear = cairn_markov_model_clear,
    .size = markov_size,
};
