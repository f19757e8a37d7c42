/* SPDX-License-Identifier: MIT */
/* The distances.
 *
 * Minkowski's with power p and its special cases 1, 2 and infinity; Mahalanobis' is Euclidean after
 * a linear map of the rows, the cosine distance an inner product of rows of length 1. */
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "stats/covariance.h"
#include "stats/summary.h"
#include "stats/distance.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* From inner products: |x|^2 + |y|^2 - 2 x.y, the same in both directions to the last bit. */
static double squares_of_product(const cairn_metric *metric, double product, double aa, double bb)
{
    double square = aa + bb - 2 * product;
    (void)metric;
    return square < 0 ? 0 : square;
}

/* -- Minkowski's family -- */

typedef struct minkowski_params {
    double p;
} minkowski_params;

static const cairn_param minkowski_table[] = {
    CAIRN_PARAM(
        minkowski_params, p, "2", "[0,inf]",
        "power: 1 = Manhattan, 2 = Euclidean, inf = Chebyshev, 0 = cells that differ; below "
        "1 the triangle inequality fails"),
    CAIRN_PARAM_END,
};

static cairn_status open_squares(cairn_context *ctx, cairn_metric *metric)
{
    (void)ctx;
    metric->family = CAIRN_BY_SQUARES;
    metric->rooted = true;
    return CAIRN_OK;
}

static cairn_status open_squared(cairn_context *ctx, cairn_metric *metric)
{
    (void)ctx;
    metric->family = CAIRN_BY_SQUARES;
    metric->is_metric = false;
    return CAIRN_OK;
}

static cairn_status open_absolutes(cairn_context *ctx, cairn_metric *metric)
{
    (void)ctx;
    metric->family = CAIRN_BY_ABSOLUTES;
    return CAIRN_OK;
}

static cairn_status open_largest(cairn_context *ctx, cairn_metric *metric)
{
    (void)ctx;
    metric->family = CAIRN_BY_LARGEST;
    return CAIRN_OK;
}

static cairn_status open_minkowski(cairn_context *ctx, cairn_metric *metric)
{
    double p = ((const minkowski_params *)metric->params->values)->p;
    (void)ctx;
    metric->power = p;
    metric->is_metric = p >= 1 || p == 0;
    metric->rooted = p == 2;
    metric->family = p == 0     ? CAIRN_BY_PAIRS
                     : p == 1   ? CAIRN_BY_ABSOLUTES
                     : p == 2   ? CAIRN_BY_SQUARES
                     : isinf(p) ? CAIRN_BY_LARGEST
                                : CAIRN_BY_POWERS;
    return CAIRN_OK;
}

/* -- Mahalanobis -- */

typedef struct mahalanobis_params {
    const char *matrix;
    int divisor; /* cairn_divisor */
} mahalanobis_params;

static const cairn_param mahalanobis_table[] = {
    CAIRN_PARAM(
        mahalanobis_params, matrix, NULL, NULL,
        "M in (x-y)'M(x-y), in brackets, rows separated by semicolons: [2,0;0,1]; the inverse "
        "covariance of the training rows when not given"),
    CAIRN_PARAM_CHOICE(mahalanobis_params, divisor, "n-1", cairn_divisors,
                       "divisor of that covariance", .when = "!matrix"),
    CAIRN_PARAM_END,
};

static cairn_status refuse_matrix(cairn_context *ctx, const char *why)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA, "{distance mahalanobis}: the matrix %s", why);
}

/* M = R'R, so that (x-y)'M(x-y) is the squared length of R(x-y). */
static cairn_status take_matrix(cairn_context *ctx, double *factors, const char *text, size_t n)
{
    double *given, condition;
    size_t rows, columns, pivot;
    CHECK(cairn_read_matrix(ctx, "distance mahalanobis:matrix", text, &given, &rows, &columns));
    if (rows != n || columns != n)
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "{distance mahalanobis}: the matrix is %zu x %zu, but there are %zu feature "
                       "columns",
                       rows, columns, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (given[i * n + j] != given[j * n + i]) CHECK(refuse_matrix(ctx, "is not symmetric"));
    CHECK(cairn_cholesky(ctx, given, n, &condition, &pivot));
    if (!(condition > 0))
        CHECK(refuse_matrix(ctx, "is not positive definite, so it gives no distance"));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) factors[i * n + j] = j >= i ? given[i * n + j] : 0;
    return CAIRN_OK;
}

/* The covariance is U'U, its inverse W'W with W the inverse of U'. Columns are brought to variance
 * 1 first, so that units do not spoil the condition. */
static cairn_status take_covariance(cairn_context *ctx, double *factors, const cairn_view *view,
                                    cairn_divisor divisor)
{
    const double least = 1e-12;
    cairn_centre centre;
    size_t n = view->n_features, pivot;
    double *products, *deviations, condition;
    CHECK(cairn_centre_of(ctx, &centre, view, cairn_say(ctx, "{distance mahalanobis}")));
    CHECK(SCRATCH(ctx, &products, cairn_product(n, n)));
    CHECK(SCRATCH(ctx, &deviations, n));
    CHECK(cairn_column_products(ctx, products, view, &centre));
    double fewer = divisor == CAIRN_DIVISOR_N_1;
    double below = centre.weight > fewer ? centre.weight - fewer : 1;
    for (size_t j = 0; j < n; j++) {
        deviations[j] = sqrt(products[j * n + j] / below);
        if (!(deviations[j] > 0))
            CHECK(
                cairn_fail(ctx, CAIRN_BAD_DATA,
                           "{distance mahalanobis}: column '%s' has the same value in all rows, so "
                           "the covariance has no inverse; leave it out with {ignore}",
                           view->names[j]));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) products[i * n + j] /= below * deviations[i] * deviations[j];
    CHECK(cairn_cholesky(ctx, products, n, &condition, &pivot));
    if (!(condition > least))
        CHECK(
            cairn_fail(ctx, CAIRN_BAD_DATA,
                       "{distance mahalanobis}: the covariance has no inverse, because column '%s' "
                       "follows from the others (or there are fewer rows than columns); leave it "
                       "out with {ignore}, or take {with pca}",
                       view->names[pivot < n ? pivot : n - 1]));
    /* out = inverse of the transpose of the upper triangular matrix: lower triangular. */
    for (size_t column = 0; column < n; column++)
        for (size_t i = 0; i < n; i++) {
            double sum = i == column;
            for (size_t j = column; j < i; j++)
                sum -= products[j * n + i] * factors[j * n + column];
            factors[i * n + column] = i < column ? 0 : sum / products[i * n + i];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) factors[i * n + j] /= deviations[j];
    return CAIRN_OK;
}

static cairn_status mahalanobis_learn(cairn_context *ctx, cairn_metric *metric,
                                      const cairn_view *view)
{
    const mahalanobis_params *p = metric->params->values;
    SCOPED_SCRATCH(ctx);
    size_t n = view->n_features;
    CHECK(NEW(ctx, &metric->factors, cairn_product(n, n)));
    metric->n_factors = n * n;
    if (p->matrix)
        CHECK(take_matrix(ctx, metric->factors, p->matrix, n));
    else
        CHECK(take_covariance(ctx, metric->factors, view, (cairn_divisor)p->divisor));
    return CAIRN_OK;
}

static void mahalanobis_place(const cairn_metric *metric, double *place, const double *row)
{
    size_t n = metric->n_columns;
    for (size_t i = 0; i < n; i++) place[i] = cairn_dot(metric->factors + i * n, row, n);
}

/* -- directions and sets -- */

static cairn_status cosine_open(cairn_context *ctx, cairn_metric *metric)
{
    (void)ctx;
    metric->is_metric = false;
    return CAIRN_OK;
}

static void cosine_place(const cairn_metric *metric, double *place, const double *row)
{
    size_t n = metric->n_columns;
    double largest = 0, sum = 0;
    for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(row[j]));
    for (size_t j = 0; j < n; j++) {
        place[j] = largest > 0 ? row[j] / largest : row[j];
        sum += place[j] * place[j];
    }
    double length = sqrt(sum);
    for (size_t j = 0; length > 0 && j < n; j++) place[j] /= length;
}

static bool is_zero(const double *a, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (a[j] != 0) return false;
    return true;
}

/* Places have length 1, or 0 where the row is all zeros. */
static double cosine_of_dot(const cairn_metric *metric, double product, double aa, double bb)
{
    double order = 1 - product;
    (void)metric;
    if (product == 0 && aa == 0 && bb == 0) return 0;
    return order > 1e-15 || isnan(order) ? order : 0;
}

static double cosine_order(const cairn_metric *metric, const double *a, const double *b)
{
    size_t n = metric->n_columns;
    double product = cairn_dot(a, b, n);
    bool none = product == 0 && is_zero(a, n) && is_zero(b, n);
    return cosine_of_dot(metric, product, !none, !none);
}

static double cosine_of_product(const cairn_metric *metric, double product, double aa, double bb)
{
    (void)metric;
    if (aa == 0 || bb == 0) return aa == bb ? 0 : 1;
    double order = 1 - product / (sqrt(aa) * sqrt(bb));
    return order > 1e-15 || isnan(order) ? order : 0;
}

/* Amounts are 1, so that products are counts. */
static double jaccard_of_product(const cairn_metric *metric, double both, double aa, double bb)
{
    double either = aa + bb - both;
    (void)metric;
    return either == 0 ? 0 : 1 - both / either;
}

static double jaccard_order(const cairn_metric *metric, const double *a, const double *b)
{
    double both = 0, either = 0;
    for (size_t j = 0; j < metric->n_columns; j++) {
        both += a[j] != 0 && b[j] != 0;
        either += a[j] != 0 || b[j] != 0;
    }
    return either > 0 ? 1 - both / either : 0;
}

static double hamming_order(const cairn_metric *metric, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < metric->n_columns; j++) sum += a[j] != b[j];
    return sum;
}

static double canberra_order(const cairn_metric *metric, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < metric->n_columns; j++)
        if (a[j] != b[j]) sum += fabs(a[j] - b[j]) / (fabs(a[j]) + fabs(b[j]));
    return sum;
}

/* -- mixed columns -- */

/* The factor of a number is 1 / range and of an ordered level 1 / (levels - 1), so that every
 * column differs by at most 1; plain levels need none and a constant column counts nothing. */
static cairn_status gower_learn(cairn_context *ctx, cairn_metric *metric, const cairn_view *view)
{
    CHECK(NEW(ctx, &metric->factors, view->n_features));
    metric->n_factors = view->n_features;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        double low = INFINITY, high = -INFINITY;
        if (column->kind == CAIRN_LEVEL) {
            if (column->ordered && column->names.n > 1)
                metric->factors[j] = 1 / (double)(column->names.n - 1);
            continue;
        }
        for (size_t i = 0; i < view->rows.n; i++) {
            double x = column->numbers[cairn_view_row(view, i)];
            low = fmin(low, x), high = fmax(high, x);
        }
        metric->factors[j] = high > low ? fmin(1 / (high - low), DBL_MAX) : 0;
    }
    return CAIRN_OK;
}

static double gower_order(const cairn_metric *metric, const double *a, const double *b)
{
    double sum = 0, n = 0;
    for (size_t j = 0; j < metric->n_columns; j++) {
        if (isnan(a[j]) || isnan(b[j])) continue;
        n++;
        sum += metric->factors[j] > 0 ? fabs(a[j] - b[j]) * metric->factors[j] : a[j] != b[j];
    }
    return n > 0 ? sum / n : NAN;
}

/* -- kernels -- */

typedef struct kernel_params {
    const char *kernel;
} kernel_params;

static const cairn_param kernel_table[] = {
    {.name = "kernel",
     .names = "kernel",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(kernel_params, kernel),
     .initial = "rbf",
     .help = "kernel function with its parameters, as in kernel:poly:degree=2,offset=1",
     .repeated = true},
    CAIRN_PARAM_END,
};

/* Its parameters come as lines of their own. A kernel that falls with the distance keeps the order
 * of the squared distance, and that is what is compared: k itself may be too small to tell. */
static cairn_status kernel_open(cairn_context *ctx, cairn_metric *metric)
{
    const kernel_params *p = metric->params->values;
    SCOPED_SCRATCH(ctx);
    char *spec;
    CHECK(SCRATCH(ctx, &spec, strlen(p->kernel) + 1));
    for (size_t i = 0; p->kernel[i]; i++) spec[i] = p->kernel[i] == '\n' ? ',' : p->kernel[i];
    CHECK(cairn_kernel_open(ctx, &metric->kernel, "kernel", spec));
    if (metric->kernel.function->of_texts)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "kernel: %s compares texts, this distance numbers; texts have the "
                          "distance edit",
                          metric->kernel.function->entry.name);
    metric->is_metric = !metric->kernel.function->may_be_negative;
    metric->rooted = !metric->kernel.function->of_distance;
    if (metric->kernel.function->of_distance) metric->family = CAIRN_BY_SQUARES;
    return CAIRN_OK;
}

static double kernel_order(const cairn_metric *metric, const double *a, const double *b)
{
    const cairn_kernel *k = &metric->kernel;
    size_t n = metric->n_columns;
    double square = cairn_kernel_value(k, a, a, n) + cairn_kernel_value(k, b, b, n) -
                    2 * cairn_kernel_value(k, a, b, n);
    return square < 0 ? 0 : square;
}

static double kernel_of_product(const cairn_metric *metric, double product, double aa, double bb)
{
    const cairn_kernel *kernel = &metric->kernel;
    if (kernel->function->of_distance) return squares_of_product(metric, product, aa, bb);
    double square = cairn_kernel_together(kernel, aa) + cairn_kernel_together(kernel, bb) -
                    2 * cairn_kernel_together(kernel, product);
    return square < 0 ? 0 : square;
}

static double kernel_value(const cairn_metric *metric, double order)
{
    const cairn_kernel *kernel = &metric->kernel;
    return sqrt(2 * (cairn_kernel_together(kernel, 0) - cairn_kernel_together(kernel, order)));
}

/* -- records -- */

const cairn_distance cairn_distance_canberra = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "canberra",
              .also = "relative difference",
              .title = "Sum of relative differences",
              .summary = "Σ |x - y| / (|x| + |y|), 0 where both are 0: small numbers count as much "
                         "as large ones.",
              .references = "Lance and Williams, Computer programs for hierarchical polythetic "
                            "classification, 1966",
              .example = "cairn fit knn @iris --distance canberra",
              .params = no_params},
    .formula = "d(q, x) = Σ |xⱼ − qⱼ| / (|xⱼ| + |qⱼ|)",
    .takes = CAIRN_DISTANCE_NUMBERS,
    .order = canberra_order,
    .subtracts = true,
};

const cairn_distance cairn_distance_chebyshev = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "chebyshev",
              .also = "L-infinity, maximum norm, supremum distance",
              .title = "Largest difference",
              .summary = "The largest absolute difference of a column; Minkowski's distance with "
                         "infinite power.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance chebyshev",
              .params = no_params},
    .formula = "d(q, x) = max |xⱼ − qⱼ|",
    .takes = CAIRN_DISTANCE_NUMBERS,
    .scale_matters = true,
    .open = open_largest,
};

const cairn_distance cairn_distance_cosine = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "cosine",
              .also = "cosine similarity, angle",
              .title = "One minus the cosine of the angle",
              .summary =
                  "Compares directions and not lengths, as for word counts. A row of zeros has "
                  "distance 1 from every other and 0 from another such row.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance cosine",
              .params = no_params},
    .formula = "d(q, x) = 1 − Σ xⱼ·qⱼ / (√Σ xⱼ² · √Σ qⱼ²)",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_BAGS,
    .scale_matters = true,
    .open = cosine_open,
    .place = cosine_place,
    .order = cosine_order,
    .of_dot = cosine_of_dot,
    .of_product = cosine_of_product,
};

const cairn_distance cairn_distance_edit = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "edit",
              .also = "Levenshtein, string distance",
              .title = "Letters to change",
              .summary =
                  "The smallest number of letters (or items of a sequence) to put in, take out or "
                  "exchange to make one text of the other (Levenshtein); several columns are added "
                  "up, a missing text is an empty one. Words that are levels are compared letter "
                  "by letter too; declare a column as text (--kinds word=text) when new rows have "
                  "words that training did not.",
              .references =
                  "Levenshtein, Binary codes capable of correcting deletions, insertions, "
                  "and reversals, 1966",
              .example = "cairn compute map @weather --features outlook --distance edit",
              .params = no_params},
    .formula = "d(q, x) = letters to put in, take out or exchange",
    .takes = CAIRN_DISTANCE_TEXTS | CAIRN_DISTANCE_LEVELS | CAIRN_DISTANCE_MISSING,
};

const cairn_distance cairn_distance_euclidean = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "euclidean",
              .also = "L2 distance, straight-line distance, Euclidean distance",
              .title = "Straight line",
              .summary = "The root of the sum of squared differences; columns count by their "
                         "scale, so standardise them when their units differ.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance euclidean",
              .params = no_params},
    .formula = "d(q, x) = √Σ (xⱼ − qⱼ)²",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_BAGS,
    .scale_matters = true,
    .open = open_squares,
    .of_product = squares_of_product,
};

const cairn_distance cairn_distance_gower = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "gower",
              .also = "mixed distance",
              .title = "Mixed columns",
              .summary =
                  "The mean over columns of |x - y| / range for numbers, of the difference of "
                  "places over the number of steps for ordered levels, and of 0 or 1 (same or not) "
                  "for other levels; columns where one of the two cells is missing are left out, "
                  "and rows that have no column in common cannot be compared. "
                  "Ranges are those of the training rows.",
              .references =
                  "Gower, A general coefficient of similarity and some of its properties, "
                  "Biometrics 27, 1971",
              .example = "cairn fit knn @weather --distance gower --k 3",
              .params = no_params},
    .formula = "d(q, x) = mean of |xⱼ − qⱼ| / range of numbers, 0 or 1 for levels that are the "
               "same or not",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_LEVELS | CAIRN_DISTANCE_MISSING,
    .learn = gower_learn,
    .order = gower_order,
    .subtracts = true,
};

const cairn_distance cairn_distance_hamming = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "hamming",
              .also = "overlap, matching coefficient, L0 distance",
              .title = "Number of cells that differ",
              .summary = "Counts the columns in which two rows differ, numbers and levels alike.",
              .references = "Hamming, Error detecting and error correcting codes, 1950",
              .example = "cairn fit knn @weather --distance hamming --k 3",
              .params = no_params},
    .formula = "d(q, x) = number of columns with xⱼ ≠ qⱼ",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_LEVELS,
    .order = hamming_order,
};

const cairn_distance cairn_distance_jaccard = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "jaccard",
              .also = "set overlap, Tanimoto",
              .title = "Share of what only one has",
              .summary = "1 - both / either: of the columns that are not 0 in one row or the "
                         "other, the share that is not in both. Two rows of zeros have distance 0.",
              .references = "Jaccard, The distribution of the flora in the alpine zone, 1912",
              .example = "cairn fit knn @iris --distance jaccard",
              .params = no_params},
    .formula = "d(q, x) = 1 − columns that both have / columns that one has",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_BAGS,
    .order = jaccard_order,
    .of_product = jaccard_of_product,
    .presence = true,
};

const cairn_distance cairn_distance_kernel = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "kernel",
              .also = "kernel distance",
              .title = "Distance in the space of a kernel",
              .summary =
                  "√(k(x,x) - 2 k(x,y) + k(y,y)) with any kernel function (cairn list kernels): "
                  "the straight line in the space that the kernel belongs to. A Gaussian kernel "
                  "keeps the order of the Euclidean distance, a polynomial one changes it. Where a "
                  "kernel is no inner product and the root does not exist, the distance is 0.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:poly:degree=2,offset=1",
              .params = kernel_table,
              .params_size = sizeof(kernel_params),
              .assigns = true},
    .formula = "d(q, x) = √(k(x, x) − 2·k(x, q) + k(q, q))",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_BAGS,
    .scale_matters = true,
    .open = kernel_open,
    .order = kernel_order,
    .of_dot = kernel_of_product,
    .value = kernel_value,
    .of_product = kernel_of_product,
};

const cairn_distance cairn_distance_mahalanobis = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "mahalanobis",
              .also = "whitened distance, statistical distance",
              .title = "Straight line after whitening",
              .summary =
                  "√((x-y)'M(x-y)) with the inverse covariance of the training rows (n - 1 below) "
                  "or a given matrix: directions in which the rows vary much count less, and units "
                  "do not matter.",
              .references = "Mahalanobis, On the generalised distance in statistics, 1936",
              .example = "cairn fit knn @iris --distance mahalanobis",
              .params = mahalanobis_table,
              .params_size = sizeof(mahalanobis_params)},
    .formula = "d(q, x) = √((x − q)ᵀ·M·(x − q))",
    .takes = CAIRN_DISTANCE_NUMBERS,
    .open = open_squares,
    .learn = mahalanobis_learn,
    .place = mahalanobis_place,
};

const cairn_distance cairn_distance_manhattan = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "manhattan",
              .also = "city block, L1 distance, taxicab",
              .title = "Sum of differences",
              .summary = "The sum of absolute differences, as one walks along streets.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance manhattan",
              .params = no_params},
    .formula = "d(q, x) = Σ |xⱼ − qⱼ|",
    .takes = CAIRN_DISTANCE_NUMBERS,
    .scale_matters = true,
    .open = open_absolutes,
};

const cairn_distance cairn_distance_minkowski = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "minkowski",
              .also = "Lp distance, p-norm",
              .title = "Minkowski's family",
              .summary =
                  "(Σ |x - y|^p)^(1/p) for any power p; 1, 2 and infinity are the Manhattan, "
                  "Euclidean and Chebyshev distances, 0 counts the columns that differ.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance minkowski:p=3",
              .params = minkowski_table,
              .params_size = sizeof(minkowski_params)},
    .formula = "d(q, x) = (Σ |xⱼ − qⱼ|^p)^(1/p)",
    .takes = CAIRN_DISTANCE_NUMBERS,
    .scale_matters = true,
    .open = open_minkowski,
    .order = hamming_order,
};

const cairn_distance cairn_distance_squared = {
    .entry = {.kind = CAIRN_ENTRY_DISTANCE,
              .name = "squared",
              .also = "squared Euclidean",
              .title = "Squared straight line",
              .summary = "The sum of squared differences: the order of the Euclidean distance, but "
                         "no metric, because the triangle inequality fails.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit knn @iris --distance squared",
              .params = no_params},
    .formula = "d(q, x) = Σ (xⱼ − qⱼ)²",
    .takes = CAIRN_DISTANCE_NUMBERS | CAIRN_DISTANCE_BAGS,
    .scale_matters = true,
    .open = open_squared,
    .of_product = squares_of_product,
};
