/* SPDX-License-Identifier: MIT */
/* cairn tune: search for good parameters, and say honestly how good the result is.
 *
 * The search itself judges every point by the inner resampling; its best value is optimistic,
 * because it was chosen for being the best. So the whole search is repeated inside each split of
 * the outer resampling, and the rows that had no part in it give the estimate. */
#include "command/judging.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "evaluate/cluster_splits.h"
#include "evaluate/tune.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tune_options {
    cairn_common common;
    const char *over, *by, *outer, *test, *measure, *journal, *save, *figure, *cluster_distance;
    bool force;
    int search, choose, tries, least_rows;
    double factor, level;
    bool steps;
} tune_options;

static const cairn_choice searches[] = {
    {"grid", CAIRN_SEARCH_GRID, "all combinations of the values"},
    {"random", CAIRN_SEARCH_RANDOM, "--tries combinations drawn at random"},
    {"halving", CAIRN_SEARCH_HALVING, "all on few rows, the best on more and more rows"},
    {0},
};

static const cairn_choice choosings[] = {
    {"best", CAIRN_CHOOSE_BEST, "the best value; of equal ones the simpler"},
    {"one-se", CAIRN_CHOOSE_ONE_SE, "the simplest within one standard error of the best"},
    {0},
};

static const cairn_param tune_params[] = {
    {.name = "over",
     .often = true,
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(tune_options, over),
     .help = "a parameter and its values: max-depth=1,2,4 or max-depth=1:10 or C=0.01:100:x10; "
             "TRANSFORM.parameter for one of --with; with=none|standardise for whole transforms; "
             "may be given several times; if not given, the space that the learner declares is "
             "searched",
     .repeated = true},
    CAIRN_PARAM_CHOICE(tune_options, search, "grid", searches, "how the points are chosen"),
    CAIRN_PARAM(tune_options, tries, "0", "[0,100000]",
                "points of a random search (30 if not given), or to start halving with",
                .when = "search=random|halving"),
    CAIRN_PARAM(tune_options, factor, "3", "[1.1,100]", "how many times more rows each round",
                .when = "search=halving"),
    CAIRN_PARAM(tune_options, least_rows, "100", "[2,inf)", "rows of the first round",
                .when = "search=halving"),
    CAIRN_PARAM_CHOICE(tune_options, choose, "best", choosings, "which point wins"),
    CAIRN_PARAM_AS(tune_options, by, CAIRN_TYPE_SPEC, "cv:5",
                   "inner resampling, which judges the points; clusterers are judged on all rows "
                   "unless it is given",
                   .often = true, .names = "resampling"),
    CAIRN_PARAM(tune_options, outer, "cv:5", NULL,
                "outer resampling, which judges the whole search; none leaves it out, as it is for "
                "clusterers unless it is given"),
    CAIRN_TEST_FILE(tune_options),
    CAIRN_PARAM(tune_options, measure, NULL, NULL,
                "what is made as good as possible ('cairn list measures')", .often = true,
                .names = "measure"),
    CAIRN_PARAM(tune_options, steps, "no", NULL,
                "show the work: every point in every split, means and standard errors, and how "
                "the choice is made",
                .often = true),
    CAIRN_PARAM_WRITES(tune_options, journal,
                       "write every finished evaluation to this file, and go on from there"),
    CAIRN_PARAM_WRITES(tune_options, save,
                       "write the model of the chosen parameters, learned from all rows",
                       .often = true),
    CAIRN_SAVE_FORCE(tune_options),
    CAIRN_PARAM(tune_options, figure, NULL, NULL,
                "give only the picture of this name, such as search; --out FILE.svg, .png or "
                ".pdf writes it"),
    CAIRN_PARAM(tune_options, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_AS(tune_options, cluster_distance, CAIRN_TYPE_SPEC, NULL,
                   "clusters: what rows are compared by ('cairn list distances'); euclidean, or "
                   "gower where columns are levels or lack cells",
                   .names = "distance"),
    CAIRN_ROLES(tune_options),
    CAIRN_FITTING(tune_options),
    CAIRN_READING(tune_options),
    CAIRN_LONG_FORM(tune_options),
    CAIRN_RUNNING(tune_options),
    CAIRN_PRINTING(tune_options),
    CAIRN_PARAM_END,
};

typedef struct tuning {
    cairn_space space;
    cairn_tune_how options;
    const cairn_params *params;
    cairn_journal journal;
    cairn_report *report; /* what each outer split chose; NULL = not wanted */
    bool clusters;        /* of a matrix of distances a part has fewer columns, too */
} tuning;

/* Data, command and seed: what a journal must agree on. */
static cairn_status identify(cairn_command *c, const cairn_table *table, cairn_text *out)
{
    uint64_t hash;
    cairn_status status = cairn_table_hash_parallel(c->ctx, table, &hash);
    if (status) return status;
    cairn_text_addf(out, "%016llx %llu %s", (unsigned long long)hash,
                    (unsigned long long)cairn_context_seed(c->ctx), c->line);
    return cairn_text_status(out);
}

/* -- the outer splits -- */

/* The inner search sees the training rows of the split only: the outer rows take no part in it. */
static cairn_status choose_settings(cairn_context *ctx, void *data, const cairn_table *table,
                                    cairn_rows train, size_t split, cairn_settings *out)
{
    tuning *t = data;
    OWNED(cairn_table_free) cairn_table *part = NULL;
    cairn_search search;
    char scope[32];
    snprintf(scope, sizeof scope, "outer%zu", split + 1);
    if (t->clusters)
        CHECK(cairn_cluster_part(ctx, &part, table, train));
    else
        CHECK(cairn_table_take_rows(ctx, &part, table, train.indices, train.n));
    CHECK(cairn_search_run(ctx, &search, &t->space, t->params, part, &t->options, &t->journal,
                           scope));
    const cairn_trial *best = &search.trials[search.best];
    CHECK(cairn_space_settings(ctx, &t->space, best->values, t->params, out));
    cairn_report_prefix(t->report, "outer.split%zu", split + 1);
    cairn_report_cells(t->report, "- @.chosen @.inner:5", split + 1, best->label, best->value);
    return CAIRN_OK;
}

/* The whole search is repeated within each outer split; what each chose is kept in a report of
 * its own and put before the verdict. */
static cairn_status judge_search(cairn_command *c, tuning *t, const cairn_table *table,
                                 const cairn_search *search)
{
    const tune_options *o = c->options->values;
    SCOPED(cairn_evaluation_clear) cairn_evaluation e = {0};
    OWNED(cairn_report_free) cairn_report *chosen = NULL;
    CHECK(cairn_report_new(c->ctx, &chosen));
    t->report = chosen;
    cairn_report_table_of(chosen, "Chosen in each outer split", 0, "rlr", "split", "chosen",
                          "inner value");
    cairn_evaluate_how how = {.by = o->outer,
                              .level = o->level,
                              .fit = t->options.fit,
                              .choose = choose_settings,
                              .choose_data = t};
    CHECK(cairn_evaluate_learner(c->ctx, &e, t->params, table, &how));
    CHECK(cairn_search_glance(c->ctx, c->report, search, &e));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 2, "How good the search is on new rows");
    cairn_report_append(c->report, chosen, NULL);
    CHECK(cairn_evaluation_judge(c->ctx, c->report, &e, NULL));
    cairn_report_for(c->report, before);
    return CAIRN_OK;
}

/* -- clusters -- */

static bool finds_clusters(const cairn_command *c)
{
    return ((const cairn_learner *)c->inner->entry)->tasks == CAIRN_CLUSTER;
}

static cairn_status check_clusters(cairn_command *c)
{
    if (!finds_clusters(c) && cairn_params_is_set(c->options, "cluster-distance"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--cluster-distance compares the rows of clusters, and nothing is "
                          "clustered here; leave it out");
    if (finds_clusters(c) && cairn_params_is_set(c->options, "outer") &&
        cairn_clusters_own_rows(c->inner) &&
        !cairn_same(((const tune_options *)c->options->values)->outer, "none"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--outer judges the search by rows that had no part in it, and %s has no "
                          "rule for new rows; leave it out",
                          c->inner->entry->name);
    return CAIRN_OK;
}

/* As judge_search, each outer split being measured by itself. */
static cairn_status judge_cluster_search(cairn_command *c, tuning *t, const cairn_table *table,
                                         const cairn_measure *measure)
{
    const tune_options *o = c->options->values;
    cairn_cluster_job job = {.params = t->params,
                             .table = table,
                             .fit = t->options.fit,
                             .distance = o->cluster_distance,
                             .measures = &measure,
                             .n_measures = 1,
                             .choose = choose_settings,
                             .choose_data = t};
    cairn_plan plan;
    cairn_clusters_seen *seen;
    double *values, sum = 0, n = 0;
    CHECK(cairn_cluster_plan(c->ctx, &plan, o->outer, table));
    size_t splits = cairn_plan_splits(&plan);
    CHECK(SCRATCH_EACH(c->ctx, splits + 1, &values, &seen));
    cairn_report_heading(c->report, 2, "How good the search is on new rows");
    t->report = c->report;
    cairn_report_table_of(c->report, "Chosen in each outer split", 0, "rlr", "split", "chosen",
                          "inner value");
    CHECK(cairn_cluster_splits(c->ctx, values, seen, &job, &plan));
    for (size_t s = 0; s < splits; s++) {
        cairn_report_hidden(c->report, values[s], "outer.split%zu.value", s + 1);
        if (isnan(values[s])) continue;
        sum += values[s];
        n++;
    }
    cairn_report_value(c->report, "mean over the held-out rows of the outer splits",
                       n > 0 ? sum / n : NAN, "outer.%s", measure->entry.name);
    return CAIRN_OK;
}

/* -- given parts -- */

/* Whether the parts are given for the rows of this very table: they cannot be cut out of a part of
 * it. */
static bool has_given_parts(const tune_options *o)
{
    return strncmp(o->by, "file:", strlen("file:")) == 0;
}

static cairn_status check_given_parts(cairn_command *c, const tune_options *o)
{
    bool other = cairn_params_is_set(c->options, "outer") && !cairn_same(o->outer, "none");
    if (!has_given_parts(o)) return CAIRN_OK;
    if (o->search == CAIRN_SEARCH_HALVING)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--search halving judges points on some of the rows, and --by %s has a "
                          "part for each; use --search grid or random",
                          o->by);
    if (!other) return CAIRN_OK;
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "--by %s gives the parts of all rows, so the search cannot be repeated "
                      "inside the splits of --outer %s; leave --outer out: with a validation part "
                      "the chosen point is judged on the test part",
                      o->by, o->outer);
}

/* The chosen point, learned from the training part of `by`, on the test part that had no say. */
static cairn_status judge_chosen(cairn_command *c, const tuning *t, const cairn_search *search,
                                 const cairn_table *table, const char *by)
{
    const tune_options *o = c->options->values;
    cairn_settings settings = {0};
    cairn_evaluation e = {0};
    cairn_fit_options fit = *t->options.fit;
    cairn_status status;
    TRY(cairn_space_settings(c->ctx, &t->space, search->trials[search->best].values, t->params,
                             &settings));
    fit.transforms = settings.transforms;
    cairn_evaluate_how how = {.by = by, .level = o->level, .fit = &fit};
    TRY(cairn_evaluate_learner(c->ctx, &e, settings.params, table, &how));
    TRY(cairn_search_glance(c->ctx, c->report, search, &e));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 2, "The chosen point on the test rows");
    TRY(cairn_evaluation_judge(c->ctx, c->report, &e, NULL));
    cairn_report_for(c->report, before);
done:
    cairn_settings_clear(&settings);
    cairn_evaluation_clear(&e);
    return status;
}

/* -- the search on all rows -- */

/* The saved model is fitted on all rows with the settings chosen; without --save nothing is
 * fitted. */
static cairn_status fit_best(cairn_command *c, const tuning *t, const cairn_search *search,
                             const cairn_table *table)
{
    const tune_options *o = c->options->values;
    cairn_settings settings = {0};
    cairn_model *model = NULL;
    cairn_status status;
    cairn_fit_options fit = *t->options.fit;
    if (!o->save) return CAIRN_OK;
    TRY(cairn_space_settings(c->ctx, &t->space, search->trials[search->best].values, t->params,
                             &settings));
    fit.transforms = settings.transforms;
    TRY(cairn_model_fit(c->ctx, &model, settings.params, table, &fit));
    TRY(cairn_command_save(c, model, o->save));
    cairn_remark(c, "saved the model to %s", o->save);
done:
    cairn_settings_clear(&settings);
    cairn_model_free(model);
    return status;
}

/* The search saw the data alone: the chosen point, learned from all of it, on the rows of --test.
 * The table is that of the search with the rows behind it afterwards. */
static cairn_status judge_on_file(cairn_command *c, const tuning *t, const cairn_search *search,
                                  cairn_table **table)
{
    const tune_options *o = c->options->values;
    const char *by;
    CHECK(cairn_command_add_test(c, table, o->test, &by));
    return judge_chosen(c, t, search, *table, by);
}

/* The search, and how good it is where rows were left for that: *judged says so. */
static cairn_status search_all(cairn_command *c, tuning *t, cairn_table **all, bool *judged,
                               cairn_search *search)
{
    const tune_options *o = c->options->values;
    const cairn_table *table = *all;
    CHECK(cairn_search_run(c->ctx, search, &t->space, t->params, table, &t->options, &t->journal,
                           "all"));
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_heading(c->report, 2, "The search");
    CHECK(cairn_search_report(c->ctx, c->report, search));
    cairn_report_for(c->report, before);
    if (t->options.steps) cairn_search_steps(c->report, search);
    *judged = search->chosen_apart && has_given_parts(o);
    if (*judged) CHECK(judge_chosen(c, t, search, table, o->by));
    CHECK(fit_best(c, t, search, table));
    if (!o->test) return CAIRN_OK;
    *judged = true;
    return judge_on_file(c, t, search, all);
}

/* What is searched where the user did not say. */
static void tell_space(cairn_report *out, const char *over)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    while (*over) {
        size_t length = strcspn(over, "\n");
        cairn_text_addf(&text, "%s--over %.*s", text.length ? " " : "", (int)length, over);
        over += length + (over[length] == '\n');
    }
    cairn_report_word(out, "searched", cairn_text_string(&text), "over");
    cairn_report_failed(out, cairn_text_status(&text));
}

/* An interrupted search with a journal goes on where it stopped, so the message about the
 * interruption says how. */
static cairn_status tune_fill(cairn_command *c)
{
    const tune_options *o = c->options->values;
    bool nested = !cairn_same(o->outer, "none") && !has_given_parts(o), judged;
    bool clusters = finds_clusters(c), by = !clusters || cairn_params_is_set(c->options, "by");
    cairn_search search;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_text identity = cairn_text_start(c->ctx);
    cairn_table *table = NULL;
    tuning t = {.params = c->inner, .clusters = finds_clusters(c)};
    cairn_status status;
    if (clusters) nested &= cairn_params_is_set(c->options, "outer");
    if (o->test && (clusters || cairn_params_is_set(c->options, "outer")))
        TRY(cairn_fail(c->ctx, CAIRN_USAGE, "--test judges the chosen point by rows of its own; %s",
                       clusters ? "clusters are not judged so, leave it out"
                                : "leave out --outer"));
    nested &= !o->test;
    TRY(check_clusters(c));
    TRY(cairn_command_fit_options(c, &fit));
    TRY(cairn_params_refuse_single(c->ctx, c->inner));
    TRY(cairn_command_resampling(c, "by", o->by));
    TRY(check_given_parts(c, o));
    TRY(cairn_command_measures(c, o->measure, NULL));
    if (nested) TRY(cairn_command_resampling(c, "outer", o->outer));
    const char *over = o->over;
    if (over)
        TRY(cairn_space_parse(c->ctx, &t.space, over, c->inner, fit.transforms));
    else
        TRY(cairn_space_usual(c->ctx, &t.space, &over, c->inner, fit.transforms));
    size_t tries = o->tries ? (size_t)o->tries : o->search == CAIRN_SEARCH_RANDOM ? 30 : 0;
    t.options = (cairn_tune_how){.search = (cairn_search_kind)o->search,
                                 .tries = tries,
                                 .factor = o->factor,
                                 .least_rows = (size_t)o->least_rows,
                                 .choose = (cairn_choosing)o->choose,
                                 .by = by ? o->by : NULL,
                                 .measure = o->measure,
                                 .cluster_distance = o->cluster_distance,
                                 .fit = &fit,
                                 .steps = o->steps};
    TRY(cairn_command_table(c, &table, c->words[0]));
    double begun = cairn_seconds();
    TRY(identify(c, table, &identity));
    TRY(cairn_journal_open(c->ctx, &t.journal, o->journal, cairn_text_string(&identity)));
    cairn_report_heading(c->report, 1, "Tuning: %s on %s", c->inner->entry->name, c->words[0]);
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_word(c->report, "judged by", by ? o->by : "all rows", "by");
    if (!o->over) tell_space(c->report, over);
    cairn_report_for(c->report, before);
    TRY(search_all(c, &t, &table, &judged, &search));
    if (!judged && (clusters || !nested))
        TRY(cairn_search_glance(c->ctx, c->report, &search, NULL));
    if (nested && clusters)
        TRY(judge_cluster_search(c, &t, table, search.measure));
    else if (nested)
        TRY(judge_search(c, &t, table, &search));
    else if (!judged && !clusters)
        cairn_report_note(c->report,
                          "The value of the chosen point is optimistic: it was chosen for "
                          "being good on these rows. --outer cv:5 gives an honest one.");
    if (o->journal && t.journal.n_found)
        cairn_remark(c, "%zu evaluations came from %s", t.journal.n_found, o->journal);
    c->seconds_fit = cairn_seconds() - begun;
done:
    if (status == CAIRN_CANCELLED && o->journal)
        (void)cairn_fail(c->ctx, CAIRN_CANCELLED, "interrupted; the same command goes on from %s",
                         o->journal);
    cairn_journal_clear(&t.journal);
    cairn_text_clear(&identity);
    cairn_table_free(table);
    return status;
}

static cairn_status tune_run(cairn_command *c)
{
    const tune_options *o = c->options->values;
    return cairn_command_figure(c, o->figure, tune_fill);
}

const cairn_verb cairn_verb_tune = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "tune",
              .also =
                  "grid search, random search, hyperparameters, hyperparameter search, optimise, "
                  "model selection, nested cross-validation, GridSearchCV, RandomizedSearchCV",
              .title = "Search for good parameters",
              .summary =
                  "Tries parameters of a learner and of its transforms: all combinations, random "
                  "ones, or many on few rows and the best on more. Each point is judged by "
                  "resampling; of equal ones the simpler wins. The whole search is repeated inside "
                  "outer splits, so that the error it reports is that of rows which had no part in "
                  "choosing. Without --over the space is searched that the learner declares, but "
                  "for what "
                  "is set. With --journal a search that was stopped goes on where it was.",
              .example = "cairn tune tree @iris --over max-depth=1:5",
              .params = tune_params,
              .params_size = sizeof(tune_options)},
    .arguments = "LEARNER DATA",
    .least = 2,
    .most = 2,
    .inner = CAIRN_INNER_NEEDED,
    .inner_kind = CAIRN_ENTRY_LEARNER,
    .run = tune_run,
    .varies = true,
};
