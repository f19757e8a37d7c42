/* SPDX-License-Identifier: MIT */
/* text-features, pixel-features and lpc-features. */
#include "support/unit.h"
#include "support/transforms.h"
#include "stats/lpc.h"
#include "transforms/passages.h"
#include <math.h>
#include <stdio.h>

static const char *const mails[] = {
    "WIN $50 now, FREE money!",
    "A man, a plan, a canal: Panama",
    "> quoted line\n>  two\nok, no lemon, no melon",
    NULL,
};
static const char *const others[] = {"we win $50 NOW my friend", "nothing", "quoted line two", "x"};
static const char *const senders[] = {"Bob <Bob@x.org>", "eve@y.org", "al", NULL};

static cairn_table *run(cairn_context *ctx, const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *table, *out;
    assert_ok(ctx, cairn_table_new(ctx, &table, 4));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "t", (const char **)mails));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "other", (const char **)others));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "from", (const char **)senders));
    assert_ok(ctx, run_transforms(ctx, &out, table, with, NULL));
    cairn_table_free(table);
    return out;
}

/* The first three rows of a feature; the fourth, whose text is missing, must be missing. */
static void assert_feature(const cairn_table *t, const char *name, double a, double b, double c)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    const double *x = cairn_table_numbers(t, (size_t)at);
    if (x[0] != a || x[1] != b || x[2] != c)
        fail_msg("%s: %g %g %g, not %g %g %g", name, x[0], x[1], x[2], a, b, c);
    assert_true(isnan(x[3]));
}

static void test_text_features__counts(void **state)
{
    cairn_table *t = run(*state, "text-features:columns=t,regex=\"\\$\\d\\d,[a-z]{4,}\","
                                 "phrases=\"Free Money,a plan a\",caps=3,palindrome=yes,"
                                 "quoted=yes,list=\"a,man,plan\",inside=2,outside=3");
    assert_feature(t, "t:/\\$\\d\\d/", 1, 0, 0);
    assert_feature(t, "t:/[a-z]{4,}/", 1, 3, 4);
    assert_feature(t, "t:Free Money", 1, 0, 0);
    assert_feature(t, "t:a plan a", 0, 1, 0);
    assert_feature(t, "t:caps", 2, 0, 0);
    assert_feature(t, "t:amounts", 1, 0, 0);
    assert_feature(t, "t:palindrome", 0, 1, 0);
    assert_feature(t, "t:quoted", 0, 0, 2);
    assert_feature(t, "t:inside", 0, 5, 0);
    assert_feature(t, "t:outside", 5, 2, 8);
    assert_int_equal(cairn_table_find(t, "t"), -1);
    assert_true(cairn_table_find(t, "other") >= 0);
    cairn_table_free(t);
}

static void test_text_features__bits_reach_what_is_asked_for(void **state)
{
    cairn_table *t = run(*state, "text-features:columns=t,values=bits,inside=5,outside=8,"
                                 "list=\"a,man,plan\",regex=no,keep=yes");
    assert_feature(t, "t:inside", 0, 1, 0);
    assert_feature(t, "t:outside", 0, 0, 1);
    assert_feature(t, "t:/no/", 1, 0, 1);
    assert_true(cairn_table_find(t, "t") >= 0);
    cairn_table_free(t);
}

static void test_text_features__relations(void **state)
{
    cairn_table *t = run(*state, "text-features:columns=t,against=other,caps=0,amounts=no,"
                                 "sender=from,senders=\"BOB@x.org,al\"");
    assert_feature(t, "t:shared", 3, 0, 3);
    assert_feature(t, "from:listed", 1, 0, 1);
    assert_int_equal(cairn_table_find(t, "other"), -1);
    cairn_table_free(t);
}

/* A training text is not another text to itself; a repeated passage counts where it stands. */
static void test_text_features__passages_of_other_texts(void **state)
{
    static const char *const texts[] = {"a b c d", "x b c d", "p q r", "b c d e f"};
    const char *with[] = {"text-features:shared=3,caps=0,amounts=no", NULL};
    const double wanted[] = {1, 1, 0, 1};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *model;
    cairn_table *t, *fresh, *out;
    options.with = with;
    assert_ok(*state, cairn_table_new(*state, &t, 3));
    assert_ok(*state, cairn_table_add_texts(*state, t, "t", (const char **)texts));
    assert_ok(*state, cairn_recipe_fit(*state, &model, &out, t, &options));
    for (size_t i = 0; i < 3; i++) assert_true(cairn_table_numbers(out, 0)[i] == wanted[i]);
    cairn_table_free(out);
    assert_ok(*state, cairn_table_new(*state, &fresh, 4));
    assert_ok(*state, cairn_table_add_texts(*state, fresh, "t", (const char **)texts));
    assert_ok(*state, cairn_recipe_apply(*state, &out, model, fresh));
    for (size_t i = 0; i < 4; i++) assert_true(cairn_table_numbers(out, 0)[i] == wanted[i]);
    cairn_table_free(out);
    cairn_table_free(fresh);
    cairn_table_free(t);
    cairn_model_free(model);
}

static void refuses(cairn_context *ctx, const char *spec, cairn_status wanted, const char *part)
{
    const char *with[] = {spec, NULL};
    static const double x[] = {1, 2, 3, 4};
    cairn_table *t, *out;
    assert_ok(ctx, cairn_table_new(ctx, &t, 4));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "t", (const char **)mails));
    for (int k = 0; k < 6; k++) {
        char name[8] = {'x', (char)('0' + k)};
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, x));
    }
    assert_fails(ctx, run_transforms(ctx, &out, t, with, NULL), wanted, part);
    cairn_table_free(t);
}

static void test_features__refuse(void **state)
{
    refuses(*state, "text-features:regex=a(b", CAIRN_USAGE, "character 4");
    refuses(*state, "text-features:caps=0,amounts=no", CAIRN_USAGE, "no feature is asked for");
    refuses(*state, "text-features:inside=2", CAIRN_USAGE, "list");
    refuses(*state, "text-features:sender=t", CAIRN_USAGE, "senders");
    refuses(*state, "text-features:columns=x0", CAIRN_BAD_DATA, "column 'x0' holds number");
    refuses(*state, "pixel-features", CAIRN_BAD_DATA, "6 pixels are no square picture");
    refuses(*state, "pixel-features:width=4", CAIRN_BAD_DATA, "not width x height for width 4");
    refuses(*state, "pixel-features:width=3,features=lops", CAIRN_USAGE, "did you mean 'loops'");
    refuses(*state, "pixel-features:width=3,threshold=high", CAIRN_USAGE, "not 'high'");
    refuses(*state, "lpc-features:order=6", CAIRN_BAD_DATA, "too short for order 6");
    refuses(*state, "lpc-features:order=2,frame=9", CAIRN_BAD_DATA, "a row only 6");
}

/* -- pictures -- */

/* A table of pictures from letters, each `length` long. */
static cairn_table *shapes(cairn_context *ctx, const char *const *pictures, size_t n,
                           const char *spec)
{
    const char *with[] = {spec, NULL};
    cairn_table *t, *out;
    size_t length = strlen(pictures[0]);
    double column[8];
    assert_ok(ctx, cairn_table_new(ctx, &t, n));
    for (size_t k = 0; k < length; k++) {
        char name[32];
        for (size_t i = 0; i < n; i++)
            column[i] = pictures[i][k] == '#' ? 1 : pictures[i][k] == '?' ? NAN : 0;
        snprintf(name, sizeof name, "p%zu", k);
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, column));
    }
    assert_ok(ctx, run_transforms(ctx, &out, t, with, NULL));
    cairn_table_free(t);
    return out;
}

static double shape_of(const cairn_table *t, const char *name, size_t row)
{
    char full[40];
    snprintf(full, sizeof full, "pixels:%s", name);
    ptrdiff_t at = cairn_table_find(t, full);
    if (at < 0) fail_msg("there is no %s", full);
    return cairn_table_numbers(t, (size_t)at)[row];
}

static const char *const drawn[] = {
    "####"
    "#.##"
    "####"
    "...#",
    "#.#."
    ".#.."
    "...."
    "...#",
    "...."
    "...."
    "...."
    "....",
    "?###"
    "####"
    "####"
    "####",
};

static void test_pixel_features__shapes(void **state)
{
    cairn_table *t = shapes(*state, drawn, 4,
                            "pixel-features:features=\"ink,components,loops,euler,width,height,"
                            "aspect,x,y,rows,columns,bits\",threshold=0.5");
    assert_true(shape_of(t, "ink", 0) == 12 / 16.0);
    assert_true(shape_of(t, "components", 0) == 1);
    assert_true(shape_of(t, "loops", 0) == 1);
    assert_true(shape_of(t, "euler", 0) == 0);
    assert_true(shape_of(t, "aspect", 0) == 1);
    assert_true(shape_of(t, "row4", 0) == 0.25);
    assert_true(shape_of(t, "column4", 0) == 1);
    assert_true(shape_of(t, "bit5", 0) == 0);
    assert_true(shape_of(t, "components", 1) == 2);
    assert_true(shape_of(t, "width", 1) == 4);
    assert_true(shape_of(t, "x", 1) == (0.5 + 2.5 + 1.5 + 3.5) / 16);
    assert_true(shape_of(t, "components", 2) == 0);
    assert_true(shape_of(t, "loops", 2) == 0);
    assert_true(shape_of(t, "width", 2) == 0);
    assert_true(isnan(shape_of(t, "aspect", 2)));
    assert_true(isnan(shape_of(t, "ink", 3)));
    assert_int_equal(cairn_table_find(t, "p0"), -1);
    cairn_table_free(t);
}

/* Ink over 4 neighbours, paper over 8: the diamond's inside leaks out. */
static void test_pixel_features__neighbours(void **state)
{
    static const char *const diamond[] = {".#.#.#.#."};
    cairn_table *t = shapes(*state, diamond, 1, "pixel-features");
    assert_true(shape_of(t, "components", 0) == 1);
    assert_true(shape_of(t, "loops", 0) == 1);
    cairn_table_free(t);
    t = shapes(*state, diamond, 1, "pixel-features:connect=4,keep=yes");
    assert_true(shape_of(t, "components", 0) == 4);
    assert_true(shape_of(t, "loops", 0) == 0);
    assert_true(cairn_table_find(t, "p0") >= 0);
    cairn_table_free(t);
    t = shapes(*state, diamond, 1, "pixel-features:ink=dark");
    assert_true(shape_of(t, "ink", 0) == 5 / 9.0);
    cairn_table_free(t);
}

/* -- signals -- */

static void test_lpc__solves_the_normal_equations(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 2, 1, 0, 1, 2, 3, 2};
    double r[3], a[2], k[2], errors[3], spare[2];
    cairn_autocorrelation(r, x, 10, 2);
    assert_true(r[0] == 37 && r[1] == 30 && r[2] == 18);
    double left = cairn_levinson(r, 2, a, k, errors, spare);
    assert_true(fabs(a[0] - 570.0 / 469) < 1e-14);
    assert_true(fabs(a[1] + 234.0 / 469) < 1e-14);
    assert_true(fabs(left - (37 - a[0] * 30 - a[1] * 18)) < 1e-12);
    assert_true(k[0] == 30.0 / 37 && errors[0] == 37);
    static const double silence[] = {0, 0, 0};
    cairn_autocorrelation(r, silence, 3, 2);
    assert_true(cairn_levinson(r, 2, a, NULL, NULL, spare) == 0);
    assert_true(a[0] == 0 && a[1] == 0);
}

static void test_lpc_features__frames(void **state)
{
    static const double rows[8][2] = {{1, 1}, {2, 1},   {3, 1}, {2, 1},
                                      {1, 5}, {0, NAN}, {1, 5}, {2, 5}};
    const char *with[] = {"lpc-features:order=1,frame=4,step=2", NULL};
    cairn_table *t, *out;
    assert_ok(*state, cairn_table_new(*state, &t, 2));
    for (int k = 0; k < 8; k++) {
        char name[8] = {'s', (char)('0' + k)};
        assert_ok(*state, cairn_table_add_numbers(*state, t, name, rows[k]));
    }
    assert_ok(*state, run_transforms(*state, &out, t, with, NULL));
    assert_int_equal(cairn_table_columns(out), 6);
    assert_string_equal(cairn_table_name(out, 0), "lpc:frame1:a1");
    assert_string_equal(cairn_table_name(out, 5), "lpc:frame3:left");
    assert_true(fabs(cairn_table_numbers(out, 0)[0] - 14.0 / 18) < 1e-14);
    assert_true(fabs(cairn_table_numbers(out, 0)[1] - 0.75) < 1e-14);
    assert_true(isnan(cairn_table_numbers(out, 2)[1]));
    cairn_table_free(out);
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_text_features__counts),
        context_test(test_text_features__bits_reach_what_is_asked_for),
        context_test(test_text_features__relations),
        context_test(test_text_features__passages_of_other_texts),
        context_test(test_features__refuse),
        context_test(test_pixel_features__shapes),
        context_test(test_pixel_features__neighbours),
        context_test(test_lpc__solves_the_normal_equations),
        context_test(test_lpc_features__frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
