/* SPDX-License-Identifier: MIT */
/* cairn list: everything that can be named, one line each, grouped by kind. */
#include "command/command.h"

#include <string.h>

typedef struct list_options {
    cairn_common common;
} list_options;

static const cairn_param list_params[] = {
    CAIRN_PRINTING(list_options),
    CAIRN_PARAM_END,
};

/* A heading of the list. `kind` is an entry kind, or one of these two. */
enum { LIST_DATA = 100, LIST_LESSONS };

typedef struct list_group {
    const char *word, *title;
    int kind;
} list_group;

static const list_group groups[] = {
    {"verbs", "Verbs", CAIRN_ENTRY_VERB},
    {"learners", "Learners", CAIRN_ENTRY_LEARNER},
    {"transforms", "Transforms", CAIRN_ENTRY_TRANSFORM},
    {"resamplings", "Resamplings", CAIRN_ENTRY_RESAMPLING},
    {"measures", "Measures", CAIRN_ENTRY_MEASURE},
    {"calculators", "Calculators", CAIRN_ENTRY_CALCULATOR},
    {"pictures", "Pictures", CAIRN_ENTRY_PICTURE},
    {"formats", "Formats of data files", CAIRN_ENTRY_FORMAT},
    {"sources", "Sources beyond files", CAIRN_ENTRY_SOURCE},
    {"data", "Built-in data", LIST_DATA},
    {"lessons", "Lessons", LIST_LESSONS},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

static const char *group_word(size_t i, const void *data)
{
    (void)data;
    return i < N_GROUPS ? groups[i].word : NULL;
}

static void begin(cairn_report *report, const list_group *group, const char *third)
{
    cairn_report_heading(report, 2, "%s", group->title);
    cairn_report_table_begin(report, NULL, (size_t)-1);
    cairn_report_column(report, "name", 'l');
    cairn_report_column(report, "what it is", 'l');
    if (third) cairn_report_column(report, third, 'l');
}

static void row(cairn_report *report, const list_group *group, const char *name, const char *what)
{
    cairn_report_cell(report, name);
    cairn_report_cell_word(report, what, "%s.%s", group->word, cairn_report_key(report, name));
}

/* "classify, regress" from the flags of a learner. */
static void cell_tasks(cairn_report *report, unsigned tasks)
{
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {
        {CAIRN_CLASSIFY, "classify"}, {CAIRN_REGRESS, "regress"}, {CAIRN_CLUSTER, "cluster"}};
    char text[64] = "";
    size_t n = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!(tasks & names[i].flag)) continue;
        if (n) {
            text[n++] = ',';
            text[n++] = ' ';
        }
        memcpy(text + n, names[i].name, strlen(names[i].name) + 1);
        n += strlen(names[i].name);
    }
    cairn_report_cell(report, text);
}

static size_t list_entries(cairn_report *report, const list_group *group)
{
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    bool learners = group->kind == CAIRN_ENTRY_LEARNER;
    for (size_t i = 0; i < n; i++) {
        if ((int)entries[i]->kind != group->kind) continue;
        if (found++ == 0) begin(report, group, learners ? "does" : NULL);
        row(report, group, entries[i]->name, entries[i]->title);
        if (learners) cell_tasks(report, ((const cairn_learner *)entries[i])->tasks);
    }
    if (found) cairn_report_table_end(report);
    return found;
}

static size_t list_data(cairn_report *report, const list_group *group)
{
    const char *title = NULL, *name;
    size_t found = 0;
    for (; (name = cairn_builtin_name(found, &title)); found++) {
        char with_at[128];
        size_t length = strlen(name) < 126 ? strlen(name) : 126;
        if (found == 0) begin(report, group, NULL);
        with_at[0] = '@';
        memcpy(with_at + 1, name, length);
        with_at[length + 1] = 0;
        cairn_report_cell(report, with_at);
        cairn_report_cell_word(report, title, "data.%s", cairn_report_key(report, name));
    }
    if (found) cairn_report_table_end(report);
    return found;
}

static cairn_status list_lessons(cairn_command *c, const list_group *group, size_t *found)
{
    cairn_status status = CAIRN_OK;
    cairn_lesson_item *items;
    TRY(cairn_lesson_list(c->ctx, &items));
    for (*found = 0; items[*found].id; ++*found) {
        if (*found == 0) begin(c->report, group, NULL);
        row(c->report, group, items[*found].id, items[*found].title);
    }
    if (*found) cairn_report_table_end(c->report);
done:
    return status;
}

static cairn_status list_group_of(cairn_command *c, const list_group *group)
{
    cairn_status status = CAIRN_OK;
    size_t found;
    if (group->kind == LIST_DATA)
        found = list_data(c->report, group);
    else if (group->kind == LIST_LESSONS)
        TRY(list_lessons(c, group, &found));
    else
        found = list_entries(c->report, group);
    cairn_report_hidden(c->report, (double)found, "count.%s", group->word);
done:
    return status;
}

/* Everything whose name or title contains the word. */
static size_t list_matching(cairn_report *report, const char *word)
{
    size_t n, found = 0;
    const char *title, *name;
    const cairn_entry *const *entries = cairn_registry(&n);
    list_group all = {"found", "Found", 0};
    for (size_t i = 0; i < n; i++) {
        if (!strcasestr(entries[i]->name, word) && !strcasestr(entries[i]->title, word)) continue;
        if (found++ == 0) begin(report, &all, "kind");
        row(report, &all, entries[i]->name, entries[i]->title);
        cairn_report_cell(report, cairn_entry_kind_name(entries[i]->kind));
    }
    for (size_t i = 0; (name = cairn_builtin_name(i, &title)); i++) {
        if (!strcasestr(name, word) && !strcasestr(title, word)) continue;
        if (found++ == 0) begin(report, &all, "kind");
        cairn_report_cellf(report, "@%s", name);
        cairn_report_cell(report, title);
        cairn_report_cell(report, "data");
    }
    if (found) cairn_report_table_end(report);
    return found;
}

static cairn_status list_all(cairn_command *c)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < N_GROUPS; i++) TRY(list_group_of(c, &groups[i]));
    cairn_report_paragraph(c->report, "cairn help NAME tells more about any of these.");
done:
    return status;
}

static cairn_status list_run(cairn_command *c)
{
    cairn_report_heading(c->report, 1, "What Cairn has");
    if (c->n_words == 0) return list_all(c);
    const char *word = c->words[0];
    for (size_t i = 0; i < N_GROUPS; i++)
        if (strcmp(groups[i].word, word) == 0) return list_group_of(c, &groups[i]);
    if (list_matching(c->report, word)) return CAIRN_OK;
    const char *near = cairn_nearest_word(word, group_word, NULL);
    if (near)
        return cairn_fail(c->ctx, CAIRN_USAGE, "there is no list of '%s'; did you mean '%s'?", word,
                          near);
    return cairn_fail(c->ctx, CAIRN_USAGE,
                      "there is no list of '%s', and nothing has that in its name; 'cairn list' "
                      "shows everything",
                      word);
}

const cairn_verb cairn_verb_list = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "list",
              .title = "What there is",
              .summary = "Lists verbs, learners, transforms, resamplings, measures, calculators, "
                         "pictures, formats, built-in data and lessons, or one of these kinds, or "
                         "everything that has a word in its name.",
              .example = "cairn list learners",
              .params = list_params,
              .params_size = sizeof(list_options)},
    .arguments = "[KIND or WORD]",
    .least = 0,
    .most = 1,
    .run = list_run,
};
