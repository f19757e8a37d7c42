/* SPDX-License-Identifier: MIT */
/* The task. A level target is classified, a number target is predicted as a number, unless it holds
 * few whole numbers that come again (then they are taken as classes) or the user says otherwise. */
#include "model/task.h"
#include "base/text.h"
#include "data/column.h"
#include "data/target_labels.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { MOST_NUMBER_CLASSES = 20 };

const char *cairn_task_name(cairn_task task)
{
    switch (task) {
    case CAIRN_CLASSIFY: return "classification";
    case CAIRN_REGRESS: return "regression";
    case CAIRN_CLUSTER: return "clustering";
    case CAIRN_LABEL_ITEMS: return "labelling of items";
    case CAIRN_TASK_AUTO: break;
    }
    return "undecided";
}

const char *cairn_task_measure(cairn_task task)
{
    switch (task) {
    case CAIRN_CLASSIFY: return "share of rows classified correctly";
    case CAIRN_REGRESS: return "mean squared error";
    case CAIRN_LABEL_ITEMS: return "share of items labelled correctly";
    default: return "within-cluster sum of squares";
    }
}

const char *cairn_task_answers(cairn_task task)
{
    return task == CAIRN_REGRESS       ? "numbers"
           : task == CAIRN_CLASSIFY    ? "classes"
           : task == CAIRN_LABEL_ITEMS ? "classes of items"
                                       : "clusters";
}

static cairn_status no_target(cairn_context *ctx, const cairn_learner *learner,
                              const cairn_table *table)
{
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < table->n_columns && i < 12; i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", table->slots[i].name);
    if (table->n_columns > 12) cairn_text_addf(&names, ", ... (%zu in all)", table->n_columns);
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "%s needs a target: say {target COLUMN}, one of: %s",
                            learner->entry.name, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

bool cairn_holds_few_integers(const cairn_column *column, size_t *n_distinct)
{
    double seen[MOST_NUMBER_CLASSES];
    size_t n = 0;
    for (size_t i = 0; i < column->n_rows; i++) {
        double x = column->numbers[i];
        if (isnan(x)) continue;
        if (x != floor(x)) return false;
        size_t at = 0;
        while (at < n && seen[at] != x) at++;
        if (at < n) continue;
        if (n == MOST_NUMBER_CLASSES) return false;
        seen[n++] = x;
    }
    *n_distinct = n;
    return true;
}

bool cairn_looks_like_classes(const cairn_column *column, size_t *n_distinct)
{
    size_t n_known = column->n_rows - column->n_missing;
    return cairn_holds_few_integers(column, n_distinct) &&
           (*n_distinct <= 2 || 2 * *n_distinct <= n_known);
}

static cairn_status keep_decision(cairn_context *ctx, cairn_decision *d, cairn_text *text)
{
    (void)ctx;
    cairn_free(d->why);
    d->why = NULL;
    return cairn_text_take(text, &d->why);
}

static cairn_status refuse_task(cairn_context *ctx, const cairn_decision *d, const char *target,
                                const char *why)
{
    return cairn_fail(ctx, CAIRN_USAGE, "%s cannot be used for '%s': %s",
                      d->learner ? d->learner->entry.name : "a recipe", target, why);
}

cairn_status cairn_learner_tasks(cairn_context *ctx, const cairn_learner *learner,
                                 const void *params, unsigned *out)
{
    *out = learner->tasks;
    if (!learner->tasks_of) return CAIRN_OK;
    cairn_status status = learner->tasks_of(ctx, params, out);
    *out &= learner->tasks;
    return status;
}

static unsigned accepts_of(const cairn_decision *d)
{
    return cairn_learner_accepts(d->learner, d->params->values);
}

/* What can be learned: a recipe leaves it open. */
static cairn_status tasks_of(cairn_context *ctx, const cairn_decision *d, unsigned *out)
{
    *out = CAIRN_CLASSIFY | CAIRN_REGRESS;
    if (!d->learner) return CAIRN_OK;
    return cairn_learner_tasks(ctx, d->learner, d->params->values, out);
}

/* A number target: numbers, unless few whole numbers, the learner or the user speak for classes. */
static cairn_status decide_number(cairn_context *ctx, cairn_decision *d, cairn_table *table,
                                  size_t at, unsigned can, cairn_task wanted)
{
    const cairn_slot *slot = &table->slots[at];
    size_t n_distinct = 0;
    bool few = cairn_looks_like_classes(slot->column, &n_distinct);
    if (d->learner && (accepts_of(d) & CAIRN_PREFERS_NUMBERS)) few = false;
    cairn_text why = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    d->task = CAIRN_REGRESS;
    if (wanted == CAIRN_CLASSIFY) {
        d->task = CAIRN_CLASSIFY;
        cairn_text_sayf(&why, "'%s' is classified because {task classify} says so", slot->name);
    } else if (wanted == CAIRN_REGRESS) {
        cairn_text_sayf(&why, "'%s' is predicted as a number because {task regress} says so",
                        slot->name);
    } else if (!(can & CAIRN_REGRESS)) {
        d->task = CAIRN_CLASSIFY;
        cairn_text_addf(&why, "'%s' is classified because %s only classifies", slot->name,
                        d->learner->entry.name);
    } else if (few && (can & CAIRN_CLASSIFY)) {
        d->task = CAIRN_CLASSIFY;
        cairn_text_sayf(&why,
                        "'%s' is classified because it holds %zu distinct whole numbers; "
                        "{task regress} predicts it as a number",
                        slot->name, n_distinct);
    } else {
        cairn_text_addf(
            &why, "'%s' is predicted as a number because it holds numbers%s", slot->name,
            cairn_say(ctx,
                      can & CAIRN_CLASSIFY ? "; {task classify} takes its values as classes" : ""));
    }
    if (d->task == CAIRN_CLASSIFY) status = cairn_table_change_kind(ctx, table, at, CAIRN_LEVEL);
    if (status == CAIRN_OK && d->task == CAIRN_CLASSIFY && wanted != CAIRN_CLASSIFY && !few)
        cairn_warn(ctx,
                   "'%s' holds numbers, and each of its %zu values is taken as a class, because "
                   "%s only classifies; a learner such as tree or linear predicts numbers, and "
                   "{task classify} says that classes are meant",
                   slot->name, table->slots[at].column->names.n, d->learner->entry.name);
    if (status == CAIRN_OK) status = keep_decision(ctx, d, &why);
    cairn_text_clear(&why);
    return status;
}

/* Code of the class that stands against the rest; -1 = the column has no such classes. */
static int32_t class_against_rest(const cairn_column *column)
{
    int64_t rest = cairn_map_find(&column->names, CAIRN_OTHERS, strlen(CAIRN_OTHERS));
    if (column->names.n != 2 || !column->declared || rest < 0) return -1;
    return rest == 0;
}

/* Levels are numbers only if asked for and if all of them read as such; the reason is kept with
 * the model, as the user should hear of it. */
static cairn_status decide_level(cairn_context *ctx, cairn_decision *d, cairn_table *table,
                                 size_t at, unsigned can, cairn_task wanted)
{
    const cairn_slot *slot = &table->slots[at];
    if (wanted == CAIRN_REGRESS) {
        cairn_column *numbers;
        cairn_status status = cairn_column_convert(
            ctx, &numbers, slot->column, CAIRN_NUMBER, slot->name, table->source,
            cairn_say(
                ctx,
                "{task regress} needs a target that holds numbers, so choose another {target} or "
                "another {task}"),
            NULL);
        if (status) return status;
        cairn_table_replace_column(table, at, numbers);
        return decide_number(ctx, d, table, at, can, wanted);
    }
    if (!(can & CAIRN_CLASSIFY))
        return refuse_task(
            ctx, d, slot->name,
            d->learner && (d->learner->tasks & CAIRN_CLASSIFY)
                ? "it predicts numbers with these parameters, and the column holds "
                  "levels; its help says with which it classifies"
                : "it predicts numbers, and the column holds levels; choose a number "
                  "column or a learner that classifies ('cairn list learners')");
    d->task = CAIRN_CLASSIFY;
    cairn_text why = cairn_text_start(ctx);
    int32_t one = class_against_rest(slot->column);
    if (one >= 0)
        cairn_text_addf(&why, "'%s' is classified as '%s' against the rest, which is called %s",
                        slot->name, cairn_map_key(&slot->column->names, (size_t)one), CAIRN_OTHERS);
    else
        cairn_text_addf(&why, "'%s' is classified because it holds levels (%zu of them)",
                        slot->name, slot->column->names.n);
    return keep_decision(ctx, d, &why);
}

static cairn_status decide_none(cairn_context *ctx, cairn_decision *d)
{
    cairn_text why = cairn_text_start(ctx);
    bool alone = d->learner->tasks == CAIRN_CLUSTER;
    d->task = CAIRN_CLUSTER;
    cairn_text_addf(&why,
                    alone ? "%s looks for groups and needs no target"
                          : "%s learns how the columns go together, since there is no target",
                    d->learner->entry.name);
    return keep_decision(ctx, d, &why);
}

/* A target that is a sequence: every item of it is a class. */
static cairn_status decide_sequence(cairn_context *ctx, cairn_decision *d, const cairn_slot *slot,
                                    unsigned can)
{
    cairn_text why = cairn_text_start(ctx);
    if (!(can & CAIRN_LABEL_ITEMS))
        return refuse_task(
            ctx, d, slot->name,
            cairn_say(ctx, "it gives one answer for a row, and the column holds sequences; declare "
                           "it as another kind with {kinds}, or choose another {target}"));
    d->task = CAIRN_LABEL_ITEMS;
    cairn_text_addf(&why, "every item of '%s' is labelled, because it holds sequences (%zu items)",
                    slot->name, slot->column->names.n);
    return keep_decision(ctx, d, &why);
}

/* Whether a recipe can decide a task: one target of a kind that is learned. */
static bool is_one_target(const cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0 || cairn_table_role_count(table, CAIRN_TARGET) > 1) return false;
    const cairn_column *column = table->slots[at].column;
    return (column->kind == CAIRN_NUMBER || column->kind == CAIRN_LEVEL) &&
           column->n_missing < column->n_rows;
}

/* A learner that takes all targets into one model sees the others as they would be decided if they
 * were the first. */
static cairn_status decide_others(cairn_context *ctx, cairn_table *table, size_t first,
                                  unsigned can, cairn_task wanted)
{
    size_t n;
    for (size_t i = first + 1; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_TARGET || slot->column->kind != CAIRN_NUMBER) continue;
        bool few = cairn_looks_like_classes(slot->column, &n) && (can & CAIRN_CLASSIFY);
        if (wanted == CAIRN_CLASSIFY || (wanted != CAIRN_REGRESS && few))
            CHECK(cairn_table_change_kind(ctx, table, i, CAIRN_LEVEL));
    }
    return CAIRN_OK;
}

/* A learner of one class without a target: a column is put in its place in which all rows are of
 * one class, so that answers have a name. */
static cairn_status decide_one_class(cairn_context *ctx, cairn_decision *d, cairn_table *table)
{
    static const char *const names[] = {"class", "class of the row", "usual class"};
    const char *usual = "usual";
    int32_t *codes;
    size_t at = 0;
    SCOPED_SCRATCH(ctx);
    cairn_text why = cairn_text_start(ctx);
    while (at + 1 < sizeof names / sizeof *names && cairn_table_find(table, names[at]) >= 0) at++;
    CHECK(SCRATCH(ctx, &codes, table->n_rows + 1));
    CHECK(cairn_table_add_levels(ctx, table, names[at], codes, &usual, 1));
    table->slots[table->n_columns - 1].role = CAIRN_TARGET;
    d->task = CAIRN_CLASSIFY;
    cairn_text_addf(&why,
                    "%s learns what the rows are like, all of which are '%s' since there is no "
                    "target; a row that is unlike them gets no class",
                    d->learner->entry.name, usual);
    return keep_decision(ctx, d, &why);
}

bool cairn_learns_alone(unsigned tasks, const cairn_table *table, cairn_task wanted)
{
    if (!(tasks & CAIRN_CLUSTER)) return false;
    return tasks == CAIRN_CLUSTER || wanted == CAIRN_CLUSTER ||
           (!wanted && cairn_table_role_column(table, CAIRN_TARGET) < 0);
}

/* The task alone. */
static cairn_status decide_task(cairn_context *ctx, cairn_decision *d, cairn_table *table,
                                cairn_task wanted)
{
    unsigned can;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (!d->learner && !is_one_target(table)) return CAIRN_OK;
    cairn_status status = tasks_of(ctx, d, &can);
    if (status) return status;
    if (wanted == CAIRN_CLASSIFY && can == CAIRN_LABEL_ITEMS)
        wanted = CAIRN_LABEL_ITEMS; /* of its items */
    if (wanted && !(can & wanted))
        return cairn_fail(ctx, CAIRN_USAGE, "%s cannot be used for %s",
                          d->learner ? d->learner->entry.name : "a recipe",
                          cairn_task_name(wanted));
    if (cairn_learns_alone(can, table, wanted)) return decide_none(ctx, d);
    if (at < 0 && d->learner && (accepts_of(d) & CAIRN_WANTS_ONE_CLASS))
        return decide_one_class(ctx, d, table);
    if (at < 0) return no_target(ctx, d->learner, table);
    const cairn_slot *slot = &table->slots[at];
    bool several = cairn_table_role_count(table, CAIRN_TARGET) > 1;
    if (several && d->learner && !(accepts_of(d) & CAIRN_ACCEPTS_TARGETS))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s takes one target at a time here; name one with {target} ('cairn fit' "
                          "and 'cairn evaluate' take several)",
                          d->learner->entry.name);
    if (slot->column->n_missing == slot->column->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "every cell of the target '%s' is missing; choose another {target}",
                          slot->name);
    if (several && d->learner && !(accepts_of(d) & CAIRN_ACCEPTS_RAW)) {
        status = decide_others(ctx, table, (size_t)at, can, wanted);
        if (status) return status;
    }
    if (can == CAIRN_LABEL_ITEMS && slot->column->kind != CAIRN_SEQUENCE)
        return refuse_task(
            ctx, d, slot->name,
            cairn_say(ctx, "it labels the items of sequences, and the column holds none; declare "
                           "it with {kinds}"));
    switch (slot->column->kind) {
    case CAIRN_SEQUENCE: return decide_sequence(ctx, d, slot, can);
    case CAIRN_NUMBER: return decide_number(ctx, d, table, (size_t)at, can, wanted);
    case CAIRN_LEVEL: return decide_level(ctx, d, table, (size_t)at, can, wanted);
    case CAIRN_BAG:
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds several labels per row, which 'cairn fit' and "
                          "'cairn evaluate' take; here choose another target",
                          slot->name);
    default:
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds %s; declare it with {kinds \"%s=level\"} or "
                          "choose another target",
                          slot->name, cairn_kind_name(slot->column->kind), slot->name);
    }
}

cairn_status cairn_task_decide(cairn_context *ctx, cairn_decision *d, cairn_table *table,
                               cairn_task wanted)
{
    CHECK(decide_task(ctx, d, table, wanted));
    /* Columns that were found to name the rows belong to what was decided unasked. */
    size_t n = 0;
    SCOPED(cairn_text_clear) cairn_text why = cairn_text_start(ctx);
    for (size_t i = 0; d->why && i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_ID || slot->chosen != CAIRN_ROLE_FOUND) continue;
        cairn_text_addf(&why, "%s'%s'", n++ ? ", " : "", slot->name);
    }
    if (!n) return cairn_text_status(&why);
    cairn_text_sayf(&why, " %s the rows and %s not learned from; {id none} learns from %s",
                    n == 1 ? "names or numbers" : "name or number", n == 1 ? "is" : "are",
                    n == 1 ? "it" : "them");
    SCOPED(cairn_text_clear) cairn_text all = cairn_text_start(ctx);
    cairn_text_addf(&all, "%s. %s", d->why, cairn_text_string(&why));
    CHECK(cairn_text_status(&why));
    cairn_free(d->why);
    d->why = NULL;
    return cairn_text_take(&all, &d->why);
}

bool cairn_is_positive_word(const char *name)
{
    static const char *const words[] = {"+",    "+1", "1",   "yes",      "y",
                                        "true", "t",  "pos", "positive", "spam"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(name, words[i]) == 0) return true;
    return false;
}

static int32_t rarer_class(const cairn_view *view)
{
    double weight[2] = {0, 0};
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t code = view->target->codes[cairn_view_row(view, i)];
        if (code == 0 || code == 1) weight[code] += cairn_view_weight(view, i);
    }
    return weight[0] < weight[1] ? 0 : 1;
}

/* With the levels that there are. */
static cairn_status refuse_positive(cairn_context *ctx, const cairn_view *view, const char *wanted)
{
    cairn_text list = cairn_text_start(ctx);
    cairn_add_names(&list, &view->target->names);
    cairn_status status = cairn_text_status(&list);
    if (status == CAIRN_OK)
        status = cairn_fail(ctx, CAIRN_USAGE, "{positive}: '%s' has no level '%s'; it has %s",
                            view->target_name, wanted, cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

cairn_status cairn_task_positive(cairn_context *ctx, int32_t *out, const cairn_view *view,
                                 const char *wanted)
{
    const cairn_map *names = &view->target->names;
    *out = -1;
    if (wanted) {
        int64_t code = cairn_map_find(names, wanted, strlen(wanted));
        if (code < 0) return refuse_positive(ctx, view, wanted);
        if (names->n != 2)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{positive} needs a target with two classes; '%s' has %zu",
                              view->target_name, names->n);
        *out = (int32_t)code;
        return CAIRN_OK;
    }
    if (names->n != 2) return CAIRN_OK;
    if ((*out = class_against_rest(view->target)) >= 0) return CAIRN_OK;
    bool first = cairn_is_positive_word(cairn_map_key(names, 0));
    bool second = cairn_is_positive_word(cairn_map_key(names, 1));
    *out = first != second ? (second ? 1 : 0) : rarer_class(view);
    return CAIRN_OK;
}
