/* SPDX-License-Identifier: MIT */
/* cairn list: the kinds of things that there are, and of a kind its names; in full a line each. */
#include "command/find.h"
#include "model/traits.h"
#include "report/table_rows.h"

#include <stdio.h>
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
    const char *word, *title, *what;
    int kind;
} list_group;

static const list_group groups[] = {
    {"verbs", "Verbs", "what to do: fit, evaluate, draw ...", CAIRN_ENTRY_VERB},
    {"learners", "Learners", "what learns: tree, svm, knn ...", CAIRN_ENTRY_LEARNER},
    {"transforms", "Transforms", "before a learner: --with NAME", CAIRN_ENTRY_TRANSFORM},
    {"resamplings", "Resamplings", "rows that are held out: --by NAME", CAIRN_ENTRY_RESAMPLING},
    {"measures", "Measures", "how good it is: --measure NAME", CAIRN_ENTRY_MEASURE},
    {"distances", "Distances", "between rows: --distance NAME", CAIRN_ENTRY_DISTANCE},
    {"kernels", "Kernel functions", "inner products: --kernel NAME", CAIRN_ENTRY_KERNEL},
    {"calculators", "Calculators", "numbers with steps: compute NAME", CAIRN_ENTRY_CALCULATOR},
    {"pictures", "Pictures", "what can be drawn: draw NAME", CAIRN_ENTRY_PICTURE},
    {"formats", "Formats of data files", "files that are read and written", CAIRN_ENTRY_FORMAT},
    {"sources", "Sources beyond files", "databases", CAIRN_ENTRY_SOURCE},
    {"data", "Built-in data", "tables to try: @NAME", LIST_DATA},
    {"lessons", "Lessons", "worked examples: lesson NAME", LIST_LESSONS},
    {"topics", "Topics", "words of the field: help NAME", LIST_TOPICS},
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

/* -- in brief: names alone, where they are many -- */

enum { FEW = 20 }; /* so many have a line each in brief, too */

static size_t count_group(const cairn_context *ctx, const list_group *group,
                          const cairn_lesson_item *lessons)
{
    const char *name;
    size_t n = 0;
    if (group->kind == LIST_DATA)
        while (cairn_builtin_name(n, &name)) n++;
    else if (group->kind == LIST_LESSONS)
        while (lessons[n].id) n++;
    else if (group->kind == LIST_TOPICS)
        while (cairn_topics[n].name) n++;
    else
        while (cairn_entry_at(ctx, (cairn_entry_kind)group->kind, n)) n++;
    return n;
}

static const char *name_in_group(const cairn_context *ctx, const list_group *group, size_t i)
{
    const char *title;
    if (group->kind == LIST_DATA) return cairn_builtin_name(i, &title);
    if (group->kind == LIST_TOPICS) return cairn_topics[i].name;
    const cairn_entry *entry = cairn_entry_at(ctx, (cairn_entry_kind)group->kind, i);
    return entry ? entry->name : NULL;
}

static void name_all(cairn_report *report, const list_group *group, size_t n)
{
    const cairn_context *ctx = cairn_report_context(report);
    cairn_text names = cairn_text_start(cairn_report_context(report));
    const char *mark = group->kind == LIST_DATA ? "@" : "";
    for (size_t i = 0; i < n; i++)
        cairn_text_addf(&names, "%s%s%s", i ? ", " : "", mark, name_in_group(ctx, group, i));
    cairn_report_paragraph(report, "%s", cairn_text_string(&names));
    cairn_report_text_end(report, &names);
}

/* What learners are for: the first that fits is where one is listed. */
static const struct aim {
    const char *title;
    unsigned tasks, accepts; /* all of them */
} aims[] = {
    {"Made of other learners", 0, CAIRN_ACCEPTS_RAW},
    {"Classes and numbers", CAIRN_CLASSIFY | CAIRN_REGRESS, 0},
    {"Classes", CAIRN_CLASSIFY, 0},
    {"Numbers", CAIRN_REGRESS, 0},
    {"Groups of rows", CAIRN_CLUSTER, 0},
    {"Others", 0, 0},
};
enum { N_AIMS = sizeof aims / sizeof *aims };

static size_t aim_of(const cairn_learner *learner)
{
    size_t i = 0;
    while ((learner->tasks & aims[i].tasks) != aims[i].tasks ||
           (learner->accepts & aims[i].accepts) != aims[i].accepts)
        i++;
    return i;
}

static void name_learners(cairn_report *report)
{
    const cairn_context *ctx = cairn_report_context(report);
    for (size_t a = 0; a < N_AIMS; a++) {
        const size_t aim = (a + 1) % N_AIMS; /* those made of others come last */
        const cairn_entry *entry;
        cairn_text names = cairn_text_start(cairn_report_context(report));
        for (size_t i = 0; (entry = cairn_entry_at(ctx, CAIRN_ENTRY_LEARNER, i)); i++)
            if (aim_of((const cairn_learner *)entry) == aim)
                cairn_text_addf(&names, "%s%s", names.length ? ", " : "", entry->name);
        if (names.length)
            cairn_report_word(report, aims[aim].title, cairn_text_string(&names), NULL);
        cairn_report_text_end(report, &names);
    }
}

/* Lessons by topic, as the course has them. */
static cairn_status count_lessons(cairn_report *report)
{
    cairn_chapter *chapters;
    size_t n;
    CHECK(cairn_lesson_topics(cairn_report_context(report), &chapters, &n));
    cairn_report_table_of(report, NULL, (size_t)-1, "lrl", "topic", "lessons", "what it is");
    for (size_t i = 0; i < n; i++)
        cairn_report_cells(report, NULL, chapters[i].name, (double)chapters[i].n,
                           chapters[i].title);
    cairn_report_table_end(report);
    cairn_report_paragraph(report, "cairn lesson --topic NAME lists those of a topic.");
    return CAIRN_OK;
}

static cairn_status name_group(cairn_report *report, const list_group *group, size_t n)
{
    cairn_report_clip_begin(report, FEW);
    if (group->kind == CAIRN_ENTRY_LEARNER)
        name_learners(report);
    else if (group->kind == LIST_LESSONS)
        CHECK(count_lessons(report));
    else
        name_all(report, group, n);
    cairn_report_clip_end(report);
    return CAIRN_OK;
}

/* -- in full -- */

static void begin(cairn_report *report, const list_group *group)
{
    if (group) cairn_report_heading(report, 2, "%s", group->title);
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

/* Words with the name "learners.NAME.what". */
static void hide_text(cairn_report *report, cairn_text *words, const char *name, const char *what)
{
    cairn_report_failed(report, cairn_text_status(words));
    cairn_report_hidden_word(report, cairn_text_string(words), "learners.%s.%s", name, what);
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
    hide_text(report, &words, name, "kind");
    cairn_flags_add(&words, cairn_accept_words, learner->accepts, false);
    hide_text(report, &words, name, "takes");
    cairn_learner_answers(&words, learner, false);
    hide_text(report, &words, name, "gives");
    cairn_text_clear(&words);
}

/* Learners by what they are for. */
static size_t list_learners(cairn_report *report, const list_group *group)
{
    const cairn_context *ctx = cairn_report_context(report);
    size_t found = 0;
    cairn_report_heading(report, 2, "%s", group->title);
    for (size_t a = 0; a < N_AIMS; a++) {
        const size_t aim = (a + 1) % N_AIMS;
        const cairn_entry *entry;
        size_t before = found;
        for (size_t i = 0; (entry = cairn_entry_at(ctx, CAIRN_ENTRY_LEARNER, i)); i++) {
            const cairn_learner *learner = (const cairn_learner *)entry;
            if (aim_of(learner) != aim) continue;
            if (found++ == before) {
                cairn_report_heading(report, 3, "%s", aims[aim].title);
                begin(report, NULL);
            }
            learner_row(report, group, learner);
        }
        if (found > before) cairn_report_table_end(report);
    }
    cairn_report_paragraph(report,
                           "'cairn help NAME --full' says what a learner takes and gives. What it "
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

/* Every row of a kind. */
static size_t list_rows(cairn_report *report, const list_group *group,
                        const cairn_lesson_item *lessons)
{
    size_t found = 0;
    if (group->kind == LIST_DATA) return list_data(report, group);
    if (group->kind == LIST_TOPICS) return list_topics(report, group);
    if (group->kind == CAIRN_ENTRY_LEARNER) return list_learners(report, group);
    if (group->kind != LIST_LESSONS) return list_entries(report, group);
    for (; lessons[found].id; ++found) {
        if (found == 0) begin(report, group);
        row(report, group, lessons[found].id, lessons[found].title);
    }
    if (found) cairn_report_table_end(report);
    return found;
}

static cairn_status list_group_of(cairn_command *c, const list_group *group)
{
    cairn_lesson_item *lessons;
    CHECK(cairn_lesson_list(c->ctx, &lessons));
    size_t found = count_group(c->ctx, group, lessons);
    bool many = found > FEW || group->kind == CAIRN_ENTRY_LEARNER;
    unsigned before = cairn_report_only(c->report, CAIRN_IN_BRIEF);
    if (many) {
        cairn_report_heading(c->report, 2, "%s: %zu", group->title, found);
        CHECK(name_group(c->report, group, found));
        cairn_report_paragraph(c->report, "cairn help NAME tells more; --full has a line on each.");
    }
    cairn_report_for(c->report, before);
    if (many) (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    found = list_rows(c->report, group, lessons);
    cairn_report_for(c->report, before);
    cairn_report_hidden(c->report, (double)found, "count.%s", group->word);
    return CAIRN_OK;
}

static const char title[] = "What Cairn has";

/* Kinds with their numbers; in full everything of all of them. */
static cairn_status list_all(cairn_command *c)
{
    cairn_lesson_item *lessons;
    CHECK(cairn_lesson_list(c->ctx, &lessons));
    cairn_report_heading(c->report, 1, title);
    unsigned before = cairn_report_only(c->report, CAIRN_IN_BRIEF);
    cairn_report_table_of(c->report, NULL, (size_t)-1, "lrll", "kind", "number", "what it is",
                          "all of them");
    for (size_t i = 0; i < N_GROUPS; i++) {
        char command[64];
        snprintf(command, sizeof command, "cairn list %s", groups[i].word);
        cairn_report_cells(c->report, NULL, groups[i].word,
                           (double)count_group(c->ctx, &groups[i], lessons), groups[i].what,
                           command);
    }
    cairn_report_table_end(c->report);
    cairn_report_paragraph(c->report, "cairn help NAME tells about one of them, cairn help WORDS "
                                      "looks for what you need: cairn help random forest");
    cairn_report_for(c->report, before);
    (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    for (size_t i = 0; i < N_GROUPS; i++) CHECK(list_group_of(c, &groups[i]));
    cairn_report_paragraph(c->report, "cairn help NAME tells more about any of these.");
    cairn_report_for(c->report, before);
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
                  "Says how many verbs, learners, transforms, resamplings, measures, distances, "
                  "kernel functions, calculators, pictures, formats, built-in data, lessons and "
                  "topics there are; with the name of a kind those of it (learners by what they "
                  "are for), with --full a line on each; with other words all that answers to "
                  "them.",
              .example = "cairn list learners",
              .params = list_params,
              .params_size = sizeof(list_options)},
    .arguments = "[KIND or WORDS]",
    .least = 0,
    .most = SIZE_MAX,
    .run = list_run,
};
