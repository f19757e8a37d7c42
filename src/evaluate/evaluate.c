/* SPDX-License-Identifier: MIT */
/* Running an evaluation: splits side by side, each with its own context, predictions put where they
 * belong. Everything that is learned, transforms included, is learned inside the split. */
#include "evaluate/evaluate.h"
#include "evaluate/importance.h"
#include "evaluate/judge.h"
#include "model/chain.h"
#include "model/judged_rows.h"
#include "model/row_density.h"
#include "model/task.h"
#include "parallel/parallel.h"
#include "stats/measure.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void cairn_evaluation_clear(cairn_evaluation *e)
{
    cairn_free(e->around);
    cairn_free(e->by);
    cairn_free(e->decision);
    cairn_free(e->target);
    cairn_map_clear(&e->classes);
    cairn_free(e->starts);
    cairn_free(e->rows);
    cairn_free(e->weights);
    cairn_free(e->groups);
    cairn_free(e->actual);
    cairn_free(e->predicted);
    cairn_free(e->baseline);
    cairn_free(e->scores);
    cairn_free(e->actual_number);
    cairn_free(e->predicted_number);
    cairn_free(e->baseline_number);
    cairn_free(e->training_measures);
    cairn_free(e->densities);
    cairn_free(e->importance);
    cairn_map_clear(&e->columns);
    *e = (cairn_evaluation){0};
}

cairn_judged cairn_evaluation_judged(const cairn_evaluation *e)
{
    bool classes = e->task == CAIRN_CLASSIFY;
    return (cairn_judged){.n = e->n,
                          .weights = e->weights,
                          .units = e->groups,
                          .repeats = e->n > e->n_rows ? (double)e->n / (double)e->n_rows : 1,
                          .n_classes = classes ? e->classes.n : 0,
                          .positive = classes ? e->positive : -1,
                          .actual = e->actual,
                          .predicted = e->predicted,
                          .scores = e->scores,
                          .actual_number = e->actual_number,
                          .predicted_number = e->predicted_number};
}

cairn_judged cairn_evaluation_split(const cairn_evaluation *e, size_t split)
{
    cairn_judged all = cairn_evaluation_judged(e);
    return cairn_judged_part(&all, e->starts[split], e->starts[split + 1]);
}

cairn_judged cairn_evaluation_baseline(const cairn_evaluation *e)
{
    cairn_judged all = cairn_evaluation_judged(e);
    return cairn_judged_with(&all, e->baseline, e->baseline_number);
}

/* Arrays for the predictions, sized by the splits. */
static cairn_status make_buffer(cairn_context *ctx, cairn_evaluation *e, bool scores)
{
    CHECK(NEW_EACH(ctx, e->n, &e->rows, &e->weights));
    if (e->task == CAIRN_CLASSIFY) {
        CHECK(NEW_EACH(ctx, e->n, &e->actual, &e->predicted, &e->baseline));
        if (scores) CHECK(NEW(ctx, &e->scores, cairn_product(e->n, e->classes.n)));
    } else {
        CHECK(NEW_EACH(ctx, e->n, &e->actual_number, &e->predicted_number, &e->baseline_number));
    }
    return CAIRN_OK;
}

/* The same of items: a row is the group of its own. */
static cairn_status keep_items(cairn_context *ctx, cairn_evaluation *e, size_t start,
                               const cairn_view *test, const cairn_prediction *p, double baseline)
{
    cairn_judged j;
    CHECK(cairn_judged_rows(ctx, &j, test, p, -1));
    for (size_t i = 0; i < j.n; i++) {
        size_t at = start + i;
        e->rows[at] = e->groups[at] = (uint32_t)cairn_view_row(test, j.units[i]);
        e->weights[at] = j.weights[i];
        e->actual[at] = j.actual[i];
        e->predicted[at] = j.predicted[i];
        e->baseline[at] = (int32_t)baseline;
    }
    if (e->scores && p->scores)
        memcpy(e->scores + start * e->classes.n, p->scores, j.n * e->classes.n * sizeof *p->scores);
    return CAIRN_OK;
}

/* Put the predictions of one split into their place. */
static void keep_predictions(cairn_evaluation *e, size_t start, const cairn_view *test,
                             const cairn_prediction *p, double baseline, const int32_t *groups)
{
    for (size_t i = 0; i < test->rows.n; i++) {
        size_t at = start + i, row = cairn_view_row(test, i);
        e->rows[at] = (uint32_t)row;
        if (e->groups && groups) e->groups[at] = (uint32_t)groups[row];
        e->weights[at] = cairn_view_weight(test, i);
        if (e->task == CAIRN_CLASSIFY) {
            e->actual[at] = test->target->codes[row];
            e->predicted[at] = p->codes[i];
            e->baseline[at] = (int32_t)baseline;
        } else {
            e->actual_number[at] = test->target->numbers[row];
            e->predicted_number[at] = p->numbers[i];
            e->baseline_number[at] = baseline;
        }
    }
    if (e->scores && p->scores)
        memcpy(e->scores + start * e->classes.n, p->scores,
               test->rows.n * e->classes.n * sizeof *p->scores);
}

typedef struct split_work {
    cairn_evaluation *e;
    const cairn_plan *plan;
    const cairn_params *params;
    const cairn_table *table;
    const cairn_fit_options *fit;
    const cairn_evaluate_how *options;
    size_t *unseen;        /* per split */
    const int32_t *groups; /* per table row; NULL = none */
} split_work;

void cairn_settings_clear(cairn_settings *settings)
{
    cairn_params_free(settings->params);
    cairn_params_free(settings->transforms);
    *settings = (cairn_settings){0};
}

/* Everything that learns from data, transforms and chosen settings included, learns from this
 * split's training rows. */
static cairn_status judge_split(cairn_context *ctx, void *data, size_t split, cairn_rows train,
                                cairn_rows test)
{
    const split_work *work = data;
    cairn_evaluation *e = work->e;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    SCOPED(cairn_settings_clear) cairn_settings settings = {0};
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_view test_view;
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = e->scores != NULL, .extra = e->densities != NULL};
    cairn_fit_options fit;
    CHECK(cairn_view_make(ctx, &test_view, work->table, test));
    /* The settings of a split: those that were given, or chosen from its training rows. */
    fit = *work->fit;
    if (!work->options->choose) {
        CHECK(cairn_params_copy(ctx, &settings.params, work->params));
    } else {
        CHECK(work->options->choose(ctx, work->options->choose_data, work->table, train, split,
                                    &settings));
        fit.with = NULL;
        fit.transforms = settings.transforms;
    }
    CHECK(cairn_model_fit_rows(ctx, &model, settings.params, work->table, train, &fit));
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, work->table, test, wants, &match));
    if (e->items)
        CHECK(keep_items(ctx, e, e->starts[split], &test_view, &prediction, model->baseline));
    else
        keep_predictions(e, e->starts[split], &test_view, &prediction, model->baseline,
                         work->groups);
    work->unseen[split] = match.n_unseen;
    if (e->densities)
        CHECK(cairn_row_density_mean(ctx, &e->densities[split], model, work->table, test,
                                     &prediction));
    if (e->training_measures)
        CHECK(cairn_measure_model(ctx, &e->training_measures[split], model, work->table, train));
    if (e->importance)
        CHECK(cairn_importance_of(ctx, e->importance + split * e->columns.n, model, work->table,
                                  test, work->options->importance, split));
    /* Work of others in the split, with the settings that were used. */
    cairn_split_job job = (cairn_split_job){work->table, settings.params, &fit, train, test, split};
    for (size_t v = 0; v < work->options->n_visits; v++)
        CHECK(work->options->visits[v].split(ctx, work->options->visits[v].data, &job));
    return CAIRN_OK;
}

/* Room for the densities of learners that have some. */
static cairn_status want_densities(cairn_context *ctx, cairn_evaluation *e,
                                   const cairn_learner *learner)
{
    if (e->items || !cairn_learner_has_density(learner)) return CAIRN_OK;
    CHECK(NEW(ctx, &e->densities, e->n_splits));
    for (size_t s = 0; s < e->n_splits; s++) e->densities[s] = NAN;
    return CAIRN_OK;
}

/* Rows whose target is known. */
static cairn_status labelled_rows(cairn_context *ctx, const cairn_column *target, uint32_t **out,
                                  size_t *n)
{
    cairn_status status = SCRATCH_RAW(ctx, out, target->n_rows + 1);
    size_t count = 0;
    for (size_t i = 0; status == CAIRN_OK && i < target->n_rows; i++)
        if (!cairn_column_is_missing(target, i)) (*out)[count++] = (uint32_t)i;
    *n = count;
    return status;
}

/* Codes of the group column, made from numbers if need be. Groups that no row of the job belongs to
 * have no code: they can be neither tested nor drawn. */
static cairn_status group_codes(cairn_context *ctx, cairn_table *table, cairn_plan_job *job)
{
    int32_t *codes, *fresh;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_GROUP);
    if (at < 0) return CAIRN_OK;
    CHECK(cairn_table_change_kind(ctx, table, (size_t)at, CAIRN_LEVEL));
    const cairn_column *column = table->slots[at].column;
    if (column->n_missing)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "the group column '%s' has %zu missing cells",
                         table->slots[at].name, column->n_missing));
    CHECK(SCRATCH(ctx, &codes, table->n_rows + 1));
    CHECK(SCRATCH(ctx, &fresh, column->names.n + 1)); /* 0 = not met yet, else the code + 1 */
    for (size_t i = 0; i < job->n; i++) {
        int32_t *code = &fresh[column->codes[job->rows[i]]];
        if (*code == 0) *code = (int32_t)++job->n_groups;
        codes[job->rows[i]] = *code - 1;
    }
    job->groups = codes;
    return CAIRN_OK;
}

/* The wrappers around the learner, as they were asked for. */
static cairn_status name_around(cairn_context *ctx, cairn_evaluation *e,
                                const cairn_fit_options *fit)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    if (!fit || !fit->around || !fit->around[0]) return CAIRN_OK;
    for (const cairn_params *const *w = fit->around; *w && !status; w++) {
        char *spec = NULL;
        status = cairn_params_spec(ctx, *w, &spec);
        if (!status) cairn_text_addf(&text, "%s%s", w == fit->around ? "" : ", ", spec);
        cairn_free(spec);
    }
    if (!status) return cairn_text_take(&text, &e->around);
    cairn_text_clear(&text);
    return status;
}

/* Decide the task once for all splits and note what the report needs. */
static cairn_status begin(cairn_context *ctx, cairn_evaluation *e, const cairn_params *params,
                          cairn_table *table, const cairn_evaluate_how *options)
{
    size_t index;
    cairn_decision decided = {.learner = (const cairn_learner *)params->entry, .params = params};
    cairn_task wanted = options->fit ? options->fit->task : CAIRN_TASK_AUTO;
    const char *by = options->by ? options->by : "cv:10";
    cairn_status status = cairn_task_decide(ctx, &decided, table, wanted);
    e->decision = decided.why;
    if (status) return status;
    if (decided.task == CAIRN_CLUSTER)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s finds groups without a target, so there is nothing to compare its "
                          "answers with",
                          params->entry->name);
    e->items = decided.task == CAIRN_LABEL_ITEMS;
    e->task = e->items ? CAIRN_CLASSIFY : decided.task;
    e->learner = params->entry->name;
    e->level = options->level > 0 ? options->level : 0.95;
    e->seed = cairn_context_seed(ctx);
    e->positive = -1;
    const cairn_slot *target = &table->slots[cairn_table_role_column(table, CAIRN_TARGET)];
    CHECK(name_around(ctx, e, options->fit));
    CHECK(cairn_copy_text(ctx, &e->by, by, strlen(by)));
    CHECK(cairn_copy_text(ctx, &e->target, target->name, strlen(target->name)));
    for (size_t c = 0; e->task == CAIRN_CLASSIFY && c < target->column->names.n; c++)
        CHECK(cairn_map_add(ctx, &e->classes, cairn_map_key(&target->column->names, c),
                            target->column->names.lengths[c], &index));
    return CAIRN_OK;
}

static cairn_status find_positive(cairn_context *ctx, cairn_evaluation *e, const cairn_table *table,
                                  cairn_rows rows, const char *wanted)
{
    cairn_view view;
    if (e->task != CAIRN_CLASSIFY || e->items) return CAIRN_OK;
    CHECK(cairn_view_make(ctx, &view, table, rows));
    return cairn_task_positive(ctx, &e->positive, &view, wanted);
}

/* Sizes of all test parts in one pass: leaving one out has as many splits as rows. */
static cairn_status count_starts(cairn_context *ctx, cairn_evaluation *e, const cairn_plan *plan,
                                 const cairn_column *target)
{
    size_t *sizes; /* in rows */
    e->n_splits = cairn_plan_splits(plan);
    e->n_repeats = plan->n_repeats;
    e->bootstrap = plan->draws;
    CHECK(NEW(ctx, &e->starts, e->n_splits + 1));
    CHECK(SCRATCH(ctx, &sizes, e->n_splits + 1));
    for (size_t r = 0; r < plan->n_repeats; r++)
        for (size_t i = 0; i < plan->n; i++) {
            int32_t fold = plan->folds[r * plan->n + i];
            if (plan->draws) fold = fold == 0 ? 0 : -1;
            if (fold < 0 || (size_t)fold >= plan->n_tested) continue;
            size_t split = r * plan->n_tested + (size_t)fold;
            sizes[split]++;
            /* Answers that a row gets: one, or one for every item. */
            size_t row = plan->rows[i];
            e->starts[split + 1] += e->items ? target->starts[row + 1] - target->starts[row] : 1;
        }
    for (size_t s = 0; s < e->n_splits; s++) e->starts[s + 1] += e->starts[s];
    e->n = e->starts[e->n_splits];
    e->single = e->n_splits > 1 && e->n_splits == e->n;
    /* Test rows over training rows, the mean over the splits that test some. */
    double sum = 0, counted = 0;
    for (size_t r = 0; r < plan->n_repeats; r++) {
        double used = 0; /* rows learned from or tested, or draws */
        for (size_t i = 0; i < plan->n; i++) {
            int32_t fold = plan->folds[r * plan->n + i];
            used += plan->draws ? fold : fold >= 0;
        }
        for (size_t f = 0; f < plan->n_tested; f++) {
            double test = (double)sizes[r * plan->n_tested + f];
            double train = plan->draws ? used : used - test;
            if (test > 0 && train > 0) sum += test / train, counted++;
        }
    }
    e->share = counted > 0 ? sum / counted : 0;
    if (e->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "no row is left to test on");
    return CAIRN_OK;
}

/* -- training error -- */

/* Room for the training error of each split, where it is wanted and affordable: a learner that
 * searches its rows for every answer would take far longer over it than over the estimate. */
static cairn_status want_training(cairn_context *ctx, cairn_evaluation *e, const cairn_plan *plan,
                                  const cairn_learner *learner, cairn_training_error wanted)
{
    enum { MOST_PARTS = 20, MOST_SLOW_ROWS = 5000 };
    double parts = (double)e->n_splits * (1 - 1 / (double)plan->n_tested);
    if (plan->n_tested == 1) parts = (double)e->n_splits;
    bool dear = parts > MOST_PARTS || (learner->answers_slowly && e->n_rows > MOST_SLOW_ROWS);
    if (wanted == CAIRN_TRAINING_NO || (wanted == CAIRN_TRAINING_AUTO && dear)) return CAIRN_OK;
    cairn_status status = NEW(ctx, &e->training_measures, e->n_splits);
    for (size_t s = 0; status == CAIRN_OK && s < e->n_splits; s++) e->training_measures[s] = NAN;
    return status;
}

/* For the .632 estimates: one model on all rows, judged on the same. */
static cairn_status measure_all_rows(cairn_context *ctx, const split_work *work, cairn_rows rows)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_judged judged;
    cairn_evaluation *e = work->e;
    CHECK(cairn_model_fit_rows(ctx, &model, work->params, work->table, rows, work->fit));
    CHECK(cairn_judged_model(ctx, &judged, &prediction, model, work->table, rows, false));
    e->resubstitution = cairn_judged_usual(&judged);
    if (e->task == CAIRN_CLASSIFY) {
        /* The error of answers that are dealt to the rows at random. No answer is right for no
         * class. */
        double total = 0, same = 0;
        cairn_class_counts *counts;
        CHECK(cairn_judged_counts(ctx, &counts, &judged));
        for (size_t c = 0; c < judged.n_classes; c++) {
            same += counts[c].actual * counts[c].predicted;
            total += counts[c].actual;
        }
        e->no_information = total > 0 ? 1 - same / (total * total) : NAN;
    } else {
        /* The same of numbers, by way of their means, so that large ones do not cancel: (mean
         * difference)² and both variances. Rows without a prediction are left out. */
        double total = 0, mean[2] = {0, 0}, squares = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < judged.n; i++) {
                double w = cairn_judged_weight(&judged, i), y = judged.actual_number[i];
                double f = judged.predicted_number[i];
                if (isnan(f)) continue;
                if (pass == 0)
                    total += w, mean[0] += w * y, mean[1] += w * f;
                else
                    squares += w * ((y - mean[0]) * (y - mean[0]) + (f - mean[1]) * (f - mean[1]));
            }
            if (pass == 0) mean[0] /= total, mean[1] /= total;
        }
        e->no_information = squares / total + (mean[0] - mean[1]) * (mean[0] - mean[1]);
    }
    return CAIRN_OK;
}

/* -- the parts as a file -- */

/* A column per repeat: the fold of every row, or how often it was drawn, or the part of a hold-out.
 * Rows without a target have none. */
static cairn_status write_splits(cairn_context *ctx, const cairn_plan *plan, size_t n_rows,
                                 const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column;
    CHECK(cairn_table_new(ctx, &table, n_rows));
    CHECK(SCRATCH(ctx, &column, n_rows + 1));
    for (size_t i = 0; i < n_rows; i++) column[i] = (double)i + 1;
    CHECK(cairn_table_put_numbers(ctx, table, "row", column));
    for (size_t r = 0; r < plan->n_repeats; r++) {
        char name[48];
        bool holdout = plan->n_tested == 1 && !plan->draws;
        snprintf(name, sizeof name, "%s%zu",
                 plan->draws ? "draws"
                 : holdout   ? "part"
                             : "fold",
                 r + 1);
        if (holdout) {
            /* A hold-out in words: a fold of one that is tested, one that is learned from, and
             * what is set aside. */
            static const char *const parts[] = {"test", "train", "validation"};
            int32_t *codes;
            CHECK(SCRATCH(ctx, &codes, table->n_rows + 1));
            for (size_t i = 0; i < table->n_rows; i++) codes[i] = -1;
            for (size_t i = 0; i < plan->n; i++) {
                int32_t fold = plan->folds[r * plan->n + i];
                codes[plan->rows[i]] = fold == CAIRN_FOLD_ASIDE ? 2 : fold < 0 ? -1 : fold > 0;
            }
            CHECK(cairn_table_add_levels(ctx, table, name, codes, parts, 3));
            continue;
        }
        for (size_t i = 0; i < n_rows; i++) column[i] = NAN;
        for (size_t i = 0; i < plan->n; i++) {
            int32_t fold = plan->folds[r * plan->n + i];
            if (fold >= 0) column[plan->rows[i]] = plan->draws ? fold : fold + 1;
        }
        CHECK(cairn_table_put_numbers(ctx, table, name, column));
    }
    return cairn_table_write(ctx, table, path, NULL);
}

/* Members that were fitted before are taken as they are in every split. */
static void warn_saved_members(cairn_context *ctx, const cairn_params *params)
{
    if (cairn_params_is_set(params, "model"))
        cairn_warn(ctx,
                   "{model}: members that were saved before may have learned from the rows that "
                   "are held out, and then the estimate is too good; give their learners, or rows "
                   "that are new to them");
}

/* Classes with fewer rows than folds are missing from the training or the test part of some. */
static cairn_status warn_small_classes(cairn_context *ctx, const cairn_evaluation *e,
                                       const cairn_plan_job *job, const cairn_plan *plan)
{
    size_t *counts, n_small = 0, first = 0, most = 0;
    if (!job->classes) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &counts, e->classes.n + 1));
    for (size_t i = 0; i < job->n; i++) {
        size_t n = ++counts[job->classes[job->rows[i]]];
        if (n > most) most = n;
    }
    if (most == 1 && job->n >= 5)
        cairn_warn(
            ctx,
            "the target '%s' has another class in every row, so nothing is learned about new "
            "rows; name another one with {target}",
            e->target);
    if ((most == 1 && job->n >= 5) || plan->n_tested < 2 || plan->n_tested == job->n)
        return CAIRN_OK;
    for (size_t c = e->classes.n; c-- > 0;) {
        if (counts[c] == 0 || counts[c] >= plan->n_tested) continue;
        n_small++;
        first = c;
    }
    if (n_small == 1)
        cairn_warn(ctx, "class '%s' has %zu row%s, fewer than the %zu folds",
                   cairn_map_key(&e->classes, first), counts[first], counts[first] == 1 ? "" : "s",
                   plan->n_tested);
    if (n_small > 1)
        cairn_warn(ctx, "%zu classes have fewer rows than the %zu folds, such as '%s' with %zu",
                   n_small, plan->n_tested, cairn_map_key(&e->classes, first), counts[first]);
    return CAIRN_OK;
}

/* Room for the importance of every column in every split; NaN until it is known. */
static cairn_status want_importance(cairn_context *ctx, cairn_evaluation *e,
                                    const cairn_table *table)
{
    size_t index;
    for (size_t j = 0; j < table->n_columns; j++)
        CHECK(cairn_map_add(ctx, &e->columns, table->slots[j].name, strlen(table->slots[j].name),
                            &index));
    CHECK(NEW(ctx, &e->importance, cairn_product(e->n_splits, e->columns.n)));
    for (size_t i = 0; i < e->n_splits * e->columns.n; i++) e->importance[i] = NAN;
    return CAIRN_OK;
}

/* Leaving out a row of one of two equally large classes makes the other one the majority, so that
 * the majority of the others is never right; what all rows say is meant. */
static cairn_status baseline_of_all(cairn_context *ctx, cairn_evaluation *e)
{
    cairn_judged all = cairn_evaluation_judged(e);
    cairn_class_counts *counts;
    size_t best = 0;
    CHECK(cairn_judged_counts(ctx, &counts, &all));
    for (size_t c = 1; c < all.n_classes; c++)
        if (counts[c].actual > counts[best].actual) best = c;
    for (size_t i = 0; i < e->n; i++) e->baseline[i] = (int32_t)best;
    return CAIRN_OK;
}

/* Ten folds need ten rows or groups: of fewer, unless folds were asked for, each is left out. */
static cairn_status settle_folds(cairn_context *ctx, cairn_evaluation *e, const cairn_plan_job *job,
                                 const cairn_evaluate_how *options)
{
    size_t n = job->groups ? job->n_groups : job->n;
    if (options->by || n >= 10) return CAIRN_OK;
    cairn_warn(ctx, "%zu %s are too few for ten folds: each is held out once ({by loo})", n,
               job->groups ? "groups" : "rows");
    cairn_free(e->by);
    e->by = NULL;
    return cairn_copy_text(ctx, &e->by, "loo", 3);
}

/* What is wrong with target, plan or costs is refused before the first fit; splits run side by
 * side unless each has a search inside, which uses the threads itself. */
static cairn_status run_plan(cairn_context *ctx, cairn_evaluation *e, const cairn_params *params,
                             cairn_table *table, const cairn_evaluate_how *options)
{
    cairn_plan plan;
    uint32_t *rows;
    size_t n;
    const double *costs; /* refused before the work begins */
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    if (options->fit) fit = *options->fit;
    fit.task = e->items ? CAIRN_LABEL_ITEMS : e->task;
    fit.steps = NULL;
    const cairn_column *target = table->slots[cairn_table_role_column(table, CAIRN_TARGET)].column;
    CHECK(labelled_rows(ctx, target, &rows, &n));
    e->n_rows = n;
    e->n_waiting = table->n_rows - n;
    if (n < 2)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "an evaluation needs at least two rows with a known '%s', there is %zu",
                         e->target, n));
    cairn_plan_job job = {.n = n,
                          .rows = rows,
                          .classes = options->plain || e->items ? NULL : target->codes,
                          .n_classes = e->classes.n,
                          .choosing = options->choosing};
    CHECK(group_codes(ctx, table, &job));
    CHECK(find_positive(ctx, e, table, (cairn_rows){rows, n, NULL}, fit.positive));
    if (options->judge) CHECK(cairn_evaluation_costs(ctx, &costs, e, options->judge));
    ptrdiff_t time = cairn_time_column(table);
    if (time >= 0) job.times = table->slots[time].column->numbers;
    CHECK(settle_folds(ctx, e, &job, options));
    CHECK(cairn_plan_make(ctx, &plan, e->by, job));
    if (time >= 0 && !plan.ordered)
        cairn_warn(ctx,
                   "'%s' is a time, and %s tests rows by models that learned from later ones: if "
                   "rows depend on those before them, the estimate is too good. {by rolling:5}, or "
                   "{by holdout:0.3,time=yes}, learns from the past only",
                   table->slots[time].name, e->by);
    CHECK(cairn_chain_foretell(ctx, params, table, (cairn_rows){rows, n, NULL}, &fit));
    e->chosen_apart = plan.aside;
    CHECK(count_starts(ctx, e, &plan, target));
    CHECK(warn_small_classes(ctx, e, &job, &plan));
    warn_saved_members(ctx, params);
    e->probabilities = cairn_learner_gives_probabilities(learner, params->values);
    CHECK(make_buffer(ctx, e, learner->gives_scores));
    if (job.groups || e->items) CHECK(NEW(ctx, &e->groups, e->n));
    CHECK(want_training(ctx, e, &plan, learner, options->training));
    CHECK(want_densities(ctx, e, learner));
    if (options->importance) CHECK(want_importance(ctx, e, table));
    if (options->splits_out) CHECK(write_splits(ctx, &plan, table->n_rows, options->splits_out));
    for (size_t v = 0; v < options->n_visits; v++)
        CHECK(options->visits[v].begin(ctx, options->visits[v].data, e));
    split_work work = {e, &plan, params, table, &fit, options, NULL, job.groups};
    CHECK(SCRATCH(ctx, &work.unseen, e->n_splits + 1));
    /* choosing settings inside a split may use the threads */
    CHECK(cairn_plan_each(ctx, &plan, options->choose != NULL, judge_split, &work));
    for (size_t s = 0; s < e->n_splits; s++) e->n_unseen += work.unseen[s];
    if (e->single && e->baseline) CHECK(baseline_of_all(ctx, e));
    if (plan.draws) CHECK(measure_all_rows(ctx, &work, (cairn_rows){rows, n, NULL}));
    return CAIRN_OK;
}

cairn_status cairn_evaluate_learner(cairn_context *ctx, cairn_evaluation *out,
                                    const cairn_params *params, const cairn_table *table,
                                    const cairn_evaluate_how *options)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_table *copy = NULL;
    *out = (cairn_evaluation){.resubstitution = NAN, .no_information = NAN};
    if (!options->choose) TRY(cairn_params_check(ctx, params)); /* else what is chosen is checked */
    TRY(cairn_table_share(ctx, &copy, table));
    TRY(begin(ctx, out, params, copy, options));
    TRY(run_plan(ctx, out, params, copy, options));
done:
    if (status) cairn_evaluation_clear(out);
    cairn_table_free(copy);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- a given model on given data -- */

/* A model is judged as an evaluation of one split, so that reports and measures need to know one
 * kind only. */
static cairn_status begin_model(cairn_context *ctx, cairn_evaluation *e, const cairn_model *model,
                                double level)
{
    size_t index;
    const cairn_field *target = cairn_model_target(model);
    if (!target)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has no target to be judged by",
                          cairn_model_learner(model));
    e->items = model->task == CAIRN_LABEL_ITEMS;
    e->task = e->items ? CAIRN_CLASSIFY : model->task;
    e->learner = cairn_model_learner(model);
    e->probabilities = cairn_learner_gives_probabilities(model->learner, model->params->values);
    e->level = level > 0 ? level : 0.95;
    e->seed = model->seed;
    e->positive = model->positive;
    e->n_splits = 1;
    CHECK(cairn_copy_text(ctx, &e->target, target->name, strlen(target->name)));
    for (size_t c = 0; c < target->names.n; c++)
        CHECK(cairn_map_add(ctx, &e->classes, cairn_map_key(&target->names, c),
                            target->names.lengths[c], &index));
    return CAIRN_OK;
}

/* Rows of the raw table whose target is given, whether or not the model knows its class. */
static cairn_status given_rows(cairn_context *ctx, cairn_evaluation *e, const cairn_table *table,
                               const cairn_column *matched, uint32_t **rows)
{
    ptrdiff_t raw = cairn_table_find(table, e->target);
    bool classes = e->task == CAIRN_CLASSIFY && raw >= 0;
    cairn_status status =
        labelled_rows(ctx, classes ? table->slots[raw].column : matched, rows, &e->n);
    if (status) return status;
    if (e->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a known value of '%s'", e->target);
    e->n_rows = e->n;
    e->n_waiting = table->n_rows - e->n;
    for (size_t i = 0; classes && !e->items && i < e->n; i++)
        e->n_unknown += matched->codes[(*rows)[i]] < 0;
    if (!e->items) return CAIRN_OK;
    e->n = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        for (size_t k = matched->starts[(*rows)[i]]; k < matched->starts[(*rows)[i] + 1]; k++)
            e->n_unknown += matched->items[k] < 0;
        e->n += matched->starts[(*rows)[i] + 1] - matched->starts[(*rows)[i]];
    }
    return CAIRN_OK;
}

cairn_status cairn_evaluate_model(cairn_context *ctx, cairn_evaluation *out,
                                  const cairn_model *model, const cairn_table *table, double level,
                                  size_t importance)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_table *matched = NULL, *grouped = NULL;
    cairn_prediction prediction = {0};
    cairn_match match = {0};
    cairn_view view;
    uint32_t *rows;
    *out = (cairn_evaluation){.resubstitution = NAN, .no_information = NAN};
    TRY(begin_model(ctx, out, model, level));
    TRY(cairn_model_truth(ctx, &matched, model, table, &match));
    ptrdiff_t at = cairn_table_find(matched, out->target);
    TRY(given_rows(ctx, out, table, matched->slots[at].column, &rows));
    out->training = cairn_model_learned_from(model, table);
    TRY(cairn_view_make(ctx, &view, matched, (cairn_rows){rows, out->n_rows, NULL}));
    TRY(NEW(ctx, &out->starts, 2));
    out->starts[1] = out->n;
    TRY(make_buffer(ctx, out, model->learner->gives_scores));
    cairn_plan_job job = {.n = out->n_rows, .rows = rows};
    TRY(cairn_table_share(ctx, &grouped, table));
    TRY(group_codes(ctx, grouped, &job));
    if (job.groups || out->items) TRY(NEW(ctx, &out->groups, out->n));
    TRY(want_densities(ctx, out, model->learner));
    cairn_predict_wants wants = {.scores = out->scores != NULL, .extra = out->densities != NULL};
    double begun = cairn_seconds();
    TRY(cairn_model_predict_rows(ctx, &prediction, model, table, view.rows, wants, &match));
    out->seconds = cairn_seconds() - begun;
    if (out->items)
        TRY(keep_items(ctx, out, 0, &view, &prediction, model->baseline));
    else
        keep_predictions(out, 0, &view, &prediction, model->baseline, job.groups);
    out->n_unseen = match.n_unseen;
    if (out->densities)
        TRY(cairn_row_density_mean(ctx, &out->densities[0], model, table, view.rows, &prediction));
    if (importance) {
        TRY(want_importance(ctx, out, matched));
        TRY(cairn_importance_of(ctx, out->importance, model, matched, view.rows, importance, 0));
    }
done:
    if (status) cairn_evaluation_clear(out);
    cairn_prediction_clear(&prediction);
    cairn_table_free(matched);
    cairn_table_free(grouped);
    cairn_scratch_release(ctx, mark);
    return status;
}
