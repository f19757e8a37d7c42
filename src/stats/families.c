/* SPDX-License-Identifier: MIT */
/* Variances, deviances and links by their textbook formulas; McCullagh and Nelder, Generalized
 * Linear Models (1989). */
#include "stats/families.h"

#include "base/functions.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>

static const double TWO_PI = 6.283185307179586476925;

cairn_family cairn_family_make(cairn_family_kind kind, cairn_mean_link link, double theta)
{
    static const cairn_mean_link usual[CAIRN_FAMILIES] = {
        [CAIRN_GAUSSIAN] = CAIRN_LINK_IDENTITY,
        [CAIRN_BINOMIAL] = CAIRN_LINK_LOGIT,
        [CAIRN_POISSON] = CAIRN_LINK_LOG,
        [CAIRN_GAMMA] = CAIRN_LINK_INVERSE,
        [CAIRN_INVERSE_GAUSSIAN] = CAIRN_LINK_INVERSE_SQUARE,
        [CAIRN_NEGATIVE_BINOMIAL] = CAIRN_LINK_LOG};
    return (cairn_family){kind, link == CAIRN_LINK_USUAL ? usual[kind] : link, theta};
}

const char *cairn_link_text(cairn_mean_link link)
{
    static const char *const texts[CAIRN_LINKS] = {
        "", "μ", "ln μ", "1/μ", "√μ", "1/μ²", "ln μ/(1−μ)", "Φ⁻¹(μ)", "ln(−ln(1−μ))"};
    return texts[link];
}

const char *cairn_mean_text(cairn_mean_link link)
{
    static const char *const texts[CAIRN_LINKS] = {
        "", "η", "exp η", "1/η", "η²", "1/√η", "1/(1+exp(−η))", "Φ(η)", "1−exp(−exp η)"};
    return texts[link];
}

const char *cairn_variance_text(cairn_family_kind kind)
{
    static const char *const texts[CAIRN_FAMILIES] = {"1", "μ(1−μ)", "μ", "μ²", "μ³", "μ + μ²/θ"};
    return texts[kind];
}

double cairn_link_score(cairn_mean_link link, double mean)
{
    switch (link) {
    case CAIRN_LINK_LOG: return cairn_log(mean);
    case CAIRN_LINK_INVERSE: return 1 / mean;
    case CAIRN_LINK_SQRT: return sqrt(mean);
    case CAIRN_LINK_INVERSE_SQUARE: return 1 / mean / mean;
    case CAIRN_LINK_LOGIT: return cairn_log(mean / (1 - mean));
    case CAIRN_LINK_PROBIT: return cairn_normal_quantile(mean);
    case CAIRN_LINK_CLOGLOG: return cairn_log(-cairn_log1p(-mean));
    default: return mean;
    }
}

/* 1 / (1 + exp(-a)) and its slope, both from exp(-|a|). */
static double logistic(double score, double *slope)
{
    double e = cairn_exp(-fabs(score)), p = score >= 0 ? 1 / (1 + e) : e / (1 + e);
    *slope = e / ((1 + e) * (1 + e));
    return p;
}

static double complementary(double score, double *slope)
{
    double e = cairn_exp(score < 700 ? score : 700);
    *slope = e * cairn_exp(-e);
    return -cairn_expm1(-e);
}

/* Shares end where 1 - p still has digits; a slope never is 0, so that weights stay numbers. */
static double inner_share(double share, double *slope)
{
    *slope = fmax(*slope, DBL_EPSILON);
    return fmin(fmax(share, DBL_EPSILON), 1 - DBL_EPSILON);
}

/* A count of 0 is fitted by a root of 0, where slope and variance have no quotient: roots end where
 * their squares are numbers. */
static double square(double score, double *slope)
{
    double root = copysign(fmax(fabs(score), 1e-150), score);
    *slope = 2 * root;
    return root * root;
}

double cairn_link_mean(cairn_mean_link link, double score, double *slope)
{
    double mean = score;
    *slope = 1;
    switch (link) {
    case CAIRN_LINK_LOG: return *slope = fmax(cairn_exp(score), DBL_EPSILON);
    case CAIRN_LINK_INVERSE: *slope = -1 / score / score; return 1 / score;
    case CAIRN_LINK_SQRT: return square(score, slope);
    case CAIRN_LINK_INVERSE_SQUARE:
        mean = 1 / sqrt(score);
        *slope = -mean / score / 2;
        return mean;
    case CAIRN_LINK_LOGIT: mean = logistic(score, slope); return inner_share(mean, slope);
    case CAIRN_LINK_PROBIT:
        mean = cairn_normal_lower(score);
        *slope = cairn_normal_density(score);
        return inner_share(mean, slope);
    case CAIRN_LINK_CLOGLOG: mean = complementary(score, slope); return inner_share(mean, slope);
    default: return mean;
    }
}

/* φ(t) / Φ(-t) for large t, by its continued fraction. */
static double inverse_mills(double t)
{
    double f = t;
    for (int k = 30; k >= 1; k--) f = t + k / f;
    return f;
}

double cairn_link_tail(cairn_mean_link link, bool high, double score, double *slope, double *curve)
{
    double t = high ? score : -score, sign = high ? 1 : -1;
    if (link == CAIRN_LINK_PROBIT) {
        double f = inverse_mills(t);
        *slope = sign * f;
        *curve = f * (f - t);
        return t * t / 2 + cairn_log(TWO_PI) / 2 + cairn_log(f);
    }
    if (link == CAIRN_LINK_CLOGLOG && high)
        return *slope = *curve = cairn_exp(score < 700 ? score : 700);
    *slope = sign;
    *curve = cairn_exp(-t);
    return t;
}

bool cairn_family_has_mean(const cairn_family *f, double mean)
{
    if (!isfinite(mean)) return false;
    if (f->kind == CAIRN_GAUSSIAN) return true;
    return mean > 0 && (f->kind != CAIRN_BINOMIAL || mean < 1);
}

bool cairn_family_has_value(const cairn_family *f, double value)
{
    if (!isfinite(value)) return false;
    switch (f->kind) {
    case CAIRN_GAUSSIAN: return true;
    case CAIRN_BINOMIAL: return value >= 0 && value <= 1;
    case CAIRN_GAMMA:
    case CAIRN_INVERSE_GAUSSIAN: return value > 0;
    default: return value >= 0;
    }
}

const char *cairn_family_values(cairn_family_kind kind)
{
    static const char *const texts[CAIRN_FAMILIES] = {
        "any number",           "0, 1 or a share between them",
        "a count, not below 0", "a number above 0",
        "a number above 0",     "a count, not below 0"};
    return texts[kind];
}

double cairn_family_variance(const cairn_family *f, double mean)
{
    switch (f->kind) {
    case CAIRN_BINOMIAL: return mean * (1 - mean);
    case CAIRN_POISSON: return mean;
    case CAIRN_GAMMA: return mean * mean;
    case CAIRN_INVERSE_GAUSSIAN: return mean * mean * mean;
    case CAIRN_NEGATIVE_BINOMIAL: return mean + mean * mean / f->theta;
    default: return 1;
    }
}

/* y ln(y / m), which is 0 for y = 0 */
static double y_log(double y, double mean)
{
    return y > 0 ? y * cairn_log(y / mean) : 0;
}

double cairn_family_deviance(const cairn_family *f, double y, double mean)
{
    double rest = y - mean, theta = f->theta;
    switch (f->kind) {
    case CAIRN_BINOMIAL: return 2 * (y_log(y, mean) + y_log(1 - y, 1 - mean));
    case CAIRN_POISSON: return 2 * (y_log(y, mean) - rest);
    case CAIRN_GAMMA: return 2 * (rest / mean - cairn_log(y / mean));
    case CAIRN_INVERSE_GAUSSIAN: return rest * rest / (y * mean * mean);
    case CAIRN_NEGATIVE_BINOMIAL:
        return 2 * (y_log(y, mean) - (y + theta) * cairn_log((y + theta) / (mean + theta)));
    default: return rest * rest;
    }
}

double cairn_family_start(const cairn_family *f, double value)
{
    switch (f->kind) {
    case CAIRN_BINOMIAL: return (value + 0.5) / 2;
    case CAIRN_POISSON: return value + 0.1;
    case CAIRN_NEGATIVE_BINOMIAL: return value > 0 ? value : 1.0 / 6;
    default: return value;
    }
}

bool cairn_family_has_dispersion(cairn_family_kind kind)
{
    return kind == CAIRN_GAUSSIAN || kind == CAIRN_GAMMA || kind == CAIRN_INVERSE_GAUSSIAN;
}

double cairn_log_factorial(double y)
{
    static const double small[64] = {0,
                                     0,
                                     0.6931471805599453,
                                     1.791759469228055,
                                     3.1780538303479458,
                                     4.787491742782046,
                                     6.579251212010101,
                                     8.525161361065415,
                                     10.60460290274525,
                                     12.801827480081469,
                                     15.104412573075516,
                                     17.502307845873887,
                                     19.987214495661885,
                                     22.552163853123425,
                                     25.19122118273868,
                                     27.89927138384089,
                                     30.671860106080672,
                                     33.50507345013689,
                                     36.39544520803305,
                                     39.339884187199495,
                                     42.335616460753485,
                                     45.38013889847691,
                                     48.47118135183523,
                                     51.60667556776438,
                                     54.78472939811232,
                                     58.00360522298052,
                                     61.261701761002,
                                     64.55753862700634,
                                     67.88974313718154,
                                     71.25703896716801,
                                     74.65823634883016,
                                     78.0922235533153,
                                     81.55795945611504,
                                     85.05446701758152,
                                     88.58082754219768,
                                     92.1361756036871,
                                     95.7196945421432,
                                     99.33061245478743,
                                     102.96819861451381,
                                     106.63176026064346,
                                     110.32063971475739,
                                     114.0342117814617,
                                     117.77188139974507,
                                     121.53308151543864,
                                     125.3172711493569,
                                     129.12393363912722,
                                     132.95257503561632,
                                     136.80272263732635,
                                     140.67392364823425,
                                     144.5657439463449,
                                     148.47776695177302,
                                     152.40959258449735,
                                     156.3608363030788,
                                     160.3311282166309,
                                     164.32011226319517,
                                     168.32744544842765,
                                     172.3527971391628,
                                     176.39584840699735,
                                     180.45629141754378,
                                     184.53382886144948,
                                     188.6281734236716,
                                     192.7390472878449,
                                     196.86618167289,
                                     201.00931639928152};
    return y < 64 && y == (int)y ? small[(int)y] : cairn_lgamma(y + 1);
}

double cairn_family_loss(const cairn_family *f, double y, double mean, double dispersion)
{
    double theta = f->theta, shape = 1 / dispersion;
    switch (f->kind) {
    case CAIRN_BINOMIAL: return -2 * (y * cairn_log(mean) + (1 - y) * cairn_log1p(-mean));
    case CAIRN_POISSON: return 2 * (mean - y * cairn_log(mean) + cairn_log_factorial(y));
    case CAIRN_GAMMA:
        return -2 * (shape * cairn_log(shape * y / mean) - shape * y / mean - cairn_log(y) -
                     cairn_lgamma(shape));
    case CAIRN_INVERSE_GAUSSIAN: return cairn_log(dispersion * TWO_PI) + 1 + 3 * cairn_log(y);
    case CAIRN_NEGATIVE_BINOMIAL:
        return 2 *
               ((y + theta) * cairn_log(mean + theta) - y * cairn_log(mean) + cairn_lgamma(y + 1) -
                theta * cairn_log(theta) + cairn_lgamma(theta) - cairn_lgamma(theta + y));
    default: return cairn_log(TWO_PI * dispersion) + 1;
    }
}
