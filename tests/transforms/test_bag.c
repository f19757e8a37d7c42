/* SPDX-License-Identifier: MIT */
/* bag and tf-idf: tokens, vocabularies, values, and what they refuse. */
#include "support/fail_alloc.h"
#include "support/unit.h"
#include "base/words.h"
#include "data/tokens.h"
#include "support/transforms.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static cairn_table *texts(cairn_context *ctx, const char *const *cells, size_t n)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "text", (const char **)cells));
    return table;
}

static const char *const three[] = {"The cat sat. The cat ran!", "A dog sat", "Dogs RUN, cats run"};

static cairn_table *run2(cairn_context *ctx, const cairn_table *table, const char *first,
                         const char *second)
{
    const char *with[] = {first, second, NULL};
    cairn_table *out;
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    return out;
}

/* The cell of a row after `spec`, of one text per row. */
static const char *bag_of(cairn_context *ctx, const char *spec, size_t row)
{
    static char cell[600];
    cairn_table *table = texts(ctx, three, 3), *out = run2(ctx, table, spec, NULL);
    assert_int_equal(out->slots[0].column->kind, CAIRN_BAG);
    cairn_table_cell(out, 0, row, cell, sizeof cell);
    cairn_table_free(out);
    cairn_table_free(table);
    return cell;
}

static void refuses(cairn_context *ctx, const char *spec, cairn_status wanted, const char *part)
{
    const char *with[] = {spec, NULL};
    cairn_table *table = texts(ctx, three, 3), *out;
    assert_fails(ctx, run_transforms(ctx, &out, table, with, NULL), wanted, part);
    cairn_table_free(table);
}

static const char *write_file(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/cairn-words-%ld", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static const char *with_file(const char *format, const char *text)
{
    static char spec[256];
    snprintf(spec, sizeof spec, format, write_file(text));
    return spec;
}

static void test_bag__words_are_counted(void **state)
{
    assert_string_equal(bag_of(*state, "bag", 0), "cat:2 ran sat the:2");
    assert_string_equal(bag_of(*state, "bag", 1), "dog sat");
    assert_string_equal(bag_of(*state, "bag", 2), "cats dogs run:2");
    assert_string_equal(bag_of(*state, "bag:min-length=1", 1), "a dog sat");
    assert_string_equal(bag_of(*state, "bag:lower=no", 2), "Dogs RUN cats run");
}

static void test_bag__values(void **state)
{
    assert_string_equal(bag_of(*state, "bag:values=bits", 0), "cat ran sat the");
    const char *const many[] = {"a1 a1 a1 b1 b1 c1"};
    cairn_table *t = texts(*state, many, 1), *out = run2(*state, t, "bag:cap=2", NULL);
    char cell[100];
    cairn_table_cell(out, 0, 0, cell, sizeof cell);
    assert_string_equal(cell, "a1:2 b1:2 c1");
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_bag__limits_of_the_vocabulary(void **state)
{
    assert_string_equal(bag_of(*state, "bag:min-documents=2", 0), "sat");
    assert_string_equal(bag_of(*state, "bag:max-documents=1", 0), "cat:2 ran the:2");
    assert_string_equal(bag_of(*state, "bag:min-share=0.5", 1), "sat");
    assert_string_equal(bag_of(*state, "bag:max-share=0.5", 1), "dog");
    /* cat, run, sat and the stand there twice; order decides the tie */
    assert_string_equal(bag_of(*state, "bag:max-words=2", 0), "cat:2");
    assert_string_equal(bag_of(*state, "bag:max-words=3", 0), "cat:2 sat");
}

static void test_bag__stop_words_stems_lemmas(void **state)
{
    assert_string_equal(bag_of(*state, "bag:stop=english", 0), "cat:2 ran sat");
    assert_string_equal(bag_of(*state, "bag:stop-words=\"CAT,sat\"", 0), "ran the:2");
    assert_string_equal(bag_of(*state, with_file("bag:stop-file=%s", "the\n\nCat \n"), 0),
                        "ran sat");
    assert_string_equal(bag_of(*state, "bag:stem=english", 2), "cat dog run:2");
    assert_string_equal(bag_of(*state, with_file("bag:lemmas=%s", "Ran=run\ncats cat\n"), 2),
                        "cat dogs run:2");
}

static void test_bag__n_grams(void **state)
{
    assert_string_equal(bag_of(*state, "bag:min-gram=2,max-gram=2", 1), "dog sat");
    cairn_table *t = texts(*state, three, 3),
                *out = run2(*state, t, "bag:max-gram=2,stop-words=the", NULL);
    const cairn_map *names = &out->slots[0].column->names;
    assert_true(cairn_map_find(names, "sat cat", 7) >= 0); /* stop words go before n-grams */
    assert_int_equal(cairn_map_find(names, "the cat", 7), -1);
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_bag__characters(void **state)
{
    const char *const some[] = {"a  b\xC3\xA9"};
    cairn_table *t = texts(*state, some, 1), *out = run2(*state, t, "bag:tokens=characters", NULL);
    char cell[100];
    assert_int_equal(out->slots[0].column->names.n, 4);
    cairn_table_cell(out, 0, 0, cell, sizeof cell);
    assert_string_equal(cell, "  a b \xC3\xA9");
    cairn_table_free(out);
    out = run2(*state, t, "bag:tokens=inside,min-gram=3,max-gram=9", NULL);
    assert_true(cairn_map_find(&out->slots[0].column->names, " b\xC3\xA9", 4) >= 0);
    assert_true(cairn_map_find(&out->slots[0].column->names, " a ", 3) >= 0);
    assert_int_equal(cairn_map_find(&out->slots[0].column->names, "a b", 3), -1);
    cairn_table_free(out);
    cairn_table_free(t);
}

static void test_bag__given_vocabulary(void **state)
{
    assert_string_equal(bag_of(*state, "bag:keywords=\"Sat,cat,bird\"", 0), "sat cat:2");
    assert_string_equal(bag_of(*state, "bag:keywords=\"dog sat,cat\",max-gram=2", 1), "dog sat");
    assert_string_equal(bag_of(*state, with_file("bag:vocabulary=%s", "ran\nthe\n"), 0),
                        "ran the:2");
    refuses(*state, "bag:keywords=\"dog sat\"", CAIRN_USAGE, "2 tokens long");
    refuses(*state, "bag:keywords=\"!\"", CAIRN_USAGE, "keyword '!' holds no token");
    /* what is saved reads back as the same vocabulary */
    char spec[256], again[256];
    snprintf(spec, sizeof spec, "bag:stem=english,save=%s", write_file(""));
    snprintf(again, sizeof again, "bag:stem=english,vocabulary=%s", write_file(""));
    char *first = strdup(bag_of(*state, spec, 0));
    assert_string_equal(bag_of(*state, again, 0), first);
    free(first);
}

static void test_bag__unknown_words_are_dropped_and_counted(void **state)
{
    const char *with[] = {"bag:unknown=count", NULL};
    const char *const fresh[] = {"the bird sat on a cat", "", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *t = texts(*state, three, 3), *out, *u = texts(*state, fresh, 3);
    cairn_model *model;
    char cell[100];
    options.with = with;
    assert_ok(*state, cairn_recipe_fit(*state, &model, &out, t, &options));
    assert_string_equal(cairn_table_name(out, 1), "text.unknown");
    assert_true(cairn_table_numbers(out, 1)[0] == 0);
    cairn_table_free(out);
    assert_ok(*state, cairn_recipe_apply(*state, &out, model, u));
    cairn_table_cell(out, 0, 0, cell, sizeof cell);
    assert_string_equal(cell, "cat sat the");
    assert_true(cairn_table_numbers(out, 1)[0] == 2);
    assert_true(cairn_table_numbers(out, 1)[1] == 0);
    assert_int_equal(out->slots[0].column->n_missing, 0);
    cairn_table_free(out);
    cairn_table_free(u);
    cairn_table_free(t);
    cairn_model_free(model);
}

static void test_bag__refuses(void **state)
{
    static const double x[] = {1, 2, 3};
    const char *with[] = {"bag:columns=x", NULL};
    cairn_table *t = texts(*state, three, 3), *out;
    assert_ok(*state, cairn_table_add_numbers(*state, t, "x", x));
    assert_fails(*state, run_transforms(*state, &out, t, with, NULL), CAIRN_BAD_DATA,
                 "column 'x' holds numbers (row 1: '1'), a text column is needed");
    cairn_table_free(t);
    refuses(*state, "bag:min-documents=3", CAIRN_BAD_DATA, "of 8 different tokens in 3 texts");
    refuses(*state, "bag:min-length=40", CAIRN_BAD_DATA, "min-length=40");
    refuses(*state, "bag:min-gram=3", CAIRN_USAGE, "max-gram=3");
    refuses(*state, "bag:tokens=characters,stem=english", CAIRN_USAGE, "tokens=characters");
    refuses(*state, "bag:keywords=a,vocabulary=b", CAIRN_USAGE, "keep one of them");
    refuses(*state, "bag:stop-file=/no/such/file", CAIRN_FILE_ERROR, "/no/such/file");
    refuses(*state, with_file("bag:lemmas=%s", "a=b\nlonely\n"), CAIRN_BAD_DATA,
            "line 2: 'lonely' should read word=lemma");
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-14)) fail_msg("%.17g is not %.17g", a, b);
}

static void test_tf_idf__by_hand(void **state)
{
    const char *const two[] = {"aa aa bb", "bb"};
    cairn_table *t = texts(*state, two, 2), *out = run2(*state, t, "bag", "tf-idf:norm=none");
    const double *w = out->slots[0].column->amounts;
    assert_near(w[0], 2 * (log(3.0 / 2) + 1));
    assert_near(w[1], 1);
    cairn_table_free(out);
    out = run2(*state, t, "bag", "tf-idf:idf=plain,norm=none,sublinear=yes");
    w = out->slots[0].column->amounts;
    assert_near(w[0], (1 + log(2)) * log(2));
    assert_near(w[1], 0);
    cairn_table_free(out);
    out = run2(*state, t, "bag", "tf-idf:idf=shifted,norm=l1");
    w = out->slots[0].column->amounts;
    assert_near(w[0], 2 * (log(2) + 1) / (2 * (log(2) + 1) + 1));
    assert_near(w[2], 1);
    cairn_table_free(out);
    cairn_table_free(t);
}

static const char *folded(cairn_context *ctx, cairn_folding how, const char *text)
{
    static char copy[200];
    cairn_folded f = {0};
    assert_ok(ctx, cairn_fold(ctx, &f, &how, text, strlen(text)));
    memcpy(copy, f.bytes, f.length);
    copy[f.length] = 0;
    cairn_folded_clear(&f);
    return copy;
}

static void test_words__folding(void **state)
{
    cairn_folding lower = {.lower = true}, strip = {.lower = true, .strip_accents = true};
    cairn_folding plain = {.form = CAIRN_FORM_COMPATIBLE, .lower = true};
    assert_string_equal(folded(*state, lower, "ABC xyz!"), "abc xyz!");
    assert_string_equal(folded(*state, lower, "ΟΔΟΣ ΣΑΣ."), "οδος σας.");
    assert_string_equal(folded(*state, lower, "İ"), "i\xCC\x87");
    assert_string_equal(folded(*state, strip, "Zürich Málaga"), "zurich malaga");
    assert_string_equal(folded(*state, plain, "ﬁn ＡＢＣ ™"), "fin abc tm");
    /* marks in the wrong order are put right: dot below comes before acute */
    cairn_folding composed = {.form = CAIRN_FORM_COMPOSED};
    assert_string_equal(folded(*state, composed, "e\xCC\x81\xCC\xA3"), "\xE1\xBA\xB9\xCC\x81");
}

static cairn_status stem_and_join(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_table *table = NULL, *out = NULL;
    const char *with[] = {"bag:max-gram=2,stop=english,stem=english,unknown=count", "tf-idf", NULL};
    TRY(cairn_table_new(ctx, &table, 3));
    TRY(cairn_table_add_texts(ctx, table, "text", (const char **)three));
    TRY(run_transforms(ctx, &out, table, with, NULL));
done:
    cairn_table_free(out);
    cairn_table_free(table);
    return status;
}

static void test_bag__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(stem_and_join, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bag__words_are_counted),
        context_test(test_bag__values),
        context_test(test_bag__limits_of_the_vocabulary),
        context_test(test_bag__stop_words_stems_lemmas),
        context_test(test_bag__n_grams),
        context_test(test_bag__characters),
        context_test(test_bag__given_vocabulary),
        context_test(test_bag__unknown_words_are_dropped_and_counted),
        context_test(test_bag__refuses),
        context_test(test_tf_idf__by_hand),
        context_test(test_words__folding),
        cmocka_unit_test(test_bag__failing_allocations),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char path[64];
    snprintf(path, sizeof path, "/tmp/cairn-words-%ld", (long)getpid());
    unlink(path);
    return failed;
}
