/* SPDX-License-Identifier: MIT */
/* The clusters of a cut as a program, where the rule for new rows has a closed form: the nearest
 * centre, the centre of the least growth of squares (Ward), or the nearest of all rows (single
 * linkage). Means of distances to all rows, and largest ones, have none. */
#include "base/memory.h"
#include "learners/cluster/hierarchy.h"
#include "learners/neighbours/exemplars_lower.h"
#include <math.h>

/* The nearest of n_centres centres: the slot of its number, and behind it that of the distance. */
static cairn_status lower_nearest(const cairn_hierarchy_model *m, cairn_program *out,
                                  const double *centres, size_t n_centres, int32_t *slot)
{
    int32_t *in;
    size_t n;
    cairn_operation *op;
    CHECK(cairn_program_features(out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)n_centres;
    op->sizes[1] = m->tie == CAIRN_HIERARCHY_LAST;
    CHECK(cairn_op_copy_numbers(out, op, 0, centres, cairn_product(n_centres, n)));
    *slot = op->out;
    return CAIRN_OK;
}

/* Ward: each distance times the root of s / (s + 1) of its cluster; what is compared is less than
 * 0, so that the nearest is the largest. Of equal ones the first is the largest, so that those of
 * ties to the last stand in reverse. */
static cairn_status lower_ward(const cairn_hierarchy_model *m, cairn_program *out)
{
    size_t k = m->n_clusters, d = m->rows.points.width;
    bool last = m->tie == CAIRN_HIERARCHY_LAST;
    int32_t *in, first, place;
    double *weights, *constants, *numbers;
    CHECK(SCRATCH(out->ctx, &in, k));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(k, k)));
    CHECK(SCRATCH(out->ctx, &constants, k));
    CHECK(SCRATCH_RAW(out->ctx, &numbers, k));
    for (size_t i = 0; i < k; i++) {
        size_t c = last ? k - 1 - i : i;
        CHECK(lower_nearest(m, out, m->rows.points.places + c * d, 1, &in[i]));
        in[i]++;
        weights[i * k + i] = -sqrt(m->sizes[c] / (m->sizes[c] + 1));
        numbers[i] = (double)c;
    }
    CHECK(cairn_lower_affine(out, in, k, k, constants, weights, NULL, &first));
    CHECK(cairn_lower_largest(out, first, k, &place));
    if (!last) {
        out->answer.code = place;
        return CAIRN_OK;
    }
    return cairn_lower_lookup(out, place, k, 1, numbers, &(double){-1}, &out->answer.code);
}

/* The nearest row decides. Of equally near ones the first does: rows are given in the order of
 * their clusters, or against it. */
static cairn_status lower_rows(const cairn_hierarchy_model *m, cairn_program *out)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows sorted = {0};
    size_t n = m->rows.n, at = 0, k = m->n_clusters;
    uint32_t *order;
    int32_t *codes;
    CHECK(SCRATCH_RAW(out->ctx, &order, n));
    CHECK(SCRATCH_RAW(out->ctx, &codes, n));
    for (size_t c = 0; c < k; c++) {
        int32_t cluster = (int32_t)(m->tie == CAIRN_HIERARCHY_LAST ? k - 1 - c : c);
        for (size_t i = 0; i < n; i++) {
            if (m->codes[i] != cluster) continue;
            order[at] = (uint32_t)i;
            codes[at++] = cluster;
        }
    }
    CHECK(cairn_distance_rows_keep(out->ctx, &sorted, &m->rows, order, n));
    return cairn_nearest_lower(&sorted.metric, &sorted.points, codes, k, out);
}

cairn_status cairn_hierarchy_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    enum { MOST_WARD = 200 };
    const cairn_hierarchy_model *m = model;
    (void)job;
    if (m->n_clusters == 1) return cairn_lower_constants(out, &(double){0}, 1, &out->answer.code);
    bool plain = m->centres && !m->rows.metric.distance->place;
    if (plain && m->rule == CAIRN_RULE_CENTRE)
        return lower_nearest(m, out, m->rows.points.places, m->n_clusters, &out->answer.code);
    if (plain && m->rule == CAIRN_RULE_WARD && m->n_clusters <= MOST_WARD)
        return lower_ward(m, out);
    if (m->rule == CAIRN_RULE_NEAREST && !m->rows.given) return lower_rows(m, out);
    if (m->rows.given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    return cairn_program_refuse(
        out, "%s",
        cairn_say(out->ctx,
                  "means and largest of the distances to all rows are computed by Cairn only; "
                  "nearest rows ({linkage single}) and, of Euclidean distances, centres ({linkage "
                  "ward} of up to 200 clusters, centroid, median, {method bisecting}) can be "
                  "written down"));
}
