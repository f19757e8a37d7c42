/* SPDX-License-Identifier: MIT */
/* The run card that heads every report about a model, and the description of a model. */
#include "model/model.h"
#include "model/scale_choice.h"
#include "model/task.h"
#include "model/traits.h"
#include "base/call.h"
#include "base/number.h"
#include "data/target_labels.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NAMED = 12,    /* targets in one line */
    LEAST_OF_MODEL = 12 /* lines of a model in brief, where much stands above it */
};

static size_t count_role(const cairn_schema *schema, cairn_role role)
{
    size_t n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) n += schema->fields[i].role == (int32_t)role;
    return n;
}

/* Descriptions that the features can make when all of them are levels; 0 = there are others. */
static double count_descriptions(const cairn_schema *schema)
{
    double n = 1;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind != CAIRN_LEVEL) return 0;
        n *= (double)field->names.n;
    }
    return count_role(schema, CAIRN_FEATURE) ? n : 0;
}

/* The column whose labels the targets are (see wrappers/multi_target.c); NULL = none. */
static const char *labels_of(const cairn_model *model)
{
    if (!model->learner || !(model->learner->accepts & CAIRN_ACCEPTS_TARGETS) ||
        !cairn_params_has(model->params->entry, "labels"))
        return NULL;
    return cairn_params_text(model->params, "labels");
}

/* The kind of problem, as it follows from the target. */
static void card_problem(cairn_report *out, const cairn_model *model, const cairn_field *target)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    double descriptions = count_descriptions(&model->schema);
    if (model->task == CAIRN_REGRESS)
        cairn_text_add(&text, "a number");
    else if (!target)
        cairn_text_add(&text, model->learner && model->learner->tasks != CAIRN_CLUSTER
                                  ? "how the columns go together, without a target"
                                  : "groups, without a target");
    else if (model->n_classes != 2)
        cairn_text_addf(&text, model->n_classes == 1 ? "one class" : "one of %zu classes",
                        model->n_classes);
    else
        cairn_text_add(&text, "one of two classes");
    if (target && model->task == CAIRN_CLASSIFY && model->n_classes == 2 && descriptions > 0) {
        cairn_text_add(&text, "; the features allow ");
        cairn_text_add_number(&text, descriptions, 6);
        cairn_text_add(&text, " different rows, so a concept is learned: a set of them");
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_word(out, "problem", cairn_text_string(&text), "model.problem");
    cairn_text_clear(&text);
}

static void card_model(cairn_report *out, const cairn_learner *learner)
{
    cairn_text words = cairn_text_start(cairn_report_context(out));
    cairn_learner_model_words(&words, learner);
    cairn_report_failed(out, cairn_text_status(&words));
    cairn_report_word(out, "kind of model", cairn_text_string(&words), NULL);
    cairn_text_clear(&words);
}

static void card_size(cairn_report *out, const cairn_model *model)
{
    cairn_model_size size = cairn_model_size_of(model);
    if (isnan(size.parameters)) return;
    char number[CAIRN_NUMBER_SIZE], per[CAIRN_NUMBER_SIZE], text[160];
    cairn_number_format(number, size.parameters, 6);
    double rows_each = (double)model->n_rows / size.parameters;
    cairn_number_format(per, rows_each >= 100 ? floor(rows_each + 0.5) : rows_each,
                        rows_each >= 100 ? 15 : 3);
    snprintf(text, sizeof text, "%s (%s; %s row%s each)", number,
             size.grows ? "grows with the data" : "fixed by the columns", per,
             strcmp(per, "1") == 0 ? "" : "s");
    if (size.parameters > 0) cairn_report_word(out, "stored parameters", text, NULL);
    cairn_report_hidden(out, size.parameters, "model.parameters");
    cairn_report_hidden_word(out, size.grows ? "grow" : "fixed", "model.parameters.kind");
    if (size.parameters > 0) cairn_report_hidden(out, rows_each, "model.rows_per_parameter");
}

/* What was measured when the model was made, on rows that similar models had not seen. */
static void card_estimate(cairn_report *out, const cairn_estimate *e)
{
    char label[80], text[500], value[CAIRN_NUMBER_SIZE], low[CAIRN_NUMBER_SIZE],
        high[CAIRN_NUMBER_SIZE], level[CAIRN_NUMBER_SIZE];
    if (!e->measure) return;
    cairn_number_format(value, e->value, 6);
    cairn_number_format(low, e->low, 4);
    cairn_number_format(high, e->high, 4);
    cairn_number_format(level, 100 * e->level, 4);
    snprintf(label, sizeof label, "estimated %.40s", e->measure);
    snprintf(text, sizeof text, "%s, %s to %s (%s%%), by %.120s with models made in the same way",
             value, low, high, level, e->by);
    cairn_report_word(out, label, text, NULL);
    cairn_report_hidden_word(out, e->measure, "model.estimate.measure");
    cairn_report_hidden_word(out, e->by, "model.estimate.by");
    cairn_report_hidden(out, e->value, "model.estimate");
    cairn_report_hidden(out, e->low, "model.estimate.low");
    cairn_report_hidden(out, e->high, "model.estimate.high");
    cairn_report_hidden(out, e->level, "model.estimate.level");
    cairn_report_hidden(out, e->sd, "model.estimate.sd");
    cairn_report_hidden(out, e->baseline, "model.estimate.baseline");
    cairn_report_hidden(out, (double)e->n_splits, "model.estimate.splits");
}

static void card_chain(cairn_report *out, const cairn_model *model)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    for (size_t i = 0; i < model->n_chain; i++) {
        const cairn_link *link = &model->chain[i];
        char label[32], text[200];
        snprintf(label, sizeof label, "transform %zu", i + 1);
        const char *why = cairn_link_keeps_units(link) ? "the table's units are its text's; {scale "
                                                         "standardise} brings columns to one scale"
                          : link->transform->scales
                              ? "the learner compares columns; {scale none} keeps their units"
                              : "the learner needs it";
        snprintf(text, sizeof text, "%s%s%s%s", link->transform->entry.name,
                 link->automatic ? " (added because " : "",
                 link->automatic ? cairn_say(ctx, why) : "", link->automatic ? ")" : "");
        cairn_report_word(out, label, text, NULL);
        cairn_report_hidden_word(out, link->transform->entry.name, "transform%zu", i + 1);
    }
}

/* A column for every row, which no transform has touched, is a matrix of distances: a table would
 * have been made ready for rows that lack cells. */
static bool is_matrix(const cairn_model *model)
{
    return model->learner && model->n_chain == 0 &&
           count_role(&model->inner, CAIRN_FEATURE) == model->n_rows &&
           (cairn_model_accepts(model) & CAIRN_ACCEPTS_DISTANCES);
}

/* Where straight distances say little: levels coded as 0 and 1, and very many dimensions, which a
 * matrix of distances has not. */
static void card_distances(cairn_report *out, const cairn_model *model)
{
    enum { MANY_DIMENSIONS = 50 };
    size_t n_levels = 0, n_inner = count_role(&model->inner, CAIRN_FEATURE);
    bool coded = false;
    if (!model->learner || !(cairn_model_accepts(model) & CAIRN_USES_DISTANCES)) return;
    for (size_t i = 0; i < model->n_chain; i++)
        coded |= strcmp(model->chain[i].transform->entry.name, "indicators") == 0;
    for (size_t i = 0; i < model->schema.n_fields; i++)
        n_levels += model->schema.fields[i].role == CAIRN_FEATURE &&
                    model->schema.fields[i].kind == CAIRN_LEVEL;
    if (coded && n_levels) {
        cairn_report_note(
            out,
            "%zu level column%s encoded as 0 and 1: two rows with different levels are "
            "√2 apart, whichever levels they are, and beside numbers on other scales "
            "that may count for nothing or for everything ({ignore} leaves some out).",
            n_levels, n_levels == 1 ? " is" : "s are");
        cairn_report_hidden(out, (double)n_levels, "warning.coded_levels");
    }
    if (n_inner <= MANY_DIMENSIONS || is_matrix(model)) return;
    cairn_report_note(out,
                      "Distances in %zu dimensions are much alike (they concentrate), so the "
                      "nearest centre or row is hardly nearer than the others; fewer columns often "
                      "do better.",
                      n_inner);
    cairn_report_hidden(out, (double)n_inner, "warning.dimensions");
}

/* What is predicted: one target, or several of them. */
static void card_targets(cairn_report *out, const cairn_model *model)
{
    const cairn_field *target = cairn_model_target(model);
    const char *labels = labels_of(model);
    size_t n = count_role(&model->schema, CAIRN_TARGET), shown = 0;
    if (!target || (n == 1 && !labels)) {
        cairn_report_word(out, "task", cairn_task_name(model->task), "model.task");
        card_problem(out, model, target);
        /* What a preset set, and what was set otherwise. */
        const cairn_setting *sets = NULL;
        const cairn_choice *preset =
            model->params ? cairn_params_preset(model->params, &sets) : NULL;
        cairn_text text = cairn_text_start(cairn_report_context(out));
        if (preset) {
            cairn_text_addf(&text, "%s:", preset->name);
            for (const cairn_setting *s = sets; s->name; s++) {
                char name[64];
                cairn_option_name(name, s->name);
                const char *value = cairn_params_text(model->params, s->name);
                cairn_text_addf(&text, "%s %s %s%s", s == sets ? "" : ",", name, value,
                                cairn_same(value, s->value) ? "" : " (set by itself)");
            }
            cairn_report_word(out, "preset", cairn_text_string(&text), "model.preset");
            cairn_report_failed(out, cairn_text_status(&text));
            cairn_text_clear(&text);
        }
        if (target) cairn_report_word(out, "target", target->name, "model.target");
        return;
    }
    cairn_text names = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < model->schema.n_fields && shown < MOST_NAMED; i++) {
        const cairn_field *field = &model->schema.fields[i];
        if (field->role != CAIRN_TARGET) continue;
        cairn_text_addf(&names, "%s%s", shown++ ? ", " : "",
                        labels ? cairn_label_name(field->name, labels) : field->name);
    }
    if (n > shown) cairn_text_addf(&names, ", ... (%zu in all)", n);
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_report_word(out, "task", labels ? "classification" : "several targets", "model.task");
    cairn_report_word(out, "problem",
                      labels ? "several labels per row, each a yes or no by a model of its own"
                             : "several targets per row, each answered by itself",
                      "model.problem");
    if (labels) cairn_report_word(out, "target", labels, "model.target");
    cairn_report_word(out, labels ? "labels" : "targets", cairn_text_string(&names),
                      labels ? "model.labels" : "model.targets");
    cairn_text_clear(&names);
}

/* Where it came from, how it is judged, what it is. */
static void card_experience(cairn_report *out, const cairn_model *model, bool several)
{
    char text[200];
    size_t n_features = count_role(&model->schema, CAIRN_FEATURE);
    if (is_matrix(model))
        snprintf(text, sizeof text, "%zu row%s, a matrix of their distances", model->n_rows,
                 model->n_rows == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "%zu row%s, %zu feature%s", model->n_rows,
                 model->n_rows == 1 ? "" : "s", n_features, n_features == 1 ? "" : "s");
    cairn_report_word(out, "experience", text, NULL);
    if (model->n_waiting)
        cairn_report_value(out, "rows that wait for an answer", (double)model->n_waiting,
                           "model.waiting");
    cairn_report_hidden(out, (double)model->n_rows, "model.rows");
    if (!model->learner) return;
    bool grouped = model->task == CAIRN_CLUSTER && model->learner->aims;
    cairn_report_word(out, "judged by",
                      labels_of(model) ? "share of right answers about each"
                      : several        ? "accuracy or mean squared error of each"
                      : grouped        ? model->learner->aims
                                       : cairn_task_measure(model->task),
                      NULL);
    card_model(out, model->learner);
}

/* In brief: what is predicted from how much, on a line, and the estimate if there is one. */
static void card_brief(cairn_report *out, const cairn_model *model)
{
    enum { MOST_NAMES = 40 };
    cairn_context *ctx = cairn_report_context(out);
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    const cairn_field *target = cairn_model_target(model);
    size_t k = model->n_classes, n_features = count_role(&model->schema, CAIRN_FEATURE);
    size_t n_targets = count_role(&model->schema, CAIRN_TARGET);
    unsigned before = cairn_report_only(out, CAIRN_IN_BRIEF);
    if (target && n_targets == 1 && model->task != CAIRN_CLUSTER && !labels_of(model)) {
        cairn_text_add(&line, target->name);
        for (size_t c = 0; target->names.n == k && c < k && names.length <= MOST_NAMES; c++)
            cairn_text_addf(&names, "%s%s",
                            c == 0       ? ""
                            : c + 1 == k ? " or "
                                         : ", ",
                            cairn_map_key(&target->names, c));
        if (model->task == CAIRN_REGRESS)
            cairn_text_add(&line, ", a number · ");
        else if (names.length && names.length <= MOST_NAMES)
            cairn_text_addf(&line, ": %s · ", cairn_text_string(&names));
        else
            cairn_text_addf(&line, ", one of %zu classes · ", k);
    } else if (n_targets) {
        cairn_text_addf(&line, "%zu targets · ", n_targets);
    }
    cairn_text_addf(&line, "learned from %zu row%s", model->n_rows, model->n_rows == 1 ? "" : "s");
    if (is_matrix(model))
        cairn_text_add(&line, ", a matrix of their distances");
    else
        cairn_text_addf(&line, ", %zu column%s", n_features, n_features == 1 ? "" : "s");
    if (model->skew > 0 && target)
        cairn_text_addf(&line, " · skewed: %d%% are %s", (int)(100 * model->skew + 0.5),
                        cairn_map_key(&target->names, (size_t)model->baseline));
    for (size_t i = 0; ctx && i < model->n_chain; i++)
        if (model->chain[i].automatic && model->chain[i].transform->scales)
            cairn_text_add(&line,
                           cairn_say(ctx, cairn_link_keeps_units(&model->chain[i])
                                              ? ", in their own units, as their text has them "
                                                "({scale standardise} brings them to one scale)"
                                              : ", standardised ({scale none} keeps their units)"));
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_report_paragraph(out, "%s", cairn_text_string(&line));
    cairn_report_failed(out, cairn_text_status(&line));
    card_estimate(out, &model->estimate);
    cairn_report_for(out, before);
}

void cairn_model_run_card(cairn_report *out, const cairn_model *model)
{
    const cairn_field *target = cairn_model_target(model);
    bool several = model->task != CAIRN_CLUSTER &&
                   (count_role(&model->schema, CAIRN_TARGET) > 1 || labels_of(model));
    char seed[32];
    card_brief(out, model);
    unsigned before = cairn_report_only(out, CAIRN_IN_FULL | CAIRN_NOTES);
    if (model->decision && !several) cairn_report_paragraph(out, "%s.", model->decision);
    if (model->learner) {
        cairn_report_word(out, "learner", model->learner->entry.title, NULL);
        cairn_report_hidden_word(out, model->learner->entry.name, "model.learner");
        card_targets(out, model);
    } else {
        cairn_report_word(out, "learner", "none: a recipe of transforms", NULL);
        if (target) cairn_report_word(out, "target", target->name, "model.target");
    }
    card_experience(out, model, several);
    card_size(out, model);
    if (model->positive >= 0 && target && !several)
        cairn_report_word(out, "positive class",
                          cairn_map_key(&target->names, (size_t)model->positive), "model.positive");
    card_chain(out, model);
    card_estimate(out, &model->estimate);
    cairn_certificate_report(out, &model->certificate);
    snprintf(seed, sizeof seed, "%" PRIu64, model->seed);
    cairn_report_word(out, "seed", seed, "model.seed");
    card_distances(out, model);
    cairn_report_for(out, before);
}

cairn_status cairn_model_describe(cairn_context *ctx, cairn_report *out, const cairn_model *model)
{
    PUBLIC_CALL(ctx);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t n_filled = 0;
    for (size_t i = 0; i < model->n_chain; i++) {
        const cairn_link *link = &model->chain[i];
        if (link->transform->n_filled) n_filled += link->transform->n_filled(link->state);
        if (!link->transform->describe) continue;
        if (link->automatic && link->transform->idle && link->transform->idle(out, link->state))
            continue;
        unsigned before = cairn_report_only(out, CAIRN_IN_FULL);
        cairn_report_heading(out, 2, "Transform %zu: %s", i + 1, link->transform->entry.title);
        link->transform->describe(out, link->state, link->params->values);
        cairn_report_for(out, before);
    }
    if (model->learner && model->learner->describe) {
        cairn_job job = cairn_model_job(model);
        job.history = model->history;
        job.described = model;
        job.n_filled = n_filled;
        cairn_report_clip_begin(out, LEAST_OF_MODEL);
        model->learner->describe(out, model->state, &job);
        cairn_report_clip_end(out);
    }
    cairn_scratch_release(ctx, mark);
    return cairn_report_status(out);
}
