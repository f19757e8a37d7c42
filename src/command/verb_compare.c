/* SPDX-License-Identifier: MIT */
/* cairn compare: several learners on several data sets, on the same splits, with tests between
 * them. A word that names a learner is one; every other word, and what --on names, is data. */
#include "command/judging.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/query.h"
#include "evaluate/compare.h"
#include "model/task.h"
#include "plots/rank_report.h"
#include "plots/test_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct compare_options {
    cairn_common common;
    const char *on, *by, *test, *measure, *control, *figure, *learning_curve, *cluster_distance;
    double alpha, noise, label_noise, missing_share;
    int disturb; /* disturb_choice */
    bool growth, steps;
} compare_options;

typedef enum { DISTURB_BOTH, DISTURB_TRAIN, DISTURB_TEST } disturb_choice;

static const cairn_choice disturb_choices[] = {
    {"both", DISTURB_BOTH, "the rows that are learned from and those that are tested"},
    {"train", DISTURB_TRAIN, "the rows that are learned from"},
    {"test", DISTURB_TEST, "the rows that are tested"},
    {0},
};

static const cairn_param compare_params[] = {
    {.name = "on",
     .often = true,
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(compare_options, on),
     .help = "data to compare on; more of it may follow as words or by further --on",
     .repeated = true},
    CAIRN_PARAM_AS(compare_options, by, CAIRN_TYPE_SPEC, "cv:10",
                   "how rows are held out ('cairn list resamplings')", .often = true,
                   .names = "resampling"),
    CAIRN_TEST_FILE(compare_options),
    CAIRN_PARAM(compare_options, measure, NULL, NULL,
                "what is compared ('cairn list measures'); accuracy, mse, silhouette, or for "
                "clusters with a target adjusted-rand, if not given",
                .often = true, .names = "measure"),
    CAIRN_PARAM(compare_options, control, NULL, NULL,
                "the learner that the others are compared with; the first if not given"),
    CAIRN_PARAM(compare_options, steps, "no", NULL,
                "show the work: the splits, the differences in each, and every test with its "
                "numbers",
                .often = true),
    CAIRN_PARAM(compare_options, alpha, "0.05", "(0,1)", "level of the tests"),
    CAIRN_PARAM(compare_options, noise, "0", "[0,inf)",
                "also with noise of so many deviations on numbers, and so large a share of levels "
                "drawn anew"),
    CAIRN_PARAM(compare_options, label_noise, "0", "[0,1)",
                "also with so large a share of the training rows given a wrong class"),
    CAIRN_PARAM(compare_options, missing_share, "0", "[0,1)",
                "also with so large a share of the cells missing"),
    CAIRN_PARAM_CHOICE(compare_options, disturb, "both", disturb_choices,
                       "the rows that are disturbed", .when = "noise or missing_share"),
    CAIRN_PARAM(compare_options, learning_curve, NULL, NULL,
                "also learn from parts of the training rows: a number of steps (10), shares "
                "(0.1,0.5,1) or numbers of rows (20,50,100)"),
    CAIRN_PARAM(compare_options, growth, "no", NULL, "also how fitting time grows with the rows",
                .when = "timings"),
    CAIRN_PARAM_AS(compare_options, cluster_distance, CAIRN_TYPE_SPEC, NULL,
                   "clusters: what rows are compared by ('cairn list distances'); euclidean, or "
                   "gower where columns are levels or lack cells",
                   .names = "distance"),
    CAIRN_PARAM(compare_options, figure, NULL, NULL,
                "give only the picture of this name, such as roc or ranks; --out FILE.svg, .png "
                "or .pdf writes it"),
    CAIRN_ROLES(compare_options),
    CAIRN_FITTING(compare_options),
    CAIRN_READING(compare_options),
    CAIRN_LONG_FORM(compare_options),
    CAIRN_RUNNING(compare_options),
    CAIRN_PRINTING(compare_options),
    CAIRN_PARAM_END,
};

typedef struct match_up {
    cairn_contestant *learners;
    size_t n_learners;
    const char **data;
    size_t n_data;
    bool all;        /* every learner that can learn the table */
    bool clusters;   /* they are clusterers */
    cairn_task task; /* settled by the measure; else 0 */
    double *results; /* n_data x n_learners; NaN = it could not learn the table */
    bool lower_better;
    cairn_contest_options wanted;
} match_up;

/* -- who and where -- */

static const cairn_entry *learner_of(const cairn_context *ctx, const char *word)
{
    char name[64];
    size_t length = strcspn(word, ":");
    if (length >= sizeof name) return NULL;
    memcpy(name, word, length);
    name[length] = 0;
    cairn_entry_match match;
    return cairn_entry_named(ctx, CAIRN_ENTRY_LEARNER, name, &match);
}

static bool is_named(const match_up *m, const char *spec)
{
    for (size_t i = 0; i < m->n_learners; i++)
        if (strcmp(m->learners[i].name, spec) == 0) return true;
    return false;
}

/* What a learner that was called otherwise is called in the tables. */
static cairn_status house_name(const cairn_command *c, const char **out, const cairn_params *params)
{
    char *spec, *kept;
    CHECK(cairn_params_spec(c->ctx, params, &spec));
    size_t size = strlen(spec) + 1;
    cairn_status status = SCRATCH_RAW(c->ctx, &kept, size);
    if (!status) *out = memcpy(kept, spec, size);
    cairn_string_free(spec);
    return status;
}

static cairn_status add_learner(cairn_command *c, match_up *m, const char *spec)
{
    cairn_params *params;
    if (is_named(m, spec)) return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' is named twice", spec);
    CHECK(cairn_params_from_spec(c->ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    m->learners[m->n_learners++] = (cairn_contestant){spec, params};
    if (params->renamed) CHECK(house_name(c, &m->learners[m->n_learners - 1].name, params));
    return cairn_params_check(c->ctx, params);
}

/* Whether `all` stands for the learner: it predicts, is not named already, and can do without
 * parameters. What wraps another learner is that learner once more. */
static bool is_one_of_all(const match_up *m, const cairn_entry *entry)
{
    const cairn_learner *learner = (const cairn_learner *)entry;
    const cairn_param *row;
    if (entry->kind != CAIRN_ENTRY_LEARNER || is_named(m, entry->name)) return false;
    if (learner->tasks == CAIRN_CLUSTER || (learner->traits & CAIRN_AS_BASE)) return false;
    for (size_t i = 0; (row = cairn_params_row(entry, i, NULL)); i++)
        if (row->required) return false;
    return true;
}

static cairn_status add_data(cairn_command *c, match_up *m)
{
    const compare_options *options = c->options->values;
    const char *on = options->on;
    while (on && *on) {
        size_t length = strcspn(on, "\n");
        char *copy;
        CHECK(SCRATCH(c->ctx, &copy, length + 1));
        memcpy(copy, on, length);
        m->data[m->n_data++] = copy;
        on += length + (on[length] == '\n');
    }
    return CAIRN_OK;
}

/* Learners are known by name; a word that looks like a file or is one is data, and any other is
 * refused as a learner, with what is near. */
static cairn_status sort_words(cairn_command *c, match_up *m)
{
    const compare_options *options = c->options->values;
    size_t buffer, n_on = 1;
    (void)cairn_entries(c->ctx, &buffer);
    for (const char *p = options->on; p && *p; p++) n_on += *p == '\n';
    CHECK(SCRATCH(c->ctx, &m->learners, c->n_words + buffer));
    CHECK(SCRATCH(c->ctx, &m->data, c->n_words + n_on));
    CHECK(add_data(c, m));
    for (size_t i = 0; i < c->n_words; i++) {
        if (strcmp(c->words[i], "all") == 0)
            m->all = true;
        else if (learner_of(c->ctx, c->words[i]))
            CHECK(add_learner(c, m, c->words[i]));
        else if (cairn_command_has_file(c, c->words[i]) || strpbrk(c->words[i], "@/.:-"))
            m->data[m->n_data++] = c->words[i];
        else /* names no learner and no file: say what is near */
            CHECK(add_learner(c, m, c->words[i]));
    }
    if (m->all) {
        /* Every learner that there is. */
        size_t n;
        const cairn_entry *const *entries = cairn_entries(c->ctx, &n);
        for (size_t i = 0; i < n; i++) {
            if (is_one_of_all(m, entries[i])) CHECK(add_learner(c, m, entries[i]->name));
        }
    }
    if (m->n_learners == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'compare' needs learners, such as: cairn compare tree majority --on "
                          "@iris");
    if (m->n_data == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'compare' needs data: name it with --on");
    return CAIRN_OK;
}

/* With `all`, the target is what `fit` takes it for, and learners that cannot learn this kind of
 * target are left out. */
static void drop_unfit(cairn_command *c, match_up *m, const cairn_table *table)
{
    size_t kept = 0;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (!m->all || target < 0) return;
    const cairn_column *column = table->slots[target].column;
    cairn_task wanted = m->task ? m->task : (cairn_task)c->common->fitting.task;
    size_t n_distinct;
    bool number = column->kind == CAIRN_NUMBER && !cairn_looks_like_classes(column, &n_distinct);
    if (wanted) number = wanted == CAIRN_REGRESS;
    for (size_t i = 0; i < m->n_learners; i++) {
        const cairn_learner *learner = (const cairn_learner *)m->learners[i].params->entry;
        if (learner->tasks & (number ? CAIRN_REGRESS : CAIRN_CLASSIFY))
            m->learners[kept++] = m->learners[i];
        else {
            cairn_remark(c, "%s is left out: it cannot predict %s", m->learners[i].name,
                         number ? "a number" : "classes");
            cairn_params_free((cairn_params *)m->learners[i].params);
        }
    }
    m->n_learners = kept;
}

/* -- one table -- */

/* Keep the results for the ranks, and say who could not take part. */
static void keep_results(cairn_command *c, match_up *m, const cairn_contest *contest, size_t at)
{
    for (size_t i = 0; i < m->n_learners; i++) {
        const cairn_contest_result *r = &contest->results[i];
        m->results[at * m->n_learners + i] = r->failure ? NAN : r->measured.value;
        if (r->failure) cairn_remark(c, "%s is left out: %s", m->learners[i].name, r->failure);
    }
    m->lower_better = contest->measure->lower_better;
}

/* The heading of a data set, and what the names of its values begin with. */
static cairn_status name_set(cairn_command *c, const match_up *m, size_t at, bool single,
                             cairn_text *prefix)
{
    if (!single) cairn_text_addf(prefix, "%s.", cairn_report_key(c->report, m->data[at]));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 2, "%s", m->data[at]);
    cairn_report_for(c->report, before);
    return cairn_text_status(prefix);
}

/* The first data set decides the task and which of all learners can take part; every set is
 * judged on the same splits for all of them. */
static cairn_status compare_on(cairn_command *c, match_up *m, size_t at, bool single)
{
    const compare_options *options = c->options->values;
    const char *out = c->common->printing.out;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(cairn_contest_clear) cairn_contest contest = {0};
    SCOPED(cairn_text_clear) cairn_text prefix = cairn_text_start(c->ctx);
    CHECK(cairn_command_fit_options(c, &fit));
    CHECK(cairn_command_table(c, &table, m->data[at]));
    if (at == 0) {
        drop_unfit(c, m, table);
        CHECK(SCRATCH(c->ctx, &m->results, cairn_product(m->n_data, m->n_learners) + 1));
    }
    if (m->task) fit.task = m->task;
    const char *by = options->by;
    uint32_t n_learned = options->test ? (uint32_t)table->n_rows : 0;
    if (options->test) CHECK(cairn_command_add_test(c, &table, options->test, &by));
    cairn_evaluate_how how = {.by = by, .level = 1 - options->alpha, .fit = &fit};
    if (m->clusters) {
        CHECK(name_set(c, m, at, single, &prefix));
        CHECK(cairn_contest_clusters(c->ctx, &contest, c->report, m->learners, m->n_learners,
                                     m->data[at], table, &how, options->cluster_distance,
                                     &m->wanted, options->alpha, cairn_text_string(&prefix)));
        keep_results(c, m, &contest, at);
        return CAIRN_OK;
    }
    if (!cairn_params_is_set(c->options, "by") && !options->test) how.by = NULL;
    CHECK(cairn_contest_run(c->ctx, &contest, m->learners, m->n_learners, m->data[at], table, &how,
                            &m->wanted));
    keep_results(c, m, &contest, at);
    for (size_t i = 0; i < m->n_learners; i++) { /* rows of the file */
        cairn_evaluation *e = &contest.results[i].evaluation;
        for (size_t k = 0; k < e->n; k++) e->rows[k] -= n_learned;
    }
    CHECK(name_set(c, m, at, single, &prefix));
    by = contest.results[0].evaluation.by;
    if (by && strcmp(by, options->by) != 0)
        cairn_report_word(c->report, "by", by, "%sby", cairn_text_string(&prefix));
    CHECK(cairn_contest_report(c->ctx, c->report, &contest, options->alpha,
                               cairn_text_string(&prefix)));
    if (single && out && cairn_out_is_data(c->ctx, out)) {
        /* The held-out predictions of all learners to the data file that --out names. */
        const char *path = c->common->printing.out;
        OWNED(cairn_table_free) cairn_table *rows = NULL;
        CHECK(cairn_contest_table(c->ctx, &rows, &contest));
        CHECK(cairn_command_write(c, rows, path, NULL));
        c->out_done = true;
        cairn_remark(c, "wrote %s: the predictions of all learners, row by row", path);
    }
    return CAIRN_OK;
}

/* -- over all tables -- */

static cairn_status find_control(cairn_command *c, const match_up *m, size_t *out)
{
    const compare_options *options = c->options->values;
    *out = 0;
    if (!options->control) return CAIRN_OK;
    for (size_t i = 0; i < m->n_learners; i++)
        if (strcmp(m->learners[i].name, options->control) == 0) {
            *out = i;
            return CAIRN_OK;
        }
    return cairn_fail(c->ctx, CAIRN_USAGE, "--control: '%s' is not among the learners",
                      options->control);
}

/* Only those that could learn every table are ranked. */
static cairn_status take_complete(cairn_command *c, const match_up *m, cairn_results *out,
                                  size_t *control)
{
    double *values;
    const char **names;
    size_t n = 0, wanted = *control;
    CHECK(SCRATCH(c->ctx, &values, cairn_product(m->n_data, m->n_learners)));
    CHECK(SCRATCH(c->ctx, &names, m->n_learners));
    *control = 0;
    for (size_t i = 0; i < m->n_learners; i++) {
        bool complete = true;
        for (size_t d = 0; d < m->n_data; d++)
            complete = complete && !isnan(m->results[d * m->n_learners + i]);
        if (!complete) {
            cairn_report_note(c->report,
                              "%s has no result on every data set, so it is not ranked%s.",
                              m->learners[i].name, i == wanted ? " and cannot be the control" : "");
            continue;
        }
        if (i == wanted) *control = n;
        names[n++] = m->learners[i].name;
    }
    for (size_t d = 0; d < m->n_data; d++)
        for (size_t i = 0, k = 0; i < m->n_learners && k < n; i++)
            if (names[k] == m->learners[i].name)
                values[d * n + k++] = m->results[d * m->n_learners + i];
    *out = (cairn_results){m->n_data, n, values, names, m->data};
    return CAIRN_OK;
}

/* In brief: who has the best average rank, and whether that is more than chance. */
static void say_ranks(cairn_report *out, const cairn_friedman *f, const cairn_results *results,
                      const double *averages, double alpha)
{
    size_t best = 0;
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    char p[CAIRN_NUMBER_SIZE];
    for (size_t i = 1; i < results->k; i++)
        if (averages[i] < averages[best]) best = i;
    cairn_number_format(p, f->p, 2);
    cairn_report_paragraph(out,
                           f->p <= alpha ? "%s has the best average rank, and the learners differ "
                                           "by more than chance (Friedman's test, p = %s)."
                                         : "No clear winner: %s has the best average rank, but the "
                                           "differences may be chance (Friedman's test, p = %s).",
                           results->names[best], p);
    cairn_report_for(out, before);
}

/* Over several data sets values are not comparable but ranks are: Friedman's test, then the
 * pairs. Learners without a result everywhere are left out. */
static cairn_status compare_ranks(cairn_command *c, const match_up *m)
{
    const compare_options *options = c->options->values;
    double *ranks, *averages;
    cairn_friedman f;
    cairn_results results;
    size_t control;
    CHECK(find_control(c, m, &control));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 2, "Over all data sets");
    cairn_report_for(c->report, before);
    CHECK(take_complete(c, m, &results, &control));
    if (results.k < 2) return CAIRN_OK;
    cairn_rank_comparison r = {.n = results.n,
                               .k = results.k,
                               .names = results.names,
                               .control = control,
                               .alpha = options->alpha,
                               .own_q = NAN};
    CHECK(SCRATCH(c->ctx, &ranks, cairn_product(results.n, results.k)));
    CHECK(SCRATCH(c->ctx, &averages, results.k));
    CHECK(cairn_friedman_of(c->ctx, &f, ranks, averages, results.values, results.n, results.k,
                            m->lower_better, options->alpha, CAIRN_EXACT_AUTO));
    say_ranks(c->report, &f, &results, averages, options->alpha);
    cairn_report_ranks(c->report, &results, ranks, averages);
    (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_friedman(c->report, &f, options->alpha);
    cairn_report_for(c->report, before);
    r.averages = averages;
    if (options->steps) {
        cairn_steps_friedman(c->report, &f, results.names, ranks, averages);
        cairn_steps_critical(c->report, &r);
    }
    (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    CHECK(cairn_report_rank_pairs(c->ctx, c->report, &r));
    cairn_report_for(c->report, before);
    return CAIRN_OK;
}

/* Clusterers are compared with clusterers, and by what is theirs. */
static cairn_status settle_clusters(cairn_command *c, match_up *m)
{
    static const char *const others[] = {"noise",  "label-noise",    "missing-share", "disturb",
                                         "growth", "learning-curve", "cost-fn",       "cost-fp",
                                         "costs",  "figure",         "positive",      NULL};
    size_t n = 0;
    for (size_t i = 0; i < m->n_learners; i++)
        n += ((const cairn_learner *)m->learners[i].params->entry)->tasks == CAIRN_CLUSTER;
    m->clusters = n > 0;
    if (n && n < m->n_learners)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "some of these learners find clusters and some predict; compare each "
                          "kind by itself");
    if (!n && cairn_params_is_set(c->options, "cluster-distance"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--cluster-distance compares the rows of clusters, and nothing is "
                          "clustered here; leave it out");
    for (const char *const *name = others; n && *name; name++)
        if (cairn_params_is_set(c->options, *name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "--%s is about predictions that are right or wrong, and clusters are "
                              "neither; leave it out",
                              *name);
    return CAIRN_OK;
}

/* A measure of numbers asks for numbers; what is wrong is found before data is read. */
static cairn_status settle(cairn_command *c, match_up *m)
{
    static const char *const disturbed[] = {"all", "train", "new"};
    const compare_options *o = c->options->values;
    const cairn_params *costly = NULL;
    cairn_task task = CAIRN_TASK_AUTO;
    size_t control;
    CHECK(find_control(c, m, &control));
    if (o->measure && strchr(o->measure, ','))
        CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                         "--measure: learners are compared by one measure at a time, not by '%s'",
                         o->measure));
    CHECK(settle_clusters(c, m));
    if (!m->clusters || !cairn_same(o->by, "none")) CHECK(cairn_command_resampling(c, "by", o->by));
    CHECK(cairn_command_measures(c, o->measure, &task));
    if (c->common->fitting.task == CAIRN_TASK_AUTO && !m->clusters) m->task = task;
    m->wanted = (cairn_contest_options){.measure = o->measure,
                                        .steps = o->steps,
                                        .costs = CAIRN_JUDGE_OPTIONS_INIT,
                                        .noise = o->noise,
                                        .label_noise = o->label_noise,
                                        .missing = o->missing_share,
                                        .disturb = disturbed[o->disturb],
                                        .learning_curve = o->learning_curve,
                                        .timings = o->common.running.timings,
                                        .growth = o->growth,
                                        .lenient = m->all};
    if (o->learning_curve) { /* misspelt ones are found before data is read */
        cairn_curve curve = {0};
        CHECK(cairn_curve_parse(c->ctx, &curve, o->learning_curve));
        cairn_curve_clear(&curve);
    }
    for (size_t i = m->n_learners; i-- > 0;) /* costs that a learner brings hold for all */
        if (cairn_params_has(m->learners[i].params->entry, "cost-fn"))
            costly = m->learners[i].params;
    return cairn_command_costs(c, &m->wanted.costs, costly);
}

/* The learners' parameters are owned by this run and freed whatever happens. */
static cairn_status compare_fill(cairn_command *c)
{
    const compare_options *options = c->options->values;
    const char *out = c->common->printing.out;
    match_up m = {0};
    cairn_status status;
    double begun = cairn_seconds();
    TRY(sort_words(c, &m));
    TRY(settle(c, &m));
    if (options->test && (m.n_data > 1 || m.clusters || cairn_params_is_set(c->options, "by")))
        TRY(cairn_fail(c->ctx, CAIRN_USAGE,
                       "--test %s names the rows that learners are judged by: %s", options->test,
                       m.n_data > 1 ? "with one table to learn from"
                       : m.clusters ? "of predictions, not of clusters; leave it out"
                                    : "leave out --by, which holds out others"));
    if (m.n_data > 1 && out && cairn_out_is_data(c->ctx, out))
        TRY(cairn_fail(c->ctx, CAIRN_USAGE,
                       "--out %s: predictions row by row can be written for one data set only",
                       out));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_BRIEF);
    if (m.n_data == 1)
        cairn_report_heading(c->report, 1, "%zu learner%s on %s", m.n_learners,
                             m.n_learners == 1 ? "" : "s", m.data[0]);
    else
        cairn_report_heading(c->report, 1, "%zu learners on %zu data sets, by %s", m.n_learners,
                             m.n_data, options->by);
    cairn_report_for(c->report, before & CAIRN_IN_FULL);
    cairn_report_heading(c->report, 1, "Comparison of learners");
    if (!options->test) cairn_report_word(c->report, "by", options->by, "by");
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)cairn_context_seed(c->ctx));
    cairn_report_word(c->report, "seed", seed, "seed");
    if (m.n_data == 1) cairn_report_for(c->report, before);
    for (size_t at = 0; at < m.n_data; at++) TRY(compare_on(c, &m, at, m.n_data == 1));
    cairn_report_for(c->report, before);
    if (m.n_data > 1 && m.n_learners > 1) TRY(compare_ranks(c, &m));
    c->seconds_fit = cairn_seconds() - begun;
done:
    for (size_t i = 0; i < m.n_learners; i++)
        cairn_params_free((cairn_params *)m.learners[i].params);
    return status;
}

static cairn_status compare_run(cairn_command *c)
{
    const compare_options *options = c->options->values;
    return cairn_command_figure(c, options->figure, compare_fill);
}

const cairn_verb cairn_verb_compare = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "compare",
              .also = "versus, benchmark, contest, significance of a difference, model selection",
              .about = "comparison of learning algorithms, comparing two hypotheses, which model "
                       "is best, compare models",
              .title = "Which learner is better",
              .summary =
                  "Evaluates several learners, each with its own parameters (tree:max-depth=3), "
                  "on one or more data sets, all on the same splits. Every result has an "
                  "interval; pairs are tested over the splits (t, corrected t, Wilcoxon) and "
                  "row by row (McNemar), learners over data sets by Friedman's test with Nemenyi "
                  "and Bonferroni-Dunn. Beside the result stand training result, baseline, model "
                  "size, how a model is read, on request costs, noise and missing cells, and with "
                  "--timings time and memory. 'all' stands for every learner that fits the table. "
                  "--out FILE writes the report, or the predictions of all learners when it names "
                  "a data file.",
              .example = "cairn compare majority tree tree:max-depth=2 --on @iris @wine",
              .params = compare_params,
              .params_size = sizeof(compare_options)},
    .arguments = "LEARNER ... --on DATA ...",
    .least = 1,
    .most = 1000,
    .inner = CAIRN_INNER_NONE,
    .run = compare_run,
};
