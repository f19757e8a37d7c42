/* SPDX-License-Identifier: MIT */
/* Kernel functions. Texts write the width of the Gaussian kernel and the constants of the others in
 * several ways; here all are parameters of one record per kernel. */
#include "base/functions.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "stats/edit_distance.h"
#include "stats/kernel_functions.h"

#include <math.h>
#include <string.h>

/* -- parameters -- */

#define DEGREE_ROW(...)                                                                            \
    CAIRN_PARAM(cairn_kernel_params, degree, "2", "[1,100]", "power of the polynomial kernel",     \
                __VA_ARGS__)

#define FACTOR_ROW(...)                                                                            \
    CAIRN_PARAM(cairn_kernel_params, factor, "1", "(0,inf)", "factor of the inner product",        \
                .was = "scale", __VA_ARGS__)

#define OFFSET_ROW(...)                                                                            \
    CAIRN_PARAM(cairn_kernel_params, offset, "0", NULL, "what is added to the inner product",      \
                __VA_ARGS__)

#define GAMMA_ROW(...)                                                                             \
    CAIRN_PARAM(cairn_kernel_params, gamma, CAIRN_NOT_GIVEN, "(0,inf)", __VA_ARGS__)

#define SIGMA_ROW(...)                                                                             \
    CAIRN_PARAM(cairn_kernel_params, sigma, CAIRN_NOT_GIVEN, "(0,inf)", __VA_ARGS__)

#define VARIANCE_ROW(...)                                                                          \
    CAIRN_PARAM(cairn_kernel_params, variance, CAIRN_NOT_GIVEN, "(0,inf)",                         \
                "k = exp(-d^2 / (2 variance))", __VA_ARGS__)

#define LENGTH_ROW(...)                                                                            \
    CAIRN_PARAM(cairn_kernel_params, length, "3", "[1,100]",                                       \
                "letters of the runs or subsequences that are compared", __VA_ARGS__)

#define DECAY_ROW(...)                                                                             \
    CAIRN_PARAM(cairn_kernel_params, decay, "0.5", "(0,1]",                                        \
                "factor for every letter that a subsequence spans", __VA_ARGS__)

#define NORMALISE_ROW(...)                                                                         \
    CAIRN_PARAM(cairn_kernel_params, normalise, "yes", NULL,                                       \
                "divide by the root of k(x, x) k(y, y), so that a text and itself have 1",         \
                __VA_ARGS__)

static const cairn_choice kernels[] = {
    {"linear", CAIRN_KERNEL_LINEAR, "x.y"},
    {"poly", CAIRN_KERNEL_POLY, "(factor x.y + offset)^degree"},
    {"rbf", CAIRN_KERNEL_RBF, "Gaussian: exp(-gamma d^2)"},
    {"laplace", CAIRN_KERNEL_LAPLACE, "exp(-d / sigma)"},
    {"sigmoid", CAIRN_KERNEL_SIGMOID, "tanh(factor x.y + offset)"},
    {"spectrum", CAIRN_KERNEL_SPECTRUM, "texts: runs of letters that both have"},
    {"subsequence", CAIRN_KERNEL_SUBSEQUENCE, "texts: letters in the same order, with gaps"},
    {"edit", CAIRN_KERNEL_EDIT, "texts: exp(-gamma · number of edits)"},
    {"precomputed", CAIRN_KERNEL_GIVEN, "the data are a matrix of kernel values (--as gram)"},
    {0},
};

const cairn_param cairn_kernel_table[] = {
    CAIRN_PARAM_CHOICE(cairn_kernel_params, kernel, "rbf", kernels,
                       "inner product that rows are compared by", .often = true),
    GAMMA_ROW("k = exp(-gamma d^2), 1 / number of columns if no width is given; edit: "
              "exp(-gamma edits), 1 if not given",
              .when = "kernel=rbf|edit", .often = true),
    SIGMA_ROW("width: k = exp(-d^2 / (2 sigma^2)); laplace: exp(-d / sigma), 1 if not given",
              .when = "kernel=rbf|laplace"),
    VARIANCE_ROW(.when = "kernel=rbf"),
    DEGREE_ROW(.when = "kernel=poly", .often = true),
    FACTOR_ROW(.when = "kernel=poly|sigmoid"),
    OFFSET_ROW(.when = "kernel=poly|sigmoid"),
    CAIRN_PARAM(cairn_kernel_params, manhattan, "no", NULL,
                "d is the sum of absolute differences, not the Euclidean distance",
                .when = "kernel=laplace"),
    LENGTH_ROW(.when = "kernel=spectrum|subsequence"),
    DECAY_ROW(.when = "kernel=subsequence"),
    NORMALISE_ROW(.when = "kernel=spectrum|subsequence"),
    CAIRN_PARAM_END,
};

cairn_status cairn_kernel_check(cairn_context *ctx, const cairn_kernel_params *p)
{
    int given = !isnan(p->gamma) + !isnan(p->sigma) + !isnan(p->variance);
    if (given <= 1) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "gamma, sigma and variance are three ways to say one width; give one");
}

static cairn_status check_values(cairn_context *ctx, const void *values)
{
    return cairn_kernel_check(ctx, values);
}

/* -- values -- */

static double linear_value(const cairn_kernel *kernel, double product)
{
    (void)kernel;
    return product;
}

static double poly_value(const cairn_kernel *kernel, double product)
{
    double base = kernel->factor * product + kernel->offset, value = base;
    for (int i = 1; i < kernel->degree; i++) value *= base;
    return value;
}

static double rbf_value(const cairn_kernel *kernel, double square)
{
    return cairn_exp(-kernel->gamma * square);
}

static double laplace_value(const cairn_kernel *kernel, double distance)
{
    return cairn_exp(-kernel->gamma * (kernel->manhattan ? distance : sqrt(distance)));
}

static double sigmoid_value(const cairn_kernel *kernel, double product)
{
    return cairn_tanh(kernel->factor * product + kernel->offset);
}

/* -- use -- */

static const cairn_param laplace_table[] = {SIGMA_ROW("k = exp(-d / sigma); 1 if not given"),
                                            CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_laplace = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "laplace",
              .also = "Laplacian kernel, exponential kernel",
              .title = "Laplacian kernel",
              .summary = "exp(-d / sigma) of the Euclidean distance d: falls faster near 0 than "
                         "the Gaussian kernel and slower far away.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:laplace:sigma=2",
              .params = laplace_table,
              .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_LAPLACE,
    .formula = "k(x, y) = exp(−‖x − y‖ / σ)",
    .of_distance = true,
    .value = laplace_value,
};

static const cairn_param no_params[] = {CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_linear = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "linear",
              .also = "dot product, inner product",
              .title = "Inner product",
              .summary = "The inner product x.y itself; a kernel method with it is the plain one.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:linear",
              .params = no_params},
    .kind = CAIRN_KERNEL_LINEAR,
    .formula = "k(x, y) = x·y",
    .value = linear_value,
};

static const cairn_param poly_table[] = {DEGREE_ROW(), FACTOR_ROW(), OFFSET_ROW(), CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_poly = {
    .entry =
        {.kind = CAIRN_ENTRY_KERNEL,
         .name = "poly",
         .also =
             "polynomial kernel, homogeneous polynomial kernel, non-homogeneous polynomial kernel",
         .title = "Polynomial kernel",
         .summary = "(factor x.y + offset)^degree: the inner product of all products of up to "
                    "so many columns (of exactly so many with offset 0).",
         .references = "Schölkopf and Smola, Learning with Kernels, 2002",
         .example = "cairn fit knn @iris --distance kernel:poly:degree=2,offset=1",
         .params = poly_table,
         .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_POLY,
    .formula = "k(x, y) = (factor·x·y + offset)^degree",
    .value = poly_value,
};

static const cairn_param rbf_table[] = {GAMMA_ROW("k = exp(-gamma d^2); 1 if no width is given"),
                                        SIGMA_ROW("k = exp(-d^2 / (2 sigma^2))"), VARIANCE_ROW(),
                                        CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_rbf = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "rbf",
              .also = "Gaussian kernel, radial basis function, squared exponential",
              .title = "Gaussian kernel",
              .summary = "exp(-gamma d^2) of the Euclidean distance d; the width may be given as "
                         "gamma, as sigma (2 sigma^2 below) or as a variance (2 variance below).",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:rbf:gamma=0.5",
              .params = rbf_table,
              .params_size = sizeof(cairn_kernel_params),
              .check = check_values},
    .kind = CAIRN_KERNEL_RBF,
    .formula = "k(x, y) = exp(−γ‖x − y‖²)",
    .of_distance = true,
    .value = rbf_value,
};

static const cairn_param sigmoid_table[] = {FACTOR_ROW(), OFFSET_ROW(), CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_sigmoid = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "sigmoid",
              .also = "tanh kernel, hyperbolic tangent kernel",
              .title = "Sigmoid kernel",
              .summary = "tanh(factor x.y + offset). Not an inner product for all constants: its "
                         "matrix may have negative eigenvalues.",
              .references = "Schölkopf and Smola, Learning with Kernels, 2002",
              .example = "cairn fit knn @iris --distance kernel:sigmoid:factor=0.01",
              .params = sigmoid_table,
              .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_SIGMOID,
    .formula = "k(x, y) = tanh(factor·x·y + offset)",
    .may_be_negative = true,
    .value = sigmoid_value,
};

static const cairn_param spectrum_table[] = {LENGTH_ROW(), NORMALISE_ROW(), CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_spectrum = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "spectrum",
              .also = "string kernel, n-gram kernel, k-mer kernel",
              .title = "Spectrum kernel of texts",
              .summary = "Counts every run of so many letters in both texts and adds up the "
                         "products of the counts: the inner product of their n-gram counts.",
              .references = "Leslie, Eskin and Noble, The spectrum kernel (2002)",
              .example = "cairn compute kernel --kernel spectrum --length 2 --x banana --y ananas",
              .params = spectrum_table,
              .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_SPECTRUM,
    .formula = "k(x, y) = Σ over runs s of count(s in x) · count(s in y)",
    .of_texts = true,
};

static const cairn_param subsequence_table[] = {LENGTH_ROW(), DECAY_ROW(), NORMALISE_ROW(),
                                                CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_subsequence = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "subsequence",
              .also = "string kernel, gap-weighted subsequence kernel",
              .title = "Subsequence kernel of texts",
              .summary = "Adds up, over all subsequences of so many letters that both texts have, "
                         "decay to the power of the letters that they span in one and the other.",
              .references = "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, Text "
                            "classification using string kernels (2002)",
              .example = "cairn compute kernel --kernel subsequence --length 2 --x cat --y cart",
              .params = subsequence_table,
              .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_SUBSEQUENCE,
    .formula = "k(x, y) = Σ over common subsequences of decay^(span in x + span in y)",
    .of_texts = true,
};

static const cairn_param edit_table[] = {GAMMA_ROW("k = exp(-gamma edits); 1 if not given"),
                                         CAIRN_PARAM_END};

const cairn_kernel_function cairn_kernel_edit = {
    .entry = {.kind = CAIRN_ENTRY_KERNEL,
              .name = "edit",
              .also = "string kernel, edit distance kernel, Levenshtein",
              .title = "Edit kernel of texts",
              .summary = "exp(-gamma e) with e the least number of letters to put in, take out or "
                         "exchange that make one text of the other. Not an inner product for all "
                         "texts: its matrix may have negative eigenvalues.",
              .references = "Cortes, Haffner and Mohri, Rational kernels (2004)",
              .example = "cairn compute kernel --kernel edit --x kitten --y sitting",
              .params = edit_table,
              .params_size = sizeof(cairn_kernel_params)},
    .kind = CAIRN_KERNEL_EDIT,
    .formula = "k(x, y) = exp(−γ · edits)",
    .of_texts = true,
    .may_be_negative = true,
};

extern const cairn_kernel_function cairn_kernel_laplace, cairn_kernel_linear, cairn_kernel_poly,
    cairn_kernel_rbf, cairn_kernel_sigmoid, cairn_kernel_spectrum, cairn_kernel_subsequence,
    cairn_kernel_edit;

static const cairn_kernel_function *function_of(cairn_kernel_kind kind)
{
    static const cairn_kernel_function *const all[CAIRN_N_KERNELS] = {
        [CAIRN_KERNEL_LINEAR] = &cairn_kernel_linear,
        [CAIRN_KERNEL_POLY] = &cairn_kernel_poly,
        [CAIRN_KERNEL_RBF] = &cairn_kernel_rbf,
        [CAIRN_KERNEL_LAPLACE] = &cairn_kernel_laplace,
        [CAIRN_KERNEL_SIGMOID] = &cairn_kernel_sigmoid,
        [CAIRN_KERNEL_SPECTRUM] = &cairn_kernel_spectrum,
        [CAIRN_KERNEL_SUBSEQUENCE] = &cairn_kernel_subsequence,
        [CAIRN_KERNEL_EDIT] = &cairn_kernel_edit,
    };
    return all[kind];
}

cairn_kernel cairn_kernel_of(const cairn_kernel_params *params, size_t n_terms)
{
    cairn_kernel_kind kind = (cairn_kernel_kind)params->kernel;
    cairn_kernel kernel = {.function = function_of(kind), .manhattan = params->manhattan};
    kernel.factor = params->factor;
    kernel.offset = params->offset;
    kernel.degree = params->degree;
    kernel.length = params->length;
    kernel.decay = params->decay;
    kernel.normalise =
        params->normalise && (kind == CAIRN_KERNEL_SPECTRUM || kind == CAIRN_KERNEL_SUBSEQUENCE);
    /* The width as gamma, in whichever way it was said. */
    double usual = n_terms ? 1 / (double)n_terms : 1;
    if (kind == CAIRN_KERNEL_LAPLACE)
        kernel.gamma = isnan(params->sigma) ? 1 : 1 / params->sigma;
    else if (!isnan(params->gamma))
        kernel.gamma = params->gamma;
    else if (kind == CAIRN_KERNEL_EDIT)
        kernel.gamma = 1;
    else if (!isnan(params->sigma))
        kernel.gamma = 0.5 / (params->sigma * params->sigma);
    else
        kernel.gamma = isnan(params->variance) ? usual : 0.5 / params->variance;
    kernel.usual = kind == CAIRN_KERNEL_RBF && isnan(params->gamma) && isnan(params->sigma) &&
                   isnan(params->variance);
    return kernel;
}

cairn_status cairn_kernel_open(cairn_context *ctx, cairn_kernel *out, const char *option,
                               const char *spec)
{
    cairn_status status;
    OWNED(cairn_params_free) cairn_params *params = NULL;
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_KERNEL, spec));
    TRY(cairn_params_check(ctx, params));
    cairn_kernel_params values = {.gamma = NAN, .sigma = NAN, .variance = NAN};
    if (params->entry->params_size) values = *(const cairn_kernel_params *)params->values;
    values.kernel = (int)((const cairn_kernel_function *)params->entry)->kind;
    *out = cairn_kernel_of(&values, 0);
    return CAIRN_OK;
done:
    cairn_message_prefix(ctx, "%s", option);
    return status;
}

/* Numbers of a file that no parameters give are refused: nothing later could say so. */
cairn_status cairn_kernel_archive(cairn_archive *a, cairn_kernel *kernel)
{
    int32_t kind = (int32_t)cairn_kernel_kind_of(kernel);
    int32_t degree = kernel->degree, length = kernel->length;
    CHECK(cairn_archive_int(a, "kernel", &kind));
    CHECK(cairn_archive_real(a, "gamma", &kernel->gamma));
    CHECK(cairn_archive_real(a, "factor", &kernel->factor));
    CHECK(cairn_archive_real(a, "offset", &kernel->offset));
    CHECK(cairn_archive_int(a, "degree", &degree));
    CHECK(cairn_archive_bool(a, "manhattan", &kernel->manhattan));
    CHECK(cairn_archive_bool(a, "usual", &kernel->usual));
    CHECK(cairn_archive_int(a, "length", &length));
    CHECK(cairn_archive_real(a, "decay", &kernel->decay));
    CHECK(cairn_archive_bool(a, "normalise", &kernel->normalise));
    if (kind < 0 || kind >= CAIRN_N_KERNELS || degree < 0 || degree > 100 || length < 0 ||
        length > 100 || !(kernel->decay >= 0 && kernel->decay <= 1) || !(kernel->gamma >= 0) ||
        !isfinite(kernel->gamma) || !isfinite(kernel->factor) || !isfinite(kernel->offset))
        CHECK(cairn_archive_damaged(a, "the kernel is none"));
    kernel->function = function_of((cairn_kernel_kind)kind);
    kernel->degree = degree;
    kernel->length = length;
    if (kernel->function && kernel->function->of_texts && kind != CAIRN_KERNEL_EDIT && length < 1)
        CHECK(cairn_archive_damaged(a, "the kernel compares runs of no letters"));
    return CAIRN_OK;
}

double cairn_kernel_together(const cairn_kernel *kernel, double together)
{
    return kernel->function->value(kernel, together);
}

double cairn_kernel_value(const cairn_kernel *kernel, const double *a, const double *b, size_t n)
{
    double together = kernel->manhattan               ? cairn_absolute_distance(a, b, n)
                      : kernel->function->of_distance ? cairn_squared_distance(a, b, n)
                                                      : cairn_dot(a, b, n);
    return kernel->function->value(kernel, together);
}

/* -- windows -- */

const cairn_choice cairn_windows[] = {
    {"gaussian", CAIRN_WINDOW_GAUSSIAN, "exp(-u²/2)"},
    {"epanechnikov", CAIRN_WINDOW_EPANECHNIKOV, "1 - u² within the width"},
    {"tricube", CAIRN_WINDOW_TRICUBE, "(1 - u³)³ within the width"},
    {"triangle", CAIRN_WINDOW_TRIANGLE, "1 - u within the width"},
    {0},
};

double cairn_window_weight(cairn_window window, double u)
{
    double rest = 1 - u * u * u;
    if (window == CAIRN_WINDOW_GAUSSIAN) return cairn_exp(-0.5 * u * u);
    if (!(u < 1)) return 0;
    switch (window) {
    case CAIRN_WINDOW_EPANECHNIKOV: return 1 - u * u;
    case CAIRN_WINDOW_TRICUBE: return rest * rest * rest;
    default: return 1 - u;
    }
}

/* -- runs of letters -- */

int cairn_letters_compare(const int32_t *a, const int32_t *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Move item `at` of a heap down to where it belongs. */
static void sift(int32_t *order, size_t at, size_t n, const int32_t *letters, size_t length)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n &&
            cairn_letters_compare(letters + order[child], letters + order[child + 1], length) < 0)
            child++;
        if (cairn_letters_compare(letters + order[at], letters + order[child], length) >= 0) return;
        int32_t kept = order[at];
        order[at] = order[child];
        order[child] = kept;
    }
}

size_t cairn_letters_sort(int32_t *order, const int32_t *letters, size_t n, size_t length)
{
    size_t runs = n < length ? 0 : n - length + 1;
    for (size_t i = 0; i < runs; i++) order[i] = (int32_t)i;
    for (size_t i = runs / 2; i-- > 0;) sift(order, i, runs, letters, length);
    for (size_t left = runs; left > 1;) {
        int32_t kept = order[0];
        order[0] = order[--left];
        order[left] = kept;
        sift(order, 0, left, letters, length);
    }
    return runs;
}

/* Items of the sorted list from `at` on that are the same run. */
static size_t count_same(const cairn_letters *a, size_t at, size_t runs, size_t length)
{
    size_t n = 1;
    while (at + n < runs && cairn_letters_compare(a->letters + a->order[at],
                                                  a->letters + a->order[at + n], length) == 0)
        n++;
    return n;
}

static double spectrum(const cairn_letters *a, const cairn_letters *b, size_t length)
{
    size_t n_a = a->n < length ? 0 : a->n - length + 1, n_b = b->n < length ? 0 : b->n - length + 1;
    double sum = 0;
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        int order =
            cairn_letters_compare(a->letters + a->order[i], b->letters + b->order[j], length);
        size_t same_a = order <= 0 ? count_same(a, i, n_a, length) : 0;
        size_t same_b = order >= 0 ? count_same(b, j, n_b, length) : 0;
        sum += (double)same_a * (double)same_b;
        i += same_a;
        j += same_b;
    }
    return sum;
}

/* -- subsequences -- */

/* reach[i * (n_b + 1) + j]: sum over common subsequences of i letters of a's and b's first letters,
 * of decay to the power of the letters from their first one to the ends. A letter of a at a time is
 * added; longer subsequences first, as they need the shorter ones from before it. */
static double subsequences(const cairn_letters *a, const cairn_letters *b, size_t length,
                           double decay, double *reach)
{
    size_t width = b->n + 1;
    double sum = 0, both = decay * decay;
    memset(reach, 0, length * width * sizeof *reach);
    for (size_t j = 0; j < width; j++) reach[j] = 1;
    for (size_t r = 0; r < a->n; r++) {
        const double *last = reach + (length - 1) * width;
        for (size_t j = 0; j < b->n; j++)
            if (a->letters[r] == b->letters[j]) sum += both * last[j];
        for (size_t i = length - 1; i > 0; i--) {
            double *to = reach + i * width, along = 0;
            const double *shorter = to - width;
            for (size_t j = 0; j < b->n; j++) {
                along *= decay;
                if (a->letters[r] == b->letters[j]) along += both * shorter[j];
                to[j + 1] = decay * to[j + 1] + along;
            }
        }
    }
    return sum;
}

/* -- use -- */

size_t cairn_text_kernel_buffer(const cairn_kernel *kernel, size_t longest)
{
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SPECTRUM) return 0;
    return (longest + 1) * (kernel->length > 1 ? (size_t)kernel->length : 1);
}

double cairn_text_kernel(const cairn_kernel *kernel, const cairn_letters *a, const cairn_letters *b,
                         double *buffer)
{
    size_t shorter = a->n < b->n ? a->n : b->n;
    int order = cairn_letters_compare(a->letters, b->letters, shorter);
    bool exchange = order > 0 || (order == 0 && a->n > b->n);
    const cairn_letters *first = exchange ? b : a, *second = exchange ? a : b;
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_SPECTRUM: return spectrum(first, second, (size_t)kernel->length);
    case CAIRN_KERNEL_SUBSEQUENCE:
        return subsequences(first, second, (size_t)kernel->length, kernel->decay, buffer);
    default:
        return (double)cairn_edit_distance(first->letters, first->n, second->letters, second->n,
                                           (int32_t *)(void *)buffer);
    }
}

/* tanh is its argument, of the size of the offset, where that is next to 0. */
double cairn_kernel_left(const cairn_kernel *kernel, double value, double lengths)
{
    switch (cairn_kernel_kind_of(kernel)) {
    case CAIRN_KERNEL_LINEAR: return cairn_number_left(value, lengths);
    case CAIRN_KERNEL_SIGMOID: return cairn_number_left(value, kernel->offset);
    default: return value;
    }
}
