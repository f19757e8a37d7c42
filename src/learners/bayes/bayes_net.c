/* SPDX-License-Identifier: MIT */
/* Bayesian networks: P(all) = Π P(variable | its parents), over the features and the target, or
 * over the columns of a table that has none.
 *
 *  1. the graph is typed ({arcs}, {given}), or learned: a tree-augmented naive Bayes, a tree by
 *     Chow and Liu, or hill climbing by BIC
 *  2. counts of the training rows become tables by the smoothing; a row of a table that no training
 *     row speaks of is uniform
 *  3. a row is answered by P(target | the other cells): where all variables around the target are
 *     known, that is a product of table entries, else missing cells are summed out by variable
 *     elimination (stats/bayes_network_factors.c). Without a target the answer is P(the cells that
 *     are there), and what the others most probably are
 *
 * Columns hold levels; numbers are cut into bins before. Rows that lack a cell of a family do not
 * count for its table. A row that is impossible in every class gets the shares of the classes. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "model/network_text.h"

#include <math.h>
#include <string.h>

enum { MOST_LEVELS = UINT16_MAX - 1 };

static const cairn_choice structures[] = {
    {"auto", CAIRN_NET_AUTO, "tan where there is a target, else tree"},
    {"tan", CAIRN_NET_TAN, "the target is a parent of all features, which also form a tree"},
    {"tree", CAIRN_NET_TREE, "the tree of largest mutual information (Chow and Liu)"},
    {"climb", CAIRN_NET_CLIMB, "hill climbing by BIC: arcs are added, deleted and reversed"},
    {"naive", CAIRN_NET_NAIVE, "the target is the only parent of all features"},
    {"none", CAIRN_NET_EMPTY, "no arcs"},
    {0},
};

static const cairn_param bayes_net_table[] = {
    CAIRN_PARAM_CHOICE(cairn_bayes_net_params, structure, "auto", structures,
                       "how the graph is found", .when = "!arcs", .often = true),
    CAIRN_PARAM(cairn_bayes_net_params, arcs, NULL, NULL,
                "the graph, typed: 'outlook -> play, play -> wind'; entries of tables, such as "
                "'P(play = yes | outlook = sunny) = 0.3', may follow behind semicolons",
                .often = true),
    CAIRN_PARAM(cairn_bayes_net_params, root, NULL, NULL,
                "column that the arcs of a tree lead away from; by default the target, or the "
                "first column",
                .when = "structure=auto|tan|tree,!arcs"),
    CAIRN_PARAM(cairn_bayes_net_params, max_parents, "3", "[1,20]",
                "climb: most parents of a variable", .when = "structure=climb"),
    CAIRN_PARAM(cairn_bayes_net_params, smooth, "laplace", NULL,
                "how counts become probabilities: none, laplace (one more of each), lambda:X (X "
                "more of each), m:X (X more, shared out alike)",
                .often = true),
    CAIRN_PARAM_END,
};

static cairn_status bayes_net_check(cairn_context *ctx, const void *params)
{
    const cairn_bayes_net_params *p = params;
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
    if (smoothing.kind != CAIRN_SMOOTH_BITS) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{smooth bits} is for what is there or not; tables of a network take none, "
                      "laplace, lambda:X or m:X");
}

/* -- rows -- */

/* Codes of one column of the table, or of the target. */
static cairn_status read_codes(cairn_context *ctx, uint16_t **out, const cairn_view *view,
                               const cairn_column *column, const char *name, int32_t n_values)
{
    size_t n = view->rows.n;
    if (n_values > MOST_LEVELS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' has %d values; a table over so many is of no use. {ignore} leaves "
                          "it out, {with group} joins rare values",
                          name, n_values);
    CHECK(SCRATCH_RAW(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) {
        int32_t code = column->codes[cairn_view_row(view, i)];
        (*out)[i] = (uint16_t)(code < 0 || code >= n_values ? n_values : code);
    }
    return CAIRN_OK;
}

/* Columns of codes, so that counting reads nothing but what it counts; a target stands last. */
static cairn_status read_rows(cairn_context *ctx, cairn_net_rows *out, const cairn_job *job)
{
    const cairn_view *view = job->view;
    *out = (cairn_net_rows){.n_rows = view->rows.n, .has_target = cairn_net_has_target(job)};
    out->n = view->n_features + out->has_target;
    out->steps = job->steps;
    CHECK(cairn_net_names(ctx, &out->names, &out->n_values, job->schema, out->n));
    CHECK(SCRATCH(ctx, &out->codes, out->n + 1));
    for (size_t v = 0; v < out->n; v++)
        CHECK(read_codes(ctx, &out->codes[v], view,
                         v < view->n_features ? view->features[v] : view->target,
                         out->names.variables[v], out->n_values[v]));
    out->total = (double)out->n_rows;
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &out->weights, out->n_rows + 1));
    cairn_view_weights(view, 0, out->n_rows, out->weights);
    out->total = 0;
    for (size_t i = 0; i < out->n_rows; i++) out->total += out->weights[i];
    return CAIRN_OK;
}

void cairn_net_count(double *out, const cairn_net_rows *rows, const size_t *variables, size_t n)
{
    enum { BLOCK = 4096 };
    uint32_t at[BLOCK];
    for (size_t begin = 0; begin < rows->n_rows; begin += BLOCK) {
        size_t m = rows->n_rows - begin < BLOCK ? rows->n_rows - begin : BLOCK;
        const uint16_t *first = rows->codes[variables[0]] + begin;
        for (size_t i = 0; i < m; i++) at[i] = first[i];
        for (size_t j = 1; j < n; j++) {
            const uint16_t *codes = rows->codes[variables[j]] + begin;
            uint32_t room = (uint32_t)rows->n_values[variables[j]] + 1;
            for (size_t i = 0; i < m; i++) at[i] = at[i] * room + codes[i];
        }
        if (rows->weights)
            for (size_t i = 0; i < m; i++) out[at[i]] += rows->weights[begin + i];
        else
            for (size_t i = 0; i < m; i++) out[at[i]] += 1;
    }
}

/* -- the graph -- */

/* The target as a parent of every feature, besides the arcs that are there. */
static cairn_status add_target(cairn_context *ctx, cairn_net_arcs *arcs, size_t n_features)
{
    cairn_arc *list;
    CHECK(SCRATCH(ctx, &list, arcs->n + n_features + 1));
    if (arcs->n) memcpy(list, arcs->list, arcs->n * sizeof *list);
    for (size_t v = 0; v < n_features; v++)
        list[arcs->n + v] = (cairn_arc){(int32_t)n_features, (int32_t)v};
    arcs->list = list;
    arcs->n += n_features;
    return CAIRN_OK;
}

static const char *candidate_variable(size_t i, const void *data)
{
    const cairn_net_rows *rows = data;
    return i < rows->n ? rows->names.variables[i] : NULL;
}

/* The root of a tree over the first n variables: by its name, else `otherwise`. */
static cairn_status find_root(cairn_context *ctx, size_t *out, const cairn_net_rows *rows, size_t n,
                              const char *name, size_t otherwise)
{
    *out = otherwise;
    if (!name) return CAIRN_OK;
    for (*out = 0; *out < n; ++*out)
        if (strcmp(rows->names.variables[*out], name) == 0) return CAIRN_OK;
    if (n < rows->n && strcmp(rows->names.variables[n], name) == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{root}: '%s' is the target, which is a parent of all features besides; "
                          "name a feature, or choose {structure tree}",
                          name);
    const char *near = cairn_nearest_word(name, candidate_variable, rows);
    return cairn_fail(ctx, CAIRN_USAGE, "{root}: the network has no column '%s'; %s '%s'%s", name,
                      near ? "did you mean" : "its first is",
                      near ? near : rows->names.variables[0], near ? "?" : "");
}

/* Structures whose arcs come from the target. */
static cairn_status need_target(cairn_context *ctx, const cairn_net_rows *rows, const char *name)
{
    if (rows->has_target) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{structure %s} makes the target a parent of all features, and there is "
                      "none; say {target COLUMN}, or choose {structure tree} or {structure climb}",
                      name);
}

static cairn_status learn_arcs(cairn_context *ctx, cairn_net_arcs *out, const cairn_net_rows *rows,
                               const cairn_bayes_net_params *p)
{
    size_t last = rows->n - 1, root;
    cairn_net_structure structure = (cairn_net_structure)p->structure;
    if (structure == CAIRN_NET_AUTO) structure = rows->has_target ? CAIRN_NET_TAN : CAIRN_NET_TREE;
    *out = (cairn_net_arcs){0};
    switch (structure) {
    case CAIRN_NET_AUTO: break;
    case CAIRN_NET_TAN:
        CHECK(need_target(ctx, rows, "tan"));
        CHECK(find_root(ctx, &root, rows, last, p->root, 0));
        CHECK(cairn_net_tree(ctx, out, rows, last, root, (ptrdiff_t)last));
        return add_target(ctx, out, last);
    case CAIRN_NET_TREE:
        CHECK(find_root(ctx, &root, rows, rows->n, p->root, rows->has_target ? last : 0));
        return cairn_net_tree(ctx, out, rows, rows->n, root, -1);
    case CAIRN_NET_CLIMB: return cairn_net_climb(ctx, out, rows, (size_t)p->max_parents);
    case CAIRN_NET_NAIVE: CHECK(need_target(ctx, rows, "naive")); return add_target(ctx, out, last);
    case CAIRN_NET_EMPTY: break;
    }
    return CAIRN_OK;
}

/* -- tables -- */

/* Counts of a family without the places of missing cells. */
static cairn_status count_family(cairn_context *ctx, cairn_bayes_net_model *m,
                                 const cairn_net_rows *rows, size_t v)
{
    SCOPED_SCRATCH(ctx);
    const cairn_network *net = &m->net;
    size_t n = cairn_network_n_parents(net, v), k = (size_t)net->n_values[v], size = 1, *family;
    double *wide, *counts = m->counts + net->cells[v];
    CHECK(SCRATCH(ctx, &family, n + 1));
    for (size_t i = 0; i < n; i++) family[i] = (size_t)net->parents[(size_t)net->starts[v] + i];
    family[n] = v;
    for (size_t i = 0; i <= n; i++)
        size = cairn_product(size, (size_t)net->n_values[family[i]] + 1);
    if (size > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table of '%s' and its parents is too large to count; give it fewer "
                          "parents",
                          rows->names.variables[v]);
    CHECK(SCRATCH(ctx, &wide, size));
    cairn_net_count(wide, rows, family, n + 1);
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            at = at * ((size_t)net->n_values[family[i]] + 1) +
                 (size_t)cairn_network_row_value(net, v, row, i);
        memcpy(counts + row * k, wide + at * (k + 1), k * sizeof *counts);
    }
    return CAIRN_OK;
}

/* Rows of tables that nobody gave get what the counts say. */
static void fill_table(cairn_bayes_net_model *m, size_t v, cairn_smoothing smoothing)
{
    const cairn_network *net = &m->net;
    size_t k = (size_t)net->n_values[v];
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        double *p = cairn_network_table(net, v) + row * k;
        if (!isnan(p[0])) continue;
        cairn_smooth_counts(p, smoothing, m->counts + net->cells[v] + row * k, k, NULL);
        for (size_t l = 0; l < k; l++)
            if (!(p[l] >= 0)) p[l] = 1 / (double)k;
    }
}

static cairn_status make_logs(cairn_context *ctx, cairn_bayes_net_model *m)
{
    size_t n = (size_t)m->net.cells[m->net.n];
    CHECK(NEW_RAW(ctx, &m->logs, n));
    for (size_t i = 0; i < n; i++) m->logs[i] = cairn_log(m->net.p[i]);
    return CAIRN_OK;
}

/* Shares of the last variable's own counts, whatever its parents are. */
static void find_shares(cairn_bayes_net_model *m, const cairn_net_rows *rows)
{
    const uint16_t *classes = rows->codes[rows->n - 1];
    size_t k = (size_t)rows->n_values[rows->n - 1];
    for (size_t i = 0; i < rows->n_rows; i++)
        if (classes[i] < k) m->shares[classes[i]] += rows->weights ? rows->weights[i] : 1;
    for (size_t c = 0; c < k; c++) m->shares[c] /= rows->total;
}

/* What the tables make of the training rows: families that are complete. */
static double find_likelihood(const cairn_bayes_net_model *m)
{
    double sum = 0;
    for (int64_t i = 0; i < m->net.cells[m->net.n]; i++)
        if (m->counts[i] > 0) sum += m->counts[i] * m->logs[i];
    return sum;
}

/* Counts and tables of all families, and what they make of the training rows. */
static cairn_status make_tables(cairn_context *ctx, cairn_bayes_net_model *m,
                                const cairn_net_rows *rows, const cairn_job *job)
{
    const cairn_bayes_net_params *p = job->params;
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
    CHECK(NEW(ctx, &m->counts, (size_t)m->net.cells[m->net.n]));
    CHECK(NEW(ctx, &m->shares, (size_t)rows->n_values[rows->n - 1]));
    m->rows = rows->total;
    find_shares(m, rows);
    for (size_t v = 0; v < m->net.n; v++) {
        CHECK(cairn_tick(ctx, "tables", (double)v, (double)m->net.n));
        CHECK(count_family(ctx, m, rows, v));
        fill_table(m, v, smoothing);
    }
    CHECK(make_logs(ctx, m));
    m->log_likelihood = find_likelihood(m);
    if (job->steps) cairn_net_show_counts(job->steps, m, &rows->names, smoothing);
    return CAIRN_OK;
}

/* A graph that was typed, and whatever it says of the tables. */
static cairn_status fit_typed(cairn_context *ctx, cairn_bayes_net_model *m, const cairn_job *job,
                              const cairn_given *given)
{
    cairn_net_rows rows;
    cairn_typed_network typed;
    CHECK(read_rows(ctx, &rows, job));
    CHECK(cairn_network_read(ctx, &typed, given, &rows.names, rows.n_values, rows.n));
    m->net = typed.net;
    return make_tables(ctx, m, &rows, job);
}

static cairn_status bayes_net_read(cairn_context *ctx, void *model, const cairn_job *job,
                                   const cairn_given *given)
{
    return fit_typed(ctx, model, job, given);
}

static cairn_status bayes_net_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_bayes_net_params *p = job->params;
    cairn_bayes_net_model *m = model;
    cairn_net_rows rows;
    cairn_net_arcs arcs;
    if (p->arcs) {
        const cairn_given given = {cairn_say(ctx, "{arcs}"), p->arcs, strlen(p->arcs)};
        return fit_typed(ctx, m, job, &given);
    }
    CHECK(read_rows(ctx, &rows, job));
    CHECK(learn_arcs(ctx, &arcs, &rows, p));
    CHECK(cairn_network_make(ctx, &m->net, rows.n, rows.n_values, arcs.list, arcs.n, &rows.names));
    for (int64_t i = 0; i < m->net.cells[rows.n]; i++) m->net.p[i] = NAN;
    return make_tables(ctx, m, &rows, job);
}

/* -- saving and loading -- */

static cairn_status archive_graph(cairn_archive *a, cairn_network *net)
{
    size_t n_arcs = net->starts ? (size_t)net->starts[net->n] : 0;
    bool sound;
    CHECK(cairn_archive_size(a, "n_arcs", &n_arcs, (size_t)1 << 30));
    CHECK(cairn_archive_ints(a, "n_values", &net->n_values, net->n));
    CHECK(cairn_archive_ints(a, "starts", &net->starts, net->n + 1));
    CHECK(cairn_archive_ints(a, "parents", &net->parents, n_arcs));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    if ((size_t)net->starts[net->n] != n_arcs)
        return cairn_archive_damaged(a, "the arcs and their number disagree");
    CHECK(cairn_network_restore(cairn_archive_context(a), net, &sound));
    return sound ? CAIRN_OK : cairn_archive_damaged(a, "the graph is none of a network");
}

/* The graph comes first: it says how many numbers follow. Logarithms are made again. All variables
 * but the last are counted as features, whether that is the target or another column. */
static cairn_status bayes_net_archive(cairn_archive *a, void *model)
{
    cairn_bayes_net_model *m = model;
    cairn_network *net = &m->net;
    size_t n_others = net->n ? net->n - 1 : 0;
    CHECK(cairn_archive_size(a, "n_features", &n_others, 1 << 24));
    net->n = n_others + 1;
    CHECK(archive_graph(a, net));
    size_t cells = (size_t)net->cells[net->n];
    CHECK(cairn_archive_reals(a, "p", &net->p, cells));
    CHECK(cairn_archive_reals(a, "counts", &m->counts, cells));
    CHECK(cairn_archive_reals(a, "shares", &m->shares, (size_t)net->n_values[n_others]));
    CHECK(cairn_archive_real(a, "rows", &m->rows));
    CHECK(cairn_archive_real(a, "log_likelihood", &m->log_likelihood));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    for (size_t i = 0; i < cells; i++)
        if (!(net->p[i] >= 0 && net->p[i] <= 1) || !(m->counts[i] >= 0))
            return cairn_archive_damaged(a, "a table holds what is no probability or no count");
    for (int32_t c = 0; c < net->n_values[n_others]; c++)
        if (!(m->shares[c] >= 0 && m->shares[c] <= 1))
            return cairn_archive_damaged(a, "the share of a class is none");
    return make_logs(cairn_archive_context(a), m);
}

static cairn_status bayes_net_check_state(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    cairn_network_names names;
    int32_t *n_values;
    bool has_target = cairn_net_has_target(job);
    CHECK(cairn_check_columns(a, job, m->net.n - has_target));
    if (has_target && (size_t)m->net.n_values[m->net.n - 1] != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    CHECK(cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n));
    for (size_t v = 0; v < m->net.n; v++)
        if (n_values[v] != m->net.n_values[v])
            return cairn_archive_damaged(a, "a table does not fit its column");
    return CAIRN_OK;
}

static void bayes_net_clear(void *model)
{
    cairn_bayes_net_model *m = model;
    cairn_network_clear(&m->net);
    cairn_free(m->counts);
    cairn_free(m->shares);
    cairn_free(m->logs);
}

static cairn_model_size bayes_net_size(const void *model)
{
    const cairn_bayes_net_model *m = model;
    return (cairn_model_size){cairn_network_parameters(&m->net), false};
}

/* Without a target all rows are of one kind. */
static size_t bayes_net_clusters(const void *model)
{
    (void)model;
    return 1;
}

const cairn_learner cairn_bayes_net = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "bayes-net",
              .also = "Bayesian network, belief network, Bayes net, tree-augmented naive Bayes, "
                      "TAN, Chow-Liu tree, hill climbing",
              .title = "Bayesian network",
              .summary =
                  "A graph of what depends on what, and a table P(variable | parents) for every "
                  "column; the class is answered by its probability given the other cells, exactly "
                  "also where some are missing. The graph is typed (--arcs, or --given FILE, "
                  "an option of fit) or learned: tree-augmented naive Bayes, the tree of largest "
                  "mutual information, or "
                  "hill climbing by BIC. Without a target (--target none) the tree or the climbed "
                  "graph is of all columns: then every row gets its probability (log_density) and "
                  "what its missing cells most probably are (completion). Numbers are cut into "
                  "bins first. 'cairn export MODEL --to text' writes the network for 'cairn "
                  "compute network', which answers any other "
                  "question.",
              .references = "Chow and Liu: Approximating Discrete Probability Distributions with "
                            "Dependence Trees, IEEE IT 14, 1968; Friedman, Geiger and Goldszmidt: "
                            "Bayesian Network Classifiers, Machine Learning 29, 1997; Heckerman: A "
                            "Tutorial on Learning with Bayesian Networks, 1995",
              .example = "cairn fit bayes-net @weather --steps",
              .params = bayes_net_table,
              .params_size = sizeof(cairn_bayes_net_params),
              .check = bayes_net_check},
    .tasks = CAIRN_CLASSIFY | CAIRN_CLUSTER,
    .accepts = CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_WEIGHTS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .aims = "log-likelihood of the rows",
    .model_size = sizeof(cairn_bayes_net_model),
    .tables = cairn_net_tables,
    .gives_scores = true,
    .clusters = bayes_net_clusters,
    .outputs = cairn_net_outputs,
    .fit = bayes_net_fit,
    .read = bayes_net_read,
    .forms = cairn_net_forms,
    .predict = cairn_net_predict,
    .explain = cairn_net_explain,
    .sample = cairn_net_sample,
    .describe = cairn_net_describe,
    .figures = cairn_net_figures,
    .archive = bayes_net_archive,
    .check = bayes_net_check_state,
    .clear = bayes_net_clear,
    .size = bayes_net_size,
};
