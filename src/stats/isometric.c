/* SPDX-License-Identifier: MIT */
/* Measures of points in coverage space. 0/0 is undefined (NaN). */
#include "stats/isometric.h"

#include "stats/impurity.h"

#include <math.h>
#include <string.h>

static double accuracy(double p, double n, double positives, double negatives)
{
    return (p + negatives - n) / (positives + negatives);
}

static double average_recall(double p, double n, double positives, double negatives)
{
    return (p / positives + 1 - n / negatives) / 2;
}

static double precision(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return p / (p + n);
}

static double laplace(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return (p + 1) / (p + n + 2);
}

static double f_measure(double p, double n, double positives, double negatives)
{
    (void)negatives;
    return 2 * p / (p + n + positives);
}

/* -- of the covered rows -- */

static double of_covered(cairn_impurity kind, double p, double n)
{
    const double counts[2] = {p, n};
    return p + n > 0 ? cairn_impurity_of(kind, counts, 2) : NAN;
}

static double entropy(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return of_covered(CAIRN_ENTROPY, p, n);
}

static double gini(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return of_covered(CAIRN_GINI, p, n);
}

static double sqrt_gini(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return of_covered(CAIRN_SQRT_GINI, p, n);
}

static double minority(double p, double n, double positives, double negatives)
{
    (void)positives, (void)negatives;
    return of_covered(CAIRN_MINORITY, p, n);
}

/* -- of both parts -- */

static double fall(cairn_impurity kind, double p, double n, double positives, double negatives)
{
    const double whole[2] = {positives, negatives};
    const double parts[4] = {p, n, positives - p, negatives - n};
    double value = cairn_impurity_of(kind, whole, 2) - cairn_impurity_after(kind, parts, 2, 2);
    return fabs(value) < 1e-12 ? 0 : value;
}

static double gain(double p, double n, double positives, double negatives)
{
    return fall(CAIRN_ENTROPY, p, n, positives, negatives);
}

static double gini_gain(double p, double n, double positives, double negatives)
{
    return fall(CAIRN_GINI, p, n, positives, negatives);
}

static double sqrt_gini_gain(double p, double n, double positives, double negatives)
{
    return fall(CAIRN_SQRT_GINI, p, n, positives, negatives);
}

static double minority_gain(double p, double n, double positives, double negatives)
{
    return fall(CAIRN_MINORITY, p, n, positives, negatives);
}

const cairn_isometric cairn_isometrics[] = {
    {"accuracy", "accuracy", false, accuracy},
    {"recall", "average recall", false, average_recall},
    {"precision", "precision", false, precision},
    {"laplace", "Laplace precision", false, laplace},
    {"f", "F", false, f_measure},
    {"entropy", "entropy", true, entropy},
    {"gini", "Gini", true, gini},
    {"sqrtgini", "root of Gini", true, sqrt_gini},
    {"minority", "minority class", true, minority},
    {"gain", "information gain", false, gain},
    {"gini-gain", "fall of Gini", false, gini_gain},
    {"sqrtgini-gain", "fall of the root of Gini", false, sqrt_gini_gain},
    {"minority-gain", "fall of the minority class", false, minority_gain},
    {NULL, NULL, false, NULL},
};

const cairn_isometric *cairn_isometric_find(const char *name)
{
    for (const cairn_isometric *m = cairn_isometrics; m->name; m++)
        if (strcmp(m->name, name) == 0) return m;
    return NULL;
}

double cairn_isometric_at(const void *plane, double x, double y)
{
    const cairn_isometric_plane *at = plane;
    return at->measure->value(fmin(y * at->per_y, at->positives),
                              fmin(x * at->per_x, at->negatives), at->positives, at->negatives);
}
