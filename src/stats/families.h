/* SPDX-License-Identifier: MIT */
/* Responses of generalised linear models: distributions of exponential families by their variance,
 * and links between the mean and a linear score. */
#ifndef CAIRN_STATS_FAMILIES_H
#define CAIRN_STATS_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cairn_family_kind {
    CAIRN_GAUSSIAN,
    CAIRN_BINOMIAL, /* shares from 0 to 1 */
    CAIRN_POISSON,
    CAIRN_GAMMA,
    CAIRN_INVERSE_GAUSSIAN,
    CAIRN_NEGATIVE_BINOMIAL, /* variance mean + mean² / theta */
    CAIRN_FAMILIES
} cairn_family_kind;

typedef enum cairn_mean_link {
    CAIRN_LINK_USUAL, /* the family's own; only as a parameter */
    CAIRN_LINK_IDENTITY,
    CAIRN_LINK_LOG,
    CAIRN_LINK_INVERSE,
    CAIRN_LINK_SQRT,
    CAIRN_LINK_INVERSE_SQUARE,
    CAIRN_LINK_LOGIT,
    CAIRN_LINK_PROBIT,
    CAIRN_LINK_CLOGLOG,
    CAIRN_LINKS
} cairn_mean_link;

typedef struct cairn_family {
    cairn_family_kind kind;
    cairn_mean_link link; /* never USUAL */
    double theta;         /* NEGATIVE_BINOMIAL */
} cairn_family;

/* The family with its own link where `link` is USUAL: identity, logit, log, inverse,
 * inverse-square, log. */
cairn_family cairn_family_make(cairn_family_kind kind, cairn_mean_link link, double theta);
/* "log(mean)" and its inverse "exp(score)"; "mean²" */
const char *cairn_link_text(cairn_mean_link link);
const char *cairn_mean_text(cairn_mean_link link);
const char *cairn_variance_text(cairn_family_kind kind);
/* The score of a mean; NaN or infinite where it has none. */
double cairn_link_score(cairn_mean_link link, double mean);
/* The mean of a score and its slope by the score. Shares stay off 0 and 1 by rounding. */
double cairn_link_mean(cairn_mean_link link, double score, double *slope);
/* The logarithm of a share beyond the score where its mean ends, times -1, that is what a row loses
 * whose share is not there; slope and curvature are by the score. `high`: beyond the end at 1, of
 * the logarithm of 1 - m. */
double cairn_link_tail(cairn_mean_link link, bool high, double score, double *slope, double *curve);
/* Whether a mean, or an observation, is one that the family can have. */
bool cairn_family_has_mean(const cairn_family *family, double mean);
bool cairn_family_has_value(const cairn_family *family, double value);
/* "counts: numbers that are not negative" */
const char *cairn_family_values(cairn_family_kind kind);
double cairn_family_variance(const cairn_family *family, double mean);
/* Twice the log-likelihood that a row loses against a mean equal to its value, at dispersion 1. */
double cairn_family_deviance(const cairn_family *family, double value, double mean);
/* A mean to start from for a row of this value. */
double cairn_family_start(const cairn_family *family, double value);
/* Whether the dispersion is 1 by the family itself. */
bool cairn_family_has_dispersion(cairn_family_kind kind);
/* -2 log-likelihood of a row; `dispersion` is the maximum-likelihood estimate of R's aic: deviance
 * over rows. */
double cairn_family_loss(const cairn_family *family, double value, double mean, double dispersion);
/* ln y!, from a table for small whole numbers, which most counts are. */
double cairn_log_factorial(double y);

#endif
