/* SPDX-License-Identifier: MIT */
/* cairn compare: several learners on several data sets, on the same splits, with tests between
 * them. A word that names a learner is one; every other word, and what --on names, is data. */
#include "command/command.h"

#include "base/memory.h"
#include "base/number.h"
#include "evaluate/compare.h"
#include "evaluate/rank_report.h"

#include <math.h>
#include <string.h>

typedef struct compare_options {
    cairn_common common;
    const char *on, *by, *measure, *control;
    double alpha;
} compare_options;

static const cairn_param compare_params[] = {
    {.name = "on",
     .type = CAIRN_TYPE_FILE,
     .offset = offsetof(compare_options, on),
     .help = "data to compare on; more of it may follow as words or by further --on",
     .repeated = true},
    CAIRN_PARAM_AS(compare_options, by, CAIRN_TYPE_SPEC, "cv:10",
                   "how rows are held out ('cairn list resamplings')"),
    CAIRN_PARAM(compare_options, measure, NULL, NULL,
                "what is compared ('cairn list measures'); accuracy or mse if not given"),
    CAIRN_PARAM(compare_options, control, NULL, NULL,
                "the learner that the others are compared with; the first if not given"),
    CAIRN_PARAM(compare_options, alpha, "0.05", "(0,1)", "level of the tests"),
    CAIRN_ROLES(compare_options),
    CAIRN_FITTING(compare_options),
    CAIRN_READING(compare_options),
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
    cairn_task task; /* settled by the measure or by `all`; else 0 */
    double *results; /* n_data x n_learners */
    bool lower_better;
} match_up;

/* -- who and where -- */

static const cairn_entry *learner_of(const char *word)
{
    char name[64];
    size_t length = strcspn(word, ":");
    if (length >= sizeof name) return NULL;
    memcpy(name, word, length);
    name[length] = 0;
    return cairn_entry_find(CAIRN_ENTRY_LEARNER, name);
}

static cairn_status add_learner(cairn_command *c, match_up *m, const char *spec)
{
    cairn_params *params;
    cairn_status status;
    for (size_t i = 0; i < m->n_learners; i++)
        if (strcmp(m->learners[i].name, spec) == 0)
            return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' is named twice", spec);
    TRY(cairn_params_from_spec(c->ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    m->learners[m->n_learners++] = (cairn_contestant){spec, params};
    TRY(cairn_params_check(c->ctx, params));
done:
    return status;
}

/* Every learner that predicts and needs no parameter. */
static cairn_status add_all(cairn_command *c, match_up *m)
{
    size_t n;
    cairn_status status = CAIRN_OK;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        const cairn_learner *learner = (const cairn_learner *)entries[i];
        if (entries[i]->kind != CAIRN_ENTRY_LEARNER || learner->tasks == CAIRN_CLUSTER) continue;
        TRY(add_learner(c, m, entries[i]->name));
    }
done:
    return status;
}

static cairn_status add_data(cairn_command *c, match_up *m)
{
    const compare_options *options = c->options->values;
    cairn_status status = CAIRN_OK;
    const char *on = options->on;
    while (on && *on) {
        size_t length = strcspn(on, "\n");
        char *copy;
        TRY(SCRATCH(c->ctx, &copy, length + 1));
        memcpy(copy, on, length);
        m->data[m->n_data++] = copy;
        on += length + (on[length] == '\n');
    }
done:
    return status;
}

static cairn_status sort_words(cairn_command *c, match_up *m)
{
    const compare_options *options = c->options->values;
    cairn_status status;
    size_t room, n_on = 1;
    cairn_registry(&room);
    for (const char *p = options->on; p && *p; p++) n_on += *p == '\n';
    TRY(SCRATCH(c->ctx, &m->learners, c->n_words + room));
    TRY(SCRATCH(c->ctx, &m->data, c->n_words + n_on));
    TRY(add_data(c, m));
    for (size_t i = 0; i < c->n_words; i++) {
        if (strcmp(c->words[i], "all") == 0)
            m->all = true;
        else if (learner_of(c->words[i]))
            TRY(add_learner(c, m, c->words[i]));
        else if (cairn_command_has_file(c, c->words[i]) || strpbrk(c->words[i], "@/.:-"))
            m->data[m->n_data++] = c->words[i];
        else /* names no learner and no file: say what is near */
            TRY(add_learner(c, m, c->words[i]));
    }
    if (m->all) TRY(add_all(c, m));
    if (m->n_learners == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "'compare' needs learners, such as: cairn compare tree majority --on "
                          "@iris");
    if (m->n_data == 0)
        return cairn_fail(c->ctx, CAIRN_USAGE, "'compare' needs data: name it with --on");
done:
    return status;
}

/* With `all`, numbers are predicted as numbers, and learners that cannot learn this kind of target
 * are left out. */
static void drop_unfit(cairn_command *c, match_up *m, const cairn_table *table)
{
    size_t kept = 0;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (!m->all || target < 0) return;
    bool number = table->slots[target].column->kind == CAIRN_NUMBER &&
                  c->common->fitting.task != CAIRN_CLASSIFY && m->task != CAIRN_CLASSIFY;
    m->task = number ? CAIRN_REGRESS : CAIRN_CLASSIFY;
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

static cairn_status compare_on(cairn_command *c, match_up *m, size_t at, bool single)
{
    const compare_options *options = c->options->values;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = NULL;
    cairn_contest contest = {0};
    cairn_text prefix = cairn_text_start(c->ctx);
    cairn_status status;
    TRY(cairn_command_fit_options(c, &fit));
    TRY(cairn_command_table(c, &table, m->data[at]));
    if (at == 0) {
        drop_unfit(c, m, table);
        TRY(SCRATCH(c->ctx, &m->results, cairn_product(m->n_data, m->n_learners) + 1));
    }
    if (m->task) fit.task = m->task;
    cairn_evaluate_options how = {.by = options->by, .level = 1 - options->alpha, .fit = &fit};
    TRY(cairn_contest_run(c->ctx, &contest, m->learners, m->n_learners, m->data[at], table, &how,
                          options->measure));
    for (size_t i = 0; i < m->n_learners; i++)
        m->results[at * m->n_learners + i] = contest.overall[i];
    m->lower_better = contest.measure->lower_better;
    if (!single) cairn_text_addf(&prefix, "%s.", cairn_report_key(c->report, m->data[at]));
    TRY(cairn_text_status(&prefix));
    cairn_report_heading(c->report, 2, "%s", m->data[at]);
    TRY(cairn_contest_report(c->ctx, c->report, &contest, options->alpha,
                             cairn_text_string(&prefix)));
done:
    cairn_text_clear(&prefix);
    cairn_contest_clear(&contest);
    cairn_table_free(table);
    return status;
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

static cairn_status compare_ranks(cairn_command *c, const match_up *m)
{
    const compare_options *options = c->options->values;
    cairn_status status;
    double *ranks, *averages;
    const char **names;
    cairn_friedman f;
    cairn_rank_comparison r = {
        .n = m->n_data, .k = m->n_learners, .alpha = options->alpha, .own_q = NAN};
    TRY(SCRATCH(c->ctx, &ranks, cairn_product(m->n_data, m->n_learners)));
    TRY(SCRATCH(c->ctx, &averages, m->n_learners));
    TRY(SCRATCH(c->ctx, &names, m->n_learners));
    for (size_t i = 0; i < m->n_learners; i++) names[i] = m->learners[i].name;
    cairn_results results = {m->n_data, m->n_learners, m->results, names, m->data};
    TRY(cairn_friedman_of(c->ctx, &f, ranks, averages, m->results, m->n_data, m->n_learners,
                          m->lower_better, options->alpha, CAIRN_EXACT_AUTO));
    cairn_report_heading(c->report, 2, "Over all data sets");
    cairn_report_ranks(c->report, &results, ranks, averages);
    cairn_report_friedman(c->report, &f, options->alpha);
    r.names = names;
    r.averages = averages;
    TRY(find_control(c, m, &r.control));
    TRY(cairn_report_rank_pairs(c->ctx, c->report, &r));
done:
    return status;
}

/* A measure of numbers asks for numbers; a misspelt one is found before data is read. */
static cairn_status settle_task(cairn_command *c, match_up *m)
{
    const compare_options *options = c->options->values;
    const cairn_entry *entry;
    cairn_status status = CAIRN_OK;
    if (!options->measure) goto done;
    TRY(cairn_entry_get(c->ctx, &entry, CAIRN_ENTRY_MEASURE, options->measure));
    if (c->common->fitting.task == CAIRN_TASK_AUTO) m->task = ((const cairn_measure *)entry)->task;
done:
    return status;
}

static cairn_status compare_run(cairn_command *c)
{
    const compare_options *options = c->options->values;
    match_up m = {0};
    cairn_status status;
    double begun = cairn_seconds();
    size_t control;
    TRY(sort_words(c, &m));
    TRY(find_control(c, &m, &control));
    TRY(settle_task(c, &m));
    cairn_report_heading(c->report, 1, "Comparison of learners");
    cairn_report_word(c->report, "by", options->by, "by");
    char seed[CAIRN_NUMBER_SIZE];
    cairn_number_format(seed, (double)cairn_context_seed(c->ctx), 0);
    cairn_report_word(c->report, "seed", seed, "seed");
    for (size_t at = 0; at < m.n_data; at++) TRY(compare_on(c, &m, at, m.n_data == 1));
    if (m.n_data > 1 && m.n_learners > 1) TRY(compare_ranks(c, &m));
    c->seconds_fit = cairn_seconds() - begun;
done:
    for (size_t i = 0; i < m.n_learners; i++)
        cairn_params_free((cairn_params *)m.learners[i].params);
    return status;
}

const cairn_verb cairn_verb_compare = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "compare",
              .title = "Which learner is better",
              .summary =
                  "Evaluates several learners, each with its own parameters (tree:max-depth=3), "
                  "on one or more data sets, all on the same splits. Every result has an "
                  "interval; pairs are tested over the splits (t, corrected t, Wilcoxon) and "
                  "row by row (McNemar), learners over data sets by Friedman's test with Nemenyi "
                  "and Bonferroni-Dunn. 'all' stands for every learner that fits the table.",
              .example = "cairn compare majority tree tree:max-depth=2 --on @iris @wine",
              .params = compare_params,
              .params_size = sizeof(compare_options)},
    .arguments = "LEARNER ... --on DATA ...",
    .least = 1,
    .most = 1000,
    .inner = CAIRN_INNER_NONE,
    .run = compare_run,
};
