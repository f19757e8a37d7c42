/* SPDX-License-Identifier: MIT */
/* What people look for leads to the page that explains it, among the first three: the words of
 * indexes and headings of textbooks, and what newcomers and users of other tools type. The lists in
 * words/ say what was looked for and which pages answer. */
#include "command/find.h"
#include "support/unit.h"
#include <stdio.h>

enum { FIRST = 3, LINE = 400 };

/* Whether the page is one of "a, b, c". */
static bool is_wanted(const char *name, const char *wanted)
{
    size_t length = strlen(name);
    for (const char *at = wanted; *at;) {
        size_t n = strcspn(at, ",\n");
        if (n == length && memcmp(at, name, n) == 0) return true;
        at += n;
        at += strspn(at, ", \n");
    }
    return false;
}

/* Lessons and values of reports are no pages. */
static bool is_page(const cairn_hit *hit)
{
    return strcmp(hit->kind, "lesson") != 0 && strcmp(hit->kind, "value") != 0;
}

static bool leads(const cairn_hits *hits, const char *wanted)
{
    for (size_t i = 0; i < hits->n && i < FIRST; i++)
        if (is_page(&hits->all[i]) && is_wanted(hits->all[i].name, wanted)) return true;
    return false;
}

static void show_miss(const cairn_hits *hits, const char *words, const char *wanted)
{
    printf("'%s' should lead to %.*s:", words, (int)strcspn(wanted, "\n"), wanted);
    for (size_t i = 0; i < hits->n && i < FIRST; i++)
        printf(" %s %s;", hits->all[i].kind, hits->all[i].name);
    printf("\n");
}

/* A page that is expected must be there, or nothing could lead to it. */
static void check_pages(cairn_context *ctx, const char *wanted)
{
    char name[LINE];
    for (const char *at = wanted; *at && *at != '\n';) {
        size_t n = strcspn(at, ",\n"), n_entries, found = 0;
        const cairn_entry *const *entries = cairn_entries(ctx, &n_entries);
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        for (size_t i = 0; i < n_entries; i++) found += strcmp(entries[i]->name, name) == 0;
        for (const cairn_topic *t = cairn_topics; t->name; t++) found += !strcmp(t->name, name);
        if (!found && *name != '@') fail_msg("there is no page '%s'", name);
        at += n;
        at += strspn(at, ", ");
    }
}

/* Ask for every line "words = page, page" of a file; how many were asked, and how many lead. */
static size_t ask_all(cairn_context *ctx, const char *file, size_t *n)
{
    char line[LINE];
    size_t found = 0;
    cairn_finder finder;
    FILE *lines = fopen(file, "r");
    assert_non_null(lines);
    assert_ok(ctx, cairn_finder_open(ctx, &finder));
    for (*n = 0; fgets(line, sizeof line, lines);) {
        char *equals = strstr(line, " = ");
        cairn_hits hits;
        if (*line == '#' || !equals) continue;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        *equals = 0;
        check_pages(ctx, equals + 3);
        assert_ok(ctx, cairn_finder_ask(&finder, &hits, line));
        ++*n;
        if (leads(&hits, equals + 3))
            found++;
        else
            show_miss(&hits, line, equals + 3);
        cairn_scratch_release(ctx, mark);
    }
    fclose(lines);
    cairn_finder_close(&finder);
    printf("%s: %zu of %zu\n", file, found, *n);
    return found;
}

static void test_words__of_indexes_lead_to_their_pages(void **state)
{
    size_t n, found = ask_all(*state, "tests/command/words/index_words.txt", &n);
    assert_true(n >= 500);
    assert_true(100 * found >= 97 * n);
}

static void test_words__of_newcomers_lead_to_their_pages(void **state)
{
    size_t n, found = ask_all(*state, "tests/command/words/phrases.txt", &n);
    assert_true(n >= 150);
    assert_true(150 * found >= 145 * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_words__of_indexes_lead_to_their_pages),
        context_test(test_words__of_newcomers_lead_to_their_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
