/* SPDX-License-Identifier: MIT */
/* What every HTML page must keep to: tags are closed in order, ids are unique, headings do not skip
 * a level, nothing is loaded. */
#ifndef CAIRN_TESTS_REPORT_PAGE_H
#define CAIRN_TESTS_REPORT_PAGE_H

#include "base/text.h"
#include "support/unit.h"

enum { DEEPEST = 64, MOST_IDS = 5000 };

static inline bool is_void(const char *name)
{
    return cairn_same(name, "meta") || cairn_same(name, "br") || cairn_same(name, "input");
}

/* The tag name at `at` (behind < or </) into `name`. */
static inline void read_name(const char *at, char name[16])
{
    size_t n = strcspn(at, " \n/>");
    assert_in_range(n, 1, 15);
    memcpy(name, at, n);
    name[n] = 0;
}

/* Where the text of style and script ends: they are not markup. */
static inline const char *skip_raw(const char *at, const char *name)
{
    if (cairn_same(name, "style")) return strstr(at, "</style>");
    if (cairn_same(name, "script")) return strstr(at, "</script>");
    return at;
}

/* Every tag is closed by its own and in order. */
static inline void assert_balanced(const char *html)
{
    char open[DEEPEST][16], name[16];
    size_t depth = 0;
    assert_true(cairn_starts_with(html, "<!DOCTYPE html>\n<html lang=\"en\">\n"));
    for (const char *at = html + 15; (at = strchr(at, '<'));) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '/') {
            read_name(at + 2, name);
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            read_name(at + 1, name);
            if (!is_void(name)) {
                assert_true(depth < DEEPEST);
                memcpy(open[depth++], name, sizeof name);
            }
            end = skip_raw(end, name);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static inline void assert_ids_unique(const char *html)
{
    static const char *ids[MOST_IDS];
    size_t n = 0;
    for (const char *at = html; (at = strstr(at, " id=\"")); n++) {
        at += 5;
        size_t length = strcspn(at, "\"");
        assert_true(n < MOST_IDS);
        for (size_t i = 0; i < n; i++)
            if (strncmp(ids[i], at, length + 1) == 0) fail_msg("id twice: %.*s", (int)length, at);
        ids[n] = at;
    }
}

static inline void assert_headings_in_order(const char *html)
{
    int level = 0, ones = 0;
    for (const char *at = html; (at = strstr(at, "<h")); at++) {
        if (at[2] < '1' || at[2] > '6') continue;
        int next = at[2] - '0';
        if (next > level + 1) fail_msg("h%d after h%d", next, level);
        level = next;
        ones += next == 1;
    }
    assert_int_equal(ones, 1);
}

static inline void assert_loads_nothing(const char *html)
{
    assert_null(strstr(html, "src="));
    assert_null(strstr(html, "<link"));
    assert_null(strstr(html, "@import"));
    assert_null(strstr(html, "url("));
    assert_null(strstr(html, "https://"));
}

static inline void assert_good_page(const char *html)
{
    assert_int_equal(cairn_utf8_check(html, strlen(html)), strlen(html));
    assert_balanced(html);
    assert_ids_unique(html);
    assert_headings_in_order(html);
    assert_loads_nothing(html);
}

#endif
