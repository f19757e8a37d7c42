/* SPDX-License-Identifier: MIT */
/* cairn draw hypotheses: the order of typed conditions, the more general higher. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "plots/hasse.h"
#include "typed/hypotheses.h"

#include <string.h>

typedef struct hypotheses_params {
    const char *hypothesis;
    double limit;
} hypotheses_params;

static const cairn_param hypotheses_table[] = {
    {.name = "hypothesis",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(hypotheses_params, hypothesis),
     .help = "a condition such as \"x >= 20\" or \"outlook == 'sunny' AND wind == 'weak'\"; two or "
             "more",
     .repeated = true,
     .required = true},
    CAIRN_PARAM(hypotheses_params, limit, "1e6", "[1,1e8]", "most instances to try"),
    CAIRN_PARAM_END,
};

/* Conditions that cover the same are one node: the others join its text. Returns their number. */
static cairn_status merge_equal(cairn_context *ctx, const cairn_typed *h, const char **texts,
                                size_t *kept, size_t *n_kept)
{
    for (size_t i = 0; i < h->n; i++) {
        size_t k = 0;
        while (k < *n_kept && (cairn_typed_witness(h, i, kept[k]) != h->n_instances ||
                               cairn_typed_witness(h, kept[k], i) != h->n_instances))
            k++;
        if (k == *n_kept) {
            texts[k] = h->texts[i];
            kept[(*n_kept)++] = i;
            continue;
        }
        char *joined;
        size_t first = strlen(texts[k]), second = strlen(h->texts[i]);
        CHECK(SCRATCH(ctx, &joined, first + second + 2));
        memcpy(joined, texts[k], first);
        joined[first] = '\n';
        memcpy(joined + first + 1, h->texts[i], second);
        texts[k] = joined;
    }
    return CAIRN_OK;
}

/* Hypotheses that cover the same instances are one node with several texts, as the order is by
 * coverage and not by wording. */
static cairn_status hypotheses_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const hypotheses_params *p = job->params;
    cairn_typed h;
    const char **texts;
    size_t *kept, n = 0;
    bool *above, *order;
    CHECK(cairn_typed_read(ctx, &h, p->hypothesis, 2, job->table));
    CHECK(cairn_typed_try_all(ctx, &h, p->limit));
    CHECK(cairn_typed_order(ctx, &h, &above));
    CHECK(SCRATCH_EACH(ctx, h.n, &texts, &kept));
    CHECK(merge_equal(ctx, &h, texts, kept, &n));
    CHECK(SCRATCH(ctx, &order, n * n));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) order[i * n + k] = above[kept[i] * h.n + kept[k]];
    return cairn_hasse_figure(ctx, out, &(cairn_hasse){.n = n, .texts = texts, .above = order},
                              "hypotheses", "More general hypotheses stand higher");
}

const cairn_calculator cairn_picture_hypotheses = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "hypotheses",
                .also = "Hasse diagram of hypotheses, generality order",
                .title = "The order of a list of hypotheses",
                .summary =
                    "A Hasse diagram of conditions on columns: the one that covers more stands "
                    "higher, lines join neighbours, conditions that cover the same share a "
                    "node, and those without a line between them on the way up are "
                    "incomparable. Columns hold numbers unless a table says otherwise.",
                .example = "cairn draw hypotheses --hypothesis 'x >= 19' --hypothesis 'x >= 20' "
                           "--hypothesis 'x >= 20 AND x < 30' --out order.svg",
                .params = hypotheses_table,
                .params_size = sizeof(hypotheses_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .draw = hypotheses_draw,
};
