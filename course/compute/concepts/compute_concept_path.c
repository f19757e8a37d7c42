/* SPDX-License-Identifier: MIT */
/* cairn compute concept-path: ever more general concepts rank the examples, by the first concept
 * that covers them. Each concept is a point (negatives covered, positives covered) of the coverage
 * curve; examples that the same step takes in are tied. */
#include "compute/concepts/lattice.h"

#include "base/memory.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct path_params {
    cairn_language_option option;
    const char *path, *from;
} path_params;

static const cairn_param path_table[] = {
    CAIRN_PARAM_GROUP(path_params, option, cairn_language_group),
    {.name = "path",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(path_params, path),
     .help = "a concept of the path, the most special one first",
     .repeated = true},
    CAIRN_PARAM(path_params, from, NULL, NULL,
                "the example to walk upwards from, by its id or row number; the first positive one "
                "unless given",
                .when = "!path"),
    CAIRN_PARAM_END,
};

/* -- what it says -- */

/* The examples that a step takes in: covered by concept i and not by the one before. */
static bool taken_in(const cairn_concept_data *data, const cairn_concepts *path, size_t i,
                     size_t example)
{
    const int32_t *codes = cairn_example(&data->examples, &data->domain, example);
    bool now =
        i == path->n || cairn_concept_covers(&data->domain, cairn_concepts_at(path, i), codes);
    return now &&
           (!i || !cairn_concept_covers(&data->domain, cairn_concepts_at(path, i - 1), codes));
}

/* Each concept is named by a letter, as its point is in the picture of the coverage curve. */
static cairn_status show_points(cairn_context *ctx, cairn_report *out,
                                const cairn_concept_data *data, const cairn_concepts *path)
{
    cairn_report_table_of(out, "The path from special to general", 0, "lllrr", "", "concept",
                          "covers", "false positives", "true positives");
    for (size_t i = 0; i < path->n && cairn_report_row_wanted(out); i++) {
        const char *word, *covered;
        size_t n;
        cairn_coverage c = cairn_cover(data, cairn_concepts_at(path, i));
        CHECK(cairn_concept_word(ctx, &word, data, cairn_concepts_at(path, i)));
        CHECK(cairn_concept_covered(ctx, &covered, &n, data, cairn_concepts_at(path, i), -1));
        if (i < 26)
            cairn_report_cellf(out, "%c", (char)('A' + i));
        else
            cairn_report_cellf(out, "%zu", i + 1);
        cairn_report_prefix(out, "point%zu", i + 1);
        cairn_report_cells(out, "@ @.covered @.fp @.tp", word, covered, c.negatives, c.positives);
    }
    cairn_report_hidden(out, (double)path->n, "point.count");
    return CAIRN_OK;
}

/* "p1, p2 = p4, n1": examples that are tied have = between them. */
static cairn_status show_ranking(cairn_context *ctx, cairn_report *out,
                                 const cairn_concept_data *data, const cairn_concepts *path)
{
    const cairn_examples *e = &data->examples;
    cairn_text text = cairn_text_start(ctx);
    double above = 0, area = 0, n_positive = 0, n_negative = 0;
    cairn_status status;
    for (size_t i = 0; i <= path->n; i++) {
        cairn_coverage c = {0, 0};
        for (size_t k = 0; k < e->n; k++) {
            if (!taken_in(data, path, i, k)) continue;
            cairn_text_addf(&text, "%s%s",
                            c.positives + c.negatives ? " = "
                            : text.length             ? ", "
                                                      : "",
                            e->names[k]);
            *(e->positive[k] ? &c.positives : &c.negatives) += 1;
        }
        area += (double)c.negatives * (above + (double)c.positives / 2);
        above += (double)c.positives;
        n_positive += (double)c.positives;
        n_negative += (double)c.negatives;
    }
    cairn_report_word(out, "ranking", cairn_text_string(&text), "ranking");
    cairn_report_value(out, "area under the curve (AUC)",
                       n_positive * n_negative > 0 ? area / (n_positive * n_negative) : NAN, "auc");
    status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

/* The area as a sum over the steps: the negatives that one takes in, times the positives above them
 * and half of those beside them. */
static void work(cairn_report *out, const cairn_concept_data *data, const cairn_concepts *path)
{
    double above = 0, below = 0, area = 0;
    cairn_report_step_begin(out, "The area under the curve");
    cairn_report_formula(out, "AUC = Σ n · (P + p / 2) / (all positives · all negatives)");
    cairn_report_table_of(out, "What each concept takes in", 0, "lrrrr", "concept",
                          "positives above, P", "new positives, p", "new negatives, n",
                          "n · (P + p / 2)");
    for (size_t i = 0; i <= path->n; i++) {
        cairn_coverage c = {0, 0};
        for (size_t k = 0; k < data->examples.n; k++)
            if (taken_in(data, path, i, k))
                *(data->examples.positive[k] ? &c.positives : &c.negatives) += 1;
        if (i == path->n && !c.positives && !c.negatives) break;
        double term = (double)c.negatives * (above + (double)c.positives / 2);
        if (i < path->n && i < 26)
            cairn_report_cellf(out, "%c", (char)('A' + i));
        else
            cairn_report_cell(out, i < path->n ? "further" : "none");
        cairn_report_prefix(out, "area%zu", i + 1);
        cairn_report_cells(out, "- @.positives @.negatives @", above, c.positives, c.negatives,
                           term);
        above += (double)c.positives;
        below += (double)c.negatives;
        area += term;
    }
    if (above * below > 0)
        cairn_report_worked(out, "AUC", "# / (# · #) = #", area, above, below,
                            area / (above * below));
    cairn_report_step_end(out);
}

/* The path as a tree that asks for one concept after the other. */
static cairn_status draw_tree(cairn_context *ctx, cairn_report *out, const cairn_concept_data *data,
                              const cairn_concepts *path)
{
    static const char *const groups[2] = {"more positives", "more negatives"};
    cairn_status status;
    cairn_figure *figure;
    int parent = -1;
    if (path->n > 12) return CAIRN_OK;
    TRY(cairn_figure_new(ctx, &figure, "path-tree", "The path as a tree"));
    for (size_t i = 0; i <= path->n; i++) {
        cairn_coverage c = {0, 0};
        char counts[80];
        const char *word;
        for (size_t k = 0; k < data->examples.n; k++)
            if (taken_in(data, path, i, k))
                *(data->examples.positive[k] ? &c.positives : &c.negatives) += 1;
        snprintf(counts, sizeof counts, "%zu+ %zu−", c.positives, c.negatives);
        int32_t group = c.positives == c.negatives ? -1 : c.positives < c.negatives;
        if (i == path->n) {
            cairn_figure_tree_node(figure, parent, "no", counts, true, group, NULL, 0);
            break;
        }
        status = cairn_concept_word(ctx, &word, data, cairn_concepts_at(path, i));
        if (!status) status = cairn_concept_lines(ctx, &word, word);
        if (status) {
            cairn_figure_free(figure);
            goto done;
        }
        parent = cairn_figure_tree_node(figure, parent, i ? "no" : NULL, word, false, -1, NULL, 0);
        cairn_figure_tree_node(figure, parent, "yes", counts, true, group, NULL, 0);
    }
    cairn_figure_tree_groups(figure, groups, 2);
    cairn_report_page_figure(out, figure);
done:
    return status;
}

static cairn_status path_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const path_params *p = job->params;
    cairn_concept_data data;
    SCOPED(cairn_concepts_clear) cairn_concepts path = {0};
    CHECK(cairn_language_data_read(ctx, &data, &p->option, false, job->table,
                                   "compute concept-path"));
    path.width = data.domain.n;
    cairn_report_heading(out, 1, "A path through the hypotheses about '%s = %s'", data.target,
                         data.positive);
    CHECK(cairn_concept_path(ctx, &path, &data, p->path, p->from));
    CHECK(show_points(ctx, out, &data, &path));
    CHECK(show_ranking(ctx, out, &data, &path));
    if (job->steps) work(out, &data, &path);
    cairn_figure *figure;
    CHECK(cairn_path_curve(ctx, &figure, &data, &path));
    cairn_report_figure(out, figure);
    return draw_tree(ctx, out, &data, &path);
}

const cairn_calculator cairn_compute_concept_path = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "concept-path",
              .also = "path through the hypothesis space",
              .title = "A path of concepts as a ranker",
              .summary =
                  "A sequence of ever more general concepts ranks examples: what the first "
                  "one covers comes first. The concepts are given, or walked upwards from an "
                  "example: each step takes in one more example so that the fewest "
                  "negatives are covered, then the most positives. Shows how many of each "
                  "class every concept covers, the coverage curve, the ranking, the area "
                  "under the curve, and the path as a tree.",
              .references = "Flach: Machine Learning, 2012, chapter 4",
              .example = "cairn compute concept-path @dolphins --language disjunction --from p3",
              .params = path_table,
              .params_size = sizeof(path_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = path_run,
};
