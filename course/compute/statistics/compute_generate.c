/* SPDX-License-Identifier: MIT */
/* cairn compute generate: data from a distribution that is known, so that a model can be compared
 * with the truth. */
#include "compute/statistics/generate.h"

#include "base/memory.h"
#include "typed/shown.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

static const cairn_choice designs[] = {
    {"uniform", CAIRN_DESIGN_UNIFORM, "at random between low and high"},
    {"grid", CAIRN_DESIGN_GRID, "in even steps from low to high"},
    {"normal", CAIRN_DESIGN_NORMAL, "normal around the middle, a quarter of the range wide"},
    {0},
};

const cairn_param cairn_generate_group[] = {
    CAIRN_PARAM(cairn_generate_params, rows, "1000", "[1,4294967294]", "number of rows"),
    CAIRN_PARAM(cairn_generate_params, features, "2", "[1,4096]",
                "number of features (blobs, classify, regress, xor)"),
    CAIRN_PARAM(cairn_generate_params, classes, "2", "[1,10000]",
                "number of classes, clusters, rings or arms"),
    CAIRN_PARAM(cairn_generate_params, sd, "0.5", "[0,inf)",
                "standard deviation of the noise, or of the clouds"),
    CAIRN_PARAM(cairn_generate_params, flip, "0", "[0,1)", "share of rows with a wrong class"),
    CAIRN_PARAM(cairn_generate_params, truth, "yes", NULL,
                "keep what is true: the value before the noise, the chance of every class"),
    CAIRN_PARAM(
        cairn_generate_params, numbers, "no", NULL,
        "classes are the numbers 1, 2, ... and their chances are not kept, for formats that "
        "hold numbers only"),
    CAIRN_PARAM(cairn_generate_params, digits, "-1", "[-1,15]",
                "round features and number targets to so many decimals; -1 = not"),
    CAIRN_PARAM(cairn_generate_params, y, NULL, NULL,
                "formula: what is true about x, such as 65 * x^0.3"),
    CAIRN_PARAM_AS(cairn_generate_params, x, CAIRN_TYPE_COLUMNS, "x",
                   "formula: the columns that it is a formula of"),
    CAIRN_PARAM(cairn_generate_params, at, NULL, NULL,
                "formula: the values of x, such as 1,2,5 (rows separated by semicolons)"),
    CAIRN_PARAM_CHOICE(cairn_generate_params, design, "uniform", designs,
                       "formula: how x is chosen"),
    CAIRN_PARAM(cairn_generate_params, low, "0", NULL, "formula: least x"),
    CAIRN_PARAM(cairn_generate_params, high, "1", NULL, "formula: largest x"),
    CAIRN_PARAM(cairn_generate_params, means, NULL, NULL,
                "clouds: one row per class, such as 0,0;3,3"),
    CAIRN_PARAM(cairn_generate_params, covariances, NULL, NULL,
                "clouds: a matrix such as 1,0.5;0.5,1, or one per class separated by |; sd in all "
                "directions if not given"),
    CAIRN_PARAM_CALLED("prior", cairn_generate_params, priors, NULL, NULL,
                       "clouds, blobs: how often each class comes, such as 0.7,0.3",
                       .was = "priors"),
    CAIRN_PARAM(cairn_generate_params, spread, "10", "(0,inf)",
                "blobs: centres lie between minus and plus this"),
    CAIRN_PARAM(cairn_generate_params, informative, "5", "[1,4096]",
                "classify, regress: the first so many features matter, the rest is noise"),
    CAIRN_PARAM(cairn_generate_params, correlation, "0", "(-1,1)",
                "classify, regress: correlation of each feature with the one before"),
    CAIRN_PARAM_END,
};

static cairn_status generate_check(cairn_context *ctx, const void *values)
{
    const cairn_generate_params *p = values;
    if (isnan(p->low) || isinf(p->low) || isinf(p->high) || !(p->low <= p->high))
        return cairn_fail(ctx, CAIRN_USAGE, "{low} must not be above {high}, and both finite");
    return CAIRN_OK;
}

/* What was drawn, column by column and class by class, to be held against what was asked for. */
static void show_drawn(cairn_report *out, const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    const cairn_column *by = target < 0 ? NULL : table->slots[target].column;
    size_t n_classes = by && by->kind == CAIRN_LEVEL ? by->names.n : 0;
    cairn_report_step_begin(out, "What was drawn");
    cairn_report_formula(out, "mean = Σ x / n,   sd = √(Σ (x − mean)² / (n − 1))");
    cairn_report_table_of(out, NULL, 0, "llrrrr", "column", "class", "n", "Σ x", "mean", "sd");
    for (size_t c = 0; c < table->n_columns; c++) {
        const double *x = cairn_table_numbers(table, c);
        for (size_t k = 0; x && k < (n_classes ? n_classes : 1) && cairn_report_row_wanted(out);
             k++) {
            double n = 0, sum = 0, squares = 0;
            for (int pass = 0; pass < 2; pass++)
                for (size_t i = 0; i < table->n_rows; i++) {
                    if (isnan(x[i]) || (n_classes && by->codes[i] != (int32_t)k)) continue;
                    if (pass == 0)
                        n++, sum += x[i];
                    else
                        squares += (x[i] - sum / n) * (x[i] - sum / n);
                }
            cairn_report_prefix(out, "drawn%zu.%zu", c + 1, k + 1);
            cairn_report_cells(out, "- - - - @.mean @.sd", table->slots[c].name,
                               n_classes ? cairn_level_name(by, (int32_t)k) : "", n, sum,
                               n > 0 ? sum / n : NAN, n > 1 ? sqrt(squares / (n - 1)) : NAN);
        }
    }
    cairn_report_step_end(out);
}

static size_t count_features(const cairn_table *table)
{
    return cairn_table_role_count(table, CAIRN_FEATURE);
}

/* The weights that a learner should find again; more than ten classes are not shown. */
static void show_weights(cairn_report *out, const cairn_generated *known, const cairn_table *table)
{
    if (!known->n_weights) return;
    size_t n_features = count_features(table), n_classes = known->n_weights / n_features;
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    const cairn_column *classes = target < 0 ? NULL : table->slots[target].column;
    cairn_report_table_of(out, "True weights", 20, "l", "feature");
    for (size_t c = 0; c < n_classes && c < 10; c++)
        cairn_report_column(out,
                            n_classes == 1 || !classes || classes->kind != CAIRN_LEVEL
                                ? "weight"
                                : cairn_level_name(classes, (int32_t)c),
                            'r');
    for (size_t i = 0; i < n_features && cairn_report_row_wanted(out); i++) {
        cairn_report_cellf(out, "x%zu", i + 1);
        for (size_t c = 0; c < n_classes && c < 10; c++)
            cairn_report_cell_number(out, known->weights[c * n_features + i], 0, "weight%zu.x%zu",
                                     c + 1, i + 1);
    }
}

static void show_known(cairn_report *out, const cairn_generated *known)
{
    if (!isnan(known->noise_variance)) {
        cairn_report_value(out, "variance of the noise", known->noise_variance, "noise.variance");
        cairn_report_paragraph(out, "No model of x can have a smaller mean squared error on new "
                                    "rows than that.");
    }
    if (!isnan(known->bayes_error))
        cairn_report_value(out, "Bayes error of the distribution", known->bayes_error,
                           "bayes.error");
    if (!isnan(known->bayes_error_rows)) {
        cairn_report_value(out, "Bayes error, averaged over the rows", known->bayes_error_rows,
                           "bayes.error_rows");
        cairn_report_paragraph(out, "No classifier does better on new rows than guessing the class "
                                    "of the largest chance, which is wrong that often.");
    }
}

/* Columns that hold the truth are made to be ignored; the note warns that learning from them
 * would be cheating. */
static cairn_status generate_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_generated known;
    CHECK(cairn_generate(ctx, &table, &known, job->word, job->params));
    cairn_report_heading(out, 1, "Made data: %s", job->word);
    cairn_report_value(out, "rows", (double)table->n_rows, "rows");
    cairn_report_value(out, "features", (double)count_features(table), "features");
    show_known(out, &known);
    show_weights(out, &known, table);
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_IGNORED) {
            cairn_report_note(out,
                              "The columns from '%s' on hold what is true and would give the "
                              "answer away: {ignore} them when learning, or {no-truth} leaves "
                              "them out. 'cairn evaluate' with {truth} compares a model with "
                              "them.",
                              table->slots[i].name);
            break;
        }
    if (job->steps) show_drawn(out, table);
    if (job->result) {
        *job->result = TAKE(table);
    } else {
        cairn_show_first_rows(out, table);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_generate = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "generate",
              .also = "synthetic data, simulate data, make data, artificial data, random data",
              .title = "Make data",
              .summary =
                  "Draws rows from a distribution that is known, by the seed: y = f(x) + noise "
                  "from a formula, normal clouds from means, covariances and priors (clouds), "
                  "clouds around random centres (blobs), rings, moons, spirals, xor, and large "
                  "sets for classification and regression (classify, regress). What is true stays "
                  "beside the rows: the value before the noise, the chance of every class; the "
                  "report has the smallest error that is possible. --out FILE writes the rows.",
              .references = "Duda, Hart and Stork, Pattern Classification",
              .example = "cairn compute generate clouds --means '1,1;1,2;2,1' --sd 0.3 --rows 300",
              .params = cairn_generate_group,
              .params_size = sizeof(cairn_generate_params),
              .check = generate_check},
    .arguments = "SHAPE",
    .takes_word = true,
    .run = generate_run,
};
