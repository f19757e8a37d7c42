/* SPDX-License-Identifier: MIT */
/* From a CSV file to a fitted tree to predictions: embed [FILE.csv [TARGET]] */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "@iris";
    const char *target = argc > 2 ? argv[2] : "species";
    cairn_context *ctx = NULL;
    cairn_table *table = NULL, *predicted = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;

    /* every status is 0 on success, so calls chain and the message is read once */
    bool failed = cairn_context_new(&ctx, NULL) || cairn_table_read(ctx, &table, path, NULL) ||
                  cairn_table_set_role(ctx, table, target, CAIRN_TARGET) ||
                  cairn_params_new(ctx, &params, "tree") ||
                  cairn_params_set(ctx, params, "max-depth", "3") ||
                  cairn_model_fit(ctx, &model, params, table, NULL) ||
                  cairn_model_predict(ctx, &predicted, model, table, false);
    if (failed) {
        fprintf(stderr, "embed: %s\n", cairn_message(ctx));
    } else {
        size_t column = (size_t)cairn_table_find(table, target), right = 0;
        size_t n = cairn_table_rows(table);
        for (size_t i = 0; i < n; i++) {
            char reported[64], found[64];
            cairn_table_cell(table, column, i, reported, sizeof reported);
            cairn_table_cell(predicted, 0, i, found, sizeof found);
            right += strcmp(reported, found) == 0;
        }
        printf("%zu of %zu rows predicted as they are\n", right, n);
    }
    cairn_table_free(predicted);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return failed;
}
