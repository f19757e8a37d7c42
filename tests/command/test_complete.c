/* SPDX-License-Identifier: MIT */
/* Completion: lines as bash has them, and what is offered. */
#include "command/complete.h"
#include "support/fail_alloc.h"

static const char breaks[] = " \t\n\"'@><=;|&(:";

static void test_split__quotes_and_breaks(void **state)
{
    static const struct {
        const char *line, *last;
        size_t n, skip;
        char quote;
    } cases[] = {
        {"cairn", "cairn", 1, 0, 0},
        {"cairn ", "", 2, 0, 0},
        {"cairn fit tr", "tr", 3, 0, 0},
        {"  cairn   fit", "fit", 2, 0, 0},
        {"cairn describe @we", "@we", 3, 0, 0},
        {"cairn compare x --on=@we", "--on=@we", 4, 5, 0},
        {"cairn --with scale:method=mid", "scale:method=mid", 3, 13, 0},
        {"cairn --target \"sepal l", "sepal l", 3, 0, '"'},
        {"cairn --target 'sepal l", "sepal l", 3, 0, '\''},
        {"cairn --target sepal\\ l", "sepal l", 3, 0, 0},
        {"cairn --target a\\:b", "a:b", 3, 0, 0},
        {"cairn --target=\"a b", "--target=a b", 2, 9, '"'},
        {"cairn 'a b' c", "c", 3, 0, 0},
        {"cairn \"a\\\"b\" c", "c", 3, 0, 0},
        {"", "", 1, 0, 0},
        {"\\", "\\", 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_shell_line line;
        assert_ok(*state, cairn_shell_split(*state, &line, cases[i].line, breaks));
        assert_int_equal(line.n_words, cases[i].n);
        assert_string_equal(line.words[line.n_words - 1], cases[i].last);
        assert_int_equal(line.skip, cases[i].skip);
        assert_int_equal(line.quote, cases[i].quote);
    }
}

static void check_added(cairn_context *ctx, const char *word, size_t skip, char quote,
                        const char *wanted)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_shell_add(&text, word, skip, quote);
    assert_string_equal(cairn_text_string(&text), wanted);
    cairn_text_clear(&text);
}

static void test_add__quotes_what_the_shell_would_read(void **state)
{
    check_added(*state, "sepal length", 0, 0, "sepal\\ length");
    check_added(*state, "sepal length", 0, '"', "sepal length");
    check_added(*state, "a\"$b", 0, '"', "a\\\"\\$b");
    check_added(*state, "it's", 0, '\'', "it'\\''s");
    check_added(*state, "it's", 0, 0, "it\\'s");
    check_added(*state, "scale:method=mid", 13, 0, "mid");
    check_added(*state, "x*y", 0, 0, "x\\*y");
    check_added(*state, "~home", 0, 0, "\\~home");
}

typedef struct offers {
    char text[200000];
    size_t n, count;
} offers;

static void add_offer(const char *word, const char *help, void *data)
{
    offers *o = data;
    size_t length = strlen(word);
    (void)help;
    if (o->n + length + 2 >= sizeof o->text) return;
    memcpy(o->text + o->n, word, length);
    o->n += length;
    o->text[o->n++] = ' ';
    o->text[o->n] = 0;
    o->count++;
}

static offers all; /* large */

static const char *offered(cairn_context *ctx, size_t n, const char *const *words)
{
    memset(&all, 0, sizeof all);
    assert_ok(ctx, cairn_complete(ctx, words, n, add_offer, &all));
    return all.text;
}
#define OFFERED(...)                                                                               \
    offered(*state, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),                        \
            (const char *[]){__VA_ARGS__})

static void test_complete__options_of_the_learner_only(void **state)
{
    assert_string_equal(OFFERED("fit", "tree", "@iris", "--max-dep"), "--max-depth ");
    assert_string_equal(OFFERED("fit", "knn", "@iris", "--max-dep"), "");
    assert_string_equal(OFFERED("fit", "tree", "--max-depth", "3", "--max-dep"), "");
    assert_string_equal(OFFERED("fit", "rule-list", "@iris", "--preset", "c"), "cn2 cn2-entropy ");
    assert_null(strstr(OFFERED("fit", "tree", "@iris", "--preset", "c"), "cn2"));
    assert_string_equal(OFFERED("fit", "tree", "@iris", "--preset=ca"), "--preset=cart ");
}

static void test_complete__columns_of_the_data(void **state)
{
    assert_string_equal(OFFERED("fit", "tree", "@iris", "--target", "sp"), "species ");
    assert_string_equal(OFFERED("fit", "tree", "@iris", "--features", "petal_length,petal"),
                        "petal_length,petal_width ");
    assert_string_equal(OFFERED("compare", "tree", "--on", "@iris", "--target", "sp"), "species ");
    assert_string_equal(OFFERED("draw", "scatter", "@iris", "--x", "sepal_w"), "sepal_width ");
    assert_string_equal(OFFERED("fit", "tree", "--target", "sp"), "");
    assert_string_equal(OFFERED("fit", "tree", "/dev/zero", "--target", "sp"), "");
    assert_string_equal(OFFERED("fit", "tree", "/nowhere/x.csv", "--target", "sp"), "");
}

static void test_complete__specs(void **state)
{
    assert_string_equal(OFFERED("fit", "knn", "@iris", "--with", "standa"), "standardise ");
    assert_string_equal(OFFERED("fit", "knn", "@iris", "--with", "standardise:div"),
                        "standardise:divisor= ");
    assert_string_equal(OFFERED("fit", "knn", "@iris", "--distance", "kernel:kernel=rb"),
                        "kernel:kernel=rbf ");
    assert_string_equal(OFFERED("fit", "calibrated", "@iris", "--learner", "forest:tr"),
                        "forest:trees= ");
    assert_string_equal(OFFERED("fit", "tree:preset=ca"), "tree:preset=cart ");
}

/* A row that names entries says of which kind. */
static void test_complete__specs_name_their_kind(void **state)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_param *row;
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; (row = cairn_params_row(entries[i], j, NULL)); j++)
            if (row->type == CAIRN_TYPE_SPEC && !row->names)
                fail_msg("%s: %s does not say what it names", entries[i]->name, row->name);
}

/* Every verb and learner answers at every place without harm, and every row that names entries
 * names a kind that there is. */
static void test_complete__everywhere(void **state)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    const cairn_param *row;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; (row = cairn_params_row(entries[i], j, NULL)); j++) {
            size_t least = row->type == CAIRN_TYPE_SPEC ? 1 : 0;
            char option[80] = "--";
            cairn_option_name(option + 2, row->name);
            if (entries[i]->kind == CAIRN_ENTRY_VERB)
                (void)OFFERED(entries[i]->name, "@iris", option, "");
            else if (entries[i]->kind == CAIRN_ENTRY_LEARNER)
                (void)OFFERED("fit", entries[i]->name, "@iris", option, "");
            else
                continue;
            if (all.count < least)
                fail_msg("%s: --%s names no kind of entry", entries[i]->name, option);
        }
}

static cairn_status complete_some(cairn_context *ctx, void *data)
{
    static const char *const lines[][5] = {
        {"fit", "tree", "@iris", "--features", "petal_length,petal"},
        {"fit", "tree", "@iris", "--with", "scale:method=m"},
        {"compare", "tree", "--on", "@weather", "--max"},
    };
    cairn_shell_line line;
    (void)data;
    memset(&all, 0, sizeof all);
    CHECK(cairn_shell_split(ctx, &line, "cairn fit 'a b", breaks));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK(cairn_complete(ctx, lines[i], 5, add_offer, &all));
    return CAIRN_OK;
}

static void test_complete__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(complete_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_split__quotes_and_breaks),
        context_test(test_add__quotes_what_the_shell_would_read),
        context_test(test_complete__options_of_the_learner_only),
        context_test(test_complete__columns_of_the_data),
        context_test(test_complete__specs),
        cmocka_unit_test(test_complete__specs_name_their_kind),
        context_test(test_complete__everywhere),
        cmocka_unit_test(test_complete__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
