/* SPDX-License-Identifier: MIT */
/* Which density each column gets: levels are categorical, numbers Gaussian, bags multinomial,
 * unless --density says otherwise, for one column ("age=kernel") or for all that can have it
 * ("multinomial"). Number columns that are multinomial together make one bag, in which each column
 * is a word. Bins and the distinct values of numbers are found here, from the training rows. */
#include "learners/bayes/bayes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "entry/probabilities.h"
#include "kernels/kernels.h"
#include "model/learned.h"
#include "model/sample.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cairn_bayes_density_names[CAIRN_BAYES_DENSITIES] = {
    "categorical", "bernoulli", "multinomial", "gaussian", "histogram", "kernel", "binned"};

enum { MOST_DISTINCT = 10000 };

const cairn_field *cairn_bayes_field(const cairn_schema *schema, size_t feature)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && feature-- == 0) return &schema->fields[i];
    return NULL;
}

cairn_status cairn_bayes_fields(cairn_context *ctx, const cairn_field ***out,
                                const cairn_schema *schema)
{
    size_t n = 0;
    cairn_status status = SCRATCH(ctx, out, schema->n_fields + 1);
    for (size_t i = 0; !status && i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE) (*out)[n++] = &schema->fields[i];
    return status;
}

const char *cairn_bayes_class(const cairn_schema *schema, size_t c)
{
    ptrdiff_t at = cairn_schema_role(schema, CAIRN_TARGET);
    const cairn_field *target = at < 0 ? NULL : &schema->fields[at];
    return target && c < target->names.n ? cairn_map_key(&target->names, c) : "?";
}

/* -- reading options -- */

static int density_of(const char *name)
{
    for (int d = 0; d < CAIRN_BAYES_DENSITIES; d++)
        if (strcmp(cairn_bayes_density_names[d], name) == 0) return d;
    return -1;
}

/* Take "column=kind" or "kind" apart, in place; *column is NULL for the latter. */
static cairn_status read_item(cairn_context *ctx, char *item, const char **column, int *density)
{
    char *sign = strrchr(item, '=');
    const char *kind = sign ? sign + 1 : item;
    *column = sign ? item : NULL;
    if (sign) *sign = '\0';
    *density = density_of(kind);
    if (*density >= 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{density}: there is no '%s'; choose categorical, bernoulli, multinomial, "
                      "gaussian, histogram, kernel or binned, for all columns or as COLUMN=KIND",
                      kind);
}

cairn_status cairn_bayes_read_prior(cairn_context *ctx, const char *text, int32_t *kind,
                                    double **list, size_t *n)
{
    *n = 0;
    *kind = CAIRN_PRIOR_GIVEN;
    if (cairn_same(text, "empirical")) *kind = CAIRN_PRIOR_EMPIRICAL;
    if (cairn_same(text, "uniform")) *kind = CAIRN_PRIOR_UNIFORM;
    if (cairn_same(text, "none")) *kind = CAIRN_PRIOR_NONE;
    if (*kind != CAIRN_PRIOR_GIVEN) return CAIRN_OK;
    if (cairn_list_numbers(ctx, "prior", text, list, n) != CAIRN_OK)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{prior %s}: write empirical, uniform, none, or one number per class in "
                          "the order of the classes, such as 0.7,0.3",
                          text);
    return cairn_check_probabilities(ctx, "prior", *list, *n);
}

cairn_status cairn_bayes_check(cairn_context *ctx, const void *params)
{
    const cairn_bayes_params *p = params;
    SCOPED_SCRATCH(ctx);
    cairn_smoothing smoothing;
    const char *column;
    char **items;
    double *prior;
    size_t n;
    int32_t kind;
    int density;
    if (!cairn_same(p->smooth, "auto")) CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
    CHECK(cairn_bayes_read_prior(ctx, p->prior, &kind, &prior, &n));
    if (p->density) {
        CHECK(cairn_list_split(ctx, p->density, &items, &n));
        for (size_t i = 0; i < n; i++) CHECK(read_item(ctx, items[i], &column, &density));
    }
    return CAIRN_OK;
}

/* -- one density per column -- */

static bool can_have(cairn_kind kind, int density)
{
    if (kind == CAIRN_LEVEL) return density == CAIRN_BAYES_CATEGORICAL;
    if (kind == CAIRN_BAG)
        return density == CAIRN_BAYES_BERNOULLI || density == CAIRN_BAYES_MULTINOMIAL;
    return true;
}

static int usual_density(cairn_kind kind)
{
    return kind == CAIRN_LEVEL ? CAIRN_BAYES_CATEGORICAL
           : kind == CAIRN_BAG ? CAIRN_BAYES_MULTINOMIAL
                               : CAIRN_BAYES_GAUSSIAN;
}

static const char *feature_name(size_t i, const void *data)
{
    const cairn_view *view = data;
    return i < view->n_features ? view->names[i] : NULL;
}

static cairn_status set_column(cairn_context *ctx, const cairn_view *view, int *densities,
                               const char *column, int density)
{
    for (size_t f = 0; f < view->n_features; f++) {
        if (strcmp(view->names[f], column) != 0) continue;
        cairn_kind kind = view->features[f]->kind;
        if (!can_have(kind, density))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{density}: column '%s' holds %s, whose density is %s, not %s",
                              column, kind == CAIRN_BAG ? "bags" : "levels",
                              kind == CAIRN_BAG ? "multinomial or bernoulli" : "categorical",
                              cairn_bayes_density_names[density]);
        densities[f] = density;
        return CAIRN_OK;
    }
    const char *near = cairn_nearest_word(column, feature_name, view);
    return cairn_fail(ctx, CAIRN_USAGE, "{density}: there is no feature '%s'%s%s%s", column,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Give the density to all columns that can have it; where none can, that is said. */
static void set_all(cairn_context *ctx, const cairn_view *view, int *densities, int density)
{
    bool any = false,
         numbers_only = density != CAIRN_BAYES_CATEGORICAL && !can_have(CAIRN_BAG, density);
    for (size_t f = 0; f < view->n_features; f++) {
        if (!can_have(view->features[f]->kind, density)) continue;
        densities[f] = density;
        any = true;
    }
    if (any) return;
    const char *takes = density == CAIRN_BAYES_CATEGORICAL ? "levels and numbers have"
                        : numbers_only                     ? "only numbers have"
                                                           : "only numbers and bags have";
    cairn_warn(ctx,
               "{density %s} changes nothing: no feature can have it, since %s such a density; "
               "leave it out, or declare the kind of a column with {kinds COLUMN=number}",
               cairn_bayes_density_names[density], takes);
}

/* Whether the numbers can be how often a word occurs: whole, from 0 on, and 0 somewhere. */
static bool seem_counts(const cairn_view *view, size_t feature)
{
    bool zero = false;
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = view->features[feature]->numbers[cairn_view_row(view, i)];
        if (isnan(x)) continue;
        if (!(x >= 0) || x != floor(x)) return false;
        zero |= x == 0;
    }
    return zero;
}

/* Rows of counts, as of words in texts, have no normal densities. */
static void say_counts(cairn_context *ctx, const cairn_view *view, const int *densities)
{
    enum { LEAST_COLUMNS = 3 };
    size_t n = 0;
    for (size_t f = 0; f < view->n_features; f++) {
        if (view->features[f]->kind != CAIRN_NUMBER || !view->features[f]->numbers) return;
        if (densities[f] != CAIRN_BAYES_GAUSSIAN || !seem_counts(view, f)) return;
        n++;
    }
    if (n < LEAST_COLUMNS) return;
    cairn_warn(
        ctx,
        "all %zu features are whole numbers from 0 on, as counts of words are, and are taken "
        "as measured; {density multinomial} takes them as counts, {density gaussian} keeps "
        "this quiet",
        n);
}

/* A density without a column is for all columns that can have it and may fail for none; one with
 * a column must fit it. */
static cairn_status choose_densities(cairn_context *ctx, int **out, const cairn_job *job)
{
    const cairn_bayes_params *p = job->params;
    const cairn_view *view = job->view;
    char **items;
    size_t n;
    CHECK(SCRATCH(ctx, out, view->n_features + 1));
    for (size_t f = 0; f < view->n_features; f++)
        (*out)[f] = usual_density(view->features[f]->kind);
    if (!p->density) {
        say_counts(ctx, view, *out);
        return CAIRN_OK;
    }
    CHECK(cairn_list_split(ctx, p->density, &items, &n));
    for (int named = 0; named < 2; named++) { /* what names a column holds against what does not */
        for (size_t i = 0; i < n; i++) {
            const char *column;
            int density;
            if ((strrchr(items[i], '=') != NULL) != named) continue;
            CHECK(read_item(ctx, items[i], &column, &density));
            if (column)
                CHECK(set_column(ctx, view, *out, column, density));
            else
                set_all(ctx, view, *out, density);
        }
    }
    return CAIRN_OK;
}

/* -- bins and values of numbers -- */

static cairn_status view_sample(cairn_context *ctx, cairn_sample *out, const cairn_view *view,
                                size_t feature)
{
    double *values, *weights = NULL;
    size_t n = view->rows.n;
    CHECK(SCRATCH_RAW(ctx, &values, n + 1));
    if (cairn_view_is_weighted(view)) {
        CHECK(SCRATCH_RAW(ctx, &weights, n + 1));
        cairn_view_weights(view, 0, n, weights);
    }
    for (size_t i = 0; i < n; i++)
        values[i] = view->features[feature]->numbers[cairn_view_row(view, i)];
    return cairn_sample_make(ctx, out, values, weights, n, (cairn_part){0});
}

/* Bins come from the training rows; a column without a value gets one empty bin, so that the
 * rest need not know of the case. */
static cairn_status make_bins(cairn_context *ctx, cairn_bayes_part *part, const cairn_job *job)
{
    const cairn_bayes_params *p = job->params;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    cairn_sample sample;
    cairn_bins bins;
    TRY(view_sample(ctx, &sample, job->view, (size_t)part->features[0]));
    if (!sample.n) { /* no value at all: one bin that nothing falls into */
        part->n_values = 1;
        TRY(NEW(ctx, &part->places, 2));
        part->places[1] = 1;
        goto done;
    }
    status = cairn_bins_make(ctx, &bins, &p->bins, &sample);
    if (status == CAIRN_USAGE || status == CAIRN_BAD_DATA)
        cairn_message_prefix(ctx, "column '%s'", job->view->names[part->features[0]]);
    TRY(status);
    part->n_values = bins.n;
    part->closed_right = bins.closed_right;
    TRY(NEW_RAW(ctx, &part->places, bins.n + 1));
    memcpy(part->places, bins.edges, (bins.n + 1) * sizeof *part->places);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- parts -- */

/* What is allocated here is what archive_part reads again: both follow from the density and the
 * kind of the column. */
static cairn_status make_buffer(cairn_context *ctx, cairn_bayes_part *part, const cairn_job *job)
{
    const cairn_column *column = job->view->features[part->features[0]];
    size_t k = job->n_classes;
    switch (part->density) {
    case CAIRN_BAYES_CATEGORICAL:
        if (part->of_numbers) {
            /* Each distinct number as a category of its own makes sense for few numbers only;
             * beyond MOST_DISTINCT the message names better densities. */
            SCOPED_SCRATCH(ctx);
            cairn_sample sample;
            size_t n = 0;
            CHECK(view_sample(ctx, &sample, job->view, (size_t)part->features[0]));
            for (size_t i = 0; i < sample.n; i++)
                if (n == 0 || sample.values[i] != sample.values[n - 1])
                    sample.values[n++] = sample.values[i];
            if (n > MOST_DISTINCT)
                CHECK(cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "column '%s' has %zu distinct numbers, too many to take them as categories; "
                    "choose {density %s=gaussian}, histogram, kernel or binned",
                    job->view->names[part->features[0]], n, job->view->names[part->features[0]]));
            part->n_values = n;
            CHECK(NEW(ctx, &part->places, n + 1));
            memcpy(part->places, sample.values, n * sizeof *part->places);
        } else
            part->n_values = column->names.n;
        break;
    case CAIRN_BAYES_BERNOULLI: part->n_values = part->of_numbers ? 1 : column->names.n; break;
    case CAIRN_BAYES_MULTINOMIAL:
        part->n_values = part->of_numbers ? part->n_features : column->names.n;
        break;
    case CAIRN_BAYES_HISTOGRAM:
    case CAIRN_BAYES_BINNED: CHECK(make_bins(ctx, part, job)); break;
    case CAIRN_BAYES_GAUSSIAN: CHECK(NEW_EACH(ctx, k, &part->means, &part->squares)); break;
    case CAIRN_BAYES_KERNEL: CHECK(NEW(ctx, &part->kept_of, k)); break;
    default: break;
    }
    CHECK(NEW(ctx, &part->counts, cairn_product(part->n_values, k)));
    return NEW(ctx, &part->totals, k);
}

/* The model keeps the parameters that turn counts into probabilities, since it is used where no
 * parameters are at hand. */
static cairn_status keep_settings(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job)
{
    const cairn_bayes_params *p = job->params;
    cairn_smoothing smoothing;
    double *prior = NULL;
    m->smooth_kind = -1;
    if (!cairn_same(p->smooth, "auto")) {
        CHECK(cairn_smoothing_read(ctx, &smoothing, p->smooth));
        m->smooth_kind = (int32_t)smoothing.kind;
        m->smooth_amount = smoothing.amount;
    }
    m->smooth_prior = p->smooth_prior;
    m->divisor = p->divisor;
    m->absent = p->absent;
    m->terms = p->terms;
    m->kernel = p->kernel.kernel;
    m->bandwidth_rule = p->kernel.bandwidth_rule;
    m->bandwidth = p->kernel.bandwidth;
    m->least_variance = p->least_variance;
    m->least_of_largest = p->least_of_largest;
    m->add_variance = p->add_variance;
    m->score_scale = p->score_scale;
    m->coefficient = p->coefficient;
    CHECK(cairn_bayes_read_prior(ctx, p->prior, &m->prior_kind, &prior, &m->n_given));
    if (m->n_given && m->n_given != job->n_classes) {
        size_t n = m->n_given;
        m->n_given = 0;
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "{prior} has %zu number%s for the %zu classes of '%s'", n,
                         n == 1 ? "" : "s", job->n_classes, job->view->target_name));
    }
    CHECK(NEW(ctx, &m->given_prior, m->n_given));
    if (prior) memcpy(m->given_prior, prior, m->n_given * sizeof *prior);
    return CAIRN_OK;
}

cairn_status cairn_bayes_plan(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job)
{
    int *densities;
    m->n_classes = job->n_classes;
    m->n_features = job->view->n_features;
    CHECK(NEW(ctx, &m->classes, m->n_classes));
    CHECK(keep_settings(ctx, m, job));
    CHECK(choose_densities(ctx, &densities, job));
    /* A part for each column, and one for all numbers that are multinomial. */
    const cairn_view *view = job->view;
    cairn_bayes_part *bag = NULL;
    CHECK(NEW(ctx, &m->parts, view->n_features + 1));
    for (size_t f = 0; f < view->n_features; f++) {
        bool number = view->features[f]->kind == CAIRN_NUMBER;
        bool joins = number && densities[f] == CAIRN_BAYES_MULTINOMIAL;
        cairn_bayes_part *part = joins && bag ? bag : &m->parts[m->n_parts++];
        if (joins) bag = part;
        part->density = densities[f];
        part->of_numbers = number;
        CHECK(RESIZE(ctx, &part->features, part->n_features + 1));
        part->features[part->n_features++] = (int32_t)f;
    }
    for (size_t i = 0; i < m->n_parts; i++) CHECK(make_buffer(ctx, &m->parts[i], job));
    return CAIRN_OK;
}

/* Room for what later rows bring: classes, levels of a column, values of a number that is taken as
 * categorical. What is there keeps its place, so counts stay what they are. Bins stay as they were
 * when the model was first fitted. */

/* An n x k array with room for more; new places are 0. */
static cairn_status widen(cairn_context *ctx, double **array, size_t n, size_t k, size_t to_n,
                          size_t to_k)
{
    double *wide;
    if (!*array || (n == to_n && k == to_k)) return CAIRN_OK;
    CHECK(NEW(ctx, &wide, cairn_product(to_n, to_k)));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) wide[i * to_k + j] = (*array)[i * k + j];
    cairn_free(*array);
    *array = wide;
    return CAIRN_OK;
}

/* Put new values of a categorical number in their places. */
static cairn_status insert_values(cairn_context *ctx, cairn_bayes_part *part,
                                  const cairn_view *view, size_t k)
{
    cairn_status status;
    double *fresh, *places = NULL, *counts = NULL;
    size_t n, from = 0, next = 0;
    /* Values of the view that the part does not have yet, ascending and distinct; scratch. */
    const double *numbers = view->features[part->features[0]]->numbers;
    size_t found = 0, distinct = 0;
    TRY(SCRATCH_RAW(ctx, &fresh, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = numbers[cairn_view_row(view, i)];
        if (!isnan(x) && cairn_bayes_place(part, x) < 0) (fresh)[found++] = x;
    }
    if (found) qsort(fresh, found, sizeof *fresh, cairn_by_number);
    for (size_t i = 0; i < found; i++)
        if (distinct == 0 || (fresh)[i] != (fresh)[distinct - 1]) (fresh)[distinct++] = (fresh)[i];
    n = distinct;
    if (!n) return CAIRN_OK;
    TRY(NEW(ctx, &places, part->n_values + n + 1));
    TRY(NEW(ctx, &counts, cairn_product(part->n_values + n, k)));
    for (size_t to = 0; to < part->n_values + n; to++) {
        bool old = next >= n || (from < part->n_values && part->places[from] < fresh[next]);
        places[to] = old ? part->places[from] : fresh[next];
        if (old) memcpy(counts + to * k, part->counts + from * k, k * sizeof *counts);
        if (old)
            from++;
        else
            next++;
    }
    FREE_EACH(part->places, part->counts);
    part->places = places;
    part->counts = counts;
    part->n_values += n;
    return CAIRN_OK;
done:
    FREE_EACH(places, counts);
    return status;
}

static cairn_status grow_part(cairn_context *ctx, cairn_bayes_part *part, size_t k,
                              const cairn_job *job, const cairn_field *const *fields)
{
    size_t n = part->n_values, to_k = job->n_classes;
    if (!part->of_numbers) n = fields[part->features[0]]->names.n;
    CHECK(widen(ctx, &part->counts, part->n_values, k, n, to_k));
    part->n_values = n;
    CHECK(widen(ctx, &part->totals, 1, k, 1, to_k));
    CHECK(widen(ctx, &part->means, 1, k, 1, to_k));
    CHECK(widen(ctx, &part->squares, 1, k, 1, to_k));
    CHECK(widen(ctx, &part->kept_of, 1, k, 1, to_k));
    if (part->of_numbers && part->density == CAIRN_BAYES_CATEGORICAL)
        CHECK(insert_values(ctx, part, job->view, to_k));
    return CAIRN_OK;
}

cairn_status cairn_bayes_grow(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_field **fields;
    if (m->n_given && m->n_given != job->n_classes)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "the model has given priors for %zu classes and cannot take a new class "
                         "'%s'; fit it again with {prior} for all classes",
                         m->n_given, cairn_bayes_class(job->schema, m->n_given)));
    CHECK(cairn_bayes_fields(ctx, &fields, job->schema));
    for (size_t i = 0; i < m->n_parts; i++)
        CHECK(grow_part(ctx, &m->parts[i], m->n_classes, job, fields));
    CHECK(widen(ctx, &m->classes, 1, m->n_classes, 1, job->n_classes));
    m->n_classes = job->n_classes;
    return CAIRN_OK;
}

/* Adding rows to the counts and moments of the parts.
 *
 * Gaussian columns without missing cells go through one pass together: rows are read in blocks,
 * each block sums d = x - shift and d squared per class, and the blocks are joined in order, so the
 * number of threads does not show. The shift of a class is the mean of some of its rows, which
 * keeps the digits that a sum of squares would lose; where it turns out to be far from the mean,
 * the pass is made again about the mean. All other parts are counted side by side, each by one
 * thread in row order.
 *
 * What is there already is joined with the new rows (Chan, Golub and LeVeque), so adding rows in
 * two goes gives the counts of one go exactly, and moments to about 1e-14 of their size. */

enum {
    SAMPLE_ROWS = 4096,        /* behind the shifts */
    MOST_BLOCKS = 64,          /* partial sums in memory */
    LEAST_BLOCK = 2048,        /* rows */
    PIECE_NUMBERS = 16 * 1024, /* in a worker's buffer */
    MOST_PARTIAL = 1 << 24     /* numbers in all partial sums, where that is possible */
};

/* Join a sample of n rows with the moments that are there. */
static void join_moments(double *total, double *mean, double *squares, double n, double new_mean,
                         double new_squares)
{
    double all = *total + n, step = new_mean - *mean;
    if (!(n > 0)) return;
    if (*total == 0) {
        *mean = new_mean;
        *squares = new_squares;
    } else {
        *mean += step * n / all;
        *squares += new_squares + step * step * *total * n / all;
    }
    *total = all;
}

/* -- the pass over dense Gaussian columns -- */

typedef struct pass {
    const cairn_view *view;
    size_t n_rows, n_classes, n_columns, chunk, piece;
    bool weighted;
    const double **columns; /* n_columns */
    cairn_bayes_part **parts;
    double *shift;   /* n_classes x n_columns */
    double *partial; /* a block's sums and squares: 2 x n_classes x n_columns */
    double *buffers; /* workers x piece x n_columns */
    double *weights; /* workers x piece */
    int32_t *codes;  /* workers x piece */
    double *sums, *squares;
    const double *rows_of; /* n_classes: weight of the view's rows */
} pass;

static void moments_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const pass *p = data;
    size_t size = p->n_classes * p->n_columns, buffer = (size_t)worker * p->piece;
    double *sums = p->partial + block * 2 * size;
    double *x = p->buffers + buffer * p->n_columns;
    const uint32_t *rows = p->view->rows.indices;
    for (size_t i = begin; i < end; i += p->piece) {
        size_t n = end - i < p->piece ? end - i : p->piece;
        cairn_pack_rows(x, p->n_columns, p->columns, p->n_columns, rows ? rows + i : NULL,
                        rows ? 0 : i, n);
        cairn_view_target_codes(p->view, i, n, p->codes + buffer);
        if (p->weighted) cairn_view_weights(p->view, i, n, p->weights + buffer);
        cairn_class_moments_add(sums, sums + size, x, p->n_columns, n, p->n_columns,
                                p->codes + buffer, p->weighted ? p->weights + buffer : NULL,
                                p->shift);
    }
}

static cairn_status sum_blocks(cairn_context *ctx, pass *p)
{
    SCOPED_SCRATCH(ctx);
    size_t size = p->n_classes * p->n_columns, n_blocks = cairn_block_count(p->n_rows, p->chunk);
    CHECK(SCRATCH(ctx, &p->partial, cairn_product(n_blocks, 2 * size)));
    CHECK(cairn_blocks(ctx, p->n_rows, p->chunk, moments_block, p));
    memset(p->sums, 0, size * sizeof *p->sums);
    memset(p->squares, 0, size * sizeof *p->squares);
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < size; i++) {
            p->sums[i] += p->partial[b * 2 * size + i];
            p->squares[i] += p->partial[b * 2 * size + size + i];
        }
    return CAIRN_OK;
}

/* A value near the mean of every class: the mean of its first row and of some rows spread over the
 * view. Where the class is constant it is that constant. */
static cairn_status find_shifts(cairn_context *ctx, pass *p)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->n_rows, m = n < SAMPLE_ROWS ? n : SAMPLE_ROWS, left = p->n_classes, *seen;
    CHECK(SCRATCH(ctx, &seen, p->n_classes));
    for (size_t pass_no = 0; pass_no < 2; pass_no++)
        for (size_t i = 0; i < (pass_no ? m : n) && (pass_no || left); i++) {
            size_t row = cairn_view_row(p->view, pass_no ? i * n / m : i);
            int32_t c = p->view->target->codes[row];
            if (c < 0 || (!pass_no && seen[c])) continue;
            double *shift = p->shift + (size_t)c * p->n_columns;
            if (!seen[c]++) left--;
            for (size_t j = 0; j < p->n_columns; j++)
                shift[j] += (p->columns[j][row] - shift[j]) / (double)seen[c];
        }
    return CAIRN_OK;
}

/* Move shifts that are far from the mean, beside the spread, to the mean; false = none is. */
static bool move_shifts(pass *p)
{
    bool moved = false;
    for (size_t c = 0; c < p->n_classes; c++)
        for (size_t j = 0; j < p->n_columns; j++) {
            size_t at = c * p->n_columns + j;
            double n = p->rows_of[c], off = n > 0 ? p->sums[at] * p->sums[at] / n : 0;
            if (!(off > 1e4 * (p->squares[at] - off)) || !(off > 0) || !isfinite(off)) continue;
            p->shift[at] += p->sums[at] / n;
            moved = true;
        }
    return moved;
}

/* The number of blocks follows from rows, columns and classes alone, never from the threads,
 * since it decides in which order sums are joined. */
static cairn_status open_pass(cairn_context *ctx, pass *p, const cairn_bayes_model *m,
                              const cairn_view *view)
{
    size_t workers = (size_t)cairn_workers(ctx), most = MOST_BLOCKS;
    *p = (pass){.view = view, .n_rows = view->rows.n, .n_classes = m->n_classes};
    p->weighted = cairn_view_is_weighted(view);
    CHECK(SCRATCH_EACH(ctx, m->n_parts + 1, &p->columns, &p->parts));
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_column *column = view->features[m->parts[i].features[0]];
        if (m->parts[i].density != CAIRN_BAYES_GAUSSIAN || column->n_missing) continue;
        p->columns[p->n_columns] = column->numbers;
        p->parts[p->n_columns++] = &m->parts[i];
    }
    if (!p->n_columns) return CAIRN_OK;
    size_t size = cairn_product(m->n_classes, p->n_columns);
    if (size > MOST_PARTIAL / 2 / MOST_BLOCKS)
        most = size >= MOST_PARTIAL / 4 ? 2 : MOST_PARTIAL / 2 / size;
    p->chunk = (p->n_rows + most - 1) / most;
    if (p->chunk < LEAST_BLOCK) p->chunk = LEAST_BLOCK;
    p->piece = PIECE_NUMBERS / p->n_columns / 8 * 8;
    if (p->piece < 16) p->piece = 16;
    CHECK(SCRATCH_EACH(ctx, size, &p->shift, &p->sums, &p->squares));
    CHECK(SCRATCH_RAW(ctx, &p->buffers, cairn_product(workers * p->piece, p->n_columns)));
    CHECK(SCRATCH_RAW(ctx, &p->weights, workers * p->piece));
    return SCRATCH_RAW(ctx, &p->codes, workers * p->piece);
}

/* Sums around a shift near the mean do not cancel; where the guess was poor the rows are summed
 * once more around the mean itself. */
static cairn_status count_normals(cairn_context *ctx, cairn_bayes_model *m, const cairn_view *view,
                                  const double *rows_of)
{
    SCOPED_SCRATCH(ctx);
    pass p;
    CHECK(open_pass(ctx, &p, m, view));
    if (!p.n_columns) return CAIRN_OK;
    p.rows_of = rows_of;
    CHECK(find_shifts(ctx, &p));
    CHECK(sum_blocks(ctx, &p));
    if (move_shifts(&p)) CHECK(sum_blocks(ctx, &p));
    for (size_t j = 0; j < p.n_columns; j++)
        for (size_t c = 0; c < p.n_classes; c++) {
            size_t at = c * p.n_columns + j;
            double n = rows_of[c], off = n > 0 ? p.sums[at] / n : 0;
            join_moments(&p.parts[j]->totals[c], &p.parts[j]->means[c], &p.parts[j]->squares[c], n,
                         p.shift[at] + off, fmax(p.squares[at] - off * p.sums[at], 0));
        }
    return CAIRN_OK;
}

/* -- the other parts -- */

typedef struct counting {
    cairn_bayes_model *m;
    const cairn_job *job;
} counting;

static const char no_count[] =
    "is no count; a multinomial column counts how often something occurs, so choose another "
    "{density} for it";

static const char too_many[] =
    "makes the counts of the class add up to more than the largest number; correct it, or choose "
    "another {density}";

/* `fault` follows the value. */
static cairn_status refuse_cell(cairn_context *ctx, const cairn_view *view, size_t feature,
                                size_t row, double x, const char *fault)
{
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, x, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s', row %zu: %s %s", view->names[feature],
                      row + 1, value, cairn_say(ctx, fault));
}

static void count_levels(cairn_bayes_part *part, const cairn_view *view, size_t k)
{
    const int32_t *codes = view->features[part->features[0]]->codes;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i);
        if (codes[row] < 0) continue;
        part->counts[(size_t)codes[row] * k + c] += w;
        part->totals[c] += w;
    }
}

/* Numbers that fall on values or into bins, or are there or not. */
static void count_places(cairn_bayes_part *part, const cairn_view *view, size_t k)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i), x = numbers[row];
        if (isnan(x)) continue;
        ptrdiff_t at = bits ? (x > 0 ? 0 : -1) : cairn_bayes_place(part, x);
        part->totals[c] += w;
        if (at >= 0) part->counts[(size_t)at * k + c] += w;
    }
}

/* Words of a bag column; `terms` says whether a row counts once or as often as the word occurs. */
static cairn_status count_bag(cairn_context *ctx, cairn_bayes_part *part, const cairn_view *view,
                              size_t k, bool once)
{
    size_t feature = (size_t)part->features[0];
    const cairn_column *column = view->features[feature];
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i), sum = 0;
        if (column->absent && column->absent[row]) continue;
        for (size_t t = column->starts[row]; t < column->starts[row + 1]; t++) {
            double x = column->amounts ? column->amounts[t] : 1;
            if (!(x >= 0) || isinf(x)) return refuse_cell(ctx, view, feature, row, x, no_count);
            double add = once ? w * (x > 0) : w * x;
            part->counts[(size_t)column->items[t] * k + c] += add;
            sum += add;
            if (isinf(part->totals[c] + sum))
                return refuse_cell(ctx, view, feature, row, x, too_many);
        }
        part->totals[c] += once ? w : sum;
    }
    return CAIRN_OK;
}

/* The same for number columns that make one bag. */
static cairn_status count_numbers(cairn_context *ctx, cairn_bayes_part *part,
                                  const cairn_view *view, size_t k, bool once)
{
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i);
        if (once) part->totals[c] += w;
        for (size_t j = 0; j < part->n_features; j++) {
            double x = view->features[part->features[j]]->numbers[row];
            if (isnan(x)) continue;
            if (x < 0 || isinf(x))
                return refuse_cell(ctx, view, (size_t)part->features[j], row, x, no_count);
            double add = once ? w * (x > 0) : w * x;
            part->counts[j * k + c] += add;
            if (!once) part->totals[c] += add;
            if (isinf(part->totals[c]))
                return refuse_cell(ctx, view, (size_t)part->features[j], row, x, too_many);
        }
    }
    return CAIRN_OK;
}

typedef struct kept_value {
    double x, w;
    int32_t c;
} kept_value;

static int by_class_and_size(const void *a, const void *b)
{
    const kept_value *x = a, *y = b;
    if (x->c != y->c) return x->c < y->c ? -1 : 1;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return (x->w > y->w) - (x->w < y->w);
}

/* The values themselves, for a kernel density. */
static cairn_status keep_values(cairn_context *ctx, cairn_bayes_part *part, const cairn_view *view,
                                size_t k)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    cairn_status status;
    kept_value *all;
    double *kept = NULL, *weights = NULL;
    size_t n = 0;
    TRY(SCRATCH_RAW(ctx, &all, part->n_kept + view->rows.n + 1));
    for (size_t c = 0; c < k; c++)
        for (double left = part->kept_of[c]; left > 0; left--, n++)
            all[n] = (kept_value){part->kept[n], part->kept_weights[n], (int32_t)c};
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        kept_value v = {numbers[row], cairn_view_weight(view, i), view->target->codes[row]};
        if (!isfinite(v.x) || !(v.w > 0)) continue;
        all[n++] = v;
        part->kept_of[v.c]++;
        part->totals[v.c] += v.w;
    }
    if (n) qsort(all, n, sizeof *all, by_class_and_size);
    TRY(NEW_RAW_EACH(ctx, n, &kept, &weights));
    for (size_t i = 0; i < n; i++) kept[i] = all[i].x, weights[i] = all[i].w;
    FREE_EACH(part->kept, part->kept_weights);
    part->kept = kept;
    part->kept_weights = weights;
    part->n_kept = n;
    return CAIRN_OK;
done:
    FREE_EACH(kept, weights);
    return status;
}

/* Gaussian columns without missing cells were counted by count_normals, all at once; every other
 * part is a task of its own. */
static cairn_status count_part(cairn_context *ctx, void *data, size_t task)
{
    const counting *work = data;
    cairn_bayes_part *part = &work->m->parts[task];
    const cairn_view *view = work->job->view;
    SCOPED_SCRATCH(ctx);
    size_t k = work->m->n_classes;
    bool once = part->density == CAIRN_BAYES_BERNOULLI || work->m->terms == CAIRN_TERMS_DOCUMENTS;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        if (view->features[part->features[0]]->n_missing) {
            /* A Gaussian column with missing cells, row after row (Welford). */
            const double *numbers = view->features[part->features[0]]->numbers;
            double *n, *mean, *squares;
            CHECK(SCRATCH_EACH(ctx, k, &n, &mean, &squares));
            for (size_t i = 0; i < view->rows.n; i++) {
                size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
                double w = cairn_view_weight(view, i), x = numbers[row], step = x - mean[c];
                if (isnan(x) || !(w > 0)) continue;
                n[c] += w;
                mean[c] += step * w / n[c];
                squares[c] += w * step * (x - mean[c]);
            }
            for (size_t c = 0; c < k; c++)
                join_moments(&part->totals[c], &part->means[c], &part->squares[c], n[c], mean[c],
                             squares[c]);
        }
    } else if (part->density == CAIRN_BAYES_KERNEL) {
        CHECK(keep_values(ctx, part, view, k));
    } else if (part->density == CAIRN_BAYES_MULTINOMIAL && part->of_numbers) {
        CHECK(count_numbers(ctx, part, view, k, once));
    } else if (part->of_numbers) {
        count_places(part, view, k);
    } else if (part->density == CAIRN_BAYES_CATEGORICAL) {
        count_levels(part, view, k);
    } else {
        CHECK(count_bag(ctx, part, view, k, once));
    }
    return CAIRN_OK;
}

/* -- numbers that are too large or too small -- */

/* The row with the number of largest size. */
static size_t largest_row(const cairn_view *view, const double *numbers)
{
    size_t best = cairn_view_row(view, 0);
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (isnan(numbers[best]) || fabs(numbers[row]) > fabs(numbers[best])) best = row;
    }
    return best;
}

static cairn_status refuse_large(cairn_context *ctx, const cairn_view *view, size_t feature)
{
    const double *numbers = view->features[feature]->numbers;
    size_t row = largest_row(view, numbers);
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, numbers[row], CAIRN_SHORTEST);
    if (isinf(numbers[row]))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s', row %zu: %s is not a finite number; leave the row out or "
                          "treat the cell as missing",
                          view->names[feature], row + 1, value);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is too large for a normal density, since the sum "
                      "of squares is beyond all numbers; correct it, divide the columns by their "
                      "largest number ({with scale:max-abs}), or use {density '%s=binned'}",
                      view->names[feature], row + 1, value, view->names[feature]);
}

/* Means and variances must be numbers, and 0 only where nothing varies. */
static cairn_status check_moments(cairn_context *ctx, const cairn_bayes_model *m,
                                  const cairn_view *view)
{
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        size_t feature = (size_t)part->features[0];
        double mean, variance;
        bool fine = true;
        if (part->density != CAIRN_BAYES_GAUSSIAN) continue;
        for (size_t c = 0; c < m->n_classes; c++)
            fine = fine && isfinite(part->means[c]) && isfinite(part->squares[c]);
        cairn_bayes_pooled(m, part, &mean, &variance);
        if (!fine || isinf(variance) || isinf(m->add_variance * variance))
            CHECK(refuse_large(ctx, view, feature));
        if (m->least_variance * variance < DBL_MIN) {
            /* A column whose squares vanish although its numbers differ is not constant. */
            const double *numbers = view->features[feature]->numbers;
            double first = NAN;
            for (size_t j = 0; j < view->rows.n; j++) {
                size_t row = cairn_view_row(view, j);
                if (isnan(numbers[row]) || !(cairn_view_weight(view, j) > 0)) continue;
                if (isnan(first)) first = numbers[row];
                if (numbers[row] == first) continue;
                char value[CAIRN_NUMBER_SIZE], other[CAIRN_NUMBER_SIZE];
                cairn_number_format(value, numbers[row], CAIRN_SHORTEST);
                cairn_number_format(other, first, CAIRN_SHORTEST);
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "column '%s', row %zu: %s and %s differ by so little that the squares "
                    "of the differences are no numbers; divide the columns by their largest "
                    "number ({with scale:max-abs}), or use {density '%s=binned'}",
                    view->names[feature], row + 1, other, value, view->names[feature]);
            }
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_bayes_count(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_view *view = job->view;
    counting work = {m, job};
    double *rows_of;
    CHECK(SCRATCH(ctx, &rows_of, m->n_classes));
    for (size_t i = 0; i < view->rows.n; i++)
        rows_of[view->target->codes[cairn_view_row(view, i)]] += cairn_view_weight(view, i);
    CHECK(count_normals(ctx, m, view, rows_of));
    CHECK(cairn_tasks_sized(ctx, m->n_parts, (double)view->rows.n * (double)m->n_parts, count_part,
                            &work));
    CHECK(check_moments(ctx, m, view));
    for (size_t c = 0; c < m->n_classes; c++) m->classes[c] += rows_of[c];
    return CAIRN_OK;
}

/* Rows drawn from naive Bayes: a class by its prior, then every column by its density in the class,
 * independent of the others. */

typedef struct drawing {
    const cairn_bayes_model *m;
    const cairn_bayes_part *part;
    const double *shares; /* n_classes x n_values: of a part with values or bins */
    cairn_random *random;
    const cairn_field *field; /* the column that is drawn */
    cairn_report *note;       /* of the row that is drawn; NULL = none */
} drawing;

static double between(cairn_random *random, double low, double high)
{
    return low + cairn_random_uniform(random) * (high - low);
}

/* Noise with the shape of the kernel and the deviation 1. */
static double kernel_noise(cairn_random *random, int kernel)
{
    double a = between(random, -1, 1), b = between(random, -1, 1), c = between(random, -1, 1);
    switch (kernel) {
    case CAIRN_DENSITY_UNIFORM: return a * sqrt(3);
    case CAIRN_DENSITY_TRIANGULAR: return (a + b) / 2 * sqrt(6);
    case CAIRN_DENSITY_EPANECHNIKOV: /* of three, the last unless it is the largest */
        return (fabs(c) >= fabs(a) && fabs(c) >= fabs(b) ? b : c) * sqrt(5);
    default: return cairn_random_normal(random);
    }
}

/* One of the training values of the class, with the noise of the kernel. */
static double draw_kernel(const drawing *d, size_t c)
{
    size_t first = 0, n = (size_t)d->part->kept_of[c];
    for (size_t k = 0; k < c; k++) first += (size_t)d->part->kept_of[k];
    if (!n) return NAN;
    size_t i = first + cairn_sample_noted(d->note, "training value", d->random,
                                          d->part->kept_weights + first, n, NULL);
    double noise = kernel_noise(d->random, d->m->kernel);
    double x = d->part->kept[i] + d->part->rates[c] * noise;
    cairn_report_worked(d->note, d->field->name, "# + width · noise = # + #·# = #",
                        d->part->kept[i], d->part->kept[i], d->part->rates[c], noise, x);
    return x;
}

/* The normal number of the column in class c. */
static double draw_normal(const drawing *d, size_t c)
{
    const cairn_bayes_part *part = d->part;
    double sd = part->idle ? 0 : 1 / (part->rates[c] * sqrt(2));
    double noise = cairn_random_normal(d->random);
    double x = part->idle ? part->means[c] : part->centres[c] + sd * noise;
    cairn_report_worked(d->note, d->field->name, "mean + deviation · g = # + #·# = #",
                        part->idle ? part->means[c] : part->centres[c], sd, noise, x);
    return x;
}

/* Evenly from one of the bins, or the place of a value. */
static double draw_place(const drawing *d, size_t c)
{
    const cairn_bayes_part *part = d->part;
    bool bins = part->density != CAIRN_BAYES_CATEGORICAL;
    size_t v = cairn_sample_noted(d->note, bins ? "bin" : d->field->name, d->random,
                                  d->shares + c * part->n_values, part->n_values, NULL);
    if (!bins) {
        cairn_report_worked(d->note, d->field->name, "#", part->places[v]);
        return part->places[v];
    }
    double low = part->places[v], high = part->places[v + 1], x = between(d->random, low, high);
    cairn_report_worked(d->note, d->field->name, "evenly from # to #: #", low, high, x);
    return x;
}

/* 1 with the probability of the class. */
static double draw_bit(const drawing *d, size_t c)
{
    double u = cairn_random_uniform(d->random);
    cairn_report_worked(d->note, d->field->name,
                        u < d->shares[c] ? "1, since u = # is below #"
                                         : "0, since u = # is not below #",
                        u, d->shares[c]);
    return u < d->shares[c];
}

/* A number of the column in class c. */
static double draw_number(const drawing *d, size_t c)
{
    switch (d->part->density) {
    case CAIRN_BAYES_GAUSSIAN: return draw_normal(d, c);
    case CAIRN_BAYES_KERNEL: return draw_kernel(d, c);
    case CAIRN_BAYES_BERNOULLI: return draw_bit(d, c);
    default: return draw_place(d, c);
    }
}

/* Probabilities of the values of a part in every class, side by side. */
static cairn_status find_shares(cairn_context *ctx, drawing *d)
{
    const cairn_bayes_part *part = d->part;
    size_t k = d->m->n_classes, n = part->n_values;
    double *shares;
    CHECK(SCRATCH(ctx, &shares, cairn_product(k, n) + 1));
    for (size_t c = 0; c < k; c++)
        for (size_t v = 0; v < n; v++)
            shares[c * n + v] = cairn_bayes_probability(d->m, part, v, c);
    d->shares = shares;
    return CAIRN_OK;
}

/* Words are refused: the model does not say how many a row has. A column without values is drawn
 * as missing. */
static cairn_status draw_part(cairn_context *ctx, cairn_table *out, drawing *d,
                              const int32_t *classes, const cairn_sample_notes *notes)
{
    const cairn_field *field = d->field;
    SCOPED_SCRATCH(ctx);
    size_t n = out->n_rows, n_values = d->part->n_values;
    double *numbers;
    int32_t *codes;
    if (d->part->density == CAIRN_BAYES_MULTINOMIAL || field->kind == CAIRN_BAG)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the words of '%s' cannot be drawn: the model does not say how many a "
                          "row has",
                          field->name);
    CHECK(find_shares(ctx, d));
    if (d->part->of_numbers) {
        CHECK(SCRATCH_RAW(ctx, &numbers, n + 1));
        for (size_t i = 0; i < n; i++) {
            d->note = cairn_sample_note(notes, i);
            numbers[i] = draw_number(d, (size_t)classes[i]);
        }
        return cairn_table_put_numbers(ctx, out, field->name, numbers);
    }
    CHECK(SCRATCH_RAW(ctx, &codes, n + 1));
    for (size_t i = 0; i < n; i++)
        codes[i] = n_values ? (int32_t)cairn_sample_noted(cairn_sample_note(notes, i), field->name,
                                                          d->random,
                                                          d->shares + (size_t)classes[i] * n_values,
                                                          n_values, &field->names)
                            : -1;
    return cairn_sample_add_levels(ctx, out, field, codes);
}

cairn_status cairn_bayes_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                const cairn_job *job, cairn_random *random)
{
    const cairn_bayes_model *m = model;
    const cairn_field **fields;
    int32_t *classes;
    double *priors;
    drawing d = {.m = m, .random = random};
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, out->n_rows));
    CHECK(SCRATCH(ctx, &priors, m->n_classes + 1));
    CHECK(cairn_bayes_fields(ctx, &fields, job->schema));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_exp(m->log_prior[c]);
    CHECK(cairn_sample_classes(ctx, &classes, out, job, priors, m->n_classes, random, &notes));
    for (size_t i = 0; i < m->n_parts; i++) {
        d.part = &m->parts[i];
        d.field = fields[d.part->features[0]];
        CHECK(draw_part(ctx, out, &d, classes, &notes));
    }
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}

/* Naive Bayes written down: every count, probability, mean and bandwidth in one CSV table, a row
 * for each value and class. What a density does not have stays empty. */

/* -- cells -- */

static void add_word(cairn_text *out, const char *text)
{
    cairn_text_add_csv(out, text);
    cairn_text_add_char(out, ',');
}

static void add_number(cairn_text *out, double x, char end)
{
    if (isfinite(x)) cairn_text_add_number(out, x, CAIRN_SHORTEST);
    cairn_text_add_char(out, end);
}

typedef struct form_row {
    double count, probability, mean, variance, bandwidth;
} form_row;

static const form_row none = {NAN, NAN, NAN, NAN, NAN};

static void add_row(cairn_text *out, const char *column, const char *density, const char *value,
                    const char *class, form_row n)
{
    add_word(out, column);
    add_word(out, density);
    add_word(out, value);
    add_word(out, class);
    add_number(out, n.count, ',');
    add_number(out, n.probability, ',');
    add_number(out, n.mean, ',');
    add_number(out, n.variance, ',');
    add_number(out, n.bandwidth, '\n');
}

/* -- parts -- */

static form_row of_class(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    form_row n = none;
    n.count = part->totals[c];
    if (part->density == CAIRN_BAYES_GAUSSIAN && !part->idle) {
        n.mean = part->centres[c];
        n.variance = cairn_bayes_variance(m, part, c);
    }
    if (part->density == CAIRN_BAYES_KERNEL && part->kept_of[c] > 0) n.bandwidth = part->rates[c];
    return n;
}

static void add_part(cairn_text *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                     const char *name, const cairn_job *job)
{
    cairn_text text = cairn_text_start(out->ctx);
    const char *density = cairn_bayes_density_names[part->density];
    size_t k = m->n_classes;
    for (size_t c = 0; c < k && !part->n_values; c++)
        add_row(out, name, density, "", cairn_bayes_class(job->schema, c), of_class(m, part, c));
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < k; c++) {
            form_row n = none;
            n.count = part->counts[v * k + c];
            n.probability = cairn_bayes_probability(m, part, v, c);
            add_row(out, name, density, cairn_bayes_value_name(&text, part, job, v),
                    cairn_bayes_class(job->schema, c), n);
        }
    if (out->status == CAIRN_OK) out->status = text.status;
    cairn_text_clear(&text);
}

/* Number columns that make one bag have no single name and are listed together as "words". */
static void write_table(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const cairn_field **fields;
    cairn_status status = cairn_bayes_fields(out->ctx, &fields, job->schema);
    cairn_text_add(out, "column,density,value,class,count,probability,mean,variance,bandwidth\n");
    for (size_t c = 0; c < m->n_classes; c++) {
        form_row n = none;
        n.count = m->classes[c];
        n.probability = cairn_exp(m->log_prior[c]);
        add_row(out, "", "prior", "", cairn_bayes_class(job->schema, c), n);
    }
    for (size_t i = 0; !status && i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool together = part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL;
        add_part(out, m, part, together ? "words" : fields[part->features[0]]->name, job);
    }
    if (out->status == CAIRN_OK) out->status = status;
    cairn_scratch_release(out->ctx, mark);
}

const cairn_export_form cairn_bayes_forms[] = {
    {"table", "CSV of all counts, probabilities, means, variances and bandwidths", write_table},
    {NULL, NULL, NULL},
};

/* -- what naive Bayes knows as tables -- */

static void write_priors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_ledger_columns(out, "lnn", "class", "rows", "prior");
    for (size_t c = 0; c < m->n_classes; c++)
        cairn_ledger_cells(out, cairn_learned_class(job, (int64_t)c), m->classes[c],
                           cairn_exp(m->log_prior[c]));
}

/* A part whose values are counted: a row for each value and class. */
static void write_counted(cairn_ledger *out, const cairn_bayes_model *m,
                          const cairn_bayes_part *part, const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < m->n_classes; c++) {
            cairn_ledger_cells(
                out, cairn_learned_class(job, (int64_t)c), cairn_bayes_part_name(part, job),
                cairn_bayes_density_names[part->density],
                cairn_bayes_value_name(&text, part, job, v), part->counts[v * m->n_classes + c],
                cairn_bayes_probability(m, part, v, c));
            for (int i = 0; i < 3; i++) cairn_ledger_number(out, NAN);
        }
    cairn_ledger_failed(out, cairn_text_status(&text));
}

/* A part with a density: a row for each class. */
static void write_density(cairn_ledger *out, const cairn_bayes_model *m,
                          const cairn_bayes_part *part, const cairn_job *job)
{
    bool normal = part->means;
    for (size_t c = 0; c < m->n_classes; c++) {
        double rate = part->rates ? part->rates[c] : NAN;
        cairn_ledger_cells(out, cairn_learned_class(job, (int64_t)c),
                           cairn_bayes_part_name(part, job),
                           cairn_bayes_density_names[part->density]);
        cairn_ledger_word(out, NULL);
        cairn_ledger_cells(out, part->totals ? part->totals[c] : NAN, NAN,
                           normal && part->centres ? part->centres[c] : NAN,
                           normal ? 1 / (rate * sqrt(2)) : NAN, normal ? NAN : rate);
    }
}

static void write_distributions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_ledger_columns(out, "llltnnnnn", "class", "column", "distribution", "value", "rows",
                         "probability", "mean", "sd", "bandwidth");
    for (size_t i = 0; i < m->n_parts && !out->status; i++) {
        if (m->parts[i].n_values)
            write_counted(out, m, &m->parts[i], job);
        else
            write_density(out, m, &m->parts[i], job);
    }
}

const cairn_learned cairn_bayes_tables[] = {
    CAIRN_LEARNED("priors", "class, and its probability before a row is seen", write_priors),
    CAIRN_LEARNED("distributions", "value of a column in a class, or its density there",
                  write_distributions),
    CAIRN_LEARNED_END};
