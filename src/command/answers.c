/* SPDX-License-Identifier: MIT */
/* Tables for calculators and pictures. A table of answers holds the target of the data, its
 * weights, and beside them what each model says about the rows: scores of one class, scores of all
 * classes, labels, numbers, or counts. */
#include "command/answers.h"

#include "base/memory.h"
#include "data/target_labels.h"
#include "model/task.h"
#include "model/traits.h"
#include "wrappers/multi_target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MODELS = 32 };

typedef struct answering {
    cairn_command *c;
    const cairn_wanted_sources *wanted;
    cairn_model *models[MOST_MODELS];
    const char *names[MOST_MODELS];
    size_t n;
    cairn_table *data, *out;
    size_t target;                 /* column of `data` */
    const char *positive;          /* SCORES, POINTS: the class that counts as positive */
    double counts[4][MOST_MODELS]; /* POINTS: tp, fn, fp, tn */
} answering;

/* "models/tree.cairn" is called "tree"; of equal names the second and later ones get a number. */
static cairn_status name_models(answering *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const char *path = a->c->words[i], *slash = strrchr(path, '/');
        const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
        size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base), same = 1;
        char *name;
        CHECK(SCRATCH(a->c->ctx, &name, length + 32));
        memcpy(name, base, length);
        for (size_t j = 0; j < i; j++)
            same += strncmp(a->names[j], name, length) == 0 &&
                    (a->names[j][length] == 0 || a->names[j][length] == '#');
        if (same > 1 || cairn_same(name, a->data->slots[a->target].name))
            snprintf(name + length, 32, "#%zu", same);
        a->names[i] = name;
    }
    return CAIRN_OK;
}

/* Whether the model answers what is wanted: where that is either, as the first one does. */
static bool does_task(const answering *a, const cairn_model *model)
{
    cairn_task task = model->task, first = a->models[0]->task;
    if (a->wanted->answers == CAIRN_ANSWERS_EITHER)
        return task == first && (task == CAIRN_CLASSIFY || task == CAIRN_REGRESS);
    return task == (a->wanted->answers == CAIRN_ANSWERS_NUMBERS ? CAIRN_REGRESS : CAIRN_CLASSIFY);
}

/* Every word but the last is a model; all must answer the same target with the kind of answer
 * that is wanted, or their columns could not stand side by side. */
static cairn_status read_models(answering *a)
{
    cairn_command *c = a->c;
    cairn_multi_target_parts parts;
    for (; a->n + 1 < c->n_words; a->n++) {
        CHECK(cairn_command_model(c, &a->models[a->n], c->words[a->n]));
        const cairn_model *model = a->models[a->n];
        const cairn_field *first = cairn_model_target(a->models[0]);
        const cairn_field *target = cairn_model_target(model);
        if (cairn_multi_target_look(&parts, model) && parts.n > 1)
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "'%s' looks at one target, and %s answers %zu of them; fit one "
                              "alone for it",
                              a->wanted->what, c->words[a->n], parts.n);
        if (!does_task(a, model))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "'%s' needs a model that predicts %s; %s does not", a->wanted->what,
                              a->wanted->answers == CAIRN_ANSWERS_NUMBERS  ? "a number"
                              : a->wanted->answers == CAIRN_ANSWERS_EITHER ? "as the others do"
                                                                           : "classes",
                              c->words[a->n]);
        if (!cairn_same(first->name, target->name))
            return cairn_fail(c->ctx, CAIRN_USAGE,
                              "the models predict different columns: %s '%s', %s '%s'", c->words[0],
                              first->name, c->words[a->n], target->name);
    }
    return CAIRN_OK;
}

/* A target that nobody knows yet, as a column of missing cells: one of the k classes, or a number
 * where there are none. */
static cairn_status add_unknown(cairn_context *ctx, cairn_table *table, const char *name,
                                const char *const *classes, size_t k)
{
    size_t n = table->n_rows;
    double *numbers;
    int32_t *codes;
    if (!k) {
        CHECK(SCRATCH_RAW(ctx, &numbers, n));
        for (size_t i = 0; i < n; i++) numbers[i] = NAN;
        return cairn_table_put_numbers(ctx, table, name, numbers);
    }
    CHECK(SCRATCH_RAW(ctx, &codes, n));
    for (size_t i = 0; i < n; i++) codes[i] = -1;
    return cairn_table_add_levels(ctx, table, name, codes, classes, k);
}

/* The target of the models. */
static cairn_status add_unknown_target(answering *a, const cairn_field *target)
{
    const char **names;
    CHECK(SCRATCH(a->c->ctx, &names, target->names.n + 1));
    for (size_t i = 0; i < target->names.n; i++) names[i] = cairn_map_key(&target->names, i);
    CHECK(add_unknown(a->c->ctx, a->data, target->name, names,
                      target->kind == CAIRN_NUMBER ? 0 : target->names.n));
    a->target = a->data->n_columns - 1;
    return CAIRN_OK;
}

/* The data with its target as the models take it. */
static cairn_status read_data(answering *a)
{
    cairn_command *c = a->c;
    const cairn_model *model = a->models[0];
    const char *path = c->words[a->n], *name = cairn_model_target(model)->name;
    const char *asked = c->common->roles.target;
    if (asked && !cairn_same(asked, name))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--target %s: %s predicts '%s'; leave the option out", asked, c->words[0],
                          name);
    CHECK(cairn_command_table(c, &a->data, path));
    ptrdiff_t at = cairn_table_find(a->data, name);
    if (at < 0 && a->wanted->answers == CAIRN_ANSWERS_EITHER)
        return add_unknown_target(a, cairn_model_target(model));
    if (at < 0)
        return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                          "%s has no column '%s', which %s predicts: without it nothing can be "
                          "judged",
                          cairn_command_given(c, path), name, c->words[0]);
    a->target = (size_t)at;
    if (model->task == CAIRN_CLASSIFY && cairn_table_kind(a->data, a->target) != CAIRN_LEVEL)
        CHECK(cairn_table_change_kind(c->ctx, a->data, a->target, CAIRN_LEVEL));
    /* A model of one class against the rest takes all other values for the rest. */
    const cairn_field *target = cairn_model_target(model);
    cairn_column *column;
    bool rest = target->declared && cairn_map_find(&target->names, CAIRN_OTHERS, 1) >= 0;
    if (!rest) return CAIRN_OK;
    CHECK(cairn_field_match(a->c->ctx, &column, target, a->data->slots[a->target].column, a->data));
    cairn_table_replace_column(a->data, a->target, column);
    return CAIRN_OK;
}

/* A table with the target, the weights if there are any, and where answers go on to somebody what
 * the rows are called. */
static cairn_status begin_table(answering *a)
{
    cairn_context *ctx = a->c->ctx;
    ptrdiff_t weight = cairn_table_role_column(a->data, CAIRN_WEIGHT);
    const cairn_slot *slots = a->data->slots;
    CHECK(cairn_table_new(ctx, &a->out, a->data->n_rows));
    if (a->data->source)
        CHECK(cairn_copy_text(ctx, &a->out->source, a->data->source, strlen(a->data->source)));
    CHECK(cairn_table_add_column(ctx, a->out, slots[a->target].name, CAIRN_TARGET,
                                 cairn_column_hold(slots[a->target].column)));
    if (weight >= 0)
        CHECK(cairn_table_add_column(ctx, a->out, slots[weight].name, CAIRN_WEIGHT,
                                     cairn_column_hold(slots[weight].column)));
    for (size_t j = 0; a->wanted->answers == CAIRN_ANSWERS_EITHER && j < a->data->n_columns; j++)
        if (slots[j].role == CAIRN_ID && j != a->target)
            CHECK(cairn_table_add_column(ctx, a->out, slots[j].name, CAIRN_ID,
                                         cairn_column_hold(slots[j].column)));
    return CAIRN_OK;
}

/* The class that is ranked: --positive, else the positive one of the first model's two classes. */
static cairn_status choose_positive(answering *a)
{
    cairn_command *c = a->c;
    const cairn_model *model = a->models[0];
    const cairn_map *names = &cairn_model_target(model)->names;
    a->positive = cairn_params_text(c->inner, "positive");
    if (a->positive && cairn_map_find(names, a->positive, strlen(a->positive)) < 0)
        return cairn_fail(c->ctx, CAIRN_USAGE, "--positive: %s knows no class '%s'", c->words[0],
                          a->positive);
    if (a->positive) return CAIRN_OK;
    if (model->positive < 0)
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "%s knows %zu classes: --positive says which one is ranked against the "
                          "rest",
                          c->words[0], names->n);
    a->positive = cairn_map_key(names, (size_t)model->positive);
    return cairn_params_set(c->ctx, c->inner, "positive", a->positive);
}

/* Every class of the data gets its scores; one that the model does not know cannot be judged. */
static cairn_status add_classes(answering *a, size_t i, const cairn_prediction *p)
{
    cairn_context *ctx = a->c->ctx;
    const cairn_map *known = &cairn_model_target(a->models[i])->names;
    const cairn_map *names = &a->data->slots[a->target].column->names;
    const cairn_model *model = a->models[i];
    bool shares = cairn_learner_gives_probabilities(model->learner, model->params->values);
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, p->n_rows));
    for (size_t k = 0; k < names->n; k++) {
        const char *name = cairn_map_key(names, k);
        int64_t class = cairn_map_find(known, name, strlen(name));
        char *head;
        if (class < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s holds the class '%s', which %s does not know",
                              a->data->source ? a->data->source : "the data", name, a->c->words[i]);
        CHECK(cairn_score_head(ctx, &head, NULL, shares, name));
        for (size_t r = 0; r < p->n_rows; r++)
            column[r] = p->scores[r * p->n_classes + (size_t) class];
        CHECK(cairn_table_put_numbers(ctx, a->out, head, column));
    }
    return CAIRN_OK;
}

static cairn_status add_labels(answering *a, size_t i, const cairn_prediction *p, const char *name)
{
    const cairn_map *known = &cairn_model_target(a->models[i])->names;
    const char **names;
    CHECK(SCRATCH(a->c->ctx, &names, known->n));
    for (size_t k = 0; k < known->n; k++) names[k] = cairn_map_key(known, k);
    CHECK(cairn_table_add_levels(a->c->ctx, a->out, name, p->codes, names, known->n));
    if (cairn_params_has(a->c->inner->entry, name) && !cairn_params_is_set(a->c->inner, name))
        CHECK(cairn_params_set(a->c->ctx, a->c->inner, name, name));
    return CAIRN_OK;
}

/* The four counts of one model; rows without a class do not count, weights do. */
static void count_answers(answering *a, size_t i, const cairn_prediction *p)
{
    const cairn_column *target = a->data->slots[a->target].column;
    const cairn_map *known = &cairn_model_target(a->models[i])->names;
    ptrdiff_t weight = cairn_table_role_column(a->data, CAIRN_WEIGHT);
    const double *weights = weight < 0 ? NULL : cairn_table_numbers(a->data, (size_t)weight);
    int64_t said = cairn_map_find(known, a->positive, strlen(a->positive));
    int64_t actual = cairn_map_find(&target->names, a->positive, strlen(a->positive));
    for (size_t r = 0; r < p->n_rows; r++) {
        if (target->codes[r] < 0 || p->codes[r] < 0) continue;
        bool positive = target->codes[r] == actual, called = p->codes[r] == said;
        a->counts[positive ? (called ? 0 : 1) : (called ? 2 : 3)][i] += weights ? weights[r] : 1;
    }
}

/* One row per model, with its counts. */
static cairn_status make_points(answering *a)
{
    static const char *const heads[4] = {"tp", "fn", "fp", "tn"};
    cairn_context *ctx = a->c->ctx;
    int32_t codes[MOST_MODELS];
    for (size_t i = 0; i < a->n; i++) codes[i] = (int32_t)i;
    cairn_table_free(a->out);
    a->out = NULL;
    CHECK(cairn_table_new(ctx, &a->out, a->n));
    CHECK(cairn_table_add_levels(ctx, a->out, "classifier", codes, a->names, a->n));
    for (size_t k = 0; k < 4; k++)
        CHECK(cairn_table_put_numbers(ctx, a->out, heads[k], a->counts[k]));
    return CAIRN_OK;
}

/* The names of the added columns are those that calculators and pictures look for in a table
 * that a user brings. */
static cairn_status add_answers(answering *a, size_t i)
{
    cairn_context *ctx = a->c->ctx;
    cairn_answers kind = a->wanted->answers;
    const cairn_model *model = a->models[i];
    if (kind == CAIRN_ANSWERS_EITHER)
        kind = model->task == CAIRN_REGRESS ? CAIRN_ANSWERS_NUMBERS : CAIRN_ANSWERS_CLASSES;
    bool scores = kind == CAIRN_ANSWERS_SCORES || kind == CAIRN_ANSWERS_CLASSES;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match;
    if (scores && !model->learner->gives_scores)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs scores, and %s (%s) gives none",
                          a->wanted->what, a->c->words[i], model->learner->entry.name);
    CHECK(cairn_model_predict_rows(ctx, &p, model, a->data, cairn_all_rows(a->data),
                                   (cairn_predict_wants){.scores = scores}, &match));
    cairn_warn_unseen(ctx, &model->schema, &match);
    if (kind == CAIRN_ANSWERS_POINTS)
        count_answers(a, i, &p);
    else if (kind == CAIRN_ANSWERS_SCORES) {
        const cairn_map *names = &cairn_model_target(a->models[i])->names;
        int64_t class = cairn_map_find(names, a->positive, strlen(a->positive));
        double *column;
        if (class < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "%s knows no class '%s'", a->c->words[i],
                              a->positive);
        CHECK(SCRATCH_RAW(ctx, &column, p.n_rows));
        for (size_t r = 0; r < p.n_rows; r++)
            column[r] = p.scores[r * p.n_classes + (size_t) class];
        CHECK(cairn_table_put_numbers(ctx, a->out, a->names[i], column));
    } else if (kind == CAIRN_ANSWERS_CLASSES)
        CHECK(add_classes(a, i, &p));
    else if (kind == CAIRN_ANSWERS_NUMBERS)
        CHECK(cairn_table_put_numbers(ctx, a->out, "predicted", p.numbers));
    else
        CHECK(add_labels(a, i, &p,
                         kind == CAIRN_ANSWERS_LABELS ? "predicted"
                         : i == 0                     ? "first"
                                                      : "second"));
    return CAIRN_OK;
}

/* -- files of predictions -- */

/* A file of predictions without the truth, where that may be unknown: classes are those of the
 * columns p(CLASS), and one column of numbers without such is what was predicted. */
static cairn_status take_unknown(cairn_context *ctx, cairn_table *table)
{
    const char **classes;
    size_t k = 0, n_numbers = 0, number = 0;
    CHECK(SCRATCH(ctx, &classes, table->n_columns + 1));
    for (size_t j = 0; j < table->n_columns; j++) {
        const char *name = table->slots[j].name;
        size_t length = strlen(name);
        if (table->slots[j].role != CAIRN_FEATURE || !cairn_table_numbers(table, j)) continue;
        if (strncmp(name, "p(", 2) == 0 && name[length - 1] == ')') {
            char *class;
            CHECK(SCRATCH(ctx, &class, length));
            memcpy(class, name + 2, length - 3);
            classes[k++] = class;
        }
        n_numbers++;
        number = j;
    }
    if (!k && n_numbers != 1) return CAIRN_OK;
    if (!k && cairn_table_find(table, "predicted") < 0)
        CHECK(cairn_table_put_numbers(ctx, table, "predicted", cairn_table_numbers(table, number)));
    CHECK(add_unknown(ctx, table, "actual", classes, k));
    return cairn_table_set_role(ctx, table, "actual", CAIRN_TARGET);
}

/* A file of predictions has its truth in the column 'actual' when no target is named, and classes
 * in it may be numbers. */
static cairn_status take_predictions(cairn_command *c, cairn_table *table, cairn_answers answers)
{
    size_t n_distinct;
    ptrdiff_t columns[2] = {cairn_table_role_column(table, CAIRN_TARGET), -1};
    if (answers == CAIRN_ANSWERS_NONE || answers == CAIRN_ANSWERS_POINTS) return CAIRN_OK;
    if (columns[0] < 0 && (columns[0] = cairn_table_find(table, "actual")) >= 0)
        CHECK(cairn_table_set_role(c->ctx, table, "actual", CAIRN_TARGET));
    if (columns[0] < 0 && answers == CAIRN_ANSWERS_EITHER) return take_unknown(c->ctx, table);
    bool number = answers == CAIRN_ANSWERS_EITHER && cairn_table_find(table, "predicted") >= 0 &&
                  cairn_table_numbers(table, (size_t)cairn_table_find(table, "predicted"));
    if (answers == CAIRN_ANSWERS_NUMBERS || number) return CAIRN_OK;
    if (answers == CAIRN_ANSWERS_LABELS) columns[1] = cairn_table_find(table, "predicted");
    for (size_t i = 0; i < 2; i++)
        if (columns[i] >= 0 && table->slots[columns[i]].column->kind == CAIRN_NUMBER &&
            cairn_holds_few_integers(table->slots[columns[i]].column, &n_distinct))
            CHECK(cairn_table_change_kind(c->ctx, table, (size_t)columns[i], CAIRN_LEVEL));
    return CAIRN_OK;
}

/* Scores of all classes, or numbers: a table per model, called like it. */
static cairn_status answer_each(answering *a, cairn_sources *out)
{
    CHECK(name_models(a));
    for (size_t i = 0; i < a->n; i++) {
        CHECK(begin_table(a));
        if (a->n > 1) {
            cairn_free(a->out->source);
            a->out->source = NULL;
            CHECK(cairn_copy_text(a->c->ctx, &a->out->source, a->names[i], strlen(a->names[i])));
        }
        CHECK(add_answers(a, i));
        out->list[out->n++] = a->out;
        a->out = NULL;
    }
    return CAIRN_OK;
}

/* Models and one data file. */
static cairn_status answer(answering *a, cairn_sources *out)
{
    const cairn_wanted_sources *w = a->wanted;
    size_t n = a->c->n_words - 1, most = w->several ? MOST_MODELS : 1, least = 1;
    if (w->answers == CAIRN_ANSWERS_NONE)
        return cairn_fail(a->c->ctx, CAIRN_USAGE, "'%s' takes no models", w->what);
    if (w->answers == CAIRN_ANSWERS_PAIR) least = most = 2;
    if (!(n >= least) || !(n <= most)) {
        return cairn_fail(a->c->ctx, CAIRN_USAGE,
                          "'%s' takes %s%zu model%s and the data to judge by, not %zu model%s",
                          w->what, most > 2 ? "up to " : "", most, most == 1 ? "" : "s", n,
                          n == 1 ? "" : "s");
    }
    CHECK(read_models(a));
    CHECK(read_data(a));
    for (size_t i = 0; i < a->n; i++)
        out->training |= cairn_model_learned_from(a->models[i], a->data);
    cairn_answers kind = a->wanted->answers;
    if (kind == CAIRN_ANSWERS_CLASSES || kind == CAIRN_ANSWERS_EITHER) return answer_each(a, out);
    CHECK(begin_table(a));
    if (kind == CAIRN_ANSWERS_SCORES || kind == CAIRN_ANSWERS_POINTS) {
        CHECK(name_models(a));
        CHECK(choose_positive(a));
    }
    if (kind == CAIRN_ANSWERS_SCORES && !cairn_params_is_set(a->c->inner, "score")) {
        /* All models are compared by the columns that --score names: those of the models. */
        cairn_context *ctx = a->c->ctx;
        cairn_text list = cairn_text_start(ctx);
        for (size_t i = 0; i < a->n; i++)
            cairn_text_addf(&list, "%s\"%s\"", i ? "," : "", a->names[i]);
        cairn_status status = cairn_text_status(&list);
        if (status == CAIRN_OK)
            status = cairn_params_set(ctx, a->c->inner, "score", cairn_text_string(&list));
        cairn_text_clear(&list);
        CHECK(status);
    }
    for (size_t i = 0; i < a->n; i++) CHECK(add_answers(a, i));
    if (kind == CAIRN_ANSWERS_POINTS) CHECK(make_points(a));
    out->list[out->n++] = a->out;
    a->out = NULL;
    return CAIRN_OK;
}

cairn_status cairn_command_sources(cairn_command *c, cairn_sources *out,
                                   const cairn_wanted_sources *wanted)
{
    answering a = {.c = c, .wanted = wanted};
    bool models = false;
    cairn_status status;
    *out = (cairn_sources){0};
    c->baskets = wanted->baskets;
    TRY(NEW(c->ctx, &out->list, c->n_words + 1));
    if (c->n_words > 1) TRY(cairn_command_is_model(c, c->words[0], &models));
    if (models) {
        status = answer(&a, out);
        out->answered = true;
        goto done;
    }
    bool files = wanted->several && wanted->answers != CAIRN_ANSWERS_POINTS;
    if (c->n_words > 1 && !files && !cairn_command_has_file(c, c->words[0]) && *c->words[0] != '@')
        TRY(cairn_fail(c->ctx, CAIRN_FILE_ERROR,
                       "%s: there is no such file; a model that 'cairn fit ... --save FILE' wrote "
                       "stands before the data",
                       c->words[0]));
    if (c->n_words > 1 && !files)
        TRY(cairn_fail(c->ctx, CAIRN_USAGE,
                       "'%s' takes one data file and does not know what to do with '%s'",
                       wanted->what, c->words[1]));
    while (out->n < c->n_words) {
        size_t i = out->n;
        TRY(cairn_command_table(c, &out->list[i], c->words[i]));
        out->n++;
        TRY(take_predictions(c, out->list[i], wanted->answers));
    }
done:
    for (size_t i = 0; i < MOST_MODELS; i++) cairn_model_free(a.models[i]);
    cairn_table_free(a.data);
    cairn_table_free(a.out);
    if (status) cairn_sources_clear(out);
    return status;
}

void cairn_sources_clear(cairn_sources *sources)
{
    for (size_t i = 0; i < sources->n; i++) cairn_table_free(sources->list[i]);
    cairn_free(sources->list);
    *sources = (cairn_sources){0};
}

/* -- options that would do nothing -- */

static cairn_status refuse_option(const cairn_command *c, const char *what, const char *name,
                                  const char *why)
{
    char option[64];
    cairn_option_name(option, name);
    return cairn_fail(c->ctx, CAIRN_USAGE, "'%s' %s, so --%s would do nothing; leave it out", what,
                      why, option);
}

cairn_status cairn_command_refuse_roles(const cairn_command *c, const char *what, unsigned reads,
                                        const char *why)
{
    static const char by_options[] = "takes its columns by other options";
    static const struct {
        const char *name, *why;
        unsigned reads;
    } roles[] = {
        {"target", "looks at no target", CAIRN_READS_TARGET},
        {"against_rest", "looks at no target", CAIRN_READS_TARGET},
        {"features", by_options, CAIRN_READS_FEATURES},
        {"ignore", by_options, CAIRN_READS_FEATURES},
        {"id", by_options, CAIRN_READS_ID},
        {"group", by_options, CAIRN_READS_GROUP},
        {"weight", "counts every row once", CAIRN_READS_WEIGHT},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (!(reads & roles[i].reads) && cairn_params_is_set(c->options, roles[i].name))
            return refuse_option(c, what, roles[i].name, why ? why : roles[i].why);
    return CAIRN_OK;
}

cairn_status cairn_command_refuse_reading(const cairn_command *c, const char *what, unsigned reads)
{
    static const char none[] = "reads no data here";
    for (const cairn_param *row = cairn_reading_params; row->name; row++)
        if (cairn_params_is_set(c->options, row->name))
            return refuse_option(c, what, row->name, none);
    return cairn_command_refuse_roles(c, what, reads, none);
}

cairn_status cairn_sources_refuse_unread(const cairn_command *c, const char *what, unsigned reads,
                                         const cairn_sources *sources)
{
    if (!sources->n)
        return cairn_command_refuse_reading(c, what, sources->chosen ? CAIRN_READS_TARGET : 0);
    if (sources->answered) /* the target was held against that of the models */
        return cairn_command_refuse_roles(
            c, what, CAIRN_READS_TARGET | (reads & (CAIRN_READS_WEIGHT | CAIRN_READS_ID)),
            "reads what models say");
    return cairn_command_refuse_roles(c, what, reads | (sources->chosen ? CAIRN_READS_TARGET : 0),
                                      NULL);
}
