/* SPDX-License-Identifier: MIT */
/* Numbers as text, compared with the C library bit by bit. */
#include "support/unit.h"
#include "base/number.h"
#include "base/random.h"
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double number_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Our reading and the C library's give the same bits. */
static void assert_reads_like_library(const char *text)
{
    double ours = 0, theirs = strtod(text, NULL);
    if (!cairn_number_parse(text, strlen(text), &ours)) fail_msg("'%.60s' refused", text);
    if (bits_of(ours) != bits_of(theirs)) fail_msg("'%.60s': %a, not %a", text, ours, theirs);
}

static void test_parse__short_and_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "0.0",
                                        "000",
                                        "1",
                                        "+1",
                                        "-1.5",
                                        ".5",
                                        "5.",
                                        "-.25",
                                        "1e5",
                                        "1E-5",
                                        "1e+22",
                                        "123456789",
                                        "0.1",
                                        "0.30000000000000004",
                                        "3.14159265358979",
                                        "1e23",
                                        "0e999999999999999999999",
                                        "0.000000000000000000000000000001",
                                        "9007199254740991",
                                        "1e-999999999999999999",
                                        "1e999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_reads_like_library(texts[i]);
}

static void test_parse__hard_cases(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "9007199254740993",   /* a tie, to even below */
        "9007199254740995",   /* a tie, to even above */
        "9007199254740992.5", /* not a tie */
        "9007199254740993.0000000000000000000000000000001",
        "9007199254740992.9999999999999999999999999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880e0",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308", /* the one that hung some programs */
        "2.2250738585072009e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-323",
        "1.00000000000000011102230246251565404236316680908203125", /* exactly between */
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "7.2057594037927933e16",
        "8.98846567431158e307",
        "6.62607004e-34",
        "123456789012345678901234567890e-10",
        "0.000000000000000000000000000000000000000000000012345678901234567890123456789",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "99999999999999999999",
        "10000000000000000000000000000000000000000000000000000000000000000000000000000001",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_reads_like_library(texts[i]);
}

/* Thousands of digits: none is lost, nor is the exponent behind them. */
static void test_parse__very_long(void **state)
{
    (void)state;
    static char text[6000];
    for (int zeros = 700; zeros <= 5000; zeros += 430) {
        int n = snprintf(text, sizeof text, "1%0*d", zeros, 0);
        snprintf(text + n, sizeof text - (size_t)n, "e-%d", zeros - 5);
        assert_reads_like_library(text);
        n = snprintf(text, sizeof text, "0.%0*d", zeros, 0);
        snprintf(text + n, sizeof text - (size_t)n, "12345e%d", zeros + 7);
        assert_reads_like_library(text);
    }
    /* a tie that is broken by the digit number 2,000 */
    int n = snprintf(text, sizeof text, "9007199254740993.%02000d", 0);
    assert_reads_like_library(text);
    text[n - 1] = '1';
    double x;
    assert_true(cairn_number_parse(text, (size_t)n, &x));
    assert_true(x == 9007199254740994.0);
}

/* Any double written with 1 to 20 digits by the library reads as the library reads it. */
static void test_parse__random_doubles(void **state)
{
    (void)state;
    cairn_random random;
    char text[64];
    cairn_random_start(&random, 1, 0);
    for (int i = 0; i < 300000; i++) {
        double x = number_of(cairn_random_bits(&random));
        if (!isfinite(x)) continue;
        snprintf(text, sizeof text, "%.*e", (int)cairn_random_below(&random, 20), x);
        assert_reads_like_library(text);
    }
}

/* Random digits with every exponent that matters. */
static void test_parse__random_digits(void **state)
{
    (void)state;
    cairn_random random;
    char text[64];
    cairn_random_start(&random, 1, 1);
    for (int exponent = -365; exponent <= 330; exponent++)
        for (int i = 0; i < 300; i++) {
            uint64_t digits = cairn_random_bits(&random) >> cairn_random_below(&random, 60);
            if (i % 3 == 0)
                snprintf(text, sizeof text, "%llu%05de%d", (unsigned long long)digits,
                         (int)cairn_random_below(&random, 100000), exponent);
            else
                snprintf(text, sizeof text, "%llu.%de%d", (unsigned long long)digits,
                         (int)cairn_random_below(&random, 100000), exponent);
            assert_reads_like_library(text);
        }
}

/* The middle between two neighbouring doubles, exactly, and a hair to each side. */
static void test_parse__halfway(void **state)
{
    (void)state;
    cairn_random random;
    char text[1300];
    cairn_random_start(&random, 1, 2);
    for (int i = 0; i < 3000; i++) {
        uint64_t bits = cairn_random_bits(&random) >> 1;
        if (i % 2)
            bits = (UINT64_C(1023 - 60) + cairn_random_below(&random, 120)) << 52 | bits >> 12;
        double x = number_of(bits), next = nextafter(x, INFINITY);
        if (!isfinite(x) || !isfinite(next)) continue;
        long double middle = ((long double)x + (long double)next) / 2;
        int n = snprintf(text, sizeof text, "%.1100Lf", middle);
        if (n >= (int)sizeof text || fabs(x) < 1e-290) continue;
        assert_reads_like_library(text);
        text[n - 1] = '1';
        assert_reads_like_library(text);
    }
}

static void test_parse__refusals(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",   "-",   "+",   ".",   "-.",   "e5", ".e5",  "1e",    "1e+",   "1x",    " 1",
        "1 ", "1,5", "0x1", "--1", "1..2", "in", "nanx", "infin", "1.2.3", "1e5.0", "+-1"};
    double x = 7;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (cairn_number_parse(texts[i], strlen(texts[i]), &x)) fail_msg("'%s' taken", texts[i]);
}

static void test_parse__words(void **state)
{
    (void)state;
    double x;
    assert_true(cairn_number_parse("inf", 3, &x) && x == INFINITY);
    assert_true(cairn_number_parse("-Infinity", 9, &x) && x == -INFINITY);
    assert_true(cairn_number_parse("NaN", 3, &x) && isnan(x));
    assert_true(cairn_number_parse("+inf", 4, &x) && x == INFINITY);
}

static void test_scan__stops_where_the_number_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
        double value;
    } cases[] = {{"1,2", 1, 1},     {"1.5;", 3, 1.5},  {"1e", 1, 1},     {"1e+", 1, 1},
                 {"2e3x", 3, 2000}, {"-7\n", 2, -7},   {"1.e2", 4, 100}, {"3.", 2, 3},
                 {"1.2.3", 3, 1.2}, {"1e5e5", 3, 1e5}, {"007 ", 3, 7}};
    double x;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        const char *end = cairn_number_scan(text, text + strlen(text), &x);
        assert_non_null(end);
        assert_int_equal(end - text, cases[i].length);
        assert_true(x == cases[i].value);
    }
    const char *word = "inf";
    assert_null(cairn_number_scan(word, word + 3, &x));
    /* nothing behind the end is read */
    const char *digits = "123456";
    assert_ptr_equal(cairn_number_scan(digits, digits + 3, &x), digits + 3);
    assert_true(x == 123);
    assert_ptr_equal(cairn_number_scan("1e5", "1e5", &x), NULL);
}

static void test_integer__limits(void **state)
{
    (void)state;
    int64_t n = 0;
    assert_true(cairn_integer_parse("9223372036854775807", 19, &n) && n == INT64_MAX);
    assert_true(cairn_integer_parse("-9223372036854775808", 20, &n) && n == INT64_MIN);
    assert_true(cairn_integer_parse("+0042", 5, &n) && n == 42);
    static const char *const bad[] = {
        "",   "-",   "9223372036854775808",    "-9223372036854775809", "1.0", "1e3",
        " 1", "0x1", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cairn_integer_parse(bad[i], strlen(bad[i]), &n));
}

/* `text` is what the number prints as. */
static void assert_prints(double number, int digits, const char *text)
{
    char out[CAIRN_NUMBER_SIZE];
    size_t n = cairn_number_format(out, number, digits);
    assert_string_equal(out, text);
    assert_int_equal(n, strlen(text));
}

static void test_format__shortest(void **state)
{
    (void)state;
    assert_prints(0, CAIRN_SHORTEST, "0");
    assert_prints(-0.0, CAIRN_SHORTEST, "0");
    assert_prints(5.1, CAIRN_SHORTEST, "5.1");
    assert_prints(-0.25, CAIRN_SHORTEST, "-0.25");
    assert_prints(0.1 + 0.2, CAIRN_SHORTEST, "0.30000000000000004");
    assert_prints(1e14, CAIRN_SHORTEST, "100000000000000");
    assert_prints(1e15, CAIRN_SHORTEST, "1e+15");
    assert_prints(1e21, CAIRN_SHORTEST, "1e+21");
    assert_prints(0.0001, CAIRN_SHORTEST, "0.0001");
    assert_prints(0.00001, CAIRN_SHORTEST, "1e-05");
    assert_prints(5e-324, CAIRN_SHORTEST, "5e-324");
    assert_prints(DBL_MAX, CAIRN_SHORTEST, "1.7976931348623157e+308");
    assert_prints(NAN, CAIRN_SHORTEST, "nan");
    assert_prints(-INFINITY, CAIRN_SHORTEST, "-inf");
    assert_prints(1.0 / 3, CAIRN_SHORTEST, "0.3333333333333333");
}

static void test_format__digits(void **state)
{
    (void)state;
    assert_prints(1.0 / 3, 3, "0.333");
    assert_prints(2.0 / 3, 6, "0.666667");
    assert_prints(1234567, 3, "1.23e+06");
    assert_prints(123, 3, "123");
    assert_prints(1e300, 17, "1.0000000000000001e+300");
    assert_prints(-1e-300, 99, "-1e-300");
    assert_prints(-0.0, 6, "0");
}

/* The shortest form reads back, and no form with fewer digits does. */
static void test_format__random_round_trips(void **state)
{
    (void)state;
    cairn_random random;
    char out[CAIRN_NUMBER_SIZE], plain[64];
    cairn_random_start(&random, 1, 3);
    for (int i = 0; i < 200000; i++) {
        double x = number_of(cairn_random_bits(&random));
        if (i % 2) { /* as people write them */
            double scale = pow(10, (double)cairn_random_below(&random, 12));
            x = (double)(int64_t)cairn_random_below(&random, 2000000000) / scale - 1e3;
        }
        if (!isfinite(x)) continue;
        size_t n = cairn_number_format(out, x, CAIRN_SHORTEST);
        assert_int_equal(n, strlen(out));
        assert_true(n < CAIRN_NUMBER_SIZE);
        if (strtod(out, NULL) != x) fail_msg("%a prints as %s", x, out);
        for (int digits = 1; digits <= 15; digits += 7) {
            snprintf(plain, sizeof plain, "%.*g", digits, x);
            if (strtod(plain, NULL) == x && strlen(plain) < n) fail_msg("%s, not %s", plain, out);
        }
        snprintf(plain, sizeof plain, "%.*g", 15, x);
        if (strtod(plain, NULL) == x && fabs(x) >= DBL_MIN) assert_string_equal(out, plain);
        cairn_number_format(out, x, 12);
        snprintf(plain, sizeof plain, "%.12g", x);
        assert_string_equal(out, plain);
    }
}

static void assert_writes_like_library(double x, int digits)
{
    char ours[CAIRN_NUMBER_SIZE], theirs[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_format(ours, x, digits);
    snprintf(theirs, sizeof theirs, "%.*g", digits, x);
    if (strcmp(ours, theirs) != 0) fail_msg("%a: %s, not %s", x, ours, theirs);
    assert_int_equal(length, strlen(ours));
}

/* Any number of digits of any number: all sizes, halves of the last digit, many nines. */
static void test_format__like_the_library(void **state)
{
    cairn_random random;
    (void)state;
    cairn_random_start(&random, 1, 7);
    for (int i = 0; i < 60000; i++) {
        double x = number_of(cairn_random_bits(&random)), y = cairn_random_uniform(&random);
        int digits = 1 + (int)cairn_random_below(&random, 17);
        if (isfinite(x)) assert_writes_like_library(x, digits);
        assert_writes_like_library(y, digits);
        assert_writes_like_library(-y * 1e5, digits);
        assert_writes_like_library(floor(y * 1e6) / 64, digits);
        assert_writes_like_library(1 - y * pow(10, -digits), digits);
        assert_writes_like_library((floor(y * 1e6) + 0.5) * pow(2, digits - 9), digits);
    }
    for (int e = -1074; e < 1024; e++)
        for (int digits = 1; digits <= 17; digits++) {
            assert_writes_like_library(ldexp(1, e), digits);
            assert_writes_like_library(nextafter(ldexp(1, e), 0), digits);
        }
}

static void test_fixed__places(void **state)
{
    (void)state;
    char out[CAIRN_NUMBER_SIZE];
    static const struct {
        double number;
        int places;
        const char *text;
    } cases[] = {{1.005, 2, "1.00"},   {-0.001, 2, "0.00"}, {-0.004, 3, "-0.004"},
                 {12.5, 0, "12"},      {-0.4, 0, "0"},      {1e15, 1, "1000000000000000.0"},
                 {1e16, 2, "1e+16"},   {NAN, 2, "nan"},     {-INFINITY, 2, "-inf"},
                 {-9.999, 2, "-10.00"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cairn_number_fixed(out, cases[i].number, cases[i].places);
        assert_string_equal(out, cases[i].text);
        assert_int_equal(n, strlen(out));
    }
    assert_true(cairn_number_fixed(out, -9999999999999998.0, 300) < CAIRN_NUMBER_SIZE);
    assert_int_equal(strlen(out), 38);
}

static void test_size__parse_and_format(void **state)
{
    (void)state;
    size_t n;
    assert_true(cairn_size_parse("512", &n) && n == 512);
    assert_true(cairn_size_parse("64K", &n) && n == 65536);
    assert_true(cairn_size_parse("64kb", &n) && n == 65536);
    assert_true(cairn_size_parse("1.5G", &n) && n == 1610612736);
    assert_true(cairn_size_parse("2GiB", &n) && n == 2147483648u);
    assert_true(cairn_size_parse("1T", &n) && n == UINT64_C(1) << 40);
    assert_true(cairn_size_parse("0", &n) && n == 0);
    static const char *const bad[] = {"",    "-1",  "K",    "1X",    "1 G",      "1GG",
                                      "nan", "inf", "1e30", "1Gi B", "9999999T", "1Bi"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (cairn_size_parse(bad[i], &n)) fail_msg("'%s' taken as %zu", bad[i], n);
    char out[CAIRN_NUMBER_SIZE];
    cairn_size_format(out, 512);
    assert_string_equal(out, "512 bytes");
    cairn_size_format(out, 75.3 * 1024 * 1024);
    assert_string_equal(out, "75.3 MB");
    cairn_size_format(out, 1e30);
    assert_non_null(strstr(out, "TB"));
}

/* A program around us may have set a locale with a decimal comma. */
static void test_number__locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_NUMERIC, names[i])) i++;
    if (i == sizeof names / sizeof *names) skip();
    double x;
    char out[CAIRN_NUMBER_SIZE];
    assert_true(cairn_number_parse("123456789012345678901.5e-3", 26, &x));
    assert_true(x == 123456789012345678.9015);
    cairn_number_format(out, 1.0 / 3, 4);
    assert_string_equal(out, "0.3333");
    cairn_number_format(out, 0.1 + 0.2, CAIRN_SHORTEST);
    assert_string_equal(out, "0.30000000000000004");
    cairn_number_fixed(out, 2.5, 2);
    assert_string_equal(out, "2.50");
    setlocale(LC_NUMERIC, "C");
}

static void test_between__lies_between(void **state)
{
    (void)state;
    assert_true(cairn_number_between(-3.1, -2.7) == -2.9);
    assert_true(cairn_number_between(1, 2) == 1.5);
    assert_true(cairn_number_between(1, nextafter(1, 2)) == 1);
    assert_true(cairn_number_between(-INFINITY, INFINITY) == -INFINITY);
    assert_true(cairn_number_between(3, INFINITY) == 3);
    assert_true(cairn_number_between(1e308, 1.7e308) == 1.35e308);
}

/* The quick way for numbers of few digits gives what writing and reading gives. */
static void test_between__is_the_middle_in_twelve_digits(void **state)
{
    (void)state;
    cairn_random random;
    cairn_random_start(&random, 3, 4);
    for (int i = 0; i < 200000; i++) {
        double scale = pow(10, (double)cairn_random_below(&random, 9));
        double a = ((double)cairn_random_below(&random, 2000000) - 1000000) / scale;
        double b = a + (double)(1 + cairn_random_below(&random, 100000)) / scale, wanted;
        if (i % 5 == 0) b = a + cairn_random_uniform(&random);
        char digits[CAIRN_NUMBER_SIZE];
        size_t length = cairn_number_format(digits, a / 2 + b / 2, 12);
        assert_true(cairn_number_parse(digits, length, &wanted));
        if (!(wanted > a && wanted < b)) continue;
        if (cairn_number_between(a, b) != wanted)
            fail_msg("between %.17g and %.17g: %.17g, not %.17g", a, b, cairn_number_between(a, b),
                     wanted);
    }
}

static void test_left__rounding_is_zero(void **state)
{
    (void)state;
    assert_true(cairn_number_left(0.1 + 0.2 - 0.3, 0.3) == 0);
    assert_true(cairn_number_left(-8.9e-16, 5) == 0);
    assert_true(cairn_number_left(1e-12, 1) == 1e-12); /* more than rounding */
    assert_true(cairn_number_left(1e-20, 1e-19) == 1e-20);
    assert_true(cairn_number_left(1e-20, 0) == 1e-20);
    assert_true(isnan(cairn_number_left(NAN, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse__short_and_plain),
        cmocka_unit_test(test_parse__hard_cases),
        cmocka_unit_test(test_parse__very_long),
        cmocka_unit_test(test_parse__random_doubles),
        cmocka_unit_test(test_parse__random_digits),
        cmocka_unit_test(test_parse__halfway),
        cmocka_unit_test(test_parse__refusals),
        cmocka_unit_test(test_parse__words),
        cmocka_unit_test(test_scan__stops_where_the_number_ends),
        cmocka_unit_test(test_integer__limits),
        cmocka_unit_test(test_format__shortest),
        cmocka_unit_test(test_format__digits),
        cmocka_unit_test(test_format__random_round_trips),
        cmocka_unit_test(test_format__like_the_library),
        cmocka_unit_test(test_fixed__places),
        cmocka_unit_test(test_between__lies_between),
        cmocka_unit_test(test_between__is_the_middle_in_twelve_digits),
        cmocka_unit_test(test_size__parse_and_format),
        cmocka_unit_test(test_left__rounding_is_zero),
        cmocka_unit_test(test_number__locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
