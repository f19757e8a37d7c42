/* SPDX-License-Identifier: MIT */
/* Search: every name is held against the words, hits are put in order, and shown.
 *
 * Entries, topics and data are always at hand; lessons are unpacked, which takes some hundredths of
 * a second for all of them, and give their titles, texts and the names of the values that they
 * expect. What else reports name is written down in lessons/values.json. */
#include "command/find.h"

#include "base/memory.h"
#include "command/lesson.h"
#include "report/table_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCORE_VALUE = 50,    /* a value of a report has the name */
    SCORE_LESSON = 60,   /* a lesson's title has the words */
    SCORE_SENTENCE = 66, /* its text has them */
    MOST_VALUES = 40,
    FEW = 3, /* things that are found */
    SHOWN = 10
};

typedef struct search {
    cairn_context *ctx;
    const cairn_finder *finder;
    cairn_query query;
    cairn_hits *hits;
    size_t buffer, n_values;
    int worse; /* added to every score */
    cairn_status status;
} search;

/* -- collecting -- */

CAIRN_PRINTF(2, 3) static const char *keep(search *s, const char *format, ...)
{
    cairn_text text = cairn_text_start(s->ctx);
    va_list arguments;
    char *kept = NULL;
    va_start(arguments, format);
    cairn_text_addv(&text, format, arguments);
    va_end(arguments);
    if (!s->status) s->status = cairn_text_status(&text);
    if (!s->status) s->status = SCRATCH_RAW(s->ctx, &kept, text.length + 1);
    if (kept) memcpy(kept, cairn_text_string(&text), text.length + 1);
    cairn_text_clear(&text);
    return kept ? kept : "";
}

/* Put a hit beside the others; the better of two for the same thing stays. */
static void add_hit(search *s, cairn_hit hit)
{
    hit.score += s->worse;
    for (size_t i = 0; i < s->hits->n; i++) {
        cairn_hit *other = &s->hits->all[i];
        if (strcmp(other->kind, hit.kind) != 0 || strcmp(other->name, hit.name) != 0) continue;
        hit.order = other->order;
        if (hit.score < other->score) *other = hit;
        return;
    }
    hit.order = s->hits->n;
    if (s->hits->n < s->buffer) s->hits->all[s->hits->n++] = hit;
}

/* Why an entry was found. */
static const char *reason(search *s, const cairn_entry *entry, const cairn_entry_match *m)
{
    char option[64];
    switch (m->by) {
    case CAIRN_FOUND_NAME: return "name";
    case CAIRN_FOUND_SYNONYM: return keep(s, "synonym %.*s", (int)m->length, m->synonym);
    case CAIRN_FOUND_TITLE: return "title";
    case CAIRN_FOUND_SUMMARY: return "summary";
    case CAIRN_FOUND_OPTION: break;
    }
    cairn_option_name(option, m->row->name);
    const char *dashes = cairn_entry_in_spec(entry) ? "" : "--";
    if (!m->choice) return keep(s, "option %s%s", dashes, option);
    return keep(s, "option %s%s%s%s", dashes, option, *dashes ? " " : "=", m->choice);
}

static const char *use_of(search *s, const cairn_entry *entry, const cairn_entry_match *m)
{
    if (!m->settings) return NULL;
    return keep(s, "%s:%.*s", entry->name, (int)m->n_settings, m->settings);
}

static void find_entry(search *s, const cairn_entry *entry, const char *kind, const char *title)
{
    cairn_entry_match m = cairn_entry_matches(entry, &s->query);
    if (m.answer == CAIRN_ANSWER_NONE) return;
    add_hit(s, (cairn_hit){
                   .kind = kind,
                   .name = entry->name,
                   .title = title,
                   .by = reason(s, entry, &m),
                   .type = keep(s, strchr(entry->name, ' ') ? "cairn help '%s'" : "cairn help %s",
                                entry->name),
                   .use = use_of(s, entry, &m),
                   .score = cairn_match_place(&m)});
}

static void find_data(search *s)
{
    const char *name, *title;
    for (size_t i = 0; (name = cairn_builtin_name(i, &title)); i++) {
        cairn_query_answer a = cairn_query_match(&s->query, name, strlen(name));
        cairn_query_answer b = cairn_query_match(&s->query, title, strlen(title));
        int score = cairn_match_score(CAIRN_FOUND_NAME, a);
        int other = cairn_match_score(CAIRN_FOUND_TITLE, b);
        if (a == CAIRN_ANSWER_NONE && b == CAIRN_ANSWER_NONE) continue;
        add_hit(s, (cairn_hit){.kind = "data",
                               .name = keep(s, "@%s", name),
                               .title = title,
                               .by = score <= other ? "name" : "title",
                               .type = keep(s, "cairn describe @%s", name),
                               .score = score <= other ? score : other});
    }
}

/* -- lessons -- */

/* Whether a text may be what was looked for, by its first letter: very many are asked. */
static bool may_answer(const cairn_query *query, const char *text)
{
    bool letter = (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9');
    return !letter || *text == query->joined[0];
}

/* Whether one of the parts between the dots of a value's name is what was looked for; numbers
 * behind it do not count: node12.entropy. */
static bool value_answers(const cairn_query *query, const char *value)
{
    if (may_answer(query, value) && cairn_query_is(query, value, strlen(value))) return true;
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, "."), letters = length;
        if (may_answer(query, at)) {
            while (letters && at[letters - 1] >= '0' && at[letters - 1] <= '9') letters--;
            if (cairn_query_is(query, at, length)) return true;
            if (letters && cairn_query_is(query, at, letters)) return true;
        }
        at += length + (at[length] == '.');
    }
    return false;
}

/* Add a command whose reports have a value of that name, and what tells more about it. */
static void add_value(search *s, const char *command, const char *value, const char *type)
{
    size_t before = s->hits->n;
    if (s->n_values == MOST_VALUES) return;
    add_hit(s, (cairn_hit){.kind = "value",
                           .name = command,
                           .title = keep(s, "its report names %s", value),
                           .by = "value name",
                           .type = type,
                           .score = SCORE_VALUE});
    s->n_values += s->hits->n > before;
}

/* The first value of that name of each command that has one, from the list of all commands. */
static cairn_status find_listed_values(search *s)
{
    const cairn_json *names;
    const char *command;
    for (size_t i = 0; (command = cairn_json_member(s->finder->values, i, &names)); i++) {
        const char *blank = strchr(command, ' '), *entry = blank ? blank + 1 : command;
        for (size_t k = 0; k < cairn_json_size(names); k++) {
            const char *value = cairn_json_string(cairn_json_at(names, k));
            if (!value || !value_answers(&s->query, value)) continue;
            add_value(s, keep(s, "%s", command), value, keep(s, "cairn help %s", entry));
            break;
        }
    }
    return s->status;
}

/* The first value of that name in the reports of each command. */
static void find_values(search *s, const cairn_lesson *lesson)
{
    for (size_t i = 0; i < lesson->n_commands; i++) {
        const cairn_lesson_command *c = &lesson->commands[i];
        for (size_t e = 0; c->n_words > 1 && e < c->n_expect; e++) {
            if (!value_answers(&s->query, c->expect[e].value)) continue;
            add_value(s, keep(s, "%s %s", c->words[0], c->words[1]), c->expect[e].value,
                      keep(s, "cairn lesson %s", lesson->id));
            break;
        }
    }
}

/* The best place of a lesson that has the words; 0 = its id, -1 = none. */
static int lesson_score(const cairn_query *query, const cairn_lesson *lesson)
{
    if (cairn_query_is(query, lesson->id, strlen(lesson->id))) return 0;
    for (size_t i = 0; i < lesson->n_aliases; i++)
        if (cairn_query_is(query, lesson->aliases[i], strlen(lesson->aliases[i]))) return 0;
    const char *title = lesson->title;
    if (cairn_query_match(query, title, strlen(title)) <= CAIRN_ANSWER_BEGUN) return SCORE_LESSON;
    if (cairn_query_match(query, lesson->id, strlen(lesson->id)) <= CAIRN_ANSWER_BEGUN)
        return SCORE_LESSON;
    for (size_t i = 0; i < lesson->n_text; i++)
        if (cairn_query_match(query, lesson->text[i], strlen(lesson->text[i])) <=
            CAIRN_ANSWER_WORDS)
            return SCORE_SENTENCE;
    return -1;
}

static bool lesson_has_value(const cairn_query *query, const cairn_lesson *lesson)
{
    for (size_t i = 0; i < lesson->n_commands; i++)
        for (size_t e = 0; e < lesson->commands[i].n_expect; e++)
            if (value_answers(query, lesson->commands[i].expect[e].value)) return true;
    return false;
}

static cairn_status find_in_lessons(search *s, bool values)
{
    for (size_t i = 0; i < s->finder->n; i++) {
        const cairn_lesson *lesson = &s->finder->lessons[i];
        const cairn_lesson_item *item = &s->finder->items[i];
        if (!lesson->id) continue;
        if (values) find_values(s, lesson);
        int score = lesson_score(&s->query, lesson);
        const char *by = score == 0 ? "name" : score == SCORE_LESSON ? "title" : "text";
        if (score < 0 && lesson_has_value(&s->query, lesson))
            score = SCORE_SENTENCE + 1, by = "value";
        if (score < 0) continue;
        add_hit(s, (cairn_hit){.kind = "lesson",
                               .name = item->id,
                               .title = item->title,
                               .by = by,
                               .type = keep(s, "cairn lesson %s", item->id),
                               .score = score});
    }
    return s->status;
}

/* -- the search -- */

static int by_score(const void *a, const void *b)
{
    const cairn_hit *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static cairn_status find_once(search *s, bool only_lessons)
{
    if (!only_lessons) {
        size_t n;
        const cairn_entry *const *entries = cairn_entries(s->ctx, &n);
        for (const cairn_topic *t = cairn_topics; t->name; t++) {
            cairn_entry entry = cairn_topic_entry(t);
            const char *sentence = keep(s, "%.*s", (int)strcspn(t->text, "."), t->text);
            find_entry(s, &entry, "topic", sentence);
        }
        for (size_t i = 0; i < n; i++)
            find_entry(s, entries[i], cairn_entry_kind_name(entries[i]->kind), entries[i]->title);
        find_data(s);
        CHECK(find_listed_values(s));
    }
    return find_in_lessons(s, !only_lessons);
}

static size_t count_all(const cairn_finder *finder)
{
    size_t n, more = MOST_VALUES + finder->n;
    const char *title;
    (void)cairn_entries(finder->ctx, &n);
    for (size_t i = 0; cairn_topics[i].name; i++) more++;
    for (size_t i = 0; cairn_builtin_name(i, &title); i++) more++;
    return n + more;
}

static bool is_called(const cairn_hit *hit)
{
    return hit->score <= cairn_match_score(CAIRN_FOUND_TITLE, CAIRN_ANSWER_WHOLE) + 1;
}

/* Parts of what was asked, the longest first: "discretisation of numeric data" is about a word of
 * it. Of very many words only single ones are asked. */
static cairn_status find_parts(search *s, const cairn_query *whole, bool only_lessons)
{
    enum { MOST_WORDS = 6 };
    size_t n = whole->n_words;
    for (size_t length = n > MOST_WORDS ? 1 : n - 1; length > 0; length--)
        for (size_t first = 0; first + length <= n; first++) {
            s->worse = CAIRN_SOME_WORDS + (int)(n - length);
            s->query = cairn_query_run(whole, first, length);
            CHECK(find_once(s, only_lessons));
        }
    return CAIRN_OK;
}

/* All words at first, then parted at their capitals, then without words such as "method" and
 * "algorithm"; where few things answer, and none is called so, parts of them. */
static cairn_status find_all(const cairn_finder *finder, cairn_hits *out, const char *words,
                             bool only_lessons)
{
    cairn_context *ctx = finder->ctx;
    char parted[CAIRN_QUERY_WORDS * CAIRN_WORD_SIZE];
    search s = {.ctx = ctx, .finder = finder, .hits = out};
    *out = (cairn_hits){0};
    s.buffer = count_all(finder);
    CHECK(SCRATCH(ctx, &out->all, s.buffer + 1));
    cairn_query_read(&s.query, words);
    cairn_query whole = s.query;
    CHECK(find_once(&s, only_lessons));
    bool called = false; /* something is called exactly so */
    for (size_t i = 0; i < out->n; i++) called |= is_called(&out->all[i]);
    if (!called && cairn_query_part(parted, sizeof parted, words)) {
        s.worse = 1;
        cairn_query_read(&s.query, parted);
        CHECK(find_once(&s, only_lessons));
    }
    if (!called && cairn_query_shorten(&s.query)) {
        s.worse = 1;
        CHECK(find_once(&s, only_lessons));
    }
    if (out->n == 0 && s.query.n_words > whole.n_words) whole = s.query;
    bool whole_value = false; /* a value of a report has just this name */
    for (size_t i = 0; i < out->n; i++) whole_value |= strcmp(out->all[i].kind, "value") == 0;
    bool few = out->n == 0 || (!called && !whole_value && !only_lessons && out->n < FEW);
    if (few && whole.n_words > 1) CHECK(find_parts(&s, &whole, only_lessons));
    qsort(out->all, out->n, sizeof *out->all, by_score);
    return s.status;
}

/* A lesson that cannot be read is passed over: others may answer. */
cairn_status cairn_finder_open(cairn_context *ctx, cairn_finder *out)
{
    cairn_lesson_item *items;
    *out = (cairn_finder){.ctx = ctx};
    CHECK(cairn_lesson_list(ctx, &items));
    out->items = items;
    size_t n = 0;
    while (items[n].id) n++;
    CHECK(SCRATCH(ctx, &out->lessons, n + 1));
    CHECK(cairn_lesson_values(ctx, &out->values));
    for (; out->n < n; out->n++) {
        cairn_lesson *lesson = &out->lessons[out->n];
        cairn_status status = cairn_lesson_read(ctx, lesson, items[out->n].id);
        if (status) *lesson = (cairn_lesson){0};
        if (status == CAIRN_NO_MEMORY || status == CAIRN_CANCELLED) {
            cairn_finder_close(out);
            return status;
        }
    }
    return CAIRN_OK;
}

void cairn_finder_close(cairn_finder *finder)
{
    for (size_t i = 0; i < finder->n; i++) cairn_lesson_clear(&finder->lessons[i]);
    cairn_json_free(finder->values);
    *finder = (cairn_finder){0};
}

cairn_status cairn_finder_ask(const cairn_finder *finder, cairn_hits *out, const char *words)
{
    return find_all(finder, out, words, false);
}

static cairn_status find_in_all(cairn_context *ctx, cairn_hits *out, const char *words,
                                bool only_lessons)
{
    SCOPED(cairn_finder_close) cairn_finder finder;
    CHECK(cairn_finder_open(ctx, &finder));
    return find_all(&finder, out, words, only_lessons);
}

cairn_status cairn_find(cairn_context *ctx, cairn_hits *out, const char *words)
{
    return find_in_all(ctx, out, words, false);
}

cairn_status cairn_find_lessons(cairn_context *ctx, cairn_hits *out, const char *words)
{
    return find_in_all(ctx, out, words, true);
}

cairn_status cairn_find_join(const cairn_command *c, const char **out)
{
    cairn_text text = cairn_text_start(c->ctx);
    char *kept = NULL;
    for (size_t i = 0; i < c->n_words; i++) cairn_text_addf(&text, i ? " %s" : "%s", c->words[i]);
    cairn_status status = cairn_text_status(&text);
    if (!status) status = SCRATCH_RAW(c->ctx, &kept, text.length + 1);
    if (!status) memcpy(kept, cairn_text_string(&text), text.length + 1);
    cairn_text_clear(&text);
    *out = kept;
    return status;
}

/* -- showing -- */

bool cairn_find_is_called(const cairn_hits *hits)
{
    return is_called(&hits->all[0]);
}

void cairn_find_hide(cairn_report *report, const cairn_hits *hits)
{
    for (size_t i = 0; i < hits->n; i++) {
        const cairn_hit *hit = &hits->all[i];
        size_t number = i + 1;
        cairn_report_hidden_word(report, hit->use ? hit->use : hit->name, "found.%zu.name", number);
        cairn_report_hidden_word(report, hit->kind, "found.%zu.kind", number);
        cairn_report_hidden_word(report, hit->title, "found.%zu.title", number);
        cairn_report_hidden_word(report, hit->by, "found.%zu.by", number);
        cairn_report_hidden_word(report, hit->type, "found.%zu.type", number);
    }
    cairn_report_hidden(report, (double)hits->n, "found.count");
}

/* What it is, as far as a line has room beside the longest of the names. */
static int short_title(const cairn_hit *hit, size_t room)
{
    size_t length = strlen(hit->title);
    if (length <= room) return (int)length;
    room -= strlen(" ...");
    while (room && hit->title[room] != ' ') room--;
    while (room && strchr(" ,:;", hit->title[room - 1])) room--;
    return (int)room;
}

void cairn_find_show(cairn_report *report, const cairn_hits *hits, const char *words)
{
    enum { WIDTH = 80, KIND = 10 };
    size_t wide = 4;
    cairn_report_heading(report, 1, "Found for '%s'", words);
    for (size_t i = 0; i < hits->n && i < SHOWN; i++) {
        size_t length = strlen(hits->all[i].use ? hits->all[i].use : hits->all[i].name);
        if (length > wide) wide = length;
    }
    size_t room = wide + KIND + 24 < WIDTH ? WIDTH - 4 - KIND - wide : 20;
    cairn_report_table_of(report, NULL, (size_t)-1, "lll", "name", "kind", "what it is");
    for (size_t i = 0; i < hits->n && i < SHOWN; i++) {
        const cairn_hit *hit = &hits->all[i];
        char title[128];
        int shown = short_title(hit, room);
        snprintf(title, sizeof title, "%.*s%s", shown, hit->title, hit->title[shown] ? " ..." : "");
        cairn_report_cells(report, NULL, hit->use ? hit->use : hit->name, hit->kind, title);
    }
    cairn_report_table_end(report);
    cairn_find_hide(report, hits);
    if (hits->n > SHOWN) cairn_report_paragraph(report, "... and %zu more.", hits->n - SHOWN);
    cairn_report_paragraph(report, "%s tells more about the first of these.", hits->all->type);
}

/* The i-th name of an entry or a topic. */
static const char *any_name(const cairn_context *ctx, size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_entries(ctx, &n);
    return i < n ? entries[i]->name : cairn_topics[i - n].name;
}

cairn_status cairn_find_nothing(cairn_context *ctx, const char *words)
{
    enum { NEAREST = 3 };
    const char *near[NEAREST] = {"", "", ""}, *name;
    char start[CAIRN_WORD_SIZE];
    size_t length = strlen(words) < sizeof start ? strlen(words) : sizeof start - 1;
    memcpy(start, words, length);
    start[length] = 0;
    size_t edits[NEAREST] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    for (size_t i = 0; (name = any_name(ctx, i)); i++) {
        size_t e = cairn_word_edits(start, name), at = NEAREST;
        bool known = false;
        for (size_t k = 0; k < NEAREST; k++) known |= strcmp(near[k], name) == 0;
        while (at > 0 && e < edits[at - 1] && !known) at--;
        if (at == NEAREST) continue;
        for (size_t k = NEAREST - 1; k > at; k--) near[k] = near[k - 1], edits[k] = edits[k - 1];
        near[at] = name;
        edits[at] = e;
    }
    return cairn_fail(ctx, CAIRN_USAGE,
                      "nothing is found for '%s'; the nearest names are %s, %s and %s; 'cairn "
                      "list' shows all that there is",
                      words, near[0], near[1], near[2]);
}
