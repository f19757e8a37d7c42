/* SPDX-License-Identifier: MIT */
/* A model kept as a file: fit k-means, save it, load it again, and place the rows with the loaded
 * one. keep [MODEL-FILE] */
#include <cairn/cairn.h>
#include <stdio.h>

/* Print how many rows each cluster got. */
static void print_sizes(const cairn_table *predicted)
{
    size_t n = cairn_table_rows(predicted), counts[3] = {0};
    const int32_t *codes = cairn_table_codes(predicted, 0);
    for (size_t i = 0; codes && i < n; i++)
        if (codes[i] >= 0 && codes[i] < 3) counts[codes[i]]++;
    printf("clusters of %zu, %zu and %zu rows\n", counts[0], counts[1], counts[2]);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "iris.cairn";
    cairn_context *ctx = NULL;
    cairn_table *table = NULL, *predicted = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL, *loaded = NULL;

    bool failed = cairn_context_new(&ctx, NULL) || cairn_table_read(ctx, &table, "@iris", NULL) ||
                  cairn_table_set_role(ctx, table, "species", CAIRN_IGNORED) ||
                  cairn_params_new(ctx, &params, "kmeans:clusters=3") ||
                  cairn_model_fit(ctx, &model, params, table, NULL) ||
                  cairn_model_save(ctx, model, path) || cairn_model_load(ctx, &loaded, path) ||
                  cairn_model_predict(ctx, &predicted, loaded, table, false);
    if (failed)
        fprintf(stderr, "keep: %s\n", cairn_message(ctx));
    else
        print_sizes(predicted);
    cairn_table_free(predicted);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return failed;
}
