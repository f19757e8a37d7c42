/* SPDX-License-Identifier: MIT */
/* cairn list: everything that can be named, one line each, grouped by kind. */
#include "command/find.h"
#include "model/traits.h"

#include <string.h>

typedef struct list_options {
    cairn_common common;
} list_options;

static const cairn_param list_params[] = {
    CAIRN_PRINTING(list_options),
    CAIRN_PARAM_END,
};

/* A heading of the list. `kind` is an entry kind, or one of these. */
enum { LIST_DATA = 100, LIST_LESSONS, LIST_TOPICS };

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
    {"distances", "Distances", CAIRN_ENTRY_DISTANCE},
    {"kernels", "Kernel functions", CAIRN_ENTRY_KERNEL},
    {"calculators", "Calculators", CAIRN_ENTRY_CALCULATOR},
    {"pictures", "Pictures", CAIRN_ENTRY_PICTURE},
    {"formats", "Formats of data files", CAIRN_ENTRY_FORMAT},
    {"sources", "Sources beyond files", CAIRN_ENTRY_SOURCE},
    {"data", "Built-in data", LIST_DATA},
    {"lessons", "Lessons", LIST_LESSONS},
    {"topics", "Topics", LIST_TOPICS},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

const char *cairn_list_word(size_t i)
{
    return i < N_GROUPS ? groups[i].word : NULL;
}

static const char *group_word(size_t i, const void *data)
{
    (void)data;
    return cairn_list_word(i);
}

static void begin(cairn_report *report, const list_group *group)
{
    cairn_report_heading(report, 2, "%s", group->title);
    cairn_report_table_of(report, NULL, (size_t)-1, "ll", "name", "what it is");
}

static void row(cairn_report *report, const list_group *group, const char *name, const char *what)
{
    cairn_report_cell(report, name);
    cairn_report_cell_word(report, what, "%s.%s", group->word, cairn_report_key(report, name));
}

static size_t list_entries(cairn_report *report, const list_group *group)
{
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_entries(cairn_report_context(report), &n);
    for (size_t i = 0; i < n; i++) {
        if ((int)entries[i]->kind != group->kind) continue;
        if (found++ == 0) begin(report, group);
        row(report, group, entries[i]->name, entries[i]->title);
    }
    return found;
}

/* -- learners, by what they are for -- */

/* A cell of words with the name "learners.NAME.what". */
static void cell_words(cairn_report *report, cairn_text *words, const char *name, const char *what)
{
    cairn_report_failed(report, cairn_text_status(words));
    cairn_report_cell_word(report, cairn_text_string(words), "learners.%s.%s", name, what);
    cairn_text_clear(words);
    *words = cairn_text_start(cairn_report_context(report));
}

static void hide_words(cairn_report *report, const cairn_flag_word *words, unsigned flags,
                       const char *name, const char *what)
{
    cairn_text text = cairn_text_start(cairn_report_context(report));
    cairn_flags_add(&text, words, flags, false);
    cairn_report_failed(report, cairn_text_status(&text));
    cairn_report_hidden_word(report, cairn_text_string(&text), "learners.%s.%s", name, what);
    cairn_text_clear(&text);
}

static void learner_row(cairn_report *report, const list_group *group, const cairn_learner *learner)
{
    const char *name = cairn_report_key(report, learner->entry.name);
    cairn_text words = cairn_text_start(cairn_report_context(report));
    row(report, group, learner->entry.name, learner->entry.title);
    hide_words(report, cairn_task_words, learner->tasks, name, "tasks");
    hide_words(report, cairn_purpose_words, learner->traits, name, "purpose");
    hide_words(report, cairn_supervision_words, learner->traits, name, "supervision");
    hide_words(report, cairn_family_words, learner->traits, name, "model");
    hide_words(report, cairn_division_words, learner->traits, name, "divides");
    cairn_learner_model_words(&words, learner);
    cell_words(report, &words, name, "kind");
    cairn_flags_add(&words, cairn_accept_words, learner->accepts, false);
    cell_words(report, &words, name, "takes");
    cairn_learner_answers(&words, learner, false);
    cell_words(report, &words, name, "gives");
    cairn_text_clear(&words);
}

/* The first of the words that fits the traits: the kind of model under which it is listed. */
static unsigned first_flag(const cairn_flag_word *words, unsigned traits)
{
    while (words->word && !(traits & words->flag)) words++;
    return words->flag;
}

/* Learners of one purpose and supervision, kinds of model together. */
static size_t list_quarter(cairn_report *report, const list_group *group,
                           const cairn_flag_word *purpose, const cairn_flag_word *supervision)
{
    static const char *const heads[] = {"name", "what it is", "model", "takes", "gives"};
    size_t n, found = 0;
    const cairn_entry *const *entries = cairn_entries(cairn_report_context(report), &n);
    for (const cairn_flag_word *family = cairn_family_words; family->word; family++)
        for (size_t i = 0; i < n; i++) {
            const cairn_learner *learner = (const cairn_learner *)entries[i];
            if (entries[i]->kind != CAIRN_ENTRY_LEARNER) continue;
            if (!(learner->traits & purpose->flag) || !(learner->traits & supervision->flag) ||
                first_flag(cairn_family_words, learner->traits) != family->flag)
                continue;
            if (found++ == 0) {
                cairn_report_heading(report, 3, "%c%s, %s", purpose->word[0] - 'a' + 'A',
                                     purpose->word + 1, supervision->word);
                cairn_report_table_begin(report, NULL, (size_t)-1);
                for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
                    cairn_report_column(report, heads[h], 'l');
            }
            learner_row(report, group, learner);
        }
    return found;
}

static size_t list_learners(cairn_report *report, const list_group *group)
{
    size_t found = 0;
    cairn_report_heading(report, 2, "%s", group->title);
    for (const cairn_flag_word *p = cairn_purpose_words; p->word; p++)
        for (const cairn_flag_word *s = cairn_supervision_words; s->word; s++)
            found += list_quarter(report, group, p, s);
    cairn_report_paragraph(
        report, "Predictive learners answer for new rows, descriptive ones tell about the rows at "
                "hand; supervised ones learn from a target. A grouping model answers the rows of a "
                "part alike, a grading one may answer every row in its own way. What a learner "
                "does not take as it is, transforms turn into what it does: levels into "
                "indicators, missing cells into typical values.");
    return found;
}

static size_t list_data(cairn_report *report, const list_group *group)
{
    const char *title = NULL, *name;
    size_t found = 0;
    for (; (name = cairn_builtin_name(found, &title)); found++) {
        char with_at[128];
        size_t length = strlen(name) < 126 ? strlen(name) : 126;
        if (found == 0) begin(report, group);
        with_at[0] = '@';
        memcpy(with_at + 1, name, length);
        with_at[length + 1] = 0;
        cairn_report_cell(report, with_at);
        cairn_report_cell_word(report, title, "data.%s", cairn_report_key(report, name));
    }
    return found;
}

static size_t list_topics(cairn_report *report, const list_group *group)
{
    size_t found = 0;
    begin(report, group);
    for (const cairn_topic *t = cairn_topics; t->name; t++, found++)
        row(report, group, t->name, t->text);
    return found;
}

static cairn_status list_group_of(cairn_command *c, const list_group *group)
{
    size_t found;
    if (group->kind == LIST_DATA)
        found = list_data(c->report, group);
    else if (group->kind == LIST_LESSONS) {
        cairn_lesson_item *items;
        CHECK(cairn_lesson_list(c->ctx, &items));
        for (found = 0; items[found].id; ++found) {
            if (found == 0) begin(c->report, group);
            row(c->report, group, items[found].id, items[found].title);
        }
        if (found) cairn_report_table_end(c->report);
    } else if (group->kind == LIST_TOPICS)
        found = list_topics(c->report, group);
    else if (group->kind == CAIRN_ENTRY_LEARNER)
        found = list_learners(c->report, group);
    else
        found = list_entries(c->report, group);
    cairn_report_hidden(c->report, (double)found, "count.%s", group->word);
    return CAIRN_OK;
}

static const char title[] = "What Cairn has";

static cairn_status list_all(cairn_command *c)
{
    cairn_report_heading(c->report, 1, title);
    for (size_t i = 0; i < N_GROUPS; i++) CHECK(list_group_of(c, &groups[i]));
    cairn_report_paragraph(c->report, "cairn help NAME tells more about any of these.");
    return CAIRN_OK;
}

/* Words name a group, or else search all entries; a near name of a group is told where the
 * search finds nothing better than a misspelling. */
static cairn_status list_run(cairn_command *c)
{
    if (c->n_words == 0) return list_all(c);
    const int misspelt = cairn_match_score(CAIRN_FOUND_NAME, CAIRN_ANSWER_NEAR);
    const char *words;
    cairn_hits hits;
    CHECK(cairn_find_join(c, &words));
    for (size_t i = 0; i < N_GROUPS; i++)
        if (strcmp(groups[i].word, words) == 0) {
            const list_group *group = &groups[i];
            cairn_report_heading(c->report, 1, title);
            return list_group_of(c, group);
        }
    const char *near = cairn_nearest_word(words, group_word, NULL);
    CHECK(cairn_find(c->ctx, &hits, words));
    if (near && (hits.n == 0 || hits.all->score >= misspelt))
        return cairn_fail(c->ctx, CAIRN_USAGE, "there is no list of '%s'; did you mean '%s'?",
                          words, near);
    if (hits.n == 0) return cairn_find_nothing(c->ctx, words);
    cairn_find_show(c->report, &hits, words);
    return CAIRN_OK;
}

const cairn_verb cairn_verb_list = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "list",
              .also = "show all, ls, catalogue, index",
              .title = "What there is",
              .summary =
                  "Lists verbs, learners (by what they are for, with the kind of model, what they "
                  "take and what they give), transforms, resamplings, measures, distances, "
                  "kernel functions, calculators, pictures, formats, built-in data, lessons and "
                  "topics, or one of these kinds, or everything that answers to some words.",
              .example = "cairn list learners",
              .params = list_params,
              .params_size = sizeof(list_options)},
    .arguments = "[KIND or WORDS]",
    .least = 0,
    .most = SIZE_MAX,
    .run = list_run,
};
