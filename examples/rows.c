/* SPDX-License-Identifier: MIT */
/* A model that answers single rows and a matrix of rows, without a table. */
#include <cairn/cairn.h>
#include <stdio.h>

/* A tree for the flowers of the iris data. */
static cairn_status learn(cairn_context *ctx, cairn_model **out)
{
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_status status = cairn_table_read(ctx, &table, "@iris", NULL);
    if (!status) status = cairn_params_new(ctx, &params, "tree:max-depth=3");
    if (!status) status = cairn_model_fit(ctx, out, params, table, NULL);
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

/* One row of numbers, then the same as a file would hold it. */
static cairn_status answer_one(cairn_predictor *flowers)
{
    const double row[] = {5.9, 3.0, 5.1, 1.8};
    const cairn_cell cells[] = {{CAIRN_CELL_NUMBER, 5.9, 0, NULL, 0},
                                {CAIRN_CELL_NUMBER, 3.0, 0, NULL, 0},
                                {CAIRN_CELL_TEXT, 0, 0, "5.1", 3},
                                {CAIRN_CELL_MISSING, 0, 0, NULL, 0}};
    cairn_answer answer, other;
    double scores[3];
    cairn_status status = cairn_predictor_row(flowers, row, &answer, scores);
    if (!status) status = cairn_predictor_cells(flowers, cells, &other, NULL);
    if (!status)
        printf("%s with probability %.2f; without its last number %s\n",
               cairn_predictor_class(flowers, (size_t)answer.code), scores[answer.code],
               cairn_predictor_class(flowers, (size_t)other.code));
    return status;
}

/* Rows of floats, of which every second one is wanted, where they lie. */
static cairn_status answer_many(cairn_predictor *flowers)
{
    static const float rows[4][4] = {{5.1f, 3.5f, 1.4f, 0.2f}, {0}, {6.3f, 2.8f, 5.6f, 2.1f}, {0}};
    cairn_matrix matrix = {sizeof matrix,    rows,         CAIRN_FLOAT32, 2, 4,
                           2 * sizeof *rows, sizeof(float)};
    int32_t codes[2];
    cairn_status status = cairn_predictor_rows(flowers, &matrix, codes, NULL, NULL);
    if (!status)
        printf("then %s and %s\n", cairn_predictor_class(flowers, (size_t)codes[0]),
               cairn_predictor_class(flowers, (size_t)codes[1]));
    return status;
}

int main(void)
{
    cairn_context *ctx = NULL;
    cairn_model *model = NULL;
    cairn_predictor *flowers = NULL;
    cairn_status status = cairn_context_new(&ctx, NULL);
    if (!status) status = learn(ctx, &model);
    if (!status) status = cairn_predictor_new(ctx, &flowers, model, NULL, 0);
    if (status) {
        fprintf(stderr, "rows: %s\n", cairn_message(ctx));
    } else {
        status = answer_one(flowers);
        if (!status) status = answer_many(flowers);
        if (status) fprintf(stderr, "rows: %s\n", cairn_predictor_message(flowers));
    }
    cairn_predictor_free(flowers);
    cairn_model_free(model);
    cairn_context_free(ctx);
    return status ? 1 : 0;
}
