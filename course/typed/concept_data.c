/* SPDX-License-Identifier: MIT */
/* Examples of two classes from a table, and concepts as words of a report. */
#include "typed/concept_data.h"

#include "base/memory.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "typed/labels.h"
#include "model/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cairn_choice unseen_choices[] = {
    {"single", CAIRN_UNSEEN_SINGLE,
     "only columns with one value, so that naming it is a condition beside any value"},
    {"all", CAIRN_UNSEEN_ALL, "every column may take values that the data does not show"},
    {"none", CAIRN_UNSEEN_NONE, "the values of the data are all there are"},
    {NULL, 0, NULL}};

static const cairn_choice notation_choices[] = {
    {"auto", -1, "vectors for conjunctions, conditions with internal disjunction"},
    {"vector", CAIRN_NOTATION_VECTOR, "a place for each column, ? for any value: (sunny, ?, weak)"},
    {"literals", CAIRN_NOTATION_LITERALS,
     "conditions: outlook=sunny & wind=weak, true without any"},
    {NULL, 0, NULL}};

static const cairn_choice language_choices[] = {
    {"conjunctions", 0, "a value or any for each column"},
    {"disjunction", 1, "a set of values for each column (internal disjunction)"},
    {NULL, 0, NULL}};

const cairn_param cairn_concept_group[] = {
    CAIRN_PARAM(cairn_concept_option, positive, NULL, NULL,
                "the class that the concept is about; all others are negative"),
    CAIRN_PARAM_CHOICE(cairn_concept_option, unseen, "single", unseen_choices,
                       "columns for which any value is more than all values of the data"),
    CAIRN_PARAM_CHOICE(cairn_concept_option, notation, "auto", notation_choices,
                       "how concepts are written"),
    CAIRN_PARAM_END,
};

const cairn_param cairn_language_group[] = {
    CAIRN_PARAM_CHOICE(cairn_language_option, language, "conjunctions", language_choices,
                       "what concepts can say"),
    CAIRN_PARAM_GROUP(cairn_language_option, concepts, cairn_concept_group),
    CAIRN_PARAM_END,
};

cairn_status cairn_row_names(cairn_context *ctx, const cairn_table *table, const char ***out)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    char *bytes;
    CHECK(SCRATCH(ctx, out, table->n_rows));
    CHECK(SCRATCH(ctx, &bytes, cairn_product(table->n_rows, 48)));
    for (size_t i = 0; i < table->n_rows; i++) {
        char *name = bytes + i * 48;
        (*out)[i] = name;
        if (id >= 0)
            cairn_table_cell(table, (size_t)id, i, name, 48);
        else
            snprintf(name, 48, "%zu", i + 1);
    }
    return CAIRN_OK;
}

/* Whole numbers, at most 20 different ones, are classes. */
static cairn_status number_classes(cairn_context *ctx, cairn_classes *out, const cairn_view *view)
{
    const double *numbers = view->target->numbers;
    double *values;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &values, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++)
        if (!isnan(numbers[cairn_view_row(view, i)]))
            values[n++] = numbers[cairn_view_row(view, i)];
    if (n) qsort(values, n, sizeof *values, cairn_by_number);
    for (size_t i = 0; i < n; i++)
        if (!i || values[i] != values[out->n - 1]) values[out->n++] = values[i];
    CHECK(SCRATCH(ctx, &out->names, out->n));
    for (size_t k = 0; k < out->n; k++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, CAIRN_NUMBER_SIZE));
        cairn_number_format(name, values[k], CAIRN_SHORTEST);
        out->names[k] = name;
    }
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = numbers[cairn_view_row(view, i)];
        out->codes[i] = -1;
        for (size_t k = 0; k < out->n; k++)
            if (values[k] == x) out->codes[i] = (int32_t)k;
    }
    return CAIRN_OK;
}

cairn_status cairn_read_classes(cairn_context *ctx, cairn_classes *out, const cairn_view *view,
                                const char *what)
{
    size_t distinct;
    *out = (cairn_classes){.target = view->target_name};
    if (!view->target)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs the column of the classes: {target COLUMN}",
                          what);
    CHECK(SCRATCH(ctx, &out->codes, view->rows.n));
    if (view->target->kind == CAIRN_NUMBER && cairn_holds_few_integers(view->target, &distinct)) {
        CHECK(number_classes(ctx, out, view));
    } else if (view->target->kind == CAIRN_LEVEL) {
        out->n = view->target->names.n;
        CHECK(SCRATCH(ctx, &out->names, out->n));
        for (size_t k = 0; k < out->n; k++) out->names[k] = cairn_map_key(&view->target->names, k);
        for (size_t i = 0; i < view->rows.n; i++)
            out->codes[i] = view->target->codes[cairn_view_row(view, i)];
    } else {
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "the target '%s' holds %s, not classes; {kinds \"%s=level\"} takes its "
                         "values as classes",
                         view->target_name, cairn_kind_plural(view->target->kind),
                         view->target_name));
    }
    return CAIRN_OK;
}

int32_t cairn_find_class(const cairn_classes *classes, const char *name)
{
    for (size_t k = 0; k < classes->n; k++)
        if (cairn_same(classes->names[k], name)) return (int32_t)k;
    return -1;
}

/* A class of this name is usually the negative one. */
static bool is_negative_word(const char *name)
{
    static const char *const words[] = {"no", "neg", "negative", "false", "0", "-", "-1", "n", "f"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cairn_same(name, words[i])) return true;
    return false;
}

cairn_status cairn_find_positive(cairn_context *ctx, const cairn_classes *classes, size_t n_rows,
                                 const char *wanted, int32_t *out)
{
    const char *target = classes->target;
    *out = 0;
    if (wanted) {
        *out = cairn_find_class(classes, wanted);
        if (*out >= 0) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{positive}: the target '%s' has no class '%s' (a class without rows is "
                          "declared with {kinds \"%s=level(...)\"})",
                          target, wanted, target);
    }
    if (classes->n > 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' has %zu classes; say with {positive} which of them the "
                          "concept is about",
                          target, classes->n);
    if (classes->n == 1 && is_negative_word(classes->names[0]))
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "all rows of the target '%s' are '%s'; say {positive %s} if the concept is "
            "about it, or declare the other class: {kinds \"%s=level(yes,%s)\"}",
            target, classes->names[0], classes->names[0], target, classes->names[0]);
    if (classes->n < 2) return CAIRN_OK;
    double weights[2] = {0, 0};
    size_t chosen = 0;
    for (size_t i = 0; i < n_rows; i++)
        if (classes->codes[i] >= 0) weights[classes->codes[i]] += 1;
    cairn_status status = cairn_choose_positive(ctx, &chosen, classes->names, weights, NULL);
    *out = (int32_t)chosen;
    return status;
}

cairn_status cairn_read_positive(cairn_context *ctx, const cairn_view *view, const char *wanted,
                                 const char *what, int8_t **out, const char **name)
{
    cairn_classes classes;
    int32_t code;
    CHECK(cairn_read_classes(ctx, &classes, view, what));
    CHECK(cairn_find_positive(ctx, &classes, view->rows.n, wanted, &code));
    *name = classes.n ? classes.names[code] : "";
    CHECK(SCRATCH(ctx, out, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++)
        (*out)[i] = (int8_t)(classes.codes[i] < 0 ? -1 : classes.codes[i] == code);
    return CAIRN_OK;
}

/* Deal the rows into those with a class and those without. */
static cairn_status deal_rows(cairn_context *ctx, cairn_concept_data *out, const int8_t *classes,
                              const int32_t *codes, const char **names)
{
    size_t n = out->view.rows.n, width = out->domain.n;
    cairn_examples *parts[2] = {&out->examples, &out->others};
    for (int p = 0; p < 2; p++) {
        CHECK(SCRATCH(ctx, &parts[p]->codes, cairn_product(n, width)));
        CHECK(SCRATCH_EACH(ctx, n, &parts[p]->positive, &parts[p]->names));
    }
    for (size_t i = 0; i < n; i++) {
        cairn_examples *part = parts[classes[i] < 0];
        memcpy(part->codes + part->n * width, codes + i * width, width * sizeof *codes);
        part->positive[part->n] = classes[i] == 1;
        part->names[part->n++] = names[cairn_view_row(&out->view, i)];
    }
    return CAIRN_OK;
}

cairn_status cairn_concept_data_read(cairn_context *ctx, cairn_concept_data *out,
                                     const cairn_concept_option *option, bool disjunction,
                                     bool intervals, const cairn_table *table, const char *what)
{
    int32_t *codes;
    int8_t *classes;
    const char **names;
    cairn_language language = {disjunction, (cairn_unseen)option->unseen, intervals, NULL};
    *out = (cairn_concept_data){0};
    if (!table) return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs a table of examples", what);
    CHECK(cairn_view_make(ctx, &out->view, table, cairn_all_rows(table)));
    CHECK(cairn_read_positive(ctx, &out->view, option->positive, what, &classes, &out->positive));
    out->target = out->view.target_name;
    language.classes = classes;
    CHECK(cairn_domain_make(ctx, &out->domain, &out->view, &language));
    CHECK(cairn_domain_codes(ctx, &codes, &out->domain, &out->view));
    CHECK(cairn_row_names(ctx, table, &names));
    CHECK(deal_rows(ctx, out, classes, codes, names));
    out->notation = option->notation >= 0 ? (cairn_notation)option->notation
                    : disjunction         ? CAIRN_NOTATION_LITERALS
                                          : CAIRN_NOTATION_VECTOR;
    return CAIRN_OK;
}

cairn_status cairn_language_data_read(cairn_context *ctx, cairn_concept_data *out,
                                      const cairn_language_option *option, bool intervals,
                                      const cairn_table *table, const char *what)
{
    return cairn_concept_data_read(ctx, out, &option->concepts, option->language == 1, intervals,
                                   table, what);
}

/* Move what was written to scratch. */
static cairn_status keep_text(cairn_context *ctx, const char **out, cairn_text *text)
{
    cairn_status status;
    char *copy;
    TRY(cairn_text_status(text));
    TRY(SCRATCH(ctx, &copy, text->length + 1));
    memcpy(copy, cairn_text_string(text), text->length);
    *out = copy;
done:
    cairn_text_clear(text);
    return status;
}

cairn_status cairn_concept_word(cairn_context *ctx, const char **out,
                                const cairn_concept_data *data, const uint64_t *concept)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_concept_add_text(&text, &data->domain, concept, data->notation);
    return keep_text(ctx, out, &text);
}

cairn_status cairn_concept_covered(cairn_context *ctx, const char **out, size_t *n,
                                   const cairn_concept_data *data, const uint64_t *concept,
                                   int class)
{
    const cairn_examples *e = &data->examples;
    cairn_text text = cairn_text_start(ctx);
    *n = 0;
    for (size_t i = 0; i < e->n; i++) {
        if (class >= 0 && e->positive[i] != class) continue;
        if (!cairn_concept_covers(&data->domain, concept, cairn_example(e, &data->domain, i)))
            continue;
        cairn_text_addf(&text, "%s%s", *n ? " " : "", e->names[i]);
        ++*n;
    }
    return keep_text(ctx, out, &text);
}

cairn_status cairn_concepts_show(cairn_context *ctx, cairn_report *out,
                                 const cairn_concept_data *data, const cairn_concepts *list,
                                 const char *title, const char *name)
{
    cairn_report_table_of(out, title, 0, "rlll", "", "hypothesis", "covers of the positive",
                          "of the negative");
    for (size_t i = 0; i < list->n && cairn_report_row_wanted(out); i++) {
        const uint64_t *c = cairn_concepts_at(list, i);
        const char *word, *positive, *negative;
        size_t n;
        CHECK(cairn_concept_word(ctx, &word, data, c));
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_word(out, word, "%s%zu", name, i + 1);
        CHECK(cairn_concept_covered(ctx, &positive, &n, data, c, 1));
        cairn_report_hidden(out, (double)n, "%s%zu.positives", name, i + 1);
        cairn_report_cell_word(out, positive, "%s%zu.covered", name, i + 1);
        CHECK(cairn_concept_covered(ctx, &negative, &n, data, c, 0));
        cairn_report_hidden(out, (double)n, "%s%zu.negatives", name, i + 1);
        cairn_report_cell_word(out, negative, "%s%zu.covered_negatives", name, i + 1);
    }
    if (list->n > 50) cairn_report_note(out, "The first 50 of %zu are shown.", list->n);
    cairn_report_hidden(out, (double)list->n, "%s.count", name);
    return CAIRN_OK;
}
