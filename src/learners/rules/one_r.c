/* SPDX-License-Identifier: MIT */
/* 1R: the best rule that looks at one column only.
 *
 * A column of levels answers, for each level, the largest class of its rows. Numbers are cut into
 * intervals first: in the order of values an interval goes on until its largest class has
 * --min-bucket rows in it and is not the largest among the rows of the next value; neighbours with
 * the same answer are joined, and where classes tie the answer of the interval before is taken.
 * Missing cells are a value of their own. The column that makes the fewest errors on the training
 * rows wins; ties go to the first. The model is a rule list.
 *
 * Cost: one sort per number column. */
#include "base/number.h"
#include "base/need.h"
#include "base/sort_by.h"
#include "learners/rules/rule_search.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 100 }; /* columns */

typedef struct one_r_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    double min_bucket;
} one_r_params;

static const cairn_param one_r_table[] = {
    CAIRN_PARAM(one_r_params, min_bucket, "6", "[1,inf)",
                "least weight of rows of the largest class in an interval of numbers"),
    CAIRN_PARAM_GROUP(one_r_params, options, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

/* The list of the best column, and how all columns did. */
typedef struct one_r_model {
    cairn_rules rules; /* first: the functions of rules take it for the model */
    double *errors;    /* n_columns: weight of the training rows that its rule answers wrongly */
    double total;
    int32_t best;
} one_r_model;

/* The rule of one column: parts with counts, in order; the last is for missing cells. */
typedef struct column_rule {
    size_t n;       /* parts without that of missing cells */
    double *counts; /* n + 1 x n_classes */
    double *cuts;   /* number columns: n - 1 */
    int32_t *labels;
    double errors;
} column_rule;

static size_t largest(const double *counts, size_t k)
{
    size_t best = 0;
    for (size_t l = 1; l < k; l++)
        if (counts[l] > counts[best]) best = l;
    return best;
}

static cairn_status level_parts(cairn_context *ctx, column_rule *out, const cairn_rule_rows *rows,
                                size_t c)
{
    size_t k = rows->n_classes;
    out->n = rows->n_bins[c];
    CHECK(SCRATCH_MATRIX(ctx, &out->counts, out->n + 1, k, "the count of every level and class",
                         CAIRN_FEWER_CLASSES));
    for (size_t i = 0; i < rows->n; i++) {
        int32_t code = rows->codes[c][i];
        size_t part = code < 0 ? out->n : (size_t)code;
        out->counts[part * k + (size_t)rows->classes[i]] += rows->weights[i];
    }
    return CAIRN_OK;
}

/* Close an interval: a new one, or more of the one before when the answer is the same. */
static void close_part(column_rule *out, const double *counts, size_t k, double cut)
{
    size_t answer = largest(counts, k);
    bool joined =
        out->n > 0 && counts[largest(out->counts + (out->n - 1) * k, k)] >= counts[answer];
    if (!joined) out->n++;
    for (size_t l = 0; l < k; l++) out->counts[(out->n - 1) * k + l] += counts[l];
    out->cuts[out->n - 1] = cut;
}

/* An interval ends only between different values and once its largest class has min-bucket rows,
 * so only the last may have fewer; missing cells are a part of their own at the end. */
static cairn_status number_parts(cairn_context *ctx, column_rule *out, const cairn_rule_rows *rows,
                                 size_t c, double least)
{
    size_t k = rows->n_classes, n = rows->n_ordered[c];
    const uint32_t *order = rows->orders[c];
    const double *x = rows->numbers[c];
    double *now = NULL, *value = NULL, last = 0;
    CHECK(SCRATCH_MATRIX(ctx, &out->counts, n + 2, k, "the count of every value and class",
                         CAIRN_FEWER_CLASSES));
    CHECK(SCRATCH(ctx, &out->cuts, n + 1));
    CHECK(SCRATCH_EACH(ctx, k, &now, &value));
    for (size_t i = 0, end; i < n; i = end) {
        memset(value, 0, k * sizeof *value);
        for (end = i; end < n && x[order[end]] == x[order[i]]; end++)
            value[rows->classes[order[end]]] += rows->weights[order[end]];
        size_t best = largest(now, k);
        if (i > 0 && now[best] >= least && value[best] < value[largest(value, k)]) {
            close_part(out, now, k, cairn_number_between(last, x[order[i]]));
            memset(now, 0, k * sizeof *now);
        }
        for (size_t l = 0; l < k; l++) now[l] += value[l];
        last = x[order[i]];
    }
    if (n) close_part(out, now, k, INFINITY);
    memset(value, 0, k * sizeof *value);
    for (size_t i = 0; i < rows->n; i++)
        if (isnan(x[i])) value[rows->classes[i]] += rows->weights[i];
    memcpy(out->counts + out->n * k, value, k * sizeof *value);
    return CAIRN_OK;
}

/* A part without rows answers nothing (-1); the sum of what the parts get wrong is the column's
 * error. */
static cairn_status make_column(cairn_context *ctx, column_rule *out, const cairn_rule_rows *rows,
                                size_t c, double least)
{
    size_t k = rows->n_classes;
    *out = (column_rule){0};
    if (rows->codes[c])
        CHECK(level_parts(ctx, out, rows, c));
    else
        CHECK(number_parts(ctx, out, rows, c, least));
    CHECK(SCRATCH(ctx, &out->labels, out->n + 1));
    for (size_t part = 0; part <= out->n; part++) {
        const double *counts = out->counts + part * k;
        double total = 0;
        for (size_t l = 0; l < k; l++) total += counts[l];
        size_t label = largest(counts, k);
        out->labels[part] = total > 0 ? (int32_t)label : -1;
        out->errors += total - counts[label];
    }
    return CAIRN_OK;
}

/* The rule as drafts of a list; returns how many. */
static cairn_status column_drafts(cairn_context *ctx, cairn_rule_draft **out, size_t *n,
                                  const column_rule *rule, const cairn_rule_rows *rows, size_t c)
{
    cairn_condition *conditions = NULL;
    int32_t *levels = NULL;
    CHECK(SCRATCH(ctx, out, rule->n + 2));
    CHECK(SCRATCH_EACH(ctx, rule->n + 1, &conditions, &levels));
    *n = 0;
    for (size_t part = 0; part <= rule->n; part++) {
        cairn_condition *condition = &conditions[*n];
        bool missing = part == rule->n;
        if (rule->labels[part] < 0) continue;
        levels[*n] = (int32_t)part;
        *condition = (cairn_condition){.column = c,
                                       .relation = missing          ? CAIRN_IS_MISSING
                                                   : rows->codes[c] ? CAIRN_EQUAL
                                                                    : CAIRN_AT_MOST,
                                       .levels = &levels[*n],
                                       .n_levels = !missing && rows->codes[c],
                                       .number = rule->cuts && !missing ? rule->cuts[part] : 0};
        if (!missing && rule->cuts && isinf(rule->cuts[part])) {
            condition->relation = part > 0 ? CAIRN_ABOVE : CAIRN_AT_MOST;
            if (part == 0) continue; /* one answer for all numbers: the default says it */
            condition->number = rule->cuts[part - 1];
        }
        (*out)[(*n)++] = (cairn_rule_draft){
            .body = condition, .n = 1, .label = rule->labels[part], .stated = -1};
    }
    (*out)[(*n)++] = (cairn_rule_draft){.label = -1, .stated = -1};
    return CAIRN_OK;
}

/* One table per column: its parts, the class each answers and the errors, which add up to the
 * error compared. */
static void show_column(cairn_report *out, const column_rule *rule, const cairn_rule_rows *rows,
                        size_t c, double total)
{
    if (!out) return;
    const cairn_field *field = cairn_schema_feature(rows->schema, c);
    size_t k = rows->n_classes;
    const char *key = cairn_report_key(out, field->name);
    cairn_report_step_begin(out, "The rule of %s", field->name);
    cairn_report_table_of(out, NULL, 0, "llrr", field->name, "answer", "rows", "errors");
    for (size_t part = 0; part <= rule->n; part++) {
        double sum = 0;
        cairn_text text = cairn_text_start(cairn_report_context(out));
        if (rule->labels[part] < 0) continue;
        for (size_t l = 0; l < k; l++) sum += rule->counts[part * k + l];
        if (part == rule->n) {
            cairn_text_add(&text, "missing");
        } else if (rows->codes[c]) {
            cairn_text_add(&text, cairn_map_key(&field->names, part));
        } else {
            bool last = isinf(rule->cuts[part]);
            cairn_text_add(&text, last ? (part ? "> " : "any number") : "<= ");
            if (!last || part)
                cairn_text_add_number(&text, rule->cuts[last ? part - 1 : part], CAIRN_SHORTEST);
        }
        cairn_report_prefix(out, "%s", key);
        cairn_report_cells(out, "- @.$1.answer @.$1.rows @.$1.errors", cairn_text_string(&text),
                           cairn_schema_class(rows->schema, rule->labels[part]), sum,
                           sum - rule->counts[part * k + (size_t)rule->labels[part]]);
        cairn_report_text_end(out, &text);
    }
    cairn_report_value(out, "error", rule->errors / total, "%s.error", key);
    cairn_report_step_end(out);
}

/* Only errors are kept while looking, and the best column is made once more at the end; a later
 * column must be better, not equal. */
static cairn_status one_r_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    one_r_model *m = model;
    const one_r_params *p = job->params;
    cairn_rule_rows rows;
    column_rule rule;
    cairn_rule_draft *drafts = NULL;
    cairn_scratch_mark mark;
    size_t n = 0;
    CHECK(cairn_rule_rows_make(ctx, &rows, job));
    CHECK(NEW(ctx, &m->errors, rows.n_columns));
    for (size_t i = 0; i < rows.n; i++) m->total += rows.weights[i];
    for (size_t c = 0; c < rows.n_columns; c++) {
        mark = cairn_scratch_now(ctx);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(make_column(ctx, &rule, &rows, c, p->min_bucket));
        show_column(job->steps, &rule, &rows, c, m->total);
        m->errors[c] = rule.errors;
        if (rule.errors < m->errors[m->best] - 1e-12 * m->total) m->best = (int32_t)c;
        cairn_scratch_release(ctx, mark);
    }
    CHECK(make_column(ctx, &rule, &rows, (size_t)m->best, p->min_bucket));
    CHECK(column_drafts(ctx, &drafts, &n, &rule, &rows, (size_t)m->best));
    return cairn_rules_make(ctx, &m->rules, drafts, n, true, job);
}

/* -- the rest -- */

static bool errs_less(const void *a, const void *b, const void *data)
{
    const one_r_model *m = data;
    return m->errors[*(const size_t *)a] < m->errors[*(const size_t *)b];
}

/* The columns in their order; of many, those of the fewest errors first. */
static cairn_status order_columns(cairn_context *ctx, const one_r_model *m, size_t **out,
                                  const char ***names, const cairn_schema *schema)
{
    size_t n = m->rules.n_columns, at = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n, out, names));
    for (size_t c = 0; c < n; c++) {
        (*out)[c] = c;
        (*names)[c] = cairn_schema_next_feature(schema, &at)->name;
    }
    if (n > MOST_SHOWN) CHECK(cairn_sort_by(ctx, *out, n, sizeof **out, errs_less, m));
    return CAIRN_OK;
}

/* All columns in order of their errors: often several are nearly as good, which the rule alone
 * would hide. */
static void one_r_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const one_r_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t n = m->rules.n_columns, *order = NULL;
    const char **names = NULL;
    cairn_status status = order_columns(ctx, m, &order, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) goto done;
    cairn_report_heading(out, 2, "Errors of the rule of each column");
    if (n > MOST_SHOWN)
        cairn_report_paragraph(out, "(There are many: the column of the fewest errors first.)");
    cairn_report_table_of(out, NULL, MOST_SHOWN, "lrr", "column", "errors", "share");
    for (size_t i = 0; i < n; i++) {
        size_t c = order[i];
        if ((int32_t)c == m->best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- errors.$1 error.$1", names[c], m->errors[c],
                           m->errors[c] / m->total);
    }
    for (size_t i = MOST_SHOWN; i < n; i++)
        cairn_report_hidden(out, m->errors[order[i]], "errors.%s",
                            cairn_report_key(out, names[order[i]]));
    cairn_report_hidden_word(out, names[m->best], "best");
    cairn_rules_describe(out, &m->rules, job);
done:
    cairn_scratch_release(ctx, mark);
}

static cairn_status one_r_archive(cairn_archive *archive, void *model)
{
    one_r_model *m = model;
    CHECK(cairn_rules_archive(archive, &m->rules));
    CHECK(cairn_archive_reals(archive, "errors", &m->errors, m->rules.n_columns));
    CHECK(cairn_archive_real(archive, "total", &m->total));
    CHECK(cairn_archive_int(archive, "best", &m->best));
    if (m->best < 0 || (size_t)m->best >= m->rules.n_columns)
        CHECK(cairn_archive_damaged(archive, "the best column is not there"));
    return CAIRN_OK;
}

static void one_r_clear(void *model)
{
    one_r_model *m = model;
    cairn_rules_clear(&m->rules);
    cairn_free(m->errors);
}

const cairn_learner cairn_one_r = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "one-r",
         .also = "OneR, 1R, decision stump, one rule",
         .title = "1R",
         .summary =
             "The best rule that looks at one column only: for each of its values, or intervals "
             "of numbers, the largest class. The report gives the error of every column's rule. "
             "Often surprisingly good, and the least that another learner should beat.",
         .references = "Holte: Very simple classification rules perform well on most commonly "
                       "used datasets, Machine Learning 11 (1993)",
         .example = "cairn fit one-r @weather --steps",
         .params = one_r_table,
         .params_size = sizeof(one_r_params),
         .check = cairn_rules_check_params},
    CAIRN_RULES_RECORD,
    .space = "min-bucket=24,12,6,3",
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .model_size = sizeof(one_r_model),
    .fit = one_r_fit,
    .describe = one_r_describe,
    .archive = one_r_archive,
    .clear = one_r_clear,
};
