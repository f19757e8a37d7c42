/* SPDX-License-Identifier: MIT */
/* Room for what later rows bring: classes, levels of a column, values of a number that is taken as
 * categorical. What is there keeps its place, so counts stay what they are. Bins stay as they were
 * when the model was first fitted. */
#include "learners/bayes/bayes.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Values of the view that the part does not have yet, ascending and distinct; scratch. */
static cairn_status new_values(cairn_context *ctx, double **out, size_t *n,
                               const cairn_bayes_part *part, const cairn_view *view)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    size_t found = 0, distinct = 0;
    CHECK(SCRATCH_RAW(ctx, out, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = numbers[cairn_view_row(view, i)];
        if (!isnan(x) && cairn_bayes_place(part, x) < 0) (*out)[found++] = x;
    }
    if (found) qsort(*out, found, sizeof **out, cairn_by_number);
    for (size_t i = 0; i < found; i++)
        if (distinct == 0 || (*out)[i] != (*out)[distinct - 1]) (*out)[distinct++] = (*out)[i];
    *n = distinct;
    return CAIRN_OK;
}

/* Put new values of a categorical number in their places. */
static cairn_status insert_values(cairn_context *ctx, cairn_bayes_part *part,
                                  const cairn_view *view, size_t k)
{
    cairn_status status;
    double *fresh, *places = NULL, *counts = NULL;
    size_t n, from = 0, next = 0;
    TRY(new_values(ctx, &fresh, &n, part, view));
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
    cairn_free(part->places);
    cairn_free(part->counts);
    part->places = places;
    part->counts = counts;
    part->n_values += n;
    return CAIRN_OK;
done:
    cairn_free(places);
    cairn_free(counts);
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
