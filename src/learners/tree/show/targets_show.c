/* SPDX-License-Identifier: MIT */
/* Trees of several targets and of clusters: the work at every node, the leaves, the answers. */
#include "learners/tree/targets/tree_targets.h"
#include "learners/tree/show/tree_show.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { STEP_NODES = 50, STEP_COLUMNS = 50, STEP_PARTS = 50, SHOWN_LEAVES = 200, SHOWN_TARGETS = 6 };

/* -- answers -- */

static size_t largest(const double *shares, size_t n)
{
    size_t best = 0;
    for (size_t l = 1; l < n; l++)
        if (shares[l] > shares[best]) best = l;
    return best;
}

/* The commonest level of a target in a node, or NULL where no row of the node has one. */
static const char *level_of(const cairn_target_field *target, const double *means)
{
    const double *own = means + target->first;
    size_t top = largest(own, target->n);
    return own[top] > 0 ? cairn_map_key(&target->field->names, top) : NULL;
}

void cairn_tree_targets_add_answer(cairn_text *text, const cairn_tree_model *tree, size_t node,
                                   const cairn_schema *schema)
{
    cairn_context *ctx = text->ctx;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_target_field *fields = NULL;
    size_t n = 0, n_means = 0;
    cairn_status status;
    const double *means = cairn_tree_means(tree, node);
    if (tree->example)
        cairn_text_addf(text, "like %s",
                        tree->example[node] < 0
                            ? "?"
                            : cairn_map_key(&tree->examples, (size_t)tree->example[node]));
    if (!tree->n_means) return;
    TRY(cairn_target_fields(ctx, &fields, &n, &n_means, schema));
    for (size_t t = 0; t < n && t < SHOWN_TARGETS; t++) {
        const cairn_field *field = fields[t].field;
        bool is_level = field->kind == CAIRN_LEVEL;
        const char *level = is_level ? level_of(&fields[t], means) : NULL;
        cairn_text_addf(text, "%s%s ", t || tree->example ? ", " : "", field->name);
        if (is_level ? !level : isnan(means[fields[t].first])) /* no row of the node has one */
            cairn_text_add(text, "?");
        else if (is_level)
            cairn_text_add(text, level);
        else
            cairn_text_add_number(text, means[fields[t].first], 4);
    }
    if (n > SHOWN_TARGETS) cairn_text_add(text, ", ...");
done:
    if (status && !text->status) text->status = status;
    cairn_scratch_release(ctx, mark);
}

/* A level target gives its most frequent level as answer, and one column of shares for each
 * level where scores are wanted. */
static cairn_status level_output(cairn_context *ctx, cairn_table *out, const double *vectors,
                                 size_t step, const cairn_target_field *target, bool shares)
{
    const cairn_map *names = &target->field->names;
    size_t n = out->n_rows;
    int32_t *codes = NULL;
    const char **keys = NULL;
    double *column = NULL;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    CHECK(SCRATCH_RAW(ctx, &codes, n));
    CHECK(SCRATCH_RAW(ctx, &keys, names->n + 1));
    CHECK(SCRATCH_RAW(ctx, &column, n));
    for (size_t l = 0; l < names->n; l++) keys[l] = cairn_map_key(names, l);
    for (size_t i = 0; i < n; i++)
        codes[i] = (int32_t)largest(vectors + i * step + target->first, target->n);
    CHECK(cairn_table_add_levels(ctx, out, target->field->name, codes, keys, names->n));
    for (size_t l = 0; shares && l < target->n; l++) {
        name.length = 0;
        cairn_text_addf(&name, "p(%s=%s)", target->field->name, keys[l]);
        CHECK(cairn_text_status(&name));
        for (size_t i = 0; i < n; i++) column[i] = vectors[i * step + target->first + l];
        CHECK(cairn_table_put_numbers(ctx, out, cairn_text_string(&name), column));
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_targets_outputs(cairn_context *ctx, cairn_table *out, const double *vectors,
                                        const cairn_schema *schema, const char *but, bool shares)
{
    cairn_target_field *fields = NULL;
    size_t n = 0, step = 0;
    double *column = NULL;
    CHECK(cairn_target_fields(ctx, &fields, &n, &step, schema));
    CHECK(SCRATCH_RAW(ctx, &column, out->n_rows));
    for (size_t t = 0; t < n; t++) {
        const char *name = fields[t].field->name;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        if ((but && strcmp(but, name) == 0) || cairn_table_find(out, name) >= 0) continue;
        if (fields[t].field->kind == CAIRN_LEVEL) {
            CHECK(level_output(ctx, out, vectors, step, &fields[t], shares));
            continue;
        }
        for (size_t i = 0; i < out->n_rows; i++) column[i] = vectors[i * step + fields[t].first];
        CHECK(cairn_table_put_numbers(ctx, out, name, column));
    }
    return CAIRN_OK;
}

/* Class weights of a node from its shares. */
static cairn_status count_node(cairn_context *ctx, cairn_tree_model *tree, cairn_tree_node *node,
                               const double *shares, size_t n)
{
    CHECK(GROW(ctx, &tree->classes, &tree->classes_capacity, tree->n_counts + n));
    CHECK(GROW(ctx, &tree->weights, &tree->weights_capacity, tree->n_counts + n));
    node->counts = (uint32_t)tree->n_counts;
    node->n_counts = 0;
    node->label = (int32_t)largest(shares, n);
    node->error = node->weight * (1 - shares[node->label]);
    for (size_t l = 0; l < n && node->weight > 0; l++) {
        if (!(shares[l] > 0)) continue;
        tree->classes[tree->n_counts] = (int32_t)l;
        tree->weights[tree->n_counts++] = shares[l] * node->weight;
        node->n_counts++;
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_targets_answer(cairn_context *ctx, cairn_tree_model *tree,
                                       const cairn_schema *schema, const char *target)
{
    cairn_target_field *fields = NULL;
    size_t n = 0, n_means = 0, at = 0;
    CHECK(cairn_target_fields(ctx, &fields, &n, &n_means, schema));
    while (at + 1 < n && strcmp(fields[at].field->name, target) != 0) at++;
    bool levels = fields[at].field->kind == CAIRN_LEVEL;
    tree->n_counts = 0;
    tree->n_classes = levels ? fields[at].n : 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const double *means = cairn_tree_means(tree, i) + fields[at].first;
        if (levels)
            CHECK(count_node(ctx, tree, &tree->nodes[i], means, fields[at].n));
        else
            tree->nodes[i].mean = means[0];
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_targets_check(cairn_archive *archive, const cairn_tree_model *tree,
                                      const cairn_schema *schema)
{
    cairn_context *ctx = cairn_archive_context(archive);
    SCOPED_SCRATCH(ctx);
    cairn_target_field *fields = NULL;
    size_t n = 0, n_means = 0;
    CHECK(cairn_target_fields(ctx, &fields, &n, &n_means, schema));
    if (tree->n_means && tree->n_means != n_means)
        CHECK(
            cairn_archive_damaged(archive, "the leaves answer other targets than the schema has"));
    for (size_t t = 0; t < n; t++)
        if (fields[t].field->kind == CAIRN_LEVEL && fields[t].n == 0)
            CHECK(cairn_archive_damaged(archive, "a target has no levels"));
    return CAIRN_OK;
}

/* -- the work at a node -- */

cairn_status cairn_target_steps_make(cairn_context *ctx, cairn_target_steps *out,
                                     cairn_report *report, const cairn_schema *schema,
                                     const cairn_binned *data, const cairn_grow_options *options)
{
    size_t parts = 2, stats = data->n_stats;
    for (size_t c = 0; c < data->n_columns; c++)
        if (!data->columns[c].is_number && data->columns[c].n_codes > parts)
            parts = data->columns[c].n_codes;
    *out = (cairn_target_steps){.report = report, .schema = schema, .options = options};
    CHECK(SCRATCH(ctx, &out->cells, (parts + 1) * stats));
    CHECK(SCRATCH(ctx, &out->sums, stats));
    CHECK(SCRATCH(ctx, &out->by, data->targets->n_targets + 1));
    CHECK(SCRATCH(ctx, &out->filled, stats));
    CHECK(SCRATCH_EACH(ctx, data->n_rows, &out->weights, &out->branch));
    return SCRATCH(ctx, &out->rows, data->n_rows);
}

/* One part in words for the cell of the table, and its numbers by name for lessons and tests,
 * which cannot read them out of a sentence. */
static void write_part(cairn_target_steps *steps, const cairn_grow_event *event,
                       const cairn_tree_model *named, cairn_text *text, const cairn_tree_node *node,
                       size_t part, double whole)
{
    double weight = steps->cells[part * event->data->n_stats];
    cairn_report *out = steps->report;
    cairn_text value = cairn_text_start(cairn_report_context(out));
    /* Rows of one part of a split; a row whose cell is missing may be there with a share. */
    double share = weight / whole;
    cairn_node_rows rows = {.rows = steps->rows, .weights = steps->weights};
    for (size_t i = 0; i < event->rows->n; i++) {
        if (steps->branch[i] >= 0 && (size_t)steps->branch[i] != part) continue;
        steps->rows[rows.n] = event->rows->rows[i];
        steps->weights[rows.n++] =
            cairn_entry_weight(event->data, event->rows, i) * (steps->branch[i] < 0 ? share : 1);
    }
    double mixed = event->data->criterion->spread(event->data, &rows, steps->sums, NULL);
    cairn_tree_add_branch(&value, named, node, part, steps->schema, true);
    cairn_text_addf(text, "%s%s: ", text->length ? "; " : "", cairn_text_string(&value));
    cairn_text_add_number(text, weight, 6);
    cairn_text_add(text, weight == 1 ? " row, " : " rows, ");
    cairn_text_add_number(text, mixed, 4);
    const char *column =
        cairn_report_key(out, cairn_schema_feature(steps->schema, (size_t)node->column)->name);
    const char *key = cairn_report_key(out, cairn_text_string(&value));
    cairn_report_hidden(out, mixed, "node%zu.part.%s.%s", event->node + 1, column, key);
    cairn_report_hidden(out, weight, "node%zu.part.%s.%s.n", event->node + 1, column, key);
    cairn_report_failed(out, cairn_text_status(&value));
    cairn_text_clear(&value);
}

/* The best split of every column with what it leaves unexplained; the chosen one is marked. */
static void write_splits(cairn_target_steps *steps, const cairn_grow_event *event, double before)
{
    cairn_report *out = steps->report;
    size_t number = event->node + 1;
    cairn_report_table_of(out, "Splits", STEP_COLUMNS, "lrrl", "column", "after the split",
                          "falls by", "parts");
    for (size_t i = 0; i < event->n_splits && cairn_report_row_wanted(out); i++) {
        const cairn_split *split = &event->splits[i];
        const char *name = cairn_schema_feature(steps->schema, (size_t)split->column)->name;
        const char *key = cairn_report_key(out, name);
        if (split->test == CAIRN_TEST_NONE) continue;
        if (split == event->chosen) cairn_report_row_mark(out);
        cairn_report_cell(out, name);
        double after = before - split->gain;
        if (fabs(after) < 1e-14 * before) after = 0; /* what rounding leaves of nothing */
        cairn_report_cell_number(out, after, 6, "node%zu.split.%s", number, key);
        cairn_report_cell_number(out, split->gain, 6, "node%zu.drop.%s", number, key);
        if (split->test == CAIRN_TEST_CUT)
            cairn_report_hidden(out, split->cut, "node%zu.cut.%s", number, key);
        /* Divides the node's rows as the split would, since how mixed a part is cannot be told
         * from the split itself; long lists end after STEP_PARTS. */
        const cairn_binned *data = event->data;
        cairn_tree_model named;
        cairn_tree_node node = cairn_tree_as_node(&named, event, split);
        size_t n = cairn_split_cells(steps->cells, steps->filled, data, steps->options, event->rows,
                                     split, event->space);
        cairn_text text = cairn_text_start(cairn_report_context(steps->report));
        double whole = 0;
        size_t shown = 0;
        cairn_node_branches(steps->branch, data, steps->options, event->rows, split, steps->filled,
                            event->space);
        for (size_t p = 0; p < n; p++) whole += steps->cells[p * data->n_stats];
        for (size_t p = 0; p < n; p++) {
            if (!(steps->cells[p * data->n_stats] > 0)) continue;
            if (shown++ < STEP_PARTS) write_part(steps, event, &named, &text, &node, p, whole);
        }
        if (shown > STEP_PARTS) cairn_text_add(&text, "; ...");
        cairn_report_cell(steps->report, cairn_text_string(&text));
        cairn_report_failed(steps->report, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_table_end(out);
}

/* What every target has to do with it. */
static void write_targets(cairn_target_steps *steps, const cairn_grow_event *event)
{
    const cairn_tree_targets *targets = event->data->targets;
    cairn_report *out = steps->report;
    if (targets->matrix || targets->n_targets < 2) return;
    cairn_report_table_of(out, "Targets", STEP_COLUMNS, "lr", "target", "part of it");
    for (size_t t = 0; t < targets->n_targets; t++) {
        cairn_report_cell(out, targets->list[t].name);
        cairn_report_cell_number(out, steps->by[t], 6, "node%zu.dissimilarity.%s", event->node + 1,
                                 cairn_report_key(out, targets->list[t].name));
    }
    cairn_report_table_end(out);
}

static void write_definition(const cairn_target_steps *steps, const cairn_tree_targets *targets)
{
    if (targets->matrix)
        cairn_report_formula(steps->report, "Dis(D) = 1/|D|² · Σ Σ dis(x, y) over all ordered "
                                            "pairs, a row with itself included");
    else if (targets->kind == CAIRN_SCALE_IMPURITY)
        cairn_report_formula(steps->report,
                             "Dis(D) = Σ over targets: %s of levels, share of the variance of "
                             "numbers",
                             cairn_tree_impurity_words(targets->impurity)->name);
    else
        cairn_report_formula(steps->report, "Dis(D) = Σ over target columns: variance / b²; a "
                                            "level counts as a 0/1 column");
    cairn_report_formula(steps->report, "after the split = Σ |Dᵥ|/|D|·Dis(Dᵥ)");
}

bool cairn_target_steps_node(void *data, const cairn_grow_event *event)
{
    cairn_target_steps *steps = data;
    cairn_report *out = steps->report;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t number = event->node + 1;
    const cairn_tree_node *node = &event->tree->nodes[event->node];
    double before =
        event->data->criterion->spread(event->data, event->rows, steps->sums, steps->by);
    steps->shown++;
    cairn_tree_add_path(&text, event->tree, event->node, steps->schema, ", ");
    cairn_report_step_begin(out, "Node %zu: %s", number,
                            text.length ? cairn_text_string(&text) : "all rows");
    if (event->node == 0) write_definition(steps, event->data->targets);
    cairn_report_value(out, "rows", node->weight, "node%zu.n", number);
    if (event->rows->n > 0) {
        cairn_report_value(out,
                           event->data->targets->matrix ? "mean dissimilarity of pairs" : "Dis(D)",
                           before, "node%zu.dissimilarity", number);
        write_targets(steps, event);
    }
    if (event->n_splits) write_splits(steps, event, before);
    if (event->chosen) {
        cairn_report_word(out, "chosen",
                          cairn_schema_feature(steps->schema, (size_t)event->chosen->column)->name,
                          "node%zu.chosen", number);
    } else {
        text.length = 0;
        if (event->tree->n_means)
            cairn_tree_targets_add_answer(&text, event->tree, event->node, steps->schema);
        if (text.length)
            cairn_report_word(out, "leaf", cairn_text_string(&text), "node%zu.label", number);
        cairn_report_word(out, "because",
                          cairn_say(cairn_report_context(out),
                                    cairn_tree_reason((cairn_leaf_reason)node->reason)),
                          "node%zu.reason", number);
    }
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
    return steps->shown < STEP_NODES;
}

void cairn_target_steps_end(cairn_target_steps *steps, const cairn_tree_model *tree)
{
    if (tree->n_nodes > steps->shown)
        cairn_report_paragraph(steps->report,
                               "The first %d nodes are shown; %zu more were made in the same way.",
                               STEP_NODES, tree->n_nodes - steps->shown);
}

cairn_status cairn_tree_targets_grow(cairn_context *ctx, cairn_tree_model *out,
                                     cairn_tree_history *history, cairn_tree_targets *targets,
                                     const cairn_view *view, const cairn_schema *schema,
                                     cairn_grow_options options, size_t bins, cairn_report *report)
{
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    cairn_target_steps steps;
    CHECK(cairn_binned_make_targets(ctx, &data, view, targets, bins));
    if (data.criterion->prepare) CHECK(data.criterion->prepare(ctx, &data, &options));
    if (report) {
        CHECK(cairn_target_steps_make(ctx, &steps, report, schema, &data, &options));
        options.watch = cairn_target_steps_node;
        options.watch_data = &steps;
    }
    CHECK(cairn_tree_grow(ctx, out, &data, &options));
    if (history) history->bins = cairn_binned_most(&data);
    if (report) cairn_target_steps_end(&steps, out);
    return CAIRN_OK;
}

/* -- leaves -- */

static void name_means(cairn_report *out, const cairn_tree_model *tree, size_t node,
                       const cairn_target_field *fields, size_t n)
{
    const double *means = cairn_tree_means(tree, node);
    for (size_t t = 0; t < n; t++) {
        const cairn_field *field = fields[t].field;
        const char *key = cairn_report_key(out, field->name);
        if (field->kind != CAIRN_LEVEL) {
            cairn_report_hidden(out, means[fields[t].first], "leaf%zu.mean.%s", node + 1, key);
            continue;
        }
        const char *level = level_of(&fields[t], means);
        cairn_report_hidden_word(out, level ? level : "?", "leaf%zu.label.%s", node + 1, key);
        for (size_t l = 0; l < fields[t].n && l < SHOWN_LEAVES; l++)
            cairn_report_hidden(out, means[fields[t].first + l], "leaf%zu.share.%s.%s", node + 1,
                                key, cairn_report_key(out, cairn_map_key(&field->names, l)));
    }
}

void cairn_tree_targets_show_leaves(cairn_report *out, const cairn_tree_model *tree,
                                    const cairn_schema *schema)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx || !cairn_tree_is_vector(tree)) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_target_field *fields = NULL;
    size_t n = 0, n_means = 0, cluster = 0;
    cairn_text text = cairn_text_start(ctx);
    cairn_status status;
    TRY(cairn_target_fields(ctx, &fields, &n, &n_means, schema));
    cairn_report_table_of(out, "Leaves", SHOWN_LEAVES, "rrrll", "cluster", "node", "rows", "answer",
                          "description");
    for (size_t i = 0; i < tree->n_nodes && cairn_report_row_wanted(out); i++) {
        if (tree->nodes[i].column >= 0) continue;
        cairn_report_cellf(out, "%zu", ++cluster);
        cairn_report_cells(out, "- leaf$1.n:6", i + 1, tree->nodes[i].weight);
        text.length = 0;
        cairn_tree_targets_add_answer(&text, tree, i, schema);
        cairn_report_cell(out, cairn_text_string(&text));
        if (tree->n_means) name_means(out, tree, i, fields, n);
        if (tree->example && tree->example[i] >= 0)
            cairn_report_hidden_word(out, cairn_map_key(&tree->examples, (size_t)tree->example[i]),
                                     "leaf%zu.medoid", i + 1);
        text.length = 0;
        cairn_tree_add_path(&text, tree, i, schema, " AND ");
        cairn_report_cell_word(out, text.length ? cairn_text_string(&text) : "all rows",
                               "leaf%zu.path", i + 1);
    }
    cairn_report_table_end(out);
    TRY(cairn_text_status(&text));
done:
    cairn_report_failed(out, status);
    cairn_text_clear(&text);
    cairn_scratch_release(ctx, mark);
}
