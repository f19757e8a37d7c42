/* SPDX-License-Identifier: MIT */
/* Leaves of the clusters of a tree, and the heights at which pairs of them are joined. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "stats/dendrogram_forms.h"
#include "stats/distance.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *cairn_leaf_name(const cairn_dendrogram *tree, size_t leaf, char room[CAIRN_LEAF_NAME])
{
    if (tree->names) return tree->names[leaf];
    snprintf(room, CAIRN_LEAF_NAME, "%zu", leaf + 1);
    return room;
}

/* Where a cluster begins follows from the whole that it is a part of: merges from the root down. */
cairn_status cairn_leaf_sets_make(cairn_context *ctx, cairn_leaf_sets *out,
                                  const cairn_dendrogram *tree)
{
    size_t n = tree->n_leaves;
    CHECK(SCRATCH_RAW(ctx, &out->order, n));
    CHECK(SCRATCH(ctx, &out->first, 2 * n));
    CHECK(SCRATCH(ctx, &out->count, 2 * n));
    for (size_t i = 0; i < n; i++) out->count[i] = 1;
    for (size_t i = 0; i + 1 < n; i++)
        out->count[n + i] = out->count[tree->merges[i].left] + out->count[tree->merges[i].right];
    for (size_t i = n - 1; i-- > 0;) {
        const cairn_merge *m = &tree->merges[i];
        out->first[m->left] = out->first[n + i];
        out->first[m->right] = out->first[n + i] + out->count[m->left];
    }
    for (size_t i = 0; i < n; i++) out->order[out->first[i]] = (uint32_t)i;
    return CAIRN_OK;
}

static bool is_before(const void *a, const void *b, const void *data)
{
    (void)data;
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

cairn_status cairn_leaf_set_text(cairn_context *ctx, cairn_text *out, const cairn_dendrogram *tree,
                                 const cairn_leaf_sets *sets, size_t cluster, size_t most)
{
    SCOPED_SCRATCH(ctx);
    size_t n = sets->count[cluster], shown = n <= most ? n : most;
    char room[CAIRN_LEAF_NAME];
    uint32_t *members;
    CHECK(SCRATCH_RAW(ctx, &members, n));
    memcpy(members, sets->order + sets->first[cluster], n * sizeof *members);
    CHECK(cairn_sort_by(ctx, members, n, sizeof *members, is_before, NULL));
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < shown; i++)
        cairn_text_addf(out, "%s%s", i ? ", " : "", cairn_leaf_name(tree, members[i], room));
    if (shown < n) cairn_text_addf(out, "%s… %zu more", shown ? ", " : "", n - shown);
    cairn_text_add_char(out, '}');
    return cairn_text_status(out);
}

/* -- cophenetic distances -- */

cairn_status cairn_cophenetic(cairn_context *ctx, const cairn_dendrogram *tree, double *out)
{
    SCOPED_SCRATCH(ctx);
    cairn_leaf_sets sets;
    size_t n = tree->n_leaves;
    CHECK(cairn_leaf_sets_make(ctx, &sets, tree));
    for (size_t k = 0; k + 1 < n; k++) {
        const cairn_merge *m = &tree->merges[k];
        const uint32_t *left = sets.order + sets.first[m->left];
        const uint32_t *right = sets.order + sets.first[m->right];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t a = 0; a < sets.count[m->left]; a++)
            for (size_t b = 0; b < sets.count[m->right]; b++) {
                size_t i = left[a], j = right[b];
                out[i < j ? cairn_pair_at(n, i, j) : cairn_pair_at(n, j, i)] = m->height;
            }
    }
    return CAIRN_OK;
}

/* Numbers are taken relative to the largest, so that their squares stay finite. */
double cairn_cophenetic_correlation(const double *a, const double *b, size_t n)
{
    double mean_a = 0, mean_b = 0, most_a = 0, most_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        most_a = fmax(most_a, fabs(a[i]));
        most_b = fmax(most_b, fabs(b[i]));
    }
    if (!(most_a > 0) || !(most_b > 0)) return NAN;
    for (size_t i = 0; i < n; i++) {
        mean_a += (a[i] / most_a - mean_a) / (double)(i + 1);
        mean_b += (b[i] / most_b - mean_b) / (double)(i + 1);
    }
    for (size_t i = 0; i < n; i++) {
        double x = a[i] / most_a - mean_a, y = b[i] / most_b - mean_b;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    double tiny = 1e-24 * (double)n;
    return aa > tiny && bb > tiny ? ab / sqrt(aa * bb) : NAN;
}
