/* SPDX-License-Identifier: MIT */
/* A program that only asks a model: ask MODEL CELL ... It needs no more than libcairn-predict. */
#include <cairn/predict.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 64 };

static cairn_status answer(cairn_predictor *predictor, char **texts, size_t n)
{
    cairn_cell cells[MOST_CELLS] = {{CAIRN_CELL_MISSING, 0, 0, NULL, 0}};
    cairn_answer said;
    for (size_t i = 0; i < n; i++)
        cells[i] = (cairn_cell){CAIRN_CELL_TEXT, 0, 0, texts[i], strlen(texts[i])};
    cairn_status status = cairn_predictor_cells(predictor, cells, &said, NULL);
    if (status) return status;
    if (cairn_predictor_classes(predictor) && said.code >= 0)
        puts(cairn_predictor_class(predictor, (size_t)said.code));
    else
        printf("%.17g\n", said.number);
    return CAIRN_OK;
}

int main(int argc, char **argv)
{
    cairn_context *ctx = NULL;
    cairn_model *model = NULL;
    cairn_predictor *predictor = NULL;
    if (argc < 2) {
        fprintf(stderr, "ask MODEL CELL ...   MODEL is a file of 'cairn fit ... --save MODEL'\n");
        return 2;
    }
    cairn_status status = cairn_context_new(&ctx, NULL);
    if (!status) status = cairn_model_load(ctx, &model, argv[1]);
    if (!status) status = cairn_predictor_new(ctx, &predictor, model, NULL, 0);
    size_t n = status ? 0 : cairn_predictor_columns(predictor);
    if (status) {
        fprintf(stderr, "ask: %s\n", cairn_message(ctx));
    } else if (n > MOST_CELLS || n != (size_t)argc - 2) {
        fprintf(stderr, "ask: the model wants %zu cells\n", n);
        status = CAIRN_USAGE;
    } else if ((status = answer(predictor, argv + 2, n))) {
        fprintf(stderr, "ask: %s\n", cairn_predictor_message(predictor));
    }
    cairn_predictor_free(predictor);
    cairn_model_free(model);
    cairn_context_free(ctx);
    return cairn_status_exit_code(status);
}
