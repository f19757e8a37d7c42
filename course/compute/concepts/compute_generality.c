/* SPDX-License-Identifier: MIT */
/* cairn compute generality: which of several hypotheses covers what another one covers, held
 * against the instances of compute/typed.h. */
#include "typed/hypotheses.h"
#include "plots/hasse.h"

#include <math.h>
#include <stdio.h>

typedef struct generality_params {
    const char *hypothesis;
    double limit;
} generality_params;

static const cairn_param generality_table[] = {
    {.name = "hypothesis",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(generality_params, hypothesis),
     .help =
         "a condition such as \"x >= 20\" or \"crime OR (academic AND NOT music)\", with a table "
         "also a vector such as \"(sunny, ?, high|normal, ?)\"; two or more",
     .repeated = true,
     .required = true},
    CAIRN_PARAM(generality_params, limit, "1e6", "[1,1e8]", "most instances to try"),
    CAIRN_PARAM_END,
};

/* An instance that only one of the two covers is the proof that the other is not more general;
 * none either way means equal. */
static cairn_status show_pair(cairn_context *ctx, cairn_report *out, const cairn_typed *h, size_t i,
                              size_t k)
{
    cairn_text first = cairn_text_start(ctx), second = cairn_text_start(ctx);
    size_t only_i = cairn_typed_witness(h, i, k), only_k = cairn_typed_witness(h, k, i),
           none = h->n_instances;
    cairn_status status;
    const char *order = only_i == none && only_k == none ? "equal"
                        : only_k == none                 ? "more general than"
                        : only_i == none                 ? "more special than"
                                                         : "incomparable with";
    cairn_typed_add_instance(&first, h, only_i);
    cairn_typed_add_instance(&second, h, only_k);
    cairn_report_cellf(out, "h%zu", i + 1);
    cairn_report_cell_word(out, order, "h%zu.order.h%zu", i + 1, k + 1);
    cairn_report_cellf(out, "h%zu", k + 1);
    cairn_report_cell_word(out, cairn_text_string(&first), "h%zu.without.h%zu", i + 1, k + 1);
    cairn_report_cell_word(out, cairn_text_string(&second), "h%zu.without.h%zu", k + 1, i + 1);
    cairn_report_hidden(out, only_k == none, "h%zu.includes.h%zu", i + 1, k + 1);
    cairn_report_hidden(out, only_i == none, "h%zu.includes.h%zu", k + 1, i + 1);
    cairn_report_hidden(out, only_k == none && only_i != none, "h%zu.strictly.h%zu", i + 1, k + 1);
    cairn_report_hidden(out, only_i == none && only_k != none, "h%zu.strictly.h%zu", k + 1, i + 1);
    status = cairn_text_status(&first);
    if (!status) status = cairn_text_status(&second);
    cairn_text_clear(&first);
    cairn_text_clear(&second);
    return status;
}

static cairn_status show_order(cairn_context *ctx, cairn_report *out, const cairn_typed *h)
{
    cairn_figure *figure;
    bool *above;
    CHECK(cairn_typed_order(ctx, h, &above));
    cairn_report_table_of(out, "Pairs", 0, "lllll", "", "is", "", "only the first covers",
                          "only the second covers");
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = i + 1; k < h->n; k++) CHECK(show_pair(ctx, out, h, i, k));
    if (h->n > CAIRN_HASSE_MOST) return CAIRN_OK;
    CHECK(cairn_hasse_figure(ctx, &figure,
                             &(cairn_hasse){.n = h->n, .texts = h->texts, .above = above},
                             "generality", "More general hypotheses stand higher"));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

/* What each hypothesis says about the instances that were tried. */
static cairn_status work(cairn_context *ctx, cairn_report *out, const cairn_typed *h)
{
    char head[32];
    cairn_report_step_begin(out, "Every hypothesis about every instance");
    cairn_report_formula(out, "h1 ≥g h2  when  h2(x) = 1 implies h1(x) = 1 for all x");
    cairn_report_table_of(out, "Instances", 0, "l", "x");
    for (size_t k = 0; k < h->n; k++) {
        snprintf(head, sizeof head, "h%zu(x)", k + 1);
        cairn_report_column(out, head, 'c');
    }
    for (size_t i = 0; i < h->n_instances && cairn_report_row_wanted(out); i++) {
        SCOPED(cairn_text_clear) cairn_text x = cairn_text_start(ctx);
        cairn_typed_add_instance(&x, h, i);
        CHECK(cairn_text_status(&x));
        cairn_report_cell(out, cairn_text_string(&x));
        for (size_t k = 0; k < h->n; k++) {
            double truth = h->truth[k * h->n_instances + i];
            cairn_report_cell_word(out,
                                   isnan(truth) ? "?"
                                   : truth == 1 ? "1"
                                                : "0",
                                   "instance%zu.h%zu", i + 1, k + 1);
        }
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The order is found by trying instances, so the text says when it is exact and when it holds
 * for those tried only. */
static cairn_status generality_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const generality_params *p = job->params;
    cairn_typed h;
    CHECK(cairn_typed_read(ctx, &h, p->hypothesis, 2, job->table));
    CHECK(cairn_typed_try_all(ctx, &h, p->limit));
    cairn_report_heading(out, 1, "Generality of hypotheses");
    for (size_t i = 0; i < h.n; i++) {
        char label[32];
        snprintf(label, sizeof label, "h%zu", i + 1);
        cairn_report_word(out, label, h.texts[i], "h%zu", i + 1);
    }
    if (job->steps) CHECK(work(ctx, out, &h));
    CHECK(show_order(ctx, out, &h));
    cairn_report_value(out, "instances tried", (double)h.n_instances, "instances");
    cairn_report_paragraph(out,
                           "The order is exact when every comparison is between a column and a "
                           "number or a level; otherwise it holds for the instances tried.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_generality = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "generality",
              .also = "more general than, subsumption, theta-subsumption, partial order of "
                      "hypotheses",
              .title = "Which hypothesis is more general",
              .summary = "Compares conditions on columns: one is more general than another when it "
                         "covers every instance that the other covers. For each pair: equal, more "
                         "general, more special or incomparable, with an instance that only one of "
                         "them covers; the order of all as a picture. Columns hold numbers unless "
                         "a table says otherwise.",
              .references = "Mitchell: Generalization as search, Artificial Intelligence 18, 1982",
              .example = "cairn compute generality --hypothesis 'x >= 20' --hypothesis 'x >= 19'",
              .params = generality_table,
              .params_size = sizeof(generality_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = generality_run,
};
