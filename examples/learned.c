/* SPDX-License-Identifier: MIT */
/* What there is and what was learned: the parameters of a learner from the registry, a tree fitted
 * to built-in data, and its nodes as a table. */
#include <cairn/cairn.h>
#include <stdio.h>

/* The parameters that matter most, with their defaults. */
static void show_parameters(const cairn_entry *learner)
{
    cairn_param_info param = CAIRN_PARAM_INFO_INIT;
    for (size_t i = 0; cairn_param_at(learner, i, &param); i++)
        if (param.often)
            printf("%s (%s) = %s\n", param.name, cairn_type_name(param.type),
                   param.initial ? param.initial : "not set");
}

/* A line for each leaf: the last condition on the way to it, and its class. */
static void show_leaves(const cairn_table *nodes)
{
    size_t column = (size_t)cairn_table_find(nodes, "column");
    size_t condition = (size_t)cairn_table_find(nodes, "condition");
    size_t answer = (size_t)cairn_table_find(nodes, "answer");
    char text[64];
    for (size_t row = 0; row < cairn_table_rows(nodes); row++) {
        if (cairn_table_codes(nodes, column)[row] >= 0) continue; /* it has a test */
        cairn_table_cell(nodes, condition, row, text, sizeof text);
        printf("%s: %s\n", text,
               cairn_table_level(nodes, answer, (size_t)cairn_table_codes(nodes, answer)[row]));
    }
}

int main(void)
{
    cairn_context *ctx = NULL;
    cairn_table *table = NULL, *nodes = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    bool failed = cairn_context_new(&ctx, NULL) ||
                  cairn_table_read(ctx, &table, "@weather", NULL) ||
                  cairn_params_new(ctx, &params, "tree") ||
                  cairn_model_fit(ctx, &model, params, table, NULL) ||
                  cairn_model_table(ctx, &nodes, model, "nodes");
    if (failed) {
        fprintf(stderr, "%s\n", ctx ? cairn_message(ctx) : "out of memory");
    } else {
        show_parameters(cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "tree"));
        for (size_t i = 0; i < cairn_model_table_count(model); i++)
            printf("%s%s", i ? ", " : "tables: ", cairn_model_table_name(model, i));
        putchar('\n');
        show_leaves(nodes);
    }
    cairn_table_free(nodes);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return failed;
}
