/* SPDX-License-Identifier: MIT */
/* The functions of the expression language, in the order of the documentation. */
#include "data/expression_node.h"
#include "base/functions.h"

#include <math.h>
#include <string.h>

static double sigmoid(double x)
{
    return 1 / (1 + cairn_exp(-x));
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double square(double x)
{
    return x * x;
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

/* A part of a date or time, as a function. */
#define PART_OF(NAME, FIELD)                                                                       \
    static double NAME##_of(const cairn_calendar *c)                                               \
    {                                                                                              \
        return c->FIELD;                                                                           \
    }

PART_OF(year, year)
PART_OF(quarter, quarter)
PART_OF(month, month)
PART_OF(week, week)
PART_OF(day, day)
PART_OF(yearday, day_of_year)
PART_OF(weekday, weekday)
PART_OF(hour, hour)
PART_OF(minute, minute)
PART_OF(second, second)

#define ONE(NAME, FUNCTION, FAULT, HELP)                                                           \
    {                                                                                              \
        NAME, OP_ONE, "n", 'n', FUNCTION, FAULT, HELP, NULL                                        \
    }
#define DOMAIN_OF(NAME, FUNCTION, HELP) ONE(NAME, FUNCTION, CAIRN_FAULT_DOMAIN, HELP)
#define FORM(NAME, OP, ARGUMENTS, RESULT, HELP)                                                    \
    {                                                                                              \
        NAME, OP, ARGUMENTS, RESULT, NULL, CAIRN_FAULT_DOMAIN, HELP, NULL                          \
    }

#define PART(NAME, FUNCTION, HELP)                                                                 \
    {                                                                                              \
        NAME, OP_TIME_PART, "n", 'n', NULL, CAIRN_FAULT_TIME, HELP, FUNCTION                       \
    }

static const cairn_function functions[] = {
    /* numbers */
    DOMAIN_OF("abs", fabs, "abs(x): x without its sign"),
    DOMAIN_OF("sign", sign, "sign(x): -1, 0 or 1"),
    ONE("sqrt", sqrt, CAIRN_FAULT_ROOT, "sqrt(x): the square root"),
    DOMAIN_OF("square", square, "square(x): x times x"),
    DOMAIN_OF("cbrt", cairn_cbrt, "cbrt(x): the cube root"),
    FORM("pow", OP_POWER, "nn", 'n', "pow(x, y): x to the power of y"),
    DOMAIN_OF("exp", cairn_exp, "exp(x): e to the power of x"),
    DOMAIN_OF("expm1", cairn_expm1, "expm1(x): exp(x) - 1, exact for small x"),
    ONE("log", cairn_log, CAIRN_FAULT_LOGARITHM, "log(x): the natural logarithm"),
    ONE("log2", cairn_log2, CAIRN_FAULT_LOGARITHM, "log2(x): the logarithm to base 2"),
    ONE("log10", cairn_log10, CAIRN_FAULT_LOGARITHM, "log10(x): the logarithm to base 10"),
    ONE("log1p", cairn_log1p, CAIRN_FAULT_LOGARITHM, "log1p(x): log(1 + x), exact for small x"),
    DOMAIN_OF("sin", cairn_sin, "sin(x): the sine of an angle in radians"),
    DOMAIN_OF("cos", cairn_cos, "cos(x): the cosine"),
    DOMAIN_OF("tan", cairn_tan, "tan(x): the tangent"),
    DOMAIN_OF("asin", cairn_asin, "asin(x): the angle whose sine is x"),
    DOMAIN_OF("acos", cairn_acos, "acos(x): the angle whose cosine is x"),
    DOMAIN_OF("atan", cairn_atan, "atan(x): the angle whose tangent is x"),
    FORM("atan2", OP_ATAN2, "nn", 'n', "atan2(y, x): the angle of the point (x, y)"),
    DOMAIN_OF("sinh", cairn_sinh, "sinh(x): the hyperbolic sine"),
    DOMAIN_OF("cosh", cairn_cosh, "cosh(x): the hyperbolic cosine"),
    DOMAIN_OF("tanh", cairn_tanh, "tanh(x): the hyperbolic tangent"),
    DOMAIN_OF("sigmoid", sigmoid, "sigmoid(x): 1 / (1 + exp(-x))"),
    DOMAIN_OF("relu", relu, "relu(x): x where it is positive, else 0"),
    DOMAIN_OF("erf", cairn_erf, "erf(x): the error function"),
    DOMAIN_OF("lgamma", cairn_lgamma, "lgamma(x): the logarithm of the gamma function"),
    FORM("hypot", OP_HYPOT, "nn", 'n', "hypot(x, y): the length of the vector (x, y)"),
    DOMAIN_OF("floor", floor, "floor(x): the next whole number below"),
    DOMAIN_OF("ceil", ceil, "ceil(x): the next whole number above"),
    DOMAIN_OF("trunc", trunc, "trunc(x): x without its decimals"),
    FORM("round", OP_ROUND, "nN", 'n', "round(x, digits): rounded, halves away from 0"),
    FORM("mod", OP_MOD, "nn", 'n', "mod(x, y): what is left of x after whole multiples of y"),
    FORM("clamp", OP_CLAMP, "nnn", 'n', "clamp(x, low, high): x, but not outside low to high"),
    FORM("pi", OP_PI, "", 'n', "pi(): 3.14159..."),
    /* several columns */
    FORM("sum", OP_SUM, "n*", 'n', "sum(a, b, ...): the sum over the row"),
    FORM("mean", OP_MEAN, "n*", 'n', "mean(a, b, ...): the mean over the row"),
    FORM("sd", OP_SD, "n*", 'n', "sd(a, b, ...): the standard deviation, dividing by n - 1"),
    FORM("var", OP_VARIANCE, "n*", 'n', "var(a, b, ...): the variance, dividing by n - 1"),
    FORM("min", OP_MIN, "n*", 'n', "min(a, b, ...): the smallest"),
    FORM("max", OP_MAX, "n*", 'n', "max(a, b, ...): the largest"),
    FORM("count", OP_COUNT, "a*", 'n', "count(a, b, ...): how many are not missing"),
    /* choices */
    FORM("if", OP_IF, "baa", 'a', "if(condition, a, b): a where the condition holds, else b"),
    FORM("coalesce", OP_COALESCE, "a*", 'a', "coalesce(a, b, ...): the first not missing"),
    /* rows and chance */
    FORM("row", OP_ROW, "", 'n', "row(): the number of the row, from 1"),
    FORM("rows", OP_ROWS, "", 'n', "rows(): how many rows there are"),
    FORM("uniform", OP_UNIFORM, "NN", 'n', "uniform(low, high): random, 0 to 1 if not given"),
    FORM("normal", OP_NORMAL, "NN", 'n', "normal(mean, sd): random, 0 and 1 if not given"),
    /* texts and levels */
    FORM("length", OP_LENGTH, "t", 'n', "length(text): the number of letters"),
    FORM("lower", OP_LOWER, "t", 't', "lower(text): in small letters"),
    FORM("upper", OP_UPPER, "t", 't', "upper(text): in capital letters"),
    FORM("trim", OP_TRIM, "t", 't', "trim(text): without blanks at both ends"),
    FORM("contains", OP_CONTAINS, "tt", 'b', "contains(text, part): whether part occurs in it"),
    FORM("starts", OP_STARTS, "tt", 'b', "starts(text, part): whether it begins with part"),
    FORM("ends", OP_ENDS, "tt", 'b', "ends(text, part): whether it ends with part"),
    FORM("matches", OP_MATCHES, "tt", 'b',
         "matches(text, pattern): * any letters, ? one letter, [a-c] one of them, [!a-c] another"),
    FORM("concat", OP_CONCAT, "t*", 't', "concat(a, b, ...): one after the other"),
    FORM("part", OP_PART, "tnN", 't', "part(text, from, n): n letters from number from on"),
    FORM("replace", OP_REPLACE, "ttt", 't', "replace(text, old, new): every old by new"),
    /* times */
    PART("year", year_of, "year(time): the year"),
    PART("quarter", quarter_of, "quarter(time): 1 to 4"),
    PART("month", month_of, "month(time): 1 to 12"),
    PART("week", week_of, "week(time): the week of the year, from 1, by ISO 8601"),
    PART("day", day_of, "day(time): the day of the month, from 1"),
    PART("yearday", yearday_of, "yearday(time): the day of the year, from 1"),
    PART("weekday", weekday_of, "weekday(time): 1 for Monday to 7 for Sunday"),
    PART("hour", hour_of, "hour(time): 0 to 23"),
    PART("minute", minute_of, "minute(time): 0 to 59"),
    PART("second", second_of, "second(time): 0 to 59, with its fraction"),
    FORM("date", OP_DATE, "nnn", 'n', "date(year, month, day): a day"),
    FORM("time", OP_TO_TIME, "t", 'n',
         "time(text): the time that is written as \"2026-11-15 14:30\""),
    /* kinds */
    FORM("number", OP_TO_NUMBER, "a", 'n', "number(x): a text, level or truth as a number"),
    FORM("text", OP_TO_TEXT, "a", 't', "text(x): a number or truth as text"),
    FORM("truth", OP_TO_TRUTH, "a", 'b', "truth(x): yes, true and numbers other than 0"),
};

const cairn_function *cairn_function_at(size_t i)
{
    return i < sizeof functions / sizeof *functions ? &functions[i] : NULL;
}

const cairn_function *cairn_function_find(const char *name, size_t length)
{
    const cairn_function *function;
    for (size_t i = 0; (function = cairn_function_at(i)); i++)
        if (strlen(function->name) == length && memcmp(function->name, name, length) == 0)
            return function;
    return NULL;
}
