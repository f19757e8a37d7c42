/* SPDX-License-Identifier: MIT */
/* Which density each column gets: levels are categorical, numbers Gaussian, bags multinomial,
 * unless --density says otherwise, for one column ("age=kernel") or for all that can have it
 * ("multinomial"). Number columns that are multinomial together make one bag, in which each column
 * is a word. Bins and the distinct values of numbers are found here, from the training rows. */
#include "learners/bayes/bayes.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/probabilities.h"
#include <math.h>
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

const cairn_field *cairn_bayes_target(const cairn_schema *schema)
{
    ptrdiff_t at = cairn_schema_role(schema, CAIRN_TARGET);
    return at < 0 ? NULL : &schema->fields[at];
}

const char *cairn_bayes_class(const cairn_schema *schema, size_t c)
{
    const cairn_field *target = cairn_bayes_target(schema);
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
    if (!p->density) return CAIRN_OK;
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

/* Each distinct number as a category of its own makes sense for few numbers only; beyond
 * MOST_DISTINCT the message names better densities. */
static cairn_status make_values(cairn_context *ctx, cairn_bayes_part *part, const cairn_job *job)
{
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
    return CAIRN_OK;
}

/* -- parts -- */

/* What is allocated here is what archive_part reads again: both follow from the density and the
 * kind of the column. */
static cairn_status make_room(cairn_context *ctx, cairn_bayes_part *part, const cairn_job *job)
{
    const cairn_column *column = job->view->features[part->features[0]];
    size_t k = job->n_classes;
    switch (part->density) {
    case CAIRN_BAYES_CATEGORICAL:
        if (part->of_numbers)
            CHECK(make_values(ctx, part, job));
        else
            part->n_values = column->names.n;
        break;
    case CAIRN_BAYES_BERNOULLI: part->n_values = part->of_numbers ? 1 : column->names.n; break;
    case CAIRN_BAYES_MULTINOMIAL:
        part->n_values = part->of_numbers ? part->n_features : column->names.n;
        break;
    case CAIRN_BAYES_HISTOGRAM:
    case CAIRN_BAYES_BINNED: CHECK(make_bins(ctx, part, job)); break;
    case CAIRN_BAYES_GAUSSIAN:
        CHECK(NEW(ctx, &part->means, k));
        CHECK(NEW(ctx, &part->squares, k));
        break;
    case CAIRN_BAYES_KERNEL: CHECK(NEW(ctx, &part->kept_of, k)); break;
    default: break;
    }
    CHECK(NEW(ctx, &part->counts, cairn_product(part->n_values, k)));
    return NEW(ctx, &part->totals, k);
}

/* A part for each column, and one for all numbers that are multinomial. */
static cairn_status make_parts(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job,
                               const int *densities)
{
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
    for (size_t i = 0; i < m->n_parts; i++) CHECK(make_room(ctx, &m->parts[i], job));
    return CAIRN_OK;
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
    return make_parts(ctx, m, job, densities);
}
