/* SPDX-License-Identifier: MIT */
/* Examples of two classes from a table, and concepts as words of a report. */
#include "compute/concept_data.h"

#include "base/memory.h"
#include "compute/labels.h"
#include "model/task.h"

#include <stdio.h>
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

const cairn_choice cairn_concept_languages[] = {
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

cairn_status cairn_row_names(cairn_context *ctx, const cairn_table *table, const char ***out)
{
    cairn_status status;
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    char *bytes;
    TRY(SCRATCH(ctx, out, table->n_rows));
    TRY(SCRATCH(ctx, &bytes, cairn_product(table->n_rows, 48)));
    for (size_t i = 0; i < table->n_rows; i++) {
        char *name = bytes + i * 48;
        (*out)[i] = name;
        if (id >= 0)
            cairn_table_cell(table, (size_t)id, i, name, 48);
        else
            snprintf(name, 48, "%zu", i + 1);
    }
done:
    return status;
}

/* The code of the class that the concept is about. */
static cairn_status find_positive(cairn_context *ctx, const cairn_view *view, const char *wanted,
                                  int32_t *out)
{
    const cairn_map *names = &view->target->names;
    if (wanted) {
        *out = (int32_t)cairn_map_find(names, wanted, strlen(wanted));
        if (*out >= 0) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "--positive: the target '%s' has no class '%s' (a class without rows is "
                          "declared with --kinds \"%s=level(...)\")",
                          view->target_name, wanted, view->target_name);
    }
    if (names->n == 2) {
        const char *both[2] = {cairn_map_key(names, 0), cairn_map_key(names, 1)};
        double weights[2] = {0, 0};
        size_t chosen = 0;
        for (size_t i = 0; i < view->rows.n; i++) {
            int32_t code = view->target->codes[cairn_view_row(view, i)];
            if (code >= 0) weights[code] += 1;
        }
        cairn_status status = cairn_choose_positive(ctx, &chosen, both, weights, NULL);
        *out = (int32_t)chosen;
        return status;
    }
    if (names->n != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' has %zu classes; say with --positive which of them the "
                          "concept is about",
                          view->target_name, names->n);
    *out = 0;
    return CAIRN_OK;
}

cairn_status cairn_read_positive(cairn_context *ctx, const cairn_view *view, const char *wanted,
                                 const char *what, int8_t **out, const char **name)
{
    cairn_status status;
    int32_t code = 0;
    if (!view->target)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs the column of the classes: --target COLUMN",
                          what);
    if (view->target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds numbers, not classes; --kinds \"%s=level\" takes "
                          "its values as classes",
                          view->target_name, view->target_name);
    TRY(find_positive(ctx, view, wanted, &code));
    *name = view->target->names.n ? cairn_map_key(&view->target->names, (size_t)code) : "";
    TRY(SCRATCH(ctx, out, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        int32_t class = view->target->codes[cairn_view_row(view, i)];
        (*out)[i] = (int8_t)(class < 0 ? -1 : class == code);
    }
done:
    return status;
}

/* Deal the rows into those with a class and those without. */
static cairn_status deal_rows(cairn_context *ctx, cairn_concept_data *out, const int8_t *classes,
                              const int32_t *codes, const char **names)
{
    cairn_status status;
    size_t n = out->view.rows.n, width = out->domain.n;
    cairn_examples *parts[2] = {&out->examples, &out->others};
    for (int p = 0; p < 2; p++) {
        TRY(SCRATCH(ctx, &parts[p]->codes, cairn_product(n, width)));
        TRY(SCRATCH(ctx, &parts[p]->positive, n));
        TRY(SCRATCH(ctx, &parts[p]->names, n));
    }
    for (size_t i = 0; i < n; i++) {
        cairn_examples *part = parts[classes[i] < 0];
        memcpy(part->codes + part->n * width, codes + i * width, width * sizeof *codes);
        part->positive[part->n] = classes[i] == 1;
        part->names[part->n++] = names[cairn_view_row(&out->view, i)];
    }
done:
    return status;
}

cairn_status cairn_concept_data_read(cairn_context *ctx, cairn_concept_data *out,
                                     const cairn_concept_option *option, bool disjunction,
                                     bool intervals, const cairn_table *table, const char *what)
{
    cairn_status status;
    int32_t *codes;
    int8_t *classes;
    const char **names;
    cairn_language language = {disjunction, (cairn_unseen)option->unseen, intervals};
    *out = (cairn_concept_data){0};
    if (!table) return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs a table of examples", what);
    TRY(cairn_view_make(ctx, &out->view, table, cairn_all_rows(table)));
    TRY(cairn_read_positive(ctx, &out->view, option->positive, what, &classes, &out->positive));
    out->target = out->view.target_name;
    TRY(cairn_domain_make(ctx, &out->domain, &out->view, &language));
    TRY(cairn_domain_codes(ctx, &codes, &out->domain, &out->view));
    TRY(cairn_row_names(ctx, table, &names));
    TRY(deal_rows(ctx, out, classes, codes, names));
    out->notation = option->notation >= 0 ? (cairn_notation)option->notation
                    : disjunction         ? CAIRN_NOTATION_LITERALS
                                          : CAIRN_NOTATION_VECTOR;
done:
    return status;
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
    cairn_status status = CAIRN_OK;
    cairn_report_table_begin(out, title, 0);
    cairn_report_column(out, "", 'r');
    cairn_report_column(out, "hypothesis", 'l');
    cairn_report_column(out, "covers of the positive", 'l');
    cairn_report_column(out, "of the negative", 'l');
    for (size_t i = 0; i < list->n && cairn_report_row_wanted(out); i++) {
        const uint64_t *c = cairn_concepts_at(list, i);
        const char *word, *positive, *negative;
        size_t n;
        TRY(cairn_concept_word(ctx, &word, data, c));
        cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_cell_word(out, word, "%s%zu", name, i + 1);
        TRY(cairn_concept_covered(ctx, &positive, &n, data, c, 1));
        cairn_report_hidden(out, (double)n, "%s%zu.positives", name, i + 1);
        cairn_report_cell_word(out, positive, "%s%zu.covered", name, i + 1);
        TRY(cairn_concept_covered(ctx, &negative, &n, data, c, 0));
        cairn_report_hidden(out, (double)n, "%s%zu.negatives", name, i + 1);
        cairn_report_cell_word(out, negative, "%s%zu.covered_negatives", name, i + 1);
    }
    cairn_report_table_end(out);
    if (list->n > 50) cairn_report_note(out, "The first 50 of %zu are shown.", list->n);
    cairn_report_hidden(out, (double)list->n, "%s.count", name);
done:
    return status;
}
